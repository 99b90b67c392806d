/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_json.c - the report of stops of the world as JSON Lines. */
#include <string.h>

#include "report/json.h"

static struct gtrace_string string_of(const char *text)
{
	struct gtrace_string string = {text, strlen(text)};

	return string;
}

static const char *how_name(enum gtrace_late_how how)
{
	switch (how) {
	case GTRACE_LATE_RAN:
		return "ran";
	case GTRACE_LATE_SYSCALL:
		return "syscall";
	case GTRACE_LATE_SCHEDULER:
		break;
	}
	return "scheduler";
}

static void write_late(struct json *json, const struct gtrace_late *late)
{
	gti_json_open(json, NULL, '{');
	gti_json_signed(json, "p", late->p);
	gti_json_string(json, "how", string_of(how_name(late->how)));
	gti_json_signed(json, "g", late->g);
	gti_json_signed(json, "start", late->start);
	gti_json_signed(json, "left", late->left);
	gti_json_signed(json, "gave_up", late->gave_up);
	gti_json_string(json, "event", string_of(late->event));
	gti_json_string(json, "reason", late->reason);
	gti_json_frames(json, "stack", late->frames, late->frame_count);
	gti_json_close(json, '}');
}

static void write_times(struct json *json, const struct gtrace_stop *stop)
{
	gti_json_signed(json, "requested", stop->requested);
	gti_json_signed(json, "obtained", stop->obtained);
	gti_json_signed(json, "restarting", stop->restarting);
	gti_json_signed(json, "restarted", stop->restarted);
	gti_json_signed(json, "ended", stop->ended);
	gti_json_signed(json, "stopping", stop->stopping);
	gti_json_signed(json, "stopped", stop->stopped);
	gti_json_signed(json, "total", stop->total);
	gti_json_signed(json, "waited", stop->waited);
}

static void write_stop(struct json *json, const struct gtrace_stop *stop,
		       bool in_ticks)
{
	size_t i;

	gti_json_open(json, NULL, '{');
	gti_json_unsigned(json, "n", stop->number);
	if (in_ticks)
		gti_json_string(json, "unit", string_of("ticks"));
	gti_json_string(json, "kind", stop->kind);
	gti_json_signed(json, "ts", stop->ts);
	gti_json_signed(json, "p", stop->p);
	gti_json_signed(json, "g", stop->g);
	gti_json_frames(json, "stack", stop->frames, stop->frame_count);
	write_times(json, stop);
	gti_json_signed(json, "procs", stop->procs);
	gti_json_signed(json, "idle", stop->idle);
	gti_json_bool(json, "measured", stop->measured != 0);
	gti_json_bool(json, "inferred", stop->inferred != 0);
	if (stop->inferred) {
		gti_json_signed(json, "requested_min", stop->requested_min);
		gti_json_signed(json, "requested_max", stop->requested_max);
	}
	gti_json_open(json, "late", '[');
	for (i = 0; i < stop->late_count; i++)
		write_late(json, &stop->late[i]);
	gti_json_close(json, ']');
	gti_json_close(json, '}');
	gti_json_end_line(json);
}

static void write_list(struct json *json,
		       const struct gtrace_stop *const *stops, size_t count,
		       bool in_ticks)
{
	size_t i;

	for (i = 0; i < count; i++)
		write_stop(json, stops[i], in_ticks);
}

void gti_json_stops(struct writer *writer,
		    const struct gtrace_stop_report *report)
{
	struct json json = {.writer = writer};
	bool in_ticks = report->in_ticks != 0;

	write_list(&json, report->stops, report->stop_count, in_ticks);
	write_list(&json, report->inferred_stops, report->inferred_count,
		   in_ticks);
	write_list(&json, report->unmeasured_stops, report->unmeasured_count,
		   in_ticks);
}
