/* SPDX-License-Identifier: BSD-3-Clause */
/* quota.c - whether silences end at an interval. */
#include "analysis/quota.h"

#include "base/least.h"
#include "base/times.h"

#define MS INT64_C(1000000)

/*
 * What is at an end of a quota's period, when all threads may go on, is some
 * milliseconds wide. In that time no two silences, even short ones, can end.
 */
#define WINDOW    4
#define WINDOW_NS (MS * WINDOW)

/* So many silences, and more than half of all, end at those of a quota. */
#define THROTTLED_MIN 4

static const unsigned intervals[QUOTA_INTERVALS] = {100, 200, 250, 500, 1000};

static size_t phase_of(int64_t time)
{
	return (size_t)((uint64_t)time / (uint64_t)MS % QUOTA_PHASES);
}

/*
 * A silence that ends at TO ends the period of interval I if another one, or a
 * shorter one, ended at its begin.
 */
static void end_period(struct quota *quota, size_t i, int64_t to)
{
	int64_t begin = to - MS * intervals[i], at;

	if (begin <= WINDOW_NS || begin >= to)
		return;
	for (at = begin - WINDOW_NS; at < begin + WINDOW_NS; at += MS) {
		size_t before = phase_of(at);
		uint64_t ran = quota->ran - quota->last[before].ran;

		/* Below 0: a processor turned out to be held meanwhile. */
		if (quota->last[before].to < begin - WINDOW_NS ||
		    quota->last[before].to > begin + WINDOW_NS ||
		    ran > INT64_MAX)
			continue;
		quota->periods[i][phase_of(to)]++;
		quota->period_ran[i][phase_of(to)] += ran;
		return;
	}
}

void gti_quota_silence(struct quota *quota, int64_t from, int64_t to,
		       bool is_short)
{
	size_t phase = phase_of(to), i;

	for (i = 0; i < QUOTA_INTERVALS && !is_short; i++)
		end_period(quota, i, to);
	quota->last[phase].to = to;
	quota->last[phase].ran = quota->ran;
	quota->lengths[phase] += (uint64_t)length_between(from, to);
	if (is_short)
		quota->short_ends[phase]++;
	else
		quota->ends[phase]++;
	quota->count += !is_short;
}

/* The sums of what ended in the window at PHASE of the periods of INTERVAL. */
struct ends {
	uint64_t count;
	uint64_t shorter;
	uint64_t length;
	uint64_t periods; /* see struct quota */
	uint64_t ran;
	size_t phase;
};

static struct ends ends_in(const struct quota *quota, size_t interval,
			   size_t phase)
{
	struct ends ends = {.phase = phase};
	size_t i, at;

	for (; phase < QUOTA_PHASES; phase += intervals[interval])
		for (i = 0; i < WINDOW; i++) {
			at = (phase + i) % QUOTA_PHASES;
			ends.count += quota->ends[at];
			ends.shorter += quota->short_ends[at];
			ends.length += quota->lengths[at];
			ends.periods += quota->periods[interval][at];
			ends.ran += quota->period_ran[interval][at];
		}
	return ends;
}

/* The window of INTERVAL in which most silences end. */
static struct ends most_ends(const struct quota *quota, size_t interval)
{
	struct ends most = {.count = 0}, ends;
	size_t phase;

	for (phase = 0; phase < intervals[interval]; phase++) {
		ends = ends_in(quota, interval, phase);
		if (ends.count + ends.shorter > most.count + most.shorter)
			most = ends;
	}
	return most;
}

bool gti_quota_ends_at(const struct quota_interval *interval, int64_t time)
{
	size_t length = (size_t)(interval->length / MS);

	return length != 0 &&
	       (phase_of(time) + length - interval->phase) % length < WINDOW;
}

/* Sets what TO has of throttling: ENDS are those at an interval of LENGTH. */
static void set_found(const struct ends *ends, int64_t length, bool counts,
		      struct gtrace_machine *to)
{
	int64_t mean;

	to->throttled = ends->count + ends->shorter;
	mean = (int64_t)(ends->length / to->throttled);
	to->throttle_interval = length;
	to->throttle_ran = greatest_of(length - mean, 0);
	to->throttle_cpu = counts && ends->periods != 0
				   ? (int64_t)(ends->ran / ends->periods)
				   : -1;
}

struct quota_interval gti_quota_find(const struct quota *quota, bool counts,
				     struct gtrace_machine *to)
{
	struct quota_interval found = {0, 0};
	uint64_t best = 0;
	struct ends ends;
	size_t i;

	for (i = 0; i < QUOTA_INTERVALS && quota->count >= THROTTLED_MIN; i++) {
		ends = most_ends(quota, i);
		/* That of a multiple has only some of the ends. */
		if (ends.count < THROTTLED_MIN || ends.count * 10 < best * 9 ||
		    ends.count * 2 <= quota->count)
			continue;
		best = ends.count > best ? ends.count : best;
		found.length = MS * intervals[i];
		found.phase = ends.phase;
		set_found(&ends, found.length, counts, to);
	}
	return found;
}
