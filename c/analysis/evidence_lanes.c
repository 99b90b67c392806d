/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_lanes.c - what is on threads and processors. */
#include "analysis/evidence_parts.h"
#include "base/array.h"

/* ----------------------------------------------------------------- lanes -- */

static enum lane_use state_of(struct evidence *evidence,
			      const struct lane *lane)
{
	const struct waiting_goroutine *g;

	if (lane->p == 0 || lane->g == 0)
		return USE_NONE;
	g = evidence_goroutine(evidence, lane->g);
	if (g == NULL)
		return USE_NONE;
	if (lane->in_call || g->state == GOROUTINE_IN_CALL)
		return USE_CALL;
	if (g->state != GOROUTINE_RUNS)
		return USE_NONE;
	if (!lane->started && evidence->by_thread)
		return USE_UNKNOWN;
	return lane->is_dedicated ? USE_DEDICATED : USE_KEPT;
}

void gti_evidence_settle(struct evidence *evidence, struct lane *lane)
{
	evidence->count[lane->state]--;
	lane->state = (uint8_t)state_of(evidence, lane);
	evidence->count[lane->state]++;
}

void gti_evidence_change(struct lane *lane, uint32_t g, bool started,
			 int64_t now)
{
	lane->g = g;
	lane->started = started;
	lane->is_dedicated = false;
	lane->in_call = false;
	lane->start = now;
}

/* ------------------------------------------------------------ processors -- */

void gti_evidence_be_idle(struct evidence *evidence, struct bare_lane *bare,
			  bool is_idle)
{
	if (is_idle && !bare->is_idle)
		evidence->idle++;
	else if (!is_idle && bare->is_idle)
		evidence->idle--;
	bare->is_idle = is_idle;
}

void gti_evidence_give_up(struct evidence *evidence, const struct feed *feed,
			  uint32_t p, struct bare_lane *bare, int64_t time)
{
	struct lane *lane = evidence_lane(evidence, bare->lane);

	if (lane == NULL || bare->lane == 0)
		return;
	gti_evidence_bare_to(evidence, feed, p, bare, time);
	gti_evidence_not_bare(evidence, bare);
	evidence->held--;
	bare->lane = 0;
	gti_evidence_be_idle(evidence, bare, true);
	if (lane->p != p)
		return;
	lane->p = 0;
	lane->seen = (uint32_t)evidence->silences.count;
	gti_evidence_settle(evidence, lane);
}

struct bare_lane *gti_evidence_hold(struct evidence *evidence,
				    const struct feed *feed, uint32_t slot,
				    uint32_t p, int64_t time)
{
	struct lane *lane = evidence_lane(evidence, slot);
	struct bare_lane *bare = evidence_bare(evidence, p);

	if (lane == NULL || bare == NULL || slot == 0 || p == 0)
		return NULL;
	if (bare->lane == slot && lane->p == p)
		return bare;
	if (bare->lane != 0)
		gti_evidence_give_up(evidence, feed, p, bare, time);
	if (lane->p != 0 && lane->p != p)
		gti_evidence_give_up(evidence, feed, lane->p,
				     evidence_bare(evidence, lane->p), time);
	lane = evidence_lane(evidence, slot);
	lane->p = p;
	bare->lane = slot;
	gti_evidence_be_idle(evidence, bare, false);
	evidence->held++;
	evidence->procs_seen += !bare->was_held;
	bare->was_held = true;
	return bare;
}

void gti_evidence_leave(struct evidence *evidence, uint32_t slot, int64_t time)
{
	struct lane *lane = evidence_lane(evidence, slot);
	struct bare_lane *bare;

	if (lane == NULL || lane->g == 0)
		return;
	gti_evidence_change(lane, 0, false, 0);
	if (lane->p == 0)
		return;
	bare = evidence_bare(evidence, lane->p);
	if (bare != NULL)
		gti_evidence_bare_from(evidence, bare, time);
}

void gti_evidence_come(struct evidence *evidence, const struct feed *feed,
		       uint32_t slot, uint32_t g, bool started,
		       const struct transition *t)
{
	int64_t time = clock_ns(evidence->clock, t->now);
	struct lane *lane = evidence_lane(evidence, slot);
	struct bare_lane *bare;

	if (lane == NULL || slot == 0)
		return;
	if (!started && lane->g == g)
		return;
	gti_evidence_change(lane, g, started, time);
	if (lane->p == 0)
		return;
	bare = evidence_bare(evidence, lane->p);
	if (bare == NULL)
		return;
	if (started)
		gti_evidence_bare_to(evidence, feed, lane->p, bare, time);
	gti_evidence_not_bare(evidence, bare);
}

void gti_evidence_be_awake(struct evidence *evidence, const struct feed *feed,
			   uint32_t slot, int64_t time)
{
	const struct lane *lane = evidence_lane(evidence, slot);
	struct bare_lane *bare;

	if (lane == NULL || lane->g != 0 || lane->p == 0)
		return;
	bare = evidence_bare(evidence, lane->p);
	if (bare == NULL || !evidence_is_bare(evidence, bare))
		return;
	gti_evidence_bare_to(evidence, feed, lane->p, bare, time);
	gti_evidence_bare_from(evidence, bare, time);
}
