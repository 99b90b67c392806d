/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partial_test.c - what GTRACE_PARTIAL_UNFINISHED reports of a generation that
 * the file ends in: events without tables, without a clock, and where those of
 * another thread are missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/reports.h"
#include "tests/v2/reading.h"

/* The dump of the unfinished generation, of COUNT events, has TEXT. */
static void expect_unfinished(unsigned count, const char *line)
{
	struct gtrace_error error;

	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), count);
	if (strstr(text.bytes, line) == NULL)
		fail_msg("no '%s' in %s", line, text.bytes);
}

/* Without tables, events have bare ids. */
static void test_bare_ids(void **state)
{
	static const unsigned versions[] = {22, 23, 25, 26};
	struct gtrace_error error;
	unsigned i;

	(void)state;
	for (i = 0; i < 4; i++) {
		begin_file(versions[i]);
		put_generation();
		put_clock(1000000000);
		put_events();
		assert_int_equal(dump(GTRACE_PARTIAL_GOOD, &error), GTRACE_OK);
		assert_true(count_events() < 10);
		expect_unfinished(11, "StkID: 1 args0: 1 args1: 0 args2: 0 "
				      "link: 0xc4200005a0 \n\t\t \n\t0x");
	}
	/* Without the clock, times are a guess. */
	begin_file(26);
	put_events();
	expect_unfinished(6, "GoStatus Ts: 128 ");
	/* The records before a bad one are there. */
	begin_file(26);
	put_clock(1000000000);
	put_events();
	put_stacks();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(2, "main.f");
	put_string(2, "main.f");
	end_batch();
	expect_unfinished(6, "\t\t 64 main.f  5\n");
}

/* A generation that has its end is not unfinished. */
static void test_finished(void **state)
{
	struct gtrace_error error;

	(void)state;
	begin_events();
	put(GO_STOP, 3, 1, 1, 9); /* there is no stack 9 */
	end_events();
	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), 3);
	begin_file(26);
	put_generation();
	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), 6);
	assert_int_equal(dump(4, &error), GTRACE_ERROR_ARGUMENT);
}

/*
 * Thread 7 has stopped goroutine 1 and processor 0, as the events of thread 8
 * show; but its own events are missing.
 */
static void test_missing_events(void **state)
{
	(void)state;
	begin_events();
	put(HEAP_ALLOC, 2, 100, 1);
	end_batch();
	begin_batch(8, 1000);
	put(PROC_START, 3, 1, 0, 5);
	put(GO_START, 3, 1, 1, 7);
	put(GO_STOP, 3, 50, 1, 1);
	end_batch();
	expect_unfinished(8, "GoStart Ts: 912 M: 8 P: 0 G: -1 ");
	assert_int_equal(greedy(GTRACE_PARTIAL_UNFINISHED), GTRACE_OK);
	assert_int_equal(longest.duration, 100);
	assert_int_equal(longest.m, 7);
	assert_int_equal(longest.still_running, 1);
}

/* --------------------------------------------------------- stops -- */

/* The stops, the waits and more of what was built, if that is PARTIAL. */
static struct gtrace_reports *find_stops(int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_request request = {
		.size = sizeof(request),
		.stops = 9,
		.waits = 9,
		.delays = 9,
		.blocks = 9,
		.collections = 1,
	};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_memory(built.data, built.size, &options,
					    &trace, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	return reports;
}

/*
 * A short stop by goroutine 1 on processor 0, and two more at 1000 and 1999,
 * each 100 long. The events of thread 8, on processor 1, go on after the second
 * stop, and if IS_LONGER after the third. If IS_ENDED the generation is whole.
 */
static struct gtrace_reports *stops_of(bool is_longer, bool is_ended)
{
	unsigned i;

	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 0);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(PROCS_CHANGE, 3, 1, 2, 0);
	put(STW_BEGIN, 3, 97, 5, 0);
	put(STW_END, 1, 1);
	for (i = 0; i < 2; i++) {
		put(STW_BEGIN, 3, 899, 5, 0);
		put(PROCS_CHANGE, 3, 60, 2, 0);
		put(STW_END, 1, 40);
	}
	end_batch();
	begin_batch(8, 0);
	put(PROC_STATUS, 3, 1, 1, 1);
	for (i = 0; i < (is_longer ? 2 : 1); i++) {
		put(PROC_STOP, 1, i == 0 ? 1009 : 839);
		put(PROC_START, 3, 60, 1, i + 1);
		put(HEAP_ALLOC, 2, 100, 1);
	}
	end_batch();
	if (is_ended) {
		begin_batch(NONE, 95);
		put_byte(STRINGS);
		put_string(5, "GOMAXPROCS");
		end_batch();
		end_generation();
	}
	return find_stops(GTRACE_PARTIAL_UNFINISHED);
}

/*
 * A stop is measured if no thread's events end before it, and if each of the
 * other processors was seen to be given up.
 */
static void test_stops(void **state)
{
	struct gtrace_reports *reports = stops_of(false, false);

	(void)state;
	assert_int_equal(reports->stops->measured, 1);
	assert_int_equal(reports->stops->stops[0]->number, 2);
	assert_int_equal(reports->stops->stops[0]->stopping, 10);
	assert_int_equal(reports->stops->stops[0]->stopped, 60);
	/* The first one may be that which starts the trace. */
	assert_int_equal(reports->stops->unmeasured, 2);
	assert_int_equal(reports->stops->unmeasured_stops[0]->number, 1);
	assert_int_equal(reports->stops->unmeasured_stops[1]->stopping, -1);
	assert_int_equal(reports->stops->unmeasured_stops[1]->stopped, -1);
	assert_int_equal(reports->stops->unmeasured_stops[1]->waited, -1);
	assert_int_equal(reports->stops->unmeasured_stops[1]->idle, -1);
	assert_int_equal(reports->stops->unmeasured_stops[1]->total, 100);
	/* The string of the kind is not in the file. */
	assert_int_equal(reports->stops->kind_count, 1);
	assert_int_equal(reports->stops->kinds[0].kind.size, 7);
	assert_memory_equal(reports->stops->kinds[0].kind.data, "unknown", 7);
	gtrace_reports_free(reports);
	reports = stops_of(true, false);
	assert_int_equal(reports->stops->measured, 2);
	gtrace_reports_free(reports);
	/* In a whole generation, a processor without events is idle. */
	reports = stops_of(false, true);
	assert_int_equal(reports->stops->measured, 3);
	assert_int_equal(reports->stops->stops[1]->stopping, 0);
	gtrace_reports_free(reports);
}

/* --------------------------------------------------------- sums -- */

/*
 * Goroutine 1 runs on processor 0, and makes goroutine 2 ready at 100. On
 * processor 1 goroutine 3 is blocked from 150 on, and a collection has begun
 * before 120, for which goroutine 1 assists from 160 on. From 300 on an event
 * is missing: the last one of thread 7 is at 300, or, if it IS_LATER, goroutine
 * 4, that waited, starts at 30000 though nothing has made it ready.
 */
static struct gtrace_reports *sums_of(bool is_later)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 0);
	put(PROC_STATUS, 3, 0, 0, 1);
	put(GO_STATUS, 4, 0, 1, 7, 2);
	put(PROCS_CHANGE, 3, 0, 2, 0);
	put(GO_STATUS, 4, 0, 4, NONE, 4);
	put(GO_CREATE, 4, 100, 2, 0, 0);
	put(ASSIST_BEGIN, 2, 60, 0);
	put(HEAP_ALLOC, 2, 140, 1);
	if (is_later)
		put(HEAP_ALLOC, 2, 99700, 1);
	end_batch();
	begin_batch(8, 0);
	put(PROC_STATUS, 3, 0, 1, 1);
	put(GO_STATUS, 4, 0, 3, 8, 2);
	put(GC_ACTIVE, 2, 120, 1);
	put(GO_BLOCK, 3, 30, 0, 0);
	if (is_later)
		put(GO_START, 3, 29850, 4, 1);
	else
		put(PROC_STOP, 1, 29850);
	put(is_later ? HEAP_ALLOC : GO_UNBLOCK, is_later ? 2 : 4, 20000, 3, 1,
	    0);
	end_batch();
	return find_stops(GTRACE_PARTIAL_UNFINISHED);
}

/* Nothing that is added up over several threads counts from 300 on. */
static void expect_sums(struct gtrace_reports *reports)
{
	const struct gtrace_wait *wait = reports->waits->waits[0];
	const struct gtrace_collection_total *total =
		&reports->collections->total;

	assert_int_equal(reports->waits->whole, 0);
	assert_int_equal(reports->waits->unfinished, 1);
	assert_int_equal(wait->g, 2);
	assert_int_equal(wait->length, 200);
	assert_int_equal(wait->busy, 200);
	assert_int_equal(reports->delays->waited, 200);
	assert_int_equal(reports->delays->behind, 125);
	assert_int_equal(reports->delays->slices[0]->g, 1);
	assert_int_equal(reports->delays->slices[0]->delay, 100);
	assert_int_equal(reports->delays->slices[1]->delay, 25);
	assert_int_equal(reports->blocks->rests[0]->unfinished, 1);
	/* Goroutine 4 is blocked since the first event of thread 7. */
	assert_int_equal(reports->blocks->rests[0]->sum, 150 + 298);
	assert_int_equal(total->unfinished, 1);
	/* The first event after the Sync is at 2. */
	assert_int_equal(total->length, 298);
	assert_int_equal(total->assist_held, 140);
	assert_int_equal(total->runnable, 200);
	assert_int_equal(total->outside_runnable, 0);
	gtrace_reports_free(reports);
}

static void test_sums(void **state)
{
	(void)state;
	expect_sums(sums_of(false));
	expect_sums(sums_of(true));
}

/*
 * How often no thread wrote an event for long while goroutine 1 ran; if the
 * generation is not IS_WHOLE, other threads may have.
 */
static uint64_t count_silences(bool is_whole)
{
	struct gtrace_options options =
		OPTIONS(.partial = GTRACE_PARTIAL_UNFINISHED);
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;
	uint64_t count;

	begin_events();
	put(GO_CREATE, 4, 10, 2, 0, 0);
	put(GO_STOP, 3, 10, 0, 0);
	put(GO_START, 3, 10, 2, 1);
	put(HEAP_ALLOC, 2, 90000000, 1);
	if (is_whole)
		end_events();
	else
		end_batch();
	assert_int_equal(gtrace_open_memory(built.data, built.size, &options,
					    &trace, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_summarise(trace, NULL, &summary, &error),
			 GTRACE_OK);
	assert_int_equal(summary->known == summary->length, is_whole);
	assert_int_equal(summary->idle >= 0, is_whole);
	count = summary->machine.silence.count;
	gtrace_summary_free(summary);
	gtrace_close(trace);
	return count;
}

static void test_silence(void **state)
{
	(void)state;
	assert_int_equal(count_silences(true), 1);
	assert_int_equal(count_silences(false), 0);
}

/* --------------------------------------------------------- waits -- */

/*
 * A status that is not in the first batch of its thread makes the pass begin
 * again, before it comes to a fault.
 */
static void test_waits_before_fault(void **state)
{
	struct gtrace_reports *reports;

	(void)state;
	begin_events();
	end_batch();
	begin_batch(7, 200);
	put(GO_STATUS, 4, 1, 2, NONE, 1);
	put(GO_STOP, 3, 1, 1, 9); /* there is no stack 9 */
	end_events();
	reports = find_stops(GTRACE_PARTIAL_GOOD);
	assert_int_equal(reports->waits->before, 1);
	assert_int_equal(reports->waits->waits[0]->length, 100);
	gtrace_reports_free(reports);
}

/* Before the first number of processors, there are as many: here none. */
static void test_no_processors(void **state)
{
	struct gtrace_reports *reports;

	(void)state;
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 2);
	put(GO_STATUS, 4, 1, 1, NONE, 1);
	put(GO_STATUS, 4, 1, 2, NONE, 1);
	put(PROC_START, 3, 50, 0, 1);
	put(GO_START, 3, 1, 1, 1);
	put(PROCS_CHANGE, 3, 1, 0, 0);
	end_events();
	reports = find_stops(0);
	assert_int_equal(reports->waits->before, 2);
	assert_int_equal(reports->waits->waits[0]->g, 2);
	assert_int_equal(reports->waits->waits[0]->length, 55);
	assert_int_equal(reports->waits->waits[0]->idle, 0);
	gtrace_reports_free(reports);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bare_ids),
		cmocka_unit_test(test_finished),
		cmocka_unit_test(test_missing_events),
		cmocka_unit_test(test_stops),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_waits_before_fault),
		cmocka_unit_test(test_no_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
