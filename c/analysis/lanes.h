/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - what processors did in windows of time: the whole trace, and around
 * single slices, stops, waits and blocks; and what goroutines did. Filled by
 * one pass over all slices and blocks. Memory is bounded by what is shown,
 * not by the length of the trace.
 */
#ifndef GTRACE_ANALYSIS_LANES_H_
#define GTRACE_ANALYSIS_LANES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/ids.h"
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
	LANE_ASSIST,  /* a part of a slice, which is of another kind */
	LANE_KINDS
};

/* A slice, a block or a mark assist. One that is long enough is shown by
 * itself. */
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
};

/* Classes of lengths: under 1 µs, then from 1, 2, 5, 10, ... µs on. */
#define LENGTH_CLASSES 30

struct length_class {
	int64_t begin;
	uint64_t count;
	uint64_t ns[LANE_KINDS];
};

/* Windows but that of the whole trace: each is a bit. */
#define LANES_WINDOWS 64

/* The trace consists of so many parts of one length. */
#define LANES_PARTS 1024

struct lanes {
	const struct gtrace_allocator *memory;
	struct window *windows; /* the whole trace is the first */
	size_t window_count;
	size_t bars_max; /* of a window */
	uint32_t processors;
	struct length_class lengths[LENGTH_CLASSES];
	struct texts names;   /* of bars */
	struct ids assisting; /* struct assisting */
	struct pool assists;  /* struct assist */
	/* The windows that overlap each part; and that have goroutines. */
	uint64_t cover[LANES_PARTS];
	uint64_t with_goroutines;
	int64_t part; /* its length */
};

/* A mark assist that has ended. */
struct assist {
	struct assist *next; /* of the goroutine */
	int64_t from, to;
};

/* The mark assists of a goroutine in the slice that still runs. */
struct assisting {
	uint64_t g;
	int64_t since; /* the last one is not over; -1: it is */
	struct assist *ended;
};

/*
 * Prepares LANES, of which `memory` and `bars_max` are set, for a trace of
 * PROCESSORS with the extent FROM to TO, which is later, and WINDOWS more
 * windows, at most LANES_WINDOWS, to be set up by gti_window_init(). Returns
 * false if there is no memory; the caller frees LANES anyway.
 */
bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t from,
		    int64_t to, size_t windows);

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

/*
 * Forgets what was taken: the pass over all slices begins again. Returns false
 * if there is no memory.
 */
bool gti_lanes_restart(struct lanes *lanes);

/*
 * Takes the slice TAKEN of processor P, in the function NAME. Slices of one
 * processor come in order. Returns false if there is no memory.
 */
bool gti_lanes_take(struct lanes *lanes, const struct bar *taken, int64_t p,
		    struct gtrace_string name);

/*
 * A mark assist of goroutine G begins or ends, before the slice that it is in
 * is taken. Returns false if there is no memory.
 */
bool gti_lanes_assist(struct lanes *lanes, uint64_t g, bool begins,
		      int64_t now);

/*
 * Takes the block TAKEN, called NAME, in the lanes of its goroutine. Blocks of
 * one goroutine come in order. Returns false if there is no memory.
 */
bool gti_lanes_take_block(struct lanes *lanes, const struct bar *taken,
			  struct gtrace_string name);

/*
 * Ends the pass: sorts bars by lane and time, as slices come in any order,
 * and numbers their names. Returns false if there is no memory.
 */
bool gti_lanes_end(struct lanes *lanes);

#endif /* GTRACE_ANALYSIS_LANES_H_ */
