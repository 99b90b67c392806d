/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - one pass over a trace, for whatever is wanted of it. */
#include "run.h"

#include "base/fail.h"

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

/*
 * From this version on the runtime preempts goroutines that do not call
 * functions. It does since Go 1.14, but that has the version of Go 1.11.
 */
#define VERSION_HEARD 1019

static bool lets_all_pass(const struct gtrace_filter *asked)
{
	return asked->g_count == 0 && asked->p_count == 0 &&
	       asked->function == NULL && asked->from == 0 && asked->to == 0 &&
	       asked->min == 0 && asked->user == 0;
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

	if (trace->facts.version > VERSION_WITHOUT_NAMES)
		return GTRACE_OK;
	return check_trace(trace, &nothing, error);
}

/* Sets observer->filter, unless GIVEN lets everything pass. */
static enum gtrace_status open_filter(struct run *run,
				      const struct gtrace_filter *given,
				      struct gtrace_error *error)
{
	struct gtrace *trace = run->trace;
	struct gtrace_filter asked;
	enum gtrace_status status;

	if (given == NULL)
		return GTRACE_OK;
	status = gti_copy_sized(&asked, sizeof(asked), given, error);
	if (status != GTRACE_OK || lets_all_pass(&asked))
		return status;
	if (gtrace_in_ticks(trace) &&
	    (asked.from != 0 || asked.to != 0 || asked.min != 0))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a filter has times, but those of the trace "
				"are in ticks, as its tick frequency is cut "
				"off");
	status = gti_filter_init(&run->filter, &asked, trace->format,
				 trace->self, trace->facts.kinds,
				 &trace->memory, error);
	if (status != GTRACE_OK) {
		run->filter = (struct filter){.failed = false};
		return status;
	}
	run->observer.filter = &run->filter;
	run->asked = asked;
	return GTRACE_OK;
}

/* Makes FILTER one of names that EXPRESSION matches, unless that is NULL. */
static enum gtrace_status open_names(struct run *run, struct filter *filter,
				     const char *expression,
				     struct gtrace_error *error)
{
	const struct gtrace_filter asked = {.function = expression};

	if (expression == NULL)
		return GTRACE_OK;
	return gti_filter_init(filter, &asked, run->trace->format,
			       run->trace->self, run->trace->facts.kinds,
			       &run->trace->memory, error);
}

/* ----------------------------------------------------------------- names -- */

/* See struct profile_names. */
static uint32_t name_stack(void *context, unsigned gc_worker, uint64_t stack)
{
	struct run *run = context;
	const struct naming *made = gti_make_naming(&run->maker, stack);
	const struct gtrace_frame *frames;
	struct naming naming;
	uint32_t name = NO_TEXT;
	size_t count;

	if (made != NULL && stack != 0 && !gti_is_named(made))
		return PROFILE_UNNAMED;
	if (made != NULL &&
	    gti_make_frames(&run->maker, stack, &frames, &count)) {
		naming = naming_with_worker(*made, gc_worker);
		name = run->wanted->name(run->wanted->context, &naming, frames,
					 count);
	}
	run->failed |= name == NO_TEXT;
	return name;
}

static uint32_t name_holder(void *context, unsigned how, uint64_t stack)
{
	struct run *run = context;
	struct gtrace_late late = {.how = GTRACE_LATE_RAN};
	struct naming naming;
	uint32_t name = NO_TEXT;

	run->phase = how == HOLDER_STOPPED      ? RUN_STOPPED
		     : how == HOLDER_RESTARTING ? RUN_RESTARTING
						: RUN_STOPPING;
	if (how < HOLDER_NONE)
		late.how = (enum gtrace_late_how)how;
	if (gti_make_frames(&run->maker, stack, &late.frames,
			    &late.frame_count)) {
		naming = gti_name_late(how == HOLDER_NONE ? NULL : &late);
		name = run->wanted->name_holder(run->wanted->context, &naming,
						late.frames, late.frame_count);
	}
	run->failed |= name == NO_TEXT;
	return name;
}

static const struct profile_names names = {name_stack};
static const struct profile_names holder_names = {name_holder};

/* The format forgets its stacks: nothing needs them any more. */
static bool settle(void *context)
{
	struct run *run = context;

	gti_profile_forget_stacks(&run->profile);
	gti_profile_forget_stacks(&run->holders.sums);
	gti_event_maker_forget(&run->maker);
	return true;
}

static void restart(void *context)
{
	struct run *run = context;

	gti_event_maker_forget(&run->maker);
	if (run->wanted->restart != NULL)
		run->wanted->restart(run->wanted->context);
}

static const struct settling settling = {settle, restart};

/* -------------------------------------------------------------- observer -- */

static void want_slices(struct run *run, const struct wanted *wanted)
{
	struct gtrace *trace = run->trace;
	int64_t frequency = gtrace_frequency(trace);

	gti_slices_init(
		&run->slices, wanted->request.n != 0 ? wanted->request.n : 1,
		trace->facts.processors,
		frequency != 0 ? 1e9 / (double)frequency : 1, &trace->memory);
	run->slices.inside = run->observer.inside;
	run->observer.slices = &run->slices;
}

static bool want_profile(struct run *run, const struct wanted *wanted)
{
	bool good = gti_profile_init(&run->profile, wanted->by_goroutine,
				     &names, run, &run->trace->memory);

	if (wanted->profile_of_waits)
		run->waits.profile = &run->profile;
	else if (wanted->profile_of_assists)
		run->collections.profile = &run->profile;
	else
		run->observer.profile = &run->profile;
	if (wants_waits(wanted))
		run->profile.delay = &run->waits.delay;
	return good;
}

/* Returns false if there is no memory. */
static bool want_machine(struct run *run)
{
	const struct gtrace *trace = run->trace;
	struct machine *machine =
		gti_allocate_zeroed(&trace->memory, 1, sizeof(*machine));

	if (machine == NULL)
		return false;
	machine->hears = trace->facts.version >= VERSION_HEARD;
	machine->counts = trace->format->times_calls;
	run->observer.machine = machine;
	run->stops.stretches = &machine->stretches;
	return true;
}

/* Returns false if there is no memory. */
static bool want_stops(struct run *run, const struct wanted *wanted)
{
	const struct gtrace_allocator *memory = &run->trace->memory;

	gti_stops_init(&run->stops, wanted->request.stops, &run->observer.clock,
		       memory);
	run->stops.filter = run->observer.filter;
	run->observer.stops = &run->stops;
	/* Without a unit of times, nothing is known to be long. */
	if (wanted->request.details && !gtrace_in_ticks(run->trace) &&
	    !want_machine(run))
		return false;
	if (wanted->name_holder == NULL)
		return true;
	run->stops.holders = &run->holders;
	run->holders.by_phase = wanted->by_goroutine;
	return gti_profile_init(&run->holders.sums, true, &holder_names, run,
				memory);
}

/* Returns false if there is no memory. */
static bool want(struct run *run, const struct wanted *wanted)
{
	static const struct sinks none = {.slice = NULL};
	const struct sinks *sinks =
		wanted->sinks != NULL ? wanted->sinks : &none;
	struct observer *observer = &run->observer;

	if (wanted->restart != NULL || wants_blocks(wanted) ||
	    wanted->request.collections)
		observer->settling = &settling;
	observer->settle_context = run;
	observer->each_slice = sinks->slice;
	observer->each_collection = sinks->collection;
	observer->each_context = wanted->context;
	gti_insides_init(&run->inside, &run->trace->memory);
	if (wanted->request.details || wanted->inside)
		observer->inside = &run->inside;
	run->maker.inside = observer->inside;
	/* A slice below zero is an error for a report of blocks too. */
	if (wanted->request.n != 0 || wants_waits(wanted) ||
	    (wants_blocks(wanted) && wanted->sinks == NULL))
		want_slices(run, wanted);
	if (wants_waits(wanted)) {
		gti_waits_init(&run->waits, wanted->request.waits,
			       wanted->request.delays, &observer->clock,
			       &run->trace->memory);
		run->waits.parts.wanted = wanted->request.parts;
		run->waits.filter = observer->filter;
		observer->waits = &run->waits;
	}
	/* Details of slices include the time of stops. */
	if ((wanted->request.stops != 0 || wanted->name_holder != NULL ||
	     wanted->request.details || wants_waits(wanted) ||
	     sinks->stop != NULL) &&
	    !want_stops(run, wanted))
		return false;
	run->stops.each = sinks->stop;
	run->stops.each_context = wanted->context;
	if (wants_blocks(wanted)) {
		gti_want_blocks(run, wanted);
		run->blocks.each = sinks->block;
		run->blocks.each_context = wanted->context;
		run->blocks.lives.each_assist = sinks->assist;
		run->blocks.lives.each_context = wanted->context;
		run->blocks.plain = run->blocks.each == NULL &&
				    run->blocks.filter == NULL &&
				    !run->blocks.requests.wanted;
	}
	if (wants_sched(wanted))
		gti_want_collections(run, wanted);
	return wanted->name == NULL || want_profile(run, wanted);
}

/* ------------------------------------------------------------------ pass -- */

static enum gtrace_status follow(struct run *run, const struct wanted *wanted,
				 struct gtrace_error *error)
{
	const struct format *format = run->trace->format;
	bool gives = wanted->sinks != NULL;
	struct pass pass = {
		.observer = &run->observer,
		.visit = gives ? wanted->sinks->event : NULL,
		.context = wanted->context,
		.last = gives && !wanted->is_checked,
	};
	enum gtrace_status status =
		format->follow(run->trace->self, &pass, error);

	if (status == GTRACE_OK &&
	    (run->slices.negative || run->profile.negative))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK &&
	    (run->failed || run->stops.failed || run->profile.failed ||
	     run->waits.failed || run->blocks.failed || run->sched.failed ||
	     run->collections.failed || run->holders.sums.failed ||
	     run->filter.failed))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK && run->sched.too_many)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "there are more than %d samples of the "
				  "scheduler: take more time between them",
				  SCHED_SAMPLES_MAX);
	if (status == GTRACE_OK && !gives && format->prepare != NULL)
		status = format->prepare(run->trace->self, error);
	if (status == GTRACE_OK && run->observer.oncpu != NULL && !gives)
		status = gti_oncpu_fits(run->observer.oncpu, error);
	return status;
}

enum gtrace_status gti_run(struct run *run, struct gtrace *trace,
			   const struct wanted *wanted,
			   struct gtrace_error *error)
{
	struct gtrace_error fault;
	enum gtrace_status status;

	*run = (struct run){
		.trace = trace,
		.wanted = wanted,
		.observer.memory = &trace->memory,
		.links.memory = &trace->memory,
		.observer.oncpu = trace->oncpu,
		.observer.by_cpu = wanted->request.by_cpu,
		.links.oncpu = trace->oncpu,
	};
	if (trace->oncpu != NULL)
		gti_oncpu_restart(trace->oncpu);
	gti_guard_enter(&run->guard, &trace->input);
	status = open_filter(run, wanted->request.filter, &fault);
	if (status == GTRACE_OK)
		status = open_names(run, &run->root, wanted->request.root,
				    &fault);
	if (status == GTRACE_OK)
		status = open_names(run, &run->at, wanted->request.at, &fault);
	if (status == GTRACE_OK && wanted->request.by_cpu &&
	    trace->oncpu == NULL)
		status = gti_fail(&fault, GTRACE_ERROR_ARGUMENT, 0,
				  "the time on a CPU is not known without a "
				  "scheduling record");
	if (status == GTRACE_OK &&
	    (run->filter.by_names || wanted->name != NULL ||
	     wanted->name_holder != NULL || wants_blocks(wanted) ||
	     wanted->request.collections))
		status = find_names(trace, &fault);
	if (status == GTRACE_OK && wanted->sinks != NULL &&
	    !wanted->is_checked) {
		run->links.wants_links = wanted->links;
		status = check_trace(trace, &run->links, &fault);
		if (status == GTRACE_OK && trace->oncpu != NULL)
			status = gti_oncpu_fits(trace->oncpu, &fault);
	}
	if (status == GTRACE_OK &&
	    (!gti_event_maker_init(&run->maker, trace, false) ||
	     !want(run, wanted)))
		status = gti_fail_memory(&fault);
	if (status == GTRACE_OK)
		status = follow(run, wanted, &fault);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	return status;
}

enum gtrace_status gti_run_end(struct run *run, enum gtrace_status status,
			       struct gtrace_error *error)
{
	gti_event_maker_free(&run->maker);
	gti_arena_free(&run->maker.arena);
	gti_filter_free(&run->filter);
	gti_filter_free(&run->root);
	gti_filter_free(&run->at);
	gti_insides_free(&run->inside);
	gti_slices_free(&run->slices);
	gti_stops_free(&run->stops);
	gti_waits_free(&run->waits);
	gti_free_blocks(run);
	gti_free_collections(run);
	gti_profile_free(&run->profile);
	gti_profile_free(&run->holders.sums);
	if (run->observer.machine != NULL)
		gti_release(&run->trace->memory, run->observer.machine,
			    sizeof(*run->observer.machine));
	run->observer.machine = NULL;
	gti_observer_free(&run->observer);
	gti_observer_free(&run->links);
	return gti_guard_leave(&run->guard, status, error);
}
