/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the names of the traces to read. */
#ifndef GTRACE_TOOLS_FILES_H_
#define GTRACE_TOOLS_FILES_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/settings.h"

/* The result of files_collect() if there is no memory. */
extern const char files_no_memory[];

/*
 * Sets settings->files to the COUNT names at ARGUMENTS and those in
 * settings->files_from. Returns NULL, or what is wrong with the latter.
 */
const char *files_collect(struct settings *settings, int count,
			  char **arguments);

/*
 * Copies the first bytes of FILE to START, which holds SIZE, if it is a
 * regular file: what is read from others cannot be read again. Returns how
 * many.
 */
size_t files_peek(const char *file, char *start, size_t size);

/* Returns whether FILE begins as an executable file does. */
bool files_is_executable(const char *file);

#endif /* GTRACE_TOOLS_FILES_H_ */
