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
		.secret = gti_new_secret(),
	};
}

void gti_texts_free(struct texts *texts)
{
	if (texts->memory == NULL)
		return;
	gti_arena_free(&texts->arena);
	gti_array_free(&texts->list, sizeof(struct text), texts->memory);
	gti_numbers_free(&texts->numbers);
	texts->memory = NULL;
}

static bool is_text(const struct text *text, uint64_t hash, const void *data,
		    size_t size)
{
	return text->hash == hash && text->string.size == size &&
	       (size == 0 || memcmp(text->string.data, data, size) == 0);
}

static struct text *text_at(const struct texts *texts, uint32_t number)
{
	return (struct text *)texts->list.items + number;
}

static uint64_t hash_of(const void *context, uint32_t number)
{
	return text_at(context, number)->hash;
}

/* Adds a copy of a new text. Returns its number. NO_TEXT: no memory. */
static uint32_t add(struct texts *texts, const void *data, size_t size,
		    uint64_t hash, uint32_t place)
{
	uint32_t number = (uint32_t)texts->list.count;
	char *copy;

	if (number == NO_TEXT ||
	    !gti_array_reserve(&texts->list, sizeof(struct text),
			       texts->memory))
		return NO_TEXT;
	copy = gti_arena_allocate(&texts->arena, size);
	if (copy == NULL ||
	    !numbers_add(&texts->numbers, hash, place, hash_of, texts))
		return NO_TEXT;
	if (size != 0)
		memcpy(copy, data, size);
	*text_at(texts, number) = (struct text){{copy, size}, hash};
	texts->list.count++;
	return number;
}

uint32_t gti_texts_put(struct texts *texts, const void *data, size_t size)
{
	uint64_t hash = gti_hash_text(data, size, texts->secret);
	struct numbers *numbers = &texts->numbers;
	uint32_t at, number;

	if (numbers->table == NULL && !gti_numbers_init(numbers, texts->memory))
		return NO_TEXT;
	at = numbers_place(numbers, hash);
	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at))
		if (is_text(text_at(texts, number - 1), hash, data, size))
			return number - 1;
	return add(texts, data, size, hash, at);
}
