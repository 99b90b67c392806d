/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_test.c - whole traces, built record by record, through the public
 * interface: what is reported of them, and what is said of those that are
 * wrong, with status, offset and words; of two faults, the one that counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/records.h"
#include "tests/reports.h"

static void start(struct builder *b, unsigned version)
{
	builder_open(b, version);
	builder_header(b);
	builder_batch(b, 1, 100);
}

#define CREATE(g) EVENT(EV_GO_CREATE, 1, g, 0, 0)

/* Goroutine G comes to be. Returns the offset of the event. */
static uint64_t create(struct builder *b, uint64_t g)
{
	return BUILDER_EVENT(b, EV_GO_CREATE, 1, g, 0, 0);
}

/* ------------------------------------------------------------ the report -- */

/*
 * The first slice in the README of the implementation that came with Go issue
 * 20792, from its events.
 */
static void test_first_slice_of_the_proposal(void **state)
{
	static const struct builder_frame frames[] = {
		{4746045, 1, 2, 86},
		{4744357, 3, 2, 95},
	};
	static const char want[] =
		"\t7486357ns -> 0.007486s \n"
		"\t\tGoStart Ts: 739889373 P: 1 G: 9 StkID: 0 args0: 9 "
		"args1: 0 args2: 0\n"
		"\t\t\t GoSched\n"
		"\t\t\t 4746045 main.godeadloop0.func1 "
		"/root/go/src/diaggreedy/x.go 86\n"
		"\t\t\t 4744357 main.godeadloop0 "
		"/root/go/src/diaggreedy/x.go 95\n"
		"\t\tGoSched Ts: 747375730 P: 1 G: 9 StkID: 20 args0: 0 "
		"args1: 0 args2: 0\n"
		"\t\t\t 4746045 main.godeadloop0.func1 "
		"/root/go/src/diaggreedy/x.go 86\n"
		"\t\t\t 4744357 main.godeadloop0 "
		"/root/go/src/diaggreedy/x.go 95\n";
	struct gtrace_error error;
	const char *second;
	struct builder b;
	static struct text text;

	(void)state;
	start(&b, 1008);
	create(&b, 9);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 100, 9);
	/* One tick is a nanosecond, and the first event the beginning. */
	BUILDER_EVENT(&b, EV_GO_SCHED, 739889373 - 100 - 100, 20);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 100, 9);
	BUILDER_EVENT(&b, EV_GO_SCHED, 7486357, 20);
	builder_frequency(&b, 1000000000);
	builder_string(&b, 1, "main.godeadloop0.func1");
	builder_string(&b, 2, "/root/go/src/diaggreedy/x.go");
	builder_string(&b, 3, "main.godeadloop0");
	builder_stack(&b, 20, frames, 2);
	/* The slice before it is longer: it began with the trace. */
	assert_int_equal(print(&b, 2, &text, &error), GTRACE_OK);
	second = strstr(text.bytes, "\t7486357ns");
	assert_non_null(second);
	assert_string_equal(second, want);
	printf("%s", second);
	builder_close(&b);
}

/* A goroutine that never leaves its processor is not lost. */
static void test_still_running(void **state)
{
	struct gtrace_error error;
	struct builder b;
	static struct text text;

	(void)state;
	start(&b, 1008);
	create(&b, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 1);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 500, 4096);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 10, &text, &error), GTRACE_OK);
	assert_string_equal(
		text.bytes,
		"finally the found toppest 1 greedy goroutines info\n"
		"\t500ns -> 0.000000s \n"
		"\t\tGoStart Ts: 10 P: 1 G: 1 StkID: 0 args0: 1 args1: 0 "
		"args2: 0\n"
		"\t\tstill running at the end of the trace\n");
	builder_close(&b);
}

/* The parsers of Go 1.21 and older have a line as a signed number. */
static void test_line_is_signed(void **state)
{
	static const struct builder_frame frame = {1, 1, 1, UINT64_MAX};
	struct gtrace_error error;
	static struct text text;
	struct builder b;
	size_t n;

	(void)state;
	start(&b, 1008);
	create(&b, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 10, 20);
	builder_frequency(&b, 1000000000);
	builder_string(&b, 1, "f");
	builder_stack(&b, 20, &frame, 1);
	for (n = 0; n < 2; n++) {
		assert_int_equal(print(&b, n, &text, &error), GTRACE_OK);
		assert_non_null(strstr(text.bytes, "\t 1 f f -1\n"));
	}
	builder_close(&b);
}

static void test_no_slice(void **state)
{
	struct gtrace_error error;
	struct builder b;
	static struct text text;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 500, 4096);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 10, &text, &error), GTRACE_OK);
	assert_string_equal(
		text.bytes,
		"finally the found toppest 0 greedy goroutines info\n");
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	assert_string_equal(text.bytes,
			    "dump\n\t0xc420000090 Off: 19 type: 33 HeapAlloc "
			    "Ts: 0 P: 1 G: 0 StkID: 0 args0: 4096 args1: 0 "
			    "args2: 0 link: 0x0 \n");
	builder_close(&b);
}

/* The walk back stops after ten steps: from then on there are no frames. */
static void test_walk_of_ten_steps(void **state)
{
	struct builder_frame frame = {1, 0, 0, 7};
	struct gtrace_error error;
	struct builder b;
	static struct text text;
	unsigned i;

	(void)state;
	start(&b, 1008);
	/* The creation has a stack; what follows has none. */
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 5);
	for (i = 0; i < 6; i++) {
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 1);
		BUILDER_EVENT(&b, EV_GO_SCHED, 100 + i, 0);
	}
	builder_frequency(&b, 1000000000);
	builder_stack(&b, 5, &frame, 1);
	assert_int_equal(print(&b, 2, &text, &error), GTRACE_OK);
	/* The start of the sixth slice is 11 steps from it, so without ... */
	assert_non_null(strstr(text.bytes,
			       "\t105ns -> 0.000000s \n"
			       "\t\tGoStart Ts: 570 P: 1 G: 1 StkID: 0 args0: "
			       "1 args1: 0 args2: 0\n"
			       "\t\tGoSched"));
	/* ... and the end of the fifth is 10 steps from it. */
	assert_non_null(strstr(
		text.bytes,
		"\t\tGoSched Ts: 560 P: 1 G: 1 StkID: 0 args0: 0 args1: 0 "
		"args2: 0\n"
		"\t\t\t GoCreate -> GoStart -> GoSched -> GoStart -> GoSched "
		"-> GoStart -> GoSched -> GoStart -> GoSched -> GoStart\n"
		"\t\t\t 1   7\n"));
	builder_close(&b);
}

/* --------------------------------------------------------------- records -- */

static void test_headers(void **state)
{
	static const struct {
		const char *header;
		size_t size;
		enum gtrace_status status;
		uint64_t offset;
		const char *message;
	} cases[] = {
		{"", 0, GTRACE_ERROR_HEADER, 0,
		 "failed to read header: read 0, err EOF"},
		{"go 1.8", 6, GTRACE_ERROR_HEADER, 6,
		 "failed to read header: read 6, err unexpected EOF"},
		{"no 1.8 trace\0\0\0\0", 16, GTRACE_ERROR_HEADER, 0,
		 "not a trace file"},
		{"go 1.8 trace\0\0\0x", 16, GTRACE_ERROR_HEADER, 0,
		 "not a trace file"},
		{"go 1.0 trace\0\0\0\0", 16, GTRACE_ERROR_HEADER, 0,
		 "not a trace file"},
		{"go 1.24 trace\0\0\0", 16, GTRACE_ERROR_VERSION, 0,
		 "unsupported trace file version 1.24 (update Go toolchain) "
		 "1024"},
		{"go 2.8 trace\0\0\0\0", 16, GTRACE_ERROR_VERSION, 0,
		 "unsupported trace file version 2.8 (update Go toolchain) "
		 "2008"},
		{"go 1.8 trace\0\0\0\0", 16, GTRACE_ERROR_EMPTY, 16,
		 "trace is empty"},
	};
	struct builder b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		builder_open(&b, 1008);
		builder_bytes(&b, cases[i].header, cases[i].size);
		expect_error(&b, cases[i].status, cases[i].offset,
			     cases[i].message);
		builder_close(&b);
	}
}

/*
 * Faults of records, after a header and a batch: the first record is at 19. Of
 * two faults the one of the earlier step counts, wherever it stands.
 */
static const struct fault faults[] = {
	/* Records. */
	{1008,
	 GTRACE_ERROR_RECORD,
	 0,
	 "unknown event type 0 at offset 0x13",
	 {BYTES("\x00")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 0,
	 "unknown event type 43 at offset 0x13",
	 {BYTES("\x2b")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 0,
	 "unknown event type 63 at offset 0x13",
	 {BYTES("\x3f")}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read event 33 argument at offset 0 (failed to read trace "
	 "at offset 20: read 0, error EOF)",
	 {BYTES("\x61")}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read event 33 argument at offset 0 (failed to read trace "
	 "at offset 21: read 0, error EOF)",
	 {BYTES("\x61\x01")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "failed to read event 33 argument at offset 0 (bad value at offset "
	 "0x14)",
	 {BYTES("\x61"),
	  BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 0,
	 "event has wrong length at offset 0x13: want 2, got 3",
	 {BYTES("\xe1\x02\x01\x80\x01\x01")}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read trace at offset 20: read 0, error EOF",
	 {BYTES("\x25")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "string at offset 21 has invalid id 0",
	 {BYTES("\x25\x00"), BYTES("\x01x")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "string at offset 22 has invalid length 0",
	 {BYTES("\x25\x01\x00"), BYTES("")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "string at offset 24 has too large length 1000001",
	 {BYTES("\x25\x01\xc1\x84\x3d"), BYTES("")}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read trace at offset 22: read 0, want 5, error EOF",
	 {BYTES("\x25\x01\x05")}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read trace at offset 22: read 2, want 5, error unexpected "
	 "EOF",
	 {BYTES("\x25\x01\x05"
		"ab")}},
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "string at offset 25 has duplicate id 1",
	 {BYTES("\x25\x01\x01"
		"a\x25\x01"),
	  BYTES("\x01"
		"b")}},
	/* A claim of 2^60 arguments is a record that is cut off. */
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "failed to read event 13 argument at offset 0 (failed to read trace "
	 "at offset 31: read 0, error EOF)",
	 {CLAIM(EV_GO_CREATE, 1, 2, (uint64_t)1 << 60)}},

	/* Arguments. */
	{1008,
	 GTRACE_ERROR_ARGS,
	 0,
	 "HeapAlloc has wrong number of arguments at offset 0x13: want 2, got "
	 "1",
	 {RECORD(EV_HEAP_ALLOC, 1)}},
	{1008,
	 GTRACE_ERROR_ARGS,
	 0,
	 "EvStack has wrong number of arguments at offset 0x13: want at least "
	 "2, got 1",
	 {RECORD(EV_STACK, 1)}},
	{1008,
	 GTRACE_ERROR_ARGS,
	 0,
	 "EvStack has bad number of frames at offset 0x13: 1001",
	 {RECORD(EV_STACK, 1, 1001)}},
	{1008,
	 GTRACE_ERROR_ARGS,
	 0,
	 "EvStack has wrong number of arguments at offset 0x13: want 6, got 5",
	 {RECORD(EV_STACK, 1, 1, 2, 3, 4)}},
	{1008,
	 GTRACE_ERROR_ORDER,
	 0,
	 "time stamps out of order",
	 {FREQUENCY((uint64_t)1 << 63)}},
	{1011,
	 GTRACE_ERROR_ARGS,
	 0,
	 "unknown STW kind 2",
	 {EVENT(EV_STW_START, 1, 2)}},
	{1008,
	 GTRACE_ERROR_CUT_OFF,
	 AT_END,
	 "no EvFrequency event",
	 {CREATE(1)}},

	/* Records come before arguments ... */
	{1008,
	 GTRACE_ERROR_RECORD,
	 1,
	 "unknown event type 63 at offset 0x15",
	 {RECORD(EV_HEAP_ALLOC, 1), BYTES("\x3f")}},
	/* ... of arguments the first, and they before a lacking frequency ...
	 */
	{1008,
	 GTRACE_ERROR_ARGS,
	 1,
	 "ProcStop has wrong number of arguments at offset 0x19: want 1, got 2",
	 {CREATE(1), RECORD(EV_PROC_STOP, 1, 2), RECORD(EV_HEAP_ALLOC, 1)}},
	/* ... the order before time stamps ... */
	{1008,
	 GTRACE_ERROR_ORDER,
	 3,
	 "no consistent ordering of events possible",
	 {CREATE(1), RECORD(EV_BATCH, 1, 10), CREATE(2),
	  EVENT(EV_GO_START, 1, 2, 7), NANOSECONDS}},
	/* ... these before exits from system calls ... */
	{1008,
	 GTRACE_ERROR_ORDER,
	 4,
	 "time stamps out of order",
	 {CREATE(1), EVENT(EV_GO_WAITING, 1, 1),
	  EVENT(EV_GO_SYS_EXIT, 1, 1, 2, 5), RECORD(EV_BATCH, 1, 10), CREATE(2),
	  NANOSECONDS}},
	/* ... which come before what goroutines do. */
	{1008,
	 GTRACE_ERROR_ORDER,
	 3,
	 "stray syscall exit",
	 {EVENT(EV_PROC_STOP, 1), CREATE(1), EVENT(EV_GO_WAITING, 1, 1),
	  EVENT(EV_GO_SYS_EXIT, 1, 1, 2, 5), NANOSECONDS}},

	/* States. */
	{1008,
	 GTRACE_ERROR_STATE,
	 0,
	 "p 1 is not running before stop (offset 19, time 0)",
	 {EVENT(EV_PROC_STOP, 1), NANOSECONDS}},
	{1008,
	 GTRACE_ERROR_STATE,
	 1,
	 "p 1 is running before start (offset 22, time 2)",
	 {EVENT(EV_PROC_START, 1, 0), EVENT(EV_PROC_START, 1, 0),
	  FREQUENCY(500000000)}},
	{1008,
	 GTRACE_ERROR_STATE,
	 0,
	 "g 0 did GoEnd (offset 19, time 0)",
	 {EVENT(EV_GO_END, 1), NANOSECONDS}},
	{1008,
	 GTRACE_ERROR_STATE,
	 0,
	 "bogus scanning end (offset 19, time 0)",
	 {EVENT(EV_STW_DONE, 1), NANOSECONDS}},
	{1009,
	 GTRACE_ERROR_STATE,
	 0,
	 "bogus STW end (offset 19, time 0)",
	 {EVENT(EV_STW_DONE, 1), NANOSECONDS}},
	{1011,
	 GTRACE_ERROR_STATE,
	 1,
	 "misuse of region in goroutine 0: span end \"1 UserRegion p=1 g=0 "
	 "off=26 taskid=4 mode=1 typeid=1 name=a\\\"b\\n\" when the inner-most "
	 "active span start event is \"0 UserRegion p=1 g=0 off=19 taskid=3 "
	 "mode=0 typeid=1 name=a\\\"b\\n\"",
	 {EVENT(EV_USER_REGION, 1, 3, 0, 1, 0),
	  EVENT(EV_USER_REGION, 1, 4, 1, 1, 0), NANOSECONDS,
	  STRING(1, "a\"b\n")}},
	/* ID 2^64 - 1 is in no order, and still lives only once. */
	{1008,
	 GTRACE_ERROR_STATE,
	 3,
	 "g 18446744073709551615 already exists (offset 49, time 3)",
	 {CREATE(UINT64_MAX), EVENT(EV_GO_START, 1, UINT64_MAX, 0),
	  EVENT(EV_GO_END, 1), CREATE(UINT64_MAX), NANOSECONDS}},
};

static void test_faults(void **state)
{
	struct builder b;
	uint64_t at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		start(&b, faults[i].version);
		at = write_records(&b, faults[i].records, faults[i].at);
		expect_error(&b, faults[i].status, at, faults[i].message);
		builder_close(&b);
	}
}

/* A CPU sample among the events of a processor: time passes with it. */
static void test_time_of_samples(void **state)
{
	struct gtrace_error error = {.message = ""};
	static struct text text;
	struct builder b;

	(void)state;
	start(&b, 1019);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 10, 1);
	BUILDER_EVENT(&b, EV_CPU_SAMPLE, 100, 5, 0, 0, 0);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 5, 2);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes, "CPUSample Ts: 0 "));
	assert_non_null(strstr(text.bytes, "HeapAlloc Ts: 105 "));
	assert_non_null(strstr(text.bytes, "HeapAlloc Ts: 210 "));
	builder_close(&b);
}

/* --------------------------------------------------------------- partial -- */

/* The reference overlooks messages that cannot be: they are empty then. */
static void test_messages(void **state)
{
	static const struct {
		uint8_t length[12];
		size_t size;
		const char *printed;
	} cases[] = {
		{{2, 'o', 'k'}, 3, "\t\t key\n\t\t ok\n"},
		{{0}, 1, "\t\t key\n\t\t \n"},
		/* 1,000,001 bytes */
		{{0xc1, 0x84, 0x3d}, 3, "\t\t key\n\t\t \n"},
		/* no value: ten bytes that all say that another follows */
		{{0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80},
		 10,
		 "\t\t key\n\t\t \n"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gtrace_error error;
		static struct text text;
		struct builder b;

		start(&b, 1011);
		BUILDER_EVENT(&b, EV_USER_LOG, 1, 7, 1, 0);
		builder_bytes(&b, cases[i].length, cases[i].size);
		BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 77, 0);
		builder_string(&b, 1, "key");
		builder_frequency(&b, 1000000000);
		assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
		assert_non_null(strstr(text.bytes, cases[i].printed));
		assert_non_null(strstr(text.bytes, "type: 4 Gomaxprocs"));
		assert_non_null(strstr(text.bytes, "args0: 77 "));
		builder_close(&b);
	}
}

static void test_partial(void **state)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	const struct gtrace_error *reason;
	struct gtrace_reports *reports;
	struct gtrace_error error;
	uint64_t offset, size, at;
	struct gtrace *trace;
	struct builder b;

	(void)state;
	start(&b, 1008);
	create(&b, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 70, 0);
	builder_frequency(&b, 1000000000);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(gtrace_left_out(trace, NULL, NULL, NULL), 0);
	gtrace_close(trace);

	at = builder_bytes(&b,
			   "\x25\x01\x05"
			   "ab",
			   5);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(gtrace_left_out(trace, &offset, &size, &reason), 1);
	assert_int_equal(offset, at);
	assert_int_equal(size, 5);
	assert_int_equal(reason->status, GTRACE_ERROR_CUT_OFF);
	assert_int_equal(make_greedy(trace, 5, &reports, &error), GTRACE_OK);
	assert_int_equal(reports->greedy->count, 1);
	assert_int_equal(reports->greedy->slices[0]->duration, 70);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_slice_of_the_proposal),
		cmocka_unit_test(test_still_running),
		cmocka_unit_test(test_line_is_signed),
		cmocka_unit_test(test_no_slice),
		cmocka_unit_test(test_walk_of_ten_steps),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_time_of_samples),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_partial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
