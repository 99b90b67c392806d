/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostile.h - traces of a wanted size that are made so that some table, list or
 * search may become long. Only a test includes it, after cmocka.h.
 */
#ifndef GTRACE_TESTS_V2_HOSTILE_H_
#define GTRACE_TESTS_V2_HOSTILE_H_

#include <stdbool.h>

#define BUILT_MAX (1 << 21)

#include "tests/v2/builder.h"

/* Batches are ended after about this many bytes. */
#define BATCH_FULL 50000

/* Values that stand for the number of the round, from 1, and for a stack. */
#define N (UINT64_MAX - 1)
#define S (UINT64_MAX - 2)

#define FEW_STACKS 100

#define VALUES 5

struct line {
	uint8_t type; /* 0: none */
	uint8_t count;
	uint64_t values[VALUES];
};

/* A kind of traces. What is not set is 0. */
struct kind {
	const char *name;
	void (*build)(const struct kind *kind);
	unsigned version; /* 0: the last one */
	int partial;
	bool fails;   /* it is in error */
	bool limited; /* the time grows faster, but larger ones are refused */
	bool ordered; /* it takes long to order the events, for all reports */
	uint64_t number; /* a parameter of build */
	/* Of put_rounds(): */
	struct line first, again[3], back;
	/* Of put_tables(). As many names and stacks as rounds, but: */
	size_t per_round; /* bytes of the trace */
	uint64_t names;   /* not 0: so many */
	bool few_stacks;
	uint64_t frames;
	size_t length;   /* of a name */
	uint64_t factor; /* of program counters */
};

static size_t wanted; /* size of the trace that is built */

static uint64_t batch_m;
static uint64_t batch_time;

/* --------------------------------------------------------------- batches -- */

static void begin_batches(uint64_t m, uint64_t time)
{
	batch_m = m;
	batch_time = time;
	begin_batch(m, time);
}

/* If a batch is long, begins another one of its thread. */
static void split_batch(void)
{
	if (built.size - built.batch <= BATCH_FULL)
		return;
	end_batch();
	/* Stops that come before their time remain there. */
	if (batch_time != 1)
		batch_time += 10000000;
	begin_batch(batch_m, batch_time);
}

/* Whether PART eighths of the trace have been built. */
static int is_full(unsigned part)
{
	split_batch();
	return built.size >= wanted / 8 * part;
}

static void put_thread(uint64_t p, uint64_t g)
{
	put(PROC_STATUS, 3, 1, p, 1);
	put(GO_STATUS, 4, 1, g, batch_m, 2);
}

static void begin_thread(uint64_t m, uint64_t p, uint64_t g, uint64_t time)
{
	begin_batches(m, time);
	put_thread(p, g);
}

static void begin_records(uint8_t type)
{
	begin_batch(NONE, 95);
	put_byte(type);
}

/* If a batch of records of TYPE is long, begins another one. */
static void split_records(uint8_t type)
{
	if (built.size - built.batch <= BATCH_FULL)
		return;
	end_batch();
	begin_records(type);
}

/* ---------------------------------------------------------------- tables -- */

/* COUNT strings of LENGTH or more: their numbers and a filling. */
static void put_names(uint64_t count, size_t length)
{
	uint64_t i;
	size_t k;

	begin_records(STRINGS);
	for (i = 1; i <= count; i++) {
		char text[1024];
		size_t size = (size_t)snprintf(text, sizeof(text), "main.%x",
					       (unsigned)i);

		for (k = size; k < length; k++)
			text[k] = '<';
		text[k] = '\0';
		put_string(i, text);
		split_records(STRINGS);
	}
	end_batch();
}

static void put_frames(const struct kind *kind, uint64_t stacks, uint64_t names)
{
	uint64_t i, k;

	begin_records(STACKS);
	for (i = 1; i <= stacks; i++) {
		put(STACK, 2, i, kind->frames);
		for (k = 0; k < kind->frames; k++) {
			put_value(5 + (i * kind->frames + k) * kind->factor);
			put_value((i + k) % names + 1);
			put_value((i + k + 7) % names + 1);
			put_value(i);
		}
		split_records(STACKS);
	}
	end_batch();
}

static void put_line(const struct line *line, uint64_t round)
{
	unsigned i;

	if (line->type == 0)
		return;
	put_byte(line->type);
	for (i = 0; i < line->count; i++)
		put_value(line->values[i] == N   ? round
			  : line->values[i] == S ? round % FEW_STACKS + 1
						 : line->values[i]);
}

static void put_again(const struct kind *kind, uint64_t round)
{
	unsigned i;

	for (i = 0; i < 3; i++)
		put_line(&kind->again[i], round);
}

/* ----------------------------------------------------------------- kinds -- */

/*
 * The first event of a goroutine that runs, then rounds of some, with numbers
 * after that of the kind, and then, for each round, an event that undoes it. If
 * there are names, one for each round.
 */
static void put_rounds(const struct kind *kind)
{
	unsigned part = kind->back.type != 0 || kind->names != 0 ? 4 : 8;
	uint64_t round = kind->number, rounds;

	begin_thread(1, 0, 1, 100);
	put_line(&kind->first, 0);
	while (!is_full(part))
		put_again(kind, ++round);
	rounds = round;
	for (; kind->back.type != 0 && round > kind->number; round--) {
		put_line(&kind->back, round);
		split_batch();
	}
	end_batch();
	if (kind->names != 0)
		put_names(rounds, 0);
}

/* Rounds, one for so many bytes of the trace, with names and stacks. */
static void put_tables(const struct kind *kind)
{
	uint64_t rounds = wanted / kind->per_round, round;
	uint64_t names = kind->names != 0 ? kind->names : rounds;

	begin_thread(1, 0, 1, 100);
	put_line(&kind->first, 1);
	for (round = 1; round < rounds && kind->again[0].type != 0; round++) {
		put_again(kind, round);
		split_batch();
	}
	end_batch();
	put_names(names, kind->length);
	if (kind->frames != 0)
		put_frames(kind, kind->few_stacks ? FEW_STACKS : rounds, names);
}

/* The next id that has a small product with 2^32 / golden ratio. */
static uint64_t next_colliding(uint64_t id)
{
	do
		id++;
	while ((uint32_t)(id * 0x9e3779b9u) >= (uint32_t)1 << 27);
	return id;
}

/* Ids that are so far apart, or if that is 0, that collide. */
static uint64_t next_id(const struct kind *kind, uint64_t id)
{
	return kind->number != 0 ? id + kind->number : next_colliding(id);
}

static void put_goroutines(const struct kind *kind)
{
	uint64_t id = 1;

	begin_thread(1, 0, 1, 100);
	while (!is_full(8))
		put(GO_CREATE, 4, 1, id = next_id(kind, id), 0, 0);
	end_batch();
}

/* In each of the short batches, an event of four bytes. */
static void put_threads(const struct kind *kind)
{
	uint64_t id = 0;

	while (built.size < wanted) {
		id = next_id(kind, id);
		put(BATCH, 4, built.generation, id, 100, 4);
		put(PROC_STATUS, 3, 1, 0, 2);
	}
}

static void put_processors(const struct kind *kind)
{
	uint64_t id = 0;

	begin_batches(1, 100);
	while (!is_full(8))
		put(PROC_STATUS, 3, 1, id = next_id(kind, id), 2);
	end_batch();
}

/* Each thread waits for the next one, so much later. */
static void put_chain(const struct kind *kind)
{
	uint64_t i = 0;

	while (built.size < wanted) {
		i++;
		begin_batch(i, 2000 + i * kind->number);
		put(GO_UNBLOCK, 4, 0, i, 1, 0);
		if (i > 1)
			put(GO_STATUS, 4, 0, i - 1, NONE, 4);
		end_batch();
	}
	begin_batch(i + 1, 2001 + i * kind->number);
	put(GO_STATUS, 4, 0, i, NONE, 4);
	end_batch();
}

/*
 * Threads start a processor in turn, the last one first if the number is 0, and
 * all at one time if it is 2.
 */
static void put_turns(const struct kind *kind)
{
	uint64_t count = wanted / 30, i;

	begin_batch(count + 1, 100);
	put(PROC_STATUS, 3, 0, 0, 2);
	end_batch();
	for (i = 1; i <= count; i++) {
		begin_batch(i, kind->number == 2 ? 3000 : 3000 + i);
		put(PROC_START, 3, 0, 0, kind->number != 0 ? i : count + 1 - i);
		put(PROC_STOP, 1, 0);
		end_batch();
	}
}

/* Threads wait for a goroutine that does not become ready for all of them. */
static void put_waiters(const struct kind *kind)
{
	uint64_t i = 0;

	(void)kind;
	while (built.size < wanted) {
		begin_batch(++i, 200);
		put(PROC_STATUS, 3, 1, i, 2);
		put(GO_UNBLOCK, 4, 1, 7, wanted - i, 0);
		end_batch();
	}
	begin_batch(i + 1, 300);
	put(GO_STATUS, 4, 1, 7, NONE, 4);
	end_batch();
}

/* Threads whose events are missing. So many start a goroutine, too. */
static void put_missing(const struct kind *kind)
{
	uint64_t i = 0;

	while (built.size < wanted) {
		i++;
		begin_batch(i, 100 + i);
		put(PROC_START, 3, 1, i, 5);
		if (kind->number != 0) {
			put(GO_START, 3, 1, i, 5);
			put(PROC_START, 3, 1, i, 9);
		}
		end_batch();
	}
}

/* Stops whose requests come, as written, before thousands of give-ups. */
static void put_stops_back(const struct kind *kind)
{
	begin_batches(2, 1000);
	put(PROC_STATUS, 3, 1, 1, 2);
	while (!is_full(4)) {
		put(PROC_STATUS, 3, 1, 1, 2);
		put(PROC_START, 3, 1, 1, 1);
		put(PROC_STOP, 1, 1);
	}
	end_batch();
	begin_thread(1, 0, 1, 1);
	while (!is_full(8))
		put_again(kind, 1);
	end_batch();
}

/* Stops of a world of many processors, which are given up in part. */
static void put_stops_of_many(const struct kind *kind)
{
	uint64_t p = 0;

	begin_batches(2, 100);
	while (!is_full(4)) {
		put(PROC_STATUS, 3, 1, ++p, 1);
		if (kind->number != 0)
			put(PROC_STOP, 1, 1);
	}
	end_batch();
	begin_thread(1, 0, 1, 200);
	while (!is_full(8))
		put_again(kind, 1);
	end_batch();
}

/* Processors in system calls that are abandoned; all look for the last one. */
static void put_abandoned(const struct kind *kind)
{
	uint64_t p = 10;

	(void)kind;
	while (built.size < wanted / 2) {
		begin_batch(++p, 100);
		put(PROC_STATUS, 3, 1, p, 3);
		end_batch();
	}
	begin_batches(3, 200);
	while (!is_full(8))
		put(PROC_STATUS, 3, 1, p, 4);
	end_batch();
}

static void put_collections(const struct kind *kind)
{
	uint64_t number = 0;

	(void)kind;
	begin_thread(1, 0, 1, 100);
	while (!is_full(8)) {
		put(GC_BEGIN, 3, 1, ++number, 0);
		put(GC_END, 2, 1, ++number);
	}
	end_batch();
}

/* CPU samples, so far apart, modulo a prime. */
static void put_samples(const struct kind *kind)
{
	uint64_t i = 0;

	begin_records(SAMPLES);
	while (built.size < wanted) {
		put(SAMPLE, 5, 2000 + ++i * kind->number % 1000003, 1, 0, 1, 0);
		split_records(SAMPLES);
	}
	end_batch();
}

/* Batches without events, of so many threads. */
static void put_empty_batches(const struct kind *kind)
{
	uint64_t m = 0;

	while (built.size < wanted) {
		begin_batch(1 + ++m % kind->number, 100);
		end_batch();
	}
}

static void put_experiments(const struct kind *kind)
{
	(void)kind;
	while (built.size < wanted) {
		put_byte(EXPERIMENT);
		put(1, 4, 1, 1, 5, 3);
		put(1, 2, 2, 3);
	}
}

/* Many threads, each with a processor and a goroutine that runs. */
static void put_running(const struct kind *kind)
{
	uint64_t i = 0;

	while (built.size < wanted / (kind->number != 0 ? 2 : 1)) {
		i++;
		begin_thread(i, i, i, 100 + i);
		put_line(&kind->first, i);
		end_batch();
	}
}

/* Many threads, each with a processor. */
static void put_threads_that_last(void)
{
	uint64_t i = 0;

	while (built.size < wanted / 2) {
		i++;
		begin_batch(i, 100 + i);
		put(PROC_STATUS, 3, 1, i, 1);
		end_batch();
	}
}

static void put_goroutines_that_last(void)
{
	uint64_t i = 0;

	begin_batches(1, 100);
	while (!is_full(4))
		put(GO_STATUS, 4, 1, ++i, NONE, 4);
	end_batch();
}

/* Generations, the first one with much that lasts. */
static void put_generations(const struct kind *kind)
{
	uint64_t time = 10000000;

	if (kind->number == 1)
		put_running(kind);
	else if (kind->number == 2)
		put_threads_that_last();
	else if (kind->number == 3)
		put_goroutines_that_last();
	while (built.size < wanted) {
		end_generation();
		put_clock(1000000000);
		if (kind->number == 1) {
			begin_thread(1, 1, 1, time += 1000);
			end_batch();
		} else if (kind->number == 3) {
			begin_batch(1, time += 1000);
			put(GO_STATUS, 4, 1, 1, NONE, 4);
			end_batch();
		}
	}
}

#endif /* GTRACE_TESTS_V2_HOSTILE_H_ */
