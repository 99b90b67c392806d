/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_step.h - what it means that an event is merged, whoever has chosen it.
 */
#ifndef GTRACE_V1_MERGE_STEP_H_
#define GTRACE_V1_MERGE_STEP_H_

#include "v1/merge.h"

/*
 * Whether what the event asks for is so. There are no branches in it, because
 * what they would do depends on the event's type, which nobody can foresee.
 */
static ALWAYS_INLINE bool wish_is_ready(const struct wish *wish)
{
	const struct ordered_goroutine *goroutine = wish->asked;
	uint64_t exact = 0 - (uint64_t)wish->request.exact;

	return (((goroutine->sequence ^ wish->sequence) & exact) |
		(goroutine->state ^ wish->request.wants)) == 0;
}

/* The goroutine goes on to the state that the event brings about. */
static ALWAYS_INLINE void change_state(const struct wish *wish)
{
	struct ordered_goroutine *goroutine = wish->asked;

	goroutine->state = wish->request.leaves;
	goroutine->in_syscall = 0;
	/* It goes on from there. */
	if (UNLIKELY(wish->sequence == SEQUENCE_UNKNOWN))
		goroutine->sequence = SEQUENCE_UNKNOWN;
	goroutine->sequence += wish->request.bump;
}

static inline uint32_t number_of(const struct merge *merge,
				 const struct cursor *cursor)
{
	return (uint32_t)(cursor - merge->cursors);
}

/* The first event of CURSOR is left for later. */
static ALWAYS_INLINE void set_aside(const struct cursor *cursor)
{
	cursor->wish.asked->heads++;
}

/* The goroutine whose end was given out last can be forgotten now. */
bool gtrace_merge_forget_ended(struct merge *merge);

/* Puts an exit from a system call where it happened, if it says so. */
bool gtrace_merge_place_exit(struct merge *merge, struct event *event);

/* What a merged event brings about beside the change of its goroutine. */
void gtrace_merge_note(struct merge *merge, struct event *event);

/* EVENT becomes what it is after the merge. Returns false without memory. */
static ALWAYS_INLINE bool complete(struct merge *merge, struct event *event)
{
	return LIKELY(event->type != EV_GO_SYS_EXIT) ||
	       gtrace_merge_place_exit(merge, event);
}

/* Notes what else the first event of CURSOR brings about, if anything. */
static ALWAYS_INLINE void take_note(struct merge *merge, struct cursor *cursor)
{
	struct event *event = &cursor->event;

	if (cursor->wish.noted &&
	    (event->type != EV_GO_UNBLOCK ||
	     UNLIKELY(index_is_timer(merge->index, event->g))))
		gtrace_merge_note(merge, event);
}

#endif /* GTRACE_V1_MERGE_STEP_H_ */
