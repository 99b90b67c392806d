/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json_test.c - JSON to the byte: strings of any bytes, and stops of the world,
 * slices and events made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/events.h"
#include "report/json.h"
#include "report/lists.h"
#include "tests/written.h"

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

static const struct gtrace_frame frame = {7, STRING("f"), STRING("g"), UINT64_MAX};

static const struct gtrace_late late = {
	.p = 2,
	.how = GTRACE_LATE_RAN,
	.g = 5,
	.start = -1,
	.left = 20,
	.gave_up = 30,
	.own = 19,
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
	       "\"left\":20,\"gave_up\":30,\"own\":19,\"event\":\"GoStop\","
	       "\"reason\":\"preempted\",\"stack\":[{\"pc\":7,\"fn\":\"f\","
	       "\"file\":\"g\",\"line\":18446744073709551615}]}]}\n"
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
	assert_memory_equal(got.bytes, want, sizeof(want) - 1);
}

/* ----------------------------------------------------- slices and events -- */

static const char *const walk[] = {"GoCreate", "GoStart"};
static const struct gtrace_string string = STRING("k\"");
static const uint64_t args[] = {1, UINT64_MAX};

#define EMPTY_END                                                              \
	"\"n\":0,\"offset\":0,\"type\":0,\"name\":\"GoStart\",\"ts\":1,"       \
	"\"m\":0,\"p\":0,\"g\":0,\"stack_id\":0,\"args\":[],\"strings\":[],"   \
	"\"walk\":[],\"stack\":[]}"

static void test_slices(void **state)
{
	static const struct gtrace_samples sample = {2, &frame, 1};
	static const struct gtrace_slice ended = {
		.duration = 50,
		.own = 40,
		.m = 3,
		.p = 1,
		.g = 4,
		.start = {.name = "GoStart", .ts = 1},
		.end = {.number = 8,
			.offset = 9,
			.type = 16,
			.name = "GoStop",
			.ts = 150,
			.m = -1,
			.p = 1,
			.g = 2,
			.stack_id = 7,
			.args = args,
			.arg_count = 2,
			.strings = &string,
			.string_count = 1,
			.frames = &frame,
			.frame_count = 1,
			.walk = walk,
			.walk_count = 2},
		.function = STRING("main.main"),
		.syscalls = 6,
		.syscall_ns = -1,
		.samples = &sample,
		.sample_count = 1,
	};
	static const struct gtrace_slice runs = {
		.duration = INT64_MAX,
		.still_running = 1,
		.system = 1,
		.start = {.name = "GoStart", .ts = 1},
		.end = {.name = "not to be shown"},
		.function = STRING(""),
	};
	static const struct listed_slice slices[] = {
		{.slice = &ended, .trace = "t"},
		{.slice = &runs, .in_ticks = true},
	};

	(void)state;
	begin();
	gti_write_slices_head(&writer, 2, GTRACE_FORMAT_JSON);
	gti_write_slice(&writer, &slices[0], GTRACE_FORMAT_JSON);
	gti_write_slice(&writer, &slices[1], GTRACE_FORMAT_JSON);
	expect("{\"trace\":\"t\",\"duration\":50,\"own\":40,"
	       "\"start\":1,\"end\":51,"
	       "\"m\":3,\"p\":1,\"g\":4,\"function\":\"main.main\","
	       "\"system\":false,\"still_running\":false,\"syscalls\":6,"
	       "\"syscall_ns\":-1,\"started_by\":{" EMPTY_END ",\"ended_by\":{"
	       "\"n\":8,\"offset\":9,\"type\":16,\"name\":\"GoStop\","
	       "\"ts\":150,\"m\":-1,\"p\":1,\"g\":2,\"stack_id\":7,"
	       "\"args\":[1,18446744073709551615],\"strings\":[\"k\\\"\"],"
	       "\"walk\":[\"GoCreate\",\"GoStart\"],\"stack\":[{\"pc\":7,"
	       "\"fn\":\"f\",\"file\":\"g\",\"line\":18446744073709551615}]},\"samples\":["
	       "{\"count\":2,\"stack\":[{\"pc\":7,\"fn\":\"f\",\"file\":\"g\","
	       "\"line\":18446744073709551615}]}]}\n"
	       "{\"unit\":\"ticks\",\"duration\":9223372036854775807,"
	       "\"own\":0,"
	       "\"start\":1,\"end\":-9223372036854775808,\"m\":0,\"p\":0,"
	       "\"g\":0,\"function\":\"\",\"system\":true,"
	       "\"still_running\":true,\"syscalls\":0,\"syscall_ns\":0,"
	       "\"started_by\":{" EMPTY_END ",\"ended_by\":null,"
	       "\"samples\":[]}\n");
}

static size_t frames_of(void *context, uint64_t stack, struct gtrace_frame *to)
{
	(void)context;
	assert_int_equal(stack, 77);
	to[0] = frame;
	return 1;
}

static void test_events(void **state)
{
	static const struct gtrace_event event = {
		.number = 1, .name = "GoStop", .link = 5};
	static const struct gtrace_event framed = {
		.number = 2, .name = "Go", .frames = &frame, .frame_count = 1};
	struct gtrace_frame buffer[1];
	struct dump_text dump = {
		.writer = &writer,
		.stacks = {.memory = &memory,
			   .frames_of = frames_of,
			   .write = gti_json_dump_stack,
			   .frames = buffer,
			   .budget = 1 << 16},
	};

	(void)state;
	begin();
	gti_json_dump_head(&dump);
	assert_true(gti_json_dump_event(&dump, &event, 77));
	assert_true(gti_json_dump_event(&dump, &event, 0));
	assert_true(gti_json_dump_event(&dump, &framed, 0));
	gti_stack_texts_free(&dump.stacks);
	expect("{\"n\":1,\"offset\":0,\"type\":0,\"name\":\"GoStop\",\"ts\":0,"
	       "\"m\":0,\"p\":0,\"g\":0,\"stack_id\":0,\"args\":[],"
	       "\"strings\":[],\"link\":5,\"stack\":[{\"pc\":7,\"fn\":\"f\","
	       "\"file\":\"g\",\"line\":18446744073709551615}]}\n"
	       "{\"n\":1,\"offset\":0,\"type\":0,\"name\":\"GoStop\",\"ts\":0,"
	       "\"m\":0,\"p\":0,\"g\":0,\"stack_id\":0,\"args\":[],"
	       "\"strings\":[],\"link\":5,\"stack\":[]}\n"
	       "{\"n\":2,\"offset\":0,\"type\":0,\"name\":\"Go\",\"ts\":0,"
	       "\"m\":0,\"p\":0,\"g\":0,\"stack_id\":0,\"args\":[],"
	       "\"strings\":[],\"link\":0,\"stack\":[{\"pc\":7,\"fn\":\"f\","
	       "\"file\":\"g\",\"line\":18446744073709551615}]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings), cmocka_unit_test(test_values),
		cmocka_unit_test(test_stops),   cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_slices),  cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
