/* SPDX-License-Identifier: BSD-3-Clause */
/* texts_test.c - byte strings by number, with and without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/texts.h"
#include "tests/counted.h"

#define COUNT 5000

/* Text NUMBER: some are the beginnings of others. */
static size_t make(char *to, size_t number)
{
	memset(to, 'a', 64);
	return (size_t)sprintf(to, "%zx", number * 0x9e3779b9u) + number % 40;
}

static void test_numbers(void **state)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct texts texts;
	char text[128];
	size_t round, i, size;

	(void)state;
	gti_texts_init(&texts, &memory);
	for (round = 0; round < 2; round++)
		for (i = 0; i < COUNT; i++) {
			size = make(text, i);
			assert_int_equal(gti_texts_put(&texts, text, size), i);
		}
	assert_int_equal(texts_count(&texts), COUNT);
	for (i = 0; i < COUNT; i++) {
		struct gtrace_string found = texts_at(&texts, (uint32_t)i);

		size = make(text, i);
		assert_int_equal(found.size, size);
		assert_memory_equal(found.data, text, size);
	}
	assert_int_equal(gti_texts_put(&texts, "", 0), COUNT);
	assert_int_equal(gti_texts_put(&texts, "", 0), COUNT);
	assert_int_equal(gti_texts_put(&texts, "\0", 1), COUNT + 1);
	gti_texts_free(&texts);
	gti_texts_free(&texts);
	assert_int_equal(counted.bytes, 0);
}

/* After any failed allocation the text can be put again later. */
static void test_no_memory(void **state)
{
	size_t fail, failures = 0;

	(void)state;
	for (fail = 0; fail < 32; fail++) {
		struct counted counted = {.left = fail};
		struct gtrace_allocator memory = counted_allocator(&counted);
		struct texts texts;
		uint32_t i;
		char text;

		gti_texts_init(&texts, &memory);
		for (i = 0; i < 100; i++) {
			text = (char)i;
			if (gti_texts_put(&texts, &text, 1) == i)
				continue;
			failures++;
			counted.left = SIZE_MAX;
			assert_int_equal(gti_texts_put(&texts, &text, 1), i);
		}
		gti_texts_free(&texts);
		assert_int_equal(counted.bytes, 0);
	}
	assert_true(failures > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
