/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * judged.h - what causes.h has found, once the trace is known whole: which
 * goroutines were at rest, and for what the others could not go on, by
 * function.
 *
 * A goroutine rests where its kind loops: of the places where goroutines of a
 * kind wait for something to do, and come back to, the one with the fewest
 * calls of the program. It does so as long as its chain ends outside of the
 * process, and not through a goroutine of its own kind, which has what it waits
 * for. If goroutines wait so most of the time for one that runs, processors
 * that are idle could do what they will get: that is work, and counts as far.
 */
#ifndef GTRACE_ANALYSIS_JUDGED_H_
#define GTRACE_ANALYSIS_JUDGED_H_

#include "analysis/causes.h"

struct judged_spot {
	uint32_t kind;  /* number */
	uint32_t depth; /* calls below that */
};

/* Where goroutines waited, by function and kind of block. */
struct judged_victim {
	uint32_t own; /* number of the function; 0: none */
	uint32_t kind;
};

/* A part of the sum of a function, and of what stack most of it is. */
struct judged_part {
	int64_t sum;
	int64_t most;
	uint32_t stack;
};

struct judged_function {
	uint32_t own; /* its number */
	struct judged_part parts[GTRACE_HOLDS];
	int64_t itself; /* what waited were goroutines in it */
	int64_t others;
	uint64_t count;
	int64_t worst;
	int64_t worst_start;
	uint64_t worst_g;
	/* Receivers without work waited while it ran, and for so long. */
	int64_t awaited;
	int64_t most;   /* the longest sum of one stack: */
	uint32_t stack; /* which names it */
};

/* What goroutines that waited at a victim's place lost by a function; or none.
 */
struct judged_loss {
	uint32_t function; /* number; or NO_STACK: they were at rest */
	uint32_t victim;   /* number */
	uint32_t stack;    /* of the place with the most of it */
	uint64_t count;
	int64_t sum;
	int64_t most;
};

/* Goroutines that are blocked when the trace ends, and were not before. */
struct judged_leak {
	uint32_t spot;
	uint64_t count;
	int64_t sum;
};

struct judged {
	struct causes *causes;
	int64_t length; /* of the trace */
	int64_t idle;   /* time of processors */
	/*
	 * Kinds of goroutines: the first functions that do not only call one
	 * for each goroutine.
	 */
	struct texts kinds;
	struct array spots;     /* struct judged_spot, by number */
	struct array loops;     /* uint32_t: spot, plus one, by kind */
	struct map by_own;      /* a function's number, plus one */
	struct array functions; /* struct judged_function */
	struct texts victims;   /* struct judged_victim */
	struct map by_loss;     /* number, plus one, by function and victim */
	struct array losses;    /* struct judged_loss */
	struct array leaks;     /* struct judged_leak */
	int64_t unassigned; /* no function is at fault, or it is not known */
	int64_t load;       /* of goroutines above others that were ready */
	int64_t collector; /* of those above others that helped the collector */
	int64_t helping;   /* of those that were blocked in that themselves */
	bool failed;
};

/*
 * Judges CAUSES of a trace of LENGTH, in which processors were IDLE for so long
 * in all; in nanoseconds.
 */
void gti_judge(struct judged *judged, struct causes *causes, int64_t length,
	       int64_t idle);
void gti_judged_free(struct judged *judged);

/* Parts of gti_judge(): set judged->kinds, `spots` and `loops`; `leaks`. */
void gti_judge_loops(struct judged *judged);
void gti_judge_leaks(struct judged *judged);

static inline struct judged_spot judged_spot(const struct judged *judged,
					     uint32_t spot)
{
	return ((const struct judged_spot *)judged->spots.items)[spot];
}

/* The spot, plus one, at which the kind of those at SPOT loops. 0: nowhere. */
uint32_t gti_judged_loop_of(const struct judged *judged, uint32_t spot);

/* Whether SPOT is where its kind loops; BY_TIMER: a timer ended the wait. */
bool gti_judged_is_loop(const struct judged *judged, uint32_t spot,
			bool by_timer);

static inline struct judged_victim judged_victim(const struct judged *judged,
						 uint32_t number)
{
	return *(const struct judged_victim *)(const void *)texts_at(
			&judged->victims, number)
			.data;
}

#endif /* GTRACE_ANALYSIS_JUDGED_H_ */
