/* SPDX-License-Identifier: BSD-3-Clause */
/* actors.c - slots of goroutines, threads and processors. */
#include "feed/actors.h"

#include "base/array.h"

uint32_t gti_actors_take(struct actors *actors, uint64_t number)
{
	uint32_t *released = actors->released.items, slot;

	if (actors->free != 0) {
		slot = released[--actors->free];
		released[actors->free] = released[--actors->released.count];
		((uint64_t *)actors->numbers.items)[slot - 1] = number;
		return slot;
	}
	if (actors->numbers.count >= UINT32_MAX - 1 ||
	    array_add(&actors->numbers, &number, sizeof(number),
		      actors->memory) == NULL)
		return 0;
	return (uint32_t)actors->numbers.count;
}

bool gti_actors_release(struct actors *actors, uint32_t slot)
{
	return array_add(&actors->released, &slot, sizeof(slot),
			 actors->memory) != NULL;
}

void gti_actors_free(struct actors *actors)
{
	gti_array_free(&actors->numbers, sizeof(uint64_t), actors->memory);
	gti_array_free(&actors->released, sizeof(uint32_t), actors->memory);
	actors->free = 0;
}
