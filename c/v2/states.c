/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - the steps of frequent events. */
#include "v2/states.h"

#include <inttypes.h>

#include "v2/faults.h"

/* -------------------------------------------------------------- records -- */

bool gti_v2_states_init(struct states *states,
			const struct gtrace_allocator *memory)
{
	*states = (struct states){
		.memory = memory,
		.regions.element_size = sizeof(struct region),
		.no_processor = {.id = NO_PROC, .status = PROC_ABSENT},
		.no_goroutine = {.id = NO_GOROUTINE, .status = GO_ABSENT},
	};
	return gti_v2_ids_init(&states->threads, sizeof(struct thread),
			       memory) &&
	       gti_v2_ids_init(&states->processors, sizeof(struct processor),
			       memory) &&
	       gti_v2_ids_init(&states->goroutines, sizeof(struct goroutine),
			       memory);
}

/* Frees the ranges of all goroutines. */
static void free_ranges(struct states *states)
{
	size_t capacity = states->goroutines.memory == NULL
				  ? 0
				  : ids_capacity(&states->goroutines);
	size_t i;

	for (i = 0; i < capacity; i++) {
		struct goroutine *goroutine =
			states->goroutines.entries[i].record;

		if (goroutine != NULL)
			gti_array_free(&goroutine->ranges, sizeof(struct range),
				       states->memory);
	}
}

void gti_v2_states_free(struct states *states)
{
	if (states->memory == NULL)
		return;
	free_ranges(states);
	gti_v2_ids_free(&states->threads);
	gti_v2_ids_free(&states->processors);
	gti_v2_ids_free(&states->goroutines);
	gti_map_free(&states->tasks, states->memory);
	gti_chunks_free(&states->regions, states->memory);
	states->memory = NULL;
}

struct thread *gti_v2_states_thread(struct states *states, int64_t m)
{
	struct thread *thread = ids_find(&states->threads, (uint64_t)m);

	if (thread != NULL)
		return thread;
	thread = gti_v2_ids_add(&states->threads, (uint64_t)m);
	if (thread == NULL)
		return NULL;
	thread->m = m;
	thread->g = NO_GOROUTINE;
	thread->goroutine = &states->no_goroutine;
	unbind_processor(states, thread);
	return thread;
}

struct goroutine *gti_v2_new_goroutine(struct states *states, uint64_t g,
				       enum go_status status)
{
	/* A thread may still be bound to one that was destroyed elsewhere. */
	struct goroutine *goroutine = find_goroutine(states, g);

	if (goroutine == NULL)
		goroutine = gti_v2_ids_add(&states->goroutines, g);
	if (goroutine == NULL)
		return NULL;
	goroutine->id = g;
	goroutine->status = (uint8_t)status;
	restart(states, &goroutine->sequence);
	return goroutine;
}

/* The regions of GOROUTINE can be used again. */
static void forget_regions(struct states *states, struct goroutine *goroutine)
{
	uint32_t innermost = goroutine->region;
	struct region *region;

	if (innermost == 0)
		return;
	do {
		region = chunks_at(&states->regions, goroutine->region - 1,
				   sizeof(*region));
		goroutine->region = region->outer;
	} while (region->outer != 0);
	region->outer = states->unused_region;
	states->unused_region = innermost;
}

void gti_v2_forget_goroutine(struct states *states, struct goroutine *goroutine)
{
	goroutine->status = GO_ABSENT;
	forget_regions(states, goroutine);
	gti_array_free(&goroutine->ranges, sizeof(struct range),
		       states->memory);
	if (goroutine->threads == 0)
		gti_v2_ids_remove(&states->goroutines, goroutine->id,
				  goroutine);
}

/* ----------------------------------------------------------- processors -- */

static ALWAYS_INLINE enum outcome
proc_start(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor =
		find_processor(states, event->args[0]);

	if (processor == NULL || processor->status != PROC_IDLE ||
	    !follows(states, &processor->sequence, event->args[1]) ||
	    thread->p != NO_PROC)
		return WAITS;
	if (UNLIKELY(thread->m == NO_THREAD))
		return gti_v2_fail_needs(states, thread, event);
	processor->status = PROC_RUNNING;
	processor->sequence.number++;
	hand_out(states, event);
	bind_processor(states, thread, processor);
	return ADVANCED;
}

/* A ProcStop that contradicts what is known. */
static NOINLINE enum outcome fail_proc_stop(const struct states *states,
					    const struct thread *thread,
					    const struct event *event)
{
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return gti_v2_fail(states, event, "processor %" PRId64 " is %s",
			   thread->p,
			   gti_v2_proc_status_name(thread->processor->status));
}

static ALWAYS_INLINE enum outcome
proc_stop(struct states *states, struct thread *thread, struct event *event)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(processor->status != PROC_RUNNING &&
		     processor->status != PROC_SYSCALL))
		return fail_proc_stop(states, thread, event);
	processor->status = PROC_IDLE;
	hand_out(states, event);
	unbind_processor(states, thread);
	return ADVANCED;
}

/* ----------------------------------------------------------- goroutines -- */

/* Whether the thread has a processor, and a goroutine that runs. */
static ALWAYS_INLINE bool runs(const struct thread *thread)
{
	return thread->goroutine->status == GO_RUNNING && thread->p != NO_PROC;
}

/* GoCreate on a thread whose goroutine does not run. */
static NOINLINE bool may_create(const struct states *states,
				const struct thread *thread)
{
	const struct goroutine *current = thread->goroutine;

	/* A damaged trace may have a goroutine whose number means none. */
	if (thread->g == NO_GOROUTINE)
		current = find_goroutine(states, NO_GOROUTINE);
	return thread->p != NO_PROC && !exists(current);
}

static ALWAYS_INLINE enum outcome
go_create(struct states *states, struct thread *thread, struct event *event,
	  enum go_status status)
{
	uint64_t g = event->args[0];

	if (UNLIKELY(!runs(thread)) && !may_create(states, thread))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(exists(find_goroutine(states, g))))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " exists", g);
	if (UNLIKELY(gti_v2_new_goroutine(states, g, status) == NULL))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome
go_start(struct states *states, struct thread *thread, struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_RUNNABLE ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	if (UNLIKELY(thread->p == NO_PROC || thread->g != NO_GOROUTINE))
		return gti_v2_fail_needs(states, thread, event);
	goroutine->status = GO_RUNNING;
	goroutine->sequence.number++;
	hand_out(states, event);
	bind_goroutine(states, thread, goroutine);
	return ADVANCED;
}

/* GoDestroy, GoStop, GoBlock: the goroutine of the thread stops running. */
static ALWAYS_INLINE enum outcome go_leave(struct states *states,
					   struct thread *thread,
					   struct event *event,
					   enum go_status status)
{
	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	thread->goroutine->status = (uint8_t)status;
	hand_out(states, event);
	unbind_goroutine(states, thread);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome go_unblock(struct states *states,
					     struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (UNLIKELY(goroutine == NULL || goroutine->status != GO_WAITING ||
		     !follows(states, &goroutine->sequence, event->args[1])))
		return WAITS;
	goroutine->status = GO_RUNNABLE;
	goroutine->sequence.number++;
	hand_out(states, event);
	return ADVANCED;
}

/* A copy of EVENT, with no arguments and no stack, of another type. */
static struct event *make_event(struct event *made, const struct event *event,
				enum event_type type)
{
	*made = *event;
	made->type = type;
	made->stack = 0;
	made->has_frames = false;
	made->args[0] = 0;
	made->args[1] = 0;
	made->args[2] = 0;
	return made;
}

/*
 * GoSwitch, GoSwitchDestroy: a goroutine unblocks another one, stops running,
 * and the other one starts in its place.
 */
static enum outcome go_switch(struct states *states, struct thread *thread,
			      struct event *event, enum go_status status)
{
	struct goroutine *next;
	struct event *left, *start;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	next = find_goroutine(states, event->args[0]);
	if (UNLIKELY(next == NULL || next->status != GO_WAITING ||
		     !follows(states, &next->sequence, event->args[1])))
		return WAITS;
	hand_out(states, event);
	left = make_event(&states->made[0], event,
			  status == GO_ABSENT ? EV_GO_DESTROY : EV_GO_BLOCK);
	hand_out(states, left);
	thread->goroutine->status = (uint8_t)status;
	unbind_goroutine(states, thread);
	start = make_event(&states->made[1], event, EV_GO_START);
	start->g = NO_GOROUTINE;
	start->args[0] = event->args[0];
	start->args[1] = event->args[1];
	hand_out(states, start);
	next->status = GO_RUNNING;
	next->sequence.number++;
	bind_goroutine(states, thread, next);
	return ADVANCED;
}

/* --------------------------------------------------------- system calls -- */

static ALWAYS_INLINE enum outcome syscall_begin(struct states *states,
						struct thread *thread,
						struct event *event)
{
	struct processor *processor = thread->processor;

	if (UNLIKELY(!runs(thread)))
		return gti_v2_fail_goroutine(states, thread, event, GO_RUNNING);
	if (UNLIKELY(!follows(states, &processor->sequence, event->args[0])))
		return gti_v2_fail(states, event,
				   "it has the number %" PRIu64
				   " on processor %" PRId64
				   ", which does not follow %" PRIu64,
				   event->args[0], thread->p,
				   processor->sequence.number);
	thread->goroutine->status = GO_SYSCALL;
	processor->status = PROC_SYSCALL;
	processor->sequence.number++;
	hand_out(states, event);
	return ADVANCED;
}

static ALWAYS_INLINE enum outcome syscall_end(struct states *states,
					      struct thread *thread,
					      struct event *event)
{
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL ||
		     thread->p == NO_PROC))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	if (UNLIKELY(thread->processor->status != PROC_SYSCALL))
		return gti_v2_fail_processor(states, thread, event);
	thread->goroutine->status = GO_RUNNING;
	thread->processor->status = PROC_RUNNING;
	hand_out(states, event);
	return ADVANCED;
}

/* The thread loses its processor before the goroutine comes back. */
static enum outcome syscall_end_blocked(struct states *states,
					struct thread *thread,
					struct event *event)
{
	if (thread->processor->status == PROC_SYSCALL)
		return WAITS;
	if (UNLIKELY(thread->goroutine->status != GO_SYSCALL))
		return gti_v2_fail_goroutine(states, thread, event, GO_SYSCALL);
	thread->goroutine->status = GO_RUNNABLE;
	hand_out(states, event);
	unbind_goroutine(states, thread);
	return ADVANCED;
}

/* --------------------------------------------------------------- switch -- */

/* Events that change nothing. */
static ALWAYS_INLINE enum outcome note(struct states *states,
				       struct thread *thread,
				       struct event *event, bool has_needs)
{
	if (UNLIKELY(!has_needs))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	return ADVANCED;
}

enum outcome gti_v2_states_try(struct states *states, struct cursor *cursor)
{
	struct thread *thread = cursor->thread;
	struct event *event = cursor_present(cursor);

	thread->known = true;
	event->m = thread->m;
	event->p = thread->p;
	event->g = thread->g;
	states->queued = 0;
	switch (event->type) {
	case EV_PROC_START:
		return proc_start(states, thread, event);
	case EV_PROC_STOP:
		return proc_stop(states, thread, event);
	case EV_GO_CREATE:
		return go_create(states, thread, event, GO_RUNNABLE);
	case EV_GO_CREATE_BLOCKED:
		return go_create(states, thread, event, GO_WAITING);
	case EV_GO_START:
		return go_start(states, thread, event);
	case EV_GO_DESTROY:
		return go_leave(states, thread, event, GO_ABSENT);
	case EV_GO_STOP:
		return go_leave(states, thread, event, GO_RUNNABLE);
	case EV_GO_BLOCK:
		return go_leave(states, thread, event, GO_WAITING);
	case EV_GO_UNBLOCK:
		return go_unblock(states, event);
	case EV_GO_SWITCH:
		return go_switch(states, thread, event, GO_WAITING);
	case EV_GO_SWITCH_DESTROY:
		return go_switch(states, thread, event, GO_ABSENT);
	case EV_GO_SYSCALL_BEGIN:
		return syscall_begin(states, thread, event);
	case EV_GO_SYSCALL_END:
		return syscall_end(states, thread, event);
	case EV_GO_SYSCALL_END_BLOCKED:
		return syscall_end_blocked(states, thread, event);
	case EV_HEAP_ALLOC:
	case EV_HEAP_GOAL:
		return note(states, thread, event, thread->p != NO_PROC);
	case EV_PROCS_CHANGE:
	case EV_GO_LABEL:
	case EV_USER_LOG:
		return note(states, thread, event,
			    thread->p != NO_PROC && thread->g != NO_GOROUTINE);
	case EV_SPAN:
	case EV_SPAN_ALLOC:
	case EV_SPAN_FREE:
	case EV_HEAP_OBJECT:
	case EV_HEAP_OBJECT_ALLOC:
	case EV_HEAP_OBJECT_FREE:
	case EV_GOROUTINE_STACK:
	case EV_GOROUTINE_STACK_ALLOC:
	case EV_GOROUTINE_STACK_FREE:
		return note(states, thread, event, thread->m != NO_THREAD);
	default:
		return gti_v2_states_try_rare(states, thread, event);
	}
}
