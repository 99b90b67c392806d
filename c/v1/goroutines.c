/* SPDX-License-Identifier: BSD-3-Clause */
/* goroutines.c - goroutines by id. */
#include "v1/goroutines.h"

#include <string.h>

#define TABLE_FIRST 256

/* Doubles the table, and puts everybody in his place. */
static bool grow(struct goroutines *goroutines)
{
	size_t old_size = goroutines->table == NULL
				  ? 0
				  : (size_t)goroutines->mask + 1;
	size_t size = old_size == 0 ? TABLE_FIRST : old_size * 2;
	uint32_t *old = goroutines->table;
	uint32_t *table;
	size_t i;

	if (size > UINT32_MAX)
		return false;
	table = gtrace_allocate_zeroed(goroutines->memory, size,
				       sizeof(*table));
	if (table == NULL)
		return false;
	goroutines->table = table;
	goroutines->mask = (uint32_t)(size - 1);
	for (i = 0; i < old_size; i++) {
		uint32_t at;

		if (old[i] == 0)
			continue;
		at = goroutines_home(goroutines, goroutine_at(goroutines, old[i] - 1)->id);
		while (table[at] != 0)
			at = (at + 1) & goroutines->mask;
		table[at] = old[i];
	}
	gtrace_release(goroutines->memory, old, old_size * sizeof(*old));
	return true;
}

bool gtrace_goroutines_init(struct goroutines *goroutines, bool forget,
			    const struct gtrace_allocator *memory)
{
	uint32_t slot;

	*goroutines = (struct goroutines){
		.memory = memory,
		.slots.element_size = sizeof(struct ordered_goroutine),
		.free_list = SLOT_NONE,
		.seed = gtrace_hash_seed(),
		.forget = forget,
	};
	return grow(goroutines) && goroutines_find(goroutines, 0, &slot);
}

void gtrace_goroutines_free(struct goroutines *goroutines)
{
	if (goroutines->memory == NULL)
		return;
	gtrace_release(goroutines->memory, goroutines->table,
		       ((size_t)goroutines->mask + 1) *
			       sizeof(*goroutines->table));
	gtrace_chunks_free(&goroutines->slots, goroutines->memory);
	gtrace_idset_free(&goroutines->ended, goroutines->memory);
	goroutines->memory = NULL;
}

/* A slot that nobody has, its contents zero. */
static bool take_slot(struct goroutines *goroutines, uint32_t *slot)
{
	if (goroutines->free_list != SLOT_NONE) {
		*slot = goroutines->free_list;
		goroutines->free_list =
			goroutine_at(goroutines, *slot)->next_free;
		memset(goroutine_at(goroutines, *slot), 0,
		       sizeof(struct ordered_goroutine));
		return true;
	}
	if (!gtrace_chunks_reserve(&goroutines->slots, goroutines->used,
				   goroutines->memory))
		return false;
	*slot = goroutines->used++;
	return true;
}

bool gtrace_goroutines_add(struct goroutines *goroutines, uint64_t id,
			   uint32_t *slot)
{
	uint32_t at;

	if (gtrace_idset_has(&goroutines->ended, id)) {
		*slot = SLOT_NONE;
		return true;
	}
	if (goroutines->live >= goroutines->mask / 4 * 3 && !grow(goroutines))
		return false;
	if (!take_slot(goroutines, slot))
		return false;
	at = goroutines_home(goroutines, id);
	while (goroutines->table[at] != 0)
		at = (at + 1) & goroutines->mask;
	goroutines->table[at] = *slot + 1;
	goroutines->live++;
	goroutine_at(goroutines, *slot)->id = id;
	return true;
}

static void take_out(struct goroutines *goroutines, uint32_t slot)
{
	uint32_t mask = goroutines->mask;
	uint32_t hole = goroutines_home(goroutines, goroutine_at(goroutines, slot)->id);
	uint32_t at;

	while (goroutines->table[hole] != slot + 1)
		hole = (hole + 1) & mask;
	for (at = (hole + 1) & mask; goroutines->table[at] != 0;
	     at = (at + 1) & mask) {
		uint32_t other = goroutines->table[at] - 1;
		uint32_t wish =
			goroutines_home(goroutines, goroutine_at(goroutines, other)->id);

		if (((at - wish) & mask) >= ((at - hole) & mask)) {
			goroutines->table[hole] = goroutines->table[at];
			hole = at;
		}
	}
	goroutines->table[hole] = 0;
}

bool gtrace_goroutines_end(struct goroutines *goroutines, uint32_t slot)
{
	struct ordered_goroutine *goroutine = goroutine_at(goroutines, slot);

	if (!goroutines->forget || slot == 0 || goroutine->heads != 0)
		return true;
	if (!gtrace_idset_add(&goroutines->ended, goroutine->id,
			      goroutines->memory))
		return false;
	take_out(goroutines, slot);
	goroutines->live--;
	goroutine->next_free = goroutines->free_list;
	goroutines->free_list = slot;
	return true;
}
