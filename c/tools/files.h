/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the names of the traces to read. */
#ifndef GTRACE_TOOLS_FILES_H_
#define GTRACE_TOOLS_FILES_H_

#include "tools/settings.h"

/* The result of files_collect() if there is no memory. */
extern const char files_no_memory[];

/*
 * Sets settings->files to the COUNT names at ARGUMENTS and those in
 * settings->files_from. Returns NULL, or what is wrong with the latter.
 */
const char *files_collect(struct settings *settings, int count,
			  char **arguments);

#endif /* GTRACE_TOOLS_FILES_H_ */
