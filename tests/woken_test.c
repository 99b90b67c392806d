/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * woken_test.c - goroutines that are woken, compute and end, without a stack at
 * their end: no report calls their slices after the function that woke them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "base/strings.h"
#include "tests/reports.h"

/* The first functions of the goroutines that are woken. */
static const char *const woken[] = {"main.worker", "main.receiver",
				    "main.locker", "main.starter",
				    "main.waiter"};

/* By goroutine: whether it begins in one of these. */
static bool is_woken[256];
static size_t found; /* slices of them that have no stack at their end */

static bool begins_in(struct gtrace_string function)
{
	size_t i;

	for (i = 0; i < sizeof(woken) / sizeof(woken[0]); i++)
		if (string_is(function, woken[i]))
			return true;
	return false;
}

static void check_name(const struct gtrace_frame *frame,
		       const struct gtrace_frame *caller)
{
	const struct gtrace_frame *own = caller != NULL ? caller : frame;

	assert_non_null(own);
	if (!begins_in(own->function) &&
	    !string_is(own->function, "main.compute"))
		fail_msg("%.*s", (int)own->function.size, own->function.data);
}

static void check_last(const struct gtrace_frame *frames, size_t count)
{
	assert_true(count != 0);
	assert_true(begins_in(frames[count - 1].function));
}

static void check_slice(const struct gtrace_slice *slice)
{
	if (!begins_in(slice->function))
		return;
	assert_in_range(slice->g, 0, sizeof(is_woken) - 1);
	is_woken[slice->g] = true;
	check_name(slice->frame, slice->caller);
	if (!slice->still_running && slice->end.stack_id != 0)
		return;
	check_last(slice->last_frames, slice->last_frame_count);
	found++;
}

static void check_kept(const struct gtrace_wait *wait)
{
	size_t i;

	for (i = 0; i < wait->kept_count; i++) {
		const struct gtrace_kept *kept = &wait->kept[i];

		if (!is_woken[kept->g])
			continue;
		check_name(kept->frame, kept->caller);
		if (kept->at.stack_id == 0)
			check_last(kept->last_frames, kept->last_frame_count);
	}
}

/* The function that wakes the others ran for hardly any time. */
static void check_sums(struct gtrace *trace)
{
	struct gtrace_summary *summary;
	int64_t computed = 0, waker = 0;
	size_t i;

	assert_int_equal(gtrace_summarise(trace, NULL, &summary, NULL),
			 GTRACE_OK);
	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *function =
			&summary->functions[i];

		if (string_is(function->frame.function, "main.feed"))
			waker += function->sum + function->delay;
		else if (begins_in(function->frame.function))
			computed += function->sum + function->delay;
	}
	assert_true(waker < computed / 20);
	for (i = 0; i < summary->finding_count; i++)
		if (summary->findings[i].kind == GTRACE_FINDING_DELAY)
			assert_false(string_is(
				summary->findings[i].frame.function,
				"main.feed"));
	gtrace_summary_free(summary);
}

static void check_trace(const char *path)
{
	struct gtrace_request request =
		REQUEST(.n = 1000, .waits = 1000, .delays = 1000, .details = 1);
	struct gtrace_reports *reports;
	struct gtrace *trace;
	size_t i;

	memset(is_woken, 0, sizeof(is_woken));
	found = 0;
	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	for (i = 0; i < reports->greedy->count; i++)
		check_slice(reports->greedy->slices[i]);
	assert_true(found > 20);
	for (i = 0; i < reports->delays->count; i++)
		check_slice(reports->delays->slices[i]);
	for (i = 0; i < reports->waits->count; i++)
		check_kept(reports->waits->waits[i]);
	gtrace_reports_free(reports);
	check_sums(trace);
	gtrace_close(trace);
}

static void test_recorded(void **state)
{
	(void)state;
	check_trace("testdata/woken/go1.8.trace");
	check_trace("testdata/woken/go1.19.trace");
	check_trace("testdata/woken/go1.22.trace");
	check_trace("testdata/woken/go1.27.trace");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
