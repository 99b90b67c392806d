/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.h - files without a name, which are gone when they are closed. */
#ifndef GTRACE_TOOLS_SCRATCH_H_
#define GTRACE_TOOLS_SCRATCH_H_

#include <errno.h>
#include <stdio.h>

#include "base/platform.h"

/*
 * Returns NULL if there can be no such file. WASI has none: a host can have a
 * folder for them, which it removes afterwards.
 */
static inline FILE *scratch_file(void)
{
#if HAS_TEMPORARY_FILES
	return tmpfile();
#else
	FILE *file = NULL;
	char name[32];
	unsigned i;

	errno = EEXIST;
	for (i = 0; file == NULL && errno == EEXIST && i < 1000; i++) {
		snprintf(name, sizeof(name), "/.temporary/%u", i);
		file = fopen(name, "w+bx");
	}
	return file;
#endif
}

#endif /* GTRACE_TOOLS_SCRATCH_H_ */
