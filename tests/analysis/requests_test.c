/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests_test.c - requests, found in one pass, against a model that keeps
 * every wait, and looks for loops before it looks for requests; more places
 * than are kept of a goroutine; and no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/blocks.h"
#include "tests/counted.h"
#include "tests/model.h"

#define GOROUTINES 30
#define STEPS      3000

/* Names: of roots, then of the places of each, then of what ends waits. */
#define ROOTS  3
#define PLACES 30
#define FEW    6 /* of these, where goroutines wait at random */
#define ENDER  (ROOTS + ROOTS * PLACES)

#define LONGEST 3
#define NEVER   INT64_MAX
#define NONE    UINT32_MAX

/* The slot of a goroutine that only does something to others. */
#define OTHER 1

struct model_wait {
	int64_t from, to;
	uint64_t g;
	uint32_t place;
};

struct goroutine {
	uint64_t g; /* another one in each life; 0: it is not there */
	uint32_t slot;
	uint32_t root;
	size_t wait; /* number, plus one; 0: it does not wait */
};

static struct model {
	uint64_t random;
	int64_t now;
	uint64_t lives;
	struct goroutine goroutines[GOROUTINES];
	struct model_wait all[STEPS];
	size_t count;
} m;

static struct counted counted;
static struct gtrace_allocator memory;
static const struct clock nanoseconds = {.ns_per_tick = 0};
static const struct clock_changes no_changes = {.last = INT64_MIN};
static struct feed feed;

/* ---------------------------------------------------------------- places -- */

static uint32_t place_of(uint32_t root, uint32_t i)
{
	return ROOTS + root * PLACES + i;
}

static uint32_t root_of(uint32_t place)
{
	return (place - ROOTS) / PLACES;
}

/* At one of each root goroutines do not wait for requests. */
static bool serves_at(uint32_t place)
{
	return (place - ROOTS) % PLACES != 4;
}

static uint32_t depth_of(uint32_t place)
{
	return (place - ROOTS) % PLACES < FEW ? 7 * place % 4 : 9;
}

/* Stacks are names, plus one. */
static uint32_t name(void *context, const struct block_event *event)
{
	(void)context;
	return (uint32_t)event->stack - 1;
}

static void describe(void *context, uint32_t number, struct block_place *place)
{
	(void)context;
	place->kind = GTRACE_BLOCK_RECEIVE;
	place->loop.wanted = number < ROOTS;
	if (number < ROOTS || number == ENDER)
		return;
	place->root = root_of(number);
	place->loop.waits = serves_at(number);
	place->loop.depth = depth_of(number);
}

/* ---------------------------------------------------------------- stream -- */

static void record(unsigned kind, uint32_t slot, uint32_t by, uint32_t stack,
		   uint64_t arg)
{
	const struct transition one = {
		.now = m.now,
		.written = m.now,
		.g = slot,
		.by = by,
		.stack = stack,
		.arg = arg,
		.kind = (uint8_t)kind,
	};

	feed_record(&feed, &one);
}

static void create(struct goroutine *goroutine, uint32_t root)
{
	*goroutine = (struct goroutine){.g = 10 + m.lives++, .root = root};
	goroutine->slot = gti_actors_take(&feed.goroutines, goroutine->g);
	feed.failed |= goroutine->slot == 0;
	record(TRANSITION_CREATE, goroutine->slot, OTHER, 0, 1 + root);
}

static void wait_at(struct goroutine *goroutine, uint32_t place)
{
	record(TRANSITION_START, goroutine->slot, 0, 0, 0);
	record(TRANSITION_BLOCK, goroutine->slot, goroutine->slot, 1 + place,
	       0);
	m.all[m.count++] = (struct model_wait){
		.from = m.now, .to = NEVER, .g = goroutine->g, .place = place};
	goroutine->wait = m.count;
}

static void end_wait(struct goroutine *goroutine)
{
	record(TRANSITION_READY, goroutine->slot, OTHER, 1 + ENDER, 0);
	m.all[goroutine->wait - 1].to = m.now;
	goroutine->wait = 0;
}

static void end_life(struct goroutine *goroutine)
{
	record(TRANSITION_START, goroutine->slot, 0, 0, 0);
	record(TRANSITION_END, goroutine->slot, goroutine->slot, 0, 0);
	feed_release(&feed, goroutine->slot);
	goroutine->g = 0;
}

static void step(void)
{
	struct goroutine *goroutine =
		&m.goroutines[random_below(&m.random, GOROUTINES)];

	m.now += (int64_t)random_below(&m.random, 1000);
	if (goroutine->g == 0)
		create(goroutine, (uint32_t)random_below(&m.random, ROOTS));
	else if (goroutine->wait != 0)
		end_wait(goroutine);
	else if (random_below(&m.random, 20) == 0)
		end_life(goroutine);
	else
		wait_at(goroutine,
			place_of(goroutine->root,
				 (uint32_t)random_below(&m.random, FEW)));
}

/* BLOCKS, which are for requests, take a stream that begins anew. */
static void start(struct blocks *blocks, uint64_t seed)
{
	struct consumer consumer;

	memset(&m, 0, sizeof(m));
	m.random = seed;
	m.now = 1000;
	gti_blocks_init(blocks, &nanoseconds, &no_changes, &memory);
	blocks->name = name;
	blocks->describe = describe;
	blocks->lives.pool.memory = &memory;
	gti_requests_want(blocks, LONGEST, false);
	blocks->requests.by_root = true;
	blocks->requests.keeps_all = true;
	gti_feed_init(&feed, &nanoseconds, &memory);
	consumer = gti_blocks_consumer(blocks);
	gti_feed_add(&feed, &consumer);
	feed.origin = 500;
	feed.failed |= gti_actors_take(&feed.goroutines, 7) != OTHER;
}

/* ---------------------------------------------------------------- checks -- */

/*
 * Whether the goroutine of wait I has waited there before, with no wait of
 * fewer calls in between.
 */
static bool is_again(size_t i)
{
	const struct model_wait *wait = &m.all[i];

	while (i-- > 0) {
		const struct model_wait *other = &m.all[i];

		if (other->g != wait->g || !serves_at(other->place))
			continue;
		if (other->place == wait->place)
			return true;
		if (depth_of(other->place) < depth_of(wait->place))
			return false;
	}
	return false;
}

/* The loop of ROOT, or NONE. */
static uint32_t find_loop(uint32_t root)
{
	uint32_t best = NONE;
	size_t i;

	for (i = 0; i < m.count; i++) {
		uint32_t place = m.all[i].place;

		if (root_of(place) == root && serves_at(place) &&
		    (best == NONE || depth_of(place) < depth_of(best)) &&
		    is_again(i))
			best = place;
	}
	return best;
}

/* The number, plus one, of the wait before I of its goroutine there; or 0. */
static size_t before(size_t i)
{
	size_t last = i;

	while (last-- > 0)
		if (m.all[last].g == m.all[i].g &&
		    m.all[last].place == m.all[i].place)
			break;
	return last + 1;
}

/* Whether a goroutine that has waited in I for the last time serves. */
static bool is_open(size_t i)
{
	size_t later, g;

	for (later = i + 1; later < m.count; later++)
		if (m.all[later].g == m.all[i].g &&
		    m.all[later].place == m.all[i].place)
			return false;
	for (g = 0; g < GOROUTINES; g++)
		if (m.goroutines[g].g == m.all[i].g)
			return m.all[i].to != NEVER;
	return false;
}

/* How long G waited at PLACE between two times. */
static uint64_t waited(uint64_t g, uint32_t place, int64_t from, int64_t to)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < m.count; i++)
		if (m.all[i].g == g && m.all[i].place == place &&
		    m.all[i].from >= from && m.all[i].to <= to)
			sum += (uint64_t)(m.all[i].to - m.all[i].from);
	return sum;
}

static void check_parts(const struct request *request)
{
	const struct stay *stay = &request->stay;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < request->part_count; i++) {
		assert_int_equal(request->parts[i].time,
				 waited(stay->g, request->parts[i].place,
					stay->begun,
					stay->begun + stay->length));
		sum += request->parts[i].time;
	}
	assert_int_equal(sum, stay->times[LIFE_BLOCKED + GTRACE_BLOCK_RECEIVE]);
}

/* GROUP has the requests around LOOP. Returns how many these are. */
static uint64_t check_loop(const struct request_group *group, uint32_t loop)
{
	const struct request *longest = group->longest.items;
	struct request_group want = {.max = -1};
	struct request_loop between = {.unended_max = 0};
	size_t i;

	for (i = 0; i < m.count; i++) {
		const struct model_wait *wait = &m.all[i];
		size_t last = wait->place == loop ? before(i) : 0;

		if (wait->place != loop)
			continue;
		between.waits += wait->to != NEVER;
		if (is_open(i)) {
			between.unended++;
			if (m.now - wait->to > between.unended_max)
				between.unended_max = m.now - wait->to;
		}
		if (last == 0)
			continue;
		want.count++;
		want.served += (uint64_t)(wait->from - m.all[last - 1].to);
		if (wait->from - m.all[last - 1].to > want.max)
			want.max = wait->from - m.all[last - 1].to;
	}
	assert_int_equal(group->count, want.count);
	assert_int_equal(group->served, want.served);
	assert_int_equal(group->max, want.max);
	assert_int_equal(group->spans.count, want.count);
	assert_int_equal(group->open.count, between.unended);
	assert_int_equal(group->loop->waits, between.waits);
	assert_int_equal(group->loop->unended, between.unended);
	assert_int_equal(group->loop->unended_max, between.unended_max);
	for (i = 0; i < group->longest.count; i++)
		check_parts(&longest[i]);
	assert_int_equal(longest[0].stay.length, want.max);
	return want.count;
}

/* Only loops have requests. Returns how many there are. */
static uint64_t check(const struct blocks *blocks)
{
	const struct request_group *groups = blocks->requests.groups.items;
	uint64_t sum = 0;
	unsigned loops = 0;
	uint32_t root;
	size_t i;

	for (i = 0; i < blocks->requests.groups.count; i++) {
		if (groups[i].name == find_loop(root_of(groups[i].name))) {
			sum += check_loop(&groups[i], groups[i].name);
			loops++;
			continue;
		}
		assert_int_equal(groups[i].count, 0);
		assert_int_equal(groups[i].open.count, 0);
	}
	for (root = 0; root < ROOTS; root++)
		loops -= find_loop(root) != NONE;
	assert_int_equal(loops, 0);
	return sum;
}

static void test_model(void **state)
{
	struct blocks blocks;
	unsigned round, steps, i;
	uint64_t requests = 0;

	(void)state;
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	for (round = 0; round < rounds(400); round++) {
		start(&blocks, round + 1);
		/* In short traces loops are found late, or not at all. */
		steps = round % 4 == 0 ? STEPS : 50u << round % 4;
		for (i = 0; i < steps; i++)
			step();
		gti_feed_finish(&feed, m.now);
		assert_false(feed.failed);
		requests += check(&blocks);
		gti_feed_free(&feed);
		assert_int_equal(counted.blocks, 0);
	}
	assert_true(requests > 10 * round);
}

/* A goroutine loops after it has waited at more places than are kept. */
static void test_many_places(void **state)
{
	struct goroutine *goroutine = &m.goroutines[0];
	struct blocks blocks;
	uint32_t i;

	(void)state;
	start(&blocks, 1);
	create(goroutine, 0);
	for (i = 0; i < PLACES - FEW + 2; i++) {
		m.now += 10;
		wait_at(goroutine,
			place_of(0, i < PLACES - FEW ? FEW + i : PLACES - 1));
		m.now++;
		end_wait(goroutine);
	}
	gti_feed_finish(&feed, m.now);
	assert_int_equal(find_loop(0), place_of(0, PLACES - 1));
	assert_int_equal(check(&blocks), 2);
	gti_feed_free(&feed);
}

/*
 * The stack of a wait can be cut off, so that it begins elsewhere. Such a wait
 * does not end a request, though other goroutines loop there.
 */
static void test_other_root(void **state)
{
	static const uint32_t places[] = {0, 1, 0, 1, 0};
	struct blocks blocks;
	size_t i;

	(void)state;
	start(&blocks, 1);
	create(&m.goroutines[0], 0);
	create(&m.goroutines[1], 1);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		m.now += 10;
		wait_at(&m.goroutines[0], place_of(places[i], FEW));
		wait_at(&m.goroutines[1], place_of(1, FEW));
		m.now++;
		end_wait(&m.goroutines[0]);
		end_wait(&m.goroutines[1]);
	}
	gti_feed_finish(&feed, m.now);
	for (i = 0; i < blocks.requests.groups.count; i++) {
		const struct request_group *group =
			(const struct request_group *)
				blocks.requests.groups.items +
			i;

		if (group->name != place_of(0, FEW))
			continue;
		assert_int_equal(group->count, 2);
		assert_int_equal(group->max, 21);
	}
	assert_int_equal(blocks.requests.groups.count, 2);
	gti_feed_free(&feed);
}

/* What a goroutine does around so many places takes no more memory. */
static void test_bound(void **state)
{
	struct goroutine *goroutine = &m.goroutines[0];
	struct blocks blocks;
	uint32_t used = 0, i;

	(void)state;
	start(&blocks, 1);
	create(goroutine, 0);
	for (i = 0; i < 2 * PLACES; i++) {
		wait_at(goroutine, place_of(0, i % PLACES));
		end_wait(goroutine);
		gti_feed_flush(&feed);
		if (blocks.requests.servings.used > used)
			used = blocks.requests.servings.used;
	}
	assert_in_range(used, 2, 8);
	gti_feed_free(&feed);
}

static void test_no_memory(void **state)
{
	struct blocks blocks;
	size_t left, failures = 0;
	unsigned i;

	(void)state;
	for (left = 0; left < 60; left++) {
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
		cmocka_unit_test(test_many_places),
		cmocka_unit_test(test_other_root),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
