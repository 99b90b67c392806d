/* SPDX-License-Identifier: BSD-3-Clause */
/* ready.c - how many goroutines waited for a processor at each time. */
#include "analysis/ready.h"

/* Makes parts twice as long. */
static void widen(struct ready_parts *parts)
{
	size_t i;

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
	size_t part;

	if (to < 0 || begin >= end)
		return true;
	if (parts->sums == NULL)
		parts->sums = gti_allocate_zeroed(memory, parts->wanted,
						  sizeof(*parts->sums));
	if (parts->sums == NULL)
		return false;
	while ((end - 1) >> parts->shift >= parts->wanted)
		widen(parts);
	/* A part each: few waits last for more than one or two. */
	part = (size_t)(begin >> parts->shift);
	for (; begin < end; part++) {
		uint64_t next = ((uint64_t)part + 1) << parts->shift;

		if (next > end)
			next = end;
		parts->sums[part] += next - begin;
		begin = next;
	}
	if (part > parts->count)
		parts->count = part;
	return true;
}

void gti_ready_free(struct ready_parts *parts,
		    const struct gtrace_allocator *memory)
{
	if (parts->sums != NULL)
		gti_release(memory, parts->sums,
			    parts->wanted * sizeof(*parts->sums));
	parts->sums = NULL;
}
