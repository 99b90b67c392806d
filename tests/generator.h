/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator.h - valid traces of any size and of all versions, with any number
 * of processors, threads and goroutines, as the runtime would have written
 * them.
 *
 * generator.c and generator_scheduler.c simulate a scheduler: goroutines run,
 * yield, block, unblock each other, enter system calls in which their processor
 * is taken away, are created and end; the collector stops the world. What
 * happens is written by generator_v1.c in the format of Go 1.5 to 1.21, and by
 * generator_v2.c in that of Go 1.22 and later. The same options make the same
 * bytes everywhere.
 */
#ifndef GTRACE_TESTS_GENERATOR_H_
#define GTRACE_TESTS_GENERATOR_H_

#include <stddef.h>
#include <stdint.h>

#define GENERATOR_FIRST_OF_V2 1022

struct generator_options {
	/* As in the header: 1008 for "go 1.8 trace". */
	uint32_t version;
	/* Events to write, roughly; the trace ends soon after that many. */
	uint32_t events;
	/* Processors, 1 or more. */
	uint32_t processors;
	/*
	 * Threads, more than two a processor; most of those beyond three a
	 * processor are in system calls, which needs as many goroutines. 0: two
	 * a processor, and eight.
	 */
	uint32_t threads;
	/* Goroutines that live all the time, 1 or more. */
	uint32_t goroutines;
	/* Goroutines that are created, run and end during the trace. */
	uint32_t churn;
	/* Steps of one processor before those of another, on average. 0: 1, or
	 * 4 from version 1022 on. */
	uint32_t burst;
	/* One step in this many is followed by a CPU sample, from version 1019
	 * on. 0: none. */
	uint32_t samples;
	/* Up to version 1021, one event in this many has the ticks of the one
	 * before it, which is of another processor. 0: none. */
	uint32_t ties;
	/* One start in this many, in versions up to 1008, is after a futile
	 * wakeup. 0: none. */
	uint32_t futile;
	/* Events of a generation, roughly, from version 1022 on. 0: all. */
	uint32_t generation;
	uint32_t seed;
	/* Takes the bytes in file order, with CONTEXT. */
	void (*write)(void *context, const void *data, size_t size);
	void *context;
};

/*
 * Makes a trace and returns how many events it has. Takes some 64 KiB of memory
 * for each processor or thread that writes and 100 bytes a goroutine, for any
 * number of events. Ends the program if there is no memory.
 */
uint64_t generate_trace(const struct generator_options *options);

#endif /* GTRACE_TESTS_GENERATOR_H_ */
