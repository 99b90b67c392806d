/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_broadcasts.c - goroutines that are woken all at once, for nothing. */
#include "analysis/causes_parts.h"
#include "base/array.h"
#include "base/times.h"

/* The stack of the event that woke SLOT, if that may have woken many. */
static uint32_t find_waker(struct causes *causes, const struct chain_slot *slot)
{
	struct chain *chain = &causes->chain;
	uint32_t cause = chain_entry(chain, slot->last)->cause;
	const struct chain_entry *entry;
	uint32_t stack;

	if (cause == 0)
		return NO_STACK;
	entry = chain_entry(chain, cause);
	if (!entry->is_own)
		return NO_STACK;
	stack = sites_at(&chain->sites, entry->own).stack;
	return causes_look(causes, stack).broadcasts ? stack : NO_STACK;
}

/* The number, plus one, of what the function of BY woke at SPOT. */
static uint32_t find_broadcast(struct causes *causes, uint32_t by,
			       uint32_t spot)
{
	struct cause_broadcast made = {
		.by = by,
		.spot = causes_first(causes, spot),
		.lost = {.worst = -1},
	};
	uint64_t key = (uint64_t)causes_look(causes, by).own << 32 | made.spot;
	uint64_t *number = gti_map_put(&causes->by_waker, key, causes->memory);

	if (number == NULL ||
	    (*number == 0 && array_add(&causes->broadcasts, &made, sizeof(made),
				       causes->memory) == NULL)) {
		causes->failed = true;
		return 0;
	}
	if (*number == 0)
		*number = causes->broadcasts.count;
	return (uint32_t)*number;
}

static struct cause_broadcast *broadcast_at(const struct causes *causes,
					    uint32_t number)
{
	return (struct cause_broadcast *)causes->broadcasts.items +
	       (number - 1);
}

/* The block of BEFORE is over, in the slot NUMBER, which is AFTER now. */
static void note_waking(struct causes *causes, uint32_t number,
			const struct cause_before *before,
			const struct chain_slot *after)
{
	uint32_t by = find_waker(causes, after), spot;
	struct site site;
	struct cause_visits *visits;

	if (by == NO_STACK)
		return;
	site = sites_at(&causes->chain.sites, before->site);
	if (site.kind != GTRACE_BLOCK_CONDITION || site.stack == NO_STACK ||
	    !gti_causes_count(causes, after->root, site.stack))
		return;
	visits = gti_causes_visits(causes, number, after->g);
	spot = gti_causes_spot(causes, after->root, site.stack, site.kind);
	if (visits == NULL || causes->failed)
		return;
	visits->woken = find_broadcast(causes, by, spot);
	visits->woken_at = after->since;
	if (!causes->failed)
		broadcast_at(causes, visits->woken)->woken++;
}

/* The goroutine in SLOT, of VISITS, waits again where it was woken. */
static void note_idle(struct causes *causes, const struct cause_visits *visits,
		      const struct chain_slot *slot)
{
	gti_causes_count_in(&broadcast_at(causes, visits->woken)->lost, 1,
			    visits->woken_at,
			    ns_between(visits->woken_at, slot->since), slot->g);
}

/* SLOT, of VISITS, is blocked. Returns whether that says nothing yet. */
static bool take_next_block(struct causes *causes,
			    const struct cause_visits *visits,
			    const struct chain_slot *slot)
{
	struct site site = chain_slot_site(&causes->chain, slot);
	uint32_t spot;

	if (site.kind == GTRACE_BLOCK_LOCK)
		return true;
	if (site.kind != GTRACE_BLOCK_CONDITION || site.stack == NO_STACK)
		return false;
	spot = gti_causes_spot(causes, slot->root, site.stack, site.kind);
	if (!causes->failed &&
	    causes_first(causes, spot) ==
		    broadcast_at(causes, visits->woken)->spot)
		note_idle(causes, visits, slot);
	return false;
}

void gti_causes_woken(struct causes *causes, uint32_t number,
		      const struct cause_before *before,
		      const struct chain_slot *after)
{
	struct cause_visits *visits;

	if (before->state == CHAIN_BLOCKED && after->state == CHAIN_READY &&
	    chain_entry(&causes->chain, after->last)->wakes)
		note_waking(causes, number, before, after);
	if (!causes_is_woken(causes, number))
		return;
	visits = (struct cause_visits *)causes->visits.items + (number - 1);
	if (visits->g != after->g)
		return;
	if (after->state == CHAIN_IN_CALL || after->state == CHAIN_ABSENT ||
	    (after->state == CHAIN_BLOCKED &&
	     !take_next_block(causes, visits, after)))
		visits->woken = 0;
}
