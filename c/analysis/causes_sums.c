/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_sums.c - what stacks are, and the sums by place and row. */
#include "analysis/causes_parts.h"

#include <string.h>

#include "base/array.h"

/* ----------------------------------------------------- stacks and kinds -- */

struct cause_stack gti_causes_look_at(struct causes *causes, uint32_t stack)
{
	static const struct cause_stack none = {.own = 0};
	struct cause_stack *known;

	if (stack == NO_STACK)
		return none;
	known = array_grown(&causes->stacks, stack, &none, sizeof(none),
			    causes->memory);
	if (known == NULL) {
		causes->failed = true;
		return none;
	}
	if (!known->known)
		causes->look(causes->context, stack, known);
	known->known = true;
	return *known;
}

static enum cause_root look_at_root(struct causes *causes, uint32_t root)
{
	static const uint8_t unknown = ROOT_UNKNOWN;
	uint8_t *known;

	if (root == 0)
		return ROOT_COUNTS;
	known = array_grown(&causes->roots, root, &unknown, sizeof(unknown),
			    causes->memory);
	if (known == NULL) {
		causes->failed = true;
		return ROOT_COUNTS;
	}
	if (UNLIKELY(*known == ROOT_UNKNOWN))
		*known = (uint8_t)causes->root(causes->context, root);
	return (enum cause_root) * known;
}

bool gti_causes_count(struct causes *causes, uint32_t root, uint32_t stack)
{
	enum cause_root kind = look_at_root(causes, root);
	struct cause_stack look = causes_look(causes, stack);

	return !look.tracer &&
	       (kind == ROOT_COUNTS || (kind == ROOT_IF_YOURS && look.yours));
}

/* ------------------------------------------------------------------ sums -- */

/* Where what has the KEY is among those that were looked up lately. */
static inline size_t recent_place(uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - CAUSES_RECENT_BITS));
}

static uint32_t put(struct causes *causes, struct texts *texts, const void *key,
		    size_t size)
{
	uint32_t number = gti_texts_put(texts, key, size);

	causes->failed |= number == NO_TEXT;
	return number;
}

/*
 * put() of KEY, which consists of words of 32 bits: first looks among RECENT,
 * those that were looked up lately.
 */
static ALWAYS_INLINE uint32_t put_lately(struct causes *causes,
					 struct texts *texts, uint32_t *recent,
					 const void *key, size_t size)
{
	uint64_t hash = 0;
	uint32_t word;
	size_t i;

	for (i = 0; i < size; i += sizeof(word)) {
		memcpy(&word, (const char *)key + i, sizeof(word));
		hash = hash * 31 + word;
	}
	recent += recent_place(hash);
	if (*recent == 0 ||
	    memcmp(texts_at(texts, *recent - 1).data, key, size) != 0)
		*recent = put(causes, texts, key, size) + 1;
	return *recent - 1;
}

/* The first spot of the ground of SPOT, which has NUMBER. */
static uint32_t find_first(struct causes *causes, const struct cause_spot *spot,
			   uint32_t number)
{
	const struct cause_stack look = causes_look(causes, spot->stack);
	const struct cause_ground ground = {spot->root, look.own, look.depth,
					    spot->kind};
	uint32_t at = put(causes, &causes->grounds, &ground, sizeof(ground));

	if (causes->failed)
		return number;
	if (at < causes->firsts.count)
		return ((const uint32_t *)causes->firsts.items)[at];
	if (array_add(&causes->firsts, &number, sizeof(number),
		      causes->memory) == NULL)
		causes->failed = true;
	return number;
}

/* Sets the ways that lead to SPOT, of WAITS. */
static void find_wrappers(struct causes *causes, const struct cause_spot *spot,
			  struct cause_waits *waits)
{
	static const struct cause_wrapper none = {.next = 0};
	const struct cause_stack look = causes_look(causes, spot->stack);
	struct cause_way way = {.root = spot->root};
	uint32_t number;
	size_t i;

	for (i = 0; i < CAUSE_WRAPPERS && !causes->failed; i++) {
		number = put(causes, &causes->ways, &way, sizeof(way));
		if (!causes->failed &&
		    array_grown(&causes->wrappers, number, &none, sizeof(none),
				causes->memory) == NULL)
			causes->failed = true;
		waits->wrappers[i] = number + 1;
		if (look.next[i] == 0)
			break;
		if (i + 1 < CAUSE_WRAPPERS)
			way.next[i] = look.next[i];
	}
}

/* SPOT is new, and has NUMBER. */
static NOINLINE void add_spot(struct causes *causes,
			      const struct cause_spot *spot, uint32_t number)
{
	struct cause_waits waits = {
		.first = find_first(causes, spot, number),
		.depth = causes_look(causes, spot->stack).depth,
		.waits = gti_causes_waits(causes, spot),
	};

	find_wrappers(causes, spot, &waits);
	if (array_add(&causes->waits, &waits, sizeof(waits), causes->memory) ==
	    NULL)
		causes->failed = true;
}

uint32_t gti_causes_spot(struct causes *causes, uint32_t root, uint32_t stack,
			 unsigned kind)
{
	const struct cause_spot spot = {root, stack, kind};
	uint32_t number = put_lately(causes, &causes->spots,
				     causes->recent_spots, &spot, sizeof(spot));

	if (UNLIKELY(number >= causes->waits.count) && !causes->failed)
		add_spot(causes, &spot, number);
	return number;
}

uint32_t gti_causes_place(struct causes *causes,
			  const struct cause_place *place)
{
	return put_lately(causes, &causes->places, causes->recent_places, place,
			  sizeof(*place));
}

static uint32_t find_row(struct causes *causes, const struct cause_row *row)
{
	return put_lately(causes, &causes->rows, causes->recent_rows, row,
			  sizeof(*row));
}

/* The number, plus one, of the sum with KEY; 0: there is no memory. */
static uint64_t find_number(struct causes *causes, uint64_t key)
{
	const struct cause_total sum = {
		.place = (uint32_t)(key >> 32),
		.row = (uint32_t)key,
		.worst = -1,
	};
	uint64_t *number = gti_map_put(&causes->by_key, key, causes->memory);

	causes->failed |= number == NULL;
	if (causes->failed)
		return 0;
	if (*number == 0) {
		if (array_add(&causes->sums, &sum, sizeof(sum),
			      causes->memory) == NULL) {
			causes->failed = true;
			return 0;
		}
		*number = causes->sums.count;
	}
	return *number;
}

/* The sum with NUMBER, plus one; NULL: it is 0. */
static struct cause_total *sum_at(const struct causes *causes, uint64_t number)
{
	return number != 0
		       ? (struct cause_total *)causes->sums.items + (number - 1)
		       : NULL;
}

/* The sum of PLACE and ROW, numbers. NULL: there is no memory. */
static struct cause_total *find_sum(struct causes *causes, uint32_t place,
				    uint32_t row)
{
	uint64_t key = (uint64_t)place << 32 | row;
	uint64_t *recent = &causes->recent_sums[recent_place(key)];
	struct cause_total *sum = sum_at(causes, *recent);

	if (LIKELY(sum != NULL && sum->place == place && sum->row == row))
		return sum;
	*recent = find_number(causes, key);
	return sum_at(causes, *recent);
}

void gti_causes_count_in(struct cause_total *total, uint64_t times,
			 int64_t start, int64_t length, uint64_t g)
{
	total->count += times;
	total->sum = (int64_t)((uint64_t)total->sum + (uint64_t)length * times);
	if (length <= total->worst)
		return;
	total->worst = length;
	total->worst_start = start;
	total->worst_g = g;
}

void gti_causes_add(struct causes *causes, uint32_t place,
		    const struct cause_row *row, uint64_t times, int64_t start,
		    int64_t length, uint64_t g)
{
	struct cause_total *sum =
		find_sum(causes, place, find_row(causes, row));

	if (sum != NULL)
		gti_causes_count_in(sum, times, start, length, g);
}
