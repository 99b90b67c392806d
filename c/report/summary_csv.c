/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_csv.c - what there is to say about a trace, as CSV. */
#include <stdio.h>

#include "report/csv.h"
#include "report/summary.h"

static void write_head(struct writer *writer)
{
	static const char *const names[] = {
		"trace",
		"unit",
		"headline",
		"explanation",
		"version",
		"length",
		"procs",
		"goroutines",
		"goroutines_created",
		"goroutines_alive",
		"events",
		"collections",
		"collecting",
		"tracer",
		"tracer_sum",
		"tracer_max",
		"slices",
		"slices_sum",
		"slices_median",
		"slices_p99",
		"slices_p999",
		"slices_max",
		"longest_fn",
		"longest_caller",
		"longest_own",
		"stops_measured",
		"stops_unmeasured",
		"stops_inferred",
		"stopping",
		"stopping_median",
		"stopping_p99",
		"stopping_max",
		"stopped",
	};

	gti_csv_head(writer, names, sizeof(names) / sizeof(names[0]));
}

static void write_slices(struct csv *csv, const struct gtrace_summary *summary)
{
	static const struct gtrace_longest none = {
		.function = {"", 0}, .caller = {"", 0}, .own = -1};
	const struct gtrace_distribution *slices = &summary->slices;
	const struct gtrace_longest *longest =
		summary->longest != NULL ? summary->longest : &none;

	gti_csv_unsigned(csv, slices->count);
	gti_csv_signed(csv, slices->sum);
	gti_csv_signed(csv, slices->median);
	gti_csv_signed(csv, slices->p99);
	gti_csv_signed(csv, slices->p999);
	gti_csv_signed(csv, slices->max);
	gti_csv_string(csv, longest->function);
	gti_csv_string(csv, longest->caller);
	gti_csv_signed(csv, longest->own);
}

static void write_stops(struct csv *csv, const struct gtrace_stop_report *stops)
{
	gti_csv_unsigned(csv, stops->measured);
	gti_csv_unsigned(csv, stops->unmeasured);
	gti_csv_unsigned(csv, stops->inferred);
	gti_csv_signed(csv, stops->all.stopping);
	gti_csv_signed(csv, stops->all.median);
	gti_csv_signed(csv, stops->all.p99);
	gti_csv_signed(csv, stops->all.max);
	gti_csv_signed(csv, stops->all.stopped);
}

void gti_csv_summary(struct writer *writer,
		     const struct gtrace_summary *summary, const char *trace)
{
	struct csv csv = {.writer = writer};
	char version[32];

	snprintf(version, sizeof(version), "%u.%u",
		 summary->trace_version / 1000, summary->trace_version % 1000);
	write_head(writer);
	gti_csv_text(&csv, trace);
	gti_csv_text(&csv, summary->in_ticks ? "ticks" : "ns");
	gti_csv_string(&csv, summary->headline);
	gti_csv_string(&csv, summary->explanation);
	gti_csv_text(&csv, version);
	gti_csv_signed(&csv, summary->length);
	gti_csv_signed(&csv, summary->procs);
	gti_csv_unsigned(&csv, summary->goroutines);
	gti_csv_unsigned(&csv, summary->goroutines_created);
	gti_csv_unsigned(&csv, summary->goroutines_alive);
	gti_csv_unsigned(&csv, summary->events);
	gti_csv_unsigned(&csv, summary->collections);
	gti_csv_signed(&csv, summary->collecting);
	gti_csv_unsigned(&csv, summary->tracer_count);
	gti_csv_signed(&csv, summary->tracer_sum);
	gti_csv_signed(&csv, summary->tracer_max);
	write_slices(&csv, summary);
	write_stops(&csv, summary->stops);
	gti_csv_end_record(&csv);
}
