/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oncpu.c - the times for which threads were on CPUs, read from text, and sums
 * of them.
 *
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/guard.h"
#include "base/least.h"
#include "base/oncpu.h"
#include "base/times.h"

/*
 * A thread that starts a slice is on a CPU. The record may have its times in
 * microseconds, and a status is not always written by the thread of the slice.
 */
#define NEAR_NS     2000
#define FIT_PERCENT 90

#define TABLE_HEAD "from\tto\tthread\tcpu\tstate_at_end"

/* Longer lines are cut off. */
#define LINE_MAX_SIZE 1024

/* The thread or CPU with this ID, which may be new. NULL: no memory. */
static struct oncpu_lane *lane_of(struct oncpu *oncpu,
				  struct oncpu_lanes *lanes, int64_t id)
{
	uint64_t *number =
		gti_map_put(&lanes->numbers, (uint64_t)id, oncpu->memory);
	const struct oncpu_lane lane = {
		.id = id,
		.until = INT64_MIN,
		.thread = -1,
		.name = NO_TEXT,
	};

	if (number == NULL || lanes->list.count >= UINT32_MAX)
		return NULL;
	if (*number != 0)
		return oncpu_lane_at(lanes, (size_t)*number - 1);
	if (array_add(&lanes->list, &lane, sizeof(lane), oncpu->memory) == NULL)
		return NULL;
	*number = lanes->list.count;
	return oncpu_lane_at(lanes, (size_t)*number - 1);
}

struct reader {
	struct oncpu *oncpu;
	const char *path;
	uint64_t number;          /* of the line, from 1 */
	char line[LINE_MAX_SIZE]; /* without its newline */
	bool begun;               /* there was a switch or a row */
	struct gtrace_error *error;
};

static enum gtrace_status fail(const struct reader *reader, const char *what)
{
	return gti_fail(reader->error, GTRACE_ERROR_ARGUMENT, 0,
			"%s: line %" PRIu64 ": %s", reader->path,
			reader->number, what);
}

static const char negative[] = "a thread or a CPU has a number below 0";

/* What is no thread. */
enum { NO_MEMORY = -1, IS_NEGATIVE = -2 };

/* ------------------------------------------------------------------ runs -- */

/* Adds a run, of which RUN has the times. */
static enum gtrace_status add_run(const struct reader *reader,
				  struct oncpu_run run, int64_t thread,
				  int64_t cpu)
{
	struct oncpu *oncpu = reader->oncpu;
	struct oncpu_lane *lanes[] = {lane_of(oncpu, &oncpu->threads, thread),
				      lane_of(oncpu, &oncpu->cpus, cpu)};
	ptrdiff_t others[2];
	unsigned i;

	if (lanes[0] == NULL || lanes[1] == NULL)
		return gti_fail_memory(reader->error);
	others[0] = lanes[1] - oncpu_lane_at(&oncpu->cpus, 0);
	others[1] = lanes[0] - oncpu_lane_at(&oncpu->threads, 0);
	for (i = 0; i < 2; i++) {
		if (run.to < run.from || run.from < lanes[i]->until)
			return fail(reader, "a thread was on two CPUs at a "
					    "time, or a CPU had two threads");
		run.other = (uint32_t)others[i];
		lanes[i]->until = run.to;
		if (array_add(&lanes[i]->runs, &run, sizeof(run),
			      oncpu->memory) == NULL)
			return gti_fail_memory(reader->error);
	}
	oncpu->to = greatest_of(oncpu->to, run.to);
	return GTRACE_OK;
}

/* The record begins at TIME, unless it has begun. Returns false before it. */
static bool begin_at(struct reader *reader, int64_t time)
{
	if (!reader->begun)
		reader->oncpu->from = reader->oncpu->to = time;
	reader->begun = true;
	return time >= reader->oncpu->from;
}

/* -------------------------------------------------------------- switches -- */

/* HEAD is the part of a line before the event. */
static bool read_head(const char *head, int64_t *cpu, int64_t *time)
{
	const char *at = strrchr(head, '[');
	char fraction[10];
	int64_t scale;

	if (at == NULL || sscanf(at, "[%5" SCNd64 "]", cpu) != 1)
		return false;
	while ((at = strchr(at, ' ')) != NULL)
		if (sscanf(++at, "%9" SCNd64 ".%9[0-9]:", time, fraction) == 2)
			break;
	if (at == NULL)
		return false;
	*time *= 1000000000;
	for (scale = 100000000, at = fraction; *at != '\0'; at++, scale /= 10)
		*time += (*at - '0') * scale;
	return true;
}

/* The first of the digits that end at END, in a text from BEGIN on. */
static const char *digits_before(const char *begin, const char *end)
{
	while (end > begin && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return end;
}

/*
 * The process of the thread that leaves the CPU: HEAD, which has a CPU, can
 * have PROCESS/THREAD before that. 0: not known.
 */
static int64_t read_process(const char *head)
{
	const char *at = strrchr(head, '[');

	while (at > head && at[-1] == ' ')
		at--;
	at = digits_before(head, at);
	if (at == head || at[-1] != '/')
		return 0;
	return strtoll(digits_before(head, at - 1), NULL, 10);
}

/*
 * TEXT is thread *ID, with its name before it and its priority after it. *ID is
 * NO_MEMORY if there is no memory for the name.
 */
static bool read_side(struct oncpu *oncpu, char *text, int64_t *id)
{
	char *end = strrchr(text, ' '), *digits, *number_end;
	struct oncpu_lane *thread;

	if (end == NULL)
		return false;
	*end = '\0';
	for (digits = end; digits > text && strchr("=:", digits[-1]) == NULL;)
		digits--;
	*id = strtoll(digits, &number_end, 10);
	if (digits == text || digits == end || number_end != end)
		return false;
	end = digits - 1;
	if (*end == '=') {
		*end = '\0';
		end = strrchr(text, ' ');
		text += strlen("prev_comm=");
	}
	if (end == NULL || end < text)
		return false;
	if (*id < 0) {
		*id = IS_NEGATIVE;
		return true;
	}
	thread = lane_of(oncpu, &oncpu->threads, *id);
	if (thread != NULL)
		thread->name = gti_texts_put(&oncpu->names, text,
					     (size_t)(end - text));
	if (thread == NULL || thread->name == NO_TEXT)
		*id = NO_MEMORY;
	return true;
}

/* THREAD, which has a lane unless it is negative, is of PROCESS if not 0. */
static void be_of_process(struct oncpu *oncpu, int64_t thread, int64_t process)
{
	if (thread >= 0 && process != 0)
		lane_of(oncpu, &oncpu->threads, thread)->process = process;
}

/* Switches are missing from FROM to TO. Returns false if there is no memory. */
static bool add_gap(struct oncpu *oncpu, int64_t from, int64_t to)
{
	struct array *gaps = &oncpu->gaps;
	struct oncpu_run *runs;

	if (!gti_array_reserve(gaps, sizeof(*runs), oncpu->memory))
		return false;
	runs = gaps->items;
	/* Gaps of CPUs that overlap become one. */
	while (gaps->count != 0 && runs[gaps->count - 1].to >= from)
		from = least_of(from, runs[--gaps->count].from);
	runs[gaps->count++] = (struct oncpu_run){.from = from, .to = to};
	return true;
}

/*
 * At run.to, NEXT gets the CPU with this ID from PREV; 0: it is idle. If PREV
 * did not get the CPU last, or was elsewhere since, switches are missing, and
 * when its run began is not known.
 */
static enum gtrace_status take_switch(const struct reader *reader, int64_t id,
				      struct oncpu_run run, int64_t prev,
				      int64_t next)
{
	struct oncpu *oncpu = reader->oncpu;
	struct oncpu_lane *cpu = lane_of(oncpu, &oncpu->cpus, id), *thread;

	if (cpu == NULL || prev == NO_MEMORY || next == NO_MEMORY)
		return gti_fail_memory(reader->error);
	thread = lane_of(oncpu, &oncpu->threads, prev);
	run.from = cpu->since;
	if (cpu->thread < 0) {
		/* It was there before the record, unless it was elsewhere. */
		run.from = greatest_of(oncpu->from, thread->until);
	} else if (cpu->thread != prev || run.from < thread->until) {
		if (!add_gap(oncpu, run.from, run.to))
			return gti_fail_memory(reader->error);
		run.from = run.to;
	}
	cpu->thread = next;
	cpu->since = run.to;
	return prev != 0 ? add_run(reader, run, prev, id) : GTRACE_OK;
}

/* The record ends while threads are on CPUs. */
static enum gtrace_status end_runs(const struct reader *reader)
{
	const struct oncpu_lanes *cpus = &reader->oncpu->cpus;
	const struct oncpu_run run = {.to = reader->oncpu->to};
	enum gtrace_status status = GTRACE_OK;
	size_t i;

	for (i = 0; i < cpus->list.count && status == GTRACE_OK; i++) {
		const struct oncpu_lane *cpu = oncpu_lane_at(cpus, i);

		status = take_switch(reader, cpu->id, run, cpu->thread, 0);
	}
	return status;
}

/* The line may be a switch. */
static enum gtrace_status read_switch(struct reader *reader)
{
	char *event = strstr(reader->line, "sched_switch:"), *arrow, *state;
	struct oncpu_run run = {.asleep = true};
	int64_t cpu, prev, next;

	if (event == NULL)
		return GTRACE_OK;
	*event = '\0';
	event += strlen("sched_switch:");
	event += strspn(event, " ");
	arrow = strstr(event, " ==> ");
	if (arrow != NULL)
		*arrow = '\0';
	state = strrchr(event, ' ');
	if (state != NULL)
		*state++ = '\0';
	if (arrow == NULL || state == NULL ||
	    !read_head(reader->line, &cpu, &run.to) ||
	    !read_side(reader->oncpu, event, &prev) ||
	    !read_side(reader->oncpu, arrow + 5, &next))
		return fail(reader, "a sched_switch that is cut off, or not as "
				    "perf script and trace-cmd report print "
				    "it");
	if (cpu < 0 || prev == IS_NEGATIVE || next == IS_NEGATIVE)
		return fail(reader, negative);
	if (!begin_at(reader, run.to) || run.to < reader->oncpu->to)
		return fail(reader, "it is earlier than the switch before it: "
				    "lines are not in order");
	reader->oncpu->to = run.to;
	if (strncmp(state, "prev_state=", 11) == 0)
		state += 11;
	run.asleep = *state != 'R';
	be_of_process(reader->oncpu, prev, read_process(reader->line));
	return take_switch(reader, cpu, run, prev, next);
}

/* ------------------------------------------------------------------ file -- */

/* The line is a row of the table. */
static enum gtrace_status read_row(struct reader *reader)
{
	struct oncpu_run run = {.asleep = true};
	int64_t thread, cpu;
	char state;

	if (sscanf(reader->line,
		   "%18" SCNd64 "\t%18" SCNd64 "\t%18" SCNd64 "\t%5" SCNd64
		   "\t%c",
		   &run.from, &run.to, &thread, &cpu, &state) != 5)
		return fail(reader, "not four numbers and a state");
	run.asleep = state != 'R';
	if (thread < 0 || cpu < 0)
		return fail(reader, negative);
	if (!begin_at(reader, run.from))
		return fail(reader, "rows are not in order");
	return add_run(reader, run, thread, cpu);
}

/* Reads the SIZE bytes at TEXT of the file PATH. */
static enum gtrace_status read_text(struct oncpu *oncpu, const char *path,
				    const char *text, size_t size,
				    struct gtrace_error *error)
{
	struct reader reader = {.oncpu = oncpu, .path = path, .error = error};
	enum gtrace_status status = GTRACE_OK;
	const char *end = text + size, *newline;

	for (; text < end && status == GTRACE_OK; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		reader.number++;
		if (newline == NULL && reader.begun)
			return fail(&reader, "the file ends in the middle of "
					     "it");
		if (newline == NULL)
			break;
		snprintf(reader.line, sizeof(reader.line), "%.*s",
			 (int)least_of(newline - text, LINE_MAX_SIZE), text);
		if (oncpu->since_first)
			status = read_row(&reader);
		else if (reader.number == 1 &&
			 strcmp(reader.line, TABLE_HEAD) == 0)
			oncpu->since_first = true;
		else
			status = read_switch(&reader);
	}
	if (status == GTRACE_OK && !reader.begun)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"%s: it has no scheduling record: give what "
				"perf script or trace-cmd report prints",
				path);
	return status == GTRACE_OK && !oncpu->since_first ? end_runs(&reader)
							  : status;
}

enum gtrace_status gti_oncpu_open(struct oncpu **out, const char *path,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error)
{
	struct oncpu *oncpu = gti_allocate_zeroed(memory, 1, sizeof(*oncpu));
	enum gtrace_status status;
	struct gtrace_error fault;
	struct input input;
	struct guard guard;

	*out = oncpu;
	if (oncpu == NULL)
		return gti_fail_memory(error);
	oncpu->memory = memory;
	gti_texts_init(&oncpu->names, memory);
	status = gti_input_path(&input, path, NULL, memory, &fault);
	if (status == GTRACE_ERROR_MEMORY)
		return gti_fail_memory(error);
	if (status != GTRACE_OK)
		return gti_fail_system(error, status, 0, fault.system_error,
				       "%s", path);
	gti_guard_enter(&guard, &input);
	status = read_text(oncpu, path, (const char *)input.data, input.size,
			   error);
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
