/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_moments.c - when processors were given up, taken and sampled, for as
 * long as a stop-the-world pause may need it.
 */
#include <string.h>

#include "analysis/stops.h"
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
 * Stops follow each other, so few moments are there when one is settled. If
 * many more are looked at than there were, the older half is dropped. That can
 * happen only if the times of thousands of stops overlap.
 */
#define LOOKED_FREE        ((uint64_t)1 << 22)
#define LOOKED_PER_GIVE_UP 512

/*
 * Sets *END to the least time up to which a stop that is not settled, or is to
 * come, looks for late processors, and *BEGIN to the least one from which on
 * such a stop looks for other moments.
 */
static void find_needed(const struct stops *stops, int64_t *begin, int64_t *end)
{
	const struct stop *ending = stops->ending.items, *stop = &stops->open;
	size_t i;

	*begin = *end = stops_horizon(stops);
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

const struct stop_moment *gti_stops_look(struct stops *stops)
{
	if (stops->looked > LOOKED_FREE + LOOKED_PER_GIVE_UP * stops->give_ups)
		keep_last(stops, (stops->moments.count + 1) / 2);
	stops->looked += stops->moments.count;
	return stops->moments.items;
}
