/* SPDX-License-Identifier: BSD-3-Clause */
/* judged.c - who was at rest, and what the others could not go on for. */
#include "analysis/judged.h"

#include <string.h>

#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"

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

static uint32_t *loop_at(struct judged *judged, uint32_t root)
{
	static const uint32_t none = 0;

	if (!array_fill(&judged->loops, (size_t)root + 1, &none, sizeof(none),
			judged->causes->memory)) {
		judged->failed = true;
		return NULL;
	}
	return (uint32_t *)judged->loops.items + root;
}

/* Whether the spot A is the loop rather than B. */
static bool comes_before(struct causes *causes, uint32_t a, uint32_t b)
{
	const struct cause_spot *x = causes_spot(causes, a);
	const struct cause_spot *y = causes_spot(causes, b);
	unsigned x_depth = causes_look(causes, x->stack).depth;
	unsigned y_depth = causes_look(causes, y->stack).depth;

	if (x_depth != y_depth)
		return x_depth < y_depth;
	if (order_of(x->kind) != order_of(y->kind))
		return order_of(x->kind) < order_of(y->kind);
	return a < b; /* it came first */
}

static void find_loops(struct judged *judged)
{
	struct causes *causes = judged->causes;
	const struct cause_waits *waits = causes->waits.items;
	uint32_t i, *loop;

	for (i = 0; i < causes->waits.count; i++) {
		const struct cause_spot *spot = causes_spot(causes, i);

		if (!waits[i].loops)
			continue;
		loop = loop_at(judged, spot->root);
		if (loop == NULL)
			return;
		if (*loop == 0 || comes_before(causes, i, *loop - 1))
			*loop = i + 1;
	}
}

/* The place of the loop of the kind ROOT. NULL: there is none. */
static const struct cause_spot *loop_of(const struct judged *judged,
					uint32_t root)
{
	const uint32_t *loops = judged->loops.items;

	return root < judged->loops.count && loops[root] != 0
		       ? causes_spot(judged->causes, loops[root] - 1)
		       : NULL;
}

/* Whether SPOT is where its kind loops; BY_TIMER: a timer ended the wait. */
static bool is_loop(const struct judged *judged, const struct cause_spot *spot,
		    bool by_timer)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *loop = loop_of(judged, spot->root);
	struct cause_stack at = causes_look(causes, spot->stack), of;

	if (loop == NULL)
		return at.depth == 0 && gti_causes_waits(causes, spot);
	of = causes_look(causes, loop->stack);
	if (at.depth < of.depth && gti_causes_waits(causes, spot))
		return true;
	if (at.own != of.own)
		return false;
	if (spot->kind == GTRACE_BLOCK_SLEEP || by_timer)
		return true; /* it paces itself */
	return at.depth == of.depth && spot->kind == loop->kind;
}

/* ------------------------------------------------------------------ rest -- */

static bool is_long(const struct judged *judged,
		    const struct cause_place *place)
{
	const struct cause_long *longs = judged->causes->longs.items;

	return place->longest != 0 &&
	       longs[place->longest - 1].length > judged->length / 2;
}

/*
 * Whether the receiver of a channel waits for its own input. One that sleeps in
 * its loop is slow.
 */
static bool waits_for_input(const struct judged *judged,
			    const struct cause_row *row)
{
	const struct cause_spot *spot;

	if (row->spot == 0 || row->level == 0)
		return false;
	spot = causes_spot(judged->causes, row->spot - 1);
	return spot->kind != GTRACE_BLOCK_SLEEP && is_loop(judged, spot, false);
}

/* Whether goroutines at PLACE, the leaf of whose chain is ROW, are at rest. */
static bool rests(const struct judged *judged, const struct cause_place *place,
		  const struct cause_row *row)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *spot = causes_spot(causes, place->spot);
	bool waits = gti_causes_waits(causes, spot);

	if (spot->kind != GTRACE_BLOCK_LOCK && is_long(judged, place))
		return true;
	if (waits && !causes_look(causes, spot->stack).yours)
		return true;
	if ((place->flags & PLACE_ALONE) != 0 &&
	    spot->kind != GTRACE_BLOCK_LOCK &&
	    spot->kind != GTRACE_BLOCK_NETWORK &&
	    spot->kind != GTRACE_BLOCK_SLEEP)
		return true;
	if (spot->kind == GTRACE_BLOCK_SEND && waits_for_input(judged, row))
		return true;
	if (!waits)
		return false;
	if ((place->flags & PLACE_CREATOR) != 0 &&
	    spot->kind != GTRACE_BLOCK_NETWORK &&
	    loop_of(judged, spot->root) == NULL)
		return true;
	return (place->flags & PLACE_KIN) == 0 &&
	       is_loop(judged, spot, (place->flags & PLACE_TIMER) != 0);
}

/* ------------------------------------------------------------- functions -- */

/* The function with the number OWN. NULL: there is no memory. */
static struct judged_function *find_function(struct judged *judged,
					     uint32_t own)
{
	const struct judged_function function = {
		.own = own,
		.worst = -1,
		.most = -1,
		.stack = NO_STACK,
	};
	const struct gtrace_allocator *memory = judged->causes->memory;
	uint64_t *number = gti_map_put(&judged->by_own, own, memory);

	if (number == NULL ||
	    (*number == 0 && array_add(&judged->functions, &function,
				       sizeof(function), memory) == NULL)) {
		judged->failed = true;
		return NULL;
	}
	if (*number == 0)
		*number = judged->functions.count;
	return (struct judged_function *)judged->functions.items +
	       (*number - 1);
}

/* What FUNCTION, or NO_STACK, has of those that waited at SPOT. */
static void add_loss(struct judged *judged, uint32_t function,
		     const struct cause_spot *spot,
		     const struct cause_total *sum)
{
	const struct gtrace_allocator *memory = judged->causes->memory;
	struct cause_stack look = causes_look(judged->causes, spot->stack);
	const struct judged_victim victim = {look.own, spot->kind};
	struct judged_loss loss = {.function = function, .most = -1}, *to;
	uint64_t *number;

	loss.victim = gti_texts_put(&judged->victims, &victim, sizeof(victim));
	number = gti_map_put(&judged->by_loss,
			     (uint64_t)function << 32 | loss.victim, memory);
	if (loss.victim == NO_TEXT || number == NULL ||
	    (*number == 0 &&
	     array_add(&judged->losses, &loss, sizeof(loss), memory) == NULL)) {
		judged->failed = true;
		return;
	}
	if (*number == 0)
		*number = judged->losses.count;
	to = (struct judged_loss *)judged->losses.items + (*number - 1);
	to->count += sum->count;
	to->sum = add_ns(to->sum, sum->sum);
	if (sum->sum <= to->most)
		return;
	to->most = sum->sum;
	to->stack = spot->stack;
}

/* SUM of ROW, of goroutines at SPOT, is of the function of STACK. */
static void add_to_function(struct judged *judged, uint32_t stack,
			    const struct cause_spot *spot,
			    const struct cause_row *row,
			    const struct cause_total *sum)
{
	uint32_t own = causes_look(judged->causes, stack).own;
	struct judged_function *function = find_function(judged, own);
	struct judged_part *part;

	if (function == NULL)
		return;
	part = &function->parts[row->part];
	part->sum = add_ns(part->sum, sum->sum);
	if (sum->sum > part->most) {
		part->most = sum->sum;
		part->stack = row->inner;
	}
	*(row->level == 0 ? &function->itself : &function->others) += sum->sum;
	function->count += sum->count;
	if (sum->worst > function->worst) {
		function->worst = sum->worst;
		function->worst_start = sum->worst_start;
		function->worst_g = sum->worst_g;
	}
	if (sum->sum > function->most) {
		function->most = sum->sum;
		function->stack = stack;
	}
	if (row->level != 0)
		add_loss(judged,
			 (uint32_t)(function - (struct judged_function *)
						       judged->functions.items),
			 spot, sum);
}

static void judge_sum(struct judged *judged, const struct cause_total *sum)
{
	struct causes *causes = judged->causes;
	const struct cause_place *place =
		(const void *)texts_at(&causes->places, sum->place).data;
	const struct cause_row *row =
		(const void *)texts_at(&causes->rows, sum->row).data;
	const struct cause_spot *spot = causes_spot(causes, place->spot);
	uint32_t stack = row->stack != NO_STACK ? row->stack : spot->stack;

	if (rests(judged, place, row))
		add_loss(judged, NO_STACK, spot, sum);
	else if (row->part == ROW_LOAD)
		judged->load += sum->sum;
	else if (row->part < GTRACE_HOLDS && causes_look(causes, stack).yours)
		add_to_function(judged, stack, spot, row, sum);
	else
		judged->nobody += sum->sum;
}

/* ----------------------------------------------------------------- leaks -- */

#define LEAK_LEAST    10
#define LEAK_ENDED    10 /* times as many are not over as are */
#define LEAK_QUARTERS 3

/* Whether the COUNT blocks at OPEN, of one spot, are a leak. Sets LEAK. */
static bool find_leak(const struct judged *judged,
		      const struct cause_open *open, size_t count,
		      struct judged_leak *leak)
{
	const struct causes *causes = judged->causes;
	const struct cause_waits *waits =
		(const struct cause_waits *)causes->waits.items + open->spot;
	unsigned kind = causes_spot(causes, open->spot)->kind;
	uint64_t quarters[4] = {0};
	size_t i;

	*leak = (struct judged_leak){.spot = open->spot};
	if (kind == GTRACE_BLOCK_NETWORK || kind == GTRACE_BLOCK_SLEEP ||
	    kind == GTRACE_BLOCK_SYSCALL)
		return false;
	for (i = 0; i < count; i++) {
		int64_t after = ns_between(causes->first, open[i].since);

		if (!open[i].created)
			continue;
		leak->count++;
		leak->sum = add_ns(leak->sum,
				   ns_between(open[i].since, causes->last));
		quarters[judged->length / 4 > 0 && after >= 0
				 ? after / (judged->length / 4) < 4
					   ? after / (judged->length / 4)
					   : 3
				 : 0]++;
	}
	for (i = 0; i < LEAK_QUARTERS; i++)
		if (quarters[i] == 0)
			return false;
	return leak->count >= LEAK_LEAST &&
	       waits->count <= leak->count / LEAK_ENDED;
}

static int by_spot(const void *a, const void *b)
{
	const struct cause_open *x = a, *y = b;

	if (x->spot != y->spot)
		return x->spot < y->spot ? -1 : 1;
	return (x->since > y->since) - (x->since < y->since);
}

static void find_leaks(struct judged *judged)
{
	struct array *open = &judged->causes->open;
	const struct cause_open *items = open->items;
	struct judged_leak leak;
	size_t i, end;

	if (open->count > 1)
		gti_sort(open->items, open->count, sizeof(*items), by_spot);
	for (i = 0; i < open->count; i = end) {
		for (end = i + 1; end < open->count; end++)
			if (items[end].spot != items[i].spot)
				break;
		if (find_leak(judged, items + i, end - i, &leak) &&
		    array_add(&judged->leaks, &leak, sizeof(leak),
			      judged->causes->memory) == NULL)
			judged->failed = true;
	}
}

/* ------------------------------------------------------------------- all -- */

void gti_judge(struct judged *judged, struct causes *causes, int64_t length)
{
	const struct cause_total *sums = causes->sums.items;
	size_t i;

	memset(judged, 0, sizeof(*judged));
	judged->causes = causes;
	judged->length = length;
	gti_texts_init(&judged->victims, causes->memory);
	find_loops(judged);
	for (i = 0; i < causes->sums.count && !judged->failed; i++)
		judge_sum(judged, &sums[i]);
	find_leaks(judged);
	judged->failed |= causes->failed;
}

void gti_judged_free(struct judged *judged)
{
	const struct gtrace_allocator *memory;

	if (judged->causes == NULL)
		return;
	memory = judged->causes->memory;
	gti_array_free(&judged->loops, sizeof(uint32_t), memory);
	gti_map_free(&judged->by_own, memory);
	gti_array_free(&judged->functions, sizeof(struct judged_function),
		       memory);
	gti_texts_free(&judged->victims);
	gti_map_free(&judged->by_loss, memory);
	gti_array_free(&judged->losses, sizeof(struct judged_loss), memory);
	gti_array_free(&judged->leaks, sizeof(struct judged_leak), memory);
}
