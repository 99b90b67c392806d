/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranking.h - the N longest of a sequence of slices.
 *
 * Which of several slices of equal length are among them, and in which order,
 * follows from go1.8.3's container/heap and from the order in which the slices
 * are offered. Both can be seen in the report, so they are part of the format:
 * a slice that is not longer than the least of a full heap still pops and
 * pushes that least element, which can move others of its length.
 */
#ifndef GTRACE_ANALYSIS_RANKING_H_
#define GTRACE_ANALYSIS_RANKING_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define RANKED_NONE UINT32_MAX

struct ranked {
	int64_t length;
	uint32_t slice; /* number that the caller knows the slice by */
};

/* Zero is the empty ranking. */
struct ranking {
	struct array heap; /* struct ranked, least length first */
	bool settled;      /* another refusal changes nothing */
	/*
	 * To find a cycle of refusals (Brent's algorithm): the heap as it was
	 * `refusals` refusals ago, empty if there was no look at it yet, and
	 * the number of refusals after which to take the next look.
	 */
	struct array seen; /* struct ranked */
	uint64_t refusals;
	uint64_t look_after;
};

void gti_ranking_free(struct ranking *ranking,
		      const struct gtrace_allocator *memory);

/* Allocates memory for COUNT slices. Returns false if there is none. */
bool gti_ranking_reserve(struct ranking *ranking, size_t count,
			 const struct gtrace_allocator *memory);

/*
 * Offers the slice with the number SLICE to a ranking of WANTED; memory for one
 * more is reserved. Returns the number of the slice that is left out because of
 * that, which may be SLICE itself, or RANKED_NONE.
 */
uint32_t gti_ranking_offer(struct ranking *ranking, size_t wanted,
			   int64_t length, uint32_t slice);

/* Offers TIMES slices that are not longer than any in the ranking. */
void gti_ranking_refuse(struct ranking *ranking, uint64_t times);

/* Removes the shortest slice of a ranking that has one, and returns it. */
uint32_t gti_ranking_pop(struct ranking *ranking);

#endif /* GTRACE_ANALYSIS_RANKING_H_ */
