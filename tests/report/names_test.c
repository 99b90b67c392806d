/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names_test.c - how names and numbers are shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/strings.h"
#include "report/sentence.h"

static char text[2 * SHOWN_SIZE];
static struct sentence shown;

/* Says its arguments into `text`, with LOOK. */
#define SAY_IN(look_, ...)                                                     \
	(shown = gti_sentence_begin(text, sizeof(text), false),                \
	 shown.look = (look_), gti_say(&shown, __VA_ARGS__))
#define SAY(...) SAY_IN(LOOK_SCREEN, __VA_ARGS__)

/* How many characters `text` has. */
static size_t columns(void)
{
	const char *at;
	size_t count = 0;

	for (at = text; *at != '\0'; at++)
		count += ((unsigned char)*at & 0xc0) != 0x80;
	return count;
}

static void check_shown(const char *want)
{
	assert_string_equal(text, want);
	assert_int_equal(shown.to - text, strlen(want));
}

#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static void test_functions(void **state)
{
	static const struct {
		const char *function;
		const char *shown;
	} cases[] = {
		{"main.f", "main.f"},
		{"", ""},
		{"net/http.(*conn).serve", "http.(*conn).serve"},
		{"github.com/a/b/c.(*T).f.func1", "c.(*T).f.func1"},
		{"github.com/a/b/v2.Do", "b/v2.Do"},
		{"github.com/a/b/v2/c.Do", "c.Do"},
		{"github.com/a/v.Do", "v.Do"},
		{"github.com/a/v2x.Do", "v2x.Do"},
		{"v2.Do", "v2.Do"},
		{"gopkg.in/yaml%2ev2.Do", "yaml%2ev2.Do"},
		/* Type arguments, which can have paths of their own. */
		{"main.Map[go.shape.int,map[a.com/b.K]c/d.V].f",
		 "main.Map[\u2026].f"},
		{"a.com/b.Map[a.com/c.T]", "b.Map[\u2026]"},
		{"main.(*L[...]).Push[int]", "main.(*L[\u2026]).Push[\u2026]"},
		/* Brackets without their other ones. */
		{"main.a[b", "main.a[b"},
		{"main.a]b[", "main.a]b["},
		/* No import path. */
		{"</script><script>alert(1)</script>",
		 "</script><script>alert(1)</script>"},
		{"a b/c d.f", "a b/c d.f"},
		/* 60 characters, and 61. */
		{"main." FIFTY "abcde", "main." FIFTY "abcde"},
		{"main." FIFTY "abcdef", "main.0123456789012345678\u2026"
					 "1234567890123456789" TEN "abcdef"},
		/* Cut within type arguments: these are one piece. */
		{"main." TEN "01234567[T]" FIFTY, "main." TEN "01234567\u2026"
						  "56789" TEN TEN TEN},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		SAY("%i", string_of(cases[i].function));
		check_shown(cases[i].shown);
	}
}

/* The longest possible text of 60 characters, of four bytes each. */
static void test_wide(void **state)
{
	char name[4 * 100 + 1];
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		memcpy(name + 4 * i, "\xf0\x9f\x98\x80", 4);
	name[400] = '\0';
	SAY("%i", string_of(name));
	assert_int_equal(columns(), SHOWN_CHARACTERS);
	assert_int_equal(strlen(text), 4 * 59 + 3);
	name[4 * SHOWN_CHARACTERS] = '\0';
	SAY("%i", string_of(name));
	check_shown(name);
}

/* A name of a megabyte costs no more than its two ends. */
static void test_long(void **state)
{
	size_t size = 1000000, i;
	char *name = malloc(size);
	struct gtrace_frame frame = {.line = 7};
	clock_t begin = clock();

	(void)state;
	assert_non_null(name);
	memset(name, 'n', size);
	memcpy(name, "a.com/b.f", 9);
	memcpy(name + size - 5, "/x.go", 5);
	frame.file = (struct gtrace_string){name, size};
	for (i = 0; i < 5000; i++) {
		SAY("%l", &frame);
		SAY("%n", frame.file);
		SAY("%i", frame.file);
	}
	assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
	check_shown("x.go");
	SAY("%n", frame.file);
	assert_int_equal(columns(), SHOWN_CHARACTERS);
	free(name);
}

static void test_escapes(void **state)
{
	static const struct {
		struct gtrace_string text;
		const char *shown;
	} cases[] = {
		{{"a\x1b[31mb", 7}, "a\ufffd[31mb"},
		{{"a\0\n\t\x7f", 5}, "a\ufffd\ufffd\ufffd\ufffd"},
		{{"\xc2\x9b", 2}, "\ufffd"},       /* C1 */
		{{"\xe2\x80\xae!", 4}, "\ufffd!"}, /* U+202E */
		{{"\xe2\x81\xa6!", 4}, "\ufffd!"}, /* U+2066 */
		{{"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", 8}, "\ufffd\ufffd\ufffd"},
		{{"\xc2\xad\xe2\x80\x8b\xef\xbb\xbf", 8}, "\ufffd\ufffd\ufffd"},
		{{"\xff\xc0\x80", 3}, "\ufffd\ufffd\ufffd"},
		{{"\xe2\x80", 2}, "\ufffd\ufffd"}, /* cut off */
		{{"\xc3\xa4\xe6\x97\xa5", 5}, "\xc3\xa4\xe6\x97\xa5"},
		{{"a/b[c]", 6}, "a/b[c]"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		SAY("%n", cases[i].text);
		check_shown(cases[i].shown);
	}
}

/* Every byte, alone and doubled: nothing raw comes out. */
static void test_all_bytes(void **state)
{
	unsigned byte;
	size_t i;

	(void)state;
	for (byte = 0; byte < 256; byte++) {
		char bytes[2] = {(char)byte, (char)byte};
		struct gtrace_string string = {bytes, 2};

		SAY("%n", string);
		for (i = 0; text[i] != '\0'; i++)
			assert_true((unsigned char)text[i] >= 0x20 &&
				    text[i] != 0x7f);
		assert_true(byte < 0x80 || strcmp(text, "\ufffd\ufffd") == 0);
	}
}

static void test_namings(void **state)
{
	struct gtrace_frame frame = {
		.function = string_of("a.com/b.f"),
		.file = string_of("/home/u/b/x.go"),
		.line = 89,
	};

	(void)state;
	SAY("%f", &frame);
	check_shown("b.f (x.go:89)");
	SAY("%f", (const struct gtrace_frame *)NULL);
	check_shown("(no stack)");
	SAY("%b", &frame);
	check_shown("x.go:89");
	SAY("%l", &frame);
	check_shown("b/x.go:89");
	frame.file = string_of("x.go");
	frame.line = UINT64_MAX;
	SAY("%l", &frame);
	check_shown("x.go:18446744073709551615");
	frame.file = string_of("");
	SAY("%l", &frame);
	check_shown(":18446744073709551615");
	SAY("%f", &frame);
	check_shown("b.f");
	frame.function.size = 0;
	SAY("%f", &frame);
	check_shown("(no stack)");
}

static void test_durations(void **state)
{
	static const struct {
		int64_t ns;
		const char *shown;
	} cases[] = {
		{0, "0 ns"},
		{640, "640 ns"},
		{999, "999 ns"},
		{1000, "1.00 \u00b5s"},
		{9994, "9.99 \u00b5s"},
		{9995, "10.0 \u00b5s"},
		{47249, "47.2 \u00b5s"},
		{99949, "99.9 \u00b5s"},
		{99950, "100 \u00b5s"},
		{999499, "999 \u00b5s"},
		{999500, "1.00 ms"},
		{4084999, "4.08 ms"},
		{4085000, "4.09 ms"},
		{999499999, "999 ms"},
		{999500000, "1.00 s"},
		{1250000000, "1.25 s"},
		{123456789012, "123 s"},
		{4210000000000, "4 210 s"},
		{INT64_MAX, "9 223 372 037 s"},
		{-INT64_MAX, "-9 223 372 037 s"},
		{-1500, "-1.50 \u00b5s"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		SAY("%t", cases[i].ns);
		check_shown(cases[i].shown);
	}
	SAY_IN(LOOK_PAGE, "%t", (int64_t)4210000000000);
	check_shown("4\u2009210\u00a0s");
	shown = gti_sentence_begin(text, sizeof(text), true);
	gti_say(&shown, "%t, %t", (int64_t)640, (int64_t)47249);
	check_shown("640 t, 47.2 kt");
}

static void test_numbers(void **state)
{

	(void)state;
	SAY("%M", (int64_t)38870123);
	check_shown("38.870 ms");
	SAY("%M", (int64_t)1234567890500);
	check_shown("1 234 567.891 ms");
	SAY("%M", (int64_t)-7);
	check_shown("-0.000 ms");
	SAY("%c", (uint64_t)0);
	check_shown("0");
	SAY("%c", (uint64_t)999);
	check_shown("999");
	SAY("%c", (uint64_t)238474);
	check_shown("238 474");
	SAY_IN(LOOK_TITLE, "%c", (uint64_t)238474);
	check_shown("238,474");
	/* Characters count, not bytes; to the left, it is cut. */
	SAY("%4n|%-4n|%-4n|", string_of("\u00b5s"), string_of("\u00b5s"),
	    string_of("abcdef"));
	check_shown("  \u00b5s|\u00b5s  |a\u2026ef|");
	SAY_IN(LOOK_PAGE, "%c", (uint64_t)UINT64_MAX);
	check_shown("18\u2009446\u2009744\u2009073\u2009709\u2009551"
		    "\u2009615");
	SAY("%p", (uint64_t)158, (uint64_t)171);
	check_shown("92 %");
	SAY("%p", (uint64_t)1, (uint64_t)0);
	check_shown("0 %");
	SAY_IN(LOOK_PAGE, "%p", (uint64_t)UINT64_MAX, (uint64_t)UINT64_MAX);
	check_shown("100\u00a0%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_all_bytes),
		cmocka_unit_test(test_namings),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
