/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reading.h - reads the trace in `built` and compares the status and the offset
 * of an error, and how many events come before it. Only a test includes it,
 * after cmocka.h.
 */
#ifndef GTRACE_TESTS_V2_READING_H_
#define GTRACE_TESTS_V2_READING_H_

#include <gtrace/gtrace.h>

#include "tests/reports.h"
#include "tests/text.h"
#include "tests/v2/builder.h"

/* --------------------------------------------------------------- reports -- */

static struct text text;

/* Prints the dump to `text`. */
static inline enum gtrace_status dump(int partial, struct gtrace_error *error)
{
	struct gtrace_options options = {.size = sizeof(options),
					 .partial = partial};
	struct gtrace_output output = text_output(&text);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(built.data, built.size, &options, &trace,
				    error);
	if (status != GTRACE_OK)
		return status;
	status = print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

static struct gtrace_slice longest;

/* Makes a greedy report of the longest slice, `longest`. */
static inline enum gtrace_status greedy(int partial)
{
	struct gtrace_options options = {.size = sizeof(options),
					 .partial = partial};
	struct gtrace_request request = {.size = sizeof(request), .n = 1};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(built.data, built.size, &options, &trace,
				    &error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_analyse(trace, &request, &reports, &error);
	if (status == GTRACE_OK && reports->greedy->count != 0)
		longest = *reports->greedy->slices[0];
	gtrace_reports_free(reports);
	gtrace_close(trace);
	return status;
}

/* The events in `text`. */
static inline unsigned count_events(void)
{
	const char *at = text.bytes;
	unsigned count = 0;

	while ((at = strstr(at, " Off: ")) != NULL) {
		count++;
		at++;
	}
	return count;
}

static inline void expect_good(unsigned events)
{
	struct gtrace_error error;

	if (dump(0, &error) != GTRACE_OK)
		fail_msg("%s, at %llu", error.message,
			 (unsigned long long)error.offset);
	assert_int_equal(count_events(), events);
}

/* An error with this status, at OFFSET, after so many EVENTS. */
static inline void expect_bad(enum gtrace_status status, uint64_t offset,
			      unsigned events)
{
	struct gtrace_error error;

	assert_int_equal(dump(0, &error), status);
	assert_true(error.offset == offset);
	assert_int_equal(text.size, 0);
	if (events == 0) {
		assert_int_equal(dump(1, &error), status);
		assert_int_equal(text.size, 0);
		return;
	}
	assert_int_equal(dump(1, &error), GTRACE_OK);
	assert_int_equal(count_events(), events);
}

/* ---------------------------------------------------------------- events -- */

/* Events of thread 7 that are good; more may follow in the same batch. */
static inline void begin_events(void)
{
	begin_file(26);
	put_clock(1000000000);
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
}

static inline void end_events(void)
{
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
}

#endif /* GTRACE_TESTS_V2_READING_H_ */
