/* SPDX-License-Identifier: BSD-3-Clause */
/* shrink.h - makes a JSON object shorter by leaving out elements of arrays. */
#ifndef GTRACE_TOOLS_SHRINK_H_
#define GTRACE_TOOLS_SHRINK_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the object in the SIZE bytes at ROW, without its last brace, to TO,
 * which holds SIZE bytes, with at most KEEP elements of each array, and
 * adds a member `left_out` that says how many each kind of array lacks. Of
 * stacks half as many remain, innermost and outermost ones, and of `segments`
 * the longest. Returns the length; 0: it would be longer than LIMIT, the
 * object is nested too deeply, or there is no memory.
 */
size_t shrink(const char *row, size_t size, size_t keep, char *to,
	      size_t limit);

/*
 * Finds the member NAME of the object ROW, which lies in the SIZE bytes there,
 * itself. Returns where its value begins, and sets *LENGTH; NULL: there is
 * none.
 */
const char *json_member(const char *row, size_t size, const char *name,
			size_t *length);

#endif /* GTRACE_TOOLS_SHRINK_H_ */
