/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_text.c - two traces side by side, as text. */
#include <stdio.h>
#include <string.h>

#include "base/strings.h"
#include "report/compare.h"
#include "report/diagnosis.h"
#include "report/sentence.h"
#include "report/columns.h"

#define LABEL_WIDTH 24
#define VALUE_WIDTH 14

/* Columns of the lists of functions. */
#define RATE_WIDTH 10
#define MAX_WIDTH  10

/* ---------------------------------------------------------------- traces -- */

static void write_trace(struct writer *writer, const char *label,
			const struct gtrace_summary *summary, const char *name)
{
	char text[512];
	struct sentence line = gti_sentence_begin(text, sizeof(text), false);
	struct shown shown;

	gti_sentence_add(&line, label);
	if (name != NULL) {
		struct gtrace_string string = {name, strlen(name)};

		gti_show_text(&shown, string);
		gti_sentence_shown(&line, &shown);
		gti_sentence_add(&line, ", ");
	}
	gti_sentence_add(&line, "written by ");
	gti_sentence_version(&line, summary->trace_version);
	gti_sentence_add(&line, ": ");
	gti_sentence_duration(&line, summary->length);
	gti_sentence_add(&line, ", ");
	gti_sentence_count(&line, (uint64_t)summary->procs, " processor",
			   " processors");
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

/* --------------------------------------------------------------- lengths -- */

/* The change from BEFORE to AFTER in percent, or how many times as much. */
static void write_change(struct writer *writer, int64_t before, int64_t after)
{
	struct shown shown = {0, 0, ""};
	char text[64];
	struct sentence change = gti_sentence_begin(text, sizeof(text), false);
	double times = before > 0 ? (double)after / (double)before : 0;

	if (before < 0 || after < 0) {
		gti_sentence_add(&change, "-");
	} else if (after == before) {
		gti_sentence_add(&change, "same");
	} else if (before == 0) {
		gti_sentence_add(&change, "-");
	} else if (times >= 10) {
		gti_sentence_count(&change,
				   times < 1e15 ? (uint64_t)(times + 0.5)
						: (uint64_t)1e15,
				   " times", " times");
	} else {
		gti_sentence_add(&change, after > before ? "+" : "-");
		gti_sentence_share(&change,
				   (uint64_t)(after > before ? after - before
							     : before - after),
				   (uint64_t)before);
	}
	gti_show_text(&shown, (struct gtrace_string){text, strlen(text)});
	gti_table_right(writer, &shown, VALUE_WIDTH);
	gti_table_text(writer, "\n");
}

/* Returns COUNT for each second of the trace of SUMMARY, in thousandths. */
static int64_t write_count(struct writer *writer,
			   const struct gtrace_summary *summary, uint64_t count)
{
	const double scale = 1000;
	int64_t rate = gti_compare_rate((int64_t)(scale * (double)count),
					summary->length);
	char text[32];

	if (rate >= 100000) {
		gti_table_count(writer, (uint64_t)(rate + 500) / 1000,
				VALUE_WIDTH);
		return rate;
	}
	snprintf(text, sizeof(text), "%.1f", (double)rate / scale);
	gti_table_head(writer, text, VALUE_WIDTH);
	return rate;
}

/* Times are -1 where they are not known. */
static void write_times(struct writer *writer, const char *label,
			int64_t before, int64_t after)
{
	gti_table_word(writer, label, LABEL_WIDTH);
	if (before >= 0)
		gti_table_duration(writer, before, &gti_look_terminal,
				   VALUE_WIDTH);
	else
		gti_table_head(writer, "-", VALUE_WIDTH);
	if (after >= 0)
		gti_table_duration(writer, after, &gti_look_terminal,
				   VALUE_WIDTH);
	else
		gti_table_head(writer, "-", VALUE_WIDTH);
	write_change(writer, before, after);
}

/* What takes SUM, -1 if there is none, and COUNT, in a second of a trace. */
static void write_rates(struct writer *writer,
			const struct comparison *comparison,
			const char *const labels[2], const uint64_t count[2],
			const int64_t sum[2])
{
	const struct gtrace_summary *before = comparison->before;
	const struct gtrace_summary *after = comparison->after;
	int64_t old, new;

	gti_table_word(writer, labels[0], LABEL_WIDTH);
	old = write_count(writer, before, count[0]);
	new = write_count(writer, after, count[1]);
	write_change(writer, old, new);
	old = sum[0] < 0 ? -1 : gti_compare_rate(sum[0], before->length);
	new = sum[1] < 0 ? -1 : gti_compare_rate(sum[1], after->length);
	write_times(writer, labels[1], old, new);
}

static void write_lengths(struct writer *writer,
			  const struct comparison *comparison)
{
	static const char *const slices[] = {"slices a second",
					     "  sum a second"};
	static const char *const stops[] = {"stops a second",
					    "  waits a second"};
	static const char *const waits[] = {"waits for a P a second",
					    "  sum a second"};
	const struct gtrace_wait_row *old_waits =
		&comparison->before->waits->all;
	const struct gtrace_wait_row *new_waits =
		&comparison->after->waits->all;
	const struct gtrace_distribution *old = &comparison->before->slices;
	const struct gtrace_distribution *new = &comparison->after->slices;
	const struct gtrace_stop_kind *old_stops =
		&comparison->before->stops->all;
	const struct gtrace_stop_kind *new_stops =
		&comparison->after->stops->all;

	gti_table_word(writer, "", LABEL_WIDTH);
	gti_table_head(writer, "old", VALUE_WIDTH);
	gti_table_head(writer, "new", VALUE_WIDTH);
	gti_table_head(writer, "change", VALUE_WIDTH);
	gti_table_text(writer, "\n");
	write_rates(writer, comparison, slices,
		    (uint64_t[]){old->count, new->count},
		    (int64_t[]){old->sum, new->sum});
	write_times(writer, "  median", old->median, new->median);
	write_times(writer, "  p99", old->p99, new->p99);
	write_times(writer, "  p99.9", old->p999, new->p999);
	write_times(writer, "  longest", old->max, new->max);
	write_rates(writer, comparison, waits,
		    (uint64_t[]){old_waits->count, new_waits->count},
		    (int64_t[]){old_waits->sum, new_waits->sum});
	write_times(writer, "  median", old_waits->median, new_waits->median);
	write_times(writer, "  p99", old_waits->p99, new_waits->p99);
	write_times(writer, "  longest", old_waits->max, new_waits->max);
	write_rates(writer, comparison, stops,
		    (uint64_t[]){old_stops->measured, new_stops->measured},
		    (int64_t[]){old_stops->stopping, new_stops->stopping});
	write_times(writer, "  median", old_stops->median, new_stops->median);
	write_times(writer, "  p99", old_stops->p99, new_stops->p99);
	write_times(writer, "  longest", old_stops->max, new_stops->max);
}

/* ------------------------------------------------------------- functions -- */

static void write_signed(struct writer *writer, int64_t ns)
{
	struct shown shown, plus = {1, 1, "+"};

	gti_show_duration(&shown, ns, &gti_look_terminal);
	if (ns > 0) {
		memcpy(plus.text + 1, shown.text, shown.size + 1);
		plus.size += shown.size;
		plus.columns += shown.columns;
		shown = plus;
	}
	gti_table_right(writer, &shown, RATE_WIDTH + 1);
}

static void write_max(struct writer *writer, int64_t max)
{
	if (max >= 0)
		gti_table_duration(writer, max, &gti_look_terminal, MAX_WIDTH);
	else
		gti_table_head(writer, "-", MAX_WIDTH);
}

static void add_name(struct sentence *name, const struct compared *compared)
{
	const struct gtrace_frame frame = {.function = compared->function,
					   .file = compared->file,
					   .line = compared->line};

	if (compared->work == GTRACE_WORK_SCHEDULER)
		gti_sentence_add(name, WITHOUT_GOROUTINE);
	else if (compared->work == GTRACE_WORK_NONE)
		gti_sentence_add(name, "(" NO_PROCESSOR ")");
	else
		gti_sentence_frame(name, &frame);
	gti_sentence_work(name, compared->work);
	if (compared->kind != NULL) {
		gti_sentence_add(name, " (");
		gti_sentence_add(name, compared->kind);
		gti_sentence_add(name, ")");
	}
}

static void write_name(struct writer *writer, const struct compared *compared)
{
	char text[sizeof(struct shown) * 2 + 8];
	struct sentence name = gti_sentence_begin(text, sizeof(text), false);

	add_name(&name, compared);
	gti_table_text(writer, "  ");
	gti_table_text(writer, text);
	gti_table_text(writer, "\n");
}

/* A row; MAX: with the longest slice of each trace. */
static void write_row(struct writer *writer, const struct compared *compared,
		      bool max)
{
	const struct compared_amount *before = &compared->before;
	const struct compared_amount *after = &compared->after;

	gti_table_duration(writer, before->rate, &gti_look_terminal,
			   RATE_WIDTH);
	gti_table_duration(writer, after->rate, &gti_look_terminal, RATE_WIDTH);
	write_signed(writer, after->rate - before->rate);
	if (max) {
		write_max(writer, before->count != 0 ? before->max : -1);
		write_max(writer, after->count != 0 ? after->max : -1);
	}
	write_name(writer, compared);
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
static void write_list(struct writer *writer, const char *title,
		       const struct array *list, size_t wanted, bool max)
{
	size_t count = count_changed(list), i;

	if (count == 0)
		return;
	gti_table_text(writer, title);
	gti_table_head(writer, "old", RATE_WIDTH);
	gti_table_head(writer, "new", RATE_WIDTH);
	gti_table_head(writer, "change", RATE_WIDTH + 1);
	if (max) {
		gti_table_head(writer, "old max", MAX_WIDTH);
		gti_table_head(writer, "new max", MAX_WIDTH);
	}
	gti_table_text(writer, "  function\n");
	for (i = 0; i < count && i < wanted; i++)
		write_row(writer, (const struct compared *)list->items + i,
			  max);
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
		return &comparison->delays;
	case GTRACE_FINDING_STOP:
		*verb = " holds up stops ";
		return &comparison->holders;
	case GTRACE_FINDING_LOCK:
	case GTRACE_FINDING_SEND:
	case GTRACE_FINDING_SYSCALL:
		*verb = " is blocked ";
		return &comparison->blocks;
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

static bool stands_out(const struct gtrace_summary *summary)
{
	return summary->finding_count != 0 &&
	       summary->findings[0].permille >= NOTABLE_PERMILLE;
}

/* What became of the first finding of SUMMARY. NULL: it is of no function. */
static const struct compared *find_first(const struct comparison *comparison,
					 const struct gtrace_summary *summary,
					 const char **verb)
{
	const struct gtrace_finding *finding = summary->findings;
	const struct array *list = NULL;

	if (stands_out(summary))
		list = list_of(comparison, finding, verb);
	return list != NULL && finding->frame.function.size != 0
		       ? find(list, finding->frame.function)
		       : NULL;
}

/* Adds how long the slices of FUNCTION are at most. */
static void add_longest(struct sentence *to, const struct compared *slices)
{
	if (slices == NULL || slices->before.max < 0 || slices->after.max < 0)
		return;
	gti_sentence_add(to, "; its longest slice ");
	gti_sentence_duration(to, slices->after.max);
	gti_sentence_add(to, ", before ");
	gti_sentence_duration(to, slices->before.max);
}

/* Adds how the change that was FOUND is from one trace to the other. */
static void add_change(struct sentence *to, const struct compared *found)
{
	bool less = found->change < 0;
	int64_t part = less ? -found->change : found->change;

	if (part == 0) {
		gti_sentence_add(to, "as much: ");
	} else if (part < found->before.rate) {
		gti_sentence_share(to, (uint64_t)part,
				   (uint64_t)found->before.rate);
		gti_sentence_add(to, less ? " less: " : " more: ");
	} else {
		gti_sentence_add(to, less ? "no more: " : "more: ");
	}
	gti_sentence_duration(to, found->after.rate);
	gti_sentence_add(to, " a second, before ");
	gti_sentence_duration(to, found->before.rate);
}

/* Adds both headlines: what they tell is of no function. */
static void add_headlines(struct sentence *to,
			  const struct comparison *comparison)
{
	gti_sentence_add(to, "Before: ");
	gti_sentence_add(to, comparison->before->headline.data);
	gti_sentence_add(to, ". Now: ");
	gti_sentence_add(to, comparison->after->headline.data);
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
		gti_sentence_add(&to, verb);
		add_change(&to, found);
		add_longest(&to, find(&comparison->slices, found->function));
	} else if (stands_out(comparison->before) ||
		   stands_out(comparison->after)) {
		add_headlines(&to, comparison);
	} else {
		return;
	}
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

void gti_text_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted)
{
	write_sentence(writer, comparison);
	write_trace(writer, "old: ", comparison->before, comparison->names[0]);
	write_trace(writer, "new: ", comparison->after, comparison->names[1]);
	write_lengths(writer, comparison);
	write_list(writer,
		   "where slices end: their time in a second of the trace\n",
		   &comparison->slices, wanted, true);
	write_list(writer,
		   "where slices end that delay others: in a second of the "
		   "trace\n",
		   &comparison->delays, wanted, false);
	write_list(writer, "what stops waited for: in a second of the trace\n",
		   &comparison->holders, wanted, false);
	write_list(writer,
		   "where goroutines were blocked: in a second of the trace\n",
		   &comparison->blocks, wanted, true);
}
