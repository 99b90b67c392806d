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
	decoder->data = index->data;
	decoder->safe = index->data;
	if (index->size >= EVENT_MARGIN)
		decoder->safe += index->size - EVENT_MARGIN + 1;
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
	cursor->at = cursor->end = decoder->data;
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
	cursor->limit =
		cursor->end < decoder->safe ? cursor->end : decoder->safe;
	cursor->ticks = batch->ticks;
	cursor->event.ordinal = batch->ordinal;
	return FOUND_NONE_YET;
}

/* Reads the record of CURSOR, if it is an event of the stream. */
static enum found read_record(struct decoder *decoder, struct cursor *cursor)
{
	const struct index *index = decoder->index;
	struct event *event = &cursor->event;
	struct reader reader = gti_lookup_reader(index, event->offset);
	struct record record = {.count = 0};
	const struct rule *rule;

	gti_record_read(&reader, &record);
	cursor->at = index->data + reader.offset;
	rule = &index->rules.by_type[record.type];
	if (rule->owner == OWNER_CONTROL)
		return FOUND_NONE_YET;
	cursor->ticks = (int64_t)((uint64_t)cursor->ticks + record.values[0]);
	/* Of a CPU sample, in the stream of its processor, only these count. */
	if (rule->owner == OWNER_SAMPLE) {
		event->ordinal++;
		return FOUND_NONE_YET;
	}
	event->type = rule->reported;
	cursor->pre.transition = rule->transition;
	event->stack = gti_take_args(index, &record, event);
	if (!cursor_resolve(decoder, cursor, rule, rule->order))
		return FOUND_NO_MEMORY;
	if (rule->owner == OWNER_ARGUMENT) {
		event->g = event->args[0];
		event->g_record = event->target_record;
	}
	return FOUND_EVENT;
}

enum found gti_cursor_read_rare(struct decoder *decoder, struct cursor *cursor)
{
	enum found found;

	if (cursor->sample == SLOT_NONE && cursor->at < cursor->end)
		return read_record(decoder, cursor);
	found = cursor->sample == SLOT_NONE ? next_batch(decoder, cursor)
					    : read_sample(decoder, cursor);
	cursor->ended = found == FOUND_END;
	return found;
}

enum found gti_cursor_first(struct decoder *decoder, struct cursor *cursor)
{
	enum found found;

	do {
		cursor->event.offset = (size_t)(cursor->at - decoder->data);
		found = gti_cursor_read_rare(decoder, cursor);
	} while (found == FOUND_NONE_YET);
	if (found == FOUND_EVENT)
		cursor_found(decoder, cursor);
	return found;
}
