/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_visits.c - where goroutines wait again and again, and how they came.
 */
#include "analysis/causes_parts.h"
#include "base/array.h"

bool gti_causes_waits(struct causes *causes, const struct cause_spot *spot)
{
	switch (spot->kind) {
	case GTRACE_BLOCK_NETWORK:
		return !causes_look(causes, spot->stack).writes;
	case GTRACE_BLOCK_RECEIVE:
	case GTRACE_BLOCK_SELECT:
	case GTRACE_BLOCK_CONDITION:
	case GTRACE_BLOCK_SLEEP:
		return true;
	case GTRACE_BLOCK_SYSCALL:
		return causes_look(causes, spot->stack).waits;
	default:
		return false;
	}
}

struct cause_visits *gti_causes_visits(struct causes *causes, uint32_t slot,
				       uint64_t g)
{
	static const struct cause_visits none = {.g = UINT64_MAX};
	struct cause_visits *visits = array_grown(
		&causes->visits, slot - 1, &none, sizeof(none), causes->memory);

	causes->failed |= visits == NULL;
	if (visits != NULL && visits->g != g)
		*visits = (struct cause_visits){.g = g};
	return visits;
}

/* The goroutine of VISITS was blocked at SPOT: which way it came there. */
static void note_ways(struct causes *causes, struct cause_visits *visits,
		      uint32_t spot)
{
	const struct cause_waits *waits = causes_spot_waits(causes, spot);
	const struct cause_stack look =
		causes_look(causes, causes_spot(causes, spot)->stack);
	struct cause_wrapper *wrapper;
	size_t i;

	for (i = 0; i < CAUSE_WRAPPERS && waits->wrappers[i] != 0; i++) {
		wrapper = causes_wrapper(causes, waits->wrappers[i] - 1);
		wrapper->mixed |= look.next[i] == 0 ||
				  (visits->next[i] != 0 &&
				   visits->next[i] - 1 != look.next[i]);
		wrapper->differs |=
			wrapper->next != 0 && wrapper->next != look.next[i];
		visits->next[i] = look.next[i] + 1;
		wrapper->next = look.next[i];
	}
}

void gti_causes_visit(struct causes *causes, uint32_t slot, uint64_t g,
		      uint32_t number)
{
	const struct cause_waits *at = causes_spot_waits(causes, number);
	bool is_call =
		causes_spot(causes, number)->kind == GTRACE_BLOCK_SYSCALL;
	struct cause_visits *visits;
	size_t i, kept = 0;

	if (is_call && !at->waits)
		return;
	visits = gti_causes_visits(causes, slot, g);
	if (visits == NULL)
		return;
	if (!is_call)
		note_ways(causes, visits, number);
	if (!at->waits)
		return;
	for (i = 0; i < VISITS && visits->spots[i] != 0; i++) {
		uint32_t other = visits->spots[i] - 1;

		if (other == at->first)
			causes_waits(causes, number)->loops = true;
		else if (causes_spot_waits(causes, other)->depth <= at->depth)
			visits->spots[kept++] = other + 1;
	}
	if (kept == VISITS)
		kept = VISITS - 1;
	visits->spots[kept++] = at->first + 1;
	while (kept < VISITS)
		visits->spots[kept++] = 0;
}
