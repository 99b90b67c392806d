/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.h - the events of a trace from Go 1.7 on, of all processors, in the
 * order in which they happened.
 *
 * Each processor's events are in order in the file. The first unmerged event
 * of a processor is ready if the goroutine it is about has the state and the
 * sequence number it asks for; of the ready ones, the one with the lowest
 * ticks comes next. Nothing is kept of an event once the next is goroutine for.
 */
#ifndef GTRACE_V1_MERGE_H_
#define GTRACE_V1_MERGE_H_

#include "base/memory.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/cursor.h"
#include "v1/frontier.h"
#include "v1/index.h"

/* An exit from a system call that happened at another time than it says. */
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
	struct cursor *current;  /* whose event was given out last */
	struct goroutine *ended; /* its end was the last event, or NULL */
	uint64_t position;       /* events merged */
	int64_t ticks;           /* of the last event, as merged */
	int64_t first_ticks;     /* of the first event */
	/* Streams whose first event waits, by what it waits for. */
	uint32_t *waiting;
	uint32_t waiting_mask;
	/* Streams whose first event has become ready. */
	uint32_t *newly_ready;
	uint32_t newly_ready_count;
	/* A candidate may be no longer ready. It is, in a good trace. */
	bool unsure;
	uint32_t timer_slot, syscall_slot;
	/* Faults that count only if the merge comes to its end. */
	bool disordered;
	uint64_t disordered_offset;
	enum gtrace_status exit_status;
	struct gtrace_error exit_error;
	/*
	 * An exit was moved over other events of its goroutine, or forwards:
	 * its goroutine's events are not in their final order.
	 */
	bool reordered;
	bool keep_exits;
	bool stop_at_fault;
	struct array exits; /* struct moved_exit, as merged */
};

/* What a merge is wanted for. */
enum {
	MERGE_FORGET = 1,     /* reuse records of ended goroutines */
	MERGE_KEEP_EXITS = 2, /* fill `exits` */
	/* Report a time stamp out of order at once, not after all else. */
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
 * Sets *EVENT to the next event, good until the next call, or to NULL at the
 * end. Its ticks are those when it happened, also for an exit from a system
 * call that is reported later.
 *
 * Errors: GTRACE_ERROR_ORDER, _MEMORY. A time stamp out of order is reported
 * at the end, because a merge that cannot go on comes first.
 */
enum gtrace_status gti_merge_next(struct merge *merge, struct event **event,
				  struct gtrace_error *error);

/*
 * Calls VISIT with CONTEXT for each event that is left, until it returns
 * false; *STOPPED tells whether it did. Errors as above.
 */
enum gtrace_status
gti_merge_run(struct merge *merge,
	      bool (*visit)(void *context, struct event *event), void *context,
	      bool *stopped, struct gtrace_error *error);

/*
 * Returns the offset from which on no event was merged.
 */
uint64_t gti_merge_unread(const struct merge *merge);

/* Whether EVENT, just merged, stands elsewhere in the final order. */
static inline bool merge_is_moved(const struct merge *merge,
				  const struct event *event)
{
	return event->type == EV_GO_SYS_EXIT && event->ticks != merge->ticks;
}

/* Reads the exit from a system call that was kept as EXIT. */
enum gtrace_status gti_merge_read_exit(struct merge *merge,
				       const struct moved_exit *exit,
				       struct event *event,
				       struct gtrace_error *error);

#endif /* GTRACE_V1_MERGE_H_ */
