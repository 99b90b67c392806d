/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranking.h - the N longest of a sequence of slices.
 *
 * Among slices of equal length, go1.8.3's container/heap and the order in which
 * slices are offered decide which are kept and in which order. That shows in
 * the report, so the heap is reproduced here step by step. A slice that is not
 * longer than the least element of a full heap is refused, and even a refusal
 * has an effect: the least element is popped and pushed again, which can move
 * elements of its length.
 */
#ifndef GTRACE_ANALYSIS_RANKING_H_
#define GTRACE_ANALYSIS_RANKING_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define RANKED_NONE UINT32_MAX

struct ranked {
	int64_t length;
	uint32_t slice; /* the caller's number of the slice */
};

/* Zero is the empty ranking. */
struct ranking {
	struct array heap; /* struct ranked, least length first */
	bool settled;      /* another refusal changes nothing */
};

void gti_ranking_free(struct ranking *ranking,
		      const struct gtrace_allocator *memory);

/* Allocates memory for COUNT slices. Returns false if there is none. */
bool gti_ranking_reserve(struct ranking *ranking, size_t count,
			 const struct gtrace_allocator *memory);

/*
 * Offers the slice number SLICE to a ranking of at most WANTED; the caller has
 * reserved memory for one more. Returns the number of the slice that drops out,
 * which may be SLICE itself, or RANKED_NONE if none does.
 */
uint32_t gti_ranking_offer(struct ranking *ranking, size_t wanted,
			   int64_t length, uint32_t slice);

/* Offers TIMES slices that are not longer than any in the ranking. */
void gti_ranking_refuse(struct ranking *ranking, uint64_t times);

/* Removes the shortest slice and returns it. The ranking must have one. */
uint32_t gti_ranking_pop(struct ranking *ranking);

#endif /* GTRACE_ANALYSIS_RANKING_H_ */
