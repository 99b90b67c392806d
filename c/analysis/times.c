/* SPDX-License-Identifier: BSD-3-Clause */
/* times.c - finds things by their times. */
#include "analysis/times.h"

#include "base/array.h"
#include "base/sort.h"

/* The size of the run of COUNT items that begins at BEGIN, a run's begin. */
static size_t run_size(size_t count, size_t begin)
{
	return (size_t)1 << highest_bit(count - begin);
}

/* Sorts the runs of all items that are not runs of the first COUNT items. */
static void sort_runs(struct times *times, size_t count)
{
	struct sort_item *items = times->items.items;
	size_t all = times->items.count, begin = 0, size;

	for (; begin < all; begin += size) {
		size = run_size(all, begin);
		if (begin + size > count)
			gti_sort_go1_27(items + begin, size);
	}
}

/* Adds the things that are not in the index. */
static bool add_new(struct times *times, const struct array *things,
		    size_t size, const struct gtrace_allocator *memory)
{
	size_t before = times->items.count, i;

	for (i = before; i < things->count; i++) {
		struct sort_item item = {.value = (uint32_t)i};

		memcpy(&item.key, (const char *)things->items + i * size,
		       sizeof(item.key));
		if (array_add(&times->items, &item, sizeof(item), memory) ==
		    NULL)
			return false;
	}
	sort_runs(times, before);
	return true;
}

bool gti_times_find(struct times *times, const struct array *things,
		    size_t size, int64_t from, int64_t to,
		    const struct gtrace_allocator *memory)
{
	struct array *found = &times->found;
	size_t begin = 0, length, i;

	found->count = 0;
	if (!add_new(times, things, size, memory))
		return false;
	for (; begin < times->items.count; begin += length) {
		const struct sort_item *run =
			(struct sort_item *)times->items.items + begin;

		length = run_size(times->items.count, begin);
		i = 0;
		if (from != INT64_MIN)
			i = count_until(run, length, sizeof(*run),
					offsetof(struct sort_item, key),
					from - 1);
		for (; i < length && run[i].key <= to; i++)
			if (array_add(found, &run[i].value, sizeof(uint32_t),
				      memory) == NULL)
				return false;
	}
	return true;
}

void gti_times_free(struct times *times, const struct gtrace_allocator *memory)
{
	gti_array_free(&times->items, sizeof(struct sort_item), memory);
	gti_array_free(&times->found, sizeof(uint32_t), memory);
}
