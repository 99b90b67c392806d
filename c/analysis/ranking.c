/* SPDX-License-Identifier: BSD-3-Clause */
/* ranking.c - the N longest of a sequence of slices. */
#include "analysis/ranking.h"

void gti_ranking_free(struct ranking *ranking,
		      const struct gtrace_allocator *memory)
{
	gti_array_free(&ranking->heap, sizeof(struct ranked), memory);
}

bool gti_ranking_reserve(struct ranking *ranking, size_t count,
			 const struct gtrace_allocator *memory)
{
	size_t used = ranking->heap.count;
	bool good;

	ranking->heap.count = count - 1;
	good = gti_array_reserve(&ranking->heap, sizeof(struct ranked), memory);
	ranking->heap.count = used;
	return good;
}

/* ------------------------------------------- container/heap of go1.8.3 -- */

/* Moves the element AT up while it is less than its parent. */
static void up(struct ranked *heap, size_t at)
{
	struct ranked moved = heap[at];

	while (at > 0 && moved.length < heap[(at - 1) / 2].length) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = moved;
}

/*
 * Moves the first of COUNT elements down while a child is less; of two equal
 * children the right one moves up. Returns the element's new place.
 */
static size_t down(struct ranked *heap, size_t count)
{
	struct ranked moved = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    !(heap[child].length < heap[child + 1].length))
			child++;
		if (!(heap[child].length < moved.length))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return at;
}

/*
 * Removes the least element, and leaves it in memory after the others. Returns
 * the new place of the element that was the last one.
 */
static size_t pop(struct array *array)
{
	struct ranked *heap = array->items;
	size_t last = --array->count;
	struct ranked least = heap[0];

	heap[0] = heap[last];
	heap[last] = least;
	return last == 0 ? 0 : down(heap, last);
}

/* -------------------------------------------------------------- refusals -- */

/* Pops the least element and pushes it again. */
static void refuse(struct ranking *ranking)
{
	struct ranked *heap = ranking->heap.items;
	size_t last = ranking->heap.count - 1;
	struct ranked least = heap[0];
	size_t sunk = pop(&ranking->heap);

	ranking->heap.count++;
	up(heap, last);
	/*
	 * If the last element moved down to the parent of its old place, and
	 * the least one moved up through there to the root, the heap is as
	 * before. Then further refusals do not change it either.
	 */
	ranking->settled = last == 0 || (sunk == (last - 1) / 2 &&
					 heap[0].slice == least.slice);
}

void gti_ranking_refuse(struct ranking *ranking, uint64_t times)
{
	if (ranking->heap.count == 0)
		return;
	for (; times > 0 && !ranking->settled; times--)
		refuse(ranking);
}

/* ---------------------------------------------------------------- offers -- */

uint32_t gti_ranking_offer(struct ranking *ranking, size_t wanted,
			   int64_t length, uint32_t slice)
{
	struct ranked *heap = ranking->heap.items;
	uint32_t dropped = RANKED_NONE;
	size_t last = ranking->heap.count;

	if (last == wanted) {
		if (heap[0].length >= length) {
			gti_ranking_refuse(ranking, 1);
			return slice;
		}
		pop(&ranking->heap);
		last = ranking->heap.count;
		dropped = heap[last].slice;
	}
	heap[last] = (struct ranked){length, slice};
	ranking->heap.count++;
	up(heap, last);
	ranking->settled = false;
	return dropped;
}

uint32_t gti_ranking_pop(struct ranking *ranking)
{
	const struct ranked *heap = ranking->heap.items;

	pop(&ranking->heap);
	return heap[ranking->heap.count].slice;
}
