/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - which slices may be among the N longest. */
#include "analysis/slices.h"

#include <string.h>

#include "base/compiler.h"
#include "base/sort.h"

#define SLICE_NONE UINT32_MAX /* ends the list of free slices */

/*
 * Slices are offered when more are kept than the greatest of this number, 2 N,
 * and a quarter of the number of processors: an offer sorts what is kept, and
 * the format looks at each processor for its oldest slice.
 */
#define KEEP_MIN        1024
#define PROCESSORS_EACH 4

/*
 * Up to this many nanoseconds, 13 days, a time computed in double is at most an
 * eighth of a nanosecond off.
 */
#define EXACT_NS        0x1p50
#define EXACT_TICKS_MAX 0x1p62

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

void gti_slices_init(struct slices *slices, size_t wanted, uint32_t processors,
		     double ns_per_tick, const struct gtrace_allocator *memory)
{
	double exact_ticks = EXACT_NS / ns_per_tick;

	*slices = (struct slices){
		.memory = memory,
		.exact_ticks = exact_ticks < EXACT_TICKS_MAX
				       ? (uint64_t)exact_ticks
				       : (uint64_t)EXACT_TICKS_MAX,
		.wanted = wanted,
		.processors = processors,
		.ns_per_tick = ns_per_tick,
		.pool = {.memory = memory, .size = sizeof(struct slice)},
		.free_slice = SLICE_NONE,
		.keep_min = max_size(KEEP_MIN, processors / PROCESSORS_EACH),
	};
	if (wanted < SIZE_MAX / 2)
		slices->keep_min = max_size(slices->keep_min, wanted * 2);
	slices->keep_max = slices->keep_min;
}

void gti_slices_free(struct slices *slices)
{
	if (slices->memory == NULL)
		return;
	gti_pool_free(&slices->pool);
	gti_array_free(&slices->kept, sizeof(struct sort_item), slices->memory);
	gti_array_free(&slices->lengths, sizeof(int64_t), slices->memory);
	gti_array_free(&slices->ranking, sizeof(struct sort_item),
		       slices->memory);
	slices->memory = NULL;
}

void gti_slices_restart(struct slices *slices)
{
	struct slices old = *slices;

	gti_slices_free(slices);
	gti_slices_init(slices, old.wanted, old.processors, old.ns_per_tick,
			old.memory);
	slices->inside = old.inside;
}

static struct slice *slice_at(const struct slices *slices, uint32_t number)
{
	return gti_pool_at(&slices->pool, number);
}

static void free_slice(struct slices *slices, uint32_t number)
{
	inside_free_samples(slices->inside, &slice_at(slices, number)->inside);
	/* A free slice links to the next one through its serial. */
	slice_at(slices, number)->serial = slices->free_slice;
	slices->free_slice = number;
}

/* --------------------------------------------------------------- lengths -- */

/*
 * Sets short_ticks. A length is the difference of two times, each rounded to
 * nanoseconds, so it is less than two nanoseconds off the number of its ticks.
 */
static void set_short_ticks(struct slices *slices)
{
	const int64_t *lengths = slices->lengths.items;
	double ticks;

	if (slices->lengths.count < slices->wanted)
		return;
	ticks = ((double)lengths[0] - 2) / slices->ns_per_tick;
	if (ticks > EXACT_TICKS_MAX)
		ticks = EXACT_TICKS_MAX;
	slices->short_ticks = ticks > 1 ? (uint64_t)ticks - 1 : 0;
}

/* The least one is the greatest one of this order. */
static int compare_lengths(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Adds LENGTH if it is among the N greatest. reserve() has been called. */
static void note_length(struct slices *slices, int64_t length, uint64_t serial)
{
	int64_t *lengths = slices->lengths.items;
	size_t size = sizeof(*lengths);

	if (slices->lengths.count < slices->wanted) {
		lengths[slices->lengths.count++] = length;
		gti_heap_up(lengths, slices->lengths.count, size,
			    compare_lengths);
	} else if (length > lengths[0]) {
		lengths[0] = length;
		gti_heap_down(lengths, slices->wanted, size, compare_lengths);
	} else {
		return;
	}
	if (serial > slices->newest)
		slices->newest = serial;
	set_short_ticks(slices);
}

/* ------------------------------------------------------------------ kept -- */

/*
 * Allocates memory for one more slice in the ranking than there are lengths: it
 * never holds more. Returns false if there is none.
 */
static bool reserve_ranked(struct slices *slices)
{
	struct array *ranking = &slices->ranking;
	size_t used = ranking->count;
	bool good;

	ranking->count = slices->lengths.count;
	good = gti_array_reserve(ranking, sizeof(struct sort_item),
				 slices->memory);
	ranking->count = used;
	return good;
}

/* Allocates memory for what refers to one more slice. False: there is none. */
static bool reserve(struct slices *slices)
{
	const struct gtrace_allocator *memory = slices->memory;

	if (slices->lengths.count < slices->wanted &&
	    !gti_array_reserve(&slices->lengths, sizeof(int64_t), memory))
		return false;
	return gti_array_reserve(&slices->kept, sizeof(struct sort_item),
				 memory) &&
	       reserve_ranked(slices);
}

/* Returns whether N earlier slices are known that are at least as long. */
static bool is_refused(const struct slices *slices, const struct slice *slice)
{
	const int64_t *lengths = slices->lengths.items;

	return slices->lengths.count == slices->wanted &&
	       slice->rank <= lengths[0] && slices->newest < slice->serial;
}

static bool keep(struct slices *slices, const struct slice *slice)
{
	uint32_t number = slices->free_slice;

	if (!reserve(slices))
		return false;
	if (number != SLICE_NONE)
		slices->free_slice = (uint32_t)slice_at(slices, number)->serial;
	else if (gti_pool_take(&slices->pool) != NULL)
		number = slices->pool.used - 1;
	else
		return false;
	*slice_at(slices, number) = *slice;
	((struct sort_item *)slices->kept.items)[slices->kept.count++] =
		(struct sort_item){(int64_t)slice->serial, number};
	note_length(slices, slice->rank, slice->serial);
	return true;
}

bool gti_slices_end(struct slices *slices, struct slice *slice)
{
	if (slice->length < 0)
		slices->negative = true;
	if (!is_refused(slices, slice))
		return keep(slices, slice);
	inside_free_samples(slices->inside, &slice->inside);
	return true;
}

/* --------------------------------------------------------------- ranking -- */

/*
 * Among slices of equal length, go1.8.3's container/heap and the order in which
 * slices are offered decide which are kept and in which order. That shows in
 * the report, so the heap is reproduced here step by step. A slice that is not
 * longer than the least element of a full heap is refused, and even a refusal
 * has an effect: the least element is popped and pushed again, which can move
 * elements of its length.
 */

/* Moves the element AT up while it is less than its parent. */
static void up(struct sort_item *heap, size_t at)
{
	struct sort_item moved = heap[at];

	while (at > 0 && moved.key < heap[(at - 1) / 2].key) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = moved;
}

/*
 * Moves the first of COUNT elements down while a child is less; of two equal
 * children the right one moves up. Returns the element's new place.
 */
static size_t down(struct sort_item *heap, size_t count)
{
	struct sort_item moved = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    !(heap[child].key < heap[child + 1].key))
			child++;
		if (!(heap[child].key < moved.key))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return at;
}

/*
 * Removes the least element, and leaves it in memory after the others. Returns
 * the new place of the element that was the last one.
 */
static size_t pop(struct array *array)
{
	struct sort_item *heap = array->items;
	size_t last = --array->count;
	struct sort_item least = heap[0];

	heap[0] = heap[last];
	heap[last] = least;
	return last == 0 ? 0 : down(heap, last);
}

/* Pops the least element of the ranking and pushes it again. */
static void refuse(struct slices *slices)
{
	struct sort_item *heap = slices->ranking.items;
	size_t last = slices->ranking.count - 1;
	uint32_t least = heap[0].value;
	size_t sunk = pop(&slices->ranking);

	slices->ranking.count++;
	up(heap, last);
	/*
	 * If the last element moved down to the parent of its old place, and
	 * the least one moved up through there to the root, the heap is as
	 * before. Then further refusals do not change it either.
	 */
	slices->settled =
		last == 0 || (sunk == (last - 1) / 2 && heap[0].value == least);
}

/* Refuses the slices after the last one that was offered and before SERIAL. */
static void refuse_until(struct slices *slices, uint64_t serial)
{
	uint64_t times = serial - 1 - slices->offered;

	if (serial <= slices->offered + 1)
		return;
	slices->offered = serial - 1;
	for (; times > 0 && !slices->settled && slices->ranking.count != 0;
	     times--)
		refuse(slices);
}

/* Offers the slice NUMBER of the pool. */
static void offer(struct slices *slices, uint32_t number)
{
	struct sort_item *heap = slices->ranking.items;
	int64_t length = slice_at(slices, number)->rank;
	size_t last = slices->ranking.count;

	if (last == slices->wanted) {
		if (heap[0].key >= length) {
			if (!slices->settled)
				refuse(slices);
			free_slice(slices, number);
			return;
		}
		pop(&slices->ranking);
		free_slice(slices, heap[--last].value);
	}
	heap[last] = (struct sort_item){length, number};
	slices->ranking.count = last + 1;
	up(heap, last);
	slices->settled = false;
}

/* ---------------------------------------------------------------- offers -- */

void gti_slices_offer(struct slices *slices, uint64_t oldest)
{
	struct sort_item *kept = slices->kept.items;
	size_t count = slices->kept.count;
	size_t done = 0;

	gti_sort_go1_19(kept, count);
	while (done < count && (uint64_t)kept[done].key < oldest) {
		uint64_t serial = (uint64_t)kept[done].key;

		refuse_until(slices, serial);
		slices->offered = serial;
		offer(slices, kept[done].value);
		done++;
	}
	refuse_until(slices, oldest);
	slices->kept.count = count - done;
	if (done != 0)
		memmove(kept, kept + done, (count - done) * sizeof(*kept));
	/* So each sort follows at least as many new slices as are left now. */
	slices->keep_max = max_size(slices->keep_min, slices->kept.count * 2);
}

void gti_slices_drain(struct slices *slices, const struct slice **longest)
{
	const struct sort_item *heap = slices->ranking.items;

	while (slices->ranking.count != 0) {
		pop(&slices->ranking);
		longest[slices->ranking.count] =
			slice_at(slices, heap[slices->ranking.count].value);
	}
}
