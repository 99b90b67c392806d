/* SPDX-License-Identifier: BSD-3-Clause */
/* value.h - reads values quickly where the end of the bytes is not near. */
#ifndef GTRACE_V2_VALUE_H_
#define GTRACE_V2_VALUE_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/leb128.h"

struct long_value {
	uint64_t value;
	const uint8_t *end; /* the byte after it; NULL: it is bad */
};

/* Reads a value of more than three bytes at P. */
struct long_value gti_v2_long_value(const uint8_t *p);

/*
 * Reads a value at *P. LEB128_BYTES_MAX bytes can be read. Returns false, and
 * does nothing, if it is bad.
 */
static ALWAYS_INLINE bool easy_value(const uint8_t **p, uint64_t *value)
{
	const uint8_t *at = *p;
	uint64_t first = at[0];
	struct long_value rest;

	if (LIKELY(first < 0x80)) {
		*p = at + 1;
		*value = first;
		return true;
	}
	if (LIKELY(at[1] < 0x80)) {
		*p = at + 2;
		*value = first - 0x80 + ((uint64_t)at[1] << 7);
		return true;
	}
	if (LIKELY(at[2] < 0x80)) {
		*p = at + 3;
		*value = first - 0x80 + (((uint64_t)at[1] - 0x80) << 7) +
			 ((uint64_t)at[2] << 14);
		return true;
	}
	rest = gti_v2_long_value(at);
	if (UNLIKELY(rest.end == NULL))
		return false;
	*p = rest.end;
	*value = rest.value;
	return true;
}

#endif /* GTRACE_V2_VALUE_H_ */
