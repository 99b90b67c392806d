/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear_test.c - traces that are made so that some table, list or search may
 * become long: a trace that is four times as large takes about four times as
 * many steps, in every report, and no byte takes many. To refuse a trace, with
 * a hint, takes few passes.
 *
 * A step is a basic block of the library, whose compiler calls
 * __sanitizer_cov_trace_pc() in each. So what is counted is the same on each
 * machine, however loaded it is. What the C library does is not counted.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tests/v2/hostile_kinds.h"
#include "tools/errors.h"
#include "tools/settings.h"

/*
 * The larger one of two traces that are compared; the other is a fourth of it.
 * Unless the run is long, that is judged only if such traces of a fourth of
 * this size are slow: some searches have a limit that larger ones meet.
 */
#define LARGE ((size_t)1 << 20)

/* Go's reader reads all kinds of this size in less than ten seconds. */
#define READ ((size_t)1 << 18)

/*
 * The most steps that a byte may take. Two thousand take 0.4 microseconds on a
 * processor of 2023.
 */
#define BYTE_STEPS 2500

/* The most memory that a report may take, at first and a byte. */
#define MEMORY_BASE ((size_t)2 << 20)
#define BYTE_MEMORY 64

/*
 * The same of a report that finds causes. It keeps 144 bytes of each goroutine,
 * of which a trace may have one in six bytes: 120 bytes a byte, as arrays
 * double. Where each goroutine of a chain is at another place, each piece of a
 * path has a sum of its own, and each place a kind and a loop to be looked for:
 * 601 bytes a byte with those that held locks.
 */
#define CAUSES_MEMORY 640

/* Critical paths keep each request that is not over: 66 bytes a byte. */
#define PATHS_MEMORY 72

/* The growth of steps that is allowed; of a square: 16. */
#define GROWTH 8

/* With fewer steps a byte, tables of a fixed size hide how steps grow. */
#define NOTHING 20

#define ROUNDS 3

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

/* ---------------------------------------------------------------- traces -- */

#define HEADER_SIZE 16

static void build(const struct kind *kind, size_t size)
{
	wanted = size;
	begin_file(kind->version != 0 ? kind->version : 26);
	if (built.version < 22) {
		built.size = HEADER_SIZE;
		kind->build(kind);
		return;
	}
	put_clock(1000000000);
	kind->build(kind);
	if (!kind->partial)
		end_generation();
}

/* --------------------------------------------------------------- reports -- */

static int discard(void *context, const void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

/* Compares the trace with itself. */
static enum gtrace_status print_comparison(struct gtrace *trace,
					   const struct gtrace_request *request,
					   const struct gtrace_output *output,
					   struct gtrace_error *error)
{
	struct gtrace_summary *summary;
	enum gtrace_status status =
		gtrace_summarise(trace, request, &summary, error);

	if (status != GTRACE_OK)
		return status;
	status = gtrace_print_comparison(summary, summary, NULL, request,
					 output, error);
	gtrace_summary_free(summary);
	return status;
}

static const struct report {
	const char *name;
	struct gtrace_request request;
	enum gtrace_status (*print)(struct gtrace *trace,
				    const struct gtrace_request *request,
				    const struct gtrace_output *output,
				    struct gtrace_error *error);
} reports[] = {
	{"greedy", {.n = 10}, gtrace_print},
	{"stops", {.stops = 10}, gtrace_print},
	{"both", {.n = 10, .stops = 10}, gtrace_print},
	{"dump", {.report = GTRACE_REPORT_DUMP}, gtrace_print},
	{"summary", {.report = GTRACE_REPORT_SUMMARY}, gtrace_print},
	{"profile", {.report = GTRACE_REPORT_PROFILE}, gtrace_print},
	{"html", {.report = GTRACE_REPORT_PAGE, .name = "trace"}, gtrace_print},
	{"waits", {.waits = 10}, gtrace_print},
	{"delays", {.delays = 10}, gtrace_print},
	{"blocks", {.blocks = 10}, gtrace_print},
	{"goroutines", {.goroutines = 10}, gtrace_print},
	{"requests", {.requests = 10}, gtrace_print},
	{"collections", {.collections = 1}, gtrace_print},
	{"comparison", {.blocks = 10}, print_comparison},
	{"paths", {.paths = 1}, gtrace_print},
	/* In a long run, see tests/long.sh. */
	{"timeline", {.report = GTRACE_REPORT_TIMELINE}, gtrace_print},
	{"samples", {.sched = 1000000000000}, gtrace_print},
	{"profile of stops",
	 {.report = GTRACE_REPORT_STOP_PROFILE},
	 gtrace_print},
	{"profile of waits",
	 {.report = GTRACE_REPORT_WAIT_PROFILE},
	 gtrace_print},
	{"profile of delays",
	 {.report = GTRACE_REPORT_DELAY_PROFILE},
	 gtrace_print},
	{"profile of blocks",
	 {.report = GTRACE_REPORT_BLOCK_PROFILE},
	 gtrace_print},
	{"profile of enders",
	 {.report = GTRACE_REPORT_UNBLOCK_PROFILE},
	 gtrace_print},
	{"profile of assists",
	 {.report = GTRACE_REPORT_ASSIST_PROFILE},
	 gtrace_print},
	{"profile of paths",
	 {.report = GTRACE_REPORT_PATH_PROFILE},
	 gtrace_print},
};

#define REPORT_COUNT       (sizeof(reports) / sizeof(reports[0]))
#define REPORT_COUNT_SHORT 15

/*
 * Unless the run is long, a kind has the first report, and of the others one in
 * so many: other ones than the kinds before and after it, which are like it.
 */
#define STRIDE 3

/* What a report takes of a trace. */
struct cost {
	uint64_t steps;
	size_t memory; /* at most at a time */
	enum gtrace_status status;
	struct gtrace_error error;
};

static struct cost cost_of(const struct gtrace_options *options,
			   const struct report *report)
{
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options all = *options;
	struct gtrace_request request = report->request;
	struct gtrace_output output = OUTPUT(.write = discard);
	struct cost cost = {.error = {.message = ""}};
	struct gtrace *trace;

	all.allocator = &allocator;
	request.size = sizeof(request);
	steps = 0;
	cost.status = gtrace_open_memory(built.data, built.size, &all, &trace,
					 &cost.error);
	if (cost.status == GTRACE_OK)
		cost.status =
			report->print(trace, &request, &output, &cost.error);
	gtrace_close(trace);
	cost.steps = steps;
	cost.memory = counted.peak;
	assert_int_equal(counted.bytes, 0);
	return cost;
}

/* Builds a trace of SIZE and makes the report. */
static struct cost build_and_print(const struct kind *kind, size_t size,
				   const struct report *report)
{
	struct gtrace_options options = OPTIONS(.partial = kind->partial);
	struct cost cost;

	build(kind, size);
	cost = cost_of(&options, report);
	if (report == reports && size == READ &&
	    (cost.status != GTRACE_OK) != kind->fails)
		fail_msg("%s: %s", kind->name, cost.error.message);
	return cost;
}

static bool has_causes(const struct report *report)
{
	return report->request.report == GTRACE_REPORT_SUMMARY ||
	       report->request.report == GTRACE_REPORT_PAGE ||
	       report->request.report == GTRACE_REPORT_TIMELINE ||
	       report->request.blocks != 0 || report->print == print_comparison;
}

/* Whether REPORT takes too much MEMORY of a trace of SIZE. */
static bool is_large(const struct report *report, size_t memory, size_t size)
{
	size_t most = has_causes(report)           ? CAUSES_MEMORY
		      : report->request.paths != 0 ? PATHS_MEMORY
						   : BYTE_MEMORY;

	return memory > MEMORY_BASE + most * size;
}

/* Whether a report takes too long of a trace of SIZE, or as it grows to that. */
static bool is_slow_once(const struct kind *kind, const struct report *report,
			 size_t size)
{
	struct cost large = build_and_print(kind, size, report);
	size_t bytes = built.size;
	struct cost small = build_and_print(kind, size / 4, report);

	if (is_large(report, large.memory, bytes)) {
		print_error("%s: %s: %zu bytes a byte\n", kind->name,
			    report->name, large.memory / bytes);
		return true;
	}
	if (large.steps <= BYTE_STEPS * bytes &&
	    (kind->limited || large.steps <= NOTHING * bytes ||
	     large.steps <= GROWTH * small.steps))
		return false;
	print_error("%s: %s: %ju steps a byte, before %ju\n", kind->name,
		    report->name, (uintmax_t)(large.steps / bytes),
		    (uintmax_t)(small.steps / built.size));
	return true;
}

/*
 * One time in many the secret of a table of ids is a bad one (base/hash.h), so
 * a report is slow only if it is so each time.
 */
static bool is_slow(const struct kind *kind, const struct report *report)
{
	unsigned round;

	if (!is_long() && kind->ordered && report->request.n == 0)
		return false;
	if (!is_long() && !kind->limited &&
	    !is_slow_once(kind, report, LARGE / 4))
		return false;
	for (round = 0; round < ROUNDS; round++)
		if (!is_slow_once(kind, report, LARGE))
			return false;
	return true;
}

/* Only a library that is compiled with -fsanitize-coverage=trace-pc counts. */
static void skip_without_steps(void)
{
	if (build_and_print(&kinds[0], READ, &reports[1]).steps > 0)
		return;
	print_message("skipped: the library does not count its steps\n");
	skip();
}

/* The value of a variable that Bazel sets where it runs a test in parts. */
static size_t part_of(const char *variable, size_t otherwise)
{
	const char *text = getenv(variable);

	return text != NULL ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

/* Tells Bazel that this test does only its part. */
static void tell_parts(void)
{
	const char *path = getenv("TEST_SHARD_STATUS_FILE");
	FILE *file = path != NULL ? fopen(path, "w") : NULL;

	if (file != NULL)
		fclose(file);
}

/* Whether the report of that number is made of the kind of that number. */
static bool is_made(size_t kind, size_t report)
{
	if (is_long() || report == 0)
		return true;
	return report < REPORT_COUNT_SHORT && (kind + report) % STRIDE == 1;
}

static void test_growth(void **state)
{
	size_t parts = part_of("TEST_TOTAL_SHARDS", 1);
	size_t part = part_of("TEST_SHARD_INDEX", 0);
	size_t i, report;
	unsigned slow = 0;

	(void)state;
	skip_without_steps();
	for (i = part; i < sizeof(kinds) / sizeof(kinds[0]); i += parts)
		for (report = 0; report < REPORT_COUNT; report++)
			slow += is_made(i, report) &&
				is_slow(&kinds[i], &reports[report]);
	assert_int_equal(slow, 0);
}

/* ---------------------------------------------------------------- record -- */

static const struct report recorded[] = {
	{"greedy", {.n = 10, .by_cpu = 1}, gtrace_print},
	{"waits", {.waits = 10}, gtrace_print},
	{"summary", {.report = GTRACE_REPORT_SUMMARY}, gtrace_print},
	{"html", {.report = GTRACE_REPORT_PAGE, .name = "trace"}, gtrace_print},
	{"profile", {.report = GTRACE_REPORT_CPU_PROFILE}, gtrace_print},
};

/* When the slice of thread I starts. */
static uint64_t start_of(uint64_t count, uint64_t i)
{
	return 4000 + 10 * count + 100 * i;
}

/* As many slices that threads preempted on one CPU run at the end. */
static void build_preempted(uint64_t count)
{
	uint64_t i;

	begin_file(26);
	put_clock(1000000000);
	for (i = 0; i < count; i++) {
		begin_thread(i, i, 1 + i, 100 + 4 * i);
		put(GO_STOP, 3, start_of(count, i) - 4 * i, 0, 0);
		put(GO_START, 3, 10, 1 + i, 1);
		end_batch();
	}
	begin_batch(count, 10000 + start_of(count, 2 * count));
	put(PROC_STATUS, 3, 1, count, 2);
	end_batch();
	end_generation();
}

/*
 * Writes the record of that. After the threads of the slices others have the
 * CPU, all in turn. Returns its size.
 */
static size_t write_record(FILE *file, uint64_t count)
{
	uint64_t i, time = start_of(count, count);
	long size;

	fputs("from\tto\tthread\tcpu\tstate_at_end\n", file);
	for (i = 0; i < count; i++)
		fprintf(file, "%ju\t%ju\t%ju\t0\tR\n",
			(uintmax_t)(start_of(count, i) + 5),
			(uintmax_t)(start_of(count, i) + 50), (uintmax_t)i);
	for (i = 0; i < 2 * count; i++)
		fprintf(file, "%ju\t%ju\t%ju\t0\tR\n",
			(uintmax_t)(time + 20 * i),
			(uintmax_t)(time + 20 * i + 15),
			(uintmax_t)(count + 10 + i % 2));
	fprintf(file, "%ju\t%ju\t9\t1\tS\n", (uintmax_t)time,
		(uintmax_t)(3 * time + 20000));
	size = ftell(file);
	assert_true(size > 0 && fflush(file) == 0);
	return (size_t)size;
}

/* Returns what the report takes of each byte of the trace and the record. */
static struct cost cost_of_record(const struct report *report, uint64_t count)
{
	char path[] = "linear_test.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct gtrace_options options = OPTIONS(.sched = path);
	struct cost cost;
	size_t size;

	assert_non_null(file);
	size = write_record(file, count);
	build_preempted(count);
	cost = cost_of(&options, report);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(unlink(path), 0);
	if (cost.status != GTRACE_OK)
		fail_msg("%s: %s", report->name, cost.error.message);
	assert_false(is_large(report, cost.memory, built.size + size));
	cost.steps /= built.size + size;
	return cost;
}

/* Whether REPORT takes too long with more slices, each time: see is_slow(). */
static bool is_slow_with_record(const struct report *report)
{
	unsigned round;

	for (round = 0; round < ROUNDS; round++) {
		uint64_t large = cost_of_record(report, 16000).steps;
		uint64_t small = cost_of_record(report, 4000).steps;

		print_message("%s: %ju steps a byte, before %ju\n",
			      report->name, (uintmax_t)large, (uintmax_t)small);
		if (large <= 2 * small && large <= BYTE_STEPS)
			return false;
	}
	return true;
}

/* Many slices are preempted for as many runs of other threads. */
static void test_record(void **state)
{
	size_t i;

	(void)state;
	skip_without_steps();
	for (i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		assert_false(is_slow_with_record(&recorded[i]));
}

/* --------------------------------------------------------------- samples -- */

/* A few events, the last one far away: as many samples as are taken. */
static struct cost cost_of_samples(uint64_t count)
{
	const struct report samples = {"samples", {.sched = 1}, gtrace_print};
	struct gtrace_options options = OPTIONS(.partial = 0);

	begin_file(26);
	put_clock(1000000000);
	begin_thread(1, 0, 1, 100);
	put(GO_STOP, 3, count, 0, 0);
	end_batch();
	end_generation();
	return cost_of(&options, &samples);
}

/* More samples than the size of the trace allows are refused. */
static void test_samples(void **state)
{
	struct cost cost = cost_of_samples(49000);

	(void)state;
	assert_int_equal(cost.status, GTRACE_OK);
	assert_in_range(cost.memory, 1, 10 * MEMORY_BASE);
	cost = cost_of_samples(51000);
	assert_int_equal(cost.status, GTRACE_ERROR_ARGUMENT);
	assert_in_range(cost.memory, 1, 10 * MEMORY_BASE);
	cost = cost_of_samples(INT64_MAX / 2);
	assert_int_equal(cost.status, GTRACE_ERROR_ARGUMENT);
	assert_in_range(cost.memory, 1, 10 * MEMORY_BASE);
}

/* -------------------------------------------------------------- refusals -- */

/* Bytes read of traces that were opened one after the other. */
struct read {
	uint64_t all;
	uint64_t of_this;
};

static void count_read(void *context, uint64_t now)
{
	struct read *read = context;

	read->all += now - (now > read->of_this ? read->of_this : 0);
	read->of_this = now;
}

/* Explains the refusal of the trace that was built with a file of it. */
static void explain(const struct gtrace_options *options,
		    const struct gtrace_error *error)
{
	char path[] = "linear_test.XXXXXX";
	int fd = mkstemp(path);
	char *lines;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, built.data, built.size), built.size);
	settings.options = *options;
	lines = error_describe(path, NULL, error);
	assert_non_null(lines);
	free(lines);
	assert_int_equal(close(fd), 0);
	assert_int_equal(unlink(path), 0);
}

/* Makes a report, which fails, and explains that. Returns the steps taken. */
static uint64_t refuse(const struct gtrace_options *options)
{
	struct cost cost = cost_of(options, &reports[0]);

	assert_int_not_equal(cost.status, GTRACE_OK);
	explain(options, &cost.error);
	return steps;
}

/*
 * A file that ends early is read once for a report, and twice for a summary:
 * for the times without events, and for all else. One of the passes takes in
 * its last generation.
 */
static void test_passes(void **state)
{
	const struct kind slices = {
		.build = put_rounds, .first = NO_SLICE, .again = SLICE(1, 0)};
	struct read read = {0};
	struct gtrace_options options =
		OPTIONS(.progress = count_read, .progress_context = &read);
	size_t whole;

	(void)state;
	build(&slices, LARGE / 2);
	whole = built.size;
	put_clock(1000000000);
	wanted = LARGE;
	put_rounds(&slices);
	refuse(&options);
	assert_in_range(read.all, 2 * whole, 4 * whole);
}

/*
 * Threads that wait for each other are refused, and what is left of the trace
 * is summarised, in two passes.
 */
static void test_waits(void **state)
{
	const struct kind chain = {.build = put_chain};
	struct gtrace_options options = OPTIONS(.partial = 0);

	(void)state;
	skip_without_steps();
	build(&chain, (size_t)1 << 20); /* less is not refused */
	assert_in_range(refuse(&options), built.size,
			BYTE_STEPS / 2 * 3 * built.size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes), cmocka_unit_test(test_waits),
		cmocka_unit_test(test_record), cmocka_unit_test(test_samples),
		cmocka_unit_test(test_growth),
	};

	tell_parts();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
