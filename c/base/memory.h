/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - the caller's allocator, a growing array, and an arena.
 */
#ifndef GTRACE_BASE_MEMORY_H_
#define GTRACE_BASE_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* Returns the allocator *HOOKS, or one that calls malloc() if HOOKS is NULL. */
struct gtrace_allocator
gti_allocator_or_default(const struct gtrace_allocator *hooks);

/* Returns SIZE bytes, or NULL. */
void *gti_allocate(const struct gtrace_allocator *memory, size_t size);

/* Returns COUNT elements of SIZE zero bytes. NULL also if that overflows. */
void *gti_allocate_zeroed(const struct gtrace_allocator *memory, size_t count,
			  size_t size);

/* Releases a block of SIZE bytes. BLOCK can be NULL. */
void gti_release(const struct gtrace_allocator *memory, void *block,
		 size_t size);

/*
 * A growing array of elements of one size. Zero is the empty array; ITEMS
 * moves when it grows.
 */
struct array {
	void *items;
	size_t count;
	size_t capacity;
};

/*
 * Grows the array, if it is full, for one more element of SIZE bytes. Returns
 * false, and leaves the array, if there is no memory.
 */
bool gti_array_reserve(struct array *array, size_t size,
		       const struct gtrace_allocator *memory);

/* Frees the items and makes the array empty. */
void gti_array_free(struct array *array, size_t size,
		    const struct gtrace_allocator *memory);

/* Memory that is freed all at once. Except for memory, zero is the empty one.
 */
struct arena {
	const struct gtrace_allocator *memory;
	struct arena_block *blocks;
	size_t left;  /* in the newest block */
	size_t total; /* of all blocks */
};

/* Returns SIZE zero bytes, aligned for any type, or NULL. */
void *gti_arena_allocate(struct arena *arena, size_t size);

/* Returns a copy of the SIZE bytes at DATA, aligned for any type, or NULL. */
void *gti_arena_copy(struct arena *arena, const void *data, size_t size);

void gti_arena_free(struct arena *arena);

#endif /* GTRACE_BASE_MEMORY_H_ */
