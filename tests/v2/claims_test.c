/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * claims_test.c - what is said of time without a CPU, against a kernel and a
 * runtime that are simulated: what is certain or likely may not be more than
 * the kernel's record has, of no slice, no stretch of time and in all.
 *
 * Each thread has a processor, and one goroutine, which computes, writes events
 * now and then, and yields. The runtime preempts it as sysmon does: 10 to 20 ms
 * after the slice began, as soon as the thread has a CPU, by a signal in one of
 * two functions. In an assembly function it cannot.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BUILT_MAX (1 << 22)

#include "tests/model.h"
#include "tests/reports.h"
#include "tests/v2/beside.h"
#include "tests/v2/builder.h"

#define US      INT64_C(1000)
#define MS      INT64_C(1000000)
#define LENGTH  (3000 * MS)
#define ZERO    INT64_C(1000) /* ticks of the first event */
#define THREADS 2
#define RUNS    10000

/* What the kernel does; and what the program and its profiler do. */
enum kernel { ALONE, NEIGHBOURS, QUOTA };
static bool has_assembly, has_profile;

/* Stacks: two functions in which a signal meets Go code, and a call. */
enum { SIGNAL_F = 1, SIGNAL_G, CALL };

/* A thread has a sample for so long on a CPU. */
#define PERIOD (10 * MS)

/* When a thread has a CPU, since the first event. */
struct run {
	int64_t from, to;
};

struct thread {
	struct run runs[RUNS];
	size_t count;
	size_t at;     /* in which it is */
	int64_t now;   /* is in runs[at] */
	int64_t begun; /* its slice; 0: it has none */
	int64_t wrote; /* time of the last event */
	uint64_t events, seq;
};

static struct thread threads[THREADS];
static uint64_t seed;

/* From LEAST to MOST. */
static int64_t draw(int64_t least, int64_t most)
{
	return least +
	       (int64_t)random_below(&seed, (uint64_t)(most - least + 1));
}

/* ---------------------------------------------------------------- kernel -- */

static void add_run(struct thread *thread, int64_t from, int64_t to)
{
	assert_true(thread->count < RUNS);
	thread->runs[thread->count++] = (struct run){from, to};
}

/* The CPU is shared with others; up to one time in four for long. */
static void run_beside(struct thread *thread)
{
	int64_t now = 0, length;

	while (now < LENGTH) {
		length = draw(US, 4 * MS);
		add_run(thread, now, now + length);
		now += length + draw(100 * US, draw(0, 3) == 0 ? 80 * MS : MS);
	}
}

/* All threads have 30 to 70 ms of 100, and wait a bit for the CPU then. */
static void run_with_quota(struct thread *all)
{
	int64_t begin, end;
	size_t i;

	for (begin = 0; begin < LENGTH; begin += 100 * MS) {
		end = begin + draw(30 * MS, 70 * MS);
		for (i = 0; i < THREADS; i++)
			add_run(&all[i],
				begin == 0 ? 0 : begin + draw(US, 900 * US),
				end);
	}
}

static void schedule(enum kernel kernel)
{
	size_t i;

	memset(threads, 0, sizeof(threads));
	if (kernel == QUOTA)
		run_with_quota(threads);
	for (i = 0; i < THREADS; i++) {
		if (kernel == NEIGHBOURS)
			run_beside(&threads[i]);
		if (kernel == ALONE)
			add_run(&threads[i], 0, LENGTH);
		/* What comes after the trace, longer than a slice is. */
		add_run(&threads[i], LENGTH + 100 * MS, LENGTH + 1100 * MS);
	}
}

/* How long THREAD has a CPU between two times. */
static int64_t on_cpu(const struct thread *thread, int64_t from, int64_t to)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < thread->count; i++) {
		int64_t begin = thread->runs[i].from, end = thread->runs[i].to;

		begin = begin > from ? begin : from;
		end = end < to ? end : to;
		sum += end > begin ? end - begin : 0;
	}
	return sum;
}

static char path[] = "/tmp/claims_test.XXXXXX";

/* Writes the record to the file PATH; each thread has a CPU of its own. */
static void write_record(void)
{
	size_t at[THREADS] = {0}, i, next;
	FILE *file = create_beside(path);

	fputs("from\tto\tthread\tcpu\tstate_at_end\n", file);
	for (;;) {
		next = THREADS;
		for (i = 0; i < THREADS; i++)
			if (at[i] < threads[i].count &&
			    (next == THREADS ||
			     threads[i].runs[at[i]].from <
				     threads[next].runs[at[next]].from))
				next = i;
		if (next == THREADS)
			break;
		fprintf(file, "%lld\t%lld\t%zu\t%zu\tR\n",
			(long long)threads[next].runs[at[next]].from,
			(long long)threads[next].runs[at[next]].to, 7 + next,
			next);
		at[next]++;
	}
	fclose(file);
}

static char accounts[] = "/tmp/claims_test_accounts.XXXXXX";

/* The kernel's accounts of threads, with some time before the trace. */
static void write_accounts(void)
{
	FILE *file = create_beside(accounts);
	size_t i;

	for (i = 0; i < THREADS; i++) {
		fprintf(file, "before %zu %lld 0 1\n", 7 + i,
			(long long)(5 * MS));
		fprintf(file, "after %zu %lld %lld 1\n", 7 + i,
			(long long)(5 * MS + on_cpu(&threads[i], 0, LENGTH)),
			(long long)(LENGTH - on_cpu(&threads[i], 0, LENGTH)));
	}
	fclose(file);
}

/* --------------------------------------------------------------- runtime -- */

/*
 * THREAD computes for LENGTH, or until UNTIL and it has a CPU again. Returns
 * whether it was that.
 */
static bool compute(struct thread *thread, int64_t length, int64_t until)
{
	for (;;) {
		int64_t end = thread->runs[thread->at].to;
		int64_t left = end - thread->now;

		if (thread->now >= until)
			return true;
		if (until < end && until - thread->now < length) {
			thread->now = until;
			return true;
		}
		if (length < left) {
			thread->now += length;
			return false;
		}
		length -= left;
		assert_true(thread->at + 1 < thread->count);
		thread->now = thread->runs[++thread->at].from;
	}
}

/* The time since the last event of THREAD, which writes one now. */
static uint64_t since(struct thread *thread)
{
	int64_t length = thread->now - thread->wrote;

	thread->wrote = thread->now;
	return (uint64_t)length;
}

/* The goroutine of THREAD calls a function that cannot be preempted. */
static void run_assembly(struct thread *thread)
{
	compute(thread, draw(30 * MS, 120 * MS), INT64_MAX);
	if (thread->now < LENGTH)
		put(GO_STOP, 3, since(thread), 1, CALL);
}

/* It computes in pieces, until the runtime preempts it or it yields. */
static void run_pieces(struct thread *thread)
{
	int64_t until = thread->now + draw(10 * MS, 20 * MS);
	int64_t pieces = draw(1, 200);
	bool is_over = false;

	while (!is_over && pieces-- > 0) {
		is_over = compute(thread,
				  draw(0, 9) == 0 ? draw(US, 15 * MS)
						  : draw(US, 100 * US),
				  until);
		if (!is_over && pieces != 0 && thread->now < LENGTH)
			put(HEAP_ALLOC, 2, since(thread), 1);
		thread->events++;
	}
	if (thread->now < LENGTH)
		put(GO_STOP, 3, since(thread), 1,
		    is_over ? (uint64_t)draw(SIGNAL_F, SIGNAL_G) : CALL);
}

/* The goroutine of THREAD with this NUMBER has a slice. */
static void run_slice(struct thread *thread, uint64_t number)
{
	put(GO_START, 3, since(thread), number + 1, ++thread->seq);
	if (has_assembly && draw(0, 9) == 0)
		run_assembly(thread);
	else
		run_pieces(thread);
	if (thread->now < LENGTH)
		compute(thread, draw(200, 2000), INT64_MAX);
}

/* THREAD with this NUMBER has a sample for each PERIOD on a CPU. */
static void put_samples(const struct thread *thread, uint64_t number)
{
	int64_t left = draw(US, PERIOD), now;
	size_t i;

	begin_batch(NONE, 95);
	put_byte(SAMPLES);
	for (i = 0; i < thread->count; i++) {
		now = thread->runs[i].from;
		for (; now + left < thread->runs[i].to && now < LENGTH;
		     left = PERIOD) {
			now += left;
			put(SAMPLE, 5, (uint64_t)(ZERO + now), 7 + number,
			    number, number + 1, CALL);
		}
		left -= thread->runs[i].to - now;
	}
	end_batch();
}

/* The stacks of preemptions, and of calls. */
static void put_frames(void)
{
	begin_batch(NONE, 95);
	put_byte(STACKS);
	put(STACK, 10, SIGNAL_F, 2, 63, 2, 3, 5, 64, 4, 3, 5);
	put(STACK, 10, SIGNAL_G, 2, 63, 2, 3, 5, 65, 5, 3, 6);
	put(STACK, 6, CALL, 1, 66, 6, 3, 7);
	end_batch();
	begin_batch(NONE, 95);
	put_byte(STRINGS);
	put_string(1, "preempted");
	put_string(2, "runtime.asyncPreempt");
	put_string(3, "f.go");
	put_string(4, "main.f");
	put_string(5, "main.g");
	put_string(6, "main.h");
	end_batch();
}

static void write_thread(struct thread *thread, uint64_t number)
{
	thread->wrote = thread->now = (int64_t)number * 100;
	begin_batch(7 + number, (uint64_t)(ZERO + thread->now));
	put(PROC_STATUS, 3, 0, number, 1);
	put(GO_STATUS, 4, 1, number + 1, NONE, 1);
	thread->now += US;
	while (thread->now < LENGTH) {
		run_slice(thread, number);
		if (thread->events < 1000 || thread->now >= LENGTH)
			continue;
		end_batch();
		thread->events = 0;
		begin_batch(7 + number, (uint64_t)(ZERO + thread->wrote));
	}
	end_batch();
}

static void write_trace(enum kernel kernel)
{
	uint64_t i;

	schedule(kernel);
	begin_file(26);
	put_clock(1000000000);
	for (i = 0; i < THREADS; i++)
		write_thread(&threads[i], i);
	for (i = 0; i < THREADS && has_profile; i++)
		put_samples(&threads[i], i);
	put_frames();
	end_generation();
	write_record();
	write_accounts();
}

/* ---------------------------------------------------------------- claims -- */

/* Sums of the slices of each thread, by the record. */
static int64_t sums[THREADS];

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	(void)context;
	if (slice->on_cpu < 0)
		return 0; /* it goes on after the record */
	assert_in_range(slice->m, 7, 7 + THREADS - 1);
	assert_int_equal(slice->off_cpu_min, 0); /* the record is exact */
	sums[slice->m - 7] += slice->on_cpu;
	return 0;
}

/* How much of its time a slice had no CPU, in the trace alone. */
static int check_claim(void *context, const struct gtrace_slice *slice)
{
	const struct thread *thread = &threads[slice->m - 7];
	int64_t from = slice->start.ts;
	int64_t off =
		slice->duration - on_cpu(thread, from, from + slice->duration);

	(void)context;
	assert_true(slice->off_cpu_min <= slice->off_cpu_likely);
	assert_true(slice->off_cpu_likely <= slice->silent);
	assert_true(slice->off_cpu_likely <= off);
	return 0;
}

/* What the accounts of threads bound, they have lost. */
static void check_threads(const struct gtrace_threads *bound)
{
	int64_t all = 0, least = 0, off;
	size_t i;

	for (i = 0; i < THREADS; i++) {
		all += LENGTH - on_cpu(&threads[i], 0, LENGTH);
		least += threads[i].wrote - on_cpu(&threads[i], 0, LENGTH);
	}
	assert_int_equal(bound->count, THREADS);
	assert_int_equal(bound->waited, all);
	off = bound->off_cpu;
	assert_true(off >= 0 && off <= all);
	/* Up to their last event, but for a tick of each. */
	assert_true(off + (10 * THREADS + 1) * MS >= least);
}

/* Returns what the trace without the record says. */
static struct gtrace_machine machine_of(void)
{
	struct gtrace_options options = OPTIONS(.threads = accounts);
	struct gtrace_request details = REQUEST(.details = 1);
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = check_claim};
	struct gtrace_summary *summary;
	struct gtrace_machine machine;
	struct gtrace_error error;
	struct gtrace *trace;
	size_t i;

	if (gtrace_open_memory(built.data, built.size, &options, &trace,
			       &error) != GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK ||
	    gtrace_visit(trace, &details, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	machine = summary->machine;
	for (i = 0; i < machine.stretch_count; i++) {
		const struct gtrace_silent *at = &machine.stretches[i];
		int64_t on = on_cpu(&threads[at->p], at->from, at->to);

		if (at->what != GTRACE_SILENT_UNDECIDED)
			assert_true(at->time <= at->to - at->from - on);
		if (at->g < 0)
			assert_true(on <= 100 * US);
	}
	check_threads(summary->threads);
	gtrace_summary_free(summary);
	gtrace_close(trace);
	unlink(accounts);
	return machine;
}

/* Compares the slices with the record, and what is claimed of them. */
static void check_slices(void)
{
	struct gtrace_options options = OPTIONS(.sched = path);
	struct gtrace_request details = REQUEST(.details = 1);
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = visit_slice};
	struct gtrace_error error;
	struct gtrace *trace;

	memset(sums, 0, sizeof(sums));
	if (gtrace_open_memory(built.data, built.size, &options, &trace,
			       &error) != GTRACE_OK ||
	    gtrace_visit(trace, &details, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
}

static int64_t sum_of(const struct gtrace_machine *machine,
		      enum gtrace_silent_class class)
{
	return machine->classes[class].sum;
}

static struct gtrace_machine find(enum kernel kernel, unsigned round)
{
	struct gtrace_machine machine;
	int64_t all = 0;
	size_t i;

	seed = round + 1;
	write_trace(kernel);
	check_slices();
	machine = machine_of();
	unlink(path);
	for (i = 0; i < THREADS; i++) {
		int64_t on = on_cpu(&threads[i], 0, LENGTH);

		/* But in the scheduler and at the end, it has a goroutine. */
		assert_true(sums[i] <= on &&
			    sums[i] >= on - on / 50 -
					       (has_assembly ? 140 : 20) * MS);
		all += LENGTH - on;
	}
	assert_true(sum_of(&machine, GTRACE_SILENT_CERTAIN) +
			    sum_of(&machine, GTRACE_SILENT_ASLEEP) +
			    sum_of(&machine, GTRACE_SILENT_LIKELY) <=
		    all);
	assert_int_equal(machine.profile, has_profile);
	if (!has_profile)
		assert_int_equal(sum_of(&machine, GTRACE_SILENT_CERTAIN), 0);
	if (kernel == NEIGHBOURS && !has_assembly)
		assert_true(sum_of(&machine, GTRACE_SILENT_CERTAIN) +
				    sum_of(&machine, GTRACE_SILENT_LIKELY) >
			    all / 20);
	if (kernel == NEIGHBOURS && has_profile && !has_assembly)
		assert_true(sum_of(&machine, GTRACE_SILENT_CERTAIN) > all / 50);
	return machine;
}

/* ROUNDS times with each kind of program. */
static void find_all(enum kernel kernel, unsigned count,
		     void (*check)(const struct gtrace_machine *machine))
{
	struct gtrace_machine machine;
	unsigned round;

	for (round = 0; round < rounds(count); round++) {
		has_assembly = round % 2 != 0;
		has_profile = round / 2 % 2 != 0;
		machine = find(kernel, round);
		check(&machine);
	}
}

/* A program that has all CPUs is not said to lack them. */
static void check_alone(const struct gtrace_machine *machine)
{
	assert_int_equal(sum_of(machine, GTRACE_SILENT_CERTAIN), 0);
	assert_int_equal(sum_of(machine, GTRACE_SILENT_ASLEEP), 0);
	assert_int_equal(sum_of(machine, GTRACE_SILENT_LIKELY), 0);
	if (!has_assembly)
		assert_int_equal(machine->silence.count, 0);
	assert_int_equal(machine->throttle_interval, 0);
}

static void test_alone(void **state)
{
	(void)state;
	find_all(ALONE, 80, check_alone);
}

static void check_neighbours(const struct gtrace_machine *machine)
{
	assert_int_equal(machine->throttle_interval, 0);
}

static void test_neighbours(void **state)
{
	(void)state;
	find_all(NEIGHBOURS, 400, check_neighbours);
}

static void check_quota(const struct gtrace_machine *machine)
{
	if (has_assembly)
		return;
	assert_int_equal(machine->throttle_interval, 100 * MS);
	assert_in_range(machine->throttled, 27, 29);
}

static void test_quota(void **state)
{
	(void)state;
	find_all(QUOTA, 80, check_quota);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
