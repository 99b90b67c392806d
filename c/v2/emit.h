/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.h - records the transitions of events in the stream. */
#ifndef GTRACE_V2_EMIT_H_
#define GTRACE_V2_EMIT_H_

#include "v2/states.h"

/* An event of THREAD, which it makes with what it has now, is tried. */
void gti_v2_emit_before(struct states *states, struct thread *thread);

/*
 * EVENT has advanced; see gti_v2_emit_before(). FRAMED says whether its stack
 * has frames. It is in the stream, with what the event changes.
 */
void gti_v2_emit(struct states *states, const struct event *event, bool framed);

/* EVENT, a CPU sample, is in the stream. */
void gti_v2_emit_sample(struct states *states, const struct event *event);

/* The event that ends GOROUTINE is missing: it has ended with the last event.
 */
void gti_v2_emit_lost(struct states *states, struct goroutine *goroutine);

/*
 * Records the COUNT events at EVENT, of one step, if its OUTCOME is that they
 * have advanced. FRAMED is of the first. Returns OUTCOME.
 */
static ALWAYS_INLINE enum outcome
emit_step(struct states *states, const struct event *event, unsigned count,
	  bool framed, enum outcome outcome, const enum pass_kind kind)
{
	unsigned i;

	if (pass_feed(&states->to, kind) == NULL || outcome != ADVANCED)
		return outcome;
	for (i = 0; i < count; i++) {
		/* So that the event can be in registers before. */
		struct event copy = event[i];

		gti_v2_emit(states, &copy, framed && i == 0);
	}
	return outcome;
}

#endif /* GTRACE_V2_EMIT_H_ */
