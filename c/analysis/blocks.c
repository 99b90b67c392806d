/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - where goroutines were blocked, and who ended it. */
#include "analysis/blocks.h"

#include <string.h>

#include "analysis/lengths.h"
#include "base/sort.h"

/* In the key of a tally: it is of a class of lengths. */
#define IS_CLASS ((uint64_t)1 << 31)

/* A class consists of so many of lengths.h, as a power of two. */
#define CLASS_SHIFT 2

#define NO_NAME UINT32_MAX

bool gti_blocks_init(struct blocks *blocks, const struct clock *clock,
		     const struct gtrace_allocator *memory)
{
	*blocks = (struct blocks){
		.memory = memory, .clock = clock, .origin = INT64_MIN};
	return gti_numbers_init(&blocks->by_key, memory) &&
	       gti_numbers_init(&blocks->by_handle, memory);
}

void gti_blocks_free(struct blocks *blocks)
{
	const struct gtrace_allocator *memory = blocks->memory;

	if (memory == NULL)
		return;
	gti_array_free(&blocks->places, sizeof(struct block_place), memory);
	gti_array_free(&blocks->tallies, sizeof(struct block_tally), memory);
	gti_array_free(&blocks->sites, sizeof(struct block_site), memory);
	gti_array_free(&blocks->forever, sizeof(struct block_forever), memory);
	gti_numbers_free(&blocks->by_key);
	gti_numbers_free(&blocks->by_handle);
	blocks->memory = NULL;
}

void gti_blocks_forget_stacks(struct blocks *blocks)
{
	blocks->sites.count = 0;
	gti_numbers_empty(&blocks->by_handle);
}

void gti_blocks_restart(struct blocks *blocks)
{
	gti_blocks_forget_stacks(blocks);
	gti_numbers_empty(&blocks->by_key);
	blocks->places.count = 0;
	blocks->tallies.count = 0;
	blocks->forever.count = 0;
	blocks->origin = INT64_MIN;
	blocks->failed = false;
}

/* ----------------------------------------------------------------- names -- */

static struct block_site *site_at(const struct blocks *blocks, size_t number)
{
	return (struct block_site *)blocks->sites.items + number;
}

static uint64_t key_of_handle(const struct blocks *blocks,
			      const struct block_site *site)
{
	return site->stack +
	       (site->reason * (4 * EVENT_TYPES) + site->what) *
		       blocks->by_handle.secret;
}

static uint64_t key_of_site(const void *context, uint32_t number)
{
	const struct blocks *blocks = context;

	return key_of_handle(blocks, site_at(blocks, number));
}

static bool is_same(const struct block_site *a, const struct block_site *b)
{
	return a->stack == b->stack && a->reason == b->reason &&
	       a->what == b->what;
}

/* Makes PLACE, a new name, the last place. */
static bool add_place(struct blocks *blocks, uint32_t place)
{
	struct array *places = &blocks->places;

	while (places->count <= place) {
		if (!gti_array_reserve(places, sizeof(struct block_place),
				       blocks->memory))
			return false;
		*blocks_place(blocks, places->count++) =
			(struct block_place){.max = -1};
	}
	return true;
}

/* Adds SITE, of EVENT, at the free PLACE of the table. */
static uint32_t add_site(struct blocks *blocks, struct block_site *site,
			 const struct block_event *event, uint32_t place)
{
	site->name = blocks->name(blocks->context, event);
	if (site->name == NO_NAME || !add_place(blocks, site->name) ||
	    !gti_array_reserve(&blocks->sites, sizeof(*site), blocks->memory) ||
	    !numbers_add(&blocks->by_handle, key_of_handle(blocks, site), place,
			 key_of_site, blocks)) {
		blocks->failed = true;
		return 0;
	}
	*site_at(blocks, blocks->sites.count) = *site;
	return (uint32_t)blocks->sites.count++;
}

/* The number of SITE, which is that of EVENT. */
static uint32_t find_site(struct blocks *blocks, struct block_site *site,
			  const struct block_event *event)
{
	const struct numbers *numbers = &blocks->by_handle;
	uint32_t at = numbers_place(numbers, key_of_handle(blocks, site));
	uint32_t number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at))
		if (is_same(site_at(blocks, number - 1), site))
			return number - 1;
	return add_site(blocks, site, event, at);
}

/* The name of EVENT. NO_NAME: there is no memory. */
static uint32_t name_of(struct blocks *blocks, const struct block_event *event)
{
	struct block_site site = {
		.stack = event->stack,
		.reason = event->reason,
		.what = event->type * 4 + event->call * 2u + event->ends,
	};
	uint32_t *recent =
		&blocks->recent[(site.stack ^ site.what) % BLOCK_RECENT];

	if (blocks->failed)
		return NO_NAME;
	if (*recent >= blocks->sites.count ||
	    !is_same(site_at(blocks, *recent), &site))
		*recent = find_site(blocks, &site, event);
	return blocks->failed ? NO_NAME : site_at(blocks, *recent)->name;
}

/* --------------------------------------------------------------- tallies -- */

static struct block_tally *tally_at(const struct blocks *blocks, size_t number)
{
	return (struct block_tally *)blocks->tallies.items + number;
}

static uint64_t key_of_tally(const void *context, uint32_t number)
{
	return tally_at(context, number)->key;
}

/* The number of the tally with KEY, new if there is none. */
static uint32_t find_tally(struct blocks *blocks, uint64_t key)
{
	const struct numbers *numbers = &blocks->by_key;
	uint32_t at = numbers_place(numbers, key), number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at))
		if (tally_at(blocks, number - 1)->key == key)
			return number - 1;
	if (!gti_array_reserve(&blocks->tallies, sizeof(struct block_tally),
			       blocks->memory) ||
	    !numbers_add(&blocks->by_key, key, at, key_of_tally, blocks)) {
		blocks->failed = true;
		return 0;
	}
	*tally_at(blocks, blocks->tallies.count) =
		(struct block_tally){.key = key};
	return (uint32_t)blocks->tallies.count++;
}

/* Adds LENGTH to the tally with KEY. */
static void add_up(struct blocks *blocks, uint64_t key, uint64_t length)
{
	uint32_t *near = &blocks->recent_tallies[(key ^ key >> 26) %
						 BLOCK_RECENT_TALLIES];
	struct block_tally *tally;

	if (*near >= blocks->tallies.count ||
	    tally_at(blocks, *near)->key != key)
		*near = find_tally(blocks, key);
	if (blocks->failed)
		return;
	tally = tally_at(blocks, *near);
	tally->count++;
	tally->sum += length;
}

/* ---------------------------------------------------------------- blocks -- */

static void set(struct blocks *blocks, struct block *block,
		const struct block_event *event, int64_t since, bool before)
{
	*block = (struct block){
		.since = since,
		.place = name_of(blocks, event) + 1, /* 0: no memory */
		.before = before,
	};
}

void gti_blocks_begin(struct blocks *blocks, struct block *block,
		      struct block_event event)
{
	set(blocks, block, &event, event.ticks, false);
}

void gti_blocks_begin_before(struct blocks *blocks, struct block *block,
			     struct block_event event)
{
	set(blocks, block, &event,
	    blocks->origin != INT64_MIN ? blocks->origin : event.ticks, true);
}

void gti_blocks_forever(struct blocks *blocks, uint64_t g,
			struct block_event event)
{
	struct array *forever = &blocks->forever;
	struct block_forever *added;

	if (!gti_array_reserve(forever, sizeof(*added), blocks->memory)) {
		blocks->failed = true;
		return;
	}
	added = (struct block_forever *)forever->items + forever->count++;
	added->g = g;
	gti_blocks_begin(blocks, &added->block, event);
}

/* The time from one to another, in nanoseconds; in damaged traces 0. */
static uint64_t between(const struct blocks *blocks, int64_t from, int64_t to)
{
	const struct clock *clock = blocks->clock;

	if (to <= from)
		return 0;
	return (uint64_t)clock_ns(clock, to) - (uint64_t)clock_ns(clock, from);
}

/* BLOCK, of LENGTH and goroutine G, may be the longest one at PLACE. */
static void keep_longest(struct block_place *place, const struct block *block,
			 int64_t length, uint64_t g)
{
	if (length < place->max)
		return;
	if (length == place->max &&
	    (block->since > place->max_since ||
	     (block->since == place->max_since && g >= place->max_g)))
		return;
	place->max = length;
	place->max_since = block->since;
	place->max_g = g;
}

/* BLOCK of G ends at TICKS, by the name BY; NO_NAME: by no goroutine. */
static void end(struct blocks *blocks, struct block *block, uint64_t g,
		int64_t ticks, uint32_t by)
{
	uint64_t name = block->place - 1;
	uint64_t length = between(blocks, block->since, ticks);
	struct block_place *place = blocks_place(blocks, (size_t)name);

	place->count++;
	place->sum += length;
	if (block->lost != 0)
		place->lost += between(blocks, block->lost, ticks);
	place->before += block->before;
	place->open += by == BLOCK_OPEN && !block->before;
	keep_longest(place, block, (int64_t)length, g);
	if (by != NO_NAME)
		add_up(blocks, name << 32 | by, length);
	add_up(blocks,
	       name << 32 | IS_CLASS | lengths_class(length) >> CLASS_SHIFT,
	       length);
	block->place = 0;
}

void gti_blocks_end(struct blocks *blocks, struct block *block, uint64_t g,
		    struct block_event event, bool by_goroutine)
{
	uint32_t by = NO_NAME;

	if (block->place == 0)
		return;
	if (by_goroutine)
		by = name_of(blocks, &event);
	if (!blocks->failed)
		end(blocks, block, g, event.ticks, by);
}

void gti_blocks_open(struct blocks *blocks, struct block *block, uint64_t g,
		     int64_t ticks)
{
	if (block->place != 0 && !blocks->failed)
		end(blocks, block, g, ticks, BLOCK_OPEN);
}

/* --------------------------------------------------------------- results -- */

static int compare_keys(const void *a, const void *b)
{
	const struct block_tally *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void gti_blocks_finish(struct blocks *blocks, int64_t ticks)
{
	struct block_forever *forever = blocks->forever.items;
	size_t count, i;

	for (i = 0; i < blocks->forever.count; i++)
		gti_blocks_open(blocks, &forever[i].block, forever[i].g, ticks);
	count = blocks->tallies.count;
	if (count > 1)
		gti_sort(blocks->tallies.items, count,
			 sizeof(struct block_tally), compare_keys);
	for (i = count; i-- > 0;)
		blocks_place(blocks, tally_at(blocks, i)->key >> 32)->first = i;
}

const struct block_tally *gti_blocks_ended_by(const struct blocks *blocks,
					      size_t place, size_t number)
{
	size_t at = blocks_place(blocks, place)->first + number;
	const struct block_tally *tally = tally_at(blocks, at);

	if (at >= blocks->tallies.count || tally->key >> 32 != place ||
	    (tally->key & IS_CLASS) != 0)
		return NULL;
	return tally;
}

int64_t gti_blocks_quantile(const struct blocks *blocks, size_t place,
			    unsigned permille)
{
	const struct block_place *of = blocks_place(blocks, place);
	uint64_t rank = lengths_rank(of->count, permille), seen = 0;
	const struct block_tally *tally = tally_at(blocks, of->first);
	int64_t length;

	if (rank == of->count)
		return of->max;
	for (;; tally++) {
		if ((tally->key & IS_CLASS) != 0)
			seen += tally->count;
		if (seen >= rank && seen != 0)
			break;
	}
	length = gti_lengths_middle(
		((tally->key & (IS_CLASS - 1)) << CLASS_SHIFT) +
		(1 << CLASS_SHIFT) / 2);
	return length < of->max ? length : of->max;
}
