/* SPDX-License-Identifier: BSD-3-Clause */
/* actors.c - slots of goroutines, threads and processors. */
#include "feed/actors.h"

#include "base/array.h"

/* A slot for NUMBER; 0: there is no memory. */
static uint32_t take(struct actors *actors, uint64_t number)
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

uint32_t gti_actors_take(struct actors *actors, uint64_t number)
{
	struct slot_taken taken = {number, take(actors, number)};

	if (actors->notes && taken.slot != 0 &&
	    array_add(&actors->taken, &taken, sizeof(taken), actors->memory) ==
		    NULL)
		return 0;
	return taken.slot;
}

bool gti_actors_set(struct actors *actors, const struct slot_taken *taken)
{
	static const uint64_t none = 0;
	uint64_t *number = array_grown(&actors->numbers, taken->slot - 1, &none,
				       sizeof(none), actors->memory);

	if (number != NULL)
		*number = taken->number;
	return number != NULL;
}

bool gti_actors_copy(struct actors *to, const struct actors *from)
{
	size_t i;

	for (i = 0; i < from->numbers.count; i++)
		if (array_add(&to->numbers,
			      (const uint64_t *)from->numbers.items + i,
			      sizeof(uint64_t), to->memory) == NULL)
			return false;
	return true;
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
	gti_array_free(&actors->taken, sizeof(struct slot_taken),
		       actors->memory);
	actors->free = 0;
}
