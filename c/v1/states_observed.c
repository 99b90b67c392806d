/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_observed.c - reports transitions to the analyses of waits, silences
 * and blocks.
 */
#include "base/least.h"
#include "v1/states.h"

/* ----------------------------------------------------------------- waits -- */

/* See struct waits_format. */
static void each_running(const void *context,
			 void (*take)(void *to, struct slice_wait *wait,
				      uint64_t serial),
			 void *to)
{
	const struct states *states = context;
	uint32_t slot;

	for (slot = 0; slot <= states->processor_slots; slot++) {
		const struct processor_state *p = &states->processors[slot];
		struct goroutine *g = NULL;

		if (p->serial != 0)
			g = goroutines_look(states->goroutines, p->g);
		if (g != NULL && g->waits != NULL)
			take(to, &g->waits->slice, p->serial);
	}
}

static size_t
each_waiter(const void *context,
	    void (*take)(void *to, struct waiter *waiter, uint64_t g), void *to)
{
	const struct states *states = context;
	uint32_t i;

	for (i = 0; i < states->goroutine_waits.used; i++) {
		struct goroutine_waits *waits =
			gti_pool_at(&states->goroutine_waits, i);

		if (waits_is_waiting(&waits->waiter))
			take(to, &waits->waiter, waits->g);
	}
	return states->goroutine_waits.used;
}

/* What the analysis of waits keeps of G. NULL: there is no memory. */
static struct goroutine_waits *waits_of(struct states *states,
					struct goroutine *g)
{
	if (LIKELY(g->waits != NULL))
		return g->waits;
	g->waits = gti_pool_take(&states->goroutine_waits);
	if (g->waits != NULL)
		g->waits->g = g->id;
	else
		states->waits->failed = true;
	return g->waits;
}

bool gti_states_find_exits(struct states *states)
{
	return gti_exits_find(&states->exits, states->index);
}

void gti_states_exit(struct states *states)
{
	while (states->exits.ticks <= states->last_ticks) {
		int64_t now = waits_time(states->waits, states->exits.ticks);
		uint64_t id = gti_exits_take(&states->exits);
		struct goroutine *g = goroutines_look(states->goroutines, id);
		struct goroutine_waits *own =
			g != NULL ? waits_of(states, g) : NULL;

		if (own == NULL || waits_is_waiting(&own->waiter))
			continue;
		/* If the exit is not merged, the event is not known. */
		own->waiter.ready = (struct event_ref){.type = EV_NONE};
		waits_begin(states->waits, &own->waiter, EV_GO_SYS_EXIT, now);
		states_move(states, g, LEVEL_RUNNABLE, now);
	}
}

/* G is in STATE, enum life_state, from EVENT on. */
static void be(const struct states *states, struct goroutine *g, unsigned state,
	       const struct event *event)
{
	if (states->blocks != NULL)
		lives_go_on(&states->blocks->lives, &g->block.life, state,
			    event->ticks);
}

/* Up to the first event that starts a processor, the trace lists goroutines. */
void gti_states_ready(struct states *states, struct goroutine *g,
		      const struct event *event, struct origin origin)
{
	struct goroutine_waits *own;
	uint32_t row = event->type;
	int64_t now;

	be(states, g, LIFE_READY, event);
	if (states->waits == NULL)
		return;
	own = waits_of(states, g);
	now = present_time(states);
	if (own == NULL)
		return;
	if (event->type == EV_GO_CREATE && !states->proc_started)
		row = WAIT_BEFORE;
	if (event->type == EV_GO_SYS_EXIT && waits_is_waiting(&own->waiter))
		states_know_ready(states, own, event, origin);
	else
		states_begin_wait(states, own, event, row, origin, now);
	states_move(states, g, LEVEL_RUNNABLE, now);
	if (UNLIKELY(g->works))
		gti_work_ready(states->collections, g->id, now);
}

void gti_states_take_back(struct states *states, struct goroutine *g,
			  const struct event *event)
{
	if (states->waits == NULL || g->waits == NULL)
		return;
	gti_waits_take_back(states->waits, &g->waits->waiter,
			    present_time(states));
	if (event->type != EV_GO_END && event->type != EV_GO_STOP)
		return;
	gti_pool_give(&states->goroutine_waits, g->waits);
	g->waits = NULL;
}

/* The first goroutine to start is the one that starts the trace: it ran. */
static bool ran_before(struct states *states, const struct waiter *waiter)
{
	bool first = !states->go_started;

	states->go_started = true;
	return first && states->proc_started &&
	       waiter->ready.type == EV_GO_CREATE;
}

static void observe_ran(struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct goroutine_waits *own = waits_of(states, g);
	int64_t now = present_time(states);

	if (own == NULL)
		return;
	if (ran_before(states, &own->waiter))
		gti_states_take_back(states, g, event);
	waits_start(states->waits, &own->waiter, &own->slice, g->id,
		    event->ticks, event->p, now);
	if (LIKELY(states->sched == NULL))
		return;
	states_move(states, g, LEVEL_RUNNING, now);
	states->sched->starts++;
	if (UNLIKELY(g->works))
		gti_work_start(states->collections, g->id, now);
}

bool gti_states_started(struct states *states, struct goroutine *g,
			const struct event *event)
{
	g->pending.type = EV_NONE;
	be(states, g, LIFE_RUNS, event);
	if (states->waits != NULL)
		observe_ran(states, g, event);
	return true;
}

void gti_states_init_waits(struct states *states)
{
	const struct waits_format format = {
		.each_running = each_running,
		.each_waiter = each_waiter,
		.context = states,
	};

	states->goroutine_waits = (struct pool){
		.memory = states->memory,
		.size = sizeof(struct goroutine_waits),
	};
	if (states->waits != NULL)
		gti_waits_start(states->waits, &format, true);
}

/* ---------------------------------------------------------------- slices -- */

/* EVENT takes G off its processor, and leaves it in STATE NOW. */
static void observe_left(const struct states *states, struct goroutine *g,
			 const struct event *event, enum state state,
			 int64_t now)
{
	bool parked = event->type == EV_GO_STOP ||
		      (state == WAITING && event->type != EV_GO_SYS_BLOCK);
	enum sched_level level = LEVEL_NONE;

	if (parked)
		level = LEVEL_WAITING;
	else if (state == WAITING)
		/* The exit of a call may have the time of its begin. */
		level = waits_is_waiting(&g->waits->waiter) ? LEVEL_RUNNABLE
							    : LEVEL_SYSCALLS;
	else if (state == RUNNABLE)
		level = LEVEL_RUNNABLE;
	states_move(states, g, level, now);
	if (state == DEAD)
		g->level = 0;
	if (UNLIKELY(g->works))
		gti_work_leave(states->collections, g->id, parked, now);
}

/* The walk back from EVENT, which takes G off its processor. */
static struct origin leave_origin(const struct states *states,
				  const struct goroutine *g,
				  const struct event *event)
{
	if (has_dense_frames(states, event) || has_frames(states, event->stack))
		return origin_none;
	return event->type == EV_GO_END ? origin_of_end(states, g)
					: origin_from_start(states, g);
}

void gti_states_end_waited(struct states *states, struct goroutine *g,
			   const struct event *event, enum state state)
{
	struct ended_slice *easy;
	struct origin origin;
	bool matters;
	int64_t now;

	if (g->waits == NULL)
		return; /* there is no memory */
	now = present_time(states);
	if (UNLIKELY(states->sched != NULL))
		observe_left(states, g, event, state, now);
	matters = waits_slice_ends(states->waits, &g->waits->slice, &easy, now);
	if (!matters && state != RUNNABLE)
		return;
	origin = leave_origin(states, g, event);
	if (easy != NULL)
		observe_ended_slice(easy, &g->slice, g->slice.start.p, g->id,
				    event, origin);
	else if (matters)
		gti_observe_waited(states->observer, &g->slice, states_owner(g),
				   event, origin);
	if (state == RUNNABLE)
		states_begin_wait(states, g->waits, event, event->type, origin,
				  now);
}

/* --------------------------------------------------------------- silence -- */

/* See gti_observe_silence(). */
static void walk(const void *context, struct silence *silence)
{
	const struct states *states = context;
	uint32_t slot;

	for (slot = 0; slot < states->processor_slots; slot++) {
		const struct processor_state *p = &states->processors[slot];
		struct goroutine *g = NULL;

		if (p->g != 0)
			g = goroutines_look(states->goroutines, p->g);
		/* A pseudo processor has no slice of its own. */
		if (g != NULL && g->state == RUNNING &&
		    g->slice.start.p == p->stop->p)
			gti_observe_silent(silence, &g->slice,
					   p->stop->in_call);
	}
}

/* The time of the next exit that the file tells of and was not passed. */
static int64_t next_exit(struct states *states)
{
	if (states->late_exits && !gti_states_find_exits(states))
		states->observer->stops->failed = true;
	states->late_exits = false;
	if (states->waits != NULL)
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
	struct machine *machine = states->observer->machine;
	int64_t last = states->last_ticks, ticks = event->ticks, next;

	for (; last < ticks && last != INT64_MIN; last = next) {
		next = least_of(next_exit(states), ticks);
		if (machine_listens(machine, last, next) &&
		    gti_machine_spend(machine, states->processor_slots))
			gti_observe_silence(states->observer, last, next,
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
	return gti_states_step(context, event);
}

/* ---------------------------------------------------------------- blocks -- */

/* What the analysis of blocks needs of EVENT. */
struct block_event gti_states_block_event(const struct event *event)
{
	return (struct block_event){
		.offset = event->offset,
		.ticks = event->ticks,
		.stack = event->stack,
		.type = event->type,
		.call = event->type == EV_GO_SYS_CALL ||
			event->type == EV_GO_IN_SYSCALL,
		.keeps = event->type == EV_GO_SYS_CALL,
	};
}

void gti_states_block(const struct states *states, struct goroutine *g,
		      const struct event *event)
{
	struct blocks *blocks = states->blocks;
	struct block_event began = gti_states_block_event(event);

	if (blocks == NULL)
		return;
	if (event->type != EV_GO_WAITING && event->type != EV_GO_IN_SYSCALL)
		gti_blocks_begin(blocks, &g->block, began);
	else
		gti_blocks_begin_before(blocks, &g->block, began);
	if (event->type == EV_GO_IN_SYSCALL)
		gti_blocks_lose(blocks, &g->block, event->ticks);
}

void gti_states_begin(const struct states *states, struct goroutine *g)
{
	if (states->blocks == NULL)
		return;
	gti_blocks_life(states->blocks, &g->block, g->id);
	gti_blocks_root(states->blocks, &g->block, g->first_stack);
}

void gti_states_unblock(const struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct block_event ended = gti_states_block_event(event);

	if (states->blocks == NULL)
		return;
	ended.ends = true;
	ended.g = event->g;
	gti_blocks_end(states->blocks, &g->block, g->id, ended,
		       event->type == EV_GO_UNBLOCK && event->g != 0);
}

void gti_states_end(const struct states *states, struct goroutine *g,
		    const struct event *event)
{
	if (event->type == EV_GO_STOP)
		gti_blocks_forever(states->blocks, &g->block, g->id,
				   gti_states_block_event(event));
	else
		gti_blocks_drop(states->blocks, &g->block, event->ticks);
}
