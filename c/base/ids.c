/* SPDX-License-Identifier: BSD-3-Clause */
/* ids.c - records by id. */
#include "base/ids.h"

bool gti_ids_init(struct ids *ids, size_t size, unsigned bits,
		  const struct gtrace_allocator *memory)
{
	*ids = (struct ids){
		.secret = gti_new_secret(),
		.mask = ((size_t)1 << bits) - 1,
		.shift = 64 - bits,
		.records = {.memory = memory, .size = size},
	};
	ids->table = gti_allocate_zeroed(memory, ids_capacity(ids),
					 sizeof(*ids->table));
	return ids->table != NULL;
}

void gti_ids_free(struct ids *ids)
{
	if (ids->table == NULL)
		return;
	gti_release(ids->records.memory, ids->table,
		    ids_capacity(ids) * sizeof(*ids->table));
	ids->table = NULL;
	gti_pool_free(&ids->records);
}

/* Enters RECORD in a table with a free place. */
static void enter(struct ids *ids, void *record)
{
	size_t place = ids_place(ids, record_id(record));

	while (ids->table[place] != NULL)
		place = ids_next(ids, place);
	ids->table[place] = record;
}

/* Makes the table twice as large. */
static bool grow(struct ids *ids)
{
	const struct gtrace_allocator *memory = ids->records.memory;
	size_t capacity = ids_capacity(ids), i;
	void **old = ids->table;
	void **table = gti_allocate_zeroed(memory, capacity * 2, sizeof(*old));

	if (table == NULL)
		return false;
	ids->table = table;
	ids->mask = capacity * 2 - 1;
	ids->shift--;
	for (i = 0; i < capacity; i++)
		if (old[i] != NULL)
			enter(ids, old[i]);
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
	*(uint64_t *)record = id;
	enter(ids, record);
	return record;
}

void gti_ids_remove(struct ids *ids, void *record)
{
	size_t hole = ids_place(ids, record_id(record));
	size_t i;

	while (ids->table[hole] != record)
		hole = ids_next(ids, hole);
	/* Moves what would not be found any more into the hole. */
	for (i = ids_next(ids, hole); ids->table[i] != NULL;
	     i = ids_next(ids, i)) {
		size_t place = ids_place(ids, record_id(ids->table[i]));

		if (ids_distance(ids, place, i) >= ids_distance(ids, hole, i)) {
			ids->table[hole] = ids->table[i];
			hole = i;
		}
	}
	ids->table[hole] = NULL;
	ids->count--;
	gti_pool_give(&ids->records, record);
}
