/* SPDX-License-Identifier: BSD-3-Clause */
/* collections_text.c - collections and the scheduler over time as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strings.h"
#include "report/text.h"

/* ------------------------------------------------------------------ grid -- */

#define CELL_SIZE   64
#define COLUMNS_MAX 17

/* What a row has in each column; -1: it is not known. */
struct row {
	int64_t values[COLUMNS_MAX];
	struct gtrace_string text; /* in `buffer` or elsewhere */
	char buffer[CELL_SIZE];
	bool less; /* in a line: the value of a column of kind '<' is an upper
		      bound */
};

/*
 * Rows of cells, with columns of equal width. A column has a kind: n: a number,
 * %: in percent, h: hundredths, s: nanoseconds in seconds, m: in milliseconds,
 * <: in milliseconds, or an upper bound, M: bytes in MB, t: the text of the
 * row.
 */
struct grid {
	const char *kinds;
	size_t rows;
	size_t right;              /* columns that are aligned to the right */
	const char *const *before; /* what comes before each column */
	const char *const *names;  /* part of each cell; NULL: nothing */
	/*
	 * Of a row above all; the unit of short times follows a space. NULL:
	 * there is none.
	 */
	const char *const *heads;
	/* Fills in row NUMBER. */
	void (*fill)(const void *context, size_t number, struct row *row);
	const void *context;
	bool in_ticks;
};

static const char *unit_of(bool in_ticks)
{
	return in_ticks ? "ticks" : "ms";
}

/* Puts NUMBER, which is in units of UNIT parts, in CELL_SIZE bytes at TO. */
static void put_parts(char *to, const char *name, int64_t number, int unit)
{
	snprintf(to, CELL_SIZE, "%s%" PRId64 ".%0*d", name, number / unit,
		 unit == 100 ? 2 : 3, (int)(number % unit));
}

/* Puts VALUE, of KIND, after NAME in CELL_SIZE bytes at TO. */
static void put_value(char *to, char kind, const char *name, int64_t value,
		      bool in_ticks)
{
	int64_t part = kind == 's' ? 1000000 : 1000;

	if (value == -1)
		snprintf(to, CELL_SIZE, "%s-", name);
	else if (kind == 'h')
		put_parts(to, name, value, 100);
	else if ((kind == 's' || kind == 'm' || kind == '<') && !in_ticks)
		put_parts(to, name, value / part, 1000);
	else
		snprintf(to, CELL_SIZE, "%s%" PRId64 "%s", name,
			 kind == 'M' ? value >> 20 : value,
			 kind == '%' ? "%" : "");
}

/* The cell of ROW in COLUMN, which can be in BUFFER; or the head, of NULL. */
static struct gtrace_string cell_of(const struct grid *grid,
				    const struct row *row, size_t column,
				    char *buffer)
{
	const char *name = grid->names != NULL ? grid->names[column] : "";
	char kind = grid->kinds[column];

	if (row == NULL) {
		name = grid->heads[column];
		snprintf(buffer, CELL_SIZE, "%s%s", name,
			 name[strlen(name) - 1] == ' ' ? unit_of(grid->in_ticks)
						       : "");
	} else if (kind == 't') {
		return row->text;
	} else {
		if (kind == '<' && row->less && row->values[column] != -1)
			name = "<";
		put_value(buffer, kind, name, row->values[column],
			  grid->in_ticks);
	}
	return string_of(buffer);
}

static void write_row(struct sentence *to, const struct grid *grid,
		      const struct row *row, const size_t *widths)
{
	char buffer[CELL_SIZE];
	size_t column;

	for (column = 0; grid->kinds[column] != '\0'; column++) {
		struct gtrace_string cell = cell_of(grid, row, column, buffer);
		bool last = grid->kinds[column + 1] == '\0';

		gti_say(to, grid->before[column]);
		if (column < grid->right)
			gti_say(to, "%*S", widths[column], cell);
		else
			gti_say(to, "%-*S", last ? 0 : widths[column], cell);
	}
	gti_say(to, "\n");
}

/* Makes the WIDTHS of columns at least those of ROW. */
static void widen(const struct grid *grid, const struct row *row,
		  size_t *widths)
{
	char buffer[CELL_SIZE];
	size_t column, size;

	for (column = 0; grid->kinds[column] != '\0'; column++) {
		size = cell_of(grid, row, column, buffer).size;
		if (size > widths[column])
			widths[column] = size;
	}
}

static void write_grid(struct sentence *to, const struct grid *grid)
{
	size_t widths[COLUMNS_MAX] = {0}, i;
	struct row row;

	if (grid->heads != NULL)
		widen(grid, NULL, widths);
	for (i = 0; i < grid->rows; i++) {
		grid->fill(grid->context, i, &row);
		widen(grid, &row, widths);
	}
	if (grid->heads != NULL)
		write_row(to, grid, NULL, widths);
	for (i = 0; i < grid->rows; i++) {
		grid->fill(grid->context, i, &row);
		write_row(to, grid, &row, widths);
	}
}

/* PART of WHOLE in units of 1 / UNIT, rounded down; -1: there is no WHOLE. */
static int64_t share_of(int64_t part, int64_t whole, int64_t unit)
{
	if (whole <= 0)
		return -1;
	return part / whole * unit + part % whole * unit / whole;
}

static int64_t known(int64_t number)
{
	return number == -1 ? 0 : number;
}

/* Words before columns of a table. */
static const char *const two_spaces[] = {"",   "  ", "  ", "  ",
					 "  ", "  ", "  ", "  "};

/* ----------------------------------------------------------- collections -- */

/* A report, and what of it is written. */
struct costs {
	const struct gtrace_collection_report *report;
	const struct gtrace_assist *assists;
};

static void fill_line(const void *context, size_t number, struct row *row)
{
	const struct costs *shown = context;
	const struct gtrace_collection *c = &shown->report->collections[number];
	const int64_t values[] = {
		(int64_t)c->number,
		c->sweep_begin != -1 ? c->sweep_begin : c->start,
		c->percent,
		c->sweep_clock,
		c->mark_max != -1 ? c->mark_max : c->mark_clock,
		c->term_clock,
		c->sweep_cpu,
		c->assist_cpu,
		c->dedicated_cpu == -1 ? -1
				       : c->dedicated_cpu + c->fractional_cpu,
		c->idle_cpu,
		c->term_cpu,
		c->heap_start,
		c->heap_end,
		c->heap_live,
		c->heap_goal != 0 ? c->heap_goal : -1,
		c->procs,
	};

	memcpy(row->values, values, sizeof(values));
	row->less = c->mark_max != -1;
	snprintf(row->buffer, CELL_SIZE, "%s%s%s",
		 strcmp(c->reason, "forced") == 0     ? " (forced)"
		 : strcmp(c->reason, "periodic") == 0 ? " (periodic)"
						      : "",
		 c->began_before ? " (began before the trace)" : "",
		 c->unfinished ? " (unfinished)" : "");
	row->text = string_of(row->buffer);
}

static void write_lines(struct sentence *to, const struct costs *shown)
{
	bool ticks = to->in_ticks;
	const char *const before[] = {"gc ",
				      " @",
				      ticks ? " ticks " : "s ",
				      "%%: ",
				      "+",
				      "+",
				      ticks ? " ticks clock, " : " ms clock, ",
				      "+",
				      "/",
				      "/",
				      "+",
				      ticks ? " ticks cpu, " : " ms cpu, ",
				      "->",
				      "->",
				      " MB, ",
				      " MB goal, ",
				      " P"};
	const struct grid grid = {
		.kinds = "nsnm<mmmmmmMMMMnt",
		.rows = shown->report->count,
		.right = 16,
		.before = before,
		.fill = fill_line,
		.context = shown,
		.in_ticks = to->in_ticks,
	};

	write_grid(to, &grid);
}

/* ---------------------------------------------------------------- tables -- */

/* The last column of costs, and what each has for OF. */
#define SHARE 7
#define COSTS(of, stopped)                                                     \
	{                                                                      \
		-1, stopped, (of)->assists, (of)->assist_goroutines,           \
			(of)->assist_held, (of)->assist_cpu,                   \
			(of)->assist_parked,                                   \
			share_of((of)->runnable, (of)->mark_window, 100)       \
	}

static void fill_cost(const void *context, size_t number, struct row *row)
{
	const struct costs *shown = context;
	const struct gtrace_collection_total *t = &shown->report->total;
	const struct gtrace_collection *c;
	size_t i;

	if (number == shown->report->longest_count) {
		const int64_t all[] = COSTS(t, t->stopped);

		memcpy(row->values, all, sizeof(all));
		row->text = string_of("all");
	} else if (number > shown->report->longest_count) {
		for (i = 0; i < SHARE; i++)
			row->values[i] = -1;
		row->values[SHARE] =
			share_of(t->outside_runnable, t->outside, 100);
		row->text = string_of("outside");
	} else {
		c = shown->report->longest[number];
		const int64_t one[] = COSTS(
			c, t->stopped == -1 ? -1
					    : known(c->sweep_clock) +
						      known(c->term_clock));

		memcpy(row->values, one, sizeof(one));
		snprintf(row->buffer, CELL_SIZE, "%" PRIu64, c->number);
		row->text = string_of(row->buffer);
	}
}

static void write_costs(struct sentence *to, const struct costs *shown)
{
	static const char *const heads[] = {
		"gc",   "stopped",   "assists", "goroutines",
		"held", "assisting", "parked",  "runnable"};
	const struct gtrace_collection_report *report = shown->report;
	const struct grid grid = {
		.kinds = "tmnnmmmh",
		.rows = report->longest_count + 1 +
			(report->total.outside != -1),
		.right = 8,
		.before = two_spaces,
		.heads = heads,
		.fill = fill_cost,
		.context = shown,
		.in_ticks = to->in_ticks,
	};

	gti_say(to, "what the program waited for, times in %s, longest first\n",
		unit_of(to->in_ticks));
	write_grid(to, &grid);
}

static void fill_assist(const void *context, size_t number, struct row *row)
{
	const struct costs *shown = context;
	const struct gtrace_assist *of = &shown->assists[number];
	const int64_t values[] = {
		of->held, of->cpu, of->parked, (int64_t)of->assists,
		of->g != -1 ? of->g : (int64_t)of->goroutines};

	memcpy(row->values, values, sizeof(values));
	row->text = of->function;
}

static void write_assists(struct sentence *to, struct costs *shown,
			  bool goroutines)
{
	static const char *const heads[2][6] = {
		{"held ", "assisting ", "parked ", "assists", "goroutines",
		 "function"},
		{"held ", "assisting ", "parked ", "assists", "goroutine",
		 "first function"}};
	static const char *const names[] = {"", "", "", "", "G", ""};
	const struct gtrace_collection_report *report = shown->report;
	const struct grid grid = {
		.kinds = "mmmnnt",
		.rows = goroutines ? report->goroutine_count
				   : report->function_count,
		.right = 5,
		.before = two_spaces,
		.names = goroutines ? names : NULL,
		.heads = heads[goroutines],
		.fill = fill_assist,
		.context = shown,
		.in_ticks = to->in_ticks,
	};

	shown->assists = goroutines ? report->goroutines : report->functions;
	write_grid(to, &grid);
}

static void write_total(struct sentence *to,
			const struct gtrace_collection_total *total)
{
	const char *unit = unit_of(to->in_ticks);
	char percent[CELL_SIZE], length[CELL_SIZE], idle[CELL_SIZE];

	put_value(percent, 'n', "", total->percent, to->in_ticks);
	put_value(length, 'm', "", total->length, to->in_ticks);
	put_value(idle, 'm', "", total->idle_cpu, to->in_ticks);
	gti_say(to, "collections: %d", total->collections);
	if (total->collections != 0)
		gti_say(to,
			", %d forced, %d began before the trace, %d "
			"unfinished\n%s %% of the processor time of %s %s, and "
			"%s %s of idle workers",
			total->forced, total->began_before, total->unfinished,
			percent, length, unit, idle, unit);
	gti_say(to, "\n");
}

void gti_text_collections(struct sentence *to, const void *from)
{
	const struct gtrace_collection_report *report = from;
	struct costs shown = {.report = report};
	char share[CELL_SIZE];

	write_total(to, &report->total);
	write_lines(to, &shown);
	if (report->longest_count == 0)
		return;
	write_costs(to, &shown);
	if (report->function_count == 0)
		return;
	put_value(share, 'n', "", report->total.assist_share, false);
	gti_say(to,
		"assists: %s %% of the marking; the functions held longest\n",
		share);
	write_assists(to, &shown, false);
	gti_say(to, "the goroutines held longest\n");
	write_assists(to, &shown, true);
}

/* ------------------------------------------------------------- scheduler -- */

/* PART of WHOLE in percent, from 0 to 100. */
static int64_t percent_of(int64_t part, int64_t whole)
{
	return share_of(part < 0 ? 0 : part > whole ? whole : part, whole, 100);
}

static void fill_sample(const void *context, size_t number, struct row *row)
{
	const struct gtrace_sched_report *report = context;
	const struct gtrace_sched_sample *s = &report->samples[number];
	const int64_t values[] = {
		s->ts,
		s->gomaxprocs,
		s->idleprocs,
		(int64_t)s->threads,
		-1,
		-1,
		(int64_t)s->runqueue,
		(int64_t)s->running,
		(int64_t)s->syscalls,
		(int64_t)s->waiting,
		s->gc,
		share_of(s->runqueue_ns, s->interval, 100),
		percent_of(s->running_ns, s->procs_ns),
		percent_of(s->procs_ns - s->held_ns, s->procs_ns),
		share_of(s->syscalls_ns, s->interval, 100),
		percent_of(s->gc_ns, s->interval),
		(int64_t)s->starts,
	};

	memcpy(row->values, values, sizeof(values));
}

void gti_text_sched(struct sentence *to, const void *from)
{
	const struct gtrace_sched_report *report = from;
	const char *const before[] = {
		"SCHED ", to->in_ticks ? "ticks: " : "ms: ",
		" ",      " ",
		" ",      " ",
		" ",      " ",
		" ",      " ",
		" ",      " ",
		" ",      " ",
		" ",      " ",
		" "};
	static const char *const names[] = {"",
					    "gomaxprocs=",
					    "idleprocs=",
					    "threads=",
					    "spinningthreads=",
					    "idlethreads=",
					    "runqueue=",
					    "running=",
					    "syscalls=",
					    "waiting=",
					    "gc=",
					    "avgrunqueue=",
					    "busy=",
					    "idle=",
					    "avgsyscalls=",
					    "ingc=",
					    "starts="};
	const struct grid grid = {
		.kinds = "mnnnnnnnnnnh%%h%n",
		.rows = report->count,
		.right = 1,
		.before = before,
		.names = names,
		.fill = fill_sample,
		.context = report,
		.in_ticks = to->in_ticks,
	};

	write_grid(to, &grid);
}
