/* SPDX-License-Identifier: BSD-3-Clause */
/* lives_text.c - the reports of goroutines and of requests as text. */
#include "report/lives_text.h"

#include "report/block_kinds.h"
#include "report/stops_text.h"
#include "report/text.h"

/* Writes WHOLE, and the COUNT parts that it has. */
static void write_parts(struct writer *writer, bool in_ticks, int64_t whole,
			const struct gtrace_part *parts, size_t count)
{
	size_t i;

	gti_text_time(writer, in_ticks, " ", whole);
	for (i = 0; i < count; i++) {
		write_text(writer, i == 0 ? ": " : ", ");
		write_text(writer, parts[i].state);
		if (parts[i].function.size != 0) {
			write_text(writer, " in ");
			write_string(writer, parts[i].function);
		}
		gti_text_time(writer, in_ticks, " ", parts[i].time);
	}
	write_text(writer, "\n");
}

static void write_times(struct writer *writer, bool in_ticks,
			const struct gtrace_times *times)
{
	struct gtrace_part parts[TIMES_PARTS];

	write_parts(writer, in_ticks, times->lived, parts,
		    gti_times_parts(times, parts));
}

/* Writes a NAME, which may be empty, after LABEL. */
static void write_name(struct writer *writer, const char *label,
		       struct gtrace_string name)
{
	write_text(writer, label);
	if (name.size == 0)
		write_text(writer, "(not known)");
	else
		write_string(writer, name);
}

/* ------------------------------------------------------------ goroutines -- */

void gti_text_goroutines_sums(struct writer *writer, const void *from,
			      bool in_ticks)
{
	const struct gtrace_goroutine_report *report = from;

	gti_text_number(writer, "", (int64_t)report->times.count);
	write_text(writer, " goroutines lived");
	write_times(writer, in_ticks, &report->times);
}

static void write_stretch(struct writer *writer, bool in_ticks,
			  const char *label, const char *kind,
			  const struct gtrace_stretch *stretch)
{
	if (stretch->length == -1)
		return;
	gti_text_time(writer, in_ticks, label, stretch->length);
	write_text(writer, " ");
	write_text(writer, kind);
	gti_text_number(writer, " G: ", stretch->g);
	gti_text_number(writer, " Ts: ", stretch->start);
	write_text(writer, "\n");
}

void gti_text_goroutines(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_goroutines *row = listed->item;
	bool in_ticks = listed->from->in_ticks != 0;

	write_name(writer, "\t", row->function);
	if (row->g != -1)
		gti_text_number(writer, " G: ", row->g);
	else
		gti_text_number(writer, " ", (int64_t)row->times.count);
	write_text(writer, " lived");
	write_times(writer, in_ticks, &row->times);
	gti_text_trace(writer, "\t\t", listed->trace);
	write_stretch(writer, in_ticks, "\t\tlongest block ",
		      gti_block_word(row->block.kind), &row->block);
	write_stretch(writer, in_ticks, "\t\tlongest wait ", "for a processor",
		      &row->wait);
}

/* -------------------------------------------------------------- requests -- */

void gti_text_requests_head(struct writer *writer, size_t count)
{
	gti_text_number(writer, "the ", (int64_t)count);
	write_text(writer, " kinds of requests that took longest\n");
}

void gti_text_requests(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_requests *row = listed->item;
	bool in_ticks = listed->from->in_ticks != 0;
	size_t i;

	write_text(writer, "\t");
	write_text(writer, row->what);
	write_name(writer, " ", row->name);
	gti_text_number(writer, " ", (int64_t)row->count);
	write_text(writer, row->count == 1 ? " time" : " times");
	gti_text_time(writer, in_ticks, " median ", row->median);
	gti_text_time(writer, in_ticks, " p99 ", row->p99);
	gti_text_time(writer, in_ticks, " longest ", row->max);
	write_text(writer, " sum");
	write_times(writer, in_ticks, &row->times);
	gti_text_trace(writer, "\t\t", listed->trace);
	for (i = 0; i < row->frame_count; i++)
		gti_text_frame(writer, "\t\t\t ", &row->frames[i], true);
	for (i = 0; i < row->longest_count; i++) {
		const struct gtrace_served *one = &row->longest[i];

		gti_text_number(writer, "\t\tG: ", one->g);
		gti_text_number(writer, " Ts: ", one->start);
		write_parts(writer, in_ticks, one->length, one->parts,
			    one->part_count);
	}
}
