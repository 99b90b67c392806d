/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the greedy report. */
#include <stdbool.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "front.h"

struct report {
	struct gtrace_greedy_report public; /* first: the caller has this */
	struct gtrace_allocator memory;
	struct arena arena; /* all that `public` points to */
};

/* A slice to be shown, and where in the report. */
struct chosen {
	const struct slice *slice;
	const struct gtrace_slice **place;
};

/* The slices of a report, from its last one to its first. */
struct choice {
	struct chosen *next;
	const struct gtrace_slice **place;
};

static void take_slice(void *context, const struct slice *slice)
{
	struct choice *choice = context;

	*choice->next++ = (struct chosen){slice, --choice->place};
}

static int compare_starts(const void *a, const void *b)
{
	uint64_t first = ((const struct chosen *)a)->slice->start.offset;
	uint64_t second = ((const struct chosen *)b)->slice->start.offset;

	return (first > second) - (first < second);
}

/*
 * Makes COUNT slices in the order of the file, because a format may have to
 * read stacks and strings again for a slice that is in another part of the file
 * than the one before. Returns false if there is no memory.
 */
static bool make_slices(struct event_maker *maker, struct slices *slices,
			size_t count, const struct gtrace_slice **array)
{
	struct choice choice = {.place = array + count};
	struct chosen *chosen;
	bool made;
	size_t i;

	if (count == 0)
		return true;
	chosen = gti_allocate_zeroed(maker->memory, count, sizeof(*chosen));
	made = chosen != NULL;
	if (made) {
		choice.next = chosen;
		gti_slices_drain(slices, take_slice, &choice);
		gti_sort(chosen, count, sizeof(*chosen), compare_starts);
	}
	for (i = 0; i < count && made; i++) {
		struct gtrace_slice *to =
			gti_arena_allocate(&maker->arena, sizeof(*to));

		made = to != NULL && gti_make_slice(maker, chosen[i].slice, to);
		*chosen[i].place = to;
	}
	gti_release(maker->memory, chosen, count * sizeof(*chosen));
	return made;
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
