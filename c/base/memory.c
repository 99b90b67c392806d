/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - the caller's allocator, and containers. */
#include "base/memory.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of an arena have this size, unless one request needs more. */
#define ARENA_BLOCK ((size_t)16 << 10)

struct arena_block {
	struct arena_block *older;
	size_t size;
	alignas(max_align_t) uint8_t bytes[];
};

static void *default_allocate(void *context, size_t size)
{
	(void)context;
	return malloc(size);
}

static void *default_resize(void *context, void *block, size_t old_size,
			    size_t new_size)
{
	(void)context;
	(void)old_size;
	return realloc(block, new_size);
}

static void default_release(void *context, void *block, size_t size)
{
	(void)context;
	(void)size;
	free(block);
}

struct gtrace_allocator
gti_allocator_or_default(const struct gtrace_allocator *hooks)
{
	static const struct gtrace_allocator standard = {
		.allocate = default_allocate,
		.resize = default_resize,
		.release = default_release,
	};

	return hooks != NULL ? *hooks : standard;
}

void *gti_allocate(const struct gtrace_allocator *memory, size_t size)
{
	return memory->allocate(memory->context, size);
}

void *gti_allocate_zeroed(const struct gtrace_allocator *memory, size_t count,
			  size_t size)
{
	void *block;

	if (size != 0 && count > SIZE_MAX / size)
		return NULL;
	/* Large tables are used sparsely: the system zeroes them when used. */
	if (memory->allocate == default_allocate)
		return calloc(count, size);
	block = gti_allocate(memory, count * size);
	if (block != NULL)
		memset(block, 0, count * size);
	return block;
}

void gti_release(const struct gtrace_allocator *memory, void *block,
		 size_t size)
{
	if (block != NULL)
		memory->release(memory->context, block, size);
}

bool gti_array_reserve(struct array *array, size_t size,
		       const struct gtrace_allocator *memory)
{
	size_t capacity;
	void *items;

	if (array->count < array->capacity)
		return true;
	/* Where there are many arrays, most have one item. */
	capacity = array->capacity < 8
			   ? array->capacity * 7 + 1
			   : array->capacity + array->capacity / 2 + 8;
	if (capacity > SIZE_MAX / size)
		return false;
	items = memory->resize(memory->context, array->items,
			       array->capacity * size, capacity * size);
	if (items == NULL)
		return false;
	array->items = items;
	array->capacity = capacity;
	return true;
}

void gti_array_free(struct array *array, size_t size,
		    const struct gtrace_allocator *memory)
{
	gti_release(memory, array->items, array->capacity * size);
	*array = (struct array){0};
}

void *gti_arena_allocate(struct arena *arena, size_t size)
{
	size_t align = alignof(max_align_t);
	struct arena_block *block;

	if (size > SIZE_MAX / 2)
		return NULL;
	/* Zero-size requests still return a unique pointer. */
	size = size == 0 ? align : (size + align - 1) & ~(align - 1);
	if (size > arena->left) {
		size_t block_size = size > ARENA_BLOCK ? size : ARENA_BLOCK;

		block = gti_allocate_zeroed(arena->memory, 1,
					    sizeof(*block) + block_size);
		if (block == NULL)
			return NULL;
		block->older = arena->blocks;
		block->size = block_size;
		arena->blocks = block;
		arena->left = block_size;
		arena->total += block_size;
	}
	block = arena->blocks;
	arena->left -= size;
	return block->bytes + (block->size - arena->left - size);
}

void *gti_arena_copy(struct arena *arena, const void *data, size_t size)
{
	void *copy = gti_arena_allocate(arena, size);

	if (copy != NULL && size != 0)
		memcpy(copy, data, size);
	return copy;
}

void gti_arena_free(struct arena *arena)
{
	while (arena->blocks != NULL) {
		struct arena_block *block = arena->blocks;

		arena->blocks = block->older;
		gti_release(arena->memory, block, sizeof(*block) + block->size);
	}
	arena->left = 0;
	arena->total = 0;
}
