/* SPDX-License-Identifier: BSD-3-Clause */
/* cursor.c - goes over the events of one thread. */
#include "v2/cursor.h"

#include "base/fail.h"

/* Goes to the next batch that has data. Returns false at the end. */
static bool next_batch(struct cursor *cursor,
		       const struct generation *generation)
{
	const struct event_batch *batches = generation->batches.items;
	uint32_t next = batches[cursor->batch - 1].next;

	while (next != 0 && batches[next - 1].size == 0)
		next = batches[next - 1].next;
	if (next == 0)
		return false;
	cursor->batch = next;
	cursor->p = generation->source->data + batches[next - 1].data;
	cursor->end = cursor->p + batches[next - 1].size;
	return true;
}

/* Finds the event at cursor->p, BEFORE being the time of the one before it. */
static bool find_event(struct cursor *cursor,
		       const struct generation *generation,
		       struct found *found, int64_t before)
{
	const uint8_t *p = cursor->p;
	unsigned count = gti_v2_value_counts[*p], i;
	uint64_t delta, value;

	found->type = p++;
	if (count == 0 ||
	    leb128_read(&p, cursor->end, &delta) != LEB128_GOOD)
		return false;
	found->values = p;
	found->time =
		add_ns(before, ticks_to_ns(delta, generation->ns_per_tick));
	for (i = 1; i < count; i++)
		if (leb128_read(&p, cursor->end, &value) != LEB128_GOOD)
			return false;
	cursor->p = p;
	return true;
}

/* Finds the event after one with the time BEFORE, 0 if it is the first. */
static enum cursor_status find_next(struct cursor *cursor,
				    const struct generation *generation,
				    struct found *found, int64_t before)
{
	const struct event_batch *batches = generation->batches.items;

	if (cursor->p == cursor->end) {
		if (!next_batch(cursor, generation))
			return CURSOR_END;
		before = 0;
	}
	/* So does Go's reader, also where time 0 is that of an event. */
	if (before == 0)
		before = ticks_to_ns(batches[cursor->batch - 1].time,
				     generation->ns_per_tick);
	if (!find_event(cursor, generation, found, before))
		return CURSOR_BAD;
	return CURSOR_EVENT;
}

enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread)
{
	const struct event_batch *batches = generation->batches.items;
	const struct event_batch *batch = &batches[first_batch - 1];

	*cursor = (struct cursor){
		.p = generation->source->data + batch->data,
		.thread = thread,
		.batch = first_batch,
		.ahead_status = CURSOR_UNREAD,
	};
	cursor->end = cursor->p + batch->size;
	return find_next(cursor, generation, &cursor->present, 0);
}

void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation)
{
	if (cursor->ahead_status == CURSOR_UNREAD)
		cursor->ahead_status =
			(uint8_t)find_next(cursor, generation, &cursor->ahead,
					   cursor->present.time);
}

enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error)
{
	const uint8_t *p = cursor->p;
	uint64_t offset = (uint64_t)(p - generation->source->data);
	unsigned type = gti_v2_types[*p];
	const struct event_line *line = &gti_v2_lines[type];
	enum leb128_status status = LEB128_GOOD;
	uint64_t value;
	int i;

	if (type == EV_NONE)
		return gti_fail(error, GTRACE_ERROR_RECORD, offset,
				"type byte %u among the events of a thread",
				*p);
	p++;
	for (i = 0; i <= line->args + line->stack && status == LEB128_GOOD; i++)
		status = leb128_read(&p, cursor->end, &value);
	return gti_fail(error, GTRACE_ERROR_RECORD, offset, "a %s event %s",
			line->name,
			status == LEB128_CUT_OFF
				? "is cut off by the end of its batch"
				: "has a value that does not fit into 64 bits");
}
