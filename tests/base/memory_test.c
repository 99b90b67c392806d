/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_test.c - arrays keep what is in them as they grow, and all memory of
 * an arena is aligned and its own.
 */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

static void test_array(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct array array = {0};
	uint32_t i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		assert_true(gti_array_reserve(&array, sizeof(i), &memory));
		((uint32_t *)array.items)[array.count++] = i;
	}
	for (i = 0; i < 10000; i++)
		assert_int_equal(((uint32_t *)array.items)[i], i);
	gti_array_free(&array, sizeof(i), &memory);
	assert_int_equal(array.capacity, 0);
}

static void test_arena(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct arena arena = {.memory = &memory};
	uint8_t *parts[200];
	size_t i, j;

	(void)state;
	assert_non_null(gti_arena_allocate(&arena, 0));
	for (i = 0; i < 200; i++) {
		parts[i] = gti_arena_allocate(&arena, i * 37 + 1);
		assert_non_null(parts[i]);
		assert_int_equal((uintptr_t)parts[i] % alignof(max_align_t), 0);
		memset(parts[i], (int)i, i * 37 + 1);
	}
	for (i = 0; i < 200; i++)
		for (j = 0; j < i * 37 + 1; j++)
			assert_int_equal(parts[i][j], i);
	assert_null(gti_arena_allocate(&arena, SIZE_MAX));
	gti_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
