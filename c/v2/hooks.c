/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.c - slices and links of rare events. */
#include "v2/hooks.h"

#include "v2/emit.h"

/*
 * The goroutine of the slice of THREAD, which may have lost it meanwhile. NULL:
 * it does not exist any more.
 */
static struct goroutine *slice_goroutine(const struct states *states,
					 const struct thread *thread)
{
	return thread->g == thread->slice_g
		       ? thread->goroutine
		       : find_goroutine(states, thread->slice_g);
}

struct slice_owner gti_v2_slice_owner(const void *context, void *record)
{
	const struct states *states = context;
	const struct thread *thread = record;
	struct goroutine *goroutine = slice_goroutine(states, thread);
	struct slice_owner owner = {
		.m = thread->m,
		.p = thread->slice_p,
		.g = thread->slice_g,
		.entry = &thread->goroutine->entry,
	};

	if (goroutine == NULL)
		return owner;
	owner.first_stack = goroutine->first_stack;
	owner.in_call = goroutine->status == GO_SYSCALL;
	if (states->learns)
		owner.last = (struct last_event){
			own_of(goroutine)->stacks, own_of(goroutine)->name,
			own_of(goroutine)->creator_name, owner.in_call};
	return owner;
}

/*
 * The walk back from an event that ends the slice of THREAD and, if LOST, is
 * not of its goroutine. The system call that the goroutine is in says more than
 * its start.
 */
static struct origin end_origin(const struct states *states,
				const struct thread *thread, bool lost)
{
	const struct goroutine *goroutine = slice_goroutine(states, thread);

	if (states->framed)
		return origin_none;
	if (lost && exists(goroutine) && goroutine->status == GO_SYSCALL &&
	    goroutine->pending.type == EV_GO_SYSCALL_BEGIN)
		return goroutine->pending.origin;
	return slice_origin(thread);
}

bool gti_v2_slice_ended(struct states *states, struct thread *thread,
			const struct event *event, bool framed)
{
	return gti_observe_ended(states->to.observer, &thread->slice, thread,
				 event,
				 framed ? origin_none : slice_origin(thread));
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
			 struct event *event)
{
	bool lost = event->type == EV_PROC_STOP || event->type == EV_PROC_STEAL;
	struct waits *waits = pass_waits(&states->to, PASS_CAREFUL);
	struct origin origin = origin_none;
	bool kept = keeps(thread);

	if (event->type == EV_PROC_STEAL &&
	    pass_feed(&states->to, PASS_CAREFUL) != NULL &&
	    thread->goroutine->status == GO_SYSCALL)
		states->loser =
			emit_goroutine(states->to.feed, thread->goroutine);
	if (has_slice(thread)) {
		if (kept && thread->p == thread->slice_p &&
		    thread->g == thread->slice_g)
			return true;
		origin = slice_origin(thread);
		if (!end_slice(states, thread, event,
			       end_origin(states, thread, lost), PASS_CAREFUL))
			return false;
	}
	if (!kept)
		return true;
	start_slice(states, thread, event, states->framed, origin,
		    PASS_CAREFUL);
	if (waits != NULL)
		waits_slice(waits, &thread->slice.wait, thread->slice.serial,
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
	return gti_observe_sample(states->to.observer, &thread->slice, event);
}

void gti_v2_link_later(struct states *states, waiting_links *waiting,
		       const struct event *event)
{
	const struct observer *observer = states->to.observer;

	if (states->to.withheld || observer->link_count == 0)
		return;
	observe_link(observer, event->ordinal, *waiting);
	*waiting = event->ordinal;
}

void gti_v2_link_now(struct states *states, waiting_links *waiting, uint64_t to)
{
	const struct observer *observer = states->to.observer;
	uint64_t from = *waiting;

	if (states->to.withheld)
		return;
	*waiting = 0;
	while (from != 0 && from <= observer->link_count) {
		uint64_t next = observer->links[from];

		observe_link(observer, from, to);
		from = next;
	}
}
