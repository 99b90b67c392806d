/* SPDX-License-Identifier: BSD-3-Clause */
/* scan1.c - the bare scan of Go 1.7 to 1.21. */
#include "scan.h"

#include "v1/table.h"

/* The record at P, of which the first byte says that its length follows. */
static const uint8_t *scan_long(const uint8_t *p, uint64_t *sum)
{
	unsigned type = *p++ & 63;
	const uint8_t *end;
	uint64_t v;

	p = value(p, &v);
	for (end = p + v; p < end; *sum += v)
		p = value(p, &v);
	if (type != EV_USER_LOG)
		return p;
	p = value(p, &v);
	return p + v;
}

static const uint8_t *scan_string(const uint8_t *p, uint64_t *sum)
{
	uint64_t v;

	p = value(p + 1, &v);
	*sum += v;
	p = value(p, &v);
	return p + v;
}

uint64_t scan1(const uint8_t *p, const uint8_t *end, uint64_t *sum)
{
	uint64_t records = 0;
	uint64_t v;
	unsigned n;

	for (; p < end; records++) {
		if ((*p & 63) == EV_STRING) {
			p = scan_string(p, sum);
		} else if (*p >> 6 == 3) {
			p = scan_long(p, sum);
		} else {
			for (n = (*p++ >> 6) + 1u; n > 0; n--) {
				p = value(p, &v);
				*sum += v;
			}
		}
	}
	return records;
}
