/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes_made.h - where the chains of goroutines that waited end, as a summary
 * gets it to make findings of. It is here because those who find it and those
 * who tell it do not see each other. Texts and arrays last as long as the
 * summary; times are in nanoseconds.
 */
#ifndef GTRACE_BASE_CAUSES_MADE_H_
#define GTRACE_BASE_CAUSES_MADE_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* A cause has so many victims at most. */
#define VICTIMS_MAX 3

/*
 * A function in which chains end, without the delays by its slices: these are
 * in the functions of the summary, and are added by name.
 */
struct cause_made {
	struct gtrace_frame frame;
	struct gtrace_string inner[GTRACE_HOLDS]; /* empty: none */
	int64_t parts[GTRACE_HOLDS];
	int64_t itself, others; /* together the sum of the parts */
	uint64_t count;         /* of the waits, or pieces of them */
	int64_t worst;          /* the longest of these */
	int64_t worst_start;    /* -1: not known */
	int64_t worst_g;
	struct gtrace_victim victims[VICTIMS_MAX]; /* greatest sum first */
	size_t victim_count;
};

/* What names no function. */
struct cause_sum {
	int64_t sum;
	uint64_t count;
	int64_t worst, worst_start, worst_g; /* as in struct cause_made */
};

/* Goroutines that are blocked at a place for ever, as far as it is known. */
struct leak_made {
	struct gtrace_victim place; /* `count` more of them than at the start */
	struct cause_sum blocked;
};

/* A function that woke many, most of which blocked again at once. */
struct broadcast_made {
	struct gtrace_frame frame;
	struct gtrace_string inner;
	uint64_t woken;
	struct gtrace_victim idle; /* where, and `count` had nothing to do */
	struct cause_sum lost;
};

struct causes_made {
	const struct cause_made *functions; /* in any order */
	size_t function_count;
	/* Ready time of 100 us or more while all processors were busy. */
	struct cause_sum load;
	struct cause_sum handover; /* any ready time while one was idle */
	/* Of all ready time, waits that are too short for the load are so much.
	 */
	double short_part;
	/* The longest wait for a processor, and when; -1: none. */
	int64_t ready_worst, ready_start;
	int64_t collector; /* others waited so long for one that helped it */
	/*
	 * All that counts as harm, each moment of a goroutine once: that of the
	 * functions, load, handover, what goes to the collector, to no
	 * function and to leaks, and what counts as work. The whole is this and
	 * the time of the processors.
	 */
	int64_t counted;
	const struct leak_made *leaks;
	size_t leak_count;
	const struct broadcast_made *broadcasts;
	size_t broadcast_count;
	const struct gtrace_resting *at_rest; /* longest first, at most 3 */
	size_t at_rest_count;
	uint64_t every; /* see causes_every of the summary */
};

#endif /* GTRACE_BASE_CAUSES_MADE_H_ */
