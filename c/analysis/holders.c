/* SPDX-License-Identifier: BSD-3-Clause */
/* holders.c - what the stops of the world waited for, added up. */
#include "analysis/holders.h"

void gti_holders_init(struct holders *holders,
		      const struct gtrace_allocator *memory)
{
	*holders = (struct holders){.memory = memory};
	gti_texts_init(&holders->keys, memory);
}

void gti_holders_free(struct holders *holders)
{
	if (holders->memory == NULL)
		return;
	gti_array_free(&holders->entries, sizeof(struct holder),
		       holders->memory);
	gti_texts_free(&holders->keys);
	holders->memory = NULL;
}

void gti_holders_empty(struct holders *holders)
{
	holders->entries.count = 0;
	gti_texts_free(&holders->keys);
	gti_texts_init(&holders->keys, holders->memory);
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
	const uint64_t key[] = {stack, how};
	struct array *entries = &holders->entries;
	struct holder *holder;
	uint32_t number;

	if (!gti_array_reserve(entries, sizeof(*holder), holders->memory))
		return NULL;
	number = gti_texts_put(&holders->keys, key, sizeof(key));
	if (number == NO_TEXT)
		return NULL;
	holder = (struct holder *)entries->items + number;
	if (number == entries->count) {
		entries->count++;
		*holder = (struct holder){.stack = stack, .how = how};
	}
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
