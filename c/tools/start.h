/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - how a file begins, and what it is if it is not a trace. */
#ifndef GTRACE_TOOLS_START_H_
#define GTRACE_TOOLS_START_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gtrace/gtrace.h>

/* Of the header that a trace begins with. */
#define HEADER_SIZE 16

/* A tar archive is known by its byte 257. */
#define START_SIZE 512

enum start_kind {
	START_UNKNOWN, /* it cannot be read twice, or not at all */
	START_FILE,
	START_PIPE,
	START_DIRECTORY,
};

/* The first bytes of a file. */
struct start {
	enum start_kind kind;
	size_t size;
	char bytes[START_SIZE];
};

/* Paths can be "-", for standard input. */
static inline bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* The size of the file PATH; 0: it is no regular file, or there is none. */
uint64_t start_file_size(const char *path);

/* Opens the trace in the file PATH. */
enum gtrace_status start_open(const char *path,
			      const struct gtrace_options *options,
			      struct gtrace **trace,
			      struct gtrace_error *error);

/*
 * Reads START from the file PATH. What is read from standard input is still
 * there for the next reader. Other pipes are not read.
 */
void start_read(struct start *start, const char *path);

/* Whether the file PATH, which is not standard input, begins as a program. */
bool start_is_program(const char *path);

/*
 * Prints a line about the file PATH, which is not a trace: what it is, and how
 * to get a trace from it. Prints nothing if that is not known. START is that of
 * standard input.
 */
void start_explain(FILE *to, const char *path, const struct start *start);

#endif /* GTRACE_TOOLS_START_H_ */
