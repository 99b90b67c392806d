/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths_test.c - critical paths: those of programs in which the path is known;
 * in all of testdata paths have no gaps, and what the goroutine itself did is
 * what the report of goroutines has; and what is asked for wrongly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reports.h"
#include "tests/traces.h"

static const char *at; /* the trace */
static bool is_listed; /* it begins with the goroutines that there are */

static struct gtrace *open_trace(const char *path)
{
	struct gtrace *trace = NULL;

	return gtrace_open_path(path, NULL, &trace, NULL) == GTRACE_OK ? trace
								       : NULL;
}

/* The reports of TRACE for REQUEST; NULL: it cannot be read. */
static struct gtrace_reports *analyse(struct gtrace *trace,
				      struct gtrace_request request)
{
	struct gtrace_reports *reports;

	return gtrace_analyse(trace, &request, &reports, NULL) == GTRACE_OK
		       ? reports
		       : NULL;
}

/* ----------------------------------------------------------- known paths -- */

/* A part of the path of goroutine 1, which a function has in one state. */
struct part {
	const char *state;
	const char *function;
	uint64_t level;
	unsigned percent; /* of the path, at least */
};

static bool has_function(const struct gtrace_segment *segment, const char *name)
{
	size_t size = strlen(name), i;

	for (i = 0; i < segment->frame_count; i++)
		if (segment->frames[i].function.size == size &&
		    memcmp(segment->frames[i].function.data, name, size) == 0)
			return true;
	return false;
}

/* The path of the trace NAME, which begins with "ask", has PART. */
static void expect_part(const char *name, struct part part)
{
	char path[256];
	struct gtrace_reports *reports;
	const struct gtrace_path *found = NULL;
	struct gtrace *trace;
	int64_t sum = 0;
	size_t i;

	snprintf(path, sizeof(path), "testdata/paths/%s.trace", name);
	trace = open_trace(path);
	assert_non_null(trace);
	reports = analyse(trace, REQUEST(.paths = 10, .root = "^ask$"));
	assert_non_null(reports);
	assert_int_equal(reports->paths->count, 1);
	assert_int_equal(reports->paths->kinds->path_count, 1);
	assert_string_equal(reports->paths->kinds->what, "region");
	assert_int_equal(reports->paths->kinds->group, 0);
	found = reports->paths->kinds->paths;
	assert_int_equal(found->g, 1);
	for (i = 0; i < found->segment_count; i++) {
		const struct gtrace_segment *one = &found->segments[i];

		if (one->level == part.level &&
		    strcmp(one->state, part.state) == 0 &&
		    has_function(one, part.function))
			sum += one->length;
	}
	if (sum < found->length / 100 * (int64_t)part.percent)
		fail_msg("%s: %s in %s is %lld of %lld ns", name, part.state,
			 part.function, (long long)sum,
			 (long long)found->length);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

static void test_known(void **state)
{
	(void)state;
	expect_part("fsync",
		    (struct part){"system call", "main.fsync.func1", 1, 95});
	expect_part("fdlock",
		    (struct part){"system call", "main.fdlock.func2", 1, 95});
	expect_part("convoy", (struct part){"blocked", "main.sleep", 2, 40});
	expect_part("convoy", (struct part){"ran", "main.compute", 1, 55});
	expect_part("fan", (struct part){"blocked", "main.sleep", 1, 40});
	expect_part("fan", (struct part){"ran", "main.spin", 1, 55});
	expect_part("flight", (struct part){"blocked", "main.sleep", 1, 95});
	expect_part("pool", (struct part){"ran", "main.compute", 1, 50});
	expect_part("timeout",
		    (struct part){"blocked", "main.timeout.func1", 0, 95});
	expect_part("cancelled",
		    (struct part){"ran", "main.cancelled.func1", 1, 95});
	expect_part("hog", (struct part){"ready", "main.hog.func1", 1, 60});
	expect_part("pipeline",
		    (struct part){"ran", "main.pipeline.func1", 2, 75});
	expect_part("chain", (struct part){"ran", "main.chain.func1", 5, 45});
	expect_part("broadcast",
		    (struct part){"ready", "main.broadcast.func3", 0, 95});
	/* The goroutine that ended the wait was created after half of it. */
	expect_part("created",
		    (struct part){"ran", "main.created.func1.1.1", 1, 60});
	expect_part("created",
		    (struct part){"ran", "main.created.func1.1", 2, 25});
}

/* What slow requests wait for is in all of them. */
static void test_slow(void **state)
{
	struct gtrace *trace = open_trace("testdata/go1.27-small/http.trace");
	struct gtrace_reports *reports;
	const struct gtrace_paths *kind;
	int64_t slow = 0, typical = 0;
	size_t i;

	(void)state;
	assert_non_null(trace);
	reports = analyse(trace, REQUEST(.paths = 1));
	assert_non_null(reports);
	kind = reports->paths->kinds;
	assert_int_equal(reports->paths->count, 1);
	assert_int_equal(kind->requests, 24);
	assert_int_equal(kind->group, 5);
	assert_true(kind->slow > kind->typical);
	for (i = 0; i < kind->row_count; i++) {
		const struct gtrace_path_row *row = &kind->rows[i];

		slow += row->slow;
		typical += row->typical;
		assert_true(row->slow_in <= 5 && row->typical_in <= 5);
		assert_true((row->slow != 0) == (row->slow_in != 0));
		assert_true((row->typical != 0) == (row->typical_in != 0));
		assert_true(i == 0 || row[-1].slow - row[-1].typical >=
					      row->slow - row->typical);
	}
	assert_int_equal(slow, kind->slow);
	assert_int_equal(typical, kind->typical);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

/* ------------------------------------------------------------- all traces --
 */

static unsigned checked;

/* PATH has no gaps. */
static void check_path(const struct gtrace_path *path)
{
	int64_t now = path->start;
	size_t i;

	for (i = 0; i < path->segment_count; i++) {
		const struct gtrace_segment *one = &path->segments[i];

		if (one->start != now || one->length <= 0)
			fail_msg("%s: G %lld: a gap at %lld", at,
				 (long long)path->g, (long long)now);
		assert_true((one->level == 0) == (one->cause == NULL));
		assert_true((one->kind[0] == '\0') ==
			    (strcmp(one->state, "blocked") != 0));
		now += one->length;
	}
	assert_int_equal(now, path->start + path->length);
	checked++;
}

static int64_t sum_of(const struct gtrace_path *path, const char *state)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < path->segment_count; i++)
		if (path->segments[i].level == 0 &&
		    strcmp(path->segments[i].state, state) == 0)
			sum += path->segments[i].length;
	return sum;
}

/*
 * What the goroutine of PATH did itself is what TIMES has. Up to Go 1.21 a
 * trace begins with goroutines that it lists as ready; a path has them so until
 * the next event, and a report of goroutines does not.
 */
static void check_times(const struct gtrace_path *path,
			const struct gtrace_times *times)
{
	int64_t call = times->blocked[GTRACE_BLOCK_SYSCALL];
	int64_t more = sum_of(path, "ready") - times->ready;
	int64_t ran = sum_of(path, "ran");

	if (is_listed && more == path->segments[0].length) {
		ran += more * (ran != times->ran);
		more = 0;
	}
	if (ran != times->ran || sum_of(path, "assisted") != times->assisted ||
	    more != 0 || sum_of(path, "system call") != call)
		fail_msg("%s: G %lld: ran %lld %lld, ready %lld %lld, in calls "
			 "%lld %lld",
			 at, (long long)path->g, (long long)sum_of(path, "ran"),
			 (long long)times->ran,
			 (long long)sum_of(path, "ready"),
			 (long long)times->ready,
			 (long long)sum_of(path, "system call"),
			 (long long)call);
}

/* At most so many goroutines are compared in a trace. */
#define COMPARED 400

/* The goroutines that blocks name, whose numbers are not known otherwise. */
struct numbers {
	int64_t g[COMPARED];
	size_t count;
};

static int note_block(void *context, const struct gtrace_block *block)
{
	struct numbers *numbers = context;
	size_t i;

	for (i = 0; i < numbers->count && numbers->g[i] != block->g; i++)
		;
	if (i == numbers->count && i < COMPARED)
		numbers->g[numbers->count++] = block->g;
	return 0;
}

/* The whole lives of goroutines. */
static void check_lives(struct gtrace *trace)
{
	struct numbers numbers = {.count = 0};
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.block = note_block,
		.context = &numbers,
	};
	struct gtrace_filter filter = {.size = sizeof(filter), .g = numbers.g};
	struct gtrace_reports *reports;
	size_t i, j;

	if (gtrace_visit(trace, NULL, &visitor, NULL) != GTRACE_OK ||
	    numbers.count == 0)
		return;
	filter.g_count = numbers.count;
	reports = analyse(
		trace, REQUEST(.paths = 1, .goroutines = 1, .filter = &filter));
	if (reports == NULL)
		return;
	assert_int_equal(reports->paths->kinds->path_count, numbers.count);
	for (i = 0; i < numbers.count; i++) {
		const struct gtrace_path *path =
			&reports->paths->kinds->paths[i];

		is_listed = reports->trace_version < 1022;
		check_path(path);
		assert_int_equal(path->g, numbers.g[i]);
		for (j = 0; j < reports->goroutines->count; j++)
			if (reports->goroutines->rows[j]->g == path->g)
				break;
		/* Numbers that are used again have several rows. */
		if (j + 1 < reports->goroutines->count ||
		    j == reports->goroutines->count)
			continue;
		check_times(path, &reports->goroutines->rows[j]->times);
	}
	gtrace_reports_free(reports);
}

static int64_t end_of(const struct gtrace_path *path)
{
	return path->start + path->length;
}

static unsigned open_ones;

/*
 * After the longest requests of KIND, which are over, come those that are not:
 * all of them end where the trace does, at *END.
 */
static void check_open(const struct gtrace_paths *kind, uint64_t most,
		       int64_t *end)
{
	uint64_t over = kind->requests < most ? kind->requests : most;
	uint64_t open = kind->unfinished < most ? kind->unfinished : most;
	size_t i;

	assert_int_equal(kind->path_count, over + open);
	for (i = 0; i < kind->path_count; i++) {
		const struct gtrace_path *path = &kind->paths[i];

		assert_true((path->unfinished != 0) == (i >= over));
		assert_true(i == 0 || i == over ||
			    path[-1].length >= path->length);
		if (!path->unfinished)
			continue;
		assert_true(*end == -1 || *end == end_of(path));
		*end = end_of(path);
		open_ones++;
	}
}

static void check(const char *path)
{
	struct gtrace *trace = open_trace(path);
	struct gtrace_reports *reports;
	int64_t end = -1;
	size_t i, j;

	at = path;
	if (trace == NULL)
		return;
	reports = analyse(trace, REQUEST(.paths = 100));
	for (i = 0; reports != NULL && i < reports->paths->count; i++)
		check_open(&reports->paths->kinds[i], 100, &end);
	for (i = 0; reports != NULL && i < reports->paths->count; i++)
		for (j = 0; j < reports->paths->kinds[i].path_count; j++)
			check_path(&reports->paths->kinds[i].paths[j]);
	gtrace_reports_free(reports);
	if (strstr(path, "attack") == NULL)
		check_lives(trace);
	gtrace_close(trace);
}

static void test_all(void **state)
{
	(void)state;
	each_trace(check);
	assert_true(checked > 5000);
	assert_true(open_ones > 50);
}

/* --------------------------------------------------------------- dropped -- */

static unsigned bounded, dropped_ones;

/*
 * PART is the path WHOLE, of which not all that it needs was kept: what is not
 * unknown is the same, and what is unknown is where that was dropped.
 */
static void compare_paths(const struct gtrace_path *whole,
			  const struct gtrace_path *part)
{
	int64_t until = part->start + part->dropped;
	size_t i, j = 0;

	assert_int_equal(whole->g, part->g);
	assert_int_equal(whole->start, part->start);
	assert_int_equal(whole->length, part->length);
	check_path(part);
	for (i = 0; i < part->segment_count; i++) {
		const struct gtrace_segment *one = &part->segments[i], *same;

		while (whole->segments[j].start + whole->segments[j].length <=
		       one->start)
			j++;
		same = &whole->segments[j];
		if (strcmp(one->state, "unknown") == 0) {
			if (strcmp(same->state, "unknown") != 0 &&
			    one->start + one->length > until)
				fail_msg("%s: G %lld: unknown at %lld of %lld, "
					 "not before %lld: G %lld level %d",
					 at, (long long)part->g,
					 (long long)one->start,
					 (long long)one->length,
					 (long long)until, (long long)one->g,
					 (int)one->level);
			continue;
		}
		if (one->g != same->g || one->level != same->level ||
		    strcmp(one->state, same->state) != 0 ||
		    strcmp(one->by, same->by) != 0 ||
		    strcmp(one->kind, same->kind) != 0)
			fail_msg("%s: G %lld at %lld: %s of G %lld by %s, not "
				 "%s of G %lld by %s",
				 at, (long long)part->g, (long long)one->start,
				 one->state, (long long)one->g, one->by,
				 same->state, (long long)same->g, same->by);
	}
	dropped_ones += part->dropped != 0;
}

static void check_bounded(const char *path)
{
	static const size_t kept[] = {1, 10, 100, 1000};
	struct gtrace *trace = open_trace(path);
	struct gtrace_reports *whole, *part;
	size_t i, j, k;

	at = path;
	if (trace == NULL || strstr(path, "attack") != NULL) {
		gtrace_close(trace);
		return;
	}
	whole = analyse(trace, REQUEST(.paths = 20));
	for (k = 0; k < 4 && whole != NULL; k++) {
		part = analyse(trace, REQUEST(.paths = 20, .kept = kept[k]));
		assert_non_null(part);
		assert_int_equal(part->paths->count, whole->paths->count);
		bounded += part->paths->dropped != 0;
		for (i = 0; i < part->paths->count; i++)
			for (j = 0; j < part->paths->kinds[i].path_count; j++)
				compare_paths(&whole->paths->kinds[i].paths[j],
					      &part->paths->kinds[i].paths[j]);
		gtrace_reports_free(part);
	}
	gtrace_reports_free(whole);
	gtrace_close(trace);
}

static void test_bounded(void **state)
{
	(void)state;
	each_trace(check_bounded);
	assert_true(bounded > 50 && dropped_ones > 50);
}

/* ----------------------------------------------------------------- parts -- */

/* The path of a part of a time is that part of the path. */
static void test_parts(void **state)
{
	static const int64_t g = 1;
	struct gtrace *trace = open_trace("testdata/paths/chain.trace");
	struct gtrace_filter filter = {
		.size = sizeof(filter), .g = &g, .g_count = 1};
	struct gtrace_reports *whole, *part;
	const struct gtrace_path *path;
	size_t i;

	(void)state;
	assert_non_null(trace);
	whole = analyse(trace, REQUEST(.paths = 1, .filter = &filter));
	assert_non_null(whole);
	path = whole->paths->kinds->paths;
	assert_true(path->segment_count > 20);
	for (i = 0; i < path->segment_count; i++) {
		const struct gtrace_segment *one = &path->segments[i], *same;

		filter.from = one->start + one->length / 3;
		filter.to = one->start + one->length - one->length / 3;
		if (filter.from >= filter.to)
			continue;
		part = analyse(trace, REQUEST(.paths = 1, .filter = &filter));
		assert_non_null(part);
		assert_int_equal(part->paths->kinds->paths->segment_count, 1);
		same = part->paths->kinds->paths->segments;
		assert_int_equal(same->start, filter.from);
		assert_int_equal(same->length, filter.to - filter.from);
		assert_int_equal(same->g, one->g);
		assert_int_equal(same->level, one->level);
		assert_string_equal(same->state, one->state);
		gtrace_reports_free(part);
	}
	gtrace_reports_free(whole);
	gtrace_close(trace);
}

/* A goroutine that is nowhere in the trace has no path. */
static void test_nowhere(void **state)
{
	static const int64_t g[] = {987654321, 1};
	struct gtrace *trace = open_trace("testdata/paths/chain.trace");
	struct gtrace_filter filter = {
		.size = sizeof(filter), .g = g, .g_count = 2};
	struct gtrace_reports *reports;

	(void)state;
	assert_non_null(trace);
	reports = analyse(trace, REQUEST(.paths = 1, .filter = &filter));
	assert_non_null(reports);
	assert_int_equal(reports->paths->kinds->path_count, 1);
	assert_int_equal(reports->paths->kinds->paths->g, 1);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known), cmocka_unit_test(test_slow),
		cmocka_unit_test(test_all),   cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_parts), cmocka_unit_test(test_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
