/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - tables of what the summary has. */
#include <stdio.h>

#include "tables/work.h"

/* -------------------------------------------------------------- findings -- */

static void add_finding(struct work *work, size_t rank,
			const struct gtrace_finding *of)
{
	const struct named named = named_of(&of->frame, NULL);
	struct findings_row row = {
		.rank = (int64_t)rank,
		.kind = text_of(of->name),
		.function = named.function,
		.inner_function = text_unless_empty(of->inner),
		.file = named.file,
		.line = named.line,
		.harm_ns = of->harm,
		.ranked_ns = of->rank,
		.permille = of->permille,
		.things = number_of(of->count),
		.worst_ns = of->worst,
		.worst_start_ns = number_known(of->worst_start),
		.worst_g = number_known(of->worst_g),
		.sentence = of->text,
		.sure = of->sure,
		.slices_ns = of->length,
		.off_cpu_ns = of->off_cpu,
		.ran_ns = of->parts[GTRACE_HOLD_RAN],
		.ready_ns = of->parts[GTRACE_HOLD_READY],
		.delayed_ns = of->parts[GTRACE_HOLD_DELAY],
		.system_call_ns = of->parts[GTRACE_HOLD_CALL],
		.c_ns = of->parts[GTRACE_HOLD_IN_C],
		.network_ns = of->parts[GTRACE_HOLD_NETWORK],
		.sleep_ns = of->parts[GTRACE_HOLD_SLEEP],
		.lock_ns = of->parts[GTRACE_HOLD_LOCK],
		.send_ns = of->parts[GTRACE_HOLD_SEND],
		.idle_processors_ns = of->parts[GTRACE_HOLD_WORK],
	};

	files_add(work->files, TABLE_FINDINGS, &row);
}

/* ---------------------------------------------------------------- traces -- */

/* When TRACE began, in microseconds since 1970. */
static int64_t start_time(struct gtrace *trace)
{
	int64_t time = gtrace_start_time(trace);

	return time != INT64_MIN ? time / 1000 : COLUMN_NONE;
}

static void add_trace(struct work *work, const struct gtrace_summary *of,
		      const char *labels)
{
	const struct gtrace_stop_report *stops = of->stops;
	const struct gtrace_error *reason = NULL;
	uint64_t unread = 0;
	char version[32];
	struct traces_row row = {
		.name = text_of(work->of->name),
		.labels = text_of(labels),
		.start_time = start_time(work->of->trace),
		.origin_ns = of->origin,
		.length_ns = of->length,
		.processors = of->procs,
		.events = number_of(of->events),
		.goroutines = number_of(of->goroutines),
		.goroutines_created = number_of(of->goroutines_created),
		.slices = number_of(of->slices.count),
		.time_ns = of->time,
		.idle_ns = number_known(of->idle),
		.collections = number_of(of->collections),
		.collecting_ns = of->collecting,
		.pauses = number_of(stops->measured + stops->unmeasured +
				    stops->inferred),
		.headline = of->headline,
		.explanation = text_unless_empty(of->explanation),
		.clock_changes = number_of(of->clock_changes),
	};

	snprintf(version, sizeof(version), "%u.%u", of->trace_version / 1000,
		 of->trace_version % 1000);
	row.go_version = text_of(version);
	if (gtrace_left_out(work->of->trace, NULL, &unread, &reason))
		row.fault = text_of(reason->message);
	row.unread_bytes = number_of(unread);
	files_add(work->files, TABLE_TRACES, &row);
}

enum gtrace_status work_summarise(struct work *work, const char *labels,
				  struct gtrace_error *error)
{
	const struct gtrace_request request = {.size = sizeof(request)};
	struct gtrace_summary *made;
	enum gtrace_status status =
		gtrace_summarise(work->of->trace, &request, &made, error);
	size_t i;

	if (status != GTRACE_OK)
		return status;
	for (i = 0; i < made->finding_count; i++)
		add_finding(work, i + 1, &made->findings[i]);
	add_trace(work, made, labels);
	gtrace_summary_free(made);
	return GTRACE_OK;
}
