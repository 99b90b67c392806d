/* SPDX-License-Identifier: BSD-3-Clause */
/* oncpu_read.c - the times for which threads were on CPUs, read from text. */
#include "base/oncpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/least.h"
#include "base/text_file.h"

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

/* See text_reader; of a struct oncpu. */
static enum gtrace_status read_text(void *self, const char *path,
				    const char *text, size_t size,
				    struct gtrace_error *error)
{
	struct oncpu *oncpu = self;
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

	*out = oncpu;
	if (oncpu == NULL)
		return gti_fail_memory(error);
	oncpu->memory = memory;
	gti_texts_init(&oncpu->names, memory);
	return gti_read_text_file(path, memory, read_text, oncpu, error);
}
