/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_levels.c - levels over time: samples of all, and what some were. */
#include "analysis/sched_parts.h"

#include <string.h>

#include "base/array.h"
#include "base/least.h"

/* --------------------------------------------------------------- samples -- */

void gti_sched_take_sample(struct sched *sched, int64_t time)
{
	struct sched_sample sample = {
		.time = time,
		.threads = sched->threads,
		.starts = sched->starts,
	};
	unsigned i;

	for (i = 0; i < LEVELS; i++) {
		sample.counts[i] = sched->levels[i].count;
		sample.sums[i] = level_until(sched->levels[i], time);
	}
	if (sched->samples.count == sched->most)
		sched->too_many = true;
	else if (array_add(&sched->samples, &sample, sizeof(sample),
			   sched->memory) == NULL)
		sched->failed = true;
}

void gti_sched_sample_until(struct sched *sched, int64_t now)
{
	while (sched->next < now) {
		gti_sched_take_sample(sched, sched->next);
		if (sched->next > INT64_MAX - sched->interval ||
		    sched->too_many || sched->failed)
			sched->next = INT64_MAX;
		else
			sched->next += sched->interval;
	}
}

/* ---------------------------------------------------------------- levels -- */

/* Level LEVEL of SCHED is kept in PAST, from TIME on. */
static void keep_level(struct sched *sched, struct array *past, int64_t time,
		       struct level level)
{
	struct sched_past added = {time, level};

	if (array_add(past, &added, sizeof(added), sched->memory) == NULL)
		sched->failed = true;
}

/* The level of ready goroutines has changed NOW. */
static void remember(struct sched *sched, int64_t now)
{
	keep_level(sched, &sched->past, now, sched->levels[LEVEL_RUNNABLE]);
}

void gti_sched_move(struct sched *sched, enum sched_level from,
		    enum sched_level to, int64_t now)
{
	struct level *less = &sched->levels[from], *more = &sched->levels[to];

	if (from == to)
		return;
	less->count--;
	less->base -= (uint64_t)now;
	more->count++;
	more->base += (uint64_t)now;
	if ((from == LEVEL_RUNNABLE || to == LEVEL_RUNNABLE) &&
	    sched->keeps_past)
		remember(sched, now);
}

/*
 * In recorded traces few samples are taken while goroutines are listed. In
 * others, so that many goroutines times many samples take no time, those beyond
 * this number stay as they are.
 */
#define RECASTS_MAX ((uint32_t)1 << 24)

void gti_sched_recast(struct sched *sched, enum sched_level from,
		      enum sched_level to, int64_t since, int64_t now)
{
	uint64_t length = (uint64_t)now - (uint64_t)since;
	struct sched_sample *samples = sched->samples.items;
	size_t i = sched->samples.count;

	sched->levels[from].base += length;
	sched->levels[to].base -= length;
	if (sched->keeps_past)
		remember(sched, now);
	for (;
	     i-- > 0 && samples[i].time > since && sched->recasts < RECASTS_MAX;
	     sched->recasts++) {
		length = (uint64_t)samples[i].time - (uint64_t)since;
		samples[i].counts[from]--;
		samples[i].counts[to]++;
		samples[i].sums[from] -= length;
		samples[i].sums[to] += length;
	}
}

/* The last level in PAST at TIME or before; NULL: none. */
static const struct level *level_at(const struct array *past, int64_t time)
{
	const struct sched_past *items = past->items;
	size_t count = count_until(items, past->count, sizeof(*items), 0, time);

	return count != 0 ? &items[count - 1].level : NULL;
}

uint64_t gti_sched_until(const struct array *past, int64_t time)
{
	const struct level *level = level_at(past, time);

	return level != NULL ? level_until(*level, time) : 0;
}

void gti_sched_set_procs(struct sched *sched, uint64_t procs, int64_t now)
{
	int64_t time =
		sched->procs.count != 0 ? now : least_of(sched->origin, now);
	uint64_t sum = gti_sched_until(&sched->procs, time);

	procs = procs_told(procs);
	if (procs > sched->most_procs)
		sched->most_procs = procs;
	if ((uint64_t)gti_sched_procs_at(sched, INT64_MAX) != procs)
		keep_level(sched, &sched->procs, time,
			   (struct level){procs, procs * (uint64_t)time - sum});
}

int64_t gti_sched_procs_at(const struct sched *sched, int64_t time)
{
	const struct level *level = level_at(&sched->procs, time);

	return level != NULL ? (int64_t)level->count : -1;
}

void gti_sched_settle(struct sched *sched, const struct feed *feed)
{
	struct sched_past *past = sched->past.items;
	size_t count = sched->past.count, first = 0;
	int64_t horizon;

	if (count < sched->drop_past_at)
		return;
	horizon = feed_horizon(feed);
	if (horizon == INT64_MAX)
		return;
	horizon = clock_ns(feed->clock, horizon);
	while (first + 1 < count && past[first + 1].time <= horizon)
		first++;
	memmove(past, past + first, (count - first) * sizeof(*past));
	sched->past.count = count - first;
	sched->drop_past_at = PAST_MIN + 2 * sched->past.count;
}
