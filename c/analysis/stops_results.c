/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_results.c - what is kept of the stops of the world: the first N of
 * each list, and sums and values of each kind.
 */
#include <string.h>

#include "analysis/holders.h"
#include "analysis/stops.h"
#include "base/sort.h"

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

static bool is_text(const struct stop_kind *kind, const char *text, size_t size)
{
	return kind->size == size &&
	       (size == 0 || memcmp(kind->text, text, size) == 0);
}

bool gti_stops_set_kind(struct stops *stops, struct stop *stop,
			const char *text, size_t size)
{
	uint64_t hash = gti_hash_text(text, size, stops->secret);
	struct stop_kind *kind;
	uint64_t *number;

	/* Kinds whose texts have the same hash have places in a row. */
	for (;; hash++) {
		number = gti_map_put(&stops->kind_numbers, hash, stops->memory);
		if (number == NULL)
			return false;
		if (*number == 0)
			break;
		stop->kind = (uint32_t)(*number - 1);
		if (is_text(kind_at(stops, stop->kind), text, size))
			return true;
	}
	if (stops->kinds.count >= STOP_KIND_NONE - 1 ||
	    !gti_array_reserve(&stops->kinds, sizeof(*kind), stops->memory))
		return false;
	stop->kind = (uint32_t)stops->kinds.count++;
	*number = stops->kinds.count;
	kind = kind_at(stops, stop->kind);
	*kind = (struct stop_kind){.text = text, .size = size, .max = -1};
	return true;
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
	if ((kind->measured - 1) % stops->step != 0)
		return true;
	if (stops->values >= VALUES_MAX && stops->step < STEP_MAX) {
		thin_out(stops);
		if ((kind->measured - 1) % stops->step != 0)
			return true;
	}
	if (!gti_array_reserve(&kind->values, sizeof(value), stops->memory))
		return false;
	((int64_t *)kind->values.items)[kind->values.count++] = value;
	stops->values++;
	return true;
}

static bool add_to_kind(struct stops *stops, const struct stop *stop)
{
	struct stop_kind *kind = kind_at(stops, stop->kind);

	kind->stops++;
	if (stop->stopped != TIME_NONE)
		kind->stopped += (uint64_t)stop->stopped;
	if (!stop->measured)
		return true;
	kind->measured++;
	kind->stopped_measured += (uint64_t)stop->stopped;
	kind->stopping += (uint64_t)stop->stopping;
	kind->total += (uint64_t)stop->total;
	if (kind->measured == 1 || stop->stopping > kind->max)
		kind->max = stop->stopping;
	return add_value(stops, kind, stop->stopping);
}

static int compare_values(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

bool gti_stops_quantiles(struct stops *stops, const struct stop_kind *kinds,
			 size_t count, int64_t *median, int64_t *p99)
{
	size_t total = 0, at = 0, i;
	int64_t *values;

	for (i = 0; i < count; i++)
		total += kinds[i].values.count;
	values = gti_allocate(stops->memory, total * sizeof(*values));
	if (values == NULL)
		return false;
	for (i = 0; i < count; i++) {
		if (kinds[i].values.count != 0)
			memcpy(values + at, kinds[i].values.items,
			       kinds[i].values.count * sizeof(*values));
		at += kinds[i].values.count;
	}
	gti_sort(values, total, sizeof(*values), compare_values);
	/* Nearest ranks, counted from 0. */
	*median = values[(total + 1) / 2 - 1];
	*p99 = values[(99 * total + 99) / 100 - 1];
	gti_release(stops->memory, values, total * sizeof(*values));
	return true;
}

/* ------------------------------------------------------------------ kept -- */

static bool takes_longer(const void *first, const void *second)
{
	const struct stop *a = first, *b = second;

	if (a->stopping != b->stopping)
		return a->stopping > b->stopping;
	return a->number < b->number;
}

static bool may_take_longer(const void *first, const void *second)
{
	const struct stop *a = first, *b = second;

	if (a->stopping_min != b->stopping_min)
		return a->stopping_min > b->stopping_min;
	if (a->stopping_max != b->stopping_max)
		return a->stopping_max > b->stopping_max;
	return a->number < b->number;
}

static bool is_earlier(const void *first, const void *second)
{
	const struct stop *a = first, *b = second;

	return a->number < b->number;
}

void gti_stops_sort(struct kept_stops *kept)
{
	gti_firsts_sort(kept->heap.items, kept->heap.count, sizeof(struct stop),
			kept->before);
}

static void free_late(const struct stops *stops, struct stop *stop)
{
	gti_release(stops->memory, stop->late,
		    stop->late_count * sizeof(*stop->late));
}

/* Gives STOP its own copy of the late processors. */
static bool own_late(const struct stops *stops, struct stop *stop)
{
	size_t size = stops->late.count * sizeof(*stop->late);

	stop->late = NULL;
	stop->late_count = 0;
	if (size == 0)
		return true;
	stop->late = gti_allocate(stops->memory, size);
	if (stop->late == NULL)
		return false;
	memcpy(stop->late, stops->late.items, size);
	stop->late_count = stops->late.count;
	return true;
}

/* Keeps STOP if it is among the first N. */
static bool keep(struct stops *stops, struct kept_stops *kept,
		 struct stop *stop)
{
	struct stop *heap = kept->heap.items;

	if (stops->wanted == 0)
		return true;
	if (kept->heap.count == stops->wanted) {
		if (!kept->before(stop, &heap[0]))
			return true;
		if (!own_late(stops, stop))
			return false;
		free_late(stops, &heap[0]);
		heap[0] = *stop;
		gti_firsts_replaced(heap, kept->heap.count, sizeof(*heap),
				    kept->before);
		return true;
	}
	if (!gti_array_reserve(&kept->heap, sizeof(*stop), stops->memory) ||
	    !own_late(stops, stop))
		return false;
	heap = kept->heap.items;
	heap[kept->heap.count++] = *stop;
	gti_firsts_added(heap, kept->heap.count, sizeof(*heap), kept->before);
	return true;
}

/* The list that STOP belongs to. */
static struct kept_stops *list_of(struct stops *stops, const struct stop *stop)
{
	struct kept_stops *list = &stops->first_unmeasured;

	list->before = is_earlier;
	if (stop->inferred) {
		list = &stops->longest_inferred;
		list->before = may_take_longer;
	} else if (stop->measured) {
		list = &stops->longest;
		list->before = takes_longer;
	}
	return list;
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
	stop->late = stops->late.items;
	stop->late_count = stops->late.count;
	if (!is_wanted(stops, stop))
		return;
	stops->inferred += stop->inferred;
	stops->measured += stop->measured;
	stops->unmeasured += !stop->inferred && !stop->measured;
	if (stops->holders != NULL && stop->measured)
		gti_holders_add(stops->holders, stop, stops->late.items,
				stops->late.count);
	if (!stop->inferred && !add_to_kind(stops, stop)) {
		stops->failed = true;
	} else if (stops->each != NULL) {
		stops->ended = !stops->each(stops->each_context, stop);
	} else if (!keep(stops, list_of(stops, stop), stop)) {
		stops->failed = true;
	}
}

/* ------------------------------------------------------------------ free -- */

static void free_kept(const struct stops *stops, struct kept_stops *kept)
{
	struct stop *items = kept->heap.items;
	size_t i;

	for (i = 0; i < kept->heap.count; i++)
		free_late(stops, &items[i]);
	gti_array_free(&kept->heap, sizeof(*items), stops->memory);
}

void gti_stops_free_results(struct stops *stops)
{
	size_t i;

	for (i = 0; i < stops->kinds.count; i++)
		gti_array_free(&kind_at(stops, (uint32_t)i)->values,
			       sizeof(int64_t), stops->memory);
	gti_array_free(&stops->kinds, sizeof(struct stop_kind), stops->memory);
	gti_map_free(&stops->kind_numbers, stops->memory);
	free_kept(stops, &stops->longest);
	free_kept(stops, &stops->longest_inferred);
	free_kept(stops, &stops->first_unmeasured);
}
