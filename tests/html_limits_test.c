/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_limits_test.c - the report in one HTML file is no larger than it may be,
 * whatever the trace holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/reports.h"
#include "tests/v2/builder.h"

#define PAGE_SIZE_MAX 2000000

/* Kinds of stops, a table of them, and how many a batch has. */
#define KINDS       10000
#define KINDS_BATCH 2500

/* The size of the page of what was built, with so many ROWS of each list. */
static size_t page_size(size_t rows)
{
	struct gtrace_request request = {
		.size = sizeof(request), .n = rows, .stops = rows};
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_memory(built.data, built.size, NULL,
					    &trace, &error),
			 GTRACE_OK);
	assert_int_equal(print_report(trace, GTRACE_REPORT_PAGE, request,
				      &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	return written;
}

/* Stops of the kinds FIRST to FIRST + KINDS_BATCH - 1. */
static void put_stops(unsigned first)
{
	unsigned i;

	begin_batch(7, 100 + 2 * first);
	if (first == 0) {
		put(PROC_STATUS, 3, 0, 0, 1);
		put(GO_STATUS, 4, 0, 1, 7, 2);
	}
	for (i = first; i < first + KINDS_BATCH; i++) {
		put(STW_BEGIN, 3, 1, 10 + i, 0);
		put(STW_END, 1, 1);
	}
	end_batch();
}

static void put_kinds(unsigned first)
{
	char text[16];
	unsigned i;

	begin_batch(NONE, 95);
	put_byte(STRINGS);
	for (i = first; i < first + KINDS_BATCH; i++) {
		snprintf(text, sizeof(text), "%u", i);
		put_string(10 + i, text);
	}
	end_batch();
}

static void test_kinds(void **state)
{
	unsigned i;

	(void)state;
	begin_file(26);
	put_clock(1000000000);
	for (i = 0; i < KINDS; i += KINDS_BATCH) {
		put_stops(i);
		put_kinds(i);
	}
	end_generation();
	assert_in_range(page_size(10), 1, PAGE_SIZE_MAX);
	assert_in_range(page_size(1000), 1, PAGE_SIZE_MAX);
}

/* Times for which 100 times a nanosecond does not fit in 64 bits. */
static void test_years(void **state)
{
	(void)state;
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, (uint64_t)1 << 57, 1, 1);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	assert_in_range(page_size(10), 1, PAGE_SIZE_MAX);
}

/* Many collections that follow each other are joined. */
static void test_collections(void **state)
{
	const unsigned collections = 4000;
	size_t without, with;
	unsigned i;

	(void)state;
	begin_file(26);
	put_generation();
	without = page_size(10);
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	for (i = 0; i < collections; i++) {
		put(GC_BEGIN, 3, 1000, 2 * i + 1, 1);
		put(ASSIST_BEGIN, 2, 100, 1);
		put(ASSIST_END, 1, 100);
		put(GC_END, 2, 1000, 2 * i + 2);
	}
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	with = page_size(10);
	/* At most a thousand entries of some sixty bytes. */
	assert_in_range(with - without, 300 * 40, 1000 * 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_years),
		cmocka_unit_test(test_collections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
