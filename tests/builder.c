/* SPDX-License-Identifier: BSD-3-Clause */
/* builder.c - writes traces, record by record, for tests and benchmarks. */
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 16
#define TOP_SHIFT    6
#define TOP_LENGTH   3u /* top bits: the length of the values goes first */

/* Versions from this one on have no sequence numbers and know strings. */
#define VERSION_MERGED 1007

static void *must(void *memory)
{
	if (memory == NULL) {
		fputs("builder: out of memory\n", stderr);
		abort();
	}
	return memory;
}

void *builder_memory(size_t count, size_t size)
{
	return must(calloc(count, size));
}

void builder_open(struct builder *b, unsigned version)
{
	*b = (struct builder){.version = version, .sequence_step = 1};
}

void builder_close(struct builder *b)
{
	free(b->bytes);
	*b = (struct builder){0};
}

void builder_clear(struct builder *b)
{
	b->before += b->size;
	b->size = 0;
}

uint64_t builder_offset(const struct builder *b)
{
	return b->before + b->size;
}

/* Returns a place for MORE bytes after the last one. */
static uint8_t *reserve(struct builder *b, size_t more)
{
	if (b->capacity - b->size < more) {
		b->capacity = 2 * b->capacity + more + 64;
		b->bytes = must(realloc(b->bytes, b->capacity));
	}
	return b->bytes + b->size;
}

static size_t values_bytes(const uint64_t *values, size_t count)
{
	uint8_t value[VALUE_BYTES];
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		n += (size_t)(put_leb128(value, values[i]) - value);
	return n;
}

uint64_t builder_header(struct builder *b)
{
	char header[HEADER_BYTES + 16] = {0};

	snprintf(header, sizeof(header), "go %u.%u trace", b->version / 1000,
		 b->version % 1000);
	return builder_bytes(b, header, HEADER_BYTES);
}

uint64_t builder_bytes(struct builder *b, const void *data, size_t size)
{
	uint64_t offset = builder_offset(b);

	if (size != 0)
		memcpy(reserve(b, size), data, size);
	b->size += size;
	return offset;
}

void builder_write(void *context, const void *data, size_t size)
{
	builder_bytes(context, data, size);
}

uint64_t builder_value(struct builder *b, uint64_t value)
{
	uint64_t offset = builder_offset(b);
	uint8_t *end = put_leb128(reserve(b, VALUE_BYTES), value);

	b->size = (size_t)(end - b->bytes);
	return offset;
}

/* The first byte, LENGTH where it is not NULL, and the values. */
static uint64_t append(struct builder *b, unsigned type, unsigned top,
		       const uint64_t *length, const uint64_t *values,
		       size_t count)
{
	uint64_t offset = builder_offset(b);
	uint8_t *p = reserve(b, 1 + VALUE_BYTES * (count + 1));
	size_t i;

	*p++ = (uint8_t)(type | top << TOP_SHIFT);
	if (length != NULL)
		p = put_leb128(p, *length);
	for (i = 0; i < count; i++)
		p = put_leb128(p, values[i]);
	b->size = (size_t)(p - b->bytes);
	return offset;
}

/* As many values as there always are: what top bits 0 stand for. */
static size_t least_values(const struct builder *b)
{
	return b->version < VERSION_MERGED ? 2 : 1;
}

uint64_t builder_record(struct builder *b, unsigned type,
			const uint64_t *values, size_t count)
{
	size_t least = least_values(b);

	if (count < least || count - least >= TOP_LENGTH)
		return builder_record_as(b, type, TOP_LENGTH, values, count);
	return append(b, type, (unsigned)(count - least), NULL, values, count);
}

uint64_t builder_record_as(struct builder *b, unsigned type, unsigned top,
			   const uint64_t *values, size_t count)
{
	if (top == TOP_LENGTH)
		return builder_record_claiming(
			b, type, values_bytes(values, count), values, count);
	return append(b, type, top, NULL, values, count);
}

uint64_t builder_record_claiming(struct builder *b, unsigned type,
				 uint64_t length, const uint64_t *values,
				 size_t count)
{
	return append(b, type, TOP_LENGTH, &length, values, count);
}

uint64_t builder_event(struct builder *b, unsigned type, const uint64_t *values,
		       size_t count)
{
	uint64_t all[16];

	if (b->version >= VERSION_MERGED || count >= 16)
		return builder_record(b, type, values, count);
	all[0] = b->sequence_step;
	memcpy(all + 1, values, count * sizeof(*values));
	return builder_record(b, type, all, count + 1);
}

uint64_t builder_batch(struct builder *b, uint64_t p, uint64_t ticks)
{
	if (b->version < VERSION_MERGED)
		return BUILDER_RECORD(b, EV_BATCH, p, 0, ticks);
	return BUILDER_RECORD(b, EV_BATCH, p, ticks);
}

uint64_t builder_frequency(struct builder *b, uint64_t ticks_per_second)
{
	if (b->version < VERSION_MERGED)
		return BUILDER_RECORD(b, EV_FREQUENCY, ticks_per_second, 0);
	return BUILDER_RECORD(b, EV_FREQUENCY, ticks_per_second);
}

uint64_t builder_string(struct builder *b, uint64_t id, const char *text)
{
	return builder_string_of(b, id, text, strlen(text));
}

uint64_t builder_string_of(struct builder *b, uint64_t id, const void *data,
			   size_t size)
{
	uint64_t offset =
		append(b, EV_STRING, 0, NULL, BUILDER_VALUES(id, size));

	builder_bytes(b, data, size);
	return offset;
}

uint64_t builder_stack(struct builder *b, uint64_t id,
		       const struct builder_frame *frames, size_t count)
{
	uint64_t *values = builder_memory(2 + 4 * count, sizeof(*values));
	uint64_t *v = values;
	uint64_t offset;
	size_t i;

	*v++ = id;
	*v++ = count;
	for (i = 0; i < count; i++) {
		*v++ = frames[i].pc;
		if (b->version < VERSION_MERGED)
			continue;
		*v++ = frames[i].function;
		*v++ = frames[i].file;
		*v++ = frames[i].line;
	}
	offset = builder_record_as(b, EV_STACK, TOP_LENGTH, values,
				   (size_t)(v - values));
	free(values);
	return offset;
}

uint64_t builder_user_log(struct builder *b, uint64_t delta, uint64_t task,
			  uint64_t key, uint64_t stack, const char *message)
{
	size_t size = strlen(message);
	uint64_t offset =
		BUILDER_EVENT(b, EV_USER_LOG, delta, task, key, stack);

	builder_value(b, size);
	builder_bytes(b, message, size);
	return offset;
}
