/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - slices, stops and collections as trace events. */
#include "report/timeline.h"

#include <string.h>

#include "report/names.h"

/*
 * Processes and threads of the viewer. In Perfetto number 0 is the idle thread,
 * and a thread that has the number of its process is listed first.
 */
enum { PROCESS_PROCESSORS = 1, PROCESS_RUNTIME = 2 };
enum { TRACK_P0 = 1 };
enum { TRACK_STOPS = 2, TRACK_COLLECTIONS = 3 };

/* Nanoseconds as microseconds with three decimals. */
static void write_micros(struct json *json, const char *name, int64_t ns)
{
	char text[DECIMAL_MAX + 1];

	gti_json_number(json, name, text,
			(size_t)(gti_put_micros(text, ns) - text));
}

/* Begins an event in PHASE on a track. Each event has a line. */
static void begin_event(struct json *json, const char *phase, int process,
			int64_t track)
{
	bool comma = json->comma;

	gti_json_end_line(json);
	json->comma = comma;
	gti_json_open(json, NULL, '{');
	gti_json_text(json, "ph", phase);
	gti_json_signed(json, "pid", process);
	gti_json_signed(json, "tid", track);
}

/* Names a process or a thread; WHAT says which of them. */
static void write_name(struct json *json, const char *what, int process,
		       int64_t track, const char *name)
{
	begin_event(json, "M", process, track);
	gti_json_text(json, "name", what);
	gti_json_open(json, "args", '{');
	gti_json_text(json, "name", name);
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

/* Sets the place of a process or a thread in the viewer's list. */
static void write_place(struct json *json, const char *what, int process,
			int64_t track, int64_t place)
{
	begin_event(json, "M", process, track);
	gti_json_text(json, "name", what);
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "sort_index", place);
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

static void write_track(struct json *json, int process, int64_t track,
			const char *name)
{
	write_name(json, "thread_name", process, track, name);
	write_place(json, "thread_sort_index", process, track, track);
}

/* The track of processor P. */
static int64_t track_of(int64_t p)
{
	return (int64_t)((uint64_t)p + TRACK_P0);
}

/* Wraps around in traces that were made up. */
static int64_t length_of(int64_t begin, int64_t end)
{
	return (int64_t)((uint64_t)end - (uint64_t)begin);
}

/* Begins an event from BEGIN on, LENGTH long, up to its name. */
static void begin_span(struct json *json, int process, int64_t track,
		       int64_t begin, int64_t length)
{
	begin_event(json, "X", process, track);
	write_micros(json, "ts", begin);
	write_micros(json, "dur", length);
}

void gti_timeline_begin(struct json *json, const char *trace)
{
	gti_json_open(json, NULL, '{');
	gti_json_text(json, "displayTimeUnit", "ns");
	if (trace != NULL) {
		gti_json_open(json, "otherData", '{');
		gti_json_text(json, "trace", trace);
		gti_json_close(json, '}');
	}
	gti_json_open(json, "traceEvents", '[');
	write_name(json, "process_name", PROCESS_RUNTIME, TRACK_STOPS,
		   "Runtime");
	write_place(json, "process_sort_index", PROCESS_RUNTIME, TRACK_STOPS,
		    0);
	write_name(json, "process_name", PROCESS_PROCESSORS, TRACK_P0,
		   "Processors");
	write_place(json, "process_sort_index", PROCESS_PROCESSORS, TRACK_P0,
		    1);
	write_track(json, PROCESS_RUNTIME, TRACK_STOPS, "Stops of the world");
	write_track(json, PROCESS_RUNTIME, TRACK_COLLECTIONS,
		    "Garbage collections");
}

void gti_timeline_processor(struct json *json, int64_t p)
{
	char name[DECIMAL_MAX + 2] = "P";

	*gti_put_signed(name + 1, p) = '\0';
	write_track(json, PROCESS_PROCESSORS, track_of(p), name);
}

/* ---------------------------------------------------------------- slices -- */

/* "G8 main.copyOnce" */
static void write_title(struct json *json, int64_t g,
			const struct naming *naming)
{
	char text[sizeof(struct shown) + DECIMAL_MAX], *to = text;
	struct shown shown;

	gti_show_naming(&shown, naming);
	*to++ = 'G';
	to = gti_put_signed(to, g);
	*to++ = ' ';
	memcpy(to, shown.text, shown.size + 1);
	gti_json_text(json, "name", text);
}

static void write_naming(struct json *json, const struct naming *naming)
{
	if (naming->frame == NULL)
		return;
	gti_json_string(json, "fn", naming->frame->function);
	gti_json_string(json, "file", naming->frame->file);
	gti_json_unsigned(json, "line", naming->frame->line);
	if (naming->caller != NULL)
		gti_json_string(json, "caller", naming->caller->function);
}

void gti_timeline_slice(struct json *json, const struct gtrace_slice *slice)
{
	struct naming naming = slice_naming(slice);

	begin_span(json, PROCESS_PROCESSORS, track_of(slice->p),
		   slice->start.ts, slice->duration);
	write_title(json, slice->g, &naming);
	gti_json_text(json, "cat", gti_naming_word(&naming));
	gti_json_open(json, "args", '{');
	gti_json_signed(json, "g", slice->g);
	if (slice->m != -1)
		gti_json_signed(json, "m", slice->m);
	gti_json_text(json, "end",
		      slice->still_running ? "still running" : slice->end.name);
	write_naming(json, &naming);
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

/* ----------------------------------------------------------------- stops -- */

/* The part of STOP from BEGIN to END, if both are known. */
static void write_part(struct json *json, const struct gtrace_stop *stop,
		       const char *part, int64_t begin, int64_t end)
{
	struct naming naming = gti_name_holder(stop);

	if (begin == -1 || end < begin)
		return;
	begin_span(json, PROCESS_RUNTIME, TRACK_STOPS, begin,
		   length_of(begin, end));
	gti_json_text(json, "name", part);
	gti_json_text(json, "cat", "stop of the world");
	gti_json_open(json, "args", '{');
	gti_json_unsigned(json, "n", stop->number);
	gti_json_string(json, "kind", stop->kind);
	gti_json_signed(json, "requested by", stop->g);
	gti_json_text(json, "held up by", gti_naming_word(&naming));
	if (stop->late_count != 0)
		gti_json_signed(json, "p", stop->late->p);
	if (gti_is_goroutine(&naming))
		gti_json_signed(json, "g", stop->late->g);
	write_naming(json, &naming);
	gti_json_close(json, '}');
	gti_json_close(json, '}');
}

void gti_timeline_stop(struct json *json, const struct gtrace_stop *stop)
{
	if (stop->inferred) {
		write_part(json, stop, "stopping (bounds)", stop->requested_min,
			   stop->ended);
		return;
	}
	write_part(json, stop, "stopping", stop->requested, stop->obtained);
	write_part(json, stop, "stopped", stop->obtained, stop->restarted);
}

void gti_timeline_collection(struct json *json, int64_t begin, int64_t end)
{
	begin_span(json, PROCESS_RUNTIME, TRACK_COLLECTIONS, begin,
		   length_of(begin, end));
	gti_json_text(json, "name", "GC");
	gti_json_text(json, "cat", "collection");
	gti_json_close(json, '}');
}

void gti_timeline_end(struct json *json)
{
	gti_json_end_line(json);
	gti_json_close(json, ']');
	gti_json_close(json, '}');
	gti_json_end_line(json);
}
