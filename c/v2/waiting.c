/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c - the cursors whose present event waits. */
#include "v2/waiting.h"

#include <string.h>

/* The end of a list. */
#define LIST_END UINT32_MAX

/* What an event can wait for. */
enum awaited {
	AWAITS_RUNNABLE, /* a goroutine, with a number */
	AWAITS_WAITING,
	AWAITS_IDLE, /* a processor, with a number */
	AWAITS_SYSCALL,
	AWAITS_RETURN, /* a processor that is in no system call */
	AWAITS_LOSS,   /* a thread that has lost its processor */
	AWAITS_COLLECTION,
};

/* ------------------------------------------------------------ the table -- */

bool gti_v2_waiting_reserve(struct waiting *waiting, size_t count,
			    const struct gtrace_allocator *memory)
{
	uint32_t lists = 1;

	if (count > waiting->capacity) {
		gti_v2_waiting_free(waiting, memory);
		while (lists < count)
			lists *= 2;
		waiting->capacity = count;
		waiting->mask = lists - 1;
		waiting->secret = gti_new_secret();
		waiting->lists =
			gti_allocate_zeroed(memory, lists, sizeof(uint32_t));
		waiting->keys =
			gti_allocate_zeroed(memory, count, sizeof(uint64_t));
		waiting->next =
			gti_allocate_zeroed(memory, count, sizeof(uint32_t));
		if (waiting->lists == NULL || waiting->keys == NULL ||
		    waiting->next == NULL)
			return false;
	}
	if (count != 0)
		gti_v2_waiting_clear(waiting);
	return true;
}

void gti_v2_waiting_free(struct waiting *waiting,
			 const struct gtrace_allocator *memory)
{
	size_t lists = (size_t)waiting->mask + 1, count = waiting->capacity;

	gti_release(memory, waiting->lists, lists * sizeof(*waiting->lists));
	gti_release(memory, waiting->keys, count * sizeof(*waiting->keys));
	gti_release(memory, waiting->next, count * sizeof(*waiting->next));
	*waiting = (struct waiting){.capacity = 0};
}

void gti_v2_waiting_clear(struct waiting *waiting)
{
	memset(waiting->lists, UINT8_MAX,
	       ((size_t)waiting->mask + 1) * sizeof(*waiting->lists));
	memset(waiting->next, 0, waiting->capacity * sizeof(*waiting->next));
	waiting->count = 0;
}

/*
 * What differs may have one key, rarely: a cursor is then tried once more than
 * it has to be.
 */
static uint64_t key_of(const struct waiting *waiting, enum awaited awaited,
		       uint64_t id, uint64_t number)
{
	uint64_t key = hash_key(id, waiting->secret);

	key = hash_key(key + number, waiting->secret);
	return hash_key(key + awaited, waiting->secret);
}

/* --------------------------------------------------------------- waiting -- */

static uint64_t key_awaited(const struct waiting *waiting,
			    const struct thread *thread,
			    const struct event *event)
{
	uint64_t id = event->args[0], number = event->args[1];

	switch (event->type) {
	case EV_GO_START:
		return key_of(waiting, AWAITS_RUNNABLE, id, number);
	case EV_PROC_START:
		if (thread->p != NO_PROC)
			return key_of(waiting, AWAITS_LOSS, (uint64_t)thread->m,
				      0);
		return key_of(waiting, AWAITS_IDLE, id, number);
	case EV_PROC_STEAL:
		return key_of(waiting, AWAITS_SYSCALL, id, number);
	case EV_GO_SYSCALL_END_BLOCKED:
		return key_of(waiting, AWAITS_RETURN, (uint64_t)thread->p, 0);
	case EV_GC_ACTIVE:
	case EV_GC_BEGIN:
	case EV_GC_END:
		return key_of(waiting, AWAITS_COLLECTION, 0, id);
	default: /* GoUnblock, GoSwitch, GoSwitchDestroy */
		return key_of(waiting, AWAITS_WAITING, id, number);
	}
}

void gti_v2_waiting_add(struct waiting *waiting, uint32_t number,
			const struct thread *thread, const struct event *event)
{
	uint64_t key = key_awaited(waiting, thread, event);
	uint32_t *list = &waiting->lists[key & waiting->mask];

	waiting->keys[number] = key;
	waiting->next[number] = *list;
	*list = number + 1;
	waiting->count++;
}

/* ---------------------------------------------------------------- waking -- */

/* Who is told of cursors that are ready. */
struct waking {
	struct waiting *waiting;
	const struct states *states;
	void (*ready)(void *context, uint32_t number);
	void *context;
};

static void wake(const struct waking *waking, enum awaited awaited, uint64_t id,
		 uint64_t number)
{
	struct waiting *waiting = waking->waiting;
	uint64_t key = key_of(waiting, awaited, id, number);
	uint32_t *link = &waiting->lists[key & waiting->mask];

	while (*link != LIST_END) {
		uint32_t cursor = *link - 1;

		if (waiting->keys[cursor] != key) {
			link = &waiting->next[cursor];
			continue;
		}
		*link = waiting->next[cursor];
		waiting->next[cursor] = 0;
		waiting->count--;
		waking->ready(waking->context, cursor);
	}
}

static void wake_for_goroutine(const struct waking *waking, uint64_t g)
{
	const struct goroutine *goroutine = find_goroutine(waking->states, g);

	if (goroutine == NULL)
		return;
	if (goroutine->status == GO_RUNNABLE)
		wake(waking, AWAITS_RUNNABLE, g,
		     goroutine->sequence.number + 1);
	if (goroutine->status == GO_WAITING)
		wake(waking, AWAITS_WAITING, g, goroutine->sequence.number + 1);
}

static void wake_for_processor(const struct waking *waking, uint64_t p)
{
	const struct processor *processor = find_processor(waking->states, p);

	if (processor == NULL)
		return;
	if (processor->status == PROC_IDLE)
		wake(waking, AWAITS_IDLE, p, processor->sequence.number + 1);
	if (processor->status == PROC_SYSCALL ||
	    processor->status == PROC_SYSCALL_ABANDONED)
		wake(waking, AWAITS_SYSCALL, p, processor->sequence.number + 1);
	if (processor->status != PROC_SYSCALL)
		wake(waking, AWAITS_RETURN, p, 0);
}

/*
 * Whether a thread other than that of EVENT may have lost the ability to run,
 * so that an event of it is in error now, and does not wait any more. Only in
 * damaged traces.
 */
static bool changes_others(const struct states *states,
			   const struct event *event)
{
	const struct thread *victim;

	if (event->type != EV_PROC_STEAL)
		return false;
	victim = ids_find(&states->threads, event->args[2]);
	return victim != NULL && victim->goroutine->status == GO_RUNNING;
}

void gti_v2_waiting_wake(struct waiting *waiting, const struct states *states,
			 const struct thread *thread,
			 const struct touched *before,
			 void (*ready)(void *context, uint32_t number),
			 void *context)
{
	struct waking waking = {waiting, states, ready, context};
	const struct event *event = &states->events[0];

	if (waiting->count == 0)
		return;
	if (before->shared || changes_others(states, event)) {
		gti_v2_waiting_clear(waiting);
		ready(context, UINT32_MAX);
		return;
	}
	wake_for_goroutine(&waking, event->args[0]);
	wake_for_goroutine(&waking, before->g);
	wake_for_goroutine(&waking, thread->g);
	wake_for_processor(&waking, event->args[0]);
	wake_for_processor(&waking, (uint64_t)before->p);
	wake_for_processor(&waking, (uint64_t)thread->p);
	wake(&waking, AWAITS_COLLECTION, 0, states->collections + 1);
	if (event->type == EV_PROC_STEAL)
		wake(&waking, AWAITS_LOSS, event->args[2], 0);
}
