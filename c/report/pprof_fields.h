/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof_fields.h - how the messages of a profile are written. */
#ifndef GTRACE_REPORT_PPROF_FIELDS_H_
#define GTRACE_REPORT_PPROF_FIELDS_H_

#include <stddef.h>
#include <stdint.h>

/* Fields of the messages. All numbers are below 16: a tag is one byte. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION = 10,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* How a field is encoded. */
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

static inline char *put_number(char *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (char)(value | 0x80);
	*to++ = (char)value;
	return to;
}

static inline char *put_field(char *to, unsigned field, uint64_t value)
{
	*to++ = (char)(field << 3 | WIRE_NUMBER);
	return put_number(to, value);
}

/* Begins a message of SIZE bytes as a field. */
static inline char *put_message(char *to, unsigned field, size_t size)
{
	*to++ = (char)(field << 3 | WIRE_BYTES);
	return put_number(to, size);
}

/*
 * Begins and ends a message of less than 128 bytes, such as one of two numbers
 * and their tags: its size is one byte, which is set at the end.
 */
static inline char *begin_short(char *to, unsigned field)
{
	*to = (char)(field << 3 | WIRE_BYTES);
	return to + 2;
}

static inline char *end_short(char *begin, char *end)
{
	begin[-1] = (char)(end - begin);
	return end;
}

/*
 * The label KEY of a sample, the number of a string. KIND says whether VALUE is
 * a number or that of a string.
 */
static inline char *put_label(char *to, uint64_t key, unsigned kind,
			      uint64_t value)
{
	char *begin = begin_short(to, SAMPLE_LABEL);

	return end_short(begin, put_field(put_field(begin, LABEL_KEY, key),
					  kind, value));
}

#endif /* GTRACE_REPORT_PPROF_FIELDS_H_ */
