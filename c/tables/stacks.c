/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks.c - the ids of stacks, and table stacks. */
#include <stdlib.h>

#include "tables/texts.h"
#include "tables/work.h"

static uint64_t hash_frame(uint64_t hash, const struct gtrace_frame *frame)
{
	unsigned char line[8];
	unsigned i;

	for (i = 0; i < sizeof(line); i++)
		line[i] = (unsigned char)(frame->line >> 8 * i);
	hash = texts_hash(hash, frame->function.data, frame->function.size);
	hash = texts_hash(hash, frame->file.data, frame->file.size);
	return texts_hash(hash, line, sizeof(line));
}

/* Where ID is, or would be. An id of 0 is no id. */
static uint64_t *find_place(const struct stacks *stacks, uint64_t id)
{
	size_t mask = stacks->capacity - 1, i = (size_t)(id >> 16) & mask;

	while (stacks->ids[i] != 0 && stacks->ids[i] != id)
		i = (i + 1) & mask;
	return &stacks->ids[i];
}

/* Doubles the capacity. Returns false if there is no memory. */
static bool reserve(struct stacks *stacks)
{
	struct stacks more = {.capacity = stacks->capacity != 0
						  ? 2 * stacks->capacity
						  : 1024};
	size_t i;

	more.ids = calloc(more.capacity, sizeof(*more.ids));
	if (more.ids == NULL)
		return false;
	more.count = stacks->count;
	for (i = 0; i < stacks->capacity; i++)
		if (stacks->ids[i] != 0)
			*find_place(&more, stacks->ids[i]) = stacks->ids[i];
	free(stacks->ids);
	*stacks = more;
	return true;
}

/* Notes ID, and returns whether it is new. */
static bool is_new(struct stacks *stacks, uint64_t id)
{
	uint64_t *place;

	if (stacks->count >= stacks->capacity / 2 && !reserve(stacks)) {
		stacks->failed = true;
		return false;
	}
	place = find_place(stacks, id);
	if (*place == id)
		return false;
	*place = id;
	stacks->count++;
	return true;
}

int64_t work_stack(struct work *work, const struct gtrace_frame *frames,
		   size_t count)
{
	uint64_t id = 0;
	size_t i;

	if (count == 0)
		return COLUMN_NONE;
	for (i = 0; i < count; i++)
		id = hash_frame(id, &frames[i]);
	/* Two numbers have another meaning. */
	if (id == 0 || (int64_t)id == COLUMN_NONE)
		id++;
	if (!is_new(&work->stacks, id))
		return (int64_t)id;
	for (i = 0; i < count; i++) {
		struct stacks_row row = {
			.stack = (int64_t)id,
			.depth = (int64_t)i,
			.function = frames[i].function,
			.file = frames[i].file,
			.line = (int64_t)frames[i].line,
		};

		files_add(work->files, TABLE_STACKS, &row);
	}
	return (int64_t)id;
}
