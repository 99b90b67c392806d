/* SPDX-License-Identifier: BSD-3-Clause */
/* html_pass.h - the pass that finds what all processors did. */
#ifndef GTRACE_HTML_PASS_H_
#define GTRACE_HTML_PASS_H_

#include "analysis/lanes.h"
#include "front.h"

/*
 * Makes a pass over all slices of TRACE, which has been followed before, and
 * gives them to LANES, whose windows are set up. Errors: those of
 * gtrace_visit().
 */
enum gtrace_status gti_html_pass(struct gtrace *trace, struct lanes *lanes,
				 struct gtrace_error *error);

#endif /* GTRACE_HTML_PASS_H_ */
