/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.c - records the transitions of events in the stream. */
#include "v1/states.h"

/* What an event of a type is in the stream; TRANSITION_OTHER if not listed. */
static const struct {
	uint8_t kind;
	uint8_t target; /* it is of the goroutine in args[0] */
	uint8_t arg;    /* number of the argument that matters, plus one */
	uint8_t flags;
} lines[EVENT_TYPES] = {
	[EV_GOMAXPROCS] = {TRANSITION_PROCS, 0, 1, 0},
	[EV_PROC_START] = {TRANSITION_HOLD, 0, 1, 0},
	[EV_PROC_STOP] = {TRANSITION_GIVE_UP, 0, 0, 0},
	[EV_GC_START] = {TRANSITION_COLLECT, 0, 0, 0},
	[EV_GC_DONE] = {TRANSITION_COLLECT_END, 0, 0, 0},
	[EV_STW_START] = {TRANSITION_STOP, 0, 1, 0},
	[EV_STW_DONE] = {TRANSITION_STOP_END, 0, 0, 0},
	[EV_GC_SWEEP_START] = {TRANSITION_SWEEP, 0, 0, 0},
	[EV_GC_SWEEP_DONE] = {TRANSITION_SWEEP_END, 0, 0, 0},
	[EV_GO_CREATE] = {TRANSITION_CREATE, 1, 0, 0},
	[EV_GO_START] = {TRANSITION_START, 0, 0, 0},
	[EV_GO_START_LABEL] = {TRANSITION_START, 0, 0, TRANSITION_LABELLED},
	[EV_GO_END] = {TRANSITION_END, 0, 0, 0},
	[EV_GO_STOP] = {TRANSITION_BLOCK, 0, 0, TRANSITION_FOR_EVER},
	[EV_GO_SCHED] = {TRANSITION_PREEMPT, 0, 0, 0},
	[EV_GO_PREEMPT] = {TRANSITION_PREEMPT, 0, 0, 0},
	[EV_GO_SLEEP] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_SEND] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_RECV] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_SELECT] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_SYNC] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_COND] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_NET] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_BLOCK_GC] = {TRANSITION_BLOCK, 0, 0, 0},
	[EV_GO_UNBLOCK] = {TRANSITION_READY, 1, 0, 0},
	[EV_GO_SYS_CALL] = {TRANSITION_CALL, 0, 0, TRANSITION_MAY_BE_CALL},
	[EV_GO_SYS_BLOCK] = {TRANSITION_LOSE, 0, 0, 0},
	[EV_GO_SYS_EXIT] = {TRANSITION_RETURN_READY, 0, 0, 0},
	[EV_GO_WAITING] = {TRANSITION_STATUS, 0, 0, 0},
	[EV_GO_IN_SYSCALL] = {TRANSITION_STATUS, 0, 0, 0},
	[EV_HEAP_ALLOC] = {TRANSITION_HEAP, 0, 1, 0},
	[EV_HEAP_GOAL] = {TRANSITION_GOAL, 0, 1, 0},
	[EV_GC_MARK_ASSIST_START] = {TRANSITION_ASSIST, 0, 0, 0},
	[EV_GC_MARK_ASSIST_DONE] = {TRANSITION_ASSIST_END, 0, 0, 0},
	[EV_USER_TASK_CREATE] = {TRANSITION_TASK, 0, 1, 0},
	[EV_USER_TASK_END] = {TRANSITION_TASK_END, 0, 1, 0},
	[EV_USER_REGION] = {TRANSITION_REGION, 0, 3, 0},
	[EV_CPU_SAMPLE] = {TRANSITION_SAMPLE, 0, 0, 0},
};

void gti_states_init_feed(struct states *states)
{
	struct feed *feed = states->to.feed;
	uint32_t slot;

	/* So the slot of a processor is one more than that of its stream. */
	for (slot = 0; slot < states->processor_slots; slot++)
		feed->failed |= gti_actors_take(&feed->processors,
						(uint64_t)index_stream(
							states->index, slot)
							->p) == 0;
	feed->failed |=
		gti_actors_take(&feed->processors, PROCESSOR_SYSCALL) == 0;
}

/* The slot of G, which can be NULL. Goroutine 0 is none. */
static uint32_t slot_of(struct feed *feed, struct goroutine *g)
{
	if (g == NULL || g->id == 0)
		return 0;
	return feed_slot(feed, &feed->goroutines, &g->slot, g->id);
}

/* Adds to TO, of EVENT, what depends on more than the type. */
static void set_details(struct states *states, const struct event *event,
			struct transition *to)
{
	const struct goroutine *created = event->target_record;

	switch (to->kind) {
	case TRANSITION_CREATE:
		to->arg = created->first_stack;
		if (!states->proc_started)
			to->flags |= TRANSITION_BEFORE;
		break;
	case TRANSITION_STATUS:
		to->arg = event->type == EV_GO_WAITING ? GOROUTINE_BLOCKED
						       : GOROUTINE_IN_CALL;
		to->by = 0;
		if (to->arg == GOROUTINE_IN_CALL)
			to->flags |= TRANSITION_LOSES;
		break;
	case TRANSITION_START:
	case TRANSITION_RETURN_READY:
		to->by = 0;
		break;
	case TRANSITION_READY:
		if (event->p == PROCESSOR_NETPOLL)
			to->flags |= TRANSITION_BY_NETWORK;
		break;
	case TRANSITION_SAMPLE:
		to->arg = (uint64_t)event->p;
		break;
	case TRANSITION_REGION:
		if (event->args[1] != 0)
			to->kind = TRANSITION_REGION_END;
		break;
	case TRANSITION_STOP:
	case TRANSITION_STOP_END:
		if (states->index->rules.version < VERSION_STW_KIND)
			to->kind = TRANSITION_OTHER;
		break;
	default:
		break;
	}
}

/* Adds EVENT, after its step, to the stream. */
static void record(struct states *states, const struct event *event)
{
	struct goroutine *g = event->g_record;
	struct feed *feed = states->to.feed;
	unsigned arg = lines[event->type].arg;
	struct transition to = {
		.now = states->last_ticks,
		.written = event->ticks,
		.offset = event->offset,
		.stack = has_frames(states, event->stack) ? event->stack : 0,
		.arg = arg != 0 ? event->args[arg - 1] : 0,
		.g = slot_of(feed, g),
		.p = event->p_slot + 1,
		.kind = lines[event->type].kind,
		.type = (uint8_t)event->type,
		.flags = lines[event->type].flags,
	};

	to.by = to.g;
	if (states->recast)
		to.flags |= TRANSITION_LISTED;
	if (lines[event->type].target)
		to.g = slot_of(feed, event->target_record);
	set_details(states, event, &to);
	feed_record(feed, &to);
	if (to.kind == TRANSITION_TASK) {
		to.kind = TRANSITION_TASK_NAME;
		to.arg = event->args[2];
		feed_record(feed, &to);
	}
	if (to.kind == TRANSITION_END)
		feed_release(feed, to.g);
	if (to.kind == TRANSITION_END || (to.flags & TRANSITION_FOR_EVER) != 0)
		g->slot = 0;
}

bool gti_states_emit(void *context, struct event *event)
{
	struct states *states = context;
	const struct machine *machine = states->to.observer->machine;

	states->recast = false;
	if (!(machine != NULL && machine->hears
		      ? gti_states_listen(states, event)
		      : gti_states_learn(states, event)))
		return false;
	record(states, event);
	return !states->to.observer->ended;
}
