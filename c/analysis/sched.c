/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - how many goroutines and processors were in which state. */
#include "analysis/sched.h"

#include <string.h>

#include "base/array.h"
#include "base/least.h"
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
		.origin = INT64_MAX,
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
	gti_array_free(&sched->lanes, sizeof(bool), memory);
	gti_array_free(&sched->held, sizeof(bool), memory);
	gti_array_free(&sched->goroutines, sizeof(struct sched_slot), memory);
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
	sched->by_thread = old.by_thread;
	sched->keeps_past = old.keeps_past;
}

/* The extent of the trace begins, if it has not yet; at NOW without events. */
static void begin(struct sched *sched, const struct feed *feed, int64_t now)
{
	if (sched->origin != INT64_MAX)
		return;
	sched->origin = sched->by_thread ? now : 0;
	if (feed->origin != INT64_MIN)
		sched->origin = clock_ns(feed->clock, feed->origin);
	if (sched->interval != 0 && sched->origin < INT64_MAX - sched->interval)
		sched->next = sched->origin + sched->interval;
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

/* Takes the samples before NOW. */
static void sample_until(struct sched *sched, int64_t now)
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

/* What was at level FROM is at level TO, NOW. */
static void move(struct sched *sched, enum sched_level from,
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

/*
 * What was at level FROM since a time turns out NOW to have been at level TO,
 * as samples that were taken meanwhile will say too.
 */
static void recast(struct sched *sched, enum sched_level from,
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

/* ------------------------------------------------------------ processors -- */

/* There are PROCS processors from NOW on. */
static void set_procs(struct sched *sched, uint64_t procs, int64_t now)
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

/* The one of FLAGS, by slot, in SLOT; NULL: it is 0, or there is no memory. */
static bool *flag_at(struct sched *sched, struct array *flags, uint32_t slot)
{
	static const bool no = false;
	bool *flag;

	if (slot == 0)
		return NULL;
	flag = array_grown(flags, slot, &no, sizeof(no), sched->memory);
	sched->failed |= flag == NULL;
	return flag;
}

/* The processor in SLOT is HELD from NOW on, or not any more. */
static void hold(struct sched *sched, uint32_t slot, bool held, int64_t now)
{
	bool *was = flag_at(sched, &sched->held, slot);

	if (was == NULL || *was == held)
		return;
	*was = held;
	move(sched, held ? LEVEL_NONE : LEVEL_HELD,
	     held ? LEVEL_HELD : LEVEL_NONE, now);
}

/* The processor of T turns out to be held, or not. */
static void take_proc_status(struct sched *sched, const struct transition *t,
			     int64_t now)
{
	bool *held = flag_at(sched, &sched->held, t->p);

	if (held == NULL || *held ||
	    (t->arg != PROCESSOR_RUNS && t->arg != PROCESSOR_IN_CALL))
		return;
	if ((t->flags & TRANSITION_FIRST) == 0) {
		hold(sched, t->p, true, now);
		return;
	}
	*held = true;
	sched->extra[LEVEL_HELD]++;
}

/* The thread in SLOT is there. */
static void see_thread(struct sched *sched, uint32_t slot)
{
	bool *seen = flag_at(sched, &sched->lanes, slot);

	if (seen == NULL || LIKELY(*seen))
		return;
	*seen = true;
	sched->threads++;
}

/* Thread ID is there, in a trace up to Go 1.21. */
static void see_thread_id(struct sched *sched, uint64_t id)
{
	uint64_t *seen = gti_map_put(&sched->thread_ids, id, sched->memory);

	if (seen == NULL)
		sched->failed = true;
	else if ((*seen)++ == 0)
		sched->threads++;
}

/* ------------------------------------------------------------ goroutines -- */

/* The slot of `g` of T, also if it has none; NULL: there is no memory. */
static struct sched_slot *slot_of(struct sched *sched,
				  const struct transition *t)
{
	static const struct sched_slot none = {
		.started = TIME_NONE,
		.level = LEVEL_NONE,
	};

	struct sched_slot *slot = array_grown(&sched->goroutines, t->g, &none,
					      sizeof(none), sched->memory);

	sched->failed |= slot == NULL;
	return slot;
}

/* `g` of T is at LEVEL from NOW on. */
static void be_at(struct sched *sched, const struct transition *t,
		  enum sched_level level, int64_t now)
{
	struct sched_slot *slot = slot_of(sched, t);

	if (slot == NULL)
		return;
	/* It was only listed when it was created. */
	if (UNLIKELY((t->flags & TRANSITION_LISTED) != 0))
		recast(sched, LEVEL_RUNNABLE, level, slot->since, now);
	move(sched, (enum sched_level)slot->level, level, now);
	slot->level = (uint8_t)level;
	slot->since = now;
}

/* A system call is over since a time, which T of Go up to 1.21 can tell late.
 */
static void take_return(struct sched *sched, const struct feed *feed,
			const struct transition *t, int64_t now)
{
	const struct sched_slot *slot = slot_of(sched, t);
	int64_t returned = clock_ns(feed->clock, t->written);

	if (slot != NULL && !sched->by_thread && returned < now)
		recast(sched, (enum sched_level)slot->level, LEVEL_RUNNABLE,
		       greatest_of(returned, slot->since), now);
	be_at(sched, t, LEVEL_RUNNABLE, now);
}

static void take_create(struct sched *sched, const struct transition *t,
			enum sched_level level, int64_t now)
{
	struct sched_slot *slot = slot_of(sched, t);

	be_at(sched, t, level, now);
	if (slot != NULL)
		slot->started = TIME_NONE;
}

static void take_start(struct sched *sched, const struct feed *feed,
		       const struct transition *t, int64_t now)
{
	struct sched_slot *slot = slot_of(sched, t);

	be_at(sched, t, LEVEL_RUNNING, now);
	if (slot == NULL)
		return;
	slot->started = sched_time(sched, feed, t);
	sched->starts++;
}

/* The first status holds since before the trace. */
static void take_status(struct sched *sched, const struct transition *t,
			int64_t now)
{
	static const uint8_t levels[] = {
		[GOROUTINE_UNKNOWN] = LEVEL_NONE,
		[GOROUTINE_ABSENT] = LEVEL_NONE,
		[GOROUTINE_READY] = LEVEL_RUNNABLE,
		[GOROUTINE_RUNS] = LEVEL_RUNNING,
		[GOROUTINE_IN_CALL] = LEVEL_SYSCALLS,
		[GOROUTINE_BLOCKED] = LEVEL_WAITING,
	};
	struct sched_slot *slot = slot_of(sched, t);

	if (slot == NULL)
		return;
	if ((t->flags & TRANSITION_FIRST) == 0 || slot->level != LEVEL_NONE) {
		be_at(sched, t, (enum sched_level)levels[t->arg], now);
		return;
	}
	slot->level = levels[t->arg];
	slot->since = least_of(sched->origin, now);
	slot->started = t->arg == GOROUTINE_RUNS ? slot->since : TIME_NONE;
	sched->extra[slot->level]++;
}

/* ----------------------------------------------------------- transitions -- */

/* A collection has begun, goes on or ends by T. */
static void take_collection(struct sched *sched, const struct transition *t,
			    int64_t now)
{
	if (t->kind == TRANSITION_COLLECT)
		move(sched, LEVEL_NONE, LEVEL_COLLECTING, now);
	else if (t->kind == TRANSITION_COLLECT_END)
		move(sched, LEVEL_COLLECTING, LEVEL_NONE, now);
	else if (!sched->collected)
		sched->extra[LEVEL_COLLECTING]++;
	sched->collected |= t->kind != TRANSITION_COLLECT_END;
}

/* Takes T, NOW, if it is not of a goroutine. */
static void take_other(struct sched *sched, const struct transition *t,
		       int64_t now)
{
	switch (t->kind) {
	case TRANSITION_HOLD:
		hold(sched, t->p, true, now);
		if (!sched->by_thread)
			see_thread_id(sched, t->arg);
		break;
	case TRANSITION_GIVE_UP:
	case TRANSITION_STEAL:
		hold(sched, t->p, false, now);
		break;
	case TRANSITION_PROC_STATUS:
		take_proc_status(sched, t, now);
		break;
	case TRANSITION_PROCS:
		set_procs(sched, t->arg, now);
		break;
	case TRANSITION_COLLECT:
	case TRANSITION_COLLECT_ON:
	case TRANSITION_COLLECT_END:
		take_collection(sched, t, now);
		break;
	default:
		break;
	}
}

void gti_sched_take(struct sched *sched, const struct feed *feed,
		    const struct transition *t)
{
	int64_t now = clock_ns(feed->clock, t->now);

	begin(sched, feed, now);
	sched->greatest =
		greatest_of(sched->greatest, sched_time(sched, feed, t));
	if (UNLIKELY(now > sched->next))
		sample_until(sched, now);
	if (t->kind != TRANSITION_SAMPLE)
		see_thread(sched, t->m);
	see_thread(sched, t->on);
	switch (t->kind) {
	case TRANSITION_CREATE:
		take_create(sched, t, LEVEL_RUNNABLE, now);
		break;
	case TRANSITION_CREATE_BLOCKED:
		take_create(sched, t, LEVEL_WAITING, now);
		break;
	case TRANSITION_CREATE_IN_CALL:
		take_create(sched, t, LEVEL_SYSCALLS, now);
		break;
	case TRANSITION_STATUS:
		take_status(sched, t, now);
		break;
	case TRANSITION_READY:
	case TRANSITION_PREEMPT:
		be_at(sched, t, LEVEL_RUNNABLE, now);
		break;
	case TRANSITION_RETURN_READY:
		take_return(sched, feed, t, now);
		break;
	case TRANSITION_START:
		take_start(sched, feed, t, now);
		break;
	case TRANSITION_BLOCK:
		be_at(sched, t, LEVEL_WAITING, now);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		be_at(sched, t, LEVEL_NONE, now);
		break;
	case TRANSITION_CALL:
		if ((t->flags & TRANSITION_MAY_BE_CALL) == 0)
			be_at(sched, t, LEVEL_SYSCALLS, now);
		break;
	case TRANSITION_LOSE:
		be_at(sched, t, LEVEL_SYSCALLS, now);
		break;
	case TRANSITION_RETURN:
		be_at(sched, t, LEVEL_RUNNING, now);
		break;
	default:
		take_other(sched, t, now);
		break;
	}
}

/* ------------------------------------------------------------- consumer -- */

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

void gti_sched_finish(struct sched *sched, const struct feed *feed, int64_t now)
{
	int64_t end = clock_ns(feed->clock, now);

	begin(sched, feed, end);
	if (!sched->by_thread)
		sched->greatest = end;
	if (sched->interval == 0 || end <= sched->origin)
		return;
	sample_until(sched, end);
	take_sample(sched, end);
}

static void take(void *self, struct feed *feed)
{
	size_t i;

	for (i = 0; i < feed->batch.count; i++)
		gti_sched_take(self, feed, &feed->batch.items[i]);
	gti_sched_settle(self, feed);
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	gti_sched_finish(self, feed, now);
}

static void restart(void *self)
{
	gti_sched_restart(self);
}

struct consumer gti_sched_consumer(struct sched *sched)
{
	return (struct consumer){sched, take, NULL, finish, restart};
}
