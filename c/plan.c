/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c - goes through a trace.
 *
 * There are two orders. Merge order takes one pass that keeps nothing of the
 * events. Final order takes a first pass to learn which events move, or are
 * dropped. It is used where a pass in merge order fails, because the first
 * fault in final order is the one to report, and where merge order will not do:
 * with futile wakeups, and where an exit from a system call moved over another
 * event of its goroutine.
 */
#include <string.h>

#include "base/fail.h"
#include "front.h"
#include "v1/faults.h"
#include "v1/lookup.h"

static bool same_text(void *context, uint64_t a, uint64_t b)
{
	const struct gtrace *trace = context;

	return gti_lookup_same(&trace->index, a, b);
}

static struct gtrace_string event_name_text(void *context,
					    const struct event *event)
{
	const struct gtrace *trace = context;
	struct gtrace_string strings[GTRACE_STRINGS_MAX] = {{"", 0}};

	gti_lookup_strings(&trace->index, event, strings);
	return strings[0];
}

bool gti_plan_machine(struct gtrace *trace, const struct plan *plan,
		      struct states *states)
{
	const struct index *index = &trace->index;
	struct states_options options = {
		.stacks = &index->stacks,
		.same_text = same_text,
		.context = trace,
		.create_gives_pc = trace_is_old(trace),
		.stops_per_processor = index->rules.version < VERSION_STOP_KIND,
		.slots_return = !plan->careful && !trace_is_old(trace),
		.processors = (uint32_t)index->streams.count,
		.netpoll_slot = gti_index_stream_of(index, PROCESSOR_NETPOLL),
		.collector_slot =
			gti_index_stream_of(index, PROCESSOR_COLLECTOR),
		.slices = plan->slices,
		.links = plan->links,
		.ordinals = plan->links != NULL ? index->events : 0,
	};

	if (!gti_states_init(states, &options, &trace->memory))
		return false;
	states->clock.ns_per_tick = trace_ns_per_tick(trace);
	return true;
}

enum gtrace_status gti_plan_fault(struct gtrace *trace,
				  const struct states *states,
				  struct gtrace_error *error)
{
	struct fault_context context = {
		.version = trace->index.rules.version,
		.clock = states->clock,
		.name = event_name_text,
		.context = trace,
	};

	return gti_fault_message(&states->fault, &context, error);
}

/* Runs MACHINE over the events of SOURCE, up to the first fault. */
static enum gtrace_status follow(struct gtrace *trace, struct source *source,
				 struct states *states,
				 struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;
	bool stopped = false;

	status = source_next(source, &event, error);
	if (event != NULL) {
		states->clock.first_ticks = source_first_ticks(source);
		stopped = !gti_states_step(states, event);
		if (!stopped)
			status = gti_source_run(source, gti_states_step, states,
						&stopped, error);
	}
	if (stopped)
		return gti_plan_fault(trace, states, error);
	if (status == GTRACE_OK && !gti_states_finish(states))
		return gti_fail_memory(error);
	return status;
}

/*
 * One walk with a states, as PLAN has it. Sets *CROSSED to whether the order
 * of the merge turned out not to do.
 */
static enum gtrace_status walk(struct gtrace *trace, struct plan *plan,
			       bool *crossed, struct gtrace_error *error)
{
	unsigned flags = plan->careful ? 0 : MERGE_FORGET;
	enum gtrace_status status;
	struct states states;
	struct source source;

	*crossed = false;
	if (!plan->careful && plan->links != NULL)
		flags |= MERGE_KEEP_EXITS;
	status = gti_source_init(&source, &trace->index, flags,
				 plan->careful ? &plan->exits : NULL,
				 plan->dropped, error);
	if (status != GTRACE_OK)
		return status;
	if (gti_plan_machine(trace, plan, &states)) {
		status = follow(trace, &source, &states, error);
		plan->clock = states.clock;
		gti_states_free(&states);
	} else {
		status = gti_fail_memory(error);
	}
	*crossed = source_is_crossed(&source);
	if (!plan->careful && status == GTRACE_OK && !*crossed)
		plan->exits = gti_source_take_exits(&source);
	gti_source_free(&source);
	return status;
}

/* Learns what stands elsewhere, or is left out, in the final order. */
static enum gtrace_status prepare(struct gtrace *trace, struct plan *plan,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	struct source source;
	struct event *event;

	status = gti_source_init(&source, &trace->index, MERGE_KEEP_EXITS, NULL,
				 NULL, error);
	if (status != GTRACE_OK)
		return status;
	do
		status = source_next(&source, &event, error);
	while (status == GTRACE_OK && event != NULL);
	if (status == GTRACE_OK)
		plan->exits = gti_source_take_exits(&source);
	gti_source_free(&source);
	if (status != GTRACE_OK || !trace->index.futile)
		return status;
	status = gti_source_init(&source, &trace->index, 0, &plan->exits, NULL,
				 error);
	if (status != GTRACE_OK)
		return status;
	status = gti_futile_find(&source, &plan->dropped, error);
	gti_source_free(&source);
	return status;
}

void gti_plan_free(struct gtrace *trace, struct plan *plan)
{
	gti_array_free(&plan->exits, sizeof(struct moved_exit), &trace->memory);
	gti_release(&trace->memory, plan->dropped, dropped_size(&trace->index));
	plan->dropped = NULL;
}

/* Throws away what a walk that failed has found. */
static void forget_findings(struct gtrace *trace, struct plan *plan)
{
	if (plan->slices != NULL) {
		struct slices found = *plan->slices;

		gti_slices_free(&found);
		gti_slices_init(plan->slices, found.wanted,
				(uint32_t)trace->index.streams.count,
				found.ns_per_tick, &trace->memory);
	}
	if (plan->links != NULL)
		memset(plan->links, 0,
		       trace_link_count(trace) * sizeof(*plan->links));
}

/*
 * Whether the verdict of the usual way stands: all is well, or it was not
 * about the order that events have in the end.
 */
static bool is_final(enum gtrace_status status, bool crossed)
{
	return status == GTRACE_OK ? !crossed : status != GTRACE_ERROR_STATE;
}

enum gtrace_status gti_plan_follow(struct gtrace *trace, struct plan *plan,
				   struct gtrace_error *error)
{
	enum gtrace_status status;
	bool crossed;

	plan->careful = trace->careful || trace->index.futile;
	if (!plan->careful) {
		status = walk(trace, plan, &crossed, error);
		if (is_final(status, crossed))
			return status;
		forget_findings(trace, plan);
		plan->careful = true;
	}
	status = prepare(trace, plan, error);
	return status == GTRACE_OK ? walk(trace, plan, &crossed, error)
				   : status;
}
