/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_test.c - traces of Go 1.22 and later, built batch by batch: headers,
 * every kind of broken batch, generations that end too early, and which events
 * come before an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#define BUILT_MAX (1 << 20)

#include "tests/v2/reading.h"

/* --------------------------------------------------------------- headers -- */

static void expect_header(const char *header, size_t size,
			  enum gtrace_status status)
{
	struct gtrace_error error = {.status = GTRACE_OK};
	struct gtrace *trace;

	memset(&built, 0, sizeof(built));
	memcpy(built.data, header, size);
	assert_int_equal(
		gtrace_open_memory(built.data, size, NULL, &trace, &error),
		status);
	gtrace_close(trace);
}

#define EXPECT_HEADER(header, status)                                          \
	expect_header(header, sizeof(header) - 1, status)

static void test_headers(void **state)
{
	(void)state;
	EXPECT_HEADER("go 1.22 trace\0\0\0", GTRACE_OK);
	EXPECT_HEADER("go 1.26 trace\0\0\0", GTRACE_OK);
	EXPECT_HEADER("go \t\v 1. 0022\xc2\xa0\xe2\x80\x8atrace\0\0\0",
		      GTRACE_OK);
	EXPECT_HEADER("go\r1.22 trace\0\0\0", GTRACE_OK);
	EXPECT_HEADER("go 1.24 trace\0\0\0", GTRACE_ERROR_VERSION);
	EXPECT_HEADER("go 1.27 trace\0\0\0", GTRACE_ERROR_VERSION);
	EXPECT_HEADER("go 1.4294967318 trace\0\0\0", GTRACE_ERROR_HEADER);
	EXPECT_HEADER("go\r\n1.22 trace\0\0\0", GTRACE_ERROR_HEADER);
	EXPECT_HEADER("go1.22 trace\0\0\0", GTRACE_ERROR_HEADER);
	EXPECT_HEADER("go 1.22 trace\0\0", GTRACE_ERROR_HEADER);
	EXPECT_HEADER("go 1.22 trace\0\0x", GTRACE_ERROR_HEADER);
}

/* ----------------------------------------------------------- generations -- */

static void test_versions(void **state)
{
	static const unsigned versions[] = {22, 23, 25, 26};
	unsigned i;

	(void)state;
	for (i = 0; i < 4; i++) {
		begin_file(versions[i]);
		put_generation();
		expect_good(6);
	}
}

static void test_empty(void **state)
{
	(void)state;
	begin_file(26);
	expect_good(1);
	begin_file(25);
	expect_bad(GTRACE_ERROR_EMPTY, 16, 1);
}

static void test_unfinished(void **state)
{
	size_t first;

	(void)state;
	begin_file(26);
	put_generation();
	first = built.size;
	put_clock(1000);
	/* Nothing is lost yet. */
	expect_good(6);
	put_events();
	expect_bad(GTRACE_ERROR_CUT_OFF, first, 6);
}

static void test_numbers(void **state)
{
	size_t at;

	(void)state;
	begin_file(26);
	put_clock(1000);
	built.generation = 2;
	at = built.size;
	put_events();
	expect_bad(GTRACE_ERROR_RECORD, at, 1);

	begin_file(25);
	put_generation();
	built.generation = 3;
	at = built.size;
	put_events();
	/* The whole generation is lost. */
	expect_bad(GTRACE_ERROR_RECORD, at, 1);

	begin_file(25);
	built.generation = 0;
	put_clock(1000);
	expect_bad(GTRACE_ERROR_RECORD, 16, 1);
}

/* Before 1.26 a broken batch ends a generation, which is good. */
static void test_broken_batch(void **state)
{
	size_t at;

	(void)state;
	begin_file(25);
	put_generation();
	at = built.size;
	put_byte(77);
	expect_bad(GTRACE_ERROR_RECORD, at, 6);
	begin_file(26);
	put_generation();
	at = built.size;
	put_byte(77);
	expect_bad(GTRACE_ERROR_RECORD, at, 6);
	begin_file(26);
	put_generation();
	put_byte(EXPERIMENT);
	expect_good(6);
	at = built.size - 1;
	put_byte(1);
	expect_bad(GTRACE_ERROR_CUT_OFF, at + 2, 6);
}

static void test_sizes(void **state)
{
	size_t at, i;

	(void)state;
	begin_file(26);
	put_clock(1000);
	at = built.size;
	put(BATCH, 4, 1, 7, 100, 65537);
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
	built.size = at;
	put(BATCH, 4, 1, 7, 100, 10);
	put(HEAP_ALLOC, 2, 1, 1);
	expect_bad(GTRACE_ERROR_CUT_OFF, at, 1);
	/* The greatest size, and none at all. */
	begin_file(26);
	put_clock(1000);
	put_events();
	begin_batch(7, 100);
	end_batch();
	begin_batch(7, 100);
	for (i = 0; i < 65536 / 4; i++)
		put(HEAP_ALLOC, 2, 1, 1000);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	assert_int_equal(greedy(0), GTRACE_OK);
}

static void test_missing_clock(void **state)
{
	(void)state;
	begin_file(26);
	put_events();
	put_stacks();
	put_strings();
	put_byte(END);
	expect_bad(GTRACE_ERROR_EMPTY, 16, 1);
	begin_file(26);
	begin_batch(NONE, 1);
	put_byte(SYNC);
	put(FREQUENCY, 1, 1000);
	end_batch();
	put_byte(END);
	expect_bad(GTRACE_ERROR_EMPTY, 16, 1);
}

/* ---------------------------------------------------------------- events -- */

static void test_unreadable(void **state)
{
	size_t at;

	(void)state;
	/* An event that cannot be read also hides the event before it. */
	begin_events();
	at = built.size;
	put_byte(137);
	end_events();
	expect_bad(GTRACE_ERROR_RECORD, at, 2);
	begin_events();
	at = built.size;
	put(HEAP_ALLOC, 1, 1);
	end_events();
	expect_bad(GTRACE_ERROR_RECORD, at, 2);
	/* As the first one of a thread it ends the trace before its Sync. */
	begin_file(26);
	put_clock(1000);
	begin_batch(7, 100);
	at = built.size;
	put(STRINGS, 0);
	put(STRINGS, 0);
	built.data[at] = STACK;
	end_batch();
	put_byte(END);
	expect_bad(GTRACE_ERROR_RECORD, at, 0);
}

static void test_contradictions(void **state)
{
	size_t at;

	(void)state;
	begin_events();
	at = built.size;
	put(GO_START, 3, 1, 2, 1); /* no event makes it runnable */
	end_events();
	expect_bad(GTRACE_ERROR_ORDER, at, 3);
	begin_events();
	at = built.size;
	put(GO_CREATE, 4, 1, 1, 0, 0); /* it exists */
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 3);
	begin_events();
	at = built.size;
	put(GO_STOP, 3, 1, 1, 9); /* there is no stack 9 */
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 3);
	begin_events();
	put(GO_DESTROY, 1, 1);
	at = built.size;
	put(GO_DESTROY, 1, 1);
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 4);
}

/* A thread whose event must wait lets the others go first. */
static void test_waiting(void **state)
{
	(void)state;
	begin_events();
	put(GO_CREATE, 4, 900, 2, 0, 0);
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
	begin_batch(8, 100);
	put(PROC_STATUS, 3, 1, 1, 2);
	put(PROC_START, 3, 1, 1, 1);
	put(GO_START, 3, 1, 2, 1);
	put(PROC_STOP, 1, 1);
	end_events();
	expect_good(10);
	/* It happens after the GoCreate, at the next time there is. */
	assert_non_null(strstr(text.bytes, "GoCreate Ts: 912 "));
	assert_non_null(strstr(text.bytes, "GoStart Ts: 913 "));
	assert_non_null(strstr(text.bytes, "ProcStop Ts: 914 "));
}

/* COUNT threads wait for what another thread does after MORE other events. */
static void build_waiting(unsigned count, unsigned more)
{
	unsigned i;

	begin_events();
	for (i = 0; i < more; i++)
		put(HEAP_ALLOC, 2, 1, 1);
	put(GO_CREATE, 4, 1, 2, 0, 0);
	end_batch();
	for (i = 0; i < count; i++) {
		begin_batch(100 + i, 100);
		put(PROC_STATUS, 3, 1, 1 + i, 2);
		put(PROC_START, 3, 1, 1 + i, 1);
		put(GO_START, 3, 1, 2, 1 + i);
		put(GO_STOP, 3, 1, 1, 0);
		end_batch();
	}
	put_stacks();
	put_strings();
	end_generation();
}

/*
 * While threads wait, each event may take as many steps as there are threads.
 * A trace may have some of that, but must not take for ever.
 */
static void test_many_waits(void **state)
{
	struct gtrace_error error;

	(void)state;
	build_waiting(1000, 1000);
	assert_int_equal(greedy(0), GTRACE_OK);
	/* Go's reader takes nine seconds for this. */
	build_waiting(4000, 20000);
	assert_int_equal(greedy(0), GTRACE_OK);
	build_waiting(16000, 20000);
	assert_int_equal(dump(0, &error), GTRACE_ERROR_ORDER);
	assert_non_null(strstr(error.message, "too many"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_broken_batch),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_missing_clock),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_many_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
