/* SPDX-License-Identifier: BSD-3-Clause */
/* sha256.c - SHA-256 (FIPS 180-4). */
#include "tables/sha256.h"

#include <string.h>

#define BLOCK 64

/* Fractional parts of the cube roots of the first 64 primes. */
static const uint32_t roots[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_begin(struct sha256 *hash)
{
	/* Fractional parts of the square roots of the first 8 primes. */
	static const uint32_t first[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	memcpy(hash->state, first, sizeof(first));
	hash->size = 0;
}

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static uint32_t word_of(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* Sets the 64 words of the schedule of BLOCK. */
static void spread(const unsigned char *block, uint32_t *words)
{
	unsigned i;

	for (i = 0; i < 16; i++)
		words[i] = word_of(block + 4 * i);
	for (; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
			   words[i - 7] +
			   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) +
			   words[i - 16];
	}
}

/* A round with WORD on the eight numbers at S, whose places turn by one. */
static inline void turn(uint32_t *s, unsigned i, uint32_t word)
{
	uint32_t *a = &s[(0 - i) & 7], *b = &s[(1 - i) & 7];
	uint32_t *c = &s[(2 - i) & 7], *d = &s[(3 - i) & 7];
	uint32_t *e = &s[(4 - i) & 7], *f = &s[(5 - i) & 7];
	uint32_t *g = &s[(6 - i) & 7], *h = &s[(7 - i) & 7];
	uint32_t first = *h +
			 (rotate(*e, 6) ^ rotate(*e, 11) ^ rotate(*e, 25)) +
			 ((*e & *f) ^ (~*e & *g)) + word;
	uint32_t second = (rotate(*a, 2) ^ rotate(*a, 13) ^ rotate(*a, 22)) +
			  ((*a & *b) ^ (*a & *c) ^ (*b & *c));

	*d += first;
	*h = first + second;
}

static void add_block(struct sha256 *hash, const unsigned char *block)
{
	uint32_t words[64], s[8];
	unsigned i, j;

	spread(block, words);
	memcpy(s, hash->state, sizeof(s));
	/* Eight rounds at a time: their places are then constants. */
	for (i = 0; i < 64; i += 8)
		for (j = 0; j < 8; j++)
			turn(s, j, roots[i + j] + words[i + j]);
	for (i = 0; i < 8; i++)
		hash->state[i] += s[i];
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
	size_t used = hash->size % BLOCK, take;
	const unsigned char *at = data;

	hash->size += size;
	if (used != 0) {
		take = size < BLOCK - used ? size : BLOCK - used;
		memcpy(hash->block + used, at, take);
		at += take;
		size -= take;
		if (used + take < BLOCK)
			return;
		add_block(hash, hash->block);
	}
	for (; size >= BLOCK; size -= BLOCK, at += BLOCK)
		add_block(hash, at);
	if (size != 0)
		memcpy(hash->block, at, size);
}

void sha256_end(struct sha256 *hash, char text[SHA256_DIGITS + 1])
{
	static const char digits[] = "0123456789abcdef";
	static const unsigned char fill[BLOCK] = {0x80};
	uint64_t bits = hash->size * 8;
	unsigned char size[8];
	unsigned i;

	for (i = 0; i < sizeof(size); i++)
		size[i] = (unsigned char)(bits >> (56 - 8 * i));
	/* Up to the last eight bytes of a block. */
	sha256_add(hash, fill, 1 + (BLOCK - 9 - hash->size % BLOCK) % BLOCK);
	sha256_add(hash, size, sizeof(size));
	for (i = 0; i < SHA256_DIGITS; i++)
		text[i] = digits[hash->state[i / 8] >> (28 - i % 8 * 4) & 15];
	text[SHA256_DIGITS] = '\0';
}
