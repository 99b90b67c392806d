/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - messages about events that contradict those before them. */
#include "v2/faults.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/fail.h"

enum outcome gti_v2_fail(const struct states *states, const struct event *event,
			 const char *format, ...)
{
	char text[GTRACE_MESSAGE_SIZE / 2];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	gti_fail(states->error, GTRACE_ERROR_STATE, event->offset,
		 "%s of thread %" PRId64 ": %s", gti_v2_lines[event->type].name,
		 event->m, text);
	return FAILED;
}

enum outcome gti_v2_fail_memory(const struct states *states)
{
	gti_fail_memory(states->error);
	return FAILED;
}

const struct needs gti_v2_needs[] = {
	[NEEDS_NOTHING] = {0, 0},
	[NEEDS_M] = {HAS_M, HAS_M},
	[NEEDS_M_P] = {HAS_M | HAS_P, HAS_M | HAS_P},
	[NEEDS_M_P_G] = {HAS_M | HAS_P | HAS_G, HAS_M | HAS_P | HAS_G},
	[NEEDS_M_NO_P] = {HAS_M | HAS_P, HAS_M},
	[NEEDS_M_P_NO_G] = {HAS_M | HAS_P | HAS_G, HAS_M | HAS_P},
	[NEEDS_M_NO_G] = {HAS_M | HAS_G, HAS_M},
	[NEEDS_M_G] = {HAS_M | HAS_G, HAS_M | HAS_G},
};

/* The first need that is not met, in words. */
static const char *unmet(const struct thread *thread, unsigned type)
{
	const struct needs *needs = &gti_v2_needs[gti_v2_lines[type].needs];
	unsigned has = has_bits(thread);
	unsigned wrong = (has & needs->looked_at) ^ needs->wanted;

	if ((wrong & HAS_M) != 0)
		return "it is not bound to a thread";
	if ((wrong & HAS_P) != 0)
		return (has & HAS_P) != 0 ? "the thread has a processor"
					  : "the thread has no processor";
	if ((wrong & HAS_G) != 0)
		return (has & HAS_G) != 0 ? "the thread has a goroutine"
					  : "the thread has no goroutine";
	return "its preconditions are not met";
}

enum outcome gti_v2_fail_needs(const struct states *states,
			       const struct thread *thread,
			       const struct event *event)
{
	return gti_v2_fail(states, event, "%s", unmet(thread, event->type));
}

/*
 * The goroutine that the number of that of THREAD names. A damaged trace may
 * have one whose number means none.
 */
static const struct goroutine *current(const struct states *states,
				       const struct thread *thread)
{
	return thread->g == NO_GOROUTINE ? find_goroutine(states, NO_GOROUTINE)
					 : thread->goroutine;
}

enum outcome gti_v2_fail_goroutine(const struct states *states,
				   const struct thread *thread,
				   const struct event *event,
				   enum go_status wanted)
{
	const struct goroutine *goroutine = current(states, thread);

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	return gti_v2_fail(states, event, "goroutine %" PRIu64 " is %s, not %s",
			   thread->g, gti_v2_go_status_name(goroutine->status),
			   gti_v2_go_status_name(wanted));
}

enum outcome gti_v2_fail_processor(const struct states *states,
				   const struct thread *thread,
				   const struct event *event)
{
	return gti_v2_fail(states, event,
			   "processor %" PRId64 " is %s, not in a system call",
			   thread->p,
			   gti_v2_proc_status_name(thread->processor->status));
}

enum outcome gti_v2_fail_proc_stop(const struct states *states,
				   const struct thread *thread,
				   const struct event *event)
{
	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return gti_v2_fail(states, event, "processor %" PRId64 " is %s",
			   thread->p,
			   gti_v2_proc_status_name(thread->processor->status));
}

bool gti_v2_may_create(const struct states *states, const struct thread *thread)
{
	const struct goroutine *goroutine = current(states, thread);

	return thread->p != NO_PROC &&
	       (!exists(goroutine) || goroutine->status == GO_RUNNING);
}

const char *gti_v2_proc_status_name(unsigned status)
{
	static const char *const names[] = {
		[PROC_BAD] = "in no status",
		[PROC_RUNNING] = "running",
		[PROC_IDLE] = "idle",
		[PROC_SYSCALL] = "in a system call",
		[PROC_SYSCALL_ABANDONED] = "abandoned in a system call",
	};

	return status < PROC_STATUSES ? names[status] : "absent";
}

const char *gti_v2_go_status_name(unsigned status)
{
	static const char *const names[] = {
		[GO_BAD] = "in no status", [GO_RUNNABLE] = "runnable",
		[GO_RUNNING] = "running",  [GO_SYSCALL] = "in a system call",
		[GO_WAITING] = "waiting",
	};

	return status < GO_STATUSES ? names[status] : "absent";
}
