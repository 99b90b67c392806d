/* SPDX-License-Identifier: BSD-3-Clause */
/* chain_take.c - what transitions change in the states of goroutines. */
#include "analysis/chain.h"
#include "base/array.h"

/* That of events without one. */
static const struct chain_stack no_stack = {.handle = 0};

static struct chain_stack stack_of(struct chain *chain, uint64_t handle)
{
	struct chain_stack stack = {.handle = handle};

	if (chain->is_on && handle != 0)
		stack = (struct chain_stack){chain_site(chain, stack), true};
	return stack;
}

/* ----------------------------------------------------------- transitions -- */

/* A transition that is being taken. Both slots have entries if the log is on.
 */
struct taking {
	struct chain *chain;
	const struct feed *feed;
	const struct transition *from;
	int64_t at; /* nanoseconds */
	struct chain_slot *g;
	struct chain_slot *by; /* NULL: none */
	uint32_t cause;        /* the entry of `by`, if `g` is another one */
};

/* SLOT is in STATE, which an event with STACK began. */
static void set_state(struct chain_slot *slot, enum chain_state state,
		      int64_t at, struct chain_stack stack)
{
	slot->role = SITE_OF_EVENT;
	slot->state = (uint8_t)state;
	slot->since = at;
	slot->stack = stack;
	slot->ended = false;
	if (state != CHAIN_RUNS || !slot->assists)
		return;
	slot->state = CHAIN_ASSISTS;
	slot->stack = slot->assist;
}

/* SLOT is blocked by the event of TAKING. */
static void set_blocked(const struct taking *taking)
{
	const struct transition *from = taking->from;
	struct chain_slot *slot = taking->g;

	set_state(slot, CHAIN_BLOCKED, taking->at,
		  (struct chain_stack){.handle = from->stack});
	slot->role = SITE_OF_BLOCK;
	slot->type = from->type;
	slot->reason = from->kind == TRANSITION_BLOCK ? from->arg : 0;
	if (taking->chain->is_on)
		slot->stack = (struct chain_stack){
			chain_state_site(taking->chain, slot), true};
}

/* Whether the event of TAKING is an own one of SLOT. */
static bool is_own(const struct taking *taking, const struct chain_slot *slot)
{
	return taking->by == slot && taking->from->stack != 0 &&
	       taking->from->kind != TRANSITION_STATUS;
}

/* SLOT has its first own stack, HANDLE, and kinds matter. */
static NOINLINE void learn_root(struct chain *chain, struct chain_slot *slot,
				uint64_t handle)
{
	uint32_t stack = gti_chain_number(chain, handle);

	if (stack != NO_STACK)
		slot->root = chain->root(chain->sites.context, stack);
}

static void set_own(struct chain *chain, struct chain_slot *slot,
		    uint64_t handle)
{
	slot->own = stack_of(chain, handle);
	if (UNLIKELY(slot->root == 0) && chain->root != NULL)
		learn_root(chain, slot, handle);
}

/* Takes the event as an own one of SLOT, if it is. Returns whether it is. */
static bool take_own(const struct taking *taking, struct chain_slot *slot)
{
	bool own = is_own(taking, slot);

	if (own)
		set_own(taking->chain, slot, taking->from->stack);
	return own;
}

/*
 * `by` acts on another goroutine, or does something that changes no state. In
 * hasty walks that matters to what it did before, if it has not had an own
 * event since, and as the last one to what it does next.
 */
static uint32_t act(const struct taking *taking, bool is_cause)
{
	struct chain *chain = taking->chain;
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, taking->by),
	};

	if (is_cause || (entry.is_own && !chain->hasty))
		return chain_add(chain, taking->by, &entry);
	if (entry.is_own && chain->is_on)
		gti_chain_resolve(chain, taking->by);
	return 0;
}

/* `g` changes to STATE, which has the stack of the event if it HAS_STACK. */
static void move(const struct taking *taking, enum chain_state state,
		 bool has_stack)
{
	struct chain_slot *g = taking->g;
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, g),
		.changes = true,
	};
	struct chain_stack stack = no_stack;

	if (has_stack)
		stack = entry.is_own
				? g->own
				: stack_of(taking->chain, taking->from->stack);
	set_state(g, state, taking->at, stack);
	chain_add(taking->chain, g, &entry);
}

static void take_block(const struct taking *taking)
{
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, taking->g),
		.changes = true,
	};

	set_blocked(taking);
	chain_add(taking->chain, taking->g, &entry);
}

static void take_ready(const struct taking *taking)
{
	struct chain_entry entry = {
		.at = taking->at,
		.cause = taking->cause,
		.is_own = take_own(taking, taking->g),
		.changes = true,
		.wakes = true,
	};

	set_state(taking->g, CHAIN_READY, taking->at, no_stack);
	chain_add(taking->chain, taking->g, &entry);
}

/* `g` is created by the event, unless that only lists it. */
static void note_creation(const struct taking *taking)
{
	struct chain *chain = taking->chain;

	if (chain->root == NULL ||
	    (taking->from->flags & TRANSITION_BEFORE) != 0)
		return;
	taking->g->created = true;
	taking->g->creation = gti_chain_number(chain, taking->from->stack);
	if (taking->by != NULL)
		taking->g->creator = taking->by->g;
}

/* The stack of a creation is the first own one of what it creates. */
static void take_create(const struct taking *taking)
{
	const struct transition *from = taking->from;
	struct chain_slot *g = taking->g;
	struct chain_entry entry = {
		.at = taking->at,
		.cause = taking->cause,
		.changes = true,
		.creates = from->kind,
	};

	note_creation(taking);
	if (from->kind != TRANSITION_CREATE_IN_CALL && from->arg != 0) {
		set_own(taking->chain, g, from->arg);
		entry.is_own = true;
	}
	if (from->kind == TRANSITION_CREATE_BLOCKED)
		set_blocked(taking);
	else
		set_state(g,
			  from->kind == TRANSITION_CREATE ? CHAIN_READY
							  : CHAIN_IN_CALL,
			  taking->at, no_stack);
	chain_add(taking->chain, g, &entry);
}

/* A status that tells what was not known. */
static void take_status(const struct taking *taking)
{
	static const uint8_t states[] = {
		[GOROUTINE_UNKNOWN] = CHAIN_UNKNOWN,
		[GOROUTINE_ABSENT] = CHAIN_ABSENT,
		[GOROUTINE_READY] = CHAIN_READY,
		[GOROUTINE_RUNS] = CHAIN_RUNS,
		[GOROUTINE_IN_CALL] = CHAIN_IN_CALL,
		[GOROUTINE_BLOCKED] = CHAIN_BLOCKED,
	};
	const struct transition *from = taking->from;
	enum chain_state state = (enum chain_state)states[from->arg];
	struct chain *chain = taking->chain;
	struct chain_entry entry = {.at = taking->at, .changes = true};
	bool is_before = taking->feed->origin != INT64_MIN;

	/* v1 creates goroutines that were there before; others are new. */
	if ((from->flags & TRANSITION_FIRST) == 0 &&
	    (is_before || taking->g->state != CHAIN_READY))
		return;
	set_state(taking->g, state, entry.at, stack_of(chain, from->stack));
	if (state == CHAIN_BLOCKED)
		set_blocked(taking);
	if (is_before)
		taking->g->since = entry.at =
			clock_ns(taking->feed->clock, taking->feed->origin);
	if (from->stack != 0)
		set_own(chain, taking->g, from->stack);
	chain_add(chain, taking->g, &entry);
	if (from->stack != 0)
		chain_add(chain, taking->g,
			  &(struct chain_entry){.at = taking->at,
						.is_own = true});
}

static void take_assist(const struct taking *taking, bool begins)
{
	struct chain_slot *g = taking->g;
	bool runs = (g->state == CHAIN_RUNS || g->state == CHAIN_ASSISTS) &&
		    g->assists != begins;

	g->assists = begins;
	g->assist = stack_of(taking->chain, taking->from->stack);
	if (runs)
		move(taking, CHAIN_RUNS, false);
	else if (taking->by == g)
		act(taking, false);
}

/* A system call that is none if the goroutine keeps its processor. */
static void take_possible_call(const struct taking *taking)
{
	act(taking, true);
	taking->g->may_call = true;
	taking->g->called = taking->at;
	taking->g->call = stack_of(taking->chain, taking->from->stack);
}

/* The last event of `g`, if it was CALLED one, has begun a call after all. */
static void take_loss(const struct taking *taking, bool called)
{
	struct chain *chain = taking->chain;
	struct chain_slot *g = taking->g;
	struct chain_entry *entry;

	if (g->state == CHAIN_IN_CALL)
		return;
	if (!called) {
		move(taking, CHAIN_IN_CALL, false);
		return;
	}
	set_state(g, CHAIN_IN_CALL, g->called, g->call);
	if (!chain->is_on)
		return;
	entry = chain_entry(chain, g->last);
	/* The log may have begun after the call. */
	if (entry->changes) {
		chain_add(chain, g,
			  &(struct chain_entry){.at = g->called,
						.changes = true});
		return;
	}
	gti_chain_recast(chain, g);
}

static void take_end(const struct taking *taking)
{
	struct chain_slot *g = taking->g;
	struct chain_entry entry = {.at = taking->at, .changes = true};

	g->assists = false;
	set_state(g, CHAIN_ABSENT, taking->at, no_stack);
	g->ended = true;
	chain_add(taking->chain, g, &entry);
	if (taking->from->kind == TRANSITION_END_IN_CALL)
		gti_chain_keep(taking->chain, &taking->chain->of_c, g);
	else if (taking->chain->is_on)
		gti_chain_keep(taking->chain, &taking->chain->ended, g);
}

/* Takes the change; CALLED: the last event of `g` may have begun a call. */
static void take_change(const struct taking *taking, bool called)
{
	switch (taking->from->kind) {
	case TRANSITION_START:
	case TRANSITION_RETURN:
		move(taking, CHAIN_RUNS, false);
		break;
	case TRANSITION_BLOCK:
		take_block(taking);
		break;
	case TRANSITION_READY:
		take_ready(taking);
		break;
	case TRANSITION_PREEMPT:
	case TRANSITION_RETURN_READY:
		move(taking, CHAIN_READY, false);
		break;
	case TRANSITION_CALL:
		if ((taking->from->flags & TRANSITION_MAY_BE_CALL) != 0)
			take_possible_call(taking);
		else
			move(taking, CHAIN_IN_CALL, true);
		break;
	case TRANSITION_LOSE:
		take_loss(taking, called);
		break;
	case TRANSITION_CREATE:
	case TRANSITION_CREATE_BLOCKED:
	case TRANSITION_CREATE_IN_CALL:
		take_create(taking);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		take_end(taking);
		break;
	case TRANSITION_STATUS:
		take_status(taking);
		break;
	case TRANSITION_ASSIST:
	case TRANSITION_ASSIST_ON:
	case TRANSITION_ASSIST_END:
		take_assist(taking,
			    taking->from->kind != TRANSITION_ASSIST_END);
		break;
	default:
		if (taking->by != NULL)
			act(taking, false);
		break;
	}
}

/* ----------------------------------------------------------------- slots -- */

/*
 * What is known of goroutine G, which has no slot yet: CREATED by the present
 * transition, or not.
 */
static NOINLINE struct chain_slot first_of(const struct chain *chain,
					   uint64_t g, bool created)
{
	struct chain_slot slot = {
		.g = g,
		.since = INT64_MIN,
		.due = INT64_MIN,
		.state = created ? CHAIN_ABSENT : CHAIN_UNKNOWN,
		.creation = NO_STACK,
		.creator = UINT64_MAX,
	};

	if (!gti_chain_kept(&chain->ended, g, &slot))
		gti_chain_kept(&chain->of_c, g, &slot);
	return slot;
}

/* Adds slots until there are as many as NUMBER. */
static NOINLINE void add_slots(struct chain *chain, uint32_t number)
{
	static const struct chain_slot none = {.g = UINT64_MAX};

	chain->failed |= !array_fill(&chain->slots, number, &none, sizeof(none),
				     chain->memory);
}

/* The slot NUMBER of FEED, which is there; NULL: it is 0. */
static ALWAYS_INLINE struct chain_slot *find_slot(struct chain *chain,
						  const struct feed *feed,
						  uint32_t number, bool created)
{
	struct chain_slot *slot;
	uint64_t g;

	if (number == 0)
		return NULL;
	g = actors_number(&feed->goroutines, number);
	slot = chain_slot(chain, number);
	/* A slot can come back to its goroutine, which had another since. */
	if (UNLIKELY(slot->g != g) || created) {
		bool changed = slot->changed;

		*slot = first_of(chain, g, created);
		slot->changed = changed;
	}
	if (UNLIKELY(!slot->changed))
		gti_chain_change(chain, number);
	if (chain->is_on)
		chain_last(chain, slot);
	return slot;
}

/* Whether `by` of TAKING acts on another goroutine, which goes on by that. */
static bool acts(const struct taking *taking)
{
	unsigned kind = taking->from->kind;

	return taking->by != NULL && taking->by != taking->g &&
	       (kind == TRANSITION_READY || kind == TRANSITION_CREATE ||
		kind == TRANSITION_CREATE_BLOCKED);
}

void gti_chain_take(struct chain *chain, const struct feed *feed,
		    const struct transition *transition, int64_t at)
{
	unsigned kind = transition->kind;
	bool created =
		kind >= TRANSITION_CREATE && kind <= TRANSITION_CREATE_IN_CALL;
	struct taking taking = {
		.chain = chain,
		.feed = feed,
		.from = transition,
		.at = at,
	};
	bool called;

	if (UNLIKELY(transition->g > chain->slots.count))
		add_slots(chain, transition->g);
	if (UNLIKELY(transition->by > chain->slots.count))
		add_slots(chain, transition->by);
	if (UNLIKELY(chain->failed))
		return;
	taking.g = find_slot(chain, feed, transition->g, created);
	taking.by = transition->by == transition->g
			    ? taking.g
			    : find_slot(chain, feed, transition->by, false);
	called = taking.g->may_call;
	taking.g->may_call = false;
	if (taking.by != NULL)
		taking.by->may_call = false;
	if (acts(&taking))
		taking.cause = act(&taking, true);
	take_change(&taking, called);
	chain->failed |= chain->sites.failed;
}
