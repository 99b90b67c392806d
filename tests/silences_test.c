/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * silences_test.c - what is said of times without an event in recordings of
 * testdata/silences, against the kernel's record of their threads: nothing is
 * certain that was not lost, no limit passes a slice that computed, and the
 * classes are those of truth.tsv. Waits have the same silences with and without
 * another list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/files.h"
#include "tests/reports.h"

#define FOLDER "testdata/silences/"
#define MS     1e6
#define US     1000

struct truth {
	char name[64];
	double lost;
	double computed;
	double classes[GTRACE_SILENT_CLASSES];
};

/* The slices that count for the longest limit that one of them exceeds. */
static double longest;

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	double counts = (double)(slice->duration - slice->off_cpu_min) / MS;

	(void)context;
	assert_true(slice->off_cpu_min <= slice->off_cpu_likely);
	assert_true(slice->off_cpu_likely <= slice->silent);
	assert_int_equal(slice->silent_class == GTRACE_SILENT_NONE,
			 slice->silent == 0);
	if (counts > longest)
		longest = counts;
	return 0;
}

/* Sums by class of the stretches that are listed are those of all. */
static void check_stretches(const struct gtrace_machine *machine)
{
	int64_t sums[GTRACE_SILENT_CLASSES] = {0};
	size_t i;

	for (i = 0; i < machine->stretch_count; i++) {
		const struct gtrace_silent *at = &machine->stretches[i];

		assert_in_range(at->what, GTRACE_SILENT_CERTAIN,
				GTRACE_SILENT_UNDECIDED);
		assert_true(at->time > 0 && at->time <= at->to - at->from);
		sums[at->what] += at->time;
	}
	for (i = 0; i < GTRACE_SILENT_CLASSES && machine->stretch_count < 400;
	     i++)
		assert_int_equal(sums[i], machine->classes[i].sum);
}

/* The trace is opened for the report, and knows nothing before. */
static struct gtrace_reports *analyse(const char *path,
				      struct gtrace_request request)
{
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_path(path, NULL, &trace, &error) != GTRACE_OK ||
	    gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s: %s", path, error.message);
	gtrace_close(trace);
	return reports;
}

/* Returns the sum of the silences in waits. */
static int64_t check_waits(const char *path)
{
	struct gtrace_reports *alone =
		analyse(path, REQUEST(.waits = 100, .details = 1));
	struct gtrace_reports *more =
		analyse(path, REQUEST(.n = 5, .waits = 100, .details = 1));
	int64_t sum = 0;
	size_t i;

	assert_int_equal(alone->waits->count, more->waits->count);
	for (i = 0; i < alone->waits->count; i++) {
		const struct gtrace_wait *wait = alone->waits->waits[i];
		const struct gtrace_wait *same = more->waits->waits[i];

		assert_int_equal(wait->start, same->start);
		assert_int_equal(wait->silent, same->silent);
		assert_int_equal(wait->off_cpu_min, same->off_cpu_min);
		assert_int_equal(wait->silent_class, same->silent_class);
		sum += wait->silent;
	}
	gtrace_reports_free(alone);
	gtrace_reports_free(more);
	return sum;
}

/* A processor that is held is not idle, whether it has a goroutine or not. */
static void check_idle(const struct gtrace_summary *summary)
{
	int64_t held = summary->slices.sum + summary->machine.off_cpu.sum;

	assert_in_range(summary->idle, 0, summary->known * summary->procs);
	assert_true(summary->idle <=
		    summary->known * summary->procs - held + US);
}

static void check_trace(const char *path, const struct truth *truth)
{
	struct gtrace_request details = REQUEST(.details = 1);
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .slice = visit_slice};
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;
	int i;

	longest = 0;
	if (gtrace_open_path(path, NULL, &trace, &error) != GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK ||
	    gtrace_visit(trace, &details, &visitor, &error) != GTRACE_OK)
		fail_msg("%s: %s", path, error.message);
	for (i = GTRACE_SILENT_CERTAIN; i < GTRACE_SILENT_CLASSES; i++) {
		double have = (double)summary->machine.classes[i].sum / MS;
		double want = truth->classes[i];

		if (have < want - .1 || have > want + .1)
			fail_msg("%s: class %d: %f ms, want %f", path, i, have,
				 want);
	}
	assert_true(
		(double)summary->machine.classes[GTRACE_SILENT_CERTAIN].sum <=
		truth->lost * MS);
	assert_true(longest >= truth->computed);
	assert_null(strstr(summary->headline.data, "not the program"));
	check_stretches(&summary->machine);
	check_idle(summary);
	gtrace_summary_free(summary);
	gtrace_close(trace);
}

static void test_recordings(void **state)
{
	struct truth truth = {.lost = 0};
	FILE *file = fopen(FOLDER "truth.tsv", "r");
	char line[256], path[128];
	unsigned count = 0, silent = 0;

	(void)state;
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file) != NULL) {
		double *classes = truth.classes;

		assert_int_equal(sscanf(line, "%63s %lf %lf %lf %lf %lf %lf",
					truth.name, &truth.lost,
					&truth.computed,
					&classes[GTRACE_SILENT_CERTAIN],
					&classes[GTRACE_SILENT_ASLEEP],
					&classes[GTRACE_SILENT_LIKELY],
					&classes[GTRACE_SILENT_UNDECIDED]),
				 7);
		snprintf(path, sizeof(path), FOLDER "%s.trace", truth.name);
		check_trace(path, &truth);
		silent += check_waits(path) != 0;
		count++;
	}
	fclose(file);
	assert_int_equal(count, 14);
	assert_true(silent != 0); /* so waits were compared that have some */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
