/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * last_test.c - what slices are named after that end without a stack, or still
 * run, in traces up to Go 1.21 built record by record: the last event of their
 * own goroutines. v2/last_test.c has those of later traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "base/strings.h"
#include "testing.h"
#include "tests/builder.h"
#include "tests/reports.h"

/* Stacks, each of a function at the line that is its number. */
enum {
	IN_F = 1,
	IN_WAKER,
	IN_BLOCK,
	FIRST,
	IN_WRITE,
	IN_GROUP,
	NAMELESS, /* its frame has no name */
	STACKS
};

static void put_tables(struct builder *b)
{
	static const char *const names[STACKS] = {
		[IN_F] = "main.f",
		[IN_WAKER] = "main.waker",
		[IN_BLOCK] = "main.block",
		[FIRST] = "main.first",
		[IN_WRITE] = "main.write",
		[IN_GROUP] = "golang.org/x/sync/errgroup.(*Group).Go.func1",
	};
	uint64_t i;

	builder_string(b, STACKS, "main.go");
	for (i = 1; i < STACKS; i++) {
		struct builder_frame frame = {i, i, STACKS, i};

		if (names[i] != NULL)
			builder_string(b, i, names[i]);
		else
			frame.function = frame.file = frame.line = 0;
		builder_stack(b, i, &frame, 1);
	}
	builder_frequency(b, 1000000000);
}

/* Goroutine 1, the waker, creates 5 at BY, to run FUNCTION, which it does. */
static void begin_in(struct builder *b, uint64_t function, uint64_t by)
{
	builder_open(b, 1011);
	builder_header(b);
	builder_batch(b, 0, 1000);
	BUILDER_EVENT(b, EV_GO_CREATE, 0, 1, IN_WAKER, 0);
	BUILDER_EVENT(b, EV_PROC_START, 0, 1);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, 1);
	BUILDER_EVENT(b, EV_GO_CREATE, 1, 5, function, by);
	BUILDER_EVENT(b, EV_GO_SCHED, 1, IN_WAKER);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, 5);
}

static void begin(struct builder *b)
{
	begin_in(b, FIRST, IN_WAKER);
}

/* It blocks, 1 wakes it, and it starts again. */
static void wake(struct builder *b)
{
	BUILDER_EVENT(b, EV_GO_BLOCK_RECV, 1, IN_BLOCK);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, 1);
	BUILDER_EVENT(b, EV_GO_UNBLOCK_LOCAL, 1, 5, IN_WAKER);
	BUILDER_EVENT(b, EV_GO_SCHED, 1, IN_WAKER);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, 5);
}

static void check_slice(const struct gtrace_slice *slice, const char *name)
{
	assert_int_equal(slice->g, 5);
	if (name == NULL) {
		assert_null(slice->frame);
		return;
	}
	assert_non_null(slice->frame);
	if (slice->caller != NULL)
		assert_true(string_is(slice->caller->function, name));
	else
		assert_true(string_is(slice->frame->function, name));
	assert_int_equal(slice->work, GTRACE_WORK_PROGRAM);
}

/* The longest slice is in the sums of NAME, too. */
static void check_sums(struct gtrace *trace, const char *name, int64_t longest)
{
	struct gtrace_summary *summary;
	size_t count = 0, i;

	assert_int_equal(gtrace_summarise(trace, NULL, &summary, NULL),
			 GTRACE_OK);
	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *at = &summary->functions[i];

		if (at->max == longest) {
			assert_true(string_is(at->frame.function,
					      name != NULL ? name : ""));
			count++;
		}
	}
	assert_int_equal(count, 1);
	gtrace_summary_free(summary);
}

/* The longest slice is called NAME, in both orders; NULL: it is not known. */
static void check(struct builder *b, const char *name)
{
	struct gtrace_request request = REQUEST(.n = 1, .details = 1);
	struct gtrace_error error = {.message = ""};
	struct gtrace_reports *reports;
	struct gtrace *trace;
	int final;

	put_tables(b);
	for (final = 0; final < 2; final++) {
		assert_int_equal(gtrace_open_memory(b->bytes, b->size, NULL,
						    &trace, NULL),
				 GTRACE_OK);
		if (final)
			gti_test_final_order(trace);
		if (gtrace_analyse(trace, &request, &reports, &error) !=
		    GTRACE_OK)
			fail_msg("%s", error.message);
		check_slice(reports->greedy->slices[0], name);
		check_sums(trace, name, reports->greedy->slices[0]->duration);
		gtrace_reports_free(reports);
		gtrace_close(trace);
	}
	builder_close(b);
}

static void test_ended(void **state)
{
	struct builder b;

	(void)state;
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 6, FIRST, IN_F);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.f");
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.block");
	begin(&b);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.first");
	/* It was preempted before. */
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 1, IN_F);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 5);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.f");
}

/*
 * Where the runtime stops a loop, the one frame that it finds may have no name:
 * that is no event of the goroutine's own, neither of this slice nor the next.
 */
static void test_preempted(void **state)
{
	struct builder b;

	(void)state;
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 6, FIRST, IN_F);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 50, NAMELESS);
	check(&b, "main.f");
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 1, NAMELESS);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 5);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.block");
}

static void test_running(void **state)
{
	struct builder b;

	(void)state;
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 50, 1);
	check(&b, "main.block");
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 6, FIRST, IN_F);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 50, 1);
	check(&b, "main.f");
}

/* The event that takes the processor from a system call has no stack. */
static void test_calls(void **state)
{
	struct builder b;

	(void)state;
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 1, IN_WRITE);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 50);
	check(&b, "main.write");
}

/* Of a goroutine that was blocked before, no event of its own is known. */
static void test_before(void **state)
{
	struct builder b;

	(void)state;
	builder_open(&b, 1011);
	builder_header(&b);
	builder_batch(&b, 0, 1000);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, IN_WAKER, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 5, 0, 0);
	BUILDER_EVENT(&b, EV_GO_WAITING, 0, 5);
	BUILDER_EVENT(&b, EV_PROC_START, 0, 1);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 1);
	BUILDER_EVENT(&b, EV_GO_UNBLOCK_LOCAL, 1, 5, IN_WAKER);
	BUILDER_EVENT(&b, EV_GO_BLOCK, 1, IN_WAKER);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 5);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, NULL);
}

/* In no function of the program, it is named after its creation. */
static void test_created(void **state)
{
	struct builder b;

	(void)state;
	begin_in(&b, IN_GROUP, IN_F);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.f");
}

/*
 * A wakeup that was in vain, with all that the goroutine did until it blocked
 * again, is no event.
 */
static void test_futile(void **state)
{
	struct builder b;

	(void)state;
	begin(&b);
	wake(&b);
	BUILDER_EVENT(&b, EV_FUTILE_WAKEUP, 1);
	BUILDER_EVENT(&b, EV_GO_BLOCK_RECV, 1, IN_BLOCK);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 1);
	BUILDER_EVENT(&b, EV_GO_UNBLOCK_LOCAL, 1, 5, IN_WAKER);
	BUILDER_EVENT(&b, EV_GO_BLOCK, 1, IN_WAKER);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 0, 5);
	BUILDER_EVENT(&b, EV_GO_END, 50);
	check(&b, "main.block");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_futile),
		cmocka_unit_test(test_created),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
