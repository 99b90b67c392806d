/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - hash map and dictionary with 64-bit keys. */
#include "base/map.h"

#include <string.h>

/* The first capacity is half of this power of two, in entries. */
#define FIRST_BITS 8

/* A dictionary's array may have this many elements for each id in it. */
#define DENSE_SPREAD 4
#define DENSE_FIRST  256

struct map_entry {
	uint64_t key;
	uint64_t value;
};

static ALWAYS_INLINE struct map_entry *find(const struct map *map, uint64_t key)
{
	return map->entries.table != NULL ? ids_find(&map->entries, key) : NULL;
}

uint64_t *gti_map_get(const struct map *map, uint64_t key)
{
	struct map_entry *entry = find(map, key);

	return entry != NULL ? &entry->value : NULL;
}

uint64_t *gti_map_put(struct map *map, uint64_t key,
		      const struct gtrace_allocator *memory)
{
	struct map_entry *entry = find(map, key);
	struct ids *entries = &map->entries;

	if (entry != NULL)
		return &entry->value;
	if (entries->table == NULL &&
	    !gti_ids_init(entries, sizeof(*entry), FIRST_BITS, memory))
		return NULL;
	entries->records.memory = memory;
	entry = gti_ids_add(entries, key);
	return entry != NULL ? &entry->value : NULL;
}

void gti_map_delete(struct map *map, uint64_t key)
{
	struct map_entry *entry = find(map, key);

	if (entry != NULL)
		gti_ids_remove(&map->entries, entry);
}

void gti_map_free(struct map *map, const struct gtrace_allocator *memory)
{
	map->entries.records.memory = memory;
	gti_ids_free(&map->entries);
	map->entries.count = 0;
}

/* Grows the dense part beyond ID, and moves the ids that it now covers. */
static bool extend(struct dictionary *dictionary, uint64_t id,
		   const struct gtrace_allocator *memory)
{
	size_t old_size = dictionary->dense_size;
	size_t size = old_size == 0 ? DENSE_FIRST : old_size;
	struct map *sparse = &dictionary->sparse;
	uint64_t *dense;
	size_t i;

	while (size <= id)
		size *= 2;
	dense = memory->resize(memory->context, dictionary->dense,
			       old_size * sizeof(*dense),
			       size * sizeof(*dense));
	if (dense == NULL)
		return false;
	memset(dense + old_size, 0, (size - old_size) * sizeof(*dense));
	dictionary->dense = dense;
	dictionary->dense_size = size;
	for (i = old_size; map_count(sparse) != 0 && i < size; i++) {
		uint64_t *value = gti_map_get(sparse, i);

		if (value != NULL) {
			dense[i] = *value;
			gti_map_delete(sparse, i);
		}
	}
	return true;
}

bool gti_dictionary_set(struct dictionary *dictionary, uint64_t id,
			uint64_t value, const struct gtrace_allocator *memory)
{
	uint64_t *place;

	if (id >= dictionary->dense_size &&
	    id < DENSE_SPREAD * (dictionary->count + DENSE_FIRST / 4) &&
	    !extend(dictionary, id, memory))
		return false;
	if (id < dictionary->dense_size)
		place = &dictionary->dense[id];
	else
		place = gti_map_put(&dictionary->sparse, id, memory);
	if (place == NULL)
		return false;
	if (*place == 0)
		dictionary->count++;
	*place = value;
	return true;
}

uint64_t gti_dictionary_get_sparse(const struct dictionary *dictionary,
				   uint64_t id)
{
	const uint64_t *value = gti_map_get(&dictionary->sparse, id);

	return value != NULL ? *value : 0;
}

void gti_dictionary_free(struct dictionary *dictionary,
			 const struct gtrace_allocator *memory)
{
	gti_release(memory, dictionary->dense,
		    dictionary->dense_size * sizeof(*dictionary->dense));
	gti_map_free(&dictionary->sparse, memory);
	*dictionary = (struct dictionary){0};
}
