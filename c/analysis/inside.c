/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.c - system calls and CPU samples inside slices. */
#include "analysis/inside.h"

#include <stddef.h>

/* Numbers of records and groups are 32 bits, with 0 for none. */
#define NUMBERS_MAX UINT32_MAX

void gti_insides_free(struct insides *insides)
{
	const struct gtrace_allocator *memory = insides->memory;

	if (memory == NULL)
		return;
	gti_array_free(&insides->records, sizeof(struct inside_record), memory);
	gti_array_free(&insides->groups, sizeof(struct sample_group), memory);
	insides->free_record = 0;
	insides->free_group = 0;
}

static struct inside_record *record_at(const struct insides *insides,
				       uint32_t number)
{
	return (struct inside_record *)insides->records.items + number - 1;
}

static struct sample_group *group_at(const struct insides *insides,
				     uint32_t number)
{
	return (struct sample_group *)insides->groups.items + number - 1;
}

/* Returns the number of an unused record, or 0 if there is no memory. */
static uint32_t new_record(struct insides *insides)
{
	uint32_t number = insides->free_record;

	if (number != 0) {
		insides->free_record = record_at(insides, number)->next_free;
	} else {
		if (insides->records.count >= NUMBERS_MAX - 1 ||
		    !gti_array_reserve(&insides->records,
				       sizeof(struct inside_record),
				       insides->memory))
			return 0;
		number = (uint32_t)++insides->records.count;
	}
	*record_at(insides, number) = (struct inside_record){.slice = 0};
	return number;
}

/* Returns the record of SLICE, which it gets if it has none, or NULL. */
static struct inside_record *record_of(struct insides *insides,
				       struct inside_slice slice)
{
	struct inside_record *record;

	if (*slice.number == 0)
		*slice.number = new_record(insides);
	if (*slice.number == 0)
		return NULL;
	record = record_at(insides, *slice.number);
	if (record->slice != slice.slice) {
		gti_inside_free_samples(insides, record->found.samples);
		*record = (struct inside_record){.slice = slice.slice};
	}
	return record;
}

/*
 * Adds the part of a system call that lies in the slice of RECORD, which can be
 * NULL: up to TICKS, from the call's beginning or from START, that of a slice
 * that starts in a call. Times wrap around.
 */
static void add_call(struct inside *found, const struct inside_record *record,
		     int64_t start, int64_t ticks)
{
	bool began = record != NULL && record->in_call;
	uint64_t since = (uint64_t)(began ? record->call_since : start);

	found->call_ticks = (int64_t)((uint64_t)found->call_ticks +
				      (uint64_t)ticks - since);
}

bool gti_inside_call(struct insides *insides, struct inside_slice slice,
		     int64_t ticks)
{
	struct inside_record *record = record_of(insides, slice);

	if (record == NULL)
		return false;
	record->found.calls++;
	record->in_call = true;
	record->call_since = ticks;
	return true;
}

bool gti_inside_return(struct insides *insides, struct inside_slice slice,
		       int64_t ticks)
{
	struct inside_record *record = record_of(insides, slice);

	if (record == NULL)
		return false;
	add_call(&record->found, record, slice.start, ticks);
	record->in_call = false;
	return true;
}

/* Returns the number of an unused group, or 0 if there is no memory. */
static uint32_t new_group(struct insides *insides)
{
	uint32_t number = insides->free_group;

	if (number != 0) {
		insides->free_group = group_at(insides, number)->next;
		return number;
	}
	if (insides->groups.count >= NUMBERS_MAX - 1 ||
	    !gti_array_reserve(&insides->groups, sizeof(struct sample_group),
			       insides->memory))
		return 0;
	return (uint32_t)++insides->groups.count;
}

bool gti_inside_sample(struct insides *insides, struct inside_slice slice,
		       uint64_t stack)
{
	struct inside_record *record = record_of(insides, slice);
	struct sample_group *group;
	uint32_t number;

	if (record == NULL)
		return false;
	number = record->found.samples;
	if (number != 0 && group_at(insides, number)->stack == stack) {
		group_at(insides, number)->count++;
		return true;
	}
	number = new_group(insides);
	if (number == 0)
		return false;
	group = group_at(insides, number);
	group->stack = stack;
	group->count = 1;
	group->next = record->found.samples;
	record->found.samples = number;
	return true;
}

struct inside gti_inside_take(struct insides *insides, uint32_t number,
			      uint64_t slice, int64_t start, int64_t ticks,
			      bool in_call)
{
	struct inside found = {.samples = 0};
	struct inside_record *record = NULL;

	if (number != 0 && record_at(insides, number)->slice == slice) {
		record = record_at(insides, number);
		found = record->found;
		record->found.samples = 0;
	}
	if (in_call)
		add_call(&found, record, start, ticks);
	return found;
}

void gti_inside_free_samples(struct insides *insides, uint32_t samples)
{
	while (samples != 0) {
		struct sample_group *group = group_at(insides, samples);
		uint32_t next = group->next;

		group->next = insides->free_group;
		insides->free_group = samples;
		samples = next;
	}
}

void gti_inside_forget(struct insides *insides, uint32_t number)
{
	struct inside_record *record = record_at(insides, number);

	gti_inside_free_samples(insides, record->found.samples);
	record->found.samples = 0;
	record->next_free = insides->free_record;
	insides->free_record = number;
}
