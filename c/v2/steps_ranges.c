/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps_ranges.c - the steps of events that begin and end what the runtime
 * does: stop-the-world pauses, collections, sweeps and mark assists.
 */
#include <inttypes.h>

#include "base/array.h"
#include "v2/steps.h"
#include "v2/trace.h"

/* ---------------------------------------------------------------- ranges -- */

/* A goroutine in more ranges than this has them in a map, too. */
#define RANGES_FEW 16

/* Of RANGES the mark assist, or the first of the stops; NULL: none. */
static struct range *first_range(const struct ranges *ranges, bool assist)
{
	struct range *list;
	size_t i;

	if (ranges == NULL)
		return NULL;
	list = ranges->list.items;
	if (assist && ranges->many)
		return ranges->assist_place != 0
			       ? &list[ranges->assist_place - 1]
			       : NULL;
	for (i = 0; i < ranges->list.count; i++)
		if (list[i].assist == assist)
			return &list[i];
	return NULL;
}

/* Whether a mark assist, or a stop of KIND, is among RANGES. */
static bool is_in_range(const struct ranges *ranges, bool assist, uint64_t kind)
{
	const struct range *list;
	size_t i;

	if (assist || ranges == NULL)
		return first_range(ranges, true) != NULL;
	if (ranges->many)
		return gti_map_get(&ranges->kinds, kind) != NULL;
	list = ranges->list.items;
	for (i = 0; i < ranges->list.count; i++)
		if (!list[i].assist && list[i].kind == kind)
			return true;
	return false;
}

/* Adds the one of RANGES at PLACE to those that are in a map. */
static bool add_to_many(struct ranges *ranges, size_t place,
			const struct gtrace_allocator *memory)
{
	const struct range *range =
		(const struct range *)ranges->list.items + place;

	if (!range->assist)
		return gti_map_put(&ranges->kinds, range->kind, memory) != NULL;
	ranges->assist_place = place + 1;
	return true;
}

/* RANGES are many: adds all of them to the map. */
static bool begin_many(struct ranges *ranges,
		       const struct gtrace_allocator *memory)
{
	size_t i;

	ranges->many = true;
	for (i = 0; i < ranges->list.count; i++)
		if (!add_to_many(ranges, i, memory))
			return false;
	return true;
}

static bool add_range(struct states *states, struct goroutine *goroutine,
		      bool assist, uint64_t kind)
{
	const struct range range = {.kind = kind, .assist = assist};
	struct ranges *ranges = goroutine->ranges;

	if (ranges == NULL)
		ranges = goroutine->ranges = gti_pool_take(&states->ranges);
	if (ranges == NULL || array_add(&ranges->list, &range, sizeof(range),
					states->memory) == NULL)
		return false;
	if (ranges->many)
		return add_to_many(ranges, ranges->list.count - 1,
				   states->memory);
	return ranges->list.count <= RANGES_FEW ||
	       begin_many(ranges, states->memory);
}

/* Removes RANGE of RANGES: the last one takes its place. */
static void remove_range(struct ranges *ranges, struct range *range)
{
	struct range *list = ranges->list.items;
	const struct range *last = &list[--ranges->list.count];

	if (ranges->many) {
		if (last->assist)
			ranges->assist_place = (size_t)(range - list) + 1;
		if (range->assist)
			ranges->assist_place = 0;
		else
			gti_map_delete(&ranges->kinds, range->kind);
	}
	*range = *last;
}

/* EVENT of THREAD begins or ends a stop. */
static void observe_stop(const struct states *states, struct thread *thread,
			 const struct event *event, bool begins)
{
	struct running_slice *running =
		has_slice(thread) ? &thread->slice : NULL;
	struct observer *observer = states->to.observer;

	if (is_withheld(&states->to, PASS_CAREFUL) || thread->p == NO_PROC)
		return;
	if (begins)
		gti_observe_stop(observer, running, event->ticks,
				 states->written);
	else
		gti_observe_stop_end(observer, running, event->ticks,
				     states->written);
}

/* A stop-the-world pause or a mark assist begins or ends. */
static enum outcome go_range(struct states *states, struct thread *thread,
			     struct event *event, bool assist, bool begins)
{
	struct goroutine *goroutine = thread->goroutine;
	uint64_t kind = assist ? 0 : event->args[0];
	struct range *range;
	waiting_links *waiting;
	bool is_in;

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	range = begins ? NULL : first_range(goroutine->ranges, assist);
	is_in = begins ? is_in_range(goroutine->ranges, assist, kind)
		       : range != NULL;
	if (is_in == begins && states->generation->unfinished) {
		hand_out(states, event);
		if (!assist)
			observe_stop(states, thread, event, begins);
		return ADVANCED;
	}
	if (begins && is_in)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " is in one already",
				   thread->g);
	if (!begins && !is_in)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " is in none",
				   thread->g);
	if (begins && !add_range(states, goroutine, assist, kind))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	waiting =
		assist ? &goroutine->ranges->assist : &goroutine->ranges->stop;
	if (begins) {
		gti_v2_link_later(states, waiting, event);
	} else {
		remove_range(goroutine->ranges, range);
		gti_v2_link_now(states, waiting, event->ordinal);
	}
	if (!assist)
		observe_stop(states, thread, event, begins);
	return ADVANCED;
}

static enum outcome assist_active(struct states *states, struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   event->args[0]);
	if (is_in_range(goroutine->ranges, true, 0) == states->is_first)
		return gti_v2_fail(states, event, "goroutine %" PRIu64 " is %s",
				   event->args[0],
				   states->is_first ? "in one already"
						    : "in none");
	if (states->is_first && !add_range(states, goroutine, true, 0))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	gti_v2_link_later(states, &goroutine->ranges->assist, event);
	return ADVANCED;
}

static enum outcome sweep(struct states *states, struct thread *thread,
			  struct event *event, bool begins)
{
	struct processor *processor = thread->processor;

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (processor->sweeps == begins)
		return gti_v2_fail(
			states, event, "processor %" PRId64 " %s", thread->p,
			begins ? "sweeps already" : "does not sweep");
	processor->sweeps = begins;
	hand_out(states, event);
	if (begins)
		gti_v2_link_later(states, &processor->sweep, event);
	else
		gti_v2_link_now(states, &processor->sweep, event->ordinal);
	return ADVANCED;
}

static enum outcome sweep_active(struct states *states, struct event *event)
{
	struct processor *processor = find_processor(states, event->args[0]);

	if (processor == NULL)
		return gti_v2_fail(states, event,
				   "there is no processor %" PRId64,
				   (int64_t)event->args[0]);
	if (processor->sweeps == states->is_first)
		return gti_v2_fail(states, event, "processor %" PRId64 " %s",
				   processor->id,
				   states->is_first ? "sweeps already"
						    : "does not sweep");
	processor->sweeps = true;
	hand_out(states, event);
	gti_v2_link_later(states, &processor->sweep, event);
	return ADVANCED;
}

/* ------------------------------------------------------------- collector -- */

static enum outcome set_collector(struct states *states, struct event *event,
				  enum collector_state state)
{
	states->collections = event->args[0];
	states->collector = state;
	hand_out(states, event);
	if (state == COLLECTOR_ON)
		gti_v2_link_later(states, &states->collection, event);
	else
		gti_v2_link_now(states, &states->collection, event->ordinal);
	if (is_withheld(&states->to, PASS_CAREFUL))
		return ADVANCED;
	if (state == COLLECTOR_ON)
		gti_observe_collection(
			states->to.observer,
			event->type == EV_GC_ACTIVE && states->is_first
				? observe_since_origin(states->to.observer,
						       event->ticks)
				: event->ticks);
	else if (!gti_observe_collection_end(states->to.observer, event->ticks))
		return FAILED;
	return ADVANCED;
}

/* A GC event whose number must follow, in the state WANTED. */
static enum outcome collect(struct states *states, struct thread *thread,
			    struct event *event, enum collector_state wanted,
			    enum collector_state next)
{
	if (event->args[0] != states->collections + 1)
		return WAITS;
	if (states->collector != wanted)
		return gti_v2_fail(states, event, "the collector is %s",
				   states->collector == COLLECTOR_UNKNOWN
					   ? "in no known state"
				   : states->collector == COLLECTOR_ON ? "on"
								       : "off");
	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return set_collector(states, event, next);
}

static enum outcome gc_active(struct states *states, struct thread *thread,
			      struct event *event)
{
	if (!states->is_first)
		return collect(states, thread, event, COLLECTOR_ON,
			       COLLECTOR_ON);
	if (states->collector != COLLECTOR_UNKNOWN)
		return gti_v2_fail(states, event,
				   "it is not the first event of the collector "
				   "in the first generation");
	return set_collector(states, event, COLLECTOR_ON);
}

static enum outcome gc_begin(struct states *states, struct thread *thread,
			     struct event *event)
{
	if (states->collector == COLLECTOR_UNKNOWN)
		return set_collector(states, event, COLLECTOR_ON);
	return collect(states, thread, event, COLLECTOR_OFF, COLLECTOR_ON);
}

enum outcome gti_v2_step_range(struct states *states, struct thread *thread,
			       struct event *event)
{
	switch (event->type) {
	case EV_STW_BEGIN:
		return go_range(states, thread, event, false, true);
	case EV_STW_END:
		return go_range(states, thread, event, false, false);
	case EV_GC_MARK_ASSIST_BEGIN:
		return go_range(states, thread, event, true, true);
	case EV_GC_MARK_ASSIST_END:
		return go_range(states, thread, event, true, false);
	case EV_GC_MARK_ASSIST_ACTIVE:
		return assist_active(states, event);
	case EV_GC_SWEEP_BEGIN:
		return sweep(states, thread, event, true);
	case EV_GC_SWEEP_END:
		return sweep(states, thread, event, false);
	case EV_GC_SWEEP_ACTIVE:
		return sweep_active(states, event);
	case EV_GC_ACTIVE:
		return gc_active(states, thread, event);
	case EV_GC_BEGIN:
		return gc_begin(states, thread, event);
	case EV_GC_END:
		return collect(states, thread, event, COLLECTOR_ON,
			       COLLECTOR_OFF);
	default:
		return gti_v2_step_other(states, thread, event);
	}
}
