/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - what processors did in windows of time: the whole trace, and around
 * single slices, stops, waits and blocks; and what goroutines did. Filled by
 * one pass over all slices and blocks. Memory is bounded by what is shown,
 * whatever the length of the trace.
 */
#ifndef GTRACE_ANALYSIS_LANES_H_
#define GTRACE_ANALYSIS_LANES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/texts.h"

/* What is told apart of the work of slices. */
enum lane_kind {
	LANE_PROGRAM,
	LANE_RUNTIME,
	LANE_SYSCALL,
	LANE_TRACER,
	LANE_UNKNOWN,
	LANE_BLOCKED, /* no slice: of goroutines */
	LANE_KINDS
};

/* A slice or a block. One that is long enough is shown by itself. */
struct bar {
	int64_t from; /* since the trace began; of a window: within it */
	int64_t to;
	int64_t duration;
	int64_t g;
	enum lane_kind kind;
	/* Of a window. */
	uint32_t lane;
	uint32_t name;
	bool chosen; /* what the window is about */
};

#define WINDOW_LANES 12

/* A window is about so many slices at most. */
#define WINDOW_CHOSEN 3

/* It has lanes of its own for so many goroutines at most. */
#define WINDOW_GOROUTINES 2

/* The whole trace has at most so many lanes and bins a lane. */
#define OVERVIEW_LANES 192
#define OVERVIEW_BINS  600

struct window {
	int64_t from;
	int64_t to;
	/* Processors a lane. 0: each of `p` has one, all others the last. */
	uint32_t group;
	uint32_t lane_count;
	uint32_t others; /* processors of the last lane */
	int64_t p[WINDOW_LANES];
	/* Goroutines, whose lanes come after those of processors. */
	int64_t g[WINDOW_GOROUTINES];
	uint32_t g_count;
	/* Shorter slices are summed up in bins: lanes * bins * LANE_KINDS. */
	int64_t shortest;
	uint32_t bins;
	int64_t width;     /* of a bin, ns; the last one ends with the window */
	uint64_t *shares;  /* ns. Sums in hostile traces wrap around. */
	struct array bars; /* struct bar, by the ends of slices */
	/* The chosen slices: on this processor, at this time. */
	struct {
		int64_t p, at;
	} chosen[WINDOW_CHOSEN];
	unsigned chosen_count;
	struct window *next; /* of those that were found */
};

/* Classes of lengths: under 1 µs, then from 1, 2, 5, 10, ... µs on. */
#define LENGTH_CLASSES 30

struct length_class {
	int64_t begin;
	uint64_t count;
	uint64_t ns[LANE_KINDS];
};

struct lanes {
	const struct gtrace_allocator *memory;
	struct window *windows; /* the whole trace is the first */
	size_t window_count;
	size_t bars_max; /* of a window */
	uint32_t processors;
	/* The windows from one edge of a window to the next one. */
	struct window *found;
	int64_t edge_before, edge_after;
	struct length_class lengths[LENGTH_CLASSES];
	struct texts names; /* of bars */
};

/*
 * Prepares LANES, of which `memory` and `bars_max` are set, for a trace of
 * PROCESSORS and LENGTH nanoseconds, at least 1, and WINDOWS more windows, to
 * be set up by gti_window_init(). Returns false if there is no memory; the
 * caller frees LANES anyway.
 */
bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows);

void gti_lanes_free(struct lanes *lanes);

/* Sets up a window without lanes. */
void gti_window_init(struct window *window, int64_t from, int64_t to);

/* How many lanes WINDOW has, with those of goroutines. */
static inline uint32_t window_lanes(const struct window *window)
{
	return window->lane_count + window->g_count;
}

/* Gives it a lane for processor P, if it has none and not too many others. */
void gti_window_add_lane(struct window *window, int64_t p);

/* The slice of P at the time AT is what the window is about. Adds its lane. */
void gti_window_choose(struct window *window, int64_t p, int64_t at);

/*
 * Ends the setting up: gives windows lanes for the lowest processors, and
 * memory. Returns false if there is none.
 */
bool gti_lanes_set(struct lanes *lanes);

/* Forgets what was taken: the pass over all slices begins again. */
void gti_lanes_restart(struct lanes *lanes);

/*
 * Takes the slice TAKEN of processor P, in the function NAME. Slices of one
 * processor come in order. Returns false if there is no memory.
 */
bool gti_lanes_take(struct lanes *lanes, const struct bar *taken, int64_t p,
		    struct gtrace_string name);

/* Whether a window shows a part of BLOCK: few do, and this is quick to tell. */
bool gti_lanes_wants(struct lanes *lanes, const struct bar *block);

/*
 * Takes the block TAKEN, called NAME, in the lanes of its goroutine. Blocks of
 * one goroutine come in order. Returns false if there is no memory.
 */
bool gti_lanes_take_block(struct lanes *lanes, const struct bar *taken,
			  struct gtrace_string name);

/*
 * Ends the pass: sorts bars by lane and time and numbers their names, whatever
 * the order of the slices was. Returns false if there is no memory.
 */
bool gti_lanes_end(struct lanes *lanes);

#endif /* GTRACE_ANALYSIS_LANES_H_ */
