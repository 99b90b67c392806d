/* SPDX-License-Identifier: BSD-3-Clause */
/* fetch.h - records the trace of a program that gives it at an address. */
#ifndef GTRACE_TOOLS_FETCH_H_
#define GTRACE_TOOLS_FETCH_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/* Whether NAME, given as a trace, is an address, and no file has that name. */
bool fetch_is_for(const char *name);

/*
 * Records the trace at URL in a file, that of -o if it was given, says what its
 * name is, and sets *FILE to it; the caller frees it. What has come when the
 * user or the other side ends the recording is kept: *IS_SHORT.
 * Errors: GTRACE_ERROR_OPEN, also for the file, _READ and _MEMORY.
 */
enum gtrace_status fetch_record(const char *url, char **file, bool *is_short,
				struct gtrace_error *error);

/*
 * Begins what fetch_record() does, in a thread of its own: one recording at a
 * time. Meanwhile *FD, which the caller closes, gives what comes; if it is
 * closed before the end, so is the recording. Errors: GTRACE_ERROR_OPEN,
 * _MEMORY; fetch_finish() is not to be called then.
 */
enum gtrace_status fetch_begin(const char *url, int *fd,
			       struct gtrace_error *error);

/* Meanwhile, when something has come: the name of the file. */
const char *fetch_file(void);

/* Waits for the end of it, and returns what fetch_record() does. */
enum gtrace_status fetch_finish(char **file, bool *is_short,
				struct gtrace_error *error);

#endif /* GTRACE_TOOLS_FETCH_H_ */
