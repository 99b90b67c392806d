/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * last_test.c - what slices are named after that end without a stack, or still
 * run, in traces of Go 1.22 and later built batch by batch: the last event of
 * their own goroutines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "base/strings.h"
#include "tests/reports.h"
#include "tests/v2/builder.h"

/* Stacks. */
enum {
	IN_F = 1,  /* main.f:1 */
	IN_WAKER,  /* main.waker:2 */
	IN_WAIT,   /* sync.(*WaitGroup).Wait, main.f:3 */
	FIRST,     /* main.first:4 */
	NAMELESS,  /* two frames without names */
	IN_STOP,   /* runtime/trace.Stop, main.f:6 */
	IN_WRITE,  /* syscall.write, main.f:7 */
	IN_READER, /* runtime.ReadTrace, runtime/trace.Start.func1:8 */
	IN_GROUP,  /* golang.org/x/sync/errgroup.(*Group).Go.func1:9 */
	CREATES,   /* golang.org/x/sync/errgroup.(*Group).Go, main.f:10 */
	SERVES,    /* net/http.(*Server).Serve:11 */
};

static void put_tables(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, IN_F, 1, 64, 1, 9, 1);
	put(STACK, 6, IN_WAKER, 1, 65, 2, 9, 2);
	put(STACK, 10, IN_WAIT, 2, 66, 3, 9, 3, 67, 1, 9, 3);
	put(STACK, 6, FIRST, 1, 68, 4, 9, 4);
	put(STACK, 10, NAMELESS, 2, 69, 0, 0, 0, 70, 5, 5, 0);
	put(STACK, 10, IN_STOP, 2, 71, 6, 9, 6, 72, 1, 9, 6);
	put(STACK, 10, IN_WRITE, 2, 73, 7, 9, 7, 74, 1, 9, 7);
	put(STACK, 10, IN_READER, 2, 75, 8, 9, 8, 76, 10, 9, 8);
	put(STACK, 6, IN_GROUP, 1, 77, 11, 9, 9);
	put(STACK, 10, CREATES, 2, 78, 12, 9, 10, 79, 1, 9, 10);
	put(STACK, 6, SERVES, 1, 80, 13, 9, 11);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "main.f");
	put_string(2, "main.waker");
	put_string(3, "sync.(*WaitGroup).Wait");
	put_string(4, "main.first");
	put_string(5, "");
	put_string(6, "runtime/trace.Stop");
	put_string(7, "syscall.write");
	put_string(8, "runtime.ReadTrace");
	put_string(9, "f.go");
	put_string(10, "runtime/trace.Start.func1");
	put_string(11, "golang.org/x/sync/errgroup.(*Group).Go.func1");
	put_string(12, "golang.org/x/sync/errgroup.(*Group).Go");
	put_string(13, "net/http.(*Server).Serve");
	end_batch();
	end_generation();
}

/* Goroutine 1, the waker, runs on processor 0 of thread 7. */
static void begin_events(void)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
}

static void end_events(void)
{
	end_batch();
	put_tables();
}

/* Goroutine 1 creates 5, which has STACK from that, and lets it run. */
static void put_first(uint64_t stack)
{
	put(GO_CREATE, 4, 1, 5, stack, IN_WAKER);
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 1);
}

/* It blocks in STACK; goroutine 1 runs and wakes it, and it starts again. */
static void put_woken(uint64_t stack)
{
	put(GO_BLOCK, 3, 1, 9, stack);
	put(GO_START, 3, 1, 1, 1);
	put(GO_UNBLOCK, 4, 1, 5, 2, IN_WAKER);
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 3);
}

static struct gtrace *open_built(void)
{
	struct gtrace_error error = {.message = ""};
	struct gtrace *trace;

	if (gtrace_open_memory(built.data, built.size, NULL, &trace, &error) !=
	    GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	return trace;
}

static bool has_name(const struct gtrace_frame *frame, const char *name,
		     uint64_t line)
{
	return string_is(frame->function, name) &&
	       (line == 0 || frame->line == line);
}

/* What the longest slice of all, of goroutine 5, is called. */
struct expected {
	const char *name; /* of the program; NULL: it has none */
	uint64_t line;
	const char *inner; /* NULL: none */
	enum gtrace_work work;
};

static void check_slice(const struct gtrace_slice *slice,
			const struct expected *want)
{
	const struct gtrace_frame *own =
		slice->caller != NULL ? slice->caller : slice->frame;

	assert_int_equal(slice->g, 5);
	assert_int_equal(slice->work, want->work);
	if (want->name == NULL) {
		assert_null(slice->frame);
		return;
	}
	assert_non_null(own);
	assert_true(has_name(own, want->name, want->line));
	assert_int_equal(slice->caller != NULL, want->inner != NULL);
	if (want->inner != NULL)
		assert_true(has_name(slice->frame, want->inner, 0));
}

/* In the sums, the longest slice is where it is in the list. */
static void check_sums(struct gtrace *trace, const struct gtrace_slice *slice,
		       const struct expected *want)
{
	const char *name = want->name != NULL ? want->name : "";
	struct gtrace_summary *summary;
	size_t count = 0, i;

	assert_int_equal(gtrace_summarise(trace, NULL, &summary, NULL),
			 GTRACE_OK);
	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *at = &summary->functions[i];

		if (at->max == slice->duration &&
		    at->max_start == slice->start.ts) {
			assert_true(has_name(&at->frame, name, 0));
			count++;
		}
	}
	assert_int_equal(count, 1);
	gtrace_summary_free(summary);
}

/* Whether a filter of FUNCTION lets the longest slice pass. */
static bool passes(struct gtrace *trace, const char *function, int64_t longest)
{
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .function = function};
	struct gtrace_request request = REQUEST(.n = 1, .filter = &filter);
	struct gtrace_reports *reports;
	bool found;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	found = reports->greedy->count != 0 &&
		reports->greedy->slices[0]->duration == longest;
	gtrace_reports_free(reports);
	return found;
}

static void check_as(struct expected want)
{
	struct gtrace_request request =
		REQUEST(.n = 1, .delays = 1, .details = 1);
	struct gtrace_error error = {.message = ""};
	struct gtrace *trace = open_built();
	struct gtrace_reports *reports;
	const struct gtrace_slice *slice;

	if (gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	slice = reports->greedy->slices[0];
	check_slice(slice, &want);
	check_sums(trace, slice, &want);
	/* Others are no expressions. */
	if (want.name != NULL && strchr(want.name, '*') == NULL)
		assert_true(passes(trace, want.name, slice->duration));
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

/* It is called after NAME, of the program, at LINE. */
static void check(const char *name, uint64_t line)
{
	check_as((struct expected){name, line, NULL, GTRACE_WORK_PROGRAM});
}

/* It is not known what it is of; not of what woke it. */
static void check_unknown(void)
{
	check_as((struct expected){NULL, 0, NULL, GTRACE_WORK_RUNTIME});
}

/* It did something in its last slice, or before, or nothing at all. */
static void test_ended(void **state)
{
	(void)state;
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(HEAP_ALLOC, 2, 1, 1);
	put(GO_CREATE, 4, 1, 6, FIRST, IN_F);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 1);
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 3);
	begin_events();
	put_first(FIRST);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.first", 4);
	/* It was preempted before. */
	begin_events();
	put_first(FIRST);
	put(GO_STOP, 3, 1, 9, IN_WRITE);
	put(GO_START, 3, 1, 5, 2);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 7);
}

/* A goroutine that was there before the trace, blocked. */
static void begin_blocked(uint64_t stack)
{
	begin_events();
	if (stack != 0)
		put(GO_STATUS_STACK, 5, 1, 5, NONE, 4, stack);
	else
		put(GO_STATUS, 4, 1, 5, NONE, 4);
	put(GO_UNBLOCK, 4, 1, 5, 1, IN_WAKER);
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 2);
}

static void test_before(void **state)
{
	(void)state;
	begin_blocked(IN_WAIT);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 3);
	begin_blocked(0);
	put(GO_DESTROY, 1, 50);
	end_events();
	check_unknown();
	begin_blocked(0);
	put(HEAP_ALLOC, 2, 90, 1);
	end_events();
	check_unknown();
}

/* Another goroutine gets the number. */
static void test_number_again(void **state)
{
	(void)state;
	begin_events();
	put_first(IN_F);
	put_woken(IN_WAIT);
	put(GO_DESTROY, 1, 1);
	put(GO_START, 3, 1, 1, 2);
	put(GO_CREATE, 4, 1, 5, FIRST, IN_WAKER);
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 1);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.first", 4);
	begin_events();
	put_first(IN_F);
	put_woken(IN_WAIT);
	put(GO_DESTROY, 1, 1);
	put(GO_CREATE_SYSCALL, 2, 1, 5);
	put(GO_SYSCALL_END_BLOCKED, 1, 1);
	put(GO_START, 3, 1, 5, 1);
	put(HEAP_ALLOC, 2, 90, 1);
	end_events();
	check_unknown();
}

/* A callback from C: its processor is taken in the call that it ends in. */
static void test_callback(void **state)
{
	(void)state;
	begin_events();
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_CREATE_SYSCALL, 2, 1, 5);
	put(GO_SYSCALL_END_BLOCKED, 1, 1);
	put(GO_START, 3, 1, 5, 1);
	put(GO_CREATE, 4, 1, 6, FIRST, IN_F);
	put(GO_SYSCALL_BEGIN, 3, 90, 1, 0);
	put(GO_DESTROY_SYSCALL, 1, 1);
	end_events();
	check("main.f", 1);
}

/* A stack without names says nothing, at the end or before. */
static void test_nameless(void **state)
{
	(void)state;
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_STOP, 3, 50, 9, NAMELESS);
	end_events();
	check("main.f", 3);
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_STOP, 3, 1, 9, NAMELESS);
	put(GO_START, 3, 1, 5, 4);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 3);
}

/* The stack of the last event is one of an earlier generation. */
static void test_generations(void **state)
{
	unsigned i;

	(void)state;
	begin_events();
	put_first(FIRST);
	put(GO_BLOCK, 3, 1, 9, IN_WAIT);
	put(GO_START, 3, 1, 1, 1);
	end_events();
	/* In more generations than have their tables kept. */
	for (i = 0; i < 20; i++) {
		put_clock(1000000000);
		begin_batch(7, 200 + 10 * i);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 7, 2);
		put(GO_STATUS, 4, 1, 5, NONE, 4);
		end_events();
	}
	put_clock(1000000000);
	begin_batch(7, 500);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STATUS, 4, 1, 5, NONE, 4);
	put(GO_UNBLOCK, 4, 1, 5, 1, IN_WAKER);
	put(GO_BLOCK, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 2);
	put(GO_DESTROY, 1, 10000);
	end_events();
	check("main.f", 3);
}

/* It still runs: the same rule, and what it waited in or called is over. */
static void test_running(void **state)
{
	(void)state;
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(HEAP_ALLOC, 2, 90, 1);
	end_events();
	check("main.f", 3);
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_CREATE, 4, 1, 6, FIRST, IN_F);
	put(HEAP_ALLOC, 2, 90, 1);
	end_events();
	check("main.f", 1);
	/* It computed before it stopped the trace. */
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_CREATE, 4, 90, 6, FIRST, IN_STOP);
	end_events();
	check("main.f", 6);
	/* It only records. */
	begin_events();
	put_first(IN_READER);
	put_woken(IN_READER);
	put(HEAP_ALLOC, 2, 90, 1);
	end_events();
	check_as((struct expected){"runtime/trace.Start.func1", 8, NULL,
				   GTRACE_WORK_TRACER});
}

#define GROUP "golang.org/x/sync/errgroup.(*Group).Go.func1"

/* Goroutine 1 creates 5 at CREATOR, in IN_GROUP, and lets it run. */
static void put_group(uint64_t creator)
{
	put(GO_CREATE, 4, 1, 5, IN_GROUP, creator);
	put(GO_STOP, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 1);
}

/* A library has its goroutine created, which is in no function of the program.
 */
static void test_created(void **state)
{
	const struct expected in_group = {"main.f", 10, GROUP,
					  GTRACE_WORK_PROGRAM};

	(void)state;
	begin_events();
	put_group(CREATES);
	put(GO_DESTROY, 1, 50);
	end_events();
	check_as(in_group);
	begin_events();
	put_group(CREATES);
	put_woken(IN_GROUP);
	put(GO_STOP, 3, 50, 9, IN_GROUP);
	end_events();
	check_as(in_group);
	/* What it calls is the program's own. */
	begin_events();
	put_group(CREATES);
	put(GO_STOP, 3, 50, 9, IN_WAIT);
	end_events();
	check_as((struct expected){"main.f", 3, "sync.(*WaitGroup).Wait",
				   GTRACE_WORK_PROGRAM});
	/* Not even what created it is. */
	begin_events();
	put_group(SERVES);
	put(GO_DESTROY, 1, 50);
	end_events();
	check(GROUP, 9);
}

/* In an earlier generation. */
static void test_created_before(void **state)
{
	(void)state;
	begin_events();
	put_group(CREATES);
	put(GO_BLOCK, 3, 1, 9, IN_GROUP);
	put(GO_START, 3, 1, 1, 1);
	end_events();
	put_clock(1000000000);
	begin_batch(7, 500);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STATUS, 4, 1, 5, NONE, 4);
	put(GO_UNBLOCK, 4, 1, 5, 1, IN_WAKER);
	put(GO_BLOCK, 3, 1, 9, IN_WAKER);
	put(GO_START, 3, 1, 5, 2);
	put(GO_DESTROY, 1, 10000);
	end_events();
	check_as((struct expected){"main.f", 10, GROUP, GTRACE_WORK_PROGRAM});
}

/* It is in a system call, and so in what made that. */
static void test_calls(void **state)
{
	(void)state;
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_SYSCALL_BEGIN, 3, 1, 1, IN_WRITE);
	end_batch();
	begin_batch(8, 200);
	put(PROC_STEAL, 4, 1, 0, 2, 7);
	end_events();
	check_as((struct expected){"main.f", 7, "syscall.write",
				   GTRACE_WORK_SYSCALL});
	begin_events();
	put_first(FIRST);
	put_woken(IN_WAIT);
	put(GO_SYSCALL_BEGIN, 3, 1, 1, IN_WRITE);
	put(GO_SYSCALL_END, 1, 1);
	put(GO_DESTROY, 1, 50);
	end_events();
	check("main.f", 7);
}

/* A coroutine leaves its processor without a stack. */
static void test_switch(void **state)
{
	(void)state;
	begin_events();
	put(GO_CREATE_BLOCKED, 4, 1, 5, FIRST, IN_WAKER);
	put(GO_SWITCH, 3, 1, 5, 1);
	put(GO_CREATE, 4, 1, 6, FIRST, IN_F);
	put(GO_SWITCH, 3, 90, 1, 1);
	end_events();
	check("main.f", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_number_again),
		cmocka_unit_test(test_callback),
		cmocka_unit_test(test_nameless),
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_created),
		cmocka_unit_test(test_created_before),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
