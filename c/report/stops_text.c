/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.c - the report of stops of the world as text. */
#include "report/stops_text.h"

#include <string.h>

#include "report/text.h"

/* Columns of the table. */
#define KIND_WIDTH  28
#define COUNT_WIDTH 6
#define TIME_WIDTH  14

enum unit { UNIT_NANOSECONDS, UNIT_TICKS };

static enum unit unit_of(bool in_ticks)
{
	return in_ticks ? UNIT_TICKS : UNIT_NANOSECONDS;
}

static void write_text(struct writer *writer, const char *text)
{
	gti_write_bytes(writer, text, strlen(text));
}

static void write_string(struct writer *writer, struct gtrace_string string)
{
	gti_write_bytes(writer, string.data, string.size);
}

/* A literal and a number, in a line. */
static void write_number(struct writer *writer, const char *label,
			 int64_t value)
{
	char *to;

	write_text(writer, label);
	to = writer_reserve(writer, DECIMAL_MAX);
	writer_commit(writer, gti_put_signed(to, value));
}

static char *put_time(char *to, enum unit unit, int64_t time)
{
	return unit == UNIT_TICKS ? gti_put_signed(to, time)
				  : gti_put_micros(to, time);
}

/* A literal and a time. */
static void write_time(struct writer *writer, enum unit unit, const char *label,
		       int64_t time)
{
	char *to;

	write_text(writer, label);
	to = writer_reserve(writer, 64);
	to = put_time(to, unit, time);
	to = gti_put_text(to, unit == UNIT_TICKS ? " ticks" : "us");
	writer_commit(writer, to);
}

static void write_frames(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count)
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

static void write_time_column(struct writer *writer, enum unit unit,
			      int64_t time, bool known)
{
	char text[64];

	if (known)
		write_column(writer, TIME_WIDTH, text,
			     (size_t)(put_time(text, unit, time) - text));
	else
		write_column(writer, TIME_WIDTH, "-", 1);
}

static void write_row(struct writer *writer, enum unit unit,
		      const struct gtrace_stop_kind *kind,
		      struct gtrace_string name, uint64_t count)
{
	bool known = kind->measured != 0;
	char text[DECIMAL_MAX];

	write_string(writer, name);
	if (name.size < KIND_WIDTH)
		write_spaces(writer, KIND_WIDTH - name.size);
	write_column(writer, COUNT_WIDTH, text,
		     (size_t)(gti_put_decimal(text, count) - text));
	write_time_column(writer, unit, kind->stopping, known);
	write_time_column(writer, unit, kind->median, known);
	write_time_column(writer, unit, kind->p99, known);
	write_time_column(writer, unit, kind->max, known);
	write_time_column(writer, unit, kind->stopped, true);
	write_time_column(writer, unit, kind->total, known);
	write_text(writer, "\n");
}

static void write_head(struct writer *writer, enum unit unit)
{
	static const char *const columns[] = {
		"stopping", "median", "p99", "max", "stopped", "total",
	};
	const char *name = unit == UNIT_TICKS ? "kind (times in ticks)"
					      : "kind (times in us)";
	size_t i;

	write_text(writer, name);
	write_spaces(writer, KIND_WIDTH - strlen(name));
	write_column(writer, COUNT_WIDTH, "stops", 5);
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		write_column(writer, TIME_WIDTH, columns[i],
			     strlen(columns[i]));
	write_text(writer, "\n");
}

static void write_table(struct writer *writer, enum unit unit,
			const struct gtrace_stop_report *report)
{
	static const struct gtrace_string all = {"all measured", 12};
	size_t i;

	if (report->measured + report->unmeasured == 0)
		return;
	write_head(writer, unit);
	for (i = 0; i < report->kind_count; i++)
		write_row(writer, unit, &report->kinds[i],
			  report->kinds[i].kind, report->kinds[i].count);
	if (report->measured > 0 && report->kind_count >= 2)
		write_row(writer, unit, &report->all, all, report->measured);
	if (report->sampled > 1) {
		write_number(writer, "median and p99: of one in ",
			     (int64_t)report->sampled);
		write_text(writer, " stops\n");
	}
}

/* ----------------------------------------------------------------- stops -- */

/* How a processor was given up. */
static void write_how(struct writer *writer, enum unit unit,
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
		write_number(writer, ", G: ", late->g);
		write_time(writer, unit, " ran ", late->own);
		write_time(writer, unit, " until +",
			   late->left - stop->requested);
	}
	write_text(writer, "\n");
	write_frames(writer, late->frames, late->frame_count);
}

static void write_late(struct writer *writer, enum unit unit,
		       const struct gtrace_stop *stop,
		       const struct gtrace_late *late)
{
	write_number(writer, " P: ", late->p);
	if (late->how != GTRACE_LATE_SCHEDULER)
		write_number(writer, " G: ", late->g);
	write_time(writer, unit, " gave up: +",
		   late->gave_up - stop->requested);
	if (late->how == GTRACE_LATE_RAN) {
		write_time(writer, unit, " left: +",
			   late->left - stop->requested);
		if (late->start != -1)
			write_time(writer, unit,
				   " ran: ", late->left - late->start);
	} else if (late->how == GTRACE_LATE_SYSCALL && late->left != -1) {
		write_time(writer, unit,
			   " in call: ", late->gave_up - late->left);
	}
	write_how(writer, unit, stop, late);
}

static void write_place(struct writer *writer, const char *label,
			const struct gtrace_stop *stop)
{
	write_number(writer, label, stop->ts);
	write_number(writer, " P: ", stop->p);
	write_number(writer, " G: ", stop->g);
	write_text(writer, "\n");
	write_frames(writer, stop->frames, stop->frame_count);
}

static void write_kind(struct writer *writer, const struct gtrace_stop *stop)
{
	write_text(writer, " ");
	write_string(writer, stop->kind);
	write_text(writer, "\n");
}

static void write_stop(struct writer *writer, const struct listed *listed)
{
	enum unit unit = unit_of(listed->from->in_ticks != 0);
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	write_time(writer, unit, "\tstopping ", stop->stopping);
	write_time(writer, unit, " stopped ", stop->stopped);
	write_time(writer, unit, " total ", stop->total);
	write_time(writer, unit, " waited ", stop->waited);
	write_kind(writer, stop);
	gti_text_trace(writer, "\t\t", listed->trace);
	write_place(writer, "\t\trequested Ts: ", stop);
	for (i = 0; i < stop->late_count; i++) {
		write_text(writer, i == 0 ? "\t\theld up by" : "\t\talso late");
		write_late(writer, unit, stop, &stop->late[i]);
	}
	write_number(writer, "\t\tidle: ", stop->idle);
	write_number(writer, " of ", stop->procs);
	write_text(writer, "\n");
}

static void write_inferred(struct writer *writer, const struct listed *listed)
{
	enum unit unit = unit_of(listed->from->in_ticks != 0);
	const struct gtrace_stop *stop = listed->item;
	size_t i;

	write_time(writer, unit, "\tstopping ", stop->stopping_min);
	write_time(writer, unit, " to ", stop->stopping_max);
	write_kind(writer, stop);
	gti_text_trace(writer, "\t\t", listed->trace);
	write_place(writer, "\t\tended Ts: ", stop);
	for (i = 0; i < stop->late_count; i++) {
		const struct gtrace_late *late = &stop->late[i];

		write_text(writer,
			   i == 0 ? "\t\tlast to give up" : "\t\talso gave up");
		write_number(writer, " P: ", late->p);
		if (late->how != GTRACE_LATE_SCHEDULER)
			write_number(writer, " G: ", late->g);
		write_number(writer, " Ts: ", late->gave_up);
		write_how(writer, unit, stop, late);
	}
}

void gti_text_stops_sums(struct writer *writer,
			 const struct gtrace_stop_report *report, bool in_ticks)
{
	write_number(writer, "stops of the world: ", (int64_t)report->measured);
	write_number(writer, " measured, ", (int64_t)report->unmeasured);
	write_number(writer, " not measured, ", (int64_t)report->inferred);
	write_text(writer, " inferred\n");
	write_table(writer, unit_of(in_ticks), report);
}

void gti_text_stops_head(struct writer *writer, size_t count)
{
	write_number(writer, "the ", (int64_t)count);
	write_text(writer, " that took longest to stop\n");
}

void gti_text_inferred_head(struct writer *writer, uint64_t inferred)
{
	write_number(writer, "inferred from Gomaxprocs: ", (int64_t)inferred);
	write_text(writer, ", no begin event, bounds only\n");
}

void gti_text_stop(struct writer *writer, const struct listed *listed)
{
	if (((const struct gtrace_stop *)listed->item)->inferred)
		write_inferred(writer, listed);
	else
		write_stop(writer, listed);
}
