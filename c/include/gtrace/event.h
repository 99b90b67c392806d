/* SPDX-License-Identifier: BSD-3-Clause */
/* event.h - events, slices, blocks, goroutines. Included by gtrace.h. */
#ifndef GTRACE_EVENT_H_
#define GTRACE_EVENT_H_

#include <stddef.h>
#include <stdint.h>

/* Text of a trace: SIZE bytes of any value, without a final NUL. */
struct gtrace_string {
	const char *data; /* never NULL */
	size_t size;
};

/* One frame of a stack. */
struct gtrace_frame {
	uint64_t pc;
	struct gtrace_string function;
	struct gtrace_string file;
	uint64_t line; /* as text, Go 1.21 and older show it as signed */
};

/* A walk back has at most this many steps. */
#define GTRACE_WALK_MAX 10

/* One event. A pointer is NULL if its count is 0. */
struct gtrace_event {
	/* From 1, in the order of the file; from Go 1.22 on, of the report. */
	uint64_t number;
	uint64_t offset;  /* of the event's first byte in the file */
	unsigned type;    /* number in the trace format */
	const char *name; /* of the type; a constant */
	int64_t ts;       /* nanoseconds since the first event */
	int64_t m;        /* thread, -1: none, or Go 1.21 and older */
	/*
	 * Processor, -1: none. Up to Go 1.21, numbers from 1000001 on are
	 * pseudo processors, such as the network poller.
	 */
	int64_t p;
	int64_t g;         /* goroutine, -1: none */
	uint64_t stack_id; /* in the file, 0: none */
	const uint64_t *args;
	size_t arg_count;
	/* The event's string arguments, such as a label. */
	const struct gtrace_string *strings;
	size_t string_count;
	/* Innermost first. */
	const struct gtrace_frame *frames;
	size_t frame_count;
	/*
	 * If an event that starts or ends a slice has no frames of its own,
	 * `frames` are those of the nearest event with frames that led to it,
	 * and `walk` has the names of the events from that one on, without this
	 * event. Otherwise walk_count is 0, and `frames` are the event's own.
	 */
	const char *const *walk;
	size_t walk_count;
	/*
	 * In gtrace_visit(): the number of the event that this one links to,
	 * such as the end of the slice that it starts. 0: none, or elsewhere.
	 */
	uint64_t link;
};

/* CPU samples that have one stack. */
struct gtrace_samples {
	uint64_t count;
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
};

/* What kept a processor, or delayed a stop-the-world pause. */
enum gtrace_work {
	GTRACE_WORK_PROGRAM = 0,   /* code outside the runtime */
	GTRACE_WORK_RUNTIME = 1,   /* code of the runtime alone; or no stack */
	GTRACE_WORK_SYSCALL = 2,   /* a system call */
	GTRACE_WORK_SCHEDULER = 3, /* no goroutine: scheduler, or no CPU */
	GTRACE_WORK_NONE = 4,      /* nothing: no processor was late */
	GTRACE_WORK_TRACER = 5,    /* what records the trace */
	/* Of slices: a worker of the garbage collector, in this mode. */
	GTRACE_WORK_GC_DEDICATED = 6,
	GTRACE_WORK_GC_FRACTIONAL = 7,
	GTRACE_WORK_GC_IDLE = 8 /* only while the processor has no other work */
};

/* What is known of a time without events. Numbers never change. */
enum gtrace_silent_class {
	GTRACE_SILENT_NONE = 0,      /* there was none */
	GTRACE_SILENT_CERTAIN = 1,   /* its thread had no CPU */
	GTRACE_SILENT_ASLEEP = 2,    /* it was on none, for any reason */
	GTRACE_SILENT_LIKELY = 3,    /* most likely it had none */
	GTRACE_SILENT_UNDECIDED = 4, /* it computed, or had none */
	GTRACE_SILENT_CLASSES
};

/*
 * gtrace_work_name(), gtrace_silent_name() - the words that reports print for a
 * value: "program", "system call", ...; "certain", ..., and "" for
 * GTRACE_SILENT_NONE. They are constants. NULL: there is no such value. Any
 * thread can call these functions.
 */
GTRACE_API const char *gtrace_work_name(enum gtrace_work work);
GTRACE_API const char *gtrace_silent_name(enum gtrace_silent_class what);

/* One stretch of time over which a goroutine kept a processor. */
struct gtrace_slice {
	int64_t duration; /* nanoseconds */
	int64_t m;        /* thread, -1 in traces of Go 1.21 and older */
	int64_t p;
	int64_t g;
	/* Not 0: still running at the end of the trace, and `end` is unset. */
	int still_running;
	struct gtrace_event start;
	struct gtrace_event end;
	/*
	 * What the slice is named after: the innermost frame outside the
	 * runtime of the stack at its end, or else the outermost frame. If that
	 * stack has no name, or the slice still runs: of `last_frames`, as far
	 * as they are known (request.details), from the frame on that would be
	 * `caller`. NULL: there is no frame.
	 */
	const struct gtrace_frame *frame;
	/*
	 * If `frame` is none that findings are called by, see Findings in
	 * c/tools/README.md: the nearest caller that is; without one, the
	 * nearest that is not of the standard library, or the outermost frame.
	 * NULL: no other frame.
	 */
	const struct gtrace_frame *caller;
	enum gtrace_work work; /* _SYSCALL only if request.details is not 0 */
	/* From here to `own`: set only if request.details is not 0. */
	struct gtrace_string function; /* first of the goroutine, or empty */
	int system; /* not 0: a goroutine of the runtime, see gtrace_filter */
	uint64_t syscalls;  /* system calls that began inside */
	int64_t syscall_ns; /* spent in them inside, -1: Go 1.21 and older */
	/*
	 * CPU samples taken inside, the most frequent stack first. Traces of Go
	 * 1.19 and later contain them if a CPU profile was running.
	 */
	const struct gtrace_samples *samples;
	size_t sample_count;
	/*
	 * GTRACE_WORK_GC_DEDICATED, _FRACTIONAL or _IDLE, if the goroutine
	 * started as a worker of the collector. Otherwise 0.
	 */
	int gc_worker;
	/*
	 * `duration` without the time of the stop-the-world pauses that the
	 * goroutine requested during the slice.
	 */
	int64_t own;
	/*
	 * How long goroutines waited for a processor because of the slice, see
	 * struct gtrace_delay_report; set if request.waits or .delays is not 0.
	 * -1: it was not computed.
	 */
	int64_t delay;
	/*
	 * In silences, see struct gtrace_machine: how long its thread certainly
	 * had no CPU; and with that, how long it likely had none, or was asleep
	 * for another reason. Set only if request.details is not 0.
	 */
	int64_t off_cpu_min;
	int64_t off_cpu_likely;
	/*
	 * With gtrace_options.sched: how long the thread was on a CPU during
	 * the slice; how long it was on none since it had lost one while it was
	 * runnable, and since it slept, until it ran again. The three add up to
	 * `duration`, unless the thread did not run since the record began. -1:
	 * there is no record, or it does not have all of the slice.
	 */
	int64_t on_cpu;
	int64_t preempted;
	int64_t asleep;
	/*
	 * How long no thread wrote an event in it, outside its system calls,
	 * and the weakest class of these times. Set only if request.details is
	 * not 0.
	 */
	int64_t silent;
	/*
	 * If the stack at its end has no name, or it still runs: that of the
	 * last event before which its goroutine wrote itself, such as the block
	 * before the slice, or with which it was created. Set only if
	 * request.details is not 0.
	 */
	const struct gtrace_frame *last_frames;
	size_t last_frame_count;
	/*
	 * Not 0: the frequency of the clock changed meanwhile, see
	 * gtrace_clock_changes(): the length is not known.
	 */
	int clock_changed;
	enum gtrace_silent_class silent_class;
};

/* --------------------------------------------------------------- machine -- */

/* Stretches of time. */
struct gtrace_lost {
	uint64_t count;
	int64_t sum;
	int64_t max;
	int64_t start; /* of the longest; -1: there is none */
};

/* How often something was so, and for how long in all. */
struct gtrace_class_sum {
	int64_t sum;
	uint64_t count;
};

/* A slice in a silence, or a processor without a goroutine. */
struct gtrace_silent {
	int64_t from;
	int64_t to;
	int64_t p;
	int64_t g; /* -1: there is no goroutine */
	enum gtrace_silent_class what;
	int64_t time;                  /* how much of it counts */
	const char *why;               /* "profile", "together", ...; "" */
	struct gtrace_string function; /* in which its next event is, or "" */
};

/* When threads may have had no CPU: c/tools/README.md has the definitions. */
struct gtrace_machine {
	/* Processors that were held for more than 1 ms without a goroutine. */
	struct gtrace_lost off_cpu;
	int64_t off_cpu_p; /* that of the longest; -1: there is none */
	/* No event for more than 25 ms, though goroutines ran. */
	int silence_known; /* 0 before Go 1.19: then the sums are 0 */
	struct gtrace_lost silence;
	/* Of both, by enum gtrace_silent_class. */
	struct gtrace_class_sum classes[GTRACE_SILENT_CLASSES];
	int storm;   /* not 0: processors without a goroutine prove nothing */
	int profile; /* not 0: CPU samples prove something */
	/* At which silences end, as with a CPU quota; 0: that is not known. */
	int64_t throttle_interval;
	uint64_t throttled; /* in so many of its periods */
	uint64_t throttle_periods;
	int64_t throttle_ran; /* how long it ran in those, on average */
	/* About how much CPU time it took in those; -1: not known. */
	int64_t throttle_cpu;
	/* The first 400 slices in silences, and times without a goroutine. */
	const struct gtrace_silent *stretches;
	size_t stretch_count;
};

/* ---------------------------------------------------------- goroutines -- */

/* What a goroutine that is blocked waits for. Numbers never change. */
enum gtrace_block_kind {
	GTRACE_BLOCK_OTHER = 0,
	/*
	 * Mutex, RWMutex, and those of the runtime; a connection of
	 * database/sql, a semaphore of golang.org/x/sync.
	 */
	GTRACE_BLOCK_LOCK = 1,
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

/* gtrace_block_name() - as gtrace_work_name(): "lock", "wait group", ... */
GTRACE_API const char *gtrace_block_name(enum gtrace_block_kind kind);

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
	/* Names them, as in struct gtrace_slice; NULL: none does. */
	const struct gtrace_frame *frame;
};

/*
 * What the one who held a lock did meanwhile: "ran", "ready" (it waited for a
 * processor), "call" (it was in a system call), "in_c" (in C), blocked in
 * "network", "sleep", "lock" or "send", "collector" (it helped that), or
 * "other". If it waited for another goroutine, that is what that one did.
 */
struct gtrace_hold_part {
	const char *part;
	/*
	 * The innermost function outside the runtime, if it ran that of the
	 * program; empty: none.
	 */
	struct gtrace_string inner;
	int64_t sum;
};

/* Who held a lock while goroutines were blocked there, by function. */
struct gtrace_lock_holder {
	/* Of the program, where the lock was given back; no name: none. */
	struct gtrace_frame frame;
	int64_t sum;
	/* What it did, at most three, greatest sum first. */
	const struct gtrace_hold_part *parts;
	size_t part_count;
};

/*
 * A goroutine is blocked from the event that takes it off its processor to wait
 * to the one that makes it ready; and in a system call, from its start to its
 * end. A block that began before the trace counts from its start, one that is
 * not over to its end. A *place* is the stack of the event that begins a block,
 * and its kind.
 */
struct gtrace_block_place {
	enum gtrace_block_kind kind;
	/*
	 * Not 0: goroutines mostly rest there, without work, or wait for others
	 * that work. The kind is none of LOCK, SEND, SYSCALL and ASSIST, and
	 * goroutines do not send in a SELECT; or the runtime waits for signals,
	 * or the tracer for something; or a system call has no stack, as one
	 * that began before a trace up to Go 1.21.
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
	int64_t slow;   /* the sum of the blocks of GTRACE_SLOW_NS or more */
	/*
	 * Who held a lock while goroutines were blocked, at most three,
	 * greatest sum first. A block counts for each one that got the lock
	 * meanwhile, for as long as it had it; while that was blocked at a lock
	 * itself, for the one that held this one. What is known of no holder is
	 * left out.
	 */
	const struct gtrace_lock_holder *holders;
	size_t holder_count;
	uint64_t slow_count; /* how many blocks `slow` is the sum of */
	const struct gtrace_frame *frame; /* names `frames`, or NULL */
	/*
	 * How many blocks lasted while the frequency of the clock changed, see
	 * gtrace_clock_changes(). They are in no other number.
	 */
	uint64_t clock_changed;
};

/* One block. */
struct gtrace_block {
	enum gtrace_block_kind kind;
	int rest; /* as in struct gtrace_block_place; each SELECT */
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
 * start of the trace, to their end. The times from `ran` on, without `lost`,
 * add up to `lived`.
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
	/*
	 * Of goroutines: the waits between their requests, `between` is the
	 * median, within 2 %; -1: there are none that are over.
	 */
	uint64_t betweens;
	int64_t between;
	const char *between_state; /* the kind of the blocks, or "" */
	/*
	 * Of goroutines: requests that are not over when the trace ends; for
	 * how long the longest of these has been served, by which goroutine,
	 * and where that is blocked then; -1 and empty: none, or it is not.
	 */
	uint64_t open;
	int64_t open_max;
	int64_t open_g;
	const char *open_state;       /* the kind of the block, or "" */
	struct gtrace_string open_fn; /* its function of the program */
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

#endif /* GTRACE_EVENT_H_ */
