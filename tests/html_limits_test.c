/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_limits_test.c - the report in one HTML file is no larger than it may be,
 * with any trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/reports.h"
#include "tests/v2/builder.h"

#define PAGE_SIZE_MAX 2000000

/* Kinds of stops, a table of them, and how many a batch has. */
#define KINDS       10000
#define KINDS_BATCH 2500

/* Names of functions and files, with signs that a page spells out. */
#define NAMES     256
#define NAME_SIZE 1000

/* Slices, and stacks of so many frames at which they end. */
#define SLICES     1000
#define STACKS_MAX 100
#define FRAMES     128

/* The size of the page of a trace, with so many ROWS of each list. */
static size_t page_size_of(const void *data, size_t size, size_t rows)
{
	struct gtrace_request request = {
		.size = sizeof(request), .n = rows, .stops = rows};
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_memory(data, size, NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(print_report(trace, GTRACE_REPORT_PAGE, request,
				      &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	return written;
}

/* That of what was built. */
static size_t page_size(size_t rows)
{
	return page_size_of(built.data, built.size, rows);
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

static void put_long_names(struct builder *b)
{
	char text[NAME_SIZE];
	uint64_t i;

	memset(text, '<', sizeof(text));
	for (i = 0; i < NAMES; i++) {
		int size = snprintf(text, sizeof(text), "main.%u", (unsigned)i);

		text[size] = '<';
		builder_string_of(b, 1 + i, text, sizeof(text));
	}
}

static void put_deep_stacks(struct builder *b)
{
	struct builder_frame frames[FRAMES];
	uint64_t stack, i;

	for (stack = 0; stack < STACKS_MAX; stack++) {
		for (i = 0; i < FRAMES; i++)
			frames[i] = (struct builder_frame){
				.pc = 1 + stack * FRAMES + i,
				.function = 1 + (stack + i) % NAMES,
				.file = 1 + (stack + i + 7) % NAMES,
				.line = 1 + stack};
		builder_stack(b, 1 + stack, frames, FRAMES);
	}
}

/* Before Go 1.22, names can be of any length. */
static void test_long_names(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	builder_open(&b, 1019);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 1, 0);
	for (i = 0; i < SLICES; i++) {
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
		BUILDER_EVENT(&b, EV_GO_SCHED, 1 + i, 1 + i % STACKS_MAX);
	}
	put_long_names(&b);
	put_deep_stacks(&b);
	builder_frequency(&b, 1000000000);
	assert_in_range(page_size_of(b.bytes, b.size, 10), 1, PAGE_SIZE_MAX);
	/* All of the names of all rows do not fit. */
	assert_in_range(page_size_of(b.bytes, b.size, SLICES),
			PAGE_SIZE_MAX / 2, PAGE_SIZE_MAX);
	builder_close(&b);
}

/* Regions of so many names, and of so many times a goroutine runs in each. */
#define REGIONS 9
#define RUNS    60

/* The paths of requests have a stack for each time that a goroutine ran. */
static void test_long_paths(void **state)
{
	struct builder b;
	uint64_t region, i;

	(void)state;
	builder_open(&b, 1019);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 1, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	for (region = 0; region < REGIONS; region++) {
		BUILDER_EVENT(&b, EV_USER_REGION, 1, 0, 0, 1 + region / 3, 0);
		for (i = 0; i < RUNS; i++) {
			BUILDER_EVENT(&b, EV_GO_SCHED, 1000,
				      1 + (region + i) % STACKS_MAX);
			BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
		}
		BUILDER_EVENT(&b, EV_USER_REGION, 1, 0, 1, 1 + region / 3, 0);
	}
	put_long_names(&b);
	put_deep_stacks(&b);
	builder_frequency(&b, 1000000000);
	/* All of these stacks, or their names, are more than fits. */
	assert_in_range(page_size_of(b.bytes, b.size, 1), PAGE_SIZE_MAX / 4,
			PAGE_SIZE_MAX);
	assert_in_range(page_size_of(b.bytes, b.size, SLICES),
			PAGE_SIZE_MAX / 4, PAGE_SIZE_MAX);
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_years),
		cmocka_unit_test(test_collections),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_long_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
