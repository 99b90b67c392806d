/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bound.h - JSON of at most so many bytes, for readers that take no more: whole
 * rows, and what was left out. A process has one.
 */
#ifndef GTRACE_TOOLS_BOUND_H_
#define GTRACE_TOOLS_BOUND_H_

#include <stddef.h>
#include <stdio.h>

/*
 * Begins an output of at most LIMIT bytes to TO. A row takes at most one of
 * PARTS of them: of a longer one, only the first elements of each array remain.
 */
void bound_begin(FILE *to, size_t limit, size_t parts);

/* Takes the next SIZE bytes at DATA, of lines that are a JSON object each. */
void bound_write(const char *data, size_t size);

/* Ends it with a line that says what was left out, if something was. */
void bound_end(void);

#endif /* GTRACE_TOOLS_BOUND_H_ */
