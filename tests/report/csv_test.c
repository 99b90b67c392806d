/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_test.c - CSV to the byte: fields of any bytes; the order of slices and
 * stops from several traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/csv.h"
#include "report/lists.h"
#include "tests/written.h"

/* ---------------------------------------------------------------- fields -- */

static void test_strings(void **state)
{
	static const struct {
		struct gtrace_string text;
		const char *csv;
	} cases[] = {
		{STRING(""), ""},
		{STRING("main.f /a b.go"), "main.f /a b.go"},
		{STRING("a,b"), "\"a,b\""},
		{STRING(","), "\",\""},
		{STRING("a\"b"), "\"a\"\"b\""},
		{STRING("\"\""), "\"\"\"\"\"\""},
		/* Controls would end a line, or are not allowed. */
		{STRING("\r\n"), "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{STRING("a\0b"), "\"a\xef\xbf\xbd"
				 "b\""},
		{STRING("x\x7f"), "\"x\xef\xbf\xbd\""},
		/* UTF-8 as it is, and what is not UTF-8. */
		{STRING("\xc3\xa9"), "\"\xc3\xa9\""},
		{STRING("\xf0\x90\x80\x80,"), "\"\xf0\x90\x80\x80,\""},
		{STRING("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{STRING("\xff\xc3\xa9"), "\"\xef\xbf\xbd\xc3\xa9\""},
	};
	struct csv csv = {.writer = &writer};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		csv.comma = false;
		gti_csv_string(&csv, cases[i].text);
		expect(cases[i].csv);
	}
}

/* ----------------------------------------------------------------- order -- */

/* The longest first, and of equal ones that of the least place. */
static void test_order(void **state)
{
	static const struct gtrace_slice slices[] = {{.duration = 5},
						     {.duration = 9}};
	static const struct gtrace_stop stops[] = {
		{.stopping = 5, .stopping_min = -1, .stopping_max = -1},
		{.stopping = -1, .stopping_min = 4, .stopping_max = 6},
		{.stopping = -1, .stopping_min = 4, .stopping_max = 7},
		{.stopping = -1, .stopping_min = 5, .stopping_max = 5},
	};
	struct listed_slice listed[] = {{.slice = &slices[0], .place = 2},
					{.slice = &slices[0], .place = 1},
					{.slice = &slices[1], .place = 3},
					{.slice = &slices[0], .place = 0}};
	struct listed_stop given[] = {{.stop = &stops[1], .place = 9},
				      {.stop = &stops[1], .place = 8},
				      {.stop = &stops[0], .place = 3},
				      {.stop = &stops[3], .place = 7},
				      {.stop = &stops[2], .place = 6}};

	(void)state;
	gti_sort_slices(listed, 1);
	assert_int_equal(listed[0].place, 2);
	gti_sort_slices(listed, 4);
	assert_int_equal(listed[0].place, 3);
	assert_int_equal(listed[1].place, 0);
	assert_int_equal(listed[2].place, 1);
	assert_int_equal(listed[3].place, 2);
	gti_sort_stops(given, 1);
	assert_int_equal(given[0].place, 9);
	gti_sort_stops(given, 5);
	assert_int_equal(given[0].place, 3);
	assert_int_equal(given[1].place, 7);
	assert_int_equal(given[2].place, 6);
	assert_int_equal(given[3].place, 8);
	assert_int_equal(given[4].place, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
