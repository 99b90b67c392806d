/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.h - the events of a trace of Go 1.22 and later, in order.
 *
 * The order and the times are those of Go 1.27's reader, and so are the events
 * that it adds to those of the file. One generation is read at a time.
 */
#ifndef GTRACE_V2_ORDER_H_
#define GTRACE_V2_ORDER_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/heap.h"
#include "v2/cursor.h"
#include "v2/states.h"
#include "v2/waiting.h"

enum order_phase {
	ORDER_EVENTS, /* there may be more */
	ORDER_BROKEN, /* only `fault` is left */
	ORDER_DONE,
};

struct order {
	struct source *source;
	const struct gtrace_allocator *memory;
	struct generation generation;
	struct generation *kept; /* the last ones, for reports; NULL: none */
	struct states states;
	enum order_phase phase;
	unsigned taken; /* of states.events */
	/* A cursor for each thread of the generation that has events. */
	struct cursor *cursors;
	size_t cursor_capacity;
	/* By the first byte of the ticks between two events, see LONG_TICKS. */
	int64_t short_ns[FIRST_BYTES];
	/* The cursors that are not at their end, by their present events. */
	struct heap heap;
	struct waiting waiting;
	/*
	 * If this is not 0, the items of the heap are sorted and have distinct
	 * keys, but the cursor of the item at this place has moved on since,
	 * to a time greater than that of the first one, or to its end.
	 */
	uint32_t moved;
	bool sorted;    /* while an event is tried: they are such items */
	uint32_t tried; /* all before this place wait, except for the first */
	size_t samples_taken;  /* of generation.sorted */
	int64_t until;         /* easy events come up to this time */
	int64_t sample_time;   /* of the next one; none: INT64_MAX */
	uint64_t last_ordinal; /* see gti_v2_order_run() */
	uint64_t syncs;
	uint64_t counted;     /* bytes of the source, for states.steps_left */
	double rate;          /* of the generation before; 0: there is none */
	int64_t heard;        /* time of the last event before a silence */
	int64_t next_time;    /* from which on the next generation has events */
	struct array *begins; /* struct generation_place, so far */
	/* Number, from 1, of the generation that is unfinished; 0: none. */
	uint64_t unfinished;
	bool shows_end;    /* the offset of the last event matters */
	bool lacks_memory; /* there was none for a sample in a slice */
	struct gtrace_error fault;
};

/*
 * Begins at the first generation of SOURCE. Adds the places of those that it
 * reads to BEGINS, which is empty before. All pointers must
 * outlive the order.
 */
enum gtrace_status gti_v2_order_init(struct order *order, struct source *source,
				     struct array *begins,
				     struct observer *observer,
				     const struct gtrace_allocator *memory,
				     struct gtrace_error *error);

void gti_v2_order_free(struct order *order);

/* Looks for a silence before the next event, which is not before TIME. */
void gti_v2_order_listen(struct order *order, int64_t time);

/* Looks for a silence before the next event, if that is wanted. */
static inline void order_listen(struct order *order)
{
	int64_t next = order->sample_time;

	if (order->states.to.observer->machine == NULL)
		return;
	if (order->heap.count != 0 && order->heap.items[0].key < next)
		next = order->heap.items[0].key;
	if (next != INT64_MAX)
		gti_v2_order_listen(order, next);
}

/* The next sample of the generation, which has one. */
struct event *gti_v2_order_sample(struct order *order);

/*
 * All events and samples of the generation were handed out: reads the next one
 * and sets *EVENT to the Sync at its start, or to the one at the end. Sets it
 * to NULL after that, and if anything fails.
 */
enum gtrace_status gti_v2_order_generation(struct order *order,
					   struct event **event,
					   struct gtrace_error *error);

/* order_next() when no more events of the last step are left. */
enum gtrace_status gti_v2_order_step(struct order *order, struct event **event,
				     struct gtrace_error *error);

/*
 * Takes events, in a pass that is not careful, while that of the first cursor
 * is easy and advances. Returns WAITS when gti_v2_order_step() has to continue,
 * FAILED at a fault. The heap is not empty, and the rate of the generation's
 * clock is easy.
 */
enum outcome gti_v2_order_run_easy(struct order *order);

/*
 * Sets *EVENT to the next event, which is good until the next call, or to NULL
 * at the end and if anything fails.
 */
static inline enum gtrace_status order_next(struct order *order,
					    struct event **event,
					    struct gtrace_error *error)
{
	if (UNLIKELY(order->taken < order->states.count)) {
		*event = &order->states.events[order->taken++];
		return GTRACE_OK;
	}
	return gti_v2_order_step(order, event, error);
}

/*
 * Goes on to the end, or until the event with the ordinal LAST_ORDINAL, or one
 * of the two after it, has been observed. Fails as order_next() does.
 *
 * A CAREFUL pass decodes the next event of a thread before it takes the present
 * one, as Go's reader does. Any other pass is faster, but finds the fault of an
 * event too late: the observer may have been told of one event too many, and
 * the error has no message. The caller then makes a careful pass.
 */
enum gtrace_status gti_v2_order_run(struct order *order, bool careful,
				    uint64_t last_ordinal,
				    struct gtrace_error *error);

#endif /* GTRACE_V2_ORDER_H_ */
