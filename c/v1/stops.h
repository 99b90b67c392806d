/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops.h - reports events to the analysis of stops of the world.
 *
 * A frequent event is reported before its step, because the step is a tail
 * call. If the step then finds a fault, the pass ends, and what was reported
 * does not matter.
 */
#ifndef GTRACE_V1_STOPS_H_
#define GTRACE_V1_STOPS_H_

#include "v1/states.h"

/* Prepares states->observer->stops. */
void gti_v1_stops_init(const struct states *states);

/*
 * gti_states_step_for_stops() for the first EVENT on P, whose record in the
 * analysis of stops is still to be looked up.
 */
bool gti_v1_stops_step_first(struct states *states, struct processor_state *p,
			     struct event *event);

/*
 * Takes EVENT, a rare one on the processor P, which has been checked and
 * completed. Returns false if the observer ends the pass.
 */
bool gti_v1_stops_take(struct states *states, struct stop_processor *p,
		       const struct event *event);

/* EVENT, on the processor P, changes no slice. */
static ALWAYS_INLINE void stops_note(const struct states *states,
				     struct stop_processor *p,
				     const struct event *event)
{
	p->in_call = false;
	stops_event(states->stops, p, event->ticks);
}

static ALWAYS_INLINE void stops_note_start(struct stop_processor *p,
					   const struct event *event)
{
	stops_start(p, event->g, event->ticks);
}

static ALWAYS_INLINE void stops_note_leave(struct stop_processor *p,
					   const struct event *event)
{
	stops_leave(p, event, event->ticks);
}

/* An unblock by the network poller is not on the processor that writes it. */
static ALWAYS_INLINE void stops_note_unblock(const struct states *states,
					     struct stop_processor *p,
					     const struct event *event)
{
	const struct goroutine *target = event->target_record;

	if (LIKELY(target->pending.type != EV_GO_BLOCK_NET))
		stops_note(states, p, event);
}

/* Returns whether the pass goes on. */
static ALWAYS_INLINE bool stops_go_on(const struct states *states)
{
	if (LIKELY(!states->stops->ended))
		return true;
	states->observer->ended = true;
	return false;
}

/* A thread takes the processor. Returns whether the pass goes on. */
static ALWAYS_INLINE bool stops_note_hold(const struct states *states,
					  struct stop_processor *p,
					  const struct event *event)
{
	stops_hold(states->stops, p, (int64_t)event->args[0], event->ticks);
	stops_event(states->stops, p, event->ticks);
	return stops_go_on(states);
}

/*
 * The thread gives the processor up; if the last event on it was a GoSysBlock,
 * that ended its slice in a system call. Returns whether the pass goes on.
 */
static ALWAYS_INLINE bool stops_note_give_up(const struct states *states,
					     struct stop_processor *p,
					     const struct event *event)
{
	bool in_call = p->in_call && p->slice.type == EV_GO_SYS_BLOCK;

	gti_stops_give_up(states->stops, p, EV_PROC_STOP, in_call,
			  event->ticks);
	return stops_go_on(states);
}

/* A system call begins; or the processor is taken from one that blocks. */
static inline void stops_note_call(const struct states *states,
				   struct stop_processor *p,
				   const struct event *event)
{
	if (event->type == EV_GO_SYS_CALL) {
		stops_call(p, event->g, event->stack, event->ticks);
		stops_note(states, p, event);
		return;
	}
	stops_note_leave(p, event);
	/* If its give-up comes next, the slice was in a system call. */
	p->in_call = true;
}

#endif /* GTRACE_V1_STOPS_H_ */
