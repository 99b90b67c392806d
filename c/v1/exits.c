/* SPDX-License-Identifier: BSD-3-Clause */
/* exits.c - when system calls ended, before their exits are merged. */
#include "v1/exits.h"

#include "base/array.h"
#include "base/sort.h"
#include "v1/record.h"

static bool is_exit(const struct rules *rules, unsigned type)
{
	return rules->by_type[type].reported == EV_GO_SYS_EXIT;
}

/* Rules by which exits from system calls are not skipped. */
static void init_rules(struct rules *rules, const struct rules *from)
{
	unsigned i;

	*rules = *from;
	for (i = 0; i < EVENT_TYPES; i++)
		if (is_exit(rules, i))
			rules->by_type[i].plain = 0;
	for (i = 0; i < SIZED_FIRST_BYTE; i++)
		if (is_exit(rules, i & (EVENT_TYPES - 1)))
			rules->plain_values[i] = 0;
}

/*
 * Adds the exit RECORD, of the goroutine in its first value after the delta.
 * Its last value says when it happened.
 */
static bool add(struct early_exits *exits, const struct record *record,
		const struct gtrace_allocator *memory)
{
	const struct moment moment = {
		(int64_t)record->values[record->count - 1], record->values[1]};

	return moment.ticks == 0 ||
	       array_add(&exits->all, &moment, sizeof(moment), memory) != NULL;
}

static bool read_exits(struct early_exits *exits, struct reader *reader)
{
	const struct rules *rules = reader->rules;
	struct record record;
	uint64_t skipped = 0;

	for (;;) {
		reader->offset =
			gti_skip_plain(rules, reader->data, reader->offset,
				       reader->size, &skipped);
		if (gti_record_read(reader, &record) != GTRACE_OK ||
		    record.type == EV_NONE)
			return true; /* or the file was changed */
		if (is_exit(rules, record.type) &&
		    record.count == rules->by_type[record.type].values &&
		    !add(exits, &record, reader->memory))
			return false;
	}
}

static void set_next(struct early_exits *exits)
{
	const struct moment *all = exits->all.items;

	exits->ticks = exits->next < exits->all.count ? all[exits->next].ticks
						      : INT64_MAX;
}

bool gti_exits_find(struct early_exits *exits, const struct index *index)
{
	struct dictionary strings = {0};
	struct rules rules;
	struct reader reader = {
		.data = index->data,
		.size = index->size,
		.offset = HEADER_SIZE,
		.rules = &rules,
		.strings = &strings,
		.memory = &index->memory,
	};
	bool good;

	init_rules(&rules, &index->rules);
	good = read_exits(exits, &reader);
	gti_dictionary_free(&strings, &index->memory);
	gti_sort(exits->all.items, exits->all.count, sizeof(struct moment),
		 gti_compare_moments);
	set_next(exits);
	return good;
}

void gti_exits_free(struct early_exits *exits, const struct index *index)
{
	gti_array_free(&exits->all, sizeof(struct moment), &index->memory);
}

uint64_t gti_exits_take(struct early_exits *exits)
{
	const struct moment *all = exits->all.items;
	uint64_t g = all[exits->next++].rank;

	set_next(exits);
	return g;
}
