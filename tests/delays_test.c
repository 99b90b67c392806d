/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delays_test.c - what the summary of a built trace says of delays: how long
 * each function made goroutines wait, and which one the headline names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/reports.h"

#define MS 1000000

/* Stacks, by the number of their function. */
enum { ENCODE = 1, IDLE, LONG, FUNCTIONS };

static void add_names(struct builder *b)
{
	static const char *const names[] = {
		[ENCODE] = "main.encode",
		[IDLE] = "main.idle",
		[LONG] = "main.long",
	};
	uint64_t i;

	builder_string(b, FUNCTIONS, "main.go");
	for (i = 1; i < FUNCTIONS; i++) {
		struct builder_frame frame = {i, i, FUNCTIONS, i};

		builder_string(b, i, names[i]);
		builder_stack(b, i, &frame, 1);
	}
	builder_frequency(b, 1000000000);
}

/* Goroutine G runs for LENGTH on the only processor, up to TYPE with STACK. */
static void run(struct builder *b, uint64_t g, uint64_t length, unsigned type,
		uint64_t stack)
{
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, g);
	BUILDER_EVENT(b, type, length, stack);
}

/*
 * Goroutine 1 runs alone for 50 ms. Then it makes three others ready, and runs
 * for 8 ms in each of two slices, after which the three run, for 1 ms each.
 */
static void build(struct builder *b)
{
	uint64_t g;

	builder_open(b, 1008);
	builder_header(b);
	builder_batch(b, 0, 1000);
	for (g = 1; g <= 4; g++)
		BUILDER_EVENT(b, EV_GO_CREATE, 0, g, g == 1 ? LONG : IDLE, 0);
	for (g = 2; g <= 4; g++)
		BUILDER_EVENT(b, EV_GO_WAITING, 0, g);
	BUILDER_EVENT(b, EV_PROC_START, 0, 1);
	BUILDER_EVENT(b, EV_GOMAXPROCS, 0, 1, 0);
	run(b, 1, 50 * MS, EV_GO_SCHED, LONG);
	BUILDER_EVENT(b, EV_GO_START_LOCAL, 0, 1);
	for (g = 2; g <= 4; g++)
		BUILDER_EVENT(b, EV_GO_UNBLOCK_LOCAL, 0, g, 0);
	BUILDER_EVENT(b, EV_GO_SCHED, 8 * MS, ENCODE);
	run(b, 1, 8 * MS, EV_GO_BLOCK, ENCODE);
	for (g = 2; g <= 4; g++)
		run(b, g, MS, EV_GO_BLOCK, IDLE);
	add_names(b);
}

/* Sets B, which the caller closes after the summary. */
static struct gtrace_summary *summarise(struct builder *b,
					const struct gtrace_filter *filter)
{
	struct gtrace_request request = REQUEST(.filter = filter);
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;

	build(b);
	assert_int_equal(
		gtrace_open_memory(b->bytes, b->size, NULL, &trace, NULL),
		GTRACE_OK);
	if (gtrace_summarise(trace, &request, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	return summary;
}

static void expect(struct gtrace_string got, const char *want)
{
	if (got.size != strlen(want) || memcmp(got.data, want, got.size) != 0)
		fail_msg("%.*s, not %s", (int)got.size, got.data, want);
}

static void check(const struct gtrace_function *function, const char *name,
		  uint64_t delaying, int64_t length, int64_t delay)
{
	expect(function->frame.function, name);
	assert_int_equal(function->delaying, delaying);
	assert_int_equal(function->delaying_sum, length);
	assert_int_equal(function->delay, delay);
}

/* The longest slice delayed no goroutine. */
static void test_delays(void **state)
{
	struct builder b;
	struct gtrace_summary *summary = summarise(&b, NULL);

	(void)state;
	assert_int_equal(summary->delaying_count, 2);
	check(summary->delaying[0], "main.encode", 2, 16 * MS, 48 * MS);
	check(summary->delaying[1], "main.idle", 2, 2 * MS, 3 * MS);
	assert_int_equal(summary->function_count, 3);
	check(&summary->functions[0], "main.long", 0, 0, 0);
	assert_int_equal(summary->delays->waited, 51 * MS);
	assert_int_equal(summary->delays->behind, 51 * MS);
	/* Three that were made ready, and goroutine 1 after each slice. */
	assert_int_equal(summary->waits->whole, 5);
	assert_int_equal(summary->waits->all.sum, 51 * MS);
	assert_int_equal(summary->waits->all.max, 18 * MS);
	expect(summary->headline,
	       "main.encode (main.go:1) held goroutines up for 48.0 ms, 40 % "
	       "of the total time: it kept processors 48.0 ms");
	expect(summary->explanation,
	       "The longest slice, 8.00 ms, began at 50.0 ms, G1. A CPU "
	       "profile during the trace tells what ran. 100 % is 120 ms "
	       "of processors and waits");
	expect(summary->findings->next, "-delay=10 "
					"-func='^main\\.encode$'");
	gtrace_summary_free(summary);
	builder_close(&b);
}

/* Delays are those of the slices that pass. */
static void test_filtered(void **state)
{
	const struct gtrace_filter filter = {
		.size = sizeof(filter), .function = "idle", .to = 68 * MS};
	struct builder b;
	struct gtrace_summary *summary = summarise(&b, &filter);

	(void)state;
	assert_int_equal(summary->delaying_count, 1);
	check(summary->delaying[0], "main.idle", 2, 2 * MS, 3 * MS);
	assert_int_equal(summary->delays->behind, 51 * MS);
	assert_true(summary->filtered);
	expect(summary->headline,
	       "main.idle (main.go:2) held goroutines up for 3.00 ms, 3 % of "
	       "the total time: it kept processors 3.00 ms");
	gtrace_summary_free(summary);
	builder_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
