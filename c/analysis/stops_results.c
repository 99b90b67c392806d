/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_results.c - what is kept of the stop-the-world pauses: the first N of
 * each list, and sums and values of each kind.
 */
#include <string.h>

#include "analysis/holders.h"
#include "analysis/machine.h"
#include "analysis/stops.h"
#include "base/array.h"
#include "base/least.h"

/*
 * At most this many values are kept, 8 bytes each, and a copy of them all while
 * quantiles are looked for. When there would be more, every second one of each
 * kind is dropped, and from then on only every second one is kept.
 */
#define VALUES_MAX 1000000

/* No further: more kinds than any program has would defeat thinning out. */
#define STEP_MAX ((uint64_t)1 << 32)

/* ----------------------------------------------------------------- kinds -- */

static struct stop_kind *kind_at(const struct stops *stops, uint32_t number)
{
	return (struct stop_kind *)stops->kinds.items + number;
}

/* Keeps every second value of each kind. */
static void thin_out(struct stops *stops)
{
	size_t i, j;

	stops->values = 0;
	stops->step *= 2;
	for (i = 0; i < stops->kinds.count; i++) {
		struct array *values = &kind_at(stops, (uint32_t)i)->values;
		int64_t *items = values->items;

		for (j = 0; 2 * j < values->count; j++)
			items[j] = items[2 * j];
		values->count = j;
		stops->values += j;
	}
}

static bool add_value(struct stops *stops, struct stop_kind *kind,
		      int64_t value)
{
	if ((kind->known.measured - 1) % stops->step != 0)
		return true;
	if (stops->values >= VALUES_MAX && stops->step < STEP_MAX) {
		thin_out(stops);
		if ((kind->known.measured - 1) % stops->step != 0)
			return true;
	}
	stops->values++;
	return array_add(&kind->values, &value, sizeof(value), stops->memory) !=
	       NULL;
}

static bool add_to_kind(struct stops *stops, const struct stop *stop)
{
	struct stop_kind *kind = kind_at(stops, stop->kind);

	kind->known.count++;
	if (stop->stopped != TIME_NONE && !stop->clock_changed)
		kind->known.stopped =
			time_sum(kind->known.stopped, (uint64_t)stop->stopped);
	if (!stop->measured)
		return true;
	kind->known.measured++;
	kind->stopped_measured =
		time_sum(kind->stopped_measured, (uint64_t)stop->stopped);
	kind->known.stopping =
		time_sum(kind->known.stopping, (uint64_t)stop->stopping);
	kind->known.total = time_sum(kind->known.total, (uint64_t)stop->total);
	kind->known.max = greatest_of(kind->known.max, stop->stopping);
	return add_value(stops, kind, stop->stopping);
}

/* ------------------------------------------------------------------ kept -- */

static int by_number(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* The longest first. */
static int by_length(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;

	if (x->stopping != y->stopping)
		return x->stopping > y->stopping ? -1 : 1;
	return by_number(a, b);
}

static int by_bounds(const void *a, const void *b)
{
	const struct stop *x = a, *y = b;

	if (x->stopping_min != y->stopping_min)
		return x->stopping_min > y->stopping_min ? -1 : 1;
	if (x->stopping_max != y->stopping_max)
		return x->stopping_max > y->stopping_max ? -1 : 1;
	return by_number(a, b);
}

/* Replaces ARRAY, of items of SIZE, by a copy. False: there is no memory. */
static bool own(struct array *array, size_t size,
		const struct gtrace_allocator *memory)
{
	size_t count = array->count;
	const void *items = array->items;

	*array = (struct array){0};
	if (count == 0)
		return true;
	array->items = gti_allocate(memory, count * size);
	if (array->items == NULL)
		return false;
	memcpy(array->items, items, count * size);
	array->count = array->capacity = count;
	return true;
}

static void free_late(struct stop *stop, const struct gtrace_allocator *memory)
{
	gti_array_free(&stop->late, sizeof(struct late), memory);
	gti_array_free(&stop->samples, sizeof(struct stop_moment), memory);
}

/* Keeps STOP, with its own arrays, if it is among the first of LIST. */
static void keep(struct stops *stops, struct top *list, const struct stop *stop)
{
	struct stop *place =
		gti_top_find(list, stop, stops->memory, &stops->failed);
	bool good;

	if (place == NULL)
		return;
	if (top_is_full(list))
		free_late(place, stops->memory);
	*place = *stop;
	good = own(&place->late, sizeof(struct late), stops->memory);
	good &= own(&place->samples, sizeof(struct stop_moment), stops->memory);
	stops->failed |= !good;
	gti_top_place(list);
}

/* The list that STOP belongs to. */
static struct top *list_of(struct stops *stops, const struct stop *stop)
{
	if (stop->inferred)
		return &stops->longest_inferred;
	return stop->measured ? &stops->longest : &stops->first_unmeasured;
}

/* Whether the report covers STOP. */
static bool is_wanted(struct stops *stops, const struct stop *stop)
{
	bool passes =
		stops->filter == NULL || gti_filter_stop(stops->filter, stop);

	if (stops->filter != NULL && stops->filter->failed)
		stops->failed = true;
	return passes && !stops->failed;
}

void gti_stops_count(struct stops *stops, struct stop *stop)
{
	stop->late = stops->late;
	stop->samples = stops->sampled;
	if (!is_wanted(stops, stop))
		return;
	stops->inferred += stop->inferred;
	stops->measured += stop->measured;
	stops->unmeasured += !stop->inferred && !stop->measured;
	if (stops->holders != NULL && stop->measured)
		gti_holders_add(stops->holders, stop);
	if (!stop->inferred && !add_to_kind(stops, stop))
		stops->failed = true;
	else if (stops->each != NULL)
		stops->each(stops->context, stop);
	else
		keep(stops, list_of(stops, stop), stop);
}

/* ------------------------------------------------------------------ init -- */

static struct top list_by(const struct stops *stops, compare_function *compare)
{
	return (struct top){.wanted = stops->wanted,
			    .size = sizeof(struct stop),
			    .compare = compare};
}

void gti_stops_init_results(struct stops *stops)
{
	stops->step = 1;
	gti_texts_init(&stops->kind_texts, stops->memory);
	stops->longest = list_by(stops, by_length);
	stops->longest_inferred = list_by(stops, by_bounds);
	stops->first_unmeasured = list_by(stops, by_number);
}

static void free_list(const struct stops *stops, struct top *list)
{
	struct stop *items = list->kept.items;
	size_t i;

	for (i = 0; i < list->kept.count; i++)
		free_late(&items[i], stops->memory);
	top_free(list, stops->memory);
}

void gti_stops_free_results(struct stops *stops)
{
	size_t i;

	for (i = 0; i < stops->kinds.count; i++)
		gti_array_free(&kind_at(stops, (uint32_t)i)->values,
			       sizeof(int64_t), stops->memory);
	gti_array_free(&stops->kinds, sizeof(struct stop_kind), stops->memory);
	gti_texts_free(&stops->kind_texts);
	free_list(stops, &stops->longest);
	free_list(stops, &stops->longest_inferred);
	free_list(stops, &stops->first_unmeasured);
}
