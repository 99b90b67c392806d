/* SPDX-License-Identifier: BSD-3-Clause */
/* ended.h - what a format does with a slice that has ended. */
#ifndef GTRACE_ANALYSIS_ENDED_H_
#define GTRACE_ANALYSIS_ENDED_H_

#include "analysis/observe.h"

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
 * EVENT with ORIGIN has ended RUNNING, which may be wanted. ORIGIN is none if
 * EVENT has frames. The first function adds the slice, of goroutine G, to the
 * profile, sets *NEAR, see profile_add_known(), and returns whether nothing is
 * left to be done. Otherwise the second one keeps the slice, which
 * oldest_slice() no longer considers. It returns false if there is no memory,
 * or if the pass is to end; then observer->ended is set.
 */
bool gti_observe_profile(struct observer *observer,
			 const struct running_slice *running, uint64_t g,
			 const struct event *event, struct origin origin,
			 uint32_t *near);
bool gti_observe_kept(struct observer *observer, struct running_slice *running,
		      struct slice_owner owner, const struct event *event,
		      struct origin origin);

/* Fills in ENDED with the slice RUNNING, which is not in a system call. */
static ALWAYS_INLINE void
observe_ended_slice(struct ended_slice *ended,
		    const struct running_slice *running, int64_t p, uint64_t g,
		    const struct event *event, struct origin origin)
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
	ended->type = event->type;
}

/* The time that RUNNING, now IN_CALL or not, spent in system calls. */
int64_t gti_observe_calls(const struct observer *observer,
			  struct running_slice *running, bool in_call,
			  int64_t end_ticks);

/* How long RUNNING has been running at END_TICKS, in nanoseconds. */
static ALWAYS_INLINE int64_t observe_length(const struct observer *observer,
					    const struct running_slice *running,
					    int64_t end_ticks)
{
	const struct clock *clock = &observer->clock;
	int64_t start = running->start.ticks;

	if (clock->ns_per_tick == 0) /* they are nanoseconds */
		return (int64_t)((uint64_t)end_ticks - (uint64_t)start);
	return (int64_t)((uint64_t)clock_ns(clock, end_ticks) -
			 (uint64_t)clock_ns(clock, start));
}

/* Whether RUNNING need not be kept, once PROFILE or another one has it. */
static ALWAYS_INLINE bool observe_done(const struct slices *slices,
				       const struct running_slice *running,
				       int64_t end_ticks)
{
	return slices == NULL || observe_too_short(slices, running, end_ticks);
}

/*
 * The most frequent case, to be tried before those two functions if there is a
 * PROFILE and no filter: adds a slice of G and LENGTH to PROFILE if nothing
 * else is to be done with it, as observe_done() says of SLICES. STACK, a
 * handle, is that of the event that ended the slice, at END_TICKS, or of the
 * one that its origin leads to; 0: that of the start counts. In all other cases
 * returns false.
 */
static ALWAYS_INLINE bool
observe_known(struct profile *profile, const struct slices *slices,
	      const struct running_slice *running, uint64_t g,
	      int64_t end_ticks, int64_t length, uint64_t stack, uint32_t *near)
{
	if (UNLIKELY(observe_is_labelled(running)) ||
	    UNLIKELY(observe_was_silent(running)) ||
	    UNLIKELY(!observe_done(slices, running, end_ticks)))
		return false;
	if (UNLIKELY(stack == 0))
		stack = running->start.stack != 0 ? running->start.stack
						  : running->start.origin.stack;
	return profile_add_known(profile, g, stack, length, near);
}

/*
 * The rest of waits_slice_ends() for the slice RUNNING of OWNER, which EVENT
 * ended. ORIGIN is as for gti_observe_profile().
 */
void gti_observe_waited(struct observer *observer,
			struct running_slice *running, struct slice_owner owner,
			const struct event *event, struct origin origin);

/*
 * Takes the slice RUNNING of OWNER, which still runs at the end of the trace,
 * LAST_TICKS. Returns false as gti_observe_kept() does.
 */
bool gti_observe_still_running(struct observer *observer,
			       struct running_slice *running,
			       struct slice_owner owner, int64_t last_ticks);

#endif /* GTRACE_ANALYSIS_ENDED_H_ */
