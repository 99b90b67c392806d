/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * other.c - the events that are seldom, or concern no goroutine's running:
 * processors, collections, and what users mark.
 */
#include "run/state.h"

/* --------------------------------------------------------------- regions -- */

static bool fail_user(struct machine *machine, enum fault_kind kind,
		      const struct event *event, const struct event *other)
{
	machine->fault.other = *other;
	return gtrace_machine_fail(machine, kind, event);
}

static bool push_region(struct machine *machine, struct machine_goroutine *g,
			const struct event *event)
{
	uint32_t number = machine->free_region;
	struct region *region;

	if (number == REGION_NONE) {
		if (machine->regions.count >= REGION_NONE - 1 ||
		    !gtrace_array_reserve(&machine->regions, sizeof(*region),
					  machine->memory))
			return false;
		number = (uint32_t)machine->regions.count++;
		region = region_at(machine, number);
	} else {
		region = region_at(machine, number);
		machine->free_region = region->outer;
	}
	region->start = *event;
	region->slice = g->start_ordinal;
	region->outer = g->region;
	g->region = number + 1;
	return true;
}

static void pop_region(struct machine *machine, struct machine_goroutine *g)
{
	uint32_t number = g->region - 1;
	struct region *region = region_at(machine, number);

	g->region = region->outer;
	region->outer = machine->free_region;
	machine->free_region = number;
}

static bool take_region(struct machine *machine, struct machine_goroutine *g,
			const struct event *event)
{
	const struct machine_options *options = &machine->options;
	const struct event *start;

	if (event->args[1] == 0)
		return push_region(machine, g, event) ||
		       gtrace_machine_fail(machine, FAULT_MEMORY, event);
	if (event->args[1] != 1)
		return gtrace_machine_fail(machine, FAULT_REGION_MODE, event);
	if (g->region == 0)
		return true; /* it began before the trace did */
	start = &region_at(machine, g->region - 1)->start;
	if (start->args[0] != event->args[0] ||
	    (start->args[2] != event->args[2] &&
	     !options->same_text(options->context, start->args[2],
				 event->args[2])))
		return fail_user(machine, FAULT_REGION_MISMATCH, event, start);
	link_to(machine, start->ordinal, event);
	pop_region(machine, g);
	return true;
}

void gtrace_machine_end_regions(struct machine *machine,
				struct machine_goroutine *g,
				const struct event *event)
{
	while (g->region != 0) {
		if (event->type == EV_GO_END)
			link_to(machine,
				region_at(machine, g->region - 1)
					->start.ordinal,
				event);
		pop_region(machine, g);
	}
}

/* ----------------------------------------------------------------- tasks -- */

static bool take_task(struct machine *machine, const struct event *event)
{
	struct event *tasks = machine->tasks.items;
	const uint64_t *known =
		gtrace_map_get(&machine->task_of_id, event->args[0]);
	uint64_t number = machine->free_task, *place;

	if (known != NULL)
		return fail_user(machine, FAULT_TASK_EXISTS, event,
				 &tasks[*known]);
	if (number != 0) {
		/* The list of free ones goes through the ordinals. */
		machine->free_task = tasks[number - 1].ordinal;
		number--;
	} else if (gtrace_array_reserve(&machine->tasks, sizeof(*tasks),
					machine->memory)) {
		number = machine->tasks.count++;
		tasks = machine->tasks.items;
	} else {
		return gtrace_machine_fail(machine, FAULT_MEMORY, event);
	}
	place = gtrace_map_put(&machine->task_of_id, event->args[0],
			       machine->memory);
	if (place == NULL)
		return gtrace_machine_fail(machine, FAULT_MEMORY, event);
	*place = number;
	tasks[number] = *event;
	return true;
}

static void end_task(struct machine *machine, const struct event *event)
{
	struct event *tasks = machine->tasks.items;
	const uint64_t *known =
		gtrace_map_get(&machine->task_of_id, event->args[0]);
	uint64_t number;

	if (known == NULL)
		return;
	number = *known;
	link_to(machine, tasks[number].ordinal, event);
	tasks[number].ordinal = machine->free_task;
	machine->free_task = number + 1;
	gtrace_map_delete(&machine->task_of_id, event->args[0]);
}

/* ----------------------------------------------------------------- steps -- */

static bool collect(struct machine *machine, struct machine_processor *p,
		    struct event *event)
{
	if (event->type == EV_GC_START) {
		if (machine->gc_start != 0)
			return gtrace_machine_fail(machine, FAULT_GC_NOT_ENDED,
						   event);
		machine->gc_start = event->ordinal;
		event->p = PROCESSOR_COLLECTOR;
		move_to(machine, machine->options.collector_slot, p);
		return true;
	}
	if (machine->gc_start == 0)
		return gtrace_machine_fail(machine, FAULT_GC_NOT_STARTED,
					   event);
	link_to(machine, machine->gc_start, event);
	machine->gc_start = 0;
	return true;
}

/* The start, or the end, of something that *BEGUN tells whether it runs. */
static bool begin(struct machine *machine, uint64_t *begun,
		  const struct event *event, enum fault_kind kind)
{
	if (*begun != 0)
		return gtrace_machine_fail(machine, kind, event);
	*begun = event->ordinal;
	return true;
}

static bool end(struct machine *machine, uint64_t *begun,
		const struct event *event, enum fault_kind kind)
{
	if (*begun == 0)
		return gtrace_machine_fail(machine, kind, event);
	link_to(machine, *begun, event);
	*begun = 0;
	return true;
}

static bool start_processor(struct machine *machine,
			    struct machine_processor *p,
			    const struct event *event)
{
	if (p->running)
		return gtrace_machine_fail(machine,
					   FAULT_PROC_RUNS_BEFORE_START, event);
	p->running = true;
	return true;
}

static bool stop_processor(struct machine *machine, struct machine_processor *p,
			   const struct event *event)
{
	if (!p->running)
		return gtrace_machine_fail(
			machine, FAULT_PROC_STOPPED_BEFORE_STOP, event);
	if (p->g != 0)
		return gtrace_machine_fail_busy(
			machine, FAULT_PROC_BUSY_AT_STOP, event, p->g);
	p->running = false;
	return true;
}

/* G is in a state that the beginning of the trace tells. */
static bool was_waiting(struct machine *machine, struct machine_goroutine *g,
			const struct event *event)
{
	if (g->state != RUNNABLE)
		return gtrace_machine_fail(machine, FAULT_NOT_RUNNABLE, event);
	g->state = WAITING;
	gtrace_machine_remember(machine, g, event, trail_none);
	return true;
}

bool gtrace_machine_step_other(struct machine *machine,
			       struct machine_goroutine *g,
			       struct machine_processor *p, struct event *event)
{
	uint64_t *stop = machine->options.stops_per_processor
				 ? &p->stop
				 : &machine->stw_start;

	switch (event->type) {
	case EV_PROC_START:
		return start_processor(machine, p, event);
	case EV_PROC_STOP:
		return stop_processor(machine, p, event);
	case EV_GC_START:
	case EV_GC_DONE:
		return collect(machine, p, event);
	case EV_STW_START:
		return begin(machine, stop, event, FAULT_STW_NOT_ENDED);
	case EV_STW_DONE:
		return end(machine, stop, event, FAULT_STW_NOT_STARTED);
	case EV_GC_SWEEP_START:
		return begin(machine, &p->sweep, event, FAULT_SWEEP_NOT_ENDED);
	case EV_GC_SWEEP_DONE:
		return end(machine, &p->sweep, event, FAULT_SWEEP_NOT_STARTED);
	case EV_GC_MARK_ASSIST_START:
		return begin(machine, &g->assist, event,
			     FAULT_ASSIST_NOT_ENDED);
	case EV_GC_MARK_ASSIST_DONE:
		/* It may have begun before the trace did. */
		return g->assist == 0 ||
		       end(machine, &g->assist, event, FAULT_ASSIST_NOT_ENDED);
	case EV_GO_WAITING:
	case EV_GO_IN_SYSCALL:
		return was_waiting(machine, g, event);
	case EV_USER_TASK_CREATE:
		return take_task(machine, event);
	case EV_USER_TASK_END:
		end_task(machine, event);
		return true;
	case EV_USER_REGION:
		return take_region(machine, g, event);
	default:
		return true;
	}
}
