/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_test.c - which findings there are, in which order and words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/causes_made.h"
#include "report/block_kinds.h"
#include "report/diagnosis.h"
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
static struct gtrace_function holders[2];
static struct gtrace_stop longest_stop;
static struct gtrace_wait_report waits;
static struct gtrace_delay_report delays;
static struct gtrace_function functions[4];
static const struct gtrace_function *delaying[4];
static struct gtrace_block_report blocks;
static struct gtrace_frame frames[8][3];
static struct gtrace_unblocker enders[8];
static struct gtrace_block_place places[8];
static const struct gtrace_block_place *place_list[8];

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
	causes = (struct causes_made){.every = 1};
	blocks = (struct gtrace_block_report){.places = place_list};
	summary = (struct gtrace_summary){
		.trace_version = 1026,
		.length = 1000 * MS,
		.known = 1000 * MS,
		.procs = 2,
		.waits = &waits,
		.delays = &delays,
		.delaying = delaying,
		.slices = {.count = 3, .sum = 320 * MS},
		.stops = &stops,
		.holders = holders,
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

static void add_delay(const char *function, enum gtrace_work work,
		      int64_t delay)
{
	struct gtrace_frame frame = frame_of(function, 62);
	size_t at = summary.delaying_count++;

	functions[at] = (struct gtrace_function){
		.frame = frame,
		.inner = string_of("bytes.Clone"),
		.work = work,
		.max = 9 * MS,
		.max_start = 3 * MS,
		.max_g = 5,
		.delay = delay,
		.delaying = 412,
		.delaying_sum = 1000 * MS,
	};
	delaying[at] = &functions[at];
	causes.counted += delay;
}

/* A place in FUNCTION, below the function INNER of the library. */
static struct gtrace_block_place *add_place(enum gtrace_block_kind kind,
					    const char *inner,
					    const char *function, int64_t sum)
{
	size_t at = blocks.place_count++;

	frames[at][0] = frame_of(inner, 46);
	frames[at][1] = frame_of(function, 41);
	frames[at][2] = frame_of("main.main", 9);
	enders[at] = (struct gtrace_unblocker){
		.by = "goroutine", .frames = &frames[at][2], .frame_count = 1};
	places[at] = (struct gtrace_block_place){
		.kind = kind,
		.count = 3,
		.sum = sum,
		.slow = sum,
		.slow_count = 2,
		.max = 40 * MS,
		.max_start = 2 * MS,
		.max_g = 7,
		.frames = frames[at],
		.frame_count = 3,
		.enders = &enders[at],
		.ender_count = 1,
	};
	place_list[at] = &places[at];
	causes.counted += sum;
	return &places[at];
}

static void set_stops(int64_t stopping, int64_t stopped)
{
	stops.measured = stops.all.measured = 5;
	stops.all.stopping = stopping;
	stops.all.stopped = stopped;
	longest_stop = (struct gtrace_stop){.g = 3,
					    .requested = 30 * MS,
					    .stopping = stopping / 2,
					    .stopped = stopped / 2};
	summary.longest_stop = &longest_stop;
}

static void add_holder(const char *function, enum gtrace_work work,
		       int64_t stopping)
{
	struct gtrace_frame frame = frame_of(function, 7);

	holders[summary.holder_count++] = (struct gtrace_function){
		.frame = frame,
		.inner = string_of(""),
		.work = work,
		.sum = stopping,
	};
}

/* EXPLANATION is without the total time, but with what is next. */
static void expect(const char *sentence, const char *explanation)
{
	const char *got, *base;
	char text[2048];
	size_t size;

	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_string_equal(summary.headline.data, sentence);
	got = summary.explanation.data;
	base = strstr(got, "100 % is ");
	size = base == NULL ? strlen(got) : (size_t)(base - got);
	memcpy(text, got, size);
	size -= base != NULL && base != got ? strlen(". ") : 0;
	text[size] = '\0';
	if (gti_told(&summary))
		snprintf(text + size, sizeof(text) - size, ". Next: gtrace %s",
			 summary.findings->next.data);
	assert_string_equal(text, explanation);
}

/* The trace that is to be read next has its name in a form for a shell. */
static void test_names(void **state)
{
	static const char *const names[][2] = {
		{"dir/a-1.trace", "-stw=10 dir/a-1.trace"},
		{"my $a.trace", "-stw=10 'my $a.trace'"},
		{"it's.trace", "-stw=10"},
		{"a\nb", "-stw=10"},
		{"-", "-stw=10"},
	};
	size_t i;

	(void)state;
	set_stops(30 * MS, 10 * MS);
	for (i = 0; i < COUNT(names); i++) {
		assert_true(
			gti_find(&summary, &causes, &arena, names[i][0], 0));
		assert_string_equal(summary.findings[0].next.data, names[i][1]);
	}
}

/* Finds in a trace of SIZE bytes, NAME; the first finding has this cut. */
static void expect_cut(const char *name, uint64_t size, const char *cut)
{
	assert_true(gti_find(&summary, &causes, &arena, name, size));
	assert_int_equal(summary.findings[0].cut.size, strlen(cut));
	assert_memory_equal(summary.findings[0].cut.data, cut, strlen(cut));
}

/* Of a trace that is large, a smaller one of the worst is offered. */
static void test_cuts(void **state)
{
	(void)state;
	set_stops(30 * MS, 10 * MS);
	summary.trace_version = 1022;
	summary.length = summary.known = INT64_C(9000) * MS;
	expect_cut("a b", 100000001, "-cut=0ms,1050ms -o=worst.trace 'a b'");
	expect_cut("a b", 100000000, "");
	expect_cut("-", 100000001, "");
	expect_cut(NULL, 100000001, "");
	longest_stop.requested = INT64_C(3000) * MS + 1;
	expect_cut("a", 100000001, "-cut=2000ms,4021ms -o=worst.trace a");
	summary.trace_version = 1021;
	expect_cut("a", 100000001, "");
	summary.trace_version = 1022;
	/* All of it, and at an unknown time. */
	longest_stop.requested = 900 * MS;
	summary.length = summary.known = 1920 * MS;
	expect_cut("a", 100000001, "");
	summary.origin = 1;
	expect_cut("a", 100000001, "-cut=0ms,1920ms -o=worst.trace a");
	longest_stop.requested = -1;
	expect_cut("a", 100000001, "");
}

/* The worst of a load is the longest wait; a leak is whole at the end. */
static void test_other_cuts(void **state)
{
	struct leak_made leak = {
		.place = {.count = 9},
		.blocked = {.sum = INT64_C(9000) * MS, .worst_start = -1}};

	(void)state;
	summary.trace_version = 1026;
	summary.length = summary.known = INT64_C(9000) * MS;
	summary.slices.sum = INT64_C(9000) * MS;
	causes.load = (struct cause_sum){.sum = 900 * MS, .worst_start = -1};
	causes.counted = 900 * MS;
	causes.ready_worst = 5 * MS;
	causes.ready_start = INT64_C(4000) * MS;
	expect_cut("a", 100000001, "-cut=3000ms,5005ms -o=worst.trace a");
	causes.ready_start = -1;
	expect_cut("a", 100000001, "");
	causes.load.sum = 0;
	causes.leaks = &leak;
	causes.leak_count = 1;
	expect_cut("a", 100000001, "-cut=-1s, -o=worst.trace a");
	summary.length = summary.known = 1000 * MS;
	expect_cut("a", 100000001, "");
}

/*
 * A select for what others give back is a wait for a lock, dialing is none. Nor
 * is what the collector does, wherever it is.
 */
static void test_pool(void **state)
{
	const struct gtrace_frame stack[] = {
		frame_of("runtime.selectgo", 7),
		frame_of("database/sql.(*DB).conn", 8),
		frame_of("main.query", 41),
	};
	const struct gtrace_frame collecting[] = {
		frame_of("runtime.semacquire", 7),
		frame_of("runtime.gcStart", 8),
		frame_of("main.query", 41),
	};
	const struct gtrace_frame locking[] = {
		frame_of("sync.(*Mutex).Unlock", 7),
		frame_of("main.query", 41),
	};

	(void)state;
	assert_int_equal(gti_block_kind(string_of("select"), stack, 3),
			 GTRACE_BLOCK_LOCK);
	assert_int_equal(gti_block_kind(string_of("sync"), collecting, 3),
			 GTRACE_BLOCK_LOCK);
	assert_true(gti_block_collects(collecting, 3));
	assert_int_equal(gti_block_kind(string_of("preempted"), locking, 2),
			 GTRACE_BLOCK_OTHER);
	assert_int_equal(gti_block_kind(string_of("GoBlockSelect"), stack, 3),
			 GTRACE_BLOCK_LOCK);
	assert_int_equal(gti_block_kind(string_of("network"), stack, 3),
			 GTRACE_BLOCK_NETWORK);
	assert_int_equal(gti_block_kind(string_of("select"), stack, 1),
			 GTRACE_BLOCK_SELECT);
}

/* Its workers, and those who help it, are one finding. */
static void test_collector(void **state)
{
	(void)state;
	summary.collections = 4;
	summary.collecting = 400 * MS;
	add_delay("runtime.gcBgMarkWorker", GTRACE_WORK_GC_DEDICATED, 60 * MS);
	add_delay("runtime.gcBgMarkWorker", GTRACE_WORK_GC_FRACTIONAL, 20 * MS);
	expect("The garbage collector held goroutines up for 80.0 ms, 4 % of "
	       "the total time, by its workers: 4 collections, 40 % of the "
	       "trace",
	       ". Next: gtrace -gctrace");
	/* No function of the program, though its goroutine has no other. */
	add_place(GTRACE_BLOCK_LOCK, "runtime.gcAssistAlloc",
		  "net/http.(*connReader).backgroundRead", 70 * MS)
		->frame_count = 2;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].frame.function.size, 0);
	blocks.place_count = 0;
	add_place(GTRACE_BLOCK_LOCK, "runtime.gcAssistAlloc", "main.fill",
		  60 * MS);
	add_place(GTRACE_BLOCK_LOCK, "runtime.gcStart", "main.fill", 90 * MS);
	add_place(GTRACE_BLOCK_LOCK, "runtime.gcMarkDone", "main.f", 10 * MS);
	expect("The garbage collector held goroutines up for 240 ms, 10 % of "
	       "the total time, most by waits for it (100 ms): 4 "
	       "collections, 40 % of the trace; main.fill (main.go:41) waited "
	       "or helped longest",
	       ". Next: gtrace -gctrace");
	/* Less than a fifth of the harm; and no collection is in the trace. */
	functions[0].delay = 900 * MS;
	summary.collections = 0;
	expect("The garbage collector held goroutines up for 1.08 s, on "
	       "average "
	       "1.1 of them, 47 % of the total time, most by its workers "
	       "(920 ms)",
	       ". Next: gtrace -gctrace");
}

/* Goroutines that mark, or sweep, could not go on, though they ran. */
static void test_help(void **state)
{
	struct gtrace_function held = {.frame = frame_of("main.fill", 30)};
	struct gtrace_function swept = {
		.frame = frame_of("main.sweep", 50),
		.max = 14 * MS,
		.max_start = 700 * MS,
		.max_g = 1,
	};

	(void)state;
	add_delay("runtime.gcBgMarkWorker", GTRACE_WORK_GC_IDLE, 29 * MS);
	summary.assisting = 350 * MS;
	summary.held = &held;
	summary.goal_percent = 106;
	expect("The garbage collector held goroutines up for 379 ms, 19 % of "
	       "the total time, most by mark assists (350 ms); main.fill "
	       "(main.go:30) waited or helped longest; the goal is "
	       "1.06 times what lives: GOMEMLIMIT or GOGC",
	       ". Next: gtrace -gctrace");
	summary.assisting = 10 * MS;
	summary.sweeping = 101 * MS;
	summary.swept = &swept;
	summary.goal_percent = 120;
	expect("The garbage collector held goroutines up for 140 ms, 7 % of "
	       "the total time, most by sweeping (101 ms); main.sweep "
	       "(main.go:50) swept longest, for up to 14.0 ms at once",
	       ". Next: gtrace -gctrace");
	/* With a filter it is not known. */
	summary.assisting = summary.sweeping = summary.goal_percent = -1;
	summary.held = summary.swept = NULL;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].harm, 29 * MS);
}

/* The share of the workers' time that forced collections have. */
static void test_forced(void **state)
{
	struct gtrace_function forcer = {
		.frame = frame_of("main.clean", 9),
		.count = 5,
	};
	struct gtrace_function all[] = {
		{.work = GTRACE_WORK_GC_DEDICATED, .sum = 100 * MS},
		{.work = GTRACE_WORK_GC_IDLE, .sum = 40 * MS},
		{.work = GTRACE_WORK_PROGRAM, .sum = 500 * MS},
	};

	(void)state;
	summary.functions = all;
	summary.function_count = COUNT(all);
	summary.collections = 14;
	summary.forced = 7;
	summary.forcer = &forcer;
	expect("main.clean (main.go:9) and others forced 7 of 14 collections "
	       "(runtime.GC), whose workers ran for 70.0 ms, 4 % of the total "
	       "time",
	       ". Next: gtrace -gctrace");
	/* What forced collections cost is told once. */
	causes.collector = 69 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[1].kind, GTRACE_FINDING_COLLECTOR);
	assert_null(strstr(summary.explanation.data, "Also"));
	causes.collector = 0;
	forcer.count = 7;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_null(strstr(summary.headline.data, "others"));
	assert_string_equal(summary.findings[0].name, "forced");
	summary.collections = 15;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 0);
	summary.collections = summary.forced = 2;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 0);
}

/* Blocks of finalizers, at rest for others, come first if they are long. */
static void test_finalizer(void **state)
{
	struct gtrace_block_place *place;

	(void)state;
	place = add_place(GTRACE_BLOCK_SLEEP, "time.Sleep", "main.closeHandle",
			  500 * MS);
	frames[0][2] = frame_of("runtime.runfinq", 256);
	place->frame_count = 3;
	place->rest = 1;
	blocks.place_count = 0;
	blocks.rests = place_list;
	blocks.rest_count = 1;
	add_delay("main.work", GTRACE_WORK_PROGRAM, 900 * MS);
	expect("The goroutine of finalizers was blocked in main.closeHandle "
	       "(main.go:41) for 500 ms, 15 % of the total time: 3 times, "
	       "the longest 40.0 ms",
	       "The longest began at 2.00 ms, G7. Also: main.work (main.go:62) "
	       "held goroutines up for 900 ms, 27 % of the total time: it "
	       "kept processors in bytes.Clone 900 ms. Next: gtrace "
	       "-block=10 -func='^main\\.closeHandle$'");
	place->sum = 499 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FUNCTION);
	place->sum = 500 * MS;
	frames[0][2] = frame_of("runtime.runCleanups", 256);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FINALIZER);
	frames[0][2] = frame_of("main.loop", 256);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 1);
}

static void test_stops(void **state)
{
	(void)state;
	set_stops(30 * MS, 10 * MS);
	add_holder("", GTRACE_WORK_SCHEDULER, 21 * MS);
	add_holder("main.copy", GTRACE_WORK_PROGRAM, 9 * MS);
	expect("Stop-the-world pauses cost 80.0 ms, 4 % of the total time "
	       "(5 pauses: 30.0 ms to stop all processors, 10.0 ms stopped)",
	       "The longest began at 30.0 ms, G3. Next: gtrace -stw=10");
	holders[1].sum = 20 * MS;
	expect("main.copy (main.go:7) delayed stop-the-world pauses; it cost "
	       "80.0 ms, 4 % of the total time (5 pauses: 30.0 ms to stop all "
	       "processors, 10.0 ms stopped)",
	       "The longest began at 30.0 ms, G3. Next: gtrace -stw=10");
}

/* By a record of the kernel. */
static void test_record(void **state)
{
	struct gtrace_cpu cpu = {.preempted = 200 * MS};

	(void)state;
	add_delay("main.f", GTRACE_WORK_PROGRAM, 230 * MS);
	summary.machine = (struct gtrace_machine){
		.off_cpu = {.count = 1, .sum = 200 * MS, .max = 200 * MS},
		.silence = {.count = 2,
			    .sum = 1000 * MS,
			    .max = 600 * MS,
			    .start = 5 * MS},
	};
	expect("main.f (main.go:62) held goroutines up for 230 ms, 10 % of the "
	       "total time: it kept processors in bytes.Clone 230 ms",
	       "The longest slice, 9.00 ms, began at 3.00 ms, G5. A CPU "
	       "profile during the trace tells what ran. Next: gtrace "
	       "-delay=10 -func='^main\\.f$'");
	summary.cpu = &cpu;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_non_null(strstr(summary.explanation.data, "Also: The machine"));
	assert_non_null(strstr(summary.explanation.data,
			       "and waits; shares can overlap"));
	assert_int_equal(summary.findings[1].sure, 1);
	cpu.preempted = 199 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[1].kind, GTRACE_FINDING_MACHINE);
	assert_int_equal(summary.findings[1].sure, 0);
	cpu.preempted = 1000 * MS;
	functions[0].delaying_sum = 190 * MS; /* of 2000: less than a fifth */
	expect("The machine: threads that ran goroutines were preempted for "
	       "1.00 s, 50 % of the processors' time",
	       "The longest began at 5.00 ms. Next: gtrace -wait=10");
	assert_int_equal(summary.findings[0].harm, 1115 * MS);
	functions[0].delaying_sum = 1000 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_non_null(strstr(summary.explanation.data, "Also: main.f (main"));
	/* It is the same for all that passes a filter, but at what time? */
	summary.filtered = 1;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_string_equal(
		summary.findings[0].text.data,
		"The machine: in the whole trace, threads that ran goroutines "
		"were preempted for 1.00 s, 50 % of the processors' time");
	summary.in_period = 1;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 1);
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FUNCTION);
}

/* Sets what is known of the machine, of 2 s of processors. */
static void set_machine(int64_t certain, int64_t likely, int64_t undecided)
{
	struct gtrace_class_sum *classes = summary.machine.classes;

	classes[GTRACE_SILENT_CERTAIN] =
		(struct gtrace_class_sum){certain, certain != 0};
	classes[GTRACE_SILENT_LIKELY] =
		(struct gtrace_class_sum){likely, likely != 0 ? 3 : 0};
	classes[GTRACE_SILENT_UNDECIDED] =
		(struct gtrace_class_sum){undecided, undecided != 0};
	summary.machine.silence =
		(struct gtrace_lost){2, 1000 * MS, 600 * MS, 5 * MS};
}

/* Of a trace alone, what is likely is a finding from a tenth of the time on. */
static void test_machine(void **state)
{
	(void)state;
	add_delay("main.f", GTRACE_WORK_PROGRAM, 230 * MS);
	waits.all.sum = 0;
	set_machine(0, 200 * MS - 1, 1000 * MS);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 1);
	set_machine(0, 200 * MS, 1000 * MS);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 2);
	set_machine(100 * MS, 500 * MS, 0);
	functions[0].delaying_sum = 100 * MS;
	expect("The machine, most likely: threads were without a CPU for about "
	       "30 % of the processors' time (600 ms in 4 stretches, 100 ms of "
	       "it certain): other programs, a quota, a stopped process, or C "
	       "code of this one",
	       "The longest began at 5.00 ms. -sched tells which. "
	       "Next: gtrace -wait=10");
	assert_int_equal(summary.findings[0].sure, 0);
	/* With a quota, the periods in which it stops the process count. */
	set_machine(0, 40 * MS, 0);
	summary.machine.throttle_interval = 100 * MS;
	summary.machine.throttle_periods = 10;
	summary.machine.throttled = 5;
	summary.machine.throttle_cpu = 45 * MS;
	expect("A CPU limit of about 45.0 ms in 100 ms, such as a cgroup's "
	       "quota, most likely stopped the process in 5 of 10 periods. "
	       "Threads were without a CPU for about 2 % of the processors' "
	       "time (40.0 ms in 3 stretches)",
	       "The longest began at 5.00 ms. nr_throttled in the cgroup's "
	       "cpu.stat tells. Next: gtrace -wait=10");
	summary.in_period = 1;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 1);
}

/* What is certain is subtracted from a load and from locks; no more is. */
static void test_certain(void **state)
{
	(void)state;
	summary.slices.sum = 1700 * MS;
	causes.load.sum = causes.counted = 500 * MS;
	set_machine(0, 0, 1000 * MS);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_LOAD);
	assert_int_equal(summary.findings[0].harm, 500 * MS);
	set_machine(0, 100 * MS, 0);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].harm, 500 * MS);
	set_machine(100 * MS, 0, 0);
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.findings[0].harm, 475 * MS);
}

/* What kept processors without an event is that function's, if others wait. */
static void test_silent(void **state)
{
	struct gtrace_function silent = {
		.frame = {.function = string_of("main.hash"),
			  .file = string_of("main.go"),
			  .line = 30},
		.inner = string_of("crypto/md5.block"),
		.count = 10,
		.sum = 1040 * MS,
		.max = 105 * MS,
		.max_start = 7 * MS,
		.max_g = 3,
		.delay = 600 * MS,
	};

	(void)state;
	add_delay("main.hash", GTRACE_WORK_PROGRAM, 1000 * MS);
	waits.all.sum = 0;
	set_machine(0, 0, 1000 * MS);
	summary.silent = &silent;
	summary.silent_count = 1;
	expect("main.hash (main.go:30), in md5.block, kept a processor for up "
	       "to 105 ms without an event, 10 times, 1.04 s in all: code that "
	       "cannot be preempted, or a thread without a CPU",
	       "The longest began at 7.00 ms, G3. A CPU profile during the "
	       "trace, or -sched, tells. Next: gtrace -diagreedy=10 "
	       "-format=short -func='^main\\.hash$'");
	/* Its delays are not told again. */
	assert_int_equal(summary.finding_count, 1);
	silent.delaying = 6;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_non_null(strstr(summary.headline.data,
			       ", although it can be preempted elsewhere: most "
			       "likely the thread had no CPU"));
	silent.delay = 400 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 2);
	silent.delay = 10 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 1);
	assert_int_equal(summary.findings[0].kind, GTRACE_FINDING_FUNCTION);
}

static void test_storm(void **state)
{
	(void)state;
	waits.all.sum = 0;
	summary.machine.off_cpu =
		(struct gtrace_lost){504, 1880 * MS, 20 * MS, 9 * MS};
	summary.held_time = 1900 * MS;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_int_equal(summary.finding_count, 0);
	summary.machine.storm = 1;
	expect("The scheduler held processors without a goroutine for 94 % of "
	       "the time, 504 times, 1.88 s: many timers (Go before 1.23: each "
	       "ticker that is not stopped), or threads without a CPU",
	       "The longest began at 9.00 ms. A CPU profile during the trace, "
	       "or -sched, tells. Next: gtrace -wait=10");
	/* Processors that are held are not idle. */
	assert_int_equal(summary.idle, 100 * MS);
}

static void test_nothing(void **state)
{
	(void)state;
	add_delay("main.f", GTRACE_WORK_PROGRAM, 19 * MS);
	causes.counted = 0;
	expect("Nothing stands out: the processors were idle 84 % of the time, "
	       "and no goroutine that was ready waited longer than 80.0 "
	       "\u00b5s",
	       "");
	assert_int_equal(summary.finding_count, 1);
	summary.in_ticks = 1;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_string_equal(summary.explanation.data,
			    "Times are in ticks (t), of unknown length");
	summary.slices.count = 0;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_string_equal(summary.headline.data,
			    "No goroutine ran in this trace");
	summary.filtered = 1;
	assert_true(gti_find(&summary, &causes, &arena, NULL, 0));
	assert_string_equal(summary.headline.data,
			    "No slice passes the filters");
}

static void test_memory(void **state)
{
	size_t left = 0;

	(void)state;
	add_delay("main.f", GTRACE_WORK_PROGRAM, 500 * MS);
	for (counted.left = 0; !gti_find(&summary, &causes, &arena, NULL, 0);
	     counted.left = ++left)
		gti_arena_free(&arena);
	assert_true(left > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pool, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_names, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_cuts, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_other_cuts, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_help, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_forced, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_finalizer, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_collector, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_stops, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_record, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_certain, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_silent, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_storm, reset, free_arena),
		cmocka_unit_test_setup_teardown(test_machine, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_nothing, reset,
						free_arena),
		cmocka_unit_test_setup_teardown(test_memory, reset, free_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
