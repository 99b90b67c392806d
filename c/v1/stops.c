/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c - reports events to the analysis of stops of the world. */
#include "v1/stops.h"

#include <string.h>

#include "v1/rules.h"

/* No event to come is earlier than the last one. */
static int64_t horizon(const void *context)
{
	const struct states *states = context;

	return states->last_ticks;
}

void gti_v1_stops_init(const struct states *states)
{
	unsigned version = states->index->rules.version;
	struct stops *stops = states->observer->stops;

	stops->format = (struct stops_format){
		.infers = version < VERSION_STW_NAMES,
		.begins = version >= VERSION_STW_KIND,
		.stack_at_mark = true,
		.preempt = EV_GO_PREEMPT,
		.horizon = horizon,
		.context = states,
	};
}

static void begin(struct stops *stops, const struct stop_processor *p,
		  const struct event *event)
{
	uint64_t number = event->args[0];
	const char *kind;

	/* Before version 1.21 mark termination is 0, sweep termination 1. */
	if (stops->format.infers)
		number = number == 0 ? 1 : 2;
	kind = gti_stw_reasons[number < STW_REASON_TEST ? number : 0];
	/* The event's goroutine is 0. */
	gti_stops_begin(stops, p, stops_runs(p) ? p->slice.g : 0, p->thread,
			kind, strlen(kind), event, event->ticks);
}

bool gti_v1_stops_step_first(struct states *states, struct processor_state *p,
			     struct event *event)
{
	p->stop = stops_processor(states->stops, event->p);
	return gti_states_step_for_stops(states, event);
}

bool gti_v1_stops_take(struct states *states, struct stop_processor *p,
		       const struct event *event)
{
	struct stops *stops = states->stops;
	int64_t time = event->ticks;

	switch (event->type) {
	case EV_GOMAXPROCS:
		gti_stops_mark(stops, p, event->args[0], event, time);
		break;
	case EV_STW_START:
		if (stops->format.begins)
			begin(stops, p, event);
		break;
	case EV_STW_DONE:
		if (stops->format.begins)
			gti_stops_end(stops, time);
		break;
	case EV_GC_START:
		/* It was given another processor. */
		return true;
	default:
		break;
	}
	stops_note(states, p, event);
	return stops_go_on(states);
}
