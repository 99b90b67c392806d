/* SPDX-License-Identifier: BSD-3-Clause */
/* headline.c - the most important finding of a trace in one sentence. */
#include "report/headline.h"

#include <stdio.h>
#include <string.h>

#include "report/sentence.h"

/* A stop of the world, or a delay, that takes less is worth no headline. */
#define NOTABLE_NS 500000

/* Nor is a delay of a smaller part of the trace, or of all such waiting. */
#define NOTABLE_OF_TRACE   100
#define NOTABLE_OF_WAITING 10

/* The two texts of a headline. */
struct telling {
	struct sentence sentence;
	struct sentence explanation;
};

/* -------------------------------------------------------------- stopping -- */

static uint64_t sum_by(const struct gtrace_summary *summary,
		       enum gtrace_work work)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < summary->holder_count; i++)
		if (summary->holders[i].work == work)
			sum += (uint64_t)summary->holders[i].stopping;
	return sum;
}

/*
 * The function that stops waited longest for, in all, but for the tracer, which
 * no program can change. NULL: for none.
 */
static const struct gtrace_holder *worst(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->holder_count; i++)
		if (summary->holders[i].work != GTRACE_WORK_SCHEDULER &&
		    summary->holders[i].work != GTRACE_WORK_NONE &&
		    summary->holders[i].work != GTRACE_WORK_TRACER)
			return &summary->holders[i];
	return NULL;
}

/* STOOD is the longest stop, and stood for longer than it waited. */
static void tell_stood(struct telling *tell, const struct gtrace_stop *stood)
{
	struct shown kind;

	gti_show_text(&kind, stood->kind);
	gti_sentence_add(&tell->sentence, "The world stood ");
	gti_sentence_duration(&tell->sentence, stood->stopped);
	gti_sentence_add(&tell->sentence, " for ");
	if (strcmp(kind.text, "unknown") == 0)
		gti_sentence_add(&tell->sentence, "an unknown reason");
	else
		gti_sentence_shown(&tell->sentence, &kind);
	gti_sentence_add(&tell->explanation, "It had stopped within ");
	gti_sentence_duration(&tell->explanation, stood->stopping);
	gti_sentence_add(&tell->explanation, ". While it stood, only ");
	gti_sentence_id(&tell->explanation, "G", stood->g);
	gti_sentence_id(&tell->explanation, " on P", stood->p);
	gti_sentence_add(&tell->explanation,
			 " worked: the runtime, or its thread got no CPU.");
}

/* Adds "all MEASURED stops", or "COUNT of MEASURED stops". */
static void add_which(struct sentence *text, uint64_t count, uint64_t measured)
{
	if (measured == 1) {
		gti_sentence_add(text, "the only stop");
		return;
	}
	if (count == measured) {
		gti_sentence_add(text, "all ");
	} else {
		gti_sentence_count(text, count, " of ", " of ");
	}
	gti_sentence_count(text, measured, " stop", " stops");
}

/* HOLDER held up most of the stops of the world. */
static void tell_holder(struct telling *tell,
			const struct gtrace_summary *summary,
			const struct gtrace_holder *holder)
{
	uint64_t whole = (uint64_t)summary->stops->all.stopping;

	if (holder->function.size == 0) {
		gti_sentence_add(&tell->sentence,
				 "No stack tells what held up ");
	} else {
		if (holder->work == GTRACE_WORK_SYSCALL)
			gti_sentence_add(&tell->sentence, "A system call in ");
		gti_sentence_function(&tell->sentence, holder->function,
				      holder->caller);
		gti_sentence_add(&tell->sentence, " held up ");
	}
	add_which(&tell->sentence, holder->count, summary->stops->measured);
	gti_sentence_add(&tell->sentence, " of the world: ");
	gti_sentence_duration(&tell->sentence, holder->stopping);
	gti_sentence_add(&tell->sentence, " of waiting");
	gti_sentence_add(&tell->explanation, "That is ");
	gti_sentence_share(&tell->explanation, (uint64_t)holder->stopping,
			   whole);
	gti_sentence_add(&tell->explanation, " of the ");
	gti_sentence_duration(&tell->explanation, (int64_t)whole);
	gti_sentence_add(&tell->explanation,
			 " for which stops had to wait before the world "
			 "stood still.");
}

static void tell_scheduler(struct telling *tell,
			   const struct gtrace_summary *summary, uint64_t sum)
{
	gti_sentence_add(&tell->sentence,
			 "The scheduler or the operating system held up "
			 "the stops of the world: ");
	gti_sentence_duration(&tell->sentence, (int64_t)sum);
	gti_sentence_add(&tell->sentence, " of waiting");
	gti_sentence_add(&tell->explanation,
			 "No goroutine had the processors that were late (");
	gti_sentence_share(&tell->explanation, sum,
			   (uint64_t)summary->stops->all.stopping);
	gti_sentence_add(&tell->explanation,
			 " of the waiting): look at the load of the machine.");
}

/* ---------------------------------------------------------------- delays -- */

/* Whether goroutines that wait for TIME are worth a headline. */
static bool is_worth(const struct gtrace_summary *summary, int64_t time)
{
	return time >= (summary->in_ticks ? 1 : NOTABLE_NS) &&
	       time >= summary->length / NOTABLE_OF_TRACE;
}

/*
 * The function whose slices delayed others longest, except for the tracer.
 * NULL: none is worth a headline.
 */
static const struct gtrace_function *
most_delaying(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->delaying_count; i++) {
		const struct gtrace_function *function = summary->delaying[i];

		if (function->work != GTRACE_WORK_TRACER)
			return is_worth(summary, function->delay) &&
					       function->delay >=
						       summary->delays->waited /
							       NOTABLE_OF_WAITING
				       ? function
				       : NULL;
	}
	return NULL;
}

/*
 * Adds how many goroutines waited on average during the slices of FUNCTION: a
 * delay is the part of one processor in their waiting.
 */
static void add_ready(struct sentence *text,
		      const struct gtrace_summary *summary,
		      const struct gtrace_function *function)
{
	double ready = (double)function->delay * (double)summary->procs;
	char number[32];

	if (function->delaying_sum > 0)
		ready /= (double)function->delaying_sum;
	if (ready < 9.95) {
		snprintf(number, sizeof(number), "%.1f", ready);
		gti_sentence_add(text, number);
	} else {
		gti_sentence_count(text,
				   ready < 1e15 ? (uint64_t)(ready + 0.5)
						: (uint64_t)1e15,
				   "", "");
	}
	gti_sentence_add(text, " goroutines were ready on average");
}

static void tell_delay(struct telling *tell,
		       const struct gtrace_summary *summary,
		       const struct gtrace_function *function)
{
	gti_sentence_function(&tell->sentence, function->function,
			      function->caller);
	gti_sentence_work(&tell->sentence, function->work);
	gti_sentence_add(&tell->sentence, " delayed others ");
	gti_sentence_duration(&tell->sentence, function->delay);
	gti_sentence_add(&tell->sentence, ": ");
	gti_sentence_count(&tell->sentence, function->delaying, " slice while ",
			   " slices while ");
	add_ready(&tell->sentence, summary, function);
	gti_sentence_add(&tell->explanation, "That is ");
	gti_sentence_share(&tell->explanation, (uint64_t)function->delay,
			   (uint64_t)summary->delays->waited);
	gti_sentence_add(&tell->explanation,
			 " of the waiting for busy processors. ");
}

/* ----------------------------------------------------------------- stops -- */

static void explain_inferred(struct sentence *text,
			     const struct gtrace_summary *summary)
{
	uint64_t count = summary->stops->inferred;

	gti_sentence_count(text, count, " stop", " stops");
	gti_sentence_add(text, " of the world; a trace of Go ");
	gti_sentence_version(text, summary->trace_version);
	gti_sentence_add(text, " tells only bounds for how long ");
	gti_sentence_add(text, count == 1 ? "it waited." : "they waited.");
}

/* What there is to say of stops if they are no problem. */
static void explain_stops(struct sentence *text,
			  const struct gtrace_summary *summary, bool filtered)
{
	const struct gtrace_stop_report *stops = summary->stops;

	if (stops->measured == 0 && stops->inferred != 0) {
		explain_inferred(text, summary);
	} else if (stops->measured != 0) {
		gti_sentence_add(text, "No stop of the world ");
		if (stops->all.max > 0) {
			gti_sentence_add(text, "waited longer than ");
			gti_sentence_duration(text, stops->all.max);
		} else {
			gti_sentence_add(text, "had to wait");
		}
		gti_sentence_add(text, " for a processor (");
		gti_sentence_count(text, stops->measured, " stop measured).",
				   " stops measured).");
	} else if (stops->unmeasured != 0) {
		gti_sentence_add(text, "No stop of the world can be measured.");
	} else {
		gti_sentence_add(
			text,
			filtered ? "No stop of the world passes the filters."
				 : "No stop of the world in this trace.");
	}
}

/* Whether the longest slice has no stack, as in a trace that was cut off. */
static bool is_longest_unknown(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->function_count; i++)
		if (summary->functions[i].function.size == 0 &&
		    summary->functions[i].max == summary->slices.max)
			return true;
	return false;
}

/* Whether PART is worth a headline on stops. */
static bool is_half(const struct gtrace_summary *summary, uint64_t part)
{
	uint64_t whole = (uint64_t)summary->stops->all.stopping;

	return part != 0 && part >= whole - whole / 2;
}

/* ---------------------------------------------------------- no finding -- */

/* What there is to say of the longest slice. */
static void explain_longest(struct sentence *text,
			    const struct gtrace_summary *summary)
{
	const struct gtrace_longest *longest = summary->longest;

	if (longest != NULL) {
		gti_sentence_function(text, longest->function, longest->caller);
		gti_sentence_add(text, " kept a processor longest: ");
		gti_sentence_duration(text, longest->own);
	} else {
		gti_sentence_add(text,
				 is_longest_unknown(summary)
					 ? "No stack tells what kept a "
					   "processor longest: "
					 : "Only the runtime kept processors, "
					   "at most for ");
		gti_sentence_duration(text, summary->slices.max);
	}
	gti_sentence_add(text, ". ");
}

static void tell_nothing(struct telling *tell,
			 const struct gtrace_summary *summary, bool filtered)
{
	int64_t waited = summary->delays->waited;
	bool few = !is_worth(summary, waited);

	if (summary->slices.count == 0) {
		gti_sentence_add(&tell->sentence,
				 filtered ? "No slice passes the filters"
					  : "No goroutine ran in this trace");
		return;
	}
	explain_longest(&tell->explanation, summary);
	if (filtered) {
		gti_sentence_add(&tell->sentence,
				 "No function that passes the filters delayed "
				 "others long");
	} else if (waited == 0) {
		gti_sentence_add(&tell->sentence,
				 "No goroutine waited for a busy processor");
	} else {
		gti_sentence_add(&tell->sentence,
				 few ? "Goroutines hardly waited for busy "
				       "processors: "
				     : "No function alone delayed others: they "
				       "waited for busy processors for ");
		gti_sentence_duration(&tell->sentence, waited);
		gti_sentence_add(&tell->sentence, " in all");
	}
}

/* -------------------------------------------------------------- headline -- */

/* What is worth a headline. */
struct finding {
	const struct gtrace_stop *stood;
	const struct gtrace_holder *holder;
	uint64_t scheduler;
	int64_t cost; /* of one of these, the others are 0 */
};

/* STOP, the longest one, is notable. */
static struct finding find_stop(const struct gtrace_summary *summary,
				const struct gtrace_stop *stop)
{
	const struct gtrace_holder *holder = worst(summary);
	uint64_t scheduler = sum_by(summary, GTRACE_WORK_SCHEDULER);

	if (stop->stopped > stop->stopping)
		return (struct finding){.stood = stop, .cost = stop->stopped};
	if (holder != NULL && (uint64_t)holder->stopping >= scheduler &&
	    is_half(summary, (uint64_t)holder->stopping))
		return (struct finding){.holder = holder,
					.cost = holder->stopping};
	if (is_half(summary, scheduler))
		return (struct finding){.scheduler = scheduler,
					.cost = (int64_t)scheduler};
	return (struct finding){.cost = 0};
}

static void tell_finding(struct telling *tell,
			 const struct gtrace_summary *summary, bool filtered,
			 bool is_notable)
{
	const struct gtrace_function *function = most_delaying(summary);
	struct finding finding = {.cost = 0};

	if (is_notable)
		finding = find_stop(summary, summary->longest_stop);
	if (function != NULL && function->delay > finding.cost) {
		tell_delay(tell, summary, function);
		explain_stops(&tell->explanation, summary, filtered);
	} else if (finding.stood != NULL) {
		tell_stood(tell, finding.stood);
	} else if (finding.holder != NULL) {
		tell_holder(tell, summary, finding.holder);
	} else if (finding.scheduler != 0) {
		tell_scheduler(tell, summary, finding.scheduler);
	} else {
		tell_nothing(tell, summary, filtered);
		explain_stops(&tell->explanation, summary, filtered);
		if (is_notable)
			gti_sentence_add(&tell->explanation,
					 " No function but those of the tracer "
					 "makes up half of the waiting.");
	}
}

void gti_headline(struct headline *headline,
		  const struct gtrace_summary *summary, bool filtered)
{
	bool in_ticks = summary->in_ticks != 0;
	struct telling tell = {
		gti_sentence_begin(headline->sentence,
				   sizeof(headline->sentence), in_ticks),
		gti_sentence_begin(headline->explanation,
				   sizeof(headline->explanation), in_ticks),
	};
	const struct gtrace_stop *stop = summary->longest_stop;

	/* NOTABLE_NS is in nanoseconds. */
	tell_finding(&tell, summary, filtered,
		     stop != NULL && !in_ticks &&
			     (uint64_t)stop->stopping +
					     (uint64_t)stop->stopped >=
				     NOTABLE_NS);
	if (in_ticks)
		gti_sentence_add(&tell.explanation,
				 " Times are in ticks (t), of unknown length.");
}
