/* SPDX-License-Identifier: BSD-3-Clause */
/* lives_text.c - the reports of goroutines and of requests as text. */
#include "base/naming.h"
#include "report/block_kinds.h"
#include "report/lists.h"

/* Writes the COUNT PARTS of a time. */
static void write_parts(struct sentence *to, const struct gtrace_part *parts,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		gti_say(to, i == 0 ? ": %s" : ", %s", parts[i].state);
		if (parts[i].function.size != 0)
			gti_say(to, " in %S", parts[i].function);
		gti_say(to, " %t", parts[i].time);
	}
	gti_say(to, "\n");
}

static void write_times(struct sentence *to, const struct gtrace_times *times)
{
	struct gtrace_part parts[TIMES_PARTS];

	write_parts(to, parts, gti_times_parts(times, parts));
}

/* NAME, which may be empty. */
static struct gtrace_string name_or(struct gtrace_string name)
{
	static const struct gtrace_string unknown = {"(not known)", 11};

	return name.size != 0 ? name : unknown;
}

/* ------------------------------------------------------------ goroutines -- */

static void write_goroutines_sums(struct sentence *to, const void *from)
{
	const struct gtrace_goroutine_report *report = from;

	gti_say(to, "%C lived %t", report->times.count, "goroutine",
		report->times.lived);
	write_times(to, &report->times);
}

static void write_stretch(struct sentence *to, const char *what,
			  const char *kind,
			  const struct gtrace_stretch *stretch)
{
	if (stretch->length == -1)
		return;
	gti_say(to,
		gti_is_exact(to) ? "\t\tlongest %s %t %s "
				 : "\tlongest %s %t, %s, ",
		what, stretch->length, kind);
	gti_text_where(to, stretch->g, stretch->start);
	gti_say(to, "\n");
}

static void write_goroutines(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_goroutines *row = listed->item;

	gti_say(to, "\t%S", name_or(row->function));
	if (row->g != -1)
		gti_say(to, " G: %d lived", row->g);
	else
		gti_say(to, " %d lived", row->times.count);
	gti_say(to, " %t", row->times.lived);
	write_times(to, &row->times);
	gti_text_trace(to, "\t\t", listed->line.trace);
	write_stretch(to, "block", gtrace_block_name(row->block.kind),
		      &row->block);
	write_stretch(to, "wait", "for a processor", &row->wait);
}

static void write_short_goroutines(struct sentence *to,
				   const struct listed *listed)
{
	const struct gtrace_goroutines *row = listed->item;

	gti_say(to, "%t  %n\n", row->times.lived, name_or(row->function));
	gti_text_trace(to, "\t", listed->line.trace);
	gti_say(to, "\t");
	if (row->g != -1)
		gti_text_g(to, row->g);
	else
		gti_say(to, "%C", row->times.count, "goroutine");
	write_times(to, &row->times);
	write_stretch(to, "block", gtrace_block_name(row->block.kind),
		      &row->block);
	write_stretch(to, "wait", "for a processor", &row->wait);
	gti_say(to, "\n");
}

/* -------------------------------------------------------------- requests -- */

/* Says where goroutines wait between the requests of ROW, and how long. */
static void write_between(struct sentence *to,
			  const struct gtrace_requests *row)
{
	const struct naming naming =
		gti_name_stack(row->frames, row->frame_count);

	if (row->betweens == 0)
		return;
	gti_say(to, "\t\tbetween them: %s", row->between_state);
	if (naming_own(&naming)->function.size != 0)
		gti_say(to, " in %S", naming_own(&naming)->function);
	gti_say(to, " %d times median %t\n", (int64_t)row->betweens,
		row->between);
}

/* Says how many requests of ROW are in progress, and what the longest does. */
static void write_open(struct sentence *to, const struct gtrace_requests *row)
{
	if (row->open == 0)
		return;
	gti_say(to, "%s%d in progress, the longest for %t: ",
		gti_is_exact(to) ? "\t\t" : "\t", (int64_t)row->open,
		row->open_max);
	gti_text_g(to, row->open_g);
	if (row->open_state[0] != '\0')
		gti_say(to, " in %s", row->open_state);
	if (row->open_fn.size != 0)
		gti_say(to, " in %S", row->open_fn);
	gti_say(to, "\n");
}

/* Writes the longest requests of ROW. */
static void write_longest(struct sentence *to,
			  const struct gtrace_requests *row)
{
	size_t i;

	for (i = 0; i < row->longest_count; i++) {
		const struct gtrace_served *one = &row->longest[i];

		gti_say(to, gti_is_exact(to) ? "\t\t" : "\t");
		gti_text_where(to, one->g, one->start);
		gti_say(to, gti_is_exact(to) ? " %t" : " took %t", one->length);
		write_parts(to, one->parts, one->part_count);
	}
}

static void write_requests(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_requests *row = listed->item;

	gti_say(to, "\t%s %S %d time%s median %t p99 %t longest %t sum %t",
		row->what, name_or(row->name), (int64_t)row->count,
		row->count == 1 ? "" : "s", row->median, row->p99, row->max,
		row->times.lived);
	write_times(to, &row->times);
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_text_frames(to, row->frames, row->frame_count);
	write_between(to, row);
	write_open(to, row);
	write_longest(to, row);
}

/* Writes where the requests of ROW begin and end, and how long they waited. */
static void write_place(struct sentence *to, const struct gtrace_requests *row)
{
	if (row->betweens != 0)
		gti_say(to, "\tbetween them: %s %C, median %t\n",
			row->between_state, row->betweens, "time",
			row->between);
	if (row->frame_count != 0)
		gti_say(to, "\tthey begin and end in\n");
	gti_text_frames(to, row->frames, row->frame_count);
}

static void write_short_requests(struct sentence *to,
				 const struct listed *listed)
{
	const struct gtrace_requests *row = listed->item;

	gti_say(to, "%t  %s %n\n", row->times.lived, row->what,
		name_or(row->name));
	gti_text_trace(to, "\t", listed->line.trace);
	gti_say(to, "\t%C, median %t, p99 %t, longest %t\n", row->count, "time",
		row->median, row->p99, row->max);
	gti_say(to, "\tall together");
	write_times(to, &row->times);
	write_open(to, row);
	write_longest(to, row);
	write_place(to, row);
	gti_say(to, "\n");
}

const struct list gti_goroutines_lists[] = {
	{
		LIST_REPORT(goroutines),
		LIST_ITEMS(gtrace_goroutine_report, rows, count),
		LIST_KEYS(gtrace_goroutines, times.lived, times.lived),
		.fields = gti_goroutines_fields,
		.text = write_goroutines,
		.brief = write_short_goroutines,
		.sums = write_goroutines_sums,
		.heads = {NULL, "what lived longest",
			  "the %d that lived longest"},
		.whole = true,
	},
	{.fields = NULL},
};

const struct list gti_requests_lists[] = {
	{
		LIST_REPORT(requests),
		LIST_ITEMS(gtrace_request_report, rows, count),
		LIST_KEYS(gtrace_requests, times.lived, times.lived),
		.fields = gti_requests_fields,
		.text = write_requests,
		.brief = write_short_requests,
		.head = "the %C of requests that took longest\n",
		.counted = "kind",
		.heads = {"no requests",
			  "the kind of requests that took longest",
			  "the %d kinds of requests that took longest"},
		.whole = true,
	},
	{.fields = NULL},
};
