/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_test.c - the analysis of waits against a model that keeps the state
 * after each event, and all waits and slices, and then adds up what they are
 * defined as, event by event.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/adapter.h"
#include "tests/model.h"

#define PROCESSORS 64
#define GOROUTINES 10000
#define EVENTS     60000
/* Two for an event, and those that tell of goroutines and processors. */
#define TRANSITIONS (2 * EVENTS + GOROUTINES + PROCESSORS)
#define TYPES       4 /* of events that make goroutines ready */

/* ---------------------------------------------------------------- numbers --
 */

/* A number in digits of 32 bits, the least one first. */
#define DIGITS 6

struct number {
	uint64_t digits[DIGITS];
};

static struct number number_of(uint64_t value)
{
	return (struct number){{value & UINT32_MAX, value >> 32}};
}

static struct number times(struct number a, uint64_t factor)
{
	uint64_t carry = 0;
	unsigned i;

	for (i = 0; i < DIGITS; i++) {
		uint64_t digit = a.digits[i] * factor + carry;

		a.digits[i] = digit & UINT32_MAX;
		carry = digit >> 32;
	}
	return a;
}

static struct number by(struct number a, uint64_t divisor)
{
	uint64_t rest = 0;
	unsigned i;

	for (i = DIGITS; i-- > 0;) {
		uint64_t part = rest << 32 | a.digits[i];

		a.digits[i] = part / divisor;
		rest = part % divisor;
	}
	return a;
}

/* A plus B, or A minus B. */
static struct number plus(struct number a, struct number b)
{
	uint64_t carry = 0;
	unsigned i;

	for (i = 0; i < DIGITS; i++) {
		carry += a.digits[i] + b.digits[i];
		a.digits[i] = carry & UINT32_MAX;
		carry >>= 32;
	}
	return a;
}

static struct number minus(struct number a, struct number b)
{
	unsigned i;

	for (i = 0; i < DIGITS; i++)
		b.digits[i] = ~b.digits[i] & UINT32_MAX;
	return plus(plus(a, b), number_of(1));
}

/* A in nanoseconds, if it is in units of 1/1024. */
static int64_t in_ns(struct number a)
{
	a = by(a, 1024);
	return (int64_t)(a.digits[0] | a.digits[1] << 32);
}

/* ----------------------------------------------------------------- model -- */

/* How things stand after an event, and the sums up to it. */
struct moment {
	int64_t time;
	uint64_t ready, held, procs;
	bool stop;
	int64_t busy, idle, stopped;
	uint64_t held_time, waited; /* wrap around */
	struct number shared;
};

struct model_slice {
	size_t from, to; /* events */
	int64_t p;
	uint64_t g;
	bool runs;
	bool wanted; /* see check_delays() */
};

struct model_wait {
	size_t from, to;
	uint64_t g;
	uint32_t type;
	int64_t ran_p;
	size_t told; /* number of the transition that tells of it */
	bool before, over, taken_back;
};

struct model_goroutine {
	size_t wait; /* number, plus one; 0: it does not wait */
	int64_t p;   /* -1: it does not run */
	bool untold; /* the trace has not told that it waits */
};

struct model_processor {
	bool held, runs;
	size_t number; /* of the slice */
};

static struct model {
	struct moment moments[EVENTS];
	struct model_slice slices[EVENTS];
	struct model_wait waits[EVENTS];
	struct model_goroutine goroutines[GOROUTINES + 1]; /* by slot */
	struct model_processor processors[PROCESSORS];
	size_t moment_count, slice_count, wait_count;
	/* What happens; numbers of goroutines are slots, from 1 on. */
	struct transition items[TRANSITIONS];
	size_t item_count;
	/* Moments from which and to which R is computed at once. */
	size_t step;
	uint64_t processors_used, goroutines_used;
	uint64_t ready_before; /* goroutines, the first ones */
	size_t wanted;
	uint64_t random;
} m;

static struct moment *now(void)
{
	return &m.moments[m.moment_count - 1];
}

static uint64_t pick(uint64_t limit)
{
	return random_below(&m.random, limit);
}

/* What each processor gets from moment FROM, with which a step began, to TO. */
static struct number share(const struct moment *from, int64_t to)
{
	struct number none = {{0}};

	if (from->stop || from->held < from->procs || from->held == 0 ||
	    from->ready == 0)
		return none;
	return by(times(times(number_of((uint64_t)(to - from->time)), 1024),
			from->ready),
		  from->held);
}

/* A new moment, LATER than the last one, that is equal otherwise. */
static void pass_time(int64_t later)
{
	struct moment *old = now(), *new = old + 1;
	bool busy = !old->stop && old->held >= old->procs;

	*new = *old;
	m.moment_count++;
	new->time += later;
	if (old->stop) {
		new->stopped += later;
	} else if (!busy) {
		new->idle += later;
	} else {
		new->busy += later;
		new->held_time += (uint64_t)later * old->held;
		new->waited += (uint64_t)later * old->ready;
	}
	new->shared = plus(m.moments[m.step].shared,
			   share(&m.moments[m.step], new->time));
}

/* After an event: a step begins if it has changed what steps depend on. */
static void end_event(void)
{
	const struct moment *new = now(), *old = new - 1;

	if (new->ready != old->ready || new->held != old->held ||
	    new->procs != old->procs || new->stop != old->stop)
		m.step = m.moment_count - 1;
}

/* ---------------------------------------------------------------- events -- */

/* Adds a transition, which happens now. Returns it. */
static struct transition *record(enum transition_kind kind, int64_t p,
				 uint64_t g)
{
	struct transition *item = &m.items[m.item_count++];

	*item = (struct transition){
		.now = now()->time,
		.written = now()->time,
		.offset = m.moment_count,
		.stack = m.moment_count,
		.g = (uint32_t)g,
		.by = (uint32_t)g,
		.m = 1,
		.p = slot_of_p(p),
		.kind = (uint8_t)kind,
		.type = 1,
	};
	return item;
}

/* The trace tells of what it has not, before another event names G. */
static void tell(uint64_t g)
{
	struct model_goroutine *goroutine = &m.goroutines[g];
	struct transition *item;

	if (!goroutine->untold)
		return;
	goroutine->untold = false;
	item = record(TRANSITION_STATUS, 0, g);
	item->arg = GOROUTINE_READY;
	item->flags = TRANSITION_FIRST;
	item->type = TYPES + 1;
	m.waits[goroutine->wait - 1].told = m.item_count;
}

/* Goroutine G becomes ready. BEFORE: it has been since the first event. */
static void make_ready(uint64_t g, uint32_t type, bool before)
{
	struct model_goroutine *goroutine = &m.goroutines[g];

	if (goroutine->wait != 0)
		return;
	m.waits[m.wait_count++] = (struct model_wait){
		.from = before ? 0 : m.moment_count - 1,
		.g = g,
		.type = type,
		.before = before,
		.told = m.item_count + 1,
	};
	goroutine->wait = m.wait_count;
	goroutine->untold = before;
	if (before)
		return;
	now()->ready++;
	record(TRANSITION_READY, 0, g)->type = (uint8_t)type;
}

/* G runs on P. If it waited, its wait is over. */
static void run(uint64_t p, uint64_t g)
{
	struct model_processor *processor = &m.processors[p];
	struct model_goroutine *goroutine = &m.goroutines[g];

	tell(g);
	record(TRANSITION_START, (int64_t)p, g);
	if (goroutine->wait != 0) {
		struct model_wait *wait = &m.waits[goroutine->wait - 1];

		now()->ready--;
		wait->to = m.moment_count - 1;
		wait->over = true;
		wait->ran_p = (int64_t)p;
		goroutine->wait = 0;
	}
	m.slices[m.slice_count] = (struct model_slice){
		.from = m.moment_count - 1,
		.p = (int64_t)p,
		.g = g,
		.runs = true,
	};
	processor->number = m.slice_count++;
	processor->runs = true;
	goroutine->p = (int64_t)p;
}

static void end_running(uint64_t p)
{
	struct model_processor *processor = &m.processors[p];
	struct model_slice *slice = &m.slices[processor->number];

	record(TRANSITION_BLOCK, (int64_t)p, slice->g);
	slice->to = m.moment_count - 1;
	slice->runs = processor->runs = false;
	m.goroutines[slice->g].p = -1;
}

static void hold(uint64_t p, bool held)
{
	record(held ? TRANSITION_HOLD : TRANSITION_GIVE_UP, (int64_t)p, 0);
	m.processors[p].held = held;
	now()->held += held ? 1 : (uint64_t)-1;
}

/* If G is ready, it turns out to be blocked. */
static void take_back(uint64_t g)
{
	struct model_goroutine *goroutine = &m.goroutines[g];

	tell(g);
	record(TRANSITION_STATUS, 0, g)->arg = GOROUTINE_BLOCKED;
	if (goroutine->wait == 0)
		return;
	now()->ready--;
	m.waits[goroutine->wait - 1].taken_back = true;
	goroutine->wait = 0;
}

/* ------------------------------------------------------------- transitions */

static uint64_t pick_any(void)
{
	return 1 + pick(m.goroutines_used);
}

/* A goroutine that waits, or any other one that does not run; else any. */
static uint64_t pick_goroutine(bool waits)
{
	uint64_t g = pick_any(), i;

	for (i = 0; i < m.goroutines_used; i++) {
		if (m.goroutines[g].p < 0 &&
		    (m.goroutines[g].wait != 0) == waits)
			break;
		g = g % m.goroutines_used + 1;
	}
	return g;
}

/* Something happens on processor P. */
static void step_processor(uint64_t p, bool waiting)
{
	struct model_processor *processor = &m.processors[p];
	uint64_t g = pick_goroutine(waiting);

	if (!processor->held) {
		hold(p, true);
	} else if (processor->runs) {
		g = m.slices[processor->number].g;
		end_running(p);
		if (pick(3) != 0)
			make_ready(g, 1 + (uint32_t)pick(TYPES), false);
	} else if (m.goroutines[g].p < 0 && pick(8) != 0) {
		run(p, g);
	} else {
		hold(p, false);
	}
}

static void step(int64_t later)
{
	uint64_t p = pick(m.processors_used), g;

	pass_time(later);
	switch (pick(24)) {
	case 0:
		now()->procs = pick(m.processors_used + 2);
		record(TRANSITION_PROCS, 0, 0)->arg = now()->procs;
		break;
	case 1:
		now()->stop = pick(4) == 0;
		record(now()->stop ? TRANSITION_STOP : TRANSITION_STOP_END, 0,
		       0);
		break;
	case 2:
		take_back(pick_any());
		break;
	case 3: /* as in damaged traces: anything runs there */
		if (pick(8) == 0)
			hold(p, !m.processors[p].held);
		break;
	case 4:
	case 5:
	case 6:
		g = pick_goroutine(false);
		if (m.goroutines[g].p < 0)
			make_ready(g, 1 + (uint32_t)pick(TYPES), false);
		break;
	default:
		step_processor(p, pick(6) != 0);
		break;
	}
	end_event();
}

/* ---------------------------------------------------------------- checks -- */

static int64_t part(int64_t from, int64_t to)
{
	return to - from;
}

static int64_t length_of(const struct model_wait *wait)
{
	return part(m.moments[wait->from].time, m.moments[wait->to].time);
}

static int longer(const void *a, const void *b)
{
	const struct model_wait *x = *(struct model_wait *const *)a;
	const struct model_wait *y = *(struct model_wait *const *)b;
	int64_t xs = length_of(x), ys = length_of(y);

	if (xs != ys)
		return xs > ys ? -1 : 1;
	return x->told < y->told ? -1 : x->told > y->told;
}

struct overlap {
	const struct model_slice *slice;
	int64_t overlap;
};

static int overlaps_more(const void *a, const void *b)
{
	const struct overlap *x = a, *y = b;

	if (x->overlap != y->overlap)
		return x->overlap > y->overlap ? -1 : 1;
	return x->slice < y->slice ? -1 : x->slice > y->slice;
}

static void check_kept(const struct model_wait *wait,
		       const struct gtrace_wait *got)
{
	static struct overlap all[EVENTS];
	const struct moment *from = &m.moments[wait->from];
	const struct moment *to = &m.moments[wait->to];
	int64_t sum = 0, more = 0;
	size_t count = 0, i;

	for (i = 0; i < m.slice_count; i++) {
		const struct model_slice *slice = &m.slices[i];
		size_t begin = slice->from, end = slice->to;
		int64_t overlap;

		begin = begin > wait->from ? begin : wait->from;
		end = end < wait->to ? end : wait->to;
		if (begin >= end)
			continue;
		overlap = part(m.moments[begin].busy, m.moments[end].busy);
		if (overlap == 0)
			continue;
		all[count++] = (struct overlap){slice, overlap};
		sum += overlap;
	}
	qsort(all, count, sizeof(all[0]), overlaps_more);
	assert_int_equal(got->kept_count, count < 3 ? count : 3);
	for (i = 0; i < got->kept_count; i++) {
		const struct gtrace_kept *kept = &got->kept[i];
		const struct model_slice *want = all[i].slice;
		int64_t start = m.moments[want->from].time;
		int64_t end = m.moments[want->to].time;

		assert_int_equal(kept->overlap, all[i].overlap);
		assert_int_equal(kept->p, want->p);
		assert_int_equal(kept->g, want->g);
		assert_int_equal(kept->start, start);
		assert_int_equal(kept->length, part(start, end));
		assert_int_equal(kept->ended, want->runs ? -1 : end);
		if (!want->runs)
			assert_int_equal(kept->at.offset, want->to + 1);
	}
	for (; i < count; i++)
		more += all[i].overlap;
	assert_int_equal(got->kept_more, count - got->kept_count);
	assert_int_equal(got->kept_more_overlap, more);
	assert_int_equal(got->kept_none,
			 to->held_time - from->held_time - (uint64_t)sum);
}

static void check_wait(const struct model_wait *want,
		       const struct gtrace_wait *got)
{
	const struct moment *from = &m.moments[want->from];
	const struct moment *to = &m.moments[want->to];

	assert_int_equal(got->g, want->g);
	assert_int_equal(got->length, length_of(want));
	assert_int_equal(got->start, from->time);
	assert_int_equal(got->busy, part(from->busy, to->busy));
	assert_int_equal(got->idle, part(from->idle, to->idle));
	assert_int_equal(got->stopped, part(from->stopped, to->stopped));
	assert_int_equal(got->busy + got->idle + got->stopped, got->length);
	assert_int_equal(got->before, want->before);
	assert_int_equal(got->over, want->over);
	assert_string_equal(got->ready.name, type_name(want->type));
	assert_int_equal(got->ran_p, want->over ? want->ran_p : -1);
	assert_int_equal(got->ran, want->over ? to->time : -1);
	check_kept(want, got);
}

static void check_waits(const struct gtrace_wait_report *report)
{
	static const struct model_wait *all[EVENTS];
	uint64_t whole = 0, before = 0, unfinished = 0;
	size_t count = 0, i;

	for (i = 0; i < m.wait_count; i++) {
		const struct model_wait *wait = &m.waits[i];

		if (wait->taken_back)
			continue;
		all[count++] = wait;
		before += wait->before;
		unfinished += !wait->before && !wait->over;
		whole += !wait->before && wait->over;
	}
	assert_int_equal(report->whole, whole);
	assert_int_equal(report->before, before);
	assert_int_equal(report->unfinished, unfinished);
	qsort(all, count, sizeof(all[0]), longer);
	if (count > m.wanted)
		count = m.wanted;
	assert_int_equal(report->count, count);
	for (i = 0; i < count; i++)
		check_wait(all[i], report->waits[i]);
}

static int less(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t quantile(const int64_t *sorted, size_t count, size_t permille)
{
	return sorted[(count * permille + 999) / 1000 - 1];
}

/* ROW is of the whole waits of TYPE, 0 for all. Returns how many there are. */
static size_t check_row(const struct gtrace_wait_row *row, uint32_t type)
{
	static int64_t lengths[EVENTS];
	uint64_t sum = 0, busy = 0, idle = 0, stopped = 0; /* wrap around */
	size_t count = 0, i;

	for (i = 0; i < m.wait_count; i++) {
		const struct model_wait *wait = &m.waits[i];
		const struct moment *from = &m.moments[wait->from];
		const struct moment *to = &m.moments[wait->to];

		if (wait->taken_back || wait->before || !wait->over ||
		    (type != 0 && wait->type != type))
			continue;
		lengths[count++] = length_of(wait);
		sum += (uint64_t)length_of(wait);
		busy += (uint64_t)part(from->busy, to->busy);
		idle += (uint64_t)part(from->idle, to->idle);
		stopped += (uint64_t)part(from->stopped, to->stopped);
	}
	if (count == 0)
		return 0;
	qsort(lengths, count, sizeof(lengths[0]), less);
	assert_int_equal(row->count, count);
	assert_int_equal(row->sum, sum);
	assert_int_equal(row->busy, busy);
	assert_int_equal(row->idle, idle);
	assert_int_equal(row->stopped, stopped);
	assert_int_equal(row->median, quantile(lengths, count, 500));
	assert_int_equal(row->p99, quantile(lengths, count, 990));
	assert_int_equal(row->p999, quantile(lengths, count, 999));
	assert_int_equal(row->max, lengths[count - 1]);
	return count;
}

static void check_rows(const struct gtrace_wait_report *report)
{
	size_t rows = 0;
	uint32_t type;

	for (type = 1; type <= TYPES; type++) {
		if (check_row(&report->rows[rows], type) == 0)
			continue;
		assert_string_equal(report->rows[rows].event, type_name(type));
		rows++;
	}
	assert_int_equal(report->row_count, rows);
	check_row(&report->all, 0);
}

static struct number shared_by(const struct model_slice *slice)
{
	return minus(m.moments[slice->to].shared,
		     m.moments[slice->from].shared);
}

static void check_delays(const struct gtrace_delay_report *report)
{
	struct number behind = number_of(0);
	size_t i, j;

	for (i = 0; i < m.slice_count; i++)
		behind = plus(behind, shared_by(&m.slices[i]));
	assert_int_equal(report->behind, in_ns(behind));
	assert_int_equal(report->waited, now()->waited);
	for (i = 0; i < report->count; i++) {
		struct model_slice *best = NULL;
		const struct gtrace_slice *got = report->slices[i];

		for (j = 0; j < m.slice_count; j++)
			if (!m.slices[j].wanted &&
			    (best == NULL || in_ns(shared_by(&m.slices[j])) >
						     in_ns(shared_by(best))))
				best = &m.slices[j];
		assert_non_null(best);
		best->wanted = true;
		assert_int_equal(got->delay, in_ns(shared_by(best)));
		assert_int_equal(got->start.ts, m.moments[best->from].time);
		assert_int_equal(got->p, best->p);
		assert_int_equal(got->g, best->g);
		assert_int_equal(got->still_running, best->runs);
	}
	for (j = 0; j < m.slice_count; j++)
		if (report->count < m.wanted && !m.slices[j].wanted)
			assert_int_equal(in_ns(shared_by(&m.slices[j])), 0);
}

/* ------------------------------------------------------------------- runs --
 */

/* READY goroutines wait since before the trace, and HELD processors are. */
static void begin(uint64_t processors, uint64_t goroutines, size_t wanted,
		  uint64_t ready, uint64_t held)
{
	uint64_t procs = 1 + pick(processors), random = m.random, i;

	memset(&m, 0, sizeof(m));
	m.moment_count = 1;
	m.processors_used = processors;
	m.goroutines_used = goroutines;
	m.wanted = wanted;
	m.random = random;
	m.moments[0] = (struct moment){
		.time = 5,
		.ready = ready,
		.held = held,
		.procs = procs,
	};
	for (i = 1; i <= goroutines; i++)
		m.goroutines[i].p = -1;
	/* Processors are told of at the first event, goroutines later. */
	record(TRANSITION_PROCS, 0, 0)->arg = procs;
	for (i = 0; i < held; i++) {
		record(TRANSITION_PROC_STATUS, (int64_t)i, 0);
		m.processors[i].held = true;
	}
	for (i = 1; i <= ready; i++)
		make_ready(i, TYPES + 1, true);
	m.ready_before = ready;
}

static void finish(void)
{
	struct script script = {.items = m.items, .end = now()->time};
	struct waits_found found;
	size_t i;

	for (i = 1; i <= m.ready_before; i++)
		tell(i);
	for (i = 0; i < m.wait_count; i++)
		if (!m.waits[i].over)
			m.waits[i].to = m.moment_count - 1;
	for (i = 0; i < m.slice_count; i++)
		if (m.slices[i].runs)
			m.slices[i].to = m.moment_count - 1;
	script.count = m.item_count;
	find_waits(&script, m.wanted, &found);
	check_waits(&found.waits);
	check_rows(&found.waits);
	check_delays(&found.delays);
	free_waits(&found);
}

/* The time to the next event: often none, and sometimes long. */
static int64_t pick_time(unsigned kind)
{
	static const uint64_t limits[] = {2, 100, 70000, (uint64_t)1 << 44};

	if (kind == 0)
		return 10;
	return (int64_t)pick(limits[kind == 1 ? pick(2) : pick(4)]);
}

static void run_random(uint64_t processors, uint64_t goroutines, size_t events,
		       size_t wanted)
{
	unsigned kind = (unsigned)pick(3);
	size_t i;

	begin(processors, goroutines, wanted, pick(goroutines / 2 + 1),
	      pick(processors + 1));
	for (i = 0; i < events; i++)
		step(pick_time(kind));
	finish();
}

static void test_random(void **state)
{
	unsigned i;

	(void)state;
	m.random = 1;
	for (i = 0; i < 150; i++)
		run_random(1 + pick(i % 3 == 0 ? 64 : 4), 1 + pick(200), 3000,
			   (size_t)pick(12));
}

/* Times so long that what goroutines waited takes more than 64 bits. */
static void test_long(void **state)
{
	unsigned i, j;

	(void)state;
	m.random = 4;
	for (i = 0; i < 1000; i++) {
		begin(1 + pick(8), 200, 3, pick(100), pick(4));
		for (j = 0; j < 40; j++)
			step((int64_t)pick((uint64_t)1
					   << (i % 2 == 0 ? 57 : 51)));
		finish();
	}
}

static void test_many(void **state)
{
	(void)state;
	m.random = 2;
	run_random(4, GOROUTINES, 40000, 3);
	run_random(64, GOROUTINES, 40000, 3);
}

/*
 * All goroutines become ready together, and run one after the other, for equal
 * times: each wait is longer than all before it, and all slices are needed.
 */
static void test_one_by_one(void **state)
{
	uint64_t i;

	(void)state;
	m.random = 3;
	begin(1, GOROUTINES, 5, 0, 1);
	for (i = 1; i <= GOROUTINES; i++) {
		pass_time(0);
		make_ready(i, 1, false);
		end_event();
	}
	for (i = 1; i <= GOROUTINES; i++) {
		pass_time(0);
		run(0, i);
		end_event();
		pass_time(10);
		end_running(0);
		end_event();
	}
	finish();
}

/*
 * Goroutine 1 has waited since before the trace, which tells that when it runs.
 * The two slices of goroutine 2 kept it.
 */
static void test_told_late(void **state)
{
	unsigned i;

	(void)state;
	begin(1, 2, 5, 1, 1);
	now()->procs = 1;
	record(TRANSITION_PROCS, 0, 0)->arg = 1;
	for (i = 0; i < 2; i++) {
		pass_time(10);
		make_ready(2, 1, false);
		end_event();
		pass_time(10);
		run(0, 2);
		end_event();
		pass_time(10);
		end_running(0);
		end_event();
	}
	pass_time(10);
	run(0, 1);
	end_event();
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_told_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
