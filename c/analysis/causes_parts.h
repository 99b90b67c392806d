/* SPDX-License-Identifier: BSD-3-Clause */
/* causes_parts.h - what the files of causes.h share. */
#ifndef GTRACE_ANALYSIS_CAUSES_PARTS_H_
#define GTRACE_ANALYSIS_CAUSES_PARTS_H_

#include "analysis/causes.h"

/* Whether what a goroutine of the kind ROOT does at STACK counts. */
bool gti_causes_count(struct causes *causes, uint32_t root, uint32_t stack);

/* The number of a spot. NO_TEXT: there is no memory, see causes->failed. */
uint32_t gti_causes_spot(struct causes *causes, uint32_t root, uint32_t stack,
			 unsigned kind);

/* The number of PLACE. NO_TEXT: as for a spot. */
uint32_t gti_causes_place(struct causes *causes,
			  const struct cause_place *place);

/*
 * Adds LENGTH from START on, in which ROW is what the leaf of goroutine G does
 * at PLACE, a number, so many TIMES.
 */
void gti_causes_add(struct causes *causes, uint32_t place,
		    const struct cause_row *row, uint64_t times, int64_t start,
		    int64_t length, uint64_t g);

/* Counts LENGTH from START on, of goroutine G, so many TIMES in TOTAL. */
void gti_causes_count_in(struct cause_total *total, uint64_t times,
			 int64_t start, int64_t length, uint64_t g);

/*
 * What a leaf does that is blocked, for KIND and by whom it ends: the `part` of
 * a row.
 */
unsigned gti_causes_part_of_block(unsigned kind, unsigned by);

/* Adds PIECE of the walk over the block at causes->place. */
void gti_causes_take_piece(void *context, const struct chain_piece *piece);

/* What is known of the spot NUMBER alone. */
static inline const struct cause_waits *
causes_spot_waits(const struct causes *causes, uint32_t number)
{
	return (const struct cause_waits *)causes->waits.items + number;
}

/* The first spot of the ground of SPOT, both numbers. */
static inline uint32_t causes_first(const struct causes *causes, uint32_t spot)
{
	return causes_spot_waits(causes, spot)->first;
}

static inline struct cause_wrapper *causes_wrapper(const struct causes *causes,
						   uint32_t number)
{
	return (struct cause_wrapper *)causes->wrappers.items + number;
}

/* What is remembered of the goroutine G in SLOT. NULL: there is no memory. */
struct cause_visits *gti_causes_visits(struct causes *causes, uint32_t slot,
				       uint64_t g);

/* In which state a goroutine was, since when, by the event of which site. */
struct cause_before {
	enum chain_state state;
	int64_t since; /* nanoseconds */
	uint32_t site;
};

/* Whether a goroutine of the slot NUMBER was woken by a broadcast. */
static inline bool causes_is_woken(const struct causes *causes, uint32_t number)
{
	const struct cause_visits *visits = causes->visits.items;

	return number <= causes->visits.count && visits[number - 1].woken != 0;
}

/*
 * The goroutine in the slot NUMBER was BEFORE, and is AFTER the transition. To
 * be called if it was blocked, or causes_is_woken().
 */
void gti_causes_woken(struct causes *causes, uint32_t number,
		      const struct cause_before *before,
		      const struct chain_slot *after);

/*
 * The goroutine G in SLOT has waited at the spot NUMBER. Waits of more calls
 * than this one are inside of what it loops around.
 */
void gti_causes_visit(struct causes *causes, uint32_t slot, uint64_t g,
		      uint32_t number);

/* What is known of the ground of SPOT, a number. */
static inline struct cause_waits *causes_waits(const struct causes *causes,
					       uint32_t spot)
{
	return (struct cause_waits *)causes->waits.items +
	       causes_first(causes, spot);
}

#endif /* GTRACE_ANALYSIS_CAUSES_PARTS_H_ */
