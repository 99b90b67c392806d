/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.h - what the bare scans of the two formats share. */
#ifndef GTRACE_TESTS_BENCH_SCAN_H_
#define GTRACE_TESTS_BENCH_SCAN_H_

#include <stdint.h>

static inline const uint8_t *value(const uint8_t *p, uint64_t *v)
{
	uint64_t sum = *p & 0x7f;
	unsigned shift = 7;

	for (; *p++ & 0x80; shift += 7)
		sum |= (uint64_t)(*p & 0x7f) << shift;
	*v = sum;
	return p;
}

/*
 * Add the values from P, which is after the header, to END to SUM. Return how
 * many records (Go 1.7 to 1.21) or events of threads (Go 1.22 and later) there
 * are.
 */
uint64_t scan1(const uint8_t *p, const uint8_t *end, uint64_t *sum);
uint64_t scan2(const uint8_t *p, const uint8_t *end, uint64_t *sum);

#endif /* GTRACE_TESTS_BENCH_SCAN_H_ */
