/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_text.c - findings in sentences, of which the first is the headline.
 */
#include "report/diagnosis_text.h"

#include <stdio.h>
#include <string.h>

#include "report/block_kinds.h"
#include "report/diagnosis.h"
#include "report/sentence.h"

#define SENTENCE_MAX 1024

/* A finding is as bad as the first with this percentage of its rank. */
#define SIMILAR 67

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

/* Sets *TO to a copy of what was told. Returns false without memory. */
static bool keep(struct telling *tell, struct gtrace_string *to)
{
	size_t size = strlen(tell->text);
	char *copy = gti_arena_allocate(tell->arena, size + 1);

	if (copy == NULL)
		return false;
	memcpy(copy, tell->text, size + 1);
	*to = (struct gtrace_string){copy, size};
	return true;
}

/* -------------------------------------------------------------- findings -- */

/* The share of FINDING, and how much it is. */
static void add_harm(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_sentence_duration(to, finding->harm);
	gti_sentence_add(to, ", ");
	gti_sentence_share(to, (uint64_t)finding->permille, 1000);
	gti_sentence_add(to, " of the time there was");
}

static void add_times(struct sentence *to, const struct gtrace_finding *finding,
		      const char *one, const char *more)
{
	gti_sentence_add(to, ": ");
	gti_sentence_count(to, finding->count, one, more);
	gti_sentence_add(to, finding->count == 1 ? ", " : ", the longest ");
	gti_sentence_duration(to, finding->worst);
}

static void add_who(struct sentence *to, const struct gtrace_finding *finding)
{
	gti_sentence_frame(to, &finding->frame);
	if (gti_sentence_inner(to, finding->inner, finding->frame.function))
		gti_sentence_add(to, ",");
}

static void tell_delay(struct sentence *to,
		       const struct gtrace_finding *finding)
{
	if (finding->frame.function.size == 0)
		gti_sentence_add(to, "Goroutines without a stack");
	else
		add_who(to, finding);
	gti_sentence_add(to, " delayed other goroutines by ");
	add_harm(to, finding);
	add_times(to, finding, " slice", " slices");
}

static void tell_load(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	gti_sentence_add(to, "Too much work for ");
	gti_sentence_count(to, (uint64_t)summary->procs, " processor",
			   " processors");
	/* Their threads lack CPUs, and by how much the trace does not tell. */
	if ((double)gti_lost(summary) * 1000 >=
	    (double)summary->length * (double)summary->procs * NOTABLE_PERMILLE)
		gti_sentence_add(to, ", or too few CPUs for them");
	gti_sentence_add(to, ": goroutines waited for one ");
	add_harm(to, finding);
	add_times(to, finding, " wait", " waits");
}

static void tell_collector(struct sentence *to,
			   const struct gtrace_finding *finding,
			   const struct gtrace_summary *summary)
{
	gti_sentence_add(to, "The garbage collector delayed the program by ");
	add_harm(to, finding);
	if (summary->collections != 0) {
		gti_sentence_add(to, ": ");
		gti_sentence_count(to, summary->collections, " collection, ",
				   " collections, ");
		gti_sentence_share(to, (uint64_t)summary->collecting,
				   (uint64_t)summary->length);
		gti_sentence_add(to, " of the trace");
	}
	if (finding->frame.function.size == 0)
		return;
	gti_sentence_add(to, "; ");
	gti_sentence_frame(to, &finding->frame);
	gti_sentence_add(to, " waited for it or helped it longest");
}

static void tell_stop(struct sentence *to, const struct gtrace_finding *finding,
		      const struct gtrace_summary *summary)
{
	if (finding->frame.function.size != 0) {
		add_who(to, finding);
		gti_sentence_add(to,
				 " held up stops of the world, which cost ");
	} else {
		gti_sentence_add(to, "Stops of the world cost ");
	}
	add_harm(to, finding);
	gti_sentence_add(to, ": ");
	gti_sentence_count(to, finding->count, " stop waited ",
			   " stops waited ");
	gti_sentence_duration(to, summary->stops->all.stopping);
	gti_sentence_add(to, " for processors and stood ");
	gti_sentence_duration(to, summary->stops->all.stopped);
}

static void tell_block(struct sentence *to,
		       const struct gtrace_finding *finding)
{
	static const char *const words[] = {
		[GTRACE_FINDING_LOCK] = " waited for a lock for ",
		[GTRACE_FINDING_SEND] = " waited to send to a channel for ",
		[GTRACE_FINDING_SYSCALL] = " was in slow system calls for ",
	};

	if (finding->kind == GTRACE_FINDING_SYSCALL)
		add_who(to, finding);
	else
		gti_sentence_frame(to, &finding->frame);
	gti_sentence_add(to, words[finding->kind]);
	add_harm(to, finding);
	add_times(to, finding, " time", " times");
	if (finding->kind == GTRACE_FINDING_SYSCALL ||
	    finding->holder.function.size == 0)
		return;
	gti_sentence_add(to, finding->kind == GTRACE_FINDING_SEND
				     ? "; received by "
				     : "; released by ");
	gti_sentence_frame(to, &finding->holder);
}

/* Adds how often and for how long LOST was, if it was. */
static void add_lost(struct sentence *to, const char *words,
		     const struct gtrace_lost *lost)
{
	if (lost->count == 0)
		return;
	gti_sentence_add(to, words);
	if (lost->count == 1) {
		gti_sentence_add(to, "once, for ");
	} else {
		gti_sentence_count(to, lost->count, "", " times, ");
		gti_sentence_duration(to, lost->sum);
		gti_sentence_add(to, " in all, the longest ");
	}
	gti_sentence_duration(to, lost->max);
}

static void tell_limit(struct sentence *to,
		       const struct gtrace_machine *machine)
{
	gti_sentence_add(to, "A limit of CPU time");
	if (machine->throttle_cpu > 0) {
		gti_sentence_add(to, ", at most about ");
		gti_sentence_duration(to, machine->throttle_cpu);
		gti_sentence_add(to, " in ");
		gti_sentence_duration(to, machine->throttle_interval);
		gti_sentence_add(to, ",");
	}
	gti_sentence_add(to, " stopped the process in ");
	gti_sentence_count(to, machine->throttled, " of ", " of ");
	gti_sentence_count(to, machine->throttle_periods, " period",
			   " periods");
	if (machine->throttle_cpu > 0)
		return;
	gti_sentence_add(to, " of ");
	gti_sentence_duration(to, machine->throttle_interval);
}

static void tell_machine(struct sentence *to,
			 const struct gtrace_summary *summary)
{
	const struct gtrace_machine *machine = &summary->machine;

	if (machine->throttle_periods != 0) {
		tell_limit(to, machine);
	} else {
		gti_sentence_add(to, "The machine, not the program: threads "
				     "had no CPU for at least ");
		gti_sentence_share(to, (uint64_t)gti_lost(summary),
				   (uint64_t)summary->length *
					   (uint64_t)summary->procs);
		gti_sentence_add(to, " of the processors' time");
	}
	add_lost(to, ": no thread ran ", &machine->silence);
	add_lost(to,
		 machine->silence.count != 0
			 ? "; a thread held a processor without a goroutine "
			 : ": a thread held a processor without a goroutine ",
		 &machine->off_cpu);
}

static void tell(struct sentence *to, const struct gtrace_finding *finding,
		 const struct gtrace_summary *summary)
{
	switch (finding->kind) {
	case GTRACE_FINDING_DELAY:
		tell_delay(to, finding);
		break;
	case GTRACE_FINDING_LOAD:
		tell_load(to, finding, summary);
		break;
	case GTRACE_FINDING_COLLECTOR:
		tell_collector(to, finding, summary);
		break;
	case GTRACE_FINDING_STOP:
		tell_stop(to, finding, summary);
		break;
	case GTRACE_FINDING_MACHINE:
		tell_machine(to, summary);
		break;
	default:
		tell_block(to, finding);
	}
}

/* ------------------------------------------------------------------ next -- */

/* Whether FUNCTION can be quoted for a shell, and shown as it is. */
static bool is_plain(struct gtrace_string function)
{
	size_t i;

	for (i = 0; i < function.size; i++)
		if (function.data[i] <= ' ' || function.data[i] > '~' ||
		    function.data[i] == '\'')
			return false;
	return function.size != 0 && function.size < SENTENCE_MAX / 4;
}

/* Adds a flag that lets only FUNCTION pass, if a shell can be told so. */
static void add_function(struct sentence *to, struct gtrace_string function)
{
	size_t i;

	if (!is_plain(function))
		return;
	gti_sentence_add(to, " -func='^");
	for (i = 0; i < function.size; i++) {
		char byte[3] = {'\\', function.data[i], '\0'};

		gti_sentence_add(to, strchr(".*+?()[]{}|^$\\", byte[1]) != NULL
					     ? byte
					     : byte + 1);
	}
	gti_sentence_add(to, "$'");
}

static void add_next(struct sentence *to, const struct gtrace_finding *finding)
{
	static const char *const flags[] = {
		[GTRACE_FINDING_DELAY] = "-delay=10",
		[GTRACE_FINDING_LOAD] = "-wait=10",
		[GTRACE_FINDING_COLLECTOR] = "-gctrace",
		[GTRACE_FINDING_STOP] = "-stw=10",
		[GTRACE_FINDING_LOCK] = "-block=10",
		[GTRACE_FINDING_SEND] = "-block=10",
		[GTRACE_FINDING_SYSCALL] = "-block=10",
		[GTRACE_FINDING_MACHINE] = "-wait=10",
	};

	gti_sentence_add(to, flags[finding->kind]);
	if (finding->kind != GTRACE_FINDING_COLLECTOR)
		gti_sentence_add(to, " -format=short");
	if (finding->kind == GTRACE_FINDING_DELAY)
		add_function(to, finding->frame.function);
}

/* -------------------------------------------------------------- headline -- */

/* What there is to say if no finding is worth a headline. */
static void tell_nothing(struct sentence *to,
			 const struct gtrace_summary *summary)
{
	if (summary->slices.count == 0) {
		gti_sentence_add(to,
				 summary->filtered
					 ? "No slice passes the filters"
					 : "No goroutine ran in this trace");
		return;
	}
	gti_sentence_add(to, "Nothing stands out: the processors were idle ");
	gti_sentence_share(to, (uint64_t)summary->idle,
			   (uint64_t)summary->length *
				   (uint64_t)summary->procs);
	gti_sentence_add(to, " of the time, and no goroutine that was ready "
			     "waited longer than ");
	gti_sentence_duration(to, summary->waits->all.max);
}

/* When the worst of FINDING was, and the next finding if it is as bad. */
static void explain(struct sentence *to, const struct gtrace_summary *summary)
{
	const struct gtrace_finding *finding = summary->findings;
	double first = (double)finding->rank * SIMILAR / 100;

	if (finding->worst_start >= 0) {
		gti_sentence_add(to, finding->count == 1
					     ? "It began at "
					     : "The longest began at ");
		gti_sentence_duration(to, finding->worst_start);
		if (finding->worst_g >= 0)
			gti_sentence_id(to, ", G", finding->worst_g);
		gti_sentence_add(to, ". ");
	}
	if (summary->finding_count > 1 && (double)finding[1].rank >= first) {
		gti_sentence_add(to, "Also: ");
		gti_sentence_add(to, finding[1].text.data);
		gti_sentence_add(to, ". ");
	}
	gti_sentence_add(to, "Next: gtrace ");
	gti_sentence_add(to, finding->next.data);
}

static bool tell_headline(struct telling *telling,
			  struct gtrace_summary *summary)
{
	bool some = summary->finding_count != 0 &&
		    summary->findings[0].permille >= NOTABLE_PERMILLE;

	begin(telling);
	if (some)
		gti_sentence_add(&telling->to, summary->findings[0].text.data);
	else
		tell_nothing(&telling->to, summary);
	if (!keep(telling, &summary->headline))
		return false;
	begin(telling);
	if (some)
		explain(&telling->to, summary);
	if (summary->in_ticks)
		gti_sentence_add(&telling->to,
				 " Times are in ticks (t), of unknown length.");
	return keep(telling, &summary->explanation);
}

bool gti_tell_findings(struct gtrace_summary *summary,
		       struct gtrace_finding *findings, struct arena *arena)
{
	struct telling telling = {.summary = summary, .arena = arena};
	size_t i;

	for (i = 0; i < summary->finding_count; i++) {
		tell(begin(&telling), &findings[i], summary);
		if (!keep(&telling, &findings[i].text))
			return false;
		add_next(begin(&telling), &findings[i]);
		if (!keep(&telling, &findings[i].next))
			return false;
	}
	return tell_headline(&telling, summary);
}
