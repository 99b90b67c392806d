/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_observed.c - reports transitions to the analyses of waits, silences
 * and blocks.
 */
#include "base/least.h"
#include "v1/states.h"

/* ----------------------------------------------------------------- waits -- */

/* What the analysis of waits keeps of G. NULL: there is no memory. */
static struct waiter *waiter_of(struct states *states, struct goroutine *g)
{
	if (LIKELY(g->waiter != NULL))
		return g->waiter;
	g->waiter = gti_pool_take(&states->waiters);
	if (g->waiter == NULL)
		states->to.waits->failed = true;
	return g->waiter;
}

bool gti_states_find_exits(struct states *states)
{
	return gti_exits_find(&states->exits, states->index);
}

void gti_states_exit(struct states *states)
{
	while (states->exits.ticks <= states->last_ticks) {
		int64_t now = waits_time(states->to.waits, states->exits.ticks);
		uint64_t id = gti_exits_take(&states->exits);
		struct goroutine *g = goroutines_look(states->goroutines, id);
		struct waiter *own = g != NULL ? waiter_of(states, g) : NULL;

		if (own == NULL || waits_is_waiting(own))
			continue;
		/* If the exit is not merged, the event is not known. */
		own->ready = (struct event_ref){.type = EV_NONE};
		waits_begin(states->to.waits, own, id, EV_GO_SYS_EXIT, now);
	}
}

/* Up to the first event that starts a processor, the trace lists goroutines. */
void gti_states_ready(struct states *states, struct goroutine *g,
		      const struct event *event, struct origin origin)
{
	uint32_t row = event->type;
	struct waiter *waiter;
	struct step step;

	if (states->to.waits == NULL || waiter_of(states, g) == NULL)
		return;
	waiter = g->waiter;
	step = step_of(states, g, event);
	if (event->type == EV_GO_CREATE && !states->proc_started)
		row = WAIT_BEFORE;
	if (event->type == EV_GO_SYS_EXIT && waits_is_waiting(waiter)) {
		/* It began with the exit, before this event. */
		event_ref_set(&waiter->ready, event, origin);
		waiter->order = ++states->readies;
	} else {
		states_wait(states, g, step, row, origin);
	}
}

void gti_states_take_back(struct states *states, struct goroutine *g,
			  const struct event *event)
{
	if (states->to.waits == NULL || g->waiter == NULL)
		return;
	gti_waits_take_back(states->to.waits, g->waiter,
			    present_time(states));
	if (event->type != EV_GO_END && event->type != EV_GO_STOP)
		return;
	gti_pool_give(&states->waiters, g->waiter);
	g->waiter = NULL;
}

void gti_states_recast(struct states *states, struct goroutine *g,
		       const struct event *event)
{
	const struct waiter *own = g->waiter;

	if (!g->fresh)
		return;
	g->fresh = 0;
	states->recast = true;
	if (own != NULL && waits_is_waiting(own))
		gti_states_take_back(states, g, event);
}

void gti_states_ran_before(struct states *states, struct goroutine *g,
			   const struct event *event)
{
	if (!states->go_started && states->proc_started)
		gti_states_recast(states, g, event);
	states->go_started = true;
	g->fresh = 0;
}

void gti_states_started(struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct waiter *own = waiter_of(states, g);
	struct step step = step_of(states, g, event);
	struct slice_wait *slice = &g->slice->wait;
	struct waits *waits = states->to.waits;

	if (own == NULL) { /* the slice still has to end */
		waits_slice(waits, slice, g->slice->serial,
			    waits_busy(waits, step.now, false));
		return;
	}
	waits_start(waits, own, slice, g->slice->serial, event->ticks,
		    event->p, step.now);
}

void gti_states_init_waits(struct states *states)
{
	states->waiters = (struct pool){
		.memory = states->memory,
		.size = sizeof(struct waiter),
	};
	if (states->to.waits != NULL)
		gti_waits_start(states->to.waits, true);
}

/* --------------------------------------------------------------- silence -- */

/* See gti_observe_silence(). */
static void walk(const void *context, const struct silence_walk *silence)
{
	const struct states *states = context;
	uint32_t slot;

	for (slot = 0; slot < states->processor_slots; slot++) {
		const struct processor_state *p = &states->processors[slot];
		struct goroutine *g = running_on(states, p);

		/* A pseudo processor has no slice of its own. */
		if (g != NULL &&
		    slice_start(g)->p == index_stream(states->index, slot)->p)
			gti_observe_silent(silence, g->slice, -1);
	}
}

/* The time of the next exit that the file tells of and was not passed. */
static int64_t next_exit(struct states *states)
{
	if (states->late_exits && !gti_states_find_exits(states))
		gti_states_fail_memory(states);
	states->late_exits = false;
	if (states->to.waits != NULL)
		present_time(states);
	while (states->exits.ticks <= states->last_ticks)
		gti_exits_take(&states->exits);
	return states->exits.ticks;
}

/*
 * Whether EVENT shows that the one goroutine that ran before it had not stopped
 * the world: while it has, no processor starts and the runtime preempts
 * nothing, and EvGomaxprocs comes before all that goes on afterwards.
 */
static bool goes_on(const struct event *event)
{
	return event->type == EV_PROC_START || event->type == EV_GO_PREEMPT ||
	       event->type == EV_GO_SCHED;
}

/* No record has a time between those of the last event and of EVENT. */
static NOINLINE void listen(struct states *states, const struct event *event)
{
	struct machine *machine = states->to.observer->machine;
	int64_t last = states->last_ticks, ticks = event->ticks, next;

	for (; last < ticks && last != INT64_MIN; last = next) {
		next = least_of(next_exit(states), ticks);
		if (machine_listens(machine, last, next) &&
		    gti_machine_spend(machine, states->processor_slots))
			gti_observe_silence(states->to.observer, last, next,
					    next == ticks && goes_on(event),
					    walk, states);
		states->last_ticks = next;
	}
}

bool gti_states_listen(void *context, struct event *event)
{
	struct states *states = context;

	if (UNLIKELY((uint64_t)event->ticks - (uint64_t)states->last_ticks >
		     states->silence))
		listen(states, event);
	return gti_states_learn(context, event);
}
