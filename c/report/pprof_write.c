/* SPDX-License-Identifier: BSD-3-Clause */
/* pprof_write.c - writes a profile as `go tool pprof` reads it. */
#include <string.h>

#include "base/utf8.h"
#include "report/pprof.h"
#include "report/pprof_fields.h"

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
