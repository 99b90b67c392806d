/* SPDX-License-Identifier: BSD-3-Clause */
/* format_v2.c - the format of Go 1.22 and later, as a table of functions. */
#include <inttypes.h>

#include "base/fail.h"
#include "v2/trace.h"

/* Bytes that the texts of stacks may take in a dump. */
#define STACK_TEXT_BUDGET ((size_t)8 << 20)

static struct source source_of(struct input *input)
{
	struct source source = {
		.data = input->data,
		.size = input->size,
		.input = input,
		.progress = input->progress,
	};

	return source;
}

static enum gtrace_status v2_check(const uint8_t *data, size_t size,
				   struct gtrace_error *error)
{
	struct source source = {.data = data, .size = size};

	return gti_v2_header_read(&source, error);
}

static void describe(struct event_kind kinds[EVENT_TYPES])
{
	unsigned type;

	for (type = 0; type < EVENT_TYPES; type++) {
		const struct event_line *line = &gti_v2_lines[type];

		kinds[type] = (struct event_kind){
			.name = line->name,
			.number = line->number,
			.args = line->args > 0 ? (unsigned)line->args : 0,
			.strings = (unsigned)(line->text1 != 0) +
				   (line->text2 != 0),
			.names_g = line->g != 0,
		};
	}
}

static enum gtrace_status v2_open(const struct format_options *options,
				  struct input *input, void **self,
				  struct format_facts *facts,
				  struct gtrace_error *error)
{
	struct v2_trace *trace =
		gti_allocate_zeroed(options->memory, 1, sizeof(*trace));
	enum gtrace_status status;
	unsigned i;

	if (trace == NULL)
		return gti_fail_memory(error);
	trace->memory = *options->memory;
	trace->source = source_of(input);
	trace->left_out = options->left_out;
	trace->takes_unfinished = options->unfinished;
	trace->only_cut_off = options->cut_off;
	for (i = 0; i < TABLES_KEPT; i++)
		gti_v2_generation_init(&trace->tables[i], &trace->source,
				       &trace->memory);
	status = gti_v2_header_read(&trace->source, error);
	if (status != GTRACE_OK) {
		gti_release(options->memory, trace, sizeof(*trace));
		return status;
	}
	if (options->first != 0)
		trace->source.first = options->first;
	facts->version = 1000 + trace->source.version;
	facts->frequency = 1000000000;
	facts->processors = 1; /* not known before a pass, and matters little */
	facts->text_budget = STACK_TEXT_BUDGET;
	facts->heap = EV_HEAP_ALLOC;
	facts->goal = EV_HEAP_GOAL;
	facts->unblocks = (uint64_t)1 << EV_GO_UNBLOCK;
	describe(facts->kinds);
	*self = trace;
	return GTRACE_OK;
}

static void v2_close(void *self)
{
	struct v2_trace *trace = self;
	struct gtrace_allocator memory = trace->memory;
	unsigned i;

	for (i = 0; i < TABLES_KEPT; i++)
		gti_v2_generation_free(&trace->tables[i]);
	gti_array_free(&trace->begins, sizeof(struct generation_place),
		       &memory);
	gti_release(&memory, trace, sizeof(*trace));
}

static bool v2_lacks_memory(const void *self)
{
	const struct v2_trace *trace = self;

	return trace->lacks_memory;
}

static const struct generation_place *
v2_generations(const void *self, size_t *count, int64_t *last)
{
	const struct v2_trace *trace = self;

	*count = trace->begins.count;
	*last = trace->last_time;
	return trace->begins.items;
}

/* ---------------------------------------------------------------- follow -- */

/* Links are allocated for this many events at a time. */
#define LINKS_AT_ONCE 4096

/*
 * Continues the pass as far as links have been allocated, after allocating some
 * more. Sets *DONE at the end.
 */
static enum gtrace_status run_for_links(struct order *order, bool careful,
					struct observer *observer, bool *done,
					struct gtrace_error *error)
{
	uint64_t count = order->states.ordinal;
	enum gtrace_status status;

	count += count / 8 + LINKS_AT_ONCE;
	if (!gti_observe_links(observer, count))
		return gti_fail_memory(error);
	/* A step makes up to three events. */
	status = gti_v2_order_run(order, careful, count - 2, error);
	*done = order->states.ordinal < count - 2;
	return status;
}

/* The first event that is not a Sync is at TICKS: the extent begins there. */
static void set_origin(struct observer *observer, int64_t ticks)
{
	gti_observe_origin(observer, ticks);
	if (observer->waits != NULL)
		gti_waits_origin(observer->waits, ticks);
	if (observer->feed != NULL)
		observer->feed->origin = ticks;
}

/* Takes the events of ORDER up to that one. */
static enum gtrace_status find_origin(struct order *order,
				      struct observer *observer,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	do
		status = order_next(order, &event, error);
	while (event != NULL && event->type == EV_SYNC);
	if (event != NULL)
		set_origin(observer, event->ticks);
	return status;
}

/* The rest of run() for a pass that visits each event, from EVENT on. */
static enum gtrace_status run_visits(struct order *order, struct event *event,
				     const struct pass *pass, bool *stopped,
				     struct gtrace_error *error)
{
	struct observer *observer = pass->observer;
	bool seeks_origin = observe_needs_origin(observer);
	enum gtrace_status status = GTRACE_OK;

	while (status == GTRACE_OK && event != NULL) {
		if (seeks_origin && event->type != EV_SYNC) {
			set_origin(observer, event->ticks);
			seeks_origin = false;
		}
		if (!pass->visit(pass->context, event)) {
			*stopped = true;
			return GTRACE_OK;
		}
		status = order_next(order, &event, error);
	}
	return status;
}

/* Makes the pass. Sets *STOPPED if it was ended early. */
static enum gtrace_status run(struct order *order, bool careful,
			      const struct pass *pass, bool *stopped,
			      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;
	bool done = false;

	status = order_next(order, &event, error);
	if (status != GTRACE_OK || event == NULL)
		return status;
	observe_begin(pass->observer, event->ticks);
	if (pass->visit != NULL)
		return run_visits(order, event, pass, stopped, error);
	if (observe_needs_origin(pass->observer))
		status = find_origin(order, pass->observer, error);
	if (status == GTRACE_OK && !pass->observer->wants_links)
		return gti_v2_order_run(order, careful, UINT64_MAX, error);
	while (status == GTRACE_OK && !done)
		status = run_for_links(order, careful, pass->observer, &done,
				       error);
	return status;
}

/* ---------------------------------------------------------------- faults -- */

/* Notes that the events stop at FAULT. */
static void leave_out(struct v2_trace *trace, const struct gtrace_error *fault)
{
	trace->left_out->reason = *fault;
	trace->left_out->offset = fault->offset;
}

/* Whether the generation that ORDER read last is one that has begun. */
static bool has_begun(const struct order *order)
{
	return generation_number(&order->generation) != 0;
}

/*
 * Fills trace->left_out if the file ends in the generation of ORDER. FAULT is
 * that of the pass, with STATUS.
 */
static void leave_out_rest(struct v2_trace *trace, const struct order *order,
			   enum gtrace_status status,
			   const struct gtrace_error *fault)
{
	const struct generation *generation = &order->generation;
	bool ended = status == GTRACE_OK || order->phase == ORDER_BROKEN;
	const struct gtrace_error *reason = &trace->cut;

	if (!has_begun(order)) {
		leave_out(trace, fault);
		return;
	}
	if (generation->after.status != GTRACE_OK)
		reason = &generation->after;
	leave_out(trace, reason);
	trace->left_out->unfinished = true;
	gti_fail(&trace->left_out->reason, reason->status, reason->offset,
		 "%s; generation %" PRIu64 " is reported as far as the file "
		 "has it",
		 reason->message, generation->number);
	trace->left_out->offset = ended ? generation->end : fault->offset;
}

/*
 * A pass over ORDER has met a fault. Returns the number of the generation that
 * is cut off, if a second pass can report more of it, else 0.
 */
static uint64_t find_unfinished(const struct order *order)
{
	const struct generation *generation = &order->generation;
	size_t count = order->begins->count;

	if (!has_begun(order))
		return count + 1; /* the fault is in its batches or tables */
	if (order->phase == ORDER_BROKEN)
		return 0; /* the fault is after it */
	if (generation->last || generation->after.status != GTRACE_OK)
		return count;
	return 0;
}

/*
 * A pass over ORDER has met FAULT, with STATUS. Finds out which generation is
 * unfinished. Returns whether another pass, which knows it, reports more.
 */
static bool take_unfinished(struct v2_trace *trace, const struct order *order,
			    enum gtrace_status status,
			    const struct gtrace_error *fault)
{
	const struct slices *slices = order->states.to.observer->slices;

	if (!trace->takes_unfinished || status == GTRACE_OK)
		return false;
	trace->unfinished = find_unfinished(order);
	trace->cut = *fault;
	trace->events_before_cut = order->states.ordinal;
	if (slices != NULL)
		trace->left_out->slices = slices->started;
	return trace->unfinished != 0;
}

/*
 * Whether a fault with STATUS can come of the end of the file in GENERATION,
 * before its end.
 */
static bool is_cut_off(const struct generation *generation,
		       enum gtrace_status status)
{
	return status == GTRACE_ERROR_CUT_OFF || generation->last ||
	       generation->after.status == GTRACE_ERROR_CUT_OFF;
}

/*
 * A careful pass over ORDER has met FAULT, or STATUS is GTRACE_OK. Returns
 * whether the trace is reported up to where the pass has come. Otherwise, with
 * trace->again, another pass is to be made.
 */
static bool ends_there(struct v2_trace *trace, const struct order *order,
		       enum gtrace_status status,
		       const struct gtrace_error *fault)
{
	if (trace->left_out == NULL || status == GTRACE_ERROR_MEMORY ||
	    (trace->only_cut_off && status != GTRACE_OK &&
	     !is_cut_off(&order->generation, status)))
		return false;
	if (trace->unfinished == 0) {
		trace->again = take_unfinished(trace, order, status, fault);
		if (trace->again)
			return false;
		if (status != GTRACE_OK && order->states.ordinal != 0)
			leave_out(trace, fault);
		return order->states.ordinal != 0;
	}
	if (order->states.ordinal < trace->events_before_cut) {
		/* In a damaged trace, nothing need be gained. */
		trace->takes_unfinished = false;
		trace->unfinished = 0;
		trace->again = true;
		return false;
	}
	leave_out_rest(trace, order, status, fault);
	return order->states.ordinal != 0;
}

static enum gtrace_status finish(struct order *order, const struct pass *pass,
				 struct gtrace_error *error)
{
	/* Events that no missing ones explain end an unfinished generation. */
	if (order->generation.unfinished && order->heap.count != 0)
		states_end_thread(&order->states, order->heap.items[0].key);
	if (gti_v2_states_finish(&order->states) || pass->observer->ended)
		return GTRACE_OK;
	return gti_fail_memory(error);
}

/*
 * Whether a pass over ORDER, which has ended with STATUS, has met the fault
 * that is reported, after the last event that is. A pass that is not careful
 * has if it has tried all cursors, or if none is left: the fault is then in the
 * batches of a generation.
 */
static bool is_exact(const struct order *order, enum gtrace_status status,
		     bool careful)
{
	return careful || status == GTRACE_ERROR_ORDER ||
	       order->heap.count == 0;
}

/*
 * Makes a pass. With trace->again another one is to be made, and the error not
 * to be reported.
 */
static enum gtrace_status make_pass(struct v2_trace *trace,
				    const struct pass *pass, bool careful,
				    struct gtrace_error *fault)
{
	enum gtrace_status status;
	struct order order;
	bool stopped = false;

	trace->again = false;
	trace->lacks_memory = false;
	trace->begins.count = 0;
	status = gti_v2_order_init(&order, &trace->source, &trace->begins,
				   pass->observer, &trace->memory, fault);
	if (status != GTRACE_OK)
		return status;
	order.unfinished = trace->unfinished;
	order.kept = trace->tables;
	order.shows_end = pass->visit != NULL;
	trace->order = &order;
	status = run(&order, careful, pass, &stopped, fault);
	if (pass->observer->ended) {
		stopped = true;
		status = GTRACE_OK;
	}
	trace->again = status != GTRACE_OK && status != GTRACE_ERROR_MEMORY &&
		       !is_exact(&order, status, careful);
	if (!trace->again && !stopped &&
	    ends_there(trace, &order, status, fault))
		status = GTRACE_OK;
	if (status == GTRACE_OK && !stopped)
		status = finish(&order, pass, fault);
	observe_release(pass->observer);
	trace->order = NULL;
	trace->last_time = order.states.last_time;
	trace->lacks_memory |= order.lacks_memory;
	gti_v2_generation_keep(&order.generation, trace->tables);
	gti_v2_order_free(&order);
	if (status == GTRACE_OK && trace->lacks_memory)
		status = gti_fail_memory(fault);
	return status;
}

/* Whether another pass has to be made, as that of OBSERVER knows more now. */
static bool is_mistaken(struct observer *observer)
{
	if (observer->waits == NULL ||
	    !gti_waits_mistaken(observer->waits, observer->ended))
		return false;
	observer->ended = false;
	return true;
}

enum gtrace_status gti_v2_follow(void *self, const struct pass *pass,
				 struct gtrace_error *error)
{
	struct v2_trace *trace = self;
	struct observer *observer = pass->observer;
	bool careful = trace->careful || pass->visit != NULL;
	enum gtrace_status status;

	/* The ticks of these events are nanoseconds. */
	observer->clock.ns_per_tick = 0;
	for (;;) {
		status = make_pass(trace, pass, careful, error);
		if (trace->again) {
			trace->careful = true;
			careful = true;
		} else if (status != GTRACE_OK || !is_mistaken(observer)) {
			break;
		}
		gti_observer_restart(observer);
	}
	return status;
}

const struct format gti_format_v2 = {
	.check = v2_check,
	.open = v2_open,
	.close = v2_close,
	.follow = gti_v2_follow,
	.stack_id = gti_v2_stack_id,
	.frames = gti_v2_frames,
	.frames_max = STACK_FRAMES_MAX,
	.has_threads = true,
	.in_ns = true,
	.args = gti_v2_args,
	.strings = gti_v2_strings,
	.first_stack = gti_v2_first_stack,
	.times_calls = true,
	.monotonic = gti_v2_monotonic,
	.wall = gti_v2_wall,
	.generations = v2_generations,
	.walk = gti_v2_walk,
	.anonymise = gti_v2_anonymise,
	.lacks_memory = v2_lacks_memory,
};
