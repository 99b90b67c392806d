/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.h - what a summary consists of. Included by gtrace.h. */
#ifndef GTRACE_SUMMARY_H_
#define GTRACE_SUMMARY_H_

#include <gtrace/data.h>

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
 * The slices of one function: that of `caller`, or else `frame`, as in struct
 * gtrace_slice.
 */
struct gtrace_function {
	/*
	 * The line with the longest delay, or sum. The name of its function is
	 * empty: there is no stack.
	 */
	struct gtrace_frame frame;
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
	/* How long goroutines were blocked there, without those at rest. */
	int64_t blocked;
	int64_t max_start; /* of the longest slice; and its goroutine */
	int64_t max_g;
	int64_t off_cpu; /* of `delay`: while threads were preempted */
	/*
	 * Of `functions`: 99 percent of the waits for a processor with which
	 * its slices began lasted at most so long, within 2 percent. -1: none
	 * began with a wait.
	 */
	int64_t ready_p99;
};

/*
 * What holds goroutines up. Numbers never change. DELAY, LOCK, SEND
 * and SYSCALL are made no more: they are parts of FUNCTION.
 */
enum gtrace_finding_kind {
	GTRACE_FINDING_DELAY = 0, /* slices of a function */
	GTRACE_FINDING_LOAD = 1,  /* too few processors for all functions */
	GTRACE_FINDING_COLLECTOR =
		2,               /* workers of the collector, and assists */
	GTRACE_FINDING_STOP = 3, /* stop-the-world pauses */
	GTRACE_FINDING_LOCK = 4,
	GTRACE_FINDING_SEND = 5, /* a channel that is received from slowly */
	GTRACE_FINDING_SYSCALL = 6,
	GTRACE_FINDING_MACHINE = 7,   /* threads had no CPU, or most likely */
	GTRACE_FINDING_FORCED = 8,    /* collections that the program asked for
				       */
	GTRACE_FINDING_FINALIZER = 9, /* others have to wait for one */
	/* A function that kept a processor without an event: see `silent`. */
	GTRACE_FINDING_SILENT = 10,
	GTRACE_FINDING_STORM = 11, /* processors without a goroutine: timers? */
	GTRACE_FINDING_FUNCTION = 12, /* in which chains of waits end */
	/* Goroutines that were ready waited, although a processor was idle. */
	GTRACE_FINDING_HANDOVER = 13,
	GTRACE_FINDING_LEAK = 14, /* goroutines that are blocked for ever */
	GTRACE_FINDING_BROADCAST =
		15,               /* one event that wakes many for nothing */
	GTRACE_FINDING_FINE = 16, /* slices are too short */
	GTRACE_FINDING_KINDS = 17
};

/* What a function did while others waited for it. Numbers never change. */
enum gtrace_hold {
	GTRACE_HOLD_RAN = 0,
	GTRACE_HOLD_READY = 1,   /* it waited for a processor, with a lock */
	GTRACE_HOLD_DELAY = 2,   /* it had their processors */
	GTRACE_HOLD_CALL = 3,    /* it was in a system call */
	GTRACE_HOLD_IN_C = 4,    /* it was in C */
	GTRACE_HOLD_NETWORK = 5, /* from here on: it was blocked */
	GTRACE_HOLD_SLEEP = 6,
	GTRACE_HOLD_LOCK = 7,
	GTRACE_HOLD_SEND = 8,
	GTRACE_HOLD_WORK =
		9, /* what ran, and idle processors could have done */
	GTRACE_HOLDS = 10
};

/* Where goroutines waited for the function of a finding. */
struct gtrace_victim {
	enum gtrace_block_kind kind;
	struct gtrace_frame frame; /* of the program; no name: none */
	struct gtrace_string inner;
	int64_t sum; /* for how long, of the harm */
	uint64_t count;
};

/* A place where goroutines were at rest. */
struct gtrace_resting {
	enum gtrace_block_kind kind;
	struct gtrace_frame frame; /* of the program; no name: none */
	struct gtrace_string inner;
	int64_t sum;
	uint64_t count;
};

/* A finding. c/tools/README.md says what the harm of each kind is. */
struct gtrace_finding {
	enum gtrace_finding_kind kind;
	const char *name; /* of the kind: "function", "load", ... */
	/* The function of the program; its name is empty if there is none. */
	struct gtrace_frame frame;
	struct gtrace_string inner; /* the innermost function, or empty */
	int64_t harm; /* for how long goroutines could not go on */
	/* Of the total time, in tenths of a percent. */
	int64_t permille;
	int64_t rate;        /* harm for each second of the trace */
	uint64_t count;      /* slices, blocks, pauses, waits */
	int64_t worst;       /* the longest of these */
	int64_t worst_start; /* -1: not known; and its goroutine */
	int64_t worst_g;
	struct gtrace_string text; /* a sentence */
	struct gtrace_string next; /* flags and trace of the next report */
	int sure;        /* not 0: exact; else the trace allows other causes */
	int64_t rank;    /* the part of `harm` by which it is ranked */
	int64_t length;  /* of slices: the sum of their lengths, without: */
	int64_t off_cpu; /* what is not in `harm`: while preempted */
	/*
	 * Of a FUNCTION: `harm` by what it did, by enum gtrace_hold; and the
	 * innermost function where it did so longest, which can be empty.
	 */
	int64_t parts[GTRACE_HOLDS];
	struct gtrace_string inners[GTRACE_HOLDS];
	int64_t itself; /* of `harm`: goroutines that were in it themselves */
	int64_t others; /* of `harm`: others that waited for these */
	/* `harm` of the length of the trace: so many goroutines on average. */
	double average;
	/* Where they waited longest, at most three, the greatest sum first. */
	const struct gtrace_victim *victims;
	size_t victim_count;
	/*
	 * Flags and trace of the command that makes a smaller trace of the
	 * worst of this, where the trace has more than 100 MB, is of Go 1.22 or
	 * later and has a name. Else empty, and if it is not known when the
	 * worst was, or if that is all of the trace.
	 */
	struct gtrace_string cut;
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
	int64_t unknown; /* lengths of the slices that it does not have all of
			  */
	/*
	 * What had the CPU from which a thread had been preempted, until it ran
	 * again; longest first. A table has no names.
	 */
	const struct gtrace_process *instead;
	size_t instead_count;
	/*
	 * Of `preempted`: threads of this process ran instead. They are known
	 * by their process, if the record has it, or by their accounts; else by
	 * the name of those that ran goroutines.
	 */
	int64_t own;
};

/*
 * The kernel's accounts of the threads of the process, between a reading before
 * the trace and one after it.
 */
struct gtrace_threads {
	/* Threads that wrote events; up to Go 1.21, and in ticks, all. */
	uint64_t count;
	int64_t on_cpu;
	int64_t waited; /* how long they were ready to run, and on no CPU */
	/* The rest, as threads of C code: how many, and */
	uint64_t others;
	int64_t others_on_cpu; /* how long they were on a CPU */
	/*
	 * How long processors were held outside of system calls. -1: not
	 * known, as up to Go 1.21 and with a record.
	 */
	int64_t held;
	/*
	 * How much of that threads were off the CPU, at least. -1: not known,
	 * as a thread that wrote events has no account.
	 */
	int64_t off_cpu;
};

/* The summary of a trace. */
struct gtrace_summary {
	unsigned trace_version;
	/* The main finding, a sentence, and what explains it; UTF-8. */
	struct gtrace_string headline;
	struct gtrace_string explanation;
	int64_t length; /* from `origin` to the last event */
	int64_t procs;
	uint64_t goroutines;         /* including those created before it */
	uint64_t goroutines_created; /* during the trace */
	uint64_t goroutines_alive;   /* the most at any time */
	uint64_t events;             /* number of events read */
	uint64_t collections;
	int64_t collecting; /* sum of the times that collections took */
	struct gtrace_distribution slices;
	/* The longest slices and pauses, as many as REQUEST says. */
	const struct gtrace_greedy_report *greedy;
	const struct gtrace_stop_report *stops;
	/* Of all slices, the largest sum first. */
	const struct gtrace_function *functions;
	size_t function_count;
	/*
	 * What held up the measured pauses, the largest sum first: functions,
	 * or no goroutine, see `work`. The time of a pause is divided between
	 * them, as gtrace_late.own says. `count` are the pauses of which it had
	 * the larger part, `sum` is its part of the time from the request until
	 * the world stood.
	 */
	const struct gtrace_function *holders;
	size_t holder_count;
	/*
	 * The measured pause with the longest `stopping` and `stopped`
	 * together, without its stack and its late processors. NULL: none.
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
	 * The total time: that of all processors, and that for which goroutines
	 * waited for one or were blocked. What of that was idle.
	 */
	int64_t time;
	int64_t idle;
	const struct gtrace_block_report *blocks; /* as REQUEST says, or more */
	int filtered; /* not 0: only what passes the filter of the request */
	struct gtrace_machine machine;
	/*
	 * The functions that kept processors without an event, of what is
	 * undecided or asleep, the largest sum first: `count` slices in
	 * silences, of which `delaying` ended like code that can be preempted,
	 * the `sum` and `max` of these, and as `delay` the time for which
	 * others waited for a processor meanwhile.
	 */
	const struct gtrace_function *silent;
	size_t silent_count;
	const struct gtrace_cpu *cpu;         /* NULL: there is no record */
	const struct gtrace_threads *threads; /* NULL: there are no accounts */
	/* How long processors were held. 0: not known, as with a record. */
	int64_t held_time;
	/* NULL: the request does not ask for them. */
	const struct gtrace_collection_report *collection_report;
	/*
	 * Of what gtrace_collection_total has: `percent`, and `assist_share`.
	 * -1: not known, or there is a filter.
	 */
	int64_t collections_percent;
	int64_t assist_share;
	/*
	 * The function outside the runtime that was held longest by mark
	 * assists, if that was for more than 1 percent of `time`; else NULL.
	 */
	const struct gtrace_assist *assist;
	int in_period; /* not 0: the filter has a time from or to which */
	/*
	 * Waits, delays, blocks and collections count for so long. It is
	 * `length`, or less if events are missing from then on, see
	 * GTRACE_PARTIAL_UNFINISHED; then `idle` is -1.
	 */
	int64_t known;
	/*
	 * By function of the program, as `functions` are, whose `count` and
	 * `sum` are those of its mark assists: the one that was held longest,
	 * if that was for more than 1 percent of `time`; else NULL.
	 */
	const struct gtrace_function *held;
	/*
	 * When the extent of the trace begins, in nanoseconds since its first
	 * event: at the first event that tells what the program does. In traces
	 * of Go 1.22 and later events before that can be much older.
	 */
	int64_t origin;
	/*
	 * For how long goroutines of the program marked in mark assists, and
	 * swept when they allocated; and the function that swept longest, as
	 * `held`, with `max` (NULL: none). -1: there is a filter.
	 */
	int64_t assisting;
	int64_t sweeping;
	const struct gtrace_function *swept;
	/*
	 * How many collections runtime.GC forced, and the function that called
	 * it most often, with its `count` (NULL: none).
	 */
	uint64_t forced;
	const struct gtrace_function *forcer;
	/*
	 * The median, over the collections, of the size to which the heap may
	 * grow next, in percent of what lives. -1: there are less than 5, or a
	 * filter.
	 */
	int64_t goal_percent;
	/*
	 * What gtrace_clock_changes() says; and `clock_gap`, by how much of
	 * `length` times jump forwards. That is no time of processors.
	 */
	uint64_t clock_changes;
	int64_t clock_jump;
	int64_t clock_gap;
	/* Where goroutines were at rest longest, at most three. */
	const struct gtrace_resting *at_rest;
	size_t at_rest_count;
	/*
	 * If the headline is that nothing stands out: flags and trace of the
	 * report that shows whether the first of these is rest. Else empty.
	 */
	struct gtrace_string rest_next;
	/*
	 * 1; or k if blocks came so thick that the chain was followed of each
	 * k-th one only, which counts for k.
	 */
	uint64_t causes_every;
	/*
	 * When the trace began, at its first event: nanoseconds since 1970 in
	 * UTC, see gtrace_start_time(). -1: it does not tell.
	 */
	int64_t began;
};

#endif /* GTRACE_SUMMARY_H_ */
