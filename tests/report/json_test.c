/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_test.c - JSON to the byte: strings of any bytes, and a stop of the world
 * made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/json.h"
#include "report/lists.h"

#define STRING(text)                                                           \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}

static char got[8192];
static size_t got_size;

static int collect(void *context, const void *data, size_t size)
{
	(void)context;
	assert_true(got_size + size < sizeof(got));
	memcpy(got + got_size, data, size);
	got_size += size;
	got[got_size] = '\0';
	return 0;
}

static struct gtrace_allocator memory;
static struct writer writer;

static void begin(void)
{
	static const struct gtrace_output sink = {.write = collect};

	memory = gti_allocator_or_default(NULL);
	got_size = 0;
	got[0] = '\0';
	assert_int_equal(gti_writer_init(&writer, &sink, &memory, NULL),
			 GTRACE_OK);
}

static void expect(const char *want)
{
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	assert_string_equal(got, want);
}

static void test_strings(void **state)
{
	static const struct {
		struct gtrace_string text;
		const char *json;
	} cases[] = {
		{STRING(""), "\"\""},
		{STRING("main.f /a b.go"), "\"main.f /a b.go\""},
		{STRING("a\"b\\c"), "\"a\\\"b\\\\c\""},
		{STRING("\n\t\0\x1f"), "\"\\u000a\\u0009\\u0000\\u001f\""},
		{STRING("\x7f"), "\"\\u007f\""},
		/* UTF-8 as it is: first and last of each length. */
		{STRING("\xc2\x80\xdf\xbf"), "\"\xc2\x80\xdf\xbf\""},
		{STRING("\xe0\xa0\x80\xef\xbf\xbf"),
		 "\"\xe0\xa0\x80\xef\xbf\xbf\""},
		{STRING("\xed\x9f\xbf\xee\x80\x80"),
		 "\"\xed\x9f\xbf\xee\x80\x80\""},
		{STRING("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
		 "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
		/* Too long, a surrogate, too great, cut off, stray bytes. */
		{STRING("\xc1\xbf"), "\"\\ufffd\\ufffd\""},
		{STRING("\xe0\x9f\xbf"), "\"\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xf0\x8f\xbf\xbf"),
		 "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xf4\x90\x80\x80"),
		 "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
		{STRING("\xe2\x82"), "\"\\ufffd\\ufffd\""},
		{STRING("\xe2\x82x"), "\"\\ufffd\\ufffdx\""},
		{STRING("x\x80\xff"), "\"x\\ufffd\\ufffd\""},
	};
	struct json json = {.writer = &writer};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		json.comma = false;
		gti_json_string(&json, NULL, cases[i].text);
		expect(cases[i].json);
	}
}

static void test_values(void **state)
{
	struct json json = {.writer = &writer};

	(void)state;
	begin();
	gti_json_open(&json, NULL, '{');
	gti_json_open(&json, "empty", '[');
	gti_json_close(&json, ']');
	gti_json_unsigned(&json, "u", UINT64_MAX);
	gti_json_signed(&json, "s", INT64_MIN);
	gti_json_open(&json, "list", '[');
	gti_json_bool(&json, NULL, true);
	gti_json_bool(&json, NULL, false);
	gti_json_close(&json, ']');
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
	gti_json_signed(&json, NULL, 0);
	expect("{\"empty\":[],\"u\":18446744073709551615,"
	       "\"s\":-9223372036854775808,\"list\":[true,false]}\n0");
}

static const struct gtrace_frame frame = {7, STRING("f"), STRING("g"), -2};

static const struct gtrace_late late = {
	.p = 2,
	.how = GTRACE_LATE_RAN,
	.g = 5,
	.start = -1,
	.left = 20,
	.gave_up = 30,
	.event = "GoStop",
	.reason = STRING("preempted"),
	.frames = &frame,
	.frame_count = 1,
};

static const struct gtrace_stop measured = {
	.number = 3,
	.kind = STRING("a \"kind\""),
	.measured = 1,
	.ts = 11,
	.p = 1,
	.g = 4,
	.requested = 10,
	.obtained = 30,
	.restarting = 40,
	.restarted = 41,
	.ended = 42,
	.stopping = 20,
	.stopped = 11,
	.total = 32,
	.waited = 40,
	.procs = 4,
	.idle = 2,
	.late = &late,
	.late_count = 1,
};

static const struct gtrace_stop inferred = {
	.number = 1,
	.kind = STRING("unknown"),
	.inferred = 1,
	.requested_min = 5,
	.requested_max = 6,
};

static void test_stops(void **state)
{
	static const struct listed_stop stops[] = {
		{.stop = &measured}, {.stop = &inferred, .trace = "a\xff b"}};

	(void)state;
	begin();
	gti_json_stop(&writer, &stops[0]);
	gti_json_stop(&writer, &stops[1]);
	expect("{\"n\":3,\"kind\":\"a \\\"kind\\\"\",\"ts\":11,\"p\":1,\"g\":4,"
	       "\"stack\":[],\"requested\":10,\"obtained\":30,"
	       "\"restarting\":40,\"restarted\":41,\"ended\":42,"
	       "\"stopping\":20,\"stopped\":11,\"total\":32,\"waited\":40,"
	       "\"procs\":4,\"idle\":2,\"measured\":true,\"inferred\":false,"
	       "\"late\":[{\"p\":2,\"how\":\"ran\",\"g\":5,\"start\":-1,"
	       "\"left\":20,\"gave_up\":30,\"event\":\"GoStop\","
	       "\"reason\":\"preempted\",\"stack\":[{\"pc\":7,\"fn\":\"f\","
	       "\"file\":\"g\",\"line\":-2}]}]}\n"
	       "{\"trace\":\"a\\ufffd "
	       "b\",\"n\":1,\"kind\":\"unknown\",\"ts\":0,\"p\":0,\"g\":0,"
	       "\"stack\":[],\"requested\":0,\"obtained\":0,"
	       "\"restarting\":0,\"restarted\":0,\"ended\":0,"
	       "\"stopping\":0,\"stopped\":0,\"total\":0,\"waited\":0,"
	       "\"procs\":0,\"idle\":0,\"measured\":false,\"inferred\":true,"
	       "\"requested_min\":5,\"requested_max\":6,\"late\":[]}\n");
}

/* Ticks are not passed off as nanoseconds. */
static void test_ticks(void **state)
{
	static const struct listed_stop stop = {.stop = &measured,
						.in_ticks = true};
	static const char want[] = "{\"n\":3,\"unit\":\"ticks\",\"kind\":";

	(void)state;
	begin();
	gti_json_stop(&writer, &stop);
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	assert_memory_equal(got, want, sizeof(want) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_stops),
		cmocka_unit_test(test_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
