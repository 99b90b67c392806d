/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_moments.c - when processors were given up, taken and sampled, for as
 * long as a stop of the world may need it.
 */
#include <string.h>

#include "analysis/stops.h"
#include "base/array.h"
#include "base/least.h"

/* Moments are looked through when there are more than this. */
#define DROP_MIN 256

/*
 * If more than this many may still be needed, the older half is dropped. That
 * can happen only if thousands of moments are between the time of an event and
 * its place in the order, which no runtime causes.
 */
#define MOMENTS_MAX ((size_t)1 << 16)

/*
 * Stops follow each other, so most moments are found for one stop or none. If
 * many more are found than there are, the older half is dropped. That can
 * happen only if the times of thousands of stops overlap.
 */
#define FOUND_FREE        ((uint64_t)1 << 22)
#define FOUND_PER_GIVE_UP 16

int64_t gti_stops_horizon(const struct stops *stops)
{
	return stops_ns(stops, stops->format.horizon(stops->format.context));
}

/*
 * Sets *END to the least time up to which a stop that is not settled, or is to
 * come, looks for late processors, and *BEGIN to the least one from which on
 * such a stop looks for other moments.
 */
static void find_needed(const struct stops *stops, int64_t *begin, int64_t *end)
{
	const struct stop *ending = stops->ending.items, *stop = &stops->open;
	size_t i;

	*begin = *end = gti_stops_horizon(stops);
	if (stops->is_open)
		*begin = least_of(*begin, stop->requested);
	if (stops->is_open && stop->restarting != TIME_NONE)
		*end = least_of(*end, stop->restarting);
	for (i = 0; i < stops->ending.count; i++) {
		stop = &ending[i];
		*end = least_of(*end, stop->restarting != TIME_NONE
					      ? stop->restarting
					      : stop->ended);
		if (!stop->inferred)
			*begin = least_of(*begin, stop->requested);
	}
	*begin = least_of(*begin, *end);
}

/* Leaves the last COUNT moments, which the array has from KEPT on. */
static void keep_last(struct stops *stops, size_t kept)
{
	struct stop_moment *moments = stops->moments.items;
	size_t count = stops->moments.count - kept;

	memmove(moments, moments + kept, count * sizeof(*moments));
	stops->moments.count = count;
	stops->by_time.count = 0;
	stops->drop_at = DROP_MIN + 2 * count + stops->ending.count;
}

/*
 * Drops the moments that no stop can need. A stop needs the last time that each
 * processor was given up in an interval, and all such intervals end at END or
 * later; and the others from BEGIN on.
 */
static void drop_moments(struct stops *stops)
{
	struct stop_moment *moments = stops->moments.items;
	size_t count = stops->moments.count, kept = count, i;
	int64_t begin, end;

	find_needed(stops, &begin, &end);
	for (i = 0; i < count; i++)
		if (moments[i].kind == MOMENT_GIVEN_UP)
			moments[i].processor->dominated = TIME_NONE;
	for (i = count; i-- > 0;) {
		const struct stop_moment *moment = &moments[i];

		if (moment->kind == MOMENT_GIVEN_UP) {
			int64_t *dominated = &moment->processor->dominated;

			if (moment->time <= *dominated)
				continue;
			if (moment->time <= end)
				*dominated = moment->time;
		} else if (moment->time < begin) {
			continue;
		}
		moments[--kept] = *moment;
	}
	if (count - kept > MOMENTS_MAX)
		kept += (count - kept) / 2;
	keep_last(stops, kept);
}

struct stop_moment *gti_stops_add(struct stops *stops, enum moment_kind kind,
				  int64_t p, int64_t time)
{
	struct array *moments = &stops->moments;
	struct stop_moment *added;

	if (moments->count >= DROP_MIN && moments->count >= stops->drop_at)
		drop_moments(stops);
	if (!gti_array_reserve(moments, sizeof(*added), stops->memory)) {
		stops->failed = true;
		return NULL;
	}
	added = (struct stop_moment *)moments->items + moments->count++;
	added->time = stops_ns(stops, time);
	added->p = p;
	added->kind = kind;
	return added;
}

/* --------------------------------------------------------------- by time -- */

/*
 * Times need not be in order: the items of stops->by_time are in sorted runs,
 * whose sizes are the powers of two that add up to the number of items. This is
 * the size of the run of COUNT items that begins at BEGIN.
 */
static size_t run_size(size_t count, size_t begin)
{
	return (size_t)1 << highest_bit(count - begin);
}

/* Adds the moments that are new, and sorts the runs that they are in. */
static bool sort_new(struct stops *stops)
{
	const struct stop_moment *moments = stops->moments.items;
	struct array *by_time = &stops->by_time;
	size_t before = by_time->count, begin = 0, size, i;

	for (i = before; i < stops->moments.count; i++) {
		const struct sort_item item = {moments[i].time, (uint32_t)i};

		if (array_add(by_time, &item, sizeof(item), stops->memory) ==
		    NULL)
			return false;
	}
	for (; begin < by_time->count; begin += size) {
		size = run_size(by_time->count, begin);
		if (begin + size > before)
			gti_sort_go1_27((struct sort_item *)by_time->items +
						begin,
					size);
	}
	return true;
}

/* How many of the SIZE items of RUN are before TIME. */
static size_t count_before(const struct sort_item *run, size_t size,
			   int64_t time)
{
	return time == INT64_MIN
		       ? 0
		       : count_until(run, size, sizeof(*run),
				     offsetof(struct sort_item, key), time - 1);
}

bool gti_stops_find(struct stops *stops, int64_t from, int64_t to)
{
	const struct sort_item *run;
	size_t begin = 0, size, i;

	if (stops->found_so_far >
	    FOUND_FREE + FOUND_PER_GIVE_UP * stops->give_ups)
		keep_last(stops, (stops->moments.count + 1) / 2);
	stops->found.count = 0;
	if (!sort_new(stops))
		return false;
	for (; begin < stops->by_time.count; begin += size) {
		run = (const struct sort_item *)stops->by_time.items + begin;
		size = run_size(stops->by_time.count, begin);
		for (i = count_before(run, size, from);
		     i < size && run[i].key <= to; i++)
			if (array_add(&stops->found, &run[i].value,
				      sizeof(uint32_t), stops->memory) == NULL)
				return false;
	}
	stops->found_so_far += stops->found.count;
	return true;
}
