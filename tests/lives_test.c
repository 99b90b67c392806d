/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lives_test.c - in every trace of testdata the times of goroutines in each
 * state add up to their lives, and are those of slices and blocks; and those of
 * two parts of the trace are those of the whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reports.h"
#include "tests/traces.h"

static const char *at; /* the trace */
static uint64_t requests;

/* Whether the times of the trace may be any. */
static bool is_hostile(void)
{
	return strstr(at, "attack") != NULL;
}

/* A and B are equal but for SLACK. */
static void check_near(const char *what, int64_t a, int64_t b, int64_t slack)
{
	if (a >= b - slack && a <= b + slack)
		return;
	fail_msg("%s: %s: %lld, not %lld (slack %lld)", at, what, (long long)a,
		 (long long)b, (long long)slack);
}

static void check_parts(const struct gtrace_times *times)
{
	int64_t sum =
		times->ran + times->assisted + times->ready + times->ended;
	size_t kind;

	for (kind = 0; kind < GTRACE_BLOCK_KINDS; kind++) {
		assert_true(times->blocked[kind] >= 0 || is_hostile());
		sum += times->blocked[kind];
	}
	if (!is_hostile()) {
		assert_true(times->ran >= 0 && times->assisted >= 0);
		assert_true(times->ready >= 0 && times->lost >= 0);
		assert_true(times->lost <=
			    times->blocked[GTRACE_BLOCK_SYSCALL]);
	}
	check_near("parts", sum, times->lived, 0);
}

/* By kind goroutines were blocked as long as at all places of the kind. */
static void check_kinds(const struct gtrace_block_report *report)
{
	int64_t sums[GTRACE_BLOCK_KINDS] = {0};
	size_t i;

	for (i = 0; i < report->sum_count; i++)
		sums[report->sums[i].kind] += report->sums[i].sum;
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		check_near("kind", report->times.blocked[i], sums[i], 0);
}

/* The sum of all slices, and how many there are. */
struct slices {
	int64_t sum;
	int64_t count;
};

static int add_slice(void *context, const struct gtrace_slice *slice)
{
	struct slices *slices = context;

	slices->sum += slice->duration;
	slices->count++;
	return 0;
}

/*
 * A slice is rounded by itself. At the start of a trace of Go 1.22 or later it
 * begins with the status of the goroutine, here with the first event.
 */
static void check_slices(struct gtrace *trace, const struct gtrace_times *times)
{
	struct slices slices = {.count = 0};
	int64_t ran = times->ran + times->assisted +
		      times->blocked[GTRACE_BLOCK_SYSCALL] - times->lost;

	assert_int_equal(visit_slices(trace, add_slice, &slices, NULL),
			 GTRACE_OK);
	check_near("slices", ran, slices.sum, slices.count + 200000);
}

/* Adds TIMES to SUM, as the members of both are times. */
static void add_times(struct gtrace_times *sum,
		      const struct gtrace_times *times)
{
	int64_t *to = &sum->lived;
	const int64_t *from = &times->lived;
	size_t i;

	sum->count += times->count;
	for (i = 0; i < (sizeof(*sum) - sizeof(sum->count)) / sizeof(*to); i++)
		to[i] += from[i];
}

/* Those of all functions are those of all goroutines. */
static void check_rows(const struct gtrace_goroutine_report *report)
{
	struct gtrace_times sum = {.count = 0};
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_goroutines *row = report->rows[i];

		check_parts(&row->times);
		assert_true(row->block.length <= row->times.lived ||
			    is_hostile());
		assert_true(row->wait.length <= row->times.ready ||
			    is_hostile());
		add_times(&sum, &row->times);
	}
	assert_memory_equal(&sum, &report->times, sizeof(sum));
}

static void check_served(const struct gtrace_served *one)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < one->part_count; i++) {
		assert_true(one->parts[i].time >= 0 || is_hostile());
		sum += one->parts[i].time;
	}
	check_near("parts of a request", sum, one->length, 0);
}

/* The longest are all requests, so that these have the sums. */
static void check_requests(const struct gtrace_request_report *report)
{
	size_t i, j;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_requests *row = report->rows[i];
		int64_t sum = 0;

		check_parts(&row->times);
		assert_int_equal(row->count, row->longest_count);
		assert_int_equal(row->max, row->longest[0].length);
		assert_true(row->median <= row->p99 && row->p99 <= row->max);
		for (j = 0; j < row->longest_count; j++) {
			check_served(&row->longest[j]);
			sum += row->longest[j].length;
		}
		check_near("requests", sum, row->times.lived, 0);
		requests += row->count;
	}
}

/* What blocks are like does not depend on what is made of them. */
static void check_alone(struct gtrace *trace,
			const struct gtrace_block_report *report)
{
	const struct gtrace_request request = REQUEST(.blocks = 1000000);
	const struct gtrace_block_place *one, *other;
	struct gtrace_reports *alone;
	size_t i;

	assert_int_equal(gtrace_analyse(trace, &request, &alone, NULL),
			 GTRACE_OK);
	assert_int_equal(alone->blocks->place_count, report->place_count);
	for (i = 0; i < report->place_count; i++) {
		one = report->places[i];
		other = alone->blocks->places[i];
		assert_int_equal(one->count, other->count);
		assert_int_equal(one->sum, other->sum);
		assert_int_equal(one->p99, other->p99);
		assert_int_equal(one->slow, other->slow);
	}
	gtrace_reports_free(alone);
}

static void check(const char *path)
{
	const struct gtrace_request request =
		REQUEST(.blocks = 1000000, .goroutines = 1,
			.requests = 1000000);
	struct gtrace_reports *reports;
	const struct gtrace_times *times;
	struct gtrace *trace;

	at = path;
	if (gtrace_open_path(path, NULL, &trace, NULL) != GTRACE_OK)
		return;
	if (gtrace_analyse(trace, &request, &reports, NULL) == GTRACE_OK) {
		times = &reports->blocks->times;
		check_parts(times);
		check_kinds(reports->blocks);
		check_alone(trace, reports->blocks);
		check_rows(reports->goroutines);
		check_requests(reports->requests);
		/* A status can come late, after a part of the trace. */
		if (!is_hostile() && strstr(path, "flight") == NULL)
			check_slices(trace, times);
		gtrace_reports_free(reports);
	}
	gtrace_close(trace);
}

/* ------------------------------------------------------------------ times --
 */

/* The goroutines and all requests of TRACE FROM one time TO another. */
static struct gtrace_reports *between(struct gtrace *trace, int64_t from,
				      int64_t to)
{
	const struct gtrace_filter filter = {
		.size = sizeof(filter), .from = from, .to = to};
	const struct gtrace_request request =
		REQUEST(.goroutines = 1, .requests = 1000000,
			.filter = &filter);
	struct gtrace_reports *reports;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	return reports;
}

/* The sum of the lives of all goroutines that begin in FUNCTION. */
static int64_t lived_in(const struct gtrace_goroutine_report *report,
			struct gtrace_string function)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_goroutines *row = report->rows[i];

		if (row->function.size == function.size &&
		    memcmp(row->function.data, function.data, function.size) ==
			    0)
			sum += row->times.lived;
	}
	return sum;
}

/* Each time of ALL is in the part before a moment or in the one after it. */
static void check_parts_of(const struct gtrace_goroutine_report *all,
			   const struct gtrace_goroutine_report *before,
			   const struct gtrace_goroutine_report *after)
{
	const struct gtrace_times *a = &before->times, *b = &after->times;
	size_t i;

	check_parts(a);
	check_parts(b);
	assert_true(a->count <= all->times.count);
	assert_true(b->count <= all->times.count);
	assert_true(a->count + b->count >= all->times.count);
	check_near("lived", a->lived + b->lived, all->times.lived, 0);
	check_near("ran", a->ran + b->ran, all->times.ran, 0);
	check_near("ready", a->ready + b->ready, all->times.ready, 0);
	check_near("lost", a->lost + b->lost, all->times.lost, 0);
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		check_near("blocked", a->blocked[i] + b->blocked[i],
			   all->times.blocked[i], 0);
	for (i = 0; i < all->count; i++) {
		struct gtrace_string function = all->rows[i]->function;

		check_near("function",
			   lived_in(before, function) +
				   lived_in(after, function),
			   lived_in(all, function), 0);
	}
}

/* The longest times of a row are within FROM and TO. */
static void check_longest(const struct gtrace_goroutine_report *report,
			  int64_t from, int64_t to)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_goroutines *row = report->rows[i];

		if (row->block.length >= 0)
			assert_true(row->block.start >= from &&
				    row->block.start + row->block.length <= to);
		if (row->wait.length >= 0)
			assert_true(row->wait.start >= from &&
				    row->wait.start + row->wait.length <= to);
	}
}

/* How many requests of REPORT end after FROM and begin before TO. */
static uint64_t requests_in(const struct gtrace_request_report *report,
			    int64_t from, int64_t to)
{
	uint64_t count = 0;
	size_t i, j;

	for (i = 0; i < report->count; i++)
		for (j = 0; j < report->rows[i]->longest_count; j++) {
			const struct gtrace_served *one =
				&report->rows[i]->longest[j];

			count += one->start + one->length > from &&
				 one->start < to;
		}
	return count;
}

static uint64_t all_requests(const struct gtrace_request_report *report)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < report->count; i++)
		count += report->rows[i]->count;
	return count;
}

static unsigned cut;

/* The goroutines and requests of the two halves are those of the whole. */
static void check_halves(const char *path)
{
	struct gtrace_reports *all, *before, *after;
	struct gtrace *trace;
	int64_t half;

	at = path;
	if (is_hostile() ||
	    gtrace_open_path(path, NULL, &trace, NULL) != GTRACE_OK)
		return;
	if (gtrace_analyse(trace, &REQUEST(.goroutines = 1), &all, NULL) ==
		    GTRACE_OK &&
	    all->goroutines->times.count != 0) {
		gtrace_reports_free(all);
		all = between(trace, 0, 0);
		half = all->goroutines->times.lived /
			       (int64_t)all->goroutines->times.count / 2 +
		       1;
		before = between(trace, 0, half);
		after = between(trace, half, 0);
		check_parts_of(all->goroutines, before->goroutines,
			       after->goroutines);
		check_longest(before->goroutines, 0, half);
		check_longest(after->goroutines, half, INT64_MAX);
		assert_int_equal(all_requests(before->requests),
				 requests_in(all->requests, INT64_MIN, half));
		assert_int_equal(all_requests(after->requests),
				 requests_in(all->requests, half, INT64_MAX));
		cut++;
		gtrace_reports_free(before);
		gtrace_reports_free(after);
		gtrace_reports_free(all);
	}
	gtrace_close(trace);
}

static void test_halves(void **state)
{
	(void)state;
	each_trace(check_halves);
	assert_true(cut > 50);
}

/* --------------------------------------------------------------- requests --
 */

static void test_sums(void **state)
{
	(void)state;
	assert_true(each_trace(check) > 50);
	assert_true(requests > 10000);
}

/*
 * How many requests of WHAT with NAME the trace at PATH has, with ROOT if that
 * is not NULL. Sets *FOUND to the last row of them.
 */
static uint64_t find_requests(const char *path, const char *root,
			      const char *what, const char *name,
			      struct gtrace_requests *found)
{
	const struct gtrace_request request =
		REQUEST(.requests = 1, .root = root);
	struct gtrace_reports *reports;
	uint64_t count = 0;
	struct gtrace *trace;
	size_t i;

	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	for (i = 0; i < reports->requests->count; i++) {
		const struct gtrace_requests *row = reports->requests->rows[i];

		if (strcmp(row->what, what) == 0 &&
		    row->name.size == strlen(name) &&
		    memcmp(row->name.data, name, row->name.size) == 0) {
			count += row->count;
			*found = *row;
		}
	}
	gtrace_reports_free(reports);
	gtrace_close(trace);
	return count;
}

static uint64_t count_requests(const char *path, const char *what,
			       const char *name)
{
	struct gtrace_requests row;

	return find_requests(path, NULL, what, name, &row);
}

/* Most of these connections serve one whole request, and one in part. */
static void test_open(void **state)
{
	struct gtrace_requests row;

	(void)state;
	assert_int_equal(find_requests("testdata/go1.27-small/http.trace", NULL,
				       "goroutine",
				       "net/http.(*persistConn).readLoop",
				       &row),
			 24);
	assert_int_equal(row.open, 9);
	assert_true(row.open_max > 45000000);
	assert_int_equal(row.open_g, 59);
	assert_string_equal(row.open_state, "network");
	assert_int_equal(row.betweens, 33);
	assert_in_range(row.between, 2400, 2500);
	assert_string_equal(row.between_state, "select");
}

/* A goroutine can wait for its requests in a system call. */
static void test_call(void **state)
{
	struct gtrace_requests row;

	(void)state;
	assert_int_equal(find_requests("testdata/go1.22-small/sys.trace", NULL,
				       "goroutine", "main.blocking.func1",
				       &row),
			 125);
	assert_string_equal(row.between_state, "system call");
	/* What reads files at once does not. */
	assert_int_equal(find_requests("testdata/go1.22-small/file.trace", NULL,
				       "goroutine", "main.main", &row),
			 0);
}

/* Goroutines that hardly ever wait serve requests if they are asked for. */
static void test_root(void **state)
{
	static const char path[] = "testdata/go1.27-small/gens.trace";
	struct gtrace_requests row;

	(void)state;
	assert_int_equal(
		find_requests(path, NULL, "goroutine", "main.ages.func4", &row),
		0);
	assert_int_equal(find_requests(path, "^main.ages", "goroutine",
				       "main.ages.func4", &row),
			 1);
	assert_int_equal(row.open, 0);
	assert_int_equal(row.open_max, -1);
	assert_int_equal(row.open_g, -1);
	assert_string_equal(row.open_state, "");
}

/* One of the two requests is over before a goroutine waits twice. */
static void test_first(void **state)
{
	(void)state;
	assert_int_equal(count_requests("testdata/go1.19-small/wide.trace",
					"goroutine", "main.httpload.func2"),
			 2);
}

static void test_no_name(void **state)
{
	(void)state;
	assert_int_equal(count_requests("testdata/go1.27-small/task.trace",
					"region", ""),
			 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),    cmocka_unit_test(test_first),
		cmocka_unit_test(test_no_name), cmocka_unit_test(test_open),
		cmocka_unit_test(test_root),    cmocka_unit_test(test_call),
		cmocka_unit_test(test_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
