/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_kept.c - which slices kept a wait.
 *
 * Let the busy time that has passed be the time here. A wait that ends now
 * overlaps a slice that has ended by the length of the slice, or by what of it
 * came after the wait began. Let a slice Y end after X, and be longer. Then Y
 * overlaps each such wait at least as long as X, and where both overlap it
 * equally long, Y began first, before the wait. So X cannot be among the three
 * that kept a wait longest if three slices are like Y.
 *
 * Slices that have ended are in three stacks, in the order of their ends: in
 * stack K those for which K others are like Y. One that ends moves what is
 * shorter on top of each stack to the next, so that lengths never increase
 * towards the top. What moves has ended after all that stays in the next stack,
 * as it would be like Y for what has not. New slices are collected first: most
 * are shorter than three others among them, and never get to the stacks.
 */
#include <string.h>

#include "analysis/waits_hooks.h"
#include "base/array.h"

/* Slices that are collected before they go to the stacks. */
#define FRESH_MAX 1024

static void release(struct waits *waits, struct waited_slice *record)
{
	if (record != NULL && --record->references == 0)
		gti_pool_give(&waits->records, record);
}

void gti_waits_release_kept(struct waits *waits, const struct wait *wait)
{
	unsigned i;

	/* A record begins with its slice. */
	for (i = 0; i < wait->kept_count; i++)
		release(waits, (struct waited_slice *)wait->kept[i].slice);
}

void gti_waits_forget_kept(struct waits *waits)
{
	unsigned i;

	gti_release(waits->memory, waits->fresh,
		    FRESH_MAX * sizeof(struct ended_slice));
	for (i = 0; i < WAIT_KEPT_MAX; i++)
		gti_array_free(&waits->ended[i], sizeof(struct ended_slice),
			       waits->memory);
	gti_array_free(&waits->late_ends, sizeof(struct late_end),
		       waits->memory);
	gti_pool_free(&waits->records);
}

/* -------------------------------------------------------------- dropping -- */

static void find_oldest(void *to, struct waiter *waiter, uint64_t g)
{
	uint64_t *oldest = to;

	(void)g;
	if (waiter->busy < *oldest)
		*oldest = waiter->busy;
}

/* When the first of the waits began that are not over, in busy time. */
static uint64_t oldest_wait(struct waits *waits)
{
	/* Some have waited since before the trace, which has not said which. */
	uint64_t oldest =
		waits->found.ready < waits->assumed.ready ? 0 : UINT64_MAX;

	waits->waiters = waits->format.each_waiter(waits->format.context,
						   find_oldest, &oldest);
	return oldest;
}

/* The first of SLICES that ended after TIME; UINT64_MAX: at any time. */
static size_t first_after(const struct array *slices, uint64_t time)
{
	if (time > INT64_MAX)
		return slices->count;
	return count_until(slices->items, slices->count,
			   sizeof(struct ended_slice),
			   offsetof(struct ended_slice, busy), (int64_t)time);
}

/* Removes the slices that ended at TIME or before. */
static void drop_slices(struct waits *waits, struct array *slices,
			uint64_t time)
{
	struct ended_slice *items = slices->items;
	size_t first = first_after(slices, time), i;

	for (i = 0; i < first; i++)
		release(waits, items[i].record);
	slices->count -= first;
	if (first != 0)
		memmove(items, items + first, slices->count * sizeof(*items));
}

static void drop_late_ends(struct array *late_ends, uint64_t time)
{
	struct late_end *ends = late_ends->items;
	size_t kept = 0, i;

	for (i = 0; i < late_ends->count; i++)
		if (ends[i].busy >= time)
			ends[kept++] = ends[i];
	late_ends->count = kept;
}

/*
 * Drops what no wait that is not over needs, if as many slices have ended since
 * the last time as there are records to be looked at or moved for that.
 */
static void drop(struct waits *waits)
{
	uint64_t count = waits->waiters + waits->late_ends.count, oldest;
	unsigned i;

	for (i = 0; i < WAIT_KEPT_MAX; i++)
		count += waits->ended[i].count;
	if (waits->clocks.ended - waits->dropped < count)
		return;
	waits->dropped = waits->clocks.ended;
	oldest = oldest_wait(waits);
	drop_late_ends(&waits->late_ends, oldest);
	for (i = 0; i < WAIT_KEPT_MAX; i++)
		drop_slices(waits, &waits->ended[i], oldest);
}

/* ---------------------------------------------------------------- stacks -- */

/* The first one at the top of STACK that is shorter than LENGTH. */
static size_t first_shorter(const struct array *stack, uint64_t length)
{
	const struct ended_slice *items = stack->items;
	size_t i = stack->count;

	while (i > 0 && items[i - 1].length < length)
		i--;
	return i;
}

static bool push(struct waits *waits, struct array *stack,
		 const struct ended_slice *slice)
{
	return array_add(stack, slice, sizeof(*slice), waits->memory) != NULL;
}

/* Moves what is shorter than LENGTH from stack NUMBER to the next one. */
static bool move_shorter(struct waits *waits, unsigned number, uint64_t length)
{
	struct array *stack = &waits->ended[number];
	const struct ended_slice *items = stack->items;
	size_t first = first_shorter(stack, length), i;
	bool good = true;

	for (i = first; i < stack->count; i++)
		if (number + 1 < WAIT_KEPT_MAX)
			good &= push(waits, stack + 1, &items[i]);
		else
			release(waits, items[i].record);
	stack->count = first;
	return good;
}

static bool add_to_stacks(struct waits *waits, const struct ended_slice *slice)
{
	unsigned i;

	for (i = WAIT_KEPT_MAX; i-- > 0;)
		if (!move_shorter(waits, i, slice->length))
			return false;
	return push(waits, &waits->ended[0], slice);
}

/*
 * Removes from the new ones those that are shorter than three later ones.
 * Returns the first that is left; the others follow it.
 */
static const struct ended_slice *drop_shorter(struct waits *waits)
{
	struct ended_slice *kept = waits->fresh_next, *slice = kept;
	uint64_t first = 0, second = 0, third = 0;

	while (slice-- != waits->fresh) {
		uint64_t length = slice->length;

		if (length < third) {
			release(waits, slice->record);
			continue;
		}
		if (length > first) {
			third = second;
			second = first;
			first = length;
		} else if (length > second) {
			third = second;
			second = length;
		} else {
			third = length;
		}
		*--kept = *slice;
	}
	return kept;
}

/* The new ones go to the stacks. */
static void add_fresh(struct waits *waits)
{
	const struct ended_slice *slice;

	drop(waits);
	if (waits->fresh == NULL)
		return;
	for (slice = drop_shorter(waits); slice != waits->fresh_next; slice++)
		if (!add_to_stacks(waits, slice))
			waits->failed = true;
	waits->fresh_next = waits->fresh;
}

/* ------------------------------------------------------------------ ends -- */

static void add_late_end(struct waits *waits, uint64_t busy)
{
	const struct late_end end = {busy, waits->clocks.ended};

	if (array_add(&waits->late_ends, &end, sizeof(end), waits->memory) ==
	    NULL)
		waits->failed = true;
}

static bool begin_fresh(struct waits *waits)
{
	waits->fresh = gti_allocate(waits->memory,
				    FRESH_MAX * sizeof(struct ended_slice));
	waits->failed |= waits->fresh == NULL;
	if (waits->fresh == NULL)
		return false;
	waits->fresh_next = waits->fresh;
	waits->fresh_end = waits->fresh + FRESH_MAX;
	return true;
}

/* WAIT has no record any more, and can still be asked for a delay. */
static struct waited_slice *take_record(struct slice_wait *wait)
{
	struct waited_slice *record = wait->record;

	if (record != NULL)
		wait->high = record->high;
	wait->record = NULL;
	return record;
}

struct ended_slice *gti_waits_keep_ended(struct waits *waits,
					 struct slice_wait *wait, int64_t now)
{
	struct ended_slice *ended;

	if (waits->fresh == NULL && !begin_fresh(waits))
		return NULL;
	if (waits->fresh_next == waits->fresh_end)
		add_fresh(waits);
	ended = waits->fresh_next++;
	ended->busy = waits_busy(waits, now, false);
	ended->length = ended->busy - wait->busy;
	ended->record = take_record(wait);
	waits->clocks.ended++;
	if (ended->busy == waits->last_ready)
		add_late_end(waits, ended->busy);
	return ended;
}

void gti_waits_forget_slice(struct waits *waits, struct slice_wait *wait)
{
	release(waits, take_record(wait));
}

/* --------------------------------------------------------------- looking -- */

/* A slice that may be one of those that kept a wait longest. */
struct candidate {
	uint64_t overlap;
	uint64_t serial;
	struct ended_slice *ended; /* NULL: it runs */
	struct slice_wait *wait;
};

struct search {
	uint64_t since; /* when the wait began, in busy time */
	uint64_t now;
	struct candidate best[WAIT_KEPT_MAX];
	unsigned count;
	uint64_t running; /* slices that run and kept it */
};

static bool comes_before(const struct candidate *a, const struct candidate *b)
{
	if (a->overlap != b->overlap)
		return a->overlap > b->overlap;
	return a->serial < b->serial;
}

/* Returns whether CANDIDATE is one of the best so far. */
static bool offer(struct search *search, const struct candidate *candidate)
{
	unsigned i = search->count;

	if (i == WAIT_KEPT_MAX) {
		if (!comes_before(candidate, &search->best[--i]))
			return false;
	} else {
		search->count++;
	}
	for (; i > 0 && comes_before(candidate, &search->best[i - 1]); i--)
		search->best[i] = search->best[i - 1];
	search->best[i] = *candidate;
	return true;
}

/*
 * Offers the slices of STACK. Above those that began before the wait, overlaps
 * do not increase, and starts do not decrease: only starts at one time can be
 * in another order than their numbers.
 */
static void search_stack(struct search *search, const struct array *stack)
{
	struct ended_slice *items = stack->items;
	uint64_t last_start = 0;
	bool refused = false;
	size_t i;

	for (i = first_after(stack, search->since); i < stack->count; i++) {
		uint64_t start = items[i].busy - items[i].length;
		struct candidate candidate = {
			.overlap = items[i].length,
			.serial = items[i].serial,
			.ended = &items[i],
		};

		if (start < search->since)
			candidate.overlap = items[i].busy - search->since;
		else if (refused && start != last_start)
			break;
		refused = !offer(search, &candidate) && start >= search->since;
		last_start = start;
	}
}

static void search_running(void *to, struct slice_wait *wait, uint64_t serial)
{
	struct search *search = to;
	uint64_t from = wait->busy;
	struct candidate candidate = {.serial = serial, .wait = wait};

	if (from < search->since)
		from = search->since;
	candidate.overlap = search->now - from;
	if (candidate.overlap == 0)
		return;
	search->running++;
	offer(search, &candidate);
}

/* What a wait refers to of a slice that has ended. */
static void fill_record(const struct waits *waits, struct waited_slice *record,
			const struct ended_slice *ended)
{
	struct slice *slice = &record->slice;

	slice->serial = ended->serial;
	slice->length = (int64_t)waits_since(waits_time(waits, ended->start),
					     waits_time(waits, ended->end));
	slice->delay = -1;
	slice->p = ended->p;
	slice->g = ended->g;
	slice->start.ticks = ended->start;
	slice->end.ticks = ended->end;
	slice->end.offset = ended->offset;
	slice->end.stack = ended->stack;
	slice->end.origin = ended->origin;
	slice->end.type = ended->type;
	slice->inside.call_ticks = ended->calls;
}

static struct waited_slice *record_of(struct waits *waits,
				      const struct candidate *candidate)
{
	struct waited_slice **place = candidate->ended != NULL
					      ? &candidate->ended->record
					      : &candidate->wait->record;

	if (*place == NULL) {
		*place = gti_pool_take(&waits->records);
		if (*place == NULL) {
			waits->failed = true;
			return NULL;
		}
		(*place)->references = 1;
		if (candidate->ended != NULL) {
			fill_record(waits, *place, candidate->ended);
		} else {
			(*place)->high = candidate->wait->high;
			candidate->wait->high = SLICE_REFERRED;
		}
	}
	(*place)->references++;
	return *place;
}

/*
 * How many of the slices that ended after WAITER became ready do not overlap,
 * as no busy time had passed since then.
 */
static uint64_t ended_at_once(const struct waits *waits,
			      const struct waiter *waiter)
{
	const struct array *late = &waits->late_ends;
	const struct late_end *ends = late->items;
	uint64_t count = 0;
	size_t i;

	for (i = count_until(ends, late->count, sizeof(*ends),
			     offsetof(struct late_end, busy),
			     (int64_t)(waiter->busy - 1));
	     i < late->count && ends[i].busy == waiter->busy; i++)
		count += ends[i].ended > waiter->clocks.ended;
	return count;
}

void gti_waits_find_kept(struct waits *waits, const struct waiter *waiter,
			 struct wait *wait)
{
	const struct wait_clocks *since = &waiter->clocks,
				 *now = &waits->clocks;
	struct search search = {.since = waiter->busy, .now = waits->busy};
	unsigned i;

	/* Of all slices, and of all processors that were held. */
	wait->kept_more_overlap =
		(int64_t)(now->on * waits->busy + now->on_base -
			  since->on * waiter->busy - since->on_base);
	wait->kept_none =
		(int64_t)(now->held * waits->busy + now->held_base -
			  since->held * waiter->busy - since->held_base) -
		wait->kept_more_overlap;
	add_fresh(waits);
	for (i = 0; i < WAIT_KEPT_MAX; i++)
		search_stack(&search, &waits->ended[i]);
	waits->format.each_running(waits->format.context, search_running,
				   &search);
	wait->kept_more = now->ended - since->ended -
			  ended_at_once(waits, waiter) + search.running;
	for (i = 0; i < search.count; i++) {
		struct waited_slice *record = record_of(waits, &search.best[i]);

		if (record == NULL)
			return;
		wait->kept[i].slice = &record->slice;
		wait->kept[i].overlap = (int64_t)search.best[i].overlap;
		wait->kept_count = i + 1;
		wait->kept_more--;
		wait->kept_more_overlap -= wait->kept[i].overlap;
	}
}
