/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - every event as text, JSON or CSV. */
#include "base/fail.h"
#include "base/guard.h"
#include "base/output.h"
#include "front.h"
#include "report/events.h"
#include "report/text.h"

/* How the dump is written in a format. */
struct style {
	void (*head)(struct dump_text *dump);
	bool (*event)(struct dump_text *dump, const struct gtrace_event *event,
		      uint64_t stack);
	void (*stack)(struct writer *writer, const struct gtrace_frame *frames,
		      size_t count);
};

static const struct style styles[] = {
	[GTRACE_FORMAT_TEXT] = {gti_text_dump_head, gti_text_dump_event,
				gti_text_dump_stack},
	[GTRACE_FORMAT_JSON] = {gti_json_dump_head, gti_json_dump_event,
				gti_json_dump_stack},
	[GTRACE_FORMAT_CSV] = {gti_csv_dump_head, gti_csv_dump_event,
			       gti_csv_dump_stack},
};

/* The pass that prints. */
struct printing {
	struct gtrace *trace;
	const struct style *style;
	struct filter *filter; /* NULL: none */
	bool all_args;         /* those that an event lacks are shown as 0 */
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
	int64_t ts = clock_ns(&printing->observer.clock, event->ticks);
	uint64_t stack = event->stack;

	if (UNLIKELY(printing->filter != NULL) &&
	    !gti_filter_event(printing->filter, event, ts))
		return !printing->filter->failed;
	shown->number = event->ordinal;
	shown->link = gti_link_of(printing->links, event);
	shown->offset = event->offset;
	shown->type = kind->number;
	shown->name = kind->name;
	shown->ts = ts;
	shown->m = event->m;
	shown->p = event->p;
	shown->g = (int64_t)event->g;
	shown->stack_id = gti_stack_id(trace, kind, stack);
	shown->args = event->args;
	shown->arg_count = printing->all_args ? EVENT_ARGS : kind->args;
	shown->string_count = 0;
	shown->frame_count = 0;
	if (kind->strings != 0)
		shown->string_count = trace->format->strings(trace->self, event,
							     printing->strings);
	if (UNLIKELY(kind->stack_mask == 0)) {
		/* Without an id, the text of a stack cannot be kept. */
		shown->frames = printing->text.stacks.frames;
		shown->frame_count =
			trace->format->frames(trace->self, event->type, stack,
					      printing->text.stacks.frames);
		stack = 0;
	}
	printing->failed =
		!printing->style->event(&printing->text, shown, stack);
	/* A failed write is reported at the end. */
	return !printing->failed && printing->text.writer->failure == 0;
}

/* No texts of stacks yet, for events of TRACE that are written in FORMAT. */
static struct stack_texts stacks_of(struct gtrace *trace, int format)
{
	bool old = format == GTRACE_FORMAT_TEXT && !trace->format->has_threads;

	return (struct stack_texts){
		.memory = &trace->memory,
		.frames_of = frames_of,
		.write = old ? gti_text_dump_old_stack : styles[format].stack,
		.context = trace,
		.budget = trace->format->text_budget(trace->self),
	};
}

static enum gtrace_status
print_events(struct gtrace *trace, const struct gtrace_request *request,
	     struct filter *filter, const struct observer *links,
	     struct writer *writer, struct gtrace_error *error)
{
	const struct format *format = trace->format;
	struct printing printing = {
		.trace = trace,
		.style = &styles[request->format],
		.filter = filter,
		.all_args = request->format == GTRACE_FORMAT_TEXT,
		.links = links,
		.observer.memory = &trace->memory,
		.text =
			{
				.writer = writer,
				.threads = format->has_threads,
				.in_ticks = gtrace_in_ticks(trace) != 0,
				.trace = request->name,
				.stacks = stacks_of(trace, request->format),
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

	printing.shown.strings = printing.strings;
	stacks->frames = gti_allocate_zeroed(&trace->memory, format->frames_max,
					     sizeof(*stacks->frames));
	if (stacks->frames == NULL)
		return gti_fail_memory(error);
	printing.style->head(&printing.text);
	status = format->follow(trace->self, &pass, error);
	if (status == GTRACE_OK &&
	    (printing.failed || (filter != NULL && filter->failed)))
		status = gti_fail_memory(error);
	gti_stack_texts_free(stacks);
	gti_release(&trace->memory, stacks->frames,
		    format->frames_max * sizeof(*stacks->frames));
	return status;
}

static enum gtrace_status print_dump(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct filter *filter,
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
		status = print_events(trace, request, filter, &links, &writer,
				      error);
		written = gti_writer_finish(&writer,
					    status == GTRACE_OK ? error : NULL);
		if (status == GTRACE_OK)
			status = written;
	}
	gti_observer_free(&links);
	return status;
}

static enum gtrace_status guarded_dump(struct gtrace *trace,
				       const struct gtrace_request *request,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct filter filter, *used;
	enum gtrace_status status;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	status = gti_open_filter(trace, request->filter, &filter, &used, error);
	if (status == GTRACE_OK) {
		status = print_dump(trace, request, used, output, error);
		gti_filter_free(&filter);
	}
	return gti_guard_leave(&guard, status, error);
}

enum gtrace_status gtrace_print_events(struct gtrace *trace,
				       const struct gtrace_request *given,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct gtrace_request request;
	enum gtrace_status status =
		gti_copy_sized(&request, sizeof(request), given, error);

	if (status == GTRACE_OK)
		status = gti_check_format(request.format, error);
	if (status != GTRACE_OK)
		return status;
	return guarded_dump(trace, &request, output, error);
}

enum gtrace_status gtrace_print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	const struct gtrace_request request = {.size = sizeof(request)};

	return gtrace_print_events(trace, &request, output, error);
}
