/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.c - turns SIGBUS from a mapped file into an error.
 *
 * A signal handler belongs to the whole process, so this is the only file of
 * the library with global state: the handlers that were replaced, and the
 * number of guards in use.
 *
 * The first guard to be entered installs a SIGBUS handler, and the last one to
 * be left restores the handler that was replaced. In between the program may
 * install a handler of its own, which may forward signals to ours. If the next
 * guard then installed our handler again, the two would forward signals to each
 * other forever. So it installs a second function, which has its own record of
 * the handler that it replaced. A function and its record are a slot. There are
 * two slots. If the program has replaced the handlers of both, a guard installs
 * nothing.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/guard.h"

#include "base/platform.h"

#if HAS_SIGNALS
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "base/fail.h"

typedef void (*plain_handler)(int);
typedef void (*info_handler)(int, siginfo_t *, void *);

#define SLOTS 2

struct slot {
	struct sigaction replaced;
	/*
	 * The function in `replaced`: with_info, or plain if that is NULL. Our
	 * handler reads these two, because it cannot take the lock.
	 */
	_Atomic(plain_handler) plain;
	_Atomic(info_handler) with_info;
};

static struct slot slots[SLOTS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned guards; /* entered and not left, in all threads */
/* Slots whose handlers are installed, or were replaced by the program's. */
static unsigned used;

static _Thread_local INITIAL_EXEC struct guard *volatile innermost;

/* --------------------------------------------------------------- handler -- */

/* Returns whether INFO is of a failed access, and not of kill() or raise(). */
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
 * Replaces the pages of INPUT from that of ADDRESS on by zeros. Returns false
 * if ADDRESS is not in INPUT or the pages cannot be replaced.
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

/* Does with the signal what would happen if SLOT were not installed. */
static void forward(struct slot *slot, int number, siginfo_t *info,
		    void *context)
{
	info_handler with_info = atomic_load(&slot->with_info);
	plain_handler plain = atomic_load(&slot->plain);

	if (with_info != NULL) {
		with_info(number, info, context);
	} else if (plain != SIG_DFL && plain != SIG_IGN) {
		plain(number);
	} else if (is_access(info)) {
		/*
		 * When the handler returns, the access fails again and kills
		 * the process, which it would do under SIG_IGN too.
		 */
		signal(number, SIG_DFL);
	} else if (plain == SIG_DFL) {
		/* Takes effect when the handler returns. */
		signal(number, SIG_DFL);
		raise(number);
	}
}

static void handle(struct slot *slot, int number, siginfo_t *info,
		   void *context)
{
	struct guard *guard = is_access(info) ? innermost : NULL;
	int code = errno;

	while (guard != NULL &&
	       !replace_pages(guard->input, (uintptr_t)info->si_addr))
		guard = guard->outer;
	errno = code;
	if (guard == NULL)
		forward(slot, number, info, context);
}

static void handle_0(int number, siginfo_t *info, void *context)
{
	handle(&slots[0], number, info, context);
}

static void handle_1(int number, siginfo_t *info, void *context)
{
	handle(&slots[1], number, info, context);
}

/* ---------------------------------------------------------- installation -- */

static const info_handler handlers[SLOTS] = {handle_0, handle_1};

/* Returns the number of the slot that ACTION belongs to, or SLOTS. */
static unsigned slot_of(const struct sigaction *action)
{
	unsigned i = 0;

	if ((action->sa_flags & SA_SIGINFO) == 0)
		return SLOTS;
	while (i < SLOTS && action->sa_sigaction != handlers[i])
		i++;
	return i;
}

static void keep_replaced(struct slot *slot, const struct sigaction *action)
{
	slot->replaced = *action;
	if ((action->sa_flags & SA_SIGINFO) != 0) {
		atomic_store(&slot->with_info, action->sa_sigaction);
	} else {
		/* In this order, because a handler may be running. */
		atomic_store(&slot->plain, action->sa_handler);
		atomic_store(&slot->with_info, NULL);
	}
}

/* Installs a handler if none of ours is installed and a slot is unused. */
static void install(void)
{
	/* SA_ONSTACK: a Go program's threads have small stacks. */
	struct sigaction action = {
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART,
	};
	struct sigaction top;

	if (sigaction(SIGBUS, NULL, &top) != 0 || slot_of(&top) < SLOTS)
		return;
	if (top.sa_handler == SIG_DFL || top.sa_handler == SIG_IGN)
		used = 0; /* no handler forwards to ours any more */
	if (used == SLOTS)
		return;
	/* First, because the handler may run as soon as it is installed. */
	keep_replaced(&slots[used], &top);
	action.sa_sigaction = handlers[used++];
	action.sa_mask = top.sa_mask;
	sigaction(SIGBUS, &action, NULL);
}

/* Removes our handler, unless the program has replaced it. */
static void uninstall(void)
{
	struct sigaction top;
	unsigned i;

	if (sigaction(SIGBUS, NULL, &top) != 0)
		return;
	i = slot_of(&top);
	if (i == SLOTS)
		return;
	sigaction(SIGBUS, &slots[i].replaced, NULL);
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
	enum gtrace_status fault = gti_input_fault(input, error);

	if (fault != GTRACE_OK)
		status = fault;
	if (input->kind != INPUT_MAPPED)
		return status;
	pthread_mutex_lock(&lock);
	if (--guards == 0)
		uninstall();
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
#else /* without signals no page of an input is lost */
void gti_guard_enter(struct guard *guard, struct input *input)
{
	*guard = (struct guard){.input = input};
}

enum gtrace_status gti_guard_leave(struct guard *guard,
				   enum gtrace_status status,
				   struct gtrace_error *error)
{
	enum gtrace_status fault = gti_input_fault(guard->input, error);

	return fault != GTRACE_OK ? fault : status;
}
#endif
