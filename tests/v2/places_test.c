/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places_test.c - by what functions findings tell of goroutines: what starts
 * them, and instances of one function; and who held a lock, and what it did.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reports.h"
#include "tests/v2/builder.h"

#define MS 1000000

/* Strings from 10 on; before these are reasons, and a file. */
static const char *const functions[] = {
	"main.main",
	"golang.org/x/sync/errgroup.(*Group).Go.func1",
	"main.work.func1",
	"main.flush",
	"main.nap[go.shape.int_0]",
	"main.nap[go.shape.[]uint8_0]",
	"sync.(*Mutex).Lock",
	"syscall.Fsync",
};

/* Stacks, by number from 1 on: functions, innermost first. */
static const struct {
	unsigned count, functions[2];
} stacks[] = {
	{1, {0}},    {1, {1}},    {2, {2, 1}}, {1, {3}},
	{2, {4, 0}}, {2, {5, 0}}, {2, {6, 2}}, {2, {7, 3}},
};

static void put_tables(void)
{
	size_t count = sizeof(stacks) / sizeof(stacks[0]), i, j;

	begin_batch(NONE, 95);
	put_byte(STACKS);
	for (i = 0; i < count; i++) {
		put(STACK, 2, i + 1, stacks[i].count);
		for (j = 0; j < stacks[i].count; j++) {
			unsigned function = stacks[i].functions[j];

			put_value(100 * (i + 1) + j);
			put_value(10 + function);
			put_value(3);
			put_value(1);
		}
	}
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "chan receive");
	put_string(2, "sleep");
	put_string(3, "x.go");
	put_string(4, "sync");
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		put_string(10 + i, functions[i]);
	end_batch();
	end_generation();
}

/* Goroutine 1 runs, and creates 2 and 3, which begin at the stack ROOT. */
static void begin_events(uint64_t root)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_CREATE, 4, 10, 2, root, 1);
	put(GO_CREATE, 4, 10, 3, 4, 1);
	put(GO_BLOCK, 3, 10, 2, 1);
}

static struct gtrace *open_built(void)
{
	struct gtrace *trace;
	struct gtrace_error error;

	end_batch();
	put_tables();
	if (gtrace_open_memory(built.data, built.size, NULL, &trace, &error) !=
	    GTRACE_OK)
		fail_msg("%s", error.message);
	return trace;
}

static struct gtrace_summary *summarise(void)
{
	struct gtrace *trace = open_built();
	struct gtrace_summary *summary;
	struct gtrace_error error;

	if (gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	return summary;
}

/*
 * What errgroup calls for all goroutines of the trace is a call of theirs: they
 * wait inside of their work, not for it.
 */
static void test_starter(void **state)
{
	const struct gtrace_finding *first;
	struct gtrace_summary *summary;

	(void)state;
	begin_events(2);
	put(GO_START, 3, 10, 2, 1);
	put(GO_BLOCK, 3, 10, 1, 3);
	put(GO_START, 3, 10, 3, 1);
	put(GO_SYSCALL_BEGIN, 3, 10, 1, 4);
	put(GO_SYSCALL_END, 1, 4 * MS);
	put(GO_UNBLOCK, 4, 10, 2, 2, 4);
	put(GO_BLOCK, 3, 10, 1, 4);
	put(GO_START, 3, 10, 2, 3);
	put(GO_DESTROY, 1, 10 * MS);
	summary = summarise();
	first = summary->findings;
	assert_memory_equal(first->frame.function.data, "main.flush", 10);
	assert_int_equal(first->victim_count, 1);
	assert_true(first->others > 3 * MS);
	gtrace_summary_free(summary);
}

/* Instances of a function are one function. */
static void test_instances(void **state)
{
	const struct gtrace_finding *first;
	struct gtrace_summary *summary;

	(void)state;
	begin_events(1);
	put(GO_START, 3, 10, 2, 1);
	put(GO_BLOCK, 3, 10, 2, 5);
	put(GO_START, 3, 10, 3, 1);
	put(GO_BLOCK, 3, 10, 2, 6);
	put(GO_UNBLOCK, 4, 4 * MS, 2, 2, 0);
	put(GO_UNBLOCK, 4, 10, 3, 2, 0);
	put(GO_START, 3, 10, 2, 3);
	put(GO_DESTROY, 1, 10 * MS);
	put(GO_START, 3, 10, 3, 3);
	put(GO_DESTROY, 1, 10);
	summary = summarise();
	first = summary->findings;
	assert_int_equal(first->kind, GTRACE_FINDING_FUNCTION);
	assert_memory_equal(first->frame.function.data, "main.nap", 8);
	assert_true(first->parts[GTRACE_HOLD_SLEEP] > 8 * MS);
	gtrace_summary_free(summary);
}

/* The one that has the lock is in fsync, until it gives it back. */
static void test_holder(void **state)
{
	struct gtrace_request request = REQUEST(.blocks = 9);
	const struct gtrace_block_place *place;
	const struct gtrace_lock_holder *holder;
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	begin_events(1);
	put(GO_START, 3, 10, 2, 1);
	put(GO_BLOCK, 3, 10, 4, 7);
	put(GO_START, 3, 10, 3, 1);
	put(GO_SYSCALL_BEGIN, 3, 10, 1, 8);
	put(GO_SYSCALL_END, 1, 4 * MS);
	put(GO_UNBLOCK, 4, 10, 2, 2, 4);
	put(GO_BLOCK, 3, 10, 1, 4);
	put(GO_START, 3, 10, 2, 3);
	put(GO_DESTROY, 1, 10 * MS);
	trace = open_built();
	if (gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	place = reports->blocks->places[0];
	assert_int_equal(place->kind, GTRACE_BLOCK_LOCK);
	assert_int_equal(place->holder_count, 1);
	holder = place->holders;
	assert_memory_equal(holder->frame.function.data, "main.flush", 10);
	assert_int_equal(holder->sum, place->sum);
	assert_int_equal(holder->part_count, 3);
	assert_string_equal(holder->parts[0].part, "call");
	assert_memory_equal(holder->parts[0].inner.data, "syscall.Fsync", 13);
	assert_true(holder->parts[0].sum >= 4 * MS);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_starter),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_holder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
