/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.h - threads beside those of the caller, and processors for them. */
#ifndef GTRACE_BASE_THREADS_H_
#define GTRACE_BASE_THREADS_H_

#include "base/platform.h"

/* Those that are online; 1 if that is not known, or if there are no threads. */
long gti_processors_online(void);

#if HAS_THREADS
#include <pthread.h>

/*
 * Starts RUN, with CONTEXT, in a thread that takes no signals but those that it
 * causes: the others are for the caller's threads. Where a pipe has no reader
 * any more, write() fails. Returns 0, or the errno code.
 */
int gti_thread_start(pthread_t *thread, void *(*run)(void *context),
		     void *context);
#endif

#endif /* GTRACE_BASE_THREADS_H_ */
