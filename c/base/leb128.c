/* SPDX-License-Identifier: BSD-3-Clause */
/* leb128.c - unsigned LEB128 values longer than a byte or two. */
#include "base/leb128.h"

#include <stddef.h>

/* The tenth byte holds only the 64th bit. */
#define LAST_BYTE_MAX 1

enum leb128_status gti_leb128_read_long(const uint8_t **p, const uint8_t *end,
					uint64_t *value)
{
	const uint8_t *at = *p;
	size_t left = (size_t)(end - at);
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < LEB128_BYTES_MAX; i++) {
		if (i == left)
			return LEB128_CUT_OFF;
		v |= (uint64_t)(at[i] & 0x7f) << (7 * i);
		if (at[i] < 0x80) {
			*p = at + i + 1;
			*value = v;
			return i == LEB128_BYTES_MAX - 1 &&
					       at[i] > LAST_BYTE_MAX
				       ? LEB128_OVERFLOW
				       : LEB128_GOOD;
		}
	}
	return LEB128_TOO_LONG;
}

/* The low seven bits of each of the eight BYTES, put together. */
static uint64_t join_bytes(uint64_t bytes)
{
	bytes = (bytes & 0x007f007f007f007f) |
		(bytes & 0x7f007f007f007f00) >> 1;
	bytes = (bytes & 0x00003fff00003fff) |
		(bytes & 0x3fff00003fff0000) >> 2;
	return (bytes & 0x0fffffff) | (bytes & 0x0fffffff00000000) >> 4;
}

struct leb128 gti_leb128_easy_long(const uint8_t *p)
{
	struct leb128 result;
	uint64_t bytes = load64(p);
	uint64_t ends = ~bytes & 0x8080808080808080;

	if (LIKELY(ends != 0)) {
		/* Bytes after the end of the value do not count. */
		result.value = join_bytes(bytes & (ends ^ (ends - 1)));
		result.end = p + lowest_bit(ends) / 8 + 1;
		return result;
	}
	result.value = join_bytes(bytes) | (uint64_t)p[8] << 56;
	result.end = p + 9;
	if (p[8] >= 0x80) {
		result.value = (result.value & INT64_MAX) | (uint64_t)p[9]
								    << 63;
		result.end = p[9] <= LAST_BYTE_MAX ? p + 10 : NULL;
	}
	return result;
}
