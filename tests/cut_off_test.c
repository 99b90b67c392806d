/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_off_test.c - traces of all formats, each cut off at 200 places: there is
 * a report, or a sentence that says what to do and is true.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/files.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tools/errors.h"
#include "tools/settings.h"

#define CUTS   (is_short() ? 100 : 200)
#define SLICES 1000

/* The whole trace, and one cut of it. */
struct cut {
	const uint8_t *data;
	size_t size; /* of the cut */
	const struct gtrace_reports *whole;
	int64_t frequency;
	const char *path;
};

/* What was checked, so that no trace passes because nothing was. */
static struct {
	size_t whole;    /* reports without `partial` */
	size_t in_ticks; /* partial reports with slices, in ticks */
	size_t slices;   /* slices that were compared */
} done;

/* The text of the advice about a fault. */
static char advice[1024];

/* Sets `advice` to what is said of ERROR, or of TRACE if that is NULL. */
static void explain(const struct cut *cut, const struct gtrace_options *options,
		    const struct gtrace *trace,
		    const struct gtrace_error *error)
{
	char *lines;

	settings.options = *options;
	lines = error_describe(cut->path, trace, error);
	assert_non_null(lines);
	assert_true(strlen(lines) < sizeof(advice));
	strcpy(advice, lines);
	free(lines);
}

static bool advises(const char *words)
{
	return strstr(advice, words) != NULL;
}

static enum gtrace_status report_on(const struct cut *cut,
				    const struct gtrace_options *options,
				    struct gtrace_reports **reports,
				    struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*reports = NULL;
	status = gtrace_open_memory(cut->data, cut->size, options, &trace,
				    error);
	if (status == GTRACE_OK)
		status = make_greedy(trace, SLICES, reports, error);
	if (status == GTRACE_OK) {
		assert_int_equal(gtrace_in_ticks(trace), (*reports)->in_ticks);
		assert_int_equal(gtrace_in_ticks(trace),
				 gtrace_frequency(trace) == 0);
	}
	gtrace_close(trace);
	return status;
}

static const struct gtrace_slice *find(const struct gtrace_reports *reports,
				       uint64_t offset)
{
	size_t i;

	for (i = 0; i < reports->greedy->count; i++)
		if (reports->greedy->slices[i]->start.offset == offset)
			return reports->greedy->slices[i];
	return NULL;
}

/* Checks that the frames of an event are those of the whole trace, or none. */
static void check_frames(const struct gtrace_event *part,
			 const struct gtrace_event *whole)
{
	size_t i;

	if (part->frame_count == 0 || part->walk_count != whole->walk_count)
		return;
	assert_int_equal(part->frame_count, whole->frame_count);
	for (i = 0; i < part->frame_count; i++)
		assert_int_equal(part->frames[i].pc, whole->frames[i].pc);
}

/* Checks that slices which end before the cut are those of the whole trace. */
static void check_slices(const struct cut *cut,
			 const struct gtrace_reports *reports)
{
	double ns_per_unit =
		reports->in_ticks ? 1e9 / (double)cut->frequency : 1;
	size_t i;

	for (i = 0; i < reports->greedy->count; i++) {
		const struct gtrace_slice *part = reports->greedy->slices[i];
		const struct gtrace_slice *whole;
		double ns = (double)part->duration * ns_per_unit;

		if (part->still_running)
			continue;
		whole = find(cut->whole, part->start.offset);
		if (whole == NULL || whole->end.offset != part->end.offset)
			continue;
		done.slices++;
		assert_true(ns - (double)whole->duration > -1000);
		assert_true(ns - (double)whole->duration < 1000);
		assert_int_equal(part->g, whole->g);
		check_frames(&part->start, &whole->start);
		check_frames(&part->end, &whole->end);
	}
}

static int count_slice(void *count, const struct gtrace_slice *slice)
{
	(void)slice;
	++*(size_t *)count;
	return 0;
}

/* How many slices CUT has with MODE, a value of the option partial. */
static size_t count_slices(const struct cut *cut, int mode)
{
	struct gtrace_options options = OPTIONS(.partial = mode);
	struct gtrace *trace;
	size_t count = 0;

	if (gtrace_open_memory(cut->data, cut->size, &options, &trace, NULL) ==
	    GTRACE_OK)
		visit_slices(trace, count_slice, &count, NULL);
	gtrace_close(trace);
	return count;
}

/*
 * Checks what is said of a partial report of CUT about a report of its last
 * generation.
 */
static void check_left_out(const struct cut *cut)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	struct gtrace_reports *reports;
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path(cut->path, &options, &trace, NULL),
			 GTRACE_OK);
	assert_int_equal(make_greedy(trace, 1, &reports, NULL), GTRACE_OK);
	gtrace_reports_free(reports);
	explain(cut, &options, trace, NULL);
	gtrace_close(trace);
	assert_int_equal(advises("-partial=unfinished also reports"),
			 count_slices(cut, GTRACE_PARTIAL_UNFINISHED) >
				 count_slices(cut, GTRACE_PARTIAL_GOOD));
}

/* Checks that what was advised is what comes out. */
static void check_advice(const struct cut *cut)
{
	struct gtrace_options options = OPTIONS(.partial = 1);
	struct gtrace_reports *reports;
	struct gtrace_error error;
	enum gtrace_status status = report_on(cut, &options, &reports, &error);

	if (advises("-partial reports")) {
		assert_int_equal(status, GTRACE_OK);
		assert_true(reports->greedy->count > 0);
		assert_int_equal(advises("in ticks"), reports->in_ticks != 0);
		if (reports->in_ticks) {
			assert_true(advises("-frequency=HZ"));
			done.in_ticks++;
		}
	} else {
		assert_true(advises("-partial=unfinished reports") ||
			    advises("record the trace again"));
		assert_int_equal(advises("-partial=unfinished reports"),
				 count_slices(cut, GTRACE_PARTIAL_UNFINISHED) >
					 0);
		assert_true(status != GTRACE_OK || reports->greedy->count == 0);
	}
	if (status == GTRACE_OK) {
		check_slices(cut, reports);
		check_left_out(cut);
	} else {
		explain(cut, &options, NULL, &error);
		assert_true(advises("record the trace again"));
	}
	gtrace_reports_free(reports);
	if (status != GTRACE_OK)
		return;
	options.frequency = cut->frequency;
	assert_int_equal(report_on(cut, &options, &reports, &error), GTRACE_OK);
	assert_int_equal(reports->in_ticks, 0);
	check_slices(cut, reports);
	gtrace_reports_free(reports);
}

static void check_cut(const struct cut *cut)
{
	struct gtrace_options options = OPTIONS(.partial = 0);
	struct gtrace_reports *reports;
	struct gtrace_error error;

	if (report_on(cut, &options, &reports, &error) == GTRACE_OK) {
		assert_int_equal(reports->in_ticks, 0);
		gtrace_reports_free(reports);
		done.whole++;
		return;
	}
	if (cut->size < 16) {
		assert_int_equal(error.status, GTRACE_ERROR_HEADER);
		return;
	}
	explain(cut, &options, NULL, &error);
	assert_true(advises("the file ends") || advises("damaged at byte"));
	if (error.status == GTRACE_ERROR_CUT_OFF)
		assert_true(advises("the file ends early, at byte "));
	/* The first fault can be any. */
	if (cut->frequency == 1000000000)
		assert_true(advises("the file ends "));
	check_advice(cut);
}

static void cut_trace(const char *name)
{
	char path[] = "cut_off_test.XXXXXX";
	struct gtrace_reports *reports;
	struct cut cut = {.path = path};
	struct gtrace_error error;
	struct gtrace *trace;
	size_t size, i;
	uint8_t *data = read_file(name, &size);
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	assert_int_equal(gtrace_open_memory(data, size, NULL, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(make_greedy(trace, SLICES, &reports, &error),
			 GTRACE_OK);
	memset(&done, 0, sizeof(done));
	cut.whole = reports;
	cut.frequency = gtrace_frequency(trace);
	gtrace_close(trace);
	for (i = CUTS; i > 0; i--) {
		/* In memory of just its size. */
		cut.size = (size - 1) * i / CUTS;
		cut.data = memcpy(malloc(cut.size), data, cut.size);
		assert_int_equal(ftruncate(fd, (off_t)cut.size), 0);
		check_cut(&cut);
		free((void *)(uintptr_t)cut.data);
	}
	printf("%s: %zu reports, %zu in ticks, %zu slices compared\n", name,
	       done.whole, done.in_ticks, done.slices);
	if (cut.frequency != 1000000000) {
		assert_true(done.in_ticks > 0);
		assert_true(done.slices > 0);
	}
	gtrace_reports_free(reports);
	close(fd);
	unlink(path);
	free(data);
}

#define CUT_TRACE(test, name)                                                  \
	static void test(void **state)                                         \
	{                                                                      \
		(void)state;                                                   \
		cut_trace("testdata/" name ".trace");                          \
	}

CUT_TRACE(go1_8_greedy, "go1.8-small/greedy")
CUT_TRACE(go1_8_lock, "go1.8-small/lock")
CUT_TRACE(go1_19_gc, "go1.19-small/gc")
CUT_TRACE(go1_19_http, "go1.19-small/http")
CUT_TRACE(go1_21_chan, "go1.21-small/chan")
CUT_TRACE(go1_21_file, "go1.21-small/file")
CUT_TRACE(go1_22_gens, "go1.22-small/gens")
CUT_TRACE(go1_23_coro, "go1.23-small/coro")
CUT_TRACE(go1_27_gc, "go1.27-small/gc")
CUT_TRACE(go1_27_gens, "go1.27-small/gens")

/* A frequency needs `partial`, and is positive. */
static void bad_frequencies(void **state)
{
	struct gtrace_options options = OPTIONS(.frequency = 1);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_memory("", 0, &options, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
	options = OPTIONS(.partial = 1, .frequency = -1);
	assert_int_equal(gtrace_open_memory("", 0, &options, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(go1_8_greedy),
		cmocka_unit_test(go1_8_lock),
		cmocka_unit_test(go1_19_gc),
		cmocka_unit_test(go1_19_http),
		cmocka_unit_test(go1_21_chan),
		cmocka_unit_test(go1_21_file),
		cmocka_unit_test(go1_22_gens),
		cmocka_unit_test(go1_23_coro),
		cmocka_unit_test(go1_27_gc),
		cmocka_unit_test(go1_27_gens),
		cmocka_unit_test(bad_frequencies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
