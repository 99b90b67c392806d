/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accounts.h - the kernel's account of the threads of a process, read before
 * and after a trace: lines of
 *
 *	before|after THREAD ON_CPU WAITED ...
 *
 * the last of which are those of /proc/PID/task/THREAD/schedstat: how long the
 * thread was on a CPU, and how long it waited for one, in nanoseconds.
 */
#ifndef GTRACE_BASE_ACCOUNTS_H_
#define GTRACE_BASE_ACCOUNTS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/memory.h"

struct account {
	int64_t thread;
	int64_t on_cpu_before; /* what it had, 0 if it began later */
	int64_t waited_before;
	int64_t on_cpu; /* what it got between the two readings */
	int64_t waited;
	bool ended; /* there is a reading after; else the thread ended */
};

struct accounts {
	const struct gtrace_allocator *memory;
	struct array list;  /* struct account */
	struct map numbers; /* by thread, plus one */
};

/*
 * Reads the file PATH to *ACCOUNTS, which is to be freed in any case. Errors:
 * GTRACE_ERROR_ARGUMENT, _OPEN, _READ, _MEMORY.
 */
enum gtrace_status gti_accounts_open(struct accounts **accounts,
				     const char *path,
				     const struct gtrace_allocator *memory,
				     struct gtrace_error *error);

/* ACCOUNTS can be NULL. */
void gti_accounts_free(struct accounts *accounts);

/* The account of THREAD. NULL: there is none, or ACCOUNTS is NULL. */
const struct account *gti_accounts_find(const struct accounts *accounts,
					int64_t thread);

#endif /* GTRACE_BASE_ACCOUNTS_H_ */
