/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accounts_test.c - the kernel's accounts of threads beside traces of Go 1.22
 * and later, both written here.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/reports.h"
#include "tests/text.h"
#include "tests/v2/beside.h"
#include "tests/v2/builder.h"

#define MS INT64_C(1000000)

/*
 * Threads 7 and 8 hold a processor each for 300 ms: 7 with a goroutine, and in
 * a system call from 100 to 150 ms; 8 has its goroutine until 100 ms only.
 */
static void put_trace(void)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 1000);
	put(PROC_STATUS, 3, 0, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_SYSCALL_BEGIN, 3, 100 * MS, 1, 1);
	put(GO_SYSCALL_END, 1, 50 * MS);
	put(GO_STOP, 3, 150 * MS, 1, 1);
	end_batch();
	begin_batch(8, 1000);
	put(PROC_STATUS, 3, 0, 1, 1);
	put(GO_STATUS, 4, 1, 2, 8, 2);
	put(GO_STOP, 3, 100 * MS, 1, 1);
	put(PROC_STOP, 1, 200 * MS);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
}

/* ---------------------------------------------------------------- files -- */

static struct gtrace_error error;

static char path[] = "/tmp/accounts_test.XXXXXX";

/* The summary of `built` with accounts of this TEXT; or NULL and ERROR. */
static struct gtrace_summary *summarise(const char *text)
{
	struct gtrace_options options = OPTIONS(.threads = path);
	struct gtrace_summary *summary = NULL;
	struct gtrace *trace;

	write_beside(path, text);
	error.status = GTRACE_OK;
	if (gtrace_open_memory(built.data, built.size, &options, &trace,
			       &error) == GTRACE_OK)
		gtrace_summarise(trace, NULL, &summary, &error);
	gtrace_close(trace);
	unlink(path);
	return summary;
}

static struct gtrace_threads find(const char *text)
{
	struct gtrace_summary *summary = summarise(text);
	struct gtrace_threads threads;

	if (summary == NULL)
		fail_msg("%s", error.message);
	threads = *summary->threads;
	gtrace_summary_free(summary);
	return threads;
}

/* ---------------------------------------------------------------- tests -- */

/*
 * Of the 550 ms for which processors were held outside of system calls, the
 * threads had 220 ms, and 10 ms for each processor may not be accounted yet.
 */
static void test_bound(void **state)
{
	struct gtrace_threads threads;

	(void)state;
	put_trace();
	threads = find("before 7 5000000 1000000 3\n"
		       "before 9 1000000000 0 1\n"
		       "after 7 205000000 3000000 9\n"
		       "after 9 1040000000 7000000 1\n"
		       "after 8 20000000 100000000 1");
	assert_int_equal(threads.count, 2);
	assert_int_equal(threads.on_cpu, 220 * MS);
	assert_int_equal(threads.waited, 102 * MS);
	assert_int_equal(threads.others, 1);
	assert_int_equal(threads.others_on_cpu, 40 * MS);
	assert_in_range(threads.held, 550 * MS, 550 * MS + 9);
	assert_int_equal(threads.off_cpu, threads.held - 240 * MS);
}

/* A thread has ended: what it had on a CPU is not known. */
static void test_ended(void **state)
{
	struct gtrace_threads threads;

	(void)state;
	put_trace();
	threads = find("before 8 5000000 0 3\n"
		       "before 7 5000000 0 3\n"
		       "after 7 100000000 0 9\n"
		       "after 8\n");
	assert_int_equal(threads.count, 1);
	assert_int_equal(threads.off_cpu, -1);
	assert_int_equal(threads.on_cpu, 95 * MS);
}

/* Threads had more than processors were held for: they lacked nothing. */
static void test_refuted(void **state)
{
	struct gtrace_threads threads;

	(void)state;
	put_trace();
	threads = find("after 7 400000000 5000000 3\n"
		       "after 8 400000000 5000000 3\n");
	assert_int_equal(threads.off_cpu, 0);
	assert_int_equal(threads.waited, 10 * MS);
}

/* Lengths of which sums do not fit are as large as can be. */
static void test_large(void **state)
{
	struct gtrace_threads threads;

	(void)state;
	put_trace();
	threads = find("before 1 999999999999999999 0\n"
		       "after 7 999999999999999999 999999999999999999\n"
		       "after 8 999999999999999999 999999999999999999\n"
		       "after 1 1 1\n");
	assert_int_equal(threads.on_cpu, INT64_C(1999999999999999998));
	assert_int_equal(threads.off_cpu, 0);
	assert_int_equal(threads.others_on_cpu, 0);
}

static void expect_fault(const char *text, const char *fault)
{
	assert_null(summarise(text));
	assert_int_equal(error.status, GTRACE_ERROR_ARGUMENT);
	if (strstr(error.message, fault) == NULL)
		fail_msg("%s", error.message);
	assert_memory_equal(error.message, path, strlen(path));
}

static void test_faults(void **state)
{
	static const char *const lines[] = {
		"after",        "after x 1 1",  "after 7 x 1",
		"after 7 1",    "later 7 1 1",  "",
		"after -7 1 1", "after 7 1 -1", "afterwards 7 1 1",
		"after 7 -1 1", "7 1 1",        "after 7 1,1",
	};
	char text[256];
	size_t i;

	(void)state;
	put_trace();
	expect_fault("", "no account of a thread after the trace");
	expect_fault("before 7 1 1\n", "no account of a thread after");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "before 7 1 1\n%s\nafter 7 1 1\n",
			 lines[i]);
		expect_fault(text, "line 2");
	}
}

/* What the text says. */
static void test_text(void **state)
{
	struct gtrace_options options = OPTIONS(.threads = path);
	static struct text text;
	struct gtrace_output output = text_output(&text);
	struct gtrace *trace;

	(void)state;
	put_trace();
	write_beside(path, "after 7 100000000 60000000 3\n"
			   "after 8 20000000 200000000 3\n"
			   "after 9 90000000 0 3\n");
	assert_int_equal(gtrace_open_memory(built.data, built.size, &options,
					    &trace, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_print(trace,
				      &REQUEST(.report = GTRACE_REPORT_SUMMARY),
				      &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	unlink(path);
	assert_non_null(strstr(
		text.bytes,
		"The machine: threads were off the CPU for 410 ms or more of "
		"the 550 ms for which\nthey held processors, and waited for a "
		"CPU for 260 ms, by the kernel's accounts;\nthreads without "
		"an event, as of C code, took 90.0 ms\n"));
	assert_non_null(strstr(text.bytes,
			       "by the kernel's accounts 2 threads were on a "
			       "CPU for 120 ms"));
}

/* Without memory at any place, the error says so, and nothing is lost. */
static void test_memory(void **state)
{
	(void)state;
	put_trace();
	write_beside(path, "before 7 1 1\nafter 7 2 2\nafter 8 2 2\n");
	expect_shortages(OPTIONS(.threads = path));
	unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),   cmocka_unit_test(test_ended),
		cmocka_unit_test(test_refuted), cmocka_unit_test(test_large),
		cmocka_unit_test(test_faults),  cmocka_unit_test(test_text),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
