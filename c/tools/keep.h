/* SPDX-License-Identifier: BSD-3-Clause */
/* keep.h - reads a trace while it comes, until the user ends that. */
#ifndef GTRACE_TOOLS_KEEP_H_
#define GTRACE_TOOLS_KEEP_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/* Whether FD is a pipe, a socket, a terminal or the like. */
bool keep_is_for(int fd);

/* What a trace comes from. */
struct keep_from {
	int fd;
	/*
	 * Whether what comes is a pipe: the user can end it with Ctrl-C, and of
	 * what ends early, that which is complete is a partial trace.
	 */
	bool is_piped;
	/* At its end. False: it has failed, and more was to come. Or NULL. */
	bool (*end)(void *context);
	/* Called once, when no more is read. Or NULL. */
	void (*close)(void *context);
	void *context;
};

/* Opens the trace. Errors: those of gtrace_open_stream(). */
enum gtrace_status keep_open_from(const struct keep_from *from,
				  const struct gtrace_options *given,
				  struct gtrace **trace,
				  struct gtrace_error *error);

/*
 * Opens the trace that comes through the pipe FD, which is closed at its end if
 * it IS_OURS.
 */
enum gtrace_status keep_open(int fd, bool is_ours,
			     const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error);

#endif /* GTRACE_TOOLS_KEEP_H_ */
