/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostile_kinds.h - the kinds of traces that are made so that some table, list
 * or search may become long. Only a test includes it, after cmocka.h.
 */
#ifndef GTRACE_TESTS_V2_HOSTILE_KINDS_H_
#define GTRACE_TESTS_V2_HOSTILE_KINDS_H_

#include <gtrace/gtrace.h>

#include "tests/v2/hostile_reports.h"

/* ------------------------------------------------------------- collector -- */

/* Whole collections, whose functions assist, each in another place. */
static void put_assisted(const struct kind *kind)
{
	uint64_t number = 0, i;

	(void)kind;
	begin_reports();
	for (i = 1; !is_full_with(8, 0); i++) {
		put(GC_BEGIN, 3, DT, ++number, stack_at(AT_FUNCTION, 1));
		put(STW_BEGIN, 3, DT, NAME_SWEEP_STOP, 0);
		put(STW_END, 1, DT);
		put(ASSIST_BEGIN, 2, DT, stack_at(AT_ALLOCATE, i));
		put(ASSIST_END, 1, DT);
		put(HEAP_ALLOC, 2, DT, i);
		put(STW_BEGIN, 3, DT, NAME_MARK_STOP, 0);
		put(GC_END, 2, DT, ++number);
		put(STW_END, 1, DT);
	}
	end_reports(0);
}

/* In one collection, goroutines assist and are parked, one beside the other. */
static void put_parked(const struct kind *kind)
{
	uint64_t g = 1, last;

	(void)kind;
	begin_reports();
	put(GC_BEGIN, 3, DT, 1, stack_at(AT_FUNCTION, 1));
	block_at(NAME_SLEEP, 0);
	while (!is_full_with(5, 0)) {
		g++;
		create(g, g);
		start(g);
		put(ASSIST_BEGIN, 2, DT, stack_at(AT_ALLOCATE, g));
		block_at(NAME_ASSIST, 0);
	}
	last = g;
	for (g = 2; g <= last; g++)
		unblock(g, 0);
	for (g = 2; g <= last; g++) {
		start(g);
		put(ASSIST_END, 1, DT);
		put(GO_DESTROY, 1, DT);
	}
	end_reports(0);
}

/* ------------------------------------------------------------------ time -- */

/* Slices with hours between them. */
static void put_hours(const struct kind *kind)
{
	uint64_t i;

	(void)kind;
	begin_reports();
	for (i = 1; !is_full_with(8, 0); i++) {
		put(GO_STOP, 3, 10000000000000, NAME_PREEMPTED,
		    stack_at(AT_FUNCTION, i));
		put(GO_START, 3, 1000000000000, 1, ++sequences[1]);
	}
	end_reports(0);
}

/* Generations, each with names and stacks and an event. */
static void put_named_generations(const struct kind *kind)
{
	uint64_t time = 1000, i;

	(void)kind;
	while (built.size < wanted) {
		begin_batch(1, time += 1000);
		put(PROC_STATUS, 3, 1, 0, 1);
		put(GO_STATUS, 4, 1, 1, 1, 2);
		end_batch();
		begin_records(STACKS);
		put(STACK, 6, 1, 1, 64, 2, 3, 5);
		end_batch();
		begin_records(STRINGS);
		put_string(1, "preempted");
		for (i = 2; i < 10; i++)
			put_string(i, "main.f");
		end_batch();
		end_generation();
		put_clock(1000000000);
	}
}

/* -------------------------------------------------------- before Go 1.22 -- */

/* A record with up to four values; the first of LIST is how many follow it. */
static void put_old_list(unsigned type, const uint64_t *list)
{
	size_t at = built.size++;
	uint64_t i;

	if (list[0] == 4)
		built.size++;
	for (i = 1; i <= list[0]; i++)
		put_value(list[i]);
	built.data[at] = (uint8_t)(type | (list[0] - 1) << 6);
	if (list[0] == 4)
		built.data[at + 1] = (uint8_t)(built.size - at - 2);
}

#define put_old(type, ...) put_old_list(type, (const uint64_t[]){__VA_ARGS__})

/* Goroutine 1 runs. */
static void begin_old(void)
{
	put_old(1, 2, 0, 1000);
	put_old(5, 2, 1, 7);
	put_old(13, 4, 1, 1, 1, 0);
	put_old(14, 3, 1, 1, 1);
}

static void put_old_goroutines(const struct kind *kind)
{
	uint64_t id = 2;

	begin_old();
	while (built.size < wanted)
		put_old(13, 4, 1, id = next_id(kind, id), 0, 0);
	put_old(2, 1, 1000000000);
}

/* Slices end in functions with very long names. */
static void put_old_names(const struct kind *kind)
{
	uint64_t i;

	(void)kind;
	begin_old();
	for (i = 0; i < 80; i++) {
		put_old(18, 2, 50 + i, 1);
		put_old(14, 3, 1, 1, 2 + i);
	}
	for (i = 1; i <= 4; i++) {
		put_byte(37);
		put_value(i);
		put_value(wanted / 4);
		memset(built.data + built.size, '<', wanted / 4);
		built.size += wanted / 4;
	}
	put_byte(3 | 3 << 6);
	put_value(2 + 4 * 4);
	put_value(1);
	put_value(4);
	for (i = 1; i <= 4; i++) {
		put_value(i);
		put_value(i);
		put_value(i % 4 + 1);
		put_value(i);
	}
	put_old(2, 1, 1000000000);
}

/* ----------------------------------------------------------------- kinds -- */

#define STOP_AT(dt)                                                            \
	{                                                                      \
		{STW_BEGIN, 3, {dt, 0, 0}}, {PROCS_CHANGE, 3, {dt, 4, 0}},     \
		{                                                              \
			STW_END, 1,                                            \
			{                                                      \
				dt                                             \
			}                                                      \
		}                                                              \
	}
#define STOP_OF_KIND(stack)                                                    \
	{                                                                      \
		{STW_BEGIN, 3, {1, N, stack}}, {PROCS_CHANGE, 3, {1, 4, 0}},   \
		{                                                              \
			STW_END, 1,                                            \
			{                                                      \
				1                                              \
			}                                                      \
		}                                                              \
	}
#define SLICE(length, stack)                                                   \
	{                                                                      \
		{GO_START, 3, {1, 1, N}},                                      \
		{                                                              \
			GO_STOP, 3,                                            \
			{                                                      \
				length, 0, stack                               \
			}                                                      \
		}                                                              \
	}
#define NO_SLICE                                                               \
	{                                                                      \
		GO_STOP, 3,                                                    \
		{                                                              \
			1, 0, 0                                                \
		}                                                              \
	}

static const struct kind kinds[] = {
	{"colliding ids", put_goroutines, .number = 0},
	{"ordinary ids", put_goroutines, .number = 1},
	{"multiples", put_goroutines, .number = (uint64_t)1 << 42},
	{"larger multiples", put_goroutines, .number = (uint64_t)1 << 43},
	{"colliding threads", put_threads, .number = 0},
	{"multiples of threads", put_threads, .number = (uint64_t)1 << 42},
	{"larger multiples of threads", put_threads,
	 .number = (uint64_t)1 << 43},
	{"colliding processors", put_processors, .number = 0},
	{"multiples of processors", put_processors,
	 .number = (uint64_t)1 << 42},
	{"larger multiples of processors", put_processors,
	 .number = (uint64_t)1 << 43},
	{"processors", put_processors, .number = 1},
	{"far processors", put_processors, .number = (uint64_t)1 << 32},
	{"waiting chain", put_chain, .number = 1},
	{"threads at one time", put_chain, .limited = true, .ordered = true},
	{"turns", put_turns, .number = 1},
	{"reverse turns", put_turns, .number = 0},
	{"turns at one time", put_turns, .number = 2, .ordered = true},
	{"waiters", put_waiters, .fails = true},
	{"missing", put_missing, .partial = GTRACE_PARTIAL_UNFINISHED},
	{"missing starts", put_missing, .partial = GTRACE_PARTIAL_UNFINISHED,
	 .number = 1},
	{"open kinds", put_rounds, .again = {{STW_BEGIN, 3, {1, N, 0}}},
	 .names = 1},
	{"kinds and ends", put_rounds, .again = {{STW_BEGIN, 3, {1, N, 0}}},
	 .back = {STW_END, 1, {1}}, .names = 1},
	{"stops of kinds", put_rounds, .again = STOP_OF_KIND(0), .names = 1},
	{"stops back", put_stops_back, .again = STOP_AT(0)},
	{"stops of many", put_stops_of_many, .again = STOP_AT(1)},
	{"stops of idle", put_stops_of_many, .again = STOP_AT(1), .number = 1},
	{"slices", put_rounds, .first = NO_SLICE, .again = SLICE(1, 0)},
	{"rising slices", put_rounds, .first = NO_SLICE, .again = SLICE(N, 0)},
	{"tasks", put_rounds, .again = {{TASK_BEGIN, 5, {1, N, 0, 0, 0}}},
	 .back = {TASK_END, 3, {1, N, 0}}},
	{"open tasks", put_rounds, .again = {{TASK_BEGIN, 5, {1, N, 0, 0, 0}}}},
	{"regions", put_rounds, .again = {{REGION_BEGIN, 4, {1, 1, 0, 0}}},
	 .back = {REGION_END, 4, {1, 1, 0, 0}}},
	{"open regions", put_rounds,
	 .again = {{REGION_BEGIN, 4, {1, 1, 0, 0}}}},
	{"created", put_rounds, .number = 1,
	 .again = {{GO_CREATE, 4, {1, N, 0, 0}}}},
	{"switches", put_rounds, .first = {GO_STATUS, 4, {1, 2, NONE, 4}},
	 .again = {{GO_SWITCH, 3, {1, 2, N}}, {GO_SWITCH, 3, {1, 1, N}}}},
	{"links", put_rounds, .again = {{GO_STATUS, 4, {1, 1, 1, 2}}}},
	{"collections", put_collections, .number = 0},
	{"abandoned", put_abandoned, .number = 0},
	{"samples", put_samples, .number = 1},
	{"reverse samples", put_samples, .number = 1000002},
	{"samples up and down", put_samples, .number = 7919},
	{"empty batches", put_empty_batches, .number = 1000},
	{"empty threads", put_empty_batches, .number = UINT32_MAX},
	{"experiments", put_experiments, .number = 0},
	{"running", put_running, .number = 0},
	{"slices of many", put_running, .first = NO_SLICE},
	{"generations", put_generations, .number = 0},
	{"old generations", put_generations, .version = 22},
	{"running generations", put_generations, .number = 1},
	{"generations of threads", put_generations, .number = 2},
	{"generations of goroutines", put_generations, .number = 3},
	{"names", put_tables, .per_round = 1003, .length = 1000},
	{"one pc", put_tables, .per_round = 520, .names = 1, .frames = 128},
	{"random pcs", put_tables, .per_round = 1560, .names = 1, .frames = 128,
	 .factor = 0x9e3779b97f4a7c15u},
	{"stacks", put_tables, .first = NO_SLICE, .again = SLICE(1, N),
	 .per_round = 700, .names = 100, .frames = 120, .factor = 1},
	{"functions", put_tables, .first = NO_SLICE, .again = SLICE(1, N),
	 .per_round = 40, .frames = 1, .factor = 1},
	{"long names", put_tables, .first = NO_SLICE, .again = SLICE(N, S),
	 .per_round = 1500, .length = 1000, .few_stacks = true, .frames = 128,
	 .factor = 1},
	{"long kinds", put_tables, .again = STOP_OF_KIND(S), .per_round = 1500,
	 .length = 1000, .few_stacks = true, .frames = 128, .factor = 1},
	{"places of blocks", put_locks, .number = 0},
	{"deep places of blocks", put_locks, .frames = 120},
	{"enders", put_locks, .names = 1},
	{"places of one ender", put_locks, .factor = 1},
	{"chain of locks", put_lock_chain, .number = 0},
	{"chain of places", put_lock_chain, .names = 1},
	{"ready goroutines", put_ready, .number = 0},
	{"waits", put_waits, .number = 0},
	{"waits and held processors", put_waits, .number = 1},
	{"waits and slices", put_waits, .number = 2},
	{"waits and ends of slices", put_kept, .number = 1},
	{"waits and slices that end together", put_kept, .number = 0},
	{"named tasks", put_spans, .number = 1},
	{"named regions", put_regions, .number = 0},
	{"nested regions", put_spans, .names = 1},
	{"named nested regions", put_spans, .number = 0},
	{"tasks and slices", put_spans, .number = 1, .names = 1, .factor = 1},
	{"regions and slices", put_spans, .names = 1, .factor = 1},
	{"regions and blocks", put_spans, .names = 1, .factor = 2},
	{"loops", put_loops, .number = 0},
	{"servers", put_servers, .number = 3},
	{"servers of one kind", put_servers, .number = 3, .names = 1},
	{"functions of goroutines", put_servers, .number = 0},
	{"functions that last", put_servers, .factor = 1},
	{"short lives", put_servers, .names = 1},
	{"goroutines that last", put_servers, .names = 1, .factor = 1},
	{"assists", put_assisted, .number = 0},
	{"parked assists", put_parked, .number = 0},
	{"hours", put_hours, .number = 0},
	{"named generations", put_named_generations, .number = 0},
	{"old colliding ids", put_old_goroutines, .version = 8},
	{"old multiples", put_old_goroutines, .version = 8,
	 .number = (uint64_t)1 << 42},
	{"larger old multiples", put_old_goroutines, .version = 8,
	 .number = (uint64_t)1 << 43},
	{"old names", put_old_names, .version = 8},
};

#endif /* GTRACE_TESTS_V2_HOSTILE_KINDS_H_ */
