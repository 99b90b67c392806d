/* SPDX-License-Identifier: BSD-3-Clause */
/* waits_text.c - the reports of waits and of delays as text. */
#include "report/lists.h"

static void write_row_head(struct sentence *to)
{
	if (gti_is_exact(to))
		gti_say(to,
			"(times in %-18s  waits            sum         median  "
			"          p99            max           busy           "
			"idle        stopped\n",
			to->in_ticks ? "ticks)" : "us)");
	else
		gti_say(to,
			"%28s  waits      sum   median      p99  longest     "
			"busy     idle  stopped\n",
			"");
}

static void write_row(struct sentence *to, const struct gtrace_wait_row *row)
{
	if (row->event != NULL)
		gti_say(to, "after %-22s", row->event);
	else
		gti_say(to, "%-28s", "all");
	gti_say(to,
		gti_is_exact(to) ? " %6d %14u %14u %14u %14u %14u %14u %14u\n"
				 : " %6c %8t %8t %8t %8t %8t %8t %8t\n",
		row->count, row->sum, row->median, row->p99, row->max,
		row->busy, row->idle, row->stopped);
}

static void write_waits_sums(struct sentence *to, const void *from)
{
	const struct gtrace_wait_report *report = from;
	size_t i;

	gti_say(to,
		"waits for a processor: %d whole, %d began before the trace, "
		"%d not over",
		report->whole, report->before, report->unfinished);
	if (report->clock_changed != 0)
		gti_say(to, ", %d where " CLOCK_CHANGED, report->clock_changed);
	gti_say(to, "\n");
	if (report->row_count == 0)
		return;
	write_row_head(to);
	for (i = 0; i < report->row_count; i++)
		write_row(to, &report->rows[i]);
	if (report->row_count >= 2)
		write_row(to, &report->all);
}

/* ----------------------------------------------------------------- waits -- */

static void write_kept(struct sentence *to, const struct gtrace_kept *kept,
		       const struct listed *listed)
{
	gti_say(to, "\t\tkept by P: %d G: %d overlap: %t of: %t", kept->p,
		kept->g, kept->overlap, kept->length);
	if (kept->calls > 0)
		gti_say(to, " in calls: %t", kept->calls);
	gti_say(to, " %s", kept->ended != -1 ? kept->event : "still running");
	if (kept->reason.size != 0)
		gti_say(to, " %S", kept->reason);
	gti_say(to, "\n");
	gti_text_stack(to, &kept->at, listed);
}

static void write_wait(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_wait *wait = listed->item;
	size_t i;

	gti_say(to, "\twaited %t busy %t idle %t stopped %t%s%s\n",
		wait->length, wait->busy, wait->idle, wait->stopped,
		wait->before ? " began before the trace"
		: wait->over ? ""
			     : " not over",
		wait->clock_changed ? " " CLOCK_CHANGED : "");
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_text_event(to, &wait->ready, listed);
	if (wait->over)
		gti_say(to, "\t\tran G: %d P: %d Ts: %d\n", wait->g,
			wait->ran_p, wait->ran);
	else
		gti_say(to, "\t\tdid not run G: %d\n", wait->g);
	for (i = 0; i < wait->kept_count; i++)
		write_kept(to, &wait->kept[i], listed);
	if (wait->kept_more != 0)
		gti_say(to, "\t\tand %d more slices, %t\n", wait->kept_more,
			wait->kept_more_overlap);
	if (wait->kept_none != 0)
		gti_say(to, "\t\tkept by no goroutine: %t\n", wait->kept_none);
}

/* ---------------------------------------------------------------- delays -- */

static void write_delays_sums(struct sentence *to, const void *from)
{
	const struct gtrace_delay_report *report = from;

	gti_say(to,
		"delay: goroutines waited %t while all processors were busy: "
		"%t behind slices, %t in scheduling\n",
		report->waited, report->behind, report->scheduling);
}

static void write_delay(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	gti_say(to, "\tdelayed %t length %t", slice->delay, slice->duration);
	if (slice->syscall_ns > 0)
		gti_say(to, " in calls %t", slice->syscall_ns);
	gti_say(to, "%s\n", slice->clock_changed ? " " CLOCK_CHANGED : "");
	gti_text_ends(to, slice, listed);
}

const struct list gti_waits_lists[] = {
	{
		LIST_REPORT(waits),
		LIST_ITEMS(gtrace_wait_report, waits, count),
		LIST_KEYS(gtrace_wait, length, length),
		.fields = gti_wait_fields,
		.text = write_wait,
		.brief = gti_short_wait,
		.sums = write_waits_sums,
		.head = "the %d longest\n",
		.heads = {NULL, "the longest wait", "the %d longest waits"},
	},
	{.fields = NULL},
};

const struct list gti_delays_lists[] = {
	{
		LIST_REPORT(delays),
		LIST_ITEMS(gtrace_delay_report, slices, count),
		LIST_KEYS(gtrace_slice, delay, delay),
		.fields = gti_slice_fields,
		.text = write_delay,
		.brief = gti_short_delay,
		.sums = write_delays_sums,
		.head = "the %d slices that delayed others longest\n",
		.heads = {"no slice delayed others",
			  "the slice that delayed others longest",
			  "the %d slices that delayed others longest"},
	},
	{.fields = NULL},
};
