/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.h - records of one size, whose addresses do not change.
 *
 * Records are allocated in chunks. Those that were given back are used again. A
 * record whose size is a multiple of RECORD_ALIGNMENT starts at a cache line.
 */
#ifndef GTRACE_BASE_POOL_H_
#define GTRACE_BASE_POOL_H_

#include "base/memory.h"

#define RECORD_ALIGNMENT 64

/* Except for memory and size, zero is the empty pool. */
struct pool {
	const struct gtrace_allocator *memory;
	size_t size;         /* of a record, at least that of a pointer */
	struct array chunks; /* uint8_t *, as allocated */
	uint32_t used;       /* records ever taken */
	void *free;          /* one given back, which begins with the next */
};

/* Returns a record of zero bytes, or NULL if there is no memory. */
void *gti_pool_take(struct pool *pool);

/* Gives RECORD back. */
void gti_pool_give(struct pool *pool, void *record);

/*
 * Returns record INDEX, less than pool->used, in the order in which records
 * were first taken. It may have been given back.
 */
void *gti_pool_at(const struct pool *pool, uint32_t index);

/* Frees all records. */
void gti_pool_free(struct pool *pool);

#endif /* GTRACE_BASE_POOL_H_ */
