/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - what property tests share: random numbers that are the same in
 * each run.
 */
#ifndef GTRACE_TESTS_MODEL_H_
#define GTRACE_TESTS_MODEL_H_

#include <stdint.h>

/* The next of a sequence that STATE, not 0, determines (xorshift64*). */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1du;
}

/* A random number below LIMIT. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return (random_next(state) >> 11) % limit;
}

#endif /* GTRACE_TESTS_MODEL_H_ */
