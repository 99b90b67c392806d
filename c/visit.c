/* SPDX-License-Identifier: BSD-3-Clause */
/* visit.c - slices, stop-the-world pauses and events, one after the other. */
#include <string.h>

#include "run.h"

/* What is visited. */
struct visit {
	struct gtrace_visitor visitor;
	uint64_t types; /* a bit for each type of events that are given */
};

/*
 * The visit of RUN, with the arena limited before something is made. NULL: the
 * visitor has ended it.
 */
static const struct visit *visit_of(struct run *run)
{
	gti_limit_frames(run);
	return run->observer.ended ? NULL : run->wanted->context;
}

static const struct gtrace_visitor *visitor_of(struct run *run)
{
	const struct visit *visit = visit_of(run);

	return visit != NULL ? &visit->visitor : NULL;
}

/* The types of VISITOR's events in a format with FACTS. */
static uint64_t find_types(const struct gtrace_visitor *visitor,
			   const struct format_facts *facts)
{
	const char *const *name = visitor->event_names;
	uint64_t types = name == NULL ? UINT64_MAX : 0;
	unsigned type;

	for (; name != NULL && *name != NULL; name++)
		for (type = 0; type < EVENT_TYPES; type++)
			if (facts->kinds[type].name != NULL &&
			    strcmp(facts->kinds[type].name, *name) == 0)
				types |= UINT64_C(1) << type;
	return types;
}

/* Whether what lasts from BEGIN to END passes the times of the filter. */
static bool is_asked(const struct run *run, int64_t begin, int64_t end)
{
	const struct filter *filter = run->observer.filter;

	return filter == NULL ||
	       (end >= filter->asked.from &&
		(filter->asked.to == 0 || begin < filter->asked.to));
}

static bool visit_heap(struct run *run, const struct gtrace_visitor *visitor,
		       const struct event *event)
{
	const struct format_facts *facts = &run->trace->facts;
	int64_t ts = run_ns(run, event->ticks);
	bool is_goal = event->type == facts->goal;
	int64_t bytes = is_goal ? collections_goal_of(event->args[0])
				: (int64_t)event->args[0];

	return (!is_goal && event->type != facts->heap) ||
	       !is_asked(run, ts, ts) ||
	       visitor->heap(visitor->context, ts, bytes, is_goal) == 0;
}

static bool visit_event(void *context, const struct event *event)
{
	struct run *run = context;
	const struct visit *visit = visit_of(run);
	const struct gtrace_visitor *visitor =
		visit != NULL ? &visit->visitor : NULL;
	struct gtrace_event made;

	if (visitor == NULL ||
	    (visitor->heap != NULL && !visit_heap(run, visitor, event)))
		return false;
	if (visitor->event == NULL || (visit->types >> event->type & 1) == 0)
		return true;
	if (!run_passes(run, event, run_ns(run, event->ticks)))
		return !run->filter.failed;
	gti_make_event(run, event, &made);
	made.link = run_link(run, event);
	return !run->failed && visitor->event(visitor->context, &made) == 0;
}

static bool visit_slice(void *context, const struct slice *slice)
{
	struct run *run = context;
	const struct gtrace_visitor *visitor = visitor_of(run);
	struct gtrace_slice made;

	gti_make_slice(run, slice, &made);
	return visitor != NULL && !run->failed &&
	       visitor->slice(visitor->context, &made) == 0;
}

static void visit_stop(void *context, const struct stop *stop)
{
	struct run *run = context;
	const struct gtrace_visitor *visitor = visitor_of(run);
	struct gtrace_stop made;

	gti_make_stop(run, stop, &made);
	run->observer.ended = visitor == NULL || run->failed ||
			      visitor->stop(visitor->context, &made) != 0;
}

static bool visit_collection(void *context, int64_t begin, int64_t end)
{
	struct run *run = context;
	const struct gtrace_visitor *visitor = visitor_of(run);

	return visitor != NULL &&
	       (!is_asked(run, begin, end) ||
		visitor->collection(visitor->context, begin, end) == 0);
}

static void visit_block(void *context, const struct ended_block *block)
{
	struct run *run = context;
	const struct gtrace_visitor *visitor = visitor_of(run);
	struct gtrace_block made;

	gti_make_block(run, block, &made);
	run->observer.ended = visitor == NULL || run->failed ||
			      visitor->block(visitor->context, &made) != 0;
}

enum gtrace_status gtrace_visit(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_visitor *given_visitor,
				struct gtrace_error *error)
{
	struct gtrace_request request;
	struct visit visit;
	const struct gtrace_visitor *visitor = &visit.visitor;
	enum gtrace_status status = gti_copy_sized(
		&visit.visitor, sizeof(visit.visitor), given_visitor, error);
	struct wanted wanted = {.context = &visit};
	struct sinks sinks;

	if (status == GTRACE_OK)
		status =
			gti_take_request(&request, given, REQUEST_VISIT, error);
	if (status != GTRACE_OK)
		return status;
	sinks = (struct sinks){
		.slice = visitor->slice != NULL ? visit_slice : NULL,
		.stop = visitor->stop != NULL ? visit_stop : NULL,
		.event = visitor->event != NULL || visitor->heap != NULL
				 ? visit_event
				 : NULL,
		.collection =
			visitor->collection != NULL ? visit_collection : NULL,
		.block = visitor->block != NULL ? visit_block : NULL,
	};
	wanted.request.filter = request.filter;
	wanted.request.details = request.details && sinks.slice != NULL;
	wanted.judges = request.details != 0;
	wanted.sinks = &sinks;
	wanted.links = visitor->event != NULL && visitor->event_names == NULL;
	visit.types = find_types(visitor, &trace->facts);
	return gti_run(trace, &wanted, error);
}
