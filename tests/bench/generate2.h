/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate2.h - valid traces of the format of Go 1.22 and later, of any size,
 * with any number of processors, threads and goroutines.
 *
 * A scheduler is simulated (generate2.c): goroutines run, block, unblock each
 * other, enter system calls in which their processor is taken away, are created
 * and end; the collector runs and stops the world. Each thread writes to a
 * buffer of 64 KiB (generate2_writer.c), and after a number of events a new
 * generation begins. The same options make the same bytes everywhere.
 */
#ifndef GTRACE_TESTS_BENCH_GENERATE2_H_
#define GTRACE_TESTS_BENCH_GENERATE2_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "v2/table.h"

#define NONE UINT32_MAX

struct generate2_options {
	/* 22, 23, 25 or 26, as in the header. */
	unsigned version;
	/* Events to write, roughly, and those of a generation. */
	uint64_t events;
	uint64_t generation;
	/* Processors, 1 or more. */
	uint32_t processors;
	/* Threads, more than two a processor; most of those beyond three a
	 * processor are in system calls, which needs as many goroutines. 0: two
	 * a processor, and eight. */
	uint32_t threads;
	/* Goroutines that live all the time, 1 or more. */
	uint32_t goroutines;
	/* Goroutines that are created, run and end. */
	uint64_t churn;
	/* Events that one thread writes before another does, on average. */
	uint32_t burst;
	/* One event in so many is followed by a CPU sample. 0: none. */
	uint32_t samples;
	uint64_t seed;
	FILE *out;
};

/*
 * Writes a trace and returns how many events it has. Ends the program if there
 * is no memory.
 */
uint64_t generate2(const struct generate2_options *options);

/* Ids of strings that events refer to. */
enum generate2_string {
	STRING_SWEEP_TERMINATION = 1,
	STRING_MARK_TERMINATION,
	STRING_LABEL,
	STRING_GOSCHED,
	STRING_PREEMPTED,
	STRING_WORKER_WAITS,
	STRING_REASONS, /* to block, and REASONS - 1 more */
	REASONS = 7,
	STRING_FUNCTIONS = STRING_REASONS + REASONS,
};

#define STACKS 300

/* A batch that is being written. */
struct stream {
	uint8_t *bytes;
	size_t size;
	uint64_t m;     /* of the thread; UINT64_MAX: of none */
	uint64_t start; /* ticks */
	uint64_t ticks; /* of the last event */
	uint8_t kind;   /* its first byte; 0: events */
};

struct writer2 {
	const struct generate2_options *options;
	struct stream *streams; /* by thread, then that of no thread */
	struct stream samples;
	uint32_t stream_count;
	uint64_t generation;
	uint64_t clock; /* in CLOCK_UNIT */
	uint64_t step;  /* between events, on average */
	uint64_t last;  /* ticks of the last event */
	uint64_t random;
	uint64_t events;
};

void *generate2_memory(size_t count, size_t size);

/* The id that thread INDEX has in the file. */
static inline uint64_t thread_id(uint32_t index)
{
	return 4000 + index;
}

/* Each generation is begun and ended. The last stream belongs to no thread. */
void writer2_open(struct writer2 *w, const struct generate2_options *options,
		  uint32_t threads);
void writer2_begin(struct writer2 *w);
void writer2_end(struct writer2 *w);
void writer2_close(struct writer2 *w);

/* A number from 0 to LIMIT - 1, and a stack's id, small ones more often. */
uint32_t writer2_random(struct writer2 *w, uint32_t limit);
uint64_t writer2_stack(struct writer2 *w);

/* An event of stream INDEX: VALUES are its type byte and its arguments. */
void writer2_event(struct writer2 *w, uint32_t index, const uint64_t *values,
		   size_t count);

/* The next event shall be after TICKS. */
void writer2_after(struct writer2 *w, uint64_t ticks);

/* A CPU sample, now, of what thread INDEX does. */
void writer2_sample(struct writer2 *w, uint32_t index, uint64_t p, uint64_t g);

#define EVENT(w, index, ...)                                                   \
	writer2_event(w, index, (const uint64_t[]){__VA_ARGS__},               \
		      sizeof((const uint64_t[]){__VA_ARGS__}) /                \
			      sizeof(uint64_t))

#endif /* GTRACE_TESTS_BENCH_GENERATE2_H_ */
