/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - other programs, which are started without a shell. */
#ifndef GTRACE_TOOLS_CHILD_H_
#define GTRACE_TOOLS_CHILD_H_

#include <stdbool.h>

/* The exit status of a program that a signal ended, or that is not known. */
#define CHILD_LOST -1

/* A program that runs. */
struct child {
	long pid;
	int out; /* reads what it prints; to be closed by child_end() */
};

/*
 * Starts the program ARGUMENTS[0], which is looked for in PATH, with ARGUMENTS,
 * which end with a NULL. It reads from IN, and what it says of errors goes to
 * ERRORS. Returns 0, or the errno code of why it could not be started; ENOENT:
 * there is no such program.
 */
int child_start(struct child *child, const char *const *arguments, int in,
		int errors);

/* Tells CHILD to end, if it still runs. */
void child_stop(const struct child *child);

/*
 * Makes a pipe, which is read from ENDS[0], of descriptors above 2, which no
 * program inherits that is started afterwards. Returns 0, or the errno code.
 * Not for WASI.
 */
int child_pipe(int ends[2]);

/* Closes the pipe of CHILD, waits for its end, and returns its exit status. */
int child_end(struct child *child);

#endif /* GTRACE_TOOLS_CHILD_H_ */
