/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c - prints slices, stops, waits and blocks longer than a limit. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "tools/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/durations.h"
#include "tools/errors.h"
#include "tools/plain.h"
#include "tools/settings.h"

struct verdict {
	const char *name;
	struct violations *found;
	FILE *lines[LIMITED_COUNT]; /* of text: all are the first one */
	FILE *to;                   /* the line that is being made, at `line` */
	char *line;
	size_t size;
};

int64_t verdict_limit(enum limited what)
{
	const int64_t limits[] = {
		[LIMITED_SLICE] = settings.max_slice,
		[LIMITED_STOP] = settings.max_stop,
		[LIMITED_WAIT] = settings.max_wait,
		[LIMITED_BLOCK] = settings.max_block,
	};

	return limits[what];
}

const char *verdict_flag(enum limited what)
{
	static const char *const flags[] = {
		[LIMITED_SLICE] = "-max-slice",
		[LIMITED_STOP] = "-max-stop",
		[LIMITED_WAIT] = "-max-wait",
		[LIMITED_BLOCK] = "-max-block",
	};

	return flags[what];
}

const char *verdict_name(enum limited what)
{
	static const char *const names[] = {
		[LIMITED_SLICE] = "slice",
		[LIMITED_STOP] = "stop-the-world pause",
		[LIMITED_WAIT] = "wait for a processor",
		[LIMITED_BLOCK] = "block at a lock",
	};

	return names[what];
}

static bool is_junit(void)
{
	return settings.format == FORMAT_JUNIT;
}

static void print_text(FILE *to, struct gtrace_string text)
{
	plain_print(to, text.data, text.size);
}

/* Begins the line of a WHAT that took LENGTH, or at least that. */
static void begin(const struct verdict *verdict, const char *what,
		  bool is_exact, int64_t length)
{
	rewind(verdict->to);
	if (!is_junit()) {
		plain_print(verdict->to, verdict->name, strlen(verdict->name));
		fputs(": ", verdict->to);
	}
	fprintf(verdict->to, "%s of %s%s", what, is_exact ? "" : "at least ",
		duration_text(length).text);
}

/* Ends the line of WHAT, which took LENGTH, at the place FRAME or CALLER. */
static void end(struct verdict *verdict, enum limited what, int64_t length,
		const struct gtrace_frame *frame,
		const struct gtrace_frame *caller)
{
	struct violations *found = verdict->found;
	char title[64];
	long size;

	found->counts[what]++;
	if (length > found->longest[what])
		found->longest[what] = length;
	size = ftell(verdict->to);
	if (fflush(verdict->to) != 0 || size < 0)
		return;
	snprintf(title, sizeof(title), "%s of %s", verdict_name(what),
		 duration_text(length).text);
	verdict_line(verdict->lines[what], settings.format, title,
		     caller != NULL ? caller : frame, verdict->line,
		     (size_t)size);
}

/* Prints WORDS, the function of FRAME and where it is. */
static void print_frame(FILE *to, const char *words,
			const struct gtrace_frame *frame)
{
	fputs(words, to);
	print_text(to, frame->function);
	if (frame->file.size == 0)
		return;
	fputs(" (", to);
	print_text(to, frame->file);
	fprintf(to, ":%" PRIu64 ")", frame->line);
}

/*
 * Prints the function of the program that a slice, say, is named after, which
 * is that of CALLER if there is one, and then the innermost one.
 */
static void print_place(FILE *to, const struct gtrace_frame *frame,
			const struct gtrace_frame *caller)
{
	if (frame == NULL || frame->function.size == 0) {
		fputs(" (no stack)", to);
		return;
	}
	print_frame(to, " in ", caller != NULL ? caller : frame);
	if (caller != NULL)
		print_frame(to, ", in ", frame);
}

/* Prints CALLER, or FRAME if there is none. */
static void print_outer(FILE *to, const struct gtrace_frame *frame,
			const struct gtrace_frame *caller)
{
	print_place(to, caller != NULL ? caller : frame, NULL);
}

/*
 * Prints what is known of the time without events in something: for SILENT,
 * CERTAIN of it without a CPU, LIKELY most likely or asleep; the weakest of it
 * is of CLASS.
 */
static void print_silent(FILE *to, int64_t silent, int64_t certain,
			 int64_t likely, enum gtrace_silent_class class)
{
	static const char decides[] =
		"a CPU profile in the same run, or -sched, decides";

	if (certain != 0)
		fprintf(to, ", certainly without a CPU for %s",
			duration_text(certain).text);
	if (class == GTRACE_SILENT_ASLEEP)
		fprintf(to,
			", off the CPU for %s: without one, in a page fault "
			"or asleep in the kernel",
			duration_text(likely).text);
	else if (class == GTRACE_SILENT_LIKELY)
		fprintf(to, ", perhaps without a CPU for %s: %s",
			duration_text(likely).text, decides);
	else if (class == GTRACE_SILENT_UNDECIDED)
		fprintf(to,
			", without an event for %s: computed or without a CPU, "
			"undecided: %s",
			duration_text(silent).text, decides);
}

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	struct verdict *verdict = context;
	/* On no CPU, and not asleep: by the record, or for certain. */
	int64_t lost =
		slice->on_cpu >= 0 ? slice->preempted : slice->off_cpu_min;

	if (slice->duration - lost <= settings.max_slice ||
	    slice->clock_changed)
		return 0;
	begin(verdict, "slice", true, slice->duration);
	if (slice->on_cpu >= 0 && lost != 0)
		fprintf(verdict->to, ", preempted for %s",
			duration_text(lost).text);
	fprintf(verdict->to, ", at %s, goroutine %" PRId64,
		duration_text(slice->start.ts).text, slice->g);
	print_place(verdict->to, slice->frame, slice->caller);
	if (slice->on_cpu < 0)
		print_silent(verdict->to, slice->silent, slice->off_cpu_min,
			     slice->off_cpu_likely - slice->off_cpu_min,
			     slice->silent_class);
	end(verdict, LIMITED_SLICE, slice->duration, slice->frame,
	    slice->caller);
	return 0;
}

/* TIME, 0 if it is not known. */
static int64_t known(int64_t time)
{
	return time > 0 ? time : 0;
}

/* How long STOP waited for processors, at least. */
static int64_t waited(const struct gtrace_stop *stop)
{
	return known(stop->inferred ? stop->stopping_min : stop->stopping);
}

/* How much of that its last processor, LATE, had a goroutine. */
static int64_t waited_for(const struct gtrace_stop *stop,
			  const struct gtrace_late *late)
{
	if (late->how == GTRACE_LATE_SCHEDULER)
		return 0;
	if (stop->inferred || late->own > waited(stop))
		return waited(stop);
	return known(late->own);
}

/* That LATE had no goroutine. */
static void print_no_goroutine(FILE *to, const struct gtrace_late *late)
{
	fputs(" for no goroutine (scheduler, or the thread had no CPU", to);
	if (late->off_cpu_class == GTRACE_SILENT_LIKELY ||
	    late->off_cpu_class == GTRACE_SILENT_ASLEEP)
		fprintf(to, ", most likely for %s",
			duration_text(late->off_cpu).text);
	fputc(')', to);
}

static void print_late(FILE *to, const struct gtrace_stop *stop)
{
	const struct gtrace_late *late = stop->late;
	int64_t own = waited_for(stop, late);
	int64_t rest = waited(stop) - own;

	if (late->how == GTRACE_LATE_SCHEDULER || rest > own) {
		fprintf(to, ", waited %s", duration_text(own + rest).text);
		print_no_goroutine(to, late);
		return;
	}
	fprintf(to, ", waited %s for goroutine %" PRId64,
		duration_text(own).text, late->g);
	if (late->how == GTRACE_LATE_SYSCALL)
		fputs(" in a system call", to);
	print_place(to, late->frame, late->caller);
	if (rest != 0)
		fprintf(to, " and %s for no goroutine",
			duration_text(rest).text);
}

/*
 * A stop of which not all times are known is a violation only if those that
 * are, or their lower bounds, are too long.
 */
static int visit_stop(void *context, const struct gtrace_stop *stop)
{
	const struct gtrace_late *late =
		stop->late_count != 0 ? stop->late : NULL;
	struct verdict *verdict = context;
	int64_t stood = known(stop->stopped), length = waited(stop);

	length = length < INT64_MAX - stood ? length + stood : INT64_MAX;
	if (length <= settings.max_stop || stop->clock_changed)
		return 0;
	begin(verdict, "stop-the-world pause", stop->measured, length);
	if (!stop->inferred)
		fprintf(verdict->to, ", at %s", duration_text(stop->ts).text);
	fputs(", ", verdict->to);
	print_text(verdict->to, stop->kind);
	if (late != NULL)
		print_late(verdict->to, stop);
	fprintf(verdict->to, ", %s stopped", duration_text(stood).text);
	if (stop->ended >= 0 && stop->requested >= 0)
		fprintf(verdict->to, ", %s in all",
			duration_text(stop->ended - stop->requested).text);
	end(verdict, LIMITED_STOP, length, late != NULL ? late->frame : NULL,
	    late != NULL ? late->caller : NULL);
	return 0;
}

/* What WAIT was behind while all processors were busy. */
static void print_behind(FILE *to, const struct gtrace_wait *wait)
{
	const struct gtrace_kept *kept = wait->kept;
	uint64_t more = wait->kept_more + wait->kept_count;

	if (wait->kept_count == 0) {
		fputs(" behind no goroutine (scheduler, or the threads had no "
		      "CPU)",
		      to);
		return;
	}
	fprintf(to, " behind goroutine %" PRId64 " for %s", kept->g,
		duration_text(kept->overlap).text);
	print_place(to, kept->frame, kept->caller);
	if (more > 1)
		fprintf(to, " and %" PRIu64 " more slice%s", more - 1,
			more > 2 ? "s" : "");
}

static void print_wait(struct verdict *verdict, const struct gtrace_wait *wait)
{
	const struct gtrace_kept *kept =
		wait->busy != 0 && wait->kept_count != 0 ? wait->kept : NULL;
	FILE *to = verdict->to;

	begin(verdict, "wait", wait->whole, wait->length);
	fprintf(to, ", at %s, goroutine %" PRId64,
		duration_text(wait->start).text, wait->g);
	if (wait->stopped != 0)
		fprintf(to, ", stopped %s", duration_text(wait->stopped).text);
	if (wait->idle != 0)
		fprintf(to, ", idle %s", duration_text(wait->idle).text);
	if (wait->busy != 0) {
		fprintf(to, ", busy %s", duration_text(wait->busy).text);
		print_behind(to, wait);
	}
	print_silent(to, wait->silent, wait->off_cpu_min, wait->silent,
		     wait->silent_class);
	end(verdict, LIMITED_WAIT, wait->length,
	    kept != NULL ? kept->frame : NULL,
	    kept != NULL ? kept->caller : NULL);
}

static enum gtrace_status print_waits(struct gtrace *trace,
				      struct verdict *verdict,
				      struct gtrace_error *error)
{
	struct gtrace_filter longer = settings.filter;
	const struct gtrace_request request = {.size = sizeof(request),
					       .waits = SIZE_MAX,
					       .details = 1,
					       .filter = &longer};
	struct gtrace_reports *reports;
	enum gtrace_status status;
	size_t i;

	if (settings.max_wait == INT64_MAX)
		return GTRACE_OK;
	longer.min = settings.max_wait + 1;
	status = gtrace_analyse(trace, &request, &reports, error);
	for (i = 0; status == GTRACE_OK && i < reports->waits->count; i++)
		if (!reports->waits->waits[i]->clock_changed &&
		    reports->waits->waits[i]->length -
				    reports->waits->waits[i]->off_cpu_min >
			    settings.max_wait)
			print_wait(verdict, reports->waits->waits[i]);
	gtrace_reports_free(reports);
	return status;
}

/* Prints who ended BLOCK. */
static void print_ender(FILE *to, const struct gtrace_block *block)
{
	if (!block->over) {
		fputs(", not over", to);
	} else if (block->by_g == -1) {
		fprintf(to, ", ended by the %s", block->by);
	} else {
		fprintf(to, ", ended by goroutine %" PRId64 ", which unlocked",
			block->by_g);
		print_outer(to, block->by_frame, block->by_caller);
	}
}

static int visit_block(void *context, const struct gtrace_block *block)
{
	struct verdict *verdict = context;
	FILE *to = verdict->to;

	if (block->kind != GTRACE_BLOCK_LOCK || block->rest ||
	    block->length - block->off_cpu_min <= settings.max_block ||
	    block->clock_changed)
		return 0;
	begin(verdict, "block", block->over && !block->before, block->length);
	fprintf(to, ", at %s, lock, goroutine %" PRId64,
		duration_text(block->start).text, block->g);
	print_outer(to, block->frame, block->caller);
	print_ender(to, block);
	print_silent(to, block->silent, block->off_cpu_min, block->silent,
		     block->silent_class);
	end(verdict, LIMITED_BLOCK, block->length, block->frame, block->caller);
	return 0;
}

/* LIMIT, if it is one, and what passes it counts for the least of all. */
static bool limits(int64_t limit, struct gtrace_filter *longer)
{
	if (limit != 0 && limit < longer->min)
		longer->min = limit;
	return limit != 0;
}

/* Prints a line for each slice, say, of TRACE that is longer. */
static enum gtrace_status print_all(struct gtrace *trace,
				    struct verdict *verdict,
				    struct gtrace_error *error)
{
	struct gtrace_filter longer = settings.filter;
	const struct gtrace_request request = {
		.size = sizeof(request), .details = 1, .filter = &longer};
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .context = verdict};
	struct gtrace_summary *summary;
	enum gtrace_status status = GTRACE_OK;

	longer.min = INT64_MAX;
	if (limits(settings.max_slice, &longer))
		visitor.slice = visit_slice;
	if (limits(settings.max_stop, &longer))
		visitor.stop = visit_stop;
	if (limits(settings.max_block, &longer))
		visitor.block = visit_block;
	if (settings_visit())
		status = gtrace_visit(trace, &request, &visitor, error);
	if (status == GTRACE_OK && settings.max_wait != 0)
		status = print_waits(trace, verdict, error);
	/* That nothing could be read is no verdict: a summary fails, too. */
	if (status == GTRACE_OK && gtrace_left_out(trace, NULL, NULL, NULL)) {
		status = gtrace_summarise(trace, NULL, &summary, error);
		gtrace_summary_free(summary);
	}
	return status;
}

/* Opens what VERDICT writes to. Returns false if there is no memory. */
static bool open_lines(struct verdict *verdict)
{
	size_t size, i;

	verdict->to = open_memstream(&verdict->line, &verdict->size);
	if (verdict->to == NULL)
		return false;
	for (i = 0; i < LIMITED_COUNT; i++) {
		verdict->lines[i] = verdict->lines[0];
		if (i == 0 || is_junit())
			verdict->lines[i] = open_memstream(
				&verdict->found->lines[i], &size);
		if (verdict->lines[i] == NULL)
			return false;
	}
	return true;
}

/* Closes them. Returns false if there was no memory. */
static bool close_lines(struct verdict *verdict)
{
	bool is_good = verdict->to != NULL && !ferror(verdict->to);
	size_t i;

	for (i = 0; i < (is_junit() ? (size_t)LIMITED_COUNT : 1); i++)
		if (verdict->lines[i] == NULL ||
		    (ferror(verdict->lines[i]) | fclose(verdict->lines[i])) !=
			    0)
			is_good = false;
	if (verdict->to != NULL)
		fclose(verdict->to);
	free(verdict->line);
	return is_good;
}

enum gtrace_status verdict_find(struct gtrace *trace, const char *name,
				struct violations *violations,
				struct gtrace_error *error)
{
	struct verdict verdict = {.name = name, .found = violations};
	enum gtrace_status status = GTRACE_OK;
	bool is_open = open_lines(&verdict);

	if (is_open)
		status = print_all(trace, &verdict, error);
	if (!close_lines(&verdict) && status == GTRACE_OK)
		status = error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	if (status != GTRACE_OK)
		verdict_free(violations);
	return status;
}

void verdict_free(struct violations *violations)
{
	size_t i;

	for (i = 0; i < LIMITED_COUNT; i++)
		free(violations->lines[i]);
	*violations = (struct violations){0};
}
