/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops.h - the stop-the-world pauses, and which processors each waited for.
 *
 * A stop is requested by a goroutine on its processor. Every other processor
 * that a thread holds has to be given up; the last one to be given up is what
 * the stop waited for. So the analysis notes, of each processor, the slice that
 * runs on it and the last one that ended, and each time that it is given up, a
 * moment. At the end of a stop it looks for the processors that were
 * given up between the request and the restart.
 *
 * In traces of Go 1.22 and later an event has two times: the one that its
 * thread wrote, which counts here, and the one that Go's reader gives it. In
 * the order of events the former can decrease. So a stop is settled, that is,
 * its late processors are found, only when all later events have later times.
 *
 * Traces up to version 1.19 have stops without an event that begins them. These
 * are inferred from the event that ends them, the mark: a change of GOMAXPROCS,
 * which a goroutine writes before it starts the world.
 */
#ifndef GTRACE_ANALYSIS_STOPS_H_
#define GTRACE_ANALYSIS_STOPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/filter.h"
#include "base/compiler.h"
#include "base/ids.h"
#include "base/least.h"
#include "base/texts.h"
#include "base/top.h"
#include "feed/feed.h"
#include "model/event.h"

/* No such goroutine. */
#define STOP_NO_G UINT64_MAX

/* Types of events that end slices: there is none. */
#define SLICE_GIVEN_UP 0 /* a give-up ended it, or there was no slice */
#define SLICE_RUNS     UINT32_MAX /* it has not ended */

/*
 * A slice on a processor, in ticks, or in nanoseconds since the first event;
 * TIME_NONE: not known.
 */
struct processor_slice {
	uint64_t g; /* STOP_NO_G: there was no slice */
	int64_t start;
	int64_t left;    /* its end */
	uint64_t offset; /* of the event that ended it */
	uint64_t stack;  /* of that event, handle */
	uint32_t type;   /* of that event */
};

struct stop_processor {
	int64_t p; /* see base/ids.h */
	/* The slice on it, or else the last one that ended. */
	struct processor_slice slice;
	/*
	 * The goroutine on it is in a system call. Up to Go 1.21: has left it
	 * for that, by the last event on it.
	 */
	bool in_call;
	bool held; /* by `thread` */
	/* The last system call that began on it: when, where and whose. */
	int64_t call;
	uint64_t call_stack;
	uint64_t call_g;
	int64_t held_since; /* TIME_NONE: longer than the trace tells */
	int64_t thread;     /* that holds it since then, or did last */
	/*
	 * For inferred stops: the last event on it other than starts and ends
	 * of slices, and the last such event up to the last give-up, of any
	 * processor, that one of them followed. `epoch` is stops->give_ups
	 * since that give-up.
	 */
	int64_t event;
	int64_t earlier;
	uint64_t epoch;
	uint64_t seen; /* number of the last look for late processors */
	const struct stop_moment *last; /* time it was given up, found then */
	int64_t dominated;              /* see drop_moments() */
};

enum moment_kind { MOMENT_GIVEN_UP, MOMENT_TAKEN, MOMENT_SAMPLE };

/* A processor was given up or taken, or a CPU sample was taken on it. */
struct stop_moment {
	int64_t time; /* in nanoseconds */
	int64_t p;
	enum moment_kind kind;
	uint64_t stack; /* of a sample, handle */
	int64_t thread; /* that gave the processor up, or took it */
	/* Of one that was given up; `held_since` is as in its struct. */
	struct stop_processor *processor;
	int64_t held_since;
	bool in_call; /* a slice in a system call ended by it */
	uint32_t type;
	/*
	 * The last slice on it, which ended with this give-up or before. In a
	 * system call, `left` and `stack` are those of the call's beginning.
	 */
	struct processor_slice slice;
};

/* A processor that was given up after the request. Times in nanoseconds. */
struct late {
	int64_t p;
	int64_t thread; /* that gave it up */
	enum gtrace_late_how how;
	uint64_t g; /* STOP_NO_G: none */
	int64_t start;
	int64_t left;
	int64_t gave_up;
	int64_t own;     /* of the goroutine, from the request to `gave_up` */
	uint32_t type;   /* of the event */
	uint64_t offset; /* of the event, for its reason; 0: it has none */
	uint64_t stack;  /* handle, 0: none */
};

struct holders;

#define STOP_KIND_NONE UINT32_MAX

/* Times are in nanoseconds, or TIME_NONE. */
struct stop {
	uint64_t number; /* from 1, in the order of the trace */
	uint32_t kind;   /* in stops->kinds; STOP_KIND_NONE: see the stack */
	bool measured;
	bool inferred;
	bool clock_changed; /* see clocks.h; then it is not measured */
	int64_t p;
	uint64_t g;
	int64_t thread;
	uint64_t stack; /* handle */
	int64_t ts;     /* in the order of the trace */
	int64_t requested;
	int64_t obtained;
	int64_t restarting;
	int64_t restarted;
	int64_t ended;
	int64_t stopping; /* TIME_NONE: not known */
	int64_t stopped;
	int64_t total;
	int64_t waited;
	uint64_t procs;
	uint64_t idle;
	/* Of inferred ones. */
	int64_t requested_min;
	int64_t requested_max;
	int64_t stopping_min;
	int64_t stopping_max;
	/* While it is inferred: see struct stop_processor. */
	int64_t slice_start;
	int64_t event;
	int64_t earlier;
	struct array late; /* struct late, the latest first */
	/*
	 * struct stop_moment, on late processors before their give-ups: by
	 * processor, then time.
	 */
	struct array samples;
};

/* What is known of all stops of a kind. Sums wrap around. */
struct stop_kind {
	struct gtrace_stop_kind known; /* without quantiles */
	int64_t stopped_measured;      /* `stopped` of the measured ones */
	struct array values; /* int64_t: `stopping` of every STEP-th one */
};

/* How a version of the trace differs from others. */
struct stops_version {
	/*
	 * Events tell of threads. Up to Go 1.21 they do not; then the stack of
	 * a stop is that of its mark.
	 */
	bool has_threads;
	bool begins;        /* events begin stops; or, */
	bool infers;        /* stops without a beginning are inferred */
	bool total_to_mark; /* the total of GC mark termination ends at it */
	uint32_t preempt;   /* type of the event that preempts a goroutine */
};

struct stops {
	const struct gtrace_allocator *memory;
	size_t wanted; /* N */
	/*
	 * Called for every stop as it is settled, in place of keeping the
	 * first N. NULL: not wanted.
	 */
	void (*each)(void *context, const struct stop *stop);
	/* The kind of the stop that FROM begins. */
	struct gtrace_string (*kind)(void *context,
				     const struct transition *from);
	void *context; /* of each() and kind() */
	struct stops_version version;
	const struct clock *clock;
	struct filter *filter; /* NULL: none */
	bool failed;           /* there was no memory: nothing else counts */
	struct ids processors; /* struct stop_processor */
	struct array slots;    /* pointers to these, by slot */
	struct stop_processor nowhere; /* if there is no memory for a record */
	/*
	 * The least time that a transition after the present one, number `at`
	 * of the batch, can have: least[at], in ticks.
	 */
	size_t at;
	int64_t least[BATCH_TRANSITIONS];
	struct array moments;          /* struct stop_moment */
	size_t drop_at;
	uint64_t looked;   /* how many moments, in all looks at them */
	uint64_t looks;    /* for late processors */
	uint64_t give_ups; /* so far */
	int64_t give_up;   /* greatest ticks of the time of the last one */
	int64_t latest;    /* ticks of the last event */
	/* Ticks of the last beginning of a stop; at the end, those. */
	int64_t last;
	/* Those of the stream, see struct feed. */
	int64_t unfinished_since;
	int64_t complete_until;
	/* Marks. */
	bool marked;    /* there was one */
	uint64_t procs; /* its value */
	/* Stops. */
	uint64_t count;
	bool is_open;
	struct stop open;
	struct array ending;  /* struct stop: to be settled, in order */
	size_t put_off;       /* events at which they were not looked through */
	struct array late;    /* struct late, of the one that is settled */
	struct array sampled; /* struct stop_moment, of that one */
	/* What was found. */
	uint64_t measured;
	uint64_t unmeasured;
	uint64_t inferred;
	struct array kinds; /* struct stop_kind */
	struct texts kind_texts;
	uint64_t values;         /* in all kinds */
	uint64_t step;           /* 1: the values are those of all stops */
	struct holders *holders; /* told of measured stops. NULL: not wanted */
	struct top longest; /* struct stop; and so on */
	struct top longest_inferred;
	struct top first_unmeasured;
};

/*
 * Prepares to find stops, and to keep the WANTED first ones of each list. Takes
 * no memory yet. CLOCK must outlive them.
 */
void gti_stops_init(struct stops *stops, size_t wanted,
		    const struct clock *clock,
		    const struct gtrace_allocator *memory);

void gti_stops_free(struct stops *stops);

/* Forgets all stops, to begin the pass again. */
void gti_stops_restart(struct stops *stops);

/* Takes the stream for STOPS. */
struct consumer gti_stops_consumer(struct stops *stops);

/* --------------------------------------------------- within the analysis -- */

/* TICKS in nanoseconds since the first event. */
static inline int64_t stops_ns(const struct stops *stops, int64_t ticks)
{
	return ticks == TIME_NONE ? TIME_NONE : clock_ns(stops->clock, ticks);
}

/*
 * How long STOP kept the program from running at most, from the request to the
 * restart, as far as it is known.
 */
static inline uint64_t stop_length(const struct stop *stop)
{
	int64_t stopping = stop->inferred ? stop->stopping_max : stop->stopping;

	return (uint64_t)greatest_of(stopping, 0) +
	       (uint64_t)greatest_of(stop->stopped, 0);
}

/* Least time in nanoseconds that a transition to come can have. */
static inline int64_t stops_horizon(const struct stops *stops)
{
	return stops_ns(stops, stops->least[stops->at]);
}

/* Returns the record of processor P; stops->nowhere if there is no memory. */
struct stop_processor *gti_stops_processor(struct stops *stops, int64_t p);

/* Whether a goroutine is on P. */
static inline bool stops_runs(const struct stop_processor *p)
{
	return p->slice.type == SLICE_RUNS;
}

/* THREAD takes P at TIME, in ticks. */
void gti_stops_hold(struct stops *stops, struct stop_processor *p,
		    int64_t thread, int64_t time);

/* FROM gives P up. */
void gti_stops_give_up(struct stops *stops, struct stop_processor *p,
		       const struct transition *from);

/*
 * A stop begins with FROM of goroutine G, on P and THREAD; or FROM, of G on P,
 * says how many processors there are; or the stop ends at TIME, in ticks.
 */
void gti_stops_begin(struct stops *stops, const struct stop_processor *p,
		     uint64_t g, int64_t thread, const struct transition *from);
void gti_stops_mark(struct stops *stops, const struct stop_processor *p,
		    uint64_t g, const struct transition *from);
void gti_stops_end(struct stops *stops, int64_t time);

/* There are no more transitions: settles the stops that are left. */
void gti_stops_finish(struct stops *stops);

/*
 * Adds a moment of processor P at TIME, in ticks; the caller sets what it has
 * for its KIND. NULL: there is no memory.
 */
struct stop_moment *gti_stops_add(struct stops *stops, enum moment_kind kind,
				  int64_t p, int64_t time);

/*
 * Returns all moments, in the order of events. Those that were returned before
 * can be invalid then.
 */
const struct stop_moment *gti_stops_look(struct stops *stops);

/* Whether MOMENT is of KIND, and FROM a time TO another. */
static inline bool stop_moment_is(const struct stop_moment *moment,
				  enum moment_kind kind, int64_t from,
				  int64_t to)
{
	return moment->kind == kind && moment->time >= from &&
	       moment->time <= to;
}

/* Settles the stops that no event to come can change. */
void gti_stops_settle(struct stops *stops, int64_t horizon);

/* STOP is settled. Its late processors are in stops->late. */
void gti_stops_count(struct stops *stops, struct stop *stop);

void gti_stops_init_results(struct stops *stops);
void gti_stops_free_results(struct stops *stops);

#endif /* GTRACE_ANALYSIS_STOPS_H_ */
