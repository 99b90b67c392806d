/* SPDX-License-Identifier: BSD-3-Clause */
/* damage.h - what the command says of traces that are damaged or cut off. */
#ifndef GTRACE_TOOLS_DAMAGE_H_
#define GTRACE_TOOLS_DAMAGE_H_

#include <stdio.h>

#include <gtrace/gtrace.h>

/* Each function prints lines that are about one trace, without its name. */

/*
 * Prints what can be done about ERROR, a fault of the trace in the file PATH,
 * "-" for standard input, that was opened with OPTIONS. The file is read once
 * more, to find out whether a partial report of it would have a slice.
 */
void damage_explain(FILE *to, const char *path,
		    const struct gtrace_options *options,
		    const struct gtrace_error *error);

/*
 * Reads the file, as above, and returns when the last event is that reports
 * with OPTIONS cover. INT64_MAX: it cannot be read again.
 */
int64_t damage_find_end(const char *path, const struct gtrace_options *options);

/*
 * Prints the unit of the times in the reports of TRACE, which was opened with
 * OPTIONS, if that is a tick; whether OPTIONS->frequency is not used; and what
 * the reports left out, if anything. The file, as above, is read once more, to
 * find out whether a report of its last generation would have more slices.
 */
void damage_note(FILE *to, const char *path, const struct gtrace *trace,
		 const struct gtrace_options *options);

#endif /* GTRACE_TOOLS_DAMAGE_H_ */
