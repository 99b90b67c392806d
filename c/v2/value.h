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
 * Reads a value at *P. LEB128_BYTES_MAX bytes can be read. A bad value sets
 * *BAD.
 */
static ALWAYS_INLINE uint64_t easy_value(const uint8_t **p, bool *bad)
{
	const uint8_t *at = *p;
	uint64_t value = at[0];
	struct long_value rest;

	if (LIKELY(value < 0x80)) {
		*p = at + 1;
		return value;
	}
	if (LIKELY(at[1] < 0x80)) {
		*p = at + 2;
		return value - 0x80 + ((uint64_t)at[1] << 7);
	}
	if (LIKELY(at[2] < 0x80)) {
		*p = at + 3;
		return value - 0x80 + (((uint64_t)at[1] - 0x80) << 7) +
		       ((uint64_t)at[2] << 14);
	}
	rest = gti_v2_long_value(at);
	if (rest.end != NULL)
		*p = rest.end;
	else
		*bad = true;
	return rest.value;
}

#endif /* GTRACE_V2_VALUE_H_ */
