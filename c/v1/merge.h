/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - the events of a trace from Go 1.7 on, of all processors, in the
 * order in which they happened.
 *
 * The file has the events of each processor in order. The next event of a
 * processor is ready if the goroutine that it is about has the state and the
 * sequence number that it requires; of the ready ones, the one with the lowest
 * ticks is merged next. An event is kept only until the next one is merged.
 */
#ifndef GTRACE_V1_MERGE_H_
#define GTRACE_V1_MERGE_H_

#include "base/memory.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/cursor.h"
#include "v1/frontier.h"
#include "v1/index.h"
#include "v1/waiting.h"

/* An exit from a system call that happened before its record was written. */
struct moved_exit {
	int64_t ticks;     /* when it happened */
	uint64_t position; /* of its record in the merge */
	uint64_t offset;
	uint64_t ordinal;
};

struct merge {
	const struct index *index;
	const struct gtrace_allocator *memory;
	struct decoder decoder;
	struct frontier frontier;
	struct cursor *cursors;
	uint32_t cursor_count;
	struct waiting waiting;
	struct cursor *current;  /* see next() in merge.c */
	struct goroutine *ended; /* likewise */
	bool recheck;            /* likewise */
	uint64_t position;       /* events merged */
	int64_t ticks;           /* of the last event, as merged */
	int64_t first_ticks;     /* of the first event */
	uint32_t timer_slot, syscall_slot;
	/* Faults that are reported only at the end of the merge. */
	bool disordered; /* ticks decrease */
	uint64_t disordered_offset;
	enum gtrace_status exit_status;
	struct gtrace_error exit_error;
	/*
	 * An exit was moved over another event of its goroutine, or forwards:
	 * the events of that goroutine are not in final order.
	 */
	bool reordered;
	bool keep_exits;
	bool stop_at_fault;
	struct array exits; /* struct moved_exit, as merged */
};

/* Flags of a merge. */
enum {
	MERGE_FORGET = 1,     /* reuse records of ended goroutines */
	MERGE_KEEP_EXITS = 2, /* fill `exits` */
	/* Report a time stamp out of order at once, not at the end. */
	MERGE_STOP_AT_FAULT = 4
};

/*
 * Starts a merge of the events in INDEX, which must outlive it. On failure
 * (GTRACE_ERROR_MEMORY) there is nothing to free.
 */
enum gtrace_status gti_merge_init(struct merge *merge,
				  const struct index *index, unsigned flags,
				  struct gtrace_error *error);

void gti_merge_free(struct merge *merge);

/*
 * Sets *EVENT to the next event, valid until the next call, or to NULL at the
 * end. The ticks of an exit from a system call are those at which it happened.
 *
 * Errors: GTRACE_ERROR_ORDER, _MEMORY. A time stamp out of order is reported
 * at the end: a merge that cannot go on is reported instead.
 */
enum gtrace_status gti_merge_next(struct merge *merge, struct event **event,
				  struct gtrace_error *error);

/*
 * Calls VISIT with CONTEXT for each further event, until it returns false; sets
 * *STOPPED to whether it did. Errors as above.
 */
enum gtrace_status
gti_merge_run(struct merge *merge,
	      bool (*visit)(void *context, struct event *event), void *context,
	      bool *stopped, struct gtrace_error *error);

/* Returns the offset from which on no event was merged. */
uint64_t gti_merge_unread(const struct merge *merge);

/* Returns whether EVENT, just merged, has another place in final order. */
static inline bool merge_is_moved(const struct merge *merge,
				  const struct event *event)
{
	return event->type == EV_GO_SYS_EXIT && event->ticks != merge->ticks;
}

/* Sets EVENT to the exit from a system call that was kept as EXIT. */
enum gtrace_status gti_merge_read_exit(struct merge *merge,
				       const struct moved_exit *exit,
				       struct event *event,
				       struct gtrace_error *error);

#endif /* GTRACE_V1_MERGE_H_ */
