/* SPDX-License-Identifier: BSD-3-Clause */
/* assists.h - mark assists by collection, function and goroutine. */
#ifndef GTRACE_ASSISTS_H_
#define GTRACE_ASSISTS_H_

#include "run.h"

/* A tally, and of what. */
struct assist_entry {
	struct assist_key key;
	const struct assist_tally *tally;
	uint64_t number;
};

struct assists {
	const struct run *run;
	struct assist_entry *entries;
	size_t count;
	size_t next; /* that gti_assists_next() takes */
};

/* The name of function NUMBER, which can be NO_TEXT. */
struct gtrace_string gti_function_of(const struct run *run, uint32_t number);

/* Finds the assists of RUN. Returns false if there is no memory. */
bool gti_assists_find(struct assists *assists, const struct run *run);

void gti_assists_free(struct assists *assists);

/* The sum for COLLECTION. Called once for each from 0 on, and first of all. */
struct gtrace_assist gti_assists_next(struct assists *assists,
				      uint64_t collection);

/* Leaves out the assists for collections that are not CHOSEN. */
void gti_assists_choose(struct assists *assists, const bool *chosen);

/* The sum for all collections. */
struct gtrace_assist gti_assists_total(struct assists *assists);

/*
 * Makes the list of functions, or GOROUTINES, that were held longest, of at
 * most ROWS. Returns false if there is no memory.
 */
bool gti_assists_make(struct event_maker *maker, struct assists *assists,
		      bool goroutines, size_t rows,
		      const struct gtrace_assist **list, size_t *count);

#endif /* GTRACE_ASSISTS_H_ */
