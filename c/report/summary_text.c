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

/* Columns of the lists. */
#define LENGTH_WIDTH    8
#define GOROUTINE_WIDTH 8
#define FUNCTION_WIDTH  28
#define WORK_WIDTH      13
#define LAST_WIDTH      20

/* So many functions that delayed others are listed. */
#define FUNCTIONS 2

_Static_assert(LENGTH_WIDTH + 1 + GOROUTINE_WIDTH + FUNCTION_WIDTH + 1 +
			       WORK_WIDTH + 1 + LAST_WIDTH ==
		       SCREEN_WIDTH,
	       "a row fits");

/* ----------------------------------------------------------------- facts -- */

static void write_trace(struct writer *writer,
			const struct gtrace_summary *summary)
{
	char text[256];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), summary->in_ticks != 0);

	gti_sentence_add(&facts, "trace of Go ");
	gti_sentence_version(&facts, summary->trace_version);
	gti_sentence_add(&facts, ": ");
	gti_sentence_duration(&facts, summary->length);
	gti_sentence_add(&facts, ", ");
	gti_sentence_count(&facts, (uint64_t)summary->procs, " processor, ",
			   " processors, ");
	gti_sentence_count(&facts, summary->events, " event", " events");
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

static void write_goroutines(struct writer *writer,
			     const struct gtrace_summary *summary)
{
	char text[256];
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
	gti_table_lines(writer, (struct gtrace_string){text, strlen(text)});
}

/* The sums of the tracer; without any, an empty line. */
static void write_tracer(struct writer *writer,
			 const struct gtrace_summary *summary)
{
	char text[128];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), summary->in_ticks != 0);

	if (summary->tracer_count != 0) {
		gti_sentence_add(&facts, "the tracer itself: ");
		gti_sentence_duration(&facts, summary->tracer_sum);
		gti_sentence_add(&facts, ", longest ");
		gti_sentence_duration(&facts, summary->tracer_max);
	}
	gti_table_text(writer, text);
	gti_table_text(writer, "\n");
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

static void write_id(struct writer *writer, char letter, int64_t id)
{
	char *to = writer_reserve(writer, GOROUTINE_WIDTH + DECIMAL_MAX);
	char *end = to;

	*end++ = letter;
	end = gti_put_signed(end, id);
	do
		*end++ = ' ';
	while (end < to + GOROUTINE_WIDTH);
	writer_commit(writer, end);
}

/* The function of NAMING; and, if they are to be there, the caller's. */
static void write_naming(struct writer *writer, const struct naming *naming,
			 bool with_caller)
{
	struct shown shown, caller;

	gti_show_naming(&shown, naming);
	if (naming->caller != NULL && with_caller) {
		gti_show_function(&caller, naming->caller->function);
		gti_shorten(&shown, FUNCTION_WIDTH / 2);
		gti_shorten(&caller, FUNCTION_WIDTH - 4 - shown.columns);
		memcpy(shown.text + shown.size, " in ", 4);
		memcpy(shown.text + shown.size + 4, caller.text,
		       caller.size + 1);
		shown.size += 4 + caller.size;
		shown.columns += 4 + caller.columns;
	}
	gti_table_left(writer, &shown, FUNCTION_WIDTH);
	gti_table_text(writer, " ");
}

static void write_head(struct writer *writer, const char *what,
		       const char *function, const char *last)
{
	gti_table_word(writer, what, LENGTH_WIDTH + 1 + GOROUTINE_WIDTH);
	gti_table_word(writer, function, FUNCTION_WIDTH + 1);
	gti_table_word(writer, "work", WORK_WIDTH + 1);
	gti_table_text(writer, last);
	gti_table_text(writer, "\n");
}

static void write_length(struct writer *writer, const struct look *look,
			 int64_t ns)
{
	gti_table_duration(writer, ns, look, LENGTH_WIDTH);
	gti_table_text(writer, " ");
}

/* LAST is the last column of a row. */
static void write_last(struct writer *writer, const struct naming *naming,
		       struct shown *last)
{
	gti_table_word(writer, gti_naming_word(naming), WORK_WIDTH);
	gti_table_text(writer, last->size != 0 ? " " : "");
	gti_shorten(last, LAST_WIDTH);
	gti_write_bytes(writer, last->text, last->size);
	gti_table_text(writer, "\n");
}

/* The caller that NAMING has; or, without its directory, its file and line. */
static void show_origin(struct shown *to, const struct naming *naming)
{
	struct gtrace_frame frame;
	size_t size;

	to->size = to->columns = 0;
	if (naming->caller != NULL) {
		gti_show_function(to, naming->caller->function);
		gti_shorten(to, LAST_WIDTH - 3);
		memmove(to->text + 3, to->text, to->size + 1);
		memcpy(to->text, "in ", 3);
		to->size += 3;
		to->columns += 3;
	} else if (naming->frame != NULL) {
		frame = *naming->frame;
		for (size = frame.file.size; size > 0; size--)
			if (frame.file.data[size - 1] == '/')
				break;
		frame.file.data += size;
		frame.file.size -= size;
		gti_show_place(to, &frame);
	}
}

static void write_slice(struct writer *writer, const struct look *look,
			const struct gtrace_slice *slice)
{
	struct naming naming = slice_naming(slice);
	struct shown origin;

	write_length(writer, look, slice->duration);
	write_id(writer, 'G', slice->g);
	write_naming(writer, &naming, false);
	show_origin(&origin, &naming);
	write_last(writer, &naming, &origin);
}

static void write_slices(struct writer *writer,
			 const struct gtrace_summary *summary)
{
	const struct gtrace_greedy_report *greedy = summary->greedy;
	size_t i;

	if (greedy->count == 0)
		return;
	write_head(writer, "longest slices", "ended in", "at");
	for (i = 0; i < greedy->count; i++)
		write_slice(writer, gti_look_of(summary->in_ticks != 0),
			    greedy->slices[i]);
}

static void write_function(struct writer *writer, const struct look *look,
			   const struct gtrace_function *function)
{
	const struct gtrace_frame frame = {.function = function->function};
	const struct gtrace_frame caller = {.function = function->caller};
	const struct naming naming = {
		.frame = frame.function.size != 0 ? &frame : NULL,
		.caller = caller.function.size != 0 ? &caller : NULL,
		.work = function->work,
	};
	struct shown count;

	write_length(writer, look, function->delay);
	gti_table_word(writer, "", GOROUTINE_WIDTH);
	write_naming(writer, &naming, true);
	gti_show_count(&count, function->delaying, &gti_look_terminal);
	write_last(writer, &naming, &count);
}

static void write_functions(struct writer *writer,
			    const struct gtrace_summary *summary)
{
	size_t i;

	if (summary->delaying_count == 0)
		return;
	write_head(writer, "delayed others", "slices ending in", "slices");
	for (i = 0; i < summary->delaying_count && i < FUNCTIONS; i++)
		write_function(writer, gti_look_of(summary->in_ticks != 0),
			       summary->delaying[i]);
}

static void write_stop(struct writer *writer, const struct look *look,
		       const struct gtrace_stop *stop)
{
	struct naming naming = gti_name_holder(stop);
	struct shown kind;

	write_length(writer, look,
		     stop->inferred ? stop->stopping_max : stop->stopping);
	if (!gti_is_goroutine(&naming)) {
		gti_table_word(writer, "-", GOROUTINE_WIDTH);
		gti_table_word(writer,
			       naming.work == GTRACE_WORK_SCHEDULER
				       ? "no goroutine"
				       : NO_PROCESSOR,
			       FUNCTION_WIDTH + 1);
	} else {
		write_id(writer, 'G', stop->late->g);
		write_naming(writer, &naming, true);
	}
	gti_show_text(&kind, stop->kind);
	write_last(writer, &naming, &kind);
}

static void write_stops(struct writer *writer,
			const struct gtrace_summary *summary)
{
	const struct gtrace_stop_report *report = summary->stops;
	const struct gtrace_stop *const *stops = report->stops;
	size_t count = report->stop_count, i;

	if (count == 0 && report->inferred_count != 0) {
		stops = report->inferred_stops;
		count = report->inferred_count;
		write_head(writer, "waits at most", "last to give up", "stop");
	} else if (count != 0) {
		write_head(writer, "waits of stops", "held up by", "stop");
	}
	for (i = 0; i < count; i++)
		write_stop(writer, gti_look_of(summary->in_ticks != 0),
			   stops[i]);
}

static void write_end(struct writer *writer)
{
	gti_table_text(writer,
		       "Slice: a goroutine keeps a processor, P. Stop: an STW "
		       "pause waits for all Ps.\n"
		       "Next: -delay=10, -diagreedy=10, -wait=10, -stw=10 for "
		       "stacks, -h for more.\n");
}

void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary)
{
	gti_table_lines(writer, summary->headline);
	gti_table_lines(writer, summary->explanation);
	write_trace(writer, summary);
	write_goroutines(writer, summary);
	write_tracer(writer, summary);
	write_lengths(writer, summary);
	write_functions(writer, summary);
	write_slices(writer, summary);
	write_stops(writer, summary);
	write_end(writer);
}
