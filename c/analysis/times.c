/* SPDX-License-Identifier: BSD-3-Clause */
/* times.c - finds things by their times. */
#include "analysis/times.h"

#include <string.h>

#include "base/compiler.h"
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
		struct sort_item *item;

		if (!gti_array_reserve(&times->items, sizeof(*item), memory))
			return false;
		item = (struct sort_item *)times->items.items + i;
		memcpy(&item->key, (const char *)things->items + i * size,
		       sizeof(item->key));
		item->value = (uint32_t)i;
		times->items.count++;
	}
	sort_runs(times, before);
	return true;
}

/* The first item, of the SIZE ones of a run, of FROM or later. */
static size_t first_from(const struct sort_item *run, size_t size, int64_t from)
{
	size_t low = 0, high = size;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run[middle].key < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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
		i = first_from(run, length, from);
		for (; i < length && run[i].key <= to; i++) {
			if (!gti_array_reserve(found, sizeof(uint32_t), memory))
				return false;
			((uint32_t *)found->items)[found->count++] =
				run[i].value;
		}
	}
	return true;
}

void gti_times_free(struct times *times, const struct gtrace_allocator *memory)
{
	gti_array_free(&times->items, sizeof(struct sort_item), memory);
	gti_array_free(&times->found, sizeof(uint32_t), memory);
}
