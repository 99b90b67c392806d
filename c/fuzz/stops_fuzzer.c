/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_fuzzer.c - any file to the report of stop-the-world pauses: it fails as
 * the greedy report does, merge order and final order agree, it is the same
 * alone and in one pass with the greedy report, and its times and lists make
 * sense. It also holds in partial mode.
 */
#include <stdbool.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"
#include "testing.h"
#include "tests/reports.h"

#define N 7

/* Where events are missing, the last to give up is not known. */
static void check_late(const struct gtrace_stop *stop)
{
	bool knows_obtained = stop->measured || stop->obtained != -1;
	size_t i;

	for (i = 0; i < stop->late_count; i++) {
		const struct gtrace_late *late = &stop->late[i];

		check(late->p != stop->p);
		check(late->event != NULL && late->event[0] != '\0');
		check(!knows_obtained || late->gave_up <= stop->obtained);
		check(i == 0 || late->gave_up < stop->late[i - 1].gave_up ||
		      (late->gave_up == stop->late[i - 1].gave_up &&
		       late->p > stop->late[i - 1].p));
		if (late->how == GTRACE_LATE_SCHEDULER)
			check(late->frame_count == 0);
	}
	check(stop->late_count == 0 || !knows_obtained ||
	      stop->obtained == stop->late[0].gave_up);
}

static void check_list(const struct gtrace_stop *const *stops, size_t count,
		       uint64_t all)
{
	size_t i;

	check(count <= N && (count == N || count == all));
	for (i = 0; i < count; i++) {
		const struct gtrace_stop *stop = stops[i];

		check(stop->number != 0 && stop->kind.data != NULL);
		check(!stop->measured || !stop->inferred);
		if (stop->measured) {
			check(stop->stopping >= 0);
			check(i == 0 ||
			      stop->stopping <= stops[i - 1]->stopping);
		} else if (stop->inferred) {
			check(stop->stopping_min <= stop->stopping_max);
			check(i == 0 ||
			      stop->stopping_min <= stops[i - 1]->stopping_min);
		} else {
			check(i == 0 || stop->number > stops[i - 1]->number);
		}
		check_late(stop);
	}
}

static void check_report(const struct gtrace_reports *reports)
{
	uint64_t count = 0, measured = 0;
	size_t i;

	check_list(reports->stops->stops, reports->stops->stop_count,
		   reports->stops->measured);
	check_list(reports->stops->inferred_stops,
		   reports->stops->inferred_count, reports->stops->inferred);
	check_list(reports->stops->unmeasured_stops,
		   reports->stops->unmeasured_count,
		   reports->stops->unmeasured);
	for (i = 0; i < reports->stops->kind_count; i++) {
		count += reports->stops->kinds[i].count;
		measured += reports->stops->kinds[i].measured;
		check(reports->stops->kinds[i].median <=
		      reports->stops->kinds[i].p99);
		check(reports->stops->kinds[i].p99 <=
		      reports->stops->kinds[i].max);
	}
	check(measured == reports->stops->measured);
	check(count == reports->stops->measured + reports->stops->unmeasured);
}

static int count_stop(void *context, const struct gtrace_stop *stop)
{
	uint64_t *count = context;

	check(stop->number != 0);
	++*count;
	return 0;
}

/* Prints the reports of REQUEST. */
static enum gtrace_status print(struct gtrace *trace, size_t slices,
				size_t stops, int format, struct sum *sum,
				struct gtrace_error *error)
{
	struct gtrace_output output = OUTPUT(.write = add, .context = sum);
	struct gtrace_request request = {.size = sizeof(request),
					 .n = slices,
					 .stops = stops,
					 .format = format};

	return gtrace_print(trace, &request, &output, error);
}

static void check_trace(struct gtrace *trace)
{
	struct gtrace_request request = {.size = sizeof(request), .stops = N};
	struct sum alone = {0, 0}, greedy = {0, 0}, both = {0, 0};
	struct sum json = {0, 0};
	struct gtrace_error error, other;
	struct gtrace_reports *reports;
	enum gtrace_status status, greedy_status;
	uint64_t count = 0;

	status = gtrace_analyse(trace, &request, &reports, &error);
	greedy_status = print(trace, N, 0, 0, &greedy, &other);
	/*
	 * Lengths of slices are no matter of this report, nor are sums that do
	 * not fit of the other one.
	 */
	check(status == greedy_status || greedy_status == GTRACE_ERROR_LENGTH ||
	      greedy_status == GTRACE_ERROR_WRITE ||
	      status == GTRACE_ERROR_LENGTH);
	if (status != GTRACE_OK) {
		check(reports == NULL && error.message[0] != '\0');
		check(status != greedy_status ||
		      status == GTRACE_ERROR_LENGTH ||
		      strcmp(error.message, other.message) == 0);
		check(print(trace, 0, N, 0, &alone, &error) == status);
		check(alone.size == 0);
		return;
	}
	check_report(reports);
	check(visit_stops(trace, count_stop, &count, &error) == GTRACE_OK);
	check(count == reports->stops->measured + reports->stops->unmeasured +
			       reports->stops->inferred);
	gtrace_reports_free(reports);
	if (greedy_status != GTRACE_OK)
		return;
	/* The sum of one text after the other. */
	check(print(trace, 0, N, 0, &greedy, &error) ==
	      print(trace, 0, N, 0, &alone, &error));
	check(print(trace, N, N, 0, &both, &error) == GTRACE_OK ||
	      both.size > TEXT_LIMIT);
	check(both.size > TEXT_LIMIT ||
	      (both.size == greedy.size && both.value == greedy.value));
	check(print(trace, 0, N, GTRACE_FORMAT_JSON, &json, &error) ==
		      GTRACE_OK ||
	      json.size > TEXT_LIMIT);
}

/* Opens the bytes and checks their reports. Returns a sum of the report. */
static struct sum check_order(const uint8_t *data, size_t size, int partial,
			      int final)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct sum sum = {0, 0};
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(data, size, &options, &trace, &error) !=
	    GTRACE_OK)
		return sum;
	if (final)
		gti_test_final_order(trace);
	check_trace(trace);
	print(trace, 0, N, GTRACE_FORMAT_JSON, &sum, &error);
	gtrace_close(trace);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum merged = check_order(data, size, 0, 0);
	struct sum final = check_order(data, size, 0, 1);

	check(merged.size == final.size && merged.value == final.value);
	check_order(data, size, GTRACE_PARTIAL_GOOD, 0);
	check_order(data, size, GTRACE_PARTIAL_UNFINISHED, 0);
	return 0;
}
