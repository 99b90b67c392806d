/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trail.h - the way back from an event without a stack to the nearest event
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

struct trail {
	uint64_t stack;  /* of the first event on the way */
	uint64_t packed; /* 0: there is no such event within reach */
};

#define TRAIL_TYPE_BITS   6
#define TRAIL_TYPE_MASK   63
#define TRAIL_COUNT_SHIFT 60

_Static_assert(GTRACE_WALK_MAX *TRAIL_TYPE_BITS <= TRAIL_COUNT_SHIFT,
	       "the types and their number fit into one word");

static const struct trail trail_none = {0, 0};

static inline unsigned trail_count(struct trail trail)
{
	return (unsigned)(trail.packed >> TRAIL_COUNT_SHIFT);
}

/* The way from an event of TYPE that has frames itself, those of STACK. */
static inline struct trail trail_begin(unsigned type, uint64_t stack)
{
	struct trail trail = {stack, (uint64_t)1 << TRAIL_COUNT_SHIFT | type};

	return trail;
}

/* The way on over an event of TYPE that has none. */
static inline struct trail trail_extend(struct trail trail, unsigned type)
{
	unsigned count = trail_count(trail);

	if (count == 0 || count == GTRACE_WALK_MAX)
		return trail_none;
	trail.packed ^= (uint64_t)count << TRAIL_COUNT_SHIFT;
	trail.packed = trail.packed << TRAIL_TYPE_BITS | type;
	trail.packed |= (uint64_t)(count + 1) << TRAIL_COUNT_SHIFT;
	return trail;
}

/* The type of step AT, counted from the event with the frames. */
static inline unsigned trail_type(struct trail trail, unsigned at)
{
	unsigned behind = trail_count(trail) - 1 - at;

	return (unsigned)(trail.packed >> behind * TRAIL_TYPE_BITS) &
	       TRAIL_TYPE_MASK;
}

#endif /* GTRACE_RUN_TRAIL_H_ */
