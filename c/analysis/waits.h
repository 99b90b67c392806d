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

#include "analysis/slices.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/pool.h"
#include "model/event.h"

/* --------------------------------------------------------------- results -- */

/* At most so many slices are listed as those that kept a wait. */
#define WAIT_KEPT_MAX 3

/* A slice that kept a wait. */
struct kept_slice {
	/* Its `inside.call_ticks` is set where the format times calls. */
	const struct slice *slice;
	int64_t overlap; /* with busy time of the wait, in nanoseconds */
};

/* One of the longest waits. Times are in nanoseconds, except for ticks. */
struct wait {
	struct event_ref ready; /* the event; its origin is its walk back */
	int64_t start;          /* of the wait, in ticks */
	int64_t length, busy, idle, stopped;
	uint64_t g;
	uint64_t order;    /* of ready events at one time */
	bool before;       /* it began before the trace */
	bool over;         /* the goroutine ran */
	int64_t ran_ticks; /* of the event with which it ran, if over */
	int64_t ran_p;     /* and its processor */
	struct kept_slice kept[WAIT_KEPT_MAX]; /* longest overlap first */
	unsigned kept_count;
	uint64_t kept_more; /* slices that are not in `kept` */
	int64_t kept_more_overlap;
	int64_t kept_none; /* processor time that no slice overlaps */
};

/* The whole waits that began with one type of event, or all. */
struct wait_row {
	uint32_t type; /* of the event; 0: all types */
	uint64_t count;
	int64_t sum, median, p99, p999, max;
	int64_t busy, idle, stopped; /* sums */
};

#define WAIT_ROWS_MAX EVENT_TYPES

/* What was found. All that it points to belongs to the struct waits. */
struct wait_results {
	/* How many waits there were. One of the last two kinds is not whole. */
	uint64_t whole, before, unfinished;
	/* A row for each type that has whole waits, by type. */
	struct wait_row rows[WAIT_ROWS_MAX];
	size_t row_count;
	struct wait_row all; /* the sum of these rows */
	/* The longest waits, in the order of the report. */
	const struct wait *waits;
	size_t wait_count;
	/* Busy time of all waits; its part behind slices. Nanoseconds. */
	int64_t waited, behind;
	/* The slices with the longest `delay`, in the order of the report. */
	const struct slice *slices;
	size_t slice_count;
};

/* -------------------------------------------------------------- analysis -- */

/* A number of 128 bits. Sums and differences wrap around. */
struct wide {
	uint64_t low, high;
};

static ALWAYS_INLINE struct wide wide_sum(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){low, a.high + b.high + (low < b.low)};
}

static ALWAYS_INLINE struct wide wide_difference(struct wide a, struct wide b)
{
	return (struct wide){a.low - b.low, a.high - b.high - (a.low < b.low)};
}

/*
 * Delays are shared out in units of which a nanosecond has so many, so that
 * each processor gets nearly as much as the others.
 */
#define SHARES_SHIFT 10
#define SHARES       ((uint64_t)1 << SHARES_SHIFT)

/* SHARED in nanoseconds, rounded down. */
static ALWAYS_INLINE int64_t wide_ns(struct wide shared)
{
	return (int64_t)(shared.low >> SHARES_SHIFT |
			 shared.high << (64 - SHARES_SHIFT));
}

/* What passes while goroutines wait, in nanoseconds since the first event. */
struct wait_clocks {
	uint64_t busy;
	uint64_t stopped;
	uint64_t held;  /* sum over all processors that are held, busy time */
	uint64_t alone; /* the part of it in which no slice ran there */
	uint64_t ended; /* slices that may have kept a wait, a number */
};

/* A goroutine that waits, or does not: in the format's record of it. */
struct waiter {
	struct event_ref ready; /* type 0: it does not wait */
	/* The row in which the wait counts; 0: it began before the trace. */
	uint32_t row;
	int64_t since;             /* see waits_time() */
	struct wait_clocks clocks; /* as of that time */
	uint64_t order;            /* see struct wait */
};

/* What the analysis knows of a slice that has not ended. */
struct slice_wait {
	uint64_t busy;               /* wait_clocks.busy at its start */
	struct wide shared;          /* waits->shared at its start */
	struct waited_slice *record; /* if a wait refers to it, or NULL */
};

/* A slice that has ended while goroutines waited. */
struct ended_slice {
	uint64_t busy;   /* wait_clocks.busy at its end */
	uint64_t length; /* the busy part */
	uint64_t serial;
	int64_t p;
	uint64_t g;
	int64_t start, end; /* ticks */
	int64_t calls;      /* ticks */
	uint64_t offset;    /* of the event that ended it */
	uint64_t stack;     /* and so on */
	struct origin origin;
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

/* How to find what is in the records of a format. */
struct waits_format {
	/* Calls TAKE with TO for each slice that runs. */
	void (*each_running)(const void *context,
			     void (*take)(void *to, struct slice_wait *wait,
					  uint64_t serial),
			     void *to);
	/*
	 * Calls TAKE with TO for each goroutine that waits. Returns how many
	 * records were looked at.
	 */
	size_t (*each_waiter)(const void *context,
			      void (*take)(void *to, struct waiter *waiter,
					   uint64_t g),
			      void *to);
	const void *context;
};

/* What a trace tells, at its beginning, of how things stood before. */
struct before_trace {
	uint64_t ready, held;
	uint64_t procs; /* 0: not told */
};

struct waits {
	const struct gtrace_allocator *memory;
	const struct clock *clock;
	size_t wanted;        /* N of the longest waits; can be 0 */
	size_t delays_wanted; /* N of the slices with the longest delay */
	bool failed;          /* there was no memory: nothing else counts */
	struct waits_format format;

	/* The present step: the time in which all these stay as they are. */
	enum wait_time time;
	uint64_t ready; /* goroutines that wait */
	uint64_t held;  /* processors */
	uint64_t procs;
	bool stop;     /* the world is stopped */
	bool starting; /* likewise: before the first number of processors */
	int64_t from;  /* when the step began */
	uint64_t on;   /* slices that run; they can change within a step */
	int64_t on_since;
	/* As of `from`; those `alone` as of `on_since`. */
	struct wait_clocks clocks;
	struct wide shared; /* what each processor got so far */
	uint64_t waited;    /* busy time of all waits */
	struct wide behind; /* what the slices that ended got */

	/* How things stood before the trace: as assumed, and as found. */
	struct before_trace assumed, found;
	bool first_generation; /* what a status tells is found */
	bool settled;          /* what is assumed was found by a pass */
	bool begun;            /* `origin` is known */
	int64_t origin;

	int64_t least_length; /* shorter waits are not among the longest */
	int64_t fast_length;  /* shorter ones need only be counted */
	struct array longest; /* struct wait, a heap */
	uint64_t before, unfinished;
	struct wait_counts *rows[WAIT_ROWS_MAX]; /* by type */
	int64_t least_delay;  /* others are not among those delayed longest */
	struct array delayed; /* struct slice, a heap */

	/* For slices that kept a wait, see waits_kept.c. */
	struct pool records;       /* struct waited_slice */
	struct ended_slice *fresh; /* FRESH_MAX places */
	size_t fresh_count;
	struct array ended[WAIT_KEPT_MAX]; /* struct ended_slice */
	struct array late_ends;            /* struct late_end */
	size_t kept_max;     /* of all these; more are looked through */
	uint64_t last_ready; /* clocks.busy when the last wait began */
	int64_t last;        /* time of the last event */
};

/*
 * Prepares to find the WANTED longest waits and the DELAYS slices with the
 * longest delay. Takes no memory yet. CLOCK must outlive them. A pass that has
 * observer->waits needs observer->stops and observer->slices.
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

/* ----------------------------------------------------------------- steps -- */

/* TICKS as a time, as all functions below are given it. In nanoseconds. */
static inline int64_t waits_time(const struct waits *waits, int64_t ticks)
{
	return waits->clock->ns_per_tick == 0 ? ticks
					      : clock_ns(waits->clock, ticks);
}

/* waits_share() for any numbers. */
struct wide gti_waits_share(const struct waits *waits, uint64_t length);

/* What each processor that is held gets in LENGTH of the present step. */
static ALWAYS_INLINE struct wide waits_share(const struct waits *waits,
					     uint64_t length)
{
	uint64_t ready = waits->ready, held = waits->held;

	if (LIKELY((length | ready << SHARES_SHIFT) <= UINT32_MAX) &&
	    LIKELY(held != 0))
		return (struct wide){length * ready * SHARES / held, 0};
	return gti_waits_share(waits, length);
}

/* The time from one to a later one. */
static ALWAYS_INLINE uint64_t waits_since(int64_t from, int64_t now)
{
	return (uint64_t)now - (uint64_t)from;
}

/* Busy time up to NOW. */
static ALWAYS_INLINE uint64_t waits_busy(const struct waits *waits, int64_t now)
{
	if (waits->time != TIME_BUSY)
		return waits->clocks.busy;
	return waits->clocks.busy + waits_since(waits->from, now);
}

/* What each processor got up to NOW. */
static ALWAYS_INLINE struct wide waits_shared(const struct waits *waits,
					      int64_t now)
{
	if (waits->time != TIME_BUSY || waits->ready == 0 || waits->from == now)
		return waits->shared;
	return wide_sum(waits->shared,
			waits_share(waits, waits_since(waits->from, now)));
}

/* Adds the time in which as many slices ran as do up to NOW. */
static ALWAYS_INLINE void waits_settle_slices(struct waits *waits, int64_t now)
{
	if (waits->time != TIME_BUSY)
		return;
	waits->clocks.alone +=
		waits_since(waits->on_since, now) * (waits->held - waits->on);
	waits->on_since = now;
}

/* The rest of waits_settle() if the world is stopped. */
static inline void waits_settle_stop(struct waits *waits, int64_t now)
{
	if (waits->time == TIME_STOPPED)
		waits->clocks.stopped += waits_since(waits->from, now);
}

/* The present step ends NOW. In idle time there is nothing to be done. */
static ALWAYS_INLINE void waits_settle(struct waits *waits, int64_t now)
{
	uint64_t length;

	if (waits->time == TIME_IDLE)
		return;
	waits_settle_stop(waits, now);
	waits_settle_slices(waits, now);
	length = waits_since(waits->from, now);
	waits->from = now;
	if (waits->time != TIME_BUSY)
		return;
	waits->clocks.busy += length;
	waits->clocks.held += length * waits->held;
	if (waits->ready == 0)
		return;
	waits->waited += length * waits->ready;
	waits->shared = wide_sum(waits->shared, waits_share(waits, length));
}

/* After a change of what decides about the time: a step begins NOW. */
static ALWAYS_INLINE void waits_step(struct waits *waits, int64_t now)
{
	waits->time = UNLIKELY(waits->stop || waits->starting) ? TIME_STOPPED
		      : waits->held < waits->procs             ? TIME_IDLE
							       : TIME_BUSY;
	waits->from = now;
	waits->on_since = now;
}

/* ----------------------------------------------------------- transitions -- */

/* There are PROCS processors. */
void gti_waits_procs(struct waits *waits, uint64_t procs, int64_t now);

/* A stop of the world begins, or ends. */
void gti_waits_stop(struct waits *waits, bool begins, int64_t now);

/* A processor is held, or given up. */
static ALWAYS_INLINE void waits_hold(struct waits *waits, bool held,
				     int64_t now)
{
	waits_settle(waits, now);
	waits->held += held ? 1 : (uint64_t)-1;
	waits_step(waits, now);
}

static ALWAYS_INLINE bool waits_is_waiting(const struct waiter *waiter)
{
	return waiter->ready.type != 0;
}

/* WAITER, which does not wait, begins to. The caller sets waiter->ready. */
static ALWAYS_INLINE void waits_begin(struct waits *waits,
				      struct waiter *waiter, uint32_t row,
				      int64_t now)
{
	waits_settle(waits, now);
	waits->ready++;
	waits->last_ready = waits->clocks.busy;
	waiter->row = row;
	waiter->since = now;
	waiter->clocks = waits->clocks;
}

/*
 * WAITER turns out to wait since before the trace. The caller sets
 * waiter->ready.
 */
void gti_waits_began_before(struct waits *waits, struct waiter *waiter);

/* A processor turns out to be held, since before the trace or since NOW. */
void gti_waits_be_held(struct waits *waits, bool before, int64_t now);

/* How many waits of each length there were. */
#define COUNTS_PAGE_SHIFT 10
#define COUNTS_PAGE       (1 << COUNTS_PAGE_SHIFT)
#define COUNTS_PAGES      1024
#define WAIT_SHORT        ((int64_t)COUNTS_PAGES << COUNTS_PAGE_SHIFT)

struct wait_counts {
	/* Of those shorter than WAIT_SHORT. A page can be NULL. */
	uint64_t *pages[COUNTS_PAGES];
	struct array longer;    /* int64_t: all others */
	uint64_t busy, stopped; /* sums */
};

/* The rest of waits_run(). */
void gti_waits_run(struct waits *waits, struct waiter *waiter, uint64_t g,
		   int64_t ticks, int64_t p, int64_t now);

/* Goroutine G runs, by an event at TICKS on processor P, NOW. */
static ALWAYS_INLINE void waits_run(struct waits *waits, struct waiter *waiter,
				    uint64_t g, int64_t ticks, int64_t p,
				    int64_t now)
{
	struct wait_counts *counts;
	uint64_t length, *page;

	if (UNLIKELY(!waits_is_waiting(waiter)))
		return;
	waits_settle(waits, now);
	waits->ready--;
	length = waits_since(waiter->since, now);
	counts = waits->rows[waiter->row];
	if (UNLIKELY(length >= (uint64_t)waits->fast_length) ||
	    UNLIKELY(counts == NULL) ||
	    UNLIKELY((page = counts->pages[length >> COUNTS_PAGE_SHIFT]) ==
		     NULL)) {
		gti_waits_run(waits, waiter, g, ticks, p, now);
		return;
	}
	page[length % COUNTS_PAGE]++;
	counts->busy += waits->clocks.busy - waiter->clocks.busy;
	counts->stopped += waits->clocks.stopped - waiter->clocks.stopped;
	waiter->ready.type = 0;
}

/* If WAITER waits, that wait is taken back. */
void gti_waits_take_back(struct waits *waits, struct waiter *waiter,
			 int64_t now);

/* A slice starts NOW. */
static ALWAYS_INLINE void waits_slice(struct waits *waits,
				      struct slice_wait *slice, int64_t now)
{
	waits_settle_slices(waits, now);
	waits->on++;
	slice->busy = waits_busy(waits, now);
	slice->shared = waits_shared(waits, now);
}

/* The delay of SLICE up to NOW. */
static inline int64_t waits_delay(const struct waits *waits,
				  const struct slice_wait *slice, int64_t now)
{
	return wide_ns(
		wide_difference(waits_shared(waits, now), slice->shared));
}

/*
 * SLICE ends NOW. Returns whether it matters: whether gti_waits_slice_ended()
 * is to be called.
 */
static ALWAYS_INLINE bool waits_slice_ends(struct waits *waits,
					   const struct slice_wait *slice,
					   int64_t now)
{
	struct wide delay;

	waits_settle_slices(waits, now);
	waits->on--;
	if (waits_busy(waits, now) == slice->busy)
		return false;
	delay = wide_difference(waits_shared(waits, now), slice->shared);
	waits->behind = wide_sum(waits->behind, delay);
	return waits->ready != 0 || wide_ns(delay) >= waits->least_delay ||
	       slice->record != NULL;
}

/* -------------------------------------------------------- ends of slices -- */

/*
 * SLICE, with its delay, is the one that WAIT is of; it has ended, or still
 * runs at the end of the trace. It has no samples.
 */
void gti_waits_slice_ended(struct waits *waits, struct slice_wait *wait,
			   const struct slice *slice);

/* Whether gti_waits_slice_ended() need not be called for the slice of WAIT. */
static inline bool waits_needs_no_slice(const struct waits *waits,
					const struct slice_wait *wait,
					int64_t now)
{
	return wait->record == NULL &&
	       waits_delay(waits, wait, now) < waits->least_delay;
}

/*
 * The slice of WAIT has ended NOW, while goroutines waited. Returns a place in
 * which the caller sets all that is not about time. NULL: there is no memory.
 */
struct ended_slice *gti_waits_keep_ended(struct waits *waits,
					 struct slice_wait *wait, int64_t now);

/* The slice of WAIT has ended, and gti_waits_keep_ended() was not called. */
void gti_waits_forget_slice(struct waits *waits, struct slice_wait *wait);

/* ------------------------------------------------------- begin and finish --
 */

/*
 * A pass begins: goroutines and processors are as assumed. STARTING: the world
 * is stopped until the number of processors is told.
 */
void gti_waits_start(struct waits *waits, const struct waits_format *format,
		     bool starting);

/* The first event is at TICKS. */
void gti_waits_first(struct waits *waits, int64_t ticks);

/*
 * Before the first event: how things stood before the trace, probably. Nothing
 * changes if a pass before has found that out.
 */
void gti_waits_assume(struct waits *waits, const struct before_trace *before);

/* The first event has been processed. What was before it began NOW. */
void gti_waits_origin(struct waits *waits, int64_t now);

/*
 * The last event was NOW: ends the waits that are not over. After that the
 * format tells of the slices that still run.
 */
void gti_waits_finish(struct waits *waits, int64_t now);

/* Whether a pass found other things than assumed, which it assumes then. */
bool gti_waits_mistaken(struct waits *waits);

/* ------------------------------------------------- between files of waits --
 */

/* A slice that a wait refers to. */
struct waited_slice {
	struct slice slice;
	uint32_t references;
};

/* Fills in the slices that kept WAIT, of WAITER, up to waits->from. */
void gti_waits_find_kept(struct waits *waits, const struct waiter *waiter,
			 struct wait *wait);

/* WAIT is forgotten. */
void gti_waits_release_kept(struct waits *waits, const struct wait *wait);

void gti_waits_forget_kept(struct waits *waits);

/* Adds WAIT to the row of TYPE. Returns false if there is no memory. */
bool gti_waits_count(struct waits *waits, uint32_t type,
		     const struct wait *wait);

/* Fills in the rows of RESULTS. Returns false if there is no memory. */
bool gti_waits_rows(struct waits *waits, struct wait_results *results);

void gti_waits_free_rows(struct waits *waits);

#endif /* GTRACE_ANALYSIS_WAITS_H_ */
