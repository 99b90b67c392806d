/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.c - byte strings by number, each kept once. */
#include "base/texts.h"

#include <string.h>

#include "base/compiler.h"

void gti_texts_init(struct texts *texts, const struct gtrace_allocator *memory)
{
	*texts = (struct texts){
		.memory = memory,
		.arena = {.memory = memory},
		.seed = gti_hash_seed(),
	};
}

void gti_texts_free(struct texts *texts)
{
	if (texts->memory == NULL)
		return;
	gti_arena_free(&texts->arena);
	gti_array_free(&texts->list, sizeof(struct gtrace_string),
		       texts->memory);
	gti_map_free(&texts->places, texts->memory);
	texts->memory = NULL;
}

/* Eight bytes at a time. */
static uint64_t hash_bytes(const uint8_t *data, size_t size, uint64_t seed)
{
	uint64_t hash = hash64(size, seed), tail = 0;

	for (; size >= sizeof(hash); size -= sizeof(hash)) {
		hash = hash64(load64(data), hash);
		data += sizeof(hash);
	}
	if (size != 0)
		memcpy(&tail, data, size);
	return hash64(tail, hash);
}

static bool is_text(const struct texts *texts, uint64_t number,
		    const void *data, size_t size)
{
	struct gtrace_string text = texts_at(texts, (uint32_t)number);

	return text.size == size &&
	       (size == 0 || memcmp(text.data, data, size) == 0);
}

/* Adds a copy of a new text. Returns false if there is no memory. */
static bool add(struct texts *texts, const void *data, size_t size)
{
	struct gtrace_string *list;
	char *copy;

	if (texts->list.count >= NO_TEXT ||
	    !gti_array_reserve(&texts->list, sizeof(*list), texts->memory))
		return false;
	copy = gti_arena_allocate(&texts->arena, size);
	if (copy == NULL)
		return false;
	if (size != 0)
		memcpy(copy, data, size);
	list = texts->list.items;
	list[texts->list.count++] = (struct gtrace_string){copy, size};
	return true;
}

uint32_t gti_texts_put(struct texts *texts, const void *data, size_t size)
{
	uint64_t hash = hash_bytes(data, size, texts->seed);
	uint64_t *place;

	/* Texts that have the same hash have places in a row. */
	for (;; hash++) {
		place = gti_map_put(&texts->places, hash, texts->memory);
		if (place == NULL)
			return NO_TEXT;
		if (*place == 0)
			break;
		if (is_text(texts, *place - 1, data, size))
			return (uint32_t)(*place - 1);
	}
	if (!add(texts, data, size)) {
		gti_map_delete(&texts->places, hash);
		return NO_TEXT;
	}
	*place = texts->list.count;
	return (uint32_t)(*place - 1);
}
