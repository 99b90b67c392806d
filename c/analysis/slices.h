/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.h - the N longest slices.
 *
 * A slice is a stretch of time over which one goroutine keeps one processor.
 *
 * The ranking has to be offered slices in the order of their starts, because
 * that order decides among equal lengths (slices.c). But the length of a slice
 * is known only at its end, and slices that started earlier may still run then.
 * So each slice gets a serial number at its start, and at its end it is either
 * refused or kept:
 *
 *   - It is refused if N earlier slices are known that are at least as long.
 *   - The others are kept, and offered to the ranking when all earlier slices
 *     have ended. Gaps in the serial numbers then tell how many slices were
 *     refused in between; refusals have an effect on the ranking too.
 */
#ifndef GTRACE_ANALYSIS_SLICES_H_
#define GTRACE_ANALYSIS_SLICES_H_

#include <stdbool.h>
#include <stdint.h>

#include "analysis/inside.h"
#include "analysis/origin.h"
#include "base/memory.h"
#include "base/pool.h"
#include "model/event.h"

/*
 * What is kept of the event that starts or ends a slice.
 *
 * No two neighbouring fields are neighbours in struct event too. Compilers
 * would copy such a pair with one wide load, which is slow when the two values
 * were stored one by one just before (store forwarding fails).
 */
struct event_ref {
	int64_t ticks;
	uint64_t offset; /* identifies the record, for its arguments */
	uint64_t g;
	uint64_t ordinal;
	int64_t p;
	uint64_t stack; /* handle */
	int64_t m;
	struct origin origin;
	uint32_t type;
};

/* Stacks of a goroutine: handles, 0: none. */
struct own_stacks {
	/*
	 * Of the last event that it wrote itself and whose stack has frames:
	 * any but a CPU sample. Its creation, with the stack that it has from
	 * that, and a first status count too. It names slices that end without
	 * a stack.
	 */
	uint64_t last;
	/*
	 * Of the event that created it, if that has frames. It names slices
	 * that are in no function of the program.
	 */
	uint64_t creator;
};

/* The stacks of the goroutine of a slice, when that ended. */
struct last_event {
	struct own_stacks stacks;
	/*
	 * The names, plus one, that these have in sums of slices, if the format
	 * has forgotten the handles meanwhile; or 0.
	 */
	uint32_t name;
	uint32_t creator_name;
	bool in_call; /* it began a system call, in which the slice still runs
		       */
};

struct slice {
	uint64_t serial; /* number in the order of starts, from 1 */
	int64_t length;  /* in nanoseconds */
	int64_t rank;    /* of which the N greatest are kept, up to `length` */
	int64_t own;     /* see struct gtrace_slice */
	int64_t delay;   /* in nanoseconds; -1: not computed */
	int64_t m, p;    /* thread, processor and goroutine of the slice */
	uint64_t g;
	struct event_ref start;
	struct event_ref end;   /* not set if still_running */
	uint64_t first_stack;   /* see struct slice_owner */
	struct last_event last; /* zero if names are not wanted */
	struct inside inside;   /* zero if that is not wanted */
	unsigned gc_worker;     /* see struct gtrace_slice */
	bool still_running;     /* at the end of the trace */
	bool clock_changed;     /* meanwhile, see clocks.h */
};

struct slices {
	const struct gtrace_allocator *memory;
	/* Owns the samples inside slices. NULL: there are none. */
	struct insides *inside;
	size_t wanted; /* N */
	uint32_t processors;
	double ns_per_tick;
	uint64_t started; /* serial of the last slice that started */
	uint64_t offered; /* serial of the last slice offered or refused */
	struct pool pool; /* struct slice */
	uint32_t free_slice;
	/* struct sort_item: serial and place in the pool; not offered yet. */
	struct array kept;
	size_t keep_max; /* they are offered when there are more than this */
	size_t keep_min; /* least value of keep_max */
	/* struct sort_item: length and place in the pool, the least first. */
	struct array ranking;
	bool settled;         /* another refusal does not change the ranking */
	bool negative;        /* a slice had a length below 0 */
	struct array lengths; /* int64_t: the N longest so far, a min-heap */
	uint64_t newest;      /* greatest serial of those N */
	/*
	 * A slice shorter than short_ticks is certainly shorter than those N,
	 * if it ends less than exact_ticks after the first event. Later times
	 * are too large: a time in nanoseconds is computed in double, and so
	 * are its rounding errors.
	 */
	uint64_t short_ticks;
	uint64_t exact_ticks;
	int64_t first_ticks; /* set by observe_begin() */
};

/*
 * Prepares to find the WANTED longest slices, at least one, of a trace of about
 * PROCESSORS processors. Takes no memory yet.
 */
void gti_slices_init(struct slices *slices, size_t wanted, uint32_t processors,
		     double ns_per_tick, const struct gtrace_allocator *memory);

void gti_slices_free(struct slices *slices);

/* Forgets all slices, to begin the pass again. */
void gti_slices_restart(struct slices *slices);

/* A slice starts. Returns its serial. */
static inline uint64_t slices_begin(struct slices *slices)
{
	return ++slices->started;
}

/*
 * The slice SERIAL ends at END, TICKS after its start. Returns whether it is
 * certainly refused. If not, the caller calls gti_slices_end().
 */
static inline bool slices_refuse(const struct slices *slices, uint64_t serial,
				 uint64_t ticks, int64_t end)
{
	return ticks < slices->short_ticks && slices->newest < serial &&
	       (uint64_t)end - (uint64_t)slices->first_ticks <
		       slices->exact_ticks;
}

/*
 * A slice has ended; SLICES now owns its samples. Returns false if there is no
 * memory.
 */
bool gti_slices_end(struct slices *slices, struct slice *slice);

/* Returns whether gti_slices_offer() should be called. */
static inline bool slices_should_offer(const struct slices *slices)
{
	return slices->kept.count > slices->keep_max;
}

/*
 * Offers the slices that started before OLDEST, the least serial of those that
 * still run, to the ranking.
 */
void gti_slices_offer(struct slices *slices, uint64_t oldest);

/*
 * Writes the N longest slices, the longest first, to LONGEST. All slices must
 * have been offered. They leave the ranking, and live until SLICES is freed.
 */
void gti_slices_drain(struct slices *slices, const struct slice **longest);

#endif /* GTRACE_ANALYSIS_SLICES_H_ */
