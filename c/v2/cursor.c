/* SPDX-License-Identifier: BSD-3-Clause */
/* cursor.c - reads the events of one thread. */
#include "v2/cursor.h"

#include "base/fail.h"
#include "base/leb128.h"
#include "v2/clock.h"
#include "v2/table.h"

/*
 * Most bytes of an event: its type, its time, and its values. While so many
 * are left in a batch, values are read without looking for its end.
 */
#define EVENT_BYTES_MAX (1 + LEB128_BYTES_MAX * (1 + EVENT_VALUES_MAX))

_Static_assert(EVENT_BYTES_MAX == 51, "a type byte and five values");

/*
 * Reads the value at *P. ROOMY: there are LEB128_BYTES_MAX bytes before END.
 * Returns false if it does not end before END or does not fit.
 */
static ALWAYS_INLINE bool read_value(const uint8_t **p, const uint8_t *end,
				     uint64_t *value, const bool roomy)
{
	const uint8_t *at = *p;

	if (LIKELY((roomy || at < end) && at[0] < 0x80)) {
		*value = at[0];
		*p = at + 1;
		return true;
	}
	if (LIKELY((roomy || end - at >= 2) && at[1] < 0x80)) {
		*value = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
		*p = at + 2;
		return true;
	}
	return gti_leb128_read_long(p, end, value) == LEB128_GOOD;
}

/*
 * Reads the event at cursor->p into EVENT, see read_value() for ROOMY.
 *
 *   p     what has been read ends here; it is stored only if all is well
 *   kind  says how many values follow the time
 */
static ALWAYS_INLINE bool read_event(struct cursor *cursor,
				     const struct generation *generation,
				     struct event *event, const bool roomy)
{
	const uint8_t *p = cursor->p, *end = cursor->end;
	unsigned type = gti_v2_types[*p];
	const struct event_kind *kind = &gti_v2_kinds[type];
	uint64_t delta;
	unsigned i;

	event->offset = (uint64_t)(p - generation->source->data);
	event->type = type;
	p++;
	if (UNLIKELY(type == EV_SYNC) || !read_value(&p, end, &delta, roomy))
		return false;
	event->written =
		add_ns(cursor->time, ticks_to_ns(delta, generation->ns_per_tick));
	event->args[0] = 0;
	event->args[1] = 0;
	event->args[2] = 0;
	for (i = 0; i < (unsigned)kind->args; i++)
		if (!read_value(&p, end, &event->args[i], roomy))
			return false;
	event->stack = 0;
	if (kind->stack && !read_value(&p, end, &event->stack, roomy))
		return false;
	cursor->p = p;
	cursor->time = event->written;
	return true;
}

static ALWAYS_INLINE bool set_stack(const struct generation *generation,
				    struct event *event)
{
	uint64_t stack;

	event->has_frames = false;
	if (event->stack == 0)
		return true;
	stack = dictionary_get(&generation->stacks, event->stack);
	event->has_frames = (stack & STACK_HAS_FRAMES) != 0;
	event->stack |= generation->handles;
	return stack != 0;
}

bool gti_v2_set_stack(const struct generation *generation, struct event *event)
{
	return set_stack(generation, event);
}

/* Whether all ids of strings and stacks in EVENT are in the tables. */
static ALWAYS_INLINE void check_ids(const struct generation *generation,
				    struct event *event)
{
	const struct event_kind *kind = &gti_v2_kinds[event->type];
	bool good = set_stack(generation, event);

	if (kind->begin)
		good = good && generation_has_stack(
				       generation,
				       event->args[kind->begin - 1]);
	if (kind->text1)
		good = good && generation_has_string(
				       generation,
				       event->args[kind->text1 - 1]);
	if (kind->text2)
		good = good && generation_has_string(
				       generation,
				       event->args[kind->text2 - 1]);
	event->bad_id = !good;
}

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
	cursor->time = 0;
	return true;
}

/* Reads the event at the cursor into EVENT. */
static enum cursor_status read_next(struct cursor *cursor,
				    const struct generation *generation,
				    struct event *event)
{
	bool good;

	if (UNLIKELY(cursor->p == cursor->end) &&
	    !next_batch(cursor, generation))
		return CURSOR_END;
	if (UNLIKELY(cursor->time == 0)) {
		const struct event_batch *batches = generation->batches.items;

		cursor->time = ticks_to_ns(batches[cursor->batch - 1].time,
					   generation->ns_per_tick);
	}
	if (LIKELY(cursor->end - cursor->p >= EVENT_BYTES_MAX))
		good = read_event(cursor, generation, event, true);
	else
		good = read_event(cursor, generation, event, false);
	if (UNLIKELY(!good))
		return CURSOR_BAD;
	check_ids(generation, event);
	return CURSOR_EVENT;
}

enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread)
{
	const struct event_batch *batches = generation->batches.items;
	const struct event_batch *batch = &batches[first_batch - 1];

	cursor->p = generation->source->data + batch->data;
	cursor->end = cursor->p + batch->size;
	cursor->time = 0;
	cursor->thread = thread;
	cursor->batch = first_batch;
	cursor->present = 0;
	cursor->ahead = CURSOR_UNREAD;
	return read_next(cursor, generation, &cursor->events[0]);
}

void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation)
{
	struct event *event = &cursor->events[cursor->present ^ 1];

	if (LIKELY(cursor->ahead == CURSOR_UNREAD))
		cursor->ahead =
			(uint8_t)read_next(cursor, generation, event);
}

enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error)
{
	const uint8_t *p = cursor->p;
	uint64_t offset = (uint64_t)(p - generation->source->data);
	unsigned type = gti_v2_types[*p];
	const struct event_kind *kind = &gti_v2_kinds[type];
	enum leb128_status status = LEB128_GOOD;
	uint64_t value;
	int i;

	if (type == EV_SYNC)
		return gti_fail(error, GTRACE_ERROR_RECORD, offset,
				"type byte %u among the events of a thread",
				*p);
	p++;
	for (i = 0; i <= kind->args + kind->stack && status == LEB128_GOOD; i++)
		status = leb128_read(&p, cursor->end, &value);
	return gti_fail(error, GTRACE_ERROR_RECORD, offset, "a %s event %s",
			kind->name,
			status == LEB128_CUT_OFF
				? "is cut off by the end of its batch"
				: "has a value that does not fit into 64 bits");
}
