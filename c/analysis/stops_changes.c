/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_changes.c - when processors were given up, taken and sampled, for as long as a
 * stop of the world may need it.
 */
#include <string.h>

#include "analysis/stops.h"
#include "base/least.h"

/* Changes and takings are looked through when there are more than this. */
#define DROP_MIN 256

/*
 * If more than this many may still be needed, the older half is dropped. That
 * can happen only if thousands of changes are between the time of an event and
 * its place in the order, which no runtime causes.
 */
#define CHANGES_MAX ((size_t)1 << 16)

/*
 * Stops follow each other, so most changes are found for one stop or none. If
 * many more are found than there are, the older half is dropped. That can
 * happen only if the times of thousands of stops overlap.
 */
#define FOUND_FREE        ((uint64_t)1 << 22)
#define FOUND_PER_GIVE_UP 16

int64_t gti_stops_horizon(const struct stops *stops)
{
	return stops_ns(stops, stops->format.horizon(stops->format.context));
}

/* The end of the time in which a processor of STOP is late. */
static int64_t end_of_lateness(const struct stop *stop)
{
	return stop->restarting != TIME_NONE ? stop->restarting : stop->ended;
}

/*
 * The least time up to which a stop that is not settled, or is to come, looks
 * for late processors.
 */
static int64_t least_end(const struct stops *stops)
{
	const struct stop *ending = stops->ending.items;
	int64_t least = gti_stops_horizon(stops);
	size_t i;

	for (i = 0; i < stops->ending.count; i++)
		least = least_of(least, end_of_lateness(&ending[i]));
	if (stops->is_open && stops->open.restarting != TIME_NONE)
		least = least_of(least, stops->open.restarting);
	return least;
}

/* The least time from which on such a stop looks for takings and samples. */
static int64_t least_begin(const struct stops *stops)
{
	const struct stop *ending = stops->ending.items;
	int64_t least = least_end(stops);
	size_t i;

	for (i = 0; i < stops->ending.count; i++)
		if (!ending[i].inferred)
			least = least_of(least, ending[i].requested);
	if (stops->is_open)
		least = least_of(least, stops->open.requested);
	return least;
}

/*
 * Drops the changes that no stop can need. A stop needs the last change of each
 * processor in an interval of time, and all such intervals end at least_end()
 * or later.
 */
static void drop_changes(struct stops *stops)
{
	struct change *changes = stops->changes.items;
	size_t count = stops->changes.count, kept = count, i;
	int64_t end = least_end(stops);

	for (i = 0; i < count; i++)
		changes[i].processor->dominated = TIME_NONE;
	for (i = count; i-- > 0;) {
		struct change *change = &changes[i];
		int64_t *dominated = &change->processor->dominated;

		if (change->time <= *dominated)
			continue;
		if (change->time <= end)
			*dominated = change->time;
		changes[--kept] = *change;
	}
	if (count - kept > CHANGES_MAX)
		kept += (count - kept) / 2;
	memmove(changes, changes + kept, (count - kept) * sizeof(*changes));
	stops->changes.count = count - kept;
	times_forget(&stops->change_times);
	stops->drop_changes_at =
		DROP_MIN + 2 * stops->changes.count + stops->ending.count;
}

bool gti_stops_reserve_change(struct stops *stops)
{
	struct array *changes = &stops->changes;

	if (changes->count >= DROP_MIN &&
	    changes->count >= stops->drop_changes_at)
		drop_changes(stops);
	return gti_array_reserve(changes, sizeof(struct change), stops->memory);
}

/* Drops what is before any stop that is not settled, or is to come. */
static void drop_moments(struct stops *stops, struct moments_on *moments)
{
	struct moment_on *items = moments->items.items;
	size_t count = moments->items.count, kept = 0, i;
	int64_t begin = least_begin(stops);
	size_t first = count > CHANGES_MAX ? count / 2 : 0;

	for (i = first; i < count; i++)
		if (items[i].time >= begin)
			items[kept++] = items[i];
	moments->items.count = kept;
	times_forget(&moments->times);
	moments->drop_at = DROP_MIN + 2 * kept + stops->ending.count;
}

void gti_stops_add_moment(struct stops *stops, struct moments_on *moments,
			  struct moment_on added)
{
	struct array *items = &moments->items;

	if (items->count >= DROP_MIN && items->count >= moments->drop_at)
		drop_moments(stops, moments);
	if (gti_array_reserve(items, sizeof(added), stops->memory))
		((struct moment_on *)items->items)[items->count++] = added;
	else
		stops->failed = true;
}

/* Drops the older half of the elements, of SIZE bytes each. */
static void drop_half(struct array *array, size_t size, struct times *times)
{
	size_t dropped = (array->count + 1) / 2;

	array->count -= dropped;
	if (dropped != 0)
		memmove(array->items, (char *)array->items + dropped * size,
			array->count * size);
	times_forget(times);
}

void gti_stops_found(struct stops *stops, size_t count)
{
	stops->found += count;
	if (stops->found <= FOUND_FREE + FOUND_PER_GIVE_UP * stops->give_ups)
		return;
	drop_half(&stops->changes, sizeof(struct change), &stops->change_times);
	drop_half(&stops->takings.items, sizeof(struct moment_on),
		  &stops->takings.times);
	drop_half(&stops->samples.items, sizeof(struct moment_on),
		  &stops->samples.times);
}
