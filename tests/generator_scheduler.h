/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator_scheduler.h - what generates a trace: the processors, threads and
 * goroutines of a program and what they can do, the clock and the batches of
 * the file, and the encoder of a format, which writes what happens.
 *
 * Processors, threads and goroutines are known by their index in an array. That
 * of a goroutine which has ended is used again. A thread is bound to the
 * processor that it runs. A system call keeps thread and processor until it
 * returns, or until the processor is taken away; then thread and goroutine
 * return on their own. Thread 0 takes processors away and does nothing else.
 */
#ifndef GTRACE_TESTS_GENERATOR_SCHEDULER_H_
#define GTRACE_TESTS_GENERATOR_SCHEDULER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "generator.h"
#include "model.h"

#define NONE UINT32_MAX

#define OPEN_TASKS 16

/* Strings that events refer to, by id. */
enum generator_string {
	STRING_SWEEP_TERMINATION = 1,
	STRING_MARK_TERMINATION,
	STRING_GOSCHED,
	STRING_PREEMPTED,
	STRING_WORKER_WAITS,
	STRING_REASONS, /* to block */
	STRING_LABELS = STRING_REASONS + 7,
	STRING_TASKS = STRING_LABELS + 3,
	STRING_REGIONS = STRING_TASKS + 4,
	STRING_KEYS = STRING_REGIONS + 4,
	STRING_MESSAGES = STRING_KEYS + 4,
	STRING_FUNCTIONS = STRING_MESSAGES + 4,
};

/* As the format of Go 1.22 has them. */
enum g_status { G_NONE, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING };

struct goroutine {
	uint64_t id;
	uint32_t next;   /* in a queue */
	uint32_t m;      /* while it runs or is in a system call */
	uint8_t status;  /* enum g_status */
	uint8_t life;    /* until it ends at 1; 0: lives all the time */
	uint8_t regions; /* open */
	bool worker;     /* of the collector */
	bool woken;      /* and not started since */
	/* The encoder's. */
	uint64_t sequence;
	uint64_t generation; /* of its last status event */
	uint64_t ticks;      /* of an event that others wait for */
	uint32_t p;          /* on which it was last */
	bool returns;        /* from a system call, at TICKS */
};

struct queue {
	uint32_t first, last, count;
};

/* Goroutines or threads in no order. */
struct pool {
	uint32_t *items;
	uint32_t count;
};

struct processor {
	struct queue queue;
	uint32_t m;       /* NONE: idle */
	bool system_call; /* in which its thread is */
	/* The encoder's. */
	uint64_t sequence;
	uint64_t generation; /* of its last status event */
	uint64_t ticks;      /* of an event that others wait for */
};

struct thread {
	uint32_t p, g; /* or NONE */
};

/* A batch that is being written. */
struct stream {
	struct builder bytes;
	uint64_t owner;          /* what its header names */
	uint64_t start;          /* ticks */
	uint64_t start_sequence; /* before 1007 */
	uint64_t ticks;          /* of the last event */
	uint64_t sequence;       /* of the last event */
	uint8_t kind;            /* its first byte; 0: events */
};

struct scheduler;
struct happening;

struct encoder {
	uint64_t ticks_per_second, first_ticks;
	/* Between two events of a busy processor, on average, and now and then
	 * when nothing happens for a while. */
	uint64_t step, pause;
	/* The clock's steps in a tick. */
	uint64_t unit;
	void (*open)(struct scheduler *s);
	/* A generation begins and ends; up to 1021 there is one. */
	void (*begin)(struct scheduler *s);
	void (*end)(struct scheduler *s);
	void (*event)(struct scheduler *s, const struct happening *h);
	/* What precedes the bytes of STREAM in the file. */
	void (*batch)(struct scheduler *s, const struct stream *stream,
		      struct builder *header);
	/* As builder_string and builder_stack. */
	uint64_t (*string)(struct builder *b, uint64_t id, const char *text);
	uint64_t (*stack)(struct builder *b, uint64_t id,
			  const struct builder_frame *frames, size_t count);
};

struct scheduler {
	const struct generator_options *options;
	const struct encoder *encoder;
	struct processor *processors;
	struct goroutine *goroutines;
	struct thread *threads;
	uint32_t goroutine_count, thread_count;
	struct queue runnable; /* on no processor's queue */
	struct pool unused, waiting, workers;
	struct pool blocked;       /* in system calls, without a processor */
	struct pool idle;          /* threads */
	uint32_t calls, calls_max; /* system calls under way */
	uint32_t blocked_least;    /* of those, without a processor */
	uint64_t last_id, created;
	uint64_t tasks[OPEN_TASKS];
	uint64_t last_task;
	uint64_t collection_events; /* between two collections */
	uint64_t next_phase;        /* of the collector, in events */
	bool marking;
	uint64_t random;
	/* The file: batches by thread or processor, and two more at most. */
	struct stream *streams;
	uint32_t stream_count;
	uint64_t clock;    /* in the unit of the encoder */
	uint64_t last;     /* ticks of the last event */
	uint64_t sequence; /* of the last event, before 1007 */
	uint64_t events;
	/* The encoder's. */
	uint64_t strings; /* those written, bit by id */
	uint64_t collector_sequence, collector_ticks;
	uint64_t generation, end_of_generation;
	bool announced; /* what comes early in each generation */
};

/* What happens. */
enum what {
	PROC_START,
	PROC_STOP,
	PROC_STEAL,
	CREATE,
	START,
	BLOCK, /* or another reason to leave the processor */
	END,
	UNBLOCK,
	CALL,
	CALL_END,
	CALL_RETURN, /* from a call in which the processor was taken away */
	FUTILE,
	STOP_BEGIN, /* of the world */
	STOP_END,
	GC_BEGIN,
	GC_END,
	HEAP_GOAL,
	HEAP_ALLOC,
	SWEEP_BEGIN,
	SWEEP_END,
	ASSIST_BEGIN,
	ASSIST_END,
	TASK_BEGIN,
	TASK_END,
	REGION_BEGIN,
	REGION_END,
	LOG,
	SAMPLE,
	WHATS
};

/* What happens on thread M and processor P to goroutine G. */
struct happening {
	enum what what;
	uint32_t m, p, g; /* or NONE */
	uint64_t a, b;
	unsigned name; /* id of a string */
};

extern const struct encoder generator_v1, generator_v2;

/* --------------------------------------------------------- the scheduler -- */

/* A number from 0 to LIMIT - 1. */
static inline uint32_t dice(struct scheduler *s, uint32_t limit)
{
	return (uint32_t)random_below(&s->random, limit);
}

void pool_add(struct pool *pool, uint32_t item);
uint32_t pool_take(struct pool *pool, uint32_t position);

/* First in, first out; NONE if QUEUE is empty. */
void scheduler_enqueue(struct scheduler *s, struct queue *queue, uint32_t g);
uint32_t scheduler_dequeue(struct scheduler *s, struct queue *queue);

/* The goroutine that runs on P, or NONE. */
uint32_t scheduler_running(const struct scheduler *s, uint32_t p);

/* An event of the goroutine that runs on P; all after WHAT can be 0. */
void scheduler_act(struct scheduler *s, uint32_t p, enum what what,
		   unsigned name, uint64_t a, uint64_t b);

/* Thread M begins to run P, which is idle. P stops. */
void scheduler_bind(struct scheduler *s, uint32_t m, uint32_t p);
void scheduler_stop_processor(struct scheduler *s, uint32_t p);

/* THIEF takes P from the thread that is in a system call with it. */
void scheduler_steal(struct scheduler *s, uint32_t thief, uint32_t p);

/* P, which runs none, runs G, with a label, which can be 0. */
void scheduler_start(struct scheduler *s, uint32_t p, uint32_t g,
		     unsigned label);

/*
 * The goroutine of P leaves it for REASON, a string, and becomes STATUS, and is
 * queued nowhere; it leaves to be run again; it ends; it creates another.
 */
uint32_t scheduler_leave(struct scheduler *s, uint32_t p, enum g_status status,
			 unsigned reason);
void scheduler_yield(struct scheduler *s, uint32_t p, unsigned reason);
void scheduler_end(struct scheduler *s, uint32_t p);
void scheduler_create(struct scheduler *s, uint32_t p);

/* P, or its goroutine, unblocks G, or one that waits, which P then queues. */
void scheduler_unblock(struct scheduler *s, uint32_t p, uint32_t g);
void scheduler_unblock_any(struct scheduler *s, uint32_t p);

/*
 * The goroutine of P enters a system call; it returns from it; one whose
 * processor was taken away returns, on P, which is idle, or on none (NONE).
 */
void scheduler_call(struct scheduler *s, uint32_t p);
void scheduler_call_end(struct scheduler *s, uint32_t p);
void scheduler_call_return(struct scheduler *s, uint32_t p);

/* -------------------------------------------------------------- the file -- */

/* The id that thread INDEX has in the file. */
static inline uint64_t thread_id(uint32_t index)
{
	return 4000 + index;
}

/* Writes the header of the file and begins COUNT streams. */
void writer_open(struct scheduler *s, uint32_t count);
void writer_close(struct scheduler *s);

/* Writes the bytes of B to the file; those of STREAM with a header. */
void writer_write(struct scheduler *s, struct builder *b);
void writer_flush(struct scheduler *s, struct stream *stream);

/* Ticks. The next event shall be after TICKS. */
uint64_t writer_now(const struct scheduler *s);
void writer_after(struct scheduler *s, uint64_t ticks);

/*
 * Lets STREAM have space for one more record; lets time pass until its next
 * event, too, and returns the ticks since its last one.
 */
void writer_prepare(struct scheduler *s, struct stream *stream);
uint64_t writer_event(struct scheduler *s, struct stream *stream);

/*
 * Sets VALUES to what LETTERS stand for, and returns their number:
 *   a b   the arguments of H           n   its string
 *   g m p its goroutine, thread, processor
 *   o     the thread of that processor, which can be another
 *   G P   the next sequence number of that goroutine or processor
 *   C     that of the collector
 *   N     the number of processors
 *   s     a stack, 0 if the thread runs no goroutine
 *   S     a stack
 *   0     0
 */
size_t writer_values(struct scheduler *s, const struct happening *h,
		     const char *letters, uint64_t *values);

/* Strings that events refer to, from FIRST on all strings, and all stacks. */
extern const char *const generator_names[STRING_FUNCTIONS];
void writer_strings(const struct scheduler *s, struct builder *b,
		    unsigned first);
void writer_stacks(const struct scheduler *s, struct builder *b);

#endif /* GTRACE_TESTS_GENERATOR_SCHEDULER_H_ */
