/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * written_test.c - what is written of one trace or of two: stops of several
 * traces as one list, summaries and their comparison in each format.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/reports.h"

#define TEXT_SIZE (1 << 20)
#include "tests/text.h"

static const char *const paths[] = {
	"testdata/stops/go1.27_copy.trace",
	"testdata/stops/go1.24_sys.trace",
};

static struct gtrace *open_trace(const char *path)
{
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	return trace;
}

/* ----------------------------------------------------------------- stops -- */

/* The value of "stopping" in a line of JSON. */
static int64_t stopping_in(const char *line)
{
	const char *at = strstr(line, "\"stopping\":");

	assert_non_null(at);
	return strtoll(at + strlen("\"stopping\":"), NULL, 10);
}

/* Returns the number of lines of TEXT, which MIXED has all. */
static size_t count_lines(char *text, const char *mixed)
{
	char *line, *rest = NULL;
	size_t count = 0;

	for (line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(mixed, line) == NULL)
			fail_msg("not in the list of both: %s", line);
		count++;
	}
	return count;
}

/* The stops of two traces are all there, and the longest is first. */
static void test_stops(void **state)
{
	static struct text mixed, each;
	struct gtrace_request request =
		REQUEST(.stops = 1000, .format = GTRACE_FORMAT_JSON);
	struct gtrace_reports *reports[2];
	struct gtrace_output output;
	size_t i, lines = 0, want = 0;
	int64_t last = INT64_MAX;
	char *line, *rest = NULL;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct gtrace *trace = open_trace(paths[i]);

		assert_int_equal(
			gtrace_analyse(trace, &request, &reports[i], NULL),
			GTRACE_OK);
		gtrace_close(trace);
		assert_true(reports[i]->stops->measured > 1);
	}
	output = text_output(&mixed);
	assert_int_equal(
		gtrace_write((const struct gtrace_reports *const *)reports,
			     paths, 2, &request, &output, NULL),
		GTRACE_OK);
	for (i = 0; i < 2; i++) {
		output = text_output(&each);
		assert_int_equal(gtrace_write((const struct gtrace_reports
						       *const *)&reports[i],
					      &paths[i], 1, &request, &output,
					      NULL),
				 GTRACE_OK);
		want += count_lines(each.bytes, mixed.bytes);
		gtrace_reports_free(reports[i]);
	}
	for (line = strtok_r(mixed.bytes, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (strstr(line, "\"measured\":true") != NULL) {
			assert_true(stopping_in(line) <= last);
			last = stopping_in(line);
		}
		lines++;
	}
	assert_int_equal(lines, want);
}

/* --------------------------------------------------------------- summary -- */

/* To write a summary that was made is to print it. */
static void test_summary(void **state)
{
	static struct text printed, written;
	int format;

	(void)state;
	for (format = 0; format < 3; format++) {
		struct gtrace_request request =
			REQUEST(.n = 3, .stops = 2, .format = format,
				.name = "a,b");
		struct gtrace *trace = open_trace(paths[0]);
		struct gtrace_output output = text_output(&printed);
		struct gtrace_summary *summary;

		assert_int_equal(print_report(trace, GTRACE_REPORT_SUMMARY,
					      request, &output, NULL),
				 GTRACE_OK);
		assert_int_equal(
			gtrace_summarise(trace, &request, &summary, NULL),
			GTRACE_OK);
		gtrace_close(trace);
		output = text_output(&written);
		assert_int_equal(
			gtrace_write_summary(summary, &request, &output, NULL),
			GTRACE_OK);
		assert_true(summary->greedy->count == 3);
		assert_true(printed.size > 0);
		assert_string_equal(printed.bytes, written.bytes);
		if (format == GTRACE_FORMAT_JSON)
			assert_non_null(strstr(printed.bytes, "\"a,b\""));
		request.format = 3;
		assert_int_equal(
			gtrace_write_summary(summary, &request, &output, NULL),
			GTRACE_ERROR_ARGUMENT);
		gtrace_summary_free(summary);
	}
}

static void test_comparison(void **state)
{
	static const char *const names[] = {"old", NULL};
	static struct text text;
	struct gtrace_request request = REQUEST(.format = GTRACE_FORMAT_JSON);
	struct gtrace_output output;
	struct gtrace_summary *summaries[2];
	struct gtrace_error error;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct gtrace *trace = open_trace(paths[i]);

		assert_int_equal(
			gtrace_summarise(trace, NULL, &summaries[i], NULL),
			GTRACE_OK);
		gtrace_close(trace);
	}
	output = text_output(&text);
	assert_int_equal(gtrace_print_comparison(summaries[0], summaries[1],
						 names, &request, &output,
						 NULL),
			 GTRACE_OK);
	/* One line, an object. */
	assert_true(text.size > 2 && text.bytes[0] == '{');
	assert_string_equal(strchr(text.bytes, '\n') - 1, "}\n");
	assert_non_null(strstr(text.bytes, "\"old\""));
	output = text_output(&text);
	assert_int_equal(gtrace_print_comparison(summaries[0], summaries[1],
						 NULL, NULL, &output, NULL),
			 GTRACE_OK);
	assert_true(text.size > 0 && text.bytes[0] != '{');
	output = text_output(&text);
	request.report = GTRACE_REPORT_PAGE;
	assert_int_equal(gtrace_print_comparison(summaries[0], summaries[1],
						 names, &request, &output,
						 NULL),
			 GTRACE_OK);
	assert_non_null(strstr(text.bytes, "<td>old: <b>old</b>"));
	assert_non_null(strstr(text.bytes, "<td>new: <b>trace</b>"));
	output = text_output(&text);
	request.format = GTRACE_FORMAT_CSV;
	assert_int_equal(gtrace_print_comparison(summaries[0], summaries[1],
						 names, &request, &output,
						 &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_string_equal(error.message,
			    "a comparison is not printed as CSV");
	assert_int_equal(text.size, 0);
	for (i = 0; i < 2; i++)
		gtrace_summary_free(summaries[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stops),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
