/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chain.h - what a goroutine waited for, one goroutine after the other.
 *
 * At a moment the *chain* of a goroutine leads from one that is blocked to the
 * one that will end the block, and from one that is not there to the one that
 * will create it. The last one is the *leaf*. The *path* of a time is the
 * sequence of leaves. tools/README.md, "Critical paths", has the definition.
 *
 * The states of goroutines are kept always. While the log is on, each change of
 * a state, and each event of a goroutine with a stack, is an entry; those of a
 * goroutine are linked, from the last one back. Where a block ends there is an
 * entry of the one who ended it. As that one was running, a path is walked from
 * its end to its begin, down the links.
 */
#ifndef GTRACE_ANALYSIS_CHAIN_H_
#define GTRACE_ANALYSIS_CHAIN_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "feed/feed.h"
#include "feed/sites.h"

enum chain_state {
	CHAIN_UNKNOWN,
	CHAIN_ABSENT,
	CHAIN_READY,
	CHAIN_RUNS,
	CHAIN_ASSISTS, /* runs for the collector */
	CHAIN_IN_CALL,
	CHAIN_BLOCKED,
	CHAIN_STATES
};

/*
 * An entry of the log. Entries have numbers from 1 on; 0: none. What is known
 * of a stack is the number of its site, NO_SITE if the event has none.
 */
struct chain_entry {
	int64_t at; /* nanoseconds */
	uint64_t g;
	uint32_t before; /* the entry of this goroutine before this one */
	/*
	 * It ends a block, or a time before the goroutine was created: the
	 * entry of the goroutine that does it.
	 */
	uint32_t cause;
	uint32_t stack; /* of the event that began the state */
	uint32_t own;   /* of the last own event, up to this one */
	uint32_t root;  /* see struct chain_slot */
	uint32_t creation;
	/*
	 * Of the first own event from this one on, up to the one that ends
	 * the running; if `resolved`.
	 */
	uint32_t first;
	uint8_t state;    /* enum chain_state, from here on */
	uint8_t creates;  /* kind of transition that creates the goroutine, or 0
			   */
	bool changes : 1; /* the state */
	bool is_own : 1;  /* it is an own event */
	bool resolved : 1;
	bool ended : 1; /* it is absent because it has ended */
	bool wakes : 1; /* it ends a block */
};

/*
 * The stack of an event: a handle, or if it IS_NUMBER that of its site. It is
 * a number while the log is on, as entries have numbers.
 */
struct chain_stack {
	uint64_t handle; /* 0: none */
	bool is_number;
};

/* What is known of a goroutine now; by slot. */
struct chain_slot {
	uint64_t g;
	int64_t since;            /* nanoseconds: of the state */
	struct chain_stack stack; /* of the event that began the state */
	uint64_t reason;          /* of a block, see struct site_key */
	uint8_t type;
	uint8_t role;
	uint8_t state; /* enum chain_state */
	bool assists;
	bool ended;   /* it is absent because it has ended */
	bool changed; /* it is in chain->changed */
	/* The last event may have begun a system call, `called`. */
	bool may_call;
	struct chain_stack own;    /* of the last own event */
	struct chain_stack assist; /* of the begin of the mark assist */
	int64_t called;
	struct chain_stack call; /* of that event */
	/* If chain->root is set: */
	uint32_t root;     /* what that says of its first stack; or 0 */
	uint32_t creation; /* number of the stack that created it */
	uint64_t creator;  /* whose that is; UINT64_MAX: none's, or unknown */
	bool created;      /* in the trace */
	uint32_t last;     /* its last entry; 0: none since the log is on */
	uint32_t log;      /* number of the log with that */
	/*
	 * For the analysis that has the chain: 0 in a new slot, and when it is
	 * to look at the slot again, in a new one INT64_MIN.
	 */
	uint32_t user;
	int64_t due;
};

/* What is known of goroutines without a slot. */
struct ended_slots {
	struct map by_number; /* places in `slots`, plus one */
	struct array slots;   /* struct chain_slot */
	struct array changed; /* uint32_t: places of those with handles */
};

struct chain_cause;

struct chain {
	const struct gtrace_allocator *memory;
	struct sites sites;
	struct array slots; /* struct chain_slot, by slot minus one */
	/* uint32_t: those whose stacks may be handles of this generation. */
	struct array changed;
	/*
	 * Goroutines that have ended and whose numbers may come back: those of
	 * threads of C, and all others with entries in the log.
	 */
	struct ended_slots of_c, ended;
	struct array log; /* struct chain_entry, from number 1 on */
	size_t described; /* so many have sites that outlive the generation */
	uint32_t log_number;
	/*
	 * After gti_chain_shorten(): so many first entries stand for states
	 * that began before, and what went was up to that time.
	 */
	size_t stay;
	int64_t kept_from;
	bool is_on;
	bool finished;
	struct array frames; /* of the walk: see chain_walk.c */
	uint64_t steps;      /* of all walks */
	/*
	 * Says of what kind a goroutine is that begins in the outermost
	 * function of the stack with a number: a number, not 0; or that STACK
	 * does not tell. The context is that of `sites`. NULL: kinds do not
	 * matter.
	 */
	uint32_t (*root)(void *context, uint32_t stack);
	/*
	 * The node of CAUSE below NODE, see flames.h, with `join_context`.
	 * NULL: pieces have no nodes. `node` is that from which a walk begins.
	 */
	uint32_t (*join)(void *context, uint32_t node,
			 const struct chain_cause *cause);
	void *join_context;
	uint32_t node;
	/*
	 * Own events that change nothing are no entries. Walks do not wait for
	 * later ones: what runs is told by the last own event; nor do they tell
	 * the causes of pieces, for which gti_chain_cause() is there. They take
	 * so many steps at most, and what is left is unknown; 0: any number.
	 */
	bool hasty;
	uint32_t steps_max;
	bool failed;
};

void gti_chain_init(struct chain *chain,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory);
void gti_chain_free(struct chain *chain);

/* Forgets all goroutines, but not the memory: the pass begins again. */
void gti_chain_restart(struct chain *chain);

/* Entries are kept from now on; or no more, and all are forgotten. */
void gti_chain_log(struct chain *chain, bool is_on);

/*
 * Forgets all entries but the last COUNT, or three less, and one for each
 * goroutine. What a walk misses is unknown. The numbers of those that are left
 * are less by what this returns.
 */
size_t gti_chain_shorten(struct chain *chain, size_t count);

/*
 * Whether TRANSITION can change what a chain knows: it changes the state of a
 * goroutine, or is one's event with a stack, or up to Go 1.21 any event, which
 * says that the one before it began no system call.
 */
static inline bool chain_concerns(const struct feed *feed,
				  const struct transition *transition)
{
	unsigned kind = transition->kind;

	return transition->g != 0 && kind != TRANSITION_SAMPLE &&
	       ((kind >= TRANSITION_CREATE && kind < TRANSITION_HOLD) ||
		(kind >= TRANSITION_ASSIST && kind <= TRANSITION_ASSIST_END) ||
		transition->stack != 0 || feed->origin == INT64_MIN);
}

/*
 * Takes TRANSITION of FEED, AT nanoseconds, which concerns the chain. The
 * caller looks at the slots of its goroutines afterwards.
 */
void gti_chain_take(struct chain *chain, const struct feed *feed,
		    const struct transition *transition, int64_t at);

/* Handles are about to become those of other stacks. */
void gti_chain_end_generation(struct chain *chain);

/* There are no more transitions. */
void gti_chain_finish(struct chain *chain);

static inline struct chain_slot *chain_slot(const struct chain *chain,
					    uint32_t slot)
{
	return (struct chain_slot *)chain->slots.items + (slot - 1);
}

static inline struct chain_entry *chain_entry(const struct chain *chain,
					      uint32_t number)
{
	return (struct chain_entry *)chain->log.items + (number - 1);
}

/* What is known of the goroutine in SLOT of FEED; NULL: nothing yet. */
static inline struct chain_slot *
chain_find(const struct chain *chain, const struct feed *feed, uint32_t slot)
{
	if (slot == 0 || slot > chain->slots.count ||
	    chain_slot(chain, slot)->g !=
		    actors_number(&feed->goroutines, slot))
		return NULL;
	return chain_slot(chain, slot);
}

/* The number of the stack HANDLE, which is described; NO_STACK: it is 0. */
uint32_t gti_chain_number(struct chain *chain, uint64_t handle);

/* The number of the site of the event STACK; NO_SITE: it has no stack. */
static inline uint32_t chain_site(struct chain *chain, struct chain_stack stack)
{
	const struct site_key key = {.stack = stack.handle};

	if (stack.is_number)
		return (uint32_t)stack.handle;
	return stack.handle == 0 ? NO_SITE
				 : gti_sites_number(&chain->sites, &key);
}

/* chain_state_site() if the stack of SLOT is a handle. */
uint32_t gti_chain_state_site(struct chain *chain,
			      const struct chain_slot *slot);

/* The number of the site of the event that began the state of SLOT. */
static inline uint32_t chain_state_site(struct chain *chain,
					const struct chain_slot *slot)
{
	return slot->stack.is_number || slot->role == SITE_OF_EVENT
		       ? chain_site(chain, slot->stack)
		       : gti_chain_state_site(chain, slot);
}

/* The site of the event that began the state of SLOT. */
static inline struct site chain_slot_site(struct chain *chain,
					  const struct chain_slot *slot)
{
	return sites_at(&chain->sites, chain_state_site(chain, slot));
}

/* Makes an entry that says how SLOT is, which has none. See chain_last(). */
uint32_t gti_chain_begin(struct chain *chain, struct chain_slot *slot);

/*
 * The last entry of SLOT, which gets one that says how it is if it has none
 * since the log is on. 0: there is no memory.
 */
static inline uint32_t chain_last(struct chain *chain, struct chain_slot *slot)
{
	return slot->log == chain->log_number ? slot->last
					      : gti_chain_begin(chain, slot);
}

/* ------------------------------------------------------ within the chain -- */

/* Adds ENTRY of SLOT to the log, which is on. See chain_add(). */
uint32_t gti_chain_add(struct chain *chain, struct chain_slot *slot,
		       const struct chain_entry *entry);

/*
 * SLOT has ENTRY, of which what the slot tells need not be set. Returns its
 * number; 0: the log is off.
 */
static inline uint32_t chain_add(struct chain *chain, struct chain_slot *slot,
				 const struct chain_entry *entry)
{
	return chain->is_on ? gti_chain_add(chain, slot, entry) : 0;
}

/*
 * SLOT has an own event that is no entry. Entries of the same running that have
 * waited for it know it now.
 */
void gti_chain_resolve(struct chain *chain, const struct chain_slot *slot);

/* The last entry of SLOT turns out to begin the state that it is in. */
void gti_chain_recast(struct chain *chain, const struct chain_slot *slot);

/* The slot NUMBER may have handles when the generation ends. */
void gti_chain_change(struct chain *chain, uint32_t number);

/* SLOT is kept in TO, under its number. */
void gti_chain_keep(struct chain *chain, struct ended_slots *to,
		    const struct chain_slot *slot);

/* Sets *SLOT to what is kept of goroutine G. Returns whether anything is. */
bool gti_chain_kept(const struct ended_slots *ended, uint64_t g,
		    struct chain_slot *slot);

/* ------------------------------------------------------------------ walk -- */

/* A goroutine was created, in place of a kind of block. */
#define CHAIN_CREATED GTRACE_BLOCK_KINDS

/* What led from one goroutine of the chain to the next one. */
struct chain_cause {
	uint64_t g;     /* which was blocked, or not there */
	uint32_t kind;  /* of its block, or CHAIN_CREATED */
	uint32_t stack; /* where it was blocked, or its creation */
	uint32_t ended; /* of the event that ended the block, or created it */
};

/* Whether a walk goes on from a block of KIND to who ended it, BY. */
static inline bool chain_follows(unsigned kind, enum by by)
{
	return by == BY_GOROUTINE && kind != GTRACE_BLOCK_NETWORK &&
	       kind != GTRACE_BLOCK_ASSIST && kind != GTRACE_BLOCK_COLLECTION;
}

/* Of a block that is not over, in place of enum by. */
#define CHAIN_NOT_OVER (BYS + 1)

/* A time with one leaf in one state, and one chain above it. */
struct chain_piece {
	int64_t start; /* nanoseconds */
	int64_t length;
	uint64_t g;     /* the leaf */
	uint32_t level; /* how many are above it */
	uint32_t state; /* enum chain_state */
	uint32_t kind;  /* of a block */
	uint32_t by;    /* of a block: enum by, or CHAIN_NOT_OVER */
	uint32_t stack; /* number; NO_STACK: none */
	uint32_t node;  /* of the causes that lead to it, see struct chain */
	uint32_t locks; /* so many of the first ones above wait for locks */
	bool ended;     /* it is absent because it has ended */
	bool kin;       /* one of level 1 or deeper has the same root */
	/* The last one that has: GTRACE_BLOCK_KINDS: it is not blocked. */
	uint32_t kin_kind;
	uint32_t kin_stack; /* where it is so, or what it does; or NO_STACK */
	uint32_t root;      /* of the leaf, see struct chain_slot */
	uint32_t creation;
	struct chain_cause cause; /* of level 1 and deeper: of the last level */
	struct chain_cause outer; /* and of the first one */
};

/*
 * Walks the path of a goroutine over the time from FROM to TO back, and calls
 * EACH for each piece, the last one first. LAST is the last entry of the
 * goroutine, at TO or later, or the last of all. Lengths add up to TO - FROM,
 * and none is 0. Returns false if a piece cannot be told yet: later entries of
 * other goroutines are needed.
 *
 * Takes as many steps as there are pieces, and entries between TO and the end
 * of blocks that are not over at TO.
 */
bool gti_chain_walk(struct chain *chain, uint32_t last, int64_t from,
		    int64_t to,
		    void (*each)(void *context,
				 const struct chain_piece *piece),
		    void *context);

/*
 * While a walk calls EACH: what leads from the goroutine at LEVEL of the chain,
 * which is not its leaf, to the next one.
 */
struct chain_cause gti_chain_cause(struct chain *chain, size_t level);

/*
 * Who ended a block of KIND by the entry with NUMBER. BY_GOROUTINE: the
 * goroutine of the entry's cause, if it has one.
 */
enum by gti_chain_ender(struct chain *chain, uint32_t number,
			enum gtrace_block_kind kind);

/* Frees what walks keep. */
void gti_chain_walk_free(struct chain *chain);

#endif /* GTRACE_ANALYSIS_CHAIN_H_ */
