/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_parts.h - what the files that collect evidence share. */
#ifndef GTRACE_ANALYSIS_EVIDENCE_PARTS_H_
#define GTRACE_ANALYSIS_EVIDENCE_PARTS_H_

#include "analysis/evidence.h"
#include "base/compiler.h"

/* A wait that overlaps so long a time without events is not a timer's. */
#define GAP_MIN (20 * EVIDENCE_MS)

/* Makes ARRAY, of structs of SIZE, have one in SLOT. NULL: no memory. */
void *gti_evidence_slot(struct evidence *evidence, struct array *array,
			uint32_t slot, size_t size);

/* The struct of SIZE in SLOT of ARRAY, which grows. NULL: no memory. */
static ALWAYS_INLINE void *evidence_slot(struct evidence *evidence,
					 struct array *array, uint32_t slot,
					 size_t size)
{
	return LIKELY(slot < array->count)
		       ? (char *)array->items + slot * size
		       : gti_evidence_slot(evidence, array, slot, size);
}

static inline struct lane *evidence_lane(struct evidence *evidence,
					 uint32_t slot)
{
	return evidence_slot(evidence, &evidence->lanes, slot,
			     sizeof(struct lane));
}

static inline struct waiting_goroutine *
evidence_goroutine(struct evidence *evidence, uint32_t slot)
{
	return evidence_slot(evidence, &evidence->goroutines, slot,
			     sizeof(struct waiting_goroutine));
}

static inline struct bare_lane *evidence_bare(struct evidence *evidence,
					      uint32_t slot)
{
	return evidence_slot(evidence, &evidence->bare, slot,
			     sizeof(struct bare_lane));
}

/* Whether LANE has a slice that is in silences. */
static inline bool lane_is_kept(const struct lane *lane)
{
	return lane->state == USE_KEPT || lane->state == USE_DEDICATED;
}

/* Counts what LANE does now. */
void gti_evidence_settle(struct evidence *evidence, struct lane *lane);

/* LANE has another goroutine, G, since NOW. */
void gti_evidence_change(struct lane *lane, uint32_t g, bool started,
			 int64_t now);

/* Whether the processor of BARE is known to be not held. */
void gti_evidence_be_idle(struct evidence *evidence, struct bare_lane *bare,
			  bool is_idle);

/* The processor of BARE, P, is given up at TIME. */
void gti_evidence_give_up(struct evidence *evidence, const struct feed *feed,
			  uint32_t p, struct bare_lane *bare, int64_t time);

/* The lane in SLOT takes the processor P. Returns it; NULL: no memory. */
struct bare_lane *gti_evidence_hold(struct evidence *evidence,
				    const struct feed *feed, uint32_t slot,
				    uint32_t p, int64_t time);

/* The goroutine of the lane in SLOT leaves it: it may have no goroutine now. */
void gti_evidence_leave(struct evidence *evidence, uint32_t slot, int64_t time);

/* The goroutine G is on the lane in SLOT; STARTED: since TIME. */
void gti_evidence_come(struct evidence *evidence, const struct feed *feed,
		       uint32_t slot, uint32_t g, bool started,
		       const struct transition *t);

/* The thread of the lane in SLOT does something without a goroutine. */
void gti_evidence_be_awake(struct evidence *evidence, const struct feed *feed,
			   uint32_t slot, int64_t time);

/* What STACK says, for this generation. NULL: STACK is 0, or no memory. */
const struct stack_evidence *gti_evidence_stack(struct evidence *evidence,
						uint64_t stack);

/* Appends the SIZE bytes at ITEM. */
void gti_evidence_add(struct evidence *evidence, struct array *array,
		      const void *item, size_t size);

/*
 * T, NULL: the end of the trace, is the first own event of LANE, in SLOT, since
 * silences. NAME is what a report calls the goroutine if T has no name.
 */
void gti_evidence_end_silences(struct evidence *evidence,
			       const struct feed *feed, uint32_t slot,
			       const struct lane *lane,
			       const struct transition *t, uint32_t name);

/* The goroutine of T is ready; WAS_MADE: by an event that makes it so. */
void gti_evidence_be_ready(struct evidence *evidence,
			   const struct transition *t, bool was_made);

/* The goroutine of T is in STATE, and does not become ready. */
void gti_evidence_be_in(struct evidence *evidence, const struct transition *t,
			enum goroutine_state state);

/* T is a sample of what is on the lane in SLOT; 0: not known. */
void gti_evidence_sample(struct evidence *evidence, const struct feed *feed,
			 uint32_t slot, const struct transition *t);

/* The goroutine in SLOT ends: if it has written a profile, that is over. */
void gti_evidence_end_profile(struct evidence *evidence, uint32_t slot);

/* Time goes on to NOW, in nanoseconds. */
void gti_evidence_run(struct evidence *evidence, int64_t now);

/* The same, without an event, of which a quota may be the reason. */
void gti_evidence_skip(struct evidence *evidence, int64_t now);

/* T is a silence. */
void gti_evidence_silence(struct evidence *evidence, const struct feed *feed,
			  const struct transition *t);

/* The id of the thread of the last sample, if it has a slice; or -1. */
int64_t gti_evidence_sampled(struct evidence *evidence,
			     const struct feed *feed);

/* A thread has the processor P, of BARE, without a goroutine from TIME on. */
void gti_evidence_bare_from(struct evidence *evidence, struct bare_lane *bare,
			    int64_t time);

/* Whether the processor of BARE is known to have no goroutine. */
static inline bool evidence_is_bare(const struct evidence *evidence,
				    const struct bare_lane *bare)
{
	return bare->epoch == evidence->epoch;
}

/* It has one, or that is not known. */
void gti_evidence_not_bare(struct evidence *evidence, struct bare_lane *bare);

/* If it has none, it had none until TIME. */
void gti_evidence_bare_to(struct evidence *evidence, const struct feed *feed,
			  uint32_t p, const struct bare_lane *bare,
			  int64_t time);

/* Whether samples prove something from one time to another. */
bool gti_evidence_in_profile(const struct evidence *evidence, int64_t from,
			     int64_t to);

/* Finds which silences are witnessed, of which `found.storm` is set. */
void gti_evidence_witness(struct evidence *evidence);

/* So many pairs of near samples show that a profile of the usual rate is made.
 */
#define PAIRS_MIN 3

#endif /* GTRACE_ANALYSIS_EVIDENCE_PARTS_H_ */
