/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_rare.c - the start and the end of the state machine; rare events, and
 * those of processors and of garbage collections.
 */
#include <inttypes.h>

#include "base/strings.h"
#include "v1/states.h"

/* -------------------------------------------------------- start and end -- */

/* Returns the least serial of the slices that still run. */
static uint64_t oldest_slice(const void *context)
{
	const struct states *states = context;
	uint64_t oldest = states->to.observer->slices->started + 1;
	uint32_t slot;

	for (slot = 0; slot < states->processor_slots; slot++) {
		const struct processor_state *p = &states->processors[slot];

		if (p->serial != 0 && p->serial < oldest)
			oldest = p->serial;
	}
	return oldest;
}

/* ------------------------------------------------------------------ init -- */

/* See observer->owner: RECORD is a goroutine. */
static struct slice_owner owner(const void *context, void *record)
{
	struct goroutine *g = record;

	(void)context;
	return (struct slice_owner){
		.m = ID_NONE,
		.p = slice_start(g)->p,
		.g = g->id,
		.first_stack = g->first_stack,
		.last = {.stacks = g->own},
		.entry = &g->entry,
	};
}

static void free_processors(struct states *states)
{
	gti_release(states->memory, states->processors,
		    ((size_t)states->processor_slots + 1) *
			    sizeof(*states->processors));
}

bool gti_states_init(struct states *states, const struct index *index,
		     const struct goroutines *goroutines,
		     struct observer *observer)
{
	const struct gtrace_allocator *memory = &index->memory;

	*states = (struct states){
		.index = index,
		.memory = memory,
		.more = observer->link_count != 0 || observer->waits != NULL ||
			observer->feed != NULL || observer->slices == NULL ||
			observe_needs_own(observer),
		.goroutines = goroutines,
		.is_1_5 = index->rules.version < VERSION_MERGED,
		.processor_slots = (uint32_t)index->streams.count,
		.netpoll_slot = gti_index_stream_of(index, PROCESSOR_NETPOLL),
		.gc_slot = gti_index_stream_of(index, PROCESSOR_GC),
		.slices = {.memory = memory,
			   .size = sizeof(struct running_slice)},
		.regions = {.memory = memory, .size = sizeof(struct region)},
		.tasks = {.memory = memory, .size = sizeof(struct event)},
		.exits = {.ticks = INT64_MAX},
		.last_ticks = INT64_MIN,
	};
	analyses_init(&states->to, observer);
	states->processors = gti_allocate_zeroed(
		memory, index->streams.count + 1, sizeof(*states->processors));
	observer->call_ends = (uint64_t)1 << EV_GO_SYS_BLOCK;
	observer->oldest_slice = oldest_slice;
	observer->owner = owner;
	observer->context = states;
	if (states->processors == NULL)
		return false;
	gti_states_init_waits(states);
	if (observer->feed != NULL)
		gti_states_init_feed(states);
	return true;
}

void gti_states_free(struct states *states)
{
	free_processors(states);
	gti_exits_free(&states->exits, states->index);
	gti_pool_free(&states->slices);
	gti_pool_free(&states->waiters);
	gti_pool_free(&states->regions);
	gti_pool_free(&states->tasks);
	gti_map_free(&states->task_of_id, states->memory);
}

bool gti_states_finish(struct states *states)
{
	const struct pool *records = &states->goroutines->live.records;
	uint32_t i;

	if (states->to.waits != NULL)
		gti_waits_finish(states->to.waits, present_time(states));
	for (i = 0; i < records->used; i++) {
		struct goroutine *g = gti_pool_at(records, i);

		if (g->state == RUNNING && g->slice != NULL &&
		    !states->to.observer->ended &&
		    !gti_observe_still_running(states->to.observer, g->slice, g,
					       states->last_ticks))
			return states->to.observer->ended;
	}
	if (states->to.feed != NULL)
		gti_feed_finish(states->to.feed, states->last_ticks);
	gti_observe_finish(states->to.observer, states->index->events,
			   states->last_ticks);
	return true;
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
	observe_link(states->to.observer, *begun, event->ordinal);
	*begun = 0;
	return true;
}

static bool begin_gc(struct states *states, const struct processor_state *p,
		     struct event *event)
{
	if (!begin(states, &states->gc_start, event, "GC"))
		return false;
	gti_observe_collection(states->to.observer, event->ticks);
	event->p = PROCESSOR_GC;
	copy_processor(states, states->gc_slot, p);
	return true;
}

static bool end_gc(struct states *states, const struct event *event)
{
	return end(states, &states->gc_start, event, "GC") &&
	       gti_observe_collection_end(states->to.observer, event->ticks);
}

/* The slice of the goroutine on P, which stops or starts the world. */
static struct running_slice *slice_on(const struct states *states,
				      const struct processor_state *p)
{
	const struct goroutine *g = running_on(states, p);

	return g != NULL ? g->slice : NULL;
}

/* A stop-the-world pause begins or ends. */
static bool step_stw(struct states *states, struct processor_state *p,
		     const struct event *event)
{
	unsigned version = states->index->rules.version;
	const char *what = version < VERSION_STW ? "scanning" : "STW";
	/* Before version 1010 a stop belongs to its processor. */
	uint64_t *begun =
		version < VERSION_STW_KIND ? &p->stw : &states->stw_start;

	if (event->type == EV_STW_START
		    ? !begin(states, begun, event, what)
		    : !end(states, begun, event, what))
		return false;
	if (version < VERSION_STW_KIND)
		return true;
	if (event->type == EV_STW_START)
		gti_observe_stop(states->to.observer, slice_on(states, p),
				 event->ticks, event->ticks);
	else
		gti_observe_stop_end(states->to.observer, slice_on(states, p),
				     event->ticks, event->ticks);
	return true;
}

/* ----------------------------------------------------------------- steps -- */

/*
 * A trace begins with the goroutines that exist, each with a GoCreate, before
 * the first processor starts.
 */
static bool start_processor(struct states *states, struct processor_state *p,
			    const struct event *event)
{
	struct census *census = &states->to.observer->census;

	if (census->initial == 0)
		census->initial = census->seen;
	if (p->running)
		return gti_states_fail(states, event,
				       "p %" PRId64 " is running before start",
				       event->p);
	p->running = true;
	states->proc_started = true;
	observe_held(&states->to, true, now_of(states), PASS_CAREFUL);
	return true;
}

static bool stop_processor(struct states *states, struct processor_state *p,
			   const struct event *event)
{
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
	observe_held(&states->to, false, now_of(states), PASS_CAREFUL);
	return true;
}

/* EVENT, at the start of the trace, tells that G waits. */
static bool set_waiting(struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct step step;

	if (g->state != RUNNABLE)
		return gti_states_fail(
			states, event,
			"g %" PRIu64 " is not runnable before Ev%s", event->g,
			gti_event_name(event->type,
				       states->index->rules.version));
	g->state = WAITING;
	step = step_of(states, g, event);
	/* Its life begins with this event, as its block does. */
	gti_states_recast(states, g, event);
	observe_pending(step, origin_none, has_frames(states, event->stack));
	return true;
}

/*
 * A CPU sample of G, NULL if it has no record, belongs to the slice that it
 * falls into.
 */
bool gti_states_sample(struct states *states, struct goroutine *g,
		       const struct event *event)
{
	if (g == NULL || states->to.observer->inside == NULL ||
	    g->state != RUNNING || slice_start(g)->ordinal == 0 ||
	    slice_start(g)->p != event->p)
		return true;
	return gti_observe_sample(states->to.observer, g->slice, event) ||
	       gti_states_fail_memory(states);
}

/* A mark assist of G begins or ends. */
static bool step_assist(struct states *states, struct goroutine *g,
			const struct event *event)
{
	bool begins = event->type == EV_GC_MARK_ASSIST_START;

	/* It may have begun before the trace. */
	if (!begins && g->assist == 0)
		return true;
	return begins ? begin(states, &g->assist, event, "mark assist")
		      : end(states, &g->assist, event, "mark assist");
}

/* A sweep on processor P begins or ends. */
static bool step_sweep(struct states *states, struct processor_state *p,
		       const struct event *event)
{
	return event->type == EV_GC_SWEEP_START
		       ? begin(states, &p->sweep, event, "sweeping")
		       : end(states, &p->sweep, event, "sweeping");
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
	case EV_GC_SWEEP_DONE:
		return step_sweep(states, p, event);
	case EV_GC_MARK_ASSIST_START:
	case EV_GC_MARK_ASSIST_DONE:
		return step_assist(states, g, event);
	case EV_GO_WAITING:
	case EV_GO_IN_SYSCALL:
		return set_waiting(states, g, event);
	case EV_GOMAXPROCS:
		return gti_observe_procs(states->to.observer, event->args[0],
					 event->ticks);
	case EV_USER_TASK_CREATE:
	case EV_USER_TASK_END:
	case EV_USER_REGION:
		return gti_states_step_user(states, g, event);
	case EV_CPU_SAMPLE:
		return gti_states_sample(states, g, event);
	default:
		return true;
	}
}

bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event)
{
	/* Pauses are observed without present_time(). */
	if (states->to.waits != NULL)
		present_time(states);
	return step_rare(states, g, p, event);
}
