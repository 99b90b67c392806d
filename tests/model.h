/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - what property tests share: random numbers that are the same in
 * each run, and how many rounds to make.
 */
#ifndef GTRACE_TESTS_MODEL_H_
#define GTRACE_TESTS_MODEL_H_

#include <stdint.h>
#include <stdlib.h>

/* Whether this is a long run of a test, for which GTRACE_LONG is set. */
static inline int is_long(void)
{
	return getenv("GTRACE_LONG") != NULL;
}

/*
 * Whether this run leaves out what takes most of the time: it is not a long
 * one. Under sanitizers, with which most is too slow for a long run, run.sh -all
 * sets a variable of its own.
 */
static inline int is_short(void)
{
#ifdef SANITIZED
	return getenv("GTRACE_LONGER") == NULL;
#else
	return !is_long();
#endif
}

/*
 * How many of COUNT rounds a test makes: all in a long run, or a quarter under
 * sanitizers, and otherwise an eighth.
 */
static inline unsigned rounds(unsigned count)
{
#ifdef SANITIZED
	return is_short() ? count / 8 : count / 4;
#else
	return is_short() ? count / 8 : count;
#endif
}

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
