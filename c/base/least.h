/* SPDX-License-Identifier: BSD-3-Clause */
/* least.h - the less and the greater of two times or sizes, and sums. */
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

/* The sum of two lengths of time, the first of which fits, as far as it fits.
 */
static inline int64_t add_lengths(int64_t sum, uint64_t length)
{
	uint64_t left = (uint64_t)INT64_MAX - (uint64_t)sum;

	return length > left ? INT64_MAX : sum + (int64_t)length;
}

/*
 * PART of WHOLE, which is not 0, in units of 1 / UNIT, rounded down; of a WHOLE
 * of years about that.
 */
static inline uint64_t share_of_whole(uint64_t part, uint64_t whole,
				      uint64_t unit)
{
	if (whole > UINT64_MAX / unit)
		return part / (whole / unit);
	return part / whole * unit + part % whole * unit / whole;
}

#endif /* GTRACE_BASE_LEAST_H_ */
