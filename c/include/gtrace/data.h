/* SPDX-License-Identifier: BSD-3-Clause */
/* data.h - what reports consist of beside events. Included by gtrace.h. */
#ifndef GTRACE_DATA_H_
#define GTRACE_DATA_H_

#include <gtrace/event.h>

/* What happened on a processor before it was given up late. */
enum gtrace_late_how {
	/* A goroutine ran on it for half of the time since the request. */
	GTRACE_LATE_RAN = 0,
	GTRACE_LATE_SYSCALL = 1, /* its goroutine was in a system call */
	/* Neither: its thread was in the scheduler, or had no CPU. */
	GTRACE_LATE_SCHEDULER = 2
};

/*
 * A late processor: it was given up only after a stop-the-world pause was
 * requested.
 *
 *          GTRACE_LATE_RAN   GTRACE_LATE_SYSCALL     GTRACE_LATE_SCHEDULER
 * g        ran on it         was in a system call    ran last on it
 * start    when its slice started                    likewise, or -1
 * left     when it left      when it began the call  when its slice ended
 * event    by which it left  by which the processor was given up
 * reason   of that event     empty
 * frames   of that event     of the call             none
 */
struct gtrace_late {
	int64_t p;
	enum gtrace_late_how how;
	int64_t g;
	int64_t start;
	int64_t left;
	int64_t gave_up; /* when the processor was given up */
	/*
	 * How much of the time from the request to `gave_up` goroutine g had
	 * the processor. No goroutine had it for the rest. 0 and `start` -1: it
	 * had left before. -1: the pause was inferred.
	 */
	int64_t own;
	const char *event;           /* name of its type */
	struct gtrace_string reason; /* of that event, empty if it has none */
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
	/* Of `frames`, as in struct gtrace_slice. */
	const struct gtrace_frame *frame;
	enum gtrace_work work;
	const struct gtrace_frame *caller; /* as in struct gtrace_slice */
	/*
	 * The longest time without a goroutine of more than 1 ms in that, and
	 * what it is; GTRACE_SILENT_NONE: there was none.
	 */
	int64_t off_cpu;
	enum gtrace_silent_class off_cpu_class;
	/* How long its thread was on a CPU during `own`; -1: not known. */
	int64_t own_on_cpu;
	/*
	 * CPU samples on the processor from the request to `gave_up`, the most
	 * frequent stack first: what ran, when `frames` tells only where it
	 * could be stopped. None if the pause was inferred.
	 */
	const struct gtrace_samples *samples;
	size_t sample_count;
};

/*
 * A stop-the-world pause. A time that is not known is -1. Times are those that
 * the threads wrote, except for `ts`. (In traces of Go 1.22 and later an event
 * has a second time, which orders it.)
 */
struct gtrace_stop {
	uint64_t number;           /* in the order of the trace, from 1 */
	struct gtrace_string kind; /* its reason, as the runtime names it */
	/*
	 * Not 0: all times are known. They are not if the pause has not ended
	 * when the trace ends, if it was requested before the first event, as
	 * the one that starts a trace, or if events are missing, see
	 * GTRACE_PARTIAL_UNFINISHED.
	 */
	int measured;
	/*
	 * Not 0: the pause was inferred from the event that ends it, as the
	 * trace has none that begins it (Go 1.20 and older). `requested` and
	 * `stopping` are in these ranges, which otherwise are -1.
	 */
	int inferred;
	int64_t requested_min;
	int64_t requested_max;
	int64_t stopping_min;
	int64_t stopping_max;
	int64_t ts; /* of the event that begins it; if inferred, ends it */
	int64_t p;  /* the processor of goroutine g */
	int64_t g;  /* requested the pause */
	const struct gtrace_frame *frames; /* of the request */
	size_t frame_count;
	int64_t requested;
	int64_t obtained;   /* when the last processor was given up */
	int64_t restarting; /* when the goroutine began to start the world */
	int64_t restarted;  /* when another processor was taken again */
	int64_t ended;
	int64_t stopping; /* from requested to obtained */
	int64_t stopped;  /* from obtained to restarted */
	/*
	 * From requested to ended. In traces of Go 1.22 and later, for GC mark
	 * termination, to restarting, as the runtime measures it.
	 */
	int64_t total;
	/* Sum over processors of the time from when each stopped to `obtained`.
	 */
	int64_t waited;
	int64_t procs; /* number of processors, 0 if not known */
	int64_t idle;  /* how many of them no thread had to give up, or -1 */
	/* In descending order of gave_up. */
	const struct gtrace_late *late;
	size_t late_count;
	/* late_count if one of them has samples, else 0. */
	size_t sampled_count;
	const struct gtrace_frame *frame; /* names `frames`, or NULL */
	/*
	 * Not 0: the frequency of the clock changed meanwhile, see
	 * gtrace_clock_changes(): the length is not known, and `measured` is 0.
	 */
	int clock_changed;
};

/* Sums over all pauses of a kind. Times are -1 if none was measured. */
struct gtrace_stop_kind {
	struct gtrace_string kind;
	uint64_t count;
	uint64_t measured;
	int64_t stopping; /* sum over the measured pauses */
	int64_t median;   /* of `stopping` of these, nearest rank */
	int64_t p99;
	int64_t max;
	int64_t stopped; /* sum over the pauses with an end */
	int64_t total;   /* sum over the measured pauses */
};

/* The greedy report. */
struct gtrace_greedy_report {
	size_t count;
	const struct gtrace_slice *const *slices; /* longest first */
};

/* Stop-the-world pauses: how many, the time of each kind, and three lists. */
struct gtrace_stop_report {
	uint64_t measured;
	uint64_t unmeasured;
	uint64_t inferred;
	/* Kinds of the pauses that are not inferred, by name in byte order. */
	const struct gtrace_stop_kind *kinds;
	size_t kind_count;
	/* Of all kinds; `stopped` counts measured pauses only. No name. */
	struct gtrace_stop_kind all;
	/* Quantiles are of every sampled-th pause; 1 for up to a million. */
	uint64_t sampled;
	/* The measured ones, greatest `stopping` first. */
	const struct gtrace_stop *const *stops;
	size_t stop_count;
	/* Greatest stopping_min first; if equal, greatest stopping_max. */
	const struct gtrace_stop *const *inferred_stops;
	size_t inferred_count;
	/* Neither measured nor inferred, in the order of the trace. */
	const struct gtrace_stop *const *unmeasured_stops;
	size_t unmeasured_count;
};

/* A slice that a goroutine waited behind. */
struct gtrace_kept {
	int64_t p;
	int64_t g;
	int64_t overlap; /* with busy time of the wait */
	int64_t length;  /* of the whole slice */
	int64_t calls;   /* its time in system calls, -1: Go 1.21 and older */
	int64_t start;
	int64_t ended;               /* -1: still running */
	const char *event;           /* that ended it; empty: still running */
	struct gtrace_string reason; /* of that event, empty if it has none */
	/*
	 * The event that ended it; if it still runs, that which started it.
	 * Without `number`, which is 0, `m`, `p` and `g`, which are -1.
	 */
	struct gtrace_event at;
	/* As in struct gtrace_slice; `work` of the stack alone. */
	const struct gtrace_frame *frame;
	const struct gtrace_frame *caller;
	enum gtrace_work work;
	const struct gtrace_frame *last_frames; /* as in struct gtrace_slice */
	size_t last_frame_count;
};

/*
 * A goroutine waits for a processor from the event that makes it ready to the
 * one with which it runs. At any time of that the world is stopped; or else
 * fewer processors are held than there are, and the time is *idle*; or else it
 * is *busy*.
 */
struct gtrace_wait {
	int64_t length; /* busy, idle and stopped */
	int64_t busy;
	int64_t idle;
	int64_t stopped;
	int64_t g; /* goroutine that waits */
	/* Of `ready`; since Go 1.22, of the first event if `before` is set. */
	int64_t start;
	int before;  /* not 0: it began before the trace */
	int over;    /* not 0: the goroutine ran before the trace ended */
	int whole;   /* not 0: `over` is set, and `before` is not */
	int64_t ran; /* when it ran, and on which processor; -1: it did not */
	int64_t ran_p;
	struct gtrace_event ready;   /* its g made the goroutine ready */
	struct gtrace_string reason; /* of `ready`, empty if it has none */
	/* At most three slices, the longest overlap first. */
	const struct gtrace_kept *kept;
	size_t kept_count;
	uint64_t kept_more; /* more slices, and the sum of their overlaps */
	int64_t kept_more_overlap;
	int64_t kept_none; /* busy time of processors without a slice */
	/* Names the frames of `ready`, or NULL. */
	const struct gtrace_frame *ready_frame;
	/*
	 * Not 0: the frequency of the clock changed meanwhile, see
	 * gtrace_clock_changes(): the length is not known.
	 */
	int clock_changed;
	/*
	 * For how long no thread wrote an event in it, how much of that no
	 * thread certainly had a CPU, and the weakest class of these times. Set
	 * only if request.details is not 0.
	 */
	int64_t silent;
	int64_t off_cpu_min;
	enum gtrace_silent_class silent_class;
};

/* Sums over the whole waits that began with events of one type. */
struct gtrace_wait_row {
	const char *event; /* NULL: of all types */
	uint64_t count;
	int64_t sum;
	int64_t median; /* nearest rank, as are p99 and p999 */
	int64_t p99;
	int64_t p999;
	int64_t max;
	int64_t busy;
	int64_t idle;
	int64_t stopped;
};

/* Waits for a processor. One that is not whole counts in no row. */
struct gtrace_wait_report {
	uint64_t whole;
	uint64_t before;     /* began before the trace */
	uint64_t unfinished; /* others that are not over */
	int64_t cut_sum;     /* of the lengths of both, within the trace */
	int64_t cut_max;
	const struct gtrace_wait_row *rows; /* by event in byte order */
	size_t row_count;
	struct gtrace_wait_row all;
	const struct gtrace_wait *const *waits; /* longest first */
	size_t count;
	/*
	 * How long goroutines waited in each part of the trace, in sum, up to
	 * the last part in which one did. Divided by the length of a part: how
	 * many waited on average. NULL if request.parts is 0.
	 */
	const int64_t *parts;
	size_t part_count;
	int64_t part_length;
	/* Waits with `clock_changed` set, which are in no other number. */
	uint64_t clock_changed;
};

/*
 * Slices by their delay. Each moment of busy time of each goroutine that waits
 * is shared by all processors that are held. What falls to a processor during a
 * slice is part of the slice's delay.
 */
struct gtrace_delay_report {
	int64_t waited;     /* busy time of all waits */
	int64_t behind;     /* sum of the delays of all slices */
	int64_t scheduling; /* the rest: no slice was on the processor */
	const struct gtrace_slice *const *slices; /* longest delay first */
	size_t count;
};

/*
 * A garbage collection. Times are in nanoseconds since the first event, as the
 * threads wrote them; what is not known is -1. Stop-the-world pauses and mark
 * assists have no events in old traces, see c/tools/README.md.
 */
struct gtrace_collection {
	uint64_t number;    /* in this trace, from 1 */
	const char *reason; /* "heap", "forced", "periodic" or "unknown" */
	int64_t g;          /* that began it */
	struct gtrace_string function; /* where: outside the runtime */
	int began_before;              /* the trace */
	int unfinished;                /* it is not over when the trace ends */
	int64_t start;
	int64_t sweep_begin; /* of the pause at its start */
	int64_t sweep_end;
	int64_t term_begin; /* of the pause after marking */
	int64_t done;
	int64_t end;      /* as the runtime measures it */
	int64_t released; /* the end of that pause */
	int64_t sweep_clock;
	int64_t mark_clock;
	int64_t mark_max; /* if there are no events of pauses */
	int64_t term_clock;
	int64_t procs;
	int64_t sweep_cpu;
	int64_t assist_cpu;
	int64_t dedicated_cpu;
	int64_t fractional_cpu;
	int64_t idle_cpu;
	int64_t term_cpu;
	int64_t heap_start; /* bytes */
	int64_t heap_end;
	int64_t heap_live;
	int64_t heap_goal; /* 0: the heap starts no collection */
	/* Of the processor time from the origin to its end. */
	int64_t percent;
	int64_t assists;
	int64_t assist_goroutines;
	int64_t assist_held;   /* how long goroutines assisted */
	int64_t assist_parked; /* and were blocked meanwhile */
	int64_t mark_window;   /* length of the concurrent mark */
	int64_t runnable;      /* goroutines that were ready, times time */
};

/* All collections of a report. As above. */
struct gtrace_collection_total {
	uint64_t collections;
	uint64_t forced;
	uint64_t began_before;
	uint64_t unfinished;
	int64_t length; /* of the trace, from its origin to its end */
	int64_t percent;
	int64_t stopped;
	int64_t assists;
	int64_t assist_goroutines;
	int64_t assist_cpu;
	int64_t assist_held;
	int64_t assist_parked;
	int64_t dedicated_cpu;
	int64_t fractional_cpu;
	int64_t idle_cpu;
	int64_t assist_share; /* percent of the marking */
	int64_t mark_window;
	int64_t runnable;
	int64_t outside; /* the rest of the trace; -1: of a part of it */
	int64_t outside_runnable;
	/*
	 * Goroutines that had to sweep when they allocated: how often, for how
	 * long in all, the longest time with its begin and goroutine (-1:
	 * none), and the function of the program that did so longest.
	 */
	uint64_t sweeps;
	int64_t sweep_sum;
	int64_t sweep_max;
	int64_t sweep_max_start;
	int64_t sweep_max_g;
	struct gtrace_string sweep_function;
};

/* The mark assists that began in a function, or of a goroutine. */
struct gtrace_assist {
	/* Outside the runtime; or the first one of the goroutine. */
	struct gtrace_string function; /* "unknown": there is no stack */
	int64_t g;                     /* -1: of a function */
	int64_t held;
	int64_t cpu; /* marking */
	int64_t parked;
	uint64_t assists;
	uint64_t goroutines;
};

/* The collections of a trace, and who had to help. */
struct gtrace_collection_report {
	const struct gtrace_collection *collections; /* in their order */
	size_t count;
	struct gtrace_collection_total total;
	/*
	 * As many as request.rows: those for which the program waited longest,
	 * because it was stopped or assisted; and who was held longest by
	 * assists.
	 */
	const struct gtrace_collection *const *longest;
	size_t longest_count;
	const struct gtrace_assist *functions;
	size_t function_count;
	const struct gtrace_assist *goroutines;
	size_t goroutine_count;
	int64_t origin; /* as in gtrace_summary */
};

/*
 * The scheduler at a time, and over the interval up to it: in goroutines, or
 * processors, times nanoseconds.
 */
struct gtrace_sched_sample {
	int64_t ts;
	int64_t interval;   /* since the sample before, or the origin */
	int64_t gomaxprocs; /* -1: not known, as idleprocs and procs_ns */
	int64_t idleprocs;
	uint64_t threads; /* that were seen so far */
	uint64_t runqueue;
	uint64_t running;
	uint64_t syscalls;
	uint64_t waiting;
	int gc; /* a collection is open */
	int64_t procs_ns;
	int64_t running_ns;
	int64_t held_ns; /* processors */
	int64_t runqueue_ns;
	int64_t syscalls_ns;
	int64_t gc_ns;
	uint64_t starts; /* of goroutines */
};

/* The scheduler over time. */
struct gtrace_sched_report {
	const struct gtrace_sched_sample *samples;
	size_t count;
	int64_t origin; /* as in gtrace_summary */
};

/* What led from one goroutine of a critical path to the next one. */
struct gtrace_cause {
	int64_t g;        /* it was blocked, or not created yet */
	const char *kind; /* of its block: "lock", ...; or "started by" */
	/* Where it was blocked, or of its creation; innermost first. */
	const struct gtrace_frame *frames;
	size_t frame_count;
	/* Of the event that ended the block, or of its creation. */
	const struct gtrace_frame *ended_frames;
	size_t ended_frame_count;
};

/* A time in which a critical path was in one goroutine, in one state. */
struct gtrace_segment {
	int64_t start;
	int64_t length; /* more than 0 */
	int64_t g;
	/*
	 * "ran", "assisted", "ready", "system call", "blocked"; "not created",
	 * "ended" and "unknown" of a goroutine that was not there, or that the
	 * trace does not tell of yet.
	 */
	const char *state;
	/* Of "blocked": the kind, and who ended it; else empty. */
	const char *kind;
	const char *by;
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
	uint64_t level; /* how many goroutines of the chain are above this */
	/* NULL at level 0: what led here from the goroutine above. */
	const struct gtrace_cause *cause;
};

/* What a time of a goroutine was spent on, one thing after the other. */
struct gtrace_path {
	const char *what; /* "goroutine", "task", "region" or "interval" */
	struct gtrace_string name;
	int64_t start;
	int64_t length;
	int64_t g;
	/* Without gaps; the lengths add up to `length`. */
	const struct gtrace_segment *segments;
	size_t segment_count;
	/* Not 0: a request that is not over when the trace ends. */
	int unfinished;
	/*
	 * For so many nanoseconds from `start` on, what would be needed was
	 * dropped, see request.kept: what is "unknown" there is so therefore.
	 */
	int64_t dropped;
};

/* What a request itself waited at, while others were on its path. */
struct gtrace_path_cause {
	const char *kind;              /* as in struct gtrace_cause */
	struct gtrace_string function; /* of the program */
};

/* What slow requests spent more time on than typical ones, or less. */
struct gtrace_path_row {
	const char *state; /* of "blocked": the kind */
	/* The function of the program; of "ready" that of who made it so. */
	struct gtrace_string function;
	const struct gtrace_path_cause *cause; /* NULL: of the request itself */
	int64_t slow;                          /* sum over the slow ones */
	uint64_t slow_in;                      /* in how many of them it is */
	int64_t typical;
	uint64_t typical_in;
};

/*
 * The paths of the longest requests of a kind; and the slowest ones compared
 * with typical ones. Paths of times that the filter has are one of these,
 * without a comparison.
 */
struct gtrace_paths {
	const char *what;
	struct gtrace_string name;
	uint64_t requests;
	/* How many slow ones, and typical ones; 0: they are not compared. */
	uint64_t group;
	int64_t slow; /* sum of lengths */
	int64_t typical;
	const struct gtrace_path_row *rows; /* greatest difference first */
	size_t row_count;
	/* The longest first; then those that are not over, in that order. */
	const struct gtrace_path *paths;
	size_t path_count;
	/* How many are not over when the trace ends; `requests` has others. */
	uint64_t unfinished;
};

/* The critical paths of a trace. */
struct gtrace_path_report {
	const struct gtrace_paths *kinds; /* greatest sum first */
	size_t count;
	/* Not 0: nothing was compared, as too many long requests overlap. */
	int left_out;
	/* Changes of states and the like that were dropped, see request.kept.
	 */
	uint64_t dropped;
};

/* Reports of a trace that were made together. NULL: not asked for. */
struct gtrace_reports {
	unsigned trace_version;
	int in_ticks;
	int64_t first_time;
	const struct gtrace_greedy_report *greedy;
	const struct gtrace_stop_report *stops;
	const struct gtrace_wait_report *waits;
	const struct gtrace_delay_report *delays;
	const struct gtrace_block_report *blocks;
	const struct gtrace_goroutine_report *goroutines;
	const struct gtrace_request_report *requests;
	const struct gtrace_collection_report *collections;
	const struct gtrace_sched_report *sched;
	int has_record; /* not 0: gtrace_options.sched was given */
	const struct gtrace_path_report *paths;
	int64_t began; /* as gtrace_summary.began */
};

#endif /* GTRACE_DATA_H_ */
