/* SPDX-License-Identifier: BSD-3-Clause */
/* ids.c - records by id. */
#include "base/ids.h"

#include "base/map.h"

/*
 * The upper half is that of 2^64 divided by the golden ratio, which spreads ids
 * that follow each other; with a random one, rows of probes can be long. The
 * lower half is random, so that no file can be made whose ids all collide.
 */
#define MULTIPLIER 0x9e3779b900000000u

#define FIRST_BITS 6

/* The next place after I. */
static size_t after(const struct ids *ids, size_t i)
{
	return (i + 1) & (ids_capacity(ids) - 1);
}

bool gti_ids_init(struct ids *ids, size_t size,
		  const struct gtrace_allocator *memory)
{
	*ids = (struct ids){
		.multiplier = MULTIPLIER | (uint32_t)gti_hash_seed() | 1,
		.shift = 64 - FIRST_BITS,
		.records = {.memory = memory, .size = size},
	};
	ids->entries = gti_allocate_zeroed(memory, ids_capacity(ids),
					   sizeof(*ids->entries));
	return ids->entries != NULL;
}

void gti_ids_free(struct ids *ids)
{
	if (ids->entries == NULL)
		return;
	gti_release(ids->records.memory, ids->entries,
		    ids_capacity(ids) * sizeof(*ids->entries));
	ids->entries = NULL;
	gti_pool_free(&ids->records);
}

/* Enters RECORD under ID, which has none, in a table with a free entry. */
static void enter(struct ids *ids, uint64_t id, void *record)
{
	size_t i = ids_place(ids, id);

	while (ids->entries[i].record != NULL)
		i = after(ids, i);
	ids->entries[i] = (struct id_entry){id, record};
}

/* Makes the table twice as large. */
static bool grow(struct ids *ids)
{
	const struct gtrace_allocator *memory = ids->records.memory;
	struct id_entry *old = ids->entries;
	size_t capacity = ids_capacity(ids), i;
	struct id_entry *entries =
		gti_allocate_zeroed(memory, capacity * 2, sizeof(*old));

	if (entries == NULL)
		return false;
	ids->entries = entries;
	ids->shift--;
	for (i = 0; i < capacity; i++)
		if (old[i].record != NULL)
			enter(ids, old[i].id, old[i].record);
	gti_release(memory, old, capacity * sizeof(*old));
	return true;
}

void *gti_ids_add(struct ids *ids, uint64_t id)
{
	void *record;

	/* At most half of the places are taken. */
	if (ids->count >= ids_capacity(ids) / 2 && !grow(ids))
		return NULL;
	record = gti_pool_take(&ids->records);
	if (record == NULL)
		return NULL;
	ids->count++;
	enter(ids, id, record);
	return record;
}

void gti_ids_remove(struct ids *ids, uint64_t id, void *record)
{
	size_t hole = ids_place(ids, id);
	size_t mask = ids_capacity(ids) - 1, i;

	while (ids->entries[hole].record != record)
		hole = after(ids, hole);
	/* Moves what would not be found any more into the hole. */
	for (i = after(ids, hole); ids->entries[i].record != NULL;
	     i = after(ids, i)) {
		size_t place = ids_place(ids, ids->entries[i].id);

		if (((i - place) & mask) >= ((i - hole) & mask)) {
			ids->entries[hole] = ids->entries[i];
			hole = i;
		}
	}
	ids->entries[hole].record = NULL;
	ids->count--;
	gti_pool_give(&ids->records, record);
}
