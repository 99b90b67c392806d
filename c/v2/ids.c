/* SPDX-License-Identifier: BSD-3-Clause */
/* ids.c - records by id. */
#include "v2/ids.h"

#include <string.h>

#include "base/map.h"

/*
 * The upper half is that of 2^64 divided by the golden ratio, which spreads ids
 * that follow each other; with a random one, rows of probes can be long. The
 * lower half is random, so that no file can be made whose ids all collide.
 */
#define MULTIPLIER 0x9e3779b900000000u

#define FIRST_BITS 6

#define CHUNK_RECORDS 256

/* Bytes to allocate for a chunk, so that its records can be aligned. */
static size_t chunk_size(const struct ids *ids)
{
	return CHUNK_RECORDS * ids->size + RECORD_ALIGNMENT;
}

/* The next place after I. */
static size_t after(const struct ids *ids, size_t i)
{
	return (i + 1) & (ids_capacity(ids) - 1);
}

bool gti_v2_ids_init(struct ids *ids, size_t size,
		     const struct gtrace_allocator *memory)
{
	*ids = (struct ids){
		.memory = memory,
		.multiplier = MULTIPLIER | (uint32_t)gti_hash_seed() | 1,
		.shift = 64 - FIRST_BITS,
		.size = size,
	};
	ids->entries = gti_allocate_zeroed(memory, ids_capacity(ids),
					   sizeof(*ids->entries));
	return ids->entries != NULL;
}

void gti_v2_ids_free(struct ids *ids)
{
	size_t i;

	if (ids->memory == NULL)
		return;
	gti_release(ids->memory, ids->entries,
		    ids->entries != NULL
			    ? ids_capacity(ids) * sizeof(*ids->entries)
			    : 0);
	for (i = 0; i < ids->chunks.count; i++)
		gti_release(ids->memory, ((void **)ids->chunks.items)[i],
			    chunk_size(ids));
	gti_array_free(&ids->chunks, sizeof(void *), ids->memory);
	ids->memory = NULL;
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
	struct id_entry *old = ids->entries;
	size_t capacity = ids_capacity(ids), i;
	struct id_entry *entries =
		gti_allocate_zeroed(ids->memory, capacity * 2, sizeof(*old));

	if (entries == NULL)
		return false;
	ids->entries = entries;
	ids->shift--;
	for (i = 0; i < capacity; i++)
		if (old[i].record != NULL)
			enter(ids, old[i].id, old[i].record);
	gti_release(ids->memory, old, capacity * sizeof(*old));
	return true;
}

static bool add_chunk(struct ids *ids)
{
	void *chunk;

	if (ids->used > UINT32_MAX - CHUNK_RECORDS ||
	    !gti_array_reserve(&ids->chunks, sizeof(void *), ids->memory))
		return false;
	chunk = gti_allocate_zeroed(ids->memory, 1, chunk_size(ids));
	if (chunk == NULL)
		return false;
	((void **)ids->chunks.items)[ids->chunks.count++] = chunk;
	return true;
}

static void *new_record(struct ids *ids)
{
	void *record = ids->removed;

	if (record != NULL) {
		memcpy(&ids->removed, record, sizeof(ids->removed));
		memset(record, 0, ids->size);
		return record;
	}
	if (ids->used == ids->chunks.count * CHUNK_RECORDS && !add_chunk(ids))
		return NULL;
	return gti_v2_ids_at(ids, ids->used++);
}

void *gti_v2_ids_add(struct ids *ids, uint64_t id)
{
	void *record;

	/* At most half of the places are taken. */
	if (ids->count >= ids_capacity(ids) / 2 && !grow(ids))
		return NULL;
	record = new_record(ids);
	if (record == NULL)
		return NULL;
	ids->count++;
	enter(ids, id, record);
	return record;
}

void gti_v2_ids_remove(struct ids *ids, uint64_t id, void *record)
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
	memcpy(record, &ids->removed, sizeof(ids->removed));
	ids->removed = record;
}

void *gti_v2_ids_at(const struct ids *ids, uint32_t index)
{
	uint8_t *chunk = ((uint8_t **)ids->chunks.items)[index / CHUNK_RECORDS];

	chunk += RECORD_ALIGNMENT - (uintptr_t)chunk % RECORD_ALIGNMENT;
	return chunk + index % CHUNK_RECORDS * ids->size;
}
