/* SPDX-License-Identifier: BSD-3-Clause */
/* judged.c - who was at rest, and what the others could not go on for. */
#include "analysis/causes_parts.h"
#include "analysis/judged.h"

#include <string.h>

#include "base/array.h"
#include "base/times.h"

/* ------------------------------------------------------------------ rest -- */

static bool is_long(const struct judged *judged,
		    const struct cause_place *place)
{
	const int64_t *longs = judged->causes->longs.items;

	return place->longest != 0 &&
	       longs[place->longest - 1] > judged->length / 2;
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
	return (spot->kind == GTRACE_BLOCK_NETWORK ||
		spot->kind == GTRACE_BLOCK_SYSCALL) &&
	       gti_judged_is_loop(judged, row->spot - 1, false);
}

/*
 * Whether the chain of those at PLACE goes through another goroutine of their
 * kind: they wait for what it has, a connection or a token of a pool.
 */
static bool waits_for_kin(const struct judged *judged,
			  const struct cause_place *place)
{
	return place->kin != 0 && judged_spot(judged, place->kin - 1).kind ==
					  judged_spot(judged, place->spot).kind;
}

/* Whether SPOT is one at which goroutines get what they work at. */
static bool receives(const struct cause_spot *spot)
{
	return spot->kind == GTRACE_BLOCK_RECEIVE ||
	       spot->kind == GTRACE_BLOCK_SELECT ||
	       spot->kind == GTRACE_BLOCK_CONDITION;
}

/* Whether those whose wait of KIND nothing ends are at rest. */
static bool rests_alone(unsigned kind)
{
	switch (kind) {
	case GTRACE_BLOCK_LOCK:
	case GTRACE_BLOCK_NETWORK:
	case GTRACE_BLOCK_SLEEP:
	case GTRACE_BLOCK_ASSIST:
	case GTRACE_BLOCK_COLLECTION:
		return false;
	default:
		return true;
	}
}

/* How goroutines wait. */
enum judgement {
	IS_HARM,
	IS_REST,
	IS_WORK /* for one that runs, and would be at rest if it did not */
};

/* How those that wait at PLACE, the leaf of whose chain is ROW, wait. */
static enum judgement judge(const struct judged *judged,
			    const struct cause_place *place,
			    const struct cause_row *row)
{
	struct causes *causes = judged->causes;
	const struct cause_spot *spot = causes_spot(causes, place->spot);
	bool waits = gti_causes_waits(causes, spot);

	if ((place->flags & PLACE_ALWAYS) != 0 ||
	    (spot->kind != GTRACE_BLOCK_LOCK && is_long(judged, place)))
		return IS_REST;
	if (waits && !causes_look(causes, spot->stack).yours)
		return IS_REST;
	if ((place->flags & PLACE_ALONE) != 0 && rests_alone(spot->kind))
		return IS_REST;
	if (spot->kind == GTRACE_BLOCK_NETWORK &&
	    (place->flags & PLACE_NEW) != 0)
		return IS_REST;
	if (spot->kind == GTRACE_BLOCK_SEND && waits_for_input(judged, row))
		return IS_REST;
	if (!waits)
		return IS_HARM;
	if ((place->flags & PLACE_CREATOR) != 0 &&
	    spot->kind != GTRACE_BLOCK_NETWORK &&
	    gti_judged_loop_of(judged, place->spot) == 0)
		return IS_REST;
	if (waits_for_kin(judged, place) ||
	    !gti_judged_is_loop(judged, place->spot,
				(place->flags & PLACE_TIMER) != 0))
		return IS_HARM;
	return row->part == GTRACE_HOLD_RAN && receives(spot) ? IS_WORK
							      : IS_REST;
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
	int64_t *whose;

	if (function == NULL)
		return;
	part = &function->parts[row->part];
	part->sum = add_ns(part->sum, sum->sum);
	if (sum->sum > part->most) {
		part->most = sum->sum;
		part->stack = row->inner;
	}
	whose = row->level == 0 ? &function->itself : &function->others;
	*whose = add_ns(*whose, sum->sum);
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

/* A sum, and of what it is. */
struct judged_case {
	const struct cause_total *sum;
	const struct cause_place *place;
	const struct cause_row *row;
	const struct cause_spot *spot;
	uint32_t stack; /* that names the cause */
	enum judgement judgement;
};

static struct judged_case judged_case_of(const struct judged *judged,
					 const struct cause_total *sum)
{
	struct causes *causes = judged->causes;
	struct judged_case made = {
		.sum = sum,
		.place = (const void *)texts_at(&causes->places, sum->place)
				 .data,
		.row = (const void *)texts_at(&causes->rows, sum->row).data,
	};

	made.spot = causes_spot(causes, made.place->spot);
	made.stack = made.row->stack != NO_STACK ? made.row->stack
						 : made.spot->stack;
	made.judgement = judge(judged, made.place, made.row);
	if (made.judgement == IS_WORK && !causes_look(causes, made.stack).yours)
		made.judgement = IS_REST;
	return made;
}

/* All but work, which is only counted: how much there is decides on it. */
static void judge_sum(struct judged *judged, const struct cause_total *sum)
{
	const struct judged_case of = judged_case_of(judged, sum);
	struct cause_stack look = causes_look(judged->causes, of.stack);
	struct judged_function *function;
	int64_t *whose;

	if (of.judgement == IS_WORK) {
		function = find_function(judged, look.own);
		if (function != NULL)
			function->awaited = add_ns(function->awaited, sum->sum);
	} else if (of.judgement == IS_REST) {
		add_loss(judged, NO_STACK, of.spot, sum);
	} else if (of.row->part == ROW_LOAD) {
		judged->load = add_ns(judged->load, sum->sum);
	} else if (of.row->part == ROW_COLLECTOR) {
		whose = of.row->level != 0 ? &judged->collector
					   : &judged->helping;
		*whose = add_ns(*whose, sum->sum);
	} else if (of.row->part < GTRACE_HOLDS && look.yours) {
		add_to_function(judged, of.stack, of.spot, of.row, sum);
	} else {
		judged->unassigned = add_ns(judged->unassigned, sum->sum);
	}
}

/* ------------------------------------------------------------------ work -- */

/* Whether goroutines waited so long for FUNCTION to run that it has no pauses.
 */
static bool is_awaited(const struct judged *judged,
		       const struct judged_function *function)
{
	return function->awaited > 0 && function->awaited >= judged->length / 2;
}

/* Of what goroutines waited for that ran, this part could have been done. */
static double doable_part(const struct judged *judged)
{
	const struct judged_function *functions = judged->functions.items;
	double sum = 0;
	size_t i;

	for (i = 0; i < judged->functions.count; i++)
		if (is_awaited(judged, &functions[i]))
			sum += (double)functions[i].awaited;
	return sum > (double)judged->idle ? (double)judged->idle / sum : 1;
}

/* SUM counts as work in its PART, and else as rest, if it is work. */
static void judge_work(struct judged *judged, const struct cause_total *sum,
		       double part)
{
	const struct judged_case of = judged_case_of(judged, sum);
	struct cause_total done = *sum, rest = *sum;
	struct cause_row row = *of.row;
	const struct judged_function *function;

	if (of.judgement != IS_WORK)
		return;
	function = find_function(judged,
				 causes_look(judged->causes, of.stack).own);
	if (function == NULL)
		return;
	row.part = GTRACE_HOLD_WORK;
	done.sum = is_awaited(judged, function)
			   ? (int64_t)((double)sum->sum * part)
			   : 0;
	rest.sum -= done.sum;
	if (done.sum > 0)
		add_to_function(judged, of.stack, of.spot, &row, &done);
	if (rest.sum > 0)
		add_loss(judged, NO_STACK, of.spot, &rest);
}

static void judge_all(struct judged *judged)
{
	const struct cause_total *sums = judged->causes->sums.items;
	size_t count = judged->causes->sums.count, i;
	double part;

	for (i = 0; i < count && !judged->failed; i++)
		judge_sum(judged, &sums[i]);
	part = doable_part(judged);
	for (i = 0; i < count && !judged->failed; i++)
		judge_work(judged, &sums[i], part);
}

/* ------------------------------------------------------------------- all -- */

void gti_judge(struct judged *judged, struct causes *causes, int64_t length,
	       int64_t idle)
{
	memset(judged, 0, sizeof(*judged));
	judged->causes = causes;
	judged->length = length;
	judged->idle = idle;
	gti_texts_init(&judged->victims, causes->memory);
	gti_texts_init(&judged->kinds, causes->memory);
	gti_judge_loops(judged);
	judge_all(judged);
	gti_judge_leaks(judged);
	judged->failed |= causes->failed;
}

void gti_judged_free(struct judged *judged)
{
	const struct gtrace_allocator *memory;

	if (judged->causes == NULL)
		return;
	memory = judged->causes->memory;
	gti_texts_free(&judged->kinds);
	gti_array_free(&judged->spots, sizeof(struct judged_spot), memory);
	gti_array_free(&judged->loops, sizeof(uint32_t), memory);
	gti_map_free(&judged->by_own, memory);
	gti_array_free(&judged->functions, sizeof(struct judged_function),
		       memory);
	gti_texts_free(&judged->victims);
	gti_map_free(&judged->by_loss, memory);
	gti_array_free(&judged->losses, sizeof(struct judged_loss), memory);
	gti_array_free(&judged->leaks, sizeof(struct judged_leak), memory);
}
