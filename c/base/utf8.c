/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - characters of texts that can hold any bytes. */
#include "base/utf8.h"

#include <string.h>

/* Bytes that continue a character in UTF-8. */
static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* How many bytes the character has that begins with BYTE; 0: there is none. */
static size_t count_of(unsigned char byte)
{
	if (byte < 0x80)
		return 1;
	if (byte < 0xc2 || byte > 0xf4)
		return 0;
	return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/* Whether the bytes at AT after the first, up to COUNT, belong to it. */
static bool belong(const unsigned char *at, size_t count)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t i;

	if (at[0] == 0xe0)
		low = 0xa0;
	else if (at[0] == 0xed)
		high = 0x9f;
	else if (at[0] == 0xf0)
		low = 0x90;
	else if (at[0] == 0xf4)
		high = 0x8f;
	if (count > 1 && (at[1] < low || at[1] > high))
		return false;
	for (i = 2; i < count; i++)
		if (!continues(at[i]))
			return false;
	return true;
}

/* The size of the character at AT, of SIZE bytes at most; 0: there is none. */
static size_t size_of(const unsigned char *at, size_t size)
{
	size_t count = count_of(at[0]);

	return count <= size && belong(at, count) ? count : 0;
}

bool gti_utf8_is_cut(const unsigned char *at, size_t size)
{
	return size != 0 && size < count_of(at[0]) && belong(at, size);
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

uint32_t gti_utf8_code(const struct utf8 *text)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = text->at[0] & first_bits[text->size];
	size_t i;

	for (i = 1; i < text->size; i++)
		code = code << 6 | (text->at[i] & 0x3f);
	return code;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
	       code == 0x2029;
}

bool gti_utf8_is_control(const struct utf8 *text)
{
	return is_control(gti_utf8_code(text));
}

bool gti_utf8_is_hidden(const struct utf8 *text)
{
	/*
	 * Unicode's Default_Ignorable_Code_Point, which has the marks of
	 * direction, and annotations.
	 */
	static const struct {
		uint32_t first, last;
	} ignored[] = {
		{0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
		{0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
		{0x200b, 0x200f},   {0x202a, 0x202e},   {0x2060, 0x206f},
		{0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
		{0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x1bca0, 0x1bca3},
		{0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	};
	uint32_t code = gti_utf8_code(text);
	size_t i;

	if (code < 0xad || is_control(code))
		return is_control(code);
	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		if (code <= ignored[i].last)
			return code >= ignored[i].first;
	return false;
}
