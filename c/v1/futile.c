/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * futile.c - finds the parts of futile wakeups.
 *
 * A goroutine can be unblocked to do something that another goroutine does
 * before it runs. Then it writes FutileWakeup, in Go 1.5 to 1.8, and blocks
 * again. Final order drops the events from the unblock to that block.
 */
#include "base/fail.h"
#include "v1/final_order.h"

#define NODE_NONE 0

/* The events of a goroutine since it was last unblocked. */
struct wakeup {
	uint32_t first; /* of a list of nodes, NODE_NONE: empty */
	bool futile;
};

struct node {
	uint64_t ordinal;
	uint32_t next;
};

struct search {
	const struct gtrace_allocator *memory;
	struct chunks wakeups; /* struct wakeup by goroutine slot */
	struct array nodes;    /* struct node, the first is not used */
	uint32_t free_list;
	uint64_t *dropped;
	uint64_t events;
};

static struct node *node_at(const struct search *search, uint32_t number)
{
	return (struct node *)search->nodes.items + number;
}

static struct wakeup *wakeup_of(struct search *search,
				const struct goroutine *goroutine)
{
	uint32_t slot = goroutine->slot;

	if (!gti_chunks_reserve(&search->wakeups, slot, search->memory))
		return NULL;
	return chunks_at(&search->wakeups, slot, sizeof(struct wakeup));
}

static bool add(struct search *search, struct wakeup *wakeup, uint64_t ordinal)
{
	uint32_t number = search->free_list;

	if (number != NODE_NONE) {
		search->free_list = node_at(search, number)->next;
	} else {
		if (search->nodes.count >= UINT32_MAX ||
		    !gti_array_reserve(&search->nodes, sizeof(struct node),
				       search->memory))
			return false;
		number = (uint32_t)search->nodes.count++;
	}
	*node_at(search, number) = (struct node){ordinal, wakeup->first};
	wakeup->first = number;
	return true;
}

static void drop(struct search *search, uint64_t ordinal)
{
	/* It can be greater if the file has changed. */
	if (ordinal <= search->events)
		search->dropped[ordinal / 64] |= (uint64_t)1 << ordinal % 64;
}

/* Empties the list, and drops its events if DROPPED. */
static void clear(struct search *search, struct wakeup *wakeup, bool dropped)
{
	while (wakeup->first != NODE_NONE) {
		uint32_t number = wakeup->first;
		struct node *node = node_at(search, number);

		if (dropped)
			drop(search, node->ordinal);
		wakeup->first = node->next;
		node->next = search->free_list;
		search->free_list = number;
	}
}

/* Returns false if there is no memory. */
static bool step(struct search *search, const struct event *event)
{
	struct wakeup *wakeup;

	switch (event->type) {
	case EV_GO_UNBLOCK:
		wakeup = wakeup_of(search, event->target_record);
		if (wakeup == NULL)
			return false;
		clear(search, wakeup, false);
		return add(search, wakeup, event->ordinal);
	case EV_GO_START:
	case EV_GO_PREEMPT:
	case EV_FUTILE_WAKEUP:
		wakeup = wakeup_of(search, event->g_record);
		if (wakeup == NULL)
			return false;
		if (event->type == EV_FUTILE_WAKEUP)
			wakeup->futile = true;
		return add(search, wakeup, event->ordinal);
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
		wakeup = wakeup_of(search, event->g_record);
		if (wakeup == NULL)
			return false;
		if (wakeup->futile)
			drop(search, event->ordinal);
		clear(search, wakeup, wakeup->futile);
		wakeup->futile = false;
		return true;
	default:
		return true;
	}
}

enum gtrace_status gti_futile_find(struct event_source *source,
				   uint64_t **dropped,
				   struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = &source->index->memory;
	struct search search = {
		.memory = memory,
		.wakeups.element_size = sizeof(struct wakeup),
		.events = source->index->events,
	};
	enum gtrace_status status = GTRACE_OK;
	struct event *event;

	search.dropped =
		gti_allocate_zeroed(memory, 1, dropped_size(source->index));
	if (search.dropped == NULL ||
	    !gti_array_reserve(&search.nodes, sizeof(struct node), memory))
		status = gti_fail_memory(error);
	search.nodes.count = 1;
	while (status == GTRACE_OK) {
		status = source_next(source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			break;
		if (!step(&search, event))
			status = gti_fail_memory(error);
	}
	gti_chunks_free(&search.wakeups, memory);
	gti_array_free(&search.nodes, sizeof(struct node), memory);
	if (status != GTRACE_OK) {
		gti_release(memory, search.dropped,
			    dropped_size(source->index));
		search.dropped = NULL;
	}
	*dropped = search.dropped;
	return status;
}
