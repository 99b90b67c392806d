/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_text.c - two traces side by side, as text. */
#include <stdio.h>
#include <string.h>

#include "base/strings.h"
#include "report/compare.h"
#include "report/diagnosis.h"
#include "report/sentence.h"

/* ---------------------------------------------------------------- traces -- */

static void write_trace(struct sentence *to, const char *label,
			const struct gtrace_summary *summary, const char *name)
{
	char text[512];
	struct sentence line = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&line, label);
	if (name != NULL)
		gti_say(&line, "%n, ", string_of(name));
	gti_say(&line, "written by ");
	gti_sentence_version(&line, summary->trace_version);
	gti_say(&line, ": %t, %C", summary->length, (uint64_t)summary->procs,
		"processor");
	gti_table_lines(to->writer, string_of(text));
}

/* --------------------------------------------------------------- lengths -- */

void gti_say_change(struct sentence *to, const struct compared_length *length)
{
	int64_t before = length->values[0], after = length->values[1];
	double times = before > 0 ? (double)after / (double)before : 0;

	if (before >= 0 && after == before)
		gti_say(to, "same");
	else if (before <= 0 || after < 0)
		gti_say(to, "-");
	else if (times >= 10)
		gti_say(to, "%c times",
			times < 1e15 ? (uint64_t)(times + 0.5)
				     : (uint64_t)1e15);
	else
		gti_say(to, after > before ? "+%p" : "-%p",
			(uint64_t)(after > before ? after - before
						  : before - after),
			(uint64_t)before);
}

void gti_say_rate(struct sentence *to, int64_t rate)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f", (double)rate / 1000);
	if (rate >= 100000)
		gti_say(to, "%c", (uint64_t)(rate + 500) / 1000);
	else
		gti_say(to, "%s", text);
}

/* TIME, which is less than 0 if it is not known. */
static int64_t known(int64_t time)
{
	return time >= 0 ? time : TIME_UNKNOWN;
}

static void write_length(struct sentence *to,
			 const struct compared_length *length)
{
	char text[64];
	struct sentence cell;
	size_t i;

	gti_say(to, "%-24s", length->label);
	for (i = 0; i < 2; i++) {
		cell = gti_sentence_begin(text, sizeof(text), false);
		if (*length->label != ' ')
			gti_say_rate(&cell, length->values[i]);
		else
			gti_say(&cell, "%t", known(length->values[i]));
		gti_say(to, "%14n", string_of(text));
	}
	cell = gti_sentence_begin(text, sizeof(text), false);
	gti_say_change(&cell, length);
	gti_say(to, "%14n\n", string_of(text));
}

static void write_lengths(struct sentence *to,
			  const struct comparison *comparison)
{
	struct compared_length lengths[COMPARED_LENGTHS];
	size_t count = gti_compare_lengths(comparison, lengths), i;

	gti_say(to, "%38s%14s%14s\n", "old", "new", "change");
	for (i = 0; i < count; i++)
		write_length(to, &lengths[i]);
}

/* ------------------------------------------------------------- functions -- */

static void write_signed(struct sentence *to, int64_t ns)
{
	char text[64];
	struct sentence change = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&change, ns > 0 ? "+%t" : "%t", ns);
	gti_say(to, "%11n", string_of(text));
}

/* Whether what COMPARED is called says which kind of finding it is. */
static bool tells_kind(const struct compared *compared)
{
	return compared->is_finding &&
	       (compared->frame.function.size == 0 ||
		strcmp(compared->kind, "function") == 0);
}

void gti_say_compared(struct sentence *name, const struct compared *compared)
{
	if (compared->work == GTRACE_WORK_SCHEDULER)
		gti_say(name, WITHOUT_GOROUTINE);
	else if (compared->work == GTRACE_WORK_NONE)
		gti_say(name, "(" NO_PROCESSOR ")");
	else if (compared->is_finding && compared->frame.function.size == 0)
		gti_say(name, "%s", gti_finding_word(compared->kind));
	else
		gti_say(name, "%f", &compared->frame);
	gti_sentence_work(name, compared->work);
	if (compared->kind != NULL && !tells_kind(compared))
		gti_say(name, " (%s)", gti_finding_word(compared->kind));
}

/* A row; MAX: with the longest slice of each trace. */
static void write_row(struct sentence *to, const struct compared *compared,
		      bool max)
{
	const struct compared_amount *before = &compared->before;
	const struct compared_amount *after = &compared->after;

	gti_say(to, "%10t%10t", before->rate, after->rate);
	write_signed(to, after->rate - before->rate);
	if (max)
		gti_say(to, "%10t%10t",
			known(before->count != 0 ? before->max : -1),
			known(after->count != 0 ? after->max : -1));
	gti_say(to, "  ");
	gti_say_compared(to, compared);
	gti_say(to, "\n");
}

/* MAX: the longest slice of each is known. */
static void write_list(struct sentence *to, const char *title,
		       const struct array *list, size_t wanted, bool max)
{
	size_t count = gti_compare_changed(list, wanted), i;

	if (count == 0)
		return;
	gti_say(to, "%s in a second of the trace\n%10s%10s%11s", title, "old",
		"new", "change");
	if (max)
		gti_say(to, "%10s%10s", "old max", "new max");
	gti_say(to, "  function\n");
	for (i = 0; i < count; i++)
		write_row(to, (const struct compared *)list->items + i, max);
}

/* -------------------------------------------------------------- sentence -- */

/* Two headlines have place. */
#define SENTENCE_MAX 2200

/* The list that has what FINDING is about, and its verb. NULL: none. */
static const struct array *list_of(const struct comparison *comparison,
				   const struct gtrace_finding *finding,
				   const char **verb)
{
	switch (finding->kind) {
	case GTRACE_FINDING_STOP:
		*verb = " delays stop-the-world pauses ";
		return &comparison->lists[COMPARED_HOLDERS];
	case GTRACE_FINDING_FUNCTION:
		*verb = " holds goroutines up ";
		return &comparison->lists[COMPARED_FINDINGS];
	case GTRACE_FINDING_COLLECTOR: /* of another function each time */
		return NULL;
	default:
		*verb = " costs ";
		return &comparison->lists[COMPARED_FINDINGS];
	}
}

/* The entry of FUNCTION, of any KIND if that is NULL, in LIST. NULL: none. */
static const struct compared *
find(const struct array *list, struct gtrace_string function, const char *kind)
{
	const struct compared *items = list->items;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (string_equals(items[i].frame.function, function) &&
		    (kind == NULL || strcmp(items[i].kind, kind) == 0))
			return &items[i];
	return NULL;
}

/* What became of the first finding of SUMMARY. NULL: it is of no function. */
static const struct compared *find_first(const struct comparison *comparison,
					 const struct gtrace_summary *summary,
					 const char **verb)
{
	const struct gtrace_finding *finding = summary->findings;
	const struct array *list = NULL;

	if (gti_told(summary))
		list = list_of(comparison, finding, verb);
	return list != NULL && finding->frame.function.size != 0
		       ? find(list, finding->frame.function,
			      list == &comparison->lists[COMPARED_FINDINGS]
				      ? finding->name
				      : NULL)
		       : NULL;
}

/* Adds how long the slices of FUNCTION are at most. */
static void add_longest(struct sentence *to, const struct compared *slices)
{
	if (slices != NULL && slices->before.max >= 0 && slices->after.max >= 0)
		gti_say(to, "; its longest slice %t, before %t",
			slices->after.max, slices->before.max);
}

/* Adds how the change that was FOUND is from one trace to the other. */
static void add_change(struct sentence *to, const struct compared *found)
{
	bool less = found->change < 0;
	int64_t part = less ? -found->change : found->change;

	if (part == 0)
		gti_say(to, "as much");
	else if (part < found->before.rate)
		gti_say(to, less ? "%p less" : "%p more", (uint64_t)part,
			(uint64_t)found->before.rate);
	else
		gti_say(to, less ? "no more" : "more");
	gti_say(to, ": %t a second, before %t", found->after.rate,
		found->before.rate);
}

bool gti_say_outcome(struct sentence *to, const struct comparison *comparison)
{
	const char *verb;
	const struct compared *found =
		find_first(comparison, comparison->before, &verb);

	if (found == NULL)
		found = find_first(comparison, comparison->after, &verb);
	if (found == NULL)
		return false;
	gti_say_compared(to, found);
	gti_say(to, verb);
	add_change(to, found);
	add_longest(to, find(&comparison->lists[COMPARED_SLICES],
			     found->frame.function, NULL));
	return true;
}

static void write_outcome(struct writer *writer,
			  const struct comparison *comparison)
{
	char text[SENTENCE_MAX];
	struct sentence to = gti_sentence_begin(text, sizeof(text), false);

	if (!gti_say_outcome(&to, comparison) &&
	    (gti_told(comparison->before) || gti_told(comparison->after)))
		gti_say(&to, "Before: %s. Now: %s",
			comparison->before->headline.data,
			comparison->after->headline.data);
	gti_table_lines(writer, string_of(text));
}

void gti_text_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted)
{
	struct sentence to = gti_sentence_to(writer, LOOK_SCREEN, false);

	write_outcome(writer, comparison);
	write_trace(&to, "old: ", comparison->before, comparison->names[0]);
	write_trace(&to, "new: ", comparison->after, comparison->names[1]);
	write_lengths(&to, comparison);
	write_list(&to, "what held goroutines up:",
		   &comparison->lists[COMPARED_FINDINGS], wanted, true);
	write_list(&to, "where slices end: their time",
		   &comparison->lists[COMPARED_SLICES], wanted, true);
	write_list(&to, "where slices end that delay others:",
		   &comparison->lists[COMPARED_DELAYS], wanted, false);
	write_list(&to, "what stop-the-world pauses waited for:",
		   &comparison->lists[COMPARED_HOLDERS], wanted, false);
	write_list(&to, "where goroutines were blocked:",
		   &comparison->lists[COMPARED_BLOCKS], wanted, true);
}
