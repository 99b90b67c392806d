/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests_over_test.c - what is inside requests that took longer than a time:
 * slices, waits, blocks and events against a test of everything that comes
 * without the filter; requests and paths by their length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/reports.h"

static const char *const paths[] = {
	"testdata/go1.27-small/http.trace", "testdata/go1.19-small/mix.trace",
	"testdata/go1.21-small/mix.trace",  "testdata/go1.22-small/task.trace",
	"testdata/paths/convoy.trace",      "testdata/go1.19-small/chan.trace",
};

#define PATHS (sizeof(paths) / sizeof(paths[0]))

/* The requests of a trace, and what came with the filter or passes without. */
struct seen {
	struct gtrace_reports *requests;
	int64_t over; /* only longer ones; -1: all passes */
	uint64_t slices, blocks, events;
	int64_t time;
};

static struct gtrace *open_trace(const char *path)
{
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	return trace;
}

static struct gtrace_reports *analyse(struct gtrace *trace,
				      struct gtrace_request request)
{
	struct gtrace_reports *reports = NULL;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	return reports;
}

static bool overlaps(int64_t start, int64_t length, int64_t from, int64_t to)
{
	int64_t end = start + length;

	return from < to ? from < end && to > start
			 : from <= end && to >= start;
}

/* The same as is_inside() of requests that are not over. */
static bool is_inside_open(const struct seen *seen, int64_t g, int64_t from,
			   int64_t to)
{
	const struct gtrace_path_report *all = seen->requests->paths;
	size_t i, j;

	for (i = 0; i < all->count; i++)
		for (j = 0; j < all->kinds[i].path_count; j++) {
			const struct gtrace_path *one = &all->kinds[i].paths[j];

			if (one->unfinished && one->g == g &&
			    one->length > seen->over &&
			    overlaps(one->start, one->length, from, to))
				return true;
		}
	return false;
}

/* Whether G has a moment of FROM to TO in a request that is long enough. */
static bool is_inside(const struct seen *seen, int64_t g, int64_t from,
		      int64_t to)
{
	const struct gtrace_request_report *all;
	size_t i, j;

	if (seen->over < 0)
		return true;
	all = seen->requests->requests;
	for (i = 0; i < all->count; i++)
		for (j = 0; j < all->rows[i]->longest_count; j++) {
			const struct gtrace_served *one =
				&all->rows[i]->longest[j];

			if (one->g == g && one->length > seen->over &&
			    overlaps(one->start, one->length, from, to))
				return true;
		}
	return is_inside_open(seen, g, from, to);
}

/* Counts what G did for LENGTH from START on, if it is inside. */
static void see(struct seen *seen, uint64_t *count, int64_t g, int64_t start,
		int64_t length)
{
	if (!is_inside(seen, g, start, start + length))
		return;
	(*count)++;
	seen->time += length;
}

static int see_slice(void *context, const struct gtrace_slice *slice)
{
	struct seen *seen = context;

	see(seen, &seen->slices, slice->g, slice->start.ts, slice->duration);
	return 0;
}

static int see_block(void *context, const struct gtrace_block *block)
{
	struct seen *seen = context;

	see(seen, &seen->blocks, block->g, block->start, block->length);
	return 0;
}

/* An event passes by its own goroutine, or one that it may name. */
static int see_event(void *context, const struct gtrace_event *event)
{
	struct seen *seen = context;

	if (!is_inside(seen, event->g, event->ts, event->ts) &&
	    !(event->arg_count != 0 &&
	      is_inside(seen, (int64_t)event->args[0], event->ts, event->ts)))
		return 0;
	seen->events++;
	return 0;
}

static void see_all(struct gtrace *trace, int64_t over, struct seen *seen)
{
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .requests_over = over};
	const struct gtrace_visitor visitor = {.size = sizeof(visitor),
					       .slice = see_slice,
					       .block = see_block,
					       .event = see_event,
					       .context = seen};

	assert_int_equal(gtrace_visit(trace, &REQUEST(.filter = &filter),
				      &visitor, NULL),
			 GTRACE_OK);
}

static void compare_waits(struct gtrace *trace, const struct seen *want,
			  const struct gtrace_filter *filter)
{
	struct gtrace_reports *all = analyse(trace, REQUEST(.waits = SIZE_MAX));
	struct gtrace_reports *some =
		analyse(trace, REQUEST(.waits = SIZE_MAX, .filter = filter));
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < all->waits->count; i++) {
		const struct gtrace_wait *one = all->waits->waits[i];

		count += is_inside(want, one->g, one->start,
				   one->start + one->length);
	}
	assert_int_equal(some->waits->count, count);
	gtrace_reports_free(all);
	gtrace_reports_free(some);
}

/* The kinds of requests that have long ones, with these alone. */
static void compare_requests(const struct seen *want, struct gtrace *trace,
			     const struct gtrace_filter *filter)
{
	struct gtrace_reports *some =
		analyse(trace, REQUEST(.requests = SIZE_MAX, .paths = 1000,
				       .filter = filter));
	const struct gtrace_request_report *all = want->requests->requests;
	uint64_t count = 0, got = 0, walked = 0;
	size_t i, j;

	for (i = 0; i < all->count; i++)
		for (j = 0; j < all->rows[i]->longest_count; j++)
			count += all->rows[i]->longest[j].length >
				 filter->requests_over;
	for (i = 0; i < some->requests->count; i++) {
		got += some->requests->rows[i]->count;
		assert_int_equal(some->requests->rows[i]->longest_count,
				 some->requests->rows[i]->count);
	}
	for (i = 0; i < some->paths->count; i++)
		walked += some->paths->kinds[i].requests;
	assert_true(count != 0);
	assert_int_equal(got, count);
	assert_int_equal(walked, count);
	gtrace_reports_free(some);
}

/* The length of a request in the middle of the longest kind. */
static int64_t middle(const struct gtrace_reports *reports)
{
	const struct gtrace_requests *row = reports->requests->rows[0];

	return row->longest[row->longest_count / 2].length - 1;
}

static void check(const char *path)
{
	struct seen want = {.over = -1}, got = {.over = -1};
	struct gtrace_filter filter = {.size = sizeof(filter)};
	struct gtrace *trace = open_trace(path);

	want.requests =
		analyse(trace, REQUEST(.requests = SIZE_MAX, .paths = 1000000));
	assert_true(want.requests->requests->count != 0);
	want.over = filter.requests_over = middle(want.requests);
	see_all(trace, 0, &want);
	see_all(trace, filter.requests_over, &got);
	assert_true(got.slices != 0 && got.events != 0);
	assert_int_equal(got.slices, want.slices);
	assert_int_equal(got.blocks, want.blocks);
	assert_int_equal(got.time, want.time);
	/* What a number names is not known here. */
	assert_true(got.events <= want.events);
	compare_waits(trace, &want, &filter);
	compare_requests(&want, trace, &filter);
	gtrace_reports_free(want.requests);
	gtrace_close(trace);
}

static void test_inside(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < PATHS; i++)
		check(paths[i]);
}

/* No request is as long as that: nothing passes. */
static void test_none(void **state)
{
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .requests_over = INT64_MAX};
	struct gtrace *trace = open_trace(paths[0]);
	struct gtrace_reports *reports;

	(void)state;
	reports = analyse(trace, REQUEST(.n = 10, .waits = 10, .blocks = 10,
					 .stops = 10, .requests = 10,
					 .paths = 10, .filter = &filter));
	assert_int_equal(reports->greedy->count, 0);
	assert_int_equal(reports->waits->count, 0);
	assert_int_equal(reports->blocks->place_count, 0);
	assert_int_equal(reports->requests->count, 0);
	assert_int_equal(reports->paths->count, 0);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

/* Which requests there are does not depend on what else a filter leaves out. */
static void test_others(void **state)
{
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .min = INT64_MAX};
	struct gtrace *trace = open_trace(paths[0]);
	struct gtrace_reports *all, *some;

	(void)state;
	all = analyse(trace, REQUEST(.requests = 1));
	some = analyse(trace,
		       REQUEST(.requests = 1, .blocks = 1, .filter = &filter));
	assert_int_equal(some->requests->count, all->requests->count);
	gtrace_reports_free(all);
	gtrace_reports_free(some);
	gtrace_close(trace);
}

/* Where it does not count it is refused, and so is what it cannot be. */
static void test_wrong(void **state)
{
	static const int64_t g = 1;
	const struct gtrace_filter filters[] = {
		{.size = sizeof(filters[0]), .requests_over = 1},
		{.size = sizeof(filters[0]), .requests_over = -1},
		{.size = sizeof(filters[0]),
		 .requests_over = 1,
		 .g = &g,
		 .g_count = 1},
	};
	const struct gtrace_request requests[] = {
		REQUEST(.goroutines = 1, .filter = &filters[0]),
		REQUEST(.collections = 1, .filter = &filters[0]),
		REQUEST(.n = 1, .filter = &filters[1]),
		REQUEST(.paths = 1, .filter = &filters[2]),
	};
	struct gtrace *trace = open_trace(paths[0]);
	struct gtrace_reports *reports;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		assert_int_equal(
			gtrace_analyse(trace, &requests[i], &reports, NULL),
			GTRACE_ERROR_ARGUMENT);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
