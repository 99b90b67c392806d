/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_threads_test.c - reports that are made on two threads: the same bytes and
 * the same errors as on one, also where memory runs out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pthread.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/files.h"
#include "tests/generator.h"
#include "tests/model.h"
#include "tests/reports.h"

/* A multiple of the batches before which there is one thread. */
#define EVENTS 12000

/* -------------------------------------------------------------- allocator --
 */

/* Memory for several threads. */
struct shared {
	pthread_mutex_t lock;
	pthread_t first;
	struct counted counted;
	size_t others; /* calls of other threads than the first */
};

static void enter(struct shared *shared)
{
	pthread_mutex_lock(&shared->lock);
	shared->others += !pthread_equal(pthread_self(), shared->first);
}

static void *allocate(void *context, size_t size)
{
	struct shared *shared = context;
	void *memory;

	enter(shared);
	memory = counted_allocate(&shared->counted, size);
	pthread_mutex_unlock(&shared->lock);
	return memory;
}

static void *resize(void *context, void *memory, size_t old_size,
		    size_t new_size)
{
	struct shared *shared = context;
	void *resized;

	enter(shared);
	resized = counted_resize(&shared->counted, memory, old_size, new_size);
	pthread_mutex_unlock(&shared->lock);
	return resized;
}

static void release(void *context, void *memory, size_t size)
{
	struct shared *shared = context;

	enter(shared);
	counted_release(&shared->counted, memory, size);
	pthread_mutex_unlock(&shared->lock);
}

/* ---------------------------------------------------------------- reports --
 */

/* What came of a report. */
struct outcome {
	enum gtrace_status status;
	char message[GTRACE_MESSAGE_SIZE];
	struct bytes bytes;
	size_t others; /* see struct shared */
	size_t silent; /* of them, up to the end of the first report */
	size_t used;   /* allocations */
};

/* Their details need a pass before, in which silences are found. */
static enum gtrace_status write_slices(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	return print_report(trace, GTRACE_REPORT_LONGEST,
			    REQUEST(.n = 1000, .details = 1,
				    .format = GTRACE_FORMAT_JSON),
			    output, error);
}

static enum gtrace_status write_summary(struct gtrace *trace,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	struct gtrace_request request = REQUEST(.format = GTRACE_FORMAT_JSON);
	struct gtrace_summary *summary;
	enum gtrace_status status =
		gtrace_summarise(trace, NULL, &summary, error);

	if (status == GTRACE_OK)
		status = gtrace_write_summary(summary, &request, output, error);
	gtrace_summary_free(summary);
	return status;
}

static enum gtrace_status write_blocks(struct gtrace *trace,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	return print_report(
		trace, GTRACE_REPORT_LONGEST,
		REQUEST(.blocks = 1000, .format = GTRACE_FORMAT_JSON), output,
		error);
}

/*
 * Makes all reports of TRACE, on so many PROCESSORS, with as much memory as
 * LEFT allocations give.
 */
static struct outcome report(const struct bytes *trace, size_t processors,
			     int partial, size_t left)
{
	struct shared shared = {.first = pthread_self(),
				.counted.left = left};
	const struct gtrace_allocator allocator = {allocate, resize, release,
						   &shared};
	const struct gtrace_options options =
		OPTIONS(.allocator = &allocator, .partial = partial,
			.processors = processors);
	struct outcome outcome = {.bytes.room = SIZE_MAX};
	const struct gtrace_output output =
		OUTPUT(.write = add_bytes, .context = &outcome.bytes);
	struct gtrace_error error = {.message = ""};
	struct gtrace *opened = NULL;

	pthread_mutex_init(&shared.lock, NULL);
	outcome.status = gtrace_open_memory(trace->data, trace->size, &options,
					    &opened, &error);
	if (outcome.status == GTRACE_OK)
		outcome.status = write_slices(opened, &output, &error);
	outcome.silent = shared.others;
	if (outcome.status == GTRACE_OK)
		outcome.status = write_summary(opened, &output, &error);
	if (outcome.status == GTRACE_OK)
		outcome.status = write_blocks(opened, &output, &error);
	gtrace_close(opened);
	strcpy(outcome.message, error.message);
	outcome.others = shared.others;
	outcome.used = left - shared.counted.left;
	assert_int_equal(shared.counted.blocks, 0);
	pthread_mutex_destroy(&shared.lock);
	return outcome;
}

/* All reports of TRACE are the same on one thread and on two. */
static void check_same(const struct bytes *trace, int partial,
		       enum gtrace_status status)
{
	struct outcome one = report(trace, 1, partial, SIZE_MAX);
	struct outcome two = report(trace, 2, partial, SIZE_MAX);

	assert_int_equal(one.status, status);
	assert_int_equal(two.status, status);
	if (status != GTRACE_OK)
		assert_string_equal(one.message, two.message);
	assert_int_equal(one.bytes.size, two.bytes.size);
	if (one.bytes.size != 0)
		assert_memory_equal(one.bytes.data, two.bytes.data,
				    one.bytes.size);
	assert_int_equal(one.others, 0);
	assert_true(two.silent != 0 && two.others != two.silent);
	free(one.bytes.data);
	free(two.bytes.data);
}

/* ----------------------------------------------------------------- traces --
 */

/* A trace of VERSION; the caller frees its data. */
static struct bytes make_trace(uint32_t version, uint32_t generation)
{
	struct bytes trace = {.room = SIZE_MAX};
	const struct generator_options options = {
		.version = version,
		.events = EVENTS,
		.processors = 4,
		.goroutines = 40,
		.churn = 400,
		.generation = generation,
		.seed = version,
		.write = generate_bytes,
		.context = &trace,
	};

	generate_trace(&options);
	return trace;
}

static const struct {
	uint32_t version;
	uint32_t generation;
} traces[] = {{1008, 0},    {1011, 0},    {1021, 0},     {1022, 0},
	      {1022, 3000}, {1023, 4000}, {1026, 5000}, {1026, 0}};

#define TRACES (sizeof(traces) / sizeof(*traces))

static void test_same(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < TRACES; i++) {
		struct bytes trace = make_trace(traces[i].version,
						traces[i].generation);

		check_same(&trace, GTRACE_PARTIAL_NO, GTRACE_OK);
		free(trace.data);
	}
}

/* Recordings in which threads had no CPU at times. */
static void test_recorded(void **state)
{
	static const char *const paths[] = {
		"testdata/machine/esbuild.trace",
		"testdata/machine/profile.trace",
		"testdata/machine/prometheus.trace",
		"testdata/after.trace",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct bytes trace = {.room = SIZE_MAX};

		trace.data = read_file(paths[i], &trace.size);
		check_same(&trace, GTRACE_PARTIAL_NO, GTRACE_OK);
		free(trace.data);
	}
}

/* A trace that is cut off: a pass ends within a generation. */
static void test_cut_off(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < TRACES; i++) {
		struct bytes trace = make_trace(traces[i].version,
						traces[i].generation);

		if (traces[i].version < GENERATOR_FIRST_OF_V2)
			trace.size -= 1;
		else
			trace.size -= trace.size / 3;
		check_same(&trace, GTRACE_PARTIAL_UNFINISHED, GTRACE_OK);
		free(trace.data);
	}
}

/* At how many places memory runs out. */
#ifdef SANITIZED
#define PLACES (is_short() ? 21 : 61)
#else
#define PLACES 61
#endif

/* Wherever memory runs out, on either thread, that is what is said. */
static void test_memory(void **state)
{
	struct bytes trace = make_trace(1026, 3000);
	struct outcome all = report(&trace, 2, GTRACE_PARTIAL_NO, SIZE_MAX);
	size_t step = all.used / PLACES + 1, left;

	(void)state;
	free(all.bytes.data);
	for (left = 0; left < all.used; left += step) {
		struct outcome outcome =
			report(&trace, 2, GTRACE_PARTIAL_NO, left);

		if (outcome.status != GTRACE_OK)
			assert_int_equal(outcome.status, GTRACE_ERROR_MEMORY);
		free(outcome.bytes.data);
	}
	free(trace.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
