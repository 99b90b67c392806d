/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allocation_test.c - memory that runs out: each allocation of the reports
 * fails in turn, in traces that use all that allocates.
 */
#define _DEFAULT_SOURCE

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

#include "testing.h"
#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tests/generator.h"

static int pass_over(void *context, const struct gtrace_stop *stop)
{
	(void)context;
	(void)stop;
	return 0;
}

static int pass_over_slice(void *context, const struct gtrace_slice *slice)
{
	(void)context;
	(void)slice;
	return 0;
}

static int pass_over_block(void *context, const struct gtrace_block *block)
{
	(void)context;
	(void)block;
	return 0;
}

/* --------------------------------------------------------------- reports -- */

typedef enum gtrace_status make_report(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error);

static enum gtrace_status print_slices(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	return print_greedy(trace, 20, output, error);
}

static enum gtrace_status
print_slices_and_stops(struct gtrace *trace, const struct gtrace_output *output,
		       struct gtrace_error *error)
{
	return print_report(trace, GTRACE_REPORT_LONGEST,
			    REQUEST(.n = 20, .stops = 5), output, error);
}

static enum gtrace_status pass_over_stops(struct gtrace *trace,
					  const struct gtrace_output *output,
					  struct gtrace_error *error)
{
	(void)output;
	return visit_stops(trace, pass_over, NULL, error);
}

static const struct gtrace_filter filter = {
	.size = sizeof(filter), .function = "main|runtime", .user = 1};

/* All lists, of what passes a filter that asks for names. */
static struct gtrace_request filtered(int format)
{
	return REQUEST(.n = 20, .stops = 5, .blocks = 5, .goroutines = 5,
		       .requests = 5, .format = format, .details = 1,
		       .filter = &filter);
}

static enum gtrace_status make_filtered(struct gtrace *trace,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	return print_report(trace, GTRACE_REPORT_LONGEST,
			    filtered(GTRACE_FORMAT_JSON), output, error);
}

static enum gtrace_status visit_filtered(struct gtrace *trace,
					 const struct gtrace_output *output,
					 struct gtrace_error *error)
{
	const struct gtrace_request request =
		REQUEST(.details = 1, .filter = &filter);
	const struct gtrace_visitor visitor = {.size = sizeof(visitor),
					       .slice = pass_over_slice,
					       .stop = pass_over,
					       .block = pass_over_block};

	(void)output;
	return gtrace_visit(trace, &request, &visitor, error);
}

static enum gtrace_status make_csv_dump(struct gtrace *trace,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	return print_report(
		trace, GTRACE_REPORT_DUMP,
		REQUEST(.format = GTRACE_FORMAT_CSV, .filter = &filter), output,
		error);
}

/* The summary, written, and compared with itself. */
static enum gtrace_status make_summary(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct gtrace_request request = REQUEST(.format = GTRACE_FORMAT_JSON);
	struct gtrace_summary *summary;
	enum gtrace_status status;

	status = gtrace_summarise(trace, NULL, &summary, error);
	if (status == GTRACE_OK)
		status = gtrace_write_summary(summary, &request, output, error);
	if (status == GTRACE_OK)
		status = gtrace_print_comparison(summary, summary, NULL, NULL,
						 output, error);
	gtrace_summary_free(summary);
	return status;
}

/* What is made one after the other: by MAKE, or else printed as REPORT is. */
static const struct part {
	make_report *make;
	enum gtrace_report report;
} parts[] = {
	{print_slices, 0},
	{print_slices_and_stops, 0},
	{pass_over_stops, 0},
	{print_dump, 0},
	{make_filtered, 0},
	{visit_filtered, 0},
	{make_csv_dump, 0},
	{make_summary, 0},
	{NULL, GTRACE_REPORT_PROFILE},
	{NULL, GTRACE_REPORT_STOP_PROFILE},
	{NULL, GTRACE_REPORT_WAIT_PROFILE},
	{NULL, GTRACE_REPORT_DELAY_PROFILE},
	{NULL, GTRACE_REPORT_BLOCK_PROFILE},
	{NULL, GTRACE_REPORT_UNBLOCK_PROFILE},
	{NULL, GTRACE_REPORT_ASSIST_PROFILE},
	{NULL, GTRACE_REPORT_PATH_PROFILE},
	{NULL, GTRACE_REPORT_TIMELINE},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* A trace that is read again and again, and in which order. */
struct reading {
	const char *path;
	struct gtrace_options options;
	int final;
};

/* Makes parts FROM to TO of one trace. */
static enum gtrace_status make_parts(const struct reading *reading, size_t from,
				     size_t to, struct gtrace_error *error)
{
	size_t written = 0;
	struct gtrace_output output =
		OUTPUT(.write = counted_write, .context = &written);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_path(reading->path, &reading->options, &trace,
				  error);
	if (status == GTRACE_OK && reading->final)
		gti_test_final_order(trace);
	for (; from < to && status == GTRACE_OK; from++) {
		const struct part *part = &parts[from];

		if (part->make != NULL)
			status = part->make(trace, &output, error);
		else
			status = print_report(trace, part->report,
					      REQUEST(.n = 0), &output, error);
	}
	gtrace_close(trace);
	return status;
}

/*
 * Lets an allocation of parts FROM to TO fail: each STEP-th one. Returns how
 * many runs fail.
 */
static size_t fail_parts(struct reading reading, size_t from, size_t to,
			 size_t step)
{
	struct counted counted = {.left = 0};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_error error;
	enum gtrace_status status;
	size_t runs = 0;

	reading.options.allocator = &allocator;
	do {
		counted.left = step * runs++;
		counted.refused = 0;
		status = make_parts(&reading, from, to, &error);
		if (status != GTRACE_OK) {
			assert_int_equal(status, GTRACE_ERROR_MEMORY);
			assert_int_equal(error.status, GTRACE_ERROR_MEMORY);
			assert_string_equal(error.message, "out of memory");
		}
		assert_true(status != GTRACE_OK || counted.refused == 0);
		assert_int_equal(counted.blocks, 0);
		assert_int_equal(counted.bytes, 0);
	} while (counted.refused != 0);
	assert_int_equal(status, GTRACE_OK);
	return runs - 1;
}

/*
 * Lets each allocation of each part fail, and one in SPARSE of all parts of one
 * trace, which find there what earlier ones left: each one in a long run.
 */
#define SPARSE 37

/* Under sanitizers one in seven of each part is enough. */
#ifdef SANITIZED
#define STEP (is_short() ? 7 : 1)
#else
#define STEP 1
#endif

static void fail_each(const char *path, struct gtrace_options options,
		      int final)
{
	const struct reading reading = {path, options, final};
	size_t i;

	for (i = 0; i < PARTS; i++)
		assert_true(fail_parts(reading, i, i + 1, STEP) > 1);
	assert_true(fail_parts(reading, 0, PARTS, is_long() ? 1 : SPARSE) > 1);
}

/* ---------------------------------------------------------------- traces -- */

static void test_memory(void **state)
{
	(void)state;
	fail_each("testdata/go1.8-small/idle.trace", OPTIONS(.partial = 0), 0);
	fail_each("testdata/go1.8-small/lock.trace", OPTIONS(.partial = 0), 1);
	fail_each("testdata/go1.19-small/lock.trace", OPTIONS(.partial = 0), 0);
	fail_each("testdata/go1.21-small/idle.trace", OPTIONS(.partial = 0), 1);
}

/* Stop-the-world pauses that are inferred, and that are not. */
static void test_memory_for_stops(void **state)
{
	(void)state;
	fail_each("testdata/stops/go1.19_sleep.trace", OPTIONS(.partial = 0),
		  0);
	fail_each("testdata/stops/go1.26_flight.trace", OPTIONS(.partial = 1),
		  0);
}

/* The same of what B holds. */
static void fail_each_of(struct builder *b, struct gtrace_options options)
{
	char path[] = "/tmp/gtrace_allocation_test_XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->bytes, b->size), (ssize_t)b->size);
	fail_each(path, options, 0);
	builder_close(b);
	close(fd);
	unlink(path);
}

/* With all that only traces of Go 1.5 have: a list of events, symbols. */
static void test_memory_for_go1_5(void **state)
{
	static const struct builder_frame frame = {.pc = 0x701};
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh");
	struct builder b;

	(void)state;
	builder_open(&b, 1005);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0x500, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 2, 0x600, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_GO_BLOCK_RECV, 1, 9);
	BUILDER_EVENT(&b, EV_GO_START, 1, 2);
	BUILDER_EVENT(&b, EV_GO_UNBLOCK, 1, 1, 9);
	BUILDER_EVENT(&b, EV_GO_BLOCK, 1, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 1);
	BUILDER_EVENT(&b, EV_FUTILE_WAKEUP, 1);
	BUILDER_EVENT(&b, EV_GO_BLOCK_RECV, 1, 0);
	builder_stack(&b, 9, &frame, 1);
	builder_frequency(&b, 1000000000);
	fail_each_of(&b, options);
}

/* With so much of everything that all tables grow. */
static void test_memory_for_generated(void **state)
{
	static const unsigned versions[] = {1019, 1005, 1008, 1011};
	const uint32_t shrink = is_long() ? 1 : 8;
	size_t count = is_long() ? sizeof(versions) / sizeof(versions[0]) : 1;
	size_t i;

	(void)state;
	for (i = 0; i < count; i++) {
		struct builder b;
		struct generator_options options = {
			.version = versions[i],
			.events = 1500 / shrink,
			.processors = 5,
			.goroutines = 100 / shrink,
			.churn = 100 / shrink,
			.samples = 20,
			.futile = 10,
			.seed = 3,
			.write = builder_write,
			.context = &b,
		};

		builder_open(&b, versions[i]);
		generate_trace(&options);
		fail_each_of(&b, OPTIONS(.binary = "program",
					 .go_command = "tests/fake_go.sh"));
	}
}

/* No memory is no reason to read less of a trace. */
static void test_memory_for_a_part(void **state)
{
	struct gtrace_options partial = OPTIONS(.partial = 1);
	struct builder b;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 7, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START, 1, 7, 1);
	builder_frequency(&b, 1000000000);
	BUILDER_EVENT(&b, EV_PROC_START, 1, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 1, 7, 0, 0);
	fail_each_of(&b, partial);
}

/* The first SIZE bytes of the trace in the file PATH. */
static void fail_each_of_part(const char *path, size_t size)
{
	struct gtrace_options unfinished =
		OPTIONS(.partial = GTRACE_PARTIAL_UNFINISHED);
	FILE *file = fopen(path, "rb");
	uint8_t bytes[8192];
	struct builder b;

	assert_non_null(file);
	assert_true(size <= sizeof(bytes));
	assert_int_equal(fread(bytes, 1, size, file), size);
	fclose(file);
	builder_open(&b, 1026);
	builder_bytes(&b, bytes, size);
	fail_each_of(&b, unfinished);
}

/* Go 1.22 and later; in unfinished generations, states are made up. */
static void test_memory_for_generations(void **state)
{
	(void)state;
	fail_each("testdata/go1.22-small/lock.trace", OPTIONS(.partial = 0), 0);
	fail_each(is_short() ? "testdata/go1.27-small/task.trace"
			     : "testdata/go1.27-small/http.trace",
		  OPTIONS(.partial = 0), 0);
	fail_each_of_part("testdata/go1.22-small/http.trace", 2000);
	fail_each_of_part("testdata/go1.27-small/http.trace", 6000);
	fail_each_of_part("testdata/go1.27-small/mix.trace", 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_for_generations),
		cmocka_unit_test(test_memory_for_stops),
		cmocka_unit_test(test_memory_for_go1_5),
		cmocka_unit_test(test_memory_for_generated),
		cmocka_unit_test(test_memory_for_a_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
