/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input.h - a whole file as bytes in memory: mapped if it is a regular file,
 * read to its end if it is a pipe or the like.
 */
#ifndef GTRACE_BASE_INPUT_H_
#define GTRACE_BASE_INPUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/platform.h"
#include "base/progress.h"

#if HAS_SIGNALS
#include <signal.h>
#else
typedef int sig_atomic_t;
#endif

struct input {
	const uint8_t *data;
	size_t size;
	enum {
		INPUT_BORROWED, /* the caller's memory */
		INPUT_MAPPED,
		INPUT_READ, /* allocated */
	} kind;
	size_t capacity;  /* bytes that are allocated or mapped */
	size_t page_size; /* of the system, if the file is mapped */
	const struct gtrace_allocator *memory;
	struct stream *stream; /* what more can come of; NULL: it is whole */
	struct progress *progress; /* of passes over it, or NULL */
	/*
	 * Set by the SIGBUS handler: a page could not be read, and the offset
	 * of the first such page. See guard.h.
	 */
	volatile sig_atomic_t lost;
	volatile size_t lost_offset;
};

/* Enough bytes of a file to tell whether it can be a trace. */
#define INPUT_HEAD ((size_t)16)

/*
 * Returns GTRACE_OK if a file that starts with the SIZE bytes at DATA, at least
 * INPUT_HEAD, is to be read. Otherwise fills ERROR and returns its status.
 */
typedef enum gtrace_status input_check(const uint8_t *data, size_t size,
				       struct gtrace_error *error);

/*
 * Fills INPUT with the file FD; NAME is its name in messages. A file that
 * cannot be mapped may never end, so CHECK is called once, as soon as
 * INPUT_HEAD bytes have been read; NULL: any file is read. It is not called for
 * a mapped file, nor for a shorter one. If a read fails before that, the
 * message says that the header cannot be read. Errors: GTRACE_ERROR_READ,
 * _MEMORY, and those of CHECK.
 */
enum gtrace_status gti_input_fd(struct input *input, int fd, const char *name,
				input_check *check,
				const struct gtrace_allocator *memory,
				struct gtrace_error *error);

/* gti_input_fd() for the file PATH. Errors: also GTRACE_ERROR_OPEN. */
enum gtrace_status gti_input_path(struct input *input, const char *path,
				  input_check *check,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error);

void gti_input_close(struct input *input);

/*
 * Reads until INPUT, if it comes from a stream, has SIZE bytes. Returns false
 * if it ends before it has, or cannot be read: gti_input_fault() tells.
 */
bool gti_input_reach(struct input *input, size_t size);

/* Fills ERROR if more of INPUT could not be read or kept. */
enum gtrace_status gti_input_fault(const struct input *input,
				   struct gtrace_error *error);

/*
 * Advises the system that the bytes from FIRST to END are not needed soon, so
 * that a mapped file does not fill the memory. They can still be read.
 */
void gti_input_done_with(const struct input *input, size_t first, size_t end);

#endif /* GTRACE_BASE_INPUT_H_ */
