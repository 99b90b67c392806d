/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - follows goroutines through the events that make them run. */
#include "v1/state.h"

bool gti_states_init(struct states *states,
		     const struct states_options *options,
		     const struct gtrace_allocator *memory)
{
	struct goroutine_state *zero;

	*states = (struct states){
		.memory = memory,
		.options = *options,
		.goroutines.element_size = sizeof(struct goroutine_state),
		.free_region = REGION_NONE,
		.last_ticks = INT64_MIN,
	};
	states->processors =
		gti_allocate_zeroed(memory, (size_t)options->processors + 1,
				    sizeof(*states->processors));
	if (states->processors == NULL ||
	    !gti_chunks_reserve(&states->goroutines, 0, memory)) {
		gti_states_free(states);
		return false;
	}
	zero = chunks_at(&states->goroutines, 0, sizeof(*zero));
	zero->state = RUNNING;
	zero->exists = 1;
	return true;
}

void gti_states_free(struct states *states)
{
	const struct gtrace_allocator *memory = states->memory;

	if (memory == NULL)
		return;
	gti_chunks_free(&states->goroutines, memory);
	gti_release(memory, states->processors,
		    ((size_t)states->options.processors + 1) *
			    sizeof(*states->processors));
	gti_array_free(&states->regions, sizeof(struct region), memory);
	gti_array_free(&states->tasks, sizeof(struct event), memory);
	gti_map_free(&states->task_of_id, memory);
	states->memory = NULL;
}

/* ---------------------------------------------------------------- faults -- */

bool gti_states_fail(struct states *states, enum fault_kind kind,
		     const struct event *event)
{
	states->fault.kind = kind;
	states->fault.event = *event;
	return false;
}

bool gti_states_fail_busy(struct states *states, enum fault_kind kind,
			  const struct event *event, uint64_t other_g)
{
	states->fault.other_g = other_g;
	return gti_states_fail(states, kind, event);
}

bool gti_states_remember(const struct states *states, struct goroutine_state *g,
			 const struct event *event, struct origin origin)
{
	set_last(g, event,
		 origin_over(states, origin, event->type, event->stack));
	return true;
}

/* Whether G, which is not goroutine 0, runs on P. */
static inline bool runs_here(const struct goroutine_state *g,
			     const struct processor_state *p,
			     const struct event *event)
{
	return g->state == RUNNING && p->g == event->g && event->g != 0;
}

/* It does not. */
static NOINLINE bool fail_running(struct states *states,
				  const struct goroutine_state *g,
				  const struct processor_state *p,
				  const struct event *event)
{
	if (g->state != RUNNING)
		return gti_states_fail(states, FAULT_NOT_RUNNING, event);
	if (p->g != event->g)
		return gti_states_fail(states, FAULT_NOT_RUNNING_HERE, event);
	return gti_states_fail(states, FAULT_GOROUTINE_0, event);
}

/* ---------------------------------------------------------------- slices -- */

static void set_start(const struct goroutine_state *g, struct slice *slice)
{
	slice->serial = g->serial;
	slice->start.offset = g->start_offset;
	slice->start.ticks = g->start_ticks;
	slice->start.p = g->start_p;
	slice->start.stack = g->start_stack;
	slice->start.origin = g->start_origin;
	slice->start.type = g->start_type;
}

static int64_t length_until(const struct states *states,
			    const struct goroutine_state *g, int64_t ticks)
{
	return (int64_t)((uint64_t)clock_ns(&states->clock, ticks) -
			 (uint64_t)clock_ns(&states->clock, g->start_ticks));
}

/* The first slice that still runs. */
static uint64_t oldest_serial(const struct states *states)
{
	uint64_t oldest = states->options.slices->started + 1;
	uint32_t slot;

	for (slot = 0; slot < states->options.processors; slot++) {
		const struct processor_state *p = &states->processors[slot];

		if (p->serial != 0 && p->serial < oldest)
			oldest = p->serial;
	}
	return oldest;
}

/* What leads to the event that takes G off its processor. */
static inline struct origin origin_from_start(const struct states *states,
					      const struct goroutine_state *g)
{
	return origin_over(states, g->start_origin, g->start_type,
			   g->start_stack);
}

/*
 * What leads to the end of G, of all that links to it the last: a region that
 * began in this slice, or else the slice's start.
 */
static struct origin origin_to_end(const struct states *states,
				   const struct goroutine_state *g)
{
	const struct region *region;

	if (g->region != 0) {
		region = region_at(states, g->region - 1);
		if (region->slice == g->start_ordinal)
			return origin_over(states, origin_none, EV_USER_REGION,
					   region->start.stack);
	}
	return origin_from_start(states, g);
}

static NOINLINE bool keep_slice(struct states *states,
				const struct goroutine_state *g,
				const struct event *event, struct origin origin)
{
	struct slices *slices = states->options.slices;
	struct slice slice = {.running = false};

	set_start(g, &slice);
	slice.length = length_until(states, g, event->ticks);
	slice.end.offset = event->offset;
	slice.end.ticks = event->ticks;
	slice.end.p = event->p;
	slice.end.stack = event->stack;
	slice.end.origin = origin;
	slice.end.type = event->type;
	if (!gti_slices_end(slices, &slice))
		return false;
	if (slices_are_many(slices))
		gti_slices_offer(slices, oldest_serial(states));
	return true;
}

/*
 * EVENT takes G off its processor P. Returns whether that slice is surely not
 * among the longest; if it may be, keep_slice() is to be called.
 */
static ALWAYS_INLINE bool leave(struct states *states,
				struct goroutine_state *g,
				struct processor_state *p,
				const struct event *event, enum state state)
{
	const struct slices *slices = states->options.slices;
	uint64_t end = (uint64_t)event->ticks;

	link_to(states, g->start_ordinal, event);
	p->g = 0;
	p->serial = 0;
	g->state = (uint8_t)state;
	return slices == NULL ||
	       slices_refuse(slices, g->serial, end - (uint64_t)g->start_ticks,
			     end - (uint64_t)states->clock.first_ticks);
}

/* What pause() does for a slice that may be long, or an event without frames.
 */
static NOINLINE bool pause_for_long(struct states *states,
				    struct goroutine_state *g,
				    const struct event *event, bool refused)
{
	struct origin origin = origin_from_start(states, g);

	gti_states_remember(states, g, event, origin);
	return refused || keep_slice(states, g, event, origin) ||
	       gti_states_fail(states, FAULT_MEMORY, event);
}

/* The same, and EVENT will link to what puts G on a processor again. */
static NOINLINE HOT bool pause(struct states *states, struct goroutine_state *g,
			       struct processor_state *p,
			       const struct event *event, enum state state)
{
	bool refused;

	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(states, g, p, event);
	refused = leave(states, g, p, event, state);
	if (LIKELY(refused && has_near_frames(states, event)))
		return remember_near(g, event);
	return pause_for_long(states, g, event, refused);
}

static NOINLINE HOT bool start(struct states *states, struct goroutine_state *g,
			       struct processor_state *p, struct event *event)
{
	struct slices *slices = states->options.slices;

	if (UNLIKELY(g->state != RUNNABLE))
		return gti_states_fail(states, FAULT_NOT_RUNNABLE_AT_START,
				       event);
	if (UNLIKELY(p->g != 0))
		return gti_states_fail_busy(states, FAULT_PROC_BUSY_AT_START,
					    event, p->g);
	g->state = RUNNING;
	p->g = event->g;
	if (g->new) {
		event->stack = g->first_stack;
		g->new = 0;
	}
	g->start_origin = last_origin(g);
	if (g->last_type != EV_NONE)
		link_to(states, g->last_ordinal, event);
	g->last_type = EV_NONE;
	g->start_type = event->type;
	g->start_ordinal = event->ordinal;
	g->start_offset = event->offset;
	g->start_ticks = event->ticks;
	g->start_p = event->p;
	g->start_stack = event->stack;
	if (slices != NULL)
		p->serial = g->serial = slices_begin(slices);
	return true;
}

bool gti_states_finish(struct states *states)
{
	struct slices *slices = states->options.slices;
	uint32_t slot;

	if (slices == NULL)
		return true;
	for (slot = 0; slot < states->goroutines.count; slot++) {
		const struct goroutine_state *g = goroutine_at(states, slot);
		struct slice slice = {.running = true};

		if (g->state != RUNNING || g->serial == 0)
			continue;
		set_start(g, &slice);
		slice.length = length_until(states, g, states->last_ticks);
		if (!gti_slices_end(slices, &slice))
			return false;
	}
	gti_slices_offer(slices, slices->started + 1);
	return true;
}

/* ---------------------------------------------------------------- events -- */

/* The slot of the goroutine that EVENT is aimed at is new. */
static NOINLINE bool step_with_new_target(struct states *states,
					  struct event *event)
{
	if (!gti_chunks_reserve(&states->goroutines, event->target_slot,
				states->memory))
		return gti_states_fail(states, FAULT_MEMORY, event);
	return gti_states_step(states, event);
}

static NOINLINE HOT bool create(struct states *states,
				struct goroutine_state *g,
				const struct processor_state *p,
				struct event *event)
{
	bool pc = states->options.create_gives_pc;
	struct goroutine_state *created;

	/* Goroutine 0 may do it too. */
	if (UNLIKELY(g->state != RUNNING || p->g != event->g))
		return fail_running(states, g, p, event);
	created = target_of(states, event);
	if (UNLIKELY(created == NULL))
		return step_with_new_target(states, event);
	if (UNLIKELY(created->exists))
		return gti_states_fail(states, FAULT_EXISTS, event);
	created->exists = 1;
	created->state = RUNNABLE;
	created->new = 1;
	created->first_stack = event->args[1] + (pc ? 1 : 0);
	if (LIKELY(has_near_frames(states, event)))
		return remember_near(created, event);
	return gti_states_remember(states, created, event, origin_none);
}

static NOINLINE HOT bool unblock(struct states *states,
				 const struct goroutine_state *g,
				 const struct processor_state *p,
				 struct event *event)
{
	struct goroutine_state *target;

	if (UNLIKELY(g->state != RUNNING))
		return gti_states_fail(states, FAULT_NOT_RUNNING_AT_UNBLOCK,
				       event);
	if (UNLIKELY(event->p != PROCESSOR_TIMERS && p->g != event->g))
		return gti_states_fail(
			states, FAULT_NOT_RUNNING_HERE_AT_UNBLOCK, event);
	target = target_of(states, event);
	if (UNLIKELY(target == NULL))
		return step_with_new_target(states, event);
	if (UNLIKELY(target->state != WAITING))
		return gti_states_fail(states, FAULT_NOT_WAITING_AT_UNBLOCK,
				       event);
	if (UNLIKELY(target->last_type == EV_GO_BLOCK_NET) &&
	    event->p != PROCESSOR_TIMERS) {
		event->p = PROCESSOR_NETPOLL;
		move_to(states, states->options.netpoll_slot, p);
	}
	if (target->last_type != EV_NONE)
		link_to(states, target->last_ordinal, event);
	target->state = RUNNABLE;
	target->exists = 1;
	if (LIKELY(has_near_frames(states, event)))
		return remember_near(target, event);
	return gti_states_remember(states, target, event, last_origin(target));
}

static NOINLINE bool enter_syscall(struct states *states,
				   struct goroutine_state *g,
				   struct processor_state *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(states, g, p, event);
	if (event->type == EV_GO_SYS_BLOCK)
		return leave(states, g, p, event, WAITING) ||
		       keep_slice(states, g, event,
				  origin_from_start(states, g)) ||
		       gti_states_fail(states, FAULT_MEMORY, event);
	gti_states_remember(states, g, event, origin_none);
	return true;
}

static NOINLINE bool exit_syscall(struct states *states,
				  struct goroutine_state *g,
				  const struct event *event)
{
	struct origin origin = origin_none;

	if (UNLIKELY(g->state != WAITING))
		return gti_states_fail(states, FAULT_NOT_WAITING_AT_EXIT,
				       event);
	if (g->last_type == EV_GO_SYS_CALL) {
		link_to(states, g->last_ordinal, event);
		origin = g->last_origin;
	}
	g->state = RUNNABLE;
	gti_states_remember(states, g, event, origin);
	return true;
}

/* G has ended. Its slot may soon be another's. */
static NOINLINE bool end_goroutine(struct states *states,
				   struct goroutine_state *g,
				   struct processor_state *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(states, g, p, event);
	if (UNLIKELY(!leave(states, g, p, event, DEAD)) &&
	    !keep_slice(states, g, event,
			event->type == EV_GO_END
				? origin_to_end(states, g)
				: origin_from_start(states, g)))
		return gti_states_fail(states, FAULT_MEMORY, event);
	gti_states_end_regions(states, g, event);
	/* This goroutine's slot is not given out again. */
	g->exists = !states->options.slots_return || event->g == UINT64_MAX;
	g->new = 0;
	g->last_type = EV_NONE;
	g->assist = 0;
	g->serial = 0;
	g->start_ordinal = 0;
	return true;
}

/* The goroutine's slot is new, or there is none. */
static NOINLINE bool step_with_new_slot(struct states *states,
					struct event *event)
{
	if (event->g_slot != SLOT_NONE) {
		if (!gti_chunks_reserve(&states->goroutines, event->g_slot,
					states->memory))
			return gti_states_fail(states, FAULT_MEMORY, event);
		return gti_states_step(states, event);
	}
	/* A sample of a goroutine that has ended changes nothing. */
	if (event->ticks > states->last_ticks)
		states->last_ticks = event->ticks;
	return true;
}

/* Everything a step calls is called last, so that it needs no stack. */
HOT bool gti_states_step(void *context, struct event *event)
{
	struct states *states = context;
	uint32_t count = states->options.processors;
	struct processor_state *p =
		&states->processors[event->p_slot < count ? event->p_slot
							  : count];
	struct goroutine_state *g;

	if (UNLIKELY(event->g_slot >= states->goroutines.count))
		return step_with_new_slot(states, event);
	g = goroutine_at(states, event->g_slot);
	if (event->ticks > states->last_ticks)
		states->last_ticks = event->ticks;
	g->exists = 1;
	switch (event->type) {
	case EV_GO_CREATE:
		return create(states, g, p, event);
	case EV_GO_START:
	case EV_GO_START_LABEL:
		return start(states, g, p, event);
	case EV_GO_END:
	case EV_GO_STOP:
		return end_goroutine(states, g, p, event);
	case EV_GO_SCHED:
	case EV_GO_PREEMPT:
		return pause(states, g, p, event, RUNNABLE);
	case EV_GO_UNBLOCK:
		return unblock(states, g, p, event);
	case EV_GO_SYS_CALL:
	case EV_GO_SYS_BLOCK:
		return enter_syscall(states, g, p, event);
	case EV_GO_SYS_EXIT:
		return exit_syscall(states, g, event);
	case EV_GO_SLEEP:
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
	case EV_GO_BLOCK_NET:
	case EV_GO_BLOCK_GC:
		return pause(states, g, p, event, WAITING);
	default:
		return gti_states_step_other(states, g, p, event);
	}
}
