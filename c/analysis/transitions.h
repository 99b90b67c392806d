/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transitions.h - the transitions of goroutines and processors, as the steps of
 * both formats report them.
 *
 * The step of an event calls one of these hooks for each transition that the
 * event makes, and the hook hands it to the analyses that are wanted. The kind
 * of the pass is a constant, so that a pass has no code for analyses that it is
 * not for.
 */
#ifndef GTRACE_ANALYSIS_TRANSITIONS_H_
#define GTRACE_ANALYSIS_TRANSITIONS_H_

#include "analysis/step.h"

/* ------------------------------------------------------------------ links --
 */

/*
 * EVENT, with ORIGIN, will link to the next event of some kind of WHO. FRAMED
 * says whether its stack has frames.
 */
static ALWAYS_INLINE void observe_pending(struct step step,
					  struct origin origin, bool framed)
{
	struct pending *pending = step.who.pending;

	if (is_withheld(step.to, step.kind))
		return;
	pending->type = step.event->type;
	pending->origin = origin_over(origin, step.event->type,
				      step.event->stack, framed);
	if (pass_has_links(step.kind))
		pending->ordinal = step.event->ordinal;
}

/*
 * EVENT is what the pending event of WHO links to. Returns the walk back from
 * EVENT. Nothing is pending any more.
 */
static ALWAYS_INLINE struct origin observe_pended(struct step step)
{
	struct pending *pending = step.who.pending;
	/* No walk if nothing is pending. */
	struct origin origin = pending->origin;

	if (pass_has_links(step.kind) && pending->type != 0 &&
	    !is_withheld(step.to, step.kind))
		observe_link(step.to->observer, pending->ordinal,
			     step.event->ordinal);
	pending->type = 0;
	pending->origin = origin_none;
	return origin;
}

/* ------------------------------------------------------------------ waits --
 */

/*
 * EVENT, which counts as one of TYPE and which ORIGIN leads to, makes WHO
 * ready. Returns whether WHO begins to wait by that.
 */
static ALWAYS_INLINE bool observe_ready(struct step step, uint32_t type,
					struct origin origin)
{
	struct waits *waits = pass_waits(step.to, step.kind);

	if (waits == NULL || UNLIKELY(waits_is_waiting(step.who.waiter)) ||
	    (step.kind == PASS_CAREFUL && waits->over))
		return false;
	waits_begin(waits, step.who.waiter, *step.who.g, type, step.now);
	event_ref_set(&step.who.waiter->ready, step.event, origin);
	return true;
}

/* A processor is held from NOW on, or not any more. */
static ALWAYS_INLINE void observe_held(const struct analyses *to, bool held,
				       int64_t now, const enum pass_kind kind)
{
	struct waits *waits = pass_waits(to, kind);

	if (waits != NULL)
		gti_waits_hold(waits, held, now);
}

/* ----------------------------------------------------------------- slices --
 */

/* EVENT, which ORIGIN leads to, starts a slice of WHO. */
static ALWAYS_INLINE void observe_start(struct step step, struct origin origin)
{
	if (is_withheld(step.to, step.kind))
		return;
	if (step.kind == PASS_FOR_SLICES)
		ASSUME(step.to->slices != NULL);
	event_ref_set(&step.who.slice->start, step.event, origin);
	if (step.to->slices != NULL)
		step.who.slice->serial = slices_begin(step.to->slices);
}

/*
 * Sets COPY to EVENT, which ends the slice of WHO. So EVENT itself can be in
 * registers.
 */
static ALWAYS_INLINE void copy_end(struct step step, struct event *copy)
{
	*copy = *step.event;
	if (pass_has_links(step.kind) || step.who.ids == NULL)
		return;
	copy->m = step.who.ids->m;
	copy->p = step.who.ids->p;
	copy->g = step.who.ids->g;
}

/* The rest of observe_end(), for the waits that the slice kept. */
static ALWAYS_INLINE void
observe_end_waited(struct step step, struct waits *waits, struct origin origin)
{
	struct ended_slice *easy;
	struct event copy;

	if (!waits_slice_ends(waits, &step.who.slice->wait, &easy,
			      step.now))
		return;
	if (LIKELY(easy != NULL)) {
		observe_ended_slice(easy, step.who.slice, *step.who.p,
				    *step.who.g, step.event, origin,
				    *step.who.stacks);
		if (step.kind == PASS_CAREFUL)
			easy->calls = gti_observe_calls(
				step.to->observer, step.who.slice,
				step.who.record, step.event->ticks);
		return;
	}
	copy_end(step, &copy);
	gti_observe_waited(step.to->observer, step.who.slice, step.who.record,
			   &copy, origin);
}

/* Whether nothing is to be done with SLICE, which ends at TICKS. */
static ALWAYS_INLINE bool pass_refuses(const struct analyses *to,
				       const struct running_slice *slice,
				       int64_t ticks, const enum pass_kind kind)
{
	if (kind != PASS_FOR_SLICES && UNLIKELY(to->takes_all))
		return false;
	if (kind != PASS_FOR_SLICES && UNLIKELY(to->slices == NULL))
		return to->observer->each_slice == NULL;
	return observe_too_short(to->slices, slice, ticks);
}

/*
 * The most frequent case, to be tried before gti_observe_ended(): adds SLICE of
 * goroutine G to the profile, if one takes all slices, and if nothing else is
 * to be done with SLICE. STACK, a handle, is that of the event that ended the
 * slice, at END_TICKS; 0: it has none. In all other cases returns false.
 */
bool gti_observe_known(const struct analyses *to,
		       const struct running_slice *slice, uint64_t g,
		       int64_t end_ticks, uint64_t stack, uint32_t *near);

/* The rest of observe_end(), for a slice that is not refused. */
static ALWAYS_INLINE bool observe_ended(struct step step, struct origin origin)
{
	uint64_t stack = origin.packed != 0 ? 0 : step.event->stack;
	struct event copy;

	if (gti_observe_known(step.to, step.who.slice, *step.who.g,
			      step.event->ticks, stack, step.who.entry))
		return true;
	copy_end(step, &copy);
	return gti_observe_ended(step.to->observer, step.who.slice,
				 step.who.record, &copy, origin);
}

/*
 * EVENT ends the slice of WHO. ORIGIN is the walk back from EVENT, none if that
 * has frames. Returns false if there is no memory, or if the observer ends the
 * pass.
 */
static ALWAYS_INLINE bool observe_end(struct step step, struct origin origin)
{
	struct waits *waits = pass_waits(step.to, step.kind);

	if (is_withheld(step.to, step.kind))
		return true;
	if (pass_has_links(step.kind))
		observe_link(step.to->observer, step.who.slice->start.ordinal,
			     step.event->ordinal);
	if (waits != NULL)
		observe_end_waited(step, waits, origin);
	if (UNLIKELY(!pass_refuses(step.to, step.who.slice, step.event->ticks,
				   step.kind)) &&
	    UNLIKELY(!observe_ended(step, origin)))
		return false;
	step.who.slice->start.ordinal = 0;
	return true;
}

/* A system call begins in the slice of WHO by EVENT, or ends. */
static ALWAYS_INLINE void observe_call(struct step step)
{
	if (is_withheld(step.to, step.kind))
		return;
	if (LIKELY(!step.to->observer->times_calls))
		return;
	observe_inside(step.to->observer, step.who.slice)->calls++;
	step.who.slice->call_since = step.event->ticks;
}

static ALWAYS_INLINE void observe_return(struct step step)
{
	struct inside *inside;

	if (is_withheld(step.to, step.kind))
		return;
	if (LIKELY(!step.to->observer->times_calls))
		return;
	inside = observe_inside(step.to->observer, step.who.slice);
	inside->call_ticks = (int64_t)((uint64_t)inside->call_ticks +
				       (uint64_t)step.event->ticks -
				       (uint64_t)step.who.slice->call_since);
}

#endif /* GTRACE_ANALYSIS_TRANSITIONS_H_ */
