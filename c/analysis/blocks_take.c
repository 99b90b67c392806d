/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks_take.c - the stream of transitions as states of goroutines, blocks,
 * tasks and regions.
 */
#include "analysis/blocks.h"

#include "base/array.h"

/* A transition that is being taken. */
struct taking {
	struct blocks *blocks;
	const struct feed *feed;
	const struct transition *from;
	struct block *block; /* of its goroutine */
};

/* That of the goroutine in SLOT. NULL: it is 0, or there is no memory. */
static inline struct block *block_of(struct blocks *blocks, uint32_t slot)
{
	static const struct block none = {.place = 0};
	struct block *block;

	if (slot == 0)
		return NULL;
	block = array_grown(&blocks->slots, slot, &none, sizeof(none),
			    blocks->memory);
	blocks->failed |= block == NULL;
	return block;
}

static uint64_t number_of(const struct feed *feed, uint32_t slot)
{
	return slot != 0 ? actors_number(&feed->goroutines, slot) : 0;
}

/* What is needed of the event, which has REASON. */
static struct block_event event_of(const struct taking *taking, uint64_t reason)
{
	const struct transition *from = taking->from;

	return (struct block_event){
		.offset = from->offset,
		.ticks = from->now,
		.stack = from->stack,
		.reason = reason,
		.type = from->type,
	};
}

/* ---------------------------------------------------------------- states -- */

static void be(const struct taking *taking, unsigned state)
{
	lives_go_on(&taking->blocks->lives, &taking->block->life, state,
		    taking->from->now);
}

static void begin_life(const struct taking *taking)
{
	gti_blocks_life(taking->blocks, taking->block,
			number_of(taking->feed, taking->from->g));
}

/* A block begins for REASON; or a system call, which may be none. */
static void begin(const struct taking *taking, uint64_t reason)
{
	gti_blocks_begin(taking->blocks, taking->block,
			 event_of(taking, reason));
}

static void begin_call(const struct taking *taking)
{
	struct block_event event = event_of(taking, 0);

	event.call = true;
	event.keeps = (taking->from->flags & TRANSITION_MAY_BE_CALL) != 0;
	gti_blocks_begin(taking->blocks, taking->block, event);
}

/* The block ends: by another goroutine, if BY_OTHER, or of itself. */
static void end_block(const struct taking *taking, bool by_other)
{
	struct block_event event = event_of(taking, 0);

	event.ends = true;
	event.g = number_of(taking->feed, taking->from->by);
	gti_blocks_end(taking->blocks, taking->block,
		       number_of(taking->feed, taking->from->g), event,
		       by_other && taking->from->by != 0);
}

static void lose(const struct taking *taking, int64_t since)
{
	gti_blocks_lose(taking->blocks, taking->block, since);
}

static void take_create(const struct taking *taking)
{
	const struct transition *from = taking->from;

	begin_life(taking);
	if (from->kind == TRANSITION_CREATE) {
		be(taking, LIFE_READY);
		taking->block->since = from->now;
	} else if (from->kind == TRANSITION_CREATE_BLOCKED) {
		begin(taking, 0);
	} else {
		begin_call(taking);
		if ((from->flags & TRANSITION_LOSES) != 0)
			lose(taking, from->now);
	}
	if (from->kind != TRANSITION_CREATE_IN_CALL)
		gti_blocks_root(taking->blocks, taking->block, from->arg);
}

/* The goroutine was blocked before this event. */
static void block_before(const struct taking *taking, bool in_call)
{
	struct block_event event = event_of(taking, 0);

	event.call = in_call;
	gti_blocks_begin_before(taking->blocks, taking->block, event);
	if (in_call && (taking->from->flags & TRANSITION_LOSES) != 0)
		lose(taking, taking->block->since);
}

/* The goroutine was listed as ready, and turns out to be in STATE since. */
static void recast(const struct taking *taking, unsigned state)
{
	if ((taking->from->flags & TRANSITION_LISTED) != 0)
		gti_lives_recast(&taking->blocks->lives, &taking->block->life,
				 state, taking->block->since);
}

/* Only the first status, and one of a goroutine that was listed, tells more. */
static void take_status(const struct taking *taking)
{
	const struct transition *from = taking->from;
	bool is_first = (from->flags & TRANSITION_FIRST) != 0;

	if (is_first)
		begin_life(taking);
	if (taking->feed->origin != INT64_MIN)
		gti_blocks_root(taking->blocks, taking->block, from->stack);
	if (!is_first && taking->feed->origin != INT64_MIN)
		return;
	recast(taking, LIFE_NONE);
	if (from->arg == GOROUTINE_BLOCKED || from->arg == GOROUTINE_IN_CALL)
		block_before(taking, from->arg == GOROUTINE_IN_CALL);
	else
		blocks_be(taking->blocks, taking->block,
			  from->arg == GOROUTINE_RUNS ? LIFE_RUNS : LIFE_READY,
			  from->now);
}

static void take_start(const struct taking *taking)
{
	recast(taking, LIFE_RUNS);
	be(taking, LIFE_RUNS);
}

static void take_preemption(const struct taking *taking)
{
	taking->block->place = 0; /* what may have been a call is none */
	be(taking, LIFE_READY);
}

/* The goroutine in a system call has no processor any more. */
static void take_loss(const struct taking *taking)
{
	if (taking->block->place == 0)
		begin_call(taking);
	lose(taking, taking->from->now);
}

static void take_return(const struct taking *taking)
{
	end_block(taking, false);
	if (taking->from->kind == TRANSITION_RETURN)
		be(taking, LIFE_RUNS);
}

static void take_end(const struct taking *taking)
{
	if (taking->from->kind == TRANSITION_END_IN_CALL)
		end_block(taking, false);
	gti_blocks_drop(taking->blocks, taking->block, taking->from->now);
}

static void take_assist(const struct taking *taking, bool begins)
{
	struct life *life = &taking->block->life;

	if (!begins || !life->assists)
		lives_assist(&taking->blocks->lives, life, begins,
			     taking->from->now);
}

/* ------------------------------------------------------ tasks and regions --
 */

static void begin_span(const struct taking *taking, enum block_subject subject,
		       uint64_t id)
{
	struct block_event event = event_of(taking, taking->from->arg);

	event.stack = 0;
	event.subject = subject;
	gti_requests_begin(taking->blocks, taking->block, id, &event);
}

static void take_other(const struct taking *taking)
{
	struct blocks *blocks = taking->blocks;
	const struct transition *from = taking->from;
	struct block_event event;

	switch (from->kind) {
	case TRANSITION_TASK:
		blocks->task = from->arg;
		break;
	case TRANSITION_TASK_NAME:
		begin_span(taking, SUBJECT_TASK, blocks->task);
		break;
	case TRANSITION_REGION:
		begin_span(taking, SUBJECT_REGION, 0);
		break;
	case TRANSITION_REGION_END:
		event = event_of(taking, from->arg);
		event.stack = 0;
		event.subject = SUBJECT_REGION;
		gti_requests_end_region(blocks, taking->block,
					number_of(taking->feed, from->g),
					&event);
		break;
	default:
		if ((from->flags & TRANSITION_LOSES) != 0)
			lose(taking, from->now);
		break;
	}
}

/* ---------------------------------------------------------------- stream -- */

static void take_change(const struct taking *taking)
{
	switch (taking->from->kind) {
	case TRANSITION_CREATE:
	case TRANSITION_CREATE_BLOCKED:
	case TRANSITION_CREATE_IN_CALL:
		take_create(taking);
		break;
	case TRANSITION_STATUS:
		take_status(taking);
		break;
	case TRANSITION_READY:
		end_block(taking, true);
		break;
	case TRANSITION_START:
		take_start(taking);
		break;
	case TRANSITION_PREEMPT:
		take_preemption(taking);
		break;
	case TRANSITION_BLOCK:
		begin(taking, taking->from->arg);
		break;
	case TRANSITION_CALL:
		begin_call(taking);
		break;
	case TRANSITION_LOSE:
		take_loss(taking);
		break;
	case TRANSITION_RETURN:
	case TRANSITION_RETURN_READY:
		take_return(taking);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		take_end(taking);
		break;
	case TRANSITION_ASSIST:
	case TRANSITION_ASSIST_ON:
		take_assist(taking, true);
		break;
	case TRANSITION_ASSIST_END:
		take_assist(taking, false);
		break;
	default:
		take_other(taking);
		break;
	}
}

/*
 * A goroutine that was there before the trace, and had no stack then, began in
 * the outermost function of the first stack of its own. A profiler can find it
 * on a stack of the runtime.
 */
static inline void learn_root(struct blocks *blocks,
			      const struct transition *from)
{
	struct block *block;

	if (from->stack == 0 || from->by == 0 ||
	    from->kind == TRANSITION_SAMPLE || from->kind == TRANSITION_STATUS)
		return;
	block = block_of(blocks, from->by);
	if (block != NULL && UNLIKELY(blocks_need_root(blocks, block)))
		gti_blocks_root(blocks, block, from->stack);
}

/* The slot of the goroutine that FROM changes. */
static uint32_t whose(const struct transition *from)
{
	bool steals = from->kind == TRANSITION_STEAL;

	return steals ? (uint32_t)from->arg : from->g;
}

static void take_one(struct blocks *blocks, const struct feed *feed,
		     const struct transition *from)
{
	struct taking taking = {blocks, feed, from, NULL};

	if (UNLIKELY(blocks->clock_changed != blocks->changes->last) &&
	    from->now >= blocks->changes->last)
		gti_blocks_change_clock(blocks, blocks->changes->last);
	if ((blocks->lives.pool.size != 0 || blocks->filter != NULL) &&
	    feed->origin != INT64_MIN)
		learn_root(blocks, from);
	if (from->kind == TRANSITION_TASK_END) {
		gti_requests_end(blocks, from->arg, number_of(feed, from->by),
				 from->now);
		return;
	}
	taking.block = block_of(blocks, whose(from));
	if (taking.block != NULL)
		take_change(&taking);
}

static void take(void *self, struct feed *feed)
{
	const struct transition *one = feed->batch->items;
	const struct transition *last = feed_end(feed);
	struct blocks *blocks = self;

	blocks->origin = feed->origin;
	for (; one < last && !blocks->failed; one++)
		take_one(blocks, feed, one);
	feed->failed |= blocks->failed;
}

static void end_generation(void *self, struct feed *feed)
{
	(void)feed;
	gti_blocks_forget_stacks(self);
}

/* Whether BLOCK is none: what may have been a call when the trace ends. */
static bool is_none(const struct block *block)
{
	return block->life.state < LIFE_LOST;
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	struct blocks *blocks = self;
	struct block *all = blocks->slots.items;
	size_t slot;

	blocks->origin = feed->origin;
	for (slot = 1; slot < blocks->slots.count; slot++) {
		if (is_none(&all[slot]))
			all[slot].place = 0;
		gti_blocks_open(blocks, &all[slot],
				number_of(feed, (uint32_t)slot), now);
	}
	gti_blocks_finish(blocks, now);
	feed->failed |= blocks->failed;
}

static void restart(void *self)
{
	gti_blocks_restart(self);
}

static void end(void *self)
{
	gti_blocks_free(self);
}

struct consumer gti_blocks_consumer(struct blocks *blocks)
{
	return (struct consumer){
		.self = blocks,
		.take = take,
		.end_generation = end_generation,
		.finish = finish,
		.restart = restart,
		.end = end,
	};
}
