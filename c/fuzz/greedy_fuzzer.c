/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * greedy_fuzzer.c - makes the greedy report of any file in both orders: the
 * reports agree, of a bad trace nothing is printed, and reported events are
 * inside the file, in partial mode too. In an unfinished generation no event is
 * lost. All reports in one pass fail if the greedy report does.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"
#include "testing.h"
#include "tests/reports.h"

static void check_event(const struct gtrace_event *event, size_t size)
{
	check(event->offset >= 16 && event->offset < size);
	check(event->name != NULL && event->name[0] != '\0');
	check(event->walk_count <= GTRACE_WALK_MAX);
	check(event->string_count <= 2);
	check(event->walk_count == 0 || event->frame_count != 0);
}

/*
 * Makes all reports in one pass, and prints them if there are any. SHIFT is the
 * scheduler's interval, as a power of two: an input can have a time of years.
 */
static void check_all(struct gtrace *trace, enum gtrace_status greedy,
		      unsigned shift)
{
	struct gtrace_request request =
		REQUEST(.n = 5, .stops = 5, .waits = 5, .delays = 5,
			.blocks = 5, .goroutines = 5, .requests = 5,
			.collections = 1, .rows = 5,
			.sched = (int64_t)1 << shift, .details = 1,
			.parts = 50);
	struct gtrace_reports *reports;
	const struct gtrace_reports *written;
	enum gtrace_status status =
		gtrace_analyse(trace, &request, &reports, NULL);

	check((status == GTRACE_OK) == (reports != NULL));
	check(greedy == GTRACE_OK || status != GTRACE_OK);
	written = reports;
	for (; reports != NULL && request.format <= GTRACE_FORMAT_JSON;
	     request.format++) {
		struct sum sum = {0, 0};
		struct gtrace_output output =
			OUTPUT(.write = add, .context = &sum);

		check(gtrace_write(&written, &request.name, 1, &request,
				   &output, NULL) == GTRACE_OK ||
		      sum.size > TEXT_LIMIT);
		check(sum.size != 0 || request.format == GTRACE_FORMAT_JSON);
	}
	gtrace_reports_free(reports);
}

static void check_greedy(struct gtrace *trace, size_t size)
{
	struct gtrace_reports *reports;
	struct gtrace_error error;
	enum gtrace_status status = make_greedy(trace, 5, &reports, &error);
	size_t i;

	check_all(trace, status, (unsigned)(26 + size % 36));
	if (status != GTRACE_OK) {
		check(reports == NULL && error.message[0] != '\0');
		return;
	}
	check(reports->greedy->count <= 5);
	for (i = 0; i < reports->greedy->count; i++) {
		const struct gtrace_slice *slice = reports->greedy->slices[i];

		check(i == 0 ||
		      slice->duration <=
			      reports->greedy->slices[i - 1]->duration);
		check_event(&slice->start, size);
		if (!slice->still_running)
			check_event(&slice->end, size);
	}
	gtrace_reports_free(reports);
}

static enum gtrace_status report(const uint8_t *data, size_t size, int final,
				 struct sum *sum, struct gtrace_error *error)
{
	struct gtrace_output output = OUTPUT(.write = add, .context = sum);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(data, size, NULL, &trace, error);
	if (status != GTRACE_OK)
		return status;
	if (final)
		gti_test_final_order(trace);
	check_greedy(trace, size);
	status = print_greedy(trace, 1000, &output, error);
	gtrace_close(trace);
	return status;
}

static int count_event(void *context, const struct gtrace_event *event)
{
	uint64_t *count = context;

	check(event->number != 0);
	++*count;
	return 0;
}

/*
 * STATUS is what the report is without -partial. Returns the number of events.
 */
static uint64_t check_partial(const uint8_t *data, size_t size, int partial,
			      enum gtrace_status status)
{
	uint64_t count = 0;
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(data, size, &options, &trace, &error) ==
	    GTRACE_OK) {
		check_greedy(trace, size);
		visit_events(trace, count_event, &count, &error);
		/* Nothing is left out of a trace without a fault. */
		check(status != GTRACE_OK ||
		      !gtrace_left_out(trace, NULL, NULL, NULL));
	}
	gtrace_close(trace);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_error error = {.status = GTRACE_OK}, other = error;
	struct sum merged = {0, 0}, final = {0, 0};
	enum gtrace_status status;
	uint64_t good;

	status = report(data, size, 0, &merged, &error);
	check(status == GTRACE_OK || status == GTRACE_ERROR_WRITE ||
	      merged.size == 0);
	check(report(data, size, 1, &final, &other) == status);
	check(merged.size == final.size && merged.value == final.value);
	check(status == GTRACE_OK || status == GTRACE_ERROR_WRITE ||
	      strcmp(error.message, other.message) == 0);
	good = check_partial(data, size, GTRACE_PARTIAL_GOOD, status);
	check(check_partial(data, size, GTRACE_PARTIAL_UNFINISHED, status) >=
	      good);
	return 0;
}
