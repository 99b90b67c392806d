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
#include "report/text.h"
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
		{STRING("\xc2\x80\xc2\x9f\xc2\xa0"),
		 "\"\xef\xbf\xbd\xef\xbf\xbd\xc2\xa0\""},
		{STRING("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa"),
		 "\"\xef\xbf\xbd\xef\xbf\xbd\xe2\x80\xaa\""},
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

#define SLICE(length, goroutine)                                               \
	{                                                                      \
		.duration = (length), .g = (goroutine), .function = STRING("") \
	}
#define STOP(count, min, max)                                                  \
	{                                                                      \
		.number = (count), .kind = STRING(""), .stopping = -1,         \
		.stopping_min = (min), .stopping_max = (max)                   \
	}

static const struct gtrace_slice slices[] = {SLICE(5, 10), SLICE(5, 11),
					     SLICE(9, 12)};
static const struct gtrace_slice *const longest[] = {&slices[2], &slices[0]};
static const struct gtrace_slice *const equal[] = {&slices[0], &slices[1]};
static const struct gtrace_stop stops[] = {STOP(1, 4, 6), STOP(2, 4, 7),
					   STOP(3, 5, 5)};
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
	static const char *const names[] = {"a", "-", "b"};
	static const struct gtrace_request request = {
		.n = 9, .stops = 9, .format = GTRACE_FORMAT_JSON};
	/* Members of the lines, which come in this order. */
	static const char *const members[] = {
		"{\"trace\":\"b\",\"duration\":9,", "\"g\":12,",
		"{\"trace\":\"a\",\"duration\":5,", "\"g\":10,",
		"{\"trace\":\"a\",\"duration\":5,", "\"g\":11,",
		"{\"trace\":\"b\",\"duration\":5,", "\"g\":10,",
		"{\"trace\":\"a\",\"n\":3,",        "{\"trace\":\"b\",\"n\":2,",
		"{\"trace\":\"a\",\"n\":1,",        "{\"trace\":\"b\",\"n\":1,",
	};
	const struct written written = {all, names, 3, &request};
	const char *at;
	size_t i, lines = 0;

	(void)state;
	begin();
	assert_true(gti_write_reports(&written, &writer));
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	at = got.bytes;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		at = strstr(at, members[i]);
		assert_non_null(at);
		at += strlen(members[i]);
	}
	for (i = 0; i < got.size; i++)
		lines += got.bytes[i] == '\n';
	assert_int_equal(lines, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
