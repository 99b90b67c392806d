/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.h - the candidates for the next event of a merge: at most one of
 * each stream, taken in the order of their ticks.
 *
 * Which of several candidates with equal ticks comes first is part of the
 * format, as the reference decides it. It keeps a list. In each round it
 * appends the new candidates, sorts the list by ticks with sort.Sort, takes the
 * first, and moves the last to the first place. sort.Sort is not stable, so in
 * a round in which any two ticks are equal the same sort is run here. In all
 * other rounds any sort gives the same list.
 */
#ifndef GTRACE_V1_FRONTIER_H_
#define GTRACE_V1_FRONTIER_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort.h"

/*
 * Up to this many streams the order is that of the reference. With more,
 * candidates with equal ticks are taken in the order of their streams.
 */
#define FRONTIER_LIST_MAX 1024

/* A new candidate is compared with this many in turn before it is bisected. */
#define FRONTIER_NEAR 32

/* The key of a candidate is its ticks, the value its stream. */
struct frontier {
	/*
	 * The `held` candidates from earlier rounds end at FRONTIER_LIST_MAX,
	 * in the order into which the reference has sorted them. Two that have
	 * the greatest ticks there are follow them.
	 */
	struct sort_item list[FRONTIER_LIST_MAX + FRONTIER_NEAR];
	/* The held candidates of more streams. NULL: they are in the list. */
	struct sort_item *heap;
	uint32_t held;
	bool distinct; /* no two in the list have equal ticks */
	/* The first in the list if they are distinct, otherwise its end. */
	struct sort_item *first;
	/* A new candidate below this is taken at once; see frontier_keeps(). */
	int64_t keeps_until;
	/* Candidates of this round, in the order of their streams. */
	struct sort_item *added;
	uint32_t added_count;
	uint32_t streams;
	sort_function *sort;
	const struct gtrace_allocator *memory;
};

/*
 * An empty frontier for STREAMS streams, in which equal ticks are sorted by
 * SORT, one of Go's sorts. It must stay where it is. Returns false if there is
 * no memory.
 */
bool gti_frontier_init(struct frontier *frontier, uint32_t streams,
		       sort_function *sort,
		       const struct gtrace_allocator *memory);

void gti_frontier_free(struct frontier *frontier);

/*
 * Makes the first event of STREAM, which has none in here, a candidate of the
 * next round. Within a round streams are added in rising order.
 */
static inline void frontier_add(struct frontier *frontier, int64_t ticks,
				uint32_t stream)
{
	struct sort_item *candidate = &frontier->added[frontier->added_count++];

	candidate->key = ticks;
	candidate->value = stream;
}

/*
 * Whether the stream taken last would at once be taken again if its next event
 * had TICKS and no other was added. If so, the round can be skipped.
 */
static inline bool frontier_keeps(const struct frontier *frontier,
				  int64_t ticks)
{
	return ticks < frontier->keeps_until;
}

/* Others are to be added as well: so the round cannot be skipped. */
static inline void frontier_keep_none(struct frontier *frontier)
{
	frontier->keeps_until = INT64_MIN;
}

/* frontier_exchange() where it takes more than a step. */
bool gti_frontier_exchange(struct frontier *frontier, int64_t ticks,
			   uint32_t *stream);

/*
 * Plays a round for which only *STREAM, with TICKS, is added, and sets *STREAM
 * to the one taken. Returns false, having done nothing, if there are equal
 * ticks: then frontier_add and gti_frontier_take are to be used.
 */
static inline bool frontier_exchange(struct frontier *frontier, int64_t ticks,
				     uint32_t *stream)
{
	struct sort_item *first = frontier->first;
	struct sort_item taken = *first;

	if (UNLIKELY(ticks <= taken.key || ticks >= first[1].key))
		return gti_frontier_exchange(frontier, ticks, stream);
	first->key = ticks;
	first->value = *stream;
	frontier->keeps_until = ticks;
	*stream = taken.value;
	return true;
}

/* Plays a round, and sets *STREAM to the one taken. False: no candidates. */
bool gti_frontier_take(struct frontier *frontier, uint32_t *stream);

#endif /* GTRACE_V1_FRONTIER_H_ */
