/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * beside.h - takes batches for some consumers on a thread of its own, beside the
 * one that the format runs on.
 *
 * A batch is given to the thread, and the format fills another one. These
 * consumers see a feed that has nothing but the batch, the numbers that its
 * slots stand for, the clock and the origin, each as it was when the batch was
 * given: what they find does not depend on when they take it. At the end of a
 * generation, and of the trace, the format waits until all batches are taken, so
 * all other functions of consumers are called by its thread.
 *
 * What a consumer looks up meanwhile, it does between feed_lock() and
 * feed_unlock(), as the format's thread does.
 */
#ifndef GTRACE_FEED_BESIDE_H_
#define GTRACE_FEED_BESIDE_H_

#include "feed/feed.h"

/*
 * Starts the thread for the consumers of FEED that may be beside, and sets
 * feed->beside. Leaves it NULL if there is no thread, or no memory.
 */
void gti_beside_start(struct feed *feed);

/* Gives the batch of FEED, which stays as it is, to the thread. */
void gti_beside_give(struct feed *feed);

/* Waits for a batch that is not in use. */
struct batch_of_transitions *gti_beside_next(struct beside *beside);

/* Waits until all batches are taken. */
void gti_beside_wait(struct feed *feed);

/* Forgets all transitions, as the pass begins again. */
void gti_beside_restart(struct feed *feed);

/* Takes what was given, and ends the thread of FEED. */
void gti_beside_end(struct feed *feed);

#endif /* GTRACE_FEED_BESIDE_H_ */
