/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * services_test.c - what traces of services prove of time without a CPU: of a
 * Prometheus server against the record of the kernel, which this test adds up
 * itself; of another one that has CPU samples; of a process that was stopped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reports.h"

#define US       INT64_C(1000)
#define MS       INT64_C(1000000)
#define RUNS     20000
#define SLICES   20000
#define PROC_MAX 2

#define FOLDER "testdata/machine/"
#define RECORD FOLDER "prometheus.oncpu.tsv"

/* The kernel's record: when threads were on a CPU, since the first event. */
static struct run {
	int64_t from, to, thread;
} runs[RUNS];
static size_t run_count;

static void read_record(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[200];

	assert_non_null(file);
	run_count = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		long long from, to, thread;

		if (sscanf(line, "%lld %lld %lld", &from, &to, &thread) != 3)
			continue;
		assert_true(run_count < RUNS);
		runs[run_count++] = (struct run){from, to, thread};
	}
	fclose(file);
}

/* How long THREAD was on a CPU between two times; -1: all threads. */
static int64_t on_cpu(int64_t thread, int64_t from, int64_t to)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < run_count && runs[i].from < to; i++) {
		const struct run *run = &runs[i];
		int64_t begin = run->from > from ? run->from : from;
		int64_t end = run->to < to ? run->to : to;

		if (end > begin && (thread < 0 || thread == run->thread))
			sum += end - begin;
	}
	return sum;
}

static struct gtrace *open_trace(const char *name, const char *record)
{
	struct gtrace_options options = OPTIONS(.sched = record);
	char path[100];
	struct gtrace_error error;
	struct gtrace *trace;

	snprintf(path, sizeof(path), FOLDER "%s", name);
	if (gtrace_open_path(path, &options, &trace, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return trace;
}

static struct gtrace_summary *summarise(const char *name, const char *record)
{
	struct gtrace *trace = open_trace(name, record);
	struct gtrace_summary *summary;
	struct gtrace_error error;

	if (gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	return summary;
}

static void visit(struct gtrace *trace,
		  int (*slice)(void *context, const struct gtrace_slice *slice))
{
	struct gtrace_request details = REQUEST(.details = 1);
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = slice};
	struct gtrace_error error;

	if (gtrace_visit(trace, &details, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
}

/* ---------------------------------------------------------------- record -- */

/* Of each slice: its processor, thread, begin and end. */
static struct {
	int64_t p, m, from, end;
} slices[SLICES];
static size_t slice_count;
static int64_t sum;

/* The record has of each slice what it has of its thread. */
static int check_slice(void *context, const struct gtrace_slice *slice)
{
	int64_t end = slice->start.ts + slice->duration;
	int64_t on = on_cpu(slice->m, slice->start.ts, end);

	(void)context;
	assert_int_equal(slice->on_cpu, on);
	assert_int_equal(slice->on_cpu + slice->preempted + slice->asleep,
			 slice->duration);
	sum += on;
	assert_true(slice_count < SLICES && slice->p < PROC_MAX);
	slices[slice_count].p = slice->p;
	slices[slice_count].m = slice->m;
	slices[slice_count].from = slice->start.ts;
	slices[slice_count++].end = end;
	return 0;
}

/* The thread of the last slice on processor P that ended until TIME. */
static int64_t thread_before(int64_t p, int64_t time)
{
	size_t i, last = SLICES;

	for (i = 0; i < slice_count; i++)
		if (slices[i].p == p && slices[i].end <= time &&
		    (last == SLICES || slices[i].end > slices[last].end))
			last = i;
	assert_true(last < SLICES);
	return slices[last].m;
}

/* The thread of the slice on processor P at TIME. */
static int64_t thread_of(int64_t p, int64_t time)
{
	size_t i;

	for (i = 0; i < slice_count; i++)
		if (slices[i].p == p && slices[i].from <= time &&
		    slices[i].end > time)
			return slices[i].m;
	fail_msg("no slice on P%lld", (long long)p);
	return -1;
}

/* What is said of a stretch of time is no more than the record has. */
static void check_stretch(const struct gtrace_silent *at)
{
	bool bare = at->g < 0;
	int64_t thread = bare ? thread_before(at->p, at->from)
			      : thread_of(at->p, at->from);
	int64_t on = on_cpu(thread, at->from, at->to);

	if (bare)
		assert_true(on <= 100 * US);
	if (at->what != GTRACE_SILENT_UNDECIDED)
		assert_true(at->time <= at->to - at->from - on + 100 * US);
}

static void test_record(void **state)
{
	struct gtrace_summary *summary = summarise("prometheus.trace", NULL);
	const struct gtrace_machine *machine = &summary->machine;
	size_t i;

	(void)state;
	read_record(RECORD);
	visit(open_trace("prometheus.trace", RECORD), check_slice);
	assert_int_equal(slice_count, summary->slices.count);
	assert_int_equal(machine->off_cpu.count, 5);
	assert_int_equal(machine->silence.count, 1);
	assert_in_range(machine->stretch_count, 6, 7);
	for (i = 0; i < machine->stretch_count; i++)
		check_stretch(&machine->stretches[i]);
	assert_int_equal(machine->classes[GTRACE_SILENT_LIKELY].count, 7);
	assert_int_equal(machine->classes[GTRACE_SILENT_CERTAIN].count, 0);
	assert_true(sum < summary->slices.sum / 2);
	gtrace_summary_free(summary);
}

/* With the record it is the machine, and the first line says by what. */
static void test_headline(void **state)
{
	struct gtrace_summary *summary = summarise("prometheus.trace", NULL);

	(void)state;
	assert_int_not_equal(summary->findings[0].kind, GTRACE_FINDING_MACHINE);
	gtrace_summary_free(summary);
	summary = summarise("prometheus.trace", RECORD);
	assert_int_equal(summary->findings[0].kind, GTRACE_FINDING_MACHINE);
	assert_non_null(
		strstr(summary->headline.data, "were preempted for 1."));
	gtrace_summary_free(summary);
}

/* --------------------------------------------------------------- evidence --
 */

static void test_silence(void **state)
{
	struct gtrace_summary *summary = summarise("esbuild.trace", NULL);

	(void)state;
	assert_int_equal(summary->machine.silence.max, 704166592);
	assert_int_not_equal(summary->findings[0].kind, GTRACE_FINDING_MACHINE);
	gtrace_summary_free(summary);
}

static size_t suspicious;

/* Each sample is of 10 ms. */
static int check_samples(void *context, const struct gtrace_slice *slice)
{
	int64_t samples = 0;
	size_t i;

	(void)context;
	for (i = 0; i < slice->sample_count; i++)
		samples += (int64_t)slice->samples[i].count;
	if (slice->off_cpu_likely > 0) {
		assert_true(slice->off_cpu_likely <=
			    slice->duration - samples * 10 * MS);
		suspicious += slice->duration > 200 * MS;
	}
	/* 27 samples are missing; in silences, it is known when. */
	if (slice->duration == 278615872) {
		assert_int_equal(samples, 0);
		assert_int_equal(slice->off_cpu_min, 0);
		assert_int_equal(slice->off_cpu_likely, 145548736);
	}
	return 0;
}

static void test_samples(void **state)
{
	(void)state;
	visit(open_trace("profile.trace", NULL), check_samples);
	assert_int_equal(suspicious, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_headline),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
