/* SPDX-License-Identifier: BSD-3-Clause */
/* collections.c - the garbage collections, their stops and the heap. */
#include "analysis/collections.h"

#include <string.h>

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
		.text = collections->text,
		.context = collections->context,
		.profile = collections->profile,
		.filter = collections->filter,
		.heap = -1,
		.heap_before = -1,
		.goal = -1,
	};
	gti_texts_init(&collections->assists, memory);
	add(collections);
}

/* Forgets handles, which may be those of other stacks from now on. */
static void forget_stacks(struct collections *collections)
{
	gti_map_free(&collections->stacks, collections->memory);
	collections->facts.count = 0;
}

void gti_collections_free(struct collections *collections)
{
	const struct gtrace_allocator *memory = collections->memory;

	if (memory == NULL)
		return;
	forget_stacks(collections);
	gti_array_free(&collections->facts, sizeof(struct stack_facts), memory);
	gti_array_free(&collections->list, sizeof(struct collection), memory);
	gti_array_free(&collections->tallies, sizeof(struct assist_tally),
		       memory);
	gti_array_free(&collections->works, sizeof(struct gc_piece), memory);
	gti_array_free(&collections->sweeps, sizeof(struct sweep_tally),
		       memory);
	gti_array_free(&collections->workers, sizeof(struct gc_worker), memory);
	gti_array_free(&collections->sweepers, sizeof(struct gc_sweep), memory);
	gti_texts_free(&collections->assists);
	collections->memory = NULL;
}

/* ---------------------------------------------------------------- stacks -- */

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

static void begin(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;
	const struct transition *from = taking->from;
	const struct stack_facts *facts =
		gti_collections_facts(collections, from->stack);
	struct collection *begun;

	if (collections->is_open)
		gti_work_settle(collections);
	begun = add(collections);
	if (begun == NULL || facts == NULL) {
		collections->failed = true;
		return;
	}
	set_before(collections, begun);
	begun->known.start = taking->now;
	/* Up to Go 1.21 it is that of a processor of its own. */
	if (collections->sched->by_thread)
		begun->known.g = (int64_t)gc_number(taking, from->by);
	begun->known.reason = reason_of(facts);
	begun->function = facts->function;
	begun->held = facts->held;
	begun->known.heap_start = collections->heap;
}

static void go_on(struct collections *collections)
{
	struct collection *open = last(collections);

	if (open != NULL && !collections->is_open)
		open = add(collections);
	if (open == NULL || open->exists)
		return;
	set_before(collections, open);
	open->known.began_before = true;
}

/* The thread of an event; up to Go 1.21, its processor. */
static uint32_t place_of(const struct gc_taking *taking)
{
	return taking->collections->sched->by_thread ? taking->from->m
						     : taking->from->p;
}

static void end(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;
	struct collection *open = last(collections);
	uint32_t by = place_of(taking);

	if (open == NULL || !collections->is_open || !open->exists)
		return;
	open->known.done = open->known.end = taking->now;
	if (open->known.term_begin == -1)
		open->ready_to =
			gti_sched_until(&collections->sched->past, taking->now);
	if (collections->heap_by == by && collections->heap != -1) {
		open->known.heap_live = collections->heap;
		open->known.heap_end = collections->heap_before;
	}
	collections->ending = true;
	collections->ending_by = by;
	collections->is_open = false;
	gti_work_settle(collections);
}

/* There are so many bytes on the heap; or it may grow to that. */
static void take_heap(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;

	collections->heap_before = collections->heap;
	collections->heap = (int64_t)taking->from->arg;
	collections->heap_by = place_of(taking);
}

static void take_goal(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;

	collections->goal = collections_goal_of(taking->from->arg);
	if (!collections->ending || collections->ending_by != place_of(taking))
		return;
	last(collections)->known.end = taking->now;
	collections->ending = false;
}

/* ----------------------------------------------------------------- stops -- */

/* Whether KIND is that of a stop, which a trace can call GC NAME or NAME. */
static bool is_kind(struct gtrace_string kind, const char *name)
{
	return string_is(kind, name) || string_is(kind, name + strlen("GC "));
}

/* A stop-the-world pause begins. */
static void begin_stop(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;
	struct collection *open = last(collections);
	struct gtrace_string kind =
		collections->text(collections->context, taking->from);

	collections->nameless |= kind.size == 0;
	collections->stop = STOP_OTHER;
	if (open == NULL || !collections->is_open || !open->exists)
		return;
	if (is_kind(kind, "GC sweep termination")) {
		collections->stop = STOP_SWEEP;
		open->known.sweep_begin = taking->now;
		open->known.procs =
			gti_sched_procs_at(collections->sched, INT64_MAX);
		open->known.heap_start = collections->heap;
	} else if (is_kind(kind, "GC mark termination")) {
		collections->stop = STOP_MARK;
		open->known.term_begin = taking->now;
		open->ready_to =
			gti_sched_until(&collections->sched->past, taking->now);
	}
}

static void end_sweep(const struct collections *collections,
		      struct collection *open, int64_t now)
{
	open->known.sweep_end = now;
	open->ready_from = gti_sched_until(&collections->sched->past, now);
}

static void end_stop(struct collections *collections, int64_t now)
{
	struct collection *of = last(collections);

	if (of == NULL)
		return;
	if (collections->stop == STOP_SWEEP)
		end_sweep(collections, of, now);
	else if (collections->stop == STOP_MARK)
		of->known.released = now;
	collections->stop = STOP_OTHER;
	collections->ending = false;
}

/* The number of processors is written. */
static void take_procs(struct collections *collections, uint64_t stack,
		       int64_t now)
{
	struct collection *of = last(collections);
	const struct stack_facts *facts;

	if (of == NULL || !of->exists)
		return;
	if (!collections->is_open) {
		if (of->known.released == -1)
			of->known.released = now;
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

/* What has events only from Go 1.10 on, or is inferred before. */
static void take_stop(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;
	unsigned kind = taking->from->kind;

	if (!collections->has_stops && kind == TRANSITION_PROCS)
		take_procs(collections, taking->from->stack, taking->now);
	else if (collections->has_stops && kind == TRANSITION_STOP)
		begin_stop(taking);
	else if (collections->has_stops && kind == TRANSITION_STOP_END)
		end_stop(collections, taking->now);
}

/* ------------------------------------------------------------- consumer -- */

static void take_one(const struct gc_taking *taking)
{
	switch (taking->from->kind) {
	case TRANSITION_COLLECT:
		begin(taking);
		break;
	case TRANSITION_COLLECT_ON:
		go_on(taking->collections);
		break;
	case TRANSITION_COLLECT_END:
		end(taking);
		break;
	case TRANSITION_STOP:
	case TRANSITION_STOP_END:
	case TRANSITION_PROCS:
		take_stop(taking);
		break;
	case TRANSITION_HEAP:
		take_heap(taking);
		break;
	case TRANSITION_GOAL:
		take_goal(taking);
		break;
	case TRANSITION_SWEEP:
	case TRANSITION_SWEEP_END:
		gti_sweep_take(taking);
		break;
	default:
		gti_work_take(taking);
		break;
	}
}

static void take(void *self, struct feed *feed)
{
	const struct transition *from = feed->batch->items;
	const struct transition *last = feed_end(feed);
	struct collections *collections = self;
	struct sched *sched = collections->sched;

	for (; from < last && !collections->failed; from++) {
		struct gc_taking taking = {collections, feed, from,
					   sched_time(sched, feed, from)};

		gti_sched_take(sched, feed, from);
		take_one(&taking);
	}
	gti_sched_settle(sched, feed);
}

static void end_generation(void *self, struct feed *feed)
{
	(void)feed;
	forget_stacks(self);
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	struct collections *collections = self;
	struct collection *open = last(collections);
	struct sched *sched = collections->sched;

	gti_sched_finish(sched, feed, now);
	if (open != NULL && collections->is_open) {
		open->known.unfinished = open->exists;
		if (open->known.term_begin == -1)
			open->ready_to =
				gti_sched_until(&sched->past, sched->greatest);
	}
	gti_work_finish(collections, sched->greatest);
	gti_work_settle(collections);
}

static void restart(void *self)
{
	struct collections *collections = self;
	const struct gtrace_allocator *memory = collections->memory;

	gti_sched_restart(collections->sched);
	if (collections->profile != NULL)
		gti_profile_restart(collections->profile);
	gti_collections_free(collections);
	gti_collections_init(collections, collections->sched, memory);
}

static void end_pass(void *self)
{
	struct collections *collections = self;

	gti_sched_free(collections->sched);
	gti_collections_free(collections);
}

struct consumer gti_collections_consumer(struct collections *collections)
{
	return (struct consumer){
		.self = collections,
		.take = take,
		.end_generation = end_generation,
		.finish = finish,
		.restart = restart,
		.end = end_pass,
	};
}
