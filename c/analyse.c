/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - the reports that one pass over a trace makes. */
#include "base/fail.h"
#include "base/guard.h"
#include "base/output.h"
#include "front.h"

/* What one pass finds, and the reports that are made of it. */
struct analysis {
	struct gtrace *trace;
	struct observer observer;
	struct slices slices;
	struct stops stops;
	struct insides inside;
	struct filter filter;
	/* Where the reports go; NULL: not wanted. */
	struct gtrace_greedy_report **greedy;
	struct gtrace_stop_report **report;
};

static void init(struct analysis *analysis,
		 const struct gtrace_request *request)
{
	struct gtrace *trace = analysis->trace;
	const struct format *format = trace->format;
	struct observer *observer = &analysis->observer;

	observer->memory = &trace->memory;
	if (analysis->greedy != NULL) {
		gti_slices_init(&analysis->slices, request->n,
				format->processors(trace->self),
				format->ns_per_tick(trace->self),
				&trace->memory);
		observer->slices = &analysis->slices;
		if (request->details)
			observer->inside = &analysis->inside;
		analysis->inside.memory = &trace->memory;
		analysis->slices.inside = observer->inside;
	}
	/* Details of slices include the time of stops. */
	if (analysis->report != NULL || observer->inside != NULL) {
		gti_stops_init(&analysis->stops, request->stops,
			       &observer->clock, &trace->memory);
		observer->stops = &analysis->stops;
		analysis->stops.filter = observer->filter;
	}
}

/* Makes the pass. */
static enum gtrace_status follow(struct analysis *analysis,
				 struct gtrace_error *error)
{
	struct gtrace *trace = analysis->trace;
	struct pass pass = {.observer = &analysis->observer};
	enum gtrace_status status =
		trace->format->follow(trace->self, &pass, error);

	if (status == GTRACE_OK && analysis->slices.negative)
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK && analysis->stops.failed)
		status = gti_fail_memory(error);
	if (status == GTRACE_OK)
		status = trace->format->prepare(trace->self, error);
	return status;
}

static enum gtrace_status make_reports(struct analysis *analysis,
				       struct gtrace_error *error)
{
	const struct clock *clock = &analysis->observer.clock;
	enum gtrace_status status = GTRACE_OK;

	if (analysis->greedy != NULL)
		status = gti_make_greedy(analysis->trace, &analysis->slices,
					 clock, analysis->greedy, error);
	if (status == GTRACE_OK && analysis->report != NULL)
		status = gti_make_stops(analysis->trace, &analysis->stops,
					clock, analysis->report, error);
	return status;
}

static enum gtrace_status analyse(struct analysis *analysis,
				  const struct gtrace_request *request,
				  struct gtrace_error *error)
{
	enum gtrace_status status = gti_open_filter(
		analysis->trace, request->filter, &analysis->filter,
		&analysis->observer.filter, error);

	if (status != GTRACE_OK)
		return status;
	init(analysis, request);
	status = follow(analysis, error);
	if (status == GTRACE_OK)
		status = make_reports(analysis, error);
	gti_filter_free(&analysis->filter);
	gti_insides_free(&analysis->inside);
	gti_slices_free(&analysis->slices);
	gti_stops_free(&analysis->stops);
	gti_observer_free(&analysis->observer);
	return status;
}

enum gtrace_status gtrace_analyse(struct gtrace *trace,
				  const struct gtrace_request *given,
				  struct gtrace_greedy_report **greedy,
				  struct gtrace_stop_report **stops,
				  struct gtrace_error *error)
{
	struct analysis analysis = {.trace = trace};
	struct gtrace_request request;
	enum gtrace_status status;
	struct guard guard;

	if (greedy != NULL)
		*greedy = NULL;
	if (stops != NULL)
		*stops = NULL;
	status = gti_copy_sized(&request, sizeof(request), given, error);
	if (status != GTRACE_OK)
		return status;
	if (greedy != NULL && request.n != 0)
		analysis.greedy = greedy;
	if (stops != NULL && request.stops != 0)
		analysis.report = stops;
	gti_guard_enter(&guard, &trace->input);
	status = analyse(&analysis, &request, error);
	status = gti_guard_leave(&guard, status, error);
	if (status == GTRACE_OK)
		return status;
	if (greedy != NULL) {
		gtrace_greedy_free(*greedy);
		*greedy = NULL;
	}
	if (stops != NULL) {
		gtrace_stops_free(*stops);
		*stops = NULL;
	}
	return status;
}

/* ----------------------------------------------------------------- print -- */

static enum gtrace_status
print_reports(struct gtrace *trace, const struct gtrace_request *request,
	      const struct gtrace_greedy_report *greedy,
	      const struct gtrace_stop_report *stops,
	      const struct gtrace_output *output, struct gtrace_error *error)
{
	struct written written = {
		.greedy = &greedy,
		.stops = &stops,
		.names = &request->name,
		.count = 1,
		.format = request->format,
	};
	struct writer writer;
	bool all = true;
	enum gtrace_status status =
		gti_open_writer(&writer, output, &trace->memory, error);

	if (status != GTRACE_OK)
		return status;
	if (greedy != NULL)
		all = gti_write_greedy(&written, 0, &writer);
	if (stops != NULL && all)
		all = gti_write_stops(&written, 0, &writer);
	status = gti_writer_finish(&writer, error);
	return all ? status : gti_fail_memory(error);
}

static enum gtrace_status check_request(const struct gtrace_request *request,
					struct gtrace_error *error)
{
	if (request->n == 0 && request->stops == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"no report is asked for");
	if (request->format == GTRACE_FORMAT_CSV && request->n != 0 &&
	    request->stops != 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"two reports do not make one CSV");
	return gti_check_format(request->format, error);
}

enum gtrace_status gtrace_print_reports(struct gtrace *trace,
					const struct gtrace_request *given,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	struct gtrace_greedy_report *greedy;
	struct gtrace_stop_report *stops;
	struct gtrace_request request;
	enum gtrace_status status =
		gti_copy_sized(&request, sizeof(request), given, error);

	if (status == GTRACE_OK)
		status = check_request(&request, error);
	if (status != GTRACE_OK)
		return status;
	if (request.format != GTRACE_FORMAT_TEXT)
		request.details = 1;
	status = gtrace_analyse(trace, &request, &greedy, &stops, error);
	if (status != GTRACE_OK)
		return status;
	status = print_reports(trace, &request, greedy, stops, output, error);
	gtrace_greedy_free(greedy);
	gtrace_stops_free(stops);
	return status;
}
