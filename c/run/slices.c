/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.c - the N longest slices.
 *
 * The heap follows the rules of go1.8.3's container/heap, because where equal
 * lengths stand in it can be seen in the report. A refused slice moves the
 * heap too: its least element is popped and pushed again. But soon doing that
 * once more changes nothing, and then refusals cost nothing.
 */
#include "run/slices.h"

#include "base/compiler.h"

void gtrace_slices_init(struct slices *slices, size_t wanted,
			const struct gtrace_allocator *memory)
{
	*slices = (struct slices){
		.memory = memory,
		.wanted = wanted,
		.first = NODE_NONE,
		.last = NODE_NONE,
		.free_node = NODE_NONE,
		.free_slice = NODE_NONE,
	};
}

void gtrace_slices_free(struct slices *slices)
{
	if (slices->memory == NULL)
		return;
	gtrace_array_free(&slices->queue, sizeof(struct queued),
			  slices->memory);
	gtrace_array_free(&slices->pool, sizeof(struct slice), slices->memory);
	gtrace_array_free(&slices->heap, sizeof(struct ranked),
			  slices->memory);
	gtrace_array_free(&slices->lengths, sizeof(int64_t), slices->memory);
	slices->memory = NULL;
}

static struct queued *node_at(const struct slices *slices, uint32_t node)
{
	return (struct queued *)slices->queue.items + node;
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

/* Pops the least element and pushes it again, TIMES times. */
static void apply_refusals(struct slices *slices, uint64_t times)
{
	struct ranked *heap = slices->heap.items;

	while (times-- > 0 && !slices->settled) {
		size_t last = slices->heap.count - 1;
		struct ranked least = heap[0];
		size_t sunk = pop(&slices->heap);

		slices->heap.count++;
		rise(heap, last);
		/*
		 * The last element sank to where the parent of its old place
		 * is, and was pushed down from there by the least one on its
		 * way up: everybody is where he was.
		 */
		slices->settled =
			last == 0 || (sunk == (last - 1) / 2 &&
				      heap[0].slice == least.slice);
	}
}

static void free_slice(struct slices *slices, uint32_t number)
{
	/* The list of free ones goes through the field that is unused then. */
	slice_at(slices, number)->g = slices->free_slice;
	slices->free_slice = number;
}

/* Room in the heap was made when the slice was queued. */
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
	slices->settled = false;
}

/* --------------------------------------------------------------- lengths -- */

/* Keeps LENGTH if it is among the longest. Room for it was made. */
static void note_length(struct slices *slices, int64_t length, uint64_t serial)
{
	int64_t *lengths = slices->lengths.items;
	size_t count = slices->lengths.count;
	size_t at = 0;

	if (count < slices->wanted) {
		at = slices->lengths.count++;
		for (; at > 0 && length < lengths[(at - 1) / 2];
		     at = (at - 1) / 2)
			lengths[at] = lengths[(at - 1) / 2];
	} else if (length > lengths[0]) {
		for (;;) {
			size_t child = 2 * at + 1;

			if (child >= count)
				break;
			if (child + 1 < count &&
			    lengths[child + 1] < lengths[child])
				child++;
			if (lengths[child] >= length)
				break;
			lengths[at] = lengths[child];
			at = child;
		}
	} else {
		return;
	}
	lengths[at] = length;
	if (serial > slices->newest)
		slices->newest = serial;
}

/* ----------------------------------------------------------------- queue -- */

static NOINLINE uint32_t new_node(struct slices *slices)
{
	if (slices->queue.count >= NODE_NONE ||
	    !gtrace_array_reserve(&slices->queue, sizeof(struct queued),
				  slices->memory))
		return NODE_NONE;
	return (uint32_t)slices->queue.count++;
}

uint32_t gtrace_slices_begin(struct slices *slices, uint64_t g, uint32_t slot)
{
	uint32_t node = slices->free_node;
	struct queued *queued;

	if (LIKELY(node != NODE_NONE)) {
		slices->free_node = node_at(slices, node)->next;
	} else {
		node = new_node(slices);
		if (node == NODE_NONE)
			return NODE_NONE;
	}
	queued = node_at(slices, node);
	queued->serial = ++slices->started;
	queued->refused = 0;
	queued->g = g;
	queued->slot = slot;
	queued->previous = slices->last;
	queued->next = NODE_NONE;
	queued->slice = NODE_NONE;
	if (slices->last != NODE_NONE)
		node_at(slices, slices->last)->next = node;
	else
		slices->first = node;
	slices->last = node;
	return node;
}

static void unlink_node(struct slices *slices, uint32_t node)
{
	struct queued *queued = node_at(slices, node);

	if (queued->previous != NODE_NONE)
		node_at(slices, queued->previous)->next = queued->next;
	else
		slices->first = queued->next;
	if (queued->next != NODE_NONE)
		node_at(slices, queued->next)->previous = queued->previous;
	else
		slices->last = queued->previous;
	queued->next = slices->free_node;
	slices->free_node = node;
}

/* Offers what is at the front of the queue and has ended. */
static void move_up(struct slices *slices)
{
	while (slices->first != NODE_NONE) {
		uint32_t node = slices->first;
		struct queued *queued = node_at(slices, node);

		if (queued->slice == NODE_NONE)
			return;
		offer(slices, queued->slice);
		apply_refusals(slices, queued->refused);
		unlink_node(slices, node);
	}
}

void gtrace_slices_refuse(struct slices *slices, uint32_t node)
{
	struct queued *queued = node_at(slices, node);
	uint64_t refused = queued->refused + 1;

	if (queued->previous != NODE_NONE) {
		node_at(slices, queued->previous)->refused += refused;
		unlink_node(slices, node);
		return;
	}
	unlink_node(slices, node);
	apply_refusals(slices, refused);
	move_up(slices);
}

static bool reserve(struct slices *slices)
{
	size_t heap_count = slices->heap.count;
	bool ok;

	if (slices->free_slice == NODE_NONE &&
	    !gtrace_array_reserve(&slices->pool, sizeof(struct slice),
				  slices->memory))
		return false;
	if (slices->lengths.count < slices->wanted &&
	    !gtrace_array_reserve(&slices->lengths, sizeof(int64_t),
				  slices->memory))
		return false;
	/*
	 * There are never more slices in the heap than there are lengths,
	 * which are noted before their slices leave the queue.
	 */
	slices->heap.count = slices->lengths.count;
	ok = gtrace_array_reserve(&slices->heap, sizeof(struct ranked),
				  slices->memory);
	slices->heap.count = heap_count;
	return ok;
}

bool gtrace_slices_end(struct slices *slices, uint32_t node,
		       const struct slice *slice)
{
	uint32_t number = slices->free_slice;

	if (!reserve(slices))
		return false;
	if (number != NODE_NONE)
		slices->free_slice = (uint32_t)slice_at(slices, number)->g;
	else
		number = (uint32_t)slices->pool.count++;
	*slice_at(slices, number) = *slice;
	node_at(slices, node)->slice = number;
	note_length(slices, slice->length, node_at(slices, node)->serial);
	if (slices->first == node)
		move_up(slices);
	return true;
}

void gtrace_slices_drain(struct slices *slices,
			 void (*take)(void *context, const struct slice *slice),
			 void *context)
{
	const struct ranked *heap = slices->heap.items;

	while (slices->heap.count != 0) {
		pop(&slices->heap);
		take(context, slice_at(slices, heap[slices->heap.count].slice));
	}
}
