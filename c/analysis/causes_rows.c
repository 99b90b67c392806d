/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_rows.c - what the leaf of a chain did, and what names it. */
#include "analysis/causes_parts.h"

unsigned gti_causes_part_of_block(unsigned kind, unsigned by, unsigned level)
{
	switch (kind) {
	case GTRACE_BLOCK_ASSIST:
	case GTRACE_BLOCK_COLLECTION:
		return level != 0 ? ROW_COLLECTOR : ROW_NOBODY;
	case GTRACE_BLOCK_NETWORK:
		return GTRACE_HOLD_NETWORK;
	case GTRACE_BLOCK_SLEEP:
		return GTRACE_HOLD_SLEEP;
	case GTRACE_BLOCK_RECEIVE:
	case GTRACE_BLOCK_SELECT:
	case GTRACE_BLOCK_CONDITION:
	case GTRACE_BLOCK_WAIT_GROUP:
		return by == BY_TIMER ? GTRACE_HOLD_SLEEP : ROW_NOBODY;
	case GTRACE_BLOCK_LOCK:
		return by == BY_RUNTIME ? GTRACE_HOLD_LOCK : ROW_NOBODY;
	case GTRACE_BLOCK_SEND:
		return by == BY_RUNTIME ? GTRACE_HOLD_SEND : ROW_NOBODY;
	default:
		return ROW_NOBODY;
	}
}

unsigned gti_causes_part(struct causes *causes, const struct chain_piece *piece)
{
	switch (piece->state) {
	case CHAIN_RUNS:
		return piece->level != 0 ? GTRACE_HOLD_RAN : ROW_NOBODY;
	case CHAIN_IN_CALL:
		return causes_look(causes, piece->stack).in_c
			       ? GTRACE_HOLD_IN_C
			       : GTRACE_HOLD_CALL;
	case CHAIN_BLOCKED:
		return gti_causes_part_of_block(piece->kind, piece->by,
						piece->level);
	case CHAIN_ASSISTS:
		return piece->level != 0 ? ROW_COLLECTOR : ROW_NOBODY;
	case CHAIN_READY:
		if (piece->level != 0 && piece->cause.kind == GTRACE_BLOCK_LOCK)
			return GTRACE_HOLD_READY;
		return ROW_LOAD;
	default:
		return ROW_NOBODY;
	}
}

uint32_t gti_causes_name(struct causes *causes, const struct chain_piece *piece)
{
	const uint32_t stacks[] = {
		piece->stack,
		piece->creation,
		piece->level != 0 ? piece->cause.ended : NO_STACK,
		piece->level != 0 ? piece->cause.stack : NO_STACK,
	};
	size_t i;

	for (i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		if (causes_look(causes, stacks[i]).yours)
			return stacks[i];
	return NO_STACK;
}
