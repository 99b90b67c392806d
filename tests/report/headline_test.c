/* SPDX-License-Identifier: BSD-3-Clause */
/* headline_test.c - which finding makes the headline, and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static int reset(void **state)
{
	(void)state;
	stops = (struct gtrace_stop_report){.all = {.max = -1}};
	longest = (struct gtrace_longest){
		.function = string_of("main.spin"),
		.duration = 30000000,
		.own = 25200000,
	};
	summary = (struct gtrace_summary){
		.trace_version = 1008,
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
	expect("main.spin kept a processor longest: 25.2 ms",
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
	expect("main.spin kept a processor longest: 25.2 ms",
	       "No stop of the world waited longer than 500 \u00b5s for a "
	       "processor (4 stops measured). No function but those of the "
	       "tracer makes up half of the waiting.");
	/* Too little to be worth a headline. */
	set_stops(4, 499999, 9000000);
	expect("main.spin kept a processor longest: 25.2 ms",
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
	expect("main.spin kept a processor longest: 25.2 ms",
	       "No stop of the world waited longer than 1 ns for a processor "
	       "(2 "
	       "stops measured).");
}

static void test_slices(void **state)
{
	(void)state;
	expect("main.spin kept a processor longest: 25.2 ms",
	       "No stop of the world in this trace.");
	stops.unmeasured = 1;
	expect("main.spin kept a processor longest: 25.2 ms",
	       "No stop of the world can be measured.");
	/* Bounds are no finding, however large. */
	stops.inferred = 2;
	expect("main.spin kept a processor longest: 25.2 ms",
	       "2 stops of the world; a trace of Go 1.8 tells only bounds for "
	       "how long they waited.");
	stops.inferred = 1;
	longest.caller = string_of("main.g");
	longest.function = string_of("sort.Sort");
	expect("sort.Sort in main.g kept a processor longest: 25.2 ms",
	       "1 stop of the world; a trace of Go 1.8 tells only bounds for "
	       "how long it waited.");
	set_stops(1, 0, 0);
	summary.longest = NULL;
	expect("Only the runtime kept processors, at most for 30.0 ms",
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
	expect("No stack tells what kept a processor longest: 30.0 ms",
	       "No stop of the world in this trace.");
	functions[0].max = 30000000;
	functions[1].max = 29999999;
	expect("Only the runtime kept processors, at most for 30.0 ms",
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
}

/* What is long depends on what a tick is. */
static void test_ticks(void **state)
{
	(void)state;
	set_stops(9, 4080000, 17130000);
	add_holder("main.f", GTRACE_WORK_PROGRAM, 9, 17130000);
	summary.in_ticks = 1;
	expect("main.spin kept a processor longest: 25.2 Mt",
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
