/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.c - the parts of reading a stream that are seldom gone through.
 */
#include "v1/cursor.h"

#include <string.h>

/* Files up to this size are not given back to the system page by page. */
#define RELEASE_FROM ((size_t)64 << 20)

/* The id under which the reference's merge keeps collections in order. */
#define ID_COLLECTOR (UINT64_MAX - 1)

/* A state that no event asks for. */
#define ORDER_NEVER UINT8_MAX

/* ------------------------------------------------------------------ feed -- */

bool gtrace_feed_init(struct feed *feed, const struct index *index, bool forget)
{
	memset(feed, 0, sizeof(*feed));
	feed->index = index;
	feed->nobody.state = ORDER_NEVER;
	feed->nobody.slot = SLOT_NONE;
	if (index->size > EVENT_MARGIN)
		feed->tail_offset = index->size - EVENT_MARGIN;
	memcpy(feed->tail, index->data + feed->tail_offset,
	       index->size - feed->tail_offset);
	if (!gtrace_goroutines_init(&feed->goroutines, forget, &index->memory))
		return false;
	feed->zero = goroutine_at(&feed->goroutines, 0);
	return true;
}

void gtrace_feed_free(struct feed *feed)
{
	gtrace_goroutines_free(&feed->goroutines);
}

void gtrace_feed_read_at(const struct feed *feed, uint64_t offset,
			 const struct rule *rule, struct event *event)
{
	const uint8_t *at = offset <= feed->tail_offset
				    ? feed->index->data + offset
				    : feed->tail + (offset - feed->tail_offset);
	uint64_t delta;

	read_values(at, rule->args, rule->stack, event, &delta);
}

struct ordered_goroutine *gtrace_feed_add(struct feed *feed, uint64_t id)
{
	struct ordered_goroutine *goroutine;

	if (!gtrace_goroutines_add(&feed->goroutines, id, &goroutine))
		return NULL;
	return goroutine != NULL ? goroutine : &feed->nobody;
}

/* --------------------------------------------------------------- cursors -- */

void gtrace_cursor_init(struct cursor *cursor, const struct feed *feed,
			uint32_t number)
{
	const struct stream *stream = index_stream(feed->index, number);

	cursor->sample = SLOT_NONE;
	cursor->batch = BATCH_NONE;
	cursor->p = stream->p;
	cursor->p_slot = number;
	cursor->event.p = cursor->p;
	cursor->event.p_slot = number;
	cursor->rule = &feed->turn;
	cursor_leave(feed, cursor);
}

void gtrace_cursor_init_samples(struct cursor *cursor, const struct feed *feed)
{
	cursor->p_slot = SLOT_NONE;
	cursor->event.p_slot = SLOT_NONE;
	cursor->rule = &feed->turn;
}

/* The next CPU sample. They ask for nothing, and are on no processor. */
static enum found read_sample(struct feed *feed, struct cursor *cursor)
{
	const struct index *index = feed->index;
	struct ordered_goroutine *goroutine;
	struct event *event = &cursor->event;
	const struct sample *sample;

	if (cursor->sample == index->samples.count)
		return FOUND_END;
	sample = (const struct sample *)index->samples.items + cursor->sample++;
	event->type = EV_CPU_SAMPLE;
	event->offset = sample->offset;
	/* What is the same for all events is still to come. */
	event->ordinal = sample->ordinal - 1;
	cursor->ticks = sample->ticks;
	gtrace_feed_read_at(feed, sample->offset,
			    &index->rules.by_type[EV_CPU_SAMPLE], event);
	cursor->p = (int64_t)event->args[1];
	event->g = event->args[2];
	event->args[0] = 0;
	wish_nothing(feed, &cursor->wish);
	if (!goroutines_find(&feed->goroutines, event->g, &goroutine))
		return FOUND_NO_MEMORY;
	event->g_slot = slot_of(goroutine);
	return FOUND_EVENT;
}

/* How far records before END can just be read. */
static const uint8_t *limit_for(const struct feed *feed, const uint8_t *end)
{
	const uint8_t *safe = feed->index->data + feed->tail_offset + 1;

	return end < safe ? end : safe;
}

static enum found next_batch(const struct feed *feed, struct cursor *cursor)
{
	const struct index *index = feed->index;
	const struct batch *batch;
	uint32_t next;

	if (cursor->batch == BATCH_NONE) {
		next = index_stream(index, cursor->p_slot)->first;
	} else {
		batch = index_batch(index, cursor->batch);
		next = batch->next;
		if (index->size > RELEASE_FROM)
			gtrace_input_done_with(index->input, batch->first,
					       batch->end);
	}
	if (next == BATCH_NONE)
		return FOUND_END;
	cursor->batch = next;
	batch = index_batch(index, next);
	cursor->end = index->data + batch->end;
	cursor->at = index->data + batch->first;
	cursor->limit = limit_for(feed, cursor->end);
	cursor->base = (uintptr_t)index->data;
	cursor->ticks = batch->ticks;
	cursor->event.ordinal = batch->ordinal;
	return FOUND_NONE_YET;
}

/* What is left of the batch is near the file's end, and there is a copy. */
static void enter_tail(const struct feed *feed, struct cursor *cursor)
{
	const uint8_t *data = feed->index->data + feed->tail_offset;

	cursor->at = feed->tail + (cursor->at - data);
	cursor->end = feed->tail + (cursor->end - data);
	cursor->limit = cursor->end;
	cursor->base = (uintptr_t)feed->tail - feed->tail_offset;
}

/* CURSOR has come to its limit. */
static enum found turn(struct feed *feed, struct cursor *cursor)
{
	if (cursor->sample != SLOT_NONE)
		return read_sample(feed, cursor);
	if (cursor->at >= cursor->end)
		return next_batch(feed, cursor);
	enter_tail(feed, cursor);
	return FOUND_NONE_YET;
}

/* Moves CURSOR to P and SIZE bytes on, but not behind the end of the file. */
static void move_over(const struct feed *feed, struct cursor *cursor,
		      const uint8_t *p, uint64_t size)
{
	size_t file_size = feed->index->size;
	size_t here = (uintptr_t)cursor->at - cursor->base;
	size_t to = (uintptr_t)p - cursor->base;

	if (to > file_size || size > file_size - to)
		to = file_size;
	else
		to += (size_t)size;
	if (to > here)
		cursor->at += to - here;
}

/*
 * A CPU sample, whose values are at P, stands among the events of CURSOR. It
 * is none of them, but time passes as it says.
 */
static void pass_sample(struct cursor *cursor, const uint8_t *p)
{
	cursor->ticks =
		(int64_t)((uint64_t)cursor->ticks + value_unchecked(&p));
	cursor->event.ordinal++;
}

/* Moves CURSOR over a record that is no event of its stream. */
static void skip_record(const struct feed *feed, struct cursor *cursor)
{
	const struct rules *rules = &feed->index->rules;
	const uint8_t *p = cursor->at;
	unsigned type = *p & (EVENT_TYPES - 1);
	unsigned count = *p / EVENT_TYPES + rules->inline_base;
	uint64_t size = 0;

	p++;
	if (type == EV_STRING) {
		value_unchecked(&p);
		size = value_unchecked(&p);
	} else if (count < rules->inline_limit) {
		while (count-- > 0)
			value_unchecked(&p);
	} else {
		size = value_unchecked(&p);
		if (rules->by_type[type].owner == OWNER_SAMPLE)
			pass_sample(cursor, p);
	}
	move_over(feed, cursor, p, size);
}

/*
 * Moves CURSOR, which is at its length, over the message of a UserLog. What is
 * too long is taken for empty, as the first pass did.
 */
static void skip_message(const struct feed *feed, struct cursor *cursor)
{
	const uint8_t *p = cursor->at;
	uint64_t size = value_unchecked(&p);

	move_over(feed, cursor, p, size > TEXT_MAX ? 0 : size);
}

/* Whose the event just read is, and what it asks for. False: no memory. */
static bool place_event(struct feed *feed, struct cursor *cursor,
			const struct rule *rule)
{
	struct event *event = &cursor->event;
	bool known;

	switch (rule->order) {
	case ORDER_START:
		return cursor_start(feed, cursor, event->args[1]);
	case ORDER_START_LOCAL:
		return cursor_start(feed, cursor, 0);
	case ORDER_BLOCK:
	case ORDER_YIELD:
		cursor_stop(feed, cursor);
		return true;
	case ORDER_FREE:
		cursor_be_free(feed, cursor, rule);
		return true;
	case ORDER_COLLECT:
		event->g = 0;
		event->g_slot = 0;
		return wish_for(feed, ID_COLLECTOR, event->args[0],
				&cursor->wish) != NULL;
	case ORDER_WAIT:
		known = cursor_aim(feed, cursor, 1);
		break;
	case ORDER_UNBLOCK:
		known = cursor_aim(feed, cursor, event->args[1]);
		break;
	default: /* ORDER_CREATE, ORDER_UNBLOCK_LOCAL */
		known = cursor_aim(feed, cursor, 0);
		break;
	}
	if (known && rule->owner == OWNER_ARGUMENT) {
		event->g = event->args[0];
		event->g_slot = event->target_slot;
	}
	return known;
}

enum found gtrace_cursor_read_rare(struct feed *feed, struct cursor *cursor)
{
	const struct rule *rule = cursor->rule;

	if (rule == &feed->turn)
		return turn(feed, cursor);
	if (rule->skipped) {
		skip_record(feed, cursor);
		return FOUND_NONE_YET;
	}
	cursor_read(cursor, rule->args, rule->stack);
	if (rule->text == TEXT_LOG)
		skip_message(feed, cursor);
	return place_event(feed, cursor, rule) ? FOUND_EVENT : FOUND_NO_MEMORY;
}
