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
 */
#include "generate2.h"

#include <stdlib.h>

/* Events between two collections at least, and by processor. */
#define GC_EVENTS               30000
#define GC_EVENTS_PER_PROCESSOR 100

/* Goroutines that a processor queues for itself before it unblocks no more. */
#define QUEUE_LIMIT 4

/* One unblocked goroutine in so many is any that waits, the others are among
 * the last to have begun waiting. */
#define UNBLOCK_ANY    5
#define UNBLOCK_RECENT 256

#define WORKERS 4

/* Goroutines of the churn that are alive at once: so many, and by processor. */
#define CHURN_LIVE               1024
#define CHURN_LIVE_PER_PROCESSOR 8

/* As the format has them. */
enum g_status { G_NONE, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING };
enum p_status { P_NONE, P_RUNNING, P_IDLE, P_SYSCALL, P_ABANDONED };

struct goroutine {
	uint64_t id;
	uint64_t generation; /* of its last status event */
	uint64_t sequence;
	uint32_t next;  /* in a queue */
	uint32_t m;     /* while in a system call */
	uint8_t status; /* enum g_status */
	uint8_t life;   /* until it ends at 1; 0: lives all the time */
	bool worker;    /* of the collector */
};

struct queue {
	uint32_t first, last, count;
};

struct pool {
	uint32_t *items;
	uint32_t count;
};

struct processor {
	uint64_t generation; /* of its last status event */
	uint64_t sequence;
	struct queue queue;
	uint32_t m;       /* NONE: idle */
	bool system_call; /* in which its thread is */
};

struct thread {
	uint32_t p, g; /* or NONE */
};

struct scheduler2 {
	struct writer2 writer;
	const struct generate2_options *options;
	struct processor *processors;
	struct goroutine *goroutines;
	struct thread *threads;
	struct queue runnable; /* on no processor's queue */
	struct pool unused, waiting, workers;
	struct pool blocked; /* in system calls, without a processor */
	struct pool idle;    /* threads */
	uint32_t goroutine_count, thread_count;
	uint32_t calls, calls_max; /* system calls under way */
	uint64_t last_id, created;
	uint64_t end_of_generation, next_phase; /* in events */
	uint64_t gc_sequence;
	bool marking;
	bool announced; /* what comes early in each generation */
};

static uint32_t dice(struct scheduler2 *s, uint32_t limit)
{
	return writer2_random(&s->writer, limit);
}

static uint64_t stack(struct scheduler2 *s)
{
	return writer2_stack(&s->writer);
}

/* --------------------------------------------------- queues and pools -- */

static void enqueue(struct scheduler2 *s, struct queue *queue, uint32_t g)
{
	s->goroutines[g].next = NONE;
	if (queue->count++ == 0)
		queue->first = g;
	else
		s->goroutines[queue->last].next = g;
	queue->last = g;
}

static uint32_t dequeue(struct scheduler2 *s, struct queue *queue)
{
	uint32_t g = queue->first;

	if (queue->count == 0)
		return NONE;
	queue->count--;
	queue->first = s->goroutines[g].next;
	return g;
}

static void add(struct pool *pool, uint32_t item)
{
	pool->items[pool->count++] = item;
}

static uint32_t take(struct pool *pool, uint32_t position)
{
	uint32_t item = pool->items[position];

	pool->items[position] = pool->items[--pool->count];
	return item;
}

static struct pool new_pool(uint32_t size)
{
	return (struct pool){.items = generate2_memory(size, sizeof(uint32_t))};
}

/* ------------------------------------------------------------- status -- */

/* Thread M tells the status of P in this generation, if none has. */
static void tell_processor(struct scheduler2 *s, uint32_t m, uint32_t p,
			   enum p_status status)
{
	struct processor *processor = &s->processors[p];

	if (processor->generation == s->writer.generation)
		return;
	processor->generation = s->writer.generation;
	processor->sequence = 0;
	EVENT(&s->writer, m, BYTE_PROC_STATUS, p, status);
}

/* The same of G. THREAD: the id of that on which it is, or UINT64_MAX. */
static void tell_goroutine(struct scheduler2 *s, uint32_t m, uint32_t g,
			   uint64_t thread, enum g_status status)
{
	struct goroutine *goroutine = &s->goroutines[g];

	if (goroutine->generation == s->writer.generation)
		return;
	goroutine->generation = s->writer.generation;
	goroutine->sequence = 0;
	EVENT(&s->writer, m, BYTE_GO_STATUS, goroutine->id, thread, status);
}

/* Thread M tells what it is bound to, before any other event. */
static void tell(struct scheduler2 *s, uint32_t m)
{
	const struct thread *t = &s->threads[m];

	if (t->p != NONE)
		tell_processor(s, m, t->p,
			       s->processors[t->p].system_call ? P_SYSCALL
							       : P_RUNNING);
	if (t->g != NONE)
		tell_goroutine(s, m, t->g, thread_id(m),
			       s->goroutines[t->g].status);
}

/* ------------------------------------------------ what happens to a P -- */

/* Thread M begins to run P. */
static void bind(struct scheduler2 *s, uint32_t m, uint32_t p)
{
	struct processor *processor = &s->processors[p];

	tell(s, m);
	tell_processor(s, m, p, P_IDLE);
	EVENT(&s->writer, m, BYTE_PROC_START, p, ++processor->sequence);
	processor->m = m;
	s->threads[m].p = p;
}

static void stop_processor(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	tell(s, m);
	EVENT(&s->writer, m, BYTE_PROC_STOP);
	s->processors[p].m = NONE;
	s->threads[m].p = NONE;
	add(&s->idle, m);
}

/* THIEF takes P from the thread that is in a system call with it. */
static void steal(struct scheduler2 *s, uint32_t thief, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	struct thread *t = &s->threads[processor->m];

	tell(s, thief);
	tell_processor(s, thief, p, P_ABANDONED);
	EVENT(&s->writer, thief, BYTE_PROC_STEAL, p, ++processor->sequence,
	      thread_id(processor->m));
	add(&s->blocked, t->g);
	t->p = NONE;
	processor->m = NONE;
	processor->system_call = false;
}

/* ------------------------------------------------ what happens to a G -- */

/* P, which runs none, runs G. */
static void start(struct scheduler2 *s, uint32_t p, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t m = s->processors[p].m;

	tell(s, m);
	tell_goroutine(s, m, g, UINT64_MAX, G_RUNNABLE);
	EVENT(&s->writer, m, BYTE_GO_START, goroutine->id,
	      ++goroutine->sequence);
	goroutine->status = G_RUNNING;
	s->threads[m].g = g;
}

/* The goroutine of P leaves it and becomes STATUS. */
static uint32_t leave(struct scheduler2 *s, uint32_t p, enum g_status status,
		      uint64_t reason)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = s->threads[m].g;

	tell(s, m);
	EVENT(&s->writer, m, status == G_WAITING ? BYTE_GO_BLOCK : BYTE_GO_STOP,
	      reason, stack(s));
	s->goroutines[g].status = (uint8_t)status;
	s->threads[m].g = NONE;
	return g;
}

static void stop(struct scheduler2 *s, uint32_t p, uint64_t reason)
{
	enqueue(s, &s->runnable, leave(s, p, G_RUNNABLE, reason));
}

static void end(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = s->threads[m].g;

	tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_DESTROY);
	s->goroutines[g].status = G_NONE;
	s->threads[m].g = NONE;
	add(&s->unused, g);
}

static void create(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = take(&s->unused, s->unused.count - 1);
	uint64_t first = stack(s);

	tell(s, m);
	s->goroutines[g] = (struct goroutine){
		.id = ++s->last_id,
		.generation = s->writer.generation,
		.status = G_RUNNABLE,
		.life = (uint8_t)(2 + dice(s, 4)),
	};
	EVENT(&s->writer, m, BYTE_GO_CREATE, s->last_id, first, stack(s));
	enqueue(s, &s->processors[p].queue, g);
	s->created++;
}

/* P, or its goroutine, unblocks G. */
static void unblock(struct scheduler2 *s, uint32_t p, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t m = s->processors[p].m;

	tell(s, m);
	tell_goroutine(s, m, g, UINT64_MAX, G_WAITING);
	EVENT(&s->writer, m, BYTE_GO_UNBLOCK, goroutine->id,
	      ++goroutine->sequence, s->threads[m].g == NONE ? 0 : stack(s));
	goroutine->status = G_RUNNABLE;
}

static void unblock_any(struct scheduler2 *s, uint32_t p)
{
	uint32_t count = s->waiting.count;
	uint32_t among = count;
	uint32_t g;

	if (among > UNBLOCK_RECENT && dice(s, UNBLOCK_ANY) != 0)
		among = UNBLOCK_RECENT;
	g = take(&s->waiting, count - 1 - dice(s, among));
	unblock(s, p, g);
	enqueue(s, &s->processors[p].queue, g);
}

/* ------------------------------------------------------- system calls -- */

static void system_call(struct scheduler2 *s, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	uint32_t m = processor->m;

	tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_BEGIN, ++processor->sequence,
	      stack(s));
	s->goroutines[s->threads[m].g].status = G_SYSCALL;
	s->goroutines[s->threads[m].g].m = m;
	processor->system_call = true;
	s->calls++;
}

static void system_call_end(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_END);
	s->goroutines[s->threads[m].g].status = G_RUNNING;
	s->processors[p].system_call = false;
	s->calls--;
}

/* A goroutine whose processor was taken away returns: on P, or on none. */
static void system_call_return(struct scheduler2 *s, uint32_t p)
{
	uint32_t g = take(&s->blocked, dice(s, s->blocked.count));
	uint32_t m = s->goroutines[g].m;

	tell(s, m);
	if (p != NONE)
		bind(s, m, p);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_END_BLOCKED);
	s->calls--;
	s->goroutines[g].status = G_RUNNABLE;
	s->threads[m].g = NONE;
	if (p != NONE) {
		start(s, p, g);
		return;
	}
	enqueue(s, &s->runnable, g);
	add(&s->idle, m);
}

/* About half of the threads that can be are in a system call. */
static bool return_is_due(struct scheduler2 *s)
{
	return s->blocked.count != 0 &&
	       dice(s, s->blocked.count > s->calls_max / 2 ? 2 : 16) == 0;
}

/* ---------------------------------------------------------- collector -- */

static void halt_others(struct scheduler2 *s, uint32_t p)
{
	uint32_t m, i;

	for (i = 0; i < s->options->processors; i++) {
		m = s->processors[i].m;
		if (i == p || m == NONE)
			continue;
		if (s->processors[i].system_call) {
			steal(s, s->processors[p].m, i);
			continue;
		}
		if (s->threads[m].g != NONE) {
			if (s->goroutines[s->threads[m].g].worker)
				add(&s->workers, leave(s, i, G_WAITING,
						       STRING_WORKER_WAITS));
			else
				stop(s, i, STRING_PREEMPTED);
		}
		stop_processor(s, i);
	}
}

static void collector_phase(struct scheduler2 *s, uint32_t p)
{
	uint64_t pause = GC_EVENTS + (uint64_t)GC_EVENTS_PER_PROCESSOR *
					     s->options->processors;
	uint32_t m = s->processors[p].m;

	tell(s, m);
	EVENT(&s->writer, m, BYTE_STW_BEGIN,
	      s->marking ? STRING_MARK_TERMINATION : STRING_SWEEP_TERMINATION,
	      stack(s));
	halt_others(s, p);
	if (s->marking) {
		EVENT(&s->writer, m, BYTE_GC_END, ++s->gc_sequence);
		EVENT(&s->writer, m, BYTE_HEAP_GOAL,
		      (uint64_t)(4 + dice(s, 100)) << 20);
	} else {
		EVENT(&s->writer, m, BYTE_GC_BEGIN, ++s->gc_sequence, stack(s));
		pause /= 4;
	}
	EVENT(&s->writer, m, BYTE_STW_END);
	s->marking = !s->marking;
	s->next_phase = s->writer.events + pause;
}

static void start_worker(struct scheduler2 *s, uint32_t p)
{
	uint32_t g = take(&s->workers, dice(s, s->workers.count));

	unblock(s, p, g);
	start(s, p, g);
	EVENT(&s->writer, s->processors[p].m, BYTE_GO_LABEL, STRING_LABEL);
}

/* ---------------------------------------------------------- the steps -- */

/* Where the next goroutine for P comes from, the nearest first. */
static uint32_t find_runnable(struct scheduler2 *s, uint32_t p)
{
	uint32_t victim = dice(s, s->options->processors);
	uint32_t g = NONE;

	if (dice(s, 61) != 0)
		g = dequeue(s, &s->processors[p].queue);
	if (g == NONE)
		g = dequeue(s, &s->runnable);
	if (g == NONE)
		g = dequeue(s, &s->processors[p].queue);
	return g == NONE ? dequeue(s, &s->processors[victim].queue) : g;
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
		system_call_return(s, NONE);
	g = find_runnable(s, p);
	if (g != NONE)
		start(s, p, g);
	else if (s->waiting.count != 0 && dice(s, 2) == 0)
		/* the network or a timer unblocks some */
		for (i = 1 + dice(s, 3); i > 0 && s->waiting.count != 0; i--)
			unblock_any(s, p);
	else
		stop_processor(s, p);
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
	tell(s, m);
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

	tell(s, m);
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
		unblock_any(s, p);
	else if (choice < 650)
		add(&s->waiting,
		    leave(s, p, G_WAITING, STRING_REASONS + dice(s, REASONS)));
	else if (choice < 730)
		stop(s, p, STRING_GOSCHED);
	else if (choice < 780)
		stop(s, p, STRING_PREEMPTED);
	else if (s->calls < s->calls_max)
		system_call(s, p);
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
			add(&s->workers,
			    leave(s, p, G_WAITING, STRING_WORKER_WAITS));
	} else if (s->writer.events >= s->next_phase) {
		collector_phase(s, p);
	} else if (g->life == 1) {
		end(s, p);
	} else if (creation_is_due(s)) {
		create(s, p);
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
			system_call_return(s, p);
		else if (s->runnable.count != 0 || dice(s, 4) == 0)
			bind(s, take(&s->idle, s->idle.count - 1), p);
	} else if (processor->system_call) {
		if (dice(s, 6) == 0)
			steal(s, 0, p);
		else
			system_call_end(s, p);
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
		tell(s, i);
	for (i = 0; i < s->goroutine_count; i++) {
		g = &s->goroutines[i];
		if (g->status != G_NONE)
			tell_goroutine(s, s->thread_count, i,
				       g->status == G_SYSCALL ? thread_id(g->m)
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

static void open_scheduler(struct scheduler2 *s,
			   const struct generate2_options *o)
{
	uint32_t count = o->goroutines + WORKERS + CHURN_LIVE +
			 CHURN_LIVE_PER_PROCESSOR * o->processors;
	uint32_t threads = o->threads;

	if (threads < 2 * o->processors + 1)
		threads = 2 * o->processors + 8;
	*s = (struct scheduler2){
		.options = o,
		.goroutine_count = count,
		.thread_count = threads,
		.calls_max = threads - o->processors - 1,
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

/* The state in which the trace finds the program: a goroutine in sixteen can
 * run or is in a system call, the others wait. */
static void populate(struct scheduler2 *s)
{
	uint32_t i;

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
		} else if (i % 16 == 0) {
			s->goroutines[i].status = G_RUNNABLE;
			enqueue(s, &s->runnable, i);
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
