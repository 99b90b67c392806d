/* SPDX-License-Identifier: BSD-3-Clause */
/* holders.c - what the stop-the-world pauses waited for, added up. */
#include "analysis/holders.h"

#include "analysis/machine.h"

void gti_holders_restart(struct holders *holders)
{
	gti_profile_restart(&holders->sums);
	holders->longest.number = 0;
}

/* Adds TIME of a stop to the sum of STACK and HOW, and the stop if COUNTS. */
static void add(struct holders *holders, uint64_t stack, unsigned how,
		bool counts, uint64_t time)
{
	struct profile_entry *entry;
	uint32_t near = 0;

	if (!counts && time == 0)
		return;
	entry = gti_profile_find(&holders->sums, how, stack, PROFILE_ANY_G,
				 &near);
	if (entry == NULL)
		return; /* there is no memory, as `sums` tells */
	entry->count += counts;
	entry->time += time;
}

/* How much of STOP the goroutine of LATE, its last processor, held up. */
static uint64_t held_up(const struct stop *stop, const struct late *late)
{
	if (late->how == GTRACE_LATE_SCHEDULER || late->own < 0)
		return 0;
	return (uint64_t)(late->own < stop->stopping ? late->own
						     : stop->stopping);
}

/* Adds the time FROM to TO of STOP, for the stack that requested it. */
static void add_phase(struct holders *holders, const struct stop *stop,
		      unsigned how, int64_t from, int64_t to)
{
	if (to > from)
		add(holders, stop->stack, how, false,
		    (uint64_t)to - (uint64_t)from);
}

/* Adds the phases of STOP that come after `obtained`. */
static void add_phases(struct holders *holders, const struct stop *stop)
{
	int64_t restarting =
		stop->restarting != TIME_NONE ? stop->restarting : stop->ended;

	add_phase(holders, stop, HOLDER_STOPPED, stop->obtained, restarting);
	add_phase(holders, stop, HOLDER_RESTARTING, restarting, stop->ended);
}

void gti_holders_add(struct holders *holders, const struct stop *stop)
{
	const struct late *late = stop->late.items;
	uint64_t own, rest;

	if (stop->late.count == 0) {
		add(holders, 0, HOLDER_NONE, true, (uint64_t)stop->stopping);
	} else {
		own = held_up(stop, late);
		rest = (uint64_t)stop->stopping - own;
		if (late->how != GTRACE_LATE_SCHEDULER)
			add(holders, late->stack, late->how, own >= rest, own);
		add(holders, 0, GTRACE_LATE_SCHEDULER,
		    own < rest || late->how == GTRACE_LATE_SCHEDULER, rest);
	}
	if (holders->by_phase)
		add_phases(holders, stop);
	if (holders->longest.number != 0 &&
	    stop_length(stop) <= stop_length(&holders->longest))
		return;
	holders->longest = *stop;
	holders->longest.late = holders->longest.samples = (struct array){0};
}
