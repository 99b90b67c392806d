/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.c - records the transitions of rare events in the stream. */
#include "v2/emit.h"

void gti_v2_emit(struct states *states, const struct event *event, bool framed)
{
	emit_event(states, event, event->type, framed);
}

void gti_v2_emit_task_name(struct states *states, const struct event *event)
{
	const struct transition to = {
		.now = event->ticks,
		.written = states->written,
		.offset = event->offset,
		.arg = event->args[2],
		.g = states->before.g,
		.by = states->before.g,
		.m = states->before.m,
		.p = states->before.p,
		.kind = TRANSITION_TASK_NAME,
		.type = (uint8_t)event->type,
	};

	feed_record(states->to.feed, &to);
}

void gti_v2_emit_loser(struct states *states, struct transition *to)
{
	if (to->kind == TRANSITION_STEAL)
		to->arg = states->loser;
	else if (to->kind != TRANSITION_GIVE_UP &&
		 to->kind != TRANSITION_STATUS &&
		 to->kind != TRANSITION_CREATE_IN_CALL)
		return;
	to->flags |= TRANSITION_LOSES;
	states->loser = 0;
}

void gti_v2_emit_sample(struct states *states, const struct event *event)
{
	const struct transition to = {
		.now = event->ticks,
		.written = states->written,
		.offset = event->offset,
		.stack = states->framed ? event->stack : 0,
		.arg = (uint64_t)event->p,
		.kind = TRANSITION_SAMPLE,
		.type = EV_CPU_SAMPLE,
	};
	struct feed *feed = states->to.feed;
	struct transition sample = to;
	struct goroutine *goroutine = find_goroutine(states, event->g);
	struct processor *processor =
		find_processor(states, (uint64_t)event->p);

	sample.m = emit_thread(states, event->m);
	if (exists(goroutine))
		sample.by = emit_goroutine(feed, goroutine);
	sample.g = sample.by;
	if (processor != NULL)
		sample.p = emit_processor(feed, processor);
	feed_record(feed, &sample);
}

void gti_v2_emit_lost(struct states *states, struct goroutine *goroutine)
{
	const struct transition to = {
		.now = states->last_time,
		.written = states->last_time,
		.g = emit_goroutine(states->to.feed, goroutine),
		.kind = TRANSITION_END,
	};

	feed_record(states->to.feed, &to);
	feed_release(states->to.feed, to.g);
}
