/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * futile.c - finds the parts of futile wakeups.
 *
 * A goroutine can be unblocked to do something that another goroutine does
 * before it runs. Then it writes FutileWakeup, in Go 1.5 to 1.8, and blocks
 * again. Final order drops the events from the unblock to that block.
 *
 * A first pass marks the events with which futile wakeups begin.
 */
#include "base/fail.h"
#include "v1/final_order.h"

enum part { PART_NONE, PART_UNBLOCK, PART_WITHIN, PART_BLOCK };

/* What EVENT can be in a wakeup of *GOROUTINE, which is set. */
static enum part part_of(const struct event *event,
			 struct goroutine **goroutine)
{
	*goroutine = event->g_record;
	switch (event->type) {
	case EV_GO_UNBLOCK:
		*goroutine = event->target_record;
		return PART_UNBLOCK;
	case EV_FUTILE_WAKEUP:
	case EV_GO_START:
	case EV_GO_PREEMPT:
		return PART_WITHIN;
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
		return PART_BLOCK;
	default:
		return PART_NONE;
	}
}

struct search {
	uint64_t *marks; /* by ordinal, as bits */
	uint64_t events;
};

static bool search_event(void *context, struct event *event)
{
	struct search *search = context;
	struct goroutine *goroutine;
	enum part part = part_of(event, &goroutine);
	uint64_t first;

	if (part == PART_NONE)
		return true;
	if (event->type == EV_FUTILE_WAKEUP)
		goroutine->is_futile = 1;
	first = goroutine->wakeup;
	if (part == PART_BLOCK) {
		/* It can be greater than that if the file has changed. */
		if (goroutine->is_futile && first <= search->events)
			search->marks[first / 64] |= (uint64_t)1 << first % 64;
		goroutine->is_futile = 0;
		goroutine->wakeup = 0;
	} else if (part == PART_UNBLOCK || first == 0) {
		goroutine->wakeup = event->ordinal;
	}
	return true;
}

enum gtrace_status gti_futile_find(struct event_source *source,
				   uint64_t **futile,
				   struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = &source->index->memory;
	size_t size = futile_size(source->index);
	struct search search = {
		.marks = gti_allocate_zeroed(memory, 1, size),
		.events = source->index->events,
	};
	enum gtrace_status status;

	if (search.marks == NULL)
		return gti_fail_memory(error);
	status = gti_source_run(source, search_event, &search, error);
	if (status == GTRACE_OK)
		*futile = search.marks;
	else
		gti_release(memory, search.marks, size);
	return status;
}

bool gti_futile_drops(const struct event_source *source,
		      const struct event *event)
{
	uint64_t ordinal = event->ordinal;
	struct goroutine *goroutine;
	enum part part = part_of(event, &goroutine);
	bool marked, dropped;

	if (part == PART_NONE)
		return false;
	marked = ordinal <= source->index->events &&
		 (source->futile[ordinal / 64] >> ordinal % 64 & 1) != 0;
	dropped = marked || (part != PART_UNBLOCK && goroutine->is_futile);
	goroutine->is_futile = dropped && part != PART_BLOCK;
	return dropped;
}
