/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evidence_test.c - when threads may have had no CPU, from transitions that are
 * made one by one: each sign of a silence, each class, and what is no sign.
 * Times are milliseconds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/evidence.h"

#define MS EVIDENCE_MS

/* Stacks: their function, and whether a signal met Go code there. */
#define STACK(function, signal) (2 * (uint64_t)(function) + 2 + (signal))

static struct gtrace_allocator memory;
static const struct clock nanoseconds;
static struct feed feed;
static struct evidence evidence;
static int64_t now; /* of the last transition */

static bool describe(void *context, uint64_t stack, struct stack_evidence *to)
{
	(void)context;
	to->asynchronous = stack % 2 != 0;
	to->function = to->name = to->place = (uint32_t)(stack / 2 - 1);
	return true;
}

/* A block for the reason 1. */
static bool is_timed(void *context, const struct transition *transition)
{
	(void)context;
	return transition->arg == 1;
}

/* The label 1. */
static bool is_dedicated(void *context, const struct transition *transition)
{
	(void)context;
	return transition->arg == 1;
}

static const struct evidence_names names = {describe, is_timed, is_dedicated};

static void *allocate(void *context, size_t size)
{
	(void)context;
	return malloc(size);
}

static void *resize(void *context, void *pointer, size_t old, size_t size)
{
	(void)context;
	(void)old;
	return realloc(pointer, size);
}

static void release(void *context, void *pointer, size_t size)
{
	(void)context;
	(void)size;
	free(pointer);
}

/* Slots of threads, processors and goroutines have their numbers, from 1 on. */
static void take_slots(struct actors *actors, uint64_t count)
{
	uint64_t i;

	for (i = 1; i <= count; i++)
		assert_int_equal(gti_actors_take(actors, i), i);
}

static void begin(void)
{
	struct consumer consumer = gti_evidence_consumer(&evidence);

	memory = (struct gtrace_allocator){
		.allocate = allocate, .resize = resize, .release = release};
	gti_feed_init(&feed, &nanoseconds, &memory);
	gti_feed_add(&feed, &consumer);
	take_slots(&feed.threads, 9);
	take_slots(&feed.processors, 9);
	take_slots(&feed.goroutines, 99);
	evidence = (struct evidence){
		.memory = &memory,
		.names = &names,
		.clock = &nanoseconds,
		.by_thread = true,
		.hears = true,
	};
	gti_evidence_init(&evidence);
	now = 0;
}

/* Adds T at TIME in ms; if nothing happened for long, that may be a silence. */
static void add(double time, struct transition t)
{
	t.now = t.written = (int64_t)(time * (double)MS);
	if (t.now - now > SILENCE_SHORT && now != 0)
		feed_record(&feed, &(struct transition){
					   .now = now,
					   .written = now,
					   .arg = (uint64_t)t.now,
					   .kind = TRANSITION_SILENCE,
				   });
	now = t.now;
	feed_record(&feed, &t);
}

#define ADD(time, ...) add(time, (struct transition){__VA_ARGS__})

/* Thread M, with the processor M, has an event of its goroutine M. */
#define OWN(time, who, what, ...)                                              \
	ADD(time, .kind = TRANSITION_##what, .m = (who), .p = (who),           \
	    .g = (who), .by = (who), __VA_ARGS__)

/* It makes the goroutine G ready, or creates it. */
#define MAKE(time, who, what, made)                                            \
	ADD(time, .kind = TRANSITION_##what, .m = (who), .p = (who),           \
	    .by = (who), .g = (made))

static void hold(double time, uint32_t m)
{
	ADD(time, .kind = TRANSITION_HOLD, .m = m, .p = m);
}

static void start(double time, uint32_t m)
{
	ADD(time, .kind = TRANSITION_START, .m = m, .p = m, .g = m);
}

/* The goroutine of M is preempted in FUNCTION, by a SIGNAL, and starts. */
static void preempt(double time, uint32_t m, unsigned function, bool signal)
{
	OWN(time, m, PREEMPT, .stack = STACK(function, signal));
	start(time + .001, m);
}

/* There are PROCS processors, of which COUNT run goroutines. */
static void run(uint32_t procs, uint32_t count)
{
	uint32_t m;

	begin();
	ADD(1, .kind = TRANSITION_PROCS, .arg = procs);
	for (m = 1; m <= count; m++) {
		hold(1, m);
		start(1, m);
	}
	for (; m <= procs; m++)
		ADD(1, .kind = TRANSITION_PROC_STATUS, .p = m,
		    .arg = PROCESSOR_IDLE);
}

static const struct gtrace_class_sum *decide(enum gtrace_silent_class class)
{
	gti_feed_finish(&feed, now);
	gti_evidence_decide(&evidence);
	assert_false(evidence.failed);
	return &evidence.found.classes[class];
}

static void end(void)
{
	gti_evidence_free(&evidence);
	gti_feed_free(&feed);
}

/* COUNT times of CLASS, TIME ms in all, and no other. */
static void expect(enum gtrace_silent_class class, uint64_t count, double time)
{
	const struct gtrace_class_sum *sums = decide(class);
	uint64_t all = 0;
	int i;

	assert_int_equal(sums->count, count);
	assert_true(llabs(sums->sum - (int64_t)(time * (double)MS)) <=
		    MS / 100);
	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		all += evidence.found.classes[i].count;
	assert_int_equal(all, count);
	end();
}

/* Both functions are known to be preempted within 25 ms. */
static void show_functions(double time)
{
	unsigned i;

	for (i = 0; i < 3; i++) {
		preempt(time + 2 * i, 1, 1, true);
		preempt(time + 2 * i + 1, 1, 2, true);
	}
}

/* ----------------------------------------------------------- what ends it --
 */

/* Code that cannot be preempted ends so, and so may a thread without a CPU. */
static void test_undecided(void **state)
{
	(void)state;
	run(1, 1);
	OWN(101, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 1, 100);
	run(1, 1);
	preempt(101, 1, 1, true);
	expect(GTRACE_SILENT_UNDECIDED, 1, 100);
	/* Not more than 25 ms; and nothing runs. */
	run(1, 1);
	preempt(26, 1, 1, false);
	OWN(27, 1, BLOCK, .arg = 2);
	ADD(28, .kind = TRANSITION_GIVE_UP, .m = 1, .p = 1);
	hold(200, 1);
	expect(GTRACE_SILENT_UNDECIDED, 0, 0);
}

static void test_together(void **state)
{
	(void)state;
	run(2, 2);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, true);
	expect(GTRACE_SILENT_LIKELY, 2, 160);
	run(2, 2);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, false);
	expect(GTRACE_SILENT_UNDECIDED, 2, 200);
	/* Another event comes first. */
	run(2, 2);
	preempt(101, 1, 1, true);
	OWN(102, 2, HEAP, .stack = STACK(1, true));
	preempt(103, 2, 1, true);
	expect(GTRACE_SILENT_UNDECIDED, 2, 200);
	/* The trace ends. */
	run(2, 2);
	preempt(101, 1, 1, true);
	expect(GTRACE_SILENT_UNDECIDED, 2, 200);
}

/* Two silences without an event of the second goroutine between them. */
static void test_over(void **state)
{
	(void)state;
	run(2, 2);
	preempt(51, 1, 1, true);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, true);
	expect(GTRACE_SILENT_LIKELY, 4, 4 * 30 - .002);
	run(2, 2);
	preempt(51, 1, 1, true);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, false);
	expect(GTRACE_SILENT_UNDECIDED, 4, 4 * 50 - .002);
}

static void test_single(void **state)
{
	(void)state;
	run(1, 1);
	show_functions(2);
	preempt(107, 1, 1, true);
	preempt(207, 1, 2, true);
	expect(GTRACE_SILENT_LIKELY, 2, 79.999 * 2);
	/* One function only: it may be preempted at its end. */
	run(1, 1);
	show_functions(2);
	preempt(107, 1, 1, true);
	preempt(207, 1, 1, true);
	expect(GTRACE_SILENT_UNDECIDED, 2, 99.999 * 2);
	/* Two preemptions in time are too few. */
	run(1, 1);
	show_functions(2);
	preempt(107, 1, 1, true);
	preempt(207, 1, 3, true);
	preempt(209, 1, 3, true);
	preempt(211, 1, 3, true);
	expect(GTRACE_SILENT_UNDECIDED, 2, 99.999 * 2);
}

/* If most silences end like code that cannot be preempted, some prove little.
 */
static void test_half(void **state)
{
	(void)state;
	run(2, 2);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, true);
	preempt(202, 1, 1, false);
	preempt(203, 2, 1, false);
	decide(GTRACE_SILENT_LIKELY);
	assert_int_equal(evidence.found.classes[GTRACE_SILENT_LIKELY].count, 2);
	end();
	run(2, 2);
	preempt(101, 1, 1, true);
	preempt(102, 2, 1, true);
	preempt(202, 1, 1, false);
	preempt(203, 2, 1, false);
	preempt(303, 1, 1, false);
	preempt(304, 2, 1, false);
	expect(GTRACE_SILENT_UNDECIDED, 6, 3 * 200 - .004);
}

/* ------------------------------------------------------------- late signs --
 */

/* Goroutine 2 sleeps for TIMES, and once more when the silence begins. */
static void sleep_before(const double *times, size_t count)
{
	double time = 2;
	size_t i;

	for (i = 0; i < count; i++) {
		ADD(time, .kind = TRANSITION_BLOCK, .m = 1, .p = 1, .g = 2,
		    .by = 2, .arg = 1, .stack = STACK(7, false));
		start(time + .001, 1);
		time += times[i];
		OWN(time - .5, 1, HEAP, .stack = 0);
		ADD(time, .kind = TRANSITION_READY, .g = 2);
		ADD(time + .001, .kind = TRANSITION_START, .m = 1, .p = 1,
		    .g = 2);
	}
	ADD(time + .002, .kind = TRANSITION_BLOCK, .m = 1, .p = 1, .g = 2,
	    .by = 2, .arg = 1, .stack = STACK(7, false));
	start(time + .003, 1);
	OWN(time + 80, 1, HEAP, .stack = 0);
}

static void test_timer(void **state)
{
	static const double even[] = {4, 4, 4, 4, 4}, odd[] = {1, 2, 3, 4, 4.9};

	(void)state;
	run(2, 1);
	sleep_before(even, 5);
	ADD(104, .kind = TRANSITION_READY, .g = 2);
	expect(GTRACE_SILENT_LIKELY, 1, 59.997);
	/* No processor is idle. */
	run(1, 1);
	sleep_before(even, 5);
	ADD(104, .kind = TRANSITION_READY, .g = 2);
	expect(GTRACE_SILENT_UNDECIDED, 1, 79.997);
	/* Too few waits, and such of different lengths. */
	run(2, 1);
	sleep_before(even, 4);
	ADD(100, .kind = TRANSITION_READY, .g = 2);
	expect(GTRACE_SILENT_UNDECIDED, 1, 79.997);
	run(2, 1);
	sleep_before(odd, 5);
	ADD(98.9, .kind = TRANSITION_READY, .g = 2);
	expect(GTRACE_SILENT_UNDECIDED, 1, 79.997);
	/* A goroutine made it ready; and it was ready much later. */
	run(2, 1);
	sleep_before(even, 5);
	MAKE(104, 1, READY, 2);
	expect(GTRACE_SILENT_UNDECIDED, 1, 79.997);
	run(2, 1);
	sleep_before(even, 5);
	ADD(107.1, .kind = TRANSITION_READY, .g = 2);
	decide(GTRACE_SILENT_UNDECIDED);
	assert_int_equal(evidence.found.classes[GTRACE_SILENT_LIKELY].count, 0);
	end();
}

static void test_start(void **state)
{
	(void)state;
	run(2, 1);
	MAKE(2, 1, CREATE, 3);
	OWN(102, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_LIKELY, 1, 80);
	run(1, 1);
	MAKE(2, 1, CREATE, 3);
	OWN(102, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 1, 100);
	/* One that was preempted may wait for its turn. */
	run(2, 1);
	OWN(2, 1, PREEMPT, .stack = STACK(1, true));
	ADD(2, .kind = TRANSITION_START, .m = 1, .p = 1, .g = 2);
	ADD(102, .kind = TRANSITION_HEAP, .m = 1, .p = 1, .g = 2, .by = 2);
	expect(GTRACE_SILENT_UNDECIDED, 1, 100);
}

static void test_sysmon(void **state)
{
	(void)state;
	run(2, 2);
	OWN(2, 2, CALL, .stack = 0);
	OWN(48, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_LIKELY, 1, 26);
	run(2, 2);
	OWN(2, 2, CALL, .stack = 0);
	OWN(46, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 1, 44);
	/* It has no processor any more. */
	run(2, 2);
	OWN(2, 2, CALL, .stack = 0);
	ADD(3, .kind = TRANSITION_STEAL, .m = 1, .p = 2);
	OWN(103, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 1, 100);
}

/* Processor 2 is held, and has no goroutine, while 1 runs. */
static void test_bare_beside(void **state)
{
	(void)state;
	run(2, 1);
	hold(2, 2);
	OWN(52, 1, HEAP, .stack = 0);
	ADD(52, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	OWN(76, 1, HEAP, .stack = 0);
	OWN(99, 1, HEAP, .stack = 0);
	OWN(123, 1, HEAP, .stack = 0);
	OWN(146, 1, HEAP, .stack = 0);
	OWN(170, 1, HEAP, .stack = 0);
	OWN(194, 1, HEAP, .stack = 0);
	OWN(218, 1, HEAP, .stack = 0);
	OWN(242, 1, HEAP, .stack = 0);
	OWN(257, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_LIKELY, 2, 30 + 49);
	/* The same, shortly: a storm. */
	run(2, 1);
	hold(2, 2);
	OWN(52, 1, HEAP, .stack = 0);
	ADD(52, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	decide(GTRACE_SILENT_UNDECIDED);
	assert_true(evidence.found.storm);
	end();
	run(2, 1);
	hold(2, 2);
	OWN(52, 1, HEAP, .stack = 0);
	ADD(52, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	expect(GTRACE_SILENT_UNDECIDED, 2, 50 + 50);
}

/* -------------------------------------------------------------------- bare --
 */

/* Processor 2 has no goroutine for 3 ms of a long trace. */
static void be_bare(double from)
{
	hold(from, 2);
	OWN(from + 2, 1, HEAP, .stack = 0);
	ADD(from + 3, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
}

static void pass_time(double from, double to)
{
	for (; from < to; from += 4)
		OWN(from, 1, HEAP, .stack = 0);
}

static void test_bare(void **state)
{
	(void)state;
	run(2, 1);
	be_bare(2);
	pass_time(6, 100);
	expect(GTRACE_SILENT_LIKELY, 1, 2);
	/* While the world is stopped no processor finds a goroutine. */
	run(2, 1);
	hold(2, 2);
	OWN(3, 1, STOP, .arg = 0);
	ADD(5, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	OWN(6, 1, STOP_END, .arg = 0);
	pass_time(6, 100);
	expect(GTRACE_SILENT_LIKELY, 0, 0);
	/* What makes a goroutine ready runs. */
	run(2, 1);
	hold(2, 2);
	ADD(2.9, .kind = TRANSITION_CREATE, .m = 2, .p = 2, .g = 9);
	ADD(3.8, .kind = TRANSITION_START, .m = 2, .p = 2, .g = 9);
	pass_time(6, 100);
	expect(GTRACE_SILENT_LIKELY, 0, 0);
}

/* ----------------------------------------------------------------- profile --
 */

static void sample(double time, uint32_t m)
{
	ADD(time, .kind = TRANSITION_SAMPLE, .m = m, .p = m, .g = m, .by = m);
}

/* Samples of thread 1, each 10 ms, so many. */
static void take_samples(double from, unsigned count)
{
	for (; count != 0; count--, from += 10) {
		OWN(from - 3, 1, HEAP, .stack = 0);
		sample(from, 1);
	}
}

static void test_profile(void **state)
{
	(void)state;
	/* Not witnessed: its thread may have slept. */
	run(1, 1);
	take_samples(5, 4);
	OWN(135, 1, HEAP, .stack = 0);
	take_samples(140, 4);
	expect(GTRACE_SILENT_ASLEEP, 1, 60); /* a sample at its begin */
	run(2, 2);
	take_samples(5, 4);
	OWN(36, 1, HEAP, .stack = 0);
	preempt(136, 1, 1, true);
	preempt(136.5, 2, 1, true);
	take_samples(140, 4);
	expect(GTRACE_SILENT_CERTAIN, 2, 140);
	/* After the last sample there may be no profile. */
	run(2, 2);
	take_samples(5, 4);
	OWN(36, 1, HEAP, .stack = 0);
	preempt(136, 1, 1, true);
	preempt(136.5, 2, 1, true);
	expect(GTRACE_SILENT_LIKELY, 2, 160);
	/* The rate is not known. */
	run(2, 2);
	take_samples(5, 3);
	OWN(36, 1, HEAP, .stack = 0);
	preempt(136, 1, 1, true);
	preempt(136.5, 2, 1, true);
	sample(140, 1);
	expect(GTRACE_SILENT_LIKELY, 2, 160);
}

/* Of a processor without a goroutine a profile does not tell why. */
static void test_bare_profile(void **state)
{
	(void)state;
	run(2, 1);
	take_samples(5, 4);
	hold(36, 2);
	pass_time(36, 80);
	ADD(81, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	take_samples(85, 4);
	pass_time(120, 500);
	sample(501, 1);
	expect(GTRACE_SILENT_ASLEEP, 1, 15);
	run(2, 1);
	take_samples(5, 4);
	hold(36, 2);
	OWN(37, 1, HEAP, .stack = 0);
	sample(38, 2);
	ADD(39, .kind = TRANSITION_GIVE_UP, .m = 2, .p = 2);
	take_samples(45, 4);
	pass_time(80, 500);
	expect(GTRACE_SILENT_UNDECIDED, 1, 3);
}

/* ------------------------------------------------------------------ others --
 */

static void test_dedicated(void **state)
{
	(void)state;
	run(1, 1);
	OWN(2, 1, LABEL, .arg = 1);
	OWN(102, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 0, 0);
	run(2, 2);
	OWN(2, 1, LABEL, .arg = 1);
	OWN(102, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 2, 200);
	/* The next slice has no label. */
	run(1, 1);
	OWN(2, 1, LABEL, .arg = 1);
	preempt(3, 1, 1, false);
	OWN(103, 1, HEAP, .stack = 0);
	expect(GTRACE_SILENT_UNDECIDED, 1, 99.999);
}

static void test_stopped(void **state)
{
	(void)state;
	run(1, 1);
	OWN(2, 1, STOP, .arg = 0);
	OWN(102, 1, HEAP, .stack = 0);
	OWN(103, 1, STOP_END, .arg = 0);
	expect(GTRACE_SILENT_UNDECIDED, 0, 0);
}

/* By function: slices, the longest, and for how long others were ready. */
static void test_functions(void **state)
{
	const struct silent_function *of;

	(void)state;
	run(2, 2);
	MAKE(2, 1, CREATE, 9);
	MAKE(2, 1, CREATE, 10);
	preempt(52, 1, 3, false);
	preempt(112, 1, 4, false);
	preempt(113, 2, 5, false);
	decide(GTRACE_SILENT_UNDECIDED);
	assert_int_equal(evidence.functions.count, 7);
	of = (const struct silent_function *)evidence.functions.items + 1;
	assert_int_equal(of[3].count, 1);
	assert_int_equal(of[3].sum, 50 * MS);
	assert_int_equal(of[3].g, 1);
	assert_in_range((int64_t)of[3].harm, 50 * MS - 1, 50 * MS + 1);
	assert_int_equal(of[4].max, 60 * MS - MS / 1000);
	assert_int_equal(of[5].count, 2);
	assert_int_equal(of[5].sum, 110 * MS - MS / 1000);
	assert_int_equal(of[5].max, 60 * MS - MS / 1000);
	assert_int_equal(of[5].max_start, 52 * MS + MS / 1000);
	end();
}

/* What a time has of silences: those that it has all of. */
static void test_sums(void **state)
{
	struct silence_sums sums;

	(void)state;
	run(1, 1);
	preempt(51, 1, 3, false);
	preempt(111, 1, 3, false);
	decide(GTRACE_SILENT_UNDECIDED);
	sums = gti_evidence_sums(&evidence, 0, 200 * MS);
	assert_int_equal(sums.length, 110 * MS - MS / 1000);
	assert_int_equal(sums.count[GTRACE_SILENT_UNDECIDED], 2);
	sums = gti_evidence_sums(&evidence, MS, 51 * MS);
	assert_int_equal(sums.length, 50 * MS);
	sums = gti_evidence_sums(&evidence, 2 * MS, 110 * MS);
	assert_int_equal(sums.length, 0);
	assert_non_null(gti_evidence_find(&evidence, MS, 51 * MS));
	assert_null(gti_evidence_find(&evidence, MS, 50 * MS));
	end();
}

/* Silences that end each 100 ms, of which the first so many are witnessed. */
static int64_t interval_of(unsigned witnessed)
{
	unsigned i;

	run(2, 1);
	for (i = 1; i <= 6; i++) {
		if (i <= witnessed)
			MAKE(100 * i - 40, 1, CREATE, 9);
		else
			OWN(100 * i - 40, 1, HEAP, .stack = 0);
		OWN(100 * i, 1, HEAP, .stack = 0);
		ADD(100 * i + .5, .kind = TRANSITION_START, .m = 1, .p = 1,
		    .g = 9);
		ADD(100 * i + .6, .kind = TRANSITION_BLOCK, .m = 1, .p = 1,
		    .g = 9, .by = 9, .arg = 2);
		start(100 * i + .7, 1);
		pass_time(100 * i + 1, 100 * i + 58);
	}
	decide(GTRACE_SILENT_LIKELY);
	end();
	return evidence.found.throttle_interval;
}

static void test_quota(void **state)
{
	(void)state;
	assert_int_equal(interval_of(3), 100 * MS);
	assert_int_equal(interval_of(2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undecided),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_over),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_sysmon),
		cmocka_unit_test(test_bare_beside),
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_bare_profile),
		cmocka_unit_test(test_dedicated),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
