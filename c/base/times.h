/* SPDX-License-Identifier: BSD-3-Clause */
/* times.h - sums of times. Those of a trace that was made up may wrap around. */
#ifndef GTRACE_BASE_TIMES_H_
#define GTRACE_BASE_TIMES_H_

#include <stdint.h>

static inline int64_t add_ns(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t ns_between(int64_t from, int64_t to)
{
	return (int64_t)((uint64_t)to - (uint64_t)from);
}

#endif /* GTRACE_BASE_TIMES_H_ */
