/* SPDX-License-Identifier: BSD-3-Clause */
/* visit.c - slices, stops of the world and events, one after the other. */
#include "base/strings.h"
#include "run.h"

/* A visitor keeps frames of stacks until its arena takes so many bytes. */
#define VISIT_KEEPS_MAX ((size_t)4 << 20)

struct visiting {
	struct run run;
	struct gtrace_visitor visitor;
};

/*
 * Limits the arena before something is made, and sets the clock of the pass.
 * Returns false if a block has ended the visit.
 */
static bool prepare_maker(struct visiting *visiting)
{
	struct event_maker *maker = &visiting->run.maker;

	maker->clock = visiting->run.observer.clock;
	if (maker->arena.total > VISIT_KEEPS_MAX)
		gti_event_maker_forget(maker);
	return !visiting->run.observer.ended;
}

/* Ends the visit if something was not made, as there is no memory. */
static bool is_made(struct visiting *visiting, bool made)
{
	visiting->run.failed |= !made;
	return made;
}

/* Whether what lasts from BEGIN to END passes the times of the filter. */
static bool is_asked(const struct visiting *visiting, int64_t begin,
		     int64_t end)
{
	const struct filter *filter = visiting->run.observer.filter;

	return filter == NULL ||
	       (end >= filter->asked.from &&
		(filter->asked.to == 0 || begin < filter->asked.to));
}

static bool visit_heap(struct visiting *visiting, const struct event *event)
{
	const struct gtrace_visitor *visitor = &visiting->visitor;
	const struct format_facts *facts = &visiting->run.trace->facts;
	int64_t ts = clock_ns(&visiting->run.observer.clock, event->ticks);
	bool is_goal = event->type == facts->goal;
	int64_t bytes = is_goal ? collections_goal_of(event->args[0])
				: (int64_t)event->args[0];

	return (!is_goal && event->type != facts->heap) ||
	       !is_asked(visiting, ts, ts) ||
	       visitor->heap(visitor->context, ts, bytes, is_goal) == 0;
}

static bool visit_event(void *context, const struct event *event)
{
	struct visiting *visiting = context;
	struct run *run = &visiting->run;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_event made;

	if (!prepare_maker(visiting) ||
	    (visitor->heap != NULL && !visit_heap(visiting, event)))
		return false;
	if (visitor->event == NULL)
		return true;
	if (!run_passes(run, event, clock_ns(&run->maker.clock, event->ticks)))
		return !run->filter.failed;
	if (!is_made(visiting, gti_make_event(&run->maker, event, &made)))
		return false;
	made.link = run_link(run, event);
	return visitor->event(visitor->context, &made) == 0;
}

static bool visit_slice(void *context, const struct slice *slice)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_slice made;

	return prepare_maker(visiting) &&
	       is_made(visiting,
		       gti_make_slice(&visiting->run.maker, slice, &made)) &&
	       visitor->slice(visitor->context, &made) == 0;
}

static bool visit_stop(void *context, const struct stop *stop)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_stop made;

	return prepare_maker(visiting) &&
	       is_made(visiting,
		       gti_make_stop(&visiting->run.maker, &visiting->run.stops,
				     stop, &made)) &&
	       visitor->stop(visitor->context, &made) == 0;
}

static bool visit_collection(void *context, int64_t begin, int64_t end)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;

	if (!prepare_maker(visiting))
		return false;
	return !is_asked(visiting, begin, end) ||
	       visitor->collection(visitor->context, begin, end) == 0;
}

static void visit_block(void *context, const struct ended_block *block)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_block made;

	visiting->run.observer.ended =
		!prepare_maker(visiting) ||
		!is_made(visiting,
			 gti_make_block(&visiting->run.maker, &visiting->run,
					block, &made)) ||
		visitor->block(visitor->context, &made) != 0;
}

enum gtrace_status gtrace_visit(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_visitor *given_visitor,
				struct gtrace_error *error)
{
	struct gtrace_request request = {.size = sizeof(request)};
	struct visiting visiting;
	struct gtrace_visitor *visitor = &visiting.visitor;
	enum gtrace_status status =
		gti_copy_sized(visitor, sizeof(*visitor), given_visitor, error);
	struct wanted wanted = {.context = &visiting};
	struct sinks sinks;

	if (status == GTRACE_OK && given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
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
	wanted.sinks = &sinks;
	wanted.links = visitor->event != NULL;
	status = gti_run(&visiting.run, trace, &wanted, error);
	return gti_run_end(&visiting.run, status, error);
}
