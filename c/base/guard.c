/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.c - survives a mapped file that shrinks or cannot be read.
 *
 * A signal handler belongs to the whole process, so this is the only file of
 * the library with global state: the handlers that were replaced, and the
 * number of guards in use.
 *
 * The first guard to be entered installs a SIGBUS handler, and the last to be
 * left restores the one that it replaced. In between the program may install a
 * handler of its own. It stays, and may forward signals to the handler that it
 * replaced, which is this file's. If the next guard installed the same function
 * above it, the two would forward to each other without end. So that guard
 * installs a second function, which has its own record of what it replaced.
 * A function and its record are a layer. There are two; when the program has
 * installed handlers above both, no more are installed.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/guard.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "base/fail.h"

typedef void (*plain_handler)(int);
typedef void (*info_handler)(int, siginfo_t *, void *);

#define LAYERS 2

struct layer {
	struct sigaction replaced;
	/*
	 * The handler of REPLACED, for our handler, which cannot take the lock:
	 * with_info, or plain where that is NULL.
	 */
	_Atomic(plain_handler) plain;
	_Atomic(info_handler) with_info;
};

static struct layer layers[LAYERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned guards; /* entered and not left, of all threads */
static unsigned used;   /* layers installed, on top or below a handler */

static _Thread_local INITIAL_EXEC struct guard *volatile innermost;

/* --------------------------------------------------------------- handler -- */

/* Returns whether a failed access, and not kill() or raise(), caused INFO. */
static bool is_access(const siginfo_t *info)
{
	switch (info->si_code) {
	case BUS_ADRALN:
	case BUS_ADRERR:
	case BUS_OBJERR:
#ifdef BUS_MCEERR_AR
	case BUS_MCEERR_AR:
#endif
		return true;
	default:
		return false;
	}
}

/*
 * Replaces the pages of INPUT from ADDRESS on by zeros. Returns false if
 * ADDRESS is not in INPUT.
 */
static bool replace_pages(struct input *input, uintptr_t address)
{
	uintptr_t start = (uintptr_t)input->data;
	uintptr_t page = address & ~((uintptr_t)input->page_size - 1);

	if (address < start || address - start >= input->size)
		return false;
	if (mmap((void *)page, input->size - (page - start), PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return false;
	if (!input->lost || page - start < input->lost_offset)
		input->lost_offset = page - start;
	input->lost = 1;
	return true;
}

/* Does what would happen without LAYER. */
static void forward(struct layer *layer, int number, siginfo_t *info,
		    void *context)
{
	info_handler with_info = atomic_load(&layer->with_info);
	plain_handler plain = atomic_load(&layer->plain);

	if (with_info != NULL) {
		with_info(number, info, context);
	} else if (plain != SIG_DFL && plain != SIG_IGN) {
		plain(number);
	} else if (is_access(info)) {
		/*
		 * The access is repeated, and ends the process. (The system
		 * does not ignore a failed access for SIG_IGN either.)
		 */
		signal(number, SIG_DFL);
	} else if (plain == SIG_DFL) {
		/* Blocked until the handler returns. */
		signal(number, SIG_DFL);
		raise(number);
	}
}

static void handle(struct layer *layer, int number, siginfo_t *info,
		   void *context)
{
	struct guard *guard = is_access(info) ? innermost : NULL;
	int code = errno;

	while (guard != NULL &&
	       !replace_pages(guard->input, (uintptr_t)info->si_addr))
		guard = guard->outer;
	errno = code;
	if (guard == NULL)
		forward(layer, number, info, context);
}

static void handle_0(int number, siginfo_t *info, void *context)
{
	handle(&layers[0], number, info, context);
}

static void handle_1(int number, siginfo_t *info, void *context)
{
	handle(&layers[1], number, info, context);
}

/* ---------------------------------------------------------- installation -- */

static const info_handler handlers[LAYERS] = {handle_0, handle_1};

/* The layer that ACTION is the handler of, or LAYERS. */
static unsigned layer_of(const struct sigaction *action)
{
	unsigned i = 0;

	if ((action->sa_flags & SA_SIGINFO) == 0)
		return LAYERS;
	while (i < LAYERS && action->sa_sigaction != handlers[i])
		i++;
	return i;
}

static void keep_replaced(struct layer *layer, const struct sigaction *action)
{
	layer->replaced = *action;
	if ((action->sa_flags & SA_SIGINFO) != 0) {
		atomic_store(&layer->with_info, action->sa_sigaction);
	} else {
		/* In this order: a handler may be running still. */
		atomic_store(&layer->plain, action->sa_handler);
		atomic_store(&layer->with_info, NULL);
	}
}

/* Makes sure that a layer is on top, if there is one left. */
static void install(void)
{
	/* SA_ONSTACK: a Go program's threads have small stacks. */
	struct sigaction action = {
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART,
	};
	struct sigaction top;

	if (sigaction(SIGBUS, NULL, &top) != 0 || layer_of(&top) < LAYERS)
		return;
	if (top.sa_handler == SIG_DFL || top.sa_handler == SIG_IGN)
		used = 0; /* nothing is left that forwards to a layer */
	if (used == LAYERS)
		return;
	/* Known before the handler can run. */
	keep_replaced(&layers[used], &top);
	action.sa_sigaction = handlers[used++];
	action.sa_mask = top.sa_mask;
	sigaction(SIGBUS, &action, NULL);
}

/* Removes the layer on top, unless a handler of the program is above it. */
static void remove_top(void)
{
	struct sigaction top;
	unsigned i;

	if (sigaction(SIGBUS, NULL, &top) != 0)
		return;
	i = layer_of(&top);
	if (i == LAYERS)
		return;
	sigaction(SIGBUS, &layers[i].replaced, NULL);
	used = i;
}

void gti_guard_enter(struct guard *guard, struct input *input)
{
	*guard = (struct guard){.input = input, .outer = innermost};
	if (input->kind != INPUT_MAPPED)
		return;
	innermost = guard;
	pthread_mutex_lock(&lock);
	guards++;
	install();
	pthread_mutex_unlock(&lock);
}

enum gtrace_status gti_guard_leave(struct guard *guard,
				   enum gtrace_status status,
				   struct gtrace_error *error)
{
	const struct input *input = guard->input;

	if (input->kind != INPUT_MAPPED)
		return status;
	pthread_mutex_lock(&lock);
	if (--guards == 0)
		remove_top();
	pthread_mutex_unlock(&lock);
	innermost = guard->outer;
	if (!input->lost)
		return status;
	return gti_fail(error, GTRACE_ERROR_READ, input->lost_offset,
			"failed to read trace at offset 0x%zx: the file "
			"was truncated, or its disk failed, while it was "
			"being read",
			(size_t)input->lost_offset);
}
