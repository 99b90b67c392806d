/* SPDX-License-Identifier: BSD-3-Clause */
/* sweeps.c - goroutines that swept for the collector, because they allocated.
 */
#include "analysis/collections.h"
#include "base/array.h"

void gti_sweep_begin(struct collections *collections, struct gc_sweep *sweep,
		     uint64_t g, uint64_t stack, int64_t now)
{
	const struct stack_facts *facts =
		gti_collections_facts(collections, stack);

	if (facts == NULL) {
		collections->failed = true;
		return;
	}
	*sweep = (struct gc_sweep){
		.since = now,
		.g = g,
		.name = facts->held,
		.is_open = true,
	};
}

/* The sums of NAME. NULL: there is no memory. */
static struct sweep_tally *get(struct collections *collections, uint32_t name)
{
	struct array *tallies = &collections->sweeps;
	const struct sweep_tally none = {.max = -1, .max_start = -1};

	if (!array_fill(tallies, (size_t)name + 1, &none, sizeof(none),
			collections->memory))
		return NULL;
	return (struct sweep_tally *)tallies->items + name;
}

void gti_sweep_end(struct collections *collections, struct gc_sweep *sweep,
		   int64_t now)
{
	int64_t from = sched_since(collections->sched, sweep->since);
	int64_t to = sched_since(collections->sched, now);
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
