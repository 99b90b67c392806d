/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - characters of texts that can hold any bytes. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes that continue a character in UTF-8. */
static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The size of the character at AT, of SIZE bytes at most; 0: there is none. */
static size_t size_of(const unsigned char *at, size_t size)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t count, i;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	count = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	if (at[0] == 0xe0)
		low = 0xa0;
	else if (at[0] == 0xed)
		high = 0x9f;
	else if (at[0] == 0xf0)
		low = 0x90;
	else if (at[0] == 0xf4)
		high = 0x8f;
	if (size < count || at[1] < low || at[1] > high)
		return 0;
	for (i = 2; i < count; i++)
		if (!continues(at[i]))
			return 0;
	return count;
}

bool gti_utf8_next(struct utf8 *text)
{
	if (text->next == text->end)
		return false;
	text->at = text->next;
	text->size = size_of(text->at, (size_t)(text->end - text->at));
	text->bad = text->size == 0;
	text->next += text->bad ? 1 : text->size;
	if (text->bad) {
		text->at = (const unsigned char *)UTF8_REPLACEMENT;
		text->size = sizeof(UTF8_REPLACEMENT) - 1;
	}
	return true;
}

/* Eight bytes of one value. */
#define EACH(byte) ((uint64_t)(byte)*0x0101010101010101u)

/*
 * Whether one of the eight bytes of WORD is 0. (A byte above one that is 0 can
 * be taken for 0 too, which does not change the answer.)
 */
static bool has_zero(uint64_t word)
{
	return ((word - EACH(1)) & ~word & EACH(0x80)) != 0;
}

/* Whether one of the eight bytes of WORD is below 0x20 or above 0x7e. */
static bool has_unprintable(uint64_t word)
{
	/* Without a carry: bytes of 0x80 and above are found by themselves. */
	uint64_t low = word & EACH(0x7f);

	return ((word | ~(low + EACH(0x60)) | (low + EACH(1))) & EACH(0x80)) !=
	       0;
}

static bool is_plain(unsigned char byte, unsigned char except)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != except;
}

size_t gti_plain_size(const unsigned char *bytes, size_t size,
		      unsigned char except)
{
	size_t at = 0;
	uint64_t word;

	for (; size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		if (has_unprintable(word) || has_zero(word ^ EACH('"')) ||
		    has_zero(word ^ EACH(except)))
			break;
	}
	while (at < size && is_plain(bytes[at], except))
		at++;
	return at;
}

bool gti_utf8_is_hidden(const struct utf8 *text)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = text->at[0] & first_bits[text->size];
	size_t i;

	for (i = 1; i < text->size; i++)
		character = character << 6 | (text->at[i] & 0x3f);

	return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
	       character == 0x61c || character == 0x200e ||
	       character == 0x200f ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2066 && character <= 0x2069);
}
