/* SPDX-License-Identifier: BSD-3-Clause */
/* synthetic_scheduler.c - goroutines and processors of a synthetic trace. */
#include "synthetic_scheduler.h"

#include <stdio.h>
#include <stdlib.h>

/* Goroutines that can be alive besides the permanent ones. */
#define CHURN_MAX               1024
#define CHURN_MAX_PER_PROCESSOR 8

/*
 * One unblocked goroutine in this many is any that waits, the others are among
 * the last that began to wait.
 */
#define WAKE_ANY    5
#define WAKE_RECENT 256

#define GC_WORKERS_MAX 16

uint32_t scheduler_random(struct scheduler *s, uint32_t limit)
{
	return writer_random(&s->writer, limit);
}

uint64_t scheduler_stack(struct scheduler *s)
{
	return writer_stack(&s->writer);
}

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

void pool_add(struct pool *pool, uint32_t g)
{
	pool->items[pool->count++] = g;
}

uint32_t pool_take(struct pool *pool, uint32_t position)
{
	uint32_t g = pool->items[position];

	pool->items[position] = pool->items[--pool->count];
	return g;
}

/* ---------------------------------------------------- set-up and end -- */

static void *must(void *memory)
{
	if (memory == NULL) {
		fputs("synthetic: out of memory\n", stderr);
		abort();
	}
	return memory;
}

static uint32_t worker_count(const struct synthetic_options *o)
{
	uint32_t count = (o->processors + 3) / 4;

	return count < GC_WORKERS_MAX ? count : GC_WORKERS_MAX;
}

void scheduler_open(struct scheduler *s, const struct synthetic_options *o)
{
	size_t count = (size_t)o->goroutines + worker_count(o) + CHURN_MAX +
		       (size_t)CHURN_MAX_PER_PROCESSOR * o->processors;
	uint32_t i;

	*s = (struct scheduler){.options = o};
	writer_open(&s->writer, o);
	s->processors = must(calloc(o->processors, sizeof(*s->processors)));
	s->goroutines = must(calloc(count, sizeof(*s->goroutines)));
	s->unused.items = must(calloc(count, sizeof(uint32_t)));
	s->waiting.items = must(calloc(count, sizeof(uint32_t)));
	s->in_system_call.items = must(calloc(count, sizeof(uint32_t)));
	s->workers.items = must(calloc(GC_WORKERS_MAX, sizeof(uint32_t)));
	for (i = 0; i < o->processors; i++)
		s->processors[i].running = NONE;
	for (i = (uint32_t)count; i > 0; i--)
		pool_add(&s->unused, i - 1);
}

void scheduler_close(struct scheduler *s)
{
	free(s->processors);
	free(s->goroutines);
	free(s->unused.items);
	free(s->waiting.items);
	free(s->in_system_call.items);
	free(s->workers.items);
}

uint32_t scheduler_create(struct scheduler *s, uint32_t p, uint8_t life)
{
	uint32_t g = pool_take(&s->unused, s->unused.count - 1);
	uint64_t start = scheduler_stack(s);

	s->goroutines[g] = (struct goroutine){
		.id = ++s->last_id,
		.sequence = 1,
		.p = p,
		.life = life,
	};
	writer_event3(&s->writer, p, EV_GO_CREATE, s->goroutines[g].id, start,
		      scheduler_stack(s));
	return g;
}

/* What tracing that begins finds: most wait, some run, some are away. */
static void settle(struct scheduler *s, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t dice = scheduler_random(s, 32);

	if (dice < 2 && s->runnable.count < 4 * s->options->processors) {
		scheduler_enqueue(s, &s->runnable, g);
		return;
	}
	goroutine->sequence++;
	if (dice == 2) {
		writer_event1(&s->writer, 0, EV_GO_IN_SYSCALL, goroutine->id);
		goroutine->ticks = s->writer.now;
		goroutine->exit = writer_sequence(&s->writer);
		pool_add(&s->in_system_call, g);
	} else {
		writer_event1(&s->writer, 0, EV_GO_WAITING, goroutine->id);
		pool_add(&s->waiting, g);
	}
}

static void begin_workers(struct scheduler *s)
{
	uint32_t i, g;

	for (i = 0; i < worker_count(s->options); i++) {
		g = scheduler_create(s, 0, 0);
		s->goroutines[g].worker = true;
		s->goroutines[g].sequence++;
		writer_event1(&s->writer, 0, EV_GO_WAITING,
			      s->goroutines[g].id);
		pool_add(&s->workers, g);
	}
}

void scheduler_begin(struct scheduler *s)
{
	uint32_t i;
	uint32_t first = scheduler_create(s, 0, 0);

	for (i = 1; i < s->options->goroutines; i++)
		settle(s, scheduler_create(s, 0, 0));
	begin_workers(s);
	writer_event1(&s->writer, 0, EV_PROC_START, 0);
	scheduler_start(s, 0, first);
	s->processors[0].started = true;
}

/* -------------------------------------------------------- goroutines -- */

struct goroutine *scheduler_running(struct scheduler *s, uint32_t p)
{
	return &s->goroutines[s->processors[p].running];
}

uint32_t scheduler_leave(struct scheduler *s, uint32_t p, unsigned type)
{
	uint32_t g = s->processors[p].running;

	writer_event1(&s->writer, p, type, scheduler_stack(s));
	s->processors[p].running = NONE;
	return g;
}

void scheduler_block(struct scheduler *s, uint32_t p)
{
	static const uint8_t types[] = {
		EV_GO_BLOCK_RECV,   EV_GO_BLOCK_RECV,   EV_GO_BLOCK_RECV,
		EV_GO_BLOCK_SELECT, EV_GO_BLOCK_SELECT, EV_GO_BLOCK_SEND,
		EV_GO_BLOCK_SEND,   EV_GO_BLOCK_SYNC,   EV_GO_BLOCK_SYNC,
		EV_GO_BLOCK_COND,   EV_GO_BLOCK_NET,    EV_GO_BLOCK,
		EV_GO_SLEEP,
	};

	pool_add(&s->waiting,
		 scheduler_leave(s, p,
				 types[scheduler_random(s, sizeof(types))]));
}

void scheduler_unblock(struct scheduler *s, uint32_t p, uint32_t g,
		       uint64_t stack)
{
	struct goroutine *goroutine = &s->goroutines[g];

	if (writer_is_old(&s->writer))
		writer_event2(&s->writer, p, EV_GO_UNBLOCK, goroutine->id,
			      stack);
	else if (goroutine->p == p)
		writer_event2(&s->writer, p, EV_GO_UNBLOCK_LOCAL, goroutine->id,
			      stack);
	else
		writer_event3(&s->writer, p, EV_GO_UNBLOCK, goroutine->id,
			      goroutine->sequence, stack);
	goroutine->sequence++;
	goroutine->p = p;
	goroutine->woken = true;
}

static uint32_t take_waiting(struct scheduler *s)
{
	uint32_t count = s->waiting.count;
	uint32_t among = count;

	if (among > WAKE_RECENT && scheduler_random(s, WAKE_ANY) != 0)
		among = WAKE_RECENT;
	return pool_take(&s->waiting, count - 1 - scheduler_random(s, among));
}

void scheduler_wake(struct scheduler *s, uint32_t p, uint64_t stack)
{
	uint32_t g = take_waiting(s);

	scheduler_unblock(s, p, g, stack);
	scheduler_enqueue(s, &s->processors[p].queue, g);
}

void scheduler_start(struct scheduler *s, uint32_t p, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];

	if (writer_is_old(&s->writer))
		writer_event1(&s->writer, p, EV_GO_START, goroutine->id);
	else if (goroutine->p == p)
		writer_event1(&s->writer, p, EV_GO_START_LOCAL, goroutine->id);
	else
		writer_event2(&s->writer, p, EV_GO_START, goroutine->id,
			      goroutine->sequence);
	goroutine->sequence++;
	goroutine->p = p;
	goroutine->woken = false;
	s->processors[p].running = g;
}

void scheduler_yield(struct scheduler *s, uint32_t p, unsigned type)
{
	scheduler_enqueue(s, &s->runnable, scheduler_leave(s, p, type));
}

void scheduler_stop_processor(struct scheduler *s, uint32_t p)
{
	writer_event0(&s->writer, p, EV_PROC_STOP);
	s->processors[p].started = false;
}

void scheduler_system_call(struct scheduler *s, uint32_t p, bool blocks)
{
	uint32_t g = s->processors[p].running;

	writer_event1(&s->writer, p, EV_GO_SYS_CALL, scheduler_stack(s));
	if (!blocks)
		return;
	writer_event0(&s->writer, p, EV_GO_SYS_BLOCK);
	s->goroutines[g].ticks = s->writer.now;
	s->goroutines[g].exit = writer_sequence(&s->writer);
	pool_add(&s->in_system_call, g);
	s->processors[p].running = NONE;
	scheduler_stop_processor(s, p);
}

void scheduler_system_call_exit(struct scheduler *s, uint32_t p)
{
	struct pool *pool = &s->in_system_call;
	uint32_t g = pool_take(pool, scheduler_random(s, pool->count));
	struct goroutine *goroutine = &s->goroutines[g];
	uint64_t since = s->writer.now - goroutine->ticks;
	uint64_t sequence = goroutine->sequence;
	uint64_t ticks = goroutine->ticks;

	if (since > UINT32_MAX - 1)
		since = UINT32_MAX - 1;
	ticks += scheduler_random(s, (uint32_t)since + 1);
	if (scheduler_random(s, 4) == 0)
		ticks = 0; /* the time of the event itself */
	if (writer_is_old(&s->writer)) {
		/* The order is by sequence number, so ticks must follow it. */
		sequence = ticks == 0 ? writer_sequence(&s->writer)
				      : goroutine->exit;
		ticks = ticks == 0 ? 0 : goroutine->ticks;
	}
	writer_event3(&s->writer, p, EV_GO_SYS_EXIT, goroutine->id, sequence,
		      ticks);
	goroutine->sequence++;
	goroutine->p = p;
	scheduler_start(s, p, g);
}

void scheduler_futile(struct scheduler *s, uint32_t p)
{
	writer_event0(&s->writer, p, EV_FUTILE_WAKEUP);
	pool_add(&s->waiting, scheduler_leave(s, p, EV_GO_BLOCK_RECV));
}

void scheduler_end(struct scheduler *s, uint32_t p)
{
	writer_event0(&s->writer, p, EV_GO_END);
	pool_add(&s->unused, s->processors[p].running);
	s->processors[p].running = NONE;
}
