/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stride_test.c - strides take the events that the merge takes, and those of a
 * stream, of a goroutine, and of all in common, in the same order; or they say
 * that they are not sure. On generated traces, whole and damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model.h"
#include "tests/synthetic.h"
#include "v1/stride.h"

/* Where the merge took each event, and what was taken last, by whom. */
struct orders {
	uint64_t *position; /* by ordinal, from 1 */
	uint64_t *of_stream;
	uint64_t *of_goroutine; /* by slot */
	uint64_t common;
	uint64_t events; /* in the trace */
	uint64_t taken;
	bool good; /* the merge came to its end */
	size_t pieces, strides;
};

static bool is_common(const struct event *event)
{
	switch (event->type) {
	case EV_GC_START:
	case EV_GC_DONE:
	case EV_STW_START:
	case EV_STW_DONE:
	case EV_USER_TASK_CREATE:
	case EV_USER_TASK_END:
		return true;
	case EV_GC_MARK_ASSIST_START:
	case EV_GC_MARK_ASSIST_DONE:
	case EV_USER_REGION:
		return event->g == 0; /* goroutine 0 has no stream */
	default:
		return false;
	}
}

static void rises(uint64_t *last, uint64_t position)
{
	assert_true(*last < position);
	*last = position;
}

static bool take(void *context, struct event *event)
{
	struct orders *orders = context;
	uint64_t position;

	assert_in_range(event->ordinal, 1, orders->events);
	orders->taken++;
	if (!orders->good)
		return true; /* they will find out */
	position = orders->position[event->ordinal];
	/* Each once: its place is empty the next time. */
	orders->position[event->ordinal] = 0;
	assert_true(position != 0);
	if (event->p_slot != SLOT_NONE)
		rises(&orders->of_stream[event->p_slot], position);
	if (event->g_slot != 0)
		rises(&orders->of_goroutine[event->g_slot], position);
	if ((event->type == EV_GO_UNBLOCK || event->type == EV_GO_CREATE) &&
	    event->target_slot != event->g_slot)
		rises(&orders->of_goroutine[event->target_slot], position);
	if (is_common(event))
		rises(&orders->common, position);
	return true;
}

static bool note_piece(void *context)
{
	((struct orders *)context)->pieces++;
	return true;
}

static bool note_stride(void *context)
{
	((struct orders *)context)->strides++;
	return true;
}

/* The merge alone. Returns whether it came to its end. */
static bool merge_all(const struct index *index, struct orders *orders)
{
	struct gtrace_error error;
	enum gtrace_status status;
	struct event *event;
	struct merge merge;

	assert_int_equal(gtrace_merge_init(&merge, index, 0, &error),
			 GTRACE_OK);
	do {
		status = gtrace_merge_next(&merge, &event, &error);
		if (event != NULL)
			orders->position[event->ordinal] = merge.position;
	} while (event != NULL);
	gtrace_merge_free(&merge);
	return status == GTRACE_OK;
}

/* What became of a trace. */
enum { NO_TRACE, BAD, UNSURE, SURE };

/*
 * Takes TRIAL events as they are merged, and the others in strides of EVENTS.
 * Returns whether strides were sure to the end.
 */
static bool take_in_strides(const struct index *index, uint64_t trial,
			    uint64_t events, struct orders *orders)
{
	struct stride_reader reader = {take, note_piece, note_stride, orders};
	struct gtrace_error error;
	struct event *event;
	struct merge merge;
	bool sure;

	assert_int_equal(gtrace_merge_init(&merge, index, 0, &error),
			 GTRACE_OK);
	do {
		if (gtrace_merge_next(&merge, &event, &error) != GTRACE_OK)
			assert_null(event);
		if (event != NULL)
			take(orders, event);
	} while (event != NULL && --trial > 0);
	sure = event != NULL && gtrace_strides_can(&merge) &&
	       gtrace_strides_run(&merge, events, &reader);
	gtrace_merge_free(&merge);
	return sure;
}

static int compare(const struct index *index, uint64_t trial, uint64_t events)
{
	struct orders orders = {.events = index->events};
	size_t count = (size_t)index->events + 2;
	bool sure;

	orders.position = calloc(count, sizeof(uint64_t));
	orders.of_stream = calloc(index->streams.count, sizeof(uint64_t));
	orders.of_goroutine = calloc(count, sizeof(uint64_t));
	assert_true(orders.position != NULL && orders.of_stream != NULL &&
		    orders.of_goroutine != NULL);
	orders.good = merge_all(index, &orders);
	sure = take_in_strides(index, trial, events, &orders);
	if (sure) {
		assert_true(orders.good);
		assert_true(orders.taken == index->events);
		assert_true(orders.strides > 0);
	}
	free(orders.position);
	free(orders.of_stream);
	free(orders.of_goroutine);
	return sure ? SURE : orders.good ? UNSURE : BAD;
}

static int compare_bytes(const struct bytes *bytes, uint64_t trial,
			 uint64_t events)
{
	struct gtrace_allocator memory = gtrace_allocator_or_default(NULL);
	struct input input = {.data = bytes->data, .size = bytes->size};
	struct gtrace_error error;
	struct index index;
	int outcome;

	if (gtrace_index_init(&index, &input, bytes->size, &memory, &error) !=
	    GTRACE_OK)
		return NO_TRACE;
	outcome = compare(&index, trial, events);
	gtrace_index_free(&index);
	return outcome;
}

static void test_like_the_merge(void **state)
{
	static const unsigned versions[] = {1007, 1008, 1009, 1010, 1011};
	static const uint32_t processors[] = {1, 2, 3, 8, 50};
	unsigned whole[4] = {0, 0, 0, 0}, damaged[4] = {0, 0, 0, 0};
	uint64_t seed = 3;
	size_t i, j, k, n;

	(void)state;
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		for (j = 0; j < 10; j++) {
			struct bytes bytes = {NULL, 0, 0};
			struct synthetic_options options = {
				.version = versions[i],
				.events = 2000,
				.processors = processors[j / 2],
				.goroutines = 40,
				.churn = 60,
				.ties = j % 2 == 0 ? 0 : 5,
				.seed = 1 + i * 10 + j,
				.write = bytes_append,
				.context = &bytes,
			};

			synthetic_trace(&options);
			whole[compare_bytes(&bytes, 1 + 100 * (i % 2),
					    (uint64_t)64 << j)]++;
			for (k = 0; k < 100; k++) {
				uint8_t was;

				n = (size_t)random_below(&seed, bytes.size);
				was = bytes.data[n];
				bytes.data[n] ^=
					(uint8_t)(1u << random_below(&seed, 8));
				damaged[compare_bytes(&bytes, k + 1, 30 + k)]++;
				bytes.data[n] = was;
			}
			free(bytes.data);
		}
	print_message("whole: %u sure, %u not; damaged: %u no traces, %u bad, "
		      "%u sure, %u not\n",
		      whole[SURE], whole[UNSURE], damaged[NO_TRACE],
		      damaged[BAD], damaged[SURE], damaged[UNSURE]);
	assert_true(whole[SURE] >= 25 && whole[SURE] + whole[UNSURE] == 50);
	assert_true(damaged[SURE] > 500 && damaged[BAD] > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_the_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
