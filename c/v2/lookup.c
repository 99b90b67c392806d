/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookup.c - the arguments, strings and frames of an event.
 *
 * Strings and stacks are those of the event's generation. If that is not the
 * one being read, its tables are read again.
 */
#include "base/fail.h"
#include "base/leb128.h"
#include "v2/hooks.h"
#include "v2/trace.h"

/* The next value at *P, 0 if the file was changed meanwhile. */
static uint64_t value_at(const struct source *source, const uint8_t **p)
{
	const uint8_t *end = source->data + source->size;
	uint64_t value = 0;

	if (LIKELY(end - *p >= LEB128_BYTES_MAX) &&
	    LIKELY(leb128_easy(p, &value)))
		return value;
	if (leb128_read(p, end, &value) != LEB128_GOOD)
		*p = end;
	return value;
}

/* ----------------------------------------------------------- generations -- */

/* The tables of generation NUMBER, counted from 1. NULL: they are not there. */
static struct generation *tables_of(struct v2_trace *trace, uint64_t number)
{
	struct generation *tables = tables_place(trace->tables, number);
	const struct generation_place *begins = trace->begins.items;
	struct gtrace_error error;

	if (number == 0 || number > trace->begins.count)
		return NULL;
	if (trace->order != NULL &&
	    generation_number(&trace->order->generation) == number)
		return &trace->order->generation;
	if (generation_number(tables) == number)
		return tables;
	tables->only_tables = true;
	tables->wants_frames = true;
	/* Other errors come from a file that was changed meanwhile. */
	if (gti_v2_generation_read(tables, begins[number - 1].begin, false,
				   &error) == GENERATION_BAD &&
	    error.status == GTRACE_ERROR_MEMORY) {
		trace->lacks_memory = true;
		return NULL;
	}
	tables->handles = number << STACK_ID_BITS;
	return tables;
}

/* Returns the number of the generation of the event at OFFSET. */
static uint64_t number_at(const struct v2_trace *trace, uint64_t offset)
{
	const struct generation_place *begins = trace->begins.items;
	size_t low = 0, high = trace->begins.count;

	/* OFFSET is at or after the beginning of LOW, and before HIGH. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (begins[middle].begin <= offset)
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

/* ------------------------------------------------------ texts and frames -- */

struct gtrace_string gti_v2_text(const struct generation *generation,
				 uint64_t id)
{
	const struct source *source = generation->source;
	uint64_t offset = dictionary_get(&generation->strings, id), size;
	struct gtrace_string text = {"", 0};
	const uint8_t *p;

	if (id == 0 || offset == 0)
		return text;
	p = source->data + offset;
	size = value_at(source, &p);
	if (size <= source->size - (uint64_t)(p - source->data)) {
		text.data = (const char *)p;
		text.size = (size_t)size;
	}
	return text;
}

bool gti_v2_has_names(const struct generation *generation, uint64_t stack)
{
	const struct source *source = generation->source;
	uint64_t offset = stack ^ STACK_WIDE, count, i;
	const uint8_t *p;

	if ((stack & STACK_WIDE) == 0)
		offset = dictionary_get(&generation->stacks,
					stack & STACK_ID_MASK) /
			 2;
	if (offset >= source->size)
		return false;
	p = source->data + offset;
	value_at(source, &p); /* the id */
	count = value_at(source, &p);
	for (i = 0; i < count && i < STACK_FRAMES_MAX; i++) {
		value_at(source, &p); /* the program counter */
		if (gti_v2_text(generation, value_at(source, &p)).size != 0)
			return true;
		value_at(source, &p);
		value_at(source, &p);
	}
	return false;
}

uint64_t gti_v2_stack_id(const void *self, uint64_t stack)
{
	const struct source *source = &((const struct v2_trace *)self)->source;
	const uint8_t *p = source->data;

	if ((stack & STACK_WIDE) == 0)
		return stack & STACK_ID_MASK;
	stack ^= STACK_WIDE;
	if (stack >= source->size)
		return stack & ~STACK_MISSING;
	p += stack;
	return value_at(source, &p);
}

/*
 * The tables with STACK, a handle. Sets *OFFSET to that of its id in its
 * record. NULL: there is no such stack.
 */
static struct generation *tables_of_stack(struct v2_trace *trace,
					  uint64_t stack, uint64_t *offset)
{
	uint64_t id = gti_v2_stack_id(trace, stack), at = stack ^ STACK_WIDE;
	struct generation *tables;

	tables = tables_of(trace, at < trace->source.size
					  ? number_at(trace, at)
					  : stack >> STACK_ID_BITS);
	if (tables == NULL)
		return NULL;
	*offset = dictionary_get(&tables->stacks, id) / 2;
	return *offset != 0 ? tables : NULL;
}

/* Reads the next frame of a stack at *P. */
static struct gtrace_frame frame_at(const struct generation *tables,
				    const uint8_t **p)
{
	const struct source *source = tables->source;
	struct gtrace_frame frame = {.pc = value_at(source, p)};
	const uint64_t *first = gti_map_get(&tables->frames, frame.pc);
	const uint8_t *at = source->data + source->size;

	if (first != NULL) {
		at = source->data + *first;
		value_at(source, &at);
	}
	frame.function = gti_v2_text(tables, value_at(source, &at));
	frame.file = gti_v2_text(tables, value_at(source, &at));
	frame.line = value_at(source, &at);
	/* Past what this stack says of the frame. */
	value_at(source, p);
	value_at(source, p);
	value_at(source, p);
	return frame;
}

size_t gti_v2_frames(void *self, uint64_t stack, struct gtrace_frame *frames)
{
	struct v2_trace *trace = self;
	const struct source *source = &trace->source;
	struct generation *tables;
	uint64_t offset, count, i;
	const uint8_t *p;

	tables = tables_of_stack(trace, stack, &offset);
	if (tables == NULL)
		return 0;
	if (!gti_v2_generation_find_frames(tables)) {
		trace->lacks_memory = true;
		return 0;
	}
	p = source->data + offset;
	value_at(source, &p); /* the id */
	count = value_at(source, &p);
	for (i = 0; i < count && i < STACK_FRAMES_MAX; i++)
		frames[i] = frame_at(tables, &p);
	return (size_t)i;
}

size_t gti_v2_strings(void *self, const struct event *event,
		      struct gtrace_string strings[EVENT_STRINGS])
{
	struct v2_trace *trace = self;
	const struct event_line *line = &gti_v2_lines[event->type];
	uint8_t texts[EVENT_STRINGS] = {line->text1, line->text2};
	const struct generation *generation;
	size_t count = 0, i;

	generation = tables_of(trace, number_at(trace, event->offset));
	if (generation == NULL)
		return 0;
	for (i = 0; i < EVENT_STRINGS; i++)
		if (texts[i] != 0 && event->args[texts[i] - 1] != 0)
			strings[count++] = gti_v2_text(
				generation, event->args[texts[i] - 1]);
	return count;
}

uint64_t gti_v2_first_stack(void *self, const struct event *event, uint64_t g)
{
	const struct v2_trace *trace = self;
	const struct goroutine *goroutine;

	(void)event;
	if (g == NO_GOROUTINE)
		return 0;
	goroutine = find_goroutine(&trace->order->states, g);
	return goroutine != NULL ? goroutine->first_stack : 0;
}

/* ------------------------------------------------------------- arguments -- */

/*
 * The reader makes three types of events out of others: a GoStart has the
 * arguments of the GoSwitch, and a ProcSteal the processor of its thread.
 */
void gti_v2_args(void *self, struct event *event)
{
	const struct v2_trace *trace = self;
	const struct source *source = &trace->source;
	const uint8_t *p = source->data + event->offset;
	int count = gti_v2_lines[event->type].args, i;
	unsigned written = 0;

	event->args[0] = event->args[1] = event->args[2] = 0;
	if (event->offset < source->size)
		written = gti_v2_types[*p];
	if (written != event->type && event->type == EV_PROC_STEAL)
		event->args[0] = (uint64_t)event->p;
	if (written == EV_NONE ||
	    (written != event->type && event->type != EV_GO_START))
		return;
	p++;
	value_at(source, &p); /* the time */
	for (i = 0; i < count; i++)
		event->args[i] = value_at(source, &p);
}
