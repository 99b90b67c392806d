/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - every event as text, JSON or CSV. */
#include "base/fail.h"
#include "base/guard.h"
#include "base/output.h"
#include "front.h"
#include "report/text.h"

/* ------------------------------------------------------------------ text -- */

/* The pass that prints. */
struct printing {
	struct gtrace *trace;
	const struct observer *links;
	struct observer observer;
	struct dump_text text;
	struct gtrace_event shown; /* the event that is printed */
	struct gtrace_string strings[EVENT_STRINGS];
	bool failed; /* there was no memory */
};

static size_t frames_of(void *context, uint64_t stack,
			struct gtrace_frame *frames)
{
	struct gtrace *trace = context;

	return trace->format->frames(trace->self, 0, stack, frames);
}

static bool print_event(void *context, const struct event *event)
{
	struct printing *printing = context;
	struct gtrace *trace = printing->trace;
	const struct event_kind *kind = &trace->kinds[event->type];
	struct gtrace_event *shown = &printing->shown;
	uint64_t stack = event->stack;

	shown->number = event->ordinal;
	shown->link = gti_link_of(printing->links, event);
	shown->offset = event->offset;
	shown->type = kind->number;
	shown->name = kind->name;
	shown->ts = clock_ns(&printing->observer.clock, event->ticks);
	shown->m = event->m;
	shown->p = event->p;
	shown->g = (int64_t)event->g;
	shown->stack_id = gti_stack_id(trace, kind, stack);
	shown->args = event->args;
	shown->string_count = 0;
	shown->frame_count = 0;
	if (kind->strings != 0)
		shown->string_count = trace->format->strings(trace->self, event,
							     printing->strings);
	if (UNLIKELY(kind->stack_mask == 0)) {
		/* These stacks have no id to keep their text by. */
		shown->frames = printing->text.stacks.frames;
		shown->frame_count =
			trace->format->frames(trace->self, event->type, stack,
					      printing->text.stacks.frames);
		stack = 0;
	}
	printing->failed = !gti_text_dump_event(&printing->text, shown, stack);
	/* A failed write is reported at the end. */
	return !printing->failed && printing->text.writer->failure == 0;
}

static enum gtrace_status print_events(struct gtrace *trace,
				       const struct observer *links,
				       struct writer *writer,
				       struct gtrace_error *error)
{
	const struct format *format = trace->format;
	struct printing printing = {
		.trace = trace,
		.links = links,
		.observer.memory = &trace->memory,
		.text =
			{
				.writer = writer,
				.threads = format->has_threads,
				.stacks =
					{
						.memory = &trace->memory,
						.frames_of = frames_of,
						.context = trace,
						.budget = format->text_budget(
							trace->self),
					},
			},
	};
	struct pass pass = {
		.observer = &printing.observer,
		.visit = print_event,
		.context = &printing,
		.last = true,
	};
	struct stack_texts *stacks = &printing.text.stacks;
	enum gtrace_status status;

	printing.shown.arg_count = EVENT_ARGS;
	printing.shown.strings = printing.strings;
	stacks->frames = gti_allocate_zeroed(&trace->memory, format->frames_max,
					     sizeof(*stacks->frames));
	if (stacks->frames == NULL)
		return gti_fail_memory(error);
	gti_text_dump_head(&printing.text);
	status = format->follow(trace->self, &pass, error);
	if (status == GTRACE_OK && printing.failed)
		status = gti_fail_memory(error);
	gti_stack_texts_free(stacks);
	gti_release(&trace->memory, stacks->frames,
		    format->frames_max * sizeof(*stacks->frames));
	return status;
}

static enum gtrace_status print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	struct observer links = {.memory = &trace->memory, .wants_links = true};
	enum gtrace_status status, written;
	struct writer writer;

	gti_describe_kinds(trace);
	status = gti_check_trace(trace, &links, error);
	if (status == GTRACE_OK)
		status =
			gti_open_writer(&writer, output, &trace->memory, error);
	if (status == GTRACE_OK) {
		status = print_events(trace, &links, &writer, error);
		written = gti_writer_finish(&writer,
					    status == GTRACE_OK ? error : NULL);
		if (status == GTRACE_OK)
			status = written;
	}
	gti_observer_free(&links);
	return status;
}

enum gtrace_status gtrace_print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	enum gtrace_status status;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	status = print_dump(trace, output, error);
	return gti_guard_leave(&guard, status, error);
}
