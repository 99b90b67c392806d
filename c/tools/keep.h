/* SPDX-License-Identifier: BSD-3-Clause */
/* keep.h - reads a trace while it comes, until the user ends that. */
#ifndef GTRACE_TOOLS_KEEP_H_
#define GTRACE_TOOLS_KEEP_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/* Whether FD is a pipe, a socket, a terminal or the like. */
bool keep_is_for(int fd);

/*
 * Opens the trace that comes from FD, which is closed at its end if it IS_OURS.
 * It ends where FD does, or when the user ends it with Ctrl-C. If that is in
 * the middle, what is complete is a partial trace. Errors: those of
 * gtrace_open_stream().
 */
enum gtrace_status keep_open(int fd, bool is_ours,
			     const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error);

#endif /* GTRACE_TOOLS_KEEP_H_ */
