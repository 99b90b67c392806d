/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - the steps of frequent events, for choice.c and turns.c.
 *
 * A step tests the preconditions of an event and makes its changes. The event
 * has the thread, processor and goroutine from before it. If a precondition is
 * not met, faults.c says which one, in a careful pass.
 *
 * In any other pass the event is a local variable of try_event(). The functions
 * that are inlined there do not pass a pointer to it to other functions. So the
 * compiler keeps it in registers, and omits the fields that are not read.
 */
#ifndef GTRACE_V2_STEPS_H_
#define GTRACE_V2_STEPS_H_

#include <inttypes.h>

#include "v2/cursor.h"
#include "v2/faults.h"
#include "v2/hooks.h"

/* The outcome of FAILURE, a call of a function of faults.h. */
#define FAULT(kind, failure) ((kind) == PASS_CAREFUL ? (failure) : FAILED)

/* ------------------------------------------------------------ processors -- */

/* gti_v2_change_slice() with a copy of EVENT, which has no stack. */
static ALWAYS_INLINE bool change_slice(struct states *states,
				       struct thread *thread,
				       const struct event *event)
{
	struct event copy = *event;

	states->framed = false;
	return gti_v2_change_slice(states, thread, &copy);
}

static ALWAYS_INLINE enum outcome proc_start(struct states *states,
					     struct thread *thread,
					     struct event *event,
					     const enum pass_kind kind)
{
	struct processor *processor = find_processor(states, event->args[0]);

	if (processor == NULL || processor->status != PROC_IDLE ||
	    !follows(states, &processor->sequence, event->args[1]) ||
	    thread->p != NO_PROC)
		return WAITS;
	if (UNLIKELY(thread->m == NO_THREAD))
		return FAULT(kind, gti_v2_fail_needs(states, thread, event));
	processor->status = PROC_RUNNING;
	processor->sequence.number++;
	hand_out(states, event);
	set_ids(event, thread);
	bind_processor(states, thread, processor);
	be_held(states, processor, true, event->ticks, kind);
	if (UNLIKELY(thread->g != NO_GOROUTINE) &&
	    !change_slice(states, thread, event))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome proc_stop(struct states *states,
					    struct thread *thread,
					    struct event *event,
					    const enum pass_kind kind)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(processor->status != PROC_RUNNING &&
		     processor->status != PROC_SYSCALL))
		return FAULT(kind,
			     gti_v2_fail_proc_stop(states, thread, event));
	processor->status = PROC_IDLE;
	hand_out(states, event);
	set_ids(event, thread);
	unbind_processor(states, thread);
	be_held(states, processor, false, event->ticks, kind);
	if (UNLIKELY(thread->goroutine->status == GO_SYSCALL))
		states->loser = LOSER_OF_EVENT;
	if (UNLIKELY(has_slice(thread)) && !change_slice(states, thread, event))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

/* ------------------------------------------------------------ goroutines -- */

/* Whether the thread has a processor, and a goroutine that runs. */
static ALWAYS_INLINE bool runs(const struct thread *thread)
{
	return thread->goroutine->status == GO_RUNNING && thread->p != NO_PROC;
}

static ALWAYS_INLINE enum outcome
go_create(struct states *states, struct thread *thread, struct event *event,
	  bool framed, enum go_status status, const enum pass_kind kind)
{
	uint64_t g = event->args[0];
	struct goroutine *goroutine;
	struct step step;

	if (UNLIKELY(!runs(thread)) && !gti_v2_may_create(states, thread))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_RUNNING));
	goroutine = find_goroutine(states, g);
	if (UNLIKELY(exists(goroutine)))
		return FAULT(kind,
			     gti_v2_fail(states, event,
					 "goroutine %" PRIu64 " exists", g));
	goroutine = gti_v2_new_goroutine(states, goroutine, g, status);
	if (UNLIKELY(goroutine == NULL))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	step = step_of(states, actor_of(goroutine), event, kind);
	observe_pending(step, origin_none, framed);
	if (status == GO_RUNNABLE)
		become_ready(step, thread, event, origin_none);
	goroutine->is_new = true;
	goroutine->first_stack = event->args[1];
	find_stack(states->generation, &goroutine->first_stack,
		   &goroutine->first_framed);
	if (kind != PASS_FOR_SLICES && states->learns)
		learn_creation(states, goroutine, framed ? event->stack : 0);
	return ADVANCED;
}

/* run() where the slice of another goroutine was left on THREAD. */
bool gti_v2_run_over(struct states *states, struct thread *thread,
		     struct goroutine *goroutine, struct event *event);

/*
 * GOROUTINE starts by EVENT on THREAD, which has none. Returns false as
 * observe_end() does.
 */
static ALWAYS_INLINE bool run(struct states *states, struct thread *thread,
			      struct goroutine *goroutine, struct event *event,
			      const enum pass_kind kind)
{
	struct waits *waits = pass_waits(&states->to, kind);
	struct step step = step_of(states, actor_of(goroutine), event, kind);
	struct origin origin;
	bool framed = false;

	set_ids(event, thread);
	/* Only in damaged traces. */
	if (kind != PASS_CAREFUL && UNLIKELY(has_slice(thread))) {
		struct event copy = *event;

		return gti_v2_run_over(states, thread, goroutine, &copy);
	}
	origin = observe_pended(step);
	if (goroutine->is_new) {
		event->stack = goroutine->first_stack;
		framed = goroutine->first_framed;
		goroutine->is_new = false;
	}
	goroutine->status = GO_RUNNING;
	goroutine->sequence.number++;
	bind_goroutine(states, thread, goroutine);
	if (kind == PASS_CAREFUL && has_slice(thread) &&
	    !end_slice(states, thread, event,
		       framed ? origin_none : slice_origin(thread), kind))
		return false;
	/* A damaged trace may start the goroutine whose number means none. */
	if (UNLIKELY(thread->g == NO_GOROUTINE)) {
		if (waits != NULL)
			waits_run(waits, waiter_of(goroutine), event->ticks,
				  thread->p, event->ticks);
		return true;
	}
	start_slice(states, thread, event, framed, origin, kind);
	if (waits != NULL)
		waits_start(waits, waiter_of(goroutine), &thread->slice.wait,
			    thread->slice.serial, event->ticks, thread->p,
			    event->ticks);
	return true;
}

static ALWAYS_INLINE enum outcome go_start(struct states *states,
					   struct thread *thread,
					   struct event *event,
					   const enum pass_kind kind)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_RUNNABLE ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	if (UNLIKELY(thread->p == NO_PROC || thread->g != NO_GOROUTINE))
		return FAULT(kind, gti_v2_fail_needs(states, thread, event));
	hand_out(states, event);
	if (UNLIKELY(!run(states, thread, goroutine, event, kind)))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

/*
 * The goroutine of THREAD stops running by EVENT, and has STATUS then. Returns
 * false as observe_end() does.
 */
static ALWAYS_INLINE bool leave(struct states *states, struct thread *thread,
				struct event *event, bool framed,
				enum go_status status,
				const enum pass_kind kind)
{
	struct goroutine *goroutine = thread->goroutine;
	struct step step = step_of(states, actor_of(goroutine), event, kind);
	struct origin origin = origin_none;

	goroutine->status = (uint8_t)status;
	if (LIKELY(has_slice(thread))) {
		if (UNLIKELY(!end_own_slice(states, thread, event, framed,
					    kind)))
			return false;
		if (!framed)
			origin = slice_origin(thread);
	}
	if (status != GO_ABSENT)
		observe_pending(step, origin, framed);
	if (status == GO_RUNNABLE)
		become_ready(step, thread, event, origin);
	unbind(states, thread, goroutine, status);
	return true;
}

/* GoDestroy, GoStop, GoBlock. */
static ALWAYS_INLINE enum outcome
go_leave(struct states *states, struct thread *thread, struct event *event,
	 bool framed, enum go_status status, const enum pass_kind kind)
{
	if (UNLIKELY(!runs(thread)))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_RUNNING));
	hand_out(states, event);
	if (UNLIKELY(!leave(states, thread, event, framed, status, kind)))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

/*
 * The event of STEP unblocks a goroutine. FRAMED says whether the
 * stack of the event has frames. Returns the walk back from it.
 */
static ALWAYS_INLINE struct origin unblock(struct step step, bool framed)
{
	struct origin origin = observe_pended(step);

	observe_pending(step, origin, framed);
	return origin;
}

static ALWAYS_INLINE enum outcome go_unblock(struct states *states,
					     const struct thread *thread,
					     struct event *event, bool framed,
					     const enum pass_kind kind)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);
	struct origin origin;
	struct step step;

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_WAITING ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	goroutine->status = GO_RUNNABLE;
	goroutine->sequence.number++;
	hand_out(states, event);
	step = step_of(states, actor_of(goroutine), event, kind);
	origin = unblock(step, framed);
	become_ready(step, thread, event, origin);
	return ADVANCED;
}

/* Makes an event of TYPE without arguments, by THREAD, in place of EVENT. */
static ALWAYS_INLINE void make_event(const struct thread *thread,
				     struct event *made,
				     const struct event *event,
				     enum event_type type)
{
	made->offset = event->offset;
	made->ticks = event->ticks;
	made->m = thread->m;
	made->p = thread->p;
	made->g = thread->g;
	made->stack = 0;
	made->args[0] = 0;
	made->args[1] = 0;
	made->args[2] = 0;
	made->type = type;
}

/*
 * GoSwitch, GoSwitchDestroy: a goroutine unblocks another one, stops running,
 * and the other one starts in its place.
 */
static ALWAYS_INLINE enum outcome
go_switch(struct states *states, struct thread *thread, struct event *event,
	  enum go_status status, const enum pass_kind kind)
{
	struct event *left = &event[1], *start = &event[2];
	struct goroutine *next;

	if (UNLIKELY(!runs(thread)))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_RUNNING));
	next = find_goroutine(states, event->args[0]);
	if (UNLIKELY(next == NULL || next->status != GO_WAITING ||
		     !follows(states, &next->sequence, event->args[1])))
		return WAITS;
	hand_out(states, event);
	unblock(step_of(states, actor_of(next), event, kind), false);
	make_event(thread, left, event,
		   status == GO_ABSENT ? EV_GO_DESTROY : EV_GO_BLOCK);
	hand_out(states, left);
	if (UNLIKELY(!leave(states, thread, left, false, status, kind)))
		return gti_v2_fail_memory(states);
	make_event(thread, start, event, EV_GO_START);
	start->args[0] = event->args[0];
	start->args[1] = event->args[1];
	hand_out(states, start);
	if (UNLIKELY(!run(states, thread, next, start, kind)))
		return gti_v2_fail_memory(states);
	states->count = 3;
	return ADVANCED;
}

/* ---------------------------------------------------------- system calls -- */

static ALWAYS_INLINE enum outcome
syscall_begin(struct states *states, struct thread *thread, struct event *event,
	      bool framed, const enum pass_kind kind)
{
	struct processor *processor = thread->processor;
	struct step step;

	if (UNLIKELY(!runs(thread)))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_RUNNING));
	if (UNLIKELY(!follows(states, &processor->sequence, event->args[0])))
		return FAULT(kind,
			     gti_v2_fail(states, event,
					 "it has the number %" PRIu64
					 " on processor %" PRId64
					 ", which does not follow %" PRIu64,
					 event->args[0], thread->p,
					 processor->sequence.number));
	thread->goroutine->status = GO_SYSCALL;
	processor->status = PROC_SYSCALL;
	processor->sequence.number++;
	hand_out(states, event);
	set_ids(event, thread);
	step = step_of(states, actor_in(thread), event, kind);
	observe_pending(step, origin_none, framed);
	observe_call(step);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome syscall_end(struct states *states,
					      struct thread *thread,
					      struct event *event,
					      const enum pass_kind kind)
{
	struct step step;

	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL ||
		     thread->p == NO_PROC))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_SYSCALL));
	if (UNLIKELY(thread->processor->status != PROC_SYSCALL))
		return FAULT(kind,
			     gti_v2_fail_processor(states, thread, event));
	thread->goroutine->status = GO_RUNNING;
	thread->processor->status = PROC_RUNNING;
	hand_out(states, event);
	step = step_of(states, actor_in(thread), event, kind);
	observe_pended(step);
	observe_return(step);
	return ADVANCED;
}

/* The thread has lost its processor when the system call ends. */
static ALWAYS_INLINE enum outcome syscall_end_blocked(struct states *states,
						      struct thread *thread,
						      struct event *event,
						      const enum pass_kind kind)
{
	struct origin origin;
	struct step step;

	if (thread->processor->status == PROC_SYSCALL)
		return WAITS;
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL))
		return FAULT(kind, gti_v2_fail_goroutine(states, thread, event,
							 GO_SYSCALL));
	thread->goroutine->status = GO_RUNNABLE;
	hand_out(states, event);
	set_ids(event, thread);
	step = step_of(states, actor_in(thread), event, kind);
	origin = observe_pended(step);
	observe_pending(step, origin, false);
	become_ready(step, thread, event, origin);
	unbind(states, thread, thread->goroutine, GO_RUNNABLE);
	return ADVANCED;
}

/* It changes nothing, but is frequent. */
static ALWAYS_INLINE enum outcome heap_alloc(struct states *states,
					     struct thread *thread,
					     struct event *event,
					     const enum pass_kind kind)
{
	if (UNLIKELY(!has_needs(thread, EV_HEAP_ALLOC)))
		return FAULT(kind, gti_v2_fail_needs(states, thread, event));
	hand_out(states, event);
	return ADVANCED;
}

/* ------------------------------------------------------------------ rare -- */

/*
 * Any event of THREAD, in a careful pass. If it advances, the states->count
 * first ones of states->events are to be handed out. FAILED: states->error is
 * filled, unless the observer ended the pass.
 */
enum outcome gti_v2_step(struct states *states, struct thread *thread,
			 struct event *event);

/* The same in any pass, for an event whose step is not in this file. */
enum outcome gti_v2_step_rare(struct states *states, struct thread *thread,
			      struct event *event);

/* That of events that neither a processor nor a goroutine changes by. */
enum outcome gti_v2_step_range(struct states *states, struct thread *thread,
			       struct event *event);

/* That of those that are no ranges, either. */
enum outcome gti_v2_step_other(struct states *states, struct thread *thread,
			       struct event *event);

#endif /* GTRACE_V2_STEPS_H_ */
