/* SPDX-License-Identifier: BSD-3-Clause */
/* oncpu.c - the times for which threads were on CPUs, and sums of them. */
#include "base/oncpu.h"

#include "base/fail.h"
#include "base/guard.h"
#include "base/least.h"

/*
 * A thread that starts a slice is on a CPU. The record may have its times in
 * microseconds, and a status is not always written by the thread of the slice.
 */
#define NEAR_NS     2000
#define FIT_PERCENT 90

struct oncpu_lane *gti_oncpu_lane(struct oncpu *oncpu,
				  struct oncpu_lanes *lanes, int64_t id)
{
	uint64_t *number =
		gti_map_put(&lanes->numbers, (uint64_t)id, oncpu->memory);

	if (number == NULL)
		return NULL;
	if (*number == 0) {
		if (lanes->list.count >= UINT32_MAX ||
		    !gti_array_reserve(&lanes->list, sizeof(struct oncpu_lane),
				       oncpu->memory))
			return NULL;
		*oncpu_lane_at(lanes, lanes->list.count) = (struct oncpu_lane){
			.id = id,
			.until = INT64_MIN,
			.thread = -1,
			.name = NO_TEXT,
		};
		*number = ++lanes->list.count;
	}
	return oncpu_lane_at(lanes, *number - 1);
}

bool gti_oncpu_gap(struct oncpu *oncpu, int64_t from, int64_t to)
{
	struct array *gaps = &oncpu->gaps;
	struct oncpu_run gap = {.from = from, .to = to};
	const struct oncpu_run *last;

	/* Gaps of CPUs that overlap become one. */
	for (; gaps->count != 0; gaps->count--) {
		last = (struct oncpu_run *)gaps->items + gaps->count - 1;
		if (last->to < gap.from)
			break;
		gap.from = least_of(gap.from, last->from);
	}
	if (!gti_array_reserve(gaps, sizeof(gap), oncpu->memory))
		return false;
	((struct oncpu_run *)gaps->items)[gaps->count++] = gap;
	return true;
}

enum gtrace_status gti_oncpu_open(struct oncpu **out, const char *path,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error)
{
	struct oncpu *oncpu = gti_allocate_zeroed(memory, 1, sizeof(*oncpu));
	enum gtrace_status status;
	struct input input;
	struct guard guard;

	*out = oncpu;
	if (oncpu == NULL)
		return gti_fail_memory(error);
	oncpu->memory = memory;
	gti_texts_init(&oncpu->names, memory);
	status = gti_input_path(&input, path, NULL, memory, error);
	if (status != GTRACE_OK)
		return status;
	gti_guard_enter(&guard, &input);
	status = gti_oncpu_text(oncpu, path, (const char *)input.data,
				input.size, error);
	status = gti_guard_leave(&guard, status, error);
	gti_input_close(&input);
	return status;
}

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

/* The number of the first run of ARRAY that ends after TIME. */
static size_t find_after(const struct array *array, int64_t time)
{
	const struct oncpu_run *runs = array->items;
	size_t low = 0, high = array->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (runs[middle].to > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Adds from FROM to TO to the threads that had CPU. */
static void add_instead(const struct oncpu *oncpu, const struct oncpu_lane *cpu,
			int64_t from, int64_t to)
{
	const struct oncpu_run *run = cpu->runs.items;
	size_t i = find_after(&cpu->runs, from);

	for (; i < cpu->runs.count && run[i].from < to; i++)
		oncpu_lane_at(&oncpu->threads, run[i].other)->instead +=
			least_of(run[i].to, to) -
			greatest_of(run[i].from, from);
}

/* Whether switches are missing at any time between FROM and TO. */
static bool has_gap(const struct oncpu *oncpu, int64_t from, int64_t to)
{
	const struct oncpu_run *gaps = oncpu->gaps.items;
	size_t i = find_after(&oncpu->gaps, from);

	return i < oncpu->gaps.count && gaps[i].from < to;
}

/* gti_oncpu_time(). With INSTEAD, adds what ran while it was preempted. */
static struct oncpu_time time_of(const struct oncpu *oncpu, int64_t thread,
				 int64_t start, int64_t length, bool instead)
{
	const uint64_t *number =
		gti_map_get(&oncpu->threads.numbers, (uint64_t)thread);
	int64_t from = (int64_t)((uint64_t)oncpu->first + (uint64_t)start);
	int64_t to = (int64_t)((uint64_t)from + (uint64_t)length);
	const struct oncpu_lane *lane;
	const struct oncpu_run *runs;
	const struct oncpu_time unknown = {-1, -1, -1};
	struct oncpu_time time = {0, 0, 0};
	size_t i;

	if (from < oncpu->from || to > oncpu->to || to < from)
		return unknown;
	if (number == NULL)
		return has_gap(oncpu, from, to) ? unknown : time;
	lane = oncpu_lane_at(&oncpu->threads, *number - 1);
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

	for (i = 0; i < oncpu->threads.list.count; i++)
		oncpu_lane_at(&oncpu->threads, i)->instead = 0;
	oncpu->sum = (struct oncpu_time){0, 0, 0};
	oncpu->unknown = 0;
	oncpu->starts = oncpu->fitting = 0;
}

int64_t gti_oncpu_slice(struct oncpu *oncpu, int64_t thread, int64_t start,
			int64_t length, bool passes)
{
	struct oncpu_time time =
		time_of(oncpu, thread, start - NEAR_NS, 2 * NEAR_NS, false);

	oncpu->starts += time.on_cpu >= 0;
	oncpu->fitting += time.on_cpu > 0;
	time = time_of(oncpu, thread, start, length, false);
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
