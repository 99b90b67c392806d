/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quota.h - whether silences end at an interval, as with a quota of CPU time,
 * which lets all threads of a process go on at once. Times are in nanoseconds.
 */
#ifndef GTRACE_ANALYSIS_QUOTA_H_
#define GTRACE_ANALYSIS_QUOTA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* Silences are counted by their ends, in milliseconds of each second. */
#define QUOTA_PHASES 1000

/* The intervals that are looked for. */
#define QUOTA_INTERVALS 5

/* Zero is the beginning of a pass. */
struct quota {
	uint32_t ends[QUOTA_PHASES];       /* of silences */
	uint32_t short_ends[QUOTA_PHASES]; /* of shorter ones */
	uint64_t lengths[QUOTA_PHASES];    /* sums of all of them */
	uint64_t count;                    /* silences */
	/*
	 * The last one at each phase: its end, and the time for which
	 * processors were held until then, not in system calls nor without a
	 * CPU. Sums of these wrap around.
	 */
	struct {
		int64_t to;
		uint64_t ran;
	} last[QUOTA_PHASES];
	uint64_t ran;
	/*
	 * By interval and phase: silences whose period began with another one,
	 * and the sum of that time in these periods.
	 */
	uint32_t periods[QUOTA_INTERVALS][QUOTA_PHASES];
	uint64_t period_ran[QUOTA_INTERVALS][QUOTA_PHASES];
};

/* PROCESSORS were held for TIME, not in system calls. */
static inline void quota_run(struct quota *quota, uint32_t processors,
			     int64_t time)
{
	quota->ran += processors * (uint64_t)time;
}

/* For TIME of that, the thread of a processor did nothing. */
static inline void quota_lose(struct quota *quota, int64_t time)
{
	quota->ran -= (uint64_t)time;
}

/*
 * A silence, IS_SHORT: a shorter one, goes on from one time to another, for
 * which quota_run() is not called.
 */
void gti_quota_silence(struct quota *quota, int64_t from, int64_t to,
		       bool is_short);

/* An interval, and the first millisecond of the window in which they end. */
struct quota_interval {
	int64_t length; /* 0: there is none */
	size_t phase;
};

/* Whether a silence that ends at TIME ends at INTERVAL. */
bool gti_quota_ends_at(const struct quota_interval *interval, int64_t time);

/*
 * Finds the interval, and sets what TO has of throttling but for the number of
 * periods. COUNTS: whether system calls are known to end, so that the CPU time
 * is known.
 */
struct quota_interval gti_quota_find(const struct quota *quota, bool counts,
				     struct gtrace_machine *to);

#endif /* GTRACE_ANALYSIS_QUOTA_H_ */
