/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - the events that are transitions of goroutines. */
#include <inttypes.h>

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

/*
 * EVENT, with ORIGIN, will link to a later event of G. Returns true, so that
 * the call can be a tail call.
 */
static NOINLINE bool remember(const struct states *states, struct goroutine *g,
			      const struct event *event, struct origin origin)
{
	observe_pending(&g->pending, event,
			origin_after(states, event, origin));
	return true;
}

/* remember() for an event that has frames. */
static inline bool remember_framed(struct goroutine *g,
				   const struct event *event)
{
	observe_pending(&g->pending, event,
			origin_begin(event->type, event->stack));
	return true;
}

/* ---------------------------------------------------------------- slices -- */

/*
 * EVENT takes G off its processor P. MORE than slices may be wanted. Returns
 * whether that slice is certainly not among the longest. If not, the caller
 * calls finish_slice().
 */
static ALWAYS_INLINE bool leave(struct states *states, struct goroutine *g,
				struct processor_state *p,
				const struct event *event, enum state state,
				const bool more)
{
	const struct observer *observer = states->observer;

	p->g = 0;
	p->serial = 0;
	g->state = (uint8_t)state;
	if (more) {
		observe_leave(observer, &g->slice, p->stop, event,
			      event->ticks);
		if (states->waits != NULL)
			gti_states_end_waited(states, g, event, state);
		if (observer->profile != NULL)
			return false;
	}
	if (UNLIKELY(observer->slices == NULL))
		return observer->each_slice == NULL;
	return observe_too_short(observer->slices, &g->slice, event->ticks);
}

static NOINLINE bool keep_slice(struct states *states, struct goroutine *g,
				const struct event *event, struct origin origin)
{
	return gti_observe_kept(states->observer, &g->slice, states_owner(g),
				event, origin) ||
	       gti_states_fail_memory(states);
}

/*
 * EVENT has ended the slice of G, which may be among the longest or is for a
 * profile. ORIGIN is none if EVENT has frames.
 */
static NOINLINE bool finish_slice(struct states *states, struct goroutine *g,
				  const struct event *event,
				  struct origin origin)
{
	uint64_t stack = origin.packed != 0 ? origin.stack : event->stack;
	struct observer *observer = states->observer;

	if (observer->profile != NULL && observer->filter == NULL &&
	    LIKELY(observe_known(
		    observer->profile, observer->slices, &g->slice, g->id,
		    event->ticks,
		    observe_length(observer, &g->slice, event->ticks), stack,
		    &g->entry)))
		return true;
	return gti_observe_profile(observer, &g->slice, g->id, event, origin,
				   &g->entry) ||
	       keep_slice(states, g, event, origin);
}

/* The rest of suspend(): EVENT may have no frames. */
static NOINLINE bool suspend_rare(struct states *states, struct goroutine *g,
				  const struct event *event, bool refused)
{
	struct origin origin = origin_none;

	if (!has_frames(states, event->stack))
		origin = origin_from_start(states, g);
	remember(states, g, event, origin);
	return refused || finish_slice(states, g, event, origin);
}

/* The rest of suspend(), see leave(). */
static ALWAYS_INLINE bool suspend_as(struct states *states, struct goroutine *g,
				     struct processor_state *p,
				     const struct event *event,
				     enum state state, const bool more)
{
	bool refused = leave(states, g, p, event, state, more);

	if (UNLIKELY(!has_dense_frames(states, event)))
		return suspend_rare(states, g, event, refused);
	remember_framed(g, event);
	return LIKELY(refused) || finish_slice(states, g, event, origin_none);
}

/* suspend() where more than slices is wanted. */
static NOINLINE bool suspend_for_more(struct states *states,
				      struct goroutine *g,
				      struct processor_state *p,
				      const struct event *event,
				      enum state state)
{
	if (states->blocks != NULL && state == WAITING)
		gti_states_block(states, g, event);
	else if (states->blocks != NULL)
		lives_go_on(&states->blocks->lives, &g->block.life, LIFE_READY,
			    event->ticks);
	return suspend_as(states, g, p, event, state, true);
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
	return suspend_as(states, g, p, event, state, false);
}

static NOINLINE HOT bool start(struct states *states, struct goroutine *g,
			       struct processor_state *p, struct event *event)
{
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
	g->state = RUNNING;
	p->g = event->g;
	if (g->is_new) {
		event->stack = g->first_stack;
		g->is_new = 0;
	}
	if (UNLIKELY(states->more))
		observe_pending_link(states->observer, &g->pending, event);
	observe_start(states->observer->slices, &g->slice, p->stop, event->g,
		      event, pending_origin(&g->pending), event->ticks);
	p->serial = g->slice.serial;
	g->pending.type = EV_NONE;
	if (UNLIKELY(states->wants_ready))
		return gti_states_started(states, g, event);
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
	if (observe_wants_labels(states->observer))
		gti_observe_label(&g->slice, label);
	if (states->collections != NULL) {
		g->works = 1;
		gti_work_label(states->collections, g->id, present_time(states),
			       label);
	}
	return true;
}

/* ---------------------------------------------------------------- events -- */

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
	census_goroutine(&states->observer->census);
	observe_event(states->observer, p->stop, event->ticks);
	created->exists = 1;
	created->state = RUNNABLE;
	created->is_new = 1;
	created->first_stack = UNLIKELY(states->is_1_5)
				       ? stack_of_pc(event->args[1])
				       : event->args[1];
	if (UNLIKELY(states->more)) {
		gti_states_begin(states, created);
		gti_states_ready(states, created, event, origin_none);
	}
	if (LIKELY(has_dense_frames(states, event)))
		return remember_framed(created, event);
	return remember(states, created, event, origin_none);
}

/* The rest of unblock() where more than slices is wanted. */
static NOINLINE bool unblock_for_more(struct states *states,
				      struct goroutine *target,
				      const struct event *event)
{
	struct origin origin = pending_origin(&target->pending);

	observe_pending_link(states->observer, &target->pending, event);
	if (states->wants_ready) {
		gti_states_unblock(states, target, event);
		gti_states_ready(states, target, event, origin);
		return remember(states, target, event, origin);
	}
	if (LIKELY(has_dense_frames(states, event)))
		return remember_framed(target, event);
	return remember(states, target, event, origin);
}

/* The rest of unblock(): TARGET becomes ready. */
static ALWAYS_INLINE bool be_unblocked(struct states *states,
				       struct goroutine *target,
				       const struct event *event)
{
	target->state = RUNNABLE;
	target->exists = 1;
	if (UNLIKELY(states->more))
		return unblock_for_more(states, target, event);
	if (LIKELY(has_dense_frames(states, event)))
		return remember_framed(target, event);
	return remember(states, target, event,
			pending_origin(&target->pending));
}

/* EVENT is none of the processor P, which writes it. */
static NOINLINE bool unblock_by_network(struct states *states,
					const struct processor_state *p,
					struct event *event)
{
	event->p = PROCESSOR_NETPOLL;
	observe_awake(p->stop, event->ticks);
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
	observe_event(states->observer, p->stop, event->ticks);
	return be_unblocked(states, target, event);
}

static NOINLINE bool enter_syscall(struct states *states, struct goroutine *g,
				   struct processor_state *p,
				   const struct event *event)
{
	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	observe_call(states->observer, &g->slice, p->stop, event->g, event,
		     event->ticks);
	observe_event(states->observer, p->stop, event->ticks);
	if (UNLIKELY(states->blocks != NULL))
		gti_states_block(states, g, event);
	return remember(states, g, event, origin_none);
}

/* The processor is taken from a goroutine in a system call. */
static NOINLINE bool block_in_syscall(struct states *states,
				      struct goroutine *g,
				      struct processor_state *p,
				      const struct event *event)
{
	bool refused;

	if (UNLIKELY(!runs_here(g, p, event)))
		return gti_states_fail_running(states, g, p, event);
	refused = leave(states, g, p, event, WAITING, states->more);
	if (UNLIKELY(states->blocks != NULL))
		gti_blocks_lose(states->blocks, &g->block, event->ticks);
	/* If its give-up comes next, the slice was in a system call. */
	if (p->stop != NULL) {
		p->stop->in_call = true;
		p->stop->bare.end = INT64_MAX;
	}
	return refused ||
	       finish_slice(states, g, event, origin_from_start(states, g));
}

static NOINLINE bool exit_syscall(struct states *states, struct goroutine *g,
				  const struct processor_state *p,
				  const struct event *event)
{
	struct origin origin = origin_none;

	if (UNLIKELY(g->state != WAITING))
		return gti_states_fail(states, event,
				       "g %" PRIu64
				       " is not waiting during syscall exit",
				       event->g);
	if (g->pending.type == EV_GO_SYS_CALL) {
		observe_link(states->observer, g->pending.ordinal,
			     event->ordinal);
		origin = g->pending.origin;
	}
	observe_event(states->observer, p->stop, event->ticks);
	g->state = RUNNABLE;
	gti_states_unblock(states, g, event);
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
	if (UNLIKELY(!leave(states, g, p, event, DEAD, states->more)) &&
	    !finish_slice(states, g, event,
			  event->type == EV_GO_END
				  ? origin_of_end(states, g)
				  : origin_from_start(states, g)))
		return false;
	states->observer->census.alive--;
	gti_states_take_back(states, g, event);
	if (UNLIKELY(states->blocks != NULL))
		gti_states_end(states, g, event);
	gti_states_end_regions(states, g, event);
	/* The record of goroutine UINT64_MAX is never reused. */
	g->exists = !states->goroutines->forget || event->g == ID_UNORDERED;
	g->is_new = 0;
	g->pending.type = EV_NONE;
	g->assist = 0;
	g->works = 0;
	g->slice.serial = 0;
	g->slice.start.ordinal = 0;
	observe_forget(states->observer, &g->slice);
	return true;
}

static NOINLINE bool change_heap(const struct states *states,
				 const struct processor_state *p,
				 const struct event *event)
{
	if (UNLIKELY(states->collections != NULL))
		collections_heap(states->collections, event->args[0], event->p);
	observe_event(states->observer, p->stop, event->ticks);
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
		return exit_syscall(states, g, p, event);
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
	case EV_HEAP_ALLOC:
		return change_heap(states, p, event);
	default:
		return gti_states_step_rare(states, g, p, event);
	}
}
