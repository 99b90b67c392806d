/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.c - slices, stop-the-world pauses, collections, the heap, the number
 * of goroutines that are ready, and blocks as trace events, for the viewers of
 * Chrome and Perfetto: the JSON object format.
 *
 * Processors are the threads of one process there, stops and collections those
 * of another one, goroutines those of a third, critical paths those of the last
 * one. The spans of a thread do not overlap. Times are in microseconds, as
 * exact decimals.
 */
#include "analysis/filter.h"
#include "base/fail.h"
#include "base/times.h"
#include "front.h"
#include "machine.h"
#include "report/block_kinds.h"
#include "report/paths.h"
#include "report/sentence.h"
#include "timeline.h"

/*
 * Goroutines that have a track: those with the longest block at the places
 * where goroutines were blocked longest.
 */
#define GOROUTINES 10

/* A counter has at most so many values. */
#define PARTS 65536

/* Writes what the trace is called, and when it BEGAN, if that is known. */
static void write_about(struct json *json, const char *trace, int64_t began)
{
	char text[48];
	struct sentence date = gti_sentence_begin(text, sizeof(text), false);

	gti_json_open(json, "otherData", '{');
	if (trace != NULL)
		gti_json_text(json, "trace", trace);
	if (began >= 0) {
		gti_sentence_date(&date, began);
		gti_json_text(json, "began", text);
	}
	gti_json_close(json, '}');
}

static void write_begin(struct json *json, const char *trace, int64_t began)
{
	gti_json_open(json, NULL, '{');
	gti_json_text(json, "displayTimeUnit", "ns");
	if (trace != NULL || began >= 0)
		write_about(json, trace, began);
	gti_json_open(json, "traceEvents", '[');
	gti_timeline_name(json, true, PROCESS_RUNTIME, TRACK_STOPS, "Runtime",
			  0);
	gti_timeline_name(json, true, PROCESS_PROCESSORS, TRACK_P0,
			  "Processors", 1);
	gti_timeline_name(json, false, PROCESS_RUNTIME, TRACK_STOPS,
			  "Stop-the-world pauses", TRACK_STOPS);
	gti_timeline_name(json, false, PROCESS_RUNTIME, TRACK_COLLECTIONS,
			  "Garbage collections", TRACK_COLLECTIONS);
}

static void write_processor(struct json *json, int64_t p)
{
	char name[DECIMAL_MAX + 2] = "P";

	*gti_put_signed(name + 1, p) = '\0';
	gti_timeline_name(json, false, PROCESS_PROCESSORS,
			  track_of_processor(p), name, track_of_processor(p));
}

/* ---------------------------------------------------------------- slices -- */

/* What is known of the times without events in SLICE, if there are some. */
static void write_silent(struct json *json, const struct gtrace_slice *slice)
{
	if (slice->silent == 0)
		return;
	gti_json_signed(json, "silent", slice->silent);
	gti_json_text(json, "silent_class",
		      gtrace_silent_name(slice->silent_class));
	gti_json_signed(json, "off_cpu_min", slice->off_cpu_min);
	gti_json_signed(json, "off_cpu_likely", slice->off_cpu_likely);
}

static void write_slice(struct json *json, const struct gtrace_slice *slice)
{
	struct naming naming = slice_naming(slice);
	char goroutine[DECIMAL_MAX + 2] = "G";

	*gti_put_signed(goroutine + 1, slice->g) = '\0';
	gti_timeline_span(json, PROCESS_PROCESSORS,
			  track_of_processor(slice->p), slice->start.ts,
			  slice->duration);
	gti_timeline_title(json, goroutine, &naming);
	gti_json_text(json, "cat", gti_naming_word(&naming));
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "g", slice->g);
	if (slice->m != -1)
		gti_json_signed(json, "m", slice->m);
	gti_json_text(json, "end",
		      slice->still_running ? "still running" : slice->end.name);
	gti_timeline_naming(json, &naming);
	write_silent(json, slice);
	gti_timeline_end(json);
}

/* ----------------------------------------------------------------- stops -- */

/* The part of STOP from BEGIN to END, if both are known. */
static void write_part(struct json *json, const struct gtrace_stop *stop,
		       const char *part, int64_t begin, int64_t end)
{
	struct naming naming = gti_name_holder(stop);

	if (begin == -1 || end < begin)
		return;
	gti_timeline_span(json, PROCESS_RUNTIME, TRACK_STOPS, begin,
			  ns_between(begin, end));
	gti_json_text(json, "name", part);
	gti_json_text(json, "cat", "stop-the-world pause");
	gti_json_open(json, "args", '{');
	gti_json_unsigned(json, "n", stop->number);
	gti_json_string(json, "kind", stop->kind);
	gti_json_signed(json, "requested by", stop->g);
	gti_json_text(json, "held up by", gti_naming_word(&naming));
	if (stop->late_count != 0)
		gti_json_signed(json, "p", stop->late->p);
	if (gti_is_goroutine(&naming))
		gti_json_signed(json, "g", stop->late->g);
	gti_timeline_naming(json, &naming);
	gti_timeline_end(json);
}

/* ---------------------------------------------------------------- blocks -- */

static void write_block(struct json *json, int64_t track,
			const struct gtrace_block *block)
{
	const struct naming naming =
		gti_name_stack(block->frames, block->frame_count);

	gti_timeline_span(json, PROCESS_GOROUTINES, track, block->start,
			  block->length);
	gti_timeline_title(json, gtrace_block_name(block->kind), &naming);
	gti_json_text(json, "cat", "block");
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "g", block->g);
	gti_json_text(json, "kind", gtrace_block_name(block->kind));
	if (block->by != NULL)
		gti_json_text(json, "ended by", block->by);
	if (block->by_g != -1)
		gti_json_signed(json, "by", block->by_g);
	gti_timeline_naming(json, &naming);
	gti_timeline_end(json);
}

/* ----------------------------------------------------------------- visit -- */

/* What is written while the trace is visited. */
struct timeline {
	struct json json;
	const struct gtrace_allocator *memory;
	struct map processors;          /* that have a track */
	bool failed;                    /* there was no memory */
	int64_t goroutines[GOROUTINES]; /* that have a track */
	size_t goroutine_count;
	/* The last value of the heap, not written yet. */
	int64_t heap, heap_ts, goal; /* -1: none */
	int64_t part_length;
	struct flows flows;
};

/* The track of goroutine G; -1: none. */
static int64_t track_of_goroutine(const struct timeline *timeline, int64_t g)
{
	size_t i;

	for (i = 0; i < timeline->goroutine_count; i++)
		if (timeline->goroutines[i] == g)
			return TRACK_GOROUTINES + (int64_t)i;
	return -1;
}

/* Gives goroutines their tracks. */
static void write_goroutines(struct timeline *timeline,
			     const struct gtrace_block_report *blocks)
{
	char name[DECIMAL_MAX + 2] = "G";
	int64_t track, g;
	size_t i;

	for (i = 0; i < blocks->place_count; i++) {
		g = blocks->places[i]->max_g;
		if (track_of_goroutine(timeline, g) != -1)
			continue;
		timeline->goroutines[timeline->goroutine_count++] = g;
		track = track_of_goroutine(timeline, g);
		if (track == TRACK_GOROUTINES)
			gti_timeline_name(&timeline->json, true,
					  PROCESS_GOROUTINES, track,
					  "Blocked goroutines", 2);
		*gti_put_signed(name + 1, g) = '\0';
		gti_timeline_name(&timeline->json, false, PROCESS_GOROUTINES,
				  track, name, track);
	}
}

/* Writes the value of COUNTER from TS on: bytes, or thousandths. */
static void write_value(struct json *json, const char *counter, int64_t ts,
			bool is_bytes, int64_t value)
{
	gti_timeline_event(json, "C", PROCESS_RUNTIME, TRACK_STOPS);
	gti_timeline_micros(json, "ts", ts);
	gti_json_text(json, "name", counter);
	gti_json_open(json, "args", '{');
	if (is_bytes)
		gti_json_signed(json, "bytes", value);
	else
		gti_timeline_micros(json, "ready", value);
	gti_timeline_end(json);
}

/* How many goroutines are ready from part PART of WAITS on. */
static void write_ready(struct json *json,
			const struct gtrace_wait_report *waits, size_t part,
			int64_t ready)
{
	write_value(json, "Ready goroutines",
		    (int64_t)part * waits->part_length, false, ready);
}

/* Writes a value where it is another one than before. */
static void write_counter(struct json *json,
			  const struct gtrace_wait_report *waits,
			  const struct gtrace_filter *filter)
{
	int64_t last = -1, ready, length = waits->part_length;
	size_t count = waits->part_count, i = 0;

	if (filter->from > 0 && filter->from / length < INT32_MAX)
		i = (size_t)(filter->from / length);
	if (filter->to > 0 && (filter->to - 1) / length < (int64_t)count)
		count = (size_t)((filter->to - 1) / length) + 1;
	for (; i < count; i++, last = ready) {
		ready = (int64_t)((double)waits->parts[i] * 1000 /
				  (double)length);
		if (ready != last)
			write_ready(json, waits, i, ready);
	}
	if (last != 0)
		write_ready(json, waits, i, 0);
}

/* A visit ends early if the output has failed. */
static int go_on(const struct timeline *timeline)
{
	return timeline->failed || timeline->json.writer->failure != 0;
}

/* Gives processor P a track, unless it has one. */
static void need_track(struct timeline *timeline, int64_t p)
{
	uint64_t *known = gti_map_put(&timeline->processors, (uint64_t)p,
				      timeline->memory);

	if (known == NULL) {
		timeline->failed = true;
		return;
	}
	if (*known == 0)
		write_processor(&timeline->json, p);
	*known = 1;
}

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	struct timeline *timeline = context;

	need_track(timeline, slice->p);
	write_slice(&timeline->json, slice);
	if (!gti_flows_take(&timeline->flows, slice, timeline->memory))
		timeline->failed = true;
	return go_on(timeline);
}

static int visit_stop(void *context, const struct gtrace_stop *stop)
{
	struct timeline *timeline = context;
	struct json *json = &timeline->json;

	if (stop->inferred) {
		write_part(json, stop, "stopping (bounds)", stop->requested_min,
			   stop->ended);
	} else {
		write_part(json, stop, "stopping", stop->requested,
			   stop->obtained);
		write_part(json, stop, "stopped", stop->obtained,
			   stop->restarted);
	}
	return go_on(timeline);
}

static int visit_collection(void *context, int64_t begins, int64_t ends)
{
	struct timeline *timeline = context;
	struct json *json = &timeline->json;

	/* If times are wrong a collection can end before it begins. */
	if (ends < begins)
		return 0;
	gti_timeline_span(json, PROCESS_RUNTIME, TRACK_COLLECTIONS, begins,
			  ns_between(begins, ends));
	gti_json_text(json, "name", "GC");
	gti_json_text(json, "cat", "collection");
	gti_json_close(json, '}');
	return go_on(timeline);
}

static void write_heap(struct timeline *timeline)
{
	if (timeline->heap != -1)
		write_value(&timeline->json, "Heap", timeline->heap_ts, true,
			    timeline->heap);
}

/* Of the values in one part of the trace, the last one is written. */
static int visit_heap(void *context, int64_t ts, int64_t bytes, int is_goal)
{
	struct timeline *timeline = context;

	if (is_goal) {
		if (bytes != timeline->goal)
			write_value(&timeline->json, "Heap goal", ts, true,
				    bytes);
		timeline->goal = bytes;
		return go_on(timeline);
	}
	if (ts / timeline->part_length !=
	    timeline->heap_ts / timeline->part_length)
		write_heap(timeline);
	timeline->heap = bytes;
	timeline->heap_ts = ts;
	return go_on(timeline);
}

static int visit_block(void *context, const struct gtrace_block *block)
{
	struct timeline *timeline = context;
	int64_t track = track_of_goroutine(timeline, block->g);

	if (track != -1)
		write_block(&timeline->json, track, block);
	return go_on(timeline);
}

/* Writes that processor BARE->p was held and no goroutine was on it. */
static void write_bare(struct json *json, const struct bare_stretch *bare,
		       enum gtrace_silent_class class)
{
	gti_timeline_span(json, PROCESS_PROCESSORS, track_of_processor(bare->p),
			  bare->from, ns_between(bare->from, bare->to));
	gti_json_text(json, "name", "no goroutine");
	gti_json_text(json, "cat", "without a goroutine");
	gti_json_open(json, "args", '{');
	gti_json_text(json, "silent_class", gtrace_silent_name(class));
	gti_timeline_end(json);
}

/* Writes those that GIVEN selects, which are of no goroutine. */
static void write_bare_stretches(struct timeline *timeline,
				 const struct machine_facts *facts,
				 const struct gtrace_filter *given)
{
	struct gtrace_filter filter;
	const struct bare_stretch *bare;
	int64_t time;
	size_t i;

	gti_copy_sized(&filter, sizeof(filter), given, NULL);
	if (facts == NULL || filter.g_count != 0 || filter.function != NULL ||
	    filter.user || filter.requests_over != 0)
		return;
	bare = facts->evidence.stretches.items;
	for (i = 0; i < facts->evidence.stretches.count; i++, bare++) {
		if (!filter_lists(filter.p, filter.p_count, bare->p) ||
		    !filter_lasts(&filter, bare->from,
				  ns_between(bare->from, bare->to)))
			continue;
		need_track(timeline, bare->p);
		write_bare(
			&timeline->json, bare,
			gti_evidence_bare_class(&facts->evidence, bare, &time));
	}
}

/* Visits TRACE, and writes what begins and ends a timeline around that. */
static enum gtrace_status write_timeline(struct timeline *timeline,
					 struct gtrace *trace,
					 const struct gtrace_request *given,
					 const struct gtrace_path_report *paths,
					 struct gtrace_error *error)
{
	/* Whether a slice is a system call takes details. */
	const struct gtrace_request request = {
		.size = sizeof(request), .filter = given->filter, .details = 1};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.slice = visit_slice,
		.stop = visit_stop,
		.collection = visit_collection,
		.context = timeline,
		.block = visit_block,
		.heap = visit_heap,
	};
	enum gtrace_status status =
		gtrace_visit(trace, &request, &visitor, error);

	if (status == GTRACE_OK)
		write_bare_stretches(timeline, trace->machine, given->filter);
	if (status == GTRACE_OK && timeline->failed)
		status = gti_fail_memory(error);
	if (status != GTRACE_OK)
		return status;
	write_heap(timeline);
	gti_timeline_paths(&timeline->json, paths, given->filter);
	gti_flows_write(&timeline->flows, &timeline->json);
	gti_json_end_line(&timeline->json);
	gti_json_close(&timeline->json, ']');
	gti_json_close(&timeline->json, '}');
	gti_json_end_line(&timeline->json);
	return GTRACE_OK;
}

/*
 * Makes the reports of what is written: with the filter, and of the paths of
 * requests, to which it does not apply.
 */
static enum gtrace_status make_reports_of(struct gtrace *trace,
					  const struct gtrace_request *given,
					  struct gtrace_reports *reports[2],
					  struct gtrace_error *error)
{
	const struct gtrace_request parts = {
		.size = sizeof(parts),
		.filter = given->filter,
		.waits = 1,
		.parts = PARTS,
		.blocks = GOROUTINES,
	};
	const struct gtrace_request paths = {.size = sizeof(paths),
					     .paths = PATHS_SHOWN};
	enum gtrace_status status;

	if (gtrace_in_ticks(trace))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a timeline needs the tick frequency, which "
				"the trace lacks");
	status = gtrace_analyse(trace, &parts, &reports[0], error);
	return status == GTRACE_OK
		       ? gtrace_analyse(trace, &paths, &reports[1], error)
		       : status;
}

enum gtrace_status gti_print_timeline(struct gtrace *trace,
				      const struct gtrace_request *given,
				      struct writer *writer,
				      struct gtrace_error *error)
{
	struct gtrace_reports *reports[2] = {NULL, NULL};
	struct gtrace_request request = *given;
	struct gtrace_filter filter;
	struct timeline timeline = {
		.json.writer = writer,
		.memory = &trace->memory,
		.heap = -1,
		.goal = -1,
	};
	/* Nothing is written before the trace was read. */
	enum gtrace_status status =
		make_reports_of(trace, given, reports, error);

	if (status == GTRACE_OK)
		status = gti_copy_sized(&filter, sizeof(filter), given->filter,
					error);
	if (status == GTRACE_OK)
		status = gti_resolve_filter(trace, &filter, error);
	filter.size = sizeof(filter);
	request.filter = given->filter != NULL ? &filter : NULL;
	if (status == GTRACE_OK &&
	    !gti_flows_init(&timeline.flows, reports[1]->paths, &trace->memory))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK) {
		write_begin(&timeline.json, given->name, reports[0]->began);
		write_counter(&timeline.json, reports[0]->waits, &filter);
		write_goroutines(&timeline, reports[0]->blocks);
		timeline.part_length = reports[0]->waits->part_length;
		status = write_timeline(&timeline, trace, &request,
					reports[1]->paths, error);
	}
	gti_map_free(&timeline.processors, &trace->memory);
	gti_flows_free(&timeline.flows, &trace->memory);
	gtrace_reports_free(reports[0]);
	gtrace_reports_free(reports[1]);
	return status;
}
