/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - the reports of waits for a processor, and of what they waited for.
 */
#include <string.h>

#include "base/sort.h"
#include "front.h"

/* ----------------------------------------------------------------- waits -- */

/* The first string of EVENT, which is a reason where an event has one. */
static struct gtrace_string reason_of(const struct gtrace_event *event)
{
	static const struct gtrace_string none = {"", 0};

	return event->string_count != 0 ? event->strings[0] : none;
}

static bool make_kept(struct event_maker *maker, const struct kept_slice *kept,
		      struct gtrace_kept *to)
{
	const struct slice *slice = kept->slice;
	bool ended = !slice->still_running;
	const struct event_ref *at = ended ? &slice->end : &slice->start;
	const struct naming *naming = gti_make_ref_naming(maker, at);

	*to = (struct gtrace_kept){
		.p = slice->p,
		.g = (int64_t)slice->g,
		.overlap = kept->overlap,
		.length = slice->length,
		.calls = maker->trace->format->times_calls
				 ? slice->inside.call_ticks
				 : -1,
		.start = clock_ns(&maker->clock, slice->start.ticks),
		.ended = -1,
		.event = "",
		.reason = {"", 0},
	};
	if (naming == NULL || !gti_make_ref(maker, at, &to->at))
		return false;
	to->frame = naming->frame;
	to->caller = naming->caller;
	/* Not all that end a slice are kept with these. */
	to->at.number = 0;
	to->at.m = to->at.p = to->at.g = -1;
	if (ended) {
		to->ended = to->at.ts;
		to->event = to->at.name;
		to->reason = reason_of(&to->at);
	}
	return true;
}

static bool make_wait(struct event_maker *maker, const struct wait *wait,
		      struct gtrace_wait *to)
{
	struct gtrace_kept *kept = gti_arena_allocate(
		&maker->arena, wait->kept_count * sizeof(*kept));
	unsigned i;

	*to = (struct gtrace_wait){
		.length = wait->length,
		.busy = wait->busy,
		.idle = wait->idle,
		.stopped = wait->stopped,
		.g = (int64_t)wait->g,
		.start = clock_ns(&maker->clock, wait->start),
		.before = wait->before,
		.over = wait->over,
		.whole = wait->over && !wait->before,
		.ran = wait->over ? clock_ns(&maker->clock, wait->ran_ticks)
				  : -1,
		.ran_p = wait->over ? wait->ran_p : -1,
		.kept = wait->kept_count != 0 ? kept : NULL,
		.kept_count = wait->kept_count,
		.kept_more = wait->kept_more,
		.kept_more_overlap = wait->kept_more_overlap,
		.kept_none = wait->kept_none,
	};
	if (kept == NULL || !gti_make_ref(maker, &wait->ready, &to->ready))
		return false;
	to->reason = reason_of(&to->ready);
	for (i = 0; i < wait->kept_count; i++)
		if (!make_kept(maker, &wait->kept[i], &kept[i]))
			return false;
	return true;
}

static int compare_ready(const void *a, const void *b)
{
	const struct wait *const *x = a, *const *y = b;
	uint64_t first = (*x)->ready.offset, second = (*y)->ready.offset;

	return (first > second) - (first < second);
}

/* Makes the longest waits in the order of the file, see gti_make_chosen(). */
static bool make_longest(struct event_maker *maker,
			 const struct wait_results *results,
			 struct gtrace_wait_report *to)
{
	size_t count = results->wait_count, i;
	struct gtrace_wait *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made));
	const struct gtrace_wait **array =
		gti_arena_allocate(&maker->arena, count * sizeof(const void *));
	const struct wait **order =
		gti_allocate(maker->memory, count * sizeof(const void *) + 1);
	bool good = made != NULL && array != NULL && order != NULL;

	for (i = 0; i < count && good; i++) {
		order[i] = &results->waits[i];
		array[i] = &made[i];
	}
	if (good && count > 1)
		gti_sort(order, count, sizeof(const void *), compare_ready);
	for (i = 0; i < count && good; i++)
		good = make_wait(maker, order[i],
				 &made[order[i] - results->waits]);
	gti_release(maker->memory, order, count * sizeof(const void *) + 1);
	to->waits = count != 0 ? array : NULL;
	to->count = count;
	return good;
}

static int compare_rows(const void *a, const void *b)
{
	const struct gtrace_wait_row *x = a, *y = b;

	return strcmp(x->event, y->event);
}

/* Copies PARTS. */
static bool make_parts(struct event_maker *maker,
		       const struct ready_parts *parts,
		       struct gtrace_wait_report *to)
{
	int64_t *sums =
		gti_arena_allocate(&maker->arena, parts->count * sizeof(*sums));

	if (sums == NULL)
		return false;
	if (parts->count != 0)
		memcpy(sums, parts->sums, parts->count * sizeof(*sums));
	to->parts = parts->count != 0 ? sums : NULL;
	to->part_count = parts->count;
	to->part_length = (int64_t)1 << parts->shift;
	return true;
}

bool gti_make_waits(struct event_maker *maker,
		    const struct wait_results *results,
		    struct gtrace_wait_report *to)
{
	size_t count = results->row_count, i;
	struct gtrace_wait_row *rows =
		gti_arena_allocate(&maker->arena, count * sizeof(*rows));

	if (rows == NULL)
		return false;
	for (i = 0; i < count; i++) {
		rows[i] = results->rows[i];
		rows[i].event =
			maker->trace->facts.kinds[results->types[i]].name;
	}
	if (count > 1)
		gti_sort(rows, count, sizeof(*rows), compare_rows);
	*to = (struct gtrace_wait_report){
		.whole = results->whole,
		.before = results->before,
		.unfinished = results->unfinished,
		.cut_sum = results->cut_sum,
		.cut_max = results->cut_max,
		.rows = count != 0 ? rows : NULL,
		.row_count = count,
		.all = results->all,
	};
	return make_parts(maker, results->parts, to) &&
	       make_longest(maker, results, to);
}

/* ---------------------------------------------------------------- delays -- */

bool gti_make_delays(struct event_maker *maker,
		     const struct wait_results *results,
		     struct gtrace_delay_report *to)
{
	size_t count = results->slice_count, i;
	struct chosen *chosen =
		gti_allocate_zeroed(maker->memory, count + 1, sizeof(*chosen));
	const struct gtrace_slice **array =
		gti_arena_allocate(&maker->arena, count * sizeof(const void *));
	bool good = chosen != NULL && array != NULL;

	*to = (struct gtrace_delay_report){
		.waited = results->waited,
		.behind = results->behind,
		.scheduling = (int64_t)((uint64_t)results->waited -
					(uint64_t)results->behind),
		.slices = count != 0 ? array : NULL,
		.count = count,
	};
	for (i = 0; i < count && good; i++)
		chosen[i] = (struct chosen){&results->slices[i], &array[i]};
	good = good && gti_make_chosen(maker, chosen, count);
	gti_release(maker->memory, chosen, (count + 1) * sizeof(*chosen));
	return good;
}
