/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns_test.c - the pass for slices, in which two threads take turns without
 * the heap, has the order of the pass for events, which updates the heap after
 * each event. Up to twelve threads stop and start their goroutines at random
 * times, many of them equal, and wait for each other, with CPU samples in
 * between. Ids and times take one byte or more. Generated traces have all other
 * events.
 *
 * A pass that is not careful fails where its code for easy events is wrong, and
 * a report is then made by a careful one. So this tests also that it does not
 * fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/generator.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tests/v2/builder.h"
#include "v2/order.h"

#define SEEDS      300
#define EVENTS_MAX 20000
#define EXCHANGES  10

/* By number of an event, in the pass for events. */
static uint64_t offsets[EVENTS_MAX];

/*
 * One of 50 is so great that two threads may take turns, see TURNS_NS, or is
 * about the greatest of its number of bytes.
 */
static uint64_t random_delta(uint64_t *seed)
{
	static const uint64_t greater[] = {5000,   0x7f,   0x80,    0xff,
					   0x3fff, 0x4000, 0x1fffff};

	return random_below(seed, 50) == 0 ? greater[random_below(seed, 7)]
					   : random_below(seed, 3);
}

/* Goroutine number N of the trace has the id N times this. */
static uint64_t id_factor;

struct trace_thread {
	uint64_t m;
	uint64_t now;
	uint64_t sequence; /* of its own goroutine, which has the number M */
	/* There is another thread to share a goroutine with. */
	bool paired;
	uint64_t exchanges;
};

static uint64_t put_time(uint64_t *seed, struct trace_thread *thread)
{
	uint64_t delta = random_delta(seed);

	thread->now += delta;
	return delta;
}

static void put_stop(uint64_t *seed, struct trace_thread *thread)
{
	put(GO_STOP, 3, put_time(seed, thread), 1, 1);
}

static void put_start(uint64_t *seed, struct trace_thread *thread)
{
	put(GO_START, 3, put_time(seed, thread), thread->m * id_factor,
	    ++thread->sequence);
}

/*
 * The threads 1 and 2, 3 and 4 and so on share a goroutine: the first one
 * unblocks it, and the second one runs it. Their times are random, so each of
 * them sometimes waits for the other.
 */
static void put_exchange(uint64_t *seed, struct trace_thread *thread)
{
	uint64_t shared = (100 + (thread->m + 1) / 2) * id_factor;
	uint64_t before = 2 * thread->exchanges++;

	if (thread->m % 2 == 1) {
		put(GO_UNBLOCK, 4, put_time(seed, thread), shared, before + 1,
		    1);
		return;
	}
	put_stop(seed, thread);
	put(GO_START, 3, put_time(seed, thread), shared, before + 2);
	put(GO_BLOCK, 3, put_time(seed, thread), 1, 1);
	put_start(seed, thread);
}

static void put_first(const struct trace_thread *thread)
{
	put(PROC_STATUS, 3, 0, thread->m, 1);
	put(GO_STATUS, 4, 0, thread->m * id_factor, thread->m, 2);
	if (thread->paired && thread->m % 2 == 1)
		put(GO_STATUS, 4, 0, (100 + (thread->m + 1) / 2) * id_factor,
		    NONE, 4);
}

static void put_batch(uint64_t *seed, struct trace_thread *thread,
		      bool is_first, bool is_last)
{
	uint64_t steps = random_below(seed, 150), step;

	begin_batch(thread->m, thread->now);
	if (is_first)
		put_first(thread);
	for (step = 0; step < steps; step++) {
		put_stop(seed, thread);
		put_start(seed, thread);
		if (step % 32 == 0 && thread->paired &&
		    thread->exchanges < EXCHANGES)
			put_exchange(seed, thread);
	}
	while (is_last && thread->paired && thread->exchanges < EXCHANGES)
		put_exchange(seed, thread);
	end_batch();
}

static void put_trace(uint64_t seed)
{
	/* Ticks of 1, 64, 25.6 and, so that all times are long, 10^8 ns. */
	static const uint64_t frequencies[] = {1000000000, 15625000, 39062500,
					       10};
	/* Ids of one byte, one or two, two or three, and five. */
	static const uint64_t factors[] = {1, 20, 2000, (uint64_t)1 << 30};
	uint64_t threads = 1 + random_below(&seed, 12), m, i;

	id_factor = factors[random_below(&seed, 4)];
	begin_file(25);
	put_clock(frequencies[random_below(&seed, 4)]);
	put_stacks();
	put_strings();
	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	for (i = random_below(&seed, 10); i > 0; i--)
		put(SAMPLE, 5, 100 + random_below(&seed, 20000), 1, 1, 1, 1);
	end_batch();
	/* Nothing may be read after the last event of the last thread. */
	for (m = 1; m <= threads; m++) {
		struct trace_thread thread = {
			.m = m,
			.now = 100 + random_below(&seed, 3),
			.paired = m < threads || m % 2 == 0,
		};
		uint64_t batches = 1 + random_below(&seed, 3);

		for (i = 0; i < batches; i++)
			put_batch(&seed, &thread, i == 0, i + 1 == batches);
	}
}

/* Makes the pass that is not careful. Returns the number of its events. */
static uint64_t run_easily(const uint8_t *data, size_t size)
{
	struct source source = {.data = data, .size = size};
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct array begins = {.items = NULL};
	struct observer observer = {.memory = &memory};
	struct gtrace_error error;
	struct slices slices;
	struct order order;
	uint64_t events;

	gti_slices_init(&slices, 1, 1, 1, &memory);
	observer.slices = &slices;
	assert_int_equal(gti_v2_header_read(&source, &error), GTRACE_OK);
	assert_int_equal(gti_v2_order_init(&order, &source, &begins, &observer,
					   &memory, &error),
			 GTRACE_OK);
	assert_int_equal(gti_v2_order_run(&order, false, UINT64_MAX, &error),
			 GTRACE_OK);
	events = order.states.ordinal;
	gti_v2_order_free(&order);
	gti_slices_free(&slices);
	gti_array_free(&begins, sizeof(uint64_t), &memory);
	return events;
}

static int note(void *context, const struct gtrace_event *event)
{
	unsigned *count = context;

	assert_true(event->number < EVENTS_MAX);
	offsets[event->number] = event->offset;
	++*count;
	return 0;
}

static void compare_passes(const uint8_t *bytes, size_t size)
{
	struct gtrace_request request = {.size = sizeof(request),
					 .n = EVENTS_MAX};
	struct gtrace_reports *reports;
	unsigned events = 0;
	struct gtrace_error error;
	struct gtrace *trace;
	/* So that AddressSanitizer knows the end. */
	uint8_t *data = malloc(size);
	size_t i;

	assert_non_null(data);
	memcpy(data, bytes, size);
	assert_int_equal(gtrace_open_memory(data, size, NULL, &trace, &error),
			 GTRACE_OK);
	if (visit_events(trace, note, &events, &error) != GTRACE_OK ||
	    gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	assert_int_equal(run_easily(data, size), events);
	/* Each slice has two events that no other one has. */
	assert_true(reports->greedy->count * 2 <= events);
	for (i = 0; i < reports->greedy->count; i++) {
		const struct gtrace_slice *slice = reports->greedy->slices[i];

		assert_true(offsets[slice->start.number] ==
			    slice->start.offset);
		if (!slice->still_running)
			assert_true(offsets[slice->end.number] ==
				    slice->end.offset);
	}
	gtrace_reports_free(reports);
	gtrace_close(trace);
	free(data);
}

static void test_turns(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= SEEDS; seed++) {
		put_trace(seed);
		compare_passes(built.data, built.size);
	}
}

/* Traces of a simulated scheduler, with all that a runtime does. */
static void test_generated(void **state)
{
	static const uint32_t versions[] = {1022, 1023, 1025, 1026};
	static const uint32_t processors[] = {1, 2, 7, 40};
	unsigned i;

	(void)state;
	for (i = 0; i < 16; i++) {
		struct builder b;
		const struct generator_options options = {
			.version = versions[i / 4],
			.events = 6000,
			.processors = processors[i % 4],
			.goroutines = 20 + 30 * (i % 5),
			.churn = 100,
			.burst = 1 + i % 3,
			.samples = 50,
			.generation = i % 2 == 0 ? 0 : 2000,
			.seed = i,
			.write = builder_write,
			.context = &b,
		};
		uint64_t events;

		builder_open(&b, 0);
		events = generate_trace(&options);
		assert_true(events >= 6000 && events < EVENTS_MAX);
		compare_passes(b.bytes, b.size);
		builder_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_generated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
