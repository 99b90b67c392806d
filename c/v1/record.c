/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - reads a file record by record. */
#include "v1/record.h"

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
	if (!gti_version_is_read(v))
		return gti_fail(error, GTRACE_ERROR_VERSION, 0,
				"unsupported trace file version %u.%u "
				"(update Go toolchain) %u",
				v / 1000, v % 1000, v);
	*version = v;
	return GTRACE_OK;
}

/*
 * Reads the value at READER->offset and moves to its end. Bits above the 64th
 * are not a fault here.
 */
static enum leb128_status read_value(struct reader *reader, uint64_t *value)
{
	const uint8_t *p = reader->data + reader->offset;
	enum leb128_status status =
		leb128_read(&p, reader->data + reader->size, value);

	reader->offset = (size_t)(p - reader->data);
	return status == LEB128_OVERFLOW ? LEB128_GOOD : status;
}

/* A value of a String could not be read. */
static enum gtrace_status fail_value(const struct reader *reader,
				     enum leb128_status fault)
{
	if (fault == LEB128_TOO_LONG)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				reader->offset, "bad value at offset 0x%zx",
				reader->offset);
	return gti_fail(reader->error, GTRACE_ERROR_CUT_OFF, reader->offset,
			"failed to read trace at offset %zu: read 0, error EOF",
			reader->offset);
}

/* A value of an event could not be read. The reference reports offset 0. */
static enum gtrace_status fail_argument(const struct reader *reader,
					const struct record *record,
					enum leb128_status fault)
{
	if (fault == LEB128_TOO_LONG)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				reader->offset,
				"failed to read event %u argument at "
				"offset 0 (bad value at offset 0x%zx)",
				record->type, reader->offset);
	return gti_fail(reader->error, GTRACE_ERROR_CUT_OFF, reader->offset,
			"failed to read event %u argument at offset 0 (failed "
			"to read trace at offset %zu: read 0, error EOF)",
			record->type, reader->offset);
}

static enum gtrace_status fail_string(const struct reader *reader,
				      const char *what, uint64_t value,
				      bool with_value)
{
	if (!with_value)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				reader->offset, "string at offset %zu has %s",
				reader->offset, what);
	return gti_fail(reader->error, GTRACE_ERROR_RECORD, reader->offset,
			"string at offset %zu has %s %llu", reader->offset,
			what, (unsigned long long)value);
}

static enum gtrace_status read_string(struct reader *reader,
				      struct record *record)
{
	enum leb128_status fault;
	uint64_t id, size;
	size_t left;

	fault = read_value(reader, &id);
	if (fault != LEB128_GOOD)
		return fail_value(reader, fault);
	if (id == 0)
		return fail_string(reader, "invalid id 0", 0, false);
	if (dictionary_get(reader->strings, id) != 0)
		return fail_string(reader, "duplicate id", id, true);
	fault = read_value(reader, &size);
	if (fault != LEB128_GOOD)
		return fail_value(reader, fault);
	if (size == 0)
		return fail_string(reader, "invalid length 0", 0, false);
	if (size > TEXT_MAX)
		return fail_string(reader, "too large length", size, true);
	left = reader->size - reader->offset;
	if (size > left)
		return gti_fail(
			reader->error, GTRACE_ERROR_CUT_OFF, reader->size,
			"failed to read trace at offset %zu: read %zu, want "
			"%llu, error %s",
			reader->offset, left, (unsigned long long)size,
			left == 0 ? "EOF" : "unexpected EOF");
	record->count = 2;
	record->values[0] = id;
	record->values[1] = size;
	record->text_offset = reader->offset;
	record->text_size = (size_t)size;
	reader->offset += (size_t)size;
	if (!gti_dictionary_set(
		    reader->strings, id,
		    text_pack(record->text_offset, record->text_size),
		    reader->memory))
		return gti_fail_memory(reader->error);
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
		enum leb128_status fault = read_value(reader, &value);

		if (fault != LEB128_GOOD)
			return fail_argument(reader, record, fault);
		keep(record, value);
	}
	return GTRACE_OK;
}

/* Reads a length in bytes, and values up to that length. */
static enum gtrace_status read_sized(struct reader *reader,
				     struct record *record)
{
	enum leb128_status fault;
	uint64_t size, value;
	size_t start;

	fault = read_value(reader, &size);
	if (fault != LEB128_GOOD)
		return fail_argument(reader, record, fault);
	start = reader->offset;
	while (size > reader->offset - start) {
		fault = read_value(reader, &value);
		if (fault != LEB128_GOOD)
			return fail_argument(reader, record, fault);
		keep(record, value);
	}
	if (size != reader->offset - start)
		return gti_fail(reader->error, GTRACE_ERROR_RECORD,
				record->offset,
				"event has wrong length at offset 0x%zx: "
				"want %llu, got %zu",
				record->offset, (unsigned long long)size,
				reader->offset - start);
	return GTRACE_OK;
}

/*
 * Reads the message of a UserLog. Like the reference it does not report a
 * message that is too long or cut off, or a bad length: the message is empty
 * then, and reading continues after the length or at the end of the file.
 */
static void read_message(struct reader *reader, struct record *record)
{
	size_t left;
	uint64_t size;
	enum leb128_status fault = read_value(reader, &size);

	if (fault == LEB128_TOO_LONG)
		reader->offset += LEB128_BYTES_MAX;
	if (fault == LEB128_CUT_OFF)
		reader->offset = reader->size;
	if (fault != LEB128_GOOD || size > TEXT_MAX)
		return;
	left = reader->size - reader->offset;
	if (size > left) {
		reader->offset = reader->size;
		return;
	}
	record->text_offset = reader->offset;
	record->text_size = (size_t)size;
	reader->offset += (size_t)size;
}

enum gtrace_status gti_record_read(struct reader *reader, struct record *record)
{
	const struct rules *rules = reader->rules;
	enum gtrace_status status;
	unsigned first_byte, count;

	record->offset = reader->offset;
	record->type = EV_NONE;
	record->count = 0;
	record->text_offset = 0;
	record->text_size = 0;
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
		read_message(reader, record);
	return status;
}
