/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.c - continues where events are missing. */
#include "v2/missing.h"

#include "v2/faults.h"
#include "v2/hooks.h"
#include "v2/emit.h"

/*
 * The slice of THREAD has ended at an unknown time. It is observed as one that
 * still runs after the last known event of the thread.
 */
static bool end_slice_unseen(struct states *states, struct thread *thread)
{
	if (!has_slice(thread))
		return true;
	if (states->to.waits != NULL)
		states->to.waits->last = states->last_time;
	if (gti_observe_still_running(states->to.observer, &thread->slice,
				      thread,
				      thread_known_until(states, thread)))
		return true;
	gti_v2_fail_memory(states);
	return false;
}

/* THREAD has lost PROCESSOR and GOROUTINE, if it had them. */
static bool lose(struct states *states, struct thread *thread,
		 const struct processor *processor,
		 const struct goroutine *goroutine)
{
	bool has_p = thread->p != NO_PROC && thread->processor == processor;
	bool has_g =
		thread->g != NO_GOROUTINE && thread->goroutine == goroutine;

	if ((has_p || has_g) && !end_slice_unseen(states, thread))
		return false;
	if (has_p)
		unbind_processor(states, thread);
	if (has_g)
		unbind_goroutine(states, thread);
	return true;
}

/* No thread has PROCESSOR or GOROUTINE any more. One of them can be NULL. */
static bool take_away(struct states *states, const struct processor *processor,
		      const struct goroutine *goroutine)
{
	uint32_t i;

	if (!spend_steps(states, states->threads.records.used))
		return false;
	for (i = 0; i < states->threads.records.used; i++)
		if (!lose(states, gti_pool_at(&states->threads.records, i),
			  processor, goroutine))
			return false;
	return true;
}

/* Processor P has STATUS, no thread, and NUMBER is the next in its sequence. */
static bool set_processor(struct states *states, uint64_t p,
			  enum proc_status status, uint64_t number)
{
	struct processor *processor = find_processor(states, p);

	if (processor == NULL)
		processor = gti_ids_add(&states->processors, p);
	if (processor == NULL) {
		gti_v2_fail_memory(states);
		return false;
	}
	if (!take_away(states, processor, NULL))
		return false;
	processor->status = (uint8_t)status;
	restart(states, &processor->sequence);
	processor->sequence.number = number - 1;
	return true;
}

/*
 * Goroutine G has STATUS, no thread, and NUMBER is the next in its sequence.
 * What it did before is not known.
 */
static bool set_goroutine(struct states *states, uint64_t g,
			  enum go_status status, uint64_t number)
{
	struct goroutine *goroutine = find_goroutine(states, g);

	if (exists(goroutine) && !take_away(states, NULL, goroutine))
		return false;
	if (!exists(goroutine))
		goroutine = gti_v2_new_goroutine(states, goroutine, g, status);
	if (goroutine == NULL) {
		gti_v2_fail_memory(states);
		return false;
	}
	goroutine->status = (uint8_t)status;
	goroutine->pending = (struct pending){.type = EV_NONE};
	goroutine->is_new = false;
	restart(states, &goroutine->sequence);
	goroutine->sequence.number = number - 1;
	return true;
}

/* The processor of THREAD was taken away in a system call. */
static bool lose_processor(struct states *states, struct thread *thread)
{
	thread->processor->status = PROC_IDLE;
	return lose(states, thread, thread->processor, NULL);
}

static bool set_collector(struct states *states, enum collector_state state,
			  uint64_t number)
{
	states->collector = state;
	states->collections = number - 1;
	return true;
}

bool gti_v2_missing_waits(struct states *states, struct thread *thread,
			  const struct event *event)
{
	const uint64_t *args = event->args;

	switch (event->type) {
	case EV_PROC_START:
		return lose(states, thread, thread->processor, NULL) &&
		       set_processor(states, args[0], PROC_IDLE, args[1]);
	case EV_PROC_STEAL:
		return set_processor(states, args[0], PROC_SYSCALL_ABANDONED,
				     args[1]);
	case EV_GO_START:
		return lose(states, thread, NULL, thread->goroutine) &&
		       set_goroutine(states, args[0], GO_RUNNABLE, args[1]);
	case EV_GO_UNBLOCK:
	case EV_GO_SWITCH:
	case EV_GO_SWITCH_DESTROY:
		return set_goroutine(states, args[0], GO_WAITING, args[1]);
	case EV_GO_SYSCALL_END_BLOCKED:
		return lose_processor(states, thread);
	case EV_GC_BEGIN:
		return set_collector(states, COLLECTOR_OFF, args[0]);
	case EV_GC_END:
	case EV_GC_ACTIVE:
		return set_collector(states, COLLECTOR_ON, args[0]);
	default:
		return false;
	}
}

bool gti_v2_missing_contradicts(struct states *states,
				const struct event *event)
{
	struct goroutine *goroutine;

	switch (event->type) {
	case EV_GO_CREATE:
	case EV_GO_CREATE_BLOCKED:
	case EV_GO_CREATE_SYSCALL:
		/* Threads that C creates use numbers again. */
		goroutine = find_goroutine(states, event->args[0]);
		if (!exists(goroutine) || !take_away(states, NULL, goroutine))
			return false;
		if (states->to.feed != NULL)
			gti_v2_emit_lost(states, goroutine);
		gti_v2_forget_goroutine(states, goroutine);
		return true;
	default:
		return false;
	}
}
