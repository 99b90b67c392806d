/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - from ticks to nanoseconds, as Go's reader computes them. */
#ifndef GTRACE_V2_CLOCK_H_
#define GTRACE_V2_CLOCK_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

/* Nanoseconds a tick of a clock of FREQUENCY ticks a second, 0 included. */
static inline double clock_rate(uint64_t frequency)
{
	return 1.0 / ((double)frequency / 1e9);
}

/*
 * TICKS in nanoseconds, without the fraction. What does not fit, and what is
 * not a number, is the least number, as on amd64.
 */
static inline int64_t ticks_to_ns(uint64_t ticks, double ns_per_tick)
{
	double ns;

	/* The conversion of a signed number is the faster one. */
	if (LIKELY(ticks <= INT64_MAX))
		ns = (double)(int64_t)ticks * ns_per_tick;
	else
		ns = (double)ticks * ns_per_tick;
	return LIKELY(ns < 0x1p63) ? (int64_t)ns : INT64_MIN;
}

/* Whether easy_ns() may be used: if a second has at least one tick. */
static inline bool rate_is_easy(double ns_per_tick)
{
	return ns_per_tick <= 1e9;
}

#define EASY_TICKS_MAX 0x3fff

/* ticks_to_ns() for so many ticks at most at an easy rate. */
static inline int64_t easy_ns(uint64_t ticks, double ns_per_tick)
{
	return (int64_t)((double)(int64_t)ticks * ns_per_tick);
}

/*
 * A table by the first byte of a number of ticks has this in place of the
 * nanoseconds if there are more bytes. At an easy rate all others are positive
 * or 0.
 */
#define LONG_TICKS  (-1)
#define FIRST_BYTES 256

#endif /* GTRACE_V2_CLOCK_H_ */
