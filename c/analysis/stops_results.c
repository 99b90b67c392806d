/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_results.c - what is kept of the stops of the world: the first N of
 * each list, and sums and values of each kind.
 */
#include <string.h>

#include "analysis/holders.h"
#include "analysis/stops.h"

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

bool gti_stops_set_kind(struct stops *stops, struct stop *stop,
			struct gtrace_string text)
{
	struct array *kinds = &stops->kinds;

	if (!gti_array_reserve(kinds, sizeof(struct stop_kind), stops->memory))
		return false;
	stop->kind = gti_texts_put(&stops->kind_texts, text.data, text.size);
	if (stop->kind == NO_TEXT)
		return false;
	if (stop->kind == kinds->count) {
		kinds->count++;
		*kind_at(stops, stop->kind) = (struct stop_kind){
			.text = texts_at(&stops->kind_texts, stop->kind),
			.max = -1,
		};
	}
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

static int by_value(const void *a, const void *b)
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
	gti_sort(values, total, sizeof(*values), by_value);
	/* Nearest ranks, counted from 0. */
	*median = values[(total + 1) / 2 - 1];
	*p99 = values[(99 * total + 99) / 100 - 1];
	gti_release(stops->memory, values, total * sizeof(*values));
	return true;
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

void gti_stops_sort(struct kept_stops *kept)
{
	gti_sort(kept->heap.items, kept->heap.count, sizeof(struct stop),
		 kept->compare);
}

static void free_late(const struct stops *stops, struct stop *stop)
{
	gti_release(stops->memory, stop->late,
		    stop->late_count * sizeof(*stop->late));
	gti_release(stops->memory, stop->samples,
		    stop->sample_count * sizeof(*stop->samples));
}

/* Sets *COPY to a copy of ARRAY, of items of SIZE; NULL if there are none. */
static bool own_array(const struct stops *stops, const struct array *array,
		      size_t size, void **copy)
{
	*copy = NULL;
	if (array->count == 0)
		return true;
	*copy = gti_allocate(stops->memory, array->count * size);
	if (*copy == NULL)
		return false;
	memcpy(*copy, array->items, array->count * size);
	return true;
}

/* Gives STOP its own copies of the late processors and their samples. */
static bool own_late(const struct stops *stops, struct stop *stop)
{
	void *late, *samples;

	if (!own_array(stops, &stops->late, sizeof(struct late), &late))
		return false;
	if (!own_array(stops, &stops->sampled, sizeof(struct stop_moment),
		       &samples)) {
		gti_release(stops->memory, late,
			    stops->late.count * sizeof(struct late));
		return false;
	}
	stop->late = late;
	stop->samples = samples;
	return true;
}

/* Keeps STOP if it is among the first N. */
static bool keep(struct stops *stops, struct kept_stops *kept,
		 struct stop *stop)
{
	struct stop *heap = kept->heap.items;
	size_t count = kept->heap.count;
	bool full = count == stops->wanted;

	if (full && (count == 0 || kept->compare(stop, heap) >= 0))
		return true;
	if ((!full &&
	     !gti_array_reserve(&kept->heap, sizeof(*stop), stops->memory)) ||
	    !own_late(stops, stop))
		return false;
	heap = kept->heap.items;
	if (full) {
		free_late(stops, heap);
		*heap = *stop;
		gti_heap_down(heap, count, sizeof(*heap), kept->compare);
	} else {
		heap[kept->heap.count++] = *stop;
		gti_heap_up(heap, count + 1, sizeof(*heap), kept->compare);
	}
	return true;
}

/* The list that STOP belongs to. */
static struct kept_stops *list_of(struct stops *stops, const struct stop *stop)
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
	stop->late = stops->late.items;
	stop->late_count = stops->late.count;
	stop->samples = stops->sampled.items;
	stop->sample_count = stops->sampled.count;
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

/* ------------------------------------------------------------------ init -- */

void gti_stops_init_results(struct stops *stops)
{
	stops->step = 1;
	gti_texts_init(&stops->kind_texts, stops->memory);
	stops->longest.compare = by_length;
	stops->longest_inferred.compare = by_bounds;
	stops->first_unmeasured.compare = by_number;
}

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
	gti_texts_free(&stops->kind_texts);
	free_kept(stops, &stops->longest);
	free_kept(stops, &stops->longest_inferred);
	free_kept(stops, &stops->first_unmeasured);
}
