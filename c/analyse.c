/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - the reports that one pass over a trace makes. */
#include "base/fail.h"
#include "base/sort.h"
#include "front.h"
#include "run.h"

/* ---------------------------------------------------------------- greedy -- */

static int compare_starts(const void *a, const void *b)
{
	uint64_t first = ((const struct chosen *)a)->slice->start.offset;
	uint64_t second = ((const struct chosen *)b)->slice->start.offset;

	return (first < second) - (first > second);
}

/*
 * From the last one in the file to the first: a format has the stacks and
 * strings of the last part, and may have to read those of other parts again.
 */
bool gti_make_chosen(struct event_maker *maker, struct chosen *chosen,
		     size_t count)
{
	bool made = true;
	size_t i;

	gti_sort(chosen, count, sizeof(*chosen), compare_starts);
	for (i = 0; i < count && made; i++) {
		struct gtrace_slice *to =
			gti_arena_allocate(&maker->arena, sizeof(*to));

		made = to != NULL && gti_make_slice(maker, chosen[i].slice, to);
		*chosen[i].place = to;
	}
	return made;
}

static bool make_greedy(struct event_maker *maker, struct slices *slices,
			struct gtrace_greedy_report *to)
{
	size_t count = slices->ranking.count, i;
	const struct gtrace_allocator *memory = maker->memory;
	struct chosen *chosen =
		gti_allocate(memory, (count + 1) * sizeof(*chosen));
	const struct slice **list =
		gti_allocate(memory, (count + 1) * sizeof(*list));
	const struct gtrace_slice **array =
		gti_arena_allocate(&maker->arena, count * sizeof(const void *));
	bool good = chosen != NULL && list != NULL && array != NULL;

	to->count = count;
	to->slices = array;
	if (good)
		gti_slices_drain(slices, list);
	for (i = 0; i < count && good; i++)
		chosen[i] = (struct chosen){list[i], &array[i]};
	good = good && gti_make_chosen(maker, chosen, count);
	gti_release(memory, chosen, (count + 1) * sizeof(*chosen));
	gti_release(memory, list, (count + 1) * sizeof(*list));
	return good;
}

/* --------------------------------------------------------------- reports -- */

struct made {
	struct gtrace_reports public; /* first: the caller has this */
	struct gtrace_greedy_report greedy;
	struct gtrace_stop_report stops;
	struct gtrace_wait_report waits;
	struct gtrace_delay_report delays;
	struct gtrace_block_report blocks;
	struct gtrace_goroutine_report goroutines;
	struct gtrace_request_report requests;
	struct gtrace_collection_report collections;
	struct gtrace_sched_report sched;
	struct gtrace_allocator memory;
	struct arena arena; /* all that the reports point to */
};

static bool fill_waits(struct event_maker *maker, struct waits *waits,
		       const struct wanted *wanted, struct made *made)
{
	struct wait_results results;

	if (!gti_waits_results(waits, &results))
		return false;
	if (wanted->request.waits != 0 || wanted->all_waits)
		made->public.waits = &made->waits;
	if (wanted->request.delays != 0 || wanted->all_waits)
		made->public.delays = &made->delays;
	return gti_make_waits(maker, &results, &made->waits) &&
	       gti_make_delays(maker, &results, &made->delays);
}

static bool fill_reports(struct event_maker *maker, struct run *run,
			 const struct wanted *wanted, struct made *made)
{
	const struct gtrace_request *request = &wanted->request;
	const struct gtrace *trace = run->trace;

	maker->clock = run->observer.clock;
	maker->inside = run->observer.inside;
	made->public.trace_version = trace->facts.version;
	made->public.in_ticks = gtrace_in_ticks(trace);
	made->public.has_record = trace->oncpu != NULL;
	made->public.first_time =
		trace->format->in_ns ? maker->clock.first_ticks : 0;
	if (request->n != 0)
		made->public.greedy = &made->greedy;
	if (request->stops != 0)
		made->public.stops = &made->stops;
	if (request->blocks != 0)
		made->public.blocks = &made->blocks;
	if (request->goroutines != 0)
		made->public.goroutines = &made->goroutines;
	if (request->requests != 0)
		made->public.requests = &made->requests;
	if (request->collections != 0)
		made->public.collections = &made->collections;
	if (request->sched != 0)
		made->public.sched = &made->sched;
	return (request->n == 0 ||
		make_greedy(maker, &run->slices, &made->greedy)) &&
	       (request->stops == 0 ||
		gti_make_stops(maker, &run->stops, &made->stops)) &&
	       (!wants_waits(wanted) ||
		fill_waits(maker, &run->waits, wanted, made)) &&
	       (request->blocks == 0 ||
		gti_make_blocks(maker, run, request->blocks, &made->blocks)) &&
	       (request->goroutines == 0 ||
		gti_make_goroutines(maker, run, &made->goroutines)) &&
	       (request->requests == 0 ||
		gti_make_requests(maker, run, &made->requests)) &&
	       (request->collections == 0 ||
		gti_make_collections(maker, run, wanted, &made->collections)) &&
	       (request->sched == 0 ||
		gti_make_sched(maker, run, &made->sched));
}

enum gtrace_status gti_make_reports(struct run *run,
				    const struct wanted *wanted,
				    struct gtrace_reports **out,
				    struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = &run->trace->memory;
	struct made *made = gti_allocate_zeroed(memory, 1, sizeof(*made));
	struct event_maker maker;
	bool good;

	if (made == NULL)
		return gti_fail_memory(error);
	made->memory = *memory;
	good = gti_event_maker_init(&maker, run->trace, true) &&
	       fill_reports(&maker, run, wanted, made);
	gti_event_maker_free(&maker);
	made->arena = maker.arena;
	made->arena.memory = &made->memory;
	*out = &made->public;
	if (good)
		return GTRACE_OK;
	gtrace_reports_free(*out);
	*out = NULL;
	return gti_fail_memory(error);
}

void gtrace_reports_free(struct gtrace_reports *public)
{
	struct made *made = (struct made *)public;
	struct gtrace_allocator memory;

	if (made == NULL)
		return;
	memory = made->memory;
	gti_arena_free(&made->arena);
	gti_release(&memory, made, sizeof(*made));
}

enum gtrace_status gtrace_analyse(struct gtrace *trace,
				  const struct gtrace_request *given,
				  struct gtrace_reports **reports,
				  struct gtrace_error *error)
{
	struct wanted wanted = {.inside = false};
	struct gtrace_request *request = &wanted.request;
	enum gtrace_status status;
	struct run run;

	*reports = NULL;
	status = gti_copy_sized(request, sizeof(*request), given, error);
	if (status != GTRACE_OK)
		return status;
	request->details =
		request->details && (request->n != 0 || request->delays != 0);
	status = gti_run(&run, trace, &wanted, error);
	if (status == GTRACE_OK)
		status = gti_make_reports(&run, &wanted, reports, error);
	status = gti_run_end(&run, status, error);
	if (status != GTRACE_OK) {
		gtrace_reports_free(*reports);
		*reports = NULL;
	}
	return status;
}
