/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.h - the candidates for the next event of a merge: at most one of
 * each stream, taken in the order of their ticks.
 *
 * Which of several candidates with equal ticks comes first is part of the
 * format, as the reference decides it: it keeps a list, in each round appends
 * the new candidates, sorts it stably by ticks, takes the first element, and
 * moves the last one into its place. So before each round the last of the
 * candidates, if others have its ticks, becomes the first among these.
 */
#ifndef GTRACE_V1_FRONTIER_H_
#define GTRACE_V1_FRONTIER_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/memory.h"

struct candidate {
	int64_t ticks;
	uint32_t stream;
};

/* One in the heap, which does not keep equal ticks in their order. */
struct numbered_candidate {
	struct candidate candidate;
	uint64_t order;
};

/* Up to this many candidates stand in a sorted list, more in a heap. */
#define FRONTIER_LIST_MAX 32

struct frontier {
	/*
	 * Candidates from earlier rounds, `held` of them: sorted, behind a free
	 * place and before two that are later than all, in the list; or in the
	 * heap and in `last`.
	 */
	struct candidate list[1 + FRONTIER_LIST_MAX + 2];
	struct numbered_candidate *heap;
	uint32_t heap_count;
	/* The candidates with the greatest ticks of all: a ring, in order. */
	struct candidate *last;
	uint32_t last_first;
	uint32_t last_count;
	bool in_heap;
	bool plain; /* they are in the list, no two with equal ticks */
	/* Who is added with less is at once taken; see frontier_keeps(). */
	int64_t keeps_until;
	uint32_t held;
	uint32_t ties; /* neighbours in the list with equal ticks */
	/* Candidates of this round, in the order of their streams. */
	struct candidate *added;
	uint32_t added_count;
	uint64_t next_order;
	uint32_t streams;
	bool gap_pass; /* sort as Go 1.8 did, see frontier.c */
	const struct gtrace_allocator *memory;
};

/*
 * An empty frontier for STREAMS streams. GAP_PASS: break ties as go1.8's sort
 * did. Returns false if there is no memory.
 */
bool gti_frontier_init(struct frontier *frontier, uint32_t streams,
		       bool gap_pass, const struct gtrace_allocator *memory);

void gti_frontier_free(struct frontier *frontier);

/*
 * Makes the first event of STREAM, which has none in here, a candidate of the
 * next round. Within a round streams are added in rising order.
 */
static inline void frontier_add(struct frontier *frontier, int64_t ticks,
				uint32_t stream)
{
	struct candidate *candidate = &frontier->added[frontier->added_count++];

	candidate->ticks = ticks;
	candidate->stream = stream;
}

/*
 * Whether the stream taken last would at once be taken again if its next event
 * had TICKS and no other was added. If so, there is no need to play the round.
 */
static inline bool frontier_keeps(const struct frontier *frontier,
				  int64_t ticks)
{
	return ticks < frontier->keeps_until;
}

/* Others are to be added as well: so a round has to be played. */
static inline void frontier_keep_none(struct frontier *frontier)
{
	frontier->keeps_until = INT64_MIN;
}

/* frontier_exchange() where it takes more than a step. */
bool gti_frontier_exchange(struct frontier *frontier, int64_t ticks,
			   uint32_t *stream);

/*
 * Plays a round for which only *STREAM, with TICKS, is added, and sets *STREAM
 * to the one taken. Returns false, having done nothing, if others have the same
 * ticks: then frontier_add and gti_frontier_take are to be used.
 */
static inline bool frontier_exchange(struct frontier *frontier, int64_t ticks,
				     uint32_t *stream)
{
	struct candidate *first = &frontier->list[1];
	struct candidate taken = *first;

	if (UNLIKELY(ticks <= taken.ticks || ticks >= first[1].ticks ||
		     !frontier->plain))
		return gti_frontier_exchange(frontier, ticks, stream);
	first->ticks = ticks;
	first->stream = *stream;
	frontier->keeps_until = ticks;
	*stream = taken.stream;
	return true;
}

/* Plays a round, and sets *STREAM to the one taken. False: no candidates. */
bool gti_frontier_take(struct frontier *frontier, uint32_t *stream);

#endif /* GTRACE_V1_FRONTIER_H_ */
