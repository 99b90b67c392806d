/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - every event as text. */
#include "base/fail.h"
#include "base/guard.h"
#include "base/output.h"
#include "front.h"
#include "report/text.h"
#include "v1/lookup.h"

/*
 * Texts of stacks may take a constant and this many bytes a byte of input, not
 * counting what streams already take memory for.
 */
#define STACK_TEXT_BASE        ((size_t)1 << 20)
#define STACK_TEXT_PER_BYTE    8
#define STREAM_TAKES_FOR_BYTES 16

static bool dump_event(struct gtrace *trace, const struct plan *plan,
		       struct writer *writer, struct stack_texts *texts,
		       const struct event *event)
{
	const struct index *index = &trace->index;
	struct gtrace_string strings[GTRACE_STRINGS_MAX];
	struct gtrace_frame frame;
	struct dump_event dumped = {
		.event = event,
		.name = gti_event_name(event->type, index->rules.version),
		.ns = clock_ns(&plan->clock, event->ticks),
		.stack_id = event->stack,
		.link = event->ordinal <= index->events
				? plan->links[event->ordinal]
				: 0,
		.strings = strings,
	};

	if (index->rules.by_type[event->type].text != TEXT_NONE)
		dumped.string_count = gti_lookup_strings(index, event, strings);
	if (gti_frames_is_pc(trace, event->type)) {
		dumped.stack_id = 0;
		if (event->stack != 0) {
			frame = gti_frames_of_pc(trace, event->stack);
			dumped.frame = &frame;
		}
	}
	return gti_text_dump_event(writer, texts, &dumped);
}

static enum gtrace_status
dump_events(struct gtrace *trace, const struct plan *plan,
	    struct source *source, struct states *states, struct writer *writer,
	    struct stack_texts *texts, struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	states->clock = plan->clock;
	gti_text_dump_head(writer);
	for (;;) {
		status = source_next(source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			return status;
		/* The states completes the event. */
		if (!gti_states_step(states, event))
			return gti_plan_fault(trace, states, error);
		if (!dump_event(trace, plan, writer, texts, event))
			return gti_fail_memory(error);
		if (writer->failure != 0)
			return GTRACE_OK; /* it is reported at the end */
	}
}

static size_t stack_text_budget(const struct index *index)
{
	size_t taken = index->streams.count * STREAM_TAKES_FOR_BYTES;
	size_t size = index->size > taken ? index->size - taken : 0;

	return STACK_TEXT_BASE + size * STACK_TEXT_PER_BYTE;
}

/* Goes through the trace once more, in final order, and prints. */
static enum gtrace_status print_dump(struct gtrace *trace,
				     const struct plan *plan,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	struct plan again = {.careful = plan->careful};
	struct stack_texts texts = {
		.memory = &trace->memory,
		.frames_of = gti_frames_of,
		.context = trace,
		.budget = stack_text_budget(&trace->index),
	};
	enum gtrace_status status;
	struct states states;
	struct source source;

	status = gti_source_init(&source, &trace->index,
				 plan->careful ? 0 : MERGE_FORGET, &plan->exits,
				 plan->dropped, error);
	if (status != GTRACE_OK)
		return status;
	texts.frames = gti_allocate(&trace->memory,
				    FRAMES_MAX * sizeof(*texts.frames));
	status = GTRACE_ERROR_MEMORY;
	if (texts.frames != NULL && gti_plan_machine(trace, &again, &states)) {
		status = dump_events(trace, plan, &source, &states, writer,
				     &texts, error);
		gti_states_free(&states);
	} else {
		gti_fail_memory(error);
	}
	gti_stack_texts_free(&texts);
	gti_release(&trace->memory, texts.frames,
		    FRAMES_MAX * sizeof(*texts.frames));
	gti_source_free(&source);
	return status;
}

static enum gtrace_status make_dump(struct gtrace *trace, struct plan *plan,
				    const struct gtrace_output *output,
				    struct gtrace_error *error)
{
	enum gtrace_status status = gti_plan_follow(trace, plan, error);
	enum gtrace_status written;
	struct writer writer;

	if (status == GTRACE_OK)
		status = gti_frames_prepare(trace, error);
	if (status == GTRACE_OK)
		status =
			gti_writer_init(&writer, output, &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	status = print_dump(trace, plan, &writer, error);
	written =
		gti_writer_finish(&writer, status == GTRACE_OK ? error : NULL);
	return status == GTRACE_OK ? written : status;
}

enum gtrace_status gtrace_print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	size_t links = trace_link_count(trace);
	struct plan plan = {0};
	enum gtrace_status status;
	struct guard guard;

	plan.links =
		gti_allocate_zeroed(&trace->memory, links, sizeof(*plan.links));
	if (plan.links == NULL)
		return gti_fail_memory(error);
	gti_guard_enter(&guard, &trace->input);
	status = make_dump(trace, &plan, output, error);
	status = gti_guard_leave(&guard, status, error);
	gti_release(&trace->memory, plan.links, links * sizeof(*plan.links));
	gti_plan_free(trace, &plan);
	return status;
}
