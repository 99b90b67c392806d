/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - how the steps of events report slices, stops and links.
 *
 * A slice runs while a thread keeps the same processor and goroutine, and the
 * goroutine runs or is in the same system call.
 *
 * In a careful pass (order.h) an event can advance and not be handed out, if
 * the event after it cannot be read. It must not be reported: states->withheld
 * is set.
 */
#ifndef GTRACE_V2_HOOKS_H_
#define GTRACE_V2_HOOKS_H_

#include "v2/states.h"

/*
 * Whether a pass of KIND needs little of an event: no links, and a thread, a
 * processor and a goroutine only where the step of the event calls set_ids().
 */
static ALWAYS_INLINE bool is_lean(const enum pass_kind kind)
{
	return kind != PASS_CAREFUL && kind != PASS_FOR_OTHERS;
}

/* Whether a pass of KIND is for rarer analyses, and others that are wanted. */
static ALWAYS_INLINE bool is_for_more(const enum pass_kind kind)
{
	return kind == PASS_FOR_BLOCKS || kind == PASS_FOR_SCHED;
}

/* EVENT has the thread, processor and goroutine that THREAD has now. */
static ALWAYS_INLINE void set_ids(struct event *event,
				  const struct thread *thread)
{
	event->m = thread->m;
	event->p = thread->p;
	event->g = thread->g;
}

/*
 * The record of PROCESSOR in the analysis of stops; NULL if a pass of KIND does
 * not report to that. If PROCESSOR can be that of no thread, KIND is
 * PASS_CAREFUL.
 */
static ALWAYS_INLINE struct stop_processor *
stop_place(const struct states *states, const struct processor *processor,
	   const enum pass_kind kind)
{
	const bool always = kind == PASS_FOR_STOPS || kind == PASS_FOR_WAITS;

	if (always)
		ASSUME(processor->stop != NULL);
	if (always || is_for_more(kind) ||
	    (kind == PASS_CAREFUL && !states->withheld))
		return processor->stop;
	return NULL;
}

/* ----------------------------------------------------------------- waits -- */

/* The analysis of waits; NULL if a pass of KIND does not report to it. */
static ALWAYS_INLINE struct waits *waits_of(const struct states *states,
					    const enum pass_kind kind)
{
	if (kind == PASS_FOR_WAITS)
		ASSUME(states->waits != NULL);
	if (kind == PASS_FOR_WAITS || is_for_more(kind) ||
	    (kind == PASS_CAREFUL && !states->withheld))
		return states->waits;
	return NULL;
}

/*
 * EVENT, which ORIGIN leads to, makes GOROUTINE ready. THREAD has what it had
 * before the event.
 */
static ALWAYS_INLINE void
become_ready(const struct states *states, const struct thread *thread,
	     struct goroutine *goroutine, const struct event *event,
	     struct origin origin, const enum pass_kind kind)
{
	struct waits *waits = waits_of(states, kind);
	struct waiter *waiter = waiter_of(goroutine);
	struct event_ref *ready = &waiter->ready;

	if (waits == NULL || UNLIKELY(waits_is_waiting(waiter)))
		return;
	waits_begin(waits, waiter, event->type, event->ticks);
	ready->ticks = event->ticks;
	ready->offset = event->offset;
	ready->m = thread->m;
	ready->p = thread->p;
	ready->g = thread->g;
	ready->stack = event->stack;
	ready->origin = origin;
	ready->type = event->type;
}

/* PROCESSOR is held, or not any more, by an event at TICKS. */
static ALWAYS_INLINE void be_held(const struct states *states,
				  struct processor *processor, bool held,
				  int64_t ticks, const enum pass_kind kind)
{
	struct waits *waits = waits_of(states, kind);

	if (waits == NULL || processor->held == held)
		return;
	processor->held = held;
	gti_waits_hold(waits, held, ticks);
	if (UNLIKELY(states->sched != NULL))
		sched_move(states->sched, held ? LEVEL_NONE : LEVEL_HELD,
			   held ? LEVEL_HELD : LEVEL_NONE, ticks);
}

/* ------------------------------------------------------------- scheduler -- */

/* The analysis of the scheduler; NULL if a pass of KIND does not report to it.
 */
static ALWAYS_INLINE struct sched *sched_of(const struct states *states,
					    const enum pass_kind kind)
{
	return kind == PASS_FOR_SCHED ||
			       (kind == PASS_CAREFUL && !states->withheld)
		       ? states->sched
		       : NULL;
}

/* The analysis of collections, for the steps of rare events; or NULL. */
static inline struct collections *collections_of(const struct states *states)
{
	return states->withheld ? NULL : states->observer->collections;
}

static ALWAYS_INLINE enum sched_level level_of(enum go_status status)
{
	return status == GO_RUNNABLE  ? LEVEL_RUNNABLE
	       : status == GO_RUNNING ? LEVEL_RUNNING
	       : status == GO_SYSCALL ? LEVEL_SYSCALLS
	       : status == GO_WAITING ? LEVEL_WAITING
				      : LEVEL_NONE;
}

/* A goroutine that has had status FROM has status TO by an event at TICKS. */
static ALWAYS_INLINE void change_level(const struct states *states, enum go_status from,
			       enum go_status to, int64_t ticks,
			       const enum pass_kind kind)
{
	struct sched *sched = sched_of(states, kind);

	if (UNLIKELY(sched != NULL))
		sched_move(sched, level_of(from), level_of(to), ticks);
}

/* GOROUTINE, which can work for a collection, becomes ready. */
static ALWAYS_INLINE void observe_unparked(const struct states *states,
					   const struct goroutine *goroutine,
					   const enum pass_kind kind)
{
	if (UNLIKELY(goroutine->works) && sched_of(states, kind) != NULL)
		gti_work_ready(states->observer->collections, goroutine->id,
			       states->written);
}

/* GOROUTINE, which can work for a collection, gets STATUS, which is not running. */
static ALWAYS_INLINE void observe_left(const struct states *states,
				       const struct goroutine *goroutine,
				       enum go_status status,
				       const enum pass_kind kind)
{
	if (UNLIKELY(goroutine->works) && sched_of(states, kind) != NULL)
		gti_work_leave(states->observer->collections, goroutine->id,
			       status == GO_WAITING, states->written);
}

/* GOROUTINE starts on THREAD by an event at TICKS. */
static ALWAYS_INLINE void observe_started(const struct states *states,
					  struct thread *thread,
					  const struct goroutine *goroutine,
					  int64_t ticks,
					  const enum pass_kind kind)
{
	struct sched *sched = sched_of(states, kind);

	if (LIKELY(sched == NULL))
		return;
	sched_start(sched, ticks);
	thread->started = states->written;
	if (UNLIKELY(goroutine->works))
		gti_work_start(states->observer->collections, goroutine->id,
			       states->written);
}

/* An event of THREAD was handed out. */
static ALWAYS_INLINE void observe_event(const struct states *states,
					struct thread *thread,
					const enum pass_kind kind)
{
	struct sched *sched = sched_of(states, kind);

	if (LIKELY(sched == NULL))
		return;
	if (states->written > sched->greatest)
		sched->greatest = states->written;
	if (UNLIKELY(!thread->counted) && thread->m != NO_THREAD) {
		thread->counted = true;
		gti_sched_thread(sched, states->last_time);
	}
}

/* ---------------------------------------------------------------- blocks -- */

/* The analysis of blocks; NULL if a pass of KIND does not report to it. */
static ALWAYS_INLINE struct blocks *blocks_of(const struct states *states,
					      const enum pass_kind kind)
{
	if (kind == PASS_FOR_BLOCKS)
		ASSUME(states->blocks != NULL);
	return is_for_more(kind) ||
			       (kind == PASS_CAREFUL && !states->withheld)
		       ? states->blocks
		       : NULL;
}

/* What the analysis of blocks needs of EVENT, which has REASON. */
static ALWAYS_INLINE struct block_event block_event(const struct event *event,
						    uint64_t reason)
{
	return (struct block_event){
		.offset = event->offset,
		.ticks = event->ticks,
		.stack = event->stack,
		.reason = reason,
		.type = event->type,
	};
}

/* GOROUTINE is in STATE, enum life_state, from EVENT on. */
static ALWAYS_INLINE void be(const struct states *states,
			     struct goroutine *goroutine, unsigned state,
			     const struct event *event,
			     const enum pass_kind kind)
{
	struct blocks *blocks = blocks_of(states, kind);

	if (blocks != NULL)
		lives_go_on_from(&blocks->lives,
				 &block_of(states, goroutine)->life, state,
				 lives_now(&blocks->lives, event->ticks));
}

/* The first stack of GOROUTINE is known. */
static ALWAYS_INLINE void know_root(const struct states *states,
				    struct goroutine *goroutine,
				    const enum pass_kind kind)
{
	struct blocks *blocks = blocks_of(states, kind);

	if (UNLIKELY(blocks != NULL))
		gti_blocks_root(blocks, block_of(states, goroutine),
				goroutine->first_stack);
}

/* GOROUTINE is blocked from EVENT on, for REASON, or IN_CALL. */
static ALWAYS_INLINE void begin_block(const struct states *states,
				      struct goroutine *goroutine,
				      const struct event *event,
				      uint64_t reason, bool in_call,
				      const enum pass_kind kind)
{
	struct blocks *blocks = blocks_of(states, kind);
	struct block_event began, copy;

	if (blocks == NULL)
		return;
	began = block_event(event, reason);
	began.call = in_call;
	if (LIKELY(blocks_begin_easily(blocks, block_of(states, goroutine),
				       &began)))
		return;
	/* So that the event can be in registers before. */
	copy = block_event(event, reason);
	copy.call = in_call;
	gti_blocks_begin(blocks, block_of(states, goroutine), copy);
}

/* The block of GOROUTINE ends by EVENT, of goroutine BY or of none. */
static ALWAYS_INLINE void end_block(const struct states *states,
				    struct goroutine *goroutine,
				    const struct event *event, uint64_t by,
				    const enum pass_kind kind)
{
	struct blocks *blocks = blocks_of(states, kind);
	struct block_event ended, copy;

	if (blocks == NULL)
		return;
	ended = block_event(event, 0);
	ended.ends = true;
	if (LIKELY(blocks_end_easily(blocks, block_of(states, goroutine),
				     &ended, by != NO_GOROUTINE)))
		return;
	copy = block_event(event, 0);
	copy.ends = true;
	copy.g = by;
	gti_blocks_end(blocks, block_of(states, goroutine), goroutine->id, copy,
		       by != NO_GOROUTINE);
}

/* ---------------------------------------------------------------- slices -- */

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

#endif /* GTRACE_V2_HOOKS_H_ */
