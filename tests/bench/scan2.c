/* SPDX-License-Identifier: BSD-3-Clause */
/* scan2.c - the bare scan of Go 1.22 and later. */
#include "scan.h"

#include "v2/table.h"

static const uint8_t *scan_values(const uint8_t *p, unsigned n, uint64_t *sum)
{
	uint64_t v;

	for (; n > 0; n--) {
		p = value(p, &v);
		*sum += v;
	}
	return p;
}

/* A record of a batch that has no events. P is after the type byte. */
static const uint8_t *scan_record(const uint8_t *p, unsigned type,
				  uint64_t *sum)
{
	uint64_t n;

	switch (type) {
	case BYTE_STRING:
		p = scan_values(p, 1, sum);
		p = value(p, &n);
		return p + n;
	case BYTE_STACK:
		p = scan_values(p, 1, sum);
		p = value(p, &n);
		return scan_values(p, (unsigned)n * 4, sum);
	case BYTE_CPU_SAMPLE:
		return scan_values(p, 5, sum);
	case BYTE_FREQUENCY:
		return scan_values(p, 1, sum);
	case BYTE_CLOCK_SNAPSHOT:
		return scan_values(p, 4, sum);
	default: /* the byte that says what the batch has */
		return p;
	}
}

static const uint8_t *scan_events(const uint8_t *p, const uint8_t *end,
				  uint64_t *events, uint64_t *sum)
{
	uint64_t v;
	unsigned n;

	for (; p < end; ++*events) {
		n = gti_v2_value_counts[*p++];
		do {
			p = value(p, &v);
			*sum += v;
		} while (--n > 0);
	}
	return p;
}

uint64_t scan2(const uint8_t *p, const uint8_t *end, uint64_t *sum)
{
	uint64_t events = 0;
	const uint8_t *stop;
	uint64_t size;
	unsigned type;

	while (p < end) {
		type = *p++;
		if (type == BYTE_END_OF_GENERATION)
			continue;
		p += type == BYTE_EXPERIMENTAL_BATCH;
		p = scan_values(p, 3, sum);
		p = value(p, &size);
		stop = p + size;
		if (type == BYTE_EXPERIMENTAL_BATCH)
			p = stop;
		else if (size > 0 && gti_v2_value_counts[*p] != 0 &&
			 *p != BYTE_CLOCK_SNAPSHOT)
			p = scan_events(p, stop, &events, sum);
		while (p < stop) {
			type = *p++;
			p = scan_record(p, type, sum);
		}
	}
	return events;
}
