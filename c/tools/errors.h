/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - what the command says of traces that cannot be read. */
#ifndef GTRACE_TOOLS_ERRORS_H_
#define GTRACE_TOOLS_ERRORS_H_

#include <stdbool.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

/* The meaning of the errno CODE, in lower case, as the library writes it. */
struct error_text {
	char text[100];
};

struct error_text error_text_of(int code);

/*
 * Reads the file PATH once more, and returns when the last event is that
 * reports cover. INT64_MAX: it cannot be read again.
 */
int64_t damage_find_end(const char *path);

/*
 * Returns lines about the trace in the file PATH, "-" for standard input: the
 * message of ERROR, and what can be done about it; if ERROR is NULL, what the
 * reports of TRACE left out, and whether its times are in ticks. A file is read
 * once more, to find out what partial reports of it would have. The name is not
 * in the lines. The caller frees them. NULL: out of memory.
 */
char *error_describe(const char *path, const struct gtrace *trace,
		     const struct gtrace_error *error);

/*
 * Prints LINES, as they are returned above, to stderr: each after the name PATH
 * or, if AS_ONE is true, all in one line.
 */
void error_print(const char *path, const char *lines, bool as_one);

/* Sets ERROR to STATUS, which it returns, and a message. */
enum gtrace_status error_set(struct gtrace_error *error,
			     enum gtrace_status status, const char *format,
			     ...);

/* Prints a line to stderr that begins with the name of the command. */
void error_note(const char *format, ...);

#endif /* GTRACE_TOOLS_ERRORS_H_ */
