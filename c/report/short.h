/* SPDX-License-Identifier: BSD-3-Clause */
/* short.h - the items of lists as text for people, all in one style. */
#ifndef GTRACE_REPORT_SHORT_H_
#define GTRACE_REPORT_SHORT_H_

#include "base/output.h"
#include "report/lists.h"

/*
 * Write an item: a line with its length and the function of the program, a line
 * with what else is known, two stacks without addresses, and an empty line.
 */
typedef void short_writer(struct writer *writer, const struct listed *listed);

short_writer gti_short_slice, gti_short_delay, gti_short_stop, gti_short_wait,
	gti_short_block;

#endif /* GTRACE_REPORT_SHORT_H_ */
