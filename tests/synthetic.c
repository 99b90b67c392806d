/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic.c - what happens in a synthetic trace.
 *
 * Each step picks a processor and lets it do the next thing: start, take a
 * goroutine, or let its goroutine do something. What a goroutine waits for is
 * not simulated: a goroutine that unblocks another one picks one that waits.
 */
#include "synthetic.h"

#include <stdio.h>

#include "synthetic_scheduler.h"

/* Goroutines a processor queues for itself before it stops waking others. */
#define QUEUE_LIMIT 4

/* Events between two collections at least, and by processor. */
#define GC_EVENTS               30000
#define GC_EVENTS_PER_PROCESSOR 100

/* One event in this many is sampled by the profiler. */
#define SAMPLE_ONE_IN 200

/* --------------------------------------------------------- collector -- */

/* A goroutine of the collector runs on P. */
static void start_worker(struct scheduler *s, uint32_t p)
{
	uint32_t g =
		pool_take(&s->workers, scheduler_random(s, s->workers.count));
	struct goroutine *goroutine = &s->goroutines[g];
	uint64_t label;

	scheduler_unblock(s, p, g, 0);
	if (s->options->version < 1008) {
		scheduler_start(s, p, g);
		return;
	}
	label = writer_string(&s->writer, p,
			      STRING_LABELS + scheduler_random(s, LABEL_COUNT));
	writer_event3(&s->writer, p, EV_GO_START_LABEL, goroutine->id,
		      goroutine->sequence, label);
	goroutine->sequence++;
	s->processors[p].running = g;
}

/* Takes from P what it runs, and stops it. */
static void halt(struct scheduler *s, uint32_t p)
{
	struct processor *processor = &s->processors[p];

	if (processor->running != NONE && scheduler_running(s, p)->worker)
		pool_add(&s->workers, scheduler_leave(s, p, EV_GO_BLOCK));
	else if (processor->running != NONE)
		scheduler_yield(s, p, EV_GO_PREEMPT);
	if (processor->started)
		scheduler_stop_processor(s, p);
}

static void halt_others(struct scheduler *s, uint32_t p)
{
	uint32_t i;

	for (i = 0; i < s->options->processors; i++)
		if (i != p)
			halt(s, i);
}

/* Why the world stops, in the numbers of the version. */
static uint64_t stw_reason(const struct scheduler *s, bool mark_termination)
{
	if (s->options->version >= 1021)
		return mark_termination ? 1 : 2;
	return mark_termination ? 0 : 1;
}

static void stop_the_world(struct scheduler *s, uint32_t p, bool termination)
{
	halt_others(s, p);
	writer_strict(&s->writer);
	if (s->options->version >= 1010)
		writer_event1(&s->writer, p, EV_STW_START,
			      stw_reason(s, termination));
	else
		writer_event0(&s->writer, p, EV_STW_START);
	writer_event2(&s->writer, p, EV_GOMAXPROCS, s->options->processors,
		      scheduler_stack(s));
	writer_event0(&s->writer, p, EV_STW_DONE);
	writer_strict(&s->writer);
}

static void collector_phase(struct scheduler *s, uint32_t p)
{
	uint64_t pause = GC_EVENTS + (uint64_t)GC_EVENTS_PER_PROCESSOR *
					     s->options->processors;

	writer_strict(&s->writer);
	if (s->marking) {
		stop_the_world(s, p, true);
		writer_event0(&s->writer, p, EV_GC_DONE);
		writer_event1(&s->writer, p, EV_HEAP_GOAL,
			      (uint64_t)(4 + scheduler_random(s, 100)) << 20);
	} else {
		if (writer_is_old(&s->writer))
			writer_event1(&s->writer, p, EV_GC_START,
				      scheduler_stack(s));
		else
			writer_event2(&s->writer, p, EV_GC_START,
				      s->collections++, scheduler_stack(s));
		stop_the_world(s, p, false);
		pause /= 4;
	}
	writer_strict(&s->writer);
	s->marking = !s->marking;
	s->next_phase = s->writer.events + pause;
}

static void sweep(struct scheduler *s, uint32_t p)
{
	uint64_t swept = (uint64_t)(1 + scheduler_random(s, 20)) << 13;

	writer_event1(&s->writer, p, EV_GC_SWEEP_START, scheduler_stack(s));
	if (s->options->version >= 1009)
		writer_event2(&s->writer, p, EV_GC_SWEEP_DONE, swept,
			      swept / 2);
	else
		writer_event0(&s->writer, p, EV_GC_SWEEP_DONE);
}

static void assist(struct scheduler *s, uint32_t p)
{
	writer_event1(&s->writer, p, EV_GC_MARK_ASSIST_START,
		      scheduler_stack(s));
	writer_event0(&s->writer, p, EV_GC_MARK_ASSIST_DONE);
}

/* ------------------------------------------------------- user events -- */

/* A new task takes the place of one that ends. */
static void task(struct scheduler *s, uint32_t p)
{
	uint64_t *place = &s->tasks[scheduler_random(s, OPEN_TASKS)];
	uint64_t parent = s->tasks[scheduler_random(s, OPEN_TASKS)];
	uint64_t name = writer_string(
		&s->writer, p, STRING_TASKS + scheduler_random(s, TASK_COUNT));

	if (*place != 0)
		writer_event2(&s->writer, p, EV_USER_TASK_END, *place,
			      scheduler_stack(s));
	*place = ++s->last_task;
	writer_event4(&s->writer, p, EV_USER_TASK_CREATE, *place, parent, name,
		      scheduler_stack(s));
}

/* Opens a region inside the open ones, or closes the innermost. */
static void region(struct scheduler *s, uint32_t p)
{
	struct goroutine *g = scheduler_running(s, p);
	bool closes = g->regions == REGION_COUNT ||
		      (g->regions > 0 && scheduler_random(s, 2) == 0);
	unsigned depth = closes ? --g->regions : g->regions++;
	uint64_t name = writer_string(&s->writer, p, STRING_REGIONS + depth);

	writer_event4(&s->writer, p, EV_USER_REGION, g->id, closes, name,
		      scheduler_stack(s));
}

static void user_event(struct scheduler *s, uint32_t p)
{
	char message[64];

	switch (scheduler_random(s, 4)) {
	case 0:
		task(s, p);
		break;
	case 1:
		snprintf(message, sizeof(message), "value is %u",
			 (unsigned)scheduler_random(s, 100000));
		writer_log(&s->writer, p,
			   s->tasks[scheduler_random(s, OPEN_TASKS)],
			   STRING_KEYS + scheduler_random(s, KEY_COUNT),
			   message);
		break;
	default:
		region(s, p);
		break;
	}
}

/* --------------------------------------------------------- the steps -- */

static bool creation_is_due(const struct scheduler *s)
{
	const struct synthetic_options *o = s->options;

	return s->unused.count != 0 && s->created < o->churn &&
	       (double)s->created * (double)o->events <
		       (double)o->churn * (double)s->writer.events;
}

/* Where the next goroutine for P comes from, the nearest first. */
static uint32_t find_runnable(struct scheduler *s, uint32_t p)
{
	struct processor *victim;
	uint32_t g = NONE;

	if (scheduler_random(s, 61) != 0)
		g = scheduler_dequeue(s, &s->processors[p].queue);
	if (g == NONE)
		g = scheduler_dequeue(s, &s->runnable);
	if (g == NONE)
		g = scheduler_dequeue(s, &s->processors[p].queue);
	victim = &s->processors[scheduler_random(s, s->options->processors)];
	return g == NONE ? scheduler_dequeue(s, &victim->queue) : g;
}

/* Whether G, which is to start, finds that it was woken too late. */
static bool is_futile(struct scheduler *s, const struct goroutine *g)
{
	const struct synthetic_options *o = s->options;

	return o->futile != 0 && o->version <= 1008 && g->woken && !g->worker &&
	       scheduler_random(s, o->futile) == 0;
}

/* P has nothing to run. */
static void schedule(struct scheduler *s, uint32_t p)
{
	bool back = s->in_system_call.count != 0;
	uint32_t g, i;

	if (s->marking && s->workers.count != 0 &&
	    scheduler_random(s, 3) == 0) {
		start_worker(s, p);
		return;
	}
	g = back && scheduler_random(s, 3) == 0 ? NONE : find_runnable(s, p);
	if (g != NONE && is_futile(s, &s->goroutines[g])) {
		scheduler_start(s, p, g);
		scheduler_futile(s, p);
	} else if (g != NONE) {
		scheduler_start(s, p, g);
	} else if (back) {
		scheduler_system_call_exit(s, p);
	} else if (s->waiting.count != 0 && scheduler_random(s, 2) == 0) {
		/* the network or a timer wakes some */
		for (i = 1 + scheduler_random(s, 3);
		     i > 0 && s->waiting.count != 0; i--)
			scheduler_wake(s, p, 0);
	} else {
		scheduler_stop_processor(s, p);
	}
}

/* What a goroutine does most: work with others. */
static void cooperate(struct scheduler *s, uint32_t p, uint32_t dice)
{
	if (dice < 350 && s->waiting.count != 0 &&
	    s->processors[p].queue.count < QUEUE_LIMIT)
		scheduler_wake(s, p, scheduler_stack(s));
	else if (dice < 600)
		scheduler_block(s, p);
	else if (dice < 700)
		scheduler_yield(s, p, EV_GO_SCHED);
	else if (dice < 730)
		scheduler_yield(s, p, EV_GO_PREEMPT);
	else
		scheduler_system_call(s, p, dice >= 800);
}

/* The goroutine of P does something. */
static void act(struct scheduler *s, uint32_t p)
{
	struct goroutine *g = scheduler_running(s, p);
	unsigned version = s->options->version;
	uint32_t dice = scheduler_random(s, 1000);

	if (version >= 1019 && scheduler_random(s, SAMPLE_ONE_IN) == 0)
		writer_sample(&s->writer, p, g->id);
	if (g->worker) {
		if (scheduler_random(s, 4) == 0)
			pool_add(&s->workers,
				 scheduler_leave(s, p, EV_GO_BLOCK));
	} else if (s->writer.events >= s->next_phase) {
		collector_phase(s, p);
	} else if (g->life == 1) {
		scheduler_end(s, p);
	} else if (creation_is_due(s)) {
		scheduler_enqueue(
			s, &s->processors[p].queue,
			scheduler_create(
				s, p, (uint8_t)(2 + scheduler_random(s, 4))));
		s->created++;
	} else if (dice < 820) {
		if (g->life > 1)
			g->life--;
		cooperate(s, p, dice);
	} else if (dice < 920 || (dice >= 960 && version < 1011)) {
		writer_event1(&s->writer, p, EV_HEAP_ALLOC,
			      ((uint64_t)4 << 20) +
				      scheduler_random(s, 50 << 20));
	} else if (dice < 940 || (dice < 960 && version < 1009)) {
		sweep(s, p);
	} else if (dice < 960) {
		assist(s, p);
	} else {
		user_event(s, p);
	}
}

static void step(struct scheduler *s, uint32_t p)
{
	struct processor *processor = &s->processors[p];

	if (processor->running != NONE) {
		act(s, p);
	} else if (processor->started) {
		schedule(s, p);
	} else if (s->runnable.count != 0 || scheduler_random(s, 4) == 0) {
		writer_event1(&s->writer, p, EV_PROC_START,
			      p + 1 + scheduler_random(s, 3));
		processor->started = true;
	}
}

uint64_t synthetic_trace(const struct synthetic_options *options)
{
	struct scheduler s;
	uint32_t p;

	scheduler_open(&s, options);
	scheduler_begin(&s);
	s.next_phase = s.writer.events + GC_EVENTS / 2;
	while (s.writer.events < options->events)
		step(&s, scheduler_random(&s, options->processors));
	for (p = 0; p < options->processors; p++)
		halt(&s, p);
	writer_close(&s.writer, options->goroutines > 1 ? 2 : 0);
	scheduler_close(&s);
	return s.writer.events;
}
