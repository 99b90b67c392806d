/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostile_reports.h - traces of a wanted size of which what reports add up or
 * compare may become much: places of blocks, requests, functions, processors
 * that are held, generations. Only a test includes it, after hostile.h.
 */
#ifndef GTRACE_TESTS_V2_HOSTILE_REPORTS_H_
#define GTRACE_TESTS_V2_HOSTILE_REPORTS_H_

#include "tests/v2/hostile.h"

/* ---------------------------------------------------------------- tables -- */

/* Names that have a meaning, and are strings 1, 2 and so on. */
enum {
	NAME_PREEMPTED = 1,
	NAME_SYNC,
	NAME_NETWORK,
	NAME_SLEEP,
	NAME_SWEEP_STOP,
	NAME_MARK_STOP,
	NAME_ASSIST,
	NAME_LOCK,
	NAME_UNLOCK,
	NAME_READ,
	NAME_ALLOCATE,
	NAME_ROOT,
	NAME_COUNT
};

static const char *const fixed_names[NAME_COUNT] = {
	[NAME_PREEMPTED] = "preempted",
	[NAME_SYNC] = "sync",
	[NAME_NETWORK] = "network",
	[NAME_SLEEP] = "sleep",
	[NAME_SWEEP_STOP] = "GC sweep termination",
	[NAME_MARK_STOP] = "GC mark termination",
	[NAME_ASSIST] = "GC mark assist wait for work",
	[NAME_LOCK] = "sync.(*Mutex).Lock",
	[NAME_UNLOCK] = "sync.(*Mutex).Unlock",
	[NAME_READ] = "net.(*conn).Read",
	[NAME_ALLOCATE] = "runtime.mallocgc",
	[NAME_ROOT] = "main.root",
};

/*
 * Kinds of stacks: one with a number has the frames named here, from the
 * innermost on, and function NUMBER in the place of the 0.
 */
enum { AT_FUNCTION, AT_LOCK, AT_UNLOCK, AT_READ, AT_ALLOCATE, AT_KINDS };

static const uint8_t at_frames[AT_KINDS][3] = {
	[AT_FUNCTION] = {0, NAME_COUNT, NAME_COUNT},
	[AT_LOCK] = {NAME_LOCK, 0, NAME_COUNT},
	[AT_UNLOCK] = {NAME_UNLOCK, 0, NAME_COUNT},
	[AT_READ] = {NAME_READ, 0, NAME_ROOT},
	[AT_ALLOCATE] = {NAME_ALLOCATE, 0, NAME_COUNT},
};

/* How many stacks of each kind the trace refers to, and names. */
static uint64_t stacks_of[AT_KINDS];
static uint64_t functions;

/* The sequence numbers of goroutines. */
static uint32_t sequences[BUILT_MAX / 4];

/* Function NUMBER, from 1 on. */
static uint64_t name_of(uint64_t number)
{
	if (number > functions)
		functions = number;
	return NAME_COUNT - 1 + number;
}

/* A stack of a kind. */
static uint64_t stack_at(unsigned kind, uint64_t number)
{
	name_of(number);
	if (number > stacks_of[kind])
		stacks_of[kind] = number;
	return number * AT_KINDS + kind;
}

static void put_stack_at(unsigned kind, uint64_t number, uint64_t depth)
{
	const uint8_t *frames = at_frames[kind];
	uint64_t count = 0, i;

	while (count < 3 && frames[count] != NAME_COUNT)
		count++;
	put(STACK, 2, stack_at(kind, number), count + depth);
	for (i = 0; i < count + depth; i++) {
		uint64_t name = name_of(number);

		if (i >= count)
			name = name_of(1 + i);
		else if (frames[i] != 0)
			name = frames[i];
		put_value(1000 + name);
		put_value(name);
		put_value(NAME_ROOT);
		put_value(7);
	}
	split_records(STACKS);
}

/* The stacks, with DEPTH more frames each, and the names. */
static void put_references(uint64_t depth)
{
	unsigned kind;
	uint64_t i;

	begin_records(STACKS);
	for (kind = 0; kind < AT_KINDS; kind++)
		for (i = 1; i <= stacks_of[kind]; i++)
			put_stack_at(kind, i, depth);
	end_batch();
	begin_records(STRINGS);
	for (i = 1; i < NAME_COUNT; i++)
		put_string(i, fixed_names[i]);
	for (i = 1; i <= functions; i++) {
		char text[32];

		snprintf(text, sizeof(text), "main.f%x", (unsigned)i);
		put_string(name_of(i), text);
		split_records(STRINGS);
	}
	end_batch();
}

/* Whether PART eighths have been built, with what the tables will take. */
static int is_full_with(unsigned part, uint64_t depth)
{
	size_t size = functions * 14;
	unsigned kind;

	for (kind = 0; kind < AT_KINDS; kind++)
		size += stacks_of[kind] * (20 + 7 * depth);
	split_batch();
	return built.size + size >= wanted / 8 * part;
}

/* ---------------------------------------------------------------- events -- */

#define DT 100

static void create(uint64_t g, uint64_t function)
{
	sequences[g] = 0;
	put(GO_CREATE, 4, DT, g,
	    function != 0 ? stack_at(AT_FUNCTION, function) : 0, 0);
	split_batch();
}

static void start(uint64_t g)
{
	put(GO_START, 3, DT, g, ++sequences[g]);
	split_batch();
}

static void unblock(uint64_t g, uint64_t stack)
{
	put(GO_UNBLOCK, 4, DT, g, ++sequences[g], stack);
	split_batch();
}

static void block_at(uint64_t reason, uint64_t stack)
{
	put(GO_BLOCK, 3, DT, reason, stack);
	split_batch();
}

static void preempt(void)
{
	put(GO_STOP, 3, DT, NAME_PREEMPTED, 0);
	split_batch();
}

/* Goroutine 1 runs on processor 0. */
static void begin_reports(void)
{
	memset(stacks_of, 0, sizeof(stacks_of));
	memset(sequences, 0, sizeof(sequences));
	functions = 0;
	begin_thread(1, 0, 1, 100);
	put(PROCS_CHANGE, 3, DT, 1, 0);
}

static void end_reports(uint64_t depth)
{
	end_batch();
	put_references(depth);
}

/* Another goroutine preempts goroutine 1, which runs again after that. */
static void run_again(void)
{
	preempt();
	start(1);
}

/* ---------------------------------------------------------------- blocks -- */

/*
 * Goroutine 1 is blocked at a lock, each time somewhere else, and goroutine 2
 * unblocks it, in a function of as many.
 */
static void put_locks(const struct kind *kind)
{
	uint64_t places = kind->names != 0 ? kind->names : UINT64_MAX;
	uint64_t enders = kind->factor != 0 ? kind->factor : UINT64_MAX;
	uint64_t round = 0;

	begin_reports();
	create(2, 1);
	while (!is_full_with(8, kind->frames)) {
		round++;
		block_at(NAME_SYNC, stack_at(AT_LOCK, 1 + round % places));
		start(2);
		unblock(1, stack_at(AT_UNLOCK, 1 + round % enders));
		preempt();
		start(1);
	}
	end_reports(kind->frames);
}

/* Goroutines wait for a lock, and each that gets it lets the next one go on. */
static void put_lock_chain(const struct kind *kind)
{
	uint64_t last = wanted / (kind->names != 0 ? 75 : 45), g, round;
	uint64_t place = 1;

	begin_reports();
	for (g = 2; g < last; g++)
		create(g, 1);
	block_at(NAME_SLEEP, 0);
	for (g = 2; g < last; g++) {
		start(g);
		place = kind->names != 0 ? g : 1;
		block_at(NAME_SYNC, stack_at(AT_LOCK, place));
	}
	for (round = 0; round < 2; round++) {
		unblock(2, 0);
		for (g = 2; g + 1 < last; g++) {
			place = kind->names != 0 ? g : 1;
			start(g);
			unblock(g + 1, stack_at(AT_UNLOCK, place));
			block_at(NAME_SYNC, stack_at(AT_LOCK, place));
		}
		start(g);
		block_at(NAME_SYNC, stack_at(AT_LOCK, place));
	}
	end_reports(0);
}

/* ----------------------------------------------------------------- waits -- */

/* Goroutines that are ready all the time, while another one runs. */
static void put_ready(const struct kind *kind)
{
	uint64_t g = 1;

	(void)kind;
	begin_reports();
	while (!is_full_with(4, 0))
		create(++g, 1);
	while (!is_full_with(8, 0))
		run_again();
	end_reports(0);
}

/* As many threads hold a processor, and do nothing. */
static void put_held(size_t size)
{
	uint64_t m = 10;

	while (built.size < size) {
		begin_batch(++m, 100);
		put(PROC_STATUS, 3, 1, m, 1);
		end_batch();
	}
}

/*
 * Goroutines, which become ready together, run one after the other. Meanwhile
 * threads hold processors, or have slices: those of the number.
 */
static void put_waits(const struct kind *kind)
{
	uint64_t last, g;

	if (kind->number == 1)
		put_held(wanted / 3);
	for (g = 10; kind->number == 2 && built.size < wanted / 3; g++) {
		begin_thread(g, g, wanted + g, 100 + g);
		end_batch();
	}
	begin_reports();
	last = 2 + wanted / 20;
	for (g = 2; g < last; g++)
		create(g, 1);
	block_at(NAME_SLEEP, 0);
	for (g = 2; g < last; g++) {
		start(g);
		put(GO_DESTROY, 1, DT);
	}
	end_reports(0);
}

/* Slices of many threads, which end one after the other or together. */
static void put_ends(uint64_t step, uint64_t from, uint64_t until)
{
	uint64_t m;

	for (m = 10; built.size < wanted / 3; m++) {
		begin_thread(m, m, wanted + m, from);
		put(GO_BLOCK, 3, until + m * step, NAME_SLEEP, 0);
		end_batch();
	}
}

/*
 * Goroutines that wait while slices of many threads end: longer ones first if
 * the number is 1, at one time if it is 0.
 */
static void put_kept(const struct kind *kind)
{
	uint64_t last = 2 + wanted / 24, g;

	put_ends(kind->number, 100, 2 * DT * (uint64_t)BUILT_MAX);
	begin_reports();
	for (g = 2; g < last; g++)
		create(g, 1);
	block_at(NAME_SLEEP, 0);
	end_batch();
	begin_batches(1, 200 + 4 * DT * (uint64_t)BUILT_MAX);
	for (g = 2; g < last; g++) {
		start(g);
		put(GO_DESTROY, 1, DT);
	}
	end_reports(0);
}

/* -------------------------------------------------------------- requests -- */

/* Tasks, or regions inside each other, then something, then their ends. */
static void put_spans(const struct kind *kind)
{
	bool tasks = kind->number == 1, distinct = kind->names == 0;
	unsigned part = kind->factor != 0 ? 3 : 4;
	uint64_t count = 0, i;

	begin_reports();
	create(2, 0);
	while (!is_full_with(part, 0)) {
		uint64_t name = name_of(distinct ? count + 1 : 1);

		count++;
		if (tasks)
			put(TASK_BEGIN, 5, DT, count, 0, name, 0);
		else
			put(REGION_BEGIN, 4, DT, 0, name, 0);
	}
	for (i = 1; kind->factor != 0 && !is_full_with(6, 0); i++) {
		if (kind->factor == 1) {
			run_again();
			continue;
		}
		block_at(NAME_SYNC, stack_at(AT_LOCK, i));
		start(2);
		unblock(1, 0);
		preempt();
		start(1);
	}
	for (i = count; i > 0; i--) {
		if (tasks)
			put(TASK_END, 3, DT, i, 0);
		else
			put(REGION_END, 4, DT, 0, name_of(distinct ? i : 1), 0);
		split_batch();
	}
	end_reports(0);
}

/* Regions that end at once, each with a name of its own. */
static void put_regions(const struct kind *kind)
{
	uint64_t i;

	(void)kind;
	begin_reports();
	for (i = 1; !is_full_with(8, 0); i++) {
		put(REGION_BEGIN, 4, DT, 0, name_of(i), 0);
		put(REGION_END, 4, DT, 0, name_of(i), 0);
	}
	end_reports(0);
}

/* Goroutine 2 reads at many places, then at them again. */
static void put_loops(const struct kind *kind)
{
	uint64_t places = wanted / 64, i;

	(void)kind;
	begin_reports();
	create(2, 1);
	block_at(NAME_SLEEP, 0);
	start(2);
	for (i = 0; i < 2 * places; i++) {
		block_at(NAME_NETWORK, stack_at(AT_READ, 1 + i % places));
		unblock(2, 0);
		start(2);
	}
	end_reports(0);
}

/* Goroutines with functions of their own, each of which loops. */
static void put_servers(const struct kind *kind)
{
	uint64_t g = 1, i;

	begin_reports();
	block_at(NAME_SLEEP, 0);
	while (!is_full_with(8, 0)) {
		g++;
		create(g, kind->names != 0 ? 1 : g);
		start(g);
		for (i = 0; i < kind->number; i++) {
			block_at(NAME_NETWORK,
				 stack_at(AT_READ, kind->names != 0 ? 1 : g));
			unblock(g, 0);
			start(g);
		}
		if (kind->factor == 0)
			put(GO_DESTROY, 1, DT);
		else
			block_at(NAME_SLEEP, 0);
	}
	end_reports(0);
}

#endif /* GTRACE_TESTS_V2_HOSTILE_REPORTS_H_ */
