/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partial_test.c - what is reported of a damaged trace with `partial` is the
 * longest part, from its start, that is a trace by itself: of all the sizes it
 * could be cut to, the greatest that is good.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/model.h"

#define SIZE_LIMIT 2000
#define DAMAGES    100
#define HEADER     16

static bool is_good(const uint8_t *data, size_t size)
{
	size_t written = 0;
	struct gtrace_output output = {.write = counted_write,
				       .context = &written};
	struct gtrace_error error;
	struct gtrace *trace;
	bool good;

	if (gtrace_open_memory(data, size, NULL, &trace, &error) != GTRACE_OK)
		return false;
	good = gtrace_print_greedy(trace, 3, &output, &error) == GTRACE_OK;
	gtrace_close(trace);
	return good;
}

static size_t longest_good(const uint8_t *data, size_t size)
{
	while (size > HEADER && !is_good(data, size))
		size--;
	return size > HEADER ? size : 0;
}

/* How much is read with `partial`, 0 if nothing can be. */
static size_t read_partially(const uint8_t *data, size_t size)
{
	struct gtrace_options options = {.partial = 1};
	const struct gtrace_error *reason;
	uint64_t offset, left_out;
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(data, size, &options, &trace, &error) !=
	    GTRACE_OK) {
		assert_true(error.message[0] != '\0');
		return 0;
	}
	if (gtrace_left_out(trace, &offset, &left_out, &reason)) {
		assert_true(offset + left_out == size);
		assert_true(reason->message[0] != '\0');
		size = (size_t)offset;
	}
	gtrace_close(trace);
	return size;
}

/* Cuts DATA off, or changes one to three bytes. Returns the size. */
static size_t damage(uint8_t *data, size_t size, uint64_t *seed)
{
	uint64_t changes = random_below(seed, 4);

	if (changes == 0)
		return HEADER + (size_t)random_below(seed, size - HEADER);
	while (changes-- > 0)
		data[HEADER + random_below(seed, size - HEADER)] =
			(uint8_t)random_next(seed);
	return size;
}

static void test_longest_part(void **state)
{
	static const char *const paths[] = {
		"testdata/go1.8-small/idle.trace",
		"testdata/go1.19-small/idle.trace",
		"testdata/go1.21-small/idle.trace",
	};
	unsigned parts = 0, nothing = 0, i, k;
	uint64_t seed = 3;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		uint8_t whole[SIZE_LIMIT], data[SIZE_LIMIT];
		FILE *file = fopen(paths[i], "rb");
		size_t size;

		assert_non_null(file);
		size = fread(whole, 1, sizeof(whole), file);
		fclose(file);
		assert_true(size < sizeof(whole));
		assert_int_equal(read_partially(whole, size), size);
		for (k = 0; k < DAMAGES; k++) {
			size_t left, want;

			memcpy(data, whole, size);
			left = damage(data, size, &seed);
			want = longest_good(data, left);
			assert_int_equal(read_partially(data, left), want);
			parts += want != 0 && want != left;
			nothing += want == 0;
		}
	}
	print_message("%u parts, %u times nothing\n", parts, nothing);
	assert_true(parts > 50 && nothing > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
