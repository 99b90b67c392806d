/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.c - the report in one HTML file: a first pass finds what is shown, a
 * second one what all processors did then.
 */
#include <string.h>

#include "analysis/lanes.h"
#include "base/fail.h"
#include "base/least.h"
#include "base/times.h"
#include "report/html.h"
#include "report/paths.h"
#include "run.h"

/* What is listed if the caller does not say. */
#define ROWS_DEFAULT 10
#define ROWS_MAX     1000

/* All windows take so many bytes at most; a bar, and the lanes of a window. */
#define WINDOWS_BYTES 1000000
#define BAR_BYTES     90
#define LANES_BYTES   10000
#define BARS_MAX      400
/* With fewer bars there are fewer pictures. */
#define BARS_MIN     60
#define WINDOW_BYTES (BARS_MIN * BAR_BYTES + LANES_BYTES)
_Static_assert(WINDOWS_BYTES / WINDOW_BYTES <= LANES_WINDOWS, "a bit each");

/* Processors with larger numbers are not drawn. */
#define PROCESSORS_MAX 100000

/* How many goroutines were ready is shown for so many parts of the trace. */
#define READY_PARTS 1200

/* Nine years, so that times can be added without an overflow. */
#define LENGTH_MAX ((int64_t)1 << 58)

struct html {
	struct gtrace *trace;
	struct gtrace_summary *summary;
	struct gtrace_reports *reports; /* paths, goroutines */
	struct lanes lanes;
	struct html_report report;
};

/* --------------------------------------------------------------- windows -- */

/* TIME, which a damaged trace can have anywhere, within the trace. */
static int64_t clip(const struct html *html, int64_t time)
{
	const struct window *whole = html->lanes.windows;

	return greatest_of(least_of(time, whole->to), whole->from);
}

/* Sets up WINDOW from FROM to TO, both within the trace. */
static void set_window(struct html *html, struct window *window, int64_t from,
		       int64_t to)
{
	from = least_of(clip(html, from), html->lanes.windows->to - 1);
	gti_window_init(window, from, greatest_of(clip(html, to), from + 1));
}

/* Around a slice: its processor, and those late for stops in view. */
static void set_slice(struct html *html, struct window *window, size_t number)
{
	const struct html_report *report = &html->report;
	const struct gtrace_slice *slice =
		report->summary->greedy->slices[number];
	int64_t begin = clip(html, slice->start.ts);
	int64_t end = clip(html, html_slice_end(slice));
	int64_t margin = (end - begin) / 20;
	struct stop_times times;
	size_t i, j;

	set_window(html, window, begin - 7 * margin, end + 7 * margin);
	gti_window_choose(window, slice->p, begin + (end - begin) / 2);
	for (i = 0; i < report->counts[HTML_STOPS]; i++) {
		const struct gtrace_stop *stop = html_stop(report, i);

		times = gti_stop_times(stop);
		if (times.from < 0 || times.from > window->to ||
		    times.to < window->from)
			continue;
		for (j = 0; j < stop->late_count; j++)
			gti_window_add_lane(window, stop->late[j].p);
	}
}

/* Around a wait: the slices that kept it, and where the goroutine ran. */
static void set_wait(struct html *html, struct window *window, size_t number)
{
	const struct gtrace_wait *wait =
		html->report.summary->waits->waits[number];
	int64_t begin = clip(html, wait->start);
	int64_t end = clip(html, html_wait_end(wait));
	int64_t margin = (end - begin) / 20;
	size_t i;

	set_window(html, window, begin - 4 * margin, end + 4 * margin);
	for (i = 0; i < wait->kept_count; i++)
		gti_window_choose(window, wait->kept[i].p,
				  clip(html, wait->kept[i].start));
	gti_window_add_lane(window, wait->ran_p);
	gti_window_add_lane(window, wait->ready.p);
}

/* Around the longest block at a place, with lanes of two goroutines. */
static void set_block(struct html *html, struct window *window, size_t number)
{
	const struct gtrace_block_place *place =
		html->report.summary->blocks->places[number];
	int64_t begin = clip(html, place->max_start);
	int64_t end = clip(html, html_block_end(place));
	int64_t margin = (end - begin) / 5;

	set_window(html, window, begin - margin, end + margin);
	window->g[window->g_count++] = place->max_g;
	if (place->max_by != -1 && place->max_by != place->max_g)
		window->g[window->g_count++] = place->max_by;
}

/* Around a stop: its late processors, and the one that requested it. */
static void set_stop(struct html *html, struct window *window, size_t number)
{
	const struct gtrace_stop *stop = html_stop(&html->report, number);
	struct stop_times times = gti_stop_times(stop);
	int64_t margin, from, to, ended = clip(html, stop->ended);
	size_t i;

	if (times.from < 0)
		times = (struct stop_times){stop->ts, -1, stop->ts};
	from = clip(html, times.from);
	to = clip(html, times.to);
	margin = greatest_of((to - from) / 20, 1);
	/* Up to its end, if that is not much further. */
	if (ended > to + 7 * margin && ended - to <= 12 * margin)
		to = ended - 6 * margin;
	set_window(html, window, from - 6 * margin, to + 7 * margin);
	if (stop->late_count != 0)
		gti_window_choose(window, stop->late[0].p,
				  gti_name_holder(stop).work ==
						  GTRACE_WORK_SCHEDULER
					  ? -1
					  : clip(html, stop->late[0].left) - 1);
	for (i = 0; i < stop->late_count; i++)
		gti_window_add_lane(window, stop->late[i].p);
	gti_window_add_lane(window, stop->p);
}

/*
 * Decides how many rows of each list, the first ones, have windows, as many as
 * fit in the file. Returns how many these are.
 */
static size_t count_windows(struct html *html)
{
	const size_t most = WINDOWS_BYTES / WINDOW_BYTES;
	const size_t *counts = html->report.counts;
	size_t *windows = html->report.windows, all = 0, left = most, i;

	for (i = 0; i < HTML_WINDOWS; i++)
		all += windows[i] = counts[i];
	if (all <= most)
		return all;
	for (i = HTML_WINDOWS; i-- > 0; left -= windows[i])
		if (windows[i] > left / (i + 1))
			windows[i] = left / (i + 1);
	return most - left;
}

static bool set_windows(struct html *html)
{
	static void (*const set[HTML_WINDOWS])(struct html *, struct window *,
					       size_t) = {set_slice, set_wait,
							  set_block, set_stop};
	size_t count = count_windows(html), bars, list, i;
	struct window *window;

	bars = (WINDOWS_BYTES / (count + 1) - LANES_BYTES) / BAR_BYTES;
	html->lanes.bars_max = bars < BARS_MAX ? bars : BARS_MAX;
	if (!gti_lanes_init(
		    &html->lanes,
		    (uint32_t)least_of(greatest_of(html->summary->procs, 0),
				       PROCESSORS_MAX),
		    html->summary->origin,
		    html->summary->origin +
			    greatest_of(html->summary->length, 1),
		    count))
		return false;
	window = html->lanes.windows;
	for (list = 0; list < HTML_WINDOWS; list++)
		for (i = 0; i < html->report.windows[list]; i++)
			set[list](html, ++window, i);
	return gti_lanes_set(&html->lanes);
}

/* ------------------------------------------------------------------ pass -- */

static enum lane_kind kind_of(const struct naming *naming)
{
	switch (naming->work) {
	case GTRACE_WORK_TRACER:
		return LANE_TRACER;
	case GTRACE_WORK_SYSCALL:
		return LANE_SYSCALL;
	case GTRACE_WORK_PROGRAM:
		return LANE_PROGRAM;
	default:
		return naming->frame != NULL ? LANE_RUNTIME : LANE_UNKNOWN;
	}
}

/*
 * Every slice of the trace comes here. So of a slice only its times and its
 * naming are made: a visitor of gtrace_visit() would take several times as
 * long.
 */
static bool take_slice(void *context, const struct slice *slice)
{
	struct run *run = context;
	struct html *html = run->wanted->context;
	struct gtrace_string name = {"", 0};
	struct naming naming;
	struct bar taken = {
		.from = run_ns(run, slice->start.ticks),
		.duration = slice->length,
		.g = (int64_t)slice->g,
	};

	taken.to = slice->still_running ? add_ns(taken.from, taken.duration)
					: run_ns(run, slice->end.ticks);
	if (run->failed)
		return false;
	gti_limit_frames(run);
	naming = gti_make_slice_naming(run, slice);
	taken.kind = kind_of(&naming);
	if (naming.frame != NULL)
		name = naming.frame->function;
	run->failed |= !gti_lanes_take(&html->lanes, &taken, slice->p, name);
	return !run->failed;
}

/*
 * Of a system call only what it lasts without a processor: the rest is part of
 * a slice.
 */
static void take_block(void *context, const struct ended_block *block)
{
	struct run *run = context;
	struct html *html = run->wanted->context;
	int64_t start = run_ns(run, block->block.since);
	struct named_site site = gti_block_site(run, block->place);
	const char *word = gtrace_block_name((enum gtrace_block_kind)site.kind);
	struct bar taken = {
		.from = start,
		.to = add_ns(start, block->length),
		.g = (int64_t)block->g,
		.kind = LANE_BLOCKED,
	};

	if (site.kind == GTRACE_BLOCK_SYSCALL)
		taken.from = block->block.lost != 0
				     ? run_ns(run, block->block.lost)
				     : taken.to;
	taken.duration = ns_between(taken.from, taken.to);
	run->failed |= !gti_lanes_take_block(
		&html->lanes, &taken,
		(struct gtrace_string){word, strlen(word)});
}

static void take_assist(void *context, uint64_t g, bool begins, int64_t now)
{
	struct run *run = context;
	struct html *html = run->wanted->context;

	run->failed =
		run->failed || !gti_lanes_assist(&html->lanes, g, begins, now);
}

/* The pass begins again. */
static void restart(struct run *run)
{
	struct html *html = run->wanted->context;

	run->failed |= !gti_lanes_restart(&html->lanes);
}

static enum gtrace_status make_pass(struct html *html,
				    struct gtrace_error *error)
{
	static const struct sinks sinks = {.slice = take_slice,
					   .block = take_block,
					   .assist = take_assist};
	const struct wanted wanted = {
		.inside = html->trace->format->times_calls,
		.sinks = &sinks,
		.is_checked = true,
		.restart = restart,
		.context = html,
	};
	enum gtrace_status status;

	if (!set_windows(html))
		return gti_fail_memory(error);
	status = gti_run(html->trace, &wanted, error);
	if (status == GTRACE_OK && !gti_lanes_end(&html->lanes))
		status = gti_fail_memory(error);
	return status;
}

/* ---------------------------------------------------------------- report -- */

static size_t count_paths(const struct gtrace_path_report *paths)
{
	size_t count = 0, i;

	for (i = 0; i < paths->count; i++)
		count += paths->kinds[i].path_count;
	return count;
}

/*
 * Finds the critical paths of all requests, and N functions by the lives of
 * their goroutines; filters do not count.
 */
static enum gtrace_status find_lives(struct html *html, size_t n,
				     struct gtrace_error *error)
{
	const struct gtrace_request request = {
		.size = sizeof(request), .paths = PATHS_SHOWN, .goroutines = n};
	enum gtrace_status status =
		gtrace_analyse(html->trace, &request, &html->reports, error);

	if (status != GTRACE_OK)
		return status;
	html->report.paths = html->reports->paths;
	html->report.counts[HTML_PATHS] = count_paths(html->report.paths);
	html->report.goroutines = html->reports->goroutines;
	html->report.counts[HTML_GOROUTINES] =
		html->report.goroutines->count < n
			? html->report.goroutines->count
			: n;
	return GTRACE_OK;
}

static void prepare_report(struct html *html,
			   const struct gtrace_request *request)
{
	const struct left_out *left_out = &html->trace->left_out;
	struct html_report *report = &html->report;
	size_t places = html->summary->blocks->place_count;

	*report = (struct html_report){
		.name = gti_html_name(request->name),
		.filtered = html->summary->filtered,
		.summary = html->summary,
		.counts = {html->summary->greedy->count,
			   html->summary->waits->count,
			   places < request->blocks ? places : request->blocks,
			   html->summary->stops->stop_count +
				   html->summary->stops->inferred_count},
		.known_until =
			left_out->unfinished
				? html->summary->origin + html->summary->known
				: INT64_MAX,
		.names = &html->lanes.names,
		.write_data = gti_html_data,
		.lanes = &html->lanes,
	};
	gtrace_left_out(html->trace, &report->left_out_from, NULL,
			&report->fault);
}

static size_t rows_of(size_t wanted)
{
	return wanted == 0         ? ROWS_DEFAULT
	       : wanted > ROWS_MAX ? ROWS_MAX
				   : wanted;
}

enum gtrace_status gti_print_page(struct gtrace *trace,
				  const struct gtrace_request *given,
				  struct writer *writer,
				  struct gtrace_error *error)
{
	struct html html = {.trace = trace, .lanes.memory = &trace->memory};
	struct gtrace_request request = *given;
	enum gtrace_status status;

	if (gtrace_in_ticks(trace))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the trace has no tick frequency, and a page "
				"has times in nanoseconds");
	request.n = rows_of(request.n);
	request.stops = rows_of(request.stops);
	request.waits = request.blocks = request.n;
	request.parts = READY_PARTS;
	request.delays = 1;
	request.collections = request.brief = 1;
	request.details = 1;
	request.report = 0;
	status = gtrace_summarise(trace, &request, &html.summary, error);
	if (status == GTRACE_OK && (html.summary->origin > LENGTH_MAX ||
				    html.summary->length > LENGTH_MAX))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "times of more than nine years are too large "
				  "for a page");
	if (status == GTRACE_OK) {
		prepare_report(&html, &request);
		status = find_lives(&html, request.n, error);
	}
	if (status == GTRACE_OK)
		status = make_pass(&html, error);
	if (status == GTRACE_OK)
		gti_write_page(writer, &html.report);
	gti_lanes_free(&html.lanes);
	gtrace_reports_free(html.reports);
	gtrace_summary_free(html.summary);
	return status;
}
