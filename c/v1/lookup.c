/* SPDX-License-Identifier: BSD-3-Clause */
/* lookup.c - the texts and frames that events refer to by id. */
#include "v1/lookup.h"

#include "base/leb128.h"
#include "base/strings.h"

/* Returns the text of SIZE bytes at OFFSET, empty if the file ends before. */
static struct gtrace_string text_at(const struct index *index, size_t offset,
				    size_t size)
{
	struct gtrace_string text = {"", 0};

	if (size == 0 || offset > index->size || size > index->size - offset)
		return text;
	text.data = (const char *)index->data + offset;
	text.size = size;
	return text;
}

struct gtrace_string gti_lookup_string(const struct index *index, uint64_t id)
{
	uint64_t packed = dictionary_get(&index->strings, id);

	return text_at(
		index, (size_t)(packed >> TEXT_SIZE_BITS),
		(size_t)(packed & (((uint64_t)1 << TEXT_SIZE_BITS) - 1)));
}

bool gti_lookup_same(const struct index *index, uint64_t a, uint64_t b)
{
	return string_equals(gti_lookup_string(index, a),
			     gti_lookup_string(index, b));
}

/*
 * Returns the value at *AT and moves *AT to its end. If the file has changed
 * and has no value there, returns UINT64_MAX and leaves *AT.
 */
static uint64_t next_value(const struct index *index, size_t *at)
{
	const uint8_t *p = index->data + *at;
	uint64_t value = UINT64_MAX;

	leb128_read(&p, index->data + index->size, &value);
	*at = (size_t)(p - index->data);
	return value;
}

size_t gti_lookup_frames(const struct index *index, uint64_t stack,
			 struct gtrace_frame *frames)
{
	bool old = index->rules.version < VERSION_MERGED;
	size_t at = (size_t)dictionary_get(&index->stacks, stack);
	size_t count, i;

	if (old && is_stack_of_pc(stack)) {
		frames[0] = (struct gtrace_frame){
			.pc = stack ^ STACK_OF_PC,
			.function = {"", 0},
			.file = {"", 0},
		};
		return 1;
	}
	if (stack == 0 || at == 0 || at >= index->size)
		return 0;
	if (index->data[at++] >= SIZED_FIRST_BYTE)
		next_value(index, &at); /* the length */
	next_value(index, &at);         /* the id */
	count = (size_t)next_value(index, &at);
	if (count > FRAMES_MAX)
		count = FRAMES_MAX;
	for (i = 0; i < count; i++) {
		struct gtrace_frame *frame = &frames[i];

		*frame = (struct gtrace_frame){
			.pc = next_value(index, &at),
			.function = {"", 0},
			.file = {"", 0},
		};
		if (old)
			continue;
		frame->function =
			gti_lookup_string(index, next_value(index, &at));
		frame->file = gti_lookup_string(index, next_value(index, &at));
		frame->line = next_value(index, &at);
	}
	return count;
}

struct reader gti_lookup_reader(const struct index *index, uint64_t offset)
{
	return (struct reader){
		.data = index->data,
		.size = index->size,
		.offset = (size_t)offset,
		.rules = &index->rules,
	};
}

/* Returns the message of the UserLog at OFFSET. */
static struct gtrace_string message_at(const struct index *index,
				       uint64_t offset)
{
	struct reader reader = gti_lookup_reader(index, offset);
	struct record record;

	gti_record_read(&reader, &record);
	return text_at(index, reader.offset - record.text, record.text);
}

static struct gtrace_string stw_reason(const struct index *index, uint64_t kind)
{
	if (index->rules.version >= VERSION_STW_NAMES)
		return string_of(
			gti_stw_reasons[kind < STW_REASONS ? kind : 0]);
	return string_of(kind == 0 ? "mark termination" : "sweep termination");
}

size_t gti_lookup_strings(const struct index *index, const struct event *event,
			  struct gtrace_string strings[EVENT_STRINGS])
{
	switch (index->rules.by_type[event->type].text) {
	case TEXT_ARG2:
		strings[0] = gti_lookup_string(index, event->args[2]);
		return 1;
	case TEXT_LOG:
		strings[0] = gti_lookup_string(index, event->args[1]);
		strings[1] = message_at(index, event->offset);
		return 2;
	case TEXT_STW_REASON:
		strings[0] = stw_reason(index, event->args[0]);
		return 1;
	default:
		return 0;
	}
}

uint64_t gti_take_args(const struct index *index, const struct record *record,
		       struct event *event)
{
	const struct rule *rule = &index->rules.by_type[record->type];
	const uint64_t *values = record->values + index->rules.deltas;
	unsigned i;

	for (i = 0; i < EVENT_ARGS; i++)
		event->args[i] = i < rule->args ? values[i] : 0;
	return rule->stack ? values[rule->args] : 0;
}

uint64_t gti_lookup_args(const struct index *index, struct event *event)
{
	struct reader reader = gti_lookup_reader(index, event->offset);
	struct record record = {.count = 0};

	gti_record_read(&reader, &record);
	return gti_take_args(index, &record, event);
}
