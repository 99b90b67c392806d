/* SPDX-License-Identifier: BSD-3-Clause */
/* states_user.c - the events of user tasks and regions. */
#include "v1/states.h"

/* --------------------------------------------------------------- regions -- */

static bool push_region(struct states *states, struct goroutine *g,
			const struct event *event)
{
	struct region *region = gti_pool_take(&states->regions);

	if (region == NULL)
		return gti_states_fail_memory(states);
	region->start = *event;
	region->slice = slice_start(g)->ordinal;
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

	if (event->args[1] == 0)
		return push_region(states, g, event);
	if (event->args[1] != 1)
		return gti_states_fail_user(states, event, NULL);
	if (g->region == NULL)
		return true; /* it began before the trace */
	start = &g->region->start;
	if (start->args[0] != event->args[0] ||
	    !gti_lookup_same(states->index, start->args[2], event->args[2]))
		return gti_states_fail_user(states, event, start);
	observe_link(states->to.observer, start->ordinal, event->ordinal);
	pop_region(states, g);
	return true;
}

void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event)
{
	while (g->region != NULL) {
		if (event->type == EV_GO_END)
			observe_link(states->to.observer,
				     g->region->start.ordinal, event->ordinal);
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
	observe_link(states->to.observer, task->ordinal, event->ordinal);
	gti_pool_give(&states->tasks, task);
	gti_map_delete(&states->task_of_id, event->args[0]);
}

bool gti_states_step_user(struct states *states, struct goroutine *g,
			  const struct event *event)
{
	switch (event->type) {
	case EV_USER_TASK_CREATE:
		return take_task(states, event);
	case EV_USER_TASK_END:
		end_task(states, event);
		return true;
	default:
		return take_region(states, g, event);
	}
}
