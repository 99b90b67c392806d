/* SPDX-License-Identifier: BSD-3-Clause */
/* headline.c - the most important finding of a trace in one sentence. */
#include "report/headline.h"

#include <stdbool.h>
#include <string.h>

#include "base/output.h"
#include "report/names.h"

/* A stop of the world that takes less is not worth a headline. */
#define NOTABLE_NS 500000

/* A text that is made piece by piece; what does not fit is left out. */
struct text {
	char *to;
	size_t left; /* without the final NUL */
};

/* The two texts of a headline. */
struct telling {
	struct text sentence;
	struct text explanation;
};

static struct text begin(char *to, size_t size)
{
	struct text text = {to, size - 1};

	*to = '\0';
	return text;
}

static void add_bytes(struct text *text, const char *bytes, size_t size)
{
	if (size > text->left)
		return;
	memcpy(text->to, bytes, size);
	text->to += size;
	text->left -= size;
	*text->to = '\0';
}

static void add(struct text *text, const char *words)
{
	add_bytes(text, words, strlen(words));
}

static void add_shown(struct text *text, const struct shown *shown)
{
	add_bytes(text, shown->text, shown->size);
}

static void add_duration(struct text *text, int64_t ns)
{
	struct shown shown;

	gti_show_duration(&shown, ns, &gti_look_terminal);
	add_shown(text, &shown);
}

static void add_count(struct text *text, uint64_t count)
{
	struct shown shown;

	gti_show_count(&shown, count, &gti_look_terminal);
	add_shown(text, &shown);
}

static void add_share(struct text *text, uint64_t part, uint64_t whole)
{
	struct shown shown;

	gti_show_share(&shown, part, whole, &gti_look_terminal);
	add_shown(text, &shown);
}

static void add_id(struct text *text, const char *letter, int64_t id)
{
	char number[DECIMAL_MAX + 1];

	add(text, letter);
	add_bytes(text, number, (size_t)(gti_put_signed(number, id) - number));
}

static void add_name(struct text *text, struct gtrace_string function,
		     struct gtrace_string caller)
{
	struct shown shown;

	gti_show_function(&shown, function);
	if (function.size == 0)
		add(text, "(no stack)");
	else
		add_shown(text, &shown);
	if (caller.size == 0)
		return;
	gti_show_function(&shown, caller);
	add(text, " in ");
	add_shown(text, &shown);
}

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

/* The function that stops waited longest for, in all. NULL: for none. */
static const struct gtrace_holder *worst(const struct gtrace_summary *summary)
{
	size_t i;

	for (i = 0; i < summary->holder_count; i++)
		if (summary->holders[i].work != GTRACE_WORK_SCHEDULER &&
		    summary->holders[i].work != GTRACE_WORK_NONE)
			return &summary->holders[i];
	return NULL;
}

/* The world stood longer than any stop waited. */
static void tell_stood(struct telling *tell,
		       const struct gtrace_summary *summary)
{
	const struct gtrace_stop *stood = summary->stood;
	struct shown kind;

	gti_show_text(&kind, stood->kind);
	add(&tell->sentence, "The world stood ");
	add_duration(&tell->sentence, stood->stopped);
	add(&tell->sentence, " for ");
	add_shown(&tell->sentence, &kind);
	add(&tell->explanation,
	    "It had stopped soon: no stop waited longer than ");
	add_duration(&tell->explanation, summary->stops->all.max);
	add(&tell->explanation, " for a processor. While it stood, only ");
	add_id(&tell->explanation, "G", stood->g);
	add_id(&tell->explanation, " on P", stood->p);
	add(&tell->explanation,
	    " worked: the runtime, or its thread got no CPU.");
}

/* Which of the measured stops are COUNT of them. */
static void add_which(struct text *text, uint64_t count, uint64_t measured)
{
	if (measured == 1) {
		add(text, "the only stop");
		return;
	}
	if (count == measured) {
		add(text, "all ");
	} else {
		add_count(text, count);
		add(text, " of ");
	}
	add_count(text, measured);
	add(text, " stops");
}

/* HOLDER held up most of the stops of the world. */
static void tell_holder(struct telling *tell,
			const struct gtrace_summary *summary,
			const struct gtrace_holder *holder)
{
	uint64_t whole = (uint64_t)summary->stops->all.stopping;

	if (holder->work == GTRACE_WORK_SYSCALL)
		add(&tell->sentence, "A system call in ");
	add_name(&tell->sentence, holder->function, holder->caller);
	add(&tell->sentence, " held up ");
	add_which(&tell->sentence, holder->count, summary->stops->measured);
	add(&tell->sentence, " of the world: ");
	add_duration(&tell->sentence, holder->stopping);
	add(&tell->sentence, " of waiting");
	add(&tell->explanation, "That is ");
	add_share(&tell->explanation, (uint64_t)holder->stopping, whole);
	add(&tell->explanation, " of the ");
	add_duration(&tell->explanation, (int64_t)whole);
	add(&tell->explanation, " for which stops had to wait before the world "
				"stood still.");
}

static void tell_scheduler(struct telling *tell,
			   const struct gtrace_summary *summary, uint64_t sum)
{
	add(&tell->sentence, "The scheduler or the operating system held up "
			     "the stops of the world: ");
	add_duration(&tell->sentence, (int64_t)sum);
	add(&tell->sentence, " of waiting");
	add(&tell->explanation,
	    "No goroutine ran on the processors that were late (");
	add_share(&tell->explanation, sum,
		  (uint64_t)summary->stops->all.stopping);
	add(&tell->explanation,
	    " of the waiting): look at the load of the machine.");
}

/* ---------------------------------------------------------------- slices -- */

static void explain_inferred(struct text *text,
			     const struct gtrace_summary *summary)
{
	uint64_t count = summary->stops->inferred;

	add_count(text, count);
	add(text, count == 1 ? " stop" : " stops");
	add(text, " of the world; a trace of Go ");
	add_count(text, summary->trace_version / 1000);
	add_id(text, ".", summary->trace_version % 1000);
	add(text, " tells only bounds for how long ");
	add(text, count == 1 ? "it waited." : "they waited.");
}

/* What there is to say of stops if they are no problem. */
static void explain_stops(struct text *text,
			  const struct gtrace_summary *summary)
{
	const struct gtrace_stop_report *stops = summary->stops;

	if (stops->measured == 0 && stops->inferred != 0) {
		explain_inferred(text, summary);
	} else if (stops->measured != 0) {
		add(text, "No stop of the world waited longer than ");
		add_duration(text, stops->all.max);
		add(text, " for a processor (");
		add_count(text, stops->measured);
		add(text, stops->measured == 1 ? " stop" : " stops");
		add(text, " measured).");
	} else if (stops->unmeasured != 0) {
		add(text, "No stop of the world lies within this trace.");
	} else {
		add(text, "No stop of the world in this trace.");
	}
}

static void tell_slice(struct telling *tell,
		       const struct gtrace_summary *summary)
{
	const struct gtrace_longest *longest = summary->longest;

	if (longest != NULL) {
		add_name(&tell->sentence, longest->function, longest->caller);
		add(&tell->sentence, " kept a processor longest: ");
		add_duration(&tell->sentence, longest->own);
	} else if (summary->slices.count != 0) {
		add(&tell->sentence,
		    "Only the runtime kept processors, at most for ");
		add_duration(&tell->sentence, summary->slices.max);
	} else {
		add(&tell->sentence, "No goroutine ran in this trace");
	}
	explain_stops(&tell->explanation, summary);
}

void gti_headline(struct headline *headline,
		  const struct gtrace_summary *summary)
{
	struct telling tell = {
		begin(headline->sentence, sizeof(headline->sentence)),
		begin(headline->explanation, sizeof(headline->explanation)),
	};
	const struct gtrace_holder *holder = worst(summary);
	uint64_t scheduler = sum_by(summary, GTRACE_WORK_SCHEDULER);
	int64_t stopping = summary->stops->all.max;
	int64_t stood = summary->stood != NULL ? summary->stood->stopped : 0;

	if (stood >= NOTABLE_NS && stood > stopping)
		tell_stood(&tell, summary);
	else if (stopping >= NOTABLE_NS && holder != NULL &&
		 (uint64_t)holder->stopping >= scheduler)
		tell_holder(&tell, summary, holder);
	else if (stopping >= NOTABLE_NS && scheduler != 0)
		tell_scheduler(&tell, summary, scheduler);
	else
		tell_slice(&tell, summary);
}
