/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oncpu.h - the scheduling record of a kernel: when each thread was on a CPU.
 *
 * It is text: the switches of CPUs between threads, by CLOCK_MONOTONIC, as
 * `perf script` and `trace-cmd report` print them; or a table of the times for
 * which threads of a program were on a CPU, since the first event of its trace.
 */
#ifndef GTRACE_BASE_ONCPU_H_
#define GTRACE_BASE_ONCPU_H_

#include "base/map.h"
#include "base/memory.h"
#include "base/texts.h"

/* A thread was on a CPU for some time, in nanoseconds. */
struct oncpu_run {
	int64_t from;
	int64_t to;
	uint32_t other; /* of a thread: the number of the CPU; or vice versa */
	bool asleep;    /* the thread was not runnable when it left the CPU */
	/*
	 * Of a CPU: so many more times than in the run before a thread was
	 * preempted for all of the run. Wraps around.
	 */
	uint64_t more;
};

/* A thread, or a CPU. */
struct oncpu_lane {
	int64_t id;
	struct array runs; /* struct oncpu_run, one after the other */
	int64_t until;     /* end of the last one */
	/* Of a CPU, while the record is read: what runs on it since when. */
	int64_t thread; /* 0: none; -1: not known */
	int64_t since;
	/* Of a thread: its name, or NO_TEXT, and its process, or 0. */
	uint32_t name;
	int64_t process;
	/*
	 * How long it had the CPU that threads of slices were preempted on, see
	 * gti_oncpu_settle().
	 */
	int64_t instead;
	bool is_go; /* a slice was compared with it */
};

struct oncpu_lanes {
	struct array list;  /* struct oncpu_lane */
	struct map numbers; /* by id, plus one */
};

/* How long a thread was on a CPU, or why it was not; -1: not known. */
struct oncpu_time {
	int64_t on_cpu;
	int64_t preempted; /* runnable when it left its CPU */
	int64_t asleep;
};

struct oncpu {
	const struct gtrace_allocator *memory;
	bool since_first; /* times are since the first event of the trace */
	int64_t from;     /* the record has all that happened from here on */
	int64_t to;
	struct oncpu_lanes threads;
	struct oncpu_lanes cpus;
	/*
	 * Times for which it lacks switches of a CPU, as runs in order: what
	 * threads that are on no CPU then do is not known.
	 */
	struct array gaps;
	struct texts names;
	int64_t offset; /* CLOCK_MONOTONIC is so much more than ticks */
	/* Of the present pass: the time of the first event, and sums. */
	int64_t first;
	struct oncpu_time sum;
	int64_t unknown; /* length of the slices that the record lacks */
	/* Slices that begin in the record; and with their thread on a CPU. */
	uint64_t starts;
	uint64_t fitting;
};

/*
 * Reads the record in the file PATH to *ONCPU, which is to be freed in any
 * case. Errors: GTRACE_ERROR_ARGUMENT, _OPEN, _READ, _MEMORY.
 */
enum gtrace_status gti_oncpu_open(struct oncpu **oncpu, const char *path,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error);

/* ONCPU can be NULL. */
void gti_oncpu_free(struct oncpu *oncpu);

/* Begins the sums of a pass. */
void gti_oncpu_restart(struct oncpu *oncpu);

/*
 * Returns the time of a thread for LENGTH from START on, in nanoseconds since
 * the first event. It is not known if the record does not have all of it, or if
 * ONCPU is NULL. Why a thread was on no CPU before its first run is not known.
 */
struct oncpu_time gti_oncpu_time(const struct oncpu *oncpu, int64_t thread,
				 int64_t start, int64_t length);

/*
 * A slice of a thread has ended: compares its start with the record and, if it
 * PASSES the filter, adds it to the sums. Returns its time on a CPU, or -1.
 */
int64_t gti_oncpu_slice(struct oncpu *oncpu, int64_t thread, int64_t start,
			int64_t length, bool passes);

/* Completes `instead` of all threads with the slices so far. */
void gti_oncpu_settle(struct oncpu *oncpu);

/* Fails with GTRACE_ERROR_ARGUMENT if the slices are not of the record. */
enum gtrace_status gti_oncpu_fits(const struct oncpu *oncpu,
				  struct gtrace_error *error);

static inline struct oncpu_lane *oncpu_lane_at(const struct oncpu_lanes *lanes,
					       size_t number)
{
	return (struct oncpu_lane *)lanes->list.items + number;
}

#endif /* GTRACE_BASE_ONCPU_H_ */
