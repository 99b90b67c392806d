/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_test.c - traces of two generations whose clocks have other frequencies.
 * Ticks count since the machine was started, so a small difference moves all
 * times of the second generation by much. What lasted meanwhile is marked, and
 * makes neither a sum nor a finding nor a verdict.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/v2/builder.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/settings.h"

/* The machine was started 5,000 s before the trace. */
#define START       UINT64_C(5000000000000)
#define SECOND      (START + 1000000)
#define FREQUENCY_1 1000000000
#define FASTER      1000060000 /* ticks are shorter: times jump backwards */
#define SLOWER      999940004

#define MS 1000000

/* The time of the last event of the first generation. */
#define LAST 30522

enum { TEXT_LOCK = 10, TEXT_SYNC, TEXT_STOP, STACK_RUN = 1, STACK_LOCK };

static void put_clock_at(uint64_t ticks, uint64_t frequency)
{
	begin_batch(NONE, ticks);
	put_byte(SYNC);
	put(SNAPSHOT, 4, 1, 2, 3, 4);
	put(FREQUENCY, 1, frequency);
	end_batch();
}

static void put_tables(uint64_t ticks)
{
	begin_batch(NONE, ticks);
	put_byte(STACKS);
	put(STACK, 6, STACK_RUN, 1, 64, 2, 3, 5);
	put(STACK, 10, STACK_LOCK, 2, 65, TEXT_LOCK, 3, 6, 64, 2, 3, 5);
	end_batch();
	begin_batch(NONE, ticks);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	put_string(TEXT_LOCK, "sync.(*Mutex).Lock");
	put_string(TEXT_SYNC, "sync");
	put_string(TEXT_STOP, "read mem stats");
	end_batch();
	end_generation();
}

/*
 * At the end, goroutine 1 runs on processor 0, goroutine 2 is ready, goroutine
 * 4 is blocked at a lock, and the world is being stopped.
 */
static void put_first(void)
{
	begin_file(26);
	put_clock_at(START, FREQUENCY_1);
	begin_batch(8, START + 10);
	put(PROC_STATUS, 3, 1, 1, 1);
	put(GO_STATUS, 4, 1, 4, 8, 2);
	put(GO_BLOCK, 3, 5000, TEXT_SYNC, STACK_LOCK);
	put(PROC_STOP, 1, 100);
	end_batch();
	begin_batch(7, START + 10);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(PROCS_CHANGE, 3, 10, 1, STACK_RUN);
	put(GO_CREATE, 4, 9000, 2, STACK_RUN, STACK_RUN);
	put(GO_STOP, 3, 1000, 1, STACK_RUN);
	put(GO_START, 3, 500, 1, 1);
	put(STW_BEGIN, 3, 20000, TEXT_STOP, STACK_RUN);
	end_batch();
	put_tables(START + 5);
}

/* All that goes on ends, and goroutines wait and run for 0.1 ms. */
static void put_second(uint64_t frequency)
{
	put_clock_at(SECOND, frequency);
	begin_batch(7, SECOND + 10);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(STW_END, 1, 100);
	put(GO_STATUS, 4, 100, 4, NONE, 4);
	put(GO_UNBLOCK, 4, 1, 4, 1, STACK_RUN);
	put(GO_STOP, 3, 100, 1, STACK_RUN);
	put(GO_STATUS, 4, 1, 2, NONE, 1);
	put(GO_START, 3, 100, 2, 1);
	put(GO_STOP, 3, 100000, 1, STACK_RUN);
	put(GO_START, 3, 100, 4, 2);
	put(GO_STOP, 3, 100000, 1, STACK_LOCK);
	put(GO_START, 3, 100, 1, 1);
	put(GO_STOP, 3, 100000, 1, STACK_RUN);
	end_batch();
	put_tables(SECOND + 5);
}

/* By how much the time of SECOND differs, with the second frequency. */
static int64_t jump_of(uint64_t frequency)
{
	double first = 1.0 / (FREQUENCY_1 / 1e9);
	double second = 1.0 / ((double)frequency / 1e9);

	return (int64_t)((double)SECOND * second) -
	       (int64_t)((double)SECOND * first);
}

static struct gtrace *open_built(uint64_t frequency)
{
	struct gtrace *trace;
	struct gtrace_error error = {.message = ""};

	put_first();
	put_second(frequency);
	if (gtrace_open_memory(built.data, built.size, NULL, &trace, &error) !=
	    GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	return trace;
}

static struct gtrace_summary *summarise(struct gtrace *trace)
{
	const struct gtrace_request request = {.size = sizeof(request),
					       .n = 20,
					       .stops = 20,
					       .waits = 20,
					       .delays = 20,
					       .blocks = 20,
					       .details = 1};
	struct gtrace_error error = {.message = ""};
	struct gtrace_summary *summary;

	if (gtrace_summarise(trace, &request, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return summary;
}

/* ----------------------------------------------------------------- marks -- */

/* Slices and waits that began before AT, and no others, are marked. */
static void check_lists(const struct gtrace_summary *summary, int64_t at,
			size_t marked)
{
	const struct gtrace_greedy_report *greedy = summary->greedy;
	size_t i, slices = 0, waits = 0;

	for (i = 0; i < greedy->count; i++) {
		const struct gtrace_slice *one = greedy->slices[i];
		int64_t end = one->start.ts + one->duration;

		assert_int_equal(one->clock_changed,
				 marked && one->start.ts < at && end > at);
		slices += one->clock_changed != 0;
	}
	for (i = 0; i < summary->waits->count; i++) {
		const struct gtrace_wait *one = summary->waits->waits[i];

		assert_int_equal(one->clock_changed,
				 marked && one->start < at &&
					 one->start + one->length > at);
		waits += one->clock_changed != 0;
	}
	assert_int_equal(slices, marked);
	assert_int_equal(waits, marked);
	assert_int_equal(summary->waits->clock_changed, marked);
}

/* No sum has anything of MOST or more. */
static void check_sums(const struct gtrace_summary *summary, int64_t most)
{
	size_t i;

	assert_int_equal(summary->slices.count, 5);
	assert_true(summary->slices.max < most);
	assert_int_equal(summary->waits->whole, 3);
	assert_true(summary->waits->all.max < most);
	assert_true(summary->waits->cut_max < most);
	assert_true(summary->delays->waited < most);
	assert_int_equal(summary->stops->measured, 0);
	assert_null(summary->longest_stop);
	assert_int_equal(summary->machine.silence.count, 0);
	assert_int_equal(summary->machine.off_cpu.count, 0);
	assert_true(summary->time < 10 * MS);
	for (i = 0; i < summary->finding_count; i++) {
		assert_true(summary->findings[i].worst < most);
		assert_true(summary->findings[i].harm < most);
	}
	for (i = 0; i < summary->function_count; i++)
		assert_true(summary->functions[i].max < most);
}

static void check_blocks(const struct gtrace_summary *summary, bool marked)
{
	const struct gtrace_block_place *place = summary->blocks->places[0];

	assert_int_equal(summary->blocks->place_count, 1);
	assert_int_equal(place->kind, GTRACE_BLOCK_LOCK);
	assert_int_equal(place->count, !marked);
	assert_int_equal(place->clock_changed, marked);
}

static void check_stop(const struct gtrace_summary *summary, bool marked)
{
	const struct gtrace_stop_report *stops = summary->stops;

	assert_int_equal(stops->measured, !marked);
	assert_int_equal(stops->unmeasured, marked);
	if (marked) {
		assert_int_equal(stops->unmeasured_stops[0]->clock_changed, 1);
		assert_int_equal(stops->all.stopped, 0);
	} else {
		assert_int_equal(stops->stops[0]->clock_changed, 0);
	}
}

static void check_jump(uint64_t frequency)
{
	struct gtrace *trace = open_built(frequency);
	struct gtrace_summary *summary = summarise(trace);
	int64_t jump = jump_of(frequency), told;

	assert_int_equal(gtrace_clock_changes(trace, &told), 1);
	assert_int_equal(gtrace_clock_changes(trace, NULL), 1);
	assert_int_equal(told, jump);
	assert_int_equal(summary->clock_changes, 1);
	assert_int_equal(summary->clock_jump, jump);
	if (jump > 0) {
		assert_true(summary->clock_gap > 300 * MS - 2 * MS);
		assert_true(summary->length > 300 * MS);
		assert_true(summary->greedy->slices[0]->duration > 300 * MS);
		assert_true(summary->waits->waits[0]->length > 300 * MS);
	} else {
		assert_int_equal(summary->clock_gap, 0);
	}
	/* Times are those of Go's reader. */
	check_lists(summary, jump > 0 ? jump : LAST + 1, 1);
	check_sums(summary, MS);
	check_blocks(summary, true);
	check_stop(summary, true);
	gtrace_summary_free(summary);
	gtrace_close(trace);
}

static void test_forwards(void **state)
{
	(void)state;
	assert_true(jump_of(SLOWER) > 299 * MS);
	check_jump(SLOWER);
}

static void test_backwards(void **state)
{
	(void)state;
	assert_true(jump_of(FASTER) < -299 * MS);
	check_jump(FASTER);
}

/* One frequency in both generations: nothing is marked. */
static void test_none(void **state)
{
	struct gtrace *trace = open_built(FREQUENCY_1);
	struct gtrace_summary *summary = summarise(trace);
	int64_t told = 1;

	(void)state;
	assert_int_equal(gtrace_clock_changes(trace, &told), 0);
	assert_int_equal(told, 0);
	/* The snapshot is of 1 ns after the first event. */
	assert_int_equal(gtrace_start_time(trace), 3000000004 - 1);
	assert_int_equal(summary->clock_changes, 0);
	assert_int_equal(summary->clock_gap, 0);
	check_lists(summary, 0, 0);
	check_blocks(summary, false);
	check_stop(summary, false);
	assert_int_equal(summary->slices.count, 6);
	assert_true(summary->slices.max > 9 * MS / 10);
	gtrace_summary_free(summary);
	gtrace_close(trace);
}

/* The clock of the system says what no clock can. */
static void test_no_time(void **state)
{
	static const uint64_t times[][2] = {
		{UINT64_MAX, 0}, {INT64_MAX / 1000000000, 0}, {3, 1000000000}};
	struct gtrace *trace;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		begin_file(26);
		begin_batch(NONE, START);
		put_byte(SYNC);
		put(SNAPSHOT, 4, 1, 2, times[i][0], times[i][1]);
		put(FREQUENCY, 1, FREQUENCY_1);
		end_batch();
		begin_batch(7, START + 10);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 7, 2);
		end_batch();
		put_tables(START + 5);
		assert_int_equal(gtrace_open_memory(built.data, built.size,
						    NULL, &trace, NULL),
				 GTRACE_OK);
		gtrace_summary_free(summarise(trace));
		assert_true(gtrace_start_time(trace) == INT64_MIN);
		gtrace_close(trace);
	}
}

/* --------------------------------------------------------------- command -- */

/* What a verdict says with limits of 1 ms; the caller frees it. */
static char *verdict(uint64_t frequency)
{
	struct gtrace *trace = open_built(frequency);
	struct gtrace_error error = {.message = ""};
	struct violations found = {.lines = {NULL}};
	char *lines;

	settings.max_slice = settings.max_stop = settings.max_wait =
		settings.max_block = MS / 2;
	assert_int_equal(verdict_find(trace, "t", &found, &error), GTRACE_OK);
	gtrace_close(trace);
	lines = found.lines[0] != NULL ? found.lines[0] : calloc(1, 1);
	assert_non_null(lines);
	found.lines[0] = NULL;
	verdict_free(&found);
	return lines;
}

static void test_verdict(void **state)
{
	char *lines = verdict(SLOWER);

	(void)state;
	assert_string_equal(lines, "");
	free(lines);
	lines = verdict(FASTER);
	assert_string_equal(lines, "");
	free(lines);
	/* They would be too long. */
	lines = verdict(FREQUENCY_1);
	assert_non_null(strstr(lines, "slice of "));
	assert_non_null(strstr(lines, "wait of "));
	assert_non_null(strstr(lines, "block of "));
	assert_non_null(strstr(lines, "stop-the-world pause of "));
	free(lines);
}

static void test_note(void **state)
{
	struct gtrace *trace = open_built(SLOWER);
	char *lines;

	(void)state;
	gtrace_summary_free(summarise(trace));
	lines = error_describe("t", trace, NULL);
	assert_non_null(strstr(lines, "the frequency of the clock changes 1 "
				      "time, and times jump by up to 29"));
	free(lines);
	gtrace_close(trace);
	trace = open_built(FREQUENCY_1);
	gtrace_summary_free(summarise(trace));
	lines = error_describe("t", trace, NULL);
	assert_string_equal(lines, "");
	free(lines);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forwards),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
