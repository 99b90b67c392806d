/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_text.c - what there is to say about a trace, on one screen. */
#include "base/least.h"
#include "base/strings.h"
#include "report/diagnosis.h"
#include "report/machine_text.h"
#include "report/next.h"
#include "report/text.h"

/* The least that a function is cut to. */
#define FUNCTION_WIDTH 23

/* So many functions are listed. */
#define FUNCTIONS 3

/* So many processes that ran instead of the program. */
#define PROCESSES 3

/* More than this part of the total time is told of sweeping. */
#define SWEPT_PART 100

/* Sweeps of one allocation that are shorter, in nanoseconds, do no harm. */
#define SWEPT_LONG 100000

/* From this version on, what a collection took has its pauses. */
#define STOPS_FIRST 1010

/* Releases whose stacks can lack the innermost function. */
#define LEAFLESS_FIRST 1021
#define LEAFLESS_LAST  1023

/* ----------------------------------------------------------------- facts -- */

static void write_trace(struct sentence *to,
			const struct gtrace_summary *summary)
{
	char text[256];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), to->in_ticks);

	gti_say(&facts, "written by ");
	gti_sentence_version(&facts, summary->trace_version);
	gti_say(&facts, ": %t, %C", summary->length, (uint64_t)summary->procs,
		"processor");
	if (!summary->filtered && summary->idle >= 0)
		gti_say(&facts, ", idle %p", (uint64_t)summary->idle,
			(uint64_t)(summary->length - summary->clock_gap) *
				(uint64_t)summary->procs);
	gti_say(&facts, ", %C", summary->events, "event");
	if (summary->began >= 0) {
		gti_say(&facts, ", from ");
		gti_sentence_date(&facts, summary->began);
	}
	gti_table_lines(to->writer, string_of(text));
}

/* Whether the headline is that of the collector, which has the details. */
static bool tells_collector(const struct gtrace_summary *summary)
{
	return gti_told(summary) &&
	       summary->findings->kind == GTRACE_FINDING_COLLECTOR;
}

/* Says what mark assists held longest. */
static void say_held(struct sentence *facts,
		     const struct gtrace_summary *summary)
{
	const struct gtrace_function *held = summary->held;

	gti_say(facts, " and held ");
	if (held->frame.function.size == 0)
		gti_say(facts, "goroutines");
	else if (tells_collector(summary))
		gti_say(facts, "%i", held->frame.function);
	else
		gti_say(facts, "%f", &held->frame);
	if (gti_sentence_inner(facts, held->inner, held->frame.function))
		gti_say(facts, ",");
	gti_say(facts, " for %t", held->sum);
}

static void say_sweeps(struct sentence *facts,
		       const struct gtrace_summary *summary)
{
	gti_say(facts, "; allocations swept for %t", summary->sweeping);
	if (summary->swept->max >= SWEPT_LONG)
		gti_say(facts, ", for up to %t at once", summary->swept->max);
}

/* What the collector cost the program. */
static void say_collector(struct sentence *facts,
			  const struct gtrace_summary *summary)
{
	const struct gtrace_function *held = summary->held;
	bool at_most = summary->trace_version >= STOPS_FIRST;

	if (summary->collections_percent < 0)
		return;
	/* It is rounded down. */
	if (at_most)
		gti_say(facts, ", at most %d %% of processor time",
			least_of(summary->collections_percent + 1, 100));
	else
		gti_say(facts, ", %d %% of processor time",
			summary->collections_percent);
	if (summary->assist_share > 0 || held != NULL)
		gti_say(facts, "; assists did %s%d %% of the marking",
			at_most ? "about " : "", summary->assist_share);
	if (held != NULL)
		say_held(facts, summary);
	if (summary->swept != NULL && !tells_collector(summary) &&
	    summary->sweeping > summary->time / SWEPT_PART)
		say_sweeps(facts, summary);
}

static void write_goroutines(struct sentence *to,
			     const struct gtrace_summary *summary)
{
	char text[512];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), to->in_ticks);

	gti_say(&facts, "%C (%c created, %c at once), %C", summary->goroutines,
		"goroutine", summary->goroutines_created,
		summary->goroutines_alive, summary->collections, "GC");
	if (summary->collections != 0) {
		gti_say(&facts, ": %p of the time",
			(uint64_t)summary->collecting,
			(uint64_t)summary->known);
		say_collector(&facts, summary);
	}
	if (summary->tracer_count != 0)
		gti_say(&facts, "; the tracer itself: %t", summary->tracer_sum);
	if (summary->trace_version >= LEAFLESS_FIRST &&
	    summary->trace_version <= LEAFLESS_LAST)
		gti_say(&facts, "; stacks of this release may lack the "
				"innermost function");
	if (!summary->machine.silence_known && !summary->in_ticks)
		gti_say(&facts, "; this release does not show when no thread "
				"had a CPU");
	gti_table_lines(to->writer, string_of(text));
}

/* Functions that kept processors are told from this part of their time on. */
#define SILENT_PART 10

/* Whether a finding of KIND is told. */
static bool tells(const struct gtrace_summary *summary,
		  enum gtrace_finding_kind kind)
{
	const struct gtrace_finding *also = gti_also(summary);

	return gti_told(summary) && (summary->findings->kind == kind ||
				     (also != NULL && also->kind == kind));
}

/* When threads had no CPU, as far as that is known. */
static void write_machine(struct sentence *to,
			  const struct gtrace_summary *summary)
{
	char text[1024];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), to->in_ticks);

	if (gti_is_open(summary)) {
		gti_tell_classes(&facts, &summary->machine);
		gti_table_lines(to->writer, string_of(text));
	}
	if (summary->silent_count == 0 ||
	    summary->silent->work != GTRACE_WORK_PROGRAM ||
	    tells(summary, GTRACE_FINDING_SILENT) ||
	    (double)summary->silent->sum * SILENT_PART <
		    (double)gti_processor_time(summary))
		return;
	facts = gti_sentence_begin(text, sizeof(text), to->in_ticks);
	gti_tell_silent(&facts, summary->silent);
	gti_table_lines(to->writer, string_of(text));
}

static void write_threads(struct sentence *to,
			  const struct gtrace_summary *summary)
{
	char text[512];
	struct sentence facts =
		gti_sentence_begin(text, sizeof(text), to->in_ticks);

	gti_tell_threads(&facts, summary);
	gti_table_lines(to->writer, string_of(text));
}

/* What the scheduling record says of slices. */
static void write_cpu(struct sentence *to, const struct gtrace_summary *summary)
{
	const struct gtrace_cpu *cpu = summary->cpu;
	char text[512];
	struct sentence facts = gti_sentence_begin(text, sizeof(text), false);
	size_t i;

	gti_say(&facts,
		"threads were on a CPU for %t of the slices (%p), preempted "
		"for %t, asleep for %t",
		cpu->on_cpu, (uint64_t)cpu->on_cpu,
		(uint64_t)(summary->slices.sum - cpu->unknown), cpu->preempted,
		cpu->asleep);
	if (cpu->unknown != 0)
		gti_say(&facts, ", not known for %t", cpu->unknown);
	for (i = 0; i < cpu->instead_count && i < PROCESSES; i++)
		gti_say(&facts, i == 0 ? "; instead ran %n: %t" : ", %n: %t",
			cpu->instead[i].name, cpu->instead[i].sum);
	gti_table_lines(to->writer, string_of(text));
}

/* --------------------------------------------------------------- lengths -- */

/* A row of COUNT lengths; TIMES: sum, median, p99, p99.9, longest. */
static void write_row(struct sentence *to, const char *label, uint64_t count,
		      const int64_t times[5])
{
	size_t i;

	gti_say(to, "%-15s%11c", label, count);
	for (i = 0; i < 5; i++)
		gti_say(to, "%10t", count != 0 ? times[i] : TIME_UNKNOWN);
	gti_say(to, "\n");
}

static void write_lengths(struct sentence *to,
			  const struct gtrace_summary *summary)
{
	const struct gtrace_distribution *slices = &summary->slices;
	const struct gtrace_wait_row *waits = &summary->waits->all;
	const struct gtrace_stop_kind *stops = &summary->stops->all;
	uint64_t cut = summary->waits->before + summary->waits->unfinished;
	const int64_t times[][5] = {
		{slices->sum, slices->median, slices->p99, slices->p999,
		 slices->max},
		{waits->sum, waits->median, waits->p99, waits->p999,
		 waits->max},
		{summary->waits->cut_sum, TIME_UNKNOWN, TIME_UNKNOWN,
		 TIME_UNKNOWN, summary->waits->cut_max},
		{stops->stopping, stops->median, stops->p99, TIME_UNKNOWN,
		 stops->max},
	};

	gti_say(to, "                     number       sum    median       p99"
		    "     p99.9   longest\n");
	write_row(to, "slices", slices->count, times[0]);
	write_row(to, "waits for a P", waits->count, times[1]);
	if (summary->waits->cut_max > waits->max ||
	    summary->waits->cut_sum > waits->sum)
		write_row(to, "waits cut off", cut, times[2]);
	write_row(to, "time to stop", stops->measured, times[3]);
}

/* ----------------------------------------------------------------- lists -- */

/* The size of the first COLUMNS of TEXT, which is UTF-8. */
static size_t columns_size(const char *text, size_t columns)
{
	size_t size = 0;

	while (text[size] != '\0') {
		if (((unsigned char)text[size] & 0xc0) != 0x80 &&
		    columns-- == 0)
			break;
		size++;
	}
	return size;
}

/* Writes TEXT and the end of a row; cut at COLUMNS, unless that is 0. */
static void write_last(struct writer *writer, const char *text, size_t columns)
{
	size_t size = strlen(text);
	bool is_cut = columns != 0 && columns_size(text, columns) < size;

	if (is_cut)
		size = columns_size(text, columns - 1);
	gti_write_bytes(writer, text, size);
	write_text(writer, is_cut ? "\xe2\x80\xa6\n" : "\n");
}

/*
 * The last column, after USED columns of WIDTH, 0: any: FRAME, and INNER inside
 * of it.
 */
static void write_function(struct sentence *to, size_t width, size_t used,
			   const struct gtrace_frame *frame,
			   struct gtrace_string inner)
{
	char text[1024];
	struct sentence last = gti_sentence_begin(text, sizeof(text), false);

	gti_say(&last, "%f", frame);
	gti_sentence_inner(&last, inner, frame->function);
	if (width != 0)
		width = width > used + FUNCTION_WIDTH ? width - used
						      : FUNCTION_WIDTH;
	write_last(to->writer, text, width);
}

static void write_sums(struct sentence *to, size_t width,
		       const struct gtrace_function *function)
{
	gti_say(to, "%9t%9t%9t%10c  ", function->sum, function->delay,
		function->blocked, function->count);
	if (function->work >= GTRACE_WORK_GC_DEDICATED)
		gti_say(to, "%s\n", gtrace_work_name(function->work));
	else
		write_function(to, width, 39, &function->frame,
			       function->inner);
}

/* The function that the headline names; NULL: none that ran or was blocked. */
static const struct gtrace_function *
told_function(const struct gtrace_summary *summary)
{
	struct gtrace_string name;
	size_t i;

	if (!gti_told(summary))
		return NULL;
	name = summary->findings->frame.function;
	for (i = 0; name.size != 0 && i < summary->function_count; i++) {
		const struct gtrace_function *function = &summary->functions[i];

		if (function->work != GTRACE_WORK_TRACER &&
		    string_equals(function->frame.function, name))
			return function;
	}
	return NULL;
}

/* The functions that ran longest; the last row is for that of the headline. */
static void write_functions(struct sentence *to, size_t width,
			    const struct gtrace_summary *summary)
{
	const struct gtrace_function *told = told_function(summary);
	size_t left = FUNCTIONS, i;

	if (summary->function_count == 0)
		return;
	gti_say(to, "     ran  delayed  blocked    slices  function\n");
	for (i = 0; i < summary->function_count && left != 0; i++) {
		const struct gtrace_function *function = &summary->functions[i];

		if (function->work == GTRACE_WORK_TRACER ||
		    (left == 1 && told != NULL && function != told))
			continue;
		write_sums(to, width, function);
		if (function == told)
			told = NULL;
		left--;
	}
}

static void write_slices(struct sentence *to, size_t width,
			 const struct gtrace_greedy_report *greedy)
{
	size_t i;

	if (greedy->count == 0)
		return;
	gti_say(to, "longest slices     work          function\n");
	for (i = 0; i < greedy->count; i++) {
		const struct gtrace_slice *slice = greedy->slices[i];
		struct naming naming = slice_naming(slice);

		gti_say(to, "%9t G%-7d %-14s", slice->duration, slice->g,
			slice->clock_changed ? "clock changed"
					     : gti_naming_word(&naming));
		write_function(to, width, 33, naming_own(&naming),
			       naming_inner(&naming));
	}
}

static void write_stop(struct sentence *to, size_t width,
		       const struct gtrace_stop *stop)
{
	bool over = stop->ended >= 0 && stop->requested >= 0;
	struct naming naming = gti_name_holder(stop);

	gti_say(to, "%9t%9t%9t  %-27n ",
		stop->inferred ? stop->stopping_max : stop->stopping,
		stop->stopped >= 0 ? stop->stopped : TIME_UNKNOWN,
		over ? stop->ended - stop->requested : TIME_UNKNOWN,
		stop->kind);
	if (gti_is_goroutine(&naming))
		write_function(to, width, 57, naming_own(&naming),
			       naming_inner(&naming));
	else
		gti_say(to, naming.off_cpu != 0 ? "thread without a CPU\n"
			    : naming.work == GTRACE_WORK_SCHEDULER
				    ? "no goroutine\n"
				    : NO_PROCESSOR "\n");
}

static void write_stops(struct sentence *to, size_t width,
			const struct gtrace_stop_report *report)
{
	const struct gtrace_stop *const *stops = report->stops;
	size_t count = report->stop_count, i;

	if (count == 0) {
		stops = report->inferred_stops;
		count = report->inferred_count;
	}
	if (count != 0)
		gti_say(to, report->stop_count != 0
				    ? "  to stop  stopped    total  stop-the-"
				      "world pause        waited for\n"
				    : "  at most    stood     over  stop-the-"
				      "world pause        last to give up\n");
	for (i = 0; i < count; i++)
		write_stop(to, width, stops[i]);
}

/* Which report is to be read next. */
static void write_next(struct sentence *to,
		       const struct gtrace_summary *summary, const char *name)
{
	const struct gtrace_finding *first = summary->findings;
	bool lacks = gti_next_lacks_name(name);
	const char *saved = lacks ? ", with the trace saved as FILE" : "";
	const char *file = lacks ? " FILE" : "";

	if (!gti_told(summary) && summary->rest_next.size != 0)
		gti_say(to, "If that is not rest%s: gtrace %s%s\n", saved,
			summary->rest_next.data, file);
	if (!gti_told(summary))
		return;
	gti_say(to, "Next%s: gtrace %s%s\n", saved, first->next.data, file);
	if (first->cut.size != 0)
		gti_say(to, "A smaller trace of it: gtrace %s\n",
			first->cut.data);
}

void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary, const char *name,
		      size_t width)
{
	struct sentence to =
		gti_sentence_to(writer, LOOK_SCREEN, summary->in_ticks != 0);

	if (summary->filtered)
		gti_say(&to, "Only what passes the filters:\n");
	gti_table_lines(writer, summary->headline);
	gti_table_lines(writer, summary->explanation);
	write_next(&to, summary, name);
	write_trace(&to, summary);
	write_goroutines(&to, summary);
	if (summary->threads != NULL)
		write_threads(&to, summary);
	if (summary->cpu != NULL)
		write_cpu(&to, summary);
	else
		write_machine(&to, summary);
	write_functions(&to, width, summary);
	write_lengths(&to, summary);
	write_slices(&to, width, summary->greedy);
	write_stops(&to, width, summary->stops);
}
