/* SPDX-License-Identifier: BSD-3-Clause */
/* collections_text.c - collections and the scheduler over time as text. */
#include <string.h>

#include "base/least.h"
#include "base/strings.h"
#include "report/lists.h"

/* ------------------------------------------------------------------ grid -- */

#define COLUMNS_MAX 17

/* A row that is made; REST follows what is in its buffer. */
struct row {
	struct sentence to;
	char text[1024];
	struct gtrace_string rest;
};

/* Makes row NUMBER of CONTEXT. */
typedef void fill_row(const void *context, size_t number, struct row *row);

/* The unit of short times. */
static const char *unit_of(const struct sentence *to)
{
	return to->in_ticks ? "ticks" : "ms";
}

static void begin_row(struct row *row, bool in_ticks)
{
	row->to = gti_sentence_begin(row->text, sizeof(row->text), in_ticks);
	row->rest = string_of("");
}

/* Makes the WIDTHS of columns at least those of ROW. */
static void widen(const struct row *row, size_t *widths)
{
	const char *at = row->text;
	size_t size;

	for (; (at = strpbrk(at, "{[")) != NULL; widths++) {
		size = strcspn(++at, "}]");
		if (size > *widths)
			*widths = size;
	}
}

static void write_row(struct sentence *to, const struct row *row,
		      const size_t *widths)
{
	struct gtrace_string cell;
	const char *at = row->text;
	size_t plain;

	for (;;) {
		plain = strcspn(at, "{[");
		gti_say(to, "%S", (struct gtrace_string){at, plain});
		at += plain;
		if (*at == '\0')
			break;
		cell = (struct gtrace_string){at + 1, strcspn(at + 1, "}]")};
		gti_say(to, *at == '{' ? "%*S" : "%-*S", *widths++, cell);
		at += cell.size + 2;
	}
	gti_say(to, "%S\n", row->rest);
}

/*
 * Writes ROWS rows whose cells are as wide as the widest ones of their columns:
 * {x} is aligned to the right, [x] to the left. HEAD is a format of the unit,
 * three times, for a row before them; NULL: none.
 */
static void write_grid(struct sentence *to, fill_row *fill, const void *context,
		       size_t rows, const char *head)
{
	const char *unit = unit_of(to);
	size_t widths[COLUMNS_MAX] = {0}, i;
	struct row first, row;

	begin_row(&first, to->in_ticks);
	if (head != NULL)
		gti_say(&first.to, head, unit, unit, unit);
	widen(&first, widths);
	for (i = 0; i < rows; i++) {
		begin_row(&row, to->in_ticks);
		fill(context, i, &row);
		widen(&row, widths);
	}
	if (head != NULL)
		write_row(to, &first, widths);
	for (i = 0; i < rows && to->writer->failure == 0; i++) {
		begin_row(&row, to->in_ticks);
		fill(context, i, &row);
		write_row(to, &row, widths);
	}
}

/* PART of WHOLE in units of 1 / UNIT, rounded down; -1: there is no WHOLE. */
static int64_t share_of(int64_t part, int64_t whole, int64_t unit)
{
	if (whole <= 0)
		return -1;
	if (part < 0)
		return 0;
	return (int64_t)share_of_whole((uint64_t)part, (uint64_t)whole,
				       (uint64_t)unit);
}

static int64_t known(int64_t number)
{
	return number == -1 ? 0 : number;
}

/* ----------------------------------------------------------- collections -- */

static int64_t megabytes(int64_t bytes)
{
	return bytes == -1 ? -1 : bytes >> 20;
}

/*
 * When C began, since ORIGIN, in units of which a thousand are a second; or in
 * ticks. A thread may have written that before the first event.
 */
static int64_t begin_of(const struct gtrace_collection *c, int64_t origin,
			bool in_ticks)
{
	int64_t begin = c->sweep_begin != -1 ? c->sweep_begin : c->start;

	if (begin == -1)
		return -1;
	begin = begin > origin ? begin - origin : 0;
	return in_ticks ? begin : begin / 1000;
}

static void fill_line(const void *context, size_t number, struct row *row)
{
	const struct gtrace_collection_report *report = context;
	const struct gtrace_collection *c = &report->collections[number];
	struct sentence *to = &row->to;

	gti_say(to, "gc {%k} @{%m}%s {%k}%%: ", (int64_t)c->number,
		begin_of(c, report->origin, to->in_ticks),
		to->in_ticks ? " ticks" : "s", c->percent);
	gti_say(to, "{%m}+{%s%m}+{%m} %s clock, ", c->sweep_clock,
		c->mark_max != -1 ? "<" : "",
		c->mark_max != -1 ? c->mark_max : c->mark_clock, c->term_clock,
		unit_of(to));
	gti_say(to, "{%m}+{%m}/{%m}/{%m}+{%m} %s cpu, ", c->sweep_cpu,
		c->assist_cpu,
		c->dedicated_cpu == -1 ? -1
				       : c->dedicated_cpu + c->fractional_cpu,
		c->idle_cpu, c->term_cpu, unit_of(to));
	gti_say(to, "{%k}->{%k}->{%k} MB, {%k} MB goal, {%k} P%s%s%s",
		megabytes(c->heap_start), megabytes(c->heap_end),
		megabytes(c->heap_live),
		c->heap_goal != 0 ? megabytes(c->heap_goal) : -1, c->procs,
		strcmp(c->reason, "forced") == 0     ? " (forced)"
		: strcmp(c->reason, "periodic") == 0 ? " (periodic)"
						     : "",
		c->began_before ? " (began before the trace)" : "",
		c->unfinished ? " (unfinished)" : "");
}

/* ---------------------------------------------------------------- tables -- */

static void fill_cost(const void *context, size_t number, struct row *row)
{
	static const char costs[] =
		"  {%m}  {%k}  {%k}  {%m}  {%m}  {%m}  {%h}";
	const struct gtrace_collection_report *report = context;
	const struct gtrace_collection_total *t = &report->total;
	const struct gtrace_collection *c;

	if (number == report->longest_count) {
		gti_say(&row->to, "{all}");
		gti_say(&row->to, costs, t->stopped, t->assists,
			t->assist_goroutines, t->assist_held, t->assist_cpu,
			t->assist_parked,
			share_of(t->runnable, t->mark_window, 100));
	} else if (number > report->longest_count) {
		gti_say(&row->to,
			"{outside}  {-}  {-}  {-}  {-}  {-}  {-}  {%h}",
			share_of(t->outside_runnable, t->outside, 100));
	} else {
		c = report->longest[number];
		gti_say(&row->to, "{%d}", c->number);
		gti_say(&row->to, costs,
			t->stopped == -1
				? -1
				: known(c->sweep_clock) + known(c->term_clock),
			c->assists, c->assist_goroutines, c->assist_held,
			c->assist_cpu, c->assist_parked,
			share_of(c->runnable, c->mark_window, 100));
	}
}

static void write_costs(struct sentence *to,
			const struct gtrace_collection_report *report)
{
	size_t rows = report->longest_count + 1 + (report->total.outside != -1);

	gti_say(to, "what the program waited for, times in %s, longest first\n",
		unit_of(to));
	write_grid(to, fill_cost, report, rows,
		   "{gc}  {stopped}  {assists}  {goroutines}  {held}  "
		   "{assisting}  {parked}  {runnable}");
}

static void fill_assist(const void *context, size_t number, struct row *row)
{
	const struct gtrace_assist *of =
		(const struct gtrace_assist *)context + number;

	gti_say(&row->to, "{%m}  {%m}  {%m}  {%d}  ", of->held, of->cpu,
		of->parked, of->assists);
	if (of->g != -1)
		gti_say(&row->to, "{G%d}  ", of->g);
	else
		gti_say(&row->to, "{%d}  ", of->goroutines);
	row->rest = of->function;
}

/* Writes the assists by function and by goroutine. */
static void write_assists(struct sentence *to,
			  const struct gtrace_collection_report *report)
{
	gti_say(to,
		"assists: %k %% of the marking; the functions held longest\n",
		report->total.assist_share);
	write_grid(to, fill_assist, report->functions, report->function_count,
		   "{held %s}  {assisting %s}  {parked %s}  {assists}  "
		   "{goroutines}  function");
	gti_say(to, "the goroutines held longest\n");
	write_grid(to, fill_assist, report->goroutines, report->goroutine_count,
		   "{held %s}  {assisting %s}  {parked %s}  {assists}  "
		   "{goroutine}  first function");
}

static void write_total(struct sentence *to,
			const struct gtrace_collection_total *total)
{
	gti_say(to, "collections: %d", total->collections);
	if (total->collections != 0)
		gti_say(to,
			", %d forced, %d began before the trace, %d "
			"unfinished\n%k %% of the processor time of %m %s, and "
			"%m %s of idle workers",
			total->forced, total->began_before, total->unfinished,
			total->percent, total->length, unit_of(to),
			total->idle_cpu, unit_of(to));
	gti_say(to, "\n");
}

static void write_collections(struct sentence *to, const void *from)
{
	const struct gtrace_collection_report *report = from;

	write_total(to, &report->total);
	write_grid(to, fill_line, report, report->count, NULL);
	if (report->longest_count == 0)
		return;
	write_costs(to, report);
	if (report->function_count != 0)
		write_assists(to, report);
}

static void write_collection_lines(const struct line *line, const void *from)
{
	const struct gtrace_collection_report *report = from;

	gti_write_lines(line, gti_collection_fields, report->collections,
			report->count, sizeof(*report->collections));
	if (line->format != GTRACE_FORMAT_JSON || report->count == 0)
		return;
	gti_write_line(line, gti_total_fields, &report->total);
	gti_write_lines(line, gti_function_fields, report->functions,
			report->function_count, sizeof(*report->functions));
	gti_write_lines(line, gti_goroutine_fields, report->goroutines,
			report->goroutine_count, sizeof(*report->goroutines));
}

const struct list gti_collections_lists[] = {
	{
		LIST_REPORT(collections),
		.fields = gti_collection_fields,
		.each_text = write_collections,
		.each_lines = write_collection_lines,
	},
	{.fields = NULL},
};

/* ------------------------------------------------------------- scheduler -- */

/* A row with NAME and PART of WHOLE in percent, from 0 to 100. */
static void add_percent(struct sentence *to, const char *name, int64_t part,
			int64_t whole)
{
	int64_t share = share_of(part < 0       ? 0
				 : part > whole ? whole
						: part,
				 whole, 100);

	gti_say(to, share == -1 ? "[%s=-] " : "[%s=%d%%] ", name, share);
}

static void fill_sample(const void *context, size_t number, struct row *row)
{
	const struct gtrace_sched_report *report = context;
	const struct gtrace_sched_sample *s = &report->samples[number];
	struct sentence *to = &row->to;

	gti_say(to,
		"SCHED {%m}%s: [gomaxprocs=%k] [idleprocs=%k] [threads=%k] "
		"[spinningthreads=-] [idlethreads=-] [runqueue=%k] "
		"[running=%k] [syscalls=%k] [waiting=%k] [gc=%d] "
		"[avgrunqueue=%h] ",
		s->ts - report->origin, unit_of(to), s->gomaxprocs,
		s->idleprocs, (int64_t)s->threads, (int64_t)s->runqueue,
		(int64_t)s->running, (int64_t)s->syscalls, (int64_t)s->waiting,
		(int64_t)s->gc, share_of(s->runqueue_ns, s->interval, 100));
	add_percent(to, "busy", s->running_ns, s->procs_ns);
	add_percent(to, "idle", s->procs_ns - s->held_ns, s->procs_ns);
	gti_say(to, "[avgsyscalls=%h] ",
		share_of(s->syscalls_ns, s->interval, 100));
	add_percent(to, "ingc", s->gc_ns, s->interval);
	gti_say(to, "starts=%k", (int64_t)s->starts);
}

static void write_samples(struct sentence *to, const void *from)
{
	const struct gtrace_sched_report *report = from;

	write_grid(to, fill_sample, report, report->count, NULL);
}

static void write_sample_lines(const struct line *line, const void *from)
{
	const struct gtrace_sched_report *report = from;

	gti_write_lines(line, gti_sched_fields, report->samples, report->count,
			sizeof(*report->samples));
}

const struct list gti_sched_lists[] = {
	{
		LIST_REPORT(sched),
		.fields = gti_sched_fields,
		.each_text = write_samples,
		.each_lines = write_sample_lines,
	},
	{.fields = NULL},
};
