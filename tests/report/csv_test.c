/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_test.c - CSV to the byte: fields of any bytes; the order of slices and
 * stops from several traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/field_tables.h"
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
	static const struct field fields[] = {
		{"x", FIELD_STRING, IN_CSV, 0, 0, 0, NULL}, END};
	const struct line line = {.writer = &writer,
				  .format = GTRACE_FORMAT_CSV};
	char record[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		gti_write_line(&line, fields, &cases[i].text);
		snprintf(record, sizeof(record), "%s\r\n", cases[i].csv);
		expect(record);
	}
}

/* ----------------------------------------------------------------- order -- */

static const struct gtrace_slice slices[] = {
	{.duration = 5}, {.duration = 5}, {.duration = 9}};
static const struct gtrace_slice *const longest[] = {&slices[2], &slices[0]};
static const struct gtrace_slice *const equal[] = {&slices[0], &slices[1]};
static const struct gtrace_stop stops[] = {
	{.stopping = -1, .stopping_min = 4, .stopping_max = 6},
	{.stopping = -1, .stopping_min = 4, .stopping_max = 7},
	{.stopping = -1, .stopping_min = 5, .stopping_max = 5},
};
static const struct gtrace_stop *const inferred[] = {&stops[2], &stops[0]};
static const struct gtrace_stop *const later[] = {&stops[1], &stops[0]};

/* The longest first, and of equal ones that of the first trace. */
static void test_order(void **state)
{
	static const struct gtrace_greedy_report greedy[] = {{2, equal},
							     {2, longest}};
	static const struct gtrace_stop_report kept[] = {
		{.inferred_stops = inferred, .inferred_count = 2},
		{.inferred_stops = later, .inferred_count = 2},
	};
	static const struct gtrace_reports reports[] = {
		{.greedy = &greedy[0], .stops = &kept[0]},
		{.greedy = &greedy[1], .stops = &kept[1]},
	};
	static const struct gtrace_reports *const all[] = {&reports[0], NULL,
							   &reports[1]};
	static const struct gtrace_request request = {.n = 1};
	const struct written written = {all, NULL, 3, &request};
	struct listed listed[4];

	(void)state;
	assert_int_equal(gti_list_count(&written, LIST_SLICES), 4);
	gti_list_items(&written, LIST_SLICES, listed);
	assert_ptr_equal(listed[0].item, &slices[2]);
	assert_ptr_equal(listed[1].item, &slices[0]);
	assert_ptr_equal(listed[1].from, &reports[0]);
	assert_ptr_equal(listed[2].item, &slices[1]);
	assert_ptr_equal(listed[3].item, &slices[0]);
	assert_int_equal(gti_list_count(&written, LIST_STOPS), 0);
	assert_int_equal(gti_list_count(&written, LIST_INFERRED), 4);
	gti_list_items(&written, LIST_INFERRED, listed);
	assert_ptr_equal(listed[0].item, &stops[2]);
	assert_ptr_equal(listed[1].item, &stops[1]);
	assert_ptr_equal(listed[2].from, &reports[0]);
	assert_ptr_equal(listed[3].from, &reports[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
