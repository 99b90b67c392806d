/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * many_stops_test.c - traces of a million stop-the-world pauses: sums are
 * exact, medians and 99th percentiles too up to that number, and memory is
 * bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/reports.h"

#define MILLION 1000000

/* Memory that does not depend on the number of stops. */
#define MEMORY_BASE ((size_t)1 << 20)

/* An array that grows by half, and a copy to find the quantiles of all kinds.
 */
#define MEMORY_PER_STOP 20

/* Each stop waits for less than SPREAD nanoseconds. */
#define SPREAD 1000

static const uint64_t kinds[] = {2, 7}; /* by the number of the stop */

static const char *const kind_texts[] = {"GC sweep termination",
					 "read mem stats"};

/* How long stop I takes: each value is about as frequent as any other. */
static uint64_t stopping(uint64_t i)
{
	return 1 + i * 7919 % (SPREAD - 1);
}

/*
 * COUNT stops, of both kinds in turn, one every 2 * SPREAD nanoseconds. Each
 * waits for processor 1 to be given up.
 */
static void build(struct builder *b, uint64_t count)
{
	uint64_t i, last = 0;

	builder_open(b, 1021);
	builder_header(b);
	builder_batch(b, 0, 1);
	BUILDER_EVENT(b, EV_PROC_START, 0, 70);
	BUILDER_EVENT(b, EV_GO_CREATE, 0, 1, 0, 0);
	BUILDER_EVENT(b, EV_GO_START, 0, 1, 1);
	for (i = 0; i < count; i++) {
		BUILDER_EVENT(b, EV_STW_START, SPREAD, kinds[i % 2]);
		BUILDER_EVENT(b, EV_STW_DONE, SPREAD);
	}
	builder_batch(b, 1, 1);
	for (i = 0; i < count; i++) {
		uint64_t stop = (2 * i + 1) * SPREAD;

		/* It is taken just before the request. */
		BUILDER_EVENT(b, EV_PROC_START, stop - 1 - last, 71);
		BUILDER_EVENT(b, EV_PROC_STOP, 1 + stopping(i));
		last = stop + stopping(i);
	}
	builder_frequency(b, 1000000000);
}

/*
 * The nearest-rank quantile of every STEP-th one of the stops of KIND, or of
 * all kinds if that is 2.
 */
static int64_t quantile(uint64_t count, uint64_t kind, uint64_t step,
			unsigned percent)
{
	uint64_t seen[SPREAD + 1] = {0};
	uint64_t total = 0, below = 0, i, value;

	for (i = 0; i < count; i++) {
		if ((kind != 2 && i % 2 != kind) || i / 2 % step != 0)
			continue;
		seen[stopping(i)]++;
		total++;
	}
	for (value = 0; value < SPREAD; value++) {
		below += seen[value];
		if (below >= (total * percent + 99) / 100)
			break;
	}
	return (int64_t)value;
}

static void check_kind(const struct gtrace_stop_kind *kind, uint64_t count,
		       uint64_t number, uint64_t step)
{
	int64_t sum = 0, max = 0;
	uint64_t stops = 0, i;

	for (i = 0; i < count; i++) {
		int64_t time = (int64_t)stopping(i);

		if (number != 2 && i % 2 != number)
			continue;
		stops++;
		sum += time;
		max = time > max ? time : max;
	}
	assert_int_equal(kind->measured, stops);
	assert_int_equal(kind->stopping, sum);
	assert_int_equal(kind->max, max);
	assert_int_equal(kind->median, quantile(count, number, step, 50));
	assert_int_equal(kind->p99, quantile(count, number, step, 99));
}

static void check_report(const struct gtrace_reports *reports, uint64_t count,
			 uint64_t step)
{
	uint64_t i;

	assert_int_equal(reports->stops->measured, count);
	assert_int_equal(reports->stops->sampled, step);
	assert_int_equal(reports->stops->stop_count, 10);
	assert_int_equal(reports->stops->kind_count, 2);
	for (i = 0; i < 2; i++) {
		assert_memory_equal(reports->stops->kinds[i].kind.data,
				    kind_texts[i], strlen(kind_texts[i]));
		check_kind(&reports->stops->kinds[i], count, i, step);
	}
	check_kind(&reports->stops->all, count, 2, step);
	/* The first ones of those that take longest. */
	for (i = 0; i < 10; i++)
		assert_int_equal(reports->stops->stops[i]->stopping,
				 SPREAD - 1);
	assert_true(reports->stops->stops[0]->number <
		    reports->stops->stops[9]->number);
}

/*
 * Finds COUNT stops, of which every STEP-th one counts for the quantiles, in
 * memory that is bounded.
 */
static void check_stops(uint64_t count, uint64_t step)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options options = OPTIONS(.allocator = &allocator);
	struct gtrace_request request = {.size = sizeof(request), .stops = 10};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;
	size_t opened;

	build(&b, count);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	opened = counted.peak;
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	check_report(reports, count, step);
	print_message("%zu stops: %zu bytes\n", (size_t)count, counted.peak);
	count = count < MILLION ? count : MILLION;
	assert_true(counted.peak - opened <=
		    MEMORY_BASE + MEMORY_PER_STOP * count);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	assert_int_equal(counted.bytes, 0);
	builder_close(&b);
}

static void test_few(void **state)
{
	(void)state;
	check_stops(10000, 1);
}

static void test_million(void **state)
{
	(void)state;
	check_stops(MILLION, 1);
}

static void test_more(void **state)
{
	(void)state;
	check_stops(MILLION + 2, 2);
}

static void test_many_more(void **state)
{
	(void)state;
	check_stops(2 * MILLION + MILLION / 2, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_million),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_many_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
