/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - findings of functions in which chains of waits end, and others. */
#include "base/naming.h"
#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"
#include "report/causes.h"
#include "report/diagnosing.h"

/* What names no function counts this part of its harm. */
#define NAMELESS_PART 4

/*
 * Work is cut too fine if half of the slices are shorter than this, and if what
 * each of them costs beside is a part of the processors' time.
 */
#define FINE_SLICE 2000
#define FINE_COST  500
#define FINE_PART  10

/* ------------------------------------------------------------- functions -- */

enum gtrace_hold gti_greatest_part(const struct gtrace_finding *finding)
{
	size_t greatest = 0, i;

	for (i = 1; i < GTRACE_HOLDS; i++)
		if (finding->parts[i] > finding->parts[greatest])
			greatest = i;
	return (enum gtrace_hold)greatest;
}

bool gti_is_delay(const struct gtrace_finding *finding)
{
	return finding->parts[GTRACE_HOLD_DELAY] > finding->harm / 2;
}

static struct gtrace_finding finding_of_cause(const struct cause_made *cause)
{
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_FUNCTION);
	double harm = 0;
	size_t i;

	for (i = 0; i < GTRACE_HOLDS; i++) {
		finding.parts[i] = cause->parts[i];
		finding.inners[i] = cause->inner[i];
		harm += (double)cause->parts[i];
	}
	finding.frame = cause->frame;
	finding.harm = bounded(harm);
	finding.itself = cause->itself;
	finding.others = cause->others;
	finding.count = cause->count;
	finding.worst = cause->worst;
	finding.worst_start = cause->worst_start;
	finding.worst_g = cause->worst_g;
	finding.victims = cause->victims;
	finding.victim_count = cause->victim_count;
	return finding;
}

/* Whether the delay by slices OF a function is one that has a name of yours. */
static bool has_name(const struct gtrace_function *of)
{
	return of->work < GTRACE_WORK_GC_DEDICATED &&
	       of->work != GTRACE_WORK_TRACER && of->frame.function.size != 0 &&
	       !gti_is_runtime_frame(&of->frame) &&
	       !gti_is_standard(of->frame.function);
}

int64_t gti_harm_of_delay(const struct gtrace_function *of,
			  const struct causes_made *causes)
{
	return bounded(((double)of->delay - (double)of->off_cpu) *
		       (1 - causes->short_part));
}

static struct gtrace_finding finding_of_delay(const struct gtrace_function *of,
					      const struct causes_made *causes)
{
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_FUNCTION);

	finding.frame = of->frame;
	finding.harm = gti_harm_of_delay(of, causes);
	finding.parts[GTRACE_HOLD_DELAY] = finding.others = finding.harm;
	finding.inners[GTRACE_HOLD_DELAY] = of->inner;
	finding.off_cpu = of->off_cpu;
	finding.count = of->delaying;
	finding.length = bounded((double)of->delaying_sum *
				 (double)finding.harm / (double)of->delay);
	finding.worst = of->max;
	finding.worst_start = of->max_start;
	finding.worst_g = of->max_g;
	return finding;
}

/* The order of the functions of A and B; 0: they are instances of one. */
static int compare_functions(const struct gtrace_finding *a,
			     const struct gtrace_finding *b)
{
	char x[NAME_WITHOUT_TYPES], y[NAME_WITHOUT_TYPES];

	return string_compare(gti_name_without_types(a->frame.function, x),
			      gti_name_without_types(b->frame.function, y));
}

static int by_function(const void *a, const void *b)
{
	const struct gtrace_finding *x = a, *y = b;
	int order = compare_functions(x, y);

	if (order != 0 || x->harm == y->harm)
		return order;
	return x->harm > y->harm ? -1 : 1;
}

/* Adds FROM to TO, which is of the same function and not less. */
static void join(struct gtrace_finding *to, const struct gtrace_finding *from)
{
	struct gtrace_finding add = *from;
	size_t i;

	/* The longest one is a slice or a wait, as most are. */
	if (gti_is_delay(from) != gti_is_delay(to))
		add.worst = 0;
	for (i = 0; i < GTRACE_HOLDS; i++) {
		if (from->parts[i] > to->parts[i])
			to->inners[i] = from->inners[i];
		to->parts[i] += from->parts[i];
	}
	to->itself += from->itself;
	to->others += from->others;
	to->length = add_ns(to->length, from->length);
	if (to->victim_count == 0) {
		to->victims = from->victims;
		to->victim_count = from->victim_count;
	}
	gti_join_finding(to, &add);
}

/* Joins the COUNT FINDINGS by function. Returns how many there are. */
static size_t join_functions(struct gtrace_finding *findings, size_t count)
{
	size_t kept = 0, i;

	if (count > 1)
		gti_sort(findings, count, sizeof(*findings), by_function);
	for (i = 0; i < count; i++)
		if (kept != 0 &&
		    compare_functions(&findings[kept - 1], &findings[i]) == 0)
			join(&findings[kept - 1], &findings[i]);
		else
			findings[kept++] = findings[i];
	for (i = 0; i < kept; i++) {
		findings[i].inner =
			findings[i].inners[gti_greatest_part(&findings[i])];
		findings[i].sure = 1;
	}
	return kept;
}

static void add_functions(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	const struct causes_made *causes = diagnosis->causes;
	struct gtrace_finding finding;
	size_t i;

	for (i = 0; i < causes->function_count; i++) {
		finding = finding_of_cause(&causes->functions[i]);
		gti_put_finding(diagnosis, &finding);
	}
	for (i = 0; i < summary->delaying_count; i++) {
		finding = finding_of_delay(summary->delaying[i], causes);
		if (has_name(summary->delaying[i]))
			gti_put_finding(diagnosis, &finding);
	}
	diagnosis->count =
		join_functions(diagnosis->findings, diagnosis->count);
}

/* ---------------------------------------------------------------- others -- */

/* A finding of KIND, with the times of FROM. */
static struct gtrace_finding finding_of_sum(enum gtrace_finding_kind kind,
					    const struct cause_sum *from)
{
	struct gtrace_finding finding = gti_finding_of(kind);

	finding.harm = from->sum;
	finding.count = from->count;
	finding.worst = from->worst;
	finding.worst_start = from->worst_start;
	finding.worst_g = from->worst_g;
	return finding;
}

/* What waited while a processor was idle is part of the load if it is less. */
static void add_load(struct diagnosis *diagnosis)
{
	const struct causes_made *causes = diagnosis->causes;
	struct gtrace_finding load =
		finding_of_sum(GTRACE_FINDING_LOAD, &causes->load);
	struct gtrace_finding handover =
		finding_of_sum(GTRACE_FINDING_HANDOVER, &causes->handover);

	load.length = diagnosis->summary->slices.sum;
	load.harm = bounded((1 - gti_certain_part(diagnosis->summary)) *
			    (double)load.harm);
	if (handover.harm > load.harm)
		gti_put_finding(diagnosis, &handover);
	else
		gti_join_finding(&load, &handover);
	gti_put_finding(diagnosis, &load);
}

static void add_leaks(struct diagnosis *diagnosis)
{
	const struct causes_made *causes = diagnosis->causes;
	size_t i;

	for (i = 0; i < causes->leak_count; i++) {
		const struct leak_made *leak = &causes->leaks[i];
		struct gtrace_finding finding =
			finding_of_sum(GTRACE_FINDING_LEAK, &leak->blocked);

		finding.frame = leak->place.frame;
		finding.inner = leak->place.inner;
		finding.count = leak->place.count;
		finding.victims = &leak->place;
		finding.victim_count = 1;
		gti_put_finding(diagnosis, &finding);
	}
}

static void add_broadcasts(struct diagnosis *diagnosis)
{
	const struct causes_made *causes = diagnosis->causes;
	size_t i;

	for (i = 0; i < causes->broadcast_count; i++) {
		const struct broadcast_made *from = &causes->broadcasts[i];
		struct gtrace_finding finding =
			finding_of_sum(GTRACE_FINDING_BROADCAST, &from->lost);

		finding.frame = from->frame;
		finding.inner = from->inner;
		finding.count = from->woken;
		finding.victims = &from->idle;
		finding.victim_count = 1;
		gti_put_finding(diagnosis, &finding);
	}
}

static void add_fine(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_FINE);
	double harm = (double)summary->slices.count * FINE_COST;

	if (summary->in_ticks || summary->slices.median >= FINE_SLICE ||
	    harm * FINE_PART < processor_time(summary))
		return;
	finding.harm = bounded(harm);
	finding.count = summary->slices.count;
	gti_put_finding(diagnosis, &finding);
}

size_t gti_count_causes(const struct gtrace_summary *summary,
			const struct causes_made *causes)
{
	return causes->function_count + summary->delaying_count +
	       causes->leak_count + causes->broadcast_count;
}

void gti_add_causes(struct diagnosis *diagnosis)
{
	add_functions(diagnosis);
	add_load(diagnosis);
	add_leaks(diagnosis);
	add_broadcasts(diagnosis);
	add_fine(diagnosis);
}

/* ------------------------------------------------------------------ rank -- */

/*
 * Slices, or all of them, stall a program no longer than they last, however
 * many goroutines wait.
 */
static double least_share(const struct diagnosis *diagnosis,
			  const struct gtrace_finding *finding, double harm)
{
	double most = (double)finding->length /
		      processor_time(diagnosis->summary) * diagnosis->time;

	return harm < most ? harm : most;
}

double gti_rank_cause(const struct diagnosis *diagnosis,
		      const struct gtrace_finding *finding)
{
	double harm = (double)finding->harm;
	double delay = (double)finding->parts[GTRACE_HOLD_DELAY];

	switch (finding->kind) {
	case GTRACE_FINDING_FUNCTION:
		return harm - delay + least_share(diagnosis, finding, delay);
	case GTRACE_FINDING_LOAD:
		return least_share(diagnosis, finding, harm) / NAMELESS_PART;
	case GTRACE_FINDING_HANDOVER:
		return (1 - gti_certain_part(diagnosis->summary)) * harm /
		       NAMELESS_PART;
	default:
		return harm;
	}
}
