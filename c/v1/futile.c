/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * futile.c - finds the parts of futile wakeups.
 *
 * A goroutine can be unblocked to do something that another goroutine does
 * before it runs. Then it writes FutileWakeup, in Go 1.5 to 1.8, and blocks
 * again. Final order drops the events from the unblock to that block.
 */
#include "base/fail.h"
#include "base/pool.h"
#include "v1/final_order.h"

/* An event of a goroutine since it was last unblocked. */
struct wakeup_event {
	struct wakeup_event *before; /* or NULL */
	uint64_t ordinal;
};

struct search {
	struct pool list; /* struct wakeup_event */
	uint64_t *dropped;
	uint64_t events;
	bool failed; /* there is no memory */
};

static bool add(struct search *search, struct goroutine *goroutine,
		uint64_t ordinal)
{
	struct wakeup_event *event = gti_pool_take(&search->list);

	search->failed = event == NULL;
	if (search->failed)
		return false;
	*event = (struct wakeup_event){goroutine->wakeup, ordinal};
	goroutine->wakeup = event;
	return true;
}

static void drop(struct search *search, uint64_t ordinal)
{
	/* It can be greater if the file has changed. */
	if (ordinal <= search->events)
		search->dropped[ordinal / 64] |= (uint64_t)1 << ordinal % 64;
}

/* Forgets the events since the last unblock, and drops them if DROPPED. */
static void forget(struct search *search, struct goroutine *goroutine,
		   bool dropped)
{
	while (goroutine->wakeup != NULL) {
		struct wakeup_event *event = goroutine->wakeup;

		if (dropped)
			drop(search, event->ordinal);
		goroutine->wakeup = event->before;
		gti_pool_give(&search->list, event);
	}
}

static bool step(void *context, struct event *event)
{
	struct search *search = context;
	struct goroutine *goroutine = event->g_record;

	switch (event->type) {
	case EV_GO_UNBLOCK:
		goroutine = event->target_record;
		forget(search, goroutine, false);
		return add(search, goroutine, event->ordinal);
	case EV_FUTILE_WAKEUP:
		goroutine->is_futile = 1;
		return add(search, goroutine, event->ordinal);
	case EV_GO_START:
	case EV_GO_PREEMPT:
		return add(search, goroutine, event->ordinal);
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
		if (goroutine->is_futile)
			drop(search, event->ordinal);
		forget(search, goroutine, goroutine->is_futile);
		goroutine->is_futile = 0;
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
	size_t size = dropped_size(source->index);
	struct search search = {
		.list = {.memory = memory, .size = sizeof(struct wakeup_event)},
		.dropped = gti_allocate_zeroed(memory, 1, size),
		.events = source->index->events,
	};
	enum gtrace_status status;

	if (search.dropped == NULL)
		return gti_fail_memory(error);
	status = gti_source_run(source, step, &search, error);
	if (search.failed)
		status = gti_fail_memory(error);
	gti_pool_free(&search.list);
	if (status != GTRACE_OK) {
		gti_release(memory, search.dropped, size);
		search.dropped = NULL;
	}
	*dropped = search.dropped;
	return status;
}
