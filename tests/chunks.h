/* SPDX-License-Identifier: BSD-3-Clause */
/* chunks.h - bytes that come a chunk at a time, as through a pipe. */
#ifndef GTRACE_TESTS_CHUNKS_H_
#define GTRACE_TESTS_CHUNKS_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* SIZE bytes at DATA, of which AT have come. */
struct source {
	const uint8_t *data;
	size_t size;
	size_t at;
	size_t chunk;    /* as many come at once */
	size_t fails_at; /* with `code`; 0: never */
	int code;
	size_t closed; /* how often */
};

/* Of gtrace_stream, `read`: CONTEXT is a struct source. */
static inline int64_t read_source(void *context, void *buffer, size_t size)
{
	struct source *source = context;
	size_t left = source->size - source->at;

	if (source->fails_at != 0 && source->at >= source->fails_at) {
		errno = source->code;
		return -1;
	}
	if (size > source->chunk)
		size = source->chunk;
	if (size > left)
		size = left;
	memcpy(buffer, source->data + source->at, size);
	source->at += size;
	return (int64_t)size;
}

static inline void close_source(void *context)
{
	((struct source *)context)->closed++;
}

#endif /* GTRACE_TESTS_CHUNKS_H_ */
