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

/* From this version on stop-the-world pauses have events that begin them. */
#define VERSION_STOPS 1010

static bool lets_all_pass(const struct gtrace_filter *asked)
{
	return asked->g_count == 0 && asked->p_count == 0 &&
	       asked->function == NULL && asked->from == 0 && asked->to == 0 &&
	       asked->min == 0 && asked->user == 0 && asked->requests_over == 0;
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

/* ---------------------------------------------------------------- stacks -- */

/* The format forgets its stacks: nothing needs them any more. */
static bool settle(void *context)
{
	struct run *run = context;

	gti_profile_forget_stacks(&run->profile);
	gti_profile_forget_stacks(&run->holders.sums);
	gti_names_forget(&run->names);
	gti_forget_frames(run);
	return true;
}

/* Profiles number their names anew, places of blocks do not. */
static void restart(void *context)
{
	struct run *run = context;
	struct texts *sites = run->names.sites;

	gti_names_forget(&run->names);
	gti_forget_frames(run);
	gti_texts_free(&sites[NAMED_SLICES]);
	gti_texts_free(&sites[NAMED_HOLDERS]);
	gti_texts_init(&sites[NAMED_SLICES], run->memory);
	gti_texts_init(&sites[NAMED_HOLDERS], run->memory);
	if (run->wanted->restart != NULL)
		run->wanted->restart(run);
}

static const struct settling settling = {settle, restart};

/* -------------------------------------------------------------- observer -- */

static void want_slices(struct run *run)
{
	struct gtrace *trace = run->trace;
	int64_t frequency = gtrace_frequency(trace);
	size_t n = run->wanted->request.n;

	gti_slices_init(&run->slices, n != 0 ? n : 1, trace->facts.processors,
			frequency != 0 ? 1e9 / (double)frequency : 1,
			run->memory);
	run->slices.inside = run->observer.inside;
	run->observer.slices = &run->slices;
}

static void want_waits(struct run *run)
{
	const struct gtrace_request *request = &run->wanted->request;

	gti_waits_init(&run->waits, request->waits, request->delays,
		       &run->observer.clock, run->memory);
	run->waits.parts.wanted = request->parts;
	run->waits.filter = run->observer.filter;
	run->observer.waits = &run->waits;
}

/* Uses what is known of the machine. Returns false if there is no memory. */
static bool want_machine(struct run *run)
{
	const struct machine_facts *facts = run->trace->machine;
	struct machine *machine;

	if (facts == NULL || facts->evidence.silences.count == 0)
		return true;
	machine = gti_allocate_zeroed(run->memory, 1, sizeof(*machine));
	if (machine == NULL)
		return false;
	machine->hears = true;
	machine->known = &facts->evidence;
	run->observer.machine = machine;
	return true;
}

/* Returns false if there is no memory. */
static bool want_stops(struct run *run)
{
	const struct wanted *wanted = run->wanted;

	gti_stops_init(&run->stops, wanted->request.stops, &run->observer.clock,
		       run->memory);
	run->stops.filter = run->observer.filter;
	run->stops.each_context = run;
	run->observer.stops = &run->stops;
	if (wanted->request.details && !want_machine(run))
		return false;
	if (!wanted->holders)
		return true;
	run->stops.holders = &run->holders;
	run->holders.by_phase = wanted->put_stack != NULL;
	return gti_profile_init(&run->holders.sums, true, &gti_holder_names,
				run, run->memory);
}

/* Whether requests are wanted, or the paths of requests. */
static bool wants_requests(const struct wanted *wanted)
{
	const struct gtrace_request *request = &wanted->request;

	return request->requests != 0 ||
	       (request->paths != 0 && !gti_paths_are_of_times(request));
}

static void want_blocks(struct run *run, const struct sinks *sinks)
{
	const struct gtrace_request *request = &run->wanted->request;
	struct blocks *blocks = &run->blocks;

	gti_blocks_init(blocks, &run->observer.clock, run->memory);
	blocks->filter = run->observer.filter;
	blocks->name = gti_name_block_event;
	blocks->describe = gti_describe_block_place;
	blocks->context = blocks->each_context = run;
	blocks->each = sinks->block;
	blocks->lives.each_assist = sinks->assist;
	blocks->lives.each_context = run;
	blocks->lives.pool.memory = run->memory;
	if (request->goroutines || sinks->assist != NULL)
		blocks->lives.pool.size = sizeof(struct lived);
	if (request->filter != NULL) {
		blocks->lives.g = request->filter->g;
		blocks->lives.g_count = request->filter->g_count;
	}
	if (wants_requests(run->wanted))
		gti_requests_want(
			blocks, request->requests != 0 ? request->requests : 1,
			request->at != NULL);
	blocks->requests.by_root = request->root != NULL;
	blocks->requests.keeps_all = request->paths != 0 || run->wanted->spans;
	if (run->filter.asked.requests_over != 0)
		blocks->requests.over = run->filter.asked.requests_over;
	blocks->plain = blocks->each == NULL && blocks->filter == NULL &&
			!blocks->requests.wanted;
	run->observer.blocks = blocks;
}

/* Returns false if there is no memory. */
static bool want_sched(struct run *run)
{
	const struct wanted *wanted = run->wanted;
	const struct format_facts *facts = &run->trace->facts;
	struct collections *collections = &run->collections;
	struct consumer consumer = gti_sched_consumer(&run->sched);

	gti_sched_init(&run->sched, wanted->request.sched,
		       run->trace->input.size, run->memory);
	run->sched.by_thread = run->trace->format->has_threads;
	run->sched.keeps_past = wanted->request.collections && !wanted->brief;
	if (wanted->request.collections) {
		collections->describe = gti_describe_stack;
		collections->text = gti_transition_text;
		collections->context = run;
		collections->filter = run->observer.filter;
		collections->has_stops = facts->version >= VERSION_STOPS;
		gti_collections_init(collections, &run->sched, run->memory);
		consumer = gti_collections_consumer(collections);
	}
	return gti_consume(run, &consumer);
}

/* Returns false if there is no memory. */
static bool want_profile(struct run *run)
{
	struct profile **user = &run->observer.profile;

	if (run->wanted->sums == SUMS_OF_WAITS)
		user = &run->waits.profile;
	else if (run->wanted->sums == SUMS_OF_ASSISTS)
		user = &run->collections.profile;
	*user = &run->profile;
	if (!gti_profile_init(&run->profile, run->wanted->put_stack != NULL,
			      &gti_slice_names, run, run->memory))
		return false;
	if (run->observer.waits != NULL)
		run->profile.delay = &run->waits.delay;
	return true;
}

bool gti_consume(struct run *run, const struct consumer *consumer)
{
	if (run->feed == NULL) {
		run->feed =
			gti_allocate_zeroed(run->memory, 1, sizeof(*run->feed));
		if (run->feed == NULL)
			return false;
		gti_feed_init(run->feed, &run->observer.clock, run->memory);
		run->observer.feed = run->feed;
		/* Stacks that consumers name are forgotten in time. */
		run->observer.settling = &settling;
	}
	gti_feed_add(run->feed, consumer);
	return true;
}

/* What comes of it is given to SINKS, or what names stacks is told. */
static void set_callbacks(struct run *run, const struct sinks *sinks,
			  bool named)
{
	struct observer *observer = &run->observer;

	if (named || run->wanted->machine || run->wanted->restart != NULL)
		observer->settling = &settling;
	observer->settle_context = observer->each_context = run;
	observer->each_slice = sinks->slice;
	observer->each_collection = sinks->collection;
}

/* Sets up the analyses. Returns false if there is no memory. */
static bool want(struct run *run)
{
	static const struct sinks none = {.slice = NULL};
	const struct wanted *wanted = run->wanted;
	const struct gtrace_request *request = &wanted->request;
	const struct sinks *sinks =
		wanted->sinks != NULL ? wanted->sinks : &none;
	bool profiles = wanted->sums != SUMS_OF_NOTHING;
	bool sched = request->collections || request->sched != 0;
	bool waits = request->waits != 0 || request->delays != 0 ||
		     wanted->all_waits || wanted->sums == SUMS_OF_WAITS;
	bool blocks = request->blocks != 0 || request->goroutines != 0 ||
		      wants_requests(wanted);

	set_callbacks(run, sinks,
		      profiles || wanted->holders || blocks ||
			      sinks->block != NULL || request->collections ||
			      request->paths != 0);
	if (wanted->machine && request->n != 0)
		want_slices(run);
	if (wanted->machine)
		return gti_collect_machine(run);
	if (request->details || wanted->inside)
		run->observer.inside = &run->inside;
	/* A slice below zero is an error for a report of blocks too. */
	if (request->n != 0 || waits || blocks || sched)
		want_slices(run);
	if (waits)
		want_waits(run);
	/* Details of slices include the time of stops. */
	if ((request->stops != 0 || wanted->holders || request->details ||
	     waits || sinks->stop != NULL) &&
	    !want_stops(run))
		return false;
	run->stops.each = sinks->stop;
	if (blocks || sinks->block != NULL)
		want_blocks(run, sinks);
	if (sched && !want_sched(run))
		return false;
	if (wanted->causes && !gti_want_causes(run))
		return false;
	return !profiles || want_profile(run);
}

/* ------------------------------------------------------------------ pass -- */

/* Whether something that was found does not fit into memory. */
static bool lacks_memory(const struct run *run)
{
	return run->failed || run->stops.failed || run->profile.failed ||
	       run->waits.failed || run->blocks.failed || run->sched.failed ||
	       run->collections.failed || run->holders.sums.failed ||
	       run->filter.failed || (run->feed != NULL && run->feed->failed);
}

static bool adds_up(const struct run *run)
{
	const struct observer *observer = &run->observer;

	return observer->waits != NULL || observer->blocks != NULL ||
	       observer->profile != NULL || run->wanted->holders ||
	       run->wanted->request.stops != 0 ||
	       run->wanted->request.sched != 0 ||
	       run->wanted->request.collections != 0;
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
	run->frames = gti_allocate_zeroed(
		run->memory, trace->format->frames_max, sizeof(*run->frames));
	if (status == GTRACE_OK && (run->frames == NULL || !want(run)))
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
	gti_release(memory, run->frames,
		    run->trace->format->frames_max * sizeof(*run->frames));
	gti_filter_free(&run->filter);
	gti_filter_free(&run->root);
	gti_filter_free(&run->at);
	gti_long_requests_free(&run->long_requests);
	gti_insides_free(&run->inside);
	gti_slices_free(&run->slices);
	gti_stops_free(&run->stops);
	gti_waits_free(&run->waits);
	gti_blocks_free(&run->blocks);
	gti_sched_free(&run->sched);
	gti_collections_free(&run->collections);
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

enum gtrace_status gti_run(struct gtrace *trace, const struct wanted *wanted,
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
	if (status == GTRACE_OK && gti_requests_settle(&run.blocks)) {
		gti_observer_restart(&run.observer);
		status = follow(&run, &fault);
	}
	if (status == GTRACE_OK && wanted->request.paths != 0)
		status = gti_follow_paths(&run, &fault);
	if (status == GTRACE_OK && lacks_memory(&run))
		status = gti_fail_memory(&fault);
	trace->clocks = run.observer.clocks;
	if (status == GTRACE_OK && wanted->make != NULL)
		status = make(&run, &fault);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	end(&run);
	return gti_guard_leave(&run.guard, status, error);
}
