/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - characters of texts that can hold any bytes. */
#include "report/utf8.h"

#include <stdbool.h>

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
