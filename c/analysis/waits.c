/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c - who waited for a processor, and what slices delayed. */
#include "analysis/waits.h"

#include "analysis/filter.h"
#include "analysis/profile.h"
#include "analysis/waits_hooks.h"
#include "base/firsts.h"

/* ------------------------------------------------------------ life cycle -- */

/* Whether short waits, too, are more than counted. */
static bool takes_all(const struct waits *waits)
{
	return waits->filter != NULL || waits->profile != NULL ||
	       waits->parts.wanted != 0;
}

/* Nothing is known yet. */
static void begin_again(struct waits *waits)
{
	*waits = (struct waits){
		.memory = waits->memory,
		.clock = waits->clock,
		.wanted = waits->wanted,
		.delays_wanted = waits->delays_wanted,
		.profile = waits->profile,
		.filter = waits->filter,
		.assumed = waits->assumed,
		.settled = waits->settled,
		.look_at_all = waits->look_at_all,
		.least_length = waits->wanted != 0 ? 0 : INT64_MAX,
		.fast_length = 0,
		.least_delay = waits->delays_wanted != 0 ? 1 : INT64_MAX,
		.records = {.memory = waits->memory,
			    .size = sizeof(struct waited_slice)},
		.parts.wanted = waits->parts.wanted,
	};
	if (waits->wanted == 0)
		waits->fast_length = WAIT_SHORT;
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
	gti_array_free(&waits->longest, sizeof(struct wait), waits->memory);
	gti_array_free(&waits->delayed, sizeof(struct slice), waits->memory);
	gti_waits_free_rows(waits);
	gti_waits_forget_kept(waits);
	gti_ready_free(&waits->parts, waits->memory);
}

void gti_waits_restart(struct waits *waits)
{
	gti_waits_free(waits);
	if (waits->profile != NULL)
		gti_profile_restart(waits->profile);
	begin_again(waits);
}

/* ----------------------------------------------------------------- steps -- */

/* The quotient of the 128 bits of N and D; *REST is the remainder. */
static struct wide divide(struct wide n, uint64_t d, uint64_t *rest)
{
	struct wide quotient = {0, 0};
	uint64_t remainder = 0;
	int bit;

	for (bit = 127; bit >= 0; bit--) {
		bool carry = remainder >> 63 != 0;
		uint64_t next = (bit < 64 ? n.low : n.high) >> bit % 64 & 1;

		remainder = remainder << 1 | next;
		quotient.high = quotient.high << 1 | quotient.low >> 63;
		quotient.low <<= 1;
		if (carry || remainder >= d) {
			remainder -= d;
			quotient.low |= 1;
		}
	}
	*rest = remainder;
	return quotient;
}

/* A times B, which has 32 bits. */
static struct wide multiply(uint64_t a, uint64_t b)
{
	uint64_t low = (a & UINT32_MAX) * b;
	uint64_t high = (a >> 32) * b + (low >> 32);

	return (struct wide){high << 32 | (low & UINT32_MAX), high >> 32};
}

/* N times SHARES. */
static struct wide in_shares(struct wide n)
{
	return (struct wide){n.low << SHARES_SHIFT,
			     n.high << SHARES_SHIFT |
				     n.low >> (64 - SHARES_SHIFT)};
}

/* The product can have more bits than SHARES leave, so it is divided first. */
struct wide gti_waits_share(const struct waits *waits, uint64_t length)
{
	struct wide quotient, rest = {0, 0};

	if (waits->clocks.held == 0)
		return rest;
	quotient = divide(multiply(length, waits->ready), waits->clocks.held,
			  &rest.low);
	rest = divide(in_shares(rest), waits->clocks.held, &rest.low);
	return wide_sum(in_shares(quotient), rest);
}

void gti_waits_stop(struct waits *waits, bool begins, int64_t now)
{
	if (begins == waits->stop)
		return;
	waits_settle(waits, now);
	waits->stop = begins;
	waits_step(waits, now);
}

/* ------------------------------------------------------ before the trace -- */

void gti_waits_start(struct waits *waits, const struct waits_format *format,
		     bool starting)
{
	waits->format = *format;
	waits->starting = starting;
	waits->settled |= starting;
	waits->first_generation = true;
	if (takes_all(waits))
		waits->fast_length = 0;
	gti_waits_assume(waits, &waits->assumed);
}

void gti_waits_first(struct waits *waits, int64_t ticks)
{
	if (waits->starting)
		waits_step(waits, waits_time(waits, ticks));
}

void gti_waits_assume(struct waits *waits, const struct before_trace *before)
{
	if (!waits->settled)
		waits->assumed = *before;
	waits->looks_at_all = waits->look_at_all;
	waits->ready = waits->assumed.ready;
	waits->clocks.held = waits->assumed.held;
	waits->procs = waits->assumed.procs != 0 ? waits->assumed.procs : 1;
}

void gti_waits_origin(struct waits *waits, int64_t now)
{
	if (waits->begun)
		return;
	waits->begun = true;
	waits->origin = now;
	waits_step(waits, now);
}

/*
 * Whether what was found so far can be what was assumed, unless the next pass
 * would assume no better.
 */
static bool is_likely(struct waits *waits)
{
	const struct before_trace *found = &waits->found;
	const struct before_trace *assumed = &waits->assumed;

	if (waits->settled || waits->look_at_all)
		return true;
	waits->look_at_all =
		found->ready > assumed->ready || found->held > assumed->held ||
		(found->procs != 0 && found->procs != assumed->procs);
	return !waits->look_at_all;
}

bool gti_waits_began_before(struct waits *waits, struct waiter *waiter)
{
	int64_t now = waits_time(waits, waiter->ready.ticks);

	waits->found.ready++;
	waiter->row = 0;
	waiter->since = waits->begun ? waits->origin : now;
	waiter->clocks = (struct wait_clocks){0};
	return is_likely(waits);
}

bool gti_waits_be_held(struct waits *waits, bool before, int64_t now)
{
	if (before && waits->first_generation)
		waits->found.held++;
	else
		waits_hold(waits, true, now);
	return is_likely(waits);
}

bool gti_waits_procs(struct waits *waits, uint64_t procs, int64_t now)
{
	if (waits->found.procs == 0)
		waits->found.procs = procs;
	if (procs == waits->procs && !waits->starting)
		return is_likely(waits);
	waits_settle(waits, now);
	waits->procs = procs;
	waits->starting = false;
	waits_step(waits, now);
	return is_likely(waits);
}

bool gti_waits_mistaken(struct waits *waits, bool ended)
{
	const struct before_trace *found = &waits->found;
	const struct before_trace *assumed = &waits->assumed;
	bool right = found->ready == assumed->ready &&
		     found->held == assumed->held &&
		     found->procs == assumed->procs;

	if (waits->settled || right)
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

static bool waits_longer(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length;
	if (x->ready.ticks != y->ready.ticks)
		return x->ready.ticks < y->ready.ticks;
	return x->order < y->order;
}

static bool delays_longer(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->delay != y->delay)
		return x->delay > y->delay;
	return x->serial < y->serial;
}

/* Adds WAIT to the longest ones, in the place of the last of them. */
static void keep_wait(struct waits *waits, const struct waiter *waiter,
		      struct wait *wait)
{
	struct array *longest = &waits->longest;
	struct wait *items = longest->items;

	if (longest->count == waits->wanted) {
		if (!waits_longer(wait, &items[0]))
			return;
		gti_waits_find_kept(waits, waiter, wait);
		gti_waits_release_kept(waits, &items[0]);
		items[0] = *wait;
		gti_firsts_replaced(items, longest->count, sizeof(*items),
				    waits_longer);
	} else if (gti_array_reserve(longest, sizeof(*items), waits->memory)) {
		gti_waits_find_kept(waits, waiter, wait);
		items = longest->items;
		items[longest->count++] = *wait;
		gti_firsts_added(items, longest->count, sizeof(*items),
				 waits_longer);
	} else {
		waits->failed = true;
		return;
	}
	if (longest->count < waits->wanted)
		return;
	waits->least_length = items[0].length;
	if (!takes_all(waits))
		waits->fast_length = waits->least_length < WAIT_SHORT
					     ? waits->least_length
					     : WAIT_SHORT;
}

/* Adds SLICE to those with the longest delay. */
static void keep_delayed(struct waits *waits, const struct slice *slice)
{
	struct array *delayed = &waits->delayed;
	struct slice *items = delayed->items;

	if (delayed->count == waits->delays_wanted) {
		if (!delays_longer(slice, &items[0]))
			return;
		items[0] = *slice;
		gti_firsts_replaced(items, delayed->count, sizeof(*items),
				    delays_longer);
	} else if (gti_array_reserve(delayed, sizeof(*items), waits->memory)) {
		items = delayed->items;
		items[delayed->count++] = *slice;
		gti_firsts_added(items, delayed->count, sizeof(*items),
				 delays_longer);
	} else {
		waits->failed = true;
		return;
	}
	if (delayed->count == waits->delays_wanted)
		waits->least_delay = items[0].delay;
}

/* ----------------------------------------------------------------- waits -- */

/* Adds a wait from one time to another to waits->parts, if it is wanted. */
static void add_to_parts(struct waits *waits, int64_t from, int64_t to)
{
	const struct clock *clock = waits->clock;
	int64_t zero = clock->ns_per_tick == 0 ? clock->first_ticks : 0;

	if (waits->parts.wanted != 0 &&
	    !gti_ready_add(&waits->parts, (int64_t)waits_since(zero, from),
			   (int64_t)waits_since(zero, to), waits->memory))
		waits->failed = true;
}

/* The wait of WAITER up to NOW, which is that of the present step. */
static struct wait wait_until(const struct waits *waits,
			      const struct waiter *waiter, uint64_t g,
			      int64_t now)
{
	const struct wait_clocks *since = &waiter->clocks;
	struct wait wait = {
		.ready = waiter->ready,
		.start = waiter->ready.ticks,
		.length = (int64_t)waits_since(waiter->since, now),
		.busy = (int64_t)(waits->clocks.busy - since->busy),
		.stopped = (int64_t)(waits->clocks.stopped - since->stopped),
		.g = g,
		.order = waiter->order,
		.before = waiter->row == 0,
	};

	wait.idle = wait.length - wait.busy - wait.stopped;
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

/* WAITER waits no longer, or the trace ends; its WAIT is in no row yet. */
static void end_wait(struct waits *waits, struct waiter *waiter,
		     struct wait *wait)
{
	bool passes = waits->filter == NULL ||
		      gti_filter_wait(waits->filter, waits->clock, wait);

	if (!passes || wait->before || !wait->over)
		waits->waited += (uint64_t)wait->busy;
	else if (!gti_waits_count(waits, waiter->row, wait))
		waits->failed = true;
	else if (waits->profile != NULL)
		add_to_profile(waits->profile, wait);
	waits->before += passes && wait->before;
	waits->unfinished += passes && !wait->before && !wait->over;
	if (passes)
		add_to_parts(waits, waiter->since,
			     (int64_t)((uint64_t)waiter->since +
				       (uint64_t)wait->length));
	if (passes && wait->length >= waits->least_length)
		keep_wait(waits, waiter, wait);
	waiter->ready.type = 0;
}

void gti_waits_run(struct waits *waits, struct waiter *waiter, uint64_t g,
		   int64_t ticks, int64_t p, int64_t now)
{
	struct wait wait = wait_until(waits, waiter, g, now);

	wait.over = true;
	wait.ran_ticks = ticks;
	wait.ran_p = p;
	end_wait(waits, waiter, &wait);
}

void gti_waits_take_back(struct waits *waits, struct waiter *waiter,
			 int64_t now)
{
	if (!waits_is_waiting(waiter))
		return;
	waits_settle(waits, now);
	waits->ready--;
	waits->waited += waits->clocks.busy - waiter->clocks.busy;
	waiter->ready.type = 0;
}

/* The wait of G is not over at the end of the trace. */
static void not_over(void *to, struct waiter *waiter, uint64_t g)
{
	struct waits *waits = to;
	struct wait wait = wait_until(waits, waiter, g, waits->last);

	end_wait(waits, waiter, &wait);
}

void gti_waits_finish(struct waits *waits, int64_t now)
{
	waits->last = now;
	waits_settle(waits, now);
	waits->format.each_waiter(waits->format.context, not_over, waits);
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
	struct array *longest = &waits->longest, *delayed = &waits->delayed;

	*results = (struct wait_results){
		.before = waits->before,
		.unfinished = waits->unfinished,
		.waits = longest->items,
		.wait_count = longest->count,
		.behind = wide_ns(waits->behind),
		.slices = delayed->items,
		.slice_count = delayed->count,
		.parts = &waits->parts,
	};
	gti_ready_finish(&waits->parts);
	if (waits->failed || !gti_waits_rows(waits, results))
		return false;
	results->waited =
		(int64_t)(waits->waited + (uint64_t)results->all.busy);
	gti_firsts_sort(longest->items, longest->count, sizeof(struct wait),
			waits_longer);
	gti_firsts_sort(delayed->items, delayed->count, sizeof(struct slice),
			delays_longer);
	return true;
}
