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

/* bring_about() for an event that brings about more than that. */
bool gtrace_merge_bring_about(struct merge *merge, struct cursor *cursor);

/*
 * The first event of CURSOR is merged: its goroutine changes, and it becomes
 * what it is after the merge. Returns false if there is no memory.
 */
static ALWAYS_INLINE bool bring_about(struct merge *merge,
				      struct cursor *cursor)
{
	unsigned noted = cursor->wish.noted;

	if (UNLIKELY(noted != NOTED_NOTHING) &&
	    (noted != NOTED_UNBLOCK ||
	     UNLIKELY(index_is_timer(merge->index, cursor->event.g))))
		return gtrace_merge_bring_about(merge, cursor);
	change_state(&cursor->wish);
	return true;
}

#endif /* GTRACE_V1_MERGE_STEP_H_ */
