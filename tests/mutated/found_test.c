/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * found_test.c - built traces of the kinds of which mutated ones have shown
 * that a report was wrong: every report of them is made, with its sums checked.
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
#include "tests/mutated/every_report.h"
#include "tests/reports.h"
#include "tests/v2/builder.h"

/* All reports, with each of the filters. A check that fails aborts. */
static void make_all(const void *data, size_t size)
{
	size_t i;

	for (i = 0; i < 8; i++)
		make_every_report(data, size, i);
	forget_reports();
}

static struct gtrace *open_bytes(const void *data, size_t size, int partial)
{
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(data, size, &OPTIONS(.partial = partial), &trace,
			       &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return trace;
}

/* ------------------------------------------------------- up to Go 1.21 -- */

static void begin_v1(struct builder *b)
{
	builder_open(b, 1008);
	builder_header(b);
	builder_batch(b, 0, 1000000);
	BUILDER_EVENT(b, EV_GO_CREATE, 1, 1, 0, 0);
	BUILDER_EVENT(b, EV_GO_CREATE, 1, 2, 0, 0);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 1, 1);
}

/* All goroutines of a trace, and how long they ran. */
static struct gtrace_times times_of(const struct builder *b, int partial)
{
	struct gtrace_reports *reports;
	struct gtrace_times times;
	struct gtrace_error error;
	struct gtrace *trace = open_bytes(b->bytes, b->size, partial);

	if (gtrace_analyse(trace, &REQUEST(.goroutines = 1), &reports,
			   &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	times = reports->goroutines->times;
	gtrace_reports_free(reports);
	gtrace_close(trace);
	return times;
}

/* A processor is taken from a goroutine of which no system call has begun. */
static void test_call_without_begin(void **state)
{
	struct gtrace_times times;
	struct builder b;

	(void)state;
	begin_v1(&b);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 100);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 2);
	BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 10, 1, 2, 0);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 10, 7);
	builder_frequency(&b, 1000000000);
	times = times_of(&b, 0);
	assert_int_equal(times.ran, 100 + 20);
	assert_int_equal(times.blocked[GTRACE_BLOCK_SYSCALL], 20);
	make_all(b.bytes, b.size);
	builder_close(&b);
}

/* Its last call had ended long before. */
static void test_call_long_before(void **state)
{
	struct gtrace_times times;
	struct builder b;

	(void)state;
	begin_v1(&b);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 5, 0);
	BUILDER_EVENT(&b, EV_GO_SCHED, 5, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 500, 1);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 1);
	BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 10, 1, 3, 0);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 10, 7);
	builder_frequency(&b, 1000000000);
	times = times_of(&b, 0);
	assert_int_equal(times.ran, 10 + 1);
	assert_int_equal(times.blocked[GTRACE_BLOCK_SYSCALL], 10);
	make_all(b.bytes, b.size);
	builder_close(&b);
}

/*
 * An exit that happened after its record, in a trace whose events cannot be put
 * in order: without an order of all, it is where its record is.
 */
static void test_exit_after_its_record(void **state)
{
	struct gtrace_times times;
	struct builder b;

	(void)state;
	begin_v1(&b);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 5, 0);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 5);
	BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 10, 1, 2, 2000000);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 10, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 10, 0);
	builder_batch(&b, 1, 1000000);
	BUILDER_EVENT(&b, EV_GO_START, 1, 9, 3);
	builder_frequency(&b, 1000000000);
	times = times_of(&b, GTRACE_PARTIAL_GOOD);
	assert_int_equal(times.blocked[GTRACE_BLOCK_SYSCALL], 15);
	assert_int_equal(times.ran, 5 + 10);
	make_all(b.bytes, b.size);
	builder_close(&b);
}

/* A goroutine is listed, and samples are due before it turns out to wait. */
static void test_listed_between_samples(void **state)
{
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;
	size_t i;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_batch(&b, 0, 1000000);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 1, 7);
	BUILDER_EVENT(&b, EV_GO_CREATE, 100, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_WAITING, 1000, 1);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 500, 7);
	builder_frequency(&b, 1000000000);
	trace = open_bytes(b.bytes, b.size, 0);
	if (gtrace_analyse(trace, &REQUEST(.sched = 70), &reports, &error) !=
	    GTRACE_OK)
		fail_msg("%s", error.message);
	assert_true(reports->sched->count > 15);
	for (i = 0; i < reports->sched->count; i++)
		assert_int_equal(reports->sched->samples[i].runqueue_ns, 0);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	make_all(b.bytes, b.size);
	builder_close(&b);
}

/* ------------------------------------------------- Go 1.22 and later -- */

static void begin_v2(void)
{
	begin_file(26);
	put_clock(1000000000);
}

static void end_v2(void)
{
	put_stacks();
	put_strings();
	end_generation();
}

static enum gtrace_status analyse(const struct gtrace_request *request,
				  struct gtrace_error *error)
{
	struct gtrace *trace = open_bytes(built.data, built.size, 0);
	struct gtrace_reports *reports;
	enum gtrace_status status =
		gtrace_analyse(trace, request, &reports, error);

	gtrace_reports_free(reports);
	gtrace_close(trace);
	return status;
}

/*
 * N goroutines are blocked for a third of all time: for three there are sums,
 * and for four there are none. The longest slices have none.
 */
static void test_years(void **state)
{
	struct gtrace_error error;
	uint64_t n, g;

	(void)state;
	for (n = 2; n < 20; n += 17) {
		begin_v2();
		begin_batch(7, 100);
		put(PROC_STATUS, 3, 1, 0, 1);
		for (g = 1; g <= n; g++)
			put(GO_STATUS, 4, 1, g, NONE, 4);
		put(HEAP_ALLOC, 2, UINT64_C(1) << 60, 7);
		end_batch();
		end_v2();
		assert_int_equal(analyse(&REQUEST(.n = 5), &error), GTRACE_OK);
		if (n == 2) {
			assert_int_equal(analyse(&REQUEST(.blocks = 5), &error),
					 GTRACE_OK);
		} else {
			assert_int_equal(analyse(&REQUEST(.blocks = 5), &error),
					 GTRACE_ERROR_LENGTH);
			assert_string_equal(error.message,
					    "the trace has times of so many "
					    "years that their sums do not fit");
		}
		make_all(built.data, built.size);
	}
}

/* The greatest time is followed by the least one. */
static void test_end_of_time(void **state)
{
	struct gtrace_error error;

	(void)state;
	begin_v2();
	begin_batch(7, (UINT64_C(1) << 63) - 1024);
	put(PROC_STATUS, 3, 1022, 0, 1);
	put(GO_STATUS, 4, 0, 1, NONE, 4);
	put(GO_STATUS, 4, 0, 2, NONE, 1);
	put(GO_START, 3, 1, 2, 1);
	end_batch();
	begin_batch(7, 200);
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
	end_v2();
	assert_int_equal(analyse(&REQUEST(.waits = 5), &error),
			 GTRACE_ERROR_LENGTH);
	make_all(built.data, built.size);
}

/* Times that a thread wrote before all others, and long after them. */
static void test_before_the_trace(void **state)
{
	uint64_t time;

	(void)state;
	for (time = 1; time != 0; time <<= 7) {
		begin_v2();
		begin_batch(7, 1000);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 7, 2);
		put(STW_BEGIN, 3, 1, 1, 0);
		end_batch();
		begin_batch(7, time);
		put(STW_END, 1, 1);
		put(GO_STOP, 3, 1, 1, 1);
		put(GO_START, 3, 1, 1, 1);
		end_batch();
		begin_batch(7, 5000);
		put(GO_STOP, 3, 1, 1, 1);
		end_batch();
		end_v2();
		make_all(built.data, built.size);
	}
}

/*
 * The stop-the-world pause that one generation begins ends in the next one,
 * whose thread wrote times before.
 */
static void test_stop_that_ends_before(void **state)
{
	(void)state;
	begin_v2();
	begin_batch(7, 1000);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(STW_BEGIN, 3, 1, 1, 0);
	end_batch();
	end_v2();
	put_clock(1000000000);
	begin_batch(7, 95);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(STW_END, 1, 1);
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
	end_v2();
	make_all(built.data, built.size);
}

/*
 * The event after the one that begins a collection is bad. Go's reader returns
 * neither, and none of its collection and of its goroutine is counted.
 */
static void test_withheld(void **state)
{
	static const uint8_t types[] = {GC_BEGIN, GO_CREATE};
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		begin_v2();
		begin_batch(7, 1000);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 7, 2);
		put(GO_STOP, 3, 1, 1, 1);
		put(GO_START, 3, 1, 1, 1);
		if (types[i] == GC_BEGIN)
			put(GC_BEGIN, 3, 1, 1, 0);
		else
			put(GO_CREATE, 4, 1, 2, 0, 0);
		put_byte(200);
		end_batch();
		end_v2();
		trace = open_bytes(built.data, built.size, GTRACE_PARTIAL_GOOD);
		assert_int_equal(
			gtrace_summarise(trace, NULL, &summary, &error),
			GTRACE_OK);
		assert_int_equal(summary->collections, 0);
		assert_int_equal(summary->collecting, 0);
		assert_int_equal(summary->goroutines, 1);
		assert_int_equal(summary->goroutines_created, 0);
		gtrace_summary_free(summary);
		gtrace_close(trace);
		make_all(built.data, built.size);
	}
}

/* More processors than there can be, for longer than they can be added up. */
static void test_processors(void **state)
{
	static const uint64_t counts[] = {1, INT32_MAX, UINT64_C(1) << 63,
					  UINT64_MAX};
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		begin_v2();
		begin_batch(7, 1000);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 7, 2);
		put(PROCS_CHANGE, 3, 1, counts[i], 0);
		put(GC_BEGIN, 3, 1, 1, 0);
		put(GC_END, 2, UINT64_C(1) << 50, 2);
		put(GO_STOP, 3, UINT64_C(1) << 55, 1, 1);
		end_batch();
		end_v2();
		make_all(built.data, built.size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_call_without_begin),
		cmocka_unit_test(test_call_long_before),
		cmocka_unit_test(test_exit_after_its_record),
		cmocka_unit_test(test_listed_between_samples),
		cmocka_unit_test(test_years),
		cmocka_unit_test(test_end_of_time),
		cmocka_unit_test(test_before_the_trace),
		cmocka_unit_test(test_stop_that_ends_before),
		cmocka_unit_test(test_withheld),
		cmocka_unit_test(test_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
