/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - times without an event, in a pass over a trace: in one they are
 * in its stream, see evidence.h, and what is found there is used in others.
 */
#ifndef GTRACE_ANALYSIS_MACHINE_H_
#define GTRACE_ANALYSIS_MACHINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "model/event.h"

/* Sums of hostile times wrap around. */
static inline int64_t time_sum(int64_t time, uint64_t more)
{
	return (int64_t)((uint64_t)time + more);
}

struct evidence;

struct machine {
	const struct clock *clock;
	bool hears; /* silence means something in traces of this version */
	/* No event for longer may be a silence; UINT64_MAX: it hears nothing */
	uint64_t silence_ticks;
	uint64_t steps_left; /* see gti_machine_spend() */
	bool collects; /* silences are in the stream */
	const struct evidence *known; /* what a pass that does not uses */
};

/*
 * A walk over all threads takes a step for each. In a hostile trace there could
 * be many: slices have no silences after so many steps.
 */
#define MACHINE_STEPS ((uint64_t)1 << 28)

/* Begins a pass with CLOCK. What it is for stays as it is. */
void gti_machine_begin(struct machine *machine, const struct clock *clock);

/* Whether no event from one time to another, in ticks, may be a silence. */
static inline bool machine_listens(const struct machine *machine, int64_t from,
				   int64_t to)
{
	return to > from &&
	       (uint64_t)to - (uint64_t)from > machine->silence_ticks;
}

/* Whether the analysis may walk over COUNT threads. */
bool gti_machine_spend(struct machine *machine, uint64_t count);

#endif /* GTRACE_ANALYSIS_MACHINE_H_ */
