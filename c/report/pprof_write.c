/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof_write.c - writes a profile as `go tool pprof` reads it. */
#include <string.h>

#include "base/utf8.h"
#include "report/pprof.h"
#include "report/pprof_fields.h"

/* A message of so many numbers fits into what is reserved. */
#define FIXED_MAX 128

/* The values and a label of a sample have fewer bytes. */
#define REST_MAX 40

_Static_assert(REST_MAX >= 2 + 2 * 10 + 2 + 2 + 11, "two values, a label");

/*
 * A sample whose stack has no more bytes is less than 128 bytes long, as
 * end_short() needs, and fits into FIXED_MAX with its tag and size.
 */
#define SHORT_STACK_MAX (FIXED_MAX - REST_MAX - 2)

_Static_assert(FIXED_MAX <= WRITER_RESERVE_MAX, "fixed messages fit");

static void write_message(struct writer *writer, unsigned field, size_t size)
{
	char *to = writer_reserve(writer, FIXED_MAX);

	writer_commit(writer, put_message(to, field, size));
}

static void write_type(struct writer *writer, uint32_t type, uint32_t unit)
{
	char *to = writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_SAMPLE_TYPE,
			 field_size(type) + field_size(unit));
	to = put_field(to, TYPE_TYPE, type);
	writer_commit(writer, put_field(to, TYPE_UNIT, unit));
}

static void write_mapping(struct writer *writer, uint32_t file)
{
	char *to = writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_MAPPING, 4 * 2 + field_size(file));
	to = put_field(to, MAPPING_ID, 1);
	to = put_field(to, MAPPING_FILE, file);
	to = put_field(to, MAPPING_HAS_FUNCTIONS, 1);
	to = put_field(to, MAPPING_HAS_FILES, 1);
	writer_commit(writer, put_field(to, MAPPING_HAS_LINES, 1));
}

static void write_function(struct writer *writer, uint64_t id,
			   const struct pprof_function *function)
{
	char *to = writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_FUNCTION,
			 field_size(id) + 2 * field_size(function->name) +
				 field_size(function->file));
	to = put_field(to, FUNCTION_ID, id);
	to = put_field(to, FUNCTION_NAME, function->name);
	to = put_field(to, FUNCTION_SYSTEM_NAME, function->name);
	writer_commit(writer, put_field(to, FUNCTION_FILE, function->file));
}

static void write_location(struct writer *writer, uint64_t id,
			   const struct pprof_location *location)
{
	uint64_t function = location->function + 1;
	size_t line = field_size(function) + field_size(location->line);
	char *to = writer_reserve(writer, FIXED_MAX);

	to = put_message(to, PROFILE_LOCATION,
			 field_size(id) + field_size(1) + field_size(line) +
				 line);
	to = put_field(to, LOCATION_ID, id);
	to = put_field(to, LOCATION_MAPPING, 1);
	to = put_message(to, LOCATION_LINE, line);
	to = put_field(to, LINE_FUNCTION, function);
	writer_commit(writer, put_field(to, LINE_LINE, location->line));
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
struct head_strings {
	uint32_t what, count, time, unit, trace, meaning;
};

static bool put_head(struct pprof *pprof, const struct pprof_head *head,
		     struct head_strings *strings)
{
	const char *unit = head->in_ticks ? "ticks" : "nanoseconds";
	const char *trace = head->trace != NULL ? head->trace : "";

	*strings = (struct head_strings){
		.what = gti_pprof_put_string(pprof, head->what),
		.count = gti_pprof_put_string(pprof, "count"),
		.time = gti_pprof_put_string(pprof, "time"),
		.unit = gti_pprof_put_string(pprof, unit),
		.trace = gti_pprof_put_string(pprof, trace),
		.meaning = gti_pprof_put_string(pprof, head->meaning),
	};
	return strings->what != NO_TEXT && strings->count != NO_TEXT &&
	       strings->time != NO_TEXT && strings->unit != NO_TEXT &&
	       strings->trace != NO_TEXT && strings->meaning != NO_TEXT;
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
	char rest[REST_MAX], *begin, *end;

	if (LIKELY(stack.size <= SHORT_STACK_MAX)) {
		begin = begin_short(writer_reserve(writer, FIXED_MAX),
				    PROFILE_SAMPLE);
		memcpy(begin, stack.data, stack.size);
		end = put_rest(begin + stack.size, sample);
		writer_commit(writer, end_short(begin, end));
		return;
	}
	end = put_rest(rest, sample);
	write_message(writer, PROFILE_SAMPLE,
		      stack.size + (size_t)(end - rest));
	gti_write_bytes(writer, stack.data, stack.size);
	gti_write_bytes(writer, rest, (size_t)(end - rest));
}

bool gti_pprof_begin(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer)
{
	struct head_strings strings;

	if (!put_head(pprof, head, &strings))
		return false;
	write_type(writer, strings.what, strings.count);
	write_type(writer, strings.time, strings.unit);
	write_mapping(writer, strings.trace);
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
