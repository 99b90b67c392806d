/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states_test.c - what goroutines and processors may do in traces of Go 1.5 to
 * 1.21, and what is said of those that do something else.
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

#include "tests/printed.h"

/* ------------------------------------------------------------ goroutines -- */

/*
 * An event of a Go 1.5 trace, where the sequence number alone says when it
 * happens: nothing else is asked of the order. It is at ten ticks a number.
 */
struct step {
	uint64_t sequence;
	uint64_t p;
	unsigned type;
	unsigned count; /* of args */
	uint64_t args[3];
};

#define STEPS_MAX 8

struct sequence {
	const char *message; /* of the fault that step AT is */
	unsigned at;
	struct step steps[STEPS_MAX];
};

/*
 * Goroutine 1 runs on processor 1, then is ready, and as the file says it does
 * something there at number 6. Events between may put it elsewhere.
 */
#define READY_GOROUTINE                                                        \
	{1, 0, EV_GO_CREATE, 3, {1, 0, 0}}, {2, 1, EV_GO_START, 1, {1}},       \
		{3, 1, EV_GO_PREEMPT, 1, {0}},                                 \
	{                                                                      \
		9, 1, EV_GO_START, 1,                                          \
		{                                                              \
			1                                                      \
		}                                                              \
	}
#define RUNNING_ELSEWHERE                                                      \
	{                                                                      \
		4, 2, EV_GO_START, 1,                                          \
		{                                                              \
			1                                                      \
		}                                                              \
	}

static const struct sequence sequences[] = {
	{"p 0 is running before start",
	 1,
	 {{1, 0, EV_PROC_START, 1, {7}}, {2, 0, EV_PROC_START, 1, {7}}}},
	{"p 0 is not running before stop", 0, {{1, 0, EV_PROC_STOP, 0, {0}}}},
	{"p 0 is running a goroutine 1 during stop",
	 3,
	 {{1, 0, EV_PROC_START, 1, {7}},
	  {2, 0, EV_GO_CREATE, 3, {1, 0, 0}},
	  {3, 0, EV_GO_START, 1, {1}},
	  {4, 0, EV_PROC_STOP, 0, {0}}}},
	{"previous GC is not ended before a new one",
	 1,
	 {{1, 0, EV_GC_START, 1, {0}}, {2, 1, EV_GC_START, 1, {0}}}},
	{"bogus GC end",
	 2,
	 {{1, 0, EV_GC_START, 1, {0}},
	  {2, 1, EV_GC_DONE, 0, {0}},
	  {3, 1, EV_GC_DONE, 0, {0}}}},
	{"previous scanning is not ended before a new one",
	 2,
	 {{1, 0, EV_STW_START, 0, {0}},
	  {2, 1, EV_STW_START, 0, {0}},
	  {3, 1, EV_STW_START, 0, {0}}}},
	{"bogus scanning end",
	 1,
	 {{1, 0, EV_STW_START, 0, {0}}, {2, 1, EV_STW_DONE, 0, {0}}}},
	{"previous sweeping is not ended before a new one",
	 2,
	 {{1, 0, EV_GC_SWEEP_START, 1, {0}},
	  {2, 1, EV_GC_SWEEP_START, 1, {0}},
	  {3, 0, EV_GC_SWEEP_START, 1, {0}}}},
	{"bogus sweeping end", 0, {{1, 0, EV_GC_SWEEP_DONE, 0, {0}}}},
	{"g 1 is not runnable before EvGoWaiting",
	 2,
	 {{1, 0, EV_GO_CREATE, 3, {1, 0, 0}},
	  {2, 0, EV_GO_START, 1, {1}},
	  {3, 0, EV_GO_WAITING, 1, {1}}}},
	{"g 1 is not runnable before EvGoInSyscall",
	 0,
	 {{1, 0, EV_GO_IN_SYSCALL, 1, {1}}}},
	{"g 5 is not runnable before start", 0, {{1, 0, EV_GO_START, 1, {5}}}},
	{"p 0 is already running g 1 while start g 2",
	 3,
	 {{1, 0, EV_GO_CREATE, 3, {1, 0, 0}},
	  {2, 0, EV_GO_CREATE, 3, {2, 0, 0}},
	  {3, 0, EV_GO_START, 1, {1}},
	  {4, 0, EV_GO_START, 1, {2}}}},
	{"g 0 did GoSched", 0, {{1, 0, EV_GO_SCHED, 1, {0}}}},
	{"g 0 did GoSysBlock", 0, {{1, 0, EV_GO_SYS_BLOCK, 0, {0}}}},
	{"g 1 already exists",
	 1,
	 {{1, 0, EV_GO_CREATE, 3, {1, 0, 0}},
	  {2, 0, EV_GO_CREATE, 3, {1, 0, 0}}}},
	{"g 2 is not waiting before unpark",
	 0,
	 {{1, 0, EV_GO_UNBLOCK, 2, {2, 0}}}},
	{"g 1 is not waiting during syscall exit",
	 1,
	 {{1, 0, EV_GO_CREATE, 3, {1, 0, 0}},
	  {2, 0, EV_GO_SYS_EXIT, 3, {1, 2, 0}}}},
	{"g 1 is not running while GoSched",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_SCHED, 1, {0}}}},
	{"p 1 is not running g 1 while GoSched",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_SCHED, 1, {0}}, RUNNING_ELSEWHERE}},
	{"g 1 is not running while GoEnd",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_END, 0, {0}}}},
	{"p 1 is not running g 1 while GoStop",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_STOP, 1, {0}}, RUNNING_ELSEWHERE}},
	{"g 1 is not running while GoSysCall",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_SYS_CALL, 1, {0}}}},
	{"p 1 is not running g 1 while GoSysBlock",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_SYS_BLOCK, 0, {0}}, RUNNING_ELSEWHERE}},
	{"g 1 is not running while GoCreate",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_CREATE, 3, {2, 0, 0}}}},
	{"p 1 is not running g 1 while GoCreate",
	 4,
	 {READY_GOROUTINE,
	  {6, 1, EV_GO_CREATE, 3, {2, 0, 0}},
	  RUNNING_ELSEWHERE}},
	{"g 1 is not running while unpark",
	 4,
	 {READY_GOROUTINE, {6, 1, EV_GO_UNBLOCK, 2, {2, 0}}}},
	{"p 1 is not running g 1 while unpark",
	 4,
	 {READY_GOROUTINE,
	  {6, 1, EV_GO_UNBLOCK, 2, {2, 0}},
	  RUNNING_ELSEWHERE}},
};

static void check_sequence(const struct sequence *sequence)
{
	uint64_t ticks = 0, at = 0;
	char message[128];
	struct builder b;
	unsigned i, j;

	builder_open(&b, 1005);
	builder_header(&b);
	for (i = 0; i < STEPS_MAX && sequence->steps[i].sequence != 0; i++) {
		const struct step *step = &sequence->steps[i];
		uint64_t values[4] = {0}, offset;

		for (j = 0; j < step->count; j++)
			values[1 + j] = step->args[j];
		BUILDER_RECORD(&b, EV_BATCH, step->p, step->sequence - 1,
			       10 * step->sequence);
		offset = builder_event(&b, step->type, values, 1 + step->count);
		if (i == sequence->at) {
			at = offset;
			ticks = 10 * step->sequence;
		}
	}
	builder_frequency(&b, 1000000000);
	/* The first event, of number 1, is at 10. */
	snprintf(message, sizeof(message), "%s (offset %u, time %u)",
		 sequence->message, (unsigned)at, (unsigned)ticks - 10);
	expect_error(&b, GTRACE_ERROR_STATE, at, message);
	builder_close(&b);
}

static void test_sequences(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		check_sequence(&sequences[i]);
}

static void start(struct builder *b, unsigned version)
{
	builder_open(b, version);
	builder_header(b);
	builder_batch(b, 1, 100);
}

/* One tick is a nanosecond. */
static void expect_fault(struct builder *b, uint64_t at, const char *message)
{
	builder_frequency(b, 1000000000);
	expect_error(b, GTRACE_ERROR_STATE, at, message);
	builder_close(b);
}

/* What only later versions have. */
static void test_later_versions(void **state)
{
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1009);
	BUILDER_EVENT(&b, EV_STW_START, 1);
	at = BUILDER_EVENT(&b, EV_STW_START, 1);
	expect_fault(&b, at,
		     "previous STW is not ended before a new one (offset 21, "
		     "time 1)");

	/* From 1.10 on the whole world stops, and not each processor. */
	start(&b, 1010);
	BUILDER_EVENT(&b, EV_STW_START, 1, 0);
	builder_batch(&b, 2, 102);
	at = BUILDER_EVENT(&b, EV_STW_START, 0, 0);
	expect_fault(&b, at,
		     "previous STW is not ended before a new one (offset 25, "
		     "time 1)");

	start(&b, 1009);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	/* One that ends may have begun before the trace. */
	BUILDER_EVENT(&b, EV_GC_MARK_ASSIST_DONE, 1);
	BUILDER_EVENT(&b, EV_GC_MARK_ASSIST_START, 1, 0);
	at = BUILDER_EVENT(&b, EV_GC_MARK_ASSIST_START, 1, 0);
	expect_fault(&b, at,
		     "previous mark assist is not ended before a new one "
		     "(offset 33, time 4)");
}

/*
 * A processor number that stands for the collector is given what is known of
 * the processor where it starts, as the reference does.
 */
static void test_collector(void **state)
{
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 7);
	BUILDER_EVENT(&b, EV_GC_START, 1, 0, 0);
	builder_batch(&b, 1000004, 103);
	at = BUILDER_EVENT(&b, EV_PROC_START, 0, 7);
	expect_fault(&b, at,
		     "p 1000004 is running before start (offset 31, time 2)");
}

/* A start with the sequence number that stands for any one. */
static void test_any_sequence_number(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 1, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1, UINT64_MAX);
	BUILDER_EVENT(&b, EV_GO_SCHED, 1, 0);
	/* The next number is 0 then. */
	BUILDER_EVENT(&b, EV_GO_START, 1, 1, 0);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 3, &text, &error), GTRACE_OK);
	builder_close(&b);

	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1, UINT64_MAX);
	BUILDER_EVENT(&b, EV_GO_SCHED, 1, 0);
	at = BUILDER_EVENT(&b, EV_GO_START, 1, 1, 2);
	builder_frequency(&b, 1000000000);
	expect_error(&b, GTRACE_ERROR_ORDER, at,
		     "no consistent ordering of events possible");
	builder_close(&b);
}

/* A sequence number of which the top bits do not fit beside a state. */
static void test_great_sequence_numbers(void **state)
{
	static const uint64_t numbers[] = {
		((uint64_t)1 << 61) + 1, ((uint64_t)1 << 63) + 1,
		((uint64_t)1 << 61) - 1, UINT64_MAX - 1};
	struct builder b;
	uint64_t at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		start(&b, 1008);
		BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
		at = BUILDER_EVENT(&b, EV_GO_START, 1, 1, numbers[i]);
		builder_frequency(&b, 1000000000);
		expect_error(&b, GTRACE_ERROR_ORDER, at,
			     "no consistent ordering of events possible");
		builder_close(&b);
	}
}

/* Many processors wait for one event, which only the first can follow. */
static void test_many_ready_at_once(void **state)
{
	struct builder b;
	uint64_t second = 0, at, p;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 500, 7, 0, 0);
	for (p = 40; p > 10; p--) {
		builder_batch(&b, p, 700 + p);
		at = BUILDER_EVENT(&b, EV_GO_START, 0, 7, 1);
		if (p == 12)
			second = at;
	}
	builder_frequency(&b, 1000000000);
	expect_error(&b, GTRACE_ERROR_ORDER, second,
		     "no consistent ordering of events possible");
	builder_close(&b);
}

/* In partial mode, an exit that ended no system call ends the trace. */
static void test_partial_at_an_exit(void **state)
{
	static struct text text;
	struct gtrace_options options = OPTIONS(.partial = 1);
	struct gtrace_output output = text_output(&text);
	const struct gtrace_error *reason;
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_WAITING, 1, 1);
	at = BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 1, 1, 2, 5);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 1, 7);
	builder_frequency(&b, 1000000000);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	assert_int_equal(gtrace_left_out(trace, NULL, NULL, &reason), 1);
	assert_int_equal(reason->status, GTRACE_ERROR_ORDER);
	assert_int_equal(reason->offset, at);
	assert_string_equal(reason->message, "stray syscall exit");
	assert_non_null(strstr(text.bytes, "GoWaiting Ts: 1 "));
	assert_null(strstr(text.bytes, "GoSysExit"));
	assert_null(strstr(text.bytes, "HeapAlloc"));
	gtrace_close(trace);
	builder_close(&b);
}

/* ---------------------------------------------------- timers and samples -- */

/* Both goroutines of timers count from 1.9 on, before that the last one. */
static void check_timers(unsigned version, const char *first)
{
	static struct text text;
	struct gtrace_error error;
	const char *unblock;
	struct builder b;
	uint64_t g;

	start(&b, version);
	for (g = 1; g <= 4; g++)
		BUILDER_EVENT(&b, EV_GO_CREATE, 1, g, 0, 0);
	BUILDER_EVENT(&b, EV_GO_WAITING, 1, 3);
	BUILDER_EVENT(&b, EV_GO_WAITING, 1, 4);
	for (g = 1; g <= 2; g++) {
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, g);
		BUILDER_EVENT(&b, EV_GO_UNBLOCK_LOCAL, 1, g + 2, 0);
		BUILDER_EVENT(&b, EV_GO_SCHED, 1, 0);
	}
	BUILDER_RECORD(&b, EV_TIMER_GOROUTINE, 1);
	BUILDER_RECORD(&b, EV_TIMER_GOROUTINE, 2);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	unblock = strstr(text.bytes, "GoUnblock Ts: 7 ");
	assert_non_null(unblock);
	assert_ptr_equal(strstr(unblock, first),
			 unblock + strlen("GoUnblock Ts: 7 "));
	assert_non_null(strstr(text.bytes, "GoUnblock Ts: 10 P: 1000001 G: 2"));
	builder_close(&b);
}

static void test_timers(void **state)
{
	(void)state;
	check_timers(1008, "P: 1 G: 1 ");
	check_timers(1009, "P: 1000001 G: 1 ");
}

/* A system call returns while a goroutine of timers runs on the processor. */
static void test_exit_beside_timers(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 2, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 2);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 1, 0);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 1, 2, 2, 0);
	BUILDER_RECORD(&b, EV_TIMER_GOROUTINE, 1);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes, "GoSysExit Ts: 6 P: 1000003 G: 2"));
	builder_close(&b);
}

/* A system call ends when it begins: its goroutine is ready from then on. */
static void test_exit_at_the_block(void **state)
{
	struct gtrace_request request = {.size = sizeof(request), .sched = 500};
	const struct gtrace_sched_sample *sample;
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;

	(void)state;
	start(&b, 1008);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 1, 0);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 1);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 100, 7);
	BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 1, 1, 2, 104);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 10, 7);
	builder_frequency(&b, 1000000000);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, &error),
		GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	assert_int_equal(reports->sched->count, 1);
	sample = reports->sched->samples;
	assert_int_equal(sample->runqueue_ns, 112);
	assert_int_equal(sample->syscalls_ns, 0);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	builder_close(&b);
}

/* Removes the offsets of events in the file. */
static void remove_offsets(char *text)
{
	const char *from = text;

	while (*from != '\0') {
		if (strncmp(from, "Off: ", 5) == 0)
			from += 5 + strspn(from + 5, "0123456789");
		else
			*text++ = *from++;
	}
	*text = '\0';
}

/* Events may have a length before their values where Go writes none. */
static void test_lengths(void **state)
{
	static const struct {
		unsigned type, count;
		uint64_t values[3];
	} events[] = {
		{EV_GO_START, 3, {1, 1, 1}},  {EV_GO_SYS_CALL, 2, {1, 0}},
		{EV_GO_SCHED, 2, {1, 0}},     {EV_GO_START_LOCAL, 2, {1, 1}},
		{EV_HEAP_ALLOC, 2, {1, 100}}, {EV_GO_BLOCK, 2, {1, 0}},
		{EV_GC_DONE, 1, {1}},
	};
	static struct text plain, text;
	struct gtrace_error error;
	struct builder b;
	size_t i, j;

	(void)state;
	for (i = 0; i <= sizeof(events) / sizeof(events[0]); i++) {
		start(&b, 1008);
		BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
		BUILDER_EVENT(&b, EV_GC_START, 1, 0, 0);
		for (j = 0; j < sizeof(events) / sizeof(events[0]); j++)
			builder_record_as(&b, events[j].type,
					  j + 1 == i ? 3 : events[j].count - 1,
					  events[j].values, events[j].count);
		builder_frequency(&b, 1000000000);
		assert_int_equal(print(&b, 0, i == 0 ? &plain : &text, &error),
				 GTRACE_OK);
		remove_offsets(i == 0 ? plain.bytes : text.bytes);
		if (i != 0)
			assert_string_equal(plain.bytes, text.bytes);
		builder_close(&b);
	}
}

/* Samples of a goroutine that ended, and of one that is never heard of. */
static void test_samples_without_goroutine(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;

	(void)state;
	start(&b, 1019);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 2, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_END, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 2);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_CPU_SAMPLE, 1, 108, 1, 77, 0);
	BUILDER_EVENT(&b, EV_CPU_SAMPLE, 1, 110, 1, 1, 0);
	BUILDER_EVENT(&b, EV_CPU_SAMPLE, 1, 155, 1, 1, 0);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes, "CPUSample Ts: 9 P: 1 G: 1 "));
	assert_non_null(strstr(text.bytes, "CPUSample Ts: 54 P: 1 G: 1 "));
	/* The last of them ends the trace, and what runs then. */
	assert_int_equal(print(&b, 2, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes, "\t50ns "));
	assert_non_null(strstr(text.bytes, "still running"));
	builder_close(&b);
}

/* ----------------------------------------------------------- user events -- */

/* The id of a name does not matter, its text does. */
static void test_regions(void **state)
{
	static struct text text;
	struct gtrace_error error;
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1011);
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 0, 1, 0);
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 1, 2, 0);
	/* This began before the trace. */
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 9, 1, 1, 0);
	builder_string(&b, 1, "name");
	builder_string(&b, 2, "name");
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 0, &text, &error), GTRACE_OK);
	assert_non_null(strstr(text.bytes,
			       "UserRegion Ts: 0 P: 1 G: 0 StkID: 0 args0: 3 "
			       "args1: 0 args2: 1 link: 0xc420000120 \n"
			       "\t\t name\n"));
	builder_close(&b);

	start(&b, 1011);
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 0, 1, 0);
	at = BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 1, 2, 0);
	builder_string(&b, 1, "name");
	builder_string(&b, 2, "names");
	expect_fault(&b, at,
		     "misuse of region in goroutine 0: span end \"1 UserRegion "
		     "p=1 g=0 off=26 taskid=3 mode=1 typeid=2 name=names\" "
		     "when the inner-most active span start event is \"0 "
		     "UserRegion p=1 g=0 off=19 taskid=3 mode=0 typeid=1 "
		     "name=name\"");

	/* A name of the same length, and one that is not there. */
	start(&b, 1011);
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 0, 1, 0);
	at = BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 1, 2, 0);
	builder_string(&b, 1, "name");
	builder_string(&b, 2, "game");
	expect_fault(&b, at,
		     "misuse of region in goroutine 0: span end \"1 UserRegion "
		     "p=1 g=0 off=26 taskid=3 mode=1 typeid=2 name=game\" when "
		     "the inner-most active span start event is \"0 UserRegion "
		     "p=1 g=0 off=19 taskid=3 mode=0 typeid=1 name=name\"");

	start(&b, 1011);
	at = BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 2, 9, 0);
	expect_fault(&b, at,
		     "invalid user region mode: \"0 UserRegion p=1 g=0 off=19 "
		     "taskid=3 mode=2 typeid=9 name=\"");
}

static void test_tasks(void **state)
{
	struct builder b;
	uint64_t at;

	(void)state;
	start(&b, 1011);
	BUILDER_EVENT(&b, EV_USER_TASK_CREATE, 1, 5, 0, 1, 0);
	BUILDER_EVENT(&b, EV_USER_TASK_END, 1, 5, 0);
	BUILDER_EVENT(&b, EV_USER_TASK_CREATE, 1, 5, 0, 1, 0);
	BUILDER_EVENT(&b, EV_USER_TASK_CREATE, 1, 6, 5, 1, 0);
	at = BUILDER_EVENT(&b, EV_USER_TASK_CREATE, 1, 5, 6, 1, 0);
	builder_string(&b, 1, "query");
	expect_fault(&b, at,
		     "task id conflicts (id:5), \"4 UserTaskCreate p=1 g=0 "
		     "off=44 taskid=5 pid=6 typeid=1 name=query\" vs \"2 "
		     "UserTaskCreate p=1 g=0 off=30 taskid=5 pid=0 typeid=1 "
		     "name=query\"");
}

/* Names are quoted as Go does it: what cannot be seen, and what is no UTF-8. */
static void test_quoting(void **state)
{
	static const struct {
		const char *name, *quoted;
	} cases[] = {
		{"plain ~", "plain ~"},
		{"\"\\", "\\\"\\\\"},
		{"\a\b\t\n\v\f\r", "\\a\\b\\t\\n\\v\\f\\r"},
		{"\x01\x1f\x7f", "\\x01\\x1f\\x7f"},
		{"caf\xc3\xa9", "caf\xc3\xa9"},
		{"\xc2\x80\xc2\xa0\xc2\xad", "\\u0080\\u00a0\\u00ad"},
		{"\xc2\xa1", "\xc2\xa1"},
		{"\xe2\x82\xac", "\xe2\x82\xac"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		/* no first byte, cut off, not followed by what it says */
		{"\x80\xc1\xf5\xff", "\\x80\\xc1\\xf5\\xff"},
		{"\xc3", "\\xc3"},
		{"\xe2\x82(", "\\xe2\\x82("},
		/* longer than need be, a surrogate, too large */
		{"\xe0\x80\x80", "\\xe0\\x80\\x80"},
		{"\xf0\x80\x80\x80", "\\xf0\\x80\\x80\\x80"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
	};
	char message[256];
	struct builder b;
	uint64_t at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(&b, 1011);
		at = BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 2, 1, 0);
		builder_string(&b, 1, cases[i].name);
		snprintf(message, sizeof(message),
			 "invalid user region mode: \"0 UserRegion p=1 g=0 "
			 "off=19 taskid=3 mode=2 typeid=1 name=%s\"",
			 cases[i].quoted);
		expect_fault(&b, at, message);
	}
}

/* A message that is too long is cut off, and says so. */
static void test_long_message(void **state)
{
	struct gtrace_error error;
	static struct text text;
	static char name[3000];
	struct builder b;
	size_t length;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	start(&b, 1011);
	BUILDER_EVENT(&b, EV_USER_REGION, 1, 3, 2, 1, 0);
	builder_string(&b, 1, name);
	builder_frequency(&b, 1000000000);
	assert_int_equal(print(&b, 1, &text, &error), GTRACE_ERROR_STATE);
	length = strlen(error.message);
	assert_int_equal(length, GTRACE_MESSAGE_SIZE - 1);
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequences),
		cmocka_unit_test(test_later_versions),
		cmocka_unit_test(test_collector),
		cmocka_unit_test(test_any_sequence_number),
		cmocka_unit_test(test_great_sequence_numbers),
		cmocka_unit_test(test_many_ready_at_once),
		cmocka_unit_test(test_partial_at_an_exit),
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_exit_beside_timers),
		cmocka_unit_test(test_exit_at_the_block),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_samples_without_goroutine),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_long_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
