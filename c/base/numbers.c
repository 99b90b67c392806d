/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.c - finds the numbers of things by their keys. */
#include "base/numbers.h"

#include <string.h>

#define TABLE_FIRST 1024

static bool new_table(struct numbers *numbers, uint32_t size)
{
	uint32_t *table =
		gti_allocate_zeroed(numbers->memory, size, sizeof(*table));

	if (table == NULL)
		return false;
	gti_release(numbers->memory, numbers->table,
		    ((size_t)numbers->mask + 1) * sizeof(*table));
	numbers->table = table;
	numbers->mask = size - 1;
	return true;
}

bool gti_numbers_init(struct numbers *numbers,
		      const struct gtrace_allocator *memory)
{
	*numbers = (struct numbers){
		.memory = memory,
		.secret = gti_new_secret(),
	};
	return new_table(numbers, TABLE_FIRST);
}

void gti_numbers_free(struct numbers *numbers)
{
	if (numbers->table == NULL)
		return;
	gti_release(numbers->memory, numbers->table,
		    ((size_t)numbers->mask + 1) * sizeof(*numbers->table));
	numbers->table = NULL;
}

void gti_numbers_empty(struct numbers *numbers)
{
	memset(numbers->table, 0,
	       ((size_t)numbers->mask + 1) * sizeof(*numbers->table));
	numbers->count = 0;
}

bool gti_numbers_grow(struct numbers *numbers,
		      uint64_t (*key_of)(const void *context, uint32_t number),
		      const void *context)
{
	uint32_t i;

	if (numbers->mask > UINT32_MAX / 8 ||
	    !new_table(numbers, (numbers->mask + 1) * 4))
		return false;
	for (i = 0; i < numbers->count; i++)
		numbers->table[numbers_free_place(numbers,
						  key_of(context, i))] = i + 1;
	return true;
}
