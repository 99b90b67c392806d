/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns.c - takes easy events, in a loop in which threads take turns.
 *
 * Nearly all events are easy (see cursor.h), so a pass spends most of its time
 * here. choice.c takes the others.
 */
#include "base/least.h"
#include "base/times.h"
#include "v2/order.h"
#include "v2/try.h"

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
		order_listen(order);
		return true;
	case CURSOR_END:
		heap_remove(&order->heap, 0);
		order_listen(order);
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
 * turns->end is less than 0, there may be no other cursor, or one that is not
 * easy or comes after the next sample. Then writes the root and returns none:
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
			if (kind == PASS_RECORDS &&
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
 * gti_v2_order_run_easy() in a pass of KIND, which is a constant. One that records
 * also ends at order->last_ordinal.
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

static NOINLINE HOT enum outcome run_and_record(struct order *order)
{
	return run_easy(order, PASS_RECORDS);
}

/* Whether nothing but slices without names is wanted. */
static bool is_for_slices(const struct observer *observer)
{
	return observer->slices != NULL && !observe_needs_own(observer) &&
	       observer->feed == NULL && observer->oncpu == NULL;
}

enum outcome gti_v2_order_run_easy(struct order *order)
{
	const struct observer *observer = order->states.to.observer;

	order_listen(order);
	/* Links are for careful steps. */
	if (observer->link_count != 0)
		return WAITS;
	if (is_for_slices(observer) && order->last_ordinal == UINT64_MAX)
		return run_for_slices(order);
	return run_and_record(order);
}
