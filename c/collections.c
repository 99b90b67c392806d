/* SPDX-License-Identifier: BSD-3-Clause */
/* collections.c - the reports of collections and of the scheduler. */
#include "analysis/collections.h"

#include <string.h>

#include "base/sort.h"
#include "run.h"

/* From these versions on traces have events for what is in their names. */
#define VERSION_WORKERS 1008
#define VERSION_ASSISTS 1009
#define VERSION_STOPS   1010

/* ---------------------------------------------------------------- stacks -- */

static bool is_function(struct gtrace_string function, const char *name)
{
	return function.size == strlen(name) &&
	       memcmp(function.data, name, function.size) == 0;
}

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
		facts->forces |= is_function(name, "runtime.GC");
		facts->periodic |= is_function(name, "runtime.forcegchelper");
		facts->starts |= is_function(name, "runtime.gcStart");
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
	run->collections.has_stops =
		trace->facts.version >= VERSION_STOPS;
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
	bool filtered;
	struct gtrace_collection_report *to;
	unsigned version;
	bool *chosen; /* by number of collection */
	struct entry *entries;
	size_t entry_count;
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

/* Whether what lasts FROM one time TO another, since zero, is chosen. */
static bool is_chosen(const struct run *run, int64_t from, int64_t to)
{
	const struct gtrace_filter *asked = &run->asked;

	return (asked->from == 0 || to > asked->from) &&
	       (asked->to == 0 || from < asked->to);
}

static struct gtrace_string text_of(const struct making *making,
				    uint32_t number)
{
	static const struct gtrace_string none = {"", 0};

	return number != NO_TEXT ? texts_at(&making->run->functions, number)
				 : none;
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
		to->runnable =
			(int64_t)(from->ready_to - from->ready_from +
				  sched->extra[LEVEL_RUNNABLE] *
					  (uint64_t)to->mark_window);
}

static bool make_collection(const struct making *making, size_t number,
			    struct gtrace_collection *to)
{
	const struct collection *from = collection_at(making->from, number);
	bool workers = making->version >= VERSION_WORKERS;

	*to = from->known;
	to->function = text_of(making, from->function);
	set_clocks(making, to);
	set_mark(making, from, to);
	to->dedicated_cpu = workers ? (int64_t)from->works[GC_DEDICATED] : -1;
	to->fractional_cpu = workers ? (int64_t)from->works[GC_FRACTIONAL] : -1;
	to->idle_cpu = workers ? (int64_t)from->works[GC_IDLE] : -1;
	return gti_own_text(making->maker, &to->function);
}

/* --------------------------------------------------------------- assists -- */

/* A tally, and of what. */
struct entry {
	struct assist_key key;
	const struct assist_tally *tally;
	uint64_t number;
};

static int compare_numbers(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int by_collection(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key.collection != y->key.collection)
		return compare_numbers(x->key.collection, y->key.collection);
	return compare_numbers(x->key.g, y->key.g);
}

static int by_function(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key.function != y->key.function)
		return compare_numbers(x->key.function, y->key.function);
	return compare_numbers(x->key.g, y->key.g);
}

static int by_goroutine(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->key.g != y->key.g)
		return compare_numbers(x->key.g, y->key.g);
	return compare_numbers(x->number, y->number);
}

/* Longest held first, then longest marking, then by name or number. */
static int compare_assists(const void *a, const void *b)
{
	const struct gtrace_assist *x = a, *y = b;
	size_t size = x->function.size;
	int order;

	if (x->held != y->held)
		return x->held > y->held ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	if (y->function.size < size)
		size = y->function.size;
	order = memcmp(x->function.data, y->function.data, size);
	return order != 0 ? order
			  : compare_numbers(x->function.size, y->function.size);
}

/* Adds the next entry, with PREVIOUS before it, to TO. */
static void add_entry(const struct entry *entry, const struct entry *previous,
		      struct gtrace_assist *to)
{
	to->held += (int64_t)entry->tally->held;
	to->cpu += (int64_t)entry->tally->work;
	to->parked += (int64_t)entry->tally->parked;
	to->assists += entry->tally->count;
	to->goroutines += previous == NULL || previous->key.g != entry->key.g;
}

/* The assists that entries FROM to TO have. */
static struct gtrace_assist add_up(const struct entry *from,
				   const struct entry *to)
{
	struct gtrace_assist sum = {.g = -1};
	const struct entry *entry;

	for (entry = from; entry < to; entry++)
		add_entry(entry, entry != from ? entry - 1 : NULL, &sum);
	return sum;
}

static struct gtrace_string name_or_unknown(struct gtrace_string name)
{
	static const struct gtrace_string unknown = {"unknown", 7};

	return name.size != 0 ? name : unknown;
}

/* The first function of the goroutine of the entries FROM to TO. */
static struct gtrace_string first_function(const struct making *making,
					   const struct entry *from,
					   const struct entry *to)
{
	while (from < to - 1 && !from->tally->named)
		from++;
	return text_of(making, from->tally->outermost);
}

/* The end of the entries from FIRST on that are in one list with it. */
static const struct entry *end_of(const struct making *making,
				  const struct entry *first, bool goroutines)
{
	const struct entry *end = making->entries + making->entry_count;
	const struct entry *entry = first + 1;

	while (entry < end && (goroutines ? entry->key.g == first->key.g
					  : entry->key.function ==
						    first->key.function))
		entry++;
	return entry;
}

/* Makes the list of functions, or GOROUTINES, with at most ROWS rows. */
static bool make_assists(struct making *making, bool goroutines, size_t rows,
			 const struct gtrace_assist **list, size_t *count)
{
	const struct entry *first, *next;
	const struct entry *end = making->entries + making->entry_count;
	struct gtrace_assist *made = gti_arena_allocate(
		&making->maker->arena,
		making->entry_count * sizeof(*made) + 1);
	size_t i, total = 0;

	if (made == NULL)
		return false;
	gti_sort(making->entries, making->entry_count, sizeof(*first),
		 goroutines ? by_goroutine : by_function);
	for (first = making->entries; first < end; first = next) {
		next = end_of(making, first, goroutines);
		made[total] = add_up(first, next);
		made[total].function = name_or_unknown(
			goroutines
				? first_function(making, first, next)
				: text_of(making,
					  (uint32_t)first->key.function));
		if (goroutines)
			made[total].g = (int64_t)first->key.g;
		total++;
	}
	gti_sort(made, total, sizeof(*made), compare_assists);
	*count = total < rows ? total : rows;
	*list = made;
	for (i = 0; i < *count; i++)
		if (!gti_own_text(making->maker, &made[i].function))
			return false;
	return true;
}

/* Makes the entries of all assists, by collection. */
static bool find_entries(struct making *making)
{
	const struct collections *from = making->from;
	size_t total = from->tallies.count, i;
	struct entry *entry;

	making->entries = gti_allocate_zeroed(making->maker->memory, total + 1,
					      sizeof(*entry));
	if (making->entries == NULL)
		return false;
	for (i = 0; i < total; i++) {
		entry = &making->entries[making->entry_count++];
		memcpy(&entry->key, texts_at(&from->assists, (uint32_t)i).data,
		       sizeof(entry->key));
		entry->tally = (const struct assist_tally *)from->tallies.items
			       + i;
		entry->number = i;
	}
	gti_sort(making->entries, making->entry_count, sizeof(*entry),
		 by_collection);
	return true;
}

/* Sets the assists of TO, which is collection NUMBER, and moves *ENTRY on. */
static void set_assists(const struct making *making, uint64_t number,
			const struct entry **entry,
			struct gtrace_collection *to)
{
	const struct entry *end = making->entries + making->entry_count;
	const struct entry *first;
	struct gtrace_assist sum;

	while (*entry < end && (*entry)->key.collection < number)
		++*entry;
	first = *entry;
	while (*entry < end && (*entry)->key.collection == number)
		++*entry;
	sum = add_up(first, *entry);
	if (making->version < VERSION_ASSISTS)
		sum = (struct gtrace_assist){.held = -1, .cpu = -1,
					     .parked = -1, .assists = UINT64_MAX,
					     .goroutines = UINT64_MAX};
	to->assist_cpu = sum.cpu;
	to->assists = (int64_t)sum.assists;
	to->assist_goroutines = (int64_t)sum.goroutines;
	to->assist_held = sum.held;
	to->assist_parked = sum.parked;
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
	total->stopped += (int64_t)(known(added->sweep_clock) +
				    known(added->term_clock));
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

/*
 * Adds the assists for collections, and sets their share. Sorts the entries by
 * goroutine.
 */
static void add_assists(const struct making *making,
			struct gtrace_collection_total *total)
{
	uint64_t marking = known(total->dedicated_cpu) +
			   known(total->fractional_cpu) +
			   known(total->idle_cpu);
	const struct entry *previous = NULL;
	struct gtrace_assist sum = {.g = -1};
	size_t i;

	total->assist_share = -1;
	if (making->version < VERSION_ASSISTS)
		return;
	gti_sort(making->entries, making->entry_count, sizeof(*making->entries),
		 by_goroutine);
	for (i = 0; i < making->entry_count; i++) {
		const struct entry *entry = &making->entries[i];

		if (!collection_at(making->from, entry->key.collection)->exists)
			continue;
		add_entry(entry, previous, &sum);
		previous = entry;
	}
	total->assists = (int64_t)sum.assists;
	total->assist_goroutines = (int64_t)sum.goroutines;
	total->assist_held = sum.held;
	total->assist_parked = sum.parked;
	total->assist_cpu = sum.cpu;
	total->assist_share = percent_of(known(sum.cpu),
					 marking + known(sum.cpu));
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
	if (making->filtered)
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
		return compare_numbers(waited_for(y), waited_for(x));
	return compare_numbers(x->number, y->number);
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
	const struct entry *entry;
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!make_collection(making, i, &made[i]))
			return false;
		if (!collection_at(making->from, i)->exists)
			continue;
		made[i].number = ++number;
		making->chosen[i] = is_chosen(
			making->run, made[i].start != -1 ? made[i].start : 0,
			made[i].end != -1 ? made[i].end : INT64_MAX);
	}
	if (!find_entries(making))
		return false;
	entry = making->entries;
	for (i = 0; i < count; i++)
		set_assists(making, i, &entry, &made[i]);
	for (i = 0; making->filtered && i < making->entry_count;) {
		if (making->chosen[making->entries[i].key.collection])
			i++;
		else
			making->entries[i] =
				making->entries[--making->entry_count];
	}
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
	add_assists(making, &to->total);
	set_outside(making, cost, &to->total);
}

bool gti_make_collections(struct event_maker *maker, const struct run *run,
			  const struct wanted *wanted,
			  struct gtrace_collection_report *to)
{
	size_t count = run->collections.list.count;
	struct gtrace_collection *made = gti_arena_allocate(
		&maker->arena, count * sizeof(*made) + 1);
	struct making making = {
		.maker = maker,
		.run = run,
		.from = &run->collections,
		.filtered = run->observer.filter != NULL,
		.to = to,
		.version = run->trace->facts.version,
		.chosen = gti_arena_allocate(&maker->arena, count + 1),
	};
	bool good;

	good = made != NULL && making.chosen != NULL &&
	       make_all(&making, made, count);
	if (good)
		choose(&making, made, count);
	good = good && find_longest(&making, wanted->rows) &&
	       make_assists(&making, false, wanted->rows, &to->functions,
			    &to->function_count) &&
	       make_assists(&making, true, wanted->rows, &to->goroutines,
			    &to->goroutine_count);
	gti_release(maker->memory, making.entries,
		    (run->collections.tallies.count + 1) *
			    sizeof(*making.entries));
	return good;
}

/* ------------------------------------------------------------- scheduler -- */

/* SAMPLE without what holds since before the trace. */
static void make_sample(const struct sched *sched,
			const struct sched_sample *before,
			const struct sched_sample *sample,
			struct gtrace_sched_sample *to)
{
	uint64_t interval = (uint64_t)sample->time - (uint64_t)before->time;
	uint64_t counts[LEVELS], sums[LEVELS];
	unsigned i;

	for (i = 0; i < LEVELS; i++) {
		counts[i] = sample->counts[i] + sched->extra[i];
		sums[i] = sample->sums[i] - before->sums[i] +
			  sched->extra[i] * interval;
	}
	*to = (struct gtrace_sched_sample){
		.ts = sample->time - sched->zero,
		.interval = (int64_t)interval,
		.gomaxprocs = gti_sched_procs_at(sched, sample->time),
		.idleprocs = -1,
		.threads = sample->threads,
		.runqueue = counts[LEVEL_RUNNABLE],
		.running = counts[LEVEL_RUNNING],
		.syscalls = counts[LEVEL_SYSCALLS],
		.waiting = counts[LEVEL_WAITING],
		.gc = counts[LEVEL_COLLECTING] != 0,
		.procs_ns = -1,
		.running_ns = (int64_t)sums[LEVEL_RUNNING],
		.held_ns = (int64_t)sums[LEVEL_HELD],
		.runqueue_ns = (int64_t)sums[LEVEL_RUNNABLE],
		.syscalls_ns = (int64_t)sums[LEVEL_SYSCALLS],
		.gc_ns = (int64_t)sums[LEVEL_COLLECTING],
		.starts = sample->starts - before->starts,
	};
	if (to->gomaxprocs == -1)
		return;
	to->idleprocs = to->gomaxprocs - (int64_t)counts[LEVEL_HELD];
	if (to->idleprocs < 0)
		to->idleprocs = 0;
	to->procs_ns =
		(int64_t)(gti_sched_procs_until(sched, sample->time) -
			  gti_sched_procs_until(sched, before->time));
}

bool gti_make_sched(struct event_maker *maker, const struct run *run,
		    struct gtrace_sched_report *to)
{
	const struct sched *sched = &run->sched;
	const struct sched_sample *samples = sched->samples.items;
	const struct sched_sample first = {.time = sched->zero};
	size_t count = sched->samples.count, i;
	struct gtrace_sched_sample *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made) + 1);

	if (made == NULL)
		return false;
	for (i = 0; i < count; i++) {
		struct gtrace_sched_sample *sample = &made[to->count];

		make_sample(sched, i != 0 ? &samples[i - 1] : &first,
			    &samples[i], sample);
		if (is_chosen(run, sample->ts - sample->interval,
			      sample->ts))
			to->count++;
	}
	to->samples = made;
	return true;
}
