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

/* waits_share() for any numbers. */
struct wide gti_waits_share(const struct waits *waits, uint64_t length);

/* What each processor that is held gets in LENGTH of the present step. */
static ALWAYS_INLINE struct wide waits_share(const struct waits *waits,
					     uint64_t length)
{
	uint64_t ready = waits->ready, held = waits->clocks.held;

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

/* The rest of waits_settle() for time that is not idle. */
static ALWAYS_INLINE void waits_settle_rest(struct waits *waits, int64_t now)
{
	uint64_t length = waits_since(waits->from, now);

	waits->from = now;
	if (UNLIKELY(waits->time == TIME_STOPPED)) {
		waits->clocks.stopped += length;
		return;
	}
	waits->clocks.busy += length;
	if (waits->ready != 0)
		waits->shared =
			wide_sum(waits->shared, waits_share(waits, length));
}

/* The present step ends NOW. In idle time there is nothing to be done. */
static ALWAYS_INLINE void waits_settle(struct waits *waits, int64_t now)
{
	if (waits->time != TIME_IDLE)
		waits_settle_rest(waits, now);
}

/* After a change of what decides about the time: a step begins NOW. */
static ALWAYS_INLINE void waits_step(struct waits *waits, int64_t now)
{
	waits->time = UNLIKELY(waits->stop || waits->starting) ? TIME_STOPPED
		      : waits->clocks.held < waits->procs      ? TIME_IDLE
							       : TIME_BUSY;
	waits->from = now;
}

/* ----------------------------------------------------------- transitions -- */

/* There are PROCS processors. Returns as gti_waits_began_before() does. */
bool gti_waits_procs(struct waits *waits, uint64_t procs, int64_t now);

/* A stop of the world begins, or ends. */
void gti_waits_stop(struct waits *waits, bool begins, int64_t now);

/* A processor is held, or given up. */
static ALWAYS_INLINE void waits_hold(struct waits *waits, bool held,
				     int64_t now)
{
	waits_settle(waits, now);
	waits->clocks.held += held ? 1 : (uint64_t)-1;
	waits->clocks.held_base +=
		held ? -waits->clocks.busy : waits->clocks.busy;
	waits_step(waits, now);
}

static ALWAYS_INLINE bool waits_is_waiting(const struct waiter *waiter)
{
	return waiter->ready.type != 0;
}

/*
 * WAITER, which does not wait, begins to; waits_settle() has been called. The
 * caller sets waiter->ready.
 */
static ALWAYS_INLINE void waits_begin(struct waits *waits,
				      struct waiter *waiter, uint32_t row,
				      int64_t now)
{
	waits->ready++;
	waits->last_ready = waits->clocks.busy;
	waiter->row = row;
	waiter->since = now;
	waiter->clocks = waits->clocks;
}

/*
 * WAITER turns out to wait since before the trace; the caller has set
 * waiter->ready. Returns false if that was not assumed, and another pass can
 * know it: then the format ends the pass.
 */
bool gti_waits_began_before(struct waits *waits, struct waiter *waiter);

/*
 * A processor turns out to be held, since before the trace or since NOW.
 * Returns as gti_waits_began_before() does.
 */
bool gti_waits_be_held(struct waits *waits, bool before, int64_t now);

/* How many waits of each length there were. */
#define COUNTS_PAGE_SHIFT 10
#define COUNTS_PAGE       (1 << COUNTS_PAGE_SHIFT)
#define COUNTS_PAGES      128
#define WAIT_SHORT        ((int64_t)COUNTS_PAGES << COUNTS_PAGE_SHIFT)

struct wait_counts {
	/* Of those shorter than WAIT_SHORT. A page can be NULL. */
	uint64_t *pages[COUNTS_PAGES];
	struct array longer;    /* int64_t: all others */
	uint64_t busy, stopped; /* sums */
};

/* The rest of waits_ran(). */
void gti_waits_run(struct waits *waits, struct waiter *waiter, uint64_t g,
		   int64_t ticks, int64_t p, int64_t now);

/*
 * Goroutine G, which waits, runs by an event at TICKS on processor P, NOW.
 * waits_settle() has been called.
 */
static ALWAYS_INLINE void waits_ran(struct waits *waits, struct waiter *waiter,
				    uint64_t g, int64_t ticks, int64_t p,
				    int64_t now)
{
	struct wait_counts *counts;
	uint64_t length, *page;

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

/* Goroutine G runs, likewise, if it waits. */
static ALWAYS_INLINE void waits_run(struct waits *waits, struct waiter *waiter,
				    uint64_t g, int64_t ticks, int64_t p,
				    int64_t now)
{
	if (UNLIKELY(!waits_is_waiting(waiter)))
		return;
	waits_settle(waits, now);
	waits_ran(waits, waiter, g, ticks, p, now);
}

/* If WAITER waits, that wait is taken back. */
void gti_waits_take_back(struct waits *waits, struct waiter *waiter,
			 int64_t now);

/* A slice starts NOW. */
static ALWAYS_INLINE void waits_slice(struct waits *waits,
				      struct slice_wait *slice, int64_t now)
{
	slice->busy = waits_busy(waits, now);
	slice->shared = waits_shared(waits, now);
	waits->clocks.on++;
	waits->clocks.on_base -= slice->busy;
}

/* The delay of SLICE up to NOW. */
static inline int64_t waits_delay(const struct waits *waits,
				  const struct slice_wait *slice, int64_t now)
{
	return wide_ns(
		wide_difference(waits_shared(waits, now), slice->shared));
}

/* The slice of WAIT ends NOW, and did not while BUSY was what it is. */
static ALWAYS_INLINE struct ended_slice *
waits_easy_place(struct waits *waits, const struct slice_wait *wait,
		 struct wide delay, uint64_t busy)
{
	struct ended_slice *ended = &waits->fresh[waits->fresh_count];

	if (UNLIKELY(wide_ns(delay) >= waits->least_delay) ||
	    UNLIKELY(wait->record != NULL) ||
	    UNLIKELY(waits->fresh_count == waits->fresh_max) ||
	    UNLIKELY(busy == waits->last_ready))
		return NULL;
	waits->fresh_count++;
	waits->clocks.ended++;
	ended->busy = busy;
	ended->length = busy - wait->busy;
	ended->record = NULL;
	return ended;
}

/*
 * The slice of WAIT ends NOW. Returns whether it matters: then the caller sets
 * the rest of *EASY, or calls gti_observe_waited() if that is NULL.
 */
static ALWAYS_INLINE bool waits_slice_ends(struct waits *waits,
					   const struct slice_wait *wait,
					   struct ended_slice **easy,
					   int64_t now)
{
	uint64_t busy = waits_busy(waits, now);
	struct wide delay;

	waits->clocks.on--;
	waits->clocks.on_base += busy;
	if (busy == wait->busy)
		return false;
	delay = wide_difference(waits_shared(waits, now), wait->shared);
	waits->behind = wide_sum(waits->behind, delay);
	waits->delay = delay;
	if (waits->ready == 0) {
		*easy = NULL;
		return wide_ns(delay) >= waits->least_delay ||
		       wait->record != NULL;
	}
	*easy = waits_easy_place(waits, wait, delay, busy);
	return true;
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

#endif /* GTRACE_ANALYSIS_WAITS_HOOKS_H_ */
