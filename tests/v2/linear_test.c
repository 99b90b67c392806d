/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear_test.c - traces that are made so that some table, list or search may
 * become long: a trace that is four times as large takes about four times as
 * long, in every report.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#define BUILT_MAX ((1 << 20) + (1 << 16))

#include "tests/reports.h"
#include "tests/v2/builder.h"

#define SMALL ((size_t)1 << 18)
#define LARGE ((size_t)1 << 20)

/* Growth of the time with the size that is allowed, of sizes 1 to 4. */
#define GROWTH 12

/* Times below this, in seconds, say nothing. */
#define NOTHING 0.1

static size_t wanted; /* size of the trace that is built */

static uint64_t batch_m;
static uint64_t batch_time;

static void begin_batches(uint64_t m, uint64_t time)
{
	batch_m = m;
	batch_time = time;
	begin_batch(m, time);
}

/*
 * Whether PART eighths of the trace have been built. If a batch is long, begins
 * another one of its thread.
 */
static int is_full(unsigned part)
{
	if (built.size - built.batch > 50000) {
		end_batch();
		/* Stops that come before their time remain there. */
		if (batch_time != 1)
			batch_time += 10000000;
		begin_batch(batch_m, batch_time);
	}
	return built.size >= wanted / 8 * part;
}

static void begin_thread(uint64_t m, uint64_t p, uint64_t g, uint64_t time)
{
	begin_batches(m, time);
	put(PROC_STATUS, 3, V(1), p, V(1));
	put(GO_STATUS, 4, V(1), g, m, V(2));
}

/* Stops of the world until the trace has its size, DT between two events. */
static void put_stops(uint64_t dt)
{
	while (!is_full(8)) {
		put(STW_BEGIN, 3, dt, V(0), V(0));
		put(PROCS_CHANGE, 3, dt, V(4), V(0));
		put(STW_END, 1, dt);
	}
	end_batch();
}

/* ----------------------------------------------------------------- kinds -- */

/* Goroutines whose ids, times 2^32 / golden ratio, are small. */
static void build_colliding(void)
{
	uint64_t id = 0;

	begin_batches(1, 100);
	while (!is_full(8)) {
		do
			id++;
		while ((uint32_t)(id * 0x9e3779b9u) >= (uint32_t)1 << 27);
		put(GO_STATUS, 4, V(1), id, NONE, V(4));
	}
	end_batch();
}

static void build_far_processors(void)
{
	uint64_t id = 0;

	begin_batches(1, 100);
	while (!is_full(8))
		put(PROC_STATUS, 3, V(1), ++id << 32, V(2));
	end_batch();
}

/* Each thread waits for the next one; all at one time if STEP is 0. */
static void build_chain(uint64_t step)
{
	uint64_t i = 0;

	while (built.size < wanted) {
		i++;
		begin_batch(i, 2000 + i * step);
		put(GO_UNBLOCK, 4, V(0), i, V(1), V(0));
		if (i > 1)
			put(GO_STATUS, 4, V(0), i - 1, NONE, V(4));
		end_batch();
	}
	begin_batch(i + 1, 2001 + i * step);
	put(GO_STATUS, 4, V(0), i, NONE, V(4));
	end_batch();
}

static void build_waiting_chain(void)
{
	build_chain(1);
}

/* Threads start a processor in turn, the last one first. */
static void build_reverse_turns(void)
{
	uint64_t count = wanted / 30, i;

	begin_batch(count + 1, 100);
	put(PROC_STATUS, 3, V(0), V(0), V(2));
	end_batch();
	for (i = 0; i < count; i++) {
		begin_batch(i + 1, 3000 + i);
		put(PROC_START, 3, V(0), V(0), count - i);
		put(PROC_STOP, 1, V(0));
		end_batch();
	}
}

/* A goroutine in stops of many kinds at a time. */
static void build_open_kinds(void)
{
	uint64_t kind = 0;

	begin_thread(1, 0, 1, 100);
	while (!is_full(3))
		put(STW_BEGIN, 3, V(1), ++kind, V(0));
	end_batch();
	while (kind > 0) {
		begin_batch(NONE, 95);
		put_byte(STRINGS);
		for (; kind > 0 && built.size - built.batch < 50000; kind--)
			put_string(kind, "k");
		end_batch();
	}
}

/* Stops whose requests come, as written, before thousands of give-ups. */
static void build_stops_back(void)
{
	begin_batches(2, 1000);
	put(PROC_STATUS, 3, V(1), V(1), V(2));
	while (!is_full(4)) {
		put(PROC_STATUS, 3, V(1), V(1), V(2));
		put(PROC_START, 3, V(1), V(1), V(1));
		put(PROC_STOP, 1, V(1));
	}
	end_batch();
	begin_thread(1, 0, 1, 1);
	put_stops(0);
}

static void build_stops_of_many(void)
{
	uint64_t p = 0;

	begin_batches(2, 100);
	while (!is_full(4)) {
		put(PROC_STATUS, 3, V(1), ++p, V(1));
		put(PROC_STOP, 1, V(1));
	}
	end_batch();
	begin_thread(1, 0, 1, 200);
	put_stops(1);
}

static void build_slices(void)
{
	uint64_t i = 0;

	begin_thread(1, 0, 1, 100);
	put(GO_STOP, 3, V(1), V(0), V(0));
	while (!is_full(8)) {
		put(GO_START, 3, V(1), V(1), ++i);
		put(GO_STOP, 3, i, V(0), V(0));
	}
	end_batch();
}

static void build_tasks(void)
{
	uint64_t task = 0;

	begin_thread(1, 0, 1, 100);
	while (!is_full(8))
		put(TASK_BEGIN, 5, V(1), ++task, V(0), V(0), V(0));
	end_batch();
}

static void build_regions(void)
{
	begin_thread(1, 0, 1, 100);
	while (!is_full(8))
		put(REGION_BEGIN, 4, V(1), V(1), V(0), V(0));
	end_batch();
}

static void build_created(void)
{
	uint64_t g = 1;

	begin_thread(1, 0, 1, 100);
	while (!is_full(8))
		put(GO_CREATE, 4, V(1), ++g, V(0), V(0));
	end_batch();
}

static void build_collections(void)
{
	uint64_t number = 0;

	begin_thread(1, 0, 1, 100);
	while (!is_full(8)) {
		put(GC_BEGIN, 3, V(1), ++number, V(0));
		put(GC_END, 2, V(1), ++number);
	}
	end_batch();
}

static void build_samples(void)
{
	uint64_t i = 0;

	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	while (built.size < wanted) {
		put(SAMPLE, 5, V(2000 + ++i * 7919 % 1000003), V(1), V(0), V(1),
		    V(0));
		if (built.size - built.batch < 50000)
			continue;
		end_batch();
		begin_batch(NONE, 95);
		put_byte(SAMPLES);
	}
	end_batch();
}

static void build_empty_batches(void)
{
	uint64_t m = 0;

	while (built.size < wanted) {
		begin_batch(++m, 100);
		end_batch();
	}
}

static void build_generations(void)
{
	while (built.size < wanted) {
		end_generation();
		put_clock(1000000000);
	}
}

/* Many threads, each with a processor and a goroutine that runs. */
static void build_running(void)
{
	uint64_t i = 0;

	while (built.size < wanted) {
		i++;
		begin_thread(i, i, i, 100 + i);
		end_batch();
	}
}

static const struct kind {
	const char *name;
	void (*build)(void);
} kinds[] = {
	{"colliding ids", build_colliding},
	{"far processors", build_far_processors},
	{"waiting chain", build_waiting_chain},
	{"reverse turns", build_reverse_turns},
	{"open kinds", build_open_kinds},
	{"stops back", build_stops_back},
	{"stops of many", build_stops_of_many},
	{"slices", build_slices},
	{"tasks", build_tasks},
	{"regions", build_regions},
	{"created", build_created},
	{"collections", build_collections},
	{"samples", build_samples},
	{"empty batches", build_empty_batches},
	{"generations", build_generations},
	{"running", build_running},
};

/* --------------------------------------------------------------- reports -- */

static int discard(void *context, const void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

static const char *const reports[] = {"greedy", "stops",   "both",
				      "dump",   "summary", "profile"};

#define REPORTS (sizeof(reports) / sizeof(reports[0]))

static void print(struct gtrace *trace, size_t report)
{
	struct gtrace_error error = {.message = ""};
	struct gtrace_request request = REQUEST(.n = report != 1 ? 10 : 0,
						.stops = report != 0 ? 10 : 0);
	struct gtrace_output output = OUTPUT(.write = discard);

	switch (report) {
	case 0:
		if (gtrace_print_greedy(trace, &request, &output, &error) !=
		    GTRACE_OK)
			fail_msg("%s", error.message);
		return;
	case 1:
		gtrace_print_stops(trace, &request, &output, &error);
		return;
	case 2:
		gtrace_print_reports(trace, &request, &output, &error);
		return;
	case 3:
		gtrace_print_dump(trace, &output, &error);
		return;
	case 4:
		request = REQUEST(.name = "trace");
		gtrace_print_summary(trace, &request, &output, &error);
		return;
	default:
		request = REQUEST(.name = "trace");
		gtrace_print_profile(trace, &request, 0, &output, &error);
	}
}

/* Builds a trace of SIZE and returns the seconds that the report takes. */
static double seconds(const struct kind *kind, size_t size, size_t report)
{
	struct gtrace *trace;
	clock_t begin;

	wanted = size;
	begin_file(26);
	put_clock(1000000000);
	kind->build();
	end_generation();
	begin = clock();
	assert_int_equal(gtrace_open_memory(built.data, built.size, NULL,
					    &trace, NULL),
			 GTRACE_OK);
	print(trace, report);
	gtrace_close(trace);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* A loaded machine can make one measurement wrong, but not three. */
static int grows(const struct kind *kind, size_t report)
{
	unsigned round;

	for (round = 0; round < 3; round++) {
		double large = seconds(kind, LARGE, report);

		if (large < NOTHING ||
		    large < GROWTH * seconds(kind, SMALL, report))
			return 0;
	}
	return 1;
}

static void test_growth(void **state)
{
	size_t i, report;
	unsigned grew = 0;

	(void)state;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (report = 0; report < REPORTS; report++)
			if (grows(&kinds[i], report)) {
				print_error("%s: %s\n", kinds[i].name,
					    reports[report]);
				grew++;
			}
	assert_int_equal(grew, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
