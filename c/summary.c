/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - what there is to say about a trace. */
#include "base/fail.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/strings.h"
#include "report/diagnosis.h"
#include "totals.h"

/* From this part of `time` on, the function that assists held has a name. */
#define ASSIST_PART 100

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

/* Replaces TEXT by a copy in the report. Returns false without memory. */
static bool own_text(struct report *report, struct gtrace_string *text)
{
	text->data = gti_arena_copy(&report->arena, text->data, text->size);
	return text->data != NULL;
}

/* Before the kinds of STOPS are sorted: a stop has the number of its kind. */
static bool make_longest_stop(struct report *report, struct run *run)
{
	struct stop stop = run->holders.longest;
	struct gtrace_stop *to = &report->longest_stop;

	if (stop.number == 0)
		return true;
	stop.stack = 0;
	run->maker.clock = run->observer.clock;
	report->public.longest_stop = to;
	return gti_make_stop(&run->maker, &run->stops, &stop, to) &&
	       own_text(report, &to->kind);
}

static uint64_t not_negative(int64_t count)
{
	return count > 0 ? (uint64_t)count : 0;
}

static void make_facts(struct gtrace_summary *to, struct run *run)
{
	const struct gtrace *trace = run->trace;
	const struct census *census = &run->observer.census;
	const struct lengths *lengths = &run->profile.lengths;
	const struct stops *stops = &run->stops;

	gti_profile_sum(&run->profile);
	to->trace_version = trace->facts.version;
	to->in_ticks = gtrace_in_ticks(trace);
	to->length = clock_ns(&run->observer.clock, census->last);
	to->known = clock_ns(&run->observer.clock,
			     least_of(run->observer.known_until, census->last));
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
	if (run->observer.machine != NULL)
		to->machine = run->observer.machine->found;
	to->slices_good = trace->left_out.unfinished ? trace->left_out.slices
						     : lengths->count;
}

static bool make_stretches(struct report *report, const struct machine *machine)
{
	struct gtrace_summary *to = &report->public;
	const struct stretches *stretches;
	struct gtrace_off_cpu *items;

	if (machine == NULL)
		return true;
	stretches = &machine->stretches;
	items = gti_arena_allocate(&report->arena,
				   stretches->count * sizeof(*items));
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

/* What assists, in LISTS, cost the program whose times are in TO. */
static void make_collector(const struct gtrace_collection_report *from,
			   struct gtrace_summary *to)
{
	to->collections_percent = to->assist_share = -1;
	if (from == NULL || to->filtered)
		return;
	/* Without events of workers, hardly anything of it is known. */
	if (from->total.dedicated_cpu != -1)
		to->collections_percent = from->total.percent;
	to->assist_share = from->total.assist_share;
	if (from->function_count != 0 &&
	    from->functions->held > to->time / ASSIST_PART)
		to->assist = from->functions;
}

static enum gtrace_status fill(struct report *report, struct run *run,
			       const struct wanted *wanted,
			       struct gtrace_error *error)
{
	struct gtrace_summary *to = &report->public;
	enum gtrace_status status;

	make_facts(to, run);
	if (!make_longest_stop(report, run) ||
	    !make_stretches(report, run->observer.machine) ||
	    !make_cpu(report, run->trace->oncpu))
		return gti_fail_memory(error);
	status = gti_make_reports(run, wanted, &report->lists, error);
	if (status != GTRACE_OK)
		return status;
	to->first_time = report->lists->first_time;
	to->greedy = report->lists->greedy;
	to->stops = report->lists->stops;
	to->waits = report->lists->waits;
	to->delays = report->lists->delays;
	to->blocks = report->lists->blocks;
	to->collection_report = report->lists->collections;
	to->filtered = run->observer.filter != NULL;
	to->in_period =
		to->filtered && (run->observer.filter->asked.from != 0 ||
				 run->observer.filter->asked.to != 0);
	if (!gti_totals_make(wanted->context, run, &report->arena, to) ||
	    !gti_find(to, &report->arena, wanted->request.name))
		return gti_fail_memory(error);
	make_collector(report->lists->collections, to);
	return GTRACE_OK;
}

static enum gtrace_status summarise(struct gtrace *trace, struct wanted *wanted,
				    struct report *report,
				    struct gtrace_error *error)
{
	struct totals totals;
	struct run run;
	enum gtrace_status status;

	gti_totals_init(&totals, &trace->memory);
	wanted->name = gti_totals_name;
	wanted->name_holder = gti_totals_name_holder;
	wanted->restart = gti_totals_forget;
	wanted->context = &totals;
	status = gti_run(&run, trace, wanted, error);
	/* Of a trace that was not read, nothing is known. */
	if (status == GTRACE_OK && run.slices.started == 0 &&
	    trace->left_out.reason.status != GTRACE_OK) {
		status = trace->left_out.reason.status;
		if (error != NULL)
			*error = trace->left_out.reason;
	}
	if (status == GTRACE_OK)
		status = fill(report, &run, wanted, error);
	status = gti_run_end(&run, status, error);
	gti_totals_free(&totals);
	return status;
}

enum gtrace_status gtrace_summarise(struct gtrace *trace,
				    const struct gtrace_request *given,
				    struct gtrace_summary **summary,
				    struct gtrace_error *error)
{
	struct wanted wanted = {
		.request =
			{
				.n = LISTED,
				.stops = LISTED,
				.blocks = PLACES,
				/* Whether a slice is a system call. */
				.details = 1,
			},
		.all_waits = true,
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
		wanted.request.n = request.n;
	if (given != NULL && request.stops != 0)
		wanted.request.stops = request.stops;
	if (given != NULL) {
		wanted.request.name = request.name;
		wanted.request.waits = request.waits;
		wanted.request.delays = request.delays;
		if (request.blocks > wanted.request.blocks)
			wanted.request.blocks = request.blocks;
		wanted.request.parts = request.parts;
		wanted.request.collections = request.collections != 0;
		wanted.request.rows = request.rows;
		wanted.request.filter = request.filter;
		wanted.brief = request.brief != 0;
	}
	/* What is made for the caller, or what a summary says of it. */
	wanted.brief |= !wanted.request.collections;
	wanted.request.collections |= !gti_is_filtered(wanted.request.filter);
	if (wanted.request.rows == 0)
		wanted.request.rows = 1;
	report = gti_allocate_zeroed(&trace->memory, 1, sizeof(*report));
	if (report == NULL)
		return gti_fail_memory(error);
	report->memory = trace->memory;
	report->arena.memory = &report->memory;
	status = summarise(trace, &wanted, report, error);
	if (given == NULL || request.collections == 0)
		report->public.collection_report = NULL;
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
