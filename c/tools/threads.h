/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.h - threads beside those that read traces. */
#ifndef GTRACE_TOOLS_THREADS_H_
#define GTRACE_TOOLS_THREADS_H_

#include "base/platform.h"

#if HAS_THREADS && HAS_SIGNALS
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/*
 * Starts RUN in a thread that takes no signals: they are for those that read,
 * and where nobody reads a pipe any more is an error of write(). Returns 0, or
 * the errno code.
 */
static inline int thread_start(pthread_t *thread, void *(*run)(void *))
{
	sigset_t all, before;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}
#endif

#endif /* GTRACE_TOOLS_THREADS_H_ */
