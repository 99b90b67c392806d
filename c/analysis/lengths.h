/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lengths.h - how lengths are distributed.
 *
 * Lengths are counted in classes: each length below LENGTHS_LINEAR has one of
 * its own, and each power of two above is divided into LENGTHS_LINEAR / 2 ones
 * of equal width. So memory is bounded, and a quantile is off by at most one
 * part in LENGTHS_LINEAR.
 */
#ifndef GTRACE_ANALYSIS_LENGTHS_H_
#define GTRACE_ANALYSIS_LENGTHS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/memory.h"

#define LENGTHS_SHIFT  8
#define LENGTHS_LINEAR ((uint64_t)1 << LENGTHS_SHIFT)
#define LENGTHS_HALF   (LENGTHS_LINEAR / 2)

/* Lengths are below 2 to the power of 63. */
#define LENGTHS_CLASSES (LENGTHS_LINEAR + (63 - LENGTHS_SHIFT) * LENGTHS_HALF)

struct lengths {
	uint64_t *classes; /* how many lengths there are of each */
	/* Who adds lengths sets these at the end. */
	uint64_t count;
	int64_t sum; /* wraps around */
	int64_t max;
};

/* Returns false if there is no memory. */
bool gti_lengths_init(struct lengths *lengths,
		      const struct gtrace_allocator *memory);

void gti_lengths_free(struct lengths *lengths,
		      const struct gtrace_allocator *memory);

/* Forgets all lengths. */
void gti_lengths_clear(struct lengths *lengths);

/* The class of LENGTH, which is not below 0. */
static inline uint64_t lengths_class(uint64_t length)
{
	unsigned shift;

	if (length < LENGTHS_LINEAR)
		return length;
	shift = highest_bit(length) - (LENGTHS_SHIFT - 1);
	return shift * LENGTHS_HALF + (length >> shift);
}

static inline void lengths_add(struct lengths *lengths, int64_t length)
{
	lengths->classes[lengths_class((uint64_t)length)]++;
}

/* Which of COUNT lengths is the quantile of PERMILLE, from 1 on. */
static inline uint64_t lengths_rank(uint64_t count, unsigned permille)
{
	return count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
}

/*
 * Returns the nearest-rank quantile: the least length that PERMILLE thousandths
 * of all lengths do not exceed, or the middle of its class. 0 if there is no
 * length.
 */
int64_t gti_lengths_quantile(const struct lengths *lengths, unsigned permille);

/* ----------------------------------------------------------------- rough -- */

/*
 * Where there are many distributions, most of few lengths, each has rows only
 * of the classes that it needs. A rough class consists of so many of those
 * above, as a power of two, and a row of so many rough classes.
 */
#define ROUGH_SHIFT 2
#define ROUGH_ROW   32
#define ROUGH_ROWS  (LENGTHS_CLASSES / ROUGH_ROW >> ROUGH_SHIFT)

/* How many lengths there are of each class of a row. */
struct rough_row {
	uint64_t counts[ROUGH_ROW];
};

/* A distribution: numbers of its rows in an array, plus one; 0: it has none. */
struct rough_lengths {
	uint32_t rows[ROUGH_ROWS];
};

static inline uint64_t rough_class(uint64_t length)
{
	return lengths_class(length) >> ROUGH_SHIFT;
}

/* Adds a row to ROWS, and sets *ROW. Returns false if there is no memory. */
bool gti_rough_add_row(struct array *rows, uint32_t *row,
		       const struct gtrace_allocator *memory);

/* Adds a length of CLASS to LENGTHS, with ROWS. False: there is no memory. */
static ALWAYS_INLINE bool rough_add(struct array *rows,
				    struct rough_lengths *lengths,
				    uint64_t class,
				    const struct gtrace_allocator *memory)
{
	uint32_t *row = &lengths->rows[class / ROUGH_ROW];
	struct rough_row *items;

	if (UNLIKELY(*row == 0) && !gti_rough_add_row(rows, row, memory))
		return false;
	items = rows->items;
	items[*row - 1].counts[class % ROUGH_ROW]++;
	return true;
}

/*
 * Returns a quantile of COUNT LENGTHS, with ROWS, as gti_lengths_quantile()
 * does, within 2 %; the greatest length, MAX, is exact.
 */
int64_t gti_rough_quantile(const struct array *rows,
			   const struct rough_lengths *lengths, uint64_t count,
			   int64_t max, unsigned permille);

#endif /* GTRACE_ANALYSIS_LENGTHS_H_ */
