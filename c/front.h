/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front.h - what the files of the library's front share.
 *
 * The front knows all rooms: v1 gives events in order, run follows them, report
 * prints what came of it. gtrace.c opens traces, plan.c goes through them,
 * frames.c knows stacks by name, greedy.c and dump.c make the reports.
 */
#ifndef GTRACE_FRONT_H_
#define GTRACE_FRONT_H_

#include <gtrace/gtrace.h>

#include "base/input.h"
#include "v1/states.h"
#include "v1/symbols.h"
#include "v1/index.h"
#include "v1/final_order.h"

struct gtrace {
	struct gtrace_allocator memory;
	struct input input;
	struct index index;
	char *binary;
	char *go_command;
	bool careful;
	bool partial;
	struct symbols symbols;
	bool symbols_known;
	/* Why not all was read. GTRACE_OK: all was. */
	struct gtrace_error reason;
};

static inline bool trace_is_old(const struct gtrace *trace)
{
	return trace->index.rules.version < VERSION_SEQUENCES;
}

static inline double trace_ns_per_tick(const struct gtrace *trace)
{
	return 1e9 / (double)trace->index.ticks_per_second;
}

/* ------------------------------------------------------------------ plan -- */

/* What is learnt on the way through a trace, and needed to go it again. */
struct plan {
	struct slices *slices; /* NULL: not wanted */
	uint64_t *links;       /* likewise */
	struct clock clock;
	bool careful;
	struct array exits;
	uint64_t *dropped;
};

/* How many links a plan may want: one for each ordinal, which begin with 1. */
static inline size_t trace_link_count(const struct gtrace *trace)
{
	return (size_t)trace->index.events + 1;
}

/*
 * Follows TRACE, and finds slices and links as PLAN from, on whichever way
 * will do. Errors: GTRACE_ERROR_ORDER, _STATE, _MEMORY. PLAN is to be freed in
 * any case.
 */
enum gtrace_status gti_plan_follow(struct gtrace *trace, struct plan *plan,
				   struct gtrace_error *error);

void gti_plan_free(struct gtrace *trace, struct plan *plan);

/* A states that follows as PLAN has it. Returns false without memory. */
bool gti_plan_machine(struct gtrace *trace, const struct plan *plan,
		      struct states *states);

/* Fails with the fault that MACHINE has found. */
enum gtrace_status gti_plan_fault(struct gtrace *trace,
				  const struct states *states,
				  struct gtrace_error *error);

/* ---------------------------------------------------------------- frames -- */

/*
 * Makes the names of frames known: traces before Go 1.7 need their binary.
 * Comes after all other checks. Errors: GTRACE_ERROR_SYMBOLS, _ORDER, _MEMORY.
 */
enum gtrace_status gti_frames_prepare(struct gtrace *trace,
				      struct gtrace_error *error);

/*
 * Writes the frames of stack ID of CONTEXT, a struct gtrace, to FRAMES, where
 * there is room for FRAMES_MAX. Returns how many.
 */
size_t gti_frames_of(void *context, uint64_t id, struct gtrace_frame *frames);

/*
 * Whether what an event of TYPE has for a stack is no id, but the program
 * counter where its goroutine begins: so do starts in old traces.
 */
bool gti_frames_is_pc(const struct gtrace *trace, unsigned type);

struct gtrace_frame gti_frames_of_pc(const struct gtrace *trace, uint64_t pc);

#endif /* GTRACE_FRONT_H_ */
