/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier_test.c - candidates are taken in the order in which the reference's
 * list would have them: in each round the new ones are appended, the list is
 * sorted by ticks, the first is taken, and the last takes its place.
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

#define STREAMS_MAX 100

struct listed {
	int64_t ticks;
	uint32_t stream;
};

struct list {
	struct listed items[STREAMS_MAX];
	uint32_t count;
};

/* Insertion sort, after go1.8's pass over a gap of six if so wanted. */
static void sort_list(struct list *list, bool gap_pass)
{
	struct listed *items = list->items;
	uint32_t i, j;

	for (i = 6; gap_pass && list->count <= 12 && i < list->count; i++)
		if (items[i].ticks < items[i - 6].ticks) {
			struct listed moved = items[i];

			items[i] = items[i - 6];
			items[i - 6] = moved;
		}
	for (i = 1; i < list->count; i++)
		for (j = i; j > 0 && items[j].ticks < items[j - 1].ticks; j--) {
			struct listed moved = items[j];

			items[j] = items[j - 1];
			items[j - 1] = moved;
		}
}

static uint32_t take_from(struct list *list)
{
	uint32_t stream = list->items[0].stream;

	list->items[0] = list->items[--list->count];
	return stream;
}

/*
 * STREAMS streams with random ticks below SPREAD ahead of the last, of which
 * some are held back for some rounds.
 */
static void play(uint64_t seed, uint32_t streams, uint64_t spread,
		 bool gap_pass)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	bool outside[STREAMS_MAX];
	struct frontier frontier;
	struct list list = {.count = 0};
	uint32_t rounds, i, got, want;
	int64_t now = 0;
	bool exchanged;

	assert_true(gti_frontier_init(&frontier, streams, gap_pass, &memory));
	memset(outside, 1, sizeof(outside));
	for (rounds = 0; rounds < 3000; rounds++) {
		exchanged = false;
		for (i = 0; i < streams; i++) {
			int64_t ticks =
				now + (int64_t)random_below(&seed, spread);

			if (!outside[i] || random_below(&seed, 4) == 0)
				continue;
			outside[i] = false;
			list.items[list.count++] = (struct listed){ticks, i};
			/* Often only the stream taken last has a new one. */
			got = i;
			exchanged = frontier.added_count == 0 &&
				    rounds % 2 == 0 &&
				    frontier_exchange(&frontier, ticks, &got);
			if (exchanged)
				break;
			frontier_add(&frontier, ticks, i);
		}
		if (list.count == 0)
			continue;
		sort_list(&list, gap_pass);
		now = list.items[0].ticks;
		want = take_from(&list);
		if (!exchanged)
			assert_true(gti_frontier_take(&frontier, &got));
		assert_int_equal(got, want);
		outside[want] = true;
	}
	gti_frontier_free(&frontier);
}

static void test_like_the_reference(void **state)
{
	static const uint32_t streams[] = {1,  2,  3,  6,  7,  8,  12,
					   13, 20, 32, 33, 40, 100};
	static const uint64_t spreads[] = {2, 5, 40, 1000000};
	size_t i, j;
	uint64_t seed;

	(void)state;
	for (i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		for (j = 0; j < sizeof(spreads) / sizeof(spreads[0]); j++)
			for (seed = 1; seed <= 6; seed++) {
				play(seed, streams[i], spreads[j], false);
				play(seed, streams[i], spreads[j], true);
			}
}

static void test_empty(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct frontier frontier;
	uint32_t stream;

	(void)state;
	assert_true(gti_frontier_init(&frontier, 3, false, &memory));
	assert_false(gti_frontier_take(&frontier, &stream));
	gti_frontier_free(&frontier);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_the_reference),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
