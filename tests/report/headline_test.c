/* SPDX-License-Identifier: BSD-3-Clause */
/* headline_test.c - which finding makes the headline, and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/headline.h"

static struct gtrace_string string_of(const char *text)
{
	struct gtrace_string string = {text, strlen(text)};

	return string;
}

/* A summary that is made by hand. */
static struct gtrace_summary summary;
static struct gtrace_stop_report stops;
static struct gtrace_holder holders[3];
static struct gtrace_longest longest;
static struct gtrace_stop longest_stop;
static struct gtrace_delay_report delays;
static struct gtrace_function encode, scan;
static const struct gtrace_function *delaying[] = {&encode, &scan};

static int reset(void **state)
{
	(void)state;
	stops = (struct gtrace_stop_report){.all = {.max = -1}};
	longest = (struct gtrace_longest){
		.function = string_of("main.spin"),
		.duration = 30000000,
		.own = 25200000,
	};
	delays = (struct gtrace_delay_report){.waited = 0};
	summary = (struct gtrace_summary){
		.trace_version = 1008,
		.length = 1000000000,
		.procs = 4,
		.delays = &delays,
		.delaying = delaying,
		.slices = {.count = 3, .max = 30000000},
		.stops = &stops,
		.holders = holders,
		.longest = &longest,
	};
	return 0;
}

/*
 * There were MEASURED stops, which waited at most MAX and SUM in all. The world
 * did not stand.
 */
static void set_stops(uint64_t measured, int64_t max, int64_t sum)
{
	stops.measured = stops.all.measured = measured;
	stops.all.max = max;
	stops.all.stopping = sum;
	longest_stop = (struct gtrace_stop){.stopping = max};
	summary.longest_stop = &longest_stop;
}

static void add_holder(const char *function, enum gtrace_work work,
		       uint64_t count, int64_t stopping)
{
	holders[summary.holder_count++] = (struct gtrace_holder){
		.function = string_of(function),
		.caller = string_of(""),
		.work = work,
		.count = count,
		.stopping = stopping,
	};
}

static void expect(const char *sentence, const char *explanation)
{
	struct headline headline;

	gti_headline(&headline, &summary, false);
	assert_string_equal(headline.sentence, sentence);
	assert_string_equal(headline.explanation, explanation);
}

/* No delay and no stop is a finding: the explanation has the longest slice. */
static void expect_longest(const char *longest_slice, const char *rest)
{
	char explanation[256];

	snprintf(explanation, sizeof(explanation), "%s. %s", longest_slice,
		 rest);
	expect("No goroutine waited for a busy processor", explanation);
}

/* Slices of main.encode and main.scan delayed others for so long. */
static void set_delays(int64_t waited, int64_t first, int64_t second)
{
	delays.waited = waited;
	encode = (struct gtrace_function){
		.function = string_of("a.com/x/main.encode"),
		.caller = string_of(""),
		.delay = first,
		.delaying = 412,
		.delaying_sum = 1700000000,
	};
	scan = encode;
	scan.function = string_of("main.scan");
	scan.delay = second;
	summary.delaying_count = 2;
}

static void test_delay(void **state)
{
	(void)state;
	set_delays(5000000000, 3200000000, 1000000000);
	expect("main.encode delayed others 3.20 s: 412 slices while 7.5 "
	       "goroutines were ready on average",
	       "That is 64 % of the waiting for busy processors. No stop of "
	       "the world in this trace.");
	encode.work = GTRACE_WORK_GC_DEDICATED;
	encode.delaying = 1;
	encode.delaying_sum = 900000000;
	expect("main.encode (GC dedicated) delayed others 3.20 s: 1 slice "
	       "while 14 goroutines were ready on average",
	       "That is 64 % of the waiting for busy processors. No stop of "
	       "the world in this trace.");
	/* Nobody can change the tracer. */
	encode.work = GTRACE_WORK_TRACER;
	expect("main.scan delayed others 1.00 s: 412 slices while 2.4 "
	       "goroutines were ready on average",
	       "That is 20 % of the waiting for busy processors. No stop of "
	       "the world in this trace.");
	/* Values of a damaged trace. */
	set_delays(INT64_MAX, INT64_MAX, INT64_MIN);
	summary.procs = INT64_MAX;
	encode.delaying_sum = 0;
	expect("main.encode delayed others 9 223 372 037 s: 412 slices while "
	       "1 000 000 000 000 000 goroutines were ready on average",
	       "That is 100 % of the waiting for busy processors. No stop of "
	       "the world in this trace.");
}

/* What cost others most makes the headline. */
static void test_delay_or_stop(void **state)
{
	static const char held[] = "main.f held up 6 of 9 stops of the world: "
				   "15.8 ms of waiting";
	static const char share[] = "That is 92 % of the 17.1 ms for which "
				    "stops had to wait before the world stood "
				    "still.";

	(void)state;
	set_stops(9, 4080000, 17130000);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 6, 15770000);
	set_delays(16000000, 15770000, 1);
	expect(held, share);
	encode.delay++;
	expect("main.encode delayed others 15.8 ms: 412 slices while 0.0 "
	       "goroutines were ready on average",
	       "That is 99 % of the waiting for busy processors. No stop of "
	       "the world waited longer than 4.08 ms for a processor (9 stops "
	       "measured).");
	longest_stop.stopped = 20000000;
	longest_stop.kind = string_of("GC");
	expect("The world stood 20.0 ms for GC",
	       "It had stopped within 4.08 ms. While it stood, only G0 on P0 "
	       "worked: the runtime, or its thread got no CPU.");
	/* Less than a hundredth of the trace. */
	longest_stop.stopped = 0;
	summary.length = 1600000000;
	expect(held, share);
}

/* A small delay is no finding, and a long slice that delays nobody is none. */
static void test_small_delay(void **state)
{
	(void)state;
	summary.length = 20000000;
	set_delays(499999, 499999, 1);
	expect("Goroutines hardly waited for busy processors: 500 \u00b5s in "
	       "all",
	       "main.spin kept a processor longest: 25.2 ms. No stop of the "
	       "world in this trace.");
	set_delays(5000009, 500000, 500000);
	expect("main.encode delayed others 500 \u00b5s: 412 slices while 0.0 "
	       "goroutines were ready on average",
	       "That is 10 % of the waiting for busy processors. No stop of "
	       "the world in this trace.");
	/* Less than a tenth of the waiting. */
	set_delays(5000010, 500000, 500000);
	expect("No function alone delayed others: they waited for busy "
	       "processors for 5.00 ms in all",
	       "main.spin kept a processor longest: 25.2 ms. No stop of the "
	       "world in this trace.");
}

static void test_holder(void **state)
{
	(void)state;
	set_stops(9, 4080000, 17130000);
	add_holder("a.com/x/main.copyOnce", GTRACE_WORK_PROGRAM, 6, 15770000);
	add_holder("", GTRACE_WORK_SCHEDULER, 2, 1355000);
	add_holder("", GTRACE_WORK_NONE, 1, 0);
	expect("main.copyOnce held up 6 of 9 stops of the world: 15.8 ms of "
	       "waiting",
	       "That is 92 % of the 17.1 ms for which stops had to wait before "
	       "the world stood still.");
	holders[0].count = 9;
	holders[0].work = GTRACE_WORK_SYSCALL;
	holders[0].function = string_of("syscall.write");
	holders[0].caller = string_of("main.log");
	expect("A system call in syscall.write in main.log held up all 9 stops "
	       "of the world: 15.8 ms of waiting",
	       "That is 92 % of the 17.1 ms for which stops had to wait before "
	       "the world stood still.");
	set_stops(1, 4080000, 15770000);
	holders[0] = (struct gtrace_holder){
		.function = string_of("runtime.gcDrain"),
		.caller = string_of(""),
		.work = GTRACE_WORK_RUNTIME,
		.count = 1,
		.stopping = 15770000,
	};
	expect("runtime.gcDrain held up the only stop of the world: 15.8 ms of "
	       "waiting",
	       "That is 100 % of the 15.8 ms for which stops had to wait "
	       "before "
	       "the world stood still.");
}

/* The tracer is no finding. */
static void test_tracer(void **state)
{
	(void)state;
	set_stops(9, 4080000, 17130000);
	add_holder("runtime.(*traceAdvancerState).start.func1",
		   GTRACE_WORK_TRACER, 7, 16000000);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 2, 1130000);
	expect_longest(
		"main.spin kept a processor longest: 25.2 ms",
		"No stop of the world waited longer than 4.08 ms for a "
		"processor (9 stops measured). No function but those of the "
		"tracer makes up half of the waiting.");
	stops.all.stopping = 2260000;
	expect("main.f held up 2 of 9 stops of the world: 1.13 ms of waiting",
	       "That is 50 % of the 2.26 ms for which stops had to wait before "
	       "the world stood still.");
}

static void test_scheduler(void **state)
{
	(void)state;
	set_stops(4, 500000, 9000000);
	add_holder("", GTRACE_WORK_SCHEDULER, 3, 8999999);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 1, 1);
	expect("The scheduler or the operating system held up the stops of the "
	       "world: 9.00 ms of waiting",
	       "No goroutine had the processors that were late (100 % of the "
	       "waiting): look at the load of the machine.");
	/* As much as the scheduler is enough. */
	holders[0].stopping = 5000000;
	holders[1].stopping = 5000000;
	expect("main.f held up 1 of 4 stops of the world: 5.00 ms of waiting",
	       "That is 56 % of the 9.00 ms for which stops had to wait before "
	       "the world stood still.");
	/* Less than half of the waiting, both of them. */
	holders[0].stopping = 4499999;
	holders[1].stopping = 4499999;
	add_holder("main.g", GTRACE_WORK_PROGRAM, 1, 2);
	expect_longest(
		"main.spin kept a processor longest: 25.2 ms",
		"No stop of the world waited longer than 500 \u00b5s for a "
		"processor (4 stops measured). No function but those of the "
		"tracer makes up half of the waiting.");
	/* Too little to be worth a headline. */
	set_stops(4, 499999, 9000000);
	expect_longest(
		"main.spin kept a processor longest: 25.2 ms",
		"No stop of the world waited longer than 500 \u00b5s for a "
		"processor (4 stops measured).");
}

static void test_stood(void **state)
{
	(void)state;
	set_stops(2, 899999, 1000000);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 1, 899999);
	longest_stop = (struct gtrace_stop){
		.kind = string_of("read mem stats\n"),
		.stopping = 1000,
		.stopped = 900000,
		.g = 8,
		.p = 2,
	};
	expect("The world stood 900 \u00b5s for read mem stats\ufffd",
	       "It had stopped within 1.00 \u00b5s. While it stood, only G8 "
	       "on P2 worked: the runtime, or its thread got no CPU.");
	/* Not longer than it has waited. Both together are enough. */
	longest_stop.stopping = longest_stop.stopped = 250000;
	expect("main.f held up 1 of 2 stops of the world: 900 \u00b5s of "
	       "waiting",
	       "That is 90 % of the 1.00 ms for which stops had to wait before "
	       "the world stood still.");
	set_stops(2, 1, 2);
	longest_stop.stopped = 499998;
	expect_longest(
		"main.spin kept a processor longest: 25.2 ms",
		"No stop of the world waited longer than 1 ns for a processor "
		"(2 "
		"stops measured).");
}

static void test_slices(void **state)
{
	(void)state;
	expect_longest("main.spin kept a processor longest: 25.2 ms",
		       "No stop of the world in this trace.");
	stops.unmeasured = 1;
	expect_longest("main.spin kept a processor longest: 25.2 ms",
		       "No stop of the world can be measured.");
	/* Bounds are no finding, however large. */
	stops.inferred = 2;
	expect_longest(
		"main.spin kept a processor longest: 25.2 ms",
		"2 stops of the world; a trace of Go 1.8 tells only bounds for "
		"how long they waited.");
	stops.inferred = 1;
	longest.caller = string_of("main.g");
	longest.function = string_of("sort.Sort");
	expect_longest(
		"sort.Sort in main.g kept a processor longest: 25.2 ms",
		"1 stop of the world; a trace of Go 1.8 tells only bounds for "
		"how long it waited.");
	set_stops(1, 0, 0);
	summary.longest = NULL;
	expect_longest(
		"Only the runtime kept processors, at most for 30.0 ms",
		"No stop of the world had to wait for a processor (1 stop "
		"measured).");
	summary.slices.count = 0;
	expect("No goroutine ran in this trace",
	       "No stop of the world had to wait for a processor (1 stop "
	       "measured).");
}

/* The longest slice has no stack. */
static void test_unknown(void **state)
{
	struct gtrace_function functions[] = {
		{.function = string_of("runtime.gcBgMarkWorker"),
		 .work = GTRACE_WORK_RUNTIME,
		 .max = 29999999},
		{.function = string_of(""),
		 .work = GTRACE_WORK_RUNTIME,
		 .max = 30000000},
	};

	(void)state;
	summary.longest = NULL;
	summary.functions = functions;
	summary.function_count = 2;
	expect_longest("No stack tells what kept a processor longest: 30.0 ms",
		       "No stop of the world in this trace.");
	functions[0].max = 30000000;
	functions[1].max = 29999999;
	expect_longest("Only the runtime kept processors, at most for 30.0 ms",
		       "No stop of the world in this trace.");
}

/* What a filter left out may be in the trace. */
static void test_filtered(void **state)
{
	struct headline headline;

	(void)state;
	summary.longest = NULL;
	summary.slices.count = 0;
	gti_headline(&headline, &summary, true);
	assert_string_equal(headline.sentence, "No slice passes the filters");
	assert_string_equal(headline.explanation,
			    "No stop of the world passes the filters.");
	summary.slices.count = 1;
	gti_headline(&headline, &summary, true);
	assert_string_equal(
		headline.sentence,
		"No function that passes the filters delayed others long");
}

/* What is long depends on what a tick is. */
static void test_ticks(void **state)
{
	(void)state;
	set_stops(9, 4080000, 17130000);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 9, 17130000);
	summary.in_ticks = 1;
	expect_longest("main.spin kept a processor longest: 25.2 Mt",
		       "No stop of the world waited longer than 4.08 Mt for a "
		       "processor "
		       "(9 stops measured). Times are in ticks (t), of unknown "
		       "length.");
}

/* The longest names there can be: both texts still fit. */
static void test_long_names(void **state)
{
	static char wide[1024];
	struct headline headline;
	size_t i;

	(void)state;
	for (i = 0; i + 4 <= sizeof(wide); i += 4)
		memcpy(wide + i, "\xf0\x9f\x98\x80", 4);
	set_stops(UINT64_MAX, INT64_MAX, INT64_MAX);
	add_holder("", GTRACE_WORK_SYSCALL, UINT64_MAX - 1, INT64_MAX);
	holders[0].function = (struct gtrace_string){wide, sizeof(wide)};
	holders[0].caller = holders[0].function;
	gti_headline(&headline, &summary, false);
	assert_non_null(strstr(headline.sentence, " s of waiting"));
	assert_non_null(strstr(headline.explanation, "stood still."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_delay, reset),
		cmocka_unit_test_setup(test_delay_or_stop, reset),
		cmocka_unit_test_setup(test_small_delay, reset),
		cmocka_unit_test_setup(test_holder, reset),
		cmocka_unit_test_setup(test_tracer, reset),
		cmocka_unit_test_setup(test_scheduler, reset),
		cmocka_unit_test_setup(test_stood, reset),
		cmocka_unit_test_setup(test_slices, reset),
		cmocka_unit_test_setup(test_unknown, reset),
		cmocka_unit_test_setup(test_filtered, reset),
		cmocka_unit_test_setup(test_ticks, reset),
		cmocka_unit_test_setup(test_long_names, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
