/* SPDX-License-Identifier: BSD-3-Clause */
/* collector.c - the findings about the garbage collector. */
#include "report/collector.h"

#include "base/naming.h"
#include "base/strings.h"
#include "base/times.h"
#include "report/block_kinds.h"
#include "report/diagnosing.h"

/* If the time in a function is less of a collector's harm, it has no name. */
#define NAMED_PART 5

/* Of at least so many collections, this part is forced: a finding. */
#define FORCED_LEAST 3
#define FORCED_PART  2

/* What lives leaves less than this percentage of it to allocate: a limit. */
#define GOAL_LEAST 120

/* Finalizers that are blocked for this part of the trace are a finding. */
#define FINALIZER_PART 2

/* For how long goroutines of the program could not go on, by the reason. */
struct harms {
	int64_t assists;  /* they marked, were blocked in that, or waited for
			     one that did */
	int64_t workers;  /* workers of the collector had their processors */
	int64_t sweeping; /* they swept when they allocated */
	int64_t waits;    /* they waited until it had begun or finished */
};

/* ---------------------------------------------------------------- places -- */

/* Whether PLACE is in a mark assist. */
static bool assists(const struct gtrace_block_place *place)
{
	size_t i;

	for (i = 0; i < place->frame_count; i++)
		if (string_is(place->frames[i].function,
			      "runtime.gcAssistAlloc"))
			return true;
	return place->kind == GTRACE_BLOCK_ASSIST;
}

/* Whether goroutines at PLACE help the collector, or wait for it. */
static bool is_for_collector(const struct gtrace_block_place *place)
{
	return place->kind == GTRACE_BLOCK_ASSIST ||
	       gti_block_collects(place->frames, place->frame_count);
}

bool gti_is_finalizer(const struct gtrace_block_place *place)
{
	const struct naming naming =
		gti_name_stack(place->frames, place->frame_count);
	struct gtrace_string first;

	if (place->frame_count == 0 || naming.work != GTRACE_WORK_PROGRAM ||
	    gti_is_standard(naming_own(&naming)->function))
		return false;
	first = place->frames[place->frame_count - 1].function;
	/* Up to Go 1.24 runfinq is what runFinalizers is later. */
	return string_is(first, "runtime.runfinq") ||
	       string_is(first, "runtime.runFinalizers") ||
	       string_is(first, "runtime.runCleanups");
}

/* The blocks at PLACE. */
static struct gtrace_finding blocked(const struct gtrace_block_place *place)
{
	return (struct gtrace_finding){
		.harm = place->sum,
		.count = place->count,
		.worst = place->max,
		.worst_start = place->max_start,
		.worst_g = place->max_g,
	};
}

/* ------------------------------------------------------------- collector -- */

static bool is_worker(const struct gtrace_function *function)
{
	return function->work >= GTRACE_WORK_GC_DEDICATED;
}

/* The first place of FINDING that is of the program gives it a name. */
static void name_by(struct gtrace_finding *finding,
		    const struct gtrace_block_place *place)
{
	const struct naming naming =
		gti_name_stack(place->frames, place->frame_count);

	if (finding->frame.function.size == 0 &&
	    naming.work == GTRACE_WORK_PROGRAM &&
	    !gti_is_standard(naming_own(&naming)->function))
		finding->frame = *naming_own(&naming);
}

/* Adds the blocks of goroutines that help the collector or wait for it. */
static struct harms add_blocks(struct gtrace_finding *finding,
			       const struct gtrace_block_report *blocks)
{
	struct harms harms = {.assists = 0};
	size_t i;

	for (i = 0; blocks != NULL && i < blocks->place_count; i++) {
		const struct gtrace_block_place *place = blocks->places[i];
		const struct gtrace_finding add = blocked(place);

		if (!is_for_collector(place))
			continue;
		name_by(finding, place);
		gti_join_finding(finding, &add);
		if (assists(place))
			harms.assists += place->sum;
		else
			harms.waits += place->sum;
	}
	return harms;
}

/* Adds the delay by workers. Returns it. */
static int64_t add_workers(struct gtrace_finding *finding,
			   const struct gtrace_summary *summary,
			   const struct causes_made *causes)
{
	int64_t before = finding->harm;
	size_t i;

	for (i = 0; i < summary->delaying_count; i++) {
		const struct gtrace_function *of = summary->delaying[i];
		const struct gtrace_finding add = {
			.harm = gti_harm_of_delay(of, causes),
			.off_cpu = of->off_cpu,
			.count = of->delaying,
			.worst = of->max,
			.worst_start = of->max_start,
			.worst_g = of->max_g,
		};

		if (is_worker(of))
			gti_join_finding(finding, &add);
	}
	return finding->harm - before;
}

/* Adds what goroutines did for the collector while they ran. */
static void add_help(struct gtrace_finding *finding, struct harms *harms,
		     const struct gtrace_summary *summary)
{
	const struct gtrace_function *swept = summary->swept;

	if (summary->assisting > 0)
		harms->assists += summary->assisting;
	if (swept != NULL && summary->sweeping > 0) {
		const struct gtrace_finding add = {
			.worst = swept->max,
			.worst_start = swept->max_start,
			.worst_g = swept->max_g,
		};

		harms->sweeping = summary->sweeping;
		gti_join_finding(finding, &add);
	}
	finding->harm = harms->assists + harms->workers + harms->sweeping +
			harms->waits;
}

/* Whether most of what goroutines did for the collector was to sweep. */
static bool sweeps_most(const struct harms *harms)
{
	return harms->sweeping > harms->assists + harms->waits;
}

/* Makes FINDING, all but its name. Returns what its harm consists of. */
static struct harms add_up(struct gtrace_finding *finding,
			   const struct gtrace_summary *summary,
			   const struct causes_made *causes)
{
	struct harms harms = add_blocks(finding, summary->blocks);

	harms.assists = add_ns(harms.assists, causes->collector);
	harms.workers = add_workers(finding, summary, causes);
	add_help(finding, &harms, summary);
	return harms;
}

struct gtrace_finding gti_find_collector(const struct gtrace_summary *summary,
					 const struct causes_made *causes)
{
	struct gtrace_finding finding =
		gti_finding_of(GTRACE_FINDING_COLLECTOR);
	const struct harms harms = add_up(&finding, summary, causes);
	int64_t helped = harms.assists + harms.waits;

	if (sweeps_most(&harms)) {
		helped = harms.sweeping;
		finding.frame = summary->swept->frame;
	} else if (summary->held != NULL &&
		   summary->held->frame.function.size != 0) {
		finding.frame = summary->held->frame;
	}
	if (helped < finding.harm / NAMED_PART)
		finding.frame = gti_no_frame;
	return finding;
}

/* --------------------------------------------------- forced, finalizers -- */

struct gtrace_finding gti_find_forced(const struct gtrace_summary *summary)
{
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_FORCED);
	double sum = 0;
	size_t i;

	if (summary->forcer == NULL || summary->collections < FORCED_LEAST ||
	    summary->forced * FORCED_PART < summary->collections)
		return finding;
	for (i = 0; i < summary->function_count; i++)
		if (is_worker(&summary->functions[i]))
			sum += (double)summary->functions[i].sum;
	finding.frame = summary->forcer->frame;
	finding.harm = (int64_t)(sum * (double)summary->forced /
				 (double)summary->collections);
	finding.count = summary->forcer->count;
	finding.sure = 1;
	return finding;
}

/* Adds those of the COUNT places at LIST that are finalizers. */
static void add_finalizers(struct gtrace_finding *finding,
			   const struct gtrace_block_place *const *list,
			   size_t count)
{
	int64_t longest = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct gtrace_finding add = blocked(list[i]);
		struct naming naming;

		if (!gti_is_finalizer(list[i]))
			continue;
		naming = gti_name_stack(list[i]->frames, list[i]->frame_count);
		gti_join_finding(finding, &add);
		if (add.harm <= longest)
			continue;
		longest = add.harm;
		finding->frame = *naming_own(&naming);
		finding->inner = naming.frame->function;
	}
}

struct gtrace_finding gti_find_finalizer(const struct gtrace_summary *summary)
{
	struct gtrace_finding finding =
		gti_finding_of(GTRACE_FINDING_FINALIZER);
	const struct gtrace_block_report *blocks = summary->blocks;

	if (blocks == NULL)
		return finding;
	add_finalizers(&finding, blocks->places, blocks->place_count);
	add_finalizers(&finding, blocks->rests, blocks->rest_count);
	if (finding.harm < summary->known / FINALIZER_PART)
		finding.harm = 0;
	finding.sure = 1;
	return finding;
}

/* ------------------------------------------------------------- sentences -- */

/* Says by what most of HARM, which is WHOLE, is. */
static void say_most(struct sentence *to, const struct harms *harm,
		     int64_t whole)
{
	const struct {
		const char *by;
		int64_t sum;
	} parts[] = {
		{"mark assists", harm->assists},
		{"its workers", harm->workers},
		{"sweeping", harm->sweeping},
		{"waits for it", harm->waits},
	};
	size_t most = 0, i;

	for (i = 1; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].sum > parts[most].sum)
			most = i;
	if (parts[most].sum == whole)
		gti_say(to, ", by %s", parts[most].by);
	else
		gti_say(to, ", most by %s (%t)", parts[most].by,
			parts[most].sum);
}

void gti_tell_collector(struct sentence *to,
			const struct gtrace_finding *finding,
			const struct gtrace_summary *summary,
			const struct causes_made *causes)
{
	struct gtrace_finding again = gti_finding_of(finding->kind);
	const struct harms harms = add_up(&again, summary, causes);

	gti_say(to, "The garbage collector held goroutines up for ");
	gti_say_harm(to, finding, "of them");
	say_most(to, &harms, finding->harm);
	if (summary->collections != 0)
		gti_say(to, ": %C, %p of the trace", summary->collections,
			"collection", (uint64_t)summary->collecting,
			(uint64_t)summary->known);
	if (finding->frame.function.size != 0 && sweeps_most(&harms))
		gti_say(to, "; %f swept longest, for up to %t at once",
			&finding->frame, summary->swept->max);
	else if (finding->frame.function.size != 0)
		gti_say(to, "; %f waited or helped longest", &finding->frame);
	if (summary->goal_percent > 0 && summary->goal_percent < GOAL_LEAST)
		gti_say(to,
			"; the goal is %h times what lives: GOMEMLIMIT or GOGC",
			summary->goal_percent);
}

void gti_tell_forced(struct sentence *to, const struct gtrace_finding *finding,
		     const struct gtrace_summary *summary)
{
	gti_say(to, "%f%s forced %c of %C (runtime.GC), whose workers ran for ",
		&finding->frame,
		finding->count < summary->forced ? " and others" : "",
		summary->forced, summary->collections, "collection");
	gti_say_harm(to, finding, "of them");
}

void gti_tell_finalizer(struct sentence *to,
			const struct gtrace_finding *finding)
{
	gti_say(to, "The goroutine of finalizers was blocked in %f for ",
		&finding->frame);
	gti_say_harm(to, finding, "goroutines");
}
