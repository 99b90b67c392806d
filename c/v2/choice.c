/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.c - chooses the thread whose event comes next.
 *
 * The cursors of all threads are in a heap by time. The event of the first one
 * is tried. If it has to wait for another thread, the heap is sorted, and the
 * events of the other cursors are tried in turn.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/evidence.h"
#include "base/fail.h"
#include "base/times.h"
#include "v2/emit.h"
#include "v2/missing.h"
#include "v2/order.h"
#include "v2/steps.h"

/*
 * The present event of CURSOR advances, but it has an id that the tables lack,
 * or what comes after it cannot be read.
 */
static NOINLINE enum outcome fail_advance(struct order *order,
					  const struct cursor *cursor)
{
	const struct event *event = &order->states.events[0];

	/* Its events are not handed out. */
	order->states.ordinal -= order->states.count;
	if (cursor->status == CURSOR_BAD)
		gti_v2_cursor_fail(cursor, &order->generation, &order->fault);
	else
		gti_fail(&order->fault, GTRACE_ERROR_STATE, event->offset,
			 "a %s event names a string or a stack that its "
			 "generation does not have",
			 gti_v2_lines[event->type].name);
	return FAILED;
}

/*
 * A step is to move a cursor in the sorted heap, to see that it is in order, or
 * to see that it waits. To sort cursors that are nearly in order takes a few
 * steps for each, and to try an event takes more.
 */
#define STEPS_OF_TRY  64
#define STEPS_OF_SORT 4

/*
 * Reads the values of EVENT at PLACE, and sets *FRAMED to whether its stack has
 * frames. Returns false if a value or an id is bad.
 */
static bool read_carefully(const struct states *states,
			   const struct place *place, struct event *event,
			   bool *framed)
{
	const struct event_line line = gti_v2_lines[gti_v2_types[place->byte]];
	const uint8_t *end;

	if (place->end - place->values >= EASY_EVENT_BYTES)
		return read_values(states, place->values, place->end, line,
				   event, framed, true, &end);
	return read_values(states, place->values, place->end, line, event,
			   framed, false, &end);
}

/*
 * Tries the event of THREAD at PLACE, which is states->events then, with the
 * outcomes of gti_v2_step(). It is withheld if a value or an id is bad.
 */
static enum outcome try_carefully(struct states *states, struct thread *thread,
				  const struct place *place)
{
	struct event *event = states->events;
	bool *framed = &states->framed;
	enum outcome outcome;

	if (!read_carefully(states, place, event, framed))
		states->to.withheld = true;
	event->type = gti_v2_types[place->byte];
	event->offset = (uint64_t)(place->type - states->data);
	event->ticks = place->time;
	set_ids(event, thread);
	states->written = written_time(states, place->time);
	states->count = 1;
	learn_stacks(states, thread, event, *framed, PASS_CAREFUL);
	if (pass_feed(&states->to, PASS_CAREFUL) != NULL)
		emit_before(states, thread);
	outcome = gti_v2_step(states, thread, event);
	return emit_step(states, event, EV_NONE, states->count, *framed,
			 outcome, PASS_CAREFUL);
}

/*
 * try_at() as in a generation that is not unfinished. The cursor moves on, but
 * not in the heap.
 */
static enum outcome try_once(struct order *order, struct cursor *cursor)
{
	int64_t last_time = order->states.last_time;
	enum outcome outcome;

	gti_v2_cursor_look_ahead(cursor, &order->generation);
	order->states.to.withheld = cursor->status == CURSOR_BAD;
	cursor->thread->known = true;
	outcome = try_carefully(&order->states, cursor->thread,
				&cursor->present);
	if (outcome == ADVANCED && order->states.to.withheld)
		outcome = fail_advance(order, cursor);
	if (outcome == FAILED)
		order->states.last_time = last_time;
	if (outcome != ADVANCED)
		return outcome;
	cursor->thread->seen = order->states.last_time;
	if (cursor->status != CURSOR_END)
		cursor_move_on(cursor);
	else if (order->generation.unfinished)
		states_end_thread(&order->states, order->states.written);
	return ADVANCED;
}

static struct cursor *cursor_at(const struct order *order, uint32_t i)
{
	return &order->cursors[order->heap.items[i].value];
}

/* The cursor at I in the heap has moved on. */
static void move(struct order *order, uint32_t i)
{
	const struct cursor *cursor = cursor_at(order, i);

	if (cursor->status == CURSOR_END)
		heap_remove(&order->heap, i);
	else
		heap_update(&order->heap, i, cursor->present.time);
}

/*
 * Tries the event of the cursor at I in the heap. In an unfinished generation,
 * what contradicts it may be undone by earlier events.
 */
static enum outcome try_unfinished(struct order *order, uint32_t i)
{
	struct cursor *cursor = cursor_at(order, i);
	enum outcome outcome = try_once(order, cursor);

	if (LIKELY(outcome != FAILED) ||
	    order->fault.status != GTRACE_ERROR_STATE)
		return outcome;
	if (i == 0 && !gti_v2_missing_contradicts(&order->states,
						  &order->states.events[0]))
		return FAILED;
	order->fault.status = GTRACE_OK;
	return i == 0 ? try_once(order, cursor) : WAITS;
}

/* The place of the first item, of those that are sorted, with KEY or more. */
static uint32_t place_of(const struct order *order, int64_t key)
{
	uint32_t low = 0, high = order->heap.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (order->heap.items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The cursor NUMBER need not wait any more; UINT32_MAX: none need. */
static void be_ready(void *context, uint32_t number)
{
	struct order *order = context;
	uint32_t place = 1;

	if (!order->sorted)
		return;
	if (number != UINT32_MAX)
		place = place_of(order, order->cursors[number].present.time);
	if (place < order->tried)
		order->tried = place;
}

/* Tries the event of the cursor at I in the heap, unless it has to wait. */
static enum outcome try_at(struct order *order, uint32_t i)
{
	uint32_t number = order->heap.items[i].value;
	const struct thread *thread = order->cursors[number].thread;
	struct touched before;
	enum outcome outcome;

	if (order->generation.unfinished)
		return try_unfinished(order, i);
	if (cursor_waits(&order->waiting, number))
		return WAITS;
	before = touched_by(thread);
	outcome = try_once(order, &order->cursors[number]);
	if (outcome == WAITS)
		gti_v2_waiting_add(&order->waiting, number, thread,
				   &order->states.events[0]);
	if (outcome == ADVANCED)
		gti_v2_waiting_wake(&order->waiting, &order->states, thread,
				    &before, be_ready, order);
	return outcome;
}

/* All cursors wait, so an event is missing: the first one goes on without. */
static enum outcome go_on(struct order *order)
{
	const struct cursor *cursor = cursor_at(order, 0);
	enum outcome outcome = try_at(order, 0);

	gti_v2_states_end_sums(&order->states);
	if (outcome == WAITS &&
	    gti_v2_missing_waits(&order->states, cursor->thread,
				 &order->states.events[0]))
		outcome = try_at(order, 0);
	if (outcome == ADVANCED)
		move(order, 0);
	if (order->fault.status == GTRACE_ERROR_MEMORY)
		return FAILED;
	return outcome;
}

/*
 * In an unfinished generation, an event that waits this much longer than others
 * waits for one that is missing. The times of events of different threads that
 * depend on each other are in order, except for less than this.
 */
#define PATIENCE_NS 10000

/*
 * Whether the event of the cursor at I in the heap, which is sorted, may come
 * before that of the first one.
 */
static bool may_be_next(const struct order *order, uint32_t i)
{
	const struct sort_item *items = order->heap.items;

	if (i >= order->heap.count)
		return false;
	return !order->generation.unfinished ||
	       items[i].key <= add_ns(items[0].key, PATIENCE_NS);
}

/* No event advances, or it would take too long to find one that does. */
static enum outcome fail_order(struct order *order, const char *what)
{
	const struct cursor *cursor = cursor_at(order, 0);
	const uint8_t *at = cursor->present.type;

	gti_fail(&order->fault, GTRACE_ERROR_ORDER,
		 (uint64_t)(at - order->source->data),
		 "%s; the first is %s of thread %" PRId64, what,
		 gti_v2_lines[gti_v2_types[*at]].name, cursor->thread->m);
	return FAILED;
}

/* ---------------------------------------------------------- sorted heap -- */

/*
 * Sorts the items after the cursor at order->moved has moved on. Returns false,
 * and changes nothing, if another one has the same time.
 */
static bool resort(struct order *order)
{
	struct sort_item *items = order->heap.items;
	uint32_t from = order->moved, to = order->heap.count;
	struct sort_item item = items[from];
	bool ends = order->cursors[item.value].status == CURSOR_END;

	if (!ends) {
		item.key = order->cursors[item.value].present.time;
		to = place_of(order, item.key);
		if (to != from && to < order->heap.count &&
		    items[to].key == item.key)
			return false;
	}
	if (to > from) {
		to--;
		memmove(items + from, items + from + 1,
			(to - from) * sizeof(*items));
	} else {
		memmove(items + to + 1, items + to,
			(from - to) * sizeof(*items));
	}
	items[to] = item;
	if (ends)
		items[--order->heap.count] =
			(struct sort_item){.key = INT64_MAX};
	if (to < order->tried)
		order->tried = to;
	spend_steps(&order->states, to > from ? to - from : from - to);
	return true;
}

/* Whether the items are sorted and, if this is wanted, have distinct keys. */
static bool is_sorted(const struct heap *heap, bool distinct)
{
	const struct sort_item *item = heap->items;
	const struct sort_item *last = item + heap->count - 1;

	for (; item < last; item++)
		if (item[0].key > item[1].key ||
		    (distinct && item[0].key == item[1].key))
			return false;
	return true;
}

/*
 * Sorts the heap. If all times were distinct before the last event and are
 * after it, the result does not depend on the sort and on how the heap was
 * updated: only the cursor that has moved on changes its place. The order of
 * cursors with equal times depends on both.
 */
static void sort_heap(struct order *order)
{
	struct heap *heap = &order->heap;

	if (order->moved != 0) {
		order->sorted = resort(order);
		if (!order->sorted)
			move(order, order->moved);
		order->moved = 0;
	}
	if (order->sorted)
		return;
	spend_steps(&order->states, heap->count);
	/* The sort leaves what is sorted as it is. */
	if (!is_sorted(heap, false)) {
		spend_steps(&order->states, heap->count * STEPS_OF_SORT);
		gti_sort_go1_27(heap->items, heap->count);
	}
	order->sorted = is_sorted(heap, true);
	order->tried = 1;
}

/* The cursor at I, not the first one, has moved on. */
static void move_other(struct order *order, uint32_t i)
{
	const struct cursor *cursor = cursor_at(order, i);

	if (order->sorted && !order->generation.unfinished &&
	    (cursor->status == CURSOR_END ||
	     cursor->present.time > order->heap.items[0].key))
		order->moved = i;
	else
		move(order, i);
}

/* The first place, from I on, of a cursor that need not wait. */
static uint32_t skip_waiting(struct order *order, uint32_t i)
{
	uint32_t from = i;

	while (i < order->heap.count &&
	       cursor_waits(&order->waiting, order->heap.items[i].value))
		i++;
	spend_steps(&order->states, i - from);
	return i;
}

/*
 * The event of the first cursor waits: tries the others in turn. In recorded
 * traces hardly any event waits.
 */
static NOINLINE enum outcome try_others(struct order *order)
{
	enum outcome outcome = WAITS;
	uint32_t i;

	sort_heap(order);
	for (i = skip_waiting(order, order->tried); may_be_next(order, i);
	     i = skip_waiting(order, i + 1)) {
		if (!spend_steps(&order->states, STEPS_OF_TRY))
			return fail_order(order, "too many threads wait");
		order->tried = i;
		outcome = try_at(order, i);
		if (outcome != WAITS)
			break;
	}
	if (outcome == ADVANCED)
		move_other(order, i);
	else if (outcome == WAITS && order->generation.unfinished)
		outcome = go_on(order);
	order->sorted = false;
	if (outcome == WAITS)
		return fail_order(order, "no event can come next");
	return outcome;
}

/* So few cursors are tried again, rather than found when they are ready. */
#define WAITING_FEW 64

/* Tries the event of the first cursor. */
static enum outcome try_first(struct order *order)
{
	enum outcome outcome = try_at(order, 0);

	if (outcome != ADVANCED)
		return outcome;
	if (order->moved != 0)
		move(order, order->moved);
	order->moved = 0;
	move(order, 0);
	if (order->waiting.count != 0 && order->waiting.count < WAITING_FEW)
		gti_v2_waiting_clear(&order->waiting);
	return outcome;
}

static enum gtrace_status fail(struct order *order, struct event **event,
			       struct gtrace_error *error)
{
	*event = NULL;
	/* Only a careful pass knows what the fault is. */
	if (order->fault.status == GTRACE_OK)
		gti_fail(&order->fault, GTRACE_ERROR_STATE, 0, "a fault");
	*error = order->fault;
	return order->fault.status;
}

enum gtrace_status gti_v2_order_step(struct order *order, struct event **event,
				     struct gtrace_error *error)
{
	enum outcome outcome;

	order_listen(order);
	if (order->heap.count == 0 &&
	    order->samples_taken >= order->generation.sorted.count)
		return gti_v2_order_generation(order, event, error);
	if (order->heap.count == 0 ||
	    order->sample_time < order->heap.items[0].key) {
		*event = gti_v2_order_sample(order);
		return GTRACE_OK;
	}
	outcome = try_first(order);
	if (outcome == WAITS)
		outcome = try_others(order);
	if (outcome != ADVANCED)
		return fail(order, event, error);
	order->taken = 1;
	*event = order->states.events;
	return GTRACE_OK;
}

/* The time between easy events may be a silence, which nothing tests there. */
static bool may_be_silent(const struct order *order)
{
	return order->states.to.observer->machine != NULL &&
	       easy_ns(EASY_TICKS_MAX, order->generation.ns_per_tick) >
		       SILENCE_SHORT;
}

enum gtrace_status gti_v2_order_run(struct order *order, bool careful,
				    uint64_t last_ordinal,
				    struct gtrace_error *error)
{
	struct states *states = &order->states;
	enum gtrace_status status;
	struct event *event;

	/* Some consumers also take what comes after that. */
	if (states->to.feed != NULL && feed_goes_on(states->to.feed))
		last_ordinal = UINT64_MAX;
	order->last_ordinal = last_ordinal;
	while (order->states.ordinal < last_ordinal) {
		if (!careful && order->heap.count != 0 && order->moved == 0 &&
		    order->waiting.count == 0 &&
		    rate_is_easy(order->generation.ns_per_tick) &&
		    !may_be_silent(order)) {
			if (gti_v2_order_run_easy(order) == FAILED)
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
