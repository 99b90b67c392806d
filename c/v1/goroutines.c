/* SPDX-License-Identifier: BSD-3-Clause */
/* goroutines.c - goroutines by id. */
#include "v1/goroutines.h"

#include <string.h>

#define TABLE_FIRST 256

/*
 * 2^64 divided by the golden ratio spreads sequential ids. Its upper bits are
 * kept for that; the lower ones are random, so that no file can be made whose
 * ids all collide.
 */
#define MULTIPLIER  0x9e3779b97f4a7c15u
#define RANDOM_BITS 0x0000fffffffffffeu

static size_t table_size(const struct goroutines *goroutines)
{
	return goroutines->table == NULL ? 0 : (size_t)goroutines->mask + 1;
}

static void put(struct goroutines *goroutines, struct goroutine *goroutine)
{
	uint32_t at = goroutines_home(goroutines, goroutine->id);

	while (goroutines->table[at] != NULL)
		at = (at + 1) & goroutines->mask;
	goroutines->table[at] = goroutine;
}

/* Doubles the table and rehashes all entries. */
static bool grow(struct goroutines *goroutines)
{
	struct goroutine **old = goroutines->table;
	size_t old_size = table_size(goroutines);
	size_t size = old_size == 0 ? TABLE_FIRST : old_size * 2;
	size_t i;

	if (size > UINT32_MAX)
		return false;
	goroutines->table = gti_allocate_zeroed(goroutines->memory, size,
						sizeof(struct goroutine *));
	if (goroutines->table == NULL) {
		goroutines->table = old;
		return false;
	}
	goroutines->mask = (uint32_t)(size - 1);
	goroutines->shift = 64 - count_bits(goroutines->mask);
	for (i = 0; i < old_size; i++)
		if (old[i] != NULL)
			put(goroutines, old[i]);
	gti_release(goroutines->memory, old,
		    old_size * sizeof(struct goroutine *));
	return true;
}

bool gti_goroutines_init(struct goroutines *goroutines, bool forget,
			 const struct gtrace_allocator *memory)
{
	struct goroutine *zero;

	*goroutines = (struct goroutines){
		.memory = memory,
		.slots.element_size = sizeof(struct goroutine),
		.free_list = SLOT_NONE,
		.multiplier = MULTIPLIER ^ (gti_hash_seed() & RANDOM_BITS),
		.forget = forget,
	};
	if (!grow(goroutines) || !goroutines_find(goroutines, 0, &zero))
		return false;
	zero->state = RUNNING;
	zero->exists = 1;
	return true;
}

void gti_goroutines_free(struct goroutines *goroutines)
{
	if (goroutines->memory == NULL)
		return;
	gti_release(goroutines->memory, goroutines->table,
		    table_size(goroutines) * sizeof(struct goroutine *));
	gti_chunks_free(&goroutines->slots, goroutines->memory);
	gti_idset_free(&goroutines->ended, goroutines->memory);
	goroutines->memory = NULL;
}

/* Returns a free slot, zeroed except for its number. */
static struct goroutine *take_slot(struct goroutines *goroutines)
{
	struct goroutine *goroutine;
	uint32_t slot = goroutines->free_list;

	if (slot != SLOT_NONE) {
		goroutine = goroutine_at(goroutines, slot);
		goroutines->free_list = goroutine->next_free;
		memset(goroutine, 0, sizeof(*goroutine));
	} else {
		slot = goroutines->used;
		if (!gti_chunks_reserve(&goroutines->slots, slot,
					goroutines->memory))
			return NULL;
		goroutines->used++;
		goroutine = goroutine_at(goroutines, slot);
	}
	goroutine->slot = slot;
	return goroutine;
}

bool gti_goroutines_add(struct goroutines *goroutines, uint64_t id,
			struct goroutine **added)
{
	bool ended;

	*added = NULL;
	if (!idset_has(&goroutines->ended, id, goroutines->memory, &ended))
		return false;
	if (ended)
		return true;
	if (goroutines->live >= goroutines->mask / 4 * 3 && !grow(goroutines))
		return false;
	*added = take_slot(goroutines);
	if (*added == NULL)
		return false;
	(*added)->id = id;
	put(goroutines, *added);
	goroutines->live++;
	return true;
}

static void take_out(struct goroutines *goroutines,
		     const struct goroutine *goroutine)
{
	struct goroutine **table = goroutines->table;
	uint32_t mask = goroutines->mask;
	uint32_t hole = goroutines_home(goroutines, goroutine->id);
	uint32_t at;

	while (table[hole] != goroutine)
		hole = (hole + 1) & mask;
	/* Move entries that probing would no longer find into the hole. */
	for (at = (hole + 1) & mask; table[at] != NULL; at = (at + 1) & mask) {
		uint32_t home = goroutines_home(goroutines, table[at]->id);

		if (((at - home) & mask) >= ((at - hole) & mask)) {
			table[hole] = table[at];
			hole = at;
		}
	}
	table[hole] = NULL;
}

bool gti_goroutines_end(struct goroutines *goroutines,
			struct goroutine *goroutine)
{
	if (!goroutines->forget || goroutine->slot == 0 ||
	    goroutine->pinned != 0)
		return true;
	if (!gti_idset_add(&goroutines->ended, goroutine->id,
			   goroutines->memory))
		return false;
	take_out(goroutines, goroutine);
	goroutines->live--;
	goroutine->next_free = goroutines->free_list;
	goroutines->free_list = goroutine->slot;
	return true;
}
