/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - hash map and dictionary with 64-bit keys. */
#include "base/map.h"

#include <string.h>

/* Of a small map most entries are free, so that probing ends early. */
#define FIRST_CAPACITY 256

/* A dictionary's array may have this many elements for each id in it. */
#define DENSE_SPREAD 4
#define DENSE_FIRST  256

static size_t home(const struct map *map, uint64_t key)
{
	return (size_t)hash_key(key, map->secret) & (map->capacity - 1);
}

/* Returns the entry of KEY, or the free one where KEY would be added. */
static struct map_entry *find(const struct map *map, uint64_t key)
{
	size_t i = home(map, key);

	while (map->entries[i].used && map->entries[i].key != key)
		i = (i + 1) & (map->capacity - 1);
	return &map->entries[i];
}

static bool grow(struct map *map, const struct gtrace_allocator *memory)
{
	struct map old = *map;
	size_t i;

	map->capacity = old.capacity == 0 ? FIRST_CAPACITY : old.capacity * 2;
	if (map->secret == 0)
		map->secret = gti_new_secret();
	map->entries = gti_allocate_zeroed(memory, map->capacity,
					   sizeof(*map->entries));
	if (map->entries == NULL) {
		*map = old;
		return false;
	}
	for (i = 0; i < old.capacity; i++)
		if (old.entries[i].used)
			*find(map, old.entries[i].key) = old.entries[i];
	gti_release(memory, old.entries, old.capacity * sizeof(*old.entries));
	return true;
}

uint64_t *gti_map_get(const struct map *map, uint64_t key)
{
	struct map_entry *entry;

	if (map->count == 0)
		return NULL;
	entry = find(map, key);
	return entry->used ? &entry->value : NULL;
}

uint64_t *gti_map_put(struct map *map, uint64_t key,
		      const struct gtrace_allocator *memory)
{
	struct map_entry *entry;

	if (map->count >= map->capacity - map->capacity / 4 &&
	    !grow(map, memory))
		return NULL;
	entry = find(map, key);
	if (!entry->used) {
		*entry = (struct map_entry){.key = key, .used = true};
		map->count++;
	}
	return &entry->value;
}

void gti_map_delete(struct map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	struct map_entry *entry;
	size_t hole, i;

	if (map->count == 0)
		return;
	entry = find(map, key);
	if (!entry->used)
		return;
	map->count--;
	/* Move entries that probing would no longer find into the hole. */
	hole = (size_t)(entry - map->entries);
	for (i = (hole + 1) & mask; map->entries[i].used; i = (i + 1) & mask) {
		size_t first = home(map, map->entries[i].key);

		if (((i - first) & mask) >= ((i - hole) & mask)) {
			map->entries[hole] = map->entries[i];
			hole = i;
		}
	}
	map->entries[hole].used = false;
}

void gti_map_free(struct map *map, const struct gtrace_allocator *memory)
{
	gti_release(memory, map->entries,
		    map->capacity * sizeof(*map->entries));
	*map = (struct map){.secret = map->secret};
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
	for (i = old_size; sparse->count != 0 && i < size; i++) {
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
