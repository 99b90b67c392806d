/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic.h - valid traces of any size, with any number of processors and
 * goroutines, as the runtime of a Go release would have written them.
 *
 * A scheduler is simulated: goroutines run, yield, block, wake each other,
 * enter system calls, are created and end; the collector stops the world; each
 * processor writes its events to a buffer of 64 KiB that goes to the file when
 * it is full. The same options make the same bytes everywhere.
 */
#ifndef GTRACE_TESTS_SYNTHETIC_H_
#define GTRACE_TESTS_SYNTHETIC_H_

#include <stddef.h>
#include <stdint.h>

struct synthetic_options {
	/* 1005 to 1021, as in the header: 1008 for "go 1.8 trace". */
	unsigned version;
	/* Events to write, roughly; it ends soon after that many. */
	uint64_t events;
	/* Processors, 1 or more. */
	uint32_t processors;
	/* Goroutines that live all the time, 1 or more. */
	uint32_t goroutines;
	/* Goroutines that are created, run and end during the trace. */
	uint64_t churn;
	/* One event in this many has the ticks of the one before it, which is
	 * of another processor. 0: none. */
	uint32_t ties;
	/* One start in this many, in versions up to 1008, is after a futile
	 * wakeup. 0: none. */
	uint32_t futile;
	uint64_t seed;
	/* Takes the bytes in file order, with CONTEXT. */
	void (*write)(void *context, const void *data, size_t size);
	void *context;
};

/*
 * Makes a trace. Takes some 64 KiB of memory a processor and 60 bytes a
 * goroutine, whatever the number of events. Returns how many events it has.
 */
uint64_t synthetic_trace(const struct synthetic_options *options);

#endif /* GTRACE_TESTS_SYNTHETIC_H_ */
