/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.c - the report in one HTML file: a first pass finds what is shown, a
 * second one what all processors did then.
 */
#include <string.h>

#include "base/fail.h"
#include "base/least.h"
#include "front.h"
#include "html_pass.h"
#include "report/html.h"

/* What is listed if the caller does not say. */
#define ROWS_DEFAULT 10
#define ROWS_MAX     1000

/* All pictures take so many bytes at most, and a span takes so many. */
#define PICTURES_BYTES 1200000
#define SPAN_BYTES     200
#define SPANS_MAX      400
/* With fewer spans there are fewer pictures. */
#define SPANS_MIN 60

/* Processors with larger numbers are not drawn. */
#define PROCESSORS_MAX 100000

struct html {
	struct gtrace *trace;
	struct gtrace_summary *summary;
	struct marks marks;
	struct lanes lanes;
	const struct gtrace_stop **stops;
	const struct window **windows; /* of slices, and then of stops */
	size_t rows;
};

static enum gtrace_status fail_memory_unless(bool good,
					     struct gtrace_error *error)
{
	return good ? GTRACE_OK : gti_fail_memory(error);
}

/* --------------------------------------------------------------- windows -- */

static int64_t end_of(const struct html *html, const struct gtrace_slice *slice)
{
	return slice->still_running ? html->summary->length : slice->end.ts;
}

/* From when on a processor that seems idle need not be. */
static int64_t known_until(const struct html *html)
{
	const struct left_out *left_out = &html->trace->left_out;

	return left_out->unfinished ? left_out->since : INT64_MAX;
}

/* Around slice I: its processor, and those late for stops in view. */
static void set_slice(struct html *html, struct window *window, size_t i,
		      size_t spans)
{
	const struct gtrace_slice *slice = html->marks.slices[i];
	int64_t end = end_of(html, slice),
		margin = (end - slice->start.ts) / 20;
	struct stop_times times;
	size_t j, k;

	gti_window_init(
		window, greatest_of(slice->start.ts - 7 * margin, 0),
		greatest_of(least_of(end + 7 * margin, html->summary->length),
			    slice->start.ts + 1),
		spans);
	window->chosen_p = slice->p;
	window->chosen_at = slice->start.ts / 2 + end / 2;
	gti_window_add_lane(window, slice->p);
	for (j = 0; j < html->marks.stop_count; j++) {
		const struct gtrace_stop *stop = html->marks.stops[j];

		if (!gti_stop_times(stop, &times) || times.from > window->to ||
		    times.to < window->from)
			continue;
		for (k = 0; k < stop->late_count; k++)
			gti_window_add_lane(window, stop->late[k].p);
	}
}

/* Around stop I: its late processors, and the one that requested it. */
static void set_stop(struct html *html, struct window *window, size_t i,
		     size_t spans)
{
	const struct gtrace_stop *stop = html->marks.stops[i];
	struct naming holder = gti_name_holder(stop);
	struct stop_times times;
	int64_t margin, to;
	size_t j;

	if (!gti_stop_times(stop, &times))
		times = (struct stop_times){stop->ts, -1, stop->ts};
	margin = greatest_of((times.to - times.from) / 20, 1);
	to = times.to + 7 * margin;
	/* Up to its end, if that is not much further. */
	if (stop->ended > to && stop->ended - times.to <= 12 * margin)
		to = stop->ended + margin;
	gti_window_init(window, greatest_of(times.from - 6 * margin, 0),
			greatest_of(least_of(to, html->summary->length),
				    times.from + 1),
			spans);
	if (stop->late_count != 0) {
		window->chosen_p = stop->late[0].p;
		window->chosen_at = holder.work == GTRACE_WORK_SCHEDULER
					    ? -1
					    : stop->late[0].left - 1;
	}
	for (j = 0; j < stop->late_count; j++)
		gti_window_add_lane(window, stop->late[j].p);
	gti_window_add_lane(window, stop->p);
}

/* Gives windows to the first rows of each list, to as many as fit in the file.
 */
static void set_windows(struct html *html)
{
	size_t pictures = html->rows,
	       most = PICTURES_BYTES / SPAN_BYTES / SPANS_MIN;
	size_t slices = html->marks.slice_count, stops = html->marks.stop_count;
	size_t spans, i, next = 0;

	if (pictures > most) {
		stops = stops < most / 2 ? stops : most / 2;
		slices = slices < most - stops ? slices : most - stops;
		pictures = slices + stops;
	}
	spans = PICTURES_BYTES / SPAN_BYTES / (pictures + 1);
	spans = spans < SPANS_MAX ? spans : SPANS_MAX;
	for (i = 0; i < slices; i++) {
		html->windows[i] = &html->lanes.windows[next];
		set_slice(html, &html->lanes.windows[next++], i, spans);
	}
	for (i = 0; i < stops; i++) {
		html->windows[html->marks.slice_count + i] =
			&html->lanes.windows[next];
		set_stop(html, &html->lanes.windows[next++], i, spans);
	}
	html->lanes.window_count = next;
	for (i = 0; i < next; i++) {
		html->lanes.windows[i].known_until = known_until(html);
		gti_window_fill_lanes(&html->lanes.windows[i],
				      html->lanes.overview.processors);
	}
}

/* ----------------------------------------------------------------- times -- */

/* Nine years, so that times can be added without an overflow. */
#define TIME_MAX ((int64_t)1 << 58)

static bool is_small(int64_t time)
{
	return time >= -TIME_MAX && time <= TIME_MAX;
}

static bool is_small_slice(const struct gtrace_slice *slice)
{
	return is_small(slice->start.ts) && is_small(slice->end.ts) &&
	       is_small(slice->duration);
}

static bool is_small_stop(const struct gtrace_stop *stop)
{
	const int64_t times[] = {
		stop->ts,           stop->requested_min, stop->requested_max,
		stop->stopping_min, stop->stopping_max,  stop->requested,
		stop->obtained,     stop->restarting,    stop->restarted,
		stop->ended,        stop->stopping,      stop->stopped,
		stop->total,        stop->waited,
	};
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (!is_small(times[i]))
			return false;
	for (i = 0; i < stop->late_count; i++)
		if (!is_small(stop->late[i].start) ||
		    !is_small(stop->late[i].left) ||
		    !is_small(stop->late[i].gave_up))
			return false;
	return true;
}

/* Whether all times of the page are small. Those of real traces are. */
static bool are_small(const struct html *html)
{
	size_t i;

	if (!is_small(html->summary->length))
		return false;
	for (i = 0; i < html->marks.slice_count; i++)
		if (!is_small_slice(html->marks.slices[i]))
			return false;
	for (i = 0; i < html->marks.stop_count; i++)
		if (!is_small_stop(html->marks.stops[i]))
			return false;
	return true;
}

/* ---------------------------------------------------------------- passes -- */

static bool make_marks(struct html *html)
{
	const struct gtrace_stop_report *stops = html->summary->stops;
	const struct gtrace_greedy_report *greedy = html->summary->greedy;
	size_t count = stops->stop_count + stops->inferred_count;

	html->rows = greedy->count + count;
	html->stops = gti_allocate_zeroed(&html->trace->memory, count + 1,
					  sizeof(const void *));
	html->windows = gti_allocate_zeroed(
		&html->trace->memory, html->rows + 1, sizeof(const void *));
	html->marks = (struct marks){greedy->slices, greedy->count, html->stops,
				     count};
	if (html->stops == NULL || html->windows == NULL)
		return false;
	if (stops->stop_count != 0)
		memcpy(html->stops, stops->stops,
		       stops->stop_count * sizeof(const void *));
	if (stops->inferred_count != 0)
		memcpy(html->stops + stops->stop_count, stops->inferred_stops,
		       stops->inferred_count * sizeof(const void *));
	return true;
}

static enum gtrace_status make_lanes(struct html *html,
				     struct gtrace_error *error)
{
	int64_t procs = html->summary->procs;

	if (procs < 0 || procs > PROCESSORS_MAX)
		procs = PROCESSORS_MAX;
	if (!gti_lanes_init(&html->lanes, (uint32_t)procs,
			    html->summary->length, html->rows,
			    &html->trace->memory))
		return gti_fail_memory(error);
	html->lanes.overview.known_until = known_until(html);
	set_windows(html);
	return gti_html_pass(html->trace, &html->lanes, error);
}

/* ---------------------------------------------------------------- output -- */

static const char *base_name(const char *name)
{
	const char *slash = name != NULL ? strrchr(name, '/') : NULL;

	return name == NULL ? "trace" : slash != NULL ? slash + 1 : name;
}

static enum gtrace_status write_report(struct html *html,
				       const struct gtrace_request *request,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct html_report report = {
		.name = base_name(request->name),
		.filtered = gti_is_filtered(request->filter),
		.summary = html->summary,
		.marks = &html->marks,
		.stops = html->summary->stops,
		.lanes = &html->lanes,
		.windows = html->windows,
	};
	struct writer writer;
	enum gtrace_status status =
		gti_open_writer(&writer, output, &html->trace->memory, error);

	if (status != GTRACE_OK)
		return status;
	gtrace_left_out(html->trace, &report.left_out_from, NULL,
			&report.fault);
	gti_html_report(&writer, &report);
	return gti_writer_finish(&writer, error);
}

static void free_html(struct html *html)
{
	const struct gtrace_allocator *memory = &html->trace->memory;

	gti_lanes_free(&html->lanes);
	gti_release(memory, html->stops,
		    (html->marks.stop_count + 1) * sizeof(const void *));
	gti_release(memory, html->windows,
		    (html->rows + 1) * sizeof(const void *));
	gtrace_summary_free(html->summary);
}

enum gtrace_status gtrace_print_html(struct gtrace *trace,
				     const struct gtrace_request *given,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	struct html html = {.trace = trace};
	struct gtrace_request request = {0};
	enum gtrace_status status = GTRACE_OK;

	html.lanes.memory = &trace->memory;
	if (given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
	if (status == GTRACE_OK && gtrace_in_ticks(trace))
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "the trace has no tick frequency, and a page "
				  "has times in nanoseconds");
	if (status != GTRACE_OK)
		return status;
	request.size = sizeof(request);
	request.n = request.n == 0 ? ROWS_DEFAULT : request.n;
	request.n = request.n > ROWS_MAX ? ROWS_MAX : request.n;
	request.stops = request.stops == 0 ? ROWS_DEFAULT : request.stops;
	request.stops = request.stops > ROWS_MAX ? ROWS_MAX : request.stops;
	request.details = 1;
	status = gtrace_summarise(trace, &request, &html.summary, error);
	if (status == GTRACE_OK)
		status = fail_memory_unless(make_marks(&html), error);
	if (status == GTRACE_OK && !are_small(&html))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "times of more than nine years are too large "
				  "for a page");
	if (status == GTRACE_OK)
		status = make_lanes(&html, error);
	if (status == GTRACE_OK)
		status = write_report(&html, &request, output, error);
	free_html(&html);
	return status;
}
