/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - what the command says of traces that cannot be read. */
#ifndef GTRACE_TOOLS_ERRORS_H_
#define GTRACE_TOOLS_ERRORS_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "tools/start.h"

/*
 * Prints ERROR, met with the trace NAME, to stderr: one line, and another one
 * with what can be done about it if OPTIONS is not NULL: how the trace was
 * opened. START is how the file begins.
 */
void error_print(const char *name, const struct gtrace_error *error,
		 const struct gtrace_options *options,
		 const struct start *start);

/*
 * Prints the unit of the times in reports of TRACE, which has NAME and was
 * opened with OPTIONS, if it is not the nanosecond.
 */
void error_print_unit(const char *name, const struct gtrace *trace,
		      const struct gtrace_options *options);

/*
 * Prints what was left out of TRACE, which has NAME, was opened with OPTIONS
 * and begins with START, if anything was; and that nothing is in it, if so.
 */
void error_print_left_out(const char *name, const struct gtrace *trace,
			  const struct gtrace_options *options,
			  const struct start *start);

#endif /* GTRACE_TOOLS_ERRORS_H_ */
