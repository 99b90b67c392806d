/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch.h - files without a name, which are gone when they are closed. */
#ifndef GTRACE_TOOLS_SCRATCH_H_
#define GTRACE_TOOLS_SCRATCH_H_

#include <stdio.h>

#include "base/platform.h"

/* Returns NULL if there can be no such file. */
static inline FILE *scratch_file(void)
{
#if HAS_TEMPORARY_FILES
	return tmpfile();
#else
	return NULL;
#endif
}

#endif /* GTRACE_TOOLS_SCRATCH_H_ */
