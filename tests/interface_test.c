/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interface_test.c - the public interface beside the two printed reports: the
 * visitors of slices and events find what the reports do, stop when told to,
 * and survive a lack of memory; structs of another size; small functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/counted.h"
#include "tests/reports.h"

/* Frames of 10 MB. */
#define STACKS 1000
#define FRAMES 200

static struct gtrace *open_trace(const char *path,
				 const struct gtrace_options *options)
{
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_path(path, options, &trace, &error) != GTRACE_OK)
		fail_msg("%s: %s", path, error.message);
	return trace;
}

/* -------------------------------------------------------------- visitors -- */

/* What is kept of a visited slice: what it points to ends with the call. */
struct kept_slice {
	struct gtrace_slice slice;
	uint64_t start_pc; /* of the innermost frame, 0: there is none */
	uint64_t end_pc;
};

struct kept {
	struct kept_slice *slices;
	size_t slice_count, slice_room;
	struct gtrace_event *events;
	size_t event_count, event_room;
	size_t calls_left;
};

static uint64_t innermost(const struct gtrace_event *event)
{
	assert_true((event->frames == NULL) == (event->frame_count == 0));
	assert_true((event->walk == NULL) == (event->walk_count == 0));
	assert_true(event->walk_count == 0 || event->frame_count != 0);
	return event->frame_count != 0 ? event->frames[0].pc : 0;
}

static void keep_slice(struct kept *kept, const struct gtrace_slice *slice)
{
	struct kept_slice *to;

	if (kept->slice_count == kept->slice_room) {
		kept->slice_room = 2 * kept->slice_room + 100;
		kept->slices =
			realloc(kept->slices, kept->slice_room * sizeof(*to));
		assert_non_null(kept->slices);
	}
	to = &kept->slices[kept->slice_count++];
	to->slice = *slice;
	to->start_pc = innermost(&slice->start);
	to->end_pc = slice->still_running ? 0 : innermost(&slice->end);
}

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	struct kept *kept = context;

	keep_slice(kept, slice);
	return --kept->calls_left == 0 ? 7 : 0;
}

static int visit_event(void *context, const struct gtrace_event *event)
{
	struct kept *kept = context;

	innermost(event);
	if (kept->event_count == kept->event_room) {
		kept->event_room = 2 * kept->event_room + 100;
		kept->events = realloc(kept->events,
				       kept->event_room * sizeof(*event));
		assert_non_null(kept->events);
	}
	kept->events[kept->event_count++] = *event;
	return --kept->calls_left == 0 ? 7 : 0;
}

static void free_kept(struct kept *kept)
{
	free(kept->slices);
	free(kept->events);
}

static int by_start(const void *a, const void *b)
{
	const struct kept_slice *x = a, *y = b;

	return (x->slice.start.number > y->slice.start.number) -
	       (x->slice.start.number < y->slice.start.number);
}

static int by_number(const void *a, const void *b)
{
	const struct gtrace_event *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void check_same_event(const struct gtrace_event *a,
			     const struct gtrace_event *b)
{
	assert_true(a->number == b->number);
	assert_true(a->offset == b->offset);
	assert_string_equal(a->name, b->name);
	assert_true(a->ts == b->ts);
	assert_true(a->m == b->m && a->p == b->p);
	assert_true(a->stack_id == b->stack_id);
	assert_int_equal(a->walk_count, b->walk_count);
	assert_int_equal(a->frame_count, b->frame_count);
	assert_int_equal(a->arg_count, b->arg_count);
}

/* All slices of the report, in the order of their starts. */
static void greedy_slices(struct gtrace *trace, struct kept *kept)
{
	struct gtrace_reports *reports;
	struct gtrace_error error;
	size_t i;

	assert_int_equal(make_greedy(trace, 1000000, &reports, &error),
			 GTRACE_OK);
	for (i = 0; i < reports->greedy->count; i++)
		keep_slice(kept, reports->greedy->slices[i]);
	qsort(kept->slices, kept->slice_count, sizeof(*kept->slices), by_start);
	gtrace_reports_free(reports);
}

/* Slices come as they end, then those that do not. */
static void check_order(const struct kept *kept)
{
	size_t i;

	for (i = 1; i < kept->slice_count; i++) {
		const struct gtrace_slice *a = &kept->slices[i - 1].slice;
		const struct gtrace_slice *b = &kept->slices[i].slice;

		assert_true(a->still_running <= b->still_running);
		if (!b->still_running)
			assert_true(a->end.ts <= b->end.ts);
	}
}

static const struct gtrace_event *find_event(const struct kept *kept,
					     uint64_t number)
{
	struct gtrace_event key = {.number = number};
	size_t low = 0, high = kept->event_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kept->events[middle].number < key.number)
			low = middle + 1;
		else
			high = middle;
	}
	assert_true(low < kept->event_count);
	assert_true(kept->events[low].number == number);
	return &kept->events[low];
}

static void check_visitors(const char *path)
{
	struct kept visited = {.calls_left = SIZE_MAX};
	struct kept greedy = {.calls_left = SIZE_MAX};
	struct gtrace *trace = open_trace(path, NULL);
	struct gtrace_error error;
	size_t i;

	assert_int_equal(visit_slices(trace, visit_slice, &visited, &error),
			 GTRACE_OK);
	check_order(&visited);
	qsort(visited.slices, visited.slice_count, sizeof(*visited.slices),
	      by_start);
	greedy_slices(trace, &greedy);
	assert_int_equal(visited.slice_count, greedy.slice_count);
	assert_true(visited.slice_count > 5);

	assert_int_equal(visit_events(trace, visit_event, &visited, &error),
			 GTRACE_OK);
	for (i = 1; i < visited.event_count; i++)
		assert_true(visited.events[i - 1].ts <= visited.events[i].ts);
	qsort(visited.events, visited.event_count, sizeof(*visited.events),
	      by_number);
	for (i = 0; i < visited.slice_count; i++) {
		const struct kept_slice *a = &visited.slices[i];
		const struct kept_slice *b = &greedy.slices[i];
		const struct gtrace_event *event =
			find_event(&visited, a->slice.start.number);

		assert_true(a->slice.duration == b->slice.duration);
		assert_int_equal(a->slice.still_running,
				 b->slice.still_running);
		assert_true(a->slice.p == b->slice.p &&
			    a->slice.g == b->slice.g &&
			    a->slice.m == b->slice.m);
		assert_true(a->start_pc == b->start_pc);
		assert_true(a->end_pc == b->end_pc);
		check_same_event(&a->slice.start, &b->slice.start);
		assert_true(event->offset == a->slice.start.offset);
		assert_true(event->ts == a->slice.start.ts);
		if (a->slice.still_running)
			continue;
		check_same_event(&a->slice.end, &b->slice.end);
		assert_true(event->link == a->slice.end.number);
		assert_true(a->slice.end.ts - a->slice.start.ts ==
			    a->slice.duration);
	}
	gtrace_close(trace);
	free_kept(&visited);
	free_kept(&greedy);
}

static void test_visitors(void **state)
{
	(void)state;
	check_visitors("testdata/go1.8-small/chan.trace");
	check_visitors("testdata/go1.8-small/wide.trace");
	check_visitors("testdata/go1.19-small/gc.trace");
	check_visitors("testdata/go1.21-small/http.trace");
}

/* What is not 0 ends the call, which is no failure. */
static void test_visitors_that_stop(void **state)
{
	struct gtrace *trace =
		open_trace("testdata/go1.8-small/chan.trace", NULL);
	struct gtrace_error error;
	size_t n;

	(void)state;
	for (n = 1; n < 5; n++) {
		struct kept kept = {.calls_left = n};

		assert_int_equal(
			visit_slices(trace, visit_slice, &kept, &error),
			GTRACE_OK);
		assert_int_equal(kept.slice_count, n);
		kept.calls_left = n;
		assert_int_equal(
			visit_events(trace, visit_event, &kept, &error),
			GTRACE_OK);
		assert_int_equal(kept.event_count, n);
		free_kept(&kept);
	}
	gtrace_close(trace);
}

static bool is_named(const struct gtrace_event *event, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(event->name, *names) == 0)
			return true;
	return false;
}

/* Events of some types are those among all events, without their links. */
static void check_named(const char *path, const char *const *names)
{
	struct kept all = {.calls_left = SIZE_MAX};
	struct kept some = {.calls_left = SIZE_MAX};
	const struct gtrace_visitor visitor = {.size = sizeof(visitor),
					       .event = visit_event,
					       .event_names = names,
					       .context = &some};
	struct gtrace *trace = open_trace(path, NULL);
	struct gtrace_error error;
	size_t i, count = 0;

	assert_int_equal(visit_events(trace, visit_event, &all, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_visit(trace, NULL, &visitor, &error),
			 GTRACE_OK);
	for (i = 0; i < all.event_count; i++) {
		if (!is_named(&all.events[i], names))
			continue;
		assert_true(count < some.event_count);
		check_same_event(&some.events[count], &all.events[i]);
		assert_true(some.events[count++].link == 0);
	}
	assert_int_equal(some.event_count, count);
	assert_int_equal(count != 0, names[0] != NULL);
	gtrace_close(trace);
	free_kept(&all);
	free_kept(&some);
}

static void test_named_events(void **state)
{
	static const char *const starts[] = {"GoStart", "NoSuchEvent",
					     "GoUnblock", NULL};
	static const char *const none[] = {NULL};

	(void)state;
	check_named("testdata/go1.8-small/chan.trace", starts);
	check_named("testdata/go1.21-small/http.trace", starts);
	check_named("testdata/go1.27-small/chan.trace", starts);
	check_named("testdata/go1.27-small/chan.trace", none);
}

/* The call that ends the visit is the one for a slice that does not end. */
static void test_stop_at_the_end(void **state)
{
	struct kept kept = {.calls_left = 2};
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;
	uint64_t g;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	for (g = 1; g <= 3; g++) {
		builder_batch(&b, g, 10 * g);
		BUILDER_EVENT(&b, EV_GO_CREATE, 0, g, 0, 0);
		BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, g);
	}
	builder_frequency(&b, 1000000000);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, &error),
		GTRACE_OK);
	assert_int_equal(visit_slices(trace, visit_slice, &kept, &error),
			 GTRACE_OK);
	assert_int_equal(kept.slice_count, 2);
	assert_true(kept.slices[1].slice.still_running);
	gtrace_close(trace);
	free_kept(&kept);
	builder_close(&b);
}

/* The stack of each event begins with an address of its own. */
static int check_stack(void *context, const struct gtrace_event *event)
{
	uint64_t *next = context;

	assert_int_equal(event->frame_count, FRAMES);
	assert_int_equal(event->frames[0].pc, *next * FRAMES);
	(*next)++;
	return 0;
}

/* More stacks than a visitor keeps for the next event that has one of them. */
static void test_visitor_of_many_stacks(void **state)
{
	struct builder_frame frames[FRAMES];
	struct gtrace_error error;
	struct gtrace *trace;
	uint64_t next = 1, i, j;
	struct builder b;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_batch(&b, 1, 10);
	for (i = 1; i <= STACKS; i++)
		BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 4, i);
	builder_frequency(&b, 1000000000);
	for (i = 1; i <= STACKS; i++) {
		for (j = 0; j < FRAMES; j++)
			frames[j] =
				(struct builder_frame){i * FRAMES + j, 0, 0, j};
		builder_stack(&b, i, frames, FRAMES);
	}
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, &error),
		GTRACE_OK);
	assert_int_equal(visit_events(trace, check_stack, &next, &error),
			 GTRACE_OK);
	assert_int_equal(next, STACKS + 1);
	gtrace_close(trace);
	builder_close(&b);
}

/* A trace at fault is found out before the first call. */
static void test_visitors_of_a_damaged_trace(void **state)
{
	struct kept kept = {.calls_left = SIZE_MAX};
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	builder_batch(&b, 1, 10);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(&b, EV_GO_SCHED, 1, 0);
	BUILDER_EVENT(&b, EV_PROC_STOP, 1);
	builder_frequency(&b, 1000000000);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, &error),
		GTRACE_OK);
	assert_int_equal(visit_slices(trace, visit_slice, &kept, &error),
			 GTRACE_ERROR_STATE);
	assert_int_equal(visit_events(trace, visit_event, &kept, &error),
			 GTRACE_ERROR_STATE);
	assert_int_equal(kept.slice_count + kept.event_count, 0);
	gtrace_close(trace);
	builder_close(&b);
}

static enum gtrace_status visit_both(const char *path,
				     const struct gtrace_options *options,
				     struct gtrace_error *error)
{
	struct kept kept = {.calls_left = SIZE_MAX};
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_path(path, options, &trace, error);
	if (status == GTRACE_OK)
		status = visit_slices(trace, visit_slice, &kept, error);
	if (status == GTRACE_OK)
		status = visit_events(trace, visit_event, &kept, error);
	gtrace_close(trace);
	free_kept(&kept);
	return status;
}

static void test_visitors_without_memory(void **state)
{
	struct counted counted = {.left = 0};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_options options = OPTIONS(.allocator = &allocator);
	struct gtrace_error error;
	enum gtrace_status status;
	size_t n = 0;

	(void)state;
	do {
		counted.left = n++;
		counted.refused = 0;
		status = visit_both("testdata/go1.8-small/idle.trace", &options,
				    &error);
		assert_true(status == (counted.refused == 0
					       ? GTRACE_OK
					       : GTRACE_ERROR_MEMORY));
		assert_int_equal(counted.blocks, 0);
	} while (counted.refused != 0);
	assert_true(n > 20);
}

/* --------------------------------------------------------------- structs -- */

/* A struct of a later version, which has more fields. */
struct later_options {
	struct gtrace_options known;
	uint64_t more;
};

static void test_sizes(void **state)
{
	struct gtrace_options options = OPTIONS(.partial = 0);
	struct later_options later = {.known = options, .more = 0};
	struct gtrace_reports *reports;
	struct gtrace_request request = {.size = 0, .n = 3};
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	/* Fields that are not known may be there, if they are zero. */
	later.known.size = sizeof(later);
	trace = open_trace("testdata/go1.8-small/idle.trace", &later.known);
	gtrace_close(trace);
	later.more = 1;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/idle.trace",
					  &later.known, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_string_equal(error.message, "a field is set that this version "
					   "of libgtrace does not know");
	assert_null(trace);

	/* A size that was forgotten, and one that ends after itself. */
	options.size = 0;
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/idle.trace",
					  &options, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_string_equal(error.message,
			    "the struct's size field is not set");
	options.size = sizeof(options.size);
	options.go_command = (const char *)1; /* is not looked at */
	trace = open_trace("testdata/go1.8-small/idle.trace", &options);

	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_null(reports);
	gtrace_close(trace);
}

/* ----------------------------------------------------------------- waits -- */

static struct gtrace_reports *waits_of(const char *path, size_t waits,
				       size_t delays)
{
	struct gtrace_request request = {
		.size = sizeof(request), .waits = waits, .delays = delays};
	struct gtrace *trace = open_trace(path, NULL);
	struct gtrace_reports *reports;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	gtrace_close(trace);
	return reports;
}

/* What is set of a slice does not depend on what else is reported of it. */
static void test_kept(void **state)
{
	struct gtrace_reports *one, *both;
	const struct gtrace_kept *a, *b;
	size_t i;

	(void)state;
	one = waits_of("testdata/stops/go1.27_copy.trace", 1, 0);
	both = waits_of("testdata/stops/go1.27_copy.trace", 1, 1000);
	for (i = 0; i < 3; i++) {
		a = &one->waits->waits[0]->kept[i];
		b = &both->waits->waits[0]->kept[i];
		assert_true(a->at.number == 0 && b->at.number == 0);
		assert_true(a->at.m == -1 && a->at.p == -1 && a->at.g == -1);
		assert_true(b->at.m == -1 && b->at.p == -1 && b->at.g == -1);
		assert_int_equal(a->at.ts, b->at.ts);
		assert_true(a->at.ts == a->ended && a->g > 0);
	}
	gtrace_reports_free(one);
	gtrace_reports_free(both);
}

/* ------------------------------------------------------- small functions -- */

/* Programs that were compiled with the header of another interface. */
static void test_interfaces(void **state)
{
	static const char path[] = "testdata/go1.8-small/idle.trace";
	struct gtrace *trace;
	struct gtrace_error error;
	unsigned interface;

	(void)state;
	for (interface = 0; interface < 2 * GTRACE_INTERFACE; interface++) {
		if (interface == GTRACE_INTERFACE)
			continue;
		assert_int_equal(gtrace_open_path_as(interface, path, NULL,
						     &trace, &error),
				 GTRACE_ERROR_ARGUMENT);
		assert_null(trace);
		assert_non_null(strstr(error.message, " has interface 0.4: "));
		assert_int_equal(
			gtrace_open_fd_as(interface, 0, NULL, &trace, NULL),
			GTRACE_ERROR_ARGUMENT);
		assert_null(trace);
		assert_int_equal(gtrace_open_memory_as(interface, "", 0, NULL,
						       &trace, NULL),
				 GTRACE_ERROR_ARGUMENT);
		assert_null(trace);
	}
	/* One that was compiled with 0.3 calls the functions themselves. */
	assert_int_equal((gtrace_open_path)(path, NULL, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_non_null(strstr(error.message, "of interface 0.3 or older"));
	assert_int_equal((gtrace_open_fd)(0, NULL, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal((gtrace_open_memory)("", 0, NULL, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal(
		gtrace_open_path(path,
				 &(struct gtrace_options){
					 .size = sizeof(struct gtrace_options),
					 .partial = 1},
				 &trace, &error),
		GTRACE_OK);
	gtrace_close(trace);
}

static void test_small_functions(void **state)
{
	static const struct {
		enum gtrace_status status;
		int number;
		const char *sentence;
	} list[] = {
#define ENTRY(name, number, sentence) {name, number, sentence},
		GTRACE_STATUS_LIST(ENTRY)
#undef ENTRY
	};
	const unsigned *version = gtrace_trace_versions();
	struct gtrace *trace;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		assert_int_equal(list[i].status, list[i].number);
		assert_string_equal(gtrace_status_string(list[i].status),
				    list[i].sentence);
	}
	assert_string_equal(gtrace_status_string((enum gtrace_status)9999),
			    "unknown status");
	assert_string_equal(gtrace_version(), GTRACE_VERSION);
	for (; version[1] != 0; version++)
		assert_true(version[0] < version[1]);
	trace = open_trace("testdata/go1.21-small/idle.trace", NULL);
	assert_int_equal(gtrace_trace_version(trace), 1021);
	gtrace_close(trace);
	gtrace_close(NULL);
	gtrace_reports_free(NULL);
}

/* Each value has a word, and no other one has. */
static void test_names(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		assert_non_null(gtrace_block_name((enum gtrace_block_kind)i));
	for (i = 0; i <= GTRACE_WORK_GC_IDLE; i++)
		assert_non_null(gtrace_work_name((enum gtrace_work)i));
	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		assert_non_null(
			gtrace_silent_name((enum gtrace_silent_class)i));
	assert_string_equal(gtrace_block_name(GTRACE_BLOCK_LOCK), "lock");
	assert_string_equal(gtrace_work_name(GTRACE_WORK_GC_IDLE), "GC idle");
	assert_string_equal(gtrace_silent_name(GTRACE_SILENT_NONE), "");
	assert_string_equal(gtrace_silent_name(GTRACE_SILENT_LIKELY), "likely");
	assert_null(gtrace_block_name((enum gtrace_block_kind)99));
	assert_null(gtrace_work_name((enum gtrace_work)99));
	assert_null(gtrace_silent_name((enum gtrace_silent_class)99));
}

/* A message that is too long is cut off, and says so. */
static void test_long_message(void **state)
{
	static char path[2000];
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_ERROR_OPEN);
	assert_int_equal(strlen(error.message), GTRACE_MESSAGE_SIZE - 1);
	assert_string_equal(error.message + GTRACE_MESSAGE_SIZE - 6, "xx...");
	/* Without a place for it there is no message. */
	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL),
			 GTRACE_ERROR_OPEN);
}

struct steps {
	unsigned count;
	uint64_t read;
};

static void take_step(void *context, uint64_t read)
{
	struct steps *steps = context;

	assert_true(read > steps->read);
	steps->read = read;
	steps->count++;
}

/* Returns what is told of the reports of REQUEST on the trace at PATH. */
static struct steps read_in_steps(const char *path,
				  struct gtrace_request request)
{
	struct steps steps = {0};
	struct gtrace_options options =
		OPTIONS(.progress = take_step, .progress_context = &steps);
	struct gtrace_reports *reports;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path(path, &options, &trace, NULL),
			 GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	gtrace_reports_free(reports);
	gtrace_close(trace);
	return steps;
}

static void test_progress(void **state)
{
	const struct gtrace_request request = REQUEST(.n = 1);
	struct steps steps;

	(void)state;
	/* 1.4 MB, and 136 KB of Go 1.27. */
	steps = read_in_steps("testdata/before.trace", request);
	assert_true(steps.count >= 10 && steps.count <= 50);
	assert_true(steps.read >= 1300000 && steps.read <= 2 * 1443160);
	steps = read_in_steps("testdata/go1.27-small/wide.trace", request);
	assert_true(steps.count >= 1 && steps.count <= 4);
	assert_true(steps.read >= 65536 && steps.read <= 2 * 135945);
}

/* Requests take no more passes than blocks do. */
static void test_passes(void **state)
{
	static const char *const paths[] = {
		"testdata/go1.19-small/wide.trace",
		"testdata/go1.27-small/wide.trace",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct steps blocks =
			read_in_steps(paths[i], REQUEST(.blocks = 1));
		struct steps requests =
			read_in_steps(paths[i], REQUEST(.requests = 1));

		assert_true(blocks.read >= 65536);
		assert_int_equal(requests.read, blocks.read);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_visitors),
		cmocka_unit_test(test_visitors_that_stop),
		cmocka_unit_test(test_named_events),
		cmocka_unit_test(test_stop_at_the_end),
		cmocka_unit_test(test_visitor_of_many_stacks),
		cmocka_unit_test(test_visitors_of_a_damaged_trace),
		cmocka_unit_test(test_visitors_without_memory),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_interfaces),
		cmocka_unit_test(test_small_functions),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_long_message),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
