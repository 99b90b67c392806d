/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - for what goroutines could not go on, in a pass over the stream. */
#include "analysis/causes_parts.h"

#include <string.h>

#include "base/array.h"
#include "base/times.h"

/*
 * Bounds, so that no trace takes more than linear time and memory: entries of
 * the log; steps of a walk; steps of all walks for each transition.
 */
#define LOG_MAX     (1 << 20)
#define STEPS_MAX   4096
#define STEPS_SHARE 64

/* Of a goroutine that the trace creates, `user` of its slot. */
#define HAS_WRITTEN 1

static void set_up(struct causes *causes)
{
	gti_texts_init(&causes->spots, causes->memory);
	gti_texts_init(&causes->places, causes->memory);
	gti_texts_init(&causes->rows, causes->memory);
	gti_texts_init(&causes->grounds, causes->memory);
	gti_texts_init(&causes->ways, causes->memory);
	gti_texts_init(&causes->holds, causes->memory);
	causes->begun = causes->over = false;
	causes->transitions = causes->ended = 0;
	causes->every = 1;
	causes->ready = causes->ready_all = causes->ready_worst = 0;
	causes->ready_start = -1;
	gti_chain_log(&causes->chain, true);
}

void gti_causes_init(struct causes *causes,
		     bool (*describe)(void *context, const struct site_key *key,
				      struct site *site),
		     void *context, const struct gtrace_allocator *memory)
{
	memset(causes, 0, sizeof(*causes));
	causes->memory = memory;
	causes->context = context;
	gti_chain_init(&causes->chain, describe, context, memory);
	causes->chain.hasty = true;
	causes->chain.steps_max = STEPS_MAX;
	set_up(causes);
}

static void forget(struct causes *causes)
{
	const struct gtrace_allocator *memory = causes->memory;

	gti_texts_free(&causes->spots);
	gti_texts_free(&causes->places);
	gti_texts_free(&causes->rows);
	gti_texts_free(&causes->grounds);
	gti_array_free(&causes->firsts, sizeof(uint32_t), memory);
	gti_texts_free(&causes->ways);
	gti_texts_free(&causes->holds);
	gti_array_free(&causes->hold_sums, sizeof(int64_t), memory);
	gti_array_free(&causes->wrappers, sizeof(struct cause_wrapper), memory);
	gti_array_free(&causes->waits, sizeof(struct cause_waits), memory);
	gti_map_free(&causes->by_key, memory);
	gti_array_free(&causes->sums, sizeof(struct cause_total), memory);
	gti_array_free(&causes->visits, sizeof(struct cause_visits), memory);
	gti_array_free(&causes->longs, sizeof(int64_t), memory);
	gti_map_free(&causes->by_waker, memory);
	gti_array_free(&causes->broadcasts, sizeof(struct cause_broadcast),
		       memory);
	gti_array_free(&causes->open, sizeof(struct cause_open), memory);
	memset(causes->recent_spots, 0, sizeof(causes->recent_spots));
	memset(causes->recent_places, 0, sizeof(causes->recent_places));
	memset(causes->recent_rows, 0, sizeof(causes->recent_rows));
	memset(causes->recent_sums, 0, sizeof(causes->recent_sums));
}

void gti_causes_free(struct causes *causes)
{
	if (causes->memory == NULL)
		return;
	gti_chain_free(&causes->chain);
	forget(causes);
	gti_array_free(&causes->stacks, sizeof(struct cause_stack),
		       causes->memory);
	gti_array_free(&causes->roots, sizeof(uint8_t), causes->memory);
}

static void restart(void *self)
{
	struct causes *causes = self;

	gti_chain_restart(&causes->chain);
	forget(causes);
	set_up(causes);
}

/* ----------------------------------------------------------------- times -- */

/* A time in which a goroutine was in one state, which is over. */
struct episode {
	uint32_t slot;
	uint64_t g;
	enum chain_state state;
	struct site site;         /* of the event that began it */
	struct chain_slot *after; /* it goes on, or the trace is over */
	int64_t start;
	int64_t length;
};

/* Sets causes->place, and counts the block there. */
static void begin_place(struct causes *causes, const struct episode *episode,
			unsigned kind)
{
	uint32_t spot = gti_causes_spot(causes, episode->after->root,
					episode->site.stack, kind);
	int64_t elapsed = ns_between(causes->first,
				     add_ns(episode->start, episode->length));

	causes->place = (struct cause_place){.spot = spot};
	if (episode->after->created && episode->after->user != HAS_WRITTEN)
		causes->place.flags = PLACE_NEW;
	if (causes->failed)
		return;
	if (!causes->over)
		causes_waits(causes, spot)->count++;
	gti_causes_visit(causes, episode->slot, episode->g, spot);
	if (episode->length < elapsed / 2)
		return;
	if (array_add(&causes->longs, &episode->length, sizeof(int64_t),
		      causes->memory) == NULL)
		causes->failed = true;
	causes->place.longest = (uint32_t)causes->longs.count;
}

/* Who ended the block of EPISODE. */
static enum by find_ender(struct causes *causes, const struct episode *episode)
{
	return gti_chain_ender(&causes->chain,
			       chain_last(&causes->chain, episode->after),
			       (enum gtrace_block_kind)episode->site.kind);
}

/* Whether the block of EPISODE, which BY ended, is one to follow. */
static bool is_followed(struct causes *causes, const struct episode *episode,
			enum by by)
{
	return chain_entry(&causes->chain, episode->after->last)->cause != 0 &&
	       chain_follows(episode->site.kind, by);
}

/* Whether this block is walked, of all that could be. */
static bool is_walked(struct causes *causes)
{
	if (causes->chain.steps > STEPS_SHARE * causes->transitions + 65536 &&
	    causes->every < UINT32_MAX)
		causes->every *= 2;
	return causes->ended++ % causes->every == 0;
}

/*
 * The stack that names EPISODE, which is its own leaf: its own one, or that
 * which created the goroutine. NO_STACK: neither has a frame that is yours.
 */
static uint32_t name_alone(struct causes *causes, const struct episode *episode)
{
	if (causes_look(causes, episode->site.stack).yours)
		return episode->site.stack;
	return causes_look(causes, episode->after->creation).yours
		       ? episode->after->creation
		       : NO_STACK;
}

/* The block of EPISODE is its own leaf. */
static void take_alone(struct causes *causes, const struct episode *episode,
		       unsigned by)
{
	struct cause_row row = {
		.part = gti_causes_part_of_block(episode->site.kind, by),
		.stack = NO_STACK,
		.inner = episode->site.stack,
	};

	if (row.part < GTRACE_HOLDS)
		row.stack = name_alone(causes, episode);
	row.spot = causes->place.spot + 1;
	causes->place.flags |= by == BY_TIMER ? PLACE_TIMER : PLACE_ALONE;
	gti_causes_add(causes, gti_causes_place(causes, &causes->place), &row,
		       1, episode->start, episode->length, episode->g);
}

static bool is_covered(const struct causes *causes,
		       const struct episode *episode)
{
	return causes->covers == NULL ||
	       causes->covers(causes->context, episode->g, episode->after->root,
			      episode->site.stack, episode->start,
			      episode->length);
}

static void take_block(struct causes *causes, const struct episode *episode)
{
	struct chain *chain = &causes->chain;
	uint32_t cause;
	enum by by;

	/* Where it is blocked since before the trace may be unknown. */
	if (episode->site.stack == NO_STACK)
		return;
	begin_place(causes, episode, episode->site.kind);
	if (causes->failed || !is_covered(causes, episode))
		return;
	by = find_ender(causes, episode);
	if (!is_followed(causes, episode, by)) {
		take_alone(causes, episode, by);
		return;
	}
	if (!is_walked(causes))
		return;
	cause = chain_entry(chain, episode->after->last)->cause;
	if (chain_entry(chain, cause)->g == episode->after->creator)
		causes->place.flags |= PLACE_CREATOR;
	causes->place_number = 0;
	gti_chain_walk(chain, episode->after->last, episode->start,
		       episode->after->since, gti_causes_take_piece, causes);
}

static void take_call(struct causes *causes, const struct episode *episode)
{
	uint32_t stack = episode->site.stack;
	struct cause_row row = {.inner = stack};

	begin_place(causes, episode, GTRACE_BLOCK_SYSCALL);
	if (causes->failed || episode->length < CAUSE_LEAST ||
	    !is_covered(causes, episode))
		return;
	row.stack = name_alone(causes, episode);
	row.part = causes_look(causes, stack).in_c ? GTRACE_HOLD_IN_C
						   : GTRACE_HOLD_CALL;
	gti_causes_add(causes, gti_causes_place(causes, &causes->place), &row,
		       1, episode->start, episode->length, episode->g);
}

/* The block of EPISODE is not over when the trace ends. */
static void take_open_block(struct causes *causes,
			    const struct episode *episode)
{
	struct cause_open open = {.since = episode->start};

	if (episode->site.stack == NO_STACK)
		return;
	begin_place(causes, episode, episode->site.kind);
	if (causes->failed || !is_covered(causes, episode))
		return;
	if (episode->start <= causes->first)
		causes->place.flags |= PLACE_ALWAYS;
	take_alone(causes, episode, CHAIN_NOT_OVER);
	open.spot = causes->place.spot;
	if (array_add(&causes->open, &open, sizeof(open), causes->memory) ==
	    NULL)
		causes->failed = true;
}

static void take_ready(struct causes *causes, const struct episode *episode)
{
	if (!is_covered(causes, episode))
		return;
	causes->ready_all = add_ns(causes->ready_all, episode->length);
	if (episode->length >= CAUSE_LEAST)
		causes->ready = add_ns(causes->ready, episode->length);
	if (episode->length > causes->ready_worst) {
		causes->ready_worst = episode->length;
		causes->ready_start = episode->start;
	}
}

/* Whether what ends in STATE can count. */
static bool state_counts(unsigned state)
{
	return state == CHAIN_BLOCKED || state == CHAIN_IN_CALL ||
	       state == CHAIN_READY;
}

/* SITE is the number of that of EPISODE, in a state that can count. */
static void take_episode(struct causes *causes, struct episode *episode,
			 uint32_t site)
{
	if (episode->length <= 0 ||
	    (causes->clocks != NULL &&
	     clock_changed(causes->clocks, episode->start)))
		return;
	episode->site = sites_at(&causes->chain.sites, site);
	/* What waits for anything else tells nothing of who held locks. */
	if (causes->only_holds && (episode->state != CHAIN_BLOCKED ||
				   episode->site.kind != GTRACE_BLOCK_LOCK))
		return;
	if (!gti_causes_count(causes, episode->after->root,
			      episode->site.stack))
		return;
	if (episode->state == CHAIN_BLOCKED && causes->over)
		take_open_block(causes, episode);
	else if (episode->state == CHAIN_BLOCKED)
		take_block(causes, episode);
	else if (episode->state == CHAIN_IN_CALL)
		take_call(causes, episode);
	else
		take_ready(causes, episode);
}

/* ---------------------------------------------------------------- stream -- */

/* The goroutine of SLOT, which is new, has the event TRANSITION. */
static void note_write(struct causes *causes, struct chain_slot *slot,
		       const struct transition *transition)
{
	uint32_t stack = gti_chain_number(&causes->chain, transition->stack);

	if (causes_look(causes, stack).sends)
		slot->user = HAS_WRITTEN;
}

/* The goroutine of TRANSITION was BEFORE, and has another state now. */
static void take_change(struct causes *causes,
			const struct transition *transition,
			const struct cause_before *before,
			struct chain_slot *after)
{
	struct episode episode = {
		.slot = transition->g,
		.g = after->g,
		.state = before->state,
		.after = after,
		.start = before->since,
		.length = ns_between(before->since, after->since),
	};

	if (!causes->only_holds && (before->state == CHAIN_BLOCKED ||
				    causes_is_woken(causes, transition->g)))
		gti_causes_woken(causes, transition->g, before, after);
	if (state_counts(before->state))
		take_episode(causes, &episode, before->site);
	if (causes->chain.log.count >= LOG_MAX)
		gti_chain_shorten(&causes->chain, LOG_MAX / 2);
}

/*
 * A stack all frames of which are without a name, as of preempted goroutines in
 * some releases, counts as none.
 */
static bool is_nameless(struct causes *causes,
			const struct transition *transition)
{
	uint32_t stack;

	if (transition->kind != TRANSITION_PREEMPT || transition->stack == 0)
		return false;
	stack = gti_chain_number(&causes->chain, transition->stack);
	return causes_look(causes, stack).own == 0;
}

static void take_transition(struct causes *causes, const struct feed *feed,
			    const struct transition *transition)
{
	struct chain *chain = &causes->chain;
	struct transition without;
	const struct chain_slot *known = chain_find(chain, feed, transition->g);
	struct chain_slot *after;
	struct cause_before before;

	causes->transitions++;
	if (is_nameless(causes, transition)) {
		without = *transition;
		without.stack = 0;
		transition = &without;
	}
	if (known != NULL)
		before = (struct cause_before){
			.state = (enum chain_state)known->state,
			.since = known->since,
			.site = chain_state_site(chain, known),
		};
	causes->last = clock_ns(feed->clock, transition->now);
	gti_chain_take(chain, feed, transition, causes->last);
	if (!causes->begun) {
		causes->begun = true;
		causes->first = causes->last;
	}
	after = chain_find(chain, feed, transition->g);
	if (transition->kind == TRANSITION_CALL && after != NULL &&
	    after->created && after->user != HAS_WRITTEN)
		note_write(causes, after, transition);
	if (known != NULL && after != NULL && !chain->failed &&
	    (after->state != before.state || after->since != before.since))
		take_change(causes, transition, &before, after);
}

static void take(void *self, struct feed *feed)
{
	const struct transition *one = feed->batch->items;
	const struct transition *last = feed_end(feed);
	struct causes *causes = self;

	for (; one < last && !causes->over; one++)
		if (chain_concerns(feed, one))
			take_transition(causes, feed, one);
	causes->failed |= causes->chain.failed;
}

/* The number SLOT is in its last state when the trace ends. */
static void take_open(struct causes *causes, uint32_t number)
{
	struct chain_slot *slot = chain_slot(&causes->chain, number);
	struct episode episode = {
		.slot = number,
		.g = slot->g,
		.state = (enum chain_state)slot->state,
		.after = slot,
		.start = slot->since,
		.length = ns_between(slot->since, causes->last),
	};

	if (slot->g != UINT64_MAX && state_counts(slot->state))
		take_episode(causes, &episode,
			     chain_state_site(&causes->chain, slot));
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	struct causes *causes = self;
	uint32_t i;

	causes->last = clock_ns(feed->clock, now);
	causes->over = true;
	for (i = 1; i <= causes->chain.slots.count; i++)
		take_open(causes, i);
	gti_chain_finish(&causes->chain);
}

static void end_generation(void *self, struct feed *feed)
{
	struct causes *causes = self;

	(void)feed;
	gti_chain_end_generation(&causes->chain);
}

struct consumer gti_causes_consumer(struct causes *causes)
{
	return (struct consumer){
		.self = causes,
		.take = take,
		.end_generation = end_generation,
		.finish = finish,
		.restart = restart,
		.beside = true,
	};
}
