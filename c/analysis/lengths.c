/* SPDX-License-Identifier: BSD-3-Clause */
/* lengths.c - how lengths are distributed. */
#include "analysis/lengths.h"

#include <string.h>

#include "base/array.h"

bool gti_lengths_init(struct lengths *lengths,
		      const struct gtrace_allocator *memory)
{
	*lengths = (struct lengths){
		.classes = gti_allocate_zeroed(memory, LENGTHS_CLASSES,
					       sizeof(*lengths->classes)),
	};
	return lengths->classes != NULL;
}

void gti_lengths_free(struct lengths *lengths,
		      const struct gtrace_allocator *memory)
{
	gti_release(memory, lengths->classes,
		    LENGTHS_CLASSES * sizeof(*lengths->classes));
	lengths->classes = NULL;
}

void gti_lengths_clear(struct lengths *lengths)
{
	memset(lengths->classes, 0,
	       LENGTHS_CLASSES * sizeof(*lengths->classes));
	lengths->count = 0;
	lengths->sum = 0;
	lengths->max = 0;
}

/* The middle of class NUMBER. */
static int64_t middle_of(uint64_t number)
{
	uint64_t shift, least;

	if (number < LENGTHS_LINEAR)
		return (int64_t)number;
	shift = number / LENGTHS_HALF - 1;
	least = (number - shift * LENGTHS_HALF) << shift;
	return (int64_t)(least + (((uint64_t)1 << shift) - 1) / 2);
}

int64_t gti_lengths_quantile(const struct lengths *lengths, unsigned permille)
{
	uint64_t rank = lengths_rank(lengths->count, permille);
	uint64_t seen = 0, number;

	if (lengths->count == 0)
		return 0;
	for (number = 0; number < LENGTHS_CLASSES; number++) {
		seen += lengths->classes[number];
		if (seen >= rank && seen != 0)
			break;
	}
	return middle_of(number) < lengths->max ? middle_of(number)
						: lengths->max;
}

/* ----------------------------------------------------------------- rough -- */

void gti_rough_clear(struct rough_table *table)
{
	table->lengths.count = 0;
	table->rows.count = 0;
}

void gti_rough_free(struct rough_table *table,
		    const struct gtrace_allocator *memory)
{
	gti_array_free(&table->lengths, sizeof(struct rough_lengths), memory);
	gti_array_free(&table->rows, sizeof(struct rough_row), memory);
}

bool gti_rough_add_lengths(struct rough_table *table, uint32_t *number,
			   const struct gtrace_allocator *memory)
{
	static const struct rough_lengths empty = {{0}};

	if (array_add(&table->lengths, &empty, sizeof(empty), memory) == NULL)
		return false;
	*number = (uint32_t)table->lengths.count;
	return true;
}

bool gti_rough_add_row(struct rough_table *table, uint32_t *row,
		       const struct gtrace_allocator *memory)
{
	static const struct rough_row empty = {{0}};

	if (array_add(&table->rows, &empty, sizeof(empty), memory) == NULL)
		return false;
	*row = (uint32_t)table->rows.count;
	return true;
}

/* How many lengths of CLASS distribution NUMBER has. NULL: its row has none. */
static const uint64_t *count_of(const struct rough_table *table,
				uint32_t number, uint64_t class)
{
	const struct rough_lengths *lengths = table->lengths.items;
	const struct rough_row *rows = table->rows.items;
	uint32_t row = lengths[number - 1].rows[class / ROUGH_ROW];

	return row != 0 ? &rows[row - 1].counts[class % ROUGH_ROW] : NULL;
}

/* The middle of the class that has the length of RANK, from 1 on. */
static int64_t rough_find(const struct rough_table *table, uint32_t number,
			  uint64_t rank)
{
	uint64_t seen = 0, class = 0;

	while (seen < rank || seen == 0) {
		const uint64_t *of_class = count_of(table, number, class);

		if (of_class != NULL)
			seen += *of_class;
		class += of_class != NULL ? 1 : ROUGH_ROW;
	}
	return middle_of(((class - 1) << ROUGH_SHIFT) + (1 << ROUGH_SHIFT) / 2);
}

int64_t gti_rough_quantile(const struct rough_table *table, uint32_t number,
			   uint64_t count, int64_t max, unsigned permille)
{
	uint64_t rank = lengths_rank(count, permille);
	int64_t length;

	if (rank == count)
		return max;
	length = rough_find(table, number, rank);
	return length < max ? length : max;
}

static uint64_t rough_count(const struct rough_table *table, uint32_t number)
{
	const struct rough_lengths *lengths = table->lengths.items;
	const struct rough_row *rows = table->rows.items;
	uint64_t count = 0;
	size_t row, i;

	for (row = 0; row < ROUGH_ROWS; row++) {
		uint32_t at = lengths[number - 1].rows[row];

		for (i = 0; at != 0 && i < ROUGH_ROW; i++)
			count += rows[at - 1].counts[i];
	}
	return count;
}

int64_t gti_rough_within(const struct rough_table *table, uint32_t number,
			 unsigned permille)
{
	return rough_find(table, number,
			  lengths_rank(rough_count(table, number), permille));
}

/* Adds row number ROW of distribution FROM to distribution TO. */
static bool join_row(struct rough_table *table, uint32_t to, uint32_t from,
		     size_t row, const struct gtrace_allocator *memory)
{
	struct rough_lengths *lengths = table->lengths.items;
	uint32_t source = lengths[from - 1].rows[row];
	uint32_t *target = &lengths[to - 1].rows[row];
	struct rough_row *rows;
	size_t i;

	if (source == 0)
		return true;
	if (*target == 0 && !gti_rough_add_row(table, target, memory))
		return false;
	rows = table->rows.items;
	for (i = 0; i < ROUGH_ROW; i++)
		rows[*target - 1].counts[i] += rows[source - 1].counts[i];
	return true;
}

bool gti_rough_join(struct rough_table *table, uint32_t *number, uint32_t from,
		    const struct gtrace_allocator *memory)
{
	bool good = true;
	size_t row;

	if (*number == 0 || from == 0) {
		*number = *number != 0 ? *number : from;
		return true;
	}
	for (row = 0; row < ROUGH_ROWS && good; row++)
		good = join_row(table, *number, from, row, memory);
	return good;
}
