/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - reads a file record by record. */
#include "v1/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/leb128.h"

/* "go 1.8 trace" and padding; the minor version has up to three digits. */
static bool parse_header(const uint8_t *h, unsigned *version)
{
	static const char tail[] = " trace\0\0\0\0";
	unsigned minor, i;

	if (memcmp(h, "go ", 3) != 0 || h[3] < '1' || h[3] > '9' ||
	    h[4] != '.' || h[5] < '1' || h[5] > '9')
		return false;
	minor = h[5] - '0';
	for (i = 0; h[6 + i] >= '0' && h[6 + i] <= '9' && i < 2; i++)
		minor = minor * 10 + (h[6 + i] - '0');
	*version = (h[3] - '0') * 1000u + minor;
	return memcmp(h + 6 + i, tail, 10 - i) == 0;
}

enum gtrace_status gti_header_read(const uint8_t *data, size_t size,
				   unsigned *version,
				   struct gtrace_error *error)
{
	unsigned v = 0;

	if (size < HEADER_SIZE)
		return gti_fail(error, GTRACE_ERROR_HEADER, size,
				"failed to read header: read %zu, err %s", size,
				size == 0 ? "EOF" : "unexpected EOF");
	if (!parse_header(data, &v))
		return gti_fail(error, GTRACE_ERROR_HEADER, 0,
				"not a trace file");
	switch (v) {
#define VERSION_CASE(version) case version:
		VERSION_LIST(VERSION_CASE)
#undef VERSION_CASE
		*version = v;
		return GTRACE_OK;
	default:
		return gti_fail(error, GTRACE_ERROR_VERSION, 0,
				"unsupported trace file version %u.%u "
				"(update Go toolchain) %u",
				v / 1000, v % 1000, v);
	}
}

/* Reads the value at READER->offset and moves to its end. */
static enum leb128_status take_value(struct reader *reader, uint64_t *value)
{
	const uint8_t *p = reader->data + reader->offset;
	enum leb128_status status =
		leb128_read(&p, reader->data + reader->size, value);

	reader->offset = (size_t)(p - reader->data);
	return status;
}

/*
 * Reads a value of RECORD, in which bits above the 64th are no fault. In
 * messages about events the reference has the offset 0.
 */
static enum gtrace_status
read_value(struct reader *reader, const struct record *record, uint64_t *value)
{
	enum leb128_status fault = take_value(reader, value);
	enum gtrace_status status;
	char text[80];

	if (LIKELY(fault == LEB128_GOOD || fault == LEB128_OVERFLOW))
		return GTRACE_OK;
	if (fault == LEB128_TOO_LONG) {
		status = GTRACE_ERROR_RECORD;
		snprintf(text, sizeof(text), "bad value at offset 0x%zx",
			 reader->offset);
	} else {
		status = GTRACE_ERROR_CUT_OFF;
		snprintf(text, sizeof(text),
			 "failed to read trace at offset %zu: read 0, error "
			 "EOF",
			 reader->offset);
	}
	if (record->type == EV_STRING)
		return gti_fail(reader->error, status, reader->offset, "%s",
				text);
	return gti_fail(reader->error, status, reader->offset,
			"failed to read event %u argument at offset 0 (%s)",
			record->type, text);
}

/* The string of which READER has read a VALUE is at fault. */
static enum gtrace_status fail_string(const struct reader *reader,
				      const char *what, uint64_t value)
{
	return gti_fail(reader->error, GTRACE_ERROR_RECORD, reader->offset,
			"string at offset %zu has %s %" PRIu64, reader->offset,
			what, value);
}

static enum gtrace_status read_string(struct reader *reader,
				      struct record *record)
{
	uint64_t id, size;
	enum gtrace_status status = read_value(reader, record, &id);
	size_t left;

	if (status != GTRACE_OK)
		return status;
	if (id == 0)
		return fail_string(reader, "invalid id", id);
	if (reader->strings != NULL && dictionary_get(reader->strings, id) != 0)
		return fail_string(reader, "duplicate id", id);
	status = read_value(reader, record, &size);
	if (status != GTRACE_OK)
		return status;
	if (size == 0)
		return fail_string(reader, "invalid length", size);
	if (size > TEXT_MAX)
		return fail_string(reader, "too large length", size);
	left = reader->size - reader->offset;
	if (size > left)
		return gti_fail(reader->error, GTRACE_ERROR_CUT_OFF,
				reader->size,
				"failed to read trace at offset %zu: read %zu, "
				"want %" PRIu64 ", error %s",
				reader->offset, left, size,
				left == 0 ? "EOF" : "unexpected EOF");
	record->count = 2;
	record->values[0] = id;
	record->values[1] = size;
	if (reader->strings != NULL &&
	    !gti_dictionary_set(reader->strings, id,
				text_pack(reader->offset, (size_t)size),
				reader->memory))
		return gti_fail_memory(reader->error);
	reader->offset += (size_t)size;
	return GTRACE_OK;
}

static void keep(struct record *record, uint64_t value)
{
	if (record->count < EVENT_VALUES_MAX)
		record->values[record->count] = value;
	record->count++;
}

/* Reads COUNT values. */
static enum gtrace_status read_inline(struct reader *reader,
				      struct record *record, unsigned count)
{
	while (record->count < count) {
		uint64_t value;
		enum gtrace_status status = read_value(reader, record, &value);

		if (status != GTRACE_OK)
			return status;
		keep(record, value);
	}
	return GTRACE_OK;
}

/* Reads a length in bytes, and values up to that length. */
static enum gtrace_status read_sized(struct reader *reader,
				     struct record *record)
{
	uint64_t size, value;
	enum gtrace_status status = read_value(reader, record, &size);
	size_t start = reader->offset;

	if (status != GTRACE_OK)
		return status;
	while (size > reader->offset - start) {
		status = read_value(reader, record, &value);
		if (status != GTRACE_OK)
			return status;
		keep(record, value);
	}
	if (size != reader->offset - start)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				record->offset,
				"event has wrong length at offset 0x%zx: "
				"want %" PRIu64 ", got %zu",
				record->offset, size, reader->offset - start);
	return GTRACE_OK;
}

/*
 * Skips the message of a UserLog and returns its size. Like the reference it
 * does not report a message that is too long or cut off, or a bad length: the
 * message is empty then, and reading continues after the length or at the end
 * of the file.
 */
static size_t skip_message(struct reader *reader)
{
	uint64_t size = 0;
	enum leb128_status fault = take_value(reader, &size);

	if (fault == LEB128_TOO_LONG) {
		reader->offset += LEB128_BYTES_MAX;
		return 0;
	}
	if (size > TEXT_MAX)
		return 0;
	if (fault == LEB128_CUT_OFF || size > reader->size - reader->offset) {
		reader->offset = reader->size;
		return 0;
	}
	reader->offset += (size_t)size;
	return (size_t)size;
}

enum gtrace_status gti_record_read(struct reader *reader, struct record *record)
{
	const struct rules *rules = reader->rules;
	enum gtrace_status status;
	unsigned first_byte, count;

	record->offset = reader->offset;
	record->type = EV_NONE;
	record->count = 0;
	record->text = 0;
	if (reader->offset == reader->size)
		return GTRACE_OK;
	first_byte = reader->data[reader->offset++];
	record->type = first_byte & (EVENT_TYPES - 1);
	count = first_byte / EVENT_TYPES + rules->inline_base;
	if (!rules->by_type[record->type].known)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				record->offset,
				"unknown event type %u at offset 0x%zx",
				record->type, record->offset);
	if (record->type == EV_STRING)
		return read_string(reader, record);
	if (first_byte < SIZED_FIRST_BYTE)
		status = read_inline(reader, record, count);
	else
		status = read_sized(reader, record);
	if (status == GTRACE_OK && record->type == EV_USER_LOG)
		record->text = skip_message(reader);
	return status;
}
