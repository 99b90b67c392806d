/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * final_order.h - the events of a trace of any version, in merge order or in
 * final order; trace.h says how they differ.
 */
#ifndef GTRACE_V1_FINAL_ORDER_H_
#define GTRACE_V1_FINAL_ORDER_H_

#include "v1/merge.h"
#include "v1/order_1_5.h"

struct event_source {
	const struct index *index;
	bool is_1_5;                /* up to Go 1.6 */
	struct order_1_5 order_1_5; /* if so */
	struct merge merge;         /* if not */
	bool final;                 /* in final order; false up to Go 1.6 */
	int64_t first_ticks;        /* of the first event, if there is one */
	const struct goroutines *goroutines; /* of the events so far */
	/* In final order: the exits to come, and the last one as an event. */
	const struct moved_exit *next_exit;
	size_t exits_left;
	struct event exit;
	/* By ordinal: events with which futile wakeups begin. NULL: none. */
	const uint64_t *futile;
	/* Except in merge order, who is to visit the events. */
	event_visitor *visit;
	void *context;
	uint64_t visited; /* events */
	bool stopped;     /* the last visit returned false */
	bool failed;      /* there is no memory */
};

/*
 * Starts with the events of INDEX, which must outlive the source. FLAGS are
 * those of a merge. EXITS, from gti_source_take_exits(), selects final order;
 * FUTILE is from gti_futile_find(). Both can be NULL, and must outlive the
 * source. On failure there is nothing to free.
 *
 * Errors: GTRACE_ERROR_MEMORY, and for traces up to Go 1.6 GTRACE_ERROR_ORDER.
 */
enum gtrace_status gti_source_init(struct event_source *source,
				   const struct index *index, unsigned flags,
				   const struct array *exits,
				   const uint64_t *futile,
				   struct gtrace_error *error);

void gti_source_free(struct event_source *source);

/*
 * Calls VISIT with CONTEXT for each event, valid until it returns, up to the
 * end or until it returns false. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_source_run(struct event_source *source,
				  event_visitor *visit, void *context,
				  struct gtrace_error *error);

/* Returns how many events have been visited. */
static inline uint64_t source_visited(const struct event_source *source)
{
	return source->is_1_5 || source->final ? source->visited
					       : source->merge.position;
}

/* Returns the offset after which no event has been read. */
uint64_t gti_source_unread(const struct event_source *source);

/* Returns the exits that MERGE_KEEP_EXITS has kept, in final order. */
struct array gti_source_take_exits(struct event_source *source);

/*
 * Finds the futile wakeups in SOURCE, which is in final order and at its start.
 * Sets *FUTILE to a bit map of the ordinals with which they begin, which the
 * caller frees as futile_size() bytes. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_futile_find(struct event_source *source,
				   uint64_t **futile,
				   struct gtrace_error *error);

static inline size_t futile_size(const struct index *index)
{
	return (size_t)(index->events / 64 + 1) * sizeof(uint64_t);
}

/* Returns whether EVENT, the next one of SOURCE, is a part of one. */
bool gti_futile_drops(const struct event_source *source,
		      const struct event *event);

#endif /* GTRACE_V1_FINAL_ORDER_H_ */
