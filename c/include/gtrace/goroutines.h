/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goroutines.h - what reports of goroutines consist of: where they were
 * blocked, what they did, requests. Programs include gtrace.h, which includes
 * this. New members come last in their struct, as gtrace.h promises.
 */
#ifndef GTRACE_GOROUTINES_H_
#define GTRACE_GOROUTINES_H_

#include <gtrace/event.h>

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
	int64_t median; /* nearest rank, within 2 % */
	int64_t p99;    /* nearest rank, within 2 % */
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
	int64_t ran;      /* on a processor, outside calls and mark assists */
	int64_t assisted; /* on a processor, in a mark assist */
	int64_t ready;    /* waited for a processor */
	/*
	 * By kind: the time in system calls is at GTRACE_BLOCK_SYSCALL. Up to
	 * Go 1.21 calls that keep their processor are part of `ran`.
	 */
	int64_t blocked[GTRACE_BLOCK_KINDS];
	int64_t lost; /* of system calls: the time without a processor */
	/* Of tasks: the time after the end of the goroutine that began it. */
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
	const struct gtrace_part *parts; /* of `length`, longest first */
	size_t part_count;
};

/*
 * Requests that goroutines with one first function serve one after the other;
 * or tasks of one type, or regions of one name. A request is what is between
 * two waits of a goroutine at one place: of the places where these goroutines
 * wait to receive, in a select, for a condition or for the network, the one
 * with the fewest calls below the first function.
 */
struct gtrace_requests {
	const char *what; /* "goroutine", "task" or "region" */
	struct gtrace_string name;
	uint64_t count;
	int64_t median; /* nearest rank, within 2 % */
	int64_t p99;    /* nearest rank, within 2 % */
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

#endif /* GTRACE_GOROUTINES_H_ */
