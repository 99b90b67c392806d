/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * details_test.c - the CPU samples inside slices of Go 1.19 to 1.21, in a trace
 * built record by record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/builder.h"
#include "tests/reports.h"

/* Goroutine 1 runs on processor 1 from 103 to 120, goroutine 2 from 121 on. */
static void build(struct builder *b)
{
	static const struct builder_frame a = {10, 1, 3, 1}, c = {20, 2, 3, 2};

	builder_open(b, 1019);
	builder_header(b);
	builder_batch(b, 1, 100);
	BUILDER_EVENT(b, EV_GO_CREATE, 1, 1, 1, 0);
	BUILDER_EVENT(b, EV_GO_CREATE, 1, 2, 1, 0);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 1, 1);
	BUILDER_EVENT(b, EV_GO_END, 17);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 1, 2);
	builder_batch(b, 0, 100);
	/* Delta, time, processor, goroutine, stack; not in order of time. */
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 110, 1, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 105, 1, 1, 1);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 106, 1, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 107, 1, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 111, 1, 1, 1);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 125, 1, 2, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 126, 1, 2, 1);
	/* Before and after a slice, on another processor, of no goroutine. */
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 102, 1, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 124, 1, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 108, 0, 1, 2);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, 109, 1, 0, 2);
	builder_string(b, 1, "a");
	builder_string(b, 2, "c");
	builder_string(b, 3, "file");
	builder_stack(b, 1, &a, 1);
	builder_stack(b, 2, &c, 1);
	builder_frequency(b, 1000000000);
}

/* SAMPLES are COUNT in FUNCTION. */
static void check(const struct gtrace_samples *samples, uint64_t count,
		  const char *function)
{
	assert_int_equal(samples->count, count);
	assert_int_equal(samples->frame_count, 1);
	assert_int_equal(samples->frames[0].function.size, 1);
	assert_memory_equal(samples->frames[0].function.data, function, 1);
}

/* In merge order, and in final order. */
static void test_samples(void **state)
{
	struct gtrace_request request = {
		.size = sizeof(request), .n = 9, .details = 1};
	struct gtrace_reports *reports;
	struct gtrace *trace;
	struct builder b;
	int final;

	(void)state;
	build(&b);
	for (final = 0; final < 2; final++) {
		assert_int_equal(
			gtrace_open_memory(b.bytes, b.size, NULL, &trace, NULL),
			GTRACE_OK);
		if (final)
			gti_test_final_order(trace);
		assert_int_equal(
			gtrace_analyse(trace, &request, &reports, NULL),
			GTRACE_OK);
		gtrace_close(trace);
		assert_int_equal(reports->greedy->count, 2);
		assert_int_equal(reports->greedy->slices[0]->g, 1);
		assert_int_equal(reports->greedy->slices[0]->sample_count, 2);
		check(&reports->greedy->slices[0]->samples[0], 3, "c");
		check(&reports->greedy->slices[0]->samples[1], 2, "a");
		/* Of equal counts, that of the first sample is first. */
		assert_int_equal(reports->greedy->slices[1]->g, 2);
		assert_int_equal(reports->greedy->slices[1]->sample_count, 2);
		check(&reports->greedy->slices[1]->samples[0], 1, "c");
		check(&reports->greedy->slices[1]->samples[1], 1, "a");
		gtrace_reports_free(reports);
	}
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
