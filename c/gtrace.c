/* SPDX-License-Identifier: BSD-3-Clause */
/* gtrace.c - opens traces with the format that reads them, and closes them. */
#include <string.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/stream.h"
#include "front.h"
#include "machine.h"
#include "testing.h"
#include "v1/trace.h"
#include "v2/format_v2.h"

const char *gtrace_status_string(enum gtrace_status status)
{
	switch (status) {
#define STATUS_CASE(name, number, sentence)                                    \
	case name:                                                             \
		return sentence;
		GTRACE_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
	}
	return "unknown status";
}

const char *gtrace_version(void)
{
	return GTRACE_VERSION;
}

const unsigned *gtrace_trace_versions(void)
{
	static const unsigned versions[] = {
#define OLD_VERSION(version) version,
#define NEW_VERSION(version) 1000 + (version),
		VERSION_LIST(OLD_VERSION) V2_VERSION_LIST(NEW_VERSION) 0
#undef NEW_VERSION
#undef OLD_VERSION
	};

	return versions;
}

enum gtrace_status gti_copy_sized(void *to, size_t size, const void *from,
				  struct gtrace_error *error)
{
	const unsigned char *bytes = from;
	size_t given, i;

	memset(to, 0, size);
	if (from == NULL)
		return GTRACE_OK;
	memcpy(&given, from, sizeof(given));
	if (given < sizeof(given))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the struct's size field is not set");
	for (i = size; i < given; i++)
		if (bytes[i] != 0)
			return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
					"a field is set that this version of "
					"libgtrace does not know");
	memcpy(to, from, given < size ? given : size);
	return GTRACE_OK;
}

/* ------------------------------------------------------------ allocation -- */

/* Replaces *TEXT, which can be NULL, by a copy. False: there is no memory. */
static bool keep_text(struct arena *texts, const char **text)
{
	if (*text == NULL)
		return true;
	*text = gti_arena_copy(texts, *text, strlen(*text) + 1);
	return *text != NULL;
}

static enum gtrace_status check_options(const struct gtrace_options *options,
					struct gtrace_error *error)
{
	if (options->partial < GTRACE_PARTIAL_NO ||
	    options->partial > GTRACE_PARTIAL_CUT_OFF)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"an unknown value of `partial`");
	if (options->frequency < 0 ||
	    (options->frequency > 0 && !options->partial))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a frequency below 0, or without `partial`");
	return GTRACE_OK;
}

static enum gtrace_status new_trace(const struct gtrace_options *given,
				    struct gtrace **out,
				    struct gtrace_error *error)
{
	struct gtrace_options options;
	struct gtrace_allocator memory;
	enum gtrace_status status =
		gti_copy_sized(&options, sizeof(options), given, error);
	struct gtrace *trace;

	*out = NULL;
	if (status == GTRACE_OK)
		status = check_options(&options, error);
	if (status != GTRACE_OK)
		return status;
	memory = gti_allocator_or_default(options.allocator);
	trace = gti_allocate_zeroed(&memory, 1, sizeof(*trace));
	if (trace == NULL)
		return gti_fail_memory(error);
	trace->memory = memory;
	trace->options = options;
	trace->texts.memory = &trace->memory;
	trace->progress.report = options.progress;
	trace->progress.context = options.progress_context;
	if (!keep_text(&trace->texts, &trace->options.binary) ||
	    !keep_text(&trace->texts, &trace->options.go_command))
		status = gti_fail_memory(error);
	else if (options.sched != NULL)
		status = gti_oncpu_open(&trace->oncpu, options.sched,
					&trace->memory, error);
	if (status == GTRACE_OK && options.threads != NULL)
		status = gti_accounts_open(&trace->accounts, options.threads,
					   &trace->memory, error);
	if (status == GTRACE_OK)
		*out = trace;
	else
		gtrace_close(trace);
	return status;
}

void gtrace_close(struct gtrace *trace)
{
	struct gtrace_allocator memory;

	if (trace == NULL)
		return;
	memory = trace->memory;
	gti_free_machine(trace);
	if (trace->self != NULL)
		trace->format->close(trace->self);
	gti_input_close(&trace->input);
	gti_oncpu_free(trace->oncpu);
	gti_accounts_free(trace->accounts);
	gti_arena_free(&trace->texts);
	gti_release(&memory, trace, sizeof(*trace));
}

/* --------------------------------------------------------------- opening -- */

static const struct format *const formats[] = {&gti_format_v2, &gti_format_v1};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/*
 * Sets *FORMAT to the one that reads a file that begins with the SIZE bytes at
 * DATA. If none does, the error is that of the last one.
 */
static enum gtrace_status choose_format(const uint8_t *data, size_t size,
					const struct format **format,
					struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_ERROR_HEADER;
	struct gtrace_error fault;
	size_t i;

	for (i = 0; i < FORMATS && status != GTRACE_OK; i++) {
		*format = formats[i];
		status = formats[i]->check(data, size, &fault);
	}
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	return status;
}

/*
 * Checks the first bytes of a file that is being read. A header that more bytes
 * could complete is no error.
 */
static enum gtrace_status check_head(const uint8_t *data, size_t size,
				     struct gtrace_error *error)
{
	const struct format *format;
	struct gtrace_error fault;
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (formats[i]->check(data, size, &fault) ==
			    GTRACE_ERROR_HEADER &&
		    fault.offset == size)
			return GTRACE_OK;
	return choose_format(data, size, &format, error);
}

/* Finds out how the clock of the scheduling record is that of TRACE. */
static enum gtrace_status match_clocks(struct gtrace *trace,
				       struct gtrace_error *error)
{
	if (trace->oncpu == NULL)
		return GTRACE_OK;
	if (trace->format->monotonic == NULL)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a scheduling record is for traces of Go 1.22 "
				"and later: older ones have no threads");
	if (trace->oncpu->since_first)
		return GTRACE_OK;
	return trace->format->monotonic(trace->self, &trace->oncpu->offset,
					error);
}

/* Whether a fault of TRACE ends it. */
static bool takes_part(const struct gtrace *trace)
{
	const struct stream *stream = trace->input.stream;

	if (trace->options.partial == GTRACE_PARTIAL_NO)
		return false;
	/* What is cut off cannot be told from other faults without tables. */
	return trace->options.partial != GTRACE_PARTIAL_CUT_OFF ||
	       trace->format->generations != NULL ||
	       (stream != NULL && gti_stream_is_short(stream));
}

/* Opens the trace in trace->input. */
static enum gtrace_status open_format(struct gtrace *trace,
				      struct gtrace_error *error)
{
	const struct gtrace_options *given = &trace->options;
	struct format_options options = {
		.memory = &trace->memory,
		.binary = given->binary,
		.go_command =
			given->go_command != NULL ? given->go_command : "go",
		.unfinished = given->partial == GTRACE_PARTIAL_UNFINISHED,
		.cut_off = given->partial == GTRACE_PARTIAL_CUT_OFF,
		.frequency = given->frequency,
	};
	enum gtrace_status status;

	if (given->progress != NULL)
		trace->input.progress = &trace->progress;
	status = choose_format(trace->input.data, trace->input.size,
			       &trace->format, error);
	if (status == GTRACE_OK && takes_part(trace))
		options.left_out = &trace->left_out;
	if (status == GTRACE_OK)
		status =
			trace->format->open(&options, &trace->input,
					    &trace->self, &trace->facts, error);
	return status == GTRACE_OK ? match_clocks(trace, error) : status;
}

/*
 * Opens TRACE, the input of which is set unless STATUS says that there is none.
 * Sets *OUT to TRACE, or frees it on failure.
 */
static enum gtrace_status open_trace(struct gtrace *trace,
				     enum gtrace_status status,
				     struct gtrace **out,
				     struct gtrace_error *error)
{
	struct gtrace_error fault;
	struct guard guard;

	if (status == GTRACE_OK) {
		gti_guard_enter(&guard, &trace->input);
		status = open_format(trace, &fault);
		if (status != GTRACE_OK && error != NULL)
			*error = fault;
		status = gti_guard_leave(&guard, status, error);
	}
	*out = status == GTRACE_OK ? trace : NULL;
	if (status != GTRACE_OK)
		gtrace_close(trace);
	return status;
}

/* Up to this one the interface was not passed: it is said to be 0. */
#define INTERFACE_MAX_SILENT 3

/* Fails if the program was compiled with another header than the library. */
static enum gtrace_status check_interface(unsigned interface,
					  struct gtrace_error *error)
{
	if (interface == GTRACE_INTERFACE)
		return GTRACE_OK;
	return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
			"the program was compiled with gtrace.h of interface "
			"0.%u%s, and the library has interface 0.%u: compile "
			"the program with the header of this library",
			interface != 0 ? interface : INTERFACE_MAX_SILENT,
			interface != 0 ? "" : " or older", GTRACE_INTERFACE);
}

enum gtrace_status gtrace_open_path_as(unsigned interface, const char *path,
				       const struct gtrace_options *options,
				       struct gtrace **out,
				       struct gtrace_error *error)
{
	struct gtrace *trace = NULL;
	enum gtrace_status status = check_interface(interface, error);

	if (status == GTRACE_OK)
		status = path == NULL ? gti_fail(error, GTRACE_ERROR_ARGUMENT,
						 0, "no path to open")
				      : new_trace(options, &trace, error);
	if (status == GTRACE_OK)
		status = gti_input_path(&trace->input, path, check_head,
					&trace->memory, error);
	return open_trace(trace, status, out, error);
}

enum gtrace_status gtrace_open_fd_as(unsigned interface, int fd,
				     const struct gtrace_options *options,
				     struct gtrace **out,
				     struct gtrace_error *error)
{
	struct gtrace *trace = NULL;
	enum gtrace_status status = check_interface(interface, error);

	if (status == GTRACE_OK)
		status = new_trace(options, &trace, error);
	if (status == GTRACE_OK)
		status = gti_input_fd(&trace->input, fd,
				      fd == 0 ? "/dev/stdin" : "trace",
				      check_head, &trace->memory, error);
	return open_trace(trace, status, out, error);
}

/*
 * Reads so much of the stream that is the input of TRACE that a format can be
 * chosen and opened.
 */
static enum gtrace_status begin_stream(struct gtrace *trace,
				       struct gtrace_error *error)
{
	struct input *input = &trace->input;
	const struct format *format;
	struct gtrace_error fault;
	enum gtrace_status status;

	gti_input_reach(input, INPUT_HEAD);
	do
		status = choose_format(input->data, input->size, &format,
				       &fault);
	while (status != GTRACE_OK &&
	       check_head(input->data, input->size, NULL) == GTRACE_OK &&
	       gti_input_reach(input, input->size + 1));
	if (status == GTRACE_OK &&
	    (format->generations == NULL || gti_stream_moves(input->stream)))
		gti_input_reach(input, SIZE_MAX);
	return gti_input_fault(input, error);
}

enum gtrace_status gtrace_open_stream_as(unsigned interface,
					 const struct gtrace_stream *given,
					 const struct gtrace_options *options,
					 struct gtrace **out,
					 struct gtrace_error *error)
{
	struct gtrace_stream stream;
	struct gtrace *trace = NULL;
	enum gtrace_status status = check_interface(interface, error);

	if (status == GTRACE_OK)
		status = gti_copy_sized(&stream, sizeof(stream), given, error);
	*out = NULL;
	if (status != GTRACE_OK)
		return status;
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK && stream.close != NULL)
		stream.close(stream.context);
	if (status == GTRACE_OK)
		status = gti_stream_open(&trace->input, &stream,
					 stream.read == NULL && stream.fd == 0
						 ? "/dev/stdin"
						 : "trace",
					 &trace->memory, error);
	if (status == GTRACE_OK)
		status = begin_stream(trace, error);
	return open_trace(trace, status, out, error);
}

enum gtrace_status gtrace_open_memory_as(unsigned interface, const void *data,
					 size_t size,
					 const struct gtrace_options *options,
					 struct gtrace **out,
					 struct gtrace_error *error)
{
	struct gtrace *trace = NULL;
	enum gtrace_status status = check_interface(interface, error);

	if (status == GTRACE_OK)
		status = data == NULL && size != 0
				 ? gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
					    "no data to open")
				 : new_trace(options, &trace, error);
	if (status == GTRACE_OK) {
		trace->input.data = data;
		trace->input.size = size;
	}
	return open_trace(trace, status, out, error);
}

/* The functions that programs call which do not tell their interface. */

enum gtrace_status(gtrace_open_path)(const char *path,
				     const struct gtrace_options *options,
				     struct gtrace **trace,
				     struct gtrace_error *error)
{
	return gtrace_open_path_as(0, path, options, trace, error);
}

enum gtrace_status(gtrace_open_fd)(int fd, const struct gtrace_options *options,
				   struct gtrace **trace,
				   struct gtrace_error *error)
{
	return gtrace_open_fd_as(0, fd, options, trace, error);
}

enum gtrace_status(gtrace_open_memory)(const void *data, size_t size,
				       const struct gtrace_options *options,
				       struct gtrace **trace,
				       struct gtrace_error *error)
{
	return gtrace_open_memory_as(0, data, size, options, trace, error);
}

enum gtrace_status(gtrace_open_stream)(const struct gtrace_stream *stream,
				       const struct gtrace_options *options,
				       struct gtrace **trace,
				       struct gtrace_error *error)
{
	return gtrace_open_stream_as(0, stream, options, trace, error);
}

/* ----------------------------------------------------------------- facts -- */

unsigned gtrace_trace_version(const struct gtrace *trace)
{
	return trace->facts.version;
}

int64_t gtrace_frequency(const struct gtrace *trace)
{
	return trace->facts.frequency;
}

uint64_t gtrace_clock_changes(const struct gtrace *trace, int64_t *jump)
{
	if (jump != NULL)
		*jump = trace->clocks.jump;
	return trace->clocks.count;
}

int64_t gtrace_start_time(struct gtrace *trace)
{
	struct guard guard;
	int64_t offset = INT64_MIN;

	if (trace->format->wall == NULL)
		return INT64_MIN;
	gti_guard_enter(&guard, &trace->input);
	offset = trace->format->wall(trace->self);
	if (gti_guard_leave(&guard, GTRACE_OK, NULL) != GTRACE_OK ||
	    offset == INT64_MIN)
		return INT64_MIN;
	return add_ns(offset, trace->first_ticks);
}

int gtrace_in_ticks(const struct gtrace *trace)
{
	return gtrace_frequency(trace) == 0;
}

int gtrace_left_out(const struct gtrace *trace, uint64_t *offset,
		    uint64_t *size, const struct gtrace_error **reason)
{
	const struct left_out *left_out = &trace->left_out;

	if (left_out->reason.status == GTRACE_OK)
		return 0;
	if (offset != NULL)
		*offset = left_out->offset;
	if (size != NULL)
		*size = trace->input.size - left_out->offset;
	if (reason != NULL)
		*reason = &left_out->reason;
	return 1;
}

void gti_test_final_order(struct gtrace *trace)
{
	if (trace->format->use_final_order != NULL)
		trace->format->use_final_order(trace->self);
}
