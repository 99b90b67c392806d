/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.h - what the step of an event is given, to report its transitions to the
 * analyses that are wanted.
 */
#ifndef GTRACE_ANALYSIS_STEP_H_
#define GTRACE_ANALYSIS_STEP_H_

#include "analysis/ended.h"

/*
 * What a pass is for. This is a constant argument of the functions of steps, so
 * that each kind of pass has code of its own.
 */
enum pass_kind {
	PASS_FOR_SLICES, /* slices alone, without names */
	PASS_RECORDS,    /* anything that is wanted but links */
	PASS_CAREFUL     /* anything; some events may not be reported */
};

/* The analyses that transitions are reported to now; NULL: not wanted. */
struct analyses {
	struct observer *observer;
	struct slices *slices;
	/* That of the observer, if it takes all slices by length. */
	struct profile *profile;
	bool takes_all; /* all slices matter, not only the longest */
	struct waits *waits;
	struct feed *feed;
	/* In a careful pass: the event of this step is not reported. */
	bool withheld;
};

/* The thread, processor and goroutine of an event. */
struct event_ids {
	int64_t m;
	int64_t p;
	uint64_t g;
};

/*
 * A goroutine: where the records of the format have what the analyses keep of
 * it. As functions are inlined, only what is needed is read.
 */
struct actor {
	const uint64_t *g;
	struct pending *pending;
	struct waiter *waiter; /* if waits are wanted */
	/* Of one that runs: its slice, and on which processor that is. */
	struct running_slice *slice;
	const int64_t *p;
	uint32_t *entry;                 /* its NEAR, see profile_add_known() */
	const struct own_stacks *stacks; /* see observe_needs_own() */
	void *record;                    /* see observer->owner() */
	/* Of the event that ends the slice, unless that has ids; or NULL. */
	const struct event_ids *ids;
};

/* EVENT makes a transition of WHO, in a pass of KIND, a constant. */
struct step {
	struct analyses *to;
	struct actor who;
	const struct event *event;
	int64_t now; /* in the order of events, see waits_time() */
	enum pass_kind kind;
};

/* Prepares to report to what OBSERVER has, which outlives ANALYSES. */
static inline void analyses_init(struct analyses *to, struct observer *observer)
{
	*to = (struct analyses){
		.observer = observer,
		.slices = observer->slices,
		.takes_all =
			observer->profile != NULL || observer->oncpu != NULL,
		.waits = observer->waits,
		.feed = observer->feed,
	};
	if (observer->filter == NULL && observer->oncpu == NULL)
		to->profile = observer->profile;
}

/* ------------------------------------------- what a kind of pass is for -- */

static ALWAYS_INLINE bool pass_has_links(const enum pass_kind kind)
{
	return kind == PASS_CAREFUL;
}

/* Whether the event of this step is not reported. */
static ALWAYS_INLINE bool is_withheld(const struct analyses *to,
				      const enum pass_kind kind)
{
	return kind == PASS_CAREFUL && to->withheld;
}

/* The analysis of waits; NULL if a pass of KIND does not report to it. */
static ALWAYS_INLINE struct waits *pass_waits(const struct analyses *to,
					      const enum pass_kind kind)
{
	return kind >= PASS_RECORDS && !is_withheld(to, kind) ? to->waits
							      : NULL;
}

/* The stream that the transitions of this step are recorded in. */
static ALWAYS_INLINE struct feed *pass_feed(const struct analyses *to,
					    const enum pass_kind kind)
{
	return kind >= PASS_RECORDS && !is_withheld(to, kind) ? to->feed : NULL;
}

#endif /* GTRACE_ANALYSIS_STEP_H_ */
