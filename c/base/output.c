/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - buffered text output. */
#define _POSIX_C_SOURCE 200809L

#include "base/output.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/fail.h"
#include "base/memory.h"

enum gtrace_status gti_writer_init(struct writer *writer,
				   const struct gtrace_output *sink,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error)
{
	*writer = (struct writer){.sink = *sink, .memory = memory};
	writer->buffer = gti_allocate(memory, WRITER_BUFFER);
	if (writer->buffer == NULL)
		return gti_fail_memory(error);
	return GTRACE_OK;
}

/* Writes all of DATA to FD. Returns 0 or an errno value. */
static int write_all(int fd, const char *data, size_t size)
{
	while (size != 0) {
		ssize_t n = write(fd, data, size);

		if (n >= 0) {
			data += n;
			size -= (size_t)n;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

static void pass_on(struct writer *writer, const void *data, size_t size)
{
	writer->passed += size;
	if (writer->failure != 0 || size == 0)
		return;
	if (writer->sink.write != NULL)
		writer->failure =
			writer->sink.write(writer->sink.context, data, size);
	else
		writer->failure = write_all(writer->sink.fd, data, size);
}

static void flush(struct writer *writer)
{
	pass_on(writer, writer->buffer, writer->used);
	writer->used = 0;
	writer->flushed++;
}

enum gtrace_status gti_writer_finish(struct writer *writer,
				     struct gtrace_error *error)
{
	if (writer->buffer == NULL)
		return GTRACE_OK;
	flush(writer);
	gti_release(writer->memory, writer->buffer, WRITER_BUFFER);
	writer->buffer = NULL;
	if (writer->failure == 0)
		return GTRACE_OK;
	return gti_fail_system(error, GTRACE_ERROR_WRITE, 0, writer->failure,
			       "failed to write the report");
}

char *gti_writer_flush(struct writer *writer)
{
	flush(writer);
	return writer->buffer;
}

void gti_write_bytes(struct writer *writer, const void *data, size_t size)
{
	if (size > WRITER_BUFFER - writer->used)
		flush(writer);
	if (size > WRITER_BUFFER) {
		pass_on(writer, data, size);
		return;
	}
	if (size != 0)
		memcpy(writer->buffer + writer->used, data, size);
	writer->used += size;
}

char *gti_put_text(char *to, const char *text)
{
	size_t size = strlen(text);

	memcpy(to, text, size);
	return to + size;
}

/* Returns how many decimal digits VALUE has. */
static size_t count_digits(uint64_t value)
{
	size_t digits = 1;

	for (; value >= 10000; value /= 10000)
		digits += 4;
	return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* The pairs of digits that begin with DIGIT. */
#define TEN(digit)                                                             \
	digit "0" digit "1" digit "2" digit "3" digit "4" digit "5" digit      \
	      "6" digit "7" digit "8" digit "9"

char *gti_put_decimal(char *to, uint64_t value)
{
	static const char pairs[] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4")
		TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");
	char *end, *first;

	if (value < 10) {
		*to = (char)('0' + value);
		return to + 1;
	}
	end = first = to + count_digits(value);
	while (value >= 100) {
		first -= 2;
		memcpy(first, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10)
		memcpy(to, pairs + value * 2, 2);
	else
		*to = (char)('0' + value);
	return end;
}

char *gti_put_signed(char *to, int64_t value)
{
	if (value >= 0)
		return gti_put_decimal(to, (uint64_t)value);
	*to = '-';
	return gti_put_decimal(to + 1, 0 - (uint64_t)value);
}

void gti_write_signed(struct writer *writer, int64_t value)
{
	char *to = writer_reserve(writer, DECIMAL_MAX);

	writer_commit(writer, gti_put_signed(to, value));
}

char *gti_put_micros(char *to, int64_t ns)
{
	uint64_t value = (uint64_t)ns;

	if (ns < 0) {
		*to++ = '-';
		value = 0 - value;
	}
	to = gti_put_decimal(to, value / 1000);
	*to++ = '.';
	*to++ = (char)('0' + value / 100 % 10);
	*to++ = (char)('0' + value / 10 % 10);
	*to++ = (char)('0' + value % 10);
	return to;
}

#define SIXTEEN(digit)                                                         \
	TEN(digit) digit "a" digit "b" digit "c" digit "d" digit "e" digit "f"

char *gti_put_hex(char *to, uint64_t value)
{
	static const char pairs[] = SIXTEEN("0") SIXTEEN("1") SIXTEEN("2")
		SIXTEEN("3") SIXTEEN("4") SIXTEEN("5") SIXTEEN("6") SIXTEEN("7")
			SIXTEEN("8") SIXTEEN("9") SIXTEEN("a") SIXTEEN("b")
				SIXTEEN("c") SIXTEEN("d") SIXTEEN("e")
					SIXTEEN("f");
	unsigned digits = highest_bit(value | 1) / 4 + 1;
	char *end = to + 2 + digits;
	char *first = end;

	do {
		first -= 2;
		memcpy(first, pairs + (value & 0xff) * 2, 2);
		value >>= 8;
	} while (value != 0);
	/* An odd number of digits wrote a 0 where the x belongs. */
	to[0] = '0';
	to[1] = 'x';
	return end;
}
