/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.c - bytes that grow, and the numbers that are put there. */
#include "tables/bytes.h"

#include <stdlib.h>
#include <string.h>

void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){0};
}

/* Allocates memory for SIZE bytes more. Returns false if there is none. */
static bool reserve(struct bytes *bytes, size_t size)
{
	size_t capacity = bytes->capacity < 64 ? 64 : bytes->capacity;
	unsigned char *data;

	if (size > SIZE_MAX / 4 - bytes->size)
		return false;
	while (capacity < bytes->size + size)
		capacity *= 2;
	data = realloc(bytes->data, capacity);
	if (data == NULL)
		return false;
	bytes->data = data;
	bytes->capacity = capacity;
	return true;
}

unsigned char *bytes_grow(struct bytes *bytes, size_t size)
{
	unsigned char *at;

	if (bytes->capacity - bytes->size < size && !reserve(bytes, size)) {
		bytes->failed = true;
		return NULL;
	}
	at = bytes->data + bytes->size;
	bytes->size += size;
	return at;
}

void bytes_add(struct bytes *bytes, const void *data, size_t size)
{
	unsigned char *to = size != 0 ? bytes_grow(bytes, size) : NULL;

	if (to != NULL)
		memcpy(to, data, size);
}

void bytes_add_byte(struct bytes *bytes, unsigned byte)
{
	unsigned char *to = bytes_grow(bytes, 1);

	if (to != NULL)
		*to = (unsigned char)byte;
}

void bytes_add_little(struct bytes *bytes, uint64_t value, unsigned count)
{
	for (; count > 0; count--, value >>= 8)
		bytes_add_byte(bytes, value & 0xff);
}

void bytes_add_varint(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes_add_byte(bytes, (value & 0x7f) | 0x80);
	bytes_add_byte(bytes, (unsigned)value);
}

void bytes_add_zigzag(struct bytes *bytes, int64_t value)
{
	uint64_t sign = value < 0 ? UINT64_MAX : 0;

	bytes_add_varint(bytes, (uint64_t)value << 1 ^ sign);
}
