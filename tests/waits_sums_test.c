/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_sums_test.c - what the analysis of waits finds in every trace of
 * testdata adds up, and what a trace tells of the time before it is found
 * before the pass. In traces up to Go 1.21 merge order and final order give the
 * same result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/observe.h"
#include "base/input.h"
#include "model/format.h"
#include "tests/traces.h"
#include "v1/trace.h"
#include "v2/format_v2.h"

#define WANTED 40

static struct gtrace_allocator memory;

/* A pass over a trace, and what it finds. */
struct run {
	struct input input;
	const struct format *format;
	struct format_facts facts;
	struct gtrace_error error;
	void *self;
	struct left_out left_out;
	struct observer observer;
	struct slices slices;
	struct waits waits;
	struct wait_results results;
};

/* Returns false if the file at PATH is no trace that can be read. */
static bool open_trace(struct run *run, const char *path, bool partial)
{
	static const struct format *const formats[] = {&gti_format_v2,
						       &gti_format_v1};
	struct format_options options = {.memory = &memory};
	unsigned i;

	memset(run, 0, sizeof(*run));
	if (partial)
		options.left_out = &run->left_out;
	if (gti_input_path(&run->input, path, NULL, &memory, NULL) != GTRACE_OK)
		return false;
	for (i = 0; i < 2; i++) {
		run->format = formats[i];
		if (run->format->check(run->input.data, run->input.size,
				       &run->error) == GTRACE_OK &&
		    run->format->open(&options, &run->input, &run->self,
				      &run->facts, &run->error) == GTRACE_OK)
			return true;
	}
	gti_input_close(&run->input);
	return false;
}

static double ns_per_tick(const struct run *run)
{
	return run->facts.frequency != 0 ? 1e9 / (double)run->facts.frequency
					 : 1;
}

/* Makes a pass for the WANTED longest waits. Returns whether it succeeds. */
static bool follow(struct run *run)
{
	struct observer *observer = &run->observer;
	struct pass pass = {.observer = observer};

	observer->memory = &memory;
	observer->slices = &run->slices;
	observer->waits = &run->waits;
	gti_slices_init(&run->slices, 1, run->facts.processors,
			ns_per_tick(run), &memory);
	gti_waits_init(&run->waits, WANTED, WANTED, &observer->clock, &memory);
	return run->format->follow(run->self, &pass, &run->error) ==
		       GTRACE_OK &&
	       gti_waits_results(&run->waits, &run->results);
}

static void close_trace(struct run *run)
{
	gti_waits_free(&run->waits);
	gti_slices_free(&run->slices);
	gti_observer_free(&run->observer);
	run->format->close(run->self);
	gti_input_close(&run->input);
}

/* ------------------------------------------------------------------- sums --
 */

static void check_row(const struct gtrace_wait_row *row)
{
	assert_true(row->count > 0);
	assert_true(row->busy >= 0 && row->idle >= 0 && row->stopped >= 0);
	assert_int_equal(row->busy + row->idle + row->stopped, row->sum);
	assert_true(row->median <= row->p99 && row->p99 <= row->p999 &&
		    row->p999 <= row->max && row->max <= row->sum);
}

static void check_wait(const struct wait *wait)
{
	int64_t overlaps = wait->kept_more_overlap, least = INT64_MAX;
	unsigned i;

	assert_true(wait->busy >= 0 && wait->idle >= 0 && wait->stopped >= 0);
	assert_int_equal(wait->busy + wait->idle + wait->stopped, wait->length);
	for (i = 0; i < wait->kept_count; i++) {
		const struct slice *slice = wait->kept[i].slice;

		assert_true(wait->kept[i].overlap > 0);
		assert_true(wait->kept[i].overlap <= least);
		assert_true(wait->kept[i].overlap <= wait->busy);
		assert_true(wait->kept[i].overlap <= slice->length);
		assert_true(slice->inside.call_ticks >= 0 &&
			    slice->inside.call_ticks <= slice->length);
		least = wait->kept[i].overlap;
		overlaps += least;
	}
	assert_true(wait->kept_more == 0 || wait->kept_count == WAIT_KEPT_MAX);
	assert_true(wait->kept_more_overlap >= (int64_t)wait->kept_more);
	/* All processors are held in busy time, by slices or not. */
	assert_true(wait->kept_none >= 0);
	assert_true(overlaps + wait->kept_none >= wait->busy);
}

static void check_delays(const struct wait_results *results)
{
	size_t i;

	assert_true(results->behind >= 0);
	assert_true(results->behind <= results->waited);
	for (i = 0; i < results->slice_count; i++) {
		const struct slice *slice = &results->slices[i];

		assert_true(slice->delay >= 1);
		assert_true(slice->delay <= results->behind);
		assert_true(i == 0 || slice->delay <= slice[-1].delay);
	}
}

/* The sums of waits that are not whole are those of the longest waits, if all
 * of the former are among these. */
static void check_cut(const struct wait_results *results)
{
	const struct gtrace_wait_report *sums = &results->sums;
	uint64_t count = 0;
	int64_t sum = 0, max = 0;
	size_t i;

	for (i = 0; i < results->wait_count; i++) {
		const struct wait *wait = &results->waits[i];

		if (wait->over && !wait->before)
			continue;
		count++;
		sum += wait->length;
		if (wait->length > max)
			max = wait->length;
	}
	assert_true(sum <= sums->cut_sum);
	if (count != 0)
		assert_int_equal(max, sums->cut_max);
	if (count == sums->before + sums->unfinished)
		assert_int_equal(sum, sums->cut_sum);
}

static void check_results(const struct wait_results *results)
{
	struct gtrace_wait_row all = {0};
	size_t i;

	for (i = 0; i < results->row_count; i++) {
		const struct gtrace_wait_row *row = &results->rows[i];

		check_row(row);
		all.count += row->count;
		all.sum += row->sum;
		all.busy += row->busy;
		all.idle += row->idle;
	}
	assert_int_equal(all.count, results->sums.whole);
	if (results->sums.whole != 0)
		check_row(&results->sums.all);
	assert_int_equal(all.sum, results->sums.all.sum);
	assert_int_equal(all.busy, results->sums.all.busy);
	assert_int_equal(all.idle, results->sums.all.idle);
	for (i = 0; i < results->wait_count; i++) {
		check_wait(&results->waits[i]);
		assert_true(i == 0 || results->waits[i].length <=
					      results->waits[i - 1].length);
	}
	check_cut(results);
	check_delays(results);
}

static unsigned checked;

static void check_sums(const char *path)
{
	struct run run;

	if (!open_trace(&run, path, false))
		return;
	if (follow(&run)) {
		checked++;
		check_results(&run.results);
		/* What was looked for before the pass was right. */
		assert_int_equal(run.waits.settled,
				 run.format == &gti_format_v1);
	}
	close_trace(&run);
}

/* ------------------------------------------------------------------ order --
 */

static void check_same_slice(const struct slice *a, const struct slice *b)
{
	assert_int_equal(a->delay, b->delay);
	assert_int_equal(a->length, b->length);
	assert_int_equal(a->p, b->p);
	assert_int_equal(a->g, b->g);
	assert_int_equal(a->start.ticks, b->start.ticks);
	assert_int_equal(a->end.offset, b->end.offset);
}

static void check_same_wait(const struct wait *a, const struct wait *b)
{
	unsigned i;

	assert_int_equal(a->ready.offset, b->ready.offset);
	assert_int_equal(a->length, b->length);
	assert_int_equal(a->busy, b->busy);
	assert_int_equal(a->idle, b->idle);
	assert_int_equal(a->kept_count, b->kept_count);
	assert_int_equal(a->kept_more, b->kept_more);
	assert_int_equal(a->kept_more_overlap, b->kept_more_overlap);
	assert_int_equal(a->kept_none, b->kept_none);
	for (i = 0; i < a->kept_count; i++) {
		assert_int_equal(a->kept[i].overlap, b->kept[i].overlap);
		check_same_slice(a->kept[i].slice, b->kept[i].slice);
	}
}

static void check_same(const struct wait_results *a,
		       const struct wait_results *b)
{
	size_t i;

	assert_int_equal(a->sums.whole, b->sums.whole);
	assert_int_equal(a->waited, b->waited);
	assert_int_equal(a->behind, b->behind);
	assert_int_equal(a->row_count, b->row_count);
	assert_memory_equal(a->rows, b->rows,
			    a->row_count * sizeof(a->rows[0]));
	assert_int_equal(a->wait_count, b->wait_count);
	for (i = 0; i < a->wait_count; i++)
		check_same_wait(&a->waits[i], &b->waits[i]);
	assert_int_equal(a->slice_count, b->slice_count);
	for (i = 0; i < a->slice_count; i++)
		check_same_slice(&a->slices[i], &b->slices[i]);
}

/* Partial mode takes final order. */
static void check_order(const char *path)
{
	struct run merged, final;

	if (!open_trace(&merged, path, false))
		return;
	if (merged.format == &gti_format_v1 && follow(&merged)) {
		assert_true(open_trace(&final, path, true));
		assert_true(follow(&final));
		assert_int_equal(final.left_out.reason.status, GTRACE_OK);
		check_same(&merged.results, &final.results);
		close_trace(&final);
		checked++;
	}
	close_trace(&merged);
}

static void test_sums(void **state)
{
	(void)state;
	checked = 0;
	each_trace(check_sums);
	assert_true(checked > 80);
}

static void test_order(void **state)
{
	(void)state;
	checked = 0;
	each_trace(check_order);
	assert_true(checked > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_order),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
