/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_rare.c - the start and the end of the state machine; rare events, and
 * those that are no transition of a goroutine: of processors, garbage
 * collections, user tasks and regions.
 */
#include "v1/states.h"

/* -------------------------------------------------------- start and end -- */

/* Returns the least serial of the slices that still run. */
static uint64_t oldest_slice(const void *context)
{
	const struct states *states = context;
	uint64_t oldest = states->observer->slices->started + 1;
	uint32_t slot;

	for (slot = 0; slot < states->options.processors; slot++) {
		const struct processor_state *p = &states->processors[slot];

		if (p->serial != 0 && p->serial < oldest)
			oldest = p->serial;
	}
	return oldest;
}

bool gti_states_init(struct states *states,
		     const struct states_options *options,
		     const struct goroutines *goroutines,
		     const struct gtrace_allocator *memory)
{
	*states = (struct states){
		.memory = memory,
		.options = *options,
		.observer = options->observer,
		.stops = options->observer->stops,
		.goroutines = goroutines,
		.free_region = REGION_NONE,
		.last_ticks = INT64_MIN,
	};
	states->processors =
		gti_allocate_zeroed(memory, (size_t)options->processors + 1,
				    sizeof(*states->processors));
	if (states->processors == NULL) {
		states->memory = NULL;
		return false;
	}
	states->observer->oldest_slice = oldest_slice;
	states->observer->context = states;
	return true;
}

void gti_states_free(struct states *states)
{
	const struct gtrace_allocator *memory = states->memory;

	if (memory == NULL)
		return;
	gti_release(memory, states->processors,
		    ((size_t)states->options.processors + 1) *
			    sizeof(*states->processors));
	gti_array_free(&states->regions, sizeof(struct region), memory);
	gti_array_free(&states->tasks, sizeof(struct event), memory);
	gti_map_free(&states->task_of_id, memory);
	states->memory = NULL;
}

/* --------------------------------------------------------------- regions -- */

static bool fail_user(struct states *states, enum fault_kind kind,
		      const struct event *event, const struct event *other)
{
	states->fault.other = *other;
	return gti_states_fail(states, kind, event);
}

static bool push_region(struct states *states, struct goroutine *g,
			const struct event *event)
{
	uint32_t number = states->free_region;
	struct region *region;

	if (number == REGION_NONE) {
		if (states->regions.count >= REGION_NONE - 1 ||
		    !gti_array_reserve(&states->regions, sizeof(*region),
				       states->memory))
			return false;
		number = (uint32_t)states->regions.count++;
		region = region_at(states, number);
	} else {
		region = region_at(states, number);
		states->free_region = region->outer;
	}
	region->start = *event;
	region->slice = g->slice.start.ordinal;
	region->outer = g->region;
	g->region = number + 1;
	return true;
}

static void pop_region(struct states *states, struct goroutine *g)
{
	uint32_t number = g->region - 1;
	struct region *region = region_at(states, number);

	g->region = region->outer;
	region->outer = states->free_region;
	states->free_region = number;
}

static bool take_region(struct states *states, struct goroutine *g,
			const struct event *event)
{
	const struct states_options *options = &states->options;
	const struct event *start;

	if (event->args[1] == 0)
		return push_region(states, g, event) ||
		       gti_states_fail(states, FAULT_MEMORY, event);
	if (event->args[1] != 1)
		return gti_states_fail(states, FAULT_REGION_MODE, event);
	if (g->region == 0)
		return true; /* it began before the trace */
	start = &region_at(states, g->region - 1)->start;
	if (start->args[0] != event->args[0] ||
	    (start->args[2] != event->args[2] &&
	     !options->same_text(options->context, start->args[2],
				 event->args[2])))
		return fail_user(states, FAULT_REGION_MISMATCH, event, start);
	observe_link(states->observer, start->ordinal, event->ordinal);
	pop_region(states, g);
	return true;
}

void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event)
{
	while (g->region != 0) {
		if (event->type == EV_GO_END)
			observe_link(
				states->observer,
				region_at(states, g->region - 1)->start.ordinal,
				event->ordinal);
		pop_region(states, g);
	}
}

/* ----------------------------------------------------------------- tasks -- */

static bool take_task(struct states *states, const struct event *event)
{
	struct event *tasks = states->tasks.items;
	const uint64_t *known =
		gti_map_get(&states->task_of_id, event->args[0]);
	uint64_t number = states->free_task, *place;

	if (known != NULL)
		return fail_user(states, FAULT_TASK_EXISTS, event,
				 &tasks[*known]);
	if (number != 0) {
		/* A free task links to the next one by its ordinal. */
		states->free_task = tasks[number - 1].ordinal;
		number--;
	} else if (gti_array_reserve(&states->tasks, sizeof(*tasks),
				     states->memory)) {
		number = states->tasks.count++;
		tasks = states->tasks.items;
	} else {
		return gti_states_fail(states, FAULT_MEMORY, event);
	}
	place = gti_map_put(&states->task_of_id, event->args[0],
			    states->memory);
	if (place == NULL)
		return gti_states_fail(states, FAULT_MEMORY, event);
	*place = number;
	tasks[number] = *event;
	return true;
}

static void end_task(struct states *states, const struct event *event)
{
	struct event *tasks = states->tasks.items;
	const uint64_t *known =
		gti_map_get(&states->task_of_id, event->args[0]);
	uint64_t number;

	if (known == NULL)
		return;
	number = *known;
	observe_link(states->observer, tasks[number].ordinal, event->ordinal);
	tasks[number].ordinal = states->free_task;
	states->free_task = number + 1;
	gti_map_delete(&states->task_of_id, event->args[0]);
}

/* ----------------------------------------------------------------- steps -- */

static bool step_gc(struct states *states, struct processor_state *p,
		    struct event *event)
{
	if (event->type == EV_GC_START) {
		if (states->gc_start != 0)
			return gti_states_fail(states, FAULT_GC_NOT_ENDED,
					       event);
		states->gc_start = event->ordinal;
		gti_observe_collection(states->observer, event->ticks);
		event->p = PROCESSOR_GC;
		copy_processor(states, states->options.gc_slot, p);
		return true;
	}
	if (states->gc_start == 0)
		return gti_states_fail(states, FAULT_GC_NOT_STARTED, event);
	observe_link(states->observer, states->gc_start, event->ordinal);
	states->gc_start = 0;
	return gti_observe_collection_end(states->observer, event->ticks);
}

/* A range begins or ends; *BEGUN is the ordinal of its start, 0 if none. */
static bool begin(struct states *states, uint64_t *begun,
		  const struct event *event, enum fault_kind kind)
{
	if (*begun != 0)
		return gti_states_fail(states, kind, event);
	*begun = event->ordinal;
	return true;
}

static bool end(struct states *states, uint64_t *begun,
		const struct event *event, enum fault_kind kind)
{
	if (*begun == 0)
		return gti_states_fail(states, kind, event);
	observe_link(states->observer, *begun, event->ordinal);
	*begun = 0;
	return true;
}

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
		return gti_states_fail(states, FAULT_PROC_RUNS_BEFORE_START,
				       event);
	p->running = true;
	return true;
}

static bool stop_processor(struct states *states, struct processor_state *p,
			   const struct event *event)
{
	if (!p->running)
		return gti_states_fail(states, FAULT_PROC_STOPPED_BEFORE_STOP,
				       event);
	if (p->g != 0)
		return gti_states_fail_busy(states, FAULT_PROC_BUSY_AT_STOP,
					    event, p->g);
	p->running = false;
	return true;
}

/* EVENT, at the start of the trace, tells that G waits. */
static bool set_waiting(struct states *states, struct goroutine *g,
			const struct event *event)
{
	if (g->state != RUNNABLE)
		return gti_states_fail(states, FAULT_NOT_RUNNABLE, event);
	g->state = WAITING;
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
	       gti_states_fail(states, FAULT_MEMORY, event);
}

bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event)
{
	uint64_t *stw = states->options.stw_per_processor ? &p->stw
							  : &states->stw_start;

	switch (event->type) {
	case EV_PROC_START:
		return start_processor(states, p, event);
	case EV_PROC_STOP:
		return stop_processor(states, p, event);
	case EV_GC_START:
	case EV_GC_DONE:
		return step_gc(states, p, event);
	case EV_STW_START:
		return begin(states, stw, event, FAULT_STW_NOT_ENDED);
	case EV_STW_DONE:
		return end(states, stw, event, FAULT_STW_NOT_STARTED);
	case EV_GC_SWEEP_START:
		return begin(states, &p->sweep, event, FAULT_SWEEP_NOT_ENDED);
	case EV_GC_SWEEP_DONE:
		return end(states, &p->sweep, event, FAULT_SWEEP_NOT_STARTED);
	case EV_GC_MARK_ASSIST_START:
		return begin(states, &g->assist, event, FAULT_ASSIST_NOT_ENDED);
	case EV_GC_MARK_ASSIST_DONE:
		/* It may have begun before the trace. */
		return g->assist == 0 ||
		       end(states, &g->assist, event, FAULT_ASSIST_NOT_ENDED);
	case EV_GO_WAITING:
	case EV_GO_IN_SYSCALL:
		return set_waiting(states, g, event);
	case EV_USER_TASK_CREATE:
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
