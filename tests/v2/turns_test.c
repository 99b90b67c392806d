/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns_test.c - the pass for slices, in which two threads take turns without
 * the heap, has the order of the pass for events, which updates the heap after
 * each event. Up to twelve threads stop and start their goroutines at random
 * times, many of them equal, with CPU samples in between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/model.h"
#include "tests/v2/builder.h"

#define SEEDS      300
#define EVENTS_MAX 20000

/* By number of an event, in the pass for events. */
static uint64_t offsets[EVENTS_MAX];

/* Often so much that of all threads but two the next events are far off. */
static uint64_t random_delta(uint64_t *seed)
{
	return random_below(seed, 50) == 0 ? 5000 : random_below(seed, 3);
}

/* Batch NUMBER, from 0, of thread M, which begins at *NOW. */
static void put_thread(uint64_t *seed, uint64_t m, uint64_t number,
		       uint64_t *now, uint64_t *sequence)
{
	uint64_t steps = random_below(seed, 150), step, delta;

	begin_batch(m, *now);
	if (number == 0) {
		put(PROC_STATUS, 3, V(0), m, V(1));
		put(GO_STATUS, 4, V(0), m, m, V(2));
	}
	for (step = 0; step < steps; step++) {
		delta = random_delta(seed);
		put(GO_STOP, 3, delta, V(1), V(1));
		*now += delta;
		delta = random_delta(seed);
		put(GO_START, 3, delta, m, ++*sequence);
		*now += delta;
	}
	end_batch();
}

static void put_trace(uint64_t seed)
{
	uint64_t threads = 1 + random_below(&seed, 12), m, i;

	begin_file(25);
	put_clock(1000000000);
	put_stacks();
	put_strings();
	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	for (i = random_below(&seed, 10); i > 0; i--)
		put(SAMPLE, 5, 100 + random_below(&seed, 20000), V(1), V(1),
		    V(1), V(1));
	end_batch();
	/* Nothing may be read after the last event of the last thread. */
	for (m = 1; m <= threads; m++) {
		uint64_t now = 100 + random_below(&seed, 3), sequence = 0;
		uint64_t batches = 1 + random_below(&seed, 3);

		for (i = 0; i < batches; i++)
			put_thread(&seed, m, i, &now, &sequence);
	}
}

static int note(void *context, const struct gtrace_event *event)
{
	unsigned *count = context;

	assert_true(event->number < EVENTS_MAX);
	offsets[event->number] = event->offset;
	++*count;
	return 0;
}

static void compare_passes(void)
{
	struct gtrace_request request = {.size = sizeof(request),
					 .n = EVENTS_MAX};
	struct gtrace_greedy_report *report;
	unsigned events = 0;
	struct gtrace_error error;
	struct gtrace *trace;
	/* So that AddressSanitizer knows the end. */
	uint8_t *data = malloc(built.size);
	size_t i;

	assert_non_null(data);
	memcpy(data, built.data, built.size);
	assert_int_equal(
		gtrace_open_memory(data, built.size, NULL, &trace, &error),
		GTRACE_OK);
	if (gtrace_visit_events(trace, note, &events, &error) != GTRACE_OK ||
	    gtrace_greedy(trace, &request, &report, &error) != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	/* Each slice has two events that no other one has. */
	assert_true(report->count * 2 <= events);
	for (i = 0; i < report->count; i++) {
		const struct gtrace_slice *slice = report->slices[i];

		assert_true(offsets[slice->start.number] ==
			    slice->start.offset);
		if (!slice->still_running)
			assert_true(offsets[slice->end.number] ==
				    slice->end.offset);
	}
	gtrace_greedy_free(report);
	gtrace_close(trace);
	free(data);
}

static void test_turns(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= SEEDS; seed++) {
		put_trace(seed);
		compare_passes();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
