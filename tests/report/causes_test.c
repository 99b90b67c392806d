/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_test.c - findings about where chains of waits end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/causes_made.h"
#include "report/diagnosis.h"
#include "report/sentence.h"
#include "tests/counted.h"

#define MS 1000000

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct gtrace_string string_of(const char *text)
{
	struct gtrace_string string = {text, strlen(text)};

	return string;
}

static struct gtrace_frame frame_of(const char *function, uint64_t line)
{
	struct gtrace_frame frame = {
		.function = string_of(function),
		.file = string_of("/src/a/main.go"),
		.line = line,
	};

	return frame;
}

/* A summary that is made by hand: a second of two processors. */
static struct gtrace_summary summary;
static struct gtrace_stop_report stops;
static struct gtrace_wait_report waits;
static struct gtrace_delay_report delays;
static struct gtrace_block_report blocks;
static struct gtrace_function functions[4];
static const struct gtrace_function *delaying[4];
static struct cause_made made[80];
static struct causes_made causes;

static struct counted counted;
static struct gtrace_allocator memory;
static struct arena arena;

static int reset(void **state)
{
	(void)state;
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	arena = (struct arena){.memory = &memory};
	stops = (struct gtrace_stop_report){.all = {.max = -1}};
	waits = (struct gtrace_wait_report){.all = {.max = 80000}};
	delays = (struct gtrace_delay_report){.waited = 0};
	blocks = (struct gtrace_block_report){.place_count = 0};
	causes = (struct causes_made){.functions = made, .every = 1};
	summary = (struct gtrace_summary){
		.trace_version = 1026,
		.length = 1000 * MS,
		.known = 1000 * MS,
		.procs = 2,
		.waits = &waits,
		.delays = &delays,
		.delaying = delaying,
		.slices = {.count = 3, .sum = 320 * MS, .median = 5 * MS},
		.stops = &stops,
		.blocks = &blocks,
	};
	return 0;
}

static int free_arena(void **state)
{
	(void)state;
	gti_arena_free(&arena);
	assert_int_equal(counted.bytes, 0);
	return 0;
}

/* FUNCTION held others up for SUM, as it did what HOLD is. */
static struct cause_made *add_cause(const char *function, enum gtrace_hold hold,
				    const char *inner, int64_t sum)
{
	struct cause_made *cause = &made[causes.function_count++];

	*cause = (struct cause_made){
		.frame = frame_of(function, 51),
		.others = sum,
		.count = 30,
		.worst = 900 * MS,
		.worst_start = 5 * MS + 1500,
		.worst_g = 7,
		.victims = {{.kind = GTRACE_BLOCK_SELECT,
			     .frame = frame_of("main.x", 9),
			     .inner = string_of("runtime.selectgo"),
			     .sum = sum,
			     .count = 30}},
		.victim_count = 1,
	};
	cause->inner[hold] = string_of(inner);
	cause->parts[hold] = sum;
	causes.counted += sum;
	return cause;
}

/* The slices of FUNCTION, which last as long, delayed others. */
static struct gtrace_function *add_delay(const char *function,
					 enum gtrace_work work, int64_t delay)
{
	size_t at = summary.delaying_count++;

	functions[at] = (struct gtrace_function){
		.frame = frame_of(function, 62),
		.inner = string_of("bytes.Clone"),
		.work = work,
		.max = 9 * MS,
		.max_start = 3 * MS,
		.max_g = 5,
		.delay = delay,
		.delaying = 412,
		.delaying_sum = delay,
	};
	delaying[at] = &functions[at];
	return &functions[at];
}

static void find(void)
{
	assert_true(gti_find(&summary, &causes, &arena, "a.trace", 0));
}

/* The finding AT has this TEXT, and is to be followed by the report NEXT. */
static void expect(size_t at, const char *text, const char *next)
{
	assert_true(at < summary.finding_count);
	assert_string_equal(summary.findings[at].text.data, text);
	assert_string_equal(summary.findings[at].next.data, next);
}

/* Sums longer than the trace are goroutines on average. */
static void test_function(void **state)
{
	(void)state;
	add_cause("main.callUpstream", GTRACE_HOLD_NETWORK,
		  "net/http.(*Transport).getConn", 26100 * (int64_t)MS);
	find();
	expect(0,
	       "main.callUpstream (main.go:51) held goroutines up for 26.1 s, "
	       "on average 26 of them, 93 % of the total time: it waited "
	       "for the network in http.(*Transport).getConn 26.1 s; most of "
	       "them waited in main.x, select",
	       "-critical-path=1 -g=7 -from=5001us -to=905002us a.trace");
	assert_string_equal(summary.headline.data,
			    summary.findings[0].text.data);
	assert_string_equal(
		summary.explanation.data,
		"The longest wait, 900 ms, began at 5.00 ms, G7. "
		"A trace or the log of the other end tells what that did. "
		"100 % is 28.1 s of processors and waits");
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FUNCTION);
	assert_string_equal(summary.findings[0].name, "function");
	assert_string_equal(summary.findings[0].inner.data,
			    "net/http.(*Transport).getConn");
	assert_int_equal(summary.findings[0].harm, 26100 * (int64_t)MS);
	assert_int_equal(summary.findings[0].rank, 26100 * (int64_t)MS);
	assert_true(summary.findings[0].average > 26.0999 &&
		    summary.findings[0].average < 26.1001);
	assert_int_equal(summary.findings[0].victim_count, 1);
	assert_int_equal(summary.findings[0].sure, 1);
	assert_int_equal(summary.time, 28100 * (int64_t)MS);
	assert_int_equal(summary.rest_next.size, 0);
}

/* The parts are told in order, without those of less than a twentieth. */
static void test_parts(void **state)
{
	struct cause_made *cause = add_cause("main.f", GTRACE_HOLD_CALL,
					     "syscall.Fsync", 400 * MS);

	(void)state;
	cause->parts[GTRACE_HOLD_RAN] = 50 * MS;
	cause->parts[GTRACE_HOLD_READY] = 90 * MS;
	cause->parts[GTRACE_HOLD_IN_C] = 60 * MS;
	cause->inner[GTRACE_HOLD_IN_C] = string_of("main._Cfunc_step");
	cause->parts[GTRACE_HOLD_SLEEP] = 70 * MS;
	cause->inner[GTRACE_HOLD_SLEEP] = string_of("time.Sleep");
	cause->parts[GTRACE_HOLD_LOCK] = 29 * MS;
	cause->parts[GTRACE_HOLD_WORK] = 48 * MS;
	cause->parts[GTRACE_HOLD_SEND] = 53 * MS;
	cause->inner[GTRACE_HOLD_SEND] = string_of("main.f");
	cause->itself = 100 * MS;
	cause->others = 700 * MS;
	cause->victims[0].sum = 400 * MS;
	find();
	expect(0,
	       "main.f (main.go:51) held goroutines up for 800 ms, 33 % of the "
	       "total time; others waited for it 700 ms: it was in "
	       "syscall.Fsync (system call) 400 ms, was ready to run 90.0 ms, "
	       "slept 70.0 ms, was in C (step) 60.0 ms, waited to send 53.0 "
	       "ms, "
	       "ran 50.0 ms, ran, while processors were idle, 48.0 ms; they "
	       "waited longest in main.x, select",
	       "-critical-path=1 -g=7 -from=5001us -to=905002us a.trace");
	assert_string_equal(summary.findings[0].inner.data, "syscall.Fsync");
	assert_int_equal(summary.findings[0].parts[GTRACE_HOLD_LOCK], 29 * MS);
	assert_int_equal(summary.findings[0].itself, 100 * MS);
	assert_int_equal(summary.findings[0].others, 700 * MS);
	/* Nor what was in it itself, or others, of less. */
	cause->itself = 39 * MS;
	find();
	assert_null(strstr(summary.headline.data, "others waited"));
}

/*
 * Any sum that is longer than the trace is one of goroutines on average; and
 * one function is told once.
 */
static void test_once(void **state)
{
	struct cause_made *cause =
		add_cause("main.f", GTRACE_HOLD_CALL, "syscall.Fsync",
			  6000 * (int64_t)MS);
	struct leak_made leak = {
		.place = {.kind = GTRACE_BLOCK_SEND,
			  .frame = cause->frame,
			  .count = 12},
		.blocked = {.sum = 5900 * (int64_t)MS, .worst_start = -1},
	};

	(void)state;
	cause->itself = 2000 * (int64_t)MS;
	cause->others = 4000 * (int64_t)MS;
	causes.leaks = &leak;
	causes.leak_count = 1;
	find();
	assert_non_null(
		strstr(summary.headline.data,
		       "; others waited for it 4.00 s (on average 4.0): it"));
	assert_int_equal(summary.findings[1].kind, GTRACE_FINDING_LEAK);
	assert_null(strstr(summary.explanation.data, "Also"));
	assert_null(strstr(summary.explanation.data, "overlap"));
	leak.place.frame = frame_of("main.g", 3);
	find();
	assert_non_null(strstr(summary.explanation.data, "Also: 12 gorout"));
	assert_non_null(
		strstr(summary.explanation.data, "waits; shares can overlap"));
}

/* Where goroutines wait in the function itself, the library's one is told. */
static void test_there(void **state)
{
	struct cause_made *cause =
		add_cause("main.fetch", GTRACE_HOLD_NETWORK,
			  "internal/poll.(*FD).Read", 600 * MS);

	(void)state;
	cause->victims[0].frame = cause->frame;
	cause->victims[0].inner = string_of("net/http.(*Transport).getConn");
	find();
	assert_non_null(strstr(summary.headline.data,
			       "; most of them waited there in "
			       "http.(*Transport).getConn, select"));
	cause->victims[0].inner = cause->frame.function;
	find();
	assert_null(strstr(summary.headline.data, "waited there"));
	cause->victims[0].inner = string_of("net/http.(*Transport).getConn");
	cause->victims[0].sum = 200 * MS;
	find();
	assert_null(strstr(summary.headline.data, "waited there"));
}

/* What a trace cannot tell, something else can. */
static void test_more(void **state)
{
	static const struct {
		enum gtrace_hold hold;
		const char *more;
	} parts[] = {
		{GTRACE_HOLD_NETWORK, "A trace or the log of the other end"},
		{GTRACE_HOLD_IN_C, "A profiler of the system"},
		{GTRACE_HOLD_RAN, "A CPU profile"},
		{GTRACE_HOLD_WORK, "A CPU profile"},
		{GTRACE_HOLD_SLEEP, NULL},
		{GTRACE_HOLD_CALL, NULL},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		causes.function_count = 0;
		add_cause("main.f", parts[i].hold, "main.g", 600 * MS);
		find();
		if (parts[i].more != NULL)
			assert_non_null(strstr(summary.explanation.data,
					       parts[i].more));
		else
			assert_null(
				strstr(summary.explanation.data, " tells "));
	}
	causes.function_count = 0;
	add_cause("main.f", GTRACE_HOLD_RAN, "main.g", 600 * MS);
	summary.machine.profile = 1;
	find();
	assert_null(strstr(summary.explanation.data, " tells "));
}

/* Who is in a call or at a lock itself is in the list of blocks. */
static void test_itself(void **state)
{
	struct cause_made *cause =
		add_cause("main.(*a).f", GTRACE_HOLD_CALL, "", 400 * MS);

	(void)state;
	cause->itself = 400 * MS;
	cause->others = 0;
	cause->victims[0].frame = cause->frame;
	cause->victims[0].sum = 0;
	find();
	expect(0,
	       "main.(*a).f (main.go:51) held goroutines up for 400 ms, 17 % "
	       "of "
	       "the total time: it was in system calls 400 ms",
	       "-block=10 -func='^main\\.\\(\\*a\\)\\.f$' "
	       "a.trace");
	/* In sleeps and the like, the path shows it, if it is known. */
	cause->parts[GTRACE_HOLD_CALL] = 0;
	cause->parts[GTRACE_HOLD_SLEEP] = 400 * MS;
	find();
	assert_string_equal(
		summary.findings[0].next.data,
		"-critical-path=1 -g=7 -from=5001us -to=905002us a.trace");
	cause->worst_g = -1;
	find();
	assert_string_equal(summary.findings[0].next.data,
			    "-block=10 "
			    "-func='^main\\.\\(\\*a\\)\\.f$' a.trace");
	assert_null(strstr(summary.explanation.data, ", G"));
	cause->worst_g = 7;
	summary.in_ticks = 1;
	find();
	assert_non_null(strstr(summary.findings[0].next.data, "-block=10"));
	/* Places without a frame of the program. */
	cause->victims[0].frame = frame_of("", 0);
	cause->victims[0].sum = 400 * MS;
	find();
	assert_non_null(strstr(summary.findings[0].text.data,
			       "; most of them waited in runtime.selectgo, "
			       "select"));
}

/* Delays by slices are joined with what the function did beside. */
static void test_delay(void **state)
{
	(void)state;
	add_cause("main.f", GTRACE_HOLD_RAN, "", 100 * MS);
	causes.counted += 600 * MS;
	add_delay("main.f", GTRACE_WORK_PROGRAM, 300 * MS);
	add_delay("main.g", GTRACE_WORK_PROGRAM, 60 * MS)->off_cpu = 20 * MS;
	/* These have no name, or are told elsewhere. */
	add_delay("net/http.(*conn).serve", GTRACE_WORK_PROGRAM, 90 * MS);
	add_delay("runtime.ReadTrace", GTRACE_WORK_TRACER, 90 * MS);
	find();
	assert_int_equal(summary.finding_count, 2);
	expect(0,
	       "main.f (main.go:62) held goroutines up for 400 ms, 15 % of the "
	       "total time: it kept processors in bytes.Clone 300 ms, ran "
	       "100 ms; they "
	       "waited longest in main.x, select",
	       "-delay=10 -func='^main\\.f$' a.trace");
	assert_int_equal(summary.findings[0].itself, 0);
	assert_int_equal(summary.findings[0].others, 400 * MS);
	assert_int_equal(summary.findings[0].count, 442);
	assert_int_equal(summary.findings[0].worst, 9 * MS);
	expect(1,
	       "main.g (main.go:62) held goroutines up for 40.0 ms, 2 % of the "
	       "total time: it kept processors in bytes.Clone 40.0 ms; "
	       "20.0 ms more while "
	       "threads had no CPU",
	       "-delay=10 -func='^main\\.g$' a.trace");
	/* A tenth of the processors' time is one of the whole, too. */
	functions[0].delaying_sum = 200 * MS;
	find();
	assert_int_equal(summary.findings[0].rank, 100 * MS + 270 * MS);
}

/* Of the waits for a processor, those while one was idle are less, or more. */
static void test_load(void **state)
{
	(void)state;
	causes.load = (struct cause_sum){800 * MS, 90, 30 * MS, 2 * MS, 4};
	causes.handover = (struct cause_sum){700 * MS, 10, 40 * MS, 6 * MS, 5};
	causes.counted = 1500 * MS;
	summary.slices.sum = 1700 * MS;
	find();
	assert_int_equal(summary.finding_count, 1);
	assert_non_null(strstr(
		summary.findings[0].text.data,
		": goroutines waited for a processor for 1.50 s, on average "
		"1.5 of them, 43 % of the total time: 100 waits, the "
		"longest 40.0 ms"));
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_LOAD);
	assert_int_equal(summary.findings[0].worst_start, 6 * MS);
	assert_int_equal(summary.findings[0].rank, 1500 * MS / 4);
	/* Slices took a twentieth of the processors' time. */
	summary.slices.sum = 100 * MS;
	find();
	assert_int_equal(summary.findings[0].rank, 3500 * (int64_t)MS / 20 / 4);
	causes.handover.sum = 1000 * MS;
	causes.counted = 1800 * MS;
	find();
	assert_int_equal(summary.finding_count, 2);
	expect(0,
	       "Goroutines that were ready waited for 1.00 s, 26 % of the "
	       "total "
	       "time, although a processor was idle: threads came late (a "
	       "busy machine), or goroutines are bound to threads "
	       "(LockOSThread): 10 waits, the longest 40.0 ms",
	       "-wait=10 a.trace");
	assert_string_equal(summary.findings[0].name, "handover");
	assert_int_equal(summary.findings[0].rank, 250 * MS);
	assert_int_equal(summary.findings[0].sure, 0);
	assert_int_equal(summary.findings[1].harm, 800 * MS);
}

/* Threads that have no CPU come late. */
static void test_handover_of_machine(void **state)
{
	struct gtrace_cpu cpu = {.preempted = 500 * MS};
	size_t i;

	(void)state;
	causes.handover = (struct cause_sum){400 * MS, 10, 40 * MS, 6 * MS, 5};
	summary.cpu = &cpu;
	find();
	for (i = 0; summary.findings[i].kind != GTRACE_FINDING_HANDOVER; i++)
		;
	assert_int_equal(summary.findings[i].rank, 75 * MS);
}

static void test_leak(void **state)
{
	struct leak_made leak = {
		.place = {.kind = GTRACE_BLOCK_SEND,
			  .frame = frame_of("main.ask.func1", 33),
			  .inner = string_of("runtime.chansend1"),
			  .sum = 4000 * (int64_t)MS,
			  .count = 24},
		.blocked = {4000 * (int64_t)MS, 26, 800 * MS, 9 * MS, 12},
	};

	(void)state;
	causes.leaks = &leak;
	causes.leak_count = 1;
	causes.counted = 4000 * (int64_t)MS;
	find();
	expect(0,
	       "24 goroutines more than at the start are blocked for ever in "
	       "channel send, at main.ask.func1 (main.go:33), as far as the "
	       "trace goes: 4.00 s, on average 4.0 of them, 67 % of the total "
	       "time",
	       "-goroutines=10 a.trace");
	assert_string_equal(summary.findings[0].name, "leak");
	assert_int_equal(summary.findings[0].count, 24);
	assert_string_equal(summary.explanation.data,
			    "The longest began at 9.00 ms, G12. 100 % is 6.00 "
			    "s of processors and waits");
}

static void test_broadcast(void **state)
{
	struct broadcast_made broadcast = {
		.frame = frame_of("main.put", 20),
		.woken = 3000,
		.idle = {.kind = GTRACE_BLOCK_CONDITION,
			 .frame = frame_of("main.get", 30),
			 .count = 2900},
		.lost = {500 * MS, 2900, 9 * MS, 8 * MS, 3},
	};

	(void)state;
	causes.broadcasts = &broadcast;
	causes.broadcast_count = 1;
	causes.counted = 500 * MS;
	find();
	expect(0,
	       "main.put (main.go:20) woke 3 000 goroutines; 2 900 of them had "
	       "nothing to do and waited again, main.get, condition: 500 ms, "
	       "20 % of the total time",
	       "-goroutines=10 a.trace");
	assert_string_equal(summary.findings[0].name, "broadcast");
}

/* Half of the slices shorter than 2 us, which cost a tenth of the time. */
static void test_fine(void **state)
{
	struct gtrace_function fine[] = {
		{.frame = frame_of("main.work", 5), .count = 199999},
		{.frame = frame_of("main.yield", 7), .count = 200001},
	};

	(void)state;
	summary.slices.count = 400000;
	summary.slices.median = 1999;
	find();
	expect(0,
	       "Work is cut too fine: 400 000 slices, half of them shorter "
	       "than "
	       "2.00 \u00b5s; to switch that often costs about 200 ms, 10 % of "
	       "the total time",
	       "-goroutines=10 a.trace");
	assert_string_equal(summary.findings[0].name, "fine");
	assert_int_equal(summary.findings[0].count, 400000);
	assert_int_equal(summary.findings[0].sure, 0);
	/* A function in which more than half of them end is told. */
	summary.functions = fine;
	summary.function_count = 2;
	find();
	expect(0,
	       "Work is cut too fine: 400 000 slices, half of them shorter "
	       "than 2.00 \u00b5s, most of them in main.yield (main.go:7); to "
	       "switch that often costs about 200 ms, 10 % of the total "
	       "time",
	       "-goroutines=10 a.trace");
	fine[1].count--;
	find();
	assert_null(strstr(summary.findings[0].text.data, "most of them"));
	summary.function_count = 0;
	summary.slices.count--;
	find();
	assert_int_equal(summary.finding_count, 0);
	summary.slices.count++;
	summary.slices.median = 2000;
	find();
	assert_int_equal(summary.finding_count, 0);
	summary.slices.median = 1000;
	summary.in_ticks = 1;
	find();
	assert_int_equal(summary.finding_count, 0);
}

/* The finalizers' function is told by what they are. */
static void test_finalizer(void **state)
{
	struct gtrace_frame frames[] = {frame_of("time.Sleep", 1),
					frame_of("main.close", 51),
					frame_of("runtime.runfinq", 2)};
	struct gtrace_block_place place = {
		.kind = GTRACE_BLOCK_SLEEP,
		.sum = 600 * MS,
		.count = 3,
		.max = 300 * MS,
		.frames = frames,
		.frame_count = COUNT(frames),
	};
	const struct gtrace_block_place *list = &place;

	(void)state;
	add_cause("main.close", GTRACE_HOLD_SLEEP, "", 600 * MS);
	add_cause("main.f", GTRACE_HOLD_RAN, "", 900 * MS);
	blocks.rests = &list;
	blocks.rest_count = 1;
	find();
	assert_int_equal(summary.finding_count, 2);
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FINALIZER);
	assert_string_equal(summary.findings[1].frame.function.data, "main.f");
	assert_int_equal(summary.time, 3500 * (int64_t)MS);
	/* If others wait much longer for it, that is told. */
	made[0].parts[GTRACE_HOLD_SLEEP] = 1300 * MS;
	find();
	assert_int_equal(summary.finding_count, 3);
}

/* The headline is worth it from 1 % of the whole on, by its rank. */
static void test_headline(void **state)
{
	const struct gtrace_resting at_rest[] = {
		{.kind = GTRACE_BLOCK_SELECT,
		 .frame = frame_of("main.callUpstream", 51),
		 .inner = string_of("net/http.(*Transport).getConn"),
		 .sum = 24000 * (int64_t)MS,
		 .count = 30},
		{.kind = GTRACE_BLOCK_NETWORK,
		 .frame = frame_of("", 0),
		 .inner = string_of("net/http.(*conn).serve"),
		 .sum = 900 * MS,
		 .count = 2},
		{.kind = GTRACE_BLOCK_SLEEP,
		 .frame = frame_of("main.tick", 51),
		 .inner = string_of("main.tick"),
		 .sum = 800 * MS,
		 .count = 2},
	};

	(void)state;
	causes.at_rest = at_rest;
	causes.at_rest_count = 3;
	causes.every = 4;
	causes.load = (struct cause_sum){79 * MS, 90, MS, 2 * MS, 4};
	find();
	assert_string_equal(
		summary.headline.data,
		"Nothing stands out: the processors were idle 84 % of the "
		"time, "
		"and no goroutine that was ready waited longer than 80.0 "
		"\u00b5s");
	assert_string_equal(
		summary.explanation.data,
		"At rest, longest: main.callUpstream, select in "
		"http.(*Transport).getConn, 24.0 s (on average 24 goroutines); "
		"network in http.(*conn).serve, 900 ms; main.tick, sleep, 800 "
		"ms");
	assert_string_equal(summary.rest_next.data,
			    "-requests=10 -at='^main\\.callUpstream$' a.trace");
	assert_int_equal(summary.at_rest_count, 3);
	assert_int_equal(summary.causes_every, 4);
	/* A quarter of its harm is 1 % of two seconds. */
	causes.load.sum = 80 * MS;
	find();
	assert_true(gti_told(&summary));
	assert_int_equal(summary.rest_next.size, 0);
	assert_null(strstr(summary.explanation.data, "At rest"));
	/* Without a function of the program, the library's. */
	causes.load.sum = 0;
	causes.at_rest = &at_rest[1];
	causes.at_rest_count = 2;
	find();
	assert_string_equal(summary.rest_next.data,
			    "-requests=10 "
			    "-at='^net/http\\.\\(\\*conn\\)\\.serve$' a.trace");
}

/* All findings are ranked, the first are kept. */
static void test_many(void **state)
{
	size_t i;
	static char names[80][8];

	(void)state;
	for (i = 0; i < 80; i++) {
		memcpy(names[i], "main.aa", 8);
		names[i][5] = (char)('a' + i / 10);
		names[i][6] = (char)('a' + i % 10);
		add_cause(names[i], GTRACE_HOLD_RAN, "", (int64_t)(i + 1) * MS);
	}
	find();
	assert_int_equal(summary.finding_count, 64);
	for (i = 0; i < 64; i++)
		assert_int_equal(summary.findings[i].harm,
				 (int64_t)(80 - i) * MS);
}

/* The second is told from 67 % on, after a load from a fifth on. */
static void test_also(void **state)
{
	(void)state;
	add_cause("main.f", GTRACE_HOLD_RAN, "", 1000 * MS);
	add_cause("main.g", GTRACE_HOLD_RAN, "", 670 * MS);
	find();
	assert_non_null(
		strstr(summary.explanation.data, "Also: main.g (main."));
	made[1].parts[GTRACE_HOLD_RAN] = 669 * MS;
	find();
	assert_null(strstr(summary.explanation.data, "Also: "));
	causes.load = (struct cause_sum){8000 * (int64_t)MS, 90, MS, 0, 4};
	causes.counted = 9700 * (int64_t)MS;
	summary.slices.sum = 2000 * MS;
	made[0].parts[GTRACE_HOLD_RAN] = 400 * MS;
	made[1].parts[GTRACE_HOLD_RAN] = 10 * MS;
	find();
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_LOAD);
	assert_non_null(
		strstr(summary.explanation.data, "Also: main.f (main."));
	made[0].parts[GTRACE_HOLD_RAN] = 399 * MS;
	find();
	assert_null(strstr(summary.explanation.data, "Also: "));
}

static void test_memory(void **state)
{
	size_t left = 0;

	(void)state;
	add_cause("main.f", GTRACE_HOLD_RAN, "", 1000 * MS);
	for (counted.left = 0; !gti_find(&summary, &causes, &arena, NULL, 0);
	     counted.left = ++left)
		gti_arena_free(&arena);
	assert_true(left > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, free_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_function), TEST(test_parts),
		TEST(test_itself),   TEST(test_delay),
		TEST(test_load),     TEST(test_handover_of_machine),
		TEST(test_leak),     TEST(test_broadcast),
		TEST(test_fine),     TEST(test_finalizer),
		TEST(test_headline), TEST(test_many),
		TEST(test_also),     TEST(test_memory),
		TEST(test_once),     TEST(test_more),
		TEST(test_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
