/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain_walk.c - walks the path of a goroutine back, down the links of the log.
 *
 * The goroutines of the chain are frames of a stack. Each is at a place: just
 * before some of its entries, and so in the state that an earlier one began.
 * The walk is at a time, and goes on with the last frame. If that is in a state
 * to follow, the goroutine that ended the state is the next frame, up to the
 * begin of the state: its floor. When the walk comes to the floor the frame is
 * done, and the one above goes on before that state.
 */
#include "analysis/chain.h"
#include "base/array.h"

/* A goroutine of the chain. */
struct frame {
	uint64_t g;
	int64_t floor;  /* it is on the path from this time on */
	uint32_t in;    /* the last entry before the place */
	uint32_t begin; /* the entry that began the state that is followed */
	uint32_t end;   /* the one that ended the state; 0: it is not over */
	/* Stack of the first own event after the place, in the same running. */
	uint32_t first;
	bool knows_first;
	/* The last frame, of those before this one, that is blocked, plus one.
	 */
	size_t blocked;
};

struct walk {
	struct chain *chain;
	int64_t now;
	void (*each)(void *context, const struct chain_piece *piece);
	void *context;
};

void gti_chain_walk_free(struct chain *chain)
{
	gti_array_free(&chain->frames, sizeof(struct frame), chain->memory);
}

static struct frame *frame_at(const struct chain *chain, size_t level)
{
	return (struct frame *)chain->frames.items + level;
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* FRAME is before the entry NUMBER from now on. */
static void cross(const struct chain *chain, struct frame *frame,
		  uint32_t number)
{
	const struct chain_entry *entry = chain_entry(chain, number);

	if (entry->changes)
		frame->end = number;
	if (entry->changes || entry->is_own) {
		frame->first = entry->is_own ? entry->own : NO_STACK;
		frame->knows_first = true;
	}
	frame->in = entry->before;
}

/*
 * The goroutine of the entry CAUSE, which it was running at, is the next frame,
 * down to FLOOR.
 */
static void enter(struct walk *walk, uint32_t cause, int64_t floor)
{
	struct chain *chain = walk->chain;
	const struct chain_entry *entry = chain_entry(chain, cause);
	struct frame next = {
		.g = entry->g,
		.floor = floor,
		.in = entry->before,
		.first = entry->first,
		.knows_first = entry->resolved,
	};
	size_t level = chain->frames.count;

	if (level != 0) {
		const struct frame *last = frame_at(chain, level - 1);

		next.blocked = last->blocked;
		if (chain_entry(chain, last->begin)->state == CHAIN_BLOCKED)
			next.blocked = level;
	}
	if (array_add(&chain->frames, &next, sizeof(next), chain->memory) ==
	    NULL)
		chain->failed = true;
}

/* ---------------------------------------------------------------- pieces -- */

/* What leads from the frame at LEVEL to the next one. */
static struct chain_cause cause_at(const struct chain *chain, size_t level)
{
	const struct frame *frame = frame_at(chain, level);
	const struct chain_entry *begin = chain_entry(chain, frame->begin);
	const struct chain_entry *by =
		chain_entry(chain, chain_entry(chain, frame->end)->cause);
	struct chain_cause cause = {
		.g = frame->g,
		.kind = begin->kind,
		.stack = begin->stack,
		.ended = by->is_own ? by->own : NO_STACK,
	};

	if (begin->state != CHAIN_BLOCKED) {
		cause.kind = CHAIN_CREATED;
		cause.stack = cause.ended;
	}
	return cause;
}

/*
 * From START to now the frame at LEVEL is the leaf, in the state of PIECE, from
 * which this fills in what the state does not tell.
 */
static void tell(struct walk *walk, size_t level, int64_t start,
		 struct chain_piece *piece)
{
	piece->start = start;
	piece->length = (int64_t)((uint64_t)walk->now - (uint64_t)start);
	piece->g = frame_at(walk->chain, level)->g;
	piece->level = (uint32_t)level;
	if (level != 0) {
		piece->cause = cause_at(walk->chain, level - 1);
		piece->outer = cause_at(walk->chain, 0);
	}
	walk->each(walk->context, piece);
	walk->now = start;
}

/* What a leaf shows in the state that BEGIN began. */
static struct chain_piece piece_of(const struct chain_entry *begin)
{
	return (struct chain_piece){
		.state = begin->state,
		.kind = begin->kind,
		.stack =
			begin->state == CHAIN_READY ? begin->own : begin->stack,
		.ended = begin->ended,
	};
}

/* The state that BEGIN began in FRAME, from START on, is one to follow. */
static bool follows(const struct chain *chain, const struct frame *frame,
		    const struct chain_entry *begin)
{
	const struct chain_entry *end;

	if (frame->end == 0)
		return false;
	end = chain_entry(chain, frame->end);
	if (end->by != BY_GOROUTINE || end->cause == 0)
		return false;
	if (begin->state == CHAIN_ABSENT)
		return end->creates;
	return begin->state == CHAIN_BLOCKED &&
	       begin->kind != GTRACE_BLOCK_NETWORK &&
	       begin->kind != GTRACE_BLOCK_ASSIST &&
	       begin->kind != GTRACE_BLOCK_COLLECTION;
}

/*
 * The last frame is not there from START on, and nobody creates it: the leaf is
 * the last one that is blocked.
 */
static void tell_nobody(struct walk *walk, int64_t start,
			struct chain_piece piece)
{
	const struct chain *chain = walk->chain;
	size_t level = chain->frames.count - 1;
	const struct frame *frame = frame_at(chain, level);
	const struct chain_entry *end;

	if (frame->end != 0 && frame->blocked != 0) {
		end = chain_entry(chain, frame->end);
		level = frame->blocked - 1;
		piece = piece_of(
			chain_entry(chain, frame_at(chain, level)->begin));
		piece.by = end->by;
	}
	tell(walk, level, start, &piece);
}

/* Tells the piece of the last frame in the state that BEGIN began. */
static bool tell_leaf(struct walk *walk, const struct chain_entry *begin,
		      int64_t start)
{
	const struct chain *chain = walk->chain;
	size_t level = chain->frames.count - 1;
	const struct frame *frame = frame_at(chain, level);
	struct chain_piece piece = piece_of(begin);

	if (begin->state == CHAIN_ABSENT) {
		tell_nobody(walk, start, piece);
		return true;
	}
	if (begin->state == CHAIN_RUNS) {
		if (!frame->knows_first && !chain->finished)
			return false;
		piece.stack = frame->first;
		if (!frame->knows_first || frame->first == NO_STACK)
			piece.stack = chain_entry(chain, frame->in)->own;
	}
	if (begin->state == CHAIN_BLOCKED)
		piece.by = frame->end != 0 ? chain_entry(chain, frame->end)->by
					   : CHAIN_NOT_OVER;
	tell(walk, level, start, &piece);
	return true;
}

/* ------------------------------------------------------------------ walk -- */

/* The last frame is done, and the one above it goes on. */
static void leave(struct walk *walk)
{
	struct chain *chain = walk->chain;
	struct frame *above;

	if (--chain->frames.count == 0)
		return;
	above = frame_at(chain, chain->frames.count - 1);
	cross(chain, above, above->begin);
}

/* Goes on with the last frame. Returns false as gti_chain_walk() does. */
static bool step(struct walk *walk)
{
	struct chain *chain = walk->chain;
	struct frame *frame = frame_at(chain, chain->frames.count - 1);
	const struct chain_entry *begin;
	struct chain_piece unknown = {.state = CHAIN_UNKNOWN,
				      .stack = NO_STACK};
	int64_t start;

	while (frame->in != 0 && chain_entry(chain, frame->in)->at >= walk->now)
		cross(chain, frame, frame->in);
	frame->begin = frame->in;
	while (frame->begin != 0 && !chain_entry(chain, frame->begin)->changes)
		frame->begin = chain_entry(chain, frame->begin)->before;
	if (frame->begin == 0) { /* the log has an entry that is earlier */
		tell(walk, chain->frames.count - 1, frame->floor, &unknown);
		return true;
	}
	begin = chain_entry(chain, frame->begin);
	start = latest(begin->at, frame->floor);
	if (follows(chain, frame, begin)) {
		enter(walk, chain_entry(chain, frame->end)->cause, start);
		return true;
	}
	if (!tell_leaf(walk, begin, start))
		return false;
	cross(chain, frame, frame->begin);
	return true;
}

bool gti_chain_walk(struct chain *chain, uint32_t last, int64_t from,
		    int64_t to,
		    void (*each)(void *context,
				 const struct chain_piece *piece),
		    void *context)
{
	struct walk walk = {chain, to, each, context};
	struct frame first = {.floor = from, .in = last, .first = NO_STACK};

	if (last != 0)
		first.g = chain_entry(chain, last)->g;
	chain->frames.count = 0;
	if (array_add(&chain->frames, &first, sizeof(first), chain->memory) ==
	    NULL)
		chain->failed = true;
	while (chain->frames.count != 0 && !chain->failed) {
		if (walk.now <= frame_at(chain, chain->frames.count - 1)->floor)
			leave(&walk);
		else if (!step(&walk))
			return false;
	}
	return true;
}
