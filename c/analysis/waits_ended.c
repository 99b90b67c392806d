/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_ended.c - slices that have ended, as far as a wait may need them.
 *
 * Let the busy time that has passed be the time here. A wait that ends now
 * overlaps a slice that has ended by the length of the slice, or by what of it
 * came after the wait began. Let a slice Y not end before X, and be longer.
 * Then Y overlaps each such wait at least as long as X, and where both overlap
 * it equally long, Y began first, before the wait. Likewise, if they start and
 * end together, and Y has the lower serial. So X cannot be among the three that
 * kept a wait longest if three slices are like Y, which *cover* it.
 *
 * Slices that have ended are in three stacks, in the order of their ends: in
 * stack K those that K others cover. One that ends moves what it covers on top
 * of each stack to the next, so that lengths never increase towards the top.
 * What moves has ended after all that stays in the next stack, as it would
 * cover what has not. Of slices that end together one covers the other, so a
 * stack has one of them, and starts increase towards the top as ends do. New
 * slices are collected first: three others among them cover most of them, which
 * never get to the stacks.
 *
 * So a wait looks at three slices on either side of the place in each stack
 * where its begin is, and at the three slices that run and began first.
 */
#include <string.h>

#include "analysis/waits_hooks.h"
#include "base/array.h"

/* Slices that are collected before they go to the stacks. */
#define FRESH_MAX 1024

void gti_waits_release(struct waits *waits, struct waited_slice *record)
{
	if (record != NULL && --record->references == 0)
		gti_pool_give(&waits->records, record);
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

/* When the first of the waits began that are not over, in busy time. */
static uint64_t oldest_wait(const struct waits *waits)
{
	const struct wait_link *first = waits->waiters.later;

	/* Some have waited since before the trace, which has not said which. */
	if (waits->found.ready < waits->assumed.ready)
		return 0;
	return first != &waits->waiters ? ((const struct waiter *)first)->busy
					: UINT64_MAX;
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
		gti_waits_release(waits, items[i].record);
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
 * the last time as there are to be looked at or moved for that.
 */
static void drop(struct waits *waits)
{
	uint64_t count = waits->late_ends.count, oldest;
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

/* Whether A, which did not end before B, covers it. */
static bool covers(const struct ended_slice *a, const struct ended_slice *b)
{
	if (ended_length(a) != ended_length(b))
		return ended_length(a) > ended_length(b);
	return a->busy == b->busy && a->serial < b->serial;
}

/* The first one at the top of STACK that SLICE covers. */
static size_t first_covered(const struct array *stack,
			    const struct ended_slice *slice)
{
	const struct ended_slice *items = stack->items;
	size_t i = stack->count;

	while (i > 0 && covers(slice, &items[i - 1]))
		i--;
	return i;
}

/* How many of those in the stacks, up to three, cover SLICE, the last one. */
static unsigned count_covering(const struct waits *waits,
			       const struct ended_slice *slice)
{
	const struct ended_slice *last;
	unsigned count = 0, i;

	for (i = 0; i < WAIT_KEPT_MAX; i++) {
		last = waits->ended[i].items;
		if (waits->ended[i].count == 0)
			continue;
		last += waits->ended[i].count - 1;
		count += last->busy == slice->busy && covers(last, slice);
	}
	return count;
}

static bool push(struct waits *waits, struct array *stack,
		 const struct ended_slice *slice)
{
	return array_add(stack, slice, sizeof(*slice), waits->memory) != NULL;
}

/* Moves what SLICE covers from stack NUMBER to the next one. */
static bool move_covered(struct waits *waits, unsigned number,
			 const struct ended_slice *slice)
{
	struct array *stack = &waits->ended[number];
	const struct ended_slice *items = stack->items;
	size_t first = first_covered(stack, slice), i;
	bool good = true;

	for (i = first; i < stack->count; i++)
		if (number + 1 < WAIT_KEPT_MAX)
			good &= push(waits, stack + 1, &items[i]);
		else
			gti_waits_release(waits, items[i].record);
	stack->count = first;
	return good;
}

static bool add_to_stacks(struct waits *waits, const struct ended_slice *slice)
{
	unsigned covering = count_covering(waits, slice), i;

	for (i = WAIT_KEPT_MAX; i-- > 0;)
		if (!move_covered(waits, i, slice))
			return false;
	if (covering < WAIT_KEPT_MAX)
		return push(waits, &waits->ended[covering], slice);
	gti_waits_release(waits, slice->record);
	return true;
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
		uint64_t length = ended_length(slice);

		if (length < third) {
			gti_waits_release(waits, slice->record);
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
void gti_waits_add_fresh(struct waits *waits)
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
		gti_waits_add_fresh(waits);
	ended = waits->fresh_next++;
	ended->busy = waits_busy(waits, now, false);
	ended->from = wait->busy;
	ended->record = take_record(wait);
	waits->clocks.ended++;
	if (ended->busy == waits->last_ready)
		add_late_end(waits, ended->busy);
	return ended;
}

void gti_waits_forget_slice(struct waits *waits, struct slice_wait *wait)
{
	gti_waits_release(waits, take_record(wait));
}
