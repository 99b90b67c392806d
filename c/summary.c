/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - what there is to say about a trace. */
#include <string.h>

#include "base/fail.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/strings.h"
#include "machine.h"
#include "report/diagnosis.h"
#include "causes.h"
#include "run.h"

/* From this part of `time` on, the function that assists held has a name. */
#define ASSIST_PART 100

/* So many collections make a median. */
#define GOALS 5

/* Slices and stops that are listed if the caller does not say how many. */
#define LISTED 3

/* Places where goroutines were blocked that findings are made from. */
#define PLACES 1000

static void make_facts(struct run *run, struct gtrace_summary *to)
{
	const struct gtrace *trace = run->trace;
	const struct census *census = &run->observer.census;
	const struct lengths *lengths = &run->profile.lengths;
	const struct stops *stops = &run->stops;

	gti_profile_sum(&run->profile);
	to->trace_version = trace->facts.version;
	to->in_ticks = gtrace_in_ticks(trace);
	to->origin = run_ns(run, run->observer.origin);
	to->length = run_extent(run, census->last);
	to->known = run_extent(
		run, least_of(run->observer.known_until, census->last));
	to->clock_changes = run->observer.clocks.count;
	to->clock_jump = run->observer.clocks.jump;
	to->clock_gap = (int64_t)run->observer.clocks.gap;
	to->began = greatest_of(gtrace_start_time(run->trace), -1);
	to->procs = (int64_t)(stops->marked ? stops->procs
					    : stops->processors.count);
	to->goroutines = (uint64_t)greatest_of(census->seen, 0);
	to->goroutines_created =
		(uint64_t)greatest_of(census->seen - census->initial, 0);
	to->goroutines_alive = (uint64_t)census->most;
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
	to->slices_good = trace->left_out.unfinished ? trace->left_out.slices
						     : lengths->count;
}

/* Before the kinds of stops are sorted: a stop has the number of its kind. */
static void make_longest_stop(struct run *run, struct gtrace_summary *to)
{
	struct stop stop = run->holders.longest;
	struct gtrace_stop *made;

	if (stop.number == 0)
		return;
	made = gti_make_array(run, 1, sizeof(*made));
	stop.stack = 0;
	if (made != NULL)
		gti_make_stop(run, &stop, made);
	to->longest_stop = made;
}

static int compare_processes(const void *a, const void *b)
{
	const struct gtrace_process *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return string_compare(x->name, y->name);
}

/* What had the CPUs of preempted threads: sums by the names of processes. */
static void make_processes(struct run *run, struct oncpu *oncpu,
			   struct gtrace_cpu *cpu)
{
	size_t names = texts_count(&oncpu->names), *count, i;
	struct gtrace_process *to = gti_make_array(run, names, sizeof(*to));

	if (to == NULL)
		return;
	gti_oncpu_settle(oncpu);
	for (i = 0; i < oncpu->threads.list.count; i++) {
		const struct oncpu_lane *thread =
			oncpu_lane_at(&oncpu->threads, i);

		if (thread->name != NO_TEXT)
			to[thread->name].sum += thread->instead;
	}
	count = &cpu->instead_count;
	for (i = 0; i < names; i++)
		if (to[i].sum != 0) {
			to[*count].sum = to[i].sum;
			to[*count].name = texts_at(&oncpu->names, (uint32_t)i);
			gti_own_text(run, &to[(*count)++].name);
		}
	if (*count > 1)
		gti_sort(to, *count, sizeof(*to), compare_processes);
	cpu->instead = to;
}

/* What is known of the process of the trace. */
struct own_process {
	const struct accounts *accounts;
	bool *names; /* those of threads that ran goroutines */
};

static bool is_own(const struct own_process *own,
		   const struct oncpu_lane *thread, int64_t process)
{
	if (thread->is_go || gti_accounts_find(own->accounts, thread->id))
		return true;
	if (process != 0)
		return thread->process == process;
	return thread->name != NO_TEXT && own->names[thread->name];
}

/*
 * How long threads of this process ran instead: those that ran goroutines or
 * have an account, and those of the same process; or, if the record does not
 * have processes, with the same name.
 */
static int64_t own_instead(struct run *run, const struct oncpu *oncpu)
{
	size_t count = oncpu->threads.list.count, i;
	struct own_process own = {
		.accounts = run->trace->accounts,
		.names = gti_make_array(run, texts_count(&oncpu->names),
					sizeof(bool)),
	};
	const struct oncpu_lane *thread = oncpu->threads.list.items;
	int64_t sum = 0, process = 0;

	if (own.names == NULL)
		return 0;
	for (i = 0; i < count; i++)
		if (thread[i].is_go && thread[i].name != NO_TEXT) {
			own.names[thread[i].name] = true;
			process = greatest_of(process, thread[i].process);
		}
	for (i = 0; i < count; i++)
		if (is_own(&own, &thread[i], process))
			sum = add_lengths(sum, (uint64_t)thread[i].instead);
	return sum;
}

static void make_cpu(struct run *run, struct oncpu *oncpu,
		     struct gtrace_summary *to)
{
	struct gtrace_cpu *cpu = gti_make_array(run, 1, sizeof(*cpu));

	if (cpu == NULL)
		return;
	cpu->on_cpu = oncpu->sum.on_cpu;
	cpu->preempted = oncpu->sum.preempted;
	cpu->asleep = oncpu->sum.asleep;
	cpu->unknown = oncpu->unknown;
	make_processes(run, oncpu, cpu);
	cpu->own = least_of(own_instead(run, oncpu), cpu->preempted);
	to->cpu = cpu;
}

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* See goal_percent. */
static void find_goal(struct run *run,
		      const struct gtrace_collection_report *from,
		      struct gtrace_summary *to)
{
	const struct gtrace_collection *c = from->collections;
	int64_t *goals = gti_make_array(run, from->count, sizeof(*goals));
	size_t count = 0, i;

	for (i = 0; goals != NULL && i < from->count; i++) {
		int64_t goal = i + 1 < from->count ? c[i + 1].heap_goal
						   : run->collections.goal;

		if (c[i].heap_live > 0 && goal > 0)
			goals[count++] = (int64_t)((double)goal * 100 /
						   (double)c[i].heap_live);
	}
	if (count < GOALS)
		return;
	gti_sort(goals, count, sizeof(*goals), compare_numbers);
	to->goal_percent = goals[count / 2];
}

/* Before the findings are made from it. */
static void make_goal(struct run *run, struct gtrace_summary *to)
{
	to->goal_percent = -1;
	if (to->filtered || to->collection_report == NULL)
		to->assisting = to->sweeping = -1;
	else
		find_goal(run, to->collection_report, to);
	if (to->filtered) {
		to->swept = to->forcer = NULL;
		to->forced = 0;
	}
}

/* What assists, in LISTS, cost the program whose times are in TO. */
static void make_collector(const struct gtrace_collection_report *from,
			   struct gtrace_summary *to)
{
	to->collections_percent = to->assist_share = -1;
	if (to->filtered ||
	    (to->held != NULL && to->held->sum <= to->time / ASSIST_PART))
		to->held = NULL;
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

static void make_lists(struct run *run, struct gtrace_summary *to)
{
	struct gtrace_reports lists = {.greedy = NULL};

	gti_fill_reports(run, &lists);
	to->first_time = lists.first_time;
	to->greedy = lists.greedy;
	to->stops = lists.stops;
	to->waits = lists.waits;
	to->delays = lists.delays;
	to->blocks = lists.blocks;
	to->collection_report = lists.collections;
}

/* How long processors were without a goroutine, in all. */
static int64_t idle_time(const struct gtrace_summary *summary)
{
	double idle = (double)summary->known * (double)summary->procs -
		      (double)summary->slices.sum;

	return idle <= 0 ? 0 : idle < 0x1p62 ? (int64_t)idle : INT64_MAX / 2;
}

static enum gtrace_status make_summary(struct run *run,
				       struct gtrace_error *error)
{
	struct made *made = run->wanted->context;
	struct gtrace_summary *to = &made->public.summary;
	const struct left_out *left_out = &run->trace->left_out;
	const struct filter *filter = run->observer.filter;
	struct causes_made causes = {.functions = NULL};

	/* Of a trace that was not read, nothing is known. */
	if (run->slices.started == 0 && left_out->reason.status != GTRACE_OK) {
		*error = left_out->reason;
		return error->status;
	}
	make_facts(run, to);
	make_longest_stop(run, to);
	gti_make_machine(run, to);
	gti_make_threads(run, to);
	if (run->trace->oncpu != NULL)
		make_cpu(run, run->trace->oncpu, to);
	make_lists(run, to);
	to->filtered = filter != NULL;
	to->in_period = filter != NULL &&
			(filter->asked.from != 0 || filter->asked.to != 0);
	if (run->failed)
		return gti_fail_memory(error);
	gti_make_totals(run, to);
	make_goal(run, to);
	gti_make_causes(run, to->known, idle_time(to), to->waits, &causes);
	if (run->failed ||
	    !gti_find(to, &causes, run->arena, run->wanted->request.name,
		      run->trace->input.size))
		return gti_fail_memory(error);
	make_collector(to->collection_report, to);
	return GTRACE_OK;
}

enum gtrace_status gtrace_summarise(struct gtrace *trace,
				    const struct gtrace_request *given,
				    struct gtrace_summary **summary,
				    struct gtrace_error *error)
{
	struct wanted wanted = {
		.all_waits = true,
		.sums = SUMS_OF_SLICES,
		.holders = true,
		.causes = true,
		.make = make_summary,
	};
	struct gtrace_request *request = &wanted.request, asked;
	struct made *made;
	enum gtrace_status status =
		gti_take_request(&asked, given, REQUEST_SUMMARY, error);

	*summary = NULL;
	if (status != GTRACE_OK)
		return status;
	*request = (struct gtrace_request){
		.n = asked.n != 0 ? asked.n : LISTED,
		.stops = asked.stops != 0 ? asked.stops : LISTED,
		.filter = asked.filter,
		.name = asked.name,
		/* Whether a slice is a system call. */
		.details = 1,
		.waits = asked.waits,
		.delays = asked.delays,
		.parts = asked.parts,
		.blocks = asked.blocks > PLACES ? asked.blocks : PLACES,
		.rows = asked.rows != 0 ? asked.rows : 1,
		/* For the caller, or for what a summary says of them. */
		.collections = asked.collections != 0 ||
			       !gti_is_filtered(asked.filter),
	};
	wanted.holds = asked.blocks != 0;
	wanted.brief = asked.brief != 0 || asked.collections == 0;
	status = gti_made(trace, &wanted, &made, error);
	if (status != GTRACE_OK)
		return status;
	if (asked.collections == 0)
		made->public.summary.collection_report = NULL;
	*summary = &made->public.summary;
	return status;
}

void gtrace_summary_free(struct gtrace_summary *public)
{
	gti_free_made((struct made *)public);
}

const struct gtrace_allocator *
gti_summary_memory(const struct gtrace_summary *summary)
{
	return &((const struct made *)summary)->memory;
}
