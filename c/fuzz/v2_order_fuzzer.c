/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * v2_order_fuzzer.c - puts the events of any file of Go 1.22 or later in order.
 * Times rise, and events are inside the file. A pass that is not careful has
 * the same result, if it does not fail. Where a generation is unfinished, times
 * rise as well.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "v2/order.h"

/* The result of a pass. */
struct result {
	enum gtrace_status status;
	struct gtrace_error error;
	uint64_t events;
	int64_t last_time;
	uint64_t slices;
	uint64_t generations;
};

static void check_event(const struct event *event, const struct source *source,
			const struct result *before)
{
	check(event->ordinal == before->events + 1);
	check(event->ticks > before->last_time);
	check(event->type < EVENT_TYPES &&
	      gti_v2_lines[event->type].name != NULL);
	check(event->offset >= source->first);
	check(event->offset < source->size || event->type == EV_SYNC);
}

static void take_all(struct order *order, struct result *result)
{
	struct event *event;

	for (;;) {
		result->status = order_next(order, &event, &result->error);
		if (result->status != GTRACE_OK || event == NULL)
			return;
		check_event(event, order->source, result);
		result->events++;
		result->last_time = event->ticks;
	}
}

/*
 * Makes a pass in which generation number UNFINISHED is; 0: none. If not
 * CAREFUL, it is the fast one.
 */
static struct result pass(struct source *source, bool careful,
			  uint64_t unfinished)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct result result = {.status = GTRACE_OK};
	struct array begins = {.items = NULL};
	struct observer observer = {.memory = &memory};
	struct slices slices;
	struct order order;

	gti_slices_init(&slices, 10, 1, 1, &memory);
	observer.slices = &slices;
	check(gti_v2_order_init(&order, source, &begins, &observer, &memory,
				&result.error) == GTRACE_OK);
	order.unfinished = unfinished;
	if (careful)
		take_all(&order, &result);
	else
		result.status = gti_v2_order_run(&order, false, UINT64_MAX,
						 &result.error);
	if (result.status == GTRACE_OK)
		check(gti_v2_states_finish(&order.states));
	result.events = order.states.ordinal;
	result.last_time = order.states.last_time;
	result.slices = slices.started;
	result.generations = begins.count;
	gti_v2_order_free(&order);
	gti_slices_free(&slices);
	gti_array_free(&begins, sizeof(struct generation_place), &memory);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source source = {.data = data, .size = size};
	struct result careful, fast, unfinished;
	struct gtrace_error error;

	if (gti_v2_header_read(&source, &error) != GTRACE_OK)
		return 0;
	careful = pass(&source, true, 0);
	fast = pass(&source, false, 0);
	check(careful.status == GTRACE_OK || careful.error.message[0] != '\0');
	check((careful.status == GTRACE_OK) == (fast.status == GTRACE_OK));
	if (careful.status == GTRACE_OK) {
		check(careful.events == fast.events);
		check(careful.last_time == fast.last_time);
		check(careful.slices == fast.slices);
	}
	/* The fault is in the next generation, or in the last one. */
	unfinished = pass(&source, true, careful.generations + 1);
	check(unfinished.generations >= careful.generations);
	unfinished = pass(&source, true, careful.generations);
	check(unfinished.generations >= careful.generations);
	return 0;
}
