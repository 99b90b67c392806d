/* SPDX-License-Identifier: BSD-3-Clause */
/* md5.c - MD5 (RFC 1321). */
#include "tests/md5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 64

static uint32_t rotate(uint32_t v, unsigned bits)
{
	return v << bits | v >> (32 - bits);
}

static uint32_t word(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static void add_block(struct md5 *md5)
{
	static const uint8_t turns[4][4] = {{7, 12, 17, 22},
					    {5, 9, 14, 20},
					    {4, 11, 16, 23},
					    {6, 10, 15, 21}};
	uint32_t a = md5->state[0], b = md5->state[1];
	uint32_t c = md5->state[2], d = md5->state[3];
	unsigned i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned at = i < 16   ? i
			      : i < 32 ? 5 * i + 1
			      : i < 48 ? 3 * i + 5
				       : 7 * i;
		uint32_t f = i < 16   ? (b & c) | (~b & d)
			     : i < 32 ? (d & b) | (~d & c)
			     : i < 48 ? b ^ c ^ d
				      : c ^ (b | ~d);
		uint32_t constant =
			(uint32_t)floor(fabs(sin(i + 1.0)) * 4294967296.0);
		uint32_t sum =
			a + f + constant + word(md5->block + 4 * (at % 16));

		a = d;
		d = c;
		c = b;
		b += rotate(sum, turns[i / 16][i % 4]);
	}
	md5->state[0] += a;
	md5->state[1] += b;
	md5->state[2] += c;
	md5->state[3] += d;
}

void md5_begin(struct md5 *md5)
{
	*md5 = (struct md5){
		.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void md5_add(struct md5 *md5, const void *data, size_t size)
{
	const uint8_t *p = data;

	for (; size > 0; size--) {
		md5->block[md5->size++ % 64] = *p++;
		if (md5->size % 64 == 0)
			add_block(md5);
	}
}

int md5_write(void *context, const void *data, size_t size)
{
	md5_add(context, data, size);
	return 0;
}

void md5_end(struct md5 *md5, char text[33])
{
	uint64_t bits = md5->size * 8;
	uint8_t tail[8];
	unsigned i;

	for (i = 0; i < 8; i++)
		tail[i] = (uint8_t)(bits >> 8 * i);
	md5_add(md5, "\x80", 1);
	while (md5->size % 64 != 56)
		md5_add(md5, "", 1);
	md5_add(md5, tail, 8);
	for (i = 0; i < 16; i++)
		snprintf(text + 2 * i, 3, "%02x",
			 (unsigned)(md5->state[i / 4] >> 8 * (i % 4)) & 0xff);
}
