/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_json.c - what there is to say about a trace, as JSON. */
#include <stdio.h>

#include "report/json.h"
#include "report/names.h"
#include "report/summary.h"

static void write_work(struct json *json, enum gtrace_work work,
		       struct gtrace_string function)
{
	gti_json_text(json, "work", gti_work_word(work, function.size != 0));
}

/* The two functions that NAMING has, and the place in the first one. */
static void write_naming(struct json *json, const struct naming *naming)
{
	static const struct gtrace_string none = {"", 0};
	const struct gtrace_frame *frame = naming->frame;

	gti_json_string(json, "fn", frame != NULL ? frame->function : none);
	gti_json_string(json, "caller",
			naming->caller != NULL ? naming->caller->function
					       : none);
	gti_json_string(json, "file", frame != NULL ? frame->file : none);
	gti_json_unsigned(json, "line", frame != NULL ? frame->line : 0);
	gti_json_text(json, "work", gti_naming_word(naming));
}

static void write_facts(struct json *json, const struct gtrace_summary *summary)
{
	char version[32];

	snprintf(version, sizeof(version), "%u.%u",
		 summary->trace_version / 1000, summary->trace_version % 1000);
	gti_json_string(json, "headline", summary->headline);
	gti_json_string(json, "explanation", summary->explanation);
	gti_json_text(json, "version", version);
	gti_json_signed(json, "length", summary->length);
	gti_json_signed(json, "procs", summary->procs);
	gti_json_unsigned(json, "goroutines", summary->goroutines);
	gti_json_unsigned(json, "goroutines_created",
			  summary->goroutines_created);
	gti_json_unsigned(json, "goroutines_alive", summary->goroutines_alive);
	gti_json_unsigned(json, "events", summary->events);
	gti_json_unsigned(json, "collections", summary->collections);
	gti_json_signed(json, "collecting", summary->collecting);
	gti_json_unsigned(json, "tracer", summary->tracer_count);
	gti_json_signed(json, "tracer_sum", summary->tracer_sum);
	gti_json_signed(json, "tracer_max", summary->tracer_max);
}

static void write_stops(struct json *json,
			const struct gtrace_stop_report *stops)
{
	gti_json_open(json, "stops", '{');
	gti_json_unsigned(json, "measured", stops->measured);
	gti_json_unsigned(json, "unmeasured", stops->unmeasured);
	gti_json_unsigned(json, "inferred", stops->inferred);
	gti_json_signed(json, "stopping", stops->all.stopping);
	gti_json_signed(json, "median", stops->all.median);
	gti_json_signed(json, "p99", stops->all.p99);
	gti_json_signed(json, "max", stops->all.max);
	gti_json_signed(json, "stopped", stops->all.stopped);
	gti_json_signed(json, "total", stops->all.total);
	gti_json_close(json, '}');
}

static void write_slice(struct json *json, const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);

	gti_json_open(json, NULL, '{');
	gti_json_signed(json, "duration", slice->duration);
	gti_json_signed(json, "start", slice->start.ts);
	gti_json_signed(json, "p", slice->p);
	gti_json_signed(json, "g", slice->g);
	write_naming(json, &naming);
	gti_json_close(json, '}');
}

static void write_stop(struct json *json, const struct gtrace_stop *stop)
{
	struct naming naming = gti_name_holder(stop);

	gti_json_open(json, NULL, '{');
	gti_json_unsigned(json, "n", stop->number);
	gti_json_string(json, "kind", stop->kind);
	gti_json_signed(json, "requested", stop->requested);
	gti_json_signed(json, "stopping", stop->stopping);
	gti_json_signed(json, "stopped", stop->stopped);
	gti_json_signed(json, "p", stop->late_count != 0 ? stop->late->p : -1);
	gti_json_signed(json, "g",
			gti_is_goroutine(&naming) ? stop->late->g : -1);
	write_naming(json, &naming);
	gti_json_close(json, '}');
}

static void write_lists(struct json *json, const struct gtrace_summary *summary)
{
	size_t i;

	gti_json_open(json, "longest_slices", '[');
	for (i = 0; i < summary->greedy->count; i++)
		write_slice(json, summary->greedy->slices[i]);
	gti_json_close(json, ']');
	gti_json_open(json, "longest_stops", '[');
	for (i = 0; i < summary->stops->stop_count; i++)
		write_stop(json, summary->stops->stops[i]);
	gti_json_close(json, ']');
}

static void write_functions(struct json *json,
			    const struct gtrace_summary *summary)
{
	size_t i;

	gti_json_open(json, "functions", '[');
	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *at = &summary->functions[i];

		gti_json_open(json, NULL, '{');
		gti_json_string(json, "fn", at->function);
		gti_json_string(json, "caller", at->caller);
		write_work(json, at->work, at->function);
		gti_json_unsigned(json, "count", at->count);
		gti_json_signed(json, "sum", at->sum);
		gti_json_signed(json, "max", at->max);
		gti_json_close(json, '}');
	}
	gti_json_close(json, ']');
}

static void write_holders(struct json *json,
			  const struct gtrace_summary *summary)
{
	size_t i;

	gti_json_open(json, "holders", '[');
	for (i = 0; i < summary->holder_count; i++) {
		const struct gtrace_holder *at = &summary->holders[i];

		gti_json_open(json, NULL, '{');
		gti_json_string(json, "fn", at->function);
		gti_json_string(json, "caller", at->caller);
		write_work(json, at->work, at->function);
		gti_json_unsigned(json, "count", at->count);
		gti_json_signed(json, "stopping", at->stopping);
		gti_json_close(json, '}');
	}
	gti_json_close(json, ']');
}

void gti_json_summary(struct writer *writer,
		      const struct gtrace_summary *summary, const char *trace)
{
	struct json json = {.writer = writer};

	gti_json_open(&json, NULL, '{');
	gti_json_trace(&json, trace);
	gti_json_unit(&json, summary->in_ticks != 0);
	write_facts(&json, summary);
	gti_json_lengths(&json, &summary->slices);
	write_stops(&json, summary->stops);
	write_lists(&json, summary);
	write_functions(&json, summary);
	write_holders(&json, summary);
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
}
