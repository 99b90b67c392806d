/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.c - threads beside those of the caller, and processors for them. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN, sigset_t */
#include "base/threads.h"

#include <unistd.h>

#if HAS_THREADS
#include <signal.h>
#include <stddef.h>

int gti_thread_start(pthread_t *thread, void *(*run)(void *context),
		     void *context)
{
	sigset_t others, before;
	int code;

	sigfillset(&others);
	sigdelset(&others, SIGBUS);
	sigdelset(&others, SIGFPE);
	sigdelset(&others, SIGILL);
	sigdelset(&others, SIGSEGV);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	code = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}
#endif

long gti_processors_online(void)
{
	long count = HAS_THREADS ? sysconf(_SC_NPROCESSORS_ONLN) : 1;

	return count > 0 ? count : 1;
}
