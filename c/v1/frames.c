/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames.c - the frames of stacks. Traces of Go 1.5 and 1.6 have only program
 * counters; functions and lines come from the program that was traced.
 */
#include "base/fail.h"
#include "v1/lookup.h"
#include "v1/trace.h"

static enum gtrace_status want_stack(struct v1_trace *trace, uint64_t id,
				     struct gtrace_frame *frames,
				     struct gtrace_error *error)
{
	size_t count = gti_lookup_frames(&trace->index, id, frames);
	size_t i;

	for (i = 0; i < count; i++)
		if (!gti_symbols_want(&trace->symbols, frames[i].pc,
				      &trace->memory))
			return gti_fail_memory(error);
	return GTRACE_OK;
}

/* Collects the program counters of all stacks and of goroutines' starts. */
static enum gtrace_status want_symbols(struct v1_trace *trace,
				       struct gtrace_frame *frames,
				       struct gtrace_error *error)
{
	unsigned flags = trace->left_out != NULL ? MERGE_STOP_AT_FAULT : 0;
	enum gtrace_status status;
	struct event_source source;
	struct event *event;

	status = gti_source_init(&source, &trace->index, flags, NULL, NULL,
				 error);
	if (status != GTRACE_OK)
		return status;
	for (;;) {
		status = gti_source_next(&source, &event, error);
		/* A fault was reported, or left out, by an earlier pass. */
		if (status == GTRACE_ERROR_ORDER)
			status = GTRACE_OK;
		if (status != GTRACE_OK || event == NULL)
			break;
		status = want_stack(trace, event->stack, frames, error);
		if (status == GTRACE_OK && event->type == EV_GO_CREATE)
			status = want_stack(trace, stack_of_pc(event->args[1]),
					    frames, error);
		if (status != GTRACE_OK)
			break;
	}
	gti_source_free(&source);
	return status;
}

enum gtrace_status gti_v1_prepare(void *self, struct gtrace_error *error)
{
	struct v1_trace *trace = self;
	size_t size = FRAMES_MAX * sizeof(struct gtrace_frame);
	struct gtrace_frame *frames;
	enum gtrace_status status;

	if (!v1_is_1_5(trace) || trace->symbols_known)
		return GTRACE_OK;
	if (trace->binary == NULL || trace->binary[0] == '\0')
		return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
				"for traces produced by go 1.6 or below, "
				"the binary argument must be provided");
	frames = gti_allocate(&trace->memory, size);
	if (frames == NULL)
		return gti_fail_memory(error);
	status = want_symbols(trace, frames, error);
	gti_release(&trace->memory, frames, size);
	if (status == GTRACE_OK)
		status = gti_symbols_resolve(&trace->symbols, trace->go_command,
					     trace->binary, &trace->memory,
					     error);
	trace->symbols_known = status == GTRACE_OK;
	if (status != GTRACE_OK)
		gti_symbols_free(&trace->symbols, &trace->memory);
	return status;
}

static void name_frame(const struct v1_trace *trace, struct gtrace_frame *frame)
{
	const struct symbol *symbol =
		gti_symbols_get(&trace->symbols, frame->pc);

	if (symbol == NULL)
		return;
	frame->function = symbol->function;
	frame->file = symbol->file;
	frame->line = symbol->line;
}

size_t gti_v1_frames(void *self, uint64_t stack, struct gtrace_frame *frames)
{
	const struct v1_trace *trace = self;
	size_t count = gti_lookup_frames(&trace->index, stack, frames), i;

	for (i = 0; v1_is_1_5(trace) && i < count; i++)
		name_frame(trace, &frames[i]);
	return count;
}
