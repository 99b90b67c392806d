/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof.c - collects the stacks of a profile, and writes it. */
#include "report/pprof.h"

#include <string.h>

#include "base/strings.h"
#include "base/utf8.h"

/* -------------------------------------------------------------- messages -- */

/* Fields of the messages. All numbers are below 16: a tag is one byte. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION = 10,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	LABEL_UNIT = 4,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* How a field is encoded. */
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

static char *put_number(char *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (char)(value | 0x80);
	*to++ = (char)value;
	return to;
}

static char *put_field(char *to, unsigned field, uint64_t value)
{
	*to++ = (char)(field << 3 | WIRE_NUMBER);
	return put_number(to, value);
}

/* Begins a message of SIZE bytes as a field. */
static char *put_message(char *to, unsigned field, size_t size)
{
	*to++ = (char)(field << 3 | WIRE_BYTES);
	return put_number(to, size);
}

/*
 * Begins and ends a message of less than 128 bytes, such as one of two numbers
 * and their tags: its size is one byte, which is set at the end.
 */
static char *begin_short(char *to, unsigned field)
{
	*to = (char)(field << 3 | WIRE_BYTES);
	return to + 2;
}

static char *end_short(char *begin, char *end)
{
	begin[-1] = (char)(end - begin);
	return end;
}

/*
 * The label KEY of a sample, the number of a string. KIND says whether VALUE is
 * a number or that of a string.
 */
static char *put_label(char *to, uint64_t key, unsigned kind, uint64_t value)
{
	char *begin = begin_short(to, SAMPLE_LABEL);

	return end_short(begin, put_field(put_field(begin, LABEL_KEY, key),
					  kind, value));
}

/* The most bytes of a location's id, which is at most NO_TEXT. */
#define ID_MAX 5

/* The most bytes of the beginning of a message. */
#define BEGIN_MAX 6

/* The most bytes of the labels of a stack. */
#define LABELS_MAX (PPROF_LABELS * (BEGIN_MAX + 3 * (1 + ID_MAX)))

/* The size of the buffer of one stack. */
static size_t stack_size(const struct pprof *pprof)
{
	return BEGIN_MAX + (pprof->stack_max + 1) * ID_MAX + LABELS_MAX;
}

static bool put_words(struct pprof *pprof)
{
	return gti_pprof_put_string(pprof, "") == PPROF_EMPTY &&
	       gti_pprof_put_string(pprof, "work") == PPROF_WORK &&
	       gti_pprof_put_string(pprof, "goroutine") == PPROF_GOROUTINE;
}

bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory)
{
	*pprof = (struct pprof){.memory = memory, .stack_max = stack_max};
	gti_texts_init(&pprof->strings, memory);
	gti_texts_init(&pprof->functions, memory);
	gti_texts_init(&pprof->locations, memory);
	gti_texts_init(&pprof->stacks, memory);
	pprof->stack = gti_allocate(memory, stack_size(pprof));
	if (pprof->stack != NULL && put_words(pprof))
		return true;
	gti_pprof_free(pprof);
	return false;
}

void gti_pprof_free(struct pprof *pprof)
{
	gti_texts_free(&pprof->strings);
	gti_texts_free(&pprof->functions);
	gti_texts_free(&pprof->locations);
	gti_texts_free(&pprof->stacks);
	gti_release(pprof->memory, pprof->stack, stack_size(pprof));
	pprof->stack = NULL;
}

/* ---------------------------------------------------------------- stacks -- */

uint32_t gti_pprof_put_string(struct pprof *pprof, const char *text)
{
	return gti_texts_put(&pprof->strings, text, strlen(text));
}

/* Returns the number of a location. NO_TEXT: there is no memory. */
static uint32_t put_location(struct pprof *pprof, struct gtrace_string name,
			     struct gtrace_string file, uint64_t line)
{
	struct pprof_function function = {
		.name = gti_texts_put(&pprof->strings, name.data, name.size),
		.file = gti_texts_put(&pprof->strings, file.data, file.size),
	};
	struct pprof_location location = {.line = line};

	if (function.name == NO_TEXT || function.file == NO_TEXT)
		return NO_TEXT;
	location.function =
		gti_texts_put(&pprof->functions, &function, sizeof(function));
	if (location.function == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&pprof->locations, &location, sizeof(location));
}

/*
 * Returns the number of the location of frame AT of STACK, or of what STACK has
 * instead of frames. NO_TEXT: there is no memory.
 */
static uint32_t put_frame(struct pprof *pprof, const struct pprof_stack *stack,
			  size_t at)
{
	const struct gtrace_frame *frame;

	if (stack->count == 0)
		return put_location(pprof, string_of(stack->nothing),
				    string_of(""), 0);
	frame = &stack->frames[at];
	return put_location(pprof, frame->function, frame->file, frame->line);
}

/* Writes LABEL of a stack at TO. NULL: there is no memory. */
static char *put_stack_label(struct pprof *pprof, char *to,
			     const struct pprof_label *label)
{
	uint32_t name = gti_pprof_put_string(pprof, label->key), value;
	char *begin = begin_short(to, SAMPLE_LABEL);

	if (name == NO_TEXT)
		return NULL;
	if (label->text == NULL) {
		to = put_field(begin, LABEL_KEY, name);
		to = put_field(to, LABEL_NUMBER, label->number);
		/* Without a unit, readers pass over 0. */
		return end_short(begin, put_field(to, LABEL_UNIT, name));
	}
	value = gti_pprof_put_string(pprof, label->text);
	return value != NO_TEXT ? put_label(to, name, LABEL_STRING, value)
				: NULL;
}

/*
 * The ids of the locations are written first, and moved behind the beginning of
 * their message, which has their size.
 */
uint32_t gti_pprof_put_stack(struct pprof *pprof,
			     const struct pprof_stack *stack)
{
	size_t count = stack->count != 0 ? stack->count : 1, size, i;
	char *ids, *end;
	uint32_t location;

	if (pprof->stack == NULL)
		return NO_TEXT;
	ids = end = pprof->stack + BEGIN_MAX;
	for (i = 0; i < count; i++) {
		location = put_frame(pprof, stack, i);
		if (location == NO_TEXT)
			return NO_TEXT;
		end = put_number(end, (uint64_t)location + 1);
	}
	size = (size_t)(end - ids);
	end = put_message(pprof->stack, SAMPLE_LOCATIONS, size);
	memmove(end, ids, size);
	end += size;
	for (i = 0; i < PPROF_LABELS && stack->labels[i].key != NULL; i++)
		if (end != NULL)
			end = put_stack_label(pprof, end, &stack->labels[i]);
	if (end == NULL)
		return NO_TEXT;
	return gti_texts_put(&pprof->stacks, pprof->stack,
			     (size_t)(end - pprof->stack));
}

/* ---------------------------------------------------------------- tables -- */

/* A message of so many numbers is shorter than 128 bytes, see begin_short(). */
#define FIXED_MAX 130

/* The values and a label of a sample have fewer bytes. */
#define REST_MAX 40

_Static_assert(REST_MAX >= 2 + 2 * 10 + 2 + 2 + 11, "two values, a label");
_Static_assert(FIXED_MAX <= WRITER_RESERVE_MAX, "fixed messages fit");

/* Begins a message of numbers, which end_numbers() writes. */
static char *begin_numbers(struct writer *writer, unsigned field)
{
	return begin_short(writer_reserve(writer, FIXED_MAX), field);
}

static void end_numbers(struct writer *writer, char *begin, char *end)
{
	writer_commit(writer, end_short(begin, end));
}

static void write_message(struct writer *writer, unsigned field, size_t size)
{
	char *to = writer_reserve(writer, FIXED_MAX);

	writer_commit(writer, put_message(to, field, size));
}

static void write_type(struct writer *writer, uint32_t type, uint32_t unit)
{
	char *begin = begin_numbers(writer, PROFILE_SAMPLE_TYPE), *to;

	to = put_field(begin, TYPE_TYPE, type);
	end_numbers(writer, begin, put_field(to, TYPE_UNIT, unit));
}

static void write_mapping(struct writer *writer, uint32_t file)
{
	char *begin = begin_numbers(writer, PROFILE_MAPPING), *to;

	to = put_field(begin, MAPPING_ID, 1);
	to = put_field(to, MAPPING_FILE, file);
	to = put_field(to, MAPPING_HAS_FUNCTIONS, 1);
	to = put_field(to, MAPPING_HAS_FILES, 1);
	end_numbers(writer, begin, put_field(to, MAPPING_HAS_LINES, 1));
}

static void write_function(struct writer *writer, uint64_t id,
			   const struct pprof_function *function)
{
	char *begin = begin_numbers(writer, PROFILE_FUNCTION), *to;

	to = put_field(begin, FUNCTION_ID, id);
	to = put_field(to, FUNCTION_NAME, function->name);
	to = put_field(to, FUNCTION_SYSTEM_NAME, function->name);
	end_numbers(writer, begin,
		    put_field(to, FUNCTION_FILE, function->file));
}

static void write_location(struct writer *writer, uint64_t id,
			   const struct pprof_location *location)
{
	char *begin = begin_numbers(writer, PROFILE_LOCATION), *line, *to;

	to = put_field(begin, LOCATION_ID, id);
	to = put_field(to, LOCATION_MAPPING, 1);
	line = begin_short(to, LOCATION_LINE);
	to = put_field(line, LINE_FUNCTION, location->function + 1);
	to = put_field(to, LINE_LINE, location->line);
	end_numbers(writer, begin, end_short(line, to));
}

/* The bytes of TEXT once what is not UTF-8 is replaced by U+FFFD. */
static size_t clean_size(struct gtrace_string text)
{
	size_t size = gti_plain_size((const unsigned char *)text.data,
				     text.size, '"');
	struct utf8 characters = utf8_of(text.data + size, text.size - size);

	while (gti_utf8_next(&characters))
		size += characters.size;
	return size;
}

static void write_clean(struct writer *writer, struct gtrace_string text)
{
	struct utf8 characters = utf8_of(text.data, text.size);
	size_t size = clean_size(text);

	write_message(writer, PROFILE_STRING, size);
	/* U+FFFD is longer than what it replaces. */
	if (size == text.size) {
		gti_write_bytes(writer, text.data, size);
		return;
	}
	while (gti_utf8_next(&characters))
		gti_write_bytes(writer, characters.at, characters.size);
}

/* ----------------------------------------------------------------- write -- */

/* The strings of the head. */
enum {
	HEAD_WHAT,
	HEAD_COUNT,
	HEAD_TIME,
	HEAD_UNIT,
	HEAD_TRACE,
	HEAD_MEANING,
	HEAD_STRINGS
};

static bool put_head(struct pprof *pprof, const struct pprof_head *head,
		     uint32_t strings[HEAD_STRINGS])
{
	const char *const texts[HEAD_STRINGS] = {
		head->what,
		"count",
		"time",
		head->in_ticks ? "ticks" : "nanoseconds",
		head->trace != NULL ? head->trace : "",
		head->meaning,
	};
	size_t i;

	for (i = 0; i < HEAD_STRINGS; i++) {
		strings[i] = gti_pprof_put_string(pprof, texts[i]);
		if (strings[i] == NO_TEXT)
			return false;
	}
	return true;
}

static char *put_values(char *to, const struct pprof_values *values)
{
	char *begin = begin_short(to, SAMPLE_VALUES);

	return end_short(begin, put_number(put_number(begin, values->count),
					   values->time));
}

/* What comes after the stack. */
static char *put_rest(char *to, const struct pprof_sample *sample)
{
	to = put_values(to, &sample->values);
	if (sample->g != PPROF_ANY_G)
		to = put_label(to, PPROF_GOROUTINE, LABEL_NUMBER, sample->g);
	return to;
}

void gti_pprof_write_sample(const struct pprof *pprof,
			    const struct pprof_sample *sample,
			    struct writer *writer)
{
	struct gtrace_string stack = texts_at(&pprof->stacks, sample->stack);
	char rest[REST_MAX];
	size_t size = (size_t)(put_rest(rest, sample) - rest);

	write_message(writer, PROFILE_SAMPLE, stack.size + size);
	write_string(writer, stack);
	gti_write_bytes(writer, rest, size);
}

bool gti_pprof_begin(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer)
{
	uint32_t strings[HEAD_STRINGS];

	if (!put_head(pprof, head, strings))
		return false;
	write_type(writer, strings[HEAD_WHAT], strings[HEAD_COUNT]);
	write_type(writer, strings[HEAD_TIME], strings[HEAD_UNIT]);
	write_mapping(writer, strings[HEAD_TRACE]);
	return true;
}

static void write_tables(const struct pprof *pprof, struct writer *writer)
{
	struct pprof_location location;
	struct pprof_function function;
	uint32_t i;

	for (i = 0; i < texts_count(&pprof->locations); i++) {
		memcpy(&location, texts_at(&pprof->locations, i).data,
		       sizeof(location));
		write_location(writer, (uint64_t)i + 1, &location);
	}
	for (i = 0; i < texts_count(&pprof->functions); i++) {
		memcpy(&function, texts_at(&pprof->functions, i).data,
		       sizeof(function));
		write_function(writer, (uint64_t)i + 1, &function);
	}
	for (i = 0; i < texts_count(&pprof->strings); i++)
		write_clean(writer, texts_at(&pprof->strings, i));
}

void gti_pprof_end(struct pprof *pprof, const struct pprof_head *head,
		   struct writer *writer)
{
	/* These strings are there. */
	uint32_t time = gti_pprof_put_string(pprof, "time");
	uint32_t meaning = gti_pprof_put_string(pprof, head->meaning);
	char *to;

	write_tables(pprof, writer);
	to = writer_reserve(writer, FIXED_MAX);
	if (!head->in_ticks)
		to = put_field(to, PROFILE_DURATION, (uint64_t)head->length);
	to = put_field(to, PROFILE_COMMENT, meaning);
	writer_commit(writer, put_field(to, PROFILE_DEFAULT_TYPE, time));
}
