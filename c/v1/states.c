/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - the events that are transitions of goroutines. */
#include <inttypes.h>

#include "v1/lookup.h"
#include "v1/states.h"

/* ---------------------------------------------------------------- faults -- */

/* Returns whether G runs on P. Goroutine 0 runs nowhere. */
static inline bool runs_here(const struct goroutine *g,
			     const struct processor_state *p,
			     const struct event *event)
{
	return g->state == RUNNING && p->g == event->g && event->g != 0;
}

/* --------------------------------------------------------------- pending -- */

/* For hooks that do not need to know when an event happens. */
#define NEVER 0

/* EVENT makes a transition of G where only slices are wanted. */
static ALWAYS_INLINE struct step
lean_step(struct states *states, struct goroutine *g, const struct event *event)
{
	return step_at(states, g, event, NEVER, PASS_FOR_SLICES);
}

/*
 * EVENT, with ORIGIN, will link to a later event of G. Returns true, so that
 * the call can be a tail call.
 */
static NOINLINE bool remember(struct states *states, struct goroutine *g,
			      const struct event *event, struct origin origin)
{
	observe_pending(step_at(states, g, event, NEVER, PASS_CAREFUL), origin,
			has_frames(states, event->stack));
	return true;
}

/* remember() for an event that has frames, where no links are wanted. */
static inline bool remember_framed(struct states *states, struct goroutine *g,
				   const struct event *event)
{
	observe_pending(lean_step(states, g, event), origin_none, true);
	return true;
}

/* ---------------------------------------------------------------- slices -- */

/* The walk back from EVENT, FRAMED or not, which takes G off its processor. */
static ALWAYS_INLINE struct origin leave_origin(const struct states *states,
						const struct goroutine *g,
						const struct event *event,
						bool framed)
{
	if (LIKELY(framed))
		return origin_none;
	return event->type == EV_GO_END ? origin_of_end(states, g)
					: origin_from_start(states, g);
}

/* EVENT, with ORIGIN, has ended the slice of G, which may be wanted. */
static NOINLINE bool finish_slice(struct states *states, struct goroutine *g,
				  const struct event *event,
				  struct origin origin)
{
	return observe_end(lean_step(states, g, event), origin) ||
	       gti_states_fail_memory(states);
}

/* EVENT takes G off its processor P, and leaves it in STATE. */
static inline void leave(struct goroutine *g, struct processor_state *p,
			 enum state state)
{
	p->g = 0;
	p->serial = 0;
	g->state = (uint8_t)state;
}

/* leave(), where more than slices is wanted. ORIGIN is that of STEP. */
static ALWAYS_INLINE bool leave_for_more(struct states *states,
					 struct goroutine *g,
					 struct processor_state *p,
					 struct step step, struct origin origin,
					 enum state state)
{
	leave(g, p, state);
	return observe_end(step, origin) || gti_states_fail_memory(states);
}

/* The rest of suspend(): EVENT may have no frames. */
static NOINLINE bool suspend_rare(struct states *states, struct goroutine *g,
				  const struct event *event)
{
	bool framed = has_frames(states, event->stack);
	struct origin origin = leave_origin(states, g, event, framed);

	observe_pending(lean_step(states, g, event), origin, framed);
	return finish_slice(states, g, event, origin);
}

/* suspend() where more than slices is wanted. */
static NOINLINE bool suspend_for_more(struct states *states,
				      struct goroutine *g,
				      struct processor_state *p,
				      const struct event *event,
				      enum state state)
{
	bool framed = has_frames(states, event->stack);
	struct origin origin = leave_origin(states, g, event, framed);
	struct step step = step_of(states, g, event);

	if (!leave_for_more(states, g, p, step, origin, state))
		return false;
	observe_pending(step, origin, framed);
	if (state == RUNNABLE && states->to.waits != NULL && g->waiter != NULL)
		states_wait(states, g, step, event->type, origin);
	return true;
}

/* EVENT takes G off its processor, and links to what makes G run again. */
static NOINLINE HOT bool suspend(struct states *states, struct goroutine *g,
				 struct processor_state *p,
				 const struct event *event, enum state state)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	if (UNLIKELY(states->more))
		return suspend_for_more(states, g, p, event, state);
	leave(g, p, state);
	if (UNLIKELY(!has_dense_frames(states, event)))
		return suspend_rare(states, g, event);
	remember_framed(states, g, event);
	return LIKELY(pass_refuses(&states->to, g->slice, event->ticks,
				   PASS_FOR_SLICES)) ||
	       finish_slice(states, g, event, origin_none);
}

/* start() where more than slices is wanted. */
static NOINLINE bool start_for_more(struct states *states, struct goroutine *g,
				    struct processor_state *p,
				    const struct event *event)
{
	struct step step = step_of(states, g, event);

	observe_start(step, observe_pended(step));
	p->serial = g->slice->serial;
	gti_states_ran_before(states, g, event);
	if (states->to.waits != NULL)
		gti_states_started(states, g, event);
	return true;
}

static NOINLINE HOT bool start(struct states *states, struct goroutine *g,
			       struct processor_state *p, struct event *event)
{
	struct step step;

	if (UNLIKELY(g->state != RUNNABLE))
		return gti_states_fail(
			states, event,
			"g %" PRIu64 " is not runnable before start", event->g);
	if (UNLIKELY(p->g != 0))
		return gti_states_fail(states, event,
				       "p %" PRId64
				       " is already running g %" PRIu64
				       " while start g %" PRIu64,
				       event->p, p->g, event->g);
	if (UNLIKELY(g->slice == NULL))
		g->slice = gti_pool_take(&states->slices);
	if (UNLIKELY(g->slice == NULL))
		return gti_states_fail_memory(states);
	g->state = RUNNING;
	p->g = event->g;
	if (g->is_new) {
		event->stack = g->first_stack;
		g->is_new = 0;
	}
	if (UNLIKELY(states->more))
		return start_for_more(states, g, p, event);
	step = lean_step(states, g, event);
	observe_start(step, observe_pended(step));
	p->serial = g->slice->serial;
	return true;
}

/* start() with the label of a worker of the garbage collector. */
static NOINLINE bool start_labelled(struct states *states, struct goroutine *g,
				    struct processor_state *p,
				    struct event *event)
{
	struct gtrace_string label;

	if (!start(states, g, p, event))
		return false;
	label = gti_lookup_string(states->index, event->args[2]);
	if (observe_wants_labels(states->to.observer))
		gti_observe_label(g->slice, label);
	return true;
}

/* ---------------------------------------------------------------- events -- */

/* The rest of create() where more than slices is wanted. */
static NOINLINE bool create_for_more(struct states *states,
				     struct goroutine *created,
				     const struct event *event)
{
	created->fresh = 1;
	gti_states_ready(states, created, event, origin_none);
	return remember(states, created, event, origin_none);
}

static NOINLINE HOT bool create(struct states *states, struct goroutine *g,
				const struct processor_state *p,
				struct event *event)
{
	struct goroutine *created = event->target_record;

	/* Goroutine 0 may create goroutines too. */
	if (UNLIKELY(g->state != RUNNING || p->g != event->g))
		return gti_states_fail_running(states, g, p, event);
	if (UNLIKELY(created->exists))
		return gti_states_fail(states, event,
				       "g %" PRIu64 " already exists",
				       event->args[0]);
	census_goroutine(&states->to.observer->census);
	created->exists = 1;
	created->state = RUNNABLE;
	created->is_new = 1;
	created->first_stack = UNLIKELY(states->is_1_5)
				       ? stack_of_pc(event->args[1])
				       : event->args[1];
	if (UNLIKELY(states->more)) {
		created->own = (struct own_stacks){0, 0};
		if (has_frames(states, created->first_stack))
			created->own.last = created->first_stack;
		/* The tracer lists those that are there, in the name of who
		 * starts it. */
		if (states->proc_started && has_frames(states, event->stack))
			created->own.creator = event->stack;
		return create_for_more(states, created, event);
	}
	if (LIKELY(has_dense_frames(states, event)))
		return remember_framed(states, created, event);
	return remember(states, created, event, origin_none);
}

/* TARGET becomes ready by EVENT, where more than slices is wanted. */
static NOINLINE bool unblock_for_more(struct states *states,
				      struct goroutine *target,
				      const struct event *event)
{
	struct step step = step_at(states, target, event, NEVER, PASS_CAREFUL);
	struct origin origin = observe_pended(step);

	gti_states_ready(states, target, event, origin);
	return remember(states, target, event, origin);
}

/* The rest of unblock(): TARGET becomes ready by EVENT. */
static ALWAYS_INLINE bool be_unblocked(struct states *states,
				       struct goroutine *target,
				       const struct event *event)
{
	target->state = RUNNABLE;
	target->exists = 1;
	if (UNLIKELY(states->more))
		return unblock_for_more(states, target, event);
	if (LIKELY(has_dense_frames(states, event)))
		return remember_framed(states, target, event);
	return remember(states, target, event, target->pending.origin);
}

/* EVENT is none of the processor P, which writes it. */
static NOINLINE bool unblock_by_network(struct states *states,
					const struct processor_state *p,
					struct event *event)
{
	event->p = PROCESSOR_NETPOLL;
	copy_processor(states, states->netpoll_slot, p);
	return be_unblocked(states, event->target_record, event);
}

static NOINLINE HOT bool unblock(struct states *states,
				 const struct goroutine *g,
				 const struct processor_state *p,
				 struct event *event)
{
	struct goroutine *target = event->target_record;

	if (UNLIKELY(g->state != RUNNING))
		return gti_states_fail(
			states, event,
			"g %" PRIu64 " is not running while unpark", event->g);
	if (UNLIKELY(event->p != PROCESSOR_TIMER && p->g != event->g))
		return gti_states_fail(states, event,
				       "p %" PRId64 " is not running g %" PRIu64
				       " while unpark",
				       event->p, event->g);
	if (UNLIKELY(target->state != WAITING))
		return gti_states_fail(states, event,
				       "g %" PRIu64
				       " is not waiting before unpark",
				       event->args[0]);
	if (UNLIKELY(target->pending.type == EV_GO_BLOCK_NET) &&
	    event->p != PROCESSOR_TIMER)
		return unblock_by_network(states, p, event);
	return be_unblocked(states, target, event);
}

static NOINLINE bool enter_syscall(struct states *states, struct goroutine *g,
				   struct processor_state *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	observe_call(step_at(states, g, event, NEVER, PASS_CAREFUL));
	return remember(states, g, event, origin_none);
}

/* The processor is taken from a goroutine in a system call. */
static NOINLINE bool block_in_syscall(struct states *states,
				      struct goroutine *g,
				      struct processor_state *p,
				      const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	return leave_for_more(states, g, p, step_of(states, g, event),
			      origin_from_start(states, g), WAITING);
}

static NOINLINE bool exit_syscall(struct states *states, struct goroutine *g,
				  const struct event *event)
{
	struct origin origin = origin_none;

	if (UNLIKELY(g->state != WAITING))
		return gti_states_fail(states, event,
				       "g %" PRIu64
				       " is not waiting during syscall exit",
				       event->g);
	if (g->pending.type == EV_GO_SYS_CALL) {
		observe_link(states->to.observer, g->pending.ordinal,
			     event->ordinal);
		origin = g->pending.origin;
	}
	g->state = RUNNABLE;
	gti_states_ready(states, g, event, origin);
	return remember(states, g, event, origin);
}

/* EVENT ends G, whose record may then be reused. */
static NOINLINE bool end_goroutine(struct states *states, struct goroutine *g,
				   struct processor_state *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	if (!leave_for_more(states, g, p, step_of(states, g, event),
			    leave_origin(states, g, event, false), DEAD))
		return false;
	states->to.observer->census.alive--;
	gti_states_take_back(states, g, event);
	gti_states_end_regions(states, g, event);
	/* The record of goroutine UINT64_MAX is never reused. */
	g->exists = !states->goroutines->forget || event->g == ID_UNORDERED;
	g->is_new = 0;
	g->pending = (struct pending){.type = EV_NONE};
	g->assist = 0;
	observe_forget(states->to.observer, g->slice);
	gti_pool_give(&states->slices, g->slice);
	g->slice = NULL;
	return true;
}

/* All calls are tail calls, so that no registers have to be saved. */
HOT bool gti_states_step(void *context, struct event *event)
{
	struct states *states = context;
	struct processor_state *p = &states->processors[event->p_slot];
	struct goroutine *g = event->g_record;

	if (event->ticks > states->last_ticks)
		states->last_ticks = event->ticks;
	/* Only a sample can be of a goroutine that has no record. */
	if (UNLIKELY(g == NULL))
		return gti_states_sample(states, NULL, event);
	g->exists = 1;
	switch (event->type) {
	case EV_GO_CREATE:
		return create(states, g, p, event);
	case EV_GO_START:
		return start(states, g, p, event);
	case EV_GO_START_LABEL:
		return start_labelled(states, g, p, event);
	case EV_GO_END:
	case EV_GO_STOP:
		return end_goroutine(states, g, p, event);
	case EV_GO_SCHED:
	case EV_GO_PREEMPT:
		return suspend(states, g, p, event, RUNNABLE);
	case EV_GO_UNBLOCK:
		return unblock(states, g, p, event);
	case EV_GO_SYS_CALL:
		return enter_syscall(states, g, p, event);
	case EV_GO_SYS_BLOCK:
		return block_in_syscall(states, g, p, event);
	case EV_GO_SYS_EXIT:
		return exit_syscall(states, g, event);
	case EV_GO_SLEEP:
	case EV_GO_BLOCK:
	case EV_GO_BLOCK_SEND:
	case EV_GO_BLOCK_RECV:
	case EV_GO_BLOCK_SELECT:
	case EV_GO_BLOCK_SYNC:
	case EV_GO_BLOCK_COND:
	case EV_GO_BLOCK_NET:
	case EV_GO_BLOCK_GC:
		return suspend(states, g, p, event, WAITING);
	default:
		return gti_states_step_rare(states, g, p, event);
	}
}

/* Whether a goroutine that EVENT preempts has a stack that has a name. */
static bool is_named(const struct states *states, const struct event *event)
{
	struct gtrace_frame frames[FRAMES_MAX];
	size_t count, i;

	/* Where it was asked to stop, the runtime may find one frame of none.
	 */
	if (event->type != EV_GO_PREEMPT || states->is_1_5)
		return true;
	count = gti_lookup_frames(states->index, event->stack, frames);
	for (i = 0; i < count; i++)
		if (frames[i].function.size != 0)
			return true;
	return count == 0;
}

bool gti_states_learn(void *context, struct event *event)
{
	const struct states *states = context;
	struct goroutine *g = event->g_record;

	if (g != NULL && event->stack != 0 && event->type != EV_CPU_SAMPLE &&
	    has_frames(states, event->stack) && is_named(states, event))
		g->own.last = event->stack;
	return gti_states_step(context, event);
}
