/* SPDX-License-Identifier: BSD-3-Clause */
/* reports.c - tables of what reports have. */
#include <stdio.h>

#include "tables/work.h"

/* ------------------------------------------------------------ goroutines -- */

static void add_goroutines(struct work *work,
			   const struct gtrace_goroutines *of)
{
	const struct gtrace_times *times = &of->times;
	const int64_t *blocked = times->blocked;
	bool blocks = of->block.length >= 0, waits = of->wait.length >= 0;
	struct goroutines_row row = {
		.function = text_unless_empty(of->function),
		.goroutines = number_of(times->count),
		.lived_ns = times->lived,
		.ran_ns = times->ran,
		.assisted_ns = times->assisted,
		.ready_ns = times->ready,
		.lock_ns = blocked[GTRACE_BLOCK_LOCK],
		.wait_group_ns = blocked[GTRACE_BLOCK_WAIT_GROUP],
		.condition_ns = blocked[GTRACE_BLOCK_CONDITION],
		.send_ns = blocked[GTRACE_BLOCK_SEND],
		.receive_ns = blocked[GTRACE_BLOCK_RECEIVE],
		.select_ns = blocked[GTRACE_BLOCK_SELECT],
		.network_ns = blocked[GTRACE_BLOCK_NETWORK],
		.sleep_ns = blocked[GTRACE_BLOCK_SLEEP],
		.system_call_ns = blocked[GTRACE_BLOCK_SYSCALL],
		.assist_ns = blocked[GTRACE_BLOCK_ASSIST],
		.collection_ns = blocked[GTRACE_BLOCK_COLLECTION],
		.other_ns = blocked[GTRACE_BLOCK_OTHER],
		.lost_ns = times->lost,
		.longest_block_ns = number_known(of->block.length),
		.longest_block_start_ns =
			blocks ? of->block.start : COLUMN_NONE,
		.longest_block_g = blocks ? of->block.g : COLUMN_NONE,
		.longest_block_kind =
			blocks ? word_of_block(of->block.kind) : text_of(NULL),
		.longest_wait_ns = number_known(of->wait.length),
		.longest_wait_start_ns = waits ? of->wait.start : COLUMN_NONE,
		.longest_wait_g = waits ? of->wait.g : COLUMN_NONE,
	};

	files_add(work->files, TABLE_GOROUTINES, &row);
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

/* -------------------------------------------------------------- requests -- */

/* Where TIME in STATE is in ROW; NULL: it has no column. */
static int64_t *find_state(struct requests_row *row, const char *state)
{
	const struct {
		const char *state;
		int64_t *to;
	} columns[] = {
		{"ran", &row->ran_ns},
		{"assisted", &row->assisted_ns},
		{"ready", &row->ready_ns},
		{"lock", &row->lock_ns},
		{"wait group", &row->wait_group_ns},
		{"condition", &row->condition_ns},
		{"channel send", &row->send_ns},
		{"channel receive", &row->receive_ns},
		{"select", &row->select_ns},
		{"network", &row->network_ns},
		{"sleep", &row->sleep_ns},
		{"system call", &row->system_call_ns},
		{"assist", &row->assist_ns},
		{"collection", &row->collection_ns},
		{"other", &row->other_ns},
		{"ended", &row->ended_ns},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (strcmp(columns[i].state, state) == 0)
			return columns[i].to;
	return NULL;
}

static void add_request(struct work *work, const struct gtrace_requests *kind,
			const struct gtrace_served *of)
{
	struct requests_row row = {
		.what = text_of(kind->what),
		.name = kind->name,
		.start_ns = of->start,
		.length_ns = of->length,
		.g = number_known(of->g),
		.longest_ns = COLUMN_NONE,
	};
	int64_t *to;
	size_t i;

	for (i = 0; i < of->part_count; i++) {
		to = find_state(&row, of->parts[i].state);
		if (to != NULL)
			*to += of->parts[i].time;
	}
	if (of->part_count != 0) {
		row.longest_state = text_of(of->parts[0].state);
		row.longest_function = text_unless_empty(of->parts[0].function);
		row.longest_ns = of->parts[0].time;
	}
	files_add(work->files, TABLE_REQUESTS, &row);
}

static void add_requests(struct work *work, const struct gtrace_requests *kind)
{
	size_t i;

	for (i = 0; i < kind->longest_count; i++)
		add_request(work, kind, &kind->longest[i]);
}

/* --------------------------------------------------------------- reports -- */

/* So many of the longest requests of each kind have rows. */
#define REQUESTS_MAX 10000

enum gtrace_status work_report(struct work *work, struct gtrace_error *error)
{
	const struct gtrace_request request = {
		.size = sizeof(request),
		.details = 1,
		.goroutines = SIZE_MAX,
		.requests = REQUESTS_MAX,
		.collections = 1,
	};
	struct gtrace_reports *made;
	enum gtrace_status status =
		gtrace_analyse(work->of->trace, &request, &made, error);
	size_t i;

	if (status != GTRACE_OK)
		return status;
	for (i = 0; i < made->goroutines->count; i++)
		add_goroutines(work, made->goroutines->rows[i]);
	for (i = 0; i < made->requests->count; i++)
		add_requests(work, made->requests->rows[i]);
	for (i = 0; i < made->collections->count; i++)
		add_collection(work, &made->collections->collections[i]);
	gtrace_reports_free(made);
	return GTRACE_OK;
}

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
		.start_time = COLUMN_NONE,
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
