/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_fuzzer.c - reads any file record by record. Each record is inside the
 * file and after the one before. The first pass, which skips most records, has
 * the same result.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "v1/index.h"
#include "v1/record.h"

/* The result of reading all records. */
struct reading {
	enum gtrace_status status;
	struct gtrace_error error;
	uint64_t records;
	uint64_t events;
	bool right; /* all have the right number of values */
};

static void take(const struct reader *reader, const struct record *record,
		 struct reading *reading)
{
	const struct rule *rule = &reader->rules->by_type[record->type];

	check(reader->offset > record->offset);
	check(reader->offset <= reader->size);
	if (record->type == EV_STRING)
		check(record->values[1] < reader->offset - record->offset);
	reading->records++;
	if (record->type == EV_STRING || record->type == EV_STACK)
		return;
	reading->right = reading->right && record->count == rule->values;
	if (rule->owner != OWNER_CONTROL)
		reading->events++;
}

static struct reading read_all(const uint8_t *data, size_t size,
			       const struct rules *rules,
			       const struct gtrace_allocator *memory)
{
	struct reading reading = {.status = GTRACE_OK, .right = true};
	struct dictionary strings = {0};
	struct reader reader = {
		.data = data,
		.size = size,
		.offset = HEADER_SIZE,
		.rules = rules,
		.strings = &strings,
		.memory = memory,
		.error = &reading.error,
	};
	struct record record;

	for (;;) {
		size_t offset = reader.offset;

		reading.status = gti_record_read(&reader, &record);
		if (reading.status != GTRACE_OK || record.type == EV_NONE)
			break;
		check(record.offset == offset);
		take(&reader, &record, &reading);
	}
	gti_dictionary_free(&strings, memory);
	return reading;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct input input = {.data = data, .size = size};
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct rules rules;
	struct index index;
	struct reading reading;
	unsigned version;

	status = gti_header_read(data, size, &version, &error);
	if (status != GTRACE_OK) {
		check(error.message[0] != '\0');
		check(gti_index_init(&index, &input, NULL, 0, &memory,
				     &error) == status);
		return 0;
	}
	gti_rules_init(&rules, version);
	reading = read_all(data, size, &rules, &memory);
	status = gti_index_init(&index, &input, NULL, 0, &memory, &error);
	if (reading.status != GTRACE_OK) {
		/* A fault in a record comes before all others. */
		check(status == reading.status);
		check(error.offset == reading.error.offset);
		check(strcmp(error.message, reading.error.message) == 0);
	} else if (!reading.right) {
		check(status != GTRACE_OK);
	} else if (status == GTRACE_OK) {
		check(index.events == reading.events);
	}
	if (status == GTRACE_OK)
		gti_index_free(&index);
	return 0;
}
