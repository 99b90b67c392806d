/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool_test.c - records of a pool do not move, begin as zero bytes, and are
 * used again after they were given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pool.h"

#define RECORDS 5000

struct record {
	uint64_t first;
	uint64_t number;
	uint64_t last;
};

static void take_all(struct pool *pool, struct record **records)
{
	uint64_t i;

	for (i = 0; i < RECORDS; i++) {
		struct record *record = gti_pool_take(pool);

		assert_non_null(record);
		assert_true(record->first == 0 && record->number == 0 &&
			    record->last == 0);
		*record = (struct record){~i, i, ~i};
		records[i] = record;
	}
}

static void assert_kept(const struct pool *pool, struct record **records)
{
	uint64_t i;

	assert_int_equal(pool->used, RECORDS);
	for (i = 0; i < RECORDS; i++) {
		assert_true(records[i]->number == i);
		assert_true(records[i]->first == ~i && records[i]->last == ~i);
	}
}

static void test_records(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct pool pool = {.memory = &memory, .size = sizeof(struct record)};
	static struct record *records[RECORDS];
	uint32_t i;

	(void)state;
	take_all(&pool, records);
	assert_kept(&pool, records);
	for (i = 0; i < RECORDS; i++)
		assert_ptr_equal(gti_pool_at(&pool, i), records[i]);
	for (i = 0; i < RECORDS; i++)
		gti_pool_give(&pool, records[i]);
	take_all(&pool, records);
	assert_kept(&pool, records);
	gti_pool_free(&pool);
	take_all(&pool, records);
	gti_pool_free(&pool);
}

static void test_alignment(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct pool pool = {.memory = &memory, .size = 2 * RECORD_ALIGNMENT};
	uint32_t i;

	(void)state;
	for (i = 0; i < RECORDS; i++)
		assert_int_equal(
			(uintptr_t)gti_pool_take(&pool) % RECORD_ALIGNMENT, 0);
	gti_pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
