/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_text.c - the report of where goroutines were blocked as text. */
#include "report/blocks_text.h"

#include <string.h>

#include "report/block_kinds.h"
#include "report/stops_text.h"
#include "report/text.h"

/* ------------------------------------------------------------------ sums -- */

/* Adds up the sums of REPORT that are at REST, or are not. */
static struct gtrace_block_sum add_up(const struct gtrace_block_report *report,
				      bool rest)
{
	struct gtrace_block_sum all = {.rest = rest};
	size_t i;

	for (i = 0; i < report->sum_count; i++) {
		if ((report->sums[i].rest != 0) != rest)
			continue;
		all.count += report->sums[i].count;
		all.sum = (int64_t)((uint64_t)all.sum +
				    (uint64_t)report->sums[i].sum);
	}
	return all;
}

/* Writes LABEL, and how many blocks SUM has, how long. */
static void write_sum(struct writer *writer, const char *label,
		      const struct gtrace_block_sum *sum, bool in_ticks)
{
	write_text(writer, label);
	gti_text_number(writer, " ", (int64_t)sum->count);
	gti_text_time(writer, in_ticks, sum->count == 1 ? " time " : " times ",
		      sum->sum);
}

void gti_text_blocks_sums(struct writer *writer, const void *from,
			  bool in_ticks)
{
	static const char *const columns[] = {"blocks", "sum", "longest", NULL};
	const struct gtrace_block_report *report = from;
	struct gtrace_block_sum all = add_up(report, false);
	size_t i;

	write_sum(writer, "blocked", &all, in_ticks);
	write_text(writer, "\n");
	if (all.count != 0)
		gti_text_row_head(writer, in_ticks, "", columns);
	for (i = 0; i < report->sum_count; i++) {
		const struct gtrace_block_sum *sum = &report->sums[i];
		const char *word = gti_block_word(sum->kind);
		const int64_t times[TIME_COLUMNS] = {sum->sum, sum->max,
						     TIME_END};

		if (sum->rest)
			continue;
		gti_text_row(writer, in_ticks,
			     (struct gtrace_string){word, strlen(word)},
			     sum->count, times);
	}
}

void gti_text_rests_sums(struct writer *writer, const void *from, bool in_ticks)
{
	const struct gtrace_block_report *report = from;
	struct gtrace_block_sum all = add_up(report, true);
	const char *between = ": ";
	size_t i;

	write_sum(writer, "at rest", &all, in_ticks);
	for (i = 0; i < report->sum_count; i++) {
		if (!report->sums[i].rest)
			continue;
		write_text(writer, between);
		write_sum(writer, gti_block_word(report->sums[i].kind),
			  &report->sums[i], in_ticks);
		between = ", ";
	}
	write_text(writer, "\n");
}

void gti_text_blocks_head(struct writer *writer, size_t count)
{
	gti_text_number(writer, "the ", (int64_t)count);
	write_text(writer, " places where goroutines were blocked longest\n");
}

/* ---------------------------------------------------------------- places -- */

/* Writes who ended COUNT blocks, with a SUM. */
static void write_ender(struct writer *writer, const char *by, uint64_t count,
			int64_t time, bool in_ticks)
{
	const struct gtrace_block_sum sum = {.count = count, .sum = time};

	write_text(writer, "\t\tended by ");
	write_sum(writer, by, &sum, in_ticks);
	write_text(writer, "\n");
}

/* Writes the line of PLACE. */
static void write_place(struct writer *writer,
			const struct gtrace_block_place *place, bool in_ticks)
{
	const struct gtrace_block_sum sum = {.count = place->count,
					     .sum = place->sum};

	write_text(writer, "\t");
	write_sum(writer, gti_block_word(place->kind), &sum, in_ticks);
	gti_text_time(writer, in_ticks, " median ", place->median);
	gti_text_time(writer, in_ticks, " p99 ", place->p99);
	gti_text_time(writer, in_ticks, " longest ", place->max);
	gti_text_number(writer, " G: ", place->max_g);
	gti_text_number(writer, " Ts: ", place->max_start);
	if (place->lost != 0)
		gti_text_time(writer, in_ticks, " without a processor ",
			      place->lost);
	if (place->before != 0)
		gti_text_number(writer, " began before the trace ",
				(int64_t)place->before);
	if (place->unfinished != 0)
		gti_text_number(writer, " not over ",
				(int64_t)place->unfinished);
	write_text(writer, "\n");
}

void gti_text_block(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_block_place *place = listed->item;
	bool in_ticks = listed->from->in_ticks != 0;
	size_t i;

	write_place(writer, place, in_ticks);
	gti_text_trace(writer, "\t\t", listed->trace);
	gti_text_frames(writer, place->frames, place->frame_count);
	for (i = 0; i < place->ender_count; i++) {
		const struct gtrace_unblocker *ender = &place->enders[i];

		write_ender(writer, ender->by, ender->count, ender->sum,
			    in_ticks);
		gti_text_frames(writer, ender->frames, ender->frame_count);
	}
	if (place->ended_more != 0)
		write_ender(writer, "others", place->ended_more,
			    place->ended_more_sum, in_ticks);
}
