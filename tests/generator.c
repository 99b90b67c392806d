/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator.c - what happens in a generated trace.
 *
 * Each step picks a processor and lets it do the next thing: start, take a
 * goroutine, or let its goroutine do something. What a goroutine waits for is
 * not simulated: one that unblocks another picks any that waits.
 */
#include "generator.h"

#include <stdlib.h>

#include "generator_scheduler.h"

/* Goroutines that a processor queues for itself before it unblocks no more. */
#define QUEUE_LIMIT 4

/*
 * Events between two collections at least, and by processor. Shorter traces
 * have two collections.
 */
#define GC_EVENTS               30000
#define GC_EVENTS_PER_PROCESSOR 100

#define GC_WORKERS_MAX 16

/* Goroutines of the churn that are alive at once: so many, and by processor. */
#define CHURN_LIVE               1024
#define CHURN_LIVE_PER_PROCESSOR 8

/* One of the strings of a kind; END is the first of the next kind. */
static unsigned any(struct scheduler *s, unsigned first, unsigned end)
{
	return first + dice(s, end - first);
}

/* --------------------------------------------------------- collector -- */

/* Takes from P what it runs, by thread THIEF if need be, and stops it. */
static void halt(struct scheduler *s, uint32_t thief, uint32_t p)
{
	uint32_t g = scheduler_running(s, p);

	if (s->processors[p].m == NONE)
		return;
	if (s->processors[p].system_call) {
		scheduler_steal(s, thief, p);
		return;
	}
	if (g != NONE && s->goroutines[g].worker)
		pool_add(&s->workers,
			 scheduler_leave(s, p, G_WAITING, STRING_WORKER_WAITS));
	else if (g != NONE)
		scheduler_yield(s, p, STRING_PREEMPTED);
	scheduler_stop_processor(s, p);
}

static void collector_phase(struct scheduler *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	uint32_t i;

	scheduler_act(s, p, STOP_BEGIN,
		      s->marking ? STRING_MARK_TERMINATION
				 : STRING_SWEEP_TERMINATION,
		      !s->marking, 0);
	for (i = 0; i < s->options->processors; i++)
		if (i != p)
			halt(s, m, i);
	scheduler_act(s, p, s->marking ? GC_END : GC_BEGIN, 0, 0, 0);
	if (s->marking)
		scheduler_act(s, p, HEAP_GOAL, 0,
			      (uint64_t)(4 + dice(s, 100)) << 20, 0);
	scheduler_act(s, p, STOP_END, 0, 0, 0);
	s->next_phase = s->events + s->collection_events / (s->marking ? 1 : 4);
	s->marking = !s->marking;
}

static void start_worker(struct scheduler *s, uint32_t p)
{
	uint32_t g = pool_take(&s->workers, dice(s, s->workers.count));

	scheduler_unblock(s, p, g);
	scheduler_start(s, p, g, any(s, STRING_LABELS, STRING_TASKS));
}

/* What a goroutine does with memory. */
static void allocate(struct scheduler *s, uint32_t p, uint32_t choice)
{
	uint64_t swept = (uint64_t)(1 + dice(s, 20)) << 13;

	if (choice < 60) {
		scheduler_act(s, p, HEAP_ALLOC, 0,
			      ((uint64_t)4 << 20) + dice(s, 50 << 20), 0);
	} else if (choice < 80 || !s->marking) {
		scheduler_act(s, p, SWEEP_BEGIN, 0, 0, 0);
		scheduler_act(s, p, SWEEP_END, 0, swept, swept / 2);
	} else {
		scheduler_act(s, p, ASSIST_BEGIN, 0, 0, 0);
		scheduler_act(s, p, ASSIST_END, 0, 0, 0);
	}
}

/* ------------------------------------------------------- user events -- */

/* A new task takes the place of one that ends. */
static void task(struct scheduler *s, uint32_t p)
{
	uint64_t *place = &s->tasks[dice(s, OPEN_TASKS)];
	uint64_t parent = s->tasks[dice(s, OPEN_TASKS)];

	if (*place != 0)
		scheduler_act(s, p, TASK_END, 0, *place, 0);
	*place = ++s->last_task;
	scheduler_act(s, p, TASK_BEGIN, any(s, STRING_TASKS, STRING_REGIONS),
		      *place, parent);
}

/* Opens a region inside the open ones, or closes the innermost. */
static void region(struct scheduler *s, uint32_t p)
{
	struct goroutine *g = &s->goroutines[scheduler_running(s, p)];
	bool closes = g->regions == STRING_KEYS - STRING_REGIONS ||
		      (g->regions > 0 && dice(s, 2) == 0);
	unsigned depth = closes ? --g->regions : g->regions++;

	scheduler_act(s, p, closes ? REGION_END : REGION_BEGIN,
		      STRING_REGIONS + depth, closes, 0);
}

static void user_event(struct scheduler *s, uint32_t p)
{
	uint32_t choice = dice(s, 4);

	if (choice == 0)
		task(s, p);
	else if (choice == 1)
		scheduler_act(s, p, LOG, any(s, STRING_KEYS, STRING_MESSAGES),
			      s->tasks[dice(s, OPEN_TASKS)],
			      any(s, STRING_MESSAGES, STRING_FUNCTIONS));
	else
		region(s, p);
}

/* --------------------------------------------------------- the steps -- */

static bool return_is_due(struct scheduler *s)
{
	return s->blocked.count > s->blocked_least &&
	       dice(s, s->blocked.count > s->calls_max / 2 ? 2 : 16) == 0;
}

/* Where the next goroutine for P comes from, the nearest first. */
static uint32_t find_runnable(struct scheduler *s, uint32_t p)
{
	uint32_t victim = dice(s, s->options->processors);
	uint32_t g = NONE;

	if (dice(s, 61) != 0)
		g = scheduler_dequeue(s, &s->processors[p].queue);
	if (g == NONE)
		g = scheduler_dequeue(s, &s->runnable);
	if (g == NONE)
		g = scheduler_dequeue(s, &s->processors[p].queue);
	return g == NONE ? scheduler_dequeue(s, &s->processors[victim].queue)
			 : g;
}

/* P starts G, which may find that it was woken too late. */
static void start(struct scheduler *s, uint32_t p, uint32_t g)
{
	const struct generator_options *o = s->options;
	bool futile = o->futile != 0 && o->version <= 1008 &&
		      s->goroutines[g].woken && dice(s, o->futile) == 0;

	scheduler_start(s, p, g, 0);
	if (!futile)
		return;
	scheduler_act(s, p, FUTILE, 0, 0, 0);
	pool_add(&s->waiting, scheduler_leave(s, p, G_WAITING, STRING_REASONS));
}

/* P has nothing to run. */
static void schedule(struct scheduler *s, uint32_t p)
{
	uint32_t g, i;

	if (s->marking && s->workers.count != 0 && dice(s, 3) == 0) {
		start_worker(s, p);
		return;
	}
	if (return_is_due(s))
		scheduler_call_return(s, NONE);
	g = find_runnable(s, p);
	if (g != NONE)
		start(s, p, g);
	else if (s->waiting.count != 0 && dice(s, 2) == 0)
		/* the network or a timer unblocks some */
		for (i = 1 + dice(s, 3); i > 0 && s->waiting.count != 0; i--)
			scheduler_unblock_any(s, p);
	else
		scheduler_stop_processor(s, p);
}

static bool creation_is_due(const struct scheduler *s)
{
	const struct generator_options *o = s->options;

	return s->unused.count != 0 && s->created < o->churn &&
	       (double)s->created * (double)o->events <
		       (double)o->churn * (double)s->events;
}

/* What a goroutine does most: work with others. */
static void cooperate(struct scheduler *s, uint32_t p, uint32_t choice)
{
	if (choice < 350 && s->waiting.count != 0 &&
	    s->processors[p].queue.count < QUEUE_LIMIT)
		scheduler_unblock_any(s, p);
	else if (choice < 620)
		pool_add(&s->waiting, scheduler_leave(s, p, G_WAITING,
						      any(s, STRING_REASONS,
							  STRING_LABELS)));
	else if (choice < 710)
		scheduler_yield(s, p, STRING_GOSCHED);
	else if (choice < 750)
		scheduler_yield(s, p, STRING_PREEMPTED);
	else if (s->calls < s->calls_max)
		scheduler_call(s, p);
}

/* The goroutine of P does something. */
static void act(struct scheduler *s, uint32_t p)
{
	struct goroutine *g = &s->goroutines[scheduler_running(s, p)];
	uint32_t choice = dice(s, 1000);

	if (s->options->samples != 0 && dice(s, s->options->samples) == 0)
		scheduler_act(s, p, SAMPLE, 0, 0, 0);
	if (g->worker) {
		if (dice(s, 4) == 0)
			pool_add(&s->workers,
				 scheduler_leave(s, p, G_WAITING,
						 STRING_WORKER_WAITS));
	} else if (s->events >= s->next_phase) {
		collector_phase(s, p);
	} else if (g->life == 1) {
		scheduler_end(s, p);
	} else if (creation_is_due(s)) {
		scheduler_create(s, p);
	} else if (choice >= 960) {
		user_event(s, p);
	} else if (choice >= 860) {
		allocate(s, p, choice - 860);
	} else {
		if (g->life > 1)
			g->life--;
		cooperate(s, p, choice);
	}
}

static void step(struct scheduler *s, uint32_t p)
{
	const struct processor *processor = &s->processors[p];

	if (processor->m == NONE) {
		if (return_is_due(s))
			scheduler_call_return(s, p);
		else if (s->runnable.count != 0 || dice(s, 4) == 0)
			scheduler_bind(
				s, pool_take(&s->idle, s->idle.count - 1), p);
	} else if (processor->system_call) {
		if (dice(s, 6) == 0)
			scheduler_steal(s, 0, p);
		else
			scheduler_call_end(s, p);
	} else if (scheduler_running(s, p) == NONE) {
		schedule(s, p);
	} else {
		act(s, p);
	}
}

/* --------------------------------------------------------------- all -- */

static uint32_t worker_count(const struct generator_options *o)
{
	uint32_t count = (o->processors + 3) / 4;

	return count < GC_WORKERS_MAX ? count : GC_WORKERS_MAX;
}

static struct pool new_pool(uint32_t size)
{
	return (struct pool){.items = builder_memory(size, sizeof(uint32_t))};
}

static void open_scheduler(struct scheduler *s,
			   const struct generator_options *o)
{
	uint32_t count = o->goroutines + worker_count(o) + CHURN_LIVE +
			 CHURN_LIVE_PER_PROCESSOR * o->processors;
	/* Threads that do not stay in system calls. */
	const uint32_t few = 3 * o->processors + 8;
	uint64_t collection =
		GC_EVENTS + (uint64_t)GC_EVENTS_PER_PROCESSOR * o->processors;
	uint32_t threads = o->threads;

	if (threads < 2 * o->processors + 1)
		threads = 2 * o->processors + 8;
	if (collection > o->events / 2)
		collection = o->events / 2;
	*s = (struct scheduler){
		.options = o,
		.encoder = o->version < GENERATOR_FIRST_OF_V2 ? &generator_v1
							      : &generator_v2,
		.random = (uint64_t)o->seed * 2 + 0x9e3779b97f4a7c15,
		.goroutine_count = count,
		.thread_count = threads,
		.calls_max = threads - o->processors - 1,
		.blocked_least = threads > few ? threads - few : 0,
		.collection_events = collection,
		.next_phase = collection / 2,
	};
	s->processors = builder_memory(o->processors, sizeof(*s->processors));
	s->goroutines = builder_memory(count, sizeof(*s->goroutines));
	s->threads = builder_memory(threads, sizeof(*s->threads));
	s->unused = new_pool(count);
	s->waiting = new_pool(count);
	s->workers = new_pool(GC_WORKERS_MAX);
	s->blocked = new_pool(threads);
	s->idle = new_pool(threads);
}

static void close_scheduler(struct scheduler *s)
{
	writer_close(s);
	free(s->processors);
	free(s->goroutines);
	free(s->threads);
	free(s->unused.items);
	free(s->waiting.items);
	free(s->workers.items);
	free(s->blocked.items);
	free(s->idle.items);
}

/* Goroutine G is in a system call when the trace begins. */
static void settle_in_call(struct scheduler *s, uint32_t g)
{
	uint32_t m = pool_take(&s->idle, s->idle.count - 1);

	s->goroutines[g].status = G_SYSCALL;
	s->goroutines[g].m = m;
	s->threads[m].g = g;
	s->calls++;
	pool_add(&s->blocked, g);
}

/*
 * The state in which the trace finds goroutine G: one in sixteen can run, some
 * are in system calls on as many threads as stay there, the rest waits.
 */
static void settle(struct scheduler *s, uint32_t g)
{
	bool worker = g >= s->options->goroutines;

	s->goroutines[g].id = ++s->last_id;
	s->goroutines[g].status = G_WAITING;
	s->goroutines[g].worker = worker;
	if (!worker && (s->blocked.count < s->blocked_least ||
			(g % 32 == 2 && s->calls < s->calls_max / 2))) {
		settle_in_call(s, g);
	} else if (!worker && g % 16 == 0) {
		s->goroutines[g].status = G_RUNNABLE;
		scheduler_enqueue(s, &s->runnable, g);
	} else {
		pool_add(worker ? &s->workers : &s->waiting, g);
	}
}

static void populate(struct scheduler *s)
{
	uint32_t count = s->options->goroutines + worker_count(s->options);
	uint32_t i;

	for (i = 0; i < s->thread_count; i++)
		s->threads[i] = (struct thread){NONE, NONE};
	for (i = s->thread_count - 1; i > 0; i--)
		pool_add(&s->idle, i);
	for (i = 0; i < s->options->processors; i++)
		s->processors[i].m = NONE;
	for (i = s->goroutine_count; i > count; i--)
		pool_add(&s->unused, i - 1);
	for (i = 0; i < count; i++)
		settle(s, i);
}

uint64_t generate_trace(const struct generator_options *options)
{
	const uint32_t few = options->version < GENERATOR_FIRST_OF_V2 ? 1 : 4;
	const uint32_t burst = options->burst == 0 ? few : options->burst;
	struct scheduler s;
	uint32_t p, steps;

	open_scheduler(&s, options);
	populate(&s);
	s.encoder->open(&s);
	s.encoder->begin(&s);
	while (s.events < options->events) {
		p = dice(&s, options->processors);
		for (steps = 1 + dice(&s, 2 * burst - 1); steps > 0; steps--)
			step(&s, p);
		if (s.events >= s.end_of_generation) {
			s.encoder->end(&s);
			s.encoder->begin(&s);
		}
	}
	for (p = 0; p < options->processors; p++)
		halt(&s, 0, p);
	s.encoder->end(&s);
	close_scheduler(&s);
	return s.events;
}
