/* SPDX-License-Identifier: BSD-3-Clause */
/* array.h - adds to growing arrays, and finds what is in order in an array. */
#ifndef GTRACE_BASE_ARRAY_H_
#define GTRACE_BASE_ARRAY_H_

#include "base/compiler.h"
#include "base/memory.h"

/*
 * Appends a copy of ITEM, of SIZE bytes. Returns it, or NULL if there is no
 * memory.
 */
static inline void *array_add(struct array *array, const void *item,
			      size_t size,
			      const struct gtrace_allocator *memory)
{
	char *added;

	if (UNLIKELY(array->count == array->capacity) &&
	    !gti_array_reserve(array, size, memory))
		return NULL;
	added = (char *)array->items + array->count++ * size;
	memcpy(added, item, size);
	return added;
}

/*
 * Appends copies of ITEM, of SIZE bytes, until ARRAY has COUNT. Returns false
 * if there is no memory.
 */
static inline bool array_fill(struct array *array, size_t count,
			      const void *item, size_t size,
			      const struct gtrace_allocator *memory)
{
	while (array->count < count)
		if (array_add(array, item, size, memory) == NULL)
			return false;
	return true;
}

/*
 * Item NUMBER of ARRAY, of SIZE bytes. If there are not so many, copies of NONE
 * are appended up to it. NULL: there is no memory.
 */
static inline void *array_grown(struct array *array, size_t number,
				const void *none, size_t size,
				const struct gtrace_allocator *memory)
{
	if (UNLIKELY(number >= array->count) &&
	    !array_fill(array, number + 1, none, size, memory))
		return NULL;
	return (char *)array->items + number * size;
}

/*
 * How many of COUNT ITEMS of SIZE bytes have an int64_t at OFFSET, in whose
 * order they are, that is not greater than LAST.
 */
static inline size_t count_until(const void *items, size_t count, size_t size,
				 size_t offset, int64_t last)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		int64_t key;

		memcpy(&key, (const char *)items + middle * size + offset,
		       sizeof(key));
		if (key <= last)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

#endif /* GTRACE_BASE_ARRAY_H_ */
