/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unproven_test.c - what is no evidence of a thread without a CPU, although it
 * looks like that, in traces built record by record. Times are nanoseconds.
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
#include "tests/v2/builder.h"

#define MS UINT64_C(1000000)

/* Stacks: where a signal meets main.f, and others of one frame. */
enum { IN_F = 1, BY_SIGNAL, IN_WRITER, IN_KERNEL };

static void put_names(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 6, IN_F, 1, 63, 2, 3, 5);
	put(STACK, 10, BY_SIGNAL, 2, 64, 4, 3, 5, 63, 2, 3, 5);
	put(STACK, 6, IN_WRITER, 1, 65, 5, 3, 5);
	put(STACK, 10, IN_KERNEL, 2, 66, 6, 3, 5, 63, 2, 3, 5);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "main.f");
	put_string(3, "f.go");
	put_string(4, "runtime.asyncPreempt");
	put_string(5, "runtime/pprof.profileWriter");
	put_string(6, "syscall.RawSyscall6");
	end_batch();
	end_generation();
}

static struct gtrace_machine machine_of(const uint8_t *data, size_t size)
{
	struct gtrace_summary *summary;
	struct gtrace_machine machine;
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(data, size, NULL, &trace, &error) != GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	machine = summary->machine;
	machine.stretches = NULL;
	gtrace_summary_free(summary);
	gtrace_close(trace);
	return machine;
}

static struct gtrace_machine find(void)
{
	put_names();
	return machine_of(built.data, built.size);
}

/* There is one silence, and stretches without a CPU of these classes. */
static void expect_silence(struct gtrace_machine machine, uint64_t certain,
			   uint64_t likely, uint64_t undecided)
{
	assert_int_equal(machine.silence.count, 1);
	assert_int_equal(machine.classes[GTRACE_SILENT_CERTAIN].count, certain);
	assert_int_equal(machine.classes[GTRACE_SILENT_LIKELY].count, likely);
	assert_int_equal(machine.classes[GTRACE_SILENT_UNDECIDED].count,
			 undecided);
}

/* Thread 7 + N has processor N, on which goroutine N + 1 starts. */
static void begin_thread(uint64_t n, uint64_t time)
{
	begin_batch(7 + n, time);
	put(PROC_STATUS, 3, 1, n, 1);
	put(GO_STATUS, 4, 1, n + 1, 7 + n, 2);
	put(GO_STOP, 3, 1, 1, IN_F);
	put(GO_START, 3, 1, n + 1, 1);
}

/* Events of the slice, all 10 ms. */
static void go_on(unsigned count)
{
	while (count-- != 0)
		put(HEAP_ALLOC, 2, 10 * MS, 1);
}

/* ------------------------------------------------------------- profiles -- */

/*
 * A writer of profiles runs on thread 7 for COUNT events, and goroutine 1 after
 * it. If the writer ENDS, the profile is over.
 */
static void begin_profile(bool ends, unsigned count)
{
	begin_file(26);
	put_clock(1000000000);
	begin_thread(0, 100);
	put(GO_CREATE, 4, 0, 3, IN_WRITER, 0);
	put(GO_STOP, 3, 0, 1, IN_F);
	put(GO_START, 3, 0, 3, 1);
	go_on(count);
	if (ends)
		put(GO_DESTROY, 1, 10 * MS);
	else
		put(GO_STOP, 3, 10 * MS, 1, IN_WRITER);
	put(GO_START, 3, 0, 1, 2);
}

/*
 * A signal meets goroutine 1 after SILENCE. Another one meets goroutine 2 on
 * thread 8, AFTER the beginning of that.
 */
static void put_signals(uint64_t silence, uint64_t after)
{
	put(GO_STOP, 3, silence, 1, BY_SIGNAL);
	put(GO_START, 3, 1, 1, 3);
	go_on(16);
	end_batch();
	begin_thread(1, 110);
	put(GO_STOP, 3, after, 1, BY_SIGNAL);
	end_batch();
}

/* COUNT samples of thread 7 from FROM on, APART; the first is in STACK. */
static void put_samples(uint64_t count, uint64_t from, uint64_t apart,
			uint64_t stack)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		put(SAMPLE, 5, 104 + from + apart * i, 7, 0, 1,
		    i == 0 ? stack : IN_F);
}

/*
 * Both goroutines are silent for 100 ms, from 40 ms on, and signals meet them
 * after that. Thread 7 has samples before and after. If a writer ENDS, the
 * profile of the samples before the silence is over. The first sample after
 * the silence is in STACK.
 */
static struct gtrace_machine find_sampled(bool ends, uint64_t stack)
{
	begin_profile(ends, 3);
	put_signals(100 * MS, 140 * MS);
	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	put_samples(4, 5 * MS, 10 * MS, IN_F);
	put_samples(4, 139 * MS, 10 * MS, stack);
	end_batch();
	return find();
}

static void test_profile(void **state)
{
	struct gtrace_machine machine = find_sampled(false, IN_F);

	(void)state;
	assert_int_equal(machine.profile, 1);
	expect_silence(machine, 2, 0, 0);
}

/* Between two profiles threads have no samples. */
static void test_two_profiles(void **state)
{
	struct gtrace_machine machine = find_sampled(true, IN_F);

	(void)state;
	assert_int_equal(machine.profile, 1);
	expect_silence(machine, 0, 2, 0);
}

/* A thread that computes in the kernel has its sample when it leaves it. */
static void test_in_kernel(void **state)
{
	struct gtrace_machine machine = find_sampled(false, IN_KERNEL);

	(void)state;
	assert_int_equal(machine.profile, 1);
	expect_silence(machine, 0, 2, 0);
}

/*
 * A profile of 100 Hz says nothing of the rate of the next one. The silence of
 * 40 ms is between samples of that.
 */
static struct gtrace_machine find_second(bool ends)
{
	begin_profile(ends, 5);
	go_on(5);
	put_signals(45 * MS, 155 * MS);
	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	put_samples(5, 5 * MS, 10 * MS, IN_F);
	put_samples(4, 105 * MS, 55 * MS, IN_F);
	end_batch();
	return find();
}

static void test_rates(void **state)
{
	(void)state;
	expect_silence(find_second(false), 2, 0, 0);
	expect_silence(find_second(true), 0, 2, 0);
}

/* ------------------------------------------------------------ processors -- */

/*
 * Goroutine 3 is ready and does not start for 60 ms, while goroutine 1
 * computes. Processor 1 has a first event then: it was idle, or held.
 */
static struct gtrace_machine find_ready(bool is_idle)
{
	begin_file(26);
	put_clock(1000000000);
	begin_thread(0, 100);
	put(PROCS_CHANGE, 3, 1, 2, 0);
	put(GO_CREATE, 4, 1, 3, 0, 0);
	put(HEAP_ALLOC, 2, 60 * MS, 1);
	if (is_idle)
		put(PROC_STATUS, 3, 1, 1, 2);
	go_on(2);
	end_batch();
	if (!is_idle) {
		begin_thread(1, 65 * MS);
		put(GO_STOP, 3, 10 * MS, 1, IN_F);
		end_batch();
	}
	return find();
}

static void test_unknown_processor(void **state)
{
	(void)state;
	expect_silence(find_ready(true), 0, 1, 0);
	expect_silence(find_ready(false), 0, 0, 1);
}

/* A storm on one processor remains one if there are more of them later. */
static void test_storm(void **state)
{
	struct gtrace_machine machine;
	unsigned i;

	(void)state;
	for (i = 0; i < 2; i++) {
		begin_file(26);
		put_clock(1000000000);
		begin_thread(0, 100);
		put(PROCS_CHANGE, 3, 1, 1, 0);
		go_on(10);
		put(GO_STOP, 3, 1, 1, IN_F);
		put(GO_START, 3, 20 * MS, 1, 2); /* it was bare */
		if (i == 1)
			put(PROCS_CHANGE, 3, 1, 64, 0);
		end_batch();
		machine = find();
		assert_int_equal(machine.off_cpu.count, 1);
		assert_int_equal(machine.storm, 1);
		assert_int_equal(machine.classes[GTRACE_SILENT_UNDECIDED].count,
				 1);
	}
}

/* --------------------------------------------------------------- timers -- */

/* Goroutine 2 blocks for MS milliseconds, by TYPE, and a timer ends that. */
static void put_wait(struct builder *b, unsigned type, uint64_t ms,
		     uint64_t number)
{
	BUILDER_EVENT(b, type, 10, 1);
	BUILDER_EVENT(b, EV_PROC_STOP, 10);
	BUILDER_EVENT(b, EV_PROC_START, ms * MS, 71);
	BUILDER_EVENT(b, EV_GO_UNBLOCK, 10, 2, number, 0);
	BUILDER_EVENT(b, EV_GO_START, 10, 2, number + 1);
}

/*
 * Goroutine 2 blocks six times for 10 ms, and then for 80 ms, while goroutine 1
 * keeps the other processor: it preempts it, so it is not alone in Go 1.19 and
 * 1.20.
 */
static struct gtrace_machine find_late(unsigned type)
{
	const struct builder_frame frame = {
		.pc = 5, .function = 1, .file = 1, .line = 7};
	struct gtrace_machine machine;
	struct builder b;
	uint64_t i;

	builder_open(&b, 1021);
	builder_header(&b);
	builder_batch(&b, 0, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 0, 70);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 1, 0, 0);
	BUILDER_EVENT(&b, EV_GO_CREATE, 0, 2, 0, 0);
	BUILDER_EVENT(&b, EV_GOMAXPROCS, 1, 2, 0);
	BUILDER_EVENT(&b, EV_GO_START, 10, 1, 1);
	builder_batch(&b, 1, 100);
	BUILDER_EVENT(&b, EV_PROC_START, 2, 71);
	BUILDER_EVENT(&b, EV_GO_START, 20, 2, 1);
	for (i = 0; i < 6; i++)
		put_wait(&b, type, 10, 2 + 2 * i);
	put_wait(&b, type, 80, 14);
	builder_string(&b, 1, "main.g");
	builder_stack(&b, 1, &frame, 1);
	builder_frequency(&b, 1000000000);
	machine = machine_of(b.bytes, b.size);
	builder_close(&b);
	return machine;
}

/* How long a select lasts is not that of one timer, up to Go 1.21. */
static void test_select(void **state)
{
	(void)state;
	expect_silence(find_late(EV_GO_BLOCK_RECV), 0, 1, 0);
	expect_silence(find_late(EV_GO_BLOCK_SELECT), 0, 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_two_profiles),
		cmocka_unit_test(test_in_kernel),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_unknown_processor),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_select),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
