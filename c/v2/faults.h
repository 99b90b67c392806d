/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - what is wrong with an event that contradicts those before it. */
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
 * Whether THREAD, whose goroutine does not run, may create one: it has a
 * processor, and its goroutine does not exist.
 */
bool gti_v2_may_create(const struct states *states,
		       const struct thread *thread);

const char *gti_v2_proc_status_name(unsigned status);
const char *gti_v2_go_status_name(unsigned status);

/* Whether THREAD has what events of TYPE need. */
bool gti_v2_has_needs(const struct thread *thread, unsigned type);

#endif /* GTRACE_V2_FAULTS_H_ */
