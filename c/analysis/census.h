/* SPDX-License-Identifier: BSD-3-Clause */
/* census.h - how many goroutines, events and collections a trace has. */
#ifndef GTRACE_ANALYSIS_CENSUS_H_
#define GTRACE_ANALYSIS_CENSUS_H_

#include <stdbool.h>
#include <stdint.h>

/* What is counted in every pass. Times are in ticks. */
struct census {
	int64_t seen;    /* goroutines, those from before the trace too */
	int64_t initial; /* those from before the trace */
	int64_t alive;
	int64_t most;    /* alive at once */
	uint64_t events; /* set at the end of the pass */
	int64_t last;    /* time of the last event, likewise */
	uint64_t collections;
	bool collecting;
	int64_t since;      /* when the present collection began */
	uint64_t collected; /* sum of all collections, in nanoseconds */
};

/* There is one more goroutine. */
static inline void census_goroutine(struct census *census)
{
	census->seen++;
	if (++census->alive > census->most)
		census->most = census->alive;
}

#endif /* GTRACE_ANALYSIS_CENSUS_H_ */
