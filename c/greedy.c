/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the greedy report. */
#include <stdbool.h>

#include "base/fail.h"
#include "base/sort.h"
#include "front.h"

struct report {
	struct gtrace_greedy_report public; /* first: the caller has this */
	struct gtrace_allocator memory;
	struct arena arena; /* all that `public` points to */
};

/* Numbers of the COUNT slices of LIST, by their starts in the file. */
static void sort_slices(const struct slice *const *list, size_t count,
			struct sort_item *order)
{
	size_t i;

	for (i = 0; i < count; i++) {
		order[i].key = (int64_t)list[i]->start.offset;
		order[i].value = (uint32_t)i;
	}
	gti_sort_go1_27(order, count);
}

/*
 * Makes the COUNT slices, from the last one in the file to the first: a format
 * has the stacks and strings of the last part, and may have to read those of
 * other parts again. Returns false if there is no memory.
 */
static bool make_slices(struct event_maker *maker, struct slices *slices,
			size_t count, const struct gtrace_slice **array)
{
	const struct gtrace_allocator *memory = maker->memory;
	struct sort_item *order =
		gti_allocate(memory, (count + 1) * sizeof(*order));
	const struct slice **list =
		gti_allocate(memory, (count + 1) * sizeof(*list));
	bool good = order != NULL && list != NULL;
	size_t left;

	if (good) {
		gti_slices_drain(slices, list);
		sort_slices(list, count, order);
	}
	for (left = count; left != 0 && good; left--) {
		size_t at = order[left - 1].value;
		struct gtrace_slice *to =
			gti_arena_allocate(&maker->arena, sizeof(*to));

		good = to != NULL && gti_make_slice(maker, list[at], to);
		array[at] = to;
	}
	gti_release(memory, order, (count + 1) * sizeof(*order));
	gti_release(memory, list, (count + 1) * sizeof(*list));
	return good;
}

/* Makes the arena of MAKER the report's. Returns NULL without memory. */
static struct report *new_report(struct event_maker *maker, size_t count,
				 const struct gtrace_slice **slices)
{
	const struct gtrace *trace = maker->trace;
	struct report *report =
		gti_allocate_zeroed(maker->memory, 1, sizeof(*report));

	if (report == NULL)
		return NULL;
	report->public.trace_version = trace->format->version(trace->self);
	report->public.count = count;
	report->public.slices = slices;
	report->public.in_ticks = gtrace_in_ticks(trace);
	report->public.first_time = gti_first_time(maker);
	report->memory = *maker->memory;
	report->arena = maker->arena;
	report->arena.memory = &report->memory;
	return report;
}

enum gtrace_status gti_make_greedy(struct gtrace *trace, struct slices *slices,
				   const struct clock *clock,
				   struct gtrace_greedy_report **out,
				   struct gtrace_error *error)
{
	size_t count = slices->ranking.heap.count;
	const struct gtrace_slice **array = NULL;
	struct report *report = NULL;
	struct event_maker maker;

	if (gti_event_maker_init(&maker, trace, true))
		array = gti_arena_allocate(&maker.arena,
					   count * sizeof(const void *));
	maker.clock = *clock;
	maker.inside = slices->inside;
	if (array != NULL && make_slices(&maker, slices, count, array))
		report = new_report(&maker, count, array);
	gti_event_maker_free(&maker);
	if (report == NULL) {
		gti_arena_free(&maker.arena);
		return gti_fail_memory(error);
	}
	*out = &report->public;
	return GTRACE_OK;
}

void gtrace_greedy_free(struct gtrace_greedy_report *public)
{
	struct report *report = (struct report *)public;
	struct gtrace_allocator memory;

	if (report == NULL)
		return;
	memory = report->memory;
	gti_arena_free(&report->arena);
	gti_release(&memory, report, sizeof(*report));
}
