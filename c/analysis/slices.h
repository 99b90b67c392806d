/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.h - the N longest slices.
 *
 * Which of several slices with equal lengths are chosen, and in which order
 * they are printed, depends on the order in which they are offered to a heap,
 * and that is the order of their starts. But a slice's length is known only at
 * its end, and one that started earlier may still be running then. So slices
 * are numbered as they start, those that may be among the longest are kept,
 * and once in a while the kept ones that never_ready can come before any more
 * are offered. The others are refused at once, because N longer ones that
 * started before are known; the numbers tell how many were refused between two.
 */
#ifndef GTRACE_RUN_SLICES_H_
#define GTRACE_RUN_SLICES_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/event.h"
#include "analysis/origin.h"

/* What is kept of the start or the end of a slice. */
struct event_ref {
	uint64_t offset; /* of the event's record; its arguments stand there */
	int64_t ticks;
	int64_t p;
	uint64_t stack;
	struct origin origin;
	uint32_t type;
};

struct slice {
	uint64_t serial; /* how many started up to it */
	int64_t length;  /* nanoseconds */
	struct event_ref start;
	struct event_ref end;
	bool running; /* to the end of the trace: `end` is not set */
};

struct ranked {
	int64_t length;
	uint32_t slice; /* in the pool */
};

struct slices {
	const struct gtrace_allocator *memory;
	size_t wanted; /* N */
	double ns_per_tick;
	uint64_t started;
	uint64_t offered;  /* serial up to which all had their turn */
	struct array pool; /* struct slice */
	uint32_t free_slice;
	struct array kept; /* uint32_t, in the pool: not offered yet */
	size_t keep_min;   /* not to offer them when there are fewer, ... */
	size_t keep_max;   /* ... but when there are more */
	/* The N longest of those that were offered. */
	struct array heap; /* struct ranked */
	bool settled;      /* another refusal would change nothing in it */
	/* What it was so many refusals ago; empty: not known. */
	struct array seen;  /* struct ranked */
	uint64_t refusals;  /* since then, or since it last changed */
	uint64_t see_after; /* so many of them it is to be seen again */
	/* Lengths of the N longest that have ended, offered or not. */
	struct array lengths; /* int64_t, a heap */
	uint64_t newest;      /* none of them started later than this serial */
	/*
	 * Slices of fewer ticks than this are shorter than all of them, if
	 * they end within so many ticks of the first event that nanoseconds
	 * are exact.
	 */
	uint64_t short_ticks;
	uint64_t exact_ticks;
};

/*
 * For the WANTED longest slices, at least one, on so many PROCESSORS. Takes no
 * memory yet.
 */
void gti_slices_init(struct slices *slices, size_t wanted, uint32_t processors,
		     double ns_per_tick, const struct gtrace_allocator *memory);

void gti_slices_free(struct slices *slices);

/* A slice starts. Returns its serial number, which is not 0. */
static inline uint64_t slices_begin(struct slices *slices)
{
	return ++slices->started;
}

/*
 * Whether the slice SERIAL, which ends now after TICKS, SINCE so many from the
 * first event, is surely not among the longest. If so it is done with; else
 * gti_slices_end is to be called.
 */
static inline bool slices_refuse(const struct slices *slices, uint64_t serial,
				 uint64_t ticks, uint64_t since)
{
	return ticks < slices->short_ticks && slices->newest < serial &&
	       since < slices->exact_ticks;
}

/* *SLICE has ended. Returns false if there is no memory. */
bool gti_slices_end(struct slices *slices, const struct slice *slice);

/* Whether so many are kept that some should be offered. */
static inline bool slices_are_many(const struct slices *slices)
{
	return slices->kept.count > slices->keep_max;
}

/* Offers those that started before OLDEST, the first that still runs. */
void gti_slices_offer(struct slices *slices, uint64_t oldest);

/*
 * Calls TAKE for each of the longest slices, the shortest first, all having
 * been offered. There are none afterwards.
 */
void gti_slices_drain(struct slices *slices,
		      void (*take)(void *context, const struct slice *slice),
		      void *context);

#endif /* GTRACE_RUN_SLICES_H_ */
