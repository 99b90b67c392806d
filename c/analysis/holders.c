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
	holders->has_stood = false;
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

void gti_holders_add(struct holders *holders, const struct stop *stop,
		     const struct late *late, size_t late_count)
{
	struct holder *holder;

	if (late_count == 0)
		holder = find(holders, 0, HOLDER_NONE);
	else if (late[0].how == LATE_SCHEDULER)
		holder = find(holders, 0, LATE_SCHEDULER);
	else
		holder = find(holders, late[0].stack, late[0].how);
	if (holder == NULL) {
		holders->failed = true;
		return;
	}
	holder->count++;
	holder->stopping += (uint64_t)stop->stopping;
	if (holders->has_stood && stop->stopped <= holders->stood.stopped)
		return;
	holders->has_stood = true;
	holders->stood = *stop;
	holders->stood.late = NULL;
	holders->stood.late_count = 0;
}
