/* SPDX-License-Identifier: BSD-3-Clause */
/* order_1_5.c - the events of a Go 1.5 or 1.6 trace in order. */
#include "v1/order_1_5.h"

#include "base/fail.h"
#include "base/sort.h"
#include "v1/lookup.h"
#include "v1/record.h"

struct entry {
	int64_t sequence;
	int64_t ticks;
	uint64_t offset;
	uint64_t g;
	int64_t p;
};

/* The entry of the event that is NUMBER, from 0 on, in order. */
static const struct entry *entry_at(const struct order_1_5 *order,
				    size_t number)
{
	const struct entry *entries = order->entries.items;

	return &entries[order->sorted[number].value];
}

/* The state while events are listed, at a record of processor P. */
struct listing {
	struct order_1_5 *order;
	struct map running; /* processor to goroutine, except for P */
	int64_t p;
	uint64_t g; /* the one that runs on P */
	int64_t sequence;
	int64_t ticks;
};

static enum gtrace_status switch_processor(struct listing *listing,
					   const struct record *record)
{
	const struct gtrace_allocator *memory = &listing->order->index->memory;
	uint64_t *place =
		gti_map_put(&listing->running, (uint64_t)listing->p, memory);

	if (place == NULL)
		return GTRACE_ERROR_MEMORY;
	*place = listing->g;
	listing->p = (int64_t)record->values[0];
	listing->sequence = (int64_t)record->values[1];
	listing->ticks = (int64_t)record->values[2];
	place = gti_map_get(&listing->running, (uint64_t)listing->p);
	listing->g = place != NULL ? *place : 0;
	return GTRACE_OK;
}

static enum gtrace_status list_event(struct listing *listing,
				     const struct record *record)
{
	struct order_1_5 *order = listing->order;
	const struct rule *rule = &order->index->rules.by_type[record->type];
	const uint64_t *args = record->values + 2;
	struct entry *entry;

	if (!gti_array_reserve(&order->entries, sizeof(*entry),
			       &order->index->memory))
		return GTRACE_ERROR_MEMORY;
	entry = (struct entry *)order->entries.items + order->entries.count++;
	listing->sequence =
		(int64_t)((uint64_t)listing->sequence + record->values[0]);
	listing->ticks =
		(int64_t)((uint64_t)listing->ticks + record->values[1]);
	if (rule->owner == OWNER_STARTS)
		listing->g = args[0];
	*entry = (struct entry){
		.sequence = listing->sequence,
		.ticks = listing->ticks,
		.offset = record->offset,
		.g = listing->g,
		.p = listing->p,
	};
	if (rule->owner == OWNER_ARGUMENT)
		entry->g = args[0];
	else if (rule->owner == OWNER_ZERO)
		entry->g = 0;
	else if (rule->owner == OWNER_LEAVES)
		listing->g = 0;
	if (record->type == EV_GO_SYS_EXIT) {
		entry->sequence = (int64_t)args[1];
		if (args[2] != 0)
			entry->ticks = (int64_t)args[2];
	}
	return GTRACE_OK;
}

static enum gtrace_status list_events(struct listing *listing)
{
	const struct index *index = listing->order->index;
	const struct rules *rules = &index->rules;
	/* No dictionary: these versions have no strings. */
	struct reader reader = {
		.data = index->data,
		.size = index->size,
		.offset = HEADER_SIZE,
		.rules = rules,
	};
	enum gtrace_status status;
	struct record record;

	for (;;) {
		status = gti_record_read(&reader, &record);
		if (status != GTRACE_OK || record.type == EV_NONE ||
		    listing->order->entries.count >= index->events)
			return GTRACE_OK; /* or the file was changed */
		if (record.count != rules->by_type[record.type].values)
			continue; /* a Stack */
		if (record.type == EV_BATCH)
			status = switch_processor(listing, &record);
		else if (rules->by_type[record.type].owner != OWNER_CONTROL)
			status = list_event(listing, &record);
		if (status != GTRACE_OK)
			return status;
	}
}

/* Puts the entries of the batch NUMBER to TO. Returns their end. */
static struct sort_item *put_batch(const struct order_1_5 *order,
				   uint32_t number, struct sort_item *to)
{
	const struct index *index = order->index;
	const struct entry *entries = order->entries.items;
	size_t i = (size_t)index_batch(index, number)->ordinal;
	size_t end = order->entries.count;

	if (number + 1 < index->batches.count)
		end = (size_t)index_batch(index, number + 1)->ordinal;
	for (; i < end && i < order->entries.count; i++)
		*to++ = (struct sort_item){entries[i].sequence, (uint32_t)i};
	return to;
}

/*
 * Sorts the entries as the reference does, in which the events of a processor
 * follow those of another one. There the order of processors is random; here
 * it is that of their first events. Returns false if there is no memory.
 */
static bool sort_entries(struct order_1_5 *order)
{
	const struct index *index = order->index;
	size_t count = order->entries.count;
	struct sort_item *to;
	uint32_t first, batch;

	if (count > UINT32_MAX)
		return false;
	to = gti_allocate(&index->memory, (count + 1) * sizeof(*to));
	if (to == NULL)
		return false;
	order->sorted = to;
	for (first = 0; first < index->batches.count; first++) {
		batch = index_batch(index, first)->stream;
		if (index_stream(index, batch)->first != first)
			continue;
		for (batch = first; batch != BATCH_NONE;
		     batch = index_batch(index, batch)->next)
			to = put_batch(order, batch, to);
	}
	gti_sort_go1_8(order->sorted, (size_t)(to - order->sorted));
	return true;
}

static enum gtrace_status fail_ticks(const struct entry *entry,
				     struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ORDER, entry->offset,
			"time stamps out of order");
}

/* Finds the first entry with a time stamp out of order. */
static void find_end(struct order_1_5 *order)
{
	size_t count = order->entries.count;
	size_t i;

	if (count != 0)
		order->first_ticks = entry_at(order, 0)->ticks;
	for (i = 1; i < count; i++)
		if (entry_at(order, i)->ticks < entry_at(order, i - 1)->ticks)
			break;
	order->end = i < count ? i : count;
}

enum gtrace_status gti_order_1_5_init(struct order_1_5 *order,
				      const struct index *index,
				      bool stop_at_fault,
				      struct gtrace_error *error)
{
	struct listing listing = {.order = order};
	enum gtrace_status status;

	*order = (struct order_1_5){
		.index = index,
		.event.m = ID_NONE,
		.timer_slot = gti_index_slot_of(index, PROCESSOR_TIMER),
		.syscall_slot = gti_index_slot_of(index, PROCESSOR_SYSCALL),
	};
	status = list_events(&listing);
	gti_map_free(&listing.running, &index->memory);
	if (status != GTRACE_OK || !sort_entries(order) ||
	    !gti_goroutines_init(&order->goroutines, false, &index->memory)) {
		gti_order_1_5_free(order);
		return gti_fail_memory(error);
	}
	find_end(order);
	if (order->end == order->entries.count || stop_at_fault)
		return GTRACE_OK;
	status = fail_ticks(entry_at(order, order->end), error);
	gti_order_1_5_free(order);
	return status;
}

void gti_order_1_5_free(struct order_1_5 *order)
{
	if (order->index == NULL)
		return;
	gti_release(&order->index->memory, order->sorted,
		    (order->entries.count + 1) * sizeof(*order->sorted));
	gti_array_free(&order->entries, sizeof(struct entry),
		       &order->index->memory);
	gti_goroutines_free(&order->goroutines);
	order->index = NULL;
}

enum gtrace_status gti_order_1_5_next(struct order_1_5 *order,
				      struct event **out,
				      struct gtrace_error *error)
{
	const struct index *index = order->index;
	const struct entry *entry;
	struct event *event = &order->event;
	struct goroutine *goroutine;

	*out = NULL;
	if (order->next == order->entries.count)
		return GTRACE_OK;
	entry = entry_at(order, order->next);
	event->ordinal = order->sorted[order->next].value + (uint64_t)1;
	if (order->next == order->end)
		return fail_ticks(entry, error);
	order->next++;
	event->offset = entry->offset;
	event->ticks = entry->ticks;
	event->p = entry->p;
	event->p_slot = gti_index_slot_of(index, entry->p);
	event->g = entry->g;
	event->type = index->data[entry->offset] & (EVENT_TYPES - 1);
	event->stack = gti_lookup_args(index, event);
	if (is_stack_of_pc(event->stack)) /* no id that Go writes */
		event->stack = 0;
	if (event->type == EV_GO_SYS_EXIT) {
		event->p = PROCESSOR_SYSCALL;
		event->p_slot = order->syscall_slot;
	} else if (event->type == EV_GO_UNBLOCK &&
		   index_is_timer(index, event->g)) {
		event->p = PROCESSOR_TIMER;
		event->p_slot = order->timer_slot;
	}
	if (!goroutines_find(&order->goroutines, event->g, &goroutine))
		return gti_fail_memory(error);
	event->g_record = goroutine;
	if (event->type == EV_GO_CREATE || event->type == EV_GO_UNBLOCK) {
		if (!goroutines_find(&order->goroutines, event->args[0],
				     &goroutine))
			return gti_fail_memory(error);
		event->target_record = goroutine;
	}
	*out = event;
	return GTRACE_OK;
}

uint64_t gti_order_1_5_unread(const struct order_1_5 *order)
{
	uint64_t read = 0, unread = order->index->size;
	size_t i;

	for (i = 0; i < order->next; i++)
		if (entry_at(order, i)->offset > read)
			read = entry_at(order, i)->offset;
	for (i = order->next; i < order->entries.count; i++)
		if (entry_at(order, i)->offset > read &&
		    entry_at(order, i)->offset < unread)
			unread = entry_at(order, i)->offset;
	return unread;
}
