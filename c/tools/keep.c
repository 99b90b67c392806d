/* SPDX-License-Identifier: BSD-3-Clause */
/* keep.c - keeps a pipe in a temporary file, not in memory. */
#define _POSIX_C_SOURCE 200809L

#include "tools/keep.h"

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/errors.h"
#include "tools/interrupt.h"
#include "tools/start.h"

/* Bytes that are read at once. */
#define KEPT_AT_ONCE 65536

/* How often it is looked whether a signal has come, in milliseconds. */
#define LOOK_EVERY 100

static enum gtrace_status fail_to(const char *what, int code,
				  struct gtrace_error *error)
{
	error_set(error, GTRACE_ERROR_READ, "failed to %s: %s", what,
		  error_text_of(code).text);
	error->system_error = code;
	return GTRACE_ERROR_READ;
}

/*
 * Whether the SIZE bytes at DATA, with which the input begins, can be a trace.
 * More bytes can complete a header.
 */
static enum gtrace_status check_head(const uint8_t *data, size_t size,
				     struct gtrace_error *error)
{
	const struct gtrace_options options = {.size = sizeof(options)};
	struct gtrace *trace;
	enum gtrace_status status =
		gtrace_open_memory(data, size, &options, &trace, error);

	gtrace_close(trace);
	if (status == GTRACE_ERROR_VERSION ||
	    (status == GTRACE_ERROR_HEADER && error->offset != size))
		return status;
	return GTRACE_OK;
}

/* Reads the pipe FD into TO, which has nothing yet. */
static enum gtrace_status copy(int fd, FILE *to, struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	uint8_t bytes[KEPT_AT_ONCE];
	size_t begun = 0;
	ssize_t got;

	while (status == GTRACE_OK && !interrupt_came()) {
		if (!interrupt_wait(fd, LOOK_EVERY))
			continue;
		got = read(fd, bytes + begun, sizeof(bytes) - begun);
		if (got < 0 && errno != EINTR)
			return fail_to("read it", errno, error);
		if (got > 0)
			begun += (size_t)got;
		if (got != 0 && begun < HEADER_SIZE)
			continue;
		if (ftell(to) == 0 && begun >= HEADER_SIZE)
			status = check_head(bytes, begun, error);
		if (fwrite(bytes, 1, begun, to) != begun)
			return fail_to("keep it in a file", errno, error);
		begun = 0;
		if (got == 0)
			break;
	}
	if (begun != 0 && fwrite(bytes, 1, begun, to) != begun)
		return fail_to("keep it in a file", errno, error);
	return status;
}

/*
 * Sets *TO to a file that has what FD gives until its end, or until the user
 * ends it: *IS_SHORT. NULL: there can be no file, and nothing was read.
 */
static enum gtrace_status keep(int fd, FILE **to, bool *is_short,
			       struct gtrace_error *error)
{
	enum gtrace_status status;

	*is_short = false;
	*to = tmpfile();
	if (*to == NULL)
		return GTRACE_OK;
	interrupt_catch();
	status = copy(fd, *to, error);
	*is_short = interrupt_came();
	interrupt_release();
	if (status == GTRACE_OK && fflush(*to) != 0)
		status = fail_to("keep it in a file", errno, error);
	if (status == GTRACE_OK)
		rewind(*to);
	return status;
}

bool keep_is_for(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode);
}

enum gtrace_status keep_open(int fd, const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error)
{
	struct gtrace_options options = *given;
	struct gtrace_error fault;
	bool is_short;
	FILE *kept;
	enum gtrace_status status = keep(fd, &kept, &is_short, &fault);

	*trace = NULL;
	/* Of what was interrupted, that which is complete is reported. */
	if (is_short && options.partial == GTRACE_PARTIAL_NO)
		options.partial = GTRACE_PARTIAL_GOOD;
	if (status == GTRACE_OK)
		status = gtrace_open_fd(kept != NULL ? fileno(kept) : fd,
					&options, trace, &fault);
	if (kept != NULL)
		fclose(kept);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	return status;
}
