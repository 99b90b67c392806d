/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.c - records the transitions of events in the stream. */
#include "v2/emit.h"

/* Whose the transition is: of the event's own goroutine, or args[0]. */
enum whose { OWN, TARGET };

/* What an event of a type is in the stream; TRANSITION_OTHER if not listed. */
static const struct {
	uint8_t kind;
	uint8_t whose;
	uint8_t arg; /* number of the argument that matters, plus one */
} lines[EVENT_TYPES] = {
	[EV_PROCS_CHANGE] = {TRANSITION_PROCS, OWN, 1},
	[EV_PROC_START] = {TRANSITION_HOLD, OWN, 0},
	[EV_PROC_STOP] = {TRANSITION_GIVE_UP, OWN, 0},
	[EV_PROC_STEAL] = {TRANSITION_STEAL, OWN, 0},
	[EV_PROC_STATUS] = {TRANSITION_PROC_STATUS, OWN, 2},
	[EV_GO_CREATE] = {TRANSITION_CREATE, TARGET, 0},
	[EV_GO_CREATE_BLOCKED] = {TRANSITION_CREATE_BLOCKED, TARGET, 0},
	[EV_GO_CREATE_SYSCALL] = {TRANSITION_CREATE_IN_CALL, TARGET, 0},
	[EV_GO_START] = {TRANSITION_START, TARGET, 0},
	[EV_GO_DESTROY] = {TRANSITION_END, OWN, 0},
	[EV_GO_DESTROY_SYSCALL] = {TRANSITION_END_IN_CALL, OWN, 0},
	[EV_GO_STOP] = {TRANSITION_PREEMPT, OWN, 1},
	[EV_GO_BLOCK] = {TRANSITION_BLOCK, OWN, 1},
	[EV_GO_UNBLOCK] = {TRANSITION_READY, TARGET, 0},
	[EV_GO_SWITCH] = {TRANSITION_READY, TARGET, 0},
	[EV_GO_SWITCH_DESTROY] = {TRANSITION_READY, TARGET, 0},
	[EV_GO_SYSCALL_BEGIN] = {TRANSITION_CALL, OWN, 0},
	[EV_GO_SYSCALL_END] = {TRANSITION_RETURN, OWN, 0},
	[EV_GO_SYSCALL_END_BLOCKED] = {TRANSITION_RETURN_READY, OWN, 0},
	[EV_GO_STATUS] = {TRANSITION_STATUS, TARGET, 0},
	[EV_GO_STATUS_STACK] = {TRANSITION_STATUS, TARGET, 0},
	[EV_STW_BEGIN] = {TRANSITION_STOP, OWN, 1},
	[EV_STW_END] = {TRANSITION_STOP_END, OWN, 0},
	[EV_GC_ACTIVE] = {TRANSITION_COLLECT_ON, OWN, 0},
	[EV_GC_BEGIN] = {TRANSITION_COLLECT, OWN, 0},
	[EV_GC_END] = {TRANSITION_COLLECT_END, OWN, 0},
	[EV_GC_SWEEP_ACTIVE] = {TRANSITION_SWEEP_ON, OWN, 0},
	[EV_GC_SWEEP_BEGIN] = {TRANSITION_SWEEP, OWN, 0},
	[EV_GC_SWEEP_END] = {TRANSITION_SWEEP_END, OWN, 0},
	[EV_GC_MARK_ASSIST_ACTIVE] = {TRANSITION_ASSIST_ON, TARGET, 0},
	[EV_GC_MARK_ASSIST_BEGIN] = {TRANSITION_ASSIST, OWN, 0},
	[EV_GC_MARK_ASSIST_END] = {TRANSITION_ASSIST_END, OWN, 0},
	[EV_HEAP_ALLOC] = {TRANSITION_HEAP, OWN, 1},
	[EV_HEAP_GOAL] = {TRANSITION_GOAL, OWN, 1},
	[EV_GO_LABEL] = {TRANSITION_LABEL, OWN, 1},
	[EV_USER_TASK_BEGIN] = {TRANSITION_TASK, OWN, 1},
	[EV_USER_TASK_END] = {TRANSITION_TASK_END, OWN, 1},
	[EV_USER_REGION_BEGIN] = {TRANSITION_REGION, OWN, 2},
	[EV_USER_REGION_END] = {TRANSITION_REGION_END, OWN, 2},
};

/* The slot of GOROUTINE, which can be NULL. */
static uint32_t slot_of_goroutine(struct feed *feed,
				  struct goroutine *goroutine)
{
	if (goroutine == NULL || goroutine->id == NO_GOROUTINE)
		return 0;
	return feed_slot(feed, &feed->goroutines, &goroutine->sequence.slot,
			 goroutine->id);
}

/* The slot of PROCESSOR, which can be NULL. */
static uint32_t slot_of_processor(struct feed *feed,
				  struct processor *processor)
{
	if (processor == NULL || processor->id == NO_PROC)
		return 0;
	return feed_slot(feed, &feed->processors, &processor->sequence.slot,
			 (uint64_t)processor->id);
}

void gti_v2_emit_before(struct states *states, struct thread *thread)
{
	struct feed *feed = states->to.feed;

	states->before.m =
		thread->m == NO_THREAD
			? 0
			: feed_slot(feed, &feed->threads, &thread->slot,
				    (uint64_t)thread->m);
	states->before.p = slot_of_processor(feed, thread->processor);
	states->before.g = slot_of_goroutine(feed, thread->goroutine);
}

static enum goroutine_state state_of(uint64_t status)
{
	static const uint8_t states[GO_STATUSES] = {
		[GO_RUNNABLE] = GOROUTINE_READY,
		[GO_RUNNING] = GOROUTINE_RUNS,
		[GO_SYSCALL] = GOROUTINE_IN_CALL,
		[GO_WAITING] = GOROUTINE_BLOCKED,
	};

	return (enum goroutine_state)states[status & STATUS_MASK];
}

/* Adds to TO what is of the goroutine that EVENT names. */
static void set_target(struct states *states, const struct event *event,
		       struct transition *to)
{
	struct goroutine *target = find_goroutine(states, event->args[0]);

	if (!exists(target))
		return; /* a damaged trace has ended it by the same event */
	if (to->kind == TRANSITION_STATUS)
		to->arg = state_of(event->args[2]);
	if (to->kind == TRANSITION_STATUS && target->sequence.slot == 0)
		to->flags = TRANSITION_FIRST;
	if (to->kind == TRANSITION_CREATE ||
	    to->kind == TRANSITION_CREATE_BLOCKED)
		to->arg = target->first_stack;
	to->g = slot_of_goroutine(states->to.feed, target);
}

/* Adds to TO what is of the processor that EVENT names. */
static void set_processor(struct states *states, const struct event *event,
			  struct transition *to)
{
	if (event->type == EV_PROC_START || event->type == EV_PROC_STEAL ||
	    event->type == EV_PROC_STATUS || event->type == EV_GC_SWEEP_ACTIVE)
		to->p = slot_of_processor(
			states->to.feed,
			find_processor(states, event->args[0]));
}

void gti_v2_emit(struct states *states, const struct event *event, bool framed)
{
	unsigned arg = lines[event->type].arg;
	struct transition to = {
		.now = event->ticks,
		.written = states->written,
		.offset = event->offset,
		.stack =
			framed || event->type == EV_GO_START ? event->stack : 0,
		.arg = arg != 0 ? event->args[arg - 1] : 0,
		.g = states->before.g,
		.by = states->before.g,
		.m = states->before.m,
		.p = states->before.p,
		.kind = lines[event->type].kind,
		.type = (uint8_t)event->type,
	};

	if (event->type == EV_GO_START)
		to.by = 0;
	if (lines[event->type].whose == TARGET) {
		to.g = 0;
		set_target(states, event, &to);
	}
	set_processor(states, event, &to);
	if (to.kind != TRANSITION_OTHER || to.stack != 0)
		feed_record(states->to.feed, &to);
	if (to.kind == TRANSITION_END || to.kind == TRANSITION_END_IN_CALL)
		feed_release(states->to.feed, to.g);
}

void gti_v2_emit_sample(struct states *states, const struct event *event)
{
	const struct transition to = {
		.now = event->ticks,
		.written = states->written,
		.offset = event->offset,
		.stack = states->framed ? event->stack : 0,
		.kind = TRANSITION_SAMPLE,
		.type = EV_CPU_SAMPLE,
	};
	struct feed *feed = states->to.feed;
	struct transition sample = to;
	struct goroutine *goroutine = find_goroutine(states, event->g);

	if (exists(goroutine))
		sample.by = slot_of_goroutine(feed, goroutine);
	sample.g = sample.by;
	sample.p = slot_of_processor(
		feed, find_processor(states, (uint64_t)event->p));
	feed_record(feed, &sample);
}

void gti_v2_emit_lost(struct states *states, struct goroutine *goroutine)
{
	const struct transition to = {
		.now = states->last_time,
		.written = states->last_time,
		.g = slot_of_goroutine(states->to.feed, goroutine),
		.kind = TRANSITION_END,
	};

	feed_record(states->to.feed, &to);
	feed_release(states->to.feed, to.g);
}
