/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_hooks.h - what a format's steps tell the analysis of waits.
 *
 * A *step* is the time in which neither the number of goroutines that wait nor
 * that of processors that are held changes, nor what else decides whether time
 * is busy.
 */
#ifndef GTRACE_ANALYSIS_WAITS_HOOKS_H_
#define GTRACE_ANALYSIS_WAITS_HOOKS_H_

#include "analysis/waits.h"

/* ----------------------------------------------------------------- steps -- */

/* TICKS as a time, as all functions below are given it. In nanoseconds. */
static inline int64_t waits_time(const struct waits *waits, int64_t ticks)
{
	return waits->clock->ns_per_tick == 0 ? ticks
					      : clock_ns(waits->clock, ticks);
}

/* The time from one to a later one. */
static ALWAYS_INLINE uint64_t waits_since(int64_t from, int64_t now)
{
	return (uint64_t)now - (uint64_t)from;
}

/* Brings all clocks up to NOW. If a step ENDS then, the next one begins. */
void gti_waits_catch_up(struct waits *waits, int64_t now, bool ends);

/*
 * Busy time up to NOW. ENDS: the number of goroutines that wait is about to
 * change.
 */
static ALWAYS_INLINE uint64_t waits_busy(struct waits *waits, int64_t now,
					 bool ends)
{
	if (LIKELY(now < waits->until))
		return (uint64_t)now + waits->ahead;
	if (waits->time != TIME_IDLE)
		gti_waits_catch_up(waits, now, ends);
	return waits->busy;
}

/* What each processor got up to BUSY, without waits->high. */
static ALWAYS_INLINE uint64_t waits_shared(const struct waits *waits,
					   uint64_t busy)
{
	return waits->shared +
	       (waits->ready * busy + waits->base) * waits->rate;
}

/* ----------------------------------------------------------- transitions -- */

/* There are PROCS processors. Returns as gti_waits_began_before() does. */
bool gti_waits_procs(struct waits *waits, uint64_t procs, int64_t now);

/* A stop-the-world pause begins, or ends. */
void gti_waits_stop(struct waits *waits, bool begins, int64_t now);

/* A processor is held, or given up. */
void gti_waits_hold(struct waits *waits, bool held, int64_t now);

static ALWAYS_INLINE bool waits_is_waiting(const struct waiter *waiter)
{
	return waiter->row != NULL;
}

/* WAITER, of goroutine G, is to be after EARLIER in the ring. */
static ALWAYS_INLINE void waits_link(struct waiter *waiter, uint64_t g,
				     struct wait_link *earlier)
{
	struct wait_link *link = &waiter->link;

	waiter->g = g;
	link->earlier = earlier;
	link->later = earlier->later;
	link->later->earlier = link;
	earlier->later = link;
}

/* The wait of WAITER is over. */
static ALWAYS_INLINE void waits_unlink(struct waiter *waiter)
{
	waiter->link.earlier->later = waiter->link.later;
	waiter->link.later->earlier = waiter->link.earlier;
	waiter->row = NULL;
}

/*
 * WAITER, which does not wait, begins to by an event of TYPE of goroutine G.
 * The caller sets waiter->ready.
 */
static ALWAYS_INLINE void waits_begin(struct waits *waits,
				      struct waiter *waiter, uint64_t g,
				      uint32_t type, int64_t now)
{
	uint64_t busy = waits_busy(waits, now, true);

	waits_link(waiter, g, waits->waiters.earlier);
	waits->ready++;
	waits->base -= busy;
	waits->last_ready = busy;
	waiter->row = &waits->rows[type];
	waiter->busy = busy;
	waiter->since = now;
	waiter->clocks = waits->clocks;
}

/*
 * WAITER, of goroutine G, turns out to wait since before the trace; the caller
 * has set waiter->ready. Returns false if that was not assumed, and another
 * pass can know it: then the format ends the pass.
 */
bool gti_waits_began_before(struct waits *waits, struct waiter *waiter,
			    uint64_t g);

/*
 * A processor turns out to be held, since before the trace or since NOW.
 * Returns as gti_waits_began_before() does.
 */
bool gti_waits_be_held(struct waits *waits, bool before, int64_t now);

/* Waits shorter than so many nanoseconds are counted by their length. */
#define WAIT_SHORT 8192

/* The rest of waits_ran(). */
void gti_waits_run(struct waits *waits, struct waiter *waiter, int64_t ticks,
		   int64_t p, int64_t now, uint64_t busy);

/*
 * WAITER, which waits, runs by an event at TICKS on processor P, NOW, that is
 * BUSY.
 */
static ALWAYS_INLINE void waits_ran(struct waits *waits, struct waiter *waiter,
				    int64_t ticks, int64_t p, int64_t now,
				    uint64_t busy)
{
	struct wait_counts *row = waiter->row;
	uint64_t length = waits_since(waiter->since, now);

	waits->ready--;
	waits->base += busy;
	if (UNLIKELY(length >= row->fast) ||
	    UNLIKELY(waiter->since < waits->stopped_until)) {
		gti_waits_run(waits, waiter, ticks, p, now, busy);
		return;
	}
	row->counts[length]++;
	row->busy += busy - waiter->busy;
	waits_unlink(waiter);
}

/* WAITER runs, likewise, if it waits. */
static ALWAYS_INLINE void waits_run(struct waits *waits, struct waiter *waiter,
				    int64_t ticks, int64_t p, int64_t now)
{
	if (waits_is_waiting(waiter))
		waits_ran(waits, waiter, ticks, p, now,
			  waits_busy(waits, now, true));
}

/* If WAITER waits, that wait is taken back. */
void gti_waits_take_back(struct waits *waits, struct waiter *waiter,
			 int64_t now);

/* SLICE, which has a serial, starts when the clocks are BUSY. */
static ALWAYS_INLINE void
waits_add_running(struct waits *waits, struct slice_wait *slice, uint64_t busy)
{
	slice->later = &waits->running;
	slice->earlier = waits->running.earlier;
	slice->earlier->later = slice;
	waits->running.earlier = slice;
	if (busy != waits->started_at)
		waits->started = 0;
	waits->started_at = busy;
	waits->started++;
}

/* SLICE ends when the clocks are BUSY. */
static ALWAYS_INLINE void waits_remove_running(struct waits *waits,
					       const struct slice_wait *slice,
					       uint64_t busy)
{
	slice->earlier->later = slice->later;
	slice->later->earlier = slice->earlier;
	waits->started -= slice->busy == waits->started_at;
	waits->clocks.on--;
	waits->clocks.on_base += busy;
}

/* The slice with SERIAL starts now, that is at BUSY. */
static ALWAYS_INLINE void waits_slice(struct waits *waits,
				      struct slice_wait *slice, uint64_t serial,
				      uint64_t busy)
{
	slice->serial = serial;
	waits_add_running(waits, slice, busy);
	slice->busy = busy;
	slice->shared = waits_shared(waits, busy);
	slice->high = waits->high;
	slice->waited = 0;
	waits->clocks.on++;
	waits->clocks.on_base -= busy;
}

/*
 * SLICE, with SERIAL, starts on processor P, by an event at TICKS with which
 * WAITER runs.
 */
static ALWAYS_INLINE void waits_start(struct waits *waits,
				      struct waiter *waiter,
				      struct slice_wait *slice, uint64_t serial,
				      int64_t ticks, int64_t p, int64_t now)
{
	bool waiting = waits_is_waiting(waiter);
	uint64_t busy = waits_busy(waits, now, waiting);

	waits_slice(waits, slice, serial, busy);
	if (UNLIKELY(!waiting))
		return;
	slice->waited = waits_since(waiter->since, now) + 1;
	waits_ran(waits, waiter, ticks, p, now, busy);
}

/* The delay of SLICE up to NOW, and what it is in SHARES. */
int64_t gti_waits_delay(struct waits *waits, const struct slice_wait *slice,
			int64_t now);

/* SLICE, which is to have ended NOW, got its delay, too long to be SHARED. */
void gti_waits_add_delay(struct waits *waits, const struct slice_wait *slice,
			 int64_t now);

/*
 * The slice of WAIT ends when the clocks are BUSY, while goroutines wait.
 * Returns the place for it, NULL if gti_waits_keep_ended() has to look for one.
 */
static ALWAYS_INLINE struct ended_slice *
waits_easy_place(struct waits *waits, const struct slice_wait *wait,
		 uint64_t busy)
{
	struct ended_slice *ended = waits->fresh_next;

	if (UNLIKELY(ended == waits->fresh_end) ||
	    UNLIKELY(busy == waits->last_ready))
		return NULL;
	waits->fresh_next = ended + 1;
	waits->clocks.ended++;
	ended->busy = busy;
	ended->from = wait->busy;
	ended->record = NULL;
	return ended;
}

/*
 * The slice of WAIT ends NOW. Returns whether it matters: then the caller sets
 * what is not about time of *EASY, or calls gti_observe_waited() if that is
 * NULL.
 */
static ALWAYS_INLINE bool waits_slice_ends(struct waits *waits,
					   const struct slice_wait *wait,
					   struct ended_slice **easy,
					   int64_t now)
{
	uint64_t busy = waits_busy(waits, now, false);
	uint64_t shared;

	*easy = NULL;
	waits->slice_waited = wait->waited;
	waits_remove_running(waits, wait, busy);
	if (busy == wait->busy)
		return false;
	shared = waits_shared(waits, busy) - wait->shared;
	if (UNLIKELY(wait->high != waits->high)) {
		gti_waits_add_delay(waits, wait, now);
		return true;
	}
	waits->delay.low = shared;
	waits->behind.low += shared;
	waits->behind.high += waits->behind.low < shared;
	if (UNLIKELY(shared >= waits->least_shared))
		return true;
	if (waits->ready == 0)
		return false;
	*easy = waits_easy_place(waits, wait, busy);
	return *easy != NULL || waits->wanted != 0;
}

/* -------------------------------------------------------- ends of slices -- */

/*
 * SLICE, with its delay, is the one that WAIT is of; it has ended, or still
 * runs at the end of the trace. It has no samples.
 */
void gti_waits_slice_ended(struct waits *waits, struct slice_wait *wait,
			   const struct slice *slice);

/*
 * The slice of WAIT has ended NOW, while goroutines waited. Returns a place in
 * which the caller sets all that is not about time. NULL: there is no memory.
 */
struct ended_slice *gti_waits_keep_ended(struct waits *waits,
					 struct slice_wait *wait, int64_t now);

/* The slice of WAIT has ended, and gti_waits_keep_ended() was not called. */
void gti_waits_forget_slice(struct waits *waits, struct slice_wait *wait);

#endif /* GTRACE_ANALYSIS_WAITS_HOOKS_H_ */
