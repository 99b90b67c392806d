/* SPDX-License-Identifier: BSD-3-Clause */
/* holders.c - what the stops of the world waited for, added up. */
#include "analysis/holders.h"

void gti_holders_init(struct holders *holders,
		      const struct gtrace_allocator *memory)
{
	*holders = (struct holders){.memory = memory};
}

void gti_holders_free(struct holders *holders)
{
	if (holders->memory == NULL)
		return;
	gti_array_free(&holders->entries, sizeof(struct holder),
		       holders->memory);
	gti_map_free(&holders->places, holders->memory);
	holders->memory = NULL;
}

void gti_holders_empty(struct holders *holders)
{
	holders->entries.count = 0;
	gti_map_free(&holders->places, holders->memory);
}

void gti_holders_restart(struct holders *holders)
{
	gti_holders_empty(holders);
	holders->has_longest = false;
	holders->failed = false;
}

/* The entry of STACK and HOW, new if there is none. NULL: no memory. */
static struct holder *find(struct holders *holders, uint64_t stack,
			   unsigned how)
{
	/* Stacks are handles, or small numbers: their product differs. */
	uint64_t key = stack * (HOLDER_NONE + 1) + how;
	uint64_t *place;
	struct holder *holder;

	for (;; key++) {
		place = gti_map_put(&holders->places, key, holders->memory);
		if (place == NULL)
			return NULL;
		if (*place == 0)
			break;
		holder = (struct holder *)holders->entries.items + *place - 1;
		if (holder->stack == stack && holder->how == how)
			return holder;
	}
	if (!gti_array_reserve(&holders->entries, sizeof(*holder),
			       holders->memory)) {
		gti_map_delete(&holders->places, key);
		return NULL;
	}
	holder = (struct holder *)holders->entries.items +
		 holders->entries.count++;
	*place = holders->entries.count;
	*holder = (struct holder){.stack = stack, .how = how};
	return holder;
}

/* Adds TIME of a stop to the entry of STACK and HOW, and the stop if COUNTS. */
static void add(struct holders *holders, uint64_t stack, unsigned how,
		bool counts, uint64_t time)
{
	struct holder *holder;

	if (!counts && time == 0)
		return;
	holder = find(holders, stack, how);
	if (holder == NULL) {
		holders->failed = true;
		return;
	}
	holder->count += counts;
	holder->stopping += time;
}

/* How much of STOP the goroutine of LATE, its last processor, held up. */
static uint64_t held_up(const struct stop *stop, const struct late *late)
{
	if (late->how == LATE_SCHEDULER || late->own < 0)
		return 0;
	return (uint64_t)(late->own < stop->stopping ? late->own
						     : stop->stopping);
}

void gti_holders_add(struct holders *holders, const struct stop *stop,
		     const struct late *late, size_t late_count)
{
	uint64_t own, rest;

	if (late_count == 0) {
		add(holders, 0, HOLDER_NONE, true, (uint64_t)stop->stopping);
	} else {
		own = held_up(stop, late);
		rest = (uint64_t)stop->stopping - own;
		if (late->how != LATE_SCHEDULER)
			add(holders, late->stack, late->how, own >= rest, own);
		add(holders, 0, LATE_SCHEDULER,
		    own < rest || late->how == LATE_SCHEDULER, rest);
	}
	if (holders->has_longest &&
	    stop_length(stop) <= stop_length(&holders->longest))
		return;
	holders->has_longest = true;
	holders->longest = *stop;
	holders->longest.late = NULL;
	holders->longest.late_count = 0;
}
