/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leb128_test.c - values of each length, cut off at each byte, with bits above
 * the 64th, and without an end; each from an allocation that ends where the
 * reader may not read on, so that the sanitizers see a read beyond it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/leb128.h"
#include "tests/model.h"

#define LENGTH_MAX LEB128_BYTES_MAX

/* The LENGTH bytes that hold V, which may have more bytes than it needs. */
static void encode(uint8_t *bytes, size_t length, uint64_t v)
{
	size_t i;

	for (i = 0; i < length; i++) {
		bytes[i] = (uint8_t)((v & 0x7f) | 0x80);
		v >>= 7;
	}
	bytes[length - 1] &= 0x7f;
}

/* Reads the SIZE bytes at DATA: all three results must be as given. */
static void expect(const uint8_t *data, size_t size, enum leb128_status status,
		   uint64_t want, size_t taken)
{
	const uint64_t unset = 0x5555555555555555;
	uint8_t *copy = malloc(size + 1);
	const uint8_t *p = copy + 1;
	uint64_t value = unset;

	assert_non_null(copy);
	memcpy(copy + 1, data, size);
	assert_int_equal(leb128_read(&p, copy + 1 + size, &value), status);
	assert_int_equal(p - (copy + 1), taken);
	assert_true(value == (taken == 0 ? unset : want));
	free(copy);
}

/* Without an end: LENGTH_MAX bytes can be read. GOOD: the value is not bad. */
static void expect_easy(const uint8_t *data, size_t size, bool good,
			uint64_t want, size_t taken)
{
	const uint64_t unset = 0x5555555555555555;
	uint8_t *copy = malloc(LENGTH_MAX);
	const uint8_t *p;
	uint64_t value;
	int mixed;

	assert_non_null(copy);
	memset(copy, 0xff, LENGTH_MAX);
	memcpy(copy, data, size);
	for (mixed = 0; mixed < 2; mixed++) {
		p = copy;
		value = unset;
		assert_int_equal(mixed ? leb128_easy_mixed(&p, &value)
				       : leb128_easy(&p, &value),
				 good);
		assert_true(value == (good ? want : unset));
		assert_int_equal(p - copy, good ? taken : 0);
	}
	free(copy);
}

static void test_lengths(void **state)
{
	uint64_t seed = 1, v;
	uint8_t bytes[LENGTH_MAX];
	size_t length, cut;
	unsigned i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		length = 1 + (size_t)random_below(&seed, LENGTH_MAX);
		v = random_next(&seed);
		if (length < LENGTH_MAX)
			v &= ((uint64_t)1 << (7 * length)) - 1;
		if (i % 5 == 0)
			v &= 0xff; /* more bytes than it needs */
		encode(bytes, length, v & (length == 1 ? 0x7f : UINT64_MAX));
		v &= length == 1 ? 0x7f : UINT64_MAX;
		expect(bytes, length, LEB128_GOOD, v, length);
		expect_easy(bytes, length, true, v, length);
		for (cut = 0; cut < length; cut++)
			expect(bytes, cut, LEB128_CUT_OFF, 0, 0);
	}
}

static void test_limits(void **state)
{
	static const uint64_t values[] = {
		0,          0x7f,       0x80,      0x3fff,
		0x4000,     UINT32_MAX, INT64_MAX, (uint64_t)1 << 63,
		UINT64_MAX,
	};
	uint8_t bytes[LENGTH_MAX];
	size_t i, length;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		length = 1;
		while (length < LENGTH_MAX && values[i] >> (7 * length) != 0)
			length++;
		encode(bytes, length, values[i]);
		expect(bytes, length, LEB128_GOOD, values[i], length);
		expect_easy(bytes, length, true, values[i], length);
	}
}

/* Only the lowest bit of a tenth byte is within the 64. */
static void test_overflow(void **state)
{
	uint8_t bytes[LENGTH_MAX];
	unsigned last;

	(void)state;
	for (last = 0; last < 0x80; last++) {
		uint64_t want = (uint64_t)(last & 1) << 63;

		encode(bytes, LENGTH_MAX, 0);
		bytes[LENGTH_MAX - 1] = (uint8_t)last;
		expect(bytes, LENGTH_MAX,
		       last < 2 ? LEB128_GOOD : LEB128_OVERFLOW, want,
		       LENGTH_MAX);
		expect_easy(bytes, LENGTH_MAX, last < 2, want, LENGTH_MAX);
	}
}

static void test_too_long(void **state)
{
	uint8_t bytes[LENGTH_MAX + 1];

	(void)state;
	memset(bytes, 0x80, LENGTH_MAX);
	bytes[LENGTH_MAX] = 0;
	expect(bytes, LENGTH_MAX, LEB128_TOO_LONG, 0, 0);
	expect(bytes, LENGTH_MAX + 1, LEB128_TOO_LONG, 0, 0);
	expect_easy(bytes, LENGTH_MAX, false, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
