/* SPDX-License-Identifier: BSD-3-Clause */
/* lengths_test.c - the distribution of lengths against all of them, sorted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/lengths.h"

static struct gtrace_allocator memory;

static void test_classes(void **state)
{
	uint64_t length = 0, number = 0;
	unsigned bit;

	(void)state;
	/* Each class follows the one before it, up to the last length. */
	for (length = 0; length < 100000; length++) {
		uint64_t next = lengths_class(length);

		assert_true(next == number || next == number + 1);
		number = next;
	}
	for (bit = 0; bit < 63; bit++) {
		length = (uint64_t)1 << bit;
		assert_int_equal(lengths_class(length),
				 lengths_class(length - 1) + 1);
	}
	assert_int_equal(lengths_class(INT64_MAX), LENGTHS_CLASSES - 1);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* COUNT lengths of up to BITS bits. */
static void check_random(size_t count, unsigned bits)
{
	static const unsigned permilles[] = {1, 500, 990, 999, 1000};
	static int64_t all[5000];
	struct lengths lengths;
	uint64_t random = count * 0x9e3779b97f4a7c15u + bits;
	size_t i;

	assert_true(gti_lengths_init(&lengths, &memory));
	for (i = 0; i < count; i++) {
		random = random * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
		all[i] = (int64_t)(random >> 1 >> (63 - bits) >> (random & 7));
		lengths_add(&lengths, all[i]);
	}
	qsort(all, count, sizeof(all[0]), compare);
	lengths.count = count;
	lengths.max = all[count - 1];
	for (i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		size_t rank = (count * permilles[i] + 999) / 1000;
		int64_t want = all[rank - 1];
		int64_t got = gti_lengths_quantile(&lengths, permilles[i]);

		assert_true(llabs(got - want) <= want / 256);
		assert_true(got <= lengths.max);
	}
	gti_lengths_clear(&lengths);
	assert_int_equal(gti_lengths_quantile(&lengths, 500), 0);
	lengths_add(&lengths, 7);
	lengths.count = 1;
	lengths.max = 7;
	assert_int_equal(gti_lengths_quantile(&lengths, 1), 7);
	gti_lengths_free(&lengths, &memory);
}

static void test_quantiles(void **state)
{
	static const size_t counts[] = {1, 2, 3, 999, 1000, 1001, 5000};
	unsigned bits;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (bits = 0; bits <= 63; bits += 7)
			check_random(counts[i], bits);
}

/* Adds LENGTH to distribution *NUMBER. */
static void add_rough(struct rough_table *table, uint32_t *number,
		      int64_t length)
{
	assert_true(rough_add(table, number, rough_class((uint64_t)length),
			      &memory));
}

/* Lengths of two distributions, joined, against those of one. */
static void test_rough(void **state)
{
	struct rough_table table = {.lengths = {0}};
	uint32_t parts[2] = {0, 0}, whole = 0, joined = 0;
	int64_t length = 1;
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		add_rough(&table, &parts[i % 3 == 0], length);
		add_rough(&table, &whole, length);
		length += length / 50 + 1;
	}
	assert_true(gti_rough_join(&table, &joined, 0, &memory));
	assert_int_equal(joined, 0);
	for (i = 0; i < 2; i++)
		assert_true(
			gti_rough_join(&table, &joined, parts[i], &memory));
	assert_int_equal(joined, parts[0]);
	for (i = 1; i <= 1000; i += 37)
		assert_int_equal(
			gti_rough_within(&table, joined, (unsigned)i),
			gti_rough_within(&table, whole, (unsigned)i));
	/* The last ten are beyond it. */
	length = 1;
	for (i = 0; i < 989; i++)
		length += length / 50 + 1;
	assert_true(llabs(gti_rough_within(&table, whole, 990) - length) <=
		    length / 50);
	gti_rough_free(&table, &memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_rough),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
