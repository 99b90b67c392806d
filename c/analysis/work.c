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

	return end != -1 ? end : INT64_MAX;
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

/* The worker in SLOT, if it works. */
static struct gc_worker *find(const struct collections *collections,
			      uint32_t slot)
{
	struct gc_worker *workers = collections->workers.items;

	return slot < collections->workers.count && workers[slot].works
		       ? &workers[slot]
		       : NULL;
}

/* Goroutine `g` of TAKING can work. NULL: there is no memory. */
static struct gc_worker *get(const struct gc_taking *taking)
{
	static const struct gc_worker idle = {.works = false};
	struct collections *collections = taking->collections;
	uint32_t slot = taking->from->g;
	struct gc_worker *worker = find(collections, slot);
	struct sched_slot known = sched_slot(collections->sched, slot);

	if (worker != NULL)
		return worker;
	worker = array_grown(&collections->workers, slot, &idle, sizeof(idle),
			     collections->memory);
	if (worker == NULL) {
		collections->failed = true;
		return NULL;
	}
	*worker = (struct gc_worker){
		.works = true,
		.g = gc_number(taking, slot),
		.slice = known.level == LEVEL_RUNNING ? known.started
						      : TIME_NONE,
		.assist = TIME_NONE,
		.parked = TIME_NONE,
		.label = GC_WORKS,
		.waits = TIME_NONE,
	};
	return worker;
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

/* `g` of TAKING gets a label in its slice. */
static void take_label(const struct gc_taking *taking)
{
	struct collections *collections = taking->collections;
	struct gc_worker *worker = get(taking);
	struct gtrace_string label =
		collections->text(collections->context, taking->from);

	if (worker == NULL)
		return;
	collections->nameless |=
		label.size == 0 && collections->sched->by_thread;
	worker->label = collections->is_open ? gti_work_of(label) : GC_WORKS;
	worker->collection = present(collections);
	worker->waits = TIME_NONE;
}

/*
 * WORKER takes a processor from a system call. With a label it does so only
 * when it finds nothing left to mark, to have all processors pass a safe point,
 * and then it leaves its own. A goroutine that assists may mark on in its
 * slice, which no event tells.
 */
static void wait_for_processors(struct gc_worker *worker, int64_t now)
{
	if (worker->label != GC_WORKS && worker->waits == TIME_NONE)
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
	     gti_filter_block(collections->filter, worker->g, worker->assist,
			      length,
			      gti_filter_first(collections->filter, worker->g),
			      worker->fits)))
		gti_profile_add(
			collections->profile, &slice,
			profile_at(collections->profile, worker->entry - 1));
}

/*
 * `g` of TAKING assists collection OF, since NOW and an event with STACK. NULL:
 * there is no memory, or it assists already.
 */
static struct gc_worker *begin(const struct gc_taking *taking, uint32_t of,
			       uint64_t stack, int64_t now)
{
	struct collections *collections = taking->collections;
	const struct stack_facts *facts =
		gti_collections_facts(collections, stack);
	struct gc_worker *worker = get(taking);
	struct assist_key key = {of, 0, NO_TEXT, NO_TEXT};

	if (worker == NULL || worker->assist != TIME_NONE)
		return NULL;
	key.g = worker->g;
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

/* `g` of TAKING turns out to assist since before the trace. */
static void begin_before(const struct gc_taking *taking)
{
	const struct sched *sched = taking->collections->sched;
	uint32_t slot = taking->from->g;
	int64_t since = least_of(sched->origin, taking->now);
	struct gc_worker *worker = begin(taking, 0, 0, since);

	if (worker != NULL && sched_slot(sched, slot).level == LEVEL_WAITING)
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

/* ----------------------------------------------------------- transitions -- */

/* WORKER leaves its processor by TAKING, and is PARKED or not. */
static void leave(const struct gc_taking *taking, struct gc_worker *worker,
		  bool parked)
{
	end_slice(taking->collections, worker, taking->now);
	if (parked && worker->assist != TIME_NONE)
		worker->parked = taking->now;
}

/* WORKER, as which `g` of TAKING works, goes on to do so or not. */
static void go_on(const struct gc_taking *taking, struct gc_worker *worker)
{
	struct collections *collections = taking->collections;

	switch (taking->from->kind) {
	case TRANSITION_START:
		worker->slice = taking->now;
		return;
	case TRANSITION_READY:
		unpark(collections, worker, taking->now);
		return;
	case TRANSITION_STEAL:
		wait_for_processors(worker, taking->now);
		return;
	case TRANSITION_BLOCK:
		leave(taking, worker, true);
		break;
	case TRANSITION_END:
	case TRANSITION_END_IN_CALL:
		leave(taking, worker, false);
		end_assist(collections, worker, taking->now);
		break;
	case TRANSITION_PREEMPT:
	case TRANSITION_LOSE:
	case TRANSITION_RETURN_READY:
		leave(taking, worker, false);
		break;
	case TRANSITION_ASSIST_END:
		end_assist(collections, worker, taking->now);
		break;
	default:
		return;
	}
	worker->works =
		worker->assist != TIME_NONE || worker->label != GC_WORKS;
}

void gti_work_take(const struct gc_taking *taking)
{
	const struct transition *from = taking->from;
	struct gc_worker *worker = find(taking->collections, from->g);

	if (UNLIKELY(worker != NULL))
		go_on(taking, worker);
	if (from->kind == TRANSITION_LABEL ||
	    (from->flags & TRANSITION_LABELLED) != 0)
		take_label(taking);
	else if (from->kind == TRANSITION_ASSIST)
		begin(taking, present(taking->collections), from->stack,
		      taking->now);
	else if (from->kind == TRANSITION_ASSIST_ON)
		begin_before(taking);
}

void gti_work_finish(struct collections *collections, int64_t end)
{
	uint32_t slot;

	for (slot = 0; slot < collections->workers.count; slot++) {
		struct gc_worker *worker = find(collections, slot);

		if (worker == NULL)
			continue;
		end_assist(collections, worker, end);
		end_slice(collections, worker, end);
	}
}
