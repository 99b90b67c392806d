/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate2_scheduler.h - the processors, threads and goroutines of a generated
 * trace, and what they can do. Each function here also writes the events.
 *
 * Processors, threads and goroutines are known by their index in an array. That
 * of a goroutine which has ended is used again.
 */
#ifndef GTRACE_TESTS_BENCH_GENERATE2_SCHEDULER_H_
#define GTRACE_TESTS_BENCH_GENERATE2_SCHEDULER_H_

#include "generate2.h"

/* As the format has them. */
enum g_status { G_NONE, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING };
enum p_status { P_NONE, P_RUNNING, P_IDLE, P_SYSCALL, P_ABANDONED };

struct goroutine {
	uint64_t id;
	uint64_t generation; /* of its last status event */
	uint64_t sequence;
	uint64_t ticks; /* of the last event that others wait for */
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
	uint64_t ticks; /* of the last event that others wait for */
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
	uint32_t blocked_least;    /* of those, without a processor */
	uint64_t last_id, created;
	uint64_t end_of_generation, next_phase; /* in events */
	uint64_t gc_sequence, gc_ticks;
	bool marking;
	bool announced; /* what comes early in each generation */
};

static inline uint32_t dice(struct scheduler2 *s, uint32_t limit)
{
	return writer2_random(&s->writer, limit);
}

static inline uint64_t stack(struct scheduler2 *s)
{
	return writer2_stack(&s->writer);
}

static inline void add(struct pool *pool, uint32_t item)
{
	pool->items[pool->count++] = item;
}

static inline uint32_t take(struct pool *pool, uint32_t position)
{
	uint32_t item = pool->items[position];

	pool->items[position] = pool->items[--pool->count];
	return item;
}

/* First in, first out; NONE if QUEUE is empty. */
void scheduler2_enqueue(struct scheduler2 *s, struct queue *queue, uint32_t g);
uint32_t scheduler2_dequeue(struct scheduler2 *s, struct queue *queue);

/* Thread M tells the status of what it is bound to, before any other event. */
void scheduler2_tell(struct scheduler2 *s, uint32_t m);

/*
 * Stream M tells the status of G, if none has in this generation. THREAD: the
 * id of that on which it is, or UINT64_MAX.
 */
void scheduler2_tell_goroutine(struct scheduler2 *s, uint32_t m, uint32_t g,
			       uint64_t thread, enum g_status status);

/* Thread M begins to run P, which is idle. P stops. */
void scheduler2_bind(struct scheduler2 *s, uint32_t m, uint32_t p);
void scheduler2_stop_processor(struct scheduler2 *s, uint32_t p);

/* THIEF takes P from the thread that is in a system call with it. */
void scheduler2_steal(struct scheduler2 *s, uint32_t thief, uint32_t p);

/* P, which runs none, runs G. */
void scheduler2_start(struct scheduler2 *s, uint32_t p, uint32_t g);

/*
 * The goroutine of P leaves it and becomes STATUS, G_WAITING or G_RUNNABLE; it
 * leaves it for the queue; it ends; it creates another.
 */
uint32_t scheduler2_leave(struct scheduler2 *s, uint32_t p,
			  enum g_status status, uint64_t reason);
void scheduler2_stop(struct scheduler2 *s, uint32_t p, uint64_t reason);
void scheduler2_end(struct scheduler2 *s, uint32_t p);
void scheduler2_create(struct scheduler2 *s, uint32_t p);

/* P, or its goroutine, unblocks G, or one that waits, which P then queues. */
void scheduler2_unblock(struct scheduler2 *s, uint32_t p, uint32_t g);
void scheduler2_unblock_any(struct scheduler2 *s, uint32_t p);

/*
 * The goroutine of P enters a system call; it returns from it; one whose
 * processor was taken away returns, on P, which is idle, or on none (NONE).
 */
void scheduler2_system_call(struct scheduler2 *s, uint32_t p);
void scheduler2_system_call_end(struct scheduler2 *s, uint32_t p);
void scheduler2_system_call_return(struct scheduler2 *s, uint32_t p);

#endif /* GTRACE_TESTS_BENCH_GENERATE2_SCHEDULER_H_ */
