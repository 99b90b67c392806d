/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - slices, stops of the world and collections as trace events, for
 * the viewers of Chrome and Perfetto: the JSON object format.
 *
 * Processors are the threads of one process there, stops and collections those
 * of another one. The spans of a thread do not overlap. Times are in
 * microseconds, as exact decimals.
 */
#ifndef GTRACE_REPORT_TIMELINE_H_
#define GTRACE_REPORT_TIMELINE_H_

#include <gtrace/gtrace.h>

#include "report/json.h"

/* Writes what comes first. TRACE is the trace's name; NULL: none. */
void gti_timeline_begin(struct json *json, const char *trace);

/* Writes the name of the track of processor P, before its first slice. */
void gti_timeline_processor(struct json *json, int64_t p);

void gti_timeline_slice(struct json *json, const struct gtrace_slice *slice);

/* The times of an inferred stop are bounds, and are said to be. */
void gti_timeline_stop(struct json *json, const struct gtrace_stop *stop);

void gti_timeline_collection(struct json *json, int64_t begin, int64_t end);

/* Writes what comes last. */
void gti_timeline_end(struct json *json);

#endif /* GTRACE_REPORT_TIMELINE_H_ */
