/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_test.c - CSV to the byte: fields of any bytes, and slices, stops of the
 * world and events made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/csv.h"
#include "report/events.h"
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

static void test_fields(void **state)
{
	static const char *const names[] = {"a", "b,c"};
	struct csv csv = {.writer = &writer};

	(void)state;
	begin();
	gti_csv_head(&writer, names, 2);
	gti_csv_signed(&csv, INT64_MIN);
	gti_csv_unsigned(&csv, UINT64_MAX);
	gti_csv_bool(&csv, true);
	gti_csv_bool(&csv, false);
	gti_csv_empty(&csv);
	gti_csv_text(&csv, NULL);
	gti_csv_texts(&csv, names, 0);
	gti_csv_texts(&csv, names, 1);
	gti_csv_end_record(&csv);
	gti_csv_empty(&csv);
	gti_csv_end_record(&csv);
	expect("a,\"b,c\"\r\n"
	       "-9223372036854775808,18446744073709551615,true,false,,,,a\r\n"
	       "\r\n");
}

static const struct gtrace_frame frames[] = {
	{7, STRING("main.f"), STRING("/a \"b\".go"), UINT64_MAX},
	{8, STRING("main.\x01"), STRING(""), 9},
};

static void test_stacks(void **state)
{
	static const struct gtrace_samples samples[] = {
		{12, frames, 2}, {3, NULL, 0}, {1, frames + 1, 1}};
	struct csv csv = {.writer = &writer};

	(void)state;
	begin();
	gti_csv_frames(&csv, frames, 2);
	gti_csv_frames(&csv, NULL, 0);
	gti_csv_samples(&csv, samples, 3);
	gti_csv_samples(&csv, NULL, 0);
	expect("\"main.f /a \"\"b\"\".go:18446744073709551615 <- main.\xef\xbf\xbd :9\",,"
	       "\"12: main.f /a \"\"b\"\".go:18446744073709551615 <- main.\xef\xbf\xbd :9 | 3:  "
	       "| 1: main.\xef\xbf\xbd :9\",");
}

/* ---------------------------------------------------------------- slices -- */

static const char *const walk[] = {"GoCreate", "GoStart"};
static const struct gtrace_string strings[] = {STRING("key"), STRING("a,b")};

static void test_slices(void **state)
{
	static const struct gtrace_samples sample = {2, frames, 1};
	static const struct gtrace_slice ended = {
		.duration = 50,
		.own = 40,
		.m = 3,
		.p = 1,
		.g = 4,
		.start = {.name = "GoStartLabel",
			  .ts = 100,
			  .strings = strings,
			  .string_count = 2,
			  .walk = walk,
			  .walk_count = 2},
		.end = {.name = "GoStop",
			.ts = 150,
			.strings = strings,
			.string_count = 1,
			.frames = frames,
			.frame_count = 1},
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
		.end = {.name = "not to be shown",
			.frames = frames,
			.frame_count = 1},
		.function = STRING(""),
	};
	static const struct listed_slice slices[] = {
		{.slice = &ended, .trace = "a,b"},
		{.slice = &runs, .in_ticks = true},
	};

	(void)state;
	begin();
	gti_write_slices_head(&writer, 2, GTRACE_FORMAT_CSV);
	gti_write_slice(&writer, &slices[0], GTRACE_FORMAT_CSV);
	gti_write_slice(&writer, &slices[1], GTRACE_FORMAT_CSV);
	expect("trace,unit,duration,own,start,end,m,p,g,function,system,"
	       "still_running,syscalls,syscall_ns,start_event,start_string1,"
	       "start_string2,start_walk,start_stack,end_event,end_string1,"
	       "end_string2,end_walk,end_stack,samples\r\n"
	       "\"a,b\",ns,50,40,100,150,3,1,4,main.main,false,false,6,-1,"
	       "GoStartLabel,key,\"a,b\",GoCreate -> GoStart,,"
	       "GoStop,key,,,\"main.f /a \"\"b\"\".go:18446744073709551615\","
	       "\"2: main.f /a \"\"b\"\".go:18446744073709551615\"\r\n"
	       /* The end wraps around like every sum of times. */
	       ",ticks,9223372036854775807,0,1,-9223372036854775808,0,0,0,,true,"
	       "true,0,0,GoStart,,,,,,,,,,\r\n");
}

/* ----------------------------------------------------------------- stops -- */

static void test_stops(void **state)
{
	static const struct gtrace_late late[] = {
		{.p = 2,
		 .how = GTRACE_LATE_SYSCALL,
		 .g = 5,
		 .start = -1,
		 .left = 20,
		 .gave_up = 30,
		 .own = 19,
		 .event = "ProcSteal",
		 .reason = STRING("x\"y"),
		 .frames = frames,
		 .frame_count = 1},
		{.p = 3, .event = "not to be shown"},
	};
	static const struct gtrace_stop measured = {
		.number = 3,
		.kind = STRING("read mem stats"),
		.measured = 1,
		.ts = 11,
		.p = 1,
		.g = 4,
		.frames = frames + 1,
		.frame_count = 1,
		.requested = 10,
		.obtained = 30,
		.restarting = 40,
		.restarted = 41,
		.ended = 42,
		.stopping = 20,
		.stopped = 12,
		.total = 32,
		.waited = 43,
		.procs = 4,
		.idle = 2,
		.requested_min = -1,
		.requested_max = -1,
		.stopping_min = -1,
		.stopping_max = -1,
		.late = late,
		.late_count = 2,
	};
	static const struct gtrace_stop inferred = {
		.number = 1,
		.kind = STRING("unknown"),
		.inferred = 1,
		.requested_min = 5,
		.requested_max = 6,
		.stopping_min = 7,
		.stopping_max = 8,
	};
	static const struct listed_stop stops[] = {
		{.stop = &measured, .trace = "t"},
		{.stop = &inferred, .in_ticks = true},
	};

	(void)state;
	begin();
	gti_csv_stops_head(&writer);
	gti_write_stop(&writer, &stops[0], GTRACE_FORMAT_CSV);
	gti_write_stop(&writer, &stops[1], GTRACE_FORMAT_CSV);
	expect("trace,unit,n,kind,ts,p,g,requested,obtained,restarting,"
	       "restarted,ended,stopping,stopped,total,waited,procs,idle,"
	       "measured,inferred,requested_min,requested_max,stopping_min,"
	       "stopping_max,stack,late,last_p,last_how,last_g,last_start,"
	       "last_left,last_gave_up,last_own,last_event,last_reason,last_"
	       "stack\r\n"
	       "t,ns,3,read mem stats,11,1,4,10,30,40,41,42,20,12,32,43,4,2,"
	       "true,false,-1,-1,-1,-1,\"main.\xef\xbf\xbd :9\",2,2,syscall,5,"
	       "-1,20,30,19,ProcSteal,\"x\"\"y\",\"main.f /a "
	       "\"\"b\"\".go:18446744073709551615\"\r\n"
	       ",ticks,1,unknown,0,0,0,0,0,0,0,0,0,0,0,0,0,0,false,true,5,6,7,"
	       "8,"
	       ",0,,,,,,,,,,\r\n");
}

/* ---------------------------------------------------------------- events -- */

static size_t frames_of(void *context, uint64_t stack, struct gtrace_frame *to)
{
	(void)context;
	assert_int_equal(stack, 77);
	to[0] = frames[0];
	return 1;
}

static void test_events(void **state)
{
	static const uint64_t args[] = {1, 2, UINT64_MAX};
	static const struct gtrace_event events[] = {
		{.number = 1,
		 .offset = 16,
		 .type = 39,
		 .name = "GoLabel",
		 .ts = 5,
		 .m = -1,
		 .p = 1,
		 .g = 2,
		 .stack_id = 8,
		 .args = args,
		 .arg_count = 3,
		 .strings = strings,
		 .string_count = 2,
		 .link = 9},
		{.number = 2,
		 .name = "Sync",
		 .frames = frames + 1,
		 .frame_count = 1},
		{.number = 3, .name = "GoStop", .args = args, .arg_count = 1},
	};
	struct gtrace_frame buffer[2];
	struct dump_text dump = {
		.writer = &writer,
		.stacks = {.memory = &memory,
			   .frames_of = frames_of,
			   .write = gti_csv_dump_stack,
			   .frames = buffer,
			   .budget = 1 << 16},
		.trace = "t",
	};

	(void)state;
	begin();
	gti_csv_dump_head(&dump);
	assert_true(gti_csv_dump_event(&dump, &events[0], 77));
	dump.trace = NULL;
	dump.in_ticks = true;
	assert_true(gti_csv_dump_event(&dump, &events[1], 0));
	assert_true(gti_csv_dump_event(&dump, &events[2], 77));
	assert_true(gti_csv_dump_event(&dump, &events[2], 0));
	gti_stack_texts_free(&dump.stacks);
	expect("trace,unit,n,offset,type,name,ts,m,p,g,stack_id,arg1,arg2,arg3,"
	       "string1,string2,link,stack\r\n"
	       "t,ns,1,16,39,GoLabel,5,-1,1,2,8,1,2,18446744073709551615,key,"
	       "\"a,b\",9,\"main.f /a \"\"b\"\".go:18446744073709551615\"\r\n"
	       ",ticks,2,0,0,Sync,0,0,0,0,0,,,,,,0,\"main.\xef\xbf\xbd :9\"\r\n"
	       ",ticks,3,0,0,GoStop,0,0,0,0,0,1,,,,,0,"
	       "\"main.f /a \"\"b\"\".go:18446744073709551615\"\r\n"
	       ",ticks,3,0,0,GoStop,0,0,0,0,0,1,,,,,0,\r\n");
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
		cmocka_unit_test(test_strings), cmocka_unit_test(test_fields),
		cmocka_unit_test(test_stacks),  cmocka_unit_test(test_slices),
		cmocka_unit_test(test_stops),   cmocka_unit_test(test_events),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
