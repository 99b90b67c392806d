/* SPDX-License-Identifier: BSD-3-Clause */
/* waits_text.c - the reports of waits and of delays as text. */
#include "report/waits_text.h"

#include <stdio.h>

#include "report/stops_text.h"
#include "report/text.h"

/* ----------------------------------------------------------------- table -- */

static void write_row(struct writer *writer, bool in_ticks,
		      const struct gtrace_wait_row *row)
{
	const int64_t times[TIME_COLUMNS] = {
		row->sum,  row->median, row->p99,     row->max,
		row->busy, row->idle,   row->stopped, TIME_END,
	};
	struct gtrace_string name = {"all", 3};
	char text[64];

	if (row->event != NULL) {
		name.data = text;
		name.size = (size_t)snprintf(text, sizeof(text), "after %s",
					     row->event);
	}
	gti_text_row(writer, in_ticks, name, row->count, times);
}

void gti_text_waits_sums(struct writer *writer, const void *from, bool in_ticks)
{
	const struct gtrace_wait_report *report = from;
	static const char *const columns[] = {
		"waits", "sum",  "median",  "p99", "max",
		"busy",  "idle", "stopped", NULL,
	};
	size_t i;

	gti_text_number(writer,
			"waits for a processor: ", (int64_t)report->whole);
	gti_text_number(writer, " whole, ", (int64_t)report->before);
	gti_text_number(writer, " began before the trace, ",
			(int64_t)report->unfinished);
	write_text(writer, " not over\n");
	if (report->row_count == 0)
		return;
	gti_text_row_head(writer, in_ticks, "", columns);
	for (i = 0; i < report->row_count; i++)
		write_row(writer, in_ticks, &report->rows[i]);
	if (report->row_count >= 2)
		write_row(writer, in_ticks, &report->all);
}

void gti_text_waits_head(struct writer *writer, size_t count)
{
	gti_text_number(writer, "the ", (int64_t)count);
	write_text(writer, " longest\n");
}

/* ----------------------------------------------------------------- waits -- */

static void write_ran(struct writer *writer, const struct gtrace_wait *wait)
{
	if (wait->over) {
		gti_text_number(writer, "\t\tran G: ", wait->g);
		gti_text_number(writer, " P: ", wait->ran_p);
		gti_text_number(writer, " Ts: ", wait->ran);
	} else {
		gti_text_number(writer, "\t\tdid not run G: ", wait->g);
	}
	write_text(writer, "\n");
}

static void write_kept(struct writer *writer, const struct gtrace_kept *kept,
		       const struct listed *listed)
{
	bool in_ticks = listed->from->in_ticks != 0;

	gti_text_number(writer, "\t\tkept by P: ", kept->p);
	gti_text_number(writer, " G: ", kept->g);
	gti_text_time(writer, in_ticks, " overlap: ", kept->overlap);
	gti_text_time(writer, in_ticks, " of: ", kept->length);
	if (kept->calls > 0)
		gti_text_time(writer, in_ticks, " in calls: ", kept->calls);
	write_text(writer, " ");
	write_text(writer, kept->ended != -1 ? kept->event : "still running");
	if (kept->reason.size != 0) {
		write_text(writer, " ");
		gti_write_bytes(writer, kept->reason.data, kept->reason.size);
	}
	write_text(writer, "\n");
	gti_text_stack(writer, &kept->at, listed);
}

void gti_text_wait(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_wait *wait = listed->item;
	bool in_ticks = listed->from->in_ticks != 0;
	size_t i;

	gti_text_time(writer, in_ticks, "\twaited ", wait->length);
	gti_text_time(writer, in_ticks, " busy ", wait->busy);
	gti_text_time(writer, in_ticks, " idle ", wait->idle);
	gti_text_time(writer, in_ticks, " stopped ", wait->stopped);
	write_text(writer, wait->before ? " began before the trace\n"
			   : wait->over ? "\n"
					: " not over\n");
	gti_text_trace(writer, "\t\t", listed->trace);
	gti_text_event(writer, &wait->ready, listed);
	write_ran(writer, wait);
	for (i = 0; i < wait->kept_count; i++)
		write_kept(writer, &wait->kept[i], listed);
	if (wait->kept_more != 0) {
		gti_text_number(writer, "\t\tand ", (int64_t)wait->kept_more);
		gti_text_time(writer, in_ticks, " more slices, ",
			      wait->kept_more_overlap);
		write_text(writer, "\n");
	}
	if (wait->kept_none != 0) {
		gti_text_time(writer, in_ticks,
			      "\t\tkept by no goroutine: ", wait->kept_none);
		write_text(writer, "\n");
	}
}

/* ---------------------------------------------------------------- delays -- */

void gti_text_delays_sums(struct writer *writer, const void *from,
			  bool in_ticks)
{
	const struct gtrace_delay_report *report = from;

	gti_text_time(writer, in_ticks, "delay: goroutines waited ",
		      report->waited);
	gti_text_time(writer, in_ticks,
		      " while all processors were busy: ", report->behind);
	gti_text_time(writer, in_ticks, " behind slices, ", report->scheduling);
	write_text(writer, " in scheduling\n");
}

void gti_text_delays_head(struct writer *writer, size_t count)
{
	gti_text_number(writer, "the ", (int64_t)count);
	write_text(writer, " slices that delayed others longest\n");
}

void gti_text_delay(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;
	bool in_ticks = listed->from->in_ticks != 0;

	gti_text_time(writer, in_ticks, "\tdelayed ", slice->delay);
	gti_text_time(writer, in_ticks, " length ", slice->duration);
	if (slice->syscall_ns > 0)
		gti_text_time(writer, in_ticks, " in calls ",
			      slice->syscall_ns);
	write_text(writer, "\n");
	gti_text_ends(writer, slice, listed);
}
