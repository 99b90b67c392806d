/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c - prints slices, stops, waits and blocks longer than a limit. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "tools/verdict_lines.h"

#include <stdlib.h>

#include "tools/errors.h"
#include "tools/settings.h"

int64_t verdict_limit(enum limited what)
{
	const int64_t limits[] = {
		[LIMITED_SLICE] = settings.max_slice,
		[LIMITED_STOP] = settings.max_stop,
		[LIMITED_WAIT] = settings.max_wait,
		[LIMITED_BLOCK] = settings.max_block,
	};

	return limits[what];
}

const char *verdict_flag(enum limited what)
{
	static const char *const flags[] = {
		[LIMITED_SLICE] = "-max-slice",
		[LIMITED_STOP] = "-max-stop",
		[LIMITED_WAIT] = "-max-wait",
		[LIMITED_BLOCK] = "-max-block",
	};

	return flags[what];
}

const char *verdict_name(enum limited what)
{
	static const char *const names[] = {
		[LIMITED_SLICE] = "slice",
		[LIMITED_STOP] = "stop-the-world pause",
		[LIMITED_WAIT] = "wait for a processor",
		[LIMITED_BLOCK] = "block at a lock",
	};

	return names[what];
}

/* ------------------------------------------------------------------ find -- */

static enum gtrace_status print_waits(struct gtrace *trace,
				      struct verdict *verdict,
				      struct gtrace_error *error)
{
	struct gtrace_filter longer = settings.filter;
	const struct gtrace_request request = {.size = sizeof(request),
					       .waits = SIZE_MAX,
					       .details = 1,
					       .filter = &longer};
	struct gtrace_reports *reports;
	enum gtrace_status status;
	size_t i;

	if (settings.max_wait == INT64_MAX)
		return GTRACE_OK;
	longer.min = settings.max_wait + 1;
	status = gtrace_analyse(trace, &request, &reports, error);
	for (i = 0; status == GTRACE_OK && i < reports->waits->count; i++)
		if (!reports->waits->waits[i]->clock_changed &&
		    reports->waits->waits[i]->length -
				    reports->waits->waits[i]->off_cpu_min >
			    settings.max_wait)
			verdict_wait(verdict, reports->waits->waits[i]);
	gtrace_reports_free(reports);
	return status;
}

/* LIMIT, if it is one, and what passes it counts for the least of all. */
static bool limits(int64_t limit, struct gtrace_filter *longer)
{
	if (limit != 0 && limit < longer->min)
		longer->min = limit;
	return limit != 0;
}

static int follow_wait(void *context, const struct gtrace_wait *wait)
{
	if (wait->length > settings.max_wait && !wait->clock_changed)
		verdict_wait(context, wait);
	return 0;
}

static int follow_generation(void *context,
			     const struct gtrace_generation *generation)
{
	const struct verdict *verdict = context;

	return verdict->follower->generation(verdict->follower->context,
					     generation);
}

static void follow_again(void *context)
{
	const struct verdict *verdict = context;

	verdict->follower->again(verdict->follower->context);
}

enum gtrace_status verdict_follow(struct gtrace *trace, const char *name,
				  const struct verdict_follower *follower,
				  struct gtrace_error *error)
{
	struct gtrace_filter longer = settings.filter;
	struct violations found = {.counts = {0}};
	struct verdict verdict = {
		.name = name, .found = &found, .follower = follower};
	const struct gtrace_request request = {.size = sizeof(request),
					       .filter = &longer};
	struct gtrace_follower of = {.size = sizeof(of),
				     .context = &verdict,
				     .generation = follow_generation,
				     .again = follow_again};
	enum gtrace_status status;

	longer.min = INT64_MAX;
	if (limits(settings.max_slice, &longer))
		of.slice = verdict_slice;
	if (limits(settings.max_stop, &longer))
		of.stop = verdict_stop;
	if (limits(settings.max_wait, &longer))
		of.wait = follow_wait;
	if (limits(settings.max_block, &longer))
		of.block = verdict_block;
	if (longer.min == INT64_MAX)
		longer.min = 0;
	verdict.to = open_memstream(&verdict.line, &verdict.size);
	if (verdict.to == NULL)
		return error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	status = gtrace_follow(trace, &request, &of, error);
	fclose(verdict.to);
	free(verdict.line);
	return status;
}

/* Prints a line for each slice, say, of TRACE that is longer. */
static enum gtrace_status print_all(struct gtrace *trace,
				    struct verdict *verdict,
				    struct gtrace_error *error)
{
	struct gtrace_filter longer = settings.filter;
	const struct gtrace_request request = {
		.size = sizeof(request), .details = 1, .filter = &longer};
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .context = verdict};
	struct gtrace_summary *summary;
	enum gtrace_status status = GTRACE_OK;

	longer.min = INT64_MAX;
	if (limits(settings.max_slice, &longer))
		visitor.slice = verdict_slice;
	if (limits(settings.max_stop, &longer))
		visitor.stop = verdict_stop;
	if (limits(settings.max_block, &longer))
		visitor.block = verdict_block;
	if (settings_visit())
		status = gtrace_visit(trace, &request, &visitor, error);
	if (status == GTRACE_OK && settings.max_wait != 0)
		status = print_waits(trace, verdict, error);
	/* That nothing could be read is no verdict: a summary fails, too. */
	if (status == GTRACE_OK && gtrace_left_out(trace, NULL, NULL, NULL)) {
		status = gtrace_summarise(trace, NULL, &summary, error);
		gtrace_summary_free(summary);
	}
	return status;
}

enum gtrace_status verdict_find(struct gtrace *trace, const char *name,
				struct violations *violations,
				struct gtrace_error *error)
{
	struct verdict verdict = {.name = name, .found = violations};
	enum gtrace_status status = GTRACE_OK;
	bool is_good;
	size_t i;

	verdict.to = open_memstream(&verdict.line, &verdict.size);
	is_good = verdict.to != NULL &&
		  case_lines_open(verdict.lines, LIMITED_COUNT);
	if (is_good)
		status = print_all(trace, &verdict, error);
	is_good &= case_lines_close(verdict.lines, LIMITED_COUNT);
	if (verdict.to != NULL)
		is_good &= !ferror(verdict.to) & (fclose(verdict.to) == 0);
	free(verdict.line);
	for (i = 0; i < LIMITED_COUNT; i++)
		violations->lines[i] = verdict.lines[i].text;
	if (!is_good && status == GTRACE_OK)
		status = error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	if (status != GTRACE_OK)
		verdict_free(violations);
	return status;
}

void verdict_free(struct violations *violations)
{
	size_t i;

	for (i = 0; i < LIMITED_COUNT; i++)
		free(violations->lines[i]);
	*violations = (struct violations){0};
}
