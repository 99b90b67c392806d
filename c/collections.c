/* SPDX-License-Identifier: BSD-3-Clause */
/* collections.c - the report of collections, and of mark assists. */
#include <string.h>

#include "base/least.h"
#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"
#include "machine.h"
#include "run.h"

/* From these versions on traces have events for what is in their names. */
#define VERSION_WORKERS 1008
#define VERSION_ASSISTS 1009

/* ------------------------------------------------------------------ pass -- */

bool gti_want_collections(struct run *run)
{
	struct collections *collections = &run->collections;
	const struct consumer consumer = gti_collections_consumer(collections);

	gti_init_sched(run);
	run->sched.keeps_past = !run->wanted->brief;
	collections->describe = gti_describe_stack;
	collections->text = gti_transition_text;
	collections->context = run;
	collections->filter = run->observer.filter;
	collections->has_stops = run->trace->facts.version >= VERSION_STOPS;
	gti_collections_init(collections, &run->sched, run->memory);
	return gti_consume(run, &consumer);
}

/* ---------------------------------------------------------------- values -- */

/* Whether events tell what workers did. */
static bool has_workers(const struct run *run)
{
	return run->trace->facts.version >= VERSION_WORKERS &&
	       !run->collections.nameless;
}

static bool has_assists(const struct run *run)
{
	return run->trace->facts.version >= VERSION_ASSISTS;
}

/*
 * The time from one to another, which may be unknown. It is, too, if the times
 * of two threads contradict the order of their events.
 */
static int64_t between(int64_t from, int64_t to)
{
	if (from == -1 || to == -1 || to < from)
		return -1;
	return ns_between(from, to);
}

static uint64_t known(int64_t number)
{
	return number > 0 ? (uint64_t)number : 0;
}

/* TIME of PROCS processors. */
static int64_t cpu_of(int64_t time, int64_t procs)
{
	return time == -1 || procs == -1
		       ? -1
		       : (int64_t)((uint64_t)time * (uint64_t)procs);
}

/* The name of function NUMBER, which can be NO_TEXT. */
static struct gtrace_string name_of(const struct run *run, uint32_t number)
{
	return number != NO_TEXT ? texts_at(&run->names.words, number)
				 : string_of("");
}

/* PART of WHOLE in percent, rounded down; -1 if WHOLE is 0. */
static int64_t percent_of(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return -1;
	return (int64_t)share_of_whole(part, whole, 100);
}

/* --------------------------------------------------------------- assists -- */

/* What assists are added up by. */
enum assist_list { OF_COLLECTION, OF_FUNCTION, OF_GOROUTINE, OF_EXISTENCE };

/* The list of tallies that TALLY is in. */
static uint64_t list_of_tally(struct run *run, const struct assist_tally *tally,
			      enum assist_list of)
{
	if (of == OF_COLLECTION)
		return tally->key.collection;
	if (of == OF_FUNCTION)
		return tally->key.function;
	if (of == OF_GOROUTINE)
		return tally->key.g;
	return !collection_at(&run->collections, (size_t)tally->key.collection)
			->exists;
}

static int compare_tallies(const void *a, const void *b)
{
	const struct assist_tally *x = a, *y = b;

	if (x->list != y->list)
		return x->list < y->list ? -1 : 1;
	if (x->key.g != y->key.g)
		return x->key.g < y->key.g ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Sorts all tallies into lists. */
static void make_lists(struct run *run, enum assist_list of)
{
	struct assist_tally *tallies = run->collections.tallies.items;
	size_t i;

	for (i = 0; i < run->collections.tallies.count; i++)
		tallies[i].list = list_of_tally(run, &tallies[i], of);
	if (run->collections.tallies.count > 1)
		gti_sort(tallies, run->collections.tallies.count,
			 sizeof(*tallies), compare_tallies);
}

/* The sum of the tallies in LIST, from *AT on. Sets *AT to their end. */
static struct gtrace_assist add_up(struct run *run, uint64_t list, size_t *at)
{
	const struct assist_tally *tallies = run->collections.tallies.items;
	struct gtrace_assist sum = {.g = -1};
	size_t first = *at;

	for (;
	     *at < run->collections.tallies.count && tallies[*at].list == list;
	     ++*at) {
		const struct assist_tally *tally = &tallies[*at];

		sum.held += (int64_t)tally->held;
		sum.cpu += (int64_t)tally->work;
		sum.parked += (int64_t)tally->parked;
		sum.assists += tally->count;
		sum.goroutines +=
			*at == first || tally[-1].key.g != tally->key.g;
	}
	return sum;
}

/* The function of FROM, or the first one of the goroutine of FROM to TO. */
static struct gtrace_string function_of(const struct run *run,
					const struct assist_tally *from,
					const struct assist_tally *to,
					enum assist_list of)
{
	uint32_t number = (uint32_t)from->key.function;
	struct gtrace_string function;

	if (of == OF_GOROUTINE) {
		while (from < to - 1 && !from->named)
			from++;
		number = from->outermost;
	}
	function = name_of(run, number);
	return function.size != 0 ? function : string_of("unknown");
}

/* Longest held first, then longest marking, then by name or number. */
static int compare_assists(const void *a, const void *b)
{
	const struct gtrace_assist *x = a, *y = b;

	if (x->held != y->held)
		return x->held > y->held ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	return string_compare(x->function, y->function);
}

/* Makes the list of those that were held longest. */
static void make_assists(struct run *run, enum assist_list of,
			 const struct gtrace_assist **list, size_t *count)
{
	const struct assist_tally *tallies = run->collections.tallies.items;
	size_t rows = run->wanted->request.rows;
	struct gtrace_assist *made = gti_make_array(
		run, run->collections.tallies.count, sizeof(*made));
	size_t at, first, total = 0;

	if (made == NULL)
		return;
	make_lists(run, of);
	for (at = first = 0; at < run->collections.tallies.count; first = at) {
		made[total] = add_up(run, tallies[at].list, &at);
		made[total].function =
			function_of(run, &tallies[first], &tallies[at], of);
		if (of == OF_GOROUTINE)
			made[total].g = (int64_t)tallies[first].key.g;
		total++;
	}
	if (total > 1)
		gti_sort(made, total, sizeof(*made), compare_assists);
	*list = made;
	for (*count = 0; *count < total && *count < rows; ++*count)
		gti_own_text(run, &made[*count].function);
}

/* Leaves out the assists for collections that are not chosen. */
static void choose_assists(struct run *run)
{
	struct array *tallies = &run->collections.tallies;
	struct assist_tally *items = tallies->items;
	size_t kept = 0, i;

	for (i = 0; i < tallies->count; i++)
		if (collection_at(&run->collections,
				  (size_t)items[i].key.collection)
			    ->chosen)
			items[kept++] = items[i];
	tallies->count = kept;
}

/* ----------------------------------------------------------- collections -- */

static void set_clocks(struct run *run, struct gtrace_collection *to)
{
	to->sweep_clock = between(to->sweep_begin, to->sweep_end);
	to->mark_clock = between(to->sweep_end, to->term_begin);
	to->term_clock = between(to->term_begin, to->end);
	to->mark_max = run->collections.has_stops
			       ? -1
			       : between(to->sweep_end, to->end);
	to->sweep_cpu = cpu_of(to->sweep_clock, to->procs);
	to->term_cpu = cpu_of(to->term_clock, to->procs);
}

/* The concurrent mark of FROM, and how many goroutines were ready meanwhile. */
static void set_mark(struct run *run, const struct collection *from,
		     struct gtrace_collection *to)
{
	const struct sched *sched = &run->sched;
	int64_t end = to->term_begin != -1 ? to->term_begin : to->done;

	if (end == -1)
		end = sched->greatest;
	to->mark_window =
		between(to->began_before ? sched->origin : to->sweep_end, end);
	to->runnable = -1;
	if (to->mark_window != -1)
		to->runnable = (int64_t)(from->ready_to - from->ready_from +
					 sched->extra[LEVEL_RUNNABLE] *
						 (uint64_t)to->mark_window);
}

/* NEXT is the first tally that is in no sum of an earlier collection. */
static void make_collection(struct run *run, size_t number, size_t *next,
			    struct gtrace_collection *to)
{
	const struct collection *from =
		collection_at(&run->collections, number);
	struct gtrace_assist sum = {.held = -1,
				    .cpu = -1,
				    .parked = -1,
				    .assists = UINT64_MAX,
				    .goroutines = UINT64_MAX};
	bool workers = has_workers(run);

	*to = from->known;
	to->function = name_of(run, from->function);
	set_clocks(run, to);
	set_mark(run, from, to);
	to->dedicated_cpu = workers ? (int64_t)from->works[GC_DEDICATED] : -1;
	to->fractional_cpu = workers ? (int64_t)from->works[GC_FRACTIONAL] : -1;
	to->idle_cpu = workers ? (int64_t)from->works[GC_IDLE] : -1;
	if (has_assists(run))
		sum = add_up(run, number, next);
	to->assist_cpu = sum.cpu;
	to->assists = (int64_t)sum.assists;
	to->assist_goroutines = (int64_t)sum.goroutines;
	to->assist_held = sum.held;
	to->assist_parked = sum.parked;
	gti_own_text(run, &to->function);
}

/* ---------------------------------------------------------------- totals -- */

/* The time of the processors that the runtime says a collection took. */
static uint64_t cost_of(const struct gtrace_collection *collection)
{
	return known(collection->sweep_cpu) + known(collection->term_cpu) +
	       known(collection->assist_cpu) +
	       known(collection->dedicated_cpu) +
	       known(collection->fractional_cpu);
}

static void add_to_total(struct gtrace_collection_total *total,
			 const struct gtrace_collection *added)
{
	total->collections++;
	total->forced += strcmp(added->reason, "forced") == 0;
	total->began_before += added->began_before != 0;
	total->unfinished += added->unfinished != 0;
	total->stopped +=
		(int64_t)(known(added->sweep_clock) + known(added->term_clock));
	total->dedicated_cpu += added->dedicated_cpu;
	total->fractional_cpu += added->fractional_cpu;
	total->idle_cpu += added->idle_cpu;
	total->mark_window += (int64_t)known(added->mark_window);
	total->runnable += (int64_t)known(added->runnable);
}

/* What no event tells is not known. */
static void set_unknown(struct run *run, struct gtrace_collection_total *total)
{
	if (!run->collections.has_stops || run->collections.nameless)
		total->stopped = -1;
	if (!has_workers(run))
		total->dedicated_cpu = total->fractional_cpu = total->idle_cpu =
			-1;
	if (!has_assists(run))
		total->assists = total->assist_goroutines = total->assist_cpu =
			total->assist_held = total->assist_parked = -1;
}

/* Sets the assists for collections, and their share. */
static void set_assists(struct run *run, struct gtrace_collection_total *total)
{
	uint64_t marking = known(total->dedicated_cpu) +
			   known(total->fractional_cpu) +
			   known(total->idle_cpu);
	struct gtrace_assist sum;
	size_t first = 0;

	total->assist_share = -1;
	if (!has_assists(run))
		return;
	make_lists(run, OF_EXISTENCE);
	sum = add_up(run, false, &first);
	total->assists = (int64_t)sum.assists;
	total->assist_goroutines = (int64_t)sum.goroutines;
	total->assist_held = sum.held;
	total->assist_parked = sum.parked;
	total->assist_cpu = sum.cpu;
	if (!run->collections.nameless)
		total->assist_share =
			percent_of(known(sum.cpu), marking + known(sum.cpu));
}

/* Sets what goroutines swept. */
static void set_sweeps(struct run *run, struct gtrace_collection_total *total)
{
	const struct sweep_tally *tallies = run->collections.sweeps.items;
	size_t count, i;
	const struct gtrace_function *functions = gti_make_swept(run, &count);

	total->sweep_max_start = total->sweep_max_g = -1;
	for (i = 0; i < run->collections.sweeps.count; i++) {
		const struct sweep_tally *of = &tallies[i];

		total->sweeps += of->count;
		total->sweep_sum = time_sum(total->sweep_sum, of->sum);
		if (of->max > total->sweep_max) {
			total->sweep_max = of->max;
			total->sweep_max_start = of->max_start;
			total->sweep_max_g = (int64_t)of->max_g;
		}
	}
	if (count != 0 && functions->count != 0)
		total->sweep_function = functions->frame.function;
	else
		total->sweep_function = string_of("");
}

static void set_outside(struct run *run, uint64_t cost,
			struct gtrace_collection_total *total)
{
	const struct sched *sched = &run->sched;
	int64_t end = sched->greatest;
	uint64_t ready;

	total->length = greatest_of(end - sched->origin, 0);
	total->percent = percent_of(cost, gti_sched_until(&sched->procs, end));
	if (run->collections.nameless)
		total->percent = -1;
	total->outside = total->outside_runnable = -1;
	if (run->observer.filter != NULL)
		return;
	ready = gti_sched_until(&sched->past, end) +
		sched->extra[LEVEL_RUNNABLE] * (uint64_t)total->length;
	total->outside = total->length - total->mark_window;
	total->outside_runnable = (int64_t)ready - total->runnable;
}

/* ---------------------------------------------------------------- report -- */

static uint64_t waited_for(const struct gtrace_collection *collection)
{
	return known(collection->sweep_clock) + known(collection->term_clock) +
	       known(collection->assist_held);
}

static int compare_longest(const void *a, const void *b)
{
	const struct gtrace_collection *x =
		*(const struct gtrace_collection *const *)a;
	const struct gtrace_collection *y =
		*(const struct gtrace_collection *const *)b;

	if (waited_for(x) != waited_for(y))
		return waited_for(x) > waited_for(y) ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Finds the collections of TO that the program waited longest for. */
static void find_longest(struct run *run, struct gtrace_collection_report *to)
{
	size_t rows = run->wanted->request.rows, i;
	const struct gtrace_collection **longest =
		gti_make_array(run, to->count, sizeof(*longest));

	if (longest == NULL)
		return;
	for (i = 0; i < to->count; i++)
		longest[i] = &to->collections[i];
	gti_sort(longest, to->count, sizeof(*longest), compare_longest);
	to->longest = longest;
	to->longest_count = to->count < rows ? to->count : rows;
}

/* Makes all collections, and finds those that are chosen. */
static void make_all(struct run *run, struct gtrace_collection *made,
		     size_t count)
{
	uint64_t number = 0;
	size_t next = 0, i;

	make_lists(run, OF_COLLECTION);
	for (i = 0; i < count; i++) {
		struct collection *from = collection_at(&run->collections, i);

		make_collection(run, i, &next, &made[i]);
		if (!from->exists)
			continue;
		made[i].number = ++number;
		from->chosen = run_chooses(
			run, made[i].start != -1 ? made[i].start : 0,
			made[i].end != -1 ? made[i].end : INT64_MAX);
	}
	if (run->observer.filter != NULL)
		choose_assists(run);
}

/* Adds up the COUNT collections MADE, and leaves those that are chosen. */
static void choose(struct run *run, struct gtrace_collection *made,
		   size_t count, struct gtrace_collection_report *to)
{
	const struct sched *sched = &run->sched;
	uint64_t cost = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		int64_t end = made[i].end != -1 ? made[i].end : sched->greatest;

		if (made[i].number == 0)
			continue;
		cost += cost_of(&made[i]);
		made[i].percent =
			percent_of(cost, gti_sched_until(&sched->procs, end));
		if (run->collections.nameless)
			made[i].percent = -1;
		if (!collection_at(&run->collections, i)->chosen)
			continue;
		add_to_total(&to->total, &made[i]);
		made[to->count++] = made[i];
	}
	to->collections = made;
	set_unknown(run, &to->total);
	set_assists(run, &to->total);
	set_sweeps(run, &to->total);
	set_outside(run, cost, &to->total);
}

void gti_make_collections(struct run *run, void *report)
{
	struct gtrace_collection_report *to = report;
	size_t count = run->collections.list.count;
	struct gtrace_collection *made =
		gti_make_array(run, count, sizeof(*made));

	if (made == NULL)
		return;
	make_all(run, made, count);
	choose(run, made, count, to);
	to->origin = run->sched.origin;
	find_longest(run, to);
	make_assists(run, OF_FUNCTION, &to->functions, &to->function_count);
	make_assists(run, OF_GOROUTINE, &to->goroutines, &to->goroutine_count);
}
