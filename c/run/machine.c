/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - follows goroutines through the events that make them run. */
#include "run/state.h"

bool gtrace_machine_init(struct machine *machine,
			 const struct machine_options *options,
			 const struct gtrace_allocator *memory)
{
	struct machine_goroutine *zero;

	*machine = (struct machine){
		.memory = memory,
		.options = *options,
		.goroutines.element_size = sizeof(struct machine_goroutine),
		.free_region = REGION_NONE,
		.last_ticks = INT64_MIN,
	};
	machine->processors =
		gtrace_allocate_zeroed(memory, (size_t)options->processors + 1,
				       sizeof(*machine->processors));
	if (machine->processors == NULL ||
	    !gtrace_chunks_reserve(&machine->goroutines, 0, memory)) {
		gtrace_machine_free(machine);
		return false;
	}
	zero = chunks_at(&machine->goroutines, 0, sizeof(*zero));
	zero->state = RUNNING;
	zero->exists = 1;
	return true;
}

void gtrace_machine_free(struct machine *machine)
{
	const struct gtrace_allocator *memory = machine->memory;

	if (memory == NULL)
		return;
	gtrace_chunks_free(&machine->goroutines, memory);
	gtrace_release(memory, machine->processors,
		       ((size_t)machine->options.processors + 1) *
			       sizeof(*machine->processors));
	gtrace_array_free(&machine->regions, sizeof(struct region), memory);
	gtrace_array_free(&machine->tasks, sizeof(struct event), memory);
	gtrace_map_free(&machine->task_of_id, memory);
	machine->memory = NULL;
}

/* ---------------------------------------------------------------- faults -- */

bool gtrace_machine_fail(struct machine *machine, enum fault_kind kind,
			 const struct event *event)
{
	machine->fault.kind = kind;
	machine->fault.event = *event;
	return false;
}

bool gtrace_machine_fail_busy(struct machine *machine, enum fault_kind kind,
			      const struct event *event, uint64_t other_g)
{
	machine->fault.other_g = other_g;
	return gtrace_machine_fail(machine, kind, event);
}

bool gtrace_machine_remember(const struct machine *machine,
			     struct machine_goroutine *g,
			     const struct event *event, struct trail trail)
{
	set_last(g, event,
		 trail_over(machine, trail, event->type, event->stack));
	return true;
}

/* Whether G, which is not goroutine 0, runs on P. */
static inline bool runs_here(const struct machine_goroutine *g,
			     const struct machine_processor *p,
			     const struct event *event)
{
	return g->state == RUNNING && p->g == event->g && event->g != 0;
}

/* It does not. */
static NOINLINE bool fail_running(struct machine *machine,
				  const struct machine_goroutine *g,
				  const struct machine_processor *p,
				  const struct event *event)
{
	if (g->state != RUNNING)
		return gtrace_machine_fail(machine, FAULT_NOT_RUNNING, event);
	if (p->g != event->g)
		return gtrace_machine_fail(machine, FAULT_NOT_RUNNING_HERE,
					   event);
	return gtrace_machine_fail(machine, FAULT_GOROUTINE_0, event);
}

/* ---------------------------------------------------------------- slices -- */

static void set_start(const struct machine_goroutine *g, struct slice *slice)
{
	slice->serial = g->serial;
	slice->start.offset = g->start_offset;
	slice->start.ticks = g->start_ticks;
	slice->start.p = g->start_p;
	slice->start.stack = g->start_stack;
	slice->start.trail = g->start_trail;
	slice->start.type = g->start_type;
}

static int64_t length_until(const struct machine *machine,
			    const struct machine_goroutine *g, int64_t ticks)
{
	return (int64_t)((uint64_t)clock_ns(&machine->clock, ticks) -
			 (uint64_t)clock_ns(&machine->clock, g->start_ticks));
}

/* The first slice that still runs. */
static uint64_t oldest_serial(const struct machine *machine)
{
	uint64_t oldest = machine->options.slices->started + 1;
	uint32_t slot;

	for (slot = 0; slot < machine->options.processors; slot++) {
		const struct machine_processor *p = &machine->processors[slot];

		if (p->serial != 0 && p->serial < oldest)
			oldest = p->serial;
	}
	return oldest;
}

/* What leads to the event that takes G off its processor. */
static inline struct trail trail_from_start(const struct machine *machine,
					    const struct machine_goroutine *g)
{
	return trail_over(machine, g->start_trail, g->start_type,
			  g->start_stack);
}

/*
 * What leads to the end of G, of all that links to it the last: a region that
 * began in this slice, or else the slice's start.
 */
static struct trail trail_to_end(const struct machine *machine,
				 const struct machine_goroutine *g)
{
	const struct region *region;

	if (g->region != 0) {
		region = region_at(machine, g->region - 1);
		if (region->slice == g->start_ordinal)
			return trail_over(machine, trail_none, EV_USER_REGION,
					  region->start.stack);
	}
	return trail_from_start(machine, g);
}

static NOINLINE bool keep_slice(struct machine *machine,
				const struct machine_goroutine *g,
				const struct event *event, struct trail trail)
{
	struct slices *slices = machine->options.slices;
	struct slice slice = {.running = false};

	set_start(g, &slice);
	slice.length = length_until(machine, g, event->ticks);
	slice.end.offset = event->offset;
	slice.end.ticks = event->ticks;
	slice.end.p = event->p;
	slice.end.stack = event->stack;
	slice.end.trail = trail;
	slice.end.type = event->type;
	if (!gtrace_slices_end(slices, &slice))
		return false;
	if (slices_are_many(slices))
		gtrace_slices_offer(slices, oldest_serial(machine));
	return true;
}

/*
 * EVENT takes G off its processor P. Returns whether that slice is surely not
 * among the longest; if it may be, keep_slice() is to be called.
 */
static ALWAYS_INLINE bool leave(struct machine *machine,
				struct machine_goroutine *g,
				struct machine_processor *p,
				const struct event *event, enum state state)
{
	const struct slices *slices = machine->options.slices;
	uint64_t end = (uint64_t)event->ticks;

	link_to(machine, g->start_ordinal, event);
	p->g = 0;
	p->serial = 0;
	g->state = (uint8_t)state;
	return slices == NULL ||
	       slices_refuse(slices, g->serial, end - (uint64_t)g->start_ticks,
			     end - (uint64_t)machine->clock.first_ticks);
}

/* What pause() does for a slice that may be long, or an event without frames.
 */
static NOINLINE bool pause_for_long(struct machine *machine,
				    struct machine_goroutine *g,
				    const struct event *event, bool refused)
{
	struct trail trail = trail_from_start(machine, g);

	gtrace_machine_remember(machine, g, event, trail);
	return refused || keep_slice(machine, g, event, trail) ||
	       gtrace_machine_fail(machine, FAULT_MEMORY, event);
}

/* The same, and EVENT will link to what puts G on a processor again. */
static NOINLINE HOT bool pause(struct machine *machine,
			       struct machine_goroutine *g,
			       struct machine_processor *p,
			       const struct event *event, enum state state)
{
	bool refused;

	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(machine, g, p, event);
	refused = leave(machine, g, p, event, state);
	if (LIKELY(refused && has_near_frames(machine, event)))
		return remember_near(g, event);
	return pause_for_long(machine, g, event, refused);
}

static NOINLINE HOT bool start(struct machine *machine,
			       struct machine_goroutine *g,
			       struct machine_processor *p, struct event *event)
{
	struct slices *slices = machine->options.slices;

	if (UNLIKELY(g->state != RUNNABLE))
		return gtrace_machine_fail(machine, FAULT_NOT_RUNNABLE_AT_START,
					   event);
	if (UNLIKELY(p->g != 0))
		return gtrace_machine_fail_busy(
			machine, FAULT_PROC_BUSY_AT_START, event, p->g);
	g->state = RUNNING;
	p->g = event->g;
	if (g->new) {
		event->stack = g->first_stack;
		g->new = 0;
	}
	g->start_trail = last_trail(g);
	if (g->last_type != EV_NONE)
		link_to(machine, g->last_ordinal, event);
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

bool gtrace_machine_finish(struct machine *machine)
{
	struct slices *slices = machine->options.slices;
	uint32_t slot;

	if (slices == NULL)
		return true;
	for (slot = 0; slot < machine->goroutines.count; slot++) {
		const struct machine_goroutine *g = goroutine_at(machine, slot);
		struct slice slice = {.running = true};

		if (g->state != RUNNING || g->serial == 0)
			continue;
		set_start(g, &slice);
		slice.length = length_until(machine, g, machine->last_ticks);
		if (!gtrace_slices_end(slices, &slice))
			return false;
	}
	gtrace_slices_offer(slices, slices->started + 1);
	return true;
}

/* ---------------------------------------------------------------- events -- */

/* The slot of the goroutine that EVENT is aimed at is new. */
static NOINLINE bool step_with_new_target(struct machine *machine,
					  struct event *event)
{
	if (!gtrace_chunks_reserve(&machine->goroutines, event->target_slot,
				   machine->memory))
		return gtrace_machine_fail(machine, FAULT_MEMORY, event);
	return gtrace_machine_step(machine, event);
}

static NOINLINE HOT bool create(struct machine *machine,
				struct machine_goroutine *g,
				const struct machine_processor *p,
				struct event *event)
{
	bool pc = machine->options.create_gives_pc;
	struct machine_goroutine *created;

	/* Goroutine 0 may do it too. */
	if (UNLIKELY(g->state != RUNNING || p->g != event->g))
		return fail_running(machine, g, p, event);
	created = target_of(machine, event);
	if (UNLIKELY(created == NULL))
		return step_with_new_target(machine, event);
	if (UNLIKELY(created->exists))
		return gtrace_machine_fail(machine, FAULT_EXISTS, event);
	created->exists = 1;
	created->state = RUNNABLE;
	created->new = 1;
	created->first_stack = event->args[1] + (pc ? 1 : 0);
	if (LIKELY(has_near_frames(machine, event)))
		return remember_near(created, event);
	return gtrace_machine_remember(machine, created, event, trail_none);
}

static NOINLINE HOT bool unblock(struct machine *machine,
				 const struct machine_goroutine *g,
				 const struct machine_processor *p,
				 struct event *event)
{
	struct machine_goroutine *target;

	if (UNLIKELY(g->state != RUNNING))
		return gtrace_machine_fail(machine,
					   FAULT_NOT_RUNNING_AT_UNBLOCK, event);
	if (UNLIKELY(event->p != PROCESSOR_TIMERS && p->g != event->g))
		return gtrace_machine_fail(
			machine, FAULT_NOT_RUNNING_HERE_AT_UNBLOCK, event);
	target = target_of(machine, event);
	if (UNLIKELY(target == NULL))
		return step_with_new_target(machine, event);
	if (UNLIKELY(target->state != WAITING))
		return gtrace_machine_fail(machine,
					   FAULT_NOT_WAITING_AT_UNBLOCK, event);
	if (UNLIKELY(target->last_type == EV_GO_BLOCK_NET) &&
	    event->p != PROCESSOR_TIMERS) {
		event->p = PROCESSOR_NETPOLL;
		move_to(machine, machine->options.netpoll_slot, p);
	}
	if (target->last_type != EV_NONE)
		link_to(machine, target->last_ordinal, event);
	target->state = RUNNABLE;
	target->exists = 1;
	if (LIKELY(has_near_frames(machine, event)))
		return remember_near(target, event);
	return gtrace_machine_remember(machine, target, event,
				       last_trail(target));
}

static NOINLINE bool enter_syscall(struct machine *machine,
				   struct machine_goroutine *g,
				   struct machine_processor *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(machine, g, p, event);
	if (event->type == EV_GO_SYS_BLOCK)
		return leave(machine, g, p, event, WAITING) ||
		       keep_slice(machine, g, event,
				  trail_from_start(machine, g)) ||
		       gtrace_machine_fail(machine, FAULT_MEMORY, event);
	gtrace_machine_remember(machine, g, event, trail_none);
	return true;
}

static NOINLINE bool exit_syscall(struct machine *machine,
				  struct machine_goroutine *g,
				  const struct event *event)
{
	struct trail trail = trail_none;

	if (UNLIKELY(g->state != WAITING))
		return gtrace_machine_fail(machine, FAULT_NOT_WAITING_AT_EXIT,
					   event);
	if (g->last_type == EV_GO_SYS_CALL) {
		link_to(machine, g->last_ordinal, event);
		trail = g->last_trail;
	}
	g->state = RUNNABLE;
	gtrace_machine_remember(machine, g, event, trail);
	return true;
}

/* G has ended. Its slot may soon be another's. */
static NOINLINE bool end_goroutine(struct machine *machine,
				   struct machine_goroutine *g,
				   struct machine_processor *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return fail_running(machine, g, p, event);
	if (UNLIKELY(!leave(machine, g, p, event, DEAD)) &&
	    !keep_slice(machine, g, event,
			event->type == EV_GO_END
				? trail_to_end(machine, g)
				: trail_from_start(machine, g)))
		return gtrace_machine_fail(machine, FAULT_MEMORY, event);
	gtrace_machine_end_regions(machine, g, event);
	/* This goroutine's slot is not given out again. */
	g->exists = !machine->options.slots_return || event->g == UINT64_MAX;
	g->new = 0;
	g->last_type = EV_NONE;
	g->assist = 0;
	g->serial = 0;
	g->start_ordinal = 0;
	return true;
}

/* The goroutine's slot is new, or there is none. */
static NOINLINE bool step_with_new_slot(struct machine *machine,
					struct event *event)
{
	if (event->g_slot != SLOT_NONE) {
		if (!gtrace_chunks_reserve(&machine->goroutines, event->g_slot,
					   machine->memory))
			return gtrace_machine_fail(machine, FAULT_MEMORY,
						   event);
		return gtrace_machine_step(machine, event);
	}
	/* A sample of a goroutine that has ended changes nothing. */
	if (event->ticks > machine->last_ticks)
		machine->last_ticks = event->ticks;
	return true;
}

/* Everything a step calls is called last, so that it needs no stack. */
HOT bool gtrace_machine_step(void *context, struct event *event)
{
	struct machine *machine = context;
	uint32_t count = machine->options.processors;
	struct machine_processor *p =
		&machine->processors[event->p_slot < count ? event->p_slot
							   : count];
	struct machine_goroutine *g;

	if (UNLIKELY(event->g_slot >= machine->goroutines.count))
		return step_with_new_slot(machine, event);
	g = goroutine_at(machine, event->g_slot);
	if (event->ticks > machine->last_ticks)
		machine->last_ticks = event->ticks;
	g->exists = 1;
	switch (event->type) {
	case EV_GO_CREATE:
		return create(machine, g, p, event);
	case EV_GO_START:
	case EV_GO_START_LABEL:
		return start(machine, g, p, event);
	case EV_GO_END:
	case EV_GO_STOP:
		return end_goroutine(machine, g, p, event);
	case EV_GO_SCHED:
	case EV_GO_PREEMPT:
		return pause(machine, g, p, event, RUNNABLE);
	case EV_GO_UNBLOCK:
		return unblock(machine, g, p, event);
	case EV_GO_SYS_CALL:
	case EV_GO_SYS_BLOCK:
		return enter_syscall(machine, g, p, event);
	case EV_GO_SYS_EXIT:
		return exit_syscall(machine, g, event);
	case EV_GO_SLEEP:
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
	case EV_GO_BLOCK_NET:
	case EV_GO_BLOCK_GC:
		return pause(machine, g, p, event, WAITING);
	default:
		return gtrace_machine_step_other(machine, g, p, event);
	}
}
