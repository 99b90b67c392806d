/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - what the command says of traces that cannot be read. */
#ifndef GTRACE_TOOLS_ERRORS_H_
#define GTRACE_TOOLS_ERRORS_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/*
 * Prints ERROR, met with the trace NAME, to stderr: one line, and if HINT is
 * set a second one with what can be done about it. PARTIAL: the trace was
 * opened so.
 */
void error_print(const char *name, const struct gtrace_error *error, bool hint,
		 bool partial);

/* Prints what was left out of TRACE, which has NAME, if anything was. */
void error_print_left_out(const char *name, const struct gtrace *trace);

#endif /* GTRACE_TOOLS_ERRORS_H_ */
