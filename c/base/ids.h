/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids.h - records of goroutines, processors and threads, by id. The records are
 * in a pool, so their addresses do not change; a hash table with open
 * addressing finds them by their ids.
 */
#ifndef GTRACE_BASE_IDS_H_
#define GTRACE_BASE_IDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/pool.h"

struct id_entry {
	uint64_t id;
	void *record; /* NULL: the entry is free */
};

struct ids {
	struct id_entry *entries;
	/*
	 * The place of an id is the highest bits of its product with a number
	 * that differs between processes, so that no file can be written whose
	 * ids all collide.
	 */
	uint64_t multiplier;
	unsigned shift; /* 64 minus the number of those bits */
	size_t count;
	struct pool records;
};

/* An empty table of records of SIZE bytes. False: there is no memory. */
bool gti_ids_init(struct ids *ids, size_t size,
		  const struct gtrace_allocator *memory);

void gti_ids_free(struct ids *ids);

/*
 * Adds a record of zero bytes under ID, which has none. Returns it, or NULL if
 * there is no memory.
 */
void *gti_ids_add(struct ids *ids, uint64_t id);

/* Removes RECORD, which has ID. */
void gti_ids_remove(struct ids *ids, uint64_t id, void *record);

static inline size_t ids_capacity(const struct ids *ids)
{
	return (size_t)1 << (64 - ids->shift);
}

static inline size_t ids_place(const struct ids *ids, uint64_t id)
{
	return (size_t)(id * ids->multiplier >> ids->shift);
}

/*
 * The record of ID, or NULL. A free entry can still have an id, but never that
 * of a record further on.
 */
static ALWAYS_INLINE void *ids_find(const struct ids *ids, uint64_t id)
{
	const struct id_entry *entry = &ids->entries[ids_place(ids, id)];

	while (UNLIKELY(entry->id != id)) {
		if (entry->record == NULL)
			return NULL;
		if (++entry == ids->entries + ids_capacity(ids))
			entry = ids->entries;
	}
	return entry->record;
}

#endif /* GTRACE_BASE_IDS_H_ */
