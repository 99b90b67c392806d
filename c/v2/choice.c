/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice.c - chooses the thread whose event comes next.
 *
 * The cursors of all threads are in a heap by time. The event of the first one
 * is tried. If it has to wait for another thread, the heap is sorted, and the
 * events of the other cursors are tried in turn.
 */
#include <inttypes.h>

#include "base/fail.h"
#include "v2/missing.h"
#include "v2/order.h"
#include "v2/try.h"

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

/* Trying an event takes as long as sorting this many cursors. */
#define STEPS_OF_TRY 8

/* try_at() as in a generation that is not unfinished. */
static enum outcome try_once(struct order *order, struct cursor *cursor,
			     uint32_t i)
{
	int64_t last_time = order->states.last_time;
	enum outcome outcome;
	struct following following;

	gti_v2_cursor_look_ahead(cursor, &order->generation);
	order->states.withheld = cursor->status == CURSOR_BAD;
	cursor->thread->known = true;
	outcome = try_event(&order->states, cursor->thread, &cursor->present,
			    cursor->present.byte, order->short_ns, &following,
			    PASS_CAREFUL);
	if (outcome == ADVANCED && order->states.withheld)
		outcome = fail_advance(order, cursor);
	if (outcome == FAILED)
		order->states.last_time = last_time;
	if (outcome != ADVANCED)
		return outcome;
	cursor->thread->seen = order->states.last_time;
	if (cursor->status == CURSOR_END) {
		if (order->generation.unfinished)
			states_miss(&order->states, order->states.written);
		heap_remove(&order->heap, i);
		return ADVANCED;
	}
	cursor_move_on(cursor);
	heap_update(&order->heap, i, cursor->present.time);
	return ADVANCED;
}

/*
 * Tries the event of the cursor at I in the heap. In an unfinished generation,
 * what contradicts it may be undone by earlier events.
 */
static enum outcome try_at(struct order *order, uint32_t i)
{
	struct cursor *cursor = &order->cursors[order->heap.items[i].value];
	enum outcome outcome = try_once(order, cursor, i);

	if (LIKELY(outcome != FAILED) || !order->generation.unfinished ||
	    order->fault.status != GTRACE_ERROR_STATE)
		return outcome;
	if (i == 0 && !gti_v2_missing_contradicts(&order->states,
						  &order->states.events[0]))
		return FAILED;
	order->fault.status = GTRACE_OK;
	return i == 0 ? try_once(order, cursor, i) : WAITS;
}

/* No event advances, because some are missing: lets the first one go on. */
static enum outcome go_on(struct order *order)
{
	struct cursor *cursor = &order->cursors[order->heap.items[0].value];
	enum outcome outcome = try_at(order, 0);

	if (outcome == WAITS &&
	    gti_v2_missing_waits(&order->states, cursor->thread,
				 &order->states.events[0]))
		return try_at(order, 0);
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
	const struct cursor *cursor =
		&order->cursors[order->heap.items[0].value];
	const uint8_t *at = cursor->present.type;

	gti_fail(&order->fault, GTRACE_ERROR_ORDER,
		 (uint64_t)(at - order->source->data),
		 "%s; the first is %s of thread %" PRId64, what,
		 gti_v2_lines[gti_v2_types[*at]].name, cursor->thread->m);
	return FAILED;
}

/*
 * The event of the first cursor waits: tries the others in turn.
 *
 * The order of cursors with equal times after the sort depends on the whole
 * heap before it, so this takes as many steps as there are cursors, as in Go's
 * reader. In recorded traces hardly any event waits.
 */
static NOINLINE enum outcome try_others(struct order *order)
{
	enum outcome outcome = WAITS;
	uint32_t i;

	if (!spend_steps(&order->states, order->heap.count))
		return fail_order(order, "too many events wait for others");
	gti_sort_go1_27(order->heap.items, order->heap.count);
	for (i = 1; outcome == WAITS && may_be_next(order, i); i++) {
		if (!spend_steps(&order->states, STEPS_OF_TRY))
			return fail_order(order, "too many threads wait");
		outcome = try_at(order, i);
	}
	if (outcome == WAITS && order->generation.unfinished)
		outcome = go_on(order);
	if (outcome == WAITS)
		return fail_order(order, "no event can come next");
	return outcome;
}

static enum gtrace_status next_sample(struct order *order, struct event **event,
				      struct gtrace_error *error)
{
	*event = gti_v2_order_sample(order);
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

	if (order->heap.count == 0 &&
	    order->samples_taken >= order->generation.sorted.count)
		return gti_v2_order_generation(order, event, error);
	if (order->heap.count == 0 ||
	    order->sample_time < order->heap.items[0].key)
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

enum gtrace_status gti_v2_order_run(struct order *order, bool careful,
				    uint64_t last_ordinal,
				    struct gtrace_error *error)
{
	struct states *states = &order->states;
	enum gtrace_status status;
	struct event *event;

	/* Passes that look for stops go to the end. */
	if (states->stops != NULL)
		last_ordinal = UINT64_MAX;
	order->last_ordinal = last_ordinal;
	while (order->states.ordinal < last_ordinal) {
		if (!careful && order->heap.count != 0 &&
		    rate_is_easy(order->generation.ns_per_tick)) {
			if (gti_v2_order_run_easy(order) == FAILED)
				return fail(order, &event, error);
			if (order->states.ordinal >= last_ordinal)
				break;
		}
		status = gti_v2_order_step(order, &event, error);
		if (event == NULL)
			return status;
		if (states->stops != NULL && !gti_v2_stops_take(states))
			return fail(order, &event, error);
	}
	order->taken = order->states.count;
	return GTRACE_OK;
}
