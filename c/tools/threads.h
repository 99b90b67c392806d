/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - locks and threads, where the system has them. Elsewhere a lock
 * does nothing and no thread starts.
 */
#ifndef GTRACE_TOOLS_THREADS_H_
#define GTRACE_TOOLS_THREADS_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/platform.h"

#define THREADS_MAX 256

#if HAS_THREADS
#include <pthread.h>

struct lock {
	pthread_mutex_t mutex;
};

static inline void lock_init(struct lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
}

static inline void lock_free(struct lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

static inline void lock_take(struct lock *lock)
{
	pthread_mutex_lock(&lock->mutex);
}

static inline void lock_release(struct lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}
#else
struct lock {
	bool unused;
};

static inline void lock_init(struct lock *lock)
{
	lock->unused = true;
}

static inline void lock_free(struct lock *lock)
{
	(void)lock;
}

static inline void lock_take(struct lock *lock)
{
	(void)lock;
}

static inline void lock_release(struct lock *lock)
{
	(void)lock;
}
#endif

/*
 * Calls WORK with CONTEXT in this thread, and in MORE others at the same time.
 * If a thread cannot be started there are fewer.
 */
static inline void threads_run(void *work(void *), void *context, size_t more)
{
#if HAS_THREADS
	pthread_t threads[THREADS_MAX];
	size_t started = 0;

	while (started < more &&
	       pthread_create(&threads[started], NULL, work, context) == 0)
		started++;
	work(context);
	while (started > 0)
		pthread_join(threads[--started], NULL);
#else
	(void)more;
	work(context);
#endif
}

#endif /* GTRACE_TOOLS_THREADS_H_ */
