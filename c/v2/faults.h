/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - messages about events that contradict those before them. */
#ifndef GTRACE_V2_FAULTS_H_
#define GTRACE_V2_FAULTS_H_

#include "v2/states.h"

/*
 * Each fills states->error with what is wrong with EVENT of THREAD, and
 * returns FAILED.
 */

/* The message is the name of the event and then what FORMAT says. */
enum outcome gti_v2_fail(const struct states *states, const struct event *event,
			 const char *format, ...) PRINTF_LIKE(3, 4);

enum outcome gti_v2_fail_memory(const struct states *states);

/* The thread lacks what the event needs, or has what it must not have. */
enum outcome gti_v2_fail_needs(const struct states *states,
			       const struct thread *thread,
			       const struct event *event);

/*
 * The thread lacks what the event needs, or its goroutine does not exist or
 * does not have the status WANTED.
 */
enum outcome gti_v2_fail_goroutine(const struct states *states,
				   const struct thread *thread,
				   const struct event *event,
				   enum go_status wanted);

/* Processor P, of the thread, is not in a system call. */
enum outcome gti_v2_fail_processor(const struct states *states,
				   const struct thread *thread,
				   const struct event *event);

/* The processor of the thread neither runs nor is in a system call. */
enum outcome gti_v2_fail_proc_stop(const struct states *states,
				   const struct thread *thread,
				   const struct event *event);

/*
 * Whether THREAD, which has no goroutine that runs, may create one: it has a
 * processor, and the goroutine that its number names does not exist, or runs.
 */
bool gti_v2_may_create(const struct states *states,
		       const struct thread *thread);

const char *gti_v2_proc_status_name(unsigned status);
const char *gti_v2_go_status_name(unsigned status);

/* What a thread has, and what it must have and must not have, as bits. */
#define HAS_M 1
#define HAS_P 2
#define HAS_G 4

struct needs {
	uint8_t looked_at;
	uint8_t wanted;
};

extern const struct needs gti_v2_needs[];

static inline unsigned has_bits(const struct thread *thread)
{
	return (thread->m != NO_THREAD ? HAS_M : 0u) |
	       (thread->p != NO_PROC ? HAS_P : 0u) |
	       (thread->g != NO_GOROUTINE ? HAS_G : 0u);
}

/* Whether THREAD has what events of TYPE need. */
static inline bool has_needs(const struct thread *thread, unsigned type)
{
	const struct needs *needs = &gti_v2_needs[gti_v2_lines[type].needs];

	return (has_bits(thread) & needs->looked_at) == needs->wanted;
}

#endif /* GTRACE_V2_FAULTS_H_ */
