/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain_model.h - the critical path moment by moment, from a list of all
 * transitions; for chain_test.c, which includes this after cmocka.h.
 */
#ifndef GTRACE_TESTS_ANALYSIS_CHAIN_MODEL_H_
#define GTRACE_TESTS_ANALYSIS_CHAIN_MODEL_H_

#include "tests/analysis/chain_made.h"

/* --------------------------------------------------------------- periods -- */

static struct period *last_period(unsigned g)
{
	return &m.periods[g][m.period_count[g] - 1];
}

/* Goroutine G is in STATE from the record NUMBER on. */
static struct period *begin_period(unsigned g, enum chain_state state,
				   size_t number)
{
	const struct record *by = &m.records[number];

	if (m.period_count[g] != 0)
		last_period(g)->end = number;
	m.periods[g][m.period_count[g]++] = (struct period){
		.from = by->at,
		.state = state,
		.stack = by->stack,
		.begin = number,
		.end = SIZE_MAX,
	};
	return last_period(g);
}

/* The stack of the mark assist that G is in after the record NUMBER; NONE. */
static unsigned assist_of(unsigned g, size_t number)
{
	unsigned stack = NONE;
	size_t i;

	for (i = 0; i <= number; i++) {
		const struct record *one = &m.records[i];

		if (one->g != g)
			continue;
		if (one->kind == TRANSITION_ASSIST)
			stack = one->stack;
		if (one->kind == TRANSITION_ASSIST_END ||
		    one->kind == TRANSITION_END ||
		    one->kind == TRANSITION_END_IN_CALL)
			stack = NONE;
	}
	return stack;
}

static void begin_running(unsigned g, size_t number)
{
	unsigned assist = assist_of(g, number);
	struct period *period = begin_period(g, CHAIN_RUNS, number);

	if (assist == NONE)
		return;
	period->state = CHAIN_ASSISTS;
	period->stack = assist;
}

static void begin_block(unsigned g, size_t number, uint64_t reason)
{
	struct period *period = begin_period(g, CHAIN_BLOCKED, number);

	period->kind = kind_of(period->stack, reason);
}

/* The next record of G's, its own or of it, after NUMBER is a loss. */
static bool is_call(unsigned g, size_t number)
{
	size_t i;

	for (i = number + 1; i < m.count; i++)
		if (m.records[i].g == g || m.records[i].by == g)
			return m.records[i].kind == TRANSITION_LOSE;
	return false;
}

static void take_status(size_t number)
{
	static const enum chain_state states[] = {
		[GOROUTINE_READY] = CHAIN_READY,
		[GOROUTINE_RUNS] = CHAIN_RUNS,
		[GOROUTINE_IN_CALL] = CHAIN_IN_CALL,
		[GOROUTINE_BLOCKED] = CHAIN_BLOCKED,
	};
	const struct record *one = &m.records[number];

	m.period_count[one->g] = 0;
	begin_period(one->g, CHAIN_UNKNOWN, number)->from = INT64_MIN;
	if (states[one->arg] == CHAIN_BLOCKED)
		begin_block(one->g, number, 0);
	else
		begin_period(one->g, states[one->arg], number);
	if (!m.is_v1)
		last_period(one->g)->from = ORIGIN;
}

static void take_record(size_t number)
{
	const struct record *one = &m.records[number];

	switch (one->kind) {
	case TRANSITION_STATUS:
		take_status(number);
		break;
	case TRANSITION_CREATE:
	case TRANSITION_READY:
	case TRANSITION_PREEMPT:
	case TRANSITION_RETURN_READY:
		begin_period(one->g, CHAIN_READY, number);
		break;
	case TRANSITION_CREATE_BLOCKED:
		begin_block(one->g, number, 0);
		break;
	case TRANSITION_CREATE_IN_CALL:
		begin_period(one->g, CHAIN_IN_CALL, number);
		break;
	case TRANSITION_START:
	case TRANSITION_RETURN:
	case TRANSITION_ASSIST:
	case TRANSITION_ASSIST_END:
		begin_running(one->g, number);
		break;
	case TRANSITION_BLOCK:
		begin_block(one->g, number, one->arg);
		break;
	case TRANSITION_CALL:
		if (one->flags == 0 || is_call(one->g, number))
			begin_period(one->g, CHAIN_IN_CALL, number);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		begin_period(one->g, CHAIN_ABSENT, number)->ended = true;
		break;
	default:
		break;
	}
}

static void find_periods(void)
{
	struct period *first;
	unsigned g;
	size_t i;

	for (g = 1; g <= NUMBERS; g++) {
		first = &m.periods[g][0];
		*first = (struct period){.from = INT64_MIN,
					 .state = CHAIN_ABSENT,
					 .begin = SIZE_MAX,
					 .end = SIZE_MAX};
		m.period_count[g] = 1;
	}
	for (i = 0; i < m.count; i++)
		take_record(i);
}

/* ----------------------------------------------------------------- chain -- */

/* A goroutine of the chain, and the period in which it is. */
struct link {
	unsigned g;
	size_t period;
};

struct moment {
	struct link links[STEPS];
	size_t count; /* the last one is the leaf */
	enum by by;   /* of a leaf that is blocked as no goroutine works */
	bool nobody;
};

static size_t period_at(unsigned g, int64_t t)
{
	size_t i = m.period_count[g];

	while (i > 1 && m.periods[g][i - 1].from > t)
		i--;
	return i - 1;
}

/* Who ended the block of PERIOD. */
static enum by who_ended(const struct period *period)
{
	const struct record *end = &m.records[period->end];
	enum by by;

	if (end->by == 0)
		return by_runtime(period->kind);
	by = by_of(end->stack);
	if (by == BY_TIMER)
		return BY_TIMER;
	if (by == BY_SYSTEM || period->kind == GTRACE_BLOCK_SLEEP ||
	    (period->kind == GTRACE_BLOCK_NETWORK && by != BY_NETWORK))
		return by_runtime(period->kind);
	return by == BY_RUNTIME ? BY_RUNTIME : BY_GOROUTINE;
}

/* The goroutine that comes after that in PERIOD; 0: none. */
static unsigned next_of(const struct period *period)
{
	const struct record *end;

	if (period->end == SIZE_MAX)
		return 0;
	end = &m.records[period->end];
	if (period->state == CHAIN_ABSENT)
		return end->kind != TRANSITION_CREATE_IN_CALL &&
				       by_of(end->stack) != BY_SYSTEM
			       ? end->by
			       : 0;
	if (period->state != CHAIN_BLOCKED ||
	    period->kind == GTRACE_BLOCK_NETWORK ||
	    period->kind == GTRACE_BLOCK_ASSIST ||
	    period->kind == GTRACE_BLOCK_COLLECTION ||
	    who_ended(period) != BY_GOROUTINE)
		return 0;
	return end->by;
}

static void find_chain(unsigned g, int64_t t, struct moment *to)
{
	const struct period *leaf;
	size_t i;

	*to = (struct moment){.count = 0};
	for (; g != 0; g = next_of(leaf)) {
		to->links[to->count++] = (struct link){g, period_at(g, t)};
		leaf = &m.periods[g][period_at(g, t)];
	}
	leaf = &m.periods[to->links[to->count - 1].g]
			 [to->links[to->count - 1].period];
	if (leaf->state != CHAIN_ABSENT || leaf->end == SIZE_MAX)
		return;
	for (i = to->count - 1; i-- > 0;)
		if (m.periods[to->links[i].g][to->links[i].period].state ==
		    CHAIN_BLOCKED) {
			/* What is below is a part of the chain, not the leaf.
			 */
			to->count = i + 1;
			to->nobody = true;
			to->by = m.records[leaf->end].kind ==
						 TRANSITION_CREATE_IN_CALL
					 ? BY_RUNTIME
					 : BY_TIMER;
			return;
		}
}

/* ---------------------------------------------------------------- pieces -- */

static uint32_t shown(unsigned stack)
{
	return stack != 0 ? stack : NO_STACK;
}

/* The own event of G that is record NUMBER has this stack; 0: it is none. */
static unsigned own_stack(unsigned g, size_t number)
{
	const struct record *one = &m.records[number];

	if (one->g == g && (one->kind == TRANSITION_CREATE ||
			    one->kind == TRANSITION_CREATE_BLOCKED))
		return (unsigned)one->arg;
	if (one->kind == TRANSITION_STATUS)
		return one->g == g ? one->stack : 0;
	return one->by == g ? one->stack : 0;
}

/* The stack of what G ran in PERIOD, up to TO. */
static unsigned ran_in(unsigned g, const struct period *period, int64_t to)
{
	size_t i, last = period->end != SIZE_MAX ? period->end : m.count - 1;
	unsigned stack = 0;

	for (i = period->begin + 1; i <= last; i++)
		if (m.records[i].at >= to && own_stack(g, i) != 0)
			return own_stack(g, i);
	for (i = 0; i < m.count && m.records[i].at < to; i++)
		if (own_stack(g, i) != 0)
			stack = own_stack(g, i);
	return stack;
}

static unsigned ready_in(unsigned g, const struct period *period)
{
	unsigned stack = 0;
	size_t i;

	for (i = 0; i < m.count && i <= period->begin; i++)
		if (own_stack(g, i) != 0)
			stack = own_stack(g, i);
	return stack;
}

static struct chain_cause cause_of(struct link link)
{
	const struct period *period = &m.periods[link.g][link.period];
	const struct record *end = &m.records[period->end];
	struct chain_cause cause = {
		.g = link.g,
		.kind = period->kind,
		.stack = shown(period->stack),
		.ended = shown(end->stack),
	};

	if (period->state == CHAIN_ABSENT) {
		cause.kind = CHAIN_CREATED;
		cause.stack = cause.ended;
	}
	return cause;
}

static struct chain_piece piece_of(const struct moment *moment, int64_t from,
				   int64_t to)
{
	struct link link = moment->links[moment->count - 1];
	const struct period *period = &m.periods[link.g][link.period];
	struct chain_piece piece = {
		.start = from,
		.length = to - from,
		.g = link.g,
		.level = (uint32_t)(moment->count - 1),
		.state = period->state,
		.stack = shown(period->stack),
		.ended = period->ended,
	};

	if (period->state == CHAIN_RUNS)
		piece.stack = shown(ran_in(link.g, period, to));
	else if (period->state == CHAIN_READY)
		piece.stack = shown(ready_in(link.g, period));
	else if (period->state == CHAIN_UNKNOWN ||
		 period->state == CHAIN_ABSENT)
		piece.stack = NO_STACK;
	if (period->state == CHAIN_IN_CALL &&
	    m.records[period->begin].kind == TRANSITION_CREATE_IN_CALL)
		piece.stack = NO_STACK;
	if (period->state == CHAIN_BLOCKED) {
		piece.kind = period->kind;
		piece.by = period->end == SIZE_MAX ? CHAIN_NOT_OVER
						   : who_ended(period);
		if (moment->nobody)
			piece.by = moment->by;
	}
	if (piece.level != 0) {
		piece.cause = cause_of(moment->links[moment->count - 2]);
		piece.outer = cause_of(moment->links[0]);
	}
	return piece;
}

static bool is_same_chain(const struct moment *a, const struct moment *b)
{
	return a->count == b->count && a->nobody == b->nobody &&
	       (!a->nobody || a->by == b->by) &&
	       memcmp(a->links, b->links, a->count * sizeof(a->links[0])) == 0;
}

#endif /* GTRACE_TESTS_ANALYSIS_CHAIN_MODEL_H_ */
