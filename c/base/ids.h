/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids.h - records of goroutines, processors and threads, by id. The records are
 * in a pool, so their addresses do not change; a hash table with open
 * addressing finds them by their ids, with which they begin.
 */
#ifndef GTRACE_BASE_IDS_H_
#define GTRACE_BASE_IDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "base/pool.h"

struct ids {
	void **table; /* records by place; NULL: the place is free */
	uint64_t secret;
	size_t mask;    /* the number of places, a power of two, minus one */
	unsigned shift; /* 64 minus the exponent of that power */
	size_t count;
	struct pool records;
};

/*
 * A program with hundreds of goroutines takes few of these 4,096 places. So the
 * first place that is looked at is nearly always the right one, and a processor
 * can predict that. There are fewer threads and processors, and they are looked
 * for less often.
 */
#define IDS_BITS_OF_GOROUTINES 12
#define IDS_BITS_OF_OTHERS     6

/*
 * An empty table, at first of 2^BITS places, of records of SIZE bytes, the
 * first eight of which are the id. False: there is no memory.
 */
bool gti_ids_init(struct ids *ids, size_t size, unsigned bits,
		  const struct gtrace_allocator *memory);

void gti_ids_free(struct ids *ids);

/*
 * Adds a record for ID, which has none. All bytes after its id are zero.
 * Returns it, or NULL if there is no memory.
 */
void *gti_ids_add(struct ids *ids, uint64_t id);

/* Removes RECORD, which is in the table; its memory is used again. */
void gti_ids_remove(struct ids *ids, void *record);

static inline size_t ids_capacity(const struct ids *ids)
{
	return ids->mask + 1;
}

static inline size_t ids_place(const struct ids *ids, uint64_t id)
{
	return hash_place(id, ids->secret, ids->shift);
}

/* From a place to the next one that is looked at, and its inverse. */
#define IDS_STRIDE  0x9e3779b97f4a7c15u
#define IDS_INVERSE 0xf1de83e19937733du

/*
 * The place to look at after PLACE: not its neighbour, as ids that follow each
 * other can have a row of places, all of which a search would look at.
 */
static inline size_t ids_next(const struct ids *ids, size_t place)
{
	return (size_t)(place + IDS_STRIDE) & ids->mask;
}

/* How many places after FROM the place TO is looked at. */
static inline size_t ids_distance(const struct ids *ids, size_t from, size_t to)
{
	return (size_t)((uint64_t)(to - from) * IDS_INVERSE) & ids->mask;
}

/* The id with which RECORD begins. */
static inline uint64_t record_id(const void *record)
{
	return *(const uint64_t *)record;
}

/* The record of ID, or NULL. */
static ALWAYS_INLINE void *ids_find(const struct ids *ids, uint64_t id)
{
	size_t place = ids_place(ids, id);
	void *record;

	while ((record = ids->table[place]) != NULL &&
	       UNLIKELY(record_id(record) != id))
		place = ids_next(ids, place);
	return record;
}

#endif /* GTRACE_BASE_IDS_H_ */
