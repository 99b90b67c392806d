/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.c - the states of goroutines, and the log of their changes. */
#include "analysis/chain.h"

#include "base/array.h"

void gti_chain_init(struct chain *chain,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory)
{
	chain->memory = memory;
	gti_sites_init(&chain->sites, describe, context, memory);
	chain->slots = chain->log = chain->frames = (struct array){.count = 0};
	chain->of_c = chain->ended =
		(struct ended_slots){.slots = {.count = 0}};
	chain->log_number = 1;
	chain->described = 0;
	chain->steps = 0;
	chain->is_on = chain->finished = chain->failed = false;
}

static void forget_ended(struct ended_slots *ended,
			 const struct gtrace_allocator *memory)
{
	gti_map_free(&ended->by_number, memory);
	gti_array_free(&ended->slots, sizeof(struct chain_slot), memory);
}

void gti_chain_restart(struct chain *chain)
{
	gti_sites_forget(&chain->sites);
	forget_ended(&chain->of_c, chain->memory);
	chain->slots.count = 0;
	chain->finished = false;
	gti_chain_log(chain, false);
}

void gti_chain_free(struct chain *chain)
{
	const struct gtrace_allocator *memory = chain->memory;

	gti_sites_free(&chain->sites);
	forget_ended(&chain->of_c, memory);
	forget_ended(&chain->ended, memory);
	gti_array_free(&chain->slots, sizeof(struct chain_slot), memory);
	gti_array_free(&chain->log, sizeof(struct chain_entry), memory);
	gti_chain_walk_free(chain);
}

void gti_chain_log(struct chain *chain, bool is_on)
{
	chain->is_on = is_on;
	forget_ended(&chain->ended, chain->memory);
	chain->log.count = 0;
	chain->described = 0;
	chain->log_number++;
}

/* ---------------------------------------------------------------- stacks -- */

static struct chain_stack stack_of(uint64_t handle)
{
	return (struct chain_stack){.handle = handle};
}

static uint32_t site_of(struct chain *chain, struct chain_stack stack)
{
	const struct site_key key = {.stack = stack.handle};

	if (stack.is_number)
		return (uint32_t)stack.handle;
	return stack.handle == 0 ? NO_SITE
				 : gti_sites_number(&chain->sites, &key);
}

/* That of the event that began the state of SLOT. */
static uint32_t state_site(struct chain *chain, const struct chain_slot *slot)
{
	const struct site_key key = {
		.stack = slot->stack.handle,
		.reason = slot->reason,
		.type = slot->type,
		.role = slot->role,
	};

	if (slot->stack.is_number || slot->role == SITE_OF_EVENT)
		return site_of(chain, slot->stack);
	return gti_sites_number(&chain->sites, &key);
}

/* Replaces the handle STACK by the site with NUMBER, which outlives it. */
static void keep_site(struct chain *chain, struct chain_stack *stack,
		      uint32_t number)
{
	if (!stack->is_number && number != NO_SITE)
		gti_sites_at(&chain->sites, number);
	*stack = (struct chain_stack){number, true};
}

static void keep_slot(struct chain *chain, struct chain_slot *slot)
{
	keep_site(chain, &slot->stack, state_site(chain, slot));
	keep_site(chain, &slot->own, site_of(chain, slot->own));
	keep_site(chain, &slot->assist, site_of(chain, slot->assist));
	keep_site(chain, &slot->call, site_of(chain, slot->call));
}

/* keep_slot() for all of SLOTS. */
static void keep_slots(struct chain *chain, const struct array *slots)
{
	struct chain_slot *all = slots->items;
	size_t i;

	for (i = 0; i < slots->count; i++)
		keep_slot(chain, &all[i]);
}

void gti_chain_end_generation(struct chain *chain)
{
	size_t i;

	for (i = chain->described; i < chain->log.count; i++) {
		const struct chain_entry *entry =
			chain_entry(chain, (uint32_t)(i + 1));

		gti_sites_at(&chain->sites, entry->stack);
		gti_sites_at(&chain->sites, entry->own);
	}
	chain->described = chain->log.count;
	keep_slots(chain, &chain->slots);
	keep_slots(chain, &chain->of_c.slots);
	keep_slots(chain, &chain->ended.slots);
	chain->failed |= chain->sites.failed;
	gti_sites_forget(&chain->sites);
}

/* ------------------------------------------------------------------- log -- */

/* Adds ENTRY. Returns its number; 0: there is no memory. */
static uint32_t add_entry(struct chain *chain, const struct chain_entry *entry)
{
	if (chain->log.count >= UINT32_MAX - 1 ||
	    array_add(&chain->log, entry, sizeof(*entry), chain->memory) ==
		    NULL) {
		chain->failed = true;
		return 0;
	}
	return (uint32_t)chain->log.count;
}

uint32_t gti_chain_begin(struct chain *chain, struct chain_slot *slot)
{
	const struct chain_entry base = {
		.at = slot->since,
		.g = slot->g,
		.stack = state_site(chain, slot),
		.own = site_of(chain, slot->own),
		.first = NO_SITE,
		.state = slot->state,
		.changes = true,
		.resolved = true,
		.ended = slot->ended,
	};

	slot->last = add_entry(chain, &base);
	slot->log = chain->log_number;
	return slot->last;
}

/*
 * The entries before ENTRY, of the same running, that have waited for the own
 * event that ENTRY is, if it is one, know it now.
 */
static void resolve(struct chain *chain, const struct chain_entry *entry)
{
	uint32_t first = entry->is_own ? entry->own : NO_SITE, number;
	struct chain_entry *before;

	for (number = entry->before; number != 0; number = before->before) {
		before = chain_entry(chain, number);
		if (before->resolved)
			return;
		before->first = first;
		before->resolved = true;
	}
}

/*
 * SLOT has ENTRY, of which what the slot tells need not be set. Returns its
 * number; 0: the log is off.
 */
static uint32_t log_entry(struct chain *chain, struct chain_slot *slot,
			  struct chain_entry entry)
{
	if (!chain->is_on)
		return 0;
	entry.before = slot->last;
	entry.g = slot->g;
	entry.state = slot->state;
	entry.ended = slot->ended;
	entry.own = site_of(chain, slot->own);
	entry.stack = entry.changes ? state_site(chain, slot) : NO_SITE;
	entry.first = entry.is_own ? entry.own : NO_SITE;
	entry.resolved = entry.is_own || entry.changes;
	if (entry.resolved)
		resolve(chain, &entry);
	slot->last = add_entry(chain, &entry);
	return slot->last;
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

	set_state(slot, CHAIN_BLOCKED, taking->at, stack_of(from->stack));
	slot->role = SITE_OF_BLOCK;
	slot->type = from->type;
	slot->reason = from->kind == TRANSITION_BLOCK ? from->arg : 0;
}

/* Whether the event of TAKING is an own one of SLOT. */
static bool is_own(const struct taking *taking, const struct chain_slot *slot)
{
	return taking->by == slot && taking->from->stack != 0 &&
	       taking->from->kind != TRANSITION_STATUS;
}

/* Takes the event as an own one of SLOT, if it is. Returns whether it is. */
static bool take_own(const struct taking *taking, struct chain_slot *slot)
{
	bool own = is_own(taking, slot);

	if (own)
		slot->own = stack_of(taking->from->stack);
	return own;
}

/* `by` acts on another goroutine, or does something that changes no state. */
static uint32_t act(const struct taking *taking, bool is_cause)
{
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, taking->by),
	};

	return entry.is_own || is_cause
		       ? log_entry(taking->chain, taking->by, entry)
		       : 0;
}

/* `g` changes to STATE, which the event begins with STACK. */
static void move(const struct taking *taking, enum chain_state state,
		 struct chain_stack stack)
{
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, taking->g),
		.changes = true,
	};

	set_state(taking->g, state, taking->at, stack);
	log_entry(taking->chain, taking->g, entry);
}

static void take_block(const struct taking *taking)
{
	struct chain_entry entry = {
		.at = taking->at,
		.is_own = take_own(taking, taking->g),
		.changes = true,
	};

	set_blocked(taking);
	log_entry(taking->chain, taking->g, entry);
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

	set_state(taking->g, CHAIN_READY, taking->at, stack_of(0));
	log_entry(taking->chain, taking->g, entry);
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

	if (from->kind != TRANSITION_CREATE_IN_CALL && from->arg != 0) {
		g->own = stack_of(from->arg);
		entry.is_own = true;
	}
	if (from->kind == TRANSITION_CREATE_BLOCKED)
		set_blocked(taking);
	else
		set_state(g,
			  from->kind == TRANSITION_CREATE ? CHAIN_READY
							  : CHAIN_IN_CALL,
			  taking->at, stack_of(0));
	log_entry(taking->chain, g, entry);
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
	set_state(taking->g, state, entry.at, stack_of(from->stack));
	if (state == CHAIN_BLOCKED)
		set_blocked(taking);
	if (is_before)
		taking->g->since = entry.at =
			clock_ns(taking->feed->clock, taking->feed->origin);
	if (from->stack != 0)
		taking->g->own = stack_of(from->stack);
	log_entry(chain, taking->g, entry);
	if (from->stack != 0)
		log_entry(
			chain, taking->g,
			(struct chain_entry){.at = taking->at, .is_own = true});
}

static void take_assist(const struct taking *taking, bool begins)
{
	struct chain_slot *g = taking->g;
	bool runs = (g->state == CHAIN_RUNS || g->state == CHAIN_ASSISTS) &&
		    g->assists != begins;

	g->assists = begins;
	g->assist = stack_of(taking->from->stack);
	if (runs)
		move(taking, CHAIN_RUNS, stack_of(0));
	else if (taking->by == g)
		act(taking, false);
}

/* A system call that is none if the goroutine keeps its processor. */
static void take_possible_call(const struct taking *taking)
{
	act(taking, true);
	taking->g->may_call = true;
	taking->g->called = taking->at;
	taking->g->call = stack_of(taking->from->stack);
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
		move(taking, CHAIN_IN_CALL, stack_of(0));
		return;
	}
	set_state(g, CHAIN_IN_CALL, g->called, g->call);
	if (!chain->is_on)
		return;
	entry = chain_entry(chain, g->last);
	/* The log may have begun after the call. */
	if (entry->changes) {
		log_entry(
			chain, g,
			(struct chain_entry){.at = g->called, .changes = true});
		return;
	}
	if (!entry->resolved)
		resolve(chain, entry);
	entry->resolved = entry->changes = true;
	entry->state = CHAIN_IN_CALL;
	entry->stack = state_site(chain, g);
}

/* SLOT is kept in TO, under its number. */
static void keep_number(struct chain *chain, struct ended_slots *to,
			const struct chain_slot *slot)
{
	uint64_t *place = gti_map_put(&to->by_number, slot->g, chain->memory);

	if (place != NULL && *place != 0)
		((struct chain_slot *)to->slots.items)[*place - 1] = *slot;
	else if (place != NULL && array_add(&to->slots, slot, sizeof(*slot),
					    chain->memory) != NULL)
		*place = to->slots.count;
	else
		chain->failed = true;
}

static void take_end(const struct taking *taking)
{
	struct chain_slot *g = taking->g;
	struct chain_entry entry = {.at = taking->at, .changes = true};

	g->assists = false;
	set_state(g, CHAIN_ABSENT, taking->at, stack_of(0));
	g->ended = true;
	log_entry(taking->chain, g, entry);
	if (taking->from->kind == TRANSITION_END_IN_CALL)
		keep_number(taking->chain, &taking->chain->of_c, g);
	else if (taking->chain->is_on)
		keep_number(taking->chain, &taking->chain->ended, g);
}

/* Takes the change; CALLED: the last event of `g` may have begun a call. */
static void take_change(const struct taking *taking, bool called)
{
	switch (taking->from->kind) {
	case TRANSITION_START:
	case TRANSITION_RETURN:
		move(taking, CHAIN_RUNS, stack_of(0));
		break;
	case TRANSITION_BLOCK:
		take_block(taking);
		break;
	case TRANSITION_READY:
		take_ready(taking);
		break;
	case TRANSITION_PREEMPT:
	case TRANSITION_RETURN_READY:
		move(taking, CHAIN_READY, stack_of(0));
		break;
	case TRANSITION_CALL:
		if ((taking->from->flags & TRANSITION_MAY_BE_CALL) != 0)
			take_possible_call(taking);
		else
			move(taking, CHAIN_IN_CALL,
			     stack_of(taking->from->stack));
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

/* Sets *SLOT to what is kept of goroutine G. Returns whether that is. */
static bool find_ended(const struct ended_slots *ended, uint64_t g,
		       struct chain_slot *slot)
{
	const uint64_t *place = gti_map_get(&ended->by_number, g);

	if (place == NULL)
		return false;
	*slot = ((const struct chain_slot *)ended->slots.items)[*place - 1];
	slot->user = 0;
	return true;
}

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
		.state = created ? CHAIN_ABSENT : CHAIN_UNKNOWN,
	};

	if (!find_ended(&chain->ended, g, &slot))
		find_ended(&chain->of_c, g, &slot);
	return slot;
}

/* Adds slots until there are as many as NUMBER. */
static NOINLINE void add_slots(struct chain *chain, uint32_t number)
{
	static const struct chain_slot none = {.g = UINT64_MAX};

	while (chain->slots.count < number && !chain->failed)
		if (array_add(&chain->slots, &none, sizeof(none),
			      chain->memory) == NULL)
			chain->failed = true;
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
	if (UNLIKELY(slot->g != g) || created)
		*slot = first_of(chain, g, created);
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

/* Goroutines come before processors among the kinds. */
static bool is_of_goroutine(unsigned kind)
{
	return (kind >= TRANSITION_CREATE && kind < TRANSITION_HOLD) ||
	       (kind >= TRANSITION_ASSIST && kind <= TRANSITION_ASSIST_END);
}

/* The goroutine in the slot NUMBER goes on, so it is in no system call. */
static void end_call(const struct chain *chain, uint32_t number)
{
	if (number != 0 && number <= chain->slots.count)
		chain_slot(chain, number)->may_call = false;
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

	if (transition->g == 0 || kind == TRANSITION_SAMPLE)
		return;
	if (transition->stack == 0 && !is_of_goroutine(kind)) {
		end_call(chain, transition->by);
		return;
	}
	if (UNLIKELY(transition->g > chain->slots.count))
		add_slots(chain, transition->g);
	if (UNLIKELY(transition->by > chain->slots.count))
		add_slots(chain, transition->by);
	if (UNLIKELY(chain->failed))
		return;
	taking.g = find_slot(chain, feed, transition->g, created);
	taking.by = find_slot(chain, feed, transition->by, false);
	called = taking.g->may_call;
	taking.g->may_call = false;
	if (taking.by != NULL)
		taking.by->may_call = false;
	if (acts(&taking))
		taking.cause = act(&taking, true);
	take_change(&taking, called);
	chain->failed |= chain->sites.failed;
}

void gti_chain_finish(struct chain *chain)
{
	chain->finished = true;
}
