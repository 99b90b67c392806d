/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * origin.h - the walk back from an event without frames to the nearest event
 * with frames that led to it.
 *
 * A report walks back from an event to the last event that links to it, and
 * from that one on in the same way, for at most GTRACE_WALK_MAX steps. To make
 * the walk when it is asked for, all links would have to be kept. Instead the
 * result is computed as events come: an event that can link to a later one
 * carries the origin of that later event, which is the walk back from it. The
 * types on the walk are packed into one word, 6 bits each, so that one more
 * step is a shift.
 */
#ifndef GTRACE_ANALYSIS_ORIGIN_H_
#define GTRACE_ANALYSIS_ORIGIN_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "model/event.h"

struct origin {
	uint64_t stack; /* handle; of the event with frames */
	/*
	 * The types, that of the event with frames in the highest bits; above
	 * them their number. 0: no event with frames is within reach.
	 */
	uint64_t packed;
};

#define ORIGIN_TYPE_BITS   6
#define ORIGIN_TYPE_MASK   (EVENT_TYPES - 1)
#define ORIGIN_COUNT_SHIFT 60

_Static_assert(EVENT_TYPES == 1 << ORIGIN_TYPE_BITS, "a type fits its bits");
_Static_assert(GTRACE_WALK_MAX *ORIGIN_TYPE_BITS <= ORIGIN_COUNT_SHIFT,
	       "the types and their number fit into one word");

static const struct origin origin_none = {0, 0};

/* Returns the number of events on the walk. */
static inline unsigned origin_count(struct origin origin)
{
	return (unsigned)(origin.packed >> ORIGIN_COUNT_SHIFT);
}

/* Returns the walk back to an event of TYPE whose STACK has frames. */
static inline struct origin origin_begin(unsigned type, uint64_t stack)
{
	struct origin origin = {stack,
				(uint64_t)1 << ORIGIN_COUNT_SHIFT | type};

	return origin;
}

/* Returns the walk back to an event of TYPE without frames, then ORIGIN. */
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

/*
 * Returns the walk back to an event of TYPE with STACK. It ends there if that
 * stack has frames, as FRAMED tells, and otherwise continues with ORIGIN.
 */
static inline struct origin origin_over(struct origin origin, unsigned type,
					uint64_t stack, bool framed)
{
	return framed ? origin_begin(type, stack) : origin_extend(origin, type);
}

/* Returns the type of event AT of the walk; 0 is the event with frames. */
static inline unsigned origin_type(struct origin origin, unsigned at)
{
	unsigned after = origin_count(origin) - 1 - at;

	return (unsigned)(origin.packed >> after * ORIGIN_TYPE_BITS) &
	       ORIGIN_TYPE_MASK;
}

#endif /* GTRACE_ANALYSIS_ORIGIN_H_ */
