/* SPDX-License-Identifier: BSD-3-Clause */
/* accounts.c - the kernel's account of threads, read from text. */
#include "base/accounts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/least.h"
#include "base/text_file.h"

/* Longer lines are cut off. */
#define LINE_MAX_SIZE 256

/* The account of THREAD, which may be new. NULL: no memory. */
static struct account *account_of(struct accounts *accounts, int64_t thread)
{
	uint64_t *number = gti_map_put(&accounts->numbers, (uint64_t)thread,
				       accounts->memory);
	const struct account account = {.thread = thread};

	if (number == NULL)
		return NULL;
	if (*number == 0) {
		if (array_add(&accounts->list, &account, sizeof(account),
			      accounts->memory) == NULL)
			return NULL;
		*number = accounts->list.count;
	}
	return (struct account *)accounts->list.items + *number - 1;
}

/* What a line says. */
struct reading {
	bool after;
	int64_t thread;
	int64_t on_cpu;
	int64_t waited;
};

static enum gtrace_status take(struct accounts *accounts,
			       const struct reading *reading,
			       struct gtrace_error *error)
{
	struct account *account = account_of(accounts, reading->thread);

	if (account == NULL)
		return gti_fail_memory(error);
	if (reading->after) {
		account->on_cpu = reading->on_cpu;
		account->waited = reading->waited;
		account->ended = true;
	} else {
		account->on_cpu_before = reading->on_cpu;
		account->waited_before = reading->waited;
	}
	return GTRACE_OK;
}

/*
 * Reads LINE. Returns false if it is no reading. A thread that has ended
 * meanwhile has no numbers: then on_cpu is -1.
 */
static bool read_line(const char *line, struct reading *reading)
{
	char word[8];
	int count, size = 0;

	*reading = (struct reading){.on_cpu = -1};
	if (sscanf(line, "%7s %18" SCNd64 "%n", word, &reading->thread,
		   &size) != 2)
		return false;
	reading->after = strcmp(word, "after") == 0;
	if ((!reading->after && strcmp(word, "before") != 0) ||
	    reading->thread < 0)
		return false;
	count = sscanf(line + size, " %18" SCNd64 " %18" SCNd64,
		       &reading->on_cpu, &reading->waited);
	return count == EOF ||
	       (count == 2 && reading->on_cpu >= 0 && reading->waited >= 0);
}

/* See text_reader; of a struct accounts. */
static enum gtrace_status read_text(void *self, const char *path,
				    const char *text, size_t size,
				    struct gtrace_error *error)
{
	struct accounts *accounts = self;
	const char *end = text + size, *newline;
	enum gtrace_status status = GTRACE_OK;
	struct reading reading;
	char line[LINE_MAX_SIZE];
	uint64_t number = 1;
	bool any = false;

	for (; text < end && status == GTRACE_OK;
	     text = newline + 1, number++) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (newline == NULL)
			newline = end;
		snprintf(line, sizeof(line), "%.*s",
			 (int)least_of(newline - text, LINE_MAX_SIZE), text);
		if (!read_line(line, &reading))
			return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
					"%s: line %" PRIu64
					": not `before' or `after', a thread "
					"and its schedstat",
					path, number);
		if (reading.on_cpu >= 0)
			status = take(accounts, &reading, error);
		any |= reading.after;
	}
	if (status == GTRACE_OK && !any)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"%s: no account of a thread after the trace",
				path);
	return status;
}

/* What threads got is what they have after, less what they had before. */
static void settle(struct accounts *accounts)
{
	struct account *account = accounts->list.items;
	size_t i;

	for (i = 0; i < accounts->list.count; i++, account++) {
		account->on_cpu = greatest_of(
			account->on_cpu - account->on_cpu_before, 0);
		account->waited = greatest_of(
			account->waited - account->waited_before, 0);
	}
}

enum gtrace_status gti_accounts_open(struct accounts **out, const char *path,
				     const struct gtrace_allocator *memory,
				     struct gtrace_error *error)
{
	struct accounts *accounts =
		gti_allocate_zeroed(memory, 1, sizeof(*accounts));
	enum gtrace_status status;

	*out = accounts;
	if (accounts == NULL)
		return gti_fail_memory(error);
	accounts->memory = memory;
	status = gti_read_text_file(path, memory, read_text, accounts, error);
	settle(accounts);
	return status;
}

void gti_accounts_free(struct accounts *accounts)
{
	if (accounts == NULL)
		return;
	gti_array_free(&accounts->list, sizeof(struct account),
		       accounts->memory);
	gti_map_free(&accounts->numbers, accounts->memory);
	gti_release(accounts->memory, accounts, sizeof(*accounts));
}

const struct account *gti_accounts_find(const struct accounts *accounts,
					int64_t thread)
{
	const uint64_t *number =
		accounts == NULL
			? NULL
			: gti_map_get(&accounts->numbers, (uint64_t)thread);

	return number != NULL ? (const struct account *)accounts->list.items +
					*number - 1
			      : NULL;
}
