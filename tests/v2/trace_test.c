/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_test.c - traces of Go 1.22 and later, built batch by batch: headers,
 * every kind of broken batch and record, generations that end too early, times,
 * and which events come before an error. Status and offset of each error are
 * compared, and how many events -partial reports.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/v2/builder.h"

/* ---------------------------------------------------------------- reports --
 */

static char text[1 << 16];
static size_t text_size;

static int append(void *context, const void *data, size_t size)
{
	(void)context;
	assert_true(text_size + size < sizeof(text));
	memcpy(text + text_size, data, size);
	text_size += size;
	text[text_size] = '\0';
	return 0;
}

/* Prints the dump to `text`. */
static enum gtrace_status dump(int partial, struct gtrace_error *error)
{
	struct gtrace_options options = {.size = sizeof(options),
					 .partial = partial};
	struct gtrace_output output = {.size = sizeof(output), .write = append};
	enum gtrace_status status;
	struct gtrace *trace;

	text_size = 0;
	text[0] = '\0';
	status = gtrace_open_memory(built.data, built.size, &options, &trace,
				    error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

static struct gtrace_slice longest;

/* Makes a greedy report of the longest slice, `longest`. */
static enum gtrace_status greedy(int partial)
{
	struct gtrace_options options = {.size = sizeof(options),
					 .partial = partial};
	struct gtrace_request request = {.size = sizeof(request), .n = 1};
	struct gtrace_greedy_report *report;
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(built.data, built.size, &options, &trace,
				    &error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_greedy(trace, &request, &report, &error);
	if (status == GTRACE_OK && report->count != 0)
		longest = *report->slices[0];
	gtrace_greedy_free(report);
	gtrace_close(trace);
	return status;
}

/* The events in `text`. */
static unsigned count_events(void)
{
	const char *at = text;
	unsigned count = 0;

	while ((at = strstr(at, " Off: ")) != NULL) {
		count++;
		at++;
	}
	return count;
}

static void expect_good(unsigned events)
{
	struct gtrace_error error;

	if (dump(0, &error) != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	assert_int_equal(count_events(), events);
}

/* An error with this status, at OFFSET, after so many EVENTS. */
static void expect_bad(enum gtrace_status status, uint64_t offset,
		       unsigned events)
{
	struct gtrace_error error;

	assert_int_equal(dump(0, &error), status);
	assert_true(error.offset == offset);
	assert_int_equal(text_size, 0);
	if (events == 0) {
		assert_int_equal(dump(1, &error), status);
		assert_int_equal(text_size, 0);
		return;
	}
	assert_int_equal(dump(1, &error), GTRACE_OK);
	assert_int_equal(count_events(), events);
}

/* ---------------------------------------------------------------- headers --
 */

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

/* ------------------------------------------------------------ generations --
 */

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
	put(BATCH, 4, V(1), V(7), V(100), V(65537));
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
	built.size = at;
	put(BATCH, 4, V(1), V(7), V(100), V(10));
	put(HEAP_ALLOC, 2, V(1), V(1));
	expect_bad(GTRACE_ERROR_CUT_OFF, at, 1);
	/* The greatest size, and none at all. */
	begin_file(26);
	put_clock(1000);
	put_events();
	begin_batch(7, 100);
	end_batch();
	begin_batch(7, 100);
	for (i = 0; i < 65536 / 4; i++)
		put(HEAP_ALLOC, 2, V(1), V(1000));
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
	put(FREQUENCY, 1, V(1000));
	end_batch();
	put_byte(END);
	expect_bad(GTRACE_ERROR_EMPTY, 16, 1);
}

/* ----------------------------------------------------------------- tables --
 */

/* The record at AT, in the last batch before the end, is bad. */
static void expect_bad_table(size_t at)
{
	end_batch();
	put_byte(END);
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
}

static size_t begin_table(uint8_t type)
{
	begin_file(26);
	put_clock(1000);
	begin_batch(NONE, 1);
	put_byte(type);
	return built.size;
}

static void test_strings(void **state)
{
	size_t at = begin_table(STRINGS);

	(void)state;
	put_byte(STACK);
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 2, V(1), V(1025));
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 2, V(1), V(1));
	expect_bad_table(at);
	at = begin_table(STRINGS);
	put(STRING, 1, V(1)); /* no length */
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
	put(STACK, 2, V(1), V(129));
	expect_bad_table(at);
	at = begin_table(STACKS);
	put(STACK, 4, V(1), V(1), V(64), V(2)); /* half a frame */
	expect_bad_table(at);
	at = begin_table(STACKS);
	put(STACK, 6, V(1), V(1), V(64), V(2), V(3), V(5));
	expect_bad_table(at); /* without the strings */
	/* The first frame with a program counter counts for all. */
	begin_file(26);
	put_clock(1000);
	begin_batch(NONE, 1);
	put_byte(STACKS);
	put(STACK, 6, V(1), V(1), V(64), V(2), V(3), V(5));
	put(STACK, 6, V(2), V(1), V(64), V(77), V(78), V(6));
	put(STACK, 2, V(3), V(0));
	end_batch();
	put_strings();
	put_events();
	end_generation();
	expect_good(6);
	assert_non_null(strstr(text, "\t\t 64 main.f f.go 5\n"));
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
	put(FREQUENCY, 1, V(1000));
	expect_bad_table(at);
	begin_file(22);
	begin_batch(NONE, 1);
	put(FREQUENCY, 1, V(1000));
	at = built.size;
	put(SNAPSHOT, 4, V(1), V(1), V(1), V(1));
	end_batch();
	expect_bad(GTRACE_ERROR_RECORD, at, 1);
}

/* ----------------------------------------------------------------- events --
 */

/* Events of thread 7 that are good; more may follow in the same batch. */
static void begin_events(void)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, V(1), V(0), V(1));
	put(GO_STATUS, 4, V(1), V(1), V(7), V(2));
}

static void end_events(void)
{
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
}

static void test_unreadable(void **state)
{
	size_t at;

	(void)state;
	/* An event that cannot be read takes the one before it along. */
	begin_events();
	at = built.size;
	put_byte(137);
	end_events();
	expect_bad(GTRACE_ERROR_RECORD, at, 2);
	begin_events();
	at = built.size;
	put(HEAP_ALLOC, 1, V(1));
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
	put(GO_START, 3, V(1), V(2), V(1)); /* no event makes it runnable */
	end_events();
	expect_bad(GTRACE_ERROR_ORDER, at, 3);
	begin_events();
	at = built.size;
	put(GO_CREATE, 4, V(1), V(1), V(0), V(0)); /* it exists */
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 3);
	begin_events();
	at = built.size;
	put(GO_STOP, 3, V(1), V(1), V(9)); /* there is no stack 9 */
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 3);
	begin_events();
	put(GO_DESTROY, 1, V(1));
	at = built.size;
	put(GO_DESTROY, 1, V(1));
	end_events();
	expect_bad(GTRACE_ERROR_STATE, at, 4);
}

/* A thread whose event must wait lets the others go first. */
static void test_waiting(void **state)
{
	(void)state;
	begin_events();
	put(GO_CREATE, 4, V(900), V(2), V(0), V(0));
	put(GO_STOP, 3, V(1), V(1), V(1));
	end_batch();
	begin_batch(8, 100);
	put(PROC_STATUS, 3, V(1), V(1), V(2));
	put(PROC_START, 3, V(1), V(1), V(1));
	put(GO_START, 3, V(1), V(2), V(1));
	put(PROC_STOP, 1, V(1));
	end_events();
	expect_good(10);
	/* It happens after the GoCreate, at the next time there is. */
	assert_non_null(strstr(text, "GoCreate Ts: 912 "));
	assert_non_null(strstr(text, "GoStart Ts: 913 "));
	assert_non_null(strstr(text, "ProcStop Ts: 914 "));
}

/* COUNT threads wait for what another thread does after MORE other events. */
static void build_waiting(unsigned count, unsigned more)
{
	unsigned i;

	begin_events();
	for (i = 0; i < more; i++)
		put(HEAP_ALLOC, 2, V(1), V(1));
	put(GO_CREATE, 4, V(1), V(2), V(0), V(0));
	end_batch();
	for (i = 0; i < count; i++) {
		begin_batch(V(100 + i), 100);
		put(PROC_STATUS, 3, V(1), V(1 + i), V(2));
		put(PROC_START, 3, V(1), V(1 + i), V(1));
		put(GO_START, 3, V(1), V(2), V(1 + i));
		put(GO_STOP, 3, V(1), V(1), V(0));
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
	build_waiting(4000, 20000);
	assert_int_equal(dump(0, &error), GTRACE_ERROR_ORDER);
	assert_non_null(strstr(error.message, "too many"));
}

/* ------------------------------------------------------------- unfinished --
 */

/* The dump of the unfinished generation, of COUNT events, has TEXT. */
static void expect_unfinished(unsigned count, const char *line)
{
	struct gtrace_error error;

	assert_int_equal(dump(GTRACE_PARTIAL_UNFINISHED, &error), GTRACE_OK);
	assert_int_equal(count_events(), count);
	if (strstr(text, line) == NULL)
		fail_msg("no '%s' in %s", line, text);
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

/* Of times that are equal the heap decides, and all are made to rise. */
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
	assert_non_null(strstr(text, "Sync Ts: 0 "));
	assert_non_null(strstr(text, "GoStart Ts: 4 "));
	assert_non_null(strstr(text, "Sync Ts: 5 "));
}

static void test_samples(void **state)
{
	(void)state;
	begin_file(26);
	put_clock(1000000000);
	put_events();
	begin_batch(NONE, 100);
	put_byte(SAMPLES);
	put(SAMPLE, 5, V(104), V(7), V(0), V(1), V(1));
	put(SAMPLE, 5, V(101), V(7), V(0), V(0), V(1) << 40);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	expect_good(8);
	/* At equal times the event goes first. */
	assert_non_null(strstr(text, "ProcStatus Ts: 11 "));
	assert_non_null(strstr(text, "CPUSample Ts: 12 M: 7 P: 0 G: -1 "
				     "StkID: 1099511627776 "));
	assert_non_null(strstr(text, "CPUSample Ts: 16 M: 7 P: 0 G: 1 "
				     "StkID: 1 "));
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
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_many_waits),
		cmocka_unit_test(test_bare_ids),
		cmocka_unit_test(test_finished),
		cmocka_unit_test(test_missing_events),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
