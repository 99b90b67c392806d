/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate2.c - what happens in a generated trace.
 *
 * Each step picks a processor and lets it do the next thing: start, take a
 * goroutine, or let its goroutine do something. What a goroutine waits for is
 * not simulated: one that unblocks another picks any that waits.
 *
 * A thread is bound to the processor that it runs. A system call keeps thread
 * and processor until it returns, or until the processor is taken away; then
 * thread and goroutine return on their own. Thread 0 takes processors away and
 * does nothing else.
 *
 * Each processor and goroutine has a status event before its first other event
 * in a generation. Sequence numbers begin again with it.
 *
 * Threads have events at the same time, but an event that must wait for another
 * thread's is later than that: with more than 12 threads, Go's reader does not
 * try all of those that have the same time.
 */
#include "generate2_scheduler.h"

#include <stdlib.h>

/* Events between two collections at least, and by processor. */
#define GC_EVENTS               30000
#define GC_EVENTS_PER_PROCESSOR 100

/* Goroutines that a processor queues for itself before it unblocks no more. */
#define QUEUE_LIMIT 4

#define WORKERS 4

/* Goroutines of the churn that are alive at once: so many, and by processor. */
#define CHURN_LIVE               1024
#define CHURN_LIVE_PER_PROCESSOR 8

/* ---------------------------------------------------------- collector -- */

static void halt_others(struct scheduler2 *s, uint32_t p)
{
	uint32_t m, i;

	for (i = 0; i < s->options->processors; i++) {
		m = s->processors[i].m;
		if (i == p || m == NONE)
			continue;
		if (s->processors[i].system_call) {
			scheduler2_steal(s, s->processors[p].m, i);
			continue;
		}
		if (s->threads[m].g != NONE) {
			if (s->goroutines[s->threads[m].g].worker)
				add(&s->workers,
				    scheduler2_leave(s, i, G_WAITING,
						     STRING_WORKER_WAITS));
			else
				scheduler2_stop(s, i, STRING_PREEMPTED);
		}
		scheduler2_stop_processor(s, i);
	}
}

static void collector_phase(struct scheduler2 *s, uint32_t p)
{
	uint64_t pause = GC_EVENTS + (uint64_t)GC_EVENTS_PER_PROCESSOR *
					     s->options->processors;
	uint32_t m = s->processors[p].m;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_STW_BEGIN,
	      s->marking ? STRING_MARK_TERMINATION : STRING_SWEEP_TERMINATION,
	      stack(s));
	halt_others(s, p);
	writer2_after(&s->writer, s->gc_ticks);
	if (s->marking) {
		EVENT(&s->writer, m, BYTE_GC_END, ++s->gc_sequence);
		EVENT(&s->writer, m, BYTE_HEAP_GOAL,
		      (uint64_t)(4 + dice(s, 100)) << 20);
	} else {
		EVENT(&s->writer, m, BYTE_GC_BEGIN, ++s->gc_sequence, stack(s));
		pause /= 4;
	}
	s->gc_ticks = s->writer.last;
	EVENT(&s->writer, m, BYTE_STW_END);
	s->marking = !s->marking;
	s->next_phase = s->writer.events + pause;
}

static void start_worker(struct scheduler2 *s, uint32_t p)
{
	uint32_t g = take(&s->workers, dice(s, s->workers.count));

	scheduler2_unblock(s, p, g);
	scheduler2_start(s, p, g);
	EVENT(&s->writer, s->processors[p].m, BYTE_GO_LABEL, STRING_LABEL);
}

/* ---------------------------------------------------------- the steps -- */

static bool return_is_due(struct scheduler2 *s)
{
	return s->blocked.count > s->blocked_least &&
	       dice(s, s->blocked.count > s->calls_max / 2 ? 2 : 16) == 0;
}

/* Where the next goroutine for P comes from, the nearest first. */
static uint32_t find_runnable(struct scheduler2 *s, uint32_t p)
{
	uint32_t victim = dice(s, s->options->processors);
	uint32_t g = NONE;

	if (dice(s, 61) != 0)
		g = scheduler2_dequeue(s, &s->processors[p].queue);
	if (g == NONE)
		g = scheduler2_dequeue(s, &s->runnable);
	if (g == NONE)
		g = scheduler2_dequeue(s, &s->processors[p].queue);
	return g == NONE ? scheduler2_dequeue(s, &s->processors[victim].queue)
			 : g;
}

/* P has nothing to run. */
static void schedule(struct scheduler2 *s, uint32_t p)
{
	uint32_t g, i;

	if (s->marking && s->workers.count != 0 && dice(s, 3) == 0) {
		start_worker(s, p);
		return;
	}
	if (return_is_due(s))
		scheduler2_system_call_return(s, NONE);
	g = find_runnable(s, p);
	if (g != NONE)
		scheduler2_start(s, p, g);
	else if (s->waiting.count != 0 && dice(s, 2) == 0)
		/* the network or a timer unblocks some */
		for (i = 1 + dice(s, 3); i > 0 && s->waiting.count != 0; i--)
			scheduler2_unblock_any(s, p);
	else
		scheduler2_stop_processor(s, p);
}

static bool creation_is_due(const struct scheduler2 *s)
{
	const struct generate2_options *o = s->options;

	return s->unused.count != 0 && s->created < o->churn &&
	       (double)s->created * (double)o->events <
		       (double)o->churn * (double)s->writer.events;
}

/* What comes early in each generation, from a goroutine that runs. */
static void announce(struct scheduler2 *s, uint32_t m)
{
	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_PROCS_CHANGE, s->options->processors,
	      stack(s));
	if (s->marking)
		EVENT(&s->writer, m, BYTE_GC_ACTIVE, ++s->gc_sequence);
	s->announced = true;
}

/* What a goroutine does with memory. */
static void allocate(struct scheduler2 *s, uint32_t m, uint32_t choice)
{
	uint64_t swept = (uint64_t)(1 + dice(s, 20)) << 13;

	scheduler2_tell(s, m);
	if (choice < 70) {
		EVENT(&s->writer, m, BYTE_HEAP_ALLOC,
		      ((uint64_t)4 << 20) + dice(s, 50 << 20));
	} else if (choice < 90 || !s->marking) {
		EVENT(&s->writer, m, BYTE_GC_SWEEP_BEGIN, stack(s));
		EVENT(&s->writer, m, BYTE_GC_SWEEP_END, swept, swept / 2);
	} else {
		EVENT(&s->writer, m, BYTE_GC_MARK_ASSIST_BEGIN, stack(s));
		EVENT(&s->writer, m, BYTE_GC_MARK_ASSIST_END);
	}
}

/* What a goroutine does most: work with others. */
static void cooperate(struct scheduler2 *s, uint32_t p, uint32_t choice)
{
	if (choice < 350 && s->waiting.count != 0 &&
	    s->processors[p].queue.count < QUEUE_LIMIT)
		scheduler2_unblock_any(s, p);
	else if (choice < 650)
		add(&s->waiting,
		    scheduler2_leave(s, p, G_WAITING,
				     STRING_REASONS + dice(s, REASONS)));
	else if (choice < 730)
		scheduler2_stop(s, p, STRING_GOSCHED);
	else if (choice < 780)
		scheduler2_stop(s, p, STRING_PREEMPTED);
	else if (s->calls < s->calls_max)
		scheduler2_system_call(s, p);
}

/* The goroutine of P does something. */
static void act(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	struct goroutine *g = &s->goroutines[s->threads[m].g];
	uint32_t choice = dice(s, 1000);

	if (s->options->samples != 0 && dice(s, s->options->samples) == 0)
		writer2_sample(&s->writer, m, p, g->id);
	if (!s->announced) {
		announce(s, m);
	} else if (g->worker) {
		if (dice(s, 4) == 0)
			add(&s->workers, scheduler2_leave(s, p, G_WAITING,
							  STRING_WORKER_WAITS));
	} else if (s->writer.events >= s->next_phase) {
		collector_phase(s, p);
	} else if (g->life == 1) {
		scheduler2_end(s, p);
	} else if (creation_is_due(s)) {
		scheduler2_create(s, p);
	} else if (choice >= 900) {
		allocate(s, m, choice - 900);
	} else {
		if (g->life > 1)
			g->life--;
		cooperate(s, p, choice);
	}
}

static void step(struct scheduler2 *s, uint32_t p)
{
	struct processor *processor = &s->processors[p];

	if (processor->m == NONE) {
		if (return_is_due(s))
			scheduler2_system_call_return(s, p);
		else if (s->runnable.count != 0 || dice(s, 4) == 0)
			scheduler2_bind(s, take(&s->idle, s->idle.count - 1),
					p);
	} else if (processor->system_call) {
		if (dice(s, 6) == 0)
			scheduler2_steal(s, 0, p);
		else
			scheduler2_system_call_end(s, p);
	} else if (s->threads[processor->m].g == NONE) {
		schedule(s, p);
	} else {
		act(s, p);
	}
}

/* -------------------------------------------------------- generations -- */

/* Those that did nothing in this generation get their status at its end. */
static void end_generation(struct scheduler2 *s)
{
	const struct goroutine *g;
	uint32_t i;

	for (i = 0; i < s->thread_count; i++)
		scheduler2_tell(s, i);
	for (i = 0; i < s->goroutine_count; i++) {
		g = &s->goroutines[i];
		if (g->status != G_NONE)
			scheduler2_tell_goroutine(s, s->thread_count, i,
						  g->status == G_SYSCALL
							  ? thread_id(g->m)
							  : UINT64_MAX,
						  (enum g_status)g->status);
	}
	writer2_end(&s->writer);
}

static void begin_generation(struct scheduler2 *s)
{
	writer2_begin(&s->writer);
	s->end_of_generation = s->writer.events + s->options->generation;
	s->announced = false;
}

/* -------------------------------------------------------------- all -- */

static struct pool new_pool(uint32_t size)
{
	return (struct pool){.items = generate2_memory(size, sizeof(uint32_t))};
}

static void open_scheduler(struct scheduler2 *s,
			   const struct generate2_options *o)
{
	uint32_t count = o->goroutines + WORKERS + CHURN_LIVE +
			 CHURN_LIVE_PER_PROCESSOR * o->processors;
	/* Threads that do not stay in system calls. */
	const uint32_t few = 3 * o->processors + 8;
	uint32_t threads = o->threads;

	if (threads < 2 * o->processors + 1)
		threads = 2 * o->processors + 8;
	*s = (struct scheduler2){
		.options = o,
		.goroutine_count = count,
		.thread_count = threads,
		.calls_max = threads - o->processors - 1,
		.blocked_least = threads > few ? threads - few : 0,
	};
	writer2_open(&s->writer, o, threads);
	s->processors = generate2_memory(o->processors, sizeof(*s->processors));
	s->goroutines = generate2_memory(count, sizeof(*s->goroutines));
	s->threads = generate2_memory(threads, sizeof(*s->threads));
	s->unused = new_pool(count);
	s->waiting = new_pool(count);
	s->workers = new_pool(WORKERS);
	s->blocked = new_pool(threads);
	s->idle = new_pool(threads);
}

static void close_scheduler(struct scheduler2 *s)
{
	writer2_close(&s->writer);
	free(s->processors);
	free(s->goroutines);
	free(s->threads);
	free(s->unused.items);
	free(s->waiting.items);
	free(s->workers.items);
	free(s->blocked.items);
	free(s->idle.items);
}

/*
 * The state in which the trace finds the program: goroutines are in system
 * calls on as many threads as stay there, one in sixteen of the others can run,
 * the rest waits.
 */
static void populate(struct scheduler2 *s)
{
	uint32_t i, m;

	for (i = 0; i < s->thread_count; i++)
		s->threads[i] = (struct thread){NONE, NONE};
	for (i = s->thread_count - 1; i > 0; i--)
		add(&s->idle, i);
	for (i = 0; i < s->options->processors; i++)
		s->processors[i].m = NONE;
	for (i = s->goroutine_count; i > s->options->goroutines + WORKERS; i--)
		add(&s->unused, i - 1);
	for (i = 0; i < s->options->goroutines + WORKERS; i++) {
		s->goroutines[i].id = ++s->last_id;
		s->goroutines[i].status = G_WAITING;
		if (i < WORKERS) {
			s->goroutines[i].worker = true;
			add(&s->workers, i);
		} else if (s->blocked.count < s->blocked_least) {
			m = take(&s->idle, s->idle.count - 1);
			s->goroutines[i].status = G_SYSCALL;
			s->goroutines[i].m = m;
			s->threads[m].g = i;
			s->calls++;
			add(&s->blocked, i);
		} else if (i % 16 == 0) {
			s->goroutines[i].status = G_RUNNABLE;
			scheduler2_enqueue(s, &s->runnable, i);
		} else {
			add(&s->waiting, i);
		}
	}
}

uint64_t generate2(const struct generate2_options *options)
{
	struct scheduler2 s;
	uint32_t p, steps;

	open_scheduler(&s, options);
	populate(&s);
	begin_generation(&s);
	s.next_phase = GC_EVENTS / 2;
	while (s.writer.events < options->events) {
		p = dice(&s, options->processors);
		for (steps = 1 + dice(&s, 2 * options->burst - 1); steps > 0;
		     steps--)
			step(&s, p);
		if (s.writer.events >= s.end_of_generation) {
			end_generation(&s);
			begin_generation(&s);
		}
	}
	end_generation(&s);
	close_scheduler(&s);
	return s.writer.events;
}
