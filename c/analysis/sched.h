/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched.h - how many goroutines and processors were in which state over time.
 *
 * A consumer of the stream, see feed/feed.h. Times are in nanoseconds since the
 * first event. A *level* is a number that changes by events: its integral over
 * time is its count times the time, minus a base that changes with the count.
 *
 * The first status of a goroutine, in traces of Go 1.22 and later, holds from
 * the origin on, but comes later. It is added to the whole level at the end;
 * until then the level can be less than 0.
 */
#ifndef GTRACE_ANALYSIS_SCHED_H_
#define GTRACE_ANALYSIS_SCHED_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/memory.h"
#include "feed/feed.h"

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

/* A goroutine, by slot. */
struct sched_slot {
	int64_t since;   /* at its level, or the origin */
	int64_t started; /* when its thread wrote that; TIME_NONE: it has not */
	uint8_t level;   /* enum sched_level */
};

struct sched {
	const struct gtrace_allocator *memory;
	int64_t interval; /* between samples; 0: there are none */
	size_t most;      /* samples */
	bool by_thread;   /* events have threads, the times of which count */
	bool keeps_past;  /* gti_sched_until() is asked for `past` */
	int64_t origin;   /* see struct observer; INT64_MAX: not known yet */
	int64_t next;     /* of the next sample; INT64_MAX: none */
	int64_t greatest; /* time of an event, as sched_time() gives it */
	struct level levels[LEVELS + 1];
	uint64_t extra[LEVELS + 1]; /* to be added to the levels at all times */
	uint64_t starts;            /* of goroutines */
	uint64_t threads;
	bool collected;          /* a collection was seen */
	struct map thread_ids;   /* those seen, in traces up to Go 1.21 */
	struct array lanes;      /* bool, by slot: threads that were seen */
	struct array held;       /* bool, by slot: processors that are held */
	struct array goroutines; /* struct sched_slot */
	struct array samples;    /* struct sched_sample */
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

/* What the stream calls, unless another consumer calls the next functions. */
struct consumer gti_sched_consumer(struct sched *sched);

/* Takes a transition of FEED. */
void gti_sched_take(struct sched *sched, const struct feed *feed,
		    const struct transition *transition);

/* A batch of FEED has been taken. */
void gti_sched_settle(struct sched *sched, const struct feed *feed);

/* The trace of FEED ends at NOW. */
void gti_sched_finish(struct sched *sched, const struct feed *feed,
		      int64_t now);

/* When a transition of FEED happened: as its thread wrote it, if there is one.
 */
static inline int64_t sched_time(const struct sched *sched,
				 const struct feed *feed,
				 const struct transition *transition)
{
	return clock_ns(feed->clock, sched->by_thread ? transition->written
						      : transition->now);
}

/* What is known of the goroutine in slot NUMBER. */
static inline struct sched_slot sched_slot(const struct sched *sched,
					   uint32_t number)
{
	const struct sched_slot *slots = sched->goroutines.items;
	const struct sched_slot none = {0, TIME_NONE, LEVEL_NONE};

	return number < sched->goroutines.count ? slots[number] : none;
}

/*
 * The integral up to TIME of the level in PAST: sched->past is that of ready
 * goroutines, without sched->extra, sched->procs that of processors, of which
 * the first number holds from the origin on.
 */
uint64_t gti_sched_until(const struct array *past, int64_t time);

/* Their number at TIME, or the last one before; -1: not known. */
int64_t gti_sched_procs_at(const struct sched *sched, int64_t time);

#endif /* GTRACE_ANALYSIS_SCHED_H_ */
