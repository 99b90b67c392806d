/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.c - fields of comma-separated values, as RFC 4180 has them.
 *
 * Invalid UTF-8 in texts is replaced by U+FFFD, and so are control characters,
 * which RFC 4180 does not allow, and those that end lines. So a record is
 * always one line.
 */
#include <string.h>

#include "base/utf8.h"
#include "report/fields.h"

static void write_unsigned(struct writer *writer, uint64_t value)
{
	char *to = writer_reserve(writer, DECIMAL_MAX);

	writer_commit(writer, gti_put_decimal(to, value));
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
		else if (gti_utf8_is_control(&text))
			write_text(writer, UTF8_REPLACEMENT);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
}

void gti_csv_string(struct writer *writer, struct gtrace_string value)
{
	if (gti_plain_size((const unsigned char *)value.data, value.size,
			   ',') == value.size) {
		write_string(writer, value);
		return;
	}
	write_byte(writer, '"');
	write_quoted(writer, value);
	write_byte(writer, '"');
}

/* --------------------------------------------------------------- arrays -- */

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

static void write_samples(struct writer *writer,
			  const struct gtrace_samples *samples, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(writer, " | ");
		write_unsigned(writer, samples[i].count);
		write_text(writer, ": ");
		write_frames(writer, samples[i].frames, samples[i].frame_count);
	}
}

static void write_texts(struct writer *writer, const char *const *texts,
			size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(writer, " -> ");
		write_text(writer, texts[i]);
	}
}

size_t gti_csv_columns(enum field_kind kind)
{
	return kind == FIELD_NUMBERS ? 3 : kind == FIELD_STRINGS ? 2 : 0;
}

/* Writes the columns of an array: of the items that it lacks, empty ones. */
static void write_columns(struct writer *writer, enum field_kind kind,
			  const void *items, size_t count)
{
	size_t columns = gti_csv_columns(kind), i;

	for (i = 0; i < columns; i++) {
		if (i != 0)
			write_byte(writer, ',');
		if (i < count && kind == FIELD_STRINGS)
			gti_csv_string(
				writer,
				((const struct gtrace_string *)items)[i]);
		else if (i < count)
			write_unsigned(writer, ((const uint64_t *)items)[i]);
	}
}

void gti_csv_array(struct writer *writer, enum field_kind kind,
		   const void *items, size_t count)
{
	bool is_quoted =
		count != 0 && (kind == FIELD_STACK || kind == FIELD_SAMPLES);

	if (is_quoted)
		write_byte(writer, '"');
	if (kind == FIELD_STACK)
		write_frames(writer, items, count);
	else if (kind == FIELD_SAMPLES)
		write_samples(writer, items, count);
	else if (kind == FIELD_TEXTS)
		write_texts(writer, items, count);
	else
		write_columns(writer, kind, items, count);
	if (is_quoted)
		write_byte(writer, '"');
}
