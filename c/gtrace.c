/* SPDX-License-Identifier: BSD-3-Clause */
/* gtrace.c - opens and closes traces, whole or as much of them as is good. */
#include <string.h>

#include "base/fail.h"
#include "base/guard.h"
#include "front.h"
#include "v1/record.h"

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
	return gti_versions;
}

static enum gtrace_status read_part(struct gtrace *trace,
				    struct gtrace_error *error);

/* --------------------------------------------------------------- opening -- */

/* A copy of TEXT, or NULL if TEXT is NULL or there is no memory. */
static char *copy_text(const struct gtrace_allocator *memory, const char *text)
{
	size_t size = text != NULL ? strlen(text) + 1 : 0;
	char *copy = text != NULL ? gti_allocate(memory, size) : NULL;

	if (copy != NULL)
		memcpy(copy, text, size);
	return copy;
}

static void free_text(const struct gtrace_allocator *memory, char *text)
{
	gti_release(memory, text, text != NULL ? strlen(text) + 1 : 0);
}

static enum gtrace_status new_trace(const struct gtrace_options *options,
				    struct gtrace **trace,
				    struct gtrace_error *error)
{
	static const struct gtrace_options defaults;
	struct gtrace_allocator memory;
	const char *go;
	struct gtrace *new;

	if (options == NULL)
		options = &defaults;
	memory = gti_allocator_or_default(options->allocator);
	new = gti_allocate_zeroed(&memory, 1, sizeof(*new));
	if (new == NULL)
		return gti_fail_memory(error);
	go = options->go_command != NULL ? options->go_command : "go";
	new->memory = memory;
	new->careful = options->careful != 0;
	new->partial = options->partial != 0;
	new->binary = copy_text(&memory, options->binary);
	new->go_command = copy_text(&memory, go);
	if ((options->binary != NULL && new->binary == NULL) ||
	    new->go_command == NULL) {
		gtrace_close(new);
		return gti_fail_memory(error);
	}
	*trace = new;
	return GTRACE_OK;
}

static enum gtrace_status read_index(struct gtrace *trace, size_t size,
				     struct gtrace_error *error)
{
	return gti_index_init(&trace->index, &trace->input, size,
			      &trace->memory, error);
}

/* The input is there: does the first pass. Frees TRACE if that fails. */
static enum gtrace_status index_trace(struct gtrace *trace, struct gtrace **out,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	if (trace->partial)
		status = read_part(trace, error);
	else
		status = read_index(trace, trace->input.size, error);
	status = gti_guard_leave(&guard, status, error);
	if (status == GTRACE_OK)
		*out = trace;
	else
		gtrace_close(trace);
	return status;
}

/* Whether a file that begins with the SIZE bytes at DATA may be a trace. */
static enum gtrace_status check_head(const uint8_t *data, size_t size,
				     struct gtrace_error *error)
{
	unsigned version;

	return gti_header_read(data, size, &version, error);
}

enum gtrace_status gtrace_open_path(const char *path,
				    const struct gtrace_options *options,
				    struct gtrace **out,
				    struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	if (path == NULL)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"no path to open");
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	status = gti_input_path(&trace->input, path, check_head, &trace->memory,
				error);
	if (status != GTRACE_OK) {
		gtrace_close(trace);
		return status;
	}
	return index_trace(trace, out, error);
}

enum gtrace_status gtrace_open_fd(int fd, const struct gtrace_options *options,
				  struct gtrace **out,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	status = gti_input_fd(&trace->input, fd,
			      fd == 0 ? "/dev/stdin" : "trace", check_head,
			      &trace->memory, error);
	if (status != GTRACE_OK) {
		gtrace_close(trace);
		return status;
	}
	return index_trace(trace, out, error);
}

enum gtrace_status gtrace_open_memory(const void *data, size_t size,
				      const struct gtrace_options *options,
				      struct gtrace **out,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	struct gtrace *trace;

	*out = NULL;
	if (data == NULL && size != 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"no data to open");
	status = new_trace(options, &trace, error);
	if (status != GTRACE_OK)
		return status;
	trace->input.data = data;
	trace->input.size = size;
	return index_trace(trace, out, error);
}

void gtrace_close(struct gtrace *trace)
{
	struct gtrace_allocator memory;

	if (trace == NULL)
		return;
	memory = trace->memory;
	gti_symbols_free(&trace->symbols, &memory);
	gti_index_free(&trace->index);
	gti_input_close(&trace->input);
	free_text(&memory, trace->binary);
	free_text(&memory, trace->go_command);
	gti_release(&memory, trace, sizeof(*trace));
}

unsigned gtrace_trace_version(const struct gtrace *trace)
{
	return trace->index.rules.version;
}

/* --------------------------------------------------------------- partial -- */

/* So many cuts are tried: each costs a walk. */
#define CUTS_MAX 64

/* Whether a shorter part of the trace may do where this fault was found. */
static bool can_cut(enum gtrace_status status)
{
	return status == GTRACE_ERROR_RECORD || status == GTRACE_ERROR_ARGS ||
	       status == GTRACE_ERROR_ORDER || status == GTRACE_ERROR_STATE;
}

/* Reads the first SIZE bytes, and checks all that a report would. */
static enum gtrace_status try_size(struct gtrace *trace, size_t size,
				   size_t *cut, struct gtrace_error *error)
{
	struct plan plan = {0};
	enum gtrace_status status = read_index(trace, size, error);

	if (status != GTRACE_OK) {
		*cut = trace->index.good_size;
		return status;
	}
	status = gti_plan_follow(trace, &plan, error);
	gti_plan_free(trace, &plan);
	*cut = (size_t)error->offset;
	if (status != GTRACE_OK)
		gti_index_free(&trace->index);
	return status;
}

/*
 * Reads the longest part of the trace, from its start, that is consistent.
 * What cannot have its turn cannot have it in a shorter part either, so a part
 * that does not do is cut off before the event that was at fault.
 */
static enum gtrace_status read_part(struct gtrace *trace,
				    struct gtrace_error *error)
{
	size_t size = trace->input.size, cut = size;
	struct gtrace_error fault = {.status = GTRACE_OK};
	unsigned cuts;

	for (cuts = 0; cuts < CUTS_MAX; cuts++) {
		enum gtrace_status status = try_size(trace, size, &cut, &fault);

		if (status == GTRACE_OK)
			return GTRACE_OK;
		if (status == GTRACE_ERROR_MEMORY) {
			if (error != NULL)
				*error = fault;
			return status;
		}
		if (trace->reason.status == GTRACE_OK)
			trace->reason = fault;
		if (!can_cut(status) || cut >= size)
			break;
		size = cut;
	}
	/* What was wrong with the whole of it says most. */
	if (error != NULL)
		*error = trace->reason;
	return trace->reason.status;
}

int gtrace_left_out(const struct gtrace *trace, uint64_t *offset,
		    uint64_t *size, const struct gtrace_error **reason)
{
	if (trace->index.size == trace->input.size)
		return 0;
	if (offset != NULL)
		*offset = trace->index.size;
	if (size != NULL)
		*size = trace->input.size - trace->index.size;
	if (reason != NULL)
		*reason = &trace->reason;
	return 1;
}
