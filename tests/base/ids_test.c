/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids_test.c - records by id against a plain list, with ids that are dense, far
 * apart, and the least and greatest there are; and how many places a search
 * looks at, with ids that are chosen so that many may have the same place.
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

/* --------------------------------------------------------------- chosen -- */

#define CHOSEN 80000

/* Their products with 2^32 divided by the golden ratio are small. */
static uint64_t next_near(uint64_t id)
{
	do
		id++;
	while ((uint32_t)(id * 0x9e3779b9u) >= (uint32_t)1 << 27);
	return id;
}

/*
 * The places between those of the hashes of COUNT ids and those where they are.
 * The ids are multiples of STEP; 0: those of next_near().
 */
static uint64_t count_places(uint64_t step, size_t count)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	uint64_t places = 0, id = 0;
	struct ids ids;
	size_t i;

	assert_true(gti_ids_init(&ids, sizeof(struct record),
				 IDS_BITS_OF_OTHERS, &memory));
	for (i = 0; i < count; i++) {
		id = step != 0 ? id + step : next_near(id);
		assert_non_null(gti_ids_add(&ids, id));
	}
	for (i = 0; i < ids_capacity(&ids); i++)
		if (ids.table[i] != NULL)
			places += ids_distance(
				&ids, ids_place(&ids, record_id(ids.table[i])),
				i);
	gti_ids_free(&ids);
	return places;
}

/* Of several secrets, as a few of them are bad for a few ids. */
static void assert_near(uint64_t step, size_t count)
{
	uint64_t least = UINT64_MAX;
	unsigned round;

	for (round = 0; round < 5; round++) {
		uint64_t places = count_places(step, count);

		if (places < least)
			least = places;
	}
	assert_in_range(least, 0, 4 * count);
}

static void test_chosen_ids(void **state)
{
	unsigned bit;

	(void)state;
	assert_near(0, CHOSEN);
	assert_near(0x9e3779b97f4a7c15u, CHOSEN);
	for (bit = 0; bit < 56; bit++) {
		uint64_t most = (UINT64_MAX >> bit) - 1;

		assert_near((uint64_t)1 << bit,
			    most < CHOSEN ? (size_t)most : CHOSEN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_list),
		cmocka_unit_test(test_chosen_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
