/* SPDX-License-Identifier: BSD-3-Clause */
/* order_1_5.c - the events of a Go 1.5 or 1.6 trace in order. */
#include "v1/order_1_5.h"

#include "base/fail.h"
#include "base/sort.h"
#include "v1/lookup.h"

struct entry {
	int64_t ticks;
	uint64_t offset;
	uint64_t ordinal;
	uint64_t g;
	uint32_t stream;
};

/* The entry of the event that is NUMBER, from 0 on, in order. */
static const struct entry *entry_at(const struct order_1_5 *order,
				    size_t number)
{
	return &order->entries[order->sorted[number].value];
}

/* The state while the events of a stream are listed. */
struct listing {
	uint64_t g; /* the one that runs */
	int64_t sequence;
	struct entry entry; /* the last one */
};

static void list_event(struct order_1_5 *order, struct listing *listing,
		       const struct record *record, const struct rule *rule)
{
	const uint64_t *args = record->values + 2;
	struct entry *entry = &listing->entry;
	int64_t ticks = (int64_t)((uint64_t)entry->ticks + record->values[1]);
	int64_t sequence =
		(int64_t)((uint64_t)listing->sequence + record->values[0]);

	if (rule->owner == OWNER_STARTS)
		listing->g = args[0];
	entry->ticks = ticks;
	entry->offset = record->offset;
	entry->ordinal++;
	entry->g = listing->g;
	listing->sequence = sequence;
	if (rule->owner == OWNER_ARGUMENT)
		entry->g = args[0];
	else if (rule->owner == OWNER_ZERO)
		entry->g = 0;
	else if (rule->owner == OWNER_LEAVES)
		listing->g = 0;
	if (record->type == EV_GO_SYS_EXIT) {
		sequence = (int64_t)args[1];
		if (args[2] != 0)
			entry->ticks = (int64_t)args[2];
	}
	order->sorted[order->count] =
		(struct sort_item){sequence, (uint32_t)order->count};
	order->entries[order->count++] = *entry;
	entry->ticks = ticks;
}

static void list_batch(struct order_1_5 *order, struct listing *listing,
		       const struct batch *batch)
{
	const struct index *index = order->index;
	struct reader reader = gti_lookup_reader(index, batch->first);
	struct record record;

	listing->sequence = batch->sequence;
	listing->entry.ticks = batch->ticks;
	listing->entry.ordinal = batch->ordinal;
	while (reader.offset < batch->end && order->count < index->events &&
	       gti_record_read(&reader, &record) == GTRACE_OK) {
		const struct rule *rule = &index->rules.by_type[record.type];

		if (rule->owner != OWNER_CONTROL &&
		    record.count == rule->values)
			list_event(order, listing, &record, rule);
	}
}

/*
 * Lists and sorts the events as the reference does, in which the events of a
 * processor follow those of another one. There the order of processors is
 * random; here it is that of their first batches. Returns false if there is no
 * memory.
 */
static bool list_events(struct order_1_5 *order)
{
	const struct index *index = order->index;
	size_t size = (size_t)index->events;
	uint32_t stream, batch;

	if (index->events > UINT32_MAX)
		return false;
	order->entries = gti_allocate_zeroed(&index->memory, size,
					     sizeof(*order->entries));
	order->sorted = gti_allocate_zeroed(&index->memory, size,
					    sizeof(*order->sorted));
	if (order->entries == NULL || order->sorted == NULL)
		return false;
	for (stream = 0; stream < index->streams.count; stream++) {
		struct listing listing = {.entry.stream = stream};

		for (batch = index_stream(index, stream)->first;
		     batch != BATCH_NONE;
		     batch = index_batch(index, batch)->next)
			list_batch(order, &listing, index_batch(index, batch));
	}
	gti_sort_go1_8(order->sorted, order->count);
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
	size_t count = order->count, i;

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
	enum gtrace_status status;

	*order = (struct order_1_5){
		.index = index,
		.event.m = ID_NONE,
		.timer_slot = gti_index_slot_of(index, PROCESSOR_TIMER),
		.syscall_slot = gti_index_slot_of(index, PROCESSOR_SYSCALL),
	};
	if (!list_events(order) ||
	    !gti_goroutines_init(&order->goroutines, false, &index->memory)) {
		gti_order_1_5_free(order);
		return gti_fail_memory(error);
	}
	find_end(order);
	if (order->end == order->count || stop_at_fault)
		return GTRACE_OK;
	status = fail_ticks(entry_at(order, order->end), error);
	gti_order_1_5_free(order);
	return status;
}

void gti_order_1_5_free(struct order_1_5 *order)
{
	const struct index *index = order->index;

	if (index == NULL)
		return;
	gti_release(&index->memory, order->entries,
		    (size_t)index->events * sizeof(*order->entries));
	gti_release(&index->memory, order->sorted,
		    (size_t)index->events * sizeof(*order->sorted));
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
	if (order->next == order->count)
		return GTRACE_OK;
	entry = entry_at(order, order->next);
	if (order->next == order->end)
		return fail_ticks(entry, error);
	order->next++;
	event->ordinal = entry->ordinal;
	event->offset = entry->offset;
	event->ticks = entry->ticks;
	event->p = index_stream(index, entry->stream)->p;
	event->p_slot = entry->stream;
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
	for (i = order->next; i < order->count; i++)
		if (entry_at(order, i)->offset > read &&
		    entry_at(order, i)->offset < unread)
			unread = entry_at(order, i)->offset;
	return unread;
}
