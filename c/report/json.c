/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - values, objects and arrays of JSON. */
#include "report/json.h"

#include <string.h>

#include "base/strings.h"
#include "base/utf8.h"

/*
 * Begins a value: the comma before it, and its name, which is short. Returns
 * where the value goes, of at most FIELD_NUMBER_MAX bytes; the caller commits
 * what it writes there.
 */
static char *begin(struct json *json, const char *name)
{
	size_t size = name != NULL ? strlen(name) : 0;
	char *to = writer_reserve(json->writer, size + 4 + FIELD_NUMBER_MAX);

	if (json->comma)
		*to++ = ',';
	json->comma = true;
	if (name != NULL) {
		*to++ = '"';
		memcpy(to, name, size);
		to += size;
		*to++ = '"';
		*to++ = ':';
	}
	return to;
}

void gti_json_open(struct json *json, const char *name, char bracket)
{
	writer_commit(json->writer, begin(json, name));
	write_byte(json->writer, bracket);
	json->comma = false;
}

void gti_json_close(struct json *json, char bracket)
{
	write_byte(json->writer, bracket);
	json->comma = true;
}

void gti_json_end_line(struct json *json)
{
	write_byte(json->writer, '\n');
	json->comma = false;
}

void gti_json_signed(struct json *json, const char *name, int64_t value)
{
	writer_commit(json->writer, gti_put_signed(begin(json, name), value));
}

void gti_json_unsigned(struct json *json, const char *name, uint64_t value)
{
	writer_commit(json->writer, gti_put_decimal(begin(json, name), value));
}

void gti_json_number(struct json *json, const char *name, const char *digits,
		     size_t size)
{
	writer_commit(json->writer, begin(json, name));
	gti_write_bytes(json->writer, digits, size);
}

void gti_json_null(struct json *json, const char *name)
{
	writer_commit(json->writer, gti_put_text(begin(json, name), "null"));
}

/* --------------------------------------------------------------- strings -- */

static void write_escape(struct writer *writer, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";
	char text[] = {
		'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};

	if (byte == '"' || byte == '\\') {
		text[1] = (char)byte;
		gti_write_bytes(writer, text, 2);
	} else {
		gti_write_bytes(writer, text, sizeof(text));
	}
}

void gti_json_string(struct json *json, const char *name,
		     struct gtrace_string value)
{
	struct utf8 text = utf8_of(value.data, value.size);
	struct writer *writer = json->writer;
	size_t plain;

	writer_commit(writer, begin(json, name));
	write_byte(writer, '"');
	for (;;) {
		plain = gti_plain_size(text.next,
				       (size_t)(text.end - text.next), '\\');
		gti_write_bytes(writer, text.next, plain);
		text.next += plain;
		if (!gti_utf8_next(&text))
			break;
		if (text.bad)
			gti_write_bytes(writer, "\\ufffd", 6);
		else if (text.size == 1)
			write_escape(writer, *text.at);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
	write_byte(writer, '"');
}

void gti_json_text(struct json *json, const char *name, const char *value)
{
	gti_json_string(json, name, string_of(value));
}

/* ---------------------------------------------------------------- fields -- */

static void write_fields(struct json *json, const struct line *line,
			 const struct field *fields, const void *item);

static void write_part(struct json *json, const struct line *line,
		       const char *name, const struct field *fields,
		       const void *part)
{
	gti_json_open(json, name, '{');
	write_fields(json, line, fields, part);
	gti_json_close(json, '}');
}

void gti_json_stack(struct writer *writer, const struct gtrace_frame *frames,
		    size_t count)
{
	struct json json = {.writer = writer, .comma = true};
	size_t i;

	gti_json_open(&json, "stack", '[');
	for (i = 0; i < count; i++)
		write_part(&json, NULL, NULL, gti_frame_fields, &frames[i]);
	gti_json_close(&json, ']');
}

static void write_item(struct json *json, const struct line *line,
		       const struct field *field, const void *item)
{
	struct field_view view;

	switch (field->kind) {
	case FIELD_NUMBERS:
		gti_json_unsigned(json, NULL, *(const uint64_t *)item);
		break;
	case FIELD_STRINGS:
		gti_json_string(json, NULL,
				*(const struct gtrace_string *)item);
		break;
	case FIELD_TEXTS:
		gti_json_text(json, NULL, *(const char *const *)item);
		break;
	case FIELD_SLICES:
	case FIELD_STOPS:
		view = gti_field_view(field, item);
		write_part(json, line, NULL, field->of, &view);
		break;
	case FIELD_STACK:
		write_part(json, line, NULL, gti_frame_fields, item);
		break;
	case FIELD_SAMPLES:
		write_part(json, line, NULL, gti_sample_fields, item);
		break;
	default:
		write_part(json, line, NULL, field->of, item);
		break;
	}
}

static void write_items(struct json *json, const struct line *line,
			const struct field *field, const void *item)
{
	size_t count, i;
	const char *items = gti_field_items(field, item, &count);

	if (count == 0 && field->kind == FIELD_SOME)
		return;
	gti_json_open(json, field->name, '[');
	for (i = 0; i < count; i++)
		write_item(json, line, field, items + i * field->size);
	gti_json_close(json, ']');
}

static void write_struct(struct json *json, const struct line *line,
			 const struct field *field, const void *item)
{
	const void *part = gti_field_part(field, item);

	if (field->name == NULL)
		write_fields(json, line, field->of, part);
	else if (part == NULL)
		gti_json_null(json, field->name);
	else
		write_part(json, line, field->name, field->of, part);
}

static void write_value(struct json *json, const struct field *field,
			const void *item)
{
	char buffer[FIELD_NUMBER_MAX];

	if (!gti_field_is_there(field, item))
		return;
	if (field->kind >= FIELD_STRING)
		gti_json_string(json, field->name,
				gti_field_string(field, item, buffer));
	else
		writer_commit(
			json->writer,
			gti_put_field(begin(json, field->name), field, item));
}

/* Writes FIELD, of a kind from FIELD_TRACE on. */
static void write_other(struct json *json, const struct line *line,
			const struct field *field, const void *item)
{
	if (field->kind >= FIELD_PART)
		write_struct(json, line, field, item);
	else if (field->kind >= FIELD_NUMBERS)
		write_items(json, line, field, item);
	else if (field->kind == FIELD_LATER)
		gti_write_later(line, item);
	else if (field->kind == FIELD_RECORD)
		gti_json_text(json, "record", field->name);
	else if (field->kind == FIELD_UNIT && line->in_ticks)
		gti_json_text(json, field->name, "ticks");
	else if (field->kind == FIELD_TRACE && line->trace != NULL)
		gti_json_text(json, field->name, line->trace);
}

static void write_fields(struct json *json, const struct line *line,
			 const struct field *fields, const void *item)
{
	for (; fields->kind != FIELD_END; fields++) {
		if ((fields->in & IN_JSON) == 0)
			continue;
		if (fields->kind < FIELD_TRACE)
			write_value(json, fields, item);
		else
			write_other(json, line, fields, item);
	}
}

void gti_json_line(const struct line *line, const struct field *fields,
		   const void *item)
{
	struct json json = {.writer = line->writer};

	write_part(&json, line, NULL, fields, item);
	gti_json_end_line(&json);
}
