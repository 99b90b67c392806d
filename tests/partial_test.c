/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partial_test.c - with `partial` a trace is reported up to its first fault:
 * of a trace that is cut off anywhere, events come out that the whole trace
 * has too, in the same order, and all of them that are in a stream whose
 * events need nothing from the part that was cut off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/reports.h"
#include "v1/table.h"

#define EVENTS_MAX 64
#define ROUNDS     8

/* The offsets of events, in the order in which they come out. */
struct seen {
	uint64_t offsets[EVENTS_MAX];
	size_t count;
};

static int see(void *context, const struct gtrace_event *event)
{
	struct seen *seen = context;

	assert_true(seen->count < EVENTS_MAX);
	seen->offsets[seen->count++] = event->offset;
	return 0;
}

/*
 * Visits the events of SIZE bytes of B. Checks what is said of the part that
 * is left out: it begins with the broken record at CUT, SIZE if there is none.
 */
static enum gtrace_status visit(const struct builder *b, size_t size,
				size_t cut, struct seen *seen)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	const struct gtrace_error *reason;
	uint64_t offset, left_out;
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;

	seen->count = 0;
	status = gtrace_open_memory(b->bytes, size, &options, &trace, &error);
	if (status == GTRACE_OK)
		status = visit_events(trace, see, seen, &error);
	if (status == GTRACE_OK && cut != size) {
		assert_int_equal(
			gtrace_left_out(trace, &offset, &left_out, &reason), 1);
		assert_int_equal(offset, cut);
		assert_int_equal(offset + left_out, size);
		assert_int_equal(reason->status, GTRACE_ERROR_CUT_OFF);
		assert_true(reason->offset >= cut && reason->offset <= size);
	}
	gtrace_close(trace);
	return status;
}

/* The record in which the first SIZE bytes of B end: none is over 32 bytes. */
static size_t last_record(const struct builder *b, size_t size)
{
	struct gtrace_error error;
	struct gtrace *trace;

	while (gtrace_open_memory(b->bytes, --size, NULL, &trace, &error) !=
	       GTRACE_OK)
		;
	gtrace_close(trace);
	return size;
}

/* Adds an event, and notes where it ends. */
#define ADD(b, ends, count, ...)                                               \
	(BUILDER_EVENT((b), __VA_ARGS__), (ends)[(*(count))++] = (b)->size)

/*
 * Two processors: a goroutine on the second is woken by one on the first. The
 * order of the events is that of the file.
 */
static void build(struct builder *b, size_t ends[EVENTS_MAX], size_t *count)
{
	unsigned round;

	*count = 0;
	builder_open(b, 1008);
	builder_header(b);
	builder_frequency(b, 1000000000);
	builder_batch(b, 0, 100);
	ADD(b, ends, count, EV_PROC_START, 1, 0);
	ADD(b, ends, count, EV_GO_CREATE, 1, 1, 0, 0);
	ADD(b, ends, count, EV_GO_CREATE, 1, 2, 0, 0);
	ADD(b, ends, count, EV_GO_START_LOCAL, 1, 1);
	builder_batch(b, 1, 200);
	ADD(b, ends, count, EV_PROC_START, 1, 0);
	ADD(b, ends, count, EV_GO_START, 1, 2, 1);
	for (round = 0; round < ROUNDS; round++) {
		ADD(b, ends, count, EV_GO_BLOCK_RECV, 1, 0);
		builder_batch(b, 0, 300 + 100 * round);
		ADD(b, ends, count, EV_GO_UNBLOCK, 1, 2, 2 + 2 * round, 0);
		builder_batch(b, 1, 350 + 100 * round);
		ADD(b, ends, count, EV_GO_START, 1, 2, 3 + 2 * round);
	}
}

/* Cut off anywhere, a trace gives the events whose records are whole. */
static void test_cut_off(void **state)
{
	size_t ends[EVENTS_MAX], count, size, left = 0, i;
	struct seen whole, part;
	struct builder b;

	(void)state;
	build(&b, ends, &count);
	assert_int_equal(visit(&b, b.size, b.size, &whole), GTRACE_OK);
	assert_int_equal(whole.count, count);
	for (size = ends[0]; size < b.size; size++) {
		struct gtrace_error error;
		struct gtrace *trace;
		size_t cut = size;

		while (left < count && ends[left] <= size)
			left++;
		if (gtrace_open_memory(b.bytes, size, NULL, &trace, &error) !=
		    GTRACE_OK)
			cut = last_record(&b, size);
		gtrace_close(trace);
		assert_int_equal(visit(&b, size, cut, &part), GTRACE_OK);
		assert_int_equal(part.count, left);
		for (i = 0; i < left; i++)
			assert_int_equal(part.offsets[i], whole.offsets[i]);
	}
	builder_close(&b);
}

/* A stream whose next event waits for a part that is missing ends there. */
static void test_stuck(void **state)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	const struct gtrace_error *reason;
	struct seen seen = {.count = 0};
	struct gtrace_error error;
	struct gtrace *trace;
	uint64_t offset, at;
	struct builder b;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_frequency(&b, 1000000000);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 0, 0);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	/* Sequence number 1 never comes. */
	at = BUILDER_EVENT(&b, EV_GO_START, 1, 1, 2);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(visit_events(trace, see, &seen, &error), GTRACE_OK);
	assert_int_equal(seen.count, 3);
	assert_int_equal(gtrace_left_out(trace, &offset, NULL, &reason), 1);
	assert_int_equal(reason->status, GTRACE_ERROR_ORDER);
	assert_int_equal(reason->offset, at);
	assert_int_equal(offset, at);
	gtrace_close(trace);
	builder_close(&b);
}

/* An event that contradicts those before it is not reported. */
static void test_contradiction(void **state)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	const struct gtrace_error *reason;
	struct seen seen = {.count = 0};
	struct gtrace_error error = {.status = GTRACE_OK};
	struct gtrace *trace;
	struct builder b;
	uint64_t at;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_frequency(&b, 1000000000);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	at = BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	BUILDER_EVENT(&b, EV_PROC_STOP, 1);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, &options, &trace, &error),
		GTRACE_OK);
	assert_int_equal(visit_events(trace, see, &seen, &error), GTRACE_OK);
	/* The pass in merge order failed, but the call did not. */
	assert_int_equal(error.status, GTRACE_OK);
	assert_int_equal(seen.count, 1);
	assert_int_equal(gtrace_left_out(trace, NULL, NULL, &reason), 1);
	assert_int_equal(reason->status, GTRACE_ERROR_STATE);
	assert_int_equal(reason->offset, at);
	gtrace_close(trace);
	builder_close(&b);
}

/*
 * A trace that is cut off before its tick frequency is reported in ticks,
 * exactly, or with the frequency that is given.
 */
static void test_no_frequency(void **state)
{
	static const int64_t frequencies[] = {0, 500000000, 1000000000};
	const int64_t ticks = ((int64_t)1 << 60) + 1;
	const struct gtrace_error *reason;
	struct gtrace_reports *reports;
	struct gtrace_error error;
	uint64_t offset, size;
	struct gtrace *trace;
	struct builder b;
	size_t i;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 1, 2, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	/* The stack 7 was cut off as well. */
	BUILDER_EVENT(&b, EV_GO_SCHED, 70, 7);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, (uint64_t)ticks, 7);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, &error),
		GTRACE_ERROR_CUT_OFF);
	assert_int_equal(error.offset, b.size);
	for (i = 0; i < sizeof(frequencies) / sizeof(frequencies[0]); i++) {
		struct gtrace_options options =
			OPTIONS(.partial = 1, .frequency = frequencies[i]);

		assert_int_equal(gtrace_open_memory(b.bytes, b.size, &options,
						    &trace, &error),
				 GTRACE_OK);
		assert_int_equal(gtrace_in_ticks(trace), frequencies[i] == 0);
		assert_int_equal(gtrace_frequency(trace), frequencies[i]);
		assert_int_equal(
			gtrace_left_out(trace, &offset, &size, &reason), 1);
		assert_int_equal(offset, b.size);
		assert_int_equal(size, 0);
		assert_int_equal(reason->status, GTRACE_ERROR_CUT_OFF);
		assert_int_equal(make_greedy(trace, 2, &reports, &error),
				 GTRACE_OK);
		gtrace_close(trace);
		assert_int_equal(reports->in_ticks, frequencies[i] == 0);
		assert_int_equal(reports->greedy->count, 2);
		assert_int_equal(reports->greedy->slices[1]->duration,
				 frequencies[i] == 500000000 ? 140 : 70);
		if (frequencies[i] == 0)
			assert_int_equal(reports->greedy->slices[0]->duration,
					 ticks);
		assert_int_equal(reports->greedy->slices[1]->end.stack_id, 7);
		assert_int_equal(reports->greedy->slices[1]->end.frame_count,
				 0);
		gtrace_reports_free(reports);
	}
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_contradiction),
		cmocka_unit_test(test_no_frequency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
