/* SPDX-License-Identifier: BSD-3-Clause */
/* judged_loops.c - of which kinds goroutines are, and where these loop. */
#include "analysis/causes_parts.h"
#include "analysis/judged.h"

#include <string.h>

#include "base/array.h"

/* ----------------------------------------------------------------- kinds -- */

/* How many functions from the first one of SPOT on are wrappers. */
static unsigned count_wrappers(const struct causes *causes, uint32_t spot)
{
	const struct cause_waits *waits = causes_spot_waits(causes, spot);
	const struct cause_wrapper *wrapper;
	unsigned count;

	for (count = 0; count < CAUSE_WRAPPERS && waits->wrappers[count] != 0;
	     count++) {
		wrapper = causes_wrapper(causes, waits->wrappers[count] - 1);
		if (!wrapper->differs || wrapper->mixed)
			break;
	}
	return count;
}

/* Of what kind the goroutines at SPOT are. */
static struct judged_spot find_kind(struct judged *judged, uint32_t spot)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *at = causes_spot(causes, spot);
	struct cause_stack look = causes_look(causes, at->stack);
	unsigned wrappers = count_wrappers(causes, spot);
	uint32_t way[1 + CAUSE_WRAPPERS] = {at->root};
	struct judged_spot found;

	memcpy(way + 1, look.next, wrappers * sizeof(*way));
	found.kind = gti_texts_put(&judged->kinds, way, sizeof(way));
	found.depth = look.depth > wrappers ? look.depth - wrappers : 0;
	judged->failed |= found.kind == NO_TEXT;
	return found;
}

static void find_kinds(struct judged *judged)
{
	size_t count = texts_count(&judged->causes->spots);
	struct judged_spot found;
	uint32_t i;

	for (i = 0; i < count && !judged->failed; i++) {
		found = find_kind(judged, i);
		if (array_add(&judged->spots, &found, sizeof(found),
			      judged->causes->memory) == NULL)
			judged->failed = true;
	}
}

/* ----------------------------------------------------------------- loops -- */

/* Of two places with equally many calls, that of the lower kind is the loop. */
static unsigned order_of(unsigned kind)
{
	switch (kind) {
	case GTRACE_BLOCK_NETWORK:
		return 0;
	case GTRACE_BLOCK_SYSCALL:
		return 1;
	case GTRACE_BLOCK_SLEEP:
		return 3;
	default:
		return 2;
	}
}

static uint32_t *loop_at(struct judged *judged, uint32_t kind)
{
	static const uint32_t none = 0;
	uint32_t *loop = array_grown(&judged->loops, kind, &none, sizeof(none),
				     judged->causes->memory);

	judged->failed |= loop == NULL;
	return loop;
}

/* Whether the spot A is the loop rather than B. */
static bool comes_before(const struct judged *judged, uint32_t a, uint32_t b)
{
	const struct cause_spot *x = causes_spot(judged->causes, a);
	const struct cause_spot *y = causes_spot(judged->causes, b);
	unsigned x_depth = judged_spot(judged, a).depth;
	unsigned y_depth = judged_spot(judged, b).depth;

	if (x_depth != y_depth)
		return x_depth < y_depth;
	if (order_of(x->kind) != order_of(y->kind))
		return order_of(x->kind) < order_of(y->kind);
	return a < b; /* a goroutine waited there first */
}

static void find_loops(struct judged *judged)
{
	uint32_t count = (uint32_t)judged->spots.count, i, *loop;

	for (i = 0; i < count; i++) {
		if (!causes_waits(judged->causes, i)->loops)
			continue;
		loop = loop_at(judged, judged_spot(judged, i).kind);
		if (loop == NULL)
			return;
		if (*loop == 0 || comes_before(judged, i, *loop - 1))
			*loop = i + 1;
	}
}

uint32_t gti_judged_loop_of(const struct judged *judged, uint32_t spot)
{
	const uint32_t *loops = judged->loops.items;
	uint32_t kind = judged_spot(judged, spot).kind;

	return kind < judged->loops.count ? loops[kind] : 0;
}

bool gti_judged_is_loop(const struct judged *judged, uint32_t number,
			bool by_timer)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *spot = causes_spot(causes, number), *at;
	uint32_t loop = gti_judged_loop_of(judged, number);
	uint32_t depth = judged_spot(judged, number).depth, least;

	if (loop == 0)
		return depth == 0 && gti_causes_waits(causes, spot);
	at = causes_spot(causes, loop - 1);
	least = judged_spot(judged, loop - 1).depth;
	if (depth < least && gti_causes_waits(causes, spot))
		return true;
	if (causes_look(causes, at->stack).own !=
	    causes_look(causes, spot->stack).own)
		return false;
	if (spot->kind == GTRACE_BLOCK_SLEEP || by_timer)
		return true; /* it paces itself */
	return depth == least && spot->kind == at->kind;
}

void gti_judge_loops(struct judged *judged)
{
	find_kinds(judged);
	if (!judged->failed)
		find_loops(judged);
}
