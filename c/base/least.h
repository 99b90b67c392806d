/* SPDX-License-Identifier: BSD-3-Clause */
/* least.h - the less and the greater of two times or sizes. */
#ifndef GTRACE_BASE_LEAST_H_
#define GTRACE_BASE_LEAST_H_

#include <stdint.h>

static inline int64_t least_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t greatest_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif /* GTRACE_BASE_LEAST_H_ */
