/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_threads.c - what the kernel's accounts say of a trace. */
#include "base/accounts.h"
#include "base/least.h"
#include "machine.h"
#include "run.h"

/* The kernel can account time to a running thread so much later. */
#define TICK_NS 10000000

static void add_account(const struct account *account,
			struct gtrace_threads *to)
{
	to->count++;
	to->on_cpu = add_lengths(to->on_cpu, (uint64_t)account->on_cpu);
	to->waited = add_lengths(to->waited, (uint64_t)account->waited);
}

/* All threads that have an account after the trace. */
static struct gtrace_threads all_threads(const struct accounts *accounts)
{
	const struct account *account = accounts->list.items;
	struct gtrace_threads all = {.held = -1, .off_cpu = -1};
	size_t i;

	for (i = 0; i < accounts->list.count; i++)
		if (account[i].ended)
			add_account(&account[i], &all);
	return all;
}

/* Adds those that wrote events to TO. Returns whether all have an account. */
static bool add_writers(const struct evidence *evidence,
			const struct accounts *accounts,
			struct gtrace_threads *to)
{
	const int64_t *threads = evidence->threads.items;
	const struct account *account;
	bool all = true;
	size_t i;

	for (i = 0; i < evidence->threads.count; i++) {
		account = gti_accounts_find(accounts, threads[i]);
		if (account != NULL && account->ended)
			add_account(account, to);
		else
			all = false;
	}
	return all;
}

/*
 * What threads did not have of the time that processors were held outside of
 * system calls, they were off the CPU: they cannot have had more than all that
 * they got between the readings, but for a tick of each processor. Up to
 * Go 1.21 it is not known which threads those of goroutines are, nor when
 * system calls end.
 */
static struct gtrace_threads find_threads(const struct evidence *evidence,
					  const struct accounts *accounts)
{
	struct gtrace_threads all = all_threads(accounts);
	struct gtrace_threads threads = {.off_cpu = -1};
	bool has_all;

	if (evidence == NULL || !evidence->by_thread)
		return all;
	has_all = add_writers(evidence, accounts, &threads);
	threads.others = all.count - threads.count;
	threads.others_on_cpu = all.on_cpu - threads.on_cpu;
	threads.held = evidence->held_time - evidence->call_time;
	if (has_all)
		threads.off_cpu = greatest_of(
			threads.held - threads.on_cpu -
				(int64_t)evidence->procs_seen * TICK_NS,
			0);
	return threads;
}

void gti_make_threads(struct run *run, struct gtrace_summary *to)
{
	const struct gtrace *trace = run->trace;
	struct gtrace_threads *threads;

	if (trace->accounts == NULL)
		return;
	threads = gti_make_array(run, 1, sizeof(*threads));
	if (threads == NULL)
		return;
	*threads = find_threads(
		trace->machine != NULL ? &trace->machine->evidence : NULL,
		trace->accounts);
	to->threads = threads;
}
