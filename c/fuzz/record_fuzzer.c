/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_fuzzer.c - any file, read record by record: each lies inside the file
 * behind the one before. The first pass, which passes over most records without
 * reading them, comes to the same end.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "v1/index.h"
#include "v1/record.h"

/* What reading all records gives. */
struct walk {
	enum gtrace_status status;
	struct gtrace_error error;
	uint64_t records;
	uint64_t events;
	bool right; /* each has the number of values that it should have */
};

static void take(const struct reader *reader, const struct record *record,
		 struct walk *walk)
{
	const struct rule *rule = &reader->rules->by_type[record->type];

	check(reader->offset > record->offset);
	check(reader->offset <= reader->size);
	if (record->text_size != 0) {
		check(record->text_offset > record->offset);
		check(record->text_offset + record->text_size ==
		      reader->offset);
	}
	walk->records++;
	if (record->type == EV_STRING || record->type == EV_STACK)
		return;
	walk->right = walk->right && record->count == rule->values;
	if (rule->owner != OWNER_CONTROL)
		walk->events++;
}

static struct walk read_all(const uint8_t *data, size_t size,
			    const struct rules *rules,
			    const struct gtrace_allocator *memory)
{
	struct walk walk = {.status = GTRACE_OK, .right = true};
	struct dictionary strings = {0};
	struct reader reader = {
		.data = data,
		.size = size,
		.offset = HEADER_SIZE,
		.rules = rules,
		.strings = &strings,
		.memory = memory,
		.error = &walk.error,
	};
	struct record record;

	for (;;) {
		size_t offset = reader.offset;

		walk.status = gti_record_read(&reader, &record);
		if (walk.status != GTRACE_OK || record.type == EV_NONE)
			break;
		check(record.offset == offset);
		take(&reader, &record, &walk);
	}
	gti_dictionary_free(&strings, memory);
	return walk;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct input input = {.data = data, .size = size};
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct rules rules;
	struct index index;
	struct walk walk;
	unsigned version;

	status = gti_header_read(data, size, &version, &error);
	if (status != GTRACE_OK) {
		check(error.message[0] != '\0');
		check(gti_index_init(&index, &input, NULL, &memory, &error) ==
		      status);
		return 0;
	}
	gti_rules_init(&rules, version);
	walk = read_all(data, size, &rules, &memory);
	status = gti_index_init(&index, &input, NULL, &memory, &error);
	if (walk.status != GTRACE_OK) {
		/* A fault in a record comes before all others. */
		check(status == walk.status);
		check(error.offset == walk.error.offset);
		check(strcmp(error.message, walk.error.message) == 0);
	} else if (!walk.right) {
		check(status != GTRACE_OK);
	} else if (status == GTRACE_OK) {
		check(index.events == walk.events);
	}
	if (status == GTRACE_OK)
		gti_index_free(&index);
	return 0;
}
