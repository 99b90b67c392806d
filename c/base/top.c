/* SPDX-License-Identifier: BSD-3-Clause */
/* top.c - of many items, those that come first in an order. */
#include "base/top.h"

void *gti_top_find(struct top *top, const void *item,
		   const struct gtrace_allocator *memory, bool *failed)
{
	struct array *kept = &top->kept;

	if (top->wanted == 0)
		return NULL;
	if (top_is_full(top))
		return top->compare(item, kept->items) < 0 ? kept->items : NULL;
	if (!gti_array_reserve(kept, top->size, memory)) {
		*failed = true;
		return NULL;
	}
	return (unsigned char *)kept->items + kept->count * top->size;
}

void gti_top_place(struct top *top)
{
	struct array *kept = &top->kept;

	if (top_is_full(top))
		gti_heap_down(kept->items, kept->count, top->size,
			      top->compare);
	else
		gti_heap_up(kept->items, ++kept->count, top->size,
			    top->compare);
}
