/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic_scheduler.h - the goroutines and processors behind a synthetic
 * trace, and what they can do. Each function here also writes the events.
 *
 * Goroutines are known by their place in an array, which is used again when
 * one has ended.
 */
#ifndef GTRACE_TESTS_SYNTHETIC_SCHEDULER_H_
#define GTRACE_TESTS_SYNTHETIC_SCHEDULER_H_

#include <stdbool.h>
#include <stdint.h>

#include "synthetic.h"
#include "synthetic_writer.h"

#define NONE UINT32_MAX

#define OPEN_TASKS 16

struct goroutine {
	uint64_t id;
	uint64_t sequence; /* that its next start or wake-up has */
	uint64_t ticks;    /* when its system call blocked */
	uint64_t exit;     /* a sequence number for the call's end */
	uint32_t p;        /* where it was last */
	uint32_t next;     /* in a queue */
	uint8_t life;      /* until it ends at 1; 0: lives all the time */
	uint8_t regions;   /* open */
	bool worker;       /* of the collector */
	bool woken;        /* and not started since */
};

struct queue {
	uint32_t first, last, count;
};

/* Goroutines in no order. */
struct pool {
	uint32_t *items;
	uint32_t count;
};

struct processor {
	struct queue queue;
	uint32_t running; /* NONE: no goroutine */
	bool started;
};

struct scheduler {
	struct writer writer;
	const struct synthetic_options *options;
	struct processor *processors;
	struct goroutine *goroutines;
	struct queue runnable; /* on no processor's queue */
	struct pool unused, waiting, in_system_call, workers;
	uint64_t last_id;
	uint64_t created; /* of the goroutines that come and go */
	uint64_t collections;
	uint64_t next_phase; /* of the collector, in events */
	uint64_t tasks[OPEN_TASKS];
	uint64_t last_task;
	bool marking;
};

/* Ends the program if there is no memory. */
void scheduler_open(struct scheduler *s,
		    const struct synthetic_options *options);

/* Frees all but what the writer has. */
void scheduler_close(struct scheduler *s);

/* Processor 0 tells of all goroutines, then of the one that it runs. */
void scheduler_begin(struct scheduler *s);

/* A number from 0 to LIMIT - 1, and a stack's id. */
uint32_t scheduler_random(struct scheduler *s, uint32_t limit);
uint64_t scheduler_stack(struct scheduler *s);

/* First in, first out; NONE if QUEUE is empty. */
void scheduler_enqueue(struct scheduler *s, struct queue *queue, uint32_t g);
uint32_t scheduler_dequeue(struct scheduler *s, struct queue *queue);

void pool_add(struct pool *pool, uint32_t g);
uint32_t pool_take(struct pool *pool, uint32_t position);

/* The goroutine that runs on processor P. */
struct goroutine *scheduler_running(struct scheduler *s, uint32_t p);

/* A new goroutine, by what runs on P. It is queued nowhere yet. */
uint32_t scheduler_create(struct scheduler *s, uint32_t p, uint8_t life);

/* P, which runs none, runs G. */
void scheduler_start(struct scheduler *s, uint32_t p, uint32_t g);

/*
 * The goroutine of P leaves it: with any event that has a stack (the caller
 * puts it somewhere), to be run again, to wait, to wait because it was woken
 * too late, or for ever.
 */
uint32_t scheduler_leave(struct scheduler *s, uint32_t p, unsigned type);
void scheduler_yield(struct scheduler *s, uint32_t p, unsigned type);
void scheduler_block(struct scheduler *s, uint32_t p);
void scheduler_futile(struct scheduler *s, uint32_t p);
void scheduler_end(struct scheduler *s, uint32_t p);

/*
 * What runs on P wakes G (which is queued nowhere yet), or one that waits. The
 * waker's STACK is 0 where it is no goroutine.
 */
void scheduler_unblock(struct scheduler *s, uint32_t p, uint32_t g,
		       uint64_t stack);
void scheduler_wake(struct scheduler *s, uint32_t p, uint64_t stack);

/*
 * The goroutine of P enters a system call. If it BLOCKS, P stops. A goroutine
 * comes back on P, which runs none, some time after its call was over.
 */
void scheduler_system_call(struct scheduler *s, uint32_t p, bool blocks);
void scheduler_system_call_exit(struct scheduler *s, uint32_t p);

void scheduler_stop_processor(struct scheduler *s, uint32_t p);

#endif /* GTRACE_TESTS_SYNTHETIC_SCHEDULER_H_ */
