/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the greedy report. */
#include <stdbool.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "front.h"

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
 * In the order of the file, because a format may have to read stacks and
 * strings again for a slice that is in another part of the file than the one
 * before.
 */
bool gti_make_chosen(struct event_maker *maker, struct chosen *chosen,
		     size_t count)
{
	bool made = true;
	size_t i;

	if (count > 1)
		gti_sort(chosen, count, sizeof(*chosen), compare_starts);
	for (i = 0; i < count && made; i++) {
		struct gtrace_slice *to =
			gti_arena_allocate(&maker->arena, sizeof(*to));

		made = to != NULL && gti_make_slice(maker, chosen[i].slice, to);
		*chosen[i].place = to;
	}
	return made;
}

bool gti_make_greedy(struct event_maker *maker, struct slices *slices,
		     struct gtrace_greedy_report *to)
{
	size_t count = slices->ranking.heap.count;
	struct chosen *chosen =
		gti_allocate_zeroed(maker->memory, count + 1, sizeof(*chosen));
	const struct gtrace_slice **array =
		gti_arena_allocate(&maker->arena, count * sizeof(const void *));
	struct choice choice = {chosen, array + count};
	bool made = chosen != NULL && array != NULL;

	to->count = count;
	to->slices = array;
	if (made) {
		gti_slices_drain(slices, take_slice, &choice);
		made = gti_make_chosen(maker, chosen, count);
	}
	gti_release(maker->memory, chosen, (count + 1) * sizeof(*chosen));
	return made;
}
