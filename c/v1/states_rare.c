/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_rare.c - the start and the end of the state machine; rare events, and
 * those that are no transition of a goroutine: of processors, garbage
 * collections, user tasks and regions.
 */
#include <inttypes.h>

#include "base/least.h"
#include "base/strings.h"
#include "v1/states.h"

/* -------------------------------------------------------- start and end -- */

/* Returns the least serial of the slices that still run. */
static uint64_t oldest_slice(const void *context)
{
	const struct states *states = context;
	uint64_t oldest = states->observer->slices->started + 1;
	uint32_t slot;

	for (slot = 0; slot < states->processor_slots; slot++) {
		const struct processor_state *p = &states->processors[slot];

		if (p->serial != 0 && p->serial < oldest)
			oldest = p->serial;
	}
	return oldest;
}

/* No event to come is earlier than the last one. */
static int64_t horizon(const void *context)
{
	const struct states *states = context;

	return states->last_ticks;
}

/* Prepares the analysis of stops, if it is wanted. */
static void init_stops(struct states *states)
{
	const struct index *index = states->index;
	struct stops *stops = states->observer->stops;
	unsigned version = index->rules.version;
	uint32_t slot;

	if (stops == NULL)
		return;
	stops->format = (struct stops_format){
		.infers = version < VERSION_STW_NAMES,
		.begins = version >= VERSION_STW_KIND,
		.stack_at_mark = true,
		.preempt = EV_GO_PREEMPT,
		.horizon = horizon,
		.context = states,
	};
	for (slot = 0; slot < states->processor_slots; slot++)
		states->processors[slot].stop = gti_stops_processor(
			stops, index_stream(index, slot)->p);
	states->processors[slot].stop =
		gti_stops_processor(stops, PROCESSOR_SYSCALL);
}

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

/* No record has a time between that of the last event and TICKS. */
static NOINLINE void listen(struct states *states, int64_t ticks)
{
	struct machine *machine = states->observer->machine;
	int64_t last = states->last_ticks, next;

	for (; last < ticks && last != INT64_MIN; last = next) {
		next = least_of(next_exit(states), ticks);
		if (machine_listens(machine, last, next) &&
		    gti_machine_spend(machine, states->processor_slots))
			gti_observe_silence(states->observer, last, next, walk,
					    states);
		states->last_ticks = next;
	}
}

bool gti_states_listen(void *context, struct event *event)
{
	struct states *states = context;

	if (UNLIKELY((uint64_t)event->ticks - (uint64_t)states->last_ticks >
		     states->silence))
		listen(states, event->ticks);
	return gti_states_step(context, event);
}

/* ---------------------------------------------------------------- blocks -- */

/* What the analysis of blocks needs of EVENT. */
static struct block_event block_event(const struct event *event)
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
	struct block_event began = block_event(event);

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
	struct block_event ended = block_event(event);

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
				   block_event(event));
	else
		gti_blocks_drop(states->blocks, &g->block, event->ticks);
}

/* ------------------------------------------------------------------ init -- */

static void init_waits(struct states *states)
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

/* A processor is held, or given up. */
static void observe_held(struct states *states, bool held)
{
	if (states->waits != NULL)
		gti_waits_hold(states->waits, held, present_time(states));
	if (states->sched != NULL)
		gti_sched_move(states->sched, held ? LEVEL_NONE : LEVEL_HELD,
			       held ? LEVEL_HELD : LEVEL_NONE,
			       present_time(states));
}

bool gti_states_init(struct states *states, const struct index *index,
		     const struct goroutines *goroutines,
		     struct observer *observer)
{
	const struct gtrace_allocator *memory = &index->memory;

	*states = (struct states){
		.index = index,
		.memory = memory,
		.observer = observer,
		.waits = observer->waits,
		.blocks = observer->blocks,
		.sched = observer->sched,
		.collections = observer->collections,
		.more = observer->link_count != 0 || observer->stops != NULL ||
			observer->waits != NULL || observer->profile != NULL ||
			observer->blocks != NULL,
		.goroutines = goroutines,
		.is_1_5 = index->rules.version < VERSION_MERGED,
		.processor_slots = (uint32_t)index->streams.count,
		.netpoll_slot = gti_index_stream_of(index, PROCESSOR_NETPOLL),
		.gc_slot = gti_index_stream_of(index, PROCESSOR_GC),
		.regions = {.memory = memory, .size = sizeof(struct region)},
		.tasks = {.memory = memory, .size = sizeof(struct event)},
		.exits = {.ticks = INT64_MAX},
		.last_ticks = INT64_MIN,
	};
	states->processors = gti_allocate_zeroed(
		memory, index->streams.count + 1, sizeof(*states->processors));
	observer->oldest_slice = oldest_slice;
	observer->context = states;
	if (states->processors == NULL)
		return false;
	init_stops(states);
	init_waits(states);
	return true;
}

void gti_states_free(struct states *states)
{
	gti_release(states->memory, states->processors,
		    ((size_t)states->processor_slots + 1) *
			    sizeof(*states->processors));
	gti_exits_free(&states->exits, states->index);
	gti_pool_free(&states->goroutine_waits);
	gti_pool_free(&states->regions);
	gti_pool_free(&states->tasks);
	gti_map_free(&states->task_of_id, states->memory);
}

/* --------------------------------------------------------------- regions -- */

/* EVENT begins SUBJECT, a task or a region of G. */
static void observe_begin_of(const struct states *states, struct goroutine *g,
			     const struct event *event,
			     enum block_subject subject)
{
	struct block_event begun = block_event(event);

	begun.stack = 0;
	begun.reason = event->args[2];
	begun.subject = subject;
	if (states->blocks != NULL)
		gti_requests_begin(states->blocks, &g->block, event->ordinal,
				   &begun);
}

/* EVENT ends what began with the event BEGUN, and links to it. */
static void observe_end_of(const struct states *states, uint64_t begun,
			   const struct event *event)
{
	observe_link(states->observer, begun, event->ordinal);
	if (states->blocks != NULL)
		gti_requests_end(states->blocks, begun, event->ticks);
}

static bool push_region(struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct region *region = gti_pool_take(&states->regions);

	if (region == NULL)
		return gti_states_fail_memory(states);
	region->start = *event;
	region->slice = g->slice.start.ordinal;
	region->outer = g->region;
	g->region = region;
	return true;
}

static void pop_region(struct states *states, struct goroutine *g)
{
	struct region *region = g->region;

	g->region = region->outer;
	gti_pool_give(&states->regions, region);
}

static bool take_region(struct states *states, struct goroutine *g,
			const struct event *event)
{
	const struct event *start;

	if (event->args[1] == 0) {
		observe_begin_of(states, g, event, SUBJECT_REGION);
		return push_region(states, g, event);
	}
	if (event->args[1] != 1)
		return gti_states_fail_user(states, event, NULL);
	if (g->region == NULL)
		return true; /* it began before the trace */
	start = &g->region->start;
	if (start->args[0] != event->args[0] ||
	    !gti_lookup_same(states->index, start->args[2], event->args[2]))
		return gti_states_fail_user(states, event, start);
	observe_end_of(states, start->ordinal, event);
	pop_region(states, g);
	return true;
}

void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event)
{
	while (g->region != NULL) {
		if (event->type == EV_GO_END)
			observe_link(states->observer, g->region->start.ordinal,
				     event->ordinal);
		pop_region(states, g);
	}
}

/* ----------------------------------------------------------------- tasks -- */

static bool take_task(struct states *states, const struct event *event)
{
	uint64_t *place = gti_map_put(&states->task_of_id, event->args[0],
				      states->memory);
	struct event *task;

	if (place == NULL)
		return gti_states_fail_memory(states);
	if (*place != 0)
		return gti_states_fail_user(
			states, event, (const struct event *)(uintptr_t)*place);
	task = gti_pool_take(&states->tasks);
	if (task == NULL)
		return gti_states_fail_memory(states);
	*task = *event;
	*place = (uintptr_t)task;
	return true;
}

static void end_task(struct states *states, const struct event *event)
{
	const uint64_t *place =
		gti_map_get(&states->task_of_id, event->args[0]);
	struct event *task;

	if (place == NULL)
		return;
	task = (struct event *)(uintptr_t)*place;
	observe_end_of(states, task->ordinal, event);
	gti_pool_give(&states->tasks, task);
	gti_map_delete(&states->task_of_id, event->args[0]);
}

/* ---------------------------------------------------------------- ranges -- */

/*
 * A range, WHAT in messages, begins or ends. *BEGUN is the ordinal of its
 * start, 0 if there is none.
 */
static bool begin(struct states *states, uint64_t *begun,
		  const struct event *event, const char *what)
{
	if (*begun != 0)
		return gti_states_fail(
			states, event,
			"previous %s is not ended before a new one", what);
	*begun = event->ordinal;
	return true;
}

static bool end(struct states *states, uint64_t *begun,
		const struct event *event, const char *what)
{
	if (*begun == 0)
		return gti_states_fail(states, event, "bogus %s end", what);
	observe_link(states->observer, *begun, event->ordinal);
	*begun = 0;
	return true;
}

/* A collection begins, or ends, by EVENT. */
static void observe_gc(struct states *states, const struct event *event)
{
	bool begins = event->type == EV_GC_START;
	int64_t now;

	if (states->sched == NULL)
		return;
	now = present_time(states);
	gti_sched_move(states->sched, begins ? LEVEL_NONE : LEVEL_COLLECTING,
		       begins ? LEVEL_COLLECTING : LEVEL_NONE, now);
	if (states->collections == NULL)
		return;
	if (begins)
		gti_collections_begin(states->collections, -1, event->stack,
				      now);
	else
		gti_collections_end(states->collections, event->p, now);
}

static bool begin_gc(struct states *states, const struct processor_state *p,
		     struct event *event)
{
	if (!begin(states, &states->gc_start, event, "GC"))
		return false;
	observe_gc(states, event);
	gti_observe_collection(states->observer, event->ticks);
	event->p = PROCESSOR_GC;
	copy_processor(states, states->gc_slot, p);
	return true;
}

static bool end_gc(struct states *states, const struct event *event)
{
	if (!end(states, &states->gc_start, event, "GC"))
		return false;
	observe_gc(states, event);
	return gti_observe_collection_end(states->observer, event->ticks);
}

/* The beginning of a stop of the world is observed. */
static bool begin_stop(struct states *states, const struct stop_processor *at,
		       const struct event *event)
{
	uint64_t number = event->args[0];
	const char *kind;

	if (at == NULL)
		return true;
	/* Before version 1.21 mark termination is 0, sweep termination 1. */
	if (states->index->rules.version < VERSION_STW_NAMES)
		number = number == 0 ? 1 : 2;
	kind = gti_stw_reasons[number < STW_REASON_TEST ? number : 0];
	if (states->collections != NULL)
		gti_collections_stop(states->collections,
				     (struct gtrace_string){kind, strlen(kind)},
				     present_time(states));
	/* The event's goroutine is 0. */
	return gti_observe_stop(states->observer, at,
				stops_runs(at) ? at->slice.g : 0, at->thread,
				string_of(kind), event, event->ticks);
}

/* A stop of the world begins or ends. */
static bool step_stw(struct states *states, struct processor_state *p,
		     const struct event *event)
{
	unsigned version = states->index->rules.version;
	const char *what = version < VERSION_STW ? "scanning" : "STW";
	/* Before version 1010 a stop belongs to its processor. */
	uint64_t *begun =
		version < VERSION_STW_KIND ? &p->stw : &states->stw_start;

	if (event->type == EV_STW_START)
		return begin(states, begun, event, what) &&
		       (version < VERSION_STW_KIND ||
			begin_stop(states, p->stop, event));
	if (!end(states, begun, event, what))
		return false;
	if (version < VERSION_STW_KIND)
		return true;
	if (states->collections != NULL)
		gti_collections_stop_end(states->collections,
					 present_time(states));
	return gti_observe_stop_end(states->observer, p->stop, event->ticks,
				    event->ticks);
}

/* ----------------------------------------------------------------- steps -- */

/*
 * A trace begins with the goroutines that exist, each with a GoCreate, before
 * the first processor starts.
 */
static bool start_processor(struct states *states, struct processor_state *p,
			    const struct event *event)
{
	struct census *census = &states->observer->census;

	if (census->initial == 0)
		census->initial = census->seen;
	if (p->running)
		return gti_states_fail(states, event,
				       "p %" PRId64 " is running before start",
				       event->p);
	p->running = true;
	states->proc_started = true;
	observe_held(states, true);
	if (states->sched != NULL)
		gti_sched_thread_id(states->sched, event->args[0],
				    present_time(states));
	return observe_hold(states->observer, p->stop, (int64_t)event->args[0],
			    event->ticks);
}

static bool stop_processor(struct states *states, struct processor_state *p,
			   const struct event *event)
{
	const struct stop_processor *at = p->stop;
	bool in_call =
		at != NULL && at->in_call && at->slice.type == EV_GO_SYS_BLOCK;

	if (!p->running)
		return gti_states_fail(
			states, event,
			"p %" PRId64 " is not running before stop", event->p);
	if (p->g != 0)
		return gti_states_fail(states, event,
				       "p %" PRId64
				       " is running a goroutine %" PRIu64
				       " during stop",
				       event->p, p->g);
	p->running = false;
	observe_held(states, false);
	return observe_give_up(states->observer, p->stop, EV_PROC_STOP, in_call,
			       event->ticks);
}

/* EVENT, at the start of the trace, tells that G waits. */
static bool set_waiting(struct states *states, struct goroutine *g,
			const struct event *event)
{
	if (g->state != RUNNABLE)
		return gti_states_fail(
			states, event,
			"g %" PRIu64 " is not runnable before Ev%s", event->g,
			gti_event_name(event->type,
				       states->index->rules.version));
	g->state = WAITING;
	if (states->sched != NULL)
		states_move(states, g,
			    event->type == EV_GO_WAITING ? LEVEL_WAITING
							 : LEVEL_SYSCALLS,
			    present_time(states));
	gti_states_block(states, g, event);
	if (g->waits != NULL && g->waits->waiter.ready.type == EV_GO_CREATE)
		gti_states_take_back(states, g, event);
	observe_pending(&g->pending, event,
			origin_after(states, event, origin_none));
	return true;
}

/* A CPU sample of G belongs to the slice that it falls into. */
static bool take_sample(struct states *states, struct goroutine *g,
			const struct event *event)
{
	if (g->state != RUNNING || g->slice.start.ordinal == 0 ||
	    g->slice.start.p != event->p)
		return true;
	return gti_observe_sample(states->observer, &g->slice, event) ||
	       gti_states_fail_memory(states);
}

/* A mark assist of G begins or ends. */
static bool step_assist(struct states *states, struct goroutine *g,
			const struct event *event)
{
	bool begins = event->type == EV_GC_MARK_ASSIST_START;
	struct collections *collections = states->collections;
	int64_t now, slice = TIME_NONE;

	if (states->blocks != NULL)
		lives_assist(&states->blocks->lives, &g->block.life, begins,
			     event->ticks);
	/* It may have begun before the trace. */
	if (!begins && g->assist == 0)
		return true;
	if (begins ? !begin(states, &g->assist, event, "mark assist")
		   : !end(states, &g->assist, event, "mark assist"))
		return false;
	if (collections == NULL)
		return true;
	now = present_time(states);
	if (g->state == RUNNING)
		slice = waits_time(states->waits, g->slice.start.ticks);
	g->works = 1;
	if (begins)
		gti_work_assist(collections, g->id, slice, event->stack, now);
	else
		gti_work_assist_end(collections, g->id, now);
	return true;
}

/* EVENT tells how many processors there are from now on. */
static bool take_procs(struct states *states, const struct processor_state *p,
		       const struct event *event)
{
	if (states->sched != NULL)
		gti_sched_procs(states->sched, event->args[0],
				present_time(states));
	if (states->collections != NULL)
		gti_collections_procs(states->collections, event->stack,
				      present_time(states));
	return gti_observe_stop_mark(states->observer, p->stop, event,
				     event->ticks);
}

static bool step_rare(struct states *states, struct goroutine *g,
		      struct processor_state *p, struct event *event)
{
	switch (event->type) {
	case EV_PROC_START:
		return start_processor(states, p, event);
	case EV_PROC_STOP:
		return stop_processor(states, p, event);
	case EV_GC_START:
		return begin_gc(states, p, event);
	case EV_GC_DONE:
		return end_gc(states, event);
	case EV_STW_START:
	case EV_STW_DONE:
		return step_stw(states, p, event);
	case EV_GC_SWEEP_START:
		return begin(states, &p->sweep, event, "sweeping");
	case EV_GC_SWEEP_DONE:
		return end(states, &p->sweep, event, "sweeping");
	case EV_GC_MARK_ASSIST_START:
	case EV_GC_MARK_ASSIST_DONE:
		return step_assist(states, g, event);
	case EV_HEAP_GOAL:
		if (states->collections != NULL)
			gti_collections_goal(states->collections,
					     event->args[0], event->p,
					     present_time(states));
		return true;
	case EV_GO_WAITING:
	case EV_GO_IN_SYSCALL:
		return set_waiting(states, g, event);
	case EV_GOMAXPROCS:
		return take_procs(states, p, event);
	case EV_USER_TASK_CREATE:
		observe_begin_of(states, g, event, SUBJECT_TASK);
		return take_task(states, event);
	case EV_USER_TASK_END:
		end_task(states, event);
		return true;
	case EV_USER_REGION:
		return take_region(states, g, event);
	case EV_CPU_SAMPLE:
		return states->observer->inside == NULL ||
		       take_sample(states, g, event);
	default:
		return true;
	}
}

bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event)
{
	/* Stops are observed without present_time(). */
	if (states->waits != NULL)
		present_time(states);
	if (!step_rare(states, g, p, event))
		return false;
	/* The start of a collection was given another processor. */
	if (event->type != EV_PROC_STOP && event->type != EV_GC_START)
		observe_event(states->observer, p->stop, event->ticks);
	return true;
}
