/* SPDX-License-Identifier: BSD-3-Clause */
/* decompress.h - other programs, which decompress traces. */
#ifndef GTRACE_TOOLS_DECOMPRESS_H_
#define GTRACE_TOOLS_DECOMPRESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/child.h"

/* A program that decompresses its input. */
struct decompressor {
	const char *magic; /* that its input begins with */
	const char *program;
};

/* Whether the SIZE bytes at BYTES are the first ones of WANT, or begin so. */
bool decompress_begins(const char *bytes, size_t size, const char *want);

/* Whether they can be the first ones of what one of the programs takes. */
bool decompress_may_begin(const char *bytes, size_t size);

/* The program for what begins with SIZE bytes at BYTES. NULL: it needs none. */
const struct decompressor *decompress_find(const char *bytes, size_t size);

/*
 * Starts BY with the file PATH as its input, as child_start() does. Returns
 * false if it cannot.
 */
bool decompress_start(struct child *child, const struct decompressor *by,
		      const char *path, int errors);

/*
 * CHILD, which is BY, has been read as *TRACE, with STATUS. Fails if it could
 * not decompress all of its input, as it has SAID, unless the rest of the trace
 * may be left out: IS_PARTIAL. *TRACE is closed and NULL then.
 */
enum gtrace_status decompress_end(const struct decompressor *by,
				  struct child *child, FILE *said,
				  bool is_partial, struct gtrace **trace,
				  struct gtrace_error *error,
				  enum gtrace_status status);

#endif /* GTRACE_TOOLS_DECOMPRESS_H_ */
