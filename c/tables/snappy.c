/* SPDX-License-Identifier: BSD-3-Clause */
/* snappy.c - compression that all readers of Parquet know. */
#include "tables/snappy.h"

#include <string.h>

/* Copies are of the same block, so that 16 bits hold how far back they are. */
#define BLOCK 65536

/* The last place in the block of four bytes, by a hash of them. */
#define PLACES_BITS 13
struct places {
	uint16_t at[1 << PLACES_BITS];
};

enum { TAG_LITERAL = 0, TAG_NEAR = 1, TAG_FAR = 2 };

/* What a tag can hold. */
enum {
	LITERAL_SHORT = 60,
	COPY_LEAST = 4,
	COPY_MOST = 64,
	NEAR_LENGTH = 12,
	NEAR_OFFSET = 2048
};

static void add_literal(struct bytes *to, const unsigned char *data,
			size_t size)
{
	size_t less = size - 1;

	if (size == 0)
		return;
	if (less < LITERAL_SHORT) {
		bytes_add_byte(to, (unsigned)less << 2 | TAG_LITERAL);
	} else {
		unsigned count = less < 256 ? 1 : 2;

		bytes_add_byte(to,
			       (LITERAL_SHORT - 1 + count) << 2 | TAG_LITERAL);
		bytes_add_little(to, less, count);
	}
	bytes_add(to, data, size);
}

/* A copy of LENGTH bytes, at most COPY_MOST, from OFFSET bytes before. */
static void add_copy(struct bytes *to, size_t offset, size_t length)
{
	if (length < NEAR_LENGTH && length >= COPY_LEAST &&
	    offset < NEAR_OFFSET) {
		bytes_add_byte(to, (unsigned)(offset >> 8) << 5 |
					   (unsigned)(length - COPY_LEAST)
						   << 2 |
					   TAG_NEAR);
		bytes_add_byte(to, offset & 0xff);
		return;
	}
	bytes_add_byte(to, (unsigned)(length - 1) << 2 | TAG_FAR);
	bytes_add_little(to, offset, 2);
}

static void add_copies(struct bytes *to, size_t offset, size_t length)
{
	for (; length > COPY_MOST; length -= COPY_MOST)
		add_copy(to, offset, COPY_MOST);
	add_copy(to, offset, length);
}

static uint32_t word_at(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/*
 * Notes that I is a place of its four bytes, and returns an earlier one; I:
 * none is known.
 */
static size_t find_earlier(struct places *places, const unsigned char *data,
			   size_t i)
{
	uint32_t word = word_at(data + i);
	uint16_t *at = &places->at[word * 0x1e35a7bd >> (32 - PLACES_BITS)];
	size_t earlier = *at;

	*at = (uint16_t)i;
	return earlier < i && word_at(data + earlier) == word ? earlier : i;
}

/* How many bytes are equal from FROM and from I on, up to SIZE. */
static size_t equal_length(const unsigned char *data, size_t from, size_t i,
			   size_t size)
{
	size_t length = 0;

	while (i + length < size && data[from + length] == data[i + length])
		length++;
	return length;
}

static void compress_block(struct bytes *to, struct places *places,
			   const unsigned char *data, size_t size)
{
	size_t next = 0, i = 0, from, length; /* literal from `next` on */

	memset(places, 0, sizeof(*places));
	while (i + sizeof(uint32_t) <= size) {
		from = find_earlier(places, data, i);
		if (from == i) {
			/* Where little is equal, fewer places are tried. */
			i += 1 + (i - next) / 32;
			continue;
		}
		length = equal_length(data, from, i, size);
		add_literal(to, data + next, i - next);
		add_copies(to, i - from, length);
		i += length;
		next = i;
	}
	add_literal(to, data + next, size - next);
}

void snappy_compress(struct bytes *to, const unsigned char *data, size_t size)
{
	struct places places;
	size_t block;

	bytes_add_varint(to, size);
	for (; size > 0; size -= block, data += block) {
		block = size < BLOCK ? size : BLOCK;
		compress_block(to, &places, data, block);
	}
}
