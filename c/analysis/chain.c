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
	chain->slots = chain->kept = chain->log = chain->frames =
		(struct array){.count = 0};
	chain->gone = (struct map){.entries = {.count = 0}};
	chain->log_number = 1;
	chain->is_on = chain->finished = chain->failed = false;
}

void gti_chain_restart(struct chain *chain)
{
	gti_sites_forget(&chain->sites);
	gti_map_free(&chain->gone, chain->memory);
	chain->slots.count = chain->kept.count = chain->log.count = 0;
	chain->is_on = chain->finished = false;
}

void gti_chain_free(struct chain *chain)
{
	const struct gtrace_allocator *memory = chain->memory;

	gti_sites_free(&chain->sites);
	gti_map_free(&chain->gone, memory);
	gti_array_free(&chain->slots, sizeof(struct chain_slot), memory);
	gti_array_free(&chain->kept, sizeof(struct chain_slot), memory);
	gti_array_free(&chain->log, sizeof(struct chain_entry), memory);
	gti_chain_walk_free(chain);
}

void gti_chain_log(struct chain *chain, bool is_on)
{
	chain->is_on = is_on;
	chain->log.count = 0;
	chain->log_number++;
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

uint32_t gti_chain_last(struct chain *chain, struct chain_slot *slot)
{
	const struct chain_entry base = {
		.at = slot->since,
		.g = slot->g,
		.stack = slot->stack,
		.own = slot->own,
		.first = NO_STACK,
		.state = slot->state,
		.kind = slot->kind,
		.changes = true,
		.resolved = true,
		.ended = slot->ended,
	};

	if (slot->log != chain->log_number)
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
	uint32_t first = entry->is_own ? entry->own : NO_STACK, number;
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
 * SLOT has ENTRY, which says what is not in the slot. Returns its number; 0:
 * the log is off.
 */
static uint32_t log_entry(struct chain *chain, struct chain_slot *slot,
			  struct chain_entry entry)
{
	if (!chain->is_on)
		return 0;
	entry.before = gti_chain_last(chain, slot);
	entry.g = slot->g;
	entry.own = slot->own;
	entry.first = entry.is_own ? slot->own : NO_STACK;
	entry.resolved = entry.is_own || entry.changes;
	if (entry.resolved)
		resolve(chain, &entry);
	slot->last = add_entry(chain, &entry);
	return slot->last;
}

/* SLOT, which is in the log as it was before, is in STATE from AT on. */
static void set_state(struct chain_slot *slot, enum chain_state state,
		      int64_t at, uint32_t stack)
{
	if (state == CHAIN_RUNS && slot->assists) {
		state = CHAIN_ASSISTS;
		stack = slot->assist;
	}
	slot->state = (uint8_t)state;
	slot->since = at;
	slot->stack = stack;
}

/*
 * SLOT changes to STATE by ENTRY, of which all is set but what is told here:
 * the event that begins the state has STACK.
 */
static void change(struct chain *chain, struct chain_slot *slot,
		   enum chain_state state, uint32_t stack,
		   struct chain_entry entry)
{
	if (chain->is_on)
		gti_chain_last(chain, slot);
	set_state(slot, state, entry.at, stack);
	slot->kind = entry.kind;
	slot->ended = entry.ended;
	entry.state = slot->state;
	entry.stack = slot->stack;
	entry.changes = true;
	log_entry(chain, slot, entry);
}

/* ----------------------------------------------------------- transitions -- */

/* A transition that is being taken. */
struct taking {
	struct chain *chain;
	const struct transition *from;
	int64_t at; /* nanoseconds */
	struct chain_slot *g;
	struct chain_slot *by; /* NULL: none */
	struct site site;      /* of its event */
	uint32_t cause;        /* the entry of `by`, if `g` is another one */
};

static struct site find_site(struct chain *chain, struct site_key key)
{
	struct site site = {.stack = NO_STACK};

	if (!gti_sites_find(&chain->sites, &key, &site))
		chain->failed = true;
	return site;
}

/* The site of the block that begins. */
static struct site block_site(const struct taking *taking, enum site_role role)
{
	const struct transition *from = taking->from;
	struct site_key key = {.stack = from->stack, .role = role};

	if (role == SITE_OF_BLOCK) {
		key.type = from->type;
		if (from->kind == TRANSITION_BLOCK)
			key.reason = from->arg;
	}
	return find_site(taking->chain, key);
}

/* Whether events of this kind are of the goroutine in whose name they are. */
static bool is_own(const struct transition *from)
{
	return from->stack != 0 && from->kind != TRANSITION_SAMPLE &&
	       from->kind != TRANSITION_STATUS;
}

/* SLOT has an own event with STACK, or none if that is NO_STACK. */
static void take_own(struct chain_slot *slot, uint32_t stack)
{
	if (stack != NO_STACK)
		slot->own = stack;
}

/* `by` acts on another goroutine, or does something that changes no state. */
static uint32_t act(struct taking *taking, bool is_cause)
{
	struct chain_entry entry = {
		.at = taking->at,
		.stack = NO_STACK,
		.is_own =
			taking->site.stack != NO_STACK && is_own(taking->from),
	};

	if (!entry.is_own && !is_cause)
		return 0;
	if (taking->chain->is_on)
		gti_chain_last(taking->chain, taking->by);
	if (entry.is_own)
		take_own(taking->by, taking->site.stack);
	entry.state = taking->by->state;
	return log_entry(taking->chain, taking->by, entry);
}

/* `g`, which is `by`, changes to STATE, with KIND if that is a block. */
static void move(struct taking *taking, enum chain_state state, uint32_t stack,
		 unsigned kind)
{
	struct chain_entry entry = {
		.at = taking->at,
		.kind = (uint8_t)kind,
		.is_own = taking->g == taking->by &&
			  taking->site.stack != NO_STACK,
		.by = BY_RUNTIME,
		.ended = taking->from->kind == TRANSITION_END ||
			 taking->from->kind == TRANSITION_END_IN_CALL,
	};

	if (taking->chain->is_on)
		gti_chain_last(taking->chain, taking->g);
	if (entry.is_own)
		take_own(taking->g, taking->site.stack);
	change(taking->chain, taking->g, state, stack, entry);
}

/* Who ends a block of KIND, or creates a goroutine. */
static enum by find_by(const struct taking *taking, enum gtrace_block_kind kind)
{
	if (taking->by == NULL)
		return by_runtime(kind);
	return by_event((enum by)taking->site.by, kind);
}

static void take_ready(struct taking *taking)
{
	struct chain_entry entry = {
		.at = taking->at,
		.cause = taking->cause,
		.is_own = taking->g == taking->by &&
			  taking->site.stack != NO_STACK,
		.by = (uint8_t)find_by(taking,
				       (enum gtrace_block_kind)taking->g->kind),
	};

	if (taking->chain->is_on)
		gti_chain_last(taking->chain, taking->g);
	if (entry.is_own)
		take_own(taking->g, taking->site.stack);
	change(taking->chain, taking->g, CHAIN_READY, NO_STACK, entry);
}

/* The stack of a creation is the first own one of what it creates. */
static void take_create(struct taking *taking)
{
	const struct transition *from = taking->from;
	struct chain_entry entry = {
		.at = taking->at,
		.cause = taking->cause,
		.creates = true,
		.by = BY_TIMER,
	};
	struct site site = {.stack = NO_STACK};

	if (from->kind == TRANSITION_CREATE_IN_CALL)
		entry.by = BY_RUNTIME;
	else if (taking->by != NULL && taking->site.by != BY_SYSTEM)
		entry.by = BY_GOROUTINE;
	if (taking->chain->is_on)
		gti_chain_last(taking->chain, taking->g);
	if (from->kind != TRANSITION_CREATE_IN_CALL)
		site = find_site(taking->chain,
				 (struct site_key){.stack = from->arg});
	take_own(taking->g, site.stack);
	entry.is_own = site.stack != NO_STACK;
	if (from->kind == TRANSITION_CREATE) {
		change(taking->chain, taking->g, CHAIN_READY, NO_STACK, entry);
	} else if (from->kind == TRANSITION_CREATE_BLOCKED) {
		site = block_site(taking, SITE_OF_BLOCK);
		entry.kind = site.kind;
		change(taking->chain, taking->g, CHAIN_BLOCKED, site.stack,
		       entry);
	} else {
		change(taking->chain, taking->g, CHAIN_IN_CALL, NO_STACK,
		       entry);
	}
}

static void take_status(struct taking *taking)
{
	const struct transition *from = taking->from;
	static const uint8_t states[] = {
		[GOROUTINE_UNKNOWN] = CHAIN_UNKNOWN,
		[GOROUTINE_ABSENT] = CHAIN_ABSENT,
		[GOROUTINE_READY] = CHAIN_READY,
		[GOROUTINE_RUNS] = CHAIN_RUNS,
		[GOROUTINE_IN_CALL] = CHAIN_IN_CALL,
		[GOROUTINE_BLOCKED] = CHAIN_BLOCKED,
	};
	enum chain_state state = (enum chain_state)states[from->arg];
	struct chain_entry entry = {.at = taking->at};
	struct chain *chain = taking->chain;
	struct site site = taking->site;

	/* v1 creates goroutines that were there before; others are new. */
	if ((from->flags & TRANSITION_FIRST) == 0 &&
	    (chain->origin != INT64_MIN || taking->g->state != CHAIN_READY))
		return;
	if (chain->origin != INT64_MIN)
		entry.at = chain->origin;
	if (state == CHAIN_BLOCKED)
		entry.kind = (site = block_site(taking, SITE_OF_BLOCK)).kind;
	change(chain, taking->g, state, site.stack, entry);
	if (taking->site.stack == NO_STACK)
		return;
	take_own(taking->g, taking->site.stack);
	entry = (struct chain_entry){
		.at = taking->at,
		.state = taking->g->state,
		.is_own = true,
	};
	log_entry(chain, taking->g, entry);
}

static void take_assist(struct taking *taking, bool begins)
{
	struct chain_slot *g = taking->g;
	bool runs = (g->state == CHAIN_RUNS || g->state == CHAIN_ASSISTS) &&
		    g->assists != begins;

	if (runs && taking->chain->is_on)
		gti_chain_last(taking->chain, g);
	g->assists = begins;
	g->assist = taking->site.stack;
	if (runs)
		move(taking, CHAIN_RUNS, NO_STACK, 0);
	else if (taking->by == g)
		act(taking, false);
}

/* A system call that is none if the goroutine keeps its processor. */
static void take_possible_call(struct taking *taking)
{
	act(taking, true);
	taking->g->may_call = true;
	taking->g->called = taking->at;
	taking->g->call_stack = taking->site.stack;
}

/* The last event of `g` has begun a call after all. */
static void take_loss(struct taking *taking, bool called)
{
	struct chain *chain = taking->chain;
	struct chain_slot *g = taking->g;
	struct chain_entry *entry;
	uint32_t last;

	if (g->state == CHAIN_IN_CALL)
		return;
	if (!called) {
		move(taking, CHAIN_IN_CALL, NO_STACK, 0);
		return;
	}
	last = chain->is_on ? gti_chain_last(chain, g) : 0;
	set_state(g, CHAIN_IN_CALL, g->called, g->call_stack);
	if (last == 0)
		return;
	entry = chain_entry(chain, last);
	/* The log may have begun after the call. */
	if (entry->at != g->called || entry->changes) {
		log_entry(chain, g,
			  (struct chain_entry){.at = g->called,
					       .stack = g->stack,
					       .state = CHAIN_IN_CALL,
					       .changes = true});
		return;
	}
	if (!entry->resolved)
		resolve(chain, entry);
	entry->resolved = entry->changes = true;
	entry->state = CHAIN_IN_CALL;
	entry->stack = g->stack;
}

/* A thread of C may use its number again. */
static void keep_number(struct chain *chain, const struct chain_slot *slot)
{
	uint64_t *place = gti_map_put(&chain->gone, slot->g, chain->memory);

	if (place != NULL && *place != 0)
		((struct chain_slot *)chain->kept.items)[*place - 1] = *slot;
	else if (place != NULL && array_add(&chain->kept, slot, sizeof(*slot),
					    chain->memory) != NULL)
		*place = chain->kept.count;
	else
		chain->failed = true;
}

/* `g` is in another state, or CALLED is of its last event. */
static void take_change(struct taking *taking, bool called)
{
	struct site site;

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
		take_ready(taking);
		break;
	case TRANSITION_START:
	case TRANSITION_RETURN:
		move(taking, CHAIN_RUNS, NO_STACK, 0);
		break;
	case TRANSITION_PREEMPT:
	case TRANSITION_RETURN_READY:
		move(taking, CHAIN_READY, NO_STACK, 0);
		break;
	case TRANSITION_BLOCK:
		site = block_site(taking, SITE_OF_BLOCK);
		move(taking, CHAIN_BLOCKED, site.stack, site.kind);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		taking->g->assists = false;
		move(taking, CHAIN_ABSENT, NO_STACK, 0);
		if (taking->from->kind == TRANSITION_END_IN_CALL)
			keep_number(taking->chain, taking->g);
		break;
	case TRANSITION_CALL:
		if ((taking->from->flags & TRANSITION_MAY_BE_CALL) != 0)
			take_possible_call(taking);
		else
			move(taking, CHAIN_IN_CALL, taking->site.stack, 0);
		break;
	case TRANSITION_LOSE:
		take_loss(taking, called);
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
static struct chain_slot first_of(const struct chain *chain, uint64_t g,
				  bool created)
{
	const uint64_t *place = gti_map_get(&chain->gone, g);
	struct chain_slot slot = {
		.g = g,
		.since = INT64_MIN,
		.state = created ? CHAIN_ABSENT : CHAIN_UNKNOWN,
		.stack = NO_STACK,
		.own = NO_STACK,
		.assist = NO_STACK,
	};

	if (place != NULL)
		slot = ((const struct chain_slot *)
				chain->kept.items)[*place - 1];
	slot.user = 0;
	return slot;
}

/* There are as many slots as NUMBER. Returns false if there is no memory. */
static bool reserve_slots(struct chain *chain, uint32_t number)
{
	static const struct chain_slot none = {.g = UINT64_MAX};

	while (chain->slots.count < number)
		if (array_add(&chain->slots, &none, sizeof(none),
			      chain->memory) == NULL)
			return false;
	return true;
}

/* The slot NUMBER of FEED; NULL: it is 0. */
static struct chain_slot *find_slot(struct chain *chain,
				    const struct feed *feed, uint32_t number,
				    bool created)
{
	struct chain_slot *slot;
	uint64_t g;

	if (number == 0)
		return NULL;
	g = actors_number(&feed->goroutines, number);
	slot = chain_slot(chain, number);
	if (slot->g != g)
		*slot = first_of(chain, g, created);
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
		    const struct transition *transition)
{
	bool created = transition->kind >= TRANSITION_CREATE &&
		       transition->kind <= TRANSITION_CREATE_IN_CALL;
	struct taking taking = {
		.chain = chain,
		.from = transition,
		.at = clock_ns(feed->clock, transition->now),
	};
	bool called;

	if (transition->g == 0 || transition->kind == TRANSITION_SAMPLE)
		return;
	if (!reserve_slots(chain, transition->g) ||
	    !reserve_slots(chain, transition->by)) {
		chain->failed = true;
		return;
	}
	chain->origin = feed->origin;
	if (feed->origin != INT64_MIN)
		chain->origin = clock_ns(feed->clock, feed->origin);
	taking.g = find_slot(chain, feed, transition->g, created);
	taking.by = find_slot(chain, feed, transition->by, false);
	taking.site =
		find_site(chain, (struct site_key){.stack = transition->stack});
	called = taking.g->may_call;
	taking.g->may_call = false;
	if (taking.by != NULL)
		taking.by->may_call = false;
	if (acts(&taking))
		taking.cause = act(&taking, true);
	take_change(&taking, called);
}

void gti_chain_finish(struct chain *chain)
{
	chain->finished = true;
}
