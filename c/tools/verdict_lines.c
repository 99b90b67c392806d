/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict_lines.c - the line of a slice, a stop, a wait or a block. */
#include "tools/verdict_lines.h"

#include <inttypes.h>
#include <string.h>

#include "tools/durations.h"
#include "tools/plain.h"

static void print_text(FILE *to, struct gtrace_string text)
{
	plain_print(to, text.data, text.size);
}

/* Begins the line of a WHAT that took LENGTH, or at least that. */
static void begin(const struct verdict *verdict, const char *what,
		  bool is_exact, int64_t length)
{
	rewind(verdict->to);
	if (!verdict_is_junit()) {
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
	if (verdict->follower != NULL) {
		verdict->follower->line(verdict->follower->context, verdict->at,
					length, verdict->line, (size_t)size);
		return;
	}
	snprintf(title, sizeof(title), "%s of %s", verdict_name(what),
		 duration_text(length).text);
	verdict_line(verdict->lines[what].to, settings.format, title,
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

int verdict_slice(void *context, const struct gtrace_slice *slice)
{
	struct verdict *verdict = context;
	/* On no CPU, and not asleep: by the record, or for certain. */
	int64_t lost =
		slice->on_cpu >= 0 ? slice->preempted : slice->off_cpu_min;

	if (slice->duration - lost <= settings.max_slice ||
	    slice->clock_changed)
		return 0;
	verdict->at = slice->start.ts;
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
int verdict_stop(void *context, const struct gtrace_stop *stop)
{
	const struct gtrace_late *late =
		stop->late_count != 0 ? stop->late : NULL;
	struct verdict *verdict = context;
	int64_t stood = known(stop->stopped), length = waited(stop);

	length = length < INT64_MAX - stood ? length + stood : INT64_MAX;
	if (length <= settings.max_stop || stop->clock_changed)
		return 0;
	verdict->at = stop->inferred ? -1 : stop->ts;
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

void verdict_wait(struct verdict *verdict, const struct gtrace_wait *wait)
{
	const struct gtrace_kept *kept =
		wait->busy != 0 && wait->kept_count != 0 ? wait->kept : NULL;
	FILE *to = verdict->to;

	verdict->at = wait->start;
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

int verdict_block(void *context, const struct gtrace_block *block)
{
	struct verdict *verdict = context;
	FILE *to = verdict->to;

	if (block->kind != GTRACE_BLOCK_LOCK || block->rest ||
	    block->length - block->off_cpu_min <= settings.max_block ||
	    block->clock_changed)
		return 0;
	verdict->at = block->start;
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
