/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.h - public interface of libgtrace.
 *
 * gtrace reads the execution traces that Go 1.5 to Go 1.21 write
 * (runtime/trace, go test -trace, net/http/pprof) and makes two reports of
 * them: the N longest times one goroutine kept a processor without a break
 * (the greedy report), and every event as text (the dump).
 *
 * Conventions:
 *
 *   - Times are in nanoseconds since the first event of the trace, offsets and
 *     sizes in bytes.
 *   - A function that can fail returns a gtrace_status, GTRACE_OK (0) for
 *     success, and fills *ERROR unless ERROR is NULL. It changes *ERROR only
 *     when it fails.
 *   - Objects come from a gtrace_..._open... or gtrace_greedy call and go with
 *     the matching gtrace_close or gtrace_greedy_free call. Both accept NULL.
 *   - Threads: different traces may be used from different threads at the same
 *     time. One trace, and what was made of it, must not be used by two
 *     threads at the same time.
 *   - While a trace is read from a mapped file, SIGBUS is caught, so that a
 *     file that shrinks meanwhile is an error and not the end of the process.
 *     A handler that was there before gets all other signals, and is restored
 *     when the call returns, unless the program has installed another one in
 *     the meantime.
 */
#ifndef GTRACE_GTRACE_H_
#define GTRACE_GTRACE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GTRACE_VERSION "0.1.0"

/* ---------------------------------------------------------------- errors -- */

/*
 * Every status with its number, which stays what it is, and what it means.
 * Use it as GTRACE_STATUS_LIST(X) with a macro X(NAME, NUMBER, SENTENCE).
 */
#define GTRACE_STATUS_LIST(X)                                              \
	X(GTRACE_OK, 0, "no error")                                        \
	X(GTRACE_ERROR_ARGUMENT, 1, "the caller passed a bad argument")    \
	X(GTRACE_ERROR_MEMORY, 2, "out of memory")                         \
	X(GTRACE_ERROR_OPEN, 3, "the file cannot be opened")               \
	X(GTRACE_ERROR_READ, 4, "the file cannot be read")                 \
	X(GTRACE_ERROR_WRITE, 5, "the report cannot be written")           \
	X(GTRACE_ERROR_HEADER, 6, "not a trace, or its header is short")   \
	X(GTRACE_ERROR_VERSION, 7, "a trace version that is not read")     \
	X(GTRACE_ERROR_RECORD, 8, "a record is broken or cut off")         \
	X(GTRACE_ERROR_ARGS, 9, "a record has wrong arguments")            \
	X(GTRACE_ERROR_EMPTY, 10, "no event, or no tick frequency")        \
	X(GTRACE_ERROR_ORDER, 11, "events cannot be put in order")         \
	X(GTRACE_ERROR_STATE, 12, "an event contradicts those before it")  \
	X(GTRACE_ERROR_SYMBOLS, 13, "program counters cannot be resolved")

enum gtrace_status {
#define GTRACE_STATUS_ENUM(name, number, sentence) name = number,
	GTRACE_STATUS_LIST(GTRACE_STATUS_ENUM)
#undef GTRACE_STATUS_ENUM
};

/* Room for an error message with its final NUL; longer ones are cut off. */
#define GTRACE_MESSAGE_SIZE 1024

/*
 * What went wrong. Owned by the caller, who need not initialise it.
 */
struct gtrace_error {
	enum gtrace_status status;
	/* errno of the failed system call, 0 if the cause was none. */
	int system_error;
	/*
	 * Where in the file: the first byte of the record at fault, or the
	 * place where bytes are missing. 0 if no one place is at fault.
	 */
	uint64_t offset;
	/*
	 * One line of text without a newline. For a bad trace these are the
	 * words of Go's own parser.
	 */
	char message[GTRACE_MESSAGE_SIZE];
};

/*
 * gtrace_status_string() - the sentence of STATUS in GTRACE_STATUS_LIST, or
 * "unknown status". A constant, never NULL. Safe from any thread.
 */
const char *gtrace_status_string(enum gtrace_status status);

/*
 * gtrace_version() - the library's version, GTRACE_VERSION when it was built.
 */
const char *gtrace_version(void);

/*
 * gtrace_trace_versions() - the trace versions that are read, as numbers like
 * 1008 for "go 1.8 trace", in rising order, ending with 0. A constant.
 */
const unsigned *gtrace_trace_versions(void);

/* ----------------------------------------------------------------- input -- */

/*
 * Where the library gets its memory. All three functions are set. They follow
 * malloc, realloc and free, but are told the sizes, and get CONTEXT as is.
 * resize may get NULL with old_size 0. They are called by the thread that
 * calls the library, and must not call the library with the same trace.
 */
struct gtrace_allocator {
	void *(*allocate)(void *context, size_t size);
	void *(*resize)(void *context, void *memory, size_t old_size,
			size_t new_size);
	void (*release)(void *context, void *memory, size_t size);
	void *context;
};

/*
 * How to read a trace. Zero means the default for every field, so start from
 * `struct gtrace_options options = {0};`. Strings need to live only as long as
 * the open call; the allocator, until the trace is closed.
 */
struct gtrace_options {
	/* NULL: malloc, realloc and free. */
	const struct gtrace_allocator *allocator;
	/*
	 * The program that wrote the trace. Go 1.5 and 1.6 traces hold bare
	 * program counters, and `go tool addr2line` is run on this file to
	 * name them. NULL, or newer traces: not used.
	 */
	const char *binary;
	/* The go command to run for that. NULL: "go", looked for in PATH. */
	const char *go_command;
	/*
	 * Not 0: if the trace is damaged, read the longest part from its start
	 * that is a consistent trace; gtrace_left_out() tells what was not
	 * read. Opening then checks all that the reports would, and fails, as
	 * without it, if no part will do. An undamaged trace is read as
	 * without it.
	 */
	int partial;
	/*
	 * Not 0: take the slower way through the trace that damaged ones go
	 * (every event in its final place), for holding the ways against each
	 * other. The reports are the same.
	 */
	int careful;
};

/* An open trace. */
struct gtrace;

/*
 * gtrace_open_path() - opens the trace in the file PATH and checks each of its
 * records. A regular file is mapped, and must not be changed until the trace
 * is closed; anything else (a pipe, a terminal) is read to its end into
 * memory, but no further than its header if that is not a trace's.
 *
 * OPTIONS may be NULL for the defaults. On success *TRACE is an open trace,
 * to be given to gtrace_close(); on failure it is NULL.
 *
 * Errors: GTRACE_ERROR_ARGUMENT, _MEMORY, _OPEN, _READ, _HEADER, _VERSION,
 * _RECORD, _ARGS, _EMPTY, and GTRACE_ERROR_ORDER for an impossible frequency.
 * What concerns several events together is found by the reports.
 */
enum gtrace_status gtrace_open_path(const char *path,
				    const struct gtrace_options *options,
				    struct gtrace **trace,
				    struct gtrace_error *error);

/*
 * gtrace_open_fd() - the same for the open file FD, from its start if it is a
 * regular file, from where it stands if it is not. FD stays open and belongs
 * to the caller, who may close it when the call has returned.
 */
enum gtrace_status gtrace_open_fd(int fd, const struct gtrace_options *options,
				  struct gtrace **trace,
				  struct gtrace_error *error);

/*
 * gtrace_open_memory() - the same for SIZE bytes at DATA, which are not copied
 * and must stay as they are until the trace is closed. DATA may be NULL if
 * SIZE is 0.
 */
enum gtrace_status gtrace_open_memory(const void *data, size_t size,
				      const struct gtrace_options *options,
				      struct gtrace **trace,
				      struct gtrace_error *error);

/*
 * gtrace_close() - frees the trace and all that belongs to it. Reports made by
 * gtrace_greedy() must be freed before.
 */
void gtrace_close(struct gtrace *trace);

/*
 * gtrace_trace_version() - the version in the header, 1008 for "go 1.8 trace".
 */
unsigned gtrace_trace_version(const struct gtrace *trace);

/*
 * gtrace_left_out() - with options.partial: where the part that is read ends.
 * Returns 0 if nothing was left out. Otherwise returns 1, and sets *OFFSET to
 * the first byte that was not read, *SIZE to how many there are from it to the
 * end, and *REASON (which lives as long as the trace) to what is wrong with
 * the whole. Each may be NULL.
 */
int gtrace_left_out(const struct gtrace *trace, uint64_t *offset,
		    uint64_t *size, const struct gtrace_error **reason);

/* ---------------------------------------------------------------- reports -- */

/*
 * Text from a trace. SIZE bytes, any of which may be NUL; not terminated.
 */
struct gtrace_string {
	const char *data;
	size_t size;
};

/* One frame of a stack. */
struct gtrace_frame {
	uint64_t pc;
	struct gtrace_string function;
	struct gtrace_string file;
	int64_t line;
};

/* At most this many steps are walked back from an event without frames. */
#define GTRACE_WALK_MAX 10

/* At most this many string arguments belong to one event. */
#define GTRACE_STRINGS_MAX 2

/* One event of a slice, with the stack that explains it. */
struct gtrace_event {
	uint64_t offset;  /* of its record in the file */
	unsigned type;    /* number in the trace format */
	const char *name; /* of the type, by the trace's version */
	int64_t ts;       /* nanoseconds since the first event */
	int64_t p;        /* processor; 1000001 and up are not real ones */
	uint64_t g;       /* goroutine */
	uint64_t stack_id; /* 0: none */
	uint64_t args[3];
	/*
	 * The event's own frames, innermost first. If it has none, those of
	 * the nearest event with frames that led to it (see walk), or none.
	 */
	const struct gtrace_frame *frames;
	size_t frame_count;
	/*
	 * If the frames are not the event's own: names of the events from the
	 * one that has them to the one just before this event.
	 */
	const char *walk[GTRACE_WALK_MAX];
	size_t walk_count;
	/* The event's own string arguments, such as a label. */
	struct gtrace_string strings[GTRACE_STRINGS_MAX];
	size_t string_count;
};

/* One time on a processor without a break. */
struct gtrace_slice {
	int64_t duration; /* nanoseconds */
	struct gtrace_event start;
	/*
	 * What took the goroutine off its processor. Unset if the goroutine
	 * was still running at the end of the trace.
	 */
	struct gtrace_event end;
	int still_running;
};

/* The greedy report: the longest slices, longest first. */
struct gtrace_greedy_report {
	const struct gtrace_slice *slices;
	size_t count;
};

/*
 * gtrace_greedy() - finds the N longest slices of TRACE, fewer if it has
 * fewer. On success *REPORT, to be given to gtrace_greedy_free(), holds them;
 * everything in it lives until then. On failure *REPORT is NULL. Takes about
 * 700 bytes of memory a slice that it finds, beside what the goroutines take
 * that live at the same time.
 *
 * Errors: GTRACE_ERROR_ARGUMENT (N is 0), _MEMORY, _READ, _ORDER, _STATE,
 * _SYMBOLS.
 */
enum gtrace_status gtrace_greedy(struct gtrace *trace, size_t n,
				 struct gtrace_greedy_report **report,
				 struct gtrace_error *error);

/* gtrace_greedy_free() - frees REPORT, which was made of TRACE. */
void gtrace_greedy_free(struct gtrace *trace,
			struct gtrace_greedy_report *report);

/*
 * Where the text of a report goes: to `write` with CONTEXT if it is set, which
 * takes all SIZE bytes and returns 0, or an errno value that ends the report;
 * else to the file descriptor FD, which may be a file, pipe or terminal, in
 * large writes that are repeated where the system cuts them short.
 */
struct gtrace_output {
	int (*write)(void *context, const void *data, size_t size);
	void *context;
	int fd;
};

/*
 * gtrace_print_greedy() - writes the greedy report of the N longest slices as
 * text. If the trace turns out to be bad, nothing has been written.
 *
 * Errors: those of gtrace_greedy(), and GTRACE_ERROR_WRITE.
 */
enum gtrace_status gtrace_print_greedy(struct gtrace *trace, size_t n,
				       const struct gtrace_output *output,
				       struct gtrace_error *error);

/*
 * gtrace_print_dump() - writes every event as text. If the trace turns out to
 * be bad, nothing has been written. Takes at most 24 bytes of memory an event
 * and the texts of stacks, beside what the trace itself takes.
 *
 * Errors: those of gtrace_greedy() but for N, and GTRACE_ERROR_WRITE.
 */
enum gtrace_status gtrace_print_dump(struct gtrace *trace,
				     const struct gtrace_output *output,
				     struct gtrace_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GTRACE_GTRACE_H_ */
