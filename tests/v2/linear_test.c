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
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/model.h"
#include "tests/reports.h"
#include "tests/v2/hostile.h"
#include "tools/errors.h"
#include "tools/settings.h"

/* The sizes that are compared. */
#define LARGE ((size_t)1 << 20)
#define SMALL (LARGE / 4)

/* Go's reader reads all kinds of this size in less than ten seconds. */
#define READ SMALL

/*
 * The most steps that a byte may take. Two thousand take 0.4 microseconds on a
 * processor of 2023.
 */
#define BYTE_STEPS 2500

/* The growth of steps from SMALL to LARGE that is allowed; of a square: 16. */
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

/* -------------------------------------------------------- before Go 1.22 -- */

#define HEADER_SIZE 16

/* A record with up to four values; the first of LIST is how many follow it. */
static void put_old_list(unsigned type, const uint64_t *list)
{
	size_t at = built.size++;
	uint64_t i;

	if (list[0] == 4)
		built.size++;
	for (i = 1; i <= list[0]; i++)
		put_value(list[i]);
	built.data[at] = (uint8_t)(type | (list[0] - 1) << 6);
	if (list[0] == 4)
		built.data[at + 1] = (uint8_t)(built.size - at - 2);
}

#define put_old(type, ...) put_old_list(type, (const uint64_t[]){__VA_ARGS__})

/* Goroutine 1 runs. */
static void begin_old(void)
{
	put_old(1, 2, 0, 1000);
	put_old(5, 2, 1, 7);
	put_old(13, 4, 1, 1, 1, 0);
	put_old(14, 3, 1, 1, 1);
}

static void put_old_goroutines(const struct kind *kind)
{
	uint64_t id = 2;

	begin_old();
	while (built.size < wanted)
		put_old(13, 4, 1, id = next_id(kind, id), 0, 0);
	put_old(2, 1, 1000000000);
}

/* Slices end in functions with very long names. */
static void put_old_names(const struct kind *kind)
{
	uint64_t i;

	(void)kind;
	begin_old();
	for (i = 0; i < 80; i++) {
		put_old(18, 2, 50 + i, 1);
		put_old(14, 3, 1, 1, 2 + i);
	}
	for (i = 1; i <= 4; i++) {
		put_byte(37);
		put_value(i);
		put_value(wanted / 4);
		memset(built.data + built.size, '<', wanted / 4);
		built.size += wanted / 4;
	}
	put_byte(3 | 3 << 6);
	put_value(2 + 4 * 4);
	put_value(1);
	put_value(4);
	for (i = 1; i <= 4; i++) {
		put_value(i);
		put_value(i);
		put_value(i % 4 + 1);
		put_value(i);
	}
	put_old(2, 1, 1000000000);
}

/* ------------------------------------------------------------------ all -- */

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

/* ----------------------------------------------------------------- kinds -- */

#define STOP_AT(dt)                                                            \
	{                                                                      \
		{STW_BEGIN, 3, {dt, 0, 0}}, {PROCS_CHANGE, 3, {dt, 4, 0}},     \
		{                                                              \
			STW_END, 1,                                            \
			{                                                      \
				dt                                             \
			}                                                      \
		}                                                              \
	}
#define STOP_OF_KIND(stack)                                                    \
	{                                                                      \
		{STW_BEGIN, 3, {1, N, stack}}, {PROCS_CHANGE, 3, {1, 4, 0}},   \
		{                                                              \
			STW_END, 1,                                            \
			{                                                      \
				1                                              \
			}                                                      \
		}                                                              \
	}
#define SLICE(length, stack)                                                   \
	{                                                                      \
		{GO_START, 3, {1, 1, N}},                                      \
		{                                                              \
			GO_STOP, 3,                                            \
			{                                                      \
				length, 0, stack                               \
			}                                                      \
		}                                                              \
	}
#define NO_SLICE                                                               \
	{                                                                      \
		GO_STOP, 3,                                                    \
		{                                                              \
			1, 0, 0                                                \
		}                                                              \
	}

static const struct kind kinds[] = {
	{"colliding ids", put_goroutines, .number = 0},
	{"ordinary ids", put_goroutines, .number = 1},
	{"multiples", put_goroutines, .number = (uint64_t)1 << 42},
	{"larger multiples", put_goroutines, .number = (uint64_t)1 << 43},
	{"colliding threads", put_threads, .number = 0},
	{"multiples of threads", put_threads, .number = (uint64_t)1 << 42},
	{"larger multiples of threads", put_threads,
	 .number = (uint64_t)1 << 43},
	{"colliding processors", put_processors, .number = 0},
	{"multiples of processors", put_processors,
	 .number = (uint64_t)1 << 42},
	{"larger multiples of processors", put_processors,
	 .number = (uint64_t)1 << 43},
	{"processors", put_processors, .number = 1},
	{"far processors", put_processors, .number = (uint64_t)1 << 32},
	{"waiting chain", put_chain, .number = 1},
	{"threads at one time", put_chain, .limited = true},
	{"turns", put_turns, .number = 1},
	{"reverse turns", put_turns, .number = 0},
	{"turns at one time", put_turns, .number = 2},
	{"waiters", put_waiters, .fails = true},
	{"missing", put_missing, .partial = GTRACE_PARTIAL_UNFINISHED},
	{"missing starts", put_missing, .partial = GTRACE_PARTIAL_UNFINISHED,
	 .number = 1},
	{"open kinds", put_rounds, .again = {{STW_BEGIN, 3, {1, N, 0}}},
	 .names = 1},
	{"kinds and ends", put_rounds, .again = {{STW_BEGIN, 3, {1, N, 0}}},
	 .back = {STW_END, 1, {1}}, .names = 1},
	{"stops of kinds", put_rounds, .again = STOP_OF_KIND(0), .names = 1},
	{"stops back", put_stops_back, .again = STOP_AT(0)},
	{"stops of many", put_stops_of_many, .again = STOP_AT(1)},
	{"stops of idle", put_stops_of_many, .again = STOP_AT(1), .number = 1},
	{"slices", put_rounds, .first = NO_SLICE, .again = SLICE(1, 0)},
	{"rising slices", put_rounds, .first = NO_SLICE, .again = SLICE(N, 0)},
	{"tasks", put_rounds, .again = {{TASK_BEGIN, 5, {1, N, 0, 0, 0}}},
	 .back = {TASK_END, 3, {1, N, 0}}},
	{"open tasks", put_rounds, .again = {{TASK_BEGIN, 5, {1, N, 0, 0, 0}}}},
	{"regions", put_rounds, .again = {{REGION_BEGIN, 4, {1, 1, 0, 0}}},
	 .back = {REGION_END, 4, {1, 1, 0, 0}}},
	{"open regions", put_rounds,
	 .again = {{REGION_BEGIN, 4, {1, 1, 0, 0}}}},
	{"created", put_rounds, .number = 1,
	 .again = {{GO_CREATE, 4, {1, N, 0, 0}}}},
	{"switches", put_rounds, .first = {GO_STATUS, 4, {1, 2, NONE, 4}},
	 .again = {{GO_SWITCH, 3, {1, 2, N}}, {GO_SWITCH, 3, {1, 1, N}}}},
	{"links", put_rounds, .again = {{GO_STATUS, 4, {1, 1, 1, 2}}}},
	{"collections", put_collections, .number = 0},
	{"abandoned", put_abandoned, .number = 0},
	{"samples", put_samples, .number = 1},
	{"reverse samples", put_samples, .number = 1000002},
	{"samples up and down", put_samples, .number = 7919},
	{"empty batches", put_empty_batches, .number = 1000},
	{"empty threads", put_empty_batches, .number = UINT32_MAX},
	{"experiments", put_experiments, .number = 0},
	{"running", put_running, .number = 0},
	{"slices of many", put_running, .first = NO_SLICE},
	{"generations", put_generations, .number = 0},
	{"old generations", put_generations, .version = 22},
	{"running generations", put_generations, .number = 1},
	{"generations of threads", put_generations, .number = 2},
	{"generations of goroutines", put_generations, .number = 3},
	{"names", put_tables, .per_round = 1003, .length = 1000},
	{"one pc", put_tables, .per_round = 520, .names = 1, .frames = 128},
	{"random pcs", put_tables, .per_round = 1560, .names = 1, .frames = 128,
	 .factor = 0x9e3779b97f4a7c15u},
	{"stacks", put_tables, .first = NO_SLICE, .again = SLICE(1, N),
	 .per_round = 700, .names = 100, .frames = 120, .factor = 1},
	{"functions", put_tables, .first = NO_SLICE, .again = SLICE(1, N),
	 .per_round = 40, .frames = 1, .factor = 1},
	{"long names", put_tables, .first = NO_SLICE, .again = SLICE(N, S),
	 .per_round = 1500, .length = 1000, .few_stacks = true, .frames = 128,
	 .factor = 1},
	{"long kinds", put_tables, .again = STOP_OF_KIND(S), .per_round = 1500,
	 .length = 1000, .few_stacks = true, .frames = 128, .factor = 1},
	{"old colliding ids", put_old_goroutines, .version = 8},
	{"old multiples", put_old_goroutines, .version = 8,
	 .number = (uint64_t)1 << 42},
	{"larger old multiples", put_old_goroutines, .version = 8,
	 .number = (uint64_t)1 << 43},
	{"old names", put_old_names, .version = 8},
};

/* --------------------------------------------------------------- reports -- */

static int discard(void *context, const void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

static const struct {
	const char *name;
	struct gtrace_request request;
} reports[] = {
	{"greedy", {.n = 10}},
	{"stops", {.stops = 10}},
	{"both", {.n = 10, .stops = 10}},
	{"dump", {.report = GTRACE_REPORT_DUMP}},
	{"summary", {.report = GTRACE_REPORT_SUMMARY}},
	{"profile", {.report = GTRACE_REPORT_PROFILE}},
	{"html", {.report = GTRACE_REPORT_PAGE, .name = "trace"}},
	{"waits", {.waits = 10, .delays = 10}},
	/* In a long run, see tests/long.sh. */
	{"timeline", {.report = GTRACE_REPORT_TIMELINE}},
	{"blocks", {.blocks = 10}},
	{"goroutines", {.goroutines = 10}},
	{"requests", {.requests = 10}},
	{"collections", {.collections = 1}},
};

#define REPORTS       (sizeof(reports) / sizeof(reports[0]))
#define REPORTS_SHORT 8

static enum gtrace_status print(struct gtrace *trace, size_t report,
				struct gtrace_error *error)
{
	struct gtrace_request request = reports[report].request;
	struct gtrace_output output = OUTPUT(.write = discard);

	request.size = sizeof(request);
	return gtrace_print(trace, &request, &output, error);
}

/* Builds a trace of SIZE and returns the steps that the report takes. */
static uint64_t count_steps(const struct kind *kind, size_t size, size_t report)
{
	struct gtrace_options options = OPTIONS(.partial = kind->partial);
	struct gtrace_error error = {.message = ""};
	enum gtrace_status status;
	struct gtrace *trace;

	build(kind, size);
	steps = 0;
	assert_int_equal(gtrace_open_memory(built.data, built.size, &options,
					    &trace, NULL),
			 GTRACE_OK);
	status = print(trace, report, &error);
	gtrace_close(trace);
	if (report == 0 && size == READ && (status != GTRACE_OK) != kind->fails)
		fail_msg("%s: %s", kind->name, error.message);
	return steps;
}

/*
 * Whether a report takes too long, of the larger trace or as it grows. One time
 * in many the secret of a table of ids is a bad one (base/hash.h), so that
 * counts only if it is so each time.
 */
static int is_slow(const struct kind *kind, size_t report)
{
	unsigned round;

	for (round = 0; round < ROUNDS; round++) {
		uint64_t large = count_steps(kind, LARGE, report);
		uint64_t small = count_steps(kind, SMALL, report);

		if (large <= BYTE_STEPS * LARGE &&
		    (kind->limited || large <= NOTHING * LARGE ||
		     large <= GROWTH * small))
			return 0;
	}
	return 1;
}

/* Only a library that is compiled with -fsanitize-coverage=trace-pc counts. */
static void skip_without_steps(void)
{
	if (count_steps(&kinds[0], SMALL, 1) > 0)
		return;
	print_message("skipped: the library does not count its steps\n");
	skip();
}

static void test_growth(void **state)
{
	size_t count = is_long() ? REPORTS : REPORTS_SHORT;
	size_t i, report;
	unsigned slow = 0;

	(void)state;
	skip_without_steps();
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (report = 0; report < count; report++)
			if (is_slow(&kinds[i], report)) {
				print_error("%s: %s\n", kinds[i].name,
					    reports[report].name);
				slow++;
			}
	}
	assert_int_equal(slow, 0);
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
	struct gtrace_error error;
	struct gtrace *trace;

	steps = 0;
	assert_int_equal(gtrace_open_memory(built.data, built.size, options,
					    &trace, NULL),
			 GTRACE_OK);
	assert_int_not_equal(print(trace, 0, &error), GTRACE_OK);
	gtrace_close(trace);
	explain(options, &error);
	return steps;
}

/*
 * A file that ends early is read once for a report, and twice more, the last
 * time with its last generation.
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
	assert_in_range(read.all, 2 * whole, 3 * whole + whole / 2);
}

/* Threads that wait for each other are refused in as many steps. */
static void test_waits(void **state)
{
	const struct kind chain = {.build = put_chain};
	struct gtrace_options options = OPTIONS(.partial = 0);

	(void)state;
	skip_without_steps();
	build(&chain, (size_t)1 << 20); /* less is not refused */
	assert_in_range(refuse(&options), built.size, BYTE_STEPS * built.size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
