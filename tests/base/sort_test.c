/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort_test.c - items with equal keys end up where Go's sort.Sort leaves them.
 *
 * The expected values were made by programs of Go: they built the same inputs,
 * sorted them with sort.Sort of Go 1.8.3, 1.19 and 1.27, and summed up in which
 * order the items were then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sort.h"
#include "tests/model.h"

/* Inputs of each length up to this one are summed up together. */
#define COUNT_MAX 1200

enum { GO1_8, GO1_19, GO1_27, RELEASES };

static sort_function *const sorts[RELEASES] = {
	[GO1_8] = gti_sort_go1_8,
	[GO1_19] = gti_sort_go1_19,
	[GO1_27] = gti_sort_go1_27,
};

enum kind {
	ALL_EQUAL,
	TWO_KEYS,
	FIVE_KEYS,
	SOME_EQUAL,
	ANY_KEYS,
	RISING,
	FALLING,
	UP_AND_DOWN,
	NEARLY_RISING,
	TEETH,
	NEXT_ROUND,
	KINDS
};

/* FNV-1a, eight bytes at a time, of the values after sorting. */
static const uint64_t sums[KINDS][RELEASES] = {
	[ALL_EQUAL] = {0xaac13b71d55b890d, 0xaac13b71d55b890d,
		       0xaac13b71d55b890d},
	[TWO_KEYS] = {0xa36b15547eb88f95, 0xc4ac487a59f0afcd,
		      0xf16e29813eaca1bd},
	[FIVE_KEYS] = {0x35fd263f722af5bf, 0x223395f4f38d6a4b,
		       0x6916a9990f8a70ff},
	[SOME_EQUAL] = {0x3a78dee242e38ed7, 0xbdeb3429d969ae53,
			0x7bc83010739e0e7f},
	[ANY_KEYS] = {0xb844831d681da3d9, 0xb844831d681da3d9,
		      0xb844831d681da3d9},
	[RISING] = {0x50fd27df87ae465d, 0xaac13b71d55b890d, 0xaac13b71d55b890d},
	[FALLING] = {0x450016ae1ac15607, 0x434ba82a9cd366bd,
		     0x434ba82a9cd366bd},
	[UP_AND_DOWN] = {0x9b4fa2b483814409, 0xdd1d40c284deb8d9,
			 0x2801a79465a0a607},
	[NEARLY_RISING] = {0x91b0e52066fc0e8d, 0x48ee1e70ddfa847f,
			   0x4fbe13947aedb407},
	[TEETH] = {0x693d0d26ead30b3d, 0x1c029a6b67044945, 0x86071a337ba9a12f},
	[NEXT_ROUND] = {0xa618735782e4f813, 0x5ab1181744343601,
			0x5ab1181744343601},
};

static int64_t key_of(enum kind kind, size_t i, size_t count, uint64_t *seed)
{
	switch (kind) {
	case TWO_KEYS:
		return (int64_t)random_below(seed, 2);
	case FIVE_KEYS:
		return (int64_t)random_below(seed, 5);
	case SOME_EQUAL:
		return (int64_t)random_below(seed, count / 4 + 1);
	case ANY_KEYS:
		return (int64_t)random_next(seed);
	case RISING:
		return (int64_t)(i / 3);
	case FALLING:
		return (int64_t)((count - 1 - i) / 3);
	case UP_AND_DOWN:
		return (int64_t)((i < count / 2 ? i : count - 1 - i) / 2);
	case NEARLY_RISING:
		if (random_below(seed, 8) == 0)
			return (int64_t)random_below(seed, count);
		return (int64_t)(i / 2);
	case TEETH:
		return (int64_t)(i % 17);
	case NEXT_ROUND: /* one moved to the front, three appended */
		if (i == 0)
			return (int64_t)(count / 2);
		if (i + 4 > count)
			return (int64_t)random_below(seed, count / 2 + 1);
		return (int64_t)(i / 2);
	default:
		return 7;
	}
}

static void build(struct sort_item *items, size_t count, enum kind kind)
{
	uint64_t seed = count * 100 + kind + 1;
	size_t i;

	for (i = 0; i < count; i++)
		items[i] = (struct sort_item){key_of(kind, i, count, &seed),
					      (uint32_t)i};
}

static uint64_t add_values(uint64_t sum, const struct sort_item *items,
			   size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		sum = (sum ^ items[i].value) * 0x100000001b3;
	return sum;
}

#define SUM_START 0xcbf29ce484222325

static void test_as_go(void **state)
{
	struct sort_item *items = malloc(COUNT_MAX * sizeof(*items));
	size_t count, i;
	int release, kind;
	uint64_t sum;

	(void)state;
	assert_non_null(items);
	for (release = 0; release < RELEASES; release++) {
		for (kind = 0; kind < KINDS; kind++) {
			sum = SUM_START;
			for (count = 0; count <= COUNT_MAX; count++) {
				build(items, count, (enum kind)kind);
				sorts[release](items, count);
				for (i = 1; i < count; i++)
					assert_true(items[i - 1].key <=
						    items[i].key);
				sum = add_values(sum, items, count);
			}
			if (sum != sums[kind][release])
				print_error("kind %d, release %d\n", kind,
					    release);
			assert_true(sum == sums[kind][release]);
		}
	}
	free(items);
}

/*
 * Keys that make each pivot of the release bad, until it sorts what is left
 * with a heap: found by a comparison that decides about keys as late as it can
 * (M. D. McIlroy, A Killer Adversary for Quicksort), then some made equal.
 */
static const struct killer {
	int release;
	size_t count;
	int8_t keys[40];
	uint64_t sum;
} killers[] = {
	{GO1_8,
	 37,
	 {0, 9, 1, 16, 2, 10, 3, 16, 4, 11, 5,  15, 6,  18, 7,  17, 8,  17, 0,
	  1, 2, 3, 4,  5, 6,  7, 8,  9, 10, 11, 15, 14, 14, 13, 13, 12, 12},
	 0x0ed4614ca0fa8055},
	{GO1_19,
	 31,
	 {2,  3,  4,  5,  6,  7,  9,  0,  15, 8,  12, 24, 19, 18, 1, 14,
	  11, 13, 16, 10, 20, 17, 17, 18, 19, 21, 21, 22, 22, 23, 20},
	 0xb81d8124d25cae12},
	{GO1_27,
	 35,
	 {2,  3,  4,  5,  6,  7,  8,  11, 0,  22, 9,  18, 21, 22, 23, 23, 1, 13,
	  10, 15, 14, 17, 19, 12, 24, 16, 24, 20, 25, 25, 21, 26, 26, 27, 28},
	 0x1c52271d6ff03b48},
};

static void test_heap_in_go(void **state)
{
	struct sort_item items[40];
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(killers) / sizeof(killers[0]); i++) {
		const struct killer *killer = &killers[i];

		for (j = 0; j < killer->count; j++)
			items[j] = (struct sort_item){killer->keys[j],
						      (uint32_t)j};
		sorts[killer->release](items, killer->count);
		assert_true(add_values(SUM_START, items, killer->count) ==
			    killer->sum);
	}
}

/* Elements of any size, ordered by their first two words. */
static int compare_words(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return x[1] < y[1] ? -1 : x[1] > y[1];
}

static void test_total_order(void **state)
{
	static uint64_t got[6 * 500], want[6 * 500];
	uint64_t seed = 1;
	size_t words, count, i;

	(void)state;
	for (words = 2; words <= 6; words++) {
		for (count = 0; count <= 500; count++) {
			for (i = 0; i < count * words; i++)
				got[i] = i % words == 0 ? random_below(&seed, 9)
							: i;
			memcpy(want, got, sizeof(want));
			qsort(want, count, words * sizeof(*want),
			      compare_words);
			gti_sort(got, count, words * sizeof(*got),
				 compare_words);
			assert_memory_equal(got, want, sizeof(got));
		}
	}
}

/*
 * A comparison that makes each pivot bad (McIlroy, as above): an element has no
 * key until it is compared with another one without, and then the less of the
 * two, which is not the pivot, gets the next key.
 */
#define WITHOUT_KEY UINT64_MAX
#define ADVERSE     10000

static uint64_t keys[ADVERSE], next_key, pivot, comparisons;

static int compare_adversely(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	comparisons++;
	if (keys[x] == WITHOUT_KEY && keys[y] == WITHOUT_KEY)
		keys[x == pivot ? x : y] = next_key++;
	if (keys[x] == WITHOUT_KEY)
		pivot = x;
	else if (keys[y] == WITHOUT_KEY)
		pivot = y;
	return keys[x] < keys[y] ? -1 : keys[x] > keys[y];
}

static void test_bad_pivots(void **state)
{
	static uint64_t items[ADVERSE];
	size_t i;

	(void)state;
	for (i = 0; i < ADVERSE; i++) {
		items[i] = i;
		keys[i] = WITHOUT_KEY;
	}
	gti_sort(items, ADVERSE, sizeof(*items), compare_adversely);
	for (i = 1; i < ADVERSE; i++)
		assert_true(keys[items[i - 1]] < keys[items[i]]);
	/* A quicksort alone makes fifty million. */
	assert_true(comparisons >= ADVERSE && comparisons <= 60 * ADVERSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_go),
		cmocka_unit_test(test_heap_in_go),
		cmocka_unit_test(test_total_order),
		cmocka_unit_test(test_bad_pivots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
