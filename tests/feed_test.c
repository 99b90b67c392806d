/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed_test.c - the stream of transitions of every trace of testdata: it has
 * the places and times of the events that a visitor sees, it is the same in the
 * fast and in the careful pass, the states of each goroutine follow one
 * another, and the time in each state is that of the report of goroutines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/observe.h"
#include "base/array.h"
#include "base/input.h"
#include "feed/feed.h"
#include "model/format.h"
#include "tests/reports.h"
#include "tests/traces.h"
#include "v1/trace.h"
#include "v2/format_v2.h"

static struct gtrace_allocator memory;
static const char *at; /* the trace */

/* What is kept of an event that is visited. */
struct seen {
	uint64_t offset;
	int64_t ticks;
	uint32_t type;
};

/* One pass, and what came of it. */
struct run {
	struct input input;
	const struct format *format;
	struct format_facts facts;
	struct gtrace_error error;
	void *self;
	struct observer observer;
	struct feed feed;
	struct array transitions; /* struct transition */
	/* By transition: the numbers of its goroutines, 0: none. */
	struct array numbers; /* uint64_t, `g` and `by` of each */
	struct array events;  /* struct seen */
	int64_t end;
	int ended; /* how often the consumer has ended */
};

/* Returns false if the file at PATH is no trace that can be read. */
static bool open_run(struct run *run, const char *path)
{
	static const struct format *const formats[] = {&gti_format_v2,
						       &gti_format_v1};
	struct format_options options = {.memory = &memory};
	unsigned i;

	memset(run, 0, sizeof(*run));
	if (gti_input_path(&run->input, path, NULL, &memory, NULL) != GTRACE_OK)
		return false;
	for (i = 0; i < 2; i++) {
		run->format = formats[i];
		if (run->format->check(run->input.data, run->input.size,
				       &run->error) == GTRACE_OK &&
		    run->format->open(&options, &run->input, &run->self,
				      &run->facts, &run->error) == GTRACE_OK)
			return true;
	}
	gti_input_close(&run->input);
	return false;
}

/* The consumer ends with the feed, once. */
static void end(void *self)
{
	struct run *run = self;

	assert_int_equal(run->ended++, 0);
	gti_array_free(&run->transitions, sizeof(struct transition), &memory);
	gti_array_free(&run->numbers, sizeof(uint64_t), &memory);
	gti_array_free(&run->events, sizeof(struct seen), &memory);
}

static void close_run(struct run *run)
{
	gti_feed_free(&run->feed);
	assert_int_equal(run->ended, run->observer.feed != NULL);
	run->format->close(run->self);
	gti_input_close(&run->input);
}

static uint64_t number(const struct feed *feed, uint32_t slot)
{
	return slot != 0 ? actors_number(&feed->goroutines, slot) : 0;
}

static void keep(void *self, struct feed *feed)
{
	struct run *run = self;
	size_t i;

	for (i = 0; i < feed->batch->count; i++) {
		const struct transition *one = &feed->batch->items[i];
		uint64_t g = number(feed, one->g), by = number(feed, one->by);

		assert_non_null(array_add(&run->transitions, one, sizeof(*one),
					  &memory));
		assert_non_null(
			array_add(&run->numbers, &g, sizeof(g), &memory));
		assert_non_null(
			array_add(&run->numbers, &by, sizeof(by), &memory));
	}
}

static void note_end(void *self, struct feed *feed, int64_t now)
{
	struct run *run = self;

	(void)feed;
	run->end = now;
}

static void forget(void *self)
{
	struct run *run = self;

	run->transitions.count = 0;
	run->numbers.count = 0;
	run->events.count = 0;
}

static bool see(void *context, const struct event *event)
{
	struct run *run = context;
	const struct seen seen = {event->offset, event->ticks, event->type};

	return array_add(&run->events, &seen, sizeof(seen), &memory) != NULL;
}

/* Makes a pass, in which events are visited or not. */
static bool follow(struct run *run, bool visits)
{
	const struct consumer consumer = {
		.self = run,
		.take = keep,
		.finish = note_end,
		.restart = forget,
		.end = end,
	};
	struct pass pass = {.observer = &run->observer,
			    .visit = visits ? see : NULL,
			    .context = run};

	run->observer.memory = &memory;
	run->observer.feed = &run->feed;
	gti_feed_init(&run->feed, &run->observer.clock, &memory);
	gti_feed_add(&run->feed, &consumer);
	return run->format->follow(run->self, &pass, &run->error) ==
		       GTRACE_OK &&
	       !run->feed.failed;
}

static const struct transition *transition_at(const struct run *run, size_t i)
{
	return (const struct transition *)run->transitions.items + i;
}

/* ---------------------------------------------------------------- events -- */

/*
 * Each transition is of an event, in their order. Only the begin of a task has
 * two. Nothing is left out but Syncs, and in v1 events that change nothing and
 * have no stack.
 */
static void check_events(const struct run *run)
{
	const struct seen *event = run->events.items;
	const struct seen *last = event + run->events.count;
	int64_t now = INT64_MIN;
	size_t i;

	for (i = 0; i < run->transitions.count; i++) {
		const struct transition *one = transition_at(run, i);

		if (one->kind == TRANSITION_TASK_NAME) {
			assert_true(one[-1].kind == TRANSITION_TASK);
			assert_true(one->offset == one[-1].offset);
			continue;
		}
		while (event < last && (event->offset != one->offset ||
					event->type != one->type)) {
			if (run->format == &gti_format_v2)
				assert_string_equal(
					run->facts.kinds[event->type].name,
					"Sync");
			event++;
		}
		if (event == last)
			fail_msg("%s: no event for transition %zu, at %llu", at,
				 i, (unsigned long long)one->offset);
		assert_true(one->now >= now);
		now = one->now;
		if (run->format == &gti_format_v2)
			assert_true(one->now == event->ticks);
		else
			assert_true(one->written == event->ticks &&
				    one->now >= one->written);
		event++;
	}
	assert_true(run->end >= now);
}

/* A pass without a visitor gives the same stream. */
static void check_same(const struct run *run, const char *path)
{
	struct run fast;

	assert_true(open_run(&fast, path));
	assert_true(follow(&fast, false));
	assert_int_equal(fast.transitions.count, run->transitions.count);
	assert_int_equal(fast.end, run->end);
	assert_memory_equal(fast.transitions.items, run->transitions.items,
			    run->transitions.count * sizeof(struct transition));
	assert_memory_equal(fast.numbers.items, run->numbers.items,
			    run->numbers.count * sizeof(uint64_t));
	close_run(&fast);
}

/* ---------------------------------------------------------------- states -- */

/* Of a goroutine, by slot. */
struct model_life {
	uint64_t number;
	enum goroutine_state state;
	bool assists;
	bool may_call;         /* since `since`, if the next event is a loss */
	int64_t since, called; /* nanoseconds */
};

static struct {
	struct model_life *lives;
	int64_t times[GOROUTINE_BLOCKED + 2]; /* the last one: assists */
	struct clock clock;
	size_t from; /* the transition */
} m;

#define ASSISTS (GOROUTINE_BLOCKED + 1)

static void be(struct model_life *life, enum goroutine_state state, int64_t now)
{
	size_t row = life->state;

	if (row == GOROUTINE_RUNS && life->assists)
		row = ASSISTS;
	m.times[row] = (int64_t)((uint64_t)m.times[row] + (uint64_t)now -
				 (uint64_t)life->since);
	life->state = state;
	life->since = now;
}

/* LIFE was in STATE, or the transition is wrong. */
static void expect_state(const struct model_life *life,
			 enum goroutine_state state)
{
	if (life->state != state)
		fail_msg("%s: goroutine %llu is in state %d, not %d, before "
			 "transition %zu",
			 at, (unsigned long long)life->number, (int)life->state,
			 (int)state, m.from);
}

static void change(struct model_life *life, const struct transition *one,
		   enum goroutine_state from, enum goroutine_state to)
{
	expect_state(life, from);
	be(life, to, clock_ns(&m.clock, one->now));
}

/* A first status tells how LIFE has been since ORIGIN. */
static void take_status(struct model_life *life, const struct transition *one,
			int64_t origin)
{
	enum goroutine_state state = (enum goroutine_state)one->arg;

	if ((one->flags & TRANSITION_FIRST) != 0) {
		expect_state(life, GOROUTINE_ABSENT);
		be(life, state,
		   clock_ns(&m.clock, origin != INT64_MIN ? origin : one->now));
	} else if (origin != INT64_MIN) {
		expect_state(life, state);
	} else {
		expect_state(life, GOROUTINE_READY);
		assert_true((one->flags & TRANSITION_LISTED) != 0);
		life->state = state;
		life->since = clock_ns(&m.clock, one->now);
	}
}

static void take_assist(struct model_life *life, const struct transition *one,
			bool begins)
{
	be(life, life->state, clock_ns(&m.clock, one->now));
	life->assists = begins;
}

/* The goroutine of LOSE is in a call since the event before that. */
static void lose(struct model_life *life)
{
	int64_t now = life->called;

	if (life->state == GOROUTINE_IN_CALL)
		return;
	expect_state(life, GOROUTINE_RUNS);
	be(life, GOROUTINE_IN_CALL, now);
}

static void take_call(struct model_life *life, const struct transition *one)
{
	if ((one->flags & TRANSITION_MAY_BE_CALL) == 0)
		change(life, one, GOROUTINE_RUNS, GOROUTINE_IN_CALL);
	expect_state(life, life->state);
	life->called = clock_ns(&m.clock, one->now);
}

static void take(const struct transition *one, uint64_t g, int64_t origin)
{
	struct model_life *life = &m.lives[one->g];

	if (life->number != g && life->state != GOROUTINE_BLOCKED)
		expect_state(life, GOROUTINE_ABSENT);
	life->number = g;
	switch (one->kind) {
	case TRANSITION_CREATE:
		change(life, one, GOROUTINE_ABSENT, GOROUTINE_READY);
		break;
	case TRANSITION_CREATE_BLOCKED:
		change(life, one, GOROUTINE_ABSENT, GOROUTINE_BLOCKED);
		break;
	case TRANSITION_CREATE_IN_CALL:
		change(life, one, GOROUTINE_ABSENT, GOROUTINE_IN_CALL);
		break;
	case TRANSITION_STATUS:
		take_status(life, one, origin);
		break;
	case TRANSITION_READY:
		change(life, one, GOROUTINE_BLOCKED, GOROUTINE_READY);
		break;
	case TRANSITION_START:
		/* One that was listed has run since. */
		if ((one->flags & TRANSITION_LISTED) != 0)
			life->state = GOROUTINE_RUNS;
		else
			change(life, one, GOROUTINE_READY, GOROUTINE_RUNS);
		break;
	case TRANSITION_PREEMPT:
		change(life, one, GOROUTINE_RUNS, GOROUTINE_READY);
		break;
	case TRANSITION_BLOCK:
		change(life, one, GOROUTINE_RUNS, GOROUTINE_BLOCKED);
		break;
	case TRANSITION_END:
		change(life, one, GOROUTINE_RUNS, GOROUTINE_ABSENT);
		life->assists = false;
		break;
	case TRANSITION_CALL:
		take_call(life, one);
		break;
	case TRANSITION_LOSE:
		lose(life);
		break;
	case TRANSITION_RETURN:
		change(life, one, GOROUTINE_IN_CALL, GOROUTINE_RUNS);
		break;
	case TRANSITION_RETURN_READY:
		change(life, one, GOROUTINE_IN_CALL, GOROUTINE_READY);
		break;
	case TRANSITION_END_IN_CALL:
		change(life, one, GOROUTINE_IN_CALL, GOROUTINE_ABSENT);
		life->assists = false;
		break;
	case TRANSITION_ASSIST:
	case TRANSITION_ASSIST_ON:
	case TRANSITION_ASSIST_END:
		take_assist(life, one, one->kind != TRANSITION_ASSIST_END);
		break;
	case TRANSITION_GIVE_UP:
		if ((one->flags & TRANSITION_LOSES) != 0)
			expect_state(life, GOROUTINE_IN_CALL);
		break;
	default:
		break;
	}
}

/* The goroutine from which ONE takes a processor is in a system call. */
static void take_steal(const struct transition *one)
{
	if ((one->flags & TRANSITION_LOSES) == 0) {
		assert_int_equal(one->arg, 0);
		return;
	}
	assert_true(one->arg != 0);
	expect_state(&m.lives[one->arg], GOROUTINE_IN_CALL);
}

/* The times of the states are those of the report. */
static void check_times(const char *path)
{
	struct gtrace_request request = REQUEST(.goroutines = 1);
	struct gtrace_reports *reports;
	const struct gtrace_times *times;
	struct gtrace *trace;
	int64_t blocked = 0;
	size_t i;

	assert_int_equal(gtrace_open_path(path, NULL, &trace, NULL), GTRACE_OK);
	if (gtrace_analyse(trace, &request, &reports, NULL) != GTRACE_OK) {
		gtrace_close(trace);
		return; /* a hostile trace: some slice is below zero */
	}
	times = &reports->goroutines->times;
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		if (i != GTRACE_BLOCK_SYSCALL)
			blocked += times->blocked[i];
	if (times->ran != m.times[GOROUTINE_RUNS] ||
	    times->assisted != m.times[ASSISTS] ||
	    times->ready != m.times[GOROUTINE_READY] ||
	    times->blocked[GTRACE_BLOCK_SYSCALL] !=
		    m.times[GOROUTINE_IN_CALL] ||
	    blocked != m.times[GOROUTINE_BLOCKED])
		fail_msg("%s: ran %lld %lld, assisted %lld %lld, ready %lld "
			 "%lld, in calls %lld %lld, blocked %lld %lld",
			 path, (long long)times->ran,
			 (long long)m.times[GOROUTINE_RUNS],
			 (long long)times->assisted,
			 (long long)m.times[ASSISTS], (long long)times->ready,
			 (long long)m.times[GOROUTINE_READY],
			 (long long)times->blocked[GTRACE_BLOCK_SYSCALL],
			 (long long)m.times[GOROUTINE_IN_CALL],
			 (long long)blocked,
			 (long long)m.times[GOROUTINE_BLOCKED]);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

static void check_states(const struct run *run, const char *path)
{
	size_t slots = run->feed.goroutines.numbers.count + 1, i;

	memset(&m, 0, sizeof(m));
	m.clock = run->observer.clock;
	m.lives = calloc(slots, sizeof(*m.lives));
	assert_non_null(m.lives);
	for (i = 0; i < slots; i++)
		m.lives[i].state = GOROUTINE_ABSENT;
	for (i = 0; i < run->transitions.count; i++) {
		m.from = i;
		if (transition_at(run, i)->kind == TRANSITION_STEAL)
			take_steal(transition_at(run, i));
		if (transition_at(run, i)->g != 0)
			take(transition_at(run, i),
			     ((const uint64_t *)run->numbers.items)[2 * i],
			     run->feed.origin);
	}
	for (i = 0; i < slots; i++)
		be(&m.lives[i], GOROUTINE_ABSENT, clock_ns(&m.clock, run->end));
	free(m.lives);
	check_times(path);
}

/*
 * Up to Go 1.21 creations before the first processor is held list what is
 * there; no other creation does.
 */
static void check_listed(const struct run *run)
{
	bool lists = run->feed.origin == INT64_MIN;
	size_t i;

	for (i = 0; i < run->transitions.count; i++) {
		const struct transition *one = transition_at(run, i);

		lists = lists && one->kind != TRANSITION_HOLD;
		assert_int_equal((one->flags & TRANSITION_BEFORE) != 0,
				 lists && one->kind == TRANSITION_CREATE);
	}
}

static unsigned checked;

static void check(const char *path)
{
	struct run run;

	at = path;
	if (!open_run(&run, path))
		return;
	if (follow(&run, true)) {
		checked++;
		check_events(&run);
		check_same(&run, path);
		check_states(&run, path);
		check_listed(&run);
	}
	close_run(&run);
}

static void test_stream(void **state)
{
	(void)state;
	each_trace(check);
	assert_true(checked > 80);
}

/* ----------------------------------------------------------------- slots -- */

/* A slot that was given back is another one's only after the batch. */
static void test_slots(void **state)
{
	struct actors actors = {.memory = &memory};
	uint32_t first, second;

	(void)state;
	first = gti_actors_take(&actors, 7);
	assert_int_equal(first, 1);
	assert_true(gti_actors_release(&actors, first));
	second = gti_actors_take(&actors, 8);
	assert_int_equal(second, 2);
	assert_int_equal(actors_number(&actors, first), 7);
	actors_settle(&actors);
	assert_true(gti_actors_release(&actors, second));
	assert_int_equal(gti_actors_take(&actors, 9), first);
	assert_int_equal(actors_number(&actors, first), 9);
	assert_int_equal(gti_actors_take(&actors, 10), 3);
	actors_settle(&actors);
	assert_int_equal(gti_actors_take(&actors, 11), second);
	gti_actors_free(&actors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_slots),
	};

	memory = gti_allocator_or_default(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
