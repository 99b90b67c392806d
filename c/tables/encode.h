/* SPDX-License-Identifier: BSD-3-Clause */
/* encode.h - how Parquet writes the values of a page. */
#ifndef GTRACE_TABLES_ENCODE_H_
#define GTRACE_TABLES_ENCODE_H_

#include "tables/bytes.h"

/* How many bits the numbers up to MOST take. */
unsigned encode_width(uint64_t most);

/*
 * Adds COUNT numbers of WIDTH bits, at least 1: eight or more equal ones as one
 * and how many there are, others packed in groups of eight (RLE).
 */
void encode_runs(struct bytes *to, const uint32_t *values, size_t count,
		 unsigned width);

/*
 * Adds COUNT numbers, at least 1, as the differences between them, packed in
 * the bits that each 32 of them take (DELTA_BINARY_PACKED).
 */
void encode_differences(struct bytes *to, const int64_t *values, size_t count);

/* Adds COUNT bits, eight to a byte, the first one lowest. */
void encode_bits(struct bytes *to, const unsigned char *bits, size_t count);

#endif /* GTRACE_TABLES_ENCODE_H_ */
