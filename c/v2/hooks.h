/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hooks.h - how the steps of events report stops and states of goroutines.
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

	if (waits == NULL || UNLIKELY(waits_is_waiting(waiter)) ||
	    (kind == PASS_CAREFUL && waits->over))
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
	return states->withheld || states->sched == NULL
		       ? NULL
		       : states->observer->collections;
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
static ALWAYS_INLINE void change_level(const struct states *states,
				       enum go_status from, enum go_status to,
				       int64_t ticks, const enum pass_kind kind)
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

/* GOROUTINE, which can work for a collection, gets STATUS, which is not
 * running. */
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
	return is_for_more(kind) || (kind == PASS_CAREFUL && !states->withheld)
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
				 event->ticks);
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

#endif /* GTRACE_V2_HOOKS_H_ */
