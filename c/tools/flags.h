/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.h - command line flags, as in Go's flag package. */
#ifndef GTRACE_TOOLS_FLAGS_H_
#define GTRACE_TOOLS_FLAGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flag {
	const char *name;
	/* One of these is set: where its value goes. */
	bool *boolean;
	int64_t *number;
	const char **text;
	/* A value of a boolean that sets *by_word too. NULL: none. */
	const char *word;
	bool *by_word;
};

#define FLAGS_MESSAGE_SIZE 256

/*
 * Reads flags from ARGUMENTS, which has COUNT of them and starts with the
 * program's name, up to the first argument that is none: -x, --x, -x=value, and
 * for numbers -x value. FLAGS ends with a name of NULL. Returns the index of
 * the first argument after the flags, or -1 with the error in MESSAGE.
 */
int flags_parse(const struct flag *flags, int count, char **arguments,
		char message[FLAGS_MESSAGE_SIZE]);

#endif /* GTRACE_TOOLS_FLAGS_H_ */
