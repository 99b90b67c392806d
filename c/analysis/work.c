/* SPDX-License-Identifier: BSD-3-Clause */
/* work.c - who worked for garbage collections. */
#include "analysis/collections.h"
#include "base/array.h"
#include "base/least.h"
#include "base/strings.h"

/* ---------------------------------------------------------------- pieces -- */

static struct assist_tally *tally_at(const struct collections *collections,
				     uint32_t number)
{
	return (struct assist_tally *)collections->tallies.items + number;
}

/* Up to when work counts for collection NUMBER, which has ended. */
static int64_t limit_of(const struct collections *collections, uint32_t number)
{
	const struct gtrace_collection *of =
		&collection_at(collections, number)->known;
	int64_t end = of->term_begin != -1 ? of->term_begin : of->done;

	if (end == -1)
		return INT64_MAX;
	return (int64_t)((uint64_t)end + (uint64_t)collections->sched->zero);
}

/* Counts PIECE, of a collection that has ended. */
static void count(struct collections *collections, const struct gc_piece *piece)
{
	int64_t to = limit_of(collections, piece->collection);
	uint64_t length;

	if (piece->to < to)
		to = piece->to;
	if (to <= piece->from)
		return;
	length = (uint64_t)to - (uint64_t)piece->from;
	if (piece->what >= GC_WORKS)
		tally_at(collections, piece->what - GC_WORKS)->work += length;
	else
		collection_at(collections, piece->collection)
			->works[piece->what] += length;
}

void gti_work_settle(struct collections *collections)
{
	const struct gc_piece *pieces = collections->works.items;
	size_t i;

	for (i = 0; i < collections->works.count; i++)
		count(collections, &pieces[i]);
	collections->works.count = 0;
}

/* Counts PIECE as soon as its collection has ended. */
static void add(struct collections *collections, const struct gc_piece *piece)
{
	if (piece->to <= piece->from)
		return;
	if (!collections->is_open ||
	    piece->collection + 1 != collections->list.count)
		count(collections, piece);
	else if (array_add(&collections->works, piece, sizeof(*piece),
			   collections->memory) == NULL)
		collections->failed = true;
}

/* --------------------------------------------------------------- workers -- */

/* The record of goroutine G, which can work. NULL: there is no memory. */
static struct gc_worker *get(struct collections *collections, uint64_t g,
			     int64_t slice)
{
	struct gc_worker *worker = NULL;

	if (collections->failed)
		return NULL;
	worker = ids_find(&collections->workers, g);
	if (worker != NULL)
		return worker;
	worker = gti_ids_add(&collections->workers, g);
	if (worker == NULL) {
		collections->failed = true;
		return NULL;
	}
	worker->slice = slice;
	worker->assist = TIME_NONE;
	worker->parked = TIME_NONE;
	worker->label = GC_WORKS;
	worker->waits = TIME_NONE;
	return worker;
}

/* The record of G, if it has one. */
static struct gc_worker *find(const struct collections *collections, uint64_t g)
{
	return collections->failed ? NULL : ids_find(&collections->workers, g);
}

/* The collection that work belongs to from now on: the last one. */
static uint32_t present(const struct collections *collections)
{
	return (uint32_t)collections->list.count - 1;
}

/* The part of its assist in the slice of WORKER, up to NOW, is work. */
static void add_assist(struct collections *collections,
		       const struct gc_worker *worker, int64_t now)
{
	struct gc_piece piece = {.to = now};
	struct assist_tally *tally;

	if (worker->slice == TIME_NONE || worker->assist == TIME_NONE)
		return;
	tally = tally_at(collections, worker->tally);
	piece.from = greatest_of(worker->slice, worker->assist);
	piece.collection = (uint32_t)tally->key.collection;
	piece.what = GC_WORKS + worker->tally;
	if (now > piece.from)
		tally->ran += (uint64_t)now - (uint64_t)piece.from;
	add(collections, &piece);
}

static void end_slice(struct collections *collections, struct gc_worker *worker,
		      int64_t now)
{
	int64_t to = worker->waits != TIME_NONE ? worker->waits : now;
	const struct gc_piece piece = {worker->slice, to, worker->collection,
				       worker->label};

	add_assist(collections, worker, now);
	if (worker->label != GC_WORKS && worker->slice != TIME_NONE)
		add(collections, &piece);
	worker->slice = TIME_NONE;
	worker->label = GC_WORKS;
	worker->waits = TIME_NONE;
}

enum gc_work gti_work_of(struct gtrace_string label)
{
	static const char *const labels[GC_WORKS] = {
		"GC (dedicated)", "GC (fractional)", "GC (idle)"};
	unsigned work = 0;

	while (work < GC_WORKS && !string_is(label, labels[work]))
		work++;
	return (enum gc_work)work;
}

void gti_work_label(struct collections *collections, uint64_t g, int64_t slice,
		    struct gtrace_string label)
{
	struct gc_worker *worker = get(collections, g, slice);

	if (worker == NULL)
		return;
	worker->label = collections->is_open ? gti_work_of(label) : GC_WORKS;
	worker->collection = present(collections);
	worker->waits = TIME_NONE;
}

void gti_work_wait(struct collections *collections, uint64_t g, int64_t now)
{
	struct gc_worker *worker = find(collections, g);

	if (worker != NULL && worker->label != GC_WORKS &&
	    worker->waits == TIME_NONE)
		worker->waits = now;
}

/* --------------------------------------------------------------- assists -- */

/* The number of the tally with KEY. NO_TEXT: there is no memory. */
static uint32_t find_tally(struct collections *collections,
			   const struct assist_key *key,
			   const struct stack_facts *facts)
{
	uint32_t number =
		gti_texts_put(&collections->assists, key, sizeof(*key));
	const struct assist_tally tally = {
		.key = *key,
		.number = number,
		.outermost = facts->outermost,
		.named = facts->named,
	};

	if (number == collections->tallies.count &&
	    array_add(&collections->tallies, &tally, sizeof(tally),
		      collections->memory) == NULL)
		return NO_TEXT;
	return number;
}

/* Finds what WORKER needs to be added to the profile with STACK. */
static void find_entry(const struct collections *collections,
		       struct gc_worker *worker, uint64_t stack)
{
	worker->entry = 0;
	if (collections->profile == NULL)
		return;
	/* A stack without a name counts as none. */
	if (gti_profile_find(collections->profile, 0, stack, worker->g,
			     &worker->entry) == NULL)
		gti_profile_find(collections->profile, 0, 0, worker->g,
				 &worker->entry);
	if (collections->filter != NULL)
		worker->fits = gti_filter_place(collections->filter, stack);
}

/* WORKER was held by an assist for LENGTH. */
static void add_to_profile(const struct collections *collections,
			   const struct gc_worker *worker, int64_t length)
{
	const struct profile_slice slice = {.length = length};

	if (worker->entry != 0 &&
	    (collections->filter == NULL ||
	     gti_filter_block(collections->filter, worker->g,
			      sched_since(collections->sched, worker->assist),
			      length, worker->fits)))
		gti_profile_add(
			collections->profile, &slice,
			profile_at(collections->profile, worker->entry - 1));
}

/*
 * Goroutine G assists collection OF since NOW, and is in a slice since SLICE.
 * NULL: there is no memory, or G assists already.
 */
static struct gc_worker *begin(struct collections *collections, uint32_t of,
			       uint64_t g, int64_t slice, uint64_t stack,
			       int64_t now)
{
	const struct stack_facts *facts =
		gti_collections_facts(collections, stack);
	struct gc_worker *worker = get(collections, g, slice);
	struct assist_key key = {of, g, NO_TEXT, NO_TEXT};

	if (worker == NULL || worker->assist != TIME_NONE)
		return NULL;
	if (facts != NULL) {
		key.function = facts->function;
		key.held = facts->held;
		worker->tally = find_tally(collections, &key, facts);
	}
	if (facts == NULL || worker->tally == NO_TEXT) {
		collections->failed = true;
		return NULL;
	}
	tally_at(collections, worker->tally)->count++;
	find_entry(collections, worker, stack);
	worker->assist = now;
	return worker;
}

void gti_work_assist(struct collections *collections, uint64_t g, int64_t slice,
		     uint64_t stack, int64_t now)
{
	begin(collections, present(collections), g, slice, stack, now);
}

void gti_work_assist_before(struct collections *collections, uint64_t g,
			    int64_t slice, bool parked, int64_t since)
{
	struct gc_worker *worker = begin(collections, 0, g, slice, 0, since);

	if (worker != NULL && parked)
		worker->parked = since;
}

/* The assist of WORKER is not parked any more. */
static void unpark(const struct collections *collections,
		   struct gc_worker *worker, int64_t now)
{
	if (worker->parked != TIME_NONE && now > worker->parked)
		tally_at(collections, worker->tally)->parked +=
			(uint64_t)now - (uint64_t)worker->parked;
	worker->parked = TIME_NONE;
}

static void end_assist(struct collections *collections,
		       struct gc_worker *worker, int64_t now)
{
	uint64_t held;

	if (worker->assist == TIME_NONE)
		return;
	held = (uint64_t)greatest_of(now, worker->assist) -
	       (uint64_t)worker->assist;
	add_assist(collections, worker, now);
	unpark(collections, worker, now);
	tally_at(collections, worker->tally)->held += held;
	add_to_profile(collections, worker, (int64_t)held);
	worker->assist = TIME_NONE;
}

/* WORKER is of no interest any more, unless it works. */
static void forget(struct collections *collections, struct gc_worker *worker)
{
	if (worker->assist == TIME_NONE && worker->label == GC_WORKS)
		gti_ids_remove(&collections->workers, worker);
}

void gti_work_assist_end(struct collections *collections, uint64_t g,
			 int64_t now)
{
	struct gc_worker *worker = find(collections, g);

	if (worker == NULL)
		return;
	end_assist(collections, worker, now);
	forget(collections, worker);
}

/* ----------------------------------------------------------- transitions -- */

void gti_work_start(struct collections *collections, uint64_t g, int64_t now)
{
	struct gc_worker *worker = find(collections, g);

	if (worker != NULL)
		worker->slice = now;
}

void gti_work_leave(struct collections *collections, uint64_t g, bool parked,
		    int64_t now)
{
	struct gc_worker *worker = find(collections, g);

	if (worker == NULL)
		return;
	end_slice(collections, worker, now);
	if (parked && worker->assist != TIME_NONE)
		worker->parked = now;
	forget(collections, worker);
}

void gti_work_ready(struct collections *collections, uint64_t g, int64_t now)
{
	struct gc_worker *worker = find(collections, g);

	if (worker != NULL)
		unpark(collections, worker, now);
}

void gti_work_finish(struct collections *collections, int64_t end)
{
	const struct pool *records = &collections->workers.records;
	uint32_t i;

	for (i = 0; i < records->used && !collections->failed; i++) {
		struct gc_worker *worker = gti_pool_at(records, i);

		/* One that was given back can be anything. */
		if (find(collections, worker->g) != worker)
			continue;
		end_assist(collections, worker, end);
		end_slice(collections, worker, end);
	}
}
