/* SPDX-License-Identifier: BSD-3-Clause */
/* lengths.c - how lengths are distributed. */
#include "analysis/lengths.h"

#include <string.h>

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

int64_t gti_lengths_middle(uint64_t number)
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
	return gti_lengths_middle(number) < lengths->max
		       ? gti_lengths_middle(number)
		       : lengths->max;
}
