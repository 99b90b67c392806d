/* SPDX-License-Identifier: BSD-3-Clause */
/* waits_kept.c - which slices kept a wait, see waits_ended.c. */
#include "analysis/waits_hooks.h"
#include "base/array.h"
#include "base/times.h"

void gti_waits_release_kept(struct waits *waits, const struct wait *wait)
{
	unsigned i;

	/* A record begins with its slice. */
	for (i = 0; i < wait->kept_count; i++)
		gti_waits_release(waits,
				  (struct waited_slice *)wait->kept[i].slice);
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

/* offer() for ENDED. */
static bool offer_ended(struct search *search, struct ended_slice *ended)
{
	struct candidate candidate = {
		.overlap = ended_length(ended),
		.serial = ended->serial,
		.ended = ended,
	};

	if (ended->from < search->since)
		candidate.overlap = ended->busy - search->since;
	return offer(search, &candidate);
}

/*
 * Offers the slices of STACK. From where the wait began, overlaps decrease
 * downwards; upwards they do not increase, and serials do.
 */
static void search_stack(struct search *search, const struct array *stack)
{
	struct ended_slice *items = stack->items;
	size_t middle = count_until(items, stack->count, sizeof(*items),
				    offsetof(struct ended_slice, from),
				    (int64_t)(search->since - 1));
	size_t i;

	for (i = middle; i > 0 && items[i - 1].busy > search->since; i--)
		if (!offer_ended(search, &items[i - 1]))
			break;
	for (i = middle; i < stack->count; i++)
		if (!offer_ended(search, &items[i]))
			break;
}

/* Offers the slices that run: the ones that began first overlap longest. */
static void search_running(struct search *search, const struct waits *waits)
{
	struct slice_wait *wait = waits->running.later;
	struct candidate candidate = {.overlap = 0};

	for (; wait != &waits->running; wait = wait->later) {
		candidate.wait = wait;
		candidate.serial = wait->serial;
		candidate.overlap = search->now - (wait->busy > search->since
							   ? wait->busy
							   : search->since);
		if (candidate.overlap == 0 || !offer(search, &candidate))
			break;
	}
}

/* How many of the slices that run overlap a wait that began at SINCE. */
static uint64_t count_running(const struct waits *waits, uint64_t since)
{
	if (since == waits->busy)
		return 0;
	return waits->clocks.on -
	       (waits->started_at == waits->busy ? waits->started : 0);
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
	slice->last.stacks = ended->stacks;
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
	size_t until = count_until(ends, late->count, sizeof(*ends),
				   offsetof(struct late_end, busy),
				   (int64_t)waiter->busy);
	size_t before = count_until(ends, until, sizeof(*ends),
				    offsetof(struct late_end, busy),
				    (int64_t)(waiter->busy - 1));

	if (until == before)
		return 0;
	/* Both `busy` and `ended` increase. */
	return until - before -
	       count_until(ends + before, until - before, sizeof(*ends),
			   offsetof(struct late_end, ended),
			   (int64_t)waiter->clocks.ended);
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
			  since->held * waiter->busy - since->held_base -
			  (uint64_t)wait->kept_more_overlap);
	/* A damaged trace may have slices on processors that it lacks. */
	if (wait->kept_none < 0)
		wait->kept_none = 0;
	gti_waits_add_fresh(waits);
	for (i = 0; i < WAIT_KEPT_MAX; i++)
		search_stack(&search, &waits->ended[i]);
	search_running(&search, waits);
	wait->kept_more = now->ended - since->ended -
			  ended_at_once(waits, waiter) +
			  count_running(waits, search.since);
	for (i = 0; i < search.count; i++) {
		struct waited_slice *record = record_of(waits, &search.best[i]);

		if (record == NULL)
			return;
		wait->kept[i].slice = &record->slice;
		wait->kept[i].overlap = (int64_t)search.best[i].overlap;
		wait->kept_count = i + 1;
		wait->kept_more--;
		/* Sums that do not fit are refused later. */
		wait->kept_more_overlap = ns_between(wait->kept[i].overlap,
						     wait->kept_more_overlap);
	}
}
