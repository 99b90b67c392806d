/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.h - the candidates for the next event of a merge: the next events of
 * all streams that are ready. They are taken in the order of their ticks.
 *
 * The order of candidates with equal ticks has to be that of the reference,
 * which keeps a list. In each round it appends the new candidates, by stream,
 * sorts the list by ticks with sort.Sort, takes the first one, and moves the
 * last one to the first place. sort.Sort is not stable, so a round with any two
 * equal ticks runs the same sort here. In all other rounds any sort gives the
 * same list, so new candidates are inserted into the sorted list.
 */
#ifndef GTRACE_V1_FRONTIER_H_
#define GTRACE_V1_FRONTIER_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/sort.h"

/*
 * Up to this many streams the order is that of the reference. With more,
 * candidates with equal ticks are taken in the order of a heap.
 */
#define FRONTIER_LIST_MAX 1024

/*
 * The key of a candidate is its ticks, the value its stream.
 *
 * Invariants between two rounds:
 *   list   holds the `held` candidates of earlier rounds, in the order in which
 *          the reference's sort left them. They end at index FRONTIER_LIST_MAX.
 *          Two items with the greatest ticks follow as sentinels.
 *   distinct  no two candidates in the list have equal ticks, and the list is
 *          in order
 *   first  the first candidate in the list if distinct, otherwise the end of
 *          the list. So first[0] and first[1] can be read; they are sentinels
 *          if there are no such candidates
 *   heap   holds the candidates in place of the list if there are more than
 *          FRONTIER_LIST_MAX streams; then distinct is false. Otherwise
 *          heap.items is NULL
 *   keeps_until  at most the ticks of every candidate. INT64_MIN if a round
 *          cannot be skipped: candidates were added, or some are not distinct
 *   added  the candidates that the next round adds, in any order
 */
struct frontier {
	struct sort_item list[FRONTIER_LIST_MAX + 2];
	struct heap heap;
	uint32_t held;
	bool distinct;
	struct sort_item *first;
	int64_t keeps_until;
	struct sort_item *added;
	uint32_t added_count;
	uint32_t streams;
	sort_function *sort;
	const struct gtrace_allocator *memory;
};

/*
 * Makes an empty frontier for STREAMS streams, which must not be moved. SORT is
 * that of the reference. Returns false if there is no memory.
 */
bool gti_frontier_init(struct frontier *frontier, uint32_t streams,
		       sort_function *sort,
		       const struct gtrace_allocator *memory);

void gti_frontier_free(struct frontier *frontier);

/* Makes the next event of STREAM, with TICKS, a candidate of the next round. */
static inline void frontier_add(struct frontier *frontier, int64_t ticks,
				uint32_t stream)
{
	struct sort_item *candidate = &frontier->added[frontier->added_count++];

	candidate->key = ticks;
	candidate->value = stream;
	frontier->keeps_until = INT64_MIN;
}

/*
 * Returns whether a round in which only the next event of the stream taken
 * last, with TICKS, is added would take that stream again. Then the round can
 * be skipped.
 */
static inline bool frontier_keeps(const struct frontier *frontier,
				  int64_t ticks)
{
	return ticks < frontier->keeps_until;
}

/*
 * Inserts STREAM, with TICKS, into the list, which begins at FIRST and is
 * distinct. The items before it move down by one, so that the list begins at
 * FIRST - 1. Returns false, and leaves the list unchanged, if an item has equal
 * ticks. Because of the sentinels, INT64_MAX always has an equal.
 *
 * Items are moved field by field: compilers move a whole one with a wide load,
 * which has to wait if its fields were stored one by one just before.
 */
static inline bool frontier_insert(struct sort_item *first, int64_t ticks,
				   uint32_t stream)
{
	struct sort_item *at;

	for (at = first; at->key < ticks; at++) {
		at[-1].key = at->key;
		at[-1].value = at->value;
	}
	if (UNLIKELY(at->key == ticks)) {
		memmove(first, first - 1, (size_t)(at - first) * sizeof(*at));
		return false;
	}
	at[-1].key = ticks;
	at[-1].value = stream;
	return true;
}

/*
 * Runs a round in which only *STREAM, with TICKS, is added, and sets *STREAM to
 * the stream taken. No other candidate may have been added. Returns false, and
 * does nothing, if there are equal ticks; the caller then uses frontier_add()
 * and gti_frontier_take().
 *
 * The first candidate is taken, and the new one gets its place in the list
 * before the others. If the list is empty or not distinct, first[0] is a
 * sentinel: TICKS are not greater, and the result is false.
 */
static inline bool frontier_exchange(struct frontier *frontier, int64_t ticks,
				     uint32_t *stream)
{
	struct sort_item *first = frontier->first;
	struct sort_item taken = {first->key, first->value};

	if (UNLIKELY(ticks <= taken.key))
		return false;
	if (UNLIKELY(!frontier_insert(first + 1, ticks, *stream))) {
		*first = taken;
		return false;
	}
	frontier->keeps_until = first->key;
	*stream = taken.value;
	return true;
}

/* Runs a round and sets *STREAM to the one taken. False: no candidates. */
bool gti_frontier_take(struct frontier *frontier, uint32_t *stream);

#endif /* GTRACE_V1_FRONTIER_H_ */
