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

/* A distribution: numbers of its rows, plus one; 0: it has none. */
struct rough_lengths {
	uint32_t rows[ROUGH_ROWS];
};

/*
 * Distributions and their rows. They are referred to by their numbers, plus
 * one; 0: no length was added.
 */
struct rough_table {
	struct array lengths; /* struct rough_lengths */
	struct array rows;    /* struct rough_row */
};

/* Forgets all distributions. */
void gti_rough_clear(struct rough_table *table);

void gti_rough_free(struct rough_table *table,
		    const struct gtrace_allocator *memory);

static inline uint64_t rough_class(uint64_t length)
{
	return lengths_class(length) >> ROUGH_SHIFT;
}

/*
 * Add distribution *NUMBER, or a row *ROW, and set that. Return false if there
 * is no memory.
 */
bool gti_rough_add_lengths(struct rough_table *table, uint32_t *number,
			   const struct gtrace_allocator *memory);
bool gti_rough_add_row(struct rough_table *table, uint32_t *row,
		       const struct gtrace_allocator *memory);

/* Adds a length of CLASS to *NUMBER of TABLE. False: there is no memory. */
static ALWAYS_INLINE bool rough_add(struct rough_table *table, uint32_t *number,
				    uint64_t class,
				    const struct gtrace_allocator *memory)
{
	struct rough_lengths *lengths;
	struct rough_row *rows;
	uint32_t *row;

	if (UNLIKELY(*number == 0) &&
	    !gti_rough_add_lengths(table, number, memory))
		return false;
	lengths = table->lengths.items;
	row = &lengths[*number - 1].rows[class / ROUGH_ROW];
	if (UNLIKELY(*row == 0) && !gti_rough_add_row(table, row, memory))
		return false;
	rows = table->rows.items;
	rows[*row - 1].counts[class % ROUGH_ROW]++;
	return true;
}

/*
 * Returns a quantile of the COUNT lengths of distribution NUMBER of TABLE, as
 * gti_lengths_quantile() does, within 2 %; the greatest length, MAX, is exact.
 * A length that is the only one need not have been added.
 */
int64_t gti_rough_quantile(const struct rough_table *table, uint32_t number,
			   uint64_t count, int64_t max, unsigned permille);

/* The same of a distribution that all lengths were added to. */
int64_t gti_rough_within(const struct rough_table *table, uint32_t number,
			 unsigned permille);

/*
 * Adds the lengths of distribution FROM to *NUMBER; each can be 0. Returns
 * false if there is no memory.
 */
bool gti_rough_join(struct rough_table *table, uint32_t *number, uint32_t from,
		    const struct gtrace_allocator *memory);

#endif /* GTRACE_ANALYSIS_LENGTHS_H_ */
