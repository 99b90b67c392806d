/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holders.h - what the stop-the-world pauses waited for, added up. The time
 * that the goroutine of the last processor had it counts for its stack, the
 * rest for no goroutine, and the stop for the larger of both. By phase, the
 * times for which the world stood still and restarted count for the stack that
 * requested the stop.
 */
#ifndef GTRACE_ANALYSIS_HOLDERS_H_
#define GTRACE_ANALYSIS_HOLDERS_H_

#include <stdbool.h>

#include "analysis/profile.h"
#include "analysis/stops.h"

/* No processor was late. */
#define HOLDER_NONE (GTRACE_LATE_SCHEDULER + 1)

/* Kinds of stacks that requested stops, by phase. */
#define HOLDER_STOPPED    (HOLDER_NONE + 1)
#define HOLDER_RESTARTING (HOLDER_NONE + 2)

struct holders {
	/*
	 * Of any goroutine: how many stops, and how long they waited. The kind
	 * of a stack, which is 0 if there is none, is one of enum
	 * gtrace_late_how or of those above.
	 */
	struct profile sums;
	bool by_phase;
	/*
	 * The stop with the greatest stop_length(), without its arrays; number
	 * 0: there is none.
	 */
	struct stop longest;
};

/* Forgets all stops, to begin the pass again. */
void gti_holders_restart(struct holders *holders);

/* Adds STOP, which is measured. */
void gti_holders_add(struct holders *holders, const struct stop *stop);

#endif /* GTRACE_ANALYSIS_HOLDERS_H_ */
