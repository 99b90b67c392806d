/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map_test.c - the map and the dictionary against plain arrays, through many
 * random puts and deletes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "tests/model.h"

#define KEYS 1500

static void test_map(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	uint64_t want[KEYS] = {0}, seed = 1, i;
	struct map map = {0};
	size_t count = 0, first_capacity;

	(void)state;
	assert_non_null(gti_map_put(&map, 0, &memory));
	gti_map_delete(&map, 0);
	first_capacity = ids_capacity(&map.entries);
	for (i = 1; i < 200000; i++) {
		/* Keys far apart and close by. */
		uint64_t n = random_below(&seed, KEYS);
		uint64_t key = n % 2 ? n : n << 40, *value;

		if (random_below(&seed, 2) == 0) {
			value = gti_map_put(&map, key, &memory);
			assert_non_null(value);
			assert_int_equal(*value, want[n]);
			count += want[n] == 0;
			*value = want[n] = i;
		} else {
			gti_map_delete(&map, key);
			count -= want[n] != 0;
			want[n] = 0;
		}
		n = random_below(&seed, KEYS);
		value = gti_map_get(&map, n % 2 ? n : n << 40);
		assert_int_equal(value != NULL ? *value : 0, want[n]);
		assert_int_equal(map_count(&map), count);
	}
	assert_true(ids_capacity(&map.entries) > 2 * first_capacity);
	gti_map_free(&map, &memory);
	assert_null(gti_map_get(&map, 1));
}

static void test_dictionary(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct dictionary dictionary = {0};
	uint64_t id;

	(void)state;
	/* Ids beyond the array move into it once it has grown that far. */
	for (id = 3000; id > 2000; id--)
		assert_true(
			gti_dictionary_set(&dictionary, id, id + 7, &memory));
	assert_true(gti_dictionary_set(&dictionary, UINT64_MAX, 5, &memory));
	assert_true(map_count(&dictionary.sparse) > 0);
	for (id = 0; id <= 2000; id++)
		assert_true(
			gti_dictionary_set(&dictionary, id, id + 7, &memory));
	for (id = 3001; id < 9000; id++)
		assert_true(
			gti_dictionary_set(&dictionary, id, id + 7, &memory));
	assert_int_equal(map_count(&dictionary.sparse), 1);
	for (id = 0; id < 9000; id++)
		assert_int_equal(dictionary_get(&dictionary, id), id + 7);
	assert_int_equal(dictionary_get(&dictionary, UINT64_MAX), 5);
	assert_int_equal(dictionary_get(&dictionary, UINT64_MAX - 1), 0);
	assert_int_equal(dictionary.count, 9001);
	gti_dictionary_free(&dictionary, &memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_dictionary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
