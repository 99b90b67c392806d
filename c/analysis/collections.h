/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collections.h - the garbage collections, and who worked for them.
 *
 * A consumer of the stream, which takes each transition with struct sched
 * first. Times are those that the threads wrote, in nanoseconds since the first
 * event, see sched_time(). A collection has two stop-the-world pauses: sweep
 * termination at its begin and mark termination at its end. Goroutines mark in
 * between: those of the collector, in slices with a label, and those of the
 * program, in mark assists. Work counts up to the begin of mark termination,
 * which is known only when the collection has ended. So the work for the open
 * collection is kept until then.
 *
 * The first event of a collection that began before the trace comes after some
 * of its work. So all work before the first event of any collection counts for
 * collection 0, which exists only if that event shows that one was open.
 */
#ifndef GTRACE_ANALYSIS_COLLECTIONS_H_
#define GTRACE_ANALYSIS_COLLECTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "analysis/filter.h"
#include "analysis/profile.h"
#include "analysis/sched.h"
#include "analysis/stops.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/texts.h"

/* What matters of a stack. */
struct stack_facts {
	uint32_t function;  /* text: the innermost one outside the runtime */
	uint32_t outermost; /* text */
	uint32_t held;      /* the name that a mark assist in it has */
	bool named;         /* it has frames */
	bool forces;        /* it has runtime.GC */
	bool periodic;      /* it has runtime.forcegchelper */
	bool starts;        /* it has runtime.gcStart */
};

/* Of workers of the collector, in the order of their labels. */
enum gc_work { GC_DEDICATED, GC_FRACTIONAL, GC_IDLE, GC_WORKS };

struct collection {
	/*
	 * What is known of it. Times are since the start of the trace. What can
	 * be computed from the rest is not set, and the name of the function.
	 */
	struct gtrace_collection known;
	bool exists;              /* see above */
	bool chosen;              /* for the report: it passes the filter */
	uint32_t function;        /* text; NO_TEXT: none */
	uint32_t held;            /* the name of its begin, if it has one */
	uint64_t works[GC_WORKS]; /* processor time */
	/* Integrals of ready goroutines up to the begin and end of the mark. */
	uint64_t ready_from, ready_to;
};

/* The assists of a goroutine for a collection that began in a function. */
struct assist_key {
	uint64_t collection; /* 0: none, unless that exists */
	uint64_t g;
	uint64_t function; /* text */
	uint64_t held;     /* see struct stack_facts */
};

struct assist_tally {
	struct assist_key key;
	uint64_t number; /* in the order of their begins */
	uint64_t list;   /* for the report: what it is added up by */
	uint64_t count;
	uint64_t held;
	uint64_t parked;
	uint64_t ran;       /* in slices */
	uint64_t work;      /* of that, up to when work counts */
	uint32_t outermost; /* text, of the first one */
	bool named;         /* it has a stack */
};

/* The sweeps of goroutines that began in a function. */
struct sweep_tally {
	uint64_t count;
	uint64_t sum;
	int64_t max;       /* the longest; -1: none */
	int64_t max_start; /* since the start of the trace */
	uint64_t max_g;
};

struct collections {
	const struct gtrace_allocator *memory;
	struct sched *sched;
	/* Stops have begin events; also goroutines that assist. */
	bool has_stops;
	/* Fills FACTS with those of STACK. Returns false without memory. */
	bool (*describe)(void *context, uint64_t stack,
			 struct stack_facts *facts);
	/* What the event of TRANSITION has: the kind of stop, or the label. */
	struct gtrace_string (*text)(void *context,
				     const struct transition *transition);
	void *context;
	bool nameless;      /* a kind of stop, or a label, is not in the file */
	struct map stacks;  /* by handle: numbers of facts, plus one */
	struct array facts; /* struct stack_facts */
	struct array list;  /* struct collection */
	bool is_open;       /* the last one */
	/* The last value of HeapAlloc, the one before, and who told it. */
	int64_t heap, heap_before;
	uint32_t heap_by; /* a slot, as ending_by */
	int64_t goal;
	/* The stop that has begun, if it is one of the last collection. */
	enum { STOP_OTHER, STOP_SWEEP, STOP_MARK } stop;
	bool ending;           /* the end of the last one is not known yet */
	uint32_t ending_by;    /* the thread that ended it, or its processor */
	struct array workers;  /* struct gc_worker, by slot */
	struct array sweepers; /* struct gc_sweep, by slot of processors */
	struct texts assists;  /* struct assist_key */
	struct array tallies;  /* struct assist_tally, by number of key */
	struct array works;    /* struct gc_piece, for the open one */
	struct array sweeps;   /* struct sweep_tally, by stack_facts.held */
	/* Of the assists that pass the filter; NULL: not wanted, all. */
	struct profile *profile;
	struct filter *filter;
	bool failed; /* there was no memory */
};

/* A goroutine that can be in an assist, or in a slice with a label. */
struct gc_worker {
	bool works; /* it is in one; else nothing else counts */
	uint64_t g;
	int64_t slice;  /* when its slice began; TIME_NONE: it is in none */
	int64_t assist; /* when its assist began; TIME_NONE: it is in none */
	int64_t parked; /* since when it is; TIME_NONE: it is not */
	uint32_t tally;
	uint32_t collection; /* of the label */
	uint32_t label;      /* enum gc_work; GC_WORKS: none */
	int64_t waits;       /* since when its label does; TIME_NONE */
	uint32_t entry;      /* of the profile, plus one; 0: none */
	uint8_t fits;        /* what gti_filter_place() says */
};

/* The goroutine that sweeps on a processor, and that keeps it. */
struct gc_sweep {
	int64_t since;
	uint64_t g;
	uint32_t name; /* see struct stack_facts */
	bool is_open;
};

/* Work that one goroutine did at a stretch. */
struct gc_piece {
	int64_t from, to;
	uint32_t collection;
	uint32_t what; /* enum gc_work, or GC_WORKS and the number of a tally */
};

/* Takes no memory yet. SCHED must outlive them. */
void gti_collections_init(struct collections *collections, struct sched *sched,
			  const struct gtrace_allocator *memory);
void gti_collections_free(struct collections *collections);

/* What the stream calls; SCHED of gti_collections_init() consumes it, too. */
struct consumer gti_collections_consumer(struct collections *collections);

static inline struct collection *
collection_at(const struct collections *collections, size_t number)
{
	return (struct collection *)collections->list.items + number;
}

/* The facts about STACK; NULL: there is no memory. */
const struct stack_facts *gti_collections_facts(struct collections *collections,
						uint64_t stack);

/* The goal of VALUE bytes; 0: the heap starts no collection. */
static inline int64_t collections_goal_of(uint64_t value)
{
	return value < (uint64_t)1 << 60 ? (int64_t)value : 0;
}

/* The time of a transition that is taken, for all that follows. */
struct gc_taking {
	struct collections *collections;
	const struct feed *feed;
	const struct transition *from;
	int64_t now; /* see sched_time() */
};

/* The number of the goroutine in SLOT; without one that of none. */
static inline uint64_t gc_number(const struct gc_taking *taking, uint32_t slot)
{
	if (slot == 0)
		return taking->collections->sched->by_thread ? UINT64_MAX : 0;
	return actors_number(&taking->feed->goroutines, slot);
}

/* ------------------------------------------------------------------ work -- */

/* The work that LABEL is of; GC_WORKS: none. */
enum gc_work gti_work_of(struct gtrace_string label);

/* Takes a transition of a goroutine, which may work; or of one that sweeps. */
void gti_work_take(const struct gc_taking *taking);
void gti_sweep_take(const struct gc_taking *taking);

/* Counts the work that was kept for the last collection, which has ended. */
void gti_work_settle(struct collections *collections);

/* The trace ends at END: so does all work. */
void gti_work_finish(struct collections *collections, int64_t end);

#endif /* GTRACE_ANALYSIS_COLLECTIONS_H_ */
