/* SPDX-License-Identifier: BSD-3-Clause */
/* steps_rare.c - the steps of the other events. */
#include <inttypes.h>
#include <string.h>

#include "base/leb128.h"
#include "v2/steps.h"

/* Only the low 8 bits of a status in the file count. */
#define STATUS_MASK 255

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

/*
 * A thread that has PROCESSOR. In damaged traces several can have it; the
 * reference takes any of them then.
 */
static struct thread *thread_with(const struct states *states,
					struct processor *processor)
{
	struct thread *thread = processor->thread;
	uint32_t i;

	if (thread != NULL && thread->p == processor->id)
		return thread;
	for (i = 0; i < states->threads.used; i++) {
		thread = gti_v2_ids_at(&states->threads, i);
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
	return change(states, thread, event);
}

static enum outcome proc_status(struct states *states, struct thread *thread,
				struct event *event)
{
	unsigned status = event->args[1] & STATUS_MASK;
	struct processor *processor = find_processor(states, event->args[0]);

	if (status >= PROC_STATUSES)
		return gti_v2_fail(states, event, "processor %" PRId64
				   " has the unknown status %u",
				   (int64_t)event->args[0], status);
	if (processor == NULL) {
		processor = gti_v2_ids_add(&states->processors, event->args[0]);
		if (processor == NULL)
			return gti_v2_fail_memory(states);
		processor->id = (int64_t)event->args[0];
		processor->status = (uint8_t)status;
	} else if (status == PROC_SYSCALL_ABANDONED &&
		   processor->status == PROC_SYSCALL) {
		restart(states, &processor->sequence);
		return promote_abandoned(states, processor, event);
	} else if (processor->status != status) {
		return gti_v2_fail(
			states, event, "processor %" PRId64 " is %s, not %s",
			processor->id,
			gti_v2_proc_status_name(processor->status),
			gti_v2_proc_status_name(status));
	}
	restart(states, &processor->sequence);
	hand_out(states, event);
	if (thread->m != NO_THREAD &&
	    (status == PROC_RUNNING || status == PROC_SYSCALL))
		bind_processor(states, thread, processor);
	return change(states, thread, event);
}

/*
 * A goroutine in a system call, by an event of its own thread or of another
 * one, which may not have been seen yet.
 */
static enum outcome status_syscall(struct states *states, struct thread *thread,
				   struct goroutine *goroutine,
				   struct event *event)
{
	int64_t m = (int64_t)event->args[1];
	struct thread *other;

	if (m == NO_THREAD)
		return gti_v2_fail(states, event, "goroutine %" PRIu64
				   " is in a system call on no thread",
				   goroutine->id);
	if (m == thread->m) {
		if (!states->is_first && thread->g != goroutine->id)
			return gti_v2_fail(
				states, event, "goroutine %" PRIu64
				" is in a system call on a thread with "
				"goroutine %" PRId64,
				goroutine->id, (int64_t)thread->g);
		hand_out(states, event);
		bind_goroutine(states, thread, goroutine);
		return change(states, thread, event);
	}
	other = gti_v2_states_thread(states, m);
	if (other == NULL)
		return gti_v2_fail_memory(states);
	if (other->known && other->g != goroutine->id)
		return gti_v2_fail(states, event, "goroutine %" PRIu64
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
	return change(states, other, event);
}

static enum outcome go_status(struct states *states, struct thread *thread,
			      struct event *event)
{
	uint64_t g = event->args[0];
	unsigned status = event->args[2] & STATUS_MASK;
	struct goroutine *goroutine = find_goroutine(states, g);

	if (status >= GO_STATUSES)
		return gti_v2_fail(states, event, "goroutine %" PRIu64
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
		goroutine = gti_v2_new_goroutine(states, g,
						 (enum go_status)status);
		if (goroutine == NULL)
			return gti_v2_fail_memory(states);
	}
	restart(states, &goroutine->sequence);
	if (status == GO_SYSCALL)
		return status_syscall(states, thread, goroutine, event);
	hand_out(states, event);
	if (status == GO_RUNNING && thread->m != NO_THREAD)
		bind_goroutine(states, thread, goroutine);
	return change(states, thread, event);
}

/* ----------------------------------------------- processors, system calls -- */

static enum outcome proc_steal(struct states *states, struct thread *thread,
			       struct event *event)
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
	return change(states, victim, event);
}

static enum outcome create_syscall(struct states *states, struct thread *thread,
				   struct event *event)
{
	uint64_t g = event->args[0];
	struct goroutine *goroutine;

	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (exists(find_goroutine(states, g)))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " exists", g);
	goroutine = gti_v2_new_goroutine(states, g, GO_SYSCALL);
	if (goroutine == NULL)
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	bind_goroutine(states, thread, goroutine);
	set_pending(states, goroutine, event, origin_none, true);
	if (change(states, thread, event) != ADVANCED)
		return FAILED;
	/* If it starts a slice, it links to the end of that. */
	if (thread->slice.start.ordinal == event->ordinal)
		goroutine->pending.ordinal = 0;
	return ADVANCED;
}

/* The thread gives up its processor first, if it has one. */
static enum outcome destroy_syscall(struct states *states,
				    struct thread *thread, struct event *event)
{
	struct goroutine *goroutine = thread->goroutine;

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
		unbind_processor(states, thread);
		if (!gti_v2_change_slice(states, thread, event))
			return gti_v2_fail_memory(states);
		states->count = 2;
		event++;
	}
	hand_out(states, event);
	if (goroutine->pending.type == EV_GO_CREATE_SYSCALL)
		take_pending(states, goroutine, event, true);
	goroutine->status = GO_ABSENT;
	unbind_goroutine(states, thread);
	return ADVANCED;
}

/* ---------------------------------------------------------------- ranges -- */

static struct range *find_range(const struct goroutine *goroutine, bool assist,
				const uint64_t *kind)
{
	struct range *range = goroutine->ranges.items;
	size_t i;

	for (i = 0; i < goroutine->ranges.count; i++, range++)
		if (range->assist == assist &&
		    (kind == NULL || range->kind == *kind))
			return range;
	return NULL;
}

static bool add_range(struct states *states, struct goroutine *goroutine,
		      bool assist, uint64_t kind)
{
	struct range *range;

	if (!gti_array_reserve(&goroutine->ranges, sizeof(*range),
			       states->memory))
		return false;
	range = (struct range *)goroutine->ranges.items +
		goroutine->ranges.count++;
	*range = (struct range){.kind = kind, .assist = assist};
	return true;
}

/* A stop of the world or a mark assist begins or ends. */
static enum outcome go_range(struct states *states, struct thread *thread,
			     struct event *event, bool assist, bool begins)
{
	struct goroutine *goroutine = thread->goroutine;
	uint64_t kind = assist ? 0 : event->args[0];
	struct range *range, *last;
	waiting_links *waiting;

	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	range = find_range(goroutine, assist, begins ? &kind : NULL);
	if (begins && range != NULL)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " is in one already",
				   thread->g);
	if (!begins && range == NULL)
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " is in none",
				   thread->g);
	if (begins && !add_range(states, goroutine, assist, kind))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	waiting = assist ? &goroutine->assist : &goroutine->stop;
	if (begins) {
		gti_v2_link_later(states, waiting, event);
	} else {
		last = (struct range *)goroutine->ranges.items +
		       --goroutine->ranges.count;
		*range = *last;
		gti_v2_link_now(states, waiting, event->ordinal);
	}
	return ADVANCED;
}

static enum outcome assist_active(struct states *states, struct event *event)
{
	struct goroutine *goroutine = find_goroutine(states, event->args[0]);

	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   event->args[0]);
	if ((find_range(goroutine, true, NULL) != NULL) == states->is_first)
		return gti_v2_fail(states, event, "goroutine %" PRIu64 " is %s",
				   event->args[0],
				   states->is_first ? "in one already"
						    : "in none");
	if (states->is_first && !add_range(states, goroutine, true, 0))
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	gti_v2_link_later(states, &goroutine->assist, event);
	return ADVANCED;
}

static enum outcome sweep(struct states *states, struct thread *thread,
			  struct event *event, bool begins)
{
	struct processor *processor = thread->processor;

	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (processor->sweeps == begins)
		return gti_v2_fail(states, event, "processor %" PRId64 " %s",
				   thread->p,
				   begins ? "sweeps already" : "does not sweep");
	processor->sweeps = begins;
	hand_out(states, event);
	if (begins)
		gti_v2_link_later(states, &processor->sweep, event);
	else
		gti_v2_link_now(states, &processor->sweep, event->ordinal);
	return ADVANCED;
}

static enum outcome sweep_active(struct states *states, struct event *event)
{
	struct processor *processor = find_processor(states, event->args[0]);

	if (processor == NULL)
		return gti_v2_fail(states, event,
				   "there is no processor %" PRId64,
				   (int64_t)event->args[0]);
	if (processor->sweeps == states->is_first)
		return gti_v2_fail(states, event, "processor %" PRId64 " %s",
				   processor->id,
				   states->is_first ? "sweeps already"
						    : "does not sweep");
	processor->sweeps = true;
	hand_out(states, event);
	gti_v2_link_later(states, &processor->sweep, event);
	return ADVANCED;
}

/* ------------------------------------------------------------- collector -- */

static enum outcome set_collector(struct states *states, struct event *event,
				  enum collector_state state)
{
	states->collections = event->args[0];
	states->collector = state;
	hand_out(states, event);
	if (state == COLLECTOR_ON)
		gti_v2_link_later(states, &states->collection, event);
	else
		gti_v2_link_now(states, &states->collection, event->ordinal);
	return ADVANCED;
}

/* A GC event whose number must follow, in the state WANTED. */
static enum outcome collect(struct states *states, struct thread *thread,
			    struct event *event, enum collector_state wanted,
			    enum collector_state next)
{
	if (event->args[0] != states->collections + 1)
		return WAITS;
	if (states->collector != wanted)
		return gti_v2_fail(states, event, "the collector is %s",
				   states->collector == COLLECTOR_UNKNOWN
					   ? "in no known state"
				   : states->collector == COLLECTOR_ON ? "on"
								       : "off");
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return set_collector(states, event, next);
}

static enum outcome gc_active(struct states *states, struct thread *thread,
			      struct event *event)
{
	if (!states->is_first)
		return collect(states, thread, event, COLLECTOR_ON,
			       COLLECTOR_ON);
	if (states->collector != COLLECTOR_UNKNOWN)
		return gti_v2_fail(states, event,
				   "it is not the first event of the collector "
				   "in the first generation");
	return set_collector(states, event, COLLECTOR_ON);
}

static enum outcome gc_begin(struct states *states, struct thread *thread,
			     struct event *event)
{
	if (states->collector == COLLECTOR_UNKNOWN)
		return set_collector(states, event, COLLECTOR_ON);
	return collect(states, thread, event, COLLECTOR_OFF, COLLECTOR_ON);
}

/* ------------------------------------------------------ tasks and regions -- */

static enum outcome task_begin(struct states *states, struct thread *thread,
			       struct event *event)
{
	uint64_t *task = gti_map_put(&states->tasks, event->args[0],
				     states->memory);

	if (task == NULL)
		return gti_v2_fail_memory(states);
	if (*task != 0)
		return gti_v2_fail(states, event,
				   "task %" PRIu64 " is active already",
				   event->args[0]);
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	*task = event->ordinal;
	return ADVANCED;
}

/* EVENT ends what began with the event BEGIN. */
static void link_begin(const struct states *states, uint64_t begin,
		       const struct event *event)
{
	if (!states->withheld)
		observe_link(states->observer, begin, event->ordinal);
}

static enum outcome task_end(struct states *states, struct thread *thread,
			     struct event *event)
{
	const uint64_t *task;

	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	task = gti_map_get(&states->tasks, event->args[0]);
	if (task == NULL)
		return ADVANCED;
	link_begin(states, *task, event);
	gti_map_delete(&states->tasks, event->args[0]);
	return ADVANCED;
}

/* Whether two strings, known by their offsets, have the same text. */
static bool same_text(const struct states *states, uint64_t a, uint64_t b)
{
	const struct source *source = states->generation->source;
	const uint8_t *end = source->data + source->size;
	const uint8_t *at_a = source->data + a, *at_b = source->data + b;
	uint64_t size_a = 0, size_b = 0;

	if (a == b)
		return true;
	if (a != 0 && leb128_read(&at_a, end, &size_a) != LEB128_GOOD)
		return false;
	if (b != 0 && leb128_read(&at_b, end, &size_b) != LEB128_GOOD)
		return false;
	return size_a == size_b && size_a <= (uint64_t)(end - at_a) &&
	       size_b <= (uint64_t)(end - at_b) &&
	       memcmp(at_a, at_b, size_a) == 0;
}

static struct region *region_at(const struct states *states, uint32_t number)
{
	return chunks_at(&states->regions, number - 1, sizeof(struct region));
}

/* Number of an unused region, or 0 if there is no memory. */
static uint32_t new_region(struct states *states)
{
	uint32_t number = states->unused_region;

	if (number != 0) {
		states->unused_region = region_at(states, number)->outer;
		return number;
	}
	if (states->regions_used == states->regions.count &&
	    !gti_chunks_reserve(&states->regions, states->regions_used,
				states->memory))
		return 0;
	return ++states->regions_used;
}

/* NAME is the offset of a string. */
static enum outcome begin_region(struct states *states,
				 struct goroutine *goroutine,
				 struct event *event, uint64_t name)
{
	uint32_t number = new_region(states);

	if (number == 0)
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	*region_at(states, number) = (struct region){
		.task = event->args[0],
		.name = name,
		.begin = event->ordinal,
		.outer = goroutine->region,
	};
	goroutine->region = number;
	return ADVANCED;
}

static enum outcome end_region(struct states *states,
			       struct goroutine *goroutine,
			       struct event *event, uint64_t name)
{
	uint32_t number = goroutine->region;
	struct region *innermost;

	if (number == 0) { /* it began before the trace did */
		hand_out(states, event);
		return ADVANCED;
	}
	innermost = region_at(states, number);
	if (innermost->task != event->args[0] ||
	    !same_text(states, innermost->name, name))
		return gti_v2_fail(states, event,
				   "the innermost region of goroutine %" PRIu64
				   " is another one",
				   goroutine->id);
	hand_out(states, event);
	link_begin(states, innermost->begin, event);
	goroutine->region = innermost->outer;
	innermost->outer = states->unused_region;
	states->unused_region = number;
	return ADVANCED;
}

static enum outcome region(struct states *states, struct thread *thread,
			   struct event *event, bool begins)
{
	struct goroutine *goroutine = thread->goroutine;
	uint64_t name = dictionary_get(&states->generation->strings,
				       event->args[1]);

	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (event->args[1] != 0 && name == 0)
		return gti_v2_fail(states, event,
				   "there is no string %" PRIu64,
				   event->args[1]);
	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	return begins ? begin_region(states, goroutine, event, name)
		      : end_region(states, goroutine, event, name);
}

/* Events that change nothing. */
static enum outcome note(struct states *states, struct thread *thread,
			 struct event *event)
{
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	return ADVANCED;
}

/* --------------------------------------------------------------- switch -- */

enum outcome gti_v2_step_rare(struct states *states,
				    struct thread *thread, struct event *event)
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
	case EV_STW_BEGIN:
		return go_range(states, thread, event, false, true);
	case EV_STW_END:
		return go_range(states, thread, event, false, false);
	case EV_GC_MARK_ASSIST_BEGIN:
		return go_range(states, thread, event, true, true);
	case EV_GC_MARK_ASSIST_END:
		return go_range(states, thread, event, true, false);
	case EV_GC_MARK_ASSIST_ACTIVE:
		return assist_active(states, event);
	case EV_GC_SWEEP_BEGIN:
		return sweep(states, thread, event, true);
	case EV_GC_SWEEP_END:
		return sweep(states, thread, event, false);
	case EV_GC_SWEEP_ACTIVE:
		return sweep_active(states, event);
	case EV_GC_ACTIVE:
		return gc_active(states, thread, event);
	case EV_GC_BEGIN:
		return gc_begin(states, thread, event);
	case EV_GC_END:
		return collect(states, thread, event, COLLECTOR_ON,
			       COLLECTOR_OFF);
	case EV_USER_TASK_BEGIN:
		return task_begin(states, thread, event);
	case EV_USER_TASK_END:
		return task_end(states, thread, event);
	case EV_USER_REGION_BEGIN:
		return region(states, thread, event, true);
	case EV_USER_REGION_END:
		return region(states, thread, event, false);
	case EV_GO_CREATE_BLOCKED:
		return go_create(states, thread, event, GO_WAITING, true);
	case EV_GO_SWITCH_DESTROY:
		return go_switch(states, thread, event, GO_ABSENT, true);
	case EV_CLOCK_SNAPSHOT:
		return gti_v2_fail(states, event,
				   "no thread writes this event");
	default:
		return note(states, thread, event);
	}
}
