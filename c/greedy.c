/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy.c - the report of the longest slices, as data and as text. */
#include <string.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/output.h"
#include "front.h"
#include "report/text.h"
#include "v1/lookup.h"

struct report {
	struct gtrace_greedy_report public; /* first: it is the handle */
	struct gtrace *trace;
	struct arena arena;
	struct dictionary known;     /* stack id to struct frames */
	struct gtrace_frame *frames; /* room to read a stack */
	struct gtrace_slice *next;   /* filled from the last to the first */
	struct clock clock;
	bool failed; /* there was no memory */
};

/* The frames of a stack, which all events that have it share. */
struct frames {
	const struct gtrace_frame *frames;
	size_t count;
};

static const struct frames *share_frames(struct report *report, uint64_t id)
{
	uint64_t known = dictionary_get(&report->known, id);
	struct frames *shared;
	struct gtrace_frame *copy;

	if (known != 0)
		return (const struct frames *)(uintptr_t)known;
	shared = gti_arena_allocate(&report->arena, sizeof(*shared));
	if (shared == NULL)
		return NULL;
	shared->count = gti_frames_of(report->trace, id, report->frames);
	copy = gti_arena_allocate(&report->arena,
				  shared->count * sizeof(*copy));
	if (copy == NULL ||
	    !gti_dictionary_set(&report->known, id, (uint64_t)(uintptr_t)shared,
				&report->trace->memory))
		return NULL;
	memcpy(copy, report->frames, shared->count * sizeof(*copy));
	shared->frames = copy;
	return shared;
}

/* Gives EVENT the frames of an event of TYPE with STACK. */
static bool set_frames(struct report *report, struct gtrace_event *event,
		       unsigned type, uint64_t stack)
{
	const struct frames *shared;
	struct gtrace_frame *frame;

	if (stack == 0)
		return true;
	if (gti_frames_is_pc(report->trace, type)) {
		frame = gti_arena_allocate(&report->arena, sizeof(*frame));
		if (frame == NULL)
			return false;
		*frame = gti_frames_of_pc(report->trace, stack);
		event->frames = frame;
		event->frame_count = 1;
		return true;
	}
	shared = share_frames(report, stack);
	if (shared == NULL)
		return false;
	event->frames = shared->frames;
	event->frame_count = shared->count;
	return true;
}

static bool set_walk(struct report *report, struct gtrace_event *event,
		     struct origin origin)
{
	unsigned version = report->trace->index.rules.version;
	unsigned count = origin_count(origin), i;

	if (count == 0)
		return true;
	for (i = 0; i < count; i++)
		event->walk[i] =
			gti_event_name(origin_type(origin, i), version);
	event->walk_count = count;
	return set_frames(report, event, origin_type(origin, 0), origin.stack);
}

static bool set_event(struct report *report, struct gtrace_event *to,
		      const struct event_ref *from)
{
	const struct index *index = &report->trace->index;
	struct event event = {.offset = from->offset, .type = from->type};

	gti_lookup_args(index, &event);
	to->offset = from->offset;
	to->type = from->type;
	to->name = gti_event_name(from->type, index->rules.version);
	to->ts = clock_ns(&report->clock, from->ticks);
	to->p = from->p;
	to->stack_id =
		gti_frames_is_pc(report->trace, from->type) ? 0 : from->stack;
	memcpy(to->args, event.args, sizeof(to->args));
	to->string_count = gti_lookup_strings(index, &event, to->strings);
	return set_frames(report, to, from->type, from->stack) &&
	       (to->frame_count != 0 || set_walk(report, to, from->origin));
}

static void take_slice(void *context, const struct slice *slice)
{
	struct report *report = context;
	struct gtrace_slice *to = --report->next;

	to->duration = slice->length;
	to->still_running = slice->running;
	if (!set_event(report, &to->start, &slice->start))
		report->failed = true;
	/* Whose slice it is stands in the record of its start. */
	to->start.g = to->start.args[0];
	if (slice->running)
		return;
	if (!set_event(report, &to->end, &slice->end))
		report->failed = true;
	to->end.g = to->start.g;
}

static void free_report(struct report *report)
{
	struct gtrace_allocator memory = report->trace->memory;

	gti_release(&memory, report->frames,
		    FRAMES_MAX * sizeof(*report->frames));
	gti_dictionary_free(&report->known, &memory);
	gti_arena_free(&report->arena);
	gti_release(&memory, report, sizeof(*report));
}

static enum gtrace_status make_report(struct gtrace *trace,
				      struct slices *slices,
				      const struct clock *clock,
				      struct gtrace_greedy_report **out,
				      struct gtrace_error *error)
{
	size_t count = slices->heap.count;
	struct report *report =
		gti_allocate_zeroed(&trace->memory, 1, sizeof(*report));

	if (report == NULL)
		return gti_fail_memory(error);
	report->trace = trace;
	report->arena.memory = &trace->memory;
	report->clock = *clock;
	report->frames = gti_allocate(&trace->memory,
				      FRAMES_MAX * sizeof(*report->frames));
	report->next = gti_arena_allocate(&report->arena,
					  count * sizeof(*report->next));
	if (report->frames == NULL || report->next == NULL) {
		free_report(report);
		return gti_fail_memory(error);
	}
	report->public.slices = report->next;
	report->public.count = count;
	report->next += count;
	gti_slices_drain(slices, take_slice, report);
	if (report->failed) {
		free_report(report);
		return gti_fail_memory(error);
	}
	*out = &report->public;
	return GTRACE_OK;
}

static enum gtrace_status find_greedy(struct gtrace *trace, size_t n,
				      struct gtrace_greedy_report **report,
				      struct gtrace_error *error)
{
	struct slices slices;
	struct plan plan = {.slices = &slices};
	enum gtrace_status status;

	gti_slices_init(&slices, n, (uint32_t)trace->index.streams.count,
			trace_ns_per_tick(trace), &trace->memory);
	status = gti_plan_follow(trace, &plan, error);
	if (status == GTRACE_OK)
		status = gti_frames_prepare(trace, error);
	if (status == GTRACE_OK)
		status =
			make_report(trace, &slices, &plan.clock, report, error);
	gti_slices_free(&slices);
	gti_plan_free(trace, &plan);
	return status;
}

enum gtrace_status gtrace_greedy(struct gtrace *trace, size_t n,
				 struct gtrace_greedy_report **report,
				 struct gtrace_error *error)
{
	enum gtrace_status status;
	struct guard guard;

	*report = NULL;
	if (n == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a report of no slices");
	gti_guard_enter(&guard, &trace->input);
	status = find_greedy(trace, n, report, error);
	status = gti_guard_leave(&guard, status, error);
	if (status != GTRACE_OK && *report != NULL) {
		gtrace_greedy_free(trace, *report);
		*report = NULL;
	}
	return status;
}

void gtrace_greedy_free(struct gtrace *trace,
			struct gtrace_greedy_report *report)
{
	(void)trace;
	if (report != NULL)
		free_report((struct report *)report);
}

static enum gtrace_status
print_greedy(struct gtrace *trace, const struct gtrace_greedy_report *report,
	     const struct gtrace_output *output, struct gtrace_error *error)
{
	enum gtrace_status status;
	struct writer writer;

	status = gti_writer_init(&writer, output, &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	gti_text_greedy(&writer, report);
	return gti_writer_finish(&writer, error);
}

enum gtrace_status gtrace_print_greedy(struct gtrace *trace, size_t n,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct gtrace_greedy_report *report;
	enum gtrace_status status = gtrace_greedy(trace, n, &report, error);
	struct guard guard;

	if (status != GTRACE_OK)
		return status;
	gti_guard_enter(&guard, &trace->input);
	status = print_greedy(trace, report, output, error);
	status = gti_guard_leave(&guard, status, error);
	gtrace_greedy_free(trace, report);
	return status;
}
