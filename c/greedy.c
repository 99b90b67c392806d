/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the greedy report. */
#include <stdbool.h>

#include "base/sort.h"
#include "front.h"

static int compare_starts(const void *a, const void *b)
{
	uint64_t first = ((const struct chosen *)a)->slice->start.offset;
	uint64_t second = ((const struct chosen *)b)->slice->start.offset;

	return (first < second) - (first > second);
}

/*
 * From the last one in the file to the first: a format has the stacks and
 * strings of the last part, and may have to read those of other parts again.
 */
bool gti_make_chosen(struct event_maker *maker, struct chosen *chosen,
		     size_t count)
{
	bool made = true;
	size_t i;

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
	size_t count = slices->ranking.heap.count, i;
	const struct gtrace_allocator *memory = maker->memory;
	struct chosen *chosen =
		gti_allocate(memory, (count + 1) * sizeof(*chosen));
	const struct slice **list =
		gti_allocate(memory, (count + 1) * sizeof(*list));
	const struct gtrace_slice **array =
		gti_arena_allocate(&maker->arena, count * sizeof(const void *));
	bool good = chosen != NULL && list != NULL && array != NULL;

	to->count = count;
	to->slices = array;
	if (good)
		gti_slices_drain(slices, list);
	for (i = 0; i < count && good; i++)
		chosen[i] = (struct chosen){list[i], &array[i]};
	good = good && gti_make_chosen(maker, chosen, count);
	gti_release(memory, chosen, (count + 1) * sizeof(*chosen));
	gti_release(memory, list, (count + 1) * sizeof(*list));
	return good;
}
