/* SPDX-License-Identifier: BSD-3-Clause */
/* visit.c - slices, stops of the world and events, one after the other. */
#include "base/fail.h"
#include "base/guard.h"
#include "front.h"

/*
 * A visitor keeps the frames of stacks until its arena takes this many bytes.
 */
#define VISIT_KEEPS_MAX ((size_t)4 << 20)

enum gtrace_status gti_check_trace(struct gtrace *trace,
				   struct observer *observer,
				   struct gtrace_error *error)
{
	struct pass pass = {.observer = observer, .repeats = true};
	enum gtrace_status status =
		trace->format->follow(trace->self, &pass, error);

	if (status == GTRACE_OK)
		status = trace->format->prepare(trace->self, error);
	return status;
}

uint64_t gti_link_of(const struct observer *links, const struct event *event)
{
	return event->ordinal <= links->link_count
		       ? links->links[event->ordinal]
		       : 0;
}

/* The pass that calls the caller's functions. */
struct visiting {
	struct event_maker maker;
	struct observer links; /* of the pass before it */
	struct observer observer;
	struct stops stops;
	struct insides inside;
	struct filter filter;
	struct gtrace_visitor visitor;
	bool failed; /* there was no memory */
};

/* Limits the arena before something is made, and sets the clock of the pass. */
static void prepare_maker(struct visiting *visiting)
{
	struct event_maker *maker = &visiting->maker;

	maker->clock = visiting->observer.clock;
	if (maker->arena.total <= VISIT_KEEPS_MAX)
		return;
	gti_event_maker_forget(maker);
}

static bool visit_event(void *context, const struct event *event)
{
	struct visiting *visiting = context;
	struct filter *filter = visiting->observer.filter;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_event made;

	prepare_maker(visiting);
	if (filter != NULL &&
	    !gti_filter_event(filter, event,
			      clock_ns(&visiting->maker.clock, event->ticks)))
		return !filter->failed;
	visiting->failed |= !gti_make_event(&visiting->maker, event, &made);
	if (visiting->failed)
		return false;
	made.link = gti_link_of(&visiting->links, event);
	return visitor->event(visitor->context, &made) == 0;
}

static bool visit_slice(void *context, const struct slice *slice)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_slice made;

	prepare_maker(visiting);
	visiting->failed |= !gti_make_slice(&visiting->maker, slice, &made);
	return !visiting->failed &&
	       visitor->slice(visitor->context, &made) == 0;
}

static bool visit_stop(void *context, const struct stop *stop)
{
	struct visiting *visiting = context;
	const struct gtrace_visitor *visitor = &visiting->visitor;
	struct gtrace_stop made;

	prepare_maker(visiting);
	visiting->failed |=
		!gti_make_stop(&visiting->maker, &visiting->stops, stop, &made);
	return !visiting->failed && visitor->stop(visitor->context, &made) == 0;
}

static bool visit_collection(void *context, int64_t begin, int64_t end)
{
	struct visiting *visiting = context;
	const struct filter *filter = visiting->observer.filter;
	const struct gtrace_visitor *visitor = &visiting->visitor;

	if (filter != NULL &&
	    (end < filter->asked.from ||
	     (filter->asked.to != 0 && begin >= filter->asked.to)))
		return true;
	return visitor->collection(visitor->context, begin, end) == 0;
}

static void init_observer(struct visiting *visiting, struct gtrace *trace,
			  bool details)
{
	struct observer *observer = &visiting->observer;

	observer->memory = &trace->memory;
	observer->each_context = visiting;
	if (visiting->visitor.collection != NULL)
		observer->each_collection = visit_collection;
	if (visiting->visitor.slice != NULL) {
		observer->each_slice = visit_slice;
		visiting->inside.memory = &trace->memory;
		if (details)
			observer->inside = &visiting->inside;
	}
	/* Details of slices include the time of stops. */
	if (visiting->visitor.stop != NULL || observer->inside != NULL) {
		gti_stops_init(&visiting->stops, 0, &observer->clock,
			       &trace->memory);
		if (visiting->visitor.stop != NULL)
			visiting->stops.each = visit_stop;
		visiting->stops.each_context = visiting;
		visiting->stops.filter = observer->filter;
		observer->stops = &visiting->stops;
	}
}

static enum gtrace_status make_pass(struct visiting *visiting,
				    struct gtrace *trace,
				    struct gtrace_error *error)
{
	struct pass pass = {
		.observer = &visiting->observer,
		.visit = visiting->visitor.event != NULL ? visit_event : NULL,
		.context = visiting,
		.last = true,
	};
	struct filter *filter = visiting->observer.filter;
	enum gtrace_status status;

	if (!gti_event_maker_init(&visiting->maker, trace, false))
		return gti_fail_memory(error);
	visiting->maker.inside = visiting->observer.inside;
	status = trace->format->follow(trace->self, &pass, error);
	if (status == GTRACE_OK &&
	    (visiting->failed || visiting->stops.failed ||
	     (filter != NULL && filter->failed)))
		status = gti_fail_memory(error);
	return status;
}

/* The same after the pass that checks the trace. */
static enum gtrace_status run_visit(struct visiting *visiting,
				    struct gtrace *trace, bool details,
				    struct gtrace_error *error)
{
	enum gtrace_status status;

	visiting->links.memory = &trace->memory;
	visiting->links.wants_links = visiting->visitor.event != NULL;
	status = gti_check_trace(trace, &visiting->links, error);
	if (status == GTRACE_OK) {
		init_observer(visiting, trace, details);
		status = make_pass(visiting, trace, error);
	}
	gti_event_maker_free(&visiting->maker);
	gti_arena_free(&visiting->maker.arena);
	gti_stops_free(&visiting->stops);
	gti_insides_free(&visiting->inside);
	gti_observer_free(&visiting->links);
	return status;
}

static enum gtrace_status visit(struct gtrace *trace,
				const struct gtrace_request *request,
				const struct gtrace_visitor *visitor,
				struct gtrace_error *error)
{
	struct visiting visiting = {.visitor = *visitor};
	enum gtrace_status status;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	status = gti_open_filter(trace, request->filter, &visiting.filter,
				 &visiting.observer.filter, error);
	if (status == GTRACE_OK) {
		status = run_visit(&visiting, trace, request->details != 0,
				   error);
		gti_filter_free(&visiting.filter);
	}
	return gti_guard_leave(&guard, status, error);
}

enum gtrace_status gtrace_visit(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_visitor *given_visitor,
				struct gtrace_error *error)
{
	struct gtrace_request request = {.size = sizeof(request)};
	struct gtrace_visitor visitor;
	enum gtrace_status status =
		gti_copy_sized(&visitor, sizeof(visitor), given_visitor, error);

	if (status == GTRACE_OK && given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
	if (status != GTRACE_OK)
		return status;
	return visit(trace, &request, &visitor, error);
}

enum gtrace_status gtrace_visit_slices(
	struct gtrace *trace,
	int (*each)(void *context, const struct gtrace_slice *slice),
	void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .slice = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}

enum gtrace_status
gtrace_visit_stops(struct gtrace *trace,
		   int (*each)(void *context, const struct gtrace_stop *stop),
		   void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .stop = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}

enum gtrace_status gtrace_visit_events(
	struct gtrace *trace,
	int (*each)(void *context, const struct gtrace_event *event),
	void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .event = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}
