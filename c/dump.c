/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - every event as text, JSON or CSV. */
#include "base/output.h"
#include "report/stack_texts.h"
#include "report/text.h"
#include "run.h"

/* The pass that prints. */
struct printing {
	struct line line;
	struct stack_texts stacks;
};

static size_t frames_of(void *context, uint64_t stack,
			struct gtrace_frame *frames)
{
	struct gtrace *trace = context;

	return trace->format->frames(trace->self, stack, frames);
}

static bool print_event(void *context, const struct event *event)
{
	struct run *run = context;
	struct printing *printing = run->wanted->context;
	struct gtrace *trace = run->trace;
	struct gtrace_string strings[EVENT_STRINGS];
	struct gtrace_event shown;
	bool is_text = printing->line.format == GTRACE_FORMAT_TEXT;

	if (!run_passes(run, event, run_ns(run, event->ticks)))
		return !run->filter.failed;
	printing->stacks.frames = run->frames;
	printing->line.failed = &run->failed;
	gti_make_values(run, event, &shown);
	shown.link = run_link(run, event);
	/* Text shows those that an event lacks as 0. */
	if (is_text) {
		shown.args = event->args;
		shown.arg_count = EVENT_ARGS;
	}
	if (trace->facts.kinds[event->type].strings != 0) {
		shown.strings = strings;
		shown.string_count =
			trace->format->strings(trace->self, event, strings);
	}
	printing->line.stack = event->stack;
	if (is_text)
		gti_text_dump_event(&printing->line, &shown);
	else
		gti_write_line(&printing->line, gti_event_fields, &shown);
	/* A failed write is reported at the end. */
	return !run->failed && printing->line.writer->failure == 0;
}

static const struct sinks sinks = {.event = print_event};

/* Nothing is written if the trace has a fault: that is found before. */
enum gtrace_status gti_print_dump(struct gtrace *trace,
				  const struct gtrace_request *request,
				  struct writer *writer,
				  struct gtrace_error *error)
{
	struct printing printing = {
		.line =
			{
				.writer = writer,
				.format = request->format,
				.trace = request->name,
				.in_ticks = gtrace_in_ticks(trace) != 0,
				.has_threads = trace->format->has_threads,
				.stacks = &printing.stacks,
			},
		.stacks =
			{
				.bytes.memory = &trace->memory,
				.frames_of = frames_of,
				.context = trace,
				.budget = trace->facts.text_budget,
			},
	};
	const struct wanted wanted = {
		.request.filter = request->filter,
		.sinks = &sinks,
		.links = true,
		.context = &printing,
	};
	enum gtrace_status status;

	if (request->format == GTRACE_FORMAT_TEXT)
		write_text(writer, "dump\n");
	else
		gti_write_line_head(&printing.line, gti_event_fields);
	status = gti_run(trace, &wanted, error);
	gti_stack_texts_free(&printing.stacks);
	return status;
}
