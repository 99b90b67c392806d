/* SPDX-License-Identifier: BSD-3-Clause */
/* cursor.c - reads what is rare in a stream. */
#include "v1/cursor.h"

#include <string.h>

#include "v1/lookup.h"

/* Pages that were read are released only in files larger than this. */
#define RELEASE_FROM ((size_t)64 << 20)

/* Fills decoder->rules. */
static void init_rules(struct decoder *decoder)
{
	const struct rule *by_type = decoder->index->rules.by_type;
	unsigned first_byte;

	for (first_byte = 0; first_byte < 256; first_byte++) {
		struct rule *rule = &decoder->rules[first_byte];
		bool sized = first_byte >= SIZED_FIRST_BYTE;

		*rule = by_type[first_byte & (EVENT_TYPES - 1)];
		if (sized != (rule->values > UNSIZED_VALUES_MAX))
			rule->form = FORM_RARE;
	}
}

bool gti_decoder_init(struct decoder *decoder, const struct index *index,
		      bool forget)
{
	memset(decoder, 0, sizeof(*decoder));
	decoder->index = index;
	init_rules(decoder);
	decoder->never_ready.id = ID_UNORDERED;
	decoder->never_ready.progress = ORDER_NEVER;
	if (index->size > EVENT_MARGIN)
		decoder->tail_offset = index->size - EVENT_MARGIN;
	memcpy(decoder->tail, index->data + decoder->tail_offset,
	       index->size - decoder->tail_offset);
	if (!gti_goroutines_init(&decoder->goroutines, forget, &index->memory))
		return false;
	decoder->zero = goroutines_look(&decoder->goroutines, 0);
	return true;
}

void gti_decoder_free(struct decoder *decoder)
{
	gti_goroutines_free(&decoder->goroutines);
}

struct goroutine *gti_decoder_add(struct decoder *decoder, uint64_t id)
{
	struct goroutine *goroutine;

	if (!gti_goroutines_add(&decoder->goroutines, id, &goroutine))
		return NULL;
	return goroutine != NULL ? goroutine : &decoder->never_ready;
}

void gti_cursor_init(struct cursor *cursor, const struct decoder *decoder,
		     uint32_t number)
{
	cursor->event.m = ID_NONE;
	cursor->rule = &decoder->at_limit;
	cursor->p_slot = number != SLOT_NONE
				 ? number
				 : (uint32_t)decoder->index->streams.count;
	cursor->event.p_slot = cursor->p_slot;
	if (number == SLOT_NONE)
		return;
	cursor->sample = SLOT_NONE;
	cursor->batch = BATCH_NONE;
	cursor->p = index_stream(decoder->index, number)->p;
	cursor->event.p = cursor->p;
	cursor_set_idle(decoder, cursor);
}

/* Reads the next CPU sample. Samples have no precondition. */
static enum found read_sample(struct decoder *decoder, struct cursor *cursor)
{
	const struct index *index = decoder->index;
	struct goroutine *goroutine;
	struct event *event = &cursor->event;
	const struct sample *sample;

	if (cursor->sample == index->samples.count)
		return FOUND_END;
	sample = (const struct sample *)index->samples.items + cursor->sample++;
	event->type = EV_CPU_SAMPLE;
	event->offset = sample->offset;
	/* cursor_next() adds one. */
	event->ordinal = sample->at.rank - 1;
	cursor->ticks = sample->at.ticks;
	event->stack = gti_lookup_args(index, event);
	cursor->p = (int64_t)event->args[1];
	event->g = event->args[2];
	event->args[0] = 0;
	require_nothing(decoder, &cursor->pre);
	if (!goroutines_find(&decoder->goroutines, event->g, &goroutine))
		return FOUND_NO_MEMORY;
	event->g_record = goroutine;
	return FOUND_EVENT;
}

/* Returns the limit of a cursor in a batch that ends at END. */
static const uint8_t *limit_for(const struct decoder *decoder,
				const uint8_t *end)
{
	const uint8_t *safe = decoder->index->data + decoder->tail_offset + 1;

	return end < safe ? end : safe;
}

static enum found next_batch(const struct decoder *decoder,
			     struct cursor *cursor)
{
	const struct index *index = decoder->index;
	const struct batch *batch;
	uint32_t next;

	if (cursor->batch == BATCH_NONE) {
		next = index_stream(index, cursor->p_slot)->first;
	} else {
		batch = index_batch(index, cursor->batch);
		next = batch->next;
		progress_add(index->input->progress, batch->end - batch->first);
		if (index->size > RELEASE_FROM)
			gti_input_done_with(index->input, batch->first,
					    batch->end);
	}
	if (next == BATCH_NONE)
		return FOUND_END;
	cursor->batch = next;
	batch = index_batch(index, next);
	cursor->end = index->data + batch->end;
	cursor->at = index->data + batch->first;
	cursor->limit = limit_for(decoder, cursor->end);
	cursor->base = (uintptr_t)index->data;
	cursor->ticks = batch->ticks;
	cursor->event.ordinal = batch->ordinal;
	return FOUND_NONE_YET;
}

/* Continues in the copy of the file's end. */
static void enter_tail(const struct decoder *decoder, struct cursor *cursor)
{
	const uint8_t *data = decoder->index->data + decoder->tail_offset;

	cursor->at = decoder->tail + (cursor->at - data);
	cursor->end = decoder->tail + (cursor->end - data);
	cursor->limit = cursor->end;
	cursor->base = (uintptr_t)decoder->tail - decoder->tail_offset;
}

static enum found at_limit(struct decoder *decoder, struct cursor *cursor)
{
	if (cursor->sample != SLOT_NONE)
		return read_sample(decoder, cursor);
	if (cursor->at >= cursor->end)
		return next_batch(decoder, cursor);
	enter_tail(decoder, cursor);
	return FOUND_NONE_YET;
}

/* Moves CURSOR to P and SIZE bytes further, but not past the file's end. */
static void move_over(const struct decoder *decoder, struct cursor *cursor,
		      const uint8_t *p, uint64_t size)
{
	size_t file_size = decoder->index->size;
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
 * Moves CURSOR past a CPU sample whose values are at P. A sample is an event of
 * the stream of samples; in the stream of its processor, only its ticks count.
 */
static void pass_sample(struct cursor *cursor, const uint8_t *p)
{
	cursor->ticks =
		(int64_t)((uint64_t)cursor->ticks + leb128_unchecked(&p));
	cursor->event.ordinal++;
}

/* Moves CURSOR past a record that is not an event of its stream. */
static void skip_record(const struct decoder *decoder, struct cursor *cursor)
{
	const struct rules *rules = &decoder->index->rules;
	const uint8_t *p = cursor->at;
	unsigned type = *p & (EVENT_TYPES - 1);
	unsigned first_byte = *p, count;
	uint64_t size = 0;

	p++;
	if (type == EV_STRING) {
		leb128_unchecked(&p);
		size = leb128_unchecked(&p);
	} else if (first_byte < SIZED_FIRST_BYTE) {
		count = first_byte / EVENT_TYPES + rules->inline_base;
		while (count-- > 0)
			leb128_unchecked(&p);
	} else {
		size = leb128_unchecked(&p);
		if (rules->by_type[type].owner == OWNER_SAMPLE)
			pass_sample(cursor, p);
	}
	move_over(decoder, cursor, p, size);
}

/*
 * Moves CURSOR past the message of a UserLog, at the length of which it is. A
 * message that is too long counts as empty, as in the first pass.
 */
static void skip_message(const struct decoder *decoder, struct cursor *cursor)
{
	const uint8_t *p = cursor->at;
	uint64_t size = leb128_unchecked(&p);

	move_over(decoder, cursor, p, size > TEXT_MAX ? 0 : size);
}

enum found gti_cursor_read_rare(struct decoder *decoder, struct cursor *cursor)
{
	const struct rule *rule = cursor->rule;
	enum found found;

	if (rule == &decoder->at_limit) {
		found = at_limit(decoder, cursor);
		cursor->ended = found == FOUND_END;
		return found;
	}
	if (rule->skipped) {
		skip_record(decoder, cursor);
		return FOUND_NONE_YET;
	}
	cursor_read(cursor, rule->args, rule->stack,
		    *cursor->at >= SIZED_FIRST_BYTE);
	if (rule->text == TEXT_LOG)
		skip_message(decoder, cursor);
	if (!cursor_resolve(decoder, cursor, rule, rule->order))
		return FOUND_NO_MEMORY;
	if (rule->owner == OWNER_ARGUMENT) {
		cursor->event.g = cursor->event.args[0];
		cursor->event.g_record = cursor->event.target_record;
	}
	return FOUND_EVENT;
}
