/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers_test.c - numbers by keys that are in rows, far apart and equal, with
 * and without memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/numbers.h"
#include "tests/counted.h"

#define COUNT  30000
#define TABLES 15

/* Two things in a row have the same key. */
static uint64_t key_of(const void *context, uint32_t number)
{
	const uint64_t *step = context;

	return number / 2 * *step;
}

/* Returns how many places are looked at until NUMBER is found. */
static size_t probes(const struct numbers *numbers, const uint64_t *step,
		     uint32_t number)
{
	uint32_t at = numbers_place(numbers, key_of(step, number));
	size_t probes = 1;

	for (; numbers->table[at] != number + 1; probes++) {
		assert_int_not_equal(numbers->table[at], 0);
		at = numbers_next(numbers, at);
	}
	return probes;
}

static bool add(struct numbers *numbers, const uint64_t *step)
{
	uint64_t key = key_of(step, numbers->count);
	uint32_t at = numbers_place(numbers, key);

	while (numbers->table[at] != 0)
		at = numbers_next(numbers, at);
	return numbers_add(numbers, key, at, key_of, step);
}

/*
 * Returns whether few places are looked at for a thing of a table with SECRET
 * that has COUNT of them. It is about 2 if places are random.
 */
static bool is_spread(uint64_t secret, uint64_t step)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct numbers numbers;
	size_t sum = 0;
	uint32_t i;

	assert_true(gti_numbers_init(&numbers, &memory));
	numbers.secret = secret;
	for (i = 0; i < COUNT; i++)
		assert_true(add(&numbers, &step));
	assert_int_equal(numbers.count, COUNT);
	for (i = 0; i < COUNT; i++)
		sum += probes(&numbers, &step, i);
	gti_numbers_empty(&numbers);
	assert_int_equal(numbers.count, 0);
	for (i = 0; i <= numbers.mask; i++)
		assert_int_equal(numbers.table[i], 0);
	gti_numbers_free(&numbers);
	gti_numbers_free(&numbers);
	assert_int_equal(counted.bytes, 0);
	return sum < 3 * (size_t)COUNT;
}

static void check_rows(uint64_t step)
{
	uint64_t secret = 1;
	int i;

	for (i = 0; i < TABLES; i++) {
		secret = secret * 6364136223846793005u + 1442695040888963407u;
		assert_true(is_spread(secret | 1, step));
	}
}

static void test_rows(void **state)
{
	(void)state;
	check_rows(1);
	check_rows(8);
	check_rows((uint64_t)1 << 32);
	check_rows((uint64_t)1 << 49);
	check_rows(0x9e3779b97f4a7c15u);
}

/* What was added before memory ran out is still there. */
static void test_no_memory(void **state)
{
	struct counted counted = {.left = 1};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct numbers numbers;
	uint64_t step = 1;
	uint32_t i, added = 0;

	(void)state;
	assert_true(gti_numbers_init(&numbers, &memory));
	while (add(&numbers, &step))
		added++;
	assert_true(added > 0);
	assert_int_equal(numbers.count, added);
	for (i = 0; i < added; i++)
		assert_true(probes(&numbers, &step, i) > 0);
	counted.left = SIZE_MAX;
	assert_true(add(&numbers, &step));
	gti_numbers_free(&numbers);
	assert_int_equal(counted.bytes, 0);

	counted.left = 0;
	assert_false(gti_numbers_init(&numbers, &memory));
	gti_numbers_free(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
