/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times.h - finds things by their times.
 *
 * The things are in an array, which only grows at its end. Their times need not
 * be in order: the items of this index are in sorted runs, whose sizes are the
 * powers of two that add up to the number of items.
 */
#ifndef GTRACE_ANALYSIS_TIMES_H_
#define GTRACE_ANALYSIS_TIMES_H_

#include "base/memory.h"

/* Zero is the empty index. */
struct times {
	struct array items; /* struct sort_item: time and number of a thing */
	struct array found; /* uint32_t: numbers of things */
};

/*
 * Sets times->found to the numbers of the THINGS, each of SIZE bytes and
 * beginning with its time, from FROM to TO, in no particular order. Returns
 * false if there is no memory.
 */
bool gti_times_find(struct times *times, const struct array *things,
		    size_t size, int64_t from, int64_t to,
		    const struct gtrace_allocator *memory);

/* The things have other numbers now. */
static inline void times_forget(struct times *times)
{
	times->items.count = 0;
}

void gti_times_free(struct times *times, const struct gtrace_allocator *memory);

#endif /* GTRACE_ANALYSIS_TIMES_H_ */
