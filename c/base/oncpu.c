/* SPDX-License-Identifier: BSD-3-Clause */
/* oncpu.c - sums of the times for which threads were on CPUs. */
#include "base/oncpu.h"

#include <stddef.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/least.h"
#include "base/times.h"

/*
 * A thread that starts a slice is on a CPU. The record may have its times in
 * microseconds, and a status is not always written by the thread of the slice.
 */
#define NEAR_NS     2000
#define FIT_PERCENT 90

static void free_lanes(struct oncpu_lanes *lanes,
		       const struct gtrace_allocator *memory)
{
	size_t i;

	for (i = 0; i < lanes->list.count; i++)
		gti_array_free(&oncpu_lane_at(lanes, i)->runs,
			       sizeof(struct oncpu_run), memory);
	gti_array_free(&lanes->list, sizeof(struct oncpu_lane), memory);
	gti_map_free(&lanes->numbers, memory);
}

void gti_oncpu_free(struct oncpu *oncpu)
{
	if (oncpu == NULL)
		return;
	free_lanes(&oncpu->threads, oncpu->memory);
	free_lanes(&oncpu->cpus, oncpu->memory);
	gti_array_free(&oncpu->gaps, sizeof(struct oncpu_run), oncpu->memory);
	gti_texts_free(&oncpu->names);
	gti_release(oncpu->memory, oncpu, sizeof(*oncpu));
}

/* ------------------------------------------------------------------ sums -- */

/* The number of the first of RUNS that ends after TIME. */
static size_t find_after(const struct array *runs, int64_t time)
{
	return count_until(runs->items, runs->count, sizeof(struct oncpu_run),
			   offsetof(struct oncpu_run, to), time);
}

/* The thread of RUN, of a CPU, had it for TIME. */
static void add_run_instead(const struct oncpu *oncpu,
			    const struct oncpu_run *run, uint64_t time)
{
	int64_t *instead = &oncpu_lane_at(&oncpu->threads, run->other)->instead;

	*instead = (int64_t)((uint64_t)*instead + time);
}

static uint64_t length_of(const struct oncpu_run *run)
{
	return (uint64_t)run->to - (uint64_t)run->from;
}

/*
 * Adds from FROM to TO to the threads that had CPU: those of its runs from the
 * first one that ends after FROM to the last one that begins before TO, less
 * what of these two is outside.
 */
static void add_instead(const struct oncpu *oncpu, const struct oncpu_lane *cpu,
			int64_t from, int64_t to)
{
	struct oncpu_run *runs = cpu->runs.items;
	size_t first = find_after(&cpu->runs, from);
	size_t end = count_until(runs, cpu->runs.count, sizeof(*runs),
				 offsetof(struct oncpu_run, from), to - 1);

	if (first >= end)
		return;
	runs[first].more++;
	if (end < cpu->runs.count)
		runs[end].more--;
	if (runs[first].from < from)
		add_run_instead(oncpu, &runs[first],
				(uint64_t)runs[first].from - (uint64_t)from);
	if (runs[end - 1].to > to)
		add_run_instead(oncpu, &runs[end - 1],
				(uint64_t)to - (uint64_t)runs[end - 1].to);
}

void gti_oncpu_settle(struct oncpu *oncpu)
{
	uint64_t times;
	size_t i, k;

	for (i = 0; i < oncpu->cpus.list.count; i++) {
		const struct array *array =
			&oncpu_lane_at(&oncpu->cpus, i)->runs;
		struct oncpu_run *runs = array->items;

		times = 0;
		for (k = 0; k < array->count; k++) {
			times += runs[k].more;
			runs[k].more = 0;
			add_run_instead(oncpu, &runs[k],
					times * length_of(&runs[k]));
		}
	}
}

/* Whether switches are missing at any time between FROM and TO. */
static bool has_gap(const struct oncpu *oncpu, int64_t from, int64_t to)
{
	const struct oncpu_run *gaps = oncpu->gaps.items;
	size_t i = find_after(&oncpu->gaps, from);

	return i < oncpu->gaps.count && gaps[i].from < to;
}

/* The thread with this id; NULL: it is not in the record. */
static const struct oncpu_lane *lane_with(const struct oncpu *oncpu, int64_t id)
{
	const uint64_t *number =
		gti_map_get(&oncpu->threads.numbers, (uint64_t)id);

	return number != NULL
		       ? oncpu_lane_at(&oncpu->threads, (size_t)*number - 1)
		       : NULL;
}

/* gti_oncpu_time(). With INSTEAD, adds what ran while it was preempted. */
static struct oncpu_time time_of(const struct oncpu *oncpu, int64_t thread,
				 int64_t start, int64_t length, bool instead)
{
	int64_t from = add_ns(oncpu->first, start);
	int64_t to = add_ns(from, length);
	const struct oncpu_lane *lane = lane_with(oncpu, thread);
	const struct oncpu_run *runs;
	const struct oncpu_time unknown = {-1, -1, -1};
	struct oncpu_time time = {0, 0, 0};
	size_t i;

	if (from < oncpu->from || to > oncpu->to || to < from)
		return unknown;
	if (lane == NULL)
		return has_gap(oncpu, from, to) ? unknown : time;
	runs = lane->runs.items;
	for (i = find_after(&lane->runs, from); from < to; i++) {
		bool last = i == lane->runs.count || runs[i].from >= to;
		int64_t begin = last ? to : greatest_of(from, runs[i].from);
		int64_t end = last ? to : least_of(to, runs[i].to);

		if (from < begin && has_gap(oncpu, from, begin))
			return unknown;
		if (i > 0 && runs[i - 1].asleep)
			time.asleep += begin - from;
		else if (i > 0)
			time.preempted += begin - from;
		if (i > 0 && !runs[i - 1].asleep && instead)
			add_instead(
				oncpu,
				oncpu_lane_at(&oncpu->cpus, runs[i - 1].other),
				from, begin);
		time.on_cpu += end - begin;
		from = end;
	}
	return time;
}

struct oncpu_time gti_oncpu_time(const struct oncpu *oncpu, int64_t thread,
				 int64_t start, int64_t length)
{
	if (oncpu == NULL)
		return (struct oncpu_time){-1, -1, -1};
	return time_of(oncpu, thread, start, length, false);
}

void gti_oncpu_restart(struct oncpu *oncpu)
{
	size_t i;

	gti_oncpu_settle(oncpu);
	for (i = 0; i < oncpu->threads.list.count; i++)
		oncpu_lane_at(&oncpu->threads, i)->instead = 0;
	oncpu->sum = (struct oncpu_time){0, 0, 0};
	oncpu->unknown = 0;
	oncpu->starts = oncpu->fitting = 0;
}

/* Compares the START of a slice of a thread with the record. */
static void compare_start(struct oncpu *oncpu, int64_t thread, int64_t start)
{
	int64_t from = ns_between(NEAR_NS, add_ns(oncpu->first, start));
	int64_t to = add_ns(from, 2 * NEAR_NS);
	const struct oncpu_lane *lane = lane_with(oncpu, thread);
	const struct oncpu_run *runs;
	size_t i = 0;
	bool fits = false;

	if (from < oncpu->from || to > oncpu->to || to < from)
		return;
	if (lane != NULL) {
		runs = lane->runs.items;
		i = find_after(&lane->runs, from);
		fits = i < lane->runs.count && runs[i].from < to;
	}
	oncpu->fitting += fits;
	oncpu->starts += fits || !has_gap(oncpu, from, to);
}

int64_t gti_oncpu_slice(struct oncpu *oncpu, int64_t thread, int64_t start,
			int64_t length, bool passes)
{
	struct oncpu_time time = time_of(oncpu, thread, start, length, false);
	const uint64_t *number =
		gti_map_get(&oncpu->threads.numbers, (uint64_t)thread);

	if (number != NULL)
		oncpu_lane_at(&oncpu->threads, (size_t)*number - 1)->is_go =
			true;
	compare_start(oncpu, thread, start);
	if (passes && time.on_cpu < 0) {
		oncpu->unknown += length;
	} else if (passes) {
		time_of(oncpu, thread, start, length, true);
		oncpu->sum.on_cpu += time.on_cpu;
		oncpu->sum.preempted += time.preempted;
		oncpu->sum.asleep += time.asleep;
	}
	return time.on_cpu;
}

enum gtrace_status gti_oncpu_fits(const struct oncpu *oncpu,
				  struct gtrace_error *error)
{
	if (oncpu->starts == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the scheduling record does not overlap the "
				"trace: both have to be recorded at the same "
				"time, the record with CLOCK_MONOTONIC");
	if (oncpu->fitting * 100 < oncpu->starts * FIT_PERCENT)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the scheduling record does not fit the "
				"trace: only %d%% of the threads that start a "
				"slice are on a CPU then; it has to be of all "
				"CPUs, and of CLOCK_MONOTONIC",
				(int)(oncpu->fitting * 100 / oncpu->starts));
	return GTRACE_OK;
}
