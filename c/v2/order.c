/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - reads generation after generation, and makes Sync events. */
#include "v2/order.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/leb128.h"
#include "base/times.h"
#include "v2/clock.h"
#include "v2/before.h"
#include "v2/hooks.h"
#include "v2/emit.h"

/* --------------------------------------------------------------- set-up -- */

/* The next events of all threads are in a heap by time. */
static int64_t horizon(const void *context)
{
	const struct order *order = context;

	return order->heap.count != 0 ? order->heap.items[0].key : INT64_MAX;
}

/* Adds the steps that what has come since the last time may take. */
static void count_steps(struct order *order)
{
	uint64_t more = order->source->size - order->counted;

	order->states.steps_left += more * STEPS_PER_BYTE;
	order->counted = order->source->size;
}

enum gtrace_status gti_v2_order_init(struct order *order, struct source *source,
				     struct array *begins,
				     struct observer *observer,
				     const struct gtrace_allocator *memory,
				     struct gtrace_error *error)
{
	*order = (struct order){
		.source = source, .memory = memory, .begins = begins};
	gti_v2_generation_init(&order->generation, source, memory);
	order->generation.end = source->first;
	/* Then stacks get names before the generation ends. */
	order->generation.wants_frames = observer->settling != NULL;
	if (!gti_v2_states_init(&order->states, observer, memory)) {
		gti_v2_order_free(order);
		return gti_fail_memory(error);
	}
	order->states.generation = &order->generation;
	order->states.data = source->data;
	order->states.error = &order->fault;
	order->states.steps_left = STEPS_FREE;
	count_steps(order);
	if (observer->feed != NULL) {
		observer->feed->horizon = horizon;
		observer->feed->context = order;
	}
	return GTRACE_OK;
}

static void free_cursors(struct order *order)
{
	gti_release(order->memory, order->cursors,
		    order->cursor_capacity * sizeof(*order->cursors));
	gti_release(order->memory, order->heap.items,
		    heap_places(order->cursor_capacity) *
			    sizeof(*order->heap.items));
	gti_v2_waiting_free(&order->waiting, order->memory);
	order->cursors = NULL;
	order->heap.items = NULL;
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

/* Makes an event that belongs to no thread, the only one of this step. */
static struct event *only_event(struct order *order, enum event_type type,
				uint64_t offset, int64_t time)
{
	struct event *event = &order->states.events[0];

	*event = (struct event){
		.offset = offset,
		.ticks = time,
		.m = NO_THREAD,
		.p = NO_PROC,
		.g = NO_GOROUTINE,
		.type = type,
	};
	order->states.count = 1;
	hand_out(&order->states, event);
	order->taken = 1;
	return event;
}

/* --------------------------------------------------------------- silence -- */

/* See gti_observe_silence(). */
static void walk(const void *context, const struct silence_walk *silence)
{
	const struct states *states = context;
	uint32_t i;

	for (i = 0; i < states->threads.records.used; i++) {
		struct thread *thread =
			gti_pool_at(&states->threads.records, i);

		/* Only after a GoStart it is known which worker it is. */
		if (has_slice(thread) &&
		    thread->goroutine->status == GO_RUNNING &&
		    thread->slice.start.type == EV_GO_START)
			gti_observe_silent(silence, &thread->slice, thread->m);
	}
}

void gti_v2_order_listen(struct order *order, int64_t time)
{
	const struct observer *observer = order->states.to.observer;
	int64_t last = order->states.last_time;

	if (!machine_listens(observer->machine, last, time) ||
	    order->generation.unfinished || order->states.ordinal == 0 ||
	    order->heard == last ||
	    !gti_machine_spend(observer->machine,
			       order->states.threads.records.used))
		return;
	order->heard = last;
	gti_observe_silence(observer, last, time, true, walk, &order->states);
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

struct event *gti_v2_order_sample(struct order *order)
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
	const uint8_t *last = p;
	uint64_t values[5] = {0};
	struct event *event;
	unsigned i;

	for (i = 0; i < 5; i++) {
		last = p;
		if (leb128_read(&p, end, &values[i]) != LEB128_GOOD)
			break; /* the file was changed meanwhile */
	}
	event = only_event(order, EV_CPU_SAMPLE, sample->offset, item->key);
	event->m = (int64_t)values[1];
	event->p = (int64_t)values[2];
	event->g = values[3] != 0 ? values[3] : NO_GOROUTINE;
	event->stack = values[4];
	order->states.written = written_time(&order->states, item->key);
	if (!find_stack(generation, &event->stack, &order->states.framed) &&
	    values[4] >= STACK_MISSING)
		event->stack = STACK_WIDE | (uint64_t)(last - source->data);
	find_sample(order);
	if (order->states.to.feed != NULL)
		gti_v2_emit_sample(&order->states, event);
	if (UNLIKELY(order->states.to.observer->inside != NULL) &&
	    !gti_v2_observe_sample(&order->states, event))
		order->lacks_memory = true;
	return event;
}

/* ---------------------------------------------------------- generations -- */

static struct event *sync_event(struct order *order, uint64_t offset,
				int64_t time)
{
	struct event *event = only_event(order, EV_SYNC, offset, time);

	event->args[0] = ++order->syncs;
	if (order->states.to.waits != NULL && order->syncs > 1)
		order->states.to.waits->first_generation = false;
	return event;
}

/* Allocates COUNT cursors and their heap. False: there is no memory. */
static bool reserve_cursors(struct order *order, size_t count)
{
	size_t i;

	if (count > order->cursor_capacity) {
		free_cursors(order);
		order->cursors = gti_allocate_zeroed(order->memory, count,
						     sizeof(*order->cursors));
		order->heap.items =
			gti_allocate_zeroed(order->memory, heap_places(count),
					    sizeof(*order->heap.items));
		order->cursor_capacity = count;
		if (order->cursors == NULL || order->heap.items == NULL)
			return false;
	}
	for (i = 0; count > 0 && i < heap_places(count); i++)
		order->heap.items[i] = (struct sort_item){.key = INT64_MAX};
	return gti_v2_waiting_reserve(&order->waiting, count, order->memory);
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
		struct cursor *cursor = &order->cursors[order->heap.count];
		struct thread *thread =
			gti_v2_states_thread(&order->states, threads[i].m);
		enum cursor_status status;

		if (thread == NULL)
			return gti_fail_memory(error);
		status = gti_v2_cursor_init(cursor, generation,
					    threads[i].first, thread);
		if (status == CURSOR_BAD)
			return gti_v2_cursor_fail(cursor, generation, error);
		if (status == CURSOR_END)
			continue;
		cursor->number = order->heap.count;
		heap_insert(&order->heap,
			    (struct sort_item){cursor->present.time,
					       order->heap.count});
	}
	return GTRACE_OK;
}

static void find_short_ns(struct order *order)
{
	uint64_t first;

	for (first = 0; first < FIRST_BYTES; first++)
		order->short_ns[first] =
			first < 0x80
				? ticks_to_ns(first,
					      order->generation.ns_per_tick)
				: LONG_TICKS;
}

/*
 * The generation that begins with the present event, a Sync, may have another
 * frequency than the one before, with an event at BEFORE.
 */
static void compare_clocks(struct order *order, int64_t before)
{
	const struct generation *generation = &order->generation;
	struct states *states = &order->states;
	uint64_t ticks = generation->least_time;
	int64_t jump;

	if (order->rate != 0 && order->rate != generation->ns_per_tick) {
		jump = ns_between(ticks_to_ns(ticks, order->rate),
				  ticks_to_ns(ticks, generation->ns_per_tick));
		gti_observe_clock_change(states->to.observer, before,
					 states->last_time, jump);
	}
	order->rate = generation->ns_per_tick;
}

/* Adds the place of GENERATION to BEGINS. NULL: there is no memory. */
static struct generation_place *add_place(struct array *begins,
					  const struct generation *generation,
					  const struct gtrace_allocator *memory)
{
	const struct generation_place place = {
		.begin = generation->begin,
		.end = generation->end,
		.number = generation->number,
	};

	if (begins->count >= GENERATIONS_MAX - 1)
		return NULL;
	return array_add(begins, &place, sizeof(place), memory);
}

/* The generation that was read begins: its Sync is the next event. */
static enum gtrace_status begin_generation(struct order *order,
					   struct event **event,
					   struct gtrace_error *error)
{
	struct generation *generation = &order->generation;
	struct array *begins = order->begins;
	struct generation_place *place =
		add_place(begins, generation, order->memory);
	int64_t least =
		ticks_to_ns(generation->least_time, generation->ns_per_tick);
	int64_t before;
	enum gtrace_status status;

	if (place == NULL)
		return gti_fail_memory(error);
	generation->handles = (uint64_t)begins->count << STACK_ID_BITS;
	order->samples_taken = 0;
	find_sample(order);
	find_short_ns(order);
	status = start_cursors(order, error);
	if (status != GTRACE_OK) {
		order->phase = ORDER_DONE;
		return status;
	}
	if (!gti_v2_states_begin(&order->states, generation->number,
				 order->heap.count != 0))
		return gti_fail_memory(error);
	if (order->states.to.waits != NULL && begins->count == 1)
		gti_v2_assume(generation, order->states.to.waits);
	if (order->states.to.observer->machine != NULL) {
		uint64_t next = gti_v2_generation_next(generation);

		order->next_time =
			next == UINT64_MAX
				? INT64_MAX
				: ticks_to_ns(next, generation->ns_per_tick);
		/* Where times jump, no silence is known. */
		if (order->rate == generation->ns_per_tick)
			gti_v2_order_listen(order, least);
	}
	before = order->states.last_time;
	*event = sync_event(order, generation->begin, least);
	place->time = (*event)->ticks;
	place->least = least;
	compare_clocks(order, before);
	if (!generation->unfinished)
		return GTRACE_OK;
	order->states.unfinished_time = order->states.last_time;
	if (order->states.to.observer->feed != NULL)
		order->states.to.observer->feed->unfinished_since =
			order->states.last_time;
	return GTRACE_OK;
}

/* The file ends, in order->fault or without one. The last event is a Sync. */
static enum gtrace_status end_with(struct order *order, enum order_phase phase,
				   struct event **event)
{
	order->phase = phase;
	/* The event is at the end of all that comes. */
	if (order->shows_end)
		gti_v2_source_reaches(order->source, SIZE_MAX - 1);
	*event =
		sync_event(order, order->source->size, order->states.last_time);
	return GTRACE_OK;
}

/* Tells of the generation, if it has been observed. */
static void tell_generation(const struct order *order)
{
	struct observer *observer = order->states.to.observer;
	const struct generation_place *places = order->begins->items;

	if (observer->each_generation == NULL || order->begins->count == 0 ||
	    order->generation.unfinished)
		return;
	if (!observer->each_generation(observer->each_context,
				       &places[order->begins->count - 1],
				       order->states.last_time))
		observer->ended = true;
}

enum gtrace_status gti_v2_order_generation(struct order *order,
					   struct event **event,
					   struct gtrace_error *error)
{
	struct generation *generation = &order->generation;
	uint64_t end = generation->end;
	enum generation_status read;

	*event = NULL;
	if (order->phase != ORDER_EVENTS) {
		if (order->phase == ORDER_DONE)
			return GTRACE_OK;
		*error = order->fault;
		return order->fault.status;
	}
	tell_generation(order);
	if (order->states.to.observer->ended) {
		order->phase = ORDER_DONE;
		return GTRACE_OK;
	}
	if (generation->after.status != GTRACE_OK) {
		order->fault = generation->after;
		return end_with(order, ORDER_BROKEN, event);
	}
	if (generation->last)
		return end_with(order, ORDER_DONE, event);
	if (!gti_v2_states_settle(&order->states))
		return gti_fail_memory(error);
	/* The tables of the last one are needed after the pass. */
	if (generation_number(generation) != 0 &&
	    !gti_v2_source_reaches(order->source, generation->end))
		return end_with(order, ORDER_DONE, event);
	/* So that a mapped file does not fill the memory. */
	if (order->source->input != NULL)
		gti_input_done_with(order->source->input,
				    (size_t)generation->begin, (size_t)end);
	if (order->kept != NULL)
		gti_v2_generation_keep(generation, order->kept);
	read = gti_v2_generation_read(
		generation, end, order->begins->count + 1 == order->unfinished,
		&order->fault);
	count_steps(order);
	switch (read) {
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
