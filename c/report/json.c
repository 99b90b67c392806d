/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - values, objects and arrays of JSON. */
#include "report/json.h"

#include <string.h>

#include "base/utf8.h"

/* Begins a value: the comma before it, and its name, which is short. */
static void begin(struct json *json, const char *name)
{
	size_t size = name != NULL ? strlen(name) : 0;
	char *to = writer_reserve(json->writer, size + 4);

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
	writer_commit(json->writer, to);
}

void gti_json_open(struct json *json, const char *name, char bracket)
{
	begin(json, name);
	gti_write_bytes(json->writer, &bracket, 1);
	json->comma = false;
}

void gti_json_close(struct json *json, char bracket)
{
	gti_write_bytes(json->writer, &bracket, 1);
	json->comma = true;
}

void gti_json_end_line(struct json *json)
{
	gti_write_bytes(json->writer, "\n", 1);
	json->comma = false;
}

void gti_json_signed(struct json *json, const char *name, int64_t value)
{
	char *to;

	begin(json, name);
	to = writer_reserve(json->writer, DECIMAL_MAX);
	writer_commit(json->writer, gti_put_signed(to, value));
}

void gti_json_unsigned(struct json *json, const char *name, uint64_t value)
{
	char *to;

	begin(json, name);
	to = writer_reserve(json->writer, DECIMAL_MAX);
	writer_commit(json->writer, gti_put_decimal(to, value));
}

void gti_json_number(struct json *json, const char *name, const char *digits,
		     size_t size)
{
	begin(json, name);
	gti_write_bytes(json->writer, digits, size);
}

void gti_json_bool(struct json *json, const char *name, bool value)
{
	begin(json, name);
	gti_write_bytes(json->writer, value ? "true" : "false", value ? 4 : 5);
}

void gti_json_null(struct json *json, const char *name)
{
	begin(json, name);
	gti_write_bytes(json->writer, "null", 4);
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
	const unsigned char *bytes = (const unsigned char *)value.data;
	struct writer *writer = json->writer;
	size_t at = 0, size;

	begin(json, name);
	gti_write_bytes(writer, "\"", 1);
	while (at < value.size) {
		size = gti_plain_size(bytes + at, value.size - at, '\\');
		gti_write_bytes(writer, bytes + at, size);
		at += size;
		if (at == value.size)
			break;
		size = gti_utf8_size(bytes + at, value.size - at);
		if (size == 0)
			gti_write_bytes(writer, "\\ufffd", 6);
		else if (size == 1)
			write_escape(writer, bytes[at]);
		else
			gti_write_bytes(writer, bytes + at, size);
		at += size + (size == 0);
	}
	gti_write_bytes(writer, "\"", 1);
}

void gti_json_text(struct json *json, const char *name, const char *value)
{
	struct gtrace_string string = {value, strlen(value)};

	gti_json_string(json, name, string);
}

void gti_json_trace(struct json *json, const char *trace)
{
	if (trace != NULL)
		gti_json_text(json, "trace", trace);
}

void gti_json_unit(struct json *json, bool in_ticks)
{
	if (in_ticks)
		gti_json_text(json, "unit", "ticks");
}

void gti_json_lengths(struct json *json,
		      const struct gtrace_distribution *slices)
{
	gti_json_open(json, "slices", '{');
	gti_json_unsigned(json, "count", slices->count);
	gti_json_signed(json, "sum", slices->sum);
	gti_json_signed(json, "median", slices->median);
	gti_json_signed(json, "p99", slices->p99);
	gti_json_signed(json, "p999", slices->p999);
	gti_json_signed(json, "max", slices->max);
	gti_json_close(json, '}');
}

void gti_json_frames(struct json *json, const char *name,
		     const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	gti_json_open(json, name, '[');
	for (i = 0; i < count; i++) {
		gti_json_open(json, NULL, '{');
		gti_json_unsigned(json, "pc", frames[i].pc);
		gti_json_string(json, "fn", frames[i].function);
		gti_json_string(json, "file", frames[i].file);
		gti_json_unsigned(json, "line", frames[i].line);
		gti_json_close(json, '}');
	}
	gti_json_close(json, ']');
}
