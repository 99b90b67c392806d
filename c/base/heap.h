/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap.h - a binary heap of items by time, the least one first.
 *
 * Its shape decides among equal times, and so decides the order of events of Go
 * 1.22 and later. Therefore the functions compare and move items as those of
 * Go's reader do.
 */
#ifndef GTRACE_BASE_HEAP_H_
#define GTRACE_BASE_HEAP_H_

#include <stdbool.h>

#include "base/compiler.h"
#include "base/least.h"
#include "base/sort.h"

/*
 * The items are followed by free places with the time INT64_MAX, so many that
 * each item and the first free place have two children. With one item, the
 * lesser child of the root is that free place.
 */
struct heap {
	struct sort_item *items;
	uint32_t count;
};

/*
 * The number of places of a heap of up to COUNT items. There are at least the
 * 15 places of four levels, as heap_replace() reads the fourth one.
 */
static inline size_t heap_places(size_t count)
{
	return 2 * count + 15;
}

/* Moves the item at I up to where it belongs. Returns its new place. */
static inline uint32_t sift_up(struct sort_item *items, uint32_t i)
{
	struct sort_item item = items[i];

	while (i > 0 && items[(i - 1) / 2].key > item.key) {
		items[i] = items[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	items[i] = item;
	return i;
}

/*
 * The lesser child of the item at AT; of equal ones the left one. Computed, as
 * a branch would often be predicted wrong.
 */
static ALWAYS_INLINE struct sort_item *lesser_child(struct sort_item *items,
						    struct sort_item *at)
{
	struct sort_item *left = at + (at - items) + 1;

	return left + (left[1].key < left[0].key);
}

/* Copies field by field: a wide load would wait for the stores of both. */
static ALWAYS_INLINE void set_item(struct sort_item *at,
				   const struct sort_item *item)
{
	at->key = item->key;
	at->value = item->value;
}

/*
 * Moves ITEM from AT down to where it belongs. A child that equals the item
 * does not move up; so free places, which have the greatest key, never do.
 */
static ALWAYS_INLINE void sift_down(struct sort_item *items,
				    struct sort_item *at, struct sort_item item)
{
	struct sort_item *least = lesser_child(items, at);

	while (least->key < item.key) {
		set_item(at, least);
		at = least;
		least = lesser_child(items, at);
	}
	set_item(at, &item);
}

/*
 * THIRD is the lesser child of the root's lesser child. If the root gets a key
 * greater than that of its lesser child and less than the result, the two
 * change places and no other item moves; the result stays the same.
 */
static ALWAYS_INLINE int64_t heap_turns_end(const struct sort_item *items,
					    const struct sort_item *third)
{
	return least_of(greatest_of(items[1].key, items[2].key), third->key);
}

/*
 * Moves ITEM down from the root to where it belongs. SECOND is the lesser child
 * of the root, THIRD that of SECOND. ITEM is greater than the item that belongs
 * at SECOND, which becomes the root: the caller has to write it. There is no
 * branch between SECOND and THIRD, as in lesser_child(). In recorded traces
 * ITEM seldom belongs further down.
 */
static ALWAYS_INLINE void heap_replace(struct sort_item *items,
				       struct sort_item *second,
				       struct sort_item *third,
				       struct sort_item item)
{
	struct sort_item *at = third->key < item.key ? third : second;
	const struct sort_item *left = third + (third - items) + 1;

	set_item(second, third);
	if (UNLIKELY(left[0].key < item.key || left[1].key < item.key))
		sift_down(items, third, item);
	else
		set_item(at, &item);
}

static inline void heap_insert(struct heap *heap, struct sort_item item)
{
	heap->items[heap->count] = item;
	sift_up(heap->items, heap->count++);
}

/* The item at I gets the time KEY. */
static inline void heap_update(struct heap *heap, uint32_t i, int64_t key)
{
	struct sort_item *items = heap->items;

	items[i].key = key;
	if (sift_up(items, i) == i)
		sift_down(items, items + i, items[i]);
}

/* Removes the item at I: it goes to the root, and the last one replaces it. */
static inline void heap_remove(struct heap *heap, uint32_t i)
{
	struct sort_item *items = heap->items, last;

	for (; i > 0; i = (i - 1) / 2)
		items[i] = items[(i - 1) / 2];
	last = items[--heap->count];
	items[heap->count].key = INT64_MAX;
	if (heap->count > 0)
		sift_down(items, items, last);
}

#endif /* GTRACE_BASE_HEAP_H_ */
