/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - reads a file record by record, and checks every byte of it. Error
 * messages are those of Go's parser.
 */
#ifndef GTRACE_V1_RECORD_H_
#define GTRACE_V1_RECORD_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "v1/rules.h"

#define HEADER_SIZE 16

/*
 * Reads the header of the SIZE bytes at DATA and sets *VERSION. Errors:
 * GTRACE_ERROR_HEADER, GTRACE_ERROR_VERSION.
 */
enum gtrace_status gti_header_read(const uint8_t *data, size_t size,
				   unsigned *version,
				   struct gtrace_error *error);

struct record {
	size_t offset;
	unsigned type;
	size_t count; /* of values; the first ones are kept */
	uint64_t values[EVENT_VALUES_MAX];
	size_t text; /* size of a UserLog's message, with which it ends */
};

struct reader {
	const uint8_t *data;
	size_t size;
	size_t offset; /* of the next record */
	const struct rules *rules;
	/* The strings read so far: id to text_pack(). NULL: they are not kept.
	 */
	struct dictionary *strings;
	const struct gtrace_allocator *memory;
	struct gtrace_error *error;
};

/* Longest string the format allows, in bytes. */
#define TEXT_MAX 1000000

/* Offset and size of a string as one number; the size is in the low bits. */
#define TEXT_SIZE_BITS 20

static inline uint64_t text_pack(size_t offset, size_t size)
{
	return (uint64_t)offset << TEXT_SIZE_BITS | size;
}

/*
 * Reads the next record, and adds a String to the dictionary. Sets RECORD->type
 * to EV_NONE at the end of the file.
 * Errors: GTRACE_ERROR_RECORD, _CUT_OFF, _MEMORY.
 */
enum gtrace_status gti_record_read(struct reader *reader,
				   struct record *record);

/*
 * Skips the plain events from OFFSET on in DATA, a file of SIZE bytes, and adds
 * their number to *EVENTS. PLAIN is as in struct rules. Returns the offset of
 * the first record that it does not skip: one that is not a plain event, or is
 * unusually long, or may be broken, or is near the end of the file. Not for Go
 * 1.5 and 1.6, in which an event of four values has no length.
 */
size_t gti_skip_plain(const uint8_t plain[256], const uint8_t *data,
		      size_t offset, size_t size, uint64_t *events);

#endif /* GTRACE_V1_RECORD_H_ */
