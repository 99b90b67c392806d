/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids_test.c - records by id against a plain list, with ids that are dense, far
 * apart, and the least and greatest there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model.h"
#include "base/ids.h"

#define IDS   12000
#define STEPS 240000

struct record {
	uint64_t id;
	uint64_t stamp;
	uint8_t rest[RECORD_ALIGNMENT - 16];
};

static uint64_t id_of(uint64_t number)
{
	switch (number % 3) {
	case 0:
		return number;
	case 1:
		return UINT64_MAX - number + 1; /* the greatest is there */
	default:
		return number << 32;
	}
}

static void assert_found(const struct ids *ids, uint64_t id,
			 struct record *record, uint64_t stamp)
{
	assert_ptr_equal(ids_find(ids, id), record);
	if (record == NULL)
		return;
	assert_true(record->id == id);
	assert_true(record->stamp == stamp);
	assert_int_equal((uintptr_t)record % RECORD_ALIGNMENT, 0);
}

static void test_against_list(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	static struct record *records[IDS];
	static uint64_t stamps[IDS];
	uint64_t seed = 7, step, number;
	struct ids ids;
	size_t first_capacity;

	(void)state;
	assert_true(gti_ids_init(&ids, sizeof(struct record),
				 IDS_BITS_OF_GOROUTINES, &memory));
	first_capacity = ids_capacity(&ids);
	for (step = 1; step <= STEPS; step++) {
		number = random_below(&seed, IDS);
		if (records[number] == NULL) {
			struct record *record =
				gti_ids_add(&ids, id_of(number));

			assert_non_null(record);
			assert_true(record->stamp == 0);
			record->stamp = stamps[number] = step;
			records[number] = record;
		} else if (random_below(&seed, 4) != 0) {
			gti_ids_remove(&ids, records[number]);
			records[number] = NULL;
		}
		assert_found(&ids, id_of(number), records[number],
			     stamps[number]);
	}
	for (number = 0; number < IDS; number++)
		assert_found(&ids, id_of(number), records[number],
			     stamps[number]);
	/* It grew more than once. */
	assert_true(ids_capacity(&ids) > 2 * first_capacity);
	/* Records of removed ids are used again. */
	assert_true(ids.records.used < IDS);
	gti_ids_free(&ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
