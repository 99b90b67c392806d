/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.c - the front of the library: opens traces, connects the stages.
 *
 * The one file that knows all rooms. v1 gives events in order, run follows
 * them, report prints what came of it.
 *
 * There are two ways through a trace. The usual one follows the events as they
 * are merged, in one walk that keeps nothing of them. The careful one first
 * walks to learn which events stand elsewhere in the final order or are left
 * out, and then follows that order. The careful way is gone where the usual
 * one finds something wrong, because what is reported is the first fault in
 * final order, and where it cannot do: with futile wakeups, and where an exit
 * from a system call crossed other events of its goroutine.
 */
#include <gtrace/gtrace.h>

#include <string.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/input.h"
#include "report/fault.h"
#include "report/text.h"
#include "run/machine.h"
#include "symbols.h"
#include "v1/lookup.h"
#include "v1/record.h"
#include "v1/source.h"

struct gtrace {
	struct gtrace_allocator memory;
	struct input input;
	struct index index;
	char *binary;
	char *go_command;
	bool careful;
	bool partial;
	struct symbols symbols;
	bool symbols_known;
	/* Why not all was read. GTRACE_OK: all was. */
	struct gtrace_error reason;
};

/* What is learnt on the way through a trace, and needed to go it again. */
struct plan {
	struct slices *slices; /* NULL: not wanted */
	uint64_t *links;       /* likewise */
	struct clock clock;
	bool careful;
	struct array exits;
	uint64_t *dropped;
};

const char *gtrace_status_string(enum gtrace_status status)
{
	switch (status) {
#define STATUS_CASE(name, number, sentence) \
	case name:                          \
		return sentence;
		GTRACE_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
	}
	return "unknown status";
}

const char *gtrace_version(void)
{
	return GTRACE_VERSION;
}

const unsigned *gtrace_trace_versions(void)
{
	return gtrace_versions;
}

static enum gtrace_status read_part(struct gtrace *trace,
				    struct gtrace_error *error);

/* --------------------------------------------------------------- opening -- */

/* A copy of TEXT, or NULL if TEXT is NULL or there is no memory. */
static char *copy_text(const struct gtrace_allocator *memory, const char *text)
{
	size_t size = text != NULL ? strlen(text) + 1 : 0;
	char *copy = text != NULL ? gtrace_allocate(memory, size) : NULL;

	if (copy != NULL)
		memcpy(copy, text, size);
	return copy;
}

static void free_text(const struct gtrace_allocator *memory, char *text)
{
	gtrace_release(memory, text, text != NULL ? strlen(text) + 1 : 0);
}

static enum gtrace_status new_trace(const struct gtrace_options *options,
				    struct gtrace **trace,
				    struct gtrace_error *error)
{
	static const struct gtrace_options defaults;
	struct gtrace_allocator memory;
	const char *go;
	struct gtrace *new;

	if (options == NULL)
		options = &defaults;
	memory = gtrace_allocator_or_default(options->allocator);
	new = gtrace_allocate_zeroed(&memory, 1, sizeof(*new));
	if (new == NULL)
		return gtrace_fail_memory(error);
	go = options->go_command != NULL ? options->go_command : "go";
	new->memory = memory;
	new->careful = options->careful != 0;
	new->partial = options->partial != 0;
	new->binary = copy_text(&memory, options->binary);
	new->go_command = copy_text(&memory, go);
	if ((options->binary != NULL && new->binary == NULL) ||
	    new->go_command == NULL) {
		gtrace_close(new);
		return gtrace_fail_memory(error);
	}
	*trace = new;
	return GTRACE_OK;
}

static enum gtrace_status read_index(struct gtrace *trace, size_t size,
				     struct gtrace_error *error)
{
	return gtrace_index_init(&trace->index, &trace->input, size,
				 &trace->memory, error);
}

/* The input is there: does the first pass. Frees TRACE if that fails. */
static enum gtrace_status index_trace(struct gtrace *trace,
				      struct gtrace **out,
				      struct gtrace_error *error)
{
	enum gtrace_status status;

	gtrace_guard_enter(&trace->input);
	if (trace->partial)
		status = read_part(trace, error);
	else
		status = read_index(trace, trace->input.size, error);
	status = gtrace_guard_leave(&trace->input, status, error);
	if (status == GTRACE_OK)
		*out = trace;
	else
		gtrace_close(trace);
	return status;
}

enum gtrace_status gtrace_open_path(const char *path,
				    const struct gtrace_options *options,
				    struct gtrace **out,
				    struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	if (path == NULL)
		return gtrace_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				   "no path to open");
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_input_path(&trace->input, path, &trace->memory, error);
	if (status != GTRACE_OK) {
		gtrace_close(trace);
		return status;
	}
	return index_trace(trace, out, error);
}

enum gtrace_status gtrace_open_fd(int fd, const struct gtrace_options *options,
				  struct gtrace **out,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_input_fd(&trace->input, fd,
				 fd == 0 ? "/dev/stdin" : "trace",
				 &trace->memory, error);
	if (status != GTRACE_OK) {
		gtrace_close(trace);
		return status;
	}
	return index_trace(trace, out, error);
}

enum gtrace_status gtrace_open_memory(const void *data, size_t size,
				      const struct gtrace_options *options,
				      struct gtrace **out,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	if (data == NULL && size != 0)
		return gtrace_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				   "no data to open");
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	trace->input.data = data;
	trace->input.size = size;
	return index_trace(trace, out, error);
}

void gtrace_close(struct gtrace *trace)
{
	struct gtrace_allocator memory;

	if (trace == NULL)
		return;
	memory = trace->memory;
	gtrace_symbols_free(&trace->symbols, &memory);
	gtrace_index_free(&trace->index);
	gtrace_input_close(&trace->input);
	free_text(&memory, trace->binary);
	free_text(&memory, trace->go_command);
	gtrace_release(&memory, trace, sizeof(*trace));
}

unsigned gtrace_trace_version(const struct gtrace *trace)
{
	return trace->index.rules.version;
}

static bool is_old(const struct gtrace *trace)
{
	return trace->index.rules.version < VERSION_SEQUENCES;
}

/* --------------------------------------------------------------- walking -- */

static bool same_text(void *context, uint64_t a, uint64_t b)
{
	const struct gtrace *trace = context;

	return gtrace_lookup_same(&trace->index, a, b);
}

static struct gtrace_string event_name_text(void *context,
					    const struct event *event)
{
	const struct gtrace *trace = context;
	struct gtrace_string strings[GTRACE_STRINGS_MAX] = {{"", 0}};

	gtrace_lookup_strings(&trace->index, event, strings);
	return strings[0];
}

static double ns_per_tick(const struct gtrace *trace)
{
	return 1e9 / (double)trace->index.ticks_per_second;
}

static bool init_machine(struct gtrace *trace, const struct plan *plan,
			 struct machine *machine)
{
	const struct index *index = &trace->index;
	struct machine_options options = {
		.stacks = &index->stacks,
		.same_text = same_text,
		.context = trace,
		.create_gives_pc = is_old(trace),
		.stops_per_processor =
			index->rules.version < VERSION_STOP_KIND,
		.slots_return = !plan->careful,
		.processors = (uint32_t)index->streams.count,
		.netpoll_slot =
			gtrace_index_stream_of(index, PROCESSOR_NETPOLL),
		.collector_slot =
			gtrace_index_stream_of(index, PROCESSOR_COLLECTOR),
		.slices = plan->slices,
		.links = plan->links,
	};

	if (!gtrace_machine_init(machine, &options, &trace->memory))
		return false;
	machine->clock.ns_per_tick = ns_per_tick(trace);
	return true;
}

static enum gtrace_status fail_fault(struct gtrace *trace,
				     const struct machine *machine,
				     struct gtrace_error *error)
{
	struct fault_context context = {
		.version = trace->index.rules.version,
		.clock = machine->clock,
		.name = event_name_text,
		.context = trace,
	};

	return gtrace_fault_message(&machine->fault, &context, error);
}

/* Lets MACHINE follow SOURCE to its end, or to the first fault. */
static enum gtrace_status follow(struct gtrace *trace, struct source *source,
				 struct machine *machine,
				 struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;
	bool stopped = false;

	status = source_next(source, &event, error);
	if (status != GTRACE_OK)
		return status;
	machine->clock.first_ticks = source_first_ticks(source);
	if (event != NULL && !gtrace_machine_step(machine, event))
		return fail_fault(trace, machine, error);
	if (event != NULL)
		status = gtrace_source_run(source, gtrace_machine_step, machine,
					   &stopped, error);
	if (stopped)
		return fail_fault(trace, machine, error);
	if (status == GTRACE_OK && !gtrace_machine_finish(machine))
		return gtrace_fail_memory(error);
	return status;
}

/*
 * One walk with a machine, as PLAN has it. Sets *CROSSED to whether the order
 * of the merge turned out not to do.
 */
static enum gtrace_status walk(struct gtrace *trace, struct plan *plan,
			       bool *crossed, struct gtrace_error *error)
{
	unsigned flags = plan->careful ? 0 : MERGE_FORGET;
	enum gtrace_status status;
	struct machine machine;
	struct source source;

	*crossed = false;
	if (!plan->careful && plan->links != NULL)
		flags |= MERGE_KEEP_EXITS;
	status = gtrace_source_init(&source, &trace->index, flags,
				    plan->careful ? &plan->exits : NULL,
				    plan->dropped, error);
	if (status != GTRACE_OK)
		return status;
	if (init_machine(trace, plan, &machine)) {
		status = follow(trace, &source, &machine, error);
		plan->clock = machine.clock;
		gtrace_machine_free(&machine);
	} else {
		status = gtrace_fail_memory(error);
	}
	*crossed = source_is_crossed(&source);
	if (!plan->careful && status == GTRACE_OK && !*crossed)
		plan->exits = gtrace_source_take_exits(&source);
	gtrace_source_free(&source);
	return status;
}

/* Learns what stands elsewhere, or is left out, in the final order. */
static enum gtrace_status prepare(struct gtrace *trace, struct plan *plan,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	struct source source;
	struct event *event;

	status = gtrace_source_init(&source, &trace->index, MERGE_KEEP_EXITS,
				    NULL, NULL, error);
	if (status != GTRACE_OK)
		return status;
	do
		status = source_next(&source, &event, error);
	while (status == GTRACE_OK && event != NULL);
	if (status == GTRACE_OK)
		plan->exits = gtrace_source_take_exits(&source);
	gtrace_source_free(&source);
	if (status != GTRACE_OK || !trace->index.futile)
		return status;
	status = gtrace_source_init(&source, &trace->index, 0, &plan->exits,
				    NULL, error);
	if (status != GTRACE_OK)
		return status;
	status = gtrace_futile_find(&source, &plan->dropped, error);
	gtrace_source_free(&source);
	return status;
}

static void free_plan(struct gtrace *trace, struct plan *plan)
{
	gtrace_array_free(&plan->exits, sizeof(struct moved_exit),
			  &trace->memory);
	gtrace_release(&trace->memory, plan->dropped,
		       dropped_size(&trace->index));
	plan->dropped = NULL;
}

static size_t links_size(const struct gtrace *trace)
{
	return ((size_t)trace->index.events + 1) * sizeof(uint64_t);
}

/* Throws away what a walk that failed has found. */
static void forget_findings(struct gtrace *trace, struct plan *plan)
{
	if (plan->slices != NULL) {
		struct slices found = *plan->slices;

		gtrace_slices_free(&found);
		gtrace_slices_init(plan->slices, found.wanted,
				   found.ns_per_tick, &trace->memory);
	}
	if (plan->links != NULL)
		memset(plan->links, 0, links_size(trace));
}

/*
 * Whether the verdict of the usual way stands: all is well, or it was not
 * about the order that events have in the end.
 */
static bool is_final(enum gtrace_status status, bool crossed)
{
	return status == GTRACE_OK ? !crossed : status != GTRACE_ERROR_STATE;
}

/* Finds slices and links, as PLAN wants, the usual or the careful way. */
static enum gtrace_status analyse(struct gtrace *trace, struct plan *plan,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	bool crossed;

	plan->careful = trace->careful || trace->index.futile;
	if (!plan->careful) {
		status = walk(trace, plan, &crossed, error);
		if (is_final(status, crossed))
			return status;
		forget_findings(trace, plan);
		plan->careful = true;
	}
	status = prepare(trace, plan, error);
	return status == GTRACE_OK ? walk(trace, plan, &crossed, error)
				   : status;
}

/* --------------------------------------------------------------- partial -- */

/* So many cuts are tried: each costs a walk. */
#define CUTS_MAX 64

/* Whether a shorter part of the trace may do where this fault was found. */
static bool can_cut(enum gtrace_status status)
{
	return status == GTRACE_ERROR_RECORD || status == GTRACE_ERROR_ARGS ||
	       status == GTRACE_ERROR_ORDER || status == GTRACE_ERROR_STATE;
}

/* Reads the first SIZE bytes, and checks all that a report would. */
static enum gtrace_status try_size(struct gtrace *trace, size_t size,
				   size_t *cut, struct gtrace_error *error)
{
	struct plan plan = {0};
	enum gtrace_status status = read_index(trace, size, error);

	if (status != GTRACE_OK) {
		*cut = trace->index.good_size;
		return status;
	}
	status = analyse(trace, &plan, error);
	free_plan(trace, &plan);
	*cut = (size_t)error->offset;
	if (status != GTRACE_OK)
		gtrace_index_free(&trace->index);
	return status;
}

/*
 * Reads the longest part of the trace, from its start, that is consistent.
 * What cannot have its turn cannot have it in a shorter part either, so a part
 * that does not do is cut off before the event that was at fault.
 */
static enum gtrace_status read_part(struct gtrace *trace,
				    struct gtrace_error *error)
{
	size_t size = trace->input.size, cut = size;
	struct gtrace_error fault = {.status = GTRACE_OK};
	unsigned cuts;

	for (cuts = 0; cuts < CUTS_MAX; cuts++) {
		enum gtrace_status status =
			try_size(trace, size, &cut, &fault);

		if (status == GTRACE_OK)
			return GTRACE_OK;
		if (trace->reason.status == GTRACE_OK)
			trace->reason = fault;
		if (!can_cut(status) || cut >= size)
			break;
		size = cut;
	}
	/* What was wrong with the whole of it says most. */
	if (error != NULL)
		*error = trace->reason;
	return trace->reason.status;
}

int gtrace_left_out(const struct gtrace *trace, uint64_t *offset,
		    uint64_t *size, const struct gtrace_error **reason)
{
	if (trace->index.size == trace->input.size)
		return 0;
	if (offset != NULL)
		*offset = trace->index.size;
	if (size != NULL)
		*size = trace->input.size - trace->index.size;
	if (reason != NULL)
		*reason = &trace->reason;
	return 1;
}

/* --------------------------------------------------------------- symbols -- */

static enum gtrace_status want_stack(struct gtrace *trace, uint64_t id,
				     struct gtrace_frame *frames,
				     struct gtrace_error *error)
{
	size_t count = gtrace_lookup_frames(&trace->index, id, frames);
	size_t i;

	for (i = 0; i < count; i++)
		if (!gtrace_symbols_want(&trace->symbols, frames[i].pc,
					 &trace->memory))
			return gtrace_fail_memory(error);
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

	status = gtrace_source_init(&source, &trace->index, 0, NULL, NULL,
				    error);
	if (status != GTRACE_OK)
		return status;
	for (;;) {
		status = source_next(&source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			break;
		status = want_stack(trace, event->stack, frames, error);
		if (status == GTRACE_OK && event->type == EV_GO_CREATE &&
		    !gtrace_symbols_want(&trace->symbols, event->args[1] + 1,
					 &trace->memory))
			status = gtrace_fail_memory(error);
		if (status != GTRACE_OK)
			break;
	}
	gtrace_source_free(&source);
	return status;
}

/* Traces before Go 1.7 need their binary. Comes after all other checks. */
static enum gtrace_status know_symbols(struct gtrace *trace,
				       struct gtrace_error *error)
{
	size_t room = FRAMES_MAX * sizeof(struct gtrace_frame);
	struct gtrace_frame *frames;
	enum gtrace_status status;

	if (!is_old(trace) || trace->symbols_known)
		return GTRACE_OK;
	if (trace->binary == NULL || trace->binary[0] == '\0')
		return gtrace_fail(error, GTRACE_ERROR_SYMBOLS, 0,
				   "for traces produced by go 1.6 or below, "
				   "the binary argument must be provided");
	frames = gtrace_allocate(&trace->memory, room);
	if (frames == NULL)
		return gtrace_fail_memory(error);
	status = want_symbols(trace, frames, error);
	gtrace_release(&trace->memory, frames, room);
	if (status == GTRACE_OK)
		status = gtrace_symbols_resolve(
			&trace->symbols, trace->go_command, trace->binary,
			&trace->memory, error);
	trace->symbols_known = status == GTRACE_OK;
	if (status != GTRACE_OK)
		gtrace_symbols_free(&trace->symbols, &trace->memory);
	return status;
}

static void name_frame(const struct gtrace *trace, struct gtrace_frame *frame)
{
	const struct symbol *symbol =
		gtrace_symbols_get(&trace->symbols, frame->pc);

	if (symbol == NULL)
		return;
	frame->function = symbol->function;
	frame->file = symbol->file;
	frame->line = symbol->line;
}

static size_t frames_of(void *context, uint64_t id, struct gtrace_frame *frames)
{
	const struct gtrace *trace = context;
	size_t count = gtrace_lookup_frames(&trace->index, id, frames);
	size_t i;

	for (i = 0; is_old(trace) && i < count; i++)
		name_frame(trace, &frames[i]);
	return count;
}

/*
 * In old traces what a start has for a stack is the program counter where its
 * goroutine begins.
 */
static bool is_pc(const struct gtrace *trace, unsigned type)
{
	return is_old(trace) && type == EV_GO_START;
}

static struct gtrace_frame frame_of_pc(const struct gtrace *trace, uint64_t pc)
{
	struct gtrace_frame frame = {
		.pc = pc, .function = {"", 0}, .file = {"", 0}};

	name_frame(trace, &frame);
	return frame;
}

/* ---------------------------------------------------------------- greedy -- */

struct report {
	struct gtrace_greedy_report public; /* first: it is the handle */
	struct gtrace *trace;
	struct arena arena;
	struct dictionary known; /* stack id to struct frames */
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
	shared = gtrace_arena_allocate(&report->arena, sizeof(*shared));
	if (shared == NULL)
		return NULL;
	shared->count = frames_of(report->trace, id, report->frames);
	copy = gtrace_arena_allocate(&report->arena,
				     shared->count * sizeof(*copy));
	if (copy == NULL ||
	    !gtrace_dictionary_set(&report->known, id,
				   (uint64_t)(uintptr_t)shared,
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
	if (is_pc(report->trace, type)) {
		frame = gtrace_arena_allocate(&report->arena, sizeof(*frame));
		if (frame == NULL)
			return false;
		*frame = frame_of_pc(report->trace, stack);
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
		     struct trail trail)
{
	unsigned version = report->trace->index.rules.version;
	unsigned count = trail_count(trail), i;

	if (count == 0)
		return true;
	for (i = 0; i < count; i++)
		event->walk[i] =
			gtrace_event_name(trail_type(trail, i), version);
	event->walk_count = count;
	return set_frames(report, event, trail_type(trail, 0), trail.stack);
}

static bool set_event(struct report *report, struct gtrace_event *to,
		      const struct moment *from)
{
	const struct index *index = &report->trace->index;
	struct event event = {.offset = from->offset, .type = from->type};

	gtrace_lookup_args(index, &event);
	to->offset = from->offset;
	to->type = from->type;
	to->name = gtrace_event_name(from->type, index->rules.version);
	to->ts = clock_ns(&report->clock, from->ticks);
	to->p = from->p;
	to->stack_id = is_pc(report->trace, from->type) ? 0 : from->stack;
	memcpy(to->args, event.args, sizeof(to->args));
	to->string_count = gtrace_lookup_strings(index, &event, to->strings);
	return set_frames(report, to, from->type, from->stack) &&
	       (to->frame_count != 0 || set_walk(report, to, from->trail));
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

	gtrace_release(&memory, report->frames,
		       FRAMES_MAX * sizeof(*report->frames));
	gtrace_dictionary_free(&report->known, &memory);
	gtrace_arena_free(&report->arena);
	gtrace_release(&memory, report, sizeof(*report));
}

static enum gtrace_status make_report(struct gtrace *trace,
				      struct slices *slices,
				      const struct clock *clock,
				      struct gtrace_greedy_report **out,
				      struct gtrace_error *error)
{
	size_t count = slices->heap.count;
	struct report *report =
		gtrace_allocate_zeroed(&trace->memory, 1, sizeof(*report));

	if (report == NULL)
		return gtrace_fail_memory(error);
	report->trace = trace;
	report->arena.memory = &trace->memory;
	report->clock = *clock;
	report->frames = gtrace_allocate(&trace->memory,
					 FRAMES_MAX * sizeof(*report->frames));
	report->next = gtrace_arena_allocate(&report->arena,
					     count * sizeof(*report->next));
	if (report->frames == NULL || report->next == NULL) {
		free_report(report);
		return gtrace_fail_memory(error);
	}
	report->public.slices = report->next;
	report->public.count = count;
	report->next += count;
	gtrace_slices_drain(slices, take_slice, report);
	if (report->failed) {
		free_report(report);
		return gtrace_fail_memory(error);
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

	gtrace_slices_init(&slices, n, ns_per_tick(trace), &trace->memory);
	status = analyse(trace, &plan, error);
	if (status == GTRACE_OK)
		status = know_symbols(trace, error);
	if (status == GTRACE_OK)
		status = make_report(trace, &slices, &plan.clock, report,
				     error);
	gtrace_slices_free(&slices);
	free_plan(trace, &plan);
	return status;
}

enum gtrace_status gtrace_greedy(struct gtrace *trace, size_t n,
				 struct gtrace_greedy_report **report,
				 struct gtrace_error *error)
{
	enum gtrace_status status;

	*report = NULL;
	if (n == 0)
		return gtrace_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				   "a report of no slices");
	gtrace_guard_enter(&trace->input);
	status = find_greedy(trace, n, report, error);
	status = gtrace_guard_leave(&trace->input, status, error);
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

static enum gtrace_status print_greedy(struct gtrace *trace,
				       const struct gtrace_greedy_report *report,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	enum gtrace_status status;
	struct writer writer;

	status = gtrace_writer_init(&writer, output, &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	gtrace_text_greedy(&writer, report);
	return gtrace_writer_finish(&writer, error);
}

enum gtrace_status gtrace_print_greedy(struct gtrace *trace, size_t n,
				       const struct gtrace_output *output,
				       struct gtrace_error *error)
{
	struct gtrace_greedy_report *report;
	enum gtrace_status status = gtrace_greedy(trace, n, &report, error);

	if (status != GTRACE_OK)
		return status;
	gtrace_guard_enter(&trace->input);
	status = print_greedy(trace, report, output, error);
	status = gtrace_guard_leave(&trace->input, status, error);
	gtrace_greedy_free(trace, report);
	return status;
}

/* ------------------------------------------------------------------ dump -- */

/* Texts of stacks may take a constant and this many bytes a byte of input. */
#define STACK_TEXT_BASE	    ((size_t)1 << 20)
#define STACK_TEXT_PER_BYTE 16

static bool dump_event(struct gtrace *trace, const struct plan *plan,
		       struct writer *writer, struct stack_texts *texts,
		       const struct event *event)
{
	const struct index *index = &trace->index;
	struct gtrace_string strings[GTRACE_STRINGS_MAX];
	struct gtrace_frame frame;
	struct dump_event dumped = {
		.event = event,
		.name = gtrace_event_name(event->type, index->rules.version),
		.ns = clock_ns(&plan->clock, event->ticks),
		.stack_id = event->stack,
		.link = plan->links[event->ordinal],
		.strings = strings,
	};

	if (index->rules.by_type[event->type].text != TEXT_NONE)
		dumped.string_count =
			gtrace_lookup_strings(index, event, strings);
	if (is_pc(trace, event->type)) {
		dumped.stack_id = 0;
		if (event->stack != 0) {
			frame = frame_of_pc(trace, event->stack);
			dumped.frame = &frame;
		}
	}
	return gtrace_text_dump_event(writer, texts, &dumped);
}

static enum gtrace_status dump_events(struct gtrace *trace,
				      const struct plan *plan,
				      struct source *source,
				      struct machine *machine,
				      struct writer *writer,
				      struct stack_texts *texts,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	machine->clock = plan->clock;
	gtrace_text_dump_head(writer);
	for (;;) {
		status = source_next(source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			return status;
		/* The machine completes the event. */
		if (!gtrace_machine_step(machine, event))
			return fail_fault(trace, machine, error);
		if (!dump_event(trace, plan, writer, texts, event))
			return gtrace_fail_memory(error);
		if (writer->failure != 0)
			return GTRACE_OK; /* it is reported at the end */
	}
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
		.frames_of = frames_of,
		.context = trace,
		.budget = STACK_TEXT_BASE +
			  trace->index.size * STACK_TEXT_PER_BYTE,
	};
	enum gtrace_status status;
	struct machine machine;
	struct source source;

	status = gtrace_source_init(&source, &trace->index,
				    plan->careful ? 0 : MERGE_FORGET,
				    &plan->exits, plan->dropped, error);
	if (status != GTRACE_OK)
		return status;
	texts.frames = gtrace_allocate(&trace->memory,
				       FRAMES_MAX * sizeof(*texts.frames));
	status = GTRACE_ERROR_MEMORY;
	if (texts.frames != NULL && init_machine(trace, &again, &machine)) {
		status = dump_events(trace, plan, &source, &machine, writer,
				     &texts, error);
		gtrace_machine_free(&machine);
	} else {
		gtrace_fail_memory(error);
	}
	gtrace_stack_texts_free(&texts);
	gtrace_release(&trace->memory, texts.frames,
		       FRAMES_MAX * sizeof(*texts.frames));
	gtrace_source_free(&source);
	return status;
}

static enum gtrace_status make_dump(struct gtrace *trace, struct plan *plan,
				    const struct gtrace_output *output,
				    struct gtrace_error *error)
{
	enum gtrace_status status = analyse(trace, plan, error);
	enum gtrace_status written;
	struct writer writer;

	if (status == GTRACE_OK)
		status = know_symbols(trace, error);
	if (status == GTRACE_OK)
		status = gtrace_writer_init(&writer, output, &trace->memory,
					    error);
	if (status != GTRACE_OK)
		return status;
	status = print_dump(trace, plan, &writer, error);
	written = gtrace_writer_finish(&writer,
				       status == GTRACE_OK ? error : NULL);
	return status == GTRACE_OK ? written : status;
}

enum gtrace_status gtrace_print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	struct plan plan = {0};
	enum gtrace_status status;

	plan.links = gtrace_allocate_zeroed(&trace->memory, 1,
					    links_size(trace));
	if (plan.links == NULL)
		return gtrace_fail_memory(error);
	gtrace_guard_enter(&trace->input);
	status = make_dump(trace, &plan, output, error);
	status = gtrace_guard_leave(&trace->input, status, error);
	gtrace_release(&trace->memory, plan.links, links_size(trace));
	free_plan(trace, &plan);
	return status;
}
