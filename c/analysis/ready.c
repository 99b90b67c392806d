/* SPDX-License-Identifier: BSD-3-Clause */
/* ready.c - how many goroutines waited for a processor at each time. */
#include "analysis/ready.h"

/* Of a part: its sum, and its number of whole waits. */
#define PART_SIZE (2 * sizeof(uint64_t))

void gti_ready_finish(struct ready_parts *parts)
{
	uint64_t waits = 0;
	size_t i;

	if (parts->sums == NULL)
		return;
	for (i = 0; i < parts->wanted; i++) {
		waits += parts->whole[i];
		parts->sums[i] += waits << parts->shift;
		parts->whole[i] = 0;
	}
}

/* Makes parts twice as long. */
static void widen(struct ready_parts *parts)
{
	size_t i;

	gti_ready_finish(parts);
	for (i = 0; i < parts->wanted; i++) {
		uint64_t sum = parts->sums[i];

		parts->sums[i] = 0;
		parts->sums[i / 2] += sum;
	}
	parts->count = (parts->count + 1) / 2;
	parts->shift++;
}

bool gti_ready_add(struct ready_parts *parts, int64_t from, int64_t to,
		   const struct gtrace_allocator *memory)
{
	uint64_t begin = from < 0 ? 0 : (uint64_t)from, end = (uint64_t)to;
	size_t first, last;

	if (to < 0 || begin >= end)
		return true;
	if (parts->sums == NULL) {
		parts->sums =
			gti_allocate_zeroed(memory, parts->wanted, PART_SIZE);
		if (parts->sums == NULL)
			return false;
		parts->whole = parts->sums + parts->wanted;
	}
	while ((end - 1) >> parts->shift >= parts->wanted)
		widen(parts);
	first = (size_t)(begin >> parts->shift);
	last = (size_t)((end - 1) >> parts->shift);
	if (last >= parts->count)
		parts->count = last + 1;
	/* As if it took all parts from the first to the last; then less. */
	parts->whole[first]++;
	if (last + 1 < parts->wanted)
		parts->whole[last + 1]--;
	parts->sums[first] -= begin - ((uint64_t)first << parts->shift);
	parts->sums[last] -= ((uint64_t)(last + 1) << parts->shift) - end;
	return true;
}

void gti_ready_free(struct ready_parts *parts,
		    const struct gtrace_allocator *memory)
{
	if (parts->sums != NULL)
		gti_release(memory, parts->sums, parts->wanted * PART_SIZE);
	parts->sums = NULL;
}
