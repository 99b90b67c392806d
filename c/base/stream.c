/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c - an input that comes while it is read. */
#define _DEFAULT_SOURCE      /* mkstemp */
#define _FILE_OFFSET_BITS 64 /* files of over 2 GB where off_t has 32 bits */

#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"

#if HAS_MAPPED_FILES
#include <sys/mman.h>
#endif

/* Bytes that are read at once. */
#define AT_ONCE 65536

/*
 * As much address space is mapped for what comes. It takes no memory: pages do,
 * as they are read.
 */
#define MAPPED ((uint64_t)1 << 40)

/* The first capacity where there is not so much. It doubles from there. */
#define CAPACITY_FIRST ((size_t)1 << 20)

struct stream {
	struct gtrace_stream given;
	const char *name;
	int kept;   /* the file; -1: there is none */
	bool moves; /* see gti_stream_moves() */
	bool ended;
	bool is_short;
	enum gtrace_status status; /* of the last read */
	int code;                  /* errno, if it failed */
	uint8_t bytes[AT_ONCE];
};

/* -------------------------------------------------------------- capacity -- */

#if HAS_MAPPED_FILES
/* Opens a file without a name in FOLDER. Returns -1 if there can be none. */
static int open_kept(const char *folder)
{
	static const char name[] = "gtrace-XXXXXX";
	char path[4096];
	int length, fd;

	if (folder == NULL)
		folder = getenv("TMPDIR");
	if (folder == NULL || *folder == '\0')
		folder = "/tmp";
	length = snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (length < 0 || (size_t)length >= sizeof(path))
		return -1;
	fd = mkstemp(path);
	if (fd < 0)
		return -1;
	(void)unlink(path);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

/* Maps SIZE bytes of the file KEPT, which may not have them yet. */
static bool map(struct input *input, int kept, size_t size)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_SHARED, kept, 0);

	if (data == MAP_FAILED)
		return false;
	if (input->capacity != 0)
		munmap((void *)(uintptr_t)input->data, input->capacity);
	input->kind = INPUT_MAPPED;
	input->data = data;
	input->capacity = size;
	input->page_size = (size_t)sysconf(_SC_PAGESIZE);
	return true;
}

/* Maps all that may come. Returns false if the address space is too small. */
static bool map_all(struct input *input, int kept)
{
	return MAPPED <= SIZE_MAX / 4 && map(input, kept, (size_t)MAPPED);
}
#else
static int open_kept(const char *folder)
{
	(void)folder;
	return -1;
}

static bool map(struct input *input, int kept, size_t size)
{
	(void)input;
	(void)kept;
	(void)size;
	return false;
}

static bool map_all(struct input *input, int kept)
{
	return map(input, kept, 0);
}
#endif

/* Sets the capacity of memory to SIZE bytes. */
static bool resize(struct input *input, size_t size)
{
	const struct gtrace_allocator *memory = input->memory;
	void *data =
		memory->resize(memory->context, (void *)(uintptr_t)input->data,
			       input->capacity, size);

	if (data == NULL)
		return false;
	input->kind = INPUT_READ;
	input->data = data;
	input->capacity = size;
	return true;
}

/* Reserves capacity for MORE bytes. */
static bool reserve(struct input *input, size_t more)
{
	struct stream *stream = input->stream;
	size_t size = input->capacity != 0 ? input->capacity : CAPACITY_FIRST;

	if (more <= input->capacity - input->size)
		return true;
	if (!stream->moves)
		return false;
	while (size - input->size < more) {
		if (size > SIZE_MAX / 2)
			return false;
		size *= 2;
	}
	return stream->kept >= 0 ? map(input, stream->kept, size)
				 : resize(input, size);
}

/* ------------------------------------------------------------------ open -- */

static void close_given(struct stream *stream)
{
	if (!stream->ended && stream->given.close != NULL)
		stream->given.close(stream->given.context);
	stream->ended = true;
}

enum gtrace_status gti_stream_open(struct input *input,
				   const struct gtrace_stream *given,
				   const char *name,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error)
{
	struct stream *stream = gti_allocate_zeroed(memory, 1, sizeof(*stream));

	*input = (struct input){.kind = INPUT_BORROWED, .memory = memory};
	if (stream == NULL) {
		if (given->close != NULL)
			given->close(given->context);
		return gti_fail_memory(error);
	}
	stream->given = *given;
	stream->name = name;
	stream->kept = open_kept(given->folder);
	stream->moves = stream->kept < 0 || !map_all(input, stream->kept);
	input->stream = stream;
	return GTRACE_OK;
}

bool gti_stream_moves(const struct stream *stream)
{
	return stream->moves;
}

bool gti_stream_is_short(const struct stream *stream)
{
	return stream->is_short;
}

void gti_stream_free(struct input *input)
{
	struct stream *stream = input->stream;

	if (stream == NULL)
		return;
	close_given(stream);
	if (stream->kept >= 0)
		close(stream->kept);
	gti_release(input->memory, stream, sizeof(*stream));
	input->stream = NULL;
}

/* ------------------------------------------------------------------ read -- */

/* The input has ended, for CODE, errno, or 0. */
static void end(struct stream *stream, enum gtrace_status status, int code)
{
	stream->is_short = code == EINTR;
	if (code != EINTR) {
		stream->status = status;
		stream->code = code;
	}
	close_given(stream);
}

/* Writes SIZE bytes behind what INPUT has. */
static bool write_kept(const struct input *input, const uint8_t *bytes,
		       size_t size)
{
	uint64_t at = input->size;
	ssize_t written;

	while (size > 0) {
		written = pwrite(input->stream->kept, bytes, size, (off_t)at);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		at += (uint64_t)written;
		size -= (size_t)written;
	}
	return true;
}

/* Adds the SIZE bytes that were read into stream->bytes. */
static void take(struct input *input, size_t size)
{
	struct stream *stream = input->stream;
	uint8_t *to;

	if (!reserve(input, size)) {
		end(stream, GTRACE_ERROR_MEMORY, ENOMEM);
		return;
	}
	if (stream->kept >= 0 && !write_kept(input, stream->bytes, size)) {
		end(stream, GTRACE_ERROR_WRITE, errno);
		return;
	}
	to = (uint8_t *)(uintptr_t)input->data + input->size;
	if (stream->kept < 0)
		memcpy(to, stream->bytes, size);
	input->size += size;
}

/* Calls the reader once. */
static void read_some(struct input *input)
{
	struct stream *stream = input->stream;
	const struct gtrace_stream *given = &stream->given;
	int64_t got;

	errno = 0;
	if (given->read != NULL)
		got = given->read(given->context, stream->bytes, AT_ONCE);
	else
		got = read(given->fd, stream->bytes, AT_ONCE);
	if (got < 0 && given->read == NULL && errno == EINTR)
		return;
	if (got < 0)
		end(stream, GTRACE_ERROR_READ, errno != 0 ? errno : EIO);
	else if (got == 0)
		end(stream, GTRACE_OK, 0);
	else if (got > AT_ONCE)
		end(stream, GTRACE_ERROR_READ, EINVAL);
	else
		take(input, (size_t)got);
}

bool gti_input_reach(struct input *input, size_t size)
{
	while (input->size < size && input->stream != NULL &&
	       !input->stream->ended)
		read_some(input);
	return input->size >= size;
}

enum gtrace_status gti_input_fault(const struct input *input,
				   struct gtrace_error *error)
{
	const struct stream *stream = input->stream;

	if (stream == NULL || stream->status == GTRACE_OK)
		return GTRACE_OK;
	if (stream->status == GTRACE_ERROR_MEMORY)
		return gti_fail_memory(error);
	if (stream->status == GTRACE_ERROR_WRITE)
		return gti_fail_system(error, GTRACE_ERROR_READ, input->size,
				       stream->code,
				       "failed to keep the trace in a file, at "
				       "offset 0x%zx: write",
				       input->size);
	return gti_fail_system(
		error, GTRACE_ERROR_READ, input->size, stream->code,
		input->size < INPUT_HEAD
			? "failed to read header: read %zu, err read %s"
			: "failed to read trace at offset 0x%zx: read %s",
		input->size, stream->name);
}
