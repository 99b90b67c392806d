/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks_test.c - what is found is what counting finds, with long pieces and
 * short ones, many questions and few, and many equal times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run/ranks.h"
#include "tests/model.h"

struct shape {
	size_t pieces, longest, asked;
	uint64_t range; /* of the times */
};

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* A sorted piece of random times, which are also put to *ALL. */
static void add_piece(struct ranks *ranks, const struct shape *shape,
		      uint64_t *seed, int64_t *all, size_t *count)
{
	size_t size = (size_t)random_below(seed, shape->longest + 1);
	int64_t *piece = all + *count;
	size_t i;

	for (i = 0; i < size; i++)
		piece[i] = (int64_t)random_below(seed, shape->range) -
			   (int64_t)(shape->range / 2);
	qsort(piece, size, sizeof(*piece), compare_times);
	assert_true(gtrace_ranks_begin_piece(ranks));
	for (i = 0; i < size; i++)
		assert_true(gtrace_ranks_add(ranks, piece[i]));
	*count += size;
}

static void check(const struct ranks *ranks, const int64_t *all, size_t count,
		  int64_t time)
{
	const struct rank *rank = gtrace_ranks_of(ranks, time);
	uint64_t below = 0, same = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		below += all[i] < time;
		same += all[i] == time;
	}
	assert_true(rank->below == below);
	assert_true(rank->same == same);
}

static void play(struct ranks *ranks, const struct shape *shape, uint64_t *seed)
{
	int64_t *all = calloc(shape->pieces * shape->longest + 1, sizeof(*all));
	int64_t *asked = calloc(shape->asked + 1, sizeof(*asked));
	size_t count = 0, i;

	assert_true(all != NULL && asked != NULL);
	for (i = 0; i < shape->pieces; i++)
		add_piece(ranks, shape, seed, all, &count);
	/* Most that is asked for is there, some of it twice, some is not. */
	for (i = 0; i < shape->asked; i++) {
		asked[i] = count != 0 && i % 5 != 0
				   ? all[random_below(seed, count)]
				   : (int64_t)random_below(seed, shape->range);
		assert_true(gtrace_ranks_ask(ranks, asked[i]));
	}
	assert_true(gtrace_ranks_find(ranks));
	for (i = 0; i < shape->asked; i++)
		check(ranks, all, count, asked[i]);
	gtrace_ranks_clear(ranks);
	free(all);
	free(asked);
}

static void test_like_counting(void **state)
{
	static const struct shape shapes[] = {
		{2, 0, 5, 10},      {0, 1, 0, 10},    {1, 1000, 10, 500},
		{100, 3, 50, 1000}, {100, 3, 50, 20}, {10, 50, 30, 300},
		{3, 200, 1, 50},    {30, 30, 0, 100}, {50, 1, 100, 10000},
		{20, 20, 40, 1},

	};
	struct gtrace_allocator memory = gtrace_allocator_or_default(NULL);
	struct ranks ranks;
	uint64_t seed = 11;
	size_t i, j;

	(void)state;
	gtrace_ranks_init(&ranks, &memory);
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		for (j = 0; j < 50; j++)
			play(&ranks, &shapes[i], &seed);
	gtrace_ranks_free(&ranks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
