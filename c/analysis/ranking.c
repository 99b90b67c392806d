/* SPDX-License-Identifier: BSD-3-Clause */
/* ranking.c - the N longest of a sequence of slices. */
#include "analysis/ranking.h"

#include <string.h>

/*
 * The heap is first copied, to look for a cycle, after LOOK_AFTER_MIN refusals,
 * or in larger heaps after one refusal for each LOOK_AFTER_EACH elements. So
 * copying costs little compared to the refusals.
 */
#define LOOK_AFTER_MIN  32
#define LOOK_AFTER_EACH 8

void gti_ranking_free(struct ranking *ranking,
		      const struct gtrace_allocator *memory)
{
	gti_array_free(&ranking->heap, sizeof(struct ranked), memory);
	gti_array_free(&ranking->seen, sizeof(struct ranked), memory);
}

static bool reserve(struct array *array, size_t count,
		    const struct gtrace_allocator *memory)
{
	size_t used = array->count;
	bool ok;

	array->count = count - 1;
	ok = gti_array_reserve(array, sizeof(struct ranked), memory);
	array->count = used;
	return ok;
}

bool gti_ranking_reserve(struct ranking *ranking, size_t count,
			 const struct gtrace_allocator *memory)
{
	return reserve(&ranking->heap, count, memory) &&
	       reserve(&ranking->seen, count, memory);
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

/* Returns whether the heap is as it was when it was copied. */
static bool is_as_seen(const struct ranking *ranking)
{
	const struct ranked *heap = ranking->heap.items;
	const struct ranked *seen = ranking->seen.items;
	size_t count = ranking->seen.count;
	size_t i;

	/* Nearly every refusal that has an effect changes one of these. */
	if (count == 0 || heap[0].slice != seen[0].slice ||
	    heap[count - 1].slice != seen[count - 1].slice)
		return false;
	for (i = 0; i < count; i++)
		if (heap[i].slice != seen[i].slice)
			return false;
	return true;
}

static void look(struct ranking *ranking)
{
	memcpy(ranking->seen.items, ranking->heap.items,
	       ranking->heap.count * sizeof(struct ranked));
	ranking->seen.count = ranking->heap.count;
	ranking->refusals = 0;
	ranking->look_after *= 2;
}

void gti_ranking_refuse(struct ranking *ranking, uint64_t times)
{
	if (ranking->heap.count == 0)
		return;
	while (times > 0 && !ranking->settled) {
		refuse(ranking);
		times--;
		ranking->refusals++;
		if (is_as_seen(ranking)) {
			/* A cycle of refusals has no effect. */
			times %= ranking->refusals;
			ranking->refusals = 0;
		} else if (ranking->refusals == ranking->look_after) {
			look(ranking);
		}
	}
}

/* The heap has changed: a cycle has to be looked for again. */
static void unsettle(struct ranking *ranking)
{
	size_t each = ranking->heap.count / LOOK_AFTER_EACH;

	ranking->settled = false;
	ranking->seen.count = 0;
	ranking->refusals = 0;
	ranking->look_after = each > LOOK_AFTER_MIN ? each : LOOK_AFTER_MIN;
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
	unsettle(ranking);
	return dropped;
}

uint32_t gti_ranking_pop(struct ranking *ranking)
{
	const struct ranked *heap = ranking->heap.items;

	pop(&ranking->heap);
	return heap[ranking->heap.count].slice;
}
