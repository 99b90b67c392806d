/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits.h - who waited for a processor, behind whom, and what slices delayed.
 *
 * A goroutine waits from the event that makes it ready to the one with which it
 * runs. While it waits, time is stopped, idle or busy: the world is stopped, or
 * a processor is free, or none is. The waiting in busy time is the delay of
 * what the processors do meanwhile.
 */
#ifndef GTRACE_ANALYSIS_WAITS_H_
#define GTRACE_ANALYSIS_WAITS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "analysis/ready.h"
#include "analysis/slices.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/top.h"
#include "model/event.h"

/* --------------------------------------------------------------- results -- */

/* At most so many slices are listed as those that kept a wait. */
#define WAIT_KEPT_MAX 3

/* A slice that kept a wait. */
struct kept_slice {
	/*
	 * If it has ended, only its length, p, g, inside.call_ticks, the ticks
	 * of its start, last.stacks, and what its end leads to (ticks, offset,
	 * type, stack, origin) need be set. If it still runs, all but the end.
	 */
	const struct slice *slice;
	int64_t overlap; /* with busy time of the wait, in nanoseconds */
};

/* One of the longest waits. Times are in nanoseconds, except for ticks. */
struct wait {
	struct event_ref ready; /* the event; its origin is its walk back */
	int64_t start;          /* of the wait, in ticks */
	int64_t length, busy, idle, stopped;
	uint64_t g;
	uint64_t order;     /* of ready events at one time */
	bool before;        /* it began before the trace */
	bool over;          /* the goroutine ran */
	bool clock_changed; /* meanwhile, see clocks.h */
	int64_t ran_ticks;  /* of the event with which it ran, if over */
	int64_t ran_p;      /* and its processor */
	struct kept_slice kept[WAIT_KEPT_MAX]; /* longest overlap first */
	unsigned kept_count;
	uint64_t kept_more; /* slices that are not in `kept` */
	int64_t kept_more_overlap;
	int64_t kept_none; /* processor time that no slice overlaps */
};

#define WAIT_ROWS_MAX EVENT_TYPES

/* What was found. All that it points to belongs to the struct waits. */
struct wait_results {
	struct gtrace_wait_report sums; /* its arrays are not made yet */
	/* A row for each type that has whole waits, by type; without names. */
	struct gtrace_wait_row rows[WAIT_ROWS_MAX];
	uint32_t types[WAIT_ROWS_MAX]; /* of the rows */
	size_t row_count;
	/* The longest waits, in the order of the report. */
	const struct wait *waits;
	size_t wait_count;
	/* Busy time of all waits; its part behind slices. Nanoseconds. */
	int64_t waited, behind;
	/* The slices with the longest `delay`, in the order of the report. */
	const struct slice *slices;
	size_t slice_count;
	const struct ready_parts *parts;
};

/* -------------------------------------------------------------- analysis -- */

/* A number of 128 bits. Sums and differences wrap around. */
struct wide {
	uint64_t low, high;
};

static inline struct wide wide_sum(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){low, a.high + b.high + (low < b.low)};
}

/*
 * Delays are shared out in units of which a nanosecond has so many, so that
 * each processor gets nearly as much as the others.
 */
#define SHARES_SHIFT 10
#define SHARES       ((uint64_t)1 << SHARES_SHIFT)

/* SHARED in nanoseconds, rounded down. */
static inline int64_t wide_ns(struct wide shared)
{
	return (int64_t)(shared.low >> SHARES_SHIFT |
			 shared.high << (64 - SHARES_SHIFT));
}

/*
 * What passes while goroutines wait. The sum of `busy` over all processors that
 * are held is not kept up to date: it is `held` times `busy` plus `held_base`.
 * So is that of slices.
 */
struct wait_clocks {
	uint64_t on;      /* slices that run */
	uint64_t stopped; /* nanoseconds of stopped time */
	uint64_t on_base;
	uint64_t ended; /* slices that may have kept a wait, a number */
	uint64_t held;  /* processors */
	uint64_t held_base;
};

/* In the ring of those that wait, which began first to last. */
struct wait_link {
	struct wait_link *earlier, *later;
};

/* A goroutine that waits, or does not: in the format's record of it. */
struct waiter {
	struct wait_link link;
	struct wait_counts *row;   /* of its ready event's type; NULL: none */
	uint64_t g;                /* the goroutine */
	uint64_t busy;             /* waits_busy() when it became ready */
	int64_t since;             /* see waits_time() */
	struct wait_clocks clocks; /* as of that time */
	struct event_ref ready;
	uint64_t order; /* see struct wait */
};

/* A row for waits that began before the trace; they are not counted there. */
#define WAIT_BEFORE EVENT_TYPES

/* What the analysis knows of a slice that has not ended. */
struct slice_wait {
	uint64_t busy;   /* waits_busy() at its start */
	uint64_t shared; /* waits_shared() at its start */
	uint64_t high;   /* waits->high at its start; SLICE_REFERRED */
	struct waited_slice *record; /* if a wait refers to it, or NULL */
	uint64_t serial;
	uint64_t waited; /* its goroutine before it, and 1; 0: it did not */
	/* Its neighbours in the list of those that run. */
	struct slice_wait *earlier, *later;
};

/* slice_wait.high of a slice that has a record, which has that number. */
#define SLICE_REFERRED UINT64_MAX

/* A slice that has ended while goroutines waited. */
struct ended_slice {
	uint64_t busy; /* waits_busy() at its end */
	uint64_t from; /* and at its start */
	uint64_t serial;
	int64_t p;
	uint64_t g;
	int64_t start, end; /* ticks */
	int64_t calls;      /* ticks */
	uint64_t offset;    /* of the event that ended it */
	uint64_t stack;     /* and so on */
	struct origin origin;
	struct own_stacks stacks;
	uint32_t type;
	struct waited_slice *record; /* as above */
};

/* A slice that ended at the same busy time at which a wait had begun before. */
struct late_end {
	uint64_t busy;
	uint64_t ended; /* wait_clocks.ended of the slice */
};

/* What time is while goroutines wait. */
enum wait_time { TIME_IDLE, TIME_BUSY, TIME_STOPPED };

/* What a trace tells, at its beginning, of how things stood before. */
struct before_trace {
	uint64_t ready, held;
	uint64_t procs; /* the first number of processors, if told */
	bool procs_told;
};

/* The whole waits of a type, see waits_rows.c. */
struct wait_counts {
	uint64_t fast;    /* shorter ones need only be counted */
	uint64_t *counts; /* of those shorter than WAIT_SHORT, by length */
	uint64_t busy, stopped; /* sums */
};

struct profile;

struct waits {
	/*
	 * The present step: the time in which all of `ready`, clocks.held,
	 * `procs` and `stop` stay as they are. In busy time with `rate` other
	 * than 0, R (what each processor got of the waiting so far, in SHARES)
	 * is `high` times 2 to the power of 63, plus
	 *	shared + (ready * busy + base) * rate
	 * so that a change of `ready` is one of `base` too, and no step need
	 * be ended. Otherwise `rate` is 0.
	 */
	int64_t until;  /* before it, busy time is `ahead` of the time */
	uint64_t ahead; /* wraps around */
	uint64_t busy;  /* nanoseconds, later on: see waits_busy() */
	uint64_t ready; /* goroutines that wait */
	uint64_t rate, base, high, shared;
	struct wait_clocks clocks;
	uint64_t last_ready;   /* `busy` when the last wait began */
	uint64_t least_shared; /* least_delay, in SHARES */
	struct wide behind;    /* what the slices that ended got */
	struct wide delay;     /* of that, the last one; see profile.h */
	uint64_t slice_waited; /* of that slice, see struct slice_wait */
	/* The next place of `fresh`, and where it has none. */
	struct ended_slice *fresh_next, *fresh_end;
	struct ended_slice *fresh; /* the slices that ended last; or NULL */
	struct wait_counts rows[WAIT_BEFORE + 1]; /* by type */
	enum wait_time time;
	uint64_t procs;
	/*
	 * When the world was stopped last, INT64_MAX: it is; or when the clock
	 * changed last, if that is later: waits from before are not easy.
	 */
	int64_t stopped_until;
	int64_t clock_changed; /* see clocks.h; INT64_MIN: never */
	bool stop;             /* the world is stopped */
	bool starting; /* likewise: before the first number of processors */
	int64_t from;  /* when the step began; that is what was then: */
	uint64_t from_busy, from_shared, from_high;

	const struct gtrace_allocator *memory;
	const struct clock *clock;
	size_t wanted;        /* N of the longest waits; can be 0 */
	size_t delays_wanted; /* N of the slices with the longest delay */
	/* Whole waits, by the event that made the goroutine ready, or NULL. */
	struct profile *profile;
	/*
	 * Waits and slices that do not pass are in no row and no list. NULL:
	 * all pass.
	 */
	struct filter *filter;
	bool failed; /* there was no memory: nothing else counts */
	struct wait_link waiters; /* the ring, around this */
	int64_t last; /* time of the last event */
	bool over;    /* gti_waits_finish() was called: no time passes */

	/* How things stood before the trace: as assumed, and as found. */
	struct before_trace assumed, found;
	bool first_generation; /* what a status tells is found */
	bool settled;          /* what is assumed is right */
	/* The next pass, this pass, looks at all events to assume that. */
	bool look_at_all, looks_at_all;
	bool begun; /* `origin` is known */
	int64_t origin;

	int64_t least_length; /* shorter waits are not among the longest */
	bool only_longest;    /* and they do not matter: no row counts */
	struct top longest; /* struct wait */
	struct gtrace_wait_report sums; /* of waits that are not whole */
	uint64_t waited;      /* busy time of waits that are in no row */
	struct array longer;  /* struct sort_item: not short; value: the type */
	int64_t least_delay;  /* others are not among those delayed longest */
	struct top delayed; /* struct slice */

	/*
	 * For slices that kept a wait, see waits_kept.c. Those that run are a
	 * ring around `running`, in the order of their serials, and so of their
	 * starts. Of them, `started` began at the busy time `started_at`, the
	 * last one at which any did.
	 */
	struct slice_wait running;
	uint64_t started_at, started;
	struct pool records;               /* struct waited_slice */
	struct array ended[WAIT_KEPT_MAX]; /* struct ended_slice */
	struct array late_ends;            /* struct late_end */
	uint64_t dropped; /* clocks.ended when some were dropped last */
	struct ready_parts parts;
};

/*
 * Prepares to find the WANTED longest waits and the DELAYS slices with the
 * longest delay. The caller may then set waits->parts.wanted. Takes no memory
 * yet. CLOCK must outlive them. A pass that has observer->waits needs
 * observer->slices.
 */
void gti_waits_init(struct waits *waits, size_t wanted, size_t delays,
		    const struct clock *clock,
		    const struct gtrace_allocator *memory);

void gti_waits_free(struct waits *waits);

/* Forgets all waits, to begin the pass again. */
void gti_waits_restart(struct waits *waits);

/*
 * Fills RESULTS after a pass that did not fail. Returns false if there is no
 * memory.
 */
bool gti_waits_results(struct waits *waits, struct wait_results *results);

/* ------------------------------------------------------ begin and finish -- */

/*
 * A pass begins: goroutines and processors are as assumed. STARTING: the world
 * is stopped until the number of processors is told.
 */
void gti_waits_start(struct waits *waits, bool starting);

/* The first event is at TICKS. */
void gti_waits_first(struct waits *waits, int64_t ticks);

/*
 * Before the first event: how things stood before the trace, probably. Nothing
 * changes if a pass before has found that out.
 */
void gti_waits_assume(struct waits *waits, const struct before_trace *before);

/* The frequency of the clock changed between the events at BEFORE and NOW. */
void gti_waits_change_clock(struct waits *waits, int64_t before, int64_t now);

/* The first event has been processed. What was before it began NOW. */
void gti_waits_origin(struct waits *waits, int64_t now);

/*
 * The last event was NOW: ends the waits that are not over. After that the
 * format begins no wait, and tells of the slices that still run.
 */
void gti_waits_finish(struct waits *waits, int64_t now);

/*
 * Whether a pass found other things than assumed, and is to be made again after
 * gti_waits_restart(). ENDED: observer->ended.
 */
bool gti_waits_mistaken(struct waits *waits, bool ended);

/* ------------------------------------------------ between files of waits -- */

/* Brings the clocks up to NOW. */
void gti_waits_settle(struct waits *waits, int64_t now);

/* A step begins NOW, up to which gti_waits_settle() has been called. */
void gti_waits_step(struct waits *waits, int64_t now);

/* A slice that a wait refers to. */
struct waited_slice {
	struct slice slice;
	uint64_t high; /* of its struct slice_wait */
	uint32_t references;
};

static inline uint64_t ended_length(const struct ended_slice *slice)
{
	return slice->busy - slice->from;
}

/* One less refers to RECORD, which can be NULL. */
void gti_waits_release(struct waits *waits, struct waited_slice *record);

/* Puts the slices that ended last where waits look for them. */
void gti_waits_add_fresh(struct waits *waits);

/* Fills in the slices that kept WAIT, of WAITER, up to waits->busy. */
void gti_waits_find_kept(struct waits *waits, const struct waiter *waiter,
			 struct wait *wait);

/* WAIT is forgotten. */
void gti_waits_release_kept(struct waits *waits, const struct wait *wait);

void gti_waits_forget_kept(struct waits *waits);

/* A whole wait of ROW is over. Times are in nanoseconds. */
void gti_waits_count(struct waits *waits, struct wait_counts *row,
		     uint64_t length, uint64_t busy, uint64_t stopped);

/* Whether each wait matters by itself. */
static inline bool waits_takes_all(const struct waits *waits)
{
	return (waits->filter != NULL && !waits->only_longest) ||
	       waits->profile != NULL || waits->parts.wanted != 0;
}

/* Waits shorter than LEAST are not among the longest. */
void gti_waits_set_least(struct waits *waits, int64_t least);

/* Fills in the rows of RESULTS. Returns false if there is no memory. */
bool gti_waits_rows(struct waits *waits, struct wait_results *results);

void gti_waits_free_rows(struct waits *waits);

#endif /* GTRACE_ANALYSIS_WAITS_H_ */
