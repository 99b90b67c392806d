/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * source.h - the events of a trace, one after the other, whichever way they
 * are put in order.
 *
 * There are two orders. That of the merge needs no memory. In the final order
 * exits from system calls stand where they happened, which may be long before
 * their records, and the parts of futile wakeups are gone; for this, a first
 * walk has to collect the exits, and find the wakeups in a second.
 */
#ifndef GTRACE_V1_FINAL_ORDER_H_
#define GTRACE_V1_FINAL_ORDER_H_

#include "v1/merge.h"
#include "v1/order_1_5.h"

struct source {
	const struct index *index;
	struct merge merge;      /* from Go 1.7 on */
	struct order_1_5 sorted; /* before */
	/* For the final order; NULL: that of the merge. */
	const struct array *exits;
	size_t next_exit;
	struct event exit;
	struct event *held; /* merged, but behind exits not given out yet */
	/* By ordinal: events that are left out. NULL: none. */
	const uint64_t *dropped;
	bool old;
	bool plain; /* the events are just those of the merge */
};

/*
 * Starts to give out the events of INDEX, which must outlive it. FLAGS are
 * those of a merge. EXITS, sorted by gti_exits_sort(), if not NULL, asks
 * for the final order; DROPPED may be NULL. Both must outlive the source. On
 * failure there is nothing to free.
 *
 * Errors: GTRACE_ERROR_MEMORY, and for old traces GTRACE_ERROR_ORDER.
 */
enum gtrace_status gti_source_init(struct source *source,
				   const struct index *index, unsigned flags,
				   const struct array *exits,
				   const uint64_t *dropped,
				   struct gtrace_error *error);

void gti_source_free(struct source *source);

/* source_next() where it is not just that of the merge. */
enum gtrace_status gti_source_next_other(struct source *source,
					 struct event **event,
					 struct gtrace_error *error);

/*
 * Sets *EVENT to the next event, good until the next call, or to NULL at the
 * end. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
static inline enum gtrace_status source_next(struct source *source,
					     struct event **event,
					     struct gtrace_error *error)
{
	if (LIKELY(source->plain))
		return gti_merge_next(&source->merge, event, error);
	return gti_source_next_other(source, event, error);
}

/*
 * Calls VISIT with CONTEXT for each event that is left, until it returns
 * false; *STOPPED tells whether it did. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status
gti_source_run(struct source *source,
	       bool (*visit)(void *context, struct event *event), void *context,
	       bool *stopped, struct gtrace_error *error);

/* The ticks of the first event. To be goroutine once there has been one. */
static inline int64_t source_first_ticks(const struct source *source)
{
	return source->old ? source->sorted.first_ticks
			   : source->merge.first_ticks;
}

/* Returns the goroutines of the events given out so far. */
static inline const struct goroutines *
source_goroutines(const struct source *source)
{
	return source->old ? &source->sorted.goroutines
			   : &source->merge.decoder.goroutines;
}

/* Returns the offset from which on no event was given out. */
uint64_t gti_source_unread(const struct source *source);

/*
 * Whether the order of the merge would not do after all: an exit from a
 * system call was moved over other events of its goroutine.
 */
static inline bool source_is_crossed(const struct source *source)
{
	return !source->old && source->merge.crossed;
}

/* Takes the exits that a merge with MERGE_KEEP_EXITS has collected, sorted. */
struct array gti_source_take_exits(struct source *source);

/*
 * Finds the parts of futile wakeups in SOURCE, in final order and not begun,
 * and returns a bit map of their ordinals in *DROPPED, which the caller frees
 * as dropped_size() bytes. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_futile_find(struct source *source, uint64_t **dropped,
				   struct gtrace_error *error);

static inline size_t dropped_size(const struct index *index)
{
	return (size_t)(index->events / 64 + 1) * sizeof(uint64_t);
}

#endif /* GTRACE_V1_FINAL_ORDER_H_ */
