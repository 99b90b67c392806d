/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the greedy report. */
#include <string.h>

#include "base/fail.h"
#include "front.h"

struct report {
	struct gtrace_greedy_report public; /* first: the caller has this */
	struct gtrace_allocator memory;
	struct arena arena; /* all that `public` points to */
};

/* Fills a report from its last slice to its first. */
struct filling {
	struct event_maker maker;
	const struct gtrace_slice **next;
	bool failed; /* there was no memory */
};

static void take_slice(void *context, const struct slice *slice)
{
	struct filling *filling = context;
	struct gtrace_slice *to =
		gti_arena_allocate(&filling->maker.arena, sizeof(*to));

	if (to == NULL || !gti_make_slice(&filling->maker, slice, to))
		filling->failed = true;
	*--filling->next = to;
}

/* Makes the arena of MAKER the report's. Returns NULL without memory. */
static struct report *new_report(struct event_maker *maker, size_t count,
				 const struct gtrace_slice **slices)
{
	const struct gtrace *trace = maker->trace;
	struct report *report =
		gti_allocate_zeroed(maker->memory, 1, sizeof(*report));

	if (report == NULL)
		return NULL;
	report->public.trace_version = trace->format->version(trace->self);
	report->public.count = count;
	report->public.slices = slices;
	report->memory = *maker->memory;
	report->arena = maker->arena;
	report->arena.memory = &report->memory;
	return report;
}

enum gtrace_status gti_make_greedy(struct gtrace *trace, struct slices *slices,
				   const struct clock *clock,
				   struct gtrace_greedy_report **out,
				   struct gtrace_error *error)
{
	size_t count = slices->ranking.heap.count;
	const struct gtrace_slice **array = NULL;
	struct report *report = NULL;
	struct filling filling;

	if (gti_event_maker_init(&filling.maker, trace, true))
		array = gti_arena_allocate(&filling.maker.arena,
					   count * sizeof(const void *));
	if (array != NULL) {
		filling.maker.clock = *clock;
		filling.failed = false;
		filling.next = array + count;
		gti_slices_drain(slices, take_slice, &filling);
		if (!filling.failed)
			report = new_report(&filling.maker, count, array);
	}
	gti_event_maker_free(&filling.maker);
	if (report == NULL) {
		gti_arena_free(&filling.maker.arena);
		return gti_fail_memory(error);
	}
	*out = &report->public;
	return GTRACE_OK;
}

enum gtrace_status gtrace_greedy(struct gtrace *trace,
				 const struct gtrace_request *given,
				 struct gtrace_greedy_report **report,
				 struct gtrace_error *error)
{
	struct gtrace_request request;
	enum gtrace_status status;

	*report = NULL;
	status = gti_copy_sized(&request, sizeof(request), given, error);
	if (status == GTRACE_OK && request.n == 0)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a report of no slices");
	if (status != GTRACE_OK)
		return status;
	return gtrace_analyse(trace, &request, report, NULL, error);
}

void gtrace_greedy_free(struct gtrace_greedy_report *public)
{
	struct report *report = (struct report *)public;
	struct gtrace_allocator memory;

	if (report == NULL)
		return;
	memory = report->memory;
	gti_arena_free(&report->arena);
	gti_release(&memory, report, sizeof(*report));
}

enum gtrace_status gtrace_print_greedy(struct gtrace *trace,
				       const struct gtrace_request *given,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct gtrace_request request;
	enum gtrace_status status =
		gti_copy_sized(&request, sizeof(request), given, error);

	if (status != GTRACE_OK)
		return status;
	if (request.n == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a report of no slices");
	request.stops = 0;
	return gtrace_print_reports(trace, &request, output, error);
}
