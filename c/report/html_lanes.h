/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_lanes.h - what processors did: over the whole trace, in bins; and in
 * windows around single slices and stops, as bars. Filled by one pass over all
 * slices. Memory is bounded by what the pictures show, whatever the length of
 * the trace.
 */
#ifndef GTRACE_REPORT_HTML_LANES_H_
#define GTRACE_REPORT_HTML_LANES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/memory.h"
#include "report/names.h"

/*
 * Slices have GTRACE_WORK_PROGRAM, _RUNTIME, _SYSCALL, _TRACER or WORK_UNKNOWN:
 * workers of the collector count as the runtime.
 */
#define WORKS (WORK_UNKNOWN + 1)

/* Nanoseconds of each work. Sums in hostile traces wrap around. */
struct share {
	uint64_t ns[WORKS];
};

/* The work that took most of SHARE. */
enum gtrace_work gti_main_work(const struct share *share);

/* ----------------------------------------------------------- whole trace -- */

/* More processors share lanes. */
#define OVERVIEW_LANES 192

/* At most so many bins a lane. */
#define OVERVIEW_BINS 600

struct overview {
	int64_t length; /* of the trace, ns */
	/* From then on events are missing. INT64_MAX: nowhere. */
	int64_t known_until;
	uint32_t processors;
	uint32_t group; /* processors a lane */
	uint32_t lanes;
	uint32_t bins;
	double bins_per_ns;
	int64_t begins[OVERVIEW_BINS + 1]; /* of each bin; the last one's end */
	/* Bit i is set if a window i, i + 64, ... overlaps the bin. */
	uint64_t in_view[OVERVIEW_BINS];
	struct share *shares; /* lanes * bins */
};

/* -------------------------------------------------------------- lengths -- */

/* Classes of lengths: under 1 µs, then from 1, 2, 5, 10, ... µs on. */
#define LENGTH_CLASSES 30

struct length_class {
	uint64_t count;
	struct share share;
};

/* Where class I begins, in nanoseconds: 0, 1000, 2000, 5000, ... */
int64_t gti_length_class_begin(unsigned i);

/* --------------------------------------------------------------- windows -- */

/* A slice, or slices that are too short and too near for bars of their own. */
struct span {
	int64_t from;
	int64_t to;
	struct share share; /* of it, what slices took */
	uint32_t count;     /* slices */
	bool chosen;        /* the slice that the picture is of */
	/* Of a single slice. */
	enum gtrace_work work;
	int64_t g;
	int64_t duration;
	const char *name; /* as it is shown */
};

struct lane {
	int64_t p;
	struct array spans; /* struct span, in order */
};

#define WINDOW_LANES 12
#define WINDOW_BINS  120

struct window {
	int64_t from;
	int64_t to;
	int64_t known_until; /* as above */
	/* The chosen slice: on this processor, at this time. */
	int64_t chosen_p;
	int64_t chosen_at;
	struct lane lanes[WINDOW_LANES];
	size_t lane_count;
	/* The rest of the processors together: nanoseconds busy. */
	uint32_t others;
	uint64_t busy[WINDOW_BINS];
	int64_t shortest; /* shorter slices have no bar of their own */
	size_t spans;     /* in all lanes */
	size_t spans_max;
};

struct lanes {
	const struct gtrace_allocator *memory;
	struct overview overview;
	struct length_class lengths[LENGTH_CLASSES];
	int64_t length_begins[LENGTH_CLASSES];
	struct window *windows;
	size_t window_count; /* can be lowered before the pass */
	size_t windows_max;
	struct arena names;
	struct map known_names; /* hash to name */
};

/*
 * Prepares LANES, which is zero, for a trace of PROCESSORS and LENGTH
 * nanoseconds, and WINDOWS windows, to be set up by gti_window_init(). Returns
 * false if there is no memory; to be freed anyway.
 */
bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows, const struct gtrace_allocator *memory);

void gti_lanes_free(struct lanes *lanes);

/* Sets up a window without lanes, of at most SPANS_MAX spans. */
void gti_window_init(struct window *window, int64_t from, int64_t to,
		     size_t spans_max);

/* Gives it a lane for processor P, if it has none and not too many others. */
void gti_window_add_lane(struct window *window, int64_t p);

/*
 * Gives it lanes for the lowest of PROCESSORS processors, and puts the lanes in
 * order.
 */
void gti_window_fill_lanes(struct window *window, uint32_t processors);

/*
 * Prepares LANES, whose windows are set up, for a pass over all slices, which
 * may be the second one. Forgets what the first one took.
 */
void gti_lanes_begin(struct lanes *lanes);

/* A slice, in nanoseconds since the trace began. */
struct lane_slice {
	int64_t from;
	int64_t to;
	int64_t duration;
	int64_t p;
	int64_t g;
	enum gtrace_work work;
};

/*
 * Takes SLICE, which is named by NAMING. Slices of one processor come in order.
 * Returns false if there is no memory.
 */
bool gti_lanes_take(struct lanes *lanes, const struct lane_slice *slice,
		    const struct naming *naming);

#endif /* GTRACE_REPORT_HTML_LANES_H_ */
