/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps_rare.c - the steps of rare events of processors and goroutines, and
 * those of frequent ones in careful passes.
 */
#include <inttypes.h>

#include "v2/emit.h"
#include "v2/steps.h"

bool gti_v2_run_over(struct states *states, struct thread *thread,
		     struct goroutine *goroutine, struct event *event)
{
	return run(states, thread, goroutine, event, PASS_CAREFUL);
}

/*
 * The processor or the goroutine of THREAD, or their status, has changed by
 * EVENT, which advances.
 */
static enum outcome change(struct states *states, struct thread *thread,
			   struct event *event)
{
	if (!gti_v2_change_slice(states, thread, event))
		return gti_v2_fail_memory(states);
	return ADVANCED;
}

/* -------------------------------------------------------------- statuses -- */

/* The goroutine of THREAD turns out to be on its processor, if it has both. */
static void be_on(struct states *states, const struct thread *thread)
{
	if (pass_feed(&states->to, PASS_CAREFUL) != NULL &&
	    thread->p != NO_PROC && thread->g != NO_GOROUTINE)
		states->on = emit_processor(states->to.feed, thread->processor);
}

/*
 * PROCESSOR turns out to be held by EVENT, the first one if it IS_NEW. Returns
 * whether the pass goes on.
 */
static bool turn_out_held(const struct states *states,
			  struct processor *processor, bool is_new,
			  const struct event *event)
{
	struct waits *waits = pass_waits(&states->to, PASS_CAREFUL);

	if (waits == NULL || processor->held)
		return true;
	processor->held = true;
	return observe_waits_go_on(
		states->to.observer,
		gti_waits_be_held(waits, is_new, event->ticks));
}

/*
 * A thread that has PROCESSOR. In damaged traces several can have it; the
 * reference takes any of them then. NULL: there is none, or it takes too many
 * steps to find it.
 */
static struct thread *thread_with(struct states *states,
				  struct processor *processor)
{
	struct thread *thread = processor->thread;
	uint32_t i;

	if (thread != NULL && thread->p == processor->id)
		return thread;
	if (!spend_steps(states, states->threads.records.used))
		return NULL;
	for (i = 0; i < states->threads.records.used; i++) {
		thread = gti_pool_at(&states->threads.records, i);
		if (thread->known && thread->m != NO_THREAD &&
		    thread->p == processor->id) {
			processor->thread = thread;
			return thread;
		}
	}
	return NULL;
}

/*
 * A processor in a system call whose thread is about to lose it: its status is
 * written by another thread, and shown in the context of its own.
 */
static enum outcome promote_abandoned(struct states *states,
				      struct processor *processor,
				      struct event *event)
{
	struct thread *thread = thread_with(states, processor);

	if (thread == NULL)
		return gti_v2_fail(states, event,
				   "processor %" PRId64
				   " in a system call has no thread",
				   processor->id);
	event->m = thread->m;
	event->p = processor->id;
	event->g = thread->g;
	hand_out(states, event);
	if (!turn_out_held(states, processor, false, event))
		return FAILED;
	return change(states, thread, event);
}

static NOINLINE enum outcome
proc_status(struct states *states, struct thread *thread, struct event *event)
{
	unsigned status = event->args[1] & STATUS_MASK;
	struct processor *processor = find_processor(states, event->args[0]);
	bool is_new = processor == NULL;

	states->on = 0;
	if (status >= PROC_STATUSES)
		return gti_v2_fail(states, event,
				   "processor %" PRId64
				   " has the unknown status %u",
				   (int64_t)event->args[0], status);
	if (is_new) {
		processor = gti_ids_add(&states->processors, event->args[0]);
		if (processor == NULL)
			return gti_v2_fail_memory(states);
		processor->status = (uint8_t)status;
	} else if (status == PROC_SYSCALL_ABANDONED &&
		   processor->status == PROC_SYSCALL) {
		restart(states, &processor->sequence);
		return promote_abandoned(states, processor, event);
	} else if (processor->status != status) {
		return gti_v2_fail(states, event,
				   "processor %" PRId64 " is %s, not %s",
				   processor->id,
				   gti_v2_proc_status_name(processor->status),
				   gti_v2_proc_status_name(status));
	}
	restart(states, &processor->sequence);
	hand_out(states, event);
	if (status != PROC_BAD && status != PROC_IDLE &&
	    !turn_out_held(states, processor, is_new, event))
		return FAILED;
	if (thread->m != NO_THREAD &&
	    (status == PROC_RUNNING || status == PROC_SYSCALL)) {
		bind_processor(states, thread, processor);
		be_on(states, thread);
	}
	return change(states, thread, event);
}

/* The goroutine that EVENT shows to be in a system call of THREAD is new. */
static void turn_out_in_call(struct states *states, const struct thread *thread)
{
	if (thread->p == NO_PROC)
		states->loser = LOSER_OF_EVENT;
}

/*
 * A goroutine in a system call, by an event of its own thread or of another
 * one, which may not have been seen yet.
 */
static enum outcome status_syscall(struct states *states, struct thread *thread,
				   struct goroutine *goroutine, bool is_new,
				   struct event *event)
{
	int64_t m = (int64_t)event->args[1];
	struct thread *other;

	if (m == NO_THREAD)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64
				   " is in a system call on no thread",
				   goroutine->id);
	if (m == thread->m) {
		if (!states->is_first && thread->g != goroutine->id)
			return gti_v2_fail(
				states, event,
				"goroutine %" PRIu64
				" is in a system call on a thread with "
				"goroutine %" PRId64,
				goroutine->id, (int64_t)thread->g);
		hand_out(states, event);
		bind_goroutine(states, thread, goroutine);
		if (is_new)
			turn_out_in_call(states, thread);
		be_on(states, thread);
		return change(states, thread, event);
	}
	other = gti_v2_states_thread(states, m);
	if (other == NULL)
		return gti_v2_fail_memory(states);
	if (other->known && other->g != goroutine->id)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64
				   " is in a system call on thread %" PRId64
				   ", which has goroutine %" PRId64,
				   goroutine->id, m, (int64_t)other->g);
	if (other->known)
		event->g = other->g;
	else
		bind_goroutine(states, other, goroutine);
	other->known = true;
	event->m = m;
	hand_out(states, event);
	if (is_new)
		turn_out_in_call(states, other);
	be_on(states, other);
	return change(states, other, event);
}

/*
 * GOROUTINE, which is new, has been ready since before EVENT of THREAD. Returns
 * whether the pass goes on.
 */
static bool turn_out_ready(const struct states *states,
			   const struct thread *thread,
			   struct goroutine *goroutine,
			   const struct event *event)
{
	struct waits *waits = pass_waits(&states->to, PASS_CAREFUL);
	struct waiter *waiter = waiter_of(goroutine);

	if (waits == NULL || waits->over || !waits->first_generation)
		return true;
	event_ref_set(&waiter->ready, event, origin_none);
	waiter->ready.m = thread->m;
	waiter->ready.p = thread->p;
	waiter->ready.g = thread->g;
	return observe_waits_go_on(states->to.observer,
				   gti_waits_began_before(waits, waiter,
							  goroutine->id));
}

static NOINLINE enum outcome
go_status(struct states *states, struct thread *thread, struct event *event)
{
	uint64_t g = event->args[0];
	unsigned status = event->args[2] & STATUS_MASK;
	struct goroutine *goroutine = find_goroutine(states, g);
	bool is_new = !exists(goroutine);

	states->on = 0;
	if (status >= GO_STATUSES)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64
				   " has the unknown status %u",
				   g, status);
	if (exists(goroutine)) {
		if (goroutine->status != status)
			return gti_v2_fail(
				states, event,
				"goroutine %" PRIu64 " is %s, not %s", g,
				gti_v2_go_status_name(goroutine->status),
				gti_v2_go_status_name(status));
	} else if (!states->is_first) {
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64
				   " is not known from earlier generations",
				   g);
	} else {
		goroutine = gti_v2_new_goroutine(states, goroutine, g,
						 (enum go_status)status);
		if (goroutine == NULL)
			return gti_v2_fail_memory(states);
		states->to.observer->census.initial +=
			!is_withheld(&states->to, PASS_CAREFUL);
		goroutine->first_stack = 0;
	}
	/* The first start of a new one shows the stack of its creation. */
	if (event->type == EV_GO_STATUS_STACK && !goroutine->is_new &&
	    goroutine->first_stack == 0)
		goroutine->first_stack = event->stack;
	if (states->learns && states->framed &&
	    own_of(goroutine)->stacks.last == 0)
		learn_own(states, goroutine, event->stack);
	restart(states, &goroutine->sequence);
	if (status == GO_SYSCALL)
		return status_syscall(states, thread, goroutine, is_new, event);
	hand_out(states, event);
	if (is_new && status == GO_RUNNABLE &&
	    !turn_out_ready(states, thread, goroutine, event))
		return FAILED;
	if (status == GO_RUNNING && thread->m != NO_THREAD) {
		bind_goroutine(states, thread, goroutine);
		be_on(states, thread);
	}
	return change(states, thread, event);
}

/* ---------------------------------------------- processors, system calls -- */

static NOINLINE enum outcome
proc_steal(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor = find_processor(states, event->args[0]);
	int64_t m = (int64_t)event->args[2];
	struct thread *victim = thread;
	bool abandoned;

	if (processor == NULL ||
	    (processor->status != PROC_SYSCALL &&
	     processor->status != PROC_SYSCALL_ABANDONED) ||
	    !follows(states, &processor->sequence, event->args[1]))
		return WAITS;
	if (thread->m == NO_THREAD)
		return gti_v2_fail_needs(states, thread, event);
	abandoned = processor->status == PROC_SYSCALL_ABANDONED;
	processor->status = PROC_IDLE;
	processor->sequence.number++;
	if (abandoned) {
		hand_out(states, event);
		be_held(states, processor, false, event->ticks, PASS_CAREFUL);
		return ADVANCED;
	}
	if (m != thread->m) {
		victim = m != NO_THREAD
				 ? ids_find(&states->threads, (uint64_t)m)
				 : NULL;
		if (victim == NULL || !victim->known)
			return gti_v2_fail(states, event,
					   "there is no thread %" PRId64, m);
	}
	if (victim->p != processor->id)
		return gti_v2_fail(states, event,
				   "thread %" PRId64
				   " does not have processor %" PRId64,
				   m, processor->id);
	hand_out(states, event);
	unbind_processor(states, victim);
	be_held(states, processor, false, event->ticks, PASS_CAREFUL);
	return change(states, victim, event);
}

static NOINLINE enum outcome create_syscall(struct states *states,
					    struct thread *thread,
					    struct event *event)
{
	uint64_t g = event->args[0];
	struct goroutine *goroutine = find_goroutine(states, g);
	struct step step;

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " exists", g);
	goroutine = gti_v2_new_goroutine(states, goroutine, g, GO_SYSCALL);
	if (goroutine == NULL)
		return gti_v2_fail_memory(states);
	goroutine->first_stack = 0;
	hand_out(states, event);
	bind_goroutine(states, thread, goroutine);
	step = step_of(states, actor_of(goroutine), event, PASS_CAREFUL);
	observe_pending(step, origin_none, states->framed);
	turn_out_in_call(states, thread);
	if (change(states, thread, event) != ADVANCED)
		return FAILED;
	/* If it starts a slice, it links to the end of that. */
	if (thread->slice.start.ordinal == event->ordinal)
		goroutine->pending.ordinal = 0;
	return ADVANCED;
}

/* The thread gives up its processor first, if it has one. */
static NOINLINE enum outcome destroy_syscall(struct states *states,
					     struct thread *thread,
					     struct event *event)
{
	struct goroutine *goroutine = thread->goroutine;
	struct step step;

	if (goroutine->status != GO_SYSCALL)
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	if (thread->p != NO_PROC) {
		if (thread->processor->status != PROC_SYSCALL)
			return gti_v2_fail_processor(states, thread, event);
		event[1] = event[0];
		event->type = EV_PROC_STEAL;
		event->args[0] = (uint64_t)thread->p;
		hand_out(states, event);
		thread->processor->status = PROC_SYSCALL_ABANDONED;
		be_held(states, thread->processor, false, event->ticks,
			PASS_CAREFUL);
		unbind_processor(states, thread);
		if (!gti_v2_change_slice(states, thread, event))
			return gti_v2_fail_memory(states);
		states->count = 2;
		event++;
	}
	hand_out(states, event);
	step = step_of(states, actor_of(goroutine), event, PASS_CAREFUL);
	if (goroutine->pending.type == EV_GO_CREATE_SYSCALL)
		observe_pended(step);
	goroutine->status = GO_ABSENT;
	unbind_goroutine(states, thread);
	return ADVANCED;
}

/* -------------------------------------------------------------- frequent -- */

static NOINLINE enum outcome create(struct states *states,
				    struct thread *thread, struct event *event,
				    enum go_status status)
{
	return go_create(states, thread, event, states->framed, status,
			 PASS_CAREFUL);
}

static NOINLINE enum outcome leave_thread(struct states *states,
					  struct thread *thread,
					  struct event *event,
					  enum go_status status)
{
	return go_leave(states, thread, event, states->framed, status,
			PASS_CAREFUL);
}

static NOINLINE enum outcome switch_to(struct states *states,
				       struct thread *thread,
				       struct event *event,
				       enum go_status status)
{
	return go_switch(states, thread, event, status, PASS_CAREFUL);
}

/* Not inlined: most of these events are those of the default. */
enum outcome gti_v2_step_rare(struct states *states, struct thread *thread,
			      struct event *event)
{
	switch (event->type) {
	case EV_PROC_STATUS:
		return proc_status(states, thread, event);
	case EV_PROC_STEAL:
		return proc_steal(states, thread, event);
	case EV_GO_STATUS:
	case EV_GO_STATUS_STACK:
		return go_status(states, thread, event);
	case EV_GO_CREATE_SYSCALL:
		return create_syscall(states, thread, event);
	case EV_GO_DESTROY_SYSCALL:
		return destroy_syscall(states, thread, event);
	case EV_GO_CREATE_BLOCKED:
		return create(states, thread, event, GO_WAITING);
	case EV_GO_SWITCH_DESTROY:
		return switch_to(states, thread, event, GO_ABSENT);
	default:
		return gti_v2_step_range(states, thread, event);
	}
}

enum outcome gti_v2_step(struct states *states, struct thread *thread,
			 struct event *event)
{
	switch (event->type) {
	case EV_GO_START:
		return go_start(states, thread, event, PASS_CAREFUL);
	case EV_GO_BLOCK:
		return leave_thread(states, thread, event, GO_WAITING);
	case EV_GO_STOP:
		return leave_thread(states, thread, event, GO_RUNNABLE);
	case EV_GO_DESTROY:
		return leave_thread(states, thread, event, GO_ABSENT);
	case EV_GO_UNBLOCK:
		return go_unblock(states, thread, event, states->framed,
				  PASS_CAREFUL);
	case EV_GO_SWITCH:
		return switch_to(states, thread, event, GO_WAITING);
	case EV_GO_CREATE:
		return create(states, thread, event, GO_RUNNABLE);
	case EV_GO_SYSCALL_BEGIN:
		return syscall_begin(states, thread, event, states->framed,
				     PASS_CAREFUL);
	case EV_GO_SYSCALL_END:
		return syscall_end(states, thread, event, PASS_CAREFUL);
	case EV_GO_SYSCALL_END_BLOCKED:
		return syscall_end_blocked(states, thread, event, PASS_CAREFUL);
	case EV_PROC_START:
		return proc_start(states, thread, event, PASS_CAREFUL);
	case EV_PROC_STOP:
		return proc_stop(states, thread, event, PASS_CAREFUL);
	case EV_HEAP_ALLOC:
		return heap_alloc(states, thread, event, PASS_CAREFUL);
	default:
		return gti_v2_step_rare(states, thread, event);
	}
}
