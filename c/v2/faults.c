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

/* What THREAD must have before an event: YES, NO, or either. */
enum need { EITHER, YES, NO };

static const struct {
	enum need m, p, g;
} needs[] = {
	[NEEDS_NOTHING] = {EITHER, EITHER, EITHER},
	[NEEDS_M] = {YES, EITHER, EITHER},
	[NEEDS_M_P] = {YES, YES, EITHER},
	[NEEDS_M_P_G] = {YES, YES, YES},
	[NEEDS_M_NO_P] = {YES, NO, EITHER},
	[NEEDS_M_P_NO_G] = {YES, YES, NO},
	[NEEDS_M_NO_G] = {YES, EITHER, NO},
	[NEEDS_M_G] = {YES, EITHER, YES},
};

static bool is_met(enum need need, bool has)
{
	return need == EITHER || (need == YES) == has;
}

/* The first need that is not met, in words, or NULL. */
static const char *unmet(const struct thread *thread, unsigned type)
{
	unsigned i = gti_v2_lines[type].needs;
	bool has_p = thread->p != NO_PROC, has_g = thread->g != NO_GOROUTINE;

	if (!is_met(needs[i].m, thread->m != NO_THREAD))
		return "it is not bound to a thread";
	if (!is_met(needs[i].p, has_p))
		return has_p ? "the thread has a processor"
			     : "the thread has no processor";
	if (!is_met(needs[i].g, has_g))
		return has_g ? "the thread has a goroutine"
			     : "the thread has no goroutine";
	return NULL;
}

bool gti_v2_has_needs(const struct thread *thread, unsigned type)
{
	return unmet(thread, type) == NULL;
}

enum outcome gti_v2_fail_needs(const struct states *states,
			       const struct thread *thread,
			       const struct event *event)
{
	const char *what = unmet(thread, event->type);

	return gti_v2_fail(states, event, "%s",
			   what != NULL ? what : "its preconditions are unmet");
}

enum outcome gti_v2_fail_goroutine(const struct states *states,
				   const struct thread *thread,
				   const struct event *event,
				   enum go_status wanted)
{
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (!exists(thread->goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	return gti_v2_fail(states, event, "goroutine %" PRIu64 " is %s, not %s",
			   thread->g,
			   gti_v2_go_status_name(thread->goroutine->status),
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
	if (!gti_v2_has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	return gti_v2_fail(states, event, "processor %" PRId64 " is %s",
			   thread->p,
			   gti_v2_proc_status_name(thread->processor->status));
}

bool gti_v2_may_create(const struct states *states, const struct thread *thread)
{
	const struct goroutine *current = thread->goroutine;

	/* A damaged trace may have a goroutine whose number means none. */
	if (thread->g == NO_GOROUTINE)
		current = find_goroutine(states, NO_GOROUTINE);
	return thread->p != NO_PROC && !exists(current);
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
