/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis.c - what held goroutines up, ranked by harm. */
#include "report/diagnosis.h"

#include <string.h>

#include "base/least.h"
#include "base/naming.h"
#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"
#include "report/collector.h"
#include "report/diagnosing.h"

/* ---------------------------------------------------------------- adding -- */

struct gtrace_finding gti_finding_of(enum gtrace_finding_kind kind)
{
	static const char *const names[] = {
		[GTRACE_FINDING_LOAD] = "load",
		[GTRACE_FINDING_COLLECTOR] = "collector",
		[GTRACE_FINDING_STOP] = "stop",
		[GTRACE_FINDING_MACHINE] = "machine",
		[GTRACE_FINDING_FORCED] = "forced",
		[GTRACE_FINDING_FINALIZER] = "finalizer",
		[GTRACE_FINDING_SILENT] = "silent",
		[GTRACE_FINDING_STORM] = "storm",
		[GTRACE_FINDING_FUNCTION] = "function",
		[GTRACE_FINDING_HANDOVER] = "handover",
		[GTRACE_FINDING_LEAK] = "leak",
		[GTRACE_FINDING_BROADCAST] = "broadcast",
		[GTRACE_FINDING_FINE] = "fine",
	};

	return (struct gtrace_finding){
		.kind = kind,
		.name = names[kind],
		.frame = gti_no_frame,
		.inner = gti_no_frame.function,
		.worst_start = -1,
		.worst_g = -1,
	};
}

const char *gti_finding_word(const char *name)
{
	return strcmp(name, "stop") == 0 ? "pause" : name;
}

void gti_put_finding(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding)
{
	if (diagnosis->count < diagnosis->capacity && finding->harm > 0)
		diagnosis->findings[diagnosis->count++] = *finding;
}

void gti_put_instead(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding)
{
	struct gtrace_finding *findings = diagnosis->findings;
	size_t i;

	for (i = 0; finding->harm > 0 && i < diagnosis->count; i++)
		if (findings[i].kind == GTRACE_FINDING_FUNCTION &&
		    findings[i].harm / 2 <= finding->harm &&
		    string_equals(findings[i].frame.function,
				  finding->frame.function)) {
			findings[i] = findings[--diagnosis->count];
			break;
		}
	gti_put_finding(diagnosis, finding);
}

void gti_join_finding(struct gtrace_finding *to,
		      const struct gtrace_finding *from)
{
	to->harm = add_ns(to->harm, from->harm);
	to->off_cpu = add_ns(to->off_cpu, from->off_cpu);
	to->count += from->count;
	if (from->worst > to->worst) {
		to->worst = from->worst;
		to->worst_start = from->worst_start;
		to->worst_g = from->worst_g;
	}
}

/* ------------------------------------------------------------- collector -- */

static void add_finalizer(struct diagnosis *diagnosis)
{
	struct gtrace_finding finding = gti_find_finalizer(diagnosis->summary);

	gti_put_instead(diagnosis, &finding);
}

static void add_collector(struct diagnosis *diagnosis)
{
	struct gtrace_finding collector =
		gti_find_collector(diagnosis->summary, diagnosis->causes);
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
	if (x->worst != y->worst)
		return x->worst > y->worst ? -1 : 1;
	return string_compare(x->frame.function, y->frame.function);
}

static void find_time(struct diagnosis *diagnosis)
{
	struct gtrace_summary *summary = diagnosis->summary;
	double idle =
		processor_time(summary) -
		(double)greatest_of(summary->slices.sum, summary->held_time);

	summary->idle = summary->known < summary->length ? -1
			: idle > 0                       ? bounded(idle)
							 : 0;
	diagnosis->time =
		processor_time(summary) + (double)diagnosis->causes->counted;
}

/* VALUE with three digits after the point. */
static double thousandths(double value)
{
	return value < 1e12 ? (double)(int64_t)(value * 1000 + 0.5) / 1000
			    : value;
}

static void find_shares(struct diagnosis *diagnosis)
{
	struct gtrace_summary *summary = diagnosis->summary;
	double known = known_time(summary);
	size_t i;

	summary->time = bounded(diagnosis->time);
	for (i = 0; i < diagnosis->count; i++) {
		struct gtrace_finding *finding = &diagnosis->findings[i];
		double harm = (double)finding->harm;

		if (diagnosis->time > 0)
			finding->permille =
				(int64_t)(harm / diagnosis->time * 1000 + 0.5);
		finding->rank = bounded(gti_rank_cause(diagnosis, finding));
		if (known <= 0)
			continue;
		finding->rate = bounded(harm * 1e9 / known);
		finding->average = thousandths(harm / known);
	}
}

bool gti_find(struct gtrace_summary *summary, const struct causes_made *causes,
	      struct arena *arena, const char *name, uint64_t size)
{
	struct diagnosis diagnosis = {
		.summary = summary,
		.causes = causes,
		.capacity = FINDINGS_MAX + gti_count_causes(summary, causes),
	};

	summary->at_rest = causes->at_rest;
	summary->at_rest_count = causes->at_rest_count;
	summary->causes_every = causes->every;
	diagnosis.findings = gti_arena_allocate(
		arena, diagnosis.capacity * sizeof(struct gtrace_finding));
	if (diagnosis.findings == NULL)
		return false;
	find_time(&diagnosis);
	gti_add_causes(&diagnosis);
	add_stops(&diagnosis);
	add_finalizer(&diagnosis);
	add_collector(&diagnosis);
	gti_add_machine(&diagnosis);
	find_shares(&diagnosis);
	if (diagnosis.count > 1)
		gti_sort(diagnosis.findings, diagnosis.count,
			 sizeof(struct gtrace_finding), by_rank);
	summary->findings = diagnosis.findings;
	summary->finding_count =
		diagnosis.count < FINDINGS_MAX ? diagnosis.count : FINDINGS_MAX;
	return gti_tell_findings(&diagnosis, arena, name, size);
}
