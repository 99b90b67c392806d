/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.h - public interface of libgtrace.
 *
 * gtrace reads the execution traces that Go programs write (runtime/trace,
 * go test -trace, net/http/pprof) and makes reports, as data and as text, JSON
 * or CSV: those of struct gtrace_reports, such as the greedy report of the
 * longest slices, a slice being a stretch of time over which one goroutine
 * keeps one processor; the summary, with findings; and those of enum
 * gtrace_report.
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
 *     sets to sizeof: fields that an older header does not have count as zero.
 *   - Structs that the library fills, and the lists of them, are as in the
 *     header of its own interface, GTRACE_INTERFACE: those of another one can
 *     be of another size. The functions that open a trace compare the interface
 *     that the program was compiled with, and fail if it is another one.
 *   - What a report points to belongs to the report.
 *   - `in_ticks` is what gtrace_in_ticks() returns, `first_time` the time of
 *     the first event in ns of its clock, 0 up to Go 1.21.
 *   - Threads: different traces may be used by different threads at the same
 *     time. One trace must not be used by two threads at the same time. A
 *     finished report does not depend on its trace, and any thread may use it.
 *     Functions without a trace are safe from any thread.
 *   - While the library reads a mapped file it catches SIGBUS, so that a file
 *     that shrinks causes GTRACE_ERROR_READ. Other SIGBUS signals go to the
 *     handler that was installed before, which is restored when the call
 *     returns, unless the program has installed another one meanwhile.
 */
#ifndef GTRACE_GTRACE_H_
#define GTRACE_GTRACE_H_

#define GTRACE_VERSION "0.4.0"

/* The interface, 0.4. It changes with any struct that the library fills. */
#define GTRACE_INTERFACE 4

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

/* ---------------------------------------------------------------- errors -- */

/* Every status, for a macro X(NAME, NUMBER, MEANING). */
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

/* What went wrong. The caller owns it and need not initialise it. */
struct gtrace_error {
	enum gtrace_status status;
	int system_error; /* errno if a system call failed, otherwise 0 */
	/* Of the record at fault, or of the first missing byte; 0: none. */
	uint64_t offset;
	/*
	 * One line without a newline. For a damaged trace of Go 1.21 or older
	 * it is the message of Go's own parser.
	 */
	char message[GTRACE_MESSAGE_SIZE];
};

/* gtrace_status_string() - what STATUS means, or "unknown status". */
GTRACE_API const char *gtrace_status_string(enum gtrace_status status);

/* gtrace_version() - the library's GTRACE_VERSION when it was built. */
GTRACE_API const char *gtrace_version(void);

/*
 * gtrace_trace_versions() - the trace versions that the library reads, as
 * numbers like 1008 for "go 1.8 trace", in ascending order, terminated by 0.
 */
GTRACE_API const unsigned *gtrace_trace_versions(void);

/* ----------------------------------------------------------------- input -- */

/*
 * Where the library gets its memory: what malloc, realloc and free do, with
 * CONTEXT and the size of the block. All three must be set. resize may receive
 * NULL with old_size 0. They are called by the thread that calls the library,
 * see also gtrace_options.processors, and must not use the trace that the memory
 * is for.
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
	 * The events, in order, before the first fault; in a trace of Go 1.22
	 * or later that is cut off, before the generation in which the file
	 * ends. A generation lasts for about a second.
	 */
	GTRACE_PARTIAL_GOOD = 1,
	/*
	 * Up to Go 1.21 the same; later those, and then the events of all
	 * complete batches of the generation in which the file ends. Where its
	 * tables are missing, stacks have an id and no frames, strings are
	 * empty, and a stop-the-world pause is of the kind "unknown", and may
	 * be the one that starts the trace. An event that waits for a missing
	 * one is ordered by its time. A slice whose end is missing still runs,
	 * up to the last event of its thread in the file. A pause is measured
	 * only if all other processors are given up in that generation, one is
	 * taken again, and no thread's events end before it does. Waits,
	 * delays, blocks and collections count up to the first event after
	 * which one is missing, see gtrace_summary.known. If the generation
	 * contradicts itself, the events are at least as many as those of
	 * GTRACE_PARTIAL_GOOD, but need not include them all.
	 */
	GTRACE_PARTIAL_UNFINISHED = 2,
	/*
	 * As GTRACE_PARTIAL_GOOD of a trace of Go 1.22 or later that ends in
	 * the middle of a generation, and of one of which gtrace_stream.read
	 * was interrupted. Any other fault is an error. For what comes from a
	 * program that may end, or be ended, while it is traced.
	 */
	GTRACE_PARTIAL_CUT_OFF = 3
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
	 * The program that wrote the trace, in which `go tool addr2line` finds
	 * the names of functions for traces of Go 1.5 and 1.6, which have none.
	 * NULL: no file.
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
	 * Ticks per second, for partial reports of a trace that does not have
	 * them, see gtrace_in_ticks(). 0: not known.
	 */
	int64_t frequency;
	/*
	 * Called by the thread that reads the trace, once in 64 KiB to a few
	 * megabytes, with PROGRESS_CONTEXT and the number of bytes read since
	 * the trace was opened, in all passes of all reports. It must not use
	 * the trace. NULL: no such calls.
	 */
	void (*progress)(void *context, uint64_t read);
	void *progress_context;
	/*
	 * A file with the kernel's scheduling record of the time of the trace,
	 * as c/tools/README.md describes it: reports then have the fields that
	 * need it. A trace of Go 1.21 or older, or one that the record does not
	 * fit to, is GTRACE_ERROR_ARGUMENT, the latter when a report is made.
	 * NULL: none.
	 */
	const char *sched;
	/*
	 * A file with the kernel's accounts of the threads of the process,
	 * taken before and after the trace, as c/tools/README.md describes it.
	 * NULL: none.
	 */
	const char *threads;
	/*
	 * How many processors a report may use at once. 1: that of the thread
	 * that calls the library. More: also one for a thread that the library
	 * starts, which ends before the call returns and takes no signals; the
	 * report is the same. ALLOCATOR is then called by both threads. 0: 2
	 * if the system has so many and ALLOCATOR is NULL, else 1.
	 */
	size_t processors;
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
 * below 0 or without `partial`, another interface), _MEMORY, _OPEN, _READ,
 * _HEADER, _VERSION, _RECORD, _ARGS, _EMPTY, _CUT_OFF, and _ORDER for a
 * frequency that is not positive. Whether the events contradict each other is
 * checked when a report is made.
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
 */
GTRACE_API enum gtrace_status
gtrace_open_fd(int fd, const struct gtrace_options *options,
	       struct gtrace **trace, struct gtrace_error *error);

/*
 * gtrace_open_memory() - the same for SIZE bytes at DATA, which are not copied
 * and must not change until the trace is closed. DATA may be NULL if SIZE is 0.
 */
GTRACE_API enum gtrace_status
gtrace_open_memory(const void *data, size_t size,
		   const struct gtrace_options *options, struct gtrace **trace,
		   struct gtrace_error *error);

/* A trace that comes while it is read: from a pipe or a socket, say. */
struct gtrace_stream {
	size_t size; /* sizeof(struct gtrace_stream) */
	/*
	 * Writes up to SIZE bytes, at least 1, of what comes next to BUFFER,
	 * and returns their number. It waits until there are some. 0: the trace
	 * has ended. Below 0: it cannot be read, which errno says; with EINTR,
	 * the caller wants no more of it, which is the end of the trace and no
	 * error, see GTRACE_PARTIAL_CUT_OFF. It is called by the thread that
	 * uses the trace, and must not use the trace. NULL: `fd` is read.
	 */
	int64_t (*read)(void *context, void *buffer, size_t size);
	/*
	 * Called once, by that thread, when no more is read: at the end of the
	 * trace, when it is closed, or before gtrace_open_stream() fails. NULL:
	 * not wanted.
	 */
	void (*close)(void *context);
	void *context; /* of both */
	int fd;        /* an open file, which remains the caller's */
	/*
	 * The folder of the file in which the trace is kept while it is open.
	 * The file has no name. NULL: that of the environment's TMPDIR, or
	 * /tmp. Where no file can be written, the trace is kept in memory.
	 */
	const char *folder;
};

/*
 * gtrace_open_stream() - gtrace_open_path() for what comes from STREAM, which
 * is copied; `folder` needs to live only as long as the call.
 *
 * Only the header is read before the call returns, and of a trace of Go 1.21
 * or older, the tables of which are at its end, all. The reports read the rest
 * as they need it, a generation at a time. What has come is kept in a file, as
 * most reports look at parts of it again: memory holds what they have found,
 * one generation, and sometimes the next. On systems of 32 bits, or where the
 * address space of the process is limited to less than 1 TiB, the whole is
 * read, into that file, before the call returns.
 *
 * Errors: those of gtrace_open_path() but _OPEN. Reports of the trace fail with
 * GTRACE_ERROR_READ if it cannot be read or kept.
 *
 *	struct gtrace_stream stream = {.size = sizeof(stream), .fd = 0};
 *
 *	if (gtrace_open_stream(&stream, NULL, &trace, &error) != GTRACE_OK)
 *		return report(&error);
 */
GTRACE_API enum gtrace_status
gtrace_open_stream(const struct gtrace_stream *stream,
		   const struct gtrace_options *options, struct gtrace **trace,
		   struct gtrace_error *error);

/*
 * A call of these four is one of the next four, with the interface that the
 * program is compiled with; other languages call them so. Where the functions
 * above are called themselves, a header of interface 0.3 or older was used.
 */
GTRACE_API enum gtrace_status
gtrace_open_path_as(unsigned interface, const char *path,
		    const struct gtrace_options *options, struct gtrace **trace,
		    struct gtrace_error *error);
GTRACE_API enum gtrace_status
gtrace_open_fd_as(unsigned interface, int fd,
		  const struct gtrace_options *options, struct gtrace **trace,
		  struct gtrace_error *error);
GTRACE_API enum gtrace_status
gtrace_open_memory_as(unsigned interface, const void *data, size_t size,
		      const struct gtrace_options *options,
		      struct gtrace **trace, struct gtrace_error *error);

GTRACE_API enum gtrace_status
gtrace_open_stream_as(unsigned interface, const struct gtrace_stream *stream,
		      const struct gtrace_options *options,
		      struct gtrace **trace, struct gtrace_error *error);

#define gtrace_open_path(...) gtrace_open_path_as(GTRACE_INTERFACE, __VA_ARGS__)
#define gtrace_open_fd(...)   gtrace_open_fd_as(GTRACE_INTERFACE, __VA_ARGS__)
#define gtrace_open_memory(...)                                                \
	gtrace_open_memory_as(GTRACE_INTERFACE, __VA_ARGS__)
#define gtrace_open_stream(...)                                                \
	gtrace_open_stream_as(GTRACE_INTERFACE, __VA_ARGS__)

/* gtrace_close() - frees TRACE. Its reports stay valid. NULL: does nothing. */
GTRACE_API void gtrace_close(struct gtrace *trace);

/* gtrace_trace_version() - that of the header: 1008 for "go 1.8 trace". */
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
 * gtrace_clock_changes() - how often the frequency of the clock changes between
 * generations of TRACE, of Go 1.22 and later. Call it after the last report. If
 * *JUMP is not NULL it is set to the number of nanoseconds by which times jump
 * there, at most, which is below 0 if they jump backwards: then events have
 * times that grow by a nanosecond each until the clock has caught up. The
 * length of what goes on meanwhile is not known. Slices, waits, blocks and
 * stop-the-world pauses are marked with `clock_changed` then, are not in the
 * sums of their reports, and make no finding.
 */
GTRACE_API uint64_t gtrace_clock_changes(const struct gtrace *trace,
					 int64_t *jump);

/*
 * gtrace_start_time() - when the first event of TRACE was, in nanoseconds since
 * 1970 in UTC, by the clock of its machine. Call it after a report. INT64_MIN:
 * that is not known. Traces of Go 1.25 and later tell it.
 */
GTRACE_API int64_t gtrace_start_time(struct gtrace *trace);

/*
 * gtrace_in_ticks() - returns 1 if all times of TRACE are in ticks of its clock
 * and not in nanoseconds, otherwise 0. They are in ticks in partial reports of
 * a trace of Go 1.21 or older that was cut off before its tick frequency,
 * unless options.frequency was given.
 */
GTRACE_API int gtrace_in_ticks(const struct gtrace *trace);

/*
 * gtrace_frequency() - returns the ticks per second of the clock of TRACE, from
 * the trace or from options.frequency; 0 if gtrace_in_ticks(). From Go 1.22 on
 * each generation has its own frequency, and this returns 10^9.
 */
GTRACE_API int64_t gtrace_frequency(const struct gtrace *trace);

#ifdef __cplusplus
}
#endif

#include <gtrace/report.h>
#include <gtrace/follow.h>
#include <gtrace/edit.h>

#endif /* GTRACE_GTRACE_H_ */
