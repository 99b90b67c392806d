/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.c - the candidates for the next event of a merge.
 *
 * They are in a sorted array, because a new candidate nearly always belongs
 * near its start. A heap is used only for more streams than any Go program has,
 * which would make insertion quadratic.
 */
#include "v1/frontier.h"

#include <stddef.h>
#include <string.h>

static inline struct sort_item *list_end(struct frontier *frontier)
{
	return frontier->list + FRONTIER_LIST_MAX;
}

bool gti_frontier_init(struct frontier *frontier, uint32_t streams,
		       sort_function *sort,
		       const struct gtrace_allocator *memory)
{
	size_t places = heap_places(streams);

	memset(frontier, 0, sizeof(*frontier));
	frontier->streams = streams;
	frontier->first = list_end(frontier);
	frontier->first[0].key = INT64_MAX;
	frontier->first[1].key = INT64_MAX;
	frontier->sort = sort;
	frontier->memory = memory;
	frontier->added =
		gti_allocate_zeroed(memory, streams, sizeof(*frontier->added));
	if (streams <= FRONTIER_LIST_MAX)
		return frontier->added != NULL;
	frontier->heap.items =
		gti_allocate(memory, places * sizeof(struct sort_item));
	if (frontier->added == NULL || frontier->heap.items == NULL)
		return false;
	while (places-- > 0)
		frontier->heap.items[places].key = INT64_MAX;
	return true;
}

void gti_frontier_free(struct frontier *frontier)
{
	size_t size = sizeof(struct sort_item);

	if (frontier->memory == NULL)
		return;
	gti_release(frontier->memory, frontier->added,
		    frontier->streams * size);
	gti_release(frontier->memory, frontier->heap.items,
		    heap_places(frontier->streams) * size);
	frontier->memory = NULL;
}

/* ------------------------------------------------------------------ list -- */

static int compare_streams(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

/* Runs a round as the reference does. */
static void sort_all(struct frontier *frontier)
{
	uint32_t held = frontier->held, added = frontier->added_count, i;
	uint32_t count = held + added;
	struct sort_item *end = list_end(frontier), *list = end - count;
	struct sort_item last = end[-1];

	if (held != 0) {
		memmove(list + 1, end - held, (held - 1) * sizeof(*list));
		list[0] = last;
	}
	gti_sort(frontier->added, added, sizeof(*list), compare_streams);
	memcpy(list + held, frontier->added, added * sizeof(*list));
	frontier->sort(list, count);
	frontier->distinct = true;
	for (i = 2; i < count && frontier->distinct; i++)
		frontier->distinct = list[i - 1].key != list[i].key;
}

static uint32_t take_from_list(struct frontier *frontier)
{
	struct sort_item *end = list_end(frontier);
	const struct sort_item *added = frontier->added;

	if (!frontier->distinct || frontier->added_count != 1 ||
	    !frontier_insert(end - frontier->held, added->key, added->value))
		sort_all(frontier);
	frontier->held += frontier->added_count - 1;
	frontier->first = frontier->distinct ? end - frontier->held : end;
	frontier->keeps_until =
		frontier->distinct ? frontier->first->key : INT64_MIN;
	return end[-1 - (ptrdiff_t)frontier->held].value;
}

/* ------------------------------------------------------------------ heap -- */

static uint32_t take_from_heap(struct frontier *frontier)
{
	struct heap *heap = &frontier->heap;
	uint32_t i, taken;

	for (i = 0; i < frontier->added_count; i++)
		heap_insert(heap, frontier->added[i]);
	taken = heap->items[0].value;
	heap_remove(heap, 0);
	frontier->held = heap->count;
	frontier->keeps_until = heap->items[0].key;
	return taken;
}

/* ---------------------------------------------------------------- rounds -- */

HOT bool gti_frontier_take(struct frontier *frontier, uint32_t *stream)
{
	if (frontier->held + frontier->added_count == 0)
		return false;
	*stream = UNLIKELY(frontier->heap.items != NULL)
			  ? take_from_heap(frontier)
			  : take_from_list(frontier);
	frontier->added_count = 0;
	return true;
}
