/* SPDX-License-Identifier: BSD-3-Clause */
/* analyse.c - the reports that one pass over a trace makes. */
#include "base/fail.h"
#include "base/output.h"
#include "front.h"
#include "run.h"

/* Frees *GREEDY and *STOPS, and sets them to NULL. */
static void free_reports(struct gtrace_greedy_report **greedy,
			 struct gtrace_stop_report **stops)
{
	gtrace_greedy_free(*greedy);
	gtrace_stops_free(*stops);
	*greedy = NULL;
	*stops = NULL;
}

enum gtrace_status gtrace_analyse(struct gtrace *trace,
				  const struct gtrace_request *given,
				  struct gtrace_greedy_report **greedy,
				  struct gtrace_stop_report **stops,
				  struct gtrace_error *error)
{
	struct gtrace_greedy_report *unwanted = NULL;
	struct gtrace_stop_report *no_stops = NULL;
	struct gtrace_request request;
	struct wanted wanted;
	enum gtrace_status status;
	struct run run;

	greedy = greedy != NULL ? greedy : &unwanted;
	stops = stops != NULL ? stops : &no_stops;
	*greedy = NULL;
	*stops = NULL;
	status = gti_copy_sized(&request, sizeof(request), given, error);
	if (status != GTRACE_OK)
		return status;
	wanted = (struct wanted){
		.filter = request.filter,
		.slices = greedy != &unwanted ? request.n : 0,
		.stops = stops != &no_stops ? request.stops : 0,
	};
	wanted.details = request.details && wanted.slices != 0;
	status = gti_run(&run, trace, &wanted, error);
	if (status == GTRACE_OK && wanted.slices != 0)
		status = gti_make_greedy(trace, &run.slices,
					 &run.observer.clock, greedy, error);
	if (status == GTRACE_OK && wanted.stops != 0)
		status = gti_make_stops(trace, &run.stops, &run.observer.clock,
					stops, error);
	status = gti_run_end(&run, status, error);
	if (status != GTRACE_OK)
		free_reports(greedy, stops);
	return status;
}

/* ----------------------------------------------------------------- print -- */

static enum gtrace_status check_request(const struct gtrace_request *request,
					struct gtrace_error *error)
{
	if (request->n == 0 && request->stops == 0)
		return gti_fail(
			error, GTRACE_ERROR_ARGUMENT, 0,
			"request.n or request.stops must be at least 1");
	if (request->format == GTRACE_FORMAT_CSV && request->n != 0 &&
	    request->stops != 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"CSV output holds one report; set n or "
				"stops, not both");
	return GTRACE_OK;
}

enum gtrace_status gti_print_longest(struct gtrace *trace,
				     const struct gtrace_request *given,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	struct gtrace_request request = *given;
	struct gtrace_greedy_report *greedy;
	struct gtrace_stop_report *stops;
	const struct written written = {
		.greedy = (const struct gtrace_greedy_report *const *)&greedy,
		.stops = (const struct gtrace_stop_report *const *)&stops,
		.names = &request.name,
		.count = 1,
		.format = request.format,
	};
	enum gtrace_status status = check_request(&request, error);

	if (status != GTRACE_OK)
		return status;
	if (request.format != GTRACE_FORMAT_TEXT)
		request.details = 1;
	status = gtrace_analyse(trace, &request, &greedy, &stops, error);
	if (status != GTRACE_OK)
		return status;
	if ((greedy != NULL && !gti_write_greedy(&written, 0, writer)) ||
	    (stops != NULL && !gti_write_stops(&written, 0, writer)))
		status = gti_fail_memory(error);
	free_reports(&greedy, &stops);
	return status;
}
