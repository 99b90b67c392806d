/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leb128.h - reads unsigned LEB128 values (Go's varints).
 *
 * A value is at most LEB128_BYTES_MAX bytes long. Each byte holds seven bits,
 * the least significant first, and its top bit is set in all bytes but the
 * last. Overlong forms (80 00) are valid.
 */
#ifndef GTRACE_BASE_LEB128_H_
#define GTRACE_BASE_LEB128_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

#define LEB128_BYTES_MAX 10

enum leb128_status {
	LEB128_GOOD,
	/* Good, except for bits above the 64th in the tenth byte. */
	LEB128_OVERFLOW,
	/* The bytes end before the value does. */
	LEB128_CUT_OFF,
	/* The tenth byte does not end the value. */
	LEB128_TOO_LONG,
};

/* leb128_read() for values longer than one byte, and for broken ones. */
enum leb128_status gti_leb128_read_long(const uint8_t **p, const uint8_t *end,
					uint64_t *value);

/*
 * Reads the value at *P, reading no byte at END or after it. If the status is
 * LEB128_GOOD or LEB128_OVERFLOW, sets *VALUE, without the bits above the 64th,
 * and moves *P to the byte after the value. Otherwise changes neither.
 */
static inline enum leb128_status
leb128_read(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	if (LIKELY(*p < end && **p < 0x80)) {
		*value = *(*p)++;
		return LEB128_GOOD;
	}
	return gti_leb128_read_long(p, end, value);
}

struct leb128 {
	uint64_t value;
	const uint8_t *end; /* the byte after it; NULL: it is bad */
};

/*
 * leb128_easy() for values longer than three bytes; it also reads shorter ones.
 */
struct leb128 gti_leb128_easy_long(const uint8_t *p);

/*
 * Reads the value at *P, and moves *P to the byte after it. The caller makes
 * sure that LEB128_BYTES_MAX bytes can be read. Returns false, and changes
 * neither, if the status of leb128_read() would not be LEB128_GOOD.
 */
static ALWAYS_INLINE bool leb128_easy(const uint8_t **p, uint64_t *value)
{
	const uint8_t *at = *p;
	uint64_t first = at[0];
	struct leb128 rest;

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
	rest = gti_leb128_easy_long(at);
	if (UNLIKELY(rest.end == NULL))
		return false;
	*p = rest.end;
	*value = rest.value;
	return true;
}

/*
 * leb128_easy() for values of which most take one byte or two, in an order that
 * a processor cannot predict: there is no branch between the two.
 */
static ALWAYS_INLINE bool leb128_easy_mixed(const uint8_t **p, uint64_t *value)
{
	const uint8_t *at = *p;
	uint64_t first = at[0], second = at[1];
	uint64_t more = first >> 7; /* whether it takes two bytes */

	if (UNLIKELY((first & second) >= 0x80))
		return leb128_easy(p, value);
	*p = at + 1 + more;
	*value = (first & 0x7f) | (second << 7 & -more);
	return true;
}

#endif /* GTRACE_BASE_LEB128_H_ */
