/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_test.c - the stop-the-world pauses of random runs of transitions, whose
 * times run back and forth, against a model that keeps everything and looks
 * through all of it for each stop.
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

#define STEPS      9000
#define PROCESSORS 6
#define STOPS      (STEPS + 1)

/* Types of events, as a format would have them. */
enum { LEAVES = 5, GIVES_UP = 6 };

/* No such time, and no such goroutine. */
#define NONE (-1)

/* The thread of each goroutine that stops the world. */
#define STOPPER 100

/* A slice on a processor. */
struct model_slice {
	int64_t g, start, left;
	bool given_up; /* a give-up ended it */
};

/* What the model knows of a give-up. */
struct given {
	int64_t p, time, held_since;
	bool in_call;
	struct model_slice slice;
};

struct taken {
	int64_t p, time, thread;
};

struct begun {
	int64_t p, g, procs, requested, restarting, ended;
	size_t given; /* give-ups that count: all but the later ones */
	bool all;     /* all of the run count */
	int64_t last;
};

struct run {
	uint64_t random;
	struct transition steps[STEPS];
	struct given given[STEPS];
	size_t given_count;
	struct taken taken[STEPS];
	size_t taken_count;
	struct begun begun[STOPS];
	size_t begun_count;
	bool open;
	bool total_to_mark;
	int64_t procs;
	struct gtrace_stop found[STOPS];
	struct gtrace_late late[STOPS][PROCESSORS];
	size_t found_count;
};

/* --------------------------------------------------------------- a run -- */

/* The state of a processor, to make steps that fit. */
struct state {
	bool held, runs, calls;
	uint32_t g; /* that runs, or ran last */
};

static const enum transition_kind kinds[] = {
	TRANSITION_START,  TRANSITION_BLOCK, TRANSITION_CALL,
	TRANSITION_RETURN, TRANSITION_HOLD,  TRANSITION_GIVE_UP,
	TRANSITION_STOP,   TRANSITION_PROCS, TRANSITION_STOP_END,
};

/* Whether KIND can happen on a processor in STATE, which it changes. */
static bool happens(enum transition_kind kind, struct state *state)
{
	switch (kind) {
	case TRANSITION_START:
		if (!state->held || state->runs)
			return false;
		state->runs = true;
		return true;
	case TRANSITION_BLOCK:
		if (!state->runs || state->calls)
			return false;
		state->runs = false;
		return true;
	case TRANSITION_CALL:
		if (!state->runs || state->calls)
			return false;
		state->calls = true;
		return true;
	case TRANSITION_RETURN:
		if (!state->calls)
			return false;
		state->calls = false;
		return true;
	case TRANSITION_HOLD:
		if (state->held)
			return false;
		state->held = true;
		return true;
	case TRANSITION_GIVE_UP:
		if (!state->held || (state->runs && !state->calls))
			return false;
		*state = (struct state){.g = state->g};
		return true;
	default:
		return true;
	}
}

static enum transition_kind choose(struct state *state, bool open,
				   uint64_t *random)
{
	for (;;) {
		enum transition_kind kind = kinds[random_below(
			random, sizeof(kinds) / sizeof(kinds[0]))];

		/* A stop inside another is rare. */
		if (kind == TRANSITION_STOP && open &&
		    random_below(random, 50) != 0)
			continue;
		if (happens(kind, state))
			return kind;
	}
}

static void make_steps(struct run *run)
{
	struct state states[PROCESSORS] = {{0}};
	uint64_t *random = &run->random;
	uint64_t late = random_below(random, 3);
	bool open = false;
	size_t i;

	for (i = 0; i < STEPS; i++) {
		struct transition *step = &run->steps[i];
		int64_t p = (int64_t)random_below(random, PROCESSORS);

		step->p = slot_of_p(p);
		step->kind = (uint8_t)choose(&states[p], open, random);
		step->g = (uint32_t)random_below(random, 4) + 1;
		if (step->kind == TRANSITION_START)
			states[p].g = step->g;
		if (step->kind == TRANSITION_CALL)
			step->g = states[p].g;
		step->by = step->g;
		step->m = step->kind == TRANSITION_STOP ? STOPPER : step->g;
		step->arg = (uint64_t)p;
		step->stack = 1;
		step->type =
			step->kind == TRANSITION_GIVE_UP ? GIVES_UP : LEAVES;
		step->now = step->written = (int64_t)(10000 + i * 10);
		/* The thread wrote it long before it came out. */
		if (late != 0 && random_below(random, 8) == 0)
			step->written -= (int64_t)random_below(
				random, late == 1 ? 60 : 5000);
		if (step->kind == TRANSITION_STOP)
			open = true;
		if (step->kind == TRANSITION_STOP_END)
			open = false;
	}
}

/* ------------------------------------------------------------ the model -- */

/* What the model knows of a processor. */
struct known {
	struct model_slice last, now;
	bool runs, calls;
	int64_t held_since, call;
};

static void give(struct run *run, struct known *known, int64_t p, int64_t time)
{
	struct given *given = &run->given[run->given_count++];

	*given = (struct given){
		.p = p,
		.time = time,
		.held_since = known->held_since,
		.in_call = known->runs,
		.slice = known->last,
	};
	if (!known->runs)
		return;
	given->slice = known->now;
	given->slice.left = known->call;
	known->last = known->now;
	known->last.left = time;
	known->last.given_up = true;
	known->runs = known->calls = false;
}

static void begin(struct run *run, const struct transition *step)
{
	struct begun *begun = &run->begun[run->begun_count];

	if (run->open) {
		begun[-1].given = run->given_count;
		begun[-1].all = false;
		begun[-1].last = step->written;
	}
	run->begun_count++;
	run->open = true;
	*begun = (struct begun){
		.p = (int64_t)step->p - 1,
		.g = step->g,
		.procs = run->procs,
		.requested = step->written,
		.restarting = NONE,
		.ended = NONE,
		.all = true,
	};
}

static void model(struct run *run)
{
	struct known known[PROCESSORS];
	size_t i;

	for (i = 0; i < PROCESSORS; i++)
		known[i] = (struct known){
			.last = {.g = NONE, .start = NONE, .left = NONE},
			.held_since = NONE,
		};
	for (i = 0; i < STEPS; i++) {
		const struct transition *step = &run->steps[i];
		int64_t p = (int64_t)step->p - 1, time = step->written;
		struct known *k = &known[p];
		struct begun *open =
			run->open ? &run->begun[run->begun_count - 1] : NULL;

		switch (step->kind) {
		case TRANSITION_START:
			k->runs = true;
			k->now = (struct model_slice){.g = step->g,
						      .start = time};
			break;
		case TRANSITION_BLOCK:
			k->runs = false;
			k->last = k->now;
			k->last.left = time;
			break;
		case TRANSITION_CALL:
			k->calls = true;
			k->call = time;
			break;
		case TRANSITION_RETURN:
			k->calls = false;
			break;
		case TRANSITION_HOLD:
			k->held_since = time;
			run->taken[run->taken_count++] =
				(struct taken){p, time, step->m};
			break;
		case TRANSITION_GIVE_UP:
			give(run, k, p, time);
			k->held_since = NONE;
			break;
		case TRANSITION_STOP:
			begin(run, step);
			break;
		case TRANSITION_PROCS:
			if (run->open && open->g == step->g &&
			    open->restarting == NONE)
				open->restarting = time;
			run->procs = (int64_t)step->arg;
			break;
		default:
			if (run->open)
				open->ended = time;
			run->open = false;
			break;
		}
	}
}

/* The last give-up of P that counts for BEGUN, or NULL. */
static const struct given *last_given(const struct run *run,
				      const struct begun *begun, int64_t p,
				      int64_t to)
{
	size_t i = begun->all ? run->given_count : begun->given;

	while (i-- > 0)
		if (run->given[i].p == p &&
		    run->given[i].time >= begun->requested &&
		    run->given[i].time <= to)
			return &run->given[i];
	return NULL;
}

static void check_late(const struct given *given, const struct begun *begun,
		       const struct gtrace_late *late)
{
	bool is_recent = !given->in_call && !given->slice.given_up &&
			 given->slice.g != NONE &&
			 given->slice.left >= begun->requested &&
			 given->slice.left >= given->held_since;
	int64_t start = given->slice.start, own = 0;
	bool ran;

	if (start < begun->requested)
		start = begun->requested;
	if (given->in_call)
		own = given->time - start;
	else if (is_recent)
		own = given->slice.left - start;
	own = greatest_of(own, 0);
	ran = is_recent && 2 * own >= given->time - begun->requested;

	assert_int_equal(late->gave_up, given->time);
	assert_int_equal(late->g, given->slice.g);
	assert_int_equal(late->left, given->slice.left);
	assert_int_equal(late->own, own);
	if (given->in_call) {
		assert_int_equal(late->how, GTRACE_LATE_SYSCALL);
		assert_string_equal(late->event, type_name(GIVES_UP));
	} else if (ran) {
		assert_int_equal(late->how, GTRACE_LATE_RAN);
		assert_string_equal(late->event, type_name(LEAVES));
	} else {
		assert_int_equal(late->how, GTRACE_LATE_SCHEDULER);
		assert_string_equal(late->event, type_name(GIVES_UP));
	}
	assert_int_equal(late->start, given->in_call || is_recent
					      ? given->slice.start
					      : NONE);
}

/* The late processors of STOP, in their order. Returns when it was obtained. */
static int64_t check_all_late(const struct run *run, const struct begun *begun,
			      const struct gtrace_stop *stop, int64_t to)
{
	const struct gtrace_late *late = stop->late;
	int64_t obtained = begun->requested, p;
	size_t count = 0, i;

	for (p = 0; p < PROCESSORS; p++) {
		const struct given *given = NULL;

		if (p != begun->p)
			given = last_given(run, begun, p, to);
		if (given == NULL)
			continue;
		for (i = 0; i < stop->late_count; i++)
			if (late[i].p == p)
				break;
		assert_true(i < stop->late_count);
		check_late(given, begun, &late[i]);
		if (count++ == 0 || given->time > obtained)
			obtained = given->time;
	}
	assert_int_equal(stop->late_count, count);
	for (i = 1; i < count; i++) {
		const struct gtrace_late *a = &late[i - 1], *b = a + 1;

		assert_true(a->gave_up > b->gave_up ||
			    (a->gave_up == b->gave_up && a->p < b->p));
	}
	return obtained;
}

static int64_t first_taken(const struct run *run, const struct begun *begun)
{
	int64_t first = begun->ended;
	size_t i;

	for (i = 0; i < run->taken_count; i++) {
		const struct taken *taken = &run->taken[i];

		if (begun->restarting != NONE &&
		    taken->time >= begun->restarting && taken->time < first &&
		    taken->p != begun->p && taken->thread != STOPPER)
			first = taken->time;
	}
	return first;
}

static void check_stop(const struct run *run, const struct begun *begun,
		       const struct gtrace_stop *stop, int64_t last)
{
	const struct gtrace_late *late = stop->late;
	int64_t to = begun->restarting, waited;
	size_t i;

	if (to == NONE)
		to = begun->ended;
	if (to == NONE)
		to = begun->all ? last : begun->last;
	assert_int_equal(stop->requested, begun->requested);
	assert_int_equal(stop->restarting, begun->restarting);
	assert_int_equal(stop->ended, begun->ended);
	assert_int_equal(stop->procs, begun->procs);
	assert_int_equal(stop->obtained, check_all_late(run, begun, stop, to));
	assert_int_equal(stop->stopping,
			 greatest_of(stop->obtained - begun->requested, 0));
	assert_int_equal(stop->measured, begun->ended != NONE);
	waited = (stop->idle + 1) * stop->stopping;
	for (i = 0; i < stop->late_count; i++)
		waited += stop->obtained - late[i].gave_up;
	assert_int_equal(stop->waited, waited);
	if (!stop->measured)
		return;
	assert_int_equal(stop->restarted, first_taken(run, begun));
	assert_int_equal(stop->stopped,
			 greatest_of(stop->restarted - stop->obtained, 0));
	to = run->total_to_mark && begun->restarting != NONE ? begun->restarting
							     : begun->ended;
	assert_int_equal(stop->total, greatest_of(to - begun->requested, 0));
}

/* ------------------------------------------------------------- the test -- */

static void find(void *context, const struct gtrace_stop *stop)
{
	struct run *run = context;
	size_t count = run->found_count++;

	assert_true(count < STOPS && stop->late_count < PROCESSORS);
	run->found[count] = *stop;
	if (stop->late_count != 0)
		memcpy(run->late[count], stop->late,
		       stop->late_count * sizeof(stop->late[0]));
	run->found[count].late = run->late[count];
}

static void test_random(void **state)
{
	static const size_t batches[] = {1, 7, 100, BATCH_TRANSITIONS};
	unsigned round;
	size_t i;

	(void)state;
	for (round = 0; round < 40; round++) {
		struct run *run = zeroed(1, sizeof(*run));
		const struct script script = {run->steps, STEPS, 0};

		run->random = round + 1;
		make_steps(run);
		run->total_to_mark = round % 2 == 0;
		find_stops(&script, batches[round % 4], run->total_to_mark,
			   find, run);
		model(run);
		assert_int_equal(run->found_count, run->begun_count);
		assert_true(run->begun_count > 50);
		for (i = 0; i < run->found_count; i++) {
			uint64_t number = run->found[i].number;

			check_stop(run, &run->begun[number - 1], &run->found[i],
				   run->steps[STEPS - 1].written);
		}
		free(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
