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
			blocks ? text_of(gtrace_block_name(of->block.kind))
			       : text_of(NULL),
		.longest_wait_ns = number_known(of->wait.length),
		.longest_wait_start_ns = waits ? of->wait.start : COLUMN_NONE,
		.longest_wait_g = waits ? of->wait.g : COLUMN_NONE,
	};

	files_add(work->files, TABLE_GOROUTINES, &row);
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

/* So many kinds of requests have critical paths, and so many of each kind. */
#define PATHS_MAX 100

/* So that these take no more than some 60 MB. */
#define PATHS_KEPT ((size_t)1 << 20)

enum gtrace_status work_report(struct work *work, struct gtrace_error *error)
{
	bool in_ticks = gtrace_in_ticks(work->of->trace) != 0;
	const struct gtrace_request request = {
		.size = sizeof(request),
		.details = 1,
		.goroutines = SIZE_MAX,
		.requests = REQUESTS_MAX,
		.paths = in_ticks ? 0 : PATHS_MAX,
		.kept = in_ticks ? 0 : PATHS_KEPT,
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
	if (made->paths != NULL)
		work_paths(work, made->paths);
	gtrace_reports_free(made);
	return GTRACE_OK;
}
