/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * skip.c - the loop of the first pass over events that it only counts.
 *
 * A plain event is a first byte with the number of values, and the values; or,
 * from four values on, a first byte, a length in bytes and the values. Each
 * value ends with the first byte whose top bit is clear.
 */
#include "base/leb128.h"
#include "v1/record.h"

#define TOP_BITS 0x8080808080808080u

/* The longest sized event that is skipped has this many bytes of values. */
#define SIZED_BYTES_MAX 16

/*
 * The most bytes that are read from the start of a record on: its first byte,
 * its length and two loads of eight bytes. (Without a length, one load.)
 */
#define SKIP_MARGIN (2 + SIZED_BYTES_MAX)

_Static_assert(SKIP_MARGIN >= 1 + 8, "a first byte and one load");

/* Returns the number of bits set in TOPS, of which only top bits may be. */
static inline unsigned count_tops(uint64_t tops)
{
	return (unsigned)(((tops >> 7) * 0x0101010101010101u) >> 56);
}

/* Returns the size of the sized event at P if it has VALUES; otherwise 0. */
static inline size_t sized_size(const uint8_t *p, unsigned values)
{
	unsigned size = p[1];
	uint64_t low, high;

	if (size > SIZED_BYTES_MAX || size < values)
		return 0;
	/* The longest value, if all others had one byte, is not too long. */
	if (size - values + 1u > LEB128_BYTES_MAX)
		return 0;
	if (p[1 + size] >= 0x80)
		return 0;
	low = ~load64(p + 2) & TOP_BITS;
	high = ~load64(p + 10) & TOP_BITS;
	if (size <= 8) {
		high = 0;
		low = size == 8 ? low : low & (((uint64_t)1 << 8 * size) - 1);
	} else if (size < 16) {
		high &= ((uint64_t)1 << 8 * (size - 8)) - 1;
	}
	return count_tops(low) + count_tops(high) == values ? 2 + size : 0;
}

/*
 * Returns the size of a plain event of VALUES values, or 0 if there are none or
 * they take more than eight bytes. ENDS has the top bit set of each byte, of
 * the eight after the first byte, that ends a value.
 */
static NOINLINE size_t plain_size(uint64_t ends, unsigned values)
{
	if (values == 0)
		return 0;
	while (--values > 0)
		ends &= ends - 1;
	return ends != 0 ? 2 + lowest_bit(ends) / 8 : 0;
}

/*
 * Moves *P past a plain event of VALUES values, a constant, if all have one
 * byte or only the first has two. There is a branch for each of these sizes, so
 * that the CPU predicts the size and starts on the next record at once. A size
 * that is computed would have to be waited for.
 */
static ALWAYS_INLINE bool skip_common(const uint8_t **p, uint64_t tops,
				      unsigned values)
{
	const uint64_t one_byte_each = TOP_BITS >> (64 - 8 * values);

	if ((tops & one_byte_each) == 0) {
		*p += 1 + values;
		return true;
	}
	if ((tops & (one_byte_each << 8 | 0x80)) == 0x80) {
		*p += 2 + values;
		return true;
	}
	return false;
}

/*
 * Variables and invariants of the loop:
 *   p       the start of a record; all records before it have been checked and
 *           counted
 *   values  the number of values of the record, see struct rules; 0: it is not
 *           skipped
 *   tops    the top bits of the eight bytes after the first byte
 *   count   events skipped
 *   last    the last byte from which on SKIP_MARGIN bytes can be read
 */
HOT size_t gti_skip_plain(const uint8_t plain[256], const uint8_t *data,
			  size_t offset, size_t size_of_file, uint64_t *events)
{
	const uint8_t *p = data + offset, *last;
	uint64_t count = 0;

	if (size_of_file < SKIP_MARGIN)
		return offset;
	last = data + (size_of_file - SKIP_MARGIN);
	for (; p <= last; count++) {
		unsigned values = plain[*p];
		uint64_t tops = load64(p + 1) & TOP_BITS;
		size_t size;

		if ((values == 2 && skip_common(&p, tops, 2)) ||
		    (values == 1 && skip_common(&p, tops, 1)) ||
		    (values == 3 && skip_common(&p, tops, 3)))
			continue;
		if (values > UNSIZED_VALUES_MAX)
			size = sized_size(p, values);
		else
			size = plain_size(~tops & TOP_BITS, values);
		if (UNLIKELY(size == 0))
			break;
		p += size;
	}
	*events += count;
	return (size_t)(p - data);
}
