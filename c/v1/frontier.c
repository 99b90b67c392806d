/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frontier.c - the candidates for the next event of a merge.
 *
 * A sorted list is quickest for the few processors that most traces have: the
 * next event is mostly one of the first in it. From FRONTIER_LIST_MAX on
 * candidates stand in a binary heap by ticks and order of arrival, except
 * those with the greatest ticks: these wait in a ring, where the last becomes
 * the first in one step, and go into the heap when a greater one comes.
 */
#include "v1/frontier.h"

#include <string.h>

/* Go 1.8 sorted lists of up to this length by insertion, hence stably ... */
#define SMALL_SORT_MAX 12
/* ... but for one pass over the elements this far apart. */
#define SORT_GAP 6

bool gti_frontier_init(struct frontier *frontier, uint32_t streams,
		       bool gap_pass, const struct gtrace_allocator *memory)
{
	memset(frontier, 0, sizeof(*frontier));
	frontier->streams = streams;
	frontier->gap_pass = gap_pass;
	frontier->memory = memory;
	frontier->added =
		gti_allocate_zeroed(memory, streams, sizeof(struct candidate));
	if (streams <= FRONTIER_LIST_MAX)
		return frontier->added != NULL;
	frontier->heap =
		gti_allocate_zeroed(memory, streams, sizeof(*frontier->heap));
	frontier->last =
		gti_allocate_zeroed(memory, streams, sizeof(struct candidate));
	return frontier->added != NULL && frontier->heap != NULL &&
	       frontier->last != NULL;
}

void gti_frontier_free(struct frontier *frontier)
{
	size_t count = frontier->streams;
	size_t size = count * sizeof(struct candidate);

	if (frontier->memory == NULL)
		return;
	gti_release(frontier->memory, frontier->added, size);
	gti_release(frontier->memory, frontier->heap,
		    count * sizeof(*frontier->heap));
	gti_release(frontier->memory, frontier->last, size);
	frontier->memory = NULL;
}

/* ------------------------------------------------------------------ list -- */

/* Among equal ticks at the end of the list, the last becomes the first. */
static void rotate_list(struct frontier *frontier)
{
	struct candidate *list = frontier->list + 1;
	uint32_t last = frontier->held - 1;
	uint32_t first = last;
	struct candidate moved = list[last];

	while (first > 0 && list[first - 1].ticks == moved.ticks)
		first--;
	memmove(list + first + 1, list + first, (last - first) * sizeof(*list));
	list[first] = moved;
}

static void count_ties(struct frontier *frontier)
{
	const struct candidate *list = frontier->list + 1;
	uint32_t i;

	frontier->ties = 0;
	for (i = 1; i < frontier->held; i++)
		frontier->ties += list[i - 1].ticks == list[i].ticks;
}

/*
 * Puts NEW behind all that is not later. The first to be put in since one was
 * taken goes into the free place in front, or those before it each move there
 * by one: what comes next is mostly near the front.
 */
static void insert(struct frontier *frontier, const struct candidate *new,
		   bool into_free_place)
{
	struct candidate *list = frontier->list;
	uint32_t end = frontier->held++;
	uint32_t at = 0;

	if (into_free_place) {
		for (; at < end && list[at + 1].ticks <= new->ticks; at++)
			list[at] = list[at + 1];
	} else {
		while (at < end && list[at].ticks <= new->ticks)
			at++;
		memmove(list + at + 1, list + at, (end - at) * sizeof(*list));
	}
	list[at] = *new;
	frontier->ties += at > 0 && list[at - 1].ticks == new->ticks;
}

static void sort_list(struct candidate *list, uint32_t count)
{
	uint32_t i, at;

	for (i = 1; i < count; i++) {
		struct candidate moved = list[i];

		for (at = i; at > 0 && list[at - 1].ticks > moved.ticks; at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

static void swap_far(struct candidate *list, uint32_t count)
{
	uint32_t i;

	for (i = SORT_GAP; i < count; i++) {
		struct candidate right = list[i];

		if (right.ticks < list[i - SORT_GAP].ticks) {
			list[i] = list[i - SORT_GAP];
			list[i - SORT_GAP] = right;
		}
	}
}

/* The round to the letter: last into first place, append, sort as Go 1.8. */
static void sort_with_gap_pass(struct frontier *frontier, uint32_t added)
{
	struct candidate *list = frontier->list + 1;
	uint32_t count = frontier->held, i;
	struct candidate moved;

	if (count > 1) {
		moved = list[count - 1];
		memmove(list + 1, list, (count - 1) * sizeof(*list));
		list[0] = moved;
	}
	for (i = 0; i < added; i++)
		list[count++] = frontier->added[i];
	swap_far(list, count);
	sort_list(list, count);
	frontier->held = count;
	count_ties(frontier);
}

static bool has_ties(const struct frontier *frontier, uint32_t added)
{
	const struct candidate *list = frontier->list + 1;
	uint32_t i, j;

	if (frontier->ties != 0)
		return true;
	for (i = 0; i < added; i++) {
		int64_t ticks = frontier->added[i].ticks;

		for (j = 0; j < frontier->held; j++)
			if (list[j].ticks == ticks)
				return true;
		for (j = 0; j < i; j++)
			if (frontier->added[j].ticks == ticks)
				return true;
	}
	return false;
}

/* Takes the first of the list, leaving its place, AT, free. */
static uint32_t take_first(struct frontier *frontier, uint32_t at)
{
	struct candidate *list = frontier->list + at;
	uint32_t stream = list[0].stream;

	frontier->held--;
	if (frontier->held != 0)
		frontier->ties -= list[0].ticks == list[1].ticks;
	if (at != 0)
		memmove(list, list + 1, frontier->held * sizeof(*list));
	return stream;
}

static uint32_t take_from_list(struct frontier *frontier)
{
	uint32_t added = frontier->added_count;
	uint32_t count = frontier->held + added;
	uint32_t i;

	frontier->added_count = 0;
	if (frontier->gap_pass && count > SORT_GAP && count <= SMALL_SORT_MAX &&
	    has_ties(frontier, added)) {
		sort_with_gap_pass(frontier, added);
		return take_first(frontier, 1);
	}
	if (frontier->ties != 0)
		rotate_list(frontier);
	for (i = 0; i < added; i++)
		insert(frontier, &frontier->added[i], i == 0);
	return take_first(frontier, added == 0);
}

/* ------------------------------------------------------------------ heap -- */

static inline bool before(const struct numbered_candidate *a,
			  const struct numbered_candidate *b)
{
	return a->candidate.ticks < b->candidate.ticks ||
	       (a->candidate.ticks == b->candidate.ticks &&
		a->order < b->order);
}

static void push(struct frontier *frontier, struct candidate candidate)
{
	struct numbered_candidate *heap = frontier->heap;
	struct numbered_candidate new = {candidate, frontier->next_order++};
	uint32_t at = frontier->heap_count++;

	while (at > 0 && before(&new, &heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = new;
}

static struct candidate pop(struct frontier *frontier)
{
	struct numbered_candidate *heap = frontier->heap;
	struct candidate first = heap[0].candidate;
	uint32_t count = --frontier->heap_count;
	struct numbered_candidate moved = heap[count];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return first;
}

/* The ring's element AT, counted from its first. */
static struct candidate *ring(struct frontier *frontier, uint32_t at)
{
	uint64_t place = (uint64_t)frontier->last_first + at;

	if (place >= frontier->streams)
		place -= frontier->streams;
	return &frontier->last[place];
}

static struct candidate pop_ring(struct frontier *frontier)
{
	struct candidate first = *ring(frontier, 0);

	frontier->last_first++;
	if (frontier->last_first == frontier->streams)
		frontier->last_first = 0;
	frontier->last_count--;
	return first;
}

static void rotate_ring(struct frontier *frontier)
{
	struct candidate moved;

	if (frontier->last_count < 2)
		return;
	moved = *ring(frontier, frontier->last_count - 1);
	frontier->last_first = frontier->last_first == 0
				       ? frontier->streams - 1
				       : frontier->last_first - 1;
	*ring(frontier, 0) = moved;
}

static void add_to_heap(struct frontier *frontier, struct candidate new)
{
	if (frontier->last_count != 0) {
		int64_t greatest = ring(frontier, 0)->ticks;

		if (new.ticks < greatest) {
			push(frontier, new);
			return;
		}
		while (new.ticks > greatest && frontier->last_count != 0)
			push(frontier, pop_ring(frontier));
	}
	*ring(frontier, frontier->last_count++) = new;
}

static struct candidate pop_any(struct frontier *frontier)
{
	return frontier->heap_count != 0 ? pop(frontier) : pop_ring(frontier);
}

static void list_to_heap(struct frontier *frontier)
{
	uint32_t i;

	for (i = 0; i < frontier->held; i++)
		add_to_heap(frontier, frontier->list[1 + i]);
	frontier->in_heap = true;
	frontier->ties = 0;
}

static void heap_to_list(struct frontier *frontier)
{
	struct candidate *list = frontier->list + 1;
	uint32_t i;

	for (i = 0; i < frontier->held; i++)
		list[i] = pop_any(frontier);
	count_ties(frontier);
	frontier->in_heap = false;
}

static uint32_t take_from_heap(struct frontier *frontier)
{
	uint32_t i;

	rotate_ring(frontier);
	for (i = 0; i < frontier->added_count; i++)
		add_to_heap(frontier, frontier->added[i]);
	frontier->held += frontier->added_count - 1;
	frontier->added_count = 0;
	return pop_any(frontier).stream;
}

/* Makes what frontier_exchange() looks at true. */
static void settle(struct frontier *frontier)
{
	frontier->plain = !frontier->in_heap && frontier->ties == 0;
	frontier_keep_none(frontier);
	if (frontier->plain) {
		frontier->list[frontier->held + 1].ticks = INT64_MAX;
		frontier->list[frontier->held + 2].ticks = INT64_MAX;
		frontier->keeps_until = frontier->list[1].ticks;
	}
}

HOT bool gti_frontier_take(struct frontier *frontier, uint32_t *stream)
{
	uint32_t count = frontier->held + frontier->added_count;

	if (count == 0)
		return false;
	if (UNLIKELY(frontier->in_heap)) {
		if (count <= SMALL_SORT_MAX)
			heap_to_list(frontier);
	} else if (UNLIKELY(count > FRONTIER_LIST_MAX)) {
		list_to_heap(frontier);
	}
	*stream = frontier->in_heap ? take_from_heap(frontier)
				    : take_from_list(frontier);
	settle(frontier);
	return true;
}

/* Whether the stream taken last is at once taken again, with TICKS. */
static bool is_kept(const struct frontier *frontier, int64_t ticks)
{
	const struct candidate *next;

	if (frontier->held == 0)
		return true;
	if (!frontier->in_heap)
		return frontier->ties == 0 && ticks < frontier->list[1].ticks;
	next = frontier->heap_count != 0
		       ? &frontier->heap->candidate
		       : &frontier->last[frontier->last_first];
	return frontier->last_count < 2 && ticks < next->ticks;
}

bool gti_frontier_exchange(struct frontier *frontier, int64_t ticks,
			   uint32_t *stream)
{
	struct candidate *list = frontier->list;
	uint32_t held = frontier->held;
	uint32_t at;

	if (is_kept(frontier, ticks))
		return true;
	if (!frontier->plain)
		return false;
	/* Those before it each move by one, into the free place in front. */
	for (at = 1; at <= held && list[at].ticks < ticks; at++)
		list[at - 1] = list[at];
	if (UNLIKELY(at <= held && list[at].ticks == ticks)) {
		while (--at > 0)
			list[at] = list[at - 1];
		return false;
	}
	list[at - 1].ticks = ticks;
	list[at - 1].stream = *stream;
	*stream = list[0].stream;
	frontier->keeps_until = list[1].ticks;
	return true;
}
