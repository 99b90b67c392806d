/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.h - reports events to the analysis of stops of the world. */
#ifndef GTRACE_V2_STOPS_H_
#define GTRACE_V2_STOPS_H_

#include "v2/states.h"

struct order;

/* Prepares observer->stops, if that is wanted, for the events of ORDER. */
void gti_v2_stops_init(struct observer *observer, const struct order *order);

/*
 * Takes the events of the last step. Returns false if the observer ends the
 * pass.
 */
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

/*
 * The same, quickly for frequent types. BYTE is the type byte of the event that
 * made the step; 0 if there was none, or if it is not known.
 */
static ALWAYS_INLINE bool stops_take(const struct states *states, uint8_t byte)
{
	const struct event *event = &states->events[0];
	int64_t time = states->written;
	struct stops *stops = states->stops;

	switch (byte) {
	case BYTE_GO_START:
		stops->last = time;
		stops_start(stops_processor(stops, event->p), event->args[0],
			    time);
		return true;
	case BYTE_GO_STOP:
	case BYTE_GO_BLOCK:
	case BYTE_GO_DESTROY:
		stops->last = time;
		stops_note_leave(stops_processor(stops, event->p), event, time);
		return true;
	case BYTE_GO_UNBLOCK:
		stops->last = time;
		return true;
	default:
		return gti_v2_stops_take_rare(states);
	}
}

#endif /* GTRACE_V2_STOPS_H_ */
