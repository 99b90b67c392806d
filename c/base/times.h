/* SPDX-License-Identifier: BSD-3-Clause */
/* times.h - sums of times, which wrap around in traces that were made up. */
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

/* ns_between(); 0 if that is not longer, or too long for a length. */
static inline int64_t length_between(int64_t from, int64_t to)
{
	int64_t length = ns_between(from, to);

	return to > from && length > 0 ? length : 0;
}

#endif /* GTRACE_BASE_TIMES_H_ */
