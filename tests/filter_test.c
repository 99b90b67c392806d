/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filter_test.c - filters of slices, stop-the-world pauses and events against
 * tests of what visitors see, what happens inside slices, and reports of
 * several traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/reports.h"
#include "tests/text.h"
#include "tests/tracer.h"

#define FILTER(...)                                                            \
	((struct gtrace_filter){.size = sizeof(struct gtrace_filter),          \
				__VA_ARGS__})

static const char *const paths[] = {
	"testdata/go1.8-small/gc.trace",     "testdata/go1.19-small/http.trace",
	"testdata/go1.22-small/stw.trace",   "testdata/go1.27-small/http.trace",
	"testdata/stops/go1.21_sleep.trace",
};

#define PATHS (sizeof(paths) / sizeof(paths[0]))

static struct gtrace *open_trace(const char *path)
{
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	return trace;
}

/* ------------------------------------------------------------- what is seen */

/* What passes by the words of gtrace_filter, and what came. */
struct counts {
	const struct gtrace_filter *filter; /* NULL: count all */
	uint64_t slices, stops, events, blocks;
	int64_t time;
	int64_t end;  /* of the last slice */
	int64_t late; /* what late processors are told by */
};

static int has_prefix(struct gtrace_string text, const char *prefix)
{
	return text.size >= strlen(prefix) &&
	       memcmp(text.data, prefix, strlen(prefix)) == 0;
}

static int lies_in(const struct gtrace_filter *filter, int64_t from, int64_t to)
{
	return to >= filter->from && (filter->to == 0 || from < filter->to);
}

static int is_listed(int64_t number, const int64_t *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i] == number)
			return 1;
	return count == 0;
}

static int count_slice(void *context, const struct gtrace_slice *slice)
{
	struct counts *counts = context;
	const struct gtrace_filter *filter = counts->filter;
	int system = is_of_tracer(slice->function) ||
		     (has_prefix(slice->function, "runtime.") &&
		      !(slice->function.size == 12 &&
			has_prefix(slice->function, "runtime.main")));

	assert_int_equal(slice->system, system);
	assert_true(slice->syscall_ns <= slice->duration);
	if (filter != NULL &&
	    !(is_listed(slice->g, filter->g, filter->g_count) &&
	      is_listed(slice->p, filter->p, filter->p_count) &&
	      slice->duration >= filter->min &&
	      lies_in(filter, slice->start.ts,
		      slice->start.ts + slice->duration) &&
	      !(filter->user && (system || is_slice_of_tracer(slice)))))
		return 0;
	counts->end = slice->start.ts + slice->duration;
	counts->slices++;
	counts->time += slice->duration;
	return 0;
}

static int count_stop(void *context, const struct gtrace_stop *stop)
{
	struct counts *counts = context;
	const struct gtrace_filter *filter = counts->filter;
	int64_t length = stop->inferred ? stop->stopping_max : stop->stopping;
	size_t i;

	if (stop->stopped > 0)
		length += stop->stopped;
	counts->stops +=
		filter == NULL || filter->min == 0 || length >= filter->min;
	for (i = 0; i < stop->late_count; i++)
		counts->late += stop->late[i].g + stop->late[i].left;
	return 0;
}

static int count_event(void *context, const struct gtrace_event *event)
{
	struct counts *counts = context;
	const struct gtrace_filter *filter = counts->filter;

	counts->events += filter == NULL ||
			  (lies_in(filter, event->ts, event->ts) &&
			   is_listed(event->p, filter->p, filter->p_count));
	return 0;
}

/* Visits everything that REQUEST asks for. */
static void count(struct gtrace *trace, const struct gtrace_request *request,
		  struct counts *counts)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.slice = count_slice,
		.stop = count_stop,
		.event = count_event,
		.context = counts,
	};

	assert_int_equal(gtrace_visit(trace, request, &visitor, NULL),
			 GTRACE_OK);
}

/* One pass sees what three see. */
static void test_visit(void **state)
{
	struct gtrace_request request = REQUEST(.details = 1);
	size_t i;

	(void)state;
	for (i = 0; i < PATHS; i++) {
		struct gtrace *trace = open_trace(paths[i]);
		struct counts one = {0}, each = {0};

		count(trace, &request, &one);
		assert_int_equal(visit_slices(trace, count_slice, &each, NULL),
				 GTRACE_OK);
		assert_int_equal(visit_stops(trace, count_stop, &each, NULL),
				 GTRACE_OK);
		assert_int_equal(visit_events(trace, count_event, &each, NULL),
				 GTRACE_OK);
		assert_int_equal(one.slices, each.slices);
		assert_int_equal(one.time, each.time);
		assert_int_equal(one.stops, each.stops);
		assert_int_equal(one.late, each.late);
		assert_int_equal(one.events, each.events);
		assert_true(one.slices > 0 && one.events > one.slices);
		gtrace_close(trace);
	}
}

static int is_wait_wanted(const struct gtrace_wait *wait,
			  const struct gtrace_filter *filter)
{
	return is_listed(wait->g, filter->g, filter->g_count) &&
	       is_listed(wait->ran_p, filter->p, filter->p_count) &&
	       wait->length >= filter->min &&
	       lies_in(filter, wait->start, wait->start + wait->length);
}

/* Likewise for waits, and for the slices that delay others. */
static void compare_waits(struct gtrace *trace,
			  const struct gtrace_filter *filter)
{
	struct gtrace_request request =
		REQUEST(.waits = SIZE_MAX, .delays = SIZE_MAX, .details = 1);
	struct counts delays = {.filter = filter};
	struct gtrace_reports *all, *some;
	uint64_t waits = 0;
	size_t i;

	assert_int_equal(gtrace_analyse(trace, &request, &all, NULL),
			 GTRACE_OK);
	request.filter = filter;
	assert_int_equal(gtrace_analyse(trace, &request, &some, NULL),
			 GTRACE_OK);
	for (i = 0; i < all->delays->count; i++)
		count_slice(&delays, all->delays->slices[i]);
	assert_int_equal(some->delays->count, delays.slices);
	assert_int_equal(some->delays->waited, all->delays->waited);
	for (i = 0; i < all->waits->count; i++)
		waits += (uint64_t)is_wait_wanted(all->waits->waits[i], filter);
	assert_int_equal(some->waits->count, some->waits->whole +
						     some->waits->before +
						     some->waits->unfinished);
	if (filter->user)
		assert_true(some->waits->count < waits);
	else
		assert_int_equal(some->waits->count, waits);
	gtrace_reports_free(all);
	gtrace_reports_free(some);
}

static int count_block(void *context, const struct gtrace_block *block)
{
	struct counts *counts = context;
	const struct gtrace_filter *filter = counts->filter;

	if (filter != NULL &&
	    !(is_listed(block->g, filter->g, filter->g_count) &&
	      filter->p_count == 0 && block->length >= filter->min &&
	      lies_in(filter, block->start, block->start + block->length)))
		return 0;
	counts->blocks++;
	counts->time += block->length;
	return 0;
}

/* The sums of all blocks in the report with FILTER. */
static void sum_blocks(struct gtrace *trace, const struct gtrace_filter *filter,
		       struct counts *counts)
{
	struct gtrace_request request = REQUEST(.blocks = 1, .filter = filter);
	struct gtrace_reports *reports;
	size_t i;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	for (i = 0; i < reports->blocks->sum_count; i++) {
		counts->blocks += reports->blocks->sums[i].count;
		counts->time += reports->blocks->sums[i].sum;
	}
	gtrace_reports_free(reports);
}

/* Likewise for blocks. */
static void compare_blocks(struct gtrace *trace,
			   const struct gtrace_filter *filter)
{
	struct gtrace_request request = REQUEST(.filter = NULL);
	struct counts want = {.filter = filter}, got = {0}, sums = {0};
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.block = count_block,
		.context = &want,
	};

	assert_int_equal(gtrace_visit(trace, &request, &visitor, NULL),
			 GTRACE_OK);
	visitor.context = &got;
	request.filter = filter;
	assert_int_equal(gtrace_visit(trace, &request, &visitor, NULL),
			 GTRACE_OK);
	sum_blocks(trace, filter, &sums);
	assert_int_equal(got.blocks, sums.blocks);
	assert_int_equal(got.time, sums.time);
	if (filter->user) {
		assert_true(got.blocks < want.blocks);
		return;
	}
	assert_int_equal(got.blocks, want.blocks);
	assert_int_equal(got.time, want.time);
}

/* FILTER lets pass what a test of everything lets pass. Returns how much. */
static uint64_t compare(struct gtrace *trace,
			const struct gtrace_filter *filter)
{
	struct gtrace_request all = REQUEST(.details = 1);
	struct gtrace_request some = REQUEST(.details = 1, .filter = filter);
	struct counts want = {.filter = filter}, got = {0};

	count(trace, &all, &want);
	count(trace, &some, &got);
	assert_int_equal(got.slices, want.slices);
	assert_int_equal(got.time, want.time);
	if (filter->from == 0 && filter->p_count == 0 && !filter->user)
		assert_int_equal(got.stops, want.stops);
	if (!filter->user)
		assert_int_equal(got.events, want.events);
	compare_waits(trace, filter);
	compare_blocks(trace, filter);
	return got.slices;
}

static void test_filters(void **state)
{
	static const int64_t none[] = {-5}, two[] = {0, 2}, some[] = {1, 6, 7};
	size_t i;

	(void)state;
	for (i = 0; i < PATHS; i++) {
		struct gtrace *trace = open_trace(paths[i]);

		assert_true(compare(trace, &FILTER(.to = INT64_MAX)) > 0);
		compare(trace, &FILTER(.min = 10000));
		compare(trace, &FILTER(.from = 100000, .to = 2000000));
		compare(trace, &FILTER(.user = 1));
		compare(trace, &FILTER(.p = two, .p_count = 2));
		compare_blocks(trace, &FILTER(.g = some, .g_count = 3));
		assert_int_equal(
			compare(trace, &FILTER(.p = none, .p_count = 1)), 0);
		gtrace_close(trace);
	}
}

/* What ends at `from` passes, and what begins at `to` does not. */
static void test_limits(void **state)
{
	struct gtrace_request all = REQUEST(.details = 1);
	size_t i;

	(void)state;
	for (i = 0; i < PATHS; i++) {
		struct gtrace *trace = open_trace(paths[i]);
		struct counts counts = {0};
		uint64_t at;

		count(trace, &all, &counts);
		at = compare(trace, &FILTER(.from = counts.end));
		assert_true(at >
			    compare(trace, &FILTER(.from = counts.end + 1)));
		compare(trace, &FILTER(.to = counts.end));
		gtrace_close(trace);
	}
}

/* ------------------------------------------------------------------ numbers */

/* The slice of REPORT that starts with the event NUMBER. */
static const struct gtrace_slice *
slice_from(const struct gtrace_reports *reports, uint64_t number)
{
	size_t i;

	for (i = 0; i < reports->greedy->count; i++)
		if (reports->greedy->slices[i]->start.number == number)
			return reports->greedy->slices[i];
	return NULL;
}

/* What is said of the longest slices is what is said of them among all. */
static void compare_numbers(struct gtrace *trace,
			    const struct gtrace_filter *filter, int details)
{
	struct gtrace_request request =
		REQUEST(.n = 10, .filter = filter, .details = details);
	struct gtrace_reports *few, *all;
	const struct gtrace_slice *same;
	size_t i;

	assert_int_equal(gtrace_analyse(trace, &request, &few, NULL),
			 GTRACE_OK);
	request.n = 1000000000;
	assert_int_equal(gtrace_analyse(trace, &request, &all, NULL),
			 GTRACE_OK);
	assert_int_equal(few->greedy->count,
			 all->greedy->count < 10 ? all->greedy->count : 10);
	for (i = 0; i < few->greedy->count; i++) {
		/* The order of equal lengths depends on the number. */
		assert_int_equal(few->greedy->slices[i]->duration,
				 all->greedy->slices[i]->duration);
		same = slice_from(all, few->greedy->slices[i]->start.number);
		assert_non_null(same);
		assert_int_equal(few->greedy->slices[i]->system, same->system);
		assert_int_equal(few->greedy->slices[i]->function.size,
				 same->function.size);
	}
	gtrace_reports_free(few);
	gtrace_reports_free(all);
}

static void test_numbers(void **state)
{
	static const char *const traces[] = {
		"testdata/go1.8-small/http.trace",
		"testdata/go1.21-small/wide.trace",
		"testdata/go1.22-small/cgo.trace",
		"testdata/go1.22-small/wide.trace",
		"testdata/go1.22-small/sys.trace",
		"testdata/go1.27-small/cgo.trace",
		"testdata/go1.27-small/gens.trace",
	};
	const struct gtrace_filter user = FILTER(.user = 1),
				   function = FILTER(.function = "main");
	size_t i;

	(void)state;
	for (i = 0; i < 2 * sizeof(traces) / sizeof(traces[0]); i++) {
		struct gtrace *trace = open_trace(traces[i / 2]);

		compare_numbers(trace, NULL, i % 2);
		compare_numbers(trace, &user, i % 2);
		compare_numbers(trace, &function, i % 2);
		gtrace_close(trace);
	}
}

/* --------------------------------------------------------------- functions */

/* A pass that begins again has the filter still. */
static void test_again(void **state)
{
	static const char path[] = "testdata/go1.27-small/gens.trace";
	struct gtrace_options options = {.size = sizeof(options),
					 .partial = GTRACE_PARTIAL_UNFINISHED};
	struct gtrace_request request = REQUEST(.n = 1, .stops = 1);
	uint8_t bytes[9102]; /* it ends in the second generation */
	struct gtrace_reports *reports;
	struct gtrace *trace;
	FILE *file = fopen(path, "rb");

	(void)state;
	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	fclose(file);
	assert_int_equal(gtrace_open_memory(bytes, sizeof(bytes), &options,
					    &trace, NULL),
			 GTRACE_OK);
	/* Only the first pass begins again. */
	request.filter = &FILTER(.min = INT64_MAX);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	assert_int_equal(reports->greedy->count, 0);
	assert_int_equal(reports->stops->measured, 0);
	gtrace_reports_free(reports);
	request.filter = NULL;
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	assert_int_equal(reports->greedy->count, 1);
	/* Of a third one, it is not known when a processor was taken again. */
	assert_int_equal(reports->stops->measured, 2);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

static int count_all(void *context, const struct gtrace_slice *slice)
{
	(void)slice;
	++*(uint64_t *)context;
	return 0;
}

static uint64_t count_function(struct gtrace *trace, const char *function)
{
	struct gtrace_filter filter = FILTER(.function = function);
	struct gtrace_request request = REQUEST(.filter = &filter);
	uint64_t slices = 0;
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = count_all,
					 .context = &slices};

	assert_int_equal(gtrace_visit(trace, &request, &visitor, NULL),
			 GTRACE_OK);
	return slices;
}

/* How many waits pass FILTER. */
static size_t count_waits(struct gtrace *trace,
			  const struct gtrace_filter *filter)
{
	struct gtrace_request request = REQUEST(.waits = 9, .filter = filter);
	struct gtrace_reports *reports;
	size_t count;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	count = reports->waits->count;
	gtrace_reports_free(reports);
	return count;
}

/* Likewise blocks. */
static uint64_t count_blocks(struct gtrace *trace,
			     const struct gtrace_filter *filter)
{
	struct counts counts = {0};

	sum_blocks(trace, filter, &counts);
	return counts.blocks;
}

/* Goroutine 1 runs first_f, and blocks in g with a call in between. */
static void build(struct builder *b)
{
	struct builder_frame first = {10, 1, 4, 1}, other = {20, 2, 4, 2},
			     frames[] = {{30, 3, 4, 3}, {10, 1, 4, 1}};

	builder_open(b, 1008);
	builder_header(b);
	builder_batch(b, 0, 1000);
	BUILDER_EVENT(b, EV_GO_CREATE, 10, 1, 1, 0);
	BUILDER_EVENT(b, EV_GO_CREATE, 10, 2, 2, 0);
	BUILDER_EVENT(b, EV_GO_START, 10, 1, 1);
	BUILDER_EVENT(b, EV_GO_SYS_CALL, 10, 3);
	BUILDER_EVENT(b, EV_GO_SYS_CALL, 10, 3);
	BUILDER_EVENT(b, EV_GO_BLOCK, 10, 3);
	BUILDER_EVENT(b, EV_GO_START, 10, 2, 1);
	BUILDER_EVENT(b, EV_GO_END, 10);
	builder_string(b, 1, "first_f");
	builder_string(b, 2, "runtime.work");
	builder_string_of(b, 3, "in\xff\"side", 8);
	builder_string(b, 4, "file");
	builder_stack(b, 1, &first, 1);
	builder_stack(b, 2, &other, 1);
	builder_stack(b, 3, frames, 2);
	builder_frequency(b, 1000000000);
}

/* Sets B, which the caller closes after the trace. */
static struct gtrace *open_built(struct builder *b)
{
	struct gtrace *trace;

	build(b);
	assert_int_equal(
		gtrace_open_memory(b->bytes, b->size, NULL, &trace, NULL),
		GTRACE_OK);
	return trace;
}

static int check_inside(void *context, const struct gtrace_slice *slice)
{
	unsigned *seen = context;

	assert_int_equal(slice->syscalls, slice->g == 1 ? 2 : 0);
	assert_int_equal(slice->syscall_ns, -1);
	assert_int_equal(slice->system, slice->g == 2);
	assert_true(has_prefix(slice->function,
			       slice->g == 1 ? "first_f" : "runtime.work"));
	++*seen;
	return 0;
}

static void test_functions(void **state)
{
	struct gtrace_request request = REQUEST(.details = 1);
	unsigned seen = 0;
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = check_inside,
					 .context = &seen};
	struct gtrace *trace;
	struct builder b;

	(void)state;
	trace = open_built(&b);
	assert_int_equal(gtrace_visit(trace, &request, &visitor, NULL),
			 GTRACE_OK);
	assert_int_equal(seen, 2);
	assert_int_equal(count_function(trace, "."), 2);
	assert_int_equal(count_function(trace, "^first"), 1);
	assert_int_equal(count_function(trace, "^(in|work)"), 1);
	assert_int_equal(count_function(trace, "work$"), 1);
	assert_int_equal(count_function(trace, "^work$"), 0);
	assert_int_equal(count_waits(trace, NULL), 2);
	assert_int_equal(count_waits(trace, &FILTER(.function = "^first")), 1);
	assert_int_equal(count_waits(trace, &FILTER(.function = "^in")), 0);
	assert_int_equal(count_waits(trace, &FILTER(.user = 1)), 1);
	assert_int_equal(count_blocks(trace, NULL), 1);
	assert_int_equal(count_blocks(trace, &FILTER(.function = "^in")), 1);
	assert_int_equal(count_blocks(trace, &FILTER(.function = "^first")), 1);
	assert_int_equal(count_blocks(trace, &FILTER(.function = "^run")), 0);
	gtrace_close(trace);
	builder_close(&b);
}

/* ------------------------------------------------------------------ errors */

static void test_errors(void **state)
{
	static const struct {
		struct gtrace_filter filter;
		const char *message;
	} cases[] = {
		{{.size = sizeof(struct gtrace_filter), .function = "("},
		 "bad regular expression (: "},
		{{.size = sizeof(struct gtrace_filter), .min = -1},
		 "a time of the filter is below 0"},
		{{.size = sizeof(struct gtrace_filter), .from = 2, .to = 2},
		 "the filter ends before it begins"},
		{{.size = 1}, "the struct's size field is not set"},
	};
	struct gtrace *trace = open_trace(paths[0]);
	struct gtrace_output output = OUTPUT(.fd = -1);
	struct gtrace_request request;
	struct gtrace_error error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		request = REQUEST(.n = 1, .filter = &cases[i].filter);
		assert_int_equal(gtrace_print(trace, &request, &output, &error),
				 GTRACE_ERROR_ARGUMENT);
		assert_memory_equal(error.message, cases[i].message,
				    strlen(cases[i].message));
		assert_int_equal(print_report(trace, GTRACE_REPORT_DUMP,
					      request, &output, NULL),
				 GTRACE_ERROR_ARGUMENT);
	}
	request = REQUEST(.n = 1, .stops = 1, .format = GTRACE_FORMAT_CSV);
	assert_int_equal(gtrace_print(trace, &request, &output, NULL),
			 GTRACE_ERROR_ARGUMENT);
	request = REQUEST(.n = 1, .format = 3);
	assert_int_equal(gtrace_print(trace, &request, &output, NULL),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal(
		print_report(trace, GTRACE_REPORT_DUMP, request, &output, NULL),
		GTRACE_ERROR_ARGUMENT);
	assert_int_equal(gtrace_write(NULL, NULL, 0, &request, &output, NULL),
			 GTRACE_ERROR_ARGUMENT);
	gtrace_close(trace);
}

/* ----------------------------------------------------------- several traces */

static void write_one(const struct gtrace_reports *reports,
		      const char *const *name,
		      const struct gtrace_request *request,
		      const struct gtrace_output *output)
{
	assert_int_equal(gtrace_write(&reports, name, 1, request, output, NULL),
			 GTRACE_OK);
}

/* One report is written as gtrace_print() prints it. */
static void test_one(void **state)
{
	static struct text printed, written;
	size_t i;
	int format;

	(void)state;
	for (i = 0; i < PATHS; i++)
		for (format = 0; format < 3; format++) {
			struct gtrace *trace = open_trace(paths[i]);
			struct gtrace_request request =
				REQUEST(.n = 3, .stops = 2, .format = format,
					.details = 1, .name = paths[i]);
			struct gtrace_output output = text_output(&printed);
			struct gtrace_reports *reports;

			struct gtrace_request one = request;

			one.stops = 0;
			gtrace_print(trace, &one, &output, NULL);
			one = request;
			one.n = 0;
			gtrace_print(trace, &one, &output, NULL);
			assert_int_equal(
				gtrace_analyse(trace, &request, &reports, NULL),
				GTRACE_OK);
			gtrace_close(trace);
			output = text_output(&written);
			one.n = 3;
			one.stops = 0;
			write_one(reports, &paths[i], &one, &output);
			one.n = 0;
			one.stops = 2;
			write_one(reports, &paths[i], &one, &output);
			assert_true(printed.size > 0);
			assert_string_equal(printed.bytes, written.bytes);
			gtrace_reports_free(reports);
		}
}

static void test_several(void **state)
{
	static struct text text;
	struct gtrace_request request =
		REQUEST(.n = 2, .format = GTRACE_FORMAT_CSV, .details = 1);
	struct gtrace_output output = text_output(&text);
	struct gtrace_reports *reports;
	const struct gtrace_reports *twice[3] = {NULL};
	static const char *const names[] = {"a", "b\n,", "c"};
	struct gtrace *trace;
	struct builder b;

	(void)state;
	trace = open_built(&b);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	gtrace_close(trace);
	builder_close(&b);
	twice[1] = twice[2] = reports;
	request.n = 3;
	assert_int_equal(gtrace_write(twice, names, 3, &request, &output, NULL),
			 GTRACE_OK);
	assert_string_equal(
		strchr(text.bytes, '\n') + 1,
		"\"b\xef\xbf\xbd,\",ns,30,20,50,-1,0,1,first_f,false,false,2,-"
		"1,GoStart,,,,\"first_f file:1\",GoBlock,,,,"
		"\"in\xef\xbf\xbd\"\"side file:3 <- first_f file:1\",,30,-1,"
		"0,0,0,,false,\r\n"
		"c,ns,30,20,50,-1,0,1,first_f,false,false,2,-1,"
		"GoStart,,,,\"first_f file:1\",GoBlock,,,,"
		"\"in\xef\xbf\xbd\"\"side file:3 <- first_f file:1\",,30,-1,"
		"0,0,0,,false,\r\n"
		"\"b\xef\xbf\xbd,\",ns,10,60,70,-1,0,2,runtime.work,true,false,"
		"0,-1,GoStart,,,,\"runtime.work file:2\",GoEnd,,,GoStart,"
		"\"runtime.work file:2\",,10,-1,0,0,0,"
		"\"runtime.work file:2\",false,\r\n");
	output = text_output(&text);
	assert_int_equal(gtrace_write(twice, names, 0, &request, &output, NULL),
			 GTRACE_OK);
	assert_non_null(strchr(text.bytes, '\n'));
	assert_int_equal(*(strchr(text.bytes, '\n') + 1), '\0');
	gtrace_reports_free(reports);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_visit),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
