/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collections_test.c - collections and the scheduler over time in traces that
 * are written here: one that begins in a collection, and one with forced,
 * periodic and unfinished collections, several labels of a slice, and an assist
 * for no collection.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/text.h"
#include "tests/v2/builder.h"

/* The time of the first event. */
#define ZERO 90
/* And that of the first one that is not a Sync. */
#define ORIGIN 101

enum { HEAP_GOAL = HEAP_ALLOC + 1, GO_LABEL };

/* Ids of strings and stacks. */
enum {
	TEXT_SWEEP = 4,
	TEXT_MARK,
	TEXT_DEDICATED,
	TEXT_IDLE,
	TEXT_GC,
	TEXT_PERIODIC
};
enum { STACK_MAIN = 1, STACK_FORCED, STACK_PERIODIC };

static uint64_t now;

/* The time from the last event to TIME. */
static uint64_t until(uint64_t time)
{
	uint64_t passed = time - now;

	now = time;
	return passed;
}

static void begin_thread(void)
{
	begin_file(26);
	put_clock(1000000000);
	now = 100;
	begin_batch(7, now);
	put(PROC_STATUS, 3, until(101), 0, 1);
	put(GO_STATUS, 4, until(102), 1, 7, 2);
}

static void put_tables(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, STACK_MAIN, 1, 64, 2, 3, 5);
	put(STACK, 10, STACK_FORCED, 2, 65, TEXT_GC, 3, 6, 64, 2, 3, 5);
	put(STACK, 6, STACK_PERIODIC, 1, 66, TEXT_PERIODIC, 3, 7);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	put_string(TEXT_SWEEP, "GC sweep termination");
	put_string(TEXT_MARK, "GC mark termination");
	put_string(TEXT_DEDICATED, "GC (dedicated)");
	put_string(TEXT_IDLE, "GC (idle)");
	put_string(TEXT_GC, "runtime.GC");
	put_string(TEXT_PERIODIC, "runtime.forcegchelper");
	end_batch();
	end_generation();
}

static void end_thread(void)
{
	end_batch();
	put_tables();
}

static struct gtrace_reports *analyse(int64_t interval, int64_t from)
{
	struct gtrace_filter filter = {.size = sizeof(filter), .from = from};
	struct gtrace_request request = {
		.size = sizeof(request),
		.collections = 1,
		.rows = 10,
		.sched = interval,
		.filter = &filter,
	};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_memory(built.data, built.size, NULL,
					    &trace, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	return reports;
}

/* It counts from the origin, and its last mark termination counts. */
static void test_began_before(void **state)
{
	const struct gtrace_collection *c;
	const struct gtrace_sched_sample *s;
	struct gtrace_reports *reports;

	(void)state;
	begin_thread();
	put(GO_LABEL, 2, until(110), TEXT_DEDICATED);
	put(GO_STATUS, 4, until(111), 3, NONE, 4);
	put(ASSIST_ACTIVE, 2, until(112), 3);
	put(GC_ACTIVE, 2, until(120), 1);
	put(STW_BEGIN, 3, until(200), TEXT_MARK, 0);
	put(STW_END, 1, until(210));
	put(HEAP_ALLOC, 2, until(220), 5000);
	put(STW_BEGIN, 3, until(300), TEXT_MARK, 0);
	put(HEAP_ALLOC, 2, until(302), 4000);
	put(GC_END, 2, until(310), 2);
	put(HEAP_GOAL, 2, until(315), 9000);
	put(STW_END, 1, until(320));
	put(GO_UNBLOCK, 4, until(330), 3, 1, 0);
	put(HEAP_ALLOC, 2, until(400), 6000);
	end_thread();
	reports = analyse(140, 0);
	assert_int_equal(reports->collections->count, 1);
	c = reports->collections->collections;
	assert_true(c->began_before && !c->unfinished);
	assert_string_equal(c->reason, "unknown");
	assert_int_equal(c->g, -1);
	assert_int_equal(c->start, -1);
	assert_int_equal(c->term_begin, 300 - ZERO);
	assert_int_equal(c->done, 310 - ZERO);
	assert_int_equal(c->end, 315 - ZERO);
	assert_int_equal(c->released, 320 - ZERO);
	assert_int_equal(c->heap_live, 4000);
	assert_int_equal(c->heap_end, 5000);
	assert_int_equal(c->heap_start, -1);
	assert_int_equal(c->heap_goal, -1);
	assert_int_equal(c->procs, -1);
	assert_int_equal(c->percent, -1);
	assert_int_equal(c->dedicated_cpu, 300 - ORIGIN);
	assert_int_equal(c->mark_window, 300 - ORIGIN);
	assert_int_equal(c->assists, 1);
	assert_int_equal(c->assist_cpu, 0);
	assert_int_equal(c->assist_held, 400 - ORIGIN);
	assert_int_equal(c->assist_parked, 330 - ORIGIN);
	assert_int_equal(reports->collections->total.outside_runnable,
			 400 - 330);
	assert_int_equal(reports->sched->count, 3);
	s = &reports->sched->samples[0];
	assert_int_equal(s->ts, ORIGIN - ZERO + 140);
	assert_int_equal(s->gomaxprocs, -1);
	assert_int_equal(s->procs_ns, -1);
	assert_int_equal(s->threads, 1);
	assert_int_equal(s->waiting, 1);
	assert_int_equal(s->running, 1);
	assert_int_equal(s->running_ns, 140);
	assert_int_equal(s->held_ns, 140);
	assert_true(s->gc);
	s++;
	assert_int_equal(s->runqueue, 1);
	assert_int_equal(s->runqueue_ns, ORIGIN + 280 - 330);
	assert_int_equal(s->gc_ns, 310 - ORIGIN - 140);
	assert_false(s->gc);
	gtrace_reports_free(reports);
	reports = analyse(140, 310 - ZERO + 6);
	assert_int_equal(reports->collections->count, 0);
	assert_int_equal(reports->collections->goroutine_count, 0);
	assert_int_equal(reports->sched->count, 2);
	gtrace_reports_free(reports);
}

static void put_collections(void)
{
	begin_thread();
	put(PROCS_CHANGE, 3, until(103), 4, STACK_MAIN);
	put(HEAP_GOAL, 2, until(104), (uint64_t)1 << 60);
	put(ASSIST_BEGIN, 2, until(110), 0);
	put(ASSIST_END, 1, until(130));
	put(HEAP_ALLOC, 2, until(140), 1000);
	put(GC_BEGIN, 3, until(200), 1, STACK_FORCED);
	put(HEAP_ALLOC, 2, until(205), 1100);
	put(STW_BEGIN, 3, until(210), TEXT_SWEEP, 0);
	put(STW_END, 1, until(230));
	put(GO_STOP, 3, until(240), 1, STACK_MAIN);
	put(GO_START, 3, until(250), 1, 1);
	put(GO_LABEL, 2, until(260), TEXT_DEDICATED);
	put(GO_LABEL, 2, until(270), TEXT_IDLE);
	put(GO_STOP, 3, until(290), 1, STACK_MAIN);
	put(GO_START, 3, until(300), 1, 2);
	put(ASSIST_BEGIN, 2, until(310), STACK_MAIN);
	put(GO_BLOCK, 3, until(320), 1, STACK_MAIN);
	put(GO_UNBLOCK, 4, until(335), 1, 3, 0);
	put(GO_START, 3, until(340), 1, 4);
	put(STW_BEGIN, 3, until(350), TEXT_MARK, 0);
	put(HEAP_ALLOC, 2, until(352), 1200);
	put(GC_END, 2, until(360), 2);
	put(STW_END, 1, until(370));
	put(HEAP_GOAL, 2, until(372), 3000);
	put(ASSIST_END, 1, until(375));
	put(GO_LABEL, 2, until(380), TEXT_IDLE);
	put(GC_BEGIN, 3, until(400), 3, STACK_PERIODIC);
	put(STW_BEGIN, 3, until(410), TEXT_SWEEP, 0);
	put(STW_END, 1, until(420));
	put(HEAP_ALLOC, 2, until(500), 2000);
	end_thread();
}

static void check_forced(const struct gtrace_collection *c)
{
	assert_string_equal(c->reason, "forced");
	assert_int_equal(c->g, 1);
	assert_int_equal(c->function.size, 6);
	assert_int_equal(c->sweep_clock, 20);
	assert_int_equal(c->mark_clock, 120);
	/* The goal comes after the end of the stop. */
	assert_int_equal(c->term_clock, 10);
	assert_int_equal(c->mark_max, -1);
	assert_int_equal(c->sweep_cpu, 4 * 20);
	assert_int_equal(c->heap_start, 1100);
	assert_int_equal(c->heap_live, 1200);
	assert_int_equal(c->heap_end, 1100);
	assert_int_equal(c->heap_goal, 0);
	/* The last label counts, from the start of the slice. */
	assert_int_equal(c->dedicated_cpu, 0);
	assert_int_equal(c->idle_cpu, 290 - 250);
	assert_int_equal(c->assists, 1);
	assert_int_equal(c->assist_cpu, 10 + 10);
	assert_int_equal(c->assist_held, 375 - 310);
	assert_int_equal(c->assist_parked, 15);
	/* (80 + 40 + 20) / (4 * 259) */
	assert_int_equal(c->percent, 13);
	assert_int_equal(c->mark_window, 120);
	/* Ready from 240 to 250, from 290 to 300 and from 335 to 340. */
	assert_int_equal(c->runnable, 25);
}

static void test_forced(void **state)
{
	const struct gtrace_collection_report *all;
	struct gtrace_reports *reports;

	(void)state;
	put_collections();
	reports = analyse(0, 0);
	all = reports->collections;
	assert_null(reports->sched);
	assert_int_equal(all->count, 2);
	check_forced(&all->collections[0]);
	assert_string_equal(all->collections[1].reason, "periodic");
	assert_true(all->collections[1].unfinished);
	assert_int_equal(all->collections[1].done, -1);
	assert_int_equal(all->collections[1].heap_goal, 3000);
	assert_int_equal(all->collections[1].idle_cpu, 0);
	assert_int_equal(all->collections[1].mark_window, 80);
	assert_int_equal(all->total.forced, 1);
	assert_int_equal(all->total.unfinished, 1);
	/* The one for no collection is in the tables only. */
	assert_int_equal(all->total.assists, 1);
	assert_int_equal(all->total.assist_share, 100 * 20 / (20 + 40));
	assert_int_equal(all->function_count, 2);
	assert_memory_equal(all->functions[0].function.data, "main.f", 6);
	assert_memory_equal(all->functions[1].function.data, "unknown", 7);
	assert_int_equal(all->functions[1].held, 20);
	assert_int_equal(all->functions[1].cpu, 20);
	assert_int_equal(all->goroutine_count, 1);
	assert_int_equal(all->goroutines[0].assists, 2);
	assert_memory_equal(all->goroutines[0].function.data, "main.f", 6);
	gtrace_reports_free(reports);
}

/* Thread M and its goroutine are in a system call with processor P. */
static void put_call(uint64_t m, uint64_t p)
{
	begin_batch(m, 95);
	put(PROC_STATUS, 3, 6, p, 3);
	put(GO_STATUS, 4, 1, m, m, 3);
	end_batch();
}

/*
 * A worker that takes a processor from a system call marks no more in its
 * slice. One without a label does not matter, nor does an assist, which may go
 * on.
 */
static void test_wait_for_processors(void **state)
{
	const struct gtrace_collection *c;
	struct gtrace_reports *reports;

	(void)state;
	begin_thread();
	put(PROCS_CHANGE, 3, until(103), 2, STACK_MAIN);
	put(GC_BEGIN, 3, until(200), 1, STACK_FORCED);
	put(STW_BEGIN, 3, until(210), TEXT_SWEEP, 0);
	put(STW_END, 1, until(230));
	put(ASSIST_BEGIN, 2, until(240), STACK_MAIN);
	put(PROC_STEAL, 4, until(250), 1, 1, 8);
	put(ASSIST_END, 1, until(260));
	put(GO_STOP, 3, until(270), 1, STACK_MAIN);
	put(GO_START, 3, until(280), 1, 1);
	put(GO_LABEL, 2, until(281), TEXT_DEDICATED);
	put(PROC_STEAL, 4, until(300), 2, 1, 9);
	put(PROC_STEAL, 4, until(310), 3, 1, 10);
	put(GO_STOP, 3, until(320), 1, STACK_MAIN);
	put(GO_START, 3, until(330), 1, 2);
	put(GO_LABEL, 2, until(331), TEXT_DEDICATED);
	put(STW_BEGIN, 3, until(350), TEXT_MARK, 0);
	put(GC_END, 2, until(360), 2);
	put(STW_END, 1, until(370));
	end_batch();
	put_call(8, 1);
	put_call(9, 2);
	put_call(10, 3);
	put_tables();
	reports = analyse(0, 0);
	c = reports->collections->collections;
	assert_int_equal(reports->collections->count, 1);
	assert_int_equal(c->assist_cpu, 260 - 240);
	assert_int_equal(c->dedicated_cpu, (300 - 280) + (350 - 330));
	gtrace_reports_free(reports);
}

/* Two sweeps, of which the second is the longest, and one that goes on. */
static void test_sweeps(void **state)
{
	const struct gtrace_collection_total *total;
	struct gtrace_reports *reports;

	(void)state;
	begin_thread();
	put(SWEEP_BEGIN, 2, until(110), 0);
	put(SWEEP_END, 3, until(113), 8192, 0);
	put(GC_BEGIN, 3, until(200), 1, STACK_FORCED);
	put(GC_END, 2, until(220), 2);
	put(SWEEP_BEGIN, 2, until(230), STACK_MAIN);
	put(SWEEP_END, 3, until(250), 8192, 8192);
	put(SWEEP_BEGIN, 2, until(260), STACK_MAIN);
	put(HEAP_ALLOC, 2, until(500), 2000);
	end_thread();
	reports = analyse(0, 0);
	total = &reports->collections->total;
	assert_int_equal(total->sweeps, 2);
	assert_int_equal(total->sweep_sum, 3 + 20);
	assert_int_equal(total->sweep_max, 20);
	assert_int_equal(total->sweep_max_start, 230 - ZERO);
	assert_int_equal(total->sweep_max_g, 1);
	assert_memory_equal(total->sweep_function.data, "main.f", 6);
	gtrace_reports_free(reports);
	reports = analyse(0, 113 - ZERO);
	assert_int_equal(reports->collections->total.sweeps, 1);
	gtrace_reports_free(reports);
}

/* With a filter the tables are of what it lets pass. */
static void test_filter(void **state)
{
	const struct gtrace_collection_report *all;
	struct gtrace_reports *reports;

	(void)state;
	put_collections();
	reports = analyse(0, 400);
	all = reports->collections;
	assert_int_equal(all->count, 1);
	assert_int_equal(all->collections[0].number, 2);
	assert_int_equal(all->total.collections, 1);
	assert_int_equal(all->total.length, 500 - ORIGIN);
	assert_int_equal(all->total.outside, -1);
	assert_int_equal(all->goroutine_count, 0);
	gtrace_reports_free(reports);
	reports = analyse(0, 100);
	assert_int_equal(reports->collections->count, 2);
	assert_int_equal(reports->collections->function_count, 1);
	check_forced(&reports->collections->collections[0]);
	gtrace_reports_free(reports);
}

/* A worker marks all the time on one processor: that is not more than all. */
static void test_all_the_time(void **state)
{
	static struct text text;
	struct gtrace_output output = text_output(&text);
	struct gtrace_request request = {.size = sizeof(request), .rows = 10};
	struct gtrace_summary *summary;
	struct gtrace *trace;

	(void)state;
	begin_thread();
	put(PROCS_CHANGE, 3, until(103), 1, STACK_MAIN);
	put(GC_ACTIVE, 2, until(104), 1);
	put(GO_LABEL, 2, until(105), TEXT_DEDICATED);
	put(HEAP_ALLOC, 2, until(900), 5000);
	end_thread();
	assert_int_equal(
		gtrace_open_memory(built.data, built.size, NULL, &trace, NULL),
		GTRACE_OK);
	assert_int_equal(gtrace_summarise(trace, &request, &summary, NULL),
			 GTRACE_OK);
	gtrace_close(trace);
	assert_int_equal(summary->collections_percent, 100);
	assert_int_equal(summary->collecting, summary->length);
	assert_int_equal(gtrace_write_summary(summary, &request, &output, NULL),
			 GTRACE_OK);
	assert_non_null(strstr(text.bytes, "1 GC: 100 % of the time"));
	assert_non_null(strstr(text.bytes, "at most 100 %"));
	gtrace_summary_free(summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_began_before),
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_wait_for_processors),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_all_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
