/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * go1_5_test.c - traces of Go 1.5 and 1.6: events are ordered by sequence
 * number, stacks are program counters that `go tool addr2line` names, and the
 * first start of a goroutine has the address where it begins. fake_go.sh
 * stands for the go command.
 */
#define _DEFAULT_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "base/sort.h"
#include "tests/model.h"
#include "tests/records.h"

/* What a line of a dump says from the event's name on; all of other lines. */
static const char *from_name(const char *line)
{
	const char *type = strstr(line, " type: ");

	return type == NULL ? line : strchr(type + strlen(" type: "), ' ') + 1;
}

#define LINES_MAX 16

/* Holds each line of the dump against the beginning that it should have. NULL
 * ends these. */
static void expect_dump(const struct builder *b, const char *const *want)
{
	static struct text text;
	struct gtrace_error error = {.message = ""};
	const char *line;
	size_t i;

	if (print(b, 0, &text, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	assert_string_equal(strtok(text.bytes, "\n"), "dump");
	for (i = 0; i < LINES_MAX && want[i] != NULL; i++) {
		line = strtok(NULL, "\n");
		assert_non_null(line);
		line = from_name(line);
		if (strncmp(line, want[i], strlen(want[i])) != 0)
			fail_msg("line %zu is \"%s\", want \"%s\"", i, line,
				 want[i]);
	}
	assert_null(strtok(NULL, "\n"));
}

static void start(struct builder *b)
{
	builder_open(b, 1005);
	builder_header(b);
}

/* What follows happens on P from sequence number SEQUENCE + 1 on. */
static void batch(struct builder *b, uint64_t p, uint64_t sequence,
		  uint64_t ticks)
{
	BUILDER_RECORD(b, EV_BATCH, p, sequence, ticks);
}

/* One tick is a nanosecond. */
static void finish(struct builder *b)
{
	builder_frequency(b, 1000000000);
}

/* ---------------------------------------------------------------- tables -- */

#define BATCH(p, sequence, ticks) RECORD(EV_BATCH, p, sequence, ticks)
#define CREATE(ticks, g, pc)      EVENT(EV_GO_CREATE, ticks, g, pc, 0)

/* Traces, and the lines of their dumps, from the names of events on. */
static const struct {
	struct record records[RECORDS_MAX];
	const char *lines[LINES_MAX];
} dumps[] = {
	/* Batches stand in the file as they were full, not as their events
	 * happened. At the end goroutine 1 runs on processor 1 still. */
	{{BATCH(1, 2, 130), EVENT(EV_GO_START, 0, 1), SEQUENCE(3),
	  EVENT(EV_HEAP_ALLOC, 40, 777), SEQUENCE(1), BATCH(0, 0, 100),
	  CREATE(0, 1, 0x500), CREATE(10, 2, 0x600), BATCH(0, 3, 150),
	  EVENT(EV_GO_START, 0, 2), EVENT(EV_GO_SCHED, 10, 0), BATCH(1, 6, 180),
	  EVENT(EV_GO_SCHED, 0, 0), NANOSECONDS},
	 {"GoCreate Ts: 0 P: 0 G: 0 ", "GoCreate Ts: 10 P: 0 G: 0 ",
	  "GoStart Ts: 30 P: 1 G: 1 StkID: 0 args0: 1 args1: 0 ",
	  "\t\t 1281 main.f0x500 /src/0x500.go 1",
	  "GoStart Ts: 50 P: 0 G: 2 StkID: 0 args0: 2 args1: 0 ",
	  "\t\t 1537 main.f0x600 /src/0x600.go 2", "GoSched Ts: 60 P: 0 G: 2 ",
	  "HeapAlloc Ts: 70 P: 1 G: 1 ", "GoSched Ts: 80 P: 1 G: 1 "}},
	/*
	 * An exit from a system call happened at the sequence number and the
	 * ticks in its arguments, on a processor of its own; with ticks 0, at
	 * those of its record, whose number is not what orders it. Numbers 5 to
	 * 7 are goroutine 1's.
	 */
	{{BATCH(0, 0, 100), CREATE(0, 1, 0x500), EVENT(EV_GO_IN_SYSCALL, 1, 1),
	  CREATE(1, 2, 0x600), EVENT(EV_GO_IN_SYSCALL, 1, 2), SEQUENCE(4),
	  EVENT(EV_HEAP_ALLOC, 60, 1), SEQUENCE(1),
	  EVENT(EV_GO_SYS_EXIT, 7, 1, 5, 120), EVENT(EV_GO_START, 1, 1),
	  EVENT(EV_GO_SYS_EXIT, 10, 2, 12, 0), SEQUENCE(2),
	  EVENT(EV_GO_SCHED, 0, 0), NANOSECONDS},
	 {"GoCreate Ts: 0 ", "GoInSyscall Ts: 1 P: 0 G: 1 ", "GoCreate Ts: 2 ",
	  "GoInSyscall Ts: 3 P: 0 G: 2 ",
	  "GoSysExit Ts: 20 P: 1000003 G: 1 StkID: 0 args0: 1 args1: 5 args2: "
	  "120 ",
	  "HeapAlloc Ts: 63 ", "GoStart Ts: 71 P: 0 G: 1 ",
	  "\t\t 1281 main.f0x500 /src/0x500.go 1",
	  "GoSysExit Ts: 81 P: 1000003 G: 2 StkID: 0 args0: 2 args1: 12 args2: "
	  "0 ",
	  "GoSched Ts: 81 P: 0 G: 1 "}},
	/*
	 * Each address is asked for once, one less than it is. The last start
	 * is not the first one, and the last stack is not there.
	 */
	{{BATCH(0, 0, 100), EVENT(EV_GO_CREATE, 0, 1, 0x800, 9),
	  EVENT(EV_GO_START, 1, 1), EVENT(EV_GO_SCHED, 1, 9),
	  EVENT(EV_GO_START, 1, 1), EVENT(EV_GO_SCHED, 1, 8),
	  RECORD(EV_STACK, 9, 2, 0x701, 0x801), NANOSECONDS},
	 {"GoCreate Ts: 0 P: 0 G: 0 StkID: 9 args0: 1 args1: 2048 ",
	  "\t\t 1793 main.f0x700 /src/0x700.go 1",
	  "\t\t 2049 main.f0x800 /src/0x800.go 2",
	  "GoStart Ts: 1 P: 0 G: 1 StkID: 0 ",
	  "\t\t 2049 main.f0x800 /src/0x800.go 2",
	  "GoSched Ts: 2 P: 0 G: 1 StkID: 9 ",
	  "\t\t 1793 main.f0x700 /src/0x700.go 1",
	  "\t\t 2049 main.f0x800 /src/0x800.go 2",
	  "GoStart Ts: 3 P: 0 G: 1 StkID: 0 ",
	  "GoSched Ts: 4 P: 0 G: 1 StkID: 8 "}},
	/*
	 * A futile wakeup: from the wakeup to the block after it, all events of
	 * goroutine 1 are left out. It is woken, preempted, and too late. The
	 * second wakeup is none.
	 */
	{{BATCH(0, 0, 100),
	  CREATE(0, 1, 0x500),
	  CREATE(1, 2, 0x600),
	  EVENT(EV_GO_START, 1, 1),
	  EVENT(EV_GO_BLOCK_RECV, 1, 0),
	  EVENT(EV_GO_START, 1, 2),
	  EVENT(EV_GO_UNBLOCK, 1, 1, 0),
	  EVENT(EV_HEAP_ALLOC, 1, 5),
	  BATCH(1, 7, 107),
	  EVENT(EV_GO_START, 0, 1),
	  EVENT(EV_GO_PREEMPT, 1, 0),
	  EVENT(EV_GO_START, 1, 1),
	  EVENT(EV_FUTILE_WAKEUP, 1),
	  EVENT(EV_GO_BLOCK_RECV, 1, 0),
	  BATCH(0, 12, 120),
	  EVENT(EV_GO_UNBLOCK, 1, 1, 0),
	  EVENT(EV_GO_BLOCK_SYNC, 1, 0),
	  EVENT(EV_GO_START, 1, 1),
	  EVENT(EV_GO_BLOCK_SELECT, 1, 0),
	  NANOSECONDS},
	 {"GoCreate Ts: 0 ", "GoCreate Ts: 1 ", "GoStart Ts: 2 P: 0 G: 1 ",
	  "\t\t 1281 ", "GoBlockRecv Ts: 3 P: 0 G: 1 ",
	  "GoStart Ts: 4 P: 0 G: 2 ", "\t\t 1537 ",
	  "HeapAlloc Ts: 6 P: 0 G: 2 ", "GoUnblock Ts: 21 P: 0 G: 2 ",
	  "GoBlockSync Ts: 22 P: 0 G: 2 ", "GoStart Ts: 23 P: 0 G: 1 ",
	  "GoBlockSelect Ts: 24 P: 0 G: 1 "}},
	/* What the goroutine of timers does is on a processor of its own. */
	{{BATCH(0, 0, 100), CREATE(0, 1, 0x500), EVENT(EV_GO_WAITING, 1, 1),
	  CREATE(1, 2, 0x600), EVENT(EV_GO_START, 1, 2),
	  EVENT(EV_GO_UNBLOCK, 1, 1, 0), RECORD(EV_TIMER_GOROUTINE, 2, 0),
	  NANOSECONDS},
	 {"GoCreate Ts: 0 P: 0 ", "GoWaiting Ts: 1 P: 0 G: 1 ",
	  "GoCreate Ts: 2 P: 0 ", "GoStart Ts: 3 P: 0 G: 2 ", "\t\t 1537 ",
	  "GoUnblock Ts: 4 P: 1000001 G: 2 "}},
};

static void test_dumps(void **state)
{
	struct builder b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
		start(&b);
		write_records(&b, dumps[i].records, AT_END);
		expect_dump(&b, dumps[i].lines);
		builder_close(&b);
	}
}

static const struct fault faults[] = {
	/* Number 2 is at 111, number 3 at 110. */
	{1005,
	 GTRACE_ERROR_ORDER,
	 3,
	 "time stamps out of order",
	 {BATCH(0, 0, 100), CREATE(0, 1, 0x500), SEQUENCE(2),
	  EVENT(EV_HEAP_ALLOC, 10, 1), BATCH(1, 1, 111), SEQUENCE(1),
	  EVENT(EV_HEAP_ALLOC, 0, 2), NANOSECONDS}},
	/* The ids of goroutines that ended are not used again. */
	{1005,
	 GTRACE_ERROR_STATE,
	 4,
	 "g 1 already exists (offset 35, time 3)",
	 {BATCH(0, 0, 100), CREATE(0, 1, 0x500), EVENT(EV_GO_START, 1, 1),
	  EVENT(EV_GO_END, 1), CREATE(1, 1, 0x500), NANOSECONDS}},
	/* There are no strings yet, and a stack has a value a frame. */
	{1005,
	 GTRACE_ERROR_RECORD,
	 1,
	 "unknown event type 37 at offset 0x14",
	 {BATCH(0, 0, 100), BYTES("\x65\x01\x01\x61")}},
	{1005,
	 GTRACE_ERROR_ARGS,
	 1,
	 "EvStack has wrong number of arguments at offset 0x14: want 4, got 3",
	 {BATCH(0, 0, 100), RECORD(EV_STACK, 1, 2, 0x701)}},
	{1005,
	 GTRACE_ERROR_ARGS,
	 0,
	 "Batch has wrong number of arguments at offset 0x10: want 3, got 2",
	 {RECORD(EV_BATCH, 0, 100)}},
};

static void test_faults(void **state)
{
	struct builder b;
	uint64_t at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		start(&b);
		at = write_records(&b, faults[i].records, faults[i].at);
		expect_error(&b, faults[i].status, at, faults[i].message);
		builder_close(&b);
	}
}

/* ----------------------------------------------------------------- order -- */

/*
 * Numbers in any order, some of them equal: these are in the order in which Go
 * 1.8 sorts the events of one processor after those of another.
 */
static void check_random_numbers(uint64_t *seed, uint64_t limit)
{
	enum { EVENTS = 300, PROCESSORS = 3 };
	static struct text text;
	struct gtrace_error error;
	struct sort_item order[EVENTS];
	uint64_t sequence;
	unsigned i, place;
	struct builder b;
	char *line;

	start(&b);
	for (i = 0; i < EVENTS; i++) {
		sequence = 1 + random_below(seed, limit);
		place = i % PROCESSORS * (EVENTS / PROCESSORS) + i / PROCESSORS;
		order[place] = (struct sort_item){(int64_t)sequence, i};
		batch(&b, i % PROCESSORS, sequence - 1, 5 + sequence);
		BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, i);
	}
	finish(&b);
	gti_sort_go1_8(order, EVENTS);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	line = text.bytes;
	for (i = 0; i < EVENTS; i++) {
		line = strstr(line, "args0: ");
		assert_non_null(line);
		line += strlen("args0: ");
		assert_int_equal(strtoul(line, NULL, 10), order[i].value);
	}
	builder_close(&b);
}

static void test_random_numbers(void **state)
{
	uint64_t seed = 7;
	unsigned round;

	(void)state;
	for (round = 0; round < 20; round++)
		check_random_numbers(&seed, 1 + round * 40);
}

/* ---------------------------------------------------------------- stacks -- */

static const struct builder_frame two_frames[] = {{.pc = 0x701}, {.pc = 0x801}};

static void test_greedy_report(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;

	(void)state;
	start(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x800, 9);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 50, 9);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 40, 0);
	builder_stack(&b, 9, two_frames, 2);
	finish(&b);
	assert_int_equal(print(&b, 5, &text, &error), GTRACE_OK);
	assert_string_equal(
		text.bytes,
		"finally the found toppest 2 greedy goroutines info\n"
		"\t50ns -> 0.000000s \n"
		"\t\tGoStart Ts: 1 P: 0 G: 1 StkID: 0 args0: 1 args1: 0 "
		"args2: 0\n"
		"\t\t\t 2049 main.f0x800 /src/0x800.go 2\n"
		"\t\tGoSched Ts: 51 P: 0 G: 1 StkID: 9 args0: 0 args1: 0 "
		"args2: 0\n"
		"\t\t\t 1793 main.f0x700 /src/0x700.go 1\n"
		"\t\t\t 2049 main.f0x800 /src/0x800.go 2\n"
		"\t40ns -> 0.000000s \n"
		"\t\tGoStart Ts: 52 P: 0 G: 1 StkID: 0 args0: 1 args1: 0 "
		"args2: 0\n"
		"\t\t\t GoSched\n"
		"\t\t\t 1793 main.f0x700 /src/0x700.go 1\n"
		"\t\t\t 2049 main.f0x800 /src/0x800.go 2\n"
		"\t\tGoSched Ts: 92 P: 0 G: 1 StkID: 0 args0: 0 args1: 0 "
		"args2: 0\n"
		"\t\t\t GoSched -> GoStart\n"
		"\t\t\t 1793 main.f0x700 /src/0x700.go 1\n"
		"\t\t\t 2049 main.f0x800 /src/0x800.go 2\n");
	builder_close(&b);
}

/* The summary names slices while it makes its pass. */
static void test_names_of_functions(void **state)
{
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh");
	struct gtrace_summary *summary;
	struct gtrace *trace;
	struct builder b;

	(void)state;
	start(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x800, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 50, 9);
	builder_stack(&b, 9, two_frames, 2);
	finish(&b);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, NULL),
		GTRACE_OK);
	assert_int_equal(gtrace_summarise(trace, NULL, &summary, NULL),
			 GTRACE_OK);
	assert_int_equal(summary->function_count, 1);
	assert_int_equal(summary->functions[0].frame.function.size, 11);
	assert_memory_equal(summary->functions[0].frame.function.data,
			    "main.f0x700", 11);
	gtrace_summary_free(summary);
	gtrace_close(trace);
	builder_close(&b);
}

/* The frame of a first start also explains the event that it leads to. */
static void test_walk_back_to_a_first_start(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;

	(void)state;
	start(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x800, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 50, 0);
	finish(&b);
	assert_int_equal(print(&b, 1, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes,
			       "\t\tGoSched Ts: 51 P: 0 G: 1 StkID: 0 args0: 0 "
			       "args1: 0 args2: 0\n"
			       "\t\t\t GoStart\n"
			       "\t\t\t 2049 main.f0x800 /src/0x800.go 1\n"));
	builder_close(&b);
}

/* Without the program no report is made, but other faults come before that. */
static void test_no_binary(void **state)
{
	static const char want[] = "for traces produced by go 1.6 or below, "
				   "the binary argument must be provided";
	struct gtrace_options options =
		OPTIONS(.go_command = "tests/fake_go.sh");
	struct gtrace_error error;
	static struct text text;
	struct builder b;
	uint64_t at;
	size_t n;

	(void)state;
	start(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x800, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	finish(&b);
	for (n = 0; n < 4; n++) {
		options.binary = n < 2 ? NULL : "";
		assert_int_equal(
			print_in_order(&b, n % 2, &options, 0, &text, &error),
			GTRACE_ERROR_SYMBOLS);
		assert_string_equal(error.message, want);
		assert_int_equal(text.size, 0);
	}
	builder_close(&b);

	start(&b);
	batch(&b, 0, 0, 100);
	at = BUILDER_EVENT(&b, EV_GO_END, 1);
	finish(&b);
	for (n = 0; n < 2; n++) {
		assert_int_equal(
			print_in_order(&b, n, &options, 0, &text, &error),
			GTRACE_ERROR_STATE);
		assert_int_equal(error.offset, at);
	}
	builder_close(&b);
}

/* Each descriptor that is missing is an error, and none stays open. */
static void test_no_descriptors(void **state)
{
	static struct text text;
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh");
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct rlimit limit, before;
	struct builder b;
	int lowest = dup(0), after;
	unsigned failures = 0;

	(void)state;
	assert_true(lowest >= 0);
	close(lowest);
	start(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x800, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	finish(&b);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)lowest;
	do {
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		status = print_in_order(&b, 1, &options, 0, &text, &error);
		after = dup(0);
		if (after >= 0) {
			assert_int_equal(after, lowest);
			close(after);
		}
		if (status == GTRACE_OK)
			break;
		/* The command has no descriptors either, and says so. */
		assert_int_equal(status, GTRACE_ERROR_SYMBOLS);
		assert_non_null(strstr(error.message, "addr2line"));
		assert_int_equal(text.size, 0);
		failures++;
		limit.rlim_cur++;
	} while (limit.rlim_cur < (rlim_t)lowest + 20);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(status, GTRACE_OK);
	assert_true(failures >= 2);
	builder_close(&b);
}

/* --------------------------------------------------------------- partial -- */

/* Opens the trace in partial mode, and checks what the report leaves out. */
static void expect_left_out(const struct builder *b, uint64_t want_offset,
			    enum gtrace_status want, const char *shown)
{
	static struct text text;
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh",
			.partial = 1);
	struct gtrace_output output = text_output(&text);
	const struct gtrace_error *reason;
	struct gtrace_error error;
	struct gtrace *trace;
	uint64_t offset, size;

	assert_int_equal(
		gtrace_open_memory(b->bytes, b->size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	assert_int_equal(gtrace_left_out(trace, &offset, &size, &reason), 1);
	assert_int_equal(offset, want_offset);
	assert_int_equal(offset + size, b->size);
	assert_int_equal(reason->status, want);
	assert_non_null(strstr(text.bytes, shown));
	gtrace_close(trace);
}

static void test_partial(void **state)
{
	struct builder b;
	uint64_t after;

	(void)state;
	/* Ticks that decrease: what comes before, in the order of numbers. */
	start(&b);
	finish(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, 1);
	b.sequence_step = 2;
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 10, 3);
	batch(&b, 1, 1, 111);
	b.sequence_step = 1;
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, 2);
	/* The last record that comes out is the last of the file. */
	expect_left_out(&b, b.size, GTRACE_ERROR_ORDER,
			"HeapAlloc Ts: 11 P: 1 G: 0 StkID: 0 args0: 2 ");
	builder_close(&b);

	/* An event that contradicts those before it is the last one read. */
	start(&b);
	finish(&b);
	batch(&b, 0, 0, 100);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, 1);
	BUILDER_EVENT(&b, EV_GO_END, 5);
	after = BUILDER_EVENT(&b, EV_HEAP_ALLOC, 5, 2);
	expect_left_out(&b, after, GTRACE_ERROR_STATE, "HeapAlloc Ts: 0 P: 0 ");
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dumps),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_random_numbers),
		cmocka_unit_test(test_greedy_report),
		cmocka_unit_test(test_names_of_functions),
		cmocka_unit_test(test_walk_back_to_a_first_start),
		cmocka_unit_test(test_no_binary),
		cmocka_unit_test(test_no_descriptors),
		cmocka_unit_test(test_partial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
