/* SPDX-License-Identifier: BSD-3-Clause */
/* keep.c - reads a trace while it comes, until the user ends that. */
#define _POSIX_C_SOURCE 200809L

#include "tools/keep.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/errors.h"
#include "tools/interrupt.h"

/* How often it is looked whether a signal has come, in milliseconds. */
#define LOOK_EVERY 100

static int64_t read_kept(void *context, void *buffer, size_t size)
{
	const struct keep_from *from = context;
	ssize_t got;

	while (!from->is_piped || !interrupt_came()) {
		if (from->is_piped && !interrupt_wait(from->fd, LOOK_EVERY))
			continue;
		got = read(from->fd, buffer, size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != 0 || from->end == NULL || from->end(from->context))
			return got;
		errno = EIO;
		return -1;
	}
	errno = EINTR;
	return -1;
}

static void close_kept(void *context)
{
	struct keep_from *from = context;

	if (from->is_piped)
		interrupt_release();
	if (from->close != NULL)
		from->close(from->context);
	free(from);
}

bool keep_is_for(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && !S_ISREG(info.st_mode) &&
	       !S_ISDIR(info.st_mode);
}

enum gtrace_status keep_open_from(const struct keep_from *from,
				  const struct gtrace_options *given,
				  struct gtrace **trace,
				  struct gtrace_error *error)
{
	struct gtrace_options options = *given;
	struct keep_from *kept = malloc(sizeof(*kept));
	const struct gtrace_stream stream = {
		.size = sizeof(stream),
		.read = read_kept,
		.close = close_kept,
		.context = kept,
	};

	if (kept == NULL) {
		if (from->close != NULL)
			from->close(from->context);
		return error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	}
	*kept = *from;
	if (from->is_piped) {
		if (options.partial == GTRACE_PARTIAL_NO)
			options.partial = GTRACE_PARTIAL_CUT_OFF;
		interrupt_catch();
	}
	return gtrace_open_stream(&stream, &options, trace, error);
}

static void close_fd(void *context)
{
	close((int)(intptr_t)context);
}

enum gtrace_status keep_open(int fd, bool is_ours,
			     const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error)
{
	const struct keep_from from = {
		.fd = fd,
		.is_piped = true,
		.close = is_ours ? close_fd : NULL,
		.context = (void *)(intptr_t)fd,
	};

	return keep_open_from(&from, given, trace, error);
}
