/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_test.c - when threads had no CPU, in traces built record by record.
 * Times are nanoseconds and ticks.
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
#include "tests/text.h"
#include "tests/v2/builder.h"

#define MS UINT64_C(1000000)

/* The silences, and the time off CPU, of the first slices of goroutine 1. */
static int64_t silent[8];
static int64_t off_cpu[8];
static int64_t likely[8];
static size_t slices;
static bool any_silent; /* of all slices */
static bool any_likely;

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	(void)context;
	any_silent = any_silent || slice->silent != 0;
	any_likely = any_likely || slice->off_cpu_likely > slice->off_cpu_min;
	if (slice->g != 1 || slices == 8)
		return 0;
	silent[slices] = slice->silent;
	likely[slices] = slice->off_cpu_likely;
	off_cpu[slices++] = slice->off_cpu_min;
	return 0;
}

/* What the short form of slices says of the time without a CPU. */
static void expect_short(struct gtrace *trace)
{
	static struct text text;
	struct gtrace_output output = text_output(&text);
	struct gtrace_error error;

	assert_int_equal(
		gtrace_print(trace,
			     &REQUEST(.n = 100, .brief = 1, .details = 1),
			     &output, &error),
		GTRACE_OK);
	assert_int_equal(strstr(text.bytes, "\n\twithout an event for ") !=
				 NULL,
			 any_silent);
	assert_int_equal(strstr(text.bytes, ", off the CPU for ") != NULL ||
				 strstr(text.bytes, "most likely without a "
						    "CPU for ") != NULL,
			 any_likely);
}

static struct gtrace_machine machine_of(const uint8_t *data, size_t size,
					int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_request details = {.size = sizeof(details), .details = 1};
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = visit_slice};
	struct gtrace_summary *summary;
	struct gtrace_machine machine;
	struct gtrace_error error;
	struct gtrace *trace;

	slices = 0;
	any_silent = any_likely = false;
	if (gtrace_open_memory(data, size, &options, &trace, &error) !=
		    GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK ||
	    gtrace_visit(trace, &details, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	expect_short(trace);
	machine = summary->machine;
	machine.stretches = NULL;
	gtrace_summary_free(summary);
	gtrace_close(trace);
	return machine;
}

/* ------------------------------------------------------ Go 1.22 and later --
 */

/* Thread 7 + N has processor N, on which goroutine N + 1 starts. */
static void begin_thread(uint64_t n)
{
	begin_batch(7 + n, 100 + 10 * n);
	put(PROC_STATUS, 3, 1, n, 1);
	put(GO_STATUS, 4, 1, n + 1, 7 + n, 2);
	put(GO_STOP, 3, 1, 1, 1);
	put(GO_START, 3, 1, n + 1, 1);
}

static void begin_trace(void)
{
	begin_file(26);
	put_clock(1000000000);
}

static bool signals; /* see put_signals() */

static void put_signals(void);

/* Also in a careful pass, which a fault after the last event makes. */
static struct gtrace_machine find(void)
{
	struct gtrace_machine machine, careful;

	if (signals) {
		put_signals();
	} else {
		put_stacks();
		put_strings();
	}
	signals = false;
	end_generation();
	machine = machine_of(built.data, built.size, 0);
	begin_batch(7, 1000000 * MS);
	put_byte(200);
	end_batch();
	careful = machine_of(built.data, built.size, 1);
	assert_memory_equal(&machine, &careful, sizeof(machine));
	return machine;
}

static void expect_off_cpu(const struct gtrace_machine *machine, uint64_t count,
			   uint64_t sum, uint64_t max, int64_t start)
{
	assert_int_equal(machine->off_cpu.count, count);
	assert_int_equal(machine->off_cpu.sum, sum);
	assert_int_equal(machine->off_cpu.max, max);
	assert_int_equal(machine->off_cpu.start, start);
	assert_int_equal(machine->off_cpu_p, count != 0 ? 0 : -1);
}

static void expect_silence(const struct gtrace_machine *machine, uint64_t count,
			   uint64_t sum, uint64_t max, int64_t start)
{
	assert_int_equal(machine->silence_known, 1);
	assert_int_equal(machine->silence.count, count);
	assert_int_equal(machine->silence.sum, sum);
	assert_int_equal(machine->silence.max, max);
	assert_int_equal(machine->silence.start, start);
}

static void test_off_cpu(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_thread(0); /* up to 104 */
	put(GO_STATUS, 4, 1, 2, NONE, 4);
	put(GO_STOP, 3, 5, 1, 1);
	put(GO_START, 3, MS, 1, 2); /* not more than 1 ms */
	put(GO_STOP, 3, 10, 1, 1);
	put(GO_START, 3, MS + 1, 1, 3);
	put(GO_STOP, 3, 10, 1, 1);
	/* Up to an event of the scheduler, and from there on. */
	put(GO_UNBLOCK, 4, 3 * MS, 2, 1, 0);
	put(GO_START, 3, 2 * MS, 1, 4);
	put(GO_STOP, 3, 10, 1, 1);
	put(PROC_STOP, 1, 5 * MS);
	put(PROC_START, 3, 9 * MS, 0, 1); /* it was not held */
	put(GO_START, 3, 2 * MS, 1, 5);
	end_batch();
	machine = find();
	expect_off_cpu(&machine, 5, 13 * MS + 1, 5 * MS,
		       (int64_t)(7 * MS + 1 + 10 + 10 + 10 + 20));
	assert_int_equal(machine.classes[GTRACE_SILENT_CERTAIN].count, 0);
	assert_int_equal(machine.silence.count, 0);
}

/* A processor that was held when the trace began. */
static void test_held_before(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, NONE, 1);
	put(GO_START, 3, 9 * MS, 1, 1);
	end_batch();
	machine = find();
	expect_off_cpu(&machine, 0, 0, 0, -1);
}

static void test_silence(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_thread(0);
	put(HEAP_ALLOC, 2, 30 * MS, 1); /* both goroutines run */
	put(HEAP_ALLOC, 2, 25 * MS, 1); /* not more than 25 ms */
	put(HEAP_ALLOC, 2, 40 * MS, 1); /* the other one is in a call */
	put(GO_STOP, 3, 1, 1, 1);
	put(PROC_STOP, 1, 1);
	put(PROC_START, 3, 50 * MS, 0, 1); /* only the call */
	put(GO_START, 3, 1, 1, 2);
	put(STW_BEGIN, 3, 1, 1, 0);
	put(HEAP_ALLOC, 2, 60 * MS, 1); /* the world is stopped */
	put(STW_END, 1, 1);
	put(HEAP_ALLOC, 2, 1, 1);
	end_batch();
	begin_thread(1);
	put(GO_SYSCALL_BEGIN, 3, 55 * MS + 9, 1, 0);
	end_batch();
	machine = find();
	expect_silence(&machine, 2, 70 * MS - 29, 40 * MS - 19,
		       (int64_t)(55 * MS + 33));
	assert_int_equal(machine.classes[GTRACE_SILENT_CERTAIN].count, 0);
	assert_int_equal(machine.off_cpu.count, 0);
	assert_int_equal(machine.throttle_interval, 0);
	/* The slice before the start, and the two after it. */
	assert_int_equal(slices, 3);
	assert_int_equal(silent[0], 0);
	assert_int_equal(silent[1], 70 * MS - 29);
	assert_int_equal(silent[2], 0);
	assert_int_equal(off_cpu[1], 0);
}

/* No sum is negative, and the summary is made in each form. */
static void expect_summary(void)
{
	static struct text text;
	struct gtrace_output output = text_output(&text);
	struct gtrace_summary *summary;
	struct gtrace_machine machine;
	struct gtrace_error error;
	struct gtrace *trace;
	int format;

	put_stacks();
	put_strings();
	end_generation();
	machine = machine_of(built.data, built.size, 0);
	assert_true(machine.off_cpu.sum >= 0);
	assert_true(machine.off_cpu.sum >= 0 && machine.off_cpu.max >= 0);
	assert_true(machine.silence.sum >= 0 && machine.silence.max >= 0);
	assert_true(machine.throttle_ran >= 0 && machine.throttle_cpu >= -1);
	if (gtrace_open_memory(built.data, built.size, NULL, &trace, &error) !=
		    GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	for (format = GTRACE_FORMAT_TEXT; format <= GTRACE_FORMAT_CSV; format++)
		assert_int_equal(gtrace_write_summary(
					 summary, &REQUEST(.format = format),
					 &output, &error),
				 GTRACE_OK);
	assert_int_equal(gtrace_print_comparison(summary, summary, NULL, NULL,
						 &output, &error),
			 GTRACE_OK);
	gtrace_summary_free(summary);
	gtrace_close(trace);
}

/* A batch of thread 7, at TIME, in which goroutine 1 runs. */
static void put_slice(uint64_t time, uint64_t number)
{
	begin_batch(7, time);
	put(GO_START, 3, 1, 1, number);
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
}

/*
 * Times that a thread wrote are any numbers: 2^63 is before all others, and the
 * time from there on does not fit.
 */
static void test_any_time(void **state)
{
	(void)state;
	begin_trace();
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 1, 1, 1);
	end_batch();
	put_slice(UINT64_C(1) << 63, 1);
	put_slice(10000 * MS, 2);
	put_slice(10002 * MS, 3);
	expect_summary();
}

/*
 * A goroutine waits for 61 ms that are silent, which does not excuse the slice.
 * A slice of that function without a silence delays a goroutine by 10 ms.
 */
static void test_delay(void **state)
{
	const struct gtrace_function *of = NULL;
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;
	size_t i;

	(void)state;
	begin_trace();
	begin_thread(0);
	put(PROCS_CHANGE, 3, 1, 1, 0);
	put(HEAP_ALLOC, 2, 21 * MS - 1, 1);
	put(GO_CREATE, 4, 0, 2, 0, 0);
	put(HEAP_ALLOC, 2, 61 * MS, 1);
	put(GO_STOP, 3, 0, 1, 1);
	put(GO_START, 3, 0, 2, 1);
	put(GO_STOP, 3, 10 * MS, 1, 1);
	end_batch();
	put_stacks();
	put_strings();
	end_generation();
	if (gtrace_open_memory(built.data, built.size, NULL, &trace, &error) !=
		    GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	for (i = 0; i < summary->function_count; i++)
		if (summary->functions[i].delay != 0)
			of = &summary->functions[i];
	assert_non_null(of);
	assert_in_range(of->delay, 71 * MS - 9, 71 * MS);
	assert_int_equal(of->off_cpu, 0);
	gtrace_summary_free(summary);
	gtrace_close(trace);
}

/* An event that waits for that of another thread ends a silence, too. */
static void test_disorder(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_thread(0);
	put(GO_UNBLOCK, 4, 20 * MS, 2, 2, 0);
	end_batch();
	begin_thread(1);
	put(GO_BLOCK, 3, 40 * MS, 1, 0);
	end_batch();
	machine = find();
	expect_silence(&machine, 0, 0, 0, -1);
}

/*
 * The last event before the silence is near the end of its batch, where a pass
 * takes events one by one; the next one is not.
 */
static void test_batches(void **state)
{
	struct gtrace_machine machine;
	unsigned i;

	(void)state;
	begin_trace();
	begin_thread(0);
	put(HEAP_ALLOC, 2, 1000, 1);
	for (i = 0; i < 100; i++)
		put(HEAP_ALLOC, 2, i == 0 ? 30 * MS : MS, 1);
	end_batch();
	begin_thread(1);
	put(GO_STOP, 3, 2000, 1, 1);
	end_batch();
	machine = find();
	expect_silence(&machine, 1, 30 * MS - 1010, 30 * MS - 1010, 2024);
}

/* Another generation begins, with a batch of thread 7 at TIME. */
static void begin_next(uint64_t time)
{
	put_stacks();
	put_strings();
	end_generation();
	put_clock(1000000000);
	begin_batch(7, time);
}

/* A generation that begins does not hide what was silent before. */
static void test_generations(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_thread(0);
	end_batch();
	begin_next(104 + 30 * MS);
	put(PROC_STATUS, 3, 0, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(HEAP_ALLOC, 2, 40 * MS, 1);
	end_batch();
	machine = find();
	assert_int_equal(machine.silence.count, 2);
	assert_int_equal(machine.silence.max, 40 * MS);
}

/*
 * While the runtime ends a generation, which takes it until 60 ms, a thread
 * writes to the next one, from 30 ms on: the order of events has these later.
 */
static void test_overlap(void **state)
{
	struct gtrace_machine machine;

	(void)state;
	begin_trace();
	begin_thread(0);
	end_batch();
	begin_batch(NONE, 104 + 60 * MS);
	put(GO_STATUS, 4, 1, 50, NONE, 4);
	end_batch();
	begin_next(104 + 30 * MS);
	put(PROC_STATUS, 3, 0, 0, 1);
	put(GO_STATUS, 4, 0, 1, 7, 2);
	put(HEAP_ALLOC, 2, 45 * MS, 1);
	put(HEAP_ALLOC, 2, 26 * MS, 1);
	end_batch();
	machine = find();
	expect_silence(&machine, 2, 86 * MS + 1, 60 * MS + 1, 14);
	assert_int_equal(slices, 2);
	assert_int_equal(silent[1], 86 * MS + 1);
}

static void test_throttling(void **state)
{
	struct gtrace_machine machine;
	uint64_t i, j;

	(void)state;
	begin_trace();
	begin_thread(0);
	for (i = 0; i < 6; i++) {
		/* It runs for 60 ms, and stands for 40, once for 10. */
		put(GO_SYSCALL_BEGIN, 3, 0, i + 1, 0);
		put(GO_SYSCALL_END, 1, 4 * MS);
		for (j = i == 3 ? 86 : 56; j != 0; j -= 2)
			put(HEAP_ALLOC, 2, 2 * MS, 1);
		put(HEAP_ALLOC, 2, (i == 3 ? 10 : 40) * MS, 1);
	}
	put(HEAP_ALLOC, 2, 2 * MS, 1);
	put(HEAP_ALLOC, 2, 38 * MS, 1); /* at another time */
	end_batch();
	machine = find();
	expect_silence(&machine, 6, 5 * 40 * MS + 38 * MS, 40 * MS,
		       (int64_t)(60 * MS + 14));
	/* A ticker with equal work ends its silences so, too. */
	assert_int_equal(machine.throttle_interval, 0);
}

/* Preemptions are by a signal in main.f. */
static void put_signals(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 10, 1, 2, 63, 4, 3, 5, 64, 2, 3, 5);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	put_string(4, "runtime.asyncPreempt");
	end_batch();
}

/*
 * Both goroutines are silent for 100 ms. If SAMPLED, there are samples of
 * thread 7 each 10 ms before and after that.
 */
static struct gtrace_machine find_together(bool by_signal, bool sampled)
{
	uint64_t i;

	begin_trace();
	begin_thread(0);
	for (i = 0; i < 4; i++)
		put(HEAP_ALLOC, 2, 10 * MS, 1);
	put(GO_STOP, 3, 100 * MS, 1, 1);
	put(GO_START, 3, 1, 1, 2);
	for (i = 0; i < 4; i++)
		put(HEAP_ALLOC, 2, 10 * MS, 1);
	end_batch();
	begin_thread(1);
	put(GO_STOP, 3, 140 * MS, 1, 1);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	for (i = 0; i < 8 && sampled; i++)
		put(SAMPLE, 5, 104 + (5 + 10 * i + (i > 3 ? 100 : 0)) * MS, 7,
		    0, 1, 1);
	end_batch();
	signals = by_signal;
	return find();
}

/* With a CPU profile it is certain that threads had no CPU, or slept. */
static void test_profile(void **state)
{
	struct gtrace_machine machine = find_together(true, true);
	const struct gtrace_class_sum *classes = machine.classes;

	(void)state;
	expect_silence(&machine, 1, 100 * MS, 100 * MS,
		       (int64_t)(40 * MS + 14));
	assert_int_equal(machine.profile, 1);
	assert_int_equal(classes[GTRACE_SILENT_CERTAIN].count, 2);
	assert_int_equal(classes[GTRACE_SILENT_CERTAIN].sum, 140 * MS);
	assert_int_equal(off_cpu[1], 70 * MS);
	assert_int_equal(likely[1], 70 * MS);
	machine = find_together(false, true);
	assert_int_equal(classes[GTRACE_SILENT_ASLEEP].count, 2);
	assert_int_equal(classes[GTRACE_SILENT_ASLEEP].sum, 140 * MS);
	assert_int_equal(off_cpu[1], 0);
	assert_int_equal(likely[1], 70 * MS);
	machine = find_together(true, false);
	assert_int_equal(classes[GTRACE_SILENT_LIKELY].count, 2);
	assert_int_equal(classes[GTRACE_SILENT_LIKELY].sum, 160 * MS);
	assert_int_equal(off_cpu[1], 0);
	assert_int_equal(likely[1], 80 * MS);
	machine = find_together(false, false);
	assert_int_equal(classes[GTRACE_SILENT_UNDECIDED].count, 2);
	assert_int_equal(likely[1], 0);
}

/* ----------------------------------------------------- Go 1.5 to Go 1.21 -- */

static struct gtrace_machine find_v1(unsigned version, bool exits)
{
	struct gtrace_machine machine;
	struct builder b;

	builder_open(&b, version);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 0, 70);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 2, 0, 0);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 5, 0);
	BUILDER_EVENT(&b, EV_GO_START, 3 * MS, 1, 1);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 30 * MS, 1);
	BUILDER_EVENT(&b, EV_HEAP_ALLOC, 40 * MS, 1);
	BUILDER_EVENT(&b, EV_GO_PREEMPT, 10, 0);
	BUILDER_EVENT(&b, EV_PROC_STOP, 2 * MS);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 2, 71);
	BUILDER_EVENT(&b, EV_GO_START, 5, 2, 1);
	if (exits) {
		/* The call ends while nothing else happens. */
		BUILDER_EVENT(&b, EV_GO_SYS_CALL, 10, 0);
		BUILDER_EVENT(&b, EV_GO_SYS_BLOCK, 3 * MS);
		BUILDER_EVENT(&b, EV_PROC_STOP, 9 * MS);
		BUILDER_EVENT(&b, EV_PROC_START, 62 * MS, 71);
		BUILDER_EVENT(&b, EV_GO_SYS_EXIT, 10, 2, 2, 100 + 50 * MS);
		BUILDER_EVENT(&b, EV_GO_START, 10, 2, 3);
	}
	builder_frequency(&b, 1000000000);
	machine = machine_of(b.bytes, b.size, 0);
	builder_close(&b);
	return machine;
}

static void test_v1(void **state)
{
	struct gtrace_machine machine = find_v1(1021, false);

	(void)state;
	expect_off_cpu(&machine, 2, 5 * MS, 3 * MS, 1);
	expect_silence(&machine, 2, 70 * MS, 40 * MS, (int64_t)(33 * MS + 1));
	assert_int_equal(machine.classes[GTRACE_SILENT_CERTAIN].count, 0);
}

/*
 * Goroutine 1 keeps a processor alone. In Go 1.19 it may have stopped the world
 * without an event, but not if TYPE ends the silence of 40 ms.
 */
static struct gtrace_machine find_alone(enum event_type type)
{
	struct gtrace_machine machine;
	struct builder b;

	builder_open(&b, 1019);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 0, 70);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 0);
	BUILDER_EVENT(&b, EV_GO_START, 10, 1, 1);
	if (type == EV_GO_PREEMPT)
		BUILDER_EVENT(&b, EV_GO_PREEMPT, 40 * MS, 0);
	else if (type == EV_GOMAXPROCS)
		BUILDER_EVENT(&b, EV_GOMAXPROCS, 40 * MS, 2, 0);
	else
		BUILDER_EVENT(&b, EV_HEAP_ALLOC,
			      type == EV_HEAP_ALLOC ? 40 * MS : 41 * MS, 1);
	builder_batch(&b, 1, 111 + 40 * MS);
	if (type == EV_PROC_START)
		BUILDER_EVENT(&b, EV_PROC_START, 0, 71);
	builder_frequency(&b, 1000000000);
	machine = machine_of(b.bytes, b.size, 0);
	builder_close(&b);
	return machine;
}

static void test_alone(void **state)
{
	struct gtrace_machine machine = find_alone(EV_PROC_START);

	(void)state;
	expect_silence(&machine, 1, 40 * MS, 40 * MS, 11);
	assert_int_equal(machine.classes[GTRACE_SILENT_CERTAIN].count, 0);
	machine = find_alone(EV_GO_PREEMPT);
	expect_silence(&machine, 1, 40 * MS, 40 * MS, 11);
	machine = find_alone(EV_GOMAXPROCS);
	expect_silence(&machine, 0, 0, 0, -1);
	machine = find_alone(EV_HEAP_ALLOC);
	expect_silence(&machine, 0, 0, 0, -1);
}

/* Before Go 1.19 it is not known whether goroutines were preempted. */
static void test_unknown(void **state)
{
	struct gtrace_machine machine = find_v1(1011, false);

	(void)state;
	assert_int_equal(machine.silence_known, 0);
	assert_int_equal(machine.silence.count, 0);
	assert_int_equal(machine.off_cpu.count, 2);
}

static void test_exit(void **state)
{
	struct gtrace_machine machine = find_v1(1021, true);

	(void)state;
	assert_int_equal(machine.silence.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off_cpu),
		cmocka_unit_test(test_held_before),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_any_time),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_disorder),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_throttling),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_v1),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_exit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
