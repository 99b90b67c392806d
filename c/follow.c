/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.c - what ends in each generation of a trace, while it comes. */
#include "analysis/waits_hooks.h"
#include "base/fail.h"
#include "base/guard.h"
#include "machine.h"
#include "run.h"

/* What is followed. Shorter slices and waits than LEAST do not matter. */
struct follow {
	int64_t least;
	struct gtrace_follower follower;
	uint64_t told; /* generations that were given away, in any pass */
	uint64_t come; /* in the present pass */
};

/*
 * What RUN follows, with its arena limited before something is made. NULL: the
 * generation was given away, in a pass before this one.
 */
static struct follow *follow_of(struct run *run)
{
	struct follow *follow = run->wanted->context;

	gti_limit_frames(run);
	return follow->come >= follow->told ? follow : NULL;
}

static bool follow_slice(void *context, const struct slice *slice)
{
	struct run *run = context;
	struct follow *follow = follow_of(run);
	struct gtrace_slice made;

	if (follow == NULL)
		return true;
	if (run->observer.ended)
		return false;
	gti_make_slice(run, slice, &made);
	return !run->failed &&
	       follow->follower.slice(follow->follower.context, &made) == 0;
}

static void follow_stop(void *context, const struct stop *stop)
{
	struct run *run = context;
	struct follow *follow = follow_of(run);
	struct gtrace_stop made;

	if (follow == NULL || run->observer.ended)
		return;
	gti_make_stop(run, stop, &made);
	run->observer.ended =
		run->failed ||
		follow->follower.stop(follow->follower.context, &made) != 0;
}

static void follow_block(void *context, const struct ended_block *block)
{
	struct run *run = context;
	struct follow *follow = follow_of(run);
	struct gtrace_block made;

	if (follow == NULL || run->observer.ended)
		return;
	gti_make_block(run, block, &made);
	run->observer.ended =
		run->failed ||
		follow->follower.block(follow->follower.context, &made) != 0;
}

/* Gives away the waits that have ended. Returns whether the pass goes on. */
static bool give_waits(struct run *run)
{
	struct array *waits = &run->waits.longest.kept;
	const struct wait *wait = waits->items;
	struct follow *follow = follow_of(run);
	struct gtrace_wait made;
	bool goes_on = true;
	size_t i;

	for (i = 0; i < waits->count; i++) {
		if (follow != NULL && goes_on) {
			gti_limit_frames(run);
			gti_make_wait(run, &wait[i], &made);
			goes_on = !run->failed &&
				  follow->follower.wait(
					  follow->follower.context, &made) == 0;
		}
		gti_waits_release_kept(&run->waits, &wait[i]);
	}
	waits->count = 0;
	return goes_on;
}

/* Opens the generation at PLACE of TRACE alone. */
static enum gtrace_status open_part(struct gtrace *trace, struct gtrace *part,
				    const struct generation_place *place,
				    struct gtrace_error *error)
{
	const struct format_options options = {.memory = &part->memory,
					       .first = place->begin};

	*part = (struct gtrace){
		.memory = trace->memory,
		.options = {.size = sizeof(part->options)},
		.format = trace->format,
		.input = {.kind = INPUT_BORROWED,
			  .data = trace->input.data,
			  .size = (size_t)place->end,
			  .memory = &part->memory},
	};
	return part->format->open(&options, &part->input, &part->self,
				  &part->facts, error);
}

/* When the event at TICKS was, in nanoseconds since 1970. */
static int64_t wall_of(const struct gtrace *part, int64_t ticks)
{
	int64_t offset = part->format->wall(part->self);

	return offset != INT64_MIN ? add_ns(offset, ticks) : INT64_MIN;
}

static void close_part(struct gtrace *part)
{
	gti_free_machine(part);
	if (part->self != NULL)
		part->format->close(part->self);
}

/* See struct observer, each_generation. */
static bool follow_generation(void *context,
			      const struct generation_place *place,
			      int64_t last)
{
	struct run *run = context;
	struct follow *follow = run->wanted->context;
	const struct gtrace_follower *follower = &follow->follower;
	struct gtrace_error error;
	struct gtrace part;
	bool goes_on = run->observer.waits == NULL || give_waits(run);

	/* It may hold ends of blocks and pauses. */
	if (run->feed != NULL) {
		gti_feed_flush(run->feed);
		goes_on &= !run->observer.ended;
	}
	if (++follow->come <= follow->told)
		return true;
	follow->told = follow->come;
	if (!goes_on || follower->generation == NULL)
		return goes_on;
	if (open_part(run->trace, &part, place, &error) != GTRACE_OK) {
		run->failed = true;
		return false;
	}
	goes_on = follower->generation(
			  follower->context,
			  &(struct gtrace_generation){
				  .number = place->number,
				  .begin = place->begin,
				  .end = place->end,
				  .from = run_ns(run, place->time),
				  .to = run_ns(run, last),
				  .start = wall_of(&part, place->time),
				  .trace = &part,
			  }) == 0;
	close_part(&part);
	return goes_on;
}

void gti_follow_begin(struct run *run)
{
	const struct follow *follow = run->wanted->context;
	struct slices *slices = &run->slices;

	slices->short_ticks = (uint64_t)follow->least;
	slices->exact_ticks = UINT64_MAX;
	run->waits.only_longest = true;
	if (run->observer.waits != NULL)
		gti_waits_set_least(&run->waits, follow->least);
}

static void restart(struct run *run)
{
	struct follow *follow = run->wanted->context;

	if (follow->come >= follow->told && follow->follower.again != NULL)
		follow->follower.again(follow->follower.context);
	follow->come = 0;
	gti_follow_begin(run);
}

/* After the pass: waits that are not over. */
static enum gtrace_status give_rest(struct run *run, struct gtrace_error *error)
{
	(void)error;
	if (run->observer.waits != NULL && !run->observer.ended)
		give_waits(run);
	return GTRACE_OK;
}

/* Checks whether TRACE can be followed with REQUEST. Sets *LEAST. */
static enum gtrace_status check(const struct gtrace *trace,
				const struct gtrace_request *request,
				int64_t *least, struct gtrace_error *error)
{
	struct gtrace_filter filter;
	enum gtrace_status status = GTRACE_OK;

	if (trace->format->generations == NULL)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a trace of Go 1.21 or older cannot be "
				"followed: its strings and stacks are at its "
				"end");
	if (request->filter != NULL)
		status = gti_copy_sized(&filter, sizeof(filter),
					request->filter, error);
	if (request->filter == NULL || status != GTRACE_OK)
		return status;
	if (gti_has_moments(&filter) || filter.requests_over != 0)
		return gti_fail(
			error, GTRACE_ERROR_ARGUMENT, 0,
			"a trace that is followed has no end yet, which "
			"times of day, times from the end and "
			"`requests_over` need");
	*least = filter.min;
	return GTRACE_OK;
}

enum gtrace_status gtrace_follow(struct gtrace *trace,
				 const struct gtrace_request *given,
				 const struct gtrace_follower *given_follower,
				 struct gtrace_error *error)
{
	struct follow follow = {.told = 0};
	struct gtrace_follower *follower = &follow.follower;
	struct gtrace_request request;
	enum gtrace_status status = gti_copy_sized(follower, sizeof(*follower),
						   given_follower, error);
	struct wanted wanted = {.context = &follow,
				.restart = restart,
				.make = give_rest,
				.is_checked = true,
				.generation = follow_generation};
	struct sinks sinks;

	if (status == GTRACE_OK)
		status = gti_take_request(&request, given, REQUEST_FOLLOW,
					  error);
	if (status == GTRACE_OK)
		status = check(trace, &request, &follow.least, error);
	if (status != GTRACE_OK)
		return status;
	sinks = (struct sinks){
		.slice = follower->slice != NULL ? follow_slice : NULL,
		.stop = follower->stop != NULL ? follow_stop : NULL,
		.block = follower->block != NULL ? follow_block : NULL,
	};
	wanted.request.filter = request.filter;
	wanted.request.waits = follower->wait != NULL ? SIZE_MAX : 0;
	/* So slices are named as in other reports. */
	wanted.inside = follower->slice != NULL;
	wanted.sinks = &sinks;
	return gti_run(trace, &wanted, error);
}
