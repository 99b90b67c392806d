/* SPDX-License-Identifier: BSD-3-Clause */
/* judged_leaks.c - goroutines that are blocked for ever, more and more. */
#include "analysis/causes_parts.h"
#include "analysis/judged.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"

#define LEAK_LEAST    10
#define LEAK_ENDED    10 /* times as many are not over as are */
#define LEAK_QUARTERS 3

/* Where a kind of goroutines is blocked in a function, a kind of blocks. */
struct leak_key {            /* bytes are compared: there is no padding */
	uint32_t goroutines; /* their kind */
	uint32_t own;
	uint32_t kind;
};
struct leak_place {
	uint32_t spot;  /* the first one there */
	uint64_t ended; /* blocks that are over */
};

/* Places have numbers. */
struct leaks {
	struct texts keys;
	struct array places; /* struct leak_place, by number */
	struct array spots;  /* uint32_t: places, by number of the spot */
};

static const struct leak_place *place_at(const struct leaks *leaks,
					 uint32_t number)
{
	return (const struct leak_place *)leaks->places.items + number;
}

/* Whether the COUNT blocks at OPEN, of one place, are a leak. Sets LEAK. */
static bool find_leak(const struct judged *judged,
		      const struct leak_place *place,
		      const struct cause_open *open, size_t count,
		      struct judged_leak *leak)
{
	const struct causes *causes = judged->causes;
	unsigned kind = causes_spot(causes, place->spot)->kind;
	int64_t quarter = judged->length / 4;
	uint64_t quarters[4] = {0};
	size_t i;

	*leak = (struct judged_leak){.spot = place->spot};
	if (kind == GTRACE_BLOCK_NETWORK || kind == GTRACE_BLOCK_SLEEP)
		return false;
	for (i = 0; i < count; i++) {
		int64_t after = ns_between(causes->first, open[i].since);

		if (after <= 0)
			continue; /* it began before the trace */
		leak->count++;
		leak->sum = add_ns(leak->sum,
				   ns_between(open[i].since, causes->last));
		quarters[quarter == 0           ? 0
			 : after / quarter >= 3 ? 3
						: after / quarter]++;
	}
	for (i = 0; i < LEAK_QUARTERS; i++)
		if (quarters[i] == 0)
			return false;
	return leak->count >= LEAK_LEAST &&
	       place->ended <= leak->count / LEAK_ENDED;
}

/* Counts the blocks at the spot NUMBER that are over in its place. */
static void add_spot(struct judged *judged, struct leaks *leaks,
		     uint32_t number)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *spot = causes_spot(causes, number);
	const struct leak_key key = {judged_spot(judged, number).kind,
				     causes_look(causes, spot->stack).own,
				     spot->kind};
	const struct leak_place none = {.spot = number};
	uint32_t at = gti_texts_put(&leaks->keys, &key, sizeof(key));
	struct leak_place *place = NULL;

	if (at != NO_TEXT)
		place = array_grown(&leaks->places, at, &none, sizeof(none),
				    causes->memory);
	if (place == NULL ||
	    array_add(&leaks->spots, &at, sizeof(at), causes->memory) == NULL) {
		judged->failed = true;
		return;
	}
	/* Of a ground it is the first spot that has the count. */
	place->ended += causes_spot_waits(causes, number)->count;
}

static int by_place(const void *a, const void *b)
{
	const struct cause_open *x = a, *y = b;

	if (x->spot != y->spot)
		return x->spot < y->spot ? -1 : 1;
	return (x->since > y->since) - (x->since < y->since);
}

/* Adds the leaks among the COUNT blocks at OPEN, which are put in order. */
static void find_leaks(struct judged *judged, const struct leaks *leaks,
		       struct cause_open *open, size_t count)
{
	const uint32_t *places = leaks->spots.items;
	struct judged_leak leak;
	size_t i, end;

	for (i = 0; i < count; i++)
		open[i].spot = places[open[i].spot];
	if (count > 1)
		gti_sort(open, count, sizeof(*open), by_place);
	for (i = 0; i < count; i = end) {
		for (end = i + 1; end < count; end++)
			if (open[end].spot != open[i].spot)
				break;
		if (find_leak(judged, place_at(leaks, open[i].spot), open + i,
			      end - i, &leak) &&
		    array_add(&judged->leaks, &leak, sizeof(leak),
			      judged->causes->memory) == NULL)
			judged->failed = true;
	}
}

void gti_judge_leaks(struct judged *judged)
{
	const struct array *open = &judged->causes->open;
	const struct gtrace_allocator *memory = judged->causes->memory;
	struct leaks leaks = {.places = {.count = 0}, .spots = {.count = 0}};
	uint32_t i;

	gti_texts_init(&leaks.keys, memory);
	for (i = 0; i < judged->spots.count && !judged->failed; i++)
		add_spot(judged, &leaks, i);
	if (!judged->failed)
		find_leaks(judged, &leaks, open->items, open->count);
	gti_texts_free(&leaks.keys);
	gti_array_free(&leaks.places, sizeof(struct leak_place), memory);
	gti_array_free(&leaks.spots, sizeof(uint32_t), memory);
}
