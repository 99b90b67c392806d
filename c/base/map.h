/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.h - hash map from 64-bit keys to 64-bit values, and a dictionary that
 * keeps small keys, which nearly all are, in an array.
 */
#ifndef GTRACE_BASE_MAP_H_
#define GTRACE_BASE_MAP_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/ids.h"
#include "base/memory.h"

/* Zero is the empty map. */
struct map {
	struct ids entries; /* struct map_entry, see map.c */
};

static inline size_t map_count(const struct map *map)
{
	return map->entries.count;
}

/*
 * Returns the value of KEY, or NULL if the map has none. Valid until KEY is
 * deleted.
 */
uint64_t *gti_map_get(const struct map *map, uint64_t key);

/*
 * Returns the value of KEY, which is added as 0 if new. NULL: there is no
 * memory.
 */
uint64_t *gti_map_put(struct map *map, uint64_t key,
		      const struct gtrace_allocator *memory);

/* Removes KEY, if the map has it. */
void gti_map_delete(struct map *map, uint64_t key);

void gti_map_free(struct map *map, const struct gtrace_allocator *memory);

/*
 * Maps ids, most of them small and dense, to values other than 0. Zero is the
 * empty dictionary.
 */
struct dictionary {
	uint64_t *dense; /* by id; 0: none */
	size_t dense_size;
	struct map sparse;
	size_t count;
};

/* Sets the value of ID. Returns false if there is no memory. */
bool gti_dictionary_set(struct dictionary *dictionary, uint64_t id,
			uint64_t value, const struct gtrace_allocator *memory);

uint64_t gti_dictionary_get_sparse(const struct dictionary *dictionary,
				   uint64_t id);

void gti_dictionary_free(struct dictionary *dictionary,
			 const struct gtrace_allocator *memory);

/* Returns the value of ID, 0 if there is none. */
static inline uint64_t dictionary_get(const struct dictionary *dictionary,
				      uint64_t id)
{
	if (LIKELY(id < dictionary->dense_size))
		return dictionary->dense[id];
	return gti_dictionary_get_sparse(dictionary, id);
}

#endif /* GTRACE_BASE_MAP_H_ */
