/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline_paths.c - critical paths as trace events: a track for each, and
 * arrows between the slices of processors that they go through.
 */
#include "analysis/filter.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"
#include "front.h"
#include "report/paths.h"
#include "report/sentence.h"
#include "timeline.h"

/* ---------------------------------------------------------------- tracks -- */

/* Writes SEGMENT on the track of its path. */
static void write_part_of(struct json *json, int64_t track,
			  const struct gtrace_segment *segment)
{
	const struct naming naming =
		gti_name_stack(segment->frames, segment->frame_count);
	const struct gtrace_cause *cause = segment->cause;

	gti_timeline_span(json, PROCESS_PATHS, track, segment->start,
			  segment->length);
	gti_timeline_title(
		json, segment->kind[0] != '\0' ? segment->kind : segment->state,
		&naming);
	gti_json_text(json, "cat", "critical path");
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "g", segment->g);
	gti_json_text(json, "state", segment->state);
	if (segment->kind[0] != '\0') {
		gti_json_text(json, "kind", segment->kind);
		gti_json_text(json, "ended by", segment->by);
	}
	gti_json_unsigned(json, "level", segment->level);
	if (cause != NULL) {
		gti_json_signed(json, "held up", cause->g);
		gti_json_text(json, "at", cause->kind);
	}
	gti_timeline_naming(json, &naming);
	gti_timeline_end(json);
}

/* Names the track of PATH: "task order G9, 155 us". */
static void name_path(struct json *json, int64_t track,
		      const struct gtrace_path *path)
{
	char text[2 * SHOWN_SIZE];
	struct sentence name = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&name, "%s %i G%d, %t%s", path->what, path->name, path->g,
		path->length, path->unfinished ? ", not over" : "");
	if (track == TRACK_PATHS)
		gti_timeline_name(json, true, PROCESS_PATHS, track,
				  "Critical paths", 3);
	gti_timeline_name(json, false, PROCESS_PATHS, track, text, track);
}

/* Writes PATH on a track of its own. Returns whether it has any. */
static bool write_path_track(struct json *json, int64_t track,
			     const struct gtrace_path *path,
			     const struct gtrace_filter *filter)
{
	bool is_named = false;
	size_t i;

	for (i = 0; i < path->segment_count; i++) {
		if (!filter_lasts(filter, path->segments[i].start,
				  path->segments[i].length))
			continue;
		if (!is_named)
			name_path(json, track, path);
		is_named = true;
		write_part_of(json, track, &path->segments[i]);
	}
	return is_named;
}

void gti_timeline_paths(struct json *json,
			const struct gtrace_path_report *paths,
			const struct gtrace_filter *given)
{
	struct gtrace_filter filter;
	int64_t track = TRACK_PATHS;
	size_t i, j;

	gti_copy_sized(&filter, sizeof(filter), given, NULL);
	for (i = 0; i < paths->count; i++)
		for (j = 0; j < paths->kinds[i].path_count; j++)
			track += write_path_track(json, track,
						  &paths->kinds[i].paths[j],
						  &filter);
}

/* ----------------------------------------------------------------- flows -- */

/* A time in which a path was in a goroutine that had a processor. */
struct path_run {
	int64_t g;
	int64_t from;
	int64_t to;
	uint64_t path; /* number */
};

/* Where a path enters a slice. */
struct flow_point {
	uint64_t path;
	int64_t ts;
	int64_t p; /* the slice: on this processor, from then on */
	int64_t begin;
};

static int compare_runs(const void *a, const void *b)
{
	const struct path_run *x = a, *y = b;

	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static int compare_points(const void *a, const void *b)
{
	const struct flow_point *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->ts > y->ts) - (x->ts < y->ts);
}

static bool has_processor(enum path_state state)
{
	return state == PATH_RAN || state == PATH_ASSISTED ||
	       state == PATH_CALL;
}

/* Adds what ran on PATH, successive segments of a goroutine as one. */
static bool add_runs(struct flows *flows, const struct gtrace_path *path,
		     const struct gtrace_allocator *memory)
{
	struct path_run *last = NULL;
	size_t i;

	for (i = 0; i < path->segment_count; i++) {
		const struct gtrace_segment *segment = &path->segments[i];
		const struct path_run run = {
			.g = segment->g,
			.from = segment->start,
			.to = add_ns(segment->start, segment->length),
			.path = flows->paths,
		};

		if (!has_processor(gti_segment_state(segment))) {
			last = NULL;
		} else if (last != NULL && last->g == run.g) {
			last->to = run.to;
		} else {
			last = array_add(&flows->runs, &run, sizeof(run),
					 memory);
			if (last == NULL)
				return false;
		}
	}
	flows->paths++;
	return true;
}

bool gti_flows_init(struct flows *flows, const struct gtrace_path_report *paths,
		    const struct gtrace_allocator *memory)
{
	size_t i, j;

	for (i = 0; i < paths->count; i++)
		for (j = 0; j < paths->kinds[i].path_count; j++)
			if (!add_runs(flows, &paths->kinds[i].paths[j], memory))
				return false;
	if (flows->runs.count > 1)
		gti_sort(flows->runs.items, flows->runs.count,
			 sizeof(struct path_run), compare_runs);
	return true;
}

/* The first run that is not before KEY. */
static size_t find_run(const struct flows *flows, const struct path_run *key)
{
	const struct path_run *runs = flows->runs.items;
	size_t low = 0, high = flows->runs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_runs(&runs[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes the runs of one path in SLICE, which ends at END, from run I on. */
static bool take_runs(struct flows *flows, const struct gtrace_slice *slice,
		      int64_t end, const struct path_run *key, size_t i,
		      const struct gtrace_allocator *memory)
{
	const struct path_run *runs = flows->runs.items;

	/* The one before it can last until later. */
	if (i > 0 && runs[i - 1].g == key->g && runs[i - 1].path == key->path &&
	    runs[i - 1].to > key->from)
		i--;
	for (; i < flows->runs.count && runs[i].g == key->g &&
	       runs[i].path == key->path && runs[i].from < end;
	     i++) {
		const struct flow_point point = {
			.path = key->path,
			.ts = runs[i].from > key->from ? runs[i].from
						       : key->from,
			.p = slice->p,
			.begin = key->from,
		};

		if (array_add(&flows->points, &point, sizeof(point), memory) ==
		    NULL)
			return false;
	}
	return true;
}

bool gti_flows_take(struct flows *flows, const struct gtrace_slice *slice,
		    const struct gtrace_allocator *memory)
{
	int64_t end = add_ns(slice->start.ts, slice->duration);
	struct path_run key = {.g = slice->g, .from = INT64_MIN};
	size_t i = find_run(flows, &key);

	if (i == flows->runs.count ||
	    ((const struct path_run *)flows->runs.items)[i].g != slice->g)
		return true;
	key.from = slice->start.ts;
	for (; key.path < flows->paths; key.path++)
		if (!take_runs(flows, slice, end, &key, find_run(flows, &key),
			       memory))
			return false;
	return true;
}

static void write_point(struct json *json, const char *phase,
			const struct flow_point *point)
{
	gti_timeline_event(json, phase, PROCESS_PROCESSORS,
			   track_of_processor(point->p));
	gti_timeline_micros(json, "ts", point->ts);
	gti_json_text(json, "name", "critical path");
	gti_json_text(json, "cat", "critical path");
	gti_json_unsigned(json, "id", point->path + 1);
	/* It leads to the slice that it is in, and not to the next one. */
	if (phase[0] == 'f')
		gti_json_text(json, "bp", "e");
	gti_json_close(json, '}');
}

/* Drops points in the slice of the point before them. */
static size_t unite_points(struct flow_point *points, size_t count)
{
	size_t kept = 0, i;

	for (i = 0; i < count; i++)
		if (kept == 0 || points[kept - 1].path != points[i].path ||
		    points[kept - 1].p != points[i].p ||
		    points[kept - 1].begin != points[i].begin)
			points[kept++] = points[i];
	return kept;
}

void gti_flows_write(struct flows *flows, struct json *json)
{
	struct flow_point *points = flows->points.items;
	size_t count = flows->points.count, i;

	if (count < 2)
		return;
	gti_sort(points, count, sizeof(*points), compare_points);
	count = unite_points(points, count);
	for (i = 0; i < count; i++) {
		bool first = i == 0 || points[i - 1].path != points[i].path;
		bool last =
			i + 1 == count || points[i + 1].path != points[i].path;

		if (!first || !last)
			write_point(json,
				    first  ? "s"
				    : last ? "f"
					   : "t",
				    &points[i]);
	}
}

void gti_flows_free(struct flows *flows, const struct gtrace_allocator *memory)
{
	gti_array_free(&flows->runs, sizeof(struct path_run), memory);
	gti_array_free(&flows->points, sizeof(struct flow_point), memory);
}
