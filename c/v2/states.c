/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - the records of threads, processors and goroutines. */
#include "base/array.h"
#include "v2/hooks.h"

/* Least serial of the slices that run. */
static uint64_t oldest_slice(const void *context)
{
	const struct states *states = context;
	uint64_t oldest = states->to.observer->slices->started + 1;
	uint32_t i;

	for (i = 0; i < states->threads.records.used; i++) {
		const struct thread *thread =
			gti_pool_at(&states->threads.records, i);

		if (has_slice(thread) && thread->slice.serial < oldest)
			oldest = thread->slice.serial;
	}
	return oldest;
}

/* The size of the record of a goroutine, with what analyses keep after it. */
static size_t goroutine_size(const struct states *states)
{
	size_t size = sizeof(struct goroutine) +
		      (states->learns ? sizeof(struct own_event) : 0) +
		      (states->to.waits != NULL ? sizeof(struct waiter) : 0);

	size += RECORD_ALIGNMENT - 1;
	return size - size % RECORD_ALIGNMENT;
}

bool gti_v2_states_init(struct states *states, struct observer *observer,
			const struct gtrace_allocator *memory)
{
	*states = (struct states){
		.memory = memory,
		.learns = observe_needs_own(observer),
		.firsts = observe_needs_own(observer) ||
			  observer->each_slice != NULL,
		.ranges = {.memory = memory, .size = sizeof(struct ranges)},
		.regions = {.memory = memory, .size = sizeof(struct region)},
		.no_processor = {.id = NO_PROC, .status = PROC_ABSENT},
		.no_goroutine = {.id = NO_GOROUTINE, .status = GO_ABSENT},
		.unfinished_time = INT64_MAX,
	};
	analyses_init(&states->to, observer);
	observer->call_ends =
		(uint64_t)1 << EV_PROC_STOP | (uint64_t)1 << EV_PROC_STEAL;
	observer->oldest_slice = oldest_slice;
	observer->owner = gti_v2_slice_owner;
	observer->context = states;
	if (states->to.waits != NULL)
		gti_waits_start(states->to.waits, false);
	return gti_ids_init(&states->threads, sizeof(struct thread),
			    IDS_BITS_OF_OTHERS, memory) &&
	       gti_ids_init(&states->processors, sizeof(struct processor),
			    IDS_BITS_OF_OTHERS, memory) &&
	       gti_ids_init(&states->goroutines, goroutine_size(states),
			    IDS_BITS_OF_GOROUTINES, memory);
}

/* The events that would link to a later event of GOROUTINE link to none. */
static void end_goroutine(struct states *states, struct goroutine *goroutine)
{
	struct ranges *ranges = goroutine->ranges;

	if (ranges == NULL)
		return; /* it was never in a range, as most of them */
	gti_v2_link_now(states, &ranges->stop, 0);
	gti_v2_link_now(states, &ranges->assist, 0);
	gti_array_free(&ranges->list, sizeof(struct range), states->memory);
	if (ranges->many)
		gti_map_free(&ranges->kinds, states->memory);
	gti_pool_give(&states->ranges, ranges);
	goroutine->ranges = NULL;
}

/* Calls end_goroutine() for all. */
static void end_goroutines(struct states *states)
{
	const struct pool *records = &states->goroutines.records;
	uint32_t i;

	for (i = 0; states->ranges.used != 0 && i < records->used; i++)
		end_goroutine(states, gti_pool_at(records, i));
}

void gti_v2_states_end_sums(struct states *states)
{
	if (states->to.observer->known_until != INT64_MAX)
		return;
	gti_observe_end_sums(states->to.observer, states->last_time);
	if (states->to.waits != NULL)
		gti_waits_finish(states->to.waits, states->last_time);
	if (states->to.feed == NULL)
		return;
	gti_feed_finish(states->to.feed, states->last_time);
	if (!feed_goes_on(states->to.feed))
		states->to.feed = NULL;
}

bool gti_v2_states_finish(struct states *states)
{
	uint32_t i;

	gti_v2_states_end_sums(states);
	for (i = 0; i < states->threads.records.used; i++) {
		struct thread *thread =
			gti_pool_at(&states->threads.records, i);

		if (!gti_observe_still_running(
			    states->to.observer, &thread->slice, thread,
			    thread_known_until(states, thread)))
			return false;
	}
	states->to.withheld = false;
	for (i = 0; i < states->processors.records.used; i++) {
		struct processor *processor =
			gti_pool_at(&states->processors.records, i);

		gti_v2_link_now(states, &processor->sweep, 0);
	}
	gti_v2_link_now(states, &states->collection, 0);
	end_goroutines(states);
	gti_observe_finish(states->to.observer, states->ordinal,
			   states->last_time);
	return true;
}

void gti_v2_states_free(struct states *states)
{
	if (states->memory == NULL)
		return;
	states->to.withheld = true;
	end_goroutines(states);
	gti_ids_free(&states->threads);
	gti_ids_free(&states->processors);
	gti_ids_free(&states->goroutines);
	gti_pool_free(&states->ranges);
	gti_array_free(&states->listed, sizeof(struct own_event *),
		       states->memory);
	gti_map_free(&states->numbers, states->memory);
	gti_map_free(&states->tasks, states->memory);
	gti_pool_free(&states->regions);
	states->memory = NULL;
}

bool gti_v2_states_begin(struct states *states, uint64_t number,
			 bool has_events)
{
	uint64_t *index = gti_map_put(&states->numbers, number, states->memory);

	if (index == NULL)
		return false;
	if (*index == 0)
		*index = map_count(&states->numbers);
	states->number_index = (uint32_t)(*index - 1);
	if (states->first_generation == 0 && has_events)
		states->first_generation = number;
	states->is_first = states->first_generation == number;
	return true;
}

void gti_v2_list_own(struct states *states, struct own_event *own)
{
	if (array_add(&states->listed, &own, sizeof(own), states->memory) ==
	    NULL)
		states->to.observer->profile->failed = true;
	own->name = 0;
	own->listed = true;
}

/* Gives names to the stacks of OWN, the first time that of its creation. */
static void name_own(struct profile *profile, struct own_event *own)
{
	const struct own_stacks *stacks = &own->stacks;

	if (own->creator_name == 0 && stacks->creator != 0)
		own->creator_name = gti_profile_name(profile, PROFILE_CREATOR,
						     stacks->creator) +
				    1;
	own->name = gti_profile_name(profile, PROFILE_BEFORE, stacks->last) + 1;
	if (own->name != 0)
		return;
	own->name = gti_profile_name(profile, PROFILE_ANY + PROFILE_BEFORE,
				     stacks->last) +
		    1;
	if (own->name != 0 && own->creator_name != 0)
		own->name = own->creator_name;
}

bool gti_v2_states_settle(struct states *states)
{
	struct own_event **listed = states->listed.items;
	struct observer *observer = states->to.observer;
	size_t i;

	for (i = 0; i < states->listed.count; i++) {
		struct own_event *own = listed[i];

		/* Its record can be that of another goroutine meanwhile. */
		if (own->listed && own->stacks.last != 0)
			name_own(observer->profile, own);
		own->listed = false;
	}
	states->listed.count = 0;
	return observe_settle(observer);
}

struct thread *gti_v2_states_thread(struct states *states, int64_t m)
{
	struct thread *thread = ids_find(&states->threads, (uint64_t)m);

	if (thread != NULL)
		return thread;
	thread = gti_ids_add(&states->threads, (uint64_t)m);
	if (thread == NULL)
		return NULL;
	thread->g = NO_GOROUTINE;
	thread->goroutine = &states->no_goroutine;
	unbind_processor(states, thread);
	return thread;
}

struct goroutine *gti_v2_new_goroutine(struct states *states,
				       struct goroutine *old, uint64_t g,
				       enum go_status status)
{
	struct goroutine *goroutine =
		old != NULL ? old : gti_ids_add(&states->goroutines, g);

	if (goroutine == NULL)
		return NULL;
	if (!is_withheld(&states->to, PASS_CAREFUL))
		census_goroutine(&states->to.observer->census);
	if (states->learns) {
		own_of(goroutine)->stacks = (struct own_stacks){0, 0};
		own_of(goroutine)->creator_name = 0;
	}
	goroutine->status = (uint8_t)status;
	restart(states, &goroutine->sequence);
	return goroutine;
}

/* The regions of GOROUTINE can be used again. */
static void forget_regions(struct states *states, struct goroutine *goroutine)
{
	while (goroutine->region != NULL) {
		struct region *region = goroutine->region;

		goroutine->region = region->outer;
		gti_pool_give(&states->regions, region);
	}
}

void gti_v2_forget_goroutine(struct states *states, struct goroutine *goroutine)
{
	struct waits *waits = states->to.waits;

	if (!is_withheld(&states->to, PASS_CAREFUL))
		states->to.observer->census.alive--;
	/* Its record can become that of another one. */
	if (waits != NULL)
		gti_waits_take_back(waits, waiter_of(goroutine),
				    states->last_time);
	goroutine->sequence.slot = 0;
	goroutine->status = GO_ABSENT;
	goroutine->pending = (struct pending){.type = EV_NONE};
	goroutine->is_new = false;
	forget_regions(states, goroutine);
	end_goroutine(states, goroutine);
	if (goroutine->threads == 0)
		gti_ids_remove(&states->goroutines, goroutine);
}
