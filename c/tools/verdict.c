/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c - prints slices and stops that are longer than a limit. */
#include "tools/verdict.h"

#include <inttypes.h>
#include <string.h>

#include "tools/durations.h"
#include "tools/plain.h"

struct verdict {
	const char *name;
	const struct settings *settings;
	FILE *to;
};

static void print_text(FILE *to, struct gtrace_string text)
{
	plain_print(to, text.data, text.size);
}

static void print_name(const struct verdict *verdict)
{
	plain_print(verdict->to, verdict->name, strlen(verdict->name));
	fputs(": ", verdict->to);
}

static void print_time(FILE *to, const char *before, int64_t time)
{
	char text[DURATION_SIZE];

	fprintf(to, "%s%s", before, duration_print(time, text));
}

static bool begins_with(struct gtrace_string text, const char *start)
{
	size_t size = strlen(start);

	return text.size >= size && memcmp(text.data, start, size) == 0;
}

static bool is_runtime(const struct gtrace_frame *frame)
{
	return begins_with(frame->function, "runtime.") ||
	       begins_with(frame->function, "runtime/") ||
	       begins_with(frame->function, "internal/runtime/");
}

/* Prints the innermost frame outside of the runtime, or the outermost one. */
static void print_place(FILE *to, const struct gtrace_frame *frames,
			size_t count)
{
	size_t i = 0;

	if (count == 0)
		return;
	while (i + 1 < count && is_runtime(&frames[i]))
		i++;
	fputs(" in ", to);
	print_text(to, frames[i].function);
	fputs(" (", to);
	print_text(to, frames[i].file);
	fprintf(to, ":%" PRIu64 ")", frames[i].line);
}

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	const struct verdict *verdict = context;
	const struct gtrace_event *event =
		slice->still_running ? &slice->start : &slice->end;

	if (slice->duration <= verdict->settings->max_slice)
		return 0;
	print_name(verdict);
	print_time(verdict->to, "slice of ", slice->duration);
	print_time(verdict->to, ", at ", slice->start.ts);
	fprintf(verdict->to, ", goroutine %" PRId64, slice->g);
	print_place(verdict->to, event->frames, event->frame_count);
	fputc('\n', verdict->to);
	return 0;
}

static void print_holder(FILE *to, const struct gtrace_stop *stop)
{
	const struct gtrace_late *late = stop->late;

	if (stop->late_count == 0)
		return;
	if (late->how == GTRACE_LATE_SCHEDULER) {
		fputs(", held up by the scheduler", to);
		return;
	}
	fprintf(to, ", held up by goroutine %" PRId64, late->g);
	if (late->how == GTRACE_LATE_SYSCALL)
		fputs(" in a system call", to);
	print_place(to, late->frames, late->frame_count);
}

/*
 * A stop that was inferred is a violation only if its lower bound is; such a
 * stop has no total time.
 */
static int visit_stop(void *context, const struct gtrace_stop *stop)
{
	const struct verdict *verdict = context;
	int64_t length = stop->inferred ? stop->stopping_min : stop->total;

	if (length <= verdict->settings->max_stop)
		return 0;
	print_name(verdict);
	print_time(verdict->to,
		   stop->inferred ? "stop of the world of at least "
				  : "stop of the world of ",
		   length);
	if (!stop->inferred)
		print_time(verdict->to, ", at ", stop->ts);
	fputs(", ", verdict->to);
	print_text(verdict->to, stop->kind);
	print_holder(verdict->to, stop);
	fputc('\n', verdict->to);
	return 0;
}

enum gtrace_status verdict_print(struct gtrace *trace, const char *name,
				 const struct settings *settings,
				 const struct gtrace_filter *filter, FILE *to,
				 struct gtrace_error *error)
{
	struct verdict verdict = {name, settings, to};
	struct gtrace_filter longer = *filter;
	const struct gtrace_request request = {.size = sizeof(request),
					       .filter = &longer};
	struct gtrace_visitor visitor = {.size = sizeof(visitor),
					 .context = &verdict};
	struct gtrace_summary *summary;
	enum gtrace_status status;

	longer.min = INT64_MAX;
	if (settings->max_slice != 0) {
		visitor.slice = visit_slice;
		longer.min = settings->max_slice;
	}
	if (settings->max_stop != 0) {
		visitor.stop = visit_stop;
		if (settings->max_stop < longer.min)
			longer.min = settings->max_stop;
	}
	status = gtrace_visit(trace, &request, &visitor, error);
	/* That nothing could be read is no verdict: a summary fails, too. */
	if (status == GTRACE_OK && gtrace_left_out(trace, NULL, NULL, NULL)) {
		status = gtrace_summarise(trace, NULL, &summary, error);
		gtrace_summary_free(summary);
	}
	return status;
}
