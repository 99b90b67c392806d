/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - how many goroutines and processors were in which state. */
#include "analysis/sched_parts.h"

#include "base/array.h"
#include "base/least.h"
#include "model/event.h"

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

/* ------------------------------------------------------------ processors -- */

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
	gti_sched_move(sched, held ? LEVEL_NONE : LEVEL_HELD,
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
		gti_sched_recast(sched, LEVEL_RUNNABLE, level, slot->since,
				 now);
	gti_sched_move(sched, (enum sched_level)slot->level, level, now);
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
		gti_sched_recast(sched, (enum sched_level)slot->level,
				 LEVEL_RUNNABLE,
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
		gti_sched_move(sched, LEVEL_NONE, LEVEL_COLLECTING, now);
	else if (t->kind == TRANSITION_COLLECT_END)
		gti_sched_move(sched, LEVEL_COLLECTING, LEVEL_NONE, now);
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
		gti_sched_set_procs(sched, t->arg, now);
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
		gti_sched_sample_until(sched, now);
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

void gti_sched_finish(struct sched *sched, const struct feed *feed, int64_t now)
{
	int64_t end = clock_ns(feed->clock, now);

	begin(sched, feed, end);
	if (!sched->by_thread)
		sched->greatest = end;
	if (sched->interval == 0 || end <= sched->origin)
		return;
	gti_sched_sample_until(sched, end);
	gti_sched_take_sample(sched, end);
}

static void take(void *self, struct feed *feed)
{
	const struct transition *one = feed->batch->items;
	const struct transition *last = feed_end(feed);

	for (; one < last; one++)
		gti_sched_take(self, feed, one);
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

static void end(void *self)
{
	gti_sched_free(self);
}

struct consumer gti_sched_consumer(struct sched *sched)
{
	return (struct consumer){
		.self = sched,
		.take = take,
		.finish = finish,
		.restart = restart,
		.end = end,
	};
}
