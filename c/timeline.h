/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - trace events for viewers, and those of critical paths. */
#ifndef GTRACE_TIMELINE_H_
#define GTRACE_TIMELINE_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/naming.h"
#include "report/json.h"

/*
 * Processes and threads of the viewer. In Perfetto number 0 is the idle thread,
 * and a thread that has the number of its process is listed first.
 */
enum {
	PROCESS_PROCESSORS = 1,
	PROCESS_RUNTIME = 2,
	PROCESS_GOROUTINES = 3,
	PROCESS_PATHS = 4
};
enum { TRACK_P0 = 1 };
enum { TRACK_STOPS = 2, TRACK_COLLECTIONS = 3 };
enum { TRACK_GOROUTINES = 3 };
enum { TRACK_PATHS = 4 };

/* The track of processor P. */
static inline int64_t track_of_processor(int64_t p)
{
	return (int64_t)((uint64_t)p + TRACK_P0);
}

/* Nanoseconds, or thousandths, with three decimals. */
void gti_timeline_micros(struct json *json, const char *name, int64_t ns);

/* Begins an event in PHASE on a track. Each event has a line. */
void gti_timeline_event(struct json *json, const char *phase, int process,
			int64_t track);

/* Begins an event from BEGIN on, LENGTH long, up to its name. */
void gti_timeline_span(struct json *json, int process, int64_t track,
		       int64_t begin, int64_t length);

/* Ends an event that has arguments. */
void gti_timeline_end(struct json *json);

/* Writes the name of a process or a track, and its PLACE in the list. */
void gti_timeline_name(struct json *json, bool is_process, int process,
		       int64_t track, const char *name, int64_t place);

/* Writes the name of an event, WHAT and a function: "G8 main.copyOnce". */
void gti_timeline_title(struct json *json, const char *what,
			const struct naming *naming);

/* Writes the function and the place of NAMING as arguments. */
void gti_timeline_naming(struct json *json, const struct naming *naming);

/*
 * Where critical paths go through slices: an arrow leads from each slice to the
 * next one.
 */
struct flows {
	struct array runs;   /* struct path_run, by goroutine, path and time */
	struct array points; /* struct flow_point */
	size_t paths;
};

/* Takes what ran on PATHS. Returns false if there is no memory. */
bool gti_flows_init(struct flows *flows, const struct gtrace_path_report *paths,
		    const struct gtrace_allocator *memory);

/* Takes SLICE, which is written already. Returns false as above. */
bool gti_flows_take(struct flows *flows, const struct gtrace_slice *slice,
		    const struct gtrace_allocator *memory);

/* Writes the arrows, after all slices. */
void gti_flows_write(struct flows *flows, struct json *json);

void gti_flows_free(struct flows *flows, const struct gtrace_allocator *memory);

/* Writes a track for each of PATHS, with what the times of FILTER select. */
void gti_timeline_paths(struct json *json,
			const struct gtrace_path_report *paths,
			const struct gtrace_filter *filter);

#endif /* GTRACE_TIMELINE_H_ */
