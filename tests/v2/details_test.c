/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * details_test.c - slices of Go 1.22 and later, and system calls and CPU
 * samples inside them, in traces built batch by batch.
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

static struct gtrace_reports *reports;

/* Makes `report`, with details, of `built`. */
static void make_report(void)
{
	struct gtrace_request request = {
		.size = sizeof(request), .n = 20, .details = 1};
	struct gtrace_error error = {.message = ""};
	struct gtrace *trace;
	enum gtrace_status status;

	status = gtrace_open_memory(built.data, built.size, NULL, &trace,
				    &error);
	if (status == GTRACE_OK)
		status = gtrace_analyse(trace, &request, &reports, &error);
	gtrace_close(trace);
	if (status != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
}

/* Goroutine 1 runs on processor 0 of thread 7 from 102 on. */
static void begin_events(void)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
}

static void put_tables(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, 1, 1, 64, 2, 3, 5);
	put(STACK, 6, 2, 1, 65, 1, 3, 6);
	end_batch();
	put_strings();
	end_generation();
}

static void test_calls(void **state)
{
	(void)state;
	begin_events();
	put(GO_SYSCALL_BEGIN, 3, 10, 1, 0);
	put(GO_SYSCALL_END, 1, 5);
	put(GO_SYSCALL_BEGIN, 3, 10, 2, 0);
	put(GO_SYSCALL_END, 1, 20);
	put(GO_STOP, 3, 100, 1, 0);
	put(GO_START, 3, 1, 1, 1);
	put(GO_STOP, 3, 90, 1, 0);
	/* A slice that the loss of the processor ends in a system call. */
	put(GO_START, 3, 1, 1, 2);
	put(GO_SYSCALL_BEGIN, 3, 10, 3, 0);
	end_batch();
	begin_batch(8, 400);
	put(PROC_STEAL, 4, 1, 0, 4, 7);
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 3);
	/* From 339 to 401. */
	assert_int_equal(reports->greedy->slices[2]->duration, 62);
	assert_int_equal(reports->greedy->slices[2]->syscalls, 1);
	assert_int_equal(reports->greedy->slices[2]->syscall_ns, 52);
	assert_int_equal(reports->greedy->slices[1]->duration, 90);
	assert_int_equal(reports->greedy->slices[1]->syscalls, 0);
	assert_int_equal(reports->greedy->slices[1]->syscall_ns, 0);
	assert_int_equal(reports->greedy->slices[0]->duration, 145);
	assert_int_equal(reports->greedy->slices[0]->syscalls, 2);
	assert_int_equal(reports->greedy->slices[0]->syscall_ns, 25);
	gtrace_reports_free(reports);
}

static void check(const struct gtrace_samples *samples, uint64_t count,
		  uint64_t pc)
{
	assert_int_equal(samples->count, count);
	assert_int_equal(samples->frame_count, 1);
	assert_int_equal(samples->frames[0].pc, pc);
}

static void test_samples(void **state)
{
	(void)state;
	begin_events();
	put(GO_STOP, 3, 18, 1, 0);  /* at 120 */
	put(GO_START, 3, 10, 1, 1); /* at 130 */
	put(GO_STOP, 3, 10, 1, 0);  /* at 140 */
	end_batch();
	begin_batch(NONE, 100);
	put_byte(SAMPLES);
	put(SAMPLE, 5, 110, 7, 0, 1, 1);
	put(SAMPLE, 5, 105, 7, 0, 1, 2);
	put(SAMPLE, 5, 106, 7, 0, 1, 1);
	put(SAMPLE, 5, 107, 7, 0, 1, 1);
	put(SAMPLE, 5, 135, 7, 0, 1, 2);
	/* Between slices; other processors, goroutines, threads, and none. */
	put(SAMPLE, 5, 125, 7, 0, 1, 2);
	put(SAMPLE, 5, 106, 7, 1, 1, 2);
	put(SAMPLE, 5, 106, 7, 0, 2, 2);
	put(SAMPLE, 5, 106, 8, 0, 1, 2);
	put(SAMPLE, 5, 106, NONE, 0, 1, 2);
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 2);
	assert_int_equal(reports->greedy->slices[0]->sample_count, 2);
	check(&reports->greedy->slices[0]->samples[0], 3, 64);
	check(&reports->greedy->slices[0]->samples[1], 1, 65);
	assert_int_equal(reports->greedy->slices[1]->sample_count, 1);
	check(&reports->greedy->slices[1]->samples[0], 1, 65);
	gtrace_reports_free(reports);
}

/*
 * Two threads have the same processor, as only in damaged traces. One ends its
 * system call; so the system call of the other can end without a processor
 * while its slice runs. The next goroutine that starts there ends that slice.
 */
static void test_left_slice(void **state)
{
	unsigned i;

	(void)state;
	begin_events();
	put(GO_SYSCALL_BEGIN, 3, 1, 1, 0);
	put(GO_SYSCALL_END_BLOCKED, 1, 17); /* at 120 */
	put(GO_START, 3, 1, 1, 1);
	put(GO_STOP, 3, 4, 1, 1); /* at 125 */
	/* So that those events are not the last ones of their batch. */
	for (i = 0; i < 50; i++)
		put(HEAP_ALLOC, 2, 1, 1);
	end_batch();
	begin_batch(8, 109);
	put(PROC_STATUS, 3, 1, 0, 3);
	put(GO_STATUS, 4, 1, 2, 8, 3);
	put(GO_SYSCALL_END, 1, 1); /* at 112 */
	put(GO_DESTROY, 1, 1);
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 3);
	assert_int_equal(reports->greedy->slices[0]->duration, 19);
	assert_int_equal(reports->greedy->slices[0]->g, 1);
	assert_string_equal(reports->greedy->slices[0]->end.name, "GoStart");
	assert_int_equal(reports->greedy->slices[0]->end.g, -1);
	assert_int_equal(reports->greedy->slices[1]->duration, 4);
	assert_string_equal(reports->greedy->slices[1]->start.name, "GoStart");
	assert_int_equal(reports->greedy->slices[2]->duration, 2);
	assert_int_equal(reports->greedy->slices[2]->g, 2);
	gtrace_reports_free(reports);
}

/* Ends the trace, in which only goroutine 1 has a slice. */
static void expect_first_goroutine(void)
{
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 1);
	assert_int_equal(reports->greedy->slices[0]->g, 1);
	gtrace_reports_free(reports);
}

/* The goroutine whose number means none starts, and runs on no thread. */
static void test_no_goroutine(void **state)
{
	(void)state;
	begin_events();
	put(GO_STATUS, 4, 1, NONE, 7, 1);
	put(GO_STOP, 3, 1, 1, 0);
	put(GO_START, 3, 1, NONE, 1);
	put(HEAP_ALLOC, 2, 50, 1);
	expect_first_goroutine();
}

/* Goroutines on the processor whose number means none have no slices. */
static void test_no_processor(void **state)
{
	(void)state;
	begin_events();
	end_batch();
	begin_batch(8, 110);
	put(PROC_STATUS, 3, 1, NONE, 1);
	put(GO_STATUS, 4, 1, 2, 8, 2);
	end_batch();
	begin_batch(9, 120);
	put(GO_STATUS, 4, 1, 3, 9, 2);
	put(PROC_STATUS, 3, 1, NONE, 1);
	expect_first_goroutine();
}

/* The first start shows the stack of the creation, not that of a status. */
static void test_created_without_stack(void **state)
{
	(void)state;
	begin_events();
	put(GO_CREATE, 4, 1, 5, 0, 1);
	put(GO_STATUS_STACK, 5, 1, 5, NONE, 1, 2);
	put(GO_STOP, 3, 1, 1, 0);
	put(GO_START, 3, 1, 5, 1);
	put(GO_STOP, 3, 50, 1, 0);
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 2);
	assert_int_equal(reports->greedy->slices[0]->g, 5);
	assert_int_equal(reports->greedy->slices[0]->start.stack_id, 0);
	gtrace_reports_free(reports);
}

static void expect_walk(const struct gtrace_event *event, const char *name)
{
	assert_string_equal(event->name, name);
	assert_int_equal(event->walk_count, 2);
	assert_string_equal(event->walk[0], "GoStop");
	assert_string_equal(event->walk[1], "GoStart");
	assert_int_equal(event->frame_count, 1);
}

/*
 * A status gives the thread another goroutine: it ends a slice and starts one,
 * and the start of the slice that it ends led to it.
 */
static void test_walk_from_status(void **state)
{
	(void)state;
	begin_events();
	put(GO_STOP, 3, 1, 1, 1);
	put(GO_START, 3, 1, 1, 1);
	put(GO_SYSCALL_BEGIN, 3, 1, 1, 0);
	put(GO_STATUS, 4, 1, 2, 7, 3);
	put(HEAP_ALLOC, 2, 50, 1);
	end_batch();
	put_tables();
	make_report();
	assert_int_equal(reports->greedy->count, 3);
	assert_int_equal(reports->greedy->slices[0]->g, 2);
	expect_walk(&reports->greedy->slices[0]->start, "GoStatus");
	assert_int_equal(reports->greedy->slices[1]->g, 1);
	expect_walk(&reports->greedy->slices[1]->end, "GoStatus");
	gtrace_reports_free(reports);
}

/* Goroutine 5 blocks, is unblocked with STACK, and runs to the end. */
static void make_woken(uint64_t stack)
{
	begin_events();
	put(GO_CREATE, 4, 1, 5, 1, 2);
	put(GO_STOP, 3, 1, 1, 2);
	put(GO_START, 3, 1, 5, 1);
	put(GO_BLOCK, 3, 1, 1, 3);
	put(GO_START, 3, 1, 1, 1);
	put(GO_UNBLOCK, 4, 1, 5, 2, stack);
	put(GO_STOP, 3, 1, 1, 2);
	put(GO_START, 3, 1, 5, 3);
	put(HEAP_ALLOC, 2, 90, 1);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, 1, 1, 64, 2, 3, 5);
	put(STACK, 6, 2, 1, 65, 4, 3, 6);
	put(STACK, 10, 3, 2, 66, 5, 3, 7, 67, 2, 3, 8);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	put_string(4, "main.waker");
	put_string(5, "sync.(*WaitGroup).Wait");
	end_batch();
	end_generation();
	make_report();
}

/* The last slice is called after its own goroutine, which does not wait. */
static void expect_running(uint64_t line, const char *walk,
			   const char *innermost)
{
	const struct gtrace_slice *slice = reports->greedy->slices[0];

	assert_int_equal(slice->g, 5);
	assert_true(slice->still_running);
	assert_string_equal(slice->start.walk[0], walk);
	assert_memory_equal(slice->start.frames[0].function.data, innermost,
			    strlen(innermost));
	assert_int_equal(slice->work, GTRACE_WORK_PROGRAM);
	assert_int_equal(slice->frame->function.size, strlen("main.f"));
	assert_memory_equal(slice->frame->function.data, "main.f", 6);
	assert_int_equal(slice->frame->line, line);
	assert_null(slice->caller);
	gtrace_reports_free(reports);
}

static void test_still_running(void **state)
{
	(void)state;
	make_woken(2);
	expect_running(8, "GoUnblock", "main.waker");
	make_woken(0);
	expect_running(8, "GoBlock", "sync.(*WaitGroup).Wait");
}

/* Two stacks, each of its generation, and two ids that none has. */
#define WIDE_ID    ((uint64_t)1 << 40)
#define MISSING_ID ((uint64_t)3 << 40)
#define LAST_ID    UINT64_MAX

/* Goroutine 1 stops 50 ns after it is seen, at stack ID with PC, and starts. */
static void put_stop(uint64_t time, uint64_t id, uint64_t pc)
{
	put_clock(1000000000);
	begin_batch(7, time);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 50, 1, id);
	put(GO_START, 3, 1, 1, 1);
	end_batch();
	begin_batch(NONE, time);
	put_byte(SAMPLES);
	put(SAMPLE, 5, time + 10, 7, 0, 1, id);
	put(SAMPLE, 5, time + 11, 7, 0, 1, MISSING_ID);
	put(SAMPLE, 5, time + 12, 7, 0, 1, LAST_ID);
	end_batch();
	begin_batch(NONE, time);
	put_byte(STACKS);
	put(STACK, 6, id, 1, pc, 2, 3, 5);
	end_batch();
	put_strings();
	end_generation();
}

static void expect_stop(const struct gtrace_slice *slice, uint64_t id,
			uint64_t pc)
{
	assert_string_equal(slice->end.name, "GoStop");
	assert_true(slice->end.stack_id == id);
	assert_int_equal(slice->end.frame_count, 1);
	assert_int_equal(slice->end.frames[0].pc, pc);
	assert_int_equal(slice->sample_count, 3);
	check(&slice->samples[0], 1, pc);
	assert_int_equal(slice->samples[1].frame_count, 0);
	assert_int_equal(slice->samples[2].frame_count, 0);
}

static int count_missing(void *context, const struct gtrace_event *event)
{
	unsigned *count = context;

	*count += event->stack_id == MISSING_ID || event->stack_id == LAST_ID;
	return 0;
}

/* Ids of stacks of more than 32 bits, as only in damaged traces. */
static void test_wide_ids(void **state)
{
	unsigned count = 0;
	const struct gtrace_visitor visitor = {.size = sizeof(visitor),
					       .event = count_missing,
					       .context = &count};
	struct gtrace *trace;

	(void)state;
	begin_file(26);
	put_stop(100, WIDE_ID, 64);
	put_stop(1000, WIDE_ID, 65);
	make_report();
	assert_int_equal(reports->greedy->count, 3);
	expect_stop(reports->greedy->slices[0], WIDE_ID, 65);
	expect_stop(reports->greedy->slices[1], WIDE_ID, 64);
	gtrace_reports_free(reports);
	assert_int_equal(
		gtrace_open_memory(built.data, built.size, NULL, &trace, NULL),
		GTRACE_OK);
	assert_int_equal(gtrace_visit(trace, NULL, &visitor, NULL), GTRACE_OK);
	gtrace_close(trace);
	assert_int_equal(count, 4);
}

/* Stacks of more generations than those whose tables are kept. */
static void test_many_generations(void **state)
{
	uint64_t i;

	(void)state;
	begin_file(26);
	for (i = 0; i < 20; i++)
		put_stop(100 + 1000 * i, 1, 64 + i);
	make_report();
	assert_int_equal(reports->greedy->count, 20);
	for (i = 0; i < 20; i++)
		expect_stop(reports->greedy->slices[i], 1,
			    64 + (uint64_t)reports->greedy->slices[i]->end.ts /
					    1000);
	gtrace_reports_free(reports);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_left_slice),
		cmocka_unit_test(test_no_goroutine),
		cmocka_unit_test(test_no_processor),
		cmocka_unit_test(test_created_without_stack),
		cmocka_unit_test(test_walk_from_status),
		cmocka_unit_test(test_still_running),
		cmocka_unit_test(test_wide_ids),
		cmocka_unit_test(test_many_generations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
