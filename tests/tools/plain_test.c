/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_test.c - text for a terminal, whole and in pieces of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tools/plain.h"

static const struct {
	const char *text, *plain;
} cases[] = {
	{"main.f", "main.f"},
	{"\x1b[31m\x7f", "\ufffd[31m\ufffd"},
	/* C1, as a character and as a byte. */
	{"a\xc2\x9b!\x9b", "a\ufffd!\ufffd"},
	/* Direction, ends of lines, and what cannot be seen. */
	{"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8",
	 "\ufffd\ufffd\ufffd"},
	{"a\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "a\ufffd\ufffd\ufffd"},
	{"\xf3\xa0\x81\x81", "\ufffd"},
	/* All else stays. */
	{"\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80",
	 "\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80"},
	{"\xe4\xff", "\xe4\xff"},
	/* Of a character, only a part. */
	{"\xe2\xe2\x80\xae", "\xe2\ufffd"},
	{"\xe2\x80x", "\xe2\ufffdx"},
	{"\xf0\x9f", "\xf0\ufffd"},
	{"\xc2", "\xc2"},
};

#define COUNT (sizeof(cases) / sizeof(cases[0]))

/* What FILE has is WANT. */
static void expect(FILE *file, const char *want)
{
	char got[64];
	size_t size;

	rewind(file);
	size = fread(got, 1, sizeof(got), file);
	assert_int_equal(size, strlen(want));
	assert_memory_equal(got, want, size);
	fclose(file);
}

static void test_print(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT; i++) {
		FILE *file = tmpfile();

		plain_print(file, cases[i].text, strlen(cases[i].text));
		expect(file, cases[i].plain);
	}
}

/* Reports come in pieces, which end with the end of a line. */
static void test_pieces(void **state)
{
	size_t i, piece, at;

	(void)state;
	for (i = 0; i < COUNT; i++)
		for (piece = 1; piece < 5; piece++) {
			FILE *file = tmpfile();
			struct plain plain = {.has_lines = true};
			size_t size = strlen(cases[i].text);
			char want[64];

			for (at = 0; at < size; at += piece)
				plain_write(file, &plain, cases[i].text + at,
					    size - at < piece ? size - at
							      : piece);
			plain_write(file, &plain, "\t\n", 2);
			snprintf(want, sizeof(want), "%s\t\n",
				 cases[i].plain);
			expect(file, want);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
