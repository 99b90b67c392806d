/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence_silences.c - silences with their slices, and bare stretches. */
#include "analysis/evidence_parts.h"
#include "base/array.h"
#include "base/times.h"

void *gti_evidence_slot(struct evidence *evidence, struct array *array,
			uint32_t slot, size_t size)
{
	static const uint64_t zero[16];
	void *item = array_grown(array, slot, zero, size, evidence->memory);

	evidence->failed |= item == NULL;
	return item;
}

void gti_evidence_add(struct evidence *evidence, struct array *array,
		      const void *item, size_t size)
{
	if (array->count == UINT32_MAX - 1 ||
	    array_add(array, item, size, evidence->memory) == NULL)
		evidence->failed = true;
}

const struct stack_evidence *gti_evidence_stack(struct evidence *evidence,
						uint64_t stack)
{
	const struct stack_evidence *described;
	uint64_t *number;

	if (stack == 0)
		return NULL;
	number = gti_map_put(&evidence->stacks, stack, evidence->memory);
	if (number != NULL && *number == 0) {
		struct stack_evidence facts = {
			.function = NO_TEXT,
			.name = NO_TEXT,
			.own = NO_TEXT,
			.root = NO_TEXT,
			.place = NO_TEXT,
		};

		if (!evidence->names->describe(evidence->context, stack,
					       &facts))
			evidence->failed = true;
		gti_evidence_add(evidence, &evidence->described, &facts,
				 sizeof(facts));
		*number = evidence->described.count;
	}
	if (number == NULL || evidence->failed) {
		evidence->failed = true;
		return NULL;
	}
	described = evidence->described.items;
	return &described[*number - 1];
}

/* ------------------------------------------------------------------ bare -- */

void gti_evidence_bare_from(struct evidence *evidence, struct bare_lane *bare,
			    int64_t time)
{
	const struct lane *lane = evidence_lane(evidence, bare->lane);

	evidence->bare_count += !evidence_is_bare(evidence, bare);
	bare->epoch = evidence->epoch;
	bare->since = time;
	bare->samples = lane != NULL ? lane->samples : 0;
}

void gti_evidence_not_bare(struct evidence *evidence, struct bare_lane *bare)
{
	evidence->bare_count -= evidence_is_bare(evidence, bare);
	bare->epoch = 0;
}

void gti_evidence_bare_to(struct evidence *evidence, const struct feed *feed,
			  uint32_t p, const struct bare_lane *bare,
			  int64_t time)
{
	struct bare_stretch stretch = {
		.from = bare->since,
		.to = time,
		.p = (int64_t)actors_number(&feed->processors, p),
	};
	struct kept_stretch kept = {
		.at = (uint32_t)evidence->stretches.count,
		.name = NO_TEXT,
		.p = stretch.p,
	};
	const struct lane *lane;

	if (!evidence_is_bare(evidence, bare) ||
	    length_between(bare->since, time) <= BARE_MIN)
		return;
	lane = evidence_lane(evidence, bare->lane);
	if (lane != NULL)
		stretch.samples = lane->samples - bare->samples;
	quota_lose(&evidence->quota, length_between(bare->since, time));
	if (evidence->kept_count < STRETCHES_MAX)
		evidence->kept[evidence->kept_count++] = kept;
	gti_evidence_add(evidence, &evidence->stretches, &stretch,
			 sizeof(stretch));
}

/* -------------------------------------------------------------- silences -- */

static int64_t length_of(const struct evidence *evidence, uint32_t number)
{
	const struct silence *silence = evidence_silence_at(evidence, number);

	return length_between(silence->from, silence->to);
}

/*
 * The longest silence from FIRST up to the last one: evidence->longest has
 * those after which no longer one came.
 */
static uint32_t longest_from(const struct evidence *evidence, uint32_t first)
{
	const uint32_t *longest = evidence->longest.items;
	size_t low = 0, high = evidence->longest.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (longest[middle] < first)
			low = middle + 1;
		else
			high = middle;
	}
	return low < evidence->longest.count ? longest[low] : first;
}

static void add_longest(struct evidence *evidence, uint32_t number)
{
	struct array *longest = &evidence->longest;
	const uint32_t *items = longest->items;
	int64_t length = length_of(evidence, number);

	while (longest->count != 0 &&
	       length_of(evidence, items[longest->count - 1]) <= length)
		longest->count--;
	gti_evidence_add(evidence, longest, &number, sizeof(number));
}

/* The kept rows of the lane in SLOT since the silence FIRST get NAME. */
static void name_kept(struct evidence *evidence, uint32_t slot, uint32_t first,
		      uint32_t name)
{
	size_t i = evidence->kept_count;

	while (i-- > 0) {
		struct kept_stretch *kept = &evidence->kept[i];

		if (kept->lane != 0 && kept->at < first)
			return;
		if (kept->lane == slot)
			kept->name = name;
	}
}

void gti_evidence_end_silences(struct evidence *evidence,
			       const struct feed *feed, uint32_t slot,
			       const struct lane *lane,
			       const struct transition *t, uint32_t name)
{
	const struct stack_evidence *stack = NULL;
	struct silent_slice slice = {
		.first = lane->seen,
		.end = (uint32_t)evidence->silences.count,
		.name = name,
		.function = NO_TEXT,
		.g = actors_number(&feed->goroutines, lane->g),
		.longest = longest_from(evidence, lane->seen),
	};

	if (t != NULL)
		stack = gti_evidence_stack(evidence, t->stack);
	if (stack != NULL && stack->name != NO_TEXT)
		slice.name = stack->name;
	if (stack != NULL)
		slice.function = stack->function;
	slice.asynchronous = stack != NULL && stack->asynchronous &&
			     t->kind == TRANSITION_PREEMPT;
	name_kept(evidence, slot, slice.first, slice.name);
	gti_evidence_add(evidence, &evidence->slices, &slice, sizeof(slice));
}

/* Keeps rows for the slices of the silence NUMBER, up to STRETCHES_MAX. */
static void keep_slices(struct evidence *evidence, const struct feed *feed,
			uint32_t number)
{
	const struct lane *lanes = evidence->lanes.items;
	uint32_t slot;

	for (slot = 1; slot < evidence->lanes.count &&
		       evidence->kept_count < STRETCHES_MAX;
	     slot++) {
		const struct lane *lane = &lanes[slot];

		if (!lane_is_kept(lane))
			continue;
		evidence->kept[evidence->kept_count++] = (struct kept_stretch){
			.at = number,
			.lane = slot,
			.name = NO_TEXT,
			.p = (int64_t)actors_number(&feed->processors, lane->p),
			.m = evidence->by_thread ? (int64_t)actors_number(
							   &feed->threads, slot)
						 : -1,
			.g = actors_number(&feed->goroutines, lane->g),
		};
	}
}

int64_t gti_evidence_sampled(struct evidence *evidence, const struct feed *feed)
{
	const struct lane *lane = evidence_lane(evidence, evidence->sampled);

	if (lane == NULL || evidence->sampled == 0 || !evidence->by_thread ||
	    (lane->state != USE_KEPT && lane->state != USE_DEDICATED))
		return -1;
	return (int64_t)actors_number(&feed->threads, evidence->sampled);
}

static void add_silence(struct evidence *evidence, const struct feed *feed,
			int64_t from, int64_t to, uint32_t slices)
{
	struct silence silence = {
		.from = from,
		.to = to,
		.slices = slices,
		.held = evidence->held,
		.procs = evidence->procs,
		.ready = evidence->ready,
		.late = (uint32_t)evidence->late.count,
		.in_calls = evidence->count[USE_CALL],
		.sampled = {evidence->sampled_at == from
				    ? gti_evidence_sampled(evidence, feed)
				    : -1,
			    -1},
		.starts_late = evidence->made_ready != 0,
		.is_bare = evidence->bare_count != 0,
		/* Up to Go 1.21 only those that were held once have events. */
		.is_idle = !evidence->by_thread || evidence->idle != 0,
	};

	gti_evidence_add(evidence, &evidence->silences, &silence,
			 sizeof(silence));
	if (evidence->failed)
		return;
	add_longest(evidence, (uint32_t)evidence->silences.count - 1);
	keep_slices(evidence, feed, (uint32_t)evidence->silences.count - 1);
}

void gti_evidence_silence(struct evidence *evidence, const struct feed *feed,
			  const struct transition *t)
{
	int64_t from = clock_ns(evidence->clock, t->now);
	int64_t to = clock_ns(evidence->clock, (int64_t)t->arg);
	bool goes_on = (t->flags & TRANSITION_GOES_ON) != 0;
	uint32_t preempted = evidence->count[USE_KEPT];
	uint32_t kept = preempted + evidence->count[USE_DEDICATED];
	uint32_t calls =
		evidence->count[USE_CALL] + evidence->count[USE_UNKNOWN];

	/* Before the first transition no time is the program's. */
	if (!evidence->begun)
		return;
	gti_evidence_run(evidence, from);
	/* In a stop-the-world pause one thread runs, and is not preempted. */
	if (evidence->is_stopped || kept + calls == 0)
		return;
	/* Nothing says so; or a stop that no event begins may be open. */
	if (preempted == 0 ||
	    (evidence->infers && preempted < 2 && (!goes_on || kept != 1)))
		kept = 0;
	if (length_between(from, to) <= SILENCE_MIN)
		kept = 0;
	if (kept != 0)
		add_silence(evidence, feed, from, to, kept);
	gti_quota_silence(&evidence->quota, from, to, kept == 0);
	gti_evidence_skip(evidence, to);
}
