/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - times without an event, in a pass. */
#include "analysis/machine.h"

#include "analysis/evidence.h"

/* NS in ticks of CLOCK. */
static int64_t ticks_of(const struct clock *clock, int64_t ns)
{
	return clock->ns_per_tick == 0
		       ? ns
		       : (int64_t)((double)ns / clock->ns_per_tick);
}

void gti_machine_begin(struct machine *machine, const struct clock *clock)
{
	int64_t least = machine->collects ? SILENCE_SHORT : SILENCE_MIN;

	machine->clock = clock;
	machine->steps_left = MACHINE_STEPS;
	machine->silence_ticks =
		machine->hears ? (uint64_t)ticks_of(clock, least) : UINT64_MAX;
}

bool gti_machine_spend(struct machine *machine, uint64_t count)
{
	if (machine->collects)
		return true;
	if (count > machine->steps_left)
		return false;
	machine->steps_left -= count;
	return true;
}
