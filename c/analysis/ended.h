/* SPDX-License-Identifier: BSD-3-Clause */
/* ended.h - what a format does with a slice that has ended. */
#ifndef GTRACE_ANALYSIS_ENDED_H_
#define GTRACE_ANALYSIS_ENDED_H_

#include "analysis/observe.h"
#include "base/times.h"

/* Whether there was a silence in RUNNING. */
static ALWAYS_INLINE bool
observe_was_silent(const struct running_slice *running)
{
	return running->inside_of == running->start.ordinal &&
	       running->inside.silent != 0;
}

/* Whether RUNNING, up to END_TICKS, is certainly not among the longest. */
static ALWAYS_INLINE bool observe_too_short(const struct slices *slices,
					    const struct running_slice *running,
					    int64_t end_ticks)
{
	return slices_refuse(slices, running->serial,
			     (uint64_t)end_ticks -
				     (uint64_t)running->start.ticks,
			     end_ticks);
}

/*
 * Fills in ENDED with the slice RUNNING, which is not in a system call. STACKS
 * are those of its goroutine.
 */
static ALWAYS_INLINE void
observe_ended_slice(struct ended_slice *ended,
		    const struct running_slice *running, int64_t p, uint64_t g,
		    const struct event *event, struct origin origin,
		    struct own_stacks stacks)
{
	ended->serial = running->serial;
	ended->p = p;
	ended->g = g;
	ended->start = running->start.ticks;
	ended->end = event->ticks;
	ended->calls = 0;
	if (UNLIKELY(running->inside_of == running->start.ordinal))
		ended->calls = running->inside.call_ticks;
	ended->offset = event->offset;
	ended->stack = event->stack;
	ended->origin = origin;
	ended->stacks = stacks;
	ended->type = event->type;
}

/*
 * The time up to END_TICKS that RUNNING, which RECORD of the format has, spent
 * in system calls.
 */
int64_t gti_observe_calls(const struct observer *observer,
			  struct running_slice *running, void *record,
			  int64_t end_ticks);

/* How long RUNNING has been running at END_TICKS, in nanoseconds. */
static ALWAYS_INLINE int64_t observe_length(const struct observer *observer,
					    const struct running_slice *running,
					    int64_t end_ticks)
{
	const struct clock *clock = &observer->clock;
	int64_t start = running->start.ticks;

	if (clock->ns_per_tick == 0) /* they are nanoseconds */
		return ns_between(start, end_ticks);
	return ns_between(clock_ns(clock, start), clock_ns(clock, end_ticks));
}

/*
 * EVENT with ORIGIN, none if EVENT has frames, has ended RUNNING, which RECORD
 * has and which may be wanted. Returns false if there is no memory, or if the
 * pass is to end; then observer->ended is set.
 */
bool gti_observe_ended(struct observer *observer, struct running_slice *running,
		       void *record, const struct event *event,
		       struct origin origin);

/* The rest of waits_slice_ends() for that slice. */
void gti_observe_waited(struct observer *observer,
			struct running_slice *running, void *record,
			const struct event *event, struct origin origin);

/*
 * Takes RUNNING, if it is a slice, which still runs at the end of the trace,
 * LAST_TICKS. Returns false as gti_observe_ended() does.
 */
bool gti_observe_still_running(struct observer *observer,
			       struct running_slice *running, void *record,
			       int64_t last_ticks);

#endif /* GTRACE_ANALYSIS_ENDED_H_ */
