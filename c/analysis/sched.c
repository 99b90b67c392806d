/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - how many goroutines and processors were in which state. */
#include "analysis/sched.h"

#include "base/array.h"
#include "model/event.h"

/* The least number of past levels at which some are dropped. */
#define PAST_MIN 1024

void gti_sched_init(struct sched *sched, int64_t interval, uint64_t size,
		    const struct gtrace_allocator *memory)
{
	*sched = (struct sched){
		.memory = memory,
		.interval = interval,
		.most = SCHED_SAMPLES_FREE +
			(size_t)(size / SCHED_SAMPLE_BYTES),
		.next = INT64_MAX,
		.drop_past_at = PAST_MIN,
	};
}

void gti_sched_free(struct sched *sched)
{
	const struct gtrace_allocator *memory = sched->memory;

	if (memory == NULL)
		return;
	gti_map_free(&sched->thread_ids, memory);
	gti_array_free(&sched->samples, sizeof(struct sched_sample), memory);
	gti_array_free(&sched->past, sizeof(struct sched_past), memory);
	gti_array_free(&sched->procs, sizeof(struct sched_past), memory);
	sched->memory = NULL;
}

void gti_sched_restart(struct sched *sched)
{
	const struct sched old = *sched;

	gti_sched_free(sched);
	gti_sched_init(sched, old.interval, 0, old.memory);
	sched->most = old.most;
	sched->horizon = old.horizon;
	sched->context = old.context;
}

void gti_sched_begin(struct sched *sched, int64_t zero)
{
	sched->zero = zero;
	sched->origin = INT64_MAX;
	sched->greatest = zero;
	sched->next = INT64_MAX;
}

void gti_sched_origin(struct sched *sched, int64_t origin)
{
	sched->origin = origin;
	if (sched->interval != 0 && origin < INT64_MAX - sched->interval)
		sched->next = origin + sched->interval;
}

/* --------------------------------------------------------------- samples -- */

static void take_sample(struct sched *sched, int64_t time)
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

void gti_sched_sample(struct sched *sched, int64_t now)
{
	while (sched->next < now) {
		take_sample(sched, sched->next);
		if (sched->next > INT64_MAX - sched->interval ||
		    sched->too_many || sched->failed)
			sched->next = INT64_MAX;
		else
			sched->next += sched->interval;
	}
}

void gti_sched_finish(struct sched *sched, int64_t end)
{
	if (sched->interval == 0 || end <= sched->origin)
		return;
	gti_sched_sample(sched, end);
	take_sample(sched, end);
}

/* ---------------------------------------------------------------- levels -- */

/* Drops what gti_sched_until() is not asked for any more. */
static void drop_past(struct sched *sched)
{
	struct sched_past *past = sched->past.items;
	size_t count = sched->past.count, first = 0;
	int64_t horizon = sched->horizon(sched->context);

	while (first + 1 < count && past[first + 1].time <= horizon)
		first++;
	memmove(past, past + first, (count - first) * sizeof(*past));
	sched->past.count = count - first;
	sched->drop_past_at = PAST_MIN + 2 * sched->past.count;
}

/* Level LEVEL of SCHED is kept in PAST, from TIME on. */
static void keep_level(struct sched *sched, struct array *past, int64_t time,
		       struct level level)
{
	struct sched_past added = {time, level};

	if (array_add(past, &added, sizeof(added), sched->memory) == NULL)
		sched->failed = true;
}

void gti_sched_remember(struct sched *sched, int64_t now)
{
	if (UNLIKELY(sched->past.count >= sched->drop_past_at))
		drop_past(sched);
	keep_level(sched, &sched->past, now, sched->levels[LEVEL_RUNNABLE]);
}

/*
 * In recorded traces few samples are taken while goroutines are listed. In
 * others, so that many goroutines times many samples take no time, those beyond
 * this number stay as they are.
 */
#define RECASTS_MAX ((uint32_t)1 << 24)

void gti_sched_recast(struct sched *sched, enum sched_level to, int64_t since,
		      int64_t now)
{
	uint64_t length = (uint64_t)now - (uint64_t)since;
	struct sched_sample *samples;
	size_t i;

	gti_sched_sample(sched, now);
	samples = sched->samples.items;
	i = sched->samples.count;
	sched->levels[LEVEL_RUNNABLE].base += length;
	sched->levels[to].base -= length;
	if (sched->horizon != NULL)
		gti_sched_remember(sched, now);
	for (;
	     i-- > 0 && samples[i].time > since && sched->recasts < RECASTS_MAX;
	     sched->recasts++) {
		length = (uint64_t)samples[i].time - (uint64_t)since;
		samples[i].counts[LEVEL_RUNNABLE]--;
		samples[i].counts[to]++;
		samples[i].sums[LEVEL_RUNNABLE] -= length;
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

void gti_sched_thread(struct sched *sched, int64_t now)
{
	gti_sched_sample(sched, now);
	sched->threads++;
}

void gti_sched_thread_id(struct sched *sched, uint64_t id, int64_t now)
{
	uint64_t *seen = gti_map_put(&sched->thread_ids, id, sched->memory);

	if (seen == NULL)
		sched->failed = true;
	else if ((*seen)++ == 0)
		gti_sched_thread(sched, now);
}

/* ------------------------------------------------------------ processors -- */

void gti_sched_procs(struct sched *sched, uint64_t procs, int64_t now)
{
	int64_t time =
		sched->procs.count != 0 ? now : sched_since_origin(sched, now);
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
