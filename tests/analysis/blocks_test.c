/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks_test.c - the analysis of blocks against a model that keeps every block
 * and adds them up at the end; handles that are used again; and no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/blocks.h"
#include "analysis/lengths.h"
#include "tests/counted.h"
#include "tests/model.h"

#define GOROUTINES 40
#define STACKS     30
#define NAMES      100
#define STEPS      4000

#define NO_NAME UINT32_MAX

/* One that stops for ever, anew each time. */
#define FOREVER GOROUTINES

/* The slot of a goroutine that only does something to others. */
#define OTHER 1

enum { TYPE_OTHER = 2, TYPE_READY, TYPE_BLOCK };

/* A block of the model; `by` is a name, BLOCK_OPEN or NO_NAME. */
struct model_block {
	int64_t from, to, lost;
	uint64_t g;
	uint32_t place, by;
	bool before, call;
};

static struct model {
	uint64_t random;
	int64_t now;
	uint64_t generation; /* of handles */
	uint32_t slot[GOROUTINES + 1];
	struct model_block open[GOROUTINES + 1];
	bool blocked[GOROUTINES + 1];
	bool is_there[GOROUTINES + 1];
	int64_t lived, ready;  /* of `lives` goroutines */
	uint64_t lives, ended; /* of these */
	struct model_block all[2 * STEPS];
	size_t count;
	/* By name, plus one: what it stands for. */
	uint64_t names[NAMES];
	uint32_t name_count;
} m;

static struct counted counted;
static struct gtrace_allocator memory;
static const struct clock nanoseconds = {.ns_per_tick = 0};
static const struct clock_changes no_changes = {.last = INT64_MIN};
static struct feed feed;

/* The name of what EVENT is: a handle is another one in each generation. */
static uint32_t name(void *context, const struct block_event *event)
{
	struct model *model = context;
	uint64_t what = 1 + (event->stack + model->generation) % 7 +
			100 * event->reason + 1000 * event->call +
			10000 * event->ends;
	uint32_t i;

	for (i = 0; i < model->name_count; i++)
		if (model->names[i] == what)
			return i;
	assert_true(i < NAMES);
	model->names[i] = what;
	return model->name_count++;
}

/* Some places are system calls. */
static void describe(void *context, uint32_t number, struct block_place *place)
{
	const struct model *model = context;

	place->kind = (enum gtrace_block_kind)(model->names[number] / 1000 % 10
						       ? GTRACE_BLOCK_SYSCALL
						       : number % 8);
}

/* ---------------------------------------------------------------- stream -- */

static uint32_t slot_of(uint64_t g)
{
	if (m.slot[g] == 0)
		m.slot[g] = gti_actors_take(&feed.goroutines, g);
	return m.slot[g];
}

/* The transition of KIND of the goroutine in SLOT, by that in slot BY. */
static struct transition transition(unsigned kind, uint32_t slot, uint32_t by)
{
	return (struct transition){
		.now = m.now,
		.written = m.now,
		.g = slot,
		.by = by,
		.kind = (uint8_t)kind,
		.type = TYPE_OTHER,
	};
}

static void record(unsigned kind, uint32_t slot, uint32_t by)
{
	const struct transition one = transition(kind, slot, by);

	feed_record(&feed, &one);
}

/* What the front end is asked to name. */
static struct block_event event_of(const struct transition *one, bool call,
				   bool ends)
{
	return (struct block_event){
		.stack = one->stack,
		.reason = ends ? 0 : one->arg,
		.type = one->type,
		.call = call,
		.ends = ends,
	};
}

/* Records that G is in a call, or blocked, as ONE says. */
static void open_block(uint64_t g, struct transition one, bool call,
		       int64_t from, bool before)
{
	struct block_event event;

	one.type = TYPE_BLOCK;
	one.stack = random_below(&m.random, STACKS);
	event = event_of(&one, call, false);
	if (before)
		event.reason = 0;
	m.blocked[g] = true;
	m.open[g] = (struct model_block){
		.from = from,
		.g = g,
		.place = name(&m, &event),
		.before = before,
		.call = call,
	};
	feed_record(&feed, &one);
}

static void begin_before(uint64_t g)
{
	bool call = random_below(&m.random, 3) == 0;
	struct transition one = transition(TRANSITION_STATUS, slot_of(g), 0);

	m.lived -= feed.origin;
	m.lives++;
	one.flags = TRANSITION_FIRST;
	one.arg = call ? GOROUTINE_IN_CALL : GOROUTINE_BLOCKED;
	open_block(g, one, call, feed.origin, true);
}

static void begin_life(uint64_t g)
{
	record(TRANSITION_CREATE, slot_of(g), OTHER);
	m.is_there[g] = true;
	m.lived -= m.now;
	m.ready -= m.now;
	m.lives++;
}

/* G starts, and is blocked at once. */
static void begin_block(uint64_t g, unsigned flags)
{
	bool call = flags == 0 && random_below(&m.random, 3) == 0;
	struct transition one =
		transition(call ? TRANSITION_CALL : TRANSITION_BLOCK,
			   slot_of(g), slot_of(g));

	record(TRANSITION_START, slot_of(g), 0);
	m.ready += m.now;
	one.flags = (uint8_t)flags;
	one.arg = call ? 0 : random_below(&m.random, 3);
	open_block(g, one, call, m.now, false);
}

static void begin(uint64_t g)
{
	if (m.is_there[g]) {
		begin_block(g, 0);
	} else if (random_below(&m.random, 3) != 0) {
		begin_life(g);
	} else {
		m.is_there[g] = true;
		begin_before(g);
	}
}

static void take(uint64_t g, int64_t to, uint32_t by)
{
	m.blocked[g] = false;
	m.ready -= by != BLOCK_OPEN ? to : 0;
	m.open[g].to = to;
	m.open[g].by = by;
	m.all[m.count++] = m.open[g];
}

static void end(uint64_t g)
{
	bool by_one = !m.open[g].call && random_below(&m.random, 4) != 0;
	struct transition one = transition(
		m.open[g].call ? TRANSITION_RETURN_READY : TRANSITION_READY,
		slot_of(g), by_one ? OTHER : 0);
	struct block_event event;

	one.type = TYPE_READY;
	one.stack = random_below(&m.random, STACKS);
	event = event_of(&one, false, true);
	take(g, m.now, by_one ? name(&m, &event) : NO_NAME);
	feed_record(&feed, &one);
	/* It has ended, so this does nothing. */
	feed_record(&feed, &one);
}

/* The call of G has no processor: its thread, or another one, says so. */
static void lose(uint64_t g)
{
	bool steals = random_below(&m.random, 2) == 0;
	struct transition one = transition(
		steals ? TRANSITION_STEAL : TRANSITION_GIVE_UP,
		steals ? OTHER : slot_of(g), steals ? OTHER : slot_of(g));

	one.arg = steals ? slot_of(g) : 0;
	one.flags = TRANSITION_LOSES;
	feed_record(&feed, &one);
	if (m.open[g].lost == 0)
		m.open[g].lost = m.now;
}

/* G starts and ends: another goroutine has its place then. */
static void end_life(uint64_t g)
{
	uint32_t slot = slot_of(g);

	record(TRANSITION_START, slot, 0);
	record(TRANSITION_END, slot, slot);
	feed_release(&feed, slot);
	m.slot[g] = 0;
	m.is_there[g] = false;
	m.ready += m.now;
	m.lived += m.now;
	m.ended++;
}

/* A goroutine comes, and stops for ever. */
static void forever(void)
{
	m.slot[FOREVER] = 0;
	begin_life(FOREVER);
	begin_block(FOREVER, TRANSITION_FOR_EVER);
	m.open[FOREVER].to = INT64_MAX;
	m.open[FOREVER].by = BLOCK_OPEN;
	m.all[m.count++] = m.open[FOREVER];
}

static void step(void)
{
	uint64_t g = random_below(&m.random, GOROUTINES);

	m.now += (int64_t)random_below(
		&m.random, (uint64_t)1 << random_below(&m.random, 30));
	if (random_below(&m.random, 500) == 0) {
		gti_feed_end_generation(&feed);
		m.generation++;
	} else if (random_below(&m.random, 300) == 0) {
		forever();
	} else if (m.is_there[g] && !m.blocked[g] &&
		   random_below(&m.random, 20) == 0) {
		end_life(g);
	} else if (!m.blocked[g]) {
		begin(g);
	} else if (m.open[g].call && random_below(&m.random, 3) == 0) {
		lose(g);
	} else {
		end(g);
	}
}

static void finish(void)
{
	uint64_t g;
	size_t i;

	gti_feed_finish(&feed, m.now);
	m.lived += (int64_t)(m.lives - m.ended) * m.now;
	for (g = 0; g < GOROUTINES; g++) {
		if (m.is_there[g] && !m.blocked[g])
			m.ready += m.now;
		if (m.blocked[g])
			take(g, m.now, BLOCK_OPEN);
	}
	for (i = 0; i < m.count; i++)
		if (m.all[i].to == INT64_MAX)
			m.all[i].to = m.now;
}

/* ---------------------------------------------------------------- checks -- */

static int64_t length_of(const struct model_block *block)
{
	return block->to - block->from;
}

/* The count and the sum of the blocks of PLACE that ended BY, which is one. */
static void check_ender(const struct block_tally *tally, uint32_t place)
{
	uint64_t count = 0, sum = 0;
	size_t i;

	for (i = 0; i < m.count; i++) {
		if (m.all[i].place != place ||
		    m.all[i].by != block_ended_by(tally))
			continue;
		count++;
		sum += (uint64_t)length_of(&m.all[i]);
	}
	assert_true(count != 0);
	assert_int_equal(tally->count, count);
	assert_int_equal(tally->sum, sum);
}

/* The quantile is of the class that the right length has. */
static void check_quantile(const struct blocks *blocks, uint32_t place,
			   unsigned permille)
{
	const struct block_place *at = blocks_place(blocks, place);
	int64_t found = gti_rough_quantile(&blocks->lengths, at->lengths,
					   at->count, at->max, permille);
	uint64_t class = lengths_class((uint64_t)found) / 4;
	uint64_t below = 0, same = 0, count = 0, rank;
	size_t i;

	for (i = 0; i < m.count; i++) {
		uint64_t other =
			lengths_class((uint64_t)length_of(&m.all[i])) / 4;

		if (m.all[i].place != place)
			continue;
		count++;
		below += other < class;
		same += other == class;
	}
	rank = (count * permille + 999) / 1000;
	assert_true(below < rank && rank <= below + same);
}

static void check_place(const struct blocks *blocks, uint32_t place)
{
	const struct block_place *found = blocks_place(blocks, place);
	struct block_place want = {.max = -1};
	const struct block_tally *tally;
	uint64_t ended = 0;
	size_t i;

	for (i = 0; i < m.count; i++) {
		const struct model_block *block = &m.all[i];

		if (block->place != place)
			continue;
		want.count++;
		want.sum += (uint64_t)length_of(block);
		if (length_of(block) >= GTRACE_SLOW_NS) {
			want.slow += (uint64_t)length_of(block);
			want.slow_count++;
		}
		if (block->lost != 0)
			want.lost += (uint64_t)(block->to - block->lost);
		want.before += block->before;
		want.open += block->by == BLOCK_OPEN && !block->before;
		ended += block->by == NO_NAME;
		if (length_of(block) > want.max)
			want.max = length_of(block);
	}
	assert_int_equal(found->count, want.count);
	assert_int_equal(found->sum, want.sum);
	assert_int_equal(found->slow, want.slow);
	assert_int_equal(found->slow_count, want.slow_count);
	assert_int_equal(found->lost, want.lost);
	assert_int_equal(found->before, want.before);
	assert_int_equal(found->open, want.open);
	if (want.count == 0)
		return;
	assert_int_equal(found->max, want.max);
	for (i = 0; (tally = gti_blocks_ended_by(blocks, place, i)) != NULL;
	     i++) {
		check_ender(tally, place);
		ended += tally->count;
	}
	assert_int_equal(ended, want.count);
	check_quantile(blocks, place, 500);
	check_quantile(blocks, place, 990);
	assert_int_equal(gti_rough_quantile(&blocks->lengths, found->lengths,
					    found->count, found->max, 1000),
			 want.max);
}

static void check_lives(const struct blocks *blocks)
{
	struct gtrace_times times;
	int64_t blocked = 0;
	size_t i;

	gti_lives_sum(blocks->lives.times, blocks->lives.count, &times);
	assert_int_equal(times.count, m.lives);
	assert_int_equal(times.lived, m.lived);
	assert_int_equal(times.ready, m.ready);
	for (i = 0; i < m.count; i++)
		blocked += length_of(&m.all[i]);
	assert_int_equal(times.lived - times.ready, blocked);
}

/* BLOCKS takes a stream that begins anew. */
static void start(struct blocks *blocks, uint64_t seed)
{
	struct consumer consumer;

	memset(&m, 0, sizeof(m));
	m.random = seed;
	m.now = 1000;
	gti_blocks_init(blocks, &nanoseconds, &no_changes, &memory);
	blocks->wanted = true;
	blocks->name = name;
	blocks->describe = describe;
	blocks->context = &m;
	gti_feed_init(&feed, &nanoseconds, &memory);
	consumer = gti_blocks_consumer(blocks);
	gti_feed_add(&feed, &consumer);
	feed.origin = 500;
	feed.failed |= gti_actors_take(&feed.goroutines, 7) != OTHER;
}

static void test_model(void **state)
{
	struct blocks blocks;
	unsigned round, i;
	uint32_t place;

	(void)state;
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	for (round = 0; round < rounds(80); round++) {
		start(&blocks, round + 1);
		for (i = 0; i < STEPS; i++)
			step();
		finish();
		assert_false(feed.failed);
		assert_true(m.count > STEPS / 8 && m.generation > 0);
		assert_int_equal(blocks.places.count, m.name_count);
		for (place = 0; place < m.name_count; place++)
			check_place(&blocks, place);
		check_lives(&blocks);
		gti_feed_free(&feed);
		assert_int_equal(counted.blocks, 0);
	}
}

/* Adds a block of goroutine G at the only place. */
static void add(uint64_t g, int64_t from, int64_t to)
{
	struct transition one = transition(TRANSITION_BLOCK, slot_of(g), 0);

	one.type = TYPE_BLOCK;
	one.now = from;
	feed_record(&feed, &one);
	one.kind = TRANSITION_READY;
	one.now = to;
	feed_record(&feed, &one);
}

/* Of those of equal length the first one, and of these that of the least G. */
static void test_longest(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(8, 300, 400);
	add(5, 200, 300);
	add(4, 200, 300);
	add(6, 200, 300);
	add(3, 250, 350);
	add(2, 100, 199);
	add(1, 100, 99);
	gti_feed_finish(&feed, 1000);
	assert_int_equal(blocks_place(&blocks, 0)->count, 7);
	assert_int_equal(blocks_place(&blocks, 0)->sum, 599);
	assert_int_equal(blocks_place(&blocks, 0)->max, 100);
	assert_int_equal(blocks_place(&blocks, 0)->max_since, 200);
	assert_int_equal(blocks_place(&blocks, 0)->max_g, 4);
	gti_feed_free(&feed);
}

/* Which blocks are slow is exact, though lengths are kept in classes. */
static void test_slow(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(1, 1000, 1000 + GTRACE_SLOW_NS);
	add(1, 1000, 1000 + GTRACE_SLOW_NS - 1);
	add(1, 1000, 1000 + 2 * GTRACE_SLOW_NS);
	gti_feed_finish(&feed, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->count, 3);
	assert_int_equal(blocks_place(&blocks, 0)->slow_count, 2);
	assert_int_equal(blocks_place(&blocks, 0)->slow, 3 * GTRACE_SLOW_NS);
	gti_feed_free(&feed);
}

/* In a damaged trace a block can be longer than a length can be. */
static void test_too_long(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(1, INT64_MIN + 1000, INT64_MAX);
	gti_feed_finish(&feed, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->count, 1);
	assert_int_equal(blocks_place(&blocks, 0)->sum, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->max, INT64_MAX);
	gti_feed_free(&feed);
}

/* After a restart nothing is left of the blocks before it. */
static void test_restart(void **state)
{
	struct blocks blocks;
	unsigned i;
	uint32_t place;

	(void)state;
	start(&blocks, 7);
	for (i = 0; i < STEPS; i++)
		step();
	gti_feed_restart(&feed);
	feed.origin = 500;
	assert_int_equal(gti_actors_take(&feed.goroutines, 7), OTHER);
	memset(m.slot, 0, sizeof(m.slot));
	memset(m.blocked, 0, sizeof(m.blocked));
	memset(m.is_there, 0, sizeof(m.is_there));
	m.lived = m.ready = 0;
	m.lives = m.ended = 0;
	m.count = 0;
	for (i = 0; i < STEPS; i++)
		step();
	finish();
	for (place = 0; place < blocks.places.count; place++)
		check_place(&blocks, place);
	gti_feed_free(&feed);
}

static void test_no_memory(void **state)
{
	struct blocks blocks;
	size_t left, failures = 0;
	unsigned i;

	(void)state;
	for (left = 0; left < 40; left++) {
		counted = (struct counted){.left = left};
		memory = counted_allocator(&counted);
		start(&blocks, 3);
		for (i = 0; i < STEPS && !feed.failed; i++)
			step();
		gti_feed_finish(&feed, m.now);
		failures += feed.failed;
		gti_feed_free(&feed);
		assert_int_equal(counted.blocks, 0);
	}
	assert_true(failures > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
