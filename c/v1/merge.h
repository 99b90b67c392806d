/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - merges the events of all processors in a trace of Go 1.7 and later
 * into the order in which they happened.
 *
 * In the file the events of each processor, a stream, are in order. The next
 * event of a stream has a precondition: a goroutine has to be in some state and
 * have some sequence number. If that holds, the event is ready. Of the ready
 * events the one with the lowest ticks is merged next. Its memory is reused for
 * the event after it.
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

/*
 * An exit from a system call that happened before its record was written. In
 * final order it moves to where it happened.
 */
struct moved_exit {
	/* When it happened; the rank is that of its record in merge order. */
	struct moment at;
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
	/* These three: see next() in merge.c. */
	struct cursor *current;
	struct goroutine *ended;
	bool recheck;
	uint64_t position;   /* events merged */
	int64_t ticks;       /* of the last event, as merged */
	int64_t first_ticks; /* of the first event, if one is ready */
	uint32_t timer_slot, syscall_slot;
	/*
	 * Faults that are reported at the end of the merge, and only if it
	 * gets there: to have no ready event is the fault to report before.
	 */
	bool disordered; /* ticks decrease; `fault` says where */
	bool bad_exit;   /* if ticks do not decrease, `fault` is of the exit */
	struct gtrace_error fault;
	/*
	 * An exit moves past another event of its goroutine, or to a later
	 * time: merge order and final order differ within a goroutine.
	 */
	bool reordered;
	bool keep_exits;
	bool stop_at_fault;
	struct array exits; /* struct moved_exit, in merge order */
};

/* Flags of a merge. */
enum {
	MERGE_FORGET = 1,     /* reuse records of ended goroutines */
	MERGE_KEEP_EXITS = 2, /* fill `exits` */
	/* Report time stamps out of order at once, not at the end. */
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

/* Returns false to end the run. */
typedef bool event_visitor(void *context, struct event *event);

/*
 * Calls VISIT with CONTEXT for each event, valid until it returns, up to the
 * end or until it returns false. The ticks of an exit from a system call are
 * those at which it happened. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_merge_run(struct merge *merge, event_visitor *visit,
				 void *context, struct gtrace_error *error);

/* Returns the offset after which no event has been merged. */
uint64_t gti_merge_unread(const struct merge *merge);

#endif /* GTRACE_V1_MERGE_H_ */
