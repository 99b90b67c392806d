/* SPDX-License-Identifier: BSD-3-Clause */
/* collections.c - the garbage collections, their stops and the heap. */
#include "analysis/collections.h"

#include "base/array.h"
#include "base/strings.h"

static const struct collection unknown = {
	.known = {.reason = "unknown",
		  .g = -1,
		  .start = -1,
		  .sweep_begin = -1,
		  .sweep_end = -1,
		  .term_begin = -1,
		  .done = -1,
		  .end = -1,
		  .released = -1,
		  .procs = -1,
		  .heap_start = -1,
		  .heap_end = -1,
		  .heap_live = -1,
		  .heap_goal = -1},
	.function = NO_TEXT,
};

/* The time from the start of the trace to TIME. */
static int64_t since_zero(const struct collections *collections, int64_t time)
{
	return sched_since(collections->sched, time);
}

/* The last collection; NULL: there is no memory. */
static struct collection *last(const struct collections *collections)
{
	size_t count = collections->list.count;

	return count != 0 ? collection_at(collections, count - 1) : NULL;
}

/* Adds one. NULL: there is no memory. */
static struct collection *add(struct collections *collections)
{
	struct collection *added =
		array_add(&collections->list, &unknown, sizeof(unknown),
			  collections->memory);

	collections->failed |= added == NULL;
	collections->is_open = true;
	collections->ending = false;
	return added;
}

/* Sets what was so last before the collection began. */
static void set_before(const struct collections *collections,
		       struct collection *to)
{
	to->exists = true;
	to->known.procs = gti_sched_procs_at(collections->sched, INT64_MAX);
	to->known.heap_goal = collections->goal;
}

/* ------------------------------------------------------------------ init -- */

void gti_collections_init(struct collections *collections, struct sched *sched,
			  const struct gtrace_allocator *memory)
{
	*collections = (struct collections){
		.memory = memory,
		.sched = sched,
		.has_stops = collections->has_stops,
		.describe = collections->describe,
		.context = collections->context,
		.profile = collections->profile,
		.filter = collections->filter,
		.heap = -1,
		.heap_before = -1,
		.goal = -1,
	};
	gti_texts_init(&collections->assists, memory);
	if (!gti_ids_init(&collections->workers, sizeof(struct gc_worker),
			  IDS_BITS_OF_OTHERS, memory))
		collections->failed = true;
	add(collections);
}

void gti_collections_free(struct collections *collections)
{
	const struct gtrace_allocator *memory = collections->memory;

	if (memory == NULL)
		return;
	gti_collections_forget_stacks(collections);
	gti_array_free(&collections->facts, sizeof(struct stack_facts), memory);
	gti_array_free(&collections->list, sizeof(struct collection), memory);
	gti_array_free(&collections->tallies, sizeof(struct assist_tally),
		       memory);
	gti_array_free(&collections->works, sizeof(struct gc_piece), memory);
	gti_array_free(&collections->sweeps, sizeof(struct sweep_tally),
		       memory);
	gti_texts_free(&collections->assists);
	gti_ids_free(&collections->workers);
	collections->memory = NULL;
}

void gti_collections_restart(struct collections *collections)
{
	const struct gtrace_allocator *memory = collections->memory;

	if (collections->profile != NULL)
		gti_profile_restart(collections->profile);
	gti_collections_free(collections);
	gti_collections_init(collections, collections->sched, memory);
}

/* ---------------------------------------------------------------- stacks -- */

void gti_collections_forget_stacks(struct collections *collections)
{
	gti_map_free(&collections->stacks, collections->memory);
	collections->facts.count = 0;
}

const struct stack_facts *gti_collections_facts(struct collections *collections,
						uint64_t stack)
{
	struct array *facts = &collections->facts;
	uint64_t *number =
		gti_map_put(&collections->stacks, stack, collections->memory);
	struct stack_facts added = {.named = false};

	if (number == NULL)
		return NULL;
	if (*number != 0)
		return (const struct stack_facts *)facts->items + *number - 1;
	if (!collections->describe(collections->context, stack, &added) ||
	    array_add(facts, &added, sizeof(added), collections->memory) ==
		    NULL)
		return NULL;
	*number = facts->count;
	return (const struct stack_facts *)facts->items + facts->count - 1;
}

/* ----------------------------------------------------------- collections -- */

static const char *reason_of(const struct stack_facts *facts)
{
	if (facts->forces)
		return "forced";
	if (facts->periodic)
		return "periodic";
	return facts->named ? "heap" : "unknown";
}

void gti_collections_begin(struct collections *collections, int64_t g,
			   uint64_t stack, int64_t now)
{
	const struct stack_facts *facts =
		gti_collections_facts(collections, stack);
	struct collection *begun;

	if (collections->is_open)
		gti_work_settle(collections);
	begun = add(collections);
	if (begun == NULL || facts == NULL) {
		collections->failed = true;
		return;
	}
	set_before(collections, begun);
	begun->known.start = since_zero(collections, now);
	begun->known.g = g;
	begun->known.reason = reason_of(facts);
	begun->function = facts->function;
	begun->held = facts->held;
	begun->known.heap_start = collections->heap;
}

void gti_collections_go_on(struct collections *collections)
{
	struct collection *open = last(collections);

	if (open != NULL && !collections->is_open)
		open = add(collections);
	if (open == NULL || open->exists)
		return;
	set_before(collections, open);
	open->known.began_before = true;
}

void gti_collections_end(struct collections *collections, int64_t by,
			 int64_t now)
{
	struct collection *open = last(collections);

	if (open == NULL || !collections->is_open || !open->exists)
		return;
	open->known.done = open->known.end = since_zero(collections, now);
	if (open->known.term_begin == -1)
		open->ready_to =
			gti_sched_until(&collections->sched->past, now);
	if (collections->heap_by == by && collections->heap != -1) {
		open->known.heap_live = collections->heap;
		open->known.heap_end = collections->heap_before;
	}
	collections->ending = true;
	collections->ending_by = by;
	collections->is_open = false;
	gti_work_settle(collections);
}

void gti_collections_goal(struct collections *collections, uint64_t value,
			  int64_t by, int64_t now)
{
	collections->goal = collections_goal_of(value);
	if (collections->ending && collections->ending_by == by) {
		last(collections)->known.end = since_zero(collections, now);
		collections->ending = false;
	}
}

void gti_collections_finish(struct collections *collections)
{
	struct collection *open = last(collections);
	int64_t end = collections->sched->greatest;

	if (open != NULL && collections->is_open) {
		open->known.unfinished = open->exists;
		if (open->known.term_begin == -1)
			open->ready_to =
				gti_sched_until(&collections->sched->past, end);
	}
	gti_work_finish(collections, end);
	gti_work_settle(collections);
}

/* ----------------------------------------------------------------- stops -- */

void gti_collections_stop(struct collections *collections,
			  struct gtrace_string kind, int64_t now)
{
	struct collection *open = last(collections);

	collections->stop = STOP_OTHER;
	if (open == NULL || !collections->is_open || !open->exists)
		return;
	if (string_is(kind, "GC sweep termination")) {
		collections->stop = STOP_SWEEP;
		open->known.sweep_begin = since_zero(collections, now);
		open->known.procs =
			gti_sched_procs_at(collections->sched, INT64_MAX);
		open->known.heap_start = collections->heap;
	} else if (string_is(kind, "GC mark termination")) {
		collections->stop = STOP_MARK;
		open->known.term_begin = since_zero(collections, now);
		open->ready_to =
			gti_sched_until(&collections->sched->past, now);
	}
}

static void end_sweep(const struct collections *collections,
		      struct collection *open, int64_t now)
{
	open->known.sweep_end = since_zero(collections, now);
	open->ready_from = gti_sched_until(&collections->sched->past, now);
}

void gti_collections_stop_end(struct collections *collections, int64_t now)
{
	struct collection *of = last(collections);

	if (of == NULL)
		return;
	if (collections->stop == STOP_SWEEP)
		end_sweep(collections, of, now);
	else if (collections->stop == STOP_MARK)
		of->known.released = since_zero(collections, now);
	collections->stop = STOP_OTHER;
	collections->ending = false;
}

void gti_collections_procs(struct collections *collections, uint64_t stack,
			   int64_t now)
{
	struct collection *of = last(collections);
	const struct stack_facts *facts;

	if (of == NULL || collections->has_stops || !of->exists)
		return;
	if (!collections->is_open) {
		if (of->known.released == -1)
			of->known.released = since_zero(collections, now);
		collections->ending = false;
		return;
	}
	if (of->known.sweep_end != -1)
		return;
	facts = gti_collections_facts(collections, stack);
	if (facts == NULL)
		collections->failed = true;
	else if (facts->starts)
		end_sweep(collections, of, now);
}
