/* SPDX-License-Identifier: BSD-3-Clause */
/* html_pass.h - the pass that finds what all processors did, and its data. */
#ifndef GTRACE_HTML_PASS_H_
#define GTRACE_HTML_PASS_H_

#include "analysis/lanes.h"
#include "front.h"
#include "report/html.h"

/*
 * Makes a pass over all slices of TRACE, which has been followed before, and
 * gives them to LANES, whose windows are set up. Errors: those of
 * gtrace_visit().
 */
enum gtrace_status gti_html_pass(struct gtrace *trace, struct lanes *lanes,
				 struct gtrace_error *error);

/*
 * Writes what page/page.js draws as one object of JSON without "<". The lists
 * in it are described where they are written. Times are in nanoseconds since
 * the trace began; those of bars, since their window begins.
 */
void gti_html_data(struct writer *writer, const struct html_report *report,
		   const struct lanes *lanes);

#endif /* GTRACE_HTML_PASS_H_ */
