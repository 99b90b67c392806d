/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched.h - how many goroutines and processors were in which state over time.
 *
 * Times are in nanoseconds, as waits_time() gives them. A *level* is a number
 * that changes by events: its integral over time is its count times the time,
 * minus a base that changes with the count.
 *
 * The first status of a goroutine, in traces of Go 1.22 and later, holds from
 * the origin on, but comes later. It is added to the whole level at
 * the end; until then the level can be less than 0.
 */
#ifndef GTRACE_ANALYSIS_SCHED_H_
#define GTRACE_ANALYSIS_SCHED_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/map.h"
#include "base/memory.h"

enum sched_level {
	LEVEL_RUNNABLE,
	LEVEL_RUNNING,
	LEVEL_SYSCALLS,
	LEVEL_WAITING,
	LEVEL_HELD,       /* processors */
	LEVEL_COLLECTING, /* 1 while a collection is open */
	LEVELS,
	LEVEL_NONE = LEVELS /* that of what is not there; never read */
};

/* Both wrap around. */
struct level {
	uint64_t count;
	uint64_t base;
};

static inline uint64_t level_until(struct level level, int64_t now)
{
	return level.count * (uint64_t)now - level.base;
}

/* All levels at a time, and their integrals up to it. */
struct sched_sample {
	int64_t time;
	uint64_t counts[LEVELS];
	uint64_t sums[LEVELS];
	uint64_t threads;
	uint64_t starts;
};

/* A level from a time on. */
struct sched_past {
	int64_t time;
	struct level level;
};

/*
 * So many samples are kept, and one more for each SCHED_SAMPLE_BYTES of the
 * trace: their number follows from a time that the trace gives.
 */
#define SCHED_SAMPLES_FREE 50000
#define SCHED_SAMPLE_BYTES 8

struct sched {
	const struct gtrace_allocator *memory;
	int64_t interval; /* between samples; 0: there are none */
	size_t most;      /* samples */
	/*
	 * Returns the least time for which gti_sched_until() is asked for
	 * `past` from now on. NULL: it is never asked.
	 */
	int64_t (*horizon)(const void *context);
	const void *context;
	int64_t zero;     /* the time of the first event */
	int64_t origin;   /* see struct observer; INT64_MAX: not known yet */
	int64_t next;     /* of the next sample; INT64_MAX: none */
	int64_t greatest; /* time as written of an event */
	struct level levels[LEVELS + 1];
	uint64_t extra[LEVELS + 1]; /* to be added to the levels at all times */
	uint64_t starts;            /* of goroutines */
	uint64_t threads;
	struct map thread_ids; /* those seen, in traces up to Go 1.21 */
	struct array samples;  /* struct sched_sample */
	struct array past;  /* struct sched_past, by time: ready goroutines */
	struct array procs; /* likewise: processors */
	uint64_t most_procs;
	size_t drop_past_at;
	uint32_t recasts; /* of samples; so many at most, see RECASTS_MAX */
	bool failed;      /* there was no memory */
	bool too_many;    /* samples */
};

/* For a trace of SIZE bytes. Takes no memory yet. */
void gti_sched_init(struct sched *sched, int64_t interval, uint64_t size,
		    const struct gtrace_allocator *memory);
void gti_sched_free(struct sched *sched);

/* Forgets what was found, to begin the pass again. */
void gti_sched_restart(struct sched *sched);

/* The first event is at ZERO. */
void gti_sched_begin(struct sched *sched, int64_t zero);

/* The time from the first event to TIME. That of hostile times wraps around. */
static inline int64_t sched_since(const struct sched *sched, int64_t time)
{
	return (int64_t)((uint64_t)time - (uint64_t)sched->zero);
}

/* The extent of the trace begins at ORIGIN. */
void gti_sched_origin(struct sched *sched, int64_t origin);

/* The trace ends at END. */
void gti_sched_finish(struct sched *sched, int64_t end);

/* Since when holds what turns out NOW to have been so before the trace. */
static inline int64_t sched_since_origin(const struct sched *sched, int64_t now)
{
	return sched->origin < now ? sched->origin : now;
}

/* Takes the samples before NOW. */
void gti_sched_sample(struct sched *sched, int64_t now);

/* The level of ready goroutines has changed NOW. */
void gti_sched_remember(struct sched *sched, int64_t now);

/* What was at level FROM is at level TO, NOW. */
static ALWAYS_INLINE void sched_move(struct sched *sched, enum sched_level from,
				     enum sched_level to, int64_t now)
{
	struct level *less = &sched->levels[from], *more = &sched->levels[to];

	/* No report has the levels. */
	if (sched->horizon == NULL && sched->interval == 0)
		return;
	if (UNLIKELY(now > sched->next))
		gti_sched_sample(sched, now);
	less->count--;
	less->base -= (uint64_t)now;
	more->count++;
	more->base += (uint64_t)now;
	if ((from == LEVEL_RUNNABLE || to == LEVEL_RUNNABLE) &&
	    sched->horizon != NULL)
		gti_sched_remember(sched, now);
}

/* Something turns out to be at LEVEL since before the trace. */
static inline void sched_was(struct sched *sched, enum sched_level level)
{
	sched->extra[level]++;
}

/*
 * What was runnable since a time turns out NOW to have been at level TO, as
 * samples that were taken meanwhile will say too.
 */
void gti_sched_recast(struct sched *sched, enum sched_level to, int64_t since,
		      int64_t now);

/* A thread is seen for the first time; or thread ID is seen. */
void gti_sched_thread(struct sched *sched, int64_t now);
void gti_sched_thread_id(struct sched *sched, uint64_t id, int64_t now);

/* There are PROCS processors from NOW on. */
void gti_sched_procs(struct sched *sched, uint64_t procs, int64_t now);

/*
 * The integral up to TIME of the level in PAST: sched->past is that of ready
 * goroutines, without sched->extra, sched->procs that of processors, of which
 * the first number holds from the origin on.
 */
uint64_t gti_sched_until(const struct array *past, int64_t time);

/* Their number at TIME, or the last one before; -1: not known. */
int64_t gti_sched_procs_at(const struct sched *sched, int64_t time);

#endif /* GTRACE_ANALYSIS_SCHED_H_ */
