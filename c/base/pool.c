/* SPDX-License-Identifier: BSD-3-Clause */
/* pool.c - records of one size. */
#include "base/pool.h"

#include <string.h>

#define CHUNK_RECORDS 256

/* Bytes to allocate for a chunk, so that its records can be aligned. */
static size_t chunk_size(const struct pool *pool)
{
	return CHUNK_RECORDS * pool->size + RECORD_ALIGNMENT;
}

static bool add_chunk(struct pool *pool)
{
	void *chunk;

	if (pool->used > UINT32_MAX - CHUNK_RECORDS ||
	    !gti_array_reserve(&pool->chunks, sizeof(void *), pool->memory))
		return false;
	chunk = gti_allocate_zeroed(pool->memory, 1, chunk_size(pool));
	if (chunk == NULL)
		return false;
	((void **)pool->chunks.items)[pool->chunks.count++] = chunk;
	return true;
}

void *gti_pool_take(struct pool *pool)
{
	void *record = pool->free;

	if (record != NULL) {
		memcpy(&pool->free, record, sizeof(pool->free));
		memset(record, 0, pool->size);
		return record;
	}
	if (pool->used == pool->chunks.count * CHUNK_RECORDS &&
	    !add_chunk(pool))
		return NULL;
	return gti_pool_at(pool, pool->used++);
}

void gti_pool_give(struct pool *pool, void *record)
{
	memcpy(record, &pool->free, sizeof(pool->free));
	pool->free = record;
}

void *gti_pool_at(const struct pool *pool, uint32_t index)
{
	uint8_t *chunk =
		((uint8_t **)pool->chunks.items)[index / CHUNK_RECORDS];

	chunk += RECORD_ALIGNMENT - (uintptr_t)chunk % RECORD_ALIGNMENT;
	return chunk + index % CHUNK_RECORDS * pool->size;
}

void gti_pool_free(struct pool *pool)
{
	size_t i;

	for (i = 0; i < pool->chunks.count; i++)
		gti_release(pool->memory, ((void **)pool->chunks.items)[i],
			    chunk_size(pool));
	gti_array_free(&pool->chunks, sizeof(void *), pool->memory);
	pool->used = 0;
	pool->free = NULL;
}
