/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emit.h - records the transitions of events in the stream.
 *
 * An event is recorded after its step. What its thread had before the step is
 * noted when the event is tried. In a pass that is not careful this is inlined
 * for frequent events, whose types are constants.
 */
#ifndef GTRACE_V2_EMIT_H_
#define GTRACE_V2_EMIT_H_

#include "v2/states.h"

/* Whose the transition is: of the event's own goroutine, or args[0]. */
enum emit_whose { EMIT_OWN, EMIT_TARGET };

/* What an event of a type is in the stream; TRANSITION_OTHER if not listed. */
static const struct {
	uint8_t kind;
	uint8_t whose;
	uint8_t arg; /* number of the argument that matters, plus one */
} emit_lines[EVENT_TYPES] = {
	[EV_PROCS_CHANGE] = {TRANSITION_PROCS, EMIT_OWN, 1},
	[EV_PROC_START] = {TRANSITION_HOLD, EMIT_OWN, 0},
	[EV_PROC_STOP] = {TRANSITION_GIVE_UP, EMIT_OWN, 0},
	[EV_PROC_STEAL] = {TRANSITION_STEAL, EMIT_OWN, 0},
	[EV_PROC_STATUS] = {TRANSITION_PROC_STATUS, EMIT_OWN, 0},
	[EV_GO_CREATE] = {TRANSITION_CREATE, EMIT_TARGET, 0},
	[EV_GO_CREATE_BLOCKED] = {TRANSITION_CREATE_BLOCKED, EMIT_TARGET, 0},
	[EV_GO_CREATE_SYSCALL] = {TRANSITION_CREATE_IN_CALL, EMIT_TARGET, 0},
	[EV_GO_START] = {TRANSITION_START, EMIT_TARGET, 0},
	[EV_GO_DESTROY] = {TRANSITION_END, EMIT_OWN, 0},
	[EV_GO_DESTROY_SYSCALL] = {TRANSITION_END_IN_CALL, EMIT_OWN, 0},
	[EV_GO_STOP] = {TRANSITION_PREEMPT, EMIT_OWN, 1},
	[EV_GO_BLOCK] = {TRANSITION_BLOCK, EMIT_OWN, 1},
	[EV_GO_UNBLOCK] = {TRANSITION_READY, EMIT_TARGET, 0},
	[EV_GO_SWITCH] = {TRANSITION_READY, EMIT_TARGET, 0},
	[EV_GO_SWITCH_DESTROY] = {TRANSITION_READY, EMIT_TARGET, 0},
	[EV_GO_SYSCALL_BEGIN] = {TRANSITION_CALL, EMIT_OWN, 0},
	[EV_GO_SYSCALL_END] = {TRANSITION_RETURN, EMIT_OWN, 0},
	[EV_GO_SYSCALL_END_BLOCKED] = {TRANSITION_RETURN_READY, EMIT_OWN, 0},
	[EV_GO_STATUS] = {TRANSITION_STATUS, EMIT_TARGET, 0},
	[EV_GO_STATUS_STACK] = {TRANSITION_STATUS, EMIT_TARGET, 0},
	[EV_STW_BEGIN] = {TRANSITION_STOP, EMIT_OWN, 1},
	[EV_STW_END] = {TRANSITION_STOP_END, EMIT_OWN, 0},
	[EV_GC_ACTIVE] = {TRANSITION_COLLECT_ON, EMIT_OWN, 0},
	[EV_GC_BEGIN] = {TRANSITION_COLLECT, EMIT_OWN, 0},
	[EV_GC_END] = {TRANSITION_COLLECT_END, EMIT_OWN, 0},
	[EV_GC_SWEEP_ACTIVE] = {TRANSITION_SWEEP_ON, EMIT_OWN, 0},
	[EV_GC_SWEEP_BEGIN] = {TRANSITION_SWEEP, EMIT_OWN, 0},
	[EV_GC_SWEEP_END] = {TRANSITION_SWEEP_END, EMIT_OWN, 0},
	[EV_GC_MARK_ASSIST_ACTIVE] = {TRANSITION_ASSIST_ON, EMIT_TARGET, 0},
	[EV_GC_MARK_ASSIST_BEGIN] = {TRANSITION_ASSIST, EMIT_OWN, 0},
	[EV_GC_MARK_ASSIST_END] = {TRANSITION_ASSIST_END, EMIT_OWN, 0},
	[EV_HEAP_ALLOC] = {TRANSITION_HEAP, EMIT_OWN, 1},
	[EV_HEAP_GOAL] = {TRANSITION_GOAL, EMIT_OWN, 1},
	[EV_GO_LABEL] = {TRANSITION_LABEL, EMIT_OWN, 1},
	[EV_USER_TASK_BEGIN] = {TRANSITION_TASK, EMIT_OWN, 1},
	[EV_USER_TASK_END] = {TRANSITION_TASK_END, EMIT_OWN, 1},
	[EV_USER_REGION_BEGIN] = {TRANSITION_REGION, EMIT_OWN, 2},
	[EV_USER_REGION_END] = {TRANSITION_REGION_END, EMIT_OWN, 2},
};

/* ----------------------------------------------------------------- slots -- */

static ALWAYS_INLINE uint32_t emit_goroutine(struct feed *feed,
					     struct goroutine *goroutine)
{
	if (goroutine->id == NO_GOROUTINE)
		return 0;
	return feed_slot(feed, &feed->goroutines, &goroutine->sequence.slot,
			 goroutine->id);
}

static ALWAYS_INLINE uint32_t emit_processor(struct feed *feed,
					     struct processor *processor)
{
	if (processor->id == NO_PROC)
		return 0;
	return feed_slot(feed, &feed->processors, &processor->sequence.slot,
			 (uint64_t)processor->id);
}

/* The slot of thread M, if it has a record. */
static inline uint32_t emit_thread(struct states *states, int64_t m)
{
	struct feed *feed = states->to.feed;
	struct thread *thread = NULL;

	if (m != NO_THREAD)
		thread = ids_find(&states->threads, (uint64_t)m);
	return thread != NULL ? feed_slot(feed, &feed->threads, &thread->slot,
					  (uint64_t)m)
			      : 0;
}

/* An event of THREAD, which it makes with what it has now, is tried. */
static ALWAYS_INLINE void emit_before(struct states *states,
				      struct thread *thread)
{
	struct feed *feed = states->to.feed;

	states->before.m = 0;
	states->loser = 0;
	if (thread->m != NO_THREAD)
		states->before.m =
			feed_slot(feed, &feed->threads, &thread->slot,
				  (uint64_t)thread->m);
	states->before.p = emit_processor(feed, thread->processor);
	states->before.g = emit_goroutine(feed, thread->goroutine);
}

/* ---------------------------------------------------------------- events -- */

static inline enum goroutine_state emit_state(uint64_t status)
{
	static const uint8_t states[GO_STATUSES] = {
		[GO_RUNNABLE] = GOROUTINE_READY,
		[GO_RUNNING] = GOROUTINE_RUNS,
		[GO_SYSCALL] = GOROUTINE_IN_CALL,
		[GO_WAITING] = GOROUTINE_BLOCKED,
	};

	return (enum goroutine_state)states[status & STATUS_MASK];
}

/* Adds to TO, a status, on which processor its goroutine turns out to be. */
static inline void emit_on(const struct states *states, struct transition *to)
{
	if (states->on == 0)
		return;
	to->flags |= TRANSITION_ON;
	to->p = states->on;
}

/* Adds to TO what is of the goroutine that EVENT names. */
static ALWAYS_INLINE void emit_target(struct states *states,
				      const struct event *event,
				      struct transition *to)
{
	struct goroutine *target = find_goroutine(states, event->args[0]);

	to->g = 0;
	if (!exists(target))
		return; /* a damaged trace has ended it by the same event */
	if (to->kind == TRANSITION_STATUS) {
		to->arg = emit_state(event->args[2]);
		to->on = emit_thread(states, event->m);
		emit_on(states, to);
	}
	if (to->kind == TRANSITION_STATUS && target->sequence.slot == 0)
		to->flags |= TRANSITION_FIRST;
	if (to->kind == TRANSITION_CREATE ||
	    to->kind == TRANSITION_CREATE_BLOCKED)
		to->arg = target->first_stack;
	to->g = emit_goroutine(states->to.feed, target);
}

/* Adds to TO what EVENT, the status of PROCESSOR, tells. */
static inline void emit_status(struct states *states, const struct event *event,
			       const struct processor *processor,
			       struct transition *to)
{
	static const uint8_t processors[PROC_STATUSES] = {
		[PROC_RUNNING] = PROCESSOR_RUNS,
		[PROC_IDLE] = PROCESSOR_IDLE,
		[PROC_SYSCALL] = PROCESSOR_IN_CALL,
		[PROC_SYSCALL_ABANDONED] = PROCESSOR_IN_CALL,
	};

	if (states->is_first && processor->sequence.slot == 0)
		to->flags |= TRANSITION_FIRST;
	to->arg = processors[event->args[1] & STATUS_MASK];
	to->on = emit_thread(states, event->m);
}

/* Adds to TO what is of the processor that EVENT, of TYPE, names. */
static ALWAYS_INLINE void emit_named(struct states *states,
				     const struct event *event,
				     const unsigned type, struct transition *to)
{
	struct processor *processor;

	if (type != EV_PROC_START && type != EV_PROC_STEAL &&
	    type != EV_PROC_STATUS && type != EV_GC_SWEEP_ACTIVE)
		return;
	processor = find_processor(states, event->args[0]);
	if (type == EV_PROC_STATUS && processor != NULL)
		emit_status(states, event, processor, to);
	to->p = processor != NULL ? emit_processor(states->to.feed, processor)
				  : 0;
	if (type == EV_PROC_STATUS)
		emit_on(states, to);
}

/* The name of the task that EVENT, which is in the stream, begins. */
void gti_v2_emit_task_name(struct states *states, const struct event *event);

/* Adds to TO that a goroutine has lost its processor by the event, if so. */
void gti_v2_emit_loser(struct states *states, struct transition *to);

/*
 * EVENT, of TYPE, has advanced, see emit_before(). FRAMED says whether its
 * stack has frames. It is in the stream, with what the event changes.
 */
static ALWAYS_INLINE void emit_event(struct states *states,
				     const struct event *event,
				     const unsigned type, bool framed)
{
	const unsigned arg = emit_lines[type].arg;
	struct transition *to = feed_next(states->to.feed);

	*to = (struct transition){
		.now = event->ticks,
		.written = states->written,
		.offset = event->offset,
		.stack = framed || type == EV_GO_START ? event->stack : 0,
		.arg = arg != 0 ? event->args[arg - 1] : 0,
		.g = states->before.g,
		.by = type != EV_GO_START ? states->before.g : 0,
		.m = states->before.m,
		.p = states->before.p,
		.kind = emit_lines[type].kind,
		.type = (uint8_t)type,
	};
	if (emit_lines[type].whose == EMIT_TARGET)
		emit_target(states, event, to);
	emit_named(states, event, type, to);
	if (UNLIKELY(states->loser != 0))
		gti_v2_emit_loser(states, to);
	if (emit_lines[type].kind == TRANSITION_END ||
	    emit_lines[type].kind == TRANSITION_END_IN_CALL)
		feed_release(states->to.feed, to->g);
	feed_commit(states->to.feed);
	if (emit_lines[type].kind == TRANSITION_TASK)
		gti_v2_emit_task_name(states, event);
}

/* emit_event() for any event. */
void gti_v2_emit(struct states *states, const struct event *event, bool framed);

/* EVENT, a CPU sample, is in the stream. */
void gti_v2_emit_sample(struct states *states, const struct event *event);

/* The event that ends GOROUTINE is missing: it has ended with the last event.
 */
void gti_v2_emit_lost(struct states *states, struct goroutine *goroutine);

/*
 * Records the COUNT events at EVENT, of one step, if its OUTCOME is that they
 * have advanced. The first has TYPE, 0 if that is no constant, and is FRAMED or
 * not. Returns OUTCOME, or FAILED if the pass is to end.
 */
static ALWAYS_INLINE enum outcome emit_step(struct states *states,
					    const struct event *event,
					    const unsigned type, unsigned count,
					    bool framed, enum outcome outcome,
					    const enum pass_kind kind)
{
	unsigned i = 0;

	if (pass_feed(&states->to, kind) == NULL || outcome != ADVANCED)
		return outcome;
	if (type != EV_NONE && kind != PASS_CAREFUL) {
		emit_event(states, event, type, framed);
		i = 1;
	}
	for (; i < count; i++) {
		/* So that the event can be in registers before. */
		struct event copy = event[i];

		gti_v2_emit(states, &copy, framed && i == 0);
	}
	return UNLIKELY(states->to.observer->ended) ? FAILED : outcome;
}

#endif /* GTRACE_V2_EMIT_H_ */
