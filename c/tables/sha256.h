/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sha256.h - SHA-256 (FIPS 180-4), by which traces are known. Programs for it
 * are on every system, so that names of files can be checked with them, and no
 * two traces that differ have the same one.
 */
#ifndef GTRACE_TABLES_SHA256_H_
#define GTRACE_TABLES_SHA256_H_

#include <stddef.h>
#include <stdint.h>

/* Hexadecimal digits, without a final NUL. */
#define SHA256_DIGITS 64

struct sha256 {
	uint32_t state[8];
	uint64_t size;           /* bytes so far */
	unsigned char block[64]; /* that are not yet in `state` */
};

void sha256_begin(struct sha256 *hash);

/* Adds SIZE bytes at DATA, which may be NULL if SIZE is 0. */
void sha256_add(struct sha256 *hash, const void *data, size_t size);

/* Writes the digits of the sum, and a NUL, to TEXT. */
void sha256_end(struct sha256 *hash, char text[SHA256_DIGITS + 1]);

#endif /* GTRACE_TABLES_SHA256_H_ */
