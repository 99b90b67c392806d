/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - the steps of frequent events, for the loops of order.c.
 *
 * Each tests the preconditions of an event and then makes its changes. What
 * is wrong where they are not met is found out elsewhere.
 */
#ifndef GTRACE_V2_STEPS_H_
#define GTRACE_V2_STEPS_H_

#include <inttypes.h>

#include "v2/faults.h"
#include "v2/states.h"

/* ----------------------------------------------------------- processors -- */

static ALWAYS_INLINE enum outcome
proc_start(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor =
		find_processor(states, event->args[0]);

	if (processor == NULL || processor->status != PROC_IDLE ||
	    !follows(states, &processor->sequence, event->args[1]) ||
	    thread->p != NO_PROC)
		return WAITS;
	if (UNLIKELY(thread->m == NO_THREAD))
		return gti_v2_fail_needs(states, thread, event);
	processor->status = PROC_RUNNING;
	processor->sequence.number++;
	hand_out(states, event);
	bind_processor(states, thread, processor);
	return ADVANCED;
}

/* A ProcStop that contradicts what is known. */
static NOINLINE enum outcome fail_proc_stop(const struct states *states,
					    const struct thread *thread,
					    const struct event *event)
{
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return gti_v2_fail(states, event, "processor %" PRId64 " is %s",
			   thread->p,
			   gti_v2_proc_status_name(thread->processor->status));
}

static ALWAYS_INLINE enum outcome
proc_stop(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(processor->status != PROC_RUNNING &&
		     processor->status != PROC_SYSCALL))
		return fail_proc_stop(states, thread, event);
	processor->status = PROC_IDLE;
	hand_out(states, event);
	unbind_processor(states, thread);
	return ADVANCED;
}

/* ----------------------------------------------------------- goroutines -- */

/* Whether the thread has a processor, and a goroutine that runs. */
static ALWAYS_INLINE bool runs(const struct thread *thread)
{
	return thread->goroutine->status == GO_RUNNING && thread->p != NO_PROC;
}

/* GoCreate on a thread whose goroutine does not run. */
static NOINLINE bool may_create(const struct states *states,
				const struct thread *thread)
{
	const struct goroutine *current = thread->goroutine;

	/* A damaged trace may have a goroutine whose number means none. */
	if (thread->g == NO_GOROUTINE)
		current = find_goroutine(states, NO_GOROUTINE);
	return thread->p != NO_PROC && !exists(current);
}

static ALWAYS_INLINE enum outcome
go_create(struct states *states, struct thread *thread, struct event *event,
	  enum go_status status)
{
	uint64_t g = event->args[0];

	if (UNLIKELY(!runs(thread)) && !may_create(states, thread))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(exists(find_goroutine(states, g))))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " exists", g);
	if (UNLIKELY(gti_v2_new_goroutine(states, g, status) == NULL))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome
go_start(struct states *states, struct thread *thread, struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_RUNNABLE ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	if (UNLIKELY(thread->p == NO_PROC || thread->g != NO_GOROUTINE))
		return gti_v2_fail_needs(states, thread, event);
	goroutine->status = GO_RUNNING;
	goroutine->sequence.number++;
	hand_out(states, event);
	bind_goroutine(states, thread, goroutine);
	return ADVANCED;
}

/* GoDestroy, GoStop, GoBlock: the goroutine of the thread stops running. */
static ALWAYS_INLINE enum outcome go_leave(struct states *states,
					   struct thread *thread,
					   struct event *event,
					   enum go_status status)
{
	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	thread->goroutine->status = (uint8_t)status;
	hand_out(states, event);
	unbind_goroutine(states, thread);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome go_unblock(struct states *states,
					     struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_WAITING ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	goroutine->status = GO_RUNNABLE;
	goroutine->sequence.number++;
	hand_out(states, event);
	return ADVANCED;
}

/* A copy of EVENT, with no arguments and no stack, of another type. */
static ALWAYS_INLINE struct event *make_event(struct event *made, const struct event *event,
				enum event_type type)
{
	*made = *event;
	made->type = type;
	made->stack = 0;
	made->has_frames = false;
	made->args[0] = 0;
	made->args[1] = 0;
	made->args[2] = 0;
	return made;
}

/*
 * GoSwitch, GoSwitchDestroy: a goroutine unblocks another one, stops running,
 * and the other one starts in its place.
 */
static ALWAYS_INLINE enum outcome go_switch(struct states *states, struct thread *thread,
			      struct event *event, enum go_status status)
{
	struct goroutine *next;
	struct event *left, *start;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	next = find_goroutine(states, event->args[0]);
	if (UNLIKELY(next == NULL || next->status != GO_WAITING ||
		     !follows(states, &next->sequence, event->args[1])))
		return WAITS;
	hand_out(states, event);
	left = make_event(&states->events[1], event,
			  status == GO_ABSENT ? EV_GO_DESTROY : EV_GO_BLOCK);
	hand_out(states, left);
	thread->goroutine->status = (uint8_t)status;
	unbind_goroutine(states, thread);
	start = make_event(&states->events[2], event, EV_GO_START);
	start->g = NO_GOROUTINE;
	start->args[0] = event->args[0];
	start->args[1] = event->args[1];
	hand_out(states, start);
	next->status = GO_RUNNING;
	next->sequence.number++;
	bind_goroutine(states, thread, next);
	return ADVANCED;
}

/* --------------------------------------------------------- system calls -- */

static ALWAYS_INLINE enum outcome syscall_begin(struct states *states,
						struct thread *thread,
						struct event *event)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(!follows(states, &processor->sequence, event->args[0])))
		return gti_v2_fail(states, event,
				   "it has the number %" PRIu64
				   " on processor %" PRId64
				   ", which does not follow %" PRIu64,
				   event->args[0], thread->p,
				   processor->sequence.number);
	thread->goroutine->status = GO_SYSCALL;
	processor->status = PROC_SYSCALL;
	processor->sequence.number++;
	hand_out(states, event);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome syscall_end(struct states *states,
					      struct thread *thread,
					      struct event *event)
{
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL ||
		     thread->p == NO_PROC))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	if (UNLIKELY(thread->processor->status != PROC_SYSCALL))
		return gti_v2_fail_processor(states, thread, event);
	thread->goroutine->status = GO_RUNNING;
	thread->processor->status = PROC_RUNNING;
	hand_out(states, event);
	return ADVANCED;
}

/* The thread loses its processor before the goroutine comes back. */
static ALWAYS_INLINE enum outcome syscall_end_blocked(struct states *states,
					struct thread *thread,
					struct event *event)
{
	if (thread->processor->status == PROC_SYSCALL)
		return WAITS;
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	thread->goroutine->status = GO_RUNNABLE;
	hand_out(states, event);
	unbind_goroutine(states, thread);
	return ADVANCED;
}

/* --------------------------------------------------------------- switch -- */

/*
 * Reads the values of an event of a type that is known to the compiler.
 */
#define READ(id)                                                               \
	do {                                                                   \
		event->type = EV_##id;                                         \
		read_values(states->generation, found->values, KIND_##id,      \
			    event);                                            \
	} while (0)

/*
 * Tries the event FOUND of THREAD. If it advances, states->events are to be
 * handed out. FAILED: states->error is filled.
 */
static ALWAYS_INLINE enum outcome try_event(struct states *states,
					    struct thread *thread,
					    const struct found *found)
{
	struct event *event = &states->events[0];

	event->offset =
		(uint64_t)(found->type - states->generation->source->data);
	event->written = found->time;
	event->m = thread->m;
	event->p = thread->p;
	event->g = thread->g;
	states->count = 0;
	thread->known = true;
	switch (*found->type) {
	case BYTE_PROC_START:
		READ(PROC_START);
		return proc_start(states, thread, event);
	case BYTE_PROC_STOP:
		READ(PROC_STOP);
		return proc_stop(states, thread, event);
	case BYTE_GO_CREATE:
		READ(GO_CREATE);
		return go_create(states, thread, event, GO_RUNNABLE);
	case BYTE_GO_START:
		READ(GO_START);
		return go_start(states, thread, event);
	case BYTE_GO_DESTROY:
		READ(GO_DESTROY);
		return go_leave(states, thread, event, GO_ABSENT);
	case BYTE_GO_STOP:
		READ(GO_STOP);
		return go_leave(states, thread, event, GO_RUNNABLE);
	case BYTE_GO_BLOCK:
		READ(GO_BLOCK);
		return go_leave(states, thread, event, GO_WAITING);
	case BYTE_GO_UNBLOCK:
		READ(GO_UNBLOCK);
		return go_unblock(states, event);
	case BYTE_GO_SYSCALL_BEGIN:
		READ(GO_SYSCALL_BEGIN);
		return syscall_begin(states, thread, event);
	case BYTE_GO_SYSCALL_END:
		READ(GO_SYSCALL_END);
		return syscall_end(states, thread, event);
	case BYTE_GO_SYSCALL_END_BLOCKED:
		READ(GO_SYSCALL_END_BLOCKED);
		return syscall_end_blocked(states, thread, event);
	case BYTE_GO_SWITCH:
		READ(GO_SWITCH);
		return go_switch(states, thread, event, GO_WAITING);
	default:
		event->type = gti_v2_types[*found->type];
		read_values(states->generation, found->values,
			    gti_v2_kinds[event->type], event);
		return gti_v2_step_rare(states, thread, event);
	}
}

#undef READ

#endif /* GTRACE_V2_STEPS_H_ */
