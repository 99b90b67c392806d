/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partial_test.c - what GTRACE_PARTIAL_UNFINISHED reports of a generation that
 * the file ends in: events without tables, without a clock, and where those of
 * another thread are missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

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
	put(GO_STOP, 3, V(1), V(1), V(9)); /* there is no stack 9 */
	end_events();
	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), 3);
	begin_file(26);
	put_generation();
	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), 6);
	assert_int_equal(dump(3, &error), GTRACE_ERROR_ARGUMENT);
}

/*
 * Thread 7 has stopped goroutine 1 and processor 0, as the events of thread 8
 * show; but its own events are missing.
 */
static void test_missing_events(void **state)
{
	(void)state;
	begin_events();
	put(HEAP_ALLOC, 2, V(100), V(1));
	end_batch();
	begin_batch(8, 1000);
	put(PROC_START, 3, V(1), V(0), V(5));
	put(GO_START, 3, V(1), V(1), V(7));
	put(GO_STOP, 3, V(50), V(1), V(1));
	end_batch();
	expect_unfinished(8, "GoStart Ts: 912 M: 8 P: 0 G: -1 ");
	assert_int_equal(greedy(GTRACE_PARTIAL_UNFINISHED), GTRACE_OK);
	assert_int_equal(longest.duration, 100);
	assert_int_equal(longest.m, 7);
	assert_int_equal(longest.still_running, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bare_ids),
		cmocka_unit_test(test_finished),
		cmocka_unit_test(test_missing_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
