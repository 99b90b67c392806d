/* SPDX-License-Identifier: BSD-3-Clause */
/* exits.c - when system calls ended, before their exits are merged. */
#include "v1/exits.h"

#include "base/array.h"
#include "base/sort.h"
#include "v1/lookup.h"

static bool is_exit(const struct index *index, unsigned type)
{
	return index->rules.by_type[type].reported == EV_GO_SYS_EXIT;
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

/* Returns false if there is no memory. */
static bool read_exits(struct early_exits *exits, const struct index *index)
{
	struct reader reader = gti_lookup_reader(index, HEADER_SIZE);
	struct record record;
	uint64_t skipped = 0;
	uint8_t plain[256];
	unsigned i;

	for (i = 0; i < sizeof(plain); i++)
		plain[i] = is_exit(index, i & (EVENT_TYPES - 1))
				   ? 0
				   : index->rules.plain[i];
	for (;;) {
		reader.offset =
			gti_skip_plain(plain, index->data, reader.offset,
				       index->size, &skipped);
		if (gti_record_read(&reader, &record) != GTRACE_OK ||
		    record.type == EV_NONE)
			return true; /* or the file was changed */
		if (is_exit(index, record.type) &&
		    record.count == index->rules.by_type[record.type].values &&
		    !add(exits, &record, &index->memory))
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
	bool good = read_exits(exits, index);

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
