/* SPDX-License-Identifier: BSD-3-Clause */
/* sweeps.c - goroutines that swept for the collector, because they allocated.
 */
#include "analysis/collections.h"
#include "base/array.h"

/* The sums of NAME. NULL: there is no memory. */
static struct sweep_tally *get(struct collections *collections, uint32_t name)
{
	static const struct sweep_tally none = {.max = -1, .max_start = -1};

	return array_grown(&collections->sweeps, name, &none, sizeof(none),
			   collections->memory);
}

/* `by` of TAKING sweeps on its processor, until it ends. */
static void begin(const struct gc_taking *taking, struct gc_sweep *sweep)
{
	const struct stack_facts *facts =
		gti_collections_facts(taking->collections, taking->from->stack);

	if (facts == NULL) {
		taking->collections->failed = true;
		return;
	}
	*sweep = (struct gc_sweep){
		.since = taking->now,
		.g = gc_number(taking, taking->from->by),
		.name = facts->held,
		.is_open = true,
	};
}

/* Without a begin in the trace, does nothing. */
static void end(const struct gc_taking *taking, struct gc_sweep *sweep)
{
	struct collections *collections = taking->collections;
	int64_t from = sweep->since, to = taking->now;
	uint64_t length = to > from ? (uint64_t)to - (uint64_t)from : 0;
	struct sweep_tally *tally;

	if (!sweep->is_open)
		return;
	sweep->is_open = false;
	if (collections->filter != NULL &&
	    !filter_chooses(&collections->filter->asked, from, to))
		return;
	tally = get(collections, sweep->name);
	if (tally == NULL) {
		collections->failed = true;
		return;
	}
	tally->count++;
	tally->sum += length;
	if ((int64_t)length > tally->max) {
		tally->max = (int64_t)length;
		tally->max_start = from;
		tally->max_g = sweep->g;
	}
}

void gti_sweep_take(const struct gc_taking *taking)
{
	static const struct gc_sweep none = {.is_open = false};
	struct collections *collections = taking->collections;
	struct gc_sweep *sweep =
		array_grown(&collections->sweepers, taking->from->p, &none,
			    sizeof(none), collections->memory);

	if (sweep == NULL)
		collections->failed = true;
	else if (taking->from->kind == TRANSITION_SWEEP)
		begin(taking, sweep);
	else
		end(taking, sweep);
}
