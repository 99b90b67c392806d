/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moments.c - times of a filter that count from the end of a trace, or are
 * times of day.
 */
#include "base/fail.h"
#include "base/least.h"
#include "base/times.h"
#include "front.h"
#include "run.h"

#define DAY INT64_C(86400000000000)

/* When a trace begins and ends. */
struct extent {
	int64_t began; /* since 1970 */
	int64_t end;   /* since the first event */
};

static bool is_moment(int64_t time, int is_clock)
{
	return time < 0 || is_clock != 0;
}

bool gti_has_moments(const struct gtrace_filter *filter)
{
	return is_moment(filter->from, filter->from_clock) ||
	       is_moment(filter->to, filter->to_clock);
}

static enum gtrace_status take_end(struct run *run, struct gtrace_error *error)
{
	(void)error;
	run->trace->end = run_ns(run, run->observer.census.last);
	run->trace->knows_end = true;
	return GTRACE_OK;
}

/* Reads TRACE to its end, unless it has been. */
static enum gtrace_status find_extent(struct gtrace *trace,
				      struct extent *extent,
				      struct gtrace_error *error)
{
	const struct wanted wanted = {.make = take_end};
	enum gtrace_status status = GTRACE_OK;

	if (!trace->knows_end)
		status = gti_run(trace, &wanted, error);
	if (status != GTRACE_OK)
		return status;
	extent->end = trace->end;
	extent->began = gtrace_start_time(trace);
	return GTRACE_OK;
}

/* The time since the first event at which the clock shows CLOCK. */
static int64_t find_clock(const struct extent *extent, int64_t clock)
{
	int64_t time = clock - extent->began % DAY;

	/* The first such time, and if it is not in the trace the one before. */
	if (time < 0)
		time += DAY;
	if (time <= extent->end || time - extent->end <= DAY - time)
		return time;
	return time - DAY;
}

/* Sets *TIME to that since the first event. */
static enum gtrace_status resolve(const struct extent *extent, int64_t *time,
				  int is_clock, struct gtrace_error *error)
{
	if (!is_clock) {
		if (*time < 0)
			*time = greatest_of(add_ns(*time, extent->end), 0);
		return GTRACE_OK;
	}
	if (extent->began < 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a filter has a time of day, and the trace "
				"has no clock that tells it: those of Go 1.25 "
				"and later do");
	if (*time < 0 || *time >= DAY)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a time of the filter is not one of a day");
	*time = find_clock(extent, *time);
	return GTRACE_OK;
}

enum gtrace_status gti_resolve_filter(struct gtrace *trace,
				      struct gtrace_filter *filter,
				      struct gtrace_error *error)
{
	bool has_end = filter->to != 0 || filter->to_clock != 0;
	struct extent extent;
	enum gtrace_status status;

	if (!gti_has_moments(filter))
		return GTRACE_OK;
	status = find_extent(trace, &extent, error);
	if (status == GTRACE_OK)
		status = resolve(&extent, &filter->from, filter->from_clock,
				 error);
	if (status == GTRACE_OK)
		status = resolve(&extent, &filter->to, filter->to_clock, error);
	if (status != GTRACE_OK)
		return status;
	filter->from = greatest_of(filter->from, 0);
	filter->from_clock = filter->to_clock = 0;
	if (has_end && filter->to <= filter->from)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				filter->from == 0
					? "the trace begins after `to'"
					: "`to' is not after `from' in this "
					  "trace");
	return GTRACE_OK;
}
