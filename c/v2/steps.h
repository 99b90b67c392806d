/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - the steps of frequent events, for the loops of order.c.
 *
 * A step tests the preconditions of an event and makes its changes. The event
 * has the thread, processor and goroutine from before it. If a precondition is
 * not met, faults.c says which one.
 */
#ifndef GTRACE_V2_STEPS_H_
#define GTRACE_V2_STEPS_H_

#include <inttypes.h>

#include "v2/cursor.h"
#include "v2/faults.h"
#include "v2/hooks.h"
#include "v2/stops.h"

/* ------------------------------------------------------------ processors -- */

static ALWAYS_INLINE enum outcome
proc_start(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor = find_processor(states, event->args[0]);

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
	if (UNLIKELY(thread->g != NO_GOROUTINE) &&
	    !gti_v2_change_slice(states, thread, event))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome
proc_stop(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(processor->status != PROC_RUNNING &&
		     processor->status != PROC_SYSCALL))
		return gti_v2_fail_proc_stop(states, thread, event);
	processor->status = PROC_IDLE;
	hand_out(states, event);
	unbind_processor(states, thread);
	if (UNLIKELY(has_slice(thread)) &&
	    !gti_v2_change_slice(states, thread, event))
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
	  enum go_status status, const bool careful)
{
	uint64_t g = event->args[0], stack;
	struct goroutine *goroutine;

	if (UNLIKELY(!runs(thread)) && !gti_v2_may_create(states, thread))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(exists(find_goroutine(states, g))))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " exists", g);
	goroutine = gti_v2_new_goroutine(states, g, status);
	if (UNLIKELY(goroutine == NULL))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	set_pending(states, goroutine, event, origin_none, careful);
	stack = event->args[1];
	goroutine->is_new = true;
	goroutine->first_stack = stack;
	find_stack(states->generation, &goroutine->first_stack,
		   &goroutine->first_framed);
	return ADVANCED;
}

/* GOROUTINE starts on THREAD by EVENT. Returns false as end_slice() does. */
static ALWAYS_INLINE bool run(struct states *states, struct thread *thread,
			      struct goroutine *goroutine, struct event *event,
			      const bool careful)
{
	struct origin origin = take_pending(states, goroutine, event, careful);
	bool framed = false;

	if (goroutine->is_new) {
		event->stack = goroutine->first_stack;
		framed = goroutine->first_framed;
		goroutine->is_new = false;
	}
	goroutine->status = GO_RUNNING;
	goroutine->sequence.number++;
	bind_goroutine(states, thread, goroutine);
	/* In damaged traces a slice may be left from another goroutine. */
	if (UNLIKELY(has_slice(thread)) &&
	    !end_slice(states, thread, event,
		       framed ? origin_none : slice_origin(thread), careful))
		return false;
	start_slice(states, thread, event, framed, origin, careful);
	return true;
}

static ALWAYS_INLINE enum outcome go_start(struct states *states,
					   struct thread *thread,
					   struct event *event,
					   const bool careful)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_RUNNABLE ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	if (UNLIKELY(thread->p == NO_PROC || thread->g != NO_GOROUTINE))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	if (UNLIKELY(!run(states, thread, goroutine, event, careful)))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

/*
 * The goroutine of THREAD stops running by EVENT, and has STATUS then. Returns
 * false as end_slice() does.
 */
static ALWAYS_INLINE bool leave(struct states *states, struct thread *thread,
				struct event *event, enum go_status status,
				const bool careful)
{
	struct origin origin = origin_none;

	thread->goroutine->status = (uint8_t)status;
	if (LIKELY(has_slice(thread))) {
		if (!states->framed)
			origin = slice_origin(thread);
		if (UNLIKELY(
			    !end_slice(states, thread, event, origin, careful)))
			return false;
	}
	if (status != GO_ABSENT)
		set_pending(states, thread->goroutine, event, origin, careful);
	unbind_goroutine(states, thread);
	return true;
}

/* GoDestroy, GoStop, GoBlock. */
static ALWAYS_INLINE enum outcome
go_leave(struct states *states, struct thread *thread, struct event *event,
	 enum go_status status, const bool careful)
{
	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	hand_out(states, event);
	if (UNLIKELY(!leave(states, thread, event, status, careful)))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome
go_unblock(struct states *states, struct event *event, const bool careful)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);
	struct origin origin;

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_WAITING ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	goroutine->status = GO_RUNNABLE;
	goroutine->sequence.number++;
	hand_out(states, event);
	origin = take_pending(states, goroutine, event, careful);
	set_pending(states, goroutine, event, origin, careful);
	return ADVANCED;
}

/* Makes an event of TYPE, without arguments, by THREAD in the place of EVENT.
 */
static ALWAYS_INLINE void make_event(const struct thread *thread,
				     struct event *made,
				     const struct event *event,
				     enum event_type type)
{
	made->offset = event->offset;
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
	  enum go_status status, const bool careful)
{
	struct event *left = &event[1], *start = &event[2];
	struct goroutine *next;
	struct origin origin;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	next = find_goroutine(states, event->args[0]);
	if (UNLIKELY(next == NULL || next->status != GO_WAITING ||
		     !follows(states, &next->sequence, event->args[1])))
		return WAITS;
	hand_out(states, event);
	origin = take_pending(states, next, event, careful);
	set_pending(states, next, event, origin, careful);
	make_event(thread, left, event,
		   status == GO_ABSENT ? EV_GO_DESTROY : EV_GO_BLOCK);
	hand_out(states, left);
	if (UNLIKELY(!leave(states, thread, left, status, careful)))
		return gti_v2_fail_memory(states);
	make_event(thread, start, event, EV_GO_START);
	start->args[0] = event->args[0];
	start->args[1] = event->args[1];
	hand_out(states, start);
	if (UNLIKELY(!run(states, thread, next, start, careful)))
		return gti_v2_fail_memory(states);
	states->count = 3;
	return ADVANCED;
}

/* ---------------------------------------------------------- system calls -- */

static ALWAYS_INLINE enum outcome syscall_begin(struct states *states,
						struct thread *thread,
						struct event *event,
						const bool careful)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(!follows(states, &processor->sequence, event->args[0])))
		return gti_v2_fail(
			states, event,
			"it has the number %" PRIu64 " on processor %" PRId64
			", which does not follow %" PRIu64,
			event->args[0], thread->p, processor->sequence.number);
	thread->goroutine->status = GO_SYSCALL;
	processor->status = PROC_SYSCALL;
	processor->sequence.number++;
	hand_out(states, event);
	set_pending(states, thread->goroutine, event, origin_none, careful);
	begin_call(states, thread, event, careful);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome syscall_end(struct states *states,
					      struct thread *thread,
					      struct event *event,
					      const bool careful)
{
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL ||
		     thread->p == NO_PROC))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	if (UNLIKELY(thread->processor->status != PROC_SYSCALL))
		return gti_v2_fail_processor(states, thread, event);
	thread->goroutine->status = GO_RUNNING;
	thread->processor->status = PROC_RUNNING;
	hand_out(states, event);
	take_pending(states, thread->goroutine, event, careful);
	end_call(states, thread, event, careful);
	return ADVANCED;
}

/* The thread has lost its processor when the system call ends. */
static ALWAYS_INLINE enum outcome syscall_end_blocked(struct states *states,
						      struct thread *thread,
						      struct event *event,
						      const bool careful)
{
	struct origin origin;

	if (thread->processor->status == PROC_SYSCALL)
		return WAITS;
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	thread->goroutine->status = GO_RUNNABLE;
	hand_out(states, event);
	origin = take_pending(states, thread->goroutine, event, careful);
	set_pending(states, thread->goroutine, event, origin, careful);
	unbind_goroutine(states, thread);
	return ADVANCED;
}

/* ---------------------------------------------------------------- switch -- */

/*
 * A rare event of THREAD. If it advances, the states->count first ones of
 * states->events are to be handed out. FAILED: states->error is filled, unless
 * the observer ended the pass.
 */
enum outcome gti_v2_step_rare(struct states *states, struct thread *thread,
			      struct event *event);

/* The same for events that neither a processor nor a goroutine changes by. */
enum outcome gti_v2_step_range(struct states *states, struct thread *thread,
			       struct event *event);

/* Reads the values of an event with the line LINE of the table. */
#define READ_LINE(line)                                                        \
	do {                                                                   \
		p = read_values(states, p, place->end, line, event, !careful,  \
				&bad);                                         \
		if (careful)                                                   \
			states->withheld |= bad;                               \
		else if (UNLIKELY(bad))                                        \
			return FAILED;                                         \
		*end = p;                                                      \
	} while (0)

/* The same for a type that is known to the compiler, and for any. */
#define READ(id)                                                               \
	do {                                                                   \
		event->type = EV_##id;                                         \
		READ_LINE(LINE_##id);                                          \
	} while (0)
#define READ_RARE()                                                            \
	do {                                                                   \
		event->type = gti_v2_types[byte];                              \
		READ_LINE(gti_v2_lines[event->type]);                          \
	} while (0)

/*
 * If OUTCOME is ADVANCED, passes the events of the step of THREAD to the
 * analysis of stops. TYPE is that of the first one, EV_NONE if it can be any
 * type.
 */
static ALWAYS_INLINE enum outcome tell_stops(struct states *states,
					     const struct thread *thread,
					     enum event_type type,
					     enum outcome outcome)
{
	if (outcome == ADVANCED &&
	    UNLIKELY(!stops_take(states, thread->processor, type)))
		return FAILED;
	return outcome;
}

/* Returns the outcome of STEP, of an event of a type that is known. */
#define STEP(id, step)                                                         \
	do {                                                                   \
		READ(id);                                                      \
		if (!stops)                                                    \
			return step;                                           \
		return tell_stops(states, thread, EV_##id, step);              \
	} while (0)

/* The same of an event of which stops_take() does not know the type. */
#define STEP_RARE(step)                                                        \
	do {                                                                   \
		if (!stops)                                                    \
			return step;                                           \
		return tell_stops(states, thread, EV_NONE, step);              \
	} while (0)

/*
 * Tries the event of THREAD at PLACE, with the outcomes of gti_v2_step_rare().
 * Sets *END to the byte after it. A pass that is not CAREFUL fails, without a
 * message, if a value or an id is bad; the event must be easy then. With STOPS
 * the analysis of stops of the world is told of it; a pass that is not careful
 * needs that.
 */
static ALWAYS_INLINE enum outcome
try_event(struct states *states, struct thread *thread,
	  const struct place *place, const uint8_t **end, const bool careful,
	  const bool stops)
{
	struct event *event = &states->events[0];
	const uint8_t *p = place->values;
	uint8_t byte = *place->type;
	bool bad = false;

	event->offset =
		(uint64_t)(place->type - states->generation->source->data);
	states->written = place->time;
	event->m = thread->m;
	event->p = thread->p;
	event->g = thread->g;
	thread->known = true;
	if (careful)
		states->count = 1;
	switch (byte) {
	case BYTE_PROC_START:
		STEP(PROC_START, proc_start(states, thread, event));
	case BYTE_PROC_STOP:
		STEP(PROC_STOP, proc_stop(states, thread, event));
	case BYTE_GO_CREATE:
		STEP(GO_CREATE,
		     go_create(states, thread, event, GO_RUNNABLE, careful));
	case BYTE_GO_START:
		STEP(GO_START, go_start(states, thread, event, careful));
	case BYTE_GO_DESTROY:
		STEP(GO_DESTROY,
		     go_leave(states, thread, event, GO_ABSENT, careful));
	case BYTE_GO_STOP:
		STEP(GO_STOP,
		     go_leave(states, thread, event, GO_RUNNABLE, careful));
	case BYTE_GO_BLOCK:
		STEP(GO_BLOCK,
		     go_leave(states, thread, event, GO_WAITING, careful));
	case BYTE_GO_UNBLOCK:
		STEP(GO_UNBLOCK, go_unblock(states, event, careful));
	case BYTE_GO_SYSCALL_BEGIN:
		STEP(GO_SYSCALL_BEGIN,
		     syscall_begin(states, thread, event, careful));
	case BYTE_GO_SYSCALL_END:
		STEP(GO_SYSCALL_END,
		     syscall_end(states, thread, event, careful));
	case BYTE_GO_SYSCALL_END_BLOCKED:
		STEP(GO_SYSCALL_END_BLOCKED,
		     syscall_end_blocked(states, thread, event, careful));
	case BYTE_GO_SWITCH:
		STEP(GO_SWITCH,
		     go_switch(states, thread, event, GO_WAITING, careful));
	case BYTE_PROC_STATUS:
		READ(PROC_STATUS);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_PROC_STEAL:
		READ(PROC_STEAL);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_GO_STATUS:
		READ(GO_STATUS);
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_HEAP_ALLOC:
		STEP(HEAP_ALLOC, gti_v2_step_range(states, thread, event));
	case BYTE_USER_TASK_BEGIN:
		STEP(USER_TASK_BEGIN, gti_v2_step_range(states, thread, event));
	case BYTE_USER_TASK_END:
		STEP(USER_TASK_END, gti_v2_step_range(states, thread, event));
	case BYTE_USER_REGION_BEGIN:
		STEP(USER_REGION_BEGIN,
		     gti_v2_step_range(states, thread, event));
	case BYTE_USER_REGION_END:
		STEP(USER_REGION_END, gti_v2_step_range(states, thread, event));
	case BYTE_USER_LOG:
		STEP(USER_LOG, gti_v2_step_range(states, thread, event));
	case BYTE_GO_STATUS_STACK:
	case BYTE_GO_CREATE_SYSCALL:
	case BYTE_GO_DESTROY_SYSCALL:
	case BYTE_GO_CREATE_BLOCKED:
	case BYTE_GO_SWITCH_DESTROY:
	case BYTE_CLOCK_SNAPSHOT:
		READ_RARE();
		STEP_RARE(gti_v2_step_rare(states, thread, event));
	case BYTE_PROCS_CHANGE:
	case BYTE_STW_BEGIN:
	case BYTE_STW_END:
		READ_RARE();
		STEP_RARE(gti_v2_step_range(states, thread, event));
	default: /* the analysis of stops needs none of these */
		READ_RARE();
		return gti_v2_step_range(states, thread, event);
	}
}

#undef STEP_RARE
#undef STEP
#undef READ_RARE
#undef READ
#undef READ_LINE

#endif /* GTRACE_V2_STEPS_H_ */
