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

/* What is read. */
struct kept {
	int fd;
	bool is_ours;
};

static int64_t read_kept(void *context, void *buffer, size_t size)
{
	const struct kept *kept = context;
	ssize_t got;

	while (!interrupt_came()) {
		if (!interrupt_wait(kept->fd, LOOK_EVERY))
			continue;
		got = read(kept->fd, buffer, size);
		if (got >= 0 || errno != EINTR)
			return got;
	}
	errno = EINTR;
	return -1;
}

static void close_kept(void *context)
{
	struct kept *kept = context;

	interrupt_release();
	if (kept->is_ours)
		close(kept->fd);
	free(kept);
}

bool keep_is_for(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && !S_ISREG(info.st_mode) &&
	       !S_ISDIR(info.st_mode);
}

enum gtrace_status keep_open(int fd, bool is_ours,
			     const struct gtrace_options *given,
			     struct gtrace **trace, struct gtrace_error *error)
{
	struct gtrace_options options = *given;
	struct kept *kept = calloc(1, sizeof(*kept));
	const struct gtrace_stream stream = {
		.size = sizeof(stream),
		.read = read_kept,
		.close = close_kept,
		.context = kept,
	};

	if (kept == NULL) {
		if (is_ours)
			close(fd);
		return error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	}
	*kept = (struct kept){fd, is_ours};
	/* Of what ends early, that which is complete is reported. */
	if (options.partial == GTRACE_PARTIAL_NO)
		options.partial = GTRACE_PARTIAL_CUT_OFF;
	interrupt_catch();
	return gtrace_open_stream(&stream, &options, trace, error);
}
