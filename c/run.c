/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - the passes over a trace, for all that is wanted of it. */
#include "run.h"

#include "base/fail.h"
#include "machine.h"
#include "causes.h"
#include "paths.h"

/* Makes the pass before one with `last` set: finds the faults of TRACE. */
static enum gtrace_status check_trace(struct gtrace *trace,
				      struct observer *observer,
				      struct gtrace_error *error)
{
	struct pass pass = {.observer = observer, .repeats = true};
	enum gtrace_status status =
		trace->format->follow(trace->self, &pass, error);

	if (status == GTRACE_OK && trace->format->prepare != NULL)
		status = trace->format->prepare(trace->self, error);
	return status;
}

/* ---------------------------------------------------------------- filter -- */

/* Up to this version functions have their names from a program. */
#define VERSION_WITHOUT_NAMES 1006

static bool lets_all_pass(const struct gtrace_filter *asked)
{
	return asked->g_count == 0 && asked->p_count == 0 &&
	       asked->function == NULL && asked->from == 0 && asked->to == 0 &&
	       asked->min == 0 && asked->user == 0 &&
	       asked->requests_over == 0 && !gti_has_moments(asked);
}

bool gti_is_filtered(const struct gtrace_filter *given)
{
	struct gtrace_filter asked;

	return given != NULL &&
	       gti_copy_sized(&asked, sizeof(asked), given, NULL) ==
		       GTRACE_OK &&
	       !lets_all_pass(&asked);
}

/* Finds the names of functions before a pass that needs them. */
static enum gtrace_status find_names(struct gtrace *trace,
				     struct gtrace_error *error)
{
	struct observer nothing = {.memory = &trace->memory};

	return trace->facts.version > VERSION_WITHOUT_NAMES
		       ? GTRACE_OK
		       : check_trace(trace, &nothing, error);
}

static enum gtrace_status init_filter(struct run *run, struct filter *filter,
				      const struct gtrace_filter *asked,
				      struct gtrace_error *error)
{
	struct gtrace *trace = run->trace;

	return gti_filter_init(filter, asked, trace->format, trace->self,
			       trace->facts.kinds, run->memory, error);
}

/* Sets observer->filter, unless GIVEN lets everything pass. */
static enum gtrace_status open_filter(struct run *run,
				      const struct gtrace_filter *given,
				      struct gtrace_error *error)
{
	struct gtrace_filter asked;
	enum gtrace_status status = GTRACE_OK;

	if (given != NULL)
		status = gti_copy_sized(&asked, sizeof(asked), given, error);
	if (given == NULL || status != GTRACE_OK || lets_all_pass(&asked))
		return status;
	if (gtrace_in_ticks(run->trace) &&
	    (asked.from != 0 || asked.to != 0 || asked.min != 0 ||
	     asked.requests_over != 0))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a filter has times, but those of the trace "
				"are in ticks, as its tick frequency is cut "
				"off");
	run->observer.filter = &run->filter;
	status = init_filter(run, &run->filter, &asked, error);
	if (run->long_requests.memory != NULL)
		run->filter.long_requests = &run->long_requests;
	return status;
}

/* Makes FILTER one of names that EXPRESSION matches, unless that is NULL. */
static enum gtrace_status open_names(struct run *run, struct filter *filter,
				     const char *expression,
				     struct gtrace_error *error)
{
	const struct gtrace_filter asked = {.function = expression};

	return expression != NULL ? init_filter(run, filter, &asked, error)
				  : GTRACE_OK;
}

/* ------------------------------------------------------------------ pass -- */

/* Whether something that was found does not fit into memory. */
static bool lacks_memory(const struct run *run)
{
	return run->failed || run->stops.failed || run->profile.failed ||
	       run->waits.failed || run->blocks.failed || run->sched.failed ||
	       run->collections.failed || run->holders.sums.failed ||
	       run->filter.failed ||
	       (run->causes != NULL && run->causes->aside.failed) ||
	       (run->feed != NULL && run->feed->failed);
}

static bool adds_up(const struct run *run)
{
	const struct observer *observer = &run->observer;
	const struct gtrace_request *request = &run->wanted->request;
	bool sums = observer->waits != NULL || run->blocks.memory != NULL ||
		    observer->profile != NULL || run->wanted->holders ||
		    request->stops != 0;

#define SUMS_HOOKED(asked)
#define SUMS_CONSUMES(asked)                                sums |= request->asked != 0;
#define SUMS(NAME, report, asked, uses, filters, made, ...) SUMS_##made(asked)
	REPORTS(SUMS)
#undef SUMS
#undef SUMS_CONSUMES
#undef SUMS_HOOKED
	return sums;
}

/*
 * Whether the sum of the times of all goroutines fits: as many as were alive at
 * once, or before the trace, can be so for as long as the trace lasts.
 */
static bool sums_fit(const struct run *run)
{
	const struct census *census = &run->observer.census;
	int64_t length = run_ns(run, census->last);

	return census->events == 0 ||
	       (!census->wraps && length >= 0 &&
		length < INT64_MAX / (1 + census->initial + census->most));
}

static enum gtrace_status follow(struct run *run, struct gtrace_error *error)
{
	const struct wanted *wanted = run->wanted;
	const struct format *format = run->trace->format;
	bool gives = wanted->sinks != NULL;
	struct pass pass = {
		.observer = &run->observer,
		.visit = gives ? wanted->sinks->event : NULL,
		.context = run,
		.last = gives && !wanted->is_checked,
	};
	enum gtrace_status status =
		format->follow(run->trace->self, &pass, error);

	if (run->feed != NULL)
		gti_feed_end_beside(run->feed);
	if (status == GTRACE_OK &&
	    (run->slices.negative || run->profile.negative))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK && run->sched.too_many)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "there are more than %zu samples of the "
				  "scheduler: take more time between them",
				  run->sched.most);
	if (status == GTRACE_OK && !gives && adds_up(run) && !sums_fit(run))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "the trace has times of so many years that "
				  "their sums do not fit");
	if (status == GTRACE_OK && lacks_memory(run))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK && !gives && format->prepare != NULL)
		status = format->prepare(run->trace->self, error);
	if (status == GTRACE_OK && run->observer.oncpu != NULL && !gives)
		status = gti_oncpu_fits(run->observer.oncpu, error);
	return status;
}

/* Opens what the analyses need, and makes the passes before theirs. */
static enum gtrace_status prepare(struct run *run, struct gtrace_error *error)
{
	const struct wanted *wanted = run->wanted;
	const struct gtrace_request *request = &wanted->request;
	struct gtrace *trace = run->trace;
	enum gtrace_status status = open_filter(run, request->filter, error);

	if (status == GTRACE_OK)
		status = open_names(run, &run->root, request->root, error);
	if (status == GTRACE_OK)
		status = open_names(run, &run->at, request->at, error);
	if (status == GTRACE_OK && request->by_cpu && trace->oncpu == NULL)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "the time on a CPU is not known without a "
				  "scheduling record");
	if (status == GTRACE_OK && (!gti_begin_frames(run) || !gti_want(run)))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK &&
	    (run->filter.by_names || run->observer.settling != NULL))
		status = find_names(trace, error);
	if (status == GTRACE_OK && wanted->sinks != NULL &&
	    !wanted->is_checked) {
		run->links.wants_links = wanted->links;
		status = check_trace(trace, &run->links, error);
		if (status == GTRACE_OK && trace->oncpu != NULL)
			status = gti_oncpu_fits(trace->oncpu, error);
	}
	return status;
}

/* Has public structs made of what was found. */
static enum gtrace_status make(struct run *run, struct gtrace_error *error)
{
	enum gtrace_status status;

	gti_forget_frames(run);
	run->owns_texts = true;
	status = run->wanted->make(run, error);
	if (status == GTRACE_OK && run->failed)
		status = gti_fail_memory(error);
	return status;
}

/* Frees what RUN found. */
static void end(struct run *run)
{
	const struct gtrace_allocator *memory = run->memory;

	gti_end_causes(run);

	gti_map_free(&run->stacks, memory);
	gti_map_free(&run->texts, memory);
	gti_arena_free(&run->own_arena);
	gti_end_frames(run);
	gti_filter_free(&run->filter);
	gti_filter_free(&run->root);
	gti_filter_free(&run->at);
	gti_long_requests_free(&run->long_requests);
	gti_insides_free(&run->inside);
	gti_slices_free(&run->slices);
	gti_stops_free(&run->stops);
	gti_waits_free(&run->waits);
	gti_end_paths(run);
	gti_profile_free(&run->profile);
	gti_profile_free(&run->holders.sums);
	gti_names_free(&run->names);
	gti_release(memory, run->observer.machine, sizeof(struct machine));
	if (run->feed != NULL)
		gti_feed_free(run->feed);
	gti_release(memory, run->feed, sizeof(struct feed));
	gti_observer_free(&run->observer);
	gti_observer_free(&run->links);
}

/* gti_run() with a filter whose times are all since the first event. */
static enum gtrace_status run_resolved(struct gtrace *trace,
				       const struct wanted *wanted,
				       struct gtrace_error *error)
{
	struct run run = {
		.trace = trace,
		.memory = &trace->memory,
		.wanted = wanted,
		.observer.memory = &trace->memory,
		.links.memory = &trace->memory,
		.observer.oncpu = trace->oncpu,
		.observer.by_cpu = wanted->request.by_cpu,
		.links.oncpu = trace->oncpu,
		.own_arena.memory = &trace->memory,
	};
	struct gtrace_error fault;
	enum gtrace_status status;

	if (wanted->request.details || wanted->judges) {
		status = gti_find_machine(trace, error);
		if (status != GTRACE_OK)
			return status;
	}
	status = gti_find_long_requests(trace, wanted, &run.long_requests,
					error);
	if (status != GTRACE_OK)
		return status;
	run.arena = wanted->arena != NULL ? wanted->arena : &run.own_arena;
	gti_names_init(&run.names, run.memory);
	gti_insides_init(&run.inside, run.memory);
	if (trace->oncpu != NULL)
		gti_oncpu_restart(trace->oncpu);
	gti_guard_enter(&run.guard, &trace->input);
	status = prepare(&run, &fault);
	if (status == GTRACE_OK)
		status = follow(&run, &fault);
	if (status == GTRACE_OK && wanted->request.paths != 0)
		status = gti_follow_paths(&run, &fault);
	if (status == GTRACE_OK && lacks_memory(&run))
		status = gti_fail_memory(&fault);
	/* What is left out is all that comes. */
	if (trace->left_out.reason.status != GTRACE_OK)
		gti_input_reach(&trace->input, SIZE_MAX);
	trace->clocks = run.observer.clocks;
	trace->first_ticks = run.observer.clock.first_ticks;
	if (status == GTRACE_OK && wanted->make != NULL)
		status = make(&run, &fault);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	end(&run);
	return gti_guard_leave(&run.guard, status, error);
}

enum gtrace_status gti_run(struct gtrace *trace, const struct wanted *wanted,
			   struct gtrace_error *error)
{
	struct gtrace_filter filter;
	struct wanted resolved = *wanted;
	enum gtrace_status status;

	if (wanted->request.filter == NULL)
		return run_resolved(trace, wanted, error);
	status = gti_copy_sized(&filter, sizeof(filter), wanted->request.filter,
				error);
	if (status == GTRACE_OK)
		status = gti_resolve_filter(trace, &filter, error);
	if (status != GTRACE_OK)
		return status;
	filter.size = sizeof(filter);
	resolved.request.filter = &filter;
	return run_resolved(trace, &resolved, error);
}
