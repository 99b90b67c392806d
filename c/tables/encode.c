/* SPDX-License-Identifier: BSD-3-Clause */
/* encode.c - how Parquet writes the values of a page. */
#include "tables/encode.h"

/* Bits that are packed, the lowest first. */
struct packer {
	struct bytes *to;
	uint64_t bits;
	unsigned count; /* of `bits`, less than 8 between calls */
};

static void pack(struct packer *packer, uint64_t value, unsigned width)
{
	unsigned left = width, take;

	while (left > 0) {
		take = left < 32 ? left : 32;
		packer->bits |= (value & ((UINT64_C(1) << take) - 1))
				<< packer->count;
		packer->count += take;
		for (; packer->count >= 8; packer->count -= 8) {
			bytes_add_byte(packer->to, packer->bits & 0xff);
			packer->bits >>= 8;
		}
		value = take == 32 ? value >> 32 : 0;
		left -= take;
	}
}

unsigned encode_width(uint64_t most)
{
	unsigned width = 0;

	for (; most != 0; most >>= 1)
		width++;
	return width;
}

/* ------------------------------------------------------------------ runs -- */

#define GROUP 8

/* How many of the COUNT numbers at VALUES are equal to the first. */
static size_t run_length(const uint32_t *values, size_t count)
{
	size_t length = 1;

	while (length < count && values[length] == values[0])
		length++;
	return length;
}

/* Adds COUNT numbers packed, with zeros up to the end of their last group. */
static void add_packed(struct bytes *to, const uint32_t *values, size_t count,
		       unsigned width)
{
	size_t groups = (count + GROUP - 1) / GROUP, i;
	struct packer packer = {.to = to};

	if (count == 0)
		return;
	bytes_add_varint(to, groups << 1 | 1);
	for (i = 0; i < groups * GROUP; i++)
		pack(&packer, i < count ? values[i] : 0, width);
}

void encode_runs(struct bytes *to, const uint32_t *values, size_t count,
		 unsigned width)
{
	size_t packed = 0, i = 0, length; /* from `packed` on to be packed */

	while (i < count) {
		length = run_length(values + i, count - i);
		if (length < GROUP) {
			i += count - i < GROUP ? count - i : GROUP;
			continue;
		}
		add_packed(to, values + packed, i - packed, width);
		bytes_add_varint(to, length << 1);
		bytes_add_little(to, values[i], (width + 7) / 8);
		i += length;
		packed = i;
	}
	add_packed(to, values + packed, count - packed, width);
}

/* ----------------------------------------------------------- differences -- */

#define BLOCK 128 /* differences that have one least one */
#define PART  32  /* those of them that have one width */

/* Differences of the COUNT numbers after VALUES[0], modulo 2^64. */
static uint64_t difference(const int64_t *values, size_t i)
{
	return (uint64_t)values[i + 1] - (uint64_t)values[i];
}

static int64_t find_least(const int64_t *values, size_t count)
{
	int64_t least = (int64_t)difference(values, 0);
	size_t i;

	for (i = 1; i < count; i++)
		if ((int64_t)difference(values, i) < least)
			least = (int64_t)difference(values, i);
	return least;
}

/* The bits of the differences FROM up to END above LEAST. */
static unsigned part_width(const int64_t *values, size_t from, size_t end,
			   int64_t least)
{
	uint64_t most = 0;
	size_t i;

	for (i = from; i < end; i++)
		most |= difference(values, i) - (uint64_t)least;
	return encode_width(most);
}

/* Adds the COUNT differences, at most BLOCK, that follow VALUES[0]. */
static void add_block(struct bytes *to, const int64_t *values, size_t count)
{
	int64_t least = find_least(values, count);
	unsigned widths[BLOCK / PART] = {0};
	struct packer packer = {.to = to};
	size_t from, i;

	bytes_add_zigzag(to, least);
	for (from = 0; from < BLOCK; from += PART) {
		if (from < count)
			widths[from / PART] = part_width(
				values, from,
				from + PART < count ? from + PART : count,
				least);
		bytes_add_byte(to, widths[from / PART]);
	}
	/* A part that has a difference is written up to its end. */
	for (i = 0; i < (count + PART - 1) / PART * PART; i++)
		pack(&packer,
		     i < count ? difference(values, i) - (uint64_t)least : 0,
		     widths[i / PART]);
}

void encode_differences(struct bytes *to, const int64_t *values, size_t count)
{
	size_t i, left;

	bytes_add_varint(to, BLOCK);
	bytes_add_varint(to, BLOCK / PART);
	bytes_add_varint(to, count);
	bytes_add_zigzag(to, values[0]);
	for (i = 0; i + 1 < count; i += BLOCK) {
		left = count - 1 - i;
		add_block(to, values + i, left < BLOCK ? left : BLOCK);
	}
}

void encode_bits(struct bytes *to, const unsigned char *bits, size_t count)
{
	struct packer packer = {.to = to};
	size_t i;

	for (i = 0; i < count; i++)
		pack(&packer, bits[i], 1);
	for (; packer.count != 0; i++)
		pack(&packer, 0, 1);
}
