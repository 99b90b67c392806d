/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_test.c - the tables and the clock of a generation of Go 1.22 and
 * later, built record by record: every kind of broken record, and the times
 * that a clock gives.
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

/* The record at AT, in the last batch before the end, is bad. */
static void expect_bad_table(size_t at)
{
	end_batch();
	put_byte(END);
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
}

static void test_strings(void **state)
{
	size_t at = begin_table(STRINGS);

	(void)state;
	put_byte(STACK);
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 2, 1, 1025);
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 2, 1, 1);
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 1, 1); /* no length */
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put_string(0, "");
	expect_bad_table(at);
	begin_table(STRINGS);
	put_string(1, "a");
	at = built.size;
	put_string(1, "b");
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put_byte(STRING);
	while (built.size < at + 11)
		put_byte(0xff);
	put_byte(0);
	expect_bad_table(at);
}

static void test_stacks(void **state)
{
	size_t at = begin_table(STACKS);

	(void)state;
	put(STACK, 2, 1, 129);
	expect_bad_table(at);
	at = begin_table(STACKS);
	put(STACK, 4, 1, 1, 64, 2); /* half a frame */
	expect_bad_table(at);
	at = begin_table(STACKS);
	put(STACK, 6, 1, 1, 64, 2, 3, 5);
	expect_bad_table(at); /* without the strings */
	/* The first frame with a program counter counts for all. */
	begin_file(26);
	put_clock(1000);
	begin_batch(NONE, 1);
	put_byte(STACKS);
	put(STACK, 6, 1, 1, 64, 2, 3, 5);
	put(STACK, 6, 2, 1, 64, 77, 78, 6);
	put(STACK, 2, 3, 0);
	end_batch();
	put_strings();
	put_events();
	end_generation();
	expect_good(6);
	assert_non_null(strstr(text.bytes, "\t\t 64 main.f f.go 5\n"));
}

static void test_clock(void **state)
{
	size_t at;

	(void)state;
	begin_file(26);
	put_clock(1000);
	begin_batch(NONE, 1);
	put_byte(SYNC);
	at = built.size;
	put(FREQUENCY, 1, 1000);
	expect_bad_table(at);
	begin_file(22);
	begin_batch(NONE, 1);
	put(FREQUENCY, 1, 1000);
	at = built.size;
	put(SNAPSHOT, 4, 1, 1, 1, 1);
	end_batch();
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
}

/* The heap decides the order of equal times; each is then made greater. */
static void test_times(void **state)
{
	(void)state;
	begin_file(26);
	put_clock(0); /* one tick lasts for ever */
	put_events();
	put_stacks();
	put_strings();
	end_generation();
	expect_good(6);
	assert_non_null(strstr(text.bytes, "Sync Ts: 0 "));
	assert_non_null(strstr(text.bytes, "GoStart Ts: 4 "));
	assert_non_null(strstr(text.bytes, "Sync Ts: 5 "));
}

static void test_samples(void **state)
{
	(void)state;
	begin_file(26);
	put_clock(1000000000);
	put_events();
	begin_batch(NONE, 100);
	put_byte(SAMPLES);
	put(SAMPLE, 5, 104, 7, 0, 1, 1);
	put(SAMPLE, 5, 101, 7, 0, 0, (uint64_t)1 << 40);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	expect_good(8);
	/* At equal times the event goes first. */
	assert_non_null(strstr(text.bytes, "ProcStatus Ts: 11 "));
	assert_non_null(strstr(text.bytes, "CPUSample Ts: 12 M: 7 P: 0 G: -1 "
					   "StkID: 1099511627776 "));
	assert_non_null(strstr(text.bytes, "CPUSample Ts: 16 M: 7 P: 0 G: 1 "
					   "StkID: 1 "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings), cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_clock),   cmocka_unit_test(test_times),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
