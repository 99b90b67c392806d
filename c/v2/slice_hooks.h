/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice_hooks.h - how the steps of events report slices and links.
 *
 * A slice runs while a thread keeps the same processor and goroutine, and the
 * goroutine runs or is in the same system call.
 */
#ifndef GTRACE_V2_SLICE_HOOKS_H_
#define GTRACE_V2_SLICE_HOOKS_H_

#include "v2/hooks.h"

static inline bool has_slice(const struct thread *thread)
{
	return thread->slice.start.ordinal != 0;
}

/* The walk back from the event that ends the slice of THREAD. */
static inline struct origin slice_origin(const struct thread *thread)
{
	const struct event_ref *start = &thread->slice.start;

	return origin_over(start->origin, start->type, start->stack,
			   thread->start_framed);
}

/* observe_start() for EVENT, which ORIGIN leads to, and a slice of THREAD. */
static ALWAYS_INLINE void
start_slice(struct states *states, struct thread *thread,
	    struct stop_processor *at, const struct event *event, bool framed,
	    struct origin origin, const enum pass_kind kind)
{
	if (kind == PASS_CAREFUL && states->withheld)
		return;
	if (kind == PASS_FOR_SLICES || kind == PASS_FOR_WAITS)
		ASSUME(states->slices != NULL);
	observe_start(states->slices, &thread->slice, at, thread->g, event,
		      origin, states->written);
	thread->start_framed = framed;
	thread->slice_p = thread->p;
	thread->slice_g = thread->g;
}

/*
 * A goroutine that was there before the trace, and had no stack then, began in
 * the outermost function of the first stack of its own: that of the next EVENT
 * of THREAD. A status shows another goroutine. A CPU sample, which no thread
 * writes, can be one of the stack that the runtime runs on. Passes that need no
 * first stacks do nothing, see observe_needs_first().
 */
static ALWAYS_INLINE void learn_first_stack(const struct states *states,
					    const struct thread *thread,
					    const struct event *event,
					    const enum pass_kind kind)
{
	struct goroutine *goroutine = thread->goroutine;

	if (kind == PASS_FOR_SLICES ||
	    (is_lean(kind) && LIKELY(!states->learns)) || event->stack == 0 ||
	    event->type == EV_GO_STATUS_STACK ||
	    (kind == PASS_CAREFUL && states->withheld))
		return;
	if (UNLIKELY(goroutine->first_stack == 0) &&
	    goroutine->id != NO_GOROUTINE) {
		goroutine->first_stack = event->stack;
		know_root(states, goroutine, kind);
	}
}

/* The owner of the slice of THREAD. */
struct slice_owner gti_v2_slice_owner(const struct states *states,
				      struct thread *thread);

/*
 * observe_known() for the slice of THREAD. Returns false if no profile, or one
 * with a filter, is wanted.
 */
bool gti_v2_observe_known(const struct states *states,
			  const struct thread *thread, int64_t end_ticks,
			  uint64_t stack);

/*
 * EVENT has ended the slice of THREAD, which may be among the longest, or is
 * for a profile, and gti_v2_observe_known() has returned false. FRAMED and LOST
 * are as for end_slice().
 */
bool gti_v2_observe_slice(struct states *states, struct thread *thread,
			  const struct event *event, bool framed, bool lost);

/* Whether nothing is to be done with RUNNING, which EVENT ends. */
static ALWAYS_INLINE bool refused(const struct states *states,
				  const struct running_slice *running,
				  const struct event *event,
				  const enum pass_kind kind)
{
	if (kind != PASS_FOR_SLICES && UNLIKELY(states->takes_all))
		return false;
	if (kind != PASS_FOR_SLICES && kind != PASS_FOR_WAITS &&
	    UNLIKELY(states->slices == NULL))
		return states->observer->each_slice == NULL;
	return observe_too_short(states->slices, running, event->ticks);
}

/*
 * EVENT has ended the slice of THREAD, which is not refused(). Returns false as
 * end_slice() does.
 */
static ALWAYS_INLINE bool observe_ended(struct states *states,
					struct thread *thread,
					const struct event *event, bool framed,
					const bool lost,
					const enum pass_kind kind)
{
	struct event copy;

	if ((framed || !lost) &&
	    gti_v2_observe_known(states, thread, event->ticks,
				 framed ? event->stack : 0))
		return true;
	/* So that EVENT itself can be in registers. */
	copy = *event;
	if (is_lean(kind))
		set_ids(&copy, thread);
	return gti_v2_observe_slice(states, thread, &copy, framed, lost);
}

/*
 * The slice of THREAD, which EVENT ended, matters to the analysis of waits.
 * ORIGIN leads to EVENT.
 */
void gti_v2_observe_waited(struct states *states, struct thread *thread,
			   const struct event *event, struct origin origin);

/* The time in system calls of the slice of THREAD, which ended at TICKS. */
int64_t gti_v2_calls(const struct states *states, struct thread *thread,
		     int64_t ticks);

/*
 * The walk back from an event that ends the slice of THREAD and is not of its
 * goroutine. The system call that the goroutine is in says more than its start.
 */
struct origin gti_v2_origin_of_loss(const struct states *states,
				    const struct thread *thread);

/* The walk back from an event that ends the slice of THREAD, see end_slice().
 */
static ALWAYS_INLINE struct origin end_origin(const struct states *states,
					      const struct thread *thread,
					      bool framed, const bool lost)
{
	if (framed)
		return origin_none;
	return lost ? gti_v2_origin_of_loss(states, thread)
		    : slice_origin(thread);
}

/*
 * observe_leave() for EVENT and the slice of THREAD. FRAMED says whether the
 * stack of EVENT has frames, and the constant LOST whether EVENT is not of the
 * goroutine of the slice. In a lean pass its ids are those of THREAD. Returns
 * false if there is no memory, or if the observer ends the pass.
 */
static ALWAYS_INLINE bool end_slice(struct states *states,
				    struct thread *thread,
				    struct stop_processor *at,
				    const struct event *event, bool framed,
				    const bool lost, const enum pass_kind kind)
{
	struct waits *waits = waits_of(states, kind);
	struct ended_slice *easy;

	if (kind == PASS_CAREFUL && states->withheld)
		return true;
	if (is_lean(kind))
		ASSUME(states->observer->link_count == 0);
	observe_leave(states->observer, &thread->slice, at, event,
		      states->written);
	if (waits != NULL &&
	    waits_slice_ends(waits, &thread->slice_wait, &easy, event->ticks)) {
		struct origin origin = end_origin(states, thread, framed, lost);

		if (LIKELY(easy != NULL)) {
			observe_ended_slice(easy, &thread->slice,
					    thread->slice_p, thread->slice_g,
					    event, origin);
			if (kind == PASS_CAREFUL)
				easy->calls = gti_v2_calls(states, thread,
							   event->ticks);
		} else {
			/* So that EVENT itself can be in registers. */
			struct event copy = *event;

			if (is_lean(kind))
				set_ids(&copy, thread);
			gti_v2_observe_waited(states, thread, &copy, origin);
		}
	}
	if (UNLIKELY(!refused(states, &thread->slice, event, kind)) &&
	    UNLIKELY(!observe_ended(states, thread, event, framed, lost, kind)))
		return false;
	thread->slice.start.ordinal = 0;
	return true;
}

/*
 * The processor or the goroutine of THREAD has changed by EVENT: ends its slice
 * or starts one, if that is what the change means. Returns false as end_slice()
 * does.
 */
bool gti_v2_change_slice(struct states *states, struct thread *thread,
			 const struct event *event);

/* A system call of THREAD begins, or ends, by EVENT. */
static ALWAYS_INLINE void begin_call(const struct states *states,
				     struct thread *thread,
				     const struct event *event,
				     const enum pass_kind kind)
{
	if (kind != PASS_CAREFUL || !states->withheld)
		observe_call(states->observer, &thread->slice,
			     stop_place(states, thread->processor, kind),
			     thread->g, event, states->written);
}

static ALWAYS_INLINE void end_call(const struct states *states,
				   struct thread *thread,
				   const struct event *event,
				   const enum pass_kind kind)
{
	if (kind != PASS_CAREFUL || !states->withheld)
		observe_return(states->observer, &thread->slice,
			       stop_place(states, thread->processor, kind),
			       event);
}

/*
 * EVENT is a CPU sample; observer->inside is set. Returns false if there is no
 * memory.
 */
bool gti_v2_observe_sample(const struct states *states,
			   const struct event *event);

/* ----------------------------------------------------------------- links -- */

/*
 * EVENT, with ORIGIN, becomes the pending event of GOROUTINE. FRAMED says
 * whether its stack has frames.
 */
static ALWAYS_INLINE void set_pending(const struct states *states,
				      struct goroutine *goroutine,
				      const struct event *event,
				      struct origin origin, bool framed,
				      const enum pass_kind kind)
{
	if (kind == PASS_CAREFUL && states->withheld)
		return;
	goroutine->pending.type = event->type;
	goroutine->pending.origin =
		origin_over(origin, event->type, event->stack, framed);
	if (!is_lean(kind)) /* only links need it */
		goroutine->pending.ordinal = event->ordinal;
}

/*
 * EVENT is what the pending event of GOROUTINE links to. Returns the walk back
 * from EVENT. Nothing is pending any more.
 */
static ALWAYS_INLINE struct origin take_pending(struct states *states,
						struct goroutine *goroutine,
						const struct event *event,
						const enum pass_kind kind)
{
	/* No walk if nothing is pending. */
	struct origin origin = goroutine->pending.origin;

	if (!is_lean(kind) && (kind != PASS_CAREFUL || !states->withheld))
		observe_pending_link(states->observer, &goroutine->pending,
				     event);
	goroutine->pending.type = EV_NONE;
	goroutine->pending.origin = origin_none;
	return origin;
}

/* EVENT will link to an event that WAITING is for. */
void gti_v2_link_later(struct states *states, waiting_links *waiting,
		       const struct event *event);

/* All events of WAITING link to the one with the ordinal TO; 0: to none. */
void gti_v2_link_now(struct states *states, waiting_links *waiting,
		     uint64_t to);

#endif /* GTRACE_V2_SLICE_HOOKS_H_ */
