/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * missing.h - continues where events are missing.
 *
 * In an unfinished generation the last events of some threads are not in the
 * file, and events of other threads wait for them, or contradict what is known
 * without them. These functions change the states to what the missing events
 * must have led to.
 */
#ifndef GTRACE_V2_MISSING_H_
#define GTRACE_V2_MISSING_H_

#include "v2/states.h"

/*
 * EVENT of THREAD waits, and so do all other events. Returns whether it may
 * advance now. If there is no memory, returns false and fills states->error.
 */
bool gti_v2_missing_waits(struct states *states, struct thread *thread,
			  const struct event *event);

/*
 * EVENT contradicts the events before it. Returns whether it may advance now.
 * If there is no memory, returns false and fills states->error.
 */
bool gti_v2_missing_contradicts(struct states *states,
				const struct event *event);

#endif /* GTRACE_V2_MISSING_H_ */
