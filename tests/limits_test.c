/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limits_test.c - what the worst traces cost: at most a constant and a number
 * of bytes of memory for each byte of input, with any counts in it. Each trace
 * is so large that work which grows with its square would not end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/model.h"
#include "tests/reports.h"

#define MEMORY_BASE     ((size_t)2 << 20)
#define MEMORY_PER_BYTE 64

/* ------------------------------------------------------------- measuring -- */

/*
 * Makes both reports of what B holds, checks that they keep within the bounds,
 * and returns their status.
 */
static enum gtrace_status cost(const struct builder *b, const char *name)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options options =
		OPTIONS(.allocator = &allocator,
			.binary = "program", /* of Go 1.5 */
			.go_command = "tests/fake_go.sh");
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error = {.message = ""};
	enum gtrace_status status, dumped;
	struct gtrace *trace;
	size_t greedy;

	status =
		gtrace_open_memory(b->bytes, b->size, &options, &trace, &error);
	if (status == GTRACE_OK) {
		status = print_greedy(trace, 10, &output, &error);
		greedy = counted.peak;
		dumped = print_dump(trace, &output, &error);
		assert_int_equal(dumped, status);
	} else {
		greedy = counted.peak;
	}
	gtrace_close(trace);
	print_message("%-24s %8zu bytes: %3zu a byte for the slices, %3zu for "
		      "the dump, %s\n",
		      name, b->size, greedy / b->size, counted.peak / b->size,
		      status == GTRACE_OK ? "good" : error.message);
	assert_true(counted.peak <= MEMORY_BASE + MEMORY_PER_BYTE * b->size);
	assert_int_equal(counted.bytes, 0);
	return status;
}

static void open_trace(struct builder *b, unsigned version)
{
	builder_open(b, version);
	builder_header(b);
}

/* Ends the trace and measures it. */
static void measure(struct builder *b, const char *name,
		    enum gtrace_status want)
{
	builder_frequency(b, 1000000000);
	assert_int_equal(cost(b, name), want);
	builder_close(b);
}

/* --------------------------------------------------------------- numbers -- */

/* One record claims more than any file holds. */
static void test_claims(void **state)
{
	static const uint64_t claims[] = {1000001, UINT32_MAX,
					  (uint64_t)1 << 60, UINT64_MAX};
	static const uint64_t nothing[] = {0};
	struct builder b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		open_trace(&b, 1008);
		builder_batch(&b, 0, 0);
		builder_record_claiming(&b, EV_GO_CREATE, claims[i], nothing,
					1);
		measure(&b, "claimed arguments", GTRACE_ERROR_CUT_OFF);

		open_trace(&b, 1008);
		builder_record_claiming(&b, EV_STACK, claims[i], nothing, 1);
		measure(&b, "claimed frames", GTRACE_ERROR_CUT_OFF);

		open_trace(&b, 1008);
		builder_value(&b, EV_STRING);
		builder_value(&b, 1);
		builder_value(&b, claims[i]);
		measure(&b, "claimed string", GTRACE_ERROR_RECORD);
	}
}

/* Numbers that overflow what is computed of them. */
static void test_extremes(void **state)
{
	static const uint64_t numbers[] = {
		0, 1, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX};
	size_t count = sizeof(numbers) / sizeof(numbers[0]), i, j;

	(void)state;
	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++) {
			struct builder b;

			open_trace(&b, 1008);
			builder_batch(&b, numbers[i], numbers[j]);
			BUILDER_EVENT(&b, EV_GO_CREATE, numbers[j], numbers[i],
				      numbers[j], numbers[i]);
			BUILDER_EVENT(&b, EV_GO_START, numbers[j], numbers[i],
				      1);
			BUILDER_EVENT(&b, EV_GO_SCHED, numbers[i], numbers[j]);
			BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 1, numbers[i],
				      numbers[j], numbers[j]);
			builder_batch(&b, numbers[j], numbers[i]);
			BUILDER_EVENT(&b, EV_HEAP_ALLOC, numbers[i],
				      numbers[j]);
			builder_frequency(&b, numbers[i]);
			cost(&b, "extreme numbers");
			builder_close(&b);
		}
}

/* The greatest N that can be given. */
static void test_all_slices(void **state)
{
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/lock.trace",
					  NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(print_greedy(trace, SIZE_MAX, &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
}

/* ---------------------------------------------------------------- crowds -- */

/* How many there are. Work that grows with its square would take minutes. */
static uint64_t crowd = 200000;

/* Each processor has one event: no stream can be shorter. */
static void test_processors(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1008);
	for (i = 0; i < crowd; i++) {
		builder_batch(&b, i, 5);
		BUILDER_EVENT(&b, EV_PROC_STOP, 0);
	}
	measure(&b, "processors that stop", GTRACE_ERROR_STATE);

	open_trace(&b, 1008);
	for (i = 0; i < crowd; i++) {
		builder_batch(&b, i, 5);
		BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, 0);
	}
	measure(&b, "processors", GTRACE_OK);
}

/* As many streams as the frontier sorts, with equal ticks at each event. */
static void test_equal_ticks(void **state)
{
	uint64_t streams = 1024, events = is_short() ? 10 : 30, seed = 1, i, j;
	struct builder b;

	(void)state;
	open_trace(&b, 1008);
	for (i = 0; i < streams; i++) {
		builder_batch(&b, i, 5 + random_below(&seed, 1000));
		for (j = 0; j < events; j++)
			BUILDER_EVENT(&b, EV_HEAP_ALLOC,
				      random_below(&seed, 1000), 0);
	}
	measure(&b, "equal ticks", GTRACE_OK);
}

/* Goroutines with ids all over the place, none of which ever runs. */
static void test_goroutines(void **state)
{
	uint64_t seed = 1, i;
	struct builder b;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 5);
	for (i = 0; i < crowd; i++)
		BUILDER_EVENT(&b, EV_GO_CREATE, 1, random_next(&seed) >> 4, 0,
			      0);
	measure(&b, "goroutines", GTRACE_OK);
}

/* The same, each of which runs and ends: their ids are not forgotten. */
static void test_ended(void **state)
{
	uint64_t seed = 1, i;
	struct builder b;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 5);
	for (i = 0; i < crowd; i++) {
		uint64_t id = random_next(&seed) >> 4;

		BUILDER_EVENT(&b, EV_GO_CREATE, 1, id, 0, 0);
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, id);
		BUILDER_EVENT(&b, EV_GO_END, 1);
	}
	measure(&b, "ended goroutines", GTRACE_OK);
}

/* Every stream waits for the same goroutine, in the worst order. */
static void test_one_for_all(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 1);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 7, 0, 0);
	for (i = crowd; i > 0; i--) {
		builder_batch(&b, i, 1 + i);
		BUILDER_EVENT(&b, EV_GO_START, 1, 7, i);
		BUILDER_EVENT(&b, EV_GO_SCHED, 0, 0);
	}
	measure(&b, "streams for one goroutine", GTRACE_OK);
}

/* The same; the precondition of none of them is ever met. */
static void test_none_for_all(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 1);
	for (i = 1; i < crowd; i++)
		BUILDER_EVENT(&b, EV_GO_SYS_CALL, 1, 0);
	for (i = 1; i < crowd; i++) {
		builder_batch(&b, i, 1 + i);
		BUILDER_EVENT(&b, EV_GO_START, 1, 7, i);
	}
	measure(&b, "streams that wait for ever", GTRACE_ERROR_ORDER);
}

/* A chain in which each stream lets the next go on, the last being first. */
static void test_chain(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1008);
	for (i = crowd; i > 0; i--) {
		builder_batch(&b, i, 5);
		BUILDER_EVENT(&b, EV_GO_START, i, i, 1);
		BUILDER_EVENT(&b, EV_GO_CREATE, 0, i + 1, 0, 0);
	}
	builder_batch(&b, 0, 5);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0, 0);
	measure(&b, "chain of streams", GTRACE_OK);
}

/* ---------------------------------------------------------------- slices -- */

/*
 * While each of many processors runs a long slice, another one runs ever longer
 * short ones; then the long ones end, one after the other.
 */
static void test_slices_that_wait(void **state)
{
	/* Just above a capacity of a list that doubles from 1024 on. */
	uint64_t runners = 65000, slices = 65662, length = 0, i;
	struct builder b;

	(void)state;
	for (i = 0; i < slices; i++)
		length += i + 3;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 100);
	for (i = 1; i <= runners + 1; i++)
		BUILDER_EVENT(&b, EV_GO_CREATE, 0, i, 0, 0);
	for (i = 1; i <= runners; i++) {
		builder_batch(&b, i, 1000 + i);
		BUILDER_EVENT(&b, EV_GO_START, 0, i, 1);
		BUILDER_EVENT(&b, EV_GO_SCHED, runners + 20 + length, 0);
	}
	builder_batch(&b, runners + 1, 1000 + runners + 10);
	for (i = 0; i < slices; i++) {
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, runners + 1);
		BUILDER_EVENT(&b, EV_GO_SCHED, i + 2, 0);
	}
	measure(&b, "slices that wait", GTRACE_OK);
}

/*
 * On many processors slices start together, again and again, so that nothing
 * tells which of them are first; half of them run on when the others end.
 */
static void test_slices_together(void **state)
{
	uint64_t runners = 20000, rounds = 10, i, j;
	struct builder b;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 100);
	for (i = 1; i <= runners; i++)
		BUILDER_EVENT(&b, EV_GO_CREATE, 0, i, 0, 0);
	for (i = 1; i <= runners; i++) {
		builder_batch(&b, i, 1000);
		BUILDER_EVENT(&b, EV_GO_START, 0, i, 1);
		for (j = 1; j < rounds; j++) {
			BUILDER_EVENT(&b, EV_GO_SCHED, 100 + i % 2, 0);
			BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1 - i % 2, i);
		}
	}
	measure(&b, "slices that start together", GTRACE_OK);
}

/* ---------------------------------------------------------- dictionaries -- */

static void test_strings_and_stacks(void **state)
{
	uint64_t seed = 1, i;
	struct builder b;

	(void)state;
	open_trace(&b, 1008);
	builder_batch(&b, 0, 5);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 0);
	for (i = 0; i < crowd; i++)
		builder_string(&b, random_next(&seed), "s");
	for (i = 0; i < crowd; i++) {
		struct builder_frame frame = {1, 1, 1, 1};

		builder_stack(&b, random_next(&seed), &frame, 1);
	}
	measure(&b, "strings and stacks", GTRACE_OK);
}

/* A stack as deep as they get, and an event in each line that prints it. */
static void test_deep_stack(void **state)
{
	static struct builder_frame frames[1000];
	struct builder b;
	uint64_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		frames[i] = (struct builder_frame){i + 1, 1, 1, i};
	open_trace(&b, 1008);
	builder_batch(&b, 0, 5);
	for (i = 0; i < 1000; i++)
		BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 1 + i % 2);
	builder_string(&b, 1, "a function with a name of some length");
	builder_stack(&b, 1, frames, 1000);
	builder_stack(&b, 2, frames, 999);
	measure(&b, "deep stacks", GTRACE_OK);
}

/* A text of many times the trace's size, beside streams that are short. */
static void test_long_stack(void **state)
{
	static struct builder_frame frames[1000];
	static char name[10000];
	struct builder b;
	uint64_t i;

	(void)state;
	memset(name, 'f', sizeof(name));
	for (i = 0; i < 1000; i++)
		frames[i] = (struct builder_frame){i + 1, 1, 1, i};
	open_trace(&b, 1008);
	for (i = 0; i < crowd; i++) {
		builder_batch(&b, i, 5);
		BUILDER_EVENT(&b, EV_HEAP_ALLOC, 0, 0);
	}
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 1);
	builder_string_of(&b, 1, name, sizeof(name));
	builder_stack(&b, 1, frames, 1000);
	measure(&b, "streams and a long stack", GTRACE_OK);
}

/* ----------------------------------------------------------- user events -- */

static void test_regions_and_tasks(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1011);
	builder_batch(&b, 0, 5);
	for (i = 0; i < crowd; i++)
		BUILDER_EVENT(&b, EV_USER_REGION, 1, 1, 0, 1, 0);
	for (i = 0; i < crowd; i++)
		BUILDER_EVENT(&b, EV_USER_TASK_CREATE, 1, i << 20, 0, 1, 0);
	builder_string(&b, 1, "name");
	measure(&b, "regions and tasks", GTRACE_OK);
}

static void test_timers_and_samples(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1019);
	builder_batch(&b, 0, 5);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 0);
	for (i = 0; i < crowd; i++)
		BUILDER_RECORD(&b, EV_CPU_SAMPLE, 1, crowd - i, 3, i << 30, 0);
	for (i = 0; i < crowd; i++)
		BUILDER_RECORD(&b, EV_TIMER_GOROUTINE, i << 30);
	measure(&b, "samples and timers", GTRACE_OK);
}

/* ---------------------------------------------------------------- Go 1.5 -- */

/* Pairs of events that stand in the file from the last to the first. */
static void test_go1_5_order(void **state)
{
	struct builder b;
	uint64_t i;

	(void)state;
	open_trace(&b, 1005);
	for (i = crowd; i > 0; i--) {
		BUILDER_RECORD(&b, EV_BATCH, 0, 2 * i, i);
		BUILDER_EVENT(&b, EV_STW_START, 0);
		BUILDER_EVENT(&b, EV_STW_DONE, 0);
	}
	measure(&b, "order of Go 1.5", GTRACE_OK);

	open_trace(&b, 1005);
	builder_batch(&b, 0, 0);
	for (i = 0; i < crowd; i++) {
		BUILDER_EVENT(&b, EV_STW_START, 0);
		BUILDER_EVENT(&b, EV_STW_DONE, 0);
	}
	measure(&b, "events of Go 1.5", GTRACE_OK);
}

/* As many addresses to name as there are values. */
static void test_go1_5_addresses(void **state)
{
	struct builder_frame frames[1000];
	struct builder b;
	uint64_t i, j;

	(void)state;
	open_trace(&b, 1005);
	builder_batch(&b, 0, 0);
	for (i = 1; i <= 20; i++) {
		BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, i);
		for (j = 0; j < 1000; j++)
			frames[j] = (struct builder_frame){.pc = i * 1000 + j};
		builder_stack(&b, i, frames, 1000);
	}
	measure(&b, "addresses of Go 1.5", GTRACE_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_all_slices),
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_equal_ticks),
		cmocka_unit_test(test_goroutines),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_one_for_all),
		cmocka_unit_test(test_none_for_all),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_slices_that_wait),
		cmocka_unit_test(test_slices_together),
		cmocka_unit_test(test_strings_and_stacks),
		cmocka_unit_test(test_deep_stack),
		cmocka_unit_test(test_long_stack),
		cmocka_unit_test(test_regions_and_tasks),
		cmocka_unit_test(test_timers_and_samples),
		cmocka_unit_test(test_go1_5_order),
		cmocka_unit_test(test_go1_5_addresses),
	};

#ifdef SANITIZED
	crowd /= 4; /* which takes several times as long */
#endif
	if (is_short())
		crowd /= 2;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
