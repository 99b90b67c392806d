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

/* A block of the model; `by` is a name, BLOCK_OPEN or NO_NAME. */
struct model_block {
	int64_t from, to, lost;
	uint64_t g;
	uint32_t place, by;
	bool before;
};

static struct model {
	uint64_t random;
	int64_t now;
	uint64_t generation; /* of handles */
	struct block block[GOROUTINES];
	struct model_block open[GOROUTINES];
	bool blocked[GOROUTINES];
	int64_t lived, ready; /* of `lives` goroutines */
	uint64_t lives;
	struct model_block all[2 * STEPS];
	size_t count;
	/* By name, plus one: what it stands for. */
	uint64_t names[NAMES];
	uint32_t name_count;
} m;

static struct counted counted;
static struct gtrace_allocator memory;
static const struct clock nanoseconds = {.ns_per_tick = 0};

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

static struct block_event random_event(bool ends)
{
	struct block_event event = {
		.ticks = m.now,
		.stack = random_below(&m.random, STACKS),
		.type = ends ? 3 : 4,
		.ends = ends,
	};

	if (!ends) {
		event.call = random_below(&m.random, 3) == 0;
		event.reason = event.call ? 0 : random_below(&m.random, 3);
	}
	return event;
}

/* Some formats try these first. */
static void begin_block(struct blocks *blocks, struct block *block,
			struct block_event event)
{
	if (!blocks_begin_easily(blocks, block, &event))
		gti_blocks_begin(blocks, block, event);
}

static void end_block(struct blocks *blocks, struct block *block, uint64_t g,
		      struct block_event event, bool by_goroutine)
{
	if (!blocks_end_easily(blocks, block, &event, by_goroutine))
		gti_blocks_end(blocks, block, g, event, by_goroutine);
}

static int64_t length_of(const struct model_block *block)
{
	return block->to - block->from;
}

static void begin(struct blocks *blocks, uint64_t g, bool before)
{
	struct block_event event = random_event(false);

	if (m.block[g].life.state == LIFE_NONE) {
		m.lived -= before ? blocks->origin : m.now;
		m.lives++;
	} else {
		/* Up to now it was ready. */
		m.ready += before ? blocks->origin : m.now;
	}
	m.blocked[g] = true;
	m.open[g] = (struct model_block){
		.from = before ? blocks->origin : m.now,
		.g = g,
		.place = name(&m, &event),
		.before = before,
	};
	if (before)
		gti_blocks_begin_before(blocks, &m.block[g], event);
	else
		begin_block(blocks, &m.block[g], event);
}

static void take(uint64_t g, int64_t to, uint32_t by)
{
	m.blocked[g] = false;
	m.ready -= by != BLOCK_OPEN ? to : 0;
	m.open[g].to = to;
	m.open[g].by = by;
	m.all[m.count++] = m.open[g];
}

static void end(struct blocks *blocks, uint64_t g)
{
	struct block_event event = random_event(true);
	bool by_goroutine = random_below(&m.random, 4) != 0;

	m.open[g].to = m.now;
	m.open[g].by = by_goroutine ? name(&m, &event) : NO_NAME;
	take(g, m.now, m.open[g].by);
	end_block(blocks, &m.block[g], g, event, by_goroutine);
	/* It has ended, so this does nothing. */
	end_block(blocks, &m.block[g], g, event, by_goroutine);
}

static void forever(struct blocks *blocks)
{
	struct block_event event = random_event(false);

	struct block block = {.place = 0};

	gti_blocks_forever(blocks, &block, 99, event);
	m.lived -= m.now;
	m.lives++;
	m.all[m.count++] = (struct model_block){
		.from = m.now,
		.to = INT64_MAX,
		.g = 99,
		.place = name(&m, &event),
		.by = BLOCK_OPEN,
	};
}

static void step(struct blocks *blocks)
{
	uint64_t g = random_below(&m.random, GOROUTINES);

	m.now += (int64_t)random_below(
		&m.random, (uint64_t)1 << random_below(&m.random, 30));
	if (random_below(&m.random, 500) == 0) {
		m.generation++;
		gti_blocks_forget_stacks(blocks);
	} else if (random_below(&m.random, 300) == 0) {
		forever(blocks);
	} else if (!m.blocked[g]) {
		begin(blocks, g, random_below(&m.random, 50) == 0);
	} else if (random_below(&m.random, 3) == 0) {
		gti_blocks_lose(blocks, &m.block[g], m.now);
		if (m.open[g].lost == 0)
			m.open[g].lost = m.now;
	} else {
		end(blocks, g);
	}
}

static void finish(struct blocks *blocks)
{
	uint64_t g;
	size_t i;

	m.lived += (int64_t)m.lives * m.now;
	for (g = 0; g < GOROUTINES; g++) {
		if (!m.blocked[g] && m.block[g].life.state != LIFE_NONE)
			m.ready += m.now;
		gti_blocks_open(blocks, &m.block[g], g, m.now);
		if (m.blocked[g])
			take(g, m.now, BLOCK_OPEN);
	}
	gti_blocks_finish(blocks, m.now);
	for (i = 0; i < m.count; i++)
		if (m.all[i].to == INT64_MAX)
			m.all[i].to = m.now;
}

/* ---------------------------------------------------------------- checks -- */

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

static void start(struct blocks *blocks, uint64_t seed)
{
	memset(&m, 0, sizeof(m));
	m.random = seed;
	m.now = 1000;
	gti_blocks_init(blocks, &nanoseconds, &memory);
	blocks->name = name;
	blocks->describe = describe;
	blocks->context = &m;
	blocks->plain = seed % 2 == 0;
	blocks->origin = 500;
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
			step(&blocks);
		finish(&blocks);
		assert_false(blocks.failed);
		assert_true(m.count > STEPS / 8 && m.generation > 0);
		assert_int_equal(blocks.places.count, m.name_count);
		for (place = 0; place < m.name_count; place++)
			check_place(&blocks, place);
		check_lives(&blocks);
		gti_blocks_free(&blocks);
		assert_int_equal(counted.blocks, 0);
	}
}

/* Adds a block of goroutine G at the only place. */
static void add(struct blocks *blocks, uint64_t g, int64_t from, int64_t to)
{
	struct block block = {.place = 0};
	struct block_event event = {.ticks = from, .type = 4};

	begin_block(blocks, &block, event);
	event.ticks = to;
	event.ends = true;
	end_block(blocks, &block, g, event, false);
}

/* Of those of equal length the first one, and of these that of the least G. */
static void test_longest(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(&blocks, 8, 300, 400);
	add(&blocks, 5, 200, 300);
	add(&blocks, 4, 200, 300);
	add(&blocks, 6, 200, 300);
	add(&blocks, 3, 250, 350);
	add(&blocks, 2, 100, 199);
	add(&blocks, 1, 100, 99);
	gti_blocks_finish(&blocks, 1000);
	assert_int_equal(blocks_place(&blocks, 0)->count, 7);
	assert_int_equal(blocks_place(&blocks, 0)->sum, 599);
	assert_int_equal(blocks_place(&blocks, 0)->max, 100);
	assert_int_equal(blocks_place(&blocks, 0)->max_since, 200);
	assert_int_equal(blocks_place(&blocks, 0)->max_g, 4);
	gti_blocks_free(&blocks);
}

/* Which blocks are slow is exact, though lengths are kept in classes. */
static void test_slow(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(&blocks, 1, 1000, 1000 + GTRACE_SLOW_NS);
	add(&blocks, 1, 1000, 1000 + GTRACE_SLOW_NS - 1);
	add(&blocks, 1, 1000, 1000 + 2 * GTRACE_SLOW_NS);
	gti_blocks_finish(&blocks, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->count, 3);
	assert_int_equal(blocks_place(&blocks, 0)->slow_count, 2);
	assert_int_equal(blocks_place(&blocks, 0)->slow, 3 * GTRACE_SLOW_NS);
	gti_blocks_free(&blocks);
}

/* In a damaged trace a block can be longer than a length can be. */
static void test_too_long(void **state)
{
	struct blocks blocks;

	(void)state;
	start(&blocks, 1);
	add(&blocks, 1, INT64_MIN + 1000, INT64_MAX);
	gti_blocks_finish(&blocks, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->count, 1);
	assert_int_equal(blocks_place(&blocks, 0)->sum, INT64_MAX);
	assert_int_equal(blocks_place(&blocks, 0)->max, INT64_MAX);
	gti_blocks_free(&blocks);
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
		step(&blocks);
	gti_blocks_restart(&blocks);
	memset(m.block, 0, sizeof(m.block));
	memset(m.blocked, 0, sizeof(m.blocked));
	m.lived = m.ready = 0;
	m.lives = 0;
	m.count = 0;
	blocks.origin = 500;
	for (i = 0; i < STEPS; i++)
		step(&blocks);
	finish(&blocks);
	for (place = 0; place < blocks.places.count; place++)
		check_place(&blocks, place);
	gti_blocks_free(&blocks);
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
		memset(&m, 0, sizeof(m));
		m.random = 3;
		gti_blocks_init(&blocks, &nanoseconds, &memory);
		blocks.name = name;
		blocks.describe = describe;
		blocks.context = &m;
		blocks.origin = 500;
		for (i = 0; i < STEPS; i++)
			step(&blocks);
		finish(&blocks);
		failures += blocks.failed;
		gti_blocks_free(&blocks);
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
