/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.c - the N longest slices.
 *
 * The heap follows the rules of go1.8.3's container/heap, because where equal
 * lengths stand in it can be seen in the report. A refused slice moves the
 * heap too: its least element is popped and pushed again. But soon doing that
 * once more changes nothing, and then refusals cost nothing.
 */
#include "analysis/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

#define SLICE_NONE UINT32_MAX

/*
 * This many slices are kept before some are offered; 2 N if that is more, or a
 * quarter of all processors, each of which has to be goroutine for what it
 * runs.
 */
#define KEEP_MIN        1024
#define PROCESSORS_EACH 4

/*
 * After so many refusals it pays to see whether they repeat themselves, or
 * after one for so many slices as are to be seen.
 */
#define SEE_AFTER 32
#define SEE_EACH  8

/*
 * Up to this many nanoseconds, 13 days, the product of ticks and ns_per_tick
 * is right to an eighth of a nanosecond.
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
		.ns_per_tick = ns_per_tick,
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
	gti_array_free(&slices->pool, sizeof(struct slice), slices->memory);
	gti_array_free(&slices->kept, sizeof(uint32_t), slices->memory);
	gti_array_free(&slices->heap, sizeof(struct ranked), slices->memory);
	gti_array_free(&slices->seen, sizeof(struct ranked), slices->memory);
	gti_array_free(&slices->lengths, sizeof(int64_t), slices->memory);
	slices->memory = NULL;
}

static struct slice *slice_at(const struct slices *slices, uint32_t number)
{
	return (struct slice *)slices->pool.items + number;
}

/* ------------------------------------------------------------------ heap -- */

static void rise(struct ranked *heap, size_t at)
{
	struct ranked moved = heap[at];

	while (at > 0 && moved.length < heap[(at - 1) / 2].length) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = moved;
}

/* Lets the first of COUNT elements sink. Returns where it came to lie. */
static size_t sink(struct ranked *heap, size_t count)
{
	struct ranked moved = heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    !(heap[child].length < heap[child + 1].length))
			child++;
		if (!(heap[child].length < moved.length))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
	return at;
}

/* Takes out the least element; it comes to lie behind the others. */
static size_t pop(struct array *array)
{
	struct ranked *heap = array->items;
	size_t last = --array->count;
	struct ranked least = heap[0];

	heap[0] = heap[last];
	heap[last] = least;
	return last == 0 ? 0 : sink(heap, last);
}

/* Pops the least element and pushes it again. */
static void refuse(struct slices *slices)
{
	struct ranked *heap = slices->heap.items;
	size_t last = slices->heap.count - 1;
	struct ranked least = heap[0];
	size_t sunk = pop(&slices->heap);

	slices->heap.count++;
	rise(heap, last);
	/*
	 * The last element sank to where the parent of its old place is, and
	 * was pushed down from there by the least one on its way up: everybody
	 * is where he was.
	 */
	slices->settled = last == 0 || (sunk == (last - 1) / 2 &&
					heap[0].slice == least.slice);
}

/* Whether the heap is as it was when it was seen. */
static bool is_as_seen(const struct slices *slices)
{
	const struct ranked *heap = slices->heap.items;
	const struct ranked *seen = slices->seen.items;
	size_t count = slices->seen.count;
	size_t i;

	/* A refusal that changes the heap mostly changes one of these. */
	if (count == 0 || heap[0].slice != seen[0].slice ||
	    heap[count - 1].slice != seen[count - 1].slice)
		return false;
	for (i = 0; i < count; i++)
		if (heap[i].slice != seen[i].slice)
			return false;
	return true;
}

/*
 * Refuses TIMES slices. Where some of the heap have the least length together,
 * they change places each time, and in the end come back to theirs: then whole
 * rounds of that can be left out. To find out, the heap is seen once in a
 * while (Brent's algorithm). Room for that was made when slices were kept.
 */
static void apply_refusals(struct slices *slices, uint64_t times)
{
	size_t count = slices->heap.count;

	if (count == 0)
		return;
	while (times > 0 && !slices->settled) {
		refuse(slices);
		times--;
		slices->refusals++;
		if (is_as_seen(slices)) {
			times %= slices->refusals;
			slices->refusals = 0;
		} else if (slices->refusals == slices->see_after) {
			memcpy(slices->seen.items, slices->heap.items,
			       count * sizeof(struct ranked));
			slices->seen.count = count;
			slices->refusals = 0;
			slices->see_after *= 2;
		}
	}
}

/* The heap has changed: how refusals change it is to be found out again. */
static void forget_seen(struct slices *slices)
{
	slices->settled = false;
	slices->seen.count = 0;
	slices->refusals = 0;
	slices->see_after = max_size(SEE_AFTER, slices->heap.count / SEE_EACH);
}

static void free_slice(struct slices *slices, uint32_t number)
{
	/* The list of free ones goes through the field that is unused then. */
	slice_at(slices, number)->serial = slices->free_slice;
	slices->free_slice = number;
}

/* Room in the heap was made when the slice was kept. */
static void offer(struct slices *slices, uint32_t number)
{
	struct ranked *heap = slices->heap.items;
	int64_t length = slice_at(slices, number)->length;
	size_t last;

	if (slices->heap.count < slices->wanted) {
		last = slices->heap.count++;
	} else if (heap[0].length < length) {
		pop(&slices->heap);
		last = slices->heap.count++;
		free_slice(slices, heap[last].slice);
	} else {
		free_slice(slices, number);
		apply_refusals(slices, 1);
		return;
	}
	heap[last] = (struct ranked){length, number};
	rise(heap, last);
	forget_seen(slices);
}

/* --------------------------------------------------------------- lengths -- */

/*
 * Sets how many ticks are too few. Two nanoseconds are more than what the
 * difference of two times in nanoseconds can differ from that in ticks.
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

/* Puts LENGTH where the least one was, and lets it sink. */
static void replace_least(struct slices *slices, int64_t length)
{
	int64_t *lengths = slices->lengths.items;
	size_t count = slices->lengths.count;
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && lengths[child + 1] < lengths[child])
			child++;
		if (lengths[child] >= length)
			break;
		lengths[at] = lengths[child];
		at = child;
	}
	lengths[at] = length;
}

static void add_length(struct slices *slices, int64_t length)
{
	int64_t *lengths = slices->lengths.items;
	size_t at = slices->lengths.count++;

	for (; at > 0 && length < lengths[(at - 1) / 2]; at = (at - 1) / 2)
		lengths[at] = lengths[(at - 1) / 2];
	lengths[at] = length;
}

/* Keeps LENGTH if it is among the longest. Room for it was made. */
static void note_length(struct slices *slices, int64_t length, uint64_t serial)
{
	const int64_t *lengths = slices->lengths.items;

	if (slices->lengths.count < slices->wanted)
		add_length(slices, length);
	else if (length > lengths[0])
		replace_least(slices, length);
	else
		return;
	if (serial > slices->newest)
		slices->newest = serial;
	set_short_ticks(slices);
}

/* ------------------------------------------------------------------ kept -- */

static bool reserve(struct slices *slices)
{
	size_t count = slices->heap.count;
	size_t seen = slices->seen.count;
	bool ok;

	if (slices->free_slice == SLICE_NONE &&
	    (slices->pool.count >= SLICE_NONE ||
	     !gti_array_reserve(&slices->pool, sizeof(struct slice),
				slices->memory)))
		return false;
	if (slices->lengths.count < slices->wanted &&
	    !gti_array_reserve(&slices->lengths, sizeof(int64_t),
			       slices->memory))
		return false;
	if (!gti_array_reserve(&slices->kept, sizeof(uint32_t), slices->memory))
		return false;
	/* There will not be more in the heap than there are lengths. */
	slices->heap.count = slices->lengths.count;
	slices->seen.count = slices->lengths.count;
	ok = gti_array_reserve(&slices->heap, sizeof(struct ranked),
			       slices->memory) &&
	     gti_array_reserve(&slices->seen, sizeof(struct ranked),
			       slices->memory);
	slices->heap.count = count;
	slices->seen.count = seen;
	return ok;
}

/* The same as slices_refuse, but to the nanosecond. */
static bool is_refused(const struct slices *slices, const struct slice *slice)
{
	const int64_t *lengths = slices->lengths.items;

	return slices->lengths.count == slices->wanted &&
	       slice->length <= lengths[0] && slices->newest < slice->serial;
}

static bool keep(struct slices *slices, const struct slice *slice)
{
	uint32_t number;

	if (is_refused(slices, slice))
		return true;
	if (!reserve(slices))
		return false;
	number = slices->free_slice;
	if (number != SLICE_NONE)
		slices->free_slice = (uint32_t)slice_at(slices, number)->serial;
	else
		number = (uint32_t)slices->pool.count++;
	*slice_at(slices, number) = *slice;
	((uint32_t *)slices->kept.items)[slices->kept.count++] = number;
	note_length(slices, slice->length, slice->serial);
	return true;
}

bool gti_slices_end(struct slices *slices, const struct slice *slice)
{
	return is_refused(slices, slice) || keep(slices, slice);
}

/* Where the slice at PLACE in the list of the kept ones started. */
static uint64_t serial_at(const struct slices *slices, size_t place)
{
	const uint32_t *kept = slices->kept.items;

	return slice_at(slices, kept[place])->serial;
}

/* Lets the kept slice at PLACE sink among the first COUNT, the latest on top.
 */
static void sift_kept(struct slices *slices, size_t place, size_t count)
{
	uint32_t *kept = slices->kept.items;
	uint32_t moved = kept[place];
	uint64_t serial = slice_at(slices, moved)->serial;

	for (;;) {
		size_t child = 2 * place + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    serial_at(slices, child) < serial_at(slices, child + 1))
			child++;
		if (serial_at(slices, child) < serial)
			break;
		kept[place] = kept[child];
		place = child;
	}
	kept[place] = moved;
}

/* Sorts the kept slices by their starts (a heap sort: no memory, no worst
 * case). */
static void sort_kept(struct slices *slices)
{
	uint32_t *kept = slices->kept.items;
	size_t count = slices->kept.count;
	size_t i;

	for (i = count / 2; i-- > 0;)
		sift_kept(slices, i, count);
	for (i = count; i-- > 1;) {
		uint32_t latest = kept[0];

		kept[0] = kept[i];
		kept[i] = latest;
		sift_kept(slices, 0, i);
	}
}

/* Refuses the slices that were not kept, from the last one offered to SERIAL.
 */
static void refuse_until(struct slices *slices, uint64_t serial)
{
	if (serial > slices->offered + 1) {
		apply_refusals(slices, serial - slices->offered - 1);
		slices->offered = serial - 1;
	}
}

void gti_slices_offer(struct slices *slices, uint64_t oldest)
{
	uint32_t *kept = slices->kept.items;
	size_t count = slices->kept.count;
	size_t done = 0, i;

	sort_kept(slices);
	while (done < count && serial_at(slices, done) < oldest) {
		uint64_t serial = serial_at(slices, done);

		refuse_until(slices, serial);
		slices->offered = serial;
		offer(slices, kept[done]);
		done++;
	}
	refuse_until(slices, oldest);
	for (i = done; i < count; i++)
		kept[i - done] = kept[i];
	slices->kept.count = count - done;
	/* As many new ones pay for looking at the old ones again. */
	slices->keep_max = max_size(slices->keep_min, slices->kept.count * 2);
}

void gti_slices_drain(struct slices *slices,
		      void (*take)(void *context, const struct slice *slice),
		      void *context)
{
	const struct ranked *heap = slices->heap.items;

	while (slices->heap.count != 0) {
		pop(&slices->heap);
		take(context, slice_at(slices, heap[slices->heap.count].slice));
	}
}
