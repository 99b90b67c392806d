/* SPDX-License-Identifier: BSD-3-Clause */
/* lives_text.c - the reports of goroutines and of requests as text. */
#include "base/naming.h"
#include "report/block_kinds.h"
#include "report/text.h"

/* Writes WHOLE, and the COUNT parts that it has. */
static void write_parts(struct sentence *to, int64_t whole,
			const struct gtrace_part *parts, size_t count)
{
	size_t i;

	gti_say(to, " %t", whole);
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

	write_parts(to, times->lived, parts, gti_times_parts(times, parts));
}

/* NAME, which may be empty. */
static struct gtrace_string name_or(struct gtrace_string name)
{
	static const struct gtrace_string unknown = {"(not known)", 11};

	return name.size != 0 ? name : unknown;
}

/* ------------------------------------------------------------ goroutines -- */

void gti_text_goroutines_sums(struct sentence *to, const void *from)
{
	const struct gtrace_goroutine_report *report = from;

	gti_say(to, "%C lived", report->times.count, "goroutine");
	write_times(to, &report->times);
}

static void write_stretch(struct sentence *to, const char *what,
			  const char *kind,
			  const struct gtrace_stretch *stretch)
{
	if (stretch->length == -1)
		return;
	gti_say(to, "\t\tlongest %s %t %s ", what, stretch->length, kind);
	gti_text_where(to, stretch->g, stretch->start);
	gti_say(to, "\n");
}

void gti_text_goroutines(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_goroutines *row = listed->item;

	gti_say(to, "\t%S", name_or(row->function));
	if (row->g != -1)
		gti_say(to, " G: %d lived", row->g);
	else
		gti_say(to, " %d lived", row->times.count);
	write_times(to, &row->times);
	gti_text_trace(to, "\t\t", listed->line.trace);
	write_stretch(to, "block", gti_block_word(row->block.kind),
		      &row->block);
	write_stretch(to, "wait", "for a processor", &row->wait);
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
	gti_say(to, "\t\t%d in progress, the longest for %t: G: %d",
		(int64_t)row->open, row->open_max, row->open_g);
	if (row->open_state[0] != '\0')
		gti_say(to, " in %s", row->open_state);
	if (row->open_fn.size != 0)
		gti_say(to, " in %S", row->open_fn);
	gti_say(to, "\n");
}

void gti_text_requests(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_requests *row = listed->item;
	size_t i;

	gti_say(to, "\t%s %S %d time%s median %t p99 %t longest %t sum",
		row->what, name_or(row->name), (int64_t)row->count,
		row->count == 1 ? "" : "s", row->median, row->p99, row->max);
	write_times(to, &row->times);
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_text_frames(to, row->frames, row->frame_count);
	write_between(to, row);
	write_open(to, row);
	for (i = 0; i < row->longest_count; i++) {
		const struct gtrace_served *one = &row->longest[i];

		gti_say(to, "\t\t");
		gti_text_where(to, one->g, one->start);
		write_parts(to, one->length, one->parts, one->part_count);
	}
}
