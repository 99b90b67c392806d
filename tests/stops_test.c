/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_test.c - stop-the-world pauses in traces built record by record: which
 * processors each waited for, with which times and stacks, and what is left of
 * a stop that the trace cuts off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/reports.h"

static struct gtrace *open_bytes(const struct builder *b, int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(b->bytes, b->size, &options, &trace, &error) !=
	    GTRACE_OK)
		fail_msg("%s", error.message);
	return trace;
}

static struct gtrace_reports *find(struct gtrace *trace)
{
	struct gtrace_request request = {.size = sizeof(request), .stops = 9};
	struct gtrace_reports *reports;
	struct gtrace_error error;

	if (gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return reports;
}

/* The stops of B, which is closed. */
static struct gtrace_reports *find_in(struct builder *b, int partial)
{
	struct gtrace *trace = open_bytes(b, partial);
	struct gtrace_reports *reports = find(trace);

	gtrace_close(trace);
	builder_close(b);
	return reports;
}

static void expect_text(struct gtrace_string text, const char *want)
{
	assert_int_equal(text.size, strlen(want));
	assert_memory_equal(text.data, want, text.size);
}

static void expect_function(const struct gtrace_frame *frames, size_t count,
			    const char *want)
{
	assert_true(count > 0);
	expect_text(frames[0].function, want);
}

/* P, how, g, start, left, gave_up, own of a late processor, and its event. */
static void expect_late(const struct gtrace_late *late, int64_t p,
			enum gtrace_late_how how, const int64_t values[5],
			const char *event)
{
	assert_int_equal(late->p, p);
	assert_int_equal(late->how, how);
	assert_int_equal(late->g, values[0]);
	assert_int_equal(late->start, values[1]);
	assert_int_equal(late->left, values[2]);
	assert_int_equal(late->gave_up, values[3]);
	assert_int_equal(late->own, values[4]);
	assert_string_equal(late->event, event);
}

#define VALUES(...) ((const int64_t[5]){__VA_ARGS__})

/* ----------------------------------------------------- Go 1.5 to Go 1.21 -- */

enum { STACK_MARK = 1, STACK_PREEMPTED, STACK_CALL, STACK_READ_STATS };

/* Strings and stacks: each stack has one frame. */
static void add_stacks(struct builder *b)
{
	static const char *const names[] = {"main.mark", "main.preempted",
					    "main.call",
					    "runtime.ReadMemStats"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct builder_frame frame = {.pc = i + 1, .function = i + 1};

		builder_string(b, i + 1, names[i]);
		builder_stack(b, i + 1, &frame, 1);
	}
}

/* Goroutines 1 to 4, each on its processor, 1 to 4 less one, from tick 100. */
static void add_goroutines(struct builder *b)
{
	uint64_t g;

	builder_batch(b, 0, 100);
	BUILDER_EVENT(b, EV_PROC_START, 0, 70);
	for (g = 1; g <= 4; g++)
		BUILDER_EVENT(b, EV_GO_CREATE, 0, g, 0, 0);
	BUILDER_EVENT(b, EV_GOMAXPROCS, 1, 5, 0);
	BUILDER_EVENT(b, EV_GO_START, 9, 1, 1);
}

/*
 * Processor 0 stops the world at 200. Processor 1 runs until 260, 2 is in a
 * system call since 150, 3 has run nothing since 180, and 4 is idle.
 */
static void build_stop(struct builder *b, unsigned version, uint64_t kind)
{
	builder_open(b, version);
	builder_header(b);
	add_goroutines(b); /* now 110 on processor 0 */
	BUILDER_EVENT(b, EV_STW_START, 90, kind);
	BUILDER_EVENT(b, EV_GOMAXPROCS, 100, 6, STACK_MARK);
	BUILDER_EVENT(b, EV_STW_DONE, 50);
	builder_batch(b, 1, 100);
	BUILDER_EVENT(b, EV_PROC_START, 20, 71);
	BUILDER_EVENT(b, EV_GO_START, 5, 2, 1);
	BUILDER_EVENT(b, EV_GO_PREEMPT, 135, STACK_PREEMPTED);
	BUILDER_EVENT(b, EV_PROC_STOP, 2);
	BUILDER_EVENT(b, EV_PROC_START, 68, 71);
	builder_batch(b, 2, 100);
	BUILDER_EVENT(b, EV_PROC_START, 30, 72);
	BUILDER_EVENT(b, EV_GO_START, 5, 3, 1);
	BUILDER_EVENT(b, EV_GO_SYS_CALL, 15, STACK_CALL);
	BUILDER_EVENT(b, EV_GO_SYS_BLOCK, 55);
	BUILDER_EVENT(b, EV_PROC_STOP, 0);
	builder_batch(b, 3, 100);
	BUILDER_EVENT(b, EV_PROC_START, 40, 73);
	BUILDER_EVENT(b, EV_GO_START, 5, 4, 1);
	BUILDER_EVENT(b, EV_GO_SCHED, 35, STACK_PREEMPTED);
	BUILDER_EVENT(b, EV_PROC_STOP, 30);
	builder_frequency(b, 1000000000);
	add_stacks(b);
}

/* All times are those of the ticks less 100. */
static void test_stop(void **state)
{
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;
	struct builder b;

	(void)state;
	build_stop(&b, 1021, 7);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->measured, 1);
	assert_int_equal(reports->stops->unmeasured + reports->stops->inferred,
			 0);
	assert_int_equal(reports->stops->stop_count, 1);
	stop = reports->stops->stops[0];
	expect_text(stop->kind, "read mem stats");
	assert_int_equal(stop->p, 0);
	assert_int_equal(stop->g, 1);
	expect_function(stop->frames, stop->frame_count, "main.mark");
	assert_int_equal(stop->requested, 100);
	assert_int_equal(stop->obtained, 162);
	assert_int_equal(stop->restarting, 200);
	assert_int_equal(stop->restarted, 230);
	assert_int_equal(stop->ended, 250);
	assert_int_equal(stop->stopping, 62);
	assert_int_equal(stop->stopped, 68);
	assert_int_equal(stop->total, 150);
	assert_int_equal(stop->procs, 5);
	assert_int_equal(stop->idle, 1);
	/* Two stood still all the time; the others since 162, 110 and 105. */
	assert_int_equal(stop->waited, 2 * 62 + 0 + 52 + 57);
	assert_int_equal(stop->late_count, 3);
	expect_late(&stop->late[0], 1, GTRACE_LATE_RAN,
		    VALUES(2, 25, 160, 162, 60), "GoPreempt");
	expect_function(stop->late[0].frames, stop->late[0].frame_count,
			"main.preempted");
	expect_late(&stop->late[1], 3, GTRACE_LATE_SCHEDULER,
		    VALUES(4, -1, 80, 110, 0), "ProcStop");
	assert_int_equal(stop->late[1].frame_count, 0);
	expect_late(&stop->late[2], 2, GTRACE_LATE_SYSCALL,
		    VALUES(3, 35, 50, 105, 5), "ProcStop");
	expect_function(stop->late[2].frames, stop->late[2].frame_count,
			"main.call");
	assert_int_equal(reports->stops->kind_count, 1);
	assert_int_equal(reports->stops->kinds[0].p99, 62);
	gtrace_reports_free(reports);
}

/*
 * A goroutine on processor 1 leaves it for a system call, and another one runs
 * there before it is given up: that is not for the call.
 */
static void test_after_call(void **state)
{
	struct gtrace_reports *reports;
	struct builder b;

	(void)state;
	builder_open(&b, 1021);
	builder_header(&b);
	add_goroutines(&b); /* now 110 on processor 0 */
	BUILDER_EVENT(&b, EV_STW_START, 90, 7);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 100, 2, STACK_MARK);
	BUILDER_EVENT(&b, EV_STW_DONE, 50);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 20, 71);
	BUILDER_EVENT(&b, EV_GO_START, 5, 2, 1);
	BUILDER_EVENT(&b, EV_GO_SYS_CALL, 15, STACK_CALL);
	BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 10);
	BUILDER_EVENT(&b, EV_GO_START, 5, 3, 1);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 100, STACK_PREEMPTED);
	BUILDER_EVENT(&b, EV_PROC_STOP, 5);
	builder_frequency(&b, 1000000000);
	add_stacks(&b);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->stop_count, 1);
	assert_int_equal(reports->stops->stops[0]->late_count, 1);
	expect_late(&reports->stops->stops[0]->late[0], 1, GTRACE_LATE_RAN,
		    VALUES(3, 55, 155, 160, 55), "GoPreempt");
	gtrace_reports_free(reports);
}

/* A CPU sample at tick TIME on P of G with STACK, in a batch of its own. */
static void add_sample(struct builder *b, uint64_t time, uint64_t p, uint64_t g,
		       uint64_t stack)
{
	builder_batch(b, 5, 300);
	BUILDER_EVENT(b, EV_CPU_SAMPLE, 1, time, p, g, stack);
}

/* Samples on late processors from the request, at 200, to their give-ups. */
static void test_samples(void **state)
{
	const struct gtrace_samples *samples;
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;
	struct builder b;

	(void)state;
	build_stop(&b, 1021, 7);
	add_sample(&b, 199, 1, 2, STACK_CALL);
	add_sample(&b, 200, 1, 2, STACK_CALL);
	add_sample(&b, 230, 1, 2, STACK_MARK);
	add_sample(&b, 240, 1, 0, STACK_MARK); /* of no goroutine */
	add_sample(&b, 262, 1, 2, STACK_PREEMPTED);
	add_sample(&b, 263, 1, 2, STACK_CALL);
	add_sample(&b, 203, 3, 77, STACK_CALL); /* of one without a record */
	add_sample(&b, 211, 3, 4, STACK_CALL);
	add_sample(&b, 210, 0, 1, STACK_CALL); /* of the requester */
	add_sample(&b, 210, 4, 1, STACK_CALL); /* on an idle processor */
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->stop_count, 1);
	stop = reports->stops->stops[0];
	assert_int_equal(stop->late_count, 3);
	assert_int_equal(stop->late[0].sample_count, 3);
	samples = stop->late[0].samples;
	assert_int_equal(samples[0].count, 2);
	expect_function(samples[0].frames, 1, "main.mark");
	assert_int_equal(samples[1].count, 1);
	expect_function(samples[1].frames, 1, "main.call");
	assert_int_equal(samples[2].count, 1);
	expect_function(samples[2].frames, 1, "main.preempted");
	assert_int_equal(stop->late[1].sample_count, 1);
	assert_int_equal(stop->late[1].samples[0].count, 1);
	assert_int_equal(stop->late[2].sample_count, 0);
	gtrace_reports_free(reports);
}

/* Before version 1.21 the number of the kind means another one. */
static void test_kinds(void **state)
{
	struct gtrace_reports *reports;
	struct builder b;

	(void)state;
	build_stop(&b, 1019, 1);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->measured, 1);
	expect_text(reports->stops->stops[0]->kind, "GC sweep termination");
	gtrace_reports_free(reports);
}

/* The trace ends before the stop does. */
static struct gtrace_reports *find_cut_off(uint64_t kind)
{
	struct builder b;

	builder_open(&b, 1021);
	builder_header(&b);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 20, 71);
	BUILDER_EVENT(&b, EV_PROC_STOP, 140);
	add_goroutines(&b);
	BUILDER_EVENT(&b, EV_STW_START, 90, kind);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 100, 1);
	builder_frequency(&b, 1000000000);
	return find_in(&b, 0);
}

/* A stop without an end has the times that are known. */
static void test_cut_off(void **state)
{
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;

	(void)state;
	reports = find_cut_off(1);
	assert_int_equal(reports->stops->measured, 0);
	assert_int_equal(reports->stops->unmeasured, 1);
	assert_int_equal(reports->stops->unmeasured_count, 1);
	stop = reports->stops->unmeasured_stops[0];
	expect_text(stop->kind, "GC mark termination");
	assert_int_equal(stop->requested, 100);
	assert_int_equal(stop->obtained, 160);
	assert_int_equal(stop->stopping, 60);
	assert_int_equal(stop->restarting, -1);
	assert_int_equal(stop->restarted, -1);
	assert_int_equal(stop->ended, -1);
	assert_int_equal(stop->stopped, -1);
	assert_int_equal(stop->total, -1);
	assert_int_equal(stop->late_count, 1);
	assert_int_equal(reports->stops->kinds[0].count, 1);
	assert_int_equal(reports->stops->kinds[0].measured, 0);
	assert_int_equal(reports->stops->kinds[0].median, -1);
	assert_int_equal(reports->stops->all.measured, 0);
	gtrace_reports_free(reports);
}

/* The begin event of this kind is written after the world has stopped. */
static void test_cut_off_start(void **state)
{
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;

	(void)state;
	reports = find_cut_off(10);
	assert_int_equal(reports->stops->unmeasured_count, 1);
	stop = reports->stops->unmeasured_stops[0];
	expect_text(stop->kind, "start trace");
	assert_int_equal(stop->obtained, 160);
	assert_int_equal(stop->stopping, -1);
	assert_int_equal(stop->waited, -1);
	assert_int_equal(stop->late_count, 1);
	gtrace_reports_free(reports);
}

/* A stop without an event that begins it: bounds, and the holder. */
static void test_inferred(void **state)
{
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;
	struct builder b;

	(void)state;
	builder_open(&b, 1008);
	builder_header(&b);
	add_goroutines(&b); /* goroutine 1 runs since 110 */
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 30, 1);  /* 140 */
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 60, 1);  /* 200 */
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 100, 1); /* 300 */
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 10, 5, STACK_READ_STATS);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 20, 71);
	BUILDER_EVENT(&b, EV_GO_START, 5, 2, 1);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 135, STACK_PREEMPTED);
	BUILDER_EVENT(&b, EV_PROC_STOP, 2); /* 262 */
	builder_batch(&b, 2, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 30, 72);
	BUILDER_EVENT(&b, EV_GO_START, 5, 3, 1);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 75, STACK_PREEMPTED);
	BUILDER_EVENT(&b, EV_PROC_STOP, 3); /* 213 */
	builder_batch(&b, 3, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 40, 73);
	BUILDER_EVENT(&b, EV_PROC_STOP, 10); /* 150: before the request */
	builder_frequency(&b, 1000000000);
	add_stacks(&b);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->measured + reports->stops->unmeasured,
			 0);
	assert_int_equal(reports->stops->inferred, 1);
	assert_int_equal(reports->stops->inferred_count, 1);
	stop = reports->stops->inferred_stops[0];
	expect_text(stop->kind, "read mem stats");
	assert_int_equal(stop->obtained, 162);
	assert_int_equal(stop->ended, 210);
	assert_int_equal(stop->requested_min, 100);
	assert_int_equal(stop->requested_max, 113);
	assert_int_equal(stop->stopping_min, 49);
	assert_int_equal(stop->stopping_max, 62);
	assert_int_equal(stop->stopped, 48);
	assert_int_equal(stop->requested, -1);
	assert_int_equal(stop->stopping, -1);
	assert_int_equal(stop->idle, 2);
	assert_int_equal(stop->late_count, 2);
	expect_late(&stop->late[0], 1, GTRACE_LATE_RAN,
		    VALUES(2, 25, 160, 162, -1), "GoPreempt");
	expect_late(&stop->late[1], 2, GTRACE_LATE_RAN,
		    VALUES(3, 35, 110, 113, -1), "GoPreempt");
	gtrace_reports_free(reports);
}

/* -------------------------------------------------------- Go 1.22 and on -- */

/* Type bytes, and the statuses and strings that these traces use. */
enum {
	BATCH = 1,
	STACKS,
	STACK,
	STRINGS,
	STRING,
	FREQUENCY = 8,
	PROCS_CHANGE,
	PROC_START,
	PROC_STOP,
	PROC_STEAL,
	PROC_STATUS,
	GO_START = 16,
	GO_STOP = 19,
	GO_UNBLOCK = 21,
	GO_SYSCALL_BEGIN,
	GO_SYSCALL_END_BLOCKED = 24,
	GO_STATUS = 25,
	STW_BEGIN,
	STW_END,
	SYNC = 50,
	SNAPSHOT = 51,
	END = 52,
	RUNNING = 1,
	IDLE = 2,
	G_RUNNABLE = 1,
	G_RUNNING = 2,
	G_SYSCALL = 3,
	G_WAITING = 4,
	KIND = 1,
	REASON = 2
};

static void put(struct builder *b, const uint64_t *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		builder_value(b, values[i]);
}

#define PUT(b, ...) put((b), BUILDER_VALUES(__VA_ARGS__))

/* Moves the bytes of DATA, a batch of thread M at TICKS, to B. */
static void put_batch(struct builder *b, struct builder *data, uint64_t m,
		      uint64_t ticks)
{
	PUT(b, BATCH, 1, m, ticks, data->size);
	builder_bytes(b, data->bytes, data->size);
	builder_clear(data);
}

static void put_tables(struct builder *b, struct builder *data,
		       const char *kind)
{
	PUT(data, STRINGS, STRING, KIND, strlen(kind));
	builder_bytes(data, kind, strlen(kind));
	PUT(data, STRING, REASON, 3);
	builder_bytes(data, "why", 3);
	PUT(data, STRING, 3, 6);
	builder_bytes(data, "main.f", 6);
	put_batch(b, data, UINT64_MAX, 1000);
	PUT(data, STACKS, STACK, 1, 1, 77, 3, 0, 5);
	put_batch(b, data, UINT64_MAX, 1000);
}

/*
 * A tick is a nanosecond, and the first time 1000. Thread 10 on processor 0
 * stops the world at 1500, starts it at 1900, and has started it at 2000.
 * Thread 11 on processor 1 runs goroutine 2 until LEFT. Thread 12 takes
 * processor 2 from goroutine 3, in a system call since 1300, at the time
 * STOLEN. It also tells the status of goroutine 5, which thread 10 unblocks at
 * 1450: so the events of thread 10 come out after STOLEN, with later times.
 */
static void build_kind(struct builder *b, const char *kind, uint64_t stolen,
		       uint64_t left)
{
	struct builder data;

	builder_open(b, 1026);
	builder_open(&data, 1026);
	builder_bytes(b, "go 1.26 trace\0\0\0", 16);
	PUT(&data, SYNC, FREQUENCY, 1000000000, SNAPSHOT, 0, 1, 1, 1);
	put_batch(b, &data, UINT64_MAX, 1000);
	put_tables(b, &data, kind);
	PUT(&data, PROC_STATUS, 10, 0, RUNNING, GO_STATUS, 0, 1, 10, G_RUNNING);
	PUT(&data, PROCS_CHANGE, 90, 4, 0);
	PUT(&data, GO_UNBLOCK, 350, 5, 1, 0);
	PUT(&data, STW_BEGIN, 50, KIND, 1, PROCS_CHANGE, 400, 4, 0);
	PUT(&data, STW_END, 100);
	put_batch(b, &data, 10, 1000);
	PUT(&data, PROC_STATUS, 20, 1, IDLE, PROC_START, 80, 1, 1);
	PUT(&data, GO_STATUS, 0, 2, UINT64_MAX, G_RUNNABLE);
	PUT(&data, GO_START, 100, 2, 1, GO_STOP, left - 1200, REASON, 1);
	PUT(&data, PROC_STOP, 1710 - left, PROC_START, 240, 1, 2);
	put_batch(b, &data, 11, 1000);
	PUT(&data, PROC_STATUS, 30, 2, RUNNING);
	PUT(&data, GO_STATUS, 0, 3, 13, G_RUNNING);
	PUT(&data, GO_SYSCALL_BEGIN, 270, 1, 1);
	put_batch(b, &data, 13, 1000);
	PUT(&data, PROC_STEAL, stolen - 1000, 2, 2, 13);
	PUT(&data, GO_STATUS, 0, 5, UINT64_MAX, G_WAITING);
	put_batch(b, &data, 12, 1000);
	PUT(b, END);
	builder_close(&data);
}

static void build_v2(struct builder *b, uint64_t stolen)
{
	build_kind(b, "kind", stolen, 1700);
}

static void test_v2(void **state)
{
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;
	struct builder b;

	(void)state;
	build_v2(&b, 1600);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->measured, 1);
	stop = reports->stops->stops[0];
	expect_text(stop->kind, "kind");
	expect_function(stop->frames, stop->frame_count, "main.f");
	assert_int_equal(stop->ts, 603);
	assert_int_equal(stop->requested, 500);
	assert_int_equal(stop->obtained, 710);
	assert_int_equal(stop->restarting, 900);
	assert_int_equal(stop->restarted, 950);
	assert_int_equal(stop->ended, 1000);
	assert_int_equal(stop->idle, 1);
	assert_int_equal(stop->late_count, 2);
	expect_late(&stop->late[0], 1, GTRACE_LATE_RAN,
		    VALUES(2, 200, 700, 710, 200), "GoStop");
	expect_text(stop->late[0].reason, "why");
	expect_late(&stop->late[1], 2, GTRACE_LATE_SYSCALL,
		    VALUES(3, -1, 300, 600, 100), "ProcSteal");
	expect_function(stop->late[1].frames, stop->late[1].frame_count,
			"main.f");
	gtrace_reports_free(reports);
}

/* Goroutine 2 holds the stop up only if it ran for half of the 210 ns. */
static void test_v2_own(void **state)
{
	static const char mark_termination[] = "GC mark termination";
	struct gtrace_reports *reports;
	const struct gtrace_stop *stop;
	struct builder b;

	(void)state;
	build_kind(&b, mark_termination, 1600, 1605);
	reports = find_in(&b, 0);
	stop = reports->stops->stops[0];
	expect_late(stop->late, 1, GTRACE_LATE_RAN,
		    VALUES(2, 200, 605, 710, 105), "GoStop");
	/* The runtime's total of this kind ends at the restart. */
	expect_text(stop->kind, mark_termination);
	assert_int_equal(stop->ended, 1000);
	assert_int_equal(stop->total, 400);
	gtrace_reports_free(reports);
	build_kind(&b, "kind", 1600, 1604);
	reports = find_in(&b, 0);
	stop = reports->stops->stops[0];
	expect_late(stop->late, 1, GTRACE_LATE_SCHEDULER,
		    VALUES(2, 200, 604, 710, 104), "ProcStop");
	assert_int_equal(stop->late->reason.size, 0);
	assert_int_equal(stop->late->frame_count, 0);
	assert_int_equal(stop->total, 500);
	gtrace_reports_free(reports);
}

/* Given up before the request, or after the restart: not late. */
static void test_v2_not_late(void **state)
{
	struct gtrace_reports *reports;
	struct builder b;

	(void)state;
	build_v2(&b, 1499);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->stops[0]->late_count, 1);
	assert_int_equal(reports->stops->stops[0]->idle, 2);
	gtrace_reports_free(reports);
	build_v2(&b, 1901);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->stops[0]->late_count, 1);
	gtrace_reports_free(reports);
	build_v2(&b, 1900);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->stops[0]->late_count, 2);
	assert_int_equal(reports->stops->stops[0]->stopping, 400);
	assert_int_equal(reports->stops->stops[0]->stopped, 50);
	gtrace_reports_free(reports);
}

/*
 * Thread 11 has a processor and a goroutine whose system call ends before the
 * thread gives the processor up: the give-up ends no system call.
 */
static void test_v2_call_ended(void **state)
{
	struct gtrace_reports *reports;
	struct builder b, data;

	(void)state;
	builder_open(&b, 1026);
	builder_open(&data, 1026);
	builder_bytes(&b, "go 1.26 trace\0\0\0", 16);
	PUT(&data, SYNC, FREQUENCY, 1000000000, SNAPSHOT, 0, 1, 1, 1);
	put_batch(&b, &data, UINT64_MAX, 1000);
	put_tables(&b, &data, "kind");
	PUT(&data, PROC_STATUS, 10, 0, RUNNING, GO_STATUS, 0, 1, 10, G_RUNNING);
	PUT(&data, STW_BEGIN, 90, KIND, 1, PROCS_CHANGE, 400, 2, 0);
	PUT(&data, STW_END, 100);
	put_batch(&b, &data, 10, 1000);
	PUT(&data, PROC_STATUS, 20, 1, RUNNING);
	PUT(&data, GO_STATUS, 0, 2, 11, G_SYSCALL);
	PUT(&data, GO_SYSCALL_END_BLOCKED, 100, PROC_STOP, 80);
	put_batch(&b, &data, 11, 1000);
	PUT(&b, END);
	builder_close(&data);
	reports = find_in(&b, 0);
	assert_int_equal(reports->stops->measured, 1);
	assert_int_equal(reports->stops->stops[0]->late_count, 1);
	assert_int_equal(reports->stops->stops[0]->late[0].how,
			 GTRACE_LATE_SCHEDULER);
	assert_int_equal(reports->stops->stops[0]->late[0].gave_up, 200);
	gtrace_reports_free(reports);
}

/* ------------------------------------------------------------- interface -- */

static int count_first(void *context, const struct gtrace_stop *stop)
{
	size_t *count = context;

	assert_int_equal(stop->number, 1);
	++*count;
	return 1;
}

static void test_interface(void **state)
{
	struct gtrace_request request = {.size = sizeof(request), .n = 3};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	struct builder b;
	size_t count = 0;

	(void)state;
	build_stop(&b, 1021, 7);
	trace = open_bytes(&b, 0);
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	assert_non_null(reports->greedy);
	assert_null(reports->stops);
	gtrace_reports_free(reports);
	request.stops = 1;
	assert_int_equal(gtrace_analyse(trace, &request, &reports, &error),
			 GTRACE_OK);
	assert_int_equal(reports->greedy->count, 3);
	assert_int_equal(reports->stops->stop_count, 1);
	assert_int_equal(visit_stops(trace, count_first, &count, &error),
			 GTRACE_OK);
	assert_int_equal(count, 1);
	/* A report outlives its trace. */
	gtrace_close(trace);
	builder_close(&b);
	expect_text(reports->stops->stops[0]->kind, "read mem stats");
	gtrace_reports_free(reports);
	gtrace_reports_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_after_call),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_cut_off_start),
		cmocka_unit_test(test_inferred),
		cmocka_unit_test(test_v2),
		cmocka_unit_test(test_v2_own),
		cmocka_unit_test(test_v2_not_late),
		cmocka_unit_test(test_v2_call_ended),
		cmocka_unit_test(test_interface),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
