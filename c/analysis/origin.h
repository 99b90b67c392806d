/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin.h - the way back from an event without a stack to the nearest event
 * with one that led to it.
 *
 * Each event is linked from at most one other that counts, so the way back is
 * known when an event arrives: that of the event that led to it, and one step
 * more. The types on the way are packed into one number, 6 bits each, so that
 * a step costs a shift.
 */
#ifndef GTRACE_RUN_TRAIL_H_
#define GTRACE_RUN_TRAIL_H_

#include <stdint.h>

#include <gtrace/gtrace.h>

struct origin {
	uint64_t stack;  /* of the first event on the way */
	uint64_t packed; /* 0: there is no such event within reach */
};

#define ORIGIN_TYPE_BITS   6
#define ORIGIN_TYPE_MASK   63
#define ORIGIN_COUNT_SHIFT 60

_Static_assert(GTRACE_WALK_MAX *ORIGIN_TYPE_BITS <= ORIGIN_COUNT_SHIFT,
	       "the types and their number fit into one word");

static const struct origin origin_none = {0, 0};

static inline unsigned origin_count(struct origin origin)
{
	return (unsigned)(origin.packed >> ORIGIN_COUNT_SHIFT);
}

/* The way from an event of TYPE that has frames itself, those of STACK. */
static inline struct origin origin_begin(unsigned type, uint64_t stack)
{
	struct origin origin = {stack,
				(uint64_t)1 << ORIGIN_COUNT_SHIFT | type};

	return origin;
}

/* The way on over an event of TYPE that has none. */
static inline struct origin origin_extend(struct origin origin, unsigned type)
{
	unsigned count = origin_count(origin);

	if (count == 0 || count == GTRACE_WALK_MAX)
		return origin_none;
	origin.packed ^= (uint64_t)count << ORIGIN_COUNT_SHIFT;
	origin.packed = origin.packed << ORIGIN_TYPE_BITS | type;
	origin.packed |= (uint64_t)(count + 1) << ORIGIN_COUNT_SHIFT;
	return origin;
}

/* The type of step AT, counted from the event with the frames. */
static inline unsigned origin_type(struct origin origin, unsigned at)
{
	unsigned behind = origin_count(origin) - 1 - at;

	return (unsigned)(origin.packed >> behind * ORIGIN_TYPE_BITS) &
	       ORIGIN_TYPE_MASK;
}

#endif /* GTRACE_RUN_TRAIL_H_ */
