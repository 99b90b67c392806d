/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_text.c - two traces side by side, as text. */
#include <stdio.h>

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

/* The change from BEFORE to AFTER in percent, or how many times as much. */
static void write_change(struct sentence *to, int64_t before, int64_t after)
{
	char text[64];
	struct sentence change = gti_sentence_begin(text, sizeof(text), false);
	double times = before > 0 ? (double)after / (double)before : 0;

	if (before >= 0 && after == before)
		gti_say(&change, "same");
	else if (before <= 0 || after < 0)
		gti_say(&change, "-");
	else if (times >= 10)
		gti_say(&change, "%c times",
			times < 1e15 ? (uint64_t)(times + 0.5)
				     : (uint64_t)1e15);
	else
		gti_say(&change, after > before ? "+%p" : "-%p",
			(uint64_t)(after > before ? after - before
						  : before - after),
			(uint64_t)before);
	gti_say(to, "%14n\n", string_of(text));
}

/* Returns COUNT for each second of the trace of SUMMARY, in thousandths. */
static int64_t write_count(struct sentence *to,
			   const struct gtrace_summary *summary, uint64_t count)
{
	const double scale = 1000;
	int64_t rate = gti_compare_rate((int64_t)(scale * (double)count),
					summary->length);
	char text[32];

	snprintf(text, sizeof(text), "%.1f", (double)rate / scale);
	if (rate >= 100000)
		gti_say(to, "%14c", (uint64_t)(rate + 500) / 1000);
	else
		gti_say(to, "%14s", text);
	return rate;
}

/* TIME, which is less than 0 if it is not known. */
static int64_t known(int64_t time)
{
	return time >= 0 ? time : TIME_UNKNOWN;
}

static void write_times(struct sentence *to, const char *label, int64_t before,
			int64_t after)
{
	gti_say(to, "%-24s%14t%14t", label, known(before), known(after));
	write_change(to, before, after);
}

/* What is compared of slices, waits or stops. */
struct lengths {
	const char *count_label, *sum_label;
	uint64_t count;
	int64_t sum, median, p99, p999, max; /* -1: there is none */
};

/* Writes the lengths of both traces: how many a second, and how long. */
static void write_both(struct sentence *to, const struct comparison *comparison,
		       const struct lengths *before,
		       const struct lengths *after)
{
	const struct gtrace_summary *first = comparison->before;
	const struct gtrace_summary *second = comparison->after;
	int64_t old, new;

	gti_say(to, "%-24s", before->count_label);
	old = write_count(to, first, before->count);
	new = write_count(to, second, after->count);
	write_change(to, old, new);
	write_times(
		to, before->sum_label,
		before->sum < 0 ? -1
				: gti_compare_rate(before->sum, first->length),
		after->sum < 0 ? -1
			       : gti_compare_rate(after->sum, second->length));
	write_times(to, "  median", before->median, after->median);
	write_times(to, "  p99", before->p99, after->p99);
	if (before->p999 != TIME_UNKNOWN)
		write_times(to, "  p99.9", before->p999, after->p999);
	write_times(to, "  longest", before->max, after->max);
}

static struct lengths slices_of(const struct gtrace_summary *summary)
{
	const struct gtrace_distribution *all = &summary->slices;

	return (struct lengths){"slices a second", "  sum a second", all->count,
				all->sum,          all->median,      all->p99,
				all->p999,         all->max};
}

static struct lengths waits_of(const struct gtrace_summary *summary)
{
	const struct gtrace_wait_row *all = &summary->waits->all;

	return (struct lengths){"waits for a P a second",
				"  sum a second",
				all->count,
				all->sum,
				all->median,
				all->p99,
				TIME_UNKNOWN,
				all->max};
}

static struct lengths stops_of(const struct gtrace_summary *summary)
{
	const struct gtrace_stop_kind *all = &summary->stops->all;

	return (struct lengths){"stops a second", "  waits a second",
				all->measured,    all->stopping,
				all->median,      all->p99,
				TIME_UNKNOWN,     all->max};
}

static void write_lengths(struct sentence *to,
			  const struct comparison *comparison)
{
	struct lengths (*const kinds[])(const struct gtrace_summary *) = {
		slices_of, waits_of, stops_of};
	size_t i;

	gti_say(to, "%38s%14s%14s\n", "old", "new", "change");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct lengths before = kinds[i](comparison->before);
		struct lengths after = kinds[i](comparison->after);

		write_both(to, comparison, &before, &after);
	}
}

/* ------------------------------------------------------------- functions -- */

static void write_signed(struct sentence *to, int64_t ns)
{
	char text[64];
	struct sentence change = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&change, ns > 0 ? "+%t" : "%t", ns);
	gti_say(to, "%11n", string_of(text));
}

static void add_name(struct sentence *name, const struct compared *compared)
{
	const struct gtrace_frame frame = {.function = compared->function,
					   .file = compared->file,
					   .line = compared->line};

	const struct compared_amount *before = &compared->before;
	const struct compared_amount *after = &compared->after;

	if (before->off_cpu + after->off_cpu != 0 &&
	    before->off_cpu >= before->rate / 2 &&
	    after->off_cpu >= after->rate / 2)
		gti_say(name, NO_CPU "%t, before %t", after->off_cpu,
			before->off_cpu);
	else if (compared->work == GTRACE_WORK_SCHEDULER)
		gti_say(name, WITHOUT_GOROUTINE);
	else if (compared->work == GTRACE_WORK_NONE)
		gti_say(name, "(" NO_PROCESSOR ")");
	else
		gti_say(name, "%f", &frame);
	gti_sentence_work(name, compared->work);
	if (compared->kind != NULL)
		gti_say(name, " (%s)", compared->kind);
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
	add_name(to, compared);
	gti_say(to, "\n");
}

/* How many there are before those that do not change: these come last. */
static size_t count_changed(const struct array *list)
{
	const struct compared *items = list->items;
	size_t count = list->count;

	while (count > 0 &&
	       items[count - 1].before.rate == items[count - 1].after.rate)
		count--;
	return count;
}

/* MAX: the longest slice of each is known. */
static void write_list(struct sentence *to, const char *title,
		       const struct array *list, size_t wanted, bool max)
{
	size_t count = count_changed(list), i;

	if (count == 0)
		return;
	gti_say(to, "%s in a second of the trace\n%10s%10s%11s", title, "old",
		"new", "change");
	if (max)
		gti_say(to, "%10s%10s", "old max", "new max");
	gti_say(to, "  function\n");
	for (i = 0; i < count && i < wanted; i++)
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
	case GTRACE_FINDING_DELAY:
		*verb = " delays others ";
		return &comparison->lists[COMPARED_DELAYS];
	case GTRACE_FINDING_STOP:
		*verb = " holds up stops ";
		return &comparison->lists[COMPARED_HOLDERS];
	case GTRACE_FINDING_LOCK:
	case GTRACE_FINDING_SEND:
	case GTRACE_FINDING_SYSCALL:
		*verb = " is blocked ";
		return &comparison->lists[COMPARED_BLOCKS];
	default:
		return NULL;
	}
}

/* The entry of FUNCTION in LIST. NULL: there is none. */
static const struct compared *find(const struct array *list,
				   struct gtrace_string function)
{
	const struct compared *items = list->items;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (string_equals(items[i].function, function))
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

	if (gti_told(summary) != 0)
		list = list_of(comparison, finding, verb);
	return list != NULL && finding->frame.function.size != 0
		       ? find(list, finding->frame.function)
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

/* What became of the first finding of the old trace, or how the new one is. */
static void write_sentence(struct writer *writer,
			   const struct comparison *comparison)
{
	const struct compared *found;
	const char *verb;
	char text[SENTENCE_MAX];
	struct sentence to = gti_sentence_begin(text, sizeof(text), false);

	found = find_first(comparison, comparison->before, &verb);
	if (found == NULL)
		found = find_first(comparison, comparison->after, &verb);
	if (found != NULL) {
		add_name(&to, found);
		gti_say(&to, verb);
		add_change(&to, found);
		add_longest(&to, find(&comparison->lists[COMPARED_SLICES],
				      found->function));
	} else if (gti_told(comparison->before) != 0 ||
		   gti_told(comparison->after) != 0) {
		gti_say(&to, "Before: %s. Now: %s",
			comparison->before->headline.data,
			comparison->after->headline.data);
	}
	gti_table_lines(writer, string_of(text));
}

void gti_text_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted)
{
	struct sentence to = gti_sentence_to(writer, false);

	write_sentence(writer, comparison);
	write_trace(&to, "old: ", comparison->before, comparison->names[0]);
	write_trace(&to, "new: ", comparison->after, comparison->names[1]);
	write_lengths(&to, comparison);
	write_list(&to, "where slices end: their time",
		   &comparison->lists[COMPARED_SLICES], wanted, true);
	write_list(&to, "where slices end that delay others:",
		   &comparison->lists[COMPARED_DELAYS], wanted, false);
	write_list(&to, "what stops waited for:",
		   &comparison->lists[COMPARED_HOLDERS], wanted, false);
	write_list(&to, "where goroutines were blocked:",
		   &comparison->lists[COMPARED_BLOCKS], wanted, true);
}
