/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_text.c - findings in sentences, of which the first is the headline.
 */
#include "report/diagnosing.h"

#include <string.h>

#include "base/least.h"
#include "base/strings.h"
#include "base/times.h"
#include "report/causes.h"
#include "report/collector.h"
#include "report/machine_text.h"
#include "report/next.h"
#include "report/sentence.h"

#define SENTENCE_MAX 1024

/* A finding is as bad as the first with this percentage of its rank. */
#define SIMILAR 67

/*
 * After the machine or a load, what is wrong in the program is told from this
 * part on.
 */
#define NAMED_PART 5

/* Of larger traces, and from this version on, parts are offered. */
#define CUT_BYTES   100000000
#define CUT_VERSION 1022

/* Where sentences are made. */
struct telling {
	const struct gtrace_summary *summary;
	struct arena *arena;
	char text[SENTENCE_MAX];
	struct sentence to;
};

static struct sentence *begin(struct telling *tell)
{
	tell->to = gti_sentence_begin(tell->text, sizeof(tell->text),
				      tell->summary->in_ticks != 0);
	return &tell->to;
}

/* Begins the next sentence. */
static struct sentence *go_on(struct telling *tell)
{
	if (tell->text[0] != '\0')
		gti_say(&tell->to, ". ");
	return &tell->to;
}

/* Sets *TO to a copy of what was told. Returns false without memory. */
static bool keep(struct telling *tell, struct gtrace_string *to)
{
	size_t size = strlen(tell->text);
	char *copy = gti_arena_copy(tell->arena, tell->text, size + 1);

	*to = (struct gtrace_string){copy, size};
	return copy != NULL;
}

/* -------------------------------------------------------------- findings -- */

void gti_say_average(struct sentence *to, double count)
{
	uint64_t tenths =
		count < 1e15 ? (uint64_t)(count * 10 + 0.5) : (uint64_t)1e16;

	if (tenths < 100)
		gti_say(to, "%d.%d", (int64_t)(tenths / 10),
			(int64_t)(tenths % 10));
	else
		gti_say(to, "%c", (tenths + 5) / 10);
}

void gti_say_harm(struct sentence *to, const struct gtrace_finding *finding,
		  const char *who)
{
	gti_say(to, "%t", finding->harm);
	if (finding->average > 1) {
		gti_say(to, ", on average ");
		gti_say_average(to, finding->average);
		gti_say(to, " %s", who);
	}
	gti_say(to, ", %p of the total time", (uint64_t)finding->permille,
		(uint64_t)1000);
}

void gti_say_times(struct sentence *to, const struct gtrace_finding *finding,
		   const char *what)
{
	if (finding->worst <= 0)
		return;
	gti_say(to, finding->count == 1 ? ": %C, %t" : ": %C, the longest %t",
		finding->count, what, finding->worst);
}

static void add_who(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_say(to, "%f", &finding->frame);
	if (gti_sentence_inner(to, finding->inner, finding->frame.function))
		gti_say(to, ",");
}

static void tell_stop(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	if (finding->frame.function.size != 0) {
		add_who(to, finding);
		gti_say(to, " delayed stop-the-world pauses; it cost ");
	} else {
		gti_say(to, "Stop-the-world pauses cost ");
	}
	gti_say_harm(to, finding, "processors");
	gti_say(to, " (%C: %t to stop all processors, %t stopped)",
		finding->count, "pause", summary->stops->all.stopping,
		summary->stops->all.stopped);
}

static void tell(struct sentence *to, const struct gtrace_finding *finding,
		 const struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;

	switch (finding->kind) {
	case GTRACE_FINDING_COLLECTOR:
		gti_tell_collector(to, finding, summary, diagnosis->causes);
		break;
	case GTRACE_FINDING_STOP:
		tell_stop(to, finding, summary);
		break;
	case GTRACE_FINDING_MACHINE:
		gti_tell_machine(to, summary);
		break;
	case GTRACE_FINDING_SILENT:
		gti_tell_silent(to, gti_silent_of(summary, finding));
		break;
	case GTRACE_FINDING_STORM:
		gti_tell_storm(to, summary);
		break;
	case GTRACE_FINDING_FORCED:
		gti_tell_forced(to, finding, summary);
		break;
	case GTRACE_FINDING_FINALIZER:
		gti_tell_finalizer(to, finding);
		gti_say_times(to, finding, "time");
		break;
	default:
		gti_tell_cause(to, finding, summary);
	}
	if (finding->off_cpu > finding->harm / 100)
		gti_say(to, "; %t more while threads had no CPU",
			finding->off_cpu);
}

/* -------------------------------------------------------------- headline -- */

int64_t gti_longest_wait(const struct gtrace_wait_report *waits)
{
	return greatest_of(waits->all.max, waits->cut_max);
}

/* What there is to say if no finding is worth a headline. */
static void tell_nothing(struct sentence *to,
			 const struct gtrace_summary *summary)
{
	if (summary->slices.count == 0) {
		gti_say(to, summary->filtered
				    ? "No slice passes the filters"
				    : "No goroutine ran in this trace");
		return;
	}
	gti_say(to, "Nothing stands out: ");
	if (summary->idle >= 0)
		gti_say(to, "the processors were idle %p of the time, and ",
			(uint64_t)summary->idle,
			(uint64_t)summary->length * (uint64_t)summary->procs);
	gti_say(to, "no goroutine that was ready waited longer than %t",
		gti_longest_wait(summary->waits));
}

bool gti_is_notable(const struct gtrace_summary *summary,
		    const struct gtrace_finding *finding)
{
	return (double)finding->rank * 1000 >=
	       (double)summary->time * NOTABLE_PERMILLE;
}

bool gti_told(const struct gtrace_summary *summary)
{
	return summary->finding_count != 0 &&
	       gti_is_notable(summary, summary->findings);
}

/*
 * Whether FIRST tells of what NEXT is: too few CPUs make any work too much, and
 * threads late; collections that are forced hold goroutines up; and one cause
 * has one name.
 */
static bool is_told_by(const struct gtrace_finding *next,
		       const struct gtrace_finding *first)
{
	if (first->kind == GTRACE_FINDING_MACHINE)
		return next->kind == GTRACE_FINDING_LOAD ||
		       next->kind == GTRACE_FINDING_HANDOVER;
	if (first->kind == GTRACE_FINDING_FORCED)
		return next->kind == GTRACE_FINDING_COLLECTOR;
	return first->frame.function.size != 0 &&
	       string_equals(next->frame.function, first->frame.function);
}

const struct gtrace_finding *gti_also(const struct gtrace_summary *summary)
{
	const struct gtrace_finding *first = summary->findings, *next, *end;
	double least;

	if (!gti_told(summary))
		return NULL;
	end = first + summary->finding_count;
	next = first + 1;
	least = (double)first->rank * SIMILAR / 100;
	if (first->kind == GTRACE_FINDING_MACHINE ||
	    first->kind == GTRACE_FINDING_LOAD)
		least = (double)first->rank / NAMED_PART;
	while (next != end && is_told_by(next, first))
		next++;
	return next != end && (double)next->rank >= least ? next : NULL;
}

/* When the longest part of FINDING was, and how long if that is not told. */
static void tell_longest(struct telling *telling,
			 const struct gtrace_finding *finding)
{
	struct sentence *to = go_on(telling);

	if (finding->kind == GTRACE_FINDING_FUNCTION)
		gti_say(to, "The longest %s, %t, began at %t",
			gti_is_delay(finding) ? "slice" : "wait",
			finding->worst, finding->worst_start);
	else
		gti_say(to,
			finding->count == 1 ? "It began at %t"
					    : "The longest began at %t",
			finding->worst_start);
	if (finding->worst_g >= 0)
		gti_say(to, ", G%d", finding->worst_g);
}

/* What tells of the function of FINDING what a trace does not. NULL: nothing.
 */
static const char *tells_of_function(const struct gtrace_summary *summary,
				     const struct gtrace_finding *finding)
{
	switch (gti_greatest_part(finding)) {
	case GTRACE_HOLD_NETWORK:
		return "A trace or the log of the other end tells what that "
		       "did";
	case GTRACE_HOLD_IN_C:
		return "A profiler of the system, such as perf, tells what C "
		       "did";
	case GTRACE_HOLD_RAN:
	case GTRACE_HOLD_DELAY:
	case GTRACE_HOLD_WORK:
		return summary->machine.profile ? NULL
						: "A CPU profile during the "
						  "trace tells what ran";
	default:
		return NULL;
	}
}

/* What tells of FINDING what a trace does not. NULL: nothing. */
static const char *tells(const struct gtrace_summary *summary,
			 const struct gtrace_finding *finding)
{
	switch (finding->kind) {
	case GTRACE_FINDING_SILENT:
	case GTRACE_FINDING_STORM:
		return "A CPU profile during the trace, or -sched, tells";
	case GTRACE_FINDING_LOAD:
	case GTRACE_FINDING_HANDOVER:
	case GTRACE_FINDING_MACHINE:
		if (summary->cpu != NULL)
			return NULL;
		return summary->machine.throttle_periods != 0
			       ? "nr_throttled in the cgroup's cpu.stat tells"
			       : "-sched tells which";
	case GTRACE_FINDING_FUNCTION:
		return tells_of_function(summary, finding);
	default:
		return NULL;
	}
}

/*
 * When the worst of the first finding was, what tells more than the trace, the
 * next finding if it is told, and of what findings have their shares.
 */
static void explain(struct telling *telling)
{
	const struct gtrace_summary *summary = telling->summary;
	const struct gtrace_finding *finding = summary->findings;
	const struct gtrace_finding *also = gti_also(summary);
	const char *more = tells(summary, finding);

	/* The longest part of what the collector does says little of it. */
	if (finding->worst_start >= 0 &&
	    finding->kind != GTRACE_FINDING_COLLECTOR)
		tell_longest(telling, finding);
	if (more != NULL)
		gti_say(go_on(telling), "%s", more);
	if (also != NULL)
		gti_say(go_on(telling), "Also: %s", also->text.data);
	if (also != NULL || finding->kind != GTRACE_FINDING_MACHINE)
		gti_say(go_on(telling),
			"100 %% is %t of processors and waits%s", summary->time,
			also != NULL ? "; shares can overlap" : "");
}

static bool tell_headline(struct telling *telling,
			  struct gtrace_summary *summary)
{
	begin(telling);
	if (gti_told(summary))
		gti_say(&telling->to, "%s", summary->findings[0].text.data);
	else
		tell_nothing(&telling->to, summary);
	if (!keep(telling, &summary->headline))
		return false;
	begin(telling);
	if (summary->known < summary->length)
		gti_say(&telling->to,
			"Events are missing: waits, delays, blocks and "
			"collections count up to %t",
			summary->origin + summary->known);
	if (gti_told(summary))
		explain(telling);
	else if (summary->at_rest_count != 0)
		gti_tell_rest(go_on(telling), summary);
	if (summary->in_ticks)
		gti_say(go_on(telling),
			"Times are in ticks (t), of unknown length");
	return keep(telling, &summary->explanation);
}

/* What shows whether goroutines are at rest where they were longest. */
static bool tell_rest_next(struct telling *telling,
			   struct gtrace_summary *summary, const char *name)
{
	summary->rest_next = gti_no_frame.function;
	if (summary->at_rest_count == 0 || gti_told(summary))
		return true;
	gti_say_rest_next(begin(telling), summary->at_rest, name);
	return keep(telling, &summary->rest_next);
}

/*
 * A smaller trace of the worst of FINDING, if the trace NAME of SIZE bytes is
 * so large that this helps.
 */
static bool tell_cut(struct telling *telling, const struct causes_made *causes,
		     struct gtrace_finding *finding, const char *name,
		     uint64_t size)
{
	const struct gtrace_summary *summary = telling->summary;
	int64_t end = add_ns(summary->origin, summary->length);
	bool waits = finding->kind == GTRACE_FINDING_LOAD ||
		     finding->kind == GTRACE_FINDING_HANDOVER;

	finding->cut = gti_no_frame.function;
	if (size <= CUT_BYTES || summary->trace_version < CUT_VERSION)
		return true;
	gti_say_cut(begin(telling), finding,
		    waits ? causes->ready_start : finding->worst_start,
		    waits ? causes->ready_worst : finding->worst, end, name);
	return telling->text[0] == '\0' || keep(telling, &finding->cut);
}

bool gti_tell_findings(const struct diagnosis *diagnosis, struct arena *arena,
		       const char *name, uint64_t size)
{
	struct gtrace_summary *summary = diagnosis->summary;
	struct gtrace_finding *findings = diagnosis->findings;
	struct telling telling = {.summary = summary, .arena = arena};
	size_t i;

	for (i = 0; i < summary->finding_count; i++) {
		tell(begin(&telling), &findings[i], diagnosis);
		if (!keep(&telling, &findings[i].text))
			return false;
		gti_say_next(begin(&telling), &findings[i], name);
		if (!keep(&telling, &findings[i].next) ||
		    !tell_cut(&telling, diagnosis->causes, &findings[i], name,
			      size))
			return false;
	}
	return tell_rest_next(&telling, summary, name) &&
	       tell_headline(&telling, summary);
}
