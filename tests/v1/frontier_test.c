/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier_test.c - candidates are taken in the order of the reference's list:
 * in each round the new ones are appended, the list is sorted by ticks, the
 * first one is taken, and the last one takes its place.
 *
 * sort_test.c compares the sorts with Go's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model.h"
#include "v1/frontier.h"

#define STREAMS_MAX (FRONTIER_LIST_MAX + 1)

struct list {
	struct sort_item items[STREAMS_MAX];
	uint32_t count;
};

static uint32_t take_from(struct list *list)
{
	uint32_t stream = list->items[0].value;

	list->items[0] = list->items[--list->count];
	return stream;
}

/*
 * Moves the candidate of STREAM to the start of the list, if none has lower
 * ticks: if there are too many streams for the order of the reference, any of
 * those with the lowest ticks may come first.
 */
static void choose(struct list *list, uint32_t stream)
{
	struct sort_item first = list->items[0];
	uint32_t i;

	for (i = 0; i < list->count; i++)
		if (list->items[i].value == stream &&
		    list->items[i].key == first.key) {
			list->items[0] = list->items[i];
			list->items[i] = first;
		}
}

/*
 * STREAMS streams with random ticks below SPREAD ahead of the last. One in
 * HELD_BACK of those without a candidate waits for another round.
 */
struct play {
	uint64_t seed;
	uint32_t streams;
	uint64_t spread;
	uint64_t held_back;
	uint32_t rounds;
	sort_function *sort;
};

/*
 * Adds candidates to both, to the frontier from the last stream to the first.
 * Returns true if that was a single one, and the frontier took one of its own,
 * *GOT, in exchange.
 */
static bool add(struct play *play, uint32_t round, int64_t now, bool *outside,
		struct frontier *frontier, struct list *list, uint32_t *got)
{
	uint32_t i, old = list->count;

	for (i = 0; i < play->streams; i++) {
		int64_t ticks =
			now + (int64_t)random_below(&play->seed, play->spread);

		if (!outside[i] ||
		    random_below(&play->seed, play->held_back) == 0)
			continue;
		outside[i] = false;
		list->items[list->count++] = (struct sort_item){ticks, i};
		/* Often only the stream taken last has a new one. */
		*got = i;
		if (list->count == old + 1 && round % 4 != 0 &&
		    ((round > 0 && frontier_keeps(frontier, ticks)) ||
		     frontier_exchange(frontier, ticks, got)))
			return true;
	}
	for (i = list->count; i-- > old;)
		frontier_add(frontier, list->items[i].key,
			     list->items[i].value);
	return false;
}

static void play(struct play play)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	static bool outside[STREAMS_MAX];
	static struct frontier frontier;
	static struct list list;
	uint32_t round, got, want;
	int64_t now = 0;
	bool exchanged;

	assert_true(
		gti_frontier_init(&frontier, play.streams, play.sort, &memory));
	memset(outside, 1, sizeof(outside));
	list.count = 0;
	for (round = 0; round < play.rounds; round++) {
		exchanged =
			add(&play, round, now, outside, &frontier, &list, &got);
		if (list.count == 0)
			continue;
		play.sort(list.items, list.count);
		now = list.items[0].key;
		if (!exchanged)
			assert_true(gti_frontier_take(&frontier, &got));
		if (play.streams > FRONTIER_LIST_MAX)
			choose(&list, got);
		want = take_from(&list);
		assert_int_equal(got, want);
		outside[want] = true;
	}
	gti_frontier_free(&frontier);
}

static void test_like_the_reference(void **state)
{
	static sort_function *const sorts[] = {gti_sort_go1_8, gti_sort_go1_19};
	static const uint64_t spreads[] = {1, 2, 5, 40, 1000, 1000000};
	struct play p = {.rounds = 300};
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
		for (j = 0; j < sizeof(spreads) / sizeof(spreads[0]); j++)
			for (p.streams = 1; p.streams <= 200; p.streams++) {
				p.seed = p.streams;
				p.spread = spreads[j];
				p.held_back = 2 + p.streams % 5;
				p.sort = sorts[i];
				play(p);
			}
}

/* As many streams as there may be in the list, and one more than that. */
static void test_many_streams(void **state)
{
	static const uint64_t spreads[] = {1, 3, 5000, 10000000};
	struct play p = {.seed = 1, .held_back = 9, .rounds = 2000};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
		p.spread = spreads[i];
		p.sort = gti_sort_go1_19;
		p.streams = FRONTIER_LIST_MAX;
		play(p);
		p.streams = FRONTIER_LIST_MAX + 1;
		play(p);
	}
}

/* Ticks equal to those of the sentinels at the end of the list. */
static void test_greatest_ticks(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	static struct frontier frontier;
	uint32_t stream, i;

	(void)state;
	assert_true(gti_frontier_init(&frontier, 3, gti_sort_go1_8, &memory));
	frontier_add(&frontier, INT64_MAX, 0);
	frontier_add(&frontier, INT64_MAX - 1, 1);
	assert_true(gti_frontier_take(&frontier, &stream));
	assert_int_equal(stream, 1);
	assert_false(frontier_exchange(&frontier, INT64_MAX, &stream));
	frontier_add(&frontier, INT64_MAX, 1);
	frontier_add(&frontier, INT64_MIN, 2);
	assert_true(gti_frontier_take(&frontier, &stream));
	assert_int_equal(stream, 2);
	for (i = 0; i < 2; i++) {
		assert_true(gti_frontier_take(&frontier, &stream));
		assert_int_equal(stream, 1 - i);
	}
	assert_false(gti_frontier_take(&frontier, &stream));
	gti_frontier_free(&frontier);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_the_reference),
		cmocka_unit_test(test_many_streams),
		cmocka_unit_test(test_greatest_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
