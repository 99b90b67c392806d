/* SPDX-License-Identifier: BSD-3-Clause */
/* reports.c - tables of what reports have. */

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
	row->kept_work = word_of_work(kept->work);
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
		.kind = word_of_block(of->kind),
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

/* --------------------------------------------------------------- reports -- */

/* So many of the longest waits, and requests of each kind, have rows. */
#define WAITS_MAX    50000
#define REQUESTS_MAX 10000

static void add_reports(struct work *work, const struct gtrace_reports *of)
{
	size_t i;

	for (i = 0; i < of->waits->count; i++)
		add_wait(work, of->waits->waits[i]);
	for (i = 0; i < of->waits->row_count; i++)
		add_wait_sum(work, &of->waits->rows[i]);
	for (i = 0; i < of->blocks->place_count; i++)
		add_place(work, of->blocks->places[i]);
	for (i = 0; i < of->blocks->rest_count; i++)
		add_place(work, of->blocks->rests[i]);
	for (i = 0; i < of->goroutines->count; i++)
		add_goroutines(work, of->goroutines->rows[i]);
	for (i = 0; i < of->requests->count; i++)
		add_requests(work, of->requests->rows[i]);
	for (i = 0; i < of->collections->count; i++)
		add_collection(work, &of->collections->collections[i]);
}

enum gtrace_status work_report(struct work *work, struct gtrace_error *error)
{
	const struct gtrace_request request = {
		.size = sizeof(request),
		.details = 1,
		.waits = WAITS_MAX,
		.blocks = SIZE_MAX,
		.goroutines = SIZE_MAX,
		.requests = REQUESTS_MAX,
		.collections = 1,
	};
	struct gtrace_reports *made;
	enum gtrace_status status =
		gtrace_analyse(work->of->trace, &request, &made, error);

	if (status != GTRACE_OK)
		return status;
	add_reports(work, made);
	gtrace_reports_free(made);
	return GTRACE_OK;
}
