/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - how many goroutines and processors were in which state. */
#include "analysis/sched.h"

#include <string.h>

/* The least number of past levels at which some are dropped. */
#define PAST_MIN 1024

void gti_sched_init(struct sched *sched, int64_t interval, bool remembers,
		    const struct gtrace_allocator *memory)
{
	*sched = (struct sched){
		.memory = memory,
		.interval = interval,
		.remembers = remembers,
		.next = INT64_MAX,
		.drop_past_at = PAST_MIN,
	};
}

void gti_sched_free(struct sched *sched)
{
	const struct gtrace_allocator *memory = sched->memory;

	if (memory == NULL)
		return;
	gti_idset_free(&sched->thread_ids, memory);
	gti_array_free(&sched->samples, sizeof(struct sched_sample), memory);
	gti_array_free(&sched->past, sizeof(struct sched_past), memory);
	gti_array_free(&sched->procs, sizeof(struct sched_procs), memory);
	sched->memory = NULL;
}

void gti_sched_restart(struct sched *sched)
{
	const struct sched old = *sched;

	gti_sched_free(sched);
	gti_sched_init(sched, old.interval, old.remembers, old.memory);
	sched->horizon = old.horizon;
	sched->context = old.context;
}

void gti_sched_begin(struct sched *sched, int64_t zero)
{
	sched->zero = zero;
	sched->greatest = zero;
	sched->next = INT64_MAX;
	if (sched->interval != 0 && zero < INT64_MAX - sched->interval)
		sched->next = zero + sched->interval;
}

/* --------------------------------------------------------------- samples -- */

static void take_sample(struct sched *sched, int64_t time)
{
	struct sched_sample *sample;
	unsigned i;

	if (sched->samples.count == SCHED_SAMPLES_MAX)
		sched->too_many = true;
	else if (!gti_array_reserve(&sched->samples, sizeof(*sample),
				    sched->memory))
		sched->failed = true;
	if (sched->too_many || sched->failed)
		return;
	sample = (struct sched_sample *)sched->samples.items +
		 sched->samples.count++;
	*sample = (struct sched_sample){
		.time = time,
		.threads = sched->threads,
		.starts = sched->starts,
	};
	for (i = 0; i < LEVELS; i++) {
		sample->counts[i] = sched->levels[i].count;
		sample->sums[i] = level_until(sched->levels[i], time);
	}
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
	sched->end = end;
	if (sched->interval == 0 || end <= sched->zero)
		return;
	gti_sched_sample(sched, end);
	take_sample(sched, end);
}

/* ---------------------------------------------------------------- levels -- */

/* Drops what gti_sched_ready() is not asked for any more. */
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

void gti_sched_remember(struct sched *sched, int64_t now)
{
	struct array *past = &sched->past;

	if (UNLIKELY(past->count >= sched->drop_past_at))
		drop_past(sched);
	if (UNLIKELY(past->count == past->capacity) &&
	    !gti_array_reserve(past, sizeof(struct sched_past),
			       sched->memory)) {
		sched->failed = true;
		return;
	}
	((struct sched_past *)past->items)[past->count++] =
		(struct sched_past){now, sched->levels[LEVEL_RUNNABLE]};
}

/*
 * How many of the items of SIZE in ARRAY, which begin with their time and are
 * in its order, are at TIME or before.
 */
static size_t count_until(const struct array *array, size_t size, int64_t time)
{
	size_t low = 0, high = array->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t at;

		memcpy(&at, (const char *)array->items + middle * size,
		       sizeof(at));
		if (at <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t gti_sched_ready(const struct sched *sched, int64_t time)
{
	const struct sched_past *past = sched->past.items;
	size_t count = count_until(&sched->past, sizeof(*past), time);

	return count != 0 ? level_until(past[count - 1].level, time) : 0;
}

void gti_sched_thread(struct sched *sched, int64_t now)
{
	gti_sched_sample(sched, now);
	sched->threads++;
}

void gti_sched_thread_id(struct sched *sched, uint64_t id, int64_t now)
{
	bool has;

	if (!idset_has(&sched->thread_ids, id, sched->memory, &has) ||
	    !idset_add(&sched->thread_ids, id, sched->memory))
		sched->failed = true;
	else if (!has)
		gti_sched_thread(sched, now);
}

/* ------------------------------------------------------------ processors -- */

/* The last number of processors at TIME or before; NULL: none. */
static const struct sched_procs *find_procs(const struct sched *sched,
					    int64_t time)
{
	size_t count =
		count_until(&sched->procs, sizeof(struct sched_procs), time);

	if (count == 0)
		return NULL;
	return (const struct sched_procs *)sched->procs.items + count - 1;
}

void gti_sched_procs(struct sched *sched, uint64_t procs, int64_t now)
{
	struct array *all = &sched->procs;
	struct sched_procs added = {
		.time = all->count != 0 ? now : sched->zero,
		.procs = procs,
	};

	added.sum = gti_sched_procs_until(sched, added.time);
	if ((uint64_t)gti_sched_procs_at(sched, INT64_MAX) == procs)
		return;
	if (!gti_array_reserve(all, sizeof(struct sched_procs),
			       sched->memory)) {
		sched->failed = true;
		return;
	}
	((struct sched_procs *)all->items)[all->count++] = added;
}

int64_t gti_sched_procs_at(const struct sched *sched, int64_t time)
{
	const struct sched_procs *procs = find_procs(sched, time);

	return procs != NULL ? (int64_t)procs->procs : -1;
}

uint64_t gti_sched_procs_until(const struct sched *sched, int64_t time)
{
	const struct sched_procs *procs = find_procs(sched, time);

	if (procs == NULL)
		return 0;
	return procs->sum +
	       procs->procs * ((uint64_t)time - (uint64_t)procs->time);
}
