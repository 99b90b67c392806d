/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks.h - where goroutines were blocked, for how long, and who ended it.
 *
 * A goroutine is *blocked* from the event that takes it off its processor to
 * wait, to the one that makes it ready; and in a system call, from its begin to
 * its end. Stacks are handles, which the front end gives names, that are
 * numbers: a stack gets its name when the first block begins or ends there, so
 * no handle is needed after the format has forgotten it. All sums are by the
 * name of the place, and of what ended the block.
 */
#ifndef GTRACE_ANALYSIS_BLOCKS_H_
#define GTRACE_ANALYSIS_BLOCKS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/clocks.h"
#include "analysis/lengths.h"
#include "analysis/lives.h"
#include "analysis/requests.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/texts.h"
#include "feed/feed.h"
#include "model/event.h"

/* What other than a block has a name. */
enum block_subject {
	SUBJECT_NONE,
	SUBJECT_ROOT, /* where a goroutine began: the outermost function */
	SUBJECT_TASK,
	SUBJECT_REGION
};

/* What is needed of an event that begins or ends a block. */
struct block_event {
	uint64_t offset;
	int64_t ticks;
	uint64_t stack;  /* handle, 0: none */
	uint64_t reason; /* the string of the event, if it has one */
	uint64_t g;      /* if it ends a block: the goroutine that wrote it */
	uint32_t type;
	bool call;  /* it begins a system call */
	bool keeps; /* one that is none if it keeps its processor */
	bool ends;  /* it ends a block */
	enum block_subject subject; /* it begins something else */
};

/* Of a goroutine, which is not blocked if this is zero. */
struct block {
	int64_t since;  /* ticks */
	int64_t lost;   /* ticks: a call has no processor any more; or 0 */
	uint32_t place; /* plus one */
	bool before;    /* it began before the trace */
	uint8_t fits;   /* what gti_filter_place() says, with a filter */
	uint8_t first;  /* likewise of where the goroutine began; 0: unknown */
	struct life life; /* of the goroutine, blocked or not */
};

/* A block that is over, or goes on at the end of the trace. */
struct ended_block {
	struct block block;
	int64_t length; /* in nanoseconds */
	uint64_t g;
	uint32_t place;     /* its name */
	uint32_t by;        /* that of what ended it, BLOCK_OPEN or _BY_NONE */
	uint64_t by_g;      /* the goroutine that ended it, if one did */
	bool clock_changed; /* meanwhile, see clocks.h */
};

/* The blocks at a place, which is a name. */
struct block_place {
	uint64_t count;
	uint64_t sum;    /* of lengths, in nanoseconds; wraps around */
	uint64_t lost;   /* of calls: the sum of time without a processor */
	uint64_t before; /* that began before the trace */
	uint64_t open;   /* others that are not over */
	uint64_t clock_changed;      /* meanwhile; these are in no other sum */
	int64_t max;                 /* not negative */
	enum gtrace_block_kind kind; /* GTRACE_BLOCK_KINDS: it ends blocks */
	int64_t max_since;           /* ticks: the first longest one */
	uint64_t max_g;
	uint64_t max_by_g; /* as in struct ended_block */
	uint32_t max_by;
	uint64_t slow; /* the sum of those of GTRACE_SLOW_NS or more */
	uint64_t slow_count;
	/* The sum of all, also of those that a filter leaves out; for requests.
	 */
	uint64_t waited;
	size_t first; /* its first tally, when they are in order */
	/* Where its goroutines begin: the place with the name of that. */
	uint32_t root;
	uint32_t row; /* of a root: that of struct lives, plus one; 0: none */
	uint32_t lengths; /* in blocks->lengths */
	struct loop_place loop;
};

/*
 * The blocks at a place that one name ended, or that are not over. Others were
 * ended by no goroutine.
 */
struct block_tally {
	uint64_t key; /* place plus one, and the name */
	uint64_t count;
	uint64_t sum; /* wraps around */
};

/* A handle that has a name. */
struct block_site {
	uint64_t stack;
	uint64_t reason;
	uint32_t what;
	uint32_t name;
	enum gtrace_block_kind kind; /* of the place with the name */
};

/* The blocks of the tally are not over. */
#define BLOCK_OPEN (UINT32_MAX >> 1)

/* No goroutine ended the block. */
#define BLOCK_BY_NONE UINT32_MAX

/* How many things that were looked up lately are kept, by their last bits. */
#define BLOCK_RECENT      1024
#define BLOCK_RECENT_KEYS 1024

/* The number of a tally that was looked up lately. */
struct block_recent {
	uint64_t key; /* 0: none */
	size_t number;
};

struct blocks {
	const struct gtrace_allocator *memory;
	const struct clock *clock;
	/*
	 * Returns the name of the stack of EVENT, and of the kind of block that
	 * it begins: the next number from 0 on, or one that was given before.
	 * UINT32_MAX: there is no memory.
	 */
	uint32_t (*name)(void *context, const struct block_event *event);
	/* Fills in what the new PLACE with NAME is. */
	void (*describe)(void *context, uint32_t name,
			 struct block_place *place);
	void *context;
	struct lives lives;
	struct requests requests;
	int64_t origin;        /* blocks before the trace count from here on */
	int64_t clock_changed; /* last, see clocks.h; INT64_MIN: never */
	bool wanted; /* are added up by place, or given to `each` */
	struct filter *filter; /* NULL: all blocks pass */
	/*
	 * Called for each block that passes, unless it is NULL. Blocks that are
	 * shorter than `least` do not matter then.
	 */
	void (*each)(void *context, const struct ended_block *ended);
	uint64_t least;
	void *each_context;
	struct array places;        /* struct block_place, by name */
	struct rough_table lengths; /* of places and requests */
	struct array tallies;       /* struct block_tally */
	struct map by_key;          /* their numbers, plus one */
	struct texts handles;       /* sites without their names */
	struct array names;         /* uint32_t: theirs */
	struct block_site recent[BLOCK_RECENT];
	struct block_recent recent_keys[BLOCK_RECENT_KEYS];
	struct array slots; /* struct block, by slot of its goroutine */
	uint64_t task;      /* that has just begun, and has no name yet */
	/* Of the clock of the transitions. */
	const struct clock_changes *changes;
	bool failed; /* there was no memory */
};

/* Takes no memory yet. CLOCK, which may change as CHANGES tells, counts ticks.
 */
void gti_blocks_init(struct blocks *blocks, const struct clock *clock,
		     const struct clock_changes *changes,
		     const struct gtrace_allocator *memory);

/* BLOCKS takes the stream. */
struct consumer gti_blocks_consumer(struct blocks *blocks);

void gti_blocks_free(struct blocks *blocks);

/* Forgets all blocks, to begin the pass again, but not the names. */
void gti_blocks_restart(struct blocks *blocks);

/* Forgets handles, which may be those of other stacks from now on. */
void gti_blocks_forget_stacks(struct blocks *blocks);

/* ----------------------------------------------------------------- names -- */

static inline struct block_place *blocks_place(const struct blocks *blocks,
					       size_t place)
{
	return (struct block_place *)blocks->places.items + place;
}

/* The name of EVENT. UINT32_MAX: there is no memory. */
uint32_t gti_blocks_name(struct blocks *blocks,
			 const struct block_event *event);

/* ---------------------------------------------------------------- blocks -- */

/*
 * BLOCK begins by EVENT; any other one that it was is dropped. The state of the
 * goroutine follows, unless EVENT begins a call that may turn out to be none.
 */
void gti_blocks_begin(struct blocks *blocks, struct block *block,
		      struct block_event event);

/* The frequency of the clock changed before the event at NOW. */
void gti_blocks_change_clock(struct blocks *blocks, int64_t now);

/* BLOCK turns out, by EVENT, to have begun before the trace. */
void gti_blocks_begin_before(struct blocks *blocks, struct block *block,
			     struct block_event event);

/* If BLOCK is a system call it has no processor from TICKS on. */
void gti_blocks_lose(struct blocks *blocks, struct block *block, int64_t ticks);

/* The goroutine of BLOCK turns out, at TICKS, to have been in STATE before. */
static inline void blocks_be(struct blocks *blocks, struct block *block,
			     unsigned state, int64_t ticks)
{
	if (blocks->origin != INT64_MIN)
		ticks = blocks->origin;
	lives_go_on(&blocks->lives, &block->life, state, ticks);
}

/* Adds a length of CLASS, as rough_add() does. */
static inline void blocks_add_length(struct blocks *blocks, uint32_t *lengths,
				     uint64_t class)
{
	if (UNLIKELY(!rough_add(&blocks->lengths, lengths, class,
				blocks->memory)))
		blocks->failed = true;
}

/*
 * Adds the last of COUNT lengths, and with the second one the FIRST, so that
 * what has one length needs no memory for it.
 */
static inline void blocks_add_length_of(struct blocks *blocks,
					uint32_t *lengths, uint64_t count,
					uint64_t first, uint64_t length)
{
	if (UNLIKELY(count == 1))
		return;
	if (UNLIKELY(count == 2))
		blocks_add_length(blocks, lengths, rough_class(first));
	blocks_add_length(blocks, lengths, rough_class(length));
}

/*
 * BLOCK, if it is one, of goroutine G, ends by EVENT, which is that of a
 * goroutine or, if not BY_GOROUTINE, of none; and G is ready.
 */
void gti_blocks_end(struct blocks *blocks, struct block *block, uint64_t g,
		    struct block_event event, bool by_goroutine);

/* The trace ends at TICKS, with BLOCK of goroutine G, if it is one. */
void gti_blocks_open(struct blocks *blocks, struct block *block, uint64_t g,
		     int64_t ticks);

/* The goroutine G, of BLOCK, is about to begin. */
void gti_blocks_life(struct blocks *blocks, struct block *block, uint64_t g);

/* Whether it matters where the goroutine of BLOCK began, and is not known. */
static inline bool blocks_need_root(const struct blocks *blocks,
				    const struct block *block)
{
	const struct lived *lived = block->life.lived;

	return (lived != NULL && lived->root == 0) ||
	       (blocks->filter != NULL && block->first == 0);
}

/* It began in the outermost function of STACK, unless it is known where. */
void gti_blocks_root(struct blocks *blocks, struct block *block,
		     uint64_t stack);

/* The goroutine of BLOCK, which is dropped, ends at TICKS. */
void gti_blocks_drop(struct blocks *blocks, struct block *block, int64_t ticks);

/*
 * The pass has ended, at TICKS. Nothing can be added after this: the tallies
 * are put in order.
 */
void gti_blocks_finish(struct blocks *blocks, int64_t ticks);

/*
 * Returns tally NUMBER of PLACE by who ended the blocks, in the order of names.
 * NULL: there are no more.
 */
const struct block_tally *gti_blocks_ended_by(const struct blocks *blocks,
					      size_t place, size_t number);

/* The name of what ended the blocks of TALLY, or BLOCK_OPEN. */
static inline uint32_t block_ended_by(const struct block_tally *tally)
{
	return (uint32_t)tally->key;
}

#endif /* GTRACE_ANALYSIS_BLOCKS_H_ */
