/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - characters of texts that can hold any bytes. */
#include "report/utf8.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes that continue a character in UTF-8. */
static bool continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t gti_utf8_size(const unsigned char *at, size_t size)
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

/* The character of SIZE bytes at AT. */
static uint32_t character_at(const unsigned char *at, size_t size)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = at[0] & first_bits[size];
	size_t i;

	for (i = 1; i < size; i++)
		character = character << 6 | (at[i] & 0x3f);
	return character;
}

bool gti_utf8_is_hidden(const unsigned char *at, size_t size)
{
	uint32_t character = character_at(at, size);

	return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
	       character == 0x61c || character == 0x200e ||
	       character == 0x200f ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2066 && character <= 0x2069);
}
