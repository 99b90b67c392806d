/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes.h - bytes that grow, and values in LEB128: what all writers of traces
 * are made of (builder.h, v2/builder.h, generator.h), and readers of profiles.
 *
 * Functions that append return the offset in the file of what they appended.
 * A builder that gets no memory ends the program.
 */
#ifndef GTRACE_TESTS_BYTES_H_
#define GTRACE_TESTS_BYTES_H_

#include <stddef.h>
#include <stdint.h>

/* A value has 7 bits a byte. */
#define VALUE_BYTES 10

struct builder {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	/* Bytes of the file before BYTES, see builder_clear(). */
	uint64_t before;
	/* As in the header: 1008 for "go 1.8 trace". */
	unsigned version;
	/* Sequence delta of events in versions before 1007. */
	uint64_t sequence_step;
};

struct builder_frame {
	uint64_t pc;
	uint64_t function; /* id of a string */
	uint64_t file;     /* id of a string */
	uint64_t line;
};

/* An empty trace, without a header. To be given to builder_close(). */
void builder_open(struct builder *b, unsigned version);

void builder_close(struct builder *b);

/*
 * Forgets the bytes, which the caller has written to a file, say. Offsets go
 * on from there.
 */
void builder_clear(struct builder *b);

/* Offset in the file of what will be appended next. */
uint64_t builder_offset(const struct builder *b);

/* The 16 bytes that name the version. */
uint64_t builder_header(struct builder *b);

/* SIZE bytes as they are. */
uint64_t builder_bytes(struct builder *b, const void *data, size_t size);

/* The same of the builder at CONTEXT. */
void builder_write(void *context, const void *data, size_t size);

/* One value in LEB128, which is part of a record if the caller says so. */
uint64_t builder_value(struct builder *b, uint64_t value);

/* COUNT items of SIZE zero bytes, to be freed. */
void *builder_memory(size_t count, size_t size);

/* Writes VALUE at P in LEB128, and returns the end of it. */
static inline uint8_t *put_leb128(uint8_t *p, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (uint8_t)(value | 0x80);
	*p++ = (uint8_t)value;
	return p;
}

/* Takes a value from *P, where there is one, and moves *P to the end of it. */
static inline uint64_t take_leb128(const uint8_t **p)
{
	uint64_t value = 0;
	unsigned shift = 0;

	for (; **p >= 0x80; shift += 7)
		value |= (uint64_t)(*(*p)++ & 0x7f) << shift;
	return value | (uint64_t)(*(*p)++) << shift;
}

#endif /* GTRACE_TESTS_BYTES_H_ */
