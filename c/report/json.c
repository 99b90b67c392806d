/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - values, objects and arrays of JSON. */
#include "report/json.h"

#include <string.h>

#include "base/strings.h"
#include "base/utf8.h"

void gti_json_open(struct json *json, const char *name, char bracket)
{
	writer_commit(json->writer, json_begin(json, name));
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
	writer_commit(json->writer,
		      gti_put_signed(json_begin(json, name), value));
}

void gti_json_unsigned(struct json *json, const char *name, uint64_t value)
{
	writer_commit(json->writer,
		      gti_put_decimal(json_begin(json, name), value));
}

/* --------------------------------------------------------------- strings -- */

static void write_unit(struct writer *writer, uint32_t unit)
{
	static const char digits[] = "0123456789abcdef";
	const char text[] = {
		'\\',
		'u',
		digits[unit >> 12 & 15],
		digits[unit >> 8 & 15],
		digits[unit >> 4 & 15],
		digits[unit & 15],
	};

	gti_write_bytes(writer, text, sizeof(text));
}

/* Writes a character that does not stand for itself. */
static void write_escape(struct writer *writer, const struct utf8 *text)
{
	uint32_t code = gti_utf8_code(text);

	if (code == '"' || code == '\\') {
		write_byte(writer, '\\');
		write_byte(writer, (char)code);
	} else if (code < 0x10000) {
		write_unit(writer, code);
	} else { /* in UTF-16 */
		write_unit(writer, 0xd7c0 + (code >> 10));
		write_unit(writer, 0xdc00 + (code & 0x3ff));
	}
}

void gti_json_string(struct json *json, const char *name,
		     struct gtrace_string value)
{
	struct utf8 text = utf8_of(value.data, value.size);
	struct writer *writer = json->writer;
	size_t plain;

	writer_commit(writer, json_begin(json, name));
	write_byte(writer, '"');
	for (;;) {
		plain = gti_plain_size(text.next,
				       (size_t)(text.end - text.next), '\\');
		gti_write_bytes(writer, text.next, plain);
		text.next += plain;
		if (!gti_utf8_next(&text))
			break;
		/* A terminal, or a reader of lines, may get it. */
		if (text.bad || text.size == 1 || gti_utf8_is_hidden(&text))
			write_escape(writer, &text);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
	write_byte(writer, '"');
}

void gti_json_text(struct json *json, const char *name, const char *value)
{
	gti_json_string(json, name, string_of(value));
}
