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

/* ----------------------------------------------------------- collections -- */

static void add_collection(struct work *work,
			   const struct gtrace_collection *of)
{
	struct collections_row row = {
		.collection = number_of(of->number),
		.reason = text_of(of->reason),
		.g = number_known(of->g),
		.function = text_unless_empty(of->function),
		.began_before = of->began_before,
		.unfinished = of->unfinished,
		.start_ns = number_known(of->start),
		.sweep_begin_ns = number_known(of->sweep_begin),
		.sweep_end_ns = number_known(of->sweep_end),
		.term_begin_ns = number_known(of->term_begin),
		.done_ns = number_known(of->done),
		.end_ns = number_known(of->end),
		.released_ns = number_known(of->released),
		.sweep_clock_ns = number_known(of->sweep_clock),
		.mark_clock_ns = number_known(of->mark_clock),
		.mark_max_ns = number_known(of->mark_max),
		.term_clock_ns = number_known(of->term_clock),
		.processors = number_known(of->procs),
		.sweep_cpu_ns = number_known(of->sweep_cpu),
		.assist_cpu_ns = number_known(of->assist_cpu),
		.dedicated_cpu_ns = number_known(of->dedicated_cpu),
		.fractional_cpu_ns = number_known(of->fractional_cpu),
		.idle_cpu_ns = number_known(of->idle_cpu),
		.term_cpu_ns = number_known(of->term_cpu),
		.heap_start_bytes = number_known(of->heap_start),
		.heap_end_bytes = number_known(of->heap_end),
		.heap_live_bytes = number_known(of->heap_live),
		.heap_goal_bytes = number_known(of->heap_goal),
		.assists = number_known(of->assists),
		.assist_goroutines = number_known(of->assist_goroutines),
		.assist_held_ns = number_known(of->assist_held),
		.assist_parked_ns = number_known(of->assist_parked),
		.mark_window_ns = number_known(of->mark_window),
		.runnable_ns = number_known(of->runnable),
	};

	files_add(work->files, TABLE_COLLECTIONS, &row);
}

/* ----------------------------------------------------------------- waits -- */

/* What the slice that WAIT was behind longest has in ROW. */
static void set_kept(struct waits_row *row, const struct gtrace_wait *wait)
{
	const struct gtrace_kept *kept = wait->kept;
	struct named named;

	row->kept_slices = number_of(wait->kept_count + wait->kept_more);
	row->kept_g = row->kept_p = row->kept_start_ns = COLUMN_NONE;
	row->kept_length_ns = row->kept_ns = COLUMN_NONE;
	if (wait->kept_count == 0)
		return;
	named = named_of(kept->frame, kept->caller);
	row->kept_g = kept->g;
	row->kept_p = kept->p;
	row->kept_start_ns = kept->start;
	row->kept_length_ns = kept->length;
	row->kept_ns = kept->overlap;
	row->kept_function = named.function;
	row->kept_inner_function = named.inner;
	row->kept_work = text_of(gtrace_work_name(kept->work));
}

static void add_wait(struct work *work, const struct gtrace_wait *of)
{
	const struct gtrace_event *ready = &of->ready;
	struct waits_row row = {
		.start_ns = of->start,
		.length_ns = of->length,
		.g = of->g,
		.busy_ns = of->busy,
		.idle_ns = of->idle,
		.stopped_ns = of->stopped,
		.whole = of->whole,
		.began_before = of->before,
		.ran_ns = number_known(of->ran),
		.ran_p = number_known(of->ran_p),
		.event = text_of(ready->name),
		.reason = text_unless_empty(of->reason),
		.ready_ns = ready->ts,
		.ready_g = number_known(ready->g),
		.ready_p = number_known(ready->p),
		.ready_function = named_of(of->ready_frame, NULL).function,
		.ready_stack =
			work_stack(work, ready->frames, ready->frame_count),
		.silent_ns = of->silent,
		.off_cpu_min_ns = of->off_cpu_min,
		.clock_changed = of->clock_changed,
	};

	set_kept(&row, of);
	files_add(work->files, TABLE_WAITS, &row);
}

static void add_wait_sum(struct work *work, const struct gtrace_wait_row *of)
{
	struct wait_sums_row row = {
		.event = text_of(of->event),
		.waits = number_of(of->count),
		.sum_ns = of->sum,
		.median_ns = of->median,
		.p99_ns = of->p99,
		.p999_ns = of->p999,
		.max_ns = of->max,
		.busy_ns = of->busy,
		.idle_ns = of->idle,
		.stopped_ns = of->stopped,
	};

	files_add(work->files, TABLE_WAIT_SUMS, &row);
}

/* ---------------------------------------------------------------- places -- */

static void add_holder(struct work *work, const struct places_row *place,
		       const struct gtrace_lock_holder *of)
{
	const struct named named = named_of(&of->frame, NULL);
	struct holders_row row = {
		.kind = place->kind,
		.stack = place->stack,
		.function = place->function,
		.file = place->file,
		.line = place->line,
		.holder_function = named.function,
		.holder_file = named.file,
		.holder_line = named.line,
		.held_ns = of->sum,
		.did_ns = COLUMN_NONE,
	};

	if (of->part_count != 0) {
		row.did = text_of(of->parts[0].part);
		row.did_function = text_unless_empty(of->parts[0].inner);
		row.did_ns = of->parts[0].sum;
	}
	files_add(work->files, TABLE_HOLDERS, &row);
}

static void add_place(struct work *work, const struct gtrace_block_place *of)
{
	const struct named named = named_of(of->frame, NULL);
	struct places_row row = {
		.kind = text_of(gtrace_block_name(of->kind)),
		.stack = work_stack(work, of->frames, of->frame_count),
		.function = named.function,
		.file = named.file,
		.line = named.line,
		.rest = of->rest,
		.blocks = number_of(of->count),
		.sum_ns = of->sum,
		.median_ns = of->median,
		.p99_ns = of->p99,
		.max_ns = of->max,
		.max_start_ns = number_known(of->max_start),
		.max_g = number_known(of->max_g),
		.lost_ns = of->lost,
		.began_before = number_of(of->before),
		.not_over = number_of(of->unfinished),
	};
	size_t i;

	files_add(work->files, TABLE_PLACES, &row);
	for (i = 0; i < of->holder_count; i++)
		add_holder(work, &row, &of->holders[i]);
}

/* --------------------------------------------------------------- summary -- */

/* So many of the longest waits have rows. */
#define WAITS_MAX 20000

static void add_lists(struct work *work, const struct gtrace_summary *of)
{
	const struct gtrace_collection_report *collections =
		of->collection_report;
	size_t i;

	for (i = 0; i < of->waits->count; i++)
		add_wait(work, of->waits->waits[i]);
	for (i = 0; i < of->waits->row_count; i++)
		add_wait_sum(work, &of->waits->rows[i]);
	for (i = 0; i < of->blocks->place_count; i++)
		add_place(work, of->blocks->places[i]);
	for (i = 0; i < of->blocks->rest_count; i++)
		add_place(work, of->blocks->rests[i]);
	for (i = 0; i < collections->count; i++)
		add_collection(work, &collections->collections[i]);
	for (i = 0; i < of->finding_count; i++)
		add_finding(work, i + 1, &of->findings[i]);
}

enum gtrace_status work_summarise(struct work *work, const char *labels,
				  struct gtrace_error *error)
{
	const struct gtrace_request request = {
		.size = sizeof(request),
		.details = 1,
		.waits = WAITS_MAX,
		.blocks = SIZE_MAX,
		.collections = 1,
	};
	struct gtrace_summary *made;
	enum gtrace_status status =
		gtrace_summarise(work->of->trace, &request, &made, error);

	if (status != GTRACE_OK)
		return status;
	add_lists(work, made);
	add_trace(work, made, labels);
	gtrace_summary_free(made);
	return GTRACE_OK;
}
