/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain_test.c - critical paths against a model that finds the chain at each
 * moment from the list of all transitions; convoys, rings, and no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "tests/analysis/chain_model.h"
#include "tests/counted.h"

static struct gtrace_allocator memory;
static struct counted counted;
static const struct clock nanoseconds = {.ns_per_tick = 0};
static struct feed feed;

/* ------------------------------------------------------------- comparison --
 */

static unsigned compared;

static void expect_same(uint64_t a, uint64_t b, const char *what,
			const struct chain_piece *piece)
{
	if (a != b)
		fail_msg("%s is %llu, not %llu, of goroutine %llu from %lld on",
			 what, (unsigned long long)a, (unsigned long long)b,
			 (unsigned long long)piece->g, (long long)piece->start);
}

static void check_cause(const struct chain_cause *got,
			const struct chain_cause *want,
			const struct chain_piece *piece)
{
	expect_same(got->g, want->g, "the goroutine of the cause", piece);
	expect_same(got->kind, want->kind, "the kind of the cause", piece);
	expect_same(got->stack, want->stack, "the stack of the cause", piece);
	expect_same(got->ended, want->ended, "its end", piece);
}

static void check_piece(const struct chain_piece *got,
			const struct chain_piece *want)
{
	expect_same((uint64_t)got->start, (uint64_t)want->start, "the start",
		    want);
	expect_same((uint64_t)got->length, (uint64_t)want->length, "the length",
		    want);
	expect_same(got->g, want->g, "the leaf", want);
	expect_same(got->level, want->level, "the level", want);
	expect_same(got->state, want->state, "the state", want);
	expect_same(got->kind, want->kind, "the kind", want);
	expect_same(got->by, want->by, "who ended the block", want);
	expect_same(got->stack, want->stack, "the stack", want);
	expect_same(got->ended, want->ended, "whether it has ended", want);
	if (want->level == 0)
		return;
	check_cause(&got->cause, &want->cause, want);
	check_cause(&got->outer, &want->outer, want);
}

static bool is_same_cause(const struct chain_cause *a,
			  const struct chain_cause *b)
{
	return a->g == b->g && a->kind == b->kind && a->stack == b->stack &&
	       a->ended == b->ended;
}

/* Whether A and B are the same but for their times. */
static bool is_same_piece(const struct chain_piece *a,
			  const struct chain_piece *b)
{
	return a->g == b->g && a->level == b->level && a->state == b->state &&
	       a->kind == b->kind && a->by == b->by && a->stack == b->stack &&
	       a->ended == b->ended && is_same_cause(&a->cause, &b->cause) &&
	       is_same_cause(&a->outer, &b->outer);
}

/* Adds PIECE to the COUNT ones at TO, the last of which may be the same. */
static size_t add_piece(struct chain_piece *to, size_t count,
			const struct chain_piece *piece)
{
	if (count != 0 && is_same_piece(piece, &to[count - 1])) {
		to[count - 1].length += piece->length;
		return count;
	}
	to[count] = *piece;
	return count + 1;
}

/* Fills in WANT with the path of WISH, moment by moment. Returns how many. */
static size_t find_path(const struct path_wish *wish, struct chain_piece *want)
{
	static struct moment moments[2];
	struct moment *now = &moments[0], *next = &moments[1], *other;
	struct chain_piece piece;
	int64_t from = wish->from, t;
	size_t count = 0;

	if (wish->from < wish->to)
		find_chain((unsigned)wish->g, from, now);
	for (t = from + 1; t <= wish->to; t++) {
		find_chain((unsigned)wish->g, t, next);
		if (t < wish->to && is_same_chain(now, next))
			continue;
		piece = piece_of(now, from, t);
		count = add_piece(want, count, &piece);
		other = now;
		now = next;
		next = other;
		from = t;
	}
	return count;
}

static void check_path(void *context, const struct path_wish *wish,
		       const struct chain_piece *pieces, size_t count)
{
	static struct chain_piece want[16 * STEPS], got[16 * STEPS];
	size_t want_count = find_path(wish, want), got_count = 0, i;

	(void)context;
	compared++;
	while (count-- > 0)
		got_count = add_piece(got, got_count, &pieces[count]);
	for (i = 0; i < want_count && i < got_count; i++)
		check_piece(&got[i], &want[i]);
	assert_int_equal(got_count, want_count);
}

static void forget(void *context)
{
	(void)context;
}

/* ------------------------------------------------------------------- runs --
 */

/* The wish NUMBER of a random goroutine and time; LIVES: all its lives. */
static struct path_wish random_wish(uint32_t number, bool lives)
{
	struct path_wish wish = {
		.g = 1 + below(NUMBERS),
		.from = below((unsigned)m.now),
		.number = number,
	};

	wish.to = wish.from + below((unsigned)(m.now - wish.from + 3));
	if (lives) {
		wish.from = INT64_MIN;
		wish.to = INT64_MAX;
	}
	return wish;
}

/* What the model says of the lives of G. */
static void expect_life(const struct path_wish *wish)
{
	const struct period *periods = m.periods[wish->g];
	size_t count = m.period_count[wish->g], i = 0;

	while (i < count && periods[i].state <= CHAIN_ABSENT)
		i++;
	assert_true(i < count);
	assert_int_equal(wish->from, periods[i].from);
	assert_int_equal(wish->to, periods[count - 1].state == CHAIN_ABSENT
					   ? periods[count - 1].from
					   : m.now);
}

static void check_life(void *context, const struct path_wish *wish,
		       const struct chain_piece *pieces, size_t count)
{
	expect_life(wish);
	check_path(context, wish, pieces, count);
}

static uint64_t handle_of(unsigned stack)
{
	return stack != 0 ? m.generation * 1000 + stack : 0;
}

/* Hands all records to the consumers of the feed. */
static void play(void)
{
	uint32_t slots[NUMBERS + 1] = {0};
	struct transition to;
	size_t i;

	for (i = 0; i < m.count; i++) {
		const struct record *one = &m.records[i];

		to = (struct transition){
			.now = one->at,
			.stack = handle_of(one->stack),
			.arg = one->kind == TRANSITION_CREATE ||
					       one->kind ==
						       TRANSITION_CREATE_BLOCKED
				       ? handle_of((unsigned)one->arg)
				       : one->arg,
			.kind = (uint8_t)one->kind,
			.flags = (uint8_t)one->flags,
		};
		if (one->by != 0)
			to.by = feed_slot(&feed, &feed.goroutines,
					  &slots[one->by], one->by);
		to.g = feed_slot(&feed, &feed.goroutines, &slots[one->g],
				 one->g);
		feed_record(&feed, &to);
		if (one->kind == TRANSITION_END ||
		    one->kind == TRANSITION_END_IN_CALL) {
			feed_release(&feed, to.g);
			slots[one->g] = 0;
		}
		if (below(20) == 0)
			gti_feed_flush(&feed);
		if (below(60) == 0) {
			gti_feed_end_generation(&feed);
			m.generation++;
		}
	}
	gti_feed_finish(&feed, m.now);
}

/* Prepares for WISHES of the pass. */
static void begin(struct paths *paths, struct array *wishes,
		  void (*each)(void *context, const struct path_wish *wish,
			       const struct chain_piece *pieces, size_t count))
{
	struct consumer consumer;

	m.generation = 1;
	gti_feed_init(&feed, &nanoseconds, &memory);
	feed.origin = m.is_v1 ? INT64_MIN : ORIGIN;
	memset(paths, 0, sizeof(*paths));
	assert_true(gti_paths_init(paths, wishes, describe, NULL, &memory));
	paths->each = each;
	paths->forget = forget;
	consumer = gti_paths_consumer(paths);
	gti_feed_add(&feed, &consumer);
}

static void end(struct paths *paths)
{
	assert_false(feed.failed);
	gti_feed_free(&feed);
	gti_paths_free(paths);
}

/* Many wishes at once, and the pass once more. */
static void run_once(uint64_t seed)
{
	static struct paths paths;
	struct array wishes = {.count = 0};
	struct path_wish wish;
	unsigned before;
	uint32_t i;

	m.random = seed;
	m.reuses = seed % 3 == 0;
	make_up(seed % 2 == 0);
	find_periods();
	for (i = 0; i < 12; i++) {
		/* Then the log is on all the time. */
		wish = random_wish(i, m.reuses && i == 0);
		assert_non_null(
			array_add(&wishes, &wish, sizeof(wish), &memory));
	}
	begin(&paths, &wishes, check_path);
	play();
	before = compared;
	gti_feed_restart(&feed);
	feed.origin = m.is_v1 ? INT64_MIN : ORIGIN;
	m.generation = 1;
	play();
	assert_true(compared > before || before == 0);
	end(&paths);
	wish = random_wish(0, true);
	assert_non_null(array_add(&wishes, &wish, sizeof(wish), &memory));
	begin(&paths, &wishes, check_life);
	play();
	end(&paths);
}

static void test_random(void **state)
{
	uint64_t seed;

	(void)state;
	compared = 0;
	for (seed = 1; seed <= 600; seed++)
		run_once(seed);
	assert_true(compared > 10000);
}

/* ------------------------------------------------------------------ sizes --
 */

static uint32_t *slots;

/* Goroutine G makes a transition, by BY. */
static void move(unsigned kind, uint32_t g, uint32_t by, int64_t at)
{
	struct transition to = {.now = at, .kind = (uint8_t)kind};

	if (by != 0)
		to.by = feed_slot(&feed, &feed.goroutines, &slots[by], by);
	to.g = feed_slot(&feed, &feed.goroutines, &slots[g], g);
	feed_record(&feed, &to);
}

static struct {
	size_t pieces;
	uint32_t deepest;
	int64_t sum;
} found;

static void add_pieces(void *context, const struct path_wish *wish,
		       const struct chain_piece *pieces, size_t count)
{
	size_t i;

	(void)context;
	found.pieces += count;
	for (i = 0; i < count; i++) {
		found.sum += pieces[i].length;
		if (pieces[i].level > found.deepest)
			found.deepest = pieces[i].level;
	}
	assert_true(wish->from <= wish->to);
}

static void begin_large(struct paths *paths, const struct path_wish *wishes,
			size_t wish_count, uint32_t count)
{
	struct array all = {.count = 0};
	size_t i;

	m.is_v1 = true;
	memset(&found, 0, sizeof(found));
	slots = calloc(count + 1, sizeof(*slots));
	assert_non_null(slots);
	for (i = 0; i < wish_count; i++)
		assert_non_null(
			array_add(&all, &wishes[i], sizeof(*wishes), &memory));
	begin(paths, &all, add_pieces);
}

#define CONVOY 10000

/* Each goroutine waits for the next one, and the last one works. */
static void test_convoy(void **state)
{
	static struct paths paths;
	const struct path_wish wish = {.g = 1, .from = 0, .to = 4 * CONVOY};
	int64_t now = 0;
	uint32_t g;

	(void)state;
	begin_large(&paths, &wish, 1, CONVOY);
	for (g = 1; g <= CONVOY; g++) {
		move(TRANSITION_CREATE, g, 0, 0);
		move(TRANSITION_START, g, 0, 0);
		if (g != CONVOY)
			move(TRANSITION_BLOCK, g, g, 0);
	}
	for (g = CONVOY; g > 1; g--) {
		move(TRANSITION_READY, g - 1, g, ++now);
		move(TRANSITION_END, g, g, now);
		move(TRANSITION_START, g - 1, 0, ++now);
	}
	gti_feed_finish(&feed, now);
	assert_int_equal(found.deepest, CONVOY - 1);
	assert_int_equal(found.sum, now);
	assert_int_equal(found.pieces, 2 * CONVOY - 2);
	/* An entry is passed once, and each level is left once. */
	assert_true(paths.chain.steps >= 2 * (uint64_t)CONVOY - 2);
	assert_true(paths.chain.steps <= 8 * (uint64_t)CONVOY);
	end(&paths);
	free(slots);
}

#define RING    64
#define TURNS   300000
#define OVERLAP 150

/*
 * Goroutines wake one another in a ring, by events without a stack, and many
 * want the path of all that time.
 */
static void test_ring(void **state)
{
	static struct paths paths;
	struct path_wish wishes[OVERLAP];
	int64_t now = 0;
	uint32_t g, i;

	(void)state;
	for (i = 0; i < OVERLAP; i++)
		wishes[i] = (struct path_wish){
			.g = 1 + i % RING,
			.from = i,
			.to = TURNS,
			.number = i,
			.optional = i >= 20,
		};
	begin_large(&paths, wishes, OVERLAP, RING);
	for (g = 1; g <= RING; g++) {
		move(TRANSITION_CREATE, g, 0, 0);
		move(TRANSITION_START, g, 0, 0);
		if (g != 1)
			move(TRANSITION_BLOCK, g, g, 0);
	}
	for (i = 0, g = 1; i < TURNS; i++) {
		uint32_t next = g % RING + 1;

		now++;
		move(TRANSITION_READY, next, g, now);
		move(TRANSITION_BLOCK, g, g, now);
		move(TRANSITION_START, next, 0, now);
		g = next;
	}
	gti_feed_finish(&feed, now);
	/* Those that are not optional are there, others as far as they may. */
	assert_true(found.pieces >= (size_t)20 * TURNS / 2);
	assert_true(paths.left_out);
	assert_int_equal(paths.done, OVERLAP);
	assert_true(paths.chain.steps <= 80 * paths.taken);
	end(&paths);
	free(slots);
}

/* ----------------------------------------------------------------- memory --
 */

/* Without memory the pass fails, and nothing is lost. */
static void test_memory(void **state)
{
	static struct paths paths;
	struct array wishes = {.count = 0};
	struct consumer consumer;
	struct path_wish wish;
	size_t left;
	bool failed = true;

	(void)state;
	m.random = 77;
	make_up(false);
	find_periods();
	for (left = 0; failed; left++) {
		memory = counted_allocator(&counted);
		counted = (struct counted){.left = left};
		m.generation = 1;
		gti_feed_init(&feed, &nanoseconds, &memory);
		feed.origin = ORIGIN;
		memset(&paths, 0, sizeof(paths));
		wish = (struct path_wish){.g = 1, .to = m.now};
		failed = array_add(&wishes, &wish, sizeof(wish), &memory) ==
				 NULL ||
			 !gti_paths_init(&paths, &wishes, describe, NULL,
					 &memory);
		paths.each = check_path;
		paths.forget = forget;
		consumer = gti_paths_consumer(&paths);
		gti_feed_add(&feed, &consumer);
		if (!failed) {
			play();
			failed = feed.failed;
		}
		gti_feed_free(&feed);
		gti_paths_free(&paths);
		assert_int_equal(counted.blocks, 0);
		assert_int_equal(counted.bytes, 0);
	}
	assert_true(left > 10);
	memory = gti_allocator_or_default(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_convoy),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_memory),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
