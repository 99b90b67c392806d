/* SPDX-License-Identifier: BSD-3-Clause */
/* cursor.c - reads the events of one thread. */
#include "v2/cursor.h"

#include "base/fail.h"
#include "base/times.h"

/* Sets PLACE to the first byte of batch number BATCH, counted from 1. */
static void go_to(struct place *place, const struct generation *generation,
		  uint32_t batch)
{
	const struct event_batch *batches = generation->batches.items;

	place->batch = batch;
	place->type = generation->source->data + batches[batch - 1].data;
	place->end = place->type + batches[batch - 1].size;
	place->easy_end = NULL;
	if (batches[batch - 1].size >= EASY_EVENT_BYTES)
		place->easy_end = place->end - EASY_EVENT_BYTES + 1;
}

/*
 * PLACE is at the first byte of an event or at the end of a batch, BEFORE is
 * the time of the event before it in the batch, 0 if there is none. Goes to the
 * next batch if need be, and reads type and time.
 */
static enum cursor_status find_event(struct place *place,
				     const struct generation *generation,
				     int64_t before)
{
	const struct event_batch *batches = generation->batches.items;
	const uint8_t *p;
	uint64_t delta;

	while (place->type == place->end) {
		uint32_t next = batches[place->batch - 1].next;

		progress_add(generation->source->progress,
			     batches[place->batch - 1].size);
		if (next == 0)
			return CURSOR_END;
		go_to(place, generation, next);
		before = 0;
	}
	/* As in Go's reader, even if 0 is the time of an event. */
	if (before == 0)
		before = ticks_to_ns(batches[place->batch - 1].time,
				     generation->ns_per_tick);
	p = place->type + 1;
	if (gti_v2_value_counts[*place->type] == 0 ||
	    leb128_read(&p, place->end, &delta) != LEB128_GOOD)
		return CURSOR_BAD;
	place->values = p;
	place->byte = *place->type;
	place->time =
		add_ns(before, ticks_to_ns(delta, generation->ns_per_tick));
	/*
	 * Go's reader takes 0 for no time. If this one is greater, no later one
	 * of the batch is 0: it has too few events for times to wrap around.
	 */
	if (place->time <= 0)
		place->easy_end = NULL;
	return CURSOR_EVENT;
}

/* The end of the values of PLACE, or NULL if they are bad. */
static const uint8_t *skip_values(const struct place *place)
{
	unsigned count = gti_v2_value_counts[*place->type];
	const uint8_t *p = place->values;
	uint64_t value;

	for (; count > 1; count--)
		if (leb128_read(&p, place->end, &value) != LEB128_GOOD)
			return NULL;
	return p;
}

static enum cursor_status find_good(struct place *place,
				    const struct generation *generation,
				    int64_t before)
{
	enum cursor_status status = find_event(place, generation, before);

	if (status == CURSOR_EVENT && skip_values(place) == NULL)
		return CURSOR_BAD;
	return status;
}

enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread)
{
	*cursor = (struct cursor){.thread = thread};
	go_to(&cursor->ahead, generation, first_batch);
	cursor->status = find_good(&cursor->ahead, generation, 0);
	if (cursor->status != CURSOR_EVENT)
		return cursor->status;
	cursor_move_on(cursor);
	return CURSOR_EVENT;
}

void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation)
{
	if (cursor->status != CURSOR_UNREAD)
		return;
	cursor->ahead = cursor->present;
	cursor->status = CURSOR_BAD;
	cursor->ahead.type = skip_values(&cursor->present);
	if (cursor->ahead.type != NULL)
		cursor->status = find_good(&cursor->ahead, generation,
					   cursor->present.time);
	else
		cursor->ahead.type = cursor->present.type;
	cursor->present.easy_end = NULL;
}

enum cursor_status gti_v2_cursor_find(struct cursor *cursor,
				      const struct generation *generation,
				      const uint8_t *p)
{
	cursor->ahead = cursor->present;
	cursor->ahead.type = p;
	return find_event(&cursor->ahead, generation, cursor->present.time);
}

enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error)
{
	const uint8_t *p = cursor->ahead.type;
	uint64_t offset = (uint64_t)(p - generation->source->data);
	unsigned type = gti_v2_types[*p];
	unsigned count = gti_v2_value_counts[*p];
	enum leb128_status status = LEB128_GOOD;
	uint64_t value;

	if (type == EV_NONE)
		return gti_fail(error, GTRACE_ERROR_RECORD, offset,
				"type byte %u among the events of a thread",
				*p);
	for (p++; count > 0 && status == LEB128_GOOD; count--)
		status = leb128_read(&p, cursor->ahead.end, &value);
	return gti_fail(error, GTRACE_ERROR_RECORD, offset, "a %s event %s",
			gti_v2_lines[type].name,
			status == LEB128_CUT_OFF
				? "is cut off by the end of its batch"
				: "has a value that does not fit into 64 bits");
}

bool gti_v2_find_stack(const struct generation *generation, uint64_t *stack,
		       bool *framed)
{
	uint64_t id = *stack, value;

	*framed = false;
	if (id == 0)
		return true;
	value = dictionary_get(&generation->stacks, id);
	*framed = (value & STACK_HAS_FRAMES) != 0;
	if (id <= STACK_ID_MASK)
		*stack = id | generation->handles;
	else
		*stack = STACK_WIDE |
			 (value != 0 ? value / 2 : STACK_MISSING | id);
	return value != 0 || generation->unfinished;
}
