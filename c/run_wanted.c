/* SPDX-License-Identifier: BSD-3-Clause */
/* run_wanted.c - the analyses that a pass makes, for what is wanted of it. */
#include "run.h"

#include "base/threads.h"
#include "causes.h"
#include "machine.h"
#include "paths.h"

/* ---------------------------------------------------------------- stacks -- */

/* The format forgets its stacks: nothing needs them any more. */
static bool settle(void *context)
{
	struct run *run = context;

	gti_profile_forget_stacks(&run->profile);
	gti_profile_forget_stacks(&run->holders.sums);
	gti_names_forget(&run->names);
	gti_forget_frames(run);
	gti_forget_cause_stacks(run);
	return true;
}

/* Profiles number their names anew, places of blocks do not. */
static void restart(void *context)
{
	struct run *run = context;
	struct texts *sites = run->names.sites;

	gti_names_forget(&run->names);
	gti_forget_frames(run);
	gti_forget_cause_stacks(run);
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
static bool want_stops(struct run *run, const struct sinks *sinks)
{
	const struct wanted *wanted = run->wanted;
	const struct consumer consumer = gti_stops_consumer(&run->stops);

	gti_stops_init(&run->stops, wanted->request.stops, &run->observer.clock,
		       run->memory);
	gti_describe_stops(run);
	run->stops.filter = run->observer.filter;
	run->stops.each = sinks->stop;
	if (!gti_consume(run, &consumer))
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

/* The lists of goroutines and requests are of a part of the trace. */
static void choose_times(struct run *run)
{
	const struct gtrace_filter *asked = &run->filter.asked;
	struct blocks *blocks = &run->blocks;

	if (asked->from == 0 && asked->to == 0)
		return;
	if (run->wanted->request.goroutines != 0) {
		blocks->lives.window = (struct time_window){
			true, asked->from,
			asked->to != 0 ? asked->to : INT64_MAX};
		blocks->lives.pool.size += LIFE_STATES * sizeof(uint64_t);
	}
	if (run->wanted->request.requests != 0)
		blocks->requests.times = asked;
}

/* Returns false if there is no memory. */
static bool want_blocks(struct run *run, const struct sinks *sinks)
{
	const struct gtrace_request *request = &run->wanted->request;
	struct blocks *blocks = &run->blocks;
	struct consumer consumer;

	gti_blocks_init(blocks, &run->observer.clock, &run->observer.clocks,
			run->memory);
	blocks->filter = run->observer.filter;
	blocks->name = gti_name_block_event;
	blocks->describe = gti_describe_block_place;
	blocks->context = blocks->each_context = run;
	blocks->wanted = request->blocks != 0 || sinks->block != NULL;
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
	choose_times(run);
	blocks->requests.by_root = request->root != NULL;
	blocks->requests.keeps_all = request->paths != 0 || run->wanted->spans;
	if (run->filter.asked.requests_over != 0)
		blocks->requests.over = run->filter.asked.requests_over;
	consumer = gti_blocks_consumer(blocks);
	if (!gti_consume(run, &consumer))
		return false;
	if (run->wanted->generation != NULL && request->filter != NULL)
		blocks->least = (uint64_t)greatest_of(run->filter.asked.min, 0);
	return true;
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
	if (run->observer.waits != NULL) {
		run->profile.delay = &run->waits.delay;
		run->profile.waited = &run->waits.slice_waited;
	}
	return true;
}

/* Whether the pass of RUN may have a second thread. */
static bool may_be_beside(const struct run *run)
{
	const struct gtrace_options *options = &run->trace->options;

	/*
	 * What a filter knows of names is for one thread, and what a stream has
	 * grows while its trace is read.
	 */
	if (run->observer.filter != NULL || run->wanted->sinks != NULL ||
	    run->trace->input.stream != NULL)
		return false;
	if (options->processors == 0)
		return options->allocator == NULL &&
		       gti_processors_online() > 1;
	return options->processors > 1;
}

bool gti_consume(struct run *run, const struct consumer *consumer)
{
	if (run->feed == NULL) {
		run->feed =
			gti_allocate_zeroed(run->memory, 1, sizeof(*run->feed));
		if (run->feed == NULL) {
			if (consumer->end != NULL)
				consumer->end(consumer->self);
			return false;
		}
		gti_feed_init(run->feed, &run->observer.clock, run->memory);
		run->observer.feed = run->feed;
		/* Stacks that consumers name are forgotten in time. */
		run->observer.settling = &settling;
	}
	gti_feed_add(run->feed, consumer);
	if (consumer->beside && may_be_beside(run))
		gti_feed_allow_beside(run->feed, &run->trace->input);
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
	observer->each_generation = run->wanted->generation;
}

/*
 * Where blocks are given away, or pauses among other things, a batch is one
 * transition: so all comes in the order of events, or by generation.
 */
static void give_in_order(struct run *run, const struct sinks *sinks)
{
	bool others = sinks->slice != NULL || sinks->event != NULL ||
		      sinks->collection != NULL;

	if ((sinks->block != NULL || (sinks->stop != NULL && others)) &&
	    run->wanted->generation == NULL)
		run->feed->most = 1;
}

bool gti_want(struct run *run)
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
	if (wanted->generation != NULL)
		want_slices(run);
	/* A slice below zero is an error for a report of blocks too. */
	if (request->n != 0 || waits || blocks || sched)
		want_slices(run);
	if (waits)
		want_waits(run);
	/* Details of slices include the time without a CPU. */
	if (request->details && !want_machine(run))
		return false;
	if ((request->stops != 0 || wanted->holders || sinks->stop != NULL) &&
	    !want_stops(run, sinks))
		return false;
	if ((blocks || sinks->block != NULL) && !want_blocks(run, sinks))
		return false;
	give_in_order(run, sinks);
#define WANT_HOOKED(report, asked)
#define WANT_CONSUMES(report, asked)                                           \
	if (request->asked != 0 && !gti_want_##report(run))                    \
		return false;
#define WANT(NAME, report, asked, uses, filters, made, ...)                    \
	WANT_##made(report, asked)
	REPORTS(WANT)
#undef WANT
#undef WANT_CONSUMES
#undef WANT_HOOKED
	if (wanted->generation != NULL)
		gti_follow_begin(run);
	if ((wanted->causes || wanted->holds) && !gti_want_causes(run))
		return false;
	return !profiles || want_profile(run);
}
