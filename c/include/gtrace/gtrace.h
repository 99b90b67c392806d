/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.h - public interface of libgtrace.
 *
 * gtrace reads the execution traces that Go programs write (runtime/trace,
 * go test -trace, net/http/pprof) and makes reports:
 *
 *   - the greedy report: the N longest slices, where a slice is a stretch of
 *     time over which one goroutine keeps one processor;
 *   - the report of stops of the world: which goroutine delayed each of them,
 *     and for how long;
 *   - the dump: every event;
 *   - the summary: totals, and the most important finding.
 *
 * Each is available as data, and as text, JSON or CSV. Slices and stops are
 * also written as a profile, a timeline and an HTML page, and two summaries
 * can be compared.
 *
 * A program that prints the ten longest slices of a trace:
 *
 *	struct gtrace_request request = {.size = sizeof(request), .n = 10};
 *	struct gtrace_output output = {.size = sizeof(output), .fd = 1};
 *	struct gtrace_error error;
 *	struct gtrace *trace;
 *	int failed;
 *
 *	if (gtrace_open_path("trace.out", NULL, &trace, &error) != GTRACE_OK)
 *		return report(&error);
 *	failed = gtrace_print(trace, &request, &output, &error);
 *	gtrace_close(trace);
 *
 * Link it with -lgtrace -pthread.
 *
 * Conventions:
 *
 *   - Times are in nanoseconds since the first event of the trace, or in ticks
 *     where gtrace_in_ticks() says so; offsets and sizes in bytes.
 *   - A pointer argument must not be NULL unless its function says what NULL
 *     means.
 *   - A function that can fail returns a gtrace_status. On failure it fills
 *     *ERROR, unless ERROR is NULL; on success it leaves *ERROR alone.
 *   - A struct that the caller fills begins with its size, which the caller
 *     sets to sizeof. A caller that was compiled with an older header has fewer
 *     fields; the missing ones count as zero. Structs that the library fills
 *     may grow at the end.
 *   - Threads: different traces may be used by different threads at the same
 *     time. One trace must not be used by two threads at the same time. A
 *     finished report does not depend on its trace, and any thread may use it.
 *   - While the library reads a mapped file it catches SIGBUS, so that a file
 *     that shrinks causes an error (GTRACE_ERROR_READ) and does not kill the
 *     process. Other SIGBUS signals are forwarded to the handler that was
 *     installed before. When the call returns, that handler is restored, unless
 *     the program has installed another one meanwhile.
 */
#ifndef GTRACE_GTRACE_H_
#define GTRACE_GTRACE_H_

#include <stddef.h>
#include <stdint.h>

/* Marks what a shared library exports. */
#if defined(__GNUC__)
#define GTRACE_API __attribute__((__visibility__("default")))
#else
#define GTRACE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GTRACE_VERSION "0.3.0"

/* ---------------------------------------------------------------- errors -- */

/*
 * Every status with its number and its meaning. Use it as
 * GTRACE_STATUS_LIST(X) with a macro X(NAME, NUMBER, MEANING).
 */
#define GTRACE_STATUS_LIST(X)                                                  \
	X(GTRACE_OK, 0, "no error")                                            \
	X(GTRACE_ERROR_ARGUMENT, 1, "the caller passed a bad argument")        \
	X(GTRACE_ERROR_MEMORY, 2, "out of memory")                             \
	X(GTRACE_ERROR_OPEN, 3, "the file cannot be opened")                   \
	X(GTRACE_ERROR_READ, 4, "the file cannot be read")                     \
	X(GTRACE_ERROR_WRITE, 5, "the report cannot be written")               \
	X(GTRACE_ERROR_HEADER, 6, "not a trace, or its header is short")       \
	X(GTRACE_ERROR_VERSION, 7, "a trace version that is not read")         \
	X(GTRACE_ERROR_RECORD, 8, "a record is broken")                        \
	X(GTRACE_ERROR_ARGS, 9, "a record has wrong arguments")                \
	X(GTRACE_ERROR_EMPTY, 10, "no event, or no clock")                     \
	X(GTRACE_ERROR_ORDER, 11, "events cannot be put in order")             \
	X(GTRACE_ERROR_STATE, 12, "an event contradicts those before it")      \
	X(GTRACE_ERROR_SYMBOLS, 13, "program counters cannot be resolved")     \
	X(GTRACE_ERROR_LENGTH, 14, "times are too large: a slice below zero")  \
	X(GTRACE_ERROR_CUT_OFF, 15, "the file ends before the trace does")

/* GTRACE_OK is 0. Numbers never change; later versions may add some. */
enum gtrace_status {
#define GTRACE_STATUS_ENUM(name, number, meaning) name = number,
	GTRACE_STATUS_LIST(GTRACE_STATUS_ENUM)
#undef GTRACE_STATUS_ENUM
};

/* Size of an error message with its final NUL; longer ones are cut off. */
#define GTRACE_MESSAGE_SIZE 1024

/*
 * What went wrong. The caller owns it and need not initialise it.
 */
struct gtrace_error {
	enum gtrace_status status;
	/* errno if a system call failed, otherwise 0. */
	int system_error;
	/*
	 * Offset in the file of the record at fault, or of the first missing
	 * byte. 0 if the error has no offset.
	 */
	uint64_t offset;
	/*
	 * One line of text without a newline. For a damaged trace of Go 1.21 or
	 * older it is the message of Go's own parser; for a later one it is
	 * not.
	 */
	char message[GTRACE_MESSAGE_SIZE];
};

/*
 * gtrace_status_string() - the meaning of STATUS in GTRACE_STATUS_LIST, or
 * "unknown status". A constant, never NULL. Safe from any thread.
 *
 *	puts(gtrace_status_string(GTRACE_ERROR_MEMORY)); // out of memory
 */
GTRACE_API const char *gtrace_status_string(enum gtrace_status status);

/*
 * gtrace_version() - the library's version, GTRACE_VERSION when it was built.
 * Safe from any thread.
 *
 *	assert(strcmp(gtrace_version(), GTRACE_VERSION) == 0);
 */
GTRACE_API const char *gtrace_version(void);

/*
 * gtrace_trace_versions() - the trace versions that the library reads, as
 * numbers like 1008 for "go 1.8 trace", in ascending order, terminated by 0. A
 * constant. Safe from any thread.
 *
 *	for (v = gtrace_trace_versions(); *v != 0; v++)
 *		printf("%u.%u\n", *v / 1000, *v % 1000);
 */
GTRACE_API const unsigned *gtrace_trace_versions(void);

/* ----------------------------------------------------------------- input -- */

/*
 * Where the library gets its memory. All three functions must be set. They do
 * what malloc, realloc and free do, and receive CONTEXT unchanged. resize and
 * release also receive the size of the block; resize may receive NULL with
 * old_size 0. The functions are called by the thread that calls the library,
 * and must not use the trace that the memory is for.
 */
struct gtrace_allocator {
	void *(*allocate)(void *context, size_t size);
	void *(*resize)(void *context, void *memory, size_t old_size,
			size_t new_size);
	void (*release)(void *context, void *memory, size_t size);
	void *context;
};

/* What is reported of a trace with a fault. Numbers never change. */
enum gtrace_partial {
	/* Nothing: a fault is an error. */
	GTRACE_PARTIAL_NO = 0,
	/*
	 * The events, in order, before the first fault. If a trace of Go 1.22
	 * or later is cut off, these do not include the generation in which the
	 * file ends. A generation lasts for about a second.
	 */
	GTRACE_PARTIAL_GOOD = 1,
	/*
	 * The events of the generations before that in which the file ends, as
	 * with GTRACE_PARTIAL_GOOD, and then those of all complete batches of
	 * that generation. Where its tables are not in the file, stacks have an
	 * id and no frames, and strings are empty. An event that waits for a
	 * missing one is ordered by its time. A slice whose end is missing is
	 * still running, and its length counts up to the last event of its
	 * thread that is in the file. A stop of the world in that generation is
	 * measured only if all other processors are given up in it, one is
	 * taken again, and no thread's events end before it does. Its kind is
	 * "unknown" if that string is not in the file; if the first stop of the
	 * trace is of unknown kind, it may be that which starts the trace.
	 *
	 * If the trace is only cut off, these include all the events of
	 * GTRACE_PARTIAL_GOOD. If its last generation contradicts itself, they
	 * are at least as many, but need not include all of those. Up to Go
	 * 1.21 the same as GTRACE_PARTIAL_GOOD.
	 */
	GTRACE_PARTIAL_UNFINISHED = 2
};

/*
 * How to open a trace. Zero is the default of every field but size:
 *
 *	struct gtrace_options options = {.size = sizeof(options)};
 *
 * Strings need to live only as long as the open call. The allocator must live
 * until the trace is closed and its reports are freed.
 */
struct gtrace_options {
	size_t size; /* sizeof(struct gtrace_options) */
	/* NULL: malloc, realloc and free. */
	const struct gtrace_allocator *allocator;
	/*
	 * The program that wrote the trace. Traces of Go 1.5 and 1.6 contain
	 * program counters without function names; `go tool addr2line` finds
	 * the names in this file. Not used for other traces. NULL: no file.
	 */
	const char *binary;
	/* The go command to run for this. NULL: "go", searched in PATH. */
	const char *go_command;
	/*
	 * An enum gtrace_partial. Not 0: a fault ends the trace, and is not an
	 * error. A report fails only if no event precedes the fault, which
	 * gtrace_left_out() describes; a summary and a page, if no slice does.
	 * Has no effect on a trace without a fault.
	 */
	int partial;
	/*
	 * Ticks per second of a trace of Go 1.21 or older that was cut off
	 * before its tick frequency; for partial reports only. A trace that has
	 * a frequency is read with its own. 0: not known, see
	 * gtrace_in_ticks().
	 */
	int64_t frequency;
	/*
	 * Called while the trace is read, once in 64 KiB to a few megabytes,
	 * by the thread that reads it, with PROGRESS_CONTEXT and the number of
	 * bytes read since the trace was opened. A report makes one or more
	 * passes over the file, and the bytes of all passes count. The function
	 * must not use the trace. NULL: no such calls.
	 */
	void (*progress)(void *context, uint64_t read);
	void *progress_context;
};

/* An open trace. */
struct gtrace;

/*
 * gtrace_open_path() - opens the trace in the file PATH and checks each of its
 * records. A regular file is mapped, and must not be changed until the trace
 * is closed. Anything else (a pipe, a terminal) is read into memory up to its
 * end, or only up to its header if that is not the header of a trace.
 *
 * OPTIONS: NULL means the defaults. On success *TRACE is an open trace, to be
 * given to gtrace_close(); on failure it is NULL.
 *
 * Errors: GTRACE_ERROR_ARGUMENT (PATH is NULL, a size is not valid, a frequency
 * below 0 or without `partial`), _MEMORY, _OPEN, _READ, _HEADER, _VERSION,
 * _RECORD, _ARGS, _EMPTY, _CUT_OFF, and _ORDER for a frequency that is not
 * positive. Whether the events contradict each other is checked when a report
 * is made.
 *
 *	if (gtrace_open_path("trace.out", NULL, &trace, &error) != GTRACE_OK)
 *		fprintf(stderr, "byte %ju: %s\n", (uintmax_t)error.offset,
 *			error.message);
 */
GTRACE_API enum gtrace_status
gtrace_open_path(const char *path, const struct gtrace_options *options,
		 struct gtrace **trace, struct gtrace_error *error);

/*
 * gtrace_open_fd() - the same for the open file FD: from its start if it is a
 * regular file, otherwise from its current position. FD remains the caller's,
 * and can be closed when the call has returned.
 *
 *	gtrace_open_fd(STDIN_FILENO, NULL, &trace, &error);
 */
GTRACE_API enum gtrace_status
gtrace_open_fd(int fd, const struct gtrace_options *options,
	       struct gtrace **trace, struct gtrace_error *error);

/*
 * gtrace_open_memory() - the same for SIZE bytes at DATA, which are not copied
 * and must not change until the trace is closed. DATA may be NULL if SIZE is 0.
 *
 *	gtrace_open_memory(bytes, size, NULL, &trace, &error);
 */
GTRACE_API enum gtrace_status
gtrace_open_memory(const void *data, size_t size,
		   const struct gtrace_options *options, struct gtrace **trace,
		   struct gtrace_error *error);

/*
 * gtrace_close() - frees TRACE. Its reports stay valid. NULL: does nothing.
 */
GTRACE_API void gtrace_close(struct gtrace *trace);

/*
 * gtrace_trace_version() - the version in the header, 1008 for "go 1.8 trace".
 *
 *	int has_threads = gtrace_trace_version(trace) >= 1022;
 */
GTRACE_API unsigned gtrace_trace_version(const struct gtrace *trace);

/*
 * gtrace_left_out() - what options.partial left out of the reports. Call it
 * after the last report. Returns 0 if the whole trace was reported. Otherwise
 * returns 1, sets *OFFSET to the end of the part that was read, *SIZE to the
 * number of bytes from there to the end of the file, and *REASON to the fault,
 * which lives as long as the trace. Each of the three may be NULL.
 *
 *	if (gtrace_left_out(trace, &offset, NULL, &reason))
 *		fprintf(stderr, "%s\n", reason->message);
 */
GTRACE_API int gtrace_left_out(const struct gtrace *trace, uint64_t *offset,
			       uint64_t *size,
			       const struct gtrace_error **reason);

/*
 * gtrace_in_ticks() - returns 1 if all times of TRACE are in ticks of its clock
 * and not in nanoseconds, otherwise 0. They are in ticks in partial reports of
 * a trace of Go 1.21 or older that was cut off before its tick frequency,
 * unless options.frequency was given.
 *
 *	const char *unit = gtrace_in_ticks(trace) ? "ticks" : "ns";
 */
GTRACE_API int gtrace_in_ticks(const struct gtrace *trace);

/*
 * gtrace_frequency() - returns the ticks per second of the clock of TRACE, from
 * the trace or from options.frequency; 0 if gtrace_in_ticks(). From Go 1.22 on
 * each generation has its own frequency, and this returns 10^9.
 *
 *	if (gtrace_frequency(trace) != options.frequency)
 *		puts("the trace has a frequency of its own");
 */
GTRACE_API int64_t gtrace_frequency(const struct gtrace *trace);

/* ---------------------------------------------------------------- events -- */

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
	/*
	 * Identifies the event within its trace, from 1. Up to Go 1.21 events
	 * are numbered in the order of the file, from Go 1.22 on in the order
	 * of the report.
	 */
	uint64_t number;
	uint64_t offset;  /* of the event's first byte in the file */
	unsigned type;    /* number in the trace format */
	const char *name; /* of the type; a constant */
	int64_t ts;       /* nanoseconds since the first event */
	int64_t m;        /* thread, -1: none, or Go 1.21 and older */
	/*
	 * Processor, -1: none. In traces up to Go 1.21, numbers from 1000001 on
	 * are pseudo processors, such as the network poller.
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
	 * In gtrace_visit(): the number of the event that this one
	 * links to, 0 if there is none. A start of a slice, for example, links
	 * to the event that ends the slice. Elsewhere always 0.
	 */
	uint64_t link;
};

/* CPU samples that have one stack. */
struct gtrace_samples {
	uint64_t count;
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
};

/* What kept a processor, or delayed a stop of the world. */
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
	 * runtime of the stack at its end, or else the outermost frame; if that
	 * has no name, of the stack at its start. NULL: there is no frame.
	 */
	const struct gtrace_frame *frame;
	/*
	 * If `frame` is of the standard library: the nearest caller that is
	 * not. NULL: there is none, or no need.
	 */
	const struct gtrace_frame *caller;
	enum gtrace_work work; /* _SYSCALL only if request.details is not 0 */
	/* The fields from here on are set only if request.details is not 0. */
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
	 * GTRACE_WORK_GC_DEDICATED, _FRACTIONAL or _IDLE, if the trace says
	 * that the goroutine started as a worker of the collector. Otherwise 0.
	 */
	int gc_worker;
	/*
	 * `duration` without the time of the stops of the world that the
	 * goroutine requested during the slice.
	 */
	int64_t own;
};

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
	 * Not 0: all times are known. They are not all known if the stop has
	 * not ended when the trace ends, and for the stop that starts a trace,
	 * which was requested before the first event; nor if events are
	 * missing, see GTRACE_PARTIAL_UNFINISHED. Unknown times are -1.
	 */
	int measured;
	/*
	 * Not 0: the trace has no event that begins this stop (Go 1.20 and
	 * older), and the stop was inferred from the event that ends it. Then
	 * `requested` is between requested_min and requested_max, and
	 * `stopping` between stopping_min and stopping_max; otherwise these
	 * four are -1.
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
	/*
	 * Sum over all processors of the time from when each was stopped until
	 * `obtained`.
	 */
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

/*
 * Which slices, stops and events a report covers: those that pass each test
 * that is set. Zero sets none. What this points to needs to live only as long
 * as the call.
 *
 *   - A slice passes `g` and `p` by its goroutine and its processor,
 *     `function` by a function in one of its two stacks, which may be those of
 *     a walk back, or by the first function of its goroutine, `min` by its
 *     length, and `from` and `to` if it ends at `from` or later and begins
 *     before `to`.
 *   - A stop passes `from` and `to` if it ends at `from` or later and is
 *     requested before `to`, as far as its times are known, and `min` by
 *     `stopping` (if it is inferred, stopping_max) and `stopped` together. It
 *     passes the other tests if one of these goroutines does: the one that
 *     requested it, and those that ran or were in a system call on a late
 *     processor. The first function of such a goroutine is the outermost one of
 *     its stack in the stop.
 *   - An event passes `from` and `to` if it is at `from` or later and before
 *     `to`, `p` by its processor, and `min` always. It passes the other tests
 *     if its goroutine
 *     does, or a goroutine that it names, such as the one that it creates: `g`
 *     by its number, `function` by its first function or by a function in the
 *     event's stack.
 *   - If gtrace_in_ticks() is not 0, `from`, `to` and `min` must be 0, or a
 *     report fails with GTRACE_ERROR_ARGUMENT.
 *   - `user` leaves out the goroutines of the runtime and of the tracer. As in
 *     Go's own tools, the former are those whose first function begins with
 *     "runtime." and is not runtime.main. It also leaves out slices and events
 *     of other goroutines with a stack of the tracer, such as that of the
 *     handler of /debug/pprof/trace. Traces of Go 1.21 and older have the first
 *     function of every goroutine. Later traces have it only for goroutines
 *     that were created while they were recorded; for others the outermost
 *     function of the first stack that the trace has of them is used. A
 *     goroutine whose first function is not known yet passes, and so does an
 *     event without a goroutine.
 */
struct gtrace_filter {
	size_t size; /* sizeof(struct gtrace_filter) */
	/* These goroutines and these processors. Count 0: all. */
	const int64_t *g;
	size_t g_count;
	const int64_t *p;
	size_t p_count;
	/*
	 * A POSIX extended regular expression, in the program's locale, that
	 * matches part of a function's name, within its first 64 KiB. NULL: all
	 * functions.
	 */
	const char *function;
	int64_t from; /* nanoseconds since the first event */
	int64_t to;   /* nanoseconds since the first event; 0: no end */
	int64_t min;  /* nanoseconds */
	int user;     /* not 0: no goroutines of the runtime, nor the tracer */
};

/* What gtrace_print() writes. Numbers never change. */
enum gtrace_report {
	/*
	 * The greedy report if `n` is not 0, and then that of stops of the
	 * world if `stops` is not 0, in one pass. CSV holds one of them.
	 */
	GTRACE_REPORT_LONGEST = 0,
	/*
	 * Every event that passes the filter. Takes at most 24 bytes of memory
	 * an event, and a bounded buffer for the texts of stacks.
	 */
	GTRACE_REPORT_DUMP = 1,
	/*
	 * The summary, see gtrace_summarise(): as text, which fits a screen of
	 * 80 columns and 24 lines if it lists at most five slices and five
	 * stops; as JSON, one line; as CSV, one record.
	 */
	GTRACE_REPORT_SUMMARY = 2,
	/*
	 * A profile that `go tool pprof` reads: a message Profile of
	 * profile.proto, not compressed. It has two values: "slices" (or
	 * "stops"), a count, and "time" in nanoseconds. `format`, `n` and
	 * `stops` are ignored, as for the next reports.
	 *
	 * Of slices, by the stack where each ended, which may be that of the
	 * walk back; with labels "goroutine", a number, and "work". A slice
	 * that still runs, or whose stack has no names, counts at the stack of
	 * its start. Memory grows with the number of distinct pairs of stack
	 * and goroutine; after 30000 of these, new samples have no label
	 * "goroutine".
	 */
	GTRACE_REPORT_PROFILE = 3,
	/*
	 * Of measured stops of the world and their time from request to stop,
	 * by the stack of the processor that was given up last, with the label
	 * "work".
	 */
	GTRACE_REPORT_STOP_PROFILE = 4,
	/*
	 * Slices, stops of the world and collections as trace events, for
	 * ui.perfetto.dev, chrome://tracing and other viewers of that format: a
	 * JSON object, one event a line, with a track for each processor. Only
	 * `from` and `to` of the filter apply to collections. Not for times in
	 * ticks. Fails with GTRACE_ERROR_LENGTH if a slice ends before it
	 * starts.
	 */
	GTRACE_REPORT_TIMELINE = 5,
	/*
	 * One HTML file, which loads no other file: the finding, a picture of
	 * the whole trace, the `n` longest slices and `stops` longest stops of
	 * the world with what all processors did around each, and the
	 * distribution of the lengths of slices. A script in the file draws the
	 * pictures; the rest can be read without it. 0 means 10, more than
	 * 1,000 means 1,000. `name` is shown without its directory. The file
	 * has at most 2 MB. Makes two passes over the trace; takes at most 16
	 * MB, and the memory of both reports. Not for times in ticks, or that
	 * exceed nine years (GTRACE_ERROR_LENGTH).
	 */
	GTRACE_REPORT_PAGE = 6
};

/* Which reports to make, and how many slices and stops each has. */
struct gtrace_request {
	size_t size;  /* sizeof(struct gtrace_request) */
	size_t n;     /* slices in the greedy report; 0: no report */
	size_t stops; /* stops in each list of their report; 0: no report */
	int format;   /* enum gtrace_format, of printed reports */
	const struct gtrace_filter *filter; /* NULL: none */
	/* The trace's name, for each line of JSON and CSV. NULL: none. */
	const char *name;
	/*
	 * Not 0: fill the last fields of gtrace_slice. Implied if slices are
	 * printed as JSON or CSV.
	 */
	int details;
	int report; /* enum gtrace_report, of gtrace_print() */
};

/* How a report is printed. c/tools/README.md describes each field. */
enum gtrace_format {
	GTRACE_FORMAT_TEXT = 0,
	GTRACE_FORMAT_JSON = 1, /* JSON Lines: an object a line */
	GTRACE_FORMAT_CSV = 2   /* RFC 4180, with a header */
};

/* The greedy report. All that it points to belongs to it. */
struct gtrace_greedy_report {
	unsigned trace_version;
	size_t count;
	const struct gtrace_slice *const *slices; /* longest first */
	int in_ticks; /* not 0: times are in ticks, see gtrace_in_ticks() */
	/* Time of the first event, in ns of its clock; 0 up to Go 1.21. */
	int64_t first_time;
};

/* gtrace_greedy_free() - frees REPORT. NULL: does nothing. */
GTRACE_API void gtrace_greedy_free(struct gtrace_greedy_report *report);

/*
 * The report of stops of the world: their number, the time that each kind took,
 * and three lists. All that it points to belongs to it.
 */
struct gtrace_stop_report {
	unsigned trace_version;
	uint64_t measured;
	uint64_t unmeasured;
	uint64_t inferred;
	/* Kinds of the stops that are not inferred, by name in byte order. */
	const struct gtrace_stop_kind *kinds;
	size_t kind_count;
	/* Of all kinds; `stopped` counts measured stops only. No name. */
	struct gtrace_stop_kind all;
	/*
	 * Medians and 99th percentiles are computed from every sampled-th stop
	 * of a kind. 1 if at most a million were measured.
	 */
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
	int in_ticks; /* not 0: times are in ticks, see gtrace_in_ticks() */
	/* Time of the first event, in ns of its clock; 0 up to Go 1.21. */
	int64_t first_time;
};

/* gtrace_stops_free() - frees REPORT. NULL: does nothing. */
GTRACE_API void gtrace_stops_free(struct gtrace_stop_report *report);

/*
 * gtrace_analyse() - finds, in one pass, the REQUEST->n longest slices of TRACE
 * and its stops of the world, of which each list of the report has the first
 * REQUEST->stops; or all if there are fewer. A report is not made if its
 * pointer, GREEDY or STOPS, is NULL, or its number in REQUEST is 0; then
 **GREEDY or *STOPS is set to NULL. The caller gives reports to
 *gtrace_greedy_free() and gtrace_stops_free(), before or after the trace is
 *closed. Takes about a kilobyte for each slice and each stop in a report, and
 *at most 20 bytes for each of the first million other stops.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _READ, _ORDER, _STATE, _SYMBOLS,
 * _LENGTH.
 *
 *	struct gtrace_request request = {
 *		.size = sizeof(request), .n = 10, .stops = 10};
 *
 *	if (gtrace_analyse(trace, &request, &greedy, &stops, &error) ==
 *		    GTRACE_OK &&
 *	    greedy->count != 0)
 *		printf("%jd ns\n", (intmax_t)greedy->slices[0]->duration);
 *	gtrace_greedy_free(greedy);
 *	gtrace_stops_free(stops);
 */
GTRACE_API enum gtrace_status
gtrace_analyse(struct gtrace *trace, const struct gtrace_request *request,
	       struct gtrace_greedy_report **greedy,
	       struct gtrace_stop_report **stops, struct gtrace_error *error);

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

/* The slices that are named after one function, see gtrace_slice.frame. */
struct gtrace_function {
	struct gtrace_string function; /* empty: no stack */
	struct gtrace_string caller;   /* empty: none */
	enum gtrace_work work;         /* never GTRACE_WORK_SYSCALL */
	uint64_t count;
	int64_t sum; /* of their lengths */
	int64_t max;
};

/*
 * The measured stops of the world that one function held up, or no goroutine:
 * the time of a stop is divided between them, as gtrace_late.own says.
 */
struct gtrace_holder {
	struct gtrace_string function; /* as above; empty: see `work` */
	struct gtrace_string caller;   /* empty also if callers differ */
	enum gtrace_work work;
	uint64_t count;   /* stops of which it had the larger part */
	int64_t stopping; /* its sum of the time from request to stop */
};

/* A slice without its events. */
struct gtrace_longest {
	struct gtrace_string function; /* as above */
	struct gtrace_string caller;
	int64_t duration;
	int64_t own; /* as in struct gtrace_slice */
	int64_t start;
	int64_t p;
	int64_t g;
};

/* The summary of a trace. All that it points to belongs to it. */
struct gtrace_summary {
	unsigned trace_version;
	/*
	 * The most important finding in one sentence, and a second one that
	 * explains it: UTF-8 without control characters.
	 */
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
	int in_ticks; /* not 0: times are in ticks, see gtrace_in_ticks() */
	/* Slices of the tracer, which run only because a trace is recorded. */
	uint64_t tracer_count;
	int64_t tracer_sum;
	int64_t tracer_max; /* 0: none */
};

/*
 * gtrace_summarise() - makes the summary of TRACE in one pass. It lists
 * REQUEST->n slices, with their details, and REQUEST->stops stops of the world,
 * 5 where the number is 0; REQUEST NULL: 5 of each. On success *SUMMARY is to
 * be given to gtrace_summary_free(), at any time; on failure it is NULL.
 *
 * Errors: those of gtrace_analyse().
 *
 *	gtrace_summarise(trace, NULL, &summary, &error);
 *	printf("%.*s\n", (int)summary->headline.size, summary->headline.data);
 *	gtrace_summary_free(summary);
 */
GTRACE_API enum gtrace_status
gtrace_summarise(struct gtrace *trace, const struct gtrace_request *request,
		 struct gtrace_summary **summary, struct gtrace_error *error);

/* gtrace_summary_free() - frees SUMMARY. NULL: does nothing. */
GTRACE_API void gtrace_summary_free(struct gtrace_summary *summary);

/*
 * The functions that gtrace_visit() calls with CONTEXT, NULL for what is not
 * wanted. What an argument points to is valid until the function returns. It
 * returns 0 to continue; any other value ends the call, which then returns
 * GTRACE_OK. It must not use the trace.
 */
struct gtrace_visitor {
	size_t size; /* sizeof(struct gtrace_visitor) */
	/* In the order in which slices end; those that still run come last. */
	int (*slice)(void *context, const struct gtrace_slice *slice);
	/* In the order in which stops of the world end. */
	int (*stop)(void *context, const struct gtrace_stop *stop);
	/* In the order of the report. Takes at most 24 bytes an event. */
	int (*event)(void *context, const struct gtrace_event *event);
	void *context;
	/* A garbage collection has ended, or runs when the trace ends. */
	int (*collection)(void *context, int64_t begin, int64_t end);
};

/*
 * gtrace_visit() - calls the functions of VISITOR for all that TRACE has, with
 * the filter and the details of REQUEST. If REQUEST is NULL, there is no filter
 * and there are no details. A slice comes before the event that ends it. The
 * whole trace is checked before a function is first called.
 *
 * Errors: those of gtrace_analyse().
 *
 *	static int add(void *sum, const struct gtrace_slice *slice)
 *	{
 *		*(int64_t *)sum += slice->duration;
 *		return 0;
 *	}
 *	...
 *	struct gtrace_visitor visitor = {
 *		.size = sizeof(visitor), .slice = add, .context = &sum};
 *
 *	gtrace_visit(trace, NULL, &visitor, &error);
 */
GTRACE_API enum gtrace_status gtrace_visit(struct gtrace *trace,
					   const struct gtrace_request *request,
					   const struct gtrace_visitor *visitor,
					   struct gtrace_error *error);

/* ------------------------------------------------------------------ text -- */

/*
 * Where the text of a report goes. If `write` is set, it is called with CONTEXT
 * for each piece of SIZE bytes. It writes all of them and returns 0, or returns
 * an errno value, which ends the report. It must not use the trace of the
 * report. If `write` is NULL, the text goes to the file descriptor FD, which
 * may be a file, a pipe or a terminal.
 */
struct gtrace_output {
	size_t size; /* sizeof(struct gtrace_output) */
	int (*write)(void *context, const void *data, size_t size);
	void *context;
	int fd;
};

/*
 * gtrace_print() - writes REQUEST->report of TRACE, see enum gtrace_report. On
 * an error other than GTRACE_ERROR_WRITE nothing has been written; but a dump
 * and a timeline are written while the trace is read again after it has been
 * checked, so that GTRACE_ERROR_READ (the file was changed meanwhile) and
 * _MEMORY can come after some output too.
 *
 * Errors: those of gtrace_analyse(), GTRACE_ERROR_ARGUMENT if the report is not
 * known, does not have the format, or needs times in nanoseconds where they are
 * in ticks, and _WRITE.
 *
 *	struct gtrace_request request = {.size = sizeof(request), .n = 10};
 *	struct gtrace_output output = {.size = sizeof(output), .fd = 1};
 *
 *	gtrace_print(trace, &request, &output, &error);
 *	request.report = GTRACE_REPORT_DUMP;
 *	gtrace_print(trace, &request, &output, &error);
 */
GTRACE_API enum gtrace_status gtrace_print(struct gtrace *trace,
					   const struct gtrace_request *request,
					   const struct gtrace_output *output,
					   struct gtrace_error *error);

/*
 * gtrace_write_greedy() - writes the COUNT greedy reports at REPORTS as one:
 * the REQUEST->n longest of their slices, or all if that is 0, in
 * REQUEST->format. Slices of equal length are in the order of their reports. A
 * report that is NULL has no slices.
 *
 * NAMES has the name of the trace of each report, and is used in place of
 * REQUEST->name. Text shows the names only if there are several reports. NAMES
 * or a name may be NULL. JSON and CSV print the details of slices, so the
 * reports must have been made with details.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _WRITE.
 *
 *	gtrace_write_greedy(reports, names, 2, &request, &output, &error);
 */
GTRACE_API enum gtrace_status
gtrace_write_greedy(const struct gtrace_greedy_report *const *reports,
		    const char *const *names, size_t count,
		    const struct gtrace_request *request,
		    const struct gtrace_output *output,
		    struct gtrace_error *error);

/*
 * gtrace_write_stops() - the same for reports of stops of the world, with
 * REQUEST->stops of each list. Text begins with one table for each trace,
 * because medians of several traces cannot be combined.
 *
 *	gtrace_write_stops(reports, names, 2, &request, &output, &error);
 */
GTRACE_API enum gtrace_status
gtrace_write_stops(const struct gtrace_stop_report *const *reports,
		   const char *const *names, size_t count,
		   const struct gtrace_request *request,
		   const struct gtrace_output *output,
		   struct gtrace_error *error);

/*
 * gtrace_write_summary() - writes SUMMARY as gtrace_print() does, in
 * REQUEST->format and with REQUEST->name; NULL: as text.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _WRITE.
 *
 *	gtrace_write_summary(summary, NULL, &output, &error);
 */
GTRACE_API enum gtrace_status
gtrace_write_summary(const struct gtrace_summary *summary,
		     const struct gtrace_request *request,
		     const struct gtrace_output *output,
		     struct gtrace_error *error);

/*
 * gtrace_print_comparison() - writes two summaries side by side: how many
 * slices and stops of the world there are and how long, and in which functions
 * slices took more or less time, the largest change first; and the same for the
 * functions that held up stops. Numbers and sums are compared per second of
 * each trace. As text it lists at most REQUEST->n functions of each kind, 10 if
 * that is 0, that have changed; as JSON, in one line, all of them. NAMES has
 * the names of the two traces; NAMES or a name may be NULL. REQUEST NULL: text.
 *
 * Errors: GTRACE_ERROR_ARGUMENT (also if times are in ticks), _MEMORY, _WRITE.
 *
 *	gtrace_summarise(old_trace, NULL, &before, &error);
 *	gtrace_summarise(new_trace, NULL, &after, &error);
 *	gtrace_print_comparison(before, after, NULL, NULL, &output, &error);
 */
GTRACE_API enum gtrace_status gtrace_print_comparison(
	const struct gtrace_summary *before, const struct gtrace_summary *after,
	const char *const *names, const struct gtrace_request *request,
	const struct gtrace_output *output, struct gtrace_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GTRACE_GTRACE_H_ */
