/* SPDX-License-Identifier: BSD-3-Clause */
/* keep.h - keeps a pipe in a temporary file, not in memory. */
#ifndef GTRACE_TOOLS_KEEP_H_
#define GTRACE_TOOLS_KEEP_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/* Whether FD is a pipe. */
bool keep_is_for(int fd);

/*
 * Opens the trace that comes from FD, a pipe, when that has ended, or the user
 * ends it with Ctrl-C: then what is complete is a partial trace. What cannot be
 * a trace is read no further than its beginning. Errors: those of
 * gtrace_open_fd(), and GTRACE_ERROR_READ if the file cannot be written.
 */
enum gtrace_status keep_open(int fd, const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error);

#endif /* GTRACE_TOOLS_KEEP_H_ */
