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
#include "base/least.h"
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

/* ------------------------------------------------------------ easy steps -- */

/* The first item of the heap gets the time TIME. */
static NOINLINE void update_first(struct order *order, int64_t time)
{
	heap_update(&order->heap, 0, time);
}

/*
 * Moves CURSOR, the first of the heap, from its present event, which ends at P,
 * to the next one or to its end. Returns false if that cannot be read.
 */
static NOINLINE bool move_on(struct order *order, struct cursor *cursor,
			     const uint8_t *p)
{
	switch (gti_v2_cursor_find(cursor, &order->generation, p)) {
	case CURSOR_EVENT:
		cursor_move_on(cursor);
		heap_update(&order->heap, 0, cursor->present.time);
		return true;
	case CURSOR_END:
		heap_remove(&order->heap, 0);
		return true;
	default:
		return false;
	}
}

/*
 * Does the same if the next event, FOLLOWING, is easy: in the same batch, not
 * near its end, and with a time of at most two bytes. Otherwise returns false
 * and does nothing. The type of the event is not checked.
 */
static ALWAYS_INLINE bool move_easily(const struct order *order,
				      struct cursor *cursor,
				      const struct following *following)
{
	struct place *present = &cursor->present;
	const uint8_t *p = following->type;
	int64_t ns = following->ns;
	uint64_t ticks;

	if (UNLIKELY((uintptr_t)p >= (uintptr_t)present->easy_end))
		return false;
	if (LIKELY(ns >= 0)) {
		present->values = p + 2;
	} else {
		if (UNLIKELY(p[2] >= 0x80))
			return false;
		ticks = (p[1] & 0x7f) | (uint64_t)p[2] << 7;
		ns = easy_ns(ticks, order->generation.ns_per_tick);
		present->values = p + 3;
	}
	present->type = p;
	present->byte = p[0];
	present->time = add_ns(present->time, ns);
	return true;
}

/*
 * Often the events of two threads alternate. The two take turns without the
 * heap as long as the event of every third thread, and the next sample, are
 * more than this much later. A processor can predict that branch: the condition
 * holds for many events in a row, or for hardly any. Where more threads run, no
 * processor can predict which of them comes next. Then the heap is updated
 * without a branch, unless the thread moves down more than two levels.
 */
#define TURNS_NS 2000

/*
 * A cursor, and the byte that is the type of its present event. The byte is
 * read long before the turn of the cursor: a processor that has predicted a
 * wrong type then finds out earlier.
 */
struct turn {
	struct cursor *cursor;
	unsigned byte;
};

/*
 * The cursor at the root of the heap, and the one at the root's lesser child.
 * When they change places, `first`, `other` and `bound` change, but the heap
 * does not. Until end_turns() writes them, the items at the root and at
 * `second` may be out of date. leave_turns() may leave the root out of date.
 */
struct turns {
	struct turn first;
	struct turn other;
	struct sort_item *second; /* the place of `other` in the heap */
	struct sort_item *third;  /* the lesser child of `second` */
	/*
	 * While the time of `first` is not greater than this, it remains the
	 * first one, and no sample comes before its event.
	 */
	int64_t bound;
	/*
	 * If the time of `first` is greater than the bound and less than this,
	 * the two cursors change places, and that time is the new bound. If
	 * this is less than 0, they never change places.
	 */
	int64_t end;
};

static ALWAYS_INLINE struct turn turn_of(const struct order *order,
					 const struct sort_item *item)
{
	struct cursor *cursor = &order->cursors[item->value];
	struct turn turn = {cursor, cursor->present.byte};

	return turn;
}

/*
 * The event of FIRST is easy. That of the other cursor is tested only here:
 * after move_easily() the next event can be tried as an easy one again.
 *
 * The times of easy events are greater than 0. Only move_easily() can make a
 * time wrap around, and then its cursor remains the first one. So the time at
 * `second` is greater than 0 where `end` is computed, and `end` is at least
 * 1 - TURNS_NS.
 */
static ALWAYS_INLINE struct turns begin_turns(const struct order *order,
					      struct turn first)
{
	struct sort_item *heap = order->heap.items;
	struct sort_item *second = lesser_child(heap, heap);
	struct sort_item *third = lesser_child(heap, second);
	struct turns turns = {
		.first = first,
		.other = turn_of(order, second),
		.second = second,
		.third = third,
		.bound = second->key,
	};

	if (UNLIKELY(second->key > order->until ||
		     !cursor_is_easy(turns.other.cursor))) {
		turns.bound = least_of(second->key, order->until);
		turns.end = INT64_MIN;
	} else {
		turns.end = add_ns(
			least_of(heap_turns_end(heap, third), order->until),
			-TURNS_NS);
	}
	return turns;
}

/* The cursors change places. */
static ALWAYS_INLINE void change_turns(struct turns *turns)
{
	struct turn first = turns->first;

	turns->bound = first.cursor->present.time;
	turns->first = turns->other;
	turns->other = first;
}

static ALWAYS_INLINE struct sort_item item_of(const struct cursor *cursor)
{
	struct sort_item item = {cursor->present.time, cursor->number};

	return item;
}

/*
 * Writes the items of the two cursors to the root and to `second`. A free place
 * is not written.
 */
static ALWAYS_INLINE void end_turns(const struct order *order,
				    const struct turns *turns)
{
	order->heap.items[0] = item_of(turns->first.cursor);
	if (turns->second->key != INT64_MAX)
		*turns->second = item_of(turns->other.cursor);
}

/*
 * The time of the first cursor has become greater than turns->bound, and is not
 * less than turns->end: updates the heap. Returns the new first cursor, which
 * is easy and comes before the next sample; the root is then out of date. If
 * turns->end is less than 0, the other cursor may not be easy, may come after
 * the next sample, or there may be none: returns none and writes the root, and
 * the caller has to look there.
 */
static ALWAYS_INLINE struct turn leave_turns(struct order *order,
					     const struct turns *turns)
{
	struct sort_item item = item_of(turns->first.cursor);
	const struct turn none = {NULL, 0};

	if (UNLIKELY(turns->end < 0)) {
		end_turns(order, turns);
		update_first(order, item.key);
		return none;
	}
	heap_replace(order->heap.items, turns->second, turns->third, item);
	return turns->other;
}

/*
 * Takes easy events of the two cursors of TURNS until the heap has to be
 * updated, and updates it. Returns ADVANCED then, and sets *NEXT as
 * leave_turns() does. Otherwise returns WAITS or FAILED as run_easy() does, and
 * the caller has to call end_turns().
 */
static ALWAYS_INLINE enum outcome take_turns(struct order *order,
					     struct turns *turns,
					     struct turn *next,
					     const enum pass_kind kind)
{
	struct states *states = &order->states;
	struct following following;
	enum outcome outcome;

	for (;;) {
		struct cursor *cursor = turns->first.cursor;
		struct thread *thread = cursor->thread;

		thread->known = true;
		do {
			if (kind == PASS_FOR_OTHERS &&
			    states->ordinal >= order->last_ordinal)
				return WAITS;
			outcome = try_event(states, thread, &cursor->present,
					    turns->first.byte, order->short_ns,
					    &following, kind);
			if (UNLIKELY(outcome != ADVANCED))
				return outcome;
			if (UNLIKELY(!move_easily(order, cursor, &following))) {
				end_turns(order, turns);
				next->cursor = NULL;
				return move_on(order, cursor, following.type)
					       ? ADVANCED
					       : FAILED;
			}
			turns->first.byte = cursor->present.byte;
		} while (cursor->present.time <= turns->bound);
		if (cursor->present.time >= turns->end)
			break;
		change_turns(turns);
	}
	*next = leave_turns(order, turns);
	return ADVANCED;
}

/*
 * Takes events while that of the first cursor is easy and advances. Returns
 * WAITS when gti_v2_order_step() has to continue, FAILED at a fault. A pass for
 * others also ends at order->last_ordinal.
 */
static ALWAYS_INLINE enum outcome run_easy(struct order *order,
					   const enum pass_kind kind)
{
	const struct sort_item *heap = order->heap.items;

	order->until = order->sample_time;
	if (order->until == INT64_MAX)
		order->until--; /* free places of the heap have that time */
	while (heap->key <= order->until) {
		struct turn first = turn_of(order, heap);

		if (UNLIKELY(!cursor_is_easy(first.cursor)))
			return WAITS;
		do {
			struct turns turns = begin_turns(order, first);
			enum outcome outcome =
				take_turns(order, &turns, &first, kind);

			if (UNLIKELY(outcome != ADVANCED)) {
				end_turns(order, &turns);
				return outcome;
			}
		} while (LIKELY(first.cursor != NULL));
	}
	return WAITS;
}

static NOINLINE HOT enum outcome run_for_slices(struct order *order)
{
	return run_easy(order, PASS_FOR_SLICES);
}

static NOINLINE HOT enum outcome run_for_profile(struct order *order)
{
	return run_easy(order, PASS_FOR_PROFILE);
}

static NOINLINE HOT enum outcome run_for_others(struct order *order)
{
	return run_easy(order, PASS_FOR_OTHERS);
}

static NOINLINE HOT enum outcome run_for_stops(struct order *order)
{
	return run_easy(order, PASS_FOR_STOPS);
}

static NOINLINE HOT enum outcome run_for_both(struct order *order)
{
	return run_easy(order, PASS_FOR_BOTH);
}

static NOINLINE HOT enum outcome run_for_summary(struct order *order)
{
	return run_easy(order, PASS_FOR_SUMMARY);
}

static enum outcome run_with_stops(struct order *order)
{
	if (order->states.slices == NULL)
		return run_for_stops(order);
	return order->states.observer->profile == NULL ? run_for_both(order)
						       : run_for_summary(order);
}

static enum outcome run_without_stops(struct order *order)
{
	const struct observer *observer = order->states.observer;

	if (order->last_ordinal != UINT64_MAX)
		return run_for_others(order);
	if (observer->slices != NULL)
		return run_for_slices(order);
	return observer->profile != NULL && observer->link_count == 0
		       ? run_for_profile(order)
		       : run_for_others(order);
}

/* Calls run_easy() with the constant that fits the pass. */
static enum outcome run_as_needed(struct order *order)
{
	struct stops *stops = order->states.stops;
	enum outcome outcome;

	if (stops == NULL)
		return run_without_stops(order);
	outcome = run_with_stops(order);
	/* If its event waits, that of another one is the last. */
	stops->last = order->states.written;
	return outcome;
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
			if (run_as_needed(order) == FAILED)
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
