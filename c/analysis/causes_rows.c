/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_rows.c - what the leaf of a chain did, in the walk over a block. */
#include "analysis/causes_parts.h"
#include "base/array.h"

/* ------------------------------------------------------------------ part -- */

unsigned gti_causes_part_of_block(unsigned kind, unsigned by)
{
	switch (kind) {
	case GTRACE_BLOCK_ASSIST:
	case GTRACE_BLOCK_COLLECTION:
		return ROW_COLLECTOR;
	case GTRACE_BLOCK_NETWORK:
		return GTRACE_HOLD_NETWORK;
	case GTRACE_BLOCK_SLEEP:
		return GTRACE_HOLD_SLEEP;
	case GTRACE_BLOCK_RECEIVE:
	case GTRACE_BLOCK_SELECT:
	case GTRACE_BLOCK_CONDITION:
	case GTRACE_BLOCK_WAIT_GROUP:
		return by == BY_TIMER ? GTRACE_HOLD_SLEEP : ROW_UNASSIGNED;
	case GTRACE_BLOCK_LOCK:
		return by == BY_RUNTIME ? GTRACE_HOLD_LOCK : ROW_UNASSIGNED;
	case GTRACE_BLOCK_SEND:
		return by == BY_RUNTIME ? GTRACE_HOLD_SEND : ROW_UNASSIGNED;
	default:
		return ROW_UNASSIGNED;
	}
}

/* Whether the leaf PIECE is ready, and the one above waits for its lock. */
static bool is_holder(struct causes *causes, const struct chain_piece *piece)
{
	return piece->level != 0 &&
	       gti_chain_cause(&causes->chain, piece->level - 1).kind ==
		       GTRACE_BLOCK_LOCK;
}

static unsigned part_of(struct causes *causes, const struct chain_piece *piece)
{
	switch (piece->state) {
	case CHAIN_RUNS:
		return piece->level != 0 ? GTRACE_HOLD_RAN : ROW_UNASSIGNED;
	case CHAIN_IN_CALL:
		return causes_look(causes, piece->stack).in_c
			       ? GTRACE_HOLD_IN_C
			       : GTRACE_HOLD_CALL;
	case CHAIN_BLOCKED:
		return gti_causes_part_of_block(piece->kind, piece->by);
	case CHAIN_ASSISTS:
		return piece->level != 0 ? ROW_COLLECTOR : ROW_UNASSIGNED;
	case CHAIN_READY:
		return is_holder(causes, piece) ? GTRACE_HOLD_READY : ROW_LOAD;
	default:
		return ROW_UNASSIGNED;
	}
}

/* ------------------------------------------------------------------ name -- */

/* The stack that what is above PIECE names it by; or NO_STACK. */
static uint32_t name_by_cause(struct causes *causes,
			      const struct chain_piece *piece)
{
	struct chain_cause cause;

	if (piece->level == 0)
		return NO_STACK;
	cause = gti_chain_cause(&causes->chain, piece->level - 1);
	if (causes_look(causes, cause.ended).yours)
		return cause.ended;
	return causes_look(causes, cause.stack).yours ? cause.stack : NO_STACK;
}

/* The stack that names PIECE; NO_STACK: that of the place does. */
static uint32_t name_piece(struct causes *causes,
			   const struct chain_piece *piece)
{
	if (causes_look(causes, piece->stack).yours)
		return piece->stack;
	if (causes_look(causes, piece->creation).yours)
		return piece->creation;
	return name_by_cause(causes, piece);
}

/* ------------------------------------------------------------------- row -- */

/*
 * Adds PIECE, in which the leaf does PART, to what was done by the one that
 * held the lock which the goroutine of the walk waits for.
 */
static void add_hold(struct causes *causes, const struct chain_piece *piece,
		     uint32_t part)
{
	static const int64_t none = 0;
	const struct cause_hold hold = {
		.at = causes_spot(causes, causes->place.spot)->stack,
		.holder =
			gti_chain_cause(&causes->chain, piece->locks - 1).ended,
		.part = part,
		.inner = piece->stack,
	};
	uint32_t number = gti_texts_put(&causes->holds, &hold, sizeof(hold));
	int64_t *sum = NULL;

	if (number != NO_TEXT)
		sum = array_grown(&causes->hold_sums, number, &none,
				  sizeof(none), causes->memory);
	if (sum == NULL)
		causes->failed = true;
	else
		*sum = (int64_t)((uint64_t)*sum +
				 (uint64_t)piece->length * causes->every);
}

/* The spot of PIECE, plus one; 0: it does not wait. */
static uint32_t spot_of(struct causes *causes, const struct chain_piece *piece)
{
	if (piece->state == CHAIN_BLOCKED)
		return 1 + gti_causes_spot(causes, piece->root, piece->stack,
					   piece->kind);
	if (piece->state == CHAIN_IN_CALL)
		return 1 + gti_causes_spot(causes, piece->root, piece->stack,
					   GTRACE_BLOCK_SYSCALL);
	return 0;
}

/* The number of causes->place for PIECE, if it has kin. */
static uint32_t place_by_kin(struct causes *causes,
			     const struct chain_piece *piece)
{
	struct cause_place place = causes->place;
	uint32_t root = causes_spot(causes, place.spot)->root;

	place.kin = 1 + gti_causes_spot(causes, root, piece->kin_stack,
					piece->kin_kind);
	return gti_causes_place(causes, &place);
}

/* The number of causes->place for pieces without kin. */
static uint32_t place_alone(struct causes *causes)
{
	if (causes->place_number == 0)
		causes->place_number =
			gti_causes_place(causes, &causes->place) + 1;
	return causes->place_number - 1;
}

void gti_causes_take_piece(void *context, const struct chain_piece *piece)
{
	struct causes *causes = context;
	struct cause_row row = {
		.part = part_of(causes, piece),
		.stack = NO_STACK,
		.inner = NO_STACK,
		.level = piece->level != 0,
	};
	uint32_t place;

	if (causes->wants_holds && piece->locks != 0)
		add_hold(causes, piece, row.part);
	if (causes->only_holds)
		return;
	place = piece->kin ? place_by_kin(causes, piece) : place_alone(causes);
	if (row.part < GTRACE_HOLDS) {
		row.stack = name_piece(causes, piece);
		row.inner = piece->stack;
	}
	row.spot = spot_of(causes, piece);
	gti_causes_add(causes, place, &row, causes->every, piece->start,
		       piece->length, piece->g);
}
