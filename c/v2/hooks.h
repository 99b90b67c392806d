/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - how the steps of events report transitions.
 *
 * A slice runs while a thread keeps the same processor and goroutine, and the
 * goroutine runs or is in the same system call.
 *
 * In a careful pass (order.h) an event can advance and not be handed out, if
 * the event after it cannot be read. It must not be reported: to.withheld is
 * set.
 */
#ifndef GTRACE_V2_HOOKS_H_
#define GTRACE_V2_HOOKS_H_

#include "v2/states.h"

/* EVENT has the thread, processor and goroutine that THREAD has now. */
static ALWAYS_INLINE void set_ids(struct event *event,
				  const struct thread *thread)
{
	event->m = thread->m;
	event->p = thread->p;
	event->g = thread->g;
}

static ALWAYS_INLINE struct actor actor_of(struct goroutine *goroutine)
{
	return (struct actor){
		.g = &goroutine->id,
		.pending = &goroutine->pending,
		.waiter = waiter_of(goroutine),
	};
}

/* The goroutine of the slice of THREAD. */
static ALWAYS_INLINE struct actor actor_on(struct thread *thread)
{
	return (struct actor){
		.g = &thread->slice_g,
		.slice = &thread->slice,
		.p = &thread->slice_p,
		.entry = &thread->goroutine->entry,
		.stacks = &own_of(thread->goroutine)->stacks,
		.record = thread,
		.ids = &thread->ids,
	};
}

/* The goroutine of THREAD, and the slice that runs there. */
static ALWAYS_INLINE struct actor actor_in(struct thread *thread)
{
	struct actor who = actor_of(thread->goroutine);

	who.slice = &thread->slice;
	return who;
}

/* EVENT makes a transition of WHO. */
static ALWAYS_INLINE struct step step_of(struct states *states,
					 struct actor who,
					 const struct event *event,
					 const enum pass_kind kind)
{
	return (struct step){&states->to, who, event, event->ticks, kind};
}

/* PROCESSOR is held, or not any more, by an event at TICKS. */
static ALWAYS_INLINE void be_held(const struct states *states,
				  struct processor *processor, bool held,
				  int64_t ticks, const enum pass_kind kind)
{
	if (pass_waits(&states->to, kind) == NULL || processor->held == held)
		return;
	processor->held = held;
	observe_held(&states->to, held, ticks, kind);
}

/*
 * The goroutine of STEP becomes ready by EVENT of THREAD, which ORIGIN leads
 * to. THREAD has what it had before the event.
 */
static ALWAYS_INLINE void become_ready(struct step step,
				       const struct thread *thread,
				       struct event *event,
				       struct origin origin)
{
	if (!pass_has_links(step.kind))
		set_ids(event, thread);
	observe_ready(step, event->type, origin);
}

/* ----------------------------------------------------------------- slices --
 */

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
	    const struct event *event, bool framed, struct origin origin,
	    const enum pass_kind kind)
{
	if (is_withheld(&states->to, kind))
		return;
	thread->start_framed = framed;
	thread->slice_p = thread->p;
	thread->slice_g = thread->g;
	observe_start(step_of(states, actor_on(thread), event, kind), origin);
}

/* observe_end() for EVENT, which ORIGIN leads to, and the slice of THREAD. */
static ALWAYS_INLINE bool end_slice(struct states *states,
				    struct thread *thread,
				    const struct event *event,
				    struct origin origin,
				    const enum pass_kind kind)
{
	if (!pass_has_links(kind))
		ASSUME(states->to.observer->link_count == 0);
	return observe_end(step_of(states, actor_on(thread), event, kind),
			   origin);
}

/*
 * What gti_observe_ended() does for the slice of THREAD, with few arguments: so
 * the loop of a lean pass needs fewer registers. FRAMED says whether the stack
 * of EVENT has frames.
 */
bool gti_v2_slice_ended(struct states *states, struct thread *thread,
			const struct event *event, bool framed);

/*
 * end_slice() for EVENT of the goroutine of THREAD. FRAMED says whether the
 * stack of EVENT has frames. The walk back from EVENT is found only if needed.
 */
static ALWAYS_INLINE bool end_own_slice(struct states *states,
					struct thread *thread,
					const struct event *event, bool framed,
					const enum pass_kind kind)
{
	struct origin origin = origin_none;

	if (kind == PASS_FOR_SLICES) {
		struct event copy;

		if (LIKELY(pass_refuses(&states->to, &thread->slice,
					event->ticks, kind))) {
			thread->slice.start.ordinal = 0;
			return true;
		}
		copy = *event;
		set_ids(&copy, thread);
		return gti_v2_slice_ended(states, thread, &copy, framed);
	}
	if (!framed)
		origin = slice_origin(thread);
	return end_slice(states, thread, event, origin, kind);
}

/*
 * The next EVENT of THREAD, FRAMED or not, is one of its goroutine's own. A
 * goroutine that was there before the trace, and had no stack then, began in
 * the outermost function of the first stack of its own. A status shows another
 * goroutine. A CPU sample, which no thread writes, can be one of the stack that
 * the runtime runs on. Passes that need neither do nothing, see
 * observe_needs_own().
 */
static ALWAYS_INLINE void learn_stacks(struct states *states,
				       const struct thread *thread,
				       const struct event *event, bool framed,
				       const enum pass_kind kind)
{
	struct goroutine *goroutine = thread->goroutine;

	if (kind == PASS_FOR_SLICES ||
	    (!pass_has_links(kind) && LIKELY(!states->firsts)) ||
	    event->stack == 0 || event->type == EV_GO_STATUS_STACK ||
	    goroutine->id == NO_GOROUTINE || is_withheld(&states->to, kind))
		return;
	if (UNLIKELY(goroutine->first_stack == 0))
		goroutine->first_stack = event->stack;
	if (states->learns && LIKELY(framed) &&
	    (event->type != EV_GO_STOP ||
	     gti_v2_has_names(states->generation, event->stack)))
		learn_own(states, goroutine, event->stack);
}

/* See observer->owner: RECORD is a thread. */
struct slice_owner gti_v2_slice_owner(const void *context, void *record);

/*
 * The processor or the goroutine of THREAD has changed by EVENT: ends its slice
 * or starts one, if that is what the change means. Returns false as
 * observe_end() does.
 */
bool gti_v2_change_slice(struct states *states, struct thread *thread,
			 struct event *event);

/*
 * EVENT is a CPU sample; observer->inside is set. Returns false if there is no
 * memory.
 */
bool gti_v2_observe_sample(const struct states *states,
			   const struct event *event);

/* ------------------------------------------------------------------ links --
 */

/* EVENT will link to an event that WAITING is for. */
void gti_v2_link_later(struct states *states, waiting_links *waiting,
		       const struct event *event);

/* All events of WAITING link to the one with the ordinal TO; 0: to none. */
void gti_v2_link_now(struct states *states, waiting_links *waiting,
		     uint64_t to);

#endif /* GTRACE_V2_HOOKS_H_ */
