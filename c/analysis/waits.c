/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - who waited for a processor, and what slices delayed. */
#include "analysis/waits.h"

#include "analysis/filter.h"
#include "analysis/profile.h"
#include "analysis/waits_hooks.h"
#include "base/least.h"
#include "base/times.h"

/* ---------------------------------------------------------------- orders -- */

/* The order of the longest waits, for base/top.h. */
static int compare_waits(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	if (x->ready.ticks != y->ready.ticks)
		return x->ready.ticks < y->ready.ticks ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* That of the slices with the longest delay. */
static int compare_delays(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->delay != y->delay)
		return x->delay > y->delay ? -1 : 1;
	return x->serial < y->serial ? -1 : x->serial > y->serial;
}

/* ------------------------------------------------------------ life cycle -- */

/* Slices with a shorter delay than LEAST do not matter. */
static void set_least_delay(struct waits *waits, int64_t least)
{
	waits->least_delay = least;
	waits->least_shared = (uint64_t)least <= UINT64_MAX / SHARES
				      ? (uint64_t)least * SHARES
				      : UINT64_MAX;
}

/* Nothing is known yet. */
static void begin_again(struct waits *waits)
{
	*waits = (struct waits){
		.memory = waits->memory,
		.clock = waits->clock,
		.profile = waits->profile,
		.filter = waits->filter,
		.wanted = waits->wanted,
		.delays_wanted = waits->delays_wanted,
		.assumed = waits->assumed,
		.settled = waits->settled,
		.look_at_all = waits->look_at_all,
		.until = INT64_MIN,
		.clock_changed = INT64_MIN,
		.least_length = waits->wanted != 0 ? 0 : INT64_MAX,
		.records = {.memory = waits->memory,
			    .size = sizeof(struct waited_slice)},
		.parts.wanted = waits->parts.wanted,
		.longest = {.wanted = waits->wanted,
			    .size = sizeof(struct wait),
			    .compare = compare_waits},
		.delayed = {.wanted = waits->delays_wanted,
			    .size = sizeof(struct slice),
			    .compare = compare_delays},
	};
	set_least_delay(waits, waits->delays_wanted != 0 ? 1 : INT64_MAX);
}

void gti_waits_init(struct waits *waits, size_t wanted, size_t delays,
		    const struct clock *clock,
		    const struct gtrace_allocator *memory)
{
	*waits = (struct waits){
		.memory = memory,
		.clock = clock,
		.wanted = wanted,
		.delays_wanted = delays,
	};
	begin_again(waits);
}

void gti_waits_free(struct waits *waits)
{
	if (waits->memory == NULL)
		return;
	top_free(&waits->longest, waits->memory);
	top_free(&waits->delayed, waits->memory);
	gti_waits_free_rows(waits);
	gti_ready_free(&waits->parts, waits->memory);
	gti_waits_forget_kept(waits);
}

void gti_waits_restart(struct waits *waits)
{
	gti_waits_free(waits);
	if (waits->profile != NULL)
		gti_profile_restart(waits->profile);
	begin_again(waits);
}

/* ------------------------------------------------------ before the trace -- */

void gti_waits_start(struct waits *waits, bool starting)
{
	waits->waiters.earlier = waits->waiters.later = &waits->waiters;
	waits->running.earlier = waits->running.later = &waits->running;
	waits->starting = starting;
	waits->stopped_until = starting ? INT64_MAX : INT64_MIN;
	waits->settled |= starting;
	waits->first_generation = true;
	gti_waits_assume(waits, &waits->assumed);
}

void gti_waits_first(struct waits *waits, int64_t ticks)
{
	if (waits->starting)
		gti_waits_step(waits, waits_time(waits, ticks));
}

void gti_waits_assume(struct waits *waits, const struct before_trace *before)
{
	if (!waits->settled)
		waits->assumed = *before;
	waits->looks_at_all = waits->look_at_all;
	waits->ready = waits->assumed.ready;
	waits->clocks.held = waits->assumed.held;
	waits->procs = waits->assumed.procs_told ? waits->assumed.procs : 1;
}

void gti_waits_origin(struct waits *waits, int64_t now)
{
	if (waits->begun)
		return;
	waits->begun = true;
	waits->origin = now;
	gti_waits_step(waits, now);
}

/* No time passes in between, for what is counted of busy and stopped time. */
void gti_waits_change_clock(struct waits *waits, int64_t before, int64_t now)
{
	if (!waits->begun)
		return; /* nothing was before */
	gti_waits_settle(waits, before);
	waits->clock_changed = now;
	if (waits->stopped_until < now)
		waits->stopped_until = now;
	gti_waits_step(waits, now);
}

/* Whether FOUND is what was ASSUMED. */
static bool is_right(const struct before_trace *found,
		     const struct before_trace *assumed)
{
	return found->ready == assumed->ready && found->held == assumed->held &&
	       found->procs == assumed->procs &&
	       found->procs_told == assumed->procs_told;
}

/*
 * Whether what was found so far can be what was assumed, unless the next pass
 * would assume no better.
 */
static bool is_likely(struct waits *waits)
{
	struct before_trace found = waits->found;
	const struct before_trace *assumed = &waits->assumed;

	if (waits->settled || waits->look_at_all)
		return true;
	/* What is still to be found. */
	if (found.ready < assumed->ready)
		found.ready = assumed->ready;
	if (found.held < assumed->held)
		found.held = assumed->held;
	if (!found.procs_told) {
		found.procs = assumed->procs;
		found.procs_told = assumed->procs_told;
	}
	waits->look_at_all = !is_right(&found, assumed);
	return !waits->look_at_all;
}

bool gti_waits_began_before(struct waits *waits, struct waiter *waiter,
			    uint64_t g)
{
	int64_t now = waits_time(waits, waiter->ready.ticks);

	waits_link(waiter, g, &waits->waiters);
	waits->found.ready++;
	waiter->row = &waits->rows[WAIT_BEFORE];
	waiter->since = waits->begun ? waits->origin : now;
	waiter->busy = 0;
	waiter->clocks = (struct wait_clocks){0};
	return is_likely(waits);
}

bool gti_waits_be_held(struct waits *waits, bool before, int64_t now)
{
	if (before && waits->first_generation)
		waits->found.held++;
	else
		gti_waits_hold(waits, true, now);
	return is_likely(waits);
}

bool gti_waits_procs(struct waits *waits, uint64_t procs, int64_t now)
{
	if (!waits->found.procs_told) {
		waits->found.procs = procs;
		waits->found.procs_told = true;
	}
	if (procs == waits->procs && !waits->starting)
		return is_likely(waits);
	gti_waits_settle(waits, now);
	waits->procs = procs;
	if (waits->starting && !waits->stop)
		waits->stopped_until = now;
	waits->starting = false;
	gti_waits_step(waits, now);
	return is_likely(waits);
}

bool gti_waits_mistaken(struct waits *waits, bool ended)
{
	if (waits->settled || is_right(&waits->found, &waits->assumed))
		return false;
	if (waits->look_at_all && !waits->looks_at_all)
		return true;
	if (ended)
		return false;
	waits->assumed = waits->found;
	waits->settled = true;
	return true;
}

/* ---------------------------------------------------------- longest ones -- */

/* Adds WAIT to the longest ones, in the place of the last of them. */
static void keep_wait(struct waits *waits, const struct waiter *waiter,
		      struct wait *wait)
{
	struct top *longest = &waits->longest;
	struct wait *place =
		gti_top_find(longest, wait, waits->memory, &waits->failed);

	if (place == NULL)
		return;
	gti_waits_find_kept(waits, waiter, wait);
	if (top_is_full(longest))
		gti_waits_release_kept(waits, place);
	*place = *wait;
	gti_top_place(longest);
	if (top_is_full(longest))
		gti_waits_set_least(
			waits,
			((const struct wait *)longest->kept.items)->length);
}

/* Adds SLICE to those with the longest delay. */
static void keep_delayed(struct waits *waits, const struct slice *slice)
{
	struct top *delayed = &waits->delayed;
	struct slice *place =
		gti_top_find(delayed, slice, waits->memory, &waits->failed);

	if (place == NULL)
		return;
	*place = *slice;
	gti_top_place(delayed);
	if (top_is_full(delayed))
		set_least_delay(
			waits,
			((const struct slice *)delayed->kept.items)->delay);
}

/* ----------------------------------------------------------------- waits -- */

/* The wait of WAITER up to NOW, up to which gti_waits_settle() has been called.
 */
static struct wait wait_until(const struct waits *waits,
			      const struct waiter *waiter, int64_t now)
{
	const struct wait_clocks *since = &waiter->clocks;
	struct wait wait = {
		.ready = waiter->ready,
		.start = waiter->ready.ticks,
		.length = (int64_t)waits_since(waiter->since, now),
		.busy = (int64_t)(waits->busy - waiter->busy),
		.stopped = (int64_t)(waits->clocks.stopped - since->stopped),
		.g = waiter->g,
		.order = waiter->order,
		.before = waiter->row == &waits->rows[WAIT_BEFORE],
		.clock_changed = waiter->since < waits->clock_changed,
	};

	wait.idle =
		ns_between(wait.stopped, ns_between(wait.busy, wait.length));
	if (wait.before && waits->begun)
		wait.start = waits->origin;
	return wait;
}

/* A stack without a name counts as none. */
static void add_to_profile(struct profile *profile, const struct wait *wait)
{
	const struct event_ref *ready = &wait->ready;
	uint64_t stack =
		ready->origin.packed != 0 ? ready->origin.stack : ready->stack;
	uint32_t near = 0;

	if (!gti_profile_add_other(profile, wait->g, stack, wait->length,
				   &near))
		gti_profile_add_other(profile, wait->g, 0, wait->length, &near);
}

/* Adds a wait from one time to another to waits->parts, if it is wanted. */
static void add_to_parts(struct waits *waits, int64_t from, int64_t to)
{
	const struct clock *clock = waits->clock;
	int64_t zero;

	if (LIKELY(waits->parts.wanted == 0))
		return;
	zero = clock->ns_per_tick == 0 ? clock->first_ticks : 0;
	if (!gti_ready_add(&waits->parts, (int64_t)waits_since(zero, from),
			   (int64_t)waits_since(zero, to), waits->memory))
		waits->failed = true;
}

/* A wait that is not whole has LENGTH in the trace. */
static void add_cut(struct waits *waits, int64_t length)
{
	struct gtrace_wait_report *sums = &waits->sums;

	sums->cut_sum = add_ns(sums->cut_sum, length);
	sums->cut_max = greatest_of(sums->cut_max, length);
}

/* WAITER waits no longer than NOW, for WAIT. */
static void end_wait(struct waits *waits, struct waiter *waiter,
		     struct wait *wait, int64_t now)
{
	bool passes = waits->filter == NULL ||
		      gti_filter_wait(waits->filter, waits->clock, wait);
	bool sums = passes && !wait->clock_changed;
	bool counts = sums && !wait->before && wait->over;

	waits->sums.clock_changed += passes && wait->clock_changed;
	waits->sums.before += sums && wait->before;
	waits->sums.unfinished += sums && !wait->before && !wait->over;
	if (sums && !counts)
		add_cut(waits, wait->length);
	if (counts)
		gti_waits_count(waits, waiter->row, (uint64_t)wait->length,
				(uint64_t)wait->busy, (uint64_t)wait->stopped);
	else
		waits->waited += (uint64_t)wait->busy;
	if (counts && waits->profile != NULL)
		add_to_profile(waits->profile, wait);
	if (passes)
		add_to_parts(waits, waiter->since, now);
	if (passes && wait->length >= waits->least_length)
		keep_wait(waits, waiter, wait);
	waits_unlink(waiter);
}

void gti_waits_run(struct waits *waits, struct waiter *waiter, int64_t ticks,
		   int64_t p, int64_t now, uint64_t busy)
{
	uint64_t length = waits_since(waiter->since, now);
	struct wait_counts *row = waiter->row;
	struct wait wait;

	if (LIKELY(length < (uint64_t)waits->least_length) &&
	    LIKELY(row != &waits->rows[WAIT_BEFORE]) &&
	    LIKELY(waiter->since >= waits->clock_changed) &&
	    LIKELY(waits->filter == NULL || waits->only_longest) &&
	    LIKELY(waits->profile == NULL)) {
		waits_unlink(waiter);
		if (waits->only_longest)
			return;
		gti_waits_count(waits, row, length, busy - waiter->busy,
				waits->clocks.stopped - waiter->clocks.stopped);
		add_to_parts(waits, waiter->since, now);
		return;
	}
	gti_waits_settle(waits, now);
	wait = wait_until(waits, waiter, now);
	wait.over = true;
	wait.ran_ticks = ticks;
	wait.ran_p = p;
	end_wait(waits, waiter, &wait, now);
}

void gti_waits_take_back(struct waits *waits, struct waiter *waiter,
			 int64_t now)
{
	uint64_t busy;

	if (!waits_is_waiting(waiter))
		return;
	busy = waits_busy(waits, now, true);
	waits->ready--;
	waits->base += busy;
	waits->waited += busy - waiter->busy;
	waits_unlink(waiter);
}

/* The one that began to wait first; NULL: none waits. */
static struct waiter *first_waiter(struct waits *waits)
{
	struct wait_link *link = waits->waiters.later;

	return link != &waits->waiters ? (struct waiter *)link : NULL;
}

void gti_waits_finish(struct waits *waits, int64_t now)
{
	struct waiter *waiter;
	struct wait wait;

	waits->last = now;
	gti_waits_settle(waits, now);
	waits->over = true;
	gti_waits_step(waits, now);
	while ((waiter = first_waiter(waits)) != NULL) {
		wait = wait_until(waits, waiter, now);
		end_wait(waits, waiter, &wait, now);
	}
	waits->ready = 0;
}

void gti_waits_slice_ended(struct waits *waits, struct slice_wait *wait,
			   const struct slice *slice)
{
	if (wait->record != NULL)
		wait->record->slice = *slice;
	if (slice->delay >= waits->least_delay &&
	    (waits->filter == NULL ||
	     gti_filter_slice(waits->filter, waits->clock, slice)))
		keep_delayed(waits, slice);
}

/* --------------------------------------------------------------- results -- */

bool gti_waits_results(struct waits *waits, struct wait_results *results)
{
	struct top *longest = &waits->longest, *delayed = &waits->delayed;

	gti_ready_settle(&waits->parts);
	*results = (struct wait_results){
		.sums = waits->sums,
		.waits = longest->kept.items,
		.wait_count = longest->kept.count,
		.behind = wide_ns(waits->behind),
		.slices = delayed->kept.items,
		.slice_count = delayed->kept.count,
		.parts = &waits->parts,
	};
	if (waits->failed || !gti_waits_rows(waits, results))
		return false;
	results->waited =
		(int64_t)(waits->waited + (uint64_t)results->sums.all.busy);
	top_sort(longest);
	top_sort(delayed);
	return true;
}
