/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - where goroutines were blocked, and who ended it. */
#include "analysis/blocks.h"

#include <string.h>

#include "analysis/filter.h"
#include "base/array.h"
#include "base/least.h"
#include "base/sort.h"

#define NO_NAME UINT32_MAX

void gti_blocks_init(struct blocks *blocks, const struct clock *clock,
		     const struct clock_changes *changes,
		     const struct gtrace_allocator *memory)
{
	*blocks = (struct blocks){
		.memory = memory,
		.clock = clock,
		.changes = changes,
		.lives.clock = clock,
		.origin = INT64_MIN,
		.clock_changed = INT64_MIN,
		.lives.clock_changed = INT64_MIN,
	};
	gti_texts_init(&blocks->handles, memory);
}

void gti_blocks_free(struct blocks *blocks)
{
	const struct gtrace_allocator *memory = blocks->memory;

	if (memory == NULL)
		return;
	gti_array_free(&blocks->places, sizeof(struct block_place), memory);
	gti_array_free(&blocks->tallies, sizeof(struct block_tally), memory);
	gti_rough_free(&blocks->lengths, memory);
	gti_array_free(&blocks->names, sizeof(uint32_t), memory);
	gti_array_free(&blocks->slots, sizeof(struct block), memory);
	gti_map_free(&blocks->by_key, memory);
	gti_texts_free(&blocks->handles);
	gti_lives_restart(&blocks->lives, memory);
	gti_requests_restart(&blocks->requests, memory);
	blocks->memory = NULL;
}

void gti_blocks_forget_stacks(struct blocks *blocks)
{
	blocks->names.count = 0;
	gti_texts_free(&blocks->handles);
	gti_texts_init(&blocks->handles, blocks->memory);
	memset(blocks->recent, 0, sizeof(blocks->recent));
}

void gti_blocks_restart(struct blocks *blocks)
{
	gti_blocks_forget_stacks(blocks);
	gti_map_free(&blocks->by_key, blocks->memory);
	blocks->places.count = 0;
	blocks->tallies.count = 0;
	gti_rough_clear(&blocks->lengths);
	memset(blocks->recent_keys, 0, sizeof(blocks->recent_keys));
	blocks->slots.count = 0;
	blocks->origin = INT64_MIN;
	blocks->clock_changed = blocks->lives.clock_changed = INT64_MIN;
	gti_lives_restart(&blocks->lives, blocks->memory);
	gti_requests_restart(&blocks->requests, blocks->memory);
	blocks->failed = false;
}

/* ----------------------------------------------------------------- names -- */

/* Makes PLACE, a new name, the last place. */
static bool add_place(struct blocks *blocks, uint32_t place)
{
	struct array *places = &blocks->places;
	struct block_place *added;

	while (places->count <= place) {
		if (!gti_array_reserve(places, sizeof(struct block_place),
				       blocks->memory))
			return false;
		added = blocks_place(blocks, places->count);
		*added = (struct block_place){.max_since = INT64_MAX};
		blocks->describe(blocks->context, (uint32_t)places->count,
				 added);
		places->count++;
	}
	return true;
}

/* The name of SITE, which is that of EVENT. NO_NAME: there is no memory. */
static uint32_t find_name(struct blocks *blocks, const struct block_site *site,
			  const struct block_event *event)
{
	struct array *names = &blocks->names;
	uint32_t number = gti_texts_put(&blocks->handles, site,
					offsetof(struct block_site, name));
	uint32_t name;

	if (number < names->count)
		return ((const uint32_t *)names->items)[number];
	if (number == NO_TEXT)
		return NO_NAME;
	name = blocks->name(blocks->context, event);
	if (name == NO_NAME || !add_place(blocks, name) ||
	    array_add(names, &name, sizeof(name), blocks->memory) == NULL)
		return NO_NAME;
	return name;
}

/* struct block_site, what */
static uint32_t what_of(const struct block_event *event)
{
	return event->type * 16 + event->subject * 4 + event->call * 2u +
	       event->ends;
}

/* Where the name of EVENT is kept, if it was looked up lately. */
static const struct block_site *site_of(const struct blocks *blocks,
					const struct block_event *event)
{
	return &blocks->recent[(event->stack + what_of(event) * 37) %
			       BLOCK_RECENT];
}

/* Whether SITE is that of EVENT. */
static bool is_at(const struct block_site *site,
		  const struct block_event *event)
{
	return site->stack == event->stack &&
	       LIKELY(site->what == what_of(event)) &&
	       LIKELY(site->reason == event->reason);
}

uint32_t gti_blocks_name(struct blocks *blocks, const struct block_event *event)
{
	size_t at = (size_t)(site_of(blocks, event) - blocks->recent);
	struct block_site site = {
		.stack = event->stack,
		.reason = event->reason,
		.what = what_of(event),
	};

	if (is_at(&blocks->recent[at], event))
		return blocks->recent[at].name;
	if (!blocks->failed)
		site.name = find_name(blocks, &site, event);
	blocks->failed |= site.name == NO_NAME;
	if (blocks->failed)
		return NO_NAME;
	site.kind = blocks_place(blocks, site.name)->kind;
	blocks->recent[at] = site;
	return site.name;
}

/* --------------------------------------------------------------- tallies -- */

static struct block_tally *tally_at(const struct blocks *blocks, size_t number)
{
	return (struct block_tally *)blocks->tallies.items + number;
}

/* Where the number of the tally with KEY is, once looked up. */
static struct block_recent *recent_of(struct blocks *blocks, uint64_t key)
{
	uint32_t place = (uint32_t)(key >> 32), by = (uint32_t)key;

	return &blocks->recent_keys[(place * 61 + by + (by >> 31) * 509) %
				    BLOCK_RECENT_KEYS];
}

/*
 * Looks KEY up, and adds a tally if there is none. Returns false if there is no
 * memory.
 */
static bool look_up(struct blocks *blocks, uint64_t key)
{
	const struct block_tally tally = {.key = key};
	uint64_t *number = gti_map_put(&blocks->by_key, key, blocks->memory);

	if (number != NULL && *number == 0 &&
	    array_add(&blocks->tallies, &tally, sizeof(tally),
		      blocks->memory) != NULL)
		*number = blocks->tallies.count;
	if (number == NULL || *number == 0) {
		blocks->failed = true;
		return false;
	}
	*recent_of(blocks, key) =
		(struct block_recent){key, (size_t)*number - 1};
	return true;
}

/* Adds LENGTH to the tally of PLACE and BY. */
static void add_to_tally(struct blocks *blocks, uint32_t place, uint64_t length,
			 uint32_t by)
{
	uint64_t key = ((uint64_t)place + 1) << 32 | by;
	const struct block_recent *recent = recent_of(blocks, key);
	struct block_tally *tally;

	if (UNLIKELY(recent->key != key) && !look_up(blocks, key))
		return;
	tally = (struct block_tally *)blocks->tallies.items + recent->number;
	tally->count++;
	tally->sum += length;
}

/* Adds a block at PLACE of LENGTH, which BY ended. */
static void add_length(struct blocks *blocks, uint32_t place, uint64_t length,
		       uint32_t by)
{
	struct block_place *at = blocks_place(blocks, place);

	if (UNLIKELY(length >= GTRACE_SLOW_NS)) {
		at->slow += length;
		at->slow_count++;
	}
	blocks_add_length_of(blocks, &at->lengths, at->count, at->sum - length,
			     length);
	if (by != BLOCK_BY_NONE)
		add_to_tally(blocks, place, length, by);
}

/* ----------------------------------------------------------------- lives -- */

void gti_blocks_life(struct blocks *blocks, struct block *block, uint64_t g)
{
	if (!gti_lives_begin(&blocks->lives, &block->life, g))
		blocks->failed = true;
}

void gti_blocks_root(struct blocks *blocks, struct block *block, uint64_t stack)
{
	const struct block_event event = {.stack = stack,
					  .subject = SUBJECT_ROOT};
	struct lived *lived = block->life.lived;

	if (stack == 0)
		return;
	if (lived != NULL && lived->root == 0)
		lived->root = gti_blocks_name(blocks, &event) + 1;
	if (blocks->filter != NULL && block->first == 0)
		block->first = gti_filter_place(blocks->filter, stack);
}

void gti_blocks_drop(struct blocks *blocks, struct block *block, int64_t ticks)
{
	struct lived *lived = block->life.lived;
	uint32_t *row = &blocks->lives.without_root;

	block->place = 0;
	block->first = 0;
	if (lived != NULL && lived->root != 0)
		row = &blocks_place(blocks, lived->root - 1)->row;
	if (lived != NULL && blocks->requests.wanted)
		gti_requests_leave(blocks, lived, ticks);
	if (!gti_lives_end(&blocks->lives, &block->life, row, ticks))
		blocks->failed = true;
}

/* ---------------------------------------------------------------- blocks -- */

static void set(struct blocks *blocks, struct block *block,
		const struct block_event *event, int64_t since, bool before)
{
	*block = (struct block){
		.since = since,
		.place = gti_blocks_name(blocks, event) + 1, /* 0: no memory */
		.before = before,
		.fits = blocks->filter == NULL
				? 0
				: gti_filter_place(blocks->filter,
						   event->stack),
		.first = block->first,
		.life = block->life,
	};
	if (block->place == 0 || event->keeps)
		return;
	lives_go_on(&blocks->lives, &block->life,
		    LIFE_BLOCKED + blocks_place(blocks, block->place - 1)->kind,
		    since);
	if (blocks->requests.wanted)
		gti_requests_blocked(blocks, block);
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

void gti_blocks_change_clock(struct blocks *blocks, int64_t now)
{
	blocks->clock_changed = now;
	blocks->lives.clock_changed = clock_ns(blocks->clock, now);
}

void gti_blocks_lose(struct blocks *blocks, struct block *block, int64_t ticks)
{
	if (block->lost != 0)
		return;
	block->lost = ticks;
	if (block->life.state != LIFE_CALL)
		lives_go_on(&blocks->lives, &block->life, LIFE_CALL,
			    block->since);
	lives_go_on(&blocks->lives, &block->life, LIFE_LOST, ticks);
}

/*
 * The time from one to another, in nanoseconds; in damaged traces 0, and no
 * more than a length can be.
 */
static uint64_t between(const struct blocks *blocks, int64_t from, int64_t to)
{
	const struct clock *clock = blocks->clock;
	uint64_t length;

	if (to <= from)
		return 0;
	length =
		(uint64_t)clock_ns(clock, to) - (uint64_t)clock_ns(clock, from);
	return length <= INT64_MAX ? length : INT64_MAX;
}

/* ENDED may be the longest block at PLACE. */
static void keep_longest(struct block_place *place,
			 const struct ended_block *ended)
{
	int64_t since = ended->block.since;

	if (ended->length < place->max)
		return;
	if (ended->length == place->max &&
	    (since > place->max_since ||
	     (since == place->max_since && ended->g >= place->max_g)))
		return;
	place->max = ended->length;
	place->max_since = since;
	place->max_g = ended->g;
	place->max_by = ended->by;
	place->max_by_g = ended->by_g;
}

/* Adds ENDED, up to TICKS, to all sums. */
static void add_ended(struct blocks *blocks, const struct ended_block *ended,
		      int64_t ticks)
{
	uint64_t length = (uint64_t)ended->length;
	struct block_place *place = blocks_place(blocks, ended->place);

	if (ended->clock_changed) {
		place->clock_changed++;
		return;
	}
	place->count++;
	place->sum += length;
	if (ended->block.lost != 0)
		place->lost += between(blocks, ended->block.lost, ticks);
	place->before += ended->block.before;
	place->open += ended->by == BLOCK_OPEN && !ended->block.before;
	keep_longest(place, ended);
	add_length(blocks, ended->place, length, ended->by);
}

/* ENDED counts in the life of its goroutine. */
static void took(struct blocks *blocks, const struct ended_block *ended)
{
	struct lived *lived = ended->block.life.lived;

	gti_lives_blocked(
		&blocks->lives, lived, blocks_place(blocks, ended->place)->kind,
		clock_ns(blocks->clock, ended->block.since), ended->length);
	if (blocks->requests.wanted)
		gti_requests_took(lived, ended->place, (uint64_t)ended->length);
}

/*
 * BLOCK of G ends at TICKS, by the name BY of an event of goroutine BY_G; see
 * struct ended_block.
 */
static void end(struct blocks *blocks, struct block *block, uint64_t g,
		int64_t ticks, uint32_t by, uint64_t by_g)
{
	struct ended_block ended = {
		.block = *block,
		.length = (int64_t)between(blocks, block->since, ticks),
		.g = g,
		.place = block->place - 1,
		.by = by,
		.by_g = by_g,
		.clock_changed = block->since < blocks->clock_changed,
	};

	block->place = 0;
	if (block->life.lived != NULL && !ended.clock_changed)
		took(blocks, &ended);
	blocks_place(blocks, ended.place)->waited += (uint64_t)ended.length;
	if (!blocks->wanted)
		return;
	if (blocks->filter != NULL &&
	    !gti_filter_block(blocks->filter, g,
			      clock_ns(blocks->clock, ended.block.since),
			      ended.length, ended.block.first,
			      ended.block.fits))
		return;
	if (blocks->each != NULL)
		blocks->each(blocks->each_context, &ended);
	else
		add_ended(blocks, &ended, ticks);
}

void gti_blocks_end(struct blocks *blocks, struct block *block, uint64_t g,
		    struct block_event event, bool by_goroutine)
{
	uint32_t by = BLOCK_BY_NONE, place = block->place;

	lives_go_on(&blocks->lives, &block->life, LIFE_READY, event.ticks);
	if (place == 0)
		return;
	if (between(blocks, block->since, event.ticks) < blocks->least) {
		block->place = 0;
		return;
	}
	if (by_goroutine)
		by = gti_blocks_name(blocks, &event);
	if (!blocks->failed)
		end(blocks, block, g, event.ticks, by, event.g);
	if (blocks->requests.wanted)
		gti_requests_unblocked(blocks, block);
}

void gti_blocks_open(struct blocks *blocks, struct block *block, uint64_t g,
		     int64_t ticks)
{
	if (block->life.lived != NULL && blocks->requests.wanted)
		gti_requests_open(blocks, block->life.lived, block->place,
				  ticks);
	if (block->place != 0 && !blocks->failed)
		end(blocks, block, g, ticks, BLOCK_OPEN, 0);
	if (block->life.assists)
		lives_assist(&blocks->lives, &block->life, false, ticks);
	blocks->requests.ends = true;
	gti_blocks_drop(blocks, block, ticks);
}

/* --------------------------------------------------------------- results -- */

static int compare_keys(const void *a, const void *b)
{
	const struct block_tally *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void gti_blocks_finish(struct blocks *blocks, int64_t ticks)
{
	size_t count, i;

	blocks->lives.times[LIFE_NONE] = 0;
	if (blocks->requests.wanted)
		gti_requests_finish(blocks, ticks);
	count = blocks->tallies.count;
	if (count > 1)
		gti_sort(blocks->tallies.items, count,
			 sizeof(struct block_tally), compare_keys);
	for (i = count; i-- > 0;)
		blocks_place(blocks,
			     (size_t)(tally_at(blocks, i)->key >> 32) - 1)
			->first = i;
}

const struct block_tally *gti_blocks_ended_by(const struct blocks *blocks,
					      size_t place, size_t number)
{
	size_t at = blocks_place(blocks, place)->first + number;

	if (at >= blocks->tallies.count ||
	    tally_at(blocks, at)->key >> 32 != place + 1)
		return NULL;
	return tally_at(blocks, at);
}
