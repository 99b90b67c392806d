/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.h - what reports consist of, beside events and slices. Programs include
 * gtrace.h, which includes this. New members come last in their struct, as
 * gtrace.h promises.
 */
#ifndef GTRACE_DATA_H_
#define GTRACE_DATA_H_

#include <gtrace/event.h>

/* --------------------------------------------------------------- reports -- */

/* What happened on a processor before it was given up late. */
enum gtrace_late_how {
	/* A goroutine ran on it for half of the time since the request. */
	GTRACE_LATE_RAN = 0,
	GTRACE_LATE_SYSCALL = 1, /* its goroutine was in a system call */
	/* Neither: its thread was in the scheduler, or had no CPU. */
	GTRACE_LATE_SCHEDULER = 2
};

/*
 * A late processor: it was given up only after a stop of the world was
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
	 * had left before. -1: the stop was inferred.
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
	/* How long no goroutine had it as its thread had no CPU, at least. */
	int64_t off_cpu;
	/* How long its thread was on a CPU during `own`; -1: not known. */
	int64_t own_on_cpu;
};

/*
 * A stop of the world. A time that is not known is -1. Times are those that the
 * threads wrote, except for `ts`. (In traces of Go 1.22 and later an event has
 * a second time, which orders it.)
 */
struct gtrace_stop {
	uint64_t number;           /* in the order of the trace, from 1 */
	struct gtrace_string kind; /* its reason, as the runtime names it */
	/*
	 * Not 0: all times are known. They are not if the stop has not ended
	 * when the trace ends, if it was requested before the first event, as
	 * the one that starts a trace, or if events are missing, see
	 * GTRACE_PARTIAL_UNFINISHED.
	 */
	int measured;
	/*
	 * Not 0: the stop was inferred from the event that ends it, as the
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
	int64_t g;  /* requested the stop */
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
	/* Sum over all processors of the time from its stop to `obtained`. */
	int64_t waited;
	int64_t procs; /* number of processors, 0 if not known */
	int64_t idle;  /* how many of them no thread had to give up, or -1 */
	/* In descending order of gave_up. */
	const struct gtrace_late *late;
	size_t late_count;
};

/* Sums over all stops of a kind. Times are -1 if none was measured. */
struct gtrace_stop_kind {
	struct gtrace_string kind;
	uint64_t count;
	uint64_t measured;
	int64_t stopping; /* sum over the measured stops */
	int64_t median;   /* of `stopping`, nearest rank; likewise p99, max */
	int64_t p99;
	int64_t max;
	int64_t stopped; /* sum over the stops with an end */
	int64_t total;   /* sum over the measured stops */
};

/* The greedy report. */
struct gtrace_greedy_report {
	size_t count;
	const struct gtrace_slice *const *slices; /* longest first */
};

/* Stops of the world: their number, the time of each kind, and three lists. */
struct gtrace_stop_report {
	uint64_t measured;
	uint64_t unmeasured;
	uint64_t inferred;
	/* Kinds of the stops that are not inferred, by name in byte order. */
	const struct gtrace_stop_kind *kinds;
	size_t kind_count;
	/* Of all kinds; `stopped` counts measured stops only. No name. */
	struct gtrace_stop_kind all;
	/* Quantiles are of every sampled-th stop; 1 for up to a million. */
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
	/* Of it, as in struct gtrace_slice. */
	const struct gtrace_frame *frame;
	const struct gtrace_frame *caller;
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
	/*
	 * Of `ready`; from Go 1.22 on, of the first event if `before` is set.
	 */
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
};

/* Sums over the whole waits that began with events of one type. */
struct gtrace_wait_row {
	const char *event; /* NULL: of all types */
	uint64_t count;
	int64_t sum;
	int64_t median; /* nearest rank; likewise p99 and p999 */
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
	uint64_t before;                    /* began before the trace */
	uint64_t unfinished;                /* others that are not over */
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

/* What a goroutine that is blocked waits for. Numbers never change. */
enum gtrace_block_kind {
	GTRACE_BLOCK_OTHER = 0,
	GTRACE_BLOCK_LOCK = 1, /* Mutex, RWMutex, and those of the runtime */
	GTRACE_BLOCK_WAIT_GROUP = 2,
	GTRACE_BLOCK_CONDITION = 3,
	GTRACE_BLOCK_SEND = 4,
	GTRACE_BLOCK_RECEIVE = 5,
	GTRACE_BLOCK_SELECT = 6,
	GTRACE_BLOCK_NETWORK = 7,
	GTRACE_BLOCK_SLEEP = 8,
	GTRACE_BLOCK_SYSCALL = 9,     /* is in a system call */
	GTRACE_BLOCK_ASSIST = 10,     /* it has to help the collector */
	GTRACE_BLOCK_COLLECTION = 11, /* the rest of the collector's work */
	GTRACE_BLOCK_KINDS = 12
};

/* Who ended blocks. */
struct gtrace_unblocker {
	/*
	 * "goroutine"; or "timer", "network" or "runtime": no goroutine did, or
	 * one of the runtime.
	 */
	const char *by;
	uint64_t count;
	int64_t sum;                       /* of the lengths of these blocks */
	const struct gtrace_frame *frames; /* of the events that ended them */
	size_t frame_count;
};

/*
 * A goroutine is blocked from the event that takes it off its processor to wait
 * to the one that makes it ready; and in a system call, from its begin to its
 * end. A block that began before the trace counts from its start, one that is
 * not over to its end. A *place* is the stack of the event that begins a block,
 * and its kind.
 */
struct gtrace_block_place {
	enum gtrace_block_kind kind;
	/*
	 * Not 0: goroutines mostly rest there, without work, or wait for others
	 * that work. The kind is none of LOCK, SEND, SYSCALL and ASSIST; or the
	 * runtime waits for signals, or the tracer for something; or a system
	 * call has no stack, as one that began before a trace up to Go 1.21.
	 */
	int rest;
	uint64_t count;
	int64_t sum;
	int64_t median; /* nearest rank, within 2 %; likewise p99 */
	int64_t p99;
	int64_t max;
	int64_t max_start; /* of the longest one, and its goroutine */
	int64_t max_g;
	/* Of system calls: the sum of the time without a processor; else 0. */
	int64_t lost;
	uint64_t before;                   /* how many began before the trace */
	uint64_t unfinished;               /* others that are not over */
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
	/* Who ended them, at most three, greatest sum first; of calls none. */
	const struct gtrace_unblocker *enders;
	size_t ender_count;
	uint64_t ended_more; /* by others, and the sum of these blocks */
	int64_t ended_more_sum;
	int64_t max_by; /* the goroutine that ended the longest one; -1: none */
	/* The sum of the blocks of about GTRACE_SLOW_NS or more. */
	int64_t slow;
};

/* One block. */
struct gtrace_block {
	enum gtrace_block_kind kind;
	int rest; /* as in struct gtrace_block_place */
	int64_t g;
	int64_t start;
	int64_t length;
	int before;                        /* it began before the trace */
	int over;                          /* 0: it lasts to its end */
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
	/* What the stack is named after, as in struct gtrace_slice. */
	const struct gtrace_frame *frame;
	const struct gtrace_frame *caller;
	/*
	 * Who ended it, as in struct gtrace_unblocker, NULL if it is not over
	 * or a system call; the goroutine, -1 if none did; and its stack then.
	 */
	const char *by;
	int64_t by_g;
	const struct gtrace_frame *by_frames;
	size_t by_frame_count;
	const struct gtrace_frame *by_frame;
	const struct gtrace_frame *by_caller;
};

/* A system call of less is not slow: most do not wait for anything. */
#define GTRACE_SLOW_NS 100000

/* Sums over the blocks of one kind; of all with `rest` set, or of no such. */
struct gtrace_block_sum {
	enum gtrace_block_kind kind;
	int rest;
	uint64_t count;
	int64_t sum;
	int64_t max;
};

/*
 * How long goroutines were in each state, from their creation, or from the
 * start of the trace, to their end. The times from `ran` on, without `lost`, add
 * up to `lived`.
 */
struct gtrace_times {
	uint64_t count; /* goroutines */
	int64_t lived;
	int64_t ran;      /* had a processor, but for these two: */
	int64_t assisted; /* ran in a mark assist of the collector */
	int64_t ready;    /* waited for a processor */
	/*
	 * By kind: the time in system calls is at GTRACE_BLOCK_SYSCALL. Up to
	 * Go 1.21 calls that keep their processor are part of `ran`.
	 */
	int64_t blocked[GTRACE_BLOCK_KINDS];
	int64_t lost; /* of system calls: the time without a processor */
	/* Of requests: after the goroutine ended that began the task. */
	int64_t ended;
};

/* The longest block, or the longest wait for a processor. */
struct gtrace_stretch {
	int64_t length; /* -1: there is none */
	int64_t start;
	int64_t g;
	enum gtrace_block_kind kind; /* of a block */
};

/* The goroutines that begin in one function, or one goroutine. */
struct gtrace_goroutines {
	struct gtrace_string function; /* empty: not known */
	int64_t g;                     /* -1: all with the function */
	struct gtrace_times times;
	struct gtrace_stretch block;
	struct gtrace_stretch wait;
};

/* The goroutines of a trace, by function, the longest lived first. */
struct gtrace_goroutine_report {
	struct gtrace_times times; /* of all */
	const struct gtrace_goroutines *const *rows;
	size_t count;
};

/* A part of a request. */
struct gtrace_part {
	const char *state; /* "ran", "ready", ... or the kind of a block */
	/* Where it was blocked; empty: at several places, or not blocked. */
	struct gtrace_string function;
	int64_t time;
};

/* A request, a task or a region that is over. */
struct gtrace_served {
	int64_t start;
	int64_t length;
	int64_t g;
	const struct gtrace_part *parts; /* longest first: they add up */
	size_t part_count;
};

/*
 * Requests that goroutines with one first function serve one after the other;
 * or tasks with one type, or regions with one name. The first are those between
 * two waits at one place: of the places where these goroutines wait to receive,
 * in a select, for a condition or for the network, the one with the fewest calls
 * below the first function.
 */
struct gtrace_requests {
	const char *what; /* "goroutine", "task" or "region" */
	struct gtrace_string name;
	uint64_t count;
	int64_t median; /* nearest rank, within 2 %; likewise p99 */
	int64_t p99;
	int64_t max;
	struct gtrace_times times;         /* `lived`: their sum */
	const struct gtrace_frame *frames; /* of the wait, innermost first */
	size_t frame_count;
	const struct gtrace_served *longest; /* longest first */
	size_t longest_count;
};

/* The requests of a trace, the greatest sum first. */
struct gtrace_request_report {
	const struct gtrace_requests *const *rows;
	size_t count;
};

/* Where goroutines were blocked. */
struct gtrace_block_report {
	/* By kind, that with the longest place first, those at rest last. */
	const struct gtrace_block_sum *sums;
	size_t sum_count;
	/* Greatest sum first; those at rest are in a list of their own. */
	const struct gtrace_block_place *const *places;
	size_t place_count;
	const struct gtrace_block_place *const *rests;
	size_t rest_count;
	struct gtrace_times times; /* of all goroutines */
};

/*
 * A garbage collection. Times are in nanoseconds since the first event, as the
 * threads wrote them; what is not known is -1. Stops of the world and mark
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
	int64_t sweep_begin; /* of the stop at its begin */
	int64_t sweep_end;
	int64_t term_begin; /* of the stop after marking */
	int64_t done;
	int64_t end;      /* as the runtime measures it */
	int64_t released; /* the end of that stop */
	int64_t sweep_clock;
	int64_t mark_clock;
	int64_t mark_max; /* if there are no events of stops */
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
	/* Of the processor time from the start of the trace to its end. */
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
	int64_t length; /* of the trace */
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
};

/*
 * The scheduler at a time, and over the interval up to it: in goroutines, or
 * processors, times nanoseconds.
 */
struct gtrace_sched_sample {
	int64_t ts;
	int64_t interval;   /* since the sample before, or the first event */
	int64_t gomaxprocs; /* -1: not known; likewise idleprocs and procs_ns */
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
};

/* The reports that one pass over a trace made. NULL: not asked for. */
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
};

/* -------------------------------------------------------------- findings -- */

/* How the lengths of slices are distributed, in nanoseconds. */
struct gtrace_distribution {
	uint64_t count;
	int64_t sum;
	/*
	 * Nearest-rank quantiles, each off by at most 0.4 percent: half of the
	 * slices last at most `median`, 99.9 percent at most `p999`.
	 */
	int64_t median;
	int64_t p99;
	int64_t p999;
	int64_t max; /* exact */
};

/*
 * The slices of one function: of the innermost frame that is of the program,
 * neither of the runtime nor of the standard library; if there is none, of the
 * outermost frame.
 */
struct gtrace_function {
	struct gtrace_string function; /* empty: no stack */
	/* The innermost function outside the runtime; empty: none, several. */
	struct gtrace_string inner;
	enum gtrace_work work; /* never GTRACE_WORK_SYSCALL */
	uint64_t count;
	int64_t sum; /* of their lengths */
	int64_t max;
	/*
	 * How long goroutines waited because of these slices, see struct
	 * gtrace_delay_report; how many of the slices made others wait, and the
	 * sum of the lengths of these.
	 */
	int64_t delay;
	uint64_t delaying;
	int64_t delaying_sum;
	/* Where in the function: the line with the longest delay, or sum. */
	struct gtrace_string file;
	uint64_t line;
	/* How long goroutines were blocked there, without those at rest. */
	int64_t blocked;
	int64_t max_start; /* of the longest slice; and its goroutine */
	int64_t max_g;
};

/*
 * The measured stops of the world that one function held up, or no goroutine:
 * the time of a stop is divided between them, as gtrace_late.own says.
 */
struct gtrace_holder {
	struct gtrace_string function; /* as above; empty: see `work` */
	struct gtrace_string inner;    /* as above */
	enum gtrace_work work;
	uint64_t count;   /* stops of which it had the larger part */
	int64_t stopping; /* its sum of the time from request to stop */
	struct gtrace_string file; /* as above */
	uint64_t line;
};

/* A slice without its events. */
struct gtrace_longest {
	struct gtrace_string function; /* as above */
	struct gtrace_string inner;
	int64_t duration;
	int64_t own; /* as in struct gtrace_slice */
	int64_t start;
	int64_t p;
	int64_t g;
};

/* What keeps goroutines from going on. Numbers never change. */
enum gtrace_finding_kind {
	GTRACE_FINDING_DELAY = 0,     /* slices of a function */
	GTRACE_FINDING_LOAD = 1,      /* too few processors for all functions */
	GTRACE_FINDING_COLLECTOR = 2, /* workers of the collector, and assists */
	GTRACE_FINDING_STOP = 3,      /* stops of the world */
	GTRACE_FINDING_LOCK = 4,
	GTRACE_FINDING_SEND = 5, /* a channel that is received from slowly */
	GTRACE_FINDING_SYSCALL = 6,
	GTRACE_FINDING_MACHINE = 7 /* threads had no processor of the machine */
};

/* A finding. c/tools/README.md says what the harm of each kind is. */
struct gtrace_finding {
	enum gtrace_finding_kind kind;
	const char *name; /* of the kind: "delay", "lock", ... */
	/* The function of the program; its name is empty if there is none. */
	struct gtrace_frame frame;
	struct gtrace_string inner; /* the innermost function, or empty */
	/* Who ended most of the blocks, or held up a stop. */
	struct gtrace_frame holder;
	int64_t harm; /* for how long goroutines could not go on */
	/* Of the time that there was, in tenths of a percent. */
	int64_t permille;
	int64_t rate;   /* harm for each second of the trace */
	uint64_t count; /* slices, blocks, stops, waits */
	int64_t worst;  /* the longest of these */
	int64_t worst_start; /* -1: not known; and its goroutine */
	int64_t worst_g;
	struct gtrace_string text; /* a sentence */
	struct gtrace_string next; /* flags for the report to read next */
	int sure; /* not 0: exact; else the trace allows other causes */
	int64_t rank;   /* the part of `harm` by which it is ranked */
	int64_t length; /* of slices: the sum of their lengths */
};

/* A process by its name, and how long it had a CPU. */
struct gtrace_process {
	struct gtrace_string name;
	int64_t sum;
};

/* What the scheduling record has of all slices: sums as in gtrace_slice. */
struct gtrace_cpu {
	int64_t on_cpu;
	int64_t preempted;
	int64_t asleep;
	int64_t unknown; /* lengths of the slices that it does not have all of */
	/*
	 * What had the CPU from which a thread had been preempted, until it ran
	 * again; longest first. A table has no names.
	 */
	const struct gtrace_process *instead;
	size_t instead_count;
};

/* The summary of a trace. */
struct gtrace_summary {
	unsigned trace_version;
	/* The main finding and what explains it, a sentence of UTF-8 each. */
	struct gtrace_string headline;
	struct gtrace_string explanation;
	int64_t length; /* from the first event to the last */
	int64_t procs;
	uint64_t goroutines;         /* including those created before it */
	uint64_t goroutines_created; /* during the trace */
	uint64_t goroutines_alive;   /* the most at any time */
	uint64_t events;             /* number of events read */
	uint64_t collections;
	int64_t collecting; /* sum of the times that collections took */
	struct gtrace_distribution slices;
	/* The longest slices and stops, as many as REQUEST says. */
	const struct gtrace_greedy_report *greedy;
	const struct gtrace_stop_report *stops;
	/* Of all slices, the largest sum first. */
	const struct gtrace_function *functions;
	size_t function_count;
	/* What held up the measured stops, the largest sum first. */
	const struct gtrace_holder *holders;
	size_t holder_count;
	/* The slice of the program with the longest `own`. NULL: none. */
	const struct gtrace_longest *longest;
	/*
	 * The measured stop with the longest `stopping` and `stopped` together,
	 * without its stack and its late processors. NULL: none.
	 */
	const struct gtrace_stop *longest_stop;
	int in_ticks;
	/* Slices of the tracer, which run only because a trace is recorded. */
	uint64_t tracer_count;
	int64_t tracer_sum;
	int64_t tracer_max; /* 0: none */
	/* How many of the slices GTRACE_PARTIAL_GOOD reports. */
	uint64_t slices_good;
	int64_t first_time;
	/* Waits for a processor, and the delay of all slices. */
	const struct gtrace_wait_report *waits;
	const struct gtrace_delay_report *delays;
	/* The functions that made goroutines wait, the longest delay first. */
	const struct gtrace_function *const *delaying;
	size_t delaying_count;
	/* All findings, the greatest `rank` first. */
	const struct gtrace_finding *findings;
	size_t finding_count;
	/*
	 * The time that there was: of all processors, and that for which
	 * goroutines waited for one or were blocked. What of that was idle.
	 */
	int64_t time;
	int64_t idle;
	const struct gtrace_block_report *blocks; /* as REQUEST says, or more */
	int filtered; /* not 0: only what passes the filter of the request */
	struct gtrace_machine machine;
	const struct gtrace_cpu *cpu; /* NULL: there is no record */
};

#endif /* GTRACE_DATA_H_ */
