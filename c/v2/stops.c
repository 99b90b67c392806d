/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c - reports events to the analysis of stops of the world. */
#include "v2/stops.h"

#include "v2/order.h"
#include "v2/trace.h"

/* The next events of all threads are in a heap by time. */
static int64_t horizon(const void *context)
{
	const struct order *order = context;

	return order->heap.count != 0 ? order->heap.items[0].key : INT64_MAX;
}

void gti_v2_stops_init(struct observer *observer, const struct order *order)
{
	if (observer->stops == NULL)
		return;
	observer->stops->format = (struct stops_format){
		.begins = true,
		.total_to_mark = true,
		.horizon = horizon,
		.context = order,
	};
}

static const struct thread *thread_of(const struct states *states, int64_t m)
{
	return m != NO_THREAD ? ids_find(&states->threads, (uint64_t)m) : NULL;
}

/* The goroutine of THREAD is on its processor, if it has both. */
static void be_on(struct stops *stops, const struct thread *thread)
{
	if (thread == NULL || thread->p == NO_PROC || thread->g == NO_GOROUTINE)
		return;
	gti_stops_be_on(stops_processor(stops, thread->p), thread->g,
			thread->goroutine->status == GO_SYSCALL);
}

/* Only the low 8 bits of a status in the file count. */
#define STATUS_MASK 255

static void proc_status(const struct states *states, const struct event *event)
{
	struct stops *stops = states->stops;
	unsigned status = event->args[1] & STATUS_MASK;

	if (status != PROC_RUNNING && status != PROC_SYSCALL &&
	    status != PROC_SYSCALL_ABANDONED)
		return;
	gti_stops_be_held(stops_processor(stops, (int64_t)event->args[0]),
			  event->m);
	if (status != PROC_SYSCALL_ABANDONED)
		be_on(stops, thread_of(states, event->m));
}

static void go_status(const struct states *states, const struct event *event)
{
	unsigned status = event->args[2] & STATUS_MASK;

	if (status == GO_RUNNING || status == GO_SYSCALL)
		be_on(states->stops, thread_of(states, event->m));
}

static void begin(const struct states *states, const struct event *event)
{
	struct stops *stops = states->stops;
	struct gtrace_string kind =
		gti_v2_text(states->generation, event->args[0]);

	/* As the runtime calls a stop for no known reason. */
	if (kind.size == 0)
		kind = (struct gtrace_string){"unknown", 7};
	gti_stops_begin(stops, stops_processor(stops, event->p), event->g,
			event->m, kind, event, states->written);
}

bool gti_v2_stops_take(const struct states *states)
{
	const struct event *event = &states->events[0];
	const struct processor *processor =
		find_processor(states, (uint64_t)event->p);

	if (event->type != EV_SYNC)
		states->stops->last = states->written;
	return stops_take(states, event, processor, event->type);
}

bool gti_v2_stops_take_rare(const struct states *states)
{
	const struct event *event = &states->events[0];
	int64_t time = states->written;
	struct stops *stops = states->stops;
	struct stop_processor *p;

	if (event->type != EV_SYNC)
		stops->last = time;
	switch (event->type) {
	case EV_GO_SWITCH_DESTROY:
		stops_note_switch(stops_processor(stops, event->p), event,
				  time);
		return true;
	case EV_PROC_START:
		p = stops_processor(stops, (int64_t)event->args[0]);
		stops_hold(stops, p, event->m, time);
		break;
	case EV_PROC_STOP:
		p = stops_processor(stops, event->p);
		gti_stops_give_up(stops, p, EV_PROC_STOP,
				  stops_runs(p) && p->in_call, time);
		break;
	case EV_PROC_STEAL:
		p = stops_processor(stops, (int64_t)event->args[0]);
		gti_stops_give_up(stops, p, EV_PROC_STEAL, stops_runs(p), time);
		break;
	case EV_PROC_STATUS:
		proc_status(states, event);
		return true;
	case EV_GO_STATUS:
	case EV_GO_STATUS_STACK:
		go_status(states, event);
		return true;
	case EV_GO_SYSCALL_END_BLOCKED:
		if (event->p != NO_PROC)
			stops_processor(stops, event->p)->in_call = false;
		return true;
	case EV_STW_BEGIN:
		begin(states, event);
		break;
	case EV_STW_END:
		gti_stops_end(stops, time);
		break;
	case EV_PROCS_CHANGE:
		gti_stops_mark(stops, stops_processor(stops, event->p),
			       event->args[0], event, time);
		break;
	default:
		return true;
	}
	if (LIKELY(!stops->ended))
		return true;
	states->observer->ended = true;
	return false;
}
