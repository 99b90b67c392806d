/* SPDX-License-Identifier: BSD-3-Clause */
/* ready.c - how many goroutines waited for a processor at each time. */
#include "analysis/ready.h"

void gti_ready_settle(struct ready_parts *parts)
{
	uint64_t covering = 0;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		covering += parts->parts[i].more;
		parts->parts[i].sum += covering << parts->shift;
		parts->parts[i].more = 0;
	}
}

/* Makes parts twice as long. */
static void widen(struct ready_parts *parts)
{
	size_t i;

	gti_ready_settle(parts);
	for (i = 0; i < parts->count; i++) {
		uint64_t sum = parts->parts[i].sum;

		parts->parts[i].sum = 0;
		parts->parts[i / 2].sum += sum;
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
	if (parts->parts == NULL)
		parts->parts = gti_allocate_zeroed(memory, parts->wanted,
						   sizeof(*parts->parts));
	if (parts->parts == NULL)
		return false;
	while ((end - 1) >> parts->shift >= parts->wanted)
		widen(parts);
	first = (size_t)(begin >> parts->shift);
	last = (size_t)((end - 1) >> parts->shift);
	/* As if it covered all parts but the last, less what it does not. */
	parts->parts[first].more++;
	parts->parts[last].more--;
	parts->parts[first].sum -= begin - ((uint64_t)first << parts->shift);
	parts->parts[last].sum += end - ((uint64_t)last << parts->shift);
	if (last >= parts->count)
		parts->count = last + 1;
	return true;
}

void gti_ready_free(struct ready_parts *parts,
		    const struct gtrace_allocator *memory)
{
	if (parts->parts != NULL)
		gti_release(memory, parts->parts,
			    parts->wanted * sizeof(*parts->parts));
	parts->parts = NULL;
}
