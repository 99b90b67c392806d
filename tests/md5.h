/* SPDX-License-Identifier: BSD-3-Clause */
/* md5.h - MD5, in which testdata says what reports must be. */
#ifndef GTRACE_TESTS_MD5_H_
#define GTRACE_TESTS_MD5_H_

#include <stddef.h>
#include <stdint.h>

struct md5 {
	uint32_t state[4];
	uint64_t size;
	uint8_t block[64];
};

void md5_begin(struct md5 *md5);
void md5_add(struct md5 *md5, const void *data, size_t size);

/* The same for the MD5 at CONTEXT: the write function of an output. */
int md5_write(void *context, const void *data, size_t size);

/* Writes the sum in hexadecimal. */
void md5_end(struct md5 *md5, char text[33]);

#endif /* GTRACE_TESTS_MD5_H_ */
