/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain_made.h - transitions that are made up, for chain_test.c, which includes
 * this after cmocka.h.
 */
#ifndef GTRACE_TESTS_ANALYSIS_CHAIN_MADE_H_
#define GTRACE_TESTS_ANALYSIS_CHAIN_MADE_H_

#include <string.h>

#include "analysis/paths.h"
#include "tests/model.h"

#define NUMBERS 20  /* goroutines; the last two are of threads of C */
#define STEPS   260 /* transitions */
#define RUNNING 3   /* at a time */
#define STACKS  40
#define NONE    UINT32_MAX
#define ORIGIN  4 /* where there is one */

/* A transition of the model. */
struct record {
	int64_t at;
	unsigned kind;
	unsigned g, by; /* numbers; 0: none */
	unsigned stack; /* 0: none */
	uint64_t arg;   /* of a creation a stack, of a block a reason */
	unsigned flags;
};

/* A goroutine is in a state, from a record to another one. */
struct period {
	int64_t from;
	enum chain_state state;
	unsigned stack; /* of the event that began it */
	enum gtrace_block_kind kind;
	size_t begin, end; /* records; SIZE_MAX: none */
	bool ended;
};

static struct model {
	uint64_t random;
	bool is_v1;
	struct record records[4 * STEPS];
	size_t count;
	int64_t now;
	/* Of goroutines as they are made up. */
	enum chain_state state[NUMBERS + 1];
	bool assists[NUMBERS + 1];
	bool reuses; /* numbers, also those that are not of threads of C */
	bool used[NUMBERS + 1];
	unsigned running;
	/* By goroutine, in order. */
	struct period periods[NUMBERS + 1][4 * STEPS];
	size_t period_count[NUMBERS + 1];
	uint64_t generation; /* of handles */
} m;

/* ---------------------------------------------------------------- stacks -- */

/* What a stack is for an event that ends a block. */
static enum by by_of(unsigned stack)
{
	static const enum by all[] = {BY_RUNTIME, BY_SYSTEM, BY_TIMER,
				      BY_NETWORK};

	return stack != 0 && stack % 9 < 4 ? all[stack % 9] : BY_GOROUTINE;
}

static enum gtrace_block_kind kind_of(unsigned stack, uint64_t reason)
{
	unsigned kind = (unsigned)(stack + 2 * reason) % GTRACE_BLOCK_KINDS;

	return kind == GTRACE_BLOCK_SYSCALL ? GTRACE_BLOCK_LOCK
					    : (enum gtrace_block_kind)kind;
}

/* A handle is that of another stack in the next generation. */
static bool describe(void *context, const struct site_key *key,
		     struct site *site)
{
	unsigned stack = (unsigned)(key->stack % 1000);

	(void)context;
	if (key->stack != 0)
		assert_int_equal(key->stack / 1000, m.generation);
	*site = (struct site){
		.stack = stack != 0 ? stack : NO_STACK,
		.kind = (uint8_t)kind_of(stack, key->reason),
		.by = (uint8_t)by_of(stack),
	};
	return true;
}

/* ------------------------------------------------------------- transitions --
 */

static unsigned below(unsigned limit)
{
	return (unsigned)random_below(&m.random, limit);
}

static unsigned random_stack(void)
{
	return below(4) == 0 ? 0 : 1 + below(STACKS);
}

static void record(unsigned kind, unsigned g, unsigned by, unsigned stack,
		   uint64_t arg)
{
	m.records[m.count++] =
		(struct record){m.now, kind, g, by, stack, arg, 0};
	m.used[g] = true;
}

static bool is_of_c(unsigned g)
{
	return g > NUMBERS - 2;
}

/* A goroutine in STATE, or 0. One that is absent can be created. */
static unsigned one_in(enum chain_state state)
{
	unsigned first = below(NUMBERS), i, g;

	for (i = 0; i < NUMBERS; i++) {
		g = 1 + (first + i) % NUMBERS;
		if (m.state[g] != state)
			continue;
		if (state != CHAIN_ABSENT || m.reuses || !m.used[g] ||
		    is_of_c(g))
			return g;
	}
	return 0;
}

/* G, which ran, is in STATE. */
static void stop(unsigned g, enum chain_state state)
{
	m.state[g] = state;
	m.running--;
}

static void start(unsigned g)
{
	record(TRANSITION_START, g, 0, 0, 0);
	m.state[g] = CHAIN_RUNS;
	m.running++;
}

/* Something that no goroutine does. */
static void step_alone(void)
{
	unsigned ready = one_in(CHAIN_READY), blocked = one_in(CHAIN_BLOCKED);
	unsigned call = one_in(CHAIN_IN_CALL), absent = one_in(CHAIN_ABSENT);

	if (ready != 0 && m.running < RUNNING && below(2) == 0) {
		start(ready);
	} else if (call != 0 && is_of_c(call) && below(2) == 0) {
		record(TRANSITION_END_IN_CALL, call, call, 0, 0);
		m.state[call] = CHAIN_ABSENT;
		m.assists[call] = false;
	} else if (call != 0 && !m.is_v1 && m.running < RUNNING &&
		   below(2) == 0) {
		record(TRANSITION_RETURN, call, call, 0, 0);
		m.state[call] = CHAIN_RUNS;
		m.running++;
	} else if (call != 0 && below(2) == 0) {
		record(TRANSITION_RETURN_READY, call, m.is_v1 ? 0 : call, 0, 0);
		m.state[call] = CHAIN_READY;
	} else if (blocked != 0 && below(3) == 0) {
		record(TRANSITION_READY, blocked, 0, random_stack(), 0);
		m.state[blocked] = CHAIN_READY;
	} else if (absent != 0 && is_of_c(absent) && !m.is_v1) {
		record(TRANSITION_CREATE_IN_CALL, absent, 0, 0, 0);
		m.state[absent] = CHAIN_IN_CALL;
	} else if (absent != 0 && !is_of_c(absent) && below(3) == 0) {
		record(TRANSITION_CREATE, absent, 0, random_stack(),
		       random_stack());
		m.state[absent] = CHAIN_READY;
	}
}

/* G, which runs, acts on another goroutine. Returns whether there is one. */
static bool act_on(unsigned g)
{
	unsigned blocked = one_in(CHAIN_BLOCKED), absent = one_in(CHAIN_ABSENT);

	if (blocked != 0 && below(3) != 0) {
		record(TRANSITION_READY, blocked, g, random_stack(), 0);
		m.state[blocked] = CHAIN_READY;
		return true;
	}
	if (absent == 0 || is_of_c(absent))
		return false;
	if (below(4) == 0 && !m.is_v1) {
		record(TRANSITION_CREATE_BLOCKED, absent, g, random_stack(),
		       random_stack());
		m.state[absent] = CHAIN_BLOCKED;
	} else {
		record(TRANSITION_CREATE, absent, g, random_stack(),
		       random_stack());
		m.state[absent] = CHAIN_READY;
	}
	return true;
}

/* G makes another goroutine run in its place. */
static void switch_from(unsigned g)
{
	unsigned blocked = one_in(CHAIN_BLOCKED);

	if (blocked == 0)
		return;
	record(TRANSITION_READY, blocked, g, 0, 0);
	m.now += below(2);
	record(TRANSITION_BLOCK, g, g, 0, below(4));
	stop(g, CHAIN_BLOCKED);
	m.now += below(2);
	start(blocked);
}

/* In v1 a call keeps its processor, or the next event says that it does not. */
static void call_from(unsigned g)
{
	record(TRANSITION_CALL, g, g, random_stack(), 0);
	if (m.is_v1)
		m.records[m.count - 1].flags = TRANSITION_MAY_BE_CALL;
	if (m.is_v1 && below(2) == 0)
		return;
	if (m.is_v1) {
		m.now += below(3);
		record(TRANSITION_LOSE, g, g, 0, 0);
	}
	stop(g, CHAIN_IN_CALL);
}

/* Goroutine G, which runs, does something. */
static void step_of(unsigned g)
{
	switch (below(12)) {
	case 0:
	case 1:
		record(TRANSITION_BLOCK, g, g, random_stack(), below(4));
		stop(g, CHAIN_BLOCKED);
		break;
	case 2:
		record(TRANSITION_PREEMPT, g, g, random_stack(), 0);
		stop(g, CHAIN_READY);
		break;
	case 3:
		call_from(g);
		break;
	case 4:
		switch_from(g);
		break;
	case 5:
		if (is_of_c(g))
			break;
		record(TRANSITION_END, g, g, 0, 0);
		stop(g, CHAIN_ABSENT);
		m.assists[g] = false;
		break;
	case 6:
		record(m.assists[g] ? TRANSITION_ASSIST_END : TRANSITION_ASSIST,
		       g, g, m.assists[g] ? 0 : random_stack(), 0);
		m.assists[g] = !m.assists[g];
		break;
	case 7:
		record(TRANSITION_OTHER, g, g, 1 + below(STACKS), 0);
		break;
	case 8:
		record(TRANSITION_HEAP, g, g, 0, below(4));
		break;
	default:
		act_on(g);
		break;
	}
}

/* How goroutines have been, in v2 since the origin. */
static void tell_statuses(void)
{
	static const enum goroutine_state told[] = {
		GOROUTINE_READY, GOROUTINE_RUNS, GOROUTINE_IN_CALL,
		GOROUTINE_BLOCKED};
	static const enum chain_state states[] = {CHAIN_READY, CHAIN_RUNS,
						  CHAIN_IN_CALL, CHAIN_BLOCKED};
	unsigned g, i;

	for (g = 1; g <= NUMBERS / 2; g++) {
		i = below(4);
		if (i == 1 && m.running == RUNNING)
			i = 0;
		record(TRANSITION_STATUS, g, one_in(CHAIN_RUNS), random_stack(),
		       told[i]);
		m.records[m.count - 1].flags = TRANSITION_FIRST;
		m.running += i == 1;
		m.state[g] = states[i];
		m.now += below(2);
	}
}

static void make_up(bool is_v1)
{
	unsigned g, i;

	m.count = 0;
	m.now = ORIGIN;
	m.running = 0;
	m.is_v1 = is_v1;
	memset(m.assists, 0, sizeof(m.assists));
	memset(m.used, 0, sizeof(m.used));
	for (g = 0; g <= NUMBERS; g++)
		m.state[g] = CHAIN_ABSENT;
	tell_statuses();
	/* All may have ended. */
	for (i = 0; i < 4 * STEPS && m.count < STEPS; i++) {
		g = one_in(CHAIN_RUNS);
		if (g == 0 || below(3) == 0)
			step_alone();
		else
			step_of(g);
		m.now += below(4) == 0 ? 0 : below(4);
	}
}

#endif /* GTRACE_TESTS_ANALYSIS_CHAIN_MADE_H_ */
