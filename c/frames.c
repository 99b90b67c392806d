/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.c - the frames of stacks, by name also in traces without names. */
#include "base/fail.h"
#include "front.h"
#include "v1/lookup.h"

static enum gtrace_status want_stack(struct gtrace *trace, uint64_t id,
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

/* Wants the program counters of all stacks, and of goroutines' starts. */
static enum gtrace_status want_symbols(struct gtrace *trace,
				       struct gtrace_frame *frames,
				       struct gtrace_error *error)
{
	enum gtrace_status status;
	struct source source;
	struct event *event;

	status = gti_source_init(&source, &trace->index, 0, NULL, NULL, error);
	if (status != GTRACE_OK)
		return status;
	for (;;) {
		status = source_next(&source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			break;
		status = want_stack(trace, event->stack, frames, error);
		if (status == GTRACE_OK && event->type == EV_GO_CREATE &&
		    !gti_symbols_want(&trace->symbols, event->args[1] + 1,
				      &trace->memory))
			status = gti_fail_memory(error);
		if (status != GTRACE_OK)
			break;
	}
	gti_source_free(&source);
	return status;
}

/* Traces before Go 1.7 need their binary. Comes after all other checks. */
enum gtrace_status gti_frames_prepare(struct gtrace *trace,
				      struct gtrace_error *error)
{
	size_t room = FRAMES_MAX * sizeof(struct gtrace_frame);
	struct gtrace_frame *frames;
	enum gtrace_status status;

	if (!trace_is_old(trace) || trace->symbols_known)
		return GTRACE_OK;
	if (trace->binary == NULL || trace->binary[0] == '\0')
		return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
				"for traces produced by go 1.6 or below, "
				"the binary argument must be provided");
	frames = gti_allocate(&trace->memory, room);
	if (frames == NULL)
		return gti_fail_memory(error);
	status = want_symbols(trace, frames, error);
	gti_release(&trace->memory, frames, room);
	if (status == GTRACE_OK)
		status = gti_symbols_resolve(&trace->symbols, trace->go_command,
					     trace->binary, &trace->memory,
					     error);
	trace->symbols_known = status == GTRACE_OK;
	if (status != GTRACE_OK)
		gti_symbols_free(&trace->symbols, &trace->memory);
	return status;
}

static void name_frame(const struct gtrace *trace, struct gtrace_frame *frame)
{
	const struct symbol *symbol =
		gti_symbols_get(&trace->symbols, frame->pc);

	if (symbol == NULL)
		return;
	frame->function = symbol->function;
	frame->file = symbol->file;
	frame->line = symbol->line;
}

size_t gti_frames_of(void *context, uint64_t id, struct gtrace_frame *frames)
{
	const struct gtrace *trace = context;
	size_t count = gti_lookup_frames(&trace->index, id, frames);
	size_t i;

	for (i = 0; trace_is_old(trace) && i < count; i++)
		name_frame(trace, &frames[i]);
	return count;
}

/*
 * In old traces what a start has for a stack is the program counter where its
 * goroutine begins.
 */
bool gti_frames_is_pc(const struct gtrace *trace, unsigned type)
{
	return trace_is_old(trace) && type == EV_GO_START;
}

struct gtrace_frame gti_frames_of_pc(const struct gtrace *trace, uint64_t pc)
{
	struct gtrace_frame frame = {
		.pc = pc, .function = {"", 0}, .file = {"", 0}};

	name_frame(trace, &frame);
	return frame;
}
