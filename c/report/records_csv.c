/* SPDX-License-Identifier: BSD-3-Clause */
/* records_csv.c - slices, stops of the world and events as CSV. */
#include "report/csv.h"
#include "report/events.h"
#include "report/lists.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *unit_name(bool in_ticks)
{
	return in_ticks ? "ticks" : "ns";
}

/* The string arguments of an event, which has at most two, are two fields. */
static void write_strings(struct csv *csv, const struct gtrace_event *event)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		if (i < event->string_count)
			gti_csv_string(csv, event->strings[i]);
		else
			gti_csv_empty(csv);
	}
}

/* --------------------------------------------------------------- slices -- */

void gti_csv_slices_head(struct writer *writer)
{
	static const char *const names[] = {
		"trace",
		"unit",
		"duration",
		"own",
		"start",
		"end",
		"m",
		"p",
		"g",
		"function",
		"system",
		"still_running",
		"syscalls",
		"syscall_ns",
		"start_event",
		"start_string1",
		"start_string2",
		"start_walk",
		"start_stack",
		"end_event",
		"end_string1",
		"end_string2",
		"end_walk",
		"end_stack",
		"samples",
	};

	gti_csv_head(writer, names, COUNT(names));
}

static void write_end(struct csv *csv, const struct gtrace_event *event)
{
	gti_csv_text(csv, event->name);
	write_strings(csv, event);
	gti_csv_texts(csv, event->walk, event->walk_count);
	gti_csv_frames(csv, event->frames, event->frame_count);
}

void gti_csv_slice(struct writer *writer, const struct listed_slice *listed)
{
	static const struct gtrace_event none = {.name = NULL};
	const struct gtrace_slice *slice = listed->slice;
	struct csv csv = {.writer = writer};
	uint64_t end = (uint64_t)slice->start.ts + (uint64_t)slice->duration;

	gti_csv_text(&csv, listed->trace);
	gti_csv_text(&csv, unit_name(listed->in_ticks));
	gti_csv_signed(&csv, slice->duration);
	gti_csv_signed(&csv, slice->own);
	gti_csv_signed(&csv, slice->start.ts);
	gti_csv_signed(&csv, (int64_t)end);
	gti_csv_signed(&csv, slice->m);
	gti_csv_signed(&csv, slice->p);
	gti_csv_signed(&csv, slice->g);
	gti_csv_string(&csv, slice->function);
	gti_csv_bool(&csv, slice->system != 0);
	gti_csv_bool(&csv, slice->still_running != 0);
	gti_csv_unsigned(&csv, slice->syscalls);
	gti_csv_signed(&csv, slice->syscall_ns);
	write_end(&csv, &slice->start);
	write_end(&csv, slice->still_running ? &none : &slice->end);
	gti_csv_samples(&csv, slice->samples, slice->sample_count);
	gti_csv_end_record(&csv);
}

/* ---------------------------------------------------------------- stops -- */

void gti_csv_stops_head(struct writer *writer)
{
	static const char *const names[] = {
		"trace",
		"unit",
		"n",
		"kind",
		"ts",
		"p",
		"g",
		"requested",
		"obtained",
		"restarting",
		"restarted",
		"ended",
		"stopping",
		"stopped",
		"total",
		"waited",
		"procs",
		"idle",
		"measured",
		"inferred",
		"requested_min",
		"requested_max",
		"stopping_min",
		"stopping_max",
		"stack",
		"late",
		"last_p",
		"last_how",
		"last_g",
		"last_start",
		"last_left",
		"last_gave_up",
		"last_own",
		"last_event",
		"last_reason",
		"last_stack",
	};

	gti_csv_head(writer, names, COUNT(names));
}

static void write_times(struct csv *csv, const struct gtrace_stop *stop)
{
	gti_csv_signed(csv, stop->requested);
	gti_csv_signed(csv, stop->obtained);
	gti_csv_signed(csv, stop->restarting);
	gti_csv_signed(csv, stop->restarted);
	gti_csv_signed(csv, stop->ended);
	gti_csv_signed(csv, stop->stopping);
	gti_csv_signed(csv, stop->stopped);
	gti_csv_signed(csv, stop->total);
	gti_csv_signed(csv, stop->waited);
}

/* The processor that was given up last. NULL: there is none. */
static void write_last(struct csv *csv, const struct gtrace_late *late)
{
	size_t i;

	for (i = 0; late == NULL && i < 10; i++)
		gti_csv_empty(csv);
	if (late == NULL)
		return;
	gti_csv_signed(csv, late->p);
	gti_csv_text(csv, gti_late_how_name(late->how));
	gti_csv_signed(csv, late->g);
	gti_csv_signed(csv, late->start);
	gti_csv_signed(csv, late->left);
	gti_csv_signed(csv, late->gave_up);
	gti_csv_signed(csv, late->own);
	gti_csv_text(csv, late->event);
	gti_csv_string(csv, late->reason);
	gti_csv_frames(csv, late->frames, late->frame_count);
}

void gti_csv_stop(struct writer *writer, const struct listed_stop *listed)
{
	const struct gtrace_stop *stop = listed->stop;
	struct csv csv = {.writer = writer};

	gti_csv_text(&csv, listed->trace);
	gti_csv_text(&csv, unit_name(listed->in_ticks));
	gti_csv_unsigned(&csv, stop->number);
	gti_csv_string(&csv, stop->kind);
	gti_csv_signed(&csv, stop->ts);
	gti_csv_signed(&csv, stop->p);
	gti_csv_signed(&csv, stop->g);
	write_times(&csv, stop);
	gti_csv_signed(&csv, stop->procs);
	gti_csv_signed(&csv, stop->idle);
	gti_csv_bool(&csv, stop->measured != 0);
	gti_csv_bool(&csv, stop->inferred != 0);
	gti_csv_signed(&csv, stop->requested_min);
	gti_csv_signed(&csv, stop->requested_max);
	gti_csv_signed(&csv, stop->stopping_min);
	gti_csv_signed(&csv, stop->stopping_max);
	gti_csv_frames(&csv, stop->frames, stop->frame_count);
	gti_csv_unsigned(&csv, stop->late_count);
	write_last(&csv, stop->late_count != 0 ? &stop->late[0] : NULL);
	gti_csv_end_record(&csv);
}

/* --------------------------------------------------------------- events -- */

void gti_csv_dump_head(struct dump_text *dump)
{
	static const char *const names[] = {
		"trace", "unit", "n",       "offset",  "type",     "name",
		"ts",    "m",    "p",       "g",       "stack_id", "arg1",
		"arg2",  "arg3", "string1", "string2", "link",     "stack",
	};

	gti_csv_head(dump->writer, names, COUNT(names));
}

void gti_csv_dump_stack(struct writer *writer,
			const struct gtrace_frame *frames, size_t count)
{
	/* It is the last field of its record. */
	struct csv csv = {.writer = writer, .comma = true};

	gti_csv_frames(&csv, frames, count);
}

bool gti_csv_dump_event(struct dump_text *dump,
			const struct gtrace_event *event, uint64_t stack)
{
	struct csv csv = {.writer = dump->writer};
	size_t i;

	gti_csv_text(&csv, dump->trace);
	gti_csv_text(&csv, unit_name(dump->in_ticks));
	gti_csv_unsigned(&csv, event->number);
	gti_csv_unsigned(&csv, event->offset);
	gti_csv_unsigned(&csv, event->type);
	gti_csv_text(&csv, event->name);
	gti_csv_signed(&csv, event->ts);
	gti_csv_signed(&csv, event->m);
	gti_csv_signed(&csv, event->p);
	gti_csv_signed(&csv, event->g);
	gti_csv_unsigned(&csv, event->stack_id);
	for (i = 0; i < 3; i++) {
		if (i < event->arg_count)
			gti_csv_unsigned(&csv, event->args[i]);
		else
			gti_csv_empty(&csv);
	}
	write_strings(&csv, event);
	gti_csv_unsigned(&csv, event->link);
	if (event->frame_count != 0)
		gti_csv_dump_stack(dump->writer, event->frames,
				   event->frame_count);
	else if (!stack_texts_write(&dump->stacks, dump->writer, stack))
		return false;
	gti_csv_end_record(&csv);
	return true;
}
