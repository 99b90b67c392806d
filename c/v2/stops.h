/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.h - reports events to the analysis of stops of the world. */
#ifndef GTRACE_V2_STOPS_H_
#define GTRACE_V2_STOPS_H_

#include "v2/states.h"

struct order;

/* Prepares observer->stops, if that is wanted, for the events of ORDER. */
void gti_v2_stops_init(struct observer *observer, const struct order *order);

/*
 * Takes the events of the last step, which were just handed out. Returns false
 * if the observer ends the pass.
 */
bool gti_v2_stops_take(const struct states *states);

/* The same if the first of them is not frequent. */
bool gti_v2_stops_take_rare(const struct states *states);

/* EVENT takes the goroutine off P, if one was seen to start there. */
static ALWAYS_INLINE void stops_note_leave(struct stop_processor *p,
					   const struct event *event,
					   int64_t time)
{
	if (UNLIKELY(!stops_runs(p)))
		return;
	stops_leave(p, event, time);
	p->slice.offset = event->offset;
}

/* A goroutine leaves its processor for another one. */
static ALWAYS_INLINE void stops_note_switch(struct stop_processor *p,
					    const struct event events[3],
					    int64_t time)
{
	stops_note_leave(p, &events[1], time);
	stops_start(p, events[2].args[0], time);
}

/* The goroutine is in a system call on its processor from now on. */
static ALWAYS_INLINE void stops_note_call(struct stop_processor *p,
					  const struct event *event,
					  int64_t time)
{
	stops_call(p, event->g, event->stack, time);
	p->in_call = stops_runs(p);
}

/*
 * gti_v2_stops_take() for an event of TYPE, or of any type that is not
 * frequent. If it has a processor, that is PROCESSOR. Does not set the time of
 * the last event, which only the end of a pass and rare events need.
 */
static ALWAYS_INLINE bool stops_take(const struct states *states,
				     const struct event event[3],
				     const struct processor *processor,
				     enum event_type type)
{
	int64_t time = states->written;

	switch (type) {
	case EV_GO_START:
		stops_start(processor->stop, event->args[0], time);
		return true;
	case EV_GO_STOP:
	case EV_GO_BLOCK:
	case EV_GO_DESTROY:
		stops_note_leave(processor->stop, event, time);
		return true;
	case EV_GO_SWITCH:
		stops_note_switch(processor->stop, event, time);
		return true;
	case EV_GO_SYSCALL_BEGIN:
		stops_note_call(processor->stop, event, time);
		return true;
	case EV_GO_SYSCALL_END:
		processor->stop->in_call = false;
		return true;
	case EV_GO_CREATE:
	case EV_GO_UNBLOCK:
	case EV_HEAP_ALLOC:
	case EV_USER_TASK_BEGIN:
	case EV_USER_TASK_END:
	case EV_USER_REGION_BEGIN:
	case EV_USER_REGION_END:
	case EV_USER_LOG:
		return true;
	default:
		return gti_v2_stops_take_rare(states);
	}
}

#endif /* GTRACE_V2_STOPS_H_ */
