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
 * Opens the trace that CHILD, which is BY, makes of the file PATH, while it
 * comes, as keep_open() does; it is stopped if the trace is closed before the
 * end. What it has SAID of errors is closed then, too. If it fails, the trace
 * cannot be read any further, unless the rest may be left out: options->partial.
 */
enum gtrace_status decompress_open(const struct decompressor *by,
				   const struct child *child, FILE *said,
				   const char *path,
				   const struct gtrace_options *options,
				   struct gtrace **trace,
				   struct gtrace_error *error);

/* Why what is in the file PATH, the same pointer, could not be decompressed.
 * NULL: it could be. */
const struct gtrace_error *decompress_fault(const char *path);

#endif /* GTRACE_TOOLS_DECOMPRESS_H_ */
