/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence.c - the states of threads, processors and goroutines. */
#include "analysis/evidence.h"

#include <string.h>

#include "analysis/evidence_parts.h"
#include "base/array.h"
#include "base/least.h"
#include "base/times.h"

/* A slice that is preempted within this time: its function can be. */
#define EARLY (25 * EVIDENCE_MS)

/* ---------------------------------------------------------- transitions -- */

/* Processors go on to be held for LENGTH. */
static void add_held(struct evidence *evidence, uint64_t length)
{
	evidence->held_time =
		add_lengths(evidence->held_time, evidence->held * length);
	evidence->call_time = add_lengths(evidence->call_time,
					  evidence->count[USE_CALL] * length);
	if (evidence->procs == 0)
		return;
	evidence->procs_time =
		add_lengths(evidence->procs_time, evidence->procs * length);
	evidence->procs_known = add_lengths(evidence->procs_known, length);
}

void gti_evidence_run(struct evidence *evidence, int64_t now)
{
	int64_t length;

	if (!evidence->begun)
		evidence->first = evidence->last = now;
	evidence->begun = true;
	length = length_between(evidence->last, now);
	if (length > GAP_MIN || evidence->jumps)
		evidence->gap_end = now;
	if (!evidence->jumps)
		quota_run(&evidence->quota,
			  evidence->held - evidence->count[USE_CALL], length);
	if (!evidence->jumps)
		add_held(evidence, (uint64_t)length);
	evidence->jumps = false;
	evidence->last = now;
}

void gti_evidence_skip(struct evidence *evidence, int64_t now)
{
	int64_t length = length_between(evidence->last, now);

	add_held(evidence, (uint64_t)length);
	if (length > GAP_MIN)
		evidence->gap_end = now;
	evidence->last = now;
}

/* Since when processors have no goroutine is not known any more. */
static void forget_bare(struct evidence *evidence)
{
	evidence->bare_count = 0;
	evidence->epoch++;
}

/* Times jump. */
static void change_clock(struct evidence *evidence)
{
	forget_bare(evidence);
	evidence->jumps = true;
}

/* The name of what G did last, as far as its stack is known; or NO_TEXT. */
static uint32_t last_name(struct evidence *evidence,
			  const struct waiting_goroutine *g)
{
	const struct stack_evidence *stack = NULL;

	if (g->stack != 0 && g->stacks == evidence->generation)
		stack = gti_evidence_stack(evidence, g->stack);
	return stack != NULL && stack->own != NO_TEXT ? stack->own
						      : g->name - 1;
}

/* Silences since the last event of the LANE in SLOT are over by T. */
static NOINLINE void end_unseen(struct evidence *evidence,
				const struct feed *feed, uint32_t slot,
				struct lane *lane, const struct transition *t)
{
	const struct waiting_goroutine *g =
		evidence_goroutine(evidence, lane->g);

	if (lane_is_kept(lane) && g != NULL)
		gti_evidence_end_silences(evidence, feed, slot, lane, t,
					  last_name(evidence, g));
	lane->seen = (uint32_t)evidence->silences.count;
}

/* The goroutine of LANE, in SLOT, has an event, T: silences of it are over. */
static inline void end_silences(struct evidence *evidence,
				const struct feed *feed, uint32_t slot,
				const struct transition *t)
{
	struct lane *lane = evidence_lane(evidence, slot);

	lane->heard = (uint32_t)evidence->silences.count;
	if (UNLIKELY(lane->seen != evidence->silences.count))
		end_unseen(evidence, feed, slot, lane, t);
}

/* The slice of LANE is preempted by T. */
static void note_preemption(struct evidence *evidence, const struct lane *lane,
			    const struct transition *t)
{
	const struct stack_evidence *stack =
		gti_evidence_stack(evidence, t->stack);
	uint32_t *early;

	if (stack == NULL || !stack->asynchronous ||
	    stack->function == NO_TEXT || lane->g != t->by ||
	    clock_ns(evidence->clock, t->now) - lane->start > EARLY)
		return;
	early = gti_evidence_slot(evidence, &evidence->early, stack->function,
				  sizeof(*early));
	if (early != NULL)
		++*early;
}

/* The goroutine that T names starts on the lane in SLOT. */
static void start(struct evidence *evidence, const struct feed *feed,
		  uint32_t slot, const struct transition *t)
{
	const struct stack_evidence *stack =
		gti_evidence_stack(evidence, t->stack);
	struct waiting_goroutine *g = evidence_goroutine(evidence, t->g);
	struct lane *lane;

	gti_evidence_be_in(evidence, t, GOROUTINE_RUNS);
	if (g != NULL && stack != NULL)
		g->name = stack->root + 1;
	if (g != NULL && stack != NULL)
		g->profiles |= stack->profiles;
	gti_evidence_come(evidence, feed, slot, t->g, true, t);
	lane = evidence_lane(evidence, slot);
	if (lane != NULL && (t->flags & TRANSITION_LABELLED) != 0)
		lane->is_dedicated =
			evidence->names->is_dedicated(evidence->context, t);
}

/* The first status of a goroutine tells how it has been since the origin. */
static void note_ready_before(struct evidence *evidence,
			      const struct transition *t)
{
	size_t count = evidence->silences.count;

	if ((t->flags & TRANSITION_FIRST) != 0 &&
	    (t->flags & TRANSITION_LISTED) == 0 && count != 0)
		evidence_silence_at(evidence, count - 1)->ready_before++;
}

/* What T changes of goroutines, of which one is on the lane in SLOT. */
static void change_goroutines(struct evidence *evidence,
			      const struct feed *feed, uint32_t slot,
			      const struct transition *t)
{
	int64_t now = clock_ns(evidence->clock, t->now);
	struct lane *lane = evidence_lane(evidence, slot);

	switch (t->kind) {
	case TRANSITION_CREATE:
	case TRANSITION_READY:
		gti_evidence_be_ready(evidence, t, true);
		if (t->by == 0)
			gti_evidence_be_awake(evidence, feed, slot, now);
		break;
	case TRANSITION_CREATE_BLOCKED:
		gti_evidence_be_in(evidence, t, GOROUTINE_BLOCKED);
		break;
	case TRANSITION_STATUS:
		if (t->arg == GOROUTINE_READY) {
			note_ready_before(evidence, t);
			gti_evidence_be_ready(evidence, t, false);
		} else {
			gti_evidence_be_in(evidence, t,
					   (enum goroutine_state)t->arg);
		}
		if (t->arg == GOROUTINE_RUNS)
			gti_evidence_come(evidence, feed, slot, t->g, false, t);
		break;
	case TRANSITION_START:
		start(evidence, feed, slot, t);
		break;
	case TRANSITION_PREEMPT:
		note_preemption(evidence, lane, t);
		gti_evidence_be_ready(evidence, t, false);
		gti_evidence_leave(evidence, slot, now);
		break;
	case TRANSITION_BLOCK:
		gti_evidence_be_in(evidence, t, GOROUTINE_BLOCKED);
		gti_evidence_leave(evidence, slot, now);
		break;
	case TRANSITION_END:
		gti_evidence_end_profile(evidence, t->g);
		gti_evidence_be_in(evidence, t, GOROUTINE_ABSENT);
		if (t->by == t->g)
			gti_evidence_leave(evidence, slot, now);
		break;
	case TRANSITION_CREATE_IN_CALL:
		gti_evidence_be_in(evidence, t, GOROUTINE_IN_CALL);
		gti_evidence_change(lane, t->g, false, 0);
		break;
	default:
		break;
	}
}

/* What T changes of a system call of the goroutine on the lane in SLOT. */
static void change_calls(struct evidence *evidence, const struct feed *feed,
			 uint32_t slot, const struct transition *t)
{
	struct lane *lane = evidence_lane(evidence, slot);

	switch (t->kind) {
	case TRANSITION_CALL:
		if (!evidence->by_thread)
			lane->in_call = true;
		else
			gti_evidence_be_in(evidence, t, GOROUTINE_IN_CALL);
		break;
	case TRANSITION_LOSE:
		gti_evidence_be_in(evidence, t, GOROUTINE_IN_CALL);
		gti_evidence_change(lane, 0, false, 0);
		break;
	case TRANSITION_RETURN:
		gti_evidence_be_in(evidence, t, GOROUTINE_RUNS);
		gti_evidence_come(evidence, feed, slot, t->g, false, t);
		break;
	case TRANSITION_RETURN_READY:
		gti_evidence_be_ready(evidence, t, true);
		if (evidence->by_thread)
			gti_evidence_change(lane, 0, false, 0);
		break;
	case TRANSITION_END_IN_CALL:
		gti_evidence_be_in(evidence, t, GOROUTINE_ABSENT);
		gti_evidence_change(lane, 0, false, 0);
		break;
	default:
		break;
	}
}

/* The lane in SLOT has the processor P at NOW: the first time, since before. */
static void be_held(struct evidence *evidence, const struct feed *feed,
		    uint32_t slot, uint32_t p, int64_t now)
{
	const struct bare_lane *bare =
		gti_evidence_hold(evidence, feed, slot, p, now);

	if (bare != NULL && !bare->is_known)
		evidence->held_time = add_lengths(
			evidence->held_time,
			(uint64_t)length_between(evidence->first, now));
}

/* What T changes of processors. */
static void change_processors(struct evidence *evidence,
			      const struct feed *feed, uint32_t slot,
			      const struct transition *t)
{
	int64_t now = clock_ns(evidence->clock, t->now);
	struct bare_lane *bare;

	switch (t->kind) {
	case TRANSITION_HOLD:
		bare = gti_evidence_hold(evidence, feed, slot, t->p, now);
		if (bare != NULL) {
			bare->is_known = true;
			gti_evidence_bare_from(evidence, bare, now);
		}
		break;
	case TRANSITION_GIVE_UP:
	case TRANSITION_STEAL:
		bare = evidence_bare(evidence, t->p);
		if (bare != NULL)
			gti_evidence_give_up(evidence, feed, t->p, bare, now);
		break;
	case TRANSITION_PROC_STATUS:
		if (t->arg == PROCESSOR_RUNS)
			be_held(evidence, feed, slot, t->p, now);
		bare = evidence_bare(evidence, t->p);
		if (bare == NULL)
			break;
		if (t->arg == PROCESSOR_IDLE && !bare->is_known)
			evidence->idle_before = evidence->silences.count;
		bare->is_known = true;
		if (t->arg == PROCESSOR_IDLE)
			gti_evidence_be_idle(evidence, bare, true);
		break;
	case TRANSITION_PROCS:
		evidence->procs = t->arg < UINT32_MAX ? (uint32_t)t->arg : 0;
		break;
	case TRANSITION_STOP:
	case TRANSITION_STOP_END:
		evidence->is_stopped = t->kind == TRANSITION_STOP;
		/* While the world is stopped, a processor may be without. */
		forget_bare(evidence);
		break;
	default:
		break;
	}
}

/* LANE, in SLOT, has an event in this generation. */
static void note_lane(struct evidence *evidence, struct lane *lane,
		      uint32_t slot)
{
	if (LIKELY(lane->generation == evidence->generation + 1))
		return;
	lane->generation = evidence->generation + 1;
	gti_evidence_add(evidence, &evidence->changed, &slot, sizeof(slot));
}

/* The own stack of T is the last one of its goroutine. */
static void note_stack(struct evidence *evidence, const struct transition *t)
{
	struct waiting_goroutine *g;

	if (t->stack == 0 || t->by == 0)
		return;
	g = evidence_goroutine(evidence, t->by);
	if (g == NULL)
		return;
	g->stack = t->stack;
	g->stacks = evidence->generation;
}

/* A bit for each kind that puts something on a lane. */
#define OCCUPIES                                                               \
	(1u << TRANSITION_HOLD | 1u << TRANSITION_PROC_STATUS |                \
	 1u << TRANSITION_START | 1u << TRANSITION_STATUS |                    \
	 1u << TRANSITION_CREATE_IN_CALL | 1u << TRANSITION_RETURN)

/* The slot of the lane of T; 0: there is nothing on it. */
static uint32_t slot_of(const struct evidence *evidence,
			const struct transition *t)
{
	uint32_t slot = evidence->by_thread ? t->m : t->p;

	return slot < evidence->lanes.count ||
			       (t->kind < 32 && (OCCUPIES >> t->kind & 1) != 0)
		       ? slot
		       : 0;
}

static void take_one(struct evidence *evidence, const struct feed *feed,
		     const struct transition *t)
{
	uint32_t slot = slot_of(evidence, t);
	int64_t now = clock_ns(evidence->clock, t->now);
	struct lane *lane = evidence_lane(evidence, slot);

	gti_evidence_run(evidence, now);
	if (t->kind == TRANSITION_SAMPLE) {
		gti_evidence_sample(evidence, feed, slot, t);
		return;
	}
	evidence->sampled = 0;
	if (lane == NULL)
		return;
	if (slot != 0) {
		note_lane(evidence, lane, slot);
		end_silences(evidence, feed, slot, t);
	}
	lane->in_call = false;
	if (!evidence->by_thread && t->by == 0)
		gti_evidence_be_awake(evidence, feed, slot, now);
	note_stack(evidence, t);
	if (t->kind == TRANSITION_LABEL && lane->g == t->by && slot != 0)
		lane->is_dedicated |=
			evidence->names->is_dedicated(evidence->context, t);
	if (t->kind <= TRANSITION_END)
		change_goroutines(evidence, feed, slot, t);
	else if (t->kind <= TRANSITION_END_IN_CALL)
		change_calls(evidence, feed, slot, t);
	else if (t->kind <= TRANSITION_STOP_END)
		change_processors(evidence, feed, slot, t);
	gti_evidence_settle(evidence, evidence_lane(evidence, slot));
}

static void take(void *self, struct feed *feed)
{
	const struct transition *one = feed->batch->items;
	const struct transition *last = feed_end(feed);
	struct evidence *evidence = self;

	for (; one < last && !evidence->failed; one++) {
		if (LIKELY(one->kind <= TRANSITION_SAMPLE))
			take_one(evidence, feed, one);
		else if (one->kind == TRANSITION_SILENCE)
			gti_evidence_silence(evidence, feed, one);
		else if (one->kind == TRANSITION_CLOCK)
			change_clock(evidence);
	}
}

/*
 * What runs has its name beyond the generation. On lanes without an event in
 * it, what runs has its name already.
 */
static void keep_names(struct evidence *evidence)
{
	const struct lane *lanes = evidence->lanes.items;
	const uint32_t *changed = evidence->changed.items;
	struct waiting_goroutine *g;
	size_t i;

	for (i = 0; i < evidence->changed.count; i++) {
		const struct lane *lane = &lanes[changed[i]];

		if (lane->g == 0)
			continue;
		g = evidence_goroutine(evidence, lane->g);
		if (g != NULL)
			g->name = last_name(evidence, g) + 1;
	}
	evidence->changed.count = 0;
}

static void end_generation(void *self, struct feed *feed)
{
	struct evidence *evidence = self;

	(void)feed;
	keep_names(evidence);
	memset(evidence->timed, 0, sizeof(evidence->timed));
	gti_map_free(&evidence->stacks, evidence->memory);
	evidence->described.count = 0;
	evidence->generation++;
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	struct evidence *evidence = self;
	int64_t thread;
	uint32_t slot;

	gti_evidence_run(evidence, clock_ns(evidence->clock, now));
	for (slot = 1; slot < evidence->lanes.count && !evidence->failed;
	     slot++)
		end_silences(evidence, feed, slot, NULL);
	for (slot = 1; slot <= feed->threads.numbers.count; slot++) {
		thread = (int64_t)actors_number(&feed->threads, slot);
		gti_evidence_add(evidence, &evidence->threads, &thread,
				 sizeof(thread));
	}
}

static void restart(void *self)
{
	gti_evidence_free(self);
	gti_evidence_init(self);
}

struct consumer gti_evidence_consumer(struct evidence *evidence)
{
	return (struct consumer){
		.self = evidence,
		.take = take,
		.end_generation = end_generation,
		.finish = finish,
		.restart = restart,
		.beside = true,
	};
}
