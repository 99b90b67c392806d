/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request_test.c - each field of struct gtrace_request for each function: it
 * counts, or is refused with its name. tests/layout_test.sh compares this table
 * with the header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/reports.h"

static struct gtrace *trace;
static struct gtrace_summary *summary;
static struct gtrace_reports *reports;
static struct gtrace_error error;

static int pass_over(void *context, const void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

/* ------------------------------------------------------------- functions -- */

static enum gtrace_status analyse(const struct gtrace_request *request)
{
	struct gtrace_reports *made;
	enum gtrace_status status =
		gtrace_analyse(trace, request, &made, &error);

	gtrace_reports_free(made);
	return status;
}

static enum gtrace_status write_lists(const struct gtrace_request *request)
{
	const struct gtrace_output output = OUTPUT(.write = pass_over);
	const struct gtrace_reports *const all[] = {reports};

	return gtrace_write(all, NULL, 1, request, &output, &error);
}

static enum gtrace_status summarise(const struct gtrace_request *request)
{
	struct gtrace_summary *made;
	enum gtrace_status status =
		gtrace_summarise(trace, request, &made, &error);

	gtrace_summary_free(made);
	return status;
}

static enum gtrace_status write_summary(const struct gtrace_request *request)
{
	const struct gtrace_output output = OUTPUT(.write = pass_over);

	return gtrace_write_summary(summary, request, &output, &error);
}

static enum gtrace_status compare(const struct gtrace_request *request)
{
	const struct gtrace_output output = OUTPUT(.write = pass_over);

	return gtrace_print_comparison(summary, summary, NULL, request, &output,
				       &error);
}

static enum gtrace_status visit(const struct gtrace_request *request)
{
	const struct gtrace_visitor visitor = {.size = sizeof(visitor)};

	return gtrace_visit(trace, request, &visitor, &error);
}

static enum gtrace_status print(const struct gtrace_request *request)
{
	const struct gtrace_output output = OUTPUT(.write = pass_over);

	return gtrace_print(trace, request, &output, &error);
}

/* Those that a field may count for, as bits. */
enum {
	ANALYSE = 1,
	WRITE = 2,
	SUMMARISE = 4,
	WRITE_SUMMARY = 8,
	COMPARE = 16,
	VISIT = 32,
	LISTS = 64,
	SUMMARY = 128,
	DUMP = 256,
	PROFILE = 512,
	TIMELINE = 1024,
	PAGE = 2048,
	PATH_PROFILE = 4096,
	OF_LISTS = ANALYSE | WRITE | LISTS,
	OF_SUMMARIES = SUMMARISE | WRITE_SUMMARY | COMPARE | SUMMARY,
	PRINTED = OF_LISTS | OF_SUMMARIES | DUMP | PROFILE | PATH_PROFILE |
		  TIMELINE | PAGE,
};

static const struct {
	unsigned bit;
	enum gtrace_status (*call)(const struct gtrace_request *request);
	int report; /* of gtrace_print() */
} functions[] = {
	{ANALYSE, analyse, 0},
	{WRITE, write_lists, 0},
	{SUMMARISE, summarise, 0},
	{WRITE_SUMMARY, write_summary, 0},
	{COMPARE, compare, 0},
	{VISIT, visit, 0},
	{LISTS, print, GTRACE_REPORT_LONGEST},
	{SUMMARY, print, GTRACE_REPORT_SUMMARY},
	{DUMP, print, GTRACE_REPORT_DUMP},
	{PROFILE, print, GTRACE_REPORT_PROFILE},
	{PROFILE, print, GTRACE_REPORT_STOP_PROFILE},
	{PROFILE, print, GTRACE_REPORT_WAIT_PROFILE},
	{PROFILE, print, GTRACE_REPORT_DELAY_PROFILE},
	{PROFILE, print, GTRACE_REPORT_BLOCK_PROFILE},
	{PROFILE, print, GTRACE_REPORT_UNBLOCK_PROFILE},
	{PROFILE, print, GTRACE_REPORT_ASSIST_PROFILE},
	{PATH_PROFILE, print, GTRACE_REPORT_PATH_PROFILE},
	{TIMELINE, print, GTRACE_REPORT_TIMELINE},
	{PAGE, print, GTRACE_REPORT_PAGE},
};

/* ---------------------------------------------------------------- fields -- */

static const struct gtrace_filter filter = {.size = sizeof(filter), .user = 1};

/* Critical paths have no other one. */
static const int64_t only[] = {1};
static const struct gtrace_filter of_g = {
	.size = sizeof(of_g), .g = only, .g_count = 1};

/* A field, a request in which it is set, and what it counts for. */
#define FIELD(field, value, bits)                                              \
	{                                                                      \
#field, {.size = sizeof(struct gtrace_request),                \
			.field = value },                                      \
			bits                                                   \
	}

static const struct {
	const char *name;
	struct gtrace_request request;
	unsigned counts;
} fields[] = {
	FIELD(n, 2, OF_LISTS | OF_SUMMARIES | PAGE),
	FIELD(stops, 2, OF_LISTS | OF_SUMMARIES | PAGE),
	FIELD(format, 1, OF_LISTS | OF_SUMMARIES | DUMP),
	FIELD(filter, &filter, PRINTED | VISIT),
	FIELD(name, "trace", PRINTED),
	FIELD(details, 1, OF_LISTS | OF_SUMMARIES | VISIT),
	FIELD(report, GTRACE_REPORT_PAGE, COMPARE),
	FIELD(waits, 2, OF_LISTS | OF_SUMMARIES),
	FIELD(delays, 2, OF_LISTS | OF_SUMMARIES),
	FIELD(parts, 2, OF_LISTS | OF_SUMMARIES),
	FIELD(blocks, 2, OF_LISTS | OF_SUMMARIES),
	FIELD(width, 80, OF_SUMMARIES),
	FIELD(rows, 2, OF_LISTS | OF_SUMMARIES),
	FIELD(brief, 1, OF_LISTS | OF_SUMMARIES),
	FIELD(goroutines, 2, OF_LISTS),
	FIELD(requests, 2, OF_LISTS),
	FIELD(root, "main", OF_LISTS | PATH_PROFILE),
	FIELD(at, "main", OF_LISTS | PATH_PROFILE),
	FIELD(collections, 1, OF_LISTS | OF_SUMMARIES),
	FIELD(sched, 100000000, OF_LISTS),
	FIELD(by_cpu, 1, OF_LISTS),
	FIELD(paths, 2, OF_LISTS),
	FIELD(kept, 2, OF_LISTS | PATH_PROFILE),
};

#define FIELDS    (sizeof(fields) / sizeof(fields[0]))
#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* The request of FIELD with what else the function needs. */
static struct gtrace_request request_of(size_t field, size_t function)
{
	struct gtrace_request request = fields[field].request;
	const char *name = fields[field].name;

	if (functions[function].call == print && strcmp(name, "report") != 0)
		request.report = functions[function].report;
	if (functions[function].bit == PATH_PROFILE && request.filter != NULL)
		request.filter = &of_g;
	if ((functions[function].bit & OF_LISTS) == 0)
		return request;
	if (strcmp(name, "parts") == 0)
		request.waits = 1;
	else if (strcmp(name, "kept") == 0)
		request.paths = 1;
	else if (strcmp(name, "root") == 0 || strcmp(name, "at") == 0)
		request.requests = 1;
	else
		request.n = request.n != 0 ? request.n : 1;
	return request;
}

/* The time on a CPU is not known of this trace, but the field is. */
static int is_refused(enum gtrace_status status, const char *name)
{
	char want[100];

	snprintf(want, sizeof(want), "request.%s does not count for ", name);
	return status == GTRACE_ERROR_ARGUMENT &&
	       strncmp(error.message, want, strlen(want)) == 0;
}

static void check(size_t field, size_t function)
{
	struct gtrace_request request = request_of(field, function);
	unsigned counts = fields[field].counts & functions[function].bit;
	const char *name = fields[field].name;
	enum gtrace_status status;

	/* gtrace_print() has a report for each value. */
	if (functions[function].call == print && strcmp(name, "report") == 0)
		return;
	strcpy(error.message, "");
	status = functions[function].call(&request);
	if (counts == 0 && !is_refused(status, name))
		fail_msg("%s, function %zu: %d %s", name, function, status,
			 error.message);
	if (counts != 0 && status != GTRACE_OK &&
	    strstr(error.message, "scheduling record") == NULL)
		fail_msg("%s, function %zu: %s", name, function, error.message);
}

static void test_fields(void **state)
{
	size_t field, function;

	(void)state;
	for (field = 0; field < FIELDS; field++)
		for (function = 0; function < FUNCTIONS; function++)
			check(field, function);
}

/* ---------------------------------------------------------------- values -- */

static void expect(enum gtrace_status status, const char *message)
{
	assert_int_equal(status, GTRACE_ERROR_ARGUMENT);
	assert_non_null(strstr(error.message, message));
}

static void test_values(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < FUNCTIONS; i++) {
		struct gtrace_request request =
			REQUEST(.format = 99, .report = functions[i].report);

		if ((functions[i].bit & (OF_LISTS | OF_SUMMARIES | DUMP)) != 0)
			expect(functions[i].call(&request), "request.format");
	}
	expect(print(&REQUEST(.report = 99)), "request.report");
	expect(print(&REQUEST(.report = -1)), "request.report");
	expect(compare(&REQUEST(.report = GTRACE_REPORT_DUMP)),
	       "request.report");
	expect(analyse(&REQUEST(.n = 0)),
	       "one of request.n, .stops, .waits, .delays, .blocks, "
	       ".goroutines, .requests, .collections, .sched and .paths must "
	       "be at least 1");
	expect(write_lists(&REQUEST(.n = 0)), "must be at least 1");
	expect(print(&REQUEST(.n = 0)), "must be at least 1");
	expect(analyse(&REQUEST(.sched = -5)), "request.sched");
	expect(print(&REQUEST(.sched = INT64_MIN)), "request.sched");
}

/* Fields that count only beside another one. */
static void test_pairs(void **state)
{
	static const int64_t ids[] = {1};
	const struct gtrace_filter of[] = {
		{.size = sizeof(filter), .g = ids, .g_count = 1},
		{.size = sizeof(filter), .p = ids, .p_count = 1},
		{.size = sizeof(filter), .function = "main"},
		{.size = sizeof(filter), .min = 1},
		{.size = sizeof(filter), .user = 1},
		{.size = sizeof(filter), .from = 1},
		{.size = sizeof(filter), .to = 1},
	};
	static const char *const names[] = {
		"request.filter.g",    "request.filter.p",
		"request.filter.func", "request.filter.min",
		"request.filter.user", "request.filter.from",
		"request.filter.to",
	};
	size_t i;

	(void)state;
	expect(analyse(&REQUEST(.n = 1, .root = "main")), "request.root");
	expect(analyse(&REQUEST(.n = 1, .at = "main")), "request.at");
	expect(analyse(&REQUEST(.stops = 1, .by_cpu = 1)), "request.by_cpu");
	expect(analyse(&REQUEST(.stops = 1, .parts = 1)), "request.parts");
	expect(analyse(&REQUEST(.requests = 1, .kept = 1)), "request.kept");
	expect(print(&REQUEST(.report = GTRACE_REPORT_PATH_PROFILE,
			      .filter = &filter)),
	       "request.filter.user");
	for (i = 0; i < 7; i++) {
		const struct gtrace_filter *one = &of[i];

		if (i < 5)
			expect(analyse(&REQUEST(.requests = 1, .filter = one)),
			       names[i]);
		if (i > 0 && i < 5)
			expect(analyse(&REQUEST(.goroutines = 1,
						.filter = one)),
			       names[i]);
		if (i < 5)
			expect(analyse(&REQUEST(.collections = 1,
						.sched = 99999, .filter = one)),
			       names[i]);
		assert_int_equal(analyse(&REQUEST(.stops = 1, .requests = 1,
						  .filter = one)),
				 GTRACE_OK);
	}
}

static int set_up(void **state)
{
	(void)state;
	if (gtrace_open_path("testdata/go1.27-small/idle.trace", NULL, &trace,
			     &error) != GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK ||
	    gtrace_analyse(trace,
			   &REQUEST(.n = 1, .stops = 1, .waits = 1, .delays = 1,
				    .blocks = 1, .goroutines = 1, .requests = 1,
				    .collections = 1, .sched = 100000000,
				    .paths = 1, .details = 1),
			   &reports, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	gtrace_reports_free(reports);
	gtrace_summary_free(summary);
	gtrace_close(trace);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
