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

#include "analysis/ended.h"
#include "tests/model.h"

#define PROCESSORS 64
#define GOROUTINES 10000
#define EVENTS     60000
#define TYPES      4 /* of events that make goroutines ready */

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
	bool before, over, taken_back;
};

/* What the analysis is told of a goroutine. */
struct model_goroutine {
	struct waiter waiter;
	size_t wait; /* number, plus one; 0: it does not wait */
	int64_t p;   /* -1: it does not run */
	bool untold; /* the trace has not told that it waits */
};

struct model_processor {
	bool held;
	struct running_slice slice; /* start.ordinal 0: none */
	size_t number;              /* of that slice */
};

static struct model {
	struct moment moments[EVENTS];
	struct model_slice slices[EVENTS];
	struct model_wait waits[EVENTS];
	struct model_goroutine goroutines[GOROUTINES];
	struct model_processor processors[PROCESSORS];
	size_t moment_count, slice_count, wait_count;
	/* Moments from which and to which R is computed at once. */
	size_t step;
	uint64_t processors_used, goroutines_used;
	struct observer observer;
	struct waits waits_found;
	uint64_t ready_before; /* goroutines, the first ones */
	struct slices slices_found;
	struct gtrace_allocator memory;
	uint64_t random;
	int64_t longest_tick;
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

static size_t
each_waiter(const void *context,
	    void (*take)(void *to, struct waiter *waiter, uint64_t g), void *to)
{
	size_t i;

	(void)context;
	for (i = 0; i < m.goroutines_used; i++)
		if (waits_is_waiting(&m.goroutines[i].waiter))
			take(to, &m.goroutines[i].waiter, i);
	return i;
}

/* ---------------------------------------------------------------- events -- */

static struct event event_of(uint32_t type, int64_t p, uint64_t g)
{
	return (struct event){
		.offset = m.moment_count,
		.ordinal = m.moment_count,
		.ticks = now()->time,
		.m = 1,
		.p = p,
		.g = g,
		.stack = m.moment_count,
		.type = type,
	};
}

/* The trace tells of what it has not, before another event names G. */
static void tell(uint64_t g)
{
	struct model_goroutine *goroutine = &m.goroutines[g];

	if (goroutine->untold)
		gti_waits_began_before(&m.waits_found, &goroutine->waiter);
	goroutine->untold = false;
}

/* Goroutine G becomes ready. BEFORE: it has been since the first event. */
static void make_ready(uint64_t g, uint32_t type, bool before)
{
	struct model_goroutine *goroutine = &m.goroutines[g];
	struct waiter *waiter = &goroutine->waiter;
	struct event event = event_of(type, -1, 0);

	if (goroutine->wait != 0)
		return;
	m.waits[m.wait_count++] = (struct model_wait){
		.from = before ? 0 : m.moment_count - 1,
		.g = g,
		.type = type,
		.before = before,
	};
	goroutine->wait = m.wait_count;
	assert_false(waits_is_waiting(waiter));
	event_ref_set(&waiter->ready, &event, origin_none);
	waiter->order = m.wait_count;
	if (before) {
		goroutine->untold = true;
		return;
	}
	now()->ready++;
	waits_begin(&m.waits_found, waiter, type, now()->time);
}

static void start_slice(uint64_t p, uint64_t g)
{
	struct model_processor *processor = &m.processors[p];
	struct event event = event_of(1, (int64_t)p, g);

	m.slices[m.slice_count] = (struct model_slice){
		.from = m.moment_count - 1,
		.p = (int64_t)p,
		.g = g,
		.runs = true,
	};
	processor->number = m.slice_count++;
	processor->slice.serial = slices_begin(&m.slices_found);
	waits_slice(&m.waits_found, &processor->slice.wait,
		    processor->slice.serial,
		    waits_busy(&m.waits_found, now()->time, false));
	event_ref_set(&processor->slice.start, &event, origin_none);
	m.goroutines[g].p = (int64_t)p;
}

/* G runs on P. If it waited, its wait is over. */
static void run(uint64_t p, uint64_t g)
{
	struct model_goroutine *goroutine = &m.goroutines[g];
	struct model_wait *wait;

	tell(g);
	waits_run(&m.waits_found, &goroutine->waiter, g, now()->time,
		  (int64_t)p, now()->time);
	assert_false(waits_is_waiting(&goroutine->waiter));
	if (goroutine->wait != 0) {
		now()->ready--;
		wait = &m.waits[goroutine->wait - 1];
		wait->to = m.moment_count - 1;
		wait->over = true;
		wait->ran_p = (int64_t)p;
		goroutine->wait = 0;
	}
	start_slice(p, g);
}

/* RECORD is a processor. */
static struct slice_owner owner(const void *context, void *record)
{
	const struct model_processor *processor = record;
	const struct model_slice *slice = &m.slices[processor->number];

	(void)context;
	return (struct slice_owner){.p = slice->p, .g = slice->g};
}

static void end_slice(uint64_t p)
{
	struct model_processor *processor = &m.processors[p];
	struct model_slice *slice = &m.slices[processor->number];
	struct event event = event_of(2, (int64_t)p, slice->g);
	struct ended_slice *easy;

	slice->to = m.moment_count - 1;
	slice->runs = false;
	m.goroutines[slice->g].p = -1;
	if (waits_slice_ends(&m.waits_found, &processor->slice.wait, &easy,
			     now()->time)) {
		if (easy != NULL)
			observe_ended_slice(easy, &processor->slice, slice->p,
					    slice->g, &event, origin_none, 0);
		else
			gti_observe_waited(&m.observer, &processor->slice,
					   processor, &event, origin_none);
	}
	processor->slice.start.ordinal = 0;
}

static void hold(uint64_t p, bool held)
{
	m.processors[p].held = held;
	now()->held += held ? 1 : (uint64_t)-1;
	gti_waits_hold(&m.waits_found, held, now()->time);
}

static void take_back(uint64_t g)
{
	struct model_goroutine *goroutine = &m.goroutines[g];

	tell(g);
	gti_waits_take_back(&m.waits_found, &goroutine->waiter, now()->time);
	if (goroutine->wait == 0)
		return;
	now()->ready--;
	m.waits[goroutine->wait - 1].taken_back = true;
	goroutine->wait = 0;
}

/* ------------------------------------------------------------- transitions */

/* A goroutine that waits, or any other one that does not run; else any. */
static uint64_t pick_goroutine(bool waits)
{
	uint64_t g = pick(m.goroutines_used), i;

	for (i = 0; i < m.goroutines_used; i++) {
		if (m.goroutines[g].p < 0 &&
		    (m.goroutines[g].wait != 0) == waits)
			break;
		g = (g + 1) % m.goroutines_used;
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
	} else if (processor->slice.start.ordinal != 0) {
		g = m.slices[processor->number].g;
		end_slice(p);
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
		gti_waits_procs(&m.waits_found, now()->procs, now()->time);
		break;
	case 1:
		now()->stop = pick(4) == 0;
		gti_waits_stop(&m.waits_found, now()->stop, now()->time);
		break;
	case 2:
		take_back(pick(m.goroutines_used));
		break;
	case 3: /* as in damaged traces: whatever runs there */
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
	return x < y ? -1 : x > y;
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

static void check_kept(const struct model_wait *wait, const struct wait *got)
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
		const struct slice *slice = got->kept[i].slice;
		const struct model_slice *want = all[i].slice;

		assert_int_equal(got->kept[i].overlap, all[i].overlap);
		assert_int_equal(slice->p, want->p);
		assert_int_equal(slice->g, want->g);
		assert_int_equal(slice->still_running, want->runs);
		assert_int_equal(slice->start.ticks,
				 m.moments[want->from].time);
		assert_int_equal(slice->length, part(m.moments[want->from].time,
						     m.moments[want->to].time));
		if (!want->runs)
			assert_int_equal(slice->end.offset, want->to + 1);
	}
	for (; i < count; i++)
		more += all[i].overlap;
	assert_int_equal(got->kept_more, count - got->kept_count);
	assert_int_equal(got->kept_more_overlap, more);
	assert_int_equal(got->kept_none,
			 to->held_time - from->held_time - (uint64_t)sum);
}

static void check_wait(const struct model_wait *want, const struct wait *got)
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
	assert_int_equal(got->ready.type, want->type);
	if (want->over) {
		assert_int_equal(got->ran_p, want->ran_p);
		assert_int_equal(got->ran_ticks, to->time);
	}
	check_kept(want, got);
}

static void check_waits(const struct wait_results *results)
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
	assert_int_equal(results->sums.whole, whole);
	assert_int_equal(results->sums.before, before);
	assert_int_equal(results->sums.unfinished, unfinished);
	qsort(all, count, sizeof(all[0]), longer);
	if (count > m.waits_found.wanted)
		count = m.waits_found.wanted;
	assert_int_equal(results->wait_count, count);
	for (i = 0; i < count; i++)
		check_wait(all[i], &results->waits[i]);
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

static void check_rows(const struct wait_results *results)
{
	size_t rows = 0;
	uint32_t type;

	for (type = 1; type <= TYPES; type++) {
		if (check_row(&results->rows[rows], type) == 0)
			continue;
		assert_int_equal(results->types[rows], type);
		rows++;
	}
	assert_int_equal(results->row_count, rows);
	check_row(&results->sums.all, 0);
}

static struct number shared_by(const struct model_slice *slice)
{
	return minus(m.moments[slice->to].shared,
		     m.moments[slice->from].shared);
}

static void check_delays(const struct wait_results *results)
{
	struct number behind = number_of(0);
	size_t i, j;

	for (i = 0; i < m.slice_count; i++)
		behind = plus(behind, shared_by(&m.slices[i]));
	assert_int_equal(results->behind, in_ns(behind));
	assert_int_equal(results->waited, now()->waited);
	for (i = 0; i < results->slice_count; i++) {
		struct model_slice *best = NULL;
		const struct slice *got = &results->slices[i];

		for (j = 0; j < m.slice_count; j++)
			if (!m.slices[j].wanted &&
			    (best == NULL || in_ns(shared_by(&m.slices[j])) >
						     in_ns(shared_by(best))))
				best = &m.slices[j];
		assert_non_null(best);
		best->wanted = true;
		assert_int_equal(got->delay, in_ns(shared_by(best)));
		assert_int_equal(got->start.ticks, m.moments[best->from].time);
		assert_int_equal(got->p, best->p);
		assert_int_equal(got->g, best->g);
		assert_int_equal(got->still_running, best->runs);
	}
	for (j = 0; j < m.slice_count; j++)
		if (results->slice_count < m.waits_found.delays_wanted &&
		    !m.slices[j].wanted)
			assert_int_equal(in_ns(shared_by(&m.slices[j])), 0);
}

/* ------------------------------------------------------------------- runs --
 */

/* READY goroutines wait since before the trace, and HELD processors are. */
static void begin(uint64_t processors, uint64_t goroutines, size_t wanted,
		  uint64_t ready, uint64_t held)
{
	static const struct waits_format format = {.each_waiter = each_waiter};
	struct before_trace before = {ready, held, 1 + pick(processors), true};
	uint64_t random = m.random, i;

	memset(&m, 0, sizeof(m));
	m.moment_count = 1;
	m.processors_used = processors;
	m.goroutines_used = goroutines;
	m.random = random;
	m.memory = gti_allocator_or_default(NULL);
	m.moments[0] = (struct moment){
		.time = 5,
		.ready = ready,
		.held = held,
		.procs = before.procs,
	};
	gti_slices_init(&m.slices_found, 1, 1, 1, &m.memory);
	gti_waits_init(&m.waits_found, wanted, wanted, &m.observer.clock,
		       &m.memory);
	m.observer.known_until = INT64_MAX;
	m.observer.waits = &m.waits_found;
	m.observer.owner = owner;
	gti_waits_start(&m.waits_found, &format, false);
	gti_waits_assume(&m.waits_found, &before);
	gti_waits_origin(&m.waits_found, 5);
	for (i = 0; i < goroutines; i++)
		m.goroutines[i].p = -1;
	/* Processors are told of at the first event, goroutines later. */
	for (i = 0; i < held; i++) {
		gti_waits_be_held(&m.waits_found, true, 5);
		m.processors[i].held = true;
	}
	for (i = 0; i < ready; i++)
		make_ready(i, TYPES + 1, true);
	m.ready_before = ready;
}

static void finish(void)
{
	struct wait_results results;
	size_t i;

	for (i = 0; i < m.ready_before; i++)
		tell(i);
	assert_int_equal(m.waits_found.found.ready, m.ready_before);
	gti_waits_finish(&m.waits_found, now()->time);
	for (i = 0; i < m.wait_count; i++)
		if (!m.waits[i].over)
			m.waits[i].to = m.moment_count - 1;
	for (i = 0; i < m.processors_used; i++) {
		struct model_processor *processor = &m.processors[i];

		if (processor->slice.start.ordinal == 0)
			continue;
		m.slices[processor->number].to = m.moment_count - 1;
		gti_observe_still_running(&m.observer, &processor->slice,
					  processor, now()->time);
	}
	assert_true(gti_waits_results(&m.waits_found, &results));
	check_waits(&results);
	check_rows(&results);
	check_delays(&results);
	gti_waits_free(&m.waits_found);
	gti_slices_free(&m.slices_found);
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
	for (i = 0; i < GOROUTINES; i++) {
		pass_time(0);
		make_ready(i, 1, false);
		end_event();
	}
	for (i = 0; i < GOROUTINES; i++) {
		pass_time(0);
		run(0, i);
		end_event();
		pass_time(10);
		end_slice(0);
		end_event();
	}
	finish();
}

/*
 * Goroutine 0 has waited since before the trace, which tells that when it runs.
 * The two slices of goroutine 1 kept it.
 */
static void test_told_late(void **state)
{
	unsigned i;

	(void)state;
	begin(1, 2, 5, 1, 1);
	now()->procs = 1;
	gti_waits_procs(&m.waits_found, 1, now()->time);
	for (i = 0; i < 2; i++) {
		pass_time(10);
		make_ready(1, 1, false);
		end_event();
		pass_time(10);
		run(0, 1);
		end_event();
		pass_time(10);
		end_slice(0);
		end_event();
	}
	pass_time(10);
	run(0, 0);
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
