/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.c - records of comma-separated values, as RFC 4180 has them.
 *
 * Invalid UTF-8 in texts is replaced by U+FFFD, and so are control characters,
 * which RFC 4180 does not allow. So a record is always one line.
 */
#include <string.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/fields.h"

/* Writes fields, with a comma before each but the first of a record. */
struct csv {
	struct writer *writer;
	bool comma; /* before the next field */
};

static void write_unsigned(struct writer *writer, uint64_t value)
{
	char *to = writer_reserve(writer, DECIMAL_MAX);

	writer_commit(writer, gti_put_decimal(to, value));
}

/* Begins a field. */
static void begin(struct csv *csv)
{
	if (csv->comma)
		write_byte(csv->writer, ',');
	csv->comma = true;
}

static void end_record(struct csv *csv)
{
	gti_write_bytes(csv->writer, "\r\n", 2);
	csv->comma = false;
}

/* ---------------------------------------------------------------- texts -- */

/* Writes the part of a quoted field that VALUE makes. */
static void write_quoted(struct writer *writer, struct gtrace_string value)
{
	struct utf8 text = utf8_of(value.data, value.size);
	size_t plain;

	for (;;) {
		plain = gti_plain_size(text.next,
				       (size_t)(text.end - text.next), '"');
		gti_write_bytes(writer, text.next, plain);
		text.next += plain;
		if (!gti_utf8_next(&text))
			break;
		if (*text.at == '"')
			gti_write_bytes(writer, "\"\"", 2);
		else if (text.size == 1)
			write_text(writer, UTF8_REPLACEMENT);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
}

static void write_csv(struct csv *csv, struct gtrace_string value)
{
	begin(csv);
	if (gti_plain_size((const unsigned char *)value.data, value.size,
			   ',') == value.size) {
		gti_write_bytes(csv->writer, value.data, value.size);
		return;
	}
	write_byte(csv->writer, '"');
	write_quoted(csv->writer, value);
	write_byte(csv->writer, '"');
}

static void write_texts(struct csv *csv, const char *const *texts, size_t count)
{
	size_t i;

	begin(csv);
	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(csv->writer, " -> ");
		write_text(csv->writer, texts[i]);
	}
}

/* --------------------------------------------------------------- frames -- */

/* Writes frames within quotes: function, file, colon, line. */
static void write_frames(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(writer, " <- ");
		write_quoted(writer, frames[i].function);
		write_byte(writer, ' ');
		write_quoted(writer, frames[i].file);
		write_byte(writer, ':');
		write_unsigned(writer, frames[i].line);
	}
}

static void write_stack(struct csv *csv, const struct gtrace_frame *frames,
			size_t count)
{
	begin(csv);
	if (count == 0)
		return;
	write_byte(csv->writer, '"');
	write_frames(csv->writer, frames, count);
	write_byte(csv->writer, '"');
}

static void write_samples(struct csv *csv, const struct gtrace_samples *samples,
			  size_t count)
{
	size_t i;

	begin(csv);
	if (count == 0)
		return;
	write_byte(csv->writer, '"');
	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(csv->writer, " | ");
		write_unsigned(csv->writer, samples[i].count);
		write_text(csv->writer, ": ");
		write_frames(csv->writer, samples[i].frames,
			     samples[i].frame_count);
	}
	write_byte(csv->writer, '"');
}

/* --------------------------------------------------------------- fields -- */

/* How many columns an array has, whose field is named after them all. */
static size_t columns_of(const struct field *field)
{
	return field->kind == FIELD_NUMBERS   ? 3
	       : field->kind == FIELD_STRINGS ? 2
					      : 0;
}

/* The columns of args are arg1, arg2 and arg3. */
static void write_column(struct csv *csv, const char *prefix, const char *name,
			 size_t number)
{
	const char digit = (char)('0' + number);

	begin(csv);
	write_text(csv->writer, prefix);
	gti_write_bytes(csv->writer, name, strlen(name) - (number != 0));
	if (number != 0)
		write_byte(csv->writer, digit);
}

/* The names of the columns of FIELD and those after it, each after PREFIX. */
static void write_names(struct csv *csv, const char *prefix,
			const struct field *field)
{
	size_t i;

	for (; field->kind != FIELD_END; field++) {
		if ((field->in & IN_CSV) == 0)
			continue;
		if (field->kind >= FIELD_PART)
			write_names(csv,
				    field->name != NULL ? field->name : prefix,
				    field->of);
		else if (columns_of(field) == 0)
			write_column(csv, prefix, field->name, 0);
		for (i = 1; i <= columns_of(field); i++)
			write_column(csv, prefix, field->name, i);
	}
}

void gti_csv_head(struct writer *writer, const struct field *fields)
{
	struct csv csv = {.writer = writer};

	write_names(&csv, "", fields);
	end_record(&csv);
}

static void write_array(struct csv *csv, const struct field *field,
			const void *item)
{
	size_t count, i;
	const void *items = gti_field_items(field, item, &count);

	if (field->kind == FIELD_TEXTS)
		write_texts(csv, items, count);
	else if (field->kind == FIELD_STACK)
		write_stack(csv, items, count);
	else if (field->kind == FIELD_SAMPLES)
		write_samples(csv, items, count);
	for (i = 0; i < columns_of(field); i++) {
		if (i < count && field->kind == FIELD_STRINGS) {
			write_csv(csv,
				  ((const struct gtrace_string *)items)[i]);
			continue;
		}
		begin(csv);
		if (i < count)
			write_unsigned(csv->writer,
				       ((const uint64_t *)items)[i]);
	}
}

/* All fields of a struct that is not there are empty. */
static void write_none(struct csv *csv, const struct field *field)
{
	size_t columns = columns_of(field);

	do
		begin(csv);
	while (columns-- > 1);
}

static void write_value(struct csv *csv, const struct field *field,
			const void *item)
{
	char buffer[FIELD_NUMBER_MAX], *to;

	if (field->kind >= FIELD_STRING) {
		write_csv(csv, gti_field_string(field, item, buffer));
		return;
	}
	begin(csv);
	to = writer_reserve(csv->writer, FIELD_NUMBER_MAX);
	writer_commit(csv->writer, gti_put_field(to, field, item));
}

/* ITEM is NULL if there is none. */
static void write_fields(struct csv *csv, const struct line *line,
			 const struct field *field, const void *item)
{
	for (; field->kind != FIELD_END; field++) {
		if ((field->in & IN_CSV) == 0)
			continue;
		if (field->kind >= FIELD_PART)
			write_fields(csv, line, field->of,
				     gti_field_part(field, item));
		else if (item == NULL)
			write_none(csv, field);
		else if (field->kind >= FIELD_NUMBERS)
			write_array(csv, field, item);
		else if (field->kind == FIELD_LATER)
			gti_write_later(line, item);
		else if (field->kind == FIELD_TRACE)
			write_csv(csv, string_of(line->trace));
		else if (field->kind == FIELD_UNIT)
			write_csv(csv,
				  string_of(line->in_ticks ? "ticks" : "ns"));
		else
			write_value(csv, field, item);
	}
}

void gti_csv_line(const struct line *line, const struct field *fields,
		  const void *item)
{
	struct csv csv = {.writer = line->writer};

	write_fields(&csv, line, fields, item);
	end_record(&csv);
}

void gti_csv_stack(struct writer *writer, const struct gtrace_frame *frames,
		   size_t count)
{
	struct csv csv = {.writer = writer, .comma = true};

	write_stack(&csv, frames, count);
}
