/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_test.c - the stops of the world of random runs of transitions, whose
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

#include "analysis/stops.h"
#include "tests/model.h"

#define STEPS      9000
#define PROCESSORS 6
#define STOPS      (STEPS + 1)

/* Types of events, as a format would have them. */
enum { LEAVES = 5, GIVES_UP = 6, STEALS = 7 };

enum action {
	STARTS,
	LEAVES_P,
	CALLS,
	RETURNS,
	TAKES,
	GIVES,
	BEGINS,
	MARKS,
	ENDS,
	ACTIONS
};

struct step {
	enum action action;
	int64_t p;
	uint64_t g; /* or thread, or number of processors */
	int64_t time;
};

/* What the model knows of a give-up. */
struct given {
	int64_t p, time, held_since;
	bool in_call;
	struct processor_slice slice;
};

struct taken {
	int64_t p, time, thread;
};

struct begun {
	int64_t p, thread, requested, restarting, ended;
	uint64_t g, procs;
	size_t given; /* give-ups that count: all but the later ones */
	bool all;     /* all of the run count */
	int64_t last;
};

struct run {
	uint64_t random;
	struct step steps[STEPS];
	int64_t least[STEPS + 1]; /* time of the steps from there on */
	size_t at;
	struct given given[STEPS];
	size_t given_count;
	struct taken taken[STEPS];
	size_t taken_count;
	struct begun begun[STOPS];
	size_t begun_count;
	bool open;
	bool total_to_mark;
	uint64_t procs;
	struct stop found[STOPS];
	struct late late[STOPS][PROCESSORS];
	size_t found_count;
};

static int64_t horizon(const void *context)
{
	const struct run *run = context;

	return run->least[run->at + 1];
}

/* --------------------------------------------------------------- a run -- */

/* The state of a processor, to make steps that fit. */
struct state {
	bool held, runs, calls;
};

static enum action choose(struct state *state, bool open, uint64_t *random)
{
	for (;;) {
		enum action action = (enum action)random_below(random, ACTIONS);

		switch (action) {
		case STARTS:
			if (!state->held || state->runs)
				continue;
			state->runs = true;
			return action;
		case LEAVES_P:
			if (!state->runs || state->calls)
				continue;
			state->runs = false;
			return action;
		case CALLS:
			if (!state->runs || state->calls)
				continue;
			state->calls = true;
			return action;
		case RETURNS:
			if (!state->calls)
				continue;
			state->calls = false;
			return action;
		case TAKES:
			if (state->held)
				continue;
			state->held = true;
			return action;
		case GIVES:
			if (!state->held || (state->runs && !state->calls))
				continue;
			*state = (struct state){0};
			return action;
		case BEGINS:
			/* One inside another is rare. */
			if (open && random_below(random, 50) != 0)
				continue;
			return action;
		default:
			return action;
		}
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
		struct step *step = &run->steps[i];

		step->p = (int64_t)random_below(random, PROCESSORS);
		step->action = choose(&states[step->p], open, random);
		step->g = random_below(random, 4) + 1;
		step->time = (int64_t)(1000 + i * 10);
		/* The thread wrote it long before it came out. */
		if (late != 0 && random_below(random, 8) == 0)
			step->time -= (int64_t)random_below(
				random, late == 1 ? 60 : 5000);
		if (step->action == BEGINS)
			open = true;
		if (step->action == ENDS)
			open = false;
	}
	run->least[STEPS] = INT64_MAX;
	for (i = STEPS; i-- > 0;)
		run->least[i] = run->steps[i].time < run->least[i + 1]
					? run->steps[i].time
					: run->least[i + 1];
}

/* ------------------------------------------------------------ the model -- */

/* What the model knows of a processor. */
struct known {
	struct processor_slice last, now;
	bool runs, calls;
	int64_t held_since, call;
};

static void give(struct run *run, struct known *known, const struct step *step)
{
	struct given *given = &run->given[run->given_count++];

	*given = (struct given){
		.p = step->p,
		.time = step->time,
		.held_since = known->held_since,
		.in_call = known->runs,
		.slice = known->last,
	};
	if (!known->runs)
		return;
	given->slice = known->now;
	given->slice.left = known->call;
	known->last = known->now;
	known->last.left = step->time;
	known->last.type = SLICE_GIVEN_UP;
	known->runs = known->calls = false;
}

static void begin(struct run *run, const struct step *step)
{
	struct begun *begun = &run->begun[run->begun_count];

	if (run->open) {
		begun[-1].given = run->given_count;
		begun[-1].all = false;
		begun[-1].last = step->time;
	}
	run->begun_count++;
	run->open = true;
	*begun = (struct begun){
		.p = step->p,
		.g = step->g,
		.thread = 100,
		.procs = run->procs,
		.requested = step->time,
		.restarting = TIME_NONE,
		.ended = TIME_NONE,
		.all = true,
	};
}

static void model(struct run *run)
{
	struct known known[PROCESSORS];
	size_t i;

	for (i = 0; i < PROCESSORS; i++)
		known[i] = (struct known){
			.last = {.g = STOP_NO_G,
				 .start = TIME_NONE,
				 .left = TIME_NONE},
			.held_since = TIME_NONE,
		};
	for (i = 0; i < STEPS; i++) {
		const struct step *step = &run->steps[i];
		struct known *k = &known[step->p];
		struct begun *open =
			run->open ? &run->begun[run->begun_count - 1] : NULL;

		switch (step->action) {
		case STARTS:
			k->runs = true;
			k->now = (struct processor_slice){.g = step->g,
							  .start = step->time};
			break;
		case LEAVES_P:
			k->runs = false;
			k->last = k->now;
			k->last.left = step->time;
			k->last.type = LEAVES;
			break;
		case CALLS:
			k->calls = true;
			k->call = step->time;
			break;
		case RETURNS:
			k->calls = false;
			break;
		case TAKES:
			k->held_since = step->time;
			run->taken[run->taken_count++] = (struct taken){
				step->p, step->time, (int64_t)step->g};
			break;
		case GIVES:
			give(run, k, step);
			k->held_since = TIME_NONE;
			break;
		case BEGINS:
			begin(run, step);
			break;
		case MARKS:
			if (run->open && open->g == step->g &&
			    open->restarting == TIME_NONE)
				open->restarting = step->time;
			run->procs = (uint64_t)step->p;
			break;
		default:
			if (run->open)
				open->ended = step->time;
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
		       const struct late *late)
{
	bool is_recent = !given->in_call &&
			 given->slice.type != SLICE_GIVEN_UP &&
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
	ran = is_recent && 2 * own >= given->time - begun->requested;

	assert_int_equal(late->gave_up, given->time);
	assert_int_equal(late->g, given->slice.g);
	assert_int_equal(late->left, given->slice.left);
	assert_int_equal(late->own, own);
	if (given->in_call) {
		assert_int_equal(late->how, GTRACE_LATE_SYSCALL);
		assert_int_equal(late->type, GIVES_UP);
	} else if (ran) {
		assert_int_equal(late->how, GTRACE_LATE_RAN);
		assert_int_equal(late->type, LEAVES);
	} else {
		assert_int_equal(late->how, GTRACE_LATE_SCHEDULER);
		assert_int_equal(late->type, GIVES_UP);
	}
	assert_int_equal(late->start, given->in_call || is_recent
					      ? given->slice.start
					      : TIME_NONE);
}

/* The late processors of STOP, in their order. Returns when it was obtained. */
static int64_t check_all_late(const struct run *run, const struct begun *begun,
			      const struct stop *stop, int64_t to)
{
	const struct late *late = stop->late.items;
	int64_t obtained = begun->requested, p;
	size_t count = 0, i;

	for (p = 0; p < PROCESSORS; p++) {
		const struct given *given = NULL;

		if (p != begun->p)
			given = last_given(run, begun, p, to);
		if (given == NULL)
			continue;
		for (i = 0; i < stop->late.count; i++)
			if (late[i].p == p)
				break;
		assert_true(i < stop->late.count);
		check_late(given, begun, &late[i]);
		if (count++ == 0 || given->time > obtained)
			obtained = given->time;
	}
	assert_int_equal(stop->late.count, count);
	for (i = 1; i < count; i++) {
		const struct late *a = &late[i - 1], *b = a + 1;

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

		if (begun->restarting != TIME_NONE &&
		    taken->time >= begun->restarting && taken->time < first &&
		    taken->p != begun->p && taken->thread != begun->thread)
			first = taken->time;
	}
	return first;
}

static void check_stop(const struct run *run, const struct begun *begun,
		       const struct stop *stop, int64_t last)
{
	const struct late *late = stop->late.items;
	int64_t to = begun->restarting;
	uint64_t waited;
	size_t i;

	if (to == TIME_NONE)
		to = begun->ended;
	if (to == TIME_NONE)
		to = begun->all ? last : begun->last;
	assert_int_equal(stop->requested, begun->requested);
	assert_int_equal(stop->restarting, begun->restarting);
	assert_int_equal(stop->ended, begun->ended);
	assert_int_equal(stop->procs, begun->procs);
	assert_int_equal(stop->obtained, check_all_late(run, begun, stop, to));
	assert_int_equal(stop->stopping, stop->obtained - begun->requested);
	assert_int_equal(stop->measured, begun->ended != TIME_NONE);
	waited = (stop->idle + 1) * (uint64_t)stop->stopping;
	for (i = 0; i < stop->late.count; i++)
		waited += (uint64_t)(stop->obtained - late[i].gave_up);
	assert_int_equal(stop->waited, waited);
	if (!stop->measured)
		return;
	assert_int_equal(stop->restarted, first_taken(run, begun));
	assert_int_equal(stop->stopped, stop->restarted - stop->obtained);
	to = run->total_to_mark && begun->restarting != TIME_NONE
		     ? begun->restarting
		     : begun->ended;
	assert_int_equal(stop->total, to - begun->requested);
}

/* ------------------------------------------------------------- the test -- */

static bool find(void *context, const struct stop *stop)
{
	struct run *run = context;
	size_t count = run->found_count++;

	assert_true(stop->late.count < PROCESSORS);
	run->found[count] = *stop;
	if (stop->late.count != 0)
		memcpy(run->late[count], stop->late.items,
		       stop->late.count * sizeof(struct late));
	run->found[count].late.items = run->late[count];
	return true;
}

static const char mark_termination[] = "GC mark termination";

static void take_step(struct stops *stops, const struct step *step)
{
	struct stop_processor *p = gti_stops_processor(stops, step->p);
	struct event event = {.type = LEAVES, .p = step->p, .g = step->g};

	event.ticks = step->time;
	switch (step->action) {
	case STARTS:
		stops_start(p, step->g, step->time);
		break;
	case LEAVES_P:
		stops_leave(p, &event, step->time);
		break;
	case CALLS:
		stops_call(p, p->slice.g, 1, step->time);
		break;
	case RETURNS:
		p->in_call = false;
		break;
	case TAKES:
		stops_hold(stops, p, (int64_t)step->g, step->time);
		break;
	case GIVES:
		gti_stops_give_up(stops, p, GIVES_UP, p->in_call, step->time);
		break;
	case BEGINS:
		gti_stops_begin(
			stops, p, step->g, 100,
			(struct gtrace_string){mark_termination,
					       sizeof(mark_termination) - 1},
			&event, step->time);
		break;
	case MARKS:
		gti_stops_mark(stops, p, (uint64_t)step->p, &event, step->time);
		break;
	default:
		gti_stops_end(stops, step->time);
		break;
	}
	stops->last = step->time;
}

static void test_random(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct clock clock = {0, 0};
	unsigned round;
	size_t i;

	(void)state;
	for (round = 0; round < 40; round++) {
		struct run *run = calloc(1, sizeof(*run));
		struct stops stops;

		assert_non_null(run);
		run->random = round + 1;
		make_steps(run);
		gti_stops_init(&stops, 0, &clock, &memory);
		stops.each = find;
		stops.each_context = run;
		run->total_to_mark = round % 2 == 0;
		stops.format.begins = true;
		stops.format.total_to_mark = run->total_to_mark;
		stops.format.horizon = horizon;
		stops.format.context = run;
		for (run->at = 0; run->at < STEPS; run->at++)
			take_step(&stops, &run->steps[run->at]);
		gti_stops_finish(&stops);
		assert_false(stops.failed);
		model(run);
		assert_int_equal(run->found_count, run->begun_count);
		assert_true(run->begun_count > 50);
		for (i = 0; i < run->found_count; i++) {
			uint64_t number = run->found[i].number;

			check_stop(run, &run->begun[number - 1], &run->found[i],
				   run->steps[STEPS - 1].time);
		}
		gti_stops_free(&stops);
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
