/* SPDX-License-Identifier: BSD-3-Clause */
/* generate2_scheduler.c - processors, threads and goroutines of a trace. */
#include "generate2_scheduler.h"

/* One unblocked goroutine in so many is any that waits, the others are among
 * the last to have begun waiting. */
#define UNBLOCK_ANY    5
#define UNBLOCK_RECENT 256

/* --------------------------------------------------- queues and pools -- */

void scheduler2_enqueue(struct scheduler2 *s, struct queue *queue, uint32_t g)
{
	s->goroutines[g].next = NONE;
	if (queue->count++ == 0)
		queue->first = g;
	else
		s->goroutines[queue->last].next = g;
	queue->last = g;
}

uint32_t scheduler2_dequeue(struct scheduler2 *s, struct queue *queue)
{
	uint32_t g = queue->first;

	if (queue->count == 0)
		return NONE;
	queue->count--;
	queue->first = s->goroutines[g].next;
	return g;
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
void scheduler2_tell_goroutine(struct scheduler2 *s, uint32_t m, uint32_t g,
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
void scheduler2_tell(struct scheduler2 *s, uint32_t m)
{
	const struct thread *t = &s->threads[m];

	if (t->p != NONE)
		tell_processor(s, m, t->p,
			       s->processors[t->p].system_call ? P_SYSCALL
							       : P_RUNNING);
	if (t->g != NONE)
		scheduler2_tell_goroutine(s, m, t->g, thread_id(m),
					  s->goroutines[t->g].status);
}

/* ------------------------------------------------ what happens to a P -- */

/* Thread M begins to run P. */
void scheduler2_bind(struct scheduler2 *s, uint32_t m, uint32_t p)
{
	struct processor *processor = &s->processors[p];

	scheduler2_tell(s, m);
	tell_processor(s, m, p, P_IDLE);
	writer2_after(&s->writer, processor->ticks);
	EVENT(&s->writer, m, BYTE_PROC_START, p, ++processor->sequence);
	processor->ticks = s->writer.last;
	processor->m = m;
	s->threads[m].p = p;
}

void scheduler2_stop_processor(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_PROC_STOP);
	s->processors[p].ticks = s->writer.last;
	s->processors[p].m = NONE;
	s->threads[m].p = NONE;
	add(&s->idle, m);
}

/* THIEF takes P from the thread that is in a system call with it. */
void scheduler2_steal(struct scheduler2 *s, uint32_t thief, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	struct thread *t = &s->threads[processor->m];

	scheduler2_tell(s, thief);
	tell_processor(s, thief, p, P_ABANDONED);
	writer2_after(&s->writer, processor->ticks);
	EVENT(&s->writer, thief, BYTE_PROC_STEAL, p, ++processor->sequence,
	      thread_id(processor->m));
	processor->ticks = s->goroutines[t->g].ticks = s->writer.last;
	add(&s->blocked, t->g);
	t->p = NONE;
	processor->m = NONE;
	processor->system_call = false;
}

/* ------------------------------------------------ what happens to a G -- */

/* P, which runs none, runs G. */
void scheduler2_start(struct scheduler2 *s, uint32_t p, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t m = s->processors[p].m;

	scheduler2_tell(s, m);
	scheduler2_tell_goroutine(s, m, g, UINT64_MAX, G_RUNNABLE);
	writer2_after(&s->writer, goroutine->ticks);
	EVENT(&s->writer, m, BYTE_GO_START, goroutine->id,
	      ++goroutine->sequence);
	goroutine->ticks = s->writer.last;
	goroutine->status = G_RUNNING;
	s->threads[m].g = g;
}

/* The goroutine of P leaves it and becomes STATUS. */
uint32_t scheduler2_leave(struct scheduler2 *s, uint32_t p,
			  enum g_status status, uint64_t reason)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = s->threads[m].g;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, status == G_WAITING ? BYTE_GO_BLOCK : BYTE_GO_STOP,
	      reason, stack(s));
	s->goroutines[g].status = (uint8_t)status;
	s->goroutines[g].ticks = s->writer.last;
	s->threads[m].g = NONE;
	return g;
}

void scheduler2_stop(struct scheduler2 *s, uint32_t p, uint64_t reason)
{
	scheduler2_enqueue(s, &s->runnable,
			   scheduler2_leave(s, p, G_RUNNABLE, reason));
}

void scheduler2_end(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = s->threads[m].g;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_DESTROY);
	s->goroutines[g].status = G_NONE;
	s->threads[m].g = NONE;
	add(&s->unused, g);
}

void scheduler2_create(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;
	uint32_t g = take(&s->unused, s->unused.count - 1);
	uint64_t first = stack(s);

	scheduler2_tell(s, m);
	s->goroutines[g] = (struct goroutine){
		.id = ++s->last_id,
		.generation = s->writer.generation,
		.status = G_RUNNABLE,
		.life = (uint8_t)(2 + dice(s, 4)),
	};
	EVENT(&s->writer, m, BYTE_GO_CREATE, s->last_id, first, stack(s));
	s->goroutines[g].ticks = s->writer.last;
	scheduler2_enqueue(s, &s->processors[p].queue, g);
	s->created++;
}

/* P, or its goroutine, unblocks G. */
void scheduler2_unblock(struct scheduler2 *s, uint32_t p, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	uint32_t m = s->processors[p].m;

	scheduler2_tell(s, m);
	scheduler2_tell_goroutine(s, m, g, UINT64_MAX, G_WAITING);
	writer2_after(&s->writer, goroutine->ticks);
	EVENT(&s->writer, m, BYTE_GO_UNBLOCK, goroutine->id,
	      ++goroutine->sequence, s->threads[m].g == NONE ? 0 : stack(s));
	goroutine->ticks = s->writer.last;
	goroutine->status = G_RUNNABLE;
}

void scheduler2_unblock_any(struct scheduler2 *s, uint32_t p)
{
	uint32_t count = s->waiting.count;
	uint32_t among = count;
	uint32_t g;

	if (among > UNBLOCK_RECENT && dice(s, UNBLOCK_ANY) != 0)
		among = UNBLOCK_RECENT;
	g = take(&s->waiting, count - 1 - dice(s, among));
	scheduler2_unblock(s, p, g);
	scheduler2_enqueue(s, &s->processors[p].queue, g);
}

/* ------------------------------------------------------- system calls -- */

void scheduler2_system_call(struct scheduler2 *s, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	uint32_t m = processor->m;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_BEGIN, ++processor->sequence,
	      stack(s));
	processor->ticks = s->writer.last;
	s->goroutines[s->threads[m].g].status = G_SYSCALL;
	s->goroutines[s->threads[m].g].m = m;
	processor->system_call = true;
	s->calls++;
}

void scheduler2_system_call_end(struct scheduler2 *s, uint32_t p)
{
	uint32_t m = s->processors[p].m;

	scheduler2_tell(s, m);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_END);
	s->goroutines[s->threads[m].g].status = G_RUNNING;
	s->processors[p].system_call = false;
	s->calls--;
}

/* A goroutine whose processor was taken away returns: on P, or on none. */
void scheduler2_system_call_return(struct scheduler2 *s, uint32_t p)
{
	uint32_t g = take(&s->blocked, dice(s, s->blocked.count));
	uint32_t m = s->goroutines[g].m;

	scheduler2_tell(s, m);
	if (p != NONE)
		scheduler2_bind(s, m, p);
	writer2_after(&s->writer, s->goroutines[g].ticks);
	EVENT(&s->writer, m, BYTE_GO_SYSCALL_END_BLOCKED);
	s->calls--;
	s->goroutines[g].status = G_RUNNABLE;
	s->goroutines[g].ticks = s->writer.last;
	s->threads[m].g = NONE;
	if (p != NONE) {
		scheduler2_start(s, p, g);
		return;
	}
	scheduler2_enqueue(s, &s->runnable, g);
	add(&s->idle, m);
}
