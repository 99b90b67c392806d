/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes.h - for what goroutines could not go on: at each moment of a block, a
 * system call or a wait, the leaf of the goroutine's chain (chain.h).
 *
 * Whether a goroutine rested is known at the end of the trace only. So all is
 * added up by *place*, which is where which kind of goroutine was how, and by
 * *row*, which is what the leaf did. judged.h decides then which places
 * are at rest, and adds up the others by function.
 */
#ifndef GTRACE_ANALYSIS_CAUSES_H_
#define GTRACE_ANALYSIS_CAUSES_H_

#include <stdbool.h>
#include <stdint.h>

#include "analysis/chain.h"
#include "analysis/clocks.h"
#include "base/map.h"
#include "base/texts.h"

/* Shorter waits for a processor and system calls are no harm. */
#define CAUSE_LEAST 100000

/* So many functions in succession may only call what goroutines are for. */
#define CAUSE_WRAPPERS 3

/* What is known of a stack, by its number. */
struct cause_stack {
	/*
	 * Number of the function that findings are called by, see
	 * base/naming.h; 0: none.
	 */
	uint32_t own;
	/* Functions of the program below the first one, outermost first. */
	uint32_t next[CAUSE_WRAPPERS];
	uint16_t depth;  /* how many such calls there are */
	bool yours;      /* it has a frame that is */
	bool waits;      /* a system call that waits for others */
	bool writes;     /* it waits for the network to write or to connect */
	bool sends;      /* it is in a write */
	bool broadcasts; /* it wakes all that wait for a condition */
	bool in_c;       /* the system call is a call of C */
	bool tracer;
	bool known;
};

/* Of which goroutines a kind is. */
enum cause_root {
	ROOT_UNKNOWN,
	ROOT_COUNTS,     /* of the program */
	ROOT_IF_YOURS,   /* of the runtime, for functions of the program */
	ROOT_OF_RUNTIME, /* it does not count, nor does the tracer */
};

/* Bits of struct cause_place, `flags`. */
enum {
	PLACE_TIMER = 1,   /* a timer ended it */
	PLACE_ALONE = 2,   /* nor did a goroutine that is followed */
	PLACE_CREATOR = 4, /* the goroutine's creator ended it */
	/* It is new, and has written nothing: its peer is to begin. */
	PLACE_NEW = 8,
	PLACE_ALWAYS = 16 /* it waited before the trace, and after it */
};

/* Where which goroutines were how. Bytes are compared: there is no padding. */
struct cause_spot {
	uint32_t root;
	uint32_t stack; /* number, or NO_STACK */
	uint32_t kind;  /* enum gtrace_block_kind; also of a system call */
};

/*
 * What a place is called by: spots at several stacks are one place. Bytes are
 * compared.
 */
struct cause_ground {
	uint32_t root;
	uint32_t own;
	uint32_t depth;
	uint32_t kind;
};

/* Bytes are compared: there is no padding. */
struct cause_place {
	uint32_t spot;
	uint32_t flags;
	/*
	 * Spot, plus one, of the last goroutine of the chain but the first that
	 * begins in the same function. Its kind is GTRACE_BLOCK_KINDS if it
	 * does not wait.
	 */
	uint32_t kin;
	/* Number, plus one, of a block that may be as long as to be rest. */
	uint32_t longest;
};

/* What the leaf did, for enum gtrace_hold; or: */
enum {
	ROW_LOAD = GTRACE_HOLDS, /* it was ready */
	ROW_COLLECTOR,           /* it helped the collector, or waited for it */
	ROW_UNASSIGNED /* no goroutine is at fault, or it is not known */
};

/* Bytes are compared. */
struct cause_row {
	uint32_t part;
	uint32_t stack; /* that names it; NO_STACK: that of the place does */
	uint32_t inner; /* the leaf's own stack */
	uint32_t spot;  /* of a leaf that waits itself, plus one; else 0 */
	uint32_t level; /* 0, or 1 for all others */
};

/*
 * Goroutines that begin in a function, and then call the same functions: what
 * each of them calls next in all its blocks.
 */
struct cause_way { /* bytes are compared */
	uint32_t root;
	uint32_t next[CAUSE_WRAPPERS - 1]; /* 0: as many as there are */
};
struct cause_wrapper {
	uint32_t next;
	bool differs; /* two goroutines call different ones */
	bool mixed;   /* one does, or none */
};

/*
 * Of a spot: the first spot of the same ground, which may be this one, and what
 * its stack tells. Of the first one: blocks at all of these, and whether
 * goroutines loop there.
 */
struct cause_waits {
	uint64_t count;
	uint32_t first;
	bool loops;
	uint16_t depth;                    /* see struct cause_stack */
	bool waits;                        /* see gti_causes_waits() */
	uint32_t wrappers[CAUSE_WRAPPERS]; /* numbers, plus one; 0: no more */
};

struct cause_total {
	uint32_t place;
	uint32_t row;
	uint64_t count;
	int64_t sum;
	int64_t worst;
	int64_t worst_start; /* nanoseconds */
	uint64_t worst_g;
};

/*
 * What a function woke at a place, and which of that waited there again, with
 * nothing done: `lost`, up to then.
 */
struct cause_broadcast {
	uint32_t by;   /* stack that names it */
	uint32_t spot; /* first of its ground */
	uint64_t woken;
	struct cause_total lost;
};

/*
 * What those who held a lock did while goroutines waited for it at the stack
 * AT. A wait is split wherever another one gets the lock. Who has it and waits
 * for another lock does not hold that up: the one that has the last lock does.
 * Bytes are compared.
 */
struct cause_hold {
	uint32_t at;
	uint32_t holder; /* stack at which that one gives the lock back */
	uint32_t part;   /* see struct cause_row */
	uint32_t inner;  /* stack of the leaf, or NO_STACK */
};

/* At how many places a goroutine has waited that are remembered. */
#define VISITS 6

/* Of the goroutine in a slot. */
struct cause_visits {
	uint64_t g;
	uint32_t spots[VISITS];        /* plus one */
	uint32_t next[CAUSE_WRAPPERS]; /* plus one; 0: not known yet */
	/* Number, plus one, of the broadcast that woke it, and when. */
	uint32_t woken;
	int64_t woken_at;
};

/* What of the goroutines of the program was blocked when the trace ended. */
struct cause_open {
	uint32_t spot;
	int64_t since;
};

/* So many that were looked up lately are remembered. */
#define CAUSES_RECENT_BITS 10
#define CAUSES_RECENT      (1 << CAUSES_RECENT_BITS)

struct causes {
	const struct gtrace_allocator *memory;
	struct chain chain;
	/* Says what STACK, a number, is. */
	void (*look)(void *context, uint32_t stack, struct cause_stack *to);
	enum cause_root (*root)(void *context, uint32_t root);
	/*
	 * Whether the report covers LENGTH from START on, in nanoseconds, of
	 * goroutine G of the kind ROOT at STACK. NULL: it covers all.
	 */
	bool (*covers)(void *context, uint64_t g, uint32_t root, uint32_t stack,
		       int64_t start, int64_t length);
	void *context;
	/* What lasts across one of these does not count. NULL: there is none.
	 */
	const struct clock_changes *clocks;

	struct array stacks; /* struct cause_stack, by number */
	struct array roots;  /* uint8_t: enum cause_root, by number */
	struct texts spots, places, rows;
	struct texts grounds;
	struct array firsts; /* uint32_t: spots, by number of the ground */
	struct texts ways;
	struct array wrappers; /* struct cause_wrapper, by number of the way */
	struct array waits;    /* struct cause_waits, by spot */
	struct map by_key;     /* place and row: number of the sum, plus one */
	struct array sums;     /* struct cause_total */
	struct array visits;   /* struct cause_visits, by slot minus one */
	struct array longs;    /* int64_t: lengths of cause_place.longest */
	struct map by_waker;   /* number, plus one, by function and spot */
	struct array broadcasts; /* struct cause_broadcast */
	struct array open;       /* struct cause_open, at the end */
	bool wants_holds;
	bool only_holds;        /* nothing else is found */
	struct texts holds;     /* struct cause_hold */
	struct array hold_sums; /* int64_t, by number */
	/* Numbers, plus one, of what was looked up lately; 0: none. */
	uint32_t recent_spots[CAUSES_RECENT];
	uint32_t recent_places[CAUSES_RECENT];
	uint32_t recent_rows[CAUSES_RECENT];
	uint64_t recent_sums[CAUSES_RECENT];

	int64_t first; /* nanoseconds: of the first transition; or the origin */
	int64_t last;
	bool begun;
	bool over;
	uint64_t transitions;
	uint64_t ended; /* blocks that could be walked */
	uint64_t every; /* N: each Nth of these is walked, and counts N times */
	int64_t ready; /* sum of waits for a processor of CAUSE_LEAST or more */
	int64_t ready_all;                /* and of all */
	int64_t ready_worst, ready_start; /* the longest; -1: none */

	/* Of the walk that is made: */
	struct cause_place place;
	uint32_t place_number; /* plus one; 0: it was not asked for */
	bool failed;
};

/* DESCRIBE is as for chains; both have CONTEXT. */
void gti_causes_init(struct causes *causes,
		     bool (*describe)(void *context, const struct site_key *key,
				      struct site *site),
		     void *context, const struct gtrace_allocator *memory);
void gti_causes_free(struct causes *causes);

/* What the stream is consumed by. */
struct consumer gti_causes_consumer(struct causes *causes);

/* causes_look() for a STACK that has not been looked at. */
struct cause_stack gti_causes_look_at(struct causes *causes, uint32_t stack);

/* What STACK is; of NO_STACK nothing is known. */
static inline struct cause_stack causes_look(struct causes *causes,
					     uint32_t stack)
{
	const struct cause_stack *known = causes->stacks.items;

	if (LIKELY(stack < causes->stacks.count && known[stack].known))
		return known[stack];
	return gti_causes_look_at(causes, stack);
}

/* Whether goroutines can wait at SPOT for something to do. */
bool gti_causes_waits(struct causes *causes, const struct cause_spot *spot);

static inline const struct cause_spot *causes_spot(const struct causes *causes,
						   uint32_t number)
{
	return (const void *)texts_at(&causes->spots, number).data;
}

#endif /* GTRACE_ANALYSIS_CAUSES_H_ */
