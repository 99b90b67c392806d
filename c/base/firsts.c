/* SPDX-License-Identifier: BSD-3-Clause */
/* firsts.c - keeps the first N of many things in an order. */
#include "base/firsts.h"

#include <stdint.h>
#include <string.h>

static void swap(uint8_t *a, uint8_t *b, size_t size)
{
	uint64_t x, y;

	for (; size >= sizeof(x); size -= sizeof(x)) {
		memcpy(&x, a, sizeof(x));
		memcpy(&y, b, sizeof(y));
		memcpy(a, &y, sizeof(y));
		memcpy(b, &x, sizeof(x));
		a += sizeof(x);
		b += sizeof(y);
	}
}

void gti_firsts_added(void *heap, size_t count, size_t size,
		      before_function *before)
{
	uint8_t *items = heap;
	size_t at = count - 1;

	for (; at > 0; at = (at - 1) / 2) {
		uint8_t *parent = items + (at - 1) / 2 * size;

		if (!before(parent, items + at * size))
			break;
		swap(parent, items + at * size, size);
	}
}

void gti_firsts_replaced(void *heap, size_t count, size_t size,
			 before_function *before)
{
	uint8_t *items = heap;
	size_t at = 0, child = 1;

	for (; child < count; child = 2 * at + 1) {
		if (child + 1 < count &&
		    before(items + child * size, items + (child + 1) * size))
			child++;
		if (!before(items + at * size, items + child * size))
			break;
		swap(items + at * size, items + child * size, size);
		at = child;
	}
}

void gti_firsts_sort(void *heap, size_t count, size_t size,
		     before_function *before)
{
	uint8_t *items = heap;

	while (count > 1) {
		count--;
		swap(items, items + count * size, size);
		gti_firsts_replaced(heap, count, size, before);
	}
}
