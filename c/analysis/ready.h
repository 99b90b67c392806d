/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ready.h - how many goroutines waited for a processor at each time: sums of
 * waits by the parts of the trace in which they were. All parts are equally
 * long. They become longer as the trace does, so that there are never more than
 * wanted.
 */
#ifndef GTRACE_ANALYSIS_READY_H_
#define GTRACE_ANALYSIS_READY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct ready_part {
	uint64_t sum; /* nanoseconds */
	/*
	 * So many more waits than in the part before cover the whole part, and
	 * are not in `sum` yet; wraps around.
	 */
	uint64_t more;
};

struct ready_parts {
	size_t wanted;            /* at most so many, more than one; 0: none */
	unsigned shift;           /* a part is 1 << shift nanoseconds long */
	size_t count;             /* up to the last one in which a wait was */
	struct ready_part *parts; /* NULL: no wait yet */
};

/*
 * Adds a wait from one time to another, in nanoseconds since the trace began.
 * Returns false if there is no memory.
 */
bool gti_ready_add(struct ready_parts *parts, int64_t from, int64_t to,
		   const struct gtrace_allocator *memory);

/* Makes all sums complete. */
void gti_ready_settle(struct ready_parts *parts);

void gti_ready_free(struct ready_parts *parts,
		    const struct gtrace_allocator *memory);

#endif /* GTRACE_ANALYSIS_READY_H_ */
