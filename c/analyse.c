/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - the reports of a trace that are made together. */
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "base/times.h"
#include "front.h"
#include "run.h"

/* ----------------------------------------------------------------- lists -- */

/* What row AT of LIST is made of. */
static const void *from_at(const struct list_of *list, size_t at)
{
	const char *from = (const char *)list->from + at * list->size;
	const void *pointer;

	if (list->size != 0)
		return from;
	memcpy(&pointer, from + at * sizeof(pointer), sizeof(pointer));
	return pointer;
}

/* Sets ORDER to the numbers of LIST, the last one in the file first. */
static void set_order(const struct list_of *list, struct sort_item *order)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		order[i].value = (uint32_t)i;
		if (list->place != NULL)
			order[i].key = -(int64_t)list->place(from_at(list, i));
	}
	if (list->place != NULL)
		gti_sort_go1_27(order, list->count);
}

const void *gti_make_list(struct run *run, const struct list_of *list)
{
	size_t count = list->count, size = list->row_size, i;
	char *made = gti_make_array(run, count, size);
	const void **rows = gti_make_array(run, count, sizeof(*rows));
	struct sort_item *order =
		gti_allocate_zeroed(run->memory, count + 1, sizeof(*order));

	run->failed |= order == NULL;
	if (!run->failed)
		set_order(list, order);
	for (i = 0; i < count && !run->failed; i++) {
		size_t at = order[i].value;

		rows[at] = made + at * size;
		list->make(run, from_at(list, at), made + at * size);
	}
	if (list->compare != NULL && count > 1 && !run->failed)
		gti_sort(rows, count, sizeof(*rows), list->compare);
	gti_release(run->memory, order, (count + 1) * sizeof(*order));
	return count != 0 ? rows : NULL;
}

/* ---------------------------------------------------------------- slices -- */

static void make_slice(struct run *run, const void *from, void *row)
{
	gti_make_slice(run, from, row);
}

static uint64_t place_of(const void *from)
{
	return ((const struct slice *)from)->start.offset;
}

void gti_make_greedy(struct run *run, void *made)
{
	struct gtrace_greedy_report *to = made;
	size_t count = run->slices.ranking.count;
	const struct slice **from =
		gti_allocate(run->memory, (count + 1) * sizeof(*from));
	const struct list_of list = {
		.from = from,
		.count = count,
		.row_size = sizeof(struct gtrace_slice),
		.make = make_slice,
		.place = place_of,
	};

	if (from == NULL) {
		run->failed = true;
		return;
	}
	gti_slices_drain(&run->slices, from);
	to->count = count;
	to->slices = gti_make_list(run, &list);
	gti_release(run->memory, from, (count + 1) * sizeof(*from));
}

void gti_make_delays(struct run *run, void *made)
{
	const struct wait_results *results = &run->wait_results;
	const struct list_of list = {
		.from = results->slices,
		.count = results->slice_count,
		.size = sizeof(*results->slices),
		.row_size = sizeof(struct gtrace_slice),
		.make = make_slice,
		.place = place_of,
	};

	*(struct gtrace_delay_report *)made = (struct gtrace_delay_report){
		.waited = results->waited,
		.behind = results->behind,
		.scheduling = ns_between(results->behind, results->waited),
		.slices = gti_make_list(run, &list),
		.count = list.count,
	};
}

/* --------------------------------------------------------------- reports -- */

/* The report of SIZE bytes that MAKER makes, or NULL if it is not WANTED. */
static const void *make_report(struct run *run, bool wanted, size_t size,
			       report_maker *maker)
{
	void *made = wanted ? gti_make_array(run, 1, size) : NULL;

	if (made != NULL)
		maker(run, made);
	return made;
}

void gti_fill_reports(struct run *run, struct gtrace_reports *to)
{
	const struct wanted *wanted = run->wanted;
	struct gtrace_request request = wanted->request;
	const struct gtrace *trace = run->trace;

	request.waits += wanted->all_waits;
	request.delays += wanted->all_waits;
	to->trace_version = trace->facts.version;
	to->in_ticks = gtrace_in_ticks(trace);
	to->has_record = trace->oncpu != NULL;
	to->began = greatest_of(gtrace_start_time(run->trace), -1);
	to->first_time =
		trace->format->in_ns ? run->observer.clock.first_ticks : 0;
	if ((request.waits != 0 || request.delays != 0) &&
	    !gti_waits_results(&run->waits, &run->wait_results))
		run->failed = true;
	if (run->failed)
		return;
#define MAKE(NAME, report, asked, ...)                                         \
	to->report = make_report(run, request.asked != 0, sizeof(*to->report), \
				 gti_make_##report);
	REPORTS(MAKE)
#undef MAKE
}

void gti_free_made(struct made *made)
{
	struct gtrace_allocator memory;

	if (made == NULL)
		return;
	memory = made->memory;
	gti_arena_free(&made->arena);
	gti_release(&memory, made, sizeof(*made));
}

enum gtrace_status gti_made(struct gtrace *trace, struct wanted *wanted,
			    struct made **out, struct gtrace_error *error)
{
	struct made *made =
		gti_allocate_zeroed(&trace->memory, 1, sizeof(*made));
	enum gtrace_status status;

	*out = NULL;
	if (made == NULL)
		return gti_fail_memory(error);
	made->memory = trace->memory;
	made->arena.memory = &made->memory;
	wanted->arena = &made->arena;
	wanted->context = made;
	status = gti_run(trace, wanted, error);
	if (status == GTRACE_OK)
		*out = made;
	else
		gti_free_made(made);
	return status;
}

static enum gtrace_status make_reports(struct run *run,
				       struct gtrace_error *error)
{
	struct made *made = run->wanted->context;

	(void)error;
	gti_fill_reports(run, &made->public.reports);
	return GTRACE_OK;
}

enum gtrace_status gtrace_analyse(struct gtrace *trace,
				  const struct gtrace_request *given,
				  struct gtrace_reports **reports,
				  struct gtrace_error *error)
{
	struct wanted wanted = {.make = make_reports};
	struct gtrace_request *request = &wanted.request;
	struct made *made = NULL;
	enum gtrace_status status =
		gti_take_request(request, given, REQUEST_LISTS, error);

	/* No other list has what details take another pass for. */
	request->details = request->details &&
			   (request->n != 0 || request->stops != 0 ||
			    request->waits != 0 || request->delays != 0);
	wanted.holds = request->blocks != 0;
	if (status == GTRACE_OK)
		status = gti_made(trace, &wanted, &made, error);
	*reports = made != NULL ? &made->public.reports : NULL;
	return status;
}

void gtrace_reports_free(struct gtrace_reports *public)
{
	gti_free_made((struct made *)public);
}
