/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.h - the N longest slices.
 *
 * Which of several slices with equal lengths are chosen, and in which order
 * they are printed, depends on the order in which they are offered to a heap,
 * and that is the order of their starts. But a slice's length is known only at
 * its end, and one that started earlier may still be running then. So slices
 * are numbered as they start, those that may be among the longest are kept,
 * and once in a while the kept ones that nobody can come before any more are
 * offered. The others are refused at once, because N longer ones that started
 * before are known; the numbers tell how many were refused between two.
 *
 * In strides slices start in another order than that of time: in pieces, each
 * of which is in order. They are numbered as they come, and those that matter
 * get their right numbers at the end of the stride, from the times of all
 * starts in it. Where several started at the same time, the numbers are not
 * sure; as a rule that makes no difference, and where it might, `unsure` tells.
 */
#ifndef GTRACE_RUN_SLICES_H_
#define GTRACE_RUN_SLICES_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "event.h"
#include "run/ranks.h"
#include "run/trail.h"

/* What is kept of the start or the end of a slice. */
struct moment {
	uint64_t offset; /* of the event's record; its arguments stand there */
	int64_t ticks;
	int64_t p;
	uint64_t stack;
	struct trail trail;
	uint32_t type;
};

struct slice {
	uint64_t serial; /* how many started up to it ... */
	uint32_t loose;  /* ... or up to so many more */
	int64_t length;  /* nanoseconds */
	struct moment start;
	struct moment end;
	bool running; /* to the end of the trace: `end` is not set */
};

/* The number of a slice that runs on is not sure. */
struct loose_serial {
	uint64_t serial;
	uint32_t loose;
	bool runs; /* at the end of the stride too */
};

/* The slices that started in a stride. */
struct stride {
	bool begun;
	uint64_t before;      /* how many started before it */
	struct ranks starts;  /* of their ticks */
	struct array ended;   /* struct slice: in it, to be kept */
	struct array running; /* struct loose_serial, rising: run on */
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
	struct stride stride;
	bool last_loose; /* the number of the last one offered is not sure */
	bool unsure;     /* such a number may have made a difference */
};

/*
 * For the WANTED longest slices, at least one, on so many PROCESSORS. Takes no
 * memory yet.
 */
void gtrace_slices_init(struct slices *slices, size_t wanted,
			uint32_t processors, double ns_per_tick,
			const struct gtrace_allocator *memory);

void gtrace_slices_free(struct slices *slices);

/*
 * A slice starts. Returns its serial number, which is not 0. In a stride,
 * gtrace_slices_note_start is to be called too.
 */
static inline uint64_t slices_begin(struct slices *slices)
{
	return ++slices->started;
}

/* The slice that was begun last starts at TICKS. False: no memory. */
bool gtrace_slices_note_start(struct slices *slices, int64_t ticks);

/*
 * Whether the slice SERIAL, which ends now after TICKS, SINCE so many from the
 * first event, is surely not among the longest. If so it is done with; else
 * gtrace_slices_end is to be called.
 */
static inline bool slices_refuse(const struct slices *slices, uint64_t serial,
				 uint64_t ticks, uint64_t since)
{
	return ticks < slices->short_ticks && slices->newest < serial &&
	       since < slices->exact_ticks;
}

/* *SLICE has ended. Returns false if there is no memory. */
bool gtrace_slices_end(struct slices *slices, const struct slice *slice);

/* Whether so many are kept that some should be offered. */
static inline bool slices_are_many(const struct slices *slices)
{
	return slices->kept.count > slices->keep_max && !slices->stride.begun;
}

/* Offers those that started before OLDEST, the first that still runs. */
void gtrace_slices_offer(struct slices *slices, uint64_t oldest);

/* Whether a stride has begun, so that starts are to be noted. */
static inline bool slices_in_strides(const struct slices *slices)
{
	return slices->stride.begun;
}

/* A stride begins. */
void gtrace_slices_begin_stride(struct slices *slices);

/* Slices that start from here on may do so earlier than those before. */
bool gtrace_slices_begin_piece(struct slices *slices);

/*
 * When the stride ends, these are to be called: for all slices that run on,
 * gtrace_slices_run_on or, if they started in it, gtrace_slices_ask; then
 * gtrace_slices_number; then gtrace_slices_right_serial for the latter, which
 * have these serial numbers from now on; and gtrace_slices_end_stride.
 */
static inline bool slices_in_stride(const struct slices *slices,
				    uint64_t serial)
{
	return serial > slices->stride.before;
}

/* The slice SERIAL started in an earlier stride. */
void gtrace_slices_run_on(struct slices *slices, uint64_t serial);

/* It started at TICKS. Returns false if there is no memory. */
bool gtrace_slices_ask(struct slices *slices, int64_t ticks);

/* Returns false if there is no memory. */
bool gtrace_slices_number(struct slices *slices);

/* The number of the slice that started at TICKS in this stride. */
uint64_t gtrace_slices_right_serial(struct slices *slices, int64_t ticks);

/* Returns false if there is no memory. */
bool gtrace_slices_end_stride(struct slices *slices);

/*
 * Calls TAKE for each of the longest slices, the shortest first, all having
 * been offered. There are none afterwards.
 */
void gtrace_slices_drain(struct slices *slices,
			 void (*take)(void *context, const struct slice *slice),
			 void *context);

#endif /* GTRACE_RUN_SLICES_H_ */
