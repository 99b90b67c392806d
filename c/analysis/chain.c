/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.c - the states of goroutines, and the log of their changes. */
#include "analysis/chain.h"

#include <string.h>

#include "base/array.h"

void gti_chain_init(struct chain *chain,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory)
{
	chain->memory = memory;
	gti_sites_init(&chain->sites, describe, context, memory);
	chain->slots = chain->changed = chain->log = chain->frames =
		(struct array){.count = 0};
	chain->of_c = chain->ended =
		(struct ended_slots){.slots = {.count = 0}};
	chain->log_number = 1;
	chain->described = 0;
	chain->steps = 0;
	chain->root = NULL;
	chain->join = NULL;
	chain->node = 0;
	chain->hasty = false;
	chain->steps_max = 0;
	chain->is_on = chain->finished = chain->failed = false;
}

static void forget_ended(struct ended_slots *ended,
			 const struct gtrace_allocator *memory)
{
	gti_map_free(&ended->by_number, memory);
	gti_array_free(&ended->slots, sizeof(struct chain_slot), memory);
	gti_array_free(&ended->changed, sizeof(uint32_t), memory);
}

void gti_chain_restart(struct chain *chain)
{
	gti_sites_forget(&chain->sites);
	forget_ended(&chain->of_c, chain->memory);
	chain->slots.count = chain->changed.count = 0;
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
	gti_array_free(&chain->changed, sizeof(uint32_t), memory);
	gti_array_free(&chain->log, sizeof(struct chain_entry), memory);
	gti_chain_walk_free(chain);
}

void gti_chain_log(struct chain *chain, bool is_on)
{
	chain->is_on = is_on;
	chain->stay = 0;
	forget_ended(&chain->ended, chain->memory);
	chain->log.count = 0;
	chain->described = 0;
	chain->log_number++;
}

/* ---------------------------------------------------------------- stacks -- */

uint32_t gti_chain_state_site(struct chain *chain,
			      const struct chain_slot *slot)
{
	const struct site_key key = {
		.stack = slot->stack.handle,
		.reason = slot->reason,
		.type = slot->type,
		.role = slot->role,
	};

	return gti_sites_number(&chain->sites, &key);
}

uint32_t gti_chain_number(struct chain *chain, uint64_t handle)
{
	const struct chain_stack stack = {.handle = handle};
	struct site site = sites_at(&chain->sites, chain_site(chain, stack));

	chain->failed |= chain->sites.failed;
	return site.stack;
}

/* Replaces STACK by the site with NUMBER, which outlives the handle. */
static void keep_site(struct chain *chain, struct chain_stack *stack,
		      uint32_t number)
{
	sites_at(&chain->sites, number);
	*stack = (struct chain_stack){number, true};
}

static void keep_slot(struct chain *chain, struct chain_slot *slot)
{
	keep_site(chain, &slot->stack, chain_state_site(chain, slot));
	keep_site(chain, &slot->own, chain_site(chain, slot->own));
	keep_site(chain, &slot->assist, chain_site(chain, slot->assist));
	keep_site(chain, &slot->call, chain_site(chain, slot->call));
}

void gti_chain_change(struct chain *chain, uint32_t number)
{
	chain_slot(chain, number)->changed = true;
	if (array_add(&chain->changed, &number, sizeof(number),
		      chain->memory) == NULL)
		chain->failed = true;
}

/* Keeps those of SLOTS that are CHANGED, with numbers from 1 on. */
static void keep_slots(struct chain *chain, const struct array *slots,
		       struct array *changed)
{
	const uint32_t *numbers = changed->items;
	struct chain_slot *all = slots->items;
	size_t i;

	for (i = 0; i < changed->count; i++) {
		keep_slot(chain, &all[numbers[i] - 1]);
		all[numbers[i] - 1].changed = false;
	}
	changed->count = 0;
}

void gti_chain_end_generation(struct chain *chain)
{
	size_t i;

	for (i = chain->described; i < chain->log.count; i++) {
		const struct chain_entry *entry =
			chain_entry(chain, (uint32_t)(i + 1));

		sites_at(&chain->sites, entry->stack);
		sites_at(&chain->sites, entry->own);
	}
	chain->described = chain->log.count;
	keep_slots(chain, &chain->slots, &chain->changed);
	keep_slots(chain, &chain->of_c.slots, &chain->of_c.changed);
	keep_slots(chain, &chain->ended.slots, &chain->ended.changed);
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

/*
 * The number of the entry with NUMBER without the first COUNT, of which some
 * stay; 0: it is one.
 */
static uint32_t without(const struct chain *chain, uint32_t number,
			size_t count)
{
	return number > count ? (uint32_t)(number - count + chain->stay) : 0;
}

/* The last entry of SLOT is forgotten if it is one of the first COUNT. */
static void shorten_slot(const struct chain *chain, struct chain_slot *slot,
			 size_t count)
{
	if (slot->log != chain->log_number)
		return;
	slot->last = without(chain, slot->last, count);
	if (slot->last == 0)
		slot->log = 0;
}

static void shorten_slots(const struct chain *chain, struct array *slots,
			  size_t count)
{
	size_t i;

	for (i = 0; i < slots->count; i++)
		shorten_slot(chain, (struct chain_slot *)slots->items + i,
			     count);
}

/* Forgets those that have ended, and have no entry after the first COUNT. */
static void shorten_ended(struct chain *chain, size_t count)
{
	struct ended_slots old = chain->ended;
	size_t i;

	chain->ended = (struct ended_slots){.slots = {.count = 0}};
	for (i = 0; i < old.slots.count && !chain->failed; i++) {
		struct chain_slot *slot =
			(struct chain_slot *)old.slots.items + i;

		shorten_slot(chain, slot, count);
		if (slot->log == chain->log_number)
			gti_chain_keep(chain, &chain->ended, slot);
	}
	forget_ended(&old, chain->memory);
}

/*
 * How many entries are to go so that about COUNT are left: what one of the
 * others has as its cause, which is just before it, stays too.
 */
static size_t count_gone(const struct chain *chain, size_t count)
{
	const struct chain_entry *entries = chain->log.items;
	size_t gone = chain->log.count - count, i;

	for (i = gone; i < gone + 3 && i < chain->log.count; i++)
		if (entries[i].cause != 0 && entries[i].cause <= gone)
			gone = i + 1;
	return gone;
}

/*
 * Entry NUMBER goes, but a later one of its goroutine stays: so does that which
 * began the state, from the time LAST on. Returns its number, or 0.
 */
static uint32_t let_stay(struct chain *chain, uint32_t number, int64_t last,
			 struct array *states)
{
	struct chain_entry state;

	while (number != 0 && !chain_entry(chain, number)->changes)
		number = chain_entry(chain, number)->before;
	if (number == 0)
		return 0;
	state = *chain_entry(chain, number);
	state.at = last;
	state.before = state.cause = 0;
	chain->failed |=
		array_add(states, &state, sizeof(state), chain->memory) == NULL;
	return (uint32_t)states->count;
}

/* When the last of the first COUNT entries is. */
static int64_t last_of(const struct chain *chain, size_t count)
{
	int64_t last = INT64_MIN;
	size_t i;

	for (i = 1; i <= count; i++)
		if (chain_entry(chain, (uint32_t)i)->at > last)
			last = chain_entry(chain, (uint32_t)i)->at;
	return last;
}

/* Makes the log one of the states that stay, and what is after GONE. */
static void shorten_log(struct chain *chain, size_t gone)
{
	struct chain_entry *entries = chain->log.items;
	size_t left = chain->log.count - gone, i;
	struct array states = {.count = 0};
	int64_t last = last_of(chain, gone);

	/* Those with a number up to `gone` are of the states. */
	for (i = gone; i < chain->log.count; i++)
		if (entries[i].before != 0 && entries[i].before <= gone)
			entries[i].before = let_stay(chain, entries[i].before,
						     last, &states);
	chain->stay = states.count;
	for (i = gone; i < chain->log.count; i++) {
		if (entries[i].before > gone)
			entries[i].before =
				without(chain, entries[i].before, gone);
		entries[i].cause = without(chain, entries[i].cause, gone);
	}
	/* No more states stay than entries go. */
	memmove(entries + states.count, entries + gone,
		left * sizeof(*entries));
	if (states.count != 0)
		memcpy(entries, states.items, states.count * sizeof(*entries));
	chain->log.count = left + states.count;
	gti_array_free(&states, sizeof(struct chain_entry), chain->memory);
	chain->kept_from = last;
}

size_t gti_chain_shorten(struct chain *chain, size_t count)
{
	size_t gone;

	if (chain->log.count <= count)
		return 0;
	gone = count_gone(chain, count);
	shorten_log(chain, gone);
	chain->described = chain->described > gone
				   ? chain->described - gone + chain->stay
				   : 0;
	shorten_slots(chain, &chain->slots, gone);
	shorten_slots(chain, &chain->of_c.slots, gone);
	shorten_ended(chain, gone);
	return gone - chain->stay;
}

uint32_t gti_chain_begin(struct chain *chain, struct chain_slot *slot)
{
	const struct chain_entry base = {
		.at = slot->since,
		.g = slot->g,
		.stack = chain_state_site(chain, slot),
		.own = chain_site(chain, slot->own),
		.root = slot->root,
		.creation = slot->creation,
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
 * The entry NUMBER and those before it, of the same running, that have waited
 * for the next own event know it now: its site is FIRST.
 */
static void resolve(struct chain *chain, uint32_t number, uint32_t first)
{
	struct chain_entry *entry;

	for (; number != 0; number = entry->before) {
		entry = chain_entry(chain, number);
		if (entry->resolved)
			return;
		entry->first = first;
		entry->resolved = true;
	}
}

void gti_chain_resolve(struct chain *chain, const struct chain_slot *slot)
{
	uint32_t own = chain_site(chain, slot->own);

	if (chain_entry(chain, slot->last)->resolved)
		return;
	sites_at(&chain->sites, own); /* no entry of the generation has it */
	resolve(chain, slot->last, own);
}

uint32_t gti_chain_add(struct chain *chain, struct chain_slot *slot,
		       const struct chain_entry *entry)
{
	uint32_t number = add_entry(chain, entry);
	struct chain_entry *added;

	if (number == 0)
		return 0;
	added = chain_entry(chain, number);
	added->before = slot->last;
	added->g = slot->g;
	added->root = slot->root;
	added->creation = slot->creation;
	added->state = slot->state;
	added->ended = slot->ended;
	added->own = chain_site(chain, slot->own);
	added->stack = added->changes ? chain_state_site(chain, slot) : NO_SITE;
	added->first = added->is_own ? added->own : NO_SITE;
	added->resolved = added->is_own || added->changes;
	if (added->resolved)
		resolve(chain, added->before, added->first);
	slot->last = number;
	return number;
}

void gti_chain_recast(struct chain *chain, const struct chain_slot *slot)
{
	struct chain_entry *entry = chain_entry(chain, slot->last);

	if (!entry->resolved)
		resolve(chain, entry->before,
			entry->is_own ? entry->own : NO_SITE);
	entry->resolved = entry->changes = true;
	entry->state = slot->state;
	entry->stack = chain_state_site(chain, slot);
}

/* ----------------------------------------------------------------- ended -- */

void gti_chain_keep(struct chain *chain, struct ended_slots *to,
		    const struct chain_slot *slot)
{
	uint64_t *place = gti_map_put(&to->by_number, slot->g, chain->memory);
	uint32_t number;

	if (place != NULL && *place != 0)
		((struct chain_slot *)to->slots.items)[*place - 1] = *slot;
	else if (place != NULL && array_add(&to->slots, slot, sizeof(*slot),
					    chain->memory) != NULL)
		*place = to->slots.count;
	else
		chain->failed = true;
	if (chain->failed)
		return;
	number = (uint32_t)*place;
	if (array_add(&to->changed, &number, sizeof(number), chain->memory) ==
	    NULL)
		chain->failed = true;
}

bool gti_chain_kept(const struct ended_slots *ended, uint64_t g,
		    struct chain_slot *slot)
{
	const uint64_t *place = gti_map_get(&ended->by_number, g);

	if (place == NULL)
		return false;
	*slot = ((const struct chain_slot *)ended->slots.items)[*place - 1];
	slot->user = 0;
	slot->due = INT64_MIN;
	return true;
}

void gti_chain_finish(struct chain *chain)
{
	chain->finished = true;
}
