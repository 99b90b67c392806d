/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - buffered text output.
 *
 * After a failure nothing more is written, and gti_writer_finish() reports it.
 * So callers do not check each write; those that write many lines stop.
 */
#ifndef GTRACE_BASE_OUTPUT_H_
#define GTRACE_BASE_OUTPUT_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "base/compiler.h"

struct writer {
	struct gtrace_output sink;
	const struct gtrace_allocator *memory;
	char *buffer;
	size_t used;
	uint64_t flushed; /* times that the buffer was emptied */
	uint64_t passed;  /* bytes that have left the buffer */
	int failure;      /* errno of the first failed write, 0: none */
};

/* Large enough that system calls cost little compared to making the text. */
#define WRITER_BUFFER ((size_t)64 << 10)

/* The most bytes that writer_reserve() can reserve. */
#define WRITER_RESERVE_MAX 1024

/* Returns GTRACE_ERROR_MEMORY if there is no memory for the buffer. */
enum gtrace_status gti_writer_init(struct writer *writer,
				   const struct gtrace_output *sink,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error);

/* Flushes and frees the buffer, and reports the first failure. */
enum gtrace_status gti_writer_finish(struct writer *writer,
				     struct gtrace_error *error);

/* Passes on what is in the buffer, and returns the empty buffer. */
char *gti_writer_flush(struct writer *writer);

/*
 * Returns where at least SIZE bytes, at most WRITER_RESERVE_MAX, can be
 * written. The caller writes there and then calls writer_commit() with the end.
 */
static inline char *writer_reserve(struct writer *writer, size_t size)
{
	if (UNLIKELY(WRITER_BUFFER - writer->used < size))
		return gti_writer_flush(writer);
	return writer->buffer + writer->used;
}

static inline void writer_commit(struct writer *writer, const char *end)
{
	writer->used = (size_t)(end - writer->buffer);
}

static inline void write_byte(struct writer *writer, char byte)
{
	char *to = writer_reserve(writer, 1);

	*to = byte;
	writer_commit(writer, to + 1);
}

/* Returns how many bytes were written so far. */
static inline uint64_t writer_size(const struct writer *writer)
{
	return writer->passed + writer->used;
}

void gti_write_bytes(struct writer *writer, const void *data, size_t size);

static inline void write_text(struct writer *writer, const char *text)
{
	gti_write_bytes(writer, text, strlen(text));
}

static inline void write_string(struct writer *writer,
				struct gtrace_string text)
{
	gti_write_bytes(writer, text.data, text.size);
}

void gti_write_signed(struct writer *writer, int64_t value);

/* Write text or a number to TO and return its end. */
char *gti_put_text(char *to, const char *text);
char *gti_put_decimal(char *to, uint64_t value);
char *gti_put_signed(char *to, int64_t value);
char *gti_put_hex(char *to, uint64_t value); /* with 0x */
/* NS as microseconds with three decimals, in DECIMAL_MAX + 1 bytes. */
char *gti_put_micros(char *to, int64_t ns);

/* Longest decimal number, with its sign. */
#define DECIMAL_MAX 20

#endif /* GTRACE_BASE_OUTPUT_H_ */
