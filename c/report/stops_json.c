/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_json.c - the report of stops of the world as JSON Lines. */
#include "report/lists.h"
#include "report/json.h"

const char *gti_late_how_name(enum gtrace_late_how how)
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
	gti_json_text(json, "how", gti_late_how_name(late->how));
	gti_json_signed(json, "g", late->g);
	gti_json_signed(json, "start", late->start);
	gti_json_signed(json, "left", late->left);
	gti_json_signed(json, "gave_up", late->gave_up);
	gti_json_signed(json, "own", late->own);
	gti_json_text(json, "event", late->event);
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

void gti_json_stop(struct writer *writer, const struct listed_stop *listed)
{
	const struct gtrace_stop *stop = listed->stop;
	struct json line = {.writer = writer}, *json = &line;
	size_t i;

	gti_json_open(json, NULL, '{');
	gti_json_trace(json, listed->trace);
	gti_json_unsigned(json, "n", stop->number);
	gti_json_unit(json, listed->in_ticks);
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
