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
#include "base/least.h"
#include "base/times.h"

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
	uint32_t node; /* see struct chain */
	/* Level of the last one up to this one, but the first, that has the
	 * root of the first; 0: none. */
	size_t kin;
	size_t locks; /* so many of the first ones wait for locks */
};

struct walk {
	struct chain *chain;
	int64_t now;
	struct chain_piece piece; /* that is told, or was */
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

/* FRAME is before the entry NUMBER from now on. */
static void cross(struct chain *chain, struct frame *frame, uint32_t number)
{
	const struct chain_entry *entry = chain_entry(chain, number);

	if (entry->changes)
		frame->end = number;
	if (entry->changes || entry->is_own) {
		/* In place of an own event, the last one before. */
		frame->first =
			entry->is_own || chain->hasty ? entry->own : NO_SITE;
		frame->knows_first = true;
	}
	frame->in = entry->before;
}

/* The node of the cause that leads from the frame at LEVEL to the next one. */
static uint32_t join(struct chain *chain, size_t level)
{
	const struct chain_cause cause = gti_chain_cause(chain, level);

	return chain->join(chain->join_context, frame_at(chain, level)->node,
			   &cause);
}

/* Whether FRAME, which is followed, waits for a lock. */
static bool waits_for_lock(struct chain *chain, const struct frame *frame)
{
	const struct chain_entry *begin = chain_entry(chain, frame->begin);

	return begin->state == CHAIN_BLOCKED &&
	       sites_at(&chain->sites, begin->stack).kind == GTRACE_BLOCK_LOCK;
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

	if (chain->hasty && (!entry->resolved || entry->first == NO_SITE)) {
		next.first = entry->own;
		next.knows_first = true;
	}
	if (level != 0) {
		const struct frame *last = frame_at(chain, level - 1);

		uint32_t root =
			chain_entry(chain, frame_at(chain, 0)->begin)->root;

		next.kin = last->kin;
		if (root != 0 && root == entry->root)
			next.kin = level;
		next.blocked = last->blocked;
		if (chain_entry(chain, last->begin)->state == CHAIN_BLOCKED)
			next.blocked = level;
		next.locks = last->locks;
		if (last->locks == level - 1 && waits_for_lock(chain, last))
			next.locks = level;
		if (chain->join != NULL)
			next.node = join(chain, level - 1);
	}
	if (array_add(&chain->frames, &next, sizeof(next), chain->memory) ==
	    NULL)
		chain->failed = true;
}

/* ---------------------------------------------------------------- pieces -- */

static uint32_t stack_at(struct chain *chain, uint32_t site)
{
	return sites_at(&chain->sites, site).stack;
}

/* The site of the event of the entry CAUSE. */
static uint32_t cause_site(const struct chain *chain, uint32_t cause)
{
	const struct chain_entry *entry = chain_entry(chain, cause);

	return entry->is_own ? entry->own : NO_SITE;
}

struct chain_cause gti_chain_cause(struct chain *chain, size_t level)
{
	const struct frame *frame = frame_at(chain, level);
	const struct chain_entry *begin = chain_entry(chain, frame->begin);
	uint32_t by = chain_entry(chain, frame->end)->cause;
	struct site site = sites_at(&chain->sites, begin->stack);
	struct chain_cause cause = {
		.g = frame->g,
		.kind = site.kind,
		.stack = site.stack,
		.ended = stack_at(chain, cause_site(chain, by)),
	};

	if (begin->state != CHAIN_BLOCKED) {
		cause.kind = CHAIN_CREATED;
		cause.stack = cause.ended;
	}
	return cause;
}

/* Adds to PIECE what led to the goroutine at LEVEL. */
static void tell_causes(struct chain *chain, size_t level,
			struct chain_piece *piece)
{
	static const struct chain_cause none = {.g = 0};

	piece->cause = piece->outer = none;
	if (level == 0)
		return;
	piece->cause = gti_chain_cause(chain, level - 1);
	piece->outer = gti_chain_cause(chain, 0);
}

/* Sets the kin of PIECE, whose leaf is the frame at LEVEL. */
static void tell_kin(struct chain *chain, size_t level,
		     struct chain_piece *piece)
{
	size_t kin = frame_at(chain, level)->kin;
	const struct chain_entry *begin;
	struct site site = {piece->stack, (uint8_t)piece->kind, 0};
	unsigned state = piece->state;

	if (kin != level) {
		begin = chain_entry(chain, frame_at(chain, kin)->begin);
		site = sites_at(&chain->sites, begin->stack);
		state = begin->state;
	}
	piece->kin_stack = site.stack;
	piece->kin_kind = state == CHAIN_BLOCKED ? site.kind
			  : state == CHAIN_IN_CALL
				  ? (uint32_t)GTRACE_BLOCK_SYSCALL
				  : (uint32_t)GTRACE_BLOCK_KINDS;
}

/*
 * From START to now the frame at LEVEL is the leaf, in the state of the piece,
 * which gets what the state does not tell.
 */
static ALWAYS_INLINE void tell(struct walk *walk, size_t level, int64_t start)
{
	struct chain_piece *piece = &walk->piece;
	const struct frame *frame = frame_at(walk->chain, level);

	piece->start = start;
	piece->length = ns_between(start, walk->now);
	piece->g = frame->g;
	piece->locks = (uint32_t)frame->locks;
	piece->kin = frame->kin != 0;
	if (piece->kin)
		tell_kin(walk->chain, level, piece);
	piece->node = frame->node;
	piece->level = (uint32_t)level;
	if (!walk->chain->hasty)
		tell_causes(walk->chain, level, piece);
	walk->each(walk->context, piece);
	walk->now = start;
}

/* Until now the frame at LEVEL was in a state that is not known. */
static void tell_unknown(struct walk *walk, size_t level)
{
	walk->piece = (struct chain_piece){
		.state = CHAIN_UNKNOWN,
		.stack = NO_STACK,
	};
	tell(walk, level, frame_at(walk->chain, level)->floor);
}

/* The piece is what a leaf shows in the state that BEGIN began. */
static ALWAYS_INLINE void show(struct walk *walk,
			       const struct chain_entry *begin)
{
	bool is_ready = begin->state == CHAIN_READY;
	struct site site = sites_at(&walk->chain->sites,
				    is_ready ? begin->own : begin->stack);
	struct chain_piece *piece = &walk->piece;

	piece->state = begin->state;
	piece->kind = begin->state == CHAIN_BLOCKED ? site.kind : 0u;
	piece->by = 0;
	piece->stack = site.stack;
	piece->ended = begin->ended;
	piece->root = begin->root;
	piece->creation = begin->creation;
}

/* Who created a goroutine by END. */
static enum by creator(struct chain *chain, const struct chain_entry *end)
{
	uint32_t site;

	if (end->creates == TRANSITION_CREATE_IN_CALL)
		return BY_RUNTIME;
	if (end->cause == 0)
		return BY_TIMER;
	site = cause_site(chain, end->cause);
	return sites_at(&chain->sites, site).by == BY_SYSTEM ? BY_TIMER
							     : BY_GOROUTINE;
}

/* Who ended a block of KIND by END, or created a goroutine. */
static enum by find_by(struct chain *chain, const struct chain_entry *end,
		       enum gtrace_block_kind kind)
{
	uint32_t site = end->own;

	if (end->creates != 0)
		return creator(chain, end);
	if (!end->wakes)
		return BY_RUNTIME;
	if (end->cause == 0 && !end->is_own)
		return by_runtime(kind);
	if (end->cause != 0)
		site = cause_site(chain, end->cause);
	return by_event((enum by)sites_at(&chain->sites, site).by, kind);
}

enum by gti_chain_ender(struct chain *chain, uint32_t number,
			enum gtrace_block_kind kind)
{
	return find_by(chain, chain_entry(chain, number), kind);
}

/* The state that BEGIN began in FRAME is one to follow. */
static bool follows(struct chain *chain, const struct frame *frame,
		    const struct chain_entry *begin)
{
	const struct chain_entry *end;
	enum gtrace_block_kind kind;

	if (frame->end == 0 ||
	    (begin->state != CHAIN_BLOCKED && begin->state != CHAIN_ABSENT))
		return false;
	end = chain_entry(chain, frame->end);
	if (end->cause == 0)
		return false;
	if (begin->state == CHAIN_ABSENT)
		return end->creates != 0 && creator(chain, end) == BY_GOROUTINE;
	kind = (enum gtrace_block_kind)sites_at(&chain->sites, begin->stack)
		       .kind;
	return chain_follows(kind, find_by(chain, end, kind));
}

/*
 * The last frame is not there from START on, and no goroutine creates it: the
 * leaf is the last one that is blocked.
 */
static void tell_absent(struct walk *walk, int64_t start)
{
	struct chain *chain = walk->chain;
	size_t level = chain->frames.count - 1;
	const struct frame *frame = frame_at(chain, level);
	const struct chain_entry *end;

	if (frame->end != 0 && frame->blocked != 0) {
		end = chain_entry(chain, frame->end);
		level = frame->blocked - 1;
		frame = frame_at(chain, level);
		show(walk, chain_entry(chain, frame->begin));
		walk->piece.by = creator(chain, end);
	}
	tell(walk, level, start);
}

/* The stack of FRAME, which runs, if that is known. */
static bool find_running(struct chain *chain, const struct frame *frame,
			 uint32_t *stack)
{
	uint32_t site = frame->first;

	if (!frame->knows_first && !chain->finished)
		return false;
	if (!frame->knows_first || site == NO_SITE)
		site = chain_entry(chain, frame->in)->own;
	*stack = stack_at(chain, site);
	return true;
}

/* Tells the piece of the last frame in the state that BEGIN began. */
static bool tell_leaf(struct walk *walk, const struct chain_entry *begin,
		      int64_t start)
{
	struct chain *chain = walk->chain;
	size_t level = chain->frames.count - 1;
	const struct frame *frame = frame_at(chain, level);
	struct chain_piece *piece = &walk->piece;

	show(walk, begin);
	if (begin->state == CHAIN_ABSENT) {
		tell_absent(walk, start);
		return true;
	}
	if (begin->state == CHAIN_RUNS &&
	    !find_running(chain, frame, &piece->stack))
		return false;
	if (begin->state == CHAIN_BLOCKED)
		piece->by =
			frame->end == 0
				? CHAIN_NOT_OVER
				: find_by(chain, chain_entry(chain, frame->end),
					  (enum gtrace_block_kind)piece->kind);
	tell(walk, level, start);
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
	int64_t start;

	for (; frame->in != 0 && chain_entry(chain, frame->in)->at >= walk->now;
	     chain->steps++)
		cross(chain, frame, frame->in);
	frame->begin = frame->in;
	for (; frame->begin != 0 && !chain_entry(chain, frame->begin)->changes;
	     chain->steps++)
		frame->begin = chain_entry(chain, frame->begin)->before;
	chain->steps++;
	if (frame->begin == 0) { /* the log has an entry that is earlier */
		tell_unknown(walk, chain->frames.count - 1);
		return true;
	}
	begin = chain_entry(chain, frame->begin);
	start = greatest_of(begin->at, frame->floor);
	if (follows(chain, frame, begin)) {
		enter(walk, chain_entry(chain, frame->end)->cause, start);
		return true;
	}
	if (!tell_leaf(walk, begin, start))
		return false;
	cross(chain, frame, frame->begin);
	return true;
}

/* The rest of the walk would take too many steps: it is unknown. */
static void give_up(struct walk *walk)
{
	walk->chain->frames.count = 1;
	tell_unknown(walk, 0);
	walk->chain->frames.count = 0;
}

bool gti_chain_walk(struct chain *chain, uint32_t last, int64_t from,
		    int64_t to,
		    void (*each)(void *context,
				 const struct chain_piece *piece),
		    void *context)
{
	struct walk walk = {
		.chain = chain,
		.now = to,
		.each = each,
		.context = context,
	};
	struct frame first = {.floor = from,
			      .in = last,
			      .first = NO_SITE,
			      .node = chain->node};
	uint64_t begun = chain->steps;

	if (last != 0)
		first.g = chain_entry(chain, last)->g;
	chain->frames.count = 0;
	if (array_add(&chain->frames, &first, sizeof(first), chain->memory) ==
	    NULL)
		chain->failed = true;
	while (chain->frames.count != 0 && !chain->failed) {
		if (walk.now <= frame_at(chain, chain->frames.count - 1)->floor)
			leave(&walk);
		else if (chain->steps_max != 0 &&
			 chain->steps - begun > chain->steps_max)
			give_up(&walk);
		else if (!step(&walk))
			return false;
	}
	chain->failed |= chain->sites.failed;
	return true;
}
