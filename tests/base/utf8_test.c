/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8_test.c - which characters are shown, and where one is cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

/* Writes the character CODE to TO. Returns its size. */
static size_t encode(uint32_t code, char to[4])
{
	size_t size = code < 0x80      ? 1
		      : code < 0x800   ? 2
		      : code < 0x10000 ? 3
				       : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t i;

	for (i = size; i-- > 1; code >>= 6)
		to[i] = (char)(0x80 | (code & 0x3f));
	to[0] = (char)(lead[size] | code);
	return size;
}

/* Takes the character CODE. Returns what it was taken for. */
static struct utf8 take(uint32_t code)
{
	static char bytes[4];
	struct utf8 text = utf8_of(bytes, encode(code, bytes));

	assert_true(gti_utf8_next(&text));
	return text;
}

/* All characters from FIRST to LAST are HIDDEN, or are not. */
static void check(uint32_t first, uint32_t last, bool hidden)
{
	uint32_t code;

	for (code = first; code <= last; code++) {
		struct utf8 text = take(code);

		assert_false(text.bad);
		assert_int_equal(gti_utf8_code(&text), code);
		assert_int_equal(gti_utf8_is_hidden(&text), hidden);
	}
}

static void test_hidden(void **state)
{
	(void)state;
	check(0, 0x1f, true);
	check(0x20, 0x7e, false);
	check(0x7f, 0x9f, true);
	check(0xa0, 0xac, false);
	check(0xad, 0xad, true); /* soft hyphen */
	check(0xae, 0x34e, false);
	check(0x61c, 0x61c, true);
	check(0x2000, 0x200a, false); /* spaces, which have a width */
	check(0x200b, 0x200f, true);
	check(0x2010, 0x2027, false);
	check(0x2028, 0x202e, true);
	check(0x202f, 0x205f, false);
	check(0x2060, 0x206f, true);
	check(0x3040, 0x3163, false);
	check(0xfe00, 0xfe0f, true);
	check(0xfefe, 0xfefe, false);
	check(0xfeff, 0xfeff, true);
	check(0xfffc, 0xffff, false);
	check(0x1f600, 0x1f64f, false);
	check(0xe0000, 0xe0fff, true); /* tags */
	check(0xe1000, 0xe1000, false);
	check(0x10ffff, 0x10ffff, false);
}

static void test_controls(void **state)
{
	static const uint32_t controls[] = {0,    '\n', 0x1f,  0x7f,
					    0x80, 0x9f, 0x2028, 0x2029};
	static const uint32_t others[] = {' ',    '~',    0xa0,   0xad,
					  0x202a, 0x200b, 0xfeff, 0xe0041};
	struct utf8 text;
	size_t i;

	(void)state;
	for (i = 0; i < 8; i++) {
		text = take(controls[i]);
		assert_true(gti_utf8_is_control(&text));
		text = take(others[i]);
		assert_false(gti_utf8_is_control(&text));
	}
}

static void test_cut(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		bool cut;
	} cases[] = {
		{"", 0, false},
		{"a", 1, false},
		{"\x80", 1, false},
		{"\xc1", 1, false},
		{"\xc2", 1, true},
		{"\xc2\x80", 2, false},
		{"\xe2", 1, true},
		{"\xe2\x80", 2, true},
		{"\xe2\x80\xae", 3, false},
		{"\xe2" "a", 2, false},
		{"\xe0\x9f", 2, false}, /* too long */
		{"\xed\xa0", 2, false}, /* a surrogate */
		{"\xf0\x90\x80", 3, true},
		{"\xf4\x90", 2, false},
		{"\xf5", 1, false},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(
			gti_utf8_is_cut((const unsigned char *)cases[i].bytes,
					cases[i].size),
			cases[i].cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
