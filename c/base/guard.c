/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.c - survives a mapped file that shrinks or cannot be read.
 *
 * A signal handler belongs to the whole process, so this is the one file below
 * the tools that keeps global state: the handler that was there before, and
 * how many threads are inside. The handler itself works with what its own
 * thread is reading.
 */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include "base/guard.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned inside;           /* threads between enter and leave */
static struct sigaction previous; /* valid while somebody is inside */
static _Thread_local struct input *guarded;

/* Lets whoever was there before us have the signal. */
static void hand_on(int number, siginfo_t *info, void *context)
{
	if ((previous.sa_flags & SA_SIGINFO) != 0) {
		previous.sa_sigaction(number, info, context);
	} else if (previous.sa_handler != SIG_DFL &&
		   previous.sa_handler != SIG_IGN) {
		previous.sa_handler(number);
	} else {
		/* The access is repeated, and ends the process. */
		signal(number, SIG_DFL);
	}
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	struct input *input = guarded;
	uintptr_t address = (uintptr_t)info->si_addr;
	uintptr_t start, page;

	if (input == NULL || input->kind != INPUT_MAPPED)
		goto not_ours;
	start = (uintptr_t)input->data;
	if (address < start || address - start >= input->size)
		goto not_ours;
	page = address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	if (mmap((void *)page, input->size - (page - start), PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		goto not_ours;
	if (!input->lost || page - start < input->lost_offset)
		input->lost_offset = page - start;
	input->lost = 1;
	return;

not_ours:
	hand_on(number, info, context);
}

void gti_guard_enter(struct input *input)
{
	if (input->kind != INPUT_MAPPED)
		return;
	guarded = input;
	pthread_mutex_lock(&lock);
	if (inside++ == 0) {
		/* SA_ONSTACK: a Go program's threads have small stacks. */
		struct sigaction action = {
			.sa_sigaction = on_bus_error,
			.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART,
		};

		sigemptyset(&action.sa_mask);
		sigaction(SIGBUS, &action, &previous);
	}
	pthread_mutex_unlock(&lock);
}

enum gtrace_status gti_guard_leave(struct input *input,
				   enum gtrace_status status,
				   struct gtrace_error *error)
{
	if (input->kind != INPUT_MAPPED)
		return status;
	pthread_mutex_lock(&lock);
	if (--inside == 0)
		sigaction(SIGBUS, &previous, NULL);
	pthread_mutex_unlock(&lock);
	guarded = NULL;
	if (!input->lost)
		return status;
	return gti_fail(error, GTRACE_ERROR_READ, input->lost_offset,
			"failed to read trace at offset 0x%zx: the file "
			"was truncated, or its disk failed, while it was "
			"being read",
			(size_t)input->lost_offset);
}
