/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.c - whose event comes next.
 *
 * The cursors of all threads stand in a heap by time. The event of the first
 * one is tried. If it must wait, the heap is sorted and the others are tried
 * in turn.
 */
#include "v2/order.h"

#include <inttypes.h>

#include "base/fail.h"
#include "base/leb128.h"
#include "v2/clock.h"
#include "v2/steps.h"

/* ------------------------------------------------------------------ heap -- */

/* Moves the item at I up to where it belongs. Returns its new place. */
static uint32_t sift_up(struct sort_item *heap, uint32_t i)
{
	struct sort_item item = heap[i];

	while (i > 0 && heap[(i - 1) / 2].key > item.key) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = item;
	return i;
}

/*
 * Moves ITEM from I down to where it belongs. Of equal children the left one
 * is taken, and none that equals the item; so never one after the last.
 */
static ALWAYS_INLINE void sift_down(struct sort_item *heap, uint32_t i,
				    struct sort_item item)
{
	for (;;) {
		uint32_t least = 2 * i + 1;

		least += heap[least + 1].key < heap[least].key;
		if (heap[least].key >= item.key)
			break;
		heap[i] = heap[least];
		i = least;
	}
	heap[i] = item;
}

static inline int64_t least_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The item at I gets the time KEY. */
static void heap_update(struct order *order, uint32_t i, int64_t key)
{
	order->heap[i].key = key;
	if (sift_up(order->heap, i) == i)
		sift_down(order->heap, i, order->heap[i]);
}

/* Removes the item at I, in the order of the reference's steps. */
static NOINLINE void heap_remove(struct order *order, uint32_t i)
{
	struct sort_item *heap = order->heap, last;

	for (; i > 0; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	last = heap[--order->heap_count];
	heap[order->heap_count].key = INT64_MAX;
	if (order->heap_count > 0)
		sift_down(heap, 0, last);
}

/* --------------------------------------------------------------- set-up -- */

enum gtrace_status gti_v2_order_init(struct order *order,
				     const struct source *source,
				     struct array *places,
				     struct wide_stacks *wide,
				     struct observer *observer,
				     const struct gtrace_allocator *memory,
				     struct gtrace_error *error)
{
	*order = (struct order){
		.source = source, .memory = memory, .places = places};
	gti_v2_generation_init(&order->generation, source, memory);
	order->generation.wide = wide;
	order->generation.end = source->first;
	if (!gti_v2_states_init(&order->states, observer, memory)) {
		gti_v2_order_free(order);
		return gti_fail_memory(error);
	}
	order->states.generation = &order->generation;
	order->states.error = &order->fault;
	return GTRACE_OK;
}

/* Bytes of the heap of COUNT cursors. */
static size_t heap_size(size_t count)
{
	return count == 0 ? 0 : (2 * count + 2) * sizeof(struct sort_item);
}

static void free_cursors(struct order *order)
{
	gti_release(order->memory, order->cursors,
		    order->cursor_capacity * sizeof(*order->cursors));
	gti_release(order->memory, order->heap,
		    heap_size(order->cursor_capacity));
	order->cursors = NULL;
	order->heap = NULL;
	order->cursor_capacity = 0;
}

void gti_v2_order_free(struct order *order)
{
	if (order->memory == NULL)
		return;
	free_cursors(order);
	gti_v2_states_free(&order->states);
	gti_v2_generation_free(&order->generation);
	order->memory = NULL;
}

/* The only event of this step: not one of a thread. */
static struct event *only_event(struct order *order, enum event_type type,
				uint64_t offset, int64_t time)
{
	struct event *event = &order->states.events[0];

	*event = (struct event){
		.offset = offset,
		.m = NO_THREAD,
		.p = NO_PROC,
		.g = NO_GOROUTINE,
		.type = type,
	};
	order->states.count = 1;
	order->states.written = time;
	hand_out(&order->states, event);
	order->taken = 1;
	return event;
}

/* ----------------------------------------------------------- CPU samples -- */

/* Sets the time of the next sample. */
static void find_sample(struct order *order)
{
	const struct sort_item *samples = order->generation.sorted.items;

	order->sample_time = INT64_MAX;
	if (order->samples_taken < order->generation.sorted.count)
		order->sample_time = samples[order->samples_taken].key;
}

static struct event *take_sample(struct order *order)
{
	const struct generation *generation = &order->generation;
	const struct sort_item *item =
		(const struct sort_item *)generation->sorted.items +
		order->samples_taken++;
	const struct sample *sample =
		(const struct sample *)generation->samples.items + item->value;
	const struct source *source = generation->source;
	const uint8_t *p = source->data + sample->offset + 1;
	const uint8_t *end = source->data + source->size;
	uint64_t values[5] = {0};
	struct event *event;
	unsigned i;

	for (i = 0; i < 5; i++)
		if (leb128_read(&p, end, &values[i]) != LEB128_GOOD)
			break; /* the file was changed meanwhile */
	event = only_event(order, EV_CPU_SAMPLE, sample->offset, item->key);
	event->m = (int64_t)values[1];
	event->p = (int64_t)values[2];
	event->g = values[3] != 0 ? values[3] : NO_GOROUTINE;
	event->stack = values[4];
	find_stack(generation, &event->stack, &order->states.framed);
	find_sample(order);
	return event;
}

/* ---------------------------------------------------------- generations -- */

static struct event *sync(struct order *order, uint64_t offset, int64_t time)
{
	struct event *event = only_event(order, EV_SYNC, offset, time);

	event->args[0] = ++order->syncs;
	return event;
}

/* There is room for COUNT cursors. False: there is no memory. */
static bool reserve_cursors(struct order *order, size_t count)
{
	size_t i;

	if (count > order->cursor_capacity) {
		free_cursors(order);
		order->cursors = gti_allocate_zeroed(order->memory, count,
						     sizeof(*order->cursors));
		order->heap = gti_allocate(order->memory, heap_size(count));
		order->cursor_capacity = count;
		if (order->cursors == NULL || order->heap == NULL)
			return false;
	}
	for (i = 0; count > 0 && i < 2 * count + 2; i++)
		order->heap[i] = (struct sort_item){.key = INT64_MAX};
	return true;
}

/* Sets a cursor to the first event of each thread, where there is one. */
static enum gtrace_status start_cursors(struct order *order,
					struct gtrace_error *error)
{
	const struct generation *generation = &order->generation;
	const struct thread_batches *threads = generation->threads.items;
	size_t count = generation->threads.count, i;

	if (!reserve_cursors(order, count))
		return gti_fail_memory(error);
	for (i = 0; i < count; i++) {
		struct cursor *cursor = &order->cursors[order->heap_count];
		struct thread *thread = gti_v2_states_thread(&order->states,
							     threads[i].m);
		enum cursor_status status;

		if (thread == NULL)
			return gti_fail_memory(error);
		status = gti_v2_cursor_init(cursor, generation,
					    threads[i].first, thread);
		if (status == CURSOR_BAD)
			return gti_v2_cursor_fail(cursor, generation, error);
		if (status == CURSOR_END)
			continue;
		order->heap[order->heap_count] = (struct sort_item){
				.key = cursor->present.time,
			.value = order->heap_count,
		};
		sift_up(order->heap, order->heap_count++);
	}
	return GTRACE_OK;
}

/* The generation that was read begins: its Sync is the next event. */
static enum gtrace_status begin_generation(struct order *order,
					   struct event **event,
					   struct gtrace_error *error)
{
	struct generation *generation = &order->generation;
	struct states *states = &order->states;
	struct generation_place *place;
	enum gtrace_status status;

	if (order->places->count >= GENERATIONS_MAX - 1 ||
	    !gti_array_reserve(order->places, sizeof(*place), order->memory))
		return gti_fail_memory(error);
	gti_map_free(&generation->wide->places, order->memory);
	place = (struct generation_place *)order->places->items +
		order->places->count++;
	place->begin = generation->begin;
	place->end = generation->end;
	generation->handles = (uint64_t)order->places->count << STACK_ID_BITS;
	order->samples_taken = 0;
	find_sample(order);
	status = start_cursors(order, error);
	if (status != GTRACE_OK) {
		order->phase = ORDER_DONE;
		return status;
	}
	if (states->first_generation == 0 && order->heap_count != 0)
		states->first_generation = generation->number;
	states->is_first = states->first_generation == generation->number;
	states->number = generation->number;
	*event = sync(order, generation->begin,
		      ticks_to_ns(generation->least_time,
				  generation->ns_per_tick));
	return GTRACE_OK;
}

/* The file ends, well or with order->fault: one more Sync comes before that. */
static enum gtrace_status end_with(struct order *order, enum order_phase phase,
				   struct event **event)
{
	order->phase = phase;
	*event = sync(order, order->source->size, order->states.last_time);
	return GTRACE_OK;
}

static enum gtrace_status next_generation(struct order *order,
					  struct event **event,
					  struct gtrace_error *error)
{
	struct generation *generation = &order->generation;

	if (order->phase != ORDER_EVENTS) {
		*event = NULL;
		if (order->phase == ORDER_DONE)
			return GTRACE_OK;
		*error = order->fault;
		return order->fault.status;
	}
	if (generation->after.status != GTRACE_OK) {
		order->fault = generation->after;
		return end_with(order, ORDER_BROKEN, event);
	}
	if (generation->last)
		return end_with(order, ORDER_DONE, event);
	switch (gti_v2_generation_read(generation, generation->end,
				       &order->fault)) {
	case GENERATION_READ:
		return begin_generation(order, event, error);
	case GENERATION_NONE:
		return end_with(order, ORDER_DONE, event);
	case GENERATION_BAD:
		break;
	}
	if (order->fault.status == GTRACE_ERROR_MEMORY)
		return gti_fail_memory(error);
	return end_with(order, ORDER_BROKEN, event);
}

/* ----------------------------------------------------------------- steps -- */

/*
 * What comes after the present event of CURSOR, which advances, cannot be read,
 * or the event has an id that is not in the tables.
 */
static NOINLINE enum outcome fail_advance(struct order *order,
					  const struct cursor *cursor)
{
	const struct event *event = &order->states.events[0];

	if (order->generation.wide->failed)
		gti_fail_memory(&order->fault);
	else if (cursor->status == CURSOR_BAD)
		gti_v2_cursor_fail(cursor, &order->generation, &order->fault);
	else
		gti_fail(&order->fault, GTRACE_ERROR_STATE, event->offset,
			 "a %s event names a string or a stack that its "
			 "generation does not have",
			 gti_v2_lines[event->type].name);
	return FAILED;
}

/* Tries the event of the cursor at I in the heap. */
static enum outcome try_at(struct order *order, uint32_t i)
{
	struct cursor *cursor = &order->cursors[order->heap[i].value];
	int64_t last_time = order->states.last_time;
	enum outcome outcome;
	const uint8_t *end;

	gti_v2_cursor_look_ahead(cursor, &order->generation);
	order->states.withheld = cursor->status == CURSOR_BAD;
	outcome = try_event(&order->states, cursor->thread, &cursor->present,
			    &end, true);
	if (outcome == ADVANCED && order->states.withheld)
		outcome = fail_advance(order, cursor);
	if (outcome == FAILED)
		order->states.last_time = last_time;
	if (outcome != ADVANCED)
		return outcome;
	if (cursor->status == CURSOR_END) {
		heap_remove(order, i);
		return ADVANCED;
	}
	cursor_move_on(cursor);
	heap_update(order, i, cursor->present.time);
	return ADVANCED;
}

/* The event of the first cursor waits: tries the others in turn. */
static NOINLINE enum outcome try_others(struct order *order)
{
	enum outcome outcome = WAITS;
	const struct cursor *cursor;
	const uint8_t *at;
	uint32_t i;

	gti_sort_go1_27(order->heap, order->heap_count);
	for (i = 1; i < order->heap_count && outcome == WAITS; i++)
		outcome = try_at(order, i);
	if (outcome != WAITS)
		return outcome;
	cursor = &order->cursors[order->heap[0].value];
	at = cursor->present.type;
	gti_fail(&order->fault, GTRACE_ERROR_ORDER,
		 (uint64_t)(at - order->source->data),
		 "no event can come next; the first is %s of thread %" PRId64,
		 gti_v2_lines[gti_v2_types[*at]].name, cursor->thread->m);
	return FAILED;
}

static enum gtrace_status next_sample(struct order *order, struct event **event,
				      struct gtrace_error *error)
{
	*event = take_sample(order);
	if (UNLIKELY(order->generation.wide->failed)) {
		*event = NULL;
		return gti_fail_memory(error);
	}
	return GTRACE_OK;
}

static enum gtrace_status fail(struct order *order, struct event **event,
			       struct gtrace_error *error)
{
	*event = NULL;
	/* A pass that is not careful does not say what is wrong. */
	if (order->fault.status == GTRACE_OK)
		gti_fail(&order->fault, GTRACE_ERROR_STATE, 0, "a fault");
	*error = order->fault;
	return order->fault.status;
}

enum gtrace_status gti_v2_order_step(struct order *order, struct event **event,
				     struct gtrace_error *error)
{
	enum outcome outcome;

	if (order->heap_count == 0 &&
	    order->samples_taken >= order->generation.sorted.count)
		return next_generation(order, event, error);
	if (order->heap_count == 0 || order->sample_time < order->heap[0].key)
		return next_sample(order, event, error);
	outcome = try_at(order, 0);
	if (outcome == WAITS)
		outcome = try_others(order);
	if (outcome != ADVANCED)
		return fail(order, event, error);
	order->taken = 1;
	*event = order->states.events;
	return GTRACE_OK;
}

/* ------------------------------------------------------------ easy steps -- */

/*
 * CURSOR, the first of the heap, goes on from its present event, which ends at
 * P, to whatever comes next. Returns false if that cannot be read.
 */
static NOINLINE bool move_on(struct order *order, struct cursor *cursor,
			     const uint8_t *p)
{
	switch (gti_v2_cursor_find(cursor, &order->generation, p)) {
	case CURSOR_EVENT:
		cursor_move_on(cursor);
		heap_update(order, 0, cursor->present.time);
		return true;
	case CURSOR_END:
		heap_remove(order, 0);
		return true;
	default:
		return false;
	}
}

/*
 * The same if the next event is easy: in the same batch, not near its end, and
 * with a time of at most two bytes. If not, returns false and does nothing.
 */
static ALWAYS_INLINE bool move_easily(struct cursor *cursor, const uint8_t *p,
				      double ns_per_tick)
{
	struct place *present = &cursor->present;
	uint64_t delta;

	if (UNLIKELY(present->end - p < EASY_EVENT_BYTES) ||
	    UNLIKELY(gti_v2_value_counts[p[0]] == 0) ||
	    UNLIKELY(present->time == 0))
		return false;
	delta = p[1];
	if (delta >= 0x80) {
		if (UNLIKELY(p[2] >= 0x80))
			return false;
		delta = (delta & 0x7f) | (uint64_t)p[2] << 7;
		present->values = p + 3;
	} else {
		present->values = p + 2;
	}
	present->type = p;
	present->time = add_ns(present->time, easy_ns(delta, ns_per_tick));
	return true;
}

/*
 * Goes over events while the first one of the heap is easy and advances.
 * Returns WAITS when gti_v2_order_step() has to go on, FAILED if anything is
 * wrong.
 *
 *   cursor  stands at the present event; the first of the heap
 *   bound   the cursor stays the first one while its time is not greater, and
 *           no sample comes before its event
 *   p       the end of the present event
 */
static HOT enum outcome run_easy(struct order *order)
{
	struct states *states = &order->states;
	double ns_per_tick = order->generation.ns_per_tick;
	struct sort_item *heap = order->heap;
	int64_t until = order->sample_time;

	if (until == INT64_MAX)
		until--; /* free places of the heap have that time */
	while (heap[0].key <= until) {
		struct cursor *cursor = &order->cursors[heap[0].value];
		int64_t bound = least_of(heap[1].key, heap[2].key);

		if (UNLIKELY(!cursor_is_easy(cursor)))
			return WAITS;
		bound = least_of(bound, until);
		do {
			enum outcome outcome;
			const uint8_t *p;

			if (UNLIKELY(states->ordinal >= order->last_ordinal)) {
				heap[0].key = cursor->present.time;
				return WAITS;
			}
			outcome = try_event(states, cursor->thread,
					    &cursor->present, &p, false);
			if (UNLIKELY(outcome != ADVANCED)) {
				heap[0].key = cursor->present.time;
				return outcome;
			}
			if (UNLIKELY(!move_easily(cursor, p, ns_per_tick))) {
				if (!move_on(order, cursor, p))
					return FAILED;
				goto next;
			}
		} while (cursor->present.time <= bound);
		sift_down(heap, 0,
			  (struct sort_item){cursor->present.time,
					     heap[0].value});
	next:;
	}
	return WAITS;
}

enum gtrace_status gti_v2_order_run(struct order *order, bool careful,
				    uint64_t last_ordinal,
				    struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	order->last_ordinal = last_ordinal;
	while (order->states.ordinal < last_ordinal) {
		if (!careful && order->heap_count != 0 &&
		    rate_is_easy(order->generation.ns_per_tick)) {
			if (run_easy(order) == FAILED)
				return fail(order, &event, error);
			if (order->states.ordinal >= last_ordinal)
				break;
		}
		status = gti_v2_order_step(order, &event, error);
		if (event == NULL)
			return status;
	}
	order->taken = order->states.count;
	return GTRACE_OK;
}
