/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.h - bytes that grow, and the numbers that are put there. */
#ifndef GTRACE_TABLES_BYTES_H_
#define GTRACE_TABLES_BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero: none. To be given to bytes_free(). */
struct bytes {
	unsigned char *data;
	size_t size;
	size_t capacity;
	bool failed; /* there was no memory: what was added last is missing */
};

void bytes_free(struct bytes *bytes);

/* Forgets what was added, and keeps the memory. */
static inline void bytes_clear(struct bytes *bytes)
{
	bytes->size = 0;
}

/* Adds SIZE bytes and returns where they are, or NULL without memory. */
unsigned char *bytes_grow(struct bytes *bytes, size_t size);

void bytes_add(struct bytes *bytes, const void *data, size_t size);

void bytes_add_byte(struct bytes *bytes, unsigned byte);

/* Adds the COUNT low bytes of VALUE, the lowest first. */
void bytes_add_little(struct bytes *bytes, uint64_t value, unsigned count);

/* Adds VALUE as LEB128, and as LEB128 with the sign in its lowest bit. */
void bytes_add_varint(struct bytes *bytes, uint64_t value);
void bytes_add_zigzag(struct bytes *bytes, int64_t value);

#endif /* GTRACE_TABLES_BYTES_H_ */
