/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_goroutines.c - states of goroutines, timers that end their blocks,
 * and CPU samples. */
#include "analysis/evidence_parts.h"
#include "base/array.h"
#include "base/times.h"

/* A timer that is late is ready so soon after a silence. */
#define TIMER_AFTER (5 * EVIDENCE_MS)

/* Samples of a thread that are no further apart are of the usual rate. */
#define SAMPLES_NEAR (15 * EVIDENCE_MS)

/* If there is none for so long, no profile is made. */
#define SAMPLES_APART (1000 * EVIDENCE_MS)

/* ------------------------------------------------------------ goroutines -- */

static void set_state(struct evidence *evidence, struct waiting_goroutine *g,
		      enum goroutine_state state, bool was_made)
{
	if (g->state == GOROUTINE_READY)
		evidence->ready--;
	if (state == GOROUTINE_READY)
		evidence->ready++;
	if (g->was_made)
		evidence->made_ready--;
	if (was_made)
		evidence->made_ready++;
	g->state = (uint8_t)state;
	g->was_made = was_made;
}

/* Whether a timer can end the block that T begins. */
static bool is_timed(struct evidence *evidence, const struct transition *t)
{
	uint64_t reason = evidence->by_thread ? t->arg : t->type;
	uint8_t *known = &evidence->timed[reason % EVIDENCE_REASONS];

	if (reason >= EVIDENCE_REASONS)
		return evidence->names->is_timed(evidence->context, t);
	if (*known == 0)
		*known =
			evidence->names->is_timed(evidence->context, t) ? 2 : 1;
	return *known == 2;
}

/* G blocks by T. */
static void begin_block(struct evidence *evidence, struct waiting_goroutine *g,
			const struct transition *t)
{
	const struct stack_evidence *stack = NULL;

	g->is_timed = is_timed(evidence, t);
	if (!g->is_timed)
		return;
	g->since = clock_ns(evidence->clock, t->now);
	stack = gti_evidence_stack(evidence, t->stack);
	g->profiles |= stack != NULL && stack->profiles;
	g->place = stack != NULL ? stack->place : NO_TEXT;
	g->is_timed = g->place != NO_TEXT;
}

/* Something without a goroutine, such as a timer, makes G ready at NOW. */
static void end_timed(struct evidence *evidence,
		      const struct waiting_goroutine *g, int64_t now)
{
	const struct timed_wait wait = {length_between(g->since, now),
					g->place};
	const struct late_timer late = {g->place, g->since};
	struct silence *last;

	if (evidence->gap_end <= g->since)
		gti_evidence_add(evidence, &evidence->waits, &wait,
				 sizeof(wait));
	if (evidence->silences.count == 0)
		return;
	last = evidence_silence_at(evidence, evidence->silences.count - 1);
	if (g->since >= last->to || now - last->to > TIMER_AFTER)
		return;
	gti_evidence_add(evidence, &evidence->late, &late, sizeof(late));
	last->late = (uint32_t)evidence->late.count;
}

void gti_evidence_be_ready(struct evidence *evidence,
			   const struct transition *t, bool was_made)
{
	struct waiting_goroutine *g = evidence_goroutine(evidence, t->g);

	if (g == NULL || t->g == 0)
		return;
	if (g->is_timed && t->kind == TRANSITION_READY && t->by == 0)
		end_timed(evidence, g, clock_ns(evidence->clock, t->now));
	g->is_timed = false;
	set_state(evidence, g, GOROUTINE_READY, was_made);
}

void gti_evidence_be_in(struct evidence *evidence, const struct transition *t,
			enum goroutine_state state)
{
	struct waiting_goroutine *g = evidence_goroutine(evidence, t->g);

	if (g == NULL || t->g == 0)
		return;
	set_state(evidence, g, state, false);
	g->is_timed = false;
	if (state == GOROUTINE_BLOCKED && t->kind == TRANSITION_BLOCK)
		begin_block(evidence, g, t);
	if (state == GOROUTINE_ABSENT)
		*g = (struct waiting_goroutine){.state = GOROUTINE_ABSENT};
}

/* --------------------------------------------------------------- samples -- */

/*
 * The run to which a sample at NOW belongs. NULL: there is no memory. A profile
 * that follows another one can have another rate, and between them threads have
 * no samples: what writes a profile ends before the next one can begin.
 */
static struct sample_run *run_at(struct evidence *evidence, int64_t now)
{
	const struct sample_run run = {now, now, 0};
	struct sample_run *last = evidence->runs.items;

	if (evidence->runs.count != 0 && !evidence->profile_ends) {
		last += evidence->runs.count - 1;
		if (now - last->to <= SAMPLES_APART) {
			last->to = now;
			return last;
		}
	}
	evidence->profile_ends = false;
	gti_evidence_add(evidence, &evidence->runs, &run, sizeof(run));
	last = evidence->runs.items;
	return evidence->failed ? NULL : &last[evidence->runs.count - 1];
}

void gti_evidence_end_profile(struct evidence *evidence, uint32_t slot)
{
	const struct waiting_goroutine *g = evidence_goroutine(evidence, slot);
	const struct stack_evidence *stack = NULL;

	if (g == NULL)
		return;
	if (g->stack != 0 && g->stacks == evidence->generation)
		stack = gti_evidence_stack(evidence, g->stack);
	evidence->profile_ends |=
		g->profiles || (stack != NULL && stack->profiles);
}

/* A thread has a sample, T, when it leaves the kernel, however long it computed
 * there: since its last event, or sample, of LANE. */
static void leave_kernel(struct evidence *evidence, const struct lane *lane,
			 const struct transition *t)
{
	const struct kernel_stay stay = {lane->heard,
					 (uint32_t)evidence->silences.count};
	const struct stack_evidence *stack;

	if (stay.first == stay.end)
		return;
	stack = gti_evidence_stack(evidence, t->stack);
	if (stack != NULL && stack->in_kernel)
		gti_evidence_add(evidence, &evidence->stays, &stay,
				 sizeof(stay));
}

void gti_evidence_sample(struct evidence *evidence, const struct feed *feed,
			 uint32_t slot, const struct transition *t)
{
	int64_t now = clock_ns(evidence->clock, t->now);
	struct lane *lane = evidence_lane(evidence, slot);
	struct sample_run *run = NULL;
	struct silence *last;

	if (lane == NULL)
		return;
	if (evidence->by_thread)
		run = run_at(evidence, now);
	evidence->sampled = slot;
	evidence->sampled_at = now;
	if (slot == 0)
		return;
	leave_kernel(evidence, lane, t);
	lane->heard = (uint32_t)evidence->silences.count;
	if (run != NULL && lane->samples != 0 && lane->sampled >= run->from &&
	    now - lane->sampled <= SAMPLES_NEAR)
		run->pairs++;
	lane->sampled = now;
	lane->samples++;
	if (evidence->silences.count == 0)
		return;
	last = evidence_silence_at(evidence, evidence->silences.count - 1);
	if (last->to == now)
		last->sampled[1] = gti_evidence_sampled(evidence, feed);
}
