/* SPDX-License-Identifier: BSD-3-Clause */
/* html_data.c - what the pictures of an HTML page show, as JSON. */
#include "html_pass.h"

#include <string.h>

#include "base/least.h"
#include "report/json.h"

/* Writes a list of numbers, which the caller closes. */
static void put_list(struct json *json, const int64_t *values, size_t count)
{
	size_t i;

	gti_json_open(json, NULL, '[');
	for (i = 0; i < count; i++)
		gti_json_signed(json, NULL, values[i]);
}

#define OPEN_LIST(json, ...)                                                   \
	put_list(json, (const int64_t[]){__VA_ARGS__},                         \
		 sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* From this size of the page on, names and late processors are left out. */
#define DATA_SIZE 1400000

static bool is_data_full(const struct json *json)
{
	return writer_size(json->writer) > DATA_SIZE;
}

/* NAMING as it is shown. What is shown has no control characters. */
static void put_shown_name(struct json *json, const struct naming *naming)
{
	struct shown shown = {.size = 0};
	char text[6 * sizeof(shown.text) + 2], *to = text;
	size_t i;

	if (!is_data_full(json))
		gti_show_naming(&shown, naming);
	*to++ = '"';
	for (i = 0; i < shown.size; i++)
		if (shown.text[i] == '<') {
			to = gti_put_text(to, "\\u003c");
		} else {
			if (shown.text[i] == '"' || shown.text[i] == '\\')
				*to++ = '\\';
			*to++ = shown.text[i];
		}
	*to++ = '"';
	gti_json_number(json, NULL, text, (size_t)(to - text));
}

/*
 * Slices: from, to, processor, goroutine, length, system calls inside and their
 * time or -1, CPU samples inside, name.
 */
static void put_slices(struct json *json, const struct gtrace_summary *summary)
{
	uint64_t samples;
	size_t i, j;

	gti_json_open(json, "slices", '[');
	for (i = 0; i < summary->greedy->count; i++) {
		const struct gtrace_slice *slice = summary->greedy->slices[i];
		struct naming naming = slice_naming(slice);

		for (j = 0, samples = 0; j < slice->sample_count; j++)
			samples += slice->samples[j].count;
		OPEN_LIST(json, slice->start.ts, html_slice_end(slice),
			  slice->p, slice->g, slice->duration,
			  (int64_t)slice->syscalls, slice->syscall_ns,
			  (int64_t)samples);
		put_shown_name(json, &naming);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

/* So many late processors of a stop are listed. */
#define LATE_LISTED 12

/*
 * Late processors: number, goroutine, how it was late, when it started, left
 * and was given up, how long it had the goroutine, name.
 */
static void put_late(struct json *json, const struct gtrace_stop *stop)
{
	size_t i;

	gti_json_open(json, NULL, '[');
	for (i = 0;
	     i < stop->late_count && i < LATE_LISTED && !is_data_full(json);
	     i++) {
		const struct gtrace_late *late = &stop->late[i];
		struct naming naming = gti_name_late(late);

		OPEN_LIST(json, late->p, late->g, (int64_t)late->how,
			  late->start, late->left, late->gave_up, late->own);
		put_shown_name(json, &naming);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

/*
 * Stops: from, stood, to, ended, 1 if inferred, processor, goroutine, stopping,
 * of that without a goroutine, stopped, total, waited, idle, processors, number
 * of late processors, these. A time that is not known is -1.
 */
static void put_stops(struct json *json, const struct html_report *report)
{
	struct stop_times times;
	size_t i;

	gti_json_open(json, "stops", '[');
	for (i = 0; i < report->stop_count; i++) {
		const struct gtrace_stop *stop = html_stop(report, i);

		if (!gti_stop_times(stop, &times))
			times = (struct stop_times){-1, -1, -1};
		OPEN_LIST(json, times.from, times.stood, times.to, stop->ended,
			  stop->inferred != 0, stop->p, stop->g,
			  stop->inferred ? stop->stopping_max : stop->stopping,
			  gti_unheld(stop), stop->stopped, stop->total,
			  stop->waited, stop->idle, stop->procs,
			  (int64_t)stop->late_count);
		put_late(json, stop);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

/* --------------------------------------------------------------- windows -- */

/*
 * The shares of KIND in the bins of LANE, of PROCESSORS, as one digit of base64
 * each: 0 to 63. Zeros at the end are left out.
 */
static void put_shares(struct json *json, const struct window *window,
		       uint32_t lane, uint32_t processors, unsigned kind)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint64_t *shares = window->shares + kind +
				 (size_t)lane * window->bins * LANE_KINDS;
	int64_t left = window->to - window->from;
	char text[OVERVIEW_BINS];
	size_t i, used = 0;

	for (i = 0; i < window->bins; i++, left -= window->width) {
		double share =
			(double)shares[i * LANE_KINDS] /
			((double)least_of(window->width, left) * processors);

		text[i] = digits[(int)(63 * (share < 1 ? share : 1) + 0.5)];
		if (text[i] != 'A')
			used = i + 1;
	}
	gti_json_string(json, NULL, (struct gtrace_string){text, used});
}

/* A lane: its first processor, how many more it has, and shares by kind. */
static void put_lane(struct json *json, const struct window *window,
		     uint32_t lane)
{
	uint32_t count = window->group;
	int64_t first = (int64_t)lane * window->group;
	unsigned kind;

	if (window->group == 0) {
		bool rest =
			window->others != 0 && lane + 1 == window->lane_count;

		first = rest ? -1 : window->p[lane];
		count = rest ? window->others : 1;
	}
	OPEN_LIST(json, first, count);
	for (kind = 0; kind < LANE_KINDS; kind++)
		put_shares(json, window, lane, count, kind);
	gti_json_close(json, ']');
}

/* Bars: lane, from, to, kind, name, goroutine, length, 1 if chosen. */
static void put_bars(struct json *json, const struct window *window)
{
	const struct bar *bars = window->bars.items;
	uint32_t lane;
	size_t i;

	gti_json_open(json, "bars", '[');
	for (lane = 0; lane < window->lane_count; lane++)
		for (i = 0; i < window->bars.count; i++) {
			if (bars[i].lane != lane)
				continue;
			OPEN_LIST(json, lane, bars[i].from - window->from,
				  bars[i].to - window->from, bars[i].kind,
				  bars[i].name, bars[i].g, bars[i].duration,
				  bars[i].chosen);
			gti_json_close(json, ']');
		}
	gti_json_close(json, ']');
}

static void put_window(struct json *json, const struct window *window)
{
	uint32_t lane;

	gti_json_open(json, NULL, '{');
	gti_json_signed(json, "from", window->from);
	gti_json_signed(json, "to", window->to);
	gti_json_signed(json, "width", window->width);
	gti_json_unsigned(json, "bins", window->bins);
	gti_json_signed(json, "own", window->chosen_p);
	gti_json_open(json, "lanes", '[');
	for (lane = 0; lane < window->lane_count; lane++)
		put_lane(json, window, lane);
	gti_json_close(json, ']');
	put_bars(json, window);
	gti_json_close(json, '}');
}

/* Classes of lengths: where one begins, slices, their time by kind. */
static void put_lengths(struct json *json, const struct length_class *lengths)
{
	unsigned i, kind;

	gti_json_open(json, "lengths", '[');
	for (i = 0; i < LENGTH_CLASSES; i++) {
		OPEN_LIST(json, lengths[i].begin, (int64_t)lengths[i].count);
		for (kind = 0; kind < LANE_KINDS; kind++)
			gti_json_unsigned(json, NULL, lengths[i].ns[kind]);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

static void put_bar_names(struct json *json, const struct texts *names)
{
	struct gtrace_frame frame = {0};
	struct naming naming = {.frame = &frame};
	uint32_t i;

	gti_json_open(json, "names", '[');
	for (i = 0; i < texts_count(names); i++) {
		frame.function = texts_at(names, i);
		put_shown_name(json, &naming);
	}
	gti_json_close(json, ']');
}

void gti_html_data(struct writer *writer, const struct html_report *report,
		   const struct lanes *lanes)
{
	struct json json = {.writer = writer};
	size_t i;

	gti_json_open(&json, NULL, '{');
	gti_json_unsigned(&json, "processors", lanes->processors);
	/* Events after this time are not in the file. */
	gti_json_signed(&json, "known",
			least_of(report->known_until, lanes->windows->to));
	put_lengths(&json, lanes->lengths);
	/* The whole trace, slices, then stops. */
	gti_json_unsigned(&json, "sliceWindows", report->slice_windows);
	gti_json_open(&json, "windows", '[');
	for (i = 0; i < lanes->window_count; i++)
		put_window(&json, &lanes->windows[i]);
	gti_json_close(&json, ']');
	put_bar_names(&json, &lanes->names);
	put_slices(&json, report->summary);
	put_stops(&json, report);
	gti_json_close(&json, '}');
}
