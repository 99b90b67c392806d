/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis.c - what kept goroutines from going on, ranked by harm. */
#include "report/diagnosis.h"

#include "base/least.h"
#include "base/naming.h"
#include "base/sort.h"
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/collector.h"
#include "report/diagnosing.h"

#define OF_A_KIND 16 /* functions that delayed others */

/*
 * If processors are busy for this percentage of the time, they are too few; and
 * so they are if on average one goroutine waits for each of them.
 */
#define LOADED 80

/*
 * No function alone causes the load, and where no function of the program is in
 * a stack none is known: a finding that has a name and this part of their harm
 * comes before them.
 */
#define LOAD_PART 5

/* ---------------------------------------------------------------- adding -- */

struct gtrace_finding gti_finding_of(enum gtrace_finding_kind kind)
{
	static const char *const names[] = {
		[GTRACE_FINDING_DELAY] = "delay",
		[GTRACE_FINDING_LOAD] = "load",
		[GTRACE_FINDING_COLLECTOR] = "collector",
		[GTRACE_FINDING_STOP] = "stop",
		[GTRACE_FINDING_LOCK] = "lock",
		[GTRACE_FINDING_SEND] = "channel send",
		[GTRACE_FINDING_SYSCALL] = "system call",
		[GTRACE_FINDING_MACHINE] = "machine",
		[GTRACE_FINDING_FORCED] = "forced",
		[GTRACE_FINDING_FINALIZER] = "finalizer",
		[GTRACE_FINDING_SILENT] = "silent",
		[GTRACE_FINDING_STORM] = "storm",
	};

	return (struct gtrace_finding){
		.kind = kind,
		.name = names[kind],
		.frame = gti_no_frame,
		.inner = gti_no_frame.function,
		.holder = gti_no_frame,
		.worst_start = -1,
		.worst_g = -1,
	};
}

void gti_put_finding(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding)
{
	if (diagnosis->count < FINDINGS_MAX && finding->harm > 0)
		diagnosis->findings[diagnosis->count++] = *finding;
}

void gti_join_finding(struct gtrace_finding *to,
		      const struct gtrace_finding *from)
{
	to->harm += from->harm;
	to->off_cpu += from->off_cpu;
	to->count += from->count;
	if (from->worst > to->worst) {
		to->worst = from->worst;
		to->worst_start = from->worst_start;
		to->worst_g = from->worst_g;
	}
}

/* ---------------------------------------------------------------- delays -- */

static struct gtrace_finding finding_of_slices(const struct gtrace_function *of)
{
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_DELAY);

	finding.frame = of->frame;
	finding.inner = of->inner;
	finding.harm = (int64_t)((uint64_t)of->delay - (uint64_t)of->off_cpu);
	finding.off_cpu = of->off_cpu;
	finding.count = of->delaying;
	finding.length = bounded((double)of->delaying_sum *
				 (double)finding.harm / (double)of->delay);
	finding.worst = of->max;
	finding.worst_start = of->max_start;
	finding.worst_g = of->max_g;
	finding.sure = 1;
	return finding;
}

static void add_delays(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	size_t added = 0, i;

	for (i = 0; i < summary->delaying_count; i++) {
		enum gtrace_work work = summary->delaying[i]->work;
		struct gtrace_finding finding =
			finding_of_slices(summary->delaying[i]);

		if (work < GTRACE_WORK_GC_DEDICATED &&
		    work != GTRACE_WORK_TRACER && added++ < OF_A_KIND)
			gti_put_finding(diagnosis, &finding);
	}
}

static void add_load(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_LOAD);

	finding.harm = bounded((1 - gti_certain_part(summary)) *
			       (double)summary->delays->waited);
	finding.count = summary->waits->whole + summary->waits->before +
			summary->waits->unfinished;
	finding.worst = gti_longest_wait(summary->waits);
	finding.length = summary->slices.sum;
	if (100 * (double)finding.length >= LOADED * processor_time(summary) ||
	    (double)finding.harm >= processor_time(summary))
		gti_put_finding(diagnosis, &finding);
}

/* ---------------------------------------------------------------- blocks -- */

/*
 * Whether goroutines rest at PLACE: one block lasted for half of the trace, and
 * on average no more than two of those that others ended lasted at a time.
 */
static bool rests(const struct gtrace_summary *summary,
		  const struct gtrace_block_place *place)
{
	int64_t sum = place->ended_more_sum;
	size_t i;

	for (i = 0; i < place->ender_count; i++)
		if (place->enders[i].frame_count != 0)
			sum += place->enders[i].sum;
	return place->max >= summary->known / 2 && sum / 2 <= summary->known;
}

/* How long goroutines could not go on because of PLACE. */
static int64_t harm_of(const struct gtrace_summary *summary,
		       const struct gtrace_block_place *place)
{
	switch (place->kind) {
	case GTRACE_BLOCK_LOCK:
		return bounded((1 - gti_certain_part(summary)) *
			       (double)place->sum);
	case GTRACE_BLOCK_ASSIST:
		return place->sum;
	case GTRACE_BLOCK_SEND:
	case GTRACE_BLOCK_SELECT:
		return rests(summary, place) ? 0 : place->sum;
	case GTRACE_BLOCK_SYSCALL:
		return rests(summary, place) ? 0 : place->slow;
	default:
		return 0;
	}
}

static enum gtrace_finding_kind kind_of(const struct gtrace_block_place *place)
{
	if (place->kind == GTRACE_BLOCK_SEND ||
	    place->kind == GTRACE_BLOCK_SELECT)
		return GTRACE_FINDING_SEND;
	return place->kind == GTRACE_BLOCK_SYSCALL ? GTRACE_FINDING_SYSCALL
						   : GTRACE_FINDING_LOCK;
}

/* The program's frame where PLACE was held longest, or most blocks ended. */
static struct gtrace_frame ender_of(const struct gtrace_block_place *place)
{
	const struct gtrace_unblocker *ender =
		place->holder_count != 0 ? place->holders : place->enders;
	struct naming naming;

	if (place->ender_count == 0)
		return gti_no_frame;
	naming = gti_name_stack(ender->frames, ender->frame_count);
	return *naming_own(&naming);
}

/* Whether A and B are one: different system calls of a function are not. */
static bool is_same(const struct gtrace_finding *a,
		    const struct gtrace_finding *b)
{
	return a->kind == b->kind &&
	       string_equals(a->frame.function, b->frame.function) &&
	       (a->kind != GTRACE_FINDING_SYSCALL ||
		string_equals(a->inner, b->inner));
}

/* Adds FINDING of the place with NAMING, or joins it to one of its function. */
static void add_place(struct diagnosis *diagnosis,
		      struct gtrace_finding *finding,
		      const struct naming *naming,
		      const struct gtrace_block_place *place)
{
	size_t i;

	if (naming->frame == NULL || naming->work != GTRACE_WORK_PROGRAM)
		return;
	finding->frame = *naming_own(naming);
	finding->inner = naming->frame->function;
	for (i = 0; i < diagnosis->count; i++)
		if (is_same(&diagnosis->findings[i], finding)) {
			gti_join_finding(&diagnosis->findings[i], finding);
			return;
		}
	finding->holder = ender_of(place);
	finding->sure = 1;
	gti_put_finding(diagnosis, finding);
}

static void add_block(struct diagnosis *diagnosis, int64_t harm,
		      const struct gtrace_block_place *place)
{
	struct naming naming =
		gti_name_stack(place->frames, place->frame_count);
	struct gtrace_finding finding = gti_finding_of(kind_of(place));

	if (diagnosis->has_finalizer && gti_is_finalizer(place))
		return;
	finding.harm = harm;
	finding.count = place->kind == GTRACE_BLOCK_SYSCALL ? place->slow_count
							    : place->count;
	finding.worst = place->max;
	finding.worst_start = place->max_start;
	finding.worst_g = place->max_g;
	diagnosis->time += (double)finding.harm;
	if (!gti_is_for_collector(place))
		add_place(diagnosis, &finding, &naming, place);
}

static void add_blocks(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	const struct gtrace_block_report *blocks = summary->blocks;
	size_t i;

	for (i = 0; blocks != NULL && i < blocks->place_count; i++)
		add_block(diagnosis, harm_of(summary, blocks->places[i]),
			  blocks->places[i]);
}

/* Finalizers come before blocks, which they are left out of. */
static void add_finalizer(struct diagnosis *diagnosis)
{
	struct gtrace_finding finding = gti_find_finalizer(diagnosis->summary);

	diagnosis->has_finalizer = finding.harm > 0;
	diagnosis->time += (double)finding.harm;
	gti_put_finding(diagnosis, &finding);
}

static void add_collector(struct diagnosis *diagnosis)
{
	struct gtrace_finding collector =
		gti_find_collector(diagnosis->summary);
	struct gtrace_finding forced = gti_find_forced(diagnosis->summary);

	gti_put_finding(diagnosis, &collector);
	gti_put_finding(diagnosis, &forced);
}

/* ----------------------------------------------------------------- stops -- */

/* What held up stops longest, but for the tracer. NULL: no goroutine. */
static const struct gtrace_function *worst(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->holder_count; i++)
		if (summary->holders[i].work != GTRACE_WORK_SCHEDULER &&
		    summary->holders[i].work != GTRACE_WORK_NONE &&
		    summary->holders[i].work != GTRACE_WORK_TRACER)
			return &summary->holders[i];
	return NULL;
}

static void add_stops(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	const struct gtrace_stop_kind *all = &summary->stops->all;
	const struct gtrace_stop *longest = summary->longest_stop;
	const struct gtrace_function *holder = worst(summary);
	double lost = (double)all->stopping + (double)all->stopped;
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_STOP);

	if (longest == NULL || summary->stops->measured == 0)
		return;
	finding.count = summary->stops->measured;
	finding.harm = bounded(lost * (double)summary->procs);
	finding.worst = longest->stopping + longest->stopped;
	finding.worst_start = longest->requested;
	finding.worst_g = longest->g;
	if (holder != NULL && 2 * (double)holder->sum >= lost) {
		finding.frame = holder->frame;
		finding.inner = holder->inner;
		finding.sure = 1;
	}
	gti_put_finding(diagnosis, &finding);
}

/* ------------------------------------------------------------------- all -- */

static int by_rank(const void *a, const void *b)
{
	const struct gtrace_finding *x = a, *y = b;

	bool x_first = x->kind == GTRACE_FINDING_FINALIZER;
	bool y_first = y->kind == GTRACE_FINDING_FINALIZER;

	if (x_first != y_first)
		return x_first ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return x->worst > y->worst ? -1 : x->worst < y->worst;
}

static void find_time(struct diagnosis *diagnosis)
{
	struct gtrace_summary *summary = diagnosis->summary;
	double idle = processor_time(summary) - (double)summary->slices.sum -
		      (double)summary->machine.off_cpu.sum;
	int64_t waited = summary->waits->all.sum;

	summary->idle = summary->known < summary->length ? -1
			: idle > 0                       ? bounded(idle)
							 : 0;
	if (waited < summary->delays->waited)
		waited = summary->delays->waited;
	diagnosis->time = processor_time(summary) + (double)waited;
}

/*
 * By what FINDING, of HARM, is ranked: slices, or all of them, stall a program
 * no longer than they last, however many goroutines wait.
 */
static double rank(const struct diagnosis *diagnosis,
		   const struct gtrace_finding *finding, double harm)
{
	double most = (double)finding->length /
		      processor_time(diagnosis->summary) * diagnosis->time;

	if (finding->kind == GTRACE_FINDING_LOAD)
		return (harm < most ? harm : most) / LOAD_PART;
	if (finding->kind != GTRACE_FINDING_DELAY)
		return harm;
	if (finding->frame.function.size == 0 ||
	    gti_is_standard(finding->frame.function))
		harm /= LOAD_PART;
	return harm < most ? harm : most;
}

static void find_shares(struct diagnosis *diagnosis)
{
	struct gtrace_summary *summary = diagnosis->summary;
	size_t i;

	summary->time = bounded(diagnosis->time);
	for (i = 0; i < diagnosis->count; i++) {
		struct gtrace_finding *finding = &diagnosis->findings[i];
		double harm = (double)finding->harm;

		if (diagnosis->time > 0)
			finding->permille =
				(int64_t)(harm / diagnosis->time * 1000 + 0.5);
		finding->rank = bounded(rank(diagnosis, finding, harm));
		if (summary->known > 0)
			finding->rate =
				bounded(harm * 1e9 / (double)summary->known);
	}
}

bool gti_find(struct gtrace_summary *summary, struct arena *arena,
	      const char *name)
{
	struct diagnosis diagnosis = {
		.summary = summary,
	};

	diagnosis.findings = gti_arena_allocate(
		arena, FINDINGS_MAX * sizeof(struct gtrace_finding));
	if (diagnosis.findings == NULL)
		return false;
	find_time(&diagnosis);
	add_delays(&diagnosis);
	add_load(&diagnosis);
	add_stops(&diagnosis);
	add_finalizer(&diagnosis);
	add_blocks(&diagnosis);
	add_collector(&diagnosis);
	gti_add_machine(&diagnosis);
	find_shares(&diagnosis);
	if (diagnosis.count > 1)
		gti_sort(diagnosis.findings, diagnosis.count,
			 sizeof(struct gtrace_finding), by_rank);
	summary->findings = diagnosis.findings;
	summary->finding_count = diagnosis.count;
	return gti_tell_findings(summary, diagnosis.findings, arena, name);
}
