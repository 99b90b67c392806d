/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - how a file begins, and what it is if it is not a trace. */
#ifndef GTRACE_TOOLS_START_H_
#define GTRACE_TOOLS_START_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gtrace/gtrace.h>

/* Of the header that a trace begins with. */
#define HEADER_SIZE 16

/* Paths can be "-", for standard input. */
static inline bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/*
 * The size of the trace in the file PATH; 0: it is no regular file, it is
 * compressed, or there is none.
 */
uint64_t start_file_size(const char *path);

/* Opens the trace in the file PATH, which gzip or zstd may have compressed. */
enum gtrace_status start_open(const char *path,
			      const struct gtrace_options *options,
			      struct gtrace **trace,
			      struct gtrace_error *error);

/* Whether the file PATH, which is not standard input, begins as a program. */
bool start_is_program(const char *path);

/*
 * Returns whether an HTML page may be written to the file PATH: there is none,
 * or it is empty or an HTML page. Any other file, such as the trace, is easily
 * given in place of the page's name, and would be lost.
 */
bool start_may_be_replaced(const char *path);

/*
 * Whether the SIZE bytes at BYTES, with which a file begins, can be those of a
 * trace that start_open() opens. No bytes can.
 */
bool start_may_be_trace(const char *bytes, size_t size);

/* Whether the file PATH begins as a trace of Go 1.22 or later. */
bool start_has_generations(const char *path);

/* Whether the file PATH begins as a trace. */
bool start_is_trace(const char *path);

/*
 * Prints a line about the file PATH, which is not a trace: what it is, and how
 * to get a trace from it. Prints nothing if that is not known. Standard input
 * has been opened with start_open().
 */
void start_explain(FILE *to, const char *path);

#endif /* GTRACE_TOOLS_START_H_ */
