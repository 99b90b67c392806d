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

struct leb128 gti_leb128_unchecked_long(const uint8_t *p)
{
	struct leb128 value = {(p[0] & 0x7f) | (uint64_t)(p[1] & 0x7f) << 7, p};
	unsigned i;

	for (i = 2; i < LEB128_BYTES_MAX; i++) {
		value.value |= (uint64_t)(p[i] & 0x7f) << (7 * i);
		if (p[i] < 0x80) {
			value.end = p + i + 1;
			return value;
		}
	}
	value.value = UINT64_MAX;
	value.end = p + i;
	return value;
}
