/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks.h - where the frequency of a trace's clock changes.
 *
 * From Go 1.22 on each generation has the frequency of its ticks, which count
 * since the machine was started. Where it is measured anew, as on Windows, the
 * time of a tick changes: between the last event of one generation and the Sync
 * of the next one, times jump. How long that took is not known, so what goes on
 * meanwhile is marked, and left out of sums.
 */
#ifndef GTRACE_ANALYSIS_CLOCKS_H_
#define GTRACE_ANALYSIS_CLOCKS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

/* Times of events are in ticks. */
struct clock_changes {
	uint64_t count;
	int64_t last; /* time of the Sync after the last one; INT64_MIN: none */
	int64_t jump; /* the greatest, in nanoseconds; below 0: backwards */
	/* By how many nanoseconds times were moved forwards, in sum. */
	uint64_t gap;
};

static inline void clock_changes_begin(struct clock_changes *changes)
{
	*changes = (struct clock_changes){.last = INT64_MIN};
}

/* Whether what began at TICKS, and goes on, does so across a change. */
static ALWAYS_INLINE bool clock_changed(const struct clock_changes *changes,
					int64_t ticks)
{
	return UNLIKELY(ticks < changes->last);
}

/*
 * The times of a clock, in nanoseconds, jump by JUMP between the events at
 * BEFORE and AT.
 */
static inline void clock_change(struct clock_changes *changes, int64_t before,
				int64_t at, int64_t jump)
{
	uint64_t passed = (uint64_t)at - (uint64_t)before;
	uint64_t size = jump < 0 ? -(uint64_t)jump : (uint64_t)jump;
	uint64_t most = changes->jump < 0 ? -(uint64_t)changes->jump
					  : (uint64_t)changes->jump;

	changes->count++;
	changes->last = at;
	if (size > most)
		changes->jump = jump;
	if (jump > 0)
		changes->gap += size < passed ? size : passed;
}

#endif /* GTRACE_ANALYSIS_CLOCKS_H_ */
