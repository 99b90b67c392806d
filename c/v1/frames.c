/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames.c - the frames of stacks. Traces of Go 1.5 and 1.6 have only program
 * counters; functions and lines come from the program that was traced.
 */
#include "base/fail.h"
#include "v1/lookup.h"
#include "v1/trace.h"

/* Collects the program counters of stacks. */
struct wanted_pcs {
	struct v1_trace *trace;
	struct gtrace_frame *frames; /* FRAMES_MAX */
	bool failed;                 /* there is no memory */
};

static bool want_stack(struct wanted_pcs *wanted, uint64_t id)
{
	struct v1_trace *trace = wanted->trace;
	size_t count = gti_lookup_frames(&trace->index, id, wanted->frames);
	size_t i;

	for (i = 0; i < count && !wanted->failed; i++)
		wanted->failed = !gti_symbols_want(
			&trace->symbols, wanted->frames[i].pc, &trace->memory);
	return !wanted->failed;
}

static bool want_event(void *context, struct event *event)
{
	return want_stack(context, event->stack) &&
	       (event->type != EV_GO_CREATE ||
		want_stack(context, stack_of_pc(event->args[1])));
}

/* Collects those of all stacks and of goroutines' starts. */
static enum gtrace_status want_symbols(struct v1_trace *trace,
				       struct gtrace_frame *frames,
				       struct gtrace_error *error)
{
	unsigned flags = trace->left_out != NULL ? MERGE_STOP_AT_FAULT : 0;
	struct wanted_pcs wanted = {.trace = trace, .frames = frames};
	enum gtrace_status status;
	struct event_source source;

	status = gti_source_init(&source, &trace->index, flags, NULL, NULL,
				 error);
	if (status != GTRACE_OK)
		return status;
	status = gti_source_run(&source, want_event, &wanted, error);
	gti_source_free(&source);
	/* A fault was reported, or left out, by an earlier pass. */
	if (status == GTRACE_ERROR_ORDER)
		status = GTRACE_OK;
	return wanted.failed ? gti_fail_memory(error) : status;
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
