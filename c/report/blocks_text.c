/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_text.c - the report of where goroutines were blocked as text. */
#include <string.h>

#include "base/naming.h"
#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/lists.h"

/* Writes LABEL, and how many blocks there are, how long in all. */
static void write_sum(struct sentence *to, const char *label, uint64_t count,
		      int64_t sum)
{
	gti_say(to, "%s %d time%s %t", label, count, count == 1 ? "" : "s",
		sum);
}

/* Writes LABEL and the sum of those of REPORT that are at REST, or are not. */
static uint64_t write_all(struct sentence *to, const char *label,
			  const struct gtrace_block_report *report, bool rest)
{
	uint64_t count = 0, time = 0;
	size_t i;

	for (i = 0; i < report->sum_count; i++) {
		if ((report->sums[i].rest != 0) != rest)
			continue;
		count += report->sums[i].count;
		time += (uint64_t)report->sums[i].sum;
	}
	write_sum(to, label, count, (int64_t)time);
	return count;
}

/* Writes a table of the kinds of REPORT that are at REST, or are not. */
static void write_kinds(struct sentence *to,
			const struct gtrace_block_report *report, bool rest)
{
	size_t i;

	if (gti_is_exact(to))
		gti_say(to,
			"(times in %-18s blocks            sum        "
			"longest\n",
			to->in_ticks ? "ticks)" : "us)");
	else
		gti_say(to, "%28s blocks      sum  longest\n", "");
	for (i = 0; i < report->sum_count; i++) {
		const struct gtrace_block_sum *sum = &report->sums[i];

		if ((sum->rest != 0) == rest)
			gti_say(to,
				gti_is_exact(to) ? "%-28s %6d %14u %14u\n"
						 : "%-28s %6c %8t %8t\n",
				gtrace_block_name(sum->kind), sum->count,
				sum->sum, sum->max);
	}
}

/* Writes the sum of REPORT after LABEL, and a table if there are any. */
static void write_sums(struct sentence *to, const char *label,
		       const struct gtrace_block_report *report, bool rest)
{
	uint64_t count = write_all(to, label, report, rest);

	gti_say(to, "\n");
	if (count != 0)
		write_kinds(to, report, rest);
}

static void write_blocks_sums(struct sentence *to, const void *from)
{
	write_sums(to, "blocked", from, false);
}

static void write_short_rests_sums(struct sentence *to, const void *from)
{
	write_sums(to, "at rest", from, true);
	gti_say(to, "\n");
}

static void write_rests_sums(struct sentence *to, const void *from)
{
	const struct gtrace_block_report *report = from;
	const char *between = ": ";
	size_t i;

	write_all(to, "at rest", report, true);
	for (i = 0; i < report->sum_count; i++) {
		const struct gtrace_block_sum *sum = &report->sums[i];

		if (!sum->rest)
			continue;
		gti_say(to, between);
		write_sum(to, gtrace_block_name(sum->kind), sum->count,
			  sum->sum);
		between = ", ";
	}
	gti_say(to, "\n");
}

/* ---------------------------------------------------------------- places -- */

/* Writes BY whom COUNT blocks with a SUM were ended. */
static void write_ender(struct sentence *to, const char *by, uint64_t count,
			int64_t sum)
{
	gti_say(to, "\t\tended by ");
	write_sum(to, by, count, sum);
	gti_say(to, "\n");
}

/* Says that HOLDER did PART, where. */
static void say_part(struct sentence *to,
		     const struct gtrace_lock_holder *holder,
		     const struct gtrace_hold_part *part)
{
	static const char *const words[][2] = {
		{"ran", "running"},
		{"ready", "waiting for a processor"},
		{"call", "in system calls"},
		{"in_c", "in C"},
		{"network", "waiting for the network"},
		{"sleep", "asleep"},
		{"lock", "waiting for a lock"},
		{"send", "waiting to send"},
		{"collector", "helping the collector"},
		{"other", "waiting"},
	};
	struct gtrace_string in_c = gti_name_in_c(part->inner);
	size_t i = 0;

	if (in_c.size != 0) {
		gti_say(to, "in %n (C)", in_c);
		return;
	}
	if (strcmp(part->part, "call") == 0 && part->inner.size != 0) {
		gti_say(to, "in %i (system call)", part->inner);
		return;
	}
	while (strcmp(words[i][0], part->part) != 0)
		i++;
	gti_say(to, "%s", words[i][1]);
	if (part->inner.size != 0 &&
	    !string_equals(part->inner, holder->frame.function))
		gti_say(to, " in %i", part->inner);
}

/* A smaller part of what a holder did is not told, in percent. */
#define TOLD_PERCENT 5

void gti_say_holder(struct sentence *to,
		    const struct gtrace_lock_holder *holder)
{
	size_t i;

	gti_say(to, "held by %f %t", &holder->frame, holder->sum);
	for (i = 0; i < holder->part_count; i++) {
		const struct gtrace_hold_part *part = &holder->parts[i];

		if (i != 0 && part->sum < holder->sum / 100 * TOLD_PERCENT)
			break;
		gti_say(to, "%s%p ", i == 0 ? ": " : ", ", (uint64_t)part->sum,
			(uint64_t)holder->sum);
		say_part(to, holder, part);
	}
}

/* Writes the line of PLACE. */
static void write_place(struct sentence *to,
			const struct gtrace_block_place *place)
{
	gti_say(to, "\t");
	write_sum(to, gtrace_block_name(place->kind), place->count, place->sum);
	gti_say(to, " median %t p99 %t longest %t G: %d Ts: %d", place->median,
		place->p99, place->max, place->max_g, place->max_start);
	if (place->lost != 0)
		gti_say(to, " without a processor %t", place->lost);
	if (place->before != 0)
		gti_say(to, " began before the trace %d", place->before);
	if (place->unfinished != 0)
		gti_say(to, " not over %d", place->unfinished);
	if (place->clock_changed != 0)
		gti_say(to, " " CLOCK_CHANGED " %d", place->clock_changed);
	gti_say(to, "\n");
}

static void write_unblocker(struct sentence *to,
			    const struct gtrace_unblocker *ender)
{
	write_ender(to, ender->by, ender->count, ender->sum);
	gti_text_frames(to, ender->frames, ender->frame_count);
}

static void write_block(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_block_place *place = listed->item;
	size_t i;

	write_place(to, place);
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_text_frames(to, place->frames, place->frame_count);
	for (i = 0; i < place->ender_count; i++)
		write_unblocker(to, &place->enders[i]);
	if (place->ended_more != 0)
		write_ender(to, "others", place->ended_more,
			    place->ended_more_sum);
	for (i = 0; i < place->holder_count; i++) {
		gti_say(to, "\t\t");
		gti_say_holder(to, &place->holders[i]);
		gti_say(to, "\n");
	}
}

const struct list gti_blocks_lists[] = {
	{
		LIST_REPORT(blocks),
		LIST_ITEMS(gtrace_block_report, places, place_count),
		LIST_KEYS(gtrace_block_place, sum, sum),
		.fields = gti_block_fields,
		.text = write_block,
		.brief = gti_short_block,
		.sums = write_blocks_sums,
		.head = "the %C where goroutines were blocked longest\n",
		.counted = "place",
		.heads =
			{NULL,
			 "the place where goroutines were blocked longest",
			 "the %d places where goroutines were blocked longest"},
	},
	/* Text has only their sums. */
	{
		LIST_REPORT(blocks),
		LIST_ITEMS(gtrace_block_report, rests, rest_count),
		LIST_KEYS(gtrace_block_place, sum, sum),
		.fields = gti_block_fields,
		.sums = write_rests_sums,
		.brief_sums = write_short_rests_sums,
	},
	{.fields = NULL},
};
