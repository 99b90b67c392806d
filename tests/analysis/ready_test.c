/* SPDX-License-Identifier: BSD-3-Clause */
/* ready_test.c - waits by the parts of a trace, against each nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/ready.h"
#include "tests/model.h"

#define LENGTH 5000

static struct gtrace_allocator memory;

/* Random waits, in the order of their ends, in at most WANTED parts. */
static void check(size_t wanted, uint64_t seed)
{
	static uint64_t ready[LENGTH], sums[LENGTH];
	struct ready_parts parts = {.wanted = wanted};
	size_t i, last = 0;
	int64_t from, to;

	memset(ready, 0, sizeof(ready));
	memset(sums, 0, sizeof(sums));
	for (to = 0; to < LENGTH; to += (int64_t)random_below(&seed, 40)) {
		from = to -
		       (int64_t)random_below(
			       &seed, random_below(&seed, 8) == 0 ? 4000 : 30);
		if (from < 0)
			from = -1;
		assert_true(gti_ready_add(&parts, from, to, &memory));
		for (i = from < 0 ? 0 : (size_t)from; i < (size_t)to; i++)
			ready[i]++;
	}
	for (i = 0; i < LENGTH; i++) {
		sums[i >> parts.shift] += ready[i];
		if (ready[i] != 0)
			last = i >> parts.shift;
	}
	assert_in_range(parts.count, last + 1, wanted);
	assert_true(parts.shift == 0 || 2 * parts.count >= wanted);
	gti_ready_settle(&parts);
	for (i = 0; i < parts.count; i++)
		assert_int_equal(parts.parts[i].sum, sums[i]);
	gti_ready_free(&parts, &memory);
}

static void test_random(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed < 200; seed++) {
		check(2, seed);
		check(7, seed);
		check(64, seed);
		check(LENGTH, seed);
	}
}

/* Times that only a damaged trace has. */
static void test_far(void **state)
{
	struct ready_parts parts = {.wanted = 8};

	(void)state;
	assert_true(gti_ready_add(&parts, 5, 5, &memory));
	assert_true(gti_ready_add(&parts, INT64_MIN, -1, &memory));
	assert_null(parts.parts);
	assert_true(gti_ready_add(&parts, INT64_MIN, INT64_MAX, &memory));
	assert_true(gti_ready_add(&parts, 3, 4, &memory));
	gti_ready_settle(&parts);
	assert_int_equal(parts.count, 8);
	assert_true(parts.parts[0].sum == ((uint64_t)1 << 60) + 1);
	assert_true(parts.parts[7].sum == ((uint64_t)1 << 60) - 1);
	gti_ready_free(&parts, &memory);
}

static void test_memory(void **state)
{
	struct ready_parts parts = {.wanted = SIZE_MAX};

	(void)state;
	assert_false(gti_ready_add(&parts, 3, 4, &memory));
	parts.wanted = SIZE_MAX / sizeof(*parts.parts) + 2;
	assert_false(gti_ready_add(&parts, 3, 4, &memory));
	gti_ready_free(&parts, &memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_memory),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
