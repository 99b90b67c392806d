/* SPDX-License-Identifier: BSD-3-Clause */
/* html_data.c - what the pictures of an HTML page show, as JSON. */
#include "analysis/lanes.h"
#include "base/least.h"
#include "front.h"
#include "report/html.h"
#include "report/json.h"
#include "report/paths.h"

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

/* SHARE, from 0 to 1, as one digit of base64: 0 to 63. */
static char digit_of(double share)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	return digits[(int)(63 * (share < 1 ? share : 1) + 0.5)];
}

/*
 * The shares of KIND in the bins of LANE, of PROCESSORS, a digit each. Zeros at
 * the end are left out.
 */
static void put_shares(struct json *json, const struct window *window,
		       uint32_t lane, uint32_t processors, unsigned kind)
{
	const uint64_t *shares = window->shares + kind +
				 (size_t)lane * window->bins * LANE_KINDS;
	int64_t left = window->to - window->from;
	char text[OVERVIEW_BINS];
	size_t i, used = 0;

	for (i = 0; i < window->bins; i++, left -= window->width) {
		double share =
			(double)shares[i * LANE_KINDS] /
			((double)least_of(window->width, left) * processors);

		text[i] = digit_of(share);
		if (text[i] != 'A')
			used = i + 1;
	}
	gti_json_string(json, NULL, (struct gtrace_string){text, used});
}

/*
 * A lane: its first processor, how many more it has, and shares by kind. That
 * of a goroutine has its number in place of a processor.
 */
static void put_lane(struct json *json, const struct window *window,
		     uint32_t lane)
{
	uint32_t count = window->group;
	int64_t first = (int64_t)lane * window->group;
	unsigned kind;

	if (lane >= window->lane_count) {
		first = window->g[lane - window->lane_count];
		count = 1;
	} else if (window->group == 0) {
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
	const struct bar *bar = window->bars.items;
	size_t i;

	gti_json_open(json, "bars", '[');
	for (i = 0; i < window->bars.count; i++, bar++) {
		OPEN_LIST(json, bar->lane, bar->from, bar->to, bar->kind,
			  bar->name, bar->g, bar->duration, bar->chosen);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

static void put_window(struct json *json, const char *name,
		       const struct window *window)
{
	uint32_t lane;

	gti_json_open(json, name, '{');
	gti_json_signed(json, "from", window->from);
	gti_json_signed(json, "to", window->to);
	gti_json_signed(json, "width", window->width);
	gti_json_unsigned(json, "bins", window->bins);
	gti_json_signed(json, "own",
			window->chosen_count != 0 ? window->chosen[0].p : -1);
	gti_json_open(json, "lanes", '[');
	for (lane = 0; lane < window->lane_count; lane++)
		put_lane(json, window, lane);
	gti_json_close(json, ']');
	if (window->g_count != 0) {
		gti_json_open(json, "goroutines", '[');
		for (; lane < window_lanes(window); lane++)
			put_lane(json, window, lane);
		gti_json_close(json, ']');
	}
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

/* The length of a part of the trace; by part, how many were ready, in 1/1000.
 */
static void put_ready(struct json *json, const struct gtrace_wait_report *waits)
{
	size_t i;

	gti_json_open(json, "ready", '[');
	gti_json_signed(json, NULL, waits->part_length);
	for (i = 0; i < waits->part_count; i++)
		gti_json_signed(json, NULL,
				(int64_t)((double)waits->parts[i] * 1000 /
					  (double)waits->part_length));
	gti_json_close(json, ']');
}

/* Silences in slices, and times without a goroutine: processor, from, to,
 * class, goroutine. */
static void put_lost(struct json *json, const struct gtrace_machine *machine)
{
	size_t i;

	gti_json_open(json, "lost", '[');
	for (i = 0; i < machine->stretch_count; i++) {
		const struct gtrace_silent *lost = &machine->stretches[i];

		OPEN_LIST(json, lost->p, lost->from, lost->to,
			  (int64_t)lost->what, lost->g);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

/* More collections than this are joined, where they are near each other. */
#define COLLECTIONS_MAX 500

/* When COLLECTION began, in a trace FROM a time on, and ended, if it did. */
static int64_t begin_of(const struct gtrace_collection *collection,
			int64_t from)
{
	return greatest_of(collection->start, from);
}

static int64_t end_of(const struct gtrace_collection *collection, int64_t to)
{
	return collection->end != -1 ? collection->end : to;
}

/*
 * Collections: number, how many are joined, from, to; of the last one that it
 * stands for when the marking began and ended, bytes at begin, at end, that
 * were live, and the goal, time of assists; why it began.
 */
static void put_collections(struct json *json,
			    const struct gtrace_collection_report *report,
			    int64_t origin, int64_t end)
{
	const struct gtrace_collection *of = report->collections;
	size_t i, next;
	int64_t from, to = origin, least = 0;

	if (report->count > COLLECTIONS_MAX)
		least = (end - origin) / COLLECTIONS_MAX;
	gti_json_open(json, "collections", '[');
	for (i = 0; i < report->count; i = next) {
		from = begin_of(&of[i], to);
		for (next = i + 1; next < report->count; next++)
			if (end_of(&of[next], end) - from >= least)
				break;
		to = greatest_of(end_of(&of[next - 1], end), from);
		OPEN_LIST(json, (int64_t)of[next - 1].number,
			  (int64_t)(next - i), from, to, of[next - 1].sweep_end,
			  of[next - 1].term_begin, of[next - 1].heap_start,
			  of[next - 1].heap_end, of[next - 1].heap_live,
			  of[next - 1].heap_goal, of[next - 1].assist_cpu);
		gti_json_text(json, NULL, of[next - 1].reason);
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
}

/* Deeper levels of a path share the last lane. */
#define PATH_LANES 12
#define PATH_BINS  200

/* The short segments of a path: their shares of bins, by lane and state. */
struct path_shares {
	int64_t width; /* of a bin */
	size_t bins;
	size_t bin; /* the one that is filled */
	int64_t sums[PATH_LANES][PATH_STATES];
	char digits[PATH_LANES][PATH_STATES][PATH_BINS];
	size_t used[PATH_LANES][PATH_STATES];
};

static void end_bin(struct path_shares *shares)
{
	size_t lane, state;

	for (lane = 0; lane < PATH_LANES; lane++)
		for (state = 0; state < PATH_STATES; state++) {
			char digit =
				digit_of((double)shares->sums[lane][state] /
					 (double)shares->width);

			shares->digits[lane][state][shares->bin] = digit;
			if (digit != 'A')
				shares->used[lane][state] = shares->bin + 1;
			shares->sums[lane][state] = 0;
		}
	shares->bin++;
}

static size_t lane_of_level(uint64_t level)
{
	return level < PATH_LANES ? (size_t)level : PATH_LANES - 1;
}

/* Adds a time of LENGTH to SUM, from START on since the path began. */
static void add_share(struct path_shares *shares, int64_t *sum, int64_t start,
		      int64_t length)
{
	while (length > 0 && shares->bin < shares->bins) {
		int64_t end = (int64_t)(shares->bin + 1) * shares->width;
		int64_t part = least_of(length, end - start);

		if (part <= 0) {
			end_bin(shares);
			continue;
		}
		*sum += part;
		start += part;
		length -= part;
	}
}

/* Sets SHARES to those of PATH. Returns how many lanes it has. */
static size_t make_shares(struct path_shares *shares,
			  const struct gtrace_path *path)
{
	size_t lanes = 1, i;

	*shares = (struct path_shares){
		.width = greatest_of(1, (path->length + PATH_BINS - 1) /
						PATH_BINS)};
	shares->bins =
		(size_t)((path->length + shares->width - 1) / shares->width);
	for (i = 0; i < path->segment_count; i++) {
		const struct gtrace_segment *segment = &path->segments[i];
		size_t lane = lane_of_level(segment->level);

		if (lane >= lanes)
			lanes = lane + 1;
		if (path_is_short(path, segment))
			add_share(
				shares,
				&shares->sums[lane][gti_segment_state(segment)],
				path_moment(path, segment), segment->length);
	}
	while (shares->bin < shares->bins)
		end_bin(shares);
	return lanes;
}

/*
 * Of a path the width of a bin, how many there are, and lanes by level: of
 * each, by state, the shares of short segments.
 */
static void put_path(struct json *json, const struct gtrace_path *path)
{
	struct path_shares shares;
	size_t lanes = make_shares(&shares, path), lane, state;

	gti_json_open(json, NULL, '{');
	gti_json_signed(json, "width", shares.width);
	gti_json_unsigned(json, "bins", shares.bins);
	gti_json_open(json, "lanes", '[');
	for (lane = 0; lane < lanes; lane++) {
		OPEN_LIST(json, (int64_t)lane, lane + 1 == PATH_LANES);
		for (state = 0; state < PATH_STATES; state++)
			gti_json_string(json, NULL,
					(struct gtrace_string){
						shares.digits[lane][state],
						shares.used[lane][state]});
		gti_json_close(json, ']');
	}
	gti_json_close(json, ']');
	gti_json_close(json, '}');
}

static void put_paths(struct json *json, const struct gtrace_path_report *paths)
{
	size_t i, j;

	gti_json_open(json, "paths", '[');
	for (i = 0; i < paths->count; i++)
		for (j = 0; j < paths->kinds[i].path_count; j++)
			put_path(json, &paths->kinds[i].paths[j]);
	gti_json_close(json, ']');
}

void gti_html_data(struct writer *writer, const struct html_report *report)
{
	static const char *const names[HTML_WINDOWS] = {"slices", "waits",
							"blocks", "stops"};
	const struct lanes *lanes = report->lanes;
	const struct window *window = lanes->windows;
	/* Events after this time can be missing. */
	int64_t known = least_of(report->known_until, window->to);
	struct json json = {.writer = writer};
	size_t list, i;

	gti_json_open(&json, NULL, '{');
	gti_json_unsigned(&json, "processors", lanes->processors);
	gti_json_signed(&json, "known", known);
	put_lengths(&json, lanes->lengths);
	put_ready(&json, report->summary->waits);
	put_lost(&json, &report->summary->machine);
	put_collections(&json, report->summary->collection_report, window->from,
			known);
	put_paths(&json, report->paths);
	put_window(&json, "whole", window);
	for (list = 0; list < HTML_WINDOWS; list++) {
		gti_json_open(&json, names[list], '[');
		for (i = 0; i < report->windows[list]; i++)
			put_window(&json, NULL, ++window);
		gti_json_close(&json, ']');
	}
	gti_json_close(&json, '}');
}
