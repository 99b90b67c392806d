/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idset_test.c - ids in are found and others not, and a long range of ids takes
 * a few words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/idset.h"
#include "tests/model.h"

#define IDS 100000

static bool has(struct idset *set, uint64_t id)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	bool is_in;

	assert_true(idset_has(set, id, &memory, &is_in));
	return is_in;
}

static void test_range(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct idset set = {0};
	uint64_t id;

	(void)state;
	/* Two interleaved halves, as goroutines end out of order. */
	for (id = 0; id < IDS; id += 2)
		assert_true(idset_add(&set, id, &memory));
	for (id = 0; id < IDS; id++)
		assert_int_equal(has(&set, id), id % 2 == 0);
	for (id = 1; id < IDS; id += 2)
		assert_true(idset_add(&set, id, &memory));
	for (id = 0; id < IDS; id++)
		assert_true(has(&set, id));
	assert_false(has(&set, IDS));
	assert_true(map_count(&set.words) < 10);
	/* Again changes nothing. */
	assert_true(idset_add(&set, 100, &memory));
	assert_true(has(&set, 99));
	assert_true(has(&set, 101));
	gti_idset_free(&set, &memory);
}

static void test_far_apart(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	uint64_t seed = 3, again = 3;
	struct idset set = {0};
	unsigned i;

	(void)state;
	assert_true(idset_add(&set, UINT64_MAX, &memory));
	for (i = 0; i < 1000; i++)
		assert_true(idset_add(&set, random_next(&seed), &memory));
	for (i = 0; i < 1000; i++)
		assert_true(has(&set, random_next(&again)));
	assert_true(has(&set, UINT64_MAX));
	for (i = 0; i < 1000; i++)
		assert_false(has(&set, random_next(&again)));
	gti_idset_free(&set, &memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
