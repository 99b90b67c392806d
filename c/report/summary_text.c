/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_text.c - what there is to say about a trace, on one screen. */
#include <stdbool.h>
#include <string.h>

#include "report/columns.h"
#include "report/sentence.h"
#include "report/text.h"

/* Columns of the table of lengths. */
#define LABEL_WIDTH 15
#define COUNT_WIDTH 11
#define TIME_WIDTH  10

/* Columns of the lists, whose last one has the function. */
#define LENGTH_WIDTH    9
#define GOROUTINE_WIDTH 9
#define WORK_WIDTH      14
#define KIND_WIDTH      27
#define FUNCTION_WIDTH  23 /* the least that it is cut to */

/* So many functions are listed. */
#define FUNCTIONS 3

/* So many processes that ran instead of the program. */
#define PROCESSES 3

/* Releases whose stacks can lack the innermost function. */
#define LEAFLESS_FIRST 1021
#define LEAFLESS_LAST  1023

struct screen {
	struct writer *writer;
	const struct gtrace_summary *summary;
	const struct look *look;
	size_t width; /* 0: no limit */
};

/* ----------------------------------------------------------------- facts -- */

static void write_trace(struct writer *writer,
			const struct gtrace_summary *summary)
{
	char text[256];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), summary->in_ticks != 0);

	gti_sentence_add(&facts, "written by ");
	gti_sentence_version(&facts, summary->trace_version);
	gti_sentence_add(&facts, ": ");
	gti_sentence_duration(&facts, summary->length);
	gti_sentence_add(&facts, ", ");
	gti_sentence_count(&facts, (uint64_t)summary->procs, " processor",
			   " processors");
	if (!summary->filtered) {
		gti_sentence_add(&facts, ", idle ");
		gti_sentence_share(&facts, (uint64_t)summary->idle,
				   (uint64_t)summary->length *
					   (uint64_t)summary->procs);
	}
	gti_sentence_add(&facts, ", ");
	gti_sentence_count(&facts, summary->events, " event", " events");
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

static void write_goroutines(struct writer *writer,
			     const struct gtrace_summary *summary)
{
	char text[512];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), summary->in_ticks != 0);

	gti_sentence_count(&facts, summary->goroutines, " goroutine (",
			   " goroutines (");
	gti_sentence_count(&facts, summary->goroutines_created, " created, ",
			   " created, ");
	gti_sentence_count(&facts, summary->goroutines_alive, " at once), ",
			   " at once), ");
	gti_sentence_count(&facts, summary->collections, " GC", " GCs");
	if (summary->collections != 0) {
		gti_sentence_add(&facts, ": ");
		gti_sentence_share(&facts, (uint64_t)summary->collecting,
				   (uint64_t)summary->length);
		gti_sentence_add(&facts, " of the time");
	}
	if (summary->tracer_count != 0) {
		gti_sentence_add(&facts, "; the tracer itself: ");
		gti_sentence_duration(&facts, summary->tracer_sum);
	}
	if (summary->trace_version >= LEAFLESS_FIRST &&
	    summary->trace_version <= LEAFLESS_LAST)
		gti_sentence_add(&facts, "; this release can leave out the "
					 "innermost function of a stack");
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

/* What the scheduling record says of slices of so much time. */
static void write_cpu(struct writer *writer, const struct gtrace_cpu *cpu,
		      int64_t slices)
{
	char text[512];
	struct sentence facts = gti_sentence_begin(text, sizeof(text), false);
	struct shown name;
	size_t i;

	gti_sentence_add(&facts, "threads were on a CPU for ");
	gti_sentence_duration(&facts, cpu->on_cpu);
	gti_sentence_add(&facts, " of the slices (");
	gti_sentence_share(&facts, (uint64_t)cpu->on_cpu,
			   (uint64_t)(slices - cpu->unknown));
	gti_sentence_add(&facts, "), preempted for ");
	gti_sentence_duration(&facts, cpu->preempted);
	gti_sentence_add(&facts, ", asleep for ");
	gti_sentence_duration(&facts, cpu->asleep);
	if (cpu->unknown != 0) {
		gti_sentence_add(&facts, ", not known for ");
		gti_sentence_duration(&facts, cpu->unknown);
	}
	for (i = 0; i < cpu->instead_count && i < PROCESSES; i++) {
		gti_sentence_add(&facts, i == 0 ? "; instead ran " : ", ");
		gti_show_text(&name, cpu->instead[i].name);
		gti_sentence_shown(&facts, &name);
		gti_sentence_add(&facts, ": ");
		gti_sentence_duration(&facts, cpu->instead[i].sum);
	}
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

/* --------------------------------------------------------------- lengths -- */

static void write_time(struct writer *writer, const struct look *look,
		       int64_t ns, bool known)
{
	if (known)
		gti_table_duration(writer, ns, look, TIME_WIDTH);
	else
		gti_table_head(writer, "-", TIME_WIDTH);
}

static void write_label(struct writer *writer, const char *label,
			uint64_t count)
{
	gti_table_word(writer, label, LABEL_WIDTH);
	gti_table_count(writer, count, COUNT_WIDTH);
}

/* A row with p99.9 if that is KNOWN. */
static void write_row(struct writer *writer, const struct look *look,
		      const char *label,
		      const struct gtrace_distribution *lengths, bool known)
{
	bool some = lengths->count != 0;

	write_label(writer, label, lengths->count);
	write_time(writer, look, lengths->sum, some);
	write_time(writer, look, lengths->median, some);
	write_time(writer, look, lengths->p99, some);
	write_time(writer, look, lengths->p999, some && known);
	write_time(writer, look, lengths->max, some);
	gti_table_text(writer, "\n");
}

static void write_lengths(struct writer *writer,
			  const struct gtrace_summary *summary)
{
	static const char head[] = "                     number       sum"
				   "    median       p99     p99.9   longest\n";
	const struct gtrace_wait_row *waits = &summary->waits->all;
	const struct gtrace_stop_kind *stops = &summary->stops->all;
	const struct look *look = gti_look_of(summary->in_ticks != 0);
	const struct gtrace_distribution ready = {
		.count = waits->count,
		.sum = waits->sum,
		.median = waits->median,
		.p99 = waits->p99,
		.p999 = waits->p999,
		.max = waits->max,
	};
	const struct gtrace_distribution stopping = {
		.count = stops->measured,
		.sum = stops->stopping,
		.median = stops->median,
		.p99 = stops->p99,
		.max = stops->max,
	};

	gti_table_text(writer, head);
	write_row(writer, look, "slices", &summary->slices, true);
	write_row(writer, look, "waits for a P", &ready, true);
	write_row(writer, look, "waits of stops", &stopping, false);
}

/* ----------------------------------------------------------------- lists -- */

static void write_id(struct writer *writer, int64_t id)
{
	char *to = writer_reserve(writer, GOROUTINE_WIDTH + DECIMAL_MAX);
	char *end = to;

	*end++ = 'G';
	end = gti_put_signed(end, id);
	do
		*end++ = ' ';
	while (end < to + GOROUTINE_WIDTH);
	writer_commit(writer, end);
}

static void write_duration(const struct screen *screen, int64_t ns)
{
	gti_table_duration(screen->writer, ns, screen->look, LENGTH_WIDTH);
}

/* The last column, after USED columns: FRAME, and INNER inside of it. */
static void write_function(const struct screen *screen, size_t used,
			   const struct gtrace_frame *frame,
			   struct gtrace_string inner)
{
	char text[1024];
	struct sentence last = gti_sentence_begin(text, sizeof(text), false);
	size_t width = screen->width;

	gti_sentence_frame(&last, frame);
	gti_sentence_inner(&last, inner, frame->function);
	if (width != 0)
		width = width > used + FUNCTION_WIDTH ? width - used
						      : FUNCTION_WIDTH;
	gti_table_last(screen->writer, text, width);
}

static void write_naming(const struct screen *screen, size_t used,
			 const struct naming *naming)
{
	static const struct gtrace_frame none = {.function = {"", 0},
						 .file = {"", 0}};
	const struct gtrace_frame *own = naming_own(naming);

	write_function(screen, used, own != NULL ? own : &none,
		       naming->caller != NULL ? naming->frame->function
					      : none.function);
}

static void write_sums(const struct screen *screen,
		       const struct gtrace_function *function)
{
	const struct gtrace_frame frame = {.function = function->function,
					   .file = function->file,
					   .line = function->line};

	write_duration(screen, function->sum);
	write_duration(screen, function->delay);
	write_duration(screen, function->blocked);
	gti_table_count(screen->writer, function->count, LENGTH_WIDTH + 1);
	gti_table_text(screen->writer, "  ");
	if (function->work >= GTRACE_WORK_GC_DEDICATED)
		gti_table_last(screen->writer, gti_work_name(function->work),
			       0);
	else
		write_function(screen, 4 * LENGTH_WIDTH + 3, &frame,
			       function->inner);
}

static void write_functions(const struct screen *screen)
{
	const struct gtrace_summary *summary = screen->summary;
	size_t left = FUNCTIONS, i;

	if (summary->function_count == 0)
		return;
	gti_table_text(screen->writer,
		       "     ran  delayed  blocked    slices  function\n");
	for (i = 0; i < summary->function_count && left != 0; i++) {
		if (summary->functions[i].work == GTRACE_WORK_TRACER)
			continue;
		write_sums(screen, &summary->functions[i]);
		left--;
	}
}

static void write_slices(const struct screen *screen)
{
	const struct gtrace_greedy_report *greedy = screen->summary->greedy;
	struct writer *writer = screen->writer;
	size_t i;

	if (greedy->count == 0)
		return;
	gti_table_text(writer, "longest slices     work          function\n");
	for (i = 0; i < greedy->count; i++) {
		const struct gtrace_slice *slice = greedy->slices[i];
		struct naming naming = slice_naming(slice);

		write_duration(screen, slice->duration);
		gti_table_text(writer, " ");
		write_id(writer, slice->g);
		gti_table_word(writer, gti_naming_word(&naming), WORK_WIDTH);
		write_naming(screen,
			     LENGTH_WIDTH + 1 + GOROUTINE_WIDTH + WORK_WIDTH,
			     &naming);
	}
}

static void write_stop(const struct screen *screen,
		       const struct gtrace_stop *stop)
{
	const size_t used = 3 * LENGTH_WIDTH + 2 + KIND_WIDTH + 1;
	struct naming naming = gti_name_holder(stop);
	struct writer *writer = screen->writer;
	struct shown kind;

	write_duration(screen,
		       stop->inferred ? stop->stopping_max : stop->stopping);
	if (stop->stopped >= 0)
		write_duration(screen, stop->stopped);
	else
		gti_table_head(writer, "-", LENGTH_WIDTH);
	if (stop->ended >= 0 && stop->requested >= 0)
		write_duration(screen, stop->ended - stop->requested);
	else
		gti_table_head(writer, "-", LENGTH_WIDTH);
	gti_table_text(writer, "  ");
	gti_show_text(&kind, stop->kind);
	gti_table_left(writer, &kind, KIND_WIDTH);
	gti_table_text(writer, " ");
	if (gti_is_goroutine(&naming))
		write_naming(screen, used, &naming);
	else
		gti_table_text(writer, naming.off_cpu ? "thread without a CPU\n"
				       : naming.work == GTRACE_WORK_SCHEDULER
					       ? "no goroutine\n"
					       : NO_PROCESSOR "\n");
}

static void write_stops(const struct screen *screen)
{
	const struct gtrace_stop_report *report = screen->summary->stops;
	const struct gtrace_stop *const *stops = report->stops;
	size_t count = report->stop_count, i;

	if (count == 0) {
		stops = report->inferred_stops;
		count = report->inferred_count;
	}
	if (count != 0)
		gti_table_text(
			screen->writer,
			report->stop_count != 0
				? "   waited    stood     over  stop of "
				  "the world           waited for\n"
				: "  at most    stood     over  stop of "
				  "the world           last to give up\n");
	for (i = 0; i < count; i++)
		write_stop(screen, stops[i]);
}

void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary, size_t width)
{
	const struct screen screen = {
		writer, summary, gti_look_of(summary->in_ticks != 0), width};

	if (summary->filtered)
		gti_table_text(writer, "Only what passes the filters:\n");
	gti_table_lines(writer, summary->headline);
	gti_table_lines(writer, summary->explanation);
	write_trace(writer, summary);
	write_goroutines(writer, summary);
	if (summary->cpu != NULL)
		write_cpu(writer, summary->cpu, summary->slices.sum);
	write_functions(&screen);
	write_lengths(writer, summary);
	write_slices(&screen);
	write_stops(&screen);
}
