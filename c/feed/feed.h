/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.h - hands the transitions of a pass to the analyses that consume them.
 *
 * A format records transitions, which are collected in a batch. When the batch
 * is full, each consumer takes it: one loop over an array, which knows no
 * format. Nothing that a consumer does changes what the format does, so a
 * consumer may be one batch behind.
 *
 * Handles of stacks and strings are valid until end_generation() has been
 * called; after that a consumer must not use those that it has kept.
 */
#ifndef GTRACE_FEED_FEED_H_
#define GTRACE_FEED_FEED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "feed/actors.h"
#include "model/event.h"
#include "model/transition.h"

#define BATCH_TRANSITIONS 1024

struct batch_of_transitions {
	struct transition items[BATCH_TRANSITIONS];
	size_t count;
};

struct feed;
struct input;
struct beside;

/*
 * What an analysis does with the stream. Functions that are NULL are not
 * called. Without memory they set feed->failed.
 */
struct consumer {
	void *self;
	/* Takes the batch of FEED. */
	void (*take)(void *self, struct feed *feed);
	/* Handles are about to become those of other stacks and strings. */
	void (*end_generation)(void *self, struct feed *feed);
	/* There are no more transitions; the trace ends at NOW. */
	void (*finish)(void *self, struct feed *feed, int64_t now);
	/*
	 * In place of finish(), for one that also takes what comes after events
	 * are missing: there are no more transitions.
	 */
	void (*close)(void *self, struct feed *feed);
	/* The pass begins again. */
	void (*restart)(void *self);
	/* Frees what it has: nothing else is called after that. */
	void (*end)(void *self);
	/* Another thread may call take(), see beside.h. */
	bool beside;
};

#define CONSUMERS_MAX 8

struct feed {
	struct batch_of_transitions *batch; /* that is filled, or taken */
	size_t most; /* so many transitions are taken at once */
	struct actors goroutines, threads, processors;
	struct consumer consumers[CONSUMERS_MAX];
	size_t consumer_count;
	const struct clock *clock; /* of the transitions' times */
	/*
	 * The first status of a goroutine tells how it has been since then;
	 * INT64_MIN: since the status.
	 */
	int64_t origin;
	/*
	 * Returns the least time, as its thread wrote it, of the transitions to
	 * come, or an earlier one; INT64_MAX: it is not known. NULL: `now` of
	 * the last transition, as there are no threads.
	 */
	int64_t (*horizon)(const void *context);
	const void *context;
	bool finished; /* later transitions are for those with close() */
	bool failed;   /* there was no memory */
	/*
	 * Set by the format: ticks from which on events can be missing, and
	 * those at which the first thread has its last event in the file.
	 * INT64_MAX: nothing is missing.
	 */
	int64_t unfinished_since;
	int64_t complete_until;
	struct input *input;   /* see gti_feed_allow_beside() */
	size_t full;           /* batches that were taken */
	struct beside *beside; /* NULL: one thread takes all */
	struct batch_of_transitions own; /* the batch, then */
};

void gti_feed_init(struct feed *feed, const struct clock *clock,
		   const struct gtrace_allocator *memory);
void gti_feed_free(struct feed *feed);

/* Adds a consumer, which ends with FEED; CONSUMERS_MAX of them at most. */
void gti_feed_add(struct feed *feed, const struct consumer *consumer);

/*
 * Another thread may take batches for the consumers that allow it. INPUT, which
 * is guarded there, is what they look things up in.
 */
void gti_feed_allow_beside(struct feed *feed, struct input *input);

/* The pass is over, at its end or not: there is no other thread any more. */
void gti_feed_end_beside(struct feed *feed);

/* The other thread, if there is one, has taken all that was given to it. */
void gti_feed_wait(struct feed *feed);

/* Forgets all transitions: the pass begins again. */
void gti_feed_restart(struct feed *feed);

/* The consumers take what is in the batch. */
void gti_feed_flush(struct feed *feed);

/* The format is about to forget its stacks and strings. */
void gti_feed_end_generation(struct feed *feed);

/* The trace ends at NOW. Does nothing if it has ended. */
void gti_feed_finish(struct feed *feed, int64_t now);

/* The pass has come to its end, after that. */
void gti_feed_close(struct feed *feed);

/*
 * The slot of a goroutine, thread or processor with NUMBER, which its record
 * keeps in *SLOT.
 */
static inline uint32_t feed_slot(struct feed *feed, struct actors *actors,
				 uint32_t *slot, uint64_t number)
{
	if (UNLIKELY(*slot == 0)) {
		*slot = gti_actors_take(actors, number);
		feed->failed |= *slot == 0;
	}
	return *slot;
}

/*
 * The goroutine in SLOT has ended, which has been recorded, and its record does
 * not keep the slot any more.
 */
static inline void feed_release(struct feed *feed, uint32_t slot)
{
	if (slot != 0 && !gti_actors_release(&feed->goroutines, slot))
		feed->failed = true;
}

/* Whether some consumer also takes what comes after events are missing. */
static inline bool feed_goes_on(const struct feed *feed)
{
	size_t i;

	for (i = 0; i < feed->consumer_count; i++)
		if (feed->consumers[i].close != NULL)
			return true;
	return false;
}

/* The place of the next transition, which is in the stream once committed. */
static inline struct transition *feed_next(struct feed *feed)
{
	return &feed->batch->items[feed->batch->count];
}

static inline void feed_commit(struct feed *feed)
{
	if (UNLIKELY(++feed->batch->count == feed->most))
		gti_feed_flush(feed);
}

/* Adds a copy of TRANSITION to the stream. */
static inline void feed_record(struct feed *feed,
			       const struct transition *transition)
{
	*feed_next(feed) = *transition;
	feed_commit(feed);
}

/* After the last transition of the batch, which begins at feed->batch->items. */
static inline const struct transition *feed_end(const struct feed *feed)
{
	return feed->batch->items + feed->batch->count;
}

/* As feed->horizon, after transitions. */
static inline int64_t feed_horizon(const struct feed *feed)
{
	return feed->horizon != NULL
		       ? feed->horizon(feed->context)
		       : feed->batch->items[feed->batch->count - 1].now;
}

/* One thread at a time looks something up. FEED can be NULL. */
void gti_beside_lock(struct beside *beside, bool locks);

static inline void feed_lock(struct feed *feed)
{
	if (feed != NULL && feed->beside != NULL)
		gti_beside_lock(feed->beside, true);
}

static inline void feed_unlock(struct feed *feed)
{
	if (feed != NULL && feed->beside != NULL)
		gti_beside_lock(feed->beside, false);
}

#endif /* GTRACE_FEED_FEED_H_ */
