/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow_test.c - what ends in the generations of a trace, while it comes, is
 * what a visit and the report of waits find in the whole, in all of testdata;
 * generations are told of when they are complete, and not later. Damaged traces
 * give what comes before the fault, once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/chunks.h"
#include "tests/damaged.h"
#include "tests/files.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tests/traces.h"

/* What is found, as numbers that are added up. */
struct found {
	uint64_t counts[4]; /* slices, stops, waits, blocks */
	uint64_t sums[4];
	uint64_t generations;
	uint64_t summaries; /* of these that could be made */
	uint64_t slices;    /* in the summaries */
	uint64_t again;
	uint64_t end;       /* of the last generation */
	int64_t told_to;    /* time of its last event */
	const size_t *come; /* how many bytes have come, or NULL */
	uint64_t latest;    /* most bytes that came after a generation */
	struct found *kept; /* when the last generation was told of, or NULL */
	uint64_t ends_at;   /* end after so many generations; 0: never */
};

static uint64_t mixed(uint64_t sum, int64_t value)
{
	return (sum ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Order does not matter. */
static int add(struct found *found, size_t what, int64_t a, int64_t b,
	       int64_t c, const struct gtrace_frame *frame)
{
	uint64_t sum = mixed(mixed(mixed(1, a), b), c);
	size_t i;

	for (i = 0; frame != NULL && i < frame->function.size; i++)
		sum = mixed(sum, frame->function.data[i]);
	found->counts[what]++;
	found->sums[what] += sum;
	return 0;
}

static int add_slice(void *context, const struct gtrace_slice *slice)
{
	return add(context, 0, slice->start.ts, slice->duration, slice->g,
		   slice->frame);
}

/* One that has ended in a generation comes before that is told of. */
static int add_stop(void *context, const struct gtrace_stop *stop)
{
	const struct found *found = context;

	assert_true(found->generations == 0 || stop->ended == -1 ||
		    stop->ended >= found->told_to);
	return add(context, 1, stop->ts, stop->stopped, stop->stopping,
		   stop->late_count != 0 ? stop->late->frame : NULL);
}

/* What kept it can run on, and be named after what comes. */
static int add_wait(void *context, const struct gtrace_wait *wait)
{
	return add(context, 2, wait->start, wait->length,
		   wait->kept_count != 0 ? wait->kept->overlap : -1, NULL);
}

static int add_block(void *context, const struct gtrace_block *block)
{
	return add(context, 3, block->start, block->length, block->by_g,
		   block->frame);
}

static int add_generation(void *context,
			  const struct gtrace_generation *generation)
{
	struct found *found = context;
	struct gtrace_summary *summary;

	assert_true(generation->begin < generation->end);
	assert_true(generation->from <= generation->to);
	assert_true(found->end == 0 || found->end == generation->begin);
	found->end = generation->end;
	found->told_to = generation->to;
	found->generations++;
	if (gtrace_summarise(generation->trace, NULL, &summary, NULL) ==
	    GTRACE_OK) {
		found->summaries++;
		found->slices += summary->slices.count;
		gtrace_summary_free(summary);
	}
	if (found->come != NULL && *found->come - found->end > found->latest)
		found->latest = *found->come - found->end;
	if (found->kept != NULL)
		*found->kept = *found;
	return found->generations == found->ends_at;
}

static void begin_again(void *context)
{
	struct found *found = context;

	found->again++;
	if (found->kept == NULL)
		return;
	memcpy(found->counts, found->kept->counts, sizeof(found->counts));
	memcpy(found->sums, found->kept->sums, sizeof(found->sums));
}

static enum gtrace_status follow(struct gtrace *trace, int64_t min,
				 struct found *found,
				 struct gtrace_error *error)
{
	const struct gtrace_follower follower = {
		.size = sizeof(follower),
		.context = found,
		.slice = add_slice,
		.stop = add_stop,
		.wait = add_wait,
		.block = add_block,
		.generation = add_generation,
		.again = begin_again,
	};
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .min = min};
	const struct gtrace_request request = REQUEST(.filter = &filter);

	return gtrace_follow(trace, &request, &follower, error);
}

/* The same by what reads the whole trace. */
static enum gtrace_status read_whole(struct gtrace *trace, int64_t min,
				     struct found *found,
				     struct gtrace_error *error)
{
	const struct gtrace_visitor visitor = {.size = sizeof(visitor),
					       .context = found,
					       .slice = add_slice,
					       .stop = add_stop,
					       .block = add_block};
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .min = min};
	const struct gtrace_request visited =
		REQUEST(.filter = &filter, .details = 1);
	const struct gtrace_request waits =
		REQUEST(.filter = &filter, .waits = SIZE_MAX);
	struct gtrace_reports *reports;
	enum gtrace_status status =
		gtrace_visit(trace, &visited, &visitor, error);
	size_t i;

	if (status == GTRACE_OK)
		status = gtrace_analyse(trace, &waits, &reports, error);
	if (status != GTRACE_OK)
		return status;
	for (i = 0; i < reports->waits->count; i++)
		add_wait(found, reports->waits->waits[i]);
	gtrace_reports_free(reports);
	return GTRACE_OK;
}

/* All that was followed, so that no trace passes because nothing was. */
static struct found all;

static void compare(const char *path, int64_t min)
{
	struct found whole = {.end = 0}, come = {.end = 0}, kept;
	struct gtrace_error error;
	struct gtrace *trace;
	enum gtrace_status status;
	size_t i;

	if (gtrace_open_path(path, NULL, &trace, &error) != GTRACE_OK)
		return;
	kept = come;
	come.kept = &kept;
	status = follow(trace, min, &come, &error);
	if (gtrace_trace_version(trace) < 1022) {
		assert_int_equal(status, GTRACE_ERROR_ARGUMENT);
	} else if (status == GTRACE_OK) {
		assert_int_equal(read_whole(trace, min, &whole, &error),
				 GTRACE_OK);
		for (i = 0; i < 4; i++) {
			if (come.counts[i] != whole.counts[i])
				fail_msg("%s: %ju, not %ju of %zu", path,
					 (uintmax_t)come.counts[i],
					 (uintmax_t)whole.counts[i], i);
			if (come.sums[i] != whole.sums[i])
				fail_msg("%s: others of %zu", path, i);
			all.counts[i] += come.counts[i];
		}
		assert_true(come.summaries != 0 || come.generations == 0);
		all.generations += come.generations;
		all.again += come.again;
		all.slices += come.slices;
	} else {
		assert_int_not_equal(read_whole(trace, min, &whole, &error),
				     GTRACE_OK);
	}
	gtrace_close(trace);
}

static void check_trace(const char *path)
{
	compare(path, 0);
	compare(path, 100000);
}

static void traces(void **state)
{
	size_t i;

	(void)state;
	assert_true(each_trace(check_trace) > 100);
	for (i = 0; i < 4; i++)
		assert_true(all.counts[i] > 20);
	assert_true(all.generations > 100);
	assert_true(all.slices > 10000);
	assert_true(all.again > 0);
}

/* Sets FOUND to what is found of SIZE bytes at DATA that come. */
static enum gtrace_status follow_stream(const uint8_t *data, size_t size,
					size_t chunk, int partial,
					struct found *found)
{
	struct source source = {.data = data, .size = size, .chunk = chunk};
	const struct gtrace_stream stream = {.size = sizeof(stream),
					     .read = read_source,
					     .context = &source};
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_error error;
	struct gtrace *trace;
	enum gtrace_status status =
		gtrace_open_stream(&stream, &options, &trace, &error);

	found->come = &source.at;
	if (status == GTRACE_OK)
		status = follow(trace, 0, found, &error);
	gtrace_close(trace);
	found->come = NULL;
	return status;
}

/* Nothing is waited for: LATE bytes after the end of each generation at most.
 */
static void check_lateness(const char *path, size_t late)
{
	struct found found = {.end = 0}, one = found, many = found;
	struct found kept[3];
	size_t size;
	uint8_t *data = read_file(path, &size);

	memset(kept, 0, sizeof(kept));
	one.kept = &kept[0];
	many.kept = &kept[1];
	found.kept = &kept[2];
	assert_int_equal(follow_stream(data, size, 1, 0, &one), GTRACE_OK);
	assert_int_equal(follow_stream(data, size, 65536, 0, &many), GTRACE_OK);
	assert_true(one.generations > 1);
	assert_int_equal(one.generations, many.generations);
	assert_memory_equal(one.sums, many.sums, sizeof(one.sums));
	if (one.latest > late)
		fail_msg("%s: %ju bytes late", path, (uintmax_t)one.latest);
	/* A function ends it. */
	found.ends_at = 1;
	assert_int_equal(follow_stream(data, size, 1, 0, &found), GTRACE_OK);
	assert_int_equal(found.generations, 1);
	/* A pipe that ends early: what is complete, once. */
	found = (struct found){.kept = &kept[2]};
	assert_int_equal(follow_stream(data, one.end - 1, 4096,
				       GTRACE_PARTIAL_CUT_OFF, &found),
			 GTRACE_OK);
	assert_int_equal(found.generations, one.generations - 1);
	free(data);
}

static void in_time(void **state)
{
	(void)state;
	check_lateness("testdata/go1.27-small/gens.trace", 0);
	/* The first batch of the next generation. */
	check_lateness("testdata/go1.22-small/gens.trace", 65536);
}

static size_t row, wrong;

/* A damaged trace gives generations of the whole. */
static void check_row(const char *release, char **columns)
{
	struct builder damaged;
	struct found found = {.end = 0}, kept = found;

	if (row++ % (is_short() ? 10 : 2) != 0)
		return;
	damaged = splice(release, columns);
	found.kept = &kept;
	if (follow_stream(damaged.bytes, damaged.size, 4096, 0, &found) !=
	    GTRACE_OK)
		wrong++;
	free(damaged.bytes);
}

static void damaged(void **state)
{
	(void)state;
	check_rows("go1.22", 300, check_row);
	check_rows("go1.27", 300, check_row);
	assert_true(wrong > 10);
}

/* What is not known before the end. */
static void refused(void **state)
{
	const struct gtrace_follower follower = {.size = sizeof(follower)};
	const struct gtrace_filter filters[] = {
		{.size = sizeof(filters[0]), .from = -1},
		{.size = sizeof(filters[0]), .to = 1, .to_clock = 1},
		{.size = sizeof(filters[0]), .requests_over = 1},
	};
	struct gtrace *trace;
	size_t i;

	(void)state;
	assert_int_equal(gtrace_open_path("testdata/go1.27-small/idle.trace",
					  NULL, &trace, NULL),
			 GTRACE_OK);
	for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		const struct gtrace_request request =
			REQUEST(.filter = &filters[i]);

		assert_int_equal(
			gtrace_follow(trace, &request, &follower, NULL),
			GTRACE_ERROR_ARGUMENT);
	}
	assert_int_equal(
		gtrace_follow(trace, &REQUEST(.n = 1), &follower, NULL),
		GTRACE_ERROR_ARGUMENT);
	assert_int_equal(gtrace_follow(trace, NULL, &follower, NULL),
			 GTRACE_OK);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces),
		cmocka_unit_test(in_time),
		cmocka_unit_test(damaged),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
