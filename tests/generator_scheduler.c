/* SPDX-License-Identifier: BSD-3-Clause */
/* generator_scheduler.c - what processors, threads and goroutines can do. */
#include "generator_scheduler.h"

/*
 * One unblocked goroutine in this many is any that waits, the others are among
 * the last that began to wait.
 */
#define UNBLOCK_ANY    5
#define UNBLOCK_RECENT 256

/* --------------------------------------------------- queues and pools -- */

void scheduler_enqueue(struct scheduler *s, struct queue *queue, uint32_t g)
{
	s->goroutines[g].next = NONE;
	if (queue->count++ == 0)
		queue->first = g;
	else
		s->goroutines[queue->last].next = g;
	queue->last = g;
}

uint32_t scheduler_dequeue(struct scheduler *s, struct queue *queue)
{
	uint32_t g = queue->first;

	if (queue->count == 0)
		return NONE;
	queue->count--;
	queue->first = s->goroutines[g].next;
	return g;
}

void pool_add(struct pool *pool, uint32_t item)
{
	pool->items[pool->count++] = item;
}

uint32_t pool_take(struct pool *pool, uint32_t position)
{
	uint32_t item = pool->items[position];

	pool->items[position] = pool->items[--pool->count];
	return item;
}

/* ------------------------------------------------------------- events -- */

/* Writes what happens; the caller changes the state afterwards. */
static void happen(struct scheduler *s, enum what what, uint32_t m, uint32_t p,
		   uint32_t g, unsigned name)
{
	const struct happening h = {
		.what = what, .m = m, .p = p, .g = g, .name = name};

	s->encoder->event(s, &h);
}

uint32_t scheduler_running(const struct scheduler *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	return m == NONE ? NONE : s->threads[m].g;
}

void scheduler_act(struct scheduler *s, uint32_t p, enum what what,
		   unsigned name, uint64_t a, uint64_t b)
{
	const struct happening h = {
		.what = what,
		.m = s->processors[p].m,
		.p = p,
		.g = scheduler_running(s, p),
		.a = a,
		.b = b,
		.name = name,
	};

	s->encoder->event(s, &h);
}

/* --------------------------------------------------------- processors -- */

void scheduler_bind(struct scheduler *s, uint32_t m, uint32_t p)
{
	happen(s, PROC_START, m, p, s->threads[m].g, 0);
	s->processors[p].m = m;
	s->threads[m].p = p;
}

void scheduler_stop_processor(struct scheduler *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	happen(s, PROC_STOP, m, p, NONE, 0);
	s->processors[p].m = NONE;
	s->threads[m].p = NONE;
	pool_add(&s->idle, m);
}

void scheduler_steal(struct scheduler *s, uint32_t thief, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	uint32_t g = scheduler_running(s, p);

	happen(s, PROC_STEAL, thief, p, g, 0);
	pool_add(&s->blocked, g);
	s->threads[processor->m].p = NONE;
	processor->m = NONE;
	processor->system_call = false;
}

/* --------------------------------------------------------- goroutines -- */

void scheduler_start(struct scheduler *s, uint32_t p, uint32_t g,
		     unsigned label)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t m = s->processors[p].m;

	happen(s, START, m, p, g, label);
	goroutine->status = G_RUNNING;
	goroutine->woken = false;
	goroutine->m = m;
	s->threads[m].g = g;
}

uint32_t scheduler_leave(struct scheduler *s, uint32_t p, enum g_status status,
			 unsigned reason)
{
	uint32_t g = scheduler_running(s, p);

	scheduler_act(s, p, BLOCK, reason, 0, 0);
	s->goroutines[g].status = (uint8_t)status;
	s->threads[s->processors[p].m].g = NONE;
	return g;
}

void scheduler_yield(struct scheduler *s, uint32_t p, unsigned reason)
{
	scheduler_enqueue(s, &s->runnable,
			  scheduler_leave(s, p, G_RUNNABLE, reason));
}

void scheduler_end(struct scheduler *s, uint32_t p)
{
	uint32_t g = scheduler_running(s, p);

	scheduler_act(s, p, END, 0, 0, 0);
	s->goroutines[g].status = G_NONE;
	s->threads[s->processors[p].m].g = NONE;
	pool_add(&s->unused, g);
}

void scheduler_create(struct scheduler *s, uint32_t p)
{
	uint32_t g = pool_take(&s->unused, s->unused.count - 1);

	s->goroutines[g] = (struct goroutine){
		.id = ++s->last_id,
		.status = G_RUNNABLE,
		.life = (uint8_t)(2 + dice(s, 4)),
	};
	happen(s, CREATE, s->processors[p].m, p, g, 0);
	scheduler_enqueue(s, &s->processors[p].queue, g);
	s->created++;
}

void scheduler_unblock(struct scheduler *s, uint32_t p, uint32_t g)
{
	happen(s, UNBLOCK, s->processors[p].m, p, g, 0);
	s->goroutines[g].status = G_RUNNABLE;
	s->goroutines[g].woken = true;
}

void scheduler_unblock_any(struct scheduler *s, uint32_t p)
{
	uint32_t count = s->waiting.count;
	uint32_t among = count;
	uint32_t g;

	if (among > UNBLOCK_RECENT && dice(s, UNBLOCK_ANY) != 0)
		among = UNBLOCK_RECENT;
	g = pool_take(&s->waiting, count - 1 - dice(s, among));
	scheduler_unblock(s, p, g);
	scheduler_enqueue(s, &s->processors[p].queue, g);
}

/* ------------------------------------------------------- system calls -- */

void scheduler_call(struct scheduler *s, uint32_t p)
{
	scheduler_act(s, p, CALL, 0, 0, 0);
	s->goroutines[scheduler_running(s, p)].status = G_SYSCALL;
	s->processors[p].system_call = true;
	s->calls++;
}

void scheduler_call_end(struct scheduler *s, uint32_t p)
{
	scheduler_act(s, p, CALL_END, 0, 0, 0);
	s->goroutines[scheduler_running(s, p)].status = G_RUNNING;
	s->processors[p].system_call = false;
	s->calls--;
}

void scheduler_call_return(struct scheduler *s, uint32_t p)
{
	uint32_t g = pool_take(&s->blocked, dice(s, s->blocked.count));
	uint32_t m = s->goroutines[g].m;

	if (p != NONE)
		scheduler_bind(s, m, p);
	happen(s, CALL_RETURN, m, p, g, 0);
	s->calls--;
	s->goroutines[g].status = G_RUNNABLE;
	s->threads[m].g = NONE;
	if (p != NONE) {
		scheduler_start(s, p, g, 0);
		return;
	}
	scheduler_enqueue(s, &s->runnable, g);
	pool_add(&s->idle, m);
}
