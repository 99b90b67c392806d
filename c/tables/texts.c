/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.c - the distinct values of a column. */
#include "tables/texts.h"

#include <stdlib.h>
#include <string.h>

void texts_free(struct texts *texts)
{
	bytes_free(&texts->bytes);
	free(texts->slots);
	free(texts->places);
	*texts = (struct texts){0};
}

void texts_clear(struct texts *texts)
{
	bytes_clear(&texts->bytes);
	texts->count = texts->last = 0;
	if (texts->slot_count != 0)
		memset(texts->slots, 0,
		       texts->slot_count * sizeof(*texts->slots));
}

/* ------------------------------------------------------------------ hash -- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t word_at(const unsigned char *at, size_t size)
{
	uint64_t word = 0;

	while (size-- > 0)
		word = word << 8 | at[size];
	return word;
}

/* word_at() of eight bytes, in a form that compilers make one load of. */
static uint64_t whole_word_at(const unsigned char *at)
{
	return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
	       (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
	       (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
	       (uint64_t)at[7] << 56;
}

uint64_t texts_hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *at = data;
	size_t left = size;

	for (; left >= 8; left -= 8, at += 8)
		hash = mix(hash, whole_word_at(at));
	if (left != 0)
		hash = mix(hash, word_at(at, left));
	return mix(hash, size);
}

/* ----------------------------------------------------------------- slots -- */

/* Where the text with HASH is, or would be. */
static uint32_t *find_slot(const struct texts *texts, uint64_t hash,
			   const struct gtrace_string *text)
{
	size_t mask = texts->slot_count - 1, i = (size_t)hash & mask;
	const struct text_place *place;
	struct gtrace_string known;

	for (;; i = (i + 1) & mask) {
		if (texts->slots[i] == 0)
			break;
		place = &texts->places[texts->slots[i] - 1];
		if (place->hash != hash || text == NULL)
			continue;
		known = texts_get(texts, texts->slots[i] - 1);
		if (known.size == text->size &&
		    memcmp(known.data, text->data, text->size) == 0)
			break;
	}
	return &texts->slots[i];
}

/* Makes twice as many slots. Returns false if there is no memory. */
static bool add_slots(struct texts *texts)
{
	size_t count = texts->slot_count != 0 ? 2 * texts->slot_count : 64, i;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (slots == NULL)
		return false;
	free(texts->slots);
	texts->slots = slots;
	texts->slot_count = count;
	for (i = 0; i < texts->count; i++)
		*find_slot(texts, texts->places[i].hash, NULL) =
			(uint32_t)i + 1;
	return true;
}

static bool add_places(struct texts *texts)
{
	size_t capacity = texts->capacity != 0 ? 2 * texts->capacity : 32;
	struct text_place *places =
		realloc(texts->places, capacity * sizeof(*places));

	if (places == NULL)
		return false;
	texts->places = places;
	texts->capacity = capacity;
	return true;
}

static bool add_text(struct texts *texts, uint64_t hash,
		     struct gtrace_string text)
{
	struct bytes *bytes = &texts->bytes;
	size_t before = bytes->size;

	if (texts->count == texts->capacity && !add_places(texts))
		return false;
	bytes_add_little(bytes, text.size, texts->sizes);
	bytes_add(bytes, text.data, text.size);
	if (bytes->failed)
		return false;
	texts->places[texts->count++] =
		(struct text_place){before + texts->sizes, text.size, hash};
	return true;
}

static bool are_equal(struct gtrace_string a, struct gtrace_string b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

bool texts_has_last(const struct texts *texts, struct gtrace_string text)
{
	return texts->count != 0 && text.size != 0 &&
	       are_equal(texts_get(texts, texts->last), text);
}

uint32_t texts_number(struct texts *texts, struct gtrace_string text)
{
	uint64_t hash = texts_hash(0, text.data, text.size);
	uint32_t *slot;

	/* A third of the slots stays free. */
	if (texts->count + 1 > texts->slot_count / 3 * 2 && !add_slots(texts)) {
		texts->failed = true;
		return 0;
	}
	slot = find_slot(texts, hash, &text);
	if (*slot == 0) {
		if (!add_text(texts, hash, text)) {
			texts->failed = true;
			return 0;
		}
		*slot = (uint32_t)texts->count;
	}
	texts->last = *slot - 1;
	return texts->last;
}

struct gtrace_string texts_get(const struct texts *texts, uint32_t number)
{
	const struct text_place *place = &texts->places[number];

	return (struct gtrace_string){
		(const char *)texts->bytes.data + place->at, place->size};
}
