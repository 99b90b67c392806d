/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records.h - built traces as tables: the records of each, and what is to be
 * said of it. Only a test includes it, after cmocka.h.
 *
 *	static const struct fault faults[] = {
 *		{1008, GTRACE_ERROR_ARGS, 0, "...", {RECORD(EV_HEAP_ALLOC, 1)}},
 *	};
 */
#ifndef GTRACE_TESTS_RECORDS_H_
#define GTRACE_TESTS_RECORDS_H_

#include "tests/printed.h"

enum record_how {
	RECORD_NONE,   /* the end of a table */
	RECORD_EVENT,  /* as builder_event() writes it */
	RECORD_VALUES, /* as builder_record() does */
	RECORD_CLAIM,  /* the same; the last value is the length it claims */
	RECORD_FREQUENCY,
	RECORD_BYTES,
	RECORD_STRING,  /* `bytes`, with the id `values[0]` */
	RECORD_SEQUENCE /* the sequence step is `values[0]` from here on */
};

struct record {
	enum record_how how;
	unsigned type;
	const char *bytes;
	size_t count; /* of values, or bytes */
	uint64_t values[6];
};

#define RECORD_COUNT(...)                                                      \
	(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define RECORD_OF(how, type, ...)                                              \
	{                                                                      \
		how, type, NULL, RECORD_COUNT(__VA_ARGS__),                    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define EVENT(type, ...)  RECORD_OF(RECORD_EVENT, type, __VA_ARGS__)
#define RECORD(type, ...) RECORD_OF(RECORD_VALUES, type, __VA_ARGS__)
#define CLAIM(type, ...)  RECORD_OF(RECORD_CLAIM, type, __VA_ARGS__)
#define BYTES(text)                                                            \
	{                                                                      \
		RECORD_BYTES, 0, text, sizeof(text) - 1,                       \
		{                                                              \
			0                                                      \
		}                                                              \
	}
#define STRING(id, text)                                                       \
	{                                                                      \
		RECORD_STRING, 0, text, sizeof(text) - 1,                      \
		{                                                              \
			id                                                     \
		}                                                              \
	}
#define SEQUENCE(step)                                                         \
	{                                                                      \
		RECORD_SEQUENCE, 0, NULL, 0,                                   \
		{                                                              \
			step                                                   \
		}                                                              \
	}
/* One tick is a nanosecond. */
#define FREQUENCY(ticks) RECORD_OF(RECORD_FREQUENCY, EV_FREQUENCY, ticks)
#define NANOSECONDS      FREQUENCY(1000000000)

#define RECORDS_MAX 24

/* Writes RECORD. Returns its offset. */
static inline uint64_t write_record(struct builder *b,
				    const struct record *record)
{
	switch (record->how) {
	case RECORD_EVENT:
		return builder_event(b, record->type, record->values,
				     record->count);
	case RECORD_CLAIM:
		return builder_record_claiming(
			b, record->type, record->values[record->count - 1],
			record->values, record->count - 1);
	case RECORD_FREQUENCY:
		return builder_frequency(b, record->values[0]);
	case RECORD_BYTES:
		return builder_bytes(b, record->bytes, record->count);
	case RECORD_STRING:
		return builder_string_of(b, record->values[0], record->bytes,
					 record->count);
	case RECORD_SEQUENCE:
		b->sequence_step = record->values[0];
		return b->size;
	default:
		return builder_record(b, record->type, record->values,
				      record->count);
	}
}

/* Writes all RECORDS. Returns the offset of number AT, or of the end. */
static inline uint64_t write_records(struct builder *b,
				     const struct record *records, size_t at)
{
	uint64_t found = UINT64_MAX;
	size_t i;

	for (i = 0; i < RECORDS_MAX && records[i].how != RECORD_NONE; i++) {
		uint64_t offset = write_record(b, &records[i]);

		if (i == at)
			found = offset;
	}
	return found != UINT64_MAX ? found : b->size;
}

#define AT_END SIZE_MAX

/* A trace, and the fault that its record AT is. */
struct fault {
	unsigned version;
	enum gtrace_status status;
	size_t at;
	const char *message;
	struct record records[RECORDS_MAX];
};

#endif /* GTRACE_TESTS_RECORDS_H_ */
