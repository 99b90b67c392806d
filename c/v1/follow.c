/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow.c - the passes over a trace, in merge order or in final order.
 *
 * A pass in merge order comes first, unless the trace has futile wakeups. Its
 * result is valid if there was no fault, or if events cannot be put in order.
 * It is not valid after a fault of the states, because the fault to report is
 * the first one in final order, nor if merge order and final order differ
 * within a goroutine. Then passes in final order follow.
 */
#include "base/fail.h"
#include "v1/states.h"
#include "v1/trace.h"

/* The faults that end a pass in partial mode: of the order alone, or any. */
enum ending { END_ORDER, END_ANY };

/* ------------------------------------------------------------- one pass -- */

static bool init_states(struct states *states, const struct index *index,
			const struct event_source *source,
			struct observer *observer)
{
	observer->clock.ns_per_tick = index_ns_per_tick(index);
	return gti_observe_links(observer, index->events) &&
	       gti_states_init(states, index, source->goroutines, observer);
}

/* Steps the states with each event, and then visits it. */
struct visitor {
	struct states *states;
	event_visitor *step;
	const struct pass *pass;
	bool stopped;
};

static bool step_and_visit(void *context, struct event *event)
{
	struct visitor *visitor = context;

	if (!visitor->step(visitor->states, event))
		return false;
	if (visitor->pass->visit(visitor->pass->context, event))
		return true;
	visitor->stopped = true;
	return false;
}

/* The step of a pass that tells OBSERVER. */
static event_visitor *step_for(const struct observer *observer)
{
	if (observer->machine != NULL && observer->machine->hears)
		return gti_states_listen;
	return observe_needs_own(observer) ? gti_states_learn : gti_states_step;
}

/*
 * Steps STATES with the events of SOURCE, up to the first fault. Sets *BEGUN to
 * whether an event came before that.
 */
static enum gtrace_status run_states(struct event_source *source,
				     struct states *states,
				     const struct pass *pass, bool *begun,
				     struct gtrace_error *error)
{
	const struct machine *machine = states->to.observer->machine;
	event_visitor *step = step_for(states->to.observer);
	struct visitor visitor = {states, step, pass, false};
	enum gtrace_status status;

	if (states->to.feed != NULL)
		visitor.step = step = gti_states_emit;

	observe_begin(states->to.observer, source->first_ticks);
	gti_observe_origin(states->to.observer, source->first_ticks);
	if (machine != NULL)
		states->silence = machine->silence_ticks;
	if (pass->visit != NULL)
		status =
			gti_source_run(source, step_and_visit, &visitor, error);
	else
		status = gti_source_run(source, step, states, error);
	*begun = source_visited(source) != 0;
	if (visitor.stopped || states->to.observer->ended)
		return GTRACE_OK;
	if (states->fault.status == GTRACE_OK)
		return status;
	*begun = source_visited(source) > 1;
	*error = states->fault;
	return error->status;
}

static bool may_end(const struct v1_trace *trace, enum ending ending,
		    enum gtrace_status status)
{
	if (trace->left_out == NULL)
		return false;
	return status == GTRACE_ERROR_ORDER ||
	       (status == GTRACE_ERROR_STATE && ending == END_ANY);
}

/* Whether a fault of STATUS is found by reading records one by one. */
static bool is_of_records(enum gtrace_status status)
{
	return status == GTRACE_ERROR_RECORD || status == GTRACE_ERROR_ARGS ||
	       status == GTRACE_ERROR_CUT_OFF;
}

/* Notes that events end at FAULT, unless a broken record has been noted. */
static void leave_out(struct v1_trace *trace, const struct event_source *source,
		      const struct gtrace_error *fault)
{
	struct left_out *left_out = trace->left_out;
	uint64_t offset = gti_source_unread(source);

	if (!is_of_records(left_out->reason.status))
		left_out->reason = *fault;
	left_out->offset = offset;
	/* If events cannot be put in order, there is no final order. */
	if (fault->status == GTRACE_ERROR_ORDER)
		trace->order = ORDER_MERGE;
}

/* Whether exits from system calls come late. */
static bool has_late_exits(const struct event_source *source)
{
	return !source->is_1_5 && !source->final;
}

/*
 * Steps the states with all events of SOURCE. In partial mode a fault that
 * ENDING allows ends the trace, if an event came before it.
 */
static enum gtrace_status run(struct v1_trace *trace,
			      struct event_source *source,
			      const struct pass *pass, enum ending ending,
			      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct states states;
	bool begun;

	if (!init_states(&states, &trace->index, source, pass->observer))
		return gti_fail_memory(error);
	trace->states = &states;
	states.late_exits = has_late_exits(source) && states.to.waits == NULL;
	if (has_late_exits(source) && states.to.waits != NULL &&
	    !gti_states_find_exits(&states))
		states.to.waits->failed = true;
	status = run_states(source, &states, pass, &begun, error);
	if (may_end(trace, ending, status) && begun) {
		leave_out(trace, source, error);
		status = GTRACE_OK;
	}
	if (status == GTRACE_OK && !gti_states_finish(&states))
		status = gti_fail_memory(error);
	trace->states = NULL;
	gti_states_free(&states);
	return status;
}

/*
 * A pass in merge order; FINAL: in final order, which is known. *REORDERED: see
 * struct merge.
 */
static enum gtrace_status make_pass(struct v1_trace *trace,
				    const struct pass *pass, bool final,
				    enum ending ending, bool *reordered,
				    struct gtrace_error *error)
{
	const struct array *exits = final ? &trace->exits : NULL;
	bool keeps = !final && pass->repeats && !trace->exits_known;
	unsigned flags = keeps ? MERGE_KEEP_EXITS : 0;
	enum gtrace_status status;
	struct event_source source;

	if (!final || trace->order == ORDER_EITHER)
		flags |= MERGE_FORGET;
	if (!final && trace->left_out != NULL)
		flags |= MERGE_STOP_AT_FAULT;
	status = gti_source_init(&source, &trace->index, flags, exits,
				 final ? trace->futile : NULL, error);
	if (status != GTRACE_OK)
		return status;
	status = run(trace, &source, pass, ending, error);
	*reordered = source.merge.reordered;
	if (status == GTRACE_OK && !*reordered && keeps) {
		trace->exits = gti_source_take_exits(&source);
		trace->exits_known = true;
	}
	gti_source_free(&source);
	return status;
}

/* ----------------------------------------------------------- final order -- */

static bool pass_over(void *context, struct event *event)
{
	(void)context;
	(void)event;
	return true;
}

static enum gtrace_status find_exits(struct v1_trace *trace,
				     struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event_source source;

	status = gti_source_init(&source, &trace->index, MERGE_KEEP_EXITS, NULL,
				 NULL, error);
	if (status != GTRACE_OK)
		return status;
	status = gti_source_run(&source, pass_over, NULL, error);
	if (status == GTRACE_OK) {
		trace->exits = gti_source_take_exits(&source);
		trace->exits_known = true;
	}
	gti_source_free(&source);
	return status;
}

static enum gtrace_status find_futile(struct v1_trace *trace,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event_source source;

	status = gti_source_init(&source, &trace->index, 0, &trace->exits, NULL,
				 error);
	if (status != GTRACE_OK)
		return status;
	status = gti_futile_find(&source, &trace->futile, error);
	gti_source_free(&source);
	return status;
}

/* Makes the passes that find which events final order moves and drops. */
static enum gtrace_status learn_final_order(struct v1_trace *trace,
					    struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;

	if (!trace->exits_known)
		status = find_exits(trace, error);
	if (status == GTRACE_OK && trace->index.futile && trace->futile == NULL)
		status = find_futile(trace, error);
	return status;
}

/* Makes a pass in final order, or in merge order if there is no final one. */
static enum gtrace_status follow_final_order(struct v1_trace *trace,
					     const struct pass *pass,
					     struct gtrace_error *error)
{
	enum gtrace_status status = learn_final_order(trace, error);
	bool reordered;

	if (status == GTRACE_OK)
		return make_pass(trace, pass, true, END_ANY, &reordered, error);
	if (status != GTRACE_ERROR_ORDER || trace->left_out == NULL)
		return status;
	trace->order = ORDER_MERGE;
	return make_pass(trace, pass, false, END_ANY, &reordered, error);
}

/* ---------------------------------------------------------------- follow -- */

/* Returns whether the result of a pass in merge order is valid. */
static bool is_valid(enum gtrace_status status, bool reordered)
{
	return status == GTRACE_OK ? !reordered : status != GTRACE_ERROR_STATE;
}

enum gtrace_status gti_v1_follow(void *self, const struct pass *pass,
				 struct gtrace_error *error)
{
	struct v1_trace *trace = self;
	enum gtrace_status status;
	bool reordered = false;

	if (trace->index.futile && trace->order == ORDER_UNKNOWN)
		trace->order = ORDER_FINAL;
	if (trace->order == ORDER_MERGE)
		return make_pass(trace, pass, false, END_ANY, &reordered,
				 error);
	/* It is not known which exits from system calls are left out. */
	if (trace->order == ORDER_FINAL || pass->last ||
	    pass->observer->feed != NULL ||
	    (pass->observer->waits != NULL && trace->left_out != NULL))
		return follow_final_order(trace, pass, error);
	status = make_pass(trace, pass, false, END_ORDER, &reordered, error);
	if (trace->order == ORDER_MERGE)
		return status;
	if (is_valid(status, reordered)) {
		if (status == GTRACE_OK)
			trace->order = ORDER_EITHER;
		return status;
	}
	gti_observer_restart(pass->observer);
	trace->order = ORDER_FINAL;
	return follow_final_order(trace, pass, error);
}

void gti_v1_forget_order(struct v1_trace *trace)
{
	gti_array_free(&trace->exits, sizeof(struct moved_exit),
		       &trace->memory);
	gti_release(&trace->memory, trace->futile, futile_size(&trace->index));
	trace->futile = NULL;
}
