/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.c - byte strings by number, each kept once. */
#include "base/texts.h"

#include <string.h>

#include "base/compiler.h"
#include "base/strings.h"

void gti_texts_init(struct texts *texts, const struct gtrace_allocator *memory)
{
	*texts = (struct texts){
		.memory = memory,
		.arena = {.memory = memory},
		.secret = gti_new_secret(),
	};
}

void gti_texts_free(struct texts *texts)
{
	if (texts->memory == NULL)
		return;
	gti_arena_free(&texts->arena);
	gti_array_free(&texts->list, sizeof(struct gtrace_string),
		       texts->memory);
	gti_map_free(&texts->numbers, texts->memory);
	texts->memory = NULL;
}

/* Adds a copy of a new text. Returns its number. NO_TEXT: no memory. */
static uint32_t add(struct texts *texts, const void *data, size_t size)
{
	struct array *list = &texts->list;
	char *copy;

	if (list->count == NO_TEXT ||
	    !gti_array_reserve(list, sizeof(struct gtrace_string),
			       texts->memory))
		return NO_TEXT;
	copy = gti_arena_copy(&texts->arena, data, size);
	if (copy == NULL)
		return NO_TEXT;
	((struct gtrace_string *)list->items)[list->count] =
		(struct gtrace_string){copy, size};
	return (uint32_t)list->count++;
}

uint32_t gti_texts_put(struct texts *texts, const void *data, size_t size)
{
	const struct gtrace_string text = {data, size};
	uint64_t hash = gti_hash_text(data, size, texts->secret);
	uint32_t number;
	uint64_t *found;

	/* Texts that have the same hash are at those that follow. */
	for (;; hash++) {
		found = gti_map_put(&texts->numbers, hash, texts->memory);
		if (found == NULL)
			return NO_TEXT;
		number = (uint32_t)*found - 1;
		if (*found == 0)
			break;
		if (string_equals(texts_at(texts, number), text))
			return number;
	}
	number = add(texts, data, size);
	if (number != NO_TEXT)
		*found = (uint64_t)number + 1;
	return number;
}
