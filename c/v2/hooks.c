/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.c - slices and links of rare events. */
#include "v2/slice_hooks.h"

struct slice_owner gti_v2_slice_owner(const struct states *states,
				      struct thread *thread)
{
	const struct goroutine *goroutine = thread->goroutine;
	struct slice_owner owner = {
		.m = thread->m,
		.p = thread->slice_p,
		.g = thread->slice_g,
		.wait = states->waits != NULL ? &thread->slice_wait : NULL,
		.entry = &thread->goroutine->entry,
	};

	/* The thread may have lost it meanwhile. */
	if (thread->g != thread->slice_g)
		goroutine = find_goroutine(states, thread->slice_g);
	if (goroutine == NULL)
		return owner;
	owner.first_stack = goroutine->first_stack;
	owner.in_call = goroutine->status == GO_SYSCALL;
	return owner;
}

/* The slice of THREAD is to be looked at in full. */
static NOINLINE bool keep_slice(struct states *states, struct thread *thread,
				const struct event *event, struct origin origin)
{
	struct running_slice ended = thread->slice;
	struct slice_owner owner;

	/* Its samples are those of `ended`. */
	thread->slice.inside.samples = 0;
	owner = gti_v2_slice_owner(states, thread);

	/* It does not run any more when the observer asks for those that do. */
	thread->slice.start.ordinal = 0;
	return gti_observe_kept(states->observer, &ended, owner, event, origin);
}

struct origin gti_v2_origin_of_loss(const struct states *states,
				    const struct thread *thread)
{
	const struct goroutine *goroutine = thread->goroutine;

	/* The thread may have lost it meanwhile. */
	if (thread->g != thread->slice_g)
		goroutine = find_goroutine(states, thread->slice_g);
	if (exists(goroutine) && goroutine->status == GO_SYSCALL &&
	    goroutine->pending.type == EV_GO_SYSCALL_BEGIN)
		return goroutine->pending.origin;
	return slice_origin(thread);
}

HOT bool gti_v2_observe_known(const struct states *states,
			      const struct thread *thread, int64_t end_ticks,
			      uint64_t stack)
{
	int64_t length = (int64_t)((uint64_t)end_ticks -
				   (uint64_t)thread->slice.start.ticks);

	return LIKELY(states->profile != NULL) &&
	       observe_known(states->profile, states->observer->slices,
			     &thread->slice, thread->slice_g, end_ticks, length,
			     stack, &thread->goroutine->entry);
}

bool gti_v2_observe_slice(struct states *states, struct thread *thread,
			  const struct event *event, bool framed, bool lost)
{
	struct origin origin = end_origin(states, thread, framed, lost);

	return gti_observe_profile(states->observer, &thread->slice,
				   thread->slice_g, event, origin,
				   &thread->goroutine->entry) ||
	       keep_slice(states, thread, event, origin);
}

void gti_v2_observe_waited(struct states *states, struct thread *thread,
			   const struct event *event, struct origin origin)
{
	gti_observe_waited(states->observer, &thread->slice,
			   gti_v2_slice_owner(states, thread), event, origin);
}

int64_t gti_v2_calls(const struct states *states, struct thread *thread,
		     int64_t ticks)
{
	struct slice_owner owner = gti_v2_slice_owner(states, thread);

	return gti_observe_calls(states->observer, &thread->slice,
				 owner.in_call, ticks);
}

/* Whether THREAD keeps its processor for its goroutine. */
static bool keeps(const struct thread *thread)
{
	if (thread->p == NO_PROC || thread->g == NO_GOROUTINE)
		return false;
	return thread->goroutine->status == GO_RUNNING ||
	       (thread->goroutine->status == GO_SYSCALL &&
		thread->processor->status == PROC_SYSCALL);
}

bool gti_v2_change_slice(struct states *states, struct thread *thread,
			 const struct event *event)
{
	bool lost = event->type == EV_PROC_STOP || event->type == EV_PROC_STEAL;
	struct waits *waits = waits_of(states, PASS_CAREFUL);
	struct origin origin = origin_none;
	bool kept = keeps(thread);

	if (lost && blocks_of(states, PASS_CAREFUL) != NULL &&
	    thread->goroutine->status == GO_SYSCALL)
		gti_blocks_lose(states->blocks,
				block_of(states, thread->goroutine),
				event->ticks);
	if (has_slice(thread)) {
		if (kept && thread->p == thread->slice_p &&
		    thread->g == thread->slice_g)
			return true;
		origin = slice_origin(thread);
		if (!end_slice(states, thread, NULL, event, states->framed,
			       lost, PASS_CAREFUL))
			return false;
	}
	if (!kept)
		return true;
	start_slice(states, thread, NULL, event, states->framed, origin,
		    PASS_CAREFUL);
	if (waits != NULL)
		waits_slice(waits, &thread->slice_wait,
			    waits_busy(waits, event->ticks, false));
	return true;
}

bool gti_v2_observe_sample(const struct states *states,
			   const struct event *event)
{
	struct thread *thread = NULL;

	if (event->m != NO_THREAD)
		thread = ids_find(&states->threads, (uint64_t)event->m);
	if (thread == NULL || !has_slice(thread) ||
	    thread->slice_p != event->p || thread->slice_g != event->g)
		return true;
	return gti_observe_sample(states->observer, &thread->slice, event);
}

void gti_v2_link_later(struct states *states, waiting_links *waiting,
		       const struct event *event)
{
	if (states->withheld || states->observer->link_count == 0)
		return;
	observe_link(states->observer, event->ordinal, *waiting);
	*waiting = event->ordinal;
}

void gti_v2_link_now(struct states *states, waiting_links *waiting, uint64_t to)
{
	const struct observer *observer = states->observer;
	uint64_t from = *waiting;

	if (states->withheld)
		return;
	*waiting = 0;
	while (from != 0 && from <= observer->link_count) {
		uint64_t next = observer->links[from];

		observe_link(observer, from, to);
		from = next;
	}
}
