/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * greedy_fuzzer.c - any file to the greedy report, by all ways through it:
 * they agree, a bad trace prints nothing, and what is reported lies inside the
 * file. The same of as much of the file as is good.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"

static void check_event(const struct gtrace_event *event, size_t size)
{
	check(event->offset >= 16 && event->offset < size);
	check(event->name != NULL && event->name[0] != '\0');
	check(event->walk_count <= GTRACE_WALK_MAX);
	check(event->string_count <= GTRACE_STRINGS_MAX);
	check(event->walk_count == 0 || event->frame_count != 0);
}

static void check_greedy(struct gtrace *trace, size_t size)
{
	struct gtrace_greedy_report *report;
	struct gtrace_error error;
	size_t i;

	if (gtrace_greedy(trace, 5, &report, &error) != GTRACE_OK) {
		check(report == NULL && error.message[0] != '\0');
		return;
	}
	check(report->count <= 5);
	for (i = 0; i < report->count; i++) {
		const struct gtrace_slice *slice = &report->slices[i];

		check(i == 0 ||
		      slice->duration <= report->slices[i - 1].duration);
		check_event(&slice->start, size);
		if (!slice->still_running)
			check_event(&slice->end, size);
	}
	gtrace_greedy_free(trace, report);
}

static enum gtrace_status report(const uint8_t *data, size_t size,
				 const struct gtrace_options *options,
				 struct sum *sum, struct gtrace_error *error)
{
	struct gtrace_output output = {.write = add, .context = sum};
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(data, size, options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	check_greedy(trace, size);
	status = gtrace_print_greedy(trace, 1000, &output, error);
	gtrace_close(trace);
	return status;
}

/* Another way through the trace comes to the same. */
static void check_way(const uint8_t *data, size_t size,
		      const struct gtrace_options *options,
		      enum gtrace_status status, const struct sum *sum,
		      const struct gtrace_error *error)
{
	struct gtrace_error other = {.status = GTRACE_OK};
	struct sum found = {0, 0};

	check(report(data, size, options, &found, &other) == status);
	check(found.size == sum->size && found.value == sum->value);
	check(status == GTRACE_OK || status == GTRACE_ERROR_WRITE ||
	      strcmp(error->message, other.message) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_options usual = {0}, careful = {.careful = 1};
	struct gtrace_options partial = {.partial = 1};
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct sum sum = {0, 0};
	struct gtrace *trace;

	status = report(data, size, &usual, &sum, &error);
	check(status == GTRACE_OK || status == GTRACE_ERROR_WRITE ||
	      sum.size == 0);
	check_way(data, size, &careful, status, &sum, &error);
	if (gtrace_open_memory(data, size, &partial, &trace, &error) ==
	    GTRACE_OK) {
		/* Nothing is left out of a trace that is good. */
		check(status != GTRACE_OK ||
		      !gtrace_left_out(trace, NULL, NULL, NULL));
		check_greedy(trace, size);
	}
	gtrace_close(trace);
	return 0;
}
