/* SPDX-License-Identifier: BSD-3-Clause */
/* processors.c - how many processors the system has. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "base/processors.h"

#include <unistd.h>

#include "base/platform.h"

long gti_processors_online(void)
{
	long count = HAS_THREADS ? sysconf(_SC_NPROCESSORS_ONLN) : 1;

	return count > 0 ? count : 1;
}
