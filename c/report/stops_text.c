/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.c - the report of stops of the world as text. */
#include "report/stops_text.h"

#include <string.h>

#include "report/text.h"

/* Columns of the table. */
#define NAME_WIDTH  28
#define COUNT_WIDTH 6
#define TIME_WIDTH  14

void gti_text_number(struct writer *writer, const char *label, int64_t value)
{
	char *to;

	write_text(writer, label);
	to = writer_reserve(writer, DECIMAL_MAX);
	writer_commit(writer, gti_put_signed(to, value));
}

static char *put_time(char *to, bool in_ticks, int64_t time)
{
	return in_ticks ? gti_put_signed(to, time) : gti_put_micros(to, time);
}

void gti_text_time(struct writer *writer, bool in_ticks, const char *label,
		   int64_t time)
{
	char *to;

	write_text(writer, label);
	to = writer_reserve(writer, 64);
	to = put_time(to, in_ticks, time);
	to = gti_put_text(to, in_ticks ? " ticks" : "us");
	writer_commit(writer, to);
}

void gti_text_frames(struct writer *writer, const struct gtrace_frame *frames,
		     size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		gti_text_frame(writer, "\t\t\t ", &frames[i], true);
}

/* ----------------------------------------------------------------- table -- */

static void write_spaces(struct writer *writer, size_t count)
{
	while (count-- > 0)
		gti_write_bytes(writer, " ", 1);
}

/* A column, right-aligned, after a space. */
static void write_column(struct writer *writer, size_t width, const char *text,
			 size_t size)
{
	write_spaces(writer, 1 + (size < width ? width - size : 0));
	gti_write_bytes(writer, text, size);
}

static void write_time_column(struct writer *writer, bool in_ticks,
			      int64_t time)
{
	char text[64];

	if (time == TIME_UNKNOWN)
		write_column(writer, TIME_WIDTH, "-", 1);
	else
		write_column(writer, TIME_WIDTH, text,
			     (size_t)(put_time(text, in_ticks, time) - text));
}

void gti_text_row(struct writer *writer, bool in_ticks,
		  struct gtrace_string name, uint64_t count,
		  const int64_t times[TIME_COLUMNS])
{
	char text[DECIMAL_MAX];
	size_t i;

	write_string(writer, name);
	if (name.size < NAME_WIDTH)
		write_spaces(writer, NAME_WIDTH - name.size);
	write_column(writer, COUNT_WIDTH, text,
		     (size_t)(gti_put_decimal(text, count) - text));
	for (i = 0; i < TIME_COLUMNS && times[i] != TIME_END; i++)
		write_time_column(writer, in_ticks, times[i]);
	write_text(writer, "\n");
}

void gti_text_row_head(struct writer *writer, bool in_ticks, const char *name,
		       const char *const *columns)
{
	const char *unit = in_ticks ? "(times in ticks)" : "(times in us)";

	write_text(writer, name);
	write_text(writer, unit);
	write_spaces(writer, NAME_WIDTH - strlen(name) - strlen(unit));
	write_column(writer, COUNT_WIDTH, columns[0], strlen(columns[0]));
	while (*++columns != NULL)
		write_column(writer, TIME_WIDTH, *columns, strlen(*columns));
	write_text(writer, "\n");
}

static void write_kind_row(struct writer *writer, bool in_ticks,
			   const struct gtrace_stop_kind *kind,
			   struct gtrace_string name, uint64_t count)
{
	bool known = kind->measured != 0;
	const int64_t times[TIME_COLUMNS] = {
		known ? kind->stopping : TIME_UNKNOWN,
		known ? kind->median : TIME_UNKNOWN,
		known ? kind->p99 : TIME_UNKNOWN,
		known ? kind->max : TIME_UNKNOWN,
		kind->stopped,
		known ? kind->total : TIME_UNKNOWN,
		TIME_END,
	};

	gti_text_row(writer, in_ticks, name, count, times);
}

static void write_table(struct writer *writer, bool in_ticks,
			const struct gtrace_stop_report *report)
{
	static const struct gtrace_string all = {"all measured", 12};
	static const char *const columns[] = {
		"stops", "stopping", "median", "p99",
		"max",   "stopped",  "total",  NULL,
	};
	size_t i;

	if (report->measured + report->unmeasured == 0)
		return;
	gti_text_row_head(writer, in_ticks, "kind ", columns);
	for (i = 0; i < report->kind_count; i++)
		write_kind_row(writer, in_ticks, &report->kinds[i],
			       report->kinds[i].kind, report->kinds[i].count);
	if (report->measured > 0 && report->kind_count >= 2)
		write_kind_row(writer, in_ticks, &report->all, all,
			       report->measured);
	if (report->sampled > 1) {
		gti_text_number(writer, "median and p99: of one in ",
				(int64_t)report->sampled);
		write_text(writer, " stops\n");
	}
}

/* ----------------------------------------------------------------- stops -- */

/* How a processor was given up. */
static void write_how(struct writer *writer, bool in_ticks,
		      const struct gtrace_stop *stop,
		      const struct gtrace_late *late)
{
	if (late->how == GTRACE_LATE_SYSCALL)
		write_text(writer, " in a system call,");
	else if (late->how == GTRACE_LATE_SCHEDULER)
		write_text(writer, " no goroutine,");
	write_text(writer, " ");
	write_text(writer, late->event);
	if (late->how == GTRACE_LATE_RAN && late->reason.size != 0) {
		write_text(writer, " ");
		write_string(writer, late->reason);
	} else if (late->how == GTRACE_LATE_SCHEDULER && late->own > 0) {
		gti_text_number(writer, ", G: ", late->g);
		gti_text_time(writer, in_ticks, " ran ", late->own);
		gti_text_time(writer, in_ticks, " until +",
			      late->left - stop->requested);
	}
	write_text(writer, "\n");
	gti_text_frames(writer, late->frames, late->frame_count);
}

static void write_late(struct writer *writer, bool in_ticks,
		       const struct gtrace_stop *stop,
		       const struct gtrace_late *late)
{
	gti_text_number(writer, " P: ", late->p);
	if (late->how != GTRACE_LATE_SCHEDULER)
		gti_text_number(writer, " G: ", late->g);
	gti_text_time(writer, in_ticks, " gave up: +",
		      late->gave_up - stop->requested);
	if (late->how == GTRACE_LATE_RAN) {
		gti_text_time(writer, in_ticks, " left: +",
			      late->left - stop->requested);
		if (late->start != -1)
			gti_text_time(writer, in_ticks,
				      " ran: ", late->left - late->start);
	} else if (late->how == GTRACE_LATE_SYSCALL && late->left != -1) {
		gti_text_time(writer, in_ticks,
			      " in call: ", late->gave_up - late->left);
	}
	write_how(writer, in_ticks, stop, late);
}

static void write_place(struct writer *writer, const char *label,
			const struct gtrace_stop *stop)
{
	gti_text_number(writer, label, stop->ts);
	gti_text_number(writer, " P: ", stop->p);
	gti_text_number(writer, " G: ", stop->g);
	write_text(writer, "\n");
	gti_text_frames(writer, stop->frames, stop->frame_count);
}

static void write_kind(struct writer *writer, const struct gtrace_stop *stop)
{
	write_text(writer, " ");
	write_string(writer, stop->kind);
	write_text(writer, "\n");
}

static void write_stop(struct writer *writer, const struct listed *listed)
{
	bool in_ticks = listed->from->in_ticks != 0;
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	gti_text_time(writer, in_ticks, "\tstopping ", stop->stopping);
	gti_text_time(writer, in_ticks, " stopped ", stop->stopped);
	gti_text_time(writer, in_ticks, " total ", stop->total);
	gti_text_time(writer, in_ticks, " waited ", stop->waited);
	write_kind(writer, stop);
	gti_text_trace(writer, "\t\t", listed->trace);
	write_place(writer, "\t\trequested Ts: ", stop);
	for (i = 0; i < stop->late_count; i++) {
		write_text(writer, i == 0 ? "\t\theld up by" : "\t\talso late");
		write_late(writer, in_ticks, stop, &stop->late[i]);
	}
	gti_text_number(writer, "\t\tidle: ", stop->idle);
	gti_text_number(writer, " of ", stop->procs);
	write_text(writer, "\n");
}

static void write_inferred(struct writer *writer, const struct listed *listed)
{
	bool in_ticks = listed->from->in_ticks != 0;
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	gti_text_time(writer, in_ticks, "\tstopping ", stop->stopping_min);
	gti_text_time(writer, in_ticks, " to ", stop->stopping_max);
	write_kind(writer, stop);
	gti_text_trace(writer, "\t\t", listed->trace);
	write_place(writer, "\t\tended Ts: ", stop);
	for (i = 0; i < stop->late_count; i++) {
		const struct gtrace_late *late = &stop->late[i];

		write_text(writer,
			   i == 0 ? "\t\tlast to give up" : "\t\talso gave up");
		gti_text_number(writer, " P: ", late->p);
		if (late->how != GTRACE_LATE_SCHEDULER)
			gti_text_number(writer, " G: ", late->g);
		gti_text_number(writer, " Ts: ", late->gave_up);
		write_how(writer, in_ticks, stop, late);
	}
}

void gti_text_stops_sums(struct writer *writer, const void *from, bool in_ticks)
{
	const struct gtrace_stop_report *report = from;

	gti_text_number(writer,
			"stops of the world: ", (int64_t)report->measured);
	gti_text_number(writer, " measured, ", (int64_t)report->unmeasured);
	gti_text_number(writer, " not measured, ", (int64_t)report->inferred);
	write_text(writer, " inferred\n");
	write_table(writer, in_ticks, report);
}

void gti_text_stops_head(struct writer *writer, size_t count)
{
	gti_text_number(writer, "the ", (int64_t)count);
	write_text(writer, " that took longest to stop\n");
}

void gti_text_inferred_head(struct writer *writer, uint64_t inferred)
{
	gti_text_number(writer,
			"inferred from Gomaxprocs: ", (int64_t)inferred);
	write_text(writer, ", no begin event, bounds only\n");
}

void gti_text_stop(struct writer *writer, const struct listed *listed)
{
	if (((const struct gtrace_stop *)listed->item)->inferred)
		write_inferred(writer, listed);
	else
		write_stop(writer, listed);
}
