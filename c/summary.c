/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - what there is to say about a trace. */
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "base/strings.h"
#include "report/diagnosis.h"
#include "totals.h"

/* Slices and stops that are listed if the caller does not say how many. */
#define LISTED 3

/* Places where goroutines were blocked that findings are made from. */
#define PLACES 1000

struct report {
	struct gtrace_summary public; /* first: the caller has this */
	struct gtrace_allocator memory;
	struct arena arena; /* all that `public` points to but for reports */
	struct gtrace_reports *lists;
	struct gtrace_cpu cpu;
	struct gtrace_stop longest_stop;
};

/* ---------------------------------------------------------------- public -- */

/* Replaces TEXT by a copy in the report. Returns false without memory. */
static bool own_text(struct report *report, struct gtrace_string *text)
{
	char *copy = gti_arena_allocate(&report->arena, text->size);

	if (copy != NULL && text->size != 0)
		memcpy(copy, text->data, text->size);
	text->data = copy;
	return copy != NULL;
}

/* A copy of name NUMBER, which can be NO_TEXT. Likewise. */
static bool own_name(struct report *report, const struct totals *totals,
		     uint32_t number, struct gtrace_string *to)
{
	*to = (struct gtrace_string){"", 0};
	if (number == NO_TEXT)
		return true;
	*to = texts_at(&totals->names, number);
	return own_text(report, to);
}

static int by_name(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = string_compare(x->function, y->function);

	return order != 0 ? order : (int)x->work - (int)y->work;
}

/* By name; where that is equal, the line that comes first is to be shown. */
static int by_line(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = by_name(a, b);

	if (order == 0 && x->delay != y->delay)
		order = x->delay > y->delay ? -1 : 1;
	if (order == 0 && x->sum != y->sum)
		order = x->sum > y->sum ? -1 : 1;
	if (order == 0 && x->line != y->line)
		order = x->line < y->line ? -1 : 1;
	return order != 0 ? order : string_compare(x->file, y->file);
}

static int by_sum(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;

	if (x->sum != y->sum)
		return (uint64_t)x->sum > (uint64_t)y->sum ? -1 : 1;
	return by_name(a, b);
}

static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void join(struct gtrace_function *to, const struct gtrace_function *from)
{
	if (string_compare(to->inner, from->inner) != 0)
		to->inner = (struct gtrace_string){"", 0};
	to->sum = add(to->sum, from->sum);
	if (from->max > to->max || to->count == 0) {
		to->max = from->max;
		to->max_start = from->max_start;
		to->max_g = from->max_g;
	}
	to->count += from->count;
	to->delay = add(to->delay, from->delay);
	to->delaying += from->delaying;
	to->delaying_sum = add(to->delaying_sum, from->delaying_sum);
	to->blocked = add(to->blocked, from->blocked);
}

/* Joins those of the COUNT FUNCTIONS that have one name. Returns how many. */
static size_t join_all(struct gtrace_function *functions, size_t count)
{
	size_t kept = 0, i;

	if (count > 1)
		gti_sort(functions, count, sizeof(*functions), by_line);
	for (i = 0; i < count; i++)
		if (kept != 0 &&
		    by_name(&functions[kept - 1], &functions[i]) == 0)
			join(&functions[kept - 1], &functions[i]);
		else
			functions[kept++] = functions[i];
	if (kept > 1)
		gti_sort(functions, kept, sizeof(*functions), by_sum);
	return kept;
}

/* Adds FROM to the sums of the tracer. */
static void add_tracer(struct gtrace_summary *to,
		       const struct gtrace_function *from)
{
	to->tracer_count += from->count;
	to->tracer_sum =
		(int64_t)((uint64_t)to->tracer_sum + (uint64_t)from->sum);
	if (from->max > to->tracer_max)
		to->tracer_max = from->max;
}

/* Makes the function with KEY. Returns false if there is no memory. */
static bool make_function(struct report *report, const struct totals *totals,
			  struct total_key key, struct gtrace_function *to)
{
	to->work = (enum gtrace_work)key.work;
	to->line = key.line;
	return own_name(report, totals, key.function, &to->function) &&
	       own_name(report, totals, key.file, &to->file) &&
	       own_name(report, totals, key.inner, &to->inner);
}

/* Makes one function for each place in REPORT, at TO. Returns the end. */
static struct gtrace_function *
make_blocked(const struct gtrace_block_report *blocks,
	     struct gtrace_function *to)
{
	size_t i;

	for (i = 0; blocks != NULL && i < blocks->place_count; i++) {
		const struct gtrace_block_place *place = blocks->places[i];
		struct naming naming =
			gti_name_stack(place->frames, place->frame_count);
		const struct gtrace_frame *own = naming_own(&naming);

		if (own != NULL && naming.work != GTRACE_WORK_RUNTIME)
			*to++ = (struct gtrace_function){
				.function = own->function,
				.file = own->file,
				.line = own->line,
				.inner = naming.frame->function,
				.work = naming.work,
				.blocked = place->sum,
				.max_start = -1,
				.max_g = -1,
			};
	}
	return to;
}

static bool make_functions(struct report *report, const struct totals *totals,
			   const struct profile *profile,
			   const struct clock *clock)
{
	const struct gtrace_block_report *blocks = report->lists->blocks;
	size_t count = profile_count(profile), i;
	struct gtrace_function *to = gti_arena_allocate(
		&report->arena,
		(count + (blocks != NULL ? blocks->place_count : 0)) *
			sizeof(*to));

	if (to == NULL)
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(profile, i);

		to[i] = (struct gtrace_function){
			.count = from->count,
			.sum = (int64_t)from->time,
			.max = from->max,
			.max_start = clock_ns(clock, from->max_start),
			.max_g = (int64_t)from->max_g,
			.delay = wide_ns(from->delay),
			.delaying = from->delaying,
			.delaying_sum = (int64_t)from->delaying_time,
		};
		if (!make_function(
			    report, totals,
			    gti_totals_key(&totals->functions, from->name),
			    &to[i]))
			return false;
		if (to[i].work == GTRACE_WORK_TRACER)
			add_tracer(&report->public, &to[i]);
	}
	count = join_all(to, (size_t)(make_blocked(blocks, to + count) - to));
	report->public.functions = count != 0 ? to : NULL;
	report->public.function_count = count;
	return true;
}

static int compare_delays(const void *a, const void *b)
{
	const struct gtrace_function *const *x = a, *const *y = b;

	if ((*x)->delay != (*y)->delay)
		return (*x)->delay > (*y)->delay ? -1 : 1;
	return by_sum(*x, *y);
}

/* After make_functions(). */
static bool make_delaying(struct report *report)
{
	const struct gtrace_summary *from = &report->public;
	const struct gtrace_function **to = gti_arena_allocate(
		&report->arena, from->function_count * sizeof(const void *));
	size_t count = 0, i;

	for (i = 0; i < from->function_count && to != NULL; i++)
		if (from->functions[i].delay != 0)
			to[count++] = &from->functions[i];
	if (count > 1)
		gti_sort(to, count, sizeof(const void *), compare_delays);
	report->public.delaying = count != 0 ? to : NULL;
	report->public.delaying_count = count;
	return to != NULL;
}

/* Functions hold what is needed of holders: `sum` is their `stopping`. */
static bool make_holders(struct report *report, const struct totals *totals,
			 const struct profile *sums)
{
	size_t count = profile_count(sums), i;
	struct gtrace_function *all =
		gti_arena_allocate(&report->arena, count * sizeof(*all));
	struct gtrace_holder *to =
		gti_arena_allocate(&report->arena, count * sizeof(*to));

	if (all == NULL || to == NULL)
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(sums, i);

		all[i] = (struct gtrace_function){.count = from->count,
						  .sum = (int64_t)from->time};
		if (!make_function(report, totals,
				   gti_totals_key(&totals->holders, from->name),
				   &all[i]))
			return false;
	}
	count = join_all(all, count);
	for (i = 0; i < count; i++)
		to[i] = (struct gtrace_holder){
			.function = all[i].function,
			.inner = all[i].inner,
			.work = all[i].work,
			.count = all[i].count,
			.stopping = all[i].sum,
			.file = all[i].file,
			.line = all[i].line,
		};
	report->public.holders = count != 0 ? to : NULL;
	report->public.holder_count = count;
	return true;
}

/* Before the kinds of STOPS are sorted: a stop has the number of its kind. */
static bool make_longest_stop(struct report *report, struct findings *findings)
{
	struct stop stop = findings->run.holders.longest;
	struct gtrace_stop *to = &report->longest_stop;

	if (!findings->run.holders.has_longest)
		return true;
	stop.stack = 0;
	findings->run.maker.clock = findings->run.observer.clock;
	report->public.longest_stop = to;
	return gti_make_stop(&findings->run.maker, &findings->run.stops, &stop,
			     to) &&
	       own_text(report, &to->kind);
}

static uint64_t not_negative(int64_t count)
{
	return count > 0 ? (uint64_t)count : 0;
}

static void make_facts(struct gtrace_summary *to,
		       const struct findings *findings)
{
	const struct gtrace *trace = findings->run.trace;
	const struct census *census = &findings->run.observer.census;
	const struct lengths *lengths = &findings->run.profile.lengths;
	const struct stops *stops = &findings->run.stops;

	to->trace_version = trace->facts.version;
	to->in_ticks = gtrace_in_ticks(trace);
	to->length = clock_ns(&findings->run.observer.clock, census->last);
	to->procs = (int64_t)(stops->marked ? stops->procs
					    : stops->processors.count);
	to->goroutines = not_negative(census->seen);
	to->goroutines_created = not_negative(census->seen - census->initial);
	to->goroutines_alive = not_negative(census->most);
	to->events = census->events;
	to->collections = census->collections;
	to->collecting = (int64_t)census->collected;
	to->slices = (struct gtrace_distribution){
		.count = lengths->count,
		.sum = lengths->sum,
		.median = gti_lengths_quantile(lengths, 500),
		.p99 = gti_lengths_quantile(lengths, 990),
		.p999 = gti_lengths_quantile(lengths, 999),
		.max = lengths->max,
	};
	to->machine = findings->run.machine.found;
	to->slices_good = trace->left_out.unfinished ? trace->left_out.slices
						     : lengths->count;
}

static bool make_stretches(struct report *report,
			   const struct stretches *stretches)
{
	struct gtrace_summary *to = &report->public;
	struct gtrace_off_cpu *items = gti_arena_allocate(
		&report->arena, stretches->count * sizeof(*items));

	if (items == NULL)
		return false;
	memcpy(items, stretches->items, stretches->count * sizeof(*items));
	to->off_cpu = items;
	to->off_cpu_count = stretches->count;
	return true;
}

static int compare_processes(const void *a, const void *b)
{
	const struct gtrace_process *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return string_compare(x->name, y->name);
}

/* What had the CPUs of preempted threads: sums by the names of processes. */
static bool make_processes(struct report *report, const struct oncpu *oncpu)
{
	size_t names = texts_count(&oncpu->names), *count, i;
	struct gtrace_process *to =
		gti_arena_allocate(&report->arena, names * sizeof(*to));

	if (to == NULL)
		return false;
	for (i = 0; i < oncpu->threads.list.count; i++) {
		const struct oncpu_lane *thread =
			oncpu_lane_at(&oncpu->threads, i);

		if (thread->name != NO_TEXT)
			to[thread->name].sum += thread->instead;
	}
	count = &report->cpu.instead_count;
	for (i = 0; i < names; i++)
		if (to[i].sum != 0) {
			to[*count].sum = to[i].sum;
			to[*count].name = texts_at(&oncpu->names, (uint32_t)i);
			if (!own_text(report, &to[(*count)++].name))
				return false;
		}
	if (*count > 1)
		gti_sort(to, *count, sizeof(*to), compare_processes);
	report->cpu.instead = to;
	return true;
}

static bool make_cpu(struct report *report, const struct oncpu *oncpu)
{
	if (oncpu == NULL)
		return true;
	report->cpu.on_cpu = oncpu->sum.on_cpu;
	report->cpu.preempted = oncpu->sum.preempted;
	report->cpu.asleep = oncpu->sum.asleep;
	report->cpu.unknown = oncpu->unknown;
	report->public.cpu = &report->cpu;
	return make_processes(report, oncpu);
}

static enum gtrace_status fill(struct report *report, struct findings *findings,
			       const struct wanted *wanted,
			       struct gtrace_error *error)
{
	const struct totals *totals = findings->context;
	const struct profile *profile = &findings->run.profile;
	struct gtrace_summary *to = &report->public;
	enum gtrace_status status;

	make_facts(to, findings);
	if (!make_longest_stop(report, findings) ||
	    !make_stretches(report, &findings->run.machine.stretches) ||
	    !make_cpu(report, findings->run.trace->oncpu))
		return gti_fail_memory(error);
	status =
		gti_make_reports(&findings->run, wanted, &report->lists, error);
	if (status != GTRACE_OK)
		return status;
	to->first_time = report->lists->first_time;
	to->greedy = report->lists->greedy;
	to->stops = report->lists->stops;
	to->waits = report->lists->waits;
	to->delays = report->lists->delays;
	to->blocks = report->lists->blocks;
	to->filtered = findings->run.observer.filter != NULL;
	return make_functions(report, totals, profile,
			      &findings->run.observer.clock) &&
			       make_delaying(report) &&
			       make_holders(report, totals,
					    &findings->run.holders.sums) &&
			       gti_find(to, &report->arena)
		       ? GTRACE_OK
		       : gti_fail_memory(error);
}

static enum gtrace_status summarise(struct gtrace *trace, struct wanted *wanted,
				    struct report *report,
				    struct gtrace_error *error)
{
	struct totals totals;
	struct findings findings = {
		.name = gti_totals_name,
		.name_holder = gti_totals_name_holder,
		.forget = gti_totals_forget,
		.context = &totals,
	};
	enum gtrace_status status;

	gti_totals_init(&totals, &trace->memory);
	status = gti_findings_make(&findings, trace, wanted, error);
	/* Of a trace that was not read, nothing is known. */
	if (status == GTRACE_OK && findings.run.slices.started == 0 &&
	    trace->left_out.reason.status != GTRACE_OK) {
		status = trace->left_out.reason.status;
		if (error != NULL)
			*error = trace->left_out.reason;
	}
	if (status == GTRACE_OK)
		status = fill(report, &findings, wanted, error);
	status = gti_run_end(&findings.run, status, error);
	gti_totals_free(&totals);
	return status;
}

enum gtrace_status gtrace_summarise(struct gtrace *trace,
				    const struct gtrace_request *given,
				    struct gtrace_summary **summary,
				    struct gtrace_error *error)
{
	struct wanted wanted = {
		.slices = LISTED,
		.stops = LISTED,
		.blocks = PLACES,
		.all_waits = true,
		/* Whether a slice is a system call. */
		.details = true,
	};
	struct gtrace_request request;
	enum gtrace_status status = GTRACE_OK;
	struct report *report;

	*summary = NULL;
	if (given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
	if (status != GTRACE_OK)
		return status;
	if (given != NULL && request.n != 0)
		wanted.slices = request.n;
	if (given != NULL && request.stops != 0)
		wanted.stops = request.stops;
	if (given != NULL) {
		wanted.waits = request.waits;
		wanted.delays = request.delays;
		if (request.blocks > wanted.blocks)
			wanted.blocks = request.blocks;
		wanted.parts = request.parts;
		wanted.filter = request.filter;
	}
	report = gti_allocate_zeroed(&trace->memory, 1, sizeof(*report));
	if (report == NULL)
		return gti_fail_memory(error);
	report->memory = trace->memory;
	report->arena.memory = &report->memory;
	status = summarise(trace, &wanted, report, error);
	if (status == GTRACE_OK)
		*summary = &report->public;
	else
		gtrace_summary_free(&report->public);
	return status;
}

void gtrace_summary_free(struct gtrace_summary *public)
{
	struct report *report = (struct report *)public;
	struct gtrace_allocator memory;

	if (report == NULL)
		return;
	memory = report->memory;
	gtrace_reports_free(report->lists);
	gti_arena_free(&report->arena);
	gti_release(&memory, report, sizeof(*report));
}

const struct gtrace_allocator *
gti_summary_memory(const struct gtrace_summary *summary)
{
	return &((const struct report *)summary)->memory;
}
