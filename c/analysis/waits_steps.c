/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_steps.c - what each processor got of the waiting, step by step.
 *
 * A step is the time in which neither the number of goroutines that wait nor
 * that of processors that are held changes, nor what else decides whether time
 * is busy.
 */
#include "analysis/waits_hooks.h"

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

/*
 * What each processor that is held gets in LENGTH of the present step. There
 * are less than 2 to the power of 32 goroutines and processors; the product
 * with LENGTH can have more than 64 bits.
 */
static NOINLINE struct wide share(const struct waits *waits, uint64_t length)
{
	uint64_t held = waits->clocks.held, rest;
	struct wide got = {0, 0};

	if (held == 0)
		return got;
	got = in_shares(multiply(length / held, waits->ready));
	rest = length % held * waits->ready;
	rest = rest / held * SHARES + rest % held * SHARES / held;
	return wide_sum(got, (struct wide){rest, 0});
}

/* The part of R that waits->high counts begins with this bit. */
#define HIGH_BIT ((uint64_t)1 << 63)

/* Carries what `shared` has too many bits for. */
static void carry(struct waits *waits)
{
	waits->high += waits->shared >> 63;
	waits->shared &= ~HIGH_BIT;
}

/* A step begins NOW, at the end of which R is rounded down. */
static void begin_rounded(struct waits *waits, int64_t now)
{
	waits->from = now;
	waits->from_busy = waits->busy;
	waits->from_shared = waits->shared;
	waits->from_high = waits->high;
}

/* Brings the clocks up to NOW in such a step. */
static inline void settle_rounded(struct waits *waits, int64_t now)
{
	uint64_t length = waits_since(waits->from, now);
	uint64_t held = waits->clocks.held;
	struct wide got;

	waits->busy = waits->from_busy + length;
	waits->shared = waits->from_shared;
	waits->high = waits->from_high;
	if (LIKELY((length | waits->ready << SHARES_SHIFT) <= UINT32_MAX) &&
	    LIKELY(held != 0)) {
		waits->shared += length * waits->ready * SHARES / held;
	} else {
		got = share(waits, length);
		waits->shared += got.low & ~HIGH_BIT;
		waits->high += got.high * 2 + (got.low >> 63);
	}
	carry(waits);
}

/*
 * A step of busy time may last as long with `rate` other than 0. A goroutine
 * has a number of 32 bits, so `shared` grows by less than 2 to the power of 62.
 */
#define RATE_NS (1 << 20)

/* Returns whether nothing is rounded in a step of busy time, which begins NOW.
 */
static bool begin_exact(struct waits *waits, int64_t now)
{
	uint64_t held = waits->clocks.held;

	if (held == 0 || held > SHARES || (held & (held - 1)) != 0 ||
	    now > INT64_MAX - RATE_NS)
		return false;
	waits->rate = SHARES >> lowest_bit(held);
	waits->base = -(waits->ready * waits->busy);
	waits->ahead = waits->busy - (uint64_t)now;
	waits->until = now + RATE_NS;
	return true;
}

/* Such a step ends when the clocks are BUSY. */
static void end_exact(struct waits *waits, uint64_t busy)
{
	waits->busy = busy;
	waits->shared = waits_shared(waits, busy);
	carry(waits);
	waits->rate = 0;
	waits->until = INT64_MIN;
}

/* gti_waits_settle() */
static inline void settle_clocks(struct waits *waits, int64_t now)
{
	if (waits->rate != 0) {
		int64_t until = waits->until;

		waits->busy = (uint64_t)now + waits->ahead;
		if (now < until)
			return;
		end_exact(waits, (uint64_t)until + waits->ahead);
		begin_rounded(waits, until);
	}
	if (waits->time == TIME_BUSY) {
		settle_rounded(waits, now);
	} else if (waits->time == TIME_STOPPED) {
		waits->clocks.stopped += waits_since(waits->from, now);
		waits->from = now;
	}
}

/* gti_waits_step() */
static inline void begin_step(struct waits *waits, int64_t now)
{
	if (waits->rate != 0)
		end_exact(waits, waits->busy);
	waits->time = waits->over                         ? TIME_IDLE
		      : waits->stop || waits->starting    ? TIME_STOPPED
		      : waits->clocks.held < waits->procs ? TIME_IDLE
							  : TIME_BUSY;
	if (waits->time != TIME_BUSY || !begin_exact(waits, now))
		begin_rounded(waits, now);
}

void gti_waits_settle(struct waits *waits, int64_t now)
{
	settle_clocks(waits, now);
}

void gti_waits_step(struct waits *waits, int64_t now)
{
	begin_step(waits, now);
}

void gti_waits_catch_up(struct waits *waits, int64_t now, bool ends)
{
	if (waits->time == TIME_BUSY && waits->rate == 0) {
		settle_rounded(waits, now);
		if (ends)
			begin_rounded(waits, now);
		return;
	}
	/* A step that is exact can end at any time. */
	ends |= waits->rate != 0;
	settle_clocks(waits, now);
	if (ends)
		begin_step(waits, now);
}

void gti_waits_hold(struct waits *waits, bool held, int64_t now)
{
	uint64_t count = waits->clocks.held + (held ? 1 : (uint64_t)-1);
	bool stays = waits->time == TIME_IDLE && count < waits->procs;

	if (!stays)
		settle_clocks(waits, now);
	waits->clocks.held = count;
	waits->clocks.held_base += held ? -waits->busy : waits->busy;
	if (!stays)
		begin_step(waits, now);
}

void gti_waits_stop(struct waits *waits, bool begins, int64_t now)
{
	if (begins == waits->stop)
		return;
	settle_clocks(waits, now);
	waits->stop = begins;
	waits->stopped_until = begins || waits->starting ? INT64_MAX : now;
	begin_step(waits, now);
}

/* ---------------------------------------------------------------- delays -- */

int64_t gti_waits_delay(struct waits *waits, const struct slice_wait *slice,
			int64_t now)
{
	uint64_t shared = waits_shared(waits, waits_busy(waits, now, false));
	uint64_t high =
		slice->record != NULL ? slice->record->high : slice->high;

	return (int64_t)((waits->high - high) * (HIGH_BIT / SHARES) +
			 shared / SHARES - slice->shared / SHARES -
			 (shared % SHARES < slice->shared % SHARES));
}

void gti_waits_add_delay(struct waits *waits, const struct slice_wait *slice,
			 int64_t now)
{
	uint64_t shared = waits_shared(waits, waits_busy(waits, now, false));
	struct wide delay = {(uint64_t)gti_waits_delay(waits, slice, now), 0};

	delay = in_shares(delay);
	delay.low |= (shared - slice->shared) % SHARES;
	waits->delay = delay;
	waits->behind = wide_sum(waits->behind, delay);
}
