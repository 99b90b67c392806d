/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output_test.c - numbers as printf prints them, text longer than the buffer,
 * and a failure that sticks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>

#include "base/memory.h"
#include "base/output.h"
#include "tests/model.h"

static void check_number(uint64_t value)
{
	char got[64], want[64];

	*gti_put_decimal(got, value) = '\0';
	snprintf(want, sizeof(want), "%" PRIu64, value);
	assert_string_equal(got, want);
	*gti_put_signed(got, (int64_t)value) = '\0';
	snprintf(want, sizeof(want), "%" PRId64, (int64_t)value);
	assert_string_equal(got, want);
	*gti_put_hex(got, value) = '\0';
	snprintf(want, sizeof(want), "0x%" PRIx64, value);
	assert_string_equal(got, want);
}

static void test_numbers(void **state)
{
	uint64_t seed = 5, i;

	(void)state;
	for (i = 0; i < 2000; i++)
		check_number(i);
	for (i = 0; i < 64; i++) {
		check_number((uint64_t)1 << i);
		check_number(((uint64_t)1 << i) - 1);
		check_number(random_next(&seed) >> i);
	}
	check_number(UINT64_MAX);
	check_number(UINT64_C(10000000000000000000));
}

struct collected {
	char *bytes;
	size_t size;
	size_t limit; /* fails beyond */
};

static int collect(void *context, const void *data, size_t size)
{
	struct collected *to = context;

	if (to->size + size > to->limit)
		return ENOSPC;
	memcpy(to->bytes + to->size, data, size);
	to->size += size;
	return 0;
}

static void test_long_text(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	size_t size = 1000000, i, limit;
	char *text = malloc(size);
	struct collected to = {malloc(4 * size), 0, 0};
	struct gtrace_output sink = {.write = collect, .context = &to};
	struct gtrace_error error;
	struct writer writer;

	(void)state;
	assert_true(text != NULL && to.bytes != NULL);
	for (i = 0; i < size; i++)
		text[i] = (char)('a' + i % 23);
	for (limit = 0; limit < 2; limit++) {
		to.size = 0;
		to.limit = limit == 0 ? 4 * size : size;
		assert_int_equal(
			gti_writer_init(&writer, &sink, &memory, &error),
			GTRACE_OK);
		gti_write_bytes(&writer, text, 10);
		gti_write_bytes(&writer, text + 10, size - 10);
		for (i = 0; i < size; i += 1000)
			gti_write_bytes(&writer, text + i, 1000);
		if (limit == 0) {
			assert_int_equal(gti_writer_finish(&writer, &error),
					 GTRACE_OK);
			assert_int_equal(to.size, 2 * size);
			assert_memory_equal(to.bytes, text, size);
			assert_memory_equal(to.bytes + size, text, size);
			continue;
		}
		assert_int_equal(gti_writer_finish(&writer, &error),
				 GTRACE_ERROR_WRITE);
		assert_int_equal(error.system_error, ENOSPC);
		assert_int_equal(to.size, size);
	}
	free(text);
	free(to.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_long_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
