/* SPDX-License-Identifier: BSD-3-Clause */
/* collections.c - the report of collections. */
#include <string.h>

#include "assists.h"
#include "base/sort.h"
#include "base/strings.h"

/* From these versions on traces have events for what is in their names. */
#define VERSION_WORKERS 1008
#define VERSION_ASSISTS 1009
#define VERSION_STOPS   1010

/* ---------------------------------------------------------------- stacks -- */

/* See struct collections. */
static bool describe(void *context, uint64_t stack, struct stack_facts *facts)
{
	struct run *run = context;
	const struct gtrace_frame *frames;
	struct gtrace_string function = {"", 0}, outermost = {"", 0};
	size_t count, i;

	if (!gti_make_frames(&run->maker, stack, &frames, &count))
		return false;
	facts->named = count != 0;
	for (i = count; i-- > 0;) {
		struct gtrace_string name = frames[i].function;

		if (i + 1 == count)
			function = outermost = name;
		if (!gti_is_runtime_function(name))
			function = name;
		facts->forces |= string_is(name, "runtime.GC");
		facts->periodic |= string_is(name, "runtime.forcegchelper");
		facts->starts |= string_is(name, "runtime.gcStart");
	}
	facts->function =
		gti_texts_put(&run->functions, function.data, function.size);
	facts->outermost =
		gti_texts_put(&run->functions, outermost.data, outermost.size);
	return facts->function != NO_TEXT && facts->outermost != NO_TEXT;
}

/* See struct sched. */
static int64_t horizon(const void *context)
{
	const struct run *run = context;
	const struct stops_format *format = &run->stops.format;

	return waits_time(&run->waits, format->horizon(format->context));
}

void gti_want_collections(struct run *run, const struct wanted *wanted)
{
	const struct gtrace *trace = run->trace;
	const struct gtrace_allocator *memory = &trace->memory;

	gti_sched_init(&run->sched, wanted->sched, wanted->collections, memory);
	run->sched.horizon = horizon;
	run->sched.context = run;
	run->observer.sched = &run->sched;
	if (!wanted->collections)
		return;
	gti_texts_init(&run->functions, memory);
	run->collections.describe = describe;
	run->collections.context = run;
	run->collections.has_stops = trace->facts.version >= VERSION_STOPS;
	gti_collections_init(&run->collections, &run->sched, memory);
	run->observer.collections = &run->collections;
	gti_settle_frames(run);
}

void gti_free_collections(struct run *run)
{
	gti_sched_free(&run->sched);
	gti_collections_free(&run->collections);
	if (run->functions.memory != NULL)
		gti_texts_free(&run->functions);
}

/* ---------------------------------------------------------------- values -- */

/* What is made: the maker's arena has all that the report points to. */
struct making {
	struct event_maker *maker;
	const struct run *run;
	const struct collections *from;
	struct gtrace_collection_report *to;
	unsigned version;
	bool *chosen; /* by number of collection */
	struct assists assists;
};

/* The time from one to another, which may be unknown. */
static int64_t between(int64_t from, int64_t to)
{
	return from == -1 || to == -1 ? -1 : to - from;
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

/* PART of WHOLE in percent, rounded down; -1 if WHOLE is 0. */
static int64_t percent_of(uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return -1;
	return (int64_t)(part / whole * 100 + part % whole * 100 / whole);
}

/* ----------------------------------------------------------- collections -- */

static void set_clocks(const struct making *making,
		       struct gtrace_collection *to)
{
	to->sweep_clock = between(to->sweep_begin, to->sweep_end);
	to->mark_clock = between(to->sweep_end, to->term_begin);
	to->term_clock = between(to->term_begin, to->end);
	to->mark_max = making->version < VERSION_STOPS
			       ? between(to->sweep_end, to->end)
			       : -1;
	to->sweep_cpu = cpu_of(to->sweep_clock, to->procs);
	to->term_cpu = cpu_of(to->term_clock, to->procs);
}

/* The concurrent mark of FROM, and how many goroutines were ready meanwhile. */
static void set_mark(const struct making *making, const struct collection *from,
		     struct gtrace_collection *to)
{
	const struct sched *sched = &making->run->sched;
	int64_t end = to->term_begin != -1 ? to->term_begin : to->done;

	if (end == -1)
		end = sched->greatest - sched->zero;
	to->mark_window = between(to->began_before ? 0 : to->sweep_end, end);
	to->runnable = -1;
	if (to->mark_window != -1)
		to->runnable = (int64_t)(from->ready_to - from->ready_from +
					 sched->extra[LEVEL_RUNNABLE] *
						 (uint64_t)to->mark_window);
}

static bool make_collection(struct making *making, size_t number,
			    struct gtrace_collection *to)
{
	const struct collection *from = collection_at(making->from, number);
	struct gtrace_assist sum = {.held = -1,
				    .cpu = -1,
				    .parked = -1,
				    .assists = UINT64_MAX,
				    .goroutines = UINT64_MAX};
	bool workers = making->version >= VERSION_WORKERS;

	*to = from->known;
	to->function = gti_function_of(making->run, from->function);
	set_clocks(making, to);
	set_mark(making, from, to);
	to->dedicated_cpu = workers ? (int64_t)from->works[GC_DEDICATED] : -1;
	to->fractional_cpu = workers ? (int64_t)from->works[GC_FRACTIONAL] : -1;
	to->idle_cpu = workers ? (int64_t)from->works[GC_IDLE] : -1;
	if (making->version >= VERSION_ASSISTS)
		sum = gti_assists_next(&making->assists, number);
	to->assist_cpu = sum.cpu;
	to->assists = (int64_t)sum.assists;
	to->assist_goroutines = (int64_t)sum.goroutines;
	to->assist_held = sum.held;
	to->assist_parked = sum.parked;
	return gti_own_text(making->maker, &to->function);
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
static void set_unknown(unsigned version, struct gtrace_collection_total *total)
{
	if (version < VERSION_STOPS)
		total->stopped = -1;
	if (version < VERSION_WORKERS)
		total->dedicated_cpu = total->fractional_cpu = total->idle_cpu =
			-1;
	if (version < VERSION_ASSISTS)
		total->assists = total->assist_goroutines = total->assist_cpu =
			total->assist_held = total->assist_parked = -1;
}

/* Sets the assists for collections, and their share. */
static void set_assists(struct making *making,
			struct gtrace_collection_total *total)
{
	uint64_t marking = known(total->dedicated_cpu) +
			   known(total->fractional_cpu) +
			   known(total->idle_cpu);
	struct gtrace_assist sum = gti_assists_total(&making->assists);

	total->assist_share = -1;
	if (making->version < VERSION_ASSISTS)
		return;
	total->assists = (int64_t)sum.assists;
	total->assist_goroutines = (int64_t)sum.goroutines;
	total->assist_held = sum.held;
	total->assist_parked = sum.parked;
	total->assist_cpu = sum.cpu;
	total->assist_share =
		percent_of(known(sum.cpu), marking + known(sum.cpu));
}

static void set_outside(const struct making *making, uint64_t cost,
			struct gtrace_collection_total *total)
{
	const struct sched *sched = &making->run->sched;
	int64_t end = sched->greatest;
	uint64_t ready;

	total->length = end - sched->zero;
	total->percent = percent_of(cost, gti_sched_procs_until(sched, end));
	total->outside = total->outside_runnable = -1;
	if (making->run->observer.filter != NULL)
		return;
	ready = gti_sched_ready(sched, end) +
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

/* Finds the ROWS collections that the program waited longest for. */
static bool find_longest(const struct making *making, size_t rows)
{
	struct gtrace_collection_report *to = making->to;
	const struct gtrace_collection **longest = gti_arena_allocate(
		&making->maker->arena, to->count * sizeof(*longest) + 1);
	size_t i;

	if (longest == NULL)
		return false;
	for (i = 0; i < to->count; i++)
		longest[i] = &to->collections[i];
	gti_sort(longest, to->count, sizeof(*longest), compare_longest);
	to->longest = longest;
	to->longest_count = to->count < rows ? to->count : rows;
	return true;
}

/* Makes all collections, and finds those that are chosen. */
static bool make_all(struct making *making, struct gtrace_collection *made,
		     size_t count)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!make_collection(making, i, &made[i]))
			return false;
		if (!collection_at(making->from, i)->exists)
			continue;
		made[i].number = ++number;
		making->chosen[i] = run_chooses(
			making->run, made[i].start != -1 ? made[i].start : 0,
			made[i].end != -1 ? made[i].end : INT64_MAX);
	}
	if (making->run->observer.filter != NULL)
		gti_assists_choose(&making->assists, making->chosen);
	return true;
}

/* Adds up the COUNT collections MADE, and leaves those that are chosen. */
static void choose(struct making *making, struct gtrace_collection *made,
		   size_t count)
{
	const struct sched *sched = &making->run->sched;
	struct gtrace_collection_report *to = making->to;
	uint64_t cost = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		int64_t end = made[i].end != -1 ? made[i].end + sched->zero
						: sched->greatest;

		if (made[i].number == 0)
			continue;
		cost += cost_of(&made[i]);
		made[i].percent =
			percent_of(cost, gti_sched_procs_until(sched, end));
		if (!making->chosen[i])
			continue;
		add_to_total(&to->total, &made[i]);
		made[to->count++] = made[i];
	}
	to->collections = made;
	set_unknown(making->version, &to->total);
	set_assists(making, &to->total);
	set_outside(making, cost, &to->total);
}

bool gti_make_collections(struct event_maker *maker, const struct run *run,
			  const struct wanted *wanted,
			  struct gtrace_collection_report *to)
{
	size_t count = run->collections.list.count;
	struct gtrace_collection *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made) + 1);
	struct making making = {
		.maker = maker,
		.run = run,
		.from = &run->collections,
		.to = to,
		.version = run->trace->facts.version,
		.chosen = gti_arena_allocate(&maker->arena, count + 1),
	};
	bool good;

	good = made != NULL && making.chosen != NULL &&
	       gti_assists_find(&making.assists, run) &&
	       make_all(&making, made, count);
	if (good)
		choose(&making, made, count);
	good = good && find_longest(&making, wanted->rows) &&
	       gti_assists_make(maker, &making.assists, false, wanted->rows,
				&to->functions, &to->function_count) &&
	       gti_assists_make(maker, &making.assists, true, wanted->rows,
				&to->goroutines, &to->goroutine_count);
	gti_assists_free(&making.assists);
	return good;
}
