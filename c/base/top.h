/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * top.h - of many items, those that come first in an order.
 *
 * They are in a heap with the last of them first, which the next item that comes
 * before it replaces.
 */
#ifndef GTRACE_BASE_TOP_H_
#define GTRACE_BASE_TOP_H_

#include <stdbool.h>

#include "base/memory.h"
#include "base/sort.h"

struct top {
	struct array kept;
	size_t wanted; /* so many are kept; can be 0 */
	size_t size;   /* of an item, a multiple of 8 */
	compare_function *compare;
};

/*
 * Whether as many as are wanted are kept. Then the place of a new one has the
 * one that is kept no longer.
 */
static inline bool top_is_full(const struct top *top)
{
	return top->kept.count == top->wanted;
}

/*
 * Returns the place for ITEM, which the caller fills before it calls
 * gti_top_place(). NULL: ITEM comes after those that are kept; or there is no
 * memory, and *FAILED is set.
 */
void *gti_top_find(struct top *top, const void *item,
		   const struct gtrace_allocator *memory, bool *failed);

/* The place that gti_top_find() has returned has its item now. */
void gti_top_place(struct top *top);

/* Puts those that are kept in order: no more can be added. */
static inline void top_sort(struct top *top)
{
	gti_sort(top->kept.items, top->kept.count, top->size, top->compare);
}

static inline void top_free(struct top *top,
			    const struct gtrace_allocator *memory)
{
	gti_array_free(&top->kept, top->size, memory);
}

#endif /* GTRACE_BASE_TOP_H_ */
