/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * observe.h - the hooks that a format's state machine calls.
 *
 * Each format keeps its own states and checks, because the checks decide the
 * order of its events. What the formats share are the transitions: a goroutine
 * starts or leaves its processor, a processor is held or given up, an event
 * leads to a later one. The step that makes a transition calls its hook once.
 * A hook whose result is not wanted costs one test.
 */
#ifndef GTRACE_ANALYSIS_OBSERVE_H_
#define GTRACE_ANALYSIS_OBSERVE_H_

#include <stdbool.h>
#include <stdint.h>

#include "analysis/clocks.h"
#include "analysis/filter.h"
#include "analysis/inside.h"
#include "analysis/machine.h"
#include "analysis/origin.h"
#include "analysis/profile.h"
#include "analysis/slices.h"
#include "analysis/waits_hooks.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/oncpu.h"
#include "base/times.h"
#include "feed/feed.h"
#include "model/event.h"

/* What is done with the stacks that were met in a pass. */
struct settling {
	/*
	 * The format is about to forget the stacks of the events so far.
	 * Returns false if there is no memory.
	 */
	bool (*settle)(void *context);
	/* The pass begins again. */
	void (*restart)(void *context);
};

/* What is counted in every pass. Times are in ticks. */
struct census {
	int64_t seen;    /* goroutines, those from before the trace too */
	int64_t initial; /* those from before the trace */
	int64_t alive;
	int64_t most;    /* alive at once */
	bool wraps;      /* a time after the greatest one is the least one */
	uint64_t events; /* set at the end of the pass */
	int64_t last;    /* time of the last event, likewise */
	uint64_t collections;
	bool collecting;
	int64_t since;      /* when the present collection began */
	uint64_t collected; /* sum of all collections, in nanoseconds */
};

/* There is one more goroutine. */
static inline void census_goroutine(struct census *census)
{
	census->seen++;
	if (++census->alive > census->most)
		census->most = census->alive;
}

/* The thread, processor and goroutine of a slice that ends. */
struct slice_owner {
	int64_t m;
	int64_t p;
	uint64_t g;
	/*
	 * The goroutine began in the outermost function of this stack. 0: it is
	 * not known.
	 */
	uint64_t first_stack;
	struct last_event last; /* in_call: it is in a system call */
	bool in_call;           /* which the trace times */
	uint32_t *entry; /* the goroutine's NEAR, see profile_add_known() */
};

/* No event is at this time. */
#define ORIGIN_UNKNOWN INT64_MIN

/* What one pass over a trace is to compute. Zero: nothing. */
struct observer {
	const struct gtrace_allocator *memory;
	/* Analyses; NULL: not wanted. */
	struct slices *slices;
	struct waits *waits;     /* slices are set, too */
	struct machine *machine; /* inside, or feed if it collects, is set */
	struct feed *feed;       /* all transitions, in final order */
	bool times_calls; /* set by observe_begin(): system calls matter */
	struct insides *inside;  /* what happens inside slices */
	struct filter *filter;   /* of slices; NULL: all of them */
	struct profile *profile; /* of all slices; NULL: not wanted */
	struct oncpu *oncpu;     /* NULL: there is no scheduling record */
	bool by_cpu; /* its times rank slices, or are those of the profile */
	/* Called with `settle_context`. NULL: not wanted. */
	const struct settling *settling;
	void *settle_context;
	struct census census;
	/*
	 * Called for every collection as it ends, in nanoseconds, with
	 * each_context. Returns false to end the pass. NULL: not wanted.
	 */
	bool (*each_collection)(void *context, int64_t begin, int64_t end);
	/*
	 * By ordinal of an event: the ordinal of the event it links to, 0 if
	 * there is none. The format allocates them with gti_observe_links() if
	 * wants_links is set; otherwise link_count is 0.
	 */
	bool wants_links;
	uint64_t *links;
	uint64_t link_count;
	/*
	 * Called with CONTEXT for every slice as it ends. Returns false to end
	 * the pass without an error. NULL: not wanted; otherwise `slices`, if
	 * they are wanted, keep none.
	 */
	bool (*each_slice)(void *context, const struct slice *slice);
	/*
	 * Called for every generation that is complete when all of its events
	 * have been observed, the last one at LAST. Returns false to end the
	 * pass without an error. NULL: not wanted.
	 */
	bool (*each_generation)(void *context,
				const struct generation_place *place,
				int64_t last);
	void *each_context;
	bool ended;          /* one of these, or who a consumer told, ends it */
	struct clock clock;  /* set by the format before its first event */
	int64_t known_until; /* see gti_observe_end_sums() */
	/*
	 * When the extent of the trace begins, in ticks: what began before the
	 * trace counts from here on. ORIGIN_UNKNOWN: it is not known yet, or
	 * not needed.
	 */
	int64_t origin;
	/*
	 * Set by the format: a bit for each type of event that ends slices in
	 * system calls.
	 */
	uint64_t call_ends;
	struct clock_changes clocks;
	/* Set by the format: least serial of the slices that still run. */
	uint64_t (*oldest_slice)(const void *context);
	/* And whose slice it is that RECORD, one of the format, has. */
	struct slice_owner (*owner)(const void *context, void *record);
	const void *context;
};

/* Whether an event of TYPE ends slices in system calls. */
static inline bool observe_ends_call(const struct observer *observer,
				     uint32_t type)
{
	return (observer->call_ends >> type & 1) != 0;
}

/* An event that links to a later one: the next start of a goroutine, say. */
struct pending {
	uint64_t ordinal;
	struct origin origin; /* of the event that it links to */
	uint32_t type;        /* 0: no event is pending */
};

/* A slice that has started and not ended. */
struct running_slice {
	uint64_t serial; /* 0: slices are not wanted, or none has started */
	struct event_ref start;
	/*
	 * What happened inside the slice that the event with the ordinal
	 * inside_of starts; in another slice nothing has happened yet.
	 */
	uint64_t inside_of;
	struct inside inside;
	int64_t call_since; /* ticks, of the last system call */
	/* Of the slice that the event with the ordinal worker_of starts. */
	uint64_t worker_of;
	unsigned gc_worker; /* see struct gtrace_slice */
	/*
	 * Of the slice that the event with the ordinal asked_of starts: when it
	 * requested a stop that has not ended, in ticks, or TIME_NONE; and the
	 * nanoseconds from its requests to the ends of the others.
	 */
	uint64_t asked_of;
	int64_t asks_since;
	uint64_t asked;
	struct slice_wait wait;
};

void gti_observer_free(struct observer *observer);

/* Forgets what was found: the pass begins again. */
void gti_observer_restart(struct observer *observer);

/* The pass begins, and the first event is at TICKS. */
static inline void observe_begin(struct observer *observer, int64_t ticks)
{
	observer->clock.first_ticks = ticks;
	observer->known_until = INT64_MAX;
	observer->origin = ORIGIN_UNKNOWN;
	clock_changes_begin(&observer->clocks);
	observer->times_calls =
		observer->inside != NULL || observer->waits != NULL;
	if (observer->machine != NULL)
		gti_machine_begin(observer->machine, &observer->clock);
	if (observer->slices != NULL)
		observer->slices->first_ticks = ticks;
	if (observer->waits != NULL)
		gti_waits_first(observer->waits, ticks);
	if (observer->oncpu != NULL && !observer->oncpu->since_first)
		observer->oncpu->first = add_ns(ticks, observer->oncpu->offset);
}

/* Whether it matters when the extent of the trace begins. */
static inline bool observe_needs_origin(const struct observer *observer)
{
	return observer->waits != NULL || observer->profile != NULL ||
	       observer->feed != NULL || observer->each_collection != NULL;
}

/*
 * The frequency of the clock changes between the events at BEFORE and AT, where
 * times jump by JUMP. All are in nanoseconds, and ticks.
 */
void gti_observe_clock_change(struct observer *observer, int64_t before,
			      int64_t at, int64_t jump);

/* The extent of the trace begins at TICKS, with an event. */
void gti_observe_origin(struct observer *observer, int64_t ticks);

/* Since when goes on what the event at TICKS says was so before the trace. */
static inline int64_t observe_since_origin(const struct observer *observer,
					   int64_t ticks)
{
	return observer->origin != ORIGIN_UNKNOWN ? observer->origin : ticks;
}

/*
 * Allocates the links from events with ordinals up to COUNT, if links are
 * wanted. Returns false if there is no memory.
 */
bool gti_observe_links(struct observer *observer, uint64_t count);

/* The event FROM links to the event TO. FROM 0: does nothing. */
static inline void observe_link(const struct observer *observer, uint64_t from,
				uint64_t to)
{
	if (UNLIKELY(from - 1 < observer->link_count))
		observer->links[from] = to;
}

static inline void event_ref_set(struct event_ref *ref,
				 const struct event *event,
				 struct origin origin)
{
	ref->offset = event->offset;
	ref->ordinal = event->ordinal;
	ref->ticks = event->ticks;
	ref->m = event->m;
	ref->p = event->p;
	ref->g = event->g;
	ref->stack = event->stack;
	ref->type = event->type;
	ref->origin = origin;
}

/* Ends the pass unless it GOES_ON. Returns that. */
static inline bool observe_waits_go_on(struct observer *observer, bool goes_on)
{
	if (UNLIKELY(!goes_on))
		observer->ended = true;
	return goes_on;
}

/*
 * A stop-the-world pause begins with an event at TICKS, or ends, which its
 * thread WROTE at another time. RUNNING is the slice of who stops the world;
 * NULL: it is not known.
 */
void gti_observe_stop(struct observer *observer, struct running_slice *running,
		      int64_t ticks, int64_t written);
void gti_observe_stop_end(struct observer *observer,
			  struct running_slice *running, int64_t ticks,
			  int64_t written);

/*
 * There are PROCS processors from TICKS on. Returns whether the pass goes on.
 */
bool gti_observe_procs(struct observer *observer, uint64_t procs,
		       int64_t ticks);

/* Whether RUNNING has a label that says what it is. */
static inline bool observe_is_labelled(const struct running_slice *running)
{
	return running->worker_of == running->start.ordinal;
}

/* Whether labels of slices matter. */
static inline bool observe_wants_labels(const struct observer *observer)
{
	return observer->inside != NULL || observer->profile != NULL;
}

/* RUNNING has LABEL, which may be the mode of a worker of the collector. */
void gti_observe_label(struct running_slice *running,
		       struct gtrace_string label);

/* Something happens inside RUNNING for the first time. */
void gti_observe_first(const struct observer *observer,
		       struct running_slice *running);

/* Returns what happened inside RUNNING; observer->times_calls is set. */
static inline struct inside *observe_inside(const struct observer *observer,
					    struct running_slice *running)
{
	if (UNLIKELY(running->inside_of != running->start.ordinal))
		gti_observe_first(observer, running);
	return &running->inside;
}

/* EVENT is a CPU sample in RUNNING; observer->inside is set. */
bool gti_observe_sample(const struct observer *observer,
			struct running_slice *running,
			const struct event *event);

/* What RUNNING is kept in will be used for something else. */
static inline void observe_forget(const struct observer *observer,
				  struct running_slice *running)
{
	if (UNLIKELY(observer->inside != NULL))
		inside_free_samples(observer->inside, &running->inside);
}

/*
 * Whether it matters in which function the goroutine of a slice began, and
 * where it was last.
 */
static inline bool observe_needs_own(const struct observer *observer)
{
	return observer->inside != NULL || observer->waits != NULL ||
	       observer->profile != NULL ||
	       (observer->filter != NULL && observer->filter->by_names);
}

/* A silence, while the slices that run are walked over. */
struct silence_walk {
	const struct observer *observer;
	const struct silence *silence;
};

/*
 * RUNNING, of the thread with this id or -1, runs during the silence of WALK,
 * outside of system calls, and it is known whether the runtime preempts it.
 */
void gti_observe_silent(const struct silence_walk *walk,
			struct running_slice *running, int64_t thread);

/*
 * No thread writes an event between two times, in ticks. If the pass does not
 * collect silences, WALK calls gti_observe_silent() for each slice that runs.
 * GOES_ON: see TRANSITION_GOES_ON.
 */
void gti_observe_silence(const struct observer *observer, int64_t from,
			 int64_t to, bool goes_on,
			 void (*walk)(const void *context,
				      const struct silence_walk *walk),
			 const void *context);

/* A collection begins; or it is known to go on. */
void gti_observe_collection(struct observer *observer, int64_t ticks);

/* Returns false if the pass is to end, as observer->ended tells. */
bool gti_observe_collection_end(struct observer *observer, int64_t ticks);

/* See struct settling, settle. */
static inline bool observe_settle(struct observer *observer)
{
	if (observer->feed != NULL)
		gti_feed_end_generation(observer->feed);
	return observer->settling == NULL ||
	       observer->settling->settle(observer->settle_context);
}

/* The format is about to free what stacks are looked up in. */
static inline void observe_release(const struct observer *observer)
{
	if (observer->feed != NULL)
		gti_feed_wait(observer->feed);
}

/*
 * What is added up over several threads counts up to TICKS: an event is missing
 * after that, or the trace ends. The format ends waits and blocks then.
 */
void gti_observe_end_sums(struct observer *observer, int64_t ticks);

/*
 * The pass has ended, after EVENTS events and at LAST_TICKS, and the slices
 * that still run were observed.
 */
void gti_observe_finish(struct observer *observer, uint64_t events,
			int64_t last_ticks);

#endif /* GTRACE_ANALYSIS_OBSERVE_H_ */
