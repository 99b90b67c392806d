/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - who waited for a processor, behind whom, and what slices delayed.
 *
 * A goroutine waits from the event that makes it ready to the one with which it
 * runs. While it waits, time is stopped, idle or busy: the world is stopped, or
 * a processor is free, or none is. The waiting in busy time is the delay of
 * what the processors do meanwhile.
 */
#ifndef GTRACE_ANALYSIS_WAITS_H_
#define GTRACE_ANALYSIS_WAITS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/slices.h"
#include "base/memory.h"
#include "base/pool.h"
#include "model/event.h"

/* --------------------------------------------------------------- results -- */

/* At most so many slices are listed as those that kept a wait. */
#define WAIT_KEPT_MAX 3

/* A slice that kept a wait. */
struct kept_slice {
	/* Its `inside.call_ticks` is set where the format times calls. */
	const struct slice *slice;
	int64_t overlap; /* with busy time of the wait, in nanoseconds */
};

/* One of the longest waits. Times are in nanoseconds, except for ticks. */
struct wait {
	struct event_ref ready; /* the event; its origin is its walk back */
	int64_t start;          /* of the wait, in ticks */
	int64_t length, busy, idle, stopped;
	uint64_t g;
	bool before;       /* it began before the trace */
	bool over;         /* the goroutine ran */
	int64_t ran_ticks; /* of the event with which it ran, if over */
	int64_t ran_p;     /* and its processor */
	struct kept_slice kept[WAIT_KEPT_MAX]; /* longest overlap first */
	unsigned kept_count;
	uint64_t kept_more; /* slices that are not in `kept` */
	int64_t kept_more_overlap;
	int64_t kept_none; /* processor time that no slice overlaps */
};

/* The whole waits that began with one type of event, or all. */
struct wait_row {
	uint32_t type; /* of the event; 0: all types */
	uint64_t count;
	int64_t sum, median, p99, p999, max;
	int64_t busy, idle, stopped; /* sums */
};

#define WAIT_ROWS_MAX EVENT_TYPES

/* What was found. All that it points to belongs to the struct waits. */
struct wait_results {
	/* How many waits there were. One of the last two kinds is not whole. */
	uint64_t whole, before, unfinished;
	/* A row for each type that has whole waits, by type. */
	struct wait_row rows[WAIT_ROWS_MAX];
	size_t row_count;
	struct wait_row all; /* the sum of these rows */
	/* The longest waits, in the order of the report. */
	const struct wait *waits;
	size_t wait_count;
	/* Busy time of all waits; its part behind slices. Nanoseconds. */
	int64_t waited, behind;
	/* The slices with the longest `delay`, in the order of the report. */
	const struct slice *slices;
	size_t slice_count;
};

/* -------------------------------------------------------------- analysis -- */

struct waits {
	const struct gtrace_allocator *memory;
	const struct clock *clock;
	size_t waits_wanted;  /* N of the longest waits; can be 0 */
	size_t delays_wanted; /* N of the slices with the longest delay */
	bool failed;          /* there was no memory: nothing else counts */
};

/*
 * Prepares to find the WANTED longest waits and the DELAYS slices with the
 * longest delay. Takes no memory yet. CLOCK must outlive them. A pass that has
 * observer->waits needs observer->stops.
 */
void gti_waits_init(struct waits *waits, size_t wanted, size_t delays,
		    const struct clock *clock,
		    const struct gtrace_allocator *memory);

void gti_waits_free(struct waits *waits);

/* Forgets all waits, to begin the pass again. */
void gti_waits_restart(struct waits *waits);

/*
 * Fills RESULTS after a pass that did not fail. Returns false if there is no
 * memory.
 */
bool gti_waits_results(struct waits *waits, struct wait_results *results);

#endif /* GTRACE_ANALYSIS_WAITS_H_ */
